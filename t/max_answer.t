# prompt_provider … max_answer=SIZE: what is longer is a failure, and is not
# kept; what is not comes whole, however it is escaped.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls;
use PromptTest::Server;
use Test::More;

my $long = 20 * $PromptTest::Calls::slow;

my $s = PromptTest::Server->new(workers => 1, http => <<"END");
    prompt_provider small /_provider/openai timeout=${long}s max_answer=1k
                    retries=1;
    prompt_provider odd /_provider/openai timeout=${long}s max_answer=1500;
    prompt_provider large /_provider/openai timeout=${long}s max_answer=16m;
    prompt_model small-fx:* provider=small;
    prompt_model odd-fx:* provider=odd;
    prompt_model large-fx:* provider=large;
END

# the worker's peak of memory, in KiB
sub peak
{
    my ($pid) = $s->workers;

    open my $in, '<', "/proc/$pid/status" or return 0;
    return (map { /^VmHWM:\s+(\d+)/ ? $1 : () } <$in>)[0];
}


my $answer = executed($s, { model => 'small-fx:big=500' });

is(length(ref $answer ? $answer->{output} : ''), 500, 'what fits');

for my $case ([ 'small-fx:big=1500', '1 KiB' ], [ 'odd-fx:big=1500',
                                                  '1500 bytes' ],
              [ 'small-fx:spaces=1', '1 KiB' ],
              [ 'fx:big=9000000', '8 MiB' ],
              [ 'large-fx:big=17000000', '16 MiB' ])
{
    my ($model, $size) = @$case;

    is(executed($s, { model => $model }), "The model provider's answer with "
       . "status 200 is larger than $size.", "$model: what does not");
    is_row($model, 'failed', 1);
    is(row('error, output IS NULL'), "The model provider's answer with status "
       . "200 is larger than $size.|t", "$model: in the row, too");
}

my $before = peak();

$answer = executed($s, { model => 'large-fx:big=15000000' });

ok(ref $answer && $answer->{output} eq 'x' x 15000000, 'what is long comes')
    or diag(ref $answer ? length $answer->{output} : $answer);
is(row('status, octet_length(output)'), 'succeeded|15000000', 'and is kept');
cmp_ok(peak() - $before, '<', 160 * 1024, 'with bounded memory')
    if !$ENV{TEST_NGINX_USE_VALGRIND} && !$ENV{TEST_NGINX_LD_PRELOAD};
diag('peak: ' . $before . ' to ' . peak() . ' KiB');

ok($s->stop, 'nginx quits');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
