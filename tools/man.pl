#!/usr/bin/perl
#
# man.pl FILE.md NAME SECTION: a manual page of a document, on standard output.
#
# Of Markdown it knows what docs/directives.md has: headings, paragraphs, lists
# of one level, tables, fenced blocks, code, emphasis and links.  The table
# below a directive becomes its synopsis.  `make install' makes the page.

use strict;
use warnings;

my ($file, $name, $section) = @ARGV;
my $date = '2026-11-22';

die "usage: man.pl FILE.md NAME SECTION\n" unless defined $section;

open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
binmode STDOUT, ':encoding(UTF-8)';

my %characters = ("\x{2014}" => '\(em', "\x{2013}" => '\(en',
                  "\x{2026}" => '...', "\x{d7}" => '\(mu',
                  "\x{2192}" => '->');


# what roff would take for its own
sub escaped
{
    my ($text) = @_;

    $text =~ s/\\/\\e/g;
    $text =~ s/-/\\-/g;
    $text =~ s/([^\x00-\x7f])/$characters{$1} || sprintf '\[u%04X]', ord $1/ge;

    return $text;
}


# prose: code and names bold, links by their words
sub inline
{
    my ($text) = @_;
    my $out = '';

    $text =~ s/\[([^\]]+)\]\([^)]+\)/$1/g;
    $text =~ s/<br>/ /g;
    $text =~ s/<(https?:[^>]+)>/$1/g;

    for my $part (split /(`[^`]+`|\*\*[^*]+\*\*)/, $text) {
        if ($part =~ /^`(.+)`$/ || $part =~ /^\*\*(.+)\*\*$/) {
            $out .= '\fB' . escaped($1 =~ s/\\\|/|/gr) . '\fR';
        } else {
            my $plain = escaped($part);

            $plain =~ s/\\-/-/g;
            $out .= $plain;
        }
    }

    return $out;
}


# a sentence a line, none too long
sub prose
{
    my ($text) = @_;

    for my $sentence (split /(?<=[.:?!])\s+(?=[\[\\\w"(])/, inline($text)) {
        my $line = '';

        for my $word (split ' ', $sentence) {
            if (length($line) + length($word) > 76 && $line ne '') {
                print_line($line);
                $line = '';
            }

            $line .= ($line eq '' ? '' : ' ') . $word;
        }

        print_line($line) if $line ne '';
    }
}


sub print_line
{
    my ($line) = @_;

    $line = "\\&$line" if $line =~ /^[.']/;
    print "$line\n";
}


sub cells
{
    my ($line) = @_;

    $line =~ s/^\s*\|\s*|\s*\|\s*$//g;

    return split /\s*(?<!\\)\|\s*/, $line;
}


sub table
{
    my (@lines) = @_;
    my @head = cells(shift @lines);

    shift @lines;

    for my $line (@lines) {
        my ($first, @rest) = cells($line);

        # that of a directive: Syntax, Default, Context
        if (!grep { length } @head) {
            my ($text, @more) = split /<br>/, join ' ', @rest;

            print ".TP 10\n";
            print_line("$first:");
            prose($text);

            for my $form (@more) {
                print ".br\n";
                prose($form);
            }

            next;
        }

        print ".TP\n";
        print_line(inline($first));
        prose(join '; ', grep { length } @rest);
    }

}


my @lines = map { chomp; $_ } <$in>;
my $title = uc $name;

print ".\\\" made of $file by tools/man.pl\n";
print ".TH $title $section \"$date\" \"ngx_http_prompt_module\" "
      . "\"nginx Modules\"\n.SH NAME\n"
      . escaped($name) . " \\- prompt management inside nginx: directives\n"
      . ".SH DESCRIPTION\n";

shift @lines while @lines && $lines[0] !~ /^# /;
shift @lines;

my $new = 1;

while (@lines) {
    my $line = shift @lines;

    if ($line =~ /^\s*$/) {
        next;

    } elsif ($line =~ /^<!--/) {
        next;

    } elsif ($line =~ /^(##+) (.*)/) {
        print length $1 == 2 ? '.SH ' . uc(inline($2)) . "\n"
                             : '.SS ' . inline($2) . "\n";
        $new = 1;

    } elsif ($line =~ /^```/) {
        print ".PP\n.RS 4\n.nf\n";
        print_line(escaped($line))
            while @lines && ($line = shift @lines) !~ /^```/;
        print ".fi\n.RE\n";
        $new = 0;

    } elsif ($line =~ /^\|/) {
        my @table = ($line);

        push @table, shift @lines while @lines && $lines[0] =~ /^\|/;
        table(@table);
        $new = 0;

    } elsif ($line =~ /^- (.*)/) {
        my $text = $1;

        $text .= ' ' . shift @lines
            while @lines && $lines[0] =~ /^  \S/;

        # the table of contents is none in a manual
        next if $text =~ /\]\(#\w/ && $text !~ /\. /;

        print ".IP \\(bu 2\n";
        prose($text);
        $new = 0;

    } else {
        my $text = $line;

        $text .= ' ' . shift @lines while @lines && $lines[0] =~ /^(?!```|- )[^\s|#<]/;

        print ".PP\n" unless $new;
        prose($text);
        $new = 0;
    }
}

print ".SH SEE ALSO\n.BR promptctl (1),\n.BR nginx (8)\n";
