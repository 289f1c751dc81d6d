# PostgreSQL is away, and nothing was executed: 503 with Retry-After, whatever
# the client accepts and over either protocol; an event stream does not begin.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Server;
use Test::More;

my ($major, $minor, $patch) =
    `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/(\d+)\.(\d+)\.(\d+)};
my ($word, $line) = $major * 1e6 + $minor * 1e3 + $patch >= 1025001
                    ? ('', 'http2 on;') : (' http2', '');
my @protocols = ('--http1.1');

push @protocols, '--http2-prior-knowledge'
    if `$PromptTest::Env::nginx -V 2>&1` =~ /http_v2_module/
       && `curl --version` =~ /\bHTTP2\b/;

my $sign = 'location = /session { prompt_session insecure; }';

# what is cached in Redis by it is known to the next one
my $s = PromptTest::Server->new(server => $sign);
is($s->ask('alice', '{ me { id } }')->{status}, 200, 'a key that is cached');

my $away = '"host=/nonexistent user=x dbname=x password=x"'
           . ' connect_timeout=300ms timeout=300ms';
my $other = PromptTest::Server->new(postgres => $away, server => $sign);
my $h2 = PromptTest::Env::free_port();

$other->configure(http => "server { listen 127.0.0.1:$h2$word; $line "
                          . PromptTest::Env::server_config($sign) . ' }');
$other->reload;


# a session that is cached, too

my $password = 'canary correct horse battery';
my $signing = "{\"email\":\"alice\@example.com\",\"password\":\"$password\"}";

open my $ctl, '|-', $PromptTest::Env::promptctl, '--database',
     PromptTest::Env::conninfo('prompt_owner'), 'user', 'password',
     'alice@example.com' or die "promptctl: $!\n";
print $ctl "$password\n";
close $ctl;

my ($cookie) = (curl($s->{port}, '--http1.1', '/session', '-H',
                     'Content-Type: application/json', '-d', $signing))[1]
               =~ /^set-cookie: ([^;]+)/mi;

ok($cookie, 'somebody signs in');
is((curl($s->{port}, '--http1.1', '/session', '-b', $cookie))[0], 200,
   'and is known');


# curl($port, $protocol, $path, @arguments): ( status, headers, body )
sub curl
{
    my ($port, $protocol, $path, @arguments) = @_;

    open my $in, '-|', 'curl', '-si', '-m', 20, $protocol, @arguments,
         "http://127.0.0.1:$port$path" or die "curl: $!\n";
    local $/;
    my ($head, $body) = split /\r?\n\r?\n/, scalar <$in>, 2;

    return ($head =~ m{^HTTP/\S+ (\d+)} ? $1 : 0, $head, $body);
}


sub unavailable
{
    my ($what, $protocol, $path, @arguments) = @_;
    my ($status, $head, $body) = curl($protocol eq '--http1.1'
                                      ? $other->{port} : $h2, $protocol, $path,
                                      @arguments);

    is($status, 503, "$protocol, $what: 503");
    like($head, qr/^retry-after: 5\r?$/mi, 'and when to come again');
    like($head, qr{^content-type: application/(graphql-response\+)?json}mi,
         'no stream');
    like($body, qr/"code":"INTERNAL_SERVER_ERROR"/, 'and why');
}


my $mutation = '{"query":"mutation { createPrompt(input: {name: \"n\"}) '
               . '{ id } }"}';
my $stream = '{"query":"subscription { executePrompt(promptId: '
             . '\"01890000-0000-7000-8000-000000000001\", input: {}) '
             . '{ __typename } }"}';

for my $protocol (@protocols) {
    for my $accept ('', 'application/json', '*/*', 'text/event-stream',
                    'application/graphql-response+json')
    {
        my @headers = ('-H', 'Content-Type: application/json',
                       $accept eq '' ? ('-H', 'Accept:')
                                     : ('-H', "Accept: $accept"));

        # nobody has asked with it before
        unavailable("key, '$accept'", $protocol, '/graphql', @headers, '-H',
                    'X-API-Key: ' . PromptTest::Env::var('bob_read_key'), '-d',
                    $accept =~ /event/ ? $stream : $mutation);

        next if $accept =~ /event/;

        unavailable("Idempotency-Key, '$accept'", $protocol, '/graphql',
                    @headers, '-H', 'Idempotency-Key: k', '-H', 'X-API-Key: '
                    . PromptTest::Env::var('alice_key'), '-d', $mutation);
    }

    unavailable('sign in', $protocol, '/session', '-H',
                'Content-Type: application/json', '-d', $signing);
    unavailable('session', $protocol, '/session', '-b', $cookie);
}

$_->stop for $s, $other;
is_deeply([ $other->faults(qr/nonexistent/) ], [], 'a clean error log');

done_testing();
