# schema.graphql is a sound schema: graphql-js builds it, and finds nothing
# wrong with its types.  The build reads it without asking.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use Test::More;

my $root = abs_path(dirname(__FILE__) . '/..');

plan skip_all => 't/conformance/node_modules is not there: npm ci needs the '
                 . 'network'
    unless -d "$root/t/conformance/node_modules/graphql";

plan tests => 1;

open my $out, '-|', 'node', "$root/t/conformance/schema.mjs",
     "$root/schema.graphql"
    or die "node: $!\n";

my @lines = <$out>;

ok(close($out), 'graphql-js has nothing to say about schema.graphql')
    or diag(@lines);
