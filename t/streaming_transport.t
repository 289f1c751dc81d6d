# Streams on their way: HTTP/2, another nginx in front, compression, promptctl.

use strict;
use warnings;

use lib 't/lib';

use IO::Select;
use IO::Socket::INET;
use PromptTest::Env;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

my ($version) = `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/([\d.]+)};
my ($major, $minor, $patch) = split /\./, $version;
my $on = $major * 1e6 + $minor * 1e3 + $patch >= 1025001;
my $built = `$PromptTest::Env::nginx -V 2>&1`;
my $http2 = $built =~ /http_v2_module/;
my ($word, $line) = !$http2 ? ('', '') : $on ? ('', 'http2 on;')
                                             : (' http2', '');
my $port = PromptTest::Env::free_port() + 300;
my $front = $port + 1;
my $behind = $port + 2;

PromptTest::Env::setup();

my $server = PromptTest::Env::server_config('');

my $s = PromptTest::Server->new(http => <<"END");
    prompt_provider long /_provider/openai timeout=60s;
    prompt_model long-fx:* provider=long input=0.15 output=0.60;

    gzip on;
    gzip_types text/event-stream;
    gzip_min_length 1;
    gzip_proxied any;

    server {
        listen 127.0.0.1:$port$word;
        $line
$server
    }
    server {
        listen 127.0.0.1:$behind;
$server
    }
    server {
        listen 127.0.0.1:$front;
        location / {
            proxy_buffering on;
            proxy_pass http://127.0.0.1:$behind;
            proxy_http_version 1.1;
        }
    }
END

sub prompt
{
    return PromptTest::Stream::prompt($s, @_);
}


sub row
{
    my ($id) = @_;
    my $row = PromptTest::Env::psql("SELECT status, output, token_in, "
        . "token_out FROM executions WHERE prompt_id = '$id'");

    chomp $row;
    return $row;
}


# a nginx in front that buffers what it may

{
    my $id = prompt('long-fx:text=one%20two%20three,pause=300');
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                       PeerPort => $front) or die "$!\n";

    syswrite $socket, PromptTest::Stream::request($s, $id);

    my $text = PromptTest::Stream::receive($socket, qr/"one "/);
    my $calls = PromptTest::Env::provider_control('log');

    ok(!$calls->[-1]{finished}, 'through another nginx: events as they come');

    $text .= PromptTest::Stream::receive($socket);

    my $got = PromptTest::Stream::parse($text);

    is($got->{result}{output}, 'one two three', 'through another nginx: all');
    is($got->{complete}, 1, 'through another nginx: the end');
}

# compressed: each event can be read when it is sent

SKIP: {
    skip 'no Compress::Zlib', 2 unless eval { require Compress::Zlib; 1 };

    my $id = prompt('long-fx:text=one%20two%20three,pause=300');
    my $request = PromptTest::Stream::request($s, $id);

    $request =~ s/\r\n/\r\nAccept-Encoding: gzip\r\n/;

    my $socket = $s->send($request);
    my $select = IO::Select->new($socket);
    my $until = time() + 20;
    my ($text, $plain) = ('', '');

    while (time() < $until && $plain !~ /"one "/) {
        next unless $select->can_read(0.1);
        last unless sysread $socket, $text, 65536, length $text;

        my $got = PromptTest::Stream::parse($text);
        my $inflate = Compress::Zlib::inflateInit(
            -WindowBits => Compress::Zlib::WANT_GZIP());
        my ($more) = $inflate->inflate($got->{body});

        $plain = $more // '';
    }

    my $calls = PromptTest::Env::provider_control('log');

    like($text, qr/^Content-Encoding: gzip/m, 'compressed');
    ok($plain =~ /"one "/ && !$calls->[-1]{finished},
       'each event is there when it is sent');
    PromptTest::Stream::receive($socket);
}

# HTTP/2, by a client that counts windows

sub curl
{
    my ($id, @more) = @_;
    my $text = PromptTest::Stream::request($s, $id);
    my ($body) = $text =~ /\r\n\r\n(.*)\z/s;
    my $key = PromptTest::Env::var('alice_key');

    open my $out, '-|', 'curl', '-sSN', '--http2-prior-knowledge',
         '--max-time', '60', '-H', "X-API-Key: $key", '-H',
         'Content-Type: application/json', '-H', 'Accept: text/event-stream',
         '-i', '--data-binary', $body, @more,
         "http://127.0.0.1:$port/graphql" or die "curl: $!\n";

    return $out;
}


SKIP: {
    skip 'no HTTP/2', 6 unless $http2 && `curl -V 2>/dev/null` =~ /HTTP2/;

    my $id = prompt('long-fx:text=one%20two%20three,pause=100');
    my $out = curl($id);
    my $text = do { local $/; <$out> };

    $text =~ s{^HTTP/2 (\d+) *}{HTTP/1.1 $1 };

    my $got = PromptTest::Stream::parse($text);

    is($got->{status}, 200, 'HTTP/2: 200');
    is($got->{result}{output}, 'one two three', 'HTTP/2: all of it');
    is(scalar @{ $got->{deltas} }, 3, 'HTTP/2: its events');

    $id = prompt('long-fx:words=20000');
    $out = curl($id);
    $text = do { local $/; <$out> };
    $text =~ s{^HTTP/2 (\d+) *}{HTTP/1.1 $1 };
    $got = PromptTest::Stream::parse($text);

    is($got->{output}, 'word ' x 20000, 'HTTP/2: more than its windows');
    is($got->{result}{output}, 'word ' x 20000, 'HTTP/2: and the result');

    # one that leaves

    $id = prompt('long-fx:text=one%20two%20three,pause=200');
    $out = curl($id, '--max-time', '0.3');
    { local $/; my $rest = <$out>; }
    close $out;

    my $until = time() + 20;

    sleep 0.05 while row($id) !~ /^(succeeded|failed)/ && time() < $until;
    is(row($id), 'succeeded|one two three|12|7',
       'HTTP/2: who leaves, the call is recorded');
}

# promptctl prints what comes

{
    local $ENV{PROMPT_URL} = "http://127.0.0.1:$s->{port}/graphql";
    local $ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_key');

    my $id = prompt('long-fx:text=one%20two%20three,pause=300');

    open my $out, '-|', $PromptTest::Env::promptctl, 'run', '--stream', $id
        or die "promptctl: $!\n";

    my $text = '';

    while ($text !~ /one /) {
        sysread $out, $text, 4096, length $text or last;
    }

    my $calls = PromptTest::Env::provider_control('log');

    ok(!$calls->[-1]{finished}, 'promptctl run --stream prints what comes');
    { local $/; $text .= <$out> // ''; }
    ok(close $out, 'promptctl run --stream: status 0');
    is($text, "one two three\n", 'promptctl run --stream: all of it');

    my $json = `$PromptTest::Env::promptctl --json run --stream $id`;
    my $result = PromptTest::Json::decode($json);

    is($result->{output}, 'one two three', 'promptctl --json: the result');

    $id = prompt('fx:text=Hm,tool=weather%3A%7B%22city%22%3A%22Bern%22%7D');
    $text = `$PromptTest::Env::promptctl run --stream $id`;
    is($text, "Hm\nweather {\"city\":\"Bern\"}\n",
       'promptctl: calls of tools after the text');

    my $keyed = "run --stream --idempotency-key k $id";

    $text = `$PromptTest::Env::promptctl $keyed 2>&1`;
    is($? >> 8, 2, 'promptctl: a stream is not done once only');
    like($text, qr/--stream has no --idempotency-key/, 'promptctl: and why');

    $id = prompt('fx:text=one%20two,fail=2');
    $text = `$PromptTest::Env::promptctl run --stream $id 2>&1`;
    is($? >> 8, 1, 'promptctl: status 1 where it fails');
    like($text, qr/^one \n.*reported an error.*INTERNAL_SERVER_ERROR/s,
         'promptctl: what came, then why');

    local $ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_read_key');

    $text = `$PromptTest::Env::promptctl run --stream $id 2>&1`;
    is($? >> 8, 1, 'promptctl: status 1 without the scope');
    like($text, qr/UNAUTHENTICATED/, 'promptctl: and why');
}

ok($s->stop, 'nginx quits in time');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
