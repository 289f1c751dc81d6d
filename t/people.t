# Persons: who made, changed and ran what, in a project of several, in personal
# ones, and for others' eyes; those who left, and those who are gone.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Json;
use PromptTest::Server;
use Test::More;

my $s = PromptTest::Server->new(server => <<'END');
    set $who "";
    if ($http_x_who) { set $who $http_x_who; }
    location = /trusted { prompt_session trusted=$who; }
END

my $team = '01890000-0000-7000-8000-00000000a000';
my ($alice, $bob) = map { PromptTest::Env::var("${_}_id") } qw(alice bob);
my $carol = PromptTest::Env::promptctl('user', 'add', 'carol@example.com',
                                       '--name', 'Carol');
my $dave = PromptTest::Env::promptctl('user', 'add', 'dave@example.com');

sub sql { return PromptTest::Env::psql(@_) =~ s/\n\z//r }

sql(<<"END");
INSERT INTO projects (id, name) VALUES ('$team', 'Team');
INSERT INTO project_members (project_id, user_id, role) VALUES
    ('$team', '$alice', 4), ('$team', '$bob', 2), ('$team', '$carol', 1);
END

my %key = map {
    $_ => PromptTest::Env::promptctl('key', 'add', "$_\@example.com", '--name',
                                     "team $_", '--project', 'Team')
} qw(alice bob carol);

my $dave_key = PromptTest::Env::promptctl('key', 'add', 'dave@example.com',
                                          '--name', 'dave');


# data of an answer that must have no errors
sub data
{
    my ($key, $query, $variables) = @_;
    my $answer = $s->ask($key, $query, $variables);

    return $answer->{json}{data} if $answer && !$answer->{json}{errors};

    diag($answer ? $answer->{body} : 'no answer');

    return undef;
}


sub code
{
    return $s->ask(@_)->{json}{errors}[0]{extensions}{code};
}


# e-mails without their domain, wherever somebody stands in an answer
sub people
{
    my ($value) = @_;

    if (ref $value eq 'ARRAY') {
        return [ map { people($_) } @$value ];
    }

    if (ref $value eq 'HASH') {
        return $value->{email} =~ s/\@example\.com//r if $value->{email};

        return { map { $_ => people($value->{$_}) } keys %$value };
    }

    return $value;
}


# seen(WANT, WHAT, KEY, QUERY [, VARIABLES])
sub seen
{
    my ($want, $what, @query) = @_;

    is_deeply(people(data(@query)), $want, $what);
}


# by a session of alice's, in a project
sub in_session
{
    my ($project, $query, $variables) = @_;
    my $answer = $s->receive($s->send(
        "POST /trusted HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        . "X-Who: alice\@example.com\r\nSec-Fetch-Site: same-origin\r\n"
        . "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"));
    my ($cookie) = $answer->{head} =~ /^Set-Cookie: ([^;]+)/mi;
    my $request = $s->request('none', $query, $variables);

    $request =~ s/^Authorization: .*\r\n/Cookie: $cookie\r\n/m;
    $request =~ s/^Cookie: /Sec-Fetch-Site: same-origin\r\nCookie: /m;
    $request =~ s/^Cookie: /Prompt-Project: $project\r\nCookie: /m;
    $request =~ s/^Cookie: /X-Who: alice\@example.com\r\nCookie: /m;

    $answer = $s->receive($s->send($request));

    diag($answer->{body}) if $answer->{json}{errors};

    return $answer->{json}{data};
}


my $create = 'mutation ($n: String!, $p: Boolean!) { createPrompt(input: '
             . '{name: $n, isPublic: $p}) { id createdBy { email } } }';
my $add = 'mutation ($i: CreatePromptVersionInput!) { createPromptVersion('
          . 'input: $i) { version createdBy { email } } }';
my $label = 'mutation ($id: ID!, $v: Int!) { setPromptLabel(promptId: $id, '
            . 'label: "stable", version: $v) { version setBy { email } } }';
my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
          . '{ executionId } }';

sub version
{
    my ($id) = @_;

    return { i => { promptId => $id, content => 'x',
                    params => { model => 'fx:ok' } } };
}


# ---- a project of several --------------------------------------------------

my $made = people(data($key{bob}, $create, { n => 'ours', p => \1 }))
           ->{createPrompt};
my $id = $made->{id};

is($made->{createdBy}, 'bob', 'who creates it is told');
seen({ createPromptVersion => { version => 1, createdBy => 'alice' } },
     'who adds a version', $key{alice}, $add, version($id));
seen({ createPromptVersion => { version => 2, createdBy => 'bob' } },
     'another one', $key{bob}, $add, version($id));
seen({ setPromptLabel => { version => 1, setBy => 'bob' } },
     'who sets a label', $key{bob}, $label, { id => $id, v => 1 });
seen({ setPromptLabel => { version => 1, setBy => 'bob' } },
     'where it stands, who set it before', $key{alice}, $label,
     { id => $id, v => 1 });
seen({ setPromptLabel => { version => 2, setBy => 'alice' } },
     'who moves it', $key{alice}, $label, { id => $id, v => 2 });
is(data($key{bob}, 'mutation ($id: ID!) { setPromptLabel(promptId: $id, '
        . 'label: "gone", version: 1) { version } removePromptLabel(promptId: '
        . '$id, label: "gone") }', { id => $id })->{removePromptLabel}, 1,
   'who removes one');

my %ran = map {
    $_ => data($key{$_}, $run, { id => $id })->{executePrompt}{executionId}
} qw(bob alice);

is(code($key{carol}, $run, { id => $id }), 'FORBIDDEN', 'a VIEWER runs none');
is(sql("SELECT count(*) FROM prompt_versions WHERE owner_id = '$team'"
       . ' AND created_by IS NULL'), 0, 'each row of a project has its person');

my $selection = '{ createdBy { email } versions { version createdBy { email } '
                . 'executions { id executedBy { email } prompt { createdBy '
                . '{ email } } } } labels { label setBy { email } } '
                . 'labelHistory { label version movedBy { email } } }';
my $want = {
    createdBy => 'bob',
    versions => [
        { version => 1, createdBy => 'alice', executions => [] },
        { version => 2, createdBy => 'bob', executions => [
            map { { id => $ran{$_}, executedBy => $_,
                    prompt => { createdBy => 'bob' } } }
            sort { $ran{$b} cmp $ran{$a} } keys %ran
        ] },
    ],
    labels => [ { label => 'stable', setBy => 'alice' } ],
    labelHistory => [
        { label => 'gone', version => undef, movedBy => 'bob' },
        { label => 'gone', version => 1, movedBy => 'bob' },
        { label => 'stable', version => 2, movedBy => 'alice' },
        { label => 'stable', version => 1, movedBy => 'bob' },
    ],
};

for my $n (1 .. 3) {                 # versions are kept from the second on
    seen({ prompt => $want }, "by its id, time $n", $key{carol},
         "query (\$id: ID!) { prompt(id: \$id) $selection }", { id => $id });
    seen({ promptByName => $want }, "by its name, time $n", $key{carol},
         "{ promptByName(name: \"ours\") $selection }");
    seen({ prompts => [ $want ] }, "all, time $n", $key{alice},
         "{ prompts $selection }");
    seen({ prompts => [ $want ] }, "a page, time $n", $key{alice},
         "{ prompts(first: 5) $selection }");
    seen({ prompts => [ $want ] }, "a search, time $n", $key{bob},
         "{ prompts(search: \"our\") $selection }");
    seen({ prompts => [ { versions => [ { createdBy => 'alice' },
                                        { createdBy => 'bob' } ] } ] },
         "versions alone, time $n", $key{bob},
         '{ prompts { versions { createdBy { email } } } }');
}

seen({ prompt => { version => { createdBy => 'alice' },
                   last => [ { createdBy => 'bob' } ] } }, 'some versions',
     $key{bob}, 'query ($id: ID!) { prompt(id: $id) { version(number: 1) '
                . '{ createdBy { email } } last: versions(last: 1) '
                . '{ createdBy { email } } } }', { id => $id });
seen({ updatePrompt => $want }, 'what a change shows', $key{alice},
     'mutation ($id: ID!) { updatePrompt(id: $id, input: {description: "d"}) '
     . "$selection }", { id => $id });


# ---- keys and sessions -----------------------------------------------------

my $by_key = data($key{bob}, '{ executions { executedBy { email } keyId '
                             . 'prompt { createdBy { email } } } '
                             . 'apiKeys { id name createdBy { email } } }');
my ($bobs) = @{ $by_key->{apiKeys} };

is_deeply(people($by_key->{apiKeys}),
          [ { id => $bobs->{id}, name => 'team bob', createdBy => 'bob' } ],
          'an EDITOR has a key of their own making');
is_deeply([ map { $_->{executedBy} . ' ' . ($_->{keyId} eq $bobs->{id}) }
            @{ people($by_key->{executions}) } ],
          [ map { "$_ " . ($_ eq 'bob') }
            sort { $ran{$b} cmp $ran{$a} } keys %ran ], 'with which it ran');
is_deeply(people($by_key->{executions}[0]{prompt}), { createdBy => 'bob' },
          'of whose prompt');

is_deeply(people(in_session($team, $add, version($id))),
          { createPromptVersion => { version => 3, createdBy => 'alice' } },
          'in a session it is who has signed in');

my $signed = in_session($team, $run, { id => $id })->{executePrompt};

seen({ execution => { executedBy => 'alice', keyId => undef,
                      prompt => { createdBy => 'bob' } } },
     'who runs it, by no key', $key{carol}, 'query ($id: ID!) { execution('
     . 'id: $id) { executedBy { email } keyId prompt { createdBy { email } } '
     . '} }', { id => $signed->{executionId} });
seen({ execution => { executedBy => 'alice' } }, 'that alone', $key{carol},
     'query ($id: ID!) { execution(id: $id) { executedBy { email } } }',
     { id => $signed->{executionId} });
seen({ me => 'bob' }, 'a key is who made it', $key{bob}, '{ me { email } }');


# ---- import and fork -------------------------------------------------------

my $import = 'mutation ($p: [ImportPromptInput!]!) { importPrompts(prompts: $p)'
             . ' { created changed } }';
my @import = ({ name => 'imported', versions => [
    { version => 1, content => 'y', params => {} } ],
    labels => [ { label => 'a', version => 1 } ] });

is(data($key{bob}, $import, { p => \@import })->{importPrompts}{created}, 1,
   'bob imports');
push @{ $import[0]{versions} }, { version => 2, content => 'z', params => {} };
push @{ $import[0]{labels} }, { label => 'b', version => 2 };
is(data($key{alice}, $import, { p => \@import })->{importPrompts}{changed}, 1,
   'alice goes on');
seen({ promptByName => {
         createdBy => 'bob',
         versions => [ { createdBy => 'bob' }, { createdBy => 'alice' } ],
         labels => [ { setBy => 'bob' }, { setBy => 'alice' } ],
         labelHistory => [ { movedBy => 'alice' }, { movedBy => 'bob' } ] } },
     'each has what they imported', $key{carol}, '{ promptByName(name: '
     . '"imported") { createdBy { email } versions { createdBy { email } } '
     . 'labels { setBy { email } } labelHistory { movedBy { email } } } }');

my $fork = 'mutation ($id: ID!) { forkPrompt(id: $id) { id createdBy { email } '
           . 'versions { createdBy { email } } } }';

$made = people(data($dave_key, $fork, { id => $id }))->{forkPrompt};
is_deeply([ $made->{createdBy}, map { $_->{createdBy} } @{ $made->{versions} } ],
          [ ('dave') x 4 ], 'a fork is all of who forks');
$made = people(data($key{alice}, $fork, { id => $id }))->{forkPrompt};
is_deeply([ $made->{createdBy}, map { $_->{createdBy} } @{ $made->{versions} } ],
          [ ('alice') x 4 ], 'within a project, too');

sql("INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content,"
    . " params, created_by) SELECT gen_random_uuid(), '$id', '$team', v, 'v',"
    . " '{\"model\": \"fx:ok\"}', '$bob' FROM generate_series(4, 60) v;"
    . " UPDATE prompts SET last_version = 60 WHERE id = '$id'");
$made = people(data($key{alice}, $fork, { id => $id }))->{forkPrompt};
is_deeply([ $made->{createdBy}, map { $_->{createdBy} } @{ $made->{versions} } ],
          [ ('alice') x 61 ], 'and what is copied in steps');


# ---- others' eyes ----------------------------------------------------------

data($dave_key, $run, { id => $id }) for 1 .. 2;

my $executions = 'query ($id: ID!) { prompt(id: $id) { createdBy { email } '
                 . 'version(number: 60) { createdBy { email } executions '
                 . '{ executedBy { email } keyId status } } } }';

$made = people(data($dave_key, $executions, { id => $id }))->{prompt};
is("$made->{createdBy} $made->{version}{createdBy}", 'bob bob',
   'others are told who made what is public');
is_deeply([ map { $_->{executedBy} } @{ $made->{version}{executions} } ],
          [ 'dave', 'dave' ], 'and what they ran themselves');
ok(!(grep { !$_->{keyId} } @{ $made->{version}{executions} }),
   'with its key');

$made = people(data($key{bob}, $executions, { id => $id }))->{prompt};
is_deeply($made->{version}{executions},
          [ ({ executedBy => undef, keyId => undef, status => 'succeeded' })
            x 2 ], 'the owner is not told who of others ran it');

$made = people(data($dave_key, '{ executions { executedBy { email } prompt '
                               . '{ createdBy { email } } } }'));
is_deeply($made->{executions}, [ ({ executedBy => 'dave',
                                    prompt => { createdBy => 'bob' } }) x 2 ],
          'the log says the same');
$made = data($key{bob}, '{ executions(first: 2) { executedBy { email } keyId } '
                        . '}');
is_deeply($made->{executions}, [ ({ executedBy => undef, keyId => undef }) x 2 ],
          'of both');


# ---- personal projects -----------------------------------------------------

$made = data('alice', $create, { n => 'mine', p => \1 })->{createPrompt};

my $mine = $made->{id};

is(people($made)->{createdBy}, 'alice', 'in a personal project it is its user');
data('alice', $_, { id => $mine, v => 1, %{ version($mine) } })
    for $add, $label, $run;
is(sql("SELECT count(*) FROM prompts p JOIN prompt_versions v ON v.prompt_id ="
       . ' p.id JOIN prompt_labels l ON l.prompt_id = p.id JOIN'
       . " prompt_label_moves m ON m.prompt_id = p.id WHERE p.id = '$mine' AND"
       . ' coalesce(p.created_by, v.created_by, l.set_by, m.moved_by) IS NULL'),
   1, 'of whom rows have nothing');
is(sql("SELECT count(*), count(user_id), count(key_id) FROM executions"
       . " WHERE prompt_id = '$mine'"), '1|0|1', 'but the key');

for my $who ('alice', $dave_key) {
    seen({ prompt => { createdBy => 'alice',
                       versions => [ { createdBy => 'alice' } ],
                       labels => [ { setBy => 'alice' } ],
                       labelHistory => [ { movedBy => 'alice' } ] } },
         'everybody is told who it is', $who, 'query ($id: ID!) { prompt(id: '
         . '$id) { createdBy { email } versions { createdBy { email } } labels '
         . '{ setBy { email } } labelHistory { movedBy { email } } } }',
         { id => $mine });
}

seen({ executions => [ { executedBy => 'alice' } ] }, 'in the log, too',
     'alice', '{ executions { executedBy { email } } }');


# ---- who left, and who is gone ---------------------------------------------

sql("UPDATE project_members SET role = 0 WHERE user_id = '$bob'"
    . " AND project_id = '$team'");
seen({ prompt => { createdBy => 'bob', version => { createdBy => 'bob' } } },
     'who left is named all the same', $key{carol}, 'query ($id: ID!) { prompt('
     . 'id: $id) { createdBy { email } version(number: 2) { createdBy '
     . '{ email } } } }', { id => $id });

sql("DELETE FROM users WHERE id = '$bob'");
seen({ prompt => { createdBy => 'deleted@invalid',
                   versions => [ { createdBy => 'alice' },
                                 { createdBy => 'deleted@invalid' } ] } },
     'who is gone is told as such', $key{carol}, 'query ($id: ID!) { prompt('
     . 'id: $id) { createdBy { email } versions(first: 2) { createdBy '
     . '{ email } } } }', { id => $id });
is_deeply(data($key{carol}, 'query ($id: ID!) { prompt(id: $id) { createdBy '
               . '{ id name } } }', { id => $id })->{prompt}{createdBy},
          { id => $bob, name => undef }, 'by their id, without a name');
seen({ execution => { executedBy => 'deleted@invalid' } }, 'in the log, too',
     $key{carol}, 'query ($id: ID!) { execution(id: $id) { executedBy '
     . '{ email } } }', { id => $ran{bob} });


# ---- many ------------------------------------------------------------------

sql("INSERT INTO users (id, email) SELECT gen_random_uuid(), 'u' || u ||"
    . " '\@example.com' FROM generate_series(1, 1000) u;"
    . ' INSERT INTO project_members (project_id, user_id, role) SELECT'
    . " '$team', id, 1 FROM users WHERE email LIKE 'u%';"
    . " UPDATE prompt_versions v SET created_by = u.id FROM (SELECT id,"
    . " row_number() OVER (ORDER BY id) n FROM users WHERE email LIKE 'u%') u"
    . " WHERE v.prompt_id = '$id' AND u.n = v.version * 16");

my $versions = data($key{carol}, 'query ($id: ID!) { prompt(id: $id) '
                    . '{ versions { createdBy { id } } } }', { id => $id })
               ->{prompt}{versions};

is(join(' ', map { $_->{createdBy}{id} } @$versions),
   join(' ', split /\n/, sql('SELECT created_by FROM prompt_versions WHERE'
                             . " prompt_id = '$id' ORDER BY version")),
   'each is found among a thousand');

ok($s->stop, 'stopped');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
