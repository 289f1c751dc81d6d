# HTTP/2, in cleartext and over TLS: the same answers as over HTTP/1.1; and
# whatever a client does with its streams and windows, nobody reads what is
# another's, and no worker dies.

use strict;
use warnings;

use lib 't/lib';

use IO::Socket::INET;
use JSON::PP ();
use PromptTest::Env;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

my ($version) = `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/(\S+)};
my ($major, $minor, $patch) = split /\./, $version;
my $on = $major * 1e6 + $minor * 1e3 + $patch >= 1025001;

plan(skip_all => 'this nginx has no HTTP/2')
    if `$PromptTest::Env::nginx -V 2>&1` !~ /http_v2_module/;
plan(skip_all => 'there is no openssl')
    if PromptTest::Env::first_of('openssl') !~ m{/};


# what is freed is overwritten at once: who sends it is found out

$ENV{MALLOC_PERTURB_} = 165;

my $s = PromptTest::Server->new;
my $cert = "$s->{dir}/cert.pem";

PromptTest::Env::run('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt',
                     'ec_paramgen_curve:prime256v1', '-nodes', '-subj',
                     '/CN=localhost', '-days', '2', '-keyout',
                     "$s->{dir}/key.pem", '-out', $cert);


# ports(N): free ones, none twice

sub ports
{
    my @held = map {
        my $port = PromptTest::Env::free_port();

        IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port,
                              Listen => 1, ReuseAddr => 1)
            or die "port $port: $!\n";
    } 1 .. $_[0];

    return map { $_->sockport } @held;
}


# a socket that holds little: what does not go out is seen at once

my ($plain, $tls) = ports(2);
my $server = PromptTest::Env::server_config('');
my ($word, $line) = $on ? ('', 'http2 on;') : (' http2', '');

$s->configure(
    server => 'location = /pid { return 200 "$pid"; }',
    http   => <<"END");
    prompt_limits complexity=100000000;
    server {
        listen 127.0.0.1:$plain$word sndbuf=16k;
        listen 127.0.0.1:$tls ssl$word sndbuf=16k;
        $line
        ssl_certificate $cert;
        ssl_certificate_key $s->{dir}/key.pem;
        client_max_body_size 2m;
$server
    }
END
$s->reload;

my $until = time() + 20;

sleep 0.05 until IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                       PeerPort => $tls)
                 || time() > $until;


for my $name (qw(alice bob)) {
    my $id = PromptTest::Env::var("${name}_id");

    PromptTest::Env::psql(<<"END");
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at,
                     last_version, description)
    SELECT gen_random_uuid(), '$id', 'p-' || i, 'GENERAL', false, now(), 0,
           repeat('$name-private ', 80)
    FROM generate_series(1, 400) i;
END
}

my $prompt = '01890000-0000-7000-8000-000000000001';
my $bob = PromptTest::Env::var('bob_id');

PromptTest::Env::psql(<<"END");
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at,
                     last_version)
    VALUES ('$prompt', '$bob', 'echo', 'GENERAL', false, now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    VALUES (gen_random_uuid(), '$prompt', '$bob', 1, '{{text}}',
            '{"model": "fx:delay=300"}');
END

my $file = "$s->{dir}/checks.json";

open my $out, '>', $file or die "$file: $!\n";
print $out JSON::PP->new->encode({
    plain => $plain, tls => $tls, http1 => $s->{port}, prompt => $prompt,
    provider => PromptTest::Env::provider() + 0,
    slow => ($ENV{PROMPT_TEST_SLOW} || 1) + 0,
    (map { $_ => PromptTest::Env::var("${_}_key"),
           "${_}_id" => PromptTest::Env::var("${_}_id") } qw(alice bob)),
});
close $out;

open my $in, '-|', PromptTest::Env::first_of('node'),
     't/lib/http2-checks.js', $file or die "node: $!\n";

while (my $line = <$in>) {
    if ($line =~ /^(not )?ok \d+ - (.*)/) {
        ok(!$1, $2);
    } else {
        diag($line);
    }
}

ok(close $in, 'the checks come to their end');
ok($s->stop, 'nginx quits in time');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
