# Keys that keys made: who sees them, and that they go with what made them, out
# of the caches, too, also where one is made at that moment.

use strict;
use warnings;

use lib 't/lib';
use POSIX ();
use PromptTest::Json;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep);

my $s = PromptTest::Server->new(workers => 2);
my $team = '01890000-0000-7000-8000-00000000c000';
my ($alice, $bob) = map { PromptTest::Env::var("${_}_id") } qw(alice bob);
my $ctl = \&PromptTest::Env::promptctl;

sub sql { return PromptTest::Env::psql(@_) =~ s/\n\z//r }

sql(<<"END");
INSERT INTO projects (id, name) VALUES ('$team', 'Team');
INSERT INTO project_members (project_id, user_id, role) VALUES
    ('$team', '$alice', 3), ('$team', '$bob', 2);
END

my $admin = $ctl->('key', 'add', 'alice@example.com', '--name', 'of alice',
                   '--project', $team);
my $editor = $ctl->('key', 'add', 'bob@example.com', '--name', 'of bob',
                    '--project', 'Team');

my $create = 'mutation ($n: String!, $s: [String!]) { createApiKey(input: '
             . '{name: $n, scopes: $s}) { key apiKey { id parentId createdBy '
             . '{ email } scopes } } }';
my $delete = 'mutation ($id: ID!) { deleteApiKey(id: $id) }';
my $list = '{ apiKeys { id name parentId createdBy { email } } }';


# made(KEY, NAME, SCOPE, ...): a key that this makes: { key, apiKey }
sub made
{
    my ($key, $name, @scopes) = @_;
    my $answer = $s->ask($key, $create, { n => $name,
                                          s => @scopes ? \@scopes : undef });

    return $answer->{json}{data}{createApiKey}
           || { error => $answer->{json}{errors}[0] };
}


sub code
{
    my $error = $s->ask(@_)->{json}{errors}[0] or return 'done';

    return $error->{extensions}{code};
}


# whether a key is let in, on either worker
sub let_in
{
    my ($key) = @_;
    my %status = map { $s->ask($key, '{ me { id } }')->{status} => 1 } 1 .. 6;

    return join ',', sort keys %status;
}


sub names
{
    my ($key) = @_;

    return join ' ', map { $_->{name} }
           @{ $s->ask($key, $list)->{json}{data}{apiKeys} };
}


# ---- what is told of them --------------------------------------------------

my $own = $s->ask($editor, $list)->{json}{data}{apiKeys};

is(scalar @$own, 1, 'an EDITOR sees keys of their own making');
is($own->[0]{parentId}, undef, 'that of an operator has none that made it');

my $child = made($editor, 'child');

is($child->{apiKey}{parentId}, $own->[0]{id}, 'one that a key made has it');
is($child->{apiKey}{createdBy}{email}, 'bob@example.com', 'and its user');

my $grand = made($child->{key}, 'grand', qw(read keys));
my $last = made($grand->{key}, 'last', 'read');
my $beside = made($editor, 'beside');

is($last->{apiKey}{parentId}, $grand->{apiKey}{id}, 'so on');
is(names($editor), 'beside last grand child of bob', 'all are listed');
is(names($grand->{key}), 'beside last grand child of bob',
   'by one of them, too, as they are of one making');
is(names($admin), 'beside last grand child of bob of alice',
   'an ADMIN sees all of the project');
is(names('alice'), 'keys execute write read test', 'and not of another');

is(code($editor, $delete, { id => sql("SELECT id FROM api_keys WHERE name ="
                                      . " 'of alice'") }), 'FORBIDDEN',
   'an EDITOR does not delete another\'s');
is(code('bob', $delete, { id => $own->[0]{id} }), 'NOT_FOUND',
   'nor anybody one of another project');
is(let_in($admin), '200', 'it is let in');


# ---- scopes ----------------------------------------------------------------

my $scoped = made($editor, 'scoped', qw(admin promote keys));

is_deeply($scoped->{apiKey}{scopes}, [qw(keys admin promote)],
          'scopes beyond the role of who makes it are no fault');
is(made($scoped->{key}, 'x', 'write')->{error}{extensions}{code}, 'FORBIDDEN',
   'one beyond those of the key is');
is_deeply(made($scoped->{key}, 'sub', 'promote')->{apiKey}{scopes},
          ['promote'], 'some of them are not');
is(made($editor, 'x', 'Admin')->{error}{extensions}{field}, 'scopes',
   'an unknown one');


# ---- how many --------------------------------------------------------------

# each is to be taken out of the caches when its maker goes: of a hundred
# thousand nobody could

sql("INSERT INTO api_keys (id, user_id, project_id, hash, name, hint) SELECT"
    . " gen_random_uuid(), '$bob', '$team', sha256(convert_to('many' || i,"
    . " 'UTF8')), 'many', 'h' FROM generate_series(1, 1000 - (SELECT count(*)"
    . " FROM api_keys WHERE project_id = '$team')) i");

is(made($editor, 'x')->{error}{message},
   'A project has at most 1000 API keys: delete some first.', 'too many');
ok(made('bob', 'elsewhere')->{key}, 'another project has room');
sql("UPDATE api_keys SET deleted_at = now() WHERE id = (SELECT id FROM api_keys"
    . " WHERE name = 'many' LIMIT 1)");
ok(made($editor, 'room')->{key}, 'so has this one, when one was deleted');
sql("DELETE FROM api_keys WHERE name IN ('many', 'room', 'elsewhere')");


# ---- the end ---------------------------------------------------------------

my @line = map { $_->{key} } $child, $grand, $last;

is(let_in($_), '200', 'the caches are warm') for @line, $beside->{key};
is(code($editor, $delete, { id => $child->{apiKey}{id} }), 'done', 'deleted');
is(let_in($_), '401', 'with what it made, and what that made') for @line;
is(let_in($beside->{key}), '200', 'and nothing else');
is(names($editor), 'sub scoped beside of bob', 'the rest is listed');
is(code($editor, $delete, { id => $child->{apiKey}{id} }), 'done', 'again');
is(code($admin, $delete, { id => $beside->{apiKey}{id} }), 'done',
   'an ADMIN deletes another\'s');
is(let_in($beside->{key}), '401', 'it is refused');

$child = made($editor, 'child');
$grand = made($child->{key}, 'grand');
is(let_in($grand->{key}), '200', 'one more');
$ctl->('key', 'delete', $child->{apiKey}{id});
is(let_in($_->{key}), '401', 'promptctl deletes both') for $child, $grand;

# a key that deletes what it comes from

$child = made($editor, 'child');
$grand = made($child->{key}, 'grand');
is(code($grand->{key}, $delete, { id => $child->{apiKey}{id} }), 'done',
   'one that deletes what made it');
is(let_in($grand->{key}), '401', 'goes itself');


# ---- made while it is deleted ----------------------------------------------

# many make keys with a key and with one that it made, and it is deleted

$child = made($editor, 'child');
$grand = made($child->{key}, 'grand');

my @pids = map {
    my $key = $_ % 2 ? $child->{key} : $grand->{key};
    my $pid = fork;

    if ($pid == 0) {
        for my $n (1 .. 30) {
            last if made($key, "raced $_ $n")->{error};
        }

        POSIX::_exit(0);
    }

    $pid;
} 1 .. 6;

for (1 .. 200) {
    last if sql("SELECT count(*) FROM api_keys WHERE name LIKE 'raced%'") > 10;
    sleep 0.02;
}

is(code($editor, $delete, { id => $child->{apiKey}{id} }), 'done',
   'deleted while keys are made with it');
is(sql("SELECT count(*) FROM api_keys WHERE name LIKE 'raced%'"
       . ' AND deleted_at IS NULL'), 0, 'then there is none of them');
waitpid $_, 0 for @pids;
is(sql("SELECT count(*) FROM api_keys WHERE name LIKE 'raced%'"
       . ' AND deleted_at IS NULL'), 0, 'nor is there one later');


# ---- pages -----------------------------------------------------------------

sql("INSERT INTO api_keys (id, user_id, project_id, hash, name, hint) SELECT"
    . " ('01890000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,"
    . " CASE WHEN n % 2 = 0 THEN '$alice' ELSE '$bob' END::uuid, '$team',"
    . " sha256(n::text::bytea), 'n' || n, '' FROM generate_series(1, 300) n");

my $page = 'query ($f: Int, $a: ID) { apiKeys(first: $f, after: $a) '
           . '{ id name } }';

sub page
{
    my ($key, $first, $after) = @_;

    return $s->ask($key, $page, { $first ? (f => $first) : (), a => $after })
             ->{json}{data}{apiKeys};
}

my $got = page($admin, undef, undef);

is(scalar @{ $s->ask($admin, '{ apiKeys { id } }')->{json}{data}{apiKeys} },
   100, 'a hundred where nothing is said');
$got = page($admin, 1000);
is(scalar @$got, 304, 'up to a thousand') or diag(scalar @$got);

my ($after, @pages);

while (my @some = @{ page($admin, 50, $after) }) {
    push @pages, map { $_->{id} } @some;
    $after = $pages[-1];
}

is(join(' ', @pages), join(' ', map { $_->{id} } @$got), 'pages are all of it');
is(scalar(grep { $_->{name} =~ /^n\d*[02468]$/ } @{ page($editor, 1000) }), 0,
   'of an EDITOR, those of their own making');
is(code($admin, $page, { f => 0 }), 'BAD_USER_INPUT', 'none is no page');
is(code($admin, $page, { f => 1001 }), 'BAD_USER_INPUT', 'nor are too many');
is(code($admin, $page, { a => 'x' }), 'NOT_FOUND', 'an id is one');

ok($s->stop, 'stopped');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
