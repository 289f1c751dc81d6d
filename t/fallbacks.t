# params.fallbacks: which failures lead to the next model, what it is sent, what
# it costs and who is said to have answered.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls;
use PromptTest::Server;
use Test::More;

my $slow = $PromptTest::Calls::slow;
my $long = 20 * $slow;

my $locations = <<'END';
    location = /_provider/refuses {
        internal;
        return 403;
    }
END

my $http = <<"END" . http2_listen($locations);
    prompt_provider again /_provider/openai timeout=${long}s retries=1;
    prompt_provider short /_provider/openai timeout=500ms;
    prompt_provider refuses /_provider/refuses;

    prompt_model a-fx:* provider=again input=1 output=2;
    prompt_model short-fx:* provider=short input=3 output=4;
    prompt_model refused provider=refuses;
    prompt_model other-fx:* provider=openai input=5 output=6
                 max_tokens_as=max_completion_tokens;
END

my $s = PromptTest::Server->new(workers => 1, http => $http,
                                server => $locations);


# first(MODEL, MORE): executed with one fallback

sub first
{
    my ($model, @more) = @_;

    return executed($s, { model => $model,
                          fallbacks => [ { model => 'other-fx:usage=100:10' },
                                         @more ] });
}


# which failures

for my $case ([ 'fx:status=408', 2 ], [ 'fx:status=429', 2 ],
              [ 'fx:status=500', 2 ], [ 'fx:status=502', 2 ],
              [ 'fx:status=503', 2 ], [ 'fx:status=504', 2 ],
              [ 'fx:status=529', 2 ], [ 'fx:status=401', 2 ],
              [ 'fx:status=402', 2 ], [ 'fx:status=403', 2 ],
              [ 'fx:status=404', 2 ],
              [ 'fx:file=hostile%2Ferror_200.json', 2 ],
              [ 'fx:close', 2 ], [ 'fx:reset', 2 ],
              [ 'short-fx:hang', 2 ], [ 'short-fx:headers-only', 2 ],
              [ 'short-fx:spaces=20', 2 ],
              [ 'a-fx:status=503', 3 ], [ 'a-fx:status=401', 2 ],
              [ 'a-fx:status=503,retry-after=3600', 2 ],
              [ 'a-fx:status=503|status=404', 3 ],
              [ 'fx:file=openai%2Ferror.429.quota.json', 2 ])
{
    my ($model, $calls) = @$case;
    my $answer = first($model);

    is(ref $answer && $answer->{model}, 'other-fx:usage=100:10',
       "$model: the other one answers");
    is_row($model, 'succeeded', $calls);
    is(row('model, token_in, token_out, cost_usd, price_input, price_output'),
       'other-fx:usage=100:10|100|10|0.00056|5|6',
       'model, tokens and price are of the answer');
}

for my $model ('fx:file=hostile%2Ferror_200_paid.json',
               'fx:status=400', 'fx:status=409',
               'fx:status=413', 'fx:status=422', 'fx:status=501',
               'fx:status=307', 'fx:cut=20', 'fx:raw=hello', 'fx:raw',
               'fx:header-size=200000', 'fx:big=9437184', 'refused')
{
    my $answer = first($model);

    ok(!ref $answer, "$model: that is the answer");
    is(row('status, attempts, model'), "failed|1|$model", 'nobody else is asked');
}

my $answer = first('fx:text=fine');
is($answer->{model}, 'fx:text=fine', 'the first one');
is_row('the first one', 'succeeded', 1);


# several, and all in vain

$answer = first('fx:status=503', { model => 'fx:text=third' });
is($answer->{model}, 'other-fx:usage=100:10', 'in their order');

$answer = executed($s, { model => 'fx:status=503', fallbacks => [
    { model => 'a-fx:status=500' }, { model => 'short-fx:hang' },
    { model => 'fx:status=404' }, { model => 'fx:status=429' } ] });
like($answer, qr/status 429/, 'the last failure is told');
is_row('all of them', 'failed', 6);
is(row('model, cost_usd IS NULL'), 'fx:status=429|t',
   'the last model, and no cost is guessed');


# what they are sent

executed($s, {
    model => 'fx:status=503', temperature => 1, max_tokens => 7,
    stop => [ 'x' ], top_p => 0.5,
    fallbacks => [ { model => 'claude-fx:status=529', temperature => 0 },
                   { model => 'other-fx:usage=100:10', top_p => 0.25,
                     seed => 3 } ],
});

my @calls = calls();

is(scalar @calls, 3, 'three are asked');
is_deeply($calls[0]{body}, {
    model => 'fx:status=503', temperature => 1, max_tokens => 7,
    stop => [ 'x' ], top_p => 0.5,
    messages => [ { role => 'user', content => 'say 1' } ],
}, 'the first one');
is($calls[1]{url}, '/v1/messages', 'the second one speaks another form');
is($calls[1]{headers}{'anthropic-version'}, '2023-06-01', 'and says so');
is_deeply($calls[1]{body}, {
    model => 'claude-fx:status=529', temperature => 0, max_tokens => 7,
    stop_sequences => [ 'x' ], top_p => 0.5,
    messages => [ { role => 'user', content => 'say 1' } ],
}, 'in which it is written');
is_deeply($calls[2]{body}, {
    model => 'other-fx:usage=100:10', temperature => 1, seed => 3,
    max_completion_tokens => 7, stop => [ 'x' ], top_p => 0.25,
    messages => [ { role => 'user', content => 'say 1' } ],
}, 'the third one');

$answer = executed($s, { model => 'fx:status=503', fallbacks => [
    { model => 'claude-fx:usage=100:10:40' } ] });
is($answer->{costUsd}, '0.000342', 'cached input as that format counts it');
is(row('token_in, token_cached, price_cached_input'), '100|40|0.3',
   'the row has what it was computed from');


# models are looked for when the version is executed

my $id = version($s, { model => 'fx:ok', fallbacks => [
    { model => 'fx:ok' }, { model => 'nobody' } ] });

PromptTest::Env::provider_control('clear');
$answer = $s->ask('alice', $PromptTest::Calls::run, { id => $id });
is($answer->{json}{errors}[0]{extensions}{code}, 'BAD_USER_INPUT',
   'a model that nobody serves');
is($answer->{json}{errors}[0]{extensions}{field}, 'params.fallbacks.1.model',
   'with its place');
is(scalar calls(), 0, 'before anybody is asked');

$answer = $s->ask('alice', 'query ($id: ID!) { prompt(id: $id) { versions '
                  . '{ params } } }', { id => $id });
is_deeply($answer->{json}{data}{prompt}{versions}[0]{params},
          { model => 'fx:ok',
            fallbacks => [ { model => 'fx:ok' }, { model => 'nobody' } ] },
          'params come back as they were sent');


# without the client

left($s, { model => 'fx:status=503,delay=400',
           fallbacks => [ { model => 'fx:text=alone,delay=200' } ] }, 1);
ok(within(10, sub { row('status') ne 'running' }), 'it goes on');
is(row('status, attempts, output, model'),
   'succeeded|2|alone|fx:text=alone,delay=200', 'to the end');

$id = version($s, { model => 'fx:ok' });
$s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
        . '{ createPromptVersion(input: $i) { id } }',
        { i => { promptId => $id, content => 'say {{a}}',
                 messages => [ { role => 'SYSTEM', content => 'be {{a}}' },
                               { placeholder => 'h' } ],
                 params => { model => 'fx:status=503,delay=400',
                             fallbacks => [
                                 { model => 'claude-fx:status=529,delay=200' },
                                 { model => 'fx:text=late' } ] } } });
PromptTest::Env::provider_control('clear');

my $gone = $s->send($s->request('alice', 'mutation ($id: ID!, $i: JSON!) '
    . '{ executePrompt(promptId: $id, input: $i) { output } }',
    { id => $id, i => { a => 'kind', h => [
        { role => 'user', content => "\x{fc}" x 5000 },
        { role => 'assistant', content => 'a' } ] } }));

ok(within(10, sub { calls() >= 1 }),
   'the provider was called');
close $gone;
ok(within(10, sub { row('status') ne 'running' }), 'messages, too');
is(row('status, attempts, output'), 'succeeded|3|late', 'to the end');
@calls = calls();
is_deeply([ map { delete @{ $_->{body} }{qw(model max_tokens)}; $_->{body} }
            @calls[1, 2] ],
          [ { system => 'be kind', messages => [
                  { role => 'user', content => "\x{fc}" x 5000 },
                  { role => 'assistant', content => 'a' },
                  { role => 'user', content => 'say kind' } ] },
            { messages => [ { role => 'system', content => 'be kind' },
                  { role => 'user', content => "\x{fc}" x 5000 },
                  { role => 'assistant', content => 'a' },
                  { role => 'user', content => 'say kind' } ] } ],
          'of the version and of the input, for each as it was');

SKIP: {
    skip('this nginx has no HTTP/2', 3) unless http2_listen();

    my $stream = http2_post($s, { model => 'short-fx:hang', fallbacks => [
        { model => 'fx:status=503' }, { model => 'fx:text=stream' } ] }, 1);

    http2_reset($stream);
    ok(within(10, sub { row('status') ne 'running' }), 'over HTTP/2, too');
    is(row('status, attempts, output'), 'succeeded|3|stream', 'to the end');
}


# what the API tells of it

$answer = $s->ask('alice', '{ prompts(first: 1) { versions { executions '
                  . '{ status model attempts } } } }');
is($answer->{status}, 200, 'attempts and model are fields of an execution');
ok($answer->{json}{data}{prompts}[0]{versions}[0]{executions}[0]{attempts} >= 1,
   'with their number');

ok($s->stop, 'nginx quits');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
