# Reload, quit, killed workers, clients that leave: nothing is lost, nothing
# hangs, nothing is done twice.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $s = PromptTest::Server->new(workers => 2);
my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
          . '{ executionId output } }';

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

# count(STATUS): rows of executions in this state
sub count
{
    my ($status) = @_;
    my $n = PromptTest::Env::psql('SELECT count(*) FROM executions '
                                  . "WHERE status = '$status'");

    chomp $n;
    return $n;
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

my $quick = create('quick', 'fx:text=fine');
my $later = create('later', 'fx:text=fine,delay=700');


# a call in flight survives a reload, and the old workers go after it

my @old = $s->workers;
my $socket = $s->send($s->request('alice', $run, { id => $later }));

ok(within(2, sub { count('running') == 1 }), 'a call is in flight');
$s->reload;

my $answer = $s->receive($socket);

is($answer->{json}{data}{executePrompt}{output}, 'fine',
   'it is answered after the reload');

# nginx lingers up to 5 seconds for a client that does not close its end

ok(PromptTest::Server::gone($_, 15 * $slow), 'an old worker is gone') for @old;
is(count('succeeded'), 1, 'and recorded');


# requests while reloading again and again

my @results = PromptTest::Server::side_by_side(5, sub {
    my ($i) = @_;

    if ($i == 4) {
        for (1 .. 8) {
            $s->reload;
            sleep 0.15;
        }

        return { ok => 0, failed => 0 };
    }

    my ($ok, $failed) = (0, 0);
    my $until = time() + 1.3;

    while (time() < $until) {
        my $answer = $s->ask('alice', '{ me { id } prompts { name } }');

        if ($answer && $answer->{status} == 200 && !$answer->{json}{errors}) {
            $ok++;
        } else {
            $failed++;
        }
    }

    return { ok => $ok, failed => $failed };
});

is(eval { my $n = 0; $n += $_->{failed} for @results; $n }, 0,
   'no request fails while nginx reloads');
ok(within(10, sub { $s->workers == 2 }), 'only the new workers are left');


# a client that leaves: what was started is finished and recorded

my $before = count('succeeded');
my $calls = scalar @{ PromptTest::Env::provider_control('log') };

for (1 .. 5) {
    my $socket = $s->send($s->request('alice', $run, { id => $later }));

    sleep 0.05;
    close $socket;
}

ok(within(5, sub { count('running') == 0
                   && @{ PromptTest::Env::provider_control('log') }
                      - $calls
                      == count('succeeded') - $before }),
   'what the provider was asked has ended as succeeded');
is(count('failed'), 0, 'nothing failed');


# a worker that is killed takes nobody with it

my ($victim) = $s->workers;

kill KILL => $victim;
ok(within(5, sub { my @w = $s->workers;
                   @w == 2 && !grep { $_ == $victim } @w }),
   'a killed worker is replaced');

my $good = grep { my $a = $s->ask('alice', '{ me { id } }');
                  $a && $a->{status} == 200 } 1 .. 10;

is($good, 10, 'and requests are answered');


# quit while a call is in flight

$socket = $s->send($s->request('alice', $run, { id => $later }));
ok(within(2, sub { count('running') == 1 }), 'another call is in flight');

my $started = time();

ok($s->stop, 'nginx quits in time');
cmp_ok(time() - $started, '<', 10 * $slow, 'soon after the call');
is($s->receive($socket)->{json}{data}{executePrompt}{output}, 'fine',
   'the call was answered');
is(count('running'), 0, 'and recorded');

is_deeply([ $s->faults("worker process $victim exited on signal 9") ], [],
          'clean error log');

done_testing();
