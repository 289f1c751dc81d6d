# prompt_mcp: tools, what is told while one runs, and what becomes of a call
# whose client has gone.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls;
use PromptTest::Mcp;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep);

my $long = 30 * $PromptTest::Calls::slow;
my $closed = PromptTest::Env::free_port();
my $location = <<'END';
    location = /mcp { prompt_mcp; }
    location = /finish { prompt_mcp; prompt_abandoned finish; }
    location = /if { prompt_mcp; if ($request_method = POST) { set $posted 1; } }
    location = /metrics { prompt_metrics; }
    location = /logged { prompt_mcp; access_log op.log op; }
END
my $s = PromptTest::Server->new(workers => 1,
    server => $location . "location = /_provider/closed { internal; "
              . "proxy_pass http://127.0.0.1:$closed; }",
    http => "log_format op '\$status \$prompt_operation \$prompt_error_code';
        prompt_provider patient /_provider/openai timeout=${long}s
                        max_answer=16m;
        prompt_model long-fx:* provider=patient input=0.15 output=0.60;
        prompt_provider closed /_provider/closed;
        prompt_model closed-* provider=closed;");

sub ask { return PromptTest::Mcp::ask($s, @_) }
sub prompt { return PromptTest::Mcp::prompt($s, @_) }

my %any = (type => 'object', properties => {});
my $n = 0;

# tool(MODEL, VERSION): a new one, its name; the id is in %ids
my %ids;

sub tool
{
    my ($model, $version) = @_;
    my $name = 'tool-' . ++$n;

    $ids{$name} = prompt($name, {}, { inputSchema => \%any,
        params => { model => $model }, %{ $version || {} } });

    return $name;
}

sub call
{
    my ($name, $arguments, %with) = @_;
    my $token = delete $with{token};

    return ask('tools/call', { name => $name, arguments => $arguments || {},
        (defined $token ? (_meta => { progressToken => $token }) : ()) },
        %with);
}

sub stream { return call($_[0], $_[1], token => 't', @_[2 .. $#_]) }

sub text { return join '|', map { $_->{text} } @{ $_[0]{result}{content} } }

sub said
{
    return map { $_->{params}{message} }
           grep { defined $_->{method} } @{ $_[0]{events} };
}

sub meta { return $_[0]{result}{_meta}{"ngx-http-prompt/$_[1]"} }


# what is a tool

prompt('no-schema', {}, {});
prompt('typed', {}, { inputSchema => { type => ['object', 'null'] } });
prompt('untyped', { description => 'Does it.' }, { inputSchema => {} });
prompt("gr\x{fc}n", {}, { inputSchema => \%any });
prompt('x' x 64, {}, { inputSchema => \%any });
prompt('y' x 65, {}, { inputSchema => \%any });
prompt('versions', {}, { inputSchema => \%any }, {});
my $out = prompt('schemas', {}, {
    inputSchema => { required => ['a'], properties => { a =>
        { type => 'integer', description => 'A' } } },
    outputSchema => { type => 'array', items => { type => 'integer' } } });
my $bobs = prompt('bobs', { user => 'bob', public => 1 },
                  { inputSchema => \%any });

{
    my %tools = map { $_->{name} => $_ } @{ ask('tools/list')->{result}{tools} };

    is_deeply([ sort keys %tools ], ['schemas', 'untyped', 'x' x 64],
              'prompts with a schema, under names for models');
    is_deeply($tools{untyped}, { name => 'untyped', description => 'Does it.',
                                 inputSchema => { type => 'object' } },
              'an empty schema has its type');
    is_deeply($tools{schemas}, { name => 'schemas',
        description => 'Runs the stored prompt "schemas".',
        inputSchema => { type => 'object', required => ['a'], properties =>
            { a => { type => 'integer', description => 'A' } } },
        outputSchema => { type => 'array', items => { type => 'integer' } } },
        'both schemas');
}

for my $case (
    [ 'no schema', 'no-schema' ], [ 'not in the latest', 'versions' ],
    [ 'a long name', 'y' x 65 ], [ 'a space', 'un typed' ],
    [ 'not there', 'nothing' ], [ 'no number', 'untyped@7' ],
    [ 'no label', 'untyped@x' ], [ "another's", 'bobs' ],
    [ "another's id", $bobs ], [ 'an id', $out ], [ 'none', '' ],
) {
    my ($what, $name) = @$case;

    for my $token (undef, 7) {
        my $got = call($name, {}, token => $token);

        is($got->{status}, 200, "$what: 200");
        is($got->{error}{code}, -32602, "$what: unknown");
    }
}

is(PromptTest::Env::psql('SELECT count(*) FROM executions'), "0\n",
   'nothing was run');

# a call

{
    my $name = tool('fx:text=nginx%20serves%20pages.',
                    { content => 'Serve {{what}}' });
    my $got = call($name, { what => 'it' });

    is($got->{status}, 200, 'a call');
    is_deeply($got->{result}{content},
              [ { type => 'text', text => 'nginx serves pages.' } ], 'its text');
    ok(!$got->{result}{isError}, 'is no error');
    ok(!exists $got->{result}{structuredContent}, 'and no structure');
    is($got->{result}{resultType}, 'complete', 'it is complete');
    is(meta($got, 'costUsd'), '0.000006', 'what it cost');
    is(meta($got, 'version'), 1, 'the version');
    like(meta($got, 'executionId'), qr/^[0-9a-f-]{36}$/, 'the execution');
    is(PromptTest::Mcp::row($ids{$name}),
       'succeeded|nginx serves pages.|12|7|0.000006', 'one row');

    $got = call("$name\@1", { what => 'it' });
    is(text($got), 'nginx serves pages.', 'of a number');
}

# as a stream

for my $token ('t', '', 7, -1, 'x' x 1000, '"}') {
    my $name = tool('fx:text=nginx%20serves%20%22%0Apages%22.');
    my $got = call($name, {}, token => $token);

    is($got->{status}, 200, 'a stream');
    like($got->{head}, qr{^Content-Type: text/event-stream}m, 'its type');
    like($got->{head}, qr/^X-Accel-Buffering: no\r$/m, 'not buffered');
    is(join('', said($got)), "nginx serves \"\npages\".",
       'as the model says it');
    is_deeply([ map { $_->{params}{progress} } @{ $got->{events} }[0 .. 2] ],
              [ 1, 2, 3 ], 'progress goes up');
    is_deeply([ map { $_->{params}{progressToken} } @{ $got->{events} }[0 .. 2] ],
              [ ($token) x 3 ], 'with the token');
    is(text($got), "nginx serves \"\npages\".", 'and all of it');
    unlike($got->{body}, qr/^(?!event: message$|data: |$)/m, 'no other event');
    is(PromptTest::Mcp::row($ids{$name}),
       "succeeded|nginx serves \"\npages\".|12|7|0.000006", 'one row');
}

{
    my $got = stream(tool('long-fx:words=20000,chunk=100000'));

    is(scalar(said($got)), 20000, 'many events');
    is(text($got), 'word ' x 20000, 'none is lost');

    $got = stream(tool('fx:text='));
    is_deeply([ said($got) ], [], 'nothing is said');
    is(text($got), '', 'nor answered');

    $got = call(tool('long-fx:big=3000000'));
    is(length text($got), 3_000_000, 'a long answer');
}

# tools that the model wants called

{
    my $got = call(tool('fx:tool=weather%3A%7B%22city%22%3A%22Bern%22%7D,text='));

    is(meta($got, 'toolCalls')->[0]{name}, 'weather', 'a call of a tool');
    is(meta($got, 'toolCalls')->[0]{arguments}, '{"city":"Bern"}',
       'is in _meta');
    ok(!$got->{result}{isError}, 'and no error');
}

# structure

for my $case ([ '%5B1%2C2%5D', [1, 2] ], [ '%5B%5D', [] ]) {
    my ($output, $value) = @$case;
    my $name = tool("fx:text=$output",
                    { outputSchema => { type => 'array', items =>
                                        { type => 'integer' } } });

    for my $got (call($name), stream($name)) {
        is_deeply($got->{result}{structuredContent}, $value, 'structure');
        ok(!$got->{result}{isError}, 'that is sound');
    }
}

for my $output ('%5B%22x%22%5D', 'text', '%7B%7D') {
    my $name = tool("fx:text=$output", { outputSchema => { type => 'array',
        items => { type => 'integer' } } });

    for my $got (call($name), stream($name)) {
        ok(!exists $got->{result}{structuredContent}, 'none that is not');
        ok($got->{result}{isError}, 'is an error');
        like(text($got), qr/^.*\|This is not what the outputSchema wants: \[/,
             'that has the output, and says why');
    }

    is((split /\|/, PromptTest::Mcp::row($ids{$name}))[0], 'succeeded',
       'which succeeded, as it was paid for');
}

# what a model can do something about

{
    my $name = tool('fx:text=x', { inputSchema => { type => 'object',
        required => ['promptId'], properties => { promptId =>
        { type => 'integer' } } } });

    for my $arguments ({}, { promptId => 'x' }, { promptId => undef }) {
        for my $got (call($name, $arguments), stream($name, $arguments)) {
            ok($got->{result}{isError}, 'wrong arguments');
            like(text($got), qr/input does not match inputSchema: promptId/,
                 'in words');
            is(meta($got, 'violations')->[0]{field}, 'promptId', 'and where');
        }
    }

    is(call($name, { promptId => 1 })->{result}{isError}, JSON::PP::false(),
       'right ones');

    for my $arguments ([], 'x', 1) {
        is(call($name, $arguments)->{error}{code}, -32602,
           'arguments that are none');
    }
}

for my $case ([ 'fx:status=500', qr/status 500/, 500 ],
              [ 'fx:status=429', qr/status 429/, 429 ],
              [ 'fx:raw=%7B%7D', qr/could not be read/ ],
              [ 'closed-x', qr/could not be reached/ ],
              [ 'fx:hang', qr/timed out/ ])
{
    my ($model, $message, $status) = @$case;

    for my $call (\&call, \&stream) {
        my $got = $call->(tool($model));

        is($got->{status}, 200, "$model: 200");
        ok($got->{result}{isError}, "$model: an error");
        like(text($got), $message, "$model: why");
        unlike($got->{body}, qr/secret/, "$model: no words of the provider's");
        is(meta($got, 'providerStatus'), $status, "$model: its status")
            if $status;
        is(row('status'), 'failed', "$model: the row says so");
        is(meta($got, 'executionId'), row('id'), "$model: which");
    }
}

# a stream that breaks off

{
    my $got = stream(tool('fx:text=a%20b%20c,fail=3'));

    is_deeply([ said($got) ], ['a ', 'b '], 'what was said before it failed');
    ok($got->{result}{isError}, 'and that it did');
    is(row('status, output'), 'failed|a b ', 'the row has it, too');
}

# once

for my $call (\&call, \&stream) {
    my $name = tool('fx:text=one%20two');
    my %key = (headers => { 'Idempotency-Key' => "key-$name" });
    my $first = $call->($name, {}, %key);
    my $again = $call->($name, {}, %key);

    is(text($again), 'one two', 'the same key, the same answer');
    is(meta($again, 'executionId'), meta($first, 'executionId'), 'of one run');
    like($again->{head}, qr/^Idempotency-Replayed: true\r?$/m, 'marked');
    unlike($first->{head}, qr/^Idempotency-Replayed/m, 'the first was not');
    isnt($again->{json}{id}, $first->{json}{id}, 'with an id of its own');

    my $got = $call->($name, { a => 1 }, %key);
    is($got->{status}, 422, 'another request');
    is($got->{error}{code}, -32600, 'is refused');
    is(PromptTest::Mcp::row($ids{$name}), 'succeeded|one two|12|7|0.000006',
       'run once');
}

is(call(tool('fx:ok'), {}, headers => { 'Idempotency-Key' => '' })->{status}, 400,
   'a key that is none');

# who has gone

# gone(WHAT, MODEL, STATUS, PATH, TOKEN)
sub gone
{
    my ($what, $model, $status, $path, $token) = @_;
    my $name = tool($model);

    PromptTest::Env::provider_control('clear');

    my $socket = $s->send(PromptTest::Mcp::text($s, 'tools/call',
        { name => $name, arguments => {},
          (defined $token ? (_meta => { progressToken => $token }) : ()) },
        path => $path));

    ok(within(10, sub { calls() >= 1 && row('status') eq 'running' }),
       "$what: the provider was called");

    if (defined $token && $model =~ /pause/) {
        my $got = PromptTest::Stream::receive($socket, qr/"message":"a "/, 10);
        like($got, qr/"message":"a "/, "$what: the stream has begun");
    }

    close $socket;
    ok(within(20, sub { row('status') ne 'running' }), "$what: it ends");
    is(row('status'), $status, "$what: $status");
}

gone('a stream', 'long-fx:hang', 'cancelled', '/mcp', 1);
gone('a stream that says something', 'long-fx:text=a%20b%20c%20d,pause=3000',
     'cancelled', '/mcp', 1);
gone('a call', 'long-fx:hang', 'cancelled', '/mcp');
gone('a call in a block of if', 'long-fx:text=fine,delay=2000', 'cancelled', '/if');
gone('finish', 'long-fx:text=fine,delay=2000', 'succeeded', '/finish', 1);
gone('finish, a call', 'long-fx:text=fine,delay=2000', 'succeeded', '/finish');

# one that reads nothing for a while gets all of it

{
    my $name = tool('long-fx:words=100000,chunk=100000');
    my $socket = $s->send(PromptTest::Mcp::text($s, 'tools/call',
        { name => $name, arguments => {}, _meta => { progressToken => 1 } }));

    sleep 2;
    my $got = PromptTest::Mcp::answer($socket);

    is(scalar(said($got)), 100_000, 'a slow reader gets each event');
    is(length text($got), 500_000, 'and the whole');
}

# what is counted

call(tool('fx:ok'), {}, path => '/logged');
call('nothing', {}, path => '/logged');
ask('prompts/list', {}, path => '/logged');
ask('completion/complete', { ref => { type => 'ref/prompt', name => 'untyped' },
    argument => { name => 'a', value => '' } }, path => '/logged');

my @lines;

within(5, sub {
    open my $in, '<', "$s->{dir}/op.log" or return 0;
    @lines = <$in>;
    return @lines == 4;
});
is_deeply(\@lines, [ "200 executePrompt -\n", "200 executePrompt NOT_FOUND\n",
                     "200 prompts -\n", "200 promptByName -\n" ],
          'variables of the log');

$s->stop;
is_deeply([ $s->faults(qr/provider|model|connect\(\) failed|did not read/) ], [],
          'clean error log');

done_testing();
