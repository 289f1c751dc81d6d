# Every endpoint as a subrequest of every kind, with every Accept, over
# HTTP/1.1 and HTTP/2: nothing before the status line, pages whole, connections
# and requests given back.

use strict;
use warnings;

use lib 't/lib';

use File::Path qw(make_path);
use JSON::PP ();
use PromptTest::Env;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

my ($version) = `$PromptTest::Env::nginx -v 2>&1` =~ m{nginx/([\d.]+)};
my ($major, $minor, $patch) = split /\./, $version;
my $on = $major * 1e6 + $minor * 1e3 + $patch >= 1025001;
my $built = `$PromptTest::Env::nginx -V 2>&1`;

for my $module (qw(v2 auth_request addition slice stub_status)) {
    plan(skip_all => "this nginx has no $module module")
        if $built !~ /http_${module}_module/;
}

my ($word, $line) = $on ? ('', 'http2 on;') : (' http2', '');
my $slow = $PromptTest::Stream::slow;


# what is asked: each by a location of its own, as some who ask give no
# arguments

my $me = 'rewrite ^ /graphql?query=%7Bme%7Bid%7D%7D break; prompt_graphql;';
my $wrong = 'rewrite ^ /graphql?query=%7Bno%7D break; prompt_graphql;';
my $subscription = 'rewrite ^ /graphql?query=subscription%7B'
    . 'executePromptStream(promptId:%22x%22,input:1)%7Bdelta%7D%7D break; '
    . 'prompt_graphql;';

my %endpoints = (
    me => $me, wrong => $wrong, subscription => $subscription,
    metrics => 'prompt_metrics;', health => 'prompt_health;',
    session => 'prompt_session;', echo => 'prompt_echo;',
    mcp => 'prompt_mcp;', openai => 'prompt_openai;',
    console => 'prompt_console path=%DIR%/d;',
    dashboard => 'prompt_dashboard %DIR%/d;',
    models => 'rewrite ^ /models/models break; prompt_openai;',
    chat => 'rewrite ^ /chat/chat/completions break; prompt_openai;',
);

# and by whom

my %kinds = (
    auth_request => 'auth_request /%NAME%/; try_files /page.html =404;',
    ssi => 'ssi on; try_files /ssi-%NAME%.html =404;',
    mirror => 'mirror /%NAME%/; try_files /page.html =404;',
    addition => 'add_before_body /%NAME%/; add_after_body /%NAME%/; '
                . 'try_files /page.html =404;',
    error_page => 'error_page 404 = /%NAME%/; try_files /none =404;',
    post_action => 'post_action /%NAME%/; try_files /page.html =404;',
    slice => 'slice 1k; set $slice $slice_range; rewrite ^ /%NAME%/ last;',
);

my %files = ('d/console.html' => '<html>{{style}}{{script}}',
             'd/console.css' => 'a{}', 'd/console.js' => '1',
             'd/manifest' => "prompt-dashboard 1\npage index.html\nroute /\n",
             'd/index.html' => '<html>{{base}}',
             'html/page.html' => 'begin end');
my $text = '';

for my $name (sort keys %endpoints) {
    $text .= "location /$name/ { $endpoints{$name} }\n";
    $files{"html/ssi-$name.html"} =
        "begin <!--# include virtual=\"/$name/\" --> end";

    for my $kind (sort keys %kinds) {
        (my $how = $kinds{$kind}) =~ s/%NAME%/$name/g;
        $text .= "location = /$kind/$name { default_type text/html; $how }\n";
    }
}

$text .= <<'END';
    location = /status { stub_status; }
    location = /graphql { mirror /copy; prompt_graphql; }
    location = /copy { internal; prompt_graphql; }
END

my $s = PromptTest::Server->new(connections => 256);
my $port = PromptTest::Env::free_port();

for my $file (sort keys %files) {
    (my $folder = "$s->{dir}/$file") =~ s{/[^/]+\z}{};

    make_path($folder);
    open my $out, '>', "$s->{dir}/$file" or die "$file: $!\n";
    print $out $files{$file};
    close $out;
}

$text =~ s/%DIR%/$s->{dir}/g;
$text = "root $s->{dir}/html;\n$text";

my $server = PromptTest::Env::server_config($text);

$s->configure(server => $text, http => <<"END");
    prompt_provider long /_provider/openai timeout=60s;
    prompt_model long-fx:* provider=long input=0.15 output=0.60;
    server {
        listen 127.0.0.1:$port$word;
        $line
$server
    }
END
$s->reload;

my $until = time() + 20;

sleep 0.05 until $s->open_socket && IO::Socket::INET->new(
    PeerAddr => "127.0.0.1:$port") || time() > $until;

my $file = "$s->{dir}/checks.json";

open my $out, '>', $file or die "$file: $!\n";
print $out JSON::PP->new->encode({
    http1 => $s->{port} + 0, http2 => $port + 0, slow => $slow + 0,
    endpoints => [ sort keys %endpoints ], kinds => [ sort keys %kinds ],
    key => PromptTest::Env::var('alice_key'),
    query => $PromptTest::Stream::subscription,
    prompt => PromptTest::Stream::prompt($s,
                                       'long-fx:text=one%20two%20three'),
    paused => PromptTest::Stream::prompt($s,
                             'long-fx:text=one%20two%20three,pause=200'),
});
close $out;

open my $in, '-|', PromptTest::Env::first_of('node'),
     't/lib/subrequest-checks.js', $file or die "node: $!\n";

while (my $line = <$in>) {
    if ($line =~ /^(not )?ok \d+ - (.*)/) {
        ok(!$1, $2);
    } else {
        diag($line);
    }
}

ok(close $in, 'the checks come to their end');


# each stream and its copy were executed, and are recorded

$until = time() + 30 * $slow;

my $rows;

while (1) {
    $rows = PromptTest::Env::psql('SELECT status, count(*) FROM executions '
                                  . 'GROUP BY status');
    last if $rows !~ /running/i || time() > $until;
    sleep 0.2;
}

like($rows, qr/\Asucceeded\|\d+\n\z/, 'all executions are recorded as done');

ok($s->stop, 'nginx quits in time');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
