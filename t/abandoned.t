# prompt_abandoned: what becomes of a call whose client has gone.

use strict;
use warnings;

use lib 't/lib';
use IPC::Open2 qw(open2);
use PromptTest::Calls;
use PromptTest::Server;
use Test::More;

my $port = PromptTest::Env::provider();
my $long = 30 * $PromptTest::Calls::slow;

my $locations = <<"END";
    location = /_provider/heard {
        internal;
        proxy_pass http://127.0.0.1:$port/v1/chat/completions;
    }
    location = /v1 { prompt_graphql; prompt_abandoned finish; }
END

my $http = <<"END";
    prompt_abandoned stop;
    prompt_provider again /_provider/openai timeout=${long}s retries=1;
    prompt_provider heard /_provider/heard timeout=${long}s;
    prompt_model a-fx:* provider=again;
    prompt_model heard-fx:* provider=heard;
END

my $s = PromptTest::Server->new(workers => 1, server => $locations,
                                http => $http . http2_listen($locations));


# gone(WHAT, PARAMS, STATUS, ATTEMPTS, PATH): the client leaves after the first
# call; how the execution ends

sub gone
{
    my ($what, $params, $status, $attempts, $path) = @_;
    my $id = version($s, $params);
    my $request = $s->request('alice', $PromptTest::Calls::run, { id => $id });

    $request =~ s{^POST \S+}{POST $path};
    PromptTest::Env::provider_control('clear');

    my $socket = $s->send($request);

    ok(within(10, sub { calls() >= 1 && row('status') eq 'running' }),
       "$what: the provider was called");
    close $socket;
    ok(within(15, sub { row('status') ne 'running' }), "$what: it ends");
    is_row($what, $status, $attempts);
}


gone('silence', { model => 'a-fx:hang' }, 'cancelled', 1, '/graphql');
is(row('error'), 'The client disconnected, and the call was cancelled.',
   'the row says why');
ok(row('finished_at IS NOT NULL AND latency_ms IS NOT NULL'),
   'with what is known');
ok(within(10, sub { (calls())[0]{left} }), 'the provider is left');

gone('headers', { model => 'a-fx:headers-only' }, 'cancelled', 1, '/graphql');
gone('a slow answer', { model => 'a-fx:drip=200' }, 'cancelled', 1, '/graphql');
gone('between two attempts',
     { model => 'a-fx:status=503,retry-after=25|ok' }, 'cancelled', 1,
     '/graphql');
gone('before a fallback',
     { model => 'a-fx:status=503,retry-after=25',
       fallbacks => [ { model => 'fx:ok' } ] }, 'cancelled', 1, '/graphql');
gone('what the location says does not matter', { model => 'heard-fx:hang' },
     'cancelled', 1, '/graphql');

gone('finish', { model => 'a-fx:text=fine,delay=2000' }, 'succeeded', 1, '/v1');
gone('finish, in a location that wants to know',
     { model => 'heard-fx:hang' }, 'cancelled', 1, '/v1');

SKIP: {
    skip('this nginx has no HTTP/2', 8) unless http2_listen();

    for my $model ('a-fx:hang', 'a-fx:status=503,retry-after=25|ok') {
        my $stream = http2_post($s, { model => $model }, 1);

        http2_reset($stream);
        ok(within(15, sub { row('status') ne 'running' }), "$model: a stream");
        is_row("$model: a stream", 'cancelled', 1);
    }
}

# a version that the worker has: its start is waited for, here for a lock, and
# the client leaves meanwhile

# held(ID): until let_go() no start of the prompt's executions is written

my ($in, $out);
my $psql = open2($out, $in, PromptTest::Env::first_of('psql'), '-XqAt', '-h',
                 PromptTest::Env::var('pg_host'), '-U', 'postgres', '-d',
                 PromptTest::Env::var('database'));

sub held
{
    my ($id) = @_;

    print $in 'BEGIN; SELECT count(*) FROM (SELECT FROM prompt_versions WHERE '
        . "prompt_id = '$id' FOR UPDATE) v;\n";
    $in->flush;
    <$out>;
}


sub let_go
{
    print $in "COMMIT;\n";
    $in->flush;
}


sub starts
{
    return PromptTest::Env::psql("SELECT count(*) FROM pg_stat_activity WHERE "
        . "wait_event_type = 'Lock' AND query LIKE 'INSERT INTO executions%'");
}


# starting(WHAT, PATH, STATUS, ATTEMPTS [, MODEL, HTTP2])

sub starting
{
    my ($what, $path, $status, $attempts, $model, $http2) = @_;
    my $id = version($s, { model => $model // 'a-fx:text=kept' });
    my $request = $s->request('alice', $PromptTest::Calls::run, { id => $id });

    $request =~ s{^POST \S+}{POST $path};

    # the worker has the version then
    $s->receive($s->send($request));
    PromptTest::Env::provider_control('clear');
    held($id);

    my $socket = $http2 ? http2_send($id, $path) : $s->send($request);

    ok(within(10, sub { starts() == 1 }), "$what: its start waits");

    if (($http2 || '') eq 'reset') {
        http2_reset($socket);
    } else {
        close $socket;
    }

    select undef, undef, undef, 0.2;
    is(scalar calls(), 0, "$what: nobody was asked");
    let_go();
    ok(within(15, sub { row('count(*) OVER (), prompt_id, status')
                        =~ /\|$id\|(?!running)/
                        && PromptTest::Env::psql('SELECT count(*) FROM '
                               . "executions WHERE prompt_id = '$id'") == 2 }),
       "$what: its row ends");
    is_row($what, $status, $attempts);
    PromptTest::Env::provider_control('clear');
}


starting('finish, at its start', '/v1', 'succeeded', 1);
starting('stop, at its start', '/graphql', 'cancelled', 0);

SKIP: {
    skip('this nginx has no HTTP/2', 15) unless http2_listen();

    starting('finish, a stream that is reset', '/v1', 'succeeded', 1, undef,
             'reset');
    starting('finish, a stream whose connection ends', '/v1', 'succeeded', 1,
             undef, 'close');
    starting('stop, a stream that is reset', '/graphql', 'cancelled', 0, undef,
             'reset');
}

my $answer = executed($s, { model => 'a-fx:status=503|text=fine' });

is(ref $answer && $answer->{output}, 'fine', 'who stays is answered');

close $in;
waitpid $psql, 0;

ok($s->stop, 'nginx quits');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
