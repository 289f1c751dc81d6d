# outputSchema: kept with a version, copied and imported; sent in each format's
# words; and what the model said by it.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP ();
use PromptTest::Calls;
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;

my $s = PromptTest::Server->new(workers => 1);
my $json = JSON::PP->new->canonical->utf8;
my $schema = { type => 'object', required => [ 'n' ],
               properties => { n => { type => 'integer' } } };
my $sound = 'fx:text=%20%7B%22n%22%3A%201%7D';                 #  {"n": 1}
my $wrong = 'fx:text=%7B%22n%22%3A0.5%2C%22m%22%3A%5B%5D%7D';  # {"n":0.5,"m":[]}


sub ask
{
    my ($query, $variables) = @_;

    return $s->ask('alice', $query, $variables)->{json};
}


# created(PARAMS, MORE): a prompt's id, or an error's extensions
my $count = 0;

sub created
{
    my ($params, %more) = @_;
    my $id = ask('mutation ($n: String!) { createPrompt(input: {name: $n}) '
                 . '{ id } }', { n => 'schema-' . ++$count })
        ->{data}{createPrompt}{id};
    my $made = ask('mutation ($i: CreatePromptVersionInput!) '
                   . '{ createPromptVersion(input: $i) { outputSchema } }',
                   { i => { promptId => $id, content => 'x', params => $params,
                            outputSchema => $schema, %more } });

    return $made->{errors} ? $made->{errors}[0]{extensions} : $id;
}


sub run
{
    my ($id) = @_;

    PromptTest::Env::provider_control('clear');

    return ask('mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
               . '{ output outputJson outputErrors executionId toolCalls '
               . '{ name } } }', { id => $id })->{data}{executePrompt};
}


# stored

my $id = created({ model => $sound });
my $version = '{ version outputSchema inputSchema }';

is_deeply(ask("query (\$id: ID!) { prompt(id: \$id) { versions $version } }",
              { id => $id })->{data}{prompt}{versions},
          [ { version => 1, outputSchema => $schema, inputSchema => undef } ],
          'it comes back');

my $fork = ask('mutation ($id: ID!) { forkPrompt(id: $id) { versions '
               . '{ outputSchema } } }', { id => $id })->{data}{forkPrompt};
is_deeply($fork->{versions}, [ { outputSchema => $schema } ], 'a fork has it');

my $import = 'mutation ($v: [ImportVersionInput!]!) { importPrompts(prompts: '
             . '[{name: "imported", versions: $v}]) { created } }';
my $given = [ { version => 1, content => 'x', params => { model => $sound },
                outputSchema => $schema } ];

is_deeply(ask($import, { v => $given }),
          { data => { importPrompts => { created => 1 } } }, 'imported');
is_deeply(ask($import, { v => $given }),
          { data => { importPrompts => { created => 0 } } }, 'and the same');
$given->[0]{outputSchema} = {};
like($json->encode(ask($import, { v => $given })), qr/outputSchema/,
     'another one is another version');
$given->[0]{outputSchema} = { type => 'text' };
is(ask($import, { v => $given })->{errors}[0]{extensions}{field},
   'prompts.0.versions.0.outputSchema.type', 'one that is none');


# refused

for my $case ([ 'x', 'outputSchema' ], [ [], 'outputSchema' ],
              [ { type => 'text' }, 'outputSchema.type' ],
              [ { '$ref' => '#/a' }, 'outputSchema.$ref' ],
              [ { const => 'x' x 270000 }, 'outputSchema' ])
{
    my ($value, $field) = @$case;
    my $error = created({ model => 'fx:ok' }, outputSchema => $value);

    is(ref $error && "$error->{code} $error->{field}",
       "BAD_USER_INPUT $field", "$field is refused");
}

my $format = { type => 'text' };

is(created({ model => 'nobody', response_format => $format })->{field},
   'params.response_format', 'beside a format of params');
is(created({ model => 'fx:ok', fallbacks => [
       { model => 'fx:ok', response_format => $format } ] })->{field},
   'params.fallbacks.0.response_format', 'and that of a fallback');
is(created({ model => 'nobody', text => { format => $format } })->{field},
   'params.text', 'whatever a format calls it');
is(created({ model => 'nobody',
             generationConfig => { responseMimeType => 'text/plain' } })
   ->{field}, 'params.generationConfig', 'or has it in');
ok(!ref created({ model => 'fx:ok', response_format => undef }),
   'not beside null');
ok(!ref created({ model => 'fx:ok' }, outputSchema => undef), 'null is none');


# sent

run($id);
is_deeply([ map { $_->{body}{response_format} } calls() ],
          [ { type => 'json_schema',
              json_schema => { name => 'output', schema => $schema } } ],
          'to OpenAI');

run(created({ model => "claude-$sound", reasoning_effort => 'low' }));
is_deeply([ map { $_->{body}{output_config} } calls() ],
          [ { effort => 'low',
              format => { type => 'json_schema', schema => $schema } } ],
          'to Anthropic');


# what came of it

for my $kind ('', 'claude-') {
    my $answer = run(created({ model => "$kind$sound" }));

    is($answer->{output}, ' {"n": 1}', "$kind: the output as it was said");
    is_deeply([ @$answer{qw(outputJson outputErrors)} ], [ { n => 1 }, [] ],
              'its value, and nothing is wrong');

    my $bad = created({ model => "$kind$wrong" });

    $answer = run($bad);
    is_deeply([ @$answer{qw(outputJson outputErrors)} ],
              [ { n => 0.5, m => [] },
                [ 'n must be of type integer' ] ],
              'what is wrong with it');
    is(row('status, error IS NULL, output_errors'),
       'succeeded|t|{"n must be of type integer"}', 'it succeeded');

    my $executions = '{ executions(first: 1) { outputErrors } '
                     . 'prompt(id: "' . $bad . '") { versions { executions '
                     . '{ status outputErrors } } } }';
    my $data = ask($executions)->{data};

    is_deeply([ $data->{executions}[0]{outputErrors},
                $data->{prompt}{versions}[0]{executions}[0] ],
              [ $answer->{outputErrors},
                { status => 'succeeded',
                  outputErrors => $answer->{outputErrors} } ],
              'the log has it, too');

    my $got = PromptTest::Stream::stream($s, $bad,
        query => 'subscription ($id: ID!, $in: JSON!) { executePromptStream('
                 . 'promptId: $id, input: $in) { delta result { output '
                 . 'outputJson outputErrors } } }');

    is_deeply([ @{ $got->{result} }{qw(outputJson outputErrors)} ],
              [ @$answer{qw(outputJson outputErrors)} ], 'the end of a stream');
}

for my $case ([ 'fx:text=no', undef, [ 'output is not JSON' ] ],
              [ 'fx:text=', undef, [ 'output is not JSON' ] ],
              [ 'fx:text=%22a%5Cu0000%5Cud800%22', "a\x{fffd}\x{fffd}",
                [ 'output must be of type object' ] ],
              [ 'fx:text=' . '%5B' x 70, undef,
                [ 'output is nested too deeply' ] ])
{
    my ($model, $value, $errors) = @$case;
    my $answer = run(created({ model => $model }));

    is_deeply([ @$answer{qw(outputJson outputErrors)} ], [ $value, $errors ],
              "$model: $errors->[0]");
}

my $answer = run(created({ model => $sound }, outputSchema => undef));
is_deeply([ @$answer{qw(outputJson outputErrors)} ], [ undef, undef ],
          'without a schema nothing is said');
is(row('output_errors IS NULL'), 't', 'nor kept');

$answer = run(created({
    model => 'fx:file=openai%2Fchat.200.tool_calls.json' }));
ok($answer->{toolCalls} && !defined $answer->{outputErrors},
   'tools that are called in its place are no output');

$answer = run(created({ model => 'fx:status=503',
                        fallbacks => [ { model => "claude-$sound" } ] }));
is_deeply([ @$answer{qw(outputJson outputErrors)} ], [ { n => 1 }, [] ],
          'of a fallback');

# of versions that a worker has, and of calls that fail

for (1 .. 2) {
    is_deeply(run($id)->{outputErrors}, [], 'a version that is kept');
}

run(created({ model => 'fx:status=400' }));
is(row('status, output_errors IS NULL'), 'failed|t', 'a failure has none');


# only who ran it reads what was said

my $public = created({ model => $wrong });
ask('mutation ($id: ID!) { updatePrompt(id: $id, input: {isPublic: true}) '
    . '{ id } }', { id => $public });
$s->ask('bob', 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
        . '{ executionId } }', { id => $public });
is_deeply(ask('query ($id: ID!) { prompt(id: $id) { versions { executions '
              . '{ output outputErrors } } } }', { id => $public })
              ->{data}{prompt}{versions}[0]{executions},
          [ { output => undef, outputErrors => undef } ],
          'not the owner of the prompt');

done_testing();
