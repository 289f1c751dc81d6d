# Executions that take several calls of providers: a server for them, what the
# fixture provider saw, and the rows.

package PromptTest::Calls;

use strict;
use warnings;

use Exporter qw(import);
use JSON::PP ();
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

our @EXPORT = qw(version executed calls row is_row within left begun
                 http2_listen http2_post http2_send http2_reset);

our $slow = $ENV{PROMPT_TEST_SLOW} || 1;
our $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {a: 1}) '
           . '{ output model costUsd tokenIn tokenOut executionId } }';

my $n = 0;


# version($s, PARAMS): the id of a prompt whose only version has these params
sub version
{
    my ($s, $params) = @_;
    my $answer = $s->ask('alice', 'mutation ($n: String!) { createPrompt('
                         . 'input: {name: $n}) { id } }',
                         { n => 'calls-' . ++$n });
    my $id = $answer->{json}{data}{createPrompt}{id};

    $answer = $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
                      . '{ createPromptVersion(input: $i) { id } }',
                      { i => { promptId => $id, content => 'say {{a}}',
                               params => $params } });

    diag(JSON::PP->new->encode($answer->{json}))
        if $answer->{json}{errors};

    return $id;
}


# executed($s, PARAMS): the answer's executePrompt, or its first error's
# message
sub executed
{
    my ($s, $params) = @_;
    my $id = version($s, $params);

    PromptTest::Env::provider_control('clear');

    my $json = $s->ask('alice', $run, { id => $id })->{json};

    return $json->{errors} ? $json->{errors}[0]{message}
                           : $json->{data}{executePrompt};
}


# calls(): what the provider received since executed()
sub calls
{
    return @{ PromptTest::Env::provider_control('log') };
}


# row(COLUMNS): of the newest execution, separated by |
sub row
{
    my ($columns) = @_;
    my $text = PromptTest::Env::psql("SELECT $columns FROM executions "
                                     . 'ORDER BY id DESC LIMIT 1');

    chomp $text;
    return $text;
}


# is_row(WHAT, STATUS, ATTEMPTS): both of the newest row, and as many calls
sub is_row
{
    my ($what, $status, $attempts) = @_;

    is(row('status, attempts'), "$status|$attempts", "$what: the row");
    is(scalar calls(), $attempts, "$what: as many calls");
}


# within($seconds, sub): whether sub becomes true in that time
sub within
{
    my ($seconds, $code) = @_;
    my $until = time() + $seconds * $slow;

    while (time() < $until) {
        return 1 if $code->();
        sleep 0.02;
    }

    return $code->();
}


# begun($s, PARAMS, CALLS): sends the execution, and waits until the provider
# had so many calls; the connection
sub begun
{
    my ($s, $params, $calls) = @_;
    my $id = version($s, $params);

    PromptTest::Env::provider_control('clear');

    my $socket = $s->send($s->request('alice', $run, { id => $id }));

    was_called($calls);

    return $socket;
}


sub was_called
{
    my ($calls) = @_;

    ok(within(10, sub { calls() >= $calls && row('status') eq 'running' }),
       'the provider was called');
}


# left($s, PARAMS, CALLS): the same, and the client goes
sub left
{
    close begun(@_);
}


# HTTP/2, frame by frame

my $http2 = `$PromptTest::Env::nginx -V 2>&1` =~ /http_v2_module/;
my $port = PromptTest::Env::free_port() + 300;


# http2_listen(): a server for the http block that speaks it; empty where this
# nginx does not
sub http2_listen
{
    my ($server) = @_;
    my ($version) = `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/([\d.]+)};
    my ($major, $minor, $patch) = split /\./, $version;
    my $on = $major * 1e6 + $minor * 1e3 + $patch >= 1025001;

    return '' unless $http2;

    return "server { listen 127.0.0.1:$port" . ($on ? '; http2 on;' : ' http2;')
           . PromptTest::Env::server_config($server || '') . '}';
}


sub frame
{
    my ($type, $flags, $id, $payload) = @_;

    return substr(pack('N', length $payload), 1) . pack('CCN', $type, $flags,
                                                        $id) . $payload;
}


# http2_post($s, PARAMS, CALLS): as begun(), as a stream
sub http2_post
{
    my ($s, $params, $calls) = @_;
    my $id = version($s, $params);

    PromptTest::Env::provider_control('clear');

    my $socket = http2_send($id, '/graphql');

    was_called($calls);

    return $socket;
}


# http2_send(ID, PATH): a stream that executes it; the connection
sub http2_send
{
    my ($id, $path) = @_;
    my $key = PromptTest::Env::var('alice_key');
    my $body = JSON::PP->new->encode({ query => $run,
                                       variables => { id => $id } });
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                       PeerPort => $port) or die "$!\n";

    syswrite $socket, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" . frame(4, 0, 0, '')
        . frame(1, 4, 1, "\x83\x86\x04" . chr(length $path) . $path
                         . "\x01\x09localhost"
                         . "\x0f\x10\x10application/json"
                         . "\x00\x09x-api-key" . chr(length $key) . $key)
        . frame(0, 1, 1, $body);

    return $socket;
}


sub http2_reset
{
    my ($socket) = @_;

    syswrite $socket, frame(3, 0, 1, pack('N', 8));
}

1;
