# executePromptStream: events as the provider makes them, one row for each.

use strict;
use warnings;

use lib 't/lib';

use JSON::PP ();
use PromptTest::Env;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

my $s = PromptTest::Server->new(http => '
    prompt_provider long /_provider/openai timeout=60s;
    prompt_model long-fx:* provider=long input=0.15 output=0.60;
');

sub stream
{
    return PromptTest::Stream::stream($s, @_);
}


sub prompt
{
    return PromptTest::Stream::prompt($s, @_);
}


# row($id): "status|output|in|out|cost|error" of an execution; of the only one
# of a prompt where its id is given
sub row
{
    my ($id) = @_;
    my $row = PromptTest::Env::psql("SELECT status, output, token_in, "
        . "token_out, cost_usd, error FROM executions WHERE id = '$id' OR "
        . "prompt_id = '$id'");

    chomp $row;
    return $row;
}


# what the client gets

{
    my $id = prompt('fx:text=nginx%20serves%20pages.');
    my $got = stream($id);

    is($got->{status}, 200, 'a stream is answered with 200');
    like($got->{head}, qr{^Content-Type: text/event-stream; charset=utf-8\r$}m,
         'its type');
    like($got->{head}, qr/^Cache-Control: no-cache\r$/m, 'it is not kept');
    like($got->{head}, qr/^X-Accel-Buffering: no\r$/m, 'nor buffered');
    ok($got->{whole}, 'the body comes to its end');
    is_deeply($got->{deltas}, ['nginx ', 'serves ', 'pages.'],
              'deltas as the provider made them');
    is($got->{result}{output}, 'nginx serves pages.', 'the whole output');
    is($got->{result}{tokenIn}, 12, 'tokens in');
    is($got->{result}{tokenOut}, 7, 'tokens out');
    is($got->{result}{costUsd}, '0.000006', 'what it cost');
    is($got->{result}{versionUsed}, 1, 'the version');
    is($got->{events}[-1][0], 'complete', 'complete comes last');
    is($got->{complete}, 1, 'once');
    is(row($id), 'succeeded|nginx serves pages.|12|7|0.000006|',
       'one row, as for executePrompt');
    is(row($got->{result}{executionId}),
       'succeeded|nginx serves pages.|12|7|0.000006|', 'under its id');
}

# however the provider cuts it: the text, the tokens and the price are the same

for my $how ('chunk=1', 'chunk=7', 'each=1', 'crlf,chunk=3', 'comments=3',
             'each=2,pause=1', 'linger', 'chunk=4096,comments=500', 'plain')
{
    my $text = "fx:text=Gr%C3%BC%C3%9Fe%20%F0%9F%90%98%0A%22now%22,$how";

    for my $kind ('', 'claude-') {
        my $id = prompt("$kind$text", 'ask');
        my $got = stream($id);
        my $plain = $s->ask('alice', 'mutation ($id: ID!) { executePrompt('
            . 'promptId: $id, input: {}) { output tokenIn tokenOut costUsd } '
            . '}', { id => $id })->{json}{data}{executePrompt};

        is($got->{output}, $got->{result}{output},
           "$kind$how: the deltas are the output");
        is_deeply({ map { $_ => $got->{result}{$_} } keys %$plain }, $plain,
                  "$kind$how: the same as executePrompt");
        is(scalar(grep { $_ eq '' } @{ $got->{deltas} }), 0,
           "$kind$how: no delta is empty");
        is($got->{complete}, 1, "$kind$how: complete");
    }
}

# what goes wrong in the middle

for my $case (
    [ 'fx:text=a%20b%20c,fail=3', 'a b ', qr/reported an error/ ],
    [ 'claude-fx:text=a%20b%20c,fail=5', 'a b ', qr/reported an error/ ],
    [ 'fx:text=a%20b%20c,usage=none,no-done', 'a b c', qr/incomplete/ ],
    [ 'claude-fx:text=a%20b%20c,usage=none,no-done', 'a b c', qr/incomplete/ ],
    [ 'fx:text=a%20b%20c,close-after=3', 'a b ', qr/incomplete/ ],
    [ 'fx:events=data%3A%20%7Bbad%0A%0A', '', qr/could not be read/ ],
    [ 'fx:events=data%3A%20%5BDONE%5D%0A%0A', '', qr/could not be read/ ],
    [ 'fx:events=%3Chtml%3E%0A%0A', '', qr/could not be read/ ],
    [ 'fx:events=%3A%20nothing%0A%0A', '', qr/could not be read/ ],
    [ 'fx:status=500', '', qr/failed with status 500/ ],
    [ 'fx:status=429', '', qr/status 429/ ],
    [ 'fx:raw=%7B%7D', '', qr/could not be read/ ],
    [ 'fx:hang', '', qr/timed out/ ],
    [ 'fx:close', '', qr/could not be reached/ ],
    [ 'fx:comments=ever', '', qr/timed out/ ],
    [ 'fx:text=a%20b%20c%20d,pause=900', qr/^a (b )?$/, qr/timed out/ ],
) {
    my ($model, $output, $error) = @$case;
    my $id = prompt($model);
    my $got = stream($id);
    my $row = row($id);

    is($got->{status}, 200, "$model: 200");
    like($got->{errors}[0]{message}, $error, "$model: what failed");
    unlike($got->{body}, qr/secret/, "$model: none of the provider's words");
    is($got->{errors}[0]{extensions}{code}, 'INTERNAL_SERVER_ERROR',
       "$model: its code");
    is($got->{errors}[0]{path}[0], 'executePromptStream', "$model: its path");
    is($got->{complete}, 1, "$model: complete");
    ok(!$got->{result}, "$model: no result");
    like($row, qr/^failed\|/, "$model: the row says failed");

    if (ref $output) {
        like($got->{output}, $output, "$model: the text so far");

    } else {
        is($got->{output}, $output, "$model: the text so far");
    }

    like($row, qr/^failed\|\Q$got->{output}\E\|/, "$model: in its row, too");
}

# a call of a tool has no text

{
    my $id = prompt('fx:tool=weather%3A%7B%22city%22%3A%22Bern%22%7D,text=');
    my $got = stream($id);

    is_deeply($got->{deltas}, [], 'a call of a tool has no deltas');
    is($got->{result}{output}, '', 'nor output');
}

# many events, and large ones

{
    my $id = prompt('long-fx:words=20000,chunk=100000');
    my $got = stream($id);

    is(scalar @{ $got->{deltas} }, 20000, 'many events');
    is($got->{output}, 'word ' x 20000, 'none is lost');

    $id = prompt('long-fx:each=300000,text=' . 'x' x 200);
    $got = stream($id);
    is($got->{output}, 'x' x 200, 'one event');
}

# the operation is one of GraphQL

my $sound = prompt('fx:text=fine');

for my $case (
    [ 'subscription ($id: ID!) { x: executePromptStream(promptId: $id, input: '
      . '{}) { ...F } } fragment F on ExecutionEvent { d: delta __typename }',
      { id => $sound },
      [ { data => { x => { d => 'fine', __typename => 'ExecutionEvent' } } },
        { data => { x => { d => undef, __typename => 'ExecutionEvent' } } } ] ],
    [ 'subscription ($id: ID!, $no: Boolean!) { executePromptStream(promptId: '
      . '$id, input: {}) { delta @skip(if: $no) result @include(if: $no) '
      . '{ output } } }', { id => $sound, no => JSON::PP::true() },
      [ { data => { executePromptStream => { result => undef } } },
        { data => { executePromptStream => { result =>
                                              { output => 'fine' } } } } ] ],
) {
    my ($query, $variables, $want) = @$case;
    my $got = stream($sound, query => $query, variables => $variables);

    is_deeply([ map { $_->[1] } grep { $_->[0] eq 'next' }
                @{ $got->{events} } ], $want, $query);
}

for my $case (
    [ 'subscription { a: executePromptStream(promptId: "x", input: {}) '
      . '{ delta } b: executePromptStream(promptId: "x", input: {}) { delta } }',
      'BAD_USER_INPUT', qr/must select only one top level field/ ],
    [ 'subscription { __typename }', 'BAD_USER_INPUT',
      qr/must not select an introspection top level field/ ],
    [ 'subscription { executePromptStream(promptId: "x") { delta } }',
      'BAD_USER_INPUT', qr/"input" of type "JSON!" is required/ ],
    [ 'subscription {', 'BAD_USER_INPUT', qr/Syntax Error/ ],
    [ 'subscription { executePromptStream(promptId: "x", input: {}) { delta } }',
      'NOT_FOUND', qr/"x"/ ],
    [ "subscription { executePromptStream(promptId: \"$sound\", input: 3) "
      . '{ delta } }', 'BAD_USER_INPUT', qr/./ ],
    [ "subscription { executePromptStream(promptId: \"$sound\", input: {}, "
      . 'version: 9) { delta } }', 'NOT_FOUND', qr/Version 9/ ],
) {
    my ($query, $code, $message) = @$case;
    my $got = stream($sound, query => $query, variables => {});

    is($got->{status}, 200, "$query: 200");
    is_deeply([ map { $_->[0] } @{ $got->{events} } ], [ 'next', 'complete' ],
              "$query: one event");
    ok(!exists $got->{events}[0][1]{data}, "$query: without data");
    is($got->{errors}[0]{extensions}{code}, $code, "$query: $code");
    like($got->{errors}[0]{message}, $message, "$query: why");
}

# who may

is(stream($sound, key => 'none')->{status}, 401, 'no such key: 401');
is(stream($sound, key => 'alice_read')->{status}, 401, 'another scope: 401');
is(stream($sound, key => 'alice_execute')->{output}, 'fine',
   'the scope for it');
is(stream($sound, key => 'bob')->{errors}[0]{extensions}{code}, 'FORBIDDEN',
   'a private prompt of another');

for my $accept ('application/json', '*/*', 'application/graphql-response+json',
                '')
{
    my $got = stream($sound, accept => $accept);

    is($got->{status}, 406, "Accept \"$accept\": 406");
    like($got->{json}{errors}[0]{message}, qr{text/event-stream},
         "Accept \"$accept\": what to send");
}

is(stream($sound, accept => 'text/event-stream, multipart/mixed')->{output},
   'fine', 'one among others');
is(stream($sound, accept => 'application/json, text/event-stream')->{output},
   'fine', 'also where JSON is named first');

# queries and mutations

for my $query ('{ me { __typename } }',
               'mutation { deletePrompt(id: "x") }')
{
    my $got = stream($sound, query => $query, variables => {});

    is_deeply([ map { $_->[0] } @{ $got->{events} } ], [ 'next', 'complete' ],
              "$query: one event");
}

# events come as they are made

{
    my $id = prompt('long-fx:text=one%20two%20three,pause=400');
    my $socket = $s->send(PromptTest::Stream::request($s, $id));
    my $text = PromptTest::Stream::receive($socket, qr/"one "/);
    my $calls = PromptTest::Env::provider_control('log');

    ok(!$calls->[-1]{finished}, 'the first event is here before the last one '
       . 'is made');
    like(row($id), qr/^running\|/, 'its row is there, too');

    $text .= PromptTest::Stream::receive($socket);
    is(PromptTest::Stream::parse($text)->{output}, 'one two three',
       'all of it');
}

# a client that leaves

{
    my $id = prompt('long-fx:text=one%20two%20three,pause=100');
    my $socket = $s->send(PromptTest::Stream::request($s, $id));

    PromptTest::Stream::receive($socket, qr/"one "/);
    close $socket;

    my $until = time() + 20;

    sleep 0.05 while row($id) =~ /^running/ && time() < $until;

    is(row($id), 'succeeded|one two three|12|7|0.000006|',
       'who leaves: the call is finished and recorded');
}

# nobody waits for a client that reads nothing

{
    my $id = prompt('long-fx:words=100000');
    my $socket = $s->send(PromptTest::Stream::request($s, $id));
    my ($worker) = $s->workers;
    my $status = sub {
        open my $in, '<', "/proc/$worker/status" or return 0;
        return (grep { defined } map { /^VmRSS:\s+(\d+)/ ? $1 : undef }
                <$in>)[0];
    };
    my $before = $status->();
    my ($sent, $last, $same) = (0, -1, 0);

    # the provider is held up when what it has sent stays the same

    for (1 .. 200) {
        $sent = PromptTest::Env::provider_control('log')->[-1]{sent} || 0;
        $same = $sent == $last ? $same + 1 : 0;
        $last = $sent;
        last if $same >= 10 && $sent > 0;
        sleep 0.05;
    }

    cmp_ok($sent, '<', 16 * 1024 * 1024, 'the provider is not read to its end');
    cmp_ok($status->() - $before, '<', 4 * 1024, 'nor kept in memory')
        unless $ENV{PROMPT_TEST_SLOW};

    my $got = PromptTest::Stream::parse(PromptTest::Stream::receive($socket,
                                                                  undef, 60));

    is(length $got->{output}, 5 * 100000, 'who reads at last gets all of it');
    is($got->{result}{output}, $got->{output}, 'and the result');
}

# where nothing is sent for long, the connection is kept

{
    my $id = prompt('long-fx:delay=16000,text=late');
    my $got = stream($id);

    cmp_ok($got->{comments}, '>', 0, 'a comment keeps the connection');
    is($got->{result}{output}, 'late', 'until there is something to say');
}

# a worker that quits, and one that is replaced, finish what they began

for my $how ('reload', 'quit') {
    my $id = prompt('long-fx:text=one%20two%20three,pause=200');
    my $socket = $s->send(PromptTest::Stream::request($s, $id));
    my $text = PromptTest::Stream::receive($socket, qr/"one "/);

    if ($how eq 'reload') {
        $s->reload;

    } else {
        kill QUIT => $s->master;
    }

    $text .= PromptTest::Stream::receive($socket);

    my $got = PromptTest::Stream::parse($text);

    is($got->{result}{output}, 'one two three', "$how: the stream ends well");
    is($got->{complete}, 1, "$how: and is complete");
    is(row($id), 'succeeded|one two three|12|7|0.000006|', "$how: its row");
}

ok($s->stop, 'nginx quits in time');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
