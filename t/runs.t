# Runs: made, read, changed and cancelled; whose they are, and what of them
# counts.  What watching them does is in runs_watch.t.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::People;
use PromptTest::Runs;
use PromptTest::Server;
use Test::More;

my $s = $PromptTest::Runs::s = PromptTest::Server->new(workers => 2,
    http => 'prompt_provider bounded /_provider/openai max_tokens=50; '
            . 'prompt_provider endless /_provider/openai; '
            . 'prompt_model bounded-fx:* provider=bounded input=1 output=2; '
            . 'prompt_model unpriced-fx:* provider=bounded; '
            . 'prompt_model endless-fx:* provider=endless input=1 output=2;',
    server => 'location = /small { prompt_graphql; prompt_quota bytes=2k; }');
my $none = '01890000-0000-7000-8000-000000000000';


# what one is

my $prompt = prompt('bounded-fx:ok', 'bounded-fx:text=two', 'unpriced-fx:ok',
                    'endless-fx:ok');
my $set = dataset(3);
my $run = run($set, $prompt, versions => [2, 1], repetitions => 2,
              cap => '0.50');

is("$run->{state} $run->{done} $run->{total} $run->{repetitions}",
   'READY 0 12 2', 'a cell for each item, version and repetition');
is("$run->{costCapUsd} $run->{costUsd}", '0.5 0', 'what it may cost, and did');
is(join(' ', map { $_->{version} } @{ $run->{arms} }), '2 1',
   'versions as they were given');
is($run->{arms}[0]{latencyP50Ms}, undef, 'of which nothing is known yet');

my $cells = cells($run->{id});

is(join('|', map { "$_->{item}{input}{a} $_->{repetition} $_->{version}" }
             @$cells),
   join('|', map { my $i = $_; map { my $n = $_;
                                     map { "item $i $n $_" } 2, 1 } 1, 2 }
             1 .. 3),
   'cells by item, repetition and version');
is((grep { defined $_->{execution} || defined $_->{error} } @$cells), 0,
   'none of which is begun');

my $page = asked('query ($r: ID!, $a: ID) { run(id: $r) { cells(first: 2, '
                 . 'after: $a) { id } b: cells(first: 1) { id item { id } } '
                 . 'dataset { id name itemCount } prompt { id name } } }',
                 { r => $run->{id}, a => $cells->[4]{id} });

is(join(' ', map { $_->{id} } @{ $page->{cells} }),
   "$cells->[5]{id} $cells->[6]{id}", 'pages of them');
is($page->{b}[0]{id}, $cells->[0]{id}, 'under two names');
is("$page->{dataset}{id} $page->{dataset}{itemCount} $page->{prompt}{id}",
   "$set 3 $prompt", 'its dataset and prompt');

my @runs = map { run($set, $prompt)->{id} } 1 .. 3;
my $listed = asked('query ($d: ID!, $a: ID) { dataset(id: $d) { id runs { id '
                   . 'state total arms { version } prompt { name } dataset { id '
                   . '} } some: runs(first: 1, after: $a) { id } items(first: 1)'
                   . ' { id } } }', { d => $set, a => $runs[1] });

is(join(' ', map { $_->{id} } @{ $listed->{runs} }),
   join(' ', reverse $run->{id}, @runs), 'runs of a dataset, newest first');
is($listed->{runs}[3]{dataset}{id}, $set, 'with that');
is(join(' ', map { $_->{version} } @{ $listed->{runs}[3]{arms} }), '2 1',
   'and their versions');
is($listed->{some}[0]{id}, $runs[0], 'pages of them');
is(@{ $listed->{items} }, 1, 'beside items');

my $all = asked('{ datasets { id runs { id } } }');

is(join(' ', map { $_->{id} } map { @{ $_->{runs} } }
                              grep { $_->{id} eq $set } @$all),
   join(' ', reverse $run->{id}, @runs), 'of each dataset of a list');


# what is wrong

my %wrong = (
    'no dataset' => [ 'NOT_FOUND', $none, $prompt ],
    'no id of a dataset' => [ 'NOT_FOUND', 'x', $prompt ],
    'no prompt' => [ 'NOT_FOUND', $set, $none ],
    'no version' => [ 'BAD_USER_INPUT versions', $set, $prompt,
                      versions => [] ],
    'nine versions' => [ 'BAD_USER_INPUT versions', $set, $prompt,
                         versions => [1 .. 9] ],
    'one twice' => [ 'BAD_USER_INPUT versions', $set, $prompt,
                     versions => [1, 2, 1] ],
    'one that is not there' => [ 'NOT_FOUND versions', $set, $prompt,
                                 versions => [1, 7] ],
    'no repetition' => [ 'BAD_USER_INPUT repetitions', $set, $prompt,
                         repetitions => -1 ],
    'too many' => [ 'BAD_USER_INPUT repetitions', $set, $prompt,
                    repetitions => 101 ],
    'no cost' => [ 'BAD_USER_INPUT costCapUsd', $set, $prompt, cap => 'x' ],
    'a model without a price' => [ 'BAD_USER_INPUT params.model', $set, $prompt,
                                   versions => [1, 3], cap => '1' ],
    'one without a bound' => [ 'BAD_USER_INPUT params.max_tokens', $set,
                               $prompt, versions => [4], cap => '1' ],
    'no items' => [ 'BAD_USER_INPUT datasetId', dataset(0), $prompt ],
    'others\' datasets' => [ 'FORBIDDEN', $set, $prompt, user => 'bob' ],
);

is(run(@{ $wrong{$_} }[1 .. $#{ $wrong{$_} }]), $wrong{$_}[0], $_)
    for sort keys %wrong;

ok(ref run($set, $prompt, versions => [3, 4]),
   'without a bound of its cost every model will do');

sql("UPDATE datasets SET item_count = 100001 WHERE id = '$set'");
is(run($set, $prompt), 'BAD_USER_INPUT datasetId', 'too many cells');
sql("UPDATE datasets SET item_count = 3 WHERE id = '$set'");

my $theirs = asked('mutation { createPrompt(input: {name: "theirs", isPublic: '
                   . 'true}) { id } }', {}, 'bob')->{id};

asked('mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: '
      . '$i) { id } }', { i => { promptId => $theirs, content => 'x',
                                 params => { model => 'bounded-fx:ok' } } },
      'bob');

my $other = run($set, $theirs);

ok(ref $other, 'a public prompt of others will do');
asked('mutation ($p: ID!) { updatePrompt(id: $p, input: {isPublic: false}) '
      . '{ id } }', { p => $theirs }, 'bob');
is(asked('query ($r: ID!) { run(id: $r) { prompt { id } } }',
         { r => $other->{id} })->{prompt}, undef,
   'which is not shown when it is private');
is(run($set, $theirs), 'FORBIDDEN', 'nor run');


# what may be selected below

for my $query ('run(id: $r) { prompt { versions { id } } }',
               'run(id: $r) { dataset { items { id } } }',
               'run(id: $r) { dataset { runs { id } } }',
               'run(id: $r) { cells { execution { prompt { labels { label } } } '
               . '} }',
               'dataset(id: $d) { runs { cells { id } } }')
{
    my $unused = $query =~ /\$d/ ? '$d: ID!' : '$r: ID!';

    like(asked("query ($unused) { $query }",
               { r => $run->{id}, d => $set }), qr/^BAD_USER_INPUT \w+$/,
         "$query is asked for elsewhere");
}


# whose it is

is(asked('query ($r: ID!) { run(id: $r) { id } }', { r => $run->{id} }, 'bob'),
   'FORBIDDEN', 'others do not read it');
is(asked('query ($r: ID!) { run(id: $r) { id } }', { r => $none }),
   'NOT_FOUND', 'nor anybody what is not there');

for my $change ('updateRun(id: $r, costCapUsd: "1")', 'cancelRun(id: $r)') {
    my $change = "mutation (\$r: ID!) { $change { state costCapUsd } }";

    is(asked($change, { r => $run->{id} }, 'bob'), 'FORBIDDEN',
       'nor do they change it');
    is(asked($change, { r => $none }), 'NOT_FOUND', 'nor what is not there');
}

is(asked('mutation ($r: ID!) { updateRun(id: $r) { id } }',
         { r => $run->{id} }), 'BAD_USER_INPUT costCapUsd',
   'there has to be something to change');
is(asked('mutation ($r: ID!) { updateRun(id: $r, costCapUsd: "-1") { id } }',
         { r => $run->{id} }), 'BAD_USER_INPUT costCapUsd', 'a cost');
is(asked('mutation ($r: ID!) { updateRun(id: $r, costCapUsd: "1") { id } }',
         { r => $runs[0] }), 'BAD_USER_INPUT costCapUsd',
   'of one that has a bound');

my $changed = asked('mutation ($r: ID!) { updateRun(id: $r, costCapUsd: "2.5") '
                    . '{ costCapUsd state } }', { r => $run->{id} });

is("$changed->{costCapUsd} $changed->{state}", '2.5 READY', 'it may cost more');
is(asked('{ project { budgets { id } } }')->{budgets}[0], undef,
   'which is no budget of the project');

my $cancelled = asked('mutation ($r: ID!) { cancelRun(id: $r) { state '
                      . 'finishedAt } }', { r => $run->{id} });

is($cancelled->{state}, 'CANCELLED', 'it is cancelled');
ok($cancelled->{finishedAt}, 'at a time');
is(asked('mutation ($r: ID!) { cancelRun(id: $r) { finishedAt } }',
         { r => $run->{id} })->{finishedAt}, $cancelled->{finishedAt},
   'once');

# keys need both rights, and roles

for my $scopes ([ 'write' ], [ 'execute' ], [ 'read' ]) {
    my $key = asked('mutation ($s: [String!]) { createApiKey(input: {name: "k",'
                    . ' scopes: $s}) { key } }', { s => $scopes })->{key};
    my $text = $s->request('alice', 'mutation ($d: ID!, $p: ID!) { createRun('
                           . 'datasetId: $d, promptId: $p, versions: [1]) { id '
                           . '} }', { d => $set, p => $prompt });

    $text =~ s/^Authorization: .*?\r$/Authorization: Bearer $key\r/m;
    is($s->receive($s->send($text))->{status}, 401,
       "a key with $scopes->[0] alone makes none");
}


# it counts as bytes, and goes with its dataset

my $bytes = sub { asked('{ project { usage { bytes } } }')->{usage}{bytes} };
my $before = $bytes->();
my $more = run($set, $prompt, repetitions => 10);

is($bytes->() - $before, 30 * 200, 'cells count as bytes');

my $text = $s->request('alice', 'mutation ($d: ID!, $p: ID!) { createRun('
                       . 'datasetId: $d, promptId: $p, versions: [1], '
                       . 'repetitions: 10) { id } }',
                       { d => $set, p => $prompt });

$text =~ s{^POST \S+}{POST /small};
is($s->receive($s->send($text))->{json}{errors}[0]{extensions}{reason},
   'QUOTA_EXCEEDED', 'of which there are so many');

my $items = asked('query ($d: ID!) { dataset(id: $d) { items { id } } }',
                  { d => $set })->{items};

asked('mutation ($i: [ID!]!) { removeDatasetItems(ids: $i) }',
      { i => [ $items->[0]{id} ] });
is(state($more->{id})->{total}, 20, 'items take their open cells along');

asked('mutation ($d: ID!) { deleteDataset(id: $d) }', { d => $set });
is(state($more->{id}), 'NOT_FOUND', 'a dataset takes its runs');
ok(until_true(sub { sql("SELECT count(*) FROM runs r WHERE dataset_id = '$set'")
                    eq '0' }), 'in steps');
is(sql("SELECT count(*) FROM run_cells WHERE run_id = '$more->{id}'"), 0,
   'with their cells');
is(sql("SELECT count(*) FROM budgets WHERE run_id = '$run->{id}'"), 0,
   'and bounds');

is_deeply([ $s->faults ], [], 'clean error log');
$s->stop;

done_testing;
