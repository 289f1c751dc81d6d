#!/usr/bin/perl
#
# promptctl import --openai: what people copy of prompts that OpenAI stored
# becomes prompts here, which send what they sent.

use strict;
use warnings;

use File::Temp qw(tempdir);
use JSON::PP ();
use POSIX qw(_exit);
use Test::More;

use lib 't/lib';
use PromptTest::Env;
use PromptTest::Server;

my $dir = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->utf8->canonical;
my ($true, $false) = (JSON::PP::true, JSON::PP::false);

PromptTest::Env::setup();

my $s = PromptTest::Server->new(workers => 1);

$ENV{PROMPT_URL} = "http://127.0.0.1:$s->{port}/graphql";
$ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_key');
delete @ENV{qw(PROMPT_DATABASE_URL PROMPT_REDIS)};

# ctl(ARGUMENTS): status, standard output, standard error
sub ctl
{
    my $pid = fork;

    if ($pid == 0) {
        open STDOUT, '>', "$dir/out" or _exit(126);
        open STDERR, '>', "$dir/err" or _exit(126);
        open STDIN, '<', "$dir/in" or _exit(126);
        alarm 60;
        exec { $PromptTest::Env::promptctl } 'promptctl', @_ or _exit(127);
    }

    waitpid $pid, 0;

    return ($? & 127 ? -1 : $? >> 8, slurp("$dir/out"), slurp("$dir/err"));
}

sub slurp
{
    open my $in, '<', $_[0] or die "$_[0]: $!\n";
    local $/;
    return scalar <$in>;
}

# import(VALUE or TEXT, OPTIONS): the same, of a file with that
sub import_of
{
    my ($value, @options) = @_;

    open my $out, '>', "$dir/in" or die "$dir/in: $!\n";
    print $out ref $value ? $json->encode($value) : $value;
    close $out;

    return ctl('import', '--openai', '-', @options);
}

# the version of that prompt, as it is stored
sub stored
{
    my ($name, $version) = @_;

    my $answer = $s->ask('alice', 'query ($n: String!, $v: Int!) { promptByName(name: $n)'
        . ' { version(number: $v) { content params inputSchema'
        . ' messages { role content images } } } }',
        { n => $name, v => $version });

    return $answer->{json}{data}{promptByName}{version};
}

my $body = {
    prompt => { id => 'pmpt_68b0c29740048196', version => '1',
                variables => { city => 'Bern', tone => 'dry' } },
    model => 'fx:ok',
    instructions => 'Answer in a {{tone}} tone.',
    input => [
        { role => 'developer',
          content => [ { type => 'input_text', text => 'One line.' },
                       { type => 'input_text', text => 'No lists.' } ] },
        { type => 'message', role => 'user', content => 'Hello' },
        { role => 'assistant', id => 'msg_1', status => 'completed',
          content => [ { type => 'output_text', text => 'Yes?',
                         annotations => [] } ] },
        { role => 'user',
          content => [ { type => 'input_text',
                         text => 'Weather in {{ city }}, \\{{city}}?' } ] },
    ],
    text => { format => { type => 'json_schema', name => 'weather',
                          strict => $true,
                          schema => { type => 'object' } },
              verbosity => 'low' },
    reasoning => { effort => 'low', summary => 'auto' },
    tools => [ { type => 'function', name => 'forecast', strict => $true,
                 description => 'd', parameters => { type => 'object' } } ],
    tool_choice => { type => 'function', name => 'forecast' },
    parallel_tool_calls => $false,
    temperature => 0.5, top_p => 1, max_output_tokens => 2048,
    store => $true, include => [ 'reasoning.encrypted_content' ],
    metadata => {}, truncation => undef,
};

subtest 'one with all of it' => sub {
    my ($rc, $out, $err) = import_of($body, '--dry-run');

    is($rc, 0, 'dry run') or diag($err);
    is($out, "would create pmpt-68b0c29740048196\n"
             . "would add version 1 of pmpt-68b0c29740048196\n", 'says what');

    ($rc, $out, $err) = import_of($body);
    is($rc, 0, 'done') or diag($err);
    is($err, '', 'quietly');

    is_deeply(stored('pmpt_68b0c29740048196', 1), {
        content => 'Weather in {{ city }}, \\{{city}}?',
        inputSchema => { type => 'object', required => [ 'tone', 'city' ],
                         properties => { tone => { type => 'string' },
                                         city => { type => 'string' } } },
        messages => [
            map { { role => $_->[0], content => $_->[1], images => [] } }
            [ SYSTEM => 'Answer in a {{tone}} tone.' ],
            [ SYSTEM => "One line.\nNo lists." ],
            [ USER => 'Hello' ], [ ASSISTANT => 'Yes?' ],
        ],
        params => {
            model => 'fx:ok', temperature => 0.5, top_p => 1,
            max_completion_tokens => 2048, parallel_tool_calls => $false,
            reasoning_effort => 'low', verbosity => 'low',
            response_format => { type => 'json_schema',
                                 json_schema => { name => 'weather',
                                                  strict => $true,
                                                  schema => { type => 'object'
                                                            } } },
            tools => [ { type => 'function',
                         function => { name => 'forecast', strict => $true,
                                       description => 'd',
                                       parameters => { type => 'object' } } }
                     ],
            tool_choice => { type => 'function',
                             function => { name => 'forecast' } },
        },
    }, 'what is stored');

    ($rc, $out, $err) = import_of($body);
    is($out, "nothing to do\n", 'once') or diag($err);

    my $run = $s->ask('alice', 'mutation ($i: JSON!) { executePrompt('
        . 'promptId: "pmpt_68b0c29740048196", input: $i) { versionUsed } }',
        { i => { city => 'Bern', tone => 'dry' } });

    is($run->{json}{data}{executePrompt}{versionUsed}, 1, 'it runs')
        or diag($run->{body});
};

subtest 'several, with versions' => sub {
    my @all = map { { name => 'Support Reply', input => $_ } } 'a {{x}}', 'b';

    push @all, { id => 'pmpt_2', instructions => 'Only that.' },
               { name => 'Chat', messages => [ { role => 'user',
                     content => [ { type => 'input_text', text => 'See' },
                                  { type => 'input_image',
                                    image_url => '{{photo}}' } ] } ] };

    my ($rc, $out, $err) = import_of({ object => 'list', data => \@all });

    is($rc, 0, 'done') or diag($err);
    is($out, join('', map { "$_\n" } 'create support-reply',
                  'add version 1 of support-reply',
                  'add version 2 of support-reply', 'create pmpt-2',
                  'add version 1 of pmpt-2', 'create chat',
                  'add version 1 of chat'), 'what was done');

    is_deeply(stored('support-reply', 2),
              { content => 'b', params => {}, messages => [],
                inputSchema => undef }, 'a text alone');
    is_deeply(stored('pmpt_2', 1),
              { content => '', params => {}, inputSchema => undef,
                messages => [ { role => 'SYSTEM', content => 'Only that.',
                                images => [] } ] }, 'instructions alone');
    is_deeply(stored('chat', 1)->{messages},
              [ { role => 'USER', content => '', images => [ '{{photo}}' ] } ],
              'a picture stands before the text');
    is_deeply(stored('chat', 1)->{inputSchema}{required}, [ 'photo' ],
              'and may be a variable');

    ($rc, $out, $err) = import_of([ { %{ $all[0] }, version => 3 } ]);
    is($rc, 0, 'another version, by its number') or diag($err);
    is($out, "add version 3 of support-reply\n", 'is added');
};

subtest 'what is refused, with its place' => sub {
    my %good = (name => 'refused', input => 'x');

    for my $case (
        [ { input => 'x' }, 'name: must be given' ],
        [ { %good, tools => [ { type => 'web_search' } ] },
          'tools: only functions' ],
        [ { %good, tool_choice => { type => 'file_search' },
            tools => [] }, 'tool_choice: only functions' ],
        [ { %good, truncation => 'auto' }, 'truncation: has no place' ],
        [ { %good, text => { format => { type => 'text' }, x => 1 } },
          'text: has no place' ],
        [ { %good, text => 'x' }, 'text: has no place' ],
        [ { %good, prompt => { id => 'a', x => 1 } }, 'prompt: has no place' ],
        [ { %good, previous_response_id => 'resp_1' },
          'previous_response_id: has no place' ],
        [ { %good, input => [ { type => 'function_call', name => 'f' } ] },
          'input\[0\]: no message' ],
        [ { %good, input => [ 1 ] }, 'input\[0\]: no message' ],
        [ { %good, input => 1 }, 'input: neither text' ],
        [ { %good, input => "a\x{0}b" }, 'input: has U\+0000' ],
        [ { %good, input => [ { role => 'user',
                                content => [ { type => 'input_file',
                                               file_id => 'f' } ] } ] },
          'input\[0\]\.content\[0\]: neither text' ],
        [ { %good, input => [ { role => 'tool', content => 'x' } ] },
          'messages\.0\.toolCallId must' ],
        [ { %good, input => [ { role => 'judge', content => 'x' } ] },
          'Variable.*JUDGE.*messages\[0\]\.role' ],
        [ { %good, temperature => 'hot', input => 'a {{' },
          'content' ],
        [ { %good, version => '3' }, 'Version 3 of "refused"' ],
        [ { %good, version => 'x' }, 'version' ],
        [ { %good, top_p => 1, model => 1 }, 'params\.model' ],
    ) {
        my ($value, $said) = @$case;
        my ($rc, $out, $err) = import_of([ { name => 'good', input => 'x' },
                                           $value ]);

        is($rc, 1, "refused: $said");
        like($err, qr/-: prompt 2: $said/,
             'says so');
        is($out, '', 'and nothing else');
    }

    is_deeply($s->ask('alice', '{ promptByName(name: "good") { id } }')
              ->{json}{data}, { promptByName => undef }, 'nothing was done');

    for my $case ([ '[' , qr/JSON/ ], [ '1', qr/must be given/ ],
                  [ '[null]', qr/must be given/ ],
                  [ '{"data": 1, "name": "x"}', qr/data: has no place/ ])
    {
        my ($rc, $out, $err) = import_of($case->[0]);

        is($rc, 1, "refused: $case->[0]");
        like($err, $case->[1], 'says so');
    }

    my ($rc, $out, $err) = import_of('[]');
    is($out, "nothing to do\n", 'none') or diag($err);
};

subtest 'usage' => sub {
    for my $options ([ $dir ], [ '--delete' ], [ '--labels' ]) {
        my ($rc, $out, $err) = import_of({ name => 'x' }, @$options);

        is($rc, 2, "not with @$options");
        like($err, qr/either DIR or --openai/, 'says so');
    }

    my ($rc, $out, $err) = ctl('import');
    is($rc, 2, 'neither');

    ($rc, $out, $err) = ctl('diff');
    is($rc, 2, 'diff wants a folder');
    like($err, qr/usage: promptctl diff DIR/, 'and says so');
};

$s->stop;
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
