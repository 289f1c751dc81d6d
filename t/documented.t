# Directives and parameters: README.md has what the tables have, and nothing
# else.

use strict;
use warnings;

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
my $word = qr/NULL|"[^"]*"/;

for my $file (glob 'src/conf/*.c') {
    my $code = text_of($file);

    while ($code =~ /_parameter_t\s+ngx_http_(prompt_\w+)_parameters\[\]\s=
                     \n\{(.*?)ngx_http_prompt_no_parameter/gsx)
    {
        my ($directive, $body) = ($1, $2);
        my $rows = () = $body =~ /\bngx_string\(/g;

        while ($body =~ /\{\s ngx_string\("(\w+)"\),\s+ &\w+,
                         \s+ offsetof\([^)]*\),
                         \s+ ($word),\s+ ($word),\s+ ($word)/gx)
        {
            my %row = (name => $1, value => $2, min => $3, max => $4);

            for (@row{qw(value min max)}) {
                $_ = $_ eq 'NULL' ? undef : substr $_, 1, -1;
            }

            push @{ $tables{$directive} }, \%row;
        }

        is(scalar @{ $tables{$directive} || [] }, $rows,
           "$file: all rows of $directive are read");
    }
}

ok(keys %tables > 4, 'there are tables');


# the sections: directive => text
my ($directives) = text_of('README.md') =~ /^## Directives\n(.*?)^## /ms;
my %sections = $directives =~ /^### (prompt_\w+)\n(.*?)(?=^### |\z)/gms;

my @commands = text_of('ngx_http_prompt_module.c')
               =~ /\{ ngx_string\("(prompt_\w+)"\)/g;

is_deeply([ sort keys %sections ], [ sort @commands ],
          'README.md has a section for each directive');


for my $directive (sort keys %tables) {
    my $section = $sections{$directive} || '';
    my ($syntax) = $section =~ /^\| Syntax \| `(.*)` \|$/m;

    # what may be given several times has no row
    $syntax =~ s/ \[\w+=\S+\]\.\.\.// if defined $syntax;

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

# formats of providers
my ($list) = text_of('src/prompt/provider.h')
             =~ /^#define PROMPT_PROVIDER_FORMATS\(format\)(.*?[^\\])\n/ms;
my ($formats) = $sections{prompt_provider} =~ /\[format=([^\]]+)\]/;

is($formats, join('\|', $list =~ /\bformat\((\w+)\)/g),
   'the syntax of prompt_provider has all formats');

done_testing();
