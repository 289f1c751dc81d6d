# Signing in and out: passwords, the cookie, where requests with it come from,
# what sessions may do, how they end.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep);

PromptTest::Env::setup();

my $password = 'canary correct horse battery';
my $alice = PromptTest::Env::var('alice_id');
my $bob = PromptTest::Env::var('bob_id');

set_password('alice@example.com', $password);
set_password('bob@example.com', "$password of bob");

my $s = PromptTest::Server->new(workers => 2, server => <<'END');
    set $who "";
    if ($http_x_who) { set $who $http_x_who; }
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Forwarded-For;
    location = /session {
        prompt_session;
        add_header X-User $prompt_user_id always;
    }
    location = /insecure { prompt_session lifetime=1h idle=10m insecure; }
    location = /trusted { prompt_session trusted=$who; }
END

my @secrets = ($password);


# set_password($email, $password): by promptctl, from standard input
sub set_password
{
    my ($email, $text) = @_;

    local $ENV{PROMPT_DATABASE_URL} = PromptTest::Env::conninfo('prompt_owner');
    local $ENV{PROMPT_REDIS} = 'unix:'
        . PromptTest::Env::services()->{SERVICES_REDIS}
        . ' prefix=' . PromptTest::Env::redis_prefix();

    open my $out, '|-', $PromptTest::Env::promptctl, 'user', 'password', $email
        or die "promptctl: $!\n";
    print $out "$text\n";
    close $out;

    return $? >> 8;
}


# http($method, $path, $headers, $body): what came back
sub http
{
    my ($method, $path, $headers, $body) = @_;
    my $text = "$method $path HTTP/1.1\r\nConnection: close\r\n";
    my %headers = (Host => 'localhost', %$headers);

    $body = '' unless defined $body;
    $headers{'Content-Length'} = length $body if length $body;

    for my $name (sort keys %headers) {
        my $values = $headers{$name};

        $text .= "$name: $_\r\n" for ref $values ? @$values : ($values);
    }

    my $socket = $s->send("$text\r\n$body") or return { status => 0 };
    my $answer = $s->receive($socket) || { status => 0 };

    $answer->{cookie} = $1
        if ($answer->{head} || '') =~ /^Set-Cookie: ([^\r\n]*)/m;

    return $answer;
}


my %same = ('Content-Type' => 'application/json',
            'Sec-Fetch-Site' => 'same-origin');


sub sign_in
{
    my ($email, $text, %headers) = @_;

    return http('POST', '/session', { %same, %headers },
                PromptTest::Json::encode({ email => $email,
                                           password => $text }));
}


# cookie(...): NAME=VALUE of a new session
sub cookie
{
    my $answer = sign_in(@_);
    my ($cookie) = ($answer->{cookie} || '') =~ /^([^;]*)/;

    push @secrets, $1 if defined $cookie && $cookie =~ /=(.+)/;

    return $cookie;
}


sub graphql
{
    my ($cookie, $query, %headers) = @_;

    return http('POST', '/graphql', { %same, Cookie => $cookie, %headers },
                PromptTest::Json::encode({ query => $query }));
}


sub code
{
    my ($answer) = @_;

    return $answer->{json}{errors}[0]{extensions}{code} || '';
}


# nobody

my $a = http('GET', '/session', {});
is($a->{status}, 401, 'nobody has signed in');
is(code($a), 'UNAUTHENTICATED', 'code');
is($a->{json}{errors}[0]{extensions}{signIn}, 'password', 'and how one does');
like($a->{head}, qr/^Cache-Control: no-store/m, 'not to be kept');

$a = http('PUT', '/session', \%same, '{}');
is($a->{status}, 405, 'another method');
like($a->{head}, qr/^Allow: GET, POST, DELETE/m, 'says which');

# signing in

$a = sign_in('alice@example.com', $password);
is($a->{status}, 204, 'signed in');
like($a->{cookie}, qr{^prompt_session=pms_\w{38};\ Path=/;
                      \ Max-Age=43200;\ HttpOnly;\ SameSite=Strict$}x, 'the plain cookie');
is($a->{body}, '', 'no body');
like($a->{head}, qr/^X-User: $alice\r?$/m, 'and to the variables');

my ($cookie) = $a->{cookie} =~ /^([^;]*)/;
push @secrets, $cookie =~ /=(.*)/;

$a = http('GET', '/session', { Cookie => $cookie });
is($a->{status}, 200, 'who');
is_deeply($a->{json}{user}, { id => $alice, email => 'alice@example.com',
                              name => 'Alice' }, 'alice');
is_deeply([ sort keys %{ $a->{json}{session} } ],
          [ qw(createdAt expiresAt id) ], 'the session');
is($a->{json}{signIn}, 'password', 'how');
my $session = $a->{json}{session}{id};

$a = sign_in('ALICE@Example.com', $password);
is($a->{status}, 204, 'e-mail in another case');

$a = sign_in('alice@example.com', $password,
             'X-Forwarded-For' => '192.0.2.9');
like($a->{cookie}, qr/^__Host-prompt_session=pms_\w{38}; .*; Secure$/,
     'from elsewhere: with prefix, Secure');

$a = http('POST', '/insecure',
          { %same, 'X-Forwarded-For' => '192.0.2.9' },
          PromptTest::Json::encode({ email => 'alice@example.com',
                                     password => $password }));
like($a->{cookie}, qr/^prompt_session=.*Max-Age=3600; HttpOnly; SameSite=Strict$/,
     'insecure');

# what is wrong

my $wrong = sign_in('alice@example.com', 'not the password');
is($wrong->{status}, 401, 'wrong password');
ok(!defined $wrong->{cookie}, 'no cookie');
unlike($wrong->{head}, qr/^X-User/m, 'and nobody to the variables');
$a = sign_in('nobody@example.com', 'not the password');
is($a->{status}, 401, 'no such account');
is($a->{body}, $wrong->{body}, 'in the same words');

for ([ '{' => 400 ], [ '[]' => 400 ], [ '{"email": "a@b"}' => 400 ],
     [ '{"email": 1, "password": "x"}' => 400 ],
     [ '{"email": "a@b\u0000", "password": "x"}' => 400 ],
     [ '{"email": "a@b", "password": "' . 'x' x 20000 . '"}' => 413 ])
{
    my ($body, $status) = @$_;

    $a = http('POST', '/session', \%same, $body);
    is($a->{status}, $status, substr "body $body", 0, 40);
    is(ref $a->{json}{errors}, 'ARRAY', 'as JSON');
}

$a = http('POST', '/session', { 'Content-Type' => 'text/plain' }, '{}');
is($a->{status}, 415, 'another type');

$a = sign_in('alice@example.com', $password, 'Sec-Fetch-Site' => 'cross-site');
is($a->{status}, 401, 'from a page of another site');
$a = http('POST', '/session',
          { 'Content-Type' => 'application/json',
            Origin => 'http://evil.example' },
          PromptTest::Json::encode({ email => 'alice@example.com',
                                     password => $password }));
is($a->{status}, 401, 'the same, by Origin');

# the cookie at the endpoint

$a = graphql($cookie, '{ me { email } }');
is($a->{json}{data}{me}{email}, 'alice@example.com', 'the cookie is taken');

my @refused = (
    [ 'cross-site' => { 'Sec-Fetch-Site' => 'cross-site' } ],
    [ 'same-site' => { 'Sec-Fetch-Site' => 'same-site' } ],
    [ 'none' => { 'Sec-Fetch-Site' => 'none' } ],
    [ 'two' => { 'Sec-Fetch-Site' => [ 'same-origin', 'same-origin' ] } ],
    [ 'another type' => { 'Content-Type' => 'text/plain' } ],
    [ 'two cookies' => { Cookie => "$cookie; $cookie" } ],
    [ 'two headers' => { Cookie => [ $cookie, $cookie ] } ],
    [ 'the prefix has another' =>
      { Cookie => "$cookie; __Host-prompt_session=x" } ],
    [ 'another name' => { Cookie => "x$cookie" } ],
    [ 'cut' => { Cookie => substr $cookie, 0, -1 } ],
    [ 'a key' => { Cookie => 'prompt_session='
                             . PromptTest::Env::var('alice_key') } ],
);

for (@refused) {
    my ($name, $headers) = @$_;

    $a = graphql($cookie, '{ me { id } }', %$headers);
    is($a->{status}, 401, "refused: $name");
    is(code($a), 'UNAUTHENTICATED', 'code');
}

for ([ 'http://localhost' => 200 ], [ 'http://LOCALHOST:80' => 200 ],
     [ 'https://localhost' => 401 ], [ 'http://localhost:81' => 401 ],
     [ 'null' => 401 ], [ 'http://localhost.evil' => 401 ])
{
    my ($origin, $status) = @$_;

    $a = http('POST', '/graphql',
              { 'Content-Type' => 'application/json', Cookie => $cookie,
                Origin => $origin }, '{"query":"{ me { id } }"}');
    is($a->{status}, $status, "Origin: $origin");
}

$a = http('POST', '/graphql',
          { 'Content-Type' => 'application/json', Cookie => $cookie },
          '{"query":"{ me { id } }"}');
is($a->{status}, 401, 'neither header');

$a = http('GET', '/graphql?query={me{id}}',
          { Cookie => $cookie, 'Sec-Fetch-Site' => 'same-origin' });
is($a->{status}, 401, 'GET with a cookie');

$a = graphql($cookie, '{ me { email } }', 'Sec-Fetch-Site' => 'cross-site',
             'X-API-Key' => PromptTest::Env::var('bob_key'));
is($a->{json}{data}{me}{email}, 'bob@example.com',
   'with a key the cookie is not looked at');

$a = graphql('', '{ me { id } }',
             Authorization => 'Bearer ' . ($cookie =~ /=(.*)/)[0]);
is($a->{status}, 401, 'a session is no key');

# what sessions may

$a = graphql($cookie, '{ sessions { id createdAt lastSeenAt address userAgent '
                      . 'current } apiKeys { name } }');
my @current = grep { $_->{current} } @{ $a->{json}{data}{sessions} };
is(@current, 1, 'one is the current');
is($current[0]{id}, $session, 'this one');
is($current[0]{address}, '127.0.0.1', 'its address');
is((grep { $_->{name} eq 'session' } @{ $a->{json}{data}{apiKeys} }), 0,
   'sessions are no keys');

$a = $s->ask('alice', '{ sessions { id } }');
is($a->{status}, 401, 'no key sees sessions');
$a = $s->ask('alice', 'mutation { endSessions }');
is($a->{status}, 401, 'nor ends them');
$a = $s->ask('alice', "mutation { deleteApiKey(id: \"$session\") }");
is(code($a), 'NOT_FOUND', 'nor deletes one');
$a = graphql($cookie, 'mutation { createApiKey(input: {name: "s", '
                      . 'scopes: ["session"]}) { key } }');
is(code($a), 'BAD_USER_INPUT', 'no key gets the scope');

$a = graphql($cookie, 'mutation { createApiKey(input: {name: "made"}) '
                      . '{ key apiKey { expiresAt scopes lastUsedAt } } }');
my $made = $a->{json}{data}{createApiKey};
push @secrets, $made->{key};
is_deeply($made->{apiKey}, { expiresAt => undef, scopes => [],
                             lastUsedAt => undef }, 'a key without an end');
$a = $s->ask($made->{key}, '{ me { id } }');
is($a->{status}, 200, 'that is one');

my $used;

for (1 .. 100) {
    $a = $s->ask('alice', '{ apiKeys { name lastUsedAt } }');
    ($used) = map { $_->{lastUsedAt} }
        grep { $_->{name} eq 'made' } @{ $a->{json}{data}{apiKeys} };
    last if defined $used;
    sleep 0.1;
}

like($used, qr/^20\d\d-.*Z$/, 'lastUsedAt');

# Argon2id, and what is stored of it

like(PromptTest::Env::psql("SELECT password FROM users WHERE id = '$alice'"),
     qr/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, 'Argon2id');
unlike(PromptTest::Env::psql("SELECT string_agg(encode(hash, 'escape'), '') "
                             . "FROM api_keys"), qr/pms_/, 'no cookie stored');

# a session that rests, and one whose time is over

my $resting = cookie('alice@example.com', $password);
PromptTest::Env::psql("UPDATE api_keys SET last_used_at = now() "
                      . "- interval '3 hours' WHERE id = (SELECT max(id::text)"
                      . "::uuid FROM api_keys WHERE kind = 'session')");
is(graphql($resting, '{ me { id } }')->{status}, 401, 'one that rested');

my $over = cookie('alice@example.com', $password);
PromptTest::Env::psql("UPDATE api_keys SET expires_at = now() "
                      . "WHERE id = (SELECT max(id::text)::uuid "
                      . "FROM api_keys WHERE kind = 'session')");
is(graphql($over, '{ me { id } }')->{status}, 401, 'one that is over');

# signing out

my $second = cookie('alice@example.com', $password);
is(graphql($second, '{ me { id } }')->{status}, 200, 'another session');

$a = http('DELETE', '/session', { Cookie => $second });
is($a->{status}, 401, 'signing out needs to come from the site');
is(graphql($second, '{ me { id } }')->{status}, 200, 'not signed out');

for (1 .. 2) {
    $a = http('DELETE', '/session', { Cookie => $second,
                                      'Sec-Fetch-Site' => 'same-origin' });
    is($a->{status}, 204, 'signed out');
    like($a->{cookie}, qr/^prompt_session=; Path=\/; Max-Age=0; /, 'cookie');
    is(graphql($second, '{ me { id } }')->{status}, 401, 'refused at once');
}

$a = http('DELETE', '/session', { 'Sec-Fetch-Site' => 'same-origin' });
is($a->{status}, 401, 'nobody to sign out');

# ending all others

my @others = map { cookie('alice@example.com', $password) } 1 .. 3;
is(graphql($_, '{ me { id } }')->{status}, 200, 'lives') for @others;
my $bobs = cookie('bob@example.com', "$password of bob");

my $before = @{ graphql($cookie, '{ sessions { id } }')
                ->{json}{data}{sessions} };
$a = graphql($cookie, 'mutation { endSessions }');
is($a->{json}{data}{endSessions}, $before - 1, 'all others are ended');
is(graphql($_, '{ me { id } }')->{status}, 401, 'refused') for @others;
is(graphql($cookie, '{ me { id } }')->{status}, 200, 'the own one is not');
is(graphql($bobs, '{ me { id } }')->{status}, 200, "nor another user's");
is(graphql($cookie, 'mutation { endSessions }')->{json}{data}{endSessions}, 0,
   'no more to end');

# changing the password

my $change = 'mutation { changePassword(old: %s, new: %s) }';
my $new = "$password, changed";

push @secrets, $new;
@others = map { cookie('alice@example.com', $password) } 1 .. 2;

$a = graphql($cookie, sprintf $change, '"wrong wrong wrong"', '"' . $new . '"');
is(code($a), 'BAD_USER_INPUT', 'the old one is wrong');
$a = graphql($cookie, sprintf $change, '"' . $password . '"', '"short"');
is(code($a), 'BAD_USER_INPUT', 'the new one is short');
is(graphql($others[0], '{ me { id } }')->{status}, 200, 'nothing has ended');

$a = graphql($cookie, sprintf $change, '"' . $password . '"', '"' . $new . '"');
is($a->{json}{data}{changePassword}, JSON::PP::true(), 'changed')
    or diag $a->{body};
is(graphql($_, '{ me { id } }')->{status}, 401, 'others are ended')
    for @others;
is(graphql($cookie, '{ me { id } }')->{status}, 200, 'the own one is not');
is(sign_in('alice@example.com', $password)->{status}, 401, 'the old password');
is(sign_in('alice@example.com', $new)->{status}, 204, 'the new one');

# of passwords no fast hash is stored, which somebody could try words with

for (1 .. 2) {
    $a = graphql($cookie, sprintf($change, qq("$new"), qq("$new")),
                 'Idempotency-Key' => "a key of its own $_" =~ s/ /-/gr);
    is($a->{json}{data}{changePassword}, JSON::PP::true(),
       'changed once at most');
}

is(PromptTest::Env::psql('SELECT count(DISTINCT fingerprint) '
                         . 'FROM idempotency_keys') + 0, 2,
   'who does not know the key cannot tell what it came with');
$a = graphql($cookie, sprintf($change, qq("$new"), qq("$new")),
             'Idempotency-Key' => 'a-key-of-its-own-1');
like($a->{head}, qr/^Idempotency-Replayed: true/m, 'the same comes back');
$a = graphql($cookie, sprintf($change, qq("$new"), '"other"'),
             'Idempotency-Key' => 'a-key-of-its-own-1');
is($a->{status}, 422, 'not for another password');
is(sign_in('alice@example.com', $new)->{status}, 204, 'again, elsewhere');

# sessions that were over long ago are nobody's to end

PromptTest::Env::psql(<<"END");
INSERT INTO api_keys (id, user_id, hash, name, hint, scopes, kind,
                      last_used_at, expires_at, idle)
SELECT gen_random_uuid(), '$alice', sha256(('over' || n)::bytea), 'session', '',
       31, 'session', now() - interval '3 days',
       now() - n * interval '1 day', interval '1 hour'
  FROM (VALUES (-1), (1)) v (n);
END

is(graphql($cookie, 'mutation { endSessions }')->{json}{data}{endSessions}, 1,
   'one was left');
is(PromptTest::Env::psql("SELECT count(*) FROM api_keys WHERE user_id = "
                         . "'$alice' AND last_used_at < now() "
                         . "- interval '1 day' AND deleted_at IS NULL")
   + 0, 2, 'the others are as they were');

# old parameters are raised

PromptTest::Env::psql("UPDATE users SET password = "
    . "'\$argon2id\$v=19\$m=64,t=1,p=1\$c29tZXNhbHRzb21lc2FsdA"
    . "\$55PWTvddWPUD1GMbKxSff4ASfF85k9ibHJt4HlHQtBM' WHERE id = '$bob'");
is(sign_in('bob@example.com', 'password')->{status}, 204, 'an old hash');
like(PromptTest::Env::psql("SELECT password FROM users WHERE id = '$bob'"),
     qr/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, 'is made anew');
isnt(set_password('bob@example.com', "$password \xff"), 0,
     'what cannot be sent as JSON is no password');
isnt(set_password('bob@example.com', "$password \0"), 0, 'nor with NUL');
is(set_password('bob@example.com', "$password of bob"), 0, 'a password');
is(graphql($bobs, '{ me { id } }')->{status}, 401,
   'an operator sets a password: sessions end');

# somebody trusted says who it is

$a = http('GET', '/trusted', {});
is($a->{json}{errors}[0]{extensions}{signIn}, 'trusted', 'how');
$a = http('POST', '/trusted', \%same, '{}');
is($a->{status}, 401, 'nobody said');
$a = http('POST', '/trusted', { %same, 'X-Who' => 'new@example.com' }, '{}');
is($a->{status}, 403, 'no account');
like($a->{body}, qr/promptctl user add/, 'says how it is made');
$a = http('POST', '/trusted', { %same, 'X-Who' => 'bob@example.com' },
          '{"email": "alice@example.com", "password": "x"}');
is($a->{status}, 400, 'no password there');
$a = http('POST', '/trusted', { %same, 'X-Who' => 'Bob@example.com' }, '{}');
is($a->{status}, 204, 'signed in');
($bobs) = $a->{cookie} =~ /^([^;]*)/;
push @secrets, $bobs =~ /=(.*)/;
is(graphql($bobs, '{ me { email } }', 'X-Who' => 'bob@example.com')
   ->{json}{data}{me}{email}, 'bob@example.com', 'bob');

# metrics

$a = http('GET', '/metrics', {});
like($a->{body}, qr/^prompt_sign_ins_total\{result="signed_in"\} [1-9]/m,
     'signed in');
like($a->{body}, qr/^prompt_sign_ins_total\{result="wrong"\} [1-9]/m, 'wrong');

ok($s->stop, 'nginx ends');
is_deeply([ $s->faults ], [], 'a clean error log');

my $log = $s->log_text;

is((grep { index($log, $_) >= 0 } @secrets), 0, 'no secret in the log');
like($log, qr/\[notice\].*sign-in failed: wrong password of user/, 'noted');
unlike($log, qr/sign-in failed.*(?:alice|nobody)\@/, 'without the e-mail');

done_testing();
