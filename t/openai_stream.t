# OpenAI's API: streams of chat completions and of responses, how they fail, and
# what becomes of clients that leave or do not read.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP ();
use PromptTest::Env;
use PromptTest::Json;
use PromptTest::OpenAI;
use Test::More;
use Time::HiRes qw(sleep time);

my ($version) = `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/(\S+)};
my ($major, $minor, $patch) = split /\./, $version;
my $on = $major * 1e6 + $minor * 1e3 + $patch >= 1025001;
my $h2 = PromptTest::Env::free_port();
my $http2 = `$PromptTest::Env::nginx -V 2>&1` =~ /http_v2_module/
            && `curl -V 2>/dev/null` =~ /HTTP2/;

my $s = PromptTest::OpenAI::server(
    http => 'prompt_provider long /_provider/openai timeout=60s;
        prompt_model long-fx:* provider=long input=0.15 output=0.60;',
    server => 'location /stops/ { prompt_abandoned stop; prompt_openai; }');

if ($http2) {
    $s->configure(http => "$s->{with}{http} server { listen 127.0.0.1:$h2"
        . ($on ? '; http2 on;' : ' http2;')
        . PromptTest::Env::server_config($PromptTest::OpenAI::location) . '}');
    $s->reload;
}

my $true = JSON::PP::true();
my $count = 0;

sub row { return PromptTest::OpenAI::row(@_) }

sub prompt
{
    my ($model, @more) = @_;
    my $name = 'stream-' . ++$count;

    PromptTest::OpenAI::prompt($s, $name, $model, @more);
    return $name;
}

sub chat
{
    my ($name, %with) = @_;

    return PromptTest::OpenAI::ask($s, 'chat/completions',
        { model => $name, stream => $true, %{ $with{body} // {} } },
        headers => [ 'Accept: application/json', @{ $with{headers} // [] } ]);
}

sub respond
{
    my ($name, %with) = @_;

    return PromptTest::OpenAI::ask($s, 'responses',
        { model => $name, stream => $true, %{ $with{body} // {} } },
        headers => [ 'Accept: application/json', @{ $with{headers} // [] } ]);
}

sub within
{
    my ($seconds, $what) = @_;
    my $until = time() + $seconds;

    sleep 0.05 until $what->() || time() > $until;
    return $what->();
}

# the text of a stream of responses, and what its events are called
sub said  { return join '', map { $_->[1]{delta} }
            grep { $_->[0] eq 'response.output_text.delta' } @{ $_[0]{events} } }
sub names { return [ map { $_->[0] =~ s/^response\.//r } @{ $_[0]{events} } ] }


# chunks

{
    my $name = prompt('fx:text=one%20two%20%22three%22');
    my $got = chat($name);
    my @events = map { $_->[1] } @{ $got->{events} };

    is($got->{status}, 200, 'a stream, whatever Accept says');
    like($got->{headers}{'content-type'}, qr{^text/event-stream}, 'its type');
    is(pop @events, '[DONE]', 'its end');
    is_deeply($events[0]{choices}, [ { index => 0, delta => { role =>
        'assistant', content => '', refusal => undef }, logprobs => undef,
        finish_reason => undef } ], 'the role comes first');
    is_deeply([ map { $_->{choices}[0]{delta}{content} } @events[1 .. 3] ],
              [ 'one ', 'two ', '"three"' ], 'then the text');
    is($events[4]{choices}[0]{finish_reason}, 'stop', 'then the end');
    is(scalar @events, 5, 'and nothing else');
    is_deeply([ grep { exists $_->{usage} } @events ], [],
              'usage is told to who asks');
    is(scalar(grep { $_->{object} ne 'chat.completion.chunk'
                     || $_->{id} ne $events[0]{id}
                     || $_->{model} ne 'fx:text=one%20two%20%22three%22'
                     || !$_->{created} } @events), 0, 'in each: id and model');

    my $id = $got->{headers}{'x-request-id'};
    (my $plain = $id) =~ s/-//g;
    is($events[0]{id}, "chatcmpl-$plain", 'the execution\'s');
    is($events[4]{execution}{id}, $id, 'which is named at the end');
    is(row('status, output, cost_usd', $id),
       'succeeded|one two "three"|0.000006', 'one row');

    $got = chat($name, body => { stream_options => {
        include_usage => $true, include_obfuscation => $true } });
    @events = map { $_->[1] } @{ $got->{events} };
    is_deeply([ $events[-2]{choices}, $events[-2]{usage}{total_tokens} ],
              [ [], 19 ], 'usage in a chunk of its own');
    is(scalar(grep { !exists $_->{usage} } @events[0 .. $#events - 1]), 0,
       'null in all others');
}

# events of responses

{
    my $name = prompt('fx:text=one%20two');
    my $got = respond($name, body => { metadata => { a => 'b' } });
    my @events = map { $_->[1] } @{ $got->{events} };
    my $last = $events[-1]{response};

    is_deeply(names($got), [ qw(created in_progress output_item.added
        content_part.added output_text.delta output_text.delta
        output_text.done content_part.done output_item.done completed) ],
        'events of a response');
    is_deeply([ map { $_->{sequence_number} } @events ], [ 0 .. $#events ],
              'are numbered');
    is_deeply([ map { $_->{type} } @events ],
              [ map { $_->[0] } @{ $got->{events} } ], 'and say their names');
    is(said($got), 'one two', 'the text');
    is($events[6]{text}, 'one two', 'told again whole');
    is($events[0]{response}{status}, 'in_progress', 'how it begins');
    is($last->{status}, 'completed', 'and ends');
    is($last->{output}[0]{content}[0]{text}, 'one two', 'with all of it');
    is($last->{usage}{total_tokens}, 19, 'and usage');
    is_deeply($last->{metadata}, { a => 'b' }, 'and what it was asked with');
    is($last->{id}, $events[0]{response}{id}, 'under one id');
    is($events[2]{item}{id}, $last->{output}[0]{id}, 'so is the item');
}

# calls of tools

{
    my $name = prompt('fx:tool=weather%3A%7B%22city%22%3A%22Bern%22%7D,text=');
    my $got = chat($name);
    my @events = map { $_->[1] } @{ $got->{events} };

    is_deeply($events[1]{choices}[0]{delta}, { tool_calls => [ { index => 0,
        id => 'call_1', type => 'function', function => { name => 'weather',
        arguments => '{"city":"Bern"}' } } ] }, 'a call is one chunk');
    is($events[2]{choices}[0]{finish_reason}, 'tool_calls', 'why it ended');

    $got = respond($name);
    is_deeply(names($got), [ qw(created in_progress output_item.added
        function_call_arguments.delta function_call_arguments.done
        output_item.done completed) ], 'a call of a response');
    is($got->{events}[4][1]{arguments}, '{"city":"Bern"}', 'its arguments');
    is($got->{events}[-1][1]{response}{output}[0]{call_id}, 'call_1',
       'and it is in the output');
    is($got->{events}[2][1]{item}{id},
       $got->{events}[-1][1]{response}{output}[0]{id}, 'under one id');
}

{
    my $name = prompt('claude-fx:file=anthropic/messages.stream.'
                      . 'thinking_tool_use.sse');
    my $got = chat($name);
    my ($end) = grep { ref $_->[1] && $_->[1]{choices}[0]{finish_reason} }
                @{ $got->{events} };

    is(($end->[1]{choices}[0]{delta}{provider} // {})->{format}, 'anthropic',
       'what goes back to a provider') or diag $got->{body};

    $got = respond($name);
    my ($item) = grep { $_->{type} eq 'reasoning' }
                 @{ $got->{events}[-1][1]{response}{output} };
    like($item->{encrypted_content}, qr/"anthropic"/, 'is an item, too');
}

{
    my $got = respond(prompt('fx:text='));

    is($got->{events}[-1][0], 'response.completed', 'no text');
    is($got->{events}[-1][1]{response}{output}[0]{content}[0]{text}, '',
       'is a text');
}

# what fails before the first text has a status

for my $case (
    [ 'fx:status=400', 400, 'provider_error' ],
    [ 'fx:status=401', 502, 'provider_error' ],
    [ 'fx:status=429', 429, 'rate_limit_exceeded' ],
    [ 'fx:status=503', 503, 'provider_error' ],
    [ 'fx:hang', 504, 'provider_timeout' ],
    [ 'fx:close', 502, 'provider_error' ],
    [ 'fx:raw=%7B%7D', 502, 'provider_error' ],
    [ 'fx:events=data%3A%20%7Bbad%0A%0A', 502, 'provider_error' ],
) {
    my ($model, $status, $code) = @$case;
    my $name = prompt($model);

    for my $how (\&chat, \&respond) {
        my $got = $how->($name);

        is($got->{status}, $status, "$model: $status");
        is($got->{json}{error}{code}, $code, "$model: its code");
        is($got->{headers}{'x-should-retry'}, 'false', "$model: not again");
        like($got->{headers}{'content-type'}, qr/json/, "$model: JSON");
        is(row('status', $got->{headers}{'x-request-id'}), 'failed',
           "$model: its row");
    }
}

for my $case (
    [ { model => 'nobody' }, 404 ], [ { n => 2 }, 400 ],
    [ { temperature => 9 }, 400 ],
) {
    my ($body, $status) = @$case;

    is(chat(prompt('fx:ok'), body => $body)->{status}, $status,
       PromptTest::Json::encode($body) . ": $status");
}

# what fails later is an event

for my $model ('fx:text=a%20b%20c,fail=3', 'claude-fx:text=a%20b%20c,fail=5',
               'fx:text=a%20b%20c,close-after=3',
               'fx:text=a%20b%20c%20d,pause=900')
{
    my $name = prompt($model);
    my $got = chat($name);
    my @errors = grep { ref $_->[1] && $_->[1]{error} } @{ $got->{events} };

    is($got->{status}, 200, "$model: it had begun");
    like(PromptTest::OpenAI::text($got), qr/^a /, "$model: the text so far");
    is(scalar @errors, 1, "$model: an error");
    is($errors[0][1]{error}{type}, 'server_error', "$model: its type");
    is($got->{events}[-1][1], '[DONE]', "$model: its end");
    ok($got->{whole}, "$model: the body is whole");
    is(row('status', $got->{headers}{'x-request-id'}), 'failed',
       "$model: its row");

    $got = respond($name);
    is($got->{events}[-1][0], 'response.failed', "$model: a response fails");
    is($got->{events}[-1][1]{response}{status}, 'failed', "$model: it says so");
    is($got->{events}[-1][1]{response}{error}{code}, 'server_error',
       "$model: and why");
}

{
    my $name = prompt('long-fx:delay=16000,status=500');
    my $socket = $s->send(PromptTest::OpenAI::request('/openai/responses',
                              { model => $name, stream => $true }));
    my $got = chat($name);

    like($got->{body}, qr/^:\n\ndata: \{"error"/,
         'where a comment has begun it an error is an event');
    $got = PromptTest::OpenAI::parse(PromptTest::Stream::receive($socket));
    is($got->{events}[0][0], 'error', 'of a response, too');
    is(row('status', $got->{headers}{'x-request-id'}), 'failed',
       'its id was known');
}

# once only

for my $how ([ 'chat', \&chat, \&PromptTest::OpenAI::text ],
             [ 'responses', \&respond, \&said ])
{
    my ($what, $ask, $text) = @$how;
    my $name = prompt('fx:text=one%20two');
    my @key = (headers => [ "Idempotency-Key: stream-$what" ]);
    my $first = $ask->($name, @key);
    my $again = $ask->($name, @key);

    is($text->($first), 'one two', "$what: a stream with a key");
    is($text->($again), 'one two', "$what: is told again");
    is($again->{headers}{'idempotency-replayed'}, 'true', "$what: and says so");
    is($again->{headers}{'x-request-id'}, $first->{headers}{'x-request-id'},
       "$what: under the same id");
    is_deeply($again->{events}[-2][0] // $again->{events}[-2][1]{execution},
              $first->{events}[-2][0] // $first->{events}[-2][1]{execution},
              "$what: the same execution");
    is(PromptTest::Env::psql("SELECT count(*) FROM executions e JOIN prompts p "
       . "ON p.id = e.prompt_id WHERE p.name = '$name'"), "1\n", "$what: once");
    is($ask->($name, @key, body => { temperature => 1 })->{status}, 422,
       "$what: another request");

    $name = prompt('fx:status=500');
    @key = (headers => [ "Idempotency-Key: stream-$what-2" ]);
    $first = $ask->($name, @key);
    $again = $ask->($name, @key);
    is($again->{status}, $first->{status}, "$what: an error again");
    is($again->{headers}{'x-request-id'}, $first->{headers}{'x-request-id'},
       "$what: of the same execution");
}

# as they are made; who leaves; who does not read

{
    my $name = prompt('long-fx:text=one%20two%20three,pause=300');
    my $socket = $s->send(PromptTest::OpenAI::request(
        '/openai/chat/completions', { model => $name, stream => $true }));
    my $text = PromptTest::Stream::receive($socket, qr/"one "/);

    ok(!PromptTest::Env::provider_control('log')->[-1]{finished},
       'events come as they are made');
    my ($id) = $text =~ /x-request-id: (\S+)/;
    is(row('status', $id), 'running', 'under the id of a row that is there');
    close $socket;
    ok(within(20, sub { row('status', $id) eq 'succeeded' }),
       'who leaves: the call is finished');

    $socket = $s->send(PromptTest::OpenAI::request(
        '/stops/chat/completions', { model => $name, stream => $true }));
    $text = PromptTest::Stream::receive($socket, qr/"one "/);
    ($id) = $text =~ /x-request-id: (\S+)/;
    close $socket;
    ok(within(20, sub { row('status', $id) eq 'cancelled' }),
       'or stopped, where that is wanted');
}

for my $path ('chat/completions', 'responses') {
    my $name = prompt('long-fx:words=60000');
    my $socket = $s->send(PromptTest::OpenAI::request("/openai/$path",
                              { model => $name, stream => $true }));
    my ($sent, $last, $same) = (0, -1, 0);

    for (1 .. 200) {
        $sent = PromptTest::Env::provider_control('log')->[-1]{sent} || 0;
        $same = $sent == $last ? $same + 1 : 0;
        $last = $sent;
        last if $same >= 10 && $sent > 0;
        sleep 0.05;
    }

    cmp_ok($sent, '<', 12 * 1024 * 1024,
           "$path: a client that reads nothing holds up the provider");

    my $got = PromptTest::OpenAI::parse(PromptTest::Stream::receive($socket,
                                                                undef, 60));
    is(length($path eq 'responses' ? said($got)
              : PromptTest::OpenAI::text($got)), 5 * 60000,
       "$path: who reads at last gets all of it");
}

{
    my $name = prompt('long-fx:text=x,repeat=300000,each=300000');
    my $got = respond($name);

    is(length said($got), 300000, 'a long text');
    is(length $got->{events}[-1][1]{response}{output}[0]{content}[0]{text},
       300000, 'is whole at the end, too');
}

# HTTP/2

SKIP: {
    skip 'no HTTP/2', 2 unless $http2;

    my $name = prompt('fx:text=over%20two');
    my $key = PromptTest::Env::var('alice_key');
    my $body = PromptTest::Json::encode({ model => $name, stream => $true });
    my $got = PromptTest::Env::run('curl', '-sSN', '--http2-prior-knowledge',
        '-H', "Authorization: Bearer $key", '-H',
        'Content-Type: application/json', '-d', $body,
        "http://127.0.0.1:$h2/openai/chat/completions");

    like($got, qr/"content":"over ".*"content":"two".*\[DONE\]\n\n\z/s,
         'a stream over HTTP/2');
    like(PromptTest::Env::run('curl', '-sSi', '--http2-prior-knowledge',
        '-H', "Authorization: Bearer $key", '-H',
        'Content-Type: application/json', '-d', '{"model":"gpt-4o"}',
        "http://127.0.0.1:$h2/openai/responses"),
         qr/^HTTP\/2 404.*x-request-id.*no proxy/s, 'and an error');
}

ok($s->stop, 'nginx ends');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
