# What documents say, against what is there: directives, parameters and defaults
# against the tables, root fields of the API, migrations, messages that
# troubleshooting quotes, links.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Directives;
use Test::More;


sub text_of
{
    my ($file) = @_;

    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


# a number, or a time in ms
sub amount
{
    my ($text) = @_;
    my %unit = ("" => 1, ms => 1, s => 1000, m => 60_000, h => 3_600_000,
                d => 86_400_000);

    return $text =~ /^(\d+)(ms|[smhd]|)$/ ? $1 * $unit{$2} : undef;
}


# the tables: directive => [ { name, value, min, max }, ... ]
my %tables;
my %found = PromptTest::Directives::tables();

for my $directive (sort keys %found) {
    $tables{$directive} = $found{$directive}{rows};
    is(scalar @{ $tables{$directive} }, $found{$directive}{written},
       "all rows of $directive are read");
}

ok(keys %tables > 4, 'there are tables');


# the sections: directive => text
my ($directives) = text_of('docs/directives.md')
                   =~ /^(## .*?)^## Embedded/ms;
my %sections = $directives =~ /^### (prompt_\w+)\n(.*?)(?=^### |\z)/gms;

my %flags = PromptTest::Directives::flags();

is_deeply([ sort keys %sections ], [ sort keys %flags ],
          'docs/directives.md has a section for each directive');


for my $directive (sort keys %tables) {
    my $section = $sections{$directive} || '';
    my ($syntax) = $section =~ /^\| Syntax \| `(.*)` \|$/m;

    my ($default) = $section =~ /^\| Default \| `(.*)` \|$/m;
    my @rows = @{ $tables{$directive} };
    my @set = grep { defined $_->{value} } @rows;

    is(join(' ', ($syntax || '') =~ /(\w+)=/g),
       join(' ', map { $_->{name} } @rows), "the syntax of $directive");

    if (defined $default) {
        is($default, "$directive "
                     . join(' ', map { "$_->{name}=$_->{value}" } @set) . ';',
           "the default of $directive");
    }

    for my $row (@set) {
        my ($value, $min, $max) = map { defined $_ ? amount($_) : undef }
                                  @$row{qw(value min max)};

        if (defined $value && defined $min) {
            ok($min <= $value && $value <= $max,
               "the default of $directive $row->{name} is in its bounds");
        }

        # 0 and on are what one expects
        next if $row->{value} =~ /^(?:0|on)$/;

        like($section, qr/\b\Q$row->{value}\E(?!\w)/i,
             "the default of $directive $row->{name} is told");
    }
}

# prose, which is not code and no table, has lines that fit a screen
for my $file (glob '*.md docs/*.md src/*/README.md dashboard/*.md t/*.md') {
    my ($code, $n) = (0, 0);
    my @long;

    for my $line (split /\n/, text_of($file)) {
        $n++;
        $code = !$code if $line =~ /^\s*(?:```|~~~)/;
        push @long, $n if !$code && $line !~ /^\s*\|/ && length $line > 160;
    }

    is("@long", '', "$file: no line of prose is longer than 160 characters");
}

# what is quoted in the troubleshooting is what is said
my $said = join '', map { text_of($_) }
           glob('src/*/*.c'), glob('src/*/*/*.c'), glob('src/*/*.h'),
           glob('src/*/*/*.h');

$said =~ s/"\s*\n\s*"//g;
$said =~ s/\\"/"/g;

my ($troubles) = text_of('docs/operating.md')
                 =~ /^## Troubleshooting\n(.*?)(?=^## |\z)/ms;

for my $first ($troubles =~ /^\| (?!---|What)(.*?) \|/mg) {
    for my $quoted ($first =~ /`([^`]+)`/g) {
        for my $part (grep { /\w/ } split /\s*\x{2026}\s*/, $quoted) {
            ok(index($said, $part) >= 0, "docs/operating.md: \"$part\" is said");
        }
    }
}

# the API: each root field is shown
my $api = join '', text_of('docs/api.md') =~ /^```(?:graphql|sh)\n(.*?)^```/gms;

for my $type (qw(Query Mutation Subscription)) {
    my ($fields) = text_of('schema.graphql') =~ /^type $type \{\n(.*?)^\}/ms;

    $fields =~ s/""".*?"""|"[^"\n]*"//gs;

    for my $field ($fields =~ /^  (\w+)[(:]/mg) {
        like($api, qr/\b$field\b/, "docs/api.md has an example of $field");
    }
}

# metrics: each has its row
my $metrics = join '', map { text_of($_) } glob 'src/metrics/*.[ch]';
my %named = map { $_ => 1 } $metrics =~ /"(?:# TYPE )?(prompt_[a-z]+_[a-z_]+)["{ ]/g;

for my $name (sort keys %named) {
    like($sections{prompt_metrics}, qr/`\Q$name\E`/,
         "docs/directives.md: $name");
}

# migrations: from where on modules go on with the schema they make
my $upgrading = text_of('docs/upgrading.md');

for my $file (sort glob 'src/store/migrations/*.sql') {
    my ($number) = $file =~ m{/0*(\d+)_};
    my ($from) = text_of($file) =~ /^-- compatible: (\d+)$/m;
    my $who = defined $from ? "schema $from and later" : 'its own';

    like($upgrading, qr/^\| $number \| .* \| \Q$who\E \|$/m,
         "docs/upgrading.md: schema $number");
}

# links lead to files and headings that are there
for my $file (qw(README.md CONTRIBUTING.md ARCHITECTURE.md SECURITY.md),
              glob 'docs/*.md')
{
    my $text = text_of($file) =~ s/^\s*```.*?^\s*```//gmsr;
    my ($folder) = $file =~ m{^(.*/)};

    for my $link ($text =~ /\]\(([^)\s]+)\)/g) {
        next if $link =~ /^https?:/;

        my ($path, $anchor) = split /#/, $link, 2;
        my $to = length $path ? ($folder // '') . $path : $file;

        $to =~ s{[^/]+/\.\./}{};

        my $found = -e $to;

        if ($found && defined $anchor) {
            my @headings = map { s/[^\w -]//gr =~ tr/ /-/r }
                           map { lc } text_of($to) =~ /^#+ (.*)$/mg;

            $found = grep { $_ eq $anchor } @headings;
        }

        ok($found, "$file: $link is there");
    }
}

# formats of providers
my ($list) = text_of('src/provider/provider.h')
             =~ /^#define PROMPT_PROVIDER_FORMATS\(format\)(.*?[^\\])\n/ms;
my ($formats) = $sections{prompt_provider} =~ /\[format=([^\]]+)\]/;

is($formats, join('\|', $list =~ /\bformat\((\w+)\)/g),
   'the syntax of prompt_provider has all formats');

done_testing();
