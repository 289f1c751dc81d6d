# What runs in the containers of compose.yaml, without a container engine: the
# entry point, nginx with its configuration, and the loop that prunes.

use strict;
use warnings;

use lib 't/lib';

use CPAN::Meta::YAML;
use IO::Socket::INET;
use PromptTest::Env;
use PromptTest::Json;
use Test::More;
use Time::HiRes qw(sleep);

plan skip_all => 'a module with sanitizers is not for this nginx'
    if $PromptTest::Env::build =~ m{/asan$};

PromptTest::Env::setup();

my $root = $PromptTest::Env::root;
my $tmp = "$PromptTest::Env::dir/container-$$";

mkdir $tmp or die "$tmp: $!\n";


sub text_of
{
    my ($file) = @_;

    open my $in, '<', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


# write_to(FILE, TEXT): below $tmp, which stands for /tmp
sub write_to
{
    my ($file, $text) = @_;

    open my $out, '>', "$tmp/$file" or die "$tmp/$file: $!\n";
    print $out $text;
    close $out or die "$tmp/$file: $!\n";
}


# entry({ ENVIRONMENT }, COMMAND...): output and status of the entry point
sub entry
{
    my ($with, @command) = @_;
    my $pid = open(my $out, '-|') // die "fork: $!\n";

    if ($pid == 0) {
        @ENV{keys %$with} = values %$with;
        open STDERR, '>&', \*STDOUT;
        exec 'sh', "$tmp/entrypoint", @command;
        exit 127;
    }

    my $text = do { local $/; <$out> } // '';

    close $out;
    return ($text, $? >> 8);
}


my ($compose) = CPAN::Meta::YAML->read_string(text_of('compose.yaml'))->[0];

write_to('entrypoint',
         text_of('packaging/docker/entrypoint.sh') =~ s{/tmp/}{$tmp/}gr);


# ---- the entry point: passwords, names, proxies

my $secret = 'a:b\\c';

write_to('app', "$secret\n");

my ($out, $status) = entry({ POSTGRES_APP_FILE => "$tmp/app" }, 'sh', '-c',
                           'echo "$PGPASSFILE"; env');

is($status, 0, 'the entry point runs what it is told');
like($out, qr{\A\Q$tmp\E/pgpass$}m, 'and names the file');
unlike($out, qr/\Q$secret\E/, 'which alone has the password');
is(text_of("$tmp/pgpass"), "*:*:prompt:prompt_app:a\\:b\\\\c\n", 'escaped');
is((stat "$tmp/pgpass")[2] & 0777, 0600, 'for nobody else');
is(text_of("$tmp/names.conf"), "server_name localhost 127.0.0.1 nginx;\n",
   'names, where none are given');
is(text_of("$tmp/proxies.conf"), '', 'no proxy is believed');

for my $case ([ PROMPT_NAMES => 'a; return 200' ],
              [ PROMPT_PROXIES => '10.0.0.0/8; allow all' ])
{
    ($out, $status) = entry({ @$case }, 'true');
    is($status, 1, "$case->[0] with more than is meant");
    like($out, qr/^$case->[0] has a character/, 'is refused');
}

(undef, $status) = entry({ PROMPT_PROXIES => '127.0.0.1 10.0.0.0/8 fd00::/8' },
                         'true');
is($status, 0, 'addresses and networks');
is(text_of("$tmp/proxies.conf"), <<'END', 'of proxies, which say who asks');
set_real_ip_from 127.0.0.1;
set_real_ip_from 10.0.0.0/8;
set_real_ip_from fd00::/8;
real_ip_header X-Forwarded-For;
real_ip_recursive on;
END


# ---- nginx: what is said of places alone is changed

my ($port, $scraped) = map { PromptTest::Env::free_port() } 1, 2;
my $postgres = PromptTest::Env::conninfo('prompt_app');
my $redis = 'unix:' . PromptTest::Env::services()->{SERVICES_REDIS}
            . ' prefix=' . PromptTest::Env::redis_prefix();
my $conf = text_of('packaging/docker/nginx.conf');
my $user = PromptTest::Env::worker_user();

for my $place ([ qr{/tmp/}, "$tmp/" ],
               [ qr{/usr/lib/nginx/modules}, $PromptTest::Env::build ],
               [ qr{/etc/prompt}, "$root/packaging/docker" ],
               [ qr{/etc/nginx/mime\.types}, "$tmp/mime.types" ],
               [ qr{prompt_postgres "[^"]*"}, "prompt_postgres \"$postgres\"" ],
               [ qr{redis:6379}, $redis ],
               [ qr{prompt_dashboard;}, "prompt_dashboard $tmp/pages;" ],
               [ qr{listen 8080}, "listen 127.0.0.1:$port" ],
               [ qr{listen 9145}, "listen 127.0.0.1:$scraped" ],
               [ qr{/dev/stdout}, "$tmp/access.log" ],
               [ qr{/dev/stderr}, "$tmp/error.log" ],
               [ qr{daemon off;}, defined $user ? "user $user;" : '' ])
{
    my ($what, $by) = @$place;

    ok($conf =~ s/$what/$by/g, "nginx.conf: $what");
}

mkdir "$tmp/pages";
write_to('nginx.conf', $conf);
write_to('mime.types', 'types { text/html html; }');
write_to('pages/manifest', "prompt-dashboard 1\npage index.html\nroute /\n");
write_to('pages/index.html', '<html>');

my @nginx = ($PromptTest::Env::nginx, '-e', "$tmp/error.log", '-p', $tmp, '-c',
             "$tmp/nginx.conf");

is(system(@nginx), 0, 'nginx starts') or diag text_of("$tmp/error.log");

# ask(METHOD, PATH, of => PORT, name => HOST, from => ADDRESS, query => GRAPHQL):
# { status, content }
sub ask
{
    my ($method, $path, %with) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                       PeerPort => $with{of} // $port)
        or return { status => 0, content => '' };
    my $body = defined $with{query}
               ? PromptTest::Json::encode({ query => $with{query} }) : '';

    print $socket "$method $path HTTP/1.0\r\n"
        . 'Host: ' . ($with{name} // 'localhost') . "\r\n"
        . 'Authorization: Bearer ' . PromptTest::Env::var('alice_key') . "\r\n"
        . ($with{from} ? "X-Forwarded-For: $with{from}\r\n" : '')
        . "Content-Type: application/json\r\n"
        . 'Content-Length: ' . length($body) . "\r\n\r\n$body";

    my $answer = do { local $/; <$socket> } // '';
    my ($status) = $answer =~ m{^HTTP/1\.\d (\d+) };

    return { status => $status // 0,
             content => $answer =~ s/.*?\r\n\r\n//sr };
}

for my $i (1 .. 100) {
    last if ask('GET', '/health')->{status} == 200;
    sleep 0.1;
}

is(ask('GET', '/health')->{status}, 200, 'it is well');
is(ask('GET', '/health', name => '10.1.2.3')->{status}, 200,
   'also for who has no name for it');
is(ask('GET', '/dashboard/')->{status}, 200, 'the dashboard');
is(ask('GET', '/metrics')->{status}, 404, 'no metrics for who has that port');
like(ask('GET', '/metrics', of => $scraped, name => 'nginx:9145')->{content},
     qr/^prompt_workers_healthy [1-4]$/m, 'but for Prometheus');
is(ask('GET', '/dashboard/', of => $scraped)->{status}, 404,
   'which has nothing else there');
is(ask('POST', '/graphql', name => 'rebound.example')->{status}, 403,
   'a name that is not served');

my $made = ask('POST', '/graphql', query =>
    'mutation { createPrompt(input: {name: "in a container"}) { id } }');
my ($id) = $made->{content} =~ /"id":"([\w-]+)"/;

ask('POST', '/graphql', query => "mutation { createPromptVersion(input: {"
    . "promptId: \"$id\", content: \"Hello.\", params: {}}) { version } }");
like(ask('POST', '/graphql', from => '192.0.2.7',
         query => "mutation { executePrompt(promptId: \"$id\", input: {}) "
                  . '{ output } }')->{content},
     qr/"output":"Hello\."/, 'a prompt is executed');

my @stopped = map { ask('POST', '/graphql', query => '{ me { id } }')->{status} }
              1 .. 400;

ok((grep { $_ == 429 } @stopped) > 0, 'a key that asks without end is limited');
is(ask('GET', '/health')->{status}, 200, 'which is nothing to health');

is(system(@nginx, '-s', 'quit'), 0, 'nginx is told to leave');

for my $i (1 .. 100) {
    last unless -e "$tmp/nginx.pid";
    sleep 0.1;
}

ok(!-e "$tmp/nginx.pid", 'and leaves');
like(text_of("$tmp/access.log"), qr/^192\.0\.2\.7 .*"POST \/graphql /m,
     'the client is whom the proxy named');
is_deeply([ PromptTest::Env::log_faults(text_of("$tmp/error.log")) ], [],
          'clean error log');


# ---- pruning, once a day: promptctl and sleep say how they were called

my ($loop) = @{ $compose->{services}{prune}{command} };

mkdir "$tmp/bin";
write_to('bin/promptctl', "#!/bin/sh\necho promptctl \"\$*\"\n");
write_to('bin/sleep', "#!/bin/sh\necho sleep \"\$*\"\nkill \$PPID\n");
chmod 0755, "$tmp/bin/promptctl", "$tmp/bin/sleep";

($out) = entry({ PATH => "$tmp/bin:$ENV{PATH}", POSTGRES_OWNER_FILE => "$tmp/app",
                 PROMPT_PRUNE_OLDER_THAN => '30d' },
               'sh', '-c', $loop =~ s/\$\$/\$/gr);

is($out, "promptctl prune --older-than 30d\nsleep 86400\n",
   'executions are pruned each day');

done_testing();
