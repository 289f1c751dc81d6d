# Versions that workers keep: the same answers as without, what others did at
# once, and no more than is allowed.
#
# A version that is changed by SQL, with nothing said to its prompt, shows
# whether an answer came from memory: then it still has the text of before.

use strict;
use warnings;

use lib 't/lib';
use POSIX ();
use PromptTest::Json;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

my $on = PromptTest::Server->new;
my $off = PromptTest::Server->new(http => 'prompt_version_cache off;');
my $other = PromptTest::Server->new;
my $alice = PromptTest::Env::var('alice_id');

sub sql { return PromptTest::Env::psql(@_) }


# data of an answer that must have no errors
sub data
{
    my ($s, $key, $query, $variables) = @_;
    my $answer = $s->ask($key, $query, $variables);

    return $answer->{json}{data} if $answer && !$answer->{json}{errors};

    diag($answer ? $answer->{body} : 'no answer');

    return undef;
}


sub code
{
    my ($s, @what) = @_;

    return $s->ask(@what)->{json}{errors}[0]{extensions}{code};
}


sub create
{
    my ($name, $public) = @_;

    return data($on, 'alice', 'mutation ($n: String!, $p: Boolean!) '
                . '{ createPrompt(input: {name: $n, isPublic: $p}) { id } }',
                "{\"n\":\"$name\",\"p\":" . ($public ? 'true' : 'false') . '}')
        ->{createPrompt}{id};
}


sub add
{
    my ($s, $id, $content, $more) = @_;

    return data($s, 'alice', 'mutation ($i: CreatePromptVersionInput!) '
                . '{ createPromptVersion(input: $i) { version } }',
                '{"i":{"promptId":"' . $id . '","content":'
                . PromptTest::Json::string($content)
                . ($more || ',"params":{"model":"fx:ok"}') . '}}')
        ->{createPromptVersion}{version};
}


# as if by an operator; nothing of the prompt moves
sub rewrite
{
    my ($text) = @_;

    sql("UPDATE prompt_versions SET content = '$text'");
}


# the contents of a prompt's versions
sub contents
{
    my ($s, $id, $key) = @_;

    return join '|', map { $_->{content} }
           @{ data($s, $key || 'alice', 'query ($id: ID!) '
                   . '{ prompt(id: $id) { versions { version content } } }',
                   { id => $id })->{prompt}{versions} };
}


# the first time says that it is asked, the second time keeps
sub warm
{
    my ($s, @what) = @_;

    $s->ask(@what) for 1 .. 3;
}


my @ids = map { create("kept-$_", $_ == 1) } 1 .. 4;

for my $id (@ids[0 .. 2]) {
    add($on, $id, "with \"quotes\", \\ and \n\t\x{1} \xc3\xa4 {{a}}",
        ',"params":{"model":"fx:ok","temperature":1.10},"inputSchema":'
        . '{"type":"object", "properties":{"a":{}}}');
    add($on, $id, 'two', ',"params":{"model":"fx:ok"},"messages":'
        . '[{"role":"SYSTEM","content":"be \"brief\""}]');
    add($on, $id, 'three');
}

data($on, 'alice', "mutation { a: setPromptLabel(promptId: \"$ids[0]\", "
     . 'label: "production", version: 2) { version } }');
data($on, 'alice', 'mutation ($id: ID!) { executePrompt(promptId: $id, '
     . 'input: {a: "x"}) { output } }', { id => $ids[0] }) for 1 .. 3;


# whatever is asked, however often, the answer is as without

my $of_all = 'id version content params inputSchema createdAt '
             . 'messages { role content placeholder }';

for my $query (
    "{ prompts { id name updatedAt versions { $of_all } } }",
    "{ prompts(first: 2) { versions { $of_all } } }",
    "{ prompts(first: 2, after: \"$ids[2]\") { name versions { id } } }",
    '{ prompts(category: GENERAL) { versions { content } } }',
    '{ prompts(category: CUSTOM) { versions { content } } }',
    '{ prompts { versions { id } } }',
    '{ prompts { versions { createdAt } } }',
    '{ prompts { versions { version createdBy { name } } } }',
    '{ prompts { v: versions { __typename n: version c: content '
    . 'm: messages { r: role __typename } } } }',
    '{ prompts { versions { version } more: versions { content } } }',
    '{ prompts { versions { content } one: version(number: 2) { content } '
    . 'latest: version { content } last: versions(last: 1) { content } } }',
    '{ prompts { versions(first: 2) { content } } }',
    '{ prompts { versions { version executions { id status } content } } }',
    '{ prompts { versions { version executions(first: 1) { id prompt '
    . '{ name createdBy { name } } } } createdBy { email } } }',
    '{ prompts { versions { content } labels { label version } labelHistory '
    . '{ version } createdBy { name } } }',
    '{ prompts { versions { ...v } } } fragment v on PromptVersion '
    . '{ content ... on PromptVersion { id } }',
    '{ prompts { versions { id @skip(if: true) content @include(if: true) } } }',
    "{ prompt(id: \"$ids[0]\") { updatedAt versions { $of_all } } }",
    "{ prompt(id: \"$ids[0]\") { versions { executions { output } id } } }",
    "{ prompt(id: \"$ids[3]\") { name versions { id } } }",
    "{ promptByName(name: \"kept-2\") { versions { $of_all } } }",
    '{ promptByName(name: "none") { versions { id } } }',
    "{ prompt(id: \"$alice\") { versions { id } } }",
    "{ a: prompt(id: \"$ids[0]\") { versions { id } } "
    . "b: prompt(id: \"$ids[0]\") { versions { content } } "
    . 'prompts { versions { version } } }',
) {
    my $want = $off->ask('alice', $query)->{body};
    my @got = map { $on->ask('alice', $query)->{body} } 1 .. 4;

    is(join("\n", grep { $_ ne $want } @got), '', "the same as without: $query");
}

my $given = 'query ($n: Int) { prompts { versions(first: $n) { content } } }';

for my $n ('{}', '{"n":null}', '{"n":1}', '{"n":2}', '{}') {
    my $want = $off->ask('alice', $given, $n)->{body};
    my @got = map { $on->ask('alice', $given, $n)->{body} } 1 .. 3;

    is(join("\n", grep { $_ ne $want } @got), '', "by variables: $n");
}


# they are kept, and read again where they must be

my $list = '{ prompts { name versions { content } } }';
my $before = contents($on, $ids[1]);

warm($on, 'alice', $list);
warm($on, 'alice', 'query ($id: ID!) { prompt(id: $id) { versions '
     . '{ version content } } }', { id => $_ }) for @ids;

my $kept = $on->ask('alice', $list)->{body};

rewrite('by SQL');

is($on->ask('alice', $list)->{body}, $kept, 'a list is kept');
is(contents($on, $ids[1]), $before, 'one prompt is');
is(contents($off, $ids[1]), 'by SQL|by SQL|by SQL', 'none is where it is off');
is(data($on, 'alice', '{ promptByName(name: "kept-3") { versions '
        . '{ content } } }')->{promptByName}{versions}[2]{content}, 'by SQL',
   'a question that is new keeps nothing');

is(add($other, $ids[1], 'four'), 4, 'another worker adds a version');
is(contents($on, $ids[1]), 'by SQL|by SQL|by SQL|four', 'it is seen at once');

my %listed = map { $_->{name} => join '|', map { $_->{content} }
                                 @{ $_->{versions} } }
             @{ data($on, 'alice', $list)->{prompts} };

is($listed{'kept-2'}, 'by SQL|by SQL|by SQL|four', 'in a list as well');
like($listed{'kept-3'}, qr/three$/, 'where the others still are kept');

rewrite('later');
is(contents($on, $ids[1]), 'by SQL|by SQL|by SQL|four', 'and is kept itself');

data($other, 'alice', 'mutation ($id: ID!) { updatePrompt(id: $id, '
     . 'input: {description: "d"}) { id } }', { id => $ids[1] });
is(contents($on, $ids[1]), 'later|later|later|later',
   'a change of the prompt ends it');

is(data($on, 'alice', 'query ($id: ID!) { prompt(id: $id) { versions '
        . '{ params version } } }', { id => $ids[1] })
   ->{prompt}{versions}[3]{params}{model}, 'fx:ok',
   'a column that is not kept is read');
rewrite('last');
is(contents($on, $ids[1]), 'later|later|later|later', 'with those that are');

my $id = data($other, 'alice', 'mutation ($id: ID!) { forkPrompt(id: $id) '
              . '{ id } }', { id => $ids[1] })->{forkPrompt}{id};

is((grep { $_->{name} =~ /-fork-/ && $_->{versions}[3]{content} eq 'last' }
    @{ data($on, 'alice', $list)->{prompts} }), 1, 'a fork is in the list');

data($other, 'alice', 'mutation ($id: ID!) { deletePrompt(id: $id) }',
     { id => $ids[1] });
is(code($on, 'alice', 'query ($id: ID!) { prompt(id: $id) { versions '
        . '{ version content } } }', { id => $ids[1] }), 'NOT_FOUND',
   'a deleted prompt is not there');
is((grep { $_->{name} eq 'kept-2' } @{ data($on, 'alice', $list)->{prompts} }),
   0, 'nor in the list');


# who may see what is asked each time

warm($on, 'bob', 'query ($id: ID!) { prompt(id: $id) { versions '
     . '{ version content } } }', { id => $ids[0] });
$kept = contents($on, $ids[0]);
is(contents($on, $ids[0], 'bob'), $kept, 'a public prompt, kept for all');
is(code($on, 'bob', 'query ($id: ID!) { prompt(id: $id) { versions '
        . '{ version content } } }', { id => $ids[2] }), 'FORBIDDEN',
   'not a private one');
is_deeply(data($on, 'bob', $list)->{prompts}, [], 'nor in their list');

data($other, 'alice', 'mutation ($id: ID!) { updatePrompt(id: $id, '
     . 'input: {isPublic: false}) { id } }', { id => $ids[0] });
is(code($on, 'bob', 'query ($id: ID!) { prompt(id: $id) { versions '
        . '{ version content } } }', { id => $ids[0] }), 'FORBIDDEN',
   'nor one that is private since');


# and while versions are on their way, which are asked for by a second query

for my $change ('is_public = false', 'state = 1') {
    my $public = create("public-$change" =~ s/\W+/-/gr, 1);

    add($on, $public, 'not for long');
    contents($on, $public, 'bob') for 1 .. 3;
    data($other, 'alice', 'mutation ($id: ID!) { updatePrompt(id: $id, '
         . 'input: {description: "d"}) { id } }', { id => $public });

    my $pid = fork // die "fork: $!\n";

    if ($pid == 0) {
        sql('BEGIN; LOCK TABLE prompt_versions IN ACCESS EXCLUSIVE MODE;'
            . 'SELECT pg_sleep(0.3);'
            . "UPDATE prompts SET $change WHERE id = '$public'; COMMIT");
        POSIX::_exit(0);
    }

    my $until = time() + 10;

    sleep 0.01 while time() < $until
        && sql("SELECT count(*) FROM pg_locks WHERE granted "
               . "AND mode = 'AccessExclusiveLock' "
               . "AND relation = 'prompt_versions'::regclass") == 0;

    is(code($on, 'bob', 'query ($id: ID!) { prompt(id: $id) { versions '
            . '{ version content } } }', { id => $public }),
       $change =~ /public/ ? 'FORBIDDEN' : 'NOT_FOUND', "meanwhile: $change");
    waitpid $pid, 0;
}


# an error in a list is told each time

my $wrong = create('wrong');

add($on, $wrong, $_) for qw(one two three);
sql("UPDATE prompt_versions SET messages = '[{\"role\":\"NOBODY\"}]' "
    . "WHERE prompt_id = '$wrong' AND version = 2");

for my $query ('{ prompts { name versions { version messages { role } } } }',
               "{ prompt(id: \"$wrong\") { versions { messages { role } } } }")
{
    my $want = $off->ask('alice', $query)->{body};
    my @got = map { $on->ask('alice', $query)->{body} } 1 .. 4;

    like($want, qr/"errors":.*"versions",1,"messages"/, 'an error in a list');
    is(join("\n", grep { $_ ne $want } @got), '', 'the same as without');
}


# what operators do is neither lost nor shown as if it were kept

sql("DELETE FROM executions; DELETE FROM prompt_labels;"
    . "DELETE FROM prompt_versions WHERE prompt_id = '$ids[2]' AND version = 3;"
    . "UPDATE prompts SET updated_at = now() WHERE id = '$ids[2]'");
is(contents($on, $ids[2]), 'last|last', 'versions that are fewer') for 1 .. 4;
sql("UPDATE prompts SET last_version = 0 WHERE id = '$ids[2]'");
is(contents($on, $ids[2]), contents($off, $ids[2]), 'and counted wrong')
    for 1 .. 4;


# A failover lost a version that was told of, and another one has its number.
# The clock went back before, so that updated_at is not what it says.

my @again;

for my $n (1 .. 3) {
    my $lost = create("lost-$n");

    sql("UPDATE prompts SET updated_at = '2100-01-01' WHERE id = '$lost'");
    add($other, $lost, 'lost');
    contents($on, $lost) for 1 .. 3;

    sql("DELETE FROM prompt_versions WHERE prompt_id = '$lost';"
        . "UPDATE prompts SET updated_at = '2100-01-01', last_version = 0 "
        . "WHERE id = '$lost'");
    add($other, $lost, 'again');
    push @again, contents($on, $lost);
}

ok((grep { $_ eq 'again' } @again), 'a version that was lost is not shown');

contents($on, $ids[0]) for 1 .. 3;
rewrite('reloaded');
isnt(contents($on, $ids[0]), 'reloaded|reloaded|reloaded', 'kept until');

my @old = $on->workers;

$on->reload;
PromptTest::Server::gone($_, 15) for @old;
is(contents($on, $ids[0]), 'reloaded|reloaded|reloaded', 'a reload');


# bounds: 20 prompts of 80 KB in 1 MB, and one that is too large

sub large
{
    my ($n, $versions, $size) = @_;
    my $id = sprintf '01890000-0000-7000-8000-%012x', $n;

    sql("INSERT INTO prompts (id, owner_id, name, category, is_public, "
        . "updated_at, last_version) VALUES ('$id', '$alice', 'large-$n', "
        . "'CUSTOM', false, now(), $versions);"
        . "INSERT INTO prompt_versions (id, prompt_id, owner_id, version, "
        . "content, params) SELECT gen_random_uuid(), '$id', '$alice', v, "
        . "repeat('x', $size), '{}' FROM generate_series(1, $versions) v");

    return $id;
}

$on->configure(http => 'prompt_version_cache 1m;');
@old = $on->workers;
$on->reload;
PromptTest::Server::gone($_, 15) for @old;

my @large = map { large($_, 20, 4000) } 1 .. 20;
my $huge = large(21, 60, 5000);

for my $one (@large, $huge) {
    contents($on, $one) for 1 .. 3;
}

rewrite('x');
is(length contents($on, $large[19]), 20 * 4000 + 19, 'the last one is kept');
is(length contents($on, $large[0]), 20 + 19, 'the first one is not any more');
is(length contents($on, $huge), 60 + 59, 'what is too large never was');

# counted, when the worker's timer has come

my $until = time() + 20;
my $text = '';

while (time() < $until) {
    my $socket = $on->send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
                           . "Connection: close\r\n\r\n");

    $text = $on->receive($socket)->{body};
    last if $text =~ /^prompt_version_lookups_total\{cache="hit"\} [1-9]/m;
    sleep 0.2;
}

like($text, qr/^prompt_version_lookups_total\{cache="$_"\} [1-9]/m, "counted: $_")
    for qw(hit miss);
like($text, qr/^prompt_version_cache_bytes_total [1-9]/m, 'and bytes');

for my $s ($on, $off, $other) {
    ok($s->stop, 'quits');
    is_deeply([ $s->faults ], [], 'clean error log');
}

done_testing();
