# completion/promptctl.bash, asked by bash itself: all commands and options of
# promptctl, no others, and what follows an option.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Env;
use Test::More;

my $file = "$PromptTest::Env::root/completion/promptctl.bash";
my $ctl = $PromptTest::Env::promptctl;


# completes(WORDS...): what the last one may become
sub completes
{
    my @words = ($ctl, @_);
    my $program = 'source "$1"; shift; COMP_WORDS=("$@"); '
                  . 'COMP_CWORD=$(($# - 1)); _promptctl; '
                  . 'printf "%s\n" "${COMPREPLY[@]}"';

    open my $out, '-|', 'bash', '-u', '-c', $program, 'bash', $file, @words
        or die "bash: $!\n";

    my %all = map { chomp; $_ => 1 } <$out>;

    return sort grep { length } keys %all;
}


sub options
{
    my ($text) = @_;

    return $text =~ /^ {2}(?:    |-\w, )(--[\w-]+)/mg;
}


# what promptctl says of itself
my ($list, $common) = PromptTest::Env::run($ctl, '--help')
                      =~ /^Commands:\n(.*?)\n\n(Options.*)/ms;
my @commands = $list =~ /^  ((?:user |key |project |dataset )?[\w-]+) +\S/mg;
my %groups;

cmp_ok(scalar @commands, '>', 10, 'promptctl lists its commands');

for my $command (@commands) {
    my @words = split ' ', $command;

    push @{ $groups{$words[0]} }, $words[1] if @words > 1;

    my $help = PromptTest::Env::run($ctl, @words, '--help');
    my %all = map { $_ => 1 } options($help);

    ok($all{'--json'}, "promptctl $command --help has options");
    is_deeply([ completes(@words, '-') ], [ sort keys %all ],
              "the options of $command");

    # behind one that takes a value stands that, else an option again
    for my $option (sort keys %all) {
        my $value = $help =~ /^ {2}(?:    |-\w, )\Q$option\E \S/m;
        my @next = completes(@words, $option, '-');

        is(scalar(grep { $_ eq '--json' } @next), $value ? 0 : 1,
           "$command $option takes " . ($value ? 'a value' : 'none'));
    }
}

my %first = map { (split ' ')[0] => 1 } @commands;

is_deeply([ completes('') ], [ sort keys %first ], 'all commands');
is_deeply([ completes('ex') ], [ qw(executions export) ],
          'those that begin so');
is_deeply([ completes($_, '') ], [ sort @{ $groups{$_} } ], "all of $_")
    for sort keys %groups;

is_deeply([ completes('-') ], [ sort(options($common)) ],
          'options of all commands');
is_deeply([ completes('--url', 'x', 'prom') ], [ 'prompts' ],
          'options before the command');
is_deeply([ completes('key', 'add', 'a@b', '--scope', 'r') ], [ 'read' ],
          'scopes');
is_deeply([ completes('executions', '--status', 'l') ], [ 'lost' ],
          'states');
is_deeply([ completes('export', 't/li') ], [ 't/lib' ], 'folders');
is_deeply([ completes('run', 'x', '--input', 'Makef') ], [ 'Makefile' ],
          'files');

done_testing();
