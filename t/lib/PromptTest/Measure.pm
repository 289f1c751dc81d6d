# What the programs that measure share: an nginx of their own, and the
# processor time that processes have used.

package PromptTest::Measure;

use strict;
use warnings;

use File::Path qw(make_path);
use List::Util qw(sum);
use Time::HiRes qw(sleep);

use PromptTest::Env;


# write_conf(HOST): an nginx in HOST's folder.  { dir, port, backlog, workers,
# clients, postgres, http, server }: where it is; how many workers, and
# connections of each; the parameters of prompt_postgres behind the connection
# string; what else its blocks have.  prompt_echo is the provider of
# gpt-4o-mini.
sub write_conf
{
    my ($host) = @_;
    my $dir = $host->{dir};
    my $user = PromptTest::Env::worker_user();
    my $redis = PromptTest::Env::services()->{SERVICES_REDIS};
    my $clients = $host->{clients} || 4096;

    make_path("$dir/tmp");

    open my $conf, '>', "$dir/nginx.conf" or die "nginx.conf: $!\n";
    print $conf <<"END";
load_module $PromptTest::Env::module;
@{[ defined $user ? "user $user;" : '' ]}
worker_processes @{[ $host->{workers} || 1 ]};
pid $dir/nginx.pid;
error_log $dir/error.log error;
worker_rlimit_nofile @{[ $clients + 4096 ]};
events { worker_connections $clients; }
http {
    access_log off;
    keepalive_requests 1000000000;
    client_body_temp_path $dir/tmp/body;
    proxy_temp_path $dir/tmp/proxy;
    fastcgi_temp_path $dir/tmp/fastcgi;
    uwsgi_temp_path $dir/tmp/uwsgi;
    scgi_temp_path $dir/tmp/scgi;
    prompt_postgres "@{[ PromptTest::Env::conninfo('prompt_app') ]}"
                    $host->{postgres};
    prompt_redis unix:$redis prefix=@{[ PromptTest::Env::redis_prefix() ]};
    prompt_provider echo /_provider/echo;
    prompt_model gpt-4o-mini provider=echo input=0.15 output=0.60;
@{[ $host->{http} || '' ]}
    server {
        listen 127.0.0.1:$host->{port} backlog=@{[ $host->{backlog} || 511 ]};
        location = /graphql { prompt_graphql; }
        location = /_provider/echo { internal; prompt_echo; }
@{[ $host->{server} || '' ]}
    }
}
END
    close $conf;
}


# start(HOST): its workers are there when this returns; their processes
sub start
{
    my ($host, @before) = @_;
    my $dir = $host->{dir};
    my @workers;

    write_conf($host);
    system(@before, $PromptTest::Env::nginx, '-e', "$dir/error.log", '-p',
           $dir, '-c', "$dir/nginx.conf") == 0
        or die "nginx does not start\n";

    for (1 .. 200) {
        my $master = pid_of("$dir/nginx.pid");

        @workers = $master ? children($master) : ();
        return @workers if @workers == ($host->{workers} || 1);
        sleep 0.05;
    }

    die "nginx has no workers\n";
}


sub stop
{
    my ($dir) = @_;
    my $pid = pid_of("$dir/nginx.pid") or return;

    kill QUIT => $pid;

    for (1 .. 200) {
        last unless -e "$dir/nginx.pid";
        sleep 0.05;
    }
}


# contents(FILE): empty where there is none
sub contents
{
    open my $in, '<', $_[0] or return '';
    local $/;
    my $text = <$in>;

    return defined $text ? $text : '';
}


sub pid_of { return contents($_[0]) =~ /^(\d+)/ ? $1 : 0; }

sub children { return split ' ', `ps -o pid= --ppid $_[0]`; }


# used(PIDS): their processor time in microseconds
sub used
{
    return sum(0, map { contents("/proc/$_/schedstat") =~ /^(\d+)/
                            ? $1 / 1000 : 0 } @_);
}


sub postmaster
{
    return pid_of(PromptTest::Env::services()->{SERVICES_PG_DATA}
                  . '/postmaster.pid');
}


# PostgreSQL's processes: those that serve connections, and those behind them
sub backends { return children(postmaster()); }

1;
