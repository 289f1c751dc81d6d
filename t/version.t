# The version stands in VERSION.  What cannot read it has it once more, and is
# compared here; what runs says it.

use strict;
use warnings;

use lib 't/lib';

use HTTP::Tiny;
use PromptTest::Env;
use PromptTest::Server;
use Test::More;


sub text_of
{
    my ($file) = @_;

    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


# ---- files

my $text = text_of('VERSION');
my $version = PromptTest::Env::version();

is($text, "$version\n", 'VERSION is a line');
like($version, qr/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}\z/, 'three numbers');

for my $place (
    [ 'src/base/version.h', qr/^#define PROMPT_VERSION  "(.*)"$/m ],
    [ 'debian/changelog', qr/\A[\w-]+ \(([^)]+)\) / ],
    map { [ 'compose.yaml', qr/^  $_:\n    image: prompt:(\S+)\n/m ] }
        qw(migrate nginx promptctl prune),
) {
    my ($file, $where) = @$place;
    my ($has) = text_of($file) =~ $where;

    is($has, $version, "$file has the version of VERSION");
}

my @images = text_of('compose.yaml') =~ /^\s+image: prompt:(.*)$/mg;

is_deeply([ grep { $_ ne $version } @images ], [], 'compose.yaml has no other');


# ---- CHANGELOG.md, as keepachangelog.com has it: what is not released is
# [Unreleased], and a release has the day that debian/changelog has

my $changes = text_of('CHANGELOG.md');
my @releases = $changes =~ /^## (.*)$/mg;
my %kind = map { $_ => 1 } qw(Added Changed Deprecated Removed Fixed Security);

is_deeply([ grep { !/^\[Unreleased\]\z|^\[[\d.]+\] - \d{4}-\d\d-\d\d\z/ }
            @releases ], [], 'CHANGELOG.md: releases with their day');
is_deeply([ grep { !$kind{$_} } $changes =~ /^### (.*)$/mg ], [],
          'CHANGELOG.md: kinds of changes');

my ($latest, $day) = map { /^\[([\d.]+)\] - (\S+)/ } @releases;

if ($releases[0] eq '[Unreleased]') {
    isnt($latest // '', $version,
         'what is not released is not in a release: VERSION is the next one');
} else {
    my ($date) = text_of('debian/changelog') =~ /^ -- .*>  \w+, (.*?) \d\d:/m;
    my %month;

    @month{qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec)} = 1 .. 12;
    is($latest, $version, 'CHANGELOG.md has the release of VERSION');
    is(sprintf('%3$d-%2$02d-%1$02d', map { $month{$_} || $_ } split ' ', $date),
       $day, 'and the day of debian/changelog');
}


# ---- what runs

is(PromptTest::Env::run($PromptTest::Env::promptctl, '--version'),
   "promptctl $version\n", 'promptctl --version');

# t/mcp.t and t/mcp_legacy.t have the serverInfo of MCP

my $s = PromptTest::Server->new;

like(HTTP::Tiny->new->get("http://127.0.0.1:$s->{port}/metrics")->{content},
     qr/^prompt_build_info\{version="\Q$version\E"\} 1$/m, 'the metrics');

ok($s->stop, 'nginx leaves');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
