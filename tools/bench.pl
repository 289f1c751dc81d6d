#!/usr/bin/perl
#
# Measures me, prompt, prompts, createPrompt, executePrompt and the latter as a
# chat completion of OpenAI's API through the whole service, and beside each the bounds that hold on this machine at this
# moment:
#
#     nginx       a file of the same size, open and in memory, by the same nginx
#     PostgreSQL  t/bench/pipeline.c with the very statements and parameters
#                 that the module sent (taken from the server's log), prepared,
#                 results binary, on as many connections, with as much in flight
#     both        one after the other on the same cores: no service that reads
#                 from this PostgreSQL and answers by this nginx does better
#
# a gateway that stores nothing (@portkey-ai/gateway, where npm had it), which asks
# the same provider for the same chat completion, and streams by t/bench/streams.js: how long a first piece of text is on its way
# from the provider to the client, beside nginx's own proxy, and what a worker
# needs for many at once; and executePrompt by a key with a budget that is far
# beside one without.
#
# Measurements take turns in short rounds, so that what else the machine does
# meets all of them.  Figures a second mean little on another machine: the
# ratios to the bounds are the result.  Started by tools/bench.sh.
# docs/BENCHMARK.md says what was found.

use strict;
use warnings;

use File::Path qw(remove_tree);
use List::Util qw(max min);
use Time::HiRes qw(sleep);

use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Measure;

my $seconds = $ENV{BENCH_SECONDS} || 3;
my $rounds  = $ENV{BENCH_ROUNDS} || 5;
my $scale   = $ENV{BENCH_SCALE} || 0.2;

my $users    = max(4, int(100 * $scale));
my $callers  = min($users, 8);
my $samples  = 4;                  # prompts of each caller that are read, and
                                   # as many that are executed
my $cores    = cores();
my $workers  = max(1, min(4, $cores));
my $links    = $ENV{BENCH_CONNECTIONS} || 4;    # of a worker
my $clients  = 64;

my $dir  = "$PromptTest::Env::root/build/bench";
my $port = PromptTest::Env::free_port();
my $stub = $port + 1;              # the provider of streams
my $echo = $port + 2;              # that of the gateway, too
my $gateway = $port + 3;
my $texts   = $ENV{BENCH_FIRST} || 500;
my $streams = $ENV{BENCH_STREAMS} || 1000;

my %documents = (
    me => 'query { me { id email name } }',

    prompt => 'query ($id: ID!) { prompt(id: $id) { id name description '
        . 'category isPublic createdAt updatedAt createdBy { id email name } '
        . 'versions { id version content params inputSchema createdAt '
        . 'executions { id status latencyMs tokenIn tokenOut costUsd } } } }',

    prompts => 'query { prompts { id name description category isPublic '
        . 'createdAt updatedAt versions { id version content params '
        . 'createdAt } } }',

    createPrompt => 'mutation ($input: CreatePromptInput!) { '
        . 'createPrompt(input: $input) { id name description category '
        . 'isPublic createdAt } }',

    executePrompt => 'mutation ($id: ID!, $input: JSON!) { '
        . 'executePrompt(promptId: $id, input: $input) { executionId output '
        . 'tokenIn tokenOut costUsd latencyMs } }',
);

my @order = qw(me prompt prompts createPrompt executePrompt chatCompletion);

my %paths = (chatCompletion => '/openai/v1/chat/completions');
my (@callers, %results);


sub cores
{
    my $n = `nproc 2>/dev/null`;

    return $n =~ /^(\d+)/ ? $1 : 2;
}


sub fill
{
    my $seed = <<'END';
CREATE FUNCTION pg_temp.v7(n bigint) RETURNS uuid LANGUAGE sql AS $$
    SELECT (lpad(to_hex(1795219200000 + n), 12, '0') || '7'
            || substr(md5(n::text), 1, 3) || '8'
            || substr(md5(random()::text), 1, 15))::uuid
$$;
END

    PromptTest::Env::psql($seed . <<"END");
INSERT INTO users (id, email, name)
    SELECT pg_temp.v7(u), 'bench' || u || '\@example.com', 'Bench ' || u
    FROM generate_series(1, $users) u;

INSERT INTO prompts (id, owner_id, name, description, category, updated_at,
                     last_version)
    SELECT pg_temp.v7(p), u.id, 'prompt-' || p, 'A prompt to measure with',
           'GENERAL', now(), 5
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users
          WHERE email LIKE 'bench%') u,
         LATERAL generate_series(u.n * 100, u.n * 100 + 49) p;

INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params,
                             input_schema)
    SELECT pg_temp.v7(row_number() OVER (ORDER BY p.id, v)), p.id, p.owner_id,
           v, rpad('Summarize {{text}} for {{audience}}. ', 326, 'words '),
           '{"model":"gpt-4o-mini","temperature":0.2,"max_tokens":200}',
           '{"type":"object","properties":{"text":{"type":"string"}}}'
    FROM prompts p, generate_series(1, 5) v
    ORDER BY p.owner_id, p.id, v;

INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status,
                        model, latency_ms, token_in, token_out, cost_usd,
                        finished_at)
    SELECT pg_temp.v7(row_number() OVER ()), v.prompt_id, v.version,
           v.owner_id, true, 'succeeded', 'gpt-4o-mini', 812, 100, 50,
           0.000045, now()
    FROM prompt_versions v, generate_series(1, 5) e;

-- what workers would do beside what is measured
DO \$\$ BEGIN WHILE prompt_log_sweep(2000) LOOP END LOOP; END \$\$;

VACUUM ANALYZE;
END

    my $list = PromptTest::Env::psql(<<"END");
SELECT u.email, string_agg(p.id::text, ',')
    FROM users u, LATERAL (SELECT id FROM prompts
                           WHERE owner_id = u.id ORDER BY random()
                           LIMIT 2 * $samples) p
    WHERE u.email LIKE 'bench%' GROUP BY u.email ORDER BY u.email
    LIMIT $callers;
END

    for my $line (split /\n/, $list) {
        my ($email, $ids) = split /\|/, $line;
        my $key = PromptTest::Env::promptctl('key', 'add', $email, '--name',
                                             'bench');

        # who creates has an account of their own: lists stay as they are
        (my $maker = $email) =~ s/^bench/maker/;
        PromptTest::Env::promptctl('user', 'add', $maker);

        my @prompts = split /,/, $ids;

        push @callers, { email => $email, key => $key,
                         executed => [ splice @prompts, $samples ],
                         read => \@prompts,
                         maker => PromptTest::Env::promptctl('key', 'add',
                             $maker, '--name', 'bench') };
    }
}


sub start_nginx
{
    my ($size, $n) = @_;

    stop_nginx();

    open my $file, '>', "$dir/body" or die "body: $!\n";
    print $file 'x' x $size;
    close $file;

    PromptTest::Measure::start({
        dir => $dir, port => $port, workers => $n || $workers,
        postgres => "connections=$links",
        http => <<"HTTP", server => <<"SERVER" });
    prompt_provider stub /_provider/stub timeout=300s;
    prompt_model bench-stream provider=stub input=0.15 output=0.60;
    prompt_provider other /_provider/other;
    prompt_model bench-echo provider=other input=0.15 output=0.60;
    upstream other { server 127.0.0.1:$echo; keepalive 64; }
    upstream stub { server 127.0.0.1:$stub; keepalive 16; }
HTTP
        location = /_provider/stub {
            internal;
            proxy_pass http://stub/v1/chat/completions;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }
        location = /_provider/other {
            internal;
            proxy_pass http://other/v1/chat/completions;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }
        location = /plain {
            proxy_pass http://stub/v1/chat/completions;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_buffering off;
        }
        location /openai/v1/ { prompt_openai; }
        location = /static {
            alias $dir/body;
            default_type application/json;
            open_file_cache max=4 inactive=1h;
        }
SERVER

    for (1 .. 100) {
        last if IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port");
        sleep 0.05;
    }
}


sub stop_nginx { PromptTest::Measure::stop($dir); }


# the body of a request of this operation
sub body_of
{
    my ($operation, $prompt, $name) = @_;

    return qq({"model":"$prompt","prompt_variables":)
           . '{"text":"a","audience":"b"},"messages":[]}'
        if $operation eq 'chatCompletion';

    my $variables = $operation eq 'prompt' ? qq({"id":"$prompt"})
        : $operation eq 'createPrompt' ? qq({"input":{"name":"$name"}})
        : $operation eq 'executePrompt'
            ? qq({"id":"$prompt","input":{"text":"a","audience":"b"}})
        : '{}';

    return '{"query":' . PromptTest::Json::string($documents{$operation})
           . qq(,"variables":$variables});
}


# key_of(OPERATION): which key of a caller asks for it
sub key_of
{
    my ($operation) = @_;

    return $operation eq 'createPrompt' ? 'maker' : 'key';
}


sub executes { return $_[0] =~ /^(?:executePrompt|chatCompletion)$/; }


# prompts_of(OPERATION, CALLER): those that it asks for; one that is executed all
# the time is not what one is that is read
sub prompts_of
{
    my ($operation, $caller) = @_;

    return @{ $caller->{executes($operation) ? 'executed' : 'read'} };
}


# ask(KEY, BODY [, PATH])
sub ask
{
    my ($key, $body, $path) = @_;

    return PromptTest::Env::run('curl', '-sS', '--noproxy', '*', '-H',
                                "Authorization: Bearer $key", '-H',
                                'Content-Type: application/json', '-d', $body,
                                "http://127.0.0.1:$port"
                                . ($path || '/graphql'));
}


# log_of(FROM): what PostgreSQL executed since: [ { sql, params } ]
sub log_of
{
    my ($from) = @_;
    my $file = PromptTest::Env::services()->{SERVICES_PG_DATA} . '/server.log';

    open my $in, '<', $file or die "$file: $!\n";
    seek $in, $from, 0;
    local $/;
    my $text = <$in>;

    $text = '' unless defined $text;

    my (@found, $executed);

    for my $entry (split /^(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/m, $text) {
        if ($entry =~ /LOG: .*? execute \S+: (.*)/s) {
            (my $sql = $1) =~ s/\s+$//;
            push @found, { sql => $sql, params => [] };
            $executed = 1;

        } elsif ($entry =~ /DETAIL:  parameters: (.*)/s && $executed) {
            my $list = $1;
            my @params;

            while ($list =~ /\$(\d+) = (NULL|'(?:[^']|'')*')/g) {
                my ($n, $value) = ($1, $2);

                if ($value ne 'NULL') {
                    $value =~ s/^'|'$//g;
                    $value =~ s/''/'/g;
                    $params[$n - 1] = $value;
                } else {
                    $params[$n - 1] = undef;
                }
            }

            $found[-1]{params} = \@params;

        } else {
            # what is bound has parameters, too
            $executed = 0;
        }
    }

    return @found;
}


sub log_size
{
    return -s PromptTest::Env::services()->{SERVICES_PG_DATA} . '/server.log';
}


# item($word [, $bytes]): a line of the file for t/bench/pipeline.c
sub item
{
    my ($word, $bytes) = @_;

    return "$word\n" unless defined $bytes;

    return "$word " . length($bytes) . ":$bytes\n";
}


# type_of($value): a parameter's, which the log does not tell
sub type_of
{
    my ($value) = @_;

    return !defined $value ? 'text'
        : $value =~ m{^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$} ? 'uuid'
        : $value =~ m{^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d} ? 'timestamptz'
        : $value =~ m{^[tf]$} ? 'boolean'
        : $value =~ m{^\\x[0-9a-f]*$} ? 'bytea'
        : $value =~ m{^\d+$} ? 'bigint'
        : $value =~ m{^\{} ? 'json' : 'text';
}


# task($operation, $answer, STATEMENTS): the same work, for pipeline.c
sub task
{
    my ($operation, $answer, @statements) = @_;
    my $json = PromptTest::Json::decode($answer);
    my $made = PromptTest::Json::at($json, "data.$operation");
    my $own = executes($operation);
    my $id = '';
    my $name = '';

    if ($operation eq 'createPrompt') {
        ($id, $name) = ($made->{id}, $made->{name});

    } elsif ($operation eq 'executePrompt') {
        $id = $made->{executionId};

    } elsif ($operation eq 'chatCompletion') {
        $id = $json->{execution}{id};
    }

    my $text = item('task');

    for my $n (0 .. $#statements) {
        my ($sql, $params) = @{ $statements[$n] }{qw(sql params)};
        my (%number, $values);

        # each look-up and row of an execution is a transaction of its own
        $text .= item('sync')
            if $n == 0 || $own
               || $sql =~ m{^SET transaction_isolation\b};

        $values = '';

        $sql =~ s/\$(\d+)/
            my $value = $params->[$1 - 1];

            if (!defined $value) {
                'NULL';

            } else {
                if (!$number{$1}) {
                    $number{$1} = 1 + keys %number;
                    $values .= $value eq $id ? item('uuid')
                        : $value eq $name ? item('name')
                        : item('text', $value);
                }

                "\$$number{$1}::" . type_of($value);
            }
        /gex;

        # NULL alone is of any type
        $sql =~ s/CASE WHEN (?:(?!CASE |THEN ).)*THEN NULL END/NULL/g;

        $text .= item('sql', $sql) . $values;
    }

    return $text;
}


# learn(): asks once for each sample, and notes what PostgreSQL was sent for
# it and how large the answers are
sub learn
{
    PromptTest::Env::psql(
        'ALTER ROLE prompt_app SET log_min_duration_statement = 0');
    start_nginx(1);

    # keys into the cache, statements prepared
    for my $caller (@callers, @callers) {
        ask($caller->{$_}, body_of('me')) for qw(key maker);
    }

    my $n = 0;

    for my $operation (@order) {
        my $tasks = '';
        my %sum = (bytes => 0, count => 0);

        for my $caller (@callers) {
            $n++;

            my ($prompt) = prompts_of($operation, $caller);
            my $from = log_size();
            my $answer = ask($caller->{key_of($operation)},
                             body_of($operation, $prompt,
                                     "learned-$n-$$"), $paths{$operation});

            die "$operation was answered: $answer\n"
                if $answer !~ /"(?:data|choices)":/ || $answer =~ /"errors?":/;

            sleep 0.05;

            # a key that had left the cache is not the operation's, nor is
            # what workers look for now and then
            my @statements = grep {
                $_->{sql} !~ /\bFROM (?:api_keys|prompt_migrations)\b/
            } log_of($from);

            $sum{bytes} += length $answer;
            $sum{count}++;

            $tasks .= task($operation, $answer, @statements) if @statements;
        }

        die "nothing was found in the log for $operation\n" if $tasks eq '';

        open my $out, '>', "$dir/$operation.tasks" or die "$operation: $!\n";
        print $out $tasks;
        close $out;

        $results{$operation} = { wrk => [], static => [], pg => [],
                                 bytes => int($sum{bytes} / $sum{count}) };
    }

    stop_nginx();
    PromptTest::Env::psql(
        'ALTER ROLE prompt_app RESET log_min_duration_statement');
}


sub lua
{
    my ($operation) = @_;
    my $file = "$dir/$operation.lua";
    my $key = key_of($operation);
    my $path = $paths{$operation} || '/graphql';
    my $list = '';

    for my $caller (@callers) {
        for my $prompt (prompts_of($operation, $caller)) {
            my $body = body_of($operation, $prompt, '@NAME@');

            $list .= "  { [==[$caller->{$key}]==], [==[$body]==] },\n";
        }
    }

    open my $out, '>', $file or die "$file: $!\n";
    print $out <<"END";
local list = {
$list}
local n, thread = 0, 0

function setup(t) t:set("id", thread); thread = thread + 1 end
function init() math.randomseed(os.time() + id) ; base = math.random(1, 2^31) end

function request()
  n = n + 1
  local one = list[math.random(#list)]
  local body = one[2]:gsub("\@NAME\@", "w-" .. base .. "-" .. id .. "-" .. n)
  return wrk.format("POST", "$path", {
    ["Authorization"] = "Bearer " .. one[1],
    ["Content-Type"] = "application/json" }, body)
end

function response(status, headers, body)
  if status ~= 200 or body:find('"errors"', 1, true) then
    wrk.thread:stop()
  end
end
END
    close $out;

    return $file;
}


sub wrk
{
    my (@args) = @_;
    my $text = PromptTest::Env::run('wrk', '-t', min(2, $cores), '-c',
                                    $clients, '-d', "${seconds}s", @args);

    $text =~ m{Requests/sec:\s+([\d.]+)} or die "wrk said: $text\n";

    my $rate = $1;

    warn "wrk: $1\n" if $text =~ /(Socket errors:.*|Non-2xx.*)/;

    return $rate;
}


# in_turns([ SCRIPT, URL ], …): requests a second of each, a list for each round
sub in_turns
{
    my @ways = @_;

    return [ map { [ map { wrk('-s', @$_) } @ways ] } 1 .. $rounds ];
}


sub postgres
{
    my ($operation) = @_;
    my $depth = max(1, int($clients / ($workers * $links)));

    return 0 + PromptTest::Env::run("$PromptTest::Env::build/pipeline",
        PromptTest::Env::conninfo('prompt_app'), $workers, $links, $depth,
        $seconds, "$dir/$operation.tasks");
}


sub median
{
    my @sorted = sort { $a <=> $b } @_;

    return $sorted[@sorted / 2];
}


# a temporary response() in Lua costs much, so answers are checked beforehand
sub without_response
{
    my ($file) = @_;

    open my $in, '<', $file or die "$file: $!\n";
    local $/;
    my $text = <$in>;
    close $in;

    $text =~ s/function response.*//s;

    open my $out, '>', $file or die "$file: $!\n";
    print $out $text;
    close $out;
}


sub ratio
{
    my ($part, $bound) = @_;

    return sprintf '%.2f', median(map { $part->[$_] / $bound->[$_] }
                                  0 .. $#$part);
}


# made(OPERATION, DOCUMENT, VARIABLES, KEY): what a mutation made
sub made
{
    my ($operation, $document, $variables, $key) = @_;
    my $answer = ask($key, '{"query":' . PromptTest::Json::string($document)
                           . qq(,"variables":$variables}));
    my ($id) = $answer =~ /"$operation":\{"id":"([^"]+)"/
        or die "$operation was answered: $answer\n";

    return $id;
}


# streams(): what t/bench/streams.js measures on one worker, as
# { module, plain } and { idle, open, said, again }
sub streams
{
    start_nginx(1, 1);

    my $key = $callers[0]{maker};
    my $id = made('createPrompt', 'mutation { createPrompt(input: '
                  . '{name: "bench stream"}) { id } }', '{}', $key);

    made('createPromptVersion', 'mutation ($i: CreatePromptVersionInput!) { '
         . 'createPromptVersion(input: $i) { id } }',
         qq({"i":{"promptId":"$id","content":"Say {{text}} to {{audience}}.",)
         . '"params":{"model":"bench-stream"}}}', $key);

    my $master = PromptTest::Env::run('cat', "$dir/nginx.pid");

    my ($pid) = PromptTest::Env::run('ps', '-o', 'pid=', '--ppid',
                                     $master =~ /(\d+)/) =~ /(\d+)/;

    my @found = map { PromptTest::Json::decode(PromptTest::Env::run('node',
        "$PromptTest::Env::root/t/bench/streams.js", $port, $stub, $key, $id,
        @$_)) } [ 'first', $texts ], [ 'growth', $streams, $pid ];

    stop_nginx();

    return @found;
}


# at(QUANTILE, TIMES)
sub at
{
    my ($q, $times) = @_;
    my @sorted = sort { $a <=> $b } @$times;

    return $sorted[min($#sorted, int(@sorted * $q))];
}


sub print_streams
{
    my ($first, $growth) = @_;
    my $mib = sub { sprintf '%.1f', $_[0] / 1024 };

    print <<"END";

First text of a stream, from the provider's write to the client's read, one at a
time, $texts each.  Plain: proxy_pass with proxy_buffering off.

END

    printf "%-14s %9s %9s %9s\n", '', 'ms', 'plain', 'ratio';

    for my $row ([ 'median', 0.5 ], [ '99 %', 0.99 ]) {
        my ($module, $plain) = map { at($row->[1], $first->{$_}) }
            qw(module plain);

        printf "%-14s %9.3f %9.3f %9.2f\n", $row->[0], $module, $plain,
               $module / $plain;
    }

    print <<"END";

$streams streams at once on one worker, MiB above idle: @{[
    $mib->($growth->{open} - $growth->{idle}) ]} when each has had its
first text, @{[ $mib->($growth->{said} - $growth->{idle}) ]} after 64 more of each, @{[
    $mib->($growth->{again} - $growth->{idle}) ]} with as many after them.
END
}


# The provider of both: an nginx of its own.
sub start_provider
{
    PromptTest::Measure::start({
        dir => "$dir/provider", port => $echo, workers => 1,
        postgres => 'connections=1',
        server => 'location = /v1/chat/completions { prompt_echo; }' });
}


# gateway(): the same chat completion by the module and by a gateway, a process
# each: { rates => [ [ module, gateway ], … ], memory => [ KiB, KiB ] }; undef
# where there is no such gateway
sub gateway
{
    my $at = "$PromptTest::Env::root/t/bench";
    my $program = "$at/node_modules/\@portkey-ai/gateway/build/start-server.js";
    my %result;

    return undef unless -f $program;

    start_provider();
    start_nginx(1, 1);

    my $other = fork;

    if (!$other) {
        open STDOUT, '>', "$dir/gateway.log";
        open STDERR, '>&', \*STDOUT;
        exec 'node', '-r', "$at/loopback.cjs", $program, "--port=$gateway",
            '--headless';
        die "node: $!\n";
    }

    for (1 .. 200) {
        last if IO::Socket::INET->new(PeerAddr => "127.0.0.1:$gateway");
        sleep 0.05;
    }

    my $key = $callers[0]{key};
    my $id = made('createPrompt', 'mutation { createPrompt(input: '
                  . '{name: "bench gateway"}) { id } }', '{}', $key);

    made('createPromptVersion', 'mutation ($i: CreatePromptVersionInput!) { '
         . 'createPromptVersion(input: $i) { id } }',
         qq({"i":{"promptId":"$id","content":"Say {{text}} to {{audience}}.",)
         . '"params":{"model":"bench-echo"}}}', $key);

    my @lua = (script('module', '/openai/v1/chat/completions',
                      { Authorization => "Bearer $key" },
                      qq({"model":"$id","prompt_variables":)
                      . '{"text":"a","audience":"b"}}'),
               script('gateway', '/v1/chat/completions',
                      { Authorization => 'Bearer none',
                        'x-portkey-provider' => 'openai',
                        'x-portkey-custom-host' => "http://127.0.0.1:$echo/v1" },
                      '{"model":"bench-echo","messages":[{"role":"user",'
                      . '"content":"Say a to b."}]}'));
    my @url = ("http://127.0.0.1:$port", "http://127.0.0.1:$gateway");

    wrk('-s', $lua[$_], $url[$_]) for 0, 1;

    $result{rates} = in_turns(map { [ $lua[$_], $url[$_] ] } 0, 1);

    my $master = PromptTest::Measure::pid_of("$dir/nginx.pid");

    $result{memory} = [ map { memory($_) }
                        PromptTest::Measure::children($master), $other ];

    kill TERM => $other;
    waitpid $other, 0;
    stop_nginx();
    PromptTest::Measure::stop("$dir/provider");

    return \%result;
}


# budgets(): the same execution by a key without and one with a budget that is
# far, in turns: [ [ without, with ], … ]
sub budgets
{
    start_nginx(1);

    my $key = $callers[0]{key};
    my $paid = PromptTest::Env::promptctl('key', 'add', $callers[0]{email},
                                          '--name', 'paid');
    my $answer = ask($key, '{"query":"{ apiKeys { id name } }"}');
    my ($id) = $answer =~ /\{"id":"([^"]+)","name":"paid"\}/
        or die "apiKeys was answered: $answer\n";

    made('setBudget', qq|mutation { setBudget(keyId: "$id", per: MONTH, |
         . 'limitUsd: "1000000") { id } }', '{}', $key);

    my $body = body_of('executePrompt', $callers[0]{executed}[0]);
    my @ways = map { script($_->[0], '/graphql',
                           { Authorization => "Bearer $_->[1]" }, $body) }
        [ 'free', $key ], [ 'paid', $paid ];

    for ($key, $paid) {
        $answer = ask($_, $body);
        die "executePrompt was answered: $answer\n" if $answer !~ /"data":/;
    }

    my $rates = in_turns(map { [ $_, "http://127.0.0.1:$port" ] } @ways);

    stop_nginx();

    return $rates;
}


sub print_budgets
{
    my ($rates) = @_;

    printf "\nexecutePrompt with a budget that is far: %.2f of its speed "
           . "without.\n", median(map { $_->[1] / $_->[0] } @$rates);
}


# script(NAME, PATH, HEADERS, BODY): of wrk, for one request
sub script
{
    my ($name, $path, $headers, $body) = @_;
    my $lines = join '', map { qq(wrk.headers["$_"] = "$headers->{$_}"\n) }
        sort keys %$headers;

    open my $out, '>', "$dir/$name.lua" or die "$name: $!\n";
    print $out <<"END";
wrk.method = "POST"
wrk.path = "$path"
wrk.body = [==[$body]==]
wrk.headers["Content-Type"] = "application/json"
$lines
END
    close $out;

    return "$dir/$name.lua";
}


# memory(PID): KiB that are its own
sub memory
{
    return PromptTest::Measure::contents("/proc/$_[0]/smaps_rollup")
           =~ /^Private_Dirty:\s+(\d+)/m ? $1 : 0;
}


sub print_gateway
{
    my ($found) = @_;

    if (!$found) {
        print "\nNo gateway here to be measured beside.\n";
        return;
    }

    my @rates = @{ $found->{rates} };

    printf <<"END", median(map { $_->[0] / $_->[1] } @rates),

A chat completion by OpenAI's API, one worker, beside \@portkey-ai/gateway, which
stores nothing: %.1f times its requests a second, %.2f of its memory.
END
        $found->{memory}[0] / $found->{memory}[1];
}


PromptTest::Env::setup();
fill();
learn();

if ($ENV{BENCH_ONLY_BUDGETS}) {
    print_budgets(budgets());
    remove_tree("$dir/tmp");
    exit 0;
}

my ($first, $growth) = streams();
my $beside = $ENV{BENCH_ONLY_STREAMS} ? undef : gateway();

if ($ENV{BENCH_ONLY_GATEWAY}) {
    print_gateway($beside);
    remove_tree("$dir/tmp");
    exit 0;
}

if ($ENV{BENCH_ONLY_STREAMS}) {
    print_streams($first, $growth);
    remove_tree("$dir/tmp");
    exit 0;
}

my $budgets = budgets();
my %lua = map { $_ => lua($_) } @order;

without_response($_) for values %lua;

for my $round (1 .. $rounds) {
    for my $operation (@order) {
        my $r = $results{$operation};

        start_nginx($r->{bytes});
        for my $caller (@callers) {
            ask($caller->{$_}, body_of('me')) for qw(key maker);
        }

        my @own = PromptTest::Measure::children(
                      PromptTest::Measure::pid_of("$dir/nginx.pid"));
        my $used = PromptTest::Measure::used(@own);

        push @{ $r->{wrk} }, wrk('-s', $lua{$operation},
                                 "http://127.0.0.1:$port");
        push @{ $r->{own} }, (PromptTest::Measure::used(@own) - $used)
                             / ($r->{wrk}[-1] * $seconds);
        push @{ $r->{static} }, wrk("http://127.0.0.1:$port/static");
        push @{ $r->{pg} }, postgres($operation);
    }

    print STDERR "bench: round $round of $rounds\n";
}

stop_nginx();

my $all = $workers * $links;

print <<"END";
Ratios to bounds of the same run, median of $rounds rounds of $seconds s; $cores cores,
$workers workers with $links connections each, $clients clients; $users users with 50 prompts
of 5 versions each.  nginx: a file of the same size.  PostgreSQL: the same
statements by a program that does nothing else, on $all connections.  Both:
one after the other.

END

printf "%-14s %9s %14s %9s %9s\n", 'operation', 'of nginx', 'of PostgreSQL',
       'of both', 'bytes';

for my $operation (@order) {
    my $r = $results{$operation};

    my @both = map { 1 / (1 / $r->{static}[$_] + 1 / $r->{pg}[$_]) }
        0 .. $rounds - 1;

    printf "%-14s %9s %14s %9s %9d\n", $operation,
           ratio($r->{wrk}, $r->{static}), ratio($r->{wrk}, $r->{pg}),
           ratio($r->{wrk}, \@both), $r->{bytes};
}

printf "\nProcessor time of the workers for a chat completion: %s of that for "
       . "executePrompt.\n",
       ratio($results{chatCompletion}{own}, $results{executePrompt}{own});

print_budgets($budgets);
print_streams($first, $growth);
print_gateway($beside);

remove_tree("$dir/tmp");
