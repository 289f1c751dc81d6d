# An nginx for scenarios that Test::Nginx's blocks cannot tell: many clients,
# reloads, killed workers.  With the standard configuration of PromptTest::Env.
#
#     my $s = PromptTest::Server->new(workers => 2, http => '...');
#     my $answer = $s->ask('alice', '{ me { id } }', { variables });
#     $s->stop;
#     is_deeply([ $s->faults ], [], 'clean error log');

package PromptTest::Server;

use strict;
use warnings;

use File::Path qw(make_path remove_tree);
use IO::Select;
use IO::Socket::INET;
use Time::HiRes qw(sleep time);

use PromptTest::Env;
use PromptTest::Json;

my $count = 0;


# new(workers => N, connections => N, events => TEXT, http => TEXT,
# server => TEXT, main => TEXT, postgres => ARGUMENTS, redis => ARGUMENTS): a
# running nginx
sub new
{
    my ($class, %with) = @_;

    PromptTest::Env::setup();

    my $self = bless {
        dir  => "$PromptTest::Env::dir/server-$$-" . ++$count,
        port => PromptTest::Env::free_port(),
        with => \%with,
        pid  => $$,
    }, $class;

    make_path("$self->{dir}/tmp");
    $self->configure;
    $self->start;

    return $self;
}


# configure(CHANGES): writes nginx.conf; reload() makes it true
sub configure
{
    my ($self, %changes) = @_;
    my $with = $self->{with};
    my $dir = $self->{dir};
    my $user = PromptTest::Env::worker_user();

    $with->{$_} = $changes{$_} for keys %changes;

    my $http = PromptTest::Env::http_config(postgres => $with->{postgres},
                                            timeout => $with->{timeout},
                                            redis => $with->{redis});
    my $server = PromptTest::Env::server_config($with->{server} || '');

    open my $out, '>', "$dir/nginx.conf" or die "$dir/nginx.conf: $!\n";
    print $out <<"END";
load_module $PromptTest::Env::module;
@{[ defined $user ? "user $user;" : '' ]}
worker_processes @{[ $with->{workers} || 1 ]};
@{[ $with->{main} || '' ]}
pid $dir/nginx.pid;
error_log $dir/error.log info;
events {
    worker_connections @{[ $with->{connections} || 1024 ]};
    @{[ $with->{events} || '' ]}
}
http {
    access_log off;
@{[ PromptTest::Env::temp_paths("$dir/tmp") ]}
$http
@{[ $with->{http} || '' ]}
    server {
        listen 127.0.0.1:$self->{port};
$server
    }
}
END
    close $out;
}


sub command
{
    my ($self, @more) = @_;
    my $dir = $self->{dir};
    my @command = ($PromptTest::Env::nginx, '-e', "$dir/error.log", '-p', $dir,
                   '-c', "$dir/nginx.conf", @more);

    local $ENV{LD_PRELOAD} = $ENV{TEST_NGINX_LD_PRELOAD}
        if defined $ENV{TEST_NGINX_LD_PRELOAD};

    return system(@command) == 0;
}


sub start
{
    my ($self) = @_;

    $self->command or die "nginx does not start\n";

    my $until = time() + 10;

    while (time() < $until) {
        my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                           PeerPort => $self->{port});

        return if $socket;
        sleep 0.02;
    }

    die "nginx does not listen\n";
}


# master(): its process id, undef where there is none
sub master
{
    my ($self) = @_;

    open my $in, '<', "$self->{dir}/nginx.pid" or return undef;
    my $pid = <$in>;

    return defined $pid && $pid =~ /^(\d+)/ ? $1 : undef;
}


# workers(): the process ids of the master's children
sub workers
{
    my ($self) = @_;
    my $master = $self->master;
    my @found;

    for my $file (glob '/proc/[0-9]*/stat') {
        open my $in, '<', $file or next;
        my $line = <$in>;

        next unless defined $line && $line =~ /^(\d+) \(.*\) (\S) (\d+)/;

        push @found, $1 if defined $master && $3 == $master && $2 ne 'Z';
    }

    return @found;
}


# A master that has just begun may hear of a signal only with the next one.
sub reload
{
    my ($self) = @_;
    my $heard = sub { return scalar(() = $self->log_text =~ /\d: reconfiguring$/mg) };
    my $before = $heard->();

    for my $try (0 .. 400) {
        kill HUP => $self->master if $try % 20 == 0;
        return if $heard->() > $before;
        sleep 0.05;
    }
}


# gone($pid, $seconds): waits for a process to end; whether it did
sub gone
{
    my ($pid, $seconds) = @_;
    my $until = time() + $seconds;

    while (time() < $until) {
        open my $in, '<', "/proc/$pid/stat" or return 1;
        my $line = <$in>;

        return 1 if !defined $line || $line =~ /\) Z /;
        sleep 0.02;
    }

    return 0;
}


# stop(): quits as an operator would; whether that took less than 15 seconds
sub stop
{
    my ($self) = @_;
    my $pid = $self->master;

    return 1 unless defined $pid;

    kill QUIT => $pid;

    return 1 if gone($pid, 15);

    kill KILL => $pid, $self->workers;

    return 0;
}


sub log_text
{
    my ($self) = @_;

    open my $in, '<', "$self->{dir}/error.log" or return '';
    local $/;
    my $text = <$in>;

    return defined $text ? $text : '';
}


# faults($allow): what the error log should not hold
sub faults
{
    my ($self, $allow) = @_;

    return PromptTest::Env::log_faults($self->log_text, $allow);
}


# request($key, $query [, $variables]): the text of a POST; $key is a user's
# name or a key; $variables a value, or JSON as text
sub request
{
    my ($self, $key, $query, $variables) = @_;
    my $known = PromptTest::Env::var("${key}_key");
    my $body = '{"query":' . PromptTest::Json::string($query);

    if (defined $variables) {
        $variables = PromptTest::Json::encode($variables) if ref $variables;
        $body .= ",\"variables\":$variables";
    }

    $body .= '}';
    $key = $known if defined $known;

    return "POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
           . "Authorization: Bearer $key\r\nConnection: close\r\n"
           . "Content-Type: application/json\r\nContent-Length: "
           . length($body) . "\r\n\r\n$body";
}


# open_socket(): a connection to nginx
sub open_socket
{
    my ($self) = @_;

    return IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                 PeerPort => $self->{port}, Timeout => 10);
}


# send($text): a connection on which the text was written
sub send
{
    my ($self, $text) = @_;
    my $socket = $self->open_socket or return undef;

    local $SIG{PIPE} = 'IGNORE';
    my $at = 0;

    while ($at < length $text) {
        my $n = syswrite $socket, $text, length($text) - $at, $at;

        return undef unless $n;
        $at += $n;
    }

    return $socket;
}


# receive($socket [, $seconds]): { status, head, body, json }; undef where nothing
# whole came
sub receive
{
    my ($self, $socket, $seconds) = @_;
    my $until = time() + ($seconds || 20);
    my $text = '';
    my $select = IO::Select->new($socket);

    while (time() < $until) {
        next unless $select->can_read(0.1);

        my $n = sysread $socket, $text, 65536, length $text;

        last unless $n;
    }

    return undef unless $text =~ m{^HTTP/1\.1 (\d+) (.*?)\r\n\r\n(.*)\z}s;

    my ($status, $head, $body) = ($1, $2, $3);

    if ($text =~ /^transfer-encoding: chunked/mi) {
        my $whole = '';

        while ($body =~ s/^([0-9a-f]+)\r\n//i) {
            my $n = hex $1;

            last if $n == 0;
            $whole .= substr $body, 0, $n, '';
            $body =~ s/^\r\n//;
        }

        $body = $whole;
    }

    return { status => $status, head => $head, body => $body,
             json => scalar eval { PromptTest::Json::decode($body) } };
}


# ask($key, $query [, $variables])
sub ask
{
    my ($self, @what) = @_;
    my $socket = $self->send($self->request(@what)) or return undef;

    return $self->receive($socket);
}


# side_by_side($n, sub): runs sub(i) in $n processes; the values it returned
# (anything that JSON can say), in order
sub side_by_side
{
    my ($n, $code) = @_;
    my (@pipes, @results);

    for my $i (0 .. $n - 1) {
        pipe my $in, my $out or die "pipe: $!\n";

        my $pid = fork;

        die "fork: $!\n" unless defined $pid;

        if ($pid == 0) {
            close $in;
            print $out PromptTest::Json::encode(eval { $code->($i) }
                                                // { died => "$@" });
            close $out;

            # no END blocks here
            require POSIX;
            POSIX::_exit(0);
        }

        close $out;
        push @pipes, [ $in, $pid ];
    }

    for my $one (@pipes) {
        my ($in, $pid) = @$one;

        local $/;
        my $text = <$in>;

        waitpid $pid, 0;
        push @results, PromptTest::Json::decode($text);
    }

    return @results;
}


sub DESTROY
{
    my ($self) = @_;

    return unless $self->{pid} == $$;

    local ($?, $@, $!);

    $self->stop;
    remove_tree($self->{dir}) unless $ENV{PROMPT_TEST_KEEP};
}

1;
