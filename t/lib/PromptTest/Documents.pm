# The fenced blocks of a document, and comparing the answers that stand there
# with those that come.
#
# A comment before a block says what it is for, invisible to who reads:
#
#     <!-- test: KIND [NAME] -->
#
# t/examples.t has the kinds.  A block of graphql needs none: the block of json
# behind it is the answer, or of two the first has the variables.

package PromptTest::Documents;

use strict;
use warnings;

use PromptTest::Json;

my $uuid = qr/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
my $token = qr/pmi_\w{38}/;
my $time = qr/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;


# blocks($file): a list of { file, line, lang, text, test }
sub blocks
{
    my ($file) = @_;
    my (@blocks, $open, $indent, $test, $before);

    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";

    $before = '';

    while (my $line = <$in>) {
        chomp $line;

        if ($open) {
            if ($line =~ /^\s*```\s*$/) {
                push @blocks, $open;
                undef $open;
                $before = 'block';
                next;
            }

            $line =~ s/^ {0,$indent}//;
            $open->{text} .= "$line\n";
            next;
        }

        if ($line =~ /^(\s*)```(\w*)\s*$/) {
            $indent = length $1;
            $open = { file => $file, line => $., lang => $2, text => '',
                      test => $test };
            undef $test;
            next;
        }

        # code by indentation has no language, and no place for a comment
        push @blocks, { file => $file, line => $., lang => 'indented',
                        text => $line }
            if $line =~ /^ {4,}\S/ && $before eq '';

        if ($line =~ /^\s*<!-- test: (.*?) -->\s*$/) {
            $test = $1;

        } elsif ($line =~ /\S/) {
            undef $test;
        }

        $before = $line;
    }

    die "$file: a block without an end\n" if $open;

    return @blocks;
}


# filled($text, $ids): ids of the document by those that stand for them here
sub filled
{
    my ($text, $ids) = @_;

    $text =~ s/($uuid|$token)/exists $ids->{$1} ? $ids->{$1} : $1/ge;

    return $text;
}


# differs($got, $want, $ids): undef where the answer is the one of the document,
# else where it is not.  Ids and tokens are learned; times and durations may be any.
sub differs
{
    my ($got, $want, $ids, $path) = @_;

    $path = '$' unless defined $path;

    if (ref $want eq 'HASH' && ref $got eq 'HASH') {
        my ($g, $w) = map { join ' ', sort keys %$_ } $got, $want;

        return "$path: has $g, not $w" if $g ne $w;

        for my $name (sort keys %$want) {
            next if $name =~ /Ms\z/ && ($got->{$name} // '') =~ /^\d+\z/;

            my $diff = differs($got->{$name}, $want->{$name}, $ids,
                               "$path.$name");

            return $diff if defined $diff;
        }

        return undef;
    }

    if (ref $want eq 'ARRAY' && ref $got eq 'ARRAY') {
        return "$path: has " . @$got . ' items, not ' . @$want
            if @$got != @$want;

        for my $i (0 .. $#$want) {
            my $diff = differs($got->[$i], $want->[$i], $ids, "$path\[$i]");

            return $diff if defined $diff;
        }

        return undef;
    }

    return differs_scalar($got, $want, $ids, $path);
}


sub differs_scalar
{
    my ($got, $want, $ids, $path) = @_;
    my ($g, $w) = map { PromptTest::Json::encode($_) } $got, $want;

    if ($w =~ /^"($uuid|$token)"\z/) {
        my $name = $1;

        return "$path: $g is no id" unless $g =~ /^"($uuid|$token)"\z/;

        $ids->{$name} = $1 unless exists $ids->{$name};

        return $ids->{$name} eq $1 ? undef
            : "$path: $1 is not the id that was $name";
    }

    for my $form (qr/^"$time"\z/, qr/^"pmt_\w{38}"\z/,
                  qr/^"pmt_\w{4}.{1,3}\w{4}"\z/, qr/^"[0-9a-f]{32}"\z/,
                  qr/^"[\w-]+-fork-\w{6}"\z/)
    {
        return undef if $w =~ $form && $g =~ $form;
    }

    return $g eq $w ? undef : "$path: $g, not $w";
}


# line_like($line): a pattern of a line of output, in which ids, times and
# durations may be any
sub line_like
{
    my ($line) = @_;
    my $out = '';

    for my $part (split /($uuid|$time|"latencyMs":\d+)/, $line) {
        $out .= $part =~ /^$uuid\z/ ? $uuid
              : $part =~ /^$time\z/ ? $time
              : $part =~ /^"latencyMs"/ ? '"latencyMs":\d+'
              : quotemeta $part;
    }

    return qr/^$out\z/;
}

1;
