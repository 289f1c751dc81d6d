# OpenAI's API: chat completions and responses, as a whole; bodies, answers and
# errors.  Streams are in openai_stream.t, models in openai_models.t.

use strict;
use warnings;

use lib 't/lib';

use IO::Socket::INET;
use JSON::PP ();
use PromptTest::Env;
use PromptTest::Json;
use PromptTest::OpenAI;
use Test::More;

my $closed = PromptTest::Env::free_port();
my $s = PromptTest::OpenAI::server(
    http => "limit_req_zone \$binary_remote_addr zone=one:1m rate=1r/m;
        prompt_provider closed /_provider/closed;
        prompt_model closed-* provider=closed;
        prompt_provider responses /_provider/openai format=responses;
        prompt_model responses-fx:* provider=responses;",
    server => "location = /_provider/closed { internal;
            proxy_pass http://127.0.0.1:$closed; }
        location /limited/ { limit_req zone=one; prompt_openai; }
        client_max_body_size 8m;
        location /small { client_max_body_size 100; prompt_openai; }");

sub ask    { return PromptTest::OpenAI::ask($s, @_) }
sub prompt { return PromptTest::OpenAI::prompt($s, @_) }
sub row    { return PromptTest::OpenAI::row(@_) }
sub chat   { return ask('chat/completions', @_) }

sub sent
{
    return PromptTest::Env::provider_control('log')->[-1]{body};
}

sub true { return JSON::PP::true() }

# refused($got, STATUS, CODE, PARAM, WORDS, NAME)
sub refused
{
    my ($got, $status, $code, $param, $words, $name) = @_;
    my $error = ($got->{json} // {})->{error} // {};

    is($got->{status}, $status, "$name: $status");
    is($error->{code}, $code, "$name: its code") or diag $got->{body};
    is($error->{param}, $param, "$name: what is at fault");
    like($error->{message}, $words, "$name: the words");
    is(join(' ', sort keys %$error), 'code message param type',
       "$name: in OpenAI's form");
    ok($got->{headers}{'x-request-id'}, "$name: has an id");
    is($got->{headers}{'content-type'} =~ /^application\/json/ ? 1 : 0, 1,
       "$name: JSON");
}


# a chat completion

my $greet = prompt('Greet', 'fx:text=Hello%20Ann', versions => [
    { content => 'Greet {{name}}', inputSchema => {
        type => 'object', properties => { name => { type => 'string' },
        age => { type => 'integer' }, tags => { type => 'array' } } } },
    { content => 'Greet {{name}} again', params => { model => 'fx:usage=9:4:3:2:0:1' } },
]);

{
    my $got = chat({ model => 'greet@1',
                     prompt_variables => { name => 'Ann', age => '7',
                                           tags => '["a"]' } });
    my $answer = $got->{json};
    my $execution = $answer->{execution}{id};

    is($got->{status}, 200, 'a chat completion');
    like($answer->{id}, qr/^chatcmpl-[0-9a-f]{32}$/, 'its id');
    (my $plain = $execution) =~ s/-//g;
    is($answer->{id}, "chatcmpl-$plain", 'is that of the execution');
    is($got->{headers}{'x-request-id'}, $execution, 'which is the header, too');
    is($got->{headers}{'cache-control'}, 'no-store', 'nobody keeps it');
    is($answer->{object}, 'chat.completion', 'object');
    ok(abs($answer->{created} - time()) < 60, 'created');
    is($answer->{model}, 'fx:text=Hello%20Ann', 'the model that answered');
    is_deeply($answer->{choices}, [ { index => 0, message =>
        { role => 'assistant', content => 'Hello Ann', refusal => undef },
        logprobs => undef, finish_reason => 'stop' } ], 'the choice');
    is_deeply($answer->{usage}, { prompt_tokens => 12, completion_tokens => 7,
        total_tokens => 19,
        prompt_tokens_details => { cached_tokens => 0, cache_write_tokens => 0 },
        completion_tokens_details => { reasoning_tokens => 0 } }, 'usage');
    is($answer->{execution}{version}, 1, 'the version');
    is($answer->{execution}{cost_usd}, '0.000006', 'the cost');
    is(row('status, version, label, cost_usd, input', $execution),
       'succeeded|1||0.000006|{"age":7,"name":"Ann","tags":["a"]}',
       'one row; texts are what the schema wants');
    is(row('count(*)', $greet), 1, 'and no other');

    $got = chat({ model => 'Greet', prompt_variables => { name => 'Ann' } });
    is($got->{json}{execution}{version}, 2, 'the latest, without production');
    is_deeply($got->{json}{usage}, { prompt_tokens => 9, completion_tokens => 4,
        total_tokens => 13,
        prompt_tokens_details => { cached_tokens => 3, cache_write_tokens => 2 },
        completion_tokens_details => { reasoning_tokens => 1 } },
        'parts of usage');
}

PromptTest::OpenAI::label($s, $greet, 'production', 1);
PromptTest::OpenAI::label($s, $greet, 'next', 2);

for my $case (
    [ 'greet', 1, 'production' ], [ 'greet@2', 2, '' ],
    [ 'greet@next', 2, 'next' ], [ 'greet@latest', 2, 'latest' ],
    [ $greet, 1, 'production' ], [ "$greet\@next", 2, 'next' ],
    [ 'greet@', 1, 'production' ], [ 'GREET', 1, 'production' ],
) {
    my ($model, $version, $label) = @$case;
    my $got = chat({ model => $model, prompt_variables => { name => 'x' } });

    is(($got->{json}{execution} // {})->{version}, $version, "$model: version");
    is(row('label', $got->{json}{execution}{id}), $label, "$model: label");
}

# which prompt is meant, as LiteLLM says it

for my $case (
    [ { model => 'any', prompt_id => 'greet@1' }, 400, 'model' ],
    [ { model => 'fx:text=other', prompt_id => 'greet' }, 1, 'fx:text=other' ],
    [ { model => 'greet', prompt_id => 'greet', prompt_version => '2' }, 2 ],
    [ { model => 'greet@2', prompt_id => 'greet' }, 2 ],
    [ { prompt_id => 'greet', prompt_label => 'next' }, 2 ],
    [ { model => 'greet', prompt_version => '2' }, 2 ],
    [ { model => 'greet@1', prompt_version => '1' }, 1 ],
    [ { model => 'greet@1', prompt_version => '2' }, 400, 'prompt_version' ],
    [ { model => 'greet@next', prompt_label => 'production' }, 400,
      'prompt_label' ],
    [ { model => 'greet', prompt_version => '2', prompt_label => 'next' }, 400,
      'prompt_version' ],
    [ { model => 'greet@1', prompt_id => 'greet@2' }, 400, 'model' ],
    [ { prompt_id => 7 }, 400, 'prompt_id' ],
    [ { model => 'greet', prompt_version => 2 }, 400, 'prompt_version' ],
    [ {}, 400, 'model' ], [ { model => undef }, 400, 'model' ],
    [ { model => [ 'greet' ] }, 400, 'model' ],
    [ { model => 'greet', prompt_variables => [ 1 ] }, 400,
      'prompt_variables' ],
) {
    my ($body, $want, $param) = @$case;
    my $name = PromptTest::Json::encode($body);

    for my $path ('chat/completions', 'responses') {
        my $got = ask($path, { prompt_variables => { name => 'x' }, %$body });

        if ($want == 400) {
            is($got->{status}, 400, "$path $name: refused");
            is($got->{json}{error}{param}, $param, "$path $name: param");
            next;
        }

        is($got->{json}{execution}{version}, $want, "$path $name: version");
        is($got->{json}{model}, $param, "$path $name: model") if $param;
    }
}

# messages behind the prompt's own; overrides; notes

{
    my $got = chat({ model => 'greet@1', prompt_variables => { name => 'x' },
        messages => [ { role => 'assistant', content => 'Hi', refusal => undef },
                      { role => 'user', content => [ { type => 'text',
                                                       text => 'More' } ] } ],
        temperature => 0.5, max_completion_tokens => 9, top_p => undef,
        seed => 3, store => true(), n => 1, logprobs => JSON::PP::false(),
        service_tier => 'auto', modalities => [ 'text' ],
        response_format => { type => 'json_object' },
        tools => [ { type => 'function', function => { name => 'f',
                                                       parameters => {} } } ],
        metadata => { a => 'b' }, user => 'u1', safety_identifier => 'u1' });
    my $body = sent();

    is($got->{status}, 200, 'with all of it') or diag $got->{body};
    is_deeply([ map { $_->{role} } @{ $body->{messages} } ],
              [ qw(user assistant user) ], 'messages are appended');
    is($body->{temperature}, 0.5, 'temperature');
    is($body->{max_completion_tokens}, 9, 'max_completion_tokens');
    is($body->{seed}, 3, 'seed');
    is($body->{tools}[0]{function}{name}, 'f', 'tools');
    is_deeply($body->{response_format}, { type => 'json_object' },
              'response_format');
    ok(!exists $body->{store} && !exists $body->{n}
       && !exists $body->{service_tier} && !exists $body->{top_p},
       'what changes nothing is not sent');
    is(row('subject, metadata', $got->{json}{execution}{id}), 'u1|{"a":"b"}',
       'notes');
    like(row('appended', $got->{json}{execution}{id}), qr/"More"/, 'kept');

    $got = chat({ model => 'greet@1', prompt_variables => { name => 'x' },
                  messages => [] });
    is($got->{status}, 200, 'no messages');
    is(row('appended', $got->{json}{execution}{id}), '', 'nothing appended');
}

{
    prompt('limited', 'fx:ok', version => { params =>
        { model => 'fx:ok', max_tokens => 5 } });
    chat({ model => 'limited', max_completion_tokens => 8 });
    my $body = sent();
    is($body->{max_completion_tokens}, 8, 'a limit of the call');
    ok(!exists $body->{max_tokens}, 'takes the place of the version\'s');
}

# answers of all kinds

prompt('calls', 'fx:tool=weather%3A%7B%22city%22%3A%22Bern%22%7D,text=');
prompt('cut', 'fx:file=openai/chat.200.length.json')
    if -f 't/fixtures/providers/openai/chat.200.length.json';
prompt('none', 'fx:usage=none');

{
    my $got = chat({ model => 'calls' });
    my $choice = $got->{json}{choices}[0];

    is($choice->{finish_reason}, 'tool_calls', 'calls of tools');
    is_deeply($choice->{message}, { role => 'assistant', content => undef,
        refusal => undef, tool_calls => [ { id => 'call_1', type => 'function',
        function => { name => 'weather', arguments => '{"city":"Bern"}' } } ] },
        'as a message');

    $got = chat({ model => 'calls', messages => [ $choice->{message},
        { role => 'tool', tool_call_id => 'call_1', content => 'Sunny' } ] });
    is($got->{status}, 200, 'which goes on') or diag $got->{body};
    is(sent()->{messages}[2]{role}, 'tool', 'with the answer of the tool');

    $got = chat({ model => 'none' });
    ok(exists $got->{json}{usage} && !defined $got->{json}{usage},
       'usage that is not known is null');
    is($got->{json}{execution}{cost_usd}, undef, 'nor is the cost');
}

for my $case (
    [ 'stop', 'stop' ], [ 'length', 'length' ],
    [ 'content_filter', 'content_filter' ], [ 'whatever', 'stop' ],
) {
    my ($word, $finish) = @$case;
    my $name = "finish-$word";
    my $raw = PromptTest::Json::encode({ choices => [ {
        message => { role => 'assistant', content => 'x' },
        finish_reason => $word } ] });
    $raw =~ s/([,|%])/sprintf '%%%02X', ord $1/ge;
    $name =~ s/_/-/;
    prompt($name, "fx:raw=$raw");
    is(chat({ model => $name })->{json}{choices}[0]{finish_reason}, $finish,
       "$word: $finish");

    my $got = ask('responses', { model => $name });
    is($got->{json}{status}, $finish eq 'stop' ? 'completed' : 'incomplete',
       "$word: status of a response");
    is(($got->{json}{incomplete_details} // {})->{reason},
       { length => 'max_output_tokens', stop => undef,
         content_filter => 'content_filter' }->{$finish}, "$word: why");
}

{
    my $raw = '{"choices":[{"message":{"role":"assistant",'
        . '"content":null,"refusal":"No."},"finish_reason":"stop"}]}';
    $raw =~ s/([,|%])/sprintf '%%%02X', ord $1/ge;
    prompt('refuses', "fx:raw=$raw");

    my $got = chat({ model => 'refuses' });
    is_deeply($got->{json}{choices}[0]{message}, { role => 'assistant',
              content => undef, refusal => 'No.' }, 'a refusal');
    is($got->{json}{choices}[0]{finish_reason}, 'stop', 'ends');
    is_deeply(ask('responses', { model => 'refuses' })->{json}{output}[0]{content},
              [ { type => 'refusal', refusal => 'No.' } ],
              'a refusal of a response');
}

# responses

{
    my $got = ask('responses', { prompt => { id => 'greet', version => '1',
        variables => { name => { type => 'input_text', text => 'Ann' } } },
        input => 'Now', instructions => 'Be short', temperature => 0.5,
        max_output_tokens => 20, metadata => { a => 'b' },
        text => { format => { type => 'json_schema', name => 'n',
                              schema => { type => 'object' }, strict => true() } },
        reasoning => { effort => 'low', summary => 'auto' },
        tools => [ { type => 'function', name => 'f', description => 'd',
                     parameters => { type => 'object' }, strict => undef } ],
        tool_choice => { type => 'function', name => 'f' },
        include => [ 'reasoning.encrypted_content' ], truncation => 'disabled',
        background => JSON::PP::false(), previous_response_id => undef,
        top_logprobs => 0, store => JSON::PP::false(), safety_identifier => 's' });
    my ($answer, $body) = ($got->{json}, sent());

    is($got->{status}, 200, 'a response') or diag $got->{body};
    like($answer->{id}, qr/^resp_[0-9a-f]{32}$/, 'its id');
    is($answer->{object}, 'response', 'object');
    is($answer->{status}, 'completed', 'status');
    is_deeply([ map { [ $_->{type}, $_->{role}, $_->{status},
                        $_->{content}[0]{type}, $_->{content}[0]{text} ] }
                @{ $answer->{output} } ],
              [ [ 'message', 'assistant', 'completed', 'output_text',
                  'Hello Ann' ] ], 'output');
    is($answer->{usage}{input_tokens}, 12, 'usage');
    is($answer->{usage}{total_tokens}, 19, 'all of it');
    is($answer->{instructions}, 'Be short', 'instructions are told again');
    is($answer->{temperature}, 0.5, 'so is the temperature');
    is($answer->{tools}[0]{name}, 'f', 'and tools');
    is_deeply($answer->{metadata}, { a => 'b' }, 'and metadata');
    is($answer->{$_}, undef, "$_ is null")
        for qw(error incomplete_details previous_response_id user top_p);
    is_deeply([ map { "$_->{role}: $_->{content}" } @{ $body->{messages} } ],
              [ 'user: Greet Ann', 'system: Be short', 'user: Now' ],
              'messages');
    is($body->{max_tokens}, 20, 'max_output_tokens');
    is($body->{reasoning_effort}, 'low', 'effort');
    is_deeply($body->{tools}, [ { type => 'function', function => { name => 'f',
        description => 'd', parameters => { type => 'object' } } } ], 'tools');
    is_deeply($body->{tool_choice}, { type => 'function',
                                      function => { name => 'f' } },
              'tool_choice');
    is($body->{response_format}{json_schema}{name}, 'n', 'text.format');
    is(row('subject', $answer->{execution}{id}), 's', 'subject');

    $got = ask('responses', { prompt => { id => 'greet@1', variables =>
        { name => 'Ann' } }, model => 'fx:text=other' });
    is($got->{json}{model}, 'fx:text=other', 'a model beside a prompt is asked');

    prompt('picture', 'fx:text=seen', version => {
        messages => [ { role => 'USER', content => 'Look',
                        images => [ '{{at}}' ] } ], content => 'What?' } );
    $got = ask('responses', { prompt => { id => 'picture', variables => {
        at => { type => 'input_image', image_url => 'https://a.example/x.png' }
        } } });
    is($got->{status}, 200, 'a picture') or diag $got->{body};
    is(sent()->{messages}[0]{content}[1]{image_url}{url},
       'https://a.example/x.png', 'by its address');
}

# items

{
    my $got = ask('responses', { model => 'greet@1', prompt_variables =>
        { name => 'x' }, input => [
        { role => 'user', content => 'One' },
        { type => 'reasoning', id => 'rs_1', summary => [],
          encrypted_content => 'gAAAA' },
        { type => 'message', id => 'msg_1', role => 'assistant',
          status => 'completed', content => [ { type => 'output_text',
          text => 'Two', annotations => [] } ] },
        { type => 'function_call', call_id => 'c1', name => 'f',
          arguments => '{}' },
        { type => 'function_call', call_id => 'c2', name => 'g',
          arguments => '{}' },
        { type => 'function_call_output', call_id => 'c1', output => 'a' },
        { type => 'function_call_output', call_id => 'c2', output => [
          { type => 'input_text', text => 'b' } ] },
        { role => 'user', content => [ { type => 'input_text', text => 'See' },
          { type => 'input_image', detail => 'low',
            image_url => 'https://a.example/y.png' } ] },
        { role => 'assistant', content => [ { type => 'refusal',
                                              refusal => 'No' } ] },
        { role => 'developer', content => 'D' },
    ] });
    my $messages = sent()->{messages};

    is($got->{status}, 200, 'items') or diag $got->{body};
    is_deeply([ map { $_->{role} } @$messages ],
              [ qw(user user assistant tool tool user assistant developer) ],
              'as messages');
    is_deeply([ map { $_->{id} } @{ $messages->[2]{tool_calls} } ],
              [ 'c1', 'c2' ], 'calls of one message');
    is($messages->[5]{content}[1]{image_url}{detail}, 'low', 'a picture');

    $got = ask('responses', { model => 'calls' });
    my $call = $got->{json}{output}[0];
    is($call->{type}, 'function_call', 'a call of a tool');
    is_deeply([ @{$call}{qw(call_id name arguments status)} ],
              [ 'call_1', 'weather', '{"city":"Bern"}', 'completed' ],
              'its members');
    $got = ask('responses', { model => 'calls', input => [ $call,
        { type => 'function_call_output', call_id => 'call_1',
          output => 'Sunny' } ] });
    is($got->{status}, 200, 'goes back as it came') or diag $got->{body};
}

# what a provider has to get back goes through clients of either API

{
    my ($name) = grep { /thinking_tool/ } map { s{.*/}{}r }
        glob 't/fixtures/providers/anthropic/*.200*.json';

    SKIP: {
        skip 'no fixture that thinks', 3 unless $name;

        prompt('thinks', "claude-fx:file=anthropic/$name|text=ok");
        my $got = ask('responses', { model => 'thinks' });
        my ($kept) = grep { $_->{type} eq 'reasoning' }
                     @{ $got->{json}{output} };
        ok($kept && $kept->{encrypted_content}, 'an item of reasoning');
        my @calls = grep { $_->{type} eq 'function_call' }
                    @{ $got->{json}{output} };
        $got = ask('responses', { model => 'thinks', input => [
            @{ $got->{json}{output} },
            map { { type => 'function_call_output', output => 'x',
                    call_id => $_->{call_id} } } @calls ] });
        is($got->{status}, 200, 'goes back') or diag $got->{body};
        my ($said) = grep { $_->{role} eq 'assistant' }
                     @{ sent()->{messages} };
        like(PromptTest::Json::encode($said), qr/"thinking"/,
             'to its provider');
    }
}

# what is wrong in a body

prompt('plain', 'fx:ok', version => { content => 'Hello {{name}}' });
prompt('words', 'fx:ok', version => { content => '{{label}} {{version}}' });

for my $case (
    [ 'chat/completions', '{"model":', qr/not valid JSON/ ],
    [ 'chat/completions', '[]', qr/must be a JSON object/, 'body' ],
    [ 'chat/completions', '"x"', qr/must be a JSON object/, 'body' ],
    [ 'chat/completions', '', qr/not valid JSON/ ],
    [ 'chat/completions', '{"model":"a","model":"b"}', qr/twice|duplicate/i ],
    [ 'chat/completions', "{\"model\":\"\xff\"}", qr/UTF-8/ ],
    [ 'chat/completions', '{"model":"\ud800"}', qr/surrogate/ ],
    [ 'chat/completions', '{"model":' . '[' x 5000 . ']' x 5000 . '}',
      qr/nested/ ],
    [ 'chat/completions', { n => 2 }, qr/one answer/, 'n' ],
    [ 'chat/completions', { logprobs => true() }, qr/false/, 'logprobs' ],
    [ 'chat/completions', { top_logprobs => 3 }, qr/0/, 'top_logprobs' ],
    [ 'chat/completions', { audio => {} }, qr/text/, 'audio' ],
    [ 'chat/completions', { modalities => [ 'audio' ] }, qr/text/,
      'modalities' ],
    [ 'chat/completions', { functions => [] }, qr/tools/, 'functions' ],
    [ 'chat/completions', { messages => 'x' }, qr/array/, 'messages' ],
    [ 'chat/completions', { messages => [ { role => 'user', content => 3 } ] },
      qr/^messages\[0\]\.content /, 'messages[0].content' ],
    [ 'chat/completions', { messages => [ { role => 'user', content => 'a' },
      { role => 'x', content => 'a' } ] }, qr/role/, 'messages[1].role' ],
    [ 'chat/completions', { messages => [ { role => 'tool', content => 'a',
      tool_call_id => 'z' } ] }, qr/./, 'messages[0].tool_call_id' ],
    [ 'chat/completions', { temperature => 'hot' }, qr/^temperature must/,
      'temperature' ],
    [ 'chat/completions', { temperature => 3 }, qr/^temperature must/,
      'temperature' ],
    [ 'chat/completions', { max_tokens => -1 }, qr/^max_tokens must/,
      'max_tokens' ],
    [ 'chat/completions', { max_tokens => 1, max_completion_tokens => 2 },
      qr/something else/, 'max_completion_tokens' ],
    [ 'chat/completions', { web_search_options => {} }, qr/allow/,
      'web_search_options' ],
    [ 'chat/completions', { tools => 'x' }, qr/array/, 'tools' ],
    [ 'chat/completions', { input => 'x' }, qr/service/, 'input' ],
    [ 'chat/completions', { service_tier => 'priority' }, qr/allow/,
      'service_tier' ],
    [ 'chat/completions', { metadata => 'x' }, qr/object/, 'metadata' ],
    [ 'chat/completions', { metadata => { a => 1 } }, qr/./, 'metadata.a' ],
    [ 'chat/completions', { user => 7 }, qr/string/, 'user' ],
    [ 'chat/completions', { user => 'x' x 300 }, qr/./, 'user' ],
    [ 'chat/completions', { user => 'a', safety_identifier => 'b' },
      qr/something else/, 'user' ],
    [ 'chat/completions', { stream => 'yes' }, qr/boolean/, 'stream' ],
    [ 'chat/completions', { stream_options => [] }, qr/object/,
      'stream_options' ],
    [ 'chat/completions', { stream_options => { include_usage => 1 } },
      qr/boolean/, 'stream_options.include_usage' ],
    [ 'chat/completions', { prompt_variables => { name => 7 } },
      qr/string/, 'prompt_variables.name' ],
    [ 'chat/completions', { model => 'plain', prompt_variables => {} },
      qr/no value/, 'prompt_variables.name' ],
    [ 'responses', { background => true() }, qr/waits/, 'background' ],
    [ 'responses', { previous_response_id => 'resp_1' }, qr/not kept/,
      'previous_response_id' ],
    [ 'responses', { conversation => 'c' }, qr/not kept/, 'conversation' ],
    [ 'responses', { truncation => 'auto' }, qr/allow/, 'truncation' ],
    [ 'responses', { include => [ 'message.output_text.logprobs' ] },
      qr/not told/, 'include[0]' ],
    [ 'responses', { include => 'x' }, qr/array/, 'include' ],
    [ 'responses', { n => 2 }, qr/one answer/, 'n' ],
    [ 'responses', { logprobs => true() }, qr/false/, 'logprobs' ],
    [ 'responses', { modalities => [ 'audio' ] }, qr/text/, 'modalities' ],
    [ 'responses', { functions => [ { name => 'f' } ] }, qr/tools/,
      'functions' ],
    [ 'responses', { function_call => 'auto' }, qr/tool_choice/,
      'function_call' ],
    [ 'responses', { text => 'x' }, qr/object/, 'text' ],
    [ 'responses', { text => { x => 1 } }, qr/known/, 'text.x' ],
    [ 'responses', { text => { effort => 'low' } }, qr/known/, 'text.effort' ],
    [ 'responses', { text => { summary => 'x' } }, qr/known/, 'text.summary' ],
    [ 'responses', { reasoning => { format => { type => 'text' } } },
      qr/known/, 'reasoning.format' ],
    [ 'responses', { reasoning => { verbosity => 'low' } }, qr/known/,
      'reasoning.verbosity' ],
    [ 'responses', { text => { format => { type => 'text',
      x => 'x' x 6_000_000 } } }, qr/repeat/, 'body' ],
    [ 'responses', { input => [ map { { type => 'reasoning',
      encrypted_content => '{"a":"' . 'x' x 1_500_000 . '"}' } } 1 .. 3 ] },
      qr/longer/, 'input[2].encrypted_content' ],
    [ 'responses', { prompt => { id => 'greet', 'x' x 70_000 => 1 } },
      qr/no part/, 'prompt.' . 'x' x 1017 ],
    [ 'responses', { text => { "\x{e9}" x 70_000 => 1 } }, qr/known/,
      'text.' . "\x{e9}" x 509 ],
    [ 'chat/completions', { 'x' x 70_000 => 1 }, qr/allow/, 'x' x 1017 ],
    [ 'chat/completions', { tools => [ { x => 'x' x 300_000 } ] }, qr/longer/,
      'body' ],
    [ 'chat/completions', { "a\0" => 1 }, qr/U\+0000/, 'body' ],
    [ 'chat/completions', { model => "greet\0" }, qr/U\+0000/, 'model' ],
    [ 'responses', { prompt => { id => "greet\0" } }, qr/U\+0000/,
      'prompt.id' ],
    [ 'chat/completions', { model => 'words', prompt_variables => {} },
      qr/no value/, 'prompt_variables.label' ],
    [ 'responses', { reasoning => 1 }, qr/object/, 'reasoning' ],
    [ 'responses', { tools => {} }, qr/array/, 'tools' ],
    [ 'responses', { tools => [ { type => 'web_search' } ] }, qr/allow/,
      'tools' ],
    [ 'responses', { max_tokens => 3 }, qr/max_output_tokens/, 'max_tokens' ],
    [ 'responses', { max_output_tokens => 'x' }, qr/integer/,
      'max_output_tokens' ],
    [ 'responses', { temperature => [] }, qr/number/, 'temperature' ],
    [ 'responses', { instructions => 7 }, qr/string/, 'instructions' ],
    [ 'responses', { input => 7 }, qr/string or an array/, 'input' ],
    [ 'responses', { input => [ 'x' ] }, qr/object/, 'input[0]' ],
    [ 'responses', { input => [ { role => 'user', content => 'a' },
      { type => 'item_reference', id => 'x' } ] }, qr/message/,
      'input[1].type' ],
    [ 'responses', { input => [ { type => 7 } ] }, qr/message/,
      'input[0].type' ],
    [ 'responses', { input => [ {} ] }, qr/string/, 'input[0].role' ],
    [ 'responses', { input => [ { role => 'tool', content => 'x' } ] },
      qr/user/, 'input[0].role' ],
    [ 'responses', { input => [ { role => 'user' } ] }, qr/parts/,
      'input[0].content' ],
    [ 'responses', { input => [ { role => 'user', content => [ {
      type => 'input_file', file_id => 'f' } ] } ] }, qr/input_text/,
      'input[0].content[0].type' ],
    [ 'responses', { input => [ { role => 'user', content => [ {
      type => 'input_image', file_id => 'f' } ] } ] }, qr/kept/,
      'input[0].content[0].image_url' ],
    [ 'responses', { input => [ { type => 'function_call', name => 'f' } ] },
      qr/string/, 'input[0].call_id' ],
    [ 'responses', { input => [ { role => 'user', content => 'a' },
      { type => 'function_call_output', call_id => 'z', output => 'x' } ] },
      qr/./, 'input[1]' ],
    [ 'responses', { prompt => 'greet' }, qr/object/, 'prompt' ],
    [ 'responses', { prompt => {} }, qr/string/, 'prompt.id' ],
    [ 'responses', { prompt => { id => 7 } }, qr/string/, 'prompt.id' ],
    [ 'responses', { prompt => { id => 'greet@1', version => '2' } },
      qr/another/, 'prompt.version' ],
    [ 'responses', { prompt => { id => 'greet', version => 1 } }, qr/string/,
      'prompt.version' ],
    [ 'responses', { prompt => { id => 'greet', x => 1 } }, qr/no part/,
      'prompt.x' ],
    [ 'responses', { prompt => { id => 'greet', variables => 'x' } },
      qr/object/, 'prompt.variables' ],
    [ 'responses', { prompt => { id => 'plain', variables => {} } },
      qr/no value/, 'prompt.variables.name' ],
    [ 'responses', { prompt => { id => 'greet@1', variables =>
      { name => { type => 'input_file', file_id => 'f' } } } }, qr/kept/,
      'prompt.variables.name' ],
) {
    my ($path, $body, $words, $param) = @$case;
    my $name = substr "$path " . (ref $body ? PromptTest::Json::encode($body)
                                            : $body), 0, 90;

    $name =~ s/[^ -~]/?/g;

    if (ref $body && !exists $body->{prompt}) {
        $body = { model => 'greet@1', prompt_variables => { name => 'x' },
                  %$body };
    }

    refused(ask($path, $body), 400, undef, $param, $words, $name);
}

is(row("count(*) FILTER (WHERE status <> 'succeeded')", $greet), 0,
   'no row of what was refused');

# who may

my $bobs = prompt('Bobs', 'fx:ok', key => 'bob');
prompt('Shared', 'fx:text=shared', key => 'bob', public => 1);
my $shared = $s->ask('bob', '{ promptByName(name: "shared") { id } }')
    ->{json}{data}{promptByName}{id};

for my $path ('chat/completions', 'responses') {
    refused(ask($path, { model => 'greet' }, key => 'none'), 401,
            'invalid_api_key', undef, qr/API key/, "$path: no key");
    refused(ask($path, { model => 'greet' }, key => 'pmt_' . 'x' x 38), 401,
            'invalid_api_key', undef, qr/API key/, "$path: a wrong key");
    refused(ask($path, { model => 'greet' }, key => 'alice_read'), 403,
            'missing_scope', undef, qr/"execute"/, "$path: a missing scope");
    refused(ask($path, { model => $bobs }), 403, 'insufficient_permissions',
            'model', qr/access/, "$path: somebody else's");
    refused(ask($path, { model => 'bobs' }), 404, 'prompt_not_found', 'model',
            qr/stored prompts: it is no proxy/, "$path: by its name");
    refused(ask($path, { model => 'gpt-4o' }), 404, 'prompt_not_found',
            'model', qr/no proxy/, "$path: a model");
    refused(ask($path, { model => 'greet@9' }), 404, 'prompt_not_found',
            'model', qr/Version 9/, "$path: a version");
    refused(ask($path, { model => 'greet@nowhere' }), 404, 'prompt_not_found',
            'model', qr/not set/, "$path: a label");
    is(ask($path, { model => $shared })->{status}, 200, "$path: a public one");
    is(ask($path, { model => 'greet@1', prompt_variables => { name => 'x' } },
           key => 'alice_execute')->{status}, 200, "$path: the scope alone");
    refused(ask($path, undef), 405, undef, undef, qr/POST/, "$path: by GET");
    is(ask($path, undef)->{headers}{allow}, 'POST', "$path: allowed is POST");
    refused(ask($path, '{}', type => 'text/plain'), 415, undef, undef,
            qr/Content-Type/, "$path: another type");
    refused(ask("$path/", {}), 404, 'unknown_url', undef, qr/address/,
            "$path: a slash more");
}

refused(ask('', {}), 404, 'unknown_url', undef, qr/address/, 'nothing');
refused(ask('embeddings', {}), 404, 'unknown_url', undef, qr/address/,
        'what there is not');

# errors of nginx

sub plain
{
    my ($path, $body) = @_;
    my $socket = $s->send(PromptTest::OpenAI::request($path, $body));

    return PromptTest::OpenAI::parse(PromptTest::Stream::receive($socket));
}

refused(plain('/small/chat/completions', { model => 'x' x 200 }), 413, undef,
        undef, qr/larger/, 'too large');
refused(plain('/smaller/chat/completions', {}), 404, 'unknown_url', undef,
        qr/address/, 'a name that only begins so');
is(plain('/small/responses', { model => 'calls' })->{status}, 200,
   'a location without a slash');
plain('/limited/models', {});
refused(plain('/limited/models', {}), 503, undef, undef, qr/later/,
        'a limit of requests');

# what providers do

for my $case (
    [ 'fx:status=400', 400, 'provider_error', 'false' ],
    [ 'fx:status=413', 400, 'provider_error', 'false' ],
    [ 'fx:status=422', 400, 'provider_error', 'false' ],
    [ 'fx:status=401', 502, 'provider_error', 'false' ],
    [ 'fx:status=403', 502, 'provider_error', 'false' ],
    [ 'fx:status=404', 502, 'provider_error', 'false' ],
    [ 'fx:status=429,retry-after=7', 429, 'rate_limit_exceeded', 'false', 7 ],
    [ 'fx:status=500', 502, 'provider_error', 'false' ],
    [ 'fx:status=503', 503, 'provider_error', 'false' ],
    [ 'fx:hang', 504, 'provider_timeout', 'false' ],
    [ 'fx:raw=%7B%7D', 502, 'provider_error', 'false' ],
    [ 'fx:raw=x', 502, 'provider_error', 'false' ],
    [ 'fx:cut=20', 502, 'provider_error', 'false' ],
    [ 'closed-1', 502, 'provider_error', undef ],
) {
    my ($model, $status, $code, $retry, $after) = @$case;

    prompt('fails', $model) if $model eq 'fx:status=400';
    my $got = chat({ prompt_id => 'fails', model => $model });

    refused($got, $status, $code, undef, qr/provider/, $model);
    is($got->{headers}{'x-should-retry'}, $retry, "$model: whether again");
    is($got->{headers}{'retry-after'}, $after, "$model: when");
    unlike($got->{body}, qr/secret/, "$model: none of the provider's words");
    is(row('status', $got->{headers}{'x-request-id'}), 'failed',
       "$model: the id is the row's");
}

# once only

{
    my $body = { model => 'greet@1', prompt_variables => { name => 'once' } };
    my @key = (headers => [ 'Idempotency-Key: chat-1' ]);
    my $first = chat($body, @key);
    my $again = chat($body, @key);

    is($first->{status}, 200, 'with an Idempotency-Key');
    is($again->{headers}{'idempotency-replayed'}, 'true', 'again');
    is_deeply($again->{json}{execution}, $first->{json}{execution},
              'the same execution');
    is($again->{headers}{'x-request-id'}, $first->{headers}{'x-request-id'},
       'the same id');
    is(chat({ %$body, temperature => 1 }, @key)->{status}, 422, 'another body');

    @key = (headers => [ 'Idempotency-Key: chat-2' ]);
    $body = { prompt_id => 'fails', model => 'fx:status=500' };
    $first = chat($body, @key);
    $again = chat($body, @key);
    is($again->{status}, 502, 'an error is told again');
    is($again->{headers}{'x-should-retry'}, 'false', 'with what it says');
    is($again->{headers}{'x-request-id'}, $first->{headers}{'x-request-id'},
       'of the same execution');

    $body = { prompt_id => 'fails', model => 'fx:delay=1500' };
    @key = (headers => [ 'Idempotency-Key: chat-3' ]);
    my $socket = $s->send(PromptTest::OpenAI::request('/openai/chat/completions',
                                                      $body, @key));
    select undef, undef, undef, 0.3;
    my $busy = chat($body, @key);
    refused($busy, 409, 'idempotency_key_in_use', undef, qr/still/,
            'in progress');
    is($busy->{headers}{'retry-after'}, 1, 'to be asked again');
    is($busy->{headers}{'x-should-retry'}, undef, 'and may be');
    PromptTest::Stream::receive($socket);
    refused(chat($body, headers => [ 'Idempotency-Key: ' . 'x' x 300 ]), 400,
            undef, undef, qr/Idempotency-Key/, 'a key that is none');
}

# an answer that GraphQL would send in several pieces, if it had a list

{
    prompt('long', 'fx:big=3000000');

    my $got = chat({ model => 'long' });
    is(length($got->{json}{choices}[0]{message}{content} // ''), 3000000,
       'a long answer of chat completions');
    $got = ask('responses', { prompt => { id => 'long' } });
    is(length($got->{json}{output}[0]{content}[0]{text} // ''), 3000000,
       'and of responses');
}

ok($s->stop, 'nginx ends');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
