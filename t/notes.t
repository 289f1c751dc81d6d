# What a caller says beside the input: subject, metadata, overrides; prompts by
# their names; renderPrompt.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP ();
use PromptTest::Server;
use Test::More;

my $s = PromptTest::Server->new(workers => 1, timeout => 20,
    http => 'prompt_provider other /_provider/openai; '
            . 'prompt_model other-fx:* provider=other; '
            . 'prompt_default_model fx:text=default;');

my $run = 'mutation ($id: ID!, $in: JSON = {a: "x"}, $v: Int, $l: String, '
    . '$s: String, $m: JSON, $o: JSON) { executePrompt(promptId: $id, '
    . 'input: $in, version: $v, label: $l, subject: $s, metadata: $m, '
    . 'overrides: $o) { output model executionId versionUsed } }';
my $render = 'query ($id: ID!, $in: JSON = {a: "x"}, $v: Int, $l: String) { '
    . 'renderPrompt(promptId: $id, input: $in, version: $v, label: $l) { '
    . 'version params model messages { role content images toolCallId '
    . 'toolCalls { id name arguments } } } }';

sub ask { return $s->ask(@_)->{json} }

sub prompt
{
    my ($user, $name, @versions) = @_;
    my $id = ask($user, 'mutation ($n: String!) { createPrompt(input: '
                        . '{name: $n}) { id } }', { n => $name })
        ->{data}{createPrompt}{id};

    for my $version (@versions) {
        my $json = ask($user, 'mutation ($i: CreatePromptVersionInput!) { '
                              . 'createPromptVersion(input: $i) { id } }',
                       { i => { promptId => $id, %$version } });

        die JSON::PP->new->encode($json) if $json->{errors};
    }

    return $id;
}

# executed(VARIABLES [, USER]): the result, or "CODE field"
sub executed
{
    my ($variables, $user) = @_;

    PromptTest::Env::provider_control('clear');

    my $json = ask($user || 'alice', $run, $variables);
    my $error = $json->{errors} && $json->{errors}[0]{extensions};

    return $error ? join ' ', $error->{code}, $error->{field} // ()
                  : $json->{data}{executePrompt};
}

sub sent { return PromptTest::Env::provider_control('log')->[-1]{body} }

sub row
{
    my $text = PromptTest::Env::psql("SELECT $_[0] FROM executions ORDER BY "
                                     . 'id DESC LIMIT 1');
    chomp $text;
    return $text;
}

my $id = prompt('alice', 'Sum Up!',
    { content => 'first {{a}}', params => { model => 'fx:text=one' } },
    { content => 'second {{a}}', messages => [
          { role => 'SYSTEM', content => 'be {{a}}' }, { placeholder => 'h' } ],
      params => { model => 'fx:text=two', temperature => 1, max_tokens => 5,
                  fallbacks => [ { model => 'fx:text=spare' } ] } });
my $bob = prompt('bob', 'sum-up', { content => 'bobs {{a}}',
                                    params => { model => 'fx:text=bob' } });
my $in = { a => 'x', h => [] };

ask('alice', 'mutation ($id: ID!) { setPromptLabel(promptId: $id, '
             . 'label: "live", version: 1) { label } }', { id => $id });


# by name

for my $name ('sum-up', 'Sum Up', 'sumUp') {
    is(executed({ id => $name, in => $in })->{output}, 'two', "by $name");
}

is(executed({ id => 'sum-up', in => $in })->{versionUsed}, 2, 'once more');
is(row('prompt_id'), $id, 'and its id in the row');
is(executed({ id => 'sum-up', v => 1 })->{output}, 'one', 'a version') for 1, 2;
is(executed({ id => 'sum-up', l => 'live' })->{output}, 'one', 'a label')
    for 1, 2;
is(executed({ id => 'sum-up' }, 'bob')->{output}, 'bob', 'each their own')
    for 1, 2;
is(executed({ id => 'sum-up', v => 1 })->{output}, 'one', 'not the other\'s');

for my $none ('other', '-', '', 'x' x 200, "$id-x") {
    is(executed({ id => $none }), 'NOT_FOUND', "no prompt \"$none\"");
}
is(executed({ id => 'sum-up', v => 7 }), 'NOT_FOUND', 'no such version');
is(executed({ id => 'sum-up', l => 'dead' }), 'NOT_FOUND', 'no such label');

ask('alice', 'mutation ($id: ID!) { updatePrompt(id: $id, input: '
             . '{name: "renamed"}) { id } }', { id => $id });
is(executed({ id => 'sum-up', in => $in }), 'NOT_FOUND', 'renamed, it is gone');
is(executed({ id => 'renamed', in => $in })->{output}, 'two', 'and there');

my $next = prompt('alice', 'sum-up', { content => 'x',
                                       params => { model => 'fx:text=new' } });
is(executed({ id => 'sum-up' })->{output}, 'new', 'another one has the name');
ask('alice', 'mutation ($id: ID!) { deletePrompt(id: $id) }', { id => $next });
is(executed({ id => 'sum-up' }), 'NOT_FOUND', 'until it is deleted');


# overrides

my $over = executed({ id => $id, in => $in, o => {
    model => 'other-fx:text=else', temperature => undef, top_p => 0.5 } });
is($over->{model}, 'other-fx:text=else', 'another model');
my $sent = sent();
is_deeply([ @$sent{qw(model max_tokens top_p)}, exists $sent->{temperature} ],
          [ 'other-fx:text=else', 5, 0.5, '' ], 'members replaced and removed');
executed({ id => $id, in => $in });
is(sent()->{temperature}, 1, 'for one call');

is(executed({ id => $id, in => $in, o => { model => undef } })->{output},
   'default', 'without a model it is the default');
is(executed({ id => $id, in => $in, o => { model => 'fx:status=500',
       fallbacks => [ { model => 'fx:text=third' } ] } })->{output}, 'third',
   'other fallbacks');
is(executed({ id => $id, in => $in, o => { model => 'fx:status=500',
                                           fallbacks => undef } }),
   'INTERNAL_SERVER_ERROR', 'none');

for my $case ([ 7, 'overrides' ], [ [], 'overrides' ],
              [ { temperature => 9 }, 'params.temperature' ],
              [ { stream => JSON::PP::true() }, 'params.stream' ],
              [ { model => 'nobody' }, 'params.model' ],
              [ { fallbacks => 7 }, 'params.fallbacks' ],
              [ { stop => 'x' x 300_000 }, 'params' ])
{
    is(executed({ id => $id, in => $in, o => $case->[0] }),
       "BAD_USER_INPUT $case->[1]", "refused: $case->[1]");
}


# subject and metadata

my %noted = (s => 'user-1', m => { tenant => 'a', env => 'prod' });
my $first = executed({ id => $id, in => $in, %noted })->{executionId};
is(row('subject, metadata::jsonb'),
   'user-1|{"env": "prod", "tenant": "a"}', 'in the row')
    or diag row('subject, metadata');
my $second = executed({ id => $id, in => $in, s => 'user-2',
                        m => { tenant => 'a' } })->{executionId};
my $bobs = executed({ id => $bob, %noted }, 'bob')->{executionId};

my $seen = ask('alice', '{ execution(id: "' . $first . '") { subject metadata '
                        . '} }')->{data}{execution};
is_deeply($seen, { subject => 'user-1', metadata => $noted{m} }, 'shown');

for my $case (
    [ { s => 'x' x 257 }, 'subject' ], [ { m => 7 }, 'metadata' ],
    [ { m => { map { $_ => 'x' } 1 .. 17 } }, 'metadata' ],
    [ { m => { a => 1 } }, 'metadata.a' ],
    [ { m => { a => 'x' x 257 } }, 'metadata.a' ],
    [ { m => { 'x' x 257, 'a' } }, 'metadata' ],
    [ { m => { a => "\0" } }, 'metadata.a' ])
{
    is(executed({ id => $id, in => $in, %{ $case->[0] } }),
       "BAD_USER_INPUT $case->[1]", "refused: $case->[1]");
}

ok(ref executed({ id => $id, in => $in, s => "\x{e9}" x 256,
                  m => { map { $_ => "\x{e9}" x 256 } 1 .. 16 } }),
   'all that may be');

# listed(VARIABLES [, USER]): ids, oldest first
sub listed
{
    my ($variables, $user) = @_;
    my $json = ask($user || 'alice', 'query ($s: String, $m: JSON, $p: ID, '
        . '$t: [String!], $first: Int = 50, $after: ID) { executions('
        . 'subject: $s, metadata: $m, promptId: $p, status: $t, first: $first, '
        . 'after: $after) { id } }', $variables);

    return $json->{errors} ? $json->{errors}[0]{extensions}{field}
                           : join ' ', map { $_->{id} }
                                       reverse @{ $json->{data}{executions} };
}

is(listed({ s => 'user-1' }), $first, 'by subject');
is(listed({ s => 'nobody' }), '', 'there is none');
is(listed({ m => { tenant => 'a' } }), "$first $second", 'by a member');
is(listed({ m => { env => 'prod', tenant => 'a' } }), $first, 'by two');
is(listed({ m => { tenant => 'b' } }), '', 'by another value');
is(listed({ s => 'user-2', m => { tenant => 'a' } }), $second, 'by both');
is(listed({ s => 'user-1', m => { tenant => 'b' } }), '', 'not by one');
is(listed({ m => { tenant => 'a' }, p => $id, t => [ 'succeeded' ] }),
   "$first $second", 'with other filters');
is(listed({ m => { tenant => 'a' }, t => [ 'failed' ] }), '', 'that match');
is(listed({ m => { tenant => 'a' }, first => 1 }), $second, 'a page');
is(listed({ m => { tenant => 'a' }, first => 1, after => $second }), $first,
   'the next');
is(listed({ s => 'user-1' }, 'bob'), $bobs, 'each their own');
is(listed({ m => {} }), 'metadata', 'nothing is nothing to ask for');
is(listed({ m => { a => 1 } }), 'metadata', 'nor is a number')
    if listed({ m => { a => 1 } }) ne 'metadata.a';

# what others noted of one's public prompt is neither shown nor found

PromptTest::Env::psql('UPDATE prompts SET is_public = true');
$bobs = executed({ id => $id, in => $in, s => 'secret', m => { k => 'v' } },
                 'bob')->{executionId};
is_deeply(ask('alice', "{ execution(id: \"$bobs\") { subject metadata } }")
              ->{data}{execution}, { subject => undef, metadata => undef },
          'hidden');
is(listed({ s => 'secret' }) . listed({ m => { k => 'v' } }), '', 'not found');
is(listed({ m => { k => 'v' } }, 'bob'), $bobs, 'but by who ran it');

# what is far behind the newest is found by its marks

PromptTest::Env::psql(<<"END");
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status,
                        subject, metadata)
    SELECT (left(prompt_id_of(now() - n * interval '12 hours')::text, 24)
            || lpad(to_hex(n), 12, '0'))::uuid,
           '$id', 1, (SELECT id FROM users WHERE email = 'alice\@example.com'),
           true, 'succeeded', 's' || n % 10,
           json_build_object('n', 'x' || n % 1000, 'all', 'y')
        FROM generate_series(1, 3000) n;
END
is(scalar split(' ', listed({ m => { n => 'x7' } })), 3, 'three of 3,000');
is(scalar split(' ', listed({ m => { all => 'y', n => 'x7' } })), 3, 'of both');
is(scalar split(' ', listed({ m => { all => 'y' } })), 50, 'of all a page');
is(scalar split(' ', listed({ s => 's3', first => 400 })), 300, 'of a subject');

my ($all, $after) = ('', undef);
while ((my $page = listed({ m => { all => 'y' }, first => 700,
                            after => $after })) ne '') {
    $all = "$page $all";
    ($after) = split ' ', $page;
}
is(scalar split(' ', $all), 3000, 'page by page, all of them');


# rendered, and nobody called

PromptTest::Env::provider_control('clear');
my $rows = row('count(*) OVER ()');
my $history = [ { role => 'user', content => 'u' },
                { role => 'assistant', content => 'said' } ];
my $got = ask('alice', $render, { id => 'renamed', in => { a => 'kind',
                                                           h => $history } })
    ->{data}{renderPrompt};
is_deeply([ map { "$_->{role}: $_->{content}" } @{ $got->{messages} } ],
          [ 'system: be kind', 'user: u', 'assistant: said',
            'user: second kind' ], 'the messages');
is_deeply($got->{messages}[0]{images}, [], 'without pictures');
is($got->{messages}[0]{toolCalls}, undef, 'or calls');
is($got->{version} . $got->{model} . $got->{params}{temperature},
   '2fx:text=two1', 'version, model, params');
is(ask('alice', $render, { id => $id, v => 1 })->{data}{renderPrompt}{version},
   1, 'a version');
is(ask('alice', $render, { id => $id, l => 'live' })->{data}{renderPrompt}
       {messages}[0]{content}, 'first x', 'a label');
is(ask('bob', $render, { id => $id, v => 1 })->{data}{renderPrompt}{version},
   1, 'of a public prompt');
PromptTest::Env::psql('UPDATE prompts SET is_public = false');

my $calls = [ map { { id => "c$_", name => 'f', arguments => "no JSON $_" } }
              1, 2 ];
my $tools = prompt('alice', 'tools', { content => 'x', params => {},
    messages => [
        { role => 'USER', content => 'see', images => [ 'https://a/', '{{a}}' ] },
        { role => 'ASSISTANT', toolCalls => $calls },
        map { { role => 'TOOL', content => "$_", toolCallId => "c$_" } }
            1, 2 ] });
$got = ask('alice', $render, { id => $tools, in => { a => 'https://b/' } })
    ->{data}{renderPrompt}{messages};
is_deeply($got->[0]{images}, [ 'https://a/', 'https://b/' ], 'pictures');
is_deeply($got->[1]{toolCalls}, $calls, 'calls of tools, each with its members');
is_deeply([ map { $_->{toolCallId} } @$got ], [ undef, undef, 'c1', 'c2', undef ],
          'and what answers them');

for my $case ([ 'bob', { id => $id, v => 1 }, 'FORBIDDEN' ],
              [ 'bob', { id => 'renamed', v => 1 }, 'NOT_FOUND' ],
              [ 'alice', { id => $id, v => 9 }, 'NOT_FOUND' ],
              [ 'alice', { id => $id, v => 1, l => 'live' }, 'BAD_USER_INPUT' ],
              [ 'alice', { id => $id, v => 1, in => {} }, 'BAD_USER_INPUT' ])
{
    is(ask($case->[0], $render, $case->[1])->{errors}[0]{extensions}{code},
       $case->[2], "refused: $case->[2]");
}
is(scalar @{ PromptTest::Env::provider_control('log') }, 0, 'nobody was called');
is(row('count(*) OVER ()'), $rows, 'nothing is recorded');


# a look through many that are not what is asked for has an end, and says so

PromptTest::Env::psql(<<"END");
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status,
                        subject, metadata)
    SELECT ('01890000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
           '$tools', 1, owner_id, true, 'succeeded', 'many', '{"many": "yes"}'
    FROM generate_series(1, 20100) i, prompts WHERE id = '$tools'
END

my $look = 'query ($s: String, $m: JSON, $status: [String!], $first: Int) '
    . '{ executions(subject: $s, metadata: $m, status: $status, first: $first) '
    . '{ id } }';

for my $case ([ { s => 'many', status => 'failed' }, undef ],
              [ { m => { many => 'yes' }, status => 'failed' }, undef ],
              [ { s => 'many', first => 1000 }, 1000 ],
              [ { s => 'many', status => 'succeeded', first => 1000 }, 1000 ],
              [ { m => { many => 'yes' }, first => 1000 }, 1000 ],
              [ { s => 'nobody', status => 'failed' }, 0 ])
{
    my ($variables, $count) = @$case;
    my $what = 'a look by ' . join ', ', sort keys %$variables;

    $got = ask('alice', $look, $variables);

    if (defined $count) {
        is(@{ $got->{data}{executions} || [] }, $count, "$what: found");

    } else {
        is($got->{errors}[0]{extensions}{code}, 'BAD_USER_INPUT',
           "$what: too many");
        like($got->{errors}[0]{message}, qr/narrow it with "since"/,
             "$what: what to do is said");
    }
}

# the same for costs and times, which no list has

$look = 'query ($p: ID, $first: Int = 2) { executions('
    . 'promptId: $p, minLatencyMs: 1, first: $first) { id } }';
PromptTest::Env::psql("UPDATE executions SET latency_ms = 7 WHERE id IN "
    . "('01890000-0000-7000-8000-000000000001', "
    . "'01890000-0000-7000-8000-000000004e84')");

$got = ask('alice', $look, { p => $tools, first => 1 });
is(@{ $got->{data}{executions} }, 1, 'one among the newest 20,000');
$got = ask('alice', $look, { p => $tools });
like($got->{errors}[0]{message}, qr/narrow it with "since"/,
     'behind these nothing is looked for');

done_testing();
