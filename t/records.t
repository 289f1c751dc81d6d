# What is kept of executions: prompt_record, a project's recordsContent, what is
# deleted and what promptctl prune empties.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Server;
use Test::More;

my $s = PromptTest::Server->new(workers => 1, server => <<'END');
    location = /none { prompt_graphql; prompt_record input=off output=off; }
    location = /out { prompt_graphql; prompt_record input=off; }
END

sub sql
{
    my $n = PromptTest::Env::psql($_[0]);

    chomp $n;
    return $n;
}

sub ask
{
    my ($query, $variables, %with) = @_;
    my $request = $s->request($with{who} || 'alice', $query, $variables);
    my $path = $with{path} || '/graphql';
    my $key = $with{once} ? "Idempotency-Key: $with{once}\r\n" : '';

    $request =~ s/^POST \S+ HTTP\/1.1\r\n/POST $path HTTP\/1.1\r\n$key/;

    return $s->receive($s->send($request))->{json};
}

my $prompt = ask('mutation { createPrompt(input: {name: "p", isPublic: true}) '
                 . '{ id } }')->{data}{createPrompt}{id};

ask('mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) '
    . '{ id } }',
    { i => { promptId => $prompt, content => 'Say {{what}}',
             params => { model => 'fx:text=fine' } } });

my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, '
          . 'input: {what: "hello"}, subject: "s") { executionId output } }';

sub run
{
    my %with = @_;
    my $did = ask($run, { id => $prompt }, %with)->{data}{executePrompt};

    return $did->{executionId} if $did && $did->{output} eq 'fine';
    return undef;
}

sub kept
{
    return sql("SELECT concat_ws(' ', status, input IS NOT NULL, "
               . "output IS NOT NULL, token_in > 0, subject) FROM executions "
               . "WHERE id = '$_[0]'");
}

# the first of each is read, the second known to the worker

for my $n (1, 2) {
    is(kept(run()), 'succeeded t t t s', 'both are kept');
    is(kept(run(path => '/none')), 'succeeded f f t s', 'neither is');
    is(kept(run(path => '/out')), 'succeeded f t t s', 'what came out is');
}

my $alice = sql("SELECT id FROM users WHERE email LIKE 'alice%'");

sql("UPDATE projects SET records_content = false WHERE id = '$alice'");
is(kept(run()), 'succeeded f f t s', 'the project wants neither');
is(kept(run()), 'succeeded f f t s', 'which counts at once');
is(kept(run(who => 'bob')), 'succeeded t t t s', 'it is who pays that says so');

# several at once, which share a statement

my @ids = PromptTest::Server::side_by_side(24, sub { run() });

is(sql("SELECT count(*) FROM executions WHERE executed_by = '$alice' AND "
       . "id = ANY ('{" . join(',', @ids) . "}') AND input IS NULL "
       . "AND output IS NULL AND status = 'succeeded'"), 24, 'all alike');


# an answer is not kept where its execution is not

my %once = (once => 'one');
my $id = run(%once);

ok($id, 'with a key');
is(sql('SELECT count(answer) FROM idempotency_keys'), 0, 'no answer is kept');

my $again = ask($run, { id => $prompt }, %once);

ok($again->{errors}, 'a repeat is an error');
like(PromptTest::Json::encode($again), qr/\Q$id\E/, 'which names the execution');
is(sql("SELECT count(*) FROM executions WHERE id >= '$id'"), 1,
   'and nothing is run again');


# deletions

sql("UPDATE projects SET records_content = true WHERE id = '$alice'");

my $delete = 'mutation ($id: ID!) { deleteExecution(id: $id) }';

sub deleted
{
    my ($id, $who) = @_;
    my $json = ask($delete, { id => $id }, who => $who || 'alice');

    return $json->{errors} ? $json->{errors}[0]{extensions}{code}
                           : $json->{data}{deleteExecution} ? 'true' : 'null';
}

%once = (once => 'two');
$id = run(%once);
is(sql('SELECT count(answer) FROM idempotency_keys'), 1, 'an answer is kept');
is(run(%once), $id, 'and told');

my $spent = 'query ($s: DateTime!, $u: DateTime!) { statistics(since: $s, '
            . 'until: $u) { executions tokenIn } }';
my @now = gmtime;
my %day = (s => sprintf('%04d-%02d-%02dT00:00:00Z', $now[5] + 1900,
                        $now[4] + 1, $now[3]),
           u => sprintf('%04d-12-31T00:00:00Z', $now[5] + 1901));
my $before = ask($spent, \%day)->{data}{statistics};

is(deleted('00000000-0000-7000-8000-000000000000'), 'NOT_FOUND', 'not there');
is(deleted($id, 'bob'), 'NOT_FOUND', "another's is not found");
is(deleted($id), 'true', 'one is deleted');
is(deleted($id), 'NOT_FOUND', 'once');
is(sql("SELECT count(*) FROM executions WHERE id = '$id'"), 0, 'it is gone');
is(sql('SELECT count(answer) FROM idempotency_keys'), 0, 'and its answer');
is_deeply(ask($spent, \%day)->{data}{statistics}, $before,
          'what was spent stays');

my $bobs = run(who => 'bob');

is(deleted($bobs), 'FORBIDDEN', 'an owner of the prompt did not pay');
is(deleted($bobs, 'bob'), 'true', 'who paid deletes');

$id = run();
sql("UPDATE executions SET status = 'running' WHERE id = '$id'");
is(deleted($id), 'BAD_USER_INPUT', 'not while it runs');
sql("UPDATE executions SET status = 'succeeded' WHERE id = '$id'");

%once = (once => 'three');
my $other = ask('mutation { createPrompt(input: {name: "other"}) { id name } }',
                {}, %once)->{data}{createPrompt}{id};
is(sql('SELECT count(answer) FROM idempotency_keys'), 1, 'an answer shows it');
ask('mutation ($id: ID!) { deletePrompt(id: $id) }', { id => $other });
is(sql('SELECT count(answer) FROM idempotency_keys'), 0,
   'and goes with the prompt');


# contents that are old

my $old = '01900000-0000-7000-8000-000000000000';

sql("INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, "
    . "status, input, output, error, subject, metadata, token_in, cost_usd) "
    . "VALUES ('$old', '$prompt', 1, '$alice', true, 'succeeded', '{}', 'o', "
    . "'e', 's', '{}', 7, 0.5)");

sub prune
{
    my ($out, $status) = PromptTest::Env::promptctl('prune',
        '--content-older-than', '30d', @_);

    return $out;
}

is(prune('--dry-run'), "would empty 1 executions", 'dry, it is said');
is(prune(), "emptied 1 executions", 'it is emptied');
is(prune(), "emptied 0 executions", 'once');
is(sql("SELECT num_nonnulls(input, output, error, subject, metadata) || ' ' || "
       . "token_in || ' ' || cost_usd FROM executions WHERE id = '$old'"),
   '0 7 0.5', 'figures stay');
is(kept($id), 'succeeded t t t s', 'what is young stays');

done_testing();
