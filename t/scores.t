# Scores: given, replaced and removed; whose they are, what is found by them, and
# what they go with.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP ();
use PromptTest::People;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep);

PromptTest::Env::setup();

my $s = PromptTest::Server->new(workers => 1);
my $json = JSON::PP->new->canonical->allow_nonref->allow_bignum;

sub sql
{
    my $text = PromptTest::Env::psql($_[0]);

    chomp $text;
    return $text;
}

sub ask
{
    my ($query, $variables, %with) = @_;
    my $request = $s->request($with{who} || 'alice', $query, $variables);
    my $key = $with{once} ? "Idempotency-Key: $with{once}\r\n" : '';

    $request =~ s/^POST \S+ HTTP\/1.1\r\n/POST \/graphql HTTP\/1.1\r\n$key/;

    return $s->receive($s->send($request))->{json};
}

# data(...): of the only root field
sub data
{
    my $answer = ask(@_);

    diag($json->encode($answer->{errors})) if $answer->{errors};
    return (values %{ $answer->{data} || {} })[0];
}

# said(...): code and field of the first error
sub said
{
    my $error = ask(@_)->{errors}[0];

    return join ' ', grep { defined } @{ $error->{extensions} }{qw(code field)};
}

my $prompt = data('mutation { createPrompt(input: {name: "p", isPublic: true}) '
                  . '{ id } }')->{id};

data('mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) '
     . '{ id } }', { i => { promptId => $prompt, content => 'Say {{what}}',
                            params => { model => 'fx:text=fine' } } });

my $runs = 0;

sub run
{
    return data('mutation ($id: ID!, $i: JSON!, $n: JSON, $s: String) { '
                . 'executePrompt(promptId: $id, input: $i, metadata: $n, '
                . 'subject: $s) { executionId } }',
                { id => $prompt, i => { what => 'n' . ++$runs },
                  n => { team => $runs % 2 ? 'red' : 'blue' },
                  s => 's' . $runs % 2 }, @_)->{executionId};
}

my $set = 'mutation ($e: ID!, $n: String!, $v: Float!, $c: String) { '
          . 'scoreExecution(executionId: $e, name: $n, value: $v, comment: $c) '
          . '{ id name value comment source createdBy { id email } '
          . 'createdAt } }';
my $scores = '{ name value comment source createdBy { email } }';
my $read = "query (\$e: ID!) { execution(id: \$e) { scores $scores } }";

sub score
{
    my ($e, $n, $v, $c, @with) = @_;

    return data($set, { e => $e, n => $n, v => $v, c => $c }, @with);
}

# listed(...): names and values
sub listed
{
    return join ' ', map { "$_->{name}=$_->{value}" }
           @{ data($read, { e => $_[0] }, @_[1 .. $#_])->{scores} };
}


# what one is

my $run = run();
my $score = score($run, 'good', 0.75, "Well\n\"done\"");

like($score->{id}, qr/^[0-9a-f-]{36}$/, 'a score has an id');
like($score->{createdAt}, qr/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
   'and a time');
is($json->encode([ @$score{qw(name value comment source)} ]),
   '["good",0.75,"Well\n\"done\"","API"]', 'what was given, by a key');
is($score->{createdBy}{email}, 'alice@example.com', 'and by whom');
is($json->encode(data($read, { e => $run })),
   $json->encode({ scores => [ { name => 'good', value => 0.75,
                                 comment => "Well\n\"done\"", source => 'API',
                                 createdBy => { email => 'alice@example.com' }
                               } ] }), 'the execution has it');

my $again = score($run, 'good', -2.5);

isnt($again->{id}, $score->{id}, 'one of the same name is another one');
is(listed($run), 'good=-2.5', 'in the place of it');
is(sql('SELECT count(*) FROM scores'), 1, 'and the only one');
score($run, $_, 1) for 'b', 'a';
is(listed($run), 'a=1 b=1 good=-2.5', 'by name');

is(said($set, { e => $run, n => $_, v => 1 }), 'BAD_USER_INPUT name',
   'no name') for '', ' ', 'x' x 65, "a\nb";
is(said($set, { e => $run, n => 'a', v => 1, c => 'x' x 1001 }),
   'BAD_USER_INPUT comment', 'a comment that is too long');
is(said($set, { e => $_, n => 'a', v => 1 }), 'NOT_FOUND', 'no execution')
    for 'x', '01234567-89ab-7def-8123-456789abcdef';
is(said($set, { e => $run, n => 'a', v => 1 }, who => 'alice_read'),
   'UNAUTHENTICATED', 'scoring wants scope write');

my $remove = 'mutation ($i: ID!) { removeScore(id: $i) }';

is(said($remove, { i => $score->{id} }), 'NOT_FOUND', 'what was replaced');
is(said($remove, { i => $again->{id} }, who => 'bob'), 'NOT_FOUND',
   "nobody removes another project's");
is(data($remove, { i => $again->{id} }), JSON::PP::true, 'removed');
is(said($remove, { i => $again->{id} }), 'NOT_FOUND', 'once');
is(listed($run), 'a=1 b=1', 'the others stay');

sql("INSERT INTO scores (id, execution_id, project_id, name, value, source,"
    . " created_by) SELECT gen_random_uuid(), '$run', '"
    . PromptTest::Env::var('alice_id') . "', 'n' || i, i, 'CHECK',"
    . " '00000000-0000-0000-0000-000000000000' FROM generate_series(1, 998) i");
is(said($set, { e => $run, n => 'c', v => 1 }), 'BAD_USER_INPUT name',
   'an execution has a thousand at most');
is(score($run, 'a', 2)->{value}, 2, 'of which one may be replaced');
is($json->encode((grep { $_->{name} eq 'n1' }
                  @{ data($read, { e => $run })->{scores} })[0]),
   '{"comment":null,"createdBy":null,"name":"n1","source":"CHECK","value":1}',
   'a check is nobody');
is(scalar @{ data("{ prompt(id: \"$prompt\") { versions { executions { scores "
                  . "$scores } } } }")->{versions}[0]{executions}[0]{scores} },
   1000, 'below a version, too, however many they are');
sql("DELETE FROM scores WHERE source = 'CHECK'");


# in a session, and in a project of several

my $user = PromptTest::People::user('dora');
my $session = PromptTest::People::session($user);
my $team = PromptTest::People::project('Team', $user => 'EDITOR',
    PromptTest::Env::var('alice_id') => 'OWNER');

sub as
{
    my ($token, $query, $variables) = @_;
    my $json = PromptTest::People::ask($s, $token, $team, $query, $variables)
               ->{json};

    return (values %{ $json->{data} || {} })[0] || $json->{errors}[0]{message};
}

my $shared = PromptTest::People::uuid();

sql("INSERT INTO prompts (id, owner_id, name, category, updated_at,"
    . " last_version) VALUES ('$shared', '$team', 'shared', 'GENERAL', now(), 1);"
    . ' INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content,'
    . " params) VALUES (gen_random_uuid(), '$shared', '$team', 1, 'x',"
    . ' \'{"model": "fx:text=fine"}\')');

my $of_team = as($session, 'mutation ($p: ID!) { executePrompt(promptId: $p, '
                 . 'input: {}) { executionId } }', { p => $shared })
              ->{executionId};
my $human = as($session, $set, { e => $of_team, n => 'good', v => 1 });

is("$human->{source} $human->{createdBy}{email}", 'HUMAN dora@example.com',
   'a person who has signed in');

my $key = PromptTest::People::key(PromptTest::Env::var('alice_id'), $team);

as($key, $set, { e => $of_team, n => 'good', v => 0 });
is(join(' ', sort map { "$_->{createdBy}{email}:$_->{value}:$_->{source}" }
        @{ as($session, $read, { e => $of_team })->{scores} }),
   'alice@example.com:0:API dora@example.com:1:HUMAN',
   'each member gives one of a name');
is(join(' ', sort map { "$_->{createdBy}{email}:$_->{value}" }
        @{ as($session, "{ executions { scores $scores } }")->[0]{scores} }),
   'alice@example.com:0 dora@example.com:1', 'a list shows them, too');
as(PromptTest::People::key($user, $team), $set,
   { e => $of_team, n => 'good', v => 0.5 });
is(join(' ', sort map { "$_->{createdBy}{email}:$_->{value}:$_->{source}" }
        @{ as($session, $read, { e => $of_team })->{scores} }),
   'alice@example.com:0:API dora@example.com:0.5:API',
   'the same one in whichever way');


# whose it is

my $theirs = run(who => 'bob');

is(said($set, { e => $theirs, n => 'a', v => 1 }), 'FORBIDDEN',
   'the owner of a public prompt does not score what others ran of it');
score($theirs, 'mine', 1, undef, who => 'bob');
is($json->encode(data("{ prompt(id: \"$prompt\") { versions { executions { scores"
                      . ' { name createdBy { email } } } } } }', {},
                      who => 'bob')->{versions}[0]{executions}[0]{scores}),
   '[{"createdBy":{"email":"bob@example.com"},"name":"mine"}]',
   'also below a prompt that is not theirs');
is(listed($theirs, who => 'bob'), 'mine=1', 'who paid does');
is(listed($theirs), '', 'and the owner does not see it');
is(said($set, { e => $run, n => 'a', v => 1 }, who => 'bob'), 'NOT_FOUND',
   'of what others ran nobody knows');


# what is found by them

my @runs = map { run() } 1 .. 6;

score($runs[$_], 'quality', $_ / 5) for 0 .. 5;
score($runs[0], 'other', 1);

my $find = 'query ($s: String, $l: Float, $m: Float, $n: JSON, $u: String, '
           . '$st: [String!], $f: Int, $a: ID, $p: ID) { executions(score: $s, '
           . 'minScore: $l, maxScore: $m, metadata: $n, subject: $u, '
           . 'status: $st, first: $f, after: $a, promptId: $p) { id } }';

# found(...): their numbers
sub found
{
    my %number = map { $runs[$_] => $_ } 0 .. 5;

    return join ' ', map { $number{ $_->{id} } // 'x' } @{ data($find, { @_ }) };
}

is(found(s => 'quality'), '5 4 3 2 1 0', 'those that have one, newest first');
is(found(s => 'quality', l => 0.4), '5 4 3 2', 'of this value or more');
is(found(s => 'quality', m => 0.4), '2 1 0', 'or less');
is(found(s => 'quality', l => 0.4, m => 0.6), '3 2', 'or between');
is(found(s => 'quality', l => 2), '', 'or none');
is(found(s => 'other'), '0', 'of another name');
is(found(s => 'quality', f => 2), '5 4', 'a page');
is(found(s => 'quality', f => 2, a => $runs[4]), '3 2', 'and the next one');
is(found(s => 'quality', n => { team => 'red' }),
   join(' ', grep { sql("SELECT metadata->>'team' FROM executions WHERE id ="
                        . " '$runs[$_]'") eq 'red' } reverse 0 .. 5),
   'with what is noted');
is(found(s => 'quality', u => 's1'),
   join(' ', grep { sql("SELECT subject FROM executions WHERE id ="
                        . " '$runs[$_]'") eq 's1' } reverse 0 .. 5),
   'of a subject');
is(found(s => 'quality', st => [ 'failed' ]), '', 'of another status');
is(found(s => 'quality', p => $prompt), '5 4 3 2 1 0', 'of a prompt');
is(said($find, { l => 1 }), 'BAD_USER_INPUT score', 'a value wants a name');
is(scalar @{ data($find, { s => 'mine' }) }, 0, "others' are not found");


# who looks for them keeps nobody from reading

my $many = PromptTest::Server->new(workers => 1, postgres => '"'
    . PromptTest::Env::conninfo('prompt_app') . '" connections=4 timeout='
    . 4 * ($ENV{PROMPT_TEST_SLOW} || 1) . 's');
my $held = fork;

die "fork: $!\n" unless defined $held;

if ($held == 0) {
    open STDERR, '>', '/dev/null';
    eval { sql('BEGIN; LOCK scores, executions; SELECT pg_sleep(60)') };
    require POSIX;
    POSIX::_exit(0);
}

my $sleeps = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
             . ' AND datname = current_database()';

sleep 0.05 until sql("SELECT count(*) $sleeps") == 1;

my @looks = map { $many->send($many->request('alice', $_)) }
            map { ("{ executions($_) { id } }") x 4 }
            'score: "quality"', 'minCostUsd: "1"', 'maxLatencyMs: 1',
            'metadata: {team: "red"}';
my @reads = map { $many->send($many->request('bob', '{ prompts { id } }')) }
            1 .. 16;

is(scalar(grep { ($many->receive($_)->{json}{data} || {})->{prompts} } @reads),
   16, 'others read while executions are looked for');
is(sql("SELECT count(pg_terminate_backend(pid)) $sleeps"), 1,
   'which wait for another transaction');
waitpid $held, 0;
is(scalar(grep { $_->{json}{data} || $_->{json}{errors} }
          map { $many->receive($_) } @looks), 16, 'and all are answered');


# once only

my $once = score($run, 'once', 1, undef, once => 'one')->{id};

is(score($run, 'once', 1, undef, once => 'one')->{id}, $once,
   'a request that is sent again is done once');

my $kept = sub {
    return sql("SELECT count(answer) FROM idempotency_keys"
               . " WHERE position('sworn' in encode(answer, 'escape')) > 0");
};
my $short = run();

score($short, $_, 1, 'sworn', once => "kept-$_") for qw(kept gone other);
is($kept->(), 3, 'and what it said is kept');
data($remove, { i => sql("SELECT id FROM scores WHERE name = 'gone'") });
is($kept->(), 2, 'but not of a score that was removed');
score($short, 'kept', 2);
is($kept->(), 1, 'nor of one in whose place another is');
data("mutation { deleteExecution(id: \"$short\") }");
is($kept->(), 0, 'nor of an execution that was deleted');


# what they go with

score($run, 'said', 1, 'a word');
data("mutation { deleteExecution(id: \"$runs[5]\") }");
is(sql("SELECT count(*) FROM scores WHERE execution_id = '$runs[5]'"), 0,
   'those of an execution that is deleted');

# old($days): an execution of so many days ago, with a score
sub old
{
    my ($days) = @_;
    my $id = sql("SELECT overlay(gen_random_uuid()::text placing left("
                 . "prompt_id_of(now() - interval '$days days')::text, 13)"
                 . ' from 1)');
    my $alice = PromptTest::Env::var('alice_id');

    sql("INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,"
        . " status, input) VALUES ('$id', '$prompt', 1, '$alice', true,"
        . " 'succeeded', '{}'); INSERT INTO scores (id, execution_id,"
        . " project_id, name, value, comment, source, created_by) VALUES"
        . " (gen_random_uuid(), '$id', '$alice', 'old', 1, 'a word', 'API',"
        . " '$alice')");

    return $id;
}

sub prune
{
    my ($out, $status) = PromptTest::Env::promptctl('prune', @_);

    return $out;
}

# what of which there are partitions goes with them
my %old = map { $_ => old($_) } 40, 200, 400;

sub there
{
    return join ' ', map { sql("SELECT count(*) || ':' || count(comment) FROM"
                               . " scores WHERE execution_id = '$old{$_}'") }
           sort { $a <=> $b } keys %old;
}

is(there(), '1:1 1:1 1:1', 'three old ones');
like(prune('--content-older-than', '100d'), qr/emptied 2/, 'contents go');
is(there(), '1:1 1:0 1:0', 'and comments; values stay');

like(prune('--older-than', '100d'), qr/deleted 2/, 'executions go');
is(there(), '1:1 0:0 0:0', 'and their scores');

# of a month that went as a whole
sql("DROP TRIGGER executions_go ON executions; DELETE FROM executions WHERE id"
    . " = '$old{40}'");
is(there(), '1:1 0:0 0:0', 'what no trigger has seen');
prune('--older-than', '30d');
is(there(), '0:0 0:0 0:0', 'goes by the next prune');
is(listed($run), 'a=2 b=1 once=1 said=1', 'what is young stays');

done_testing();
