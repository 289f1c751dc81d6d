# docs/scaling.md: its links and pictures are there, its tables and pictures are
# those of the figures beside it, its calculation follows from the numbers that
# stand there, and what measures them runs.

use strict;
use warnings;
use utf8;

use lib 't/lib';
use File::Path qw(make_path remove_tree);
use PromptTest::Env;
use PromptTest::Json;
use Test::More;

binmode Test::More->builder->$_, ':encoding(UTF-8)'
    for qw(output failure_output todo_output);

my $tmp = "$PromptTest::Env::root/build/test/scaling-$$";


sub text_of
{
    my ($file) = @_;

    open my $in, '<:encoding(UTF-8)', $file or return;
    local $/;

    return scalar <$in>;
}


my $text = text_of('docs/scaling.md');

make_path($tmp);


# ---- links and pictures ----------------------------------------------------

for my $link ($text =~ /\]\(([^)]+)\)/g) {
    my ($file, $anchor) = split /#/, $link;
    my $there = text_of("docs/$file");

    ok(defined $there, "$link is there") or next;
    next if !defined $anchor;

    my %headings = map { (my $slug = lc) =~ s/[^\w -]//g;
                         $slug =~ s/ /-/g;
                         $slug => 1 } $there =~ /^#+ (.*)$/mg;

    ok($headings{$anchor}, "$link is a heading");
}

for my $picture ($text =~ /!\[[^\]]+\]\((scaling\/\w+\.svg)\)/g) {
    my $svg = text_of("docs/$picture") // '';

    like($svg, qr{^<svg [^>]*role="img".*<title [^>]*>[^<]+</title>\n
                  <desc [^>]*>[^<]{20,}</desc>.*</svg>$}sx,
         "$picture says what it shows");
    cmp_ok(length $svg, '<', 40_000, '... and is small');
    like($svg, qr/prefers-color-scheme:dark/, '... and has a dark form');
}


# ---- figures, as they are beside it ----------------------------------------

# as it stands there, with its tables taken out
(my $empty = $text) =~ s/(<!-- figures: \w+ -->\n).*?(?=<!-- end -->)/$1/sg;

open my $out, '>:encoding(UTF-8)', "$tmp/scaling.md" or die "$tmp: $!\n";
print $out $empty;
close $out;

PromptTest::Env::run('tools/scaling.pl', 'docs/scaling/figures.json', $tmp,
                     "$tmp/scaling.md");
ok(text_of("$tmp/scaling.md") eq $text, 'the tables are those of the figures');

for my $svg (glob 'docs/scaling/*.svg') {
    (my $name = $svg) =~ s{.*/}{};
    ok((text_of("$tmp/$name") // '') eq text_of($svg),
       "$name is that of the figures");
}


# ---- the calculation, done again -------------------------------------------

# table(NAME): rows of cells, without the head
sub table
{
    my ($name) = @_;
    my ($part) = $text =~ /<!-- figures: $name -->(.*?)<!-- end -->/s;
    my @rows = map { [ split /\s*\|\s*/, s/^\|\s*//r ] }
        grep { /^\|/ } split /\n/, $part;

    return [ map { s/,//gr } @{ $rows[0] } ],
           map { [ map { s/[`,]//gr } @$_ ] } @rows[2 .. $#rows];
}


my (undef, @costs) = table('costs');
my $mix = pop @costs;
my $added = pop @costs;
my %of = map { $_->[0] => $_ } @costs;
my @sum = (0, 0, 0);
my ($share, $read) = (0, 0);

for my $row (@costs) {
    next if $row->[1] !~ /^\d/;

    $share += $row->[1];
    $sum[$_] += $row->[1] / 100 * $row->[2 + $_] for 0 .. 2;
    $read += $row->[1] / 100 * $row->[3]
        if $row->[0] =~ /^(?:prompt|prompts|executions|statistics)$/;
}

is($share, 100, 'the mix is whole');
near($added->[2 + $_], $sum[$_], 'what the parts of the mix cost') for 0 .. 2;


# near(GOT, WANTED, NAME): but for the last digit that stands there
sub near
{
    my ($got, $wanted, $name) = @_;
    my $digit = $got =~ /\.(\d+)/ ? 10 ** -length $1 : 1;

    ok(abs($got - $wanted) <= 0.75 * $digit + 0.01 * $wanted,
       "$name: $got, and again $wanted");
}


my ($nginx, $postgres, $redis) = @$mix[2 .. 4];
my ($head, @needs) = table('needs');
my ($kilobytes, $log) = $text =~ /takes ([\d.]+) KB .* and ([\d.]+) KB/;
my $runs = $of{executePrompt}[1] / 100;

$read *= $postgres / $sum[1];

my $primary = $postgres - $read;

for my $column (1 .. $#$head) {
    my $rate = $head->[$column];
    my %cores = (nginx => $nginx, Redis => $redis, PostgreSQL => $postgres,
                 primary => $primary, standbys => $read);
    my @wanted;

    $cores{$_} *= $rate / 1e6 / 0.6 for keys %cores;

    my $up = sub { $_[0] == int $_[0] ? $_[0] : int($_[0]) + 1 };

    @wanted = ($cores{nginx}, $up->($cores{nginx} / 8), $cores{Redis},
               $up->($cores{Redis}), $cores{PostgreSQL}, $cores{primary},
               $cores{standbys}, $up->($cores{primary} / 16),
               $up->($cores{standbys} / 16), 4 * $up->($cores{nginx}),
               $rate * $runs * $log / 1000, $rate * $runs * 0.0864,
               $rate * $runs * 0.0864 * $kilobytes);

    is(scalar @wanted, scalar @needs, 'all rows are known');
    near($needs[$_][$column], $wanted[$_], "$needs[$_][0], $rate a second")
        for 0 .. $#wanted;
}

my (undef, @limits) = table('limits');

is(scalar @limits, 4, 'one of each');

for my $limit (@limits) {
    my (undef, $cores, $cost, $rate) = @$limit;
    my $exact = $cores * 0.6e6 / $cost;

    ok($rate <= $exact && $rate > 0.9 * $exact,
       "$limit->[0]: $rate, and again $exact");
}

my (undef, @bound) = table('bound');

near($_->[5], 1e6 / $_->[3], "a core of PostgreSQL, $_->[0] hosts") for @bound;


# ---- what measures ---------------------------------------------------------

SKIP: {
    skip 'no wrk here', 3 if PromptTest::Env::first_of('wrk') !~ m{/};
    skip 'costs of the module itself only', 3 if $ENV{PROMPT_TEST_SLOW};

    local @ENV{qw(SCALE_EXECUTIONS SCALE_ACCOUNTS SCALE_ASKING SCALE_SECONDS
                  SCALE_HOSTS)} = (1000, 100, 10, 0, 2);

    # with this suite's services
    local $ENV{PROMPT_TEST_SERVICES} = PromptTest::Env::services_folder();

    my $said = PromptTest::Env::run($^X, 'tools/scale.pl',
                                    "$tmp/figures.json");

    like($said, qr/^100 accounts, 1000 executions.*^the mix, hosts: 2 /ms,
         'all is measured');

    my $found = PromptTest::Json::decode(text_of("$tmp/figures.json"));

    is_deeply([ grep { !$found->{sizes}[0]{operations}{$_}{nginx} }
                map { $_->[0] } @costs ], [], 'each operation took time');

    PromptTest::Env::run('tools/scaling.pl', "$tmp/figures.json", $tmp,
                         "$tmp/scaling.md");
    like(text_of("$tmp/scaling.md"), qr/of 100 to 100 accounts/,
         'and stands in the tables');
}

remove_tree($tmp);

done_testing();
