# The engine and graphql-js, asked the same of documents that are made from
# seeds: t/conformance/differential.mjs.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use Test::More;

my $root = abs_path(dirname(__FILE__) . '/..');
my $build = $ENV{PROMPT_BUILD} || "$root/build";
my $count = $ENV{PROMPT_TEST_DOCUMENTS} || 3000;

plan skip_all => 't/conformance/node_modules is not there: npm ci needs the '
                 . 'network'
    unless -d "$root/t/conformance/node_modules/graphql";

plan tests => 1;

open my $out, '-|', 'node', "$root/t/conformance/differential.mjs",
     '--count', $count, '--driver', "$build/gql-driver"
    or die "node: $!\n";

my @lines = <$out>;

ok(close($out), "the same answers to $count questions")
    or diag(@lines);
