# The debug log: each station of a request has a line with the number of its
# connection, for one client where that is asked for; and no secret is in them.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

plan(skip_all => 'this nginx was built without --with-debug')
    if `$PromptTest::Env::nginx -V 2>&1` !~ /--with-debug/;

my $s = PromptTest::Server->new(events => 'debug_connection 127.0.0.1;');
my $slow = $PromptTest::Stream::slow;
my $canary = 'canary words of an input';
my $seen = 0;


# fresh(WORDS): this module's lines since the last call, when one of them has
# the words: { number of the connection or "" => [texts] }

sub fresh
{
    my ($words, $file) = @_;
    my $until = time() + 20 * $slow;
    my (%lines, $text);

    while (1) {
        open my $in, '<', "$s->{dir}/" . ($file || 'error.log');
        local $/;
        $text = substr($in && <$in> // '', $file ? 0 : $seen);

        last if $text =~ /\bprompt $words.*\n/ || time() > $until;
        sleep 0.05;
    }

    $seen += length $text unless $file;

    for (split /\n/, $text) {
        push @{ $lines{$1 // ''} }, $2
            if /\[debug\] \d+#\d+: (?:\*(\d+) )?(prompt [a-z]+: .*)/;
    }

    return \%lines;
}


# stations($lines, $name, WORDS...): each of them, one behind the other, on one
# connection

sub stations
{
    my ($lines, $name, @want) = @_;
    my @numbers = keys %$lines;

    is(scalar @numbers, 1, "$name: one connection")
        or diag(explain($lines));

    my @got = @{ $lines->{$numbers[0] // ''} || [] };
    my @rest = @got;

    for my $words (@want) {
        shift @rest while @rest && $rest[0] !~ /^prompt $words/;

        if (!@rest) {
            fail("$name: $words");
            diag(join "\n", @got);
            return;
        }

        shift @rest;
    }

    pass("$name: all stations, in order");
}


# secrets($lines, $name): keys, passwords, what is stored, given and answered

sub secrets
{
    my ($lines, $name) = @_;
    my $text = join "\n", map { @$_ } values %$lines;

    is_deeply([ PromptTest::Env::log_faults($text) ], [], "$name: no secret");
    unlike($text, qr/canary/, "$name: nothing of what is said");
}


my @query = ('postgres: queued, \d+ statements',
             'postgres: sent \d+ statements, connection \d+, \d+ in the',
             'postgres: answered, \d+ rows, \d+ ms');
my @end = ('request: done', 'request: answers, status 200, \d+ bytes');

# Redis is there

my $until = time() + 20 * $slow;
my $lines;

do {
    $s->ask('bob', '{ me { id } }');
    $lines = fresh('request: answers');
} until (grep { /cache/ } map { @$_ } values %$lines) || time() > $until;

# nobody knows key or document yet

$s->ask('alice', '{ me { id name } }');

$lines = fresh('request: answers');
stations($lines, 'first', 'request: POST HTTP/1.1, answer json',
         'key: of sound form', 'key: looked up, hash [0-9a-f]{6}\.\.\.',
         'key: not in cache, Redis: string', 'key: lease, Redis: status',
         @query, 'key: row, found', 'key: known', 'plan: compiled',
         'query: "me"', @query, @end);
secrets($lines, 'first');

$s->ask('alice', '{ me { id name } }');
$lines = fresh('request: answers');
stations($lines, 'second', 'request: POST', 'key: looked up',
         'key: found in cache', 'key: known', 'plan: found, \d+ bytes',
         'query: "me"', @query, @end);

is(scalar(grep { /lease|key: row|compiled/ } map { @$_ } values %$lines), 0,
   'second: nothing that was not done');


# the example of docs/operating.md, by a key that nobody has used: its lines,
# whatever their numbers are; PostgreSQL and the provider answer side by side

sub alike
{
    my ($line) = @_;

    $line =~ s/^\*\d+ //;
    $line =~ s/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/ID/;
    $line =~ s/hash \K[0-9a-f]+/HASH/;
    $line =~ s/\d+/N/g;

    return $line;
}

open my $in, '<:encoding(UTF-8)', 'docs/operating.md' or die "$!\n";
my ($example) = do { local $/; <$in> } =~ /debug_log\.t.*?```\n(.*?)```/s;

my $id = PromptTest::Stream::prompt($s, 'fx:text=canary%20answer',
                                    'canary template {{text}}');
my @execute = ('mutation ($id: ID!, $in: JSON!) '
    . '{ executePrompt(promptId: $id, input: $in) { executionId output } }',
    { id => $id, in => { text => $canary } });

fresh('request: answers');
$s->ask('alice_execute', @execute);
$lines = fresh('request: answers');
is(join("\n", sort map { alike($_) } map { @$_ } values %$lines),
   join("\n", sort map { alike($_) } split /\n/, $example), 'the example');


# an execution, once only

my $execute = $s->request('alice', @execute);

$execute =~ s/\r\n/\r\nIdempotency-Key: "canary-once"\r\n/;

my $answer = $s->receive($s->send($execute));
my $execution = $answer->{json}{data}{executePrompt}{executionId};

ok($execution, 'an execution') or diag($answer->{body});

$lines = fresh('request: answers');
stations($lines, 'execution', 'request: POST', 'key: known', 'plan: found',
         'idempotency: asks for its row', @query, 'idempotency: runs',
         'query: "executePrompt"', @query,
         "recording: start, execution $execution", 'postgres: queued',
         'provider: "openai", choice 0',
         'provider: asks "/_provider/openai", \d+ bytes',
         'provider: complete, status 200, \d+ bytes, \d+ ms',
         "recording: end, succeeded, execution $execution", @query,
         "recording: written, execution $execution", @end);
secrets($lines, 'execution');

# the same once more

$s->receive($s->send($execute));
$lines = fresh('request: answers');
stations($lines, 'replay', 'idempotency: asks', @query,
         'idempotency: answered before', 'request: answers, status 200');


# a stream

$id = PromptTest::Stream::prompt($s, 'fx:text=canary%20canary,pause=50',
                                 'canary');
fresh('request: answers');

my $request = PromptTest::Stream::request($s, $id,
    variables => { id => $id, in => { text => $canary } });

like($s->receive($s->send($request))->{body}, qr/event: complete/, 'a stream');
$lines = fresh('stream: last event');
stations($lines, 'stream', 'request: POST HTTP/1.1, answer events',
         'key: known', 'provider: asks', 'stream: event', 'stream: event',
         'provider: complete, status 200', 'recording: end',
         'recording: written', 'stream: last event');
secrets($lines, 'stream');


# keys that are none

(my $other = PromptTest::Env::var('alice_key')) =~ tr/a-zA-Z/b-zaB-ZA/;

$s->ask($other, '{ me { id } }');
$lines = fresh('request: answers');
stations($lines, 'no key', 'request: POST',
         'key: none, or of no sound form',
         'request: refused, status 401, UNAUTHENTICATED',
         'request: answers, status 401');

my $deleted = PromptTest::Env::promptctl('key', 'add', 'alice@example.com',
                                         '--name', 'canary');
my ($key_id) = PromptTest::Env::psql(
    "SELECT id FROM api_keys WHERE name = 'canary'") =~ /(\S+)/;

PromptTest::Env::psql("DELETE FROM api_keys WHERE id = '$key_id'");
$s->ask($deleted, '{ me { id } }');
$lines = fresh('request: answers');
stations($lines, 'unknown key', 'request: POST', 'key: of sound form',
         'key: looked up', 'key: row, none', 'key: refused',
         'request: refused, status 401', 'request: answers, status 401');
unlike(join("\n", map { @$_ } values %$lines), qr/\Q$deleted\E/,
       'unknown key: it is not shown');


# for all clients: what belongs to no request has lines, too

$s->configure(events => '', main => "error_log $s->{dir}/all.log debug;");

my ($worker) = $s->workers;

$s->reload;
ok(PromptTest::Server::gone($worker, 20 * $slow), 'the worker before is gone');
fresh('redis: ready', 'all.log');

my $made = $s->ask('alice', 'mutation { createApiKey(input: {name: "made"}) '
                   . '{ key apiKey { id } } }')->{json}{data}{createApiKey};

$s->ask($made->{key}, '{ me { id } }');
$s->ask('alice', 'mutation ($id: ID!) { deleteApiKey(id: $id) }',
        { id => $made->{apiKey}{id} });
$lines = fresh('revocation: over', 'all.log');

for my $words ('postgres: connects, connection 0', 'postgres: ready',
               'redis: connects to "', 'redis: ready, "',
               'redis: sends GETRANGE to "', 'redis: string from "',
               'revocation: begins, hash [0-9a-f]{6}\.\.\.',
               'redis: sends DEL', 'redis: integer',
               'revocation: Redis: integer', 'revocation: over')
{
    ok(scalar(grep { /^prompt $words/ } @{ $lines->{''} }),
       "of no connection: $words");
}

secrets($lines, 'all');
unlike(join("\n", map { @$_ } values %$lines), qr/\Q$made->{key}\E/,
       'all: no key that was made');

ok($s->stop, 'nginx quits in time');
is(scalar(grep { /\[(?:alert|crit|emerg)\]/ } split /\n/, $s->log_text), 0,
   'nothing bad in the log');

done_testing();
