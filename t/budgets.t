# Budgets: who may set them, what a call reserves, what is refused and told, and
# what settles it.

use strict;
use warnings;

use lib 't/lib';
use IO::Select;
use IPC::Open2 qw(open2);
use JSON::PP ();
use PromptTest::Calls;
use PromptTest::People;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

my $http = <<'END';
    prompt_provider bounded /_provider/openai timeout=500ms max_tokens=50;
    prompt_provider retried /_provider/openai timeout=5s retries=1;

    prompt_model bounded-fx:* provider=bounded input=1 output=2;
    prompt_model retried-fx:* provider=retried input=1 output=2;
    prompt_model long-fx:* provider=openai input=1 output=2 long_from=1000
                 long_input=10 long_output=20 cache_write=4;
    prompt_model dear-fx:* provider=openai input=100 output=200;
END
my $server = <<'END';
    location /openai/ { prompt_openai; }
    location = /mcp { prompt_mcp; }
    location = /stop { prompt_graphql; prompt_abandoned stop; }
END

my $s = PromptTest::Server->new(workers => 2, http => $http,
                                server => $server);
my $json = JSON::PP->new->canonical->allow_nonref;
my $million = 1e6;


sub sql
{
    my $text = PromptTest::Env::psql($_[0]);

    chomp $text;
    return $text;
}

sub asked { return $s->ask(@_)->{json} }

my $set = 'mutation ($k: ID, $l: String!, $p: BudgetPeriod!, $w: Int) '
          . '{ setBudget(keyId: $k, limitUsd: $l, per: $p, warnAtPercent: $w) '
          . '{ id limitUsd per spentUsd reservedUsd warnAtPercent resetsAt '
          . 'key { id name budgets { id key { name } } } } }';

# set(LIMIT, PER, KEY, WARN): the answer
sub set
{
    my ($limit, $per, $key, $warn, $who) = @_;

    return asked($who || 'alice', $set, { l => $limit, p => $per || 'TOTAL',
                                          k => $key, w => $warn });
}

sub clean { sql('DELETE FROM budgets') }

# held(): what calls that run have reserved
sub held
{
    return sql("SELECT trim_scale(reserved_usd) FROM executions WHERE "
               . "status = 'running' AND reserved_usd IS NOT NULL");
}

# sums(): of the only budget
sub sums
{
    return sql('SELECT trim_scale(sum(spent_usd)), '
               . 'trim_scale(sum(reserved_usd)) FROM budget_slots s '
               . 'WHERE ends = (SELECT max(ends) FROM budget_slots)');
}

sub code
{
    my ($answer) = @_;
    my $error = $answer->{errors}[0];

    return join ' ', grep { defined } $error->{extensions}{code},
                                      $error->{extensions}{field};
}

sub exec_of
{
    my ($id, $who, $more) = @_;

    return asked($who || 'alice', 'mutation ($id: ID!, $i: JSON!) '
                 . '{ executePrompt(promptId: $id, input: $i) '
                 . '{ output costUsd executionId } }',
                 { id => $id, i => { a => 1, %{ $more || {} } } });
}


# who may set them, and what they are

my $alice = PromptTest::Env::var('alice_id');
my $answer = set('12.50', 'DAY');
my $budget = $answer->{data}{setBudget};

is($budget->{limitUsd}, '12.5', 'a limit is a decimal');
is($budget->{per}, 'DAY', 'of a day');
is($budget->{spentUsd} . '|' . $budget->{reservedUsd}, '0|0', 'unspent');
is($budget->{key}, undef, 'of the project');
is($budget->{resetsAt},
   sql("SELECT to_char(date_trunc('day', now() AT TIME ZONE 'UTC')"
       . " + interval '1 day', 'YYYY-MM-DD') || 'T00:00:00.000Z'"),
   'until midnight, UTC');

my $again = set('13', 'DAY', undef, 80)->{data}{setBudget};

is($again->{id}, $budget->{id}, 'set again it is the same one');
is($again->{limitUsd} . '|' . $again->{warnAtPercent}, '13|80', 'with another '
   . 'limit');

is(set('1', 'MONTH')->{data}{setBudget}{resetsAt},
   sql("SELECT to_char(date_trunc('month', now() AT TIME ZONE 'UTC')"
       . " + interval '1 month', 'YYYY-MM-DD') || 'T00:00:00.000Z'"),
   'a month ends with it');
is(set('1', 'TOTAL')->{data}{setBudget}{resetsAt}, undef, 'TOTAL never');

for my $limit ('', '-1', '1e3', '1.', 'x', '1234567890', ' 1')
{
    is(code(set($limit)), 'BAD_USER_INPUT limitUsd', "\"$limit\" is no limit");
}

is(code(set('1', 'DAY', undef, $_)), 'BAD_USER_INPUT warnAtPercent',
   "$_ is no share") for 0, 101;
is(code(set('1', 'DAY', 'nonsense')), 'NOT_FOUND', 'a key that is none');

my %key;

for my $name ('one', 'two', 'bobs')
{
    my $made = asked($name eq 'bobs' ? 'bob' : 'alice',
                     'mutation ($n: String!) { createApiKey(input: {name: $n}) '
                     . '{ key apiKey { id budgets { id } } } }',
                     { n => $name })->{data}{createApiKey};

    $key{$name} = { key => $made->{key}, id => $made->{apiKey}{id} };
    is_deeply($made->{apiKey}{budgets}, [], 'a new key has none');
}

is(code(set('1', 'DAY', $key{bobs}{id})), 'NOT_FOUND',
   'a key of another project');

my $of_key = set('2', 'DAY', $key{one}{id})->{data}{setBudget};

is($of_key->{key}{name}, 'one', 'of a key');
is_deeply($of_key->{key}{budgets},
          [ { id => $of_key->{id}, key => { name => 'one' } } ],
          'which has it');

set('3', 'MONTH', $key{one}{id});
set('4', 'MONTH', $key{two}{id});

my %listed = map { $_->{name} => $_->{budgets} }
             @{ asked('alice', '{ apiKeys { name budgets { limitUsd per '
                      . 'spentUsd } } }')->{data}{apiKeys} };

is($json->encode($listed{one}),
   '[{"limitUsd":"2","per":"DAY","spentUsd":"0"},'
   . '{"limitUsd":"3","per":"MONTH","spentUsd":"0"}]', 'keys list theirs');
is($json->encode($listed{two}),
   '[{"limitUsd":"4","per":"MONTH","spentUsd":"0"}]', 'each its own');
is($json->encode($listed{test}), '[]', 'or none');

my $of_project = asked('alice', '{ project { budgets { limitUsd per key { name '
                       . 'createdBy { email } budgets { limitUsd } } } } }');

is($json->encode($of_project->{data}{project}{budgets}),
   '[{"key":null,"limitUsd":"13","per":"DAY"},'
   . '{"key":null,"limitUsd":"1","per":"MONTH"},'
   . '{"key":null,"limitUsd":"1","per":"TOTAL"},'
   . '{"key":{"budgets":[{"limitUsd":"2"},{"limitUsd":"3"}],'
   . '"createdBy":{"email":"alice@example.com"},"name":"one"},'
   . '"limitUsd":"2","per":"DAY"},'
   . '{"key":{"budgets":[{"limitUsd":"2"},{"limitUsd":"3"}],'
   . '"createdBy":{"email":"alice@example.com"},"name":"one"},'
   . '"limitUsd":"3","per":"MONTH"},'
   . '{"key":{"budgets":[{"limitUsd":"4"}],'
   . '"createdBy":{"email":"alice@example.com"},"name":"two"},'
   . '"limitUsd":"4","per":"MONTH"}]', 'a project has all of them');
is(code(asked(PromptTest::Env::var('alice_read_key'),
              '{ project { budgets { limitUsd key { name } } } }')),
   'UNAUTHENTICATED', 'keys are for who may see keys');
is(scalar @{ asked(PromptTest::Env::var('alice_read_key'),
                   '{ project { budgets { limitUsd } } }')
             ->{data}{project}{budgets} }, 6, 'and the rest for all');

# an EDITOR sees keys of their own making, here too

my $bob = PromptTest::Env::var('bob_id');

sql("INSERT INTO project_members (project_id, user_id, role) VALUES ('$alice',"
    . " '$bob', 2)");

my $editor = PromptTest::People::key($bob, $alice);

set('5', 'DAY', sql("SELECT id FROM api_keys WHERE user_id = '$bob' AND "
                    . "project_id = '$alice'"));
is($json->encode(asked($editor, '{ project { budgets { limitUsd key { name } } '
                       . '} }')->{data}{project}{budgets}),
   '[{"key":null,"limitUsd":"13"},{"key":null,"limitUsd":"1"},'
   . '{"key":null,"limitUsd":"1"},{"key":{"name":"test"},"limitUsd":"5"}]',
   'an EDITOR sees those of the project and of their own keys');
sql("DELETE FROM api_keys WHERE user_id = '$bob' AND project_id = '$alice'; "
    . "DELETE FROM project_members WHERE user_id = '$bob' AND project_id = "
    . "'$alice'");

is(asked(PromptTest::Env::var('alice_read_key'), $set,
         { l => '1', p => 'DAY' })->{errors}[0]{extensions}{code},
   'UNAUTHENTICATED', 'a key without scope admin sets none');
is(code(asked('bob', 'mutation ($i: ID!) { removeBudget(id: $i) }',
              { i => $budget->{id} })), 'NOT_FOUND', 'nor does another project');
is(asked('alice', 'mutation ($i: ID!) { removeBudget(id: $i) }',
         { i => $budget->{id} })->{data}{removeBudget}, JSON::PP::true,
   'removed');
is(code(asked('alice', 'mutation ($i: ID!) { removeBudget(id: $i) }',
              { i => $budget->{id} })), 'NOT_FOUND', 'once');

# a call without a bound, by who is in the caches, before and after

my $none = asked('bob', 'mutation { createPrompt(input: {name: "none"}) '
                 . '{ id } }')->{data}{createPrompt}{id};

asked('bob', 'mutation ($i: CreatePromptVersionInput!) '
      . '{ createPromptVersion(input: $i) { id } }',
      { i => { promptId => $none, content => '{{a}}',
               params => { model => 'free-fx:ok' } } });
$budget = set('1', 'DAY', undef, undef, 'bob')->{data}{setBudget};
is(code(exec_of($none, 'bob')), 'BAD_USER_INPUT params.model',
   'with a budget a price is needed');
asked('bob', 'mutation ($i: ID!) { removeBudget(id: $i) }',
      { i => $budget->{id} });
ok(exec_of($none, 'bob')->{data}{executePrompt}, 'and none without it');

asked('alice', 'mutation ($i: ID!) { deleteApiKey(id: $i) }',
      { i => $key{one}{id} });
is(sql("SELECT count(*) FROM budgets WHERE key_id = '$key{one}{id}'"), 0,
   'a deleted key has none');
is(code(set('1', 'DAY', $key{one}{id})), 'NOT_FOUND', 'nor gets one');

sql("UPDATE project_members SET role = 2 WHERE user_id = '$alice'");
$s->ask('alice', 'mutation { endSessions }');
PromptTest::Env::redis('FLUSHALL');
is(code(set('1')), 'FORBIDDEN', 'an EDITOR sets none');
sql("UPDATE project_members SET role = 4 WHERE user_id = '$alice'");
PromptTest::Env::redis('FLUSHALL');
clean();


# what is reserved: bytes of the request at the dearest price of what goes in,
# max_tokens at that of what comes out

# reserves(PARAMS, MORE): what a call reserved, in millionths of a dollar, and
# the bytes of the request that was sent
sub reserves
{
    my ($params, %more) = @_;
    my $id = version($s, { model => 'fx:delay=600', %$params });

    PromptTest::Env::provider_control('clear');
    clean();
    set('1000');

    my $socket = $s->send($s->request('alice', 'mutation ($id: ID!) '
        . '{ executePrompt(promptId: $id, input: {a: 1}) { output } }',
        { id => $id }));

    within(10, sub { scalar calls() });

    my ($held, $reserved) = split /\n/, sql(
        "SELECT trim_scale(reserved_usd * $million) FROM executions WHERE "
        . "status = 'running' AND reserved_usd IS NOT NULL UNION ALL "
        . "SELECT trim_scale(sum(reserved_usd) * $million) FROM budget_slots");
    my $bytes = (calls())[0]{headers}{'content-length'};

    is($reserved, $held, 'it is reserved');

    $s->receive($socket, 10);

    return ($held, $bytes);
}

my ($held, $bytes) = reserves({ max_tokens => 100 });

is($held, $bytes * 0.15 + 100 * 0.60, 'max_tokens of params');

($held, $bytes) = reserves({ max_completion_tokens => 30, max_tokens => 7 });
is($held, $bytes * 0.15 + 30 * 0.60, 'of two bounds the greater one');

($held, $bytes) = reserves({ model => 'bounded-fx:hang' });
is($held, $bytes * 1 + 50 * 2, 'max_tokens of the provider');
is((split /\|/, sums())[0] * $million, $held, 'what the provider was asked for, and had no time '
                              . 'to answer, may have been paid for');
is(held(), '', 'and nothing is held');

# whoever leaves before the answer comes has asked for it all the same

sub leaves
{
    my ($params) = @_;
    my $id = version($s, $params);

    PromptTest::Env::provider_control('clear');
    clean();
    set('1000');

    my $text = $s->request('alice', 'mutation ($id: ID!) { executePrompt('
                           . 'promptId: $id, input: {a: 1}) { output } }',
                           { id => $id });

    $text =~ s{^POST \S+}{POST /stop};

    my $left = $s->send($text);

    within(10, sub { scalar calls() });

    my $held = held();

    close $left;
    within(10, sub { !held() });
    is(row('status'), 'cancelled', 'its client has gone');

    return $held;
}

$held = leaves({ model => 'fx:hang', max_tokens => 50 });
is(sums(), "$held|0", 'and pays for what was asked');
$held = leaves({ model => 'fx:hang', max_tokens => 50,
                 fallbacks => [ { model => 'dear-fx:ok' } ] });
is(sums(), "$held|0", 'also where somebody else could be asked');

($held, $bytes) = reserves({ model => 'claude-fx:delay=600' });
is($held, $bytes * 3 + 4096 * 15, 'or of the format');

($held, $bytes) = reserves({ model => 'long-fx:delay=600', max_tokens => 10 });
is($held, $bytes * 10 + 10 * 20, 'at the dearest prices');

($held, $bytes) = reserves({ max_tokens => 10, fallbacks => [
                             { model => 'dear-fx:ok', max_tokens => 20 } ] });
cmp_ok($held, '>=', 100 * $bytes / 2 + 20 * 200, 'the dearest model');


# a model without price, an answer without bound

clean();
set('1000');

is(code(exec_of(version($s, { model => 'free-fx:ok', max_tokens => 5 }))),
   'BAD_USER_INPUT params.model', 'a model without a price');
is(code(exec_of(version($s, { model => 'fx:ok' }))),
   'BAD_USER_INPUT params.max_tokens', 'nothing bounds the answer');
is(code(exec_of(version($s, { model => 'fx:ok', max_tokens => 5,
                              fallbacks => [ { model => 'free-fx:ok' } ] }))),
   'BAD_USER_INPUT params.fallbacks.0.model', 'nor may a fallback have none');
is(sums(), '0|0', 'nothing was reserved');


# what it cost takes its place

my $paid = version($s, { model => 'fx:usage=100:50', max_tokens => 60 });
my $cost = exec_of($paid)->{data}{executePrompt}{costUsd};

is($cost, '0.000045', 'it cost so much');
is(sums(), '0.000045|0', 'which is spent');
exec_of($paid) for 1 .. 3;
is(sums(), '0.00018|0', 'and adds up');
is(held(), '', 'nothing is held');
is(sql('SELECT trim_scale(sum(cost_usd)) FROM executions WHERE token_in = 100'),
   '0.00018', 'as the rows say');

for my $case ([ 'fx:status=500', 'a failure' ],
              [ 'fx:status=400', 'a refusal' ],
              [ 'fx:reset', 'a connection that breaks' ])
{
    exec_of(version($s, { model => $case->[0], max_tokens => 60 }));
    is(sums(), '0.00018|0', "$case->[1] costs nothing");
}

clean();
set('1000');
exec_of(version($s, { model => 'fx:usage=none', max_tokens => 60 }));
like(sums(), qr/^0\.0000\d+\|0$/, 'what is not known counts as all of it');

clean();
set('1000');
exec_of(version($s, { model => 'retried-fx:status=503|usage=100:50',
                      max_tokens => 60 }));
is(sums(), '0.0002|0', 'tried again, one bill');

clean();
set('1000');
exec_of(version($s, { model => 'fx:status=503', max_tokens => 60,
                      fallbacks => [ { model => 'dear-fx:usage=10:1' } ] }));
is(sums(), '0.0012|0', 'at the price of who answered');

asked('alice', 'query ($id: ID!) { renderPrompt(promptId: $id, input: {a: 1}) '
      . '{ version } }', { id => $paid });
is(sums(), '0.0012|0', 'rendering costs nothing');


# what runs while its prompt is deleted is paid for all the same

clean();
set('1000');

my $gone = version($s, { model => 'fx:usage=100:50,delay=700',
                         max_tokens => 60 });
my $socket = $s->send($s->request('alice', 'mutation ($id: ID!) '
                 . '{ executePrompt(promptId: $id, input: {a: 1}) { output } }',
                 { id => $gone }));

within(10, sub { held() });
asked('alice', 'mutation ($id: ID!) { deletePrompt(id: $id) }',
      { id => $gone });
$s->receive($socket, 10);
within(5, sub { !held() });
is(sums(), '0.000045|0', 'its prompt was deleted meanwhile');


# refused

sub refused
{
    my ($answer) = @_;
    my $error = $answer->{errors}[0];

    return join ' ', map { defined $_ ? $_ : 'null' }
           @{ $error->{extensions} }{qw(code reason)},
           exists $error->{extensions}{resetsAt}
           ? $error->{extensions}{resetsAt} : 'none';
}

clean();
my $day = set('0.0001', 'DAY')->{data}{setBudget};

PromptTest::Env::provider_control('clear');
exec_of($paid);
exec_of($paid);

my $refused = exec_of($paid);

is(refused($refused), "FORBIDDEN BUDGET_EXCEEDED $day->{resetsAt}",
   'no room is left');
like($refused->{errors}[0]{message},
     qr/^The call may cost up to 0\.0000\d+ USD, which the project's daily budget of 0\.0001 USD does not have left\.$/,
     'it says why');
is(scalar calls(), 2, 'nobody was asked');
is(sums(), '0.00009|0', 'nothing was reserved');
is(row('status'), 'succeeded', 'and there is no row of it');

set('0.01', 'DAY');
ok(exec_of($paid)->{data}{executePrompt}, 'with another limit it goes on');

clean();
set('0.00001', 'TOTAL');
is(refused(exec_of($paid)), 'FORBIDDEN BUDGET_EXCEEDED null',
   'a total budget has no end');

set('0.00001', 'DAY');
is(refused(exec_of($paid)), 'FORBIDDEN BUDGET_EXCEEDED null',
   'of several the one that lasts longest is told');
clean();


# of a key

set('0.0001', 'MONTH', $key{two}{id});
ok(exec_of($paid, $key{two}{key})->{data}{executePrompt}, 'by the key');
ok(exec_of($paid, $key{two}{key})->{data}{executePrompt}, 'twice');
like(refused(exec_of($paid, $key{two}{key})),
     qr/^FORBIDDEN BUDGET_EXCEEDED 2/, 'then it is refused');
like(exec_of($paid, $key{two}{key})->{errors}[0]{message},
     qr/the API key's monthly budget/, 'as of the key');
ok(exec_of($paid)->{data}{executePrompt}, 'another key goes on');
is(sums(), '0.00009|0', 'and does not count');

# what it makes is under it, too

my $parent = $key{two}{key};

for my $child ('child', 'grandchild') {
    $parent = asked($parent, 'mutation ($n: String!) { createApiKey(input: '
                    . '{name: $n}) { key } }', { n => $child })
              ->{data}{createApiKey}{key};
    like(refused(exec_of($paid, $parent)), qr/BUDGET_EXCEEDED/,
         "nor does its $child go on");
}

set('0.0002', 'MONTH', $key{two}{id});
ok(exec_of($paid, $parent)->{data}{executePrompt}, 'with another limit it does');
is(sums(), '0.000135|0', 'and counts');
set('0.0001', 'MONTH', $key{two}{id});

set('1', 'DAY');
ok(exec_of($paid)->{data}{executePrompt}, 'of the project, too');
like(refused(exec_of($paid, $key{two}{key})), qr/BUDGET_EXCEEDED/,
     'both must have room');
is(sql('SELECT per, trim_scale(sum(spent_usd)), '
       . 'trim_scale(sum(reserved_usd)) FROM budgets b JOIN budget_slots s '
       . 'ON s.budget_id = b.id GROUP BY per ORDER BY per'),
   "DAY|0.000045|0\nMONTH|0.000135|0", 'what one refuses, none reserves');
clean();


# a project that had none: whoever is in the caches is under it when it is set

for my $who ('bob', $key{bobs}{key})
{
    my $own = asked('bob', 'mutation { createPrompt(input: {name: "b'
                    . length($who) . '"}) { id } }')->{data}{createPrompt}{id};

    asked('bob', 'mutation ($i: CreatePromptVersionInput!) '
          . '{ createPromptVersion(input: $i) { id } }',
          { i => { promptId => $own, content => '{{a}}',
                   params => { model => 'fx:ok', max_tokens => 9 } } });
    ok(exec_of($own, $who)->{data}{executePrompt}, 'none yet');
    set('0', 'DAY', undef, undef, 'bob');
    like(refused(exec_of($own, $who)), qr/BUDGET_EXCEEDED/, 'and then at once');
    clean();
    ok(exec_of($own, $who)->{data}{executePrompt}, 'and none again');
}


# a key that is made, and used, while a budget is being committed

sql(<<'END');
CREATE FUNCTION slow_budget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER slow_budget AFTER INSERT ON budgets
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow_budget();
END

my $free = version($s, { model => 'fx:usage=100:50', max_tokens => 60 });
my $psql = open2(my $out, my $in, PromptTest::Env::first_of('psql'), '-X', '-q',
                 '-A', '-t', '-h', PromptTest::Env::var('pg_host'), '-U',
                 'postgres', '-d', PromptTest::Env::var('database'));

print $in "SELECT pg_advisory_lock(42); SELECT 'held';\n";
$in->flush;
while (defined(my $line = <$out>)) { last if $line =~ /held/ }

my $setting = $s->send($s->request('alice', $set, { l => '0', p => 'DAY' }));

within(5, sub { sql("SELECT count(*) FROM pg_stat_activity WHERE "
                    . "wait_event = 'advisory'") });

my @making = map { $s->send($s->request('alice', 'mutation { createApiKey(input: '
                   . '{name: "new"}) { key } }')) } 1 .. 8;
my $made = IO::Select->new(@making);
my @keys = map { $made->remove($_);
                 $s->receive($_, 10)->{json}{data}{createApiKey}{key} }
           $made->can_read(0.2);

$s->send($s->request($_, '{ me { id } }')) for @keys;
sleep 0.2 if @keys;
print $in "SELECT pg_advisory_unlock(42);\n\\q\n";
$in->flush;
waitpid $psql, 0;

ok($s->receive($setting, 10)->{json}{data}{setBudget}, 'a budget is set');
push @keys, map { $s->receive($_, 10)->{json}{data}{createApiKey}{key} }
            $made->handles;
like(refused(exec_of($free, $_)), qr/BUDGET_EXCEEDED/,
     'a key that was made meanwhile is under it') for @keys;
is(scalar @keys, 8, 'each');
sql('DROP TRIGGER slow_budget ON budgets; DROP FUNCTION slow_budget');
clean();


# a document that is under way

my $two = $s->send($s->request('alice', 'mutation ($id: ID!, $f: ID!) {'
    . ' a: executePrompt(promptId: $id, input: {a: 1}) { output }'
    . ' b: executePrompt(promptId: $f, input: {a: 1}) { output } }',
    { id => version($s, { model => 'fx:usage=100:50,delay=700',
                          max_tokens => 60 }), f => $free }));

within(5, sub { row('status') eq 'running' });
set('0', 'DAY');

my $both = $s->receive($two, 10)->{json};

ok($both->{data}{a}, 'what had begun goes on');
like(refused($both), qr/BUDGET_EXCEEDED/, 'what starts afterwards is under it');
clean();


# Idempotency-Key

sub once
{
    my ($id, $once) = @_;
    my $text = $s->request('alice', 'mutation ($id: ID!) '
                   . '{ executePrompt(promptId: $id, input: {a: 1}) '
                   . '{ executionId } }', { id => $id });

    $text =~ s/\r\nConnection/\r\nIdempotency-Key: $once\r\nConnection/;

    return $s->receive($s->send($text), 10)->{json};
}

set('0.0001');
my $first = once($paid, 'k1');

ok($first->{data}{executePrompt}, 'with a key');
is_deeply(once($paid, 'k1'), $first, 'the same answer');
is(sums(), '0.000045|0', 'reserved and paid for once');

once($paid, 'k2');
like(refused(once($paid, 'k3')), qr/BUDGET_EXCEEDED/, 'refused with a key');
set('0.01');
ok(once($paid, 'k3')->{data}{executePrompt}, 'which is given back');
is(sums(), '0.000135|0', 'three were paid for');


# a period is over: what is spent begins anew

clean();
set('0.00006', 'DAY');
exec_of($paid);
like(refused(exec_of($paid)), qr/BUDGET_EXCEEDED/, 'spent for today');
sql("UPDATE budget_slots SET ends = ends - interval '1 day'");
is(asked('alice', $set, { l => '0.00006', p => 'DAY' })
   ->{data}{setBudget}{spentUsd}, '0', 'another day has begun');
ok(exec_of($paid)->{data}{executePrompt}, 'it begins anew');
is(sums(), '0.000045|0', 'with this call');

# what was reserved before

my $slow = version($s, { model => 'fx:usage=100:50,delay=1500',
                         max_tokens => 60 });

clean();
set('1', 'DAY');
$socket = $s->send($s->request('alice', 'mutation ($id: ID!) '
              . '{ executePrompt(promptId: $id, input: {a: 1}) { output } }',
              { id => $slow }));
within(10, sub { held() });
sql("UPDATE budget_slots SET ends = ends - interval '1 day';"
    . "UPDATE executions SET reserved_until = ARRAY[reserved_until[1] "
    . "- interval '1 day'] WHERE status = 'running'");
exec_of($paid);
$s->receive($socket, 10);
within(5, sub { !held() });
is(sums(), '0.000045|0', 'a call of the day before counts for that');


# a limit that is lower now is obeyed at once, whoever is asked

clean();
set('1', 'DAY');
exec_of($paid);
set('0.00003', 'DAY');
is(scalar(grep { code(exec_of($paid)) eq 'FORBIDDEN' } 1 .. 4),
   4, 'a lower limit');
set('1', 'DAY');
is(scalar(grep { !exec_of($paid)->{errors} } 1 .. 2), 2, 'and a higher one');


# it is told, once a period

clean();
set('0.0001', 'DAY', undef, 40);
exec_of($paid);
exec_of($paid);

my @told = $s->log_text =~ /(\[notice\].*budget.*nearly spent.*)/g;

is(scalar @told, 1, 'once');
like($told[0], qr/nearly spent: project $alice, 0\.000045 of 0\.0001 USD per DAY/,
     'of which, and how much');
set('0.001', 'DAY', $key{two}{id}, 4);
exec_of($paid, $key{two}{key}) for 1 .. 2;
@told = $s->log_text =~ /(\[notice\].*nearly spent.*, key .*)/g;
is(scalar @told, 0, 'the project has no room for it');
set('1', 'DAY');
exec_of($paid, $key{two}{key});
@told = $s->log_text =~ /(\[notice\].*nearly spent.*, key $key{two}{id}, .*)/g;
is(scalar @told, 1, 'of a key');

my $metrics = $s->receive($s->send("GET /metrics HTTP/1.1\r\nHost: t\r\n"
                                   . "Connection: close\r\n\r\n"), 10)->{body};

like($metrics, qr/^prompt_budget_warnings_total 2$/m, 'counted');
is(sql("SELECT string_agg(concat_ws('|', user_id, subject, detail->>'per',"
       . " detail->>'limitUsd', detail->>'spentUsd', detail->>'keyId'), ' '"
       . " ORDER BY id) FROM audit WHERE action = 'budgetWarning'"
       . " AND project_id = '$alice'"),
   "Budget|DAY|0.0001|0.000045 Budget|DAY|0.001|0.000045|$key{two}{id}",
   'in the audit log');
like($metrics, qr/^prompt_budget_refusals_total [1-9]\d*$/m, 'refusals, too');


# streams

clean();
set('0.0001');

my $stream = version($s, { model => 'fx:usage=100:50', max_tokens => 60 });
my $streamed = sub {
    my $text = PromptTest::Stream::request($s, $stream, query =>
        'subscription ($id: ID!) { executePromptStream(promptId: $id, '
        . 'input: {a: 1}) { delta result { costUsd } } }',
        variables => { id => $stream });

    return $s->receive($s->send($text), 10)->{body};
};

like($streamed->(), qr/"costUsd":"0\.000045"/, 'a stream');
is(sums(), '0.000045|0', 'is paid for');
$streamed->();
like($streamed->(), qr/BUDGET_EXCEEDED/, 'and refused');


# OpenAI's API, MCP

sub post
{
    my ($path, $body, @headers) = @_;
    my $text = $json->encode($body);
    my $key = PromptTest::Env::var('alice_key');

    return $s->receive($s->send("POST $path HTTP/1.1\r\nHost: t\r\n"
        . "Authorization: Bearer $key\r\nContent-Type: application/json\r\n"
        . join('', map { "$_\r\n" } @headers)
        . 'Content-Length: ' . length($text)
        . "\r\nConnection: close\r\n\r\n$text"), 10);
}

my $name = asked('alice', 'query ($id: ID!) { prompt(id: $id) { name } }',
                 { id => $paid })->{data}{prompt}{name};

asked('alice', 'mutation ($i: CreatePromptVersionInput!) '
      . '{ createPromptVersion(input: $i) { id } }',
      { i => { promptId => $paid, content => 'say {{a}}',
               params => { model => 'fx:usage=100:50', max_tokens => 60 },
               inputSchema => { type => 'object', required => [ 'a' ],
                                properties => { a => { type => 'string' } },
                                additionalProperties => JSON::PP::false } } });
set('0.00001', 'DAY');

my $openai = post('/openai/chat/completions',
                  { model => $name, prompt_variables => { a => '1' } });

is($openai->{status}, 429, 'OpenAI: 429');
is($openai->{json}{error}{code}, 'insufficient_quota', 'insufficient_quota');
like($openai->{head}, qr/^x-should-retry: false\r?$/mi, 'not to be retried');

my $mcp = post('/mcp', { jsonrpc => '2.0', id => 1, method => 'tools/call',
                         params => { name => $name,
                                     arguments => { a => '1' } } },
               'Accept: application/json, text/event-stream',
               'MCP-Protocol-Version: 2025-11-25');

like($mcp->{body}, qr{"isError":true.*/reason":"BUDGET_EXCEEDED"},
     'MCP: isError');


# what is given up counts as spent; an end that comes late changes nothing

clean();
set('1');
$socket = $s->send($s->request('alice', 'mutation ($id: ID!) '
              . '{ executePrompt(promptId: $id, input: {a: 1}) { output } }',
              { id => $slow }));
within(10, sub { held() });

my $worst = held();

sql("INSERT INTO executions_running SELECT id, now() - interval '1 hour' "
    . "FROM executions WHERE status = 'running'");
is(sql('SELECT lost FROM prompt_executions_sweep(10)'), 1, 'swept');
is(sums(), "$worst|0", 'all of it counts');
$s->receive($socket, 10);
within(5, sub { row('status') eq 'succeeded' });
is(row('status, trim_scale(spent_usd)'), "succeeded|$worst", 'its end');
is(sums(), "$worst|0", 'is no further bill');

ok($s->stop, 'quits');
is_deeply([ $s->faults ], [], 'the error log is clean');

done_testing();
