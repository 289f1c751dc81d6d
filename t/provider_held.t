# Calls that nginx holds before they reach the provider (cache lock, limit_req,
# a resolver): one that is over never gets there, and its client is answered
# when it is over.

use strict;
use warnings;

use lib 't/lib';
use IO::Socket::INET;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $port = PromptTest::Env::provider();

# takes questions and answers none
my $resolver = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1')
    or die "udp: $!\n";

my $cache = "proxy_cache answers; proxy_cache_methods POST;
             proxy_cache_key same; proxy_cache_valid 200 1s;
             proxy_cache_lock on; proxy_cache_lock_timeout 100s;
             proxy_cache_lock_age 100s;";
my $stale = "proxy_cache answers; proxy_cache_methods POST;
             proxy_cache_key stale; proxy_cache_valid 200 1s;
             proxy_cache_use_stale updating error timeout;
             proxy_cache_background_update on; proxy_cache_lock on;";

my %conf = (http => <<'END', server => <<"END2");
    proxy_cache_path cache keys_zone=answers:1m;
    limit_req_zone $server_port zone=slow:1m rate=1r/m;
    limit_req_zone $server_port zone=left:1m rate=1r/s;

    prompt_provider first /_first timeout=100s;
    prompt_provider locked /_locked timeout=500ms;
    prompt_provider waiting /_locked timeout=100s;
    prompt_provider limited /_limited timeout=500ms;
    prompt_provider unresolved /_unresolved timeout=500ms;
    prompt_provider mirrored /_mirrored timeout=500ms;
    prompt_provider stale /_stale timeout=10s;
    prompt_provider next /_next timeout=500ms;
    prompt_provider cached /_cached timeout=10s;
    prompt_provider left /_left timeout=20s;
    prompt_provider impatient /_impatient timeout=20s;
    prompt_provider intercepted /_intercepted timeout=20s;
    prompt_provider refused /_refused timeout=20s;

    prompt_model first-fx:* provider=first;
    prompt_model locked-fx:* provider=locked;
    prompt_model waiting-fx:* provider=waiting;
    prompt_model limited-fx:* provider=limited;
    prompt_model unresolved-fx:* provider=unresolved;
    prompt_model mirrored-fx:* provider=mirrored;
    prompt_model stale-fx:* provider=stale;
    prompt_model next-fx:* provider=next;
    prompt_model cached-fx:* provider=cached;
    prompt_model left-fx:* provider=left;
    prompt_model impatient-fx:* provider=impatient;
    prompt_model intercepted-fx:* provider=intercepted;
    prompt_model refused-fx:* provider=refused;
END
    location = /_first {
        internal; proxy_pass http://127.0.0.1:$port/first; $cache
    }
    location = /_locked {
        internal; proxy_pass http://127.0.0.1:$port/locked; $cache
        proxy_ignore_client_abort on;
    }
    location = /_limited {
        internal; proxy_pass http://127.0.0.1:$port/limited;
        proxy_ignore_client_abort on;
        limit_req zone=slow burst=10;
    }
    location = /_unresolved {
        internal; resolver 127.0.0.1:@{[ $resolver->sockport ]} ipv6=off;
        resolver_timeout 100s;
        set \$name provider.test;
        proxy_pass http://\$name:$port/unresolved;
        proxy_ignore_client_abort on;
    }
    location = /_mirrored {
        internal; proxy_pass http://127.0.0.1:$port/mirrored;
        mirror /_mirror;
    }
    location = /_mirror {
        internal; proxy_pass http://127.0.0.1:$port/mirror;
    }
    location = /_stale {
        internal; proxy_pass http://127.0.0.1:$port/stale; $stale
    }
    location = /_left {
        internal; proxy_pass http://127.0.0.1:$port/left;
        limit_req zone=left burst=10;
    }
    location = /_refused { internal; return 403; }
    location = /_intercepted {
        internal; proxy_pass http://127.0.0.1:$port/intercepted;
        proxy_intercept_errors on;
        error_page 429 /_refused;
    }
    location = /_impatient {
        internal; proxy_pass http://127.0.0.1:$port/impatient;
        proxy_read_timeout 100ms;
    }
    location = /_cached {
        internal; proxy_pass http://127.0.0.1:$port/cached;
        proxy_cache answers; proxy_cache_methods POST;
        proxy_cache_key cached; proxy_cache_valid 200 1h;
    }
    location = /_next {
        internal; proxy_pass http://127.0.0.1:$port/next;
        proxy_next_upstream error timeout http_500 non_idempotent;
        proxy_next_upstream_tries 3;
    }
END2

my $s = PromptTest::Server->new(%conf);
my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
          . '{ output } }';

sub create
{
    my ($name, $model) = @_;
    my $id = $s->ask('alice', 'mutation ($n: String!) { createPrompt(input: '
                     . '{name: $n}) { id } }', { n => $name })
        ->{json}{data}{createPrompt}{id};

    $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
            . '{ createPromptVersion(input: $i) { id } }',
            { i => { promptId => $id, content => 'x',
                     params => { model => $model } } });

    return $id;
}

# within($seconds, sub): whether sub becomes true in that time
sub within
{
    my ($seconds, $code) = @_;
    my $until = time() + $seconds * $slow;

    while (time() < $until) {
        return 1 if $code->();
        sleep 0.05;
    }

    return $code->();
}

# calls(PATH): how many reached the provider there
sub calls
{
    my ($path) = @_;

    return scalar grep { $_->{url} =~ m{^/$path(?!\w)} }
                       @{ PromptTest::Env::provider_control('log') };
}

# rows(MODEL): states of its executions
sub rows
{
    my ($model) = @_;

    return join ' ', split /\n/, PromptTest::Env::psql(
        "SELECT status FROM executions WHERE model LIKE '$model-%' "
        . 'ORDER BY 1');
}

sub message
{
    my ($answer) = @_;

    return $answer->{json}{errors}[0]{message};
}

my %prompt = map { $_ => create($_, "$_-fx:ok") }
                 qw(locked limited unresolved stale);

$prompt{waiting} = create('waiting', 'waiting-fx:ok');
$prompt{cached} = create('cached', 'cached-fx:big=300000');
$prompt{refused} = create('refused', 'refused-fx:ok');
$prompt{intercepted} = create('intercepted', 'intercepted-fx:status=429');
$prompt{impatient} = create('impatient', 'impatient-fx:hang');
$prompt{left} = create('left', 'left-fx:hang');
$prompt{leave} = create('leave', 'left-fx:ok');
$prompt{first} = create('first', 'first-fx:hang');
$prompt{mirrored} = create('mirrored', 'mirrored-fx:hang');
$prompt{next} = create('next', 'next-fx:hang');


# behind the lock of an entry of the cache, which another call fills

my $first = $s->send($s->request('alice', $run, { id => $prompt{first} }));

ok(within(10, sub { calls('first') == 1 }), 'a call holds the lock');

my $socket = $s->send($s->request('alice', $run, { id => $prompt{locked} }));
my $answer = $s->receive($socket, 20 * $slow);

like(message($answer), qr/timed out/, 'another one waits for it in vain');

# one whose connection breaks while it waits

my $gone = $s->send($s->request('alice', $run, { id => $prompt{locked} }));

ok(within(10, sub { rows('locked') =~ /^\w+ \w+$/ }), 'a third one waits');
close $gone;
ok(within(10, sub { rows('locked') eq 'failed failed' }),
   'its end is recorded though its client has gone');

close $first;
ok(within(10, sub { rows('first') eq 'cancelled' }), 'the lock is free');


# behind limit_req: the first call goes through, the next one waits a minute

$answer = $s->ask('alice', $run, { id => $prompt{limited} });
is($answer->{json}{data}{executePrompt}{output}, 'x', 'a call within the rate');

$socket = $s->send($s->request('alice', $run, { id => $prompt{limited} }));
$answer = $s->receive($socket, 20 * $slow);

like(message($answer), qr/timed out/,
     'a call beyond the rate: its client is answered when it is over');


# a location that refuses says so itself, and is not taken for the provider

$answer = $s->ask('alice', $run, { id => $prompt{refused} });
like(message($answer), qr/not asked: its location answered with status 403/,
     'a location that refuses');

$answer = $s->ask('alice', $run, { id => $prompt{intercepted} });
like(message($answer), qr/failed with status 403/,
     'an error page that fails');

$answer = $s->ask('alice', $run, { id => $prompt{impatient} });
like(message($answer), qr/timed out: nginx stopped waiting, status 504/, 'nginx gives up');


# a client that leaves meanwhile is missed when the call would begin

$s->ask('alice', $run, { id => $prompt{leave} });
$gone = $s->send($s->request('alice', $run, { id => $prompt{left} }));
ok(within(10, sub { rows('left') =~ /running/ }), 'a call is held');
close $gone;
ok(within(10, sub { rows('left') eq 'cancelled succeeded' }),
   'its client has left: it is cancelled');


# before the name of the provider's host is resolved

$socket = $s->send($s->request('alice', $run, { id => $prompt{unresolved} }));
$answer = $s->receive($socket, 20 * $slow);

like(message($answer), qr/timed out/, 'a call whose host is not resolved');


# no further upstream is tried for a call that is over, nothing is mirrored

for my $name (qw(next mirrored)) {
    $socket = $s->send($s->request('alice', $run, { id => $prompt{$name} }));
    $answer = $s->receive($socket, 20 * $slow);

    like(message($answer), qr/timed out/, "$name: a call times out");
}


# what the cache has is no call; what is out of date is asked for in the
# foreground, so that each call that is paid for has its row

for my $n (1, 2) {
    $answer = $s->ask('alice', $run, { id => $prompt{stale} });
    is($answer->{json}{data}{executePrompt}{output}, 'x', "cached: $n");
    sleep 2.1 if $n == 1;
}

for my $n (1, 2) {
    $answer = $s->ask('alice', $run, { id => $prompt{cached} });
    is(length($answer->{json}{data}{executePrompt}{output} || ''), 300_000,
       "from a file of the cache: $n");
}

is(calls('cached'), 1, 'the second time without a call');
is(calls('stale'), 2, 'a stale entry is not updated behind our back');


# what waited had time to go on: nginx leaves when nothing is left to do

ok($s->stop, 'nginx leaves');

is(calls('locked'), 0, 'no call that was over came out of the lock');
is(calls('limited'), 1, 'nor out of limit_req');
is(calls('unresolved'), 0, 'nor out of the resolver');
is(calls('next'), 1, 'nor to the next upstream');
is(calls('mirrored'), 1, 'the provider is asked once');
is(calls('mirror'), 0, 'and nobody beside it');

is(rows('locked'), 'failed failed', 'locked: recorded as failed');
is(rows('limited'), 'failed succeeded', 'limited: recorded as failed');
is(rows('unresolved'), 'failed', 'unresolved: recorded as failed');

is_deeply([ $s->faults ], [], 'clean error log');


# worker_shutdown_timeout cuts calls off: held ones do not go on either

PromptTest::Env::provider_control('clear');

$s = PromptTest::Server->new(%conf, main => 'worker_shutdown_timeout 500ms;');
$first = $s->send($s->request('alice', $run, { id => $prompt{first} }));

ok(within(10, sub { calls('first') == 1 }), 'a call holds the lock again');

my $waits = $s->send($s->request('alice', $run, { id => $prompt{waiting} }));

ok(within(10, sub { rows('waiting') eq 'running' }), 'and one waits for it');
ok($s->stop, 'nginx leaves in its time');

is(calls('locked'), 0, 'cut off: the provider is not asked');
is(rows('waiting'), 'failed', 'cut off: recorded as failed');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
