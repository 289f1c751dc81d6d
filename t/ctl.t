#!/usr/bin/perl
#
# promptctl: usage, migration, users, keys and their revocation, and how it
# bears an endpoint that is not there or not GraphQL.  What it does by GraphQL
# is in t/ctl_graphql.t.

use strict;
use warnings;

use File::Temp qw(tempdir);
use IO::Socket::INET;
use JSON::PP ();
use POSIX qw(_exit);
use Test::More;
use Time::HiRes qw(time sleep);

use lib 't/lib';
use PromptTest::Env;

my $ctl = $PromptTest::Env::promptctl;
my $next = "$PromptTest::Env::build/next/expand/promptctl";
my $dir = tempdir(CLEANUP => 1);
my $uuid = qr/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;
my $services = PromptTest::Env::services();
my $password = 'canary-ctl-password';
my (@databases, @roles);


# ctl(ARGS...): exit status, standard output, standard error
sub ctl
{
    my $pid = fork;

    if ($pid == 0) {
        open STDOUT, '>', "$dir/out" or die;
        open STDERR, '>', "$dir/err" or die;
        open STDIN, '<', '/dev/null' or die;
        exec { $ctl } 'promptctl', @_ or _exit(127);
    }

    waitpid $pid, 0;

    my ($status, $out, $err) = ($?, slurp("$dir/out"), slurp("$dir/err"));

    return ($status & 127 ? -1 : $status >> 8, $out, $err);
}

sub slurp
{
    open my $in, '<', $_[0] or return '';
    local $/;
    my $text = <$in>;

    return defined $text ? $text : '';
}

sub database
{
    my $name = "t_ctl_${$}_" . @databases;

    push @databases, $name;
    PromptTest::Env::psql("CREATE DATABASE $name", 'postgres');

    return $name;
}

sub conninfo
{
    return "host=$services->{SERVICES_PG_HOST} user=postgres dbname=$_[0]";
}

sub redis
{
    return PromptTest::Env::redis(@_);
}

my $db = database();
my $prefix = "$db:";

$ENV{PROMPT_DATABASE_URL} = conninfo($db);
$ENV{PROMPT_REDIS} = "unix:$services->{SERVICES_REDIS} prefix=$prefix";
delete @ENV{qw(PROMPT_URL PROMPT_API_KEY)};


subtest 'usage' => sub {
    my ($rc, $out, $err) = ctl('--help');
    is($rc, 0, '--help');
    is($err, '', 'to standard output, alone');

    my @commands = $out =~ /^  ((?:user |key |project |dataset )?[a-z-]+) {2,}\S/mg;

    is_deeply(\@commands,
              ['migrate', 'user add', 'user list', 'user password',
               'user disable', 'user enable', 'user delete',
               'project list', 'project add', 'project member', 'key add',
               'key list', 'key delete', 'audit', 'prune', 'restore-check',
               'prompts',
               'show', 'run', 'render', 'label', 'executions', 'export', 'import',
               'diff', 'dataset export', 'dataset import', 'eval'],
              'has all commands');

    for my $command (@commands) {
        my @words = split / /, $command;

        ($rc, $out, $err) = ctl(@words, '--help');
        ok($rc == 0 && $err eq '' && $out =~ /^Usage: promptctl \Q$command\E/,
           "$command --help");
    }

    ($rc, $out, $err) = ctl('--version');
    ok($rc == 0 && $out =~ /^promptctl \d+\.\d+\.\d+\n\z/, '--version');

    # a usage is one line, as --help has it
    for my $command (['run'], ['prompts', 'extra']) {
        my ($usage) = (ctl($command->[0], '--help'))[1]
                      =~ /^Usage: (.*?)\n\n/s;

        $usage =~ s/\s+/ /g;
        $usage =~ s/ \z//;

        ($rc, $out, $err) = ctl(@$command);
        like($err, qr/^promptctl: usage: \Q$usage\E\n/, "@$command: $usage");
    }

    like((ctl('user'))[2], qr/^promptctl: "user" is half a command, such as "user list"\n/,
         'a command that wants another word');

    for my $wrong ([], ['nonsense'], ['key'], ['key', 'nonsense'],
                   ['user', 'add'], ['user', 'add', 'a@b', 'c'],
                   ['user', 'list', '--nonsense'], ['user', 'list', '-x'],
                   ['user', 'add', 'a@b.c', '--name'],
                   ['user', 'list', '--json=yes'],
                   ['user', 'add', 'no address'], ['user', 'add', '@b'],
                   ['user', 'add', 'a@b@c'], ['user', 'add', ''],
                   ['key', 'add', 'a@b.c'],
                   ['key', 'add', 'a@b.c', '--name', ''],
                   ['key', 'add', 'a@b.c', '--name', 'n' x 129],
                   ['key', 'add', 'a@b.c', '--name', '  '],
                   ['key', 'add', 'a@b.c', '--name', "\xe2\x80\x83"],
                   ['key', 'add', 'a@b.c', '--name', "a\nb"],
                   ['key', 'add', 'a@b.c', '--name', "\x1b[2J"],
                   ['key', 'add', 'a@b.c', '--name', "a\xff"],
                   ['user', 'add', 'a@b.c', '--name', ''],
                   ['user', 'add', 'a@b.c', '--name', ' '],
                   ['user', 'add', 'a@b.c', '--name', 'n' x 201],
                   ['user', 'add', 'a@b.c', '--name', "Ann \x1b[31m"],
                   ['user', 'add', "a\t\@b.c"], ['user', 'add', "a\xc2\x85\@b"],
                   ['user', 'add', 'a@' . 'b' x 320],
                   ['key', 'add', 'a@b.c', '--name', 'n', '--scope', 'all'],
                   ['key', 'add', 'a@b.c', '--name', 'n', '--scope', ''],
                   ['key', 'add', 'a@b.c', '--name', 'n', '--scope='],
                   ['key', 'add', 'a@b.c', '--name', 'n', '--scope', 'read',
                    '--scope', ''],
                   ['key', 'add', 'a@b.c', '--name', 'n', '--expires', '90'],
                   ['key', 'add', 'a@b.c', '--name', 'n', '--expires', '0d'],
                   ['key', 'add', 'a@b.c', '--name', 'n', '--expires',
                    '2020-01-01T00:00:00Z'],
                   ['key', 'add', 'a@b.c', '--name', 'n', '--expires',
                    '2030-02-30'],
                   ['key', 'delete', 'x', '--valid', '61s'],
                   ['key', 'delete', 'x', '--redis', 'nothing:'],
                   ['key', 'delete', 'x', '--redis', 'h:1 db=x'],
                   ['key', 'delete', 'x', '--redis', 'h:1 nonsense=x'],
                   ['prompts'], ['show', 'x', 'y'], ['run'],
                   ['run', 'x', '-i', 'y'], ['run', 'x', '-i', 'y:={'],
                   ['run', 'x', '--version', '0']) {
        ($rc, $out, $err) = ctl(@$wrong);
        ok($rc == 2 && $out eq '' && $err =~ /^promptctl: .*\n.*--help/,
           "wrong: @$wrong") or diag("$rc $out $err");
    }
};


subtest 'no database, or none that can be reached' => sub {
    my ($rc, $out, $err);

    {
        local $ENV{PROMPT_DATABASE_URL};
        ($rc, $out, $err) = ctl('user', 'list');
        ok($rc == 2 && $err =~ /PROMPT_DATABASE_URL/, 'it is not set');
    }

    ($rc, $out, $err) = ctl('user', 'list', '--database',
                            "$password nonsense=1");
    ok($rc == 2 && $err !~ /$password/, 'it is no connection string');

    ($rc, $out, $err) = ctl('user', 'list', '--database',
                            "host=/nowhere password=$password");
    ok($rc == 1 && $out eq '' && $err =~ /cannot connect/
       && $err !~ /$password/, 'nobody is there');

    ($rc, $out, $err) = ctl('user', 'list', '--database',
                            "postgresql://nobody:$password\@/$db?host="
                            . $services->{SERVICES_PG_HOST});
    ok($rc == 1 && $err =~ /cannot connect/ && $err !~ /$password/,
       'a wrong password');

    ($rc, $out, $err) = ctl('user', 'list');
    is($rc, 1, 'a database that was not migrated');
    is($err, "promptctl: the database schema is not up to date: run "
             . "\"promptctl migrate\"\n", 'says what to do');
};


subtest 'migrate' => sub {
    my @pids;

    for my $i (1 .. 4) {
        my $pid = fork;

        if ($pid == 0) {
            open STDOUT, '>', "$dir/migrate.$i";
            exec { $ctl } 'promptctl', 'migrate', '--json' or _exit(127);
        }

        push @pids, $pid;
    }

    my $failed = grep { waitpid $_, 0; $? } @pids;
    is($failed, 0, 'four at once: all succeed');

    my @applied = map { scalar @{ JSON::PP::decode_json(
                                      slurp("$dir/migrate.$_"))->{applied} } }
                  1 .. 4;
    is(scalar(grep { $_ } @applied), 1, 'one of them did it');

    my ($rc, $out, $err) = ctl('migrate');
    ok($rc == 0 && $out =~ /^the database schema is at version \d+\n\z/
       && $err eq '', 'again: nothing to do');

    ($rc, $out, $err) = ctl('migrate', '--grant', 'no such role "');
    ok($rc == 1 && $err =~ /no such role/, 'a role that is not there');

    PromptTest::Env::psql("INSERT INTO prompt_migrations (version, name,"
                          . " checksum) VALUES (9999, 'x', 'x')", $db);
    ($rc, $out, $err) = ctl('migrate');
    ok($rc == 1 && $err =~ /newer than this promptctl/,
       'refuses a database that is newer');
    ($rc, $out, $err) = ctl('user', 'list');
    ok($rc == 1 && $err =~ /newer than this promptctl/,
       'so do the other commands');

    PromptTest::Env::psql('UPDATE prompt_migrations SET compatible_with = 1'
                          . ' WHERE version = 9999', $db);
    ($rc, $out, $err) = ctl('migrate');
    ok($rc == 0 && $out eq "the database schema is at version 9999\n",
       'bears one that is newer and says so');
    ($rc, $out, $err) = ctl('user', 'list');
    is($rc, 0, 'so do the other commands');
    PromptTest::Env::psql('DELETE FROM prompt_migrations WHERE version = 9999',
                          $db);

    PromptTest::Env::psql("UPDATE prompt_migrations SET checksum = reverse"
                          . "(checksum)", $db);
    ($rc, $out, $err) = ctl('migrate');
    ok($rc == 1 && $err =~ /migrated with a different 0001_/,
       'refuses where a migration was another');
    PromptTest::Env::psql("UPDATE prompt_migrations SET checksum = reverse"
                          . "(checksum)", $db);

    my $ascii = "${db}_ascii";
    push @databases, $ascii;
    PromptTest::Env::psql("CREATE DATABASE $ascii TEMPLATE template0 ENCODING"
                          . " 'SQL_ASCII' LOCALE 'C'", 'postgres');
    ($rc, $out, $err) = ctl('migrate', '--database', conninfo($ascii));
    ok($rc == 1 && $err =~ /UTF8/, 'refuses another encoding');

    my $taken = database();
    PromptTest::Env::psql('CREATE TABLE executions ()', $taken);
    ($rc, $out, $err) = ctl('migrate', '--database', conninfo($taken));
    ok($rc == 1 && $err =~ /already exists.*nothing was changed/,
       'a failure');
    is(PromptTest::Env::psql("SELECT count(*) FROM pg_tables WHERE schemaname"
                             . " = 'public'", $taken), "1\n",
       'leaves nothing behind');
};


# A release to come (t/fixtures/migrations), with a role that has rights, and a
# table that is held while promptctl comes.
subtest 'migrate while the service runs' => sub {
    my $old = database();
    my $role = "t_ctl_old_$$";
    my $user = '01890000-0000-7000-8000-000000000001';
    my ($rc, $out, $err) = ctl('migrate', '--database', conninfo($old));

    is($rc, 0, 'the schema of this release') or diag($err);
    push @roles, $role;
    PromptTest::Env::psql(<<"END", $old);
CREATE ROLE $role;
GRANT UPDATE (last_version) ON prompts TO $role;
INSERT INTO users (id, email) VALUES ('$user', 'old\@example.org');
INSERT INTO prompts (id, owner_id, name, category, updated_at)
    SELECT gen_random_uuid(), '$user', 'old-' || n, 'GENERAL', now()
    FROM generate_series(1, 1200) n;
END

    my $held = fork;

    if ($held == 0) {
        open STDOUT, '>', '/dev/null';
        PromptTest::Env::psql("BEGIN; SELECT count(*) FROM prompts;"
                              . " SELECT pg_sleep(4); COMMIT", $old);
        _exit(0);
    }

    sleep 0.1 until PromptTest::Env::psql("SELECT count(*) FROM pg_locks WHERE"
        . " relation = 'prompts'::regclass", $old) > 0;

    my @pids = map {
        my $pid = fork;

        if ($pid == 0) {
            open STDOUT, '>', "$dir/again.$_";
            exec { $next } 'promptctl', 'migrate', '--database',
                           conninfo($old) or _exit(127);
        }

        $pid;
    } 1 .. 2;

    is(scalar(grep { waitpid $_, 0; $? } @pids), 0,
       'two, while a table is held: both succeed');
    waitpid $held, 0;

    is(join('', sort map { slurp("$dir/again.$_") =~ /^(?!applied).*\n/mg }
                     1 .. 2),
       "prompts are read for keys\n" . "prompts get keys\n" x 3
       . "prompts want keys\n"
       . "the database schema is at version 4\n" x 2,
       'one of them took the steps, and said which');
    is(PromptTest::Env::psql("SELECT count(*) FROM pg_index WHERE indexrelid IN"
                             . " (to_regclass('prompts_next_idx'),"
                             . " to_regclass('api_keys_next_idx'))"
                             . ' AND indisvalid', $old), "2\n",
       'the indexes are there');
    is(PromptTest::Env::psql("SELECT has_column_privilege('$role', 'prompts',"
                             . " 'state', 'UPDATE'),"
                             . " has_function_privilege('$role',"
                             . " 'prompt_remove(uuid, integer, uuid, integer,"
                             . " integer)', 'EXECUTE')", $old), "t|t\n",
       'the role has the new rights without being named');
    is(PromptTest::Env::psql('SELECT count(*), count(next_key) FROM prompts',
                             $old), "1200|1200\n", 'what was there has keys');
    is(PromptTest::Env::psql('SELECT string_agg(coalesce(compatible_with::text,'
                             . " '-'), ',' ORDER BY version)"
                             . ' FROM prompt_migrations', $old), "-,1,1,1\n",
       'migrations say what they bear');

    # as a promptctl leaves it that was killed
    PromptTest::Env::psql("UPDATE pg_index SET indisvalid = false WHERE"
                          . " indexrelid = 'api_keys_next_idx'::regclass;"
                          . ' DROP INDEX prompts_next_idx', $old);
    $out = `$next migrate --database '@{[ conninfo($old) ]}' 2>&1`;
    is($out, "the database schema is at version 4\n", 'again');
    is(PromptTest::Env::psql("SELECT count(*) FROM pg_index WHERE indexrelid IN"
                             . " (to_regclass('prompts_next_idx'),"
                             . " to_regclass('api_keys_next_idx'))"
                             . ' AND indisvalid', $old), "2\n",
       'an index that was left unfinished is made anew, a missing one, too');

    # and a step that another one has taken back
    PromptTest::Env::psql('ALTER TABLE prompts DROP CONSTRAINT'
                          . ' prompts_next_check', $old);
    $out = `$next migrate --database '@{[ conninfo($old) ]}' 2>&1`;
    is($out, "prompts want keys\nprompts are read for keys\n"
             . "the database schema is at version 4\n",
       'steps go on from what is there');

    # one that fails
    PromptTest::Env::psql('ALTER TABLE prompts DROP CONSTRAINT'
                          . ' prompts_next_check; DROP TRIGGER prompts_next ON'
                          . ' prompts; UPDATE prompts SET next_key = NULL WHERE'
                          . " name = 'old-1'; CREATE FUNCTION no() RETURNS"
                          . " trigger LANGUAGE plpgsql AS 'BEGIN RAISE"
                          . " ''no keys''; END'; CREATE TRIGGER no BEFORE UPDATE"
                          . ' ON prompts FOR EACH ROW EXECUTE FUNCTION no()',
                          $old);
    $out = `$next migrate --database '@{[ conninfo($old) ]}' 2>&1`;
    is($? >> 8, 1, 'a step that fails');
    is($out, "prompts get keys\npromptctl: prompts get keys: no keys (SQLSTATE"
             . ' P0001); the schema is up to date, run "promptctl migrate"'
             . " again for the rest\n", 'is told, and what to do');
};


# refused($role, $sql): whether PostgreSQL denies it; what it says is not shown
sub refused
{
    my ($role, $sql) = @_;

    open my $kept, '>&', \*STDERR or die;
    open STDERR, '>', "$dir/psql" or die;

    eval { PromptTest::Env::psql("SET SESSION AUTHORIZATION $role;"
                                . " $sql", $db) };

    open STDERR, '>&', $kept or die;

    return scalar(slurp("$dir/psql") =~ /permission denied|must be/);
}


# planted($role): who ran what $role created for prompt_remove() to come upon
sub planted
{
    my ($role) = @_;

    PromptTest::Env::psql(<<"END", $db);
CREATE TABLE planted (who text);
GRANT INSERT ON planted TO PUBLIC;
GRANT CREATE ON SCHEMA public TO $role;
INSERT INTO users (id, email) VALUES (gen_random_uuid(), 'planted\@a');
INSERT INTO prompts (id, owner_id, name, category, updated_at, state,
                     last_version)
    SELECT gen_random_uuid(), id, '/', 'GENERAL', now(), 1, 1 FROM users
     WHERE email = 'planted\@a';
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    SELECT gen_random_uuid(), id, owner_id, 1, '', '{}' FROM prompts
     WHERE state = 1;
SET SESSION AUTHORIZATION $role;
CREATE FUNCTION public.planted() RETURNS int LANGUAGE sql AS \$\$
    INSERT INTO planted VALUES (current_user);
    SELECT 1;
\$\$;
CREATE FUNCTION public.pg_column_size(text) RETURNS int LANGUAGE sql
    AS 'SELECT public.planted()';
CREATE FUNCTION public.pg_column_size(json) RETURNS int LANGUAGE sql
    AS 'SELECT public.planted()';
CREATE FUNCTION public.times(int, interval) RETURNS interval LANGUAGE sql
    AS 'SELECT public.planted(); SELECT \$2';
CREATE OPERATOR public.* (LEFTARG = int, RIGHTARG = interval,
                          FUNCTION = public.times);
SELECT prompt_remove(NULL, NULL, NULL, 100, 10);
RESET SESSION AUTHORIZATION;
DROP OPERATOR public.* (int, interval);
DROP FUNCTION public.times, public.pg_column_size(text),
              public.pg_column_size(json), public.planted;
DELETE FROM users WHERE email = 'planted\@a';
REVOKE CREATE ON SCHEMA public FROM $role;
END

    my $who = PromptTest::Env::psql('SELECT who FROM planted', $db);

    PromptTest::Env::psql('DROP TABLE planted', $db);

    return $who;
}


subtest 'least privilege' => sub {
    my $role = "t_ctl_role_$$";

    push @roles, $role;
    PromptTest::Env::psql("CREATE ROLE $role LOGIN", $db);

    my ($rc, $out, $err) = ctl('migrate', '--grant', $role);
    is($rc, 0, 'rights for a role') or diag($err);

    my $set = "SELECT setconfig FROM pg_db_role_setting s, pg_database d"
              . " WHERE s.setrole = '$role'::regrole AND s.setdatabase = d.oid"
              . " AND d.datname = '$db'";

    like(PromptTest::Env::psql($set, $db),
         qr/plan_cache_mode=force_generic_plan,jit=off,statement_timeout=4500ms
            ,lock_timeout=3s,idle_in_transaction_session_timeout=10s/x,
         'and what the service wants of its connections');

    PromptTest::Env::psql("ALTER ROLE $role IN DATABASE $db SET"
                          . " statement_timeout = '7s'", $db);
    ($rc, $out, $err) = ctl('migrate', '--grant', $role);
    like(PromptTest::Env::psql($set, $db), qr/statement_timeout=7s/,
         'what it has of its own stays');

    is(PromptTest::Env::psql("SELECT has_function_privilege('public',"
                             . " 'prompt_remove(uuid, integer, uuid, integer,"
                             . " integer)', 'EXECUTE')", $db), "f\n",
       'removing is for nobody else');

    # PostgreSQL 13 and 14 let everybody create in the schema "public"
    is(planted($role), '', 'and calls nothing that anybody else has made');

    # somebody else's table in the same database, and what docs/operating.md revokes
    PromptTest::Env::psql('CREATE TABLE another (a int);'
                          . "REVOKE TEMPORARY ON DATABASE $db FROM PUBLIC",
                          $db);

    for my $sql ('CREATE TABLE x ()', 'DROP TABLE prompts',
                 'ALTER TABLE prompts ADD x int', 'TRUNCATE prompts',
                 'INSERT INTO users (id, email, disabled_at) VALUES'
                 . " (gen_random_uuid(), 'a\@b', NULL)",
                 'UPDATE users SET disabled_at = NULL',
                 'SELECT prompt_user_bury(NULL)',
                 'DELETE FROM users', 'DELETE FROM api_keys',
                 'DELETE FROM prompt_versions', 'DELETE FROM executions',
                 'UPDATE api_keys SET user_id = user_id',
                 'UPDATE api_keys SET hash = hash',
                 'UPDATE prompts SET owner_id = owner_id',
                 "UPDATE prompt_versions SET content = ''",
                 'UPDATE executions SET executed_by = executed_by',
                 'UPDATE audit SET detail = NULL', 'DELETE FROM audit',
                 'TRUNCATE audit',
                 'UPDATE idempotency_keys SET fingerprint = fingerprint',
                 'INSERT INTO prompt_migrations VALUES (2)',
                 "COPY users TO PROGRAM 'true'", "COPY users TO '/tmp/users'",
                 "COPY users FROM '/etc/passwd'",
                 "SELECT pg_read_file('/etc/passwd')",
                 "SELECT pg_ls_dir('/')", "SELECT lo_import('/etc/passwd')",
                 'CREATE SCHEMA x', 'CREATE SEQUENCE x', 'CREATE ROLE x',
                 "CREATE VIEW x AS SELECT 1 AS a", 'CREATE TYPE x AS ENUM ()',
                 "CREATE FUNCTION x() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                 "CREATE TRIGGER x AFTER INSERT ON prompts FOR EACH ROW"
                 . ' EXECUTE FUNCTION suppress_redundant_updates_trigger()',
                 'CREATE INDEX ON prompts (name)', 'CREATE EXTENSION dblink',
                 'DROP FUNCTION prompt_fold(text)', 'CREATE TEMP TABLE x ()',
                 "ALTER SYSTEM SET work_mem = '1MB'", 'CHECKPOINT',
                 'SET session_replication_role = replica',
                 'SET ROLE postgres', 'SELECT * FROM pg_authid',
                 'SELECT * FROM another') {
        is(refused($role, $sql), 1, "may not: $sql");
    }

    # all that it has is told by PostgreSQL itself
    is(PromptTest::Env::psql(<<"END", $db), <<'END', 'and has no other rights');
SELECT c.relname, string_agg(p, ',' ORDER BY p)
  FROM pg_class c,
       unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE',
                    'REFERENCES', 'TRIGGER']) p
 WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p', 'S')
   AND c.relnamespace NOT IN ('pg_catalog'::regnamespace,
                              'information_schema'::regnamespace,
                              'pg_toast'::regnamespace)
   AND has_table_privilege('$role', c.oid, p)
 GROUP BY 1 ORDER BY 1;
SELECT 'owns', count(*) FROM pg_shdepend
 WHERE refobjid = '$role'::regrole AND deptype = 'o';
SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls
  FROM pg_roles WHERE rolname = '$role';
END
api_keys|INSERT,SELECT
audit|INSERT,SELECT
budget_slots|INSERT,SELECT
budgets|DELETE,INSERT,SELECT
dataset_items|DELETE,INSERT,SELECT
datasets|INSERT,SELECT
executions|INSERT,SELECT
idempotency_keys|DELETE,INSERT,SELECT
log_entries|SELECT
log_kinds|SELECT
log_mark|SELECT
log_waiting|SELECT
project_invitations|DELETE,INSERT,SELECT
project_members|INSERT,SELECT
project_room|SELECT
projects|INSERT,SELECT
prompt_label_moves|INSERT,SELECT
prompt_labels|DELETE,INSERT,SELECT
prompt_migrations|SELECT
prompt_versions|INSERT,SELECT
prompts|DELETE,INSERT,SELECT
run_cells|DELETE,INSERT,SELECT
runs|INSERT,SELECT
scores|DELETE,INSERT,SELECT
statistics|SELECT
users|SELECT
owns|0
f|f|f|f|f
END

    for my $table (qw(users api_keys prompts prompt_versions executions
                      idempotency_keys prompt_migrations)) {
        ok(eval { PromptTest::Env::psql("SET ROLE $role; SELECT count(*) FROM"
                                        . " $table", $db); 1 },
           "may read $table");
    }
};


subtest 'user' => sub {
    my ($rc, $out, $err) = ctl('user', 'add', 'ann@example.org', '--name',
                               "Ann \xc3\x93");
    ok($rc == 0 && $out =~ /^$uuid\n\z/ && $err eq '', 'add prints the id');
    chomp(my $id = $out);

    ($rc, $out, $err) = ctl('user', 'add', 'ANN@example.org');
    ok($rc == 1 && $out eq '' && $err =~ /already a user ANN\@example.org/,
       'the same address');

    ($rc, $out, $err) = ctl('user', 'add', 'bob@example.org', '--json');
    my $bob = JSON::PP::decode_json($out);
    ok($rc == 0 && $bob->{id} =~ /^$uuid\z/ && !defined $bob->{name}
       && $bob->{email} eq 'bob@example.org', 'add --json');

    # stored by something else, or before names were checked
    PromptTest::Env::psql("UPDATE users SET name = E'Ann \\x1b[31m' WHERE name "
                          . "LIKE 'Ann%'", $db);

    ($rc, $out, $err) = ctl('user', 'list');
    like($out, qr/^ID\s+EMAIL\s+NAME\s+CREATED\n$id  ann\@example.org  Ann \?/,
         'list');
    unlike($out, qr/\x1b/, 'nothing moves the cursor');

    ($rc, $out, $err) = ctl('--json', 'user', 'list');
    is_deeply([map { $_->{email} } @{ JSON::PP::decode_json($out) }],
              ['ann@example.org', 'bob@example.org'], 'list --json');
};


subtest 'key' => sub {
    my ($rc, $out, $err) = ctl('key', 'add', 'Ann@Example.org', '--name', 'k');
    ok($rc == 0 && $out =~ /^pmt_[0-9A-Za-z]{38}\n\z/ && $err eq '',
       'add prints the key') or diag($err);
    chomp(my $key = $out);

    ($rc, $out, $err) = ctl('key', 'add', 'zoe@example.org', '--name', 'k');
    ok($rc == 1 && $err =~ /no user zoe\@example.org/, 'an unknown address');

    ($rc, $out, $err) = ctl('key', 'add', 'ann@example.org', '--name', 'k2',
                            '--scope', 'keys', '--scope=read', '--expires',
                            '2d', '--json');
    my $made = JSON::PP::decode_json($out);
    my $shown = $made->{apiKey};

    like($made->{key}, qr/^pmt_/, 'add --json');
    is_deeply($shown->{scopes}, ['read', 'keys'], 'scopes');
    is($shown->{hint}, substr($made->{key}, 0, 8) . "\x{2026}"
                       . substr($made->{key}, -4), 'hint');
    like($shown->{expiresAt}, qr/^\d{4}-\d\d-\d\dT/, 'expiry');

    for my $when ('2099-12-31T23:59:59Z', '2099-12-31', '90d') {
        ($rc, $out, $err) = ctl('key', 'add', 'bob@example.org', '--name', 'x',
                                '--expires', $when);
        is($rc, 0, "--expires $when");
    }

    ($rc, $out, $err) = ctl('key', 'add', 'ann@example.org', '--name', 'x',
                            '--scope', 'all');
    ok($rc == 2 && $err =~ /must be read, write, execute, keys, admin or promot/,
       'an unknown scope');

    # projects: of which the user is a member, by id or by a name that is one's

    my @teams = map { "01890000-0000-7000-8000-00000000000$_" } 1 .. 4;

    PromptTest::Env::psql(<<"END", $db);
INSERT INTO projects (id, name) VALUES ('$teams[0]', 'Team'),
    ('$teams[1]', 'Twins'), ('$teams[2]', 'Twins'), ('$teams[3]', 'Left');
INSERT INTO project_members (project_id, user_id, role)
    SELECT p.id, u.id, CASE p.name WHEN 'Left' THEN 0 ELSE 2 END
        FROM projects p, users u
        WHERE p.user_id IS NULL AND u.email = 'bob\@example.org';
END

    for my $given ('Team', uc $teams[0], $teams[1]) {
        ($rc, $out, $err) = ctl('key', 'add', 'bob@example.org', '--name', 'p',
                                '--project', $given, '--scope', 'admin',
                                '--scope', 'promote', '--json');
        my $shown = JSON::PP::decode_json($out)->{apiKey};

        is("@{$shown->{scopes}} $shown->{projectId}",
           'admin promote ' . ($given eq $teams[1] ? $given : $teams[0]),
           "--project $given");
    }

    for my $case (['bob', 'Twins', 'more than one.*give its id'],
                  ['bob', 'Left', 'no project "Left"'],
                  ['bob', 'team', 'no project "team"'],
                  ['bob', $teams[3], 'no project'],
                  ['ann', $teams[0], 'ann\@example\.org is a member of no'])
    {
        ($rc, $out, $err) = ctl('key', 'add', "$case->[0]\@example.org",
                                '--name', 'p', '--project', $case->[1]);
        ok($rc == 1 && $out eq '' && $err =~ /$case->[2]/,
           "--project $case->[1] of $case->[0]") or diag($err);
    }

    ($rc, $out, $err) = ctl('key', 'list', 'bob@example.org', '--json');
    is(join(' ', map { "$_->{name}:$_->{project}" }
                 @{ JSON::PP::decode_json($out) }),
       'p:Twins p:Team p:Team x:Personal x:Personal x:Personal',
       'the list says in which project each acts');

    ($rc, $out, $err) = ctl('key', 'list', 'ann@example.org');
    like($out, qr/^ID\s+NAME\s+HINT\s+SCOPES\s+PROJECT\s+CREATED\s+EXPIRES
                  \s+USED\n
                  $uuid\ \ k2\s.*\sread,keys\s+Personal\s.*\n
                  $uuid\ \ k\s.*\sall\s+Personal\s.*\snever\n\z/x, 'list');
    unlike($out, qr/\Q$key\E/, 'without the keys');

    my $rows = PromptTest::Env::psql('SELECT api_keys::text FROM api_keys',
                                     $db);
    unlike($rows, qr/\Q$key\E/, 'nor are they in the database');

    ($rc, $out, $err) = ctl('key', 'list', 'ann@example.org', '--json');
    my %ids = map { $_->{name} => $_->{id} }
              @{ JSON::PP::decode_json($out) };

    ($rc, $out, $err) = ctl('key', 'delete', $key);
    ok($rc == 1 && $err !~ /\Q$key\E/, 'the key itself is no id');
    ($rc, $out, $err) = ctl('key', 'delete',
                            '01a1fdd6-6a2c-7449-b291-1df8801b6bf4');
    ok($rc == 1 && $err =~ /there is no key/, 'nor is any other id');

    my $hash = PromptTest::Env::psql("SELECT encode(hash, 'hex') FROM"
                                     . " api_keys WHERE id = '$ids{k}'", $db);
    chomp $hash;
    my $own = PromptTest::Env::psql("SELECT lpad(to_hex(prompt_identity()),"
                                    . " 16, '0')", $db);
    chomp $own;
    my @names = map { "$prefix$own:$_:{$hash}" } qw(key lease);

    redis('SET', $_, 'x') for @names;
    redis('SET', "${prefix}other", 'x');

    ($rc, $out, $err) = ctl('key', 'delete', $ids{k});
    ok($rc == 0 && $out eq '' && $err eq '', 'delete') or diag($err);
    is(redis('EXISTS', @names), "0\n", 'entry and lease are gone from Redis');
    is(redis('EXISTS', "${prefix}other"), "1\n", 'and nothing else');

    redis('SET', $names[0], 'x');
    ($rc, $out, $err) = ctl('key', 'delete', $ids{k});
    is($rc, 0, 'delete again');
    is(redis('EXISTS', @names), "0\n", 'repeats the step in Redis');
    redis('DEL', "${prefix}other");

    ($rc, $out, $err) = ctl('key', 'list', 'ann@example.org', '--json');
    is_deeply([map { $_->{name} } @{ JSON::PP::decode_json($out) }], ['k2'],
              'it is not listed');

    # Redis away: what was cached must have expired before it says so
    my $start = time;

    ($rc, $out, $err) = ctl('key', 'delete', $ids{k2}, '--redis',
                            'unix:/nowhere password=canary-redis', '--valid',
                            '500ms');
    my $took = time - $start;

    is($rc, 0, 'Redis away');
    ok($took >= 2.4 && $took < 5, 'it waits valid and lease')
        or diag($took);
    like($err, qr/cannot revoke the key in Redis.*waiting up to 3 s/,
         'and says so');
    unlike($err, qr/canary-redis/, 'without the password');

    $start = time;
    ($rc, $out, $err) = ctl('key', 'delete', $ids{k2}, '--redis',
                            "unix:$services->{SERVICES_REDIS} password=wrong",
                            '--valid', '0s');
    ok($rc == 0 && time - $start >= 1.9 && $err =~ /AUTH/,
       'so it does where Redis refuses');
};


# answer($text, $code): an endpoint that says $text to everybody, and ends
sub answer
{
    my ($text, @args) = @_;
    my $listen = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1',
                                       ReuseAddr => 1) or die;
    my $pid = fork;

    if ($pid == 0) {
        alarm 60;                    # nobody comes

        my $socket = $listen->accept;
        my ($head, $len) = ('', 0);

        while (defined(my $line = <$socket>)) {
            $head .= $line;
            $len = $1 if $line =~ /^Content-Length: (\d+)/i;
            last if $line eq "\r\n";
        }

        my $body;
        read $socket, $body, $len;

        open my $out, '>', "$dir/request" or die;
        print $out $head, $body;
        close $out;

        print $socket $text;
        close $socket;
        _exit(0);
    }

    my @result = ctl(@args, '--url',
                     'http://127.0.0.1:' . $listen->sockport . '/graphql');
    close $listen;
    waitpid $pid, 0;

    return @result;
}

sub http
{
    my ($status, $body) = @_;

    return "HTTP/1.1 $status\r\nContent-Type: application/json\r\n"
           . 'Content-Length: ' . length($body)
           . "\r\nConnection: close\r\n\r\n$body";
}


subtest 'project' => sub {
    PromptTest::Env::psql('DELETE FROM projects WHERE user_id IS NULL', $db);

    my ($rc, $out, $err) = ctl('project', 'add', 'Acme', '--owner',
                               'Ann@example.org');
    ok($rc == 0 && $out =~ /^$uuid\n\z/ && $err eq '', 'add prints the id')
        or diag $err;
    chomp(my $id = $out);

    for (['project', 'add', ''], ['project', 'add', "a\x01", '--owner', 'x@y'],
         ['project', 'add', 'x'], ['project', 'add', 'x' x 101, '--owner', 'x'],
         ['project', 'member', 'Acme', 'bob@example.org', 'admin'],
         ['project', 'member', 'Acme', 'bob@example.org'])
    {
        is((ctl(@$_))[0], 2, join ' ', map { substr $_, 0, 20 } @$_);
    }

    ($rc, $out, $err) = ctl('project', 'add', 'x', '--owner', 'zoe@example.org');
    ok($rc == 1 && $err =~ /no user zoe/, 'an unknown owner');

    for my $project ('Acme', $id, uc $id) {
        ($rc, $out, $err) = ctl('project', 'member', $project,
                                'bob@example.org', 'EDITOR');
        ok($rc == 0 && $err eq '', "a member of $project") or diag $err;
    }

    ($rc, $out, $err) = ctl('project', 'list');
    like($out, qr/^ID\s+NAME\s+MEMBERS\s+OWNERS\s+CREATED\n
                  $id\ \ Acme\s+2\s+ann\@example\.org\s.*\n\z/x, 'list');
    ($rc, $out, $err) = ctl('project', 'list', '--json');
    is_deeply([ map { "$_->{name} $_->{members}" }
                @{ JSON::PP::decode_json($out) } ], ['Acme 2'], 'list --json');

    my $key = "INSERT INTO api_keys (id, user_id, project_id, hash, name, hint)"
              . " SELECT gen_random_uuid(), user_id, project_id,"
              . " sha256('x'), 'p', 'x' FROM project_members WHERE role = 2";
    PromptTest::Env::psql($key, $db);

    ($rc, $out, $err) = ctl('project', 'member', 'Acme', 'ann@example.org',
                            'none');
    ok($rc == 1 && $err =~ /only OWNER/, 'one OWNER stays');
    ($rc, $out, $err) = ctl('project', 'member', 'Acme', 'ann@example.org',
                            'VIEWER');
    ok($rc == 1 && $err =~ /only OWNER/, 'whatever else is wanted');
    ($rc, $out, $err) = ctl('project', 'member', 'Acme', 'bob@example.org',
                            'none');
    ok($rc == 0 && $err eq '', 'none') or diag $err;
    is(PromptTest::Env::psql("SELECT role FROM project_members WHERE project_id"
                             . " = '$id' ORDER BY role", $db), "0\n4\n",
       'is no member');
    is(PromptTest::Env::psql('SELECT deleted_at IS NOT NULL FROM api_keys WHERE'
                             . " project_id = '$id'", $db), "t\n",
       'nor has a key there');
    ($rc, $out, $err) = ctl('project', 'member', 'Acme', 'bob@example.org',
                            'none');
    is($rc, 0, 'once more');

    ($rc, $out, $err) = ctl('project', 'member', 'Acme', 'carl@example.org',
                            'VIEWER');
    ok($rc == 1 && $err =~ /no user carl/, 'no user');
    ($rc, $out, $err) = ctl('project', 'member', 'Other', 'bob@example.org',
                            'VIEWER');
    ok($rc == 1 && $err =~ /no project "Other"/, 'no project');
    ctl('project', 'add', 'Acme', '--owner', 'bob@example.org');
    ($rc, $out, $err) = ctl('project', 'member', 'Acme', 'bob@example.org',
                            'VIEWER');
    ok($rc == 1 && $err =~ /several projects/, 'which of two');
    ctl('project', 'add', $id, '--owner', 'bob@example.org');
    ($rc, $out, $err) = ctl('project', 'member', $id, 'bob@example.org',
                            'VIEWER');
    ok($rc == 0 && $err eq '', 'the id, which another has for a name')
        or diag $err;

    PromptTest::Env::psql('DELETE FROM projects WHERE user_id IS NULL', $db);
};


subtest 'prune' => sub {
    my $sum = 'SELECT sum(executions), sum(cost_usd) FROM statistics'
              . ' JOIN log_kinds USING (kind) WHERE hour < 0 AND prompt_id'
              . " = '00000000-0000-0000-0000-000000000000'";

    PromptTest::Env::psql(<<"END", $db);
INSERT INTO users (id, email) VALUES
 ('01890000-0000-7000-8000-0000000000a1', 'prune\@example.com');
INSERT INTO prompts (id, owner_id, name, category, updated_at, last_version)
 VALUES ('01890000-0000-7000-8000-000000000001',
 '01890000-0000-7000-8000-0000000000a1', 'prune', 'GENERAL', now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
 VALUES ('01890000-0000-7000-8000-00000000000a',
 '01890000-0000-7000-8000-000000000001',
 '01890000-0000-7000-8000-0000000000a1', 1, 'x', '{}');
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status,
 cost_usd) SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint
 - n * 3600000::bigint), 12, '0') || '70008000000000000000')::uuid,
 '01890000-0000-7000-8000-000000000001', 1,
 '01890000-0000-7000-8000-0000000000a1', true,
 CASE n WHEN 1500 THEN 'running' WHEN 1501 THEN 'lost' ELSE 'succeeded' END,
 0.1 FROM generate_series(1, 1600) n;
END

    my ($rc, $out, $err) = ctl('prune', '--older-than', '30d', '--dry-run');
    is("$rc|$out", "0|would delete 880 executions\n", 'what it would do')
        or diag($err);
    is(PromptTest::Env::psql('SELECT count(*) FROM executions', $db), "1600\n",
       'was not done');

    ($rc, $out, $err) = ctl('prune', '--older-than', '720h', '--json');
    is("$rc|$out", qq(0|{"deleted":880}\n), 'and what it does') or diag($err);
    is(PromptTest::Env::psql('SELECT count(*) FROM executions WHERE id <'
           . " (lpad(to_hex((extract(epoch FROM now() - interval '30 days')"
           . " * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid", $db), "1\n",
       'what runs stays');

    my ($n) = PromptTest::Env::psql($sum, $db) =~ /^(\d+)\|/;
    ok($n >= 879 && $n <= 1600, "sums stay: $n");

    ($rc, $out, $err) = ctl('prune', '--older-than', '30d');
    is("$rc|$out", "0|deleted 0 executions\n", 'nothing is left');
    is((PromptTest::Env::psql($sum, $db) =~ /^(\d+)\|/)[0], $n,
       'and nothing counted twice');

    # by PostgreSQL's clock, not by one that is ahead of it

    SKIP: {
        my ($lib) = glob '/usr/lib/*/faketime/libfaketime.so.1';

        skip 'no libfaketime here', 1 if !$lib;
        local @ENV{qw(LD_PRELOAD FAKETIME DONT_FAKE_MONOTONIC)}
            = (join(' ', $ENV{TEST_NGINX_LD_PRELOAD} // (), $lib), '+100d', 1);

        ($rc, $out, $err) = ctl('prune', '--older-than', '30d');
        is("$rc|$out", "0|deleted 0 executions\n",
           'nor does a clock of a host make anything old') or diag($err);
    }

    # sums of days go where that is asked for, and nothing else forgets them

    my $days = "SELECT count(*) FROM statistics WHERE hour < 0 AND -1 - hour <"
               . " prompt_id_hour(prompt_id_of(now() - interval '40 days'))"
               . ' / 24 * 24';
    my ($old) = PromptTest::Env::psql($days, $db) =~ /(\d+)/;
    my ($all) = PromptTest::Env::psql('SELECT count(*) FROM statistics', $db)
                =~ /(\d+)/;

    ok($old > 20, "old days: $old");
    ($rc, $out, $err) = ctl('prune', '--statistics-older-than', '40d',
                            '--dry-run', '--json');
    like($out, qr/^\{"wouldDeleteSums":\d+\}$/, 'how many it would forget');
    my ($would) = $out =~ /(\d+)/;
    ok($would >= $old && $would < $all, 'as there are');
    ($rc, $out, $err) = ctl('prune', '--older-than', '60d',
                            '--statistics-older-than', '40d');
    is("$rc|$out", "0|deleted 0 executions\ndeleted $would sums\n",
       'both at once') or diag($err);
    is(PromptTest::Env::psql($days, $db), "0\n", 'those days are forgotten');
    is(PromptTest::Env::psql('SELECT count(*) FROM statistics', $db),
       $all - $would . "\n", 'and no others');

    for my $wrong ([], ['--older-than', '5m'], ['--older-than', 'x'],
                   ['--older-than', '-1d'], ['--dry-run'],
                   ['--statistics-older-than', '23h'],
                   ['--older-than', '90d', '--statistics-older-than', 'x']) {
        ($rc, $out, $err) = ctl('prune', @$wrong);
        is("$rc|$out", '2|', "prune @$wrong");
    }

    PromptTest::Env::psql('DELETE FROM users WHERE id ='
                          . " '01890000-0000-7000-8000-0000000000a1'", $db);
};


subtest 'endpoints' => sub {
    my $key = 'pmt_00000000000000000000000000000000';
    my ($rc, $out, $err) = ctl('prompts', '--url', 'http://127.0.0.1:1/',
                               '--key', "$key\r\nX-Evil: 1");
    ok($rc == 2 && $err !~ /$key/, 'a key that is none goes nowhere');

    ($rc, $out, $err) = ctl('key', 'add', 'bob@example.org', '--name', 'e');
    chomp($key = $out);
    $ENV{PROMPT_API_KEY} = $key;

    ($rc, $out, $err) = ctl('prompts', '--url', 'http://127.0.0.1:1/');
    ok($rc == 1 && $err =~ /does not answer/, 'nobody listens');
    ($rc, $out, $err) = ctl('prompts', '--url', 'file:///etc/passwd');
    ok($rc == 1 && $out eq '', 'another protocol');

    ($rc, $out, $err) = answer(http('401 Unauthorized',
        '{"errors":[{"message":"unauthorized","extensions":'
        . '{"code":"UNAUTHENTICATED"}}]}'), 'prompts');
    ok($rc == 1 && $err eq "promptctl: unauthorized (UNAUTHENTICATED)\n",
       'a key that is refused');
    like(slurp("$dir/request"), qr/^Authorization: Bearer \Q$key\E\r$/m,
         'was sent');

    ($rc, $out, $err) = answer(http('502 Bad Gateway', '<html>'), 'prompts');
    ok($rc == 1 && $out eq '' && $err =~ /HTTP status 502/, 'no GraphQL');

    ($rc, $out, $err) = answer("HTTP/1.1 307 Go\r\nLocation: "
                               . "http://127.0.0.1:1/\r\nContent-Length: 0"
                               . "\r\nConnection: close\r\n\r\n", 'prompts');
    ok($rc == 1 && $err =~ /HTTP status 307/, 'redirects are not followed');

    ($rc, $out, $err) = answer(http('200 OK', '{"data":'), 'prompts');
    is($rc, 1, 'cut off');
    ($rc, $out, $err) = answer('', 'prompts');
    is($rc, 1, 'nothing');
    ($rc, $out, $err) = answer(http('200 OK', '{"data":null}'), 'prompts');
    is($rc, 1, 'no data');
    ($rc, $out, $err) = answer(http('200 OK', '{"data":{"prompts":3}}'),
                               'prompts', '--json');
    ok($rc == 0 || $rc == 1, 'data of another form');
    ($rc, $out, $err) = answer(http('200 OK', '{"data":{"prompts":[]},"errors":'
        . '[{"message":"half","path":["prompts"]}]}'), 'prompts');
    ok($rc == 1 && $out eq '' && $err =~ /half/, 'errors beside data');
    ($rc, $out, $err) = answer(http('200 OK', '{"data":{"prompts":[]},"errors":'
        . '{"message":"half"}}'), 'prompts');
    ok($rc == 1 && $out eq '', 'errors that are no list');
    ($rc, $out, $err) = answer(http('200 OK', '[' x 100000), 'prompts');
    is($rc, 1, 'nested deeply');

    # what others see of the process, while it waits for an answer

    my $listen = IO::Socket::INET->new(Listen => 5, ReuseAddr => 1,
                                       LocalAddr => '127.0.0.1') or die;
    my $url = 'http://127.0.0.1:' . $listen->sockport . '/';
    my $pid = fork;

    if ($pid == 0) {
        open STDERR, '>', '/dev/null';
        exec { $ctl } 'promptctl', 'prompts', '--url', $url, "--key=$key",
             '--database', 'host=x password=geheim' or _exit(127);
    }

    my $socket = $listen->accept;
    my $seen = slurp("/proc/$pid/cmdline");
    close $socket;
    close $listen;
    waitpid $pid, 0;
    ok($seen =~ /prompts/ && index($seen, $key) < 0 && $seen !~ /geheim/,
       'keys and passwords do not stay among the arguments') or diag($seen);

    # to a terminal, which script(1) has where it can be had at all

    if (system('script -qec true /dev/null >/dev/null 2>&1 </dev/null') != 0) {
        note('no terminal');

    } else {
        my $said = JSON::PP::encode_json({ data => { prompts => [{ id =>
                       '01890000-0000-7000-8000-000000000001', name =>
                       "a\x{9b}b\x{7f}c\x{202e}d\x{e9}" }] } });

        for my $how ('--json', '') {
            my $program = $ctl;

            $ctl = '/usr/bin/env';
            ($rc, $out, $err) = answer(http('200 OK', $said), 'sh', '-c',
                'exec script -qec "$0 prompts $1 --url $3" /dev/null',
                $program, $how);
            $ctl = $program;

            my $want = $how ? 'a\u009bb\u007fc\u202ed' . "\xc3\xa9"
                            : "a?b?c?d\xc3\xa9";
            ok(index($out, $want) >= 0, "a terminal: prompts $how")
                or diag($out . $err);
        }
    }

    my @page = map { { id => sprintf('01890000-0000-7000-8000-%012d', $_),
                       name => 'x' } } 1 .. 100;

    ($rc, $out, $err) = answer(http('200 OK', JSON::PP::encode_json(
        { data => { prompts => \@page } })), 'prompts');
    ok($rc == 1 && $out eq '' && $err =~ /not newest first/,
       'pages that go round are not followed');

    for my $name ('../x', '.git', '', "a/b", "a\nb", "a\x{7f}", "a\x{85}") {
        ($rc, $out, $err) = answer(http('200 OK', JSON::PP::encode_json(
            { data => { prompts => [{ name => $name, id =>
                        '01890000-0000-7000-8000-000000000001' }] } })),
            'export', "$dir/export");
        (my $shown = $name) =~ s/[^ -~]/ /g;
        ok($rc == 1 && $err =~ /cannot be a file/ && !-e "$dir/x",
           "no folder \"$shown\" from a name") or diag($err);
    }
};


subtest 'standard output' => sub {
    my $full = system("'$ctl' user list > /dev/full 2> '$dir/err'") >> 8;

    is($full, 1, 'a result that could not be written is a failure');
    like(slurp("$dir/err"), qr/cannot write/, 'and says so');
};


done_testing();

END {
    if (@databases) {
        local $?;

        for my $name (@databases) {
            eval { PromptTest::Env::psql("DROP DATABASE IF EXISTS $name"
                                         . ' WITH (FORCE)', 'postgres') };
        }

        for my $role (@roles) {
            eval { PromptTest::Env::psql("DROP ROLE IF EXISTS $role",
                                         'postgres') };
        }
    }
}
