# prompt_provider … retries=N: what is tried again, when, and for how long; also
# without the client, through a reload, and when nginx quits.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

my $slow = $PromptTest::Calls::slow;
my $port = PromptTest::Env::provider();
my $key = $PromptTest::Env::provider_key;
my $long = 20 * $slow;

my $http = <<"END";
    prompt_provider again /_provider/openai timeout=${long}s retries=2;
    prompt_provider often /_provider/openai timeout=1s retries=5;
    prompt_provider short /_provider/openai timeout=500ms retries=5;
    prompt_provider heard /_provider/heard timeout=${long}s retries=2;
    prompt_provider shown /_provider/shown timeout=${long}s retries=2;
    prompt_provider paged /_provider/paged timeout=${long}s retries=2;
    prompt_provider nowhere /_provider/nowhere timeout=${long}s retries=1;

    prompt_model r-fx:* provider=again input=1 output=2;
    prompt_model often-fx:* provider=often;
    prompt_model short-fx:* provider=short;
    prompt_model heard-fx:* provider=heard;
    prompt_model shown-fx:* provider=shown;
    prompt_model paged-fx:* provider=paged;
    prompt_model nowhere provider=nowhere;
END

my $locations = <<"END";
    location = /_provider/heard {
        internal;
        proxy_pass http://127.0.0.1:$port/v1/chat/completions;
        proxy_set_header Authorization "Bearer $key";
    }
    location = /_provider/shown {
        internal;
        proxy_pass http://127.0.0.1:$port/v1/chat/completions;
        proxy_set_header Authorization "Bearer $key";
        proxy_intercept_errors on;
        error_page 403 /none;
    }
    location = /_provider/paged {
        internal;
        proxy_pass http://127.0.0.1:$port/v1/chat/completions;
        proxy_set_header Authorization "Bearer $key";
        proxy_intercept_errors on;
        proxy_ignore_client_abort on;
        error_page 503 /_provider/page;
    }
    location = /_provider/page {
        internal;
        return 503;
    }
    location = /_provider/nowhere {
        internal;
        proxy_pass http://127.0.0.1:1;
    }
END

$http .= http2_listen($locations);

my $s = PromptTest::Server->new(workers => 1, http => $http,
                                server => $locations);


# leaving(PID): whether that worker accepts no connections any more

sub leaving
{
    open my $in, '<', "/proc/$_[0]/cmdline" or return 1;
    return <$in> =~ /shutting down/;
}


# what is tried again

for my $status (408, 429, 500, 502, 503, 504, 529) {
    my $answer = executed($s, { model => "r-fx:status=$status|text=fine" });

    is(ref $answer && $answer->{output}, 'fine', "status $status, then fine");
    is_row("status $status", 'succeeded', 2);
}

for my $fault ('close', 'reset') {
    my $answer = executed($s, { model => "r-fx:$fault|text=fine" });

    is(ref $answer && $answer->{output}, 'fine', "$fault, then fine");
    is_row($fault, 'succeeded', 2);
}

my $answer = executed($s, { model => 'shown-fx:status=503|text=fine' });

is(ref $answer && $answer->{output}, 'fine', 'a status that nginx intercepts');
is_row('intercepted', 'succeeded', 2);

$answer = executed($s, { model => 'paged-fx:status=503|text=fine' });
is(ref $answer && $answer->{output}, 'fine', 'one with a page of its own');
is_row('with a page', 'succeeded', 2);

$answer = executed($s, { model => 'r-fx:status=503,cut=5|text=fine' });
is(ref $answer && $answer->{output}, 'fine', 'half an error, then fine');
is_row('half an error', 'succeeded', 2);

$answer = executed($s, { model => 'r-fx:usage=100:10|ok' });
is_row('fine at once', 'succeeded', 1);

$answer = executed($s, { model => 'nowhere' });
is($answer, 'The model provider could not be reached.', 'nobody listens');
is(row('status, attempts, model'), 'failed|2|nowhere', 'asked twice');


# what is not

for my $status (300, 307, 400, 401, 402, 403, 404, 409, 413, 418, 422, 501,
                505, 599)
{
    $answer = executed($s, { model => "r-fx:status=$status|ok" });
    like($answer, qr/status $status/, "status $status is told");
    is_row("status $status", 'failed', 1);
}

for my $fault ('cut=20', 'reset=20', 'raw=hello', 'header-size=200000',
               'bad-chunk', 'long', 'big=9437184', 'status=201,raw=x',
               'accel=%2Fx', 'file=openai%2Fchat.stream.sse')
{
    $answer = executed($s, { model => "r-fx:$fault|ok" });
    ok(!ref $answer, "$fault under a 200 is told");
    is_row($fault, 'failed', 1);
}

# an answer that broke off in its header is one, unless it says that it failed

for my $head ('HTTP%2F1.1%20200%20OK%0D%0AContent-Ty', 'HTTP%2F1.1%20200',
              'HTTP%2F1.1%202', 'HTTP%2F1.1%20', 'H')
{
    $answer = executed($s, { model => "r-fx:head=$head|ok" });
    like($answer, qr/could not be read/, "$head is told");
    is_row($head, 'failed', 1);
}

for my $head ('HTTP%2F1.1%20503%20Ser', 'HTTP%2F1.1%205') {
    $answer = executed($s, { model => "r-fx:head=$head|text=fine" });
    is(ref $answer && $answer->{output}, 'fine', "$head, then fine");
    is_row($head, 'succeeded', 2);
}

$answer = executed($s, { model => 'fx:status=503|ok' });
like($answer, qr/status 503/, 'retries=0 where it is not given');
is_row('without retries', 'failed', 1);


# for how long

$answer = executed($s, { model => 'r-fx:status=503|status=429|status=500|ok' });
like($answer, qr/status 500/, 'the last failure is told');
is_row('all of them', 'failed', 3);

my @calls = calls();

ok($calls[1]{at} - $calls[0]{at} >= 190, 'it waits about 250 ms');
ok($calls[2]{at} - $calls[1]{at} >= 390, 'and twice as long');
ok(row('latency_ms') >= 580, 'the latency is that of all');

$answer = executed($s, { model => 'often-fx:status=503' });
like($answer, qr/status 503/, 'a wait that does not fit ends the call');
@calls = calls();
ok(@calls <= 3, 'within its time');
is(row('attempts'), scalar @calls, 'and counts what was asked');
ok(row('latency_ms') < 1000, 'at once') if $slow == 1;

$answer = executed($s, { model => 'short-fx:hang|ok' });
like($answer, qr/timed out: no answer within 500 ms/, 'silence');
is_row('silence', 'failed', 1);

$answer = executed($s, { model => 'short-fx:spaces=20|ok' });
like($answer, qr/timed out: its answer with status 200/,
     'white space for ever');
is_row('white space for ever', 'failed', 1);

$answer = executed($s, { model => 'short-fx:status=503|hang' });
like($answer, qr/timed out: no answer within 500 ms/,
     'the time is that of all attempts');
is_row('silence at last', 'failed', 2);
ok(row('latency_ms') >= 490, 'no less');


# Retry-After

for my $wait ('retry-after=1', 'date=2') {
    $answer = executed($s, { model => "r-fx:status=429,$wait|text=fine" });
    is(ref $answer && $answer->{output}, 'fine', "$wait: waited");
    @calls = calls();
    ok($calls[1]{at} - $calls[0]{at} >= 950, "$wait: long enough");
}

for my $wait ('retry-after=0', 'date=-10', 'retry-after=soon',
              'retry-after=-1', 'retry-after=1.5', 'retry-after=%20')
{
    $answer = executed($s, { model => "short-fx:status=503,$wait|hang" });
    is_row("$wait: asked again", 'failed', 2);
}

for my $wait ('retry-after=3600', 'date=3600', 'retry-after=' . '9' x 40,
              'retry-after=2147483648', 'retry-after=9223372036854775807')
{
    $answer = executed($s, { model => "r-fx:status=503,$wait|ok" });
    like($answer, qr/status 503/, "$wait: does not fit");
    is_row($wait, 'failed', 1);
}

$answer = executed($s, { model => 'shown-fx:status=429,retry-after=1|ok' });
@calls = calls();
is(scalar @calls, 2, 'intercepted: asked again');
ok($calls[1]{at} - $calls[0]{at} >= 950, 'and not before');


# the client leaves between two attempts

left($s, { model => 'r-fx:status=503,retry-after=1|text=alone' }, 1);
ok(within(10, sub { row('status') ne 'running' }), 'it goes on');
is(row('status, attempts, output'), 'succeeded|2|alone', 'to the end');

left($s, { model => 'r-fx:status=503,delay=500|text=alone' }, 1);
ok(within(10, sub { row('status') ne 'running' }), 'in the first one, too');
is(row('status, attempts, output'), 'succeeded|2|alone', 'to the end');

left($s, { model => 'heard-fx:status=503,retry-after=8|text=never' }, 1);
ok(within(6, sub { row('status') ne 'running' }),
   'proxy_ignore_client_abort off: it ends');
is_row('heard', 'cancelled', 1);


# over HTTP/2, where nginx ends a request as soon as it may

SKIP: {
    skip('this nginx has no HTTP/2', 16) unless http2_listen();

    for my $end (\&http2_reset, sub { close $_[0] }) {
        for my $first ('retry-after=1', 'delay=500') {
            my $stream = http2_post($s, { model => 'r-fx:status=503,'
                                              . "$first|text=stream" }, 1);
            $end->($stream);
            ok(within(10, sub { row('status') ne 'running' }), 'it goes on');
            is(row('status, attempts, output'), 'succeeded|2|stream',
               "to the end ($first)");
        }
    }

    my $paged = http2_post($s, { model => 'paged-fx:status=503,delay=500|'
                                          . 'text=stream' }, 1);

    http2_reset($paged);
    ok(within(10, sub { row('status') ne 'running' }), 'it goes on');
    is(row('status, attempts, output'), 'succeeded|2|stream',
       'behind a page of the operator\'s');

    my $stream = http2_post($s, { model => 'heard-fx:status=503,'
                                      . 'retry-after=8|text=never' }, 1);

    http2_reset($stream);
    ok(within(6, sub { row('status') ne 'running' }), 'or ends, as it should');
    is_row('heard', 'cancelled', 1);
}


# a reload between two attempts: new prices are for new calls

my @old = $s->workers;
my $socket = begun($s, { model => 'r-fx:status=503,retry-after=3|'
                                  . 'usage=100:10' }, 1);

(my $dear = $http) =~ s/input=1 output=2/input=10 output=20/;
$s->configure(http => $dear);
$s->reload;
ok(within(10, sub { leaving($old[0]) }), 'a new worker has taken over');

my $new = $s->ask('alice', $PromptTest::Calls::run,
                  { id => version($s, { model => 'r-fx:usage=1000:100' }) });

is($new->{json}{data}{executePrompt}{costUsd}, '0.012',
   'a call after the reload has the new price');
$answer = $s->receive($socket, 20 * $slow);
is($answer->{json}{data}{executePrompt}{costUsd}, '0.00012',
   'one from before it the old one');
ok(PromptTest::Server::gone($_, 15 * $slow), 'the old worker is gone') for @old;

my $wrong = PromptTest::Env::psql(<<'END');
SELECT count(*) FROM executions WHERE price_input IS NOT NULL
AND token_in IS NOT NULL AND cost_usd * 1000000 IS DISTINCT FROM
(token_in - coalesce(token_cached, 0)) * price_input
+ coalesce(token_cached, 0) * price_cached_input
+ token_out * price_output
END

is($wrong + 0, 0, 'each cost can be computed again from its row');


# nginx quits between two attempts

begun($s, { model => 'r-fx:status=503,retry-after=1|text=last' }, 1);
ok($s->stop, 'nginx quits');
is(row('status, attempts, output'), 'succeeded|2|last', 'when it is done');

is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
