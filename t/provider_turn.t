# An answer becomes too large in the same turn of the event loop in which the
# client leaves: the call ends once.

use strict;
use warnings;

use lib 't/lib';
use IO::Socket::INET;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $max = 8 * 1024 * 1024;

my $listen = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 5)
    or die "listen: $!\n";

my $s = PromptTest::Server->new(
    http => 'prompt_provider turn /_turn timeout=100s;
             prompt_model turn provider=turn;',
    server => 'location = /_turn { internal; proxy_pass http://127.0.0.1:'
              . $listen->sockport . '; }');

my $id = $s->ask('alice', 'mutation { createPrompt(input: {name: "turn"}) '
                 . '{ id } }')->{json}{data}{createPrompt}{id};

$s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
        . '{ createPromptVersion(input: $i) { id } }',
        { i => { promptId => $id, content => 'x',
                 params => { model => 'turn' } } });

sub put
{
    my ($socket, $len) = @_;

    while ($len > 0) {
        $len -= syswrite($socket, ' ' x $len) || die "write: $!\n";
    }
}

my $client = $s->send($s->request('alice', 'mutation ($id: ID!) { '
    . 'executePrompt(promptId: $id, input: {}) { output } }',
    { id => $id }));
my $provider = $listen->accept;

sysread $provider, my $request, 65536;
syswrite $provider, "HTTP/1.0 200 OK\r\n\r\n";

# nearly as much as an answer may have; what is beyond that, and the client's
# departure, come while the worker does not look

put($provider, $max - 10_000);
sleep 0.5 * $slow;
kill STOP => $s->workers;
put($provider, 20_000);
close $client;
kill CONT => $s->workers;

my $until = time() + 20 * $slow;
my $row;

do {
    sleep 0.1;
    $row = PromptTest::Env::psql('SELECT status, error FROM executions '
                                 . "WHERE prompt_id = '$id'");
} while ($row !~ /^(?!running)\w+\|/ && time() < $until);

like($row, qr/^(?:cancelled\|The client disconnected|failed\|.* larger than 8 MiB)/,
     'the call is recorded');
ok($s->stop, 'nginx leaves');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
