# A month of executions that cannot be made: the error log names it and says
# why, and the metrics count it, until it can be made.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

PromptTest::Env::setup();

sub sql { return PromptTest::Env::psql(@_) }

sub within
{
    my ($seconds, $code) = @_;
    my $until = time() + $seconds * ($ENV{PROMPT_TEST_SLOW} || 1);

    while (time() < $until) {
        return 1 if $code->();
        sleep 0.2;
    }

    return $code->();
}

my ($month) = sql("SELECT to_char(now() AT TIME ZONE 'UTC' + interval "
                  . "'2 months', 'YYYY_MM')") =~ /(\w+)/;
my $there = "SELECT count(*) FROM pg_class WHERE relname = "
            . "'executions_$month'";

# as if it were the first of a month, and its owner may not make tables

sql("BEGIN; DROP TABLE executions_$month, executions_later; SELECT "
    . "prompt_months_attach(prompt_months_table('executions_later'), "
    . 'prompt_id_month(now(), 2), NULL); COMMIT');
sql('REVOKE CREATE ON SCHEMA public FROM PUBLIC, prompt_owner; '
    . 'ALTER SCHEMA public OWNER TO postgres; '
    . "UPDATE executions_sweep SET ahead_at = '-infinity'");

my $s = PromptTest::Server->new(workers => 1);

sub failures
{
    my $answer = $s->receive($s->send("GET /metrics HTTP/1.1\r\nHost: l\r\n"
                                      . "Connection: close\r\n\r\n"));

    return $answer->{body} =~ /^prompt_partition_failures_total (\d+)$/m
           ? $1 : 'none';
}

is(failures(), 0, 'none at first');
my $line = "a month cannot be made, executions_$month: "
           . 'permission denied';

ok(within(60, sub { $s->log_text =~ /\[error\].*prompt: $line/ }),
   'the log tells which, and why');
ok(failures() > 0, 'the metrics count it');
ok(within(60, sub { $s->ask('alice', '{ me { id } }')->{status} == 200
                    && sql('SELECT count(*) FROM executions_sweep WHERE mark >'
                           . " prompt_id_of(now() - interval '2 minutes')")
                       > 0 }), 'the sweep goes on');

sql('ALTER SCHEMA public OWNER TO prompt_owner');
ok(within(90, sub { sql($there) > 0 }), 'then it can be made, and is');

$s->stop;
is_deeply([ $s->faults ], [], 'a clean error log beside');

done_testing();
