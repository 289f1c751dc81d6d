# Many clients at once: numbers without gap or repeat, no orphans, exactly one
# row for each execution.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Server;
use Test::More;

my $clients = 8;
my $each = 15;
my $s = PromptTest::Server->new(workers => 2);

sub create
{
    my ($name, $model) = @_;
    my $id = $s->ask('alice', 'mutation ($n: String!) { createPrompt(input: '
                     . '{name: $n, isPublic: true}) { id } }', { n => $name })
        ->{json}{data}{createPrompt}{id};

    $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
            . '{ createPromptVersion(input: $i) { id } }',
            { i => { promptId => $id, content => 'x',
                     params => { model => $model } } });

    return $id;
}


# versions

my $prompt = create('numbers', 'fx:text=fine');

my @numbers = map { @$_ } PromptTest::Server::side_by_side($clients, sub {
    return [ map {
        $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
                . '{ createPromptVersion(input: $i) { version } }',
                { i => { promptId => $prompt, content => 'x',
                         params => { model => 'fx:text=fine' } } })
            ->{json}{data}{createPromptVersion}{version}
    } 1 .. $each ];
});

is_deeply([ sort { $a <=> $b } map { $_ // 0 } @numbers ],
          [ 2 .. $clients * $each + 1 ],
          'version numbers have no gap and no repeat');

# one name

my @answers = PromptTest::Server::side_by_side($clients, sub {
    return $s->ask('alice', 'mutation { createPrompt(input: {name: "one"}) '
                   . '{ id } }')->{json};
});

is(scalar(grep { !$_->{errors} } @answers), 1, 'one of many gets a name');
is(scalar(grep { $_->{errors} && $_->{errors}[0]{extensions}{code}
                 eq 'BAD_USER_INPUT' } @answers), $clients - 1,
   'the others are told so');


# executions

my $before = scalar @{ PromptTest::Env::provider_control('log') };

my @runs = PromptTest::Server::side_by_side($clients, sub {
    return [ map {
        $s->ask('bob', 'mutation ($id: ID!) { executePrompt(promptId: $id, '
                . 'input: {}) { executionId versionUsed output } }',
                { id => $prompt })->{json}{data}{executePrompt}
    } 1 .. $each ];
});

my %ids = map { $_->{executionId} => 1 } grep { defined } map { @$_ } @runs;

is(scalar keys %ids, $clients * $each, 'each execution has an id of its own');
is(scalar @{ PromptTest::Env::provider_control('log') } - $before,
   $clients * $each, 'and one call of the provider');
is(PromptTest::Env::psql("SELECT count(*), count(DISTINCT id) FROM executions "
                         . "WHERE status = 'succeeded'"),
   $clients * $each . '|' . $clients * $each . "\n", 'and one final row');


# fork and delete at once

my $doomed = create('doomed', 'fx:ok');

PromptTest::Server::side_by_side($clients, sub {
    my ($i) = @_;

    if ($i == $clients / 2) {
        select undef, undef, undef, 0.05;
        return $s->ask('alice', 'mutation ($id: ID!) { deletePrompt(id: $id) }',
                       { id => $doomed })->{json};
    }

    $s->ask('bob', 'mutation ($id: ID!) { forkPrompt(id: $id) { id } }',
            { id => $doomed }) for 1 .. 10;

    return 1;
});

is(PromptTest::Env::psql('SELECT count(*) FROM prompts p WHERE last_version <> '
       . '(SELECT count(*) FROM prompt_versions v WHERE v.prompt_id = p.id)'),
   "0\n", 'every fork is whole');
is(PromptTest::Env::psql('SELECT count(*) FROM prompt_versions v WHERE NOT '
       . 'EXISTS (SELECT FROM prompts p WHERE p.id = v.prompt_id)'),
   "0\n", 'no version is an orphan');


# queries of many root fields run side by side

my $many = join ' ', map { "a$_: prompt(id: \"$prompt\") { name }" } 1 .. 15;

@answers = PromptTest::Server::side_by_side($clients, sub {
    return $s->ask('alice', "{ $many }")->{json};
});

is(scalar(grep { !$_->{errors} && keys %{ $_->{data} } == 15 } @answers),
   $clients, 'fifteen root fields for each of many clients');


ok($s->stop, 'nginx quits in time');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
