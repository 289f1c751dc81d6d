# What is watched from outside: the metrics are as Prometheus wants them, the
# alert rules do what they say, and neither they nor the dashboard ask for
# anything that the module does not export.

use strict;
use warnings;

use lib 't/lib';

use HTTP::Tiny;
use JSON::PP ();
use PromptTest::Env;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

my $rules = 'monitoring/prometheus/prompt.rules.yml';
my $tests = 'monitoring/prometheus/prompt.test.yml';
my $board = 'monitoring/grafana/prompt.json';

my %tool = map { $_ => PromptTest::Env::first_of($_) } qw(promtool prometheus);


sub text_of
{
    my ($file) = @_;

    open my $in, '<', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}

sub write_to
{
    my ($file, $text) = @_;

    open my $out, '>', $file or die "$file: $!\n";
    print $out $text;
    close $out or die "$file: $!\n";
}

# has($tool): whether it is there
sub has
{
    return $tool{$_[0]} =~ m{/};
}

# promtool(ARGS...): whether it is content; else what it says
sub promtool
{
    my ($name, @args) = @_;

    SKIP: {
        skip 'there is no promtool', 1 if !has('promtool');

        my $said = `$tool{promtool} @args 2>&1`;

        is($?, 0, $name) or diag($said);
    }
}

sub metrics
{
    my ($s) = @_;

    return HTTP::Tiny->new->get("http://127.0.0.1:$s->{port}/metrics")
           ->{content};
}


my $s = PromptTest::Server->new(workers => 2);

$s->ask('alice', '{ me { id } }');
$s->ask('alice', '{ nothing }');

my $scraped = metrics($s);

write_to("$s->{dir}/scraped", $scraped);
promtool('promtool finds no fault in the metrics',
         "check metrics < $s->{dir}/scraped");


# what is open, and what waits: gauges and histograms of the workers

# becomes($name, $value): whether a number reaches it
sub becomes
{
    my ($name, $value) = @_;
    my $until = time() + 20 * ($ENV{PROMPT_TEST_SLOW} || 1);

    while (time() < $until) {
        return 1 if metrics($s) =~ /^\Q$name\E (\d+)$/m && $1 >= $value
                    && ($value != 0 || $1 == 0);
        sleep 0.05;
    }

    return 0;
}

my $prompt = PromptTest::Stream::prompt($s, 'fx:text=a,delay=4000');
my $stream = $s->send(PromptTest::Stream::request($s, $prompt));

ok(becomes('prompt_streams_open', 1), 'a stream that is open');
ok($s->receive($stream, 20), 'its answer');
ok(becomes('prompt_streams_open', 0), 'no stream is open any more');
ok(becomes('prompt_streams_total', 1), 'it was counted');
ok(becomes('prompt_postgres_wait_seconds_count', 5), 'times in the queue');
ok(becomes('prompt_postgres_operation_seconds_count', 5), 'and with answers');
ok(becomes('prompt_plan_cache_entries', 1), 'plans are kept');


# what is exported: name => { label => 1 }, of histograms each of their series

my (%exported, %families);

for my $line (split /\n/, $scraped) {
    $families{$1} = $2 if $line =~ /^# TYPE (\w+) (\w+)$/;

    if ($line =~ /^(\w+)(?:\{(.*)\})? /) {
        my ($name, $labels) = ($1, $2 // '');

        $exported{$name}{$1} = 1 while $labels =~ /(\w+)="(?:[^"\\]|\\.)*"/g;
        $exported{$name} ||= {};
    }
}

for my $name (sort keys %families) {
    my $type = $families{$name};

    fail("$name: a counter ends with _total, and nothing else does")
        if ($type eq 'counter') != ($name =~ /_total$/);
    fail("$name: prompt_, in base units")
        if $name !~ /^prompt_/ || $name =~ /_(?:ms|milliseconds|kb|percent)\b/;
}

my $documents = join '', map { text_of($_) } 'README.md', glob 'docs/*.md';
my @unknown = grep { $documents !~ /`$_`/ } sort keys %families;

is_deeply(\@unknown, [], 'each metric is documented');


# unexported($expr): what it asks for and the module does not have
sub unexported
{
    my ($expr) = @_;
    my @faults;

    while ($expr =~ /\b((?:prompt_)\w+)(?:\{([^}]*)\})?/g) {
        my ($name, $selector) = ($1, $2 // '');

        if (!$exported{$name}) {
            push @faults, $name;
            next;
        }

        while ($selector =~ /(\w+)\s*(?:=~|!~|!=|=)\s*"/g) {
            push @faults, "$name\{$1\}"
                if $1 !~ /^(?:job|instance)$/ && !$exported{$name}{$1};
        }
    }

    # sums are by labels that something in it has

    my %labels = map { %{ $exported{$_} || {} } } $expr =~ /\b(prompt_\w+)/g;

    while ($expr =~ /\b(?:by|on) \(([^)]*)\)/g) {
        push @faults, map { "by $_" }
            grep { !/^(?:job|instance)$/ && !$labels{$_} } split /\s*,\s*/, $1;
    }

    return @faults;
}


# the alert rules

my $text = text_of($rules);
my @alerts = $text =~ /^      - alert: (\w+)$/mg;
my %once = map { $_ => 1 } @alerts;
my @faults = map { /^ +expr: (.*(?:\n {10,}.*)*)/ ? unexported($1) : () }
             split /^(?=      - alert)/m, $text;

ok(@alerts > 8 && keys %once == @alerts, 'alerts have names of their own');
is_deeply(\@faults, [], 'they ask for what is exported');

for my $alert (split /^(?=      - alert: )/m, $text) {
    my ($name) = $alert =~ /alert: (\w+)/ or next;

    fail("$name has no severity, summary or place in the runbook")
        if $alert !~ /severity: (?:warning|critical) /
           || $alert !~ /summary: "/
           || $alert !~ /runbook: docs\/operating\.md#\L$name\E\n/;
}

# the runbook, where it is part of the documents

my ($runbook) = grep { -e } 'docs/operating.md';

SKIP: {
    skip 'there is no runbook', 1 if !defined $runbook;

    my $said = text_of($runbook);

    is_deeply([ grep { $said !~ /^#+ $_$/m } @alerts ], [],
              'each alert has its place in the runbook');
}

is_deeply([ grep { text_of($tests) !~ /alertname="$_"/ } @alerts ], [],
          'each alert is made to fire by a test');
promtool('promtool takes the rules', "check rules $rules");
promtool('they fire where they should, and only there',
         "test rules $tests");


# the dashboard

my $made = `node tools/grafana.mjs`;

ok($made eq text_of($board), "$board is what tools/grafana.mjs makes")
    or diag("node tools/grafana.mjs $board");

my $dashboard = JSON::PP->new->decode($made);
my @panels = @{ $dashboard->{panels} };
my %ids = map { $_->{id} => 1 } @panels;
my %units = map { $_ => 1 } qw(short percentunit reqps ops s bytes currencyUSD);
my (@wrong, @exprs, %taken);

is(scalar keys %ids, scalar @panels, 'panels have ids of their own');

for my $panel (@panels) {
    my ($title, $at) = @$panel{qw(title gridPos)};

    for my $y ($at->{y} .. $at->{y} + $at->{h} - 1) {
        for my $x ($at->{x} .. $at->{x} + $at->{w} - 1) {
            push @wrong, "$title: where another one is, or outside"
                if $taken{"$x $y"}++ || $x > 23;
        }
    }

    next if $panel->{type} eq 'row';

    my %refs = map { $_->{refId} => 1 } @{ $panel->{targets} };

    push @wrong, "$title: kind, unit, data source or queries"
        if $panel->{type} !~ /^(?:stat|timeseries)$/
           || !$units{ $panel->{fieldConfig}{defaults}{unit} }
           || $panel->{datasource}{uid} ne '${datasource}'
           || !@{ $panel->{targets} }
           || keys %refs != @{ $panel->{targets} };

    for my $target (@{ $panel->{targets} }) {
        my $expr = $target->{expr};

        push @exprs, $expr;
        push @wrong, map { "$title: $_" } unexported($expr);

        # a legend names labels that are there

        push @wrong, map { "$title: legend $_" }
            grep { my $l = $_; $expr !~ /by \([^)]*\b$l\b/ }
            $target->{legendFormat} =~ /\{\{(\w+)\}\}/g;
    }
}

is_deeply(\@wrong, [], 'each panel is sound, and asks for what is exported');

my %variables = map { $_->{name} => 1 } @{ $dashboard->{templating}{list} };
my %used = map { $_ => 1 } $made =~ /\$\{?([a-z]\w+)/g;

is_deeply([ sort keys %used ], [ sort keys %variables ],
          'its variables are those that it uses');

s/\$__rate_interval|\$__interval/5m/g, s/\$(?:job|instance)/x/g for @exprs;
write_to("$s->{dir}/board.yml", "groups:\n  - name: board\n    rules:\n"
         . join '', map { "      - record: panel_$_\n        expr: '"
                          . ($exprs[$_] =~ s/'/''/gr) . "'\n" } 0 .. $#exprs);
promtool('its queries parse', "check rules $s->{dir}/board.yml");


# Prometheus itself

SKIP: {
    skip 'there is no prometheus', 3 if !has('prometheus');

    my $port = PromptTest::Env::free_port();
    my $where = "$s->{dir}/prometheus";
    my $own = "$s->{dir}/prometheus.yml";
    my $file = "$PromptTest::Env::root/$rules";

    write_to($own, <<"END");
global: { scrape_interval: 500ms, evaluation_interval: 500ms }
rule_files: [ "$file" ]
scrape_configs:
  - job_name: prompt
    static_configs: [ { targets: [ "127.0.0.1:$s->{port}" ] } ]
END

    my $pid = fork // die "fork: $!\n";

    if ($pid == 0) {
        open STDOUT, '>', "$where.log";
        open STDERR, '>&', \*STDOUT;
        exec $tool{prometheus}, "--config.file=$own",
             "--storage.tsdb.path=$where",
             "--web.listen-address=127.0.0.1:$port";
        exit 1;
    }

    my $api = "http://127.0.0.1:$port/api/v1";

    # ask($path): what the API says, once it says something that is true
    my $ask = sub {
        my ($path, $good) = @_;
        my $until = time() + 60 * ($ENV{PROMPT_TEST_SLOW} || 1);

        while (time() < $until) {
            my $answer = HTTP::Tiny->new->get("$api/$path");
            my $data = $answer->{success}
                ? JSON::PP::decode_json($answer->{content})->{data} : undef;

            return 1 if $data && $good->($data);
            sleep 0.1;
        }

        return 0;
    };

    ok($ask->('query?query=sum(prompt_workers)', sub {
        my ($row) = @{ $_[0]{result} };

        return $row && $row->{value}[1] == 2;
    }), 'Prometheus scrapes it');
    ok($ask->('targets', sub {
        my ($target) = @{ $_[0]{activeTargets} };

        return $target && $target->{health} eq 'up' && !$target->{lastError};
    }), 'and has nothing to complain of');
    ok($ask->('rules', sub {
        my @seen = map { @{ $_->{rules} } } @{ $_[0]{groups} };

        return @seen == @alerts && !grep { $_->{health} ne 'ok' } @seen;
    }), 'it evaluates all rules');

    kill 'TERM', $pid;
    waitpid $pid, 0;
}

ok($s->stop, 'nginx leaves');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
