# The sections that PromptTest adds to Test::Nginx's blocks, and what it
# checks after every block.

package PromptTest::Block;

use strict;
use warnings;
no warnings 'once';       # variables of Test::Nginx, which is loaded later

use File::Path qw(make_path remove_tree);
use Test::More ();
use Time::HiRes qw(sleep time);

use PromptTest::Env;
use PromptTest::Json;

# sections in which %{name} is expanded
my @expanded = qw(config http_config main_config graphql variables key path
                  more_headers request raw_request data errors json code
                  sql sql_check sql_result provider redis redis_check
                  redis_result postgres response_body response_body_like cases
                  error_log no_error_log access_log init);


# whether the block at hand asks for lines of the error log
my $log_asked = 1;

my @of_log = qw(error_log no_error_log grep_error_log shutdown_error_log
                no_shutdown_error_log);


# before(): the environment that Test::Nginx reads when it is loaded
sub before
{
    make_path($PromptTest::Env::dir);

    my $port = PromptTest::Env::free_port();
    my $user = PromptTest::Env::worker_user();

    $ENV{TEST_NGINX_PORT} = $port;
    $ENV{TEST_NGINX_BINARY} ||= $PromptTest::Env::nginx;
    $ENV{TEST_NGINX_SERVROOT} = "$PromptTest::Env::dir/servroot-$$";
    $ENV{TEST_NGINX_LOAD_MODULES} = $PromptTest::Env::module;
    $ENV{TEST_NGINX_LOG_LEVEL} ||= 'info';
    $ENV{TEST_NGINX_MASTER_PROCESS} ||= 'on';
    $ENV{TEST_NGINX_NO_SHUFFLE} = 1;
    $ENV{TEST_NGINX_TIMEOUT} ||= 10;
    $ENV{TEST_NGINX_WORKER_USER} = $user if defined $user;
}


# after(): hooks into Test::Nginx
sub after
{
    Test::Nginx::Util::add_block_preprocessor(\&prepare);
    Test::Nginx::Socket::add_response_body_check(\&check_body);
    Test::Nginx::Util::add_test_cleanup_handler(\&finish);

    no warnings 'redefine';

    # lines of the error log are waited for where a block asks for some: what
    # else is looked at there is looked at when nginx has quit
    my $read = \&Test::Nginx::Util::error_log_data;

    *Test::Nginx::Socket::error_log_data = sub () {
        local $Test::Nginx::Util::TestNginxSleep
            = $log_asked ? $Test::Nginx::Util::TestNginxSleep : 0;

        return $read->();
    };

    # texts that differ are told as everywhere
    *Test::Nginx::Socket::is_string = \&Test::More::is
        if !$ENV{PROMPT_TEST_VERBOSE};

    # a suite that cannot go on must not stop those that come after it
    *Test::More::BAIL_OUT = sub {
        Test::More::fail("cannot go on: @_");
        exit 255;
    };

    # what it says of each line in an error log that no pattern asked for
    my $warn = $SIG{__WARN__} || sub { print STDERR @_ };

    $SIG{__WARN__} = sub {
        $warn->(@_) unless $_[0] =~ m{^WARNING: .* \[\w+\] .*Socket\.pm line};
    };

    Test::More::plan('no_plan');
}


sub value
{
    my ($block, $name) = @_;
    my $value = $block->$name;

    return $value;
}


sub text
{
    my ($block, $name) = @_;
    my $value = value($block, $name);

    return undef unless defined $value;

    $value =~ s/\s+\z//;

    return $value;
}


# prepare($block): before nginx is started for it
sub prepare
{
    my ($block) = @_;

    PromptTest::Env::setup();

    $log_asked = grep { defined value($block, $_) } @of_log;

    for my $name (@expanded) {
        my $value = value($block, $name);

        next if !defined $value;

        if (ref $value eq 'Regexp') {
            my $text = PromptTest::Env::expand("$value");

            $block->set_value($name, qr/$text/) if $text ne "$value";
            next;
        }

        if (ref $value eq 'ARRAY') {
            $block->set_value($name, [ map { ref $_ ? $_
                : PromptTest::Env::expand($_) } @$value ]);
        } elsif (!ref $value) {
            $block->set_value($name, PromptTest::Env::expand($value));
        }
    }

    PromptTest::Env::psql($block->sql) if defined $block->sql;

    if (!defined $block->bare) {
        $block->set_value('http_config',
            PromptTest::Env::http_config(
                postgres => text($block, 'postgres'),
                redis => text($block, 'redis'))
            . (defined $block->http_config ? $block->http_config : ''));

        $block->set_value('config', PromptTest::Env::server_config(
            defined $block->config ? $block->config : ''));

        PromptTest::Env::provider_control('clear');
    }

    $block->set_value('suppress_stderr', 1) if defined $block->must_die;
    $block->set_value('config', '') unless defined $block->config;

    request($block);
}


# request($block): the POST of --- graphql, --- variables, --- operation
sub request
{
    my ($block) = @_;
    my $headers = $block->more_headers;
    my $key = text($block, 'key');

    if (!ref $headers) {
        $headers = '' unless defined $headers;

        if (!defined $key && $headers !~ /^(?:authorization|x-api-key):/mi
            && (defined $block->graphql || defined $block->body))
        {
            $key = 'alice';
        }

        if (defined $key && $key ne 'none') {
            my $known = PromptTest::Env::var("${key}_key");

            $key = $known if defined $known;
            $headers .= "\n" if $headers =~ /[^\n]\z/;
            $headers .= "Authorization: Bearer $key\n";
        }

        if ((defined $block->graphql || defined $block->body)
            && $headers !~ /^content-type:/mi)
        {
            $headers .= "\n" if $headers =~ /[^\n]\z/;
            $headers .= "Content-Type: application/json\n";
        }

        $block->set_value('more_headers', $headers);
    }

    my $path = text($block, 'path');
    $path = '/graphql' unless defined $path;

    if (defined $block->cases) {
        cases($block, $path);

    } elsif (defined $block->graphql) {
        my $query = text($block, 'graphql');
        my $variables = text($block, 'variables');
        my $operation = text($block, 'operation');
        my $body = '{"query":' . PromptTest::Json::string($query);

        $body .= ",\"variables\":$variables" if defined $variables;
        $body .= ',"operationName":' . PromptTest::Json::string($operation)
            if defined $operation;

        $body .= '}';
        $body = sprintf("%x\r\n%s\r\n0\r\n\r\n", length $body, $body)
            if !ref $headers && $headers =~ /^transfer-encoding: chunked/mi;

        $block->set_value('request', "POST $path\n$body");

    } elsif (defined $block->body) {
        $block->set_value('request',
                          "POST $path\n" . text($block, 'body'));
    }
}


# cases($block, $path): a request for each line of --- cases
sub cases
{
    my ($block, $path) = @_;
    my $document = text($block, 'graphql');
    my $default = text($block, 'key');
    my (@requests, @headers, @codes, @wanted);

    for my $line (split /\n/, text($block, 'cases')) {
        next if $line =~ /^\s*(?:#|$)/;

        my ($key, $sent, $want) = $line =~ /^(?:(\w+): +)?(.*\S)\s+=> (.*)$/
            or die "no case: $line\n";

        $key = defined $default ? $default : 'alice' unless defined $key;

        my $status = $want =~ s/^(\d{3})(?: +|$)// ? $1 : 200;
        my $known = PromptTest::Env::var("${key}_key");
        my ($query, $variables) = defined $document ? ($document, $sent)
            : $sent =~ /^(.*) ~ (\{.*\})$/ ? ($1, $2) : ($sent, undef);
        my $body = '{"query":' . PromptTest::Json::string($query);

        $body .= ",\"variables\":$variables" if defined $variables;

        push @requests, "POST $path\n$body}";
        push @headers, "Content-Type: application/json\n"
            . ($key eq 'none' ? '' : 'Authorization: Bearer '
                                     . (defined $known ? $known : $key)
                                     . "\n");
        push @codes, $status;
        push @wanted, [ "$key: $sent", $want ];
    }

    $block->set_value('request', \@requests);
    $block->set_value('more_headers', \@headers);
    $block->set_value('error_code', \@codes);
    $block->set_value('cases', \@wanted);
}


# check_case($name, $case, $body): what stands right of =>
sub check_case
{
    my ($name, $case, $body) = @_;
    my ($sent, $want) = @$case;
    my $got = eval { PromptTest::Json::decode($body) };

    utf8::encode($sent) if utf8::is_utf8($sent);
    $sent = substr($sent, 0, 100) . '...' if length $sent > 103;
    $name .= " - $sent";

    my ($code, $field, $message)
        = $want =~ m{^([A-Z_]{5,})(?: +([^/\s]\S*))?(?: +/(.*)/)?\s*$};

    if (defined $code) {
        my $error = { extensions => { code => $code } };

        utf8::decode($message) if defined $message;

        $error->{extensions}{field} = $field if defined $field;
        $error->{message} = "/$message/" if defined $message;

        my $diff = PromptTest::Json::differs(
            ref $got eq 'HASH' ? $got->{errors} : undef, [ $error ], 1);

        Test::More::ok(!defined $diff, $name) or differs($diff, $body);

    } elsif ($want ne '') {
        compare($name, $got, "{\"data\": $want}", 0, $body);
    }
}


# check_body(...): --- cases, --- data, --- errors, --- code, --- json, --- save
sub check_body
{
    my ($block, $body, $req_idx, $repeated, $dry_run) = @_;
    my $name = $block->name;
    my ($got, $diff);

    return if $dry_run;

    if (defined $block->cases) {
        check_case($name, $block->cases->[$req_idx], $body);
        return;
    }

    return unless grep { defined value($block, $_) }
                       qw(data errors code json save);

    $got = eval { PromptTest::Json::decode($body) };

    if (!Test::More::ok(defined $got, "$name - the answer is JSON")) {
        differs('wanted JSON, got ' . PromptTest::Sentence::shown($body), $body);
        return;
    }

    if (defined $block->json) {
        compare("$name - json", $got, $block->json, 0, $body);
    }

    if (defined $block->data) {
        compare("$name - data", $got->{data}, $block->data, 0, $body);

        if (!defined $block->errors && !defined $block->code) {
            Test::More::ok(!exists $got->{errors}, "$name - no errors")
                or differs('wanted no errors, got '
                           . PromptTest::Json::short($got->{errors}), $body);
        }
    }

    if (defined $block->errors) {
        compare("$name - errors", $got->{errors}, $block->errors, 1, $body);
    }

    if (defined $block->code) {
        my ($code, $field) = split ' ', text($block, 'code');
        my $want = { extensions => { code => $code } };

        $want->{extensions}{field} = $field if defined $field;
        $diff = PromptTest::Json::differs($got->{errors}, [ $want ], 1);

        Test::More::ok(!defined $diff, "$name - code")
            or differs($diff, $body);
    }

    if (defined $block->save) {
        for my $line (split /\n/, $block->save) {
            my ($variable, $path) = $line =~ /^\s*(\w+)\s*=\s*(\S+)/ or next;
            my $value = PromptTest::Json::at($got, $path);

            Test::More::ok(defined $value, "$name - has $path")
                or differs("wanted a value at $path, there is none", $body);
            PromptTest::Env::var($variable, $value) if defined $value;
        }
    }
}


sub compare
{
    my ($name, $got, $want, $subset, $body) = @_;
    my $expected = eval { PromptTest::Json::decode($want) };

    if (!defined $expected && $want !~ /^\s*null\s*$/) {
        Test::More::fail($name);
        Test::More::diag("what the test expects is no JSON: $@");
        return;
    }

    my $diff = PromptTest::Json::differs($got, $expected, $subset);

    Test::More::ok(!defined $diff, $name) or differs($diff, $body);
}


# differs($diff, $body): where an answer does, and the whole of it for those
# that ask for everything
sub differs
{
    my ($diff, $body) = @_;

    Test::More::diag("  $diff");
    Test::More::diag("got: $body") if $ENV{PROMPT_TEST_VERBOSE};
}


# gone($pid): a zombie that nobody waits for has gone, too
sub gone
{
    my ($pid) = @_;

    return 1 unless kill 0 => $pid;

    open my $in, '<', "/proc/$pid/stat" or return 1;
    my $line = <$in>;

    return !defined $line || $line =~ /\) Z /;
}


# stop(): quits nginx as an operator would; false where it would not go
sub stop
{
    my $file = $Test::Nginx::Util::PidFile;

    return 1 if $Test::Nginx::Util::UseHup || !-f $file;

    open my $in, '<', $file or return 1;
    my $pid = <$in>;
    close $in;

    return 1 unless defined $pid && $pid =~ /^(\d+)/;

    $pid = $1;
    kill QUIT => $pid;

    my $until = time() + 15;

    while (!gone($pid)) {
        if (time() > $until) {
            kill KILL => $pid;
            system('pkill', '-KILL', '-P', $pid);
            return 0;
        }

        sleep 0.003;
    }

    return 1;
}


sub slurp
{
    my ($file) = @_;

    open my $in, '<', $file or return '';
    local $/;
    my $text = <$in>;

    return defined $text ? $text : '';
}


# finish($block): nginx quits; the log, the database and the provider's calls
# are looked at afterwards, when all that was in flight has ended
sub finish
{
    my ($block) = @_;
    my $name = $block->name;

    Test::More::ok(stop(), "$name - nginx quits in time");

    if ($Test::Nginx::Util::LogLevel ne 'debug') {
        my $allow = text($block, 'allow_log');

        $allow = '\[emerg\]' if defined $block->must_die && !defined $allow;

        my @faults = PromptTest::Env::log_faults(
            slurp($Test::Nginx::Util::ErrLogFile), $allow);

        Test::More::ok(!@faults, "$name - clean error log")
            or Test::More::diag(join "\n", @faults);
    }

    if (defined $block->sql_check) {
        my $got = PromptTest::Env::psql($block->sql_check);

        $got =~ s/\s+\z//;
        Test::More::is($got, text($block, 'sql_result'), "$name - database");
    }

    if (defined $block->redis_check) {
        my $got = PromptTest::Env::redis(split ' ', $block->redis_check);

        $got =~ s/\s+\z//;
        Test::More::is($got, text($block, 'redis_result'), "$name - Redis");
    }

    if (defined $block->provider || defined $block->provider_calls) {
        my $calls = PromptTest::Env::provider_control('log');

        if (defined $block->provider_calls) {
            Test::More::is(scalar @$calls, text($block, 'provider_calls'),
                           "$name - calls of the provider");
        }

        if (defined $block->provider) {
            compare("$name - what the provider got", $calls, $block->provider,
                    1, PromptTest::Json::encode($calls));
        }
    }
}


END {
    my $servroot = $ENV{TEST_NGINX_SERVROOT};

    if (!$Test::Nginx::Util::InSubprocess && $servroot && -d $servroot) {
        if ($? == 0 && !$ENV{PROMPT_TEST_KEEP}
            && Test::More->builder->is_passing)
        {
            remove_tree($servroot);
        } else {
            Test::More::diag("kept: $servroot");
        }
    }
}

1;
