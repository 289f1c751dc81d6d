# Labels that a project protects: whoever may move them, and by which way; and
# that this holds beside a change of what is protected.

use strict;
use warnings;

use lib 't/lib';
use POSIX ();
use PromptTest::Json;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep);

my $s = PromptTest::Server->new;
my $team = '01890000-0000-7000-8000-00000000b000';
my ($alice, $bob) = map { PromptTest::Env::var("${_}_id") } qw(alice bob);
my $ctl = \&PromptTest::Env::promptctl;

$ctl->('user', 'add', 'carol@example.com');

sub sql { return PromptTest::Env::psql(@_) =~ s/\n\z//r }

sql(<<"END");
INSERT INTO projects (id, name) VALUES ('$team', 'Team');
INSERT INTO project_members (project_id, user_id, role)
    SELECT '$team', id, CASE email WHEN 'alice\@example.com' THEN 4
                        WHEN 'carol\@example.com' THEN 3 ELSE 2 END FROM users;
UPDATE projects SET protected_labels = '{production,p.2}';
END

# key(USER, SCOPE, ...): in the project
sub key
{
    my ($user, @scopes) = @_;

    return $ctl->('key', 'add', "$user\@example.com", '--name', 'k',
                  '--project', $team, map { ('--scope', $_) } @scopes);
}

my %key = (
    owner   => key('alice'),
    admin   => key('carol'),
    promote => key('carol', qw(read write promote)),
    write   => key('carol', qw(read write admin)),
    editor  => key('bob'),
    edits   => key('bob', qw(read write promote)),
);


sub ask
{
    my ($who, @query) = @_;
    my $answer = $s->ask($key{$who} // $who, @query);
    my $error = $answer->{json}{errors}[0] or return 'done';

    return "$error->{extensions}{code}: $error->{message}";
}


my $no = qr/^FORBIDDEN: Label "production" is protected in this project/;

my $set = 'mutation ($id: ID!, $v: Int!, $l: String!) { setPromptLabel('
          . 'promptId: $id, label: $l, version: $v) { version } }';
my $remove = 'mutation ($id: ID!, $l: String!) { removePromptLabel(promptId: '
             . '$id, label: $l) }';
my $delete = 'mutation ($id: ID!) { deletePrompt(id: $id) }';
my $import = 'mutation ($p: [ImportPromptInput!]!, $dry: Boolean, $d: Boolean) '
             . '{ importPrompts(prompts: $p, dryRun: $dry, delete: $d) '
             . '{ changes { what prompt label } } }';

sub set
{
    my ($who, $id, $version, $label) = @_;

    return ask($who, $set, { id => $id, v => $version,
                             l => $label // 'production' });
}


sub removed
{
    my ($who, $id, $label) = @_;

    return ask($who, $remove, { id => $id, l => $label // 'production' });
}


# a prompt of three versions
sub prompt
{
    my ($who, $name) = @_;
    my $id = $s->ask($who, 'mutation ($n: String!) { createPrompt(input: '
                     . '{name: $n}) { id } }', { n => $name })
             ->{json}{data}{createPrompt}{id};

    for (1 .. 3) {
        ask($who, 'mutation ($i: CreatePromptVersionInput!) { '
            . 'createPromptVersion(input: $i) { id } }',
            { i => { promptId => $id, content => 'c', params => {} } });
    }

    return $id;
}


# where the label stands
sub stands
{
    my ($id, $label) = @_;

    return sql("SELECT version FROM prompt_labels WHERE prompt_id = '$id'"
               . " AND label = '" . ($label // 'production') . "'");
}


# ---- roles and scopes ------------------------------------------------------

my $id = prompt($key{owner}, 'one');

like(set('editor', $id, 1), $no, 'an EDITOR sets it not');
like(set('edits', $id, 1), $no, 'nor by a key with the scope');
like(set('write', $id, 1), $no, 'nor does a key of an ADMIN without it');
is(stands($id), '', 'it is not set');

my $version = 1;

for my $who (qw(owner admin promote)) {
    is(set($who, $id, $version), 'done', "$who: sets it");
    is(stands($id), $version++, 'it stands there');
}

like(set('editor', $id, 3), $no, 'nor is it set where it stands');
like(removed($_, $id), $no, "$_: removes it not") for qw(editor edits write);
is(set('editor', $id, 1, 'staging'), 'done', 'another label is free');
is(set('editor', $id, 1, 'production2'), 'done', 'also a longer one');
is(removed('editor', $id, 'staging'), 'done', 'to be removed, too');
like(set('editor', $id, 1, 'p.2'), qr/^FORBIDDEN: Label "p\.2"/,
     'each is named');
is(sql("SELECT count(*) FROM prompt_label_moves WHERE label = 'production'"), 3,
   'no move was noted but those');

my $other = prompt('alice', 'theirs');

like(set('editor', $other, 1), qr/^FORBIDDEN: You do not have access/,
     'another\'s prompt is no matter of labels');
like(set('editor', $team, 1), qr/^NOT_FOUND/, 'nor is one that is not there');
like(set('owner', $id, 9), qr/^NOT_FOUND: Version 9/, 'a version must be there');
like(removed('owner', $id, 'p.2'), qr/^NOT_FOUND: Label/, 'and a label set');
like(removed('editor', $id, 'p.2'), qr/^FORBIDDEN/,
     'which is not said to whom it is not for');


# ---- deletePrompt ----------------------------------------------------------

like(ask('editor', $delete, { id => $id }), $no,
     'an EDITOR does not delete the prompt');
like(ask('write', $delete, { id => $id }), $no, 'nor does such a key');
is(sql("SELECT state FROM prompts WHERE id = '$id'"), 0, 'it is there');

my $free = prompt($key{editor}, 'free');

is(set('editor', $free, 1, 'staging'), 'done', 'another has no such label');
is(ask('editor', $delete, { id => $free }), 'done', 'and is deleted');
like(ask('editor', $delete, { id => $free }), qr/^NOT_FOUND/, 'once');


# ---- updatePrompt: name@production is what others run ----------------------

my $update = 'mutation ($id: ID!, $i: UpdatePromptInput!) { updatePrompt('
             . 'id: $id, input: $i) { name } }';

like(ask('editor', $update, { id => $id, i => { name => 'away' } }), $no,
     'nor does an EDITOR take its name away, for another prompt to have');
like(ask('write', $update, { id => $id, i => { name => 'away' } }), $no,
     'nor does such a key');
is(ask('editor', $update, { id => $id, i => { name => 'one',
                                              description => 'd' } }), 'done',
   'the rest is theirs to change');
is(ask('promote', $update, { id => $id, i => { name => 'away' } }), 'done',
   'who may move the label may');
is(ask('owner', $update, { id => $id, i => { name => 'one' } }), 'done',
   'also back');
is(ask('editor', $update, { id => $free, i => { name => 'b' } }) =~
   /^NOT_FOUND/, 1, 'one that was deleted is not there');


# ---- importPrompts ---------------------------------------------------------

sub given
{
    my ($name, @labels) = @_;

    return { name => $name, versions => [],
             labels => [ map { { label => $_->[0], version => $_->[1] } }
                         @labels ] };
}

my $moves = [ given('one', ['staging', 2], ['production', 1]) ];

like(ask('editor', $import, { p => $moves }), $no, 'an import moves it not');
like(ask('editor', $import, { p => $moves, dry => \1 }), $no,
     'nor does it say that it would');
is(stands($id, 'staging'), '', 'nothing of it is done');
is(ask('editor', $import, { p => [ given('one', ['staging', 2],
                                         ['production', 3]) ] }), 'done',
   'where it stands already it is no move');
is(stands($id, 'staging'), 2, 'and the rest is done');
is(ask('promote', $import, { p => $moves }), 'done', 'who may does');
is(stands($id), 1, 'it was moved');

like(ask('editor', $import, { p => [ given('new') ], d => \1 }), $no,
     'nor does an import delete the prompt');
is(sql("SELECT count(*) FROM prompts WHERE owner_id = '$team'"), 1,
   'nothing is created then');
like(ask('editor', $import, { p => [ given('one', ['production', 2]),
                                     given('ONE') ] }), $no,
     'that comes before other faults');
is(ask('promote', $import, { p => [ given('new') ], d => \1 }), 'done',
   'who may deletes it');
is(sql("SELECT count(*) FROM prompts WHERE id = '$id' AND state = 0"), 0,
   'it is gone');


# ---- a personal project ----------------------------------------------------

$id = prompt('alice', 'mine');

my $promote = $ctl->('key', 'add', 'alice@example.com', '--name', 'p',
                     '--scope', 'write', '--scope', 'promote');

like(set('alice_write', $id, 1), $no, 'a key with "write" alone moves it not');
is(set('alice', $id, 1), 'done', 'one without scopes does');
is(set($promote, $id, 2), 'done', 'one with both, too');
like(ask('alice_write', $delete, { id => $id }), $no,
     'nor is the prompt deleted');


# ---- beside a change of what is protected ----------------------------------

# in_transaction($sql, $code): $code's value, run while $sql is not committed;
# that ends when somebody waits for it
sub in_transaction
{
    my ($statement, $code) = @_;
    my $pid = fork;

    if ($pid == 0) {
        PromptTest::Env::psql(<<"END");
BEGIN;
$statement;
DO \$\$ BEGIN FOR i IN 1 .. 250 LOOP
    EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE NOT granted
                      AND pg_backend_pid() = ANY (pg_blocking_pids(pid)));
    PERFORM pg_sleep(0.02);
END LOOP; END \$\$;
COMMIT
END
        POSIX::_exit(0);
    }

    for (1 .. 200) {
        last if sql('SELECT count(*) FROM pg_stat_activity WHERE datname ='
                    . " current_database() AND query ~ '^DO'"
                    . " AND state = 'active'");
        sleep 0.05;
    }

    my $value = $code->();

    waitpid $pid, 0;

    return $value;
}

sub protects
{
    my ($labels) = @_;

    return "UPDATE projects SET protected_labels = '{$labels}' WHERE id ="
           . " '$team'";
}

sql(protects(''));
$id = prompt($key{editor}, 'raced');
is(set('editor', $id, 1), 'done', 'where nothing is protected it is set');

like(in_transaction(protects('production'), sub { set('editor', $id, 2) }), $no,
     'who comes while it becomes protected waits, and is refused');
is(stands($id), 1, 'it did not move');
like(in_transaction(protects('production'), sub { removed('editor', $id) }),
     $no, 'nor is it removed');
is(in_transaction(protects(''), sub { set('editor', $id, 2) }), 'done',
   'who comes while it becomes free waits, too');

sql(protects(''));
like(in_transaction(protects('production'),
                    sub { ask('editor', $delete, { id => $id }) }), $no,
     'so does a deletion');
sql(protects(''));
like(in_transaction(protects('production'), sub {
         ask('editor', $import, { p => [ given('raced', ['production', 3]) ] })
     }), $no, 'and an import');

# a label that is being set while the prompt is deleted

is(removed('owner', $id), 'done', 'it is not set');
like(in_transaction("SELECT id FROM prompts WHERE id = '$id' FOR NO KEY UPDATE;"
                    . ' INSERT INTO prompt_labels (prompt_id, owner_id, label,'
                    . " version, set_at) VALUES ('$id', '$team', 'production',"
                    . ' 1, now())', sub { ask('editor', $delete,
                                              { id => $id }) }), $no,
     'a deletion sees a label that is set at that moment');

ok($s->stop, 'stopped');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
