use strict;
use warnings;
use lib 't/lib';
use PromptTest::Mcp;
use PromptTest::Server;
use Test::More;

my $s = PromptTest::Server->new(
    server => 'location = /mcp { prompt_mcp "instructions=Be kind."; }');
sleep 1; my ($w) = $s->workers;
if (fork == 0) { exec "gdb -q -p $w -batch -ex 'handle SIGPIPE nostop noprint' -ex continue -ex bt > /tmp/mcpnode/gdb.log 2>&1"; }
sleep 4;
for my $i (1..1) {
 my $got = PromptTest::Mcp::raw($s, '', method => 'GET', headers => { 'Content-Type' => undef });
 diag "$got->{status} $got->{head} $got->{body}";
 $got = PromptTest::Mcp::raw($s, '', method => 'GET', headers => { Origin => 'http://evil', 'Content-Type' => undef });
 diag "$got->{status} $got->{head} $got->{body}";
 my $sock = $s->send(PromptTest::Mcp::post($s, '', method => 'GET', keep => 1));
 sleep 1; sysread $sock, my $t, 1000; diag $t; close $sock; sleep 2;
}
$s->stop;
is_deeply([ $s->faults ], [], 'clean error log');
done_testing;
