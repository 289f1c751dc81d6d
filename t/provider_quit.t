# worker_shutdown_timeout and calls over HTTP/2, whose streams are none of the
# worker's connections: they are cut off, too, and recorded.

use strict;
use warnings;

use lib 't/lib';
use IO::Socket::INET;
use JSON::PP ();
use PromptTest::Env;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

my ($version) = `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/(\S+)};
my ($major, $minor, $patch) = split /\./, $version;
my $on = $major * 1e6 + $minor * 1e3 + $patch >= 1025001;

plan(skip_all => 'this nginx has no HTTP/2')
    if `$PromptTest::Env::nginx -V 2>&1` !~ /http_v2_module/;

my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $provider = PromptTest::Env::provider();
my $locations = "location = /_hanging {
    internal; proxy_pass http://127.0.0.1:$provider/hanging;
    proxy_ignore_client_abort on;
}";
my $http = "prompt_provider hanging /_hanging timeout=100s;
            prompt_model hanging-fx:* provider=hanging;";
my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
          . '{ output } }';

sub within
{
    my ($seconds, $code) = @_;
    my $until = time() + $seconds * $slow;

    sleep 0.05 until $code->() || time() > $until;

    return $code->();
}

sub calls
{
    return scalar grep { $_->{url} =~ m{^/hanging} }
                       @{ PromptTest::Env::provider_control('log') };
}

for my $way ('stays', 'has left') {
    PromptTest::Env::provider_control('clear');

    my $s = PromptTest::Server->new(main => 'worker_shutdown_timeout 500ms;',
                                    http => $http, server => $locations);
    my $port = PromptTest::Env::free_port();

    $s->configure(http => $http . 'server { '
                  . ($on ? "listen 127.0.0.1:$port; http2 on;"
                         : "listen 127.0.0.1:$port http2;")
                  . PromptTest::Env::server_config($locations) . '}');
    $s->reload;
    within(20, sub { IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                           PeerPort => $port) });

    my $id = $s->ask('alice', 'mutation ($n: String!) { createPrompt(input: '
                     . '{name: $n}) { id } }', { n => $way })
        ->{json}{data}{createPrompt}{id};

    $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
            . '{ createPromptVersion(input: $i) { id } }',
            { i => { promptId => $id, content => 'x',
                     params => { model => 'hanging-fx:hang' } } });

    my $body = JSON::PP->new->encode({ query => $run,
                                       variables => { id => $id } });
    my $key = PromptTest::Env::var('alice_key');
    my $pid = open my $client, '|-', PromptTest::Env::first_of('node'), '-e',
        'const { Raw } = require("./t/lib/http2.js");'
        . 'new Raw({ port: process.argv[1] }).open().then((c) => c.request({ '
        . 'key: process.argv[2], body: process.argv[3] }));',
        $port, $key, $body;

    ok(within(20, sub { calls() == 1 }), 'a provider is asked');

    if ($way eq 'has left') {
        kill KILL => $pid;
        close $client;
    }

    ok($s->stop, "a client that $way: nginx leaves in its time");
    like(PromptTest::Env::psql('SELECT status, error FROM executions '
                               . "WHERE prompt_id = '$id'"),
         qr/^failed\|The call was cut off: the server ended the request\.$/,
         'the call is recorded');
    is_deeply([ $s->faults ], [], 'clean error log');

    kill KILL => $pid;
}

done_testing();
