#!/usr/bin/perl
#
# Writes src/regex/property_tables.h: the properties of characters that regular
# expressions may name (ECMA-262, 22.2.1.1), from the Unicode tables of this
# perl.
#
#     perl tools/unicode-properties.pl > src/regex/property_tables.h

use strict;
use warnings;

use FindBin;
use List::Util qw(first);
use Unicode::UCD qw(prop_value_aliases prop_values);

use lib $FindBin::Bin;
use UnicodeText qw(@categories number ranges);

# the names that ECMA-262 has for binary properties, long and short
my @binary = map { [ split ] } grep { /\S/ } split /\n/, <<'END';
ASCII
ASCII_Hex_Digit AHex
Alphabetic Alpha
Any
Assigned
Bidi_Control Bidi_C
Bidi_Mirrored Bidi_M
Case_Ignorable CI
Cased
Changes_When_Casefolded CWCF
Changes_When_Casemapped CWCM
Changes_When_Lowercased CWL
Changes_When_NFKC_Casefolded CWKCF
Changes_When_Titlecased CWT
Changes_When_Uppercased CWU
Dash
Default_Ignorable_Code_Point DI
Deprecated Dep
Diacritic Dia
Emoji
Emoji_Component EComp
Emoji_Modifier EMod
Emoji_Modifier_Base EBase
Emoji_Presentation EPres
Extended_Pictographic ExtPict
Extender Ext
Grapheme_Base Gr_Base
Grapheme_Extend Gr_Ext
Hex_Digit Hex
IDS_Binary_Operator IDSB
IDS_Trinary_Operator IDST
ID_Continue IDC
ID_Start IDS
Ideographic Ideo
Join_Control Join_C
Logical_Order_Exception LOE
Lowercase Lower
Math
Noncharacter_Code_Point NChar
Pattern_Syntax Pat_Syn
Pattern_White_Space Pat_WS
Quotation_Mark QMark
Radical
Regional_Indicator RI
Sentence_Terminal STerm
Soft_Dotted SD
Terminal_Punctuation Term
Unified_Ideograph UIdeo
Uppercase Upper
Variation_Selector VS
White_Space space
XID_Continue XIDC
XID_Start XIDS
END

# what perl writes with a capital letter, and Unicode does not
my %spelled = (Cntrl => 'cntrl', Digit => 'digit', Punct => 'punct');

# edges($property): where it begins and ends, the first character of each time
sub edges
{
    return [ map { ($_->[0], $_->[1] + 1) } ranges(@_) ];
}


# differ($a, $b): the edges of the characters that are in one of both
sub differ
{
    my ($a, $b) = @_;
    my ($i, $k, @out) = (0, 0);

    while ($i < @$a && $k < @$b) {
        if ($a->[$i] == $b->[$k]) {
            $i++;
            $k++;

        } else {
            push @out, $a->[$i] < $b->[$k] ? $a->[$i++] : $b->[$k++];
        }
    }

    return [ @out, @$a[$i .. $#$a], @$b[$k .. $#$b] ];
}


# text($edges): each from the one before
sub text
{
    my ($edges) = @_;
    my ($out, $at) = ('', 0);

    for my $edge (@$edges) {
        $out .= number($edge - $at);
        $at = $edge;
    }

    return $out;
}


my %category = map { $_ => edges("gc=$_") } @categories;


# by_categories($edges): what is left of them without the categories that make
# it shortest, as text, and a bit for each of those
sub by_categories
{
    my ($edges) = @_;
    my ($best, $mask) = (text($edges), 0);

    for ( ;; ) {
        my ($found, $rest);

        for my $i (0 .. $#categories) {
            my $without = differ($edges, $category{$categories[$i]});
            my $text = text($without);

            if (length $text < length $best) {
                ($best, $found, $rest) = ($text, $i, $without);
            }
        }

        return ($best, $mask) unless defined $found;

        $mask ^= 1 << $found;
        $edges = $rest;
    }
}


# binary: all of them as [property, rest, mask, another property], those first
# that need no other, and no other that comes behind
sub binary
{
    my %edges = map { $_->[0] => edges($_->[0]) } @binary;
    my %alone = map { $_ => (by_categories($edges{$_}))[0] } keys %edges;
    my @out;

    for my $property (sort { length $alone{$a} <=> length $alone{$b}
                             || $a cmp $b } keys %edges)
    {
        my ($rest, $mask) = by_categories($edges{$property});
        my $base = -1;

        for my $i (0 .. $#out) {
            my ($less, $with) = by_categories(
                differ($edges{$property}, $edges{$out[$i][0]}));

            if (length $less < length $rest) {
                ($rest, $mask, $base) = ($less, $with, $i);
            }
        }

        push @out, [ $property, $rest, $mask, $base ];
    }

    return @out;
}


# scripts: their names, those first that have the most runs, and the runs; what
# is between two characters of a script belongs to it where no other has it
sub scripts
{
    my (%names, @runs);

    for my $value (prop_values('sc')) {
        my @names = grep { $_ ne '' } prop_value_aliases('sc', $value);

        next unless @names && $names[0] !~ /^(Hrkt|Zzzz)$/;

        $names{$names[0]} = \@names;
        push @runs, map { [@$_, $names[0]] } ranges("sc=$names[0]");
    }

    my @joined;

    for my $run (sort { $a->[0] <=> $b->[0] } @runs) {
        if (@joined && $joined[-1][2] eq $run->[2]) {
            $joined[-1][1] = $run->[1];

        } else {
            $joined[-1][1] = $run->[0] - 1 if @joined;
            push @joined, [@$run];
        }
    }

    $joined[-1][1] = 0x10ffff;

    my %count;

    $count{$_->[2]}++ for @joined;

    my @order = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %names;

    return ([ map { $names{$_} } @order ], \@joined);
}


# literal($indent, $data): a string over as many lines as it takes
sub literal
{
    my ($indent, $data) = @_;
    my $width = 75 - length $indent;

    return join "\n", map { "$indent\"$_\"" } $data =~ /(.{1,$width})/g
        if $data ne '';

    return "$indent\"\"";
}


# flow(@entries): as many a line as there is room for
sub flow
{
    my $line = '   ';

    for my $i (0 .. $#_) {
        my $entry = $i < $#_ ? "$_[$i]," : $_[$i];

        if (length "$line $entry" > 79) {
            print "$line\n" if $line ne '   ';
            $line = '   ';
        }

        $line .= " $entry";
    }

    print "$line\n};\n";
}


# names($what, \%numbers): in the order of bytes
sub names
{
    my ($what, $numbers) = @_;

    print "\n\n/* $what */\n",
          "static const prompt_regex_property_name_t\n",
          "    prompt_regex_${what}[] = {\n";
    flow(map { sprintf '{ "%s", %s }', $_, $numbers->{$_} }
         sort keys %$numbers);
}


my $version = Unicode::UCD::UnicodeVersion();

print <<"END";
/*
 * Properties of characters that regular expressions may name, Unicode
 * $version.
 *
 * Written by tools/unicode-properties.pl; not to be edited.  Included by
 * property.c alone, which says how they are written.
 */

#ifndef PROMPT_REGEX_PROPERTY_TABLES_H
#define PROMPT_REGEX_PROPERTY_TABLES_H


/* binary properties, in no order that means anything */
static const prompt_regex_property_t  prompt_regex_properties[] = {
END

my @properties = binary();
my @lines;

for (@properties) {
    my ($property, $rest, $mask, $base) = @$_;
    my $head = sprintf '    { 0x%08x, %d,', $mask, $base;

    push @lines, length("$head$rest") < 73 ? "$head \"$rest\" }"
                 : "$head\n" . literal('      ', $rest) . ' }';
}

print join(",\n", @lines), "\n};\n";

my %numbers;

for my $i (0 .. $#properties) {
    my $names = first { $_->[0] eq $properties[$i][0] } @binary;

    $numbers{$_} = $i for @$names;
}

names('binaries', \%numbers);

%numbers = ();

for my $value (prop_values('gc')) {
    my @ranges = ranges("gc=$value");
    my $mask = 0;

    for my $i (0 .. $#categories) {
        my $one = $category{$categories[$i]}[0];

        $mask |= 1 << $i
            if grep { $_->[0] <= $one && $one <= $_->[1] } @ranges;
    }

    $numbers{$spelled{$_} || $_} = sprintf '0x%08x', $mask
        for prop_value_aliases('gc', $value);
}

names('categories', \%numbers);

my ($scripts, $runs) = scripts();
my %script;

%numbers = ();

for my $i (0 .. $#$scripts) {
    $script{$scripts->[$i][0]} = $i;
    $numbers{$_} = $i for @{$scripts->[$i]};
}

@numbers{qw(Unknown Zzzz)} = (scalar @$scripts) x 2;

print "\n\n/* what has none, as if it were one */\n",
      '#define PROMPT_REGEX_NO_SCRIPT  ', scalar @$scripts, "\n";

names('scripts', \%numbers);

my @extensions;

for my $i (0 .. $#$scripts) {
    my $name = $scripts->[$i][0];
    my $more = text(differ(edges("sc=$name"), edges("scx=$name")));

    next if $more eq '';

    push @extensions, length $more < 60 ? "{ $i, \"$more\" }"
                      : "{ $i,\n" . literal('      ', $more) . ' }';
}

print <<'END';


/* what Script_Extensions differ from Script in, where they do */
static const prompt_regex_extension_t  prompt_regex_extensions[] = {
END

flow(@extensions);

print <<'END';


/* runs of the same script: how many follow the first, and the script */
static const char  prompt_regex_script_runs[] =
END

print literal('    ', join '', map { number($_->[1] - $_->[0])
                                     . number($script{$_->[2]}) } @$runs),
      ";\n\n#endif /* PROMPT_REGEX_PROPERTY_TABLES_H */\n";
