# Params by the table of a format: what is refused when a version is created, by
# either way, and when it runs; what allow= and max_tokens= of prompt_provider
# change; what providers of different formats are sent.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls;
use PromptTest::Server;
use Test::More;

sub conf
{
    my ($more) = @_;

    return <<"END";
    prompt_provider wide /_provider/openai allow=top_k,min_p,web_search
                    max_tokens=100;
    prompt_provider short /_provider/anthropic format=anthropic max_tokens=50;
    prompt_model wide-fx:* provider=wide max_tokens_as=max_completion_tokens;
    prompt_model short-fx:* provider=short;
$more
END
}

my $s = PromptTest::Server->new(workers => 1, http => conf(''));
my $claude = 'claude-fx:text=said';
my $create = 'mutation ($i: CreatePromptVersionInput!) '
             . '{ createPromptVersion(input: $i) { version } }';

my $prompt = version($s, { model => 'fx:ok' });


# created(PARAMS, MORE): "FIELD MESSAGE" of what is wrong, or 'fine'
sub created
{
    my ($params, %more) = @_;
    my $json = $s->ask('alice', $create, { i => {
        promptId => $prompt, content => 'say {{a}}', params => $params, %more
    } })->{json};
    my $error = $json->{errors} && $json->{errors}[0];

    return 'fine' if !$error;
    return "$error->{extensions}{code} $error->{message}"
        if $error->{extensions}{code} ne 'BAD_USER_INPUT';
    return "$error->{extensions}{field} $error->{message}";
}


# when a version is created

is(created({ model => 'fx:ok', top_p => 1, seed => 5, logit_bias => {},
             verbosity => 'low', response_format => { type => 'json_object' } }),
   'fine', 'what OpenAI knows');
is(created({ model => 'fx:ok', top_k => 5 }), 'params.top_k params.top_k is '
   . 'sent only where the operator allows it: leave it out, or have the '
   . 'provider\'s prompt_provider say allow=top_k', 'what it does not know');
like(created({ model => 'fx:ok', nonsense => 5 }),
     qr/^params\.nonsense .*allow=nonsense$/, 'what nobody knows');
like(created({ model => 'fx:ok', store => \1 }), qr/^params\.store /,
     'what reaches elsewhere');
is(created({ model => 'wide-fx:ok', top_k => 5, min_p => 0.1,
             tools => [ { type => 'web_search' } ] }), 'fine', 'allow=');
like(created({ model => 'fx:ok', tools => [ { type => 'web_search' } ] }),
     qr/^params\.tools .*allow=web_search$/, 'a tool of the provider\'s own');
is(created({ model => 'nobody', top_k => 5 }), 'fine',
   'a model that nobody serves is looked at when it runs');

is(created({ model => $claude, top_k => 5, stop => 'x', thinking => {},
             temperature => 1, reasoning_effort => 'low' }),
   'fine', 'what Anthropic knows');
like(created({ model => $claude, seed => 5 }),
     qr/^params\.seed .*leave it out; its format is anthropic$/, 'what not');
like(created({ model => $claude, temperature => 1.5 }),
     qr/^params\.temperature .*greater than 1 /, 'a temperature');
like(created({ model => $claude,
               response_format => { type => 'json_object' } }),
     qr/^params\.response_format /, 'JSON of no schema');

like(created({ model => 'fx:ok', seed => 5,
               fallbacks => [ { model => 'fx:ok' }, { model => $claude } ] }),
     qr/^params\.fallbacks\.1\.seed .*make it null here/,
     'a fallback of another format');
is(created({ model => 'fx:ok', seed => 5, temperature => undef,
             fallbacks => [ { model => $claude, seed => undef } ] }),
   'fine', 'null takes it away');
like(created({ model => $claude, fallbacks => [ { model => 'fx:ok',
                                                  top_k => 1 } ] }),
     qr/^params\.fallbacks\.0\.top_k .*allow=top_k/, 'and the other way');

for my $name (qw(max_tokens max_completion_tokens)) {
    for my $model ('wide-fx:ok', 'short-fx:ok') {
        my $most = $model =~ /^wide/ ? 100 : 50;

        is(created({ model => $model, $name => $most }), 'fine',
           "$model: $name as large as it may be");
        is(created({ model => $model, $name => $most + 1 }),
           "params.$name params.$name must not be greater than the max_tokens "
           . "of the model's provider, $most", 'and larger');
    }
}

my $answer = $s->ask('alice', 'mutation ($p: JSON!) { importPrompts(prompts: '
    . '[{name: "x", versions: [{version: 1, content: "x", params: {model: '
    . '"fx:ok"}}, {version: 2, content: "x", params: $p}]}]) { created } }',
    { p => { model => 'fx:ok', fallbacks => [ { model => $claude,
                                                seed => 1 } ] } });
is($answer->{json}{errors}[0]{extensions}{field},
   'prompts.0.versions.1.params.fallbacks.0.seed', 'an import');


# what they are sent

executed($s, {
    model => 'fx:status=503', seed => 5, stop => 'x', temperature => 1,
    max_completion_tokens => 7, top_k => undef, reasoning_effort => 'high',
    tools => [ { type => 'function', function => { name => 'f' } } ],
    parallel_tool_calls => \0,
    fallbacks => [ { model => 'claude-fx:status=529', seed => undef },
                   { model => 'wide-fx:status=503', reasoning_effort => undef,
                     tools => undef, parallel_tool_calls => undef,
                     max_completion_tokens => undef, top_k => 3 },
                   { model => 'short-fx:text=said', seed => undef,
                     max_completion_tokens => undef, tools => undef } ],
});

my @calls = calls();
my $messages = [ { role => 'user', content => 'say 1' } ];

is(scalar @calls, 4, 'four are asked');
is_deeply($calls[0]{body}, {
    model => 'fx:status=503', seed => 5, stop => 'x', temperature => 1,
    max_completion_tokens => 7, reasoning_effort => 'high',
    tools => [ { type => 'function', function => { name => 'f' } } ],
    parallel_tool_calls => JSON::PP::false, messages => $messages,
}, 'the first one: as they are, without nulls');
is_deeply($calls[1]{body}, {
    model => 'claude-fx:status=529', stop_sequences => [ 'x' ],
    temperature => 1, max_tokens => 7, output_config => { effort => 'high' },
    tools => [ { name => 'f', input_schema => { type => 'object' } } ],
    tool_choice => { type => 'auto',
                     disable_parallel_tool_use => JSON::PP::true },
    messages => $messages,
}, 'the second: in Anthropic\'s words');
is_deeply($calls[2]{body}, {
    model => 'wide-fx:status=503', seed => 5, stop => 'x', temperature => 1,
    top_k => 3, max_completion_tokens => 100, messages => $messages,
}, 'the third: what is allowed, and the most where nothing is said');
is_deeply($calls[3]{body}, {
    model => 'short-fx:text=said', stop_sequences => [ 'x' ],
    temperature => 1, max_tokens => 50, output_config => { effort => 'high' },
    messages => $messages,
}, 'the fourth: not the 4096 of Anthropic\'s');


# when it runs: where the configuration is another one

my $allowed = version($s, { model => 'wide-fx:text=said', top_k => 1,
                            max_tokens => 100 });
my $elsewhere = version($s, { model => 'later-fx:ok', nonsense => 1 });

my $other = PromptTest::Server->new(http => conf(
    'prompt_model later-fx:* provider=openai;') =~ s/top_k,//r);

for my $case ([ $allowed, 'params.top_k' ], [ $elsewhere, 'params.nonsense' ]) {
    my ($id, $field) = @$case;

    PromptTest::Env::provider_control('clear');
    $answer = $other->ask('alice', $PromptTest::Calls::run, { id => $id })
        ->{json};
    is($answer->{errors}[0]{extensions}{field}, $field,
       "$field: is not allowed there");
    is($answer->{errors}[0]{extensions}{code}, 'BAD_USER_INPUT', 'whose it is');
    is(scalar calls(), 0, 'nobody is asked');
}

done_testing();
