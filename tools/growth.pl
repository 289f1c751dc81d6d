#!/usr/bin/perl
#
# Measures what requests cost as the data grow, and draws it: versions of a
# prompt, prompts of a user, executions, the length of a document, connections,
# executions in flight at a provider that takes half a second.
#
# Cost is processor time of the worker and of PostgreSQL a request, from /proc;
# the time of an answer stands beside it.  All sizes are in the database at
# once, each as a user of its own, so that it is the same for all.  One worker;
# t/bench/growth.js asks.  A line whose upper end grows faster than its size
# (an exponent above 1.15) makes this fail.  Started by tools/growth.sh.

use strict;
use warnings;
use utf8;

use File::Path qw(make_path remove_tree);
use IPC::Open2 qw(open2);
use JSON::PP ();
use List::Util qw(max min);
use Time::HiRes qw(time);

use PromptTest::Env;
use PromptTest::Measure;
use PromptTest::Plot;

my $most    = $ENV{GROWTH_MOST} || 1_000_000;
my $seconds = $ENV{GROWTH_SECONDS} || 1;
my $out     = $ENV{GROWTH_OUT} || "$PromptTest::Env::root/docs/growth";
my %only    = map { $_ => 1 } split ' ', $ENV{GROWTH_ONLY} || '';
my $steep   = 1.15;                # linear, and what measuring adds
my $delay   = 500;                 # of the provider, ms

my $dir  = "$PromptTest::Env::root/build/growth";
my $port = PromptTest::Env::free_port();
my $json = JSON::PP->new->canonical;
my $owner = $$;
my ($worker, %keys, %prompts, @steep);


sub wanted { return !%only || $only{$_[0]}; }

sub sizes { return grep { $_ <= $most } @_; }

my @versions    = sizes(1, 10, 100, 1_000, 10_000);
my @prompts     = sizes(10, 100, 1_000, 10_000, 100_000);
my @executions  = sizes(1_000, 10_000, 100_000, 1_000_000);
my @connections = sizes(1, 10, 100, 1_000, 10_000);
my @flights     = sizes(1, 10, 100, 1_000);


# fill(): a user for each size, named by it
sub fill
{
    my $seed = <<'SQL';
SET session_replication_role = replica;
SET synchronous_commit = off;

-- ids in order of n, made over the last 90 days
CREATE FUNCTION pg_temp.v7(n bigint, many bigint, kind int) RETURNS uuid
    LANGUAGE sql AS $$
    SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - 3600000
                        - (many - n) * 7776000000 / many), 12, '0')
            || '7' || lpad(to_hex(kind), 3, '0') || '8000'
            || lpad(to_hex(n), 12, '0'))::uuid
$$;

-- a user, with so many prompts, each with so many versions, and executions of
-- the first one
CREATE FUNCTION pg_temp.account(u text, kind int, p int, v int, e int)
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    who  uuid := (SELECT id FROM users WHERE email = u || '@example.com');
BEGIN
    INSERT INTO prompts (id, owner_id, name, category, updated_at,
                         last_version)
        SELECT pg_temp.v7(i, p, kind), who, 'prompt-' || i, 'GENERAL', now(), v
        FROM generate_series(1, p) i;

    INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content,
                                 params)
        SELECT pg_temp.v7(i * v + j, p * v + v, kind + 1),
               pg_temp.v7(i, p, kind), who, j, 'Say {{text}}.',
               '{"model":"gpt-4o-mini"}'
        FROM generate_series(1, p) i, generate_series(1, v) j;

    INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,
                            status, model, latency_ms, token_in, token_out,
                            cost_usd, finished_at)
        SELECT pg_temp.v7(i, e, kind + 2), pg_temp.v7(1, p, kind), 1, who,
               true, CASE WHEN i % 1000 = 0 THEN 'failed' ELSE 'succeeded' END,
               'gpt-4o-mini', i % 3000, 100, 50, 0.000045, now()
        FROM generate_series(1, e) i;
END
$$;
SQL

    my $kind = 0;

    for (map({ [ "versions$_", 1, $_, 0 ] } @versions),
         map({ [ "prompts$_", $_, 1, 0 ] } @prompts),
         map({ [ "executions$_", 1, 1, $_ ] } @executions),
         [ 'plain', 1, 1, 0 ])
    {
        my ($name, @counts) = @$_;

        $keys{$name} = account($name);
        $kind += 3;
        $seed .= "SELECT pg_temp.account('$name', $kind, "
               . join(', ', @counts) . ");\n";
    }

    PromptTest::Env::psql($seed);
    PromptTest::Env::psql("UPDATE prompt_versions SET params = "
        . "'{\"model\":\"fx:delay=$delay\"}' WHERE owner_id = (SELECT id FROM "
        . "users WHERE email = 'plain\@example.com'); VACUUM ANALYZE;");

    # what sweepers would do meanwhile, on nobody's account
    PromptTest::Env::psql(<<'SQL');
DO $$
DECLARE
    further  boolean := true;
BEGIN
    WHILE prompt_log_sweep(20000) LOOP END LOOP;

    WHILE further LOOP
        SELECT more INTO further FROM prompt_executions_sweep(10000);
    END LOOP;
END
$$;

VACUUM ANALYZE;
CHECKPOINT;
SQL

    for (split /\n/, PromptTest::Env::psql(
             "SELECT split_part(u.email, '\@', 1), min(p.id::text) "
             . 'FROM prompts p JOIN users u ON u.id = p.owner_id GROUP BY 1'))
    {
        my ($name, $id) = split /\|/;
        $prompts{$name} = $id;
    }
}


# account(NAME): its key
sub account
{
    PromptTest::Env::promptctl('user', 'add', "$_[0]\@example.com");

    return PromptTest::Env::promptctl('key', 'add', "$_[0]\@example.com",
                                      '--name', 'growth');
}


sub start_nginx
{
    my $provider = PromptTest::Env::provider();

    ($worker) = PromptTest::Measure::start({
        dir => $dir, port => $port, backlog => 4096, clients => 15_000,
        postgres => 'connections=8 timeout=60s queue=16384',
        http => <<"HTTP", server => <<'SERVER' });
    prompt_quota prompts=1000000 versions=1000000 bytes=64g in_flight=10000;
    prompt_provider slow /_provider/slow timeout=60s;
    prompt_model fx:* provider=slow input=0.15 output=0.60;
    upstream slow { server 127.0.0.1:$provider; keepalive 1024; }
HTTP
        location = /_provider/slow {
            internal;
            proxy_pass http://slow/v1/chat/completions;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Accept-Encoding "";
        }
SERVER
}


sub stop_nginx { PromptTest::Measure::stop($dir); }


# also where a measurement failed
END {
    if (defined $owner && $$ == $owner) {
        local $?;
        stop_nginx();
    }
}


# memory(PID): what it has for itself, MiB
sub memory
{
    return PromptTest::Measure::contents("/proc/$_[0]/smaps_rollup")
        =~ /^Private_Dirty:\s+(\d+)/m ? $1 / 1024 : 0;
}


# measure(USER, QUERY, VARIABLES, MORE): a point of a line, without its size
sub measure
{
    my ($user, $query, $variables, %more) = @_;
    my $body = '{"query":' . $json->encode("$query") . ',"variables":'
             . ($variables || '{}') . ',"operationName":'
             . $json->encode(delete $more{operation}) . '}';
    my $settings = $json->encode({ connections => 4, idle => 0,
        seconds => $seconds, requests => 1_000_000, key => $keys{$user},
        body => $body, %more });

    my $pid = open2(my $from, my $to, 'node',
                    "$PromptTest::Env::root/t/bench/growth.js", $port);

    print $to "$settings\n";
    (<$from> // '') eq "ready\n" or die "growth.js ended early\n";

    my @backends = PromptTest::Measure::backends();
    my $before = [ map { PromptTest::Measure::used(@$_) }
                   [ $worker ], \@backends ];

    print $to "go\n";
    my $said = $json->decode(<$from> // '{}');
    my $memory = [ memory($worker), max(map { memory($_) } @backends) ];
    my $after = [ map { PromptTest::Measure::used(@$_) }
                   [ $worker ], \@backends ];

    close $to;
    waitpid $pid, 0;

    die "growth: $query: " . $json->encode($said) . "\n"
        if !$said->{count} || %{ $said->{faults} };

    my @cpu = map { ($after->[$_] - $before->[$_]) / $said->{count} } 0, 1;

    return { cpu => $cpu[0] + $cpu[1], worker => $cpu[0], postgres => $cpu[1],
             wall => $said->{median}, late => $said->{late},
             count => $said->{count}, memory => $memory };
}


# line(NAME, SIZES, MEASURE): measured at each size, by a worker of its own
sub line
{
    my ($name, $sizes, $measure) = @_;
    my @points;

    start_nginx();

    for my $size (@$sizes) {
        my $point = $measure->($size);

        $point->{size} = $size;
        push @points, $point;

        printf "%-34s %8d  worker %9.1f  PostgreSQL %9.1f µs  median %9.2f "
               . "99 %% %9.2f ms  memory %.1f %.1f MiB\n", $name, $size,
               @$point{qw(worker postgres wall late)}, @{ $point->{memory} };
    }

    stop_nginx();

    # what is fixed hides what grows, so the upper end counts; and where what
    # workers keep ends, a line has a step, which is no slope
    my @cpu = map { [ $_->{size}, $_->{cpu} ] } @points;
    my $slope = min(map { PromptTest::Plot::slope(@cpu[-$_ .. -1]) }
                        min(2, scalar @cpu), min(3, scalar @cpu));

    push @steep, $name if $slope > $steep;

    return { name => $name, points => \@points, slope => $slope,
             note => sprintf('exponent %.2f, worker %.0f to %.0f MiB, '
                             . 'PostgreSQL\'s largest %.0f to %.0f', $slope,
                             map { $points[0]{memory}[$_],
                                   $points[-1]{memory}[$_] } 0, 1) };
}


# plot(FILE, TITLE, SIZE, LINES)
sub plot
{
    my ($file, $title, $size, @lines) = @_;

    open my $svg, '>:utf8', "$out/$file.svg" or die "$file.svg: $!\n";
    print $svg PromptTest::Plot::draw({ title => $title, size => $size,
                                        lines => \@lines });
    close $svg;
}


my $execute = 'mutation ($id: ID!) { executePrompt(promptId: $id, '
            . 'input: {text: "a"}) { executionId } }';


sub versions
{
    my $prompt = sub {
        my ($text, %more) = @_;

        return sub {
            my $user = "versions$_[0]";

            return measure($user, $text, qq({"id":"$prompts{$user}"}), %more);
        };
    };

    plot('versions', 'Versions of a prompt', 'versions',
        line('the newest 10', \@versions, $prompt->(
             'query ($id: ID!) { prompt(id: $id) { versions(last: 10) '
             . '{ id version content } } }')),
        line('all of them', \@versions, $prompt->(
             'query ($id: ID!) { prompt(id: $id) { versions '
             . '{ id version } } }')),
        line('executePrompt', \@versions, $prompt->($execute)),
        line('createPromptVersion', \@versions, $prompt->(
             'mutation ($id: ID!) { createPromptVersion(input: '
             . '{promptId: $id, content: "x", params: {model: "gpt-4o-mini"}})'
             . ' { id } }', requests => 200)));
}


sub prompts
{
    my $of = sub {
        my ($text, %more) = @_;

        return sub {
            my $user = "prompts$_[0]";

            return measure($user, $text, qq({"id":"$prompts{$user}"}), %more);
        };
    };

    plot('prompts', 'Prompts of a user', 'prompts',
        line('the newest 10', \@prompts,
             $of->('{ prompts(first: 10) { id name } }')),
        line('all of them', \@prompts, $of->('{ prompts { id name } }')),
        line('one by its id', \@prompts,
             $of->('query ($id: ID!) { prompt(id: $id) { id name } }')),
        line('createPrompt', \@prompts,
             $of->('mutation { createPrompt(input: {name: "g @N@"}) { id } }',
                   requests => 200)));
}


sub executions
{
    my $of = sub {
        my ($text, %more) = @_;

        return sub {
            my $user = "executions$_[0]";

            return measure($user, $text, qq({"id":"$prompts{$user}"}), %more);
        };
    };
    my @t = gmtime(time - 90 * 86400);
    my $since = sprintf '%04d-%02d-%02dT00:00:00Z', $t[5] + 1900, $t[4] + 1,
                        $t[3];

    plot('executions', 'Executions', 'executions',
        line('a page of the log', \@executions,
             $of->('{ executions(first: 50) { id status model } }')),
        line('of those that failed (0.1 %)', \@executions,
             $of->('{ executions(first: 50, status: ["failed"]) '
                   . '{ id status model } }')),
        line('a prompt and its newest 10', \@executions,
             $of->('query ($id: ID!) { prompt(id: $id) { versions { id '
                   . 'executions(first: 10) { id } } } }')),
        line('statistics of 90 days', \@executions,
             $of->(qq({ statistics(since: "$since", by: DAY) { start )
                   . 'executions costUsd latencyP95Ms } }')),
        line('executePrompt', \@executions,
             $of->($execute, requests => 2000)));
}


sub documents
{
    my @sizes = sizes(10, 100, 1_000, 9_900);
    my $text = sub {
        join ' ', 'query A { me { id } }',
            map { "query B$_ { me { id } }" } 2 .. $_[0] / 8;
    };
    my %more = (operation => 'A');

    plot('documents', 'Documents', 'tokens',
        line('known', \@sizes,
             sub { measure('plain', $text->($_[0]), undef, %more) }),
        line('new each time', \@sizes,
             sub { measure('plain', $text->($_[0]) . '# @N@', undef,
                           %more) }));
}


sub connections
{
    plot('connections', 'Connections', 'connections',
        line('all of them ask', \@connections,
             sub { measure('plain', '{ me { id } }', undef,
                           connections => $_[0], seconds => 2 * $seconds) }),
        line('four ask, the others are idle', \@connections,
             sub { measure('plain', '{ me { id } }', undef,
                           idle => max(0, $_[0] - 4)) }));
}


# what the module adds to the provider's time
sub flight
{
    my $line = line('executePrompt', \@flights, sub {
        my $point = measure('plain', $execute, qq({"id":"$prompts{plain}"}),
                            connections => $_[0], seconds => 4 * $seconds);

        $point->{wall} -= $delay;

        return $point;
    });

    open my $svg, '>:utf8', "$out/flight.svg" or die "flight.svg: $!\n";
    print $svg PromptTest::Plot::draw({
        title => "Executions in flight, at a provider that takes $delay ms",
        size => 'in flight', lines => [ $line ],
        wall => "beyond the provider's $delay ms, median, ms" });
    close $svg;
}


binmode STDOUT, ':utf8';
PromptTest::Env::setup();
make_path($out);

my $begin = time;

fill();
printf "filled in %.0f s\n", time - $begin;

my %parts = (versions => \&versions, prompts => \&prompts,
             executions => \&executions, documents => \&documents,
             connections => \&connections, flight => \&flight);

for my $part (qw(versions prompts executions documents flight connections)) {
    $parts{$part}->() if wanted($part);
}

remove_tree("$dir/tmp");

printf "measured in %.0f s; the plots are in %s\n", time - $begin, $out;

die 'grows faster than its size: ' . join(', ', @steep) . "\n" if @steep;
