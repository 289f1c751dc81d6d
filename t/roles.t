# What each role may do: every root field of schema.graphql, by session and by
# key, and what stands in docs/company.md of it.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Mcp;
use PromptTest::OpenAI;
use PromptTest::People;
use PromptTest::Schema;
use PromptTest::Server;
use Test::More;

my @roles = qw(VIEWER EDITOR ADMIN OWNER);

# the least role that may ask for a field, in the documents' words by subject;
# those of who has signed in are for no key
my @rights = (
    [ VIEWER => 'read prompts, versions, executions and sums',
      qw(prompts prompt promptByName executions execution statistics
         renderPrompt models me) ],
    [ VIEWER => 'read the project and its members', qw(project) ],
    [ EDITOR => 'create, change, label, import and delete prompts',
      qw(createPrompt createPromptVersion updatePrompt forkPrompt
         setPromptLabel removePromptLabel deletePrompt importPrompts) ],
    [ EDITOR => 'delete executions', qw(deleteExecution) ],
    [ EDITOR => 'execute prompts', qw(executePrompt executePromptStream
                                      executeDraft executeDraftStream) ],
    [ VIEWER => 'read datasets and runs', qw(dataset datasets run) ],
    [ EDITOR => 'create, change, fill and delete datasets, score executions',
      qw(createDataset updateDataset deleteDataset addDatasetItems
         addExecutionToDataset removeDatasetItems scoreExecution
         removeScore) ],
    [ EDITOR => 'make, change, cancel and watch runs',
      qw(createRun updateRun cancelRun watchRun) ],
    [ EDITOR => 'have API keys', qw(apiKeys createApiKey deleteApiKey) ],
    [ ADMIN => 'change name, protected labels and records of the project',
      qw(updateProject) ],
    [ ADMIN => 'see and make invitations of VIEWER and EDITOR',
      qw(inviteMember removeInvitation) ],
    [ OWNER => 'make invitations of ADMIN and OWNER' ],
    [ ADMIN => 'change the roles of VIEWER and EDITOR, and remove them',
      qw(setMemberRole) ],
    [ OWNER => 'give or take the roles of ADMIN and OWNER' ],
    [ VIEWER => 'leave the project', qw(removeMember) ],
    [ ADMIN => 'move a prompt to another project, where EDITOR or more',
      qw(transferPrompt) ],
    [ ADMIN => 'set budgets', qw(setBudget removeBudget) ],
    [ ADMIN => 'read the audit log', qw(auditLog) ],
    [ OWNER => 'delete the project', qw(deleteProject) ],
);

my @signed_in = qw(sessions changePassword endSessions projects createProject
                   acceptInvitation);

my %right = map { my ($role, undef, @fields) = @$_; map { $_ => $role } @fields }
            @rights;
my @roots = PromptTest::Schema::roots();

PromptTest::Schema::same('rights', [ keys %right, @signed_in ],
                         [ map { $_->{name} } @roots ]);

PromptTest::Env::setup();

my $s = PromptTest::Server->new(workers => 2, server => <<'END');
    location /openai/ { prompt_openai; }
    location = /mcp { prompt_mcp; }
END

my (%user, %session, %key, $team, $elsewhere);

PromptTest::People::together(sub {
    $user{$_} = PromptTest::People::user(lc $_) for @roles, qw(NONE Other Second);
    $session{$_} = PromptTest::People::session($user{$_}) for @roles, 'NONE';
    $team = team();
    $key{$_} = PromptTest::People::key($user{$_}, $team) for @roles, 'NONE';
    $elsewhere = PromptTest::People::project('Elsewhere', map { $user{$_} =>
                                             'EDITOR' } @roles);
});


# team(): a new project, in which each of them has the role of that name
sub team
{
    return PromptTest::People::project('Team', $user{Other} => 'EDITOR',
        $user{Second} => 'ADMIN', map { $user{$_} => $_ } @roles);
}


# said(...): the code of the first error, or of the status; '' where there is none
sub said
{
    my ($answer) = @_;

    return 'UNAUTHENTICATED' if $answer->{status} == 401;
    return $1 if ($answer->{body} // '') =~ /"code":\s*"(\w+)"/;

    return $answer->{status} == 200 ? '' : "status $answer->{status}";
}


sub ask
{
    my ($root, @what) = @_;
    my $sse = $root->{kind} eq 'subscription'
              ? "Accept: text/event-stream\r\n" : '';

    return said(PromptTest::People::ask($s, @what, undef, $sse));
}


# may($code): what the frame lets through fails by its arguments at most
sub may
{
    return $_[0] ne 'FORBIDDEN' && $_[0] ne 'UNAUTHENTICATED' ? 1 : 0;
}


sub at_least
{
    my ($role, $least) = @_;

    return $PromptTest::People::number{$role}
           >= $PromptTest::People::number{$least} ? 1 : 0;
}


# each root field, whose arguments are made from their types; those about which
# more than the role is looked at are asked for below
my %below = map { $_ => 1 } qw(deleteProject);

for my $root (@roots) {
    my $document = PromptTest::Schema::document($root);
    my $least = $right{ $root->{name} };
    my (%got, %wanted);

    for my $role (@roles) {
        $wanted{$role} = [ $least ? at_least($role, $least) : 1,
                           $least ? at_least($role, $least) : 0 ];
        $got{$role} = [ may(ask($root, $session{$role}, $team, $document)),
                        may(ask($root, $key{$role}, undef, $document)) ];

        $got{$role} = $wanted{$role}
            if $below{ $root->{name} } && $role eq 'ADMIN';
    }

    is_deeply(\%got, \%wanted, "$root->{name}: by session, and by key")
        or diag explain \%got;
    is(ask($root, $session{NONE}, $team, $document), 'FORBIDDEN',
       "$root->{name}: no member");
    is(ask($root, $key{NONE}, undef, $document), 'UNAUTHENTICATED',
       "$root->{name}: nor by a key");
}

# what depends on what it is about, each in a project of its own
my @cases = (
    [ 'setMemberRole(userId: "OTHER", role: VIEWER) { role }' => 'ADMIN' ],
    [ 'setMemberRole(userId: "OTHER", role: ADMIN) { role }' => 'OWNER' ],
    [ 'setMemberRole(userId: "ANADMIN", role: EDITOR) { role }' => 'OWNER' ],
    [ 'setMemberRole(userId: "OTHER", role: OWNER) { role }' => 'OWNER' ],
    [ 'removeMember(userId: "OTHER")' => 'ADMIN' ],
    [ 'removeMember(userId: "ANADMIN")' => 'OWNER' ],
    [ 'removeMember(userId: "OWN")' => 'VIEWER' ],
    [ 'inviteMember(email: "a@b", role: EDITOR) { token }' => 'ADMIN' ],
    [ 'inviteMember(email: "a@b", role: ADMIN) { token }' => 'OWNER' ],
    [ 'inviteMember(email: "a@b", role: OWNER) { token }' => 'OWNER' ],
    [ 'transferPrompt(id: "PROMPT", projectId: "ELSEWHERE") { id }' => 'ADMIN' ],
    [ 'deleteProject(id: "PROJECT")' => 'OWNER' ],
);

my @asked = PromptTest::People::together(sub {
    return map { my ($document, $least) = @$_; map { my $role = $_; map {
        my $project = team();
        my $prompt = PromptTest::People::uuid();
        my %id = (OTHER => $user{Other}, ANADMIN => $user{Second},
                  OWN => $user{$role}, PROMPT => $prompt, PROJECT => $project,
                  ELSEWHERE => $elsewhere);

        PromptTest::People::sql('INSERT INTO prompts (id, owner_id, name,'
            . " category, updated_at) VALUES ('$prompt', '$project',"
            . " 'p-$prompt', 'GENERAL', now())");
        PromptTest::People::sql('INSERT INTO project_members (project_id,'
            . " user_id, role) VALUES ('$project', '$user{NONE}', 4)");

        [ "mutation { $document }" =~ s/"([A-Z]+)"/"$id{$1}"/gr, $document,
          $role, $least, $_ eq 'key'
          ? (PromptTest::People::key($user{$role}, $project), undef)
          : ($session{$role}, $project) ] } qw(session key) } @roles } @cases;
});

for (@asked) {
    my ($document, $name, $role, $least, $token, $project) = @$_;

    is(said(PromptTest::People::ask($s, $token, $project, $document)),
       at_least($role, $least) ? '' : 'FORBIDDEN',
       "$name by $role, " . ($project ? 'session' : 'key'));
}

# other protocols: a prompt of the project is read and executed

my $prompt = PromptTest::People::ask($s, $session{OWNER}, $team,
    'mutation { createPrompt(input: {name: "shared"}) { id } }')
    ->{json}{data}{createPrompt}{id};
PromptTest::People::ask($s, $session{OWNER}, $team, 'mutation ($p: JSON!, $i: '
    . "JSON!) { createPromptVersion(input: {promptId: \"$prompt\", content: "
    . '"Hi {{name}}", params: $p, inputSchema: $i}) { version } }',
    { p => { model => 'fx:ok' }, i => { type => 'object', properties =>
                                         { name => { type => 'string' } } } });

sub mcp
{
    my ($role, $method, $params) = @_;
    my $answer = $s->receive($s->send(PromptTest::Mcp::text($s, $method, $params,
                                                            key => $key{$role})));

    return $answer->{body} =~ /"FORBIDDEN"/ ? 403 : $answer->{status};
}


for my $role (@roles, 'NONE') {
    my ($reads, $runs) = $role eq 'NONE' ? (401, 401)
                         : (200, at_least($role, 'EDITOR') ? 200 : 403);

    is($s->receive($s->send(PromptTest::OpenAI::request('/openai/models', undef,
                   key => $key{$role})))->{status}, $reads,
       "models by $role");
    is($s->receive($s->send(PromptTest::OpenAI::request(
                   '/openai/chat/completions',
                   { model => 'shared', prompt_variables => { name => 'x' },
                     messages => [] }, key => $key{$role})))->{status}, $runs,
       "chat completion by $role");
    is($s->receive($s->send(PromptTest::OpenAI::request('/openai/responses',
                   { prompt => { id => 'shared', variables => { name => 'x' } } },
                   key => $key{$role})))->{status}, $runs, "response by $role");
    is(mcp($role, 'prompts/list', {}), $reads, "prompts/list by $role");
    is(mcp($role, 'prompts/get', { name => 'shared', arguments =>
                                   { name => 'x' } }), $reads,
       "prompts/get by $role");
    is(mcp($role, 'tools/list', {}), $reads, "tools/list by $role");
    is(mcp($role, 'tools/call', { name => 'shared', arguments =>
                                  { name => 'x' } }), $runs,
       "tools/call by $role");
}

# the documents have the same

my $table = join "\n", '| A member may | ' . join(' | ', @roles) . ' |',
    '| --- |' . ' :-: |' x @roles,
    map { my ($least, $words) = @$_;
          join ' | ', "| $words", map { at_least($_, $least) ? '✓' : ' ' }
                                  @roles } @rights;

$table =~ s/$/ |/mg;
$table =~ s/ \| \|/ |/g;

my $file = "$PromptTest::Env::root/docs/company.md";

utf8::encode($table) if utf8::is_utf8($table);

open my $in, '<', $file or die "$file: $!\n";
my $text = do { local $/; <$in> };

my ($there) = $text =~ /<!-- roles: made of t\/roles\.t -->\n\n(.*?)\n\n<!-- end -->/s;
is($there, $table, 'docs/company.md has the table')
    or diag "wanted:\n", map { "$_\n" } split /\n/, $table;

done_testing();
