# prompt_otlp: spans, as a collector gets them that looks at all of it by the
# rules of OTLP (lib/otlp.js); and collectors that fail.

use strict;
use warnings;

use lib 't/lib';
use IPC::Open2;
use PromptTest::Calls;
use PromptTest::Server;
use PromptTest::Json;
use Test::More;
use Time::HiRes qw(sleep time);

my $secret = 'otlp-canary-header';
my $trace = '4bf92f3577b34da6a3ce929d0e0e4736';
my $span = '00f067aa0ba902b7';


# collector(CERTIFICATE, KEY): its port; it ends with this process
my @collectors;

sub collector
{
    my $pid = open2(my $out, my $in, 'node', 't/lib/collector.js', @_);
    my $line = <$out>;

    die "the collector does not start\n" unless $line =~ /^ready (\d+)/;
    push @collectors, [ $in, $out ];
    return $1;
}

my $collector = collector();

sub control
{
    my ($what) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                       PeerPort => $collector, Timeout => 5)
        or die "collector: $!\n";

    print $socket "GET /_control/$what HTTP/1.0\r\n\r\n";

    local $/;
    my $text = <$socket>;

    $text =~ s/^.*?\r\n\r\n//s;
    return PromptTest::Json::decode($text);
}


# got(N): what the collector has when it has N spans; and no fault in them
sub got
{
    my ($n, $what) = @_;
    my $log;

    within(15, sub { $log = control('log'); @{ $log->{spans} } >= $n });
    is(scalar @{ $log->{spans} }, $n, "$what: spans") if defined $what;
    is_deeply($log->{faults}, [], "$what: by the rules") if defined $what;

    return $log;
}


# of(LOG, KIND): its spans of a kind, 2 SERVER, 3 CLIENT
sub of
{
    my ($log, $kind) = @_;

    return grep { $_->{kind} == $kind } @{ $log->{spans} };
}


sub directive
{
    my ($more, $port) = @_;

    return 'prompt_otlp http://127.0.0.1:' . ($port || $collector)
           . "/v1/traces \"header=X-Auth:$secret\" interval=100ms $more;\n"
           . "prompt_provider again /_provider/openai timeout=20s retries=2;\n"
           . "prompt_model r-fx:* provider=again input=1 output=2;\n";
}

# metric($s, NAME): a line's number
sub metric
{
    my ($s, $name) = @_;
    my $text = $s->receive($s->send("GET /metrics HTTP/1.0\r\n\r\n"))->{body};

    return $text =~ /^\Q$name\E (\d+)$/m ? $1 : undef;
}

sub fresh
{
    control('be?ok');
    control('clear');
}

# ended($s): it quits; what its log has, which holds no secret
sub ended
{
    my ($s, $what, $allow) = @_;

    ok($s->stop, "$what: it quits") ;
    is_deeply([ $s->faults($allow) ], [], "$what: clean error log");

    my $text = $s->log_text;

    unlike($text, qr/\Q$secret\E|secret words/, "$what: no secret in it");
    return $text;
}


# what spans say

my $s = PromptTest::Server->new(http => directive('service=shop'));
my $idle = version($s, { model => 'fx:usage=100:50', temperature => 0.5,
                         max_tokens => 20, stop => [ 'END', 'Ä' ] });

got(2);
fresh();

{
    my $text = $s->request('alice', 'mutation Say($id: ID!) { executePrompt('
                           . 'promptId: $id, input: {a: "geheim"}) { output } }',
                           { id => $idle });

    $text =~ s/\r\n/\r\ntraceparent: 00-$trace-$span-01\r\n/;
    $s->receive($s->send($text));

    my $log = got(2, 'an execution');
    my ($server) = of($log, 2);
    my ($client) = of($log, 3);
    my $plain = $client->{plain};

    is($server->{name}, 'mutation executePrompt', 'the request: its name');
    is($server->{traceId}, $trace, 'the trace');
    is($server->{parentSpanId}, $span, "below the client's span");
    is_deeply($server->{status}, {}, 'it went well');
    is($server->{plain}{'graphql.operation.name'}, 'Say', 'its operation');
    is($server->{plain}{'graphql.operation.type'}, 'mutation', 'its type');
    is($server->{plain}{'prompt.protocol'}, 'graphql', 'what it spoke');
    is($server->{plain}{'http.request.method'}, 'POST', 'the method');
    is($server->{plain}{'http.response.status_code'}, 200, 'the status');
    is($server->{plain}{'url.path'}, '/graphql', 'the path');
    is($server->{plain}{'prompt.user.id'}, PromptTest::Env::var('alice_id'),
       'who');
    is($server->{resource}{'service.name'}, 'shop', 'the service');

    is($client->{name}, 'chat fx:usage=100:50', 'the execution: its name');
    is($client->{traceId}, $trace, 'the same trace');
    is($client->{parentSpanId}, $server->{spanId}, 'below the request');
    ok($client->{startTimeUnixNano} ge $server->{startTimeUnixNano}
       && $client->{endTimeUnixNano} le $server->{endTimeUnixNano},
       'and within its time');
    like((calls())[-1]{headers}{traceparent}, qr/-$client->{spanId}-01$/,
         'the provider was told this span');

    my %wanted = (
        'gen_ai.operation.name' => 'chat', 'gen_ai.provider.name' => 'openai',
        'gen_ai.request.model' => 'fx:usage=100:50',
        'gen_ai.response.model' => 'fx:usage=100:50',
        'gen_ai.request.temperature' => 0.5, 'gen_ai.request.max_tokens' => 20,
        'gen_ai.request.stop_sequences' => [ 'END', 'Ä' ],
        'gen_ai.response.finish_reasons' => [ 'stop' ],
        'gen_ai.usage.input_tokens' => 100, 'gen_ai.usage.output_tokens' => 50,
        'prompt.id' => $idle,
        'prompt.version' => 1, 'prompt.attempts' => 1,
        'prompt.execution.status' => 'succeeded',
        'prompt.provider' => 'openai',
        'prompt.execution.id' => row('id'),
    );

    is(sprintf('%.7f', delete $plain->{'prompt.cost_usd'}), '0.0000450',
       'what it cost');
    is_deeply($plain->{$_}, $wanted{$_}, $_) for sort keys %wanted;
    unlike(PromptTest::Json::encode($log->{spans}),
           qr/geheim|gen_ai.input|gen_ai.output|pmt_/, 'no content, no key');
    is($log->{exports}[0]{headers}{'x-auth'}, $secret, 'its own header');
}


# the same by the code of OpenTelemetry

SKIP: {
    skip('npm ci needs the network', 1)
        if !-d 't/conformance/node_modules/@opentelemetry/otlp-transformer';

    my $file = "$PromptTest::Env::dir/exports";

    open my $out, '>', $file or die "$file: $!\n";
    print $out control('bodies');
    close $out;

    is(`node t/conformance/otlp.mjs <$file 2>&1`, "2 spans\n",
       'into Protocol Buffers and back');
}

fresh();

{
    my $text = $s->request('alice', '{ me { id } }');

    $text =~ s/\r\n/\r\ntraceparent: 00-$trace-$span-00\r\n/;
    $s->receive($s->send($text));
    $s->ask('alice', '{ me { id } a: me { id } }');
    $s->ask('alice', '{ nothing }');
    $s->ask('nobody', '{ me { id } }');
    $s->ask('alice', 'query ($id: ID!) { prompt(id: $id) { id } }',
            { id => '?' });

    my $log = got(4, 'others');
    my @spans = @{ $log->{spans} };

    is($spans[0]{name}, 'query', 'several root fields; not sampled is none');
    ok(!defined $spans[0]{parentSpanId}, 'a trace that begins here');
    is($spans[1]{plain}{'error.type'}, 'BAD_USER_INPUT', 'an error');
    is_deeply($spans[1]{status}, {}, "that is the client's");
    is($spans[1]{name}, 'GraphQL Operation', 'of no operation');
    is($spans[2]{plain}{'http.response.status_code'}, 401, 'no key');
    is($spans[3]{plain}{'error.type'}, 'NOT_FOUND', 'not found');
    is($spans[3]{name}, 'query prompt', 'of a field');
}

fresh();

{
    my $wrong = version($s, { model => 'r-fx:status=503,retry-after=0|status='
                              . '503,retry-after=0|ok' });
    my $away = version($s, { model => 'fx:status=500' });
    my $other = version($s, { model => 'fx:status=500', temperature => 1,
                              fallbacks => [ { model => 'claude-fx:ok' } ] });

    got(6);
    fresh();

    $s->ask('alice', $PromptTest::Calls::run, { id => $_ })
        for $wrong, $away, $other;

    my @spans = of(got(6, 'attempts'), 3);

    is($spans[0]{plain}{'prompt.attempts'}, 3, 'tried again: one span');
    is_deeply($spans[0]{status}, {}, 'which went well');
    is($spans[1]{status}{code}, 2, 'what failed');
    is($spans[1]{plain}{'error.type'}, '500', 'by its status');
    like($spans[1]{status}{message}, qr/^the provider failed with status 500$/, 'in words');
    is($spans[2]{plain}{'gen_ai.request.model'}, 'fx:status=500', 'asked');
    is($spans[2]{plain}{'gen_ai.response.model'}, 'claude-fx:ok', 'answered');
    is($spans[2]{plain}{'gen_ai.provider.name'}, 'anthropic', 'by another');
}

fresh();

{
    my $text = $s->request('alice', 'subscription ($id: ID!) '
                           . '{ executePromptStream(promptId: $id, input: '
                           . '{a: 1}) { delta } }', { id => $idle });

    $text =~ s/\r\n/\r\nAccept: text\/event-stream\r\n/;
    $s->receive($s->send($text));

    my $log = got(2, 'a stream');

    is((of($log, 2))[0]{name}, 'subscription executePromptStream', 'its name');
    is((of($log, 3))[0]{plain}{'gen_ai.usage.output_tokens'}, 50, 'its usage');

    fresh();
    $text = $s->request('alice', $PromptTest::Calls::run, { id => $idle });
    $text =~ s/\r\n/\r\nIdempotency-Key: otlp-1\r\n/;
    $s->receive($s->send($text)) for 1, 2;
    $log = got(3, 'answered once more');
    is(scalar of($log, 3), 1, 'it was executed once');
}


# reload and quit

fresh();

{
    control('be?slow=300');
    $s->ask('alice', '{ me { id } }');
    $s->reload;
    $s->ask('alice', '{ me { id } }');
    got(2, 'a reload');

    fresh();
    $s->configure(http => directive('') =~ s/100ms/60s/r);
    $s->reload;
    $s->ask('alice', '{ me { id } }') for 1 .. 3;
    ended($s, 'a worker with spans');
    got(3, 'it has sent them');
}


# a worker that quits while a call goes on

$s = PromptTest::Server->new(http => directive('') =~ s/100ms/60s/r);

{
    my $id = version($s, { model => 'r-fx:delay=4500' });

    fresh();

    my $socket = $s->send($s->request('alice', $PromptTest::Calls::run,
                                      { id => $id }));

    $s->ask('alice', '{ me { id } }');
    sleep 0.5;
    kill QUIT => $s->master;
    like($s->receive($socket)->{body}, qr/executionId/, 'it is finished');
    got(5, 'all of them, and of a call that ended late');
    unlike(ended($s, 'a late call'), qr/they are dropped/, 'nothing is lost');
}


# a worker without a connection left, of clients that say a byte

$s = PromptTest::Server->new(connections => 48,
                             http => directive('') =~ s/100ms/1s/r);

{
    fresh();
    $s->ask('alice', '{ me { id } }');

    my @held = map { sleep 0.01; my $held = $s->send('P'); $held } 1 .. 60;

    ok(within(60, sub { $s->log_text =~ /cannot be reached/ }),
       'what is not begun has failed');
    undef @held;
    got(1, 'and is sent when there are connections again');
    ended($s, 'few connections', qr/worker_connections are not enough/);
}


# content=on

$s = PromptTest::Server->new(http => directive('content=on'));

{
    fresh();

    my $id = version($s, { model => 'fx:text=the%20answer' });

    got(2);
    fresh();
    $s->ask('alice', $PromptTest::Calls::run =~ s/a: 1/a: "w\\"orld"/r,
            { id => $id });

    my ($client) = of(got(2, 'content'), 3);

    is_deeply(PromptTest::Json::decode($client->{plain}
                                       {'gen_ai.input.messages'}),
              [ { role => 'user', parts => [ { type => 'text',
                  content => 'say w"orld' } ] } ], 'what was sent');
    is_deeply(PromptTest::Json::decode($client->{plain}
                                       {'gen_ai.output.messages'}),
              [ { role => 'assistant', finish_reason => 'stop',
                  parts => [ { type => 'text', content => 'the answer' } ] } ],
              'what was said');
    unlike(PromptTest::Json::encode($client), qr/pmt_|sk-canary/, 'no secret');

    fresh();
    $s->ask('alice', $PromptTest::Calls::run =~ s/a: 1/a: \$a/r
            =~ s/ID!/ID!, \$a: String!/r, { id => $id, a => 'ä' x 100000 });
    ($client) = of(got(2, 'long content'), 3);

    my $text = PromptTest::Json::decode($client->{plain}
                   {'gen_ai.input.messages'})->[0]{parts}[0]{content};

    ok(length $text > 10000 && length $text <= 65536, 'is cut');
}


# collectors that fail

for my $case ([ 'status=503,retry-after=1|ok', 1, 2 ],
              [ 'status=429|ok', 1, 2 ], [ 'close|ok', 1, 2 ],
              [ 'large', 1, 1 ], [ 'garbage', 1, 1 ],
              [ 'status=400', 0, 1 ], [ 'status=500', 0, 1 ],
              [ 'redirect', 0, 1 ], [ 'partial=1', 0, 1 ])
{
    my ($mode, $spans, $exports) = @$case;

    fresh();
    control("be?$mode");
    $s->ask('alice', '{ me { id } }');

    ok(within(20, sub { @{ control('log')->{exports} } >= $exports }),
       "$mode: exports");
    sleep 0.6 if !$spans;

    my $log = got($spans, $mode);

    is(scalar @{ $log->{exports} }, $exports, "$mode: no more of them");
    ok($log->{exports}[1]{at} - $log->{exports}[0]{at} >= 990,
       'as late as it wished') if $mode =~ /after/;
}

is(metric($s, 'prompt_otlp_dropped_total{reason="refused"}'), 4,
   'what was refused is counted');
cmp_ok(metric($s, 'prompt_otlp_sent_total'), '>=', 9, 'and what was taken');

{
    fresh();
    control('be?hang');
    $s->ask('alice', '{ me { id } }');
    ok(within(10, sub { @{ control('log')->{exports} } == 1 }), 'it hangs');
    is($s->ask('alice', '{ me { id } }')->{status}, 200, 'requests do not');

    my $text = ended($s, 'a collector that hangs');

    like($text, qr/ends before the collector .* took 2 spans/,
         'it says what was dropped');
    like($text, qr/rejected 1 of 1 spans: "too\?old"|takes spans again/,
         'and what the collector said');
    cmp_ok(scalar(() = $text =~ /prompt_otlp/g), '<', 20, 'in few lines');
}


# nobody listens, and a queue that is full

$s = PromptTest::Server->new(http => directive('queue=16', 1));

{
    $s->ask('alice', '{ me { id } }') for 1 .. 40;

    is(metric($s, 'prompt_otlp_dropped_total{reason="queue_full"}'), 24,
       'what has no room is counted');

    my $text = ended($s, 'nobody listens');

    like($text, qr/cannot be reached/, 'it says so');
    cmp_ok(scalar(() = $text =~ /prompt_otlp/g), '<', 5, 'once');
}


# TLS, verified

{
    my $dir = "$PromptTest::Env::dir";
    my $made = system("openssl req -x509 -newkey rsa:2048 -nodes -days 2 "
                      . "-subj /CN=localhost "
                      . "-addext subjectAltName=DNS:localhost "
                      . "-keyout $dir/otlp.key -out $dir/otlp.pem "
                      . '>/dev/null 2>&1');

    is($made, 0, 'a certificate');
    $collector = collector("$dir/otlp.pem", "$dir/otlp.key");

    my $url = "prompt_otlp https://localhost:$collector/v1/traces "
              . 'interval=100ms';

    $s = PromptTest::Server->new(http => "$url trusted_certificate="
                                         . "$dir/otlp.pem;");
    $s->ask('alice', '{ me { id } }');
    ok(within(10, sub { (metric($s, 'prompt_otlp_sent_total') || 0) >= 1 }),
       'sent over TLS');
    ended($s, 'TLS');

    $s = PromptTest::Server->new(http => "$url;", server =>
                                 "listen unix:$dir/otlp.sock ssl;"
                                 . "ssl_certificate $dir/otlp.pem;"
                                 . "ssl_certificate_key $dir/otlp.key;");
    $s->ask('alice', '{ me { id } }');
    ok(within(60, sub { $s->log_text =~ /cannot be reached/ }),
       'a certificate that nobody trusts');

    my $curl = "curl -sk --unix-socket $dir/otlp.sock -w '%{http_code}'";

    is(`$curl -o /dev/null https://localhost/metrics`, 200,
       'a client over TLS, of whom nothing is logged');
    is(metric($s, 'prompt_otlp_sent_total'), 0, 'gets nothing');
    ended($s, 'no trust');
}

done_testing();
