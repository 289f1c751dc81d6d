# docs/nginx.conf.sample: its server starts and answers, and the console that
# it serves can ask for the schema.  What it counts for signing in is that alone.

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use PromptTest::Server;
use Test::More;

open my $in, '<', 'docs/nginx.conf.sample' or die "docs/nginx.conf.sample: $!\n";
my $sample = do { local $/; <$in> };
my ($server) = $sample =~ /^(server \{.*^\})/ms;
my $zones = join "\n", $sample =~ /^(map .*? \{.*?^\}|limit_req_zone .*?;)$/msg;

ok(defined $server, 'the sample has a server');

# what is not here: certificates, keys, the providers themselves

my $port = PromptTest::Env::free_port();

$server =~ s{listen 443 ssl((?: default_server)?);}{listen 127.0.0.1:$port$1;}g;
$server =~ s/^\s*(?:ssl_|access_log|include|proxy_ssl_).*;$//mg;

# what needs a built dashboard: one of its pieces stands for it

my $dir = tempdir(CLEANUP => 1);

for my $ending (qw(html css js)) {
    open my $out, '>', "$dir/console.$ending" or die "$dir: $!\n";
    print $out "<html>{{style}}{{script}}\n";
    close $out or die "$dir: $!\n";
}

chmod 0755, $dir;
$server =~ s/^\s*# (location .* prompt_console \S+);/$1 path=$dir;/m
    or die "the sample has no console\n";

$server =~ s{proxy_pass https://\S+;}{proxy_pass http://127.0.0.1:1;}g;

# a rate that no machine is too slow for; clients have the address that they say

$zones =~ s{(zone=prompt_sign_ins:\S+\s+)rate=\S+;}{$1rate=1r/m;}
    or die "the sample has no rate for signing in\n";

$server =~ s/(server_name .*);/$1 localhost; set_real_ip_from 127.0.0.1;
    real_ip_header X-Client;/ or die "the sample has no name\n";

my $s = PromptTest::Server->new(http => "$zones\n$server");

$s->{port} = $port;

my $type = '{ kind name ' . 'ofType { kind name ' x 9 . '}' x 9 . ' }';
my $answer = $s->ask('alice', '{ __schema { types { name fields { name args '
                     . "{ name type $type } type $type } } } }");

is($answer->{json}{errors}, undef, 'introspection, as clients ask for it');
ok(scalar @{ $answer->{json}{data}{__schema}{types} || [] }, 'has types');

# what is at a path, by the name of a host
sub get
{
    my ($path, $host) = @_;
    my $socket = $s->send("GET $path HTTP/1.1\r\nHost: $host\r\n"
                          . "Connection: close\r\n\r\n");

    return do { local $/; <$socket> };
}

like(get($_, 'localhost'), qr{^HTTP/1\.1 200 }, $_)
    for '/console', '/metrics', '/health';
like(get('/openai/v1/models', 'localhost'), qr{^HTTP/1\.1 401 },
     "OpenAI's API wants a key");
like(get('/mcp', 'localhost'), qr{^HTTP/1\.1 40[15] }, 'and so does MCP');
like(get($_, 'rebound.example'), qr{^HTTP/1\.1 403 },
     "$_ by a name that is not served")
    for '/mcp', '/openai/v1/models', '/graphql', '/console';

# Whoever shares an address may look and leave as often as they like.

my $client = '192.0.2.1';

sub session
{
    my ($method, $from) = @_;
    my $socket = $s->send("$method /session HTTP/1.1\r\nHost: localhost\r\n"
                          . 'X-Client: ' . ($from || $client) . "\r\n"
                          . "Sec-Fetch-Site: same-origin\r\nContent-Type: "
                          . "application/json\r\nContent-Length: 2\r\n"
                          . "Connection: close\r\n\r\n{}");

    return $s->receive($socket)->{status};
}

# how many posts of an address it takes until one is refused
sub posts
{
    my ($from) = @_;

    for my $n (1 .. 500) {
        return $n if session('POST', $from->($n)) == 429;
    }

    return 'none';
}

is_deeply([ grep { $_ == 429 } map { session('GET') } 1 .. 80 ], [],
          'who one is may be asked often');
is(session('DELETE'), 401, 'and signing out is not counted');
isnt(session('POST'), 429, 'nor has a neighbour used up signing in');
is(posts(sub { $client }), 51, 'which has a limit of its own');
isnt(session('GET'), 429, 'that holds up nothing else');

is(posts(sub { "2001:db8:1:1::$_[0]" }), 52, 'an address of IPv6');
is(session('POST', '2001:db8:1:1:ffff::1'), 429, 'is its first 64 bits');
isnt(session('POST', '2001:db8:1:2::1'), 429, 'the next ones are not');
isnt(session('POST', "::ffff:192.0.2.$_"), 429, 'nor are those of IPv4')
    for 2, 3;
is(session('POST', '::ffff:192.0.2.1'), 429, 'which are themselves');

ok($s->stop, 'nginx leaves');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
