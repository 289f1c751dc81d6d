# Idempotency-Key of a subscription: the model is asked once, and what it said is
# told again, as one event and the result.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls ();
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;

my $closed = PromptTest::Env::free_port();
my $s = PromptTest::Server->new(workers => 2,
    http => 'prompt_provider closed /_provider/closed; '
            . 'prompt_model closed-* provider=closed;',
    server => "location = /_provider/closed { internal; "
              . "proxy_pass http://127.0.0.1:$closed; }");
my $n = 0;

sub fresh { return "stream-key-$$-" . ++$n }

sub rows { return PromptTest::Calls::row('status') }

sub count
{
    my $count = PromptTest::Env::psql("SELECT count(*) FROM $_[0]");

    chomp $count;
    return $count;
}

# asked($key, $id, ...): as PromptTest::Stream::request(); the socket
sub asked
{
    my ($key, $id, @more) = @_;
    my $text = PromptTest::Stream::request($s, $id, @more);

    $text =~ s/\r\n/\r\nIdempotency-Key: $key\r\n/;
    return $s->send($text);
}

sub once
{
    return PromptTest::Stream::parse(PromptTest::Stream::receive(asked(@_)));
}

sub replayed { return $_[0]{head} =~ /^Idempotency-Replayed: true\r?$/m }
sub last_event { return $_[0]{events}[-2][1] }


# told, and told again

my $id = PromptTest::Stream::prompt($s, 'fx:text=one%20two%20three');
my $key = fresh();
my $first = once($key, $id);

is($first->{output}, 'one two three', 'what the model says');
ok(@{ $first->{deltas} } > 1, 'as it says it');
ok($first->{complete}, 'and a result');
ok(!replayed($first), 'of its own');

my $again = once($key, $id);

is_deeply($again->{deltas}, [ 'one two three' ], 'again, it is one event');
is_deeply($again->{result}, $first->{result}, 'the same result');
ok($again->{complete}, 'and the end');
ok(replayed($again), 'marked');
is(count('executions'), 1, 'executed once');

is(once($key, $id, variables => { id => $id, in => { a => 1 } })->{status}, 422,
   'another request');

# of another selection, without the output

$key = fresh();
my $query = 'subscription ($id: ID!) { e: executePromptStream(promptId: $id, '
            . 'input: {}) { text: delta result { id: executionId } } }';
once($key, $id, query => $query, variables => { id => $id }) for 1;
$again = once($key, $id, query => $query, variables => { id => $id });
is($again->{events}[0][1]{data}{e}{text}, 'one two three', 'under its name');
ok(last_event($again)->{data}{e}{result}{id}, 'and the result under its');


# long, and nothing

$id = PromptTest::Stream::prompt($s, 'fx:ok', 'x' x 300_000);
$key = fresh();
$first = once($key, $id);
$again = once($key, $id);
is(length $first->{output}, 300_000, 'a long text');
is(length $again->{output}, 300_000, 'again');
is(scalar @{ $again->{deltas} }, 1, 'is one event, too');

$id = PromptTest::Stream::prompt($s, 'fx:text=');
$key = fresh();
once($key, $id);
$again = once($key, $id);
is_deeply($again->{deltas}, [], 'of no text there is no event');
is($again->{result}{output}, '', 'but a result');


# beside the first, and after its client has gone

$id = PromptTest::Stream::prompt($s, 'fx:text=slow%20text,delay=1000');
$key = fresh();
my $socket = asked($key, $id);
ok(PromptTest::Calls::within(10, sub { rows() eq 'running' }), 'under way');
is(once($key, $id)->{status}, 409, 'the second is told to come again');
close $socket;
ok(PromptTest::Calls::within(20, sub { rows() eq 'succeeded' }),
   'it goes on without its client');

PromptTest::Calls::within(20, sub {
    $again = once($key, $id);
    return $again->{status} != 409;
});
is($again->{output}, 'slow text', 'who comes next is told all of it');
ok(replayed($again), 'marked');


# failures

$id = PromptTest::Stream::prompt($s, 'fx:status=500');
$key = fresh();
$first = once($key, $id);
is($first->{errors}[0]{extensions}{reason}, 'PROVIDER', 'the provider fails');
$again = once($key, $id);
is_deeply($again->{errors}, $first->{errors}, 'that is the answer');
ok(replayed($again), 'marked');

for my $case ([ '01890000-0000-7000-8000-0000000000ff', 'NOT_FOUND' ],
              [ 'no-such-prompt', 'NOT_FOUND' ],
              [ PromptTest::Stream::prompt($s, 'closed-x'),
                'INTERNAL_SERVER_ERROR' ])
{
    my $kept = count('idempotency_keys');

    $first = once(fresh(), $case->[0]);
    is($first->{errors}[0]{extensions}{code}, $case->[1], $case->[0]);
    is(count('idempotency_keys'), $kept, 'its key is given back');
}

is(rows(), 'failed', 'the row of a provider that was not reached');
like($first->{errors}[0]{message}, qr/could not be reached/, 'and its words');

done_testing();
