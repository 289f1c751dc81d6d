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

our @EXPORT = qw(version executed calls row is_row within left);

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


# left($s, PARAMS, CALLS): sends the execution, and goes when the provider had
# so many calls; the prompt's id
sub left
{
    my ($s, $params, $calls) = @_;
    my $id = version($s, $params);

    PromptTest::Env::provider_control('clear');

    my $socket = $s->send($s->request('alice', $run, { id => $id }));

    ok(within(10, sub { calls() >= $calls && row('status') eq 'running' }),
       'the provider was called');
    close $socket;

    return $id;
}

1;
