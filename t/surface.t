# What others build on: the schema, directives, variables, metrics, and promptctl.
# t/surface has it as it was recorded, so that none of it changes unseen:
# docs/stability.md says which changes a release may bring.  Whoever means a
# change records it anew and shows it with the change:
#
#     PROMPT_SURFACE=record t/run t/surface.t

use strict;
use warnings;

use lib 't/lib';

use HTTP::Tiny;
use PromptTest::Directives;
use PromptTest::Env;
use PromptTest::Server;
use Test::More;

my $record = ($ENV{PROMPT_SURFACE} // '') eq 'record';
my %now;


# schema.graphql without words, which may change
sub schema
{
    my $text = PromptTest::Directives::text_of('schema.graphql');

    $text =~ s/"""(?:[^"]|"(?!""))*"""//g;
    $text =~ s/^ *"(?:[^"\\\n]|\\.)*" *$//mg;
    $text =~ s/^ *#.*$//mg;
    $text =~ s/^\s*\n//mg;

    return $text;
}


# a directive, where it may stand, how many arguments; below, its parameters
# with their default and bounds
sub directives
{
    my %flags = PromptTest::Directives::flags();
    my %tables = PromptTest::Directives::tables();
    my %place = (http => 'MAIN', server => 'SRV', location => 'LOC');
    my $text = '';

    for my $name (sort keys %flags) {
        my @where = grep { $flags{$name} =~ /NGX_HTTP_$place{$_}_CONF\b/ }
                    sort keys %place;
        my @how = map { lc } $flags{$name} =~ /NGX_CONF_(\w+)/g;

        $text .= "$name @where @how\n";

        for my $row (sort { $a->{name} cmp $b->{name} }
                     @{ $tables{$name}{rows} || [] })
        {
            $text .= "    $row->{name}=" . ($row->{value} // '')
                     . " $row->{kind}";
            $text .= ' ' . ($row->{min} // '') . '..' . ($row->{max} // '')
                if defined $row->{min} || defined $row->{max};
            $text .= "\n";
        }
    }

    return $text;
}


sub variables
{
    my $code = PromptTest::Directives::text_of(
        'src/http/ngx_http_prompt_variables.c');

    return join '', map { "\$$_\n" }
           sort $code =~ /\{ ngx_string\("(prompt_\w+)"\)/g;
}


# name, type, labels with the values that are always the same
sub metrics
{
    my $s = PromptTest::Server->new;
    my $text = HTTP::Tiny->new->get("http://127.0.0.1:$s->{port}/metrics")
               ->{content};
    my %free = map { $_ => 1 } qw(operation protocol provider model version
                                 le);
    my (%type, %labels);

    for my $line (split /\n/, $text) {
        $type{$1} = $2 if $line =~ /^# TYPE (\w+) (\w+)$/;
        next unless $line =~ /^(\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? /;

        my $name = exists $type{$1} ? $1 : ($line =~ /^(\w+)/)[0];

        for my $pair (($2 // '') =~ /(\w+="(?:[^"\\]|\\.)*")/g) {
            my ($label, $value) = split /=/, $pair, 2;

            $labels{$name}{$label}{$free{$label} ? '' : $value} = 1;
        }
    }

    ok($s->stop, 'nginx leaves');

    return join '', map {
        my $of = $labels{$_} || {};

        join(' ', $_, $type{$_}, map { my $label = $_;
             "$label=" . join '|', sort keys %{ $of->{$label} } }
             sort keys %$of) . "\n"
    } sort keys %type;
}


# promptctl(WORDS...): what it says, and its exit status
sub promptctl
{
    my (@words) = @_;
    my $pid = open my $out, '-|';

    die "fork: $!\n" unless defined $pid;

    if ($pid == 0) {
        delete @ENV{grep { /^PROMPT_/ } keys %ENV};
        open STDIN, '<', '/dev/null';
        open STDERR, '>&', \*STDOUT;
        exec $PromptTest::Env::promptctl, @words;
        exit 127;
    }

    local $/;
    my $said = <$out> // '';
    close $out;

    return ($said, $? >> 8);
}


# commands(): those that promptctl's help has
sub commands
{
    my ($help) = promptctl('--help');
    my ($list) = $help =~ /^Commands:\n(.*?)\n\n/ms;

    return $list =~ /^  (\w\S*(?: \w\S*)?)  +/mg;
}


sub helps
{
    return join '', map { "\$ promptctl $_\n" . (promptctl(split / /))[0] . "\n" }
           '--help', map { "$_ --help" } commands();
}


# of each command: asked for help, with a wrong option, and with nothing there
sub statuses
{
    my $text = '';
    my @nowhere = ('--database', 'host=/nonexistent', '--redis',
                   'unix:/nonexistent', '--url', 'http://127.0.0.1:1/graphql',
                   '--key', PromptTest::Env::var('alice_key'));

    for my $command (commands()) {
        my @words = split ' ', $command;
        my ($help) = promptctl(@words, '--help');
        my ($usage) = $help =~ /^Usage: promptctl (.*?)\n\n/s;

        # what is in brackets need not be given
        1 while $usage =~ s/\[[^\[\]]*\](?:\.\.\.)?//;

        my @needed = grep { !/^\.*$/ }
                     map { /^-/ ? $_ : /EMAIL/ ? 'none@example.com' : 'none' }
                     split ' ', $usage =~ s/^\Q$command\E//r;
        my @status = map { (promptctl(@words, @$_))[1] }
                     ['--help'], ['--no-such-option'], [ @needed, @nowhere ];

        $text .= sprintf "%s: %d help, %d wrong option, %d nothing is there\n",
                         $command, @status;
    }

    return $text;
}


%now = (
    'schema.graphql' => schema(),
    'directives'     => directives(),
    'variables'      => variables(),
    'metrics'        => metrics(),
    'promptctl'      => helps(),
    'exit-statuses'  => statuses(),
);

for my $name (sort keys %now) {
    my $file = "t/surface/$name";
    my $new = "$PromptTest::Env::dir/surface-$name";
    my $to = $record ? $file : $new;

    cmp_ok(length $now{$name}, '>', 100, "there is something of $name");

    open my $out, '>:encoding(UTF-8)', $to or die "$to: $!\n";
    print $out $now{$name};
    close $out or die "$to: $!\n";

    next if $record;

    my $diff = `diff -u '$file' '$new' 2>&1`;

    is($? >> 8, 0, "$file is what there is") or diag(
        "docs/stability.md says what may change; to record what there is now:\n",
        "    PROMPT_SURFACE=record t/run t/surface.t\n", $diff);
}

is_deeply([ sort map { s{.*/}{}r } glob 't/surface/*' ], [ sort keys %now ],
          't/surface has nothing else');

done_testing();
