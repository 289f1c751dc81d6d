# What the scripts that write tables of Unicode share: numbers as text, and
# the general categories in the order that src/base/utf8.h has them in.

package UnicodeText;

use strict;
use warnings;

use Exporter qw(import);
use Unicode::UCD qw(prop_invlist);

our @EXPORT_OK = qw(@categories @digits number ranges);

our @categories = qw(Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po
                     Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn);

our @digits = ('A' .. 'Z', 'a' .. 'z', 0 .. 9, '+', '/');


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


# ranges($property): its characters, as [first, last]
sub ranges
{
    my ($property) = @_;
    my @list = prop_invlist($property);
    my @ranges;

    die "no $property\n" unless @list;

    push @list, 0x110000 if @list % 2;

    while (my ($first, $next) = splice @list, 0, 2) {
        push @ranges, [$first, $next - 1];
    }

    return @ranges;
}


1;
