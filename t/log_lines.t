# The error log while what is outside is away: tens of lines, whatever the
# number of requests that fail; that it is over, and how many there were; for
# whom; and nothing of a client's at level error.

use strict;
use warnings;

use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(sleep time);

use lib 't/lib';
use PromptTest::Env;
use PromptTest::Server;
use PromptTest::Stream;

my $clients = 8;
my $each = 50;
my $most = 12;           # lines of a kind, also where the machine is slow

PromptTest::Env::setup();

my $alice = PromptTest::Env::var('alice_id');

# the way to PostgreSQL and Redis, which can be closed: links to their sockets
my $way = tempdir(CLEANUP => 1);
my ($pg) = PromptTest::Env::conninfo('prompt_app') =~ m{host=(/\S+)};
my $redis = PromptTest::Env::var('redis_socket');

chmod 0755, $way;

my $s = PromptTest::Server->new(
    workers => 1,
    postgres => '"' . PromptTest::Env::conninfo('prompt_app') =~ s{host=\S+}{host=$way}r
                . '" connect_timeout=500ms timeout=500ms',
    redis => "unix:$way/redis.sock prefix=" . PromptTest::Env::redis_prefix());


sub reachable
{
    symlink "$pg/.s.PGSQL.5432", "$way/.s.PGSQL.5432" or die "link: $!\n";
    symlink $redis, "$way/redis.sock" or die "link: $!\n";
}


# lines(REGEX [, LEVEL]): of the error log
sub lines
{
    my ($what, $level) = @_;

    return grep { /$what/ && (!defined $level || /\[$level\]/) }
           split /\n/, $s->log_text;
}


sub line_comes
{
    my ($what, $name) = @_;
    my $until = time() + 30;
    my @found;

    while (!(@found = lines($what)) && time() < $until) {
        sleep 0.05;
    }

    ok(scalar @found, $name) or diag $s->log_text;

    return $found[0] // '';
}


# many(TEXT...): each client sends each of these often; the answers' statuses
sub many
{
    my (@texts) = @_;
    my %count;

    my @answers = PromptTest::Server::side_by_side($clients, sub {
        return [ map {
            my $socket = $s->send($texts[$_ % @texts]);
            my $answer = defined $socket ? $s->receive($socket) : undef;

            defined $answer ? $answer->{body} =~ /"code":"(\w+)"/
                              ? $1 : $answer->{status} : 'none'
        } 1 .. $each ];
    });

    $count{$_}++ for map { @$_ } @answers;

    return \%count;
}


# few(REGEX, NAME): at least a line, and not many
sub few
{
    my ($what, $name) = @_;
    my $n = lines($what);

    ok($n > 0 && $n <= $most, "$name: $n lines") or diag $s->log_text;
}


my $all = $clients * $each;

# PostgreSQL and Redis away

my $count = many($s->request('alice', '{ prompts { id } }'),
                 $s->request('bob', '{ me { id } }'));

is_deeply($count, { INTERNAL_SERVER_ERROR => $all },
          'PostgreSQL and Redis away: all requests fail');
few(qr/ postgresql: /, 'connections');
few(qr/ redis "/, 'Redis');
few(qr/ prompt: keys cannot be checked/, 'requests');
cmp_ok(scalar lines(qr/./, 'error'), '<=', 3 * $most, 'and nothing else');

reachable();

my $line = line_comes(qr/postgresql: connected again after \d+ s, \d+ fail/,
                      'PostgreSQL is reached again: a line says so');

$line = line_comes(qr/prompt: PostgreSQL answers again/,
                   'another, how many requests failed');
my ($failed) = $line =~ /, (\d+) queries failed/;
cmp_ok($failed // 0, '>', $most, "more than there were lines: $failed");
line_comes(qr/redis: connected again after/, 'and Redis');

my $until = time() + 20;

while (($s->ask('alice', '{ me { id } }')->{body}) !~ /"data"/
       && time() < $until)
{
    sleep 0.05;
}

# a provider that is not there, that cannot be read, and one that is asked wrong

my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
          . '{ output } }';

for my $case ([ 'fx:close' => 'INTERNAL_SERVER_ERROR', 'error',
                qr/could not be reached\. See the lines of nginx/ ],
              [ 'fx:raw=nonsense' => 'INTERNAL_SERVER_ERROR', 'error', undef ],
              [ 'fx:status=401' => 'INTERNAL_SERVER_ERROR', 'error', undef ],
              [ 'fx:status=400' => 'INTERNAL_SERVER_ERROR', 'info',
                qr/failed with status 400\.$/ ])
{
    my ($model, $code, $level, $words) = @$case;
    my $prompt = PromptTest::Stream::prompt($s, $model);

    is_deeply(many($s->request('alice', $run, { id => $prompt })),
              { $code => $all }, "$model: all fail");

    next unless defined $words;

    my ($told) = lines(qr/prompt: provider "/, $level);

    like($told // '', $words, "$model: what failed");
    like($told // '', qr/provider "\w+", execution [0-9a-f-]{36} of user $alice:/,
         "$model: whose, for whom");
}

few(qr/prompt: provider "/, 'all of them');
few(qr/upstream prematurely closed/, "nginx's own, while it is known");

my $fine = PromptTest::Stream::prompt($s, 'fx:ok');

$s->ask('alice', $run, { id => $fine });

$line = line_comes(qr/prompt: calls are answered again after/,
                   'an answer: a line says that it is over');
($failed) = $line =~ /, (\d+) failed/;
cmp_ok($failed // 0, '>=', 3 * $all, "how often it failed: $failed");
like($line, qr/, by the provider "\w+"/, 'and whose it was');

# for whom: nginx's own lines, too

my ($own) = lines(qr/upstream prematurely closed/);

like($own // '', qr/, user: $alice, key: [0-9a-f-]{36}$/,
     'nginx says for whom it was');
like($own // '', qr/, request: "POST/, 'beside what it says itself');

# clients that send anything

my $before = lines(qr/./, 'error');
my $foreign = "POST /graphql HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";

$count = many(
    $s->request('nobody', '{ me { id } }'),
    $s->request('pmt_' . 'A' x 43, '{ me { id } }'),
    $s->request('alice', '{'),
    $s->request('alice', '{ nothing }'),
    $s->request('alice', '{ prompt(id: "x") { id } }'),
    $s->request('alice', '{ me { id } }') =~ s/\{"query"/["query"/r,
    "${foreign}Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n",
    "${foreign}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    "DELETE /graphql HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

ok(!$count->{200} && !$count->{none}, 'bad requests: each is refused');
is(scalar lines(qr/./, 'error') - $before, 0, 'and none is an error of ours');

ok($s->stop, 'nginx quits');
is_deeply([ $s->faults(qr/\[crit\].*(?:No such file|connect)/) ], [],
          'clean error log');

# a location whose log is not interested takes no line from another

my $empty = tempdir(CLEANUP => 1);

chmod 0755, $empty;

$s = PromptTest::Server->new(
    workers => 1,
    postgres => '"' . PromptTest::Env::conninfo('prompt_app') =~ s{host=\S+}{host=$empty}r
                . '" connect_timeout=500ms timeout=500ms',
    server => "location = /quiet { prompt_graphql; "
              . "error_log $way/quiet.log crit; }");

# its key is known by Redis

my $other = PromptTest::Server->new(workers => 1);

is($other->ask('alice', '{ me { id } }')->{status}, 200, 'a key is known');
$s->receive($s->send($s->request('alice', '{ me { id } }')
                     =~ s{/graphql}{/quiet}r)) for 1 .. 10;
is(scalar lines(qr/got no answer from PostgreSQL/), 0, 'nothing is said');
ok($_->stop, 'nginx quits') for $s, $other;

done_testing();
