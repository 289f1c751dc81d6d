#!/usr/bin/perl
#
# Measures what requests cost as the whole service grows, and on several hosts,
# into a file of figures: tools/scaling.pl draws it and calculates with it.
#
#     tools/scale.pl FIGURES
#
# Accounts, prompts and executions grow together, each account as it was (what
# grows within one account is tools/growth.pl's).  Many accounts ask in turn, by
# wrk and t/bench/scale.lua.  Cost is processor time of nginx's workers, of all
# of PostgreSQL's processes and of Redis a request, from /proc, so that the load
# and what else the machine does count little; the client's is told apart.
# Hosts are nginx's masters with ports of their own.  Started by tools/scale.sh.

use strict;
use warnings;
use utf8;

use File::Path qw(make_path remove_tree);
use JSON::PP ();
use List::Util qw(max min);
use POSIX ();
use Time::HiRes qw(time);

use PromptTest::Env;
use PromptTest::Measure;

my $figures = shift or die "usage: scale.pl FIGURES\n";

my @sizes   = map { 0 + $_ } split ' ', $ENV{SCALE_EXECUTIONS}
                                        || '1e4 1e5 1e6 1e7';
my $least   = $ENV{SCALE_ACCOUNTS} || 1000;
my $asking  = $ENV{SCALE_ASKING} || 200;
my $seconds = $ENV{SCALE_SECONDS} // 2;
my @hosts   = split ' ', $ENV{SCALE_HOSTS} || '1 2 4';

my $burst   = 10;                  # executions of a version, one after another
my $each    = 10;                  # prompts of an account
my $makers  = 5;                   # accounts that create some
my $clients = 8;                   # of one worker, where costs are measured
my $crowd   = 32;                  # of each host, where there are several
my $few     = 2;                   # of each, where their number is to tell
my $links   = 4;                   # connections of a worker to PostgreSQL

my $dir  = "$PromptTest::Env::root/build/scale-$$";
my $port = PromptTest::Env::free_port();
my $json = JSON::PP->new->canonical->pretty;
my $owner = $$;
my (@running, @asking, @making, %columns);

# what a request is of which kind, in percent
my %mix = (me => 70, prompt => 20, prompts => 5, executePrompt => 5);

my %documents = (
    me => '{ me { id email name } }',

    prompts => '{ prompts(first: 10) { id name category updatedAt } }',

    prompt => 'query ($id: ID!) { prompt(id: $id) { id name description '
        . 'category versions { id version content params createdAt '
        . 'executions(first: 10) { id status latencyMs costUsd } } } }',

    createPrompt =>
        'mutation { createPrompt(input: {name: "scale @N@"}) { id name } }',

    executePrompt => 'mutation ($id: ID!) { executePrompt(promptId: $id, '
        . 'input: {text: "a"}) { executionId output costUsd } }',

    executions => '{ executions(first: 50) { id status model costUsd } }',

    statistics => 'query ($since: DateTime!) { statistics(since: $since, '
        . 'by: DAY) { start executions costUsd latencyP95Ms } }',
);

my @order = qw(me prompt prompts executions statistics createPrompt
               executePrompt);

my $base = int(time * 1000);       # now, for all that is filled in
my $day  = 86_400_000;


# ---- filling ---------------------------------------------------------------

# insert(TABLE, { COLUMN => EXPRESSION }, FROM): of those columns that there
# are.  owner_id is given where it must be: elsewhere its absence says something
sub insert
{
    my ($table, $values, $from) = @_;

    $columns{$table} ||= { map { split /\|/ } split /\n/,
        PromptTest::Env::psql('SELECT column_name, is_nullable '
            . 'FROM information_schema.columns '
            . "WHERE table_schema = 'public' AND table_name = '$table'") };

    my $has = $columns{$table};
    my @names = grep { $has->{$_} && ($_ ne 'owner_id' || $has->{$_} eq 'NO') }
        sort keys %$values;

    return "INSERT INTO $table (" . join(', ', @names) . ') SELECT '
           . join(', ', @$values{@names}) . " FROM $from "
           . "ON CONFLICT DO NOTHING;\n";
}


# what ids are made of: milliseconds, kind, number
sub id { return "pg_temp.v7($_[0], $_[1], $_[2])"; }

sub user_id { return id($base - 101 * $day . " + $_[0]", 1, $_[0]); }

sub prompt_id { return id($base - 100 * $day . " + $_[0]", 2, $_[0]); }

sub at { return "to_timestamp(($_[0]) / 1000.0)"; }


# before(SQL): for a session that fills
sub before
{
    my ($sql) = @_;

    return <<"SQL" . $sql;
SET session_replication_role = replica;
SET synchronous_commit = off;
SET jit = off;

CREATE FUNCTION pg_temp.v7(ms bigint, kind int, n bigint) RETURNS uuid
    LANGUAGE sql IMMUTABLE AS \$\$
    SELECT (lpad(to_hex(\$1), 12, '0') || '7' || lpad(to_hex(\$2), 3, '0')
            || '8000' || lpad(to_hex(\$3), 12, '0'))::uuid
\$\$;
SQL
}


# side_by_side(SQL...): in a session each
sub side_by_side
{
    my @children;

    for my $sql (@_) {
        my $pid = fork // die "fork: $!\n";

        if (!$pid) {
            POSIX::_exit(eval { PromptTest::Env::psql($sql); 1 } ? 0 : 1);
        }

        push @children, $pid;
    }

    for my $pid (@children) {
        waitpid $pid, 0;
        die "filling failed\n" if $?;
    }
}


# halves(FROM, TO): of a range of numbers, TO excluded
sub halves
{
    my ($from, $to) = @_;
    my $middle = int(($from + $to) / 2);

    return grep { $_->[0] < $_->[1] } [ $from, $middle ], [ $middle, $to ];
}


# accounts(FROM, TO): with a key, prompts and two versions of each
sub accounts
{
    my ($from, $to) = @_;
    my $last = $to - 1;
    my $user = user_id('u');
    my $prompt = prompt_id('n');
    my $users = "generate_series($from, $last) u";
    my $prompts = "$users, LATERAL generate_series((u - 1) * $each + 1, "
        . "u * $each) n";

    return before(
        insert('users', { id => $user, email => "'u' || u || '\@scale.test'",
                          name => "'Account ' || u" }, $users)
        . insert('projects', { id => $user, user_id => $user,
                               name => "'Personal'" }, $users)
        . insert('project_members', { project_id => $user, user_id => $user,
                                      role => '4' }, $users)
        . insert('api_keys', {
            id => id($base - 101 * $day . ' + u', 5, 'u'), user_id => $user,
            owner_id => $user, project_id => $user, hash => "sha256(('key ' || u)::bytea)",
            name => "'scale'", hint => "'pmt_'" }, $users)
        . insert('prompts', {
            id => $prompt, owner_id => $user, name => "'prompt-' || n",
            description => "'A prompt to measure with'",
            category => "'GENERAL'", last_version => '2',
            created_at => at($base - 100 * $day . ' + n'),
            updated_at => at($base - 100 * $day . ' + n') }, $prompts)
        . insert('prompt_versions', {
            id => id($base - 99 * $day . ' + n', '6 + v', 'n'),
            prompt_id => $prompt, owner_id => $user, version => 'v',
            content => "'Summarize {{text}} in one sentence.'",
            params => qq('{"model":"gpt-4o-mini"}'),
            created_at => at($base - 99 * $day . ' + n') },
            "$prompts, generate_series(1, 2) v"));
}


# executions(STEP, FROM, TO): bursts of a step, with their lists and sums.  Those
# of accounts that the step brought go to these, round by round through their
# prompts; they are spread over 90 days.
sub executions
{
    my ($step, $from, $to) = @_;
    my $last = $to - 1;
    my ($bursts, $first) = @$step{qw(bursts first)};
    my $nobody = "'00000000-0000-0000-0000-000000000000'::uuid";
    my $n = "((s.u - 1) * $each + s.k + 1)";
    my $ms = $base - 3_600_000 . " - ($bursts - s.j) * "
             . 90 * $day . "::bigint / $bursts";
    my $kind = sub { "prompt_log_kind(b.owner, $_[0], b.status, "
                     . "'gpt-4o-mini', NULL)" };
    my $list = "b CROSS JOIN LATERAL (VALUES ($nobody, 0), (b.prompt, 2)) "
               . 'l (prompt, version)';
    my $of = $kind->('l.prompt, l.version');

    return before(<<"SQL"
CREATE TEMP TABLE b AS
    SELECT $first + s.j AS n, @{[ user_id('s.u') ]} AS owner,
           @{[ prompt_id($n) ]} AS prompt, ($ms)::bigint AS ms,
           CASE WHEN s.j % 1000 = 999 THEN 'failed' ELSE 'succeeded' END
               AS status, (s.j % 3000)::integer AS latency
    FROM (SELECT j::bigint, $step->{old} + 1 + j % $step->{new} AS u,
                 j / $step->{new} % $each AS k
          FROM generate_series($from, $last) j) s
    ORDER BY j;
SQL
        . insert('executions', {
            id => id('b.ms + i * 1000', 4, "b.n * $burst + i"),
            prompt_id => 'b.prompt', version => '2', executed_by => 'b.owner',
            owner_id => 'b.owner', by_owner => 'true', status => 'b.status',
            model => "'gpt-4o-mini'", input => qq('{"text":"a"}'),
            output => "'Summarize a in one sentence.'",
            latency_ms => 'b.latency', token_in => '8', token_out => '8',
            cost_usd => '0.000006', created_at => at('b.ms + i * 1000'),
            finished_at => at('b.ms + i * 1000 + b.latency') },
            "b, generate_series(0, $burst - 1) i")
        . insert('log_kinds', {
            kind => $of, user_id => 'b.owner', prompt_id => 'l.prompt', version => 'l.version',
            status => 'b.status', model => "'gpt-4o-mini'", whole => 'l.version > 0' },
            $list)
        . insert('log_entries', {
            kind => 'k.kind',
            id => id('k.ms + i * 1000', 4, "k.n * $burst + i") },
            "(SELECT b.n, b.ms, b.owner, $of AS kind FROM $list ORDER BY 4) k, "
            . "generate_series(0, $burst - 1) i")
        . insert('statistics', {
            kind => $of, hour => 'h.hour', executions => $burst,
            token_in => 8 * $burst, token_out => 8 * $burst,
            token_cached => 0, token_cache_write => 0, token_reasoning => 0,
            cost_usd => "0.000006 * $burst", cost_unknown => 0,
            latency => "ARRAY[prompt_latency(b.latency) + $burst - 1]" },
            "$list CROSS JOIN LATERAL (VALUES ((b.ms / 3600000)::integer), "
            . '((-1 - b.ms / 86400000 * 24)::integer)) h (hour)'));
}


# fill(SIZE, BEFORE): up to SIZE executions; what is there, for the next step
sub fill
{
    my ($size, $before) = @_;
    my $begin = time;
    my $accounts = max($least, int($size / 100), $before->{accounts});
    my $bursts = max(1, int(($size - $before->{executions}) / $burst));
    my $new = $accounts - $before->{accounts};
    my $step = { bursts => $bursts, first => $before->{executions} / $burst,
                 old => $new ? $before->{accounts} : 0,
                 new => $new || $accounts };

    side_by_side(map { accounts(@$_) }
                 halves($before->{accounts} + 1, $accounts + 1)) if $new;
    side_by_side(map { executions($step, @$_) } halves(0, $bursts));

    # all of it was looked at by sweepers
    PromptTest::Env::psql(before("UPDATE log_mark SET mark = greatest(mark, "
        . id($base - 3_600_000, 0, 0) . '); UPDATE executions_sweep SET mark = '
        . 'greatest(mark, ' . id($base - 3_600_000, 0, 0)
        . '), late_mark = greatest(late_mark, ' . id($base - 3_600_000, 0, 0)
        . ');'));
    PromptTest::Env::psql('VACUUM ANALYZE');
    PromptTest::Env::psql('CHECKPOINT');

    printf "%d accounts, %d executions: filled in %.0f s\n", $accounts, $size,
           time - $begin;

    return { accounts => $accounts, executions => $size };
}


# ask_from(ACCOUNTS): which of them ask, evenly over all, and what they have.
# The first ones only create prompts, so that lists stay as they are.
sub ask_from
{
    my ($accounts) = @_;
    my $many = min($asking + $makers, $accounts);
    my @numbers = map { 1 + int($_ * $accounts / $many) } 0 .. $many - 1;
    my %prompts = map { split /\|/ } split /\n/, PromptTest::Env::psql(
        "SELECT u.email, string_agg(p.id::text, ',') FROM users u "
        . 'JOIN prompts p ON p.owner_id = u.id WHERE u.email IN ('
        . join(', ', map { "'u$_\@scale.test'" } @numbers)
        . ") AND p.name LIKE 'prompt-%' GROUP BY 1");

    my @all = map {
        { key => PromptTest::Env::promptctl('key', 'add', $_, '--name', 's'),
          prompts => [ split /,/, $prompts{$_} ] }
    } sort keys %prompts;

    @making = splice @all, 0, $makers;
    @asking = @all;
}


# ---- measuring -------------------------------------------------------------

# file_of(NAME, { OPERATION => WEIGHT }): requests, as scale.lua reads them
sub file_of
{
    my ($name, $weights) = @_;
    my $file = "$dir/$name.asks";
    my $line = JSON::PP->new->canonical;
    my @t = gmtime($base / 1000 - 90 * 86_400);
    my $since = POSIX::strftime('%Y-%m-%dT00:00:00Z', @t);

    open my $out, '>', $file or die "$file: $!\n";

    for my $who ($weights->{createPrompt} ? @making : @asking) {
        for my $operation (sort keys %$weights) {
            for (1 .. $weights->{$operation}) {
                my $of = $who->{prompts};
                my %variables = $operation =~ /^(?:prompt|executePrompt)$/
                    ? (id => $of->[rand @$of])
                    : $operation eq 'statistics' ? (since => $since) : ();

                print $out "$who->{key}\t", $line->encode({
                    query => $documents{$operation},
                    variables => \%variables }), "\n";
            }
        }
    }

    close $out;

    return $file;
}


# wrk(FILE, HOSTS, CLIENTS, SECONDS, CHECK): what it said, and the processor time
# that it took
sub wrk
{
    my ($file, $n, $many, $for, $check, @before) = @_;
    my @times = times;

    local $ENV{SCALE_ASKS} = $file;
    local $ENV{SCALE_PORTS} = join ' ', map { $_->{port} } @running;
    local $ENV{SCALE_CHECK} = 1 if $check;

    my $text = PromptTest::Env::run(@before, 'wrk', '-t', $n, '-c', $many,
        '-d', $for . 's', '--timeout', '30s', '-s',
        "$PromptTest::Env::root/t/bench/scale.lua", 'http://127.0.0.1:'
        . $running[0]{port});
    my ($said) = $text =~ /^(\{.*\})$/m or die "wrk said: $text\n";
    my @after = times;

    $said = $json->decode($said);
    $said->{client} = ($after[2] + $after[3] - $times[2] - $times[3]) * 1e6;

    die "scale: $file: $said->{bad} of $said->{count} failed\n"
        if $said->{bad} || !$said->{count};

    return $said;
}


sub start_hosts
{
    my ($n, @before) = @_;

    stop_hosts();

    for my $i (1 .. $n) {
        my $host = { dir => "$dir/host$i", port => $port + $i - 1,
                     postgres => "connections=$links timeout=30s" };

        make_path($host->{dir});
        $host->{pids} = [ PromptTest::Measure::start($host, @before) ];
        push @running, $host;
    }
}


sub stop_hosts
{
    PromptTest::Measure::stop($_->{dir}) for @running;
    @running = ();
}


# also where a measurement failed
END {
    if (defined $owner && $$ == $owner) {
        local $?;
        stop_hosts();
        remove_tree($dir);
    }
}


sub redis_pid
{
    my ($pid) = PromptTest::Env::redis('info', 'server')
                =~ /^process_id:(\d+)/m;

    return $pid;
}


sub wal { return 0 + PromptTest::Env::psql(
    "SELECT pg_current_wal_insert_lsn() - '0/0'"); }


# measure(FILE, CLIENTS of a host, BEFORE...): a warm-up that looks at answers,
# then microseconds of each part a request
sub measure
{
    my ($file, $each_has, @before) = @_;
    my $n = @running;
    my @load = ($file, $n, $n * $each_has);

    wrk(@load, 1, 1, @before) if $seconds;

    my @parts = ([ map { @{ $_->{pids} } } @running ],
                 [ PromptTest::Measure::backends() ], [ redis_pid() ]);
    my ($wal, @from) = (wal(), map { PromptTest::Measure::used(@$_) } @parts);
    my $said = wrk(@load, $seconds || 1, !$seconds, @before);
    my @to = map { PromptTest::Measure::used(@$_) } @parts;
    my @cost = map { sprintf '%.1f', ($to[$_] - $from[$_]) / $said->{count} }
        0 .. 2;

    return {
        nginx => 0 + $cost[0], postgres => 0 + $cost[1], redis => 0 + $cost[2],
        client => 0 + sprintf('%.1f', $said->{client} / $said->{count}),
        p50 => $said->{median} / 1000, p99 => $said->{late} / 1000,
        rate => 0 + sprintf('%.0f', $said->{count} / $said->{time} * 1e6),
        wal => 0 + sprintf('%.0f', (wal() - $wal) / $said->{count}),
        busy => 0 + sprintf('%.2f', ($to[1] - $from[1]) / $said->{time}) };
}


sub told
{
    my ($name, $one) = @_;

    printf "%-28s nginx %6.1f  PostgreSQL %7.1f  Redis %5.1f µs  p50 %7.2f ms"
           . "  %6d/s\n", $name, @$one{qw(nginx postgres redis p50 rate)};

    return $one;
}


# sized(): each operation at each size
sub sized
{
    my $there = { accounts => 0, executions => 0 };
    my @found;

    for my $size (@sizes) {
        $there = fill($size, $there);
        ask_from($there->{accounts});
        start_hosts(1);

        my %of = map { $_ => told($_, measure(file_of($_, { $_ => 1 }),
                                              $clients)) } @order;

        stop_hosts();
        push @found, { %$there, operations => \%of };
    }

    return \@found;
}


# several(): the mix, by one host and more
sub several
{
    my $file = file_of('mix', \%mix);
    my @found;

    for my $n (@hosts) {
        start_hosts($n);
        push @found, { hosts => $n, %{ told("the mix, hosts: $n",
                                            measure($file, $crowd)) } };
        stop_hosts();
    }

    return \@found;
}


# bound(): PostgreSQL has a core for itself, which it fills in the end
sub bound
{
    my $file = file_of('executePrompt', { executePrompt => 1 });
    my @found;

    for my $pid (map({ [ $_, 1 ] } PromptTest::Measure::backends(),
                     PromptTest::Measure::postmaster()), [ redis_pid(), 0 ])
    {
        PromptTest::Env::run('taskset', '-acp', $pid->[1], $pid->[0]);
    }

    for (map({ [ $_, $few ] } @hosts), [ $hosts[-1], $crowd ]) {
        my ($n, $flying) = @$_;

        start_hosts($n, 'taskset', '-c', 0);
        push @found, { hosts => $n, flying => $n * $flying,
            %{ told("executePrompt, hosts: $n",
                    measure($file, $flying, 'taskset', '-c', 0)) } };
        stop_hosts();
    }

    return \@found;
}


sub bytes
{
    my ($executions) = @_;

    return 0 + sprintf '%.0f', PromptTest::Env::psql(
        'SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c '
        . "JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = "
        . "'public' WHERE c.relkind = 'r' AND c.relname ~ "
        . "'^(executions|log_|statistics)'") / $executions;
}


binmode STDOUT, ':utf8';
$| = 1;
PromptTest::Env::setup();
make_path($dir);

my $begin = time;
my $sizes = sized();
my $end = {
    sizes => $sizes, mix => \%mix, hosts => several(),
    bytes => bytes($sizes->[-1]{executions}),
    postgres => PromptTest::Env::psql('SHOW server_version') =~ s/\s.*//sr,
    clients => $clients, crowd => $crowd, links => $links };

# only of servers that are this program's own: they stay where they are put
$end->{bound} = bound() if $ENV{SCALE_CORES} && `nproc` > 1;

open my $out, '>', $figures or die "$figures: $!\n";
print $out $json->encode($end);
close $out or die "$figures: $!\n";

printf "measured in %.0f s\n", time - $begin;
