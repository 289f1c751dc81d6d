# src/io behind a pooler, pgbouncer: the settings of the session are refused,
# and each transaction may have another server.

use strict;
use warnings;

use lib 't/lib';

use File::Path qw(make_path remove_tree);
use IO::Socket::INET;
use PromptTest::Env;
use PromptTest::Io;
use Test::More;
use Time::HiRes qw(sleep);

my $root = $PromptTest::Env::root;
my $dir = "$PromptTest::Env::dir/io-pooler-$$";
my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $asan = $ENV{TEST_NGINX_LD_PRELOAD};
my $services = "$root/tools/services.sh";
my $as_root = $> == 0;
my ($admin, $place, $build, $user, $port);


sub sql
{
    my ($query) = @_;

    open my $psql, '-|', 'psql', '-qAtXh', $admin, '-U', 'postgres', '-d',
         'postgres', '-c', $query or die "psql: $!\n";

    local $/;
    my $got = <$psql> // '';

    close $psql;
    $got =~ s{\n\z}{};

    return $got;
}

sub slurp
{
    my ($file) = @_;

    open my $in, '<', $file or return '';
    local $/;

    return scalar <$in>;
}

# what each of n clients has, that asks for all paths of its own
sub clients
{
    my ($n, $paths) = @_;
    my (@children, @got);

    for my $i (1 .. $n) {
        my $pid = open(my $child, '-|') // die "fork: $!\n";

        if (!$pid) {
            print get($_), "\n" for $paths->($i);
            close STDOUT;
            require POSIX;
            POSIX::_exit(0);
        }

        push @children, $child;
    }

    for my $child (@children) {
        push @got, <$child>;
        close $child;
    }

    chomp @got;

    return @got;
}

sub pooler
{
    my ($mode) = @_;
    my $at = "$place/pooler-$mode";
    my $pg_port = PromptTest::Env::free_port();

    make_path($at);

    open my $ini, '>', "$at/pgbouncer.ini" or die "pgbouncer.ini: $!\n";
    print $ini <<"END";
[databases]
postgres = host=$admin user=postgres dbname=postgres

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $pg_port
unix_socket_dir =
auth_type = any
pool_mode = $mode
default_pool_size = @{[ $mode eq 'session' ? 8 : 2 ]}
logfile = $at/log
pidfile = $at/pid
END
    close $ini;

    my @as = $as_root ? ('runuser', '-u', 'postgres', '--') : ();

    if ($as_root) {
        my ($uid, $gid) = (getpwnam 'postgres')[2, 3];

        chown $uid, $gid, $at, "$at/pgbouncer.ini";
    }

    system(@as, 'pgbouncer', '-q', '-d', "$at/pgbouncer.ini") == 0
        or die "pgbouncer does not start\n";

    for (1 .. 200 * $slow) {
        last if IO::Socket::INET->new(PeerAddr => "127.0.0.1:$pg_port");
        sleep 0.03;
    }

    return ($pg_port, sub { kill 'INT', slurp("$at/pid") =~ /^(\d+)/ });
}

sub nginx
{
    my ($at, $pg_port) = @_;

    make_path("$at/logs");

    open my $conf, '>', "$at/nginx.conf" or die "nginx.conf: $!\n";
    print $conf "load_module $build/ngx_http_prompt_io_test_module.so;\n",
                defined $user ? "user $user;\n" : '', <<"END";
worker_processes 1;
pid $at/nginx.pid;
error_log $at/error.log info;
events { worker_connections 256; }
http {
    access_log off;
    client_body_temp_path $at/body;
    proxy_temp_path $at/proxy;
    fastcgi_temp_path $at/fastcgi;
    uwsgi_temp_path $at/uwsgi;
    scgi_temp_path $at/scgi;
    io_postgres_server "host=127.0.0.1 port=$pg_port user=postgres dbname=postgres"
        connections=4 timeout=20s prepare=off;
    server {
        listen 127.0.0.1:$port;
        location /pg { io_postgres unconditional; }
        location /stats { io_stats; }
    }
}
END
    close $conf;

    local $ENV{LD_PRELOAD} = $asan if $asan;

    system($PromptTest::Env::nginx, '-e', "$at/error.log", '-p', $at, '-c',
           "$at/nginx.conf") == 0
        or die "nginx does not start\n";

    return sub { kill 'TERM', slurp("$at/nginx.pid") =~ /^(\d+)/ };
}


plan skip_all => 'no pgbouncer here'
    if system('command -v pgbouncer >/dev/null 2>&1');

make_path($dir);
system($services, 'start', "$dir/services") == 0 or die "services\n";

($admin) = slurp("$dir/services/env") =~ /^SERVICES_PG_HOST='?([^'\n]+)/m;
($place = $admin) =~ s{/sock$}{};
$build = "$PromptTest::Env::build/io-test";
$user = PromptTest::Env::worker_user();

system("$root/t/io/build.sh", $build,
       $asan ? '-fsanitize=address,undefined' : ()) == 0
    or die "the test module cannot be built\n";

sql('CREATE TABLE io (id bigserial PRIMARY KEY, v text UNIQUE)');
sql("INSERT INTO io (v) VALUES ('the first number is taken')");


for my $mode ('transaction', 'session') {
    my ($pg_port, $stop_pooler) = pooler($mode);

    # only now is the other one taken
    $PromptTest::Io::port = $port = PromptTest::Env::free_port();

    my $at = "$dir/nginx-$mode";
    my $stop_nginx = nginx($at, $pg_port);

    ok(until_is(sub { get('/pg?s=0') }, 'ok 1:1'), "$mode: connected");

    my @refused = slurp("$at/error.log") =~ /refuses the settings/g;

    is(scalar @refused, 1, "$mode: without settings, which is said once");

    my @got = clients(24, sub {
        my ($i) = @_;

        return map { ("/pg?s=3&p=$mode-$i-$_", '/pg?s=0',
                      '/pg?s=3&p=same', "/pg?s=1&p=$i-$_",
                      '/pg?s=5,16&p=700&b=1000000&x&snapshot&long=1') }
                   1 .. 10;
    });
    my %count;

    for (@got) {
        s/:\d+$// if /^ok 1:\d+$/ && $_ ne 'ok 1:1';
        s/^ok 1:\d+-\d+$/ok echo/;
        s/x{9,}/x/g;
        $count{$_}++;
    }

    my $same = $mode eq 'transaction' ? 1 : 0;
    my @rows = grep { /^ok .*700/ } keys %count;

    is($count{'ok 1'} // 0, 240 + $same, "$mode: writes under load");
    is($count{'error 23505 at 0'} // 0, 240 - $same, "$mode: those that fail");
    is($count{'ok echo'}, 240, "$mode: reads");
    is($count{'ok 1:1'}, 240, "$mode: more reads");
    is(scalar @rows, 1, "$mode: the same rows each time");
    is($count{$rows[0] // ''}, 240, "$mode: in a snapshot, one by one");
    is(scalar keys %count, 4 + @rows, "$mode: nothing else")
        or diag(join "\n", %count);
    is(sql("SELECT count(*) FROM io WHERE v LIKE '$mode-%'"), '240',
       "$mode: each write once");

    # its servers end: nothing is done twice, and what reads is read

    my @cut = clients(9, sub {
        my ($i) = @_;

        if ($i == 9) {
            for (1 .. 20) {
                sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity '
                    . "WHERE usename = 'postgres' AND pid <> pg_backend_pid()");
                sleep 0.05;
            }

            return ();
        }

        return map { "/pg?s=3&p=cut-$mode-$i-$_" } 1 .. 60;
    });
    my $done = grep { /^ok 1:\d+$/ } @cut;
    my $unknown = grep { $_ eq 'unavailable unknown' } @cut;
    my $there = sql("SELECT count(*) FROM io WHERE v LIKE 'cut-$mode-%'");

    is(scalar(grep { /23505/ } @cut), 0, "$mode: servers end: nothing twice");
    ok($there >= $done && $there <= $done + $unknown,
       "$mode: what was acknowledged is there")
        or diag("$done, $unknown, $there");
    diag("$mode: $done done, $unknown unknown, of 480; $there there");
    ok(until_is(sub { get('/pg?s=0') }, 'ok 1:1'), "$mode: connected again");

    unlike(slurp("$at/error.log"), qr/\[(alert|crit|emerg)\]|runtime error/,
           "$mode: the log");
    $stop_nginx->();
    $stop_pooler->();
}

done_testing();

END {
    my $status = $?;

    if (defined $place) {
        for my $file (glob "$dir/nginx-*/nginx.pid $place/pooler-*/pid") {
            kill 'TERM', $1 if slurp($file) =~ /^(\d+)/;
        }
    }

    if (-d $dir) {
        system($services, 'stop', "$dir/services");
        remove_tree($dir) unless $ENV{PROMPT_TEST_KEEP};
    }

    $? = $status;
}
