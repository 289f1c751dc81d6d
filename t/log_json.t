# docs/log-format.conf: whatever becomes of a request, its line is JSON.

use strict;
use warnings;
use utf8;

use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;
use Time::HiRes qw(sleep time);

use lib 't/lib';
use PromptTest::Env;
use PromptTest::Server;
use PromptTest::Stream;

my @texts = qw(time request trace address method protocol status user project key
               operation error_code prompt execution model);
my @numbers = qw(seconds received sent);
my @unknown = qw(version cost_usd tokens_in tokens_out provider_ms);  # or null

my $dir = tempdir(CLEANUP => 1);
my $format = text_of('docs/log-format.conf');


sub text_of
{
    my ($file) = @_;

    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


# where a document shows the format, it is this one
my $shown = 0;

for my $file (grep { -f } 'README.md', glob 'docs/*.md') {
    for my $block (text_of($file) =~ /^```nginx\n(.*?)^```$/gms) {
        next unless $block =~ /^ *log_format prompt_json /m;

        my ($told) = $block =~ /(log_format prompt_json .*?;)$/ms;
        my ($real) = $format =~ /(log_format prompt_json .*?;)$/ms;

        is($told =~ s/\s+/ /gr, $real =~ s/\s+/ /gr,
           "$file shows the format as it is");
        $shown++;
    }
}

note "shown $shown times";

# a build without traces has no id of one
if (!grep { text_of($_) =~ /"prompt_trace_id"/ } glob 'src/http/*.c') {
    $format =~ s/\$prompt_trace_id//;
}

my $s = PromptTest::Server->new(
    workers => 1,
    http => $format,
    server => "access_log $dir/access.log prompt_json; location = /plain "
              . "{ return 200 fine; }");

my $expected = 0;


# line($name, WANT...): the line that the last request made, once it is there
sub line
{
    my ($name, %want) = @_;
    my $until = time() + 10;
    my @lines;

    $expected++;

    while (time() < $until) {
        open my $in, '<:raw', "$dir/access.log" or die "access.log: $!\n";
        @lines = grep { /\n\z/ } <$in>;     # what is whole
        last if @lines >= $expected;
        sleep 0.02;
    }

    is(scalar @lines, $expected, "$name: a line") or return;

    my $line = eval { JSON::PP->new->utf8->decode($lines[-1]) };

    ok(defined $line, "$name: is JSON") or diag $lines[-1];
    return unless defined $line;

    is_deeply([ sort keys %$line ], [ sort @texts, @numbers, @unknown ],
              "$name: all is there, once");

    my @bad = ((grep { $lines[-1] !~ /"$_":"/ } @texts),
               (grep { $lines[-1] !~ /"$_":\d/ } @numbers),
               (grep { $lines[-1] !~ /"$_":(?:null|\d)/ } @unknown));

    is_deeply(\@bad, [], "$name: texts are strings, the rest numbers or null");

    for my $what (sort keys %want) {
        like($line->{$what} // 'null', qr/^(?:$want{$what})$/,
             "$name: $what");
    }
}


# raw($text): sends it, and reads what comes
sub raw
{
    my ($text, $seconds) = @_;
    my $socket = $s->send($text);

    return defined $socket ? $s->receive($socket, $seconds) : undef;
}


my $id = '[0-9a-f-]{36}';

$s->ask('alice', '{ me { id } }');
line('a query', status => 200, user => $id, key => $id, operation => 'me',
     error_code => '', tokens_in => 'null', cost_usd => 'null',
     provider_ms => 'null', model => '');

$s->ask('alice', '{ me { id } prompts { id } }');
line('several root fields', operation => 'multiple');

$s->ask('nobody', '{ me { id } }');
line('a key of no form', status => 401, user => '', key => '',
     error_code => 'UNAUTHENTICATED', operation => '');

$s->ask('pmt_' . 'A' x 43, '{ me { id } }');
line('a key that is unknown', status => 401, user => '');

$s->ask('alice', '{ prompt(id: "x") { id } }');
line('an error', operation => 'prompt', error_code => 'NOT_FOUND');

$s->ask('alice', '{');
line('no document', error_code => 'BAD_USER_INPUT');

raw("POST /graphql HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    . "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}");
line('another type', status => 415);

raw("DELETE /graphql HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
line('another method', status => 405, method => 'DELETE');

raw("GET /plain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
line('another location', status => 200, operation => '', tokens_in => 'null');

raw("GET /%22%0a\xff\"\\ HTTP/1.1\r\nHost: x\r\nUser-Agent: \"\\\xff\r\n"
    . "Connection: close\r\n\r\n");
line('bytes that are no text');

raw("\x16\x03\x01\r\n\r\n");
line('no request at all', status => 400);

raw("GET /plain\r\n", 5);
line('HTTP/0.9', status => '\d+');

# executions, whole

my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
          . '{ output } }';
my $prompt = PromptTest::Stream::prompt($s, 'fx:usage=100:50');

$expected += 2;                                  # it and its version

$s->ask('alice', $run, { id => $prompt });
line('an execution', operation => 'executePrompt', model => 'fx:usage=100:50',
     cost_usd => '0\.000045|4\.5e-0?5', tokens_in => 100, tokens_out => 50,
     provider_ms => '\d+', error_code => '');

for my $case ([ 'no price' => 'free-fx:ok', cost_usd => 'null',
                tokens_in => 12 ],
              [ 'no usage' => 'fx:usage=none', tokens_in => 'null' ],
              [ 'a failure' => 'fx:status=500', cost_usd => 'null',
                error_code => 'INTERNAL_SERVER_ERROR', provider_ms => '\d+' ],
              [ 'a provider that closes' => 'fx:close',
                error_code => 'INTERNAL_SERVER_ERROR' ],
              [ 'a name of anything' => qq{fx:ok"\\\r\n\x{7f}ü\x{2028}},
                model => 'fx:ok.*' ])
{
    my ($name, $model, %want) = @$case;

    $prompt = PromptTest::Stream::prompt($s, $model);
    $expected += 2;
    $s->ask('alice', $run, { id => $prompt });
    line($name, operation => 'executePrompt', %want);
}

# streams

$prompt = PromptTest::Stream::prompt($s, 'fx:usage=100:50');
$expected += 2;
$s->receive($s->send(PromptTest::Stream::request($s, $prompt)));
line('a stream', operation => 'executePromptStream', tokens_in => 100,
     status => 200);

for my $left ([ 'a call that is left' => sub { $s->request('alice', $run,
                                                   { id => $prompt }) } ],
              [ 'a stream that is left' => sub {
                    PromptTest::Stream::request($s, $prompt) } ])
{
    my ($name, $text) = @$left;

    $prompt = PromptTest::Stream::prompt($s, 'fx:delay=700');
    $expected += 2;

    my $socket = $s->send($text->());

    sleep 0.3;
    close $socket;
    line($name, operation => 'executePrompt.*', status => '\d{3}');
}

ok($s->stop, 'nginx quits');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
