# A place in which the examples of the documents run: the files they name, an
# nginx with their configuration, and commands that stand in for those of the
# system.  What they have and a test has not (ports, hosts, paths) is replaced:
# @instead.

package PromptTest::Here;

use strict;
use warnings;

use Exporter qw(import);
use File::Path qw(make_path remove_tree);
use PromptTest::Server;
use Time::HiRes qw(sleep time);

our @EXPORT = qw(arrive $s $dir $work $port $redis $pg $began text_of put here
                 conf nginx begin end pid_of ask ask_by ask_in get sign_in execute
                 shell leave);

my $root = $PromptTest::Env::root;
my $build = $PromptTest::Env::build;

our ($s, $dir, $work, $port, $redis, $pg, $began);
my (@instead, $provider, $idp, $n);


# arrive(): makes the place.  Not where this file is read: who only compiles a
# test starts nothing.
sub arrive
{
    # what the examples of the API ask; an agent's model calls a tool first
    my $agent = PromptTest::Env::provider();

    $s = PromptTest::Server->new(workers => 1, http => <<'END',
prompt_provider demo /_provider/demo;
prompt_model gpt-4o-mini provider=demo input=0.15 output=0.60;
prompt_model claude-haiku provider=demo;
prompt_provider agent /_provider/agent;
prompt_model gpt-4o provider=agent;
prompt_default_model gpt-4o-mini;
END
        server => 'location = /_provider/demo { internal; prompt_echo; }
        location = /_provider/agent {
            internal;
            proxy_pass http://127.0.0.1:' . $agent . '/fx:tool=get_weather:'
        . '%7B%22city%22%3A%22Bern%22%7D|text=It%20is%20sunny%20in%20Bern.;
        }
        location /openai/ { prompt_openai; }
        location = /session { prompt_session; }');

    $dir = "$PromptTest::Env::dir/examples-$$";
    $work = "$dir/work";
    $port = PromptTest::Env::free_port();
    $idp = PromptTest::Env::free_port();

    make_path(map { "$dir/$_" } qw(work/prompts bin etc tmp cache pages));
    chmod 0755, $dir, "$dir/etc", "$dir/pages";
    chmod 0777, "$dir/tmp", "$dir/cache";

    $began = bless { port => $port, pid => 0 }, 'PromptTest::Server';

    arrive_files();
    arrive_names();
}


# what configurations and commands read
sub arrive_files
{
    $provider = 'http://127.0.0.1:' . PromptTest::Env::provider();
    $redis = 'unix:' . PromptTest::Env::var('redis_socket');
    $pg = PromptTest::Env::var('pg_host');

    put('etc/provider.key', "proxy_set_header Authorization 'Bearer x';\n",
        0600);
    put('etc/pgpass', "*:*:*:*:app-secret\n", 0600);
    put("pages/console.$_", "<html>{{style}}{{script}}\n") for qw(html css js);
    put('pages/manifest', "prompt-dashboard 1\npage index.html\nroute /\n");
    put('pages/index.html', "<html>{{base}}{{graphql}}{{session}}\n");

    PromptTest::Env::run('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt',
                         'ec_paramgen_curve:prime256v1', '-nodes', '-batch',
                         '-subj', '/CN=prompts.example.com', '-days', '2',
                         '-out', "$dir/etc/cert.pem", '-keyout',
                         "$dir/etc/cert.key", '-noenc');

    if ((PromptTest::Env::worker_user() // 'root') =~ /^nobody/) {
        chown scalar getpwnam('nobody'), -1, "$dir/etc/pgpass";
    }

    # what is asked for at a terminal
    put('stdin', "correct horse battery staple\n");

    commands();
}


# what stands in documents, and what is meant here
sub arrive_names
{
    @instead = (
        [ qr{modules/ngx_http_prompt_module\.so}, $PromptTest::Env::module ],
        [ qr{https://api\.\w+\.com}, $provider ],
        [ qr{192\.0\.2\.11:8000}, '127.0.0.1:1' ],
        [ qr{127\.0\.0\.1:4180}, "127.0.0.1:$idp" ],
        [ qr{192\.0\.2\.12:8000}, substr $provider, 7 ],
        [ qr{/etc/nginx/prompt-\w+\.key}, "$dir/etc/provider.key" ],
        [ qr{/etc/nginx/prompt\.pgpass}, "$dir/etc/pgpass" ],
        [ qr{/etc/ssl/private/\S+\.key}, "$dir/etc/cert.key" ],
        [ qr{/etc/ssl/certs/[\w.-]+}, "$dir/etc/cert.pem" ],
        [ qr{/var/cache/nginx}, "$dir/cache" ],
        [ qr{/var/log/nginx}, "$dir/tmp" ],
        [ qr{/usr/share/prompt[\w/-]*}, "$dir/pages" ],
        [ qr{/run/redis/redis-server\.sock}, substr $redis, 5 ],
        [ qr{(?:db\d?|collector)\.example\.(?:com|net)}, '127.0.0.1' ],
        [ qr{prompt_dashboard;}, "prompt_dashboard $dir/pages;" ],
        [ qr{(?<=prompt_console)(?: [^;]*)?(?=;)},
          sub { "$_[0] path=$dir/pages" } ],
        # so that a slow machine meets the limit, too
        [ qr{rate=\d+r/s}, 'rate=1r/m' ],
        [ qr{listen (?:(?:\[::\]|[\d.]+):)?\d+}, "listen 127.0.0.1:$port" ],
    );
}


sub text_of
{
    my ($file) = @_;

    open my $in, '<:encoding(UTF-8)', $file or return '';
    local $/;

    return <$in> // '';
}


sub put
{
    my ($name, $text, $mode) = @_;

    open my $out, '>:encoding(UTF-8)', "$dir/$name" or die "$name: $!\n";
    print $out $text;
    close $out or die "$name: $!\n";
    chmod $mode || 0644, "$dir/$name";

    return "$dir/$name";
}

sub here
{
    my ($text) = @_;

    for my $one (@instead) {
        my ($what, $with) = @$one;

        $text =~ s/$what/ref $with ? $with->($&) : $with/ge;
    }

    return $text;
}


# ---- nginx -----------------------------------------------------------------

# conf($context, $text): nginx.conf with the block, in a folder of its own
sub conf
{
    my ($context, $text) = @_;
    my $user = PromptTest::Env::worker_user();
    # a log of the block's own for all of http, or none: not Debian's
    my $paths = ($text =~ /^access_log/m && $context eq 'http' ? ''
                 : "access_log off;\n")
                . PromptTest::Env::temp_paths("$dir/tmp");
    my $rest = $context eq 'main' ? '' : PromptTest::Env::http_config();

    # what the block says itself
    for my $name (qw(prompt_postgres prompt_redis)) {
        $rest =~ s/^\s*$name\b[^;]*;$//mg if $text =~ /^\s*$name\b/m;
    }

    $rest =~ s/^\s*prompt_(?:provider|model) [^;]*;$//mg
        if $text =~ /^\s*prompt_provider\b/m;

    $rest .= <<'END' unless $text =~ /^\s*prompt_(?:provider|model)\b/m;
prompt_model gpt-4o-mini provider=openai input=0.15 output=0.60;
prompt_default_model gpt-4o-mini;
END

    my $own = $context eq 'location' || $context eq 'server' ? $text : '';
    # an endpoint, its provider, and who lets people in, where that is wanted
    $own .= <<"END" if $own =~ m{auth_request /_oidc;};
location = /_oidc { internal; proxy_pass http://127.0.0.1:$port/_email; }
location = /_email { add_header X-Email alice\@example.com; return 204; }
END

    # oauth2-proxy, whose cookie says here who it is
    my $beside = $text =~ /127\.0\.0\.1:$idp/ ? <<"END" : '';
server {
    listen 127.0.0.1:$idp;
    location = /oauth2/auth {
        if (\$cookie__oauth2_proxy = "") { return 401; }
        add_header X-Auth-Request-Email \$cookie__oauth2_proxy always;
        return 202;
    }
    location = /oauth2/start {
        return 302 "https://idp.example.com/?back=\$arg_rd&to=\$http_x_forwarded_host";
    }
}
END
    $own = PromptTest::Env::server_config($own);

    my $server = $text =~ /^\s*server \{/m ? ''
               : "server {\nlisten 127.0.0.1:$port;\n$own}\n";
    my $http = $context eq 'http' ? $text : '';

    if ($context eq 'main') {
        $text =~ s/^(http \{)$/$1\n$paths/m;
        $http = undef;
    }

    my $load = $text =~ /load_module/ ? ''
               : "load_module $PromptTest::Env::module;\n";

    return $load . (defined $user ? "user $user;\n" : '')
           . "pid $dir/nginx.pid;\nerror_log $dir/error.log info;\n"
           . (defined $http ? "http {\n$paths$rest$http$server$beside}\n" : $text)
           . "events { worker_connections 64; }\n";
}


sub nginx
{
    my (@more) = @_;

    open my $old, '>&', \*STDERR or die;
    open STDERR, '>', "$dir/nginx.out" or die;

    local $ENV{LD_PRELOAD} = $ENV{TEST_NGINX_LD_PRELOAD}
        if defined $ENV{TEST_NGINX_LD_PRELOAD};

    my $rc = system($PromptTest::Env::nginx, '-e', "$dir/error.log", '-p', $dir,
                    '-c', "$dir/nginx.conf", @more);

    open STDERR, '>&', $old or die;

    return $rc == 0;
}


# begin(): nginx with the configuration that was written; while() it runs, end()
sub begin
{
    nginx() or return 0;

    for (1 .. 500) {
        return 1 if IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                          PeerPort => $port);
        sleep 0.02;
    }

    return 0;
}


sub pid_of
{
    my ($file) = @_;

    open my $in, '<', $file or return undef;
    my ($pid) = (scalar(<$in>) // '') =~ /^(\d+)/;

    return $pid;
}


sub end
{
    my $pid = pid_of("$dir/nginx.pid");

    return unless defined $pid;

    kill QUIT => $pid;
    kill KILL => $pid unless PromptTest::Server::gone($pid, 15);
}


# ask(USER, DOCUMENT [, VARIABLES]), get(PATH): of the nginx that began
sub ask
{
    return $began->ask(@_) || {};
}


sub get
{
    my ($path) = @_;
    my $socket = $began->send("GET $path HTTP/1.1\r\nHost: localhost\r\n"
                              . "Connection: close\r\n\r\n") or return {};

    return $began->receive($socket) || {};
}


# sign_in(PASSWORD): the cookie that alice then has at $s
sub sign_in
{
    my ($password) = @_;

    open my $ctl, '|-', $PromptTest::Env::promptctl, '--database',
                        PromptTest::Env::conninfo('prompt_owner'), '--redis',
                        "$redis prefix=" . PromptTest::Env::redis_prefix(),
                        'user', 'password', 'alice@example.com'
        or die "promptctl: $!\n";

    print $ctl "$password\n";
    close $ctl or die "promptctl failed\n";

    my $body = '{"email":"alice@example.com","password":"' . $password . '"}';
    my $answer = $s->receive($s->send(
        "POST /session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        . "User-Agent: Firefox\r\nContent-Type: application/json\r\n"
        . 'Content-Length: ' . length($body) . "\r\n\r\n$body"));

    return $answer->{head} =~ /^Set-Cookie: ([^;]+)/mi ? $1 : '';
}


# ask_by(COOKIE, DOCUMENT [, VARIABLES]): as a page of the same site does
sub ask_by
{
    my ($cookie, @what) = @_;

    return ask_in($cookie, undef, @what);
}


# ask_in(COOKIE, PROJECT, ...): the same, in a project
sub ask_in
{
    my ($cookie, $project, @what) = @_;
    my $request = $s->request('none', @what);
    my $in = defined $project ? "Prompt-Project: $project\r\n" : '';

    $request =~ s/^Authorization: .*\r\n/${in}Cookie: $cookie\r\n/m;
    $request =~ s/^Cookie: /Sec-Fetch-Site: same-origin\r\nCookie: /m;

    return $s->receive($s->send($request)) || {};
}


sub execute
{
    my ($model, $text) = @_;
    my $id = ask('alice', 'mutation ($n: String!) { createPrompt(input: '
                 . '{name: $n}) { id } }', { n => "example " . ++$n });

    $id = $id->{json}{data}{createPrompt}{id};

    ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
        . '{ createPromptVersion(input: $i) { id } }',
        { i => { promptId => $id, content => $text,
                 params => { model => $model } } });

    return ask('alice', 'mutation ($id: ID!) { executePrompt(promptId: $id, '
               . 'input: {}) { output costUsd } }', { id => $id });
}


# ---- commands --------------------------------------------------------------

# in place of commands of the system, which a test does not touch
my %shims = (
    make => <<'END',
cd "$ROOT"
case "$1" in
    install) PREFIX=/usr/local B="${BUILD#"$ROOT"/}" exec tools/install.sh ;;
    demo) PATH=${PATH#*:} exec tools/demo.sh up ;;
    down) PATH=${PATH#*:} exec tools/demo.sh down ;;
    "" | all) exec test -f "$BUILD/promptctl" ;;
    *) exec grep -q "^$1:" Makefile ;;             # there is such a target
esac
END
    sudo => <<'END',
if [ "$1" = -u ]; then shift 2; fi
exec "$@"
END
    psql => 'exec /usr/bin/psql -X -q -h "$PGSUPER" -U postgres -d postgres '
            . "\"\$@\"\n",
    nginx => 'LD_PRELOAD=${TEST_NGINX_LD_PRELOAD:-} '
             . "exec $PromptTest::Env::nginx -e \"\$DIR/error.log\" "
             . "-p \"\$DIR\" -c \"\$DIR/nginx.conf\" \"\$@\"\n",
    promptctl => "exec '$PromptTest::Env::promptctl' \"\$@\"\n",
);

# commands(): where the shell finds them first
sub commands
{
    for my $name (sort keys %shims) {
        put("bin/$name", "#!/bin/bash\n$shims{$name}",
            0755);
    }
}


# shell($text, %env): its status, and what it printed
sub shell
{
    my ($text, %env) = @_;
    my $file = put('script', $text);

    local %ENV = (%ENV, %env, ROOT => $root, BUILD => $build, DIR => $dir,
                  PGSUPER => $pg, DESTDIR => "$dir/dest",
                  PATH => "$dir/bin:$ENV{PATH}");

    open my $out, '-|', "cd '$work' && bash -e -o pipefail '$file'"
                        . " 2>'$dir/stderr' <'$dir/stdin'"
        or die "bash: $!\n";
    local $/;
    my $got = <$out> // '';

    close $out;

    my $status = $?;

    utf8::decode($got);

    return ($status, $got);
}


# leave(): nothing of it is left, unless it is to be looked at
sub leave
{
    end();
    remove_tree($dir) unless $ENV{PROMPT_TEST_KEEP};
}

1;
