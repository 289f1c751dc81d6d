# What a suite runs in: a database and a Redis prefix of its own, users and
# keys, the fixture provider, a free port, and the standard configuration.
#
# `make test' starts PostgreSQL and Redis once and names them by
# PROMPT_TEST_SERVICES; a suite that is run alone, or harms them, starts its own,
# with the data that PROMPT_TEST_TEMPLATE has, where there is such.

package PromptTest::Env;

use strict;
use warnings;

use Cwd qw(abs_path);
use Fcntl qw(:flock);
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use IO::Socket::INET;
use IO::Socket::UNIX;
use IPC::Open2 qw(open2);
use JSON::PP ();
use Time::HiRes qw(sleep time);

use PromptTest::Json;
use PromptTest::Sentence;

our $root  = abs_path(dirname(__FILE__) . '/../../..');
our $build = abs_path($ENV{PROMPT_BUILD} || "$root/build")
    or die "no build folder: run make\n";
our $dir   = "$root/build/test";

our $module    = "$build/ngx_http_prompt_module.so";
our $promptctl = "$build/promptctl";
our $nginx     = $ENV{PROMPT_NGINX} || first_of('nginx', '/usr/sbin/nginx');

# canaries: none of them may ever stand in a log
our $db_password  = 'canary-database-password';
our $provider_key = 'sk-canary-provider-key';

my $json = JSON::PP->new->utf8->canonical;
my $owner = $$;
my %self;


sub first_of
{
    for my $name (@_) {
        return $name if $name =~ m{/} && -x $name;

        for my $path (split /:/, $ENV{PATH} || '') {
            return "$path/$name" if -x "$path/$name";
        }
    }

    return $_[0];
}


# version(): the release that this is
sub version
{
    open my $in, '<', "$root/VERSION" or die "VERSION: $!\n";
    chomp(my $version = <$in>);

    return $version;
}


# run(COMMAND, ARGS...): standard output; dies where it fails
sub run
{
    my $pid = open my $out, '-|', @_ or die "cannot run $_[0]: $!\n";

    local $/;
    my $text = <$out>;

    close $out or die "@_ failed: status " . ($? >> 8) . "\n";

    return defined $text ? $text : '';
}


# services(): starts what does not run, once a process
sub services
{
    return $self{services} if $self{services};

    my $at = $ENV{PROMPT_TEST_SERVICES};

    if (!$at) {
        $at = "$dir/services-$$";
        make_path($at);
        $self{own_services} = $at;
        run("$root/tools/services.sh", 'start', $at,
            $ENV{PROMPT_TEST_TEMPLATE}
            ? "--from=$ENV{PROMPT_TEST_TEMPLATE}" : ());
    }

    my %env;

    open my $in, '<', "$at/env" or die "$at/env: $!\n";
    while (<$in>) {
        $env{$1} = $2 if /^(\w+)='?(.*?)'?$/;
    }

    $self{at} = $at;
    $self{services} = \%env;

    return \%env;
}


# services_folder(): where they are, for a program that uses them, too
sub services_folder
{
    services();

    return $self{at};
}


# psql($sql [, database]): unaligned output, as PostgreSQL's superuser
sub psql
{
    my ($sql, $db) = @_;
    my $s = services();

    $db = $self{db} unless defined $db;

    utf8::encode($sql) if utf8::is_utf8($sql);

    local $ENV{PGOPTIONS} = '-c client_min_messages=warning';

    my $pid = open2(my $out, my $in, first_of('psql'), '-X', '-q', '-A', '-t',
                    '-v', 'ON_ERROR_STOP=1', '-h', $s->{SERVICES_PG_HOST},
                    '-U', 'postgres', '-d', $db, '-f', '-');
    print $in $sql;
    close $in;

    local $/;
    my $text = <$out>;

    waitpid $pid, 0;
    die "psql failed on: $sql\n" if $?;

    return defined $text ? $text : '';
}


# redis(ARGS...): what redis-cli prints
sub redis
{
    my $s = services();

    return run(first_of('redis-cli'), '--no-auth-warning', '-s',
               $s->{SERVICES_REDIS}, @_);
}


# conninfo($user, $db)
sub conninfo
{
    my ($user, $db) = @_;

    $db = $self{db} unless defined $db;

    return "host=" . services()->{SERVICES_PG_HOST} . " user=$user "
           . "password=$db_password dbname=$db";
}


sub redis_prefix
{
    return "$self{db}:";
}


# promptctl(ARGS...): standard output, without the line's end; what it says
# beside it is shown where it fails
sub promptctl
{
    my @args = @_;
    open my $said, '+>', undef or die "a file: $!\n";
    my $text;

    open my $stderr, '>&', \*STDERR or die "stderr: $!\n";
    open STDERR, '>&', $said or die "stderr: $!\n";

    {
        local $ENV{PROMPT_DATABASE_URL} = conninfo('prompt_owner');
        local $ENV{PROMPT_REDIS} = 'unix:' . services()->{SERVICES_REDIS}
                                   . ' prefix=' . redis_prefix();

        $text = eval { run($promptctl, @args) };
    }

    open STDERR, '>&', $stderr or die "stderr: $!\n";

    if (!defined $text) {
        seek $said, 0, 0;
        print STDERR <$said>;
        die $@;
    }

    chomp $text;

    return $text;
}


# The template of all suites' databases: made by the first one that comes, or
# there already where the data of the server were copied.
sub template
{
    my $s = services();
    my $file = ($ENV{PROMPT_TEST_TEMPLATE} || $self{at}) . '/template.json';

    open my $lock, '>', "$self{at}/template.lock" or die "template.lock: $!\n";
    flock $lock, LOCK_EX or die "flock: $!\n";

    if (!-f $file) {
        local $self{db} = 'prompt_template';
        my %made;

        psql(<<"END", 'postgres');
CREATE ROLE prompt_owner LOGIN PASSWORD '$db_password';
CREATE ROLE prompt_app LOGIN PASSWORD '$db_password';
CREATE DATABASE prompt_template OWNER prompt_owner;
END

        promptctl('migrate', '--grant', 'prompt_app');

        for my $name (qw(alice bob)) {
            my $email = "$name\@example.com";

            $made{"${name}_id"} = promptctl('user', 'add', $email, '--name',
                                            ucfirst $name);
            $made{"${name}_key"} = promptctl('key', 'add', $email, '--name',
                                             'test');

            for my $scope (qw(read write execute keys)) {
                $made{"${name}_${scope}_key"}
                    = promptctl('key', 'add', $email, '--name', $scope,
                                '--scope', $scope);
            }
        }

        open my $out, '>', "$file.tmp" or die "$file: $!\n";
        print $out $json->encode(\%made);
        close $out;
        rename "$file.tmp", $file;
    }

    open my $in, '<', $file or die "$file: $!\n";
    local $/;

    return $json->decode(scalar <$in>);
}


# make_template(DIR): a server's data with the template of databases, for
# PROMPT_TEST_TEMPLATE
sub make_template
{
    local $ENV{PROMPT_TEST_SERVICES} = $_[0];

    make_path($_[0]);
    run("$root/tools/services.sh", 'start', $_[0]);
    template();
    run("$root/tools/services.sh", 'stop', $_[0], '--keep');
}


# setup(): the database of this suite.  Afterwards var() has alice_id,
# alice_key, alice_read_key and so on, bob's too, and where the services are:
# database, pg_host, redis_socket, provider_port.
sub setup
{
    return if $self{db};

    (my $name = basename($0)) =~ s/\W+/_/g;
    my $made = template();

    $self{db} = lc "t_${name}_$$";
    $self{vars} = { %$made, database => $self{db},
                    redis_socket => services()->{SERVICES_REDIS},
                    pg_host => services()->{SERVICES_PG_HOST},
                    provider_port => provider() };

    # two suites cannot copy the template at once
    open my $lock, '>', "$self{at}/template.lock" or die "template.lock: $!\n";
    flock $lock, LOCK_EX or die "flock: $!\n";

    psql("CREATE DATABASE $self{db} TEMPLATE prompt_template "
         . 'OWNER prompt_owner', 'postgres');
}


# var($name [, value]): what %{name} stands for in a block
sub var
{
    my ($name, $value) = @_;

    $self{vars}{$name} = $value if @_ > 1;

    return $self{vars}{$name};
}


# expand($text): %{name} by its value
sub expand
{
    my ($text) = @_;

    $text =~ s/%\{(\w+)\}/
        defined $self{vars}{$1} ? $self{vars}{$1} : die "no variable $1\n"/gex;

    return $text;
}


# secrets(): all that no log may hold
sub secrets
{
    return ($db_password, $provider_key,
            map { $self{vars}{$_} } grep { m/_key$/ } keys %{ $self{vars} });
}


# provider(): starts the fixture provider; its port
sub provider
{
    return $self{provider_port} if $self{provider_port};

    my $pid = open2(my $out, my $in, first_of('node'), "$root/t/lib/provider.js",
                    '127.0.0.1:0');
    my $line = <$out>;

    die "the fixture provider does not start\n"
        unless defined $line && $line =~ /^ready (\d+)/;

    # it ends with its standard input, that is with this process
    $self{provider_in} = $in;
    $self{provider_out} = $out;
    $self{provider_pid} = $pid;

    return $self{provider_port} = $1;
}


# provider_control('log' | 'clear'): the calls, as a list
sub provider_control
{
    my ($what) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                       PeerPort => provider(), Timeout => 5)
        or die "provider: $!\n";

    print $socket "GET /_control/$what HTTP/1.0\r\n\r\n";

    local $/;
    my $text = <$socket>;

    $text =~ s/^.*?\r\n\r\n//s;

    return PromptTest::Json::decode($text);
}


# free_port(): of the loopback interface, free at this moment, and nobody else's
# of those who ask here while this process runs: a name that only one can have
# says so
my @claims;

sub free_port
{
    my $base = int rand 12000;

    for my $i (0 .. 11999) {
        my $port = 20000 + ($base + $i) % 12000;
        my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1',
                                           LocalPort => $port, Listen => 1,
                                           ReuseAddr => 1)
            or next;
        my $claim = IO::Socket::UNIX->new(Local => "\0prompt-test-port-$port",
                                          Listen => 1)
            or next;

        push @claims, $claim;
        close $socket;

        return $port;
    }

    die "no free port\n";
}


# full_port(): a port on which connections are neither accepted nor refused, as
# its backlog is full; until this process ends
my @full;

sub full_port
{
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1)
        or die "no socket: $!\n";

    push @full, $socket;

    for (1 .. 8) {
        my $client = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                           PeerPort => $socket->sockport,
                                           Blocking => 0);

        push @full, $client if $client;
    }

    return $socket->sockport;
}


# temp_paths($dir): where nginx puts bodies; Debian's own folders are root's
sub temp_paths
{
    my ($dir) = @_;

    return join '', map { "${_}_temp_path $dir/$_;\n" }
                    qw(client_body proxy fastcgi uwsgi scgi);
}


# worker_user(): root's workers are nobody, where nobody can reach the sockets
sub worker_user
{
    return undef if $>;

    system("runuser -u nobody -- test -x '$dir' -a -r '$module' 2>/dev/null")
        == 0 or return 'root';

    return 'nobody nogroup';
}


# The standard configuration.  Each part can be replaced by a block's section
# of the same name: postgres, redis; or the time that PostgreSQL has, in s:
# timeout.
sub http_config
{
    my (%with) = @_;
    my $s = services();
    # what is watched is slow; the time limits themselves are tested elsewhere
    my $seconds = ($with{timeout} || 2) * ($ENV{PROMPT_TEST_SLOW} || 1);
    my $postgres = defined $with{postgres} ? $with{postgres}
        : '"' . conninfo('prompt_app')
          . "\" connections=2 timeout=${seconds}s";
    my $redis = defined $with{redis} ? $with{redis}
        : "unix:$s->{SERVICES_REDIS} prefix=" . redis_prefix()
          . ' timeout=500ms';

    return <<"END";
    prompt_postgres $postgres;
    prompt_redis $redis;

    prompt_provider openai /_provider/openai timeout=2s;
    prompt_provider anthropic /_provider/anthropic format=anthropic timeout=2s;

    prompt_model fx:* provider=openai input=0.15 output=0.60 cached_input=0.075;
    prompt_model free-fx:* provider=openai;
    prompt_model claude-fx:* provider=anthropic input=3 output=15
                 cached_input=0.30;
END
}


my %locations = (
    '/graphql' => 'prompt_graphql;',
    '/v1'      => 'prompt_graphql;',
    '/metrics' => 'prompt_metrics;',
    '/_provider/openai' => '
        internal;
        proxy_pass http://127.0.0.1:%PORT%/v1/chat/completions;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Accept-Encoding "";
        proxy_set_header Authorization "Bearer %KEY%";
        proxy_ignore_client_abort on;',
    '/_provider/anthropic' => '
        internal;
        proxy_pass http://127.0.0.1:%PORT%/v1/messages;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Accept-Encoding "";
        proxy_set_header X-Api-Key "%KEY%";
        proxy_ignore_client_abort on;',
);


# server_config($own): the standard locations, without those that $own has
sub server_config
{
    my ($own) = @_;
    my $text = '';

    for my $path (sort keys %locations) {
        next if $own =~ /location\s+=\s+\Q$path\E\s/;

        my $body = $locations{$path};

        $body =~ s/%PORT%/provider()/ge;
        $body =~ s/%KEY%/$provider_key/g;

        $text .= "    location = $path { $body }\n";
    }

    return $text . $own;
}


# log_faults($text, $allow): what a log must not hold; empty where it is clean
sub log_faults
{
    my ($text, $allow) = @_;
    my @faults;

    for my $line (split /\n/, $text) {
        next if defined $allow && $line =~ /$allow/;

        if ($line =~ /\[(?:alert|crit|emerg)\]|open socket|runtime error:|
                      AddressSanitizer|exited\son\ssignal/x)
        {
            push @faults, $line;
        }
    }

    for my $secret (secrets()) {
        push @faults, "a secret ($secret) is in the log"
            if index($text, $secret) >= 0;
    }

    return @faults;
}


END {
    if ($$ == $owner) {
        local $?;

        if ($self{provider_pid}) {
            close $self{provider_in};
            waitpid $self{provider_pid}, 0;
        }

        if ($self{own_services}) {
            system("$root/tools/services.sh", 'stop', $self{own_services});
            remove_tree($self{own_services});

        } elsif ($self{db} && !$ENV{PROMPT_TEST_KEEP}) {
            eval { psql("DROP DATABASE IF EXISTS $self{db} WITH (FORCE)",
                        'postgres') };
        }
    }
}

1;
