# The trace of a request (W3C Trace Context): taken from the client or begun,
# given to the provider, kept with the execution, shown to logs.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls;
use PromptTest::Server;
use Test::More;

my $trace = '4bf92f3577b34da6a3ce929d0e0e4736';
my $span = '00f067aa0ba902b7';
my $parent = "traceparent: 00-$trace-$span-01";

PromptTest::Env::setup();

my $s = PromptTest::Server->new(http => '
    log_format traces "$prompt_operation $prompt_trace_id $prompt_span_id";
    prompt_provider again /_provider/openai timeout=20s retries=2;
    prompt_provider named /_provider/named timeout=20s;
    prompt_model r-fx:* provider=again;
    prompt_model named-fx:* provider=named;
', server => "
    access_log $PromptTest::Env::dir/traces.log traces;
    location = /other { return 204; }
    location = /_provider/named {
        internal;
        proxy_pass http://127.0.0.1:" . PromptTest::Env::provider()
        . '/v1/chat/completions;
        proxy_set_header traceparent "00-own";
    }
');


# with($text, HEADERS): a request with further headers
sub with
{
    my ($text, @headers) = @_;

    $text =~ s/\r\n/\r\n$_\r\n/ for reverse @headers;

    return $text;
}


# traced(MODEL, HEADERS): what the provider got of each call, as [ trace, span,
# flags, tracestate ]; the row's trace; what the API says of it
sub traced
{
    my ($model, @headers) = @_;
    my $id = version($s, { model => $model });

    PromptTest::Env::provider_control('clear');

    my $answer = $s->receive($s->send(with($s->request('alice',
                                               $PromptTest::Calls::run,
                                               { id => $id }), @headers)));
    my $execution = $answer->{json}{data}{executePrompt}{executionId};
    my $shown = $s->ask('alice', 'query ($id: ID!) { execution(id: $id) '
                        . '{ traceId } }', { id => $execution });
    my @calls;

    for my $call (calls()) {
        my $header = $call->{headers}{traceparent};

        push @calls, defined $header
            && $header =~ /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/
            ? [ $1, $2, $3, $call->{headers}{tracestate} ] : [ $header ];
    }

    return (\@calls, row("encode(trace_id, 'hex')"),
            $shown->{json}{data}{execution}{traceId});
}


# a trace that the client names

{
    my ($calls, $row, $shown) = traced('fx:ok', $parent,
                                       'tracestate: a=1, b@c=2');

    is(scalar @$calls, 1, 'one call');
    is($calls->[0][0], $trace, 'the provider is told the trace');
    isnt($calls->[0][1], $span, 'by another span');
    is($calls->[0][2], '01', 'that it is sampled');
    is($calls->[0][3], 'a=1,b@c=2', 'and its state');
    is($row, $trace, 'the row has it');
    is($shown, $trace, 'so does the API');
}

for my $case ([ 'not sampled', "00-$trace-$span-00", '00' ],
              [ 'of a later version', "cc-$trace-$span-01-more", '01' ],
              [ 'with flags that are not known', "00-$trace-$span-fe", '00' ])
{
    my ($name, $text, $flags) = @$case;
    my ($calls, $row) = traced('fx:ok', "Traceparent: $text");

    is("$calls->[0][0] $calls->[0][2] $row", "$trace $flags $trace", $name);
}


# none that is to be taken

{
    my ($calls, $row, $shown) = traced('fx:ok', 'tracestate: a=1');

    like($calls->[0][0], qr/^[0-9a-f]{32}$/, 'a trace is begun');
    is($calls->[0][2], '00', 'not sampled: nobody collects');
    is($calls->[0][3], undef, 'a state alone is none');
    is($row, $calls->[0][0], 'the row has what was begun');
    is($shown, $row, 'so does the API');
}

for my $case ([ 'zero trace', "00-" . '0' x 32 . "-$span-01" ],
              [ 'zero span', "00-$trace-" . '0' x 16 . '-01' ],
              [ 'upper case', '00-' . uc($trace) . "-$span-01" ],
              [ 'version ff', "ff-$trace-$span-01" ],
              [ 'more behind version 00', "00-$trace-$span-01-x" ],
              [ 'too short', "00-$trace-$span" ], [ 'no word', '' ],
              [ 'long', 'a' x 3000 ])
{
    my ($name, $text) = @$case;
    my ($calls, $row) = traced('fx:ok', "traceparent: $text",
                               'tracestate: a=1');

    ok($row =~ /^[0-9a-f]{32}$/ && $row ne $trace && $row !~ /^0+$/
       && $calls->[0][0] eq $row && !defined $calls->[0][3],
       "$name: another one is begun, without state");
}

{
    my ($calls, $row) = traced('fx:ok', $parent, $parent);

    isnt($row, $trace, 'two headers: none');
}


# states

for my $case ([ 'two headers are one list', 'a=1,b=2', 'tracestate: a=1',
                'tracestate: b=2' ],
              [ 'ill-formed', undef, 'tracestate: a=1, B=2' ],
              [ 'too many', undef, 'tracestate: '
                . join ',', map { "k$_=1" } 1 .. 33 ],
              [ 'what has room', join(',', map { "k$_=" . 'v' x 100 } 1 .. 4),
                'tracestate: ' . join ',', map { "k$_=" . 'v' x 100 } 1 .. 9 ])
{
    my ($name, $wanted, @headers) = @$case;
    my ($calls) = traced('fx:ok', $parent, @headers);

    is($calls->[0][3], $wanted, "tracestate: $name");
    is($calls->[0][0], $trace, "$name: the trace goes on");
}


# attempts, streams, a location's own header

{
    my ($calls, $row) = traced('r-fx:status=503,retry-after=0|status=503,'
                               . 'retry-after=0|ok', $parent);

    is(join(' ', map { $_->[0] } @$calls), "$trace $trace $trace",
       'tried again: the same trace');
    is($calls->[2][1], $calls->[0][1], 'and the same span');

    ($calls, $row) = traced('named-fx:ok', $parent);
    is($calls->[0][0], '00-own', 'a location may replace what is sent');
    is($row, $trace, 'the row has the trace');
}

{
    my $id = version($s, { model => 'fx:ok' });
    my $text = $s->request('alice', 'subscription ($id: ID!) '
                           . '{ executePromptStream(promptId: $id, input: '
                           . '{a: 1}) { delta } }', { id => $id });

    PromptTest::Env::provider_control('clear');
    $s->receive($s->send(with($text, $parent, 'Accept: text/event-stream')));

    like((calls())[0]{headers}{traceparent}, qr/^00-$trace-/, 'a stream');
    is(row("encode(trace_id, 'hex')"), $trace, 'and its row');
}

{
    my $one = version($s, { model => 'fx:ok' });
    my $text = $s->request('alice', 'mutation ($id: ID!) { '
        . join(' ', map { "$_: executePrompt(promptId: \$id, input: {a: 1}) "
                          . '{ output }' } 'a', 'b') . ' }', { id => $one });

    PromptTest::Env::provider_control('clear');
    $s->receive($s->send(with($text, $parent)));

    my @spans = map { $_->{headers}{traceparent} } calls();

    ok(@spans == 2 && $spans[0] ne $spans[1],
       'two executions of a request are two spans');
}


# logs

{
    my $log = "$PromptTest::Env::dir/traces.log";

    open my $out, '>', $log or die "$log: $!\n";
    $s->receive($s->send(with($s->request('alice', '{ me { id } }'),
                              $parent)));
    $s->ask('alice', '{ me { id } }');
    $s->ask('nobody', '{ me { id } }');
    $s->receive($s->send("GET /other HTTP/1.0\r\n\r\n"));

    ok(within(5, sub { (-s $log // 0) > 150 }), 'four lines');

    open my $in, '<', $log or die "$log: $!\n";
    my @lines = <$in>;

    like($lines[0], qr/^me $trace (?!$span)[0-9a-f]{16}$/, 'of the client');
    like($lines[1], qr/^me (?!$trace)[0-9a-f]{32} [0-9a-f]{16}$/, 'begun');
    like($lines[2], qr/^- [0-9a-f]{32} [0-9a-f]{16}$/, 'of who has no key');
    like($lines[3], qr/^- - -$/, 'elsewhere there is none');
}

$s->stop;
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
