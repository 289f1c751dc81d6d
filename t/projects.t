# Projects: who is a member and by what role, invitations, what is moved from one
# to another, how they end.

use strict;
use warnings;

use lib 't/lib';

use Digest::SHA;
use PromptTest::Env;
use PromptTest::Json;
use PromptTest::People;
use PromptTest::Server;
use Test::More;

PromptTest::Env::setup();

my $s = PromptTest::Server->new(workers => 2, server => <<'END');
    set $who alice@example.com;
    location = /session { prompt_session; }
    location = /trusted { prompt_session trusted=$who; }
END

my ($alice, $bob) = map { PromptTest::Env::var("${_}_id") } qw(alice bob);
my %session = map { $_ => PromptTest::People::session(
                        PromptTest::Env::var("${_}_id")) } qw(alice bob);

sub sql { return PromptTest::Env::psql(@_) }


# as($who, $project, $query [, $variables])
sub as
{
    my ($who, @what) = @_;

    return PromptTest::People::ask($s, $session{$who} || $who, @what);
}


sub data
{
    my ($answer, $data, $name) = @_;
    my $differs = PromptTest::Json::differs($answer->{json}{data}, $data);

    ok(!$differs && !$answer->{json}{errors}, $name)
        or diag($differs // '', $answer->{body} // '');

    return $answer->{json}{data};
}


sub refused
{
    my ($answer, $code, $like, $name) = @_;

    is($answer->{code}, $code, $name);
    like($answer->{message}, $like, '... in words');

    return;
}


# the personal one

data(as('alice', undef, '{ project { __typename id name personal role createdAt'
        . ' protectedLabels recordsContent members { user { id email } role'
        . ' since } invitations { id } } }'),
     { project => { __typename => 'Project', id => $alice, name => 'Personal',
                    personal => \1, role => 'OWNER', createdAt => '<time>',
                    protectedLabels => [], recordsContent => \1,
                    members => [ { user => { id => $alice, email =>
                                             'alice@example.com' },
                                   role => 'OWNER', since => '<time>' } ],
                    invitations => [] } }, 'the personal project');

data(PromptTest::People::ask($s, PromptTest::Env::var('alice_read_key'), undef,
                             '{ project { id role } }'),
     { project => { id => $alice, role => 'OWNER' } }, 'by a key');

refused(PromptTest::People::ask($s, PromptTest::Env::var('alice_key'), undef,
                                '{ projects { id } }'),
        'UNAUTHENTICATED', qr/./, 'no key has all projects');

# a new one

my $acme = data(as('alice', undef, 'mutation { createProject(name: "Acme") {'
                   . ' id name personal role members { role user { id } } } }'),
                { createProject => { id => '<uuid>', name => 'Acme',
                                     personal => \0, role => 'OWNER',
                                     members => [ { role => 'OWNER', user =>
                                                    { id => $alice } } ] } },
                'created')->{createProject}{id};

data(as('alice', $acme, '{ project { id name } prompts { id } }'),
     { project => { id => $acme, name => 'Acme' }, prompts => [] },
     'and acted in');

refused(as('bob', $acme, '{ project { id } }'), 'FORBIDDEN', qr/not a member/,
        'not by others');

for ('""', '"  "', '"' . 'x' x 101 . '"', "\"a\x01\"") {
    refused(as('alice', undef, "mutation { createProject(name: $_)"
               . ' { id } }'), 'BAD_USER_INPUT', qr/name/, 'a wrong name');
}

data(as('alice', undef, '{ projects { name personal role a: members(first: 1) {'
        . ' role } b: members(after: "ffffffff-ffff-7fff-bfff-ffffffffffff") {'
        . ' role } } }'),
     { projects => [ { name => 'Personal', personal => \1, role => 'OWNER',
                       a => [ { role => 'OWNER' } ], b => [] },
                     { name => 'Acme', personal => \0, role => 'OWNER',
                       a => [ { role => 'OWNER' } ], b => [] } ] },
     'all of them');


# changed

data(as('alice', $acme, 'mutation { updateProject(name: "Acme Inc.",'
        . ' protectedLabels: ["production", "v1"], recordsContent: false)'
        . ' { name protectedLabels recordsContent members { role } } }'),
     { updateProject => { name => 'Acme Inc.', recordsContent => \0,
                          protectedLabels => [ 'production', 'v1' ],
                          members => [ { role => 'OWNER' } ] } }, 'changed');
data(as('alice', $acme, 'mutation { updateProject(recordsContent: true)'
        . ' { name protectedLabels recordsContent } }'),
     { updateProject => { name => 'Acme Inc.', recordsContent => \1,
                          protectedLabels => [ 'production', 'v1' ] } },
     'what is absent stays');
data(as('alice', $acme, 'mutation { updateProject(protectedLabels: [])'
        . ' { protectedLabels } }'),
     { updateProject => { protectedLabels => [] } }, 'and none');

for ([ 'name: null' => 'name' ], [ 'name: ""' => 'name' ],
     [ 'protectedLabels: ["Production"]' => 'protectedLabels' ],
     [ 'protectedLabels: ["latest"]' => 'protectedLabels' ],
     [ 'recordsContent: null' => 'recordsContent' ],
     [ 'protectedLabels: [' . join(',', map { "\"l$_\"" } 1 .. 65) . ']'
       => 'protectedLabels' ])
{
    my ($given, $field) = @$_;
    my $a = as('alice', $acme, "mutation { updateProject($given) { id } }");

    is("$a->{code} $a->{field}", "BAD_USER_INPUT $field", substr $given, 0, 40);
}

# invitations

my %person = map { $_ => PromptTest::People::user($_) } qw(carol dave erin frank);

$session{$_} = PromptTest::People::session($person{$_}) for keys %person;

sub invite
{
    my ($who, $project, $email, $role) = @_;

    return as($who, $project, "mutation { inviteMember(email: \"$email\","
        . " role: $role) { token invitation { id email role createdAt expiresAt"
        . ' invitedBy { email } } } }');
}


sub join_by
{
    my ($who, $token) = @_;

    return as($who, undef, "mutation { acceptInvitation(token: \"$token\")"
                           . ' { id name role members { role } } }');
}


my $invited = data(invite('alice', $acme, 'Carol@Example.com', 'EDITOR'),
    { inviteMember => { token => '<string>', invitation => {
        id => '<uuid>', email => 'Carol@Example.com', role => 'EDITOR',
        createdAt => '<time>', expiresAt => '<time>',
        invitedBy => { email => 'alice@example.com' } } } }, 'invited')
    ->{inviteMember};

like($invited->{token}, qr/^pmi_\w{38}$/, 'a token');
is(sql('SELECT count(*) FROM project_invitations WHERE encode(hash, \'hex\') = '
       . "'" . Digest::SHA::sha256_hex($invited->{token}) . "' AND expires_at"
       . " BETWEEN now() + interval '6 days 23 hours' AND now() + interval"
       . " '7 days'"), "1\n", 'its hash is stored, for seven days');

data(as('alice', $acme, '{ project { invitations { id email role } } }'),
     { project => { invitations => [ { id => $invited->{invitation}{id},
                                       email => 'Carol@Example.com',
                                       role => 'EDITOR' } ] } }, 'shown');

refused(join_by('dave', $invited->{token}), 'FORBIDDEN', qr/another e-mail/,
        'not by another e-mail');
refused(join_by('carol', 'pmi_' . 'x' x 38), 'NOT_FOUND', qr/no such invitation/,
        'not without a token');
refused(join_by('carol', PromptTest::People::token('pmi_')), 'NOT_FOUND',
        qr/no such invitation/, 'not by another token');

# the cache knows that she is no member
refused(as('carol', $acme, '{ project { id } }'), 'FORBIDDEN', qr/not a member/,
        'no member yet') for 1 .. 4;

data(join_by('carol', $invited->{token}),
     { acceptInvitation => { id => $acme, name => 'Acme Inc.', role => 'EDITOR',
                             members => [ { role => 'OWNER' },
                                          { role => 'EDITOR' } ] } },
     'accepted, by the e-mail in another case');
data(as('carol', $acme, '{ project { id role } }'),
     { project => { id => $acme, role => 'EDITOR' } }, 'at once') for 1 .. 4;
refused(join_by('carol', $invited->{token}), 'NOT_FOUND', qr/was accepted/,
        'once');
refused(invite('alice', $acme, 'carol@example.com', 'ADMIN'), 'BAD_USER_INPUT',
        qr/member already/, 'a member is not invited');
refused(invite('carol', $acme, 'x@example.com', 'VIEWER'), 'FORBIDDEN',
        qr/takes an ADMIN/, 'an EDITOR invites nobody');
refused(as('carol', $acme, '{ project { invitations { id } } }'), 'FORBIDDEN',
        qr/takes an ADMIN/, 'nor sees who is');
refused(invite('alice', $alice, 'x@example.com', 'VIEWER'), 'BAD_USER_INPUT',
        qr/personal/, 'nobody is invited to a personal project');

for ('', 'x', 'a@b@c', '@b', 'a@', 'a b@c', 'x' x 320 . '@b') {
    is(invite('alice', $acme, $_, 'VIEWER')->{code}, 'BAD_USER_INPUT',
       'no e-mail: ' . substr $_, 0, 20);
}

my $first = invite('alice', $acme, 'dave@example.com', 'OWNER')
            ->{json}{data}{inviteMember}{token};
my $second = invite('alice', $acme, 'DAVE@example.com', 'ADMIN')
             ->{json}{data}{inviteMember}{token};

refused(join_by('dave', $first), 'NOT_FOUND', qr/no such/, 'replaced');
sql("UPDATE project_invitations SET expires_at = now() - interval '1 s'");
refused(join_by('dave', $second), 'NOT_FOUND', qr/expired/, 'expired');
data(as('alice', $acme, '{ project { invitations { id } } }'),
     { project => { invitations => [] } }, 'and not shown');

$second = invite('alice', $acme, 'dave@example.com', 'ADMIN')
          ->{json}{data}{inviteMember};
data(join_by('dave', $second->{token}), { acceptInvitation => '<any>' }, 'an ADMIN');

refused(invite('dave', $acme, 'x@example.com', 'ADMIN'), 'FORBIDDEN',
        qr/Only an OWNER/, 'who invites no ADMIN');

my $third = invite('dave', $acme, 'erin@example.com', 'EDITOR')
            ->{json}{data}{inviteMember};
my $fourth = invite('alice', $acme, 'frank@example.com', 'VIEWER')
             ->{json}{data}{inviteMember};

data(as('dave', $acme, "mutation { removeInvitation(id: "
        . "\"$fourth->{invitation}{id}\") }"), { removeInvitation => \1 },
     'removed');
refused(as('dave', $acme, "mutation { removeInvitation(id: "
           . "\"$fourth->{invitation}{id}\") }"), 'NOT_FOUND', qr/not found/,
        'once');
refused(join_by('frank', $fourth->{token}), 'NOT_FOUND', qr/no such/,
        'and not accepted');
refused(as('bob', undef, "mutation { removeInvitation(id: "
           . "\"$third->{invitation}{id}\") }"), 'NOT_FOUND', qr/not found/,
        'nor by another project');

# roles

sub role
{
    my ($who, $of, $role) = @_;

    return as($who, $acme, "mutation { setMemberRole(userId: \"$person{$of}\","
                           . " role: $role) { user { email } role since } }");
}


sub leave
{
    my ($who, $of) = @_;

    return as($who, $acme, "mutation { removeMember(userId: "
              . "\"$person{$of}\") }");
}


$person{alice} = $alice;
$person{bob} = $bob;

data(role('dave', 'carol', 'VIEWER'),
     { setMemberRole => { user => { email => 'carol@example.com' },
                          role => 'VIEWER', since => '<time>' } }, 'a role');
refused(as('carol', $acme, 'mutation { createPrompt(input: {name: "x"})'
           . ' { id } }'), 'FORBIDDEN', qr/takes an EDITOR/, 'at once')
    for 1 .. 4;
refused(role('dave', 'carol', 'ADMIN'), 'FORBIDDEN', qr/Only an OWNER/,
        'an ADMIN makes no ADMIN');
refused(role('dave', 'dave', 'EDITOR'), 'FORBIDDEN', qr/Only an OWNER/,
        'nor ends as one');
refused(role('dave', 'alice', 'VIEWER'), 'FORBIDDEN', qr/Only an OWNER/,
        'nor takes an OWNER\'s role');
refused(leave('dave', 'alice'), 'FORBIDDEN', qr/takes an ADMIN/,
        'nor removes one');
refused(role('alice', 'bob', 'EDITOR'), 'NOT_FOUND', qr/no such member/,
        'no member');
refused(leave('alice', 'bob'), 'NOT_FOUND', qr/no such member/, 'no member');
refused(role('alice', 'alice', 'ADMIN'), 'BAD_USER_INPUT', qr/only OWNER/,
        'one OWNER stays');
refused(leave('alice', 'alice'), 'BAD_USER_INPUT', qr/only OWNER/,
        'and does not leave');
refused(as('alice', undef, 'mutation { setMemberRole(userId: "' . $alice
           . '", role: VIEWER) { role } }'), 'BAD_USER_INPUT', qr/personal/,
        'nor in a personal project');
refused(as('alice', undef, "mutation { removeMember(userId: \"$alice\") }"),
        'BAD_USER_INPUT', qr/personal/, 'which nobody leaves');

# two OWNERs who take the other's role, or leave, at the same moment: one stays

for my $round (1 .. 8) {
    my @owners = map { PromptTest::People::user("o${round}x$_") } 1 .. 3;
    my $project = PromptTest::People::project('Owned',
                                              map { $_ => 'OWNER' } @owners);
    my @sessions = map { PromptTest::People::session($_) } @owners;
    my @said = PromptTest::Server::side_by_side(6, sub {
        my ($i) = @_;
        my $of = $round % 2 ? $owners[$i % 3] : $owners[($i + 1) % 3];

        return PromptTest::People::ask($s, $sessions[$i % 3], $project,
            $i < 3 ? "mutation { removeMember(userId: \"$of\") }"
                   : "mutation { setMemberRole(userId: \"$of\", role: VIEWER) {"
                     . ' role } }')->{code};
    });
    my $left = sql('SELECT count(*) FROM project_members WHERE role = 4 AND '
                   . "project_id = '$project'");

    cmp_ok($left, '>=', 1, "round $round: one OWNER stays")
        or diag join ' ', @said;
}

# who made an invitation loses the right to it: it ends with that
data(role('alice', 'dave', 'EDITOR'), { setMemberRole => '<any>' }, 'no ADMIN');
refused(join_by('erin', $third->{token}), 'NOT_FOUND', qr/no such/,
        'nor are invitations of theirs');

# keys: as their maker's role, and away with them

data(role('alice', 'carol', 'EDITOR'), { setMemberRole => '<any>' }, 'EDITOR');
my $key = data(as('carol', $acme, 'mutation { createApiKey(input: {name: "a"})'
                  . ' { key apiKey { id } } }'), { createApiKey => '<any>' },
               'a key')->{createApiKey}{key};
my $below = data(as($key, undef, 'mutation { createApiKey(input: {name: "b"})'
                    . ' { key } }'), { createApiKey => '<any>' },
                 'and one by it')->{createApiKey}{key};

data(as($_, undef, '{ project { id role } }'),
     { project => { id => $acme, role => 'EDITOR' } }, 'works')
    for $key, $below;
data(role('alice', 'carol', 'VIEWER'), { setMemberRole => '<any>' }, 'VIEWER');

for ($key, $below) {
    data(as($_, undef, '{ project { role } }'),
         { project => { role => 'VIEWER' } }, 'reads');
    is(as($_, undef, 'mutation { createPrompt(input: {name: "x"}) { id } }')
       ->{code}, 'FORBIDDEN', 'and changes nothing');
}

data(leave('carol', 'carol'), { removeMember => \1 }, 'a VIEWER leaves');
is(as($_, undef, '{ project { role } }')->{status}, 401, 'her keys with her')
    for $key, $below;
is(as('carol', $acme, '{ me { id } }')->{status}, 403, 'and she') for 1 .. 4;
data(as('carol', undef, '{ me { id } projects { id } }'),
     { me => '<any>', projects => [ { id => $person{carol} } ] },
     'who has an account still');
data(leave('alice', 'carol'), { removeMember => \1 }, 'removed once more');
refused(role('alice', 'carol', 'EDITOR'), 'NOT_FOUND', qr/no such member/,
        'who left is no member');

# back: the keys are not
$invited = invite('alice', $acme, 'carol@example.com', 'ADMIN')
           ->{json}{data}{inviteMember};
data(join_by('carol', $invited->{token}), { acceptInvitation => '<any>' },
     'back, as ADMIN');
is(as($key, undef, '{ me { id } }')->{status}, 401, 'keys stay away');

# who has no account makes one by the invitation

my %same = ('Content-Type' => 'application/json',
            'Sec-Fetch-Site' => 'same-origin');

sub sign_up
{
    my ($body, $path) = @_;
    my $text = ref $body ? PromptTest::Json::encode($body) : $body;
    my $answer = $s->receive($s->send('POST ' . ($path || '/session')
        . " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        . join('', map { "$_: $same{$_}\r\n" } keys %same)
        . 'Content-Length: ' . length($text) . "\r\n\r\n$text"));

    ($answer->{cookie}) = $answer->{head} =~ /^Set-Cookie: \w+=(pms_\w+);/m;
    $answer->{message} = $answer->{json}{errors}[0]{message} // ''
        if $answer->{json};

    return $answer;
}


my $pass = 'canary of grace and henry';

$invited = invite('alice', $acme, 'Grace@example.com', 'EDITOR')
           ->{json}{data}{inviteMember}{token};

for ([ { password => $pass } => 403, qr/no such invitation/, 'pmi_' . 'x' x 38 ],
     [ { password => $pass } => 403, qr/no such invitation/,
       PromptTest::People::token('pmi_') ],
     [ { password => $pass } => 403, qr/no such invitation/,
       PromptTest::People::token('pms_') ],
     [ {} => 400, qr/12 to 1,024/, $invited ],
     [ { password => 'short' } => 400, qr/12 to 1,024/, $invited ],
     [ { password => 'x' x 1025 } => 400, qr/12 to 1,024/, $invited ],
     [ { password => $pass, name => '' } => 400, qr/name/, $invited ],
     [ { password => $pass, name => 'x' x 201 } => 400, qr/name/, $invited ],
     [ { password => $pass, name => "a\x{7}" } => 400, qr/name/, $invited ])
{
    my ($more, $status, $words, $token) = @$_;
    my $a = sign_up({ invitation => $token, %$more });

    is($a->{status}, $status, "refused: $status");
    like($a->{message}, $words, '... in words');
    ok(!$a->{cookie}, 'without a cookie');
}

is(sign_up({ invitation => $invited, password => $pass }, '/trusted')->{status},
   400, 'not where nobody has a password');
is(sql("SELECT count(*) FROM users WHERE lower(email) LIKE 'grace%'"), "0\n",
   'nobody was made');

my $made = sign_up({ invitation => $invited, name => 'Grace', password => $pass });

is($made->{status}, 204, 'made') or diag $made->{body};
$session{grace} = $made->{cookie};
data(as('grace', undef, '{ me { email name } projects { name role } }'),
     { me => { email => 'Grace@example.com', name => 'Grace' }, projects =>
       [ { name => 'Personal', role => 'OWNER' },
         { name => 'Acme Inc.', role => 'EDITOR' } ] }, 'with what she may');
is(sign_up({ email => 'grace@example.com', password => $pass })->{status}, 204,
   'who signs in from then on');
is(sign_up({ invitation => $invited, password => $pass })->{status}, 403,
   'the invitation is used up');

$invited = invite('alice', $acme, 'bob@example.com', 'EDITOR')
           ->{json}{data}{inviteMember}{token};
$made = sign_up({ invitation => $invited, name => 'Bobby', password => $pass });
is($made->{status}, 409, 'who has an account makes none');
like($made->{message}, qr/sign in/, '... in words');
is(sql("SELECT name FROM users WHERE id = '$bob'"), "Bob\n", 'nor changes it');
is(sign_up({ email => 'bob@example.com', password => $pass })->{status}, 401,
   'nor its password');

# twice at once, one account
$invited = invite('alice', $acme, 'henry@example.com', 'VIEWER')
           ->{json}{data}{inviteMember}{token};
my @made = PromptTest::Server::side_by_side(2, sub {
    return sign_up({ invitation => $invited, password => $pass })->{status};
});
is(join(',', sort @made), '204,403', 'two at once: one account')
    or diag join ' ', @made;

is(sql("SELECT count(*) FROM users WHERE email = 'henry\@example.com'"), "1\n",
   'of henry');

# guesses are bounded
my %status;

$status{ sign_up({ invitation => PromptTest::People::token('pmi_'),
                   password => $pass })->{status} }++ for 1 .. 24;
ok($status{403} && $status{403} <= 20 && $status{429}, 'guesses are bounded')
    or diag join ' ', %status;

my $log = $s->log_text();
unlike($log, qr/\Q$pass\E|pmi_\w{8}/, 'neither token nor password is logged');

# transfer

my $other = data(as('carol', undef, 'mutation { createProject(name: "Other") {'
                    . ' id } }'), { createProject => '<any>' }, 'another')
            ->{createProject}{id};
my $prompt = data(as('carol', undef, 'mutation { createPrompt(input: {name:'
                     . ' "mine", isPublic: true}) { id } }'),
                  { createPrompt => '<any>' }, 'a prompt')->{createPrompt}{id};

data(as('carol', undef, 'mutation { createPromptVersion(input: {promptId: "'
        . $prompt . '", content: "Hi", params: {model: "fx:ok"}}) { version } '
        . "setPromptLabel(promptId: \"$prompt\", label: \"production\", version:"
        . ' 1) { label } }'),
     { createPromptVersion => '<any>', setPromptLabel => '<any>' }, 'a version');

sub run_it
{
    my ($who, $project, $id, %more) = @_;

    return as($who, $project, "mutation { executePrompt(promptId: \"$id\", "
              . 'input: {}) { executionId } }')
           ->{json}{data}{executePrompt}{executionId};
}


ok(run_it('carol', undef, $prompt), 'run by carol');
ok(run_it('carol', undef, 'mine'), 'by its name');
ok(run_it('carol', $acme, $prompt), 'and paid for by Acme');
ok(run_it('bob', undef, $prompt), 'and run by bob');

# what has ended is summed up
sql("UPDATE log_mark SET mark = prompt_id_of(now() + interval '1 second'),"
    . ' late = mark; SELECT prompt_log_add(ARRAY(SELECT id FROM executions))');

sub sums
{
    my ($who, $project, $of) = @_;

    return as($who, $project, '{ statistics('
              . ($of ? "promptId: \"$of\", " : '')
              . 'since: "2026-01-01T00:00:00Z", by: ALL) { executions } }')
           ->{json}{data}{statistics}[0]{executions};
}


is(sums('carol', undef, $prompt), 4, 'of the prompt');
is(sums('carol', undef), 2, 'of hers');
is(sums('carol', $acme), 1, 'of Acme\'s');

sub transfer
{
    my ($who, $from, $id, $to) = @_;

    return as($who, $from, "mutation { transferPrompt(id: \"$id\", projectId: "
              . "\"$to\") { id name versions { version executions { id } }"
              . ' labels { label } labelHistory { version } } }');
}


refused(transfer('carol', undef, $prompt, $person{carol}), 'BAD_USER_INPUT',
        qr/already/, 'where it is');
refused(transfer('carol', undef, $prompt, $bob), 'FORBIDDEN', qr/EDITOR/,
        'where she is no member');
refused(transfer('carol', undef, $prompt, PromptTest::People::uuid()),
        'FORBIDDEN', qr/EDITOR/, 'nor any project is');
refused(transfer('dave', $acme, $prompt, $person{dave}), 'FORBIDDEN',
        qr/takes an ADMIN/, 'by an EDITOR');
refused(transfer('carol', $acme, $prompt, $other), 'FORBIDDEN', qr/have access/,
        'of another project');
refused(transfer('carol', undef, PromptTest::People::uuid(), $other),
        'NOT_FOUND', qr/not found/, 'no prompt');

data(as('carol', $other, 'mutation { createPrompt(input: {name: "mine"}) { id }'
        . ' }'), { createPrompt => '<any>' }, 'one of that name');
refused(transfer('carol', undef, $prompt, $other), 'BAD_USER_INPUT',
        qr/another prompt of that name/, 'the name is taken');

data(transfer('carol', undef, $prompt, $acme),
     { transferPrompt => { id => $prompt, name => 'mine',
                           versions => [ { version => 1, executions =>
                               [ map { { id => '<uuid>' } } 1 .. 4 ] } ],
                           labels => [ { label => 'production' } ],
                           labelHistory => [ { version => 1 } ] } }, 'moved');

is(sql('SELECT owner_id, created_by FROM prompts WHERE name = \'mine\' AND '
       . "id = '$prompt' UNION ALL SELECT owner_id, created_by FROM "
       . "prompt_versions WHERE prompt_id = '$prompt' UNION ALL SELECT owner_id,"
       . " set_by FROM prompt_labels WHERE prompt_id = '$prompt' UNION ALL "
       . 'SELECT owner_id, moved_by FROM prompt_label_moves WHERE prompt_id = '
       . "'$prompt'"), "$acme|$person{carol}\n" x 4, 'with all that is its');
is(sql('SELECT executed_by, by_owner, owner_id FROM executions WHERE prompt_id'
       . " = '$prompt' ORDER BY id"),
   "$person{carol}|f|$acme\n$person{carol}|f|$acme\n$acme|t|\n$bob|f|$acme\n",
   'executions know');

is(sums('carol', $acme, $prompt), 4, 'the new owner has all of it');
is(sums('carol', $acme), 1, 'and paid for as much as before');
is(sums('carol', undef), 2, 'as did the one before');
is(sums('carol', undef, $prompt), 2, 'who is a guest now');
is(sums('bob', undef), 1, 'and bob');
is(sums('bob', undef, $prompt), 1, 'of whom it is the same');

data(as('carol', undef, '{ promptByName(name: "mine") { id } }'),
     '<any>', 'no name of hers') if 0;
is(as('carol', undef, '{ promptByName(name: "mine") { id } }')->{code},
   'NOT_FOUND', 'no name of hers any more');
ok(!run_it('carol', undef, 'mine'), 'nor run by it');
ok(run_it('carol', undef, $prompt), 'run as a guest') for 1 .. 4;
is(sql('SELECT count(*) FROM executions WHERE prompt_id = \'' . $prompt
       . "' AND executed_by = '$person{carol}' AND NOT by_owner AND owner_id = "
       . "'$acme'"), "6\n", 'and noted so');
is(as('carol', undef, "mutation { updatePrompt(id: \"$prompt\", input: {name:"
      . ' "x"}) { id } }')->{code}, 'FORBIDDEN', 'it is not hers');
data(as('carol', $acme, "mutation { updatePrompt(id: \"$prompt\", input: {"
        . 'isPublic: false}) { id } }'), { updatePrompt => '<any>' }, 'but Acme\'s');
ok(!run_it('carol', undef, $prompt), 'private: not run by others') for 1 .. 4;
data(as('carol', $acme, "{ executions(promptId: \"$prompt\") { id } }"),
     { executions => [ map { { id => '<uuid>' } } 1 .. 8 ] }, 'all of it');

# swept(): as the sweeper does, but up to now
sub swept
{
    sql('BEGIN; SELECT FROM log_mark FOR UPDATE; CREATE TEMPORARY TABLE now AS'
        . ' SELECT x.id, x.status, x.executed_by, x.owner_id FROM executions x,'
        . ' log_mark m WHERE x.id > m.mark; SELECT prompt_log_add(ARRAY('
        . "SELECT id FROM now WHERE status <> 'running')); INSERT INTO"
        . ' log_waiting SELECT id, coalesce(owner_id, executed_by), executed_by,'
        . " now() FROM now WHERE status = 'running' ON CONFLICT DO NOTHING;"
        . ' UPDATE log_mark SET mark = n.id, late = n.id FROM (SELECT id FROM now'
        . ' ORDER BY id DESC LIMIT 1) n; COMMIT');
}


# to and fro while it is run from all sides: at the end all of it is noted, once

$prompt = data(as('carol', $other, 'mutation { createPrompt(input: {name: "busy",'
                  . ' isPublic: true}) { id } }'), { createPrompt => '<any>' },
               'a busy one')->{createPrompt}{id};
data(as('carol', $other, 'mutation { createPromptVersion(input: {promptId: "'
        . $prompt . '", content: "Hi", params: {model: "fx:ok"}}) { version }'
        . ' }'), { createPromptVersion => '<any>' }, 'a version');

my @ran = PromptTest::Server::side_by_side(5, sub {
    my ($i) = @_;
    my $n = 0;

    if ($i == 0) {
        for my $to ($acme, $other, $acme, $other, $acme) {
            $n += !transfer('carol', $to eq $acme ? $other : $acme, $prompt, $to)
                  ->{code};
            swept();
        }

        return $n;
    }

    my ($who, $in) = @{ ([ 'carol', undef ], [ 'carol', $acme ],
                         [ 'carol', $other ], [ 'bob', undef ])[$i - 1] };

    for (1 .. 15) {
        $n++ if run_it($who, $in, $prompt);
    }

    return $n;
});

is(shift @ran, 5, 'moved five times');
my $ran = eval join '+', @ran;

is(sql("SELECT count(*) FROM executions WHERE prompt_id = '$prompt'"),
   "$ran\n", 'run meanwhile');

swept();

# and an hour later, once more: what started while the mark went by
sql('INSERT INTO log_waiting SELECT c.id, c.owner_id, c.executed_by, now() FROM'
    . " log_mark m, prompt_log_counted('00000000-0000-0000-0000-000000000000',"
    . ' m.mark) c WHERE NOT c.counted ON CONFLICT DO NOTHING');

for (1 .. 100) {
    last if sql("UPDATE prompt_transfers SET look = now(), since = since - "
                . "interval '5 minutes'; SELECT count(*) FROM prompt_transfers")
            == 0;
    sql('SELECT prompt_transfer_step(NULL, 20)');
}

is(sql('SELECT count(*) FROM executions WHERE prompt_id = \'' . $prompt . "' AND"
       . " (by_owner <> (executed_by = '$acme') OR owner_id IS DISTINCT FROM "
       . "nullif('$acme'::uuid, executed_by))"), "0\n", 'each knows whose it is');
is(sums('carol', $acme, $prompt), $ran,
   'each counts for its owner, once');
is(sums('carol', $other), $ran[2], 'and for who paid');

# a label that is protected there
data(as('alice', $acme, 'mutation { updateProject(protectedLabels: ["production"'
        . ']) { id } }'), { updateProject => '<any>' }, 'protected');
$prompt = data(as('dave', undef, 'mutation { createPrompt(input: {name: "daves"'
                  . '}) { id } }'), { createPrompt => '<any>' }, 'another')
          ->{createPrompt}{id};
data(as('dave', undef, 'mutation { createPromptVersion(input: {promptId: "'
        . $prompt . '", content: "Hi", params: {model: "fx:ok"}}) { version } '
        . "setPromptLabel(promptId: \"$prompt\", label: \"production\", version:"
        . ' 1) { label } }'),
     { createPromptVersion => '<any>', setPromptLabel => '<any>' }, 'a version');
refused(transfer('dave', undef, $prompt, $acme), 'FORBIDDEN', qr/protected/,
        'comes by an ADMIN alone');

# the end

refused(as('carol', $acme, "mutation { deleteProject(id: \"$acme\") }"),
        'FORBIDDEN', qr/Only an OWNER/, 'an ADMIN ends no project');
refused(as('alice', undef, "mutation { deleteProject(id: \"$alice\") }"),
        'BAD_USER_INPUT', qr/personal/, 'a personal one stays');
refused(as('bob', undef, "mutation { deleteProject(id: \"$acme\") }"),
        'NOT_FOUND', qr/not a member/, 'others know of none');
refused(as(PromptTest::Env::var('alice_key'), undef,
           "mutation { deleteProject(id: \"$acme\") }"), 'FORBIDDEN',
        qr/a key no other/, 'a key ends no other one');

$key = data(as('dave', $acme, 'mutation { createApiKey(input: {name: "c"}) {'
               . ' key } }'), { createApiKey => '<any>' }, 'a key')
       ->{createApiKey}{key};
ok(run_it('dave', $acme, 'mine'), 'run');
ok(sql("SELECT count(*) FROM log_kinds WHERE user_id = '$acme'") > 0, 'kinds');

sql("INSERT INTO datasets (id, project_id, name, checks) SELECT"
    . " gen_random_uuid(), '$acme', n, '[]' FROM generate_series(1, 3) n;"
    . ' INSERT INTO dataset_items (id, dataset_id, input, bytes) SELECT'
    . " gen_random_uuid(), id, '{}', 2 FROM datasets, generate_series(1, 100)"
    . " WHERE project_id = '$acme'");
ok(sql("INSERT INTO scores (id, execution_id, project_id, name, value, source,"
       . " created_by) SELECT gen_random_uuid(), id, '$acme', 'x', 1, 'API',"
       . " '$acme' FROM executions WHERE executed_by = '$acme' RETURNING 1"),
   'scores');

data(as('alice', undef, "mutation { deleteProject(id: \"$acme\") }"),
     { deleteProject => \1 }, 'deleted');
is(as($key, undef, '{ me { id } }')->{status}, 401, 'its keys are refused');
is(as($_, $acme, '{ me { id } }')->{status}, 403, "and $_")
    for qw(alice carol dave);
data(as('alice', undef, "mutation { deleteProject(id: \"$acme\") }"),
     '<any>', 'twice') if 0;

for (1 .. 200) {
    last if sql("SELECT count(*) FROM projects WHERE id = '$acme'") == 0;
    select undef, undef, undef, 0.1;
}

is(sql("SELECT (SELECT count(*) FROM projects WHERE id = '$acme'),"
       . " (SELECT count(*) FROM prompts WHERE owner_id = '$acme'),"
       . " (SELECT count(*) FROM executions WHERE executed_by = '$acme'),"
       . " (SELECT count(*) FROM api_keys WHERE project_id = '$acme'),"
       . " (SELECT count(*) FROM log_kinds WHERE user_id = '$acme'),"
       . " (SELECT count(*) FROM datasets WHERE project_id = '$acme'),"
       . " (SELECT count(*) FROM scores WHERE project_id = '$acme')"),
   "0|0|0|0|0|0|0\n", 'with all that it had');
is(sql('SELECT count(*) FROM dataset_items'), "0\n", 'and items');
is(sums('carol', undef), 21, 'what others paid stays');
is(sums('bob', undef), 16, 'with them');

done_testing();
