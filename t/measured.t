# What runs a suite (lib/measured.c): how it ended, how much of processors it
# took, and what becomes of one that hangs.

use strict;
use warnings;

use File::Temp qw(tempdir);
use Test::More;

use PromptTest::Env;

my $program = "$PromptTest::Env::root/build/measured";
my $dir = tempdir(CLEANUP => 1);

# measured(SECONDS, SCRIPT): its status, and what it said
sub measured
{
    my ($seconds, $script) = @_;

    unlink "$dir/worked";
    system("$program $dir/worked $seconds sh -c '$script' 2>$dir/said");

    my $status = $?;

    open my $in, '<', "$dir/said" or die "$dir/said: $!\n";
    local $/;

    return ($status >> 8, scalar <$in>);
}

sub worked
{
    open my $in, '<', "$dir/worked" or return undef;

    return scalar <$in>;
}

my ($status, $said) = measured(60, 'exit 7');

is $status, 7, 'ends as the command ended';
is $said, '', 'and says nothing';
like worked(), qr/^\d+\.\d\d\n$/, 'what it took of processors is kept';

# a server that went into the background, and will not be asked
($status, $said) = measured(5, "echo \$\$ >$dir/pid; "
    . "setsid sleep 600 & echo \$! >$dir/server; wait");

is $status, 124, 'a command that hangs has failed';
like $said, qr/^# .*: not ended after 5 s; there are:$/m, 'it is said';
like $said, qr/^# +\d+ S \S*: sleep 600 $/m, 'and what there was';

for my $name (qw(pid server)) {
    open my $in, '<', "$dir/$name" or die "$dir/$name: $!\n";
    chomp(my $pid = <$in>);

    ok !kill(0, $pid), "the $name of it is gone";
}

done_testing;
