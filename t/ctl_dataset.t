#!/usr/bin/perl
#
# promptctl dataset: items out and in, as lines of JSON.

use strict;
use warnings;

use File::Temp qw(tempdir);
use JSON::PP ();
use POSIX qw(_exit);
use Test::More;

use lib 't/lib';
use PromptTest::Env;
use PromptTest::Server;

my $dir = tempdir(CLEANUP => 1);

PromptTest::Env::setup();

my $s = PromptTest::Server->new(workers => 1);

$ENV{PROMPT_URL} = "http://127.0.0.1:$s->{port}/graphql";
$ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_key');
delete @ENV{qw(PROMPT_DATABASE_URL PROMPT_REDIS)};

# ctl(ARGUMENTS): status, standard output, standard error; standard input is in
sub ctl
{
    my $pid = fork;

    if ($pid == 0) {
        open STDOUT, '>', "$dir/out" or _exit(126);
        open STDERR, '>', "$dir/err" or _exit(126);
        open STDIN, '<', -e "$dir/in" ? "$dir/in" : '/dev/null' or _exit(126);
        alarm 60;
        exec { $PromptTest::Env::promptctl } 'promptctl', @_ or _exit(127);
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

sub spew
{
    my ($name, $text) = @_;

    open my $out, '>', "$dir/$name" or die "$dir/$name: $!\n";
    print $out $text;
    close $out;

    return "$dir/$name";
}

sub sql
{
    my $text = PromptTest::Env::psql($_[0]);

    chomp $text;
    return $text;
}

my $count = 'SELECT count(*) FROM dataset_items i JOIN datasets d ON d.id ='
            . ' i.dataset_id WHERE d.name = ';
my ($rc, $out, $err) = ctl('dataset', 'export', 'none', "$dir/none.jsonl");

is("$rc|$err", qq(1|promptctl: there is no dataset "none"\n), 'none to export');
ok(!-e "$dir/none.jsonl", 'and no file');

# what comes back is what was sent: numbers, order, characters, what is absent
my $lines = qq({"input":{"z":1.10,"a":1e2,"n":12345678901234567890.5}}\n)
            . qq({"input":{"b":[]},"expected":"\xc3\xa9\\n","metadata":{"x":null}}\n)
            . qq({"input":{},"expected":0.10}\n);

($rc, $out, $err) = ctl('dataset', 'import', 'one', spew('one.jsonl', $lines));
is("$rc|$out", "0|imported 3 items\n", 'items are imported') or diag($err);
is(sql("SELECT item_count FROM datasets WHERE name = 'one'"), 3,
   'into a dataset that was made for them');

($rc, $out, $err) = ctl('dataset', 'export', 'one', "$dir/back.jsonl");
is("$rc|$out", "0|exported 3 items\n", 'and exported') or diag($err);
is(slurp("$dir/back.jsonl"), $lines, 'as they were');
ok(!-e "$dir/back.jsonl.part", 'into a file that is whole');

($rc, $out, $err) = ctl('dataset', 'export', 'one', '-');
is("$rc|$out", "0|$lines", 'or to standard output, alone');
($rc, $out, $err) = ctl('dataset', 'export', 'one', "$dir/back.jsonl", '--json');
is("$rc|$out", qq(0|{"dataset":"one","items":3}\n), '--json');

# more than a request has; from standard input; added to what is there
spew('in', "\n" . join('', map { qq({"input": {"n": $_}}\n\n) } 1 .. 2300));
($rc, $out, $err) = ctl('dataset', 'import', 'one', '-');
is("$rc|$out", "0|imported 2300 items\n", 'many, of standard input')
    or diag($err);
is(sql("$count 'one'"), 2303, 'are added to those that are there');
($rc, $out, $err) = ctl('dataset', 'export', 'one', '-');
is(join(' ', map { /"n":(\d+)\}/ ? $1 : () } split /\n/, $out),
   join(' ', 1 .. 2300), 'in their order');
unlink "$dir/in";

# what is large goes in smaller parts, and comes back so
my $large = 'x' x 500_000;

spew('large.jsonl', join '', map { qq({"input":{"n":$_,"t":"$large"}}\n) }
     1 .. 40);
($rc, $out, $err) = ctl('dataset', 'import', 'large', "$dir/large.jsonl");
is("$rc|$out", "0|imported 40 items\n", 'large ones') or diag($err);
($rc, $out, $err) = ctl('dataset', 'export', 'large', "$dir/large2.jsonl");
is("$rc|$out", "0|exported 40 items\n", 'are exported, too') or diag($err);
ok(slurp("$dir/large.jsonl") eq slurp("$dir/large2.jsonl"), 'as they were');

# nothing, and what is wrong
($rc, $out, $err) = ctl('dataset', 'import', 'empty', spew('e.jsonl', ''));
is("$rc|$out", "0|imported 0 items\n", 'nothing makes an empty one')
    or diag($err);
is(sql("SELECT count(*) FROM datasets WHERE name = 'empty'"), 1, 'which is there');

for my $wrong ([ "x\n" => ':1:1: not JSON' ],
               [ qq({"input":{}}\n[]\n) => ':2: there is to be an object "input"' ],
               [ qq({"input":1}\n) => ':1: there is to be' ],
               [ qq({"input":{},"output":1}\n) => ':1: "output" is none of' ],
               [ qq({"input":{},"input":{}}\n) => ':1:\d+: not JSON' ],
               [ qq({"input":{}}\n{"input":{},"expected":"\\u0000"}\n)
                 => 'items.1.expected: .*\n.*items from line 1 on were not' ])
{
    my ($text, $said) = @$wrong;

    ($rc, $out, $err) = ctl('dataset', 'import', 'wrong',
                            spew('wrong.jsonl', $text));
    is($rc, 1, 'not imported');
    like($err, qr/$said/, "what is wrong: $said");
}

is(sql("$count 'wrong'"), 0, 'nothing of it was added');

spew('some.jsonl', join('', map { qq({"input":{"n":$_}}\n) } 1 .. 1500)
     . qq({"input":{},"expected":"\\u0000"}\n));
($rc, $out, $err) = ctl('dataset', 'import', 'some', "$dir/some.jsonl");
is($rc, 1, 'the second thousand has a fault');
like($err, qr/items from line 1001 on were not added; 1000 before them were/,
     'and the first is there');
is(sql("$count 'some'"), 1000, 'as it says');

# a line without an end, of which no more is read than there is memory for
SKIP: {
    skip 'memory is limited by address space', 1 if $ENV{ASAN_OPTIONS};

    truncate spew('endless', ''), 4 << 30;
    my $limited = "ulimit -v 1000000; $PromptTest::Env::promptctl";

    $err = `$limited dataset import endless $dir/endless 2>&1`;
    is($err, "promptctl: $dir/endless:1: larger than 16 MiB\n", 'no line');
}

($rc, $out, $err) = ctl('dataset', 'import', 'x', "$dir/none");
like("$rc|$err", qr/^1\|promptctl: cannot open .*none: No such file/, 'no file');
($rc, $out, $err) = ctl('dataset', 'export', 'one', "$dir/none/x");
like("$rc|$err", qr/^1\|promptctl: cannot write /, 'no folder');
($rc, $out, $err) = ctl('dataset', 'export', 'one');
is($rc, 2, 'usage');

$ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_read_key');
($rc, $out, $err) = ctl('dataset', 'import', 'one', "$dir/one.jsonl");
like("$rc|$err", qr/^1\|.*UNAUTHENTICATED/s, 'a key that may read alone');
($rc, $out, $err) = ctl('dataset', 'export', 'one', "$dir/back.jsonl");
is($rc, 0, 'exports');

done_testing();
