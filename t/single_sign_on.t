# Single sign-on: sessions that a proxy begins.  Who is unknown gets an account
# where that is wanted, once; no passwords; and a session ends where the proxy
# names somebody else or nobody, wherever its location is told.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use Test::More;

PromptTest::Env::setup();

my %same = ('Content-Type' => 'application/json',
            'Sec-Fetch-Site' => 'same-origin');
my $idp = PromptTest::Env::free_port() + 200;

# whom the proxy has let in is what X-Idp says here
my $http = <<"END";
    map \$http_x_idp \$idp_email { default \$http_x_idp; nobody ""; }
    map \$http_x_cert \$mapped { default ""; "~^CN=(?<cn>.+)\$" \$cn; }
    server {
        listen 127.0.0.1:$idp;
        location / {
            if (\$http_x_idp = "") { return 401; }
            if (\$http_x_idp = "broken") { return 503; }
            add_header X-Email \$idp_email;
            return 204;
        }
    }
END
my $guard = 'auth_request /_idp; '
            . 'auth_request_set $email $upstream_http_x_email;';
my $server = <<"END";
    location = /_idp {
        internal;
        proxy_pass http://127.0.0.1:$idp/;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
    }
    location = /session {
        $guard
        prompt_session trusted=\$email create=on password=off;
    }
    location = /guarded { $guard prompt_graphql; }
    location = /openai { $guard prompt_graphql; }
    location = /set-session { set \$who \$http_x_who;
                              prompt_session trusted=\$who; }
    location = /set { set \$who \$http_x_who; prompt_graphql; }
    location = /map-session { prompt_session trusted=\$mapped; }
END

my $s = PromptTest::Server->new(workers => 2, http => $http,
                                server => $server);


sub begin
{
    my ($method, $path, $headers, $body) = @_;
    my %headers = (Host => 'localhost', Connection => 'close', %same,
                   %$headers, length $body
                              ? ('Content-Length' => length $body) : ());

    return $s->send("$method $path HTTP/1.1\r\n"
                    . join('', map { "$_: $headers{$_}\r\n" }
                               sort keys %headers) . "\r\n$body");
}

sub http { return $s->receive(begin(@_), 30) || { status => 0 }; }

sub cookie
{
    my ($answer) = @_;
    my ($cookie) = ($answer->{head} || '')
                   =~ /^Set-Cookie: (prompt_session=[^;]+)/m;

    return $cookie;
}

# a session of who is named
sub sign_in
{
    my ($path, %headers) = @_;

    return cookie(http('POST', $path, \%headers, '{}'));
}

sub ask
{
    my ($cookie, $path, $query, %headers) = @_;

    return http('POST', $path, { Cookie => $cookie, %headers },
                PromptTest::Json::encode({ query => $query }));
}

sub me
{
    my ($cookie, $path, %headers) = @_;
    my $answer = ask($cookie, $path, '{ me { email } }', %headers);

    return $answer->{status} == 200 ? $answer->{json}{data}{me}{email}
                                    : $answer->{status};
}

sub users
{
    chomp(my $n = PromptTest::Env::psql('SELECT count(*) FROM users'
                                        . " WHERE email ILIKE '$_[0]'"));

    return $n;
}


# who is let in, and who is not

my $a = http('POST', '/session', {}, '{}');

is($a->{status}, 401, 'the proxy lets nobody in');
is($a->{json}{errors}[0]{extensions}{signIn}, 'trusted',
   'and whose word it takes is said, though the module was not asked');
is(http('POST', '/session', { 'X-Email' => 'alice@example.com',
                              Email => 'alice@example.com' }, '{}')->{status},
   401, 'whatever the client says');
is(http('POST', '/session', { 'X-Idp' => 'nobody' }, '{}')->{status}, 401,
   'nor where it names nobody');

my $alice = sign_in('/session', 'X-Idp' => 'Alice@Example.com',
                    'X-Email' => 'bob@example.com');

is(me($alice, '/graphql'), 'alice@example.com', 'alice, and no header of hers');

for my $wrong ('someone', 'a@b@c', 'a b@example.com', '@example.com',
               ('x' x 320) . '@example.com')
{
    $a = http('POST', '/session', { 'X-Idp' => $wrong }, '{}');
    is($a->{status}, 403, 'no address: ' . substr $wrong, 0, 20);
    is(users($wrong), 0, 'and no account');
}


# an account is made, once

my @sockets = map { begin('POST', '/session', { 'X-Idp' => $_ }, '{}') }
              ('new@example.com', 'NEW@example.com') x 8;
my @answers = map { $s->receive($_, 30) } @sockets;

is_deeply([ map { $_->{status} } @answers ], [ (204) x 16 ],
          'sixteen at once, of one who is new');
is(users('new@example.com'), 1, 'are one account');

my %who = map { $_ => 1 } map { me(cookie($_), '/graphql') } @answers;

is((join ' ', map { lc } keys %who), 'new@example.com', 'whose all are');
like(ask(cookie($answers[0]), '/graphql', 'mutation { createPrompt(input: '
         . '{name: "first"}) { createdBy { email name } } }')->{body},
     qr/"email":"new\@example.com","name":null/i, 'it can do what others can');
is(http('POST', '/set-session', { 'X-Who' => 'new2@example.com' }, '{}')
   ->{status}, 403, 'not where none is to be made');
is(users('new2@example.com'), 0, 'none was');


# one that is disabled

{
    local $ENV{PROMPT_DATABASE_URL} = PromptTest::Env::conninfo('prompt_owner');
    local $ENV{PROMPT_REDIS} = 'unix:'
        . PromptTest::Env::services()->{SERVICES_REDIS}
        . ' prefix=' . PromptTest::Env::redis_prefix();

    is(system($PromptTest::Env::promptctl, 'user', 'disable',
              'new@example.com') >> 8, 0, 'disabled');
    is(me(cookie($answers[3]), '/graphql'), 401, 'its sessions have ended');
    is(me(cookie($answers[3]), '/guarded', 'X-Idp' => 'new@example.com'), 401,
       'here, too');

    $a = http('POST', '/session', { 'X-Idp' => 'new@example.com' }, '{}');
    is($a->{status}, 403, 'none is begun');
    like($a->{body}, qr/There is no account/, 'as if there were none');
    is(users('new@example.com'), 1, 'and none is made');

    # while one signs in
    system($PromptTest::Env::promptctl, 'user', 'enable', 'new@example.com');
    @sockets = map { begin('POST', '/session', { 'X-Idp' => 'new@example.com' },
                           '{}') } 1 .. 12;
    is(system($PromptTest::Env::promptctl, 'user', 'disable',
              'new@example.com') >> 8, 0, 'disabled while it signs in');
    @answers = map { $s->receive($_, 30) } @sockets;
    is_deeply([ grep { !/^(?:204|403)$/ } map { $_->{status} } @answers ], [],
              'in or not');
    is_deeply([ grep { me($_, '/graphql') ne '401' }
                grep { defined } map { cookie($_) } @answers ], [],
              'and none goes on');
}


# no passwords

$a = http('POST', '/session', { 'X-Idp' => 'alice@example.com' },
          '{"email": "alice@example.com", "password": "correct horse"}');
is($a->{status}, 400, 'no password is taken');
like($a->{body}, qr/Nobody signs in here with a password/, 'says so');
is($a->{json}{errors}[0]{extensions}{signIn}, 'trusted', 'and how');
like(ask($alice, '/graphql', 'mutation { changePassword(old: "x", '
         . 'new: "a password of mine") }')->{body},
     qr/Nobody signs in with a password here/, 'none is changed');


# the proxy names somebody else, or nobody

my $next = sub { sign_in('/session', 'X-Idp' => 'alice@example.com'); };
my %is = ('X-Idp' => 'alice@example.com');
my %other = ('X-Idp' => 'bob@example.com');
my %none = ('X-Idp' => 'nobody');

my $c = $next->();

is(me($c, '/guarded', %is), 'alice@example.com', 'the same');
is(me($c, '/guarded', 'X-Idp' => 'ALICE@example.COM'), 'alice@example.com',
   'in capitals');
is(me($c, '/graphql'), 'alice@example.com', 'where nobody is asked');
is(me($c, '/guarded'), 401, 'the proxy lets nobody in');
is(me($c, '/guarded', %is), 'alice@example.com', 'which ends nothing');
is(me($c, '/guarded', 'X-Idp' => 'broken'), 500, 'the proxy is broken');
is(me($c, '/guarded', %is), 'alice@example.com', 'which ends nothing either');
is(me($c, '/guarded', %other), 401, 'somebody else');
is(me($c, '/guarded', %is), 401, 'which ends it');
is(me($c, '/graphql'), 401, 'everywhere');

$c = $next->();
my $kept = $next->();

is(me($c, '/openai', %none), 401, 'nobody');
is(me($c, '/openai', %is), 401, 'which ends it, too');
is(me($kept, '/guarded', %is), 'alice@example.com', 'but no other session');

is(http('GET', '/session', { Cookie => $kept, %is }, '')->{status}, 200,
   'who has signed in is told');
is(http('GET', '/session', { Cookie => $kept, %other }, '')->{status}, 401,
   'not to somebody else');
is(me($kept, '/graphql'), 401, 'whose look ended it');

# in a project

$c = $next->();
PromptTest::Env::psql("INSERT INTO projects (id, name) VALUES "
    . "('01890000-0000-7000-8000-00000000cccc', 'Team'); INSERT INTO "
    . "project_members SELECT '01890000-0000-7000-8000-00000000cccc', id, 4 "
    . "FROM users WHERE email = 'alice\@example.com'");

my %team = ('Prompt-Project' => '01890000-0000-7000-8000-00000000cccc');

is(me($c, '/graphql', %team), 'alice@example.com', 'acting in a project');
is(me($c, '/guarded', %other), 401, 'somebody else');
is(me($c, '/graphql', %team), 401, 'which ends it there, too');

$c = $next->();
is(me($c, '/graphql', %team), 'alice@example.com', 'acting in a project');
is(http('DELETE', '/session', { Cookie => $c, %is }, '')->{status}, 204,
   'signed out');
is(me($c, '/graphql', %team), 401, 'there, too');

# a key is nobody's session

my $key = PromptTest::Env::var('alice_key');

is(http('POST', '/guarded', { 'X-API-Key' => $key, %other },
        '{"query": "{ me { email } }"}')->{status}, 200, 'a key');


# variables of "set" and of "map"

$c = sign_in('/set-session', 'X-Who' => 'bob@example.com');
is(me($c, '/graphql'), 'bob@example.com', 'where it is not set');
is(me($c, '/guarded', %is), 'bob@example.com', 'nor asked by whom it began');
is(me($c, '/set', 'X-Who' => 'bob@example.com'), 'bob@example.com', 'the same');
is(me($c, '/set', 'X-Who' => 'alice@example.com'), 401, 'another');
$c = sign_in('/set-session', 'X-Who' => 'bob@example.com');
is(me($c, '/set'), 401, 'an empty one');
$c = $next->();
is(me($c, '/set'), 'alice@example.com', 'is nothing to who began otherwise');

$c = sign_in('/map-session', 'X-Cert' => 'CN=bob@example.com');
is(me($c, '/graphql', 'X-Cert' => 'CN=bob@example.com'), 'bob@example.com',
   'a map has its value everywhere');
is(me($c, '/graphql'), 401, 'or none');
is(me($c, '/graphql', 'X-Cert' => 'CN=bob@example.com'), 401,
   'which ends it');
unlike($s->log_text, qr/uninitialized/, 'no variable is asked in vain');


# passwords beside it, where they are said to be taken

PromptTest::Env::psql("UPDATE users SET password = "
    . "'\$argon2id\$v=19\$m=64,t=1,p=1\$c29tZXNhbHRzb21lc2FsdA"
    . "\$55PWTvddWPUD1GMbKxSff4ASfF85k9ibHJt4HlHQtBM'"
    . " WHERE email = 'bob\@example.com'");
$server =~ s/ password=off/ password=on/;
$s->configure(server => $server);
$s->reload;

$a = {};

for (1 .. 50) {
    $a = http('POST', '/session', \%is,
              '{"email": "bob@example.com", "password": "password"}');
    last if $a->{status} == 204;
    select undef, undef, undef, 0.1;
}

is(me(cookie($a), '/guarded', %is), 'bob@example.com',
   'a password, and whom the proxy names is nothing to that session');
is(me($next->(), '/guarded', %is), 'alice@example.com', 'and without one');

ok($s->stop, 'nginx ends');
is_deeply([ $s->faults ], [], 'a clean error log');

done_testing();
