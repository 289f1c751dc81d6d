# What the tables in the sources say of directives and their parameters.

package PromptTest::Directives;

use strict;
use warnings;

use PromptTest::Env;


sub text_of
{
    my ($file) = @_;

    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


# flags(): directive => where it may stand and how many arguments it takes, in
# nginx's words
sub flags
{
    my $module = text_of("$PromptTest::Env::root/ngx_http_prompt_module.c");
    my %flags;

    while ($module =~ /\{ ngx_string\("(prompt_\w+)"\),\s+([A-Z0-9_|\s]+),/g) {
        $flags{$1} = $2;
    }

    return %flags;
}


# tables(): directive => { rows => [ { name, kind, value, min, max, advice } ],
# written => how many rows there are, hint => what is said where a parameter is
# unknown }; advice and hint are as C has them
sub tables
{
    my $word = qr/NULL|"[^"]*"/;
    my %tables;

    for my $file (glob "$PromptTest::Env::root/src/conf/*.c") {
        my $code = text_of($file);

        # prices are rows of a macro
        $code =~ s/\bprice\("(\w+)", [\w.]+, "([\d.]+)"\)/{ ngx_string("$1"),
            &ngx_http_prompt_conf_price, offsetof(price), NULL, NULL, NULL,
            "\\"$1=$2\\"" }/g;

        while ($code =~ /_parameter_t\s+ngx_http_(prompt_\w+)_parameters\[\]\s=
                         \n\{(.*?)ngx_http_prompt_no_parameter\(([^)]*)\)/gsx)
        {
            my ($directive, $body, $hint) = ($1, $2, $3);
            my $written = () = $body =~ /\bngx_string\(/g;
            my @rows;

            while ($body =~ /\{\s ngx_string\("(\w+)"\),
                             \s+ &ngx_http_prompt_(\w+),
                             \s+ offsetof\([^)]*\),
                             \s+ ($word),\s+ ($word),\s+ ($word),
                             \s+ (.*?)\s\}/gsx)
            {
                my %row = (name => $1, kind => $2, value => $3, min => $4,
                           max => $5, advice => $6);

                for (@row{qw(value min max)}) {
                    $_ = $_ eq 'NULL' ? undef : substr $_, 1, -1;
                }

                push @rows, \%row;
            }

            $tables{$directive} = { rows => \@rows, written => $written,
                                    hint => $hint };
        }
    }

    return %tables;
}

1;
