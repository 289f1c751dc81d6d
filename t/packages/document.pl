#!/usr/bin/perl
#
# document.pl FILE DIR: the commands of FILE's sections, as DIR/build.sh,
# DIR/install.sh, DIR/upgrade.sh and DIR/remove.sh.  They are those with the
# mark "test: packages" before them (a comment, which readers do not see).  The
# first block builds, in the folder of the source; what follows is done where
# its packages are.

use strict;
use warnings;

my ($file, $dir) = @ARGV;

open my $in, '<', $file or die "$file: $!\n";

my %name = ('Install with packages' => 'install', 'Upgrade' => 'upgrade',
            'Remove' => 'remove');
my %script;
my ($level, $section, $mark, $block) = (0, undef, 0, undef);

while (my $line = <$in>) {
    if (defined $block) {
        if ($line =~ /^```\s*$/) {
            $script{ $script{build} ? $section : 'build' } .= "$block\n";
            undef $block;
        } else {
            $block .= $line;
        }

    } elsif ($line =~ /^(#+)\s+(.*?)\s*$/) {
        my ($depth, $title) = (length $1, $2);

        if ($title eq 'Install with packages') {
            ($level, $section) = ($depth, 'install');
        } elsif ($level && $depth <= $level) {
            ($level, $section) = (0, undef);
        } elsif ($level) {
            $section = $name{$title};
        }

    } elsif (defined $section && $line =~ /^```sh\s*$/) {
        $block = '' if $mark;
    }

    $mark = $line =~ /^<!-- test: packages -->\s*$/;
}

for my $script (sort 'build', values %name) {
    die "$file: no commands of $script\n" unless $script{$script};

    open my $out, '>', "$dir/$script.sh" or die "$dir/$script.sh: $!\n";
    print $out "set -eu\ncd /root", $script eq 'build' ? '/source' : '',
               "\n\n$script{$script}";
    close $out or die "$dir/$script.sh: $!\n";
}
