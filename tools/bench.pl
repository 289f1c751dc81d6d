#!/usr/bin/perl
#
# Measures me, prompt, prompts and createPrompt through the whole service, and
# beside each the bounds that hold on this machine at this moment:
#
#     nginx       a file of the same size, open and in memory, by the same nginx
#     PostgreSQL  pgbench with the very statements and parameters that the
#                 module sent (taken from the server's log), prepared, in a
#                 pipeline, as one transaction
#
# Measurements take turns in short rounds, so that what else the machine does
# meets all of them.  Figures a second mean little on another machine: the
# ratios to the bounds are the result.  Started by tools/bench.sh.

use strict;
use warnings;

use File::Path qw(make_path remove_tree);
use List::Util qw(max min);
use Time::HiRes qw(sleep);

use PromptTest::Env;
use PromptTest::Json;

my $seconds = $ENV{BENCH_SECONDS} || 3;
my $rounds  = $ENV{BENCH_ROUNDS} || 5;
my $scale   = $ENV{BENCH_SCALE} || 0.2;

my $users    = max(4, int(100 * $scale));
my $callers  = min($users, 8);
my $samples  = 4;                  # prompts of each caller that are asked for
my $cores    = cores();
my $workers  = max(1, min(4, $cores));
my $links    = 4;                  # connections of a worker
my $clients  = 64;

my $dir  = "$PromptTest::Env::root/build/bench";
my $port = PromptTest::Env::free_port();

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
);

my @order = qw(me prompt prompts createPrompt);
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

VACUUM ANALYZE;
END

    my $list = PromptTest::Env::psql(<<"END");
SELECT u.email, string_agg(p.id::text, ',')
    FROM users u, LATERAL (SELECT id FROM prompts
                           WHERE owner_id = u.id ORDER BY random()
                           LIMIT $samples) p
    WHERE u.email LIKE 'bench%' GROUP BY u.email ORDER BY u.email
    LIMIT $callers;
END

    for my $line (split /\n/, $list) {
        my ($email, $ids) = split /\|/, $line;
        my $key = PromptTest::Env::promptctl('key', 'add', $email, '--name',
                                             'bench');

        push @callers, { key => $key, prompts => [ split /,/, $ids ] };
    }
}


sub write_conf
{
    my ($size) = @_;
    my $user = PromptTest::Env::worker_user();
    my $redis = PromptTest::Env::services()->{SERVICES_REDIS};

    make_path("$dir/tmp");

    open my $file, '>', "$dir/body" or die "body: $!\n";
    print $file 'x' x $size;
    close $file;

    open my $out, '>', "$dir/nginx.conf" or die "nginx.conf: $!\n";
    print $out <<"END";
load_module $PromptTest::Env::module;
@{[ defined $user ? "user $user;" : '' ]}
worker_processes $workers;
pid $dir/nginx.pid;
error_log $dir/error.log error;
worker_rlimit_nofile 4096;
events { worker_connections 1024; }
http {
    access_log off;
    keepalive_requests 1000000000;
    client_body_temp_path $dir/tmp/body;
    proxy_temp_path $dir/tmp/proxy;
    fastcgi_temp_path $dir/tmp/fastcgi;
    uwsgi_temp_path $dir/tmp/uwsgi;
    scgi_temp_path $dir/tmp/scgi;
    prompt_postgres "@{[ PromptTest::Env::conninfo('prompt_app') ]}"
                    connections=$links;
    prompt_redis unix:$redis prefix=@{[ PromptTest::Env::redis_prefix() ]};
    server {
        listen 127.0.0.1:$port;
        location = /graphql { prompt_graphql; }
        location = /static {
            alias $dir/body;
            default_type application/json;
            open_file_cache max=4 inactive=1h;
        }
    }
}
END
    close $out;
}


sub start_nginx
{
    my ($size) = @_;

    stop_nginx();
    write_conf($size);
    system($PromptTest::Env::nginx, '-e', "$dir/error.log", '-p', $dir, '-c',
           "$dir/nginx.conf") == 0
        or die "nginx does not start\n";

    for (1 .. 100) {
        last if IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port");
        sleep 0.05;
    }
}


sub stop_nginx
{
    open my $in, '<', "$dir/nginx.pid" or return;
    my $pid = <$in>;
    close $in;

    return unless defined $pid && $pid =~ /^(\d+)/;

    kill QUIT => $1;

    for (1 .. 200) {
        last unless -e "$dir/nginx.pid";
        sleep 0.05;
    }
}


# the body of a request of this operation
sub body_of
{
    my ($operation, $prompt, $name) = @_;
    my $variables = $operation eq 'prompt' ? qq({"id":"$prompt"})
        : $operation eq 'createPrompt' ? qq({"input":{"name":"$name"}})
        : '{}';

    return '{"query":' . PromptTest::Json::string($documents{$operation})
           . qq(,"variables":$variables});
}


sub ask
{
    my ($key, $body) = @_;

    return PromptTest::Env::run('curl', '-sS', '--noproxy', '*', '-H',
                                "Authorization: Bearer $key", '-H',
                                'Content-Type: application/json', '-d', $body,
                                "http://127.0.0.1:$port/graphql");
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


# script($operation, $n, STATEMENTS): a file for pgbench, and its variables
sub script
{
    my ($operation, $n, $answer, @statements) = @_;
    my $file = "$dir/$operation-$n.sql";
    my (@defines, $created);

    if ($operation eq 'createPrompt') {
        $created = PromptTest::Json::at(PromptTest::Json::decode($answer),
                                        'data.createPrompt');
    }

    open my $out, '>', $file or die "$file: $!\n";
    print $out "\\startpipeline\n";

    my $s = 0;

    for my $statement (@statements) {
        my $sql = $statement->{sql};
        my $params = $statement->{params};

        $s++;

        $sql =~ s/\$(\d+)/
            my $value = $params->[$1 - 1];
            my $name = "v${n}_${s}_$1";
            my $type = !defined $value ? 'text'
                : $value =~ m{^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$}
                    ? 'uuid'
                : $value =~ m{^[tf]$} ? 'boolean'
                : $value =~ m{^\d+$} ? 'bigint' : 'text';

            if (!defined $value) {
                'NULL';
            } elsif ($created && $value eq $created->{id}) {
                'gen_random_uuid()';
            } elsif ($created && $value eq $created->{name}) {
                "('b-' || md5(random()::text))";
            } else {
                push @defines, '-D', "$name=$value";
                ":${name}::$type";
            }
        /gex;

        print $out "$sql;\n";
    }

    print $out "\\endpipeline\n";
    close $out;

    return ($file, @defines);
}


# learn(): asks once for each sample, and makes pgbench's scripts of what
# PostgreSQL was sent; notes how large the answers are
sub learn
{
    PromptTest::Env::psql(
        'ALTER ROLE prompt_app SET log_min_duration_statement = 0');
    start_nginx(1);

    # keys into the cache, statements prepared
    ask($_->{key}, body_of('me')) for @callers, @callers;

    my $n = 0;

    for my $operation (@order) {
        my @args;
        my %sum = (bytes => 0, count => 0);

        for my $caller (@callers) {
            $n++;

            my $from = log_size();
            my $answer = ask($caller->{key},
                             body_of($operation, $caller->{prompts}[0],
                                     "learned-$n-$$"));

            die "$operation was answered: $answer\n"
                if $answer !~ /"data":/ || $answer =~ /"errors":/;

            sleep 0.02;

            my @statements = log_of($from);

            $sum{bytes} += length $answer;
            $sum{count}++;

            next unless @statements;

            my ($file, @defines) = script($operation, $n, $answer,
                                          @statements);

            push @args, @defines, '-f', $file;
        }

        $results{$operation} = { args => \@args, wrk => [], static => [],
                                 pg => [],
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
    my $list = '';

    for my $caller (@callers) {
        for my $prompt (@{ $caller->{prompts} }) {
            my $body = body_of($operation, $prompt, '@NAME@');

            $list .= "  { [==[$caller->{key}]==], [==[$body]==] },\n";
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
  return wrk.format("POST", "/graphql", {
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


sub pgbench
{
    my ($operation) = @_;
    my $s = PromptTest::Env::services();
    my ($name) = PromptTest::Env::conninfo('prompt_app') =~ /dbname=(\S+)/;

    local $ENV{PGPASSWORD} = $PromptTest::Env::db_password;

    my $tool = PromptTest::Env::first_of('pgbench',
                                         reverse sort glob
                                         '/usr/lib/postgresql/*/bin/pgbench');

    my $text = PromptTest::Env::run($tool, '-n', '-M', 'prepared', '-c',
        $workers * $links, '-j', min(2, $cores), '-T', $seconds,
        '-h', $s->{SERVICES_PG_HOST}, '-U', 'prompt_app',
        @{ $results{$operation}{args} }, $name);

    $text =~ /tps = ([\d.]+)/ or die "pgbench said: $text\n";

    return $1;
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

    return '      -' unless @$part && @$bound;

    my @ratios = map { $part->[$_] / $bound->[$_] } 0 .. $#$part;

    return sprintf '%6.1f%%', 100 * median(@ratios);
}


PromptTest::Env::setup();
fill();
learn();

my %lua = map { $_ => lua($_) } @order;

without_response($_) for values %lua;

for my $round (1 .. $rounds) {
    for my $operation (@order) {
        my $r = $results{$operation};

        start_nginx($r->{bytes});
        ask($_->{key}, body_of('me')) for @callers;

        push @{ $r->{wrk} }, wrk('-s', $lua{$operation},
                                 "http://127.0.0.1:$port");
        push @{ $r->{static} }, wrk("http://127.0.0.1:$port/static");
        push @{ $r->{pg} }, pgbench($operation) if @{ $r->{args} };
    }

    print STDERR "bench: round $round of $rounds\n";
}

stop_nginx();

print "Ratios to bounds of the same run: $rounds rounds of $seconds s, median; "
      . "$cores cores,\n$workers workers with $links connections, $clients "
      . "clients; $users users with 50 prompts\nof 5 versions each.  nginx: "
      . "a file of the same size; PostgreSQL: pgbench with the same\n"
      . "statements on " . $workers * $links . " connections.\n\n";

printf "%-14s %10s %12s %14s %12s\n", 'operation', 'of nginx',
       'of PostgreSQL', '(requests/s)', 'bytes';

for my $operation (@order) {
    my $r = $results{$operation};

    printf "%-14s %10s %12s %14.0f %12d\n", $operation,
           ratio($r->{wrk}, $r->{static}), ratio($r->{wrk}, $r->{pg}),
           median(@{ $r->{wrk} }), $r->{bytes};
}

remove_tree("$dir/tmp");
