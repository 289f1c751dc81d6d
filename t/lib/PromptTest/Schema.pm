# The root fields of schema.graphql, for suites that ask for each of them: one
# that is new is asked for, too, or the suite does not begin.

package PromptTest::Schema;

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);

my $text = do {
    my $file = abs_path(dirname(__FILE__) . '/../../..') . '/schema.graphql';

    open my $in, '<', $file or die "$file: $!\n";
    local $/;
    <$in>;
};

$text =~ s/"""[\s\S]*?"""//g;
$text =~ s/"(?:[^"\\\n]|\\.)*"//g;
$text =~ s/#.*//g;

my $arguments = qr/(?:\(([^()]*)\))?/;

# what a type or an input has: [name, arguments, type], ...
sub fields_of
{
    my ($type) = @_;
    my @fields;

    while ($text =~ /^(?:extend )?(?:type|input) $type\b[^{]*\{([^}]*)\}/mg) {
        my $body = $1;

        push @fields, [ $1, $2 // '', $3 ]
            while $body =~ /(\w+)\s*$arguments\s*:\s*([\[\]\w!]+)/g;
    }

    return @fields;
}


# [name, type] of arguments, or of an input's members
sub arguments_of
{
    my ($list) = @_;
    my @found;

    push @found, [ $1, $2 ] while $list =~ /(\w+)\s*:\s*([\[\]\w!]+)/g;

    return @found;
}


# all of them: { kind => query, name, arguments => [[name, type], ...], type }
sub roots
{
    return map { my $kind = $_; map {
        { kind => lc $kind, name => $_->[0], type => $_->[2],
          arguments => [ arguments_of($_->[1]) ] } } fields_of($kind) }
        qw(Query Mutation Subscription);
}


# value($type): something of that type, as a document has it
sub value
{
    my ($type) = @_;
    my %scalar = (ID => '"x"', String => '"x"', Int => 1, Float => 1,
                  Boolean => 'true', JSON => '{}',
                  DateTime => '"2026-01-01T00:00:00.000Z"');

    return '[' . value($1) . ']' if $type =~ /^\[(.*)\]!?$/;

    $type =~ s/!$//;
    return $scalar{$type} if exists $scalar{$type};
    return $1 if $text =~ /^enum $type\b[^{]*\{\s*(\w+)/m;

    return '{' . given(map { [ $_->[0], $_->[2] ] } fields_of($type)) . '}';
}


# given(LIST): those of the arguments or members that must be given
sub given
{
    return join ', ', map { "$_->[0]: " . value($_->[1]) }
                      grep { $_->[1] =~ /!$/ } @_;
}


# document($root): a sound one that asks for the field
sub document
{
    my ($root) = @_;
    my $given = given(@{ $root->{arguments} });
    (my $named = $root->{type}) =~ s/[\[\]!]//g;

    return "$root->{kind} { $root->{name}" . ($given && "($given)")
           . (fields_of($named) ? ' { __typename }' : '') . ' }';
}


# names_prompt($root): whether an argument says which prompt it is about
sub names_prompt
{
    my ($root) = @_;

    for my $argument (@{ $root->{arguments} }) {
        my ($name, $type) = @$argument;

        return 1 if $name eq 'promptId';
        return 1 if $name eq 'id' && $root->{name} =~ /prompt/i;
        return 1 if $type =~ /^(\w+)/
                    && grep { $_->[0] eq 'promptId' } fields_of($1);
    }

    return 0;
}


# same(WHAT, LIST, LIST): dies where a suite's table and the schema differ
sub same
{
    my ($what, $table, $schema) = @_;
    my %left = map { $_ => 1 } @$table;
    my @lacks = grep { !delete $left{$_} } @$schema;

    die "$what: schema.graphql has also: @lacks\n" if @lacks;
    die "$what: schema.graphql has not: @{[ sort keys %left ]}\n" if %left;
}

1;
