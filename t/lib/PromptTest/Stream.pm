# Subscriptions for suites on PromptTest::Server: requests for events, and what
# comes of them.

package PromptTest::Stream;

use strict;
use warnings;

use IO::Select;
use Time::HiRes qw(time);

use PromptTest::Json;

our $slow = $ENV{PROMPT_TEST_SLOW} || 1;

our $subscription = 'subscription ($id: ID!, $in: JSON!) '
    . '{ executePromptStream(promptId: $id, input: $in) { delta result '
    . '{ output executionId tokenIn tokenOut costUsd versionUsed latencyMs } '
    . '} }';


# prompt($server, $model [, $content]): the id of a new prompt of alice's, with
# a version that runs on that model
my $count = 0;

sub prompt
{
    my ($s, $model, $content) = @_;
    my $name = "stream-$$-" . ++$count;

    my $id = $s->ask('alice', 'mutation ($n: String!) { createPrompt(input: '
                     . '{name: $n}) { id } }', { n => $name })
        ->{json}{data}{createPrompt}{id};

    my $made = $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
            . '{ createPromptVersion(input: $i) { id } }',
            { i => { promptId => $id, content => $content // 'say this',
                     params => { model => $model } } });

    die "no version: $made->{body}\n"
        unless $made->{json}{data}{createPromptVersion};

    return $id;
}


# request($server, $id [, accept => TEXT, query => TEXT, key => KEY, variables
# => V, keep => 1]): the text of a subscription's request
sub request
{
    my ($s, $id, %with) = @_;
    my $text = $s->request($with{key} // 'alice',
                           $with{query} // $subscription,
                           $with{variables} // { id => $id, in => {} });
    my $accept = $with{accept} // 'text/event-stream';

    $text =~ s/\r\n/\r\nAccept: $accept\r\n/ if $accept ne '';
    $text =~ s/Connection: close\r\n// if $with{keep};

    return $text;
}


# unchunk($text): a chunked body, as far as it came; whether it is whole
sub unchunk
{
    my ($text) = @_;
    my $whole = '';
    my $at = 0;

    # one that is large is not copied for each of its chunks

    while ((my $end = index $text, "\r\n", $at) >= 0) {
        my $n = hex substr $text, $at, $end - $at;

        return ($whole, 1) if $n == 0;

        $whole .= substr $text, $end + 2, $n;
        $at = $end + 2 + $n + 2;
    }

    return ($whole, 0);
}


# parse($text): what came of an answer: { status, head, body, whole, events =>
# [[name, value], ...], comments, deltas, output, result, errors, complete }
sub parse
{
    my ($text) = @_;
    my %got = (status => 0, head => '', body => '', events => [], deltas => [],
               comments => 0, complete => 0);

    return \%got unless $text =~ m{^HTTP/1\.[01] (\d+) .*?\r\n\r\n}s;

    $got{status} = $1;
    $got{head} = $&;
    $got{body} = substr $text, length $got{head};
    $got{whole} = 1;

    ($got{body}, $got{whole}) = unchunk($got{body})
        if $got{head} =~ /^transfer-encoding: chunked/mi;

    for my $block (split /\n\n/, $got{body}) {
        $got{comments}++ if $block =~ /^:/;

        my ($name) = $block =~ /^event: (.*)$/m;
        my ($data) = $block =~ /^data: ?(.*)$/m;

        next unless defined $name;

        my $value = $data eq '' ? undef
            : eval { PromptTest::Json::decode($data) };

        push @{ $got{events} }, [ $name, $value ];

        $got{complete}++ if $name eq 'complete';

        next unless ref $value;

        my $event = $value->{data} && $value->{data}{executePromptStream};

        push @{ $got{deltas} }, $event->{delta}
            if $event && defined $event->{delta};
        $got{result} = $event->{result} if $event && $event->{result};
        $got{errors} = $value->{errors} if $value->{errors};
    }

    $got{output} = join '', @{ $got{deltas} };
    $got{json} = eval { PromptTest::Json::decode($got{body}) };

    return \%got;
}


# receive($socket [, $until, $seconds]): what came when the connection ended,
# or when the text so far matches $until
sub receive
{
    my ($socket, $until, $seconds) = @_;
    my $end = time() + ($seconds || 60) * $slow;
    my $select = IO::Select->new($socket);
    my $text = '';

    while (time() < $end) {
        next unless $select->can_read(0.1);

        my $n = sysread $socket, $text, 65536, length $text;

        last unless $n;
        last if defined $until && $text =~ $until;
    }

    return $text;
}


# stream($server, $id, ...): as request(); what came
sub stream
{
    my ($s, @what) = @_;
    my $socket = $s->send(request($s, @what)) or return parse('');

    return parse(receive($socket));
}

1;
