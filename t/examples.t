# Each command and each configuration that README.md and docs/ show is run as
# it stands there; what is answered is what they say.  A block that nothing
# here runs fails.
#
# Kinds of blocks, by the comment before them (lib/PromptTest/Documents.pm):
#
#     graphql            sent; the json behind it is the answer; "session": by
#                        who has signed in, "session ID": in that project,
#                        "invited": by bob, "sample": for make demo's prompt
#     nginx   CONTEXT    main, http, server or location: nginx -t, and what
#                        %promises has for the NAME is kept
#     sh      KIND       run by bash, as %shells has it; a text block behind it,
#                        of kind "output", is what it prints
#     json    params     the params of a version
#             file NAME  written to that file
#     any     none, WHY  not run; there may be few of these
#
# What the documents have and a test has not (ports, hosts, paths of the
# system) is replaced (lib/PromptTest/Here.pm).

use strict;
use warnings;

use lib 't/lib';
use File::Path qw(make_path);
use PromptTest::Documents;
use PromptTest::Here;
use PromptTest::People;
use Test::More;
use Time::HiRes qw(sleep time);

binmode Test::More->builder->$_, ':encoding(UTF-8)'
    for qw(output failure_output todo_output);

my $root = $PromptTest::Env::root;
my $build = $PromptTest::Env::build;
my @files = ('README.md', grep { !/BENCHMARK/ } sort glob 'docs/*.md');
my @blocks = map { [ PromptTest::Documents::blocks($_) ] } @files;
my $none_at_most = 6;

arrive();

my $key = PromptTest::Env::var('alice_key');
my $db = PromptTest::Env::var('database');

# alice has one key, as somebody has who begins
PromptTest::Env::psql("DELETE FROM api_keys WHERE name <> 'test' "
                      . "AND user_id = '" . PromptTest::Env::var('alice_id')
                      . "'");

my %none;


# ---- what configurations promise -------------------------------------------

my %promises = (
    # the beginning of a key is counted, whichever header; an address, too
    rate_limit => sub {
        my (%codes, $refused);

        for (1 .. 60) {
            my $got = ask('alice', '{ me { id } }');

            $codes{$got->{status}}++;
            $refused = $got if $got->{status} == 429;
        }

        cmp_ok($codes{200} || 0, '>=', 41, 'what the burst has is let in');
        ok($codes{429}, 'what is more is refused');
        ok($refused->{json}{errors}, 'in JSON');
        is(ask('bob', '{ me { id } }')->{status}, 200, 'another key is not');
    },

    # the first server is not there
    upstream => sub {
        for (1 .. 4) {
            is(execute('llama-3', "Say $_.")->{json}{data}{executePrompt}
               {output}, "Say $_.", 'the other server answers');
        }
    },

    cache => sub {
        my $long = 'Say it. ' x 4000;

        PromptTest::Env::provider_control('clear');

        for (1 .. 2) {
            my $got = execute('gpt-4o-mini', $long)->{json}{data};

            $got = $got->{executePrompt};
            is($got->{output}, $long, 'an answer');
            like($got->{costUsd}, qr/^0\.0/, 'and what it would have cost');
        }

        is(scalar @{ PromptTest::Env::provider_control('log') }, 1,
           'the provider was called once');

        execute('gpt-4o-mini', 'Say it otherwise.');
        is(scalar @{ PromptTest::Env::provider_control('log') }, 2,
           'another text is another call');
    },

    access_log => sub {
        execute('gpt-4o-mini', 'Two words');

        my ($line, $n) = ('', 0);

        while ($line !~ /op=executePrompt/ && $n++ < 500) {
            sleep 0.02;
            open my $in, '<', "$dir/tmp/prompt.log" or next;
            $line = join '', <$in>;
        }

        like($line, qr/ 200 \S+ user=\S{36} key=\S{36} op=executePrompt /,
             'who asked for what');
        like($line, qr/ error=- model=gpt-4o-mini in=\d+ out=\d+ usd=0\.\d+ /,
             'and what it cost');
    },

    # each line is JSON, whatever became of the request
    log_json => sub {
        execute('gpt-4o-mini', 'Two words');
        ask('pmt_nobody', '{ me { id } }');

        my @lines;

        for (1 .. 500) {
            open my $in, '<', "$dir/tmp/prompt.log" or die "prompt.log: $!\n";
            @lines = <$in>;
            last if @lines == 4;
            sleep 0.02;
        }

        is(scalar @lines, 4, 'a line a request');
        ok(eval { PromptTest::Json::decode($_) }, 'JSON') for @lines;
        rename "$dir/tmp/prompt.log", "$work/prompt.log";
    },

    http3 => sub { pass('it begins') },

    metrics => sub {
        like(get('/metrics')->{body}, qr/^# TYPE prompt_/m, 'metrics');
    },

    # where nothing but its being there is promised
    dashboard => sub {
        is(get('/dashboard/')->{status}, 200, 'the dashboard');
    },

    health => sub { like(healthy(), qr/^ok$/m, 'it is well') },
    console => sub { is(get('/console')->{status}, 200, 'the console') },
    session => sub { is(get('/session')->{status}, 401, 'nobody yet') },

    trusted => sub {
        my $socket = $began->send(
            "POST /session HTTP/1.1\r\nHost: 127.0.0.1:$port\r\n"
            . "Content-Type: application/json\r\nConnection: close\r\n"
            . "Content-Length: 2\r\n\r\n{}");
        my $answer = $began->receive($socket);

        is($answer->{status}, 204, 'signed in');
        like($answer->{head}, qr/^Set-Cookie: .*prompt_session=pms_/mi,
             'with a cookie');
    },

    # whom the proxy knows is somebody, and nothing that a client says is
    oauth2_proxy => sub {
        my @as = ('-b', '_oauth2_proxy=New@example.com');

        like(https('/dashboard/prompts?x=1', '-L', '--max-redirs', 1, '-H',
                   'X-Forwarded-Host: evil'),
             qr{^Location:\ https://idp\.example\.com/
                \?back=/dashboard/prompts\?x=1&to=127\.0\.0\.1\r}xm,
             'who is not known goes to the provider, and comes back');
        like(https('/dashboard/', @as), qr/^HTTP\S+ 200 /, 'the dashboard');

        for my $forged ('X-Auth-Request-Email: alice@example.com',
                        'X-Email: alice@example.com', 'X-Real-IP: 127.0.0.1',
                        'Authorization: Basic YWxpY2U6eA==')
        {
            like(signs_in('-H', $forged),
                 qr/^HTTP\S+ 401 .*"signIn":"trusted"/s, "no: $forged");
        }

        like(https('/oauth2/auth', @as), qr/^HTTP\S+ 404 /,
             'who it is is asked by nginx alone');

        my $cookie = session_of(signs_in(@as, '-H',
                                'X-Auth-Request-Email: alice@example.com'));

        is(https_me('/graphql', $cookie, @as), 'New@example.com',
           'the first time, too, and as whom the proxy knows');
        is(https_me('/v1', $cookie), 401, 'no session where programs are');
        is(https_me('/v1', undef, '-H', "X-API-Key: $key"), 'alice@example.com',
           'but keys');
        is(https_me('/graphql', $cookie), 401, 'not when it has signed out');
        is(https_me('/graphql', $cookie, @as), 'New@example.com',
           'which ends nothing');
        is(https_me('/graphql', $cookie, '-b',
                    '_oauth2_proxy=alice@example.com'), 401,
           'as somebody else it is not');
        is(https_me('/graphql', $cookie, @as), 401, 'and has ended');
        like(signs_in(@as, '-d', '{"email": "alice@example.com", "password": '
                           . '"correct horse battery staple"}'),
             qr/^HTTP\S+ 400 /, 'no passwords');
    },

    # whom the authority has certified, and no name that looks like one
    client_certificates => sub {
        my @ada = certified('/O=Example/CN=Ada'
                            . '/emailAddress=ada.b@example.com');
        my $cookie = session_of(signs_in(@ada));

        is(https_me('/graphql', $cookie, @ada), 'ada.b@example.com', 'let in');
        session_of(signs_in(certified('/O=Example/CN=Kim')));
        like(signs_in(), qr/^HTTP\S+ 401 /, 'nobody without a certificate');
        is(https_me('/graphql', undef, '-H', "X-API-Key: $key"),
           'alice@example.com', 'but keys');

        for my $subject ('/CN=x,emailAddress=alice@example.com',
                         '/CN=Bob/emailAddress=x\\,emailAddress=alice@example.com',
                         '/CN=SUCCESS:emailAddress=alice@example.com',
                         '/CN=alice@example.com')
        {
            like(signs_in(certified($subject)), qr/^HTTP\S+ 40[13] /,
                 "no: $subject");
        }

        like(signs_in(certified('/CN=x/emailAddress=alice@example.com', 1)),
             qr/^HTTP\S+ 400 /, 'no other authority');
        is(https_me('/graphql', $cookie), 401, 'a session without it ends');
    },
);

# https(PATH, ARGUMENTS of curl): the answer, head and body
sub https
{
    my ($path, @more) = @_;

    open my $out, '-|', 'curl', '-sik', '--max-time', 20, @more,
                        "https://127.0.0.1:$port$path" or die "curl: $!\n";
    local $/;

    return scalar(<$out>) // '';
}

my @same = ('-H', 'Content-Type: application/json', '-H',
            'Sec-Fetch-Site: same-origin');

sub signs_in
{
    return https('/session', @same, (grep { $_ eq '-d' } @_) ? () : qw(-d {}),
                 @_);
}

sub session_of
{
    my ($answer) = @_;

    like($answer, qr/^HTTP\S+ 204 /, 'signed in');

    return $answer =~ /^Set-Cookie: ([^;]+)/mi ? $1 : 'none';
}

# https_me(PATH, COOKIE, ARGUMENTS of curl): the e-mail, or the status
sub https_me
{
    my ($path, $cookie, @more) = @_;
    my $got = https($path, @same, '-d', '{"query": "{ me { email } }"}',
                    defined $cookie ? ('-b', $cookie) : (), @more);

    return $got =~ /"email":"([^"]+)"/ ? $1 : $got =~ /^HTTP\S+ (\d+)/ ? $1 : '';
}

# certified(SUBJECT [, by somebody else]): a certificate, for curl
sub certified
{
    my ($subject, $other) = @_;
    my @ca = ('-CA', "$dir/etc/cert.pem", '-CAkey', "$dir/etc/cert.key");

    system('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt',
           'ec_paramgen_curve:prime256v1', '-noenc', '-utf8', '-subj', $subject,
           '-days', 2, '-out', "$dir/etc/one.pem", '-keyout', "$dir/etc/one.key",
           $other ? () : @ca) == 0 or die "openssl: $subject\n";

    return ('--cert', "$dir/etc/one.pem", '--key', "$dir/etc/one.key");
}

# healthy(): what /health says where all is reached
sub healthy
{
    my $said = '';

    for (1 .. 200) {
        $said = get('/health')->{body} // '';
        last if $said =~ /^ok\n/ && $said =~ /^redis: reached/m;
        sleep 0.05;
    }

    return $said;
}


# what nginx says
my %messages = (
    documents => sub {
        make_path("$dir/documents");
        put('documents/me.graphql', "# who asks\n\nquery Me {\n  me {\n"
            . "       nose\n  }\n}\n");
        put('nginx.conf', conf('server', "prompt_documents $dir/documents;"),
            0600);
        nginx('-t');

        return text_of("$dir/nginx.out") =~ s{\Q$dir\E/}{/etc/nginx/}gr;
    },

    health => sub {
        put('nginx.conf', conf('server', 'location = /health '
                               . '{ prompt_health; }'), 0600);
        begin() or return '';

        my $said = healthy();

        end();

        return $said;
    },
);

# who is counted by $prompt_key_id would not be: the documents say so
my $no_limit = <<'END';
limit_req_zone $prompt_key_id zone=keys:1m rate=1r/m;
server {
    listen 8080;
    location = /graphql { limit_req zone=keys; prompt_graphql; }
}
END


sub run_nginx
{
    my ($block, $context, $name) = @_;
    my $text = $block->{text};
    my $where = "$block->{file}:$block->{line}";

    if (($name // '') eq 'http3'
        && `$PromptTest::Env::nginx -V 2>&1` !~ /http_v3_module/)
    {
        SKIP: { skip "$where: this nginx has no HTTP/3", 1 }
        return;
    }

    # what the block includes of docs/, and a log of its own
    unlink "$dir/tmp/prompt.log";

    for my $file ($text =~ /^include ([\w.-]+);$/mg) {
        put($file, text_of("docs/$file"));
    }

    put('nginx.conf', conf($context, here($text)), 0600);

    my $sound = nginx('-t');

    ok($sound, "$where: nginx -t") or diag(text_of("$dir/nginx.out"));

    return unless $sound && defined $name;

    if (!$promises{$name}) {
        fail("$where: nothing keeps the promise $name");
        return;
    }

    unlink "$dir/error.log";
    ok(begin(), "$where: nginx begins");
    subtest("$where: $name", sub { $promises{$name}->(); });
    end();
    clean_log($where);
}


sub clean_log
{
    my ($where) = @_;

    open my $in, '<', "$dir/error.log" or return;
    local $/;

    is_deeply([ PromptTest::Env::log_faults(scalar <$in>) ], [],
              "$where: clean error log");
}


# ---- GraphQL ---------------------------------------------------------------

my %sample = (name => 'Summarize in one line', content =>
              "Summarize in one line, for {{audience}}:\n\n{{text}}",
              schema => { type => 'object', required => [ 'text' ],
                          properties => { text => { type => 'string' },
                          audience => { type => 'string',
                                        default => 'everybody' } } });

# ids of the documents: the prompt of README.md, and that of api.md
my $sample_id = '019e5a3c-7f10-7c65-8a21-1d5be4a8f000';
my $prompt_id = '019e5a3c-7f10-7c65-8a21-1d5be4a8f001';

# sample(): the prompt of make demo, which README.md asks for
my $sample;

sub sample
{
    return $sample if defined $sample;

    my $made = $s->ask('alice', 'mutation ($n: String!) { createPrompt(input: '
                       . '{name: $n}) { id } }', { n => $sample{name} });
    $sample = $made->{json}{data}{createPrompt}{id};

    $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
            . '{ createPromptVersion(input: $i) { id } }',
            { i => { promptId => $sample, content => $sample{content},
                     params => {}, inputSchema => $sample{schema} } });

    return $sample;
}


# live(): a prompt with a version that is put live, for promptctl
sub live
{
    my $id;

    # a database that was restored is another one, which workers notice
    for (1 .. 100) {
        $id = $s->ask('alice', 'mutation { createPrompt(input: {name: '
                      . '"Support reply"}) { id } }')
              ->{json}{data}{createPrompt}{id};
        last if defined $id;
        sleep 0.1;
    }

    $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!, $id: ID!) '
            . '{ createPromptVersion(input: $i) { id } setPromptLabel('
            . 'promptId: $id, label: "production", version: 1) { label } }',
            { id => $id, i => { promptId => $id, content => '{{ticket}}',
                                params => {} } });
}


my $cookie;

sub run_graphql
{
    my ($ids, $document, $variables, $answer) = @_;
    my $where = "$document->{file}:$document->{line}";
    my @given;

    if (defined $variables) {
        @given = (PromptTest::Documents::filled($variables->{text}, $ids));
        utf8::encode($given[0]);
        chomp $given[0];
    }

    my @what = (PromptTest::Documents::filled($document->{text}, $ids), @given);
    my $got;

    my ($by, $project) = split ' ', $document->{test} // '';

    if (($by // '') eq 'session') {
        $cookie = sign_in('correct horse battery staple')
            unless defined $cookie;
        $got = ask_in($cookie, defined $project
                      ? PromptTest::Documents::filled($project, $ids) : undef,
                      @what);

    } elsif (($by // '') eq 'invited') {
        $got = ask_by('prompt_session=' . PromptTest::People::session(
                          PromptTest::Env::var('bob_id')), @what);

    } else {
        $got = $s->ask('alice', @what);
    }

    my $want = eval { PromptTest::Json::decode($answer->{text}) };

    if (!defined $want) {
        fail("$where: the answer is no JSON: $got->{body}");
        return;
    }

    # the standard configuration has models beside those of the documents
    my $data = $got->{json}{data};
    $data->{models} = [ grep { $_->{name} !~ /fx:/ } @{ $data->{models} } ]
        if ref $data eq 'HASH' && ref $data->{models} eq 'ARRAY';

    my $diff = PromptTest::Documents::differs($got->{json}, $want, $ids);

    is($diff, undef, "$where: the answer") or diag($got->{body});
}


# ---- commands --------------------------------------------------------------

my %owner = (PROMPT_DATABASE_URL => PromptTest::Env::conninfo('prompt_owner'),
             PROMPT_REDIS => "$redis prefix="
                             . PromptTest::Env::redis_prefix());
my %client = (PROMPT_URL => "http://127.0.0.1:$s->{port}/graphql",
              PROMPT_API_KEY => $key);


# setup: the page for who begins, word by word, with names of its own
my %setup;

sub setup
{
    my ($text) = @_;
    my $name = "${db}_setup";

    $text =~ s/prompt_(owner|app)\b/${name}_$1/g;
    $text =~ s/DATABASE prompt\b/DATABASE $name/g;
    $text =~ s/dbname=prompt\b/dbname=$name/g;
    $text =~ s{\@localhost/prompt}{\@/$name?host=$pg};
    $text =~ s{host=localhost}{host=$pg};
    $text =~ s{localhost:6379}{'$redis prefix=$name:'}
        unless $text =~ s{prompt_redis localhost:6379}
                         {prompt_redis $redis prefix=$name:};
    $text =~ s{localhost:8080}{127.0.0.1:$port};

    return $text;
}


# others of this host are not the demo's superuser, and write no keys for it
sub demo_is_ours
{
    SKIP: {
        skip 'only root can be somebody else', 4 if $> != 0;

        chomp(my $at = text_of("$dir/demo/place"));

        for my $command ("psql -X -h '$at/sock' -U postgres -c 'SELECT 1'",
                         "redis-cli -s '$at/redis.sock' ping | grep PONG")
        {
            is(system("$command >'$dir/stderr' 2>&1"), 0, "ours: $command")
                or diag(text_of("$dir/stderr"));
            isnt(system("runuser -u daemon -- sh -c \"$command\" "
                        . ">/dev/null 2>&1"), 0, "not theirs: $command");
        }
    }
}


# the three lines that make demo prints for other protocols, as they stand
sub demo_speaks
{
    my ($said) = @_;
    my $env = ". build/demo/env\n";
    my $python = "$root/build/clients-python/python3";
    my ($curl, $program, $client)
        = $said =~ m{^  (curl .*/responses .*)\n  (python3 .*)\n  (\{.*\})$}m
        or return fail('make demo says how else it is asked');
    my ($status, $out) = shell($env . $curl);

    like($out, qr/"object":"response".*Some long text\./, 'by hand');

    SKIP: {
        skip "no Python with OpenAI's library here", 1 if !-x $python;
        ($status, $out) = shell($env . $program =~ s/^python3/$python/r);
        like($out, qr/Some long text\./, "by OpenAI's library");
    }

    my ($mcp) = values %{ PromptTest::Json::decode($client)->{mcpServers} };
    my $asked = 'curl -sS -H "Content-Type: application/json" -d '
                . q('{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}')
                . " -H 'Accept: application/json, text/event-stream'"
                . " -H 'Authorization: $mcp->{headers}{Authorization}'"
                . " $mcp->{url}";

    ($status, $out) = shell($asked);
    like($out, qr/"name":"summarize-in-one-line"/, 'as an MCP server');

    ($status, $out) = shell("$asked -H 'Host: rebound.example'"
                            . " -o '$dir/out' -w '%{http_code}'");
    is($out, 403, 'by a name that is not served it is not');
}


my %shells = (
    # README.md: make demo, and what it says about going on
    demo => sub {
        my ($text, $where) = @_;

        $setup{demo} = 1;
        symlink $build, "$work/build.real" unless -e "$work/build.real";
        make_path("$work/build");
        symlink "$dir/demo", "$work/build/demo" unless -l "$work/build/demo";
        symlink $PromptTest::Env::promptctl, "$work/build/promptctl"
            unless -l "$work/build/promptctl";

        my @got = shell($text, PROMPT_DEMO => "$dir/demo",
                        PROMPT_PORT => $port, OPENAI_API_KEY => '');

        if ($text =~ /^make demo/m) {
            demo_is_ours();
            demo_speaks($got[1]);
        }

        return @got;
    },

    install => sub {
        my @got = shell($_[0]);
        my $share = "$dir/dest/usr/local/share";

        ok(-s "$share/$_", "$_ is installed")
            for '../bin/promptctl', 'man/man1/promptctl.1',
                'man/man5/ngx_http_prompt_module.5',
                'bash-completion/completions/promptctl';

        return @got;
    },
    targets => sub { shell($_[0]) },
    operator => sub {
        # not the superuser's
        return shell($_[0] =~ s/\bpsql "/command -p psql "/gr, %owner);
    },
    client => sub {
        my ($text, $where, $name) = @_;

        live() if defined $name && $name eq 'ctl';

        return shell("$setup{gql}\n$text", %client,
                     ID => $setup{ids}{$prompt_id} // '');
    },

    # as a client of OpenAI's has it
    openai => sub {
        return shell($_[0], OPENAI_API_KEY => $key, OPENAI_BASE_URL =>
                     "http://127.0.0.1:$s->{port}/openai");
    },

    setup => sub {
        my ($text) = @_;
        my ($status, $out) = shell(join("\n", map { setup($_) }
                                   @{ $setup{before} || [] }, $text),
                                   PROMPT_API_KEY => $setup{key} // '');

        # what was set is there for the blocks to come, what was done is not
        push @{ $setup{before} }, join '', $text =~ /^(export .*\n)/mg;
        $setup{key} = $1 if $out =~ /^(pmt_\w+)$/m;

        return ($status, $out);
    },

    backup => sub { shell($_[0], %owner) },

    # into another database, whose answers are the same then
    restore => sub {
        my ($text) = @_;
        my $count = 'SELECT count(*) FROM prompts JOIN prompt_versions '
                    . 'ON prompt_id = prompts.id';
        my ($back) = $owner{PROMPT_DATABASE_URL} =~ s/\b\Q$db\E\b/${db}_back/r;

        # not the superuser's
        $text =~ s/\bpsql "/command -p psql "/g;

        my @got = shell($text, %owner, BACK => $back);

        is(PromptTest::Env::psql($count, "${db}_back"),
           PromptTest::Env::psql($count), 'all is back');

        return @got;
    },

    # with the suite's own database, and those beside it
    superuser => sub {
        my ($text) = @_;

        $text =~ s/sudo -u postgres psql/psql -qX -h '$pg' -U postgres/g;
        $text =~ s/DATABASE prompt\b/DATABASE $db/g;
        $text =~ s/prompt_(back|old)\b/${db}_$1/g;
        $text =~ s/(TO |')prompt\b/$1$db/g;

        return shell($text);
    },

    # a master of its own takes over; nobody is turned away meanwhile
    upgrade => sub {
        my ($text) = @_;

        if ($ENV{TEST_NGINX_LD_PRELOAD}) {
            SKIP: { skip 'a new master gets no libraries before its own', 1 }
            return (0, '');
        }

        put('nginx.conf', conf('location', 'location = /graphql '
                               . '{ prompt_graphql; }'), 0600);
        begin() or return (1, '');

        my $old = pid_of("$dir/nginx.pid");

        $text =~ s{/run/nginx\.pid}{$dir/nginx.pid}g;

        my @got = shell($text);

        ok(PromptTest::Server::gone($old, 15), 'the old master leaves');
        is(ask('alice', '{ me { id } }')->{status}, 200, 'the new one answers');
        isnt(pid_of("$dir/nginx.pid"), $old, 'it is another process');
        end();

        return @got;
    },

    # run in a root of its own by `make test-deb'; here it is read
    packages => sub {
        my ($text) = @_;
        my $file = put('script', $text);

        return (system('bash', '-n', $file), '');
    },
);


# demo_down(): the port is free for others then
sub demo_down
{
    shell('make down', PROMPT_DEMO => "$dir/demo") if delete $setup{demo};
}


sub run_shell
{
    my ($block, $kind, $name, $output) = @_;
    my $where = "$block->{file}:$block->{line}";

    if ($kind eq 'demo' && $build ne "$root/build") {
        SKIP: { skip "$where: the demo is of another build", 1 }
        return;
    }

    if (!$shells{$kind}) {
        fail("$where: no kind of commands: $kind");
        return;
    }

    $setup{gql} = $block->{text} =~ /^(gql\(\) \{.*?^\}\n)/ms ? $1 : ''
        if defined $name && $name eq 'gql';

    my ($status, $out) = $shells{$kind}->($block->{text}, $where, $name);

    is($status, 0, "$where: the commands succeed")
        or diag($out . text_of("$dir/stderr"));

    return unless $output;

    my @got = map { s/\r\z//r } split /\n/, $out;
    my @want = split /\n/, $output->{text};

    is(scalar @got, scalar @want, "$where: lines of output") or diag($out);

    for my $i (0 .. $#want) {
        like($got[$i] // '', PromptTest::Documents::line_like($want[$i]),
             "$where: line " . ($i + 1) . ' of the output');
    }
}


# ---- all of them, in the order in which they stand -------------------------

for my $list (@blocks) {
    my @list = @$list;
    my $ids = {};

    # ids of a document are its own
    $setup{ids} = $ids;

    while (my $block = shift @list) {
        my ($kind, $name) = split ' ', $block->{test} // '', 2;
        my $where = "$block->{file}:$block->{line}";
        my $lang = $block->{lang};

        if (defined $kind && $kind eq 'none,') {
            $none{$where} = $name;

        } elsif ($lang eq 'graphql') {
            my @json;

            $ids->{$sample_id} = sample()
                if defined $kind && $kind eq 'sample';

            push @json, shift @list
                while @list && @json < 2 && $list[0]{lang} eq 'json'
                      && !defined $list[0]{test};

            if (@json) {
                run_graphql($ids, $block, @json == 2 ? @json : (undef, @json));
            } else {
                fail("$where: a document without an answer");
            }

        } elsif ($lang eq 'nginx' && defined $kind
                 && $kind =~ /^(?:main|http|server|location)\z/)
        {
            if (($name // '') eq 'setup') {
                put('nginx.conf', conf($kind, here(setup($block->{text}))),
                    0600);
                ok(nginx('-t') && begin(), "$where: nginx begins")
                    or diag(text_of("$dir/nginx.out"));

            } else {
                run_nginx($block, $kind, $name);
            }

        } elsif ($lang eq 'sh' && defined $kind) {
            my $output = @list && ($list[0]{test} // '') eq 'output'
                         ? shift @list : undef;

            run_shell($block, $kind, $name, $output);
            end() if $kind eq 'setup' && $block->{text} =~ /curl/;

        } elsif ($lang eq 'text' && ($kind // '') eq 'message') {
            (my $like = quotemeta $block->{text}) =~ s/\d+/\\d+/g;
            like($messages{$name} ? $messages{$name}->() : '', qr/$like/,
                 "$where: the message");

        } elsif ($lang eq 'yaml' && ($kind // '') eq 'prometheus') {
            SKIP: {
                skip "$where: no promtool here", 1
                    unless PromptTest::Env::first_of('promtool') =~ m{/};

                my $file = put('prometheus.yml', $block->{text});

                is(system("promtool check config '$file' >'$dir/stderr' 2>&1"),
                   0, "$where: promtool") or diag(text_of("$dir/stderr"));
            }

        } elsif (($kind // '') eq 'in') {
            like(text_of($name), qr/\Q$block->{file}\E/,
                 "$where: $name has it");

        } elsif ($lang eq 'json' && ($kind // '') eq 'file') {
            put("work/$name", $block->{text});

        } elsif ($lang eq 'json' && ($kind // '') eq 'params') {
            my $got = $s->ask('alice', 'mutation ('
                              . '$i: CreatePromptVersionInput!)'
                              . ' { createPromptVersion(input: $i) { id } }',
                              '{"i": {"promptId": "' . sample_once()
                              . '", "content": "x", "params": '
                              . $block->{text} . '}}');

            is($got->{json}{errors}, undef, "$where: params") or
                diag($got->{body});

        } else {
            fail("$where: a block of $lang that nothing runs");
        }
    }

    demo_down();
}

my $once;

sub sample_once
{
    $once = $s->ask('alice', 'mutation { createPrompt(input: {name: "params"})'
                    . ' { id } }')->{json}{data}{createPrompt}{id}
        unless defined $once;

    return $once;
}


cmp_ok(scalar keys %none, '<=', $none_at_most, 'few blocks are not run');
note("not run: $_: $none{$_}") for sort keys %none;

put('nginx.conf', conf('http', here($no_limit)), 0600);
ok(!nginx('-t'), 'limit_req by $prompt_key_id is refused');
like(text_of("$dir/nginx.out"), qr/\$prompt_key_id.*\$prompt_credential/s,
     'and what is meant instead is said');

END {
    if (defined $dir) {
        local ($?, $@, $!);

        demo_down();

        for my $name ("${db}_setup", "${db}_back", "${db}_old") {
            eval { PromptTest::Env::psql("DROP DATABASE IF EXISTS $name "
                                         . 'WITH (FORCE)', 'postgres') };
        }

        eval { PromptTest::Env::psql("DROP ROLE IF EXISTS ${db}_setup_owner, "
                                     . "${db}_setup_app", 'postgres') };

        leave();
    }
}

is_deeply([ $s->faults ], [], 'clean error log');
done_testing();
