# Long lists: written part by part, they are what they would be at once; a
# client may leave in the middle; what is too long says how to ask instead.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Env;
use PromptTest::Server;
use Test::More;

my $n = 3000;
my $s = PromptTest::Server->new(timeout => 20,
                                http => 'prompt_limits complexity=100000000;');
my $alice = PromptTest::Env::var('alice_id');
my $database = PromptTest::Env::var('database');

# every third prompt has no version, every fifth version two executions

PromptTest::Env::psql(<<"END", $database);
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at,
                     last_version)
    SELECT ('01890000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
           '$alice', 'p-' || i, 'GENERAL', false, now(), 2
    FROM generate_series(1, $n) i;
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    SELECT gen_random_uuid(), p.id, '$alice', v, p.name || ' ' || v, '{}'
    FROM prompts p, generate_series(1, 2) v
    WHERE substr(p.name, 3)::int % 3 <> 0;
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status)
    SELECT ('01890000-0000-7000-8000-' || lpad(to_hex(row_number() OVER ()),
                                               12, '0'))::uuid,
           v.prompt_id, v.version, '$alice', true, 'failed'
    FROM prompt_versions v, generate_series(1, 2) e
    WHERE substr(v.content, 3, 1) = '5';
ANALYZE;
END

my $fields = '{ id name createdBy { email } versions { version content '
    . 'e: executions(first: 1) { id } executions { id status } } }';


sub prompts
{
    my ($arguments) = @_;
    my $answer = $s->ask('alice', "{ prompts$arguments $fields }");

    is($answer->{json}{errors}, undef, "no errors: prompts$arguments");

    return $answer->{json}{data}{prompts};
}


# the same as page by page, each of which comes at once

my $all = prompts('');
my @pages;

for (my $after = ''; @pages < $n; ) {
    my $page = prompts("(first: 200$after)");

    last unless @$page;
    push @pages, @$page;
    $after = ", after: \"$pages[-1]{id}\"";
}

is(@$all, $n, 'all prompts are there');
is_deeply($all, \@pages, 'as they are page by page');
cmp_ok(scalar(grep { @{ $_->{versions} } } @$all), '>', $n / 2,
       'with versions');
cmp_ok(scalar(grep { @{ $_->{executions} } } map { @{ $_->{versions} } }
              @$all), '>', 100, 'and executions');


# several of them and others side by side

my $answer = $s->ask('alice', '{ a: prompts { id } me { email } b: prompts '
                     . '{ name } c: prompts(first: 1) { id } }');
my $data = $answer->{json}{data};

is_deeply([ map { $_->{id} } @$all ], [ map { $_->{id} } @{ $data->{a} } ],
          'a list');
is_deeply([ map { $_->{name} } @$all ], [ map { $_->{name} } @{ $data->{b} } ],
          'another one at the same time');
is($data->{c}[0]{id}, $all->[0]{id}, 'a short one');


# a worker that is told to leave while one list is written still writes those
# that wait for it; it has the request before it is told

for my $round (1 .. 3) {
    my $request = $s->request('alice', "{ a: prompts $fields "
                              . "b: prompts $fields c: prompts $fields }");
    my ($old) = $s->workers;
    my $socket = $s->send(substr $request, 0, -10, '');

    select undef, undef, undef, 0.1;
    kill STOP => $old;
    syswrite $socket, $request;
    kill HUP => $s->master;

    my $until = time() + 20;

    until ((grep { $_ != $old } $s->workers) || time() > $until) {
        select undef, undef, undef, 0.05;
    }

    kill CONT => $old;

    my $answer = $s->receive($socket) || { };
    my $lists = $answer->{json}{data} || { };

    is_deeply([ map { scalar @{ $lists->{$_} || [] } } qw(a b c) ],
              [ $n, $n, $n ], 'the lists of a worker that leaves are whole');
}


# clients that leave before, while and after it is written

for my $wait (map { $_ * 0.004 } 0 .. 24) {
    my $socket = $s->send($s->request('alice', "{ prompts $fields }"));

    select undef, undef, undef, $wait;
    close $socket;
}

is(scalar @{ prompts('') }, $n, 'clients left, and nothing happened');


# a search looks at a bounded number of prompts at a time, and finds all

my $found = $s->ask('alice', '{ prompts(search: "P-29") { name versions '
                    . '{ content executions { id } } } }')->{json}{data};

is_deeply($found->{prompts}, [ map { { name => $_->{name}, versions =>
              [ map { { content => $_->{content}, executions =>
                    [ map { { id => $_->{id} } } @{ $_->{executions} } ] } }
                @{ $_->{versions} } ] } }
          grep { $_->{name} =~ /p-29/ } @$all ], 'found, with what is below');

for my $case ([ 'search: "p-1", first: 7', grep { $_->{name} =~ /p-1/ } @$all ],
              [ "search: \"P-2\", after: \"$all->[1500]{id}\"",
                grep { $_->{name} =~ /p-2/ } @$all[1501 .. $n - 1] ],
              [ 'search: "no such"' ],
              [ 'search: "no such", category: ROUTING' ],
              [ 'search: "p", first: 1000', @$all[0 .. 999] ])
{
    my ($arguments, @want) = @$case;

    @want = @want[0 .. 6] if $arguments =~ /first: 7/;

    my $answer = $s->ask('alice', "{ prompts($arguments) { id } "
                         . "x: prompts($arguments) { name } }");

    is_deeply([ map { $_->{id} } @{ $answer->{json}{data}{prompts} } ],
              [ map { $_->{id} } @want ], $arguments);
    is_deeply([ map { $_->{name} } @{ $answer->{json}{data}{x} } ],
              [ map { $_->{name} } @want ], 'and beside it');
}


# values that a first attempt does not bring, and one that looks like that

PromptTest::Env::psql(<<"END", $database);
UPDATE prompts SET description = repeat(chr(233), 10000)
    WHERE name = 'p-2998';
UPDATE prompts SET description = chr(1) WHERE name = 'p-2999';
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status,
                        input, output, error)
    SELECT prompt_id_of(now()), v.prompt_id, 1, '$alice', true, 'failed',
           json_build_object('a', repeat('i', 200000)), repeat('o', 300000),
           NULL
    FROM prompt_versions v WHERE v.content = 'p-2999 1';
END

my $big = $s->ask('alice', '{ prompts(first: 4) { name description versions '
                  . '(first: 1) { executions { input output error } } } }')
            ->{json}{data}{prompts};
my ($runs) = map { $_->{versions}[0]{executions} }
             grep { $_->{name} eq 'p-2999' } @$big;

is_deeply([ map { length($_->{description} // '') } @$big ], [ 0, 1, 10000, 0 ],
          'descriptions');
is(length $runs->[0]{input}{a}, 200000, 'an input');
is(length $runs->[0]{output}, 300000, 'an output');
is($runs->[0]{error}, undef, 'and what is null stays null');


# after a change: what it selects is long

for my $selection ('versions { version content }',
                   'description versions { executions { output } }')
{
    my ($prompt) = grep { $_->{name} eq 'p-2999' } @$all;
    my $read = $s->ask('alice', "{ prompt(id: \"$prompt->{id}\") "
                       . "{ name createdBy { email } $selection } }");
    my $changed = $s->ask('alice', "mutation { updatePrompt(id: "
                          . "\"$prompt->{id}\", input: {}) { name createdBy "
                          . "{ email } $selection } }");

    is_deeply($changed->{json}{data}{updatePrompt},
              $read->{json}{data}{prompt}, "changed: $selection");
    ok($read->{json}{data}{prompt}, 'as it is read');
}


# too long for one answer

PromptTest::Env::psql(<<"END", $database);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    SELECT gen_random_uuid(), p.id, '$alice', 3, repeat('x', 1000000), '{}'
    FROM prompts p ORDER BY p.id DESC LIMIT 70;
END

$answer = $s->ask('alice', '{ me { email } prompts { versions { content } } }');
my $error = $answer->{json}{errors}[0];

is($answer->{json}{data}, undef, 'more than 16 MiB: no data');
is_deeply($error->{extensions}, { code => 'BAD_USER_INPUT', field => 'first',
                                  reason => 'TOO_LARGE' },
          'a mistake of the request');
is($error->{message}, "The answer would be larger than 16777216 bytes: ask for "
   . "fewer fields, or page by page: prompts(first: \x{2026}, after: "
   . "\x{2026}), versions(first: \x{2026}, after: \x{2026}).",
   'it says how to ask');


# what failed as a whole is not searched on; PostgreSQL counts the statements

PromptTest::Env::psql(<<'END', $database);
CREATE SEQUENCE searches;
GRANT ALL ON SEQUENCE searches TO PUBLIC;
CREATE OR REPLACE FUNCTION prompt_fold(text) RETURNS text LANGUAGE plpgsql
    VOLATILE SECURITY DEFINER SET search_path = public
    AS $$ BEGIN PERFORM nextval('searches'); RETURN
        lower($1 COLLATE "C"); END $$;
END

my $searches = sub {
    PromptTest::Env::psql('ALTER SEQUENCE searches RESTART', $database);
    $s->ask('alice', shift);

    return PromptTest::Env::psql('SELECT CASE WHEN is_called THEN last_value '
                                 . 'ELSE 0 END FROM searches', $database);
};

cmp_ok($searches->("{ x: prompts(search: \"no \\u00e9\") { id } }"), '>', 0,
       'a search is counted');
cmp_ok($searches->("{ prompts(first: 1000) { versions { content } } "
                   . "x: prompts(search: \"no \\u00e9\") { id } }"), '==', 0,
       'none behind a list that is too long');

$s->stop;

is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
