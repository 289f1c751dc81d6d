#!/usr/bin/perl
#
# promptctl migrate is killed while an index is made, and while one is taken
# away; PostgreSQL goes on with what it was told.  Those that come next, from
# two hosts, bring it to its end.  The index is that of a release to come
# (t/fixtures/migrations).

use strict;
use warnings;

use File::Temp qw(tempdir);
use POSIX qw(_exit);
use Test::More;
use Time::HiRes qw(sleep time);

use lib 't/lib';
use PromptTest::Env;

my $ctl = "$PromptTest::Env::build/next/expand/promptctl";
my $dir = tempdir(CLEANUP => 1);
my $db = "t_killed_$$";
my $index = 'prompts_next_idx';
my $s = PromptTest::Env::services();
my $conninfo = "host=$s->{SERVICES_PG_HOST} user=postgres dbname=$db";
my $number = 0;


sub sql { return PromptTest::Env::psql($_[0], $db) }

sub within
{
    my ($seconds, $code) = @_;
    my $until = time() + $seconds;

    while (time() < $until) {
        return 1 if $code->();
        sleep 0.05;
    }

    return 0;
}

# migrate(): promptctl that runs, and what it says in the end
sub migrate
{
    my $out = "$dir/out" . ++$number;
    my $pid = fork;

    if ($pid == 0) {
        open STDOUT, '>', $out or _exit(1);
        open STDERR, '>&', \*STDOUT or _exit(1);
        exec { $ctl } 'promptctl', '--database', $conninfo, 'migrate'
            or _exit(127);
    }

    return { pid => $pid, out => $out };
}

sub ended
{
    my ($of) = @_;

    waitpid $of->{pid}, 0;
    open my $in, '<', $of->{out} or return 'nothing';
    local $/;

    return ($? >> 8) . '|' . <$in>;
}

# who is at an index, and at which with what
sub doing
{
    my ($what) = @_;

    return sql("SELECT count(*) FROM pg_stat_activity WHERE query LIKE "
               . "'$what INDEX CONCURRENTLY%$index%' AND state = 'active' AND "
               . "datname = '$db'") + 0;
}

# a transaction for which PostgreSQL waits before an index is ready, or gone
sub old
{
    my $pid = open my $in, '|-', PromptTest::Env::first_of('psql') . ' -X -q -d '
                     . "'$conninfo' >/dev/null 2>&1" or die;

    select((select($in), $| = 1)[0]);
    print $in "BEGIN ISOLATION LEVEL REPEATABLE READ;\n"
              . "SELECT count(*) FROM prompts;\n";
    within(20, sub { sql("SELECT count(*) FROM pg_stat_activity WHERE state ="
                         . " 'idle in transaction' AND datname = '$db'") > 0 })
        or die "no old transaction\n";

    return $in;
}


PromptTest::Env::psql("CREATE DATABASE $db", 'postgres');
is(ended(migrate()) =~ /^(\d+)/ && $1, 0, 'a database');

for my $state ('made', 'half made') {
    sql("DROP INDEX $index");

    my $old = old();
    my $first = migrate();

    ok(within(30, sub { doing('CREATE') == 1
                        && sql("SELECT indisvalid FROM pg_index WHERE "
                               . "indexrelid = to_regclass('$index')") =~ /f/
                      }), "$state: an index is being made");
    kill 'KILL', $first->{pid};
    waitpid $first->{pid}, 0;
    is(doing('CREATE'), 1, 'PostgreSQL goes on after promptctl was killed');

    my @next = (migrate());

    sleep 1;

    # the index is left behind, of no use

    if ($state eq 'half made') {
        sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE '
            . "query LIKE 'CREATE INDEX CONCURRENTLY%' AND datname = '$db'");
        ok(within(30, sub { doing('DROP') == 1 }), 'it is being taken away');
        kill 'KILL', $next[0]{pid};
        waitpid $next[0]{pid}, 0;
        is(doing('DROP'), 1, 'and that goes on, too');
        @next = (migrate());
    }

    push @next, migrate();
    sleep 1;
    print $old "COMMIT;\n";
    close $old;

    for my $next (@next) {
        like(ended($next), qr/^0\|/, "$state: the next one comes to its end");
    }

    is(sql("SELECT indisvalid FROM pg_index WHERE indexrelid = "
           . "to_regclass('$index')"), "t\n", 'with an index');
    is(sql('SELECT count(*) FROM pg_index WHERE NOT indisvalid'), "0\n",
       'and none that is of no use');
}

PromptTest::Env::psql("DROP DATABASE $db WITH (FORCE)", 'postgres');

done_testing();
