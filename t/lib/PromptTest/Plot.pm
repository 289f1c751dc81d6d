# Draws cost against size as SVG: two panels with logarithmic axes, and the
# lines' names below them.  Readable on light and on dark pages.

package PromptTest::Plot;

use strict;
use warnings;
use utf8;

use List::Util qw(max min);

my $width  = 820;
my $height = 308;                  # of the panels
my @panels = ([ 62, 400 ], [ 470, 808 ]);
my ($top, $bottom) = (60, 258);

# light, dark
my @colours = ([ '#0b62c4', '#6cb2ff' ], [ '#c2410c', '#ff9e6b' ],
               [ '#15803d', '#6ee78f' ], [ '#7e22ce', '#d3a4ff' ],
               [ '#a16207', '#f2cc60' ], [ '#be185d', '#ff8fbe' ]);


# slope(POINTS): the exponent of y = a xⁿ that fits best; points are [ x, y ]
sub slope
{
    my @points = map { [ log $_->[0], log max($_->[1], 1e-6) ] } @_;
    my $n = @points;

    return 0 if $n < 2;

    my ($x, $y, $xx, $xy) = (0, 0, 0, 0);

    for (@points) {
        $x += $_->[0];
        $y += $_->[1];
        $xx += $_->[0] ** 2;
        $xy += $_->[0] * $_->[1];
    }

    return ($n * $xy - $x * $y) / ($n * $xx - $x ** 2);
}


sub escape
{
    my ($text) = @_;

    $text =~ s/&/&amp;/g;
    $text =~ s/</&lt;/g;

    return $text;
}


sub text
{
    my ($x, $y, $class, $text) = @_;

    return sprintf qq(<text x="%.1f" y="%.1f" class="%s">%s</text>\n),
                   $x, $y, $class, escape($text);
}


# number(N): 1, 20, 3k, 10k, 1M, 0.5
sub number
{
    my ($n) = @_;

    return $n >= 1e6 ? sprintf('%gM', $n / 1e6)
        : $n >= 1e3 ? sprintf('%gk', $n / 1e3) : sprintf('%.3g', $n);
}


# ticks(FROM, TO): powers of ten; of two and five, too, where these are few
sub ticks
{
    my ($from, $to) = @_;
    my @all;

    for my $e (int(log($from) / log(10)) - 1 .. int(log($to) / log(10)) + 1) {
        push @all, map { $_ * 10 ** $e }
            $to / $from < 120 ? (1, 2, 5) : (1);
    }

    return grep { $_ >= $from * 0.999 && $_ <= $to * 1.001 } @all;
}


# range(VALUES): with some room on both sides
sub range
{
    my @values = grep { $_ > 0 } @_;
    my ($from, $to) = @values ? (min(@values), max(@values)) : (1, 10);

    if ($to / $from < 10) {
        my $middle = sqrt($from * $to);

        ($from, $to) = ($middle / 4, $middle * 4);
    }

    return ($from / 1.3, $to * 1.3);
}


# panel(N, TITLE, MEMBER, PLOT): axes and lines
sub panel
{
    my ($n, $title, $member, $plot) = @_;
    my ($left, $right) = @{ $panels[$n] };
    my @all = map { @{ $_->{points} } } @{ $plot->{lines} };
    my ($x0, $x1) = (min(map { $_->{size} } @all),
                     max(map { $_->{size} } @all));
    my ($y0, $y1) = range(map { $_->{$member} } @all);

    $x1 = $x0 * 10 if $x1 <= $x0;

    my $x = sub {
        $left + ($right - $left) * log($_[0] / $x0) / log($x1 / $x0);
    };
    my $y = sub {
        $bottom - ($bottom - $top) * log($_[0] / $y0) / log($y1 / $y0);
    };

    my $svg = text($left, $top - 14, 'title', $title);

    for my $tick (ticks($y0, $y1)) {
        $svg .= sprintf qq(<path class="grid" d="M%.1f %.1fH%.1f"/>\n),
                        $left, $y->($tick), $right;
        $svg .= text($left - 6, $y->($tick) + 4, 'y', number($tick));
    }

    for my $tick (map { 10 ** $_ } 0 .. 7) {
        next if $tick < $x0 * 0.999 || $tick > $x1 * 1.001;

        $svg .= sprintf qq(<path class="grid" d="M%.1f %.1fV%.1f"/>\n),
                        $x->($tick), $top, $bottom;
        $svg .= text($x->($tick), $bottom + 16, 'x', number($tick));
    }

    $svg .= text(($left + $right) / 2, $bottom + 34, 'x', $plot->{size});

    for my $i (0 .. $#{ $plot->{lines} }) {
        my @points = grep { $_->{$member} > 0 }
            @{ $plot->{lines}[$i]{points} };
        my $colour = 'c' . $i % @colours;

        next if !@points;

        $svg .= qq(<path class="line $colour" d="M)
            . join('L', map { sprintf '%.1f %.1f', $x->($_->{size}),
                              $y->($_->{$member}) } @points) . qq("/>\n);

        $svg .= sprintf qq(<circle class="$colour" cx="%.1f" cy="%.1f" )
                        . qq(r="3"/>\n), $x->($_->{size}), $y->($_->{$member})
            for @points;
    }

    return $svg;
}


# style(N, COLOUR): of a line, its points and its name
sub style
{
    my ($i, $colour) = @_;

    return sprintf '.line.c%d{stroke:%s}circle.c%d,rect.c%d{fill:%s}' . "\n",
                   $i, $colour, $i, $i, $colour;
}


# draw(PLOT): the SVG.  { title, size, lines => [ { name, note, points =>
# [ { size, cpu, wall } ] } ] }: sizes, microseconds, milliseconds.
sub draw
{
    my ($plot) = @_;
    my $rows = @{ $plot->{lines} };
    my $all = $height + 18 * $rows + 8;
    my ($light, $dark) = ('', '');

    for my $i (0 .. $#colours) {
        $light .= style($i, $colours[$i][0]);
        $dark .= style($i, $colours[$i][1]);
    }

    my $svg = <<"END";
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $width $all" role="img">
<title>@{[ escape($plot->{title}) ]}</title>
<style>
text{font:12px system-ui,sans-serif;fill:#1f2328}
.title{font-weight:600}.y{text-anchor:end}.x{text-anchor:middle}
.page{fill:#fff}.grid{stroke:#8c959f;stroke-opacity:.3;fill:none}
.line{fill:none;stroke-width:2}
$light
\@media(prefers-color-scheme:dark){
text{fill:#e6edf3}.page{fill:#0d1117}
$dark
}
</style>
<rect class="page" width="$width" height="$all"/>
END

    $svg .= text(12, 20, 'title', $plot->{title});
    $svg .= panel(0, 'CPU a request: worker and PostgreSQL, µs', 'cpu',
                  $plot);
    $svg .= panel(1, $plot->{wall} || 'time of an answer, median, ms', 'wall',
                  $plot);

    for my $i (0 .. $rows - 1) {
        my $line = $plot->{lines}[$i];
        my $y = $height + 12 + 18 * $i;

        $svg .= sprintf qq(<rect class="c%d" x="62" y="%d" width="14" )
                        . qq(height="4"/>\n), $i % @colours, $y - 6;
        $svg .= text(84, $y, 'name', "$line->{name}: $line->{note}");
    }

    return "$svg</svg>\n";
}

1;
