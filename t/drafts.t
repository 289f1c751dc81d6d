# Drafts: executeDraft and executeDraftStream run what is not saved.  They go the
# way of executePrompt, so what is looked at is what is different: where the
# version comes from, who may, and how the row without a version is found,
# counted, moved and removed.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP ();
use POSIX qw(strftime);
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

my $s = PromptTest::Server->new(workers => 1,
    http => 'prompt_provider capped /_provider/openai max_tokens=50; '
            . 'prompt_model capped-fx:* provider=capped input=1 output=2; '
            . 'prompt_provider patient /_provider/openai timeout=30s; '
            . 'prompt_model patient-fx:* provider=patient input=1 output=2;');
my $json = JSON::PP->new->canonical;
my $true = JSON::PP::true();
my %id = map { $_ => PromptTest::Env::var("${_}_id") } qw(alice bob);

sub sql { my $text = PromptTest::Env::psql($_[0]); chomp $text; return $text }
sub ask { return $s->ask(@_)->{json} }

# asked(USER, DOCUMENT [, VARIABLES]): data; what is wrong, instead: "CODE field"
sub asked
{
    my $answer = ask(@_);
    my $error = $answer->{errors} && $answer->{errors}[0]{extensions};

    return $error ? join ' ', $error->{code}, $error->{field} // ()
                  : (values %{ $answer->{data} })[0];
}

sub prompt
{
    my ($user, $name, $public, @versions) = @_;
    my $id = asked($user, 'mutation ($n: String!, $p: Boolean) { createPrompt('
                          . 'input: {name: $n, isPublic: $p}) { id } }',
                   { n => $name, p => $public ? $true : undef })->{id};

    version($user, $id, $_) for @versions;

    return $id;
}

sub version
{
    my ($user, $id, $version) = @_;

    return asked($user, 'mutation ($i: CreatePromptVersionInput!) { '
                        . 'createPromptVersion(input: $i) { version } }',
                 { i => { promptId => $id, %$version } });
}

my $run = 'mutation ($id: ID!, $d: DraftInput!, $in: JSON = {}) { executeDraft('
    . 'promptId: $id, draft: $d, input: $in) { output outputJson outputErrors '
    . 'model versionUsed executionId costUsd tokenIn } }';

# draft(ID, DRAFT [, INPUT [, USER]]): the result, or "CODE field"
sub draft
{
    my ($id, $draft, $in, $user) = @_;

    PromptTest::Env::provider_control('clear');

    return asked($user || 'alice', $run,
                 { id => $id, d => { content => 'say', params => {}, %$draft },
                   in => $in || {} });
}

sub calls { return scalar @{ PromptTest::Env::provider_control('log') } }

sub row
{
    return sql("SELECT version, status, input, output, by_owner, owner_id, "
               . "label, prompt_id FROM executions WHERE id = '$_[0]'");
}

my $say = { params => { model => 'fx:text=said' } };
my $empty = prompt('alice', 'Empty One');
my $id = prompt('alice', 'full', 0,
                { content => 'first {{a}}', params => { model => 'fx:ok' } });
my $public = prompt('bob', 'shown', 1,
                    { content => 'bobs', params => { model => 'fx:ok' } });


# of a prompt without versions, and of one that has some

my $got = draft($empty, { content => 'Hi {{a}}', params => { model => 'fx:ok' } },
                { a => 'you' });
is_deeply([ @$got{qw(output versionUsed model)} ], [ 'Hi you', 0, 'fx:ok' ],
          'what is not saved is run');
is(row($got->{executionId}),
   "|succeeded|{\"a\":\"you\"}|Hi you|t|||$empty", 'a row without a version');
is(sql("SELECT last_version, (SELECT count(*) FROM prompt_versions v WHERE "
       . "v.prompt_id = p.id), bytes FROM prompts p WHERE id = '$empty'"),
   '0|0|0', 'nothing is saved');

is(draft('Empty One', $say)->{output}, 'said', 'by the name');
is(draft('empty-one', $say)->{versionUsed}, 0, 'once more');

my $second = draft($id, { content => 'x', messages => [
        { role => 'SYSTEM', content => 'be {{a}}' }, { placeholder => 'h' } ],
    params => { model => 'fx:status=500', temperature => 1,
                fallbacks => [ { model => 'fx:text=spare' } ] } },
    { a => 'kind', h => [ { role => 'user', content => 'u' } ] });
is_deeply([ @$second{qw(output model)} ], [ 'spare', 'fx:text=spare' ],
          'messages, histories, fallbacks');
my $sent = PromptTest::Env::provider_control('log')->[-1]{body}{messages};
is_deeply([ map { "$_->{role} $_->{content}" } @$sent ],
          [ 'system be kind', 'user u', 'user x' ], 'as they were given');
is(asked('alice', 'mutation ($id: ID!) { executePrompt(promptId: $id, '
                  . 'input: {a: 1}) { output } }', { id => $id })->{output},
   'first 1', 'a version is what it was');


# the draft's schemas

my $shape = { type => 'object', required => ['a'],
              properties => { a => { type => 'integer', default => 1 } } };

is(draft($id, { %$say, inputSchema => $shape }, { a => 'x' }),
   'BAD_USER_INPUT a', 'its inputSchema is what checks the input');
is(draft($id, { %$say, inputSchema => $shape }, { a => 7 })->{output}, 'said',
   'and lets it pass');
$got = draft($id, { params => { model => 'fx:text={"a":2}' },
                    outputSchema => $shape });
is_deeply([ @$got{qw(outputJson outputErrors)} ], [ { a => 2 }, [] ],
          'its outputSchema is what the output is validated by');
is_deeply([ draft($id, { content => '{{b}}', %$say }), calls() ],
          [ 'BAD_USER_INPUT b', 0 ], 'no value for a placeholder');
is(draft($id, { %$say, messages => [ { role => 'USER', content => 'x',
       images => [ '{{a}}' ] } ] }, { a => 'no address' }),
   'BAD_USER_INPUT draft.messages.0.images.0', 'what it becomes of it');
is(draft($id, { %$say, inputSchema => { required => ['params'] } }),
   'BAD_USER_INPUT params', 'a member of the input');


# what would be refused at saving is refused in the same words

my @refused = (
    { content => '{{a' }, { content => "\0" }, { params => 7 }, { params => [] },
    { params => { temperature => 9 } }, { params => { stream => $true } },
    { params => { model => 'fx:ok', fallbacks => 7 } },
    { params => { model => 'fx:ok', web_search_options => {} } },
    { params => { model => 'fx:ok', fallbacks => [ { model => 'claude-fx:ok',
                                                     temperature => 2 } ] } },
    { params => { stop => 'x' x 300_000 } },
    { params => { model => 'fx:ok', response_format => {} },
      outputSchema => {} },
    { inputSchema => { type => 'nothing' } }, { inputSchema => 7 },
    { outputSchema => { pattern => '(' } },
    { messages => [ { role => 'SYSTEM' } ] },
    { messages => [ { role => 'USER', content => '{{' } ] },
    { messages => [ { placeholder => '' } ] },
    { messages => [ map { { role => 'USER', content => 'x' } } 1 .. 300 ] });

for my $wrong (@refused) {
    my $what = join ' ', sort keys %$wrong;
    my %whole = (content => 'say', params => { model => 'fx:ok' }, %$wrong);
    my $saved = ask('alice', 'mutation ($i: CreatePromptVersionInput!) { '
                             . 'createPromptVersion(input: $i) { version } }',
                    { i => { promptId => $id, %whole } })->{errors}[0];
    my $drafted = ask('alice', $run, { id => $id, d => \%whole })
        ->{errors}[0];

    like("$saved->{extensions}{code} $saved->{extensions}{field}",
         qr/^BAD_USER_INPUT ./, "not saved: $what");
    is_deeply([ $drafted->{message}, @{ $drafted->{extensions} }{qw(code field)} ],
              [ $saved->{message}, $saved->{extensions}{code},
                "draft.$saved->{extensions}{field}" ], "nor run: $what");
}

is(draft($id, { params => { model => 'nobody' } }),
   'BAD_USER_INPUT draft.params.model', 'a model that nobody serves');
is(calls(), 0, 'no provider was asked');


# who may

is(draft($public, $say), 'FORBIDDEN', 'not of others\' public prompts');
is(draft($id, $say, {}, 'bob'), 'FORBIDDEN', 'nor of private ones');
is(draft('full', $say, {}, 'bob'), 'NOT_FOUND', 'nor by their names');
is(draft('01890000-0000-7000-8000-00000000dead', $say), 'NOT_FOUND',
   'nor of what is not there');
is(draft('-', $say), 'NOT_FOUND', 'nor of what is no name');
is(calls(), 0, 'no provider was asked');

sub key
{
    return asked('alice', 'mutation ($s: [String!]) { createApiKey(input: '
                 . '{name: "k", scopes: $s}) { key } }', { s => \@_ })->{key};
}

for my $scopes ([qw(write)], [qw(execute)], [qw(read write keys)]) {
    is($s->ask(key(@$scopes), $run, { id => $id, d => { content => 'x',
           params => {} } })->{status}, 401, "a key with @$scopes");
}
is(draft($id, $say, {}, key(qw(write execute)))->{output}, 'said',
   'one with both scopes may');


# as a stream

my $stream = 'subscription ($id: ID!, $d: DraftInput!) { executeDraftStream('
    . 'promptId: $id, draft: $d, input: {}) { delta result { output '
    . 'versionUsed executionId } } }';

my $events = $s->receive($s->send(PromptTest::Stream::request($s, $id,
    query => $stream, variables => { id => $id, d => { content => 'x',
        params => { model => 'fx:text=one%20two' } } })))->{body};
like($events, qr/"delta":"one ".*"delta":"two".*"output":"one two","versionUsed":0,/s,
     'deltas, then the result');
like($s->receive($s->send(PromptTest::Stream::request($s, $id,
    query => $stream, variables => { id => $id, d => { content => '{{',
        params => {} } })))->{body}, qr/"field":"draft.content"/,
     'what is refused is refused as a stream, too');


# once only

sub once
{
    my ($key, $variables) = @_;
    my $text = $s->request('alice', $run, $variables);

    $text =~ s/\r\nConnection/\r\nIdempotency-Key: $key\r\nConnection/;
    return $s->receive($s->send($text))->{json};
}

my $given = { id => $id, d => { content => 'x', %$say } };
my $rows = sql('SELECT count(*) FROM executions');
$got = once("draft-$$", $given);
is_deeply(once("draft-$$", $given), $got, 'with an Idempotency-Key it runs once');
is(sql('SELECT count(*) FROM executions') - $rows, 1, 'a row');
is($got->{data}{executeDraft}{output}, 'said', 'which is the answer\'s');


# a start that is lost is in the row that its end writes

sub begin
{
    my ($model, $of) = @_;
    my $socket = $s->send($s->request('alice', $run, { id => $of || $id,
        d => { content => 'x', params => { model => $model } } }));
    my $until = time + 10;

    until (sql("SELECT count(*) FROM executions WHERE status = 'running' AND "
               . 'version IS NULL')) {
        die "no draft runs\n" if time > $until;
        sleep 0.02;
    }

    return $socket;
}

my $socket = begin('patient-fx:text=late,delay=700');
sql("DELETE FROM executions WHERE status = 'running'");
$got = $s->receive($socket)->{json}{data}{executeDraft};
is($got->{output}, 'late', 'a draft that runs');
is(row($got->{executionId}), "|succeeded|{}|late|t|||$id",
   'its end has all of it');


# under a budget

my $set = 'mutation ($l: String!) { setBudget(limitUsd: $l, per: TOTAL) { id } }';
my $budget = asked('alice', $set, { l => '1' })->{id};

is(draft($id, { params => { model => 'fx:text=said' } }),
   'BAD_USER_INPUT draft.params.max_tokens', 'no most is known');
$got = draft($id, { params => { model => 'capped-fx:usage=100:50' } });
is($got->{costUsd}, '0.0002', 'what it costs');
is(sql('SELECT trim_scale(sum(spent_usd)), trim_scale(sum(reserved_usd)) '
       . 'FROM budget_slots'), '0.0002|0', 'is spent');
is(sql("SELECT trim_scale(spent_usd) FROM executions "
       . "WHERE id = '$got->{executionId}'"), '0.0002', 'and in the row');
asked('alice', 'mutation ($b: ID!) { removeBudget(id: $b) }', { b => $budget });
asked('alice', $set, { l => '0.00001' });
is(ask('alice', $run, { id => $id, d => { content => 'x', params => {
       model => 'capped-fx:ok' } } })->{errors}[0]{extensions}{reason},
   'BUDGET_EXCEEDED', 'where there is no room it is refused');

$budget = asked('alice', $set, { l => '1' })->{id};
$socket = begin('capped-fx:usage=100:50,delay=700');
sql("DELETE FROM executions WHERE status = 'running'");
$got = $s->receive($socket)->{json}{data}{executeDraft};
is(row($got->{executionId}) =~ /^\|succeeded\|/, 1, 'a start that is lost');
asked('alice', 'mutation ($b: ID!) { removeBudget(id: $b) }', { b => $budget });


# the log

sub listed
{
    my ($arguments, $user) = @_;
    my $list = asked($user || 'alice', "{ executions($arguments) { id version "
                                       . 'draft label } }');

    return ref $list ? join ' ', map { $_->{version} . ($_->{draft} ? 'd' : '') }
                                     @$list : $list;
}

my $log = prompt('alice', 'logged', 0, ({ content => 'v', %$say }) x 2);
my $versioned = 'mutation ($id: ID!, $v: Int) { executePrompt(promptId: $id, '
    . 'input: {}, version: $v) { executionId } }';

my $drafted = draft($log, $say)->{executionId};
asked('alice', $versioned, { id => $log, v => 1 });
draft($log, { params => { model => 'fx:status=400' } });
asked('alice', $versioned, { id => $log, v => 2 });

is_deeply(asked('alice', "{ execution(id: \"$drafted\") { draft version output "
                . 'prompt { name } label } }'),
          { draft => $true, version => 0, output => 'said', label => undef,
            prompt => { name => 'logged' } }, 'one of the log');

# held, as the module's own sweeper is passed over where it is not
my $swept = 'DO $$ BEGIN PERFORM FROM log_mark FOR UPDATE; '
            . 'WHILE prompt_log_sweep(200) LOOP END LOOP; END $$';

for my $when ('new', 'in lists') {
    my $of = "promptId: \"$log\"";

    is(listed($of), '2 0d 1 0d', "$when: all of a prompt");
    is(listed("$of, first: 2"), '2 0d', "$when: a page");
    is(listed("$of, version: 0"), '0d 0d', "$when: its drafts");
    is(listed("$of, version: 1"), '1', "$when: those of a version");
    is(listed("$of, status: \"succeeded\""), '2 1 0d', "$when: by status");
    is(listed("$of, status: \"succeeded\", version: 0"), '0d',
       "$when: drafts by status");
    is(listed("$of, status: \"succeeded\", version: 1"), '1',
       "$when: a version by status");
    is(listed('first: 4'), '2 0d 1 0d', "$when: all of the project");
    is(listed("first: 2, status: \"failed\""), '0d', "$when: what failed");
    is(asked('alice', "{ prompt(id: \"$log\") { versions { executions { version "
                      . '} } } }')->{versions}[0]{executions}[0]{version}, 1,
       "$when: versions have their own alone");

    next if $when ne 'new';

    sql(q(UPDATE executions SET id = (left(prompt_id_of(prompt_id_time(id)
          - interval '10 minutes')::text, 24) || right(id::text, 12))::uuid,
          created_at = created_at - interval '10 minutes'));
    sql($swept);
}


# sums: of prompt and project, and of no version and no label

my $since = strftime('%Y-%m-%dT%H:%M:%SZ', gmtime(time - 86400));

sub sums
{
    my ($more) = @_;
    my $list = asked('alice', "{ statistics(since: \"$since\", by: ALL, $more) "
                              . '{ group executions } }');

    return join ' ', map { ($_->{group} // '-') . "=$_->{executions}" } @$list;
}

# those that were deleted while they ran count, too, until all is counted anew

my $all = 2 + sql("SELECT count(*) FROM executions WHERE executed_by = "
                  . "'$id{alice}'");

for my $when ('in sums', 'new') {
    is(sums("promptId: \"$log\""), '-=4', "$when: of the prompt");
    is(sums("promptId: \"$log\", groupBy: VERSION"), '1=1 2=1 -=2',
       "$when: of no version");
    is(sums("promptId: \"$log\", groupBy: LABEL"), '-=4', "$when: of no label");
    is(sums('model: null'), "-=$all", "$when: of the project");
    like(sums('groupBy: PROMPT'), qr/\b$log=4\b/, "$when: by prompt");

    sql('UPDATE log_mark SET mark = prompt_id_of(now() - interval \'1 day\'); '
        . 'DELETE FROM statistics; DELETE FROM log_entries; '
        . 'DELETE FROM log_kinds; DELETE FROM log_waiting');
    $all -= 2 if $when eq 'in sums';
}
sql($swept);


# one that is deleted, and those of a prompt that is

is(asked('alice', "mutation { deleteExecution(id: \"$drafted\") }"), $true,
   'a draft is deleted');
is(sums("promptId: \"$log\""), '-=4', 'what was spent stays');

my $gone = prompt('alice', 'gone', 0, { content => 'v', %$say });
draft($gone, $say) for 1 .. 3;
asked('alice', $versioned, { id => $gone });
$socket = begin('patient-fx:text=late,delay=1500', $gone);

is(asked('alice', "mutation { deletePrompt(id: \"$gone\") }"), $true,
   'a prompt with drafts is deleted');
is(sql("SELECT count(*) FROM executions WHERE prompt_id = '$gone'"), 1,
   'but what runs stays');
is(sql("SELECT state FROM prompts WHERE id = '$gone'"), 1, 'with the prompt');
is($s->receive($socket)->{json}{data}{executeDraft}{output}, 'late',
   'until it ends');
is(sql("SELECT status FROM executions WHERE prompt_id = '$gone'"), 'succeeded',
   'as it ended');
sql("SELECT prompt_remove('$gone', NULL, NULL, 200, 20)");
is(sql("SELECT (SELECT count(*) FROM executions WHERE prompt_id = '$gone'), "
       . "(SELECT count(*) FROM prompts WHERE id = '$gone')"), '0|0',
   'then nothing is left');
is(sums('model: null'), '-=' . ($all + 5), 'all of them are counted');

my $many = prompt('alice', 'many');
sql(<<"END");
INSERT INTO executions (id, prompt_id, executed_by, by_owner, status, output)
    SELECT (left(prompt_id_of(now())::text, 24)
            || lpad(to_hex(n), 12, '0'))::uuid, '$many', '$id{alice}', true,
           'succeeded', 'x' FROM generate_series(1, 500) n
END
asked('alice', "mutation { deletePrompt(id: \"$many\") }");
my $steps = 0;
while (sql("SELECT count(*) FROM prompts WHERE id = '$many'")) {
    sql("SELECT prompt_remove('$many', NULL, NULL, 1, 0)");
    last if ++$steps > 40;
}
is(sql("SELECT count(*) FROM executions WHERE prompt_id = '$many'"), 0,
   "many are removed step by step");

# nor is what is gone, and cannot be forgotten yet, gone over again and again
my $reads = 'SELECT sum(idx_tup_read) FROM pg_stat_all_indexes WHERE relname'
            . " LIKE 'executions%'";

$many = prompt('alice', 'steps');
sql(<<"END");
INSERT INTO executions (id, prompt_id, executed_by, by_owner, status, output)
    SELECT (left(prompt_id_of(now())::text, 24)
            || lpad(to_hex(n), 12, '0'))::uuid, '$many', '$id{alice}', true,
           'succeeded', 'x' FROM generate_series(1, 6000) n;
ANALYZE executions
END

my $looked = sql($reads);

sql(<<"STEPS");
BEGIN;
UPDATE prompts SET state = 1 WHERE id = '$many';
DO \$\$
DECLARE
    r  record;
BEGIN
    SELECT '$many'::uuid AS prompt, NULL::integer AS version,
           NULL::uuid AS execution INTO r;

    LOOP
        r := prompt_remove('$many', r.version, r.execution, 20, 0);
        EXIT WHEN r.version IS NULL;
    END LOOP;
END
\$\$;
COMMIT
STEPS
is(sql("SELECT count(*) FROM executions WHERE prompt_id = '$many'"), 0,
   'in one transaction, too');

my $until = time() + 20;

sleep 0.1 until sql($reads) > $looked + 6000 || time() > $until;
cmp_ok(sql($reads) - $looked, '<', 200_000, 'drafts are looked at once');


# a prompt that goes to another project

my $moved = prompt('alice', 'moved', 1, { content => 'v', %$say });
draft($moved, $say);
$drafted = draft($moved, $say)->{executionId};
asked('alice', $versioned, { id => $moved });
sql($swept);
is(sql("SELECT prompt_transfer('$moved', '$id{alice}', '$id{bob}', '$id{bob}', "
       . '100, 1000000)'), 0, 'a prompt is transferred');
sql("SELECT prompt_transfer_step('$moved', 1000)");
is(sql("SELECT DISTINCT by_owner, owner_id FROM executions "
       . "WHERE prompt_id = '$moved'"), "f|$id{bob}", 'all have another owner');
is(sql('SELECT version, execution IS NULL FROM prompt_transfers'), '-1|t',
   'a round is over');
is(listed("promptId: \"$moved\""), '1 0d 0d', 'who paid sees theirs');
is(listed("promptId: \"$moved\", status: \"succeeded\""), '1 0d 0d', 'by status');
is(listed("promptId: \"$moved\"", 'bob'), '1 0d 0d', 'so does the owner');
is(listed("promptId: \"$moved\", version: 0, status: \"succeeded\"", 'bob'),
   '0d 0d', 'by status');
is(draft($moved, $say), 'FORBIDDEN', 'there are no more');
is_deeply(asked('bob', "{ execution(id: \"$drafted\") { draft input output } }"),
          { draft => $true, input => undef, output => undef },
          'figures, and no contents');
sql("UPDATE prompts SET is_public = false WHERE id = '$moved'");
is_deeply(asked('alice', "{ execution(id: \"$drafted\") { output prompt { id } } "
                         . '}'), { output => 'said', prompt => undef },
          'who paid keeps what they ran');


# pruned

sql("SELECT prompt_executions_prune(prompt_id_of(now()), 10000, "
    . "'00000000-0000-0000-0000-000000000000')");
is(sql('SELECT count(*) FROM executions WHERE version IS NULL AND id < '
       . '(SELECT mark FROM log_mark)'), 0, 'drafts are pruned');

is_deeply([ $s->faults ], [], 'clean error log');
$s->stop;
done_testing();
