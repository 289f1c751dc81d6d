#!/usr/bin/perl
#
# Writes src/base/unicode_tables.h: the properties of characters that names
# need, as ranges for binary search, from the Unicode tables of this perl.
#
#     perl tools/unicode-tables.pl > src/base/unicode_tables.h

use strict;
use warnings;

use Unicode::UCD qw(prop_invlist prop_invmap);


sub ranges {
    my ($name, $comment, @properties) = @_;
    my (@out);

    for my $property (@properties) {
        my @list = prop_invlist($property);
        push @list, 0x110000 if @list % 2;

        while (my ($first, $next) = splice @list, 0, 2) {
            push @out, [$first, $next - 1];
        }
    }

    # joins what touches

    my @joined;

    for my $r (sort { $a->[0] <=> $b->[0] } @out) {
        if (@joined && $r->[0] <= $joined[-1][1] + 1) {
            $joined[-1][1] = $r->[1] if $r->[1] > $joined[-1][1];
            next;
        }

        push @joined, [@$r];
    }

    # a run of single characters, each second one, is one range as well

    my @runs;

    for my $r (@joined) {
        my ($first, $last) = @$r;
        my $run = $runs[-1];

        if ($run && $first == $last && $run->[1] + 2 == $first
            && ($run->[2] == 2 || $run->[0] == $run->[1]))
        {
            @$run[1, 2] = ($first, 2);
            next;
        }

        push @runs, [$first, $last, 1];
    }

    print "\n\n/* $comment */\nstatic const prompt_unicode_range_t  $name\[] = {\n";
    table(map { sprintf '{ 0x%04x, 0x%04x, %d }', @$_ } @runs);
    print "};\n";
}


# as many entries a line as there is room for

sub table {
    my $line = '   ';

    for (@_) {
        if (length("$line $_,") > 79) {
            print "$line\n";
            $line = '   ';
        }

        $line .= " $_,";
    }

    print "$line\n";
}


sub lower {
    my ($list, $map, $format, $default) = prop_invmap('Simple_Lowercase_Mapping');
    my @pairs;

    for my $i (0 .. $#$list) {
        next if $map->[$i] eq $default;

        my $next = $i < $#$list ? $list->[$i + 1] : 0x110000;

        for my $c ($list->[$i] .. $next - 1) {
            my $to = $map->[$i] + ($c - $list->[$i]);
            push @pairs, [$c, $to - $c] if $to != $c;
        }
    }

    # runs of one distance, every character or every second one

    my @runs;

    for my $pair (@pairs) {
        my ($c, $delta) = @$pair;
        my $run = $runs[-1];

        if ($run && $run->{delta} == $delta) {
            my $step = $c - $run->{last};

            if ($step <= 2 && ($run->{step} == 0 || $run->{step} == $step)) {
                $run->{step} = $step;
                $run->{last} = $c;
                next;
            }
        }

        push @runs, { first => $c, last => $c, step => 0, delta => $delta };
    }

    print "\n\n/* Simple_Lowercase_Mapping: from first to last, each step-th */\n"
          . "static const prompt_unicode_case_t  prompt_unicode_to_lower[] = {\n";
    table(map { sprintf '{ 0x%04x, 0x%04x, %d, %d }', $_->{first}, $_->{last},
                        $_->{step} || 1, $_->{delta} } @runs);
    print "};\n";
}


my $version = Unicode::UCD::UnicodeVersion();

print <<"END";
/*
 * Properties of characters, Unicode $version.
 *
 * Written by tools/unicode-tables.pl; not to be edited.  Included by utf8.c
 * alone.
 */

#ifndef PROMPT_BASE_UNICODE_TABLES_H
#define PROMPT_BASE_UNICODE_TABLES_H

#include <stdint.h>


typedef struct {
    uint32_t  first;
    uint32_t  last;
    uint32_t  step;    /* 2: each second character */
} prompt_unicode_range_t;


typedef struct {
    uint32_t  first;
    uint32_t  last;
    uint32_t  step;
    int32_t   delta;
} prompt_unicode_case_t;
END

ranges('prompt_unicode_letters', 'general categories L*', 'General_Category=L');
ranges('prompt_unicode_digits', 'general category Nd', 'General_Category=Nd');
ranges('prompt_unicode_marks', 'general categories M*', 'General_Category=M');
ranges('prompt_unicode_upper', 'general categories Lu and Lt',
       'General_Category=Lu', 'General_Category=Lt');
ranges('prompt_unicode_lower', 'general category Ll', 'General_Category=Ll');
lower();

print "\n#endif /* PROMPT_BASE_UNICODE_TABLES_H */\n";
