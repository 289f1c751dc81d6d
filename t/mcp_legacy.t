# prompt_mcp, the revisions before 2026-07-28: initialize, which begins no
# session, and methods without _meta.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Mcp;
use PromptTest::Server;
use Test::More;

my $s = PromptTest::Server->new(server =>
    'location = /mcp { prompt_mcp "instructions=Ask."; }');

sub legacy { return PromptTest::Mcp::legacy($s, @_) }

sub none { return PromptTest::Mcp::legacy($s, @_, headers =>
                                          { 'MCP-Protocol-Version' => undef }) }

for my $case ([ '2025-11-25', '2025-11-25' ], [ '2025-06-18', '2025-06-18' ],
              [ '2025-03-26', '2025-11-25' ], [ '2026-07-28', '2025-11-25' ],
              [ 'x', '2025-11-25' ], [ '', '2025-11-25' ])
{
    my ($asked, $answered) = @$case;
    my $got = none('initialize', { protocolVersion => $asked,
        capabilities => { roots => {} },
        clientInfo => { name => 'test', version => '1' } });

    is($got->{status}, 200, "initialize of \"$asked\"");
    unlike($got->{head}, qr/^Mcp-Session-Id/mi, 'begins no session');
    is_deeply($got->{result}, {
        protocolVersion => $answered, instructions => 'Ask.',
        capabilities => { prompts => {}, tools => {}, completions => {} },
        serverInfo => { name => 'ngx_http_prompt_module', version => PromptTest::Env::version() }
    }, "is answered by $answered");
}

for my $params (undef, {}, { protocolVersion => 1 }, { protocolVersion => [] })
{
    my $got = none('initialize', $params);

    is($got->{status}, 200, 'initialize without a version');
    is($got->{error}{code}, -32602, 'is an error');
}

is(PromptTest::Mcp::raw($s,
    '{"jsonrpc":"2.0","method":"notifications/initialized"}')->{status}, 202,
   'notifications/initialized');

for my $version ('2025-11-25', '2025-06-18', undef) {
    my %with = (headers => { 'MCP-Protocol-Version' => $version });
    my $name = $version // 'none';

    is_deeply(legacy('ping', undef, %with)->{result}, {}, "ping of $name");
    is_deeply(legacy('prompts/list', {}, %with)->{result}, { prompts => [] },
              "prompts of $name have nothing of later ones");
}

for my $version ('2025-03-26', '2024-11-05', '1900-01-01', 'x',
                 [ '2025-11-25', '2025-11-25' ])
{
    my $got = legacy('ping', undef, headers =>
                     { 'MCP-Protocol-Version' => $version });
    my $name = ref $version ? 'two' : $version;

    is($got->{status}, 400, "version $name: 400");
    is($got->{error}{code}, -32022, "version $name: its code");
    is_deeply($got->{error}{data}{supported},
              [ '2026-07-28', '2025-11-25', '2025-06-18' ],
              "version $name: what there is");
}

for my $method ('server/discover', 'logging/setLevel', 'resources/list',
                'subscriptions/listen', 'x', '')
{
    my $got = legacy($method, {});

    is($got->{status}, 200, "method \"$method\": 200");
    is($got->{error}{code}, -32601, "method \"$method\": not there");
}

# what is sent of sessions and streams is passed over

is(legacy('ping', undef, headers => { 'Mcp-Session-Id' => 'x',
          'Last-Event-ID' => '7' })->{status}, 200, 'a session that is none');

for my $method ('GET', 'DELETE') {
    is(PromptTest::Mcp::raw($s, '', method => $method, headers =>
           { 'MCP-Protocol-Version' => '2025-11-25' })->{status}, 405,
       "$method is not allowed");
}

# the same prompts and tools

PromptTest::Mcp::prompt($s, 'mcp-old', {},
    { content => 'Say {{x}}', params => { model => 'fx:text=%5B1%5D' },
      inputSchema => { properties => { x => { type => 'integer' } } },
      outputSchema => { type => 'array' } });
my $object = PromptTest::Mcp::prompt($s, 'mcp-object', {},
    { params => { model => 'fx:text=%7B%22a%22%3A1%7D' },
      inputSchema => { type => 'object' }, outputSchema =>
      { type => 'object', properties => { a => {} } } });

is(legacy('prompts/get', { name => 'mcp_old', arguments => { x => '7' } })
       ->{result}{messages}[0]{content}{text}, 'Say 7', 'prompts/get');
is(legacy('prompts/get', { name => 'mcp_old', arguments => { x => 'y' } })
       ->{error}{code}, -32602, 'that does not fit');

{
    my %tools = map { $_->{name} => $_ }
                    @{ legacy('tools/list')->{result}{tools} };

    is($tools{'mcp-old'}{inputSchema}{type}, 'object', 'a type, in any case');
    ok(!exists $tools{'mcp-old'}{outputSchema}, 'an output that is no object');
    is($tools{'mcp-object'}{outputSchema}{type}, 'object', 'one that is');
}

{
    my $got = legacy('tools/call', { name => 'mcp-old', arguments =>
                                     { x => 1 } });

    is($got->{result}{content}[0]{text}, '[1]', 'tools/call');
    ok(!exists $got->{result}{structuredContent}, 'without a list');
    ok(!exists $got->{result}{resultType}, 'nor what came later');
    like($got->{result}{_meta}{'ngx-http-prompt/executionId'}, qr/^[0-9a-f-]+$/,
         'with its execution');

    $got = legacy('tools/call', { name => 'mcp-object', arguments => {},
                                  _meta => { progressToken => 'p' } });
    is_deeply($got->{result}{structuredContent}, { a => 1 }, 'as a stream');
    is($got->{events}[0]{params}{progressToken}, 'p', 'with progress');
    is(PromptTest::Mcp::row($object), 'succeeded|{"a":1}|12|7|0.000006',
       'one row');
}

is(legacy('completion/complete', { ref => { type => 'ref/prompt', name =>
    'mcp-old' }, argument => { name => 'x', value => '' } })
       ->{result}{completion}{total}, 0, 'completion/complete');

$s->stop;
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
