# OpenAI's API: models, which are prompts and their labels; and what LiteLLM
# fetches of a prompt.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::OpenAI;
use Test::More;

my $s = PromptTest::OpenAI::server();

sub ask { return PromptTest::OpenAI::ask($s, $_[0], undef, @_[1 .. $#_]) }

sub refused
{
    my ($got, $status, $code, $param, $name) = @_;
    my $error = ($got->{json} // {})->{error} // {};

    is($got->{status}, $status, "$name: $status");
    is($error->{code}, $code, "$name: its code") or diag $got->{body};
    is($error->{param}, $param, "$name: what is at fault");
    ok($got->{headers}{'x-request-id'}, "$name: has an id");
    is($got->{headers}{'x-should-retry'}, undef, "$name: nothing was done");
}

is_deeply(ask('models')->{json}, { object => 'list', data => [] }, 'no prompts');

my $first = PromptTest::OpenAI::prompt($s, 'First', 'fx:ok', versions => [
    { content => 'One {{name}}' },
    { content => 'Two {{name}}', messages => [
        { role => 'SYSTEM', content => 'Be {{how}}' },
        { placeholder => 'history' },
        { role => 'USER', content => 'Look', images => [ '{{at}}', '{{b}}' ] },
        { role => 'ASSISTANT', toolCalls => [ { id => 'c', name => 'f',
                                                arguments => '{}' } ] },
        { role => 'TOOL', toolCallId => 'c', content => 'done' } ],
      params => { model => 'fx:two', temperature => 0.5, max_tokens => 7,
                  fallbacks => [ { model => 'fx:three' } ] } } ]);
PromptTest::OpenAI::prompt($s, "\x{dc}ber \"zwei\"", 'fx:ok');
PromptTest::OpenAI::prompt($s, 'Bobs', 'fx:ok', key => 'bob', public => 1);
my $empty = $s->ask('alice', 'mutation { createPrompt(input: {name: "empty"}) '
                    . '{ id } }')->{json}{data}{createPrompt}{id};
PromptTest::OpenAI::label($s, $first, 'a.b_c-d', 2);

{
    my $got = ask('models');

    is($got->{status}, 200, 'models');
    is_deeply([ map { $_->{id} } @{ $got->{json}{data} } ],
              [ 'empty', "\x{fc}ber-zwei", 'first', 'first@a.b_c-d' ],
              'names, and names with labels');
    is(scalar(grep { $_->{object} ne 'model' || $_->{owned_by} ne 'Personal'
                     || abs($_->{created} - time()) > 60 }
              @{ $got->{json}{data} }), 0, 'each with what clients read');
    is_deeply([ map { $_->{id} } @{ ask('models', key => 'bob')->{json}{data} } ],
              [ 'bobs' ], 'nobody else\'s');

    PromptTest::Env::psql(q(UPDATE projects SET name = E'Caf\\u00e9 "7"'));
    is(ask('models')->{json}{data}[0]{owned_by}, "Caf\x{e9} \"7\"",
       'owned by the project, whatever it is called');
}

for my $case (
    [ 'first', 'first' ], [ 'First', 'first' ], [ 'first@2', 'first@2' ],
    [ 'first@a.b_c-d', 'first@a.b_c-d' ], [ 'first%40latest', 'first@latest' ],
    [ '%C3%BCber-zwei', "\x{fc}ber-zwei" ], [ 'empty', 'empty' ],
) {
    my ($path, $id) = @$case;
    my $got = ask("models/$path");

    is($got->{json}{id}, $id, "models/$path") or diag $got->{body};
    is($got->{json}{object}, 'model', "models/$path: a model");
}

for my $path ('nobody', 'first@9', 'first@nowhere', 'bobs', 'a/b', '%00') {
    my $status = $path eq '%00' ? 400 : 404;

    refused(ask("models/$path"), $status,
            $status == 404 ? 'prompt_not_found' : undef, 'model',
            "models/$path") unless $path eq '%00';
}

is(ask('models/%FF')->{status}, 400, 'a name that is no UTF-8');
is(ask('models/')->{status}, 404, 'no name');
refused(ask('models', key => 'none'), 401, 'invalid_api_key', undef, 'no key');
refused(ask('models', key => 'alice_execute'), 403, 'missing_scope', undef,
        'another scope');
is(ask('models', key => 'alice_read')->{status}, 200, 'the scope');

for my $path ('models', 'models/first', 'beta/litellm_prompt_management') {
    my $got = PromptTest::OpenAI::ask($s, $path, {});

    is($got->{status}, 405, "POST $path");
    is($got->{headers}{allow}, 'GET', "$path: allowed is GET");
}

# LiteLLM

my $litellm = 'beta/litellm_prompt_management?prompt_id=';

is_deeply(ask("${litellm}first")->{json}, { prompt_id => 'first',
    prompt_template => [ { role => 'system', content => 'Be {{how}}' },
        { role => 'user', content => [ { type => 'text', text => 'Look' },
          { type => 'image_url', image_url => { url => '{{at}}' } },
          { type => 'image_url', image_url => { url => '{{b}}' } } ] },
        { role => 'tool', content => 'done' },
        { role => 'user', content => 'Two {{name}}' } ],
    prompt_template_model => 'fx:two',
    prompt_template_optional_params => { temperature => 0.5,
                                         max_tokens => 7 } },
    'the latest version');
is(ask("${litellm}first\@1")->{json}{prompt_template}[0]{content},
   'One {{name}}', 'a number');

PromptTest::OpenAI::label($s, $first, 'production', 1);

is(ask("${litellm}first")->{json}{prompt_template}[0]{content},
   'One {{name}}', 'production, where it is set');
is(ask("${litellm}first%40a.b_c-d")->{json}{prompt_template_model}, 'fx:two',
   'a label');
is(ask("a=b&${litellm}" =~ s/a=b&//r . 'first&x=y')->{status}, 200,
   'beside other arguments');

for my $case ([ "${litellm}nobody", 404, 'prompt_not_found' ],
              [ "${litellm}empty", 404, 'prompt_not_found' ],
              [ "${litellm}first\@9", 404, 'prompt_not_found' ],
              [ "${litellm}%FF", 400, undef ],
              [ 'beta/litellm_prompt_management', 400, undef ])
{
    refused(ask($case->[0]), $case->[1], $case->[2], 'prompt_id', $case->[0]);
}

ok($s->stop, 'nginx ends');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
