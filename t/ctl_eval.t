#!/usr/bin/perl
#
# promptctl eval: a run from its beginning to its end, and what it is judged by.

use strict;
use warnings;

use File::Temp qw(tempdir);
use JSON::PP ();
use POSIX qw(_exit);
use Test::More;

use lib 't/lib';
use PromptTest::Env;
use PromptTest::Runs;
use PromptTest::Server;

my $dir = tempdir(CLEANUP => 1);

PromptTest::Env::setup();

my $s = $PromptTest::Runs::s = PromptTest::Server->new(workers => 1,
    http => 'prompt_provider bounded /_provider/openai max_tokens=50; '
            . 'prompt_model bounded-fx:* provider=bounded input=1 output=2;');

$ENV{PROMPT_URL} = "http://127.0.0.1:$s->{port}/graphql";
$ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_key');
delete @ENV{qw(PROMPT_DATABASE_URL PROMPT_REDIS)};

# eval_of(ARGUMENTS): status, standard output, standard error
sub eval_of
{
    my $pid = fork;

    if ($pid == 0) {
        open STDOUT, '>', "$dir/out" or _exit(126);
        open STDERR, '>', "$dir/err" or _exit(126);
        alarm 60;
        exec { $PromptTest::Env::promptctl } 'promptctl', 'eval', @_
            or _exit(127);
    }

    waitpid $pid, 0;

    return ($? & 127 ? -1 : $? >> 8, slurp("$dir/out"), slurp("$dir/err"));
}

sub slurp
{
    open my $in, '<', $_[0] or die "$_[0]: $!\n";
    local $/;
    return scalar <$in>;
}

my $n = 0;

# named(DATASET): its name
sub named { return sql("SELECT name FROM datasets WHERE id = '$_[0]'") }

my $prompt = prompt('bounded-fx:ok', 'bounded-fx:text=well',
                    'bounded-fx:status=400');
my $set = named(dataset([ { input => { a => 'well <&"' } },
                          { input => { a => 'ill' } } ],
                        [ { name => 'good', type => 'contains',
                            value => 'well' },
                          { name => 'a=b', type => 'max_cost', usd => 1 } ]));


# sound

my ($status, $out, $err) = eval_of($prompt, '--dataset', $set, '--version',
                                   '1,2');

is($status, 0, 'a run that has no bounds is good');
is($err, '', 'and nothing is said of it');
like($out, qr/^VERSION\s+MODEL\s+DONE\s+FAILED\s+COST\s+P50\ MS\n
              1\ +bounded-fx:ok\ +2\ +0\ +0\.\d+\ +\d+\n
              2\ +bounded-fx:text=well\ +2\ +0\ +0\.\d+\ +\d+\n/x,
     'what came of each version');
like($out, qr/^VERSION\s+SCORE\s+MEAN\s+MIN\s+MAX\s+COUNT\n
              1\ +a=b\ +1\ +1\ +1\ +2\n
              1\ +good\ +0\.5\ +0\ +1\ +2\n
              2\ +a=b\ +1\ +1\ +1\ +2\n
              2\ +good\ +1\ +1\ +1\ +2\n\z/mx, 'and their scores');

($status, $out, $err) = eval_of($prompt, '--dataset', $set, '--version', 2,
                                '--repetitions', 3, '--max-cost', '0.5',
                                '--fail-under', 'good=1', '--fail-under',
                                'a=b=0.5', '--json');
is($status, 0, 'bounds that are met');

my $run = JSON::PP::decode_json($out);

is("$run->{state} $run->{done}", 'DONE 6', 'the run as the service has it');
is(state($run->{id})->{costCapUsd}, '0.5', 'which was bounded');


# missed

($status, $out, $err) = eval_of($prompt, '--dataset', $set, '--version', '1,2',
                                '--fail-under', 'good=0.75', '--junit',
                                "$dir/junit.xml");
is($status, 1, 'a bound that is missed by one of them');
is($err, "promptctl: version 1: good is 0.5, below 0.75\n", 'is said');
like($out, qr/^2 +good +1 /m, 'and what came is printed all the same');

my $xml = slurp("$dir/junit.xml");

is(() = $xml =~ /<testcase /g, 4, 'a test case for each cell');
is(() = $xml =~ /<failure message="good"\/>/g, 1,
   'a check that scored 0 is a failure');
is(() = $xml =~ /<error/g, 0, 'none is an error');
like($xml, qr/<testcase classname="\Q$prompt\E\.v1" name="[0-9a-f-]{36} 1" time="\d+\.\d{3}">/,
     'by version, item and repetition');
ok(!-e "$dir/junit.xml.part", 'nothing else is left');

my $ill = named(dataset([ { input => { a => 'ill' } } ],
                        [ { name => "<\"]]>&'\x{ffff}\x{fffd}", value => 'well',
                            type => 'contains' } ]));

eval_of($prompt, '--dataset', $ill, '--version', 1, '--junit',
        "$dir/junit.xml");
like(slurp("$dir/junit.xml"),
     qr/<failure message="&lt;&quot;\]\]>&amp;'\?\xef\xbf\xbd"\/>/,
     'what XML cannot have is not in it');

($status, $out, $err) = eval_of($prompt, '--dataset', $set, '--version', 2,
                                '--fail-under', 'taste=0');
is($status, 1, 'a score that nothing has');
like($err, qr/nothing has the score taste/, 'is below every bound');

($status, $out, $err) = eval_of($prompt, '--dataset', $set, '--version', 3,
                                '--junit', "$dir/junit.xml");
is($status, 1, 'failed cells');
is($err, "promptctl: version 3: 2 of 2 cells failed\n", 'are said');
is(() = slurp("$dir/junit.xml") =~ /<error message="[^"<]+"\/>/g, 2,
   'and are errors');

($status, $out, $err) = eval_of($prompt, '--dataset', $set, '--version', 1,
                                '--max-cost', '0.000001');
is($status, 1, 'what may cost too much');
like($err, qr/the run is not done, but OVER_COST: 0 of 2 cells/, 'is not done');


# wrong

for my $case ([ 'there is no dataset "none"', 1, $prompt, '--dataset', 'none',
                '--version', 1 ],
              [ 'there is no prompt "none"', 1, 'none', '--dataset', $set,
                '--version', 1 ],
              [ 'version', 1, $prompt, '--dataset', $set, '--version', 9 ],
              [ '--dataset and --version must be given', 2, $prompt ],
              [ '--version', 2, $prompt, '--dataset', $set, '--version', 'x' ],
              [ '--version', 2, $prompt, '--dataset', $set, '--version', '1,' ],
              [ '--repetitions', 2, $prompt, '--dataset', $set, '--version', 1,
                '--repetitions', 0 ],
              [ 'NAME=NUMBER', 2, $prompt, '--dataset', $set, '--version', 1,
                '--fail-under', 'good' ],
              [ 'NAME=NUMBER', 2, $prompt, '--dataset', $set, '--version', 1,
                '--fail-under', 'good=x' ],
              [ 'costCapUsd', 1, $prompt, '--dataset', $set, '--version', 1,
                '--max-cost', 'x' ],
              [ '/none/x', 1, $prompt, '--dataset', $set, '--version', 1,
                '--junit', '/none/x' ])
{
    my ($why, $expected, @arguments) = @$case;

    ($status, $out, $err) = eval_of(@arguments);
    is($status, $expected, "@arguments[1 .. $#arguments]");
    like($err, qr/\Q$why\E/, 'and why');
}

is_deeply([ $s->faults ], [], 'clean error log');
$s->stop;

done_testing;
