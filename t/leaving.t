# Clients that leave before there is an answer: the request ends at once,
# whatever it waits for, also where the client went right behind its request.

use strict;
use warnings;

use lib 't/lib';

use IO::Socket::INET;
use IPC::Open2 qw(open2);
use PromptTest::Env;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my ($version) = `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/([\d.]+)};
my ($major, $minor, $patch) = split /\./, $version;
my $on = $major * 1e6 + $minor * 1e3 + $patch >= 1025001;
my $http2 = `$PromptTest::Env::nginx -V 2>&1` =~ /http_v2_module/;
my $port = PromptTest::Env::free_port() + 300;
my ($word, $line) = !$http2 ? ('', '') : $on ? ('', 'http2 on;')
                                             : (' http2', '');

PromptTest::Env::setup();

my $server = PromptTest::Env::server_config('');

# keys are asked for of PostgreSQL, which is given time

my $s = PromptTest::Server->new(
    redis    => '127.0.0.1:1',
    postgres => '"' . PromptTest::Env::conninfo('prompt_app')
                . '" connections=2 timeout=20s',
    server   => 'access_log access.log left;',
    http     => <<"END");
    log_format left '\$status';
    server {
        listen 127.0.0.1:$port$word;
        $line
        access_log access.log left;
$server
    }
END


my ($out, $in);

my $psql = open2($out, $in, PromptTest::Env::first_of('psql'), '-X', '-q',
                 '-A', '-t', '-h', PromptTest::Env::var('pg_host'), '-U',
                 'postgres', '-d', PromptTest::Env::var('database'));

# locked(TABLE): until unlocked() nobody reads it

sub locked
{
    print $in "BEGIN; LOCK $_[0] IN ACCESS EXCLUSIVE MODE; SELECT 'locked';\n";
    $in->flush;
    <$out>;
}


sub unlocked
{
    print $in "COMMIT; SELECT 'free';\n";
    $in->flush;
    <$out>;
}


# logged(N): the statuses, when there are N, or it took longer than all limits

sub logged
{
    my ($n) = @_;
    my $until = time() + 30 * $slow;
    my @lines;

    do {
        open my $log, '<', "$s->{dir}/access.log" or return ();
        @lines = <$log>;
        chomp @lines;
        sleep 0.02 if @lines < $n;
    } while (@lines < $n && time() < $until);

    return @lines;
}


# waiting(N): whether N of nginx's statements wait for the lock

sub waiting
{
    my ($n) = @_;
    my $until = time() + 10 * $slow;

    while (time() < $until) {
        return 1 if PromptTest::Env::psql("SELECT count(*) >= $n FROM "
            . "pg_stat_activity WHERE usename = 'prompt_app' AND datname = "
            . "current_database() AND wait_event_type = 'Lock'") =~ /t/;
        sleep 0.02;
    }

    return 0;
}


my $request = $s->request('alice', '{ prompts { id } }');
my $count = 0;

# HTTP/2: a query by GET, and a RST_STREAM of it

sub frame
{
    my ($type, $flags, $id, $payload) = @_;

    return substr(pack('N', length $payload), 1) . pack('CCN', $type, $flags,
                                                        $id) . $payload;
}


my $path = '/graphql?query=%7Bprompts%7Bid%7D%7D';
my $key = PromptTest::Env::var('alice_key');
my $stream = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" . frame(4, 0, 0, '')
    . frame(1, 5, 1, "\x82\x86\x04" . chr(length $path) . $path
                     . "\x01\x09localhost\x00\x09x-api-key"
                     . chr(length $key) . $key);
my $reset = frame(3, 0, 1, pack('N', 8));


sub h2
{
    my ($text) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                       PeerPort => $port) or die "$!\n";

    syswrite $socket, $text;
    return $socket;
}


for my $table ('api_keys', 'prompts') {
    my $for = $table eq 'prompts' ? 'rows' : 'its key';

    locked($table);

    # the worker sees both in one event
    kill STOP => $s->workers;
    close $s->send($request);
    kill CONT => $s->workers;
    is((logged(++$count))[-1], 499, "leaves right behind its request, for $for");

    my $socket = $s->send($request);

    ok(waiting(1), "a request waits for $for");
    close $socket;
    is((logged(++$count))[-1], 499, "leaves while it waits for $for");

    # what comes behind a request is no departure
    $socket = $s->send($request . $request);
    ok(waiting(1), "a request with another one behind it waits for $for");
    shutdown $socket, 1;
    is((logged(++$count))[-1], 499, "and sends no more: for $for");
    close $socket;

    SKIP: {
        skip('this nginx has no HTTP/2', 5) unless $http2;

        $socket = h2($stream . $reset);
        is((logged(++$count))[-1], 499, "resets its stream at once, for $for");

        $socket = h2($stream);
        ok(waiting(1), "a stream waits for $for");
        syswrite $socket, $reset;
        is((logged(++$count))[-1], 499, "resets its stream, for $for");

        $socket = h2($stream);
        ok(waiting(1), "another stream waits for $for");
        close $socket;
        is((logged(++$count))[-1], 499, "closes its connection, for $for");
    }

    unlocked();
}

is(($s->ask('alice', '{ prompts { id } }') || {})->{status}, 200,
   'who stays is answered');

close $in;
waitpid $psql, 0;

ok($s->stop, 'nginx quits in time');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
