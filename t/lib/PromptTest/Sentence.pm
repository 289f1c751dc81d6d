# A failing test says in a sentence what was wanted and what came, where it
# differs first: everything else only where PROMPT_TEST_VERBOSE is set.
#
# In the place of what Test::Builder says, whoever uses it: Test::More, and
# Test::Nginx with it.

package PromptTest::Sentence;

use strict;
use warnings;
no warnings 'redefine';

use Test::Builder ();
use Test::More ();

my $most = 160;         # characters of a text that are shown
my $lines = 6;          # lines of what a test says beside it

my $verbose = $ENV{PROMPT_TEST_VERBOSE};


# cut($text [, $at]): from a little before where it matters, on one line
sub cut
{
    my ($text, $at) = @_;
    my $from = ($at || 0) - $most / 2;

    $from = length($text) - $most if $from > length($text) - $most;
    $from = 0 if $from < 0;

    my $part = substr $text, $from, $most;

    $part =~ s/\n/\\n/g;

    return ($from > 0 ? '...' : '') . $part
           . ($from + $most < length $text ? '...' : '');
}


# shown($text [, $at]): the same of what may be undef
sub shown
{
    my ($text, $at) = @_;

    return defined $text ? '"' . cut($text, $at) . '"' : 'nothing';
}


# difference($got, $want): of two texts
sub difference
{
    my ($got, $want) = @_;

    return 'wanted ' . shown($want) . ', got ' . shown($got)
        if !defined $got || !defined $want
           || (length $got <= $most && length $want <= $most);

    # as long as they are the same there are zeros
    (my $same = "$got" ^ "$want") =~ /^\0*/;
    my $at = $+[0];
    my $line = 1 + (substr($got, 0, $at) =~ tr/\n//);

    return "from character $at (line $line) wanted " . shown($want, $at)
           . ', got ' . shown($got, $at);
}


# shortened($text): the first lines of what a test says
sub shortened
{
    my ($text) = @_;
    my @all = split /\n/, $text;

    @all = map { length > 4 * $most ? substr($_, 0, 4 * $most) . '...' : $_ }
           @all;

    return join "\n", @all if @all <= $lines;

    return join "\n", @all[0 .. $lines - 1],
                      '... (' . (@all - $lines) . ' lines more with '
                      . 'PROMPT_TEST_VERBOSE=1)';
}


if (!$verbose) {
    my $ok = \&Test::Builder::ok;
    my $diag = \&Test::Builder::diag;
    my $regex_ok = \&Test::Builder::_regex_ok;
    my $stack = \&Test::More::_format_stack;

    # Test::Nginx has answers in names of tests
    *Test::Builder::ok = sub {
        my ($self, $test, $name) = @_;

        @_ = ($self, $test, cut($name)) if defined $name;

        goto &$ok;
    };

    *Test::Builder::diag = sub {
        my ($self, @text) = @_;

        return $diag->($self, shortened(join '', map { $_ // 'undef' } @text));
    };

    *Test::Builder::_ok_debug = sub {
        my ($self, $trace, $name) = @_;
        my (undef, $file, $line) = $trace->call;

        $name = 'a test' unless defined $name;
        $name = "$0: $name" if index($name, $0) != 0;
        $name .= ", line $line" if $file eq $0;

        $self->diag("failed: $name");
    };

    *Test::Builder::_is_diag = sub {
        my ($self, $got, undef, $want) = @_;

        return $self->diag('  ' . difference($got, $want));
    };

    *Test::Builder::_regex_ok = sub {
        my ($self, $text, $regex, $cmp, $name) = @_;
        my $usable = $self->maybe_regex($regex);

        return $regex_ok->(@_) if !defined $usable || !defined $text;

        local $Test::Builder::Level = $Test::Builder::Level + 1;

        my $wanted = $cmp eq '=~';
        my $found = $text =~ $usable;
        my $at = $found ? $-[0] : 0;
        my $ok = $self->ok($wanted ? $found : !$found, $name);

        $self->diag('  wanted ' . ($wanted ? '' : 'nothing like ')
                    . cut("$usable") . ', got ' . shown($text, $at)) unless $ok;

        return $ok;
    };

    *Test::More::_format_stack = sub {
        my $text = $stack->(@_);

        return $text unless $text =~ /\$got(\S*) = (.*)\n *\$expected\S* = (.*)\n/s;

        return '  ' . ($1 ne '' ? "\$$1: " : '') . 'wanted ' . cut($3) . ', got '
               . cut($2);
    };
}

1;
