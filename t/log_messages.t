# docs/messages.md has each message of the error log, and no other.

use strict;
use warnings;
use utf8;

use Test::More;

binmode $_, ':encoding(UTF-8)'
    for map { Test::More->builder->$_ } qw(output failure_output todo_output);


sub text_of
{
    my ($file) = @_;

    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


# shown("..." "..."): the C strings as the document shows them
sub shown
{
    my ($text) = @_;

    $text = join '', map { s/\\(.)/$1/gr } $text =~ /"((?:[^"\\]|\\.)*)"/g;
    $text =~ s/%(?:\*s|V|s|d|D|M|T|L|u[DALid])/…/g;
    $text =~ s/…+/…/g;

    return $text;
}


my $string = qr/"(?:[^"\\]|\\.)*"/;
my (%said, %over);

for my $file (glob("src/*/*.c src/*/*/*.c ngx_http_prompt_module.c")) {
    next if $file !~ /\.c$/ || $file =~ m{^src/ctl/};

    my $code = text_of($file);
    my $calls = () = $code =~ /^ +ngx_(?:log_error|http_prompt_ratelog)\(/gm;
    my $read = 0;

    while ($code =~ /^\ +ngx_(?:log_error|http_prompt_ratelog)\(
                     ([^";{}]*?) (?: ((?:$string\s*)+) | kind->over)/gmx)
    {
        my ($before, $text) = ($1, $2);

        $read++;

        # while the configuration is read, and nginx does not go on
        next if $before =~ /NGX_LOG_EMERG/;

        # the mechanism: a message with how often it came
        next if $file =~ m{/ngx_http_prompt_ratelog\.c$};

        $said{shown($text)} = $file;
    }

    is($read, $calls, "$file: its messages are found") if $calls;

    # what is written otherwise is not checked
    next if $file =~ m{/ngx_http_prompt_ratelog\.c$};

    my $others = () = $code =~ /\bngx_(?:log_abort|log_stderr|write_stderr
                                         |vslog)\b/gx;

    is($others, 0, "$file writes no line in another way");
}

my ($kinds) = text_of('src/io/ngx_http_prompt_ratelog.h')
              =~ /^#define NGX_HTTP_PROMPT_RATELOGS\(kind\)(.*?[^\\])\n\n/ms;

while ($kinds =~ /kind\((\w+), \w+,\s*\\\s+((?:$string[\s\\]*)+)\)/g) {
    $over{shown($2)} = $1;
}

cmp_ok(scalar keys %said, '>', 30, 'there are messages');
cmp_ok(scalar keys %over, '>', 15, 'and ends of them');

my $document = text_of('docs/messages.md');
my (%first, %other);

for my $row ($document =~ /^\| (`.*) \|$/mg) {
    my ($message, $rest) = $row =~ /^`([^`]+)` \| (.*)$/;

    ok(!$first{$message}++, "once: $message");
    $other{$_} = 1 for $rest =~ /`([^`]+)`/g;
}

is_deeply([ grep { !$first{$_} } sort keys %said ], [],
          'docs/messages.md has each message');
is_deeply([ grep { !$said{$_} } sort keys %first ], [],
          'and none that is not there');
is_deeply([ grep { !$other{$_} } sort keys %over ], [],
          'and what is said when it is over');
is_deeply([ grep { / a minute; in | after … s/ && !$over{$_} }
            sort keys %other ], [], 'and no other end');

done_testing();
