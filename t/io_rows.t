# Rows one by one (src/io): what is read is the same, memory keeps to the
# budget, and whatever happens in the middle harms nobody.  The module of t/io
# gives PostgreSQL to a location; the server is this test's own, with TLS.

use strict;
use warnings;

use lib 't/lib';

use File::Path qw(make_path remove_tree);
use IO::Select;
use IO::Socket::INET;
use PromptTest::Env;
use Test::More;
use Time::HiRes qw(sleep time);

my $root = $PromptTest::Env::root;
my $dir = "$PromptTest::Env::dir/io-rows-$$";
my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $asan = $ENV{TEST_NGINX_LD_PRELOAD};
my $mib = 1024 * 1024;
my (%services, $port, $pg_port);


sub services
{
    my ($what, @more) = @_;

    system("$root/tools/services.sh", $what, "$dir/services", @more) == 0
        or die "services $what\n";

    return if $what eq 'stop';

    open my $in, '<', "$dir/services/env" or die "env: $!\n";
    while (<$in>) {
        $services{$1} = $2 if /^(\w+)='?(.*?)'?$/;
    }
}

# PostgreSQL again, on a port of the loopback and with TLS
sub services_tls
{
    my $data = $services{SERVICES_PG_DATA};
    my ($uid, $gid) = (stat $data)[4, 5];

    $pg_port = PromptTest::Env::free_port();
    services('stop', '--keep');

    my $tls = system('openssl req -x509 -newkey rsa:2048 -nodes -batch'
                     . ' -subj /CN=localhost -days 2'
                     . " -keyout '$data/tls.key' -out '$data/tls.crt'"
                     . ' 2>/dev/null') == 0;

    if ($tls) {
        chmod 0600, "$data/tls.key";
        chown $uid, $gid, "$data/tls.key", "$data/tls.crt";
    }

    open my $conf, '>>', "$data/postgresql.conf" or die "postgresql.conf: $!\n";
    print $conf "listen_addresses = '127.0.0.1'\nport = $pg_port\n",
                $tls ? "ssl = on\n" : '',
                "ssl_cert_file = 'tls.crt'\nssl_key_file = 'tls.key'\n";
    close $conf;

    open my $hba, '>>', "$data/pg_hba.conf" or die "pg_hba.conf: $!\n";
    print $hba "hostssl all postgres 127.0.0.1/32 trust\n";
    close $hba;

    services('start');
    $ENV{PGPORT} = $pg_port;

    return $tls;
}

sub sql
{
    my ($text) = @_;

    return scalar `psql -qAtXh $services{SERVICES_PG_HOST} -U postgres -d postgres -c "$text"`;
}

sub pid_in
{
    my ($file) = @_;

    open my $in, '<', $file or return 0;
    my $line = <$in>;

    return $line =~ /^(\d+)/ ? $1 : 0;
}

sub ask
{
    my ($path) = @_;

    my $socket = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port",
                                       Timeout => 5)
        or return;

    print $socket "GET $path HTTP/1.0\r\nHost: t\r\n\r\n";

    return $socket;
}

sub answer
{
    my ($socket) = @_;

    return 'no connection' unless $socket;

    local $/;
    my $text = <$socket>;

    $text = '' unless defined $text;
    $text =~ s/^.*?\r\n\r\n//s;
    $text =~ s/\n\z//;

    return $text;
}

sub get { return answer(ask($_[0])) }

sub until_like
{
    my ($path, $want, $seconds, $name) = @_;
    my $end = time + $seconds * $slow;
    my $got;

    while (time < $end) {
        $got = get($path);
        last if $got =~ $want;
        sleep 0.02;
    }

    like($got, $want, $name);
}

sub stat_of
{
    my ($name) = @_;

    return get('/stats') =~ /\b\Q$name\E=(-?\d+)/ ? $1 : die "no $name\n";
}

# the worker's memory in KiB: VmHWM, its peak, or VmRSS
sub memory
{
    my ($what) = @_;
    my $pid = stat_of('pid');

    open my $in, '<', "/proc/$pid/status" or return;
    while (<$in>) {
        return $1 if /^$what:\s+(\d+)/;
    }

    return;
}

sub log_text
{
    open my $log, '<', "$dir/nginx/error.log" or die "error.log: $!\n";
    local $/;

    return <$log>;
}


make_path("$dir/nginx/logs");
services('start');
my $tls = services_tls();
$port = PromptTest::Env::free_port();

my $build = "$PromptTest::Env::build/io-test";

system("$root/t/io/build.sh", $build,
       $asan ? '-fsanitize=address,undefined' : ()) == 0
    or die "the test module cannot be built\n";

my $user = PromptTest::Env::worker_user();

sub start_nginx
{
    my ($conninfo, $connections, $preload) = @_;

    $connections ||= 2;

    open my $conf, '>', "$dir/nginx/nginx.conf" or die "nginx.conf: $!\n";
    print $conf "load_module $build/ngx_http_prompt_io_test_module.so;\n",
                defined $user ? "user $user;\n" : '', <<"END";
worker_processes 1;
pid $dir/nginx/nginx.pid;
error_log $dir/nginx/error.log info;
events { worker_connections 256; }
http {
    access_log off;
    client_body_temp_path $dir/nginx/body;
    proxy_temp_path $dir/nginx/proxy;
    fastcgi_temp_path $dir/nginx/fastcgi;
    uwsgi_temp_path $dir/nginx/uwsgi;
    scgi_temp_path $dir/nginx/scgi;
    io_postgres_server "$conninfo user=postgres dbname=postgres"
        connections=$connections timeout=20s;
    server {
        listen 127.0.0.1:$port;
        location /pg { io_postgres; }
        location /pg-unconditional { io_postgres unconditional; }
        location /stats { io_stats; }
    }
}
END
    close $conf;

    $preload = $asan if $asan;
    local $ENV{LD_PRELOAD} = $preload if $preload;

    system($PromptTest::Env::nginx, '-e', "$dir/nginx/error.log",
           '-p', "$dir/nginx", '-c', "$dir/nginx/nginx.conf") == 0
        or die "nginx does not start\n";

    until_like('/stats', qr/postgres: up=$connections/, 10, 'connected');
}

sub stop_nginx
{
    my $master = pid_in("$dir/nginx/nginx.pid");

    kill 'QUIT', $master;

    for (1 .. 100 * $slow) {
        last unless kill 0, $master;
        sleep 0.1;
    }

    ok(!kill(0, $master), 'nginx quits');
}


sub same_rows
{
    my ($how) = @_;
    my $budget = 64 * $mib;

    for my $case ('s=11&p=2000', 's=11&p=1', 's=11&p=0', 's=8', 's=0,11,8,11,0&p=700',
                  's=12&p=3', 's=16&p=50000', 's=0,11&p=9&snapshot=1', 's=')
    {
        my $want = get("/pg?$case&x=1");
        my $got = get("/pg?$case&x=1&b=$budget");

        like($want, qr/^ok/, "$how: $case: read as a whole");
        like($got, qr/^\Q$want\E held=\d+$/, "$how: $case: and row by row");
    }
}

sub bounded
{
    my ($how, $case, $want) = @_;

    my $connects = stat_of('connects');
    my $failures = stat_of('failures');
    my $before = memory('VmRSS');
    my $got = get("/pg?$case&b=" . 16 * $mib);

    like($got, $want, "$how: $case: $got");

    SKIP: {
        skip 'memory is that of the sanitizer', 1
            if $asan || $slow > 1 || !defined $before;

        my $grown = memory('VmHWM') - $before;

        cmp_ok($grown, '<', 24 * 1024, "$how: $case: grows by $grown KiB");
    }

    until_like('/stats', qr/postgres: up=2 in_flight=0/, 10,
               "$how: $case: and all connections are there again");
    is(stat_of('failures'), $failures, "$how: $case: no failure");
    cmp_ok(stat_of('connects') - $connects, '<=', 1,
           "$how: $case: at most one is made again");
    is(get('/pg?s=0'), 'ok 1:1', "$how: $case: the next one");
}

# 200,000 rows: others are answered meanwhile
sub alive
{
    my ($how) = @_;
    my %seen;

    for (1 .. 20) {
        my $socket = ask('/pg?s=16&p=200000&b=' . 64 * $mib);

        my $select = IO::Select->new($socket);

        until ($select->can_read(0)) {
            my $held = stat_of('held');

            $seen{$held} = 1 if $held > 0;
        }

        like(answer($socket), qr/^ok 200000:1 held=\d+$/,
             "$how: 200,000 rows");
        last if keys %seen > 2;
    }

    cmp_ok(scalar keys %seen, '>', 2,
           "$how: answered meanwhile, " . keys(%seen) . ' times');
}

sub terminate
{
    for (1 .. 500 * $slow) {
        return 1
            if sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(%' AND wait_event = 'PgSleep' AND pid <> pg_backend_pid()")
               =~ /t/;
        sleep 0.02;
    }

    return 0;
}


sql('CREATE TABLE io (id bigserial PRIMARY KEY, v text UNIQUE);'
    . "CREATE TABLE io_stored AS SELECT repeat('compressible ', 80660) AS v"
    . ' FROM generate_series(1, 600)');

start_nginx("host=$services{SERVICES_PG_HOST} port=$pg_port");

# the worker is fresh: its peak is what these took

bounded('socket', 's=12&p=70', qr/^too long held=0$/);
bounded('socket', 's=13&p=600', qr/^too long held=0$/);
bounded('socket', 's=0,12,0&p=15', qr/^ok 1:1 15:x{100} 1:1 held=\d+$/);
bounded('socket', 's=12,12&p=9', qr/^too long held=0$/);
bounded('socket', 's=16&p=3000000', qr/^too long held=0$/);
same_rows('socket');
alive('socket');

like(get('/pg?s=12&p=1&b=500000'), qr/^too long/, 'a row beyond the budget');
like(get('/pg?s=8&b=1'), qr/^too long/, 'a budget for nothing');

{
    my $got = get('/pg?s=16,11&p=1000&d=900&x=1&b=' . 64 * $mib);

    like($got, qr/^ok 1000:1 1000:.*? (\w+ \w+) held=(\d+) \1 left=(\d+)$/s,
         'rows behind those dropped stay');

    my ($held, $left) = $got =~ /held=(\d+).*left=(\d+)/;

    cmp_ok($left, '<', $held / 4, "dropped: $left of $held bytes are left");
}

{
    my $got = get('/pg?s=12&p=10&d=10&b=' . 64 * $mib);
    my ($left) = $got =~ /left=(\d+)/;

    cmp_ok($left, '<', 1000, "all dropped: $left bytes are left");
}

is(get('/pg?s=0,16,15,0&p=1000&b=' . 16 * $mib), 'error 22012 at 2 held=0',
   'an error in the middle of the rows');
is(get('/pg?s=0'), 'ok 1:1', 'and the next operation');
is(get('/pg?s=4,15&p=a&b=' . 16 * $mib), 'error 22012 at 0 held=0',
   'a statement skipped behind an error');
like(get('/pg?s=6&b=' . $mib), qr/^error 42P01/,
     'a statement that cannot be prepared');
like(get('/pg?s=17&p=w&b=1000'), qr/^ok 1000:x{100} held=0$/,
     'what writes has no budget');

{
    my $retries = stat_of('retries');
    my $socket = ask('/pg?s=14&p=1&b=' . 16 * $mib);

    ok(terminate(), 'a connection is cut in the middle of the rows');
    like(answer($socket), qr/^ok 200:x{100} held=\d+$/, 'and read again');
    is(stat_of('retries'), $retries + 1, 'once');
}

{
    my $socket = ask('/pg?s=14&p=1.5&b=' . 16 * $mib);

    until_like('/stats', qr/held=[1-9]/, 10, 'rows are there');
    close $socket;
    until_like('/stats', qr/held=0/, 10, 'the client left in the middle');
    until_like('/stats', qr/in_flight=0/, 10, 'the rest is read for nobody');
    is(get('/pg?s=0'), 'ok 1:1', 'and the next operation');
}

{
    my $socket = ask('/pg?s=12&p=100000&b=' . 2000 * $mib);

    until_like('/stats', qr/held=[1-9]/, 10, 'rows are there');
    close $socket;
    until_like('/stats', qr/up=2 in_flight=0/, 10,
               'the client left a long result: it is not read to its end');
}

{
    my $socket = ask('/pg?s=14&p=1.5&t=700&b=' . 16 * $mib);

    like(answer($socket), qr/^timeout unknown held=0$/, 'too late');
    until_like('/stats', qr/up=2 in_flight=0/, 10, 'and over');
}

{
    my @lines = grep { /too many rows/ } split /\n/, log_text();

    cmp_ok(scalar @lines, '>', 0, 'the log says why');
    is(scalar(grep { !/\[info\]/ } @lines), 0, 'quietly');
}

# a worker that is told to quit finishes what it reads

{
    my $socket = ask('/pg?s=14&p=1.5&b=' . 16 * $mib);

    until_like('/stats', qr/held=[1-9]/, 10, 'rows are there');
    stop_nginx();
    like(answer($socket), qr/^ok 200:x{100} held=\d+$/, 'quit: all rows');
}

# a connection that is worth more than what is read over it for nobody

start_nginx("host=$services{SERVICES_PG_HOST} port=$pg_port", 1);

for my $i (1 .. 5) {
    my $long = ask('/pg?s=12&p=40&b=' . 2 * $mib);

    for (1 .. 200) {
        last if stat_of('tasks') >= 3 * $i - 2;
        sleep 0.002;
    }

    my $write = ask("/pg?s=3&p=behind-$i");
    my $read = ask('/pg?s=0');

    is(answer($long), 'too long held=0', "too long, $i");
    like(answer($write), qr/^ok 1:\d+$/, 'a write behind it is done');
    is(answer($read), 'ok 1:1', 'and a read');
}

is(stat_of('unavailable'), 0, 'nobody was told otherwise');
stop_nginx();

# allocations fail, each in turn: of nginx, of libpq, of the rows

SKIP: {
    my $failing = ($ENV{PROMPT_TEST_BUILD} || "$root/build") . '/failing.so';

    skip 'allocations are those of the sanitizer', 1
        if $asan || $slow > 1 || !-e $failing;

    my $numbers = "$dir/failing";

    my $set = sub {
        open my $out, '+<', $numbers or die "failing: $!\n";
        print $out pack 'iii', $_[0], 1, 0;
        close $out;
    };

    open my $out, '>', $numbers or die "failing: $!\n";
    print $out pack 'iii', 0, 1, 0;
    close $out;
    chmod 0666, $numbers;

    local $ENV{FAILING_FILE} = $numbers;

    start_nginx("host=$services{SERVICES_PG_HOST} port=$pg_port", 1,
                $failing);

    my $pid = stat_of('pid');
    my $want = get('/pg?s=0,11&p=8&x=1&b=' . $mib);
    my $wrong = '';

    like($want, qr/^ok/, 'all allocations succeed');

    for my $n (1 .. 70) {
        $set->($n);

        my $got = get('/pg?s=0,11&p=8&x=1&t=2000&b=' . $mib);

        $set->(0);

        # libpq waits on where it has no memory for the result of a Sync

        $wrong .= "$n: $got\n"
            if $got ne $want && $got !~ /^(unavailable|timeout|refused|$)/
               && $got !~ /Internal Server Error/;

        for (1 .. 500) {
            last if get('/stats') =~ /postgres: up=1 in_flight=0/;
            sleep 0.01;
        }

        my $next = get('/pg?s=0,11&p=8&x=1&b=' . $mib);

        $wrong .= "behind $n: $next\n" if $next ne $want;
    }

    is($wrong, '', 'each failing allocation: all of it, or an error');
    is(stat_of('pid'), $pid, 'and the worker goes on');
    stop_nginx();
}

SKIP: {
    skip 'no TLS here', 1 unless $tls;

    start_nginx("host=127.0.0.1 port=$pg_port sslmode=require");
    is(sql('SELECT count(*) > 1 FROM pg_stat_ssl WHERE ssl'), "t\n",
       'TLS: in use');
    bounded('TLS', 's=12&p=70', qr/^too long held=0$/);
    bounded('TLS', 's=13&p=600', qr/^too long held=0$/);
    bounded('TLS', 's=0,12,0&p=15', qr/^ok 1:1 15:x{100} 1:1 held=\d+$/);
    same_rows('TLS');
    alive('TLS');
    stop_nginx();
}

{
    my @faults = PromptTest::Env::log_faults(log_text(),
                                     qr/\(12: Cannot allocate memory\)/);

    is("@faults", '', 'a clean log');
}

done_testing();

END {
    my $status = $?;

    if (-d $dir) {
        my $pid = pid_in("$dir/nginx/nginx.pid");

        kill 'KILL', $pid if $pid;
        eval { services('stop') };
        remove_tree($dir) unless $ENV{PROMPT_TEST_KEEP};
    }

    $? = $status;
}
