# src/io by itself: what Redis, PostgreSQL and providers can do to it.  The
# module of t/io gives the three to locations; its servers are this test's own,
# so that they can be killed and stopped.

use strict;
use warnings;

use lib 't/lib';

use File::Path qw(make_path remove_tree);
use IO::Socket::INET;
use PromptTest::Env;
use Test::More;
use Time::HiRes qw(sleep time);

my $root = $PromptTest::Env::root;
my $dir = "$PromptTest::Env::dir/io-$$";
my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $asan = $ENV{TEST_NGINX_LD_PRELOAD};
my $port = PromptTest::Env::free_port();
my ($place, %services);


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

sub pid_in
{
    my ($file) = @_;

    open my $in, '<', $file or return 0;
    my $line = <$in>;

    return $line =~ /^(\d+)/ ? $1 : 0;
}

sub redis_pid { return pid_in("$services{SERVICES_PLACE}/redis.pid"); }

sub postmaster { return pid_in("$services{SERVICES_PG_DATA}/postmaster.pid"); }

# the postmaster and its children
sub postgres_pids
{
    my $pid = postmaster();

    return ($pid, split ' ', `ps -o pid= --ppid $pid`);
}

# get(PATH [, BODY]): the answer's body, and how long it took
sub get
{
    my ($path, $body) = @_;
    my $start = time;
    my $socket = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port",
                                       Timeout => 5)
        or return ('no connection', 0);

    if (defined $body) {
        print $socket "POST $path HTTP/1.0\r\nHost: t\r\n"
                      . "X-API-Key: canary-client-key\r\nContent-Length: "
                      . length($body) . "\r\n\r\n$body";
    } else {
        print $socket "GET $path HTTP/1.0\r\nHost: t\r\n\r\n";
    }

    local $/;
    my $text = <$socket>;

    $text = '' unless defined $text;
    $text =~ s/^.*?\r\n\r\n//s;
    $text =~ s/\n\z//;

    return wantarray ? ($text, time - $start) : $text;
}

# sql(TEXT...): in one session, what the last one says
sub sql
{
    my $got = '';

    open my $psql, '-|', 'psql', '-qAtXh', $services{SERVICES_PG_HOST}, '-U',
         'postgres', '-d', 'postgres', map { ('-c', $_) } @_
        or die "psql: $!\n";

    $got = $_ while <$psql>;
    close $psql;
    chomp $got;

    return $got;
}

sub until_is
{
    my ($path, $want, $seconds, $name) = @_;
    my $end = time + $seconds * $slow;
    my $got;

    while (time < $end) {
        $got = get($path);
        last if $got eq $want;
        sleep 0.05;
    }

    is($got, $want, $name);
}

sub parallel
{
    my ($n, $act) = @_;
    my @children;

    for (1 .. $n) {
        my $pid = fork;

        if (!$pid) {
            $act->();
            require POSIX;
            POSIX::_exit(0);
        }

        push @children, $pid;
    }

    return @children;
}


make_path("$dir/nginx/logs");
services('start');

my $build = "$PromptTest::Env::build/io-test";

system("$root/t/io/build.sh", $build,
       $asan ? '-fsanitize=address,undefined' : ()) == 0
    or die "the test module cannot be built\n";

my $provider = PromptTest::Env::provider();
my $user = PromptTest::Env::worker_user();
my %fault = (
    ok => 'ok', hang => 'hang', headers => 'headers-only', drip => 'drip=50',
    cut => 'cut=20', reset => 'reset=20', close => 'close', big => 'big=3000000',
    large => 'big=900000', accel => 'accel=%2Fsecret', redirect => 'redirect=%2Fx',
    status => 'status=500', late => 'delay=700', stop => 'stop=20',
    bad => 'bad-chunk'
);

my $locations = join '', map { <<"END" } sort keys %fault;
    location = /call/$_ { io_provider /p/$_ 1s 1m; }
    location = /p/$_ {
        internal;
        proxy_pass http://127.0.0.1:$provider/v1/chat/completions/fx:$fault{$_};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Authorization "Bearer canary-provider-key";
        proxy_ignore_client_abort on;
    }
END

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
    io_redis_server unix:$services{SERVICES_REDIS};
    io_postgres_server
        "host=$services{SERVICES_PG_HOST} user=postgres dbname=postgres"
        connections=4 timeout=1s;
    limit_req_zone \$binary_remote_addr zone=z:64k rate=5r/s;
    server {
        listen 127.0.0.1:$port;
        location /redis { io_redis; }
        location /redis-long { io_redis 3s; }
        location /pg { io_postgres; }
        location /pg-unconditional { io_postgres unconditional; }
        location /stats { io_stats; }
        location = /secret { internal; return 200 SECRET; }
$locations
        location = /call/refused { io_provider /p/refused 1s; }
        location = /p/refused { internal; proxy_pass http://127.0.0.1:1; }
        location = /call/fallback { io_provider /p/fallback 1s; }
        location = /p/fallback {
            internal; proxy_pass http://127.0.0.1:1; error_page 502 = \@ok;
        }
        location \@ok { return 200 fallback; }
        location = /call/off { io_provider /p/off 5s; }
        location = /p/off {
            internal;
            proxy_pass http://127.0.0.1:$provider/v1/chat/completions/fx:hang;
        }
        location = /call/delayed { io_provider /p/delayed 1s; }
        location = /p/delayed {
            internal; limit_req zone=z burst=5;
            proxy_pass http://127.0.0.1:$provider/v1/chat/completions/fx:ok;
        }
    }
}
END
close $conf;

my $admin = "$services{SERVICES_PG_HOST}";

system('psql', '-qXh', $admin, '-U', 'postgres', '-d', 'postgres', '-c',
       'CREATE TABLE io (id bigserial PRIMARY KEY, v text UNIQUE);'
       . 'CREATE TABLE io_change (a int); CREATE TABLE io_row (v text);'
       . "INSERT INTO io_row VALUES ('first'), ('second');"
       . 'GRANT ALL ON io, io_change TO public')
    == 0 or die "psql\n";

{
    local $ENV{LD_PRELOAD} = $asan if $asan;

    system($PromptTest::Env::nginx, '-e', "$dir/nginx/error.log",
           '-p', "$dir/nginx", '-c', "$dir/nginx/nginx.conf") == 0
        or die "nginx does not start\n";
}


# Redis

until_is('/redis?PING', 'status 0 PONG', 3, 'Redis: connected');
is(get('/redis?SET&a&hello'), 'status 0 OK', 'Redis: a status');
is(get('/redis?GET&a'), 'string 0 hello', 'Redis: a string');
is(get('/redis?GET&none'), 'nil 0 ', 'Redis: nil');
is(get('/redis?INCR&n'), 'integer 1 ', 'Redis: an integer');
like(get('/redis?NONSENSE'), qr/^error 0 ERR/, 'Redis: an error');

kill 'STOP', redis_pid();
{
    my ($text, $took) = get('/redis?GET&a');

    is($text, 'timeout 0 ', 'Redis stopped: a time-out');
    cmp_ok($took, '<', 0.3 * $slow, 'Redis stopped: in time');
    is(get('/redis?GET&a'), 'refused', 'Redis stopped: then refused at once');
}
kill 'CONT', redis_pid();
until_is('/redis?GET&a', 'string 0 hello', 2,
         'Redis goes on: the late answer is no other command\'s');

kill 'STOP', redis_pid();
get('/redis?GET&a');
sleep 1.6 * $slow;
like(get('/stats'), qr/redis: up=0/, 'Redis stopped for long: given up');
kill 'CONT', redis_pid();
until_is('/redis?GET&a', 'string 0 hello', 4, 'Redis goes on: connected again');

kill 'KILL', redis_pid();
sleep 0.3;
is(get('/redis?GET&a'), 'refused', 'Redis killed: refused');
services('start');
until_is('/redis?PING', 'status 0 PONG', 4, 'Redis started: connected again');


# PostgreSQL

until_is('/pg?s=0', 'ok 1:1', 3, 'PostgreSQL: connected');
is(get('/pg?s=1,0,5&p=3'), 'ok 1:3 1:1 3:' . 'x' x 100,
   'PostgreSQL: three statements');
is(get('/pg?s=3,4&p=lost'), 'error 22012 at 1',
   'PostgreSQL: the statement that failed');
is(get('/pg?s=7'), 'ok 1:0', 'PostgreSQL: and took the others with it');
is(get('/pg?s=3&p=kept'), 'ok 1:2', 'PostgreSQL: written');
is(get('/pg?s=3&p=kept'), 'error 23505 at 0', 'PostgreSQL: unique');
is(get('/pg?s=5&p=50000'), 'ok 50000:' . 'x' x 100, 'PostgreSQL: 5 MB');

is(get('/pg?s=9'), 'ok 0', 'PostgreSQL: prepared');
system('psql', '-qXh', $admin, '-U', 'postgres', '-d', 'postgres', '-c',
       'ALTER TABLE io_change ADD b text');
is(get('/pg?s=9'), 'ok 0', 'PostgreSQL: the table changed underneath');

# what is too much for a connection goes, before what is prepared in its place

{
    my @wrong;

    for my $i (1 .. 40) {
        my ($where, $want) = @{[
            ['20,0,4&p=lost', 'error 22012 at 2'],
            ['20,0', 'ok 1:heavy 1:1'], ['0,21', 'ok 1:1 1:heavier']
        ]->[$i % 3]};
        my $text = get("/pg?s=$where");

        push @wrong, $text if $text ne $want;
    }

    is("@wrong", '', 'PostgreSQL: statements that push each other out');
}

{
    my ($text, $took) = get('/pg?s=2&p=5');

    is($text, 'error 57014 at 0',
       'PostgreSQL: a slow statement ends before its time is over');
    cmp_ok($took, '<', 1.3 * $slow, 'PostgreSQL: in time');
    is(get('/pg?s=2,3&p=5'), 'error 57014 at 0',
       'PostgreSQL: so it is known that nothing was changed');
}

for (1 .. 100) {
    last if get('/stats') =~ /postgres: up=4/;
    sleep 0.05;
}

{
    # the postmaster first, so that no child of it is born unseen
    kill 'STOP', postmaster();

    my @pids = postgres_pids();

    kill 'STOP', @pids;

    my ($text, $took) = get('/pg?s=0');

    like($text, qr/^(timeout|unavailable)/, 'PostgreSQL stopped: a time-out');
    cmp_ok($took, '<', 1.3 * $slow, 'PostgreSQL stopped: in time');
    is(get('/redis?PING'), 'status 0 PONG', 'PostgreSQL stopped: Redis is not');
    kill 'CONT', @pids;
}
until_is('/pg?s=0', 'ok 1:1', 7, 'PostgreSQL goes on');

{
    my $file = "$services{SERVICES_PG_DATA}/postmaster.pid";

    # as good as a crash, but for the file, which pg_ctl looks at
    kill 'QUIT', postmaster();

    for (1 .. 100) {
        last unless -e $file;
        sleep 0.05;
    }

    is(get('/pg?s=0&t=300'), 'unavailable', 'PostgreSQL crashed: unavailable');
    services('start');
}
until_is('/pg?s=0', 'ok 1:1', 5, 'PostgreSQL started: connected again');
is(get('/pg?s=7'), 'ok 1:1', 'PostgreSQL started: what was kept is there');

# a connection is cut under what runs on it

# the answer to PATH, whose connection to PostgreSQL is cut meanwhile
sub get_cut
{
    my ($path) = @_;

    my $pid = open(my $child, '-|') // die "fork: $!\n";

    if (!$pid) {
        print scalar get($path);
        close STDOUT;
        require POSIX;
        POSIX::_exit(0);
    }

    my $cut = '';

    for (1 .. 100 * $slow) {
        $cut = `psql -qAtXh $admin -U postgres -d postgres -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(%' AND state = 'active' AND pid <> pg_backend_pid()"`;
        last if $cut =~ /t/;
        sleep 0.02;
    }

    my $got = <$child>;

    close $child;

    return $cut =~ /t/ ? $got : "not cut: $got";
}

is(get_cut('/pg?s=2&p=1.5&t=4000'), 'ok 1:',
   'PostgreSQL cut: what only reads is read again');
like(get_cut('/pg?s=2,3&p=1.5&t=4000'), qr/^ok 1: 1:\d+$/,
   'PostgreSQL cut: what PostgreSQL says it rolled back is done again');
is(sql("SELECT count(*) FROM io WHERE v = '1.5'"), '1',
   'PostgreSQL cut: and is there once');
sql("DELETE FROM io WHERE v = '1.5'");


# who stands before whom

# what runs, and what waits
my $sleeping = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active'"
               . " AND wait_event = 'PgSleep'";

# starts a request; answer() has what came
sub ask
{
    my ($path) = @_;
    my $pid = open(my $child, '-|') // die "fork: $!\n";

    if (!$pid) {
        print scalar get($path);
        close STDOUT;
        require POSIX;
        POSIX::_exit(0);
    }

    return $child;
}

sub answer
{
    my ($child) = @_;
    my $got = <$child>;

    close $child;

    return $got;
}

sub until_sql
{
    my ($query, $want, $name) = @_;
    my $got;

    for (1 .. 200 * $slow) {
        $got = sql($query);
        last if $got eq $want;
        sleep 0.03;
    }

    is($got, $want, $name);
}

sub until_queued
{
    my ($n) = @_;

    for (1 .. 200 * $slow) {
        return 1 if get('/stats') =~ /postgres: .* queued=$n /;
        sleep 0.03;
    }

    return 0;
}

for (1 .. 100) {
    last if get('/stats') =~ /postgres: up=4/;
    sleep 0.05;
}

# writes that come in one turn of the event loop share a transaction, so
# each has to be seen before the next is asked for
sub hold
{
    my ($name, @sleeps) = @_;
    my @held;

    for (@sleeps) {
        push @held, ask("/pg?s=2,3&p=$_&t=30000");
        until_sql($sleeping, scalar @held, "$name (" . @held . ')');
    }

    return @held;
}

{
    my @writes = hold('PostgreSQL: writes have all connections but one',
                      qw(6 6.0 6.00));

    push @writes, map { ask("/pg?s=2,3&p=$_&t=30000") } qw(0.2 0.20);
    ok(until_queued(2), 'PostgreSQL: further ones wait');
    is(get('/pg?s=0'), 'ok 1:1', 'PostgreSQL: which is left to short reads');
    is(sql("SELECT count(*) FROM io WHERE v ~ '^(6|0.2)'"), '0',
       'PostgreSQL: that do not stand behind a write');

    for (@writes) {
        like(answer($_), qr/^ok 1: 1:\d+$/, 'PostgreSQL: the writes are done');
    }
}

{
    my $row = 'l=0123456789abcdef';
    my $first = ask("/pg?s=2,3&p=1.0&t=9000&$row");

    until_sql($sleeping, 1, 'PostgreSQL: a row is held');

    my $second = ask("/pg?s=3&p=second&t=9000&$row");

    ok(until_queued(1), 'PostgreSQL: who wants it waits in the worker');
    is(get('/pg?s=3&p=other&t=9000&l=fedcba9876543210') =~ /^ok/ ? 1 : 0, 1,
       'PostgreSQL: another row is free');
    is(sql("SELECT count(*) FROM io WHERE v IN ('1.0', 'second')"), '0',
       'PostgreSQL: meanwhile');
    like(answer($first), qr/^ok/, 'PostgreSQL: the first is done');
    like(answer($second), qr/^ok/, 'PostgreSQL: then the second');
}

{
    my @long;
    my $n = 0;

    # LONG ones have one connection of four
    for (['a' x 16, '0.5'], ['a' x 16, '0.50'], ['a' x 16, '0.500'],
         ['b' x 16, '0.05'])
    {
        push @long, ask("/pg?s=2,3&p=$_->[1]&t=9000&long=1&u=$_->[0]");

        if ($n++ == 0) {
            until_sql($sleeping, 1, 'PostgreSQL: a long one runs');
        } else {
            until_queued($n - 1);
        }
    }

    answer($_) for @long;

    is(sql("SELECT string_agg(v, ' ' ORDER BY id) FROM io "
           . "WHERE v LIKE '0.5%' OR v = '0.05'"), '0.5 0.50 0.05 0.500',
       'PostgreSQL: users take turns with what is long');
}

# writes that wait at the same moment
sub company
{
    my (@values) = @_;
    my @before = hold('PostgreSQL: writes have to wait', @{ shift @values });
    my @writes = map { ask("/pg?s=3&p=$_&t=9000") } @values;

    until_queued(scalar @values);

    answer($_) for @before;

    return map { answer($_) =~ s/:\d+$//r } @writes;
}

is(join(', ', company([qw(3.1 3.10 3.100)], qw(c1 c2 c3 c4))),
   'ok 1, ok 1, ok 1, ok 1', 'PostgreSQL: writes in company');
is(sql("SELECT count(DISTINCT xmin::text) FROM io WHERE v ~ '^c[0-9]'"), '1',
   'PostgreSQL: in one transaction');
is(join(', ', company([qw(3.2 3.20 3.200)], qw(d1 kept d2))),
   'ok 1, error 23505 at 0, ok 1',
   'PostgreSQL: one that fails does so alone');
is(sql("SELECT count(*) FROM io WHERE v ~ '^d[0-9]'"), '2',
   'PostgreSQL: the others are done');


# locks of others

# psql that holds the first row; it does what is printed to it
sub beside
{
    open(my $psql, '|-', 'psql', '-qAtXh', $admin, '-U', 'postgres',
                   '-d', 'postgres', '-o', '/dev/null') // die "psql: $!\n";

    $psql->autoflush(1);
    print $psql "BEGIN; SELECT 1 FROM io_row WHERE v = 'first' FOR UPDATE;\n";

    return $psql;
}

my $held = "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'relation' "
           . "AND relation = 'io_row'::regclass AND mode = 'RowShareLock'";
my $waits = "SELECT count(*) FROM pg_stat_activity "
            . "WHERE wait_event_type = 'Lock'";

{
    my $psql = beside();

    until_sql($held, 't', 'PostgreSQL: somebody else holds a row');
    is(get('/pg?s=19'), 'error 55P03 at 0',
       'PostgreSQL: who wants it is told that nothing was changed');
    close $psql;
}

sql("ALTER SYSTEM SET deadlock_timeout = '100ms'");
sql('SELECT pg_reload_conf()');

{
    my $psql = beside();

    until_sql($held, 't', 'PostgreSQL: a deadlock');

    my $op = ask('/pg?s=18,19&p=second&t=9000');

    until_sql($waits, 1, 'PostgreSQL: one waits for the other');
    print $psql "SELECT 1 FROM io_row WHERE v = 'second' FOR UPDATE;"
                . "COMMIT;\n";
    is(answer($op), 'ok 1:second 1:first',
       'PostgreSQL: what lost a deadlock is done again');
    close $psql;
}


# read-only for long

{
    my ($before) = get('/stats') =~ / connects=(\d+)/;

    sql('ALTER SYSTEM SET default_transaction_read_only = on');
    sql('SELECT pg_reload_conf()');
    until_is('/pg?s=3&p=no', 'error 25006 at 0', 5, 'PostgreSQL: read-only');

    for (1 .. 100) {
        get("/pg?s=3&p=no$_");
    }

    my ($after) = get('/stats') =~ / connects=(\d+)/;

    cmp_ok($after - $before, '<', 100,
           'PostgreSQL: not a new connection for each write');
    is(get('/pg?s=0'), 'ok 1:1', 'PostgreSQL: and reads are done');

    sql('SET default_transaction_read_only = off',
        'ALTER SYSTEM RESET default_transaction_read_only');
    sql('SELECT pg_reload_conf()');
    until_is('/pg?s=18&p=first', 'ok 1:first', 5,
             'PostgreSQL: no longer read-only');
}

sql("DELETE FROM io WHERE v <> 'kept'");
until_is('/pg?s=7', 'ok 1:1', 5, 'PostgreSQL: as before');

# the client leaves, the write is done
{
    my $socket = IO::Socket::INET->new("127.0.0.1:$port");

    print $socket "GET /pg-unconditional?s=2,3&p=0.4 HTTP/1.0\r\n\r\n";
    sleep 0.1;
    close $socket;
}
sleep 1;
is(get('/pg?s=7'), 'ok 1:2', 'PostgreSQL: written although the client left');


# providers

my %want = (
    ok       => qr/^200 complete answered len=[1-9]/,
    hang     => qr/^0 timed_out len=0 /,
    headers  => qr/^200 timed_out answered len=0 /,
    drip     => qr/^200 timed_out answered len=[1-9]/,
    cut      => qr/^200 truncated answered len=20 /,
    reset    => qr/^200 truncated answered len=/,
    stop     => qr/^200 timed_out answered len=20 /,
    bad      => qr/^(200 truncated answered|502) len=/,
    close    => qr/^502 len=0 /,
    big      => qr/^200 too_large answered /,
    large    => qr/^200 complete answered len=9\d{5} /,
    accel    => qr/^502 refused answered len=0 /,
    redirect => qr/^3\d\d complete answered /,
    status   => qr/^500 complete answered /,
    late     => qr/^200 complete answered /,
    refused  => qr/^502 len=0 /,
    fallback => qr/^200 complete answered .*fallback/,
    delayed  => qr/^200 complete answered /,
);

for my $name (sort keys %want) {
    my ($text, $took) = get("/call/$name", '{"model": "fx:ok"}');

    like($text, $want{$name}, "provider: $name");
    unlike($text, qr/SECRET/, "provider: $name stays where it belongs");
    cmp_ok($took, '<', 1.3 * $slow, "provider: $name in time");
}

like(get('/call/delayed', '{}'), $want{delayed}, 'provider: delayed again');

{
    my @calls = @{ PromptTest::Env::provider_control('log') };

    unlike(JSON::PP->new->encode(\@calls), qr/canary-client-key/,
           'provider: gets no header of the client\'s');
    like(JSON::PP->new->encode(\@calls), qr/canary-provider-key/,
         'provider: gets its own key');
}

# leaving: the location says whether the call goes on
for my $path (qw(late off)) {
    my $socket = IO::Socket::INET->new("127.0.0.1:$port");

    print $socket "POST /call/$path HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}";
    sleep 0.2;
    close $socket;
}
sleep 1.2;

{
    open my $log, '<', "$dir/nginx/error.log" or die "error.log: $!\n";
    local $/;
    my $text = <$log>;

    like($text, qr/provider call: 0 cancelled len=0/,
         'provider: a call that ends with its client');
    like((grep { /provider call/ } split /\n/, $text)[-1],
         qr/provider call: 200 complete/,
         'provider: a call that goes on');
}


# reload and quit, with work in flight

{
    my @children = parallel(8, sub {
        for (1 .. 15) {
            my $text = get('/pg?s=2&p=0.1');

            print {*STDERR} "# reload: $text\n" if $text !~ /^ok/;

            $text = get('/call/ok', '{}');
            print {*STDERR} "# reload: $text\n" if $text !~ /^200 complete/;
        }
    });

    for (1 .. 10) {
        kill 'HUP', pid_in("$dir/nginx/nginx.pid");
        sleep 0.2;
    }

    waitpid $_, 0 for @children;
}

my ($child) = parallel(1, sub {
    my $text = get('/pg-unconditional?s=2,3&p=0.7');

    print {*STDERR} "# quit: $text\n" if $text !~ /^ok/;
});
my $master = pid_in("$dir/nginx/nginx.pid");

sleep 0.3;
kill 'QUIT', $master;
waitpid $child, 0;

for (1 .. 100 * $slow) {
    last unless kill 0, $master;
    sleep 0.1;
}

ok(!kill(0, $master), 'quit: the master is gone');
is(`psql -qAXth $admin -U postgres -d postgres -c \\
    "SELECT count(*) FROM io WHERE v = '0.7'"`, "1\n",
   'quit: what was in flight is done');

{
    open my $log, '<', "$dir/nginx/error.log" or die "error.log: $!\n";
    local $/;
    my $text = <$log>;
    my @faults = PromptTest::Env::log_faults($text);

    is("@faults", '', 'a clean log');
    unlike($text, qr/canary-(client|provider)-key/, 'no key in the log');
}

done_testing();

END {
    my $status = $?;

    if (-d $dir) {
        my $pid = pid_in("$dir/nginx/nginx.pid");

        kill 'KILL', $pid if $pid;
        kill 'CONT', redis_pid(), postgres_pids() if %services;
        eval { services('stop') };
        remove_tree($dir) unless $ENV{PROMPT_TEST_KEEP};
    }

    $? = $status;
}
