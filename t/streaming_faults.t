# executePromptStream where the provider's stream is odd, damaged, endless or
# huge: what the client gets, and what stands in the row.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;

my $long = 60 * ($ENV{PROMPT_TEST_SLOW} || 1);

my $s = PromptTest::Server->new(workers => 1, http => <<"END");
    prompt_provider long /_provider/openai timeout=${long}s;
    prompt_provider short /_provider/openai timeout=1s;
    prompt_model long-fx:* provider=long input=0.15 output=0.60;
    prompt_model short-fx:* provider=short input=0.15 output=0.60;
END

# row($id): "status|output|in|out|cost" of the only execution of a prompt
sub row
{
    my ($id) = @_;
    my $row = PromptTest::Env::psql("SELECT status, output, token_in, "
        . "token_out, cost_usd FROM executions WHERE prompt_id = '$id'");

    chomp $row;
    return $row;
}


# events(TEXT, ...): a stream of these bytes
sub events
{
    my ($model, $bytes, @more) = @_;
    my $text = join '', map { sprintf '%%%02x', ord } split //, $bytes;

    return PromptTest::Stream::prompt($s, $model, $text, @more);
}


sub delta
{
    my ($text) = @_;

    return qq~data: {"choices":[{"index":0,"delta":{"content":"$text"}}]}\n\n~;
}

my $used = qq~data: {"choices":[],"usage":{"prompt_tokens":10,~
           . qq~"completion_tokens":5}}\n\n~;
my $stop = qq~data: {"choices":[{"index":0,"delta":{},~
           . qq~"finish_reason":"stop"}]}\n\n~;
my $done = "data: [DONE]\n\n";
my $fine = '10|5|0.0000045';
my $bad = "\x{fffd}";


# what is text, and what is none; each cut into pieces of so many bytes

for my $case (
    [ 'a byte order mark', "\xef\xbb\xbf" . delta('a') . $used . $done, 'a' ],
    [ 'CR', (delta('a') . $used . $done) =~ s/\n/\r/gr, 'a' ],
    [ 'CR LF', (delta('a') . $used . $done) =~ s/\n/\r\n/gr, 'a' ],
    [ 'line ends of all kinds', delta('a') =~ s/\n\n/\r\n\n/r
      . delta('b') =~ s/\n\n/\n\r/r . delta('c') =~ s/\n\n/\r\r\n/r . $used
      . $done, 'abc' ],
    [ 'data in two lines', qq~data: {"choices":[{"delta":\n~
      . qq~data: {"content":"a"}}]}\n\n~ . $used . $done, 'a' ],
    [ 'fields that nobody knows', "id: 1\nretry: 9\nfoo\n:\n:x\n" . delta('a')
      . $used . $done, 'a' ],
    [ 'no space behind the colon', (delta('a') . $used . $done)
      =~ s/data: /data:/gr, 'a' ],
    [ 'a pair of surrogates', delta('\\ud83d\\ude00') . $used . $done,
      "\x{1f600}" ],
    [ 'halves of it in two events', delta('\\ud83d') . delta('\\ude00') . $used
      . $done, "\x{1f600}" ],
    [ 'halves that do not meet', delta('\\ud83d') . delta('a\\ude00') . $used
      . $done, "${bad}a$bad" ],
    [ 'no UTF-8', delta("a\xffb") . $used . $done, "a${bad}b" ],
    [ 'a character in two events', delta("\xc3") . delta("\xbc") . $used
      . $done, "$bad$bad" ],
    [ 'U+0000', delta("a\\u0000b") . $used . $done, "a${bad}b" ],
    [ 'several choices', delta('a') . delta('x') =~ s/"index":0/"index":1/r
      . delta('b') . $used . $done, 'ab' ],
    [ 'deltas behind the end', delta('a') . $used . $done . delta('b') . $used
      . $done, 'a' ],
    [ 'deltas behind the reason', delta('a') . $stop . delta('b') . $used
      . $done, 'ab' ],
    [ 'usage twice', delta('a') . $used =~ s/10/99/r . $used . $done, 'a' ],
    [ 'usage first', $used . delta('a') . $stop . $done, 'a' ],
    [ 'usage that is none', delta('a') . $used =~ s/10/-10/r . $done, 'a',
      '|5|' ],
    [ 'usage beyond all', delta('a') . $used =~ s/5\}/99999999999999999999}/r
      . $done, 'a', '10||' ],
    [ 'no usage', delta('a') . $done, 'a', '||' ],
) {
    my ($what, $bytes, $want, $tokens) = @$case;

    for my $cut (1, 2, 7, 100000) {
        my $id = events("long-fx:events,chunk=$cut", $bytes);
        my $got = PromptTest::Stream::stream($s, $id);
        my $output = $want;

        utf8::encode($output);
        is($got->{output}, $want, "$what, $cut: the text");
        is($got->{result}{output}, $want, "$what, $cut: the result");
        is($got->{complete}, 1, "$what, $cut: complete");
        is(row($id), "succeeded|$output|" . ($tokens // $fine),
           "$what, $cut: the row");
    }
}


# what ends a stream

for my $case (
    [ 'half of a call of a tool', delta('a') . qq~data: {"choices":[{"index":0,~
      . qq~"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"f",~
      . qq~"argum~, 'a', qr/incomplete/ ],
    [ 'an error behind text', delta('a') . $used
      . qq~data: {"error":{"message":"secret"}}\n\n~ . $done, 'a',
      qr/reported an error/ ],
    [ 'an error that is text', delta('a') . qq~data: {"error":"secret"}\n\n~,
      'a', qr/reported an error/ ],
    [ 'no JSON behind text', delta('a') . "data: secret\n\n" . $done, 'a',
      qr/could not be read/ ],
    [ 'NUL between events', delta('a') . "\0\n\n" . "data: \0\n\n" . $done,
      'a', qr/could not be read/ ],
    [ 'an end without its line', delta('a') . 'data: [DONE]', 'a',
      qr/incomplete/ ],
) {
    my ($what, $bytes, $want, $error) = @$case;

    for my $cut (1, 100000) {
        my $id = events("long-fx:events,chunk=$cut", $bytes);
        my $got = PromptTest::Stream::stream($s, $id);

        is($got->{output}, $want, "$what, $cut: the text so far");
        like($got->{errors}[0]{message}, $error, "$what, $cut: why");
        unlike($got->{body}, qr/secret/, "$what, $cut: not in its words");
        is($got->{complete}, 1, "$what, $cut: complete");
        like(row($id), qr/^failed\|\Q$want\E\|/, "$what, $cut: the row");
    }
}


# what has no end

for my $case (
    [ 'line=ever', qr/larger than 8 MiB/ ],
    [ 'line=9000000', qr/larger than 8 MiB/ ],
    [ 'line=5000000', qr/could not be read/ ],
    [ 'text=x,repeat=9000000,each=9000000', qr/larger than 8 MiB/ ],
) {
    my ($how, $error) = @$case;
    my $id = PromptTest::Stream::prompt($s, "long-fx:$how");
    my $got = PromptTest::Stream::stream($s, $id);

    like($got->{errors}[0]{message}, $error, "$how: why");
    is($got->{output}, '', "$how: without text");
    is($got->{complete}, 1, "$how: complete");
    like(row($id), qr/^failed\|/, "$how: the row");
}

for my $how ('comments=ever', 'events=%0a,repeat=100000000',
             'events=:%0a,repeat=100000000')
{
    my $id = PromptTest::Stream::prompt($s, "short-fx:$how");
    my $got = PromptTest::Stream::stream($s, $id);

    like($got->{errors}[0]{message}, qr/timed out/, "$how: ends in time");
    like(row($id), qr/^failed\|/, "$how: the row");
}


# one event with as much as there may be, or with what is long as JSON

for my $case ([ 'text=x,repeat=7000000,each=7000000', 'x' x 7000000 ],
              [ 'text=%01,repeat=200000,each=200000', "\1" x 200000 ],
              [ 'text=%F0%9F%90%98,repeat=100001,each=100001',
                "\x{1f418}" x 100001 ])
{
    my ($how, $want) = @$case;
    my $id = PromptTest::Stream::prompt($s, "long-fx:$how");
    my $got = PromptTest::Stream::stream($s, $id);

    ok($got->{output} eq $want, "$how: the text");
    ok($got->{result} && $got->{result}{output} eq $want, "$how: the result");
    is($got->{complete}, 1, "$how: complete");
}

# asked for thirty times, each delta is thirty times as long

{
    my $id = PromptTest::Stream::prompt($s,
                               'long-fx:text=%01,repeat=50000,each=50000');
    my $fields = join ' ', map { "d$_: delta" } 1 .. 20;
    my $got = PromptTest::Stream::stream($s, $id, query =>
        'subscription ($id: ID!, $in: JSON!) { executePromptStream(promptId: '
        . "\$id, input: \$in) { $fields result { output } } }",
        variables => { id => $id, in => {} });
    my $text = join '', map { $_->[1]{data}{executePromptStream}{d7} // '' }
               grep { $_->[0] eq 'next' } @{ $got->{events} };

    ok($text eq "\1" x 50000, 'many aliases: each has all of the text');
    ok($got->{result} && $got->{result}{output} eq "\1" x 50000,
       'many aliases: the result');
    is($got->{complete}, 1, 'many aliases: complete');
}

# each answer of t/fixtures/providers, asked for as a stream: the same as
# executePrompt makes of it, and one row

my $index = do {
    open my $in, '<', 't/fixtures/providers/index.json' or die "index: $!\n";
    local $/;
    PromptTest::Json::decode(scalar <$in>);
};

# forms that the service does not speak
my $unknown = qr{^gemini/(generate|stream)|/responses\.|\.models\.json$|
                 llamacpp\.200\.responses}x;

for my $entry (grep { $_->{status} } @$index) {
    my $file = $entry->{file};
    my $anthropic = $file =~ m{^anthropic/|/llamacpp.*messages};
    my $id = PromptTest::Stream::prompt($s, ($anthropic ? 'claude-' : '')
                                            . 'fx:file=' . $file);
    my $got = PromptTest::Stream::stream($s, $id);
    my $expect = $entry->{expect} || { class => 'any' };
    my $row = row($id);

    is($got->{complete}, 1, "$file: complete");
    like($row, qr/^(succeeded|failed)\|/, "$file: its row");

    if ($file !~ $unknown && $expect->{class} eq 'ok') {
        my ($in, $out) = map { $_ // 'none' } @$expect{'tokenIn', 'tokenOut'};

        is($got->{output}, $expect->{output}, "$file: the text");
        is($got->{result}{output}, $expect->{output}, "$file: the result");
        is($got->{result}{tokenIn} // 'none', $in, "$file: tokens in");
        is($got->{result}{tokenOut} // 'none', $out, "$file: tokens out");
        like($row, qr/^succeeded\|/, "$file: succeeded");

    } elsif ($file =~ $unknown || $expect->{class} eq 'error') {
        ok($got->{errors} && !$got->{result}, "$file: an error");
        like($row, qr/^failed\|/, "$file: failed");
    }
}

ok($s->stop, 'nginx quits in time');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
