# executePromptStream where a provider is asked again, or another one in its
# place; what else a streamed answer has; clients that leave under
# prompt_abandoned stop; streams under an Idempotency-Key.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Calls;
use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;

my $slow = $PromptTest::Calls::slow;
my $long = 30 * $slow;
my $port = PromptTest::Env::provider();

my $s = PromptTest::Server->new(workers => 1, http => <<"END",
    prompt_provider again /_provider/openai timeout=${long}s retries=2;
    prompt_provider again-claude /_provider/anthropic format=anthropic
                    timeout=${long}s retries=2;
    prompt_provider short /_provider/openai timeout=1s retries=2;
    prompt_provider small /_provider/openai timeout=${long}s max_answer=1k;
    prompt_provider heard /_provider/heard timeout=${long}s retries=2;

    prompt_model r-fx:* provider=again input=0.15 output=0.60;
    prompt_model r-claude-fx:* provider=again-claude;
    prompt_model short-fx:* provider=short;
    prompt_model small-fx:* provider=small;
    prompt_model heard-fx:* provider=heard;
END
    server => <<"END");
    location = /_provider/heard {
        internal;
        proxy_pass http://127.0.0.1:$port/v1/chat/completions;
    }
    location = /stop {
        prompt_graphql;
        prompt_abandoned stop;
        send_timeout 2s;
    }
    location = /finish {
        prompt_graphql;
        prompt_abandoned finish;
        send_timeout 2s;
    }
END

my $query = 'subscription ($id: ID!, $in: JSON!) { executePromptStream('
    . 'promptId: $id, input: $in) { delta result { output model costUsd '
    . 'tokenIn tokenOut finishReason toolCalls { id name arguments } '
    . 'executionId } } }';


# request(PARAMS [, PATH]): of a stream of a new prompt with these params

sub request
{
    my ($params, $path) = @_;
    my $id = version($s, $params);
    my $text = PromptTest::Stream::request($s, $id, query => $query,
                             variables => { id => $id, in => { a => 1 } });

    $text =~ s{^POST \S+}{POST $path} if $path;
    PromptTest::Env::provider_control('clear');

    return $text;
}


sub streamed
{
    my $socket = $s->send(request(@_));

    return PromptTest::Stream::parse(PromptTest::Stream::receive($socket,
                                                                 undef, 40));
}


# before the model says anything

for my $case (
    [ 'r-fx:status=503|text=fine', 2 ],
    [ 'r-fx:status=429,retry-after=0|close|text=fine', 3 ],
    [ 'r-fx:reset|text=fine', 2 ],
    [ 'r-fx:close-after=0|text=fine', 2 ],
    [ 'r-fx:text=x,close-after=1|text=fine', 2 ],
    [ 'r-fx:text=x,fail=1|text=fine', 2 ],
    [ 'r-fx:text=,usage=none,no-done|text=fine', 2 ],
    [ 'r-claude-fx:status=529|text=fine', 2 ],
    [ 'r-claude-fx:text=x,close-after=3|text=fine', 2 ],
    [ 'r-claude-fx:text=x,fail=2|text=fine', 2 ],
    [ 'r-fx:events=data%3A%20%7B%22choices%22%3A%5B%7B%22delta%22%3A%7B'
      . '%22role%22%3A%22assistant%22%2C%22reasoning%22%3A%22%22%7D%7D%5D%7D'
      . '%0A%0A|text=fine', 2 ],
) {
    my ($model, $attempts) = @$case;
    my $got = streamed({ model => $model });

    is($got->{output}, 'fine', "$model: the text");
    is($got->{result}{output}, 'fine', "$model: the result");
    is($got->{complete}, 1, "$model: complete");
    unlike($got->{body}, qr/HTTP|errors/, "$model: one answer");
    is_row($model, 'succeeded', $attempts);
}

my $got = streamed({ model => 'r-fx:usage=100:10,text=fine' });

is($got->{result}{costUsd}, '0.000021', 'what the answer cost');
is_row('at once', 'succeeded', 1);

$got = streamed({ model => 'r-fx:close-after=1|close-after=1|close-after=1' });
like($got->{errors}[0]{message}, qr/incomplete/, 'never: what failed last');
is($got->{output}, '', 'never: without text');
is_row('never', 'failed', 3);


# and not after that; reasoning and sound are paid for as text is

sub bytes
{
    return 'events=' . join('', map { "data:$_\n\n" } @_)
        =~ s/([^\w{}:"\[\]])/sprintf '%%%02x', ord $1/ger;
}

sub chunk
{
    return qq~{"choices":[{"delta":{$_[0]}}]}~;
}

for my $case (
    [ 'r-fx:' . bytes((chunk('"reasoning_content":"hm"')) x 3)
      . '|text=never', '' ],
    [ 'r-fx:' . bytes(chunk('"reasoning":"hm"')) . '|text=never', '' ],
    [ 'r-fx:' . bytes(chunk('"audio":{"id":"a"}')) . '|text=never', '' ],
    [ 'r-claude-fx:' . bytes('{"type":"message_start"}',
          '{"type":"content_block_delta","delta":{"type":"thinking_delta",'
          . '"thinking":"hm"}}') . '|text=never', '' ],
    [ 'r-fx:text=a%20b%20c,close-after=3|text=never', 'a b ' ],
    [ 'r-fx:text=a%20b%20c,fail=2|text=never', 'a ' ],
    [ 'r-fx:text=a%20b,usage=none,no-done|text=never', 'a b' ],
    [ 'r-claude-fx:text=a%20b,fail=4|text=never', 'a ' ],
    [ 'r-fx:tool=f%3A%7B%22a%22%3A1%7D,text=,close-after=3|text=never', '' ],
    [ 'r-claude-fx:tool=f%3A%7B%7D,text=,close-after=6|text=never', '' ],
    [ 'r-fx:events=data%3A%20%7Bbad%0A%0A|text=never', '' ],
    [ 'r-fx:raw=%7B|text=never', '' ],
    [ 'r-fx:plain,cut=20|text=never', '' ],
    [ 'r-fx:status=400|text=never', '' ],
) {
    my ($model, $output) = @$case;

    $got = streamed({ model => $model });

    ok($got->{errors}, "$model: an error");
    is($got->{output}, $output, "$model: what was said");
    is(row("coalesce(output, '')"), $output, "$model: in its row, too");
    is_row($model, 'failed', 1);
}


# another model

for my $first ('r-fx:status=401', 'short-fx:hang', 'short-fx:status=503',
               'short-fx:comments=ever')
{
    my $attempts = $first =~ /503/ ? 4 : 2;

    $got = streamed({ model => $first,
                      fallbacks => [ { model => 'r-claude-fx:text=fine' } ] });

    is($got->{output}, 'fine', "$first: another model says it");
    is($got->{result}{model}, 'r-claude-fx:text=fine', "$first: which");
    is($got->{result}{finishReason}, 'end_turn', "$first: in its own words");
    is_row("$first, another model", 'succeeded', $attempts);
}

$got = streamed({ model => 'short-fx:text=a%20b%20c%20d,pause=900',
                  fallbacks => [ { model => 'fx:text=never' } ] });
like($got->{errors}[0]{message}, qr/timed out/, 'too late: no other model');
like($got->{output}, qr/^a (b )?$/, 'too late: what was said');
is_row('too late', 'failed', 1);

$got = streamed({ model => 'small-fx:words=300' });
is($got->{errors}[0]{message}, 'The model provider\'s answer with status 200 '
   . 'is larger than 1 KiB.', 'the limit is the provider\'s');
is_row('too large', 'failed', 1);


# why it ended, and tools

for my $kind ([ 'fx', 'stop', 'tool_calls' ],
              [ 'claude-fx', 'end_turn', 'tool_use' ])
{
    my ($model, $stop, $tool) = @$kind;
    my $arguments = '{"city":"Bern\\\\n"}';
    my $spec = 'tool=weather%3A%7B%22city%22%3A%22Bern%5C%5Cn%22%7D,text=Hm';

    for my $how ('chunk=1', 'chunk=4096', 'each=1', 'each=50') {
        $got = streamed({ model => "$model:$spec,$how" });

        is($got->{result}{finishReason}, $tool, "$model, $how: why");
        is_deeply($got->{result}{toolCalls}, [ { id => 'call_1',
                  name => 'weather', arguments => $arguments } ],
                  "$model, $how: the call of a tool");
        is($got->{output}, 'Hm', "$model, $how: beside text");
        is(row('finish_reason'), $tool, "$model, $how: the row has the word");
        is_deeply(PromptTest::Json::decode(row('tool_calls')),
                  $got->{result}{toolCalls}, "$model, $how: and the call");
    }

    $got = streamed({ model => "$model:text=fine" });
    is($got->{result}{finishReason}, $stop, "$model: without tools");
    is($got->{result}{toolCalls}, undef, "$model: there are none");

    $got = streamed({ model => "$model:$spec,usage=none,no-done" });
    is(row('finish_reason, tool_calls'), '|', "$model: nor where it broke off");
}

for my $file ('openai/chat.200.tool_calls.json',
              'anthropic/messages.200.tool_use.json')
{
    my $model = ($file =~ /^anthropic/ ? 'claude-' : '') . 'fx:file='
                . $file =~ s{/}{%2F}r;

    $got = streamed({ model => $model });
    like($got->{result}{finishReason}, qr/tool/, "$file: a whole answer, why");
    is($got->{result}{toolCalls}[0]{arguments}, '{"city":"Paris"}',
       "$file: and its call");
}


# clients that leave

sub gone
{
    my ($what, $model, $path, $until) = @_;
    my $socket = $s->send(request({ model => $model }, $path));

    if (defined $until) {
        PromptTest::Stream::receive($socket, $until);

    } else {
        ok(within(10, sub { calls() >= 1 && row('status') eq 'running' }),
           "$what: the provider was called");
    }

    close $socket;
    ok(within(20, sub { row('status') ne 'running' }), "$what: it ends");
}

gone('in the middle', 'r-fx:text=one%20two%20three,pause=400', '/stop',
     qr/"one "/);
like(row('output'), qr/^one (two )?$/, 'in the middle: the text so far');
is(row('error'), 'The client disconnected, and the call was cancelled.',
   'in the middle: why');
is_row('in the middle', 'cancelled', 1);
ok(within(10, sub { (calls())[0]{left} }), 'in the middle: the provider is '
   . 'left');

gone('in silence', 'r-fx:hang', '/stop');
is_row('in silence', 'cancelled', 1);

gone('between two attempts', 'r-fx:status=503,retry-after=25|text=never',
     '/stop');
is_row('between two attempts', 'cancelled', 1);

gone('finish', 'r-fx:text=one%20two%20three,pause=200', '/finish', qr/"one "/);
is(row('output'), 'one two three', 'finish: all of it is read');
is_row('finish', 'succeeded', 1);

gone('finish, another attempt', 'r-fx:status=503,retry-after=1|text=fine',
     '/finish');
is(row('output'), 'fine', 'finish: another attempt, for the row');
is_row('finish, another attempt', 'succeeded', 2);

gone('the location wants to know', 'heard-fx:text=one%20two,pause=400',
     '/finish', qr/"one "/);
is_row('the location wants to know', 'cancelled', 1);

for my $path ('/stop', '/finish') {
    my $model = 'r-fx:words=200000';
    my $socket = $s->send(request({ model => $model }, $path));

    ok(within(60, sub { calls() >= 1 && row('status') ne 'running' }),
       "$path: who reads nothing has left");
    is(row('status'), $path eq '/stop' ? 'cancelled' : 'succeeded',
       "$path: the row");
    close $socket;
}


# a mutation that is done once, and is answered as an event

my @answers;

for (1 .. 2) {
    my $id = version($s, { model => 'fx:text=fine' });
    my $text = PromptTest::Stream::request($s, $id, query => 'mutation { '
                   . 'createPrompt(input: {name: "once"}) { id } }',
                   variables => {});

    $text =~ s/\r\n/\r\nIdempotency-Key: once\r\n/;
    push @answers, PromptTest::Stream::parse(
                       PromptTest::Stream::receive($s->send($text)));
}

is(scalar @{ $answers[0]{events} }, 2, 'a mutation: one event, and the end');
like($answers[0]{body}, qr/"createPrompt":\{"id":/, 'it was done');
is($answers[1]{body}, $answers[0]{body}, 'again: the same answer');
like($answers[1]{head}, qr/^Idempotency-Replayed: true\r$/m, 'which says so');
like($answers[1]{head}, qr{^Content-Type: text/event-stream}m, 'as an event');

ok($s->stop, 'nginx quits in time');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
