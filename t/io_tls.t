# src/io and a PostgreSQL that is reached by TLS: what came before an end is
# whole, and nothing is left behind in the TLS library.

use strict;
use warnings;

use lib 't/lib';

use File::Path qw(make_path remove_tree);
use PromptTest::Env;
use PromptTest::Io;
use Test::More;

my $root = $PromptTest::Env::root;
my $dir = "$PromptTest::Env::dir/io-tls-$$";
my $asan = $ENV{TEST_NGINX_LD_PRELOAD};
my $pg_port = PromptTest::Env::free_port();
my $services = "$root/tools/services.sh";
my ($admin, $port);


sub sql
{
    my ($query) = @_;

    open my $psql, '-|', 'psql', '-qAtXh', $admin, '-p', $pg_port, '-U',
         'postgres', '-d', 'postgres', '-c', $query or die "psql: $!\n";

    local $/;
    my $got = <$psql> // '';

    close $psql;
    $got =~ s{\n\z}{};

    return $got;
}

sub worker
{
    open my $in, '<', "$dir/nginx/nginx.pid" or return 0;
    my ($master) = <$in> =~ /^(\d+)/;

    return (split ' ', `ps -o pid= --ppid $master`)[0];
}


plan skip_all => 'no openssl here' if system('openssl version >/dev/null 2>&1');

make_path("$dir/nginx/logs");

system($services, 'start', "$dir/services") == 0
    && system("$services tls $dir/services $pg_port >/dev/null") == 0
    or die "services\n";

# only now is the other one taken
$PromptTest::Io::port = $port = PromptTest::Env::free_port();

open my $env, '<', "$dir/services/env" or die "env: $!\n";
while (<$env>) {
    $admin = $1 if /^SERVICES_PG_HOST='(.*)'$/;
}

my $build = "$PromptTest::Env::build/io-test";

system("$root/t/io/build.sh", $build,
       $asan ? '-fsanitize=address,undefined' : ()) == 0
    or die "the test module cannot be built\n";

sql('CREATE TABLE io (id bigserial PRIMARY KEY, v text UNIQUE)');

my $user = PromptTest::Env::worker_user();

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
    io_postgres_server "host=127.0.0.1 port=$pg_port user=postgres dbname=postgres sslmode=require"
        connections=1 timeout=20s;
    server {
        listen 127.0.0.1:$port;
        location /pg { io_postgres; }
        location /stats { io_stats; }
    }
}
END
close $conf;

{
    local $ENV{LD_PRELOAD} = $asan if $asan;

    system($PromptTest::Env::nginx, '-e', "$dir/nginx/error.log",
           '-p', "$dir/nginx", '-c', "$dir/nginx/nginx.conf") == 0
        or die "nginx does not start\n";
}

ok(until_is(sub { get('/pg?s=0') }, 'ok 1:1'), 'connected');
is(sql("SELECT count(*) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)"
       . " WHERE s.ssl AND a.application_name = 'nginx'"), '1', 'by TLS');
is(get('/pg?s=5&p=50000'), 'ok 50000:' . 'x' x 100, '5 MB');

# sizes around those of records, and of what is read in one go
is(join(' ', grep { get("/pg?s=5&p=$_") !~ /^ok $_:/ }
             map { $_ * 37 + 1 } 1 .. 150), '', 'results of many sizes');


# The worker stands still while PostgreSQL commits, answers, and ends the
# connection: all of it is there at once when the worker goes on.

for my $what (['/pg?s=2,3&p=1', "SELECT count(*) FROM io WHERE v = '1'", '1',
               qr/^ok 1: 1:\d+$/, 'a write'],
              ['/pg?s=2,0&p=1', "SELECT count(*) FROM pg_stat_activity WHERE "
               . "application_name = 'nginx' AND state = 'idle'", '1',
               qr/^ok 1: 1:1$/, 'a read'])
{
    my ($path, $query, $want, $answer, $name) = @$what;
    my $asked = ask($path);

    ok(until_is(sub { sql("SELECT count(*) FROM pg_stat_activity "
                          . "WHERE wait_event = 'PgSleep'") }, '1'),
       "$name: under way");

    my $worker = worker();

    kill 'STOP', $worker;

    ok(until_is(sub { sql($query) }, $want), "$name: done");

    sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        . "WHERE application_name = 'nginx'");
    kill 'CONT', $worker;

    like(<$asked> // 'nothing', $answer, "$name: the answer came before the end");
    close $asked;
    ok(until_is(sub { get('/pg?s=0') }, 'ok 1:1'), "$name: connected again");
}

is(sql("SELECT count(*) FROM io WHERE v = '1'"), '1', 'written once');

done_testing();

END {
    my $status = $?;

    if (-d $dir) {
        if (open my $in, '<', "$dir/nginx/nginx.pid") {
            my ($pid) = <$in> =~ /^(\d+)/;
            my $worker = worker();

            kill 'KILL', $pid, $worker ? $worker : ();
        }

        system($services, 'stop', "$dir/services");
        remove_tree($dir) unless $ENV{PROMPT_TEST_KEEP};
    }

    $? = $status;
}
