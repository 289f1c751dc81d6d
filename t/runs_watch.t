# Runs that are watched: by one and by two, on workers and hosts that are killed
# or reloaded; what a run may cost; checks and judges; cells that were lost.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Runs;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

my $http = <<'END';
    prompt_provider slow /_provider/openai timeout=20s max_tokens=50;
    prompt_provider hasty /_provider/openai timeout=1s max_tokens=50;
    prompt_model slow-fx:* provider=slow input=1 output=2;
    prompt_model hasty-fx:* provider=hasty input=1 output=2;
    prompt_model dear-fx:* provider=slow input=1000 output=1000;
END
my $s = $PromptTest::Runs::s = PromptTest::Server->new(workers => 1,
                                                       http => $http);

# asks(RUN): executions that it has, by status
sub asks
{
    return sql('SELECT status, count(*) FROM executions WHERE run_id = '
               . "'$_[0]' GROUP BY 1 ORDER BY 1");
}

sub ids { return join ' ', sort map { $_->{id} } @{ $_[0] } }


# one who watches

{
    my $id = run(dataset(6), prompt('slow-fx:ok', 'slow-fx:text=two'),
                 versions => [1, 2], repetitions => 2)->{id};
    my $got = watch($id, concurrency => 5);

    is(scalar @{ $got->{cells} }, 24, 'each cell is told');
    is(ids($got->{cells}), ids(cells($id)), 'once');
    is($got->{last}{state}, 'DONE', 'and the last event says that it is done');
    is($got->{last}{done}, 24, 'all of it');
    is($got->{complete}, 1, 'the stream is whole');
    is(asks($id), 'succeeded|24', 'and each was one execution');
    is((grep { $_->{execution}{runId} ne $id } @{ $got->{cells} }), 0,
       'of that run');

    my %outputs = map { ("$_->{version} $_->{execution}{output}" => 1) }
                  @{ $got->{cells} };

    is(join('|', sort keys %outputs),
       join('|', (map { "1 item $_" } 1 .. 6), '2 two'),
       'with its item and version');

    my $done = state($id);

    is($done->{state}, 'DONE', 'it is done');
    ok($done->{finishedAt}, 'at a time');
    is(join('|', map { "$_->{version} $_->{model} $_->{done} $_->{failed}" }
                 @{ $done->{arms} }),
       '1 slow-fx:ok 12 0|2 slow-fx:text=two 12 0', 'its versions are summed up');
    ok($done->{costUsd} > 0 && $done->{costUsd} ==
       $done->{arms}[0]{costUsd} + $done->{arms}[1]{costUsd}, 'its cost, too');

    $got = watch($id);
    is(scalar @{ $got->{cells} }, 0, 'who watches it then is told nothing');
    is($got->{last}{state}, 'DONE', 'but that');
}


# what fails, is refused, or is gone

{
    my $fails = prompt('slow-fx:status=400');
    my $id = run(dataset(2), $fails)->{id};
    my $got = watch($id);

    is(join('|', map { "$_->{execution}{status} " . ($_->{error} // '') }
                 @{ $got->{cells} }),
       'failed |failed ', 'a failed execution is a cell that is done');
    is(state($id)->{arms}[0]{failed}, 2, 'and failed');

    my $strict = prompt({ params => { model => 'slow-fx:ok' }, inputSchema =>
        { type => 'object', required => ['b'] } });

    $got = watch(run(dataset(1), $strict)->{id});
    is($got->{cells}[0]{execution}, undef, 'one that is refused has none');
    like($got->{cells}[0]{error}, qr/"b"|required|\bb\b/, 'and says why');

    my $set = dataset(3);
    my $prompt = prompt('slow-fx:ok');

    $id = run($set, $prompt)->{id};

    my $items = asked('query ($d: ID!) { dataset(id: $d) { items { id } } }',
                      { d => $set })->{items};

    asked('mutation ($i: [ID!]!) { removeDatasetItems(ids: $i) }',
          { i => [ $items->[1]{id} ] });
    is(state($id)->{total}, 2, 'an item that is removed takes its open cells');
    $got = watch($id);
    is($got->{last}{done}, 2, 'the others are done');

    asked('mutation ($i: [ID!]!) { removeDatasetItems(ids: $i) }',
          { i => [ $items->[0]{id} ] });
    is(cells($id)->[0]{item}, undef, 'a cell that is done stays without it');

    $id = run($set, $prompt)->{id};
    asked('mutation ($p: ID!) { deletePrompt(id: $p) }', { p => $prompt });
    $got = watch($id);
    is("$got->{last}{state} $got->{last}{total}", 'DONE 0',
       'a prompt that is deleted takes all open ones');
    is(asked('query ($r: ID!) { run(id: $r) { prompt { id } dataset { id } } }',
             { r => $id })->{prompt}, undef, 'and is not there any more');

    $id = run($set, prompt('slow-fx:delay=300'))->{id};

    my $socket = started($id);

    ok(until_true(sub { asks($id) =~ /running/ }), 'it runs');
    asked('mutation ($d: ID!) { deleteDataset(id: $d) }', { d => $set });
    $got = watched($socket);
    is($got->{errors}[0]{extensions}{code}, 'NOT_FOUND',
       'a dataset that is deleted takes the run');
    ok(until_true(sub { sql("SELECT count(*) FROM run_cells WHERE run_id = '$id'")
                        eq '0' }), 'and its cells');
}


# checks and judges

{
    my $judge = prompt({ content => '{{output}} {{expected}}', params =>
        { model => 'slow-fx:text=%7B%22score%22%3A0.5%2C%22comment%22%3A%22so '
                   . 'so%22%7D' } });
    my $set = dataset([ { input => { a => 'yes' }, expected => 'yes' },
                        { input => { a => 'no' }, expected => 'yes' } ],
        [ { name => 'same', type => 'equals' },
          { name => 'cheap', type => 'max_cost', usd => 1 },
          { name => 'taste', type => 'judge', promptId => $judge } ]);
    my $id = run($set, prompt('slow-fx:usage=1000:1000'))->{id};
    my $got = watch($id);
    my %cell = map { ($_->{item}{input}{a} => $_) } @{ $got->{cells} };
    my $said = sub {
        return join '|', map { "$_->{name} $_->{value} $_->{source} "
                               . ($_->{comment} // '') }
                         @{ $cell{$_[0]}{execution}{scores} };
    };

    is($said->('yes'), 'cheap 1 CHECK |same 1 CHECK |taste 0.5 JUDGE so so',
       'checks score, and a judge with its comment');
    is($said->('no'), 'cheap 1 CHECK |same 0 CHECK |taste 0.5 JUDGE so so',
       'what does not fit scores 0');
    is(asks($id), 'succeeded|4', 'a judge is an execution of the run');

    my $cost = sql("SELECT trim_scale(sum(cost_usd)) FROM executions WHERE "
                   . "run_id = '$id'");

    is(state($id)->{costUsd}, $cost, 'whose cost counts');
    is(join('|', map { "$_->{name} $_->{count} $_->{mean} $_->{min} $_->{max}" }
                 @{ state($id)->{arms}[0]{scores} }),
       'cheap 2 1 1 1|same 2 0.5 0 1|taste 2 0.5 0.5 0.5', 'all is summed up');

    my $mute = prompt('slow-fx:text=well');

    $set = dataset([ { input => { a => 1 } } ],
        [ { name => 'taste', type => 'judge', promptId => $mute },
          { name => 'gone', type => 'judge',
            promptId => '01890000-0000-7000-8000-000000000000' },
          { name => 'has', type => 'contains', value => '1' } ]);
    $got = watch(run($set, prompt('slow-fx:ok'))->{id});
    is(join('|', map { $_->{name} } @{ $got->{cells}[0]{scores} }), 'has',
       'a judge that says nothing, or is not there, gives no score');
}


# two who watch, on two hosts

{
    my $other = PromptTest::Server->new(workers => 2, http => $http);
    my $id = run(dataset(60), prompt('slow-fx:delay=60'))->{id};
    my $first = started($id, concurrency => 4);

    ok(until_true(sub { state($id)->{done} >= 8 }), 'one watches');

    my $second = started($id, concurrency => 6, on => $other);
    my $most = 0;

    until_true(sub {
        my $n = sql("SELECT count(*) FROM run_cells WHERE run_id = '$id' AND "
                    . 'state = 1');

        $most = $n if $n > $most;
        return state($id)->{state} eq 'DONE';
    });

    my @got = (watched($first), watched($second));

    is(scalar @{ $got[0]{cells} }, 60, 'it hears all cells');
    is(ids($got[0]{cells}), ids(cells($id)), 'each once');
    ok(@{ $got[1]{cells} } > 20 && @{ $got[1]{cells} } <= 52,
       'and another one all from then on');
    is(join('|', map { $_->{last}{state} } @got), 'DONE|DONE', 'to the end');
    is(asks($id), 'succeeded|60', 'each cell is asked once');
    is(sql("SELECT count(DISTINCT holder) FROM run_cells WHERE run_id = '$id'"),
       0, 'and held by nobody in the end');
    ok($most <= 6, "never more at a time than the greatest asked for ($most)");
    is_deeply([ $other->faults ], [], 'clean error log of the other');
    $other->stop;
}


# leaving, and coming back

{
    my $id = run(dataset(12), prompt('slow-fx:delay=200'))->{id};
    my $socket = started($id, concurrency => 3);

    ok(until_true(sub { state($id)->{done} >= 3 }), 'it goes on');
    is(state($id)->{state}, 'RUNNING', 'while somebody watches');
    close $socket;
    ok(until_true(sub { state($id)->{state} eq 'READY' }),
       'when nobody does it is ready');

    my $done = state($id)->{done};

    ok($done < 12, "not done ($done)");
    is(asks($id), "succeeded|$done", 'what was asked is done, and kept');
    sleep 0.5;
    is(state($id)->{done}, $done, 'and nothing more is');

    my $got = watch($id, concurrency => 8);

    is(scalar @{ $got->{cells} }, 12 - $done, 'who comes back goes on');
    is(asks($id), 'succeeded|12', 'with what is left');

    # a reload

    $id = run(dataset(12), prompt('slow-fx:delay=200'))->{id};
    $socket = started($id, concurrency => 3);
    ok(until_true(sub { state($id)->{done} >= 3 }), 'it goes on');
    $s->reload;
    $got = watched($socket);
    ok($got->{last} && $got->{complete}, 'a reload ends it, in good form');
    ok($got->{last}{done} < 12, 'before it is done');
    $got = watch($id, concurrency => 8);
    is($got->{last}{state}, 'DONE', 'the new worker goes on');
    is(asks($id), 'succeeded|12', 'and nothing is asked twice');

    # cancelled

    $id = run(dataset(12), prompt('slow-fx:delay=200'))->{id};
    $socket = started($id, concurrency => 3);
    ok(until_true(sub { state($id)->{done} >= 3 }), 'it goes on');

    my $cancelled = asked('mutation ($r: ID!) { cancelRun(id: $r) { state } }',
                          { r => $id });

    is($cancelled->{state}, 'CANCELLED', 'it is cancelled');
    $got = watched($socket);
    is($got->{last}{state}, 'CANCELLED', 'who watches hears that');
    $done = state($id)->{done};
    is(asks($id), "succeeded|$done", 'what was asked by then is done');
    is(watch($id)->{last}{done}, $done, 'and nothing more');
}


# a worker that is killed: what it asked is found, and what is lost asked again

{
    my $id = run(dataset(8), prompt('slow-fx:delay=700'))->{id};
    my $socket = started($id, concurrency => 4);

    ok(until_true(sub { asks($id) =~ /running\|4/ }), 'four are asked');
    kill 'KILL', $s->workers;
    close $socket;
    is(state($id)->{state}, 'RUNNING', 'for half a minute nobody knows');
    sql("UPDATE run_cells SET leased_until = now() - interval '1 second' WHERE "
        . "run_id = '$id' AND state = 1");
    is(state($id)->{state}, 'READY', 'then it is ready');

    # one of them was answered, and that is on disk

    my $paid = sql('SELECT execution_id FROM run_cells WHERE run_id = '
                   . "'$id' AND number = 2");

    sql("UPDATE executions SET status = 'succeeded', output = 'item 2', "
        . "cost_usd = 0.5, latency_ms = 7, finished_at = now() WHERE id = "
        . "'$paid'");
    sql("UPDATE executions SET status = 'lost' WHERE run_id = '$id' AND "
        . "status = 'running'");

    my $got = watch($id, concurrency => 8);

    is($got->{last}{state}, 'DONE', 'it is done by the next one');
    is(scalar @{ $got->{cells} }, 8, 'who hears all cells');
    is(asks($id), "lost|3\nsucceeded|8",
       'what is lost is asked again, and what was answered is not');

    my ($cell) = grep { $_->{execution}{id} eq $paid } @{ $got->{cells} };

    is($cell->{execution}{output}, 'item 2', 'which is what the cell shows');
    is(sql("SELECT trim_scale(cost_usd) FROM run_cells WHERE run_id = '$id' AND "
           . 'number = 2'), '0.5', 'with its cost');
    is((grep { $_->{execution}{status} ne 'succeeded' } @{ $got->{cells} }), 0,
       'the others show the later one');

    # by the sweep itself, with its own deadline

    $id = run(dataset(1), prompt('hasty-fx:hang|ok'))->{id};
    $socket = started($id);
    ok(until_true(sub { asks($id) eq 'running|1' }), 'one is asked');
    kill 'KILL', $s->workers;
    close $socket;
    sql("UPDATE executions SET status = 'lost' WHERE run_id = '$id'");
    sql("UPDATE run_cells SET leased_until = now() WHERE run_id = '$id'");
    is(watch($id)->{last}{state}, 'DONE', 'it is asked again');
    is(asks($id), "lost|1\nsucceeded|1", 'both rows stay');
}


# what it may cost: a call reserves some 0.0001 USD, and costs 0.00002

{
    my $prompt = prompt('slow-fx:usage=10:5');
    my $id = run(dataset(20), $prompt, cap => '0.0003')->{id};
    my $got = watch($id, concurrency => 8);
    my $run = state($id);

    is($run->{state}, 'OVER_COST', 'it is over what it may cost');
    is($got->{last}{state}, 'OVER_COST', 'who watches hears that');
    ok($run->{costUsd} <= 0.0003, "which is never more ($run->{costUsd})");
    ok($run->{done} >= 5 && $run->{done} < 20, "$run->{done} were done");
    is(asks($id), "succeeded|$run->{done}", 'and nothing else was asked');
    is((grep { $_->{execution} } @{ cells($id) }), $run->{done},
       'they have their executions, beside cells that nobody has begun');
    is(sql("SELECT trim_scale(sum(reserved_usd)) FROM budget_slots WHERE "
           . "budget_id = '$id'"), 0, 'nothing is reserved any more');

    is(watch($id)->{last}{done}, $run->{done}, 'it does not go on by itself');

    my $more = asked('mutation ($r: ID!) { updateRun(id: $r, costCapUsd: "1") '
                     . '{ state costCapUsd } }', { r => $id });

    is("$more->{state} $more->{costCapUsd}", 'READY 1', 'with more it may');
    $got = watch($id, concurrency => 8);
    is($got->{last}{state}, 'DONE', 'and does');
    is(asks($id), 'succeeded|20', 'each cell once');

    # judges are under it, too

    my $judge = prompt({ content => '{{output}}', params => { model =>
        'slow-fx:text=%7B%22score%22%3A1%7D,usage=10:5' } });

    $id = run(dataset([ { input => { a => 1 } }, { input => { a => 2 } },
                        { input => { a => 3 } } ],
                      [ { name => 'j', type => 'judge', promptId => $judge } ]),
              $prompt, cap => '0.00015')->{id};
    $got = watch($id);
    is($got->{last}{state}, 'OVER_COST', 'judges are under it, too');
    ok(state($id)->{costUsd} <= 0.00015, 'and never over');
    asked('mutation ($r: ID!) { updateRun(id: $r, costCapUsd: "1") { id } }',
          { r => $id });
    watch($id);
    is(asks($id), 'succeeded|6', 'each is asked once in the end');
    is((grep { @{ $_->{scores} } != 1 } @{ cells($id) }), 0, 'of each cell');

    # one of the project's stands beside it

    asked('mutation { setBudget(limitUsd: "0.0001", per: TOTAL) { id } }');
    $id = run(dataset(5), $prompt)->{id};
    $got = watch($id);
    is($got->{errors}[0]{extensions}{code}, 'FORBIDDEN',
       'a budget of the project ends it');
    like($got->{errors}[0]{message}, qr/project's total budget/, 'and says so');
    is(state($id)->{state}, 'READY', 'ready to go on');
    sql('DELETE FROM budgets');
    is(watch($id)->{last}{state}, 'DONE', 'without it');
}


# wrong input, and who may

{
    my $id = run(dataset(1), prompt('slow-fx:ok'))->{id};
    my $code = sub {
        my $errors = watch(@_)->{errors} or return '';
        my $of = $errors->[0]{extensions};

        return join ' ', $of->{code}, $of->{field} // ();
    };

    is($code->($id, concurrency => $_), 'BAD_USER_INPUT concurrency',
       "$_ at a time")
        for 0, 33, -1;
    is($code->('no'), 'NOT_FOUND', 'no id');
    is($code->('01890000-0000-7000-8000-000000000000'), 'NOT_FOUND',
       'an id of nothing');
    is($code->($id, user => 'bob'), 'FORBIDDEN', 'of another project');
    is($code->($id, query => 'subscription ($id: ID!) { watchRun(id: $id) { run '
               . '{ cells { id } } } }'), 'BAD_USER_INPUT cells',
       'cells of the run are not told with each');
    is(state($id)->{done}, 0, 'and nothing was done');
}

# a client that does not read holds it up, and is told all when it does

{
    my $long = 'x' x 20000;
    my $id = run(dataset([ map { { input => { a => "$_ $long" } } } 1 .. 400 ]),
                 prompt('slow-fx:ok'))->{id};
    my $socket = started($id, concurrency => 32, query => 'subscription '
        . '($id: ID!, $c: Int) { watchRun(id: $id, concurrency: $c) { cell { id '
        . 'item { input } a: item { input } execution { output } } run { done '
        . 'state total } } }');

    ok(until_true(sub { state($id)->{done} > 32 }), 'it begins');
    sleep 3;

    my $done = state($id)->{done};

    sleep 2;
    ok($done < 400 && state($id)->{done} <= $done + 32,
       "who does not read holds it up ($done)");

    my $got = watched($socket, undef, 120);

    is(scalar @{ $got->{cells} }, 400, 'and is told all');
    is($got->{last}{state}, 'DONE', 'in the end');
}

is_deeply([ grep { !/exited on signal 9/ } $s->faults ], [], 'clean error log');
$s->stop;

done_testing;
