#!/usr/bin/perl
#
# Executions by the month: months are made ahead, whatever the clocks say; what
# has come where nobody made them becomes one, while it is written and read, and
# promptctl is killed at each step; old ones are dropped, and what was summed up
# stays.

use strict;
use warnings;

use File::Temp qw(tempdir);
use POSIX qw(_exit);
use Test::More;
use Time::HiRes qw(sleep time);

use lib 't/lib';
use PromptTest::Env;

my $ctl = $PromptTest::Env::promptctl;
my $dir = tempdir(CLEANUP => 1);
my $services = PromptTest::Env::services();
my $rows = $ENV{PROMPT_MONTHS_ROWS} || 20000;
my $version = () = glob 'src/store/migrations/*.sql';
my (@databases, @roles);


sub sql { return PromptTest::Env::psql(@_) }

sub slurp
{
    open my $in, '<', $_[0] or return '';
    local $/;
    my $text = <$in>;

    return defined $text ? $text : '';
}

sub conninfo
{
    return "host=$services->{SERVICES_PG_HOST} user=postgres dbname=$_[0]";
}

# ctl(DATABASE, ARGS...): exit status, what it said
sub ctl
{
    my ($db, @args) = @_;

    open my $out, '-|', "PROMPT_DATABASE_URL='" . conninfo($db)
                        . "' $ctl @args 2>&1" or die;
    my $text = join '', <$out>;
    close $out;

    return ($? >> 8, $text);
}

sub database
{
    my $name = "t_months_${$}_" . @databases;

    push @databases, $name;
    sql("CREATE DATABASE $name", 'postgres');

    return $name;
}

# unswept(DATABASE, N): as if nobody had swept for so long that the month N from
# now, and those behind it, have no table
sub unswept
{
    my ($db, $n) = @_;

    sql('BEGIN; DROP TABLE '
        . join(', ', map({ 'executions_' . month($_) } $n .. 2),
               'executions_later')
        . '; SELECT prompt_months_attach(prompt_months_table('
        . "'executions_later'), prompt_id_month(now(), $n), NULL); COMMIT",
        $db);
}

# room(DATABASE): what the parts of executions keep free
sub room
{
    return sql("SELECT DISTINCT ARRAY(SELECT o FROM unnest(c.reloptions) o"
               . " WHERE o LIKE 'fillfactor%') FROM prompt_months_parts() p"
               . " JOIN pg_class c ON c.oid = p.part", $_[0]);
}

# id(TIME): SQL for an id of a time, itself SQL
sub id
{
    return "(lpad(to_hex((extract(epoch FROM $_[0]) * 1000)::bigint), 12, '0')"
           . " || '7000' || '8' || lpad(to_hex((random() * 1e9)::int), 15,"
           . " '0'))::uuid";
}

my $user = '01890000-0000-7000-8000-000000000001';
my $guest = '01890000-0000-7000-8000-000000000002';

sub people
{
    sql(<<"END", $_[0]);
INSERT INTO users (id, email) VALUES ('$user', 'a\@example.org'),
    ('$guest', 'b\@example.org');
INSERT INTO prompts (id, owner_id, name, category, is_public, last_version,
                     updated_at)
    VALUES ('$user', '$user', 'p', 'GENERAL', true, 1, now());
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    VALUES ('$user', '$user', '$user', 1, '', '{}');
END
}

# executions(DATABASE, N, TIME): so many, of a time in which n may be
sub executions
{
    my ($db, $n, $time) = @_;

    sql('INSERT INTO executions (id, prompt_id, version, executed_by,'
        . ' by_owner, owner_id, status, model, token_in, latency_ms,'
        . ' finished_at) SELECT ' . id($time) . ", '$user', 1,"
        . " CASE WHEN n % 10 = 0 THEN '$guest' ELSE '$user' END::uuid,"
        . " n % 10 <> 0, CASE WHEN n % 10 = 0 THEN '$user'::uuid END,"
        . " 'succeeded', 'm' || n % 3, 1, 5, now()"
        . " FROM generate_series(1, $n) n", $db);
}

sub sums
{
    return sql('SELECT user_id, sum(executions), sum(token_in) FROM statistics'
               . ' JOIN log_kinds USING (kind) WHERE hour < 0 AND prompt_id IN'
               . ' (SELECT id FROM prompts) GROUP BY 1 ORDER BY 1', $_[0]);
}

sub parts
{
    return sql('SELECT part FROM prompt_months_parts()', $_[0]);
}

sub month { return sql("SELECT to_char(now() AT TIME ZONE 'UTC'"
                       . " + interval '$_[0] months', 'YYYY_MM')",
                       'postgres') =~ s/\n//r }


# What a module does, by its statements, until a file is there.  Each is said on
# a line when it was acknowledged.
my $statements = <<"END";
DO \$\$
BEGIN
    PERFORM set_config('lock_timeout', '3s', false);
END \$\$;
PREPARE start (uuid) AS INSERT INTO executions (id, prompt_id, version,
    executed_by, by_owner, owner_id, created_at, status, deadline)
    SELECT \$1, v.prompt_id, v.version, '$user', v.owner_id = '$user',
    nullif(v.owner_id, '$user'), now(), 'running', now() + interval '1 minute'
    FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id
    WHERE v.prompt_id = '$user' AND v.version = 1 AND p.state = 0
    FOR KEY SHARE OF v ON CONFLICT DO NOTHING RETURNING id;
PREPARE finish (uuid) AS UPDATE executions SET status = 'succeeded',
    finished_at = now() WHERE id = \$1 AND status IN ('running', 'lost')
    RETURNING id;
PREPARE record (uuid) AS INSERT INTO executions AS e (id, prompt_id, version,
    executed_by, by_owner, created_at, status)
    SELECT \$1, v.prompt_id, v.version, '$user', true, now(), 'succeeded'
    FROM prompt_versions v WHERE v.prompt_id = '$user' AND v.version = 1
    FOR KEY SHARE OF v ON CONFLICT ON CONSTRAINT executions_pkey
    DO UPDATE SET status = 'succeeded' WHERE e.status IN ('running', 'lost') RETURNING id;
PREPARE page AS SELECT count(*) FROM (SELECT id FROM executions
    WHERE executed_by = '$user' AND by_owner ORDER BY id DESC LIMIT 10) x;
END

sub module
{
    my ($db, $n) = @_;
    my $pid = fork;

    return $pid if $pid;

    open my $psql, '|-', 'psql', '-qAtX', '-v', 'ON_ERROR_STOP=1',
                         '-o', "$dir/done.$n",
                         conninfo($db) or _exit(1);
    $psql->autoflush(1);
    print {$psql} $statements;

    for (my $i = 0; !-e "$dir/stop"; $i++) {
        my $verb = $i % 5 ? 'finish' : 'record';

        print {$psql} 'SELECT ' . id('now()') . " AS id \\gset\n"
                      . ($i % 5 ? "EXECUTE start(:'id');\n" : '')
                      . "EXECUTE $verb(:'id');\n"
                      . ($i % 7 ? '' : "\\o /dev/null\nEXECUTE page;\n"
                         . "SELECT prompt_executions_sweep(1000);\n"
                         . "\\o | cat >> $dir/done.$n\n");
        sleep 0.01;
    }

    _exit(close($psql) ? 0 : 1);
}


subtest 'much that nobody made months for' => sub {
    my $db = database();
    my ($rc, $out) = ctl($db, 'migrate');
    my (@pids, %acknowledged);

    people($db);
    is(room($db), "{fillfactor=40}\n", 'months keep room for ends');

    # since so many days; months ahead are as somebody has set them
    unswept($db, 0);
    sql('ALTER TABLE executions_later SET (fillfactor = 60)', $db);
    executions($db, $rows, "greatest(now() - n * interval '20 days' / $rows,"
               . " prompt_id_time(prompt_id_month(now(), 0))"
               . " + interval '1 second')");
    sql('CREATE ROLE t_months_role; GRANT SELECT, UPDATE (status) ON'
        . ' executions TO t_months_role', $db);
    push @roles, 't_months_role';

    @pids = map { module($db, $_) } 1 .. 2;
    sleep 0.1 until -s "$dir/done.1";

    # killed a little later each time, and so in each of its steps
    for my $try (1 .. 12) {
        my $pid = fork;

        if ($pid == 0) {
            open STDOUT, '>', "$dir/migrate.$try";
            $ENV{PROMPT_DATABASE_URL} = conninfo($db);
            exec { $ctl } 'promptctl', 'migrate' or _exit(127);
        }

        sleep 0.02 * $try;
        kill 'KILL', $pid;
        waitpid $pid, 0;
    }

    ($rc, $out) = ctl($db, 'migrate');
    is($rc, 0, 'killed again and again, then done') or diag($out);
    ($rc, $out) = ctl($db, 'migrate');
    is($out, "the database schema is at version $version\n", 'nothing is left to do');

    sleep 0.3;
    open my $stop, '>', "$dir/stop" or die;
    close $stop;
    is(scalar(grep { waitpid $_, 0; $? } @pids), 0, 'a module saw no error');

    $acknowledged{$_} = 1 for map { split /\n/, slurp("$dir/done.$_") } 1 .. 2;
    my %there = map { $_ => 1 } split /\n/,
                sql("SELECT id FROM executions WHERE status = 'succeeded'",
                    $db);
    my @lost = grep { /-/ && !$there{$_} } keys %acknowledged;

    ok(scalar(keys %acknowledged) > 10, 'which did something meanwhile');
    is(scalar @lost, 0, 'and what it was told is there');
    is(sql("SELECT count(*) >= $rows FROM executions_" . month(0), $db), "t\n",
       'what was there is a month');
    like(parts($db), qr/^executions_before\n(executions_\d{4}_\d\d\n){2,3}
                        executions_later\n$/x, 'with those ahead');
    is(sql("SELECT bool_and(c.reloptions @> ARRAY['fillfactor=60']) FROM"
           . ' prompt_months_parts() p JOIN pg_class c ON c.oid = p.part'
           . ' WHERE p.low IS NOT NULL', $db), "t\n", 'each as it was set');
    is(sql("SELECT has_column_privilege('t_months_role', 'executions',"
           . " 'status', 'UPDATE'), has_table_privilege('t_months_role',"
           . " 'executions', 'SELECT'), has_table_privilege('t_months_role',"
           . " 'executions', 'DELETE')", $db), "t|t|f\n", 'rights are the same');
    is(sql("SELECT count(*) FROM pg_constraint WHERE conname"
           . " = 'executions_bound'", $db), "0\n", 'no bound is left');
    is(sql("SELECT count(*), bool_and(indisvalid) FROM pg_index WHERE indrelid"
           . " = 'executions'::regclass", $db), "8|t\n", 'nor an index missing');
    is(sql("SELECT bool_and(c.relname LIKE t.relname || '\\_%') FROM pg_index i"
           . ' JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON'
           . ' t.oid = i.indrelid WHERE t.oid IN (SELECT part FROM'
           . ' prompt_months_parts())', $db), "t\n",
       'indexes have the names of their tables');
};


subtest 'a bound that was left' => sub {
    my $db = database();

    ctl($db, 'migrate');
    people($db);
    unswept($db, 0);
    executions($db, 1500, 'now()');
    sql("DO \$\$ BEGIN EXECUTE format('ALTER TABLE executions_later ADD"
        . " CONSTRAINT executions_bound CHECK (id < %L) NOT VALID',"
        . " prompt_id_of(now() + interval '20 hours')); END \$\$", $db);
    sql('SELECT prompt_executions_sweep(10)', $db);
    is(sql("SELECT count(*) FROM pg_constraint WHERE conname"
           . " = 'executions_bound'", $db), "0\n",
       'the sweeper takes it away before its time comes');

    sql("INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,"
        . " status) VALUES (" . id("now() + interval '9 years'")
        . ", '$user', 1, '$user', true, 'running')", $db);

    open my $kept, '>&', \*STDERR or die;
    open STDERR, '>', "$dir/psql" or die;
    eval { sql('SELECT * FROM prompt_months_step()', $db) };
    open STDERR, '>&', $kept or die;
    like(slurp("$dir/psql"), qr/ids of the time to come/,
         'ids of years to come are for somebody to look at');

    sql("DELETE FROM executions WHERE id > prompt_id_of(now()"
        . " + interval '1 day')", $db);
    like(sql('SELECT * FROM prompt_months_step()', $db),
         qr/^executions get a bound\|ALTER TABLE public.executions_later ADD/,
         'without them it goes on');
};


subtest 'much that came later' => sub {
    my $db = database();
    my ($rc, $out) = ctl($db, 'migrate');

    people($db);
    unswept($db, 0);
    executions($db, 1500, 'now()');

    for my $step (1 .. 2) {
        my ($what, $sql) = split /\|/,
                           sql('SELECT * FROM prompt_months_step()', $db);
        sql($sql, $db);
    }

    like(sql('SELECT what FROM prompt_months_step()', $db),
         qr/become a month/, 'the bound is proved');

    open my $kept, '>&', \*STDERR or die;
    open STDERR, '>', "$dir/psql" or die;
    sql("SET client_min_messages = debug1; DO \$\$ BEGIN EXECUTE (SELECT s.sql"
        . ' FROM prompt_months_step() s); END $$', $db);
    open STDERR, '>&', $kept or die;
    sql("SELECT prompt_months_divide((SELECT low FROM"
        . ' prompt_months_parts() WHERE high IS NULL))', $db);
    like(parts($db), qr/^executions_before\nexecutions_\d+_\d+
                        \nexecutions_later\n$/x, 'once, if asked twice');
    unlike(slurp("$dir/psql"), qr/verifying table "executions_\d/,
           'what is there is not read below the lock');

    ($rc, $out) = ctl($db, 'migrate');
    is($rc, 0, 'then promptctl goes on') or diag($out);
    like(parts($db), qr/^executions_before\nexecutions_${\month(0)}\n/,
         'it is a month');
    is(sql('SELECT count(*) FROM executions_' . month(0), $db), "1500\n",
       'with all that came');
    is(sql("SELECT count(*) FROM pg_constraint WHERE conname"
           . " = 'executions_bound'", $db), "0\n", 'no bound is left');
};


subtest 'the audit log has the same months' => sub {
    my $db = database();
    my $audit = "SELECT part FROM prompt_months_parts('audit')";
    my $unswept = "BEGIN; DROP TABLE audit_later, audit_" . month(1)
        . ', audit_' . month(2) . ', audit_' . month(0) . ';'
        . " SELECT prompt_months_attach(prompt_months_table('audit_later',"
        . " 'audit'), prompt_id_month(now(), 0), NULL, 'audit'); COMMIT";
    my $rows = 'INSERT INTO audit (id, action) SELECT prompt_id_of(now()),'
        . " 'x' FROM generate_series(1, %d)";

    ctl($db, 'migrate');
    my $all = sql($audit, $db);
    is($all, join('', map { "audit_$_\n" } 'before', month(0), month(1),
                  month(2), 'later'), 'from the beginning');

    sql("$unswept; " . sprintf($rows, 900), $db);
    sql("UPDATE executions_sweep SET ahead_at = '-infinity'", $db);
    is(sql('SELECT failed FROM prompt_executions_sweep(10, true)', $db), "\n",
       'the sweep');
    is(sql($audit, $db), $all, 'makes them');
    is(sql('SELECT count(*) FROM audit_' . month(0), $db), "900\n",
       'with what came later');

    sql("$unswept; " . sprintf($rows, 1500), $db);
    sql("UPDATE executions_sweep SET ahead_at = '-infinity'", $db);
    is(sql('SELECT failed FROM prompt_executions_sweep(10, true)', $db),
       'audit_' . month(0) . ': audit_later has more than 1000 rows: run'
       . " \"promptctl migrate\"\n", 'where that is much it says so');

    my ($rc, $out) = ctl($db, 'migrate');
    is($rc, 0, 'promptctl') or diag($out);
    like($out, qr/^audit\ rows\ get\ a\ bound\naudit\ rows\ are\ read,.*\n
                  the\ audit\ rows\ that\ there\ are\ become\ a\ month\n/x,
         'does it in steps');
    is(sql('SELECT count(*) FROM audit_' . month(0), $db), "1500\n",
       'all of them are there');
    is(sql("SELECT count(*) FROM pg_constraint WHERE conname = 'audit_bound'",
           $db), "0\n", 'no bound is left');
};


subtest 'two at once' => sub {
    my $db = database();
    my ($rc, $out) = ctl($db, 'migrate');
    my $pid;

    unswept($db, 2);

    # as a sweeper of a busy host, which promptctl comes upon
    if (($pid = fork) == 0) {
        sql('BEGIN; SELECT prompt_months_ahead(); SELECT'
            . ' pg_advisory_lock(1), pg_sleep(2); COMMIT', $db);
        _exit(0);
    }

    sleep 0.1 until sql('SELECT count(*) FROM pg_locks WHERE locktype ='
                        . " 'advisory' AND database = (SELECT oid FROM"
                        . " pg_database WHERE datname = '$db')", 'postgres') > 0;

    ($rc, $out) = ctl($db, 'migrate');
    is($out, "the database schema is at version $version\n",
       'what a sweeper makes meanwhile is no error');
    waitpid $pid, 0;
};


subtest 'a schema of any name' => sub {
    my $db = database();
    my $schema = q{"O'Brien 100%s \ ""x"""};
    my ($rc, $out);

    sql("CREATE SCHEMA $schema; ALTER DATABASE $db SET search_path = $schema",
        $db);
    ($rc, $out) = ctl($db, 'migrate');
    is($rc, 0, 'is migrated') or diag($out);
    people($db);
    executions($db, 10, 'now()');
    unswept($db, 2);
    sql("UPDATE executions_sweep SET ahead_at = '-infinity';"
        . ' SELECT prompt_executions_sweep(10)', $db);
    like(sql('SELECT relname FROM pg_class WHERE oid IN (SELECT part FROM'
             . ' prompt_months_parts())', $db), qr/${\month(2)}/,
         'months are made in it');
    executions($db, 10, "timestamptz '2001-01-01'");
    ($rc, $out) = ctl($db, 'prune', '--older-than', '90d', '--json');
    is($out, qq({"deleted":10}\n), 'and emptied');
};


my $db = database();

subtest 'months ahead' => sub {
    my ($rc, $out) = ctl($db, 'migrate');

    is($rc, 0, 'a new database') or diag($out);
    people($db);

    my $all = join '', map { "executions_$_\n" }
              'before', month(0), month(1), month(2), 'later';
    is(parts($db), $all, 'this month, the next two, and what is beside them');

    executions($db, 1, "now() + interval '5 years'");
    executions($db, 1, "timestamptz '1971-01-01'");
    executions($db, 20, 'now()');
    is(sql('SELECT tableoid::regclass, count(*) FROM executions GROUP BY 1'
           . ' ORDER BY 2, 1', $db),
       join('', "executions_before|1\n", "executions_later|1\n",
            'executions_' . month(0) . "|20\n"), 'each is where it belongs');

    # as if the sweeper had been away for two months
    unswept($db, 1);
    executions($db, 30, "now() + interval '32 days'");
    executions($db, 1, "now() + interval '5 years'");
    sql("UPDATE executions_sweep SET ahead_at = '-infinity'", $db);
    sql('SELECT prompt_executions_sweep(10)', $db);
    is(parts($db), $all, 'the sweeper makes what is missing');
    is(sql('SELECT tableoid::regclass, count(*) FROM executions WHERE id >'
           . " prompt_id_of(now() + interval '1 day') GROUP BY 1 ORDER BY 2",
           $db), join('', "executions_later|1\n", 'executions_' . month(1)
                          . "|30\n"), 'and moves what had come meanwhile');

    # much of it: promptctl, in steps
    unswept($db, 2);
    executions($db, 1500, "date_trunc('month', now() AT TIME ZONE 'UTC')"
               . " AT TIME ZONE 'UTC' + interval '65 days'");
    sql("UPDATE executions_sweep SET ahead_at = '-infinity'", $db);
    sql('SELECT prompt_executions_sweep(10)', $db);
    unlike(parts($db), qr/${\month(2)}/, 'the sweeper leaves what is much');
    ($rc, $out) = ctl($db, 'migrate');
    is($rc, 1, 'what is of a time to come stays, and promptctl says so');
    like($out, qr/time to come/, 'in words');
    sql('DELETE FROM executions_later', $db);
    ($rc, $out) = ctl($db, 'migrate');
    is($out, "months of executions are made ahead\n"
             . "the database schema is at version $version\n", 'then it goes on');
    is(parts($db), $all, 'and all is as it was');
};


subtest 'nobody is a superuser' => sub {
    my $own = database();
    my ($owner, $role) = ("t_months_owner_$$", "t_months_app_$$");
    my ($rc, $out);

    push @roles, $owner, $role;
    sql("CREATE ROLE $owner LOGIN PASSWORD 'months'; CREATE ROLE $role;"
        . " ALTER DATABASE $own OWNER TO $owner", 'postgres');
    sql("ALTER SCHEMA public OWNER TO $owner", $own);
    ($rc, $out) = ctl($own, 'migrate', '--grant', $role, '--database',
                      "'host=$services->{SERVICES_PG_HOST} user=$owner"
                      . " password=months dbname=$own'");
    is($rc, 0, 'the owner of the database migrates') or diag($out);
    people($own);

    sql('BEGIN; DROP TABLE executions_' . month(2) . ', executions_later;'
        . " SET SESSION AUTHORIZATION $owner;"
        . ' SELECT prompt_months_attach(prompt_months_table('
        . "'executions_later'), prompt_id_month(now(), 2), NULL); COMMIT",
        $own);
    sql("UPDATE executions_sweep SET ahead_at = '-infinity';"
        . " SET SESSION AUTHORIZATION $role; INSERT INTO executions (id,"
        . ' prompt_id, version, executed_by, by_owner, status) VALUES ('
        . id("now() + interval '70 days'") . ", '$user', 1, '$user', true,"
        . " 'succeeded'); SELECT prompt_executions_sweep(10)", $own);
    is(sql("SELECT pg_get_userbyid(relowner) FROM pg_class WHERE relname ="
           . " 'executions_" . month(2) . "'", $own), "$owner\n",
       'a month that the role of the service makes is the owner\'s');
    is(sql("SELECT bool_or(has_function_privilege('$role', p.oid, 'EXECUTE'))"
           . " FROM pg_proc p WHERE p.proname ~ '^prompt_months_|^prompt_.*_"
           . "(drop|prune)\$'", $own), "f\n",
       'which may do nothing of it by itself');
};


subtest 'old months go' => sub {
    my $limit = "date_trunc('month', now() AT TIME ZONE 'UTC')"
                . " AT TIME ZONE 'UTC'";
    my ($rc, $out, $before);

    sql("DELETE FROM executions; TRUNCATE statistics, log_entries, log_kinds,"
        . " log_waiting, executions_before; BEGIN; DROP TABLE"
        . ' executions_before; SELECT prompt_months_attach('
        . "prompt_months_table('executions_m' || n), prompt_id_month(now(),"
        . " -n), prompt_id_month(now(), 1 - n)) FROM generate_series(1, 4) n;"
        . ' SELECT prompt_months_attach(prompt_months_table('
        . "'executions_before'), NULL, prompt_id_month(now(), -4)); COMMIT",
        $db);

    executions($db, 300, "$limit - n * interval '10 hours'");
    executions($db, 100, "$limit - interval '200 days' - n * interval '1 hour'");
    sql("INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,"
        . " status) SELECT " . id("$limit - interval '75 days'")
        . ", '$user', 1, '$user', true, s FROM unnest(ARRAY['running',"
        . " 'lost']) s", $db);
    sql('DO $$ BEGIN WHILE prompt_log_sweep(1000) LOOP END LOOP; END $$', $db);

    # somebody reads for a while: the drop waits for them, not the others
    my ($days) = sql("SELECT floor(extract(epoch FROM now() - prompt_id_time("
                     . "prompt_id_month(now(), -1))) / 86400)::int", $db)
                 =~ /(\d+)/;

    unlink "$dir/stop";
    my $load = module($db, 3);
    sleep 0.1 until -s "$dir/done.3";

    # the last month but two has something that runs
    ($rc, $out) = ctl($db, 'prune', '--older-than', "${days}d", '--json');
    my ($deleted) = $out =~ /"deleted":(\d+)/;
    my $left = sql("SELECT count(*) FROM executions WHERE id < prompt_id_of("
                   . "$limit)", $db) + 0;
    is($deleted + $left, 402, 'what was said to be deleted is');
    is(sql("SELECT count(*) FROM executions WHERE status = 'running' AND id <"
           . " prompt_id_of($limit)", $db), "1\n", 'what runs stays');
    is(sql('SELECT count(*) FROM log_entries e WHERE NOT EXISTS (SELECT FROM'
           . ' executions x WHERE x.id = e.id)', $db), "0\n",
       'no list has what is gone');
    $before = sums($db);
    like($before, qr/^\Q$user\E\|401\|/m, 'sums have all that ended');
    unlike(parts($db), qr/executions_m4/, 'the oldest month is gone');
    like(parts($db), qr/executions_m3/, 'that with what runs is there');

    sql("UPDATE executions SET status = 'succeeded' WHERE status = 'running'"
        . " AND id < prompt_id_of($limit)", $db);
    sql("UPDATE log_waiting SET look = now(); SELECT prompt_log_sweep(1000)",
        $db);
    ($rc, $out) = ctl($db, 'prune', '--older-than', "${days}d", '--json');
    is($out, qq({"deleted":1}\n), 'when it has ended it goes');
    unlike(parts($db), qr/executions_m[234]/, 'and its month, and the next');

    open my $stop, '>', "$dir/stop" or die;
    close $stop;
    waitpid $load, 0;
    is($?, 0, 'who wrote meanwhile saw no error');
    like(sums($db), qr/^\Q$user\E\|402\|/m, 'sums stay');

    executions($db, 1, "timestamptz '2001-01-01'");
    is(sql('SELECT tableoid::regclass FROM executions WHERE id <'
           . " prompt_id_of('2002-01-01')", $db), "executions_before\n",
       'what is older than all months has its place still');
};


END {
    sql("DROP DATABASE IF EXISTS $_ WITH (FORCE)", 'postgres') for @databases;
    sql("DROP ROLE IF EXISTS $_", 'postgres') for @roles;
}

done_testing();
