# Conversations: an agent's loop, in which a history takes the model's answer
# as it is, and what tools have answered; whole and streamed, with both formats.
# Pictures and messages of versions; what both are refused for.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;

my $s = PromptTest::Server->new(workers => 1);
my $result = 'output finishReason toolCalls { id name arguments } message';
my $n = 0;


# prompt(PARAMS [, MESSAGES, CONTENT]): the id of a prompt with such a version

sub prompt
{
    my ($params, $messages, $content) = @_;
    my $id = $s->ask('alice', 'mutation ($n: String!) { createPrompt(input: '
                     . '{name: $n}) { id } }', { n => 'talk-' . ++$n })
        ->{json}{data}{createPrompt}{id};
    my $made = $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
        . '{ createPromptVersion(input: $i) { id } }', { i => {
            promptId => $id, content => $content // '{{question}}',
            params => $params,
            messages => $messages // [ { role => 'SYSTEM', content => 'Be.' },
                                       { placeholder => 'history' } ],
            inputSchema => { properties => { question => { type => 'string' },
                             history => { type => 'array' } } } } });

    is($made->{json}{errors}, undef, 'a version') or diag($made->{body});

    return $id;
}


# ask(ID, INPUT, STREAMED): the result, and the body that the provider got

sub ask
{
    my ($id, $input, $streamed) = @_;
    my $got;

    if ($streamed) {
        $got = PromptTest::Stream::stream($s, $id, query => 'subscription '
            . '($id: ID!, $in: JSON!) { executePromptStream(promptId: $id, '
            . "input: \$in) { delta result { $result } } }",
            variables => { id => $id, in => $input });
        diag($got->{body}) if !$got->{result};
        $got = $got->{result};

    } else {
        $got = $s->ask('alice', 'mutation ($id: ID!, $in: JSON!) '
            . "{ executePrompt(promptId: \$id, input: \$in) { $result } }",
            { id => $id, in => $input });
        diag($got->{body}) if $got->{json}{errors};
        $got = $got->{json}{data}{executePrompt};
    }

    my $log = PromptTest::Env::provider_control('log');

    return ($got, $log->[-1]{body});
}


# the first answer calls tools, the second one speaks

my $tool = 'tool=get_weather%3A%7B%22city%22%3A%22Paris%22%7D,text=';
my $call = { id => 'call_1', type => 'function', function =>
             { name => 'get_weather', arguments => '{"city":"Paris"}' } };
my @thoughts = ({ type => 'thinking', thinking => "Where is \"it\"?\n",
                  signature => 'c2lnbmF0dXJl+/=' },
                { type => 'redacted_thinking', data => 'aGlkZGVu+/=' });
my @uses = ({ type => 'tool_use', id => 'toolu_fixture1',
              name => 'get_weather', input => { city => 'Paris' } },
            { type => 'tool_use', id => 'toolu_fixture2', name => 'get_time',
              input => {} });

for my $case (
    [ 'openai', 0, 'fx:file=openai/chat.200.tool_calls.json|text=Sunny.' ],
    [ 'openai', 1, "fx:$tool|text=Sunny." ],
    [ 'anthropic', 0,
      'claude-fx:file=anthropic/messages.200.thinking_tool_use.json'
      . '|text=Sunny.' ],
    [ 'anthropic', 1,
      'claude-fx:file=anthropic/messages.stream.thinking_tool_use.sse'
      . '|text=Sunny.' ])
{
    my ($format, $streamed, $model) = @$case;
    my $what = $format . ($streamed ? ', streamed' : '');
    my $id = prompt({ model => $model });
    my ($first) = ask($id, { question => 'How is it?' }, $streamed);
    my $said = $first->{message};

    is(@{ $first->{toolCalls} }, $format eq 'openai' ? 1 : 2,
       "$what: calls of tools");
    is_deeply([ map { $_->{function} } @{ $said->{tool_calls} } ],
              [ map { { name => $_->{name}, arguments => $_->{arguments} } }
                @{ $first->{toolCalls} } ], "$what: the message has them");
    is($said->{role}, 'assistant', "$what: it is the assistant's");
    is($said->{content}, $first->{output} eq '' ? undef : $first->{output},
       "$what: with the text");

    my $history = [ { role => 'user', content => 'How is it?' }, $said,
                    map { { role => 'tool', tool_call_id => $_->{id},
                            content => "$_->{name}: fine" } }
                    reverse @{ $first->{toolCalls} } ];
    my ($second, $body) = ask($id, { history => $history }, $streamed);

    is($second->{output}, 'Sunny.', "$what: it goes on");
    is_deeply($second->{message},
              { role => 'assistant', content => 'Sunny.' },
              "$what: with a message of text");

    if ($format eq 'openai') {
        is_deeply($body->{messages}, [ { role => 'system', content => 'Be.' },
                                       @$history ],
                  "$what: the provider gets all of it, and nothing else");
        is($said->{provider}, undef, "$what: nothing is to go back");

    } else {
        is_deeply($said->{provider},
                  { format => 'anthropic', opaque => \@thoughts },
                  "$what: what was thought");
        is_deeply($body->{messages},
                  [ $history->[0],
                    { role => 'assistant', content => [ @thoughts,
                        { type => 'text', text => 'Let me check.' }, @uses ] },
                    { role => 'user', content => [
                        map { { type => 'tool_result', tool_use_id => $_->{id},
                                content => "$_->{name}: fine" } }
                        reverse @uses ] } ],
                  "$what: the provider gets it in its own form");
    }

    # and on, with what the other format takes of it

    push @$history, $second->{message};

    my $other = prompt({ model => $format eq 'openai' ? 'claude-fx:ok'
                                                      : 'fx:ok' });
    my ($third, $sent) = ask($other, { history => $history,
                                       question => 'And now?' }, $streamed);

    is($third->{output}, 'And now?', "$what: then with another format");
    unlike(PromptTest::Json::encode($sent), qr/thinking|provider/,
           "$what: which is not told what is not for it");
}


# a message is what a whole answer is, asked for twice or not at all

my $id = prompt({ model => 'fx:text=' });
my $got = $s->ask('alice', "mutation { executePrompt(promptId: \"$id\", "
                  . 'input: {question: "x"}) { a: message b: message output } }'
                 )->{json}{data}{executePrompt};

is_deeply($got->{a}, { role => 'assistant', content => '' }, 'an empty answer');
is_deeply($got->{b}, $got->{a}, 'twice');


# a version with all there is, and what is read of it

my $pixel = 'data:image/png;base64,iVBORw0KGgo=';
my @messages = (
    { role => 'USER', content => 'See {{question}}.',
      images => [ 'https://{{question}}/', '{{picture}}' ] },
    { role => 'ASSISTANT', toolCalls => [
        { id => '1', name => 'f', arguments => '{"a": 1}' },
        { id => '2', name => 'g', arguments => '' } ] },
    { role => 'TOOL', toolCallId => '2', content => '{{question}}' },
    { role => 'TOOL', toolCallId => '1', content => '' });

$id = prompt({ model => 'fx:text=ok',
               fallbacks => [ { model => 'claude-fx:text=ok' } ] },
             \@messages);

my $fields = 'messages { role content images toolCalls { id name arguments } '
    . 'again: toolCalls { name } toolCallId placeholder }';
my @shown = map {
    my $calls = $_->{toolCalls};

    { content => undef, images => [], toolCallId => undef,
      placeholder => undef, %$_, toolCalls => $calls,
      again => $calls && [ map { { name => $_->{name} } } @$calls ] }
} @messages;

for my $of ("prompt(id: \"$id\")", "p: prompt(id: \"$id\")") {
    my $read = $s->ask('alice', "{ $of { versions(last: 1) { $fields } } }");
    my ($prompt) = values %{ $read->{json}{data} };

    is_deeply($prompt->{versions}[0]{messages}, \@shown, 'are read as given')
        or diag($read->{body});
}

my $fork = $s->ask('alice', "mutation { forkPrompt(id: \"$id\") { versions "
                   . "{ $fields } } }")->{json}{data}{forkPrompt};
is_deeply($fork->{versions}[0]{messages}, \@shown, 'by a fork, too');

my (undef, $body) = ask($id, { question => 'a', picture => $pixel });

is_deeply($body->{messages}, [
    { role => 'user', content => [ { type => 'text', text => 'See a.' },
        map { { type => 'image_url', image_url => { url => $_ } } }
        'https://a/', $pixel ] },
    { role => 'assistant', content => undef, tool_calls => [
        { id => '1', type => 'function',
          function => { name => 'f', arguments => '{"a": 1}' } },
        { id => '2', type => 'function',
          function => { name => 'g', arguments => '' } } ] },
    { role => 'tool', content => 'a', tool_call_id => '2' },
    { role => 'tool', content => '', tool_call_id => '1' },
    { role => 'user', content => 'a' } ], 'are sent');

(undef, $body) = ask(prompt({ model => 'claude-fx:text=ok' }, \@messages),
                     { question => 'a', picture => $pixel });

is_deeply($body->{messages}, [
    { role => 'user', content => [ { type => 'text', text => 'See a.' },
        { type => 'image', source => { type => 'url', url => 'https://a/' } },
        { type => 'image', source => { type => 'base64',
          media_type => 'image/png', data => 'iVBORw0KGgo=' } } ] },
    { role => 'assistant', content => [
        { type => 'tool_use', id => '1', name => 'f', input => { a => 1 } },
        { type => 'tool_use', id => '2', name => 'g', input => {} } ] },
    { role => 'user', content => [
        { type => 'tool_result', tool_use_id => '2', content => 'a' },
        { type => 'tool_result', tool_use_id => '1', content => '' } ] },
    { role => 'user', content => 'a' } ], 'to Anthropic, too');


# what is wrong is said before anything is sent, with its place

sub refused
{
    my ($id, $input, $field) = @_;

    PromptTest::Env::provider_control('clear');

    my $error = $s->ask('alice', 'mutation ($id: ID!, $in: JSON!) '
        . '{ executePrompt(promptId: $id, input: $in) { output } }',
        { id => $id, in => $input })->{json}{errors}[0];

    is($error->{extensions}{code}, 'BAD_USER_INPUT', "$field: refused");
    is($error->{extensions}{field}, $field, "$field: the field");
    like($error->{message}, qr/^\Q$field\E/, "$field: the message names it");
    is(@{ PromptTest::Env::provider_control('log') }, 0, "$field: not sent");
}

for my $picture ('http://a/', 'data:text/html;base64,AA==', 'file:///a', '') {
    refused($id, { question => 'a', picture => $picture },
            'messages.0.images.1');
}

my $talk = prompt({ model => 'claude-fx:ok' });
my $asked = { role => 'assistant', content => undef, tool_calls => [ $call ] };
my $told = { role => 'tool', tool_call_id => 'call_1', content => 'x' };

refused($talk, { question => 'a', history => [ { role => 'user', content =>
        [ { type => 'image_url', image_url => { url => 'http://a/' } } ] } ] },
        'history.0.content.0.image_url.url');
refused($talk, { question => 'a', history => [ $told ] },
        'history.0.tool_call_id');
refused($talk, { question => 'a', history => [ $asked ] },
        'history.0.tool_calls');
refused($talk, { history => [ { role => 'user', content => 'x' },
        { %$asked, tool_calls => [ { %$call, function => { name => 'f',
          arguments => '[1]' } } ] }, $told ] },
        'history.1.tool_calls.0.function.arguments');
refused($talk, { history => [ { %$asked, tool_calls => [ { %$call,
        function => { name => 1, arguments => '' } } ] } ] },
        'history.0.tool_calls.0.function.name');
refused($talk, { question => 'a', history => [ { role => 'assistant',
        content => 'x', provider => { format => 'anthropic', opaque =>
        [ { type => 'document', source => {} } ] } } ] },
        'history.0.provider.opaque');
refused($talk, { question => 'a', history => [ $asked, $told,
        { role => 'developer', content => 'x' } ] }, 'history.2');

is_deeply([ $s->faults ], [], 'clean error log');
done_testing();
