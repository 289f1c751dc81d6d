# $prompt_credential, and the limits of docs/operating.md that count by it: who
# is authenticated by a key is counted by that key, whatever else they send.

use strict;
use warnings;

use lib 't/lib';

use Digest::SHA qw(sha256_hex);
use IO::Socket::INET;
use PromptTest::Env;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

PromptTest::Env::setup();

my $key = PromptTest::Env::var('alice_key');
my $bob = PromptTest::Env::var('bob_key');
my $password = 'canary correct horse battery';

{
    local $ENV{PROMPT_DATABASE_URL} = PromptTest::Env::conninfo('prompt_owner');

    open my $out, '|-', $PromptTest::Env::promptctl, 'user', 'password',
        '--valid', '1s', 'alice@example.com' or die "promptctl: $!\n";
    print $out "$password\n";
    close $out or die "promptctl failed\n";
}


# the recipe as it stands, with rates that no machine is too slow for

open my $in, '<', 'docs/operating.md' or die "docs/operating.md: $!\n";
my ($recipe) = do { local $/; <$in> } =~
    /<!-- test: http rate_limit -->\n```nginx\n(.*?)```/s
    or die "docs/operating.md has no recipe\n";
my ($zones) = $recipe =~ /^(.*?)server \{/s or die "no zones\n";
my ($limits) = $recipe =~ m|location = /graphql \{(.*?)\}|s
    or die "no limits\n";

$zones =~ s/rate=20r/rate=1r/ or die "another rate\n";
$zones =~ s{1r/s}{1r/m};
$zones =~ s{rate=100r/s}{rate=10000r/s} or die "another rate\n";
$limits =~ s/burst=200/burst=2000/ or die "another burst\n";
$limits =~ /burst=40\b/ or die "another burst\n";

my ($version) = `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/(\S+)};
my ($major, $minor, $patch) = split /\./, $version;
my $on = $major * 1e6 + $minor * 1e3 + $patch >= 1025001;
my $has_h2 = `$PromptTest::Env::nginx -V 2>&1` =~ /http_v2_module/
             && PromptTest::Env::first_of('curl') =~ m{/};
my $locations = <<"END";
    location = /graphql {
        $limits
        add_header X-Credential "\$prompt_credential" always;
    }
    location = /free {
        prompt_graphql;
        add_header X-Credential "\$prompt_credential" always;
    }
    location = /session {
        prompt_session;
        add_header X-Credential "\$prompt_credential" always;
    }
END

our $s = PromptTest::Server->new(workers => 2, server => $locations,
                                 http => $zones);
my $h2 = PromptTest::Env::free_port();

if ($has_h2) {
    my $listen = $on ? "listen 127.0.0.1:$h2; http2 on;"
                     : "listen 127.0.0.1:$h2 http2;";
    my $until = time() + 20;

    $s->configure(http => "$zones server { $listen $locations }");
    $s->reload;
    sleep 0.05 until time() > $until
        || IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $h2);
}


# ask($path, [ headers ] [, $method [, $body]]): the answer; {name} is the
# credential's, {status}
sub ask
{
    my ($path, $headers, $method, $body) = @_;

    $method ||= 'POST';
    $body = $method eq 'POST' ? '{"query":"{ me { id } }"}' : ''
        unless defined $body;

    my $socket = $s->send(join("\r\n", "$method $path HTTP/1.1",
                               'Host: localhost', 'Connection: close',
                               'Content-Type: application/json', @$headers,
                               'Content-Length: ' . length $body) . "\r\n\r\n"
                          . $body) or return { status => 0 };
    my $answer = $s->receive($socket) || { status => 0 };

    ($answer->{name}) = ($answer->{head} || '') =~ /^X-Credential: (\S+)/m;
    ($answer->{cookie}) = ($answer->{head} || '') =~ /^Set-Cookie: ([^;]+)/m;

    return $answer;
}


# name(headers): what /free calls the credential
sub name
{
    return ask('/free', [@_])->{name};
}


# what names a credential

my $name = name("X-API-Key: $key");

like($name, qr/^[0-9a-f]{16}$/, 'sixteen digits');

my %names;

$names{name($_ % 2 ? "X-API-Key: $key" : "Authorization: Bearer $key")}++
    for 1 .. 20;

is_deeply(\%names, { $name => 20 }, 'one name in all workers and headers');
is(name("authorization: bearer  $key", "x-api-key: $key"), $name, 'in both');
is(name("X-API-Key: $key", 'Authorization: Basic pmt_x'), $name,
   'beside what authentication ignores');
isnt(name("X-API-Key: $bob"), $name, "another's");

for ([ 'none' ], [ 'no key', 'X-API-Key: pmt_x' ],
     [ 'a wrong checksum', 'X-API-Key: ' . substr($key, 0, -6) . '000000' ],
     [ 'two keys', "X-API-Key: $key", "X-API-Key: $bob" ],
     [ 'another scheme', "Authorization: Basic $key" ])
{
    my ($what, @headers) = @$_;

    is(name(@headers), undef, "empty: $what");
    is(ask('/free', \@headers)->{status}, 401, 'and 401');
}

# sessions

my $cookie = ask('/session', [ 'Sec-Fetch-Site: same-origin' ], 'POST',
                 qq({"email":"alice\@example.com","password":"$password"}))
             ->{cookie};
my @own = ("Cookie: $cookie", 'Sec-Fetch-Site: same-origin');
my $session = name(@own);

like($session, qr/^[0-9a-f]{16}$/, "a session's");
isnt($session, $name, 'not that of the key');
is(name(@own, "X-API-Key: $key"), $name, 'beside a key the cookie is nothing');
is(name("Cookie: $cookie", 'Sec-Fetch-Site: cross-site'), undef,
   'nor from another site');
is(ask('/session', \@own, 'GET')->{name}, $session, 'who is signed in');
is(ask('/session', [ @own, "X-API-Key: $key" ], 'GET')->{name}, $session,
   'which is known by the cookie alone');

# a reload, which zones of limits survive

my @before = $s->workers;

$s->reload;
PromptTest::Server::gone($_, 20) for @before;
is(name("X-API-Key: $key"), $name, 'after a reload');

# nothing that could be computed elsewhere

isnt($name, substr(sha256_hex($key), 0, 16), 'no plain hash');

my $other = PromptTest::Server->new(server => $locations, http => $zones);

{
    local $s = $other;

    like(name("X-API-Key: $key"), qr/^[0-9a-f]{16}$/, 'at another server');
    isnt(name("X-API-Key: $key"), $name, 'is another');
}

ok($other->stop, 'which ends');

# the recipe: one key, and beside it a new thing each time that could be taken
# for one

sub noise
{
    my ($i) = @_;
    my $junk = sprintf('pmt_%06d', $i) . 'x' x 32;

    return ("Authorization: Basic $junk",
            'Cookie: prompt_session=pms_' . substr($junk, 4));
}

my %count;

$count{ask('/graphql', [ "X-API-Key: $key", noise($_) ])->{status}}++
    for 1 .. 100;

cmp_ok($count{200}, '<=', 45, 'a key is counted once, whatever is beside it');
cmp_ok($count{200}, '>=', 41, 'and is let in as often as the limit says');
is(($count{200} || 0) + ($count{429} || 0), 100, 'the others hear 429');

is(ask('/graphql', [ "X-API-Key: $bob" ])->{status}, 200,
   'another key is let in');
is(ask('/graphql', \@own)->{status}, 200, 'and a session');

SKIP: {
    skip 'no HTTP/2 here', 2 unless $has_h2;

    my %of;

    for my $i (1 .. 100) {
        open my $out, '-|', 'curl', '-q', '-s', '--http2-prior-knowledge',
            (map { ('-H', $_) } "X-API-Key: $bob", noise($i)),
            '-o', '/dev/null', '-w', '%{http_code} %{http_version}',
            "http://127.0.0.1:$h2/graphql?query=%7Bme%7Bid%7D%7D" or die "curl: $!\n";
        $of{<$out> // ''}++;
        close $out;
    }

    cmp_ok($of{'200 2'}, '<=', 45, 'over HTTP/2, too');
    is(($of{'200 2'} || 0) + ($of{'429 2'} || 0), 100, 'the others hear 429');
}

ok($s->stop, 'nginx ends');
is_deeply([ $s->faults(qr/limiting requests/) ], [], 'a clean error log');

done_testing();
