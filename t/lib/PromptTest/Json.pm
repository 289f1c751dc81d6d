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

my $json = JSON::PP->new->utf8->allow_nonref->canonical->allow_bignum;

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

    return $json->decode($text);
}


sub encode
{
    return $json->encode($_[0]);
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
        return "$path: " . encode($got) . ' is no object'
            unless ref $got eq 'HASH';

        for my $name (sort keys %$want) {
            return "$path: has no member $name, but "
                   . join(', ', sort keys %$got)
                unless exists $got->{$name};

            my $diff = differs($got->{$name}, $want->{$name}, $subset,
                               "$path.$name");
            return $diff if defined $diff;
        }

        return undef if $subset;

        for my $name (sort keys %$got) {
            return "$path: has a member $name, " . encode($got->{$name})
                unless exists $want->{$name};
        }

        return undef;
    }

    if (ref $want eq 'ARRAY') {
        return "$path: " . encode($got) . ' is no list'
            unless ref $got eq 'ARRAY';

        return "$path: has " . @$got . ' elements, not ' . @$want . ': '
               . encode($got)
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

    return "$path: $have is not $need";
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
