# Datasets: made, changed, filled, emptied, deleted in steps; whose they are,
# and what of them counts.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP ();
use PromptTest::Json ();
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

my $s = PromptTest::Server->new(workers => 1, server => <<'END');
    location = /none { prompt_graphql; prompt_record input=off output=off; }
    location = /small { prompt_graphql; prompt_quota bytes=2k; }
END
my $json = JSON::PP->new->canonical->allow_nonref;

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
    my $path = $with{path} || '/graphql';
    my $key = $with{once} ? "Idempotency-Key: $with{once}\r\n" : '';

    $request =~ s/^POST \S+ HTTP\/1.1\r\n/POST $path HTTP\/1.1\r\n$key/;

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

sub message { return ask(@_)->{errors}[0]{message} }

my $create = 'mutation ($n: String!, $d: String, $c: JSON) { createDataset('
             . 'name: $n, description: $d, checks: $c) { id name description '
             . 'createdAt itemCount items { id } checks } }';
my $add = 'mutation ($d: ID!, $i: [DatasetItemInput!]!) { addDatasetItems('
          . 'datasetId: $d, items: $i) { id input expected metadata '
          . 'executionId } }';
my $read = 'query ($d: ID!, $f: Int, $a: ID) { dataset(id: $d) { itemCount '
           . 'items(first: $f, after: $a) { id input expected metadata '
           . 'executionId } } }';
my $usage = '{ project { usage { bytes } } }';

sub bytes { return data($usage)->{usage}{bytes} }


# what one is

my $set = data($create, { n => 'Answers', d => 'Of last month' });

like($set->{id}, qr/^[0-9a-f-]{36}$/, 'a dataset has an id');
like($set->{createdAt}, qr/^\d{4}-.*Z$/, 'and a time');
is($json->encode([ @$set{qw(name description itemCount items checks)} ]),
   '["Answers","Of last month",0,[],[]]', 'without items and checks');
is(said($create, { n => 'Answers' }), 'BAD_USER_INPUT name', 'a name is one');
is(said($create, { n => $_ }), 'BAD_USER_INPUT name', 'no name')
    for '', ' ', "a\nb", 'x' x 129;
is(said($create, { n => 'b', d => 'x' x 10001 }), 'BAD_USER_INPUT description',
   'a description that is too long');
ok(data($create, { n => 'Answers' }, who => 'bob')->{id},
   'another project has its own names');

my @wrong = (
    [ {} => 'checks' ],
    [ [ 1 ] => 'checks.0' ],
    [ [ { name => 'a', type => 'regex', pattern => '(' } ]
      => 'checks.0.pattern' ],
    [ [ { name => 'a', type => 'json_schema', schema => { type => 'x' } } ]
      => 'checks.0.schema.type' ],
    [ [ { name => 'a', type => 'equals' }, { name => 'a', type => 'equals' } ]
      => 'checks.1.name' ],
    [ [ map { { name => "a$_", type => 'equals' } } 1 .. 65 ] => 'checks' ],
    [ [ { name => 'a', type => 'contains', value => 'x' x 300000 } ]
      => 'checks' ],
);

is(said($create, { n => 'c', c => $_->[0] }), "BAD_USER_INPUT $_->[1]",
   "no checks: $_->[1]") for @wrong;

my $checks = [ { name => 'short', type => 'max_latency', ms => 1000 },
               { name => 'same', type => 'equals', path => 'a.b' } ];
my $update = 'mutation ($i: ID!, $n: String, $d: String, $c: JSON) { '
             . 'updateDataset(id: $i, name: $n, description: $d, checks: $c) '
             . '{ name description checks } }';

is($json->encode(data($update, { i => $set->{id}, c => $checks })),
   $json->encode({ name => 'Answers', description => 'Of last month',
                   checks => $checks }), 'checks are changed alone');
is($json->encode(data($update, { i => $set->{id}, n => 'Best', d => undef })),
   $json->encode({ name => 'Best', description => undef,
                   checks => $checks }), 'name and description, too');
is(said($update, { i => $set->{id}, n => undef }), 'BAD_USER_INPUT name',
   'a name is not taken away');
is(said($update, { i => $set->{id}, c => [ 1 ] }), 'BAD_USER_INPUT checks.0',
   'nor are checks made worse');

my $other = data($create, { n => 'Other' });

is(said($update, { i => $other->{id}, n => 'Best' }), 'BAD_USER_INPUT name',
   'a name that is taken');
is(join(' ', map { $_->{name} } @{ data('{ datasets { name } }') }),
   'Other Best', 'the newest first');
is(join(' ', map { $_->{name} } @{ data('{ datasets(first: 1) { name } }') }),
   'Other', 'a page');
is(join(' ', map { $_->{name} }
        @{ data("{ datasets(after: \"$other->{id}\") { name } }") }),
   'Best', 'and the next one');
is(said('{ datasets(first: 1001) { id } }'), 'BAD_USER_INPUT first',
   'no page is so long');


# whose it is

for my $query ([ $read, { d => $set->{id} } ],
               [ $update, { i => $set->{id}, n => 'mine' } ],
               [ $add, { d => $set->{id}, i => [ { input => {} } ] } ],
               [ 'mutation ($d: ID!) { deleteDataset(id: $d) }',
                 { d => $set->{id} } ])
{
    my ($text, $variables) = @$query;
    my $none = '01234567-89ab-7def-8123-456789abcdef';

    is(said($text, $variables, who => 'bob'), 'FORBIDDEN',
       'of another project: ' . substr $text, 0, 20);
    is(said($text, { %$variables, map { $_ => $none } grep { /^[di]$/
                     && !ref $variables->{$_} } keys %$variables }),
       'NOT_FOUND', 'none of that id');
    is(said($text, { %$variables, map { $_ => 'x' } grep { /^[di]$/
                     && !ref $variables->{$_} } keys %$variables }),
       'NOT_FOUND', 'nor of what is no id');
}

is(said($read, { d => $set->{id} }, who => 'alice_write'), 'UNAUTHENTICATED',
   'reading wants scope read');
is(said($create, { n => 'x' }, who => 'alice_read'), 'UNAUTHENTICATED',
   'changing wants scope write');


# items

my @items = ({ input => { a => 1, b => [ 'x' ] }, expected => 'one' },
             { input => {}, metadata => { from => 'me' } },
             { input => { a => "\x{e9}" }, expected => { c => undef } });
my $added = data($add, { d => $set->{id}, i => \@items });

is($json->encode([ map { { %$_, id => 1 } } @$added ]),
   $json->encode([ map { { id => 1, expected => undef, metadata => undef,
                           executionId => undef, %$_ } } @items ]),
   'are given as they were added');

my $got = data($read, { d => $set->{id} });

is($json->encode($got), $json->encode({ itemCount => 3, items => $added }),
   'and are there, in that order');
is($json->encode(data($read, { d => $set->{id}, f => 1,
                               a => $added->[0]{id} })->{items}),
   $json->encode([ $added->[1] ]), 'page by page');
is($json->encode(data("{ datasets { name first: items(first: 1) { id } "
                      . "rest: items(after: \"$added->[0]{id}\") { id } } }")),
   $json->encode([ { name => 'Other', first => [], rest => [] },
                   { name => 'Best', first => [ { id => $added->[0]{id} } ],
                     rest => [ map { { id => $_->{id} } }
                               @$added[1, 2] ] } ]), 'below several, too');

# numbers and the order of members come back
my $exact = data("mutation { addDatasetItems(datasetId: \"$set->{id}\", items: ["
                 . '{input: {z: 1.10, a: 1e2}, expected: 0.10}]) { id } }');

is(sql("SELECT input, expected FROM dataset_items WHERE id = '$exact->[0]{id}'"),
   '{"z":1.10,"a":1e2}|0.10', 'values are kept as they were sent');

is(said($add, { d => $set->{id}, i => [ { input => {} }, { input => 1 },
                                        { input => [] } ] }),
   'BAD_USER_INPUT items.1.input', 'an input is an object');
is(scalar @{ ask($add, { d => $set->{id}, i => [ map { { input => $_ } }
                         1 .. 30 ] })->{errors}[0]{extensions}{violations} // [] },
   20, 'what is wrong is told at once, up to a bound');
is(said($add, { d => $set->{id}, i => [] }), 'BAD_USER_INPUT items', 'none');
is(said($add, { d => $set->{id}, i => [ map { { input => {} } } 1 .. 1001 ] }),
   'BAD_USER_INPUT items', 'too many');
is(said($add, { d => $set->{id}, i => [ { input => {},
                metadata => 'x' x 70000 } ] }),
   'BAD_USER_INPUT items.0.metadata', 'metadata that is too long');
is(data($read, { d => $set->{id} })->{itemCount}, 4, 'nothing was added');

is(scalar @{ data($add, { d => $other->{id}, i => [ map { { input => { n => $_ } } }
                          1 .. 1000 ] }) }, 1000, 'a thousand at once');
is(join(' ', map { $_->{input}{n} }
        @{ data($read, { d => $other->{id}, f => 1000 })->{items} }),
   join(' ', 1 .. 1000), 'in their order');

sql("UPDATE datasets SET item_count = 99999 WHERE id = '$other->{id}'");
is(said($add, { d => $other->{id}, i => [ { input => {} }, { input => {} } ] }),
   'BAD_USER_INPUT datasetId', 'a dataset has a hundred thousand at most');
sql("UPDATE datasets SET item_count = 1000 WHERE id = '$other->{id}'");

my $remove = 'mutation ($i: [ID!]!) { removeDatasetItems(ids: $i) }';

is(data($remove, { i => [ $added->[1]{id} ] }, who => 'bob'), 0,
   'nobody removes those of others');
is(data($remove, { i => [ $added->[1]{id}, 'x', $added->[1]{id},
                          $set->{id} ] }), 1, 'removed');
is(data($remove, { i => [ $added->[1]{id} ] }), 0, 'once');
is(data($read, { d => $set->{id} })->{itemCount}, 3, 'and not counted');
is(said($remove, { i => [ map { $set->{id} } 1 .. 1001 ] }),
   'BAD_USER_INPUT ids', 'too many');


# of executions

my $prompt = data('mutation { createPrompt(input: {name: "p", isPublic: true}) '
                  . '{ id } }')->{id};

data('mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) '
     . '{ id } }', { i => { promptId => $prompt, content => 'Say {{what}}',
                            params => { model => 'fx:text=fine' } } });

sub run
{
    return data('mutation ($id: ID!) { executePrompt(promptId: $id, '
                . 'input: {what: "hello"}, metadata: {team: "red"}) '
                . '{ executionId } }', { id => $prompt }, @_)->{executionId};
}

my $of = 'mutation ($d: ID!, $e: ID!, $x: JSON) { addExecutionToDataset('
         . 'datasetId: $d, executionId: $e, expected: $x) '
         . '{ id input expected metadata executionId } }';
my $run = run();
my $item = data($of, { d => $set->{id}, e => $run, x => 'fine' });

is($json->encode({ %$item, id => 1 }),
   $json->encode({ id => 1, input => { what => 'hello' }, expected => 'fine',
                   metadata => { team => 'red' }, executionId => $run }),
   'an item of an execution');
is(data($read, { d => $set->{id}, a => $added->[2]{id} })->{items}[-1]{id},
   $item->{id}, 'is the last one');
is(data($of, { d => $set->{id}, e => $run })->{expected}, undef,
   'nothing is wanted that was not given');
is(said($of, { d => $set->{id}, e => $set->{id} }), 'NOT_FOUND', 'of none');
is(said($of, { d => $run, e => $run }), 'NOT_FOUND', 'into none');
is(said($of, { d => $set->{id}, e => $run }, who => 'bob'), 'FORBIDDEN',
   "into another's");

is(said($of, { d => $set->{id}, e => $run }, who => 'alice_write'),
   'UNAUTHENTICATED', 'who may not read does not read an input so');

my $theirs = run(who => 'bob');
my $bobs = data('{ datasets { id } }', {}, who => 'bob')->[0]{id};

is(said($of, { d => $set->{id}, e => $theirs }), 'FORBIDDEN',
   'what another paid for is not its owner\'s to take');
is(said($of, { d => $bobs, e => $run }, who => 'bob'), 'NOT_FOUND',
   'nor is it known to others');
is(data($of, { d => $bobs, e => $theirs }, who => 'bob')->{input}{what},
   'hello', 'but to who paid');

my $blank = run(path => '/none');

like(message($of, { d => $set->{id}, e => $blank }),
     qr/not recorded, or was taken away/, 'an input that was not recorded');
like(message($of, { d => $set->{id}, e => $blank }, path => '/none'),
     qr/not recorded here \(prompt_record\)/, 'as the location has it');

my $team = data('mutation { updateProject(recordsContent: false) { id } }')
           ->{id};

like(message($of, { d => $set->{id}, e => run() }),
     qr/does not record contents \(recordsContent\)/, 'or the project');
is(said($of, { d => $set->{id}, e => $blank }), 'BAD_USER_INPUT executionId',
   'which is told');
data('mutation { updateProject(recordsContent: true) { id } }');

# what is deleted since stays what it was
data("mutation { deleteExecution(id: \"$run\") }");
is(sql("SELECT count(*) FROM dataset_items WHERE execution_id = '$run'"), 2,
   'items outlive their execution');


# what counts

my $size = sql('SELECT sum(bytes) FROM datasets WHERE project_id = '
               . "(SELECT project_id FROM datasets WHERE id = '$set->{id}')"
               . ' AND state = 0');

is(sql("SELECT sum(octet_length(input::text) + coalesce(octet_length("
       . "expected::text), 0) + coalesce(octet_length(metadata::text), 0))"
       . " FROM dataset_items WHERE dataset_id = '$set->{id}'"),
   sql("SELECT bytes - octet_length(checks::text) - coalesce(octet_length("
       . "description), 0) FROM datasets WHERE id = '$set->{id}'"),
   'a dataset knows how large it is');
is(bytes() - sql("SELECT sum(bytes) FROM prompts WHERE owner_id = (SELECT"
                 . " project_id FROM datasets WHERE id = '$set->{id}')"), $size,
   'and so does the project');

my $little = data($create, { n => 'little' }, who => 'bob')->{id};
my $large = { d => $little, i => [ { input => { a => 'x' x 1500 } } ] };

is(scalar @{ data($add, $large, who => 'bob', path => '/small') }, 1,
   'what a quota has room for');
like(message($add, $large, who => 'bob', path => '/small'),
     qr/^The quota "bytes" of the project is used up: it is 2048\.$/,
     'and what it has not');
is(said($update, { i => $little, d => 'x' x 2000 }, who => 'bob',
        path => '/small'), 'FORBIDDEN', 'nor has it for words about it');
is(said($create, { n => 'more', d => 'x' x 2000 }, who => 'bob',
        path => '/small'), 'FORBIDDEN', 'whatever of it is new');

my $first = data($read, { d => $little }, who => 'bob')->{items}[0]{id};

is(data($remove, { i => [ $first ] }, who => 'bob', path => '/small'), 1,
   'what is removed');
is(scalar @{ data($add, $large, who => 'bob', path => '/small') }, 1,
   'gives room');
data("mutation { deleteDataset(id: \"$little\") }", {}, who => 'bob');
$little = data($create, { n => 'little' }, who => 'bob', path => '/small');
is(scalar @{ data($add, { %$large, d => $little->{id} }, who => 'bob',
                  path => '/small') }, 1, 'and so does what is deleted');


# who waits for a dataset keeps nobody from writing

my $many = PromptTest::Server->new(workers => 1, postgres => '"'
    . PromptTest::Env::conninfo('prompt_app') . '" connections=4 timeout='
    . 4 * ($ENV{PROMPT_TEST_SLOW} || 1) . 's');
my $held = fork;

die "fork: $!\n" unless defined $held;

if ($held == 0) {
    open STDERR, '>', '/dev/null';
    eval {
        sql("BEGIN; SELECT FROM datasets WHERE id = '$set->{id}' FOR UPDATE;"
            . ' SELECT pg_sleep(60)');
    };
    require POSIX;
    POSIX::_exit(0);
}

my $sleeps = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
             . ' AND datname = current_database()';

sleep 0.05 until sql("SELECT count(*) $sleeps") == 1;

my (@waiting, @others);

for my $n (1 .. 24) {
    push @waiting, $many->send($many->request('alice', $remove,
                                              { i => [ $item->{id} ] }));
    push @others, $many->send($many->request('bob', $create,
                                             { n => "beside $n" }));
}

is(scalar(grep { ($many->receive($_)->{json}{data} || {})->{createDataset} }
          @others), 24, 'others write while items wait for their dataset');
is(sql("SELECT count(pg_terminate_backend(pid)) $sleeps"), 1,
   'which another transaction has');
waitpid $held, 0;
is(scalar(grep { $_->{json}{data} || $_->{json}{errors} }
          map { $many->receive($_) } @waiting), 24, 'and all are answered');


# once only

my $once = data($create, { n => 'once' }, once => 'one')->{id};

is(data($create, { n => 'once' }, once => 'one')->{id}, $once,
   'a request that is sent again is done once');

my @twice = map { data($add, { d => $once, i => [ { input => {} } ] },
                       once => 'two')->[0]{id} } 1, 2;

is($twice[0], $twice[1], 'items, too');
is(data($read, { d => $once })->{itemCount}, 1, 'are there once');
data("mutation { deleteDataset(id: \"$once\") }");
like(message($add, { d => $once, i => [ { input => {} } ] }, once => 'two'),
     qr/./, 'what shows them is not told any more');


# deletion: in steps

sql("INSERT INTO dataset_items (id, dataset_id, input, bytes) SELECT"
    . " gen_random_uuid(), '$other->{id}', '{}', 2 FROM generate_series(1,"
    . ' 20000)');

my $began = time();

is(data("mutation { deleteDataset(id: \"$other->{id}\") }"), JSON::PP::true,
   'deleted');
cmp_ok(time() - $began, '<', 2 * ($ENV{PROMPT_TEST_SLOW} || 1), 'at once');
is(said($read, { d => $other->{id} }), 'NOT_FOUND', 'it is not there');
is(said("mutation { deleteDataset(id: \"$other->{id}\") }"), 'NOT_FOUND',
   'and cannot be deleted again');
ok(data($create, { n => 'Other' })->{id}, 'its name is free');

my $until = time() + 20 * ($ENV{PROMPT_TEST_SLOW} || 1);

sleep 0.05 until sql("SELECT count(*) FROM dataset_items WHERE dataset_id ="
                     . " '$other->{id}'") == 0 || time() > $until;
is(sql("SELECT count(*) FROM datasets WHERE id = '$other->{id}'"), 0,
   'and its items go');

# what is gone, and cannot be forgotten yet, is not gone over again and again
my $reads = "SELECT idx_tup_read FROM pg_stat_all_indexes WHERE indexrelname ="
            . " 'dataset_items_dataset_idx'";

my $looked = sql($reads);

sql("INSERT INTO dataset_items (id, dataset_id, input, bytes) SELECT"
    . " gen_random_uuid(), '$set->{id}', '{}', 2 FROM generate_series(1, 10000);"
    . ' ANALYZE dataset_items');
sql("BEGIN; UPDATE datasets SET state = 1 WHERE id = '$set->{id}'; DO \$\$"
    . ' BEGIN WHILE prompt_dataset_remove(NULL, 1) IS NOT NULL LOOP END LOOP;'
    . ' END $$; COMMIT');
is(sql("SELECT count(*) FROM datasets WHERE id = '$set->{id}'"), 0,
   'in many steps');
$until = time() + 20;
sleep 0.1 until sql($reads) > $looked + 10000 || time() > $until;
cmp_ok(sql($reads) - $looked, '<', 200_000, 'items are looked at once');

done_testing();
