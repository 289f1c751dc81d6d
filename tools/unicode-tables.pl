#!/usr/bin/perl
#
# Writes src/base/unicode_tables.h: the general categories of all characters,
# and the lower case of those that have one, from the Unicode tables of this
# perl.
#
#     perl tools/unicode-tables.pl > src/base/unicode_tables.h

use strict;
use warnings;

use FindBin;
use Unicode::UCD qw(prop_invmap);

use lib $FindBin::Bin;
use UnicodeText qw(@categories @digits number ranges);


# categories: the runs of characters of one category, as [first, text]: the
# number of the category, before it how many characters follow the first, by
# digits that are all 32 or more, none for 0
sub categories
{
    my @runs;

    for my $category (0 .. $#categories) {
        for my $range (ranges("gc=$categories[$category]")) {
            my ($first, $last) = @$range;
            my $text = '';

            for (my $n = $last - $first; $n; $n >>= 5) {
                $text .= $digits[32 + $n % 32];
            }

            push @runs, [ $first, $text . $digits[$category] ];
        }
    }

    return sort { $a->[0] <=> $b->[0] } @runs;
}


# lower: the runs of characters that are as far from their lower case, each of
# them or every second one, as [first, text, last]
sub lower
{
    my ($list, $map, $format, $default) =
        prop_invmap('Simple_Lowercase_Mapping');
    my @runs;

    for my $i (0 .. $#$list) {
        next if $map->[$i] eq $default;

        my $next = $i < $#$list ? $list->[$i + 1] : 0x110000;
        my $delta = $map->[$i] - $list->[$i];

        next unless $delta;

        for my $c ($list->[$i] .. $next - 1) {
            my $run = $runs[-1];
            my $step = $run ? $c - $run->{last} : 0;

            if ($run && $run->{delta} == $delta && $step <= 2
                && (!$run->{step} || $run->{step} == $step))
            {
                @$run{qw(step last)} = ($step, $c);
                next;
            }

            push @runs, { first => $c, last => $c, step => 0,
                          delta => $delta };
        }
    }

    return map {
        my ($first, $last, $step, $delta) = @$_{qw(first last step delta)};

        [ $first, number(2 * ($last - $first) + ($step == 2))
                  . number($delta < 0 ? -2 * $delta - 1 : 2 * $delta), $last ]
    } @runs;
}


# lines($gaps, @runs): as many runs as there is room for; with $gaps each but
# the first of a line says how far behind the one before it begins
sub lines
{
    my ($gaps, @runs) = @_;
    my ($line, $first, $behind) = ('', $runs[0][0]);

    for my $run (@runs) {
        my $text = $run->[1];

        if ($line ne '') {
            my $next = $gaps ? number($run->[0] - $behind) . $text : $text;

            if (length("$line$next") <= 60) {
                $text = $next;

            } else {
                printf "    { 0x%05x, \"%s\" },\n", $first, $line;
                ($line, $first) = ('', $run->[0]);
            }
        }

        $line .= $text;
        $behind = $run->[2] + 1 if $gaps;
    }

    printf "    { 0x%05x, \"%s\" }\n};\n", $first, $line;
}


my $version = Unicode::UCD::UnicodeVersion();

print <<"END";
/*
 * Properties of characters, Unicode $version.
 *
 * Written by tools/unicode-tables.pl; not to be edited.  Included by utf8.c
 * alone, which says how they are written.
 */

#ifndef PROMPT_BASE_UNICODE_TABLES_H
#define PROMPT_BASE_UNICODE_TABLES_H

#include <stdint.h>


/* what is said of the characters from the first one on */
typedef struct {
    uint32_t     first;
    const char  *text;
} prompt_unicode_line_t;


/* general categories */
static const prompt_unicode_line_t  prompt_unicode_categories[] = {
END

lines(0, categories());

print <<'END';


/* Simple_Lowercase_Mapping */
static const prompt_unicode_line_t  prompt_unicode_to_lower[] = {
END

lines(1, lower());

print "\n#endif /* PROMPT_BASE_UNICODE_TABLES_H */\n";
