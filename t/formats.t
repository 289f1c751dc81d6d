# Formats responses and gemini, end to end, whole and as streams; and the
# variables by which one location serves all models and formats.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP ();
use PromptTest::Calls;
use PromptTest::Env;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;

my $port = PromptTest::Env::provider();

my $s = PromptTest::Server->new(http => "
    upstream fixture { server 127.0.0.1:$port; }

    prompt_provider responses /_all format=responses timeout=5s;
    prompt_provider gemini /_all format=gemini timeout=5s retries=1;

    prompt_model gpt-fx:*    provider=responses input=1 output=2 cached_input=0.1;
    prompt_model gemini-fx:* provider=gemini input=1 output=2 cached_input=0.1;
", server => '
    location = /_all {
        internal;
        proxy_pass http://fixture$prompt_call_uri;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header X-Model $prompt_call_model;
        proxy_set_header X-Of $prompt_model;
    }
');

my $fields = '{ output finishReason model costUsd tokenIn tokenOut '
    . 'toolCalls { id name arguments } }';
my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
    . "$fields }";
my $streamed = 'subscription ($id: ID!, $in: JSON!) { '
    . 'executePromptStream(promptId: $id, input: $in) { delta result '
    . '{ output finishReason tokenIn tokenOut costUsd toolCalls { id name '
    . 'arguments } executionId } } }';


# run($model, $params): executePrompt of a new prompt, or its first error
sub run
{
    my ($model, $params) = @_;
    my $id = version($s, { model => $model, %{ $params // {} } });

    PromptTest::Env::provider_control('clear');

    my $json = $s->ask('alice', $run, { id => $id })->{json};

    return $json->{errors} ? $json->{errors}[0] : $json->{data}{executePrompt};
}


sub seen { return PromptTest::Env::provider_control('log') }


# version() writes "say {{a}}", which needs its input
$run =~ s/input: \{\}/input: {a: "hi"}/;

for my $case ([ 'gpt', '/v1/responses', 'completed', 7 ],
              [ 'gemini', undef, 'STOP', 7 ])
{
    my ($name, $uri, $finish, $out) = @$case;
    my $model = "$name-fx:usage=12:7:2";
    my $got = run($model, { max_tokens => 5 });
    my ($call) = @{ seen() };

    is($got->{output}, 'say hi', "$name: the answer");
    is($got->{finishReason}, $finish, "$name: why it ended");
    is($got->{tokenIn}, 12, "$name: input");
    is($got->{tokenOut}, $out, "$name: output");
    is($got->{costUsd}, '0.0000242', "$name: 10 + 0.2 + 14");

    my $encoded = $model =~ s/([^A-Za-z0-9._~-])/sprintf '%%%02X', ord $1/ger;

    is($call->{url}, $uri // "/v1beta/models/$encoded:generateContent",
       "$name: the URI of its format");
    is($call->{headers}{'x-model'}, $encoded, "$name: the model");
    ok(!exists $call->{headers}{'x-of'},
       "$name: what is known at the end is not known yet");

    is($name eq 'gpt' ? $call->{body}{max_output_tokens}
                      : $call->{body}{generationConfig}{maxOutputTokens}, 5,
       "$name: the limit under its name");
}

is_deeply(run('gpt-fx:tool=f:{"x"%3A1},thought=S,text=')->{toolCalls},
          [{ id => 'call_1', name => 'f', arguments => '{"x":1}' }],
          'responses: a call');
is_deeply(run('gemini-fx:tool=f:{"x"%3A1},thought=S,text=')->{toolCalls},
          [{ id => 'call_0', name => 'f', arguments => '{"x":1}' }],
          'gemini: a call');

# streams, however they are cut

for my $name ('gpt', 'gemini') {
    for my $how ('chunk=1', 'chunk=7', 'each=1', 'crlf,chunk=3', 'comments=3',
                 'cut-end', 'plain')
    {
        my $model = "$name-fx:text=Gr%C3%BC%C3%9Fe%20%F0%9F%90%98%20now,$how";
        my $id = PromptTest::Stream::prompt($s, $model);
        my $got = PromptTest::Stream::stream($s, $id, query => $streamed);

        is(join('', @{ $got->{deltas} }), "Gr\x{fc}\x{df}e \x{1f418} now",
           "$name, $how: what is shown");
        is($got->{result}{output}, "Gr\x{fc}\x{df}e \x{1f418} now",
           "$name, $how: the output");
        is($got->{result}{tokenOut}, 7, "$name, $how: what it took");
        is($got->{result}{costUsd}, '0.000026', "$name, $how: 12 + 14");
    }

    my $id = PromptTest::Stream::prompt($s,
                              "$name-fx:text=a,tool=f:{\"x\"%3A[1]},each=2");
    my $got = PromptTest::Stream::stream($s, $id, query => $streamed);

    is($got->{result}{toolCalls}[0]{arguments}, '{"x":[1]}',
       "$name: a call in parts");
    is($got->{result}{output}, 'a', "$name: beside a text");

    $id = PromptTest::Stream::prompt($s, "$name-fx:text=a%20b,fail=2");
    $got = PromptTest::Stream::stream($s, $id, query => $streamed);

    like($got->{errors}[0]{message}, qr/reported an error/,
         "$name: an error in the middle");
    unlike($got->{body}, qr/secret/, "$name: none of its words");

    $id = PromptTest::Stream::prompt($s,
                                     "$name-fx:text=a%20b,close-after=2");
    $got = PromptTest::Stream::stream($s, $id, query => $streamed);

    like($got->{errors}[0]{message}, qr/incomplete/,
         "$name: one that breaks off");
}

like(PromptTest::Stream::stream($s, PromptTest::Stream::prompt($s,
         'gemini-fx:file=gemini/stream.sse'))->{result}{output},
     qr/^nginx serves\.$/, 'a recorded stream')
    if -e 't/fixtures/providers/gemini/stream.sse';

# an agent's loop: what has to go back goes back, where it stood

for my $case ([ 'gpt', sub { $_[0]{input} }, [
        { role => 'user', content => 'say hi' },
        { type => 'reasoning', id => 'rs_1', summary => [],
          encrypted_content => 'S' },
        { type => 'function_call', call_id => 'call_1', name => 'f',
          arguments => '{"x":1}' },
        { type => 'function_call_output', call_id => 'call_1',
          output => '12' },
        { role => 'user', content => 'and now?' } ] ],
    [ 'gemini', sub { $_[0]{contents} }, [
        { role => 'user', parts => [ { text => 'say hi' } ] },
        { role => 'model', parts => [ { functionCall => { name => 'f',
            args => { x => 1 } }, thoughtSignature => 'S' } ] },
        { role => 'user', parts => [ { functionResponse => { name => 'f',
            response => { output => '12' } } } ] },
        { role => 'user', parts => [ { text => 'and now?' } ] } ] ])
{
    my ($name, $messages, $want) = @$case;
    my $model = "$name-fx:tool=f:{\"x\"%3A1},thought=S,text=|ok,text=done";
    my $loop = 'mutation ($id: ID!, $in: JSON!) { executePrompt(promptId: '
        . '$id, input: $in) { output message } }';
    my $id = $s->ask('alice', 'mutation ($n: String!) { createPrompt(input: '
                     . '{name: $n}) { id } }', { n => "formats-loop-$name" })
        ->{json}{data}{createPrompt}{id};

    $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
            . '{ createPromptVersion(input: $i) { id } }',
            { i => { promptId => $id, content => '{{q}}',
                     messages => [ { placeholder => 'history' } ],
                     inputSchema => { properties => {
                         history => { type => 'array' } } },
                     params => { model => $model } } });

    PromptTest::Env::provider_control('clear');

    my $first = $s->ask('alice', $loop, { id => $id,
                        in => { q => 'say hi', history => [] } })
        ->{json}{data}{executePrompt};
    my $second = $s->ask('alice', $loop, { id => $id, in => {
        q => 'and now?', history => [
            { role => 'user', content => 'say hi' }, $first->{message},
            { role => 'tool', tool_call_id =>
                  $first->{message}{tool_calls}[0]{id}, content => '12' } ] } })
        ->{json}{data}{executePrompt};

    is($second->{output}, 'done', "$name: the loop comes to its end");
    is_deeply($messages->(seen()->[1]{body}), $want,
              "$name: what goes back stands where it stood");
}

# Google says in the body how long to wait

{
    my $model = 'gemini-fx:status=429,raw='
        . '{"error"%3A{"details"%3A[{"retryDelay"%3A"0.3s"}]}}|ok,text=b';
    my $got = run($model);
    my $calls = seen();

    is($got->{output}, 'b', 'asked again');
    is(@$calls, 2, 'once');
    cmp_ok($calls->[1]{at} - $calls->[0]{at}, '>=', 290, 'as late as it said')
        if @$calls == 2;
}

# nothing that the format has no words for is kept

for my $case ([ 'gemini-fx:ok', parallel_tool_calls => JSON::PP::true ],
              [ 'gpt-fx:ok', stop => 'x' ])
{
    my ($model, $name, $value) = @$case;
    my $id = $s->ask('alice', 'mutation ($n: String!) { createPrompt(input: '
                     . '{name: $n}) { id } }', { n => "formats-$name" })
        ->{json}{data}{createPrompt}{id};
    my $error = $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
                        . '{ createPromptVersion(input: $i) { id } }',
                        { i => { promptId => $id, content => 'x', params =>
                                 { model => $model, $name => $value } } })
        ->{json}{errors}[0];

    is($error->{extensions}{field}, "params.$name", "$name has no words");
}

done_testing();
