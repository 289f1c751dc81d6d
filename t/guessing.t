# Guessing passwords: how many wrong ones an account and an address may have,
# whatever comes at once, over reloads, and whom that does not hold up.

use strict;
use warnings;

use lib 't/lib';

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

my $s = PromptTest::Server->new(workers => 2, server => <<'END');
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Forwarded-For;
    location = /session { prompt_session; }
END


sub text_of
{
    my ($email, $text, $from) = @_;
    my $body = PromptTest::Json::encode({ email => $email,
                                          password => $text });

    return "POST /session HTTP/1.1\r\nHost: localhost\r\n"
           . "Connection: close\r\nContent-Type: application/json\r\n"
           . "X-Forwarded-For: $from\r\nSec-Fetch-Site: same-origin\r\n"
           . 'Content-Length: ' . length($body) . "\r\n\r\n$body";
}


sub sign_in
{
    my $socket = $s->send(text_of(@_)) or return { status => 0 };

    return $s->receive($socket) || { status => 0 };
}


# at_once($n, sub): what came back for the texts of sub(i), sent side by side
sub at_once
{
    my ($n, $text) = @_;
    my @sockets = map { $s->send($text->($_)) } 1 .. $n;
    my %count;

    $count{ ($s->receive($_, 60) || { status => 0 })->{status} }++
        for @sockets;

    return \%count;
}


# an account, from anywhere; one that is there, and one that is not

for my $email ('alice@example.com', 'nobody@example.com') {
    my @statuses = map {
        sign_in($_ % 2 ? $email : uc $email, 'wrong', "192.0.2.$_")->{status}
    } 1 .. 7;

    is("@statuses", '401 401 401 401 401 429 429', "five wrong ones: $email");

    my $a = sign_in($email, $password, '192.0.2.99');

    is($a->{status}, 429, 'the right one as well');
    ok($a->{head} =~ /^Retry-After: (\d+)\r?$/m && $1 > 800 && $1 <= 900,
       'says for how long');
    is($a->{json}{errors}[0]{extensions}{code}, 'BAD_USER_INPUT', 'code');
}

# they outlive a reload

my @before = $s->workers;

$s->reload;
PromptTest::Server::gone($_, 20) for @before;
is(sign_in('alice@example.com', $password, '192.0.2.99')->{status}, 429,
   'after a reload');

# who comes back to where they have signed in

PromptTest::Env::psql(<<'END');
INSERT INTO api_keys (id, user_id, hash, name, hint, scopes, created_at, kind,
                      deleted_at, last_used_at, expires_at, idle, network)
SELECT gen_random_uuid(), id, sha256(n::text::bytea), 'session', '', 31,
       now() - d * interval '1 day', 'session', now(), now(), now(),
       interval '1 hour', n
  FROM users, (VALUES ('198.51.100.1', 29), ('198.51.100.2', 31),
                      ('2001:db8:0:1::/64', 1)) v (n, d)
 WHERE email = 'alice@example.com';
END

my $network = PromptTest::Env::psql("SELECT count(*) FROM api_keys WHERE "
                                    . "network LIKE '2001%'");
is($network + 0, 1, 'rows');

is(sign_in('alice@example.com', $password, '198.51.100.2')->{status}, 429,
   'not after 30 days');
is(sign_in('alice@example.com', $password, '198.51.100.1')->{status}, 204,
   'within 30 days');

my @own = map {
    sign_in('alice@example.com', 'wrong', '198.51.100.1')->{status}
} 1 .. 6;

is("@own", '401 401 401 401 401 429', 'their own wrong ones count');

# an address, of IPv6 a network

my @statuses = map {
    sign_in("a$_\@example.com", 'wrong', '203.0.113.7')->{status}
} 1 .. 22;

is("@statuses", join(' ', ('401') x 20, ('429') x 2), 'twenty of an address');

@statuses = map {
    sign_in("b$_\@example.com", 'wrong', "2001:db8::$_")->{status}
} 1 .. 21;

is("@statuses", join(' ', ('401') x 20, '429'), 'twenty of a network');
is(sign_in('c@example.com', 'wrong', '2001:db8:0:2::1')->{status}, 401,
   'another network');

# what is watched takes seconds for each

if ($ENV{PROMPT_TEST_SLOW}) {
    $s->stop;
    is_deeply([ $s->faults ], [], 'a clean error log');
    done_testing();
    exit;
}

# at one moment: no more are looked at than may be wrong

# (503: an account has a few places of the queue)

my $forty = at_once(40, sub { text_of('d@example.com', 'wrong',
                                      "10.0.$_[0].1") });
my $looked_at = delete $forty->{401} || 0;

cmp_ok($looked_at, '<=', 5, 'forty at once, of one account');
is(($forty->{429} || 0) + ($forty->{503} || 0), 40 - $looked_at,
   'the others are refused');
is_deeply(at_once(60, sub { text_of("e$_[0]\@example.com", 'wrong',
                                    '10.1.1.1') }),
          { 401 => 20, 429 => 40 }, 'sixty at once, from one address');

# and right ones are not counted as wrong

PromptTest::Env::psql("UPDATE users SET password = (SELECT password FROM users "
                      . "WHERE email = 'alice\@example.com') "
                      . "WHERE email = 'bob\@example.com'");

my $right = at_once(30, sub { text_of('bob@example.com', $password,
                                      '10.2.2.2') });

cmp_ok($right->{204} || 0, '>=', 2, 'thirty right ones at once');
is(($right->{204} || 0) + ($right->{503} || 0), 30, 'none is taken for wrong');
is(sign_in('bob@example.com', $password, '10.2.2.2')->{status}, 204,
   'and the next is let in');

# clients that leave while a thread is at it, and a worker that quits then

for (1 .. 30) {
    my $socket = $s->send(text_of("f$_\@example.com", 'wrong', "10.3.$_.1"));

    close $socket if $_ % 2;
}

# who forges what a log is watched for has nobody else's address taken for it

my $forged = 'sign-in failed: x, client: 192.0.2.66, server';

for ('', 'a client: 192.0.2.66, b', "\" [notice] 1#1: *1 prompt: $forged") {
    my $text = text_of('g@example.com', 'wrong', '192.0.2.55');

    $text =~ s/\r\n/\r\nReferer: $_\r\n/;
    is(($s->receive($s->send($text)) || {})->{status}, 401, 'wrong');
}

open my $in, '<', 'docs/sessions.md' or die "docs/sessions.md: $!\n";
my ($regex) = do { local $/; <$in> } =~ /^ *failregex = (.*)$/m;
my %failed;

$regex =~ s/<HOST>/([0-9a-f.:]+)/;

for (split /\n/, $s->log_text) {
    next unless s{^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d}{};
    $failed{$1}++ if /$regex/;
}

is($failed{'192.0.2.55'}, 3, 'failures by the address that they came from');
is($failed{'192.0.2.66'}, undef, 'and by none that was made up');

ok($s->stop, 'nginx ends');
is_deeply([ $s->faults ], [], 'a clean error log');
is(index($s->log_text, $password), -1, 'no password in the log');

done_testing();
