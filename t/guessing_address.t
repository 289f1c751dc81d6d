# What an address is where passwords are guessed: clients of IPv4 at a listener
# of IPv6, clients that have none, and one that many are known at.

use strict;
use warnings;

use lib 't/lib';

use IO::Socket::INET;
use IO::Socket::UNIX;
use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

PromptTest::Env::setup();

my $password = 'canary correct horse battery';

{
    local $ENV{PROMPT_DATABASE_URL} = PromptTest::Env::conninfo('prompt_owner');

    open my $out, '|-', $PromptTest::Env::promptctl, 'user', 'password',
        '--valid', '1s', 'alice@example.com' or die "promptctl: $!\n";
    print $out "$password\n";
    close $out or die "promptctl failed\n";
}

PromptTest::Env::psql(<<'END');
INSERT INTO users (id, email)
SELECT ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
       'u' || n || '@example.com' FROM generate_series(1, 26) n;
INSERT INTO api_keys (id, user_id, hash, name, hint, scopes, created_at, kind,
                      deleted_at, last_used_at, expires_at, idle, network)
SELECT gen_random_uuid(), id, sha256((email || n)::bytea), 'session', '', 31,
       now() - interval '1 day', 'session', now(), now(), now(),
       interval '1 hour', n
  FROM users, (VALUES ('unix:'), ('127.0.0.9')) v (n)
 WHERE email LIKE 'u%' OR email = 'alice@example.com';
END

my $s = PromptTest::Server->new(workers => 1,
                                server => 'location = /session { '
                                          . 'prompt_session; }');
my $mapped = PromptTest::Env::free_port();
my $path = "$s->{dir}/clients.sock";
my $where = 'location = /session { prompt_session; }';
my $six = -e '/proc/net/if_inet6'
          ? "server { listen [::]:$mapped ipv6only=off; $where }" : '';

$s->configure(http => "server { listen unix:$path; $where } $six");
$s->reload;

my $until = time() + 20;

my $up;

sleep 0.05 until ($up = IO::Socket::UNIX->new(Peer => $path)) || time() > $until;
ok($up, 'it listens there') or diag($s->log_text);
undef $up;


sub status
{
    my ($socket, $email, $text) = @_;
    my $body = PromptTest::Json::encode({ email => $email,
                                          password => $text });

    return 0 unless $socket;

    print $socket "POST /session HTTP/1.1\r\nHost: localhost\r\n"
        . "Connection: close\r\nContent-Type: application/json\r\n"
        . "Sec-Fetch-Site: same-origin\r\nContent-Length: "
        . length($body) . "\r\n\r\n$body";

    return ($s->receive($socket, 60) || { status => 0 })->{status};
}


sub from
{
    my ($address, $port) = @_;

    return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port,
                                 LocalAddr => $address);
}


SKIP: {
    skip 'no IPv6 here', 4 unless $six;

    for my $client (1, 2) {
        my @statuses = map {
            status(from("127.100.100.$client", $mapped),
                   "m$client$_\@example.com", 'wrong')
        } 1 .. 21;

        is("@statuses", join(' ', ('401') x 20, '429'), 'twenty of an address');
    }

    is(status(from('127.100.100.3', $mapped), 'm@example.com', 'wrong'), 401,
       'its neighbours are no network of IPv6');
    is(status(from('127.100.100.2', $s->{port}), 'm@example.com', 'wrong'), 429,
       'it is the same address at a listener of IPv4');
}

# Nobody can be told apart at a socket of this machine: nobody is known there.

is(status(from("127.0.1.$_", $s->{port}), 'alice@example.com', 'wrong'), 401,
   'wrong') for 1 .. 5;
is(status(IO::Socket::UNIX->new(Peer => $path), 'alice@example.com', 'wrong'),
   429, 'no further ones by a socket that alice has signed in by');
is(status(from('127.0.0.9', $s->{port}), 'alice@example.com', $password), 204,
   'where she is known she is let in');

# Where all are behind one address all of its accounts are known: not without
# end, but for who has no wrong one of their own.

my %count;

for my $n (1 .. 26) {
    $count{status(from('127.0.0.9', $s->{port}), "u$n\@example.com",
                  'wrong')}++ for 1 .. 4;
}

is_deeply(\%count, { 401 => 101, 429 => 3 },
          'a hundred of known ones, then the first of each');
is(status(from('127.0.0.9', $s->{port}), 'alice@example.com', $password), 204,
   'one of them who had none wrong is let in');

ok($s->stop, 'nginx ends');
is_deeply([ $s->faults ], [], 'a clean error log');

done_testing();
