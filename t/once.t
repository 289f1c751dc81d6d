# Idempotency-Key: what carries one is done once, and answered the same.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $s = PromptTest::Server->new(workers => 2,
                                http => 'prompt_persisted_queries 1m;');

# on the same database; calls that last until somebody ends them
my $other = PromptTest::Server->new(workers => 1,
    http => 'prompt_provider long /_provider/openai timeout=120s; '
            . 'prompt_model long-fx:* provider=long;');
my $number = 0;

my ($major, $minor, $patch) =
    `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/(\d+)\.(\d+)\.(\d+)};
my ($word, $line) = $major * 1e6 + $minor * 1e3 + $patch >= 1025001
                    ? ('', 'http2 on;') : (' http2', '');
my $h2 = `$PromptTest::Env::nginx -V 2>&1` =~ /http_v2_module/
         ? PromptTest::Env::free_port() : 0;

if ($h2) {
    $s->configure(http => 'prompt_persisted_queries 1m; '
                          . "server { listen 127.0.0.1:$h2$word; $line "
                          . PromptTest::Env::server_config('') . ' }');
    $s->reload;
}

my $create = 'mutation ($input: CreatePromptInput!) '
             . '{ createPrompt(input: $input) { id name createdAt } }';
my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
          . '{ executionId output costUsd } }';

sub fresh { return 'key-' . ++$number . "-$$" }

sub sql
{
    my $n = PromptTest::Env::psql($_[0]);

    chomp $n;
    return $n;
}

sub prompts { return sql("SELECT count(*) FROM prompts WHERE name = '$_[0]'") }
sub made { return sql('SELECT count(*) FROM executions') }
sub keys_kept { return sql('SELECT count(*) FROM idempotency_keys') }

# the text of a request with further headers
sub text
{
    my ($headers, $user, $query, $variables, $server) = @_;
    my $text = ($server || $s)->request($user, $query, $variables);

    $text =~ s/\r\nConnection/\r\n$_\r\nConnection/ for @$headers;
    return $text;
}

sub once
{
    my ($key, $query, $variables, %with) = @_;
    my $server = $with{server} || $s;
    my $text = text([ map({ "Idempotency-Key: $_" } ref $key ? @$key : $key),
                      @{ $with{headers} || [] } ],
                    $with{user} || 'alice', $query, $variables, $server);

    $text =~ s/^POST (\S+)/$with{line}/ if $with{line};

    my $socket = $server->send($text) or return {};

    return $server->receive($socket, 60 * $slow) || {};
}

sub replayed { return ($_[0]{head} || '') =~ /^Idempotency-Replayed: true\r?$/m }
sub type { return ($_[0]{head} || '') =~ /^Content-Type: ([^;\r]*)/m ? $1 : '' }
sub code { return $_[0]{json}{errors}[0]{extensions}{code} // '' }

sub within
{
    my ($seconds, $code) = @_;
    my $until = time() + $seconds * $slow;

    while (time() < $until) {
        return 1 if $code->();
        sleep 0.05;
    }

    return $code->();
}

# until somebody else's is over
sub settled
{
    my ($answer, @what) = @_;

    within(120, sub {
        $answer = once(@what);
        return ($answer->{status} || 0) != 409;
    });

    return $answer;
}

sub prompt
{
    my ($name, $model) = @_;
    my $id = $s->ask('alice', $create, { input => { name => $name } })
        ->{json}{data}{createPrompt}{id};

    $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
            . '{ createPromptVersion(input: $i) { id } }',
            { i => { promptId => $id, content => 'x',
                     params => { model => $model } } });

    return $id;
}


# done once, and answered the same

my $key = fresh();
my $first = once($key, $create, { input => { name => 'one' } });
my $again = once($key, $create, { input => { name => 'one' } });

is($first->{status}, 200, 'the first is done');
ok(!replayed($first), 'and not marked');
is($again->{status}, 200, 'the second is answered');
is($again->{body}, $first->{body}, 'byte for byte');
ok(replayed($again), 'and marked');
is(type($again), type($first), 'with the same type');
is(prompts('one'), 1, 'there is one prompt');

$again = once($key, $create, { input => { name => 'one' } },
              server => $other);
is($again->{body}, $first->{body}, 'another host answers the same');
ok(replayed($again), 'and says so');

my $graphql = 'Accept: application/graphql-response+json';

$again = once($key, $create, { input => { name => 'one' } },
              headers => [ $graphql ]);
is($again->{body}, $first->{body}, 'another Accept: the same bytes');
is($again->{status}, 200, 'the same status');
is(type($again), 'application/graphql-response+json',
   'the content type that is accepted');

$s->reload;
$again = once($key, $create, { input => { name => 'one' } });
is($again->{body}, $first->{body}, 'the same after a reload');


# per user

$again = once($key, $create, { input => { name => 'one' } }, user => 'bob');
is($again->{status}, 200, 'another user has keys of their own');
ok(!replayed($again), 'which are new');
is(prompts('one'), 2, 'and a prompt of their own');


# the fingerprint

my $document = 'mutation A($n: String!, $d: String) { createPrompt(input: '
               . '{name: $n, description: $d}) { id } } '
               . 'mutation B { createPrompt(input: {name: "b"}) { id } }';

sub operation
{
    my ($key, $name, $variables, $query) = @_;
    my $body = '{"query":' . PromptTest::Json::string($query || $document)
               . ",\"operationName\":\"$name\",\"variables\":$variables}";
    my $text = text([ "Idempotency-Key: $key" ], 'alice', 'x');

    $text =~ s/Content-Length: .*/'Content-Length: ' . length($body)
                                  . "\r\n\r\n$body"/se;

    return $s->receive($s->send($text));
}

$key = fresh();
$first = operation($key, 'A', '{"n": "fp", "d": "x"}');
is($first->{status}, 200, 'an operation of several');

$again = operation($key, 'A', '{ "d":"x", "n":"fp" }');
ok(replayed($again), 'the order of variables does not matter');
is($again->{body}, $first->{body}, 'nor do spaces');

for ([ 'A', '{"n": "fp", "d": "y"}', undef, 'other variables' ],
     [ 'A', '{"n": "fp"}', undef, 'a variable less' ],
     [ 'A', '{"n": "fp", "d": "x", "e": null}', undef, 'a variable more' ],
     [ 'B', '{"n": "fp", "d": "x"}', undef, 'another operation' ],
     [ 'A', '{"n": "fp", "d": "x"}', "$document ", 'another document' ])
{
    my ($name, $variables, $query, $what) = @$_;
    my $r = operation($key, $name, $variables, $query);

    is("$r->{status} " . code($r), '422 BAD_USER_INPUT', $what);
    ok(!replayed($r), 'not marked');
}

is(prompts('fp'), 1, 'one prompt of all that');
is(prompts('b'), 0, 'and none of the other operation');


# forms of the header

my $n = keys_kept();

for ([ [ 'a', 'b' ], 'two' ], [ [ 'a', 'a' ], 'the same twice' ],
     [ '', 'an empty one' ], [ 'a b', 'a space' ], [ "a\tb", 'a tab' ],
     [ "caf\xc3\xa9", 'not ASCII' ], [ "a\x7f", 'DEL' ],
     [ 'x' x 256, '256 characters' ])
{
    my $r = once($_->[0], $create, { input => { name => 'form' } });

    is("$r->{status} " . code($r), '400 BAD_USER_INPUT', $_->[1]);

    $r = once($_->[0], '{ me { email } }');
    is($r->{status}, 200, 'a query does not look at it');

    $r = once($_->[0], 'mutation { createPrompt }');
    is("$r->{status} " . code($r), '200 BAD_USER_INPUT',
       'nor what is not valid');

    $r = once($_->[0], $create, { input => {} });
    is("$r->{status} " . code($r), '200 BAD_USER_INPUT',
       'nor where variables do not fit');

    $r = once($_->[0], $create, { input => { name => 'x' } },
              user => 'alice_read');
    is($r->{status}, 401, 'nor where a scope is lacking');
}

is(prompts('form'), 0, 'nothing was done');
is(keys_kept(), $n, 'no key was taken');

for ('x', 'x' x 255, '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~') {
    my $r = once($_, $create, { input => { name => 'form ' . fresh() } });

    is($r->{status}, 200, 'a key of ' . length . ' characters');
    ok($r->{json}{data}, 'it is done');
}


# what takes no key

$n = keys_kept();
$key = fresh();

once($key, '{ me { id } }') for 1 .. 2;
once($key, 'mutation { createPrompt }');
once($key, $create, {});
once($key, $create, { input => { name => 'x' } }, user => 'alice_read');
once($key, $create, { input => { name => 'x' } },
     headers => [ 'Accept: text/html' ]);

my $get = once($key, 'x', undef,
               line => 'GET /graphql?query=%7Bme%7Bid%7D%7D');

is($get->{status}, 200, 'GET');
is(once($key, 'x', undef, line => 'GET /graphql?query='
        . 'mutation%7BcreatePrompt(input:%7Bname:%22g%22%7D)%7Bid%7D%7D')
   ->{status}, 405, 'a mutation by GET');
is(keys_kept(), $n, 'none took a key');
ok(!replayed(once($key, $create, { input => { name => fresh() } })),
   'which is new afterwards');


# an error that did nothing gives its key back

$key = fresh();
$n = keys_kept();
$first = once($key, $create, { input => { name => 'one' } });
is(code($first), 'BAD_USER_INPUT', 'an error of execution');
is(keys_kept(), $n, 'its key is nobody\'s any more');
is(code(once($key, $run, { id => '01890000-0000-7000-8000-0000000000ff' })),
   'NOT_FOUND', 'not even this request\'s');

sql("DELETE FROM prompts WHERE name = 'one'");
$again = once($key, $create, { input => { name => 'one' } });
ok($again->{json}{data}{createPrompt}{id}, 'done, where it is none any more');
ok(!replayed($again), 'and not before');
is(once($key, $create, { input => { name => 'one' } })->{body},
   $again->{body}, 'which is once');

for my $model ('nobody', 'fx:status=500') {
    my $id = prompt("fails-$model" =~ s/\W/-/gr, $model);

    $key = fresh();
    $first = once($key, $run, { id => $id });
    is(code($first), $model eq 'nobody' ? 'BAD_USER_INPUT'
                                        : 'INTERNAL_SERVER_ERROR', $model);
    $again = once($key, $run, { id => $id });
    is(!!replayed($again), $model ne 'nobody',
       'kept where somebody may have been paid');
}

sql("DELETE FROM executions");


# several in a document, some of which fail

my $several = 'mutation { a: createPrompt(input: {name: "multi"}) { id } '
              . 'b: createPrompt(input: {name: "multi"}) { id } '
              . 'c: createPrompt(input: {name: "multi-c"}) { id } '
              . 'd: createPrompt(input: {name: "-"}) { id } }';

$key = fresh();
$first = once($key, $several);
is(scalar @{ $first->{json}{errors} }, 2, 'two of four fail');
ok($first->{json}{data}{c}{id}, 'others do not');
$again = once($key, $several);
is($again->{body}, $first->{body}, 'all of it comes back');
is(prompts('multi') + prompts('multi-c'), 2, 'made once');


# every kind of change

my $id = prompt('kinds', 'fx:text=hello');
my $public = sql("UPDATE prompts SET is_public = true WHERE id = '$id' "
                 . 'RETURNING id');

for ([ 'mutation { updatePrompt(id: "%") { updatedAt } }', ', input: {}' ],
     [ 'mutation { createPromptVersion(input: {promptId: "%", content: "y", '
       . 'params: {}}) { id version } }' ],
     [ 'mutation { setPromptLabel(promptId: "%", label: "a", version: 1) '
       . '{ version setAt } }' ],
     [ 'mutation { removePromptLabel(promptId: "%", label: "a") }' ],
     [ 'mutation { forkPrompt(id: "%") { id name versions { id } } }' ],
     [ 'mutation { executePrompt(promptId: "%", input: {}, version: 1) '
       . '{ executionId output latencyMs } }' ],
     [ 'mutation { deletePrompt(id: "%") }' ])
{
    my ($query, $more) = @$_;

    $query =~ s/%/$id/;
    $query =~ s/\)/$more)/ if $more;
    $key = fresh();
    $first = once($key, $query);
    ok(!$first->{json}{errors}, $query);
    $again = once($key, $query);
    is($again->{body}, $first->{body}, 'once');
    ok(replayed($again), 'marked');
}

is(made(), 0, 'executions went with the prompt');


# a label that was moved on stays where it is

$id = prompt('moved', 'fx:ok');
$s->ask('alice', 'mutation { createPromptVersion(input: {promptId: "' . $id
        . '", content: "y", params: {}}) { id } }');
$key = fresh();

sub label
{
    return "mutation { setPromptLabel(promptId: \"$id\", label: \"a\", "
           . "version: $_[0]) { version } }";
}

once($key, label(1));
once(fresh(), label(2));
is(once($key, label(1))->{json}{data}{setPromptLabel}{version}, 1,
   'the first answer');
is(sql("SELECT version FROM prompt_labels WHERE prompt_id = '$id'"), 2,
   'it is where the second left it');
is(sql("SELECT count(*) FROM prompt_label_moves WHERE prompt_id = '$id'"), 2,
   'two moves');


# API keys

my $made = 'mutation { createApiKey(input: {name: "k"}) { key apiKey { id } '
           . '} }';

$key = fresh();
$first = once($key, $made);
my $secret = $first->{json}{data}{createApiKey}{key};
my $key_id = $first->{json}{data}{createApiKey}{apiKey}{id};

ok($secret, 'a key');

for (1 .. 2) {
    $again = once($key, $made);
    is($again->{status}, 200, 'asked for again');
    like($again->{json}{errors}[0]{message}, qr/$key_id/, 'the id is named');
    is($again->{json}{errors}[0]{extensions}{id}, $key_id,
       'for machines, too');
    unlike($again->{body}, qr/$secret/, 'not the key');
    ok(replayed($again), 'nothing was done');
}

is(sql("SELECT count(*) FROM api_keys WHERE name = 'k'"), 1, 'one was made');
is(sql("SELECT count(*) FROM idempotency_keys k WHERE k::text LIKE '%"
       . substr($secret, 4, 12) . "%' OR encode(answer, 'escape') LIKE '%"
       . substr($secret, 4, 12) . "%'"), 0, 'nothing of it is kept');

$key = fresh();
my $deleted = "mutation { deleteApiKey(id: \"$key_id\") }";
$first = once($key, $deleted);
ok($first->{json}{data}{deleteApiKey}, 'deleted');
$again = once($key, $deleted);
is($again->{body}, $first->{body}, 'once');

$key = fresh();
$first = once($key, 'mutation { createApiKey(input: {name: ""}) { key } }');
$again = once($key, 'mutation { createApiKey(input: {name: ""}) { key } }');
is($again->{body}, $first->{body}, 'where none was made, the answer is kept');


# persisted queries: a document is the same by its hash

{
    require Digest::SHA;

    my $query = 'mutation { createPrompt(input: {name: "persisted"}) { id } }';
    my $hash = Digest::SHA::sha256_hex($query);
    my $ask = sub {
        my ($key, $with) = @_;
        my $body = '{' . ($with ? '"query":' . PromptTest::Json::string($query)
                                  . ',' : '')
                   . '"extensions":{"persistedQuery":{"version":1,'
                   . "\"sha256Hash\":\"$hash\"}}}";
        my $text = text([ "Idempotency-Key: $key" ], 'alice', 'x');

        $text =~ s/Content-Length: .*/'Content-Length: ' . length($body)
                                      . "\r\n\r\n$body"/se;
        return $s->receive($s->send($text));
    };

    $key = fresh();
    $first = $ask->($key, 1);
    $again = $ask->($key, 0);
    is($again->{body}, $first->{body}, 'by its hash, it is the same');
    ok(replayed($again), 'and replayed');
}


# while the first is being done

my $later = prompt('later', 'fx:text=fine,delay=1500');

$key = fresh();
my $socket = $s->send(text([ "Idempotency-Key: $key" ], 'alice', $run,
                           { id => $later }));

ok(within(10, sub { made() == 1 }), 'a call is in flight');

for my $server ($s, $other) {
    my $busy = once($key, $run, { id => $later }, server => $server);

    is("$busy->{status} " . code($busy), '409 BAD_USER_INPUT',
       'the second is told to come again');
    like($busy->{head}, qr/^Retry-After: 1\r?$/m, 'in a second');
}

is(once($key, $run, { id => $id })->{status}, 422, 'another one is told so');

$first = $s->receive($socket);
is($first->{json}{data}{executePrompt}{output}, 'fine', 'the first is done');
is(once($key, $run, { id => $later }, server => $other)->{body},
   $first->{body}, 'and then the second is answered');
is(made(), 1, 'executed once');


# the first one's client leaves

$key = fresh();
$socket = $s->send(text([ "Idempotency-Key: $key" ], 'alice', $run,
                        { id => $later }));
ok(within(10, sub { made() == 2 }), 'a call is in flight');
close $socket;

$again = settled(undef, $key, $run, { id => $later });
is($again->{json}{data}{executePrompt}{output}, 'fine',
   'the next one is answered as the first would have been');
ok(replayed($again), 'marked');
is(sql("SELECT string_agg(status, ',') FROM executions"),
   'succeeded,succeeded', 'executed once');


# the same over HTTP/2, where the stream is reset, or the connection ends

my $leaver = <<'END';
const [port, key, id, auth, how] = process.argv.slice(1);
const session = require('http2').connect(`http://127.0.0.1:${port}`);
session.on('error', () => {});
const stream = session.request({ ':method': 'POST', ':path': '/graphql',
    'authorization': `Bearer ${auth}`, 'content-type': 'application/json',
    'idempotency-key': key });
stream.on('error', () => {});
stream.end(JSON.stringify({ variables: { id }, query: process.env.RUN }));
process.stdin.on('data', () => {
    if (how === 'reset') { stream.close(8); }
    else { session.destroy(); }
    setTimeout(() => process.exit(0), 200);
});
END

SKIP: for my $how ('reset', 'destroy') {
    skip 'this nginx has no HTTP/2', 4 if !$h2;

    my $before = made();

    $key = fresh();
    local $ENV{RUN} = $run;
    open my $node, '|-', 'node', '-e', $leaver, $h2, $key, $later,
         PromptTest::Env::var('alice_key'), $how or die "node: $!\n";

    ok(within(20, sub { made() == $before + 1 }), "$how: a call is in flight");
    print $node "now\n";
    close $node;

    $again = settled(undef, $key, $run, { id => $later });
    is($again->{json}{data}{executePrompt}{output}, 'fine',
       "$how: the next one is answered as the first would have been");
    ok(replayed($again), "$how: marked");
    is(made(), $before + 1, "$how: executed once");
    sql("DELETE FROM executions WHERE id = (SELECT max(id::text)::uuid FROM "
        . 'executions)');
}


# the worker is killed in a call: told what is known, when that is known

$key = fresh();
$socket = $other->send(text([ "Idempotency-Key: $key" ], 'alice', $run,
                            { id => prompt('slow', 'long-fx:delay=60000') },
                            $other));
ok(within(10, sub { made() == 3 }), 'a call is in flight');
my $slow_id = sql("SELECT id FROM prompts WHERE name = 'slow'");
my $execution = sql("SELECT id FROM executions WHERE status = 'running'");

kill 'KILL', $other->workers;
ok(within(10, sub { $other->workers > 0 }), 'its worker was killed');

is(once($key, $run, { id => $slow_id })->{status}, 409,
   'nobody knows yet');
sql("UPDATE executions SET deadline = now() - interval '1 hour' "
    . "WHERE id = '$execution'");
sql("UPDATE idempotency_keys SET lease = now() - interval '1 second' "
    . 'WHERE status IS NULL');

$again = settled(undef, $key, $run, { id => $slow_id });
is($again->{json}{errors}[0]{extensions}{id}, $execution,
   'then the execution is named');
is($again->{json}{errors}[0]{extensions}{status}, 'lost', 'with its state');
ok(replayed($again), 'nothing was done');
is(made(), 3, 'indeed');
is(once($key, $run, { id => $slow_id })->{body}, $again->{body},
   'that is the answer from then on');


# left before anything was done: done by the next; after: told

sub leave
{
    my ($key, $steps) = @_;

    sql("UPDATE idempotency_keys SET status = NULL, answer = NULL, "
        . "lease = now() - interval '1 second', holder = gen_random_uuid()"
        . ($steps ? '' : ", steps = '{}'")
        . ' WHERE created_at = (SELECT max(created_at) FROM idempotency_keys)');
}

$key = fresh();
my $named = { input => { name => 'left' } };
$first = once($key, $create, $named);
leave($key, 1);
$again = once($key, $create, $named);
is($again->{json}{errors}[0]{extensions}{id},
   $first->{json}{data}{createPrompt}{id}, 'what was made is named');
is(code($again), 'INTERNAL_SERVER_ERROR', 'its answer was lost');
is_deeply($again->{json}{errors}[0]{path}, [ 'createPrompt' ],
          'at its place');

sql("DELETE FROM prompts WHERE name = 'left'");
leave($key, 0);
$again = once($key, $create, $named);
ok($again->{json}{data}{createPrompt}{id}, 'what was not done is done');
ok(!replayed($again), 'now');
is(prompts('left'), 1, 'once');

$key = fresh();
$first = once($key, $several =~ s/multi/half/gr);
sql("UPDATE idempotency_keys SET steps = steps[1:1] WHERE created_at = "
    . '(SELECT max(created_at) FROM idempotency_keys)');
leave($key, 1);
$again = once($key, $several =~ s/multi/half/gr);
is($again->{json}{errors}[0]{extensions}{id}, $first->{json}{data}{a}{id},
   'of several, what was done is named');
like($again->{json}{errors}[1]{message}, qr/changed nothing/,
     'and what was not');
is(scalar @{ $again->{json}{errors} }, 4, 'each');


# an answer that is too long to keep

my $long = prompt('long', 'fx:big=5000000');

$key = fresh();
$first = once($key, $run, { id => $long });
is(length $first->{json}{data}{executePrompt}{output}, 5000000, 'a long one');
$again = once($key, $run, { id => $long });
is($again->{json}{errors}[0]{extensions}{id},
   $first->{json}{data}{executePrompt}{executionId}, 'its id is known');
is($again->{json}{errors}[0]{extensions}{status}, 'succeeded', 'and how');

my $much = prompt('much', 'fx:big=4000000');

$key = fresh();
$first = once($key, $run, { id => $much });
is(once($key, $run, { id => $much })->{body}, $first->{body},
   'a shorter one is kept');


# as long as what it shows is there

{
    my $gone = 'mutation ($id: ID!) { deletePrompt(id: $id) }';
    my $input = { input => { name => 'shown' } };
    my $made = fresh();
    my $id = once($made, $create, $input)->{json}{data}{createPrompt}{id};
    my $version = { i => { promptId => $id, content => 'secret words',
                           params => { model => 'fx:text=shown' } } };
    my @what = (
        [ 'createPrompt', $made, $create, $input ],
        [ 'createPromptVersion', fresh(), 'mutation ($i: '
          . 'CreatePromptVersionInput!) { createPromptVersion(input: $i) '
          . '{ id content } }', $version ],
        [ 'updatePrompt', fresh(), 'mutation ($id: ID!) { updatePrompt(id: '
          . '$id, input: {description: "shown"}) { id description } }',
          { id => $id } ],
        [ 'executePrompt', fresh(), $run, { id => $id } ],
    );
    my @missing = (fresh(), $run,
                   { id => '01890000-0000-7000-8000-00000000dead' });
    my $missed = once(@missing);

    for (@what) {
        my ($name, @request) = @$_;
        my $first = once(@request);

        ok($first->{json}{data}{$name}, "$name: it is done");
        is(once(@request)->{body}, $first->{body}, "$name: and replayed");
    }

    my $copy = once(my $forked = fresh(),
                    my $fork = 'mutation ($id: ID!) { forkPrompt(id: $id) '
                               . '{ id name } }', { id => $id });
    my $executions = made();
    my @delete = (fresh(), $gone, { id => $id });
    my $deleted = once(@delete);

    ok($deleted->{json}{data}{deletePrompt}, 'the prompt is deleted');
    is(once(@delete)->{body}, $deleted->{body}, 'which is replayed');
    is(once($forked, $fork, { id => $id })->{body}, $copy->{body},
       'and what is a copy of it');
    is(once(@missing)->{body}, $missed->{body},
       'and what was never there');

    my ($asked) = scalar @{ PromptTest::Env::provider_control('log') };

    for (@what) {
        my ($name, @request) = @$_;
        my $again = once(@request);
        my $error = $again->{json}{errors}[0];

        is_deeply($again->{json}{data}, { $name => undef },
                  "$name: it is not shown any more");
        like($error->{message}, qr/not done again.* deleted since/,
             "$name: it says why");
        like($error->{extensions}{id} // '', qr/^[0-9a-f-]{36}$/,
             "$name: with the id");
    }

    is(scalar @{ PromptTest::Env::provider_control('log') }, $asked,
       'nothing is done again');

    # deleted by the same request, or while it is under way

    my $revise = 'a: createPromptVersion(input: $i) { content }';
    my $other = prompt('both', 'fx:text=both');

    $version->{i}{promptId} = $other;

    my @whole = (fresh(), 'mutation ($id: ID!, $i: CreatePromptVersionInput!) '
                 . "{ $revise b: updatePrompt(id: \$id, input: {description: "
                 . '"secret words"}) { description } c: deletePrompt(id: $id) }',
                 { id => $other, %$version });

    like(once(@whole)->{body}, qr/secret words/, 'told once');
    unlike(once(@whole)->{body}, qr/secret words/,
           'what the request deleted itself is not told again');

    $other = prompt('during', 'fx:text=during');
    $version->{i}{promptId} = $other;

    my $long = prompt('long beside', 'fx:delay=1500,text=long');
    my @during = (fresh(), 'mutation ($id: ID!, $i: CreatePromptVersionInput!) '
                  . "{ $revise b: executePrompt(promptId: \$id, input: {}) "
                  . '{ output } }', { id => $long, %$version });
    my $under = $s->send(text([ "Idempotency-Key: $during[0]" ], 'alice',
                              @during[1, 2]));

    ok(within(30, sub { sql('SELECT count(*) FROM executions WHERE prompt_id = '
                            . "'$long'") }), 'one is under way');
    ok($s->ask('alice', $gone, { id => $other })->{json}{data}{deletePrompt},
       'its prompt is deleted');
    like($s->receive($under, 60 * $slow)->{body}, qr/secret words/,
         'told once');
    unlike(once(@during)->{body}, qr/secret words/,
           'what was deleted meanwhile is not told again');

    # and what an import made

    my @import = (fresh(), 'mutation ($p: [ImportPromptInput!]!) '
                  . '{ importPrompts(prompts: $p) { changes { prompt } } }',
                  { p => [ map { { name => "imported-$_", versions => [] } }
                           1, 2 ] });
    my $imported = once(@import);

    like($imported->{body}, qr/imported-1.*imported-2/, 'imported');
    is(once(@import)->{body}, $imported->{body}, 'which is replayed');

    once(fresh(), $gone,
         { id => sql("SELECT id FROM prompts WHERE name = 'imported-2'") });
    unlike(once(@import)->{body}, qr/imported/,
           'until one of them is deleted');

    once(fresh(), $gone, { id => $copy->{json}{data}{forkPrompt}{id} });
    is(once($forked, $fork, { id => $id })->{json}{data}{forkPrompt}, undef,
       'the copy goes with itself');
}


# for a day

$key = fresh();
$first = once($key, $create, { input => { name => 'daily' } });
sql("UPDATE idempotency_keys SET created_at = now() - interval '25 hours'");
$again = once($key, $create, { input => { name => 'daily-2' } });
is($again->{status}, 200, 'a day later a key is new');
ok(!replayed($again), 'for whatever it is used');

sql("INSERT INTO idempotency_keys (user_id, key, fingerprint, holder, lease, "
    . "created_at) SELECT u.id, sha256(n::text::bytea), sha256(''), "
    . "gen_random_uuid(), now(), now() - interval '25 hours' "
    . "FROM generate_series(1, 350) n, users u WHERE u.email LIKE 'alice%'");
ok(within(60, sub { keys_kept() == 1 }), 'and old rows go');



done_testing();
