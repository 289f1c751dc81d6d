# What was spent stays spent: whatever is deleted, hidden, moved to another
# project or pruned, no sum changes that was told before.  One who ran a prompt
# that is private now keeps what they ran, and nothing of the prompt.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP ();
use POSIX qw(strftime);
use PromptTest::Server;
use Test::More;

my $s = PromptTest::Server->new(workers => 1);
my $bob = PromptTest::Env::var('bob_id');
my $json = JSON::PP->new->canonical;

# ask(USER, DOCUMENT [, VARIABLES]): data; what is wrong, instead: its code
sub ask
{
    my $answer = $s->ask(@_)->{json};

    return $answer->{errors} ? $answer->{errors}[0]{extensions}{code}
                             : $answer->{data};
}

sub sql { my $text = PromptTest::Env::psql($_[0]); chomp $text; return $text }

sub prompt
{
    my ($user, $name, $public, $versions, $model) = @_;
    my $id = ask($user, 'mutation ($n: String!, $p: Boolean) { createPrompt('
                        . 'input: {name: $n, isPublic: $p}) { id } }',
                 { n => $name, p => $public })->{createPrompt}{id};

    ask($user, 'mutation ($id: ID!, $p: JSON!) { createPromptVersion(input: '
               . '{promptId: $id, content: "say", params: $p}) { id } }',
        { id => $id, p => { model => $model } }) for 1 .. $versions;

    return $id;
}

my $execute = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
    . '{ executionId costUsd } }';

sub run { return ask($_[0], $execute, { id => $_[1] })->{executePrompt} }

my $since = strftime('%Y-%m-%dT00:00:00Z', gmtime(time - 400 * 86400));
my $until = strftime('%Y-%m-%dT00:00:00Z', gmtime(time + 2 * 86400));

# sums(USER, ARGUMENTS): of all that there is in each bucket and group
sub sums
{
    my ($user, $more) = @_;
    my $data = ask($user, "{ statistics(since: \"$since\", until: \"$until\", "
        . "$more) { start group executions succeeded failed tokenIn tokenOut "
        . 'costUsd costUnknown latencyP50Ms latencyP95Ms } }');

    return ref $data ? [ grep { $_->{executions} } @{ $data->{statistics} } ]
                     : $data;
}

sub one { my $of = sums(@_); return ref $of ? $of->[0] : $of }

# all sums of both: by themselves, and by whatever does not go
sub told
{
    my %told;

    for my $user (qw(alice bob)) {
        for my $more ('by: ALL', 'by: DAY', 'by: ALL, model: "old-b"',
                      map { "by: ALL, groupBy: $_" } qw(MODEL LABEL KEY))
        {
            $told{"$user $more"} = sums($user, $more);
        }
    }

    return $json->encode(\%told);
}

my $shown = prompt('alice', 'shown', JSON::PP::true, 2, 'fx:usage=10:5');
my $own = prompt('alice', 'own', JSON::PP::false, 1, 'fx:usage=3:2');
my $bobs = prompt('bob', 'bobs', JSON::PP::true, 1, 'fx:usage=7:1');

# what was executed in a year, by keys and in sessions, of others' prompts, too

sql(<<"END");
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, owner_id,
                        key_id, label, status, model, latency_ms, token_in,
                        token_out, cost_usd)
    SELECT (left(prompt_id_of(now() - n * interval '25 hours')::text, 24)
            || lpad(to_hex(n * 100 + i * 10 + (p.owner_id = u.id)::int), 12,
                    '0'))::uuid, p.id, 1, u.id,
           p.owner_id = u.id, nullif(p.owner_id, u.id),
           CASE WHEN n % 3 > 0 THEN k.id END,
           CASE WHEN n % 4 = 0 THEN 'live' END,
           (ARRAY['succeeded', 'failed', 'lost', 'cancelled'])[1 + n % 4],
           'old-' || chr(97 + n % 3), n, n * 7, n, 0.000001 * n
        FROM generate_series(1, 300) n, (VALUES ('$shown'::uuid, 1),
                                         ('$own', 2), ('$bobs', 3)) o (id, i)
        JOIN prompts p ON p.id = o.id
        JOIN users u ON u.id = p.owner_id OR p.is_public
        JOIN api_keys k ON k.user_id = u.id AND k.name = 'test'
        WHERE n % 2 = 0 OR u.id = p.owner_id
END

run('alice', $_) for $shown, $own, $bobs;
my $guest = run('bob', $shown)->{executionId};

my $told = told();

cmp_ok(one('alice', 'by: ALL')->{executions}, '>', 500, 'much was executed');
ok(one('bob', 'by: ALL')->{costUsd} > 0, 'and paid for');
is(one('alice', "by: ALL, promptId: \"$shown\"")->{executions},
   sql("SELECT count(*) FROM executions WHERE prompt_id = '$shown'"),
   'of an own prompt what others ran counts, too');
my $whole = $json->encode(sums('alice', "by: ALL, promptId: \"$shown\""));

# stays(WHAT): after it all sums are what they were, and once the sweep came
sub stays
{
    is(told(), $told, $_[0]);
    sql("UPDATE log_waiting SET look = now() - interval '1 second';"
        . 'DO $$ BEGIN WHILE prompt_log_sweep(200) LOOP END LOOP; END $$');
    is(told(), $told, "$_[0], and the sweep came");
}

stays('nothing happened');

# private

ask('alice', 'mutation ($id: ID!) { updatePrompt(id: $id, input: {isPublic: '
             . 'false}) { id } }', { id => $shown });
stays('a prompt was made private');
is($json->encode(ask('bob', "{ execution(id: \"$guest\") { status version "
                            . 'input prompt { name } } }')),
   '{"execution":{"input":{},"prompt":null,"status":"succeeded","version":2}}',
   'who ran it keeps that, and nothing of the prompt');
is(sums('bob', "by: ALL, promptId: \"$shown\""), 'FORBIDDEN', 'it is private');
my ($group) = grep { ($_->{group} // '') eq $shown }
    @{ sums('bob', 'by: ALL, groupBy: PROMPT') };
ok($group->{executions} > 100, 'what it cost them is told apart all the same');
is($json->encode(sums('alice', "by: ALL, promptId: \"$shown\"")), $whole,
   'its owner sees all that it was');

# executions are deleted, also such as are in no sum yet

run('alice', $shown);
run('bob', $bobs);
$told = told();
sql("DELETE FROM executions WHERE abs(hashtext(id::text)) % 5 = 0 "
    . "OR model LIKE 'fx%'");
stays('executions were deleted');

# another project has the prompt

sql(<<"END");
SET session_replication_role = replica;
UPDATE prompt_versions SET owner_id = '$bob' WHERE prompt_id = '$shown';
UPDATE prompts SET owner_id = '$bob' WHERE id = '$shown';
UPDATE executions SET by_owner = executed_by = '$bob',
                      owner_id = nullif('$bob', executed_by)
    WHERE prompt_id = '$shown' AND (id > (SELECT mark FROM log_mark)
                                    OR id IN (SELECT id FROM log_waiting));
UPDATE log_waiting w SET owner_id = '$bob' FROM executions x
    WHERE x.id = w.id AND x.prompt_id = '$shown';
END
stays('a prompt went to another project');
is(one('bob', "by: ALL, promptId: \"$shown\"")->{executions},
   $json->decode($whole)->[0]{executions} + 1, 'the new one sees all of it');
is(scalar(grep { defined $_->{group} }
          @{ sums('bob', "by: ALL, groupBy: KEY, promptId: \"$shown\"") }), 1,
   'and no key but their own');
is(sums('alice', "by: ALL, promptId: \"$shown\""), 'FORBIDDEN',
   'who had it does not');

# keys

my $key = ask('alice', 'mutation { createApiKey(input: {name: "spender"}) { '
                       . 'apiKey { id } } }')->{createApiKey}{apiKey}{id};
sql("INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, "
    . "key_id, status, model, cost_usd) SELECT prompt_id_of(now() - interval "
    . "'9 days'), id, 1, owner_id, true, '$key', 'succeeded', 'old-a', 0.125 "
    . "FROM prompts WHERE id = '$own'");
$told = told();
ok(index($told, "\"group\":\"$key\"") > 0, 'a key has spent something');
ask('alice', 'mutation ($id: ID!) { deleteApiKey(id: $id) }', { id => $key });
stays('it was deleted');

# pruned

PromptTest::Env::promptctl('prune', '--older-than', '40d');
is(sql("SELECT count(*) FROM executions WHERE id < prompt_id_of(now() - "
       . "interval '40 days')"), '0', 'old rows are gone');
stays('executions were pruned');

# deleted, while one runs

my $slow = prompt('alice', 'slow', JSON::PP::true, 1,
                  'fx:usage=100:50,delay=1500');
my ($ran, $deleted) = PromptTest::Server::side_by_side(2, sub {
    return run('bob', $slow) if $_[0] == 0;

    for (1 .. 100) {
        last if sql("SELECT count(*) FROM executions WHERE prompt_id = "
                    . "'$slow'") ne '0';
        select undef, undef, undef, 0.02;
    }

    my $before = one('bob', 'by: ALL');
    my $done = ask('alice', 'mutation ($id: ID!) { deletePrompt(id: $id) }',
                   { id => $slow });

    return { done => $done->{deletePrompt}, before => $before,
             after => one('bob', 'by: ALL') };
});

ok($deleted->{done}, 'a prompt is deleted while it is executed');
is($json->encode($deleted->{after}), $json->encode($deleted->{before}),
   'the execution counts');
ok($ran->{costUsd} > 0, 'it ends, and has its cost');
is($json->encode([ map { one('bob', 'by: ALL')->{$_} } qw(costUnknown costUsd) ]),
   $json->encode([ $deleted->{before}{costUnknown} - 1,
                   sql("SELECT trim_scale($deleted->{before}{costUsd} + "
                       . "$ran->{costUsd})::text") ]), 'which is counted');
$told = told();

ask('alice', 'mutation ($id: ID!) { deletePrompt(id: $id) }', { id => $own });
ask('bob', 'mutation ($id: ID!) { deletePrompt(id: $id) }', { id => $_ })
    for $shown, $bobs;

for (1 .. 300) {
    last if sql('SELECT count(*) FROM prompts') eq '0';
    sql('SELECT prompt_remove(NULL, NULL, NULL, 100, 20)');
}

is(sql('SELECT count(*) FROM executions') . sql('SELECT count(*) FROM prompts'),
   '00', 'all prompts were deleted');
stays('all prompts were deleted');
is($json->encode([ map { $_->{group} } @{ sums($_, 'by: ALL, groupBy: PROMPT') }
                 ]), '[null]', "$_ paid for what is not there any more")
    for qw(alice bob);

# what forgets

my $sums = sums('bob', 'by: DAY');
PromptTest::Env::promptctl('prune', '--statistics-older-than', '60d');
my $limit = strftime('%Y-%m-%d', gmtime(time - 60 * 86400));
is($json->encode(sums('bob', 'by: DAY')),
   $json->encode([ grep { $_->{start} ge $limit } @$sums ]),
   'old days are forgotten where that is asked for, and nothing else is');

$s->stop;
is($s->faults, 0, 'a clean error log');
done_testing();
