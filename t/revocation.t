# Revocation is immediate: keys that are in use on two hosts are deleted while
# Redis is slow, flushed, cut off, stopped, killed and poisoned; and no sound
# key is refused meanwhile.
#
# PROMPT_TEST_KEYS and PROMPT_TEST_SECONDS say how many keys and how much time
# each disturbance takes at least, PROMPT_TEST_SCENARIOS which there are.

use strict;
use warnings;

use lib 't/lib';

use File::Path qw(make_path remove_tree);
use IPC::Open2 qw(open2);
use JSON::PP ();
use POSIX ();
use PromptTest::Env;
use Test::More;
use Time::HiRes qw(sleep);

my @scenarios = split ' ', $ENV{PROMPT_TEST_SCENARIOS}
    || 'calm slow late crawling flushed cut deaf stopped killed poisoned '
       . 'reloaded';
my $keys = $ENV{PROMPT_TEST_KEYS} || 16;
my $valid = 1000;
my $json = JSON::PP->new->utf8;

PromptTest::Env::setup();

my $dir = "/tmp/prompt-revocation-$$";
my (@masters, @ports, @logs, @pids);

make_path($dir);
chmod 0755, $dir;


sub start_nginx
{
    my ($n) = @_;
    my $port = PromptTest::Env::free_port() + $n * 200;
    my $at = "$dir/host$n";
    my $user = PromptTest::Env::worker_user();
    my $http = PromptTest::Env::http_config(
        redis => "unix:$dir/proxy.sock prefix=t: timeout=100ms");

    make_path("$at/logs");

    open my $out, '>', "$at/nginx.conf" or die "$at: $!\n";
    print $out "load_module $PromptTest::Env::module;\n",
               defined $user ? "user $user;\n" : '', <<"END";
worker_processes 2;
pid $at/nginx.pid;
error_log $at/error.log info;
events { worker_connections 512; }
http {
    access_log off;
    client_body_temp_path $at/body;
    proxy_temp_path $at/proxy;
    fastcgi_temp_path $at/fastcgi;
    uwsgi_temp_path $at/uwsgi;
    scgi_temp_path $at/scgi;
$http
    prompt_key_cache valid=1s unknown=1s;
    server {
        listen 127.0.0.1:$port;
        location = /graphql { prompt_graphql; }
        location = /_provider/openai { internal; return 404; }
        location = /_provider/anthropic { internal; return 404; }
    }
}
END
    close $out;

    local $ENV{LD_PRELOAD} = $ENV{TEST_NGINX_LD_PRELOAD}
        if $ENV{TEST_NGINX_LD_PRELOAD};

    system($PromptTest::Env::nginx, '-e', "$at/error.log", '-p', $at,
           '-c', "$at/nginx.conf") == 0
        or die "nginx does not start\n";

    push @ports, $port;
    push @logs, "$at/error.log";
    push @pids, "$at/nginx.pid";
}


sub stop_nginx
{
    for my $file (@pids) {
        open my $in, '<', $file or next;
        my $pid = <$in>;
        close $in;

        kill 'QUIT', $pid;

        for (1 .. 200) {
            last unless kill 0, $pid;
            sleep 0.1;
        }
    }

    @pids = ();
}


my $config = "$dir/config.json";

sub write_config
{
    open my $out, '>', $config or die "$config: $!\n";
    print $out $json->encode({
        urls      => [ map { "http://127.0.0.1:$_/graphql" } @ports ],
        key       => PromptTest::Env::var('alice_key'),
        owner     => PromptTest::Env::var('alice_id'),
        redis     => "$dir/proxy.sock",
        dir       => $dir,
        pids      => \@pids,
        valid     => $valid,
        after     => 60,
        scenarios => \@scenarios,
        keys      => $keys + 0,
        seconds   => ($ENV{PROMPT_TEST_SECONDS} || 3) + 0,
    });
    close $out;
}


start_nginx(0);
start_nginx(1);
write_config();

my $pid = open2(my $out, my $in, PromptTest::Env::first_of('node'),
                't/lib/revocation.js', $config);
my $ready = <$out>;

is($ready, "ready\n", 'the checker is ready');
sleep 1.5;
print $in "go\n";

while (my $line = <$out>) {
    my $r = $json->decode($line);
    my $name = $r->{scenario};

    diag($line) if $ENV{PROMPT_TEST_VERBOSE} || $r->{revived} || $r->{refused}
                   || $r->{stranger} || $r->{failed};

    cmp_ok($r->{deleted}, '>=', $keys, "$name: all keys were deleted");
    is($r->{revived}, 0, "$name: none was let in afterwards");
    is($r->{refused}, 0, "$name: none was refused before");
    is($r->{stranger}, 0, "$name: none was taken for another user");
    is($r->{failed}, 0, "$name: PostgreSQL answers for Redis");

    # valid, the lease, clocks, and whatever the machine has to do
    cmp_ok($r->{slowest}, '<', $valid + 2100 + 2000,
           "$name: deleting ends in time");
}

waitpid $pid, 0;
is($?, 0, 'the checker ended');

stop_nginx();

for my $log (@logs) {
    open my $file, '<', $log or die "$log: $!\n";
    local $/;
    my @faults = PromptTest::Env::log_faults(scalar <$file>);

    is("@faults", '', 'a clean log');
}

done_testing();

END {
    my $status = $?;

    stop_nginx();
    remove_tree($dir) unless $ENV{PROMPT_TEST_KEEP};
    $? = $status;
}
