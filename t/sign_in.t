# Signing in while many guess: whoever is known at their address comes first,
# and is held up by nobody else; what is refused asks no database; networks of
# IPv6 are counted, too.

use strict;
use warnings;

use lib 't/lib';

use IO::Select;
use IO::Socket::INET;
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
INSERT INTO api_keys (id, user_id, hash, name, hint, scopes, created_at, kind,
                      deleted_at, last_used_at, expires_at, idle, network)
SELECT gen_random_uuid(), id, sha256(n::text::bytea), 'session', '', 31,
       now() - interval '29 days', 'session', now(), now(), now(),
       interval '1 hour', n
  FROM users, (VALUES ('198.51.100.1'), ('198.51.100.2'), ('198.51.100.3'),
                      ('198.51.100.4'), ('2001:0db8:0005:0001::/64')) v (n)
 WHERE email = 'alice@example.com';
END

my $server = <<'END';
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Forwarded-For;
    location = /session { prompt_session; }
END

my $s = PromptTest::Server->new(workers => 1, connections => 2048,
    server => $server,
    postgres => '"' . PromptTest::Env::conninfo('prompt_app')
                . '" connections=2 timeout=30s');

my ($version) = `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/(\S+)};
my ($major, $minor, $patch) = split /\./, $version;
my $on = $major * 1e6 + $minor * 1e3 + $patch >= 1025001;
my $has_h2 = `$PromptTest::Env::nginx -V 2>&1` =~ /http_v2_module/
             && `curl -V 2>/dev/null` =~ /HTTP2/;
my $until;
my $h2 = PromptTest::Env::free_port();

if ($has_h2) {
    my $listen = $on ? "listen 127.0.0.1:$h2; http2 on;"
                     : "listen 127.0.0.1:$h2 http2;";
    $until = time() + 20;

    $s->configure(http => "server { $listen $server }");
    $s->reload;
    sleep 0.05 until time() > $until
        || IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $h2);
}


sub body_of
{
    my ($email, $text) = @_;

    return PromptTest::Json::encode({ email => $email, password => $text });
}


# begin($email, $password, $address): a connection with a sign-in
sub begin
{
    my ($email, $text, $from) = @_;
    my $body = body_of($email, $text);

    return $s->send("POST /session HTTP/1.1\r\nHost: localhost\r\n"
                    . "Connection: close\r\nContent-Type: application/json\r\n"
                    . "X-Forwarded-For: $from\r\n"
                    . "Sec-Fetch-Site: same-origin\r\nContent-Length: "
                    . length($body) . "\r\n\r\n$body");
}


sub status
{
    my $socket = begin(@_) or return 0;

    return ($s->receive($socket, 60) || { status => 0 })->{status};
}


sub status_h2
{
    my ($email, $text, $from) = @_;

    open my $out, '-|', 'curl', '-q', '-s', '--http2-prior-knowledge',
        '-o', '/dev/null', '-w', '%{http_code} %{http_version}',
        '-H', 'Content-Type: application/json', '-H', "X-Forwarded-For: $from",
        '-d', body_of($email, $text), "http://127.0.0.1:$h2/session"
        or die "curl: $!\n";
    my $status = <$out>;
    close $out;

    return $status;
}


# An address that many share: 198.51.100.1 has had its twenty, and alice is
# known there.

my @statuses = map { status("a$_\@example.com", 'wrong', '198.51.100.1') }
               1 .. 21;

is("@statuses", join(' ', ('401') x 20, '429'), 'twenty of an address');
is(status('alice@example.com', $password, '198.51.100.1'), 204,
   'who is known there is not held up by others');
is(status('ALICE@example.com', 'wrong', '198.51.100.1'), 401,
   'and what they mistype is looked at');

SKIP: {
    skip 'no HTTP/2 here', 1 unless $has_h2;

    is(status_h2('alice@example.com', $password, '198.51.100.1'), '204 2',
       'nor over HTTP/2');
}

@statuses = map { status('alice@example.com', 'wrong', '198.51.100.1') } 1 .. 5;

is("@statuses", '401 401 401 401 429', 'their own five count');
is(status('alice@example.com', $password, '198.51.100.2'), 204,
   'but not where they are known, too');


# IPv6: 20 of 64 bits, 40 of 56, 100 of 48

# a few at once: a busy machine lets nobody wait for ten seconds
sub of_net
{
    my ($n, $from) = @_;
    my %count;

    while ($n > 0) {
        my @sockets = map { begin("n$_\@example.com", 'wrong', $from->($_)) }
                      grep { $_ > 0 } $n - 4 .. $n;

        $count{($s->receive($_, 60) || { status => 0 })->{status}}++
            for @sockets;
        $n -= 5;
    }

    return \%count;
}

is_deeply(of_net(50, sub { sprintf '2001:db8:5:%x::1', 2 + $_[0] }),
          { 401 => 40, 429 => 10 }, 'forty of a /56');
is(status('alice@example.com', $password, '2001:db8:5:1::7'), 204,
   'who is known there is let in');
is_deeply(of_net(70, sub { sprintf '2001:db8:5:%x::1', 256 * $_[0] }),
          { 401 => 60, 429 => 10 }, 'a hundred of a /48');
is(status('alice@example.com', $password, '2001:db8:5:1::8'), 204,
   'who is known there is let in');
is(status('n@example.com', 'wrong', '2001:db8:6::1'), 401, 'another /48');


# What is refused asks nobody: here PostgreSQL could not answer.  Within a
# minute, which is as long as a host knows by heart who is not known.

SKIP: {
    skip 'too slow for a minute', 4 if $ENV{PROMPT_TEST_SLOW};

    is(status("b$_\@example.com", 'wrong', '203.0.113.9'), 401, 'wrong')
        for 1 .. 20;
    is(status('c@example.com', 'wrong', "192.0.2.$_"), 401, 'wrong') for 1 .. 5;

    my $dbh = PromptTest::Env::conninfo('prompt_owner');

    open my $psql, '|-', 'psql', '-X', '-q', $dbh or die "psql: $!\n";
    $psql->autoflush;
    print $psql "BEGIN; LOCK TABLE users, api_keys;\n";

    sleep 0.05 until PromptTest::Env::psql(
        "SELECT count(*) FROM pg_locks WHERE relation = 'users'::regclass "
        . "AND mode = 'AccessExclusiveLock' AND granted") > 0;

    is(status('d@example.com', 'wrong', '203.0.113.9'), 429,
       'an address that had its twenty asks nobody');
    is(status_h2('e@example.com', 'wrong', '203.0.113.9'), '429 2',
       'nor over HTTP/2') if $has_h2;
    is(status('c@example.com', 'wrong', '192.0.2.3'), 429,
       'nor does an account that had its five');

    print $psql "ROLLBACK;\n";
    close $psql;
}


# Four hundred addresses: more wait than the queue has places.  Who is known
# comes before all of them.

my @sockets = map {
    begin("f$_\@example.com", 'wrong',
          sprintf('10.%d.%d.1', $_ / 200, $_ % 200))
} 1 .. 400;
my $select = IO::Select->new(@sockets);

$until = time() + 60;

sleep 0.01 until scalar $select->can_read(0) >= 200 || time() > $until;
is(status('alice@example.com', $password, '198.51.100.3'), 204,
   'who is known signs in while hundreds guess');

SKIP: {
    skip 'no HTTP/2 here', 1 unless $has_h2;
    is(status_h2('alice@example.com', $password, '198.51.100.4'), '204 2',
       'over HTTP/2, too');
}

cmp_ok(scalar $select->can_read(0), '<', 400, 'before those who came earlier');

my %count;

$count{($s->receive($_, 60) || { status => 0 })->{status}}++ for @sockets;

cmp_ok($count{503} || 0, '>=', 1, 'some found no place');
is(($count{401} || 0) + ($count{503} || 0), 400, 'and all were answered');

# One who is known, and signs in without end: neither others who are known nor
# strangers are kept out.

PromptTest::Env::psql(<<'END');
UPDATE users SET password = (SELECT password FROM users
                              WHERE email = 'alice@example.com')
 WHERE email = 'bob@example.com';
INSERT INTO users (id, email)
SELECT ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
       'u' || n || '@example.com' FROM generate_series(1, 100) n;
INSERT INTO api_keys (id, user_id, hash, name, hint, scopes, created_at, kind,
                      deleted_at, last_used_at, expires_at, idle, network)
SELECT gen_random_uuid(), id, sha256(email::bytea), 'session', '', 31,
       now() - interval '1 day', 'session', now(), now(), now(),
       interval '1 hour',
       CASE WHEN email LIKE 'u%' THEN '198.51.101.' || substr(split_part(email,
                                                             '@', 1), 2)
            ELSE '198.51.100.6' END
  FROM users WHERE email LIKE 'u%' OR email = 'bob@example.com';
END

@sockets = map { begin('alice@example.com', $password, '198.51.100.3') }
           1 .. 300;
is(status('bob@example.com', $password, '198.51.100.6'), 204,
   'another one who is known');
is(status('bob@example.com', $password, '10.20.0.1'), 204, 'a stranger');

%count = ();
$count{($s->receive($_, 60) || { status => 0 })->{status}}++ for @sockets;
cmp_ok($count{204} || 0, '>=', 1, 'alice is let in');
is(($count{204} || 0) + ($count{503} || 0), 300, 'and all were answered');

# Sixty who are known: strangers have their turns in between.

@sockets = map { begin("u$_\@example.com", 'wrong', "198.51.101.$_") }
           1 .. 60;
$select = IO::Select->new(@sockets);
is(status('bob@example.com', $password, '10.20.0.2'), 204,
   'a stranger behind sixty who are known');
cmp_ok(scalar $select->can_read(0), '<', 55, 'before they were through');

%count = ();
$count{($s->receive($_, 60) || { status => 0 })->{status}}++ for @sockets;
is_deeply(\%count, { 401 => 60 }, 'none of them was kept out');

ok($s->stop, 'nginx ends');
is_deeply([ $s->faults ], [], 'a clean error log');
is(index($s->log_text, $password), -1, 'no password in the log');

done_testing();
