# importPrompts: many prompts with their versions and labels, all or nothing.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP ();
use PromptTest::Server;
use PromptTest::Env;
use Test::More;
use Time::HiRes qw(sleep time);

my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my ($true, $false) = (JSON::PP::true, JSON::PP::false);

PromptTest::Env::setup();

# a busy machine takes long for what is large

my $s = PromptTest::Server->new(workers => 1,
    server => 'client_max_body_size 32m;',
    postgres => '"' . PromptTest::Env::conninfo('prompt_app')
                . '" connections=4 timeout=' . 30 * $slow . 's');
my $document = <<'END';
mutation ($prompts: [ImportPromptInput!]!, $dry: Boolean, $delete: Boolean) {
  importPrompts(prompts: $prompts, dryRun: $dry, delete: $delete) {
    created changed deleted changes { prompt what version label }
  }
}
END

sub sql
{
    my $text = PromptTest::Env::psql($_[0]);

    chomp $text;
    return $text;
}

# import([ prompts ], user => , dry => , delete => ): the answer
sub import_them
{
    my ($prompts, %with) = @_;

    return $s->ask($with{user} || 'alice', $document,
                   { prompts => $prompts, dry => $with{dry} ? $true : $false,
                     delete => $with{delete} ? $true : $false });
}

# "1/2/3: what prompt version label, ..." of an answer
sub told
{
    my $result = ($_[0] || {})->{json}{data}{importPrompts}
        or return 'none: ' . (($_[0] || {})->{body} // '');

    return "$result->{created}/$result->{changed}/$result->{deleted}: "
           . join ', ', map { my $c = $_;
                              join ' ', $c->{what}, $c->{prompt},
                                  map { defined $c->{$_} ? $c->{$_} : () }
                                      qw(version label) }
                            @{ $result->{changes} };
}

# "CODE field: message" of the only error
sub refused
{
    my ($error, @more) = @{ ($_[0] || {})->{json}{errors} || [] };

    return 'no error' if !$error || @more;
    return "$error->{extensions}{code} "
           . ($error->{extensions}{field} // '') . ": $error->{message}";
}

# all of alice's that import could change
sub state_of_all
{
    my $alice = PromptTest::Env::var('alice_id');

    return sql("SELECT coalesce(string_agg(t, E'\\n' ORDER BY t), '') FROM ("
               . join(' UNION ALL ', map { "SELECT x::text AS t FROM $_ x"
                                           . " WHERE owner_id = '$alice'" }
                          qw(prompts prompt_versions prompt_labels
                             prompt_label_moves)) . ') a');
}

sub version
{
    my ($n, %with) = @_;

    return { version => $n, content => "text $n", params => {}, %with };
}

sub prompt
{
    my ($name, @versions) = @_;

    return { name => $name, versions => \@versions };
}


subtest 'prompts are made and changed' => sub {
    my $one = { name => 'My Prompt', description => 'd', category => 'CUSTOM',
                isPublic => $true,
                versions => [ version(1, content => "a \"{{x}}\"\n\x{e9}"),
                              version(2, inputSchema => { type => 'object' },
                                      params => { model => 'fx:ok', seed => 1 },
                                      messages => [ { role => 'SYSTEM',
                                                      content => 's' } ]) ],
                labels => [ { label => 'stable', version => 1 },
                            { label => 'canary', version => 2 } ] };
    my @all = ($one, prompt('bare'));
    my $what = '2/0/0: create my-prompt, version my-prompt 1, '
               . 'version my-prompt 2, label my-prompt 1 stable, '
               . 'label my-prompt 2 canary, create bare';

    is(told(import_them(\@all, dry => 1)), $what, 'dryRun tells');
    is(state_of_all(), '', 'and does nothing');
    is(told(import_them(\@all)), $what, 'done');
    is(told(import_them(\@all)), '0/0/0: ', 'once');

    my $read = $s->ask('alice', '{ promptByName(name: "my-prompt") { name '
        . 'description category isPublic createdAt updatedAt labels { label '
        . 'version } labelHistory { label version previousVersion } versions '
        . '{ version content params inputSchema messages { role content } } } }'
    )->{json}{data}{promptByName};

    is($read->{createdAt}, $read->{updatedAt}, 'nobody has changed it');
    delete @$read{qw(createdAt updatedAt)};
    is_deeply($read, {
        name => 'my-prompt', description => 'd', category => 'CUSTOM',
        isPublic => $true,
        labels => [ { label => 'canary', version => 2 },
                    { label => 'stable', version => 1 } ],
        labelHistory => [ { label => 'canary', version => 2,
                            previousVersion => undef },
                          { label => 'stable', version => 1,
                            previousVersion => undef } ],
        versions => [ { version => 1, content => "a \"{{x}}\"\n\x{e9}",
                        params => {}, inputSchema => undef,
                        messages => [] },
                      { version => 2, content => 'text 2',
                        params => { model => 'fx:ok', seed => 1 },
                        inputSchema => { type => 'object' },
                        messages => [ { role => 'SYSTEM', content => 's' } ]
                      } ] }, 'as it was given');

    # what is absent stays, null is none, the rest is changed

    my $version = version(3);

    is(told(import_them([ { name => 'My prompt', description => undef,
                            versions => [ $version, version(4) ],
                            labels => [ { label => 'stable', version => 4 } ] },
                          { name => 'bare', category => 'GENERAL',
                            versions => [] } ])),
       '0/1/0: update my-prompt, version my-prompt 3, version my-prompt 4, '
       . 'label my-prompt 4 stable', 'what differs');
    is(sql("SELECT description IS NULL, category, is_public, last_version,"
           . " updated_at > created_at FROM prompts"
           . " WHERE name = 'my-prompt'"), 't|CUSTOM|t|4|t', 'the prompt');
    is(sql("SELECT string_agg(concat_ws(' ', number, label, version,"
           . " previous_version), ',' ORDER BY number)"
           . ' FROM prompt_label_moves'),
       '1 stable 1,2 canary 2,3 stable 4 1', 'moves go on');
    is(sql('SELECT count(*) FROM prompt_label_moves a JOIN prompt_label_moves b'
           . ' USING (prompt_id) WHERE a.number > b.number'
           . ' AND a.moved_at <= b.moved_at'), 0, 'at times that differ');
    is($s->ask('alice', '{ promptByName(name: "my-prompt") { version(label: '
               . '"stable") { version } } }')
       ->{json}{data}{promptByName}{version}{version}, 4, 'the label is there');

    # the same values in another order and form are the same version

    is(told(import_them([ prompt('my-prompt',
                                 version(2, messages => [ { content => 's',
                                                            role => 'SYSTEM' } ],
                                         inputSchema => { type => 'object' },
                                         params => { seed => 1,
                                                     model => 'fx:ok' })) ])),
       '0/0/0: ', 'params in another order');
    is(told(import_them([ prompt('my-prompt'), prompt('new', version(1)) ],
                        delete => 1, dry => 1)),
       '1/0/1: create new, version new 1, delete bare', 'delete, dry');
    is(told(import_them([ prompt('my-prompt'), prompt('new', version(1)) ],
                        delete => 1)),
       '1/0/1: create new, version new 1, delete bare', 'delete');
    is(sql("SELECT string_agg(name, ',' ORDER BY name) FROM prompts"
           . ' WHERE state = 0'), 'my-prompt,new', 'and it is gone');
    is(told(import_them([ prompt('bare', version(1)) ])),
       '1/0/0: create bare, version bare 1', 'its name is free');
};


subtest 'what is refused changes nothing, dry or not' => sub {
    my $fine = prompt('fine', version(1));
    my $nul = "a\0b";
    my @faults = (
        [ 'prompts.1.versions.0.content: .* line 1, column 3',
          prompt('x', version(1, content => 'x {{')) ],
        [ 'prompts.1.versions.0.content: .* U\+0000',
          prompt('x', version(1, content => $nul)) ],
        [ 'prompts.1.versions.0.content: .* 1048576 bytes',
          prompt('x', version(1, content => 'x' x (1024 * 1024 + 1))) ],
        [ 'prompts.1.versions.0.params\S*: .*U\+0000',
          prompt('x', version(1, params => { a => $nul })) ],
        [ 'prompts.1.versions.0.params: ',
          prompt('x', version(1, params => [])) ],
        [ 'prompts.1.versions.0.params\S*: .*fallbacks',
          prompt('x', version(1, params => { model => 'a',
                                             fallbacks => [ 1 ] })) ],
        [ 'prompts.1.versions.0.inputSchema\S*: ',
          prompt('x', version(1, inputSchema => { type => 'no' })) ],
        [ 'prompts.1.versions.0.messages.0.content: .*column 1',
          prompt('x', version(1, messages => [ { role => 'USER',
                                                 content => '{{' } ])) ],
        [ 'prompts.1.versions.0.version: .* greater than 0',
          prompt('x', version(0)) ],
        [ 'prompts.1.versions.1.version: .* greater than 2',
          prompt('x', version(2), version(1)) ],
        [ 'prompts.1.versions.0.version: .*gap: the one before it is 0',
          prompt('x', version(2)) ],
        [ 'prompts.1.versions.1.version: .*gap: the one before it is 1',
          prompt('x', version(1), version(3)) ],
        [ 'prompts.1.versions.0.version: .*gap: the one before it is 1',
          prompt('new', version(3)) ],
        [ 'prompts.1.versions.0.content: Version 1 of "new" is there with '
          . 'another content', prompt('new', version(1, content => 'y')) ],
        [ 'prompts.1.versions.0.params: .*another params',
          prompt('new', version(1, params => { a => 1 })) ],
        [ 'prompts.1.versions.0.inputSchema: .*another inputSchema',
          prompt('new', version(1, inputSchema => {})) ],
        [ 'prompts.1.versions.0.messages: .*another messages',
          prompt('new', version(1, messages => [ { role => 'USER',
                                                   content => 'm' } ])) ],
        [ 'prompts.1.name: "fine" is the name of prompts.0, too',
          prompt('Fine') ],
        [ 'prompts.1.name: ', prompt('!!!') ],
        [ 'prompts.1.name: .*U\+0000', prompt($nul) ],
        [ 'prompts.1.name: .*128', prompt('x' x 129) ],
        [ 'prompts.1.description: .*10000',
          { %{ prompt('x') }, description => 'x' x 10001 } ],
        [ 'prompts.1.description: .*U\+0000',
          { %{ prompt('x') }, description => $nul } ],
        [ 'prompts.1.category: .*null',
          { %{ prompt('x') }, category => undef } ],
        (map { [ "prompts.1.labels.1.$_->[0]",
                 +{ %{ prompt('x', version(1)) },
                    labels => [ { label => 'a', version => 1 }, $_->[1] ] } ] }
         [ 'version: "x" has no version 2', { label => 'b', version => 2 } ],
         [ 'version: "x" has no version 0', { label => 'b', version => 0 } ],
         [ 'label: Label "a" is given twice', { label => 'a', version => 1 } ],
         [ 'label: ', { label => 'latest', version => 1 } ],
         [ 'label: ', { label => $nul, version => 1 } ]),
        [ 'prompts.1.labels: A prompt has at most 64 labels',
          { %{ prompt('my-prompt') },
            labels => [ map { { label => "l$_", version => 1 } } 1 .. 63 ] } ],
    );
    my $before = state_of_all();

    for (@faults) {
        my ($message, $wrong) = @$_;

        for my $dry (1, 0) {
            my $answer = import_them([ $fine, $wrong ], dry => $dry,
                                     delete => 1);

            like(refused($answer), qr/^BAD_USER_INPUT $message/,
                 "$message, " . ($dry ? 'dry' : 'and not'));
        }
    }

    is(state_of_all(), $before, 'nothing was changed');

    my $faults = import_them([ prompt('x', version(1, content => '{{')), $fine,
                               prompt('', version(1, params => 1)) ])
        ->{json}{errors}[0]{extensions}{violations};

    is_deeply([ map { $_->{field} } @$faults ],
              [ 'prompts.0.versions.0.content', 'prompts.2.name',
                'prompts.2.versions.0.params' ], 'all that is wrong is told');

    $faults = import_them([ map { prompt("x$_", version(1, content => '{{')) }
                                1 .. 50 ])
        ->{json}{errors}[0]{extensions}{violations};
    is(scalar @$faults, 20, 'up to 20');

    is(told(import_them([ { %{ prompt('my-prompt') }, labels =>
                            [ map { { label => "l$_", version => 1 } }
                                  1 .. 62 ] } ])) =~ tr/,//, 61,
       '64 labels are not too many');
};


subtest 'limits of an import' => sub {
    my $before = state_of_all();
    my $most = qr/^BAD_USER_INPUT prompts: An import has at most 10000 /;

    like(refused(import_them([ prompt('x', map { version($_) } 1 .. 10001) ])),
         $most, 'versions');
    like(refused(import_them([ map { prompt("x$_") } 1 .. 10001 ])), $most,
         'prompts');

    my $large = 'x' x (1024 * 1024);

    like(refused(import_them([ prompt('x', map { version($_,
                                                         content => $large) }
                                               1 .. 17) ])), $most, 'bytes');
    is(import_them([ prompt('x', map { version($_, content => $large) }
                                     1 .. 32) ])->{status}, 413, 'the body');
    is(state_of_all(), $before, 'nothing was changed');
    like(told(import_them([ prompt('large', map { version($_,
                                                          content => $large) }
                                                1 .. 15) ])),
         qr/^1\/0\/0: create large, version large 1, /, '15 MiB');
    is(told(import_them([ prompt('large', map { version($_,
                                                        content => $large) }
                                              1 .. 15) ])),
       '0/0/0: ', 'once');
};


subtest 'a thousand prompts' => sub {
    my @prompts = map { my $n = $_;
                        +{ %{ prompt("p $n", map { version($_) } 1 .. 3) },
                          labels => [ { label => 'l', version => 2 } ] } }
                      1 .. 1000;
    my $answer = import_them(\@prompts, user => 'bob');

    is($answer->{json}{data}{importPrompts}{created}, 1000, 'created');
    is(scalar @{ $answer->{json}{data}{importPrompts}{changes} }, 5000,
       'each change is told');
    is(sql("SELECT count(DISTINCT p.id), count(v.id), count(DISTINCT v.id)"
           . ' FROM prompts p JOIN prompt_versions v ON v.prompt_id = p.id'
           . " WHERE p.owner_id = '" . PromptTest::Env::var('bob_id') . "'"),
       '1000|3000|3000', 'and is there');
    is(told(import_them(\@prompts, user => 'bob')), '0/0/0: ', 'once');
    is(import_them([], user => 'bob', delete => 1)
       ->{json}{data}{importPrompts}{deleted}, 1000, 'deleted');
};


subtest 'who may' => sub {
    my $before = state_of_all();

    for my $key (qw(alice_read alice_execute alice_keys)) {
        like(refused(import_them([ prompt('mine') ], user => $key)),
             qr/^UNAUTHENTICATED .*scope/, $key);
    }

    is(import_them([ prompt('mine') ], user => 'none')->{status}, 401, 'none');
    is(state_of_all(), $before, 'nothing was changed');

    my $alices = sql("SELECT count(*) FROM prompts WHERE state = 0"
                     . " AND owner_id = '" . PromptTest::Env::var('alice_id')
                     . "'");

    is(told(import_them([ prompt('my-prompt', version(1, content => 'b')) ],
                        user => 'bob', delete => 1)),
       '1/0/0: create my-prompt, version my-prompt 1',
       "a name of another's, whose prompt is public, is free");
    is(told(import_them([], user => 'bob', delete => 1)),
       '0/0/1: delete my-prompt', 'and only that is deleted');
    is(sql("SELECT count(*) FROM prompts WHERE state = 0 AND owner_id = '"
           . PromptTest::Env::var('alice_id') . "'"), $alices,
       "another's prompts stay");
    is(told(import_them([ prompt('written') ], user => 'alice_write')),
       '1/0/0: create written', 'write is enough');
};


subtest 'with an Idempotency-Key' => sub {
    my $text = $s->request('alice', $document,
                           { prompts => [ prompt('once', version(1)) ] });

    $text =~ s/\r\nConnection/\r\nIdempotency-Key: import-$$\r\nConnection/;

    for my $time ('first', 'second') {
        my $answer = $s->receive($s->send($text));

        is(told($answer), '1/0/0: create once, version once 1', $time);
    }

    # the answer was lost: what was done is not done again

    sql("UPDATE idempotency_keys SET status = NULL, answer = NULL,"
        . " lease = now() - interval '1 minute'");
    like(refused($s->receive($s->send($text))),
         qr/^INTERNAL_SERVER_ERROR : .*executed this/, 'its answer is lost');
    is(sql("SELECT last_version FROM prompts WHERE name = 'once'"), 1,
       'and it is not done twice');
};


# in_transaction($sql, $code [, $killed]): $code's value, run while $sql is not
# committed; that ends when somebody waits for it, or nobody has for a while.
# Who is killed while they wait needs time, and then it is rolled back.
sub in_transaction
{
    my ($statement, $code, $killed) = @_;
    my $pid = fork;

    if ($pid == 0) {
        PromptTest::Env::psql($killed
            ? "BEGIN; $statement; SELECT pg_sleep(1); ROLLBACK" : <<"END");
BEGIN;
$statement;
DO \$\$ BEGIN FOR i IN 1 .. 100 LOOP
    EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE NOT granted
                      AND pg_backend_pid() = ANY (pg_blocking_pids(pid)));
    PERFORM pg_sleep(0.02);
END LOOP; END \$\$;
COMMIT
END
        POSIX::_exit(0);
    }

    # until it is done, and not committed

    for (1 .. 200) {
        last if sql('SELECT count(*) FROM pg_stat_activity WHERE query ~'
                    . " '^(DO|SELECT pg_sleep)' AND state = 'active'");
        sleep 0.05;
    }

    my $value = $code->();

    waitpid $pid, 0;

    return $value;
}


# held($sql, $code): runs $code while $sql is not committed, with what lets it be
sub held
{
    my ($statement, $code) = @_;
    my $let_go = sub { sql('CREATE TABLE IF NOT EXISTS let_go ()') };
    my $pid = fork;

    if ($pid == 0) {
        PromptTest::Env::psql("BEGIN; $statement; DO \$\$ BEGIN"
            . ' FOR i IN 1 .. 1200 LOOP EXIT WHEN EXISTS (SELECT FROM pg_class'
            . " WHERE relname = 'let_go'); PERFORM pg_sleep(0.05); END LOOP;"
            . ' END $$; COMMIT');
        POSIX::_exit(0);
    }

    becomes(sub { sql("SELECT count(*) FROM pg_stat_activity WHERE query LIKE"
                      . " '%let_go%' AND wait_event = 'PgSleep'") });
    $code->($let_go);
    $let_go->();
    waitpid $pid, 0;
    sql('DROP TABLE let_go');
}

# how many statements of imports wait for a row
sub waiting
{
    return sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type ="
               . " 'Lock' AND query ~ '^(SELECT count... FROM .SELECT p.id|"
               . "WITH protected AS)'");
}

# until that is so
sub becomes
{
    my ($code) = @_;

    for (1 .. 400) {
        return 1 if $code->();
        sleep 0.02;
    }

    return 0;
}


subtest 'beside others' => sub {
    require POSIX;

    my $alice = PromptTest::Env::var('alice_id');
    my $id = sql("SELECT id FROM prompts WHERE name = 'once'");
    my $adds = sub {
        "UPDATE prompts SET last_version = $_[0] WHERE id = '$id'; "
        . 'INSERT INTO prompt_versions (id, prompt_id, owner_id, version, '
        . "content, params) VALUES (gen_random_uuid(), '$id', '$alice', $_[0],"
        . " '$_[1]', '{}')";
    };

    my $answer = in_transaction($adds->(2, 'theirs'), sub {
        import_them([ prompt('beside'), prompt('once', version(2)) ]);
    });

    like(refused($answer),
         qr/^BAD_USER_INPUT prompts.1.versions.0.content: Version 2 of "once" /,
         'a version that somebody adds meanwhile is named');
    is(sql("SELECT count(*) FROM prompts WHERE name = 'beside'"), 0,
       'and nothing is half done');

    $answer = in_transaction($adds->(3, 'text 3'), sub {
        import_them([ prompt('once', version(3), version(4)) ]);
    });
    is(told($answer), '0/1/0: version once 4', 'the same one is no conflict');

    my $creates = 'INSERT INTO prompts (id, owner_id, name, category,'
        . " updated_at) VALUES ('01890000-0000-7000-8000-00000000000a',"
        . " '$alice', 'taken', 'CUSTOM', now())";

    $answer = in_transaction($creates, sub {
        import_them([ prompt('also'), prompt('taken', version(1)) ]);
    });
    is(told($answer), '1/1/0: create also, version taken 1',
       'nor is a prompt that somebody creates meanwhile');
    is(sql("SELECT id, category FROM prompts WHERE name = 'taken'"),
       '01890000-0000-7000-8000-00000000000a|CUSTOM', 'which is theirs');

    # nor is one that is created after the import has looked for its prompts:
    # what somebody does with it meanwhile stays

    import_them([ prompt('held') ]);

    my $hold = "UPDATE prompts SET updated_at = now() WHERE name = 'held'";
    my $meanwhile = sub {
        my ($name, $does) = @_;
        my ($id, $socket);

        held($hold, sub {
            my ($let_go) = @_;

            $socket = $s->send($s->request('alice', $document, { prompts => [
                prompt('held'), { %{ prompt($name) }, description => 'd' } ]}));
            becomes(sub { waiting() });

            $id = $s->ask('alice', 'mutation ($name: String!) { createPrompt('
                          . 'input: {name: $name, category: GENERAL}) { id } }',
                          { name => $name })->{json}{data}{createPrompt}{id};
            in_transaction($does->($id), $let_go);
        });

        return ($id, $s->receive($socket));
    };

    my ($new, $young) = $meanwhile->('young', sub {
        "UPDATE prompts SET last_version = 1, category = 'CUSTOM',"
        . " is_public = true WHERE id = '$_[0]';"
        . ' INSERT INTO prompt_versions (id, prompt_id, owner_id, version,'
        . " content, params) VALUES (gen_random_uuid(), '$_[0]', '$alice', 1,"
        . " 'theirs', '{}')"
    });

    is(told($young), '0/1/0: update young', 'one that is new');
    is(sql('SELECT last_version, category, is_public, description FROM prompts'
           . " WHERE id = '$new'"), '1|CUSTOM|t|d',
       'keeps what was not given, and its last version');
    is($s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) { '
               . 'createPromptVersion(input: $i) { version } }',
               { i => { promptId => $new, content => 'c', params => {} } })
       ->{json}{data}{createPromptVersion}{version}, 2, 'and takes a version');

    ($new) = $meanwhile->('gone', sub {
        "UPDATE prompts SET state = 1, name = '/' || id WHERE id = '$_[0]'"
    });
    is(sql("SELECT description IS NULL, name = '/' || id FROM prompts"
           . " WHERE id = '$new'"), 't|t', 'one that is deleted is not changed');

    # imports that meet take turns

    my @told = PromptTest::Server::side_by_side(4, sub {
        my ($i) = @_;
        my @prompts = map { prompt("turn $_", version(1)) } 1 .. 40;

        return told(import_them([ $i % 2 ? reverse @prompts : @prompts ]));
    });

    is(scalar(grep { /^40\/0\/0/ } @told), 1, 'one of them creates')
        or diag("@told");
    is(scalar(grep { $_ eq '0/0/0: ' } @told), 3, 'the others find it')
        or diag("@told");
};


subtest 'imports of a user take turns' => sub {
    my $metric = sub {
        my $socket = $s->send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
                              . "Connection: close\r\n\r\n");
        my ($n) = $s->receive($socket)->{body} =~ /^\Q$_[0]\E (\d+)$/m;

        return $n;
    };
    my $import = sub {
        return $s->send($s->request('alice', $document, {
            prompts => [ prompt('held') ], dry => $_[0] ? $true : $false }));
    };
    my $hold = "UPDATE prompts SET updated_at = now() WHERE name = 'held'";
    my $waited = $metric->('prompt_answers_waited_total');
    my @sockets;

    # one has room: the others wait, dry ones too

    held($hold, sub {
        push @sockets, $import->(0);
        becomes(sub { waiting() });
        push @sockets, map { $import->($_) } 1, 1, 0;

        is(told(import_them([ prompt('his') ], user => 'bob', dry => 1)),
           '1/0/0: create his', "another's does not wait");
        is(scalar(grep { IO::Select->new($_)->can_read(0) } @sockets), 0,
           'those of the same user do');
        is(waiting(), 1, 'for one there is room');
    });

    is(told($s->receive($_)), '0/0/0: ', 'done') for @sockets;
    ok(becomes(sub { $metric->('prompt_answers_waited_total')
                     >= $waited + 3 }), 'three have waited');
    ok(becomes(sub { !$metric->('prompt_answers_unsent_bytes') }),
       'and the room is given back');

    # those whose clients have left, too: another user's changes go on

    held($hold, sub {
        for (1 .. 5) {
            my $socket = $import->(0);

            becomes(sub { waiting() });
        }

        ok($s->ask('bob', 'mutation { createPrompt(input: {name: "beside'
                   . " $_\", category: GENERAL}) { id } }")
           ->{json}{data}{createPrompt}, "another's change") for 1 .. 3;
        is(waiting(), 1, 'one of them waits for a row');
    });
};


subtest 'killed in the middle, it is done or not' => sub {
    my @prompts = map { my $n = $_;
                        prompt("kill $n", map { version($_) } 1 .. 5) }
                      1 .. 200;
    my $there = sub {
        return sql("SELECT count(*), coalesce(sum(last_version), 0), "
                   . '(SELECT count(*) FROM prompt_versions v JOIN prompts o'
                   . ' ON o.id = v.prompt_id'
                   . " WHERE o.name LIKE 'kill-%') FROM prompts"
                   . " WHERE name LIKE 'kill-%'");
    };
    my ($done, $undone) = (0, 0);

    # one of the names is taken for a moment, so that the others are made, and
    # it waits in the middle

    my $holds = 'INSERT INTO prompts (id, owner_id, name, category, updated_at)'
        . " VALUES (gen_random_uuid(), '" . PromptTest::Env::var('alice_id')
        . "', 'kill-150', 'CUSTOM', now())";

    for my $round (1 .. 6) {
        sql("DELETE FROM prompts WHERE name LIKE 'kill-%'");

        in_transaction($holds, sub {
            my $pid = fork;

            if ($pid == 0) {
                import_them(\@prompts);
                POSIX::_exit(0);
            }

            for (1 .. 200) {
                last if sql("SELECT count(*) FROM pg_stat_activity WHERE"
                            . " wait_event_type = 'Lock'"
                            . " AND query LIKE 'WITH protected AS%g AS MATERIALIZED%'");
                sleep 0.02;
            }

            if ($round % 2) {
                kill 'KILL', $s->workers;

            } else {
                sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    . " WHERE query LIKE 'WITH protected AS%g AS MATERIALIZED%'"
                    . ' AND pid <> pg_backend_pid()');
            }

            waitpid $pid, 0;
        }, 1);

        # what PostgreSQL was at when its client died is over

        for (1 .. 200) {
            last if !sql("SELECT count(*) FROM pg_stat_activity WHERE state ="
                         . " 'active' AND query LIKE 'WITH protected AS%g AS MATERIALIZED%'");
            sleep 0.05;
        }

        my $found = $there->();

        $found eq '200|1000|1000' ? $done++
        : $found eq '0|0|0' ? $undone++ : fail("round $round: $found");

        for (1 .. 200) {
            last if ($s->ask('alice', '{ me { id } }') || {})->{status};
            sleep 0.05;
        }
    }

    is($done + $undone, 6, "done $done times, undone $undone times");
    import_them(\@prompts);
    is($there->(), '200|1000|1000', 'and afterwards it is there');
};

$s->stop;
is_deeply([ grep { !/exited on signal 9/ } $s->faults ], [],
          'clean error log');

done_testing();
