# docs/nginx.conf.sample: its server starts and answers, and the console that
# it serves can ask for the schema.

use strict;
use warnings;

use lib 't/lib';
use File::Temp qw(tempdir);
use PromptTest::Server;
use Test::More;

open my $in, '<', 'docs/nginx.conf.sample' or die "docs/nginx.conf.sample: $!\n";
my $sample = do { local $/; <$in> };
my ($server) = $sample =~ /^(server \{.*^\})/ms;
my $zones = join "\n", $sample =~ /^(limit_req_zone .*;)$/mg;

ok(defined $server, 'the sample has a server');

# what is not here: certificates, keys, the providers themselves

my $port = PromptTest::Env::free_port();

$server =~ s/listen 443 ssl;/listen 127.0.0.1:$port;/;
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

my $s = PromptTest::Server->new(http => "$zones\n$server");

$s->{port} = $port;

my $type = '{ kind name ' . 'ofType { kind name ' x 9 . '}' x 9 . ' }';
my $answer = $s->ask('alice', '{ __schema { types { name fields { name args '
                     . "{ name type $type } type $type } } } }");

is($answer->{json}{errors}, undef, 'introspection, as clients ask for it');
ok(scalar @{ $answer->{json}{data}{__schema}{types} || [] }, 'has types');

for my $path ('/console', '/metrics') {
    my $socket = $s->send("GET $path HTTP/1.1\r\nHost: localhost\r\n"
                          . "Connection: close\r\n\r\n");

    my $text = do { local $/; <$socket> };

    like($text, qr{^HTTP/1\.1 200 }, $path);
}

ok($s->stop, 'nginx leaves');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
