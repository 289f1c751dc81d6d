# Draws as SVG: cost against size, in two panels with logarithmic axes and the
# lines' names below them; bars; boxes and what goes between them.  Readable on
# light and on dark pages, with a title and a description for who cannot see it.

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
               [ '#a16207', '#f2cc60' ], [ '#be185d', '#ff8fbe' ],
               [ '#0f766e', '#5eead4' ]);


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


# page({ title, description, width, height }, BODY): the SVG
sub page
{
    my ($page, $body) = @_;
    my ($w, $h) = @$page{qw(width height)};
    my ($light, $dark) = ('', '');

    for my $i (0 .. $#colours) {
        $light .= style($i, $colours[$i][0]);
        $dark .= style($i, $colours[$i][1]);
    }

    return <<"END" . text(12, 20, 'title', $page->{title}) . "$body</svg>\n";
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $w $h" role="img" aria-labelledby="t d">
<title id="t">@{[ escape($page->{title}) ]}</title>
<desc id="d">@{[ escape($page->{description}) ]}</desc>
<style>
text{font:12px system-ui,sans-serif;fill:#1f2328}
.title{font-weight:600}.y{text-anchor:end}.x{text-anchor:middle}
.page{fill:#fff}.grid{stroke:#8c959f;stroke-opacity:.3;fill:none}
.line{fill:none;stroke-width:2}.limit{stroke:#1f2328;stroke-dasharray:5 4}
.box{fill:#ddf4ff;stroke:#0b62c4}.store{fill:#fff1e5;stroke:#c2410c}
.place{fill:none;stroke:#8c959f;stroke-dasharray:4 3}
.arrow{fill:none;stroke:#57606a;stroke-width:1.5}.head{fill:#57606a}
$light
\@media(prefers-color-scheme:dark){
text{fill:#e6edf3}.page{fill:#0d1117}.limit{stroke:#e6edf3}
.box{fill:#0c2d4d;stroke:#6cb2ff}.store{fill:#42210b;stroke:#ff9e6b}
.arrow{stroke:#b1bac4}.head{fill:#b1bac4}
$dark
}
</style>
<rect class="page" width="$w" height="$h"/>
END
}


# draw(PLOT): the SVG.  { title, size, cpu, wall, lines => [ { name, note,
# points => [ { size, cpu, wall } ] } ] }: titles of the panels where they are
# others than usual; sizes, microseconds, milliseconds.
sub draw
{
    my ($plot) = @_;
    my $rows = @{ $plot->{lines} };
    my $svg = panel(0, $plot->{cpu} || 'CPU a request: worker and PostgreSQL, µs',
                    'cpu', $plot)
        . panel(1, $plot->{wall} || 'time of an answer, median, ms', 'wall',
                $plot);

    for my $i (0 .. $rows - 1) {
        my $line = $plot->{lines}[$i];
        my $y = $height + 12 + 18 * $i;

        $svg .= sprintf qq(<rect class="c%d" x="62" y="%d" width="14" )
                        . qq(height="4"/>\n), $i % @colours, $y - 6;
        $svg .= text(84, $y, 'name', "$line->{name}: $line->{note}");
    }

    return page({ title => $plot->{title}, width => $width,
                  height => $height + 18 * $rows + 8,
                  description => join '; ',
                      map { "$_->{name}: $_->{note}" } @{ $plot->{lines} } },
                $svg);
}


# stack(N, PANEL): bars of a panel.  { title, bars => [ { name, below, parts =>
# [ N ], note } ], limit, limit_name }: name and what is below it stand under a
# bar, the note above
sub stack
{
    my ($n, $panel) = @_;
    my ($left, $right) = @{ $panels[$n] };
    my @bars = @{ $panel->{bars} };
    my $most = 1.15 * max($panel->{limit} || 0, map {
        my $sum = 0;
        $sum += $_ for @{ $_->{parts} };
        $sum } @bars);
    my $step = ($right - $left) / @bars;
    my $y = sub { $bottom - ($bottom - $top) * $_[0] / $most };
    my $svg = text($left, $top - 14, 'title', $panel->{title});

    for my $i (0 .. $#bars) {
        my $x = $left + $step * ($i + 0.2);
        my $sum = 0;

        for my $part (0 .. $#{ $bars[$i]{parts} }) {
            my $value = $bars[$i]{parts}[$part];

            $svg .= sprintf qq(<rect class="c%d" x="%.1f" y="%.1f" )
                . qq(width="%.1f" height="%.1f"/>\n), $part, $x,
                $y->($sum + $value), 0.6 * $step,
                $y->($sum) - $y->($sum + $value);
            $sum += $value;
        }

        $svg .= text($x + 0.3 * $step, $y->($sum) - 5, 'x', $bars[$i]{note});
        $svg .= text($x + 0.3 * $step, $bottom + 16, 'x', $bars[$i]{name});
        $svg .= text($x + 0.3 * $step, $bottom + 31, 'x', $bars[$i]{below})
            if defined $bars[$i]{below};
    }

    if ($panel->{limit}) {
        $svg .= sprintf qq(<path class="limit" d="M%.1f %.1fH%.1f"/>\n),
                        $left, $y->($panel->{limit}), $right;
        $svg .= text($left, $y->($panel->{limit}) - 5, 'name',
                     $panel->{limit_name});
    }

    return $svg . sprintf qq(<path class="grid" d="M%.1f %.1fH%.1f"/>\n),
                          $left, $bottom, $right;
}


# bars({ title, description, parts => [ NAME ], panels => [ PANEL, PANEL ] })
sub bars
{
    my ($plot) = @_;
    my $svg = join '', map { stack($_, $plot->{panels}[$_]) } 0, 1;
    my $x = 62;

    for my $i (0 .. $#{ $plot->{parts} }) {
        $svg .= sprintf qq(<rect class="c%d" x="%d" y="%d" width="14" )
                        . qq(height="8"/>\n), $i, $x, $height - 6;
        $svg .= text($x + 20, $height + 2, 'name', $plot->{parts}[$i]);
        $x += 44 + 7 * length $plot->{parts}[$i];
    }

    return page({ %$plot, width => $width, height => $height + 14 }, $svg);
}


# arrow(X, Y, TO_X, TO_Y): its head at the end
sub arrow
{
    my ($x, $y, $to_x, $to_y) = @_;
    my $long = sqrt(($to_x - $x) ** 2 + ($to_y - $y) ** 2) || 1;
    my ($dx, $dy) = (($to_x - $x) / $long, ($to_y - $y) / $long);
    my ($back_x, $back_y) = ($to_x - 8 * $dx, $to_y - 8 * $dy);

    return sprintf qq(<path class="arrow" d="M%.1f %.1fL%.1f %.1f"/>\n)
        . qq(<path class="head" d="M%.1f %.1fL%.1f %.1fL%.1f %.1fz"/>\n),
        $x, $y, $back_x, $back_y, $to_x, $to_y,
        $back_x - 4 * $dy, $back_y + 4 * $dx,
        $back_x + 4 * $dy, $back_y - 4 * $dx;
}


# meet(BOX, BOX): where a line between them begins and ends: at the sides that
# face each other
sub meet
{
    my ($from, $to) = @_;
    my ($x, $y, $w, $h) = @{ $from->{at} };
    my ($to_x, $to_y, $to_w, $to_h) = @{ $to->{at} };

    # one above the other, or side by side
    return $to_y >= $y + $h
        ? ($x + $w / 2, $y + $h, $to_x + $to_w / 2, $to_y)
        : $to_x >= $x + $w
        ? ($x + $w, $y + $h / 2, $to_x, $to_y + $to_h / 2)
        : ($x, $y + $h / 2, $to_x + $to_w, $to_y + $to_h / 2);
}


# picture({ title, description, width, height, boxes => { NAME => { at => [ X,
# Y, WIDTH, HEIGHT ], class, text => [ LINE ] } }, arrows => [ [ NAME, NAME,
# text ] ] }): class is box, store or place; what is in a place stands above its text
sub picture
{
    my ($plot) = @_;
    my $boxes = $plot->{boxes};
    my ($under, $svg) = ('', '');

    for my $name (sort keys %$boxes) {
        my $box = $boxes->{$name};
        my ($x, $y, $w, $h) = @{ $box->{at} };
        my @lines = @{ $box->{text} };
        my $drawn = sprintf qq(<rect class="%s" x="%d" y="%d" width="%d" )
            . qq(height="%d" rx="6"/>\n), $box->{class}, $x, $y, $w, $h;

        if ($box->{class} eq 'place') {
            $under .= $drawn . text($x + 8, $y + $h - 8, 'name', $lines[0]);
            next;
        }

        $svg .= $drawn;
        $svg .= text($x + $w / 2, $y + $h / 2 + 4 + 15 * ($_ - $#lines / 2),
                     $_ ? 'x' : 'x title', $lines[$_]) for 0 .. $#lines;
    }

    for (@{ $plot->{arrows} }) {
        my ($from, $to, $text) = @$_;
        my @ends = meet($boxes->{$from}, $boxes->{$to});

        $under .= arrow(@ends);
        $svg .= text(($ends[0] + $ends[2]) / 2 + 6, ($ends[1] + $ends[3]) / 2,
                     'name', $text) if defined $text;
    }

    return page($plot, $under . $svg);
}

1;
