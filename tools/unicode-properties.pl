#!/usr/bin/perl
#
# Writes src/regex/property_tables.h: the properties of characters that regular
# expressions may name (ECMA-262, 22.2.1.1), from the Unicode tables of this
# perl.
#
#     perl tools/unicode-properties.pl > src/regex/property_tables.h

use strict;
use warnings;

use Unicode::UCD qw(prop_invlist prop_value_aliases prop_values);

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

my @digits = ('A' .. 'Z', 'a' .. 'z', 0 .. 9, '+', '/');


# number($n): five bits a digit, the lowest first; 32: more follow
sub number
{
    my ($n) = @_;
    my $out = '';

    while ($n > 31) {
        $out .= $digits[32 + $n % 32];
        $n >>= 5;
    }

    return $out . $digits[$n];
}


# ranges($property): from the end of the range before to the first character,
# then how many follow that one
sub ranges
{
    my ($property) = @_;
    my @list = prop_invlist($property);
    my ($out, $at) = ('', 0);

    die "no $property\n" unless @list;

    push @list, 0x110000 if @list % 2;

    while (my ($first, $next) = splice @list, 0, 2) {
        $out .= number($first - $at) . number($next - 1 - $first);
        $at = $next;
    }

    return $out;
}


# text($data): a string literal over as many lines as it takes
sub text
{
    my ($data) = @_;

    return 'NULL' unless defined $data;

    return join "\n", map { "      \"$_\"" } $data =~ /(.{1,68})/g
        if length $data > 64;

    return "      \"$data\"";
}


my ($count, @names) = (0);


# entry($kind, $names, $ranges, $extended): a property; how it may be called is
# kept for the index
sub entry
{
    my ($kind, $list, $ranges, $extended) = @_;
    my $lone = $kind eq 'SCRIPT' ? 'false' : 'true';
    my %seen;

    print "    { PROMPT_REGEX_$kind,\n", text($ranges), ',';
    print defined $extended ? "\n" . text($extended) : "\n      NULL", " },\n";

    push @names, [ $_, $lone, $count ] for grep { !$seen{$_}++ } @$list;
    $count++;
}


my $version = Unicode::UCD::UnicodeVersion();

print <<"END";
/*
 * Properties of characters that regular expressions may name, Unicode
 * $version.
 *
 * Written by tools/unicode-properties.pl; not to be edited.  Included by
 * property.c alone, which says how the ranges are written.
 */

#ifndef PROMPT_REGEX_PROPERTY_TABLES_H
#define PROMPT_REGEX_PROPERTY_TABLES_H


static const prompt_regex_property_t  prompt_regex_properties[] = {
END

entry('BINARY', $_, ranges($_->[0])) for @binary;

for my $value (prop_values('gc')) {
    entry('CATEGORY', [ map { $spelled{$_} || $_ }
                        prop_value_aliases('gc', $value) ],
          ranges("gc=$value"));
}

for my $value (prop_values('sc')) {
    my @list = grep { $_ ne '' } prop_value_aliases('sc', $value);

    next unless @list && $list[0] ne 'Hrkt';

    my ($script, $extended) = map { ranges("$_=$list[0]") } qw(sc scx);

    entry('SCRIPT', \@list, $script,
          $extended ne $script ? $extended : undef);
}

print "};\n\n\n/* in the order of bytes; those that stand alone come first */\n",
      "static const prompt_regex_property_name_t  ",
      "prompt_regex_property_names[] = {\n";

for my $name (sort { $b->[1] cmp $a->[1] || $a->[0] cmp $b->[0] } @names) {
    printf "    { prompt_str_init(\"%s\"), %s, %d },\n", @$name;
}

print "};\n\n#endif /* PROMPT_REGEX_PROPERTY_TABLES_H */\n";
