# prompt_provider … max_answer=SIZE: what is longer is a failure, and is not
# kept; what is not comes whole, however it is escaped.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls;
use PromptTest::Server;
use PromptTest::Stream;
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

# an answer of the endpoint has 16 MiB, which aliases make of less: what was
# paid for is named, so that it can be read

# paid_for(WHAT, ERROR): what an error says of the newest execution

sub paid_for
{
    my ($what, $error) = @_;
    my $extensions = $error->{extensions};
    my $id = $extensions->{executionId};

    is($extensions->{code}, 'BAD_USER_INPUT', "$what: the code");
    is($extensions->{reason}, 'TOO_LARGE', "$what: the reason");
    is($id, row('id'), "$what: the id");
    like($error->{message}, qr/^It was done, .* 16777216 bytes: do not ask /,
         "$what: the words");
    is(row('status'), 'succeeded', "$what: the row");
    is(($s->ask('alice', 'query ($id: ID!) { execution(id: $id) { status } }',
                { id => $id // '' })->{json}{data}{execution} || {})->{status},
       'succeeded', "$what: what it is read by");
}


my $five = join ' ', map { "$_: output" } 'a' .. 'e';
my $id = version($s, { model => 'large-fx:big=3500000' });
my $json = $s->ask('alice', 'mutation ($id: ID!) { a: updatePrompt(id: $id, '
    . 'input: {description: "first"}) { description } b: executePrompt('
    . 'promptId: $id, input: {a: 1}) ' . "{ $five } c: updatePrompt(id: "
    . '$id, input: {description: "last"}) { description } }',
    { id => $id })->{json};

paid_for('aliases', $json->{errors}[0]);
is_deeply($json->{data}, { a => { description => 'first' }, b => undef,
                           c => { description => 'last' } },
          'what was done besides is told');

$json = $s->ask('alice', 'mutation ($id: ID!) { a: executePrompt(promptId: '
    . '$id, input: {a: 1}) { executionId } b: executePrompt(promptId: $id, '
    . "input: {a: 1}) { $five } }", { id => $id })->{json};

paid_for('the last of two', $json->{errors}[0]);
isnt($json->{data}{a}{executionId}, row('id'), 'the other one is told of');

$id = version($s, { model => 'large-fx:big=3500000,plain' });

my $got = PromptTest::Stream::stream($s, $id, variables => { id => $id },
    query => 'subscription ($id: ID!) { executePromptStream(promptId: $id, '
             . "input: {a: 1}) { delta result { $five } } }");

paid_for('a stream', $got->{errors}[0]);
is(length $got->{output}, 3500000, 'its deltas came');
is($got->{complete}, 1, 'it is complete');

$json = $s->ask('alice', 'query ($id: ID!) { execution(id: $id) '
                . "{ $five } }", { id => row('id') })->{json};

is_deeply($json->{errors}[0]{extensions},
          { code => 'BAD_USER_INPUT', reason => 'TOO_LARGE' },
          'what is only read was not paid for');

ok($s->stop, 'nginx quits');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
