use strict;
use warnings;
use lib 't/lib';
use PromptTest::Mcp;
use PromptTest::Server;
use Test::More;

my $s = PromptTest::Server->new(
    server => 'location = /mcp { prompt_mcp "instructions=Be kind."; }');
my $id = PromptTest::Mcp::prompt($s, 'mcp-one', {}, { content => 'Say {{text}} {{n}}', inputSchema => { type => 'object', properties => { text => { type => 'string', description => 'What' }, n => { type=> 'integer', enum => [1, 12, 3] } }, required => ['text'] } });
for my $case (['server/discover'], ['prompts/list'], ['tools/list'],
  ['prompts/get', { name => 'mcp_one', arguments => { text => 'hi', n => '12' } }],
  ['prompts/get', { name => 'mcp_one', arguments => { } }],
  ['prompts/get', { name => 'nope', arguments => { } }],
  ['tools/call', { name => 'mcp-one', arguments => { text => 'hi' } }],
  ['tools/call', { name => 'mcp-one', arguments => { text => 1 } }],
  ['tools/call', { name => 'mcp-one', arguments => { text => 'hi' }, _meta => { progressToken => 'a"b' } }],
  ['completion/complete', { ref => { type => 'ref/prompt', name => 'mcp-one' }, argument => { name => 'n', value => '1' } }],
  ['nope'],
) {
  my $got = PromptTest::Mcp::ask($s, @$case);
  diag("$case->[0] $got->{status} $got->{body}");
}
my $got = PromptTest::Mcp::legacy($s, 'initialize', { protocolVersion => '2025-06-18' });
diag "$got->{status} $got->{head} $got->{body}";
$got = PromptTest::Mcp::legacy($s, 'ping');
diag "$got->{status} $got->{body}";
ok 1;
$s->stop;
is_deeply([ $s->faults ], [], 'clean error log');
done_testing;
