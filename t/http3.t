# HTTP/3: the same answers as over HTTP/1.1, streams as they come; a client that
# resets one stream of its connection, or goes without a word, ends its own call
# and nobody else's.  Wants nginx with HTTP/3 and a curl that speaks it, which
# PROMPT_CURL3 may name: tools/versions.sh has both.

use strict;
use warnings;

use lib 't/lib';

use IO::Socket::INET;
use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

my $curl = $ENV{PROMPT_CURL3} || PromptTest::Env::first_of('curl');

plan(skip_all => 'this nginx has no HTTP/3')
    if `$PromptTest::Env::nginx -V 2>&1` !~ /http_v3_module/;
plan(skip_all => 'there is no curl with HTTP/3')
    if `$curl --version 2>/dev/null` !~ /^Features:.*\bHTTP3\b/m;
plan(skip_all => 'there is no openssl')
    if PromptTest::Env::first_of('openssl') !~ m{/};


# what is freed is overwritten at once: who sends it is found out

$ENV{MALLOC_PERTURB_} = 165;

my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $limit = 30 * $slow;
my $s = PromptTest::Server->new;
my $cert = "$s->{dir}/cert.pem";

PromptTest::Env::run('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt',
                     'ec_paramgen_curve:prime256v1', '-nodes', '-subj',
                     '/CN=localhost', '-days', '2', '-keyout',
                     "$s->{dir}/key.pem", '-out', $cert);

my $socket = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1')
    or die "no socket: $!\n";
my $port = $socket->sockport;
my $server = PromptTest::Env::server_config('');

close $socket;

$s->configure(
    server => 'location = /pid { return 200 "$pid"; }',
    http   => <<"END");
    prompt_abandoned stop;
    prompt_provider long /_provider/openai timeout=${limit}s;
    prompt_model long-fx:* provider=long input=0.15 output=0.60;
    keepalive_timeout 5s;
    log_format quic '\$http3 \$remote_port \$status \$uri';
    server {
        listen 127.0.0.1:$port quic;
        ssl_certificate $cert;
        ssl_certificate_key $s->{dir}/key.pem;
        ssl_protocols TLSv1.3;
        access_log $s->{dir}/quic.log quic;
        client_max_body_size 2m;
$server
    }
END
$s->reload;


# arguments(PATH, BODY, MORE...): of curl, for a POST by alice

sub arguments
{
    my ($path, $body, @more) = @_;

    return ('--silent', '--insecure', '--http3-only', '--no-buffer',
            '--max-time', 2 * $limit,
            '-H', 'X-API-Key: ' . PromptTest::Env::var('alice_key'),
            '-H', 'Content-Type: application/json', '--data-raw', $body,
            @more, "https://127.0.0.1:$port$path");
}


# run(ARGUMENTS): what curl prints, and its exit status

sub run
{
    open my $out, '-|', $curl, @_ or die "$curl: $!\n";

    local $/;
    my $text = <$out> // '';

    close $out;

    return ($text, $? >> 8);
}


# graphql(QUERY, VARIABLES): { status, version, body, json }

sub body
{
    my ($query, $variables) = @_;

    return PromptTest::Json::encode({ query => $query,
                                      variables => $variables || {} });
}


sub graphql
{
    my ($text) = run(arguments('/graphql', body(@_), '-w',
                               '\n%{http_code} %{http_version}'));

    $text =~ s/\n(\d+) (\S+)\z// or return {};

    return { status => $1, version => $2, body => $text,
             json => scalar eval { PromptTest::Json::decode($text) } };
}


sub row
{
    my ($id) = @_;
    my $row = PromptTest::Env::psql('SELECT status FROM executions '
                                    . "WHERE prompt_id = '$id'");

    chomp $row;

    return $row;
}


sub ends
{
    my ($id) = @_;
    my $until = time() + $limit;

    sleep 0.05 while row($id) =~ /^(?:running)?$/ && time() < $until;

    return row($id);
}


# as over HTTP/1.1, when the new configuration is there

my $until = time() + $limit;
my $got;

do {
    sleep 0.05;
    $got = graphql('{ me { id } }');
} until ($got->{status} || 0) == 200 || time() > $until;

is($got->{version}, 3, 'HTTP/3 is spoken');
is($got->{body}, $s->ask('alice', '{ me { id } }')->{body},
   'the answer is that of HTTP/1.1');

my $pid = $s->receive($s->send(
    "GET /pid HTTP/1.1\r\nHost: l\r\nConnection: close\r\n\r\n"))->{body};

is(graphql('{ nothing }')->{json}{errors}[0]{extensions}{code},
   'BAD_USER_INPUT', 'an error of validation');

{
    my ($text) = run('--silent', '--insecure', '--http3-only', '-H',
                     'Content-Type: application/json', '--data-raw',
                     body('{ me { id } }'), '-w', '%{http_code}',
                     "https://127.0.0.1:$port/graphql");

    like($text, qr/UNAUTHENTICATED.*401\z/s, 'no key: 401');
}

my $description = 'long ' x 50_000;

{
    my $file = "$s->{dir}/body.json";

    open my $out, '>', $file or die "$file: $!\n";
    print $out body('mutation ($d: String) { createPrompt(input: {name: '
                    . '"large", description: $d}) { description } }',
                    { d => $description });
    close $out;

    my @with = arguments('/graphql', '@FILE');

    @with = map { $_ eq '--data-raw' ? '--data-binary'
                  : $_ eq '@FILE' ? "\@$file" : $_ } @with;

    my ($text) = run(@with);
    my $json = eval { PromptTest::Json::decode($text) };

    ok(defined $json, 'a long body is answered');
    like($text, qr/"description":"long|BAD_USER_INPUT/, 'as it should');
}


# executePrompt

my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
    . '{ output tokenIn } }';

{
    my $id = PromptTest::Stream::prompt($s, 'fx:delay=50,text=said');
    my $answer = graphql($run, { id => $id });

    is($answer->{json}{data}{executePrompt}{output}, 'said', 'executePrompt');
    is(row($id), 'succeeded', 'has its row');
}


# a stream, whole

my $subscription = $PromptTest::Stream::subscription;
my @stream = ('-H', 'Accept: text/event-stream');

{
    my $id = PromptTest::Stream::prompt($s, 'fx:text=one%20by%20one,pause=20');
    my ($text) = run(arguments('/graphql', body($subscription,
                                                { id => $id, in => {} }),
                               @stream));
    my $said = join '', $text =~ /"delta":"([^"]*)"/g;

    is($said, 'one by one', 'a stream');
    like($text, qr/"output":"one by one".*\nevent: complete\n/s,
         'comes to its end');
    is(row($id), 'succeeded', 'and has its row');
}


# One that is reset in the middle, beside another on the same connection: curl
# leaves a stream of which more came than it wants.

{
    my $left = PromptTest::Stream::prompt($s, 'long-fx:words=100000,pause=5');
    my $stays = PromptTest::Stream::prompt($s, 'long-fx:words=150,pause=10');
    my $file = "$s->{dir}/stays";

    run('--parallel',
        arguments('/graphql', body($subscription, { id => $left, in => {} }),
                  @stream, '--max-filesize', 4000, '-o', "$s->{dir}/left"),
        '--next',
        arguments('/v1', body($subscription, { id => $stays, in => {} }),
                  @stream, '-o', $file));

    is(ends($left), 'cancelled', 'a stream that is reset ends its call');
    is(ends($stays), 'succeeded', 'and not that of another');

    open my $in, '<', $file or die "$file: $!\n";
    local $/;
    my $text = <$in>;

    is(join('', $text =~ /"delta":"([^"]*)"/g), 'word ' x 150,
       'which says all there is to say');
    like($text, qr/\nevent: complete\n/, 'to its end');

    my %connection;

    open my $log, '<', "$s->{dir}/quic.log" or die "quic.log: $!\n";

    for (split /\n/, <$log>) {
        my ($proto, $number, $status, $uri) = split / /;

        $connection{$uri} = $number;
    }

    is($connection{'/graphql'}, $connection{'/v1'},
       'both were on one connection');
}


# Gone without a word: where nothing is acknowledged for as long as a connection
# may be idle, it ends, and what is on it.

{
    my $id = PromptTest::Stream::prompt($s, 'long-fx:words=100000,pause=5');
    my $child = open my $out, '-|', $curl,
        arguments('/graphql', body($subscription, { id => $id, in => {} }),
                  @stream)
        or die "$curl: $!\n";
    my $first = <$out>;

    ok(defined $first, 'a stream began');
    kill 'KILL', $child;
    close $out;
    is(ends($id), 'cancelled', 'its client is killed: the call ends');
}

is($s->receive($s->send(
    "GET /pid HTTP/1.1\r\nHost: l\r\nConnection: close\r\n\r\n"))->{body},
   $pid, 'it was one worker all along');
is(graphql('{ me { id } }')->{status}, 200, 'and it still answers');

ok($s->stop, 'nginx quits in time');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
