# Comparing JSON with what a test expects of it.
#
# Expected text is JSON; a string in it may stand for more than itself:
#
#     "<uuid>" "<time>" "<int>" "<string>" "<number>" "<any>"
#     "/regular expression/"
#
# Strings and numbers are told apart, and "1.0" from 1.

package PromptTest::Json;

use strict;
use warnings;

use JSON::PP ();
use PromptTest::Sentence;

my $json = JSON::PP->new->utf8->allow_nonref->canonical->allow_bignum;

# JSON::PP takes a second for a megabyte
my $reader = eval {
    require Cpanel::JSON::XS;
    Cpanel::JSON::XS->new->utf8->allow_nonref->allow_bignum->allow_dupkeys;
} || $json;

my %kinds = (
    uuid   => qr/^"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-
                  [0-9a-f]{12}"$/x,
    time   => qr/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/,
    int    => qr/^-?\d+$/,
    number => qr/^-?\d/,
    string => qr/^"/,
    any    => qr//,
);


# decode($text): the value; dies where $text is no JSON
sub decode
{
    my ($text) = @_;

    utf8::encode($text) if utf8::is_utf8($text);

    return $reader->decode($text);
}


sub encode
{
    return $json->encode($_[0]);
}


# short($value): its JSON, cut where it is long
sub short
{
    my $text = encode($_[0]);

    return length $text > 160 ? substr($text, 0, 160) . '...' : $text;
}


# string($bytes): a JSON string that holds these bytes
sub string
{
    my ($text) = @_;

    utf8::encode($text) if utf8::is_utf8($text);

    $text =~ s/(["\\])/\\$1/g;
    $text =~ s/\n/\\n/g;
    $text =~ s/([\x00-\x1f])/sprintf('\\u%04x', ord $1)/ge;

    return qq("$text");
}


# differs($got, $want, $subset): undef where $got is as $want wants it, else
# text that says where it is not.  With $subset, members of objects that $want
# does not name are not looked at.
sub differs
{
    my ($got, $want, $subset, $path) = @_;

    $path = '$' unless defined $path;

    if (ref $want eq 'HASH') {
        return "$path: wanted an object, got " . short($got)
            unless ref $got eq 'HASH';

        for my $name (sort keys %$want) {
            return "$path: wanted a member $name, got only "
                   . join(', ', sort keys %$got)
                unless exists $got->{$name};

            my $diff = differs($got->{$name}, $want->{$name}, $subset,
                               "$path.$name");
            return $diff if defined $diff;
        }

        return undef if $subset;

        for my $name (sort keys %$got) {
            return "$path: wanted no member $name, got " . short($got->{$name})
                unless exists $want->{$name};
        }

        return undef;
    }

    if (ref $want eq 'ARRAY') {
        return "$path: wanted a list, got " . short($got)
            unless ref $got eq 'ARRAY';

        return "$path: wanted " . @$want . ' elements, got ' . @$got . ': '
               . short($got)
            unless @$got == @$want;

        for my $i (0 .. $#$want) {
            my $diff = differs($got->[$i], $want->[$i], $subset,
                               "$path" . "[$i]");
            return $diff if defined $diff;
        }

        return undef;
    }

    my $have = encode($got);
    my $need = encode($want);

    return undef if $have eq $need;

    if ($need =~ /^"<(\w+)>"$/ && exists $kinds{$1}) {
        return undef if $1 eq 'any' || $have =~ $kinds{$1};

    } elsif (defined $want && !ref $want && $want =~ m{^/(.*)/$}s) {
        my $re = $1;

        return undef if defined $got && !ref $got && $got =~ /(?:$re)/s;
    }

    return "$path: " . (length $have > 160 || length $need > 160
                        ? PromptTest::Sentence::difference($have, $need)
                        : "wanted $need, got $have");
}


# at($value, 'data.prompts.0.id')
sub at
{
    my ($value, $path) = @_;

    for my $step (split /\./, $path) {
        if (ref $value eq 'ARRAY') {
            $value = $value->[$step];
        } elsif (ref $value eq 'HASH') {
            $value = $value->{$step};
        } else {
            return undef;
        }
    }

    return $value;
}

1;
