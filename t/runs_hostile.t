# Runs that somebody means ill with, and those that stand in their way: what a
# provider's location may say of an errand, texts that are no text, who may not
# any more, and a row that a neighbour holds.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls;
use PromptTest::Runs;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

my $port = PromptTest::Env::free_port() + 100;
my $provider = PromptTest::Env::provider();
my $key = $PromptTest::Env::provider_key;
my $http2 = PromptTest::Calls::http2_listen();
my $s = $PromptTest::Runs::s = PromptTest::Server->new(workers => 1,
    main => 'worker_shutdown_timeout 2s;',
    http => <<"END", server => <<"END");
    limit_req_zone \$binary_remote_addr zone=q:1m rate=1000r/s;
    limit_conn_zone \$binary_remote_addr zone=c:1m;
    map "\$remote_addr \$server_port \$connection \$request_time \$request" \$all {
        default "\$scheme \$server_addr \$ssl_protocol \$status \$bytes_sent \$uri";
    }
    log_format wide '\$all \$remote_port \$connection_requests \$request_length '
        '\$pipe \$tcpinfo_rtt \$host \$request_uri \$args \$http_user_agent';
    prompt_provider slow /_provider/openai timeout=20s max_tokens=50;
    prompt_model slow-fx:* provider=slow input=1 output=2;
    prompt_model dear-fx:* provider=slow input=1000 output=1000;
    prompt_provider wide /_provider/wide timeout=20s max_tokens=50;
    prompt_model wide-fx:* provider=wide input=1 output=2;
    prompt_key_cache valid=1s unknown=1s;
    prompt_provider no /_provider/no timeout=20s max_tokens=50;
    prompt_model no-fx:* provider=no input=1 output=2;
    $http2
END
    listen $port;
    log_subrequest on;
    location = /_provider/wide {
        internal;
        access_log logs.log wide;
        limit_req zone=q burst=1000;
        limit_conn c 1000;
        auth_request /_auth;
        proxy_pass http://127.0.0.1:$provider/v1/chat/completions;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Accept-Encoding "";
        proxy_set_header X-Port \$server_port;
        proxy_set_header X-All \$all;
        proxy_set_header X-Addr \$server_addr;
        proxy_set_header Authorization "Bearer $key";
    }
    location = /_auth { internal; access_log logs.log wide; return 204; }
    location = /_provider/no {
        internal;
        error_page 503 = \@other;
        return 503;
    }
    location \@other { return 429 "{}"; }
END

sub asks
{
    return sql('SELECT status, count(*) FROM executions WHERE run_id = '
               . "'$_[0]' GROUP BY 1 ORDER BY 1");
}

# rows_read(TABLE): by its indexes, so far
sub rows_read
{
    sleep 1.5;
    return sql('SELECT sum(idx_tup_read) FROM pg_stat_user_indexes '
               . "WHERE relname = '$_[0]'");
}


# a provider's location that asks for what a request has: the client is at a
# socket of all addresses, whose own one is asked of the system

{
    my $id = run(dataset(6), prompt('wide-fx:ok'))->{id};
    my $got;
    {
        local $s->{port} = $port;

        $got = watch($id, concurrency => 3);
    }

    is($got->{last}{state}, 'DONE', 'variables of a connection to nobody');
    is(asks($id), 'succeeded|6', 'each cell has what it asked for');

    $got = watch(run(dataset(2), prompt('no-fx:ok'))->{id});
    is(join('|', map { $_->{execution}{status} // '' } @{ $got->{cells} }),
       'failed|failed', 'a location that only says no');
}


# texts

{
    my $judge = prompt({ content => '{{output}}',
                         params => { model => 'slow-fx:ok' } });
    my $set = dataset([ map { { input => { a => $_ } } }
        '{"score":1,"comment":"a\u0000b"}', '{"score":1,"comment":"\ud800"}',
        '{"score":1e308}', '{"score":1e-320}', '{"score":1e999}',
        '{"score":-1e308}', '{"score":1,"comment":"' . ("\xe4" x 2000) . '"}',
        '{"score":1,"comment":"\"\\\\<&%s%n\u0001"}', "x\x{1}\x{ffff}",
        '{"score":true}', '[' x 3000, '{"score":1,"score":2}', '' ],
        [ { name => "a \"\\%s", type => 'judge', promptId => $judge } ]);
    my $id = run($set, prompt('slow-fx:ok'))->{id};
    my $got = watch($id);

    is($got->{last}{state}, 'DONE', 'judges that mean ill');
    is($got->{errors}, undef, 'no error');
    is(join('|', map { scalar @{ $_->{scores} } }
                 sort { $a->{id} cmp $b->{id} } @{ $got->{cells} }),
       '1|0|1|1|0|1|1|1|0|0|0|0|0', 'what is no score is none');

    # what is so great that two of them are more than a number holds

    $set = dataset([ map { { input => { a => '{"score":1.5e308}' } } } 1, 2 ],
                   [ { name => 'much', type => 'judge', promptId => $judge } ]);
    $id = run($set, prompt('slow-fx:ok'))->{id};
    is(watch($id)->{last}{state}, 'DONE', 'scores without measure');

    my $run = state($id);

    is(ref $run ? sprintf('%g', "$run->{arms}[0]{scores}[0]{mean}") : $run,
       '1.5e+308',
       'of which there is a mean');
}


# a run of many cells: a step looks at those that are taken, not at all

{
    my $id = run(dataset(25), prompt(('slow-fx:ok') x 8),
                 versions => [ 1 .. 8 ], repetitions => 100)->{id};
    my $before = rows_read('run_cells');
    my $socket = started($id, concurrency => 8);

    ok(until_true(sub { asks($id) =~ /succeeded\|\d{3}/ }), 'it goes on');
    close $socket;

    my $per = int((rows_read('run_cells') - $before)
                  / sql("SELECT done FROM runs WHERE id = '$id'"));

    cmp_ok($per, '<', 500, 'a cell costs a look at a few of 20,000');
}


# checks that take long: others have their turn between them

{
    my $set = dataset([ ({ input => { a => 'a' x 100_000 } }) x 3 ],
                      [ map { { name => "c$_", type => 'regex',
                                pattern => '(a|aa|aaa|aaaa|aaaaa)*b' } }
                        1 .. 64 ]);
    my $id = run($set, prompt('slow-fx:ok'))->{id};
    my $socket = started($id);
    my $others = 0;

    ok(until_true(sub { asks($id) =~ /succeeded/ }), 'cells are to be checked');

    until ($others == 500 || state($id)->{state} eq 'DONE') {
        asked('{ me { id } }', {}, 'bob');
        $others++;
    }

    is(watched($socket)->{last}{state}, 'DONE', 'and are');
    cmp_ok($others, '>', 5, 'others are answered meanwhile');
}


# what many runs may cost: who looks for a budget looks at none of the others

{
    my $prompt = prompt('slow-fx:usage=10:5');
    my $me = sql("SELECT owner_id FROM prompts WHERE id = '$prompt'");
    my $set = dataset(20);

    sql('INSERT INTO budgets (id, project_id, run_id, per, limit_usd) SELECT u, '
        . "'$me', u, 'TOTAL', 1 FROM (SELECT gen_random_uuid() AS u FROM "
        . 'generate_series(1, 5000)) x');
    sql('ANALYZE budgets');

    my $before = rows_read('budgets');

    is(watch(run($set, $prompt, cap => '0.0003')->{id})->{last}{state},
       'OVER_COST', 'one of many that have a cap');
    cmp_ok(rows_read('budgets') - $before, '<', 5000, 'and of these it alone');
    sql('DELETE FROM budgets WHERE limit_usd = 1');
}


# who may not any more: nothing is begun

{
    my $prompt = prompt('slow-fx:delay=200');
    my $set = dataset(60);
    my $me = sql("SELECT owner_id FROM prompts WHERE id = '$prompt'");
    my $member = "project_members SET role = %d WHERE user_id = '$me' AND "
                 . "project_id = '$me'";

    for my $case ([ 'a lower role', sprintf("UPDATE $member", 1),
                    sprintf("UPDATE $member", 4), 'FORBIDDEN' ],
                  [ 'no role',
                    "DELETE FROM project_members WHERE user_id = '$me'",
                    "INSERT INTO project_members (project_id, user_id, role) "
                    . "VALUES ('$me', '$me', 4)", 'UNAUTHENTICATED' ],
                  [ 'a key that is gone', "UPDATE api_keys SET deleted_at = "
                    . "now() WHERE user_id = '$me' AND deleted_at IS NULL",
                    "UPDATE api_keys SET deleted_at = NULL WHERE user_id = "
                    . "'$me'", 'UNAUTHENTICATED' ])
    {
        my ($name, $sql, $back, $code) = @$case;
        my $id = run($set, $prompt)->{id};
        my $socket = started($id, concurrency => 2);

        ok(until_true(sub { asks($id) =~ /succeeded/ }), 'it goes on');
        sql($sql);
        sleep 2;

        my $n = sql("SELECT count(*) FROM executions WHERE run_id = '$id'");

        sleep 1;
        is(sql("SELECT count(*) FROM executions WHERE run_id = '$id'"), $n,
           "$name: nothing more is begun ($n)");

        my $got = watched($socket, undef, 10);
        is($got->{errors} && $got->{errors}[0]{extensions}{code}, $code,
           'and that is said');
        sql($back);
        sleep 1.2;
    }
}


# nor is a judge asked for a key that was deleted while its cell ran

{
    my $judge = prompt({ content => '{{output}}',
                         params => { model => 'slow-fx:ok' } });
    my $set = dataset([ map { { input => { a => '{"score":1}' } } } 1 .. 4 ],
                      [ { name => 'judged', type => 'judge',
                          promptId => $judge } ]);
    my $id = run($set, prompt('slow-fx:delay=2000'))->{id};
    my $socket = started($id, concurrency => 4);

    ok(until_true(sub { asks($id) =~ /running\|4/ }), 'four cells run');
    sql('UPDATE api_keys SET deleted_at = now() WHERE deleted_at IS NULL');
    ok(until_true(sub { asks($id) =~ /succeeded\|4/ }),
       'and end, as they were paid for');
    sleep 2;
    is(asks($id), 'succeeded|4', 'has no judge asked');
    close $socket;
    sql('UPDATE api_keys SET deleted_at = NULL');
    sleep 1.2;
}


# connections of a worker that are few: cells wait, and others come through

{
    my $few = PromptTest::Server->new(workers => 1, connections => 60,
                                      http => <<'HTTP');
    prompt_provider slow /_provider/openai timeout=20s max_tokens=50;
    prompt_model slow-fx:* provider=slow input=1 output=2;
HTTP
    my $set = dataset(10);
    my $prompt = prompt('slow-fx:delay=100');
    my @ids = map { run($set, $prompt)->{id} } 1 .. 4;
    my @sockets = map { started($_, concurrency => 32, on => $few) } @ids;

    is(join('|', map { watched($_)->{last}{state} // '' } @sockets),
       'DONE|DONE|DONE|DONE', 'more cells than connections');
    is(join('|', map { asks($_) } @ids), join('|', ('succeeded|10') x 4),
       'of which none fails');
    is_deeply([ $few->faults ], [], 'clean error log of few');
    $few->stop;
}

is_deeply([ $s->faults ], [], 'clean error log');
$s->stop;

done_testing;
