# The audit log: each change leaves its row, by its own statement, and what is
# refused one a minute at most; who may read it, and that nobody changes it.

use strict;
use warnings;

use lib 't/lib';

use Digest::SHA;
use PromptTest::Env;
use PromptTest::Json;
use PromptTest::People;
use PromptTest::Schema;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

PromptTest::Env::setup();

my ($alice, $bob) = map { PromptTest::Env::var("${_}_id") } qw(alice bob);
my $trace = '4bf92f3577b34da6a3ce929d0e0e4736';
my $password = 'correct horse battery staple';
my (%id, $cookie, $invited);

my $s = PromptTest::Server->new(workers => 2,
    server => 'location = /session { prompt_session; }');


sub sql
{
    my $text = PromptTest::Env::psql(@_);

    chomp $text;
    return $text;
}

sub promptctl { return PromptTest::Env::promptctl(@_) }

# set_password($email): from standard input
sub set_password
{
    local $ENV{PROMPT_DATABASE_URL} = PromptTest::Env::conninfo('prompt_owner');
    local $ENV{PROMPT_REDIS} = 'unix:'
        . PromptTest::Env::services()->{SERVICES_REDIS}
        . ' prefix=' . PromptTest::Env::redis_prefix();

    open my $out, '|-', $PromptTest::Env::promptctl, 'user', 'password', $_[0]
        or die "promptctl: $!\n";
    print $out "$password\n";
    close $out or die "promptctl user password: $?\n";
}

# post($path, $value, headers): the answer
sub post
{
    my ($path, $value, %headers) = @_;
    my $body = PromptTest::Json::encode($value);
    my %all = (Host => 'localhost', Connection => 'close',
               'Content-Type' => 'application/json',
               'Sec-Fetch-Site' => 'same-origin',
               traceparent => "00-$trace-00f067aa0ba902b7-01", %headers,
               'Content-Length' => length $body);

    return $s->receive($s->send("POST $path HTTP/1.1\r\n"
        . join('', map { "$_: $all{$_}\r\n" } sort keys %all) . "\r\n$body"));
}

sub sign_in
{
    my ($email, $text) = @_;
    my $answer = post('/session', { email => $email, password => $text });

    return ($answer->{head} || '') =~ /^Set-Cookie: ([^;]*)/m ? $1 : undef;
}

# ask($who, $query, $variables): by an API key, or by what has signed in
sub ask
{
    my ($who, $query, $variables) = @_;

    return post('/graphql', { query => $query, variables => $variables || {} },
                $who eq 'session' ? (Cookie => $cookie)
                : $who eq 'invited' ? (Cookie => $invited)
                : $who eq 'team'
                ? (Cookie => $cookie, 'Prompt-Project' => $id{team})
                : (Authorization => 'Bearer '
                       . PromptTest::Env::var("${who}_key")));
}

# the rows that came since, as texts
my $last = '00000000-0000-0000-0000-000000000000';

sub rows
{
    my $rows = sql("SELECT action, subject, subject_name, detail FROM audit"
                   . " WHERE id > '$last' ORDER BY id");

    $last = sql('SELECT id FROM audit ORDER BY id DESC LIMIT 1') || $last;

    return $rows;
}

# rows of what is told behind the answer
sub rows_come
{
    my ($pattern) = @_;
    my $until = time() + 10 * ($ENV{PROMPT_TEST_SLOW} || 1);

    sleep 0.05 until sql("SELECT count(*) FROM audit WHERE id > '$last' AND"
                         . " action ~ '$pattern'") > 0 || time() > $until;

    return rows();
}


# each mutation: who asks (by a key; in a session, in a project or in their own;
# who was invited), what, what of the answer is noted under which name, and its
# row: subject, name and detail; no row where that is undef

my @changes = (
    [ createPrompt => 'alice',
      '{ createPrompt(input: {name: "one"}) { id } }', 'prompt',
      'Prompt|one|' ],
    [ createPrompt => 'alice',
      '{ createPrompt(input: {name: "open", isPublic: true}) { id } }', 'open',
      'Prompt|open|{"after" : {"isPublic" : true}}' ],
    [ createPrompt => 'alice',
      '{ createPrompt(input: {name: "one"}) { id } }', undef, undef ],
    [ updatePrompt => 'alice', '{ updatePrompt(id: "PROMPT", input: {name:'
      . ' "two", isPublic: true, description: "secret"}) { id } }', undef,
      'Prompt|two|{"before":{"name":"one","isPublic":false},'
      . '"after":{"name":"two","isPublic":true},"changed":["description"]}' ],
    [ updatePrompt => 'alice',
      '{ updatePrompt(id: "PROMPT", input: {category: CUSTOM}) { id } }', undef,
      'Prompt|two|{"before":{"category":"GENERAL"},'
      . '"after":{"category":"CUSTOM"}}' ],
    [ updatePrompt => 'alice',
      '{ updatePrompt(id: "PROMPT", input: {name: "open"}) { id } }', undef,
      undef ],
    [ createPromptVersion => 'alice', '{ createPromptVersion(input: {promptId:'
      . ' "PROMPT", content: "secret", params: {model: "fx:ok"}}) { id } }',
      undef, 'Prompt|two|{"version" : 1}' ],
    [ createPromptVersion => 'alice', '{ createPromptVersion(input: {promptId:'
      . ' "PROMPT", content: "b", params: {model: "fx:ok"}}) { id } }',
      undef, 'Prompt|two|{"version" : 2}' ],
    [ setPromptLabel => 'alice', '{ setPromptLabel(promptId: "PROMPT",'
      . ' label: "l", version: 1) { label } }', undef,
      'Prompt|two|{"label" : "l", "before" : null, "after" : 1}' ],
    [ setPromptLabel => 'alice', '{ setPromptLabel(promptId: "PROMPT",'
      . ' label: "l", version: 2) { label } }', undef,
      'Prompt|two|{"label" : "l", "before" : 1, "after" : 2}' ],
    [ setPromptLabel => 'alice', '{ setPromptLabel(promptId: "PROMPT",'
      . ' label: "l", version: 2) { label } }', undef, undef ],
    [ removePromptLabel => 'alice',
      '{ removePromptLabel(promptId: "PROMPT", label: "l") }', undef,
      'Prompt|two|{"label" : "l", "before" : 2, "after" : null}' ],
    [ removePromptLabel => 'alice',
      '{ removePromptLabel(promptId: "PROMPT", label: "l") }', undef, undef ],
    [ forkPrompt => 'alice', '{ forkPrompt(id: "PROMPT") { id } }', 'fork',
      'Prompt|NAME|{"from" : "PROMPT", "versions" : 2}' ],
    [ executePrompt => 'alice', '{ executePrompt(promptId: "PROMPT", input: {})'
      . ' { executionId } }', 'run', undef ],
    [ createDataset => 'alice', '{ createDataset(name: "Set", description:'
      . ' "secret") { id } }', 'dataset', 'Dataset|Set|' ],
    [ createDataset => 'alice', '{ createDataset(name: "Set") { id } }', undef,
      undef ],
    [ updateDataset => 'alice', '{ updateDataset(id: "DATASET", name: "Sets",'
      . ' description: "secret 2") { id } }', undef,
      'Dataset|Sets|{"before":{"name":"Set"},"after":{"name":"Sets"},'
      . '"changed":["description"]}' ],
    [ addDatasetItems => 'alice', '{ addDatasetItems(datasetId: "DATASET",'
      . ' items: [{input: {a: "secret"}}, {input: {}}]) { id } }', 'item',
      'Dataset|Sets|{"items" : 2}' ],
    [ removeDatasetItems => 'alice', '{ removeDatasetItems(ids: ["ITEM"]) }',
      undef, 'Dataset|Sets|{"items" : 1}' ],
    [ removeDatasetItems => 'alice', '{ removeDatasetItems(ids: ["ITEM"]) }',
      undef, undef ],
    [ addExecutionToDataset => 'alice', '{ addExecutionToDataset(datasetId:'
      . ' "DATASET", executionId: "RUN") { id } }', undef,
      'Dataset|Sets|{"items" : 1, "executionId" : "RUN"}' ],
    [ createRun => 'alice', '{ createRun(datasetId: "DATASET", promptId:'
      . ' "PROMPT", versions: [1]) { id } }', 'trial',
      'Run|Sets|{"promptId":"PROMPT","versions":[1],"repetitions":1}' ],
    [ updateRun => 'alice', '{ updateRun(id: "TRIAL", costCapUsd: "1") { id } }',
      undef, undef ],
    [ cancelRun => 'alice', '{ cancelRun(id: "TRIAL") { id } }', undef,
      'Run|Sets|' ],
    [ cancelRun => 'alice', '{ cancelRun(id: "TRIAL") { id } }', undef, undef ],
    [ deleteDataset => 'alice', '{ deleteDataset(id: "DATASET") }', undef,
      'Dataset|Sets|' ],
    [ deleteDataset => 'alice', '{ deleteDataset(id: "DATASET") }', undef,
      undef ],
    [ scoreExecution => 'alice', '{ scoreExecution(executionId: "RUN", name:'
      . ' "good", value: 0.5, comment: "secret") { id } }', undef,
      'Execution||{"score":"good","after":0.5}' ],
    [ scoreExecution => 'alice', '{ scoreExecution(executionId: "RUN", name:'
      . ' "good", value: 1) { id } }', 'score',
      'Execution||{"score":"good","before":0.5,"after":1}' ],
    [ removeScore => 'alice', '{ removeScore(id: "SCORE") }', undef,
      'Execution||{"score" : "good", "before" : 1}' ],
    [ removeScore => 'alice', '{ removeScore(id: "SCORE") }', undef, undef ],
    [ deleteExecution => 'alice', '{ deleteExecution(id: "RUN") }', undef,
      'Execution||' ],
    [ deleteExecution => 'alice', '{ deleteExecution(id: "RUN") }', undef,
      undef ],
    [ importPrompts => 'alice', '{ importPrompts(prompts: [{name: "three",'
      . ' versions: [{version: 1, content: "c", params: {model: "fx:ok"}}],'
      . ' labels: [{label: "m", version: 1}]}, {name: "two", isPublic: false,'
      . ' versions: []}], delete: false) { created } }', undef,
      'Project||{"created" : 1, "updated" : 1, "deleted" : 0, "versions" : 1,'
      . ' "prompts" : ["three","two"]}',
      'Prompt|three|{"label" : "m", "before" : null, "after" : 1}' ],
    [ importPrompts => 'alice', '{ importPrompts(prompts: [{name: "four",'
      . ' versions: []}], dryRun: true) { created } }', undef, undef ],
    [ importPrompts => 'alice', '{ importPrompts(prompts: [{name: "two",'
      . ' versions: []}]) { created } }', undef, undef ],
    [ deletePrompt => 'alice', '{ deletePrompt(id: "PROMPT") }', undef,
      'Prompt|two|' ],
    [ deletePrompt => 'alice', '{ deletePrompt(id: "PROMPT") }', undef, undef ],
    [ createApiKey => 'alice', '{ createApiKey(input: {name: "k", scopes:'
      . ' ["read", "execute"]}) { apiKey { id } } }', 'key',
      'ApiKey|k|{"scopes" : ["read","execute"], "expiresAt" : null}' ],
    [ deleteApiKey => 'alice', '{ deleteApiKey(id: "KEY") }', undef,
      'ApiKey|k|' ],
    [ deleteApiKey => 'alice', '{ deleteApiKey(id: "KEY") }', undef, undef ],
    [ createProject => 'session', '{ createProject(name: "Team") { id } }',
      'team', 'Project|Team|' ],
    [ updateProject => 'team', '{ updateProject(name: "Acme", protectedLabels:'
      . ' ["live"]) { id } }', undef, 'Project|Acme|{"before":{"name":"Team",'
      . '"protectedLabels":[]},"after":{"name":"Acme","protectedLabels":'
      . '["live"]}}' ],
    [ updateProject => 'team', '{ updateProject(name: "Acme") { id } }', undef,
      undef ],
    [ inviteMember => 'team', '{ inviteMember(email: "bob@example.com", role:'
      . ' EDITOR) { token invitation { id } } }', 'invitation',
      'Invitation|bob@example.com|{"role" : "EDITOR"}' ],
    [ acceptInvitation => 'invited',
      '{ acceptInvitation(token: "TOKEN") { id } }', undef,
      'Project|Acme|{"after" : "EDITOR"}' ],
    [ acceptInvitation => 'invited',
      '{ acceptInvitation(token: "TOKEN") { id } }', undef, undef ],
    [ setMemberRole => 'team', '{ setMemberRole(userId: "BOB", role: ADMIN)'
      . ' { role } }', undef, 'User|bob@example.com|{"before" : "EDITOR",'
      . ' "after" : "ADMIN"}' ],
    [ setMemberRole => 'team', '{ setMemberRole(userId: "BOB", role: ADMIN)'
      . ' { role } }', undef, undef ],
    [ removeMember => 'team', '{ removeMember(userId: "BOB") }', undef,
      'User|bob@example.com|{"before" : "ADMIN", "after" : null}' ],
    [ removeMember => 'team', '{ removeMember(userId: "BOB") }', undef, undef ],
    [ inviteMember => 'team', '{ inviteMember(email: "zoe@example.com", role:'
      . ' VIEWER) { invitation { id } } }', 'invitation',
      'Invitation|zoe@example.com|{"role" : "VIEWER"}' ],
    [ removeInvitation => 'team', '{ removeInvitation(id: "INVITATION") }',
      undef, 'Invitation|zoe@example.com|' ],
    [ removeInvitation => 'team', '{ removeInvitation(id: "INVITATION") }',
      undef, undef ],
    [ setBudget => 'team', '{ setBudget(limitUsd: "1.5", per: MONTH,'
      . ' warnAtPercent: 80) { id } }', 'budget', 'Budget||{"per" : "MONTH",'
      . ' "limitUsd" : "1.5", "keyId" : null, "warnAtPercent" : 80}' ],
    [ removeBudget => 'team', '{ removeBudget(id: "BUDGET") }', undef,
      'Budget||{"per" : "MONTH", "limitUsd" : "1.5", "keyId" : null}' ],
    [ removeBudget => 'team', '{ removeBudget(id: "BUDGET") }', undef, undef ],
    [ createPrompt => 'alice',
      '{ createPrompt(input: {name: "moves"}) { id } }', 'moved',
      'Prompt|moves|' ],
    [ transferPrompt => 'session',
      '{ transferPrompt(id: "MOVED", projectId: "TEAM") { id } }', undef,
      'Prompt|moves|{"to" : "TEAM"}', "Prompt|moves|{\"from\" : \"$alice\"}" ],
    [ deleteProject => 'team', '{ deleteProject(id: "TEAM") }', undef,
      'Project|Acme|' ],
    [ deleteProject => 'session', '{ deleteProject(id: "TEAM") }', undef,
      undef ],
    [ endSessions => 'session', '{ endSessions }', undef,
      'User||{"sessions" : 1}' ],
    [ endSessions => 'session', '{ endSessions }', undef, undef ],
    [ changePassword => 'session', "{ changePassword(old: \"$password\","
      . ' new: "another horse battery staple") }', undef,
      'User|alice@example.com|' ],
);

# runs of prompts have rows of their own
my %executions = map { $_ => 1 } qw(executePrompt executeDraft);
my %tried = map { $_->[0] => 1 } @changes;

PromptTest::Schema::same('audit', [ sort grep { !$executions{$_} } keys %tried ],
    [ sort map { $_->{name} } grep { $_->{kind} eq 'mutation'
                                     && !$executions{$_->{name}} }
      PromptTest::Schema::roots() ]);


# promptctl and sessions

like(rows(), qr/^promptctl\ migrate\|\|\|\{"version":1,"grant":.*\n
                promptctl\ user\ add\|User\|\w+\@example\.com\|\n/mx,
     "the operator's, from the beginning");

set_password('alice@example.com');
is(rows(), 'promptctl user password|User|alice@example.com|', 'its row');
is(sql("SELECT user_id, project_id FROM audit WHERE action LIKE '%password'"),
   "|$alice", 'nobody is the actor, and alice may read it');

ok(defined sign_in('alice@example.com', $password), 'signed in');
ok(defined($cookie = sign_in('alice@example.com', $password)), 'twice');
is(rows(), "signIn|Session||\nsignIn|Session||", 'their rows');
is(sql("SELECT DISTINCT user_id, project_id, address FROM audit"
       . " WHERE action = 'signIn'"), "$alice|$alice|127.0.0.1", 'whose');

set_password('bob@example.com');
ok(defined($invited = sign_in('bob@example.com', $password)), 'another');
$id{bob} = $bob;
rows();


# who leaves

promptctl(qw(user add zoe@example.com));
promptctl(qw(user add yan@example.com));
promptctl(qw(project add left --owner zoe@example.com));
rows();
promptctl(qw(user disable zoe@example.com --keep-project-keys));
is(rows(), 'promptctl user disable|User|zoe@example.com|'
   . '{"keepProjectKeys" : true}', 'a user is disabled');
promptctl(qw(user enable zoe@example.com)) for 1 .. 2;
is(rows(), 'promptctl user enable|User|zoe@example.com|', 'and enabled, once');
promptctl(qw(user delete zoe@example.com --transfer-to yan@example.com));
is(rows(), "promptctl user delete|User|zoe\@example.com|\n"
   . 'promptctl user delete|User|zoe@example.com|{"before" : "OWNER",'
   . ' "after" : null, "owner" : "yan@example.com"}',
   'and deleted, and who has the project now');
like(promptctl(qw(audit --project left)), qr/project add.*\n.*user delete/,
     'which is read by its name');


# the changes

for my $change (@changes) {
    my ($name, $who, $document, $note, @rows) = @$change;

    my $ids = join '|', map { uc } keys %id;
    $document =~ s/\b($ids)\b/$id{lc $1}/g if $ids ne '';

    my $answer = ask($who, "mutation $document");
    my $json = $answer->{json} || {};
    my $text = PromptTest::Json::encode($json);

    $id{$note} = $1 if defined $note && $text =~ /"(?:id|executionId)":"([^"]*)"/;
    $id{token} = $1 if $text =~ /"token":"([^"]*)"/;

    my $expected = join "\n", map { "$name|$_" } grep { defined } @rows;
    $expected =~ s/\b(PROMPT|TEAM|RUN)\b/$id{lc $1}/g;
    $expected =~ s/\bNAME\b/sql("SELECT name FROM prompts WHERE id = '$id{fork}'")/e;

    my $got = rows();

    is(join("\n", sort split /\n/, $got), join("\n", sort split /\n/, $expected),
       "$name: " . (defined $rows[0] ? 'its row' : 'nothing, and no row'))
        or diag($text);
}

is(sql("SELECT project_id = '$id{team}', detail->>'to' IS NULL, user_id FROM"
       . " audit WHERE action = 'transferPrompt' ORDER BY 1"),
   "f|f|$alice\nt|t|$alice", 'a prompt that comes is told where it comes to');
is(sql("SELECT count(*) FROM audit WHERE detail::text ~ 'secret'"
       . " OR subject_name ~ 'secret'"), 0, 'no contents');

is(sql("SELECT DISTINCT user_id, project_id, key_id = (SELECT id FROM api_keys"
       . " WHERE user_id = '$alice' AND kind = 'key' ORDER BY id LIMIT 1),"
       . " address, encode(trace_id, 'hex') FROM audit"
       . " WHERE action = 'createPrompt'"), "$alice|$alice|t|127.0.0.1|$trace",
   'who, by which key, from where, in which trace');
is(sql("SELECT count(*) FROM audit WHERE action = 'endSessions'"
       . ' AND key_id IS NULL'), 1, 'in a session there is no key');
is(sql('SELECT count(*) FROM audit WHERE id < prompt_id_of(now() - interval'
       . " '1 hour') OR id > prompt_id_of(now() + interval '1 minute')"), 0,
   'ids have the time');


# signing out; what is wrong

my $out = $s->receive($s->send("DELETE /session HTTP/1.1\r\nHost: localhost\r\n"
    . "Sec-Fetch-Site: same-origin\r\nCookie: $cookie\r\n"
    . "Connection: close\r\n\r\n"));
is($out->{status}, 204, 'signed out');
is(rows(), 'signOut|Session||', 'its row');

ok(!defined sign_in('alice@example.com', 'wrong horse battery staple'),
   'a wrong password');
is(rows_come('^signIn'), 'signInRefused|User||{"code":"UNAUTHENTICATED",'
   . '"reason":"PASSWORD"}', 'its row');
is(sql("SELECT user_id, project_id, subject_id, address FROM audit WHERE action"
       . " = 'signInRefused'"), "|$alice|$alice|127.0.0.1",
   'nobody did it, and alice may read it');

ok(!defined sign_in('my secret pass@word', 'wrong horse battery staple'),
   'no such account');
is(rows_come('^signIn'), 'signInRefused|||{"code":"UNAUTHENTICATED",'
   . '"reason":"ACCOUNT"}', 'its row has not what was written');


# what is refused: one a minute for each actor and action, over all workers

my $private = ask('alice', 'mutation { createPrompt(input: {name: "mine"})'
                           . ' { id } }')->{json}{data}{createPrompt}{id};
rows();

for (1 .. 20) {
    my $answer = ask('bob', "{ prompt(id: \"$private\") { id } }");

    is($answer->{json}{errors}[0]{extensions}{code}, 'FORBIDDEN', 'forbidden')
        if $_ == 1;
    sleep 0.01;
}

is(rows_come('^prompt$'), 'prompt|||{"code":"FORBIDDEN","reason":"ACCESS"}',
   'of 20 that are refused');
is(sql("SELECT user_id, project_id, subject_id FROM audit WHERE action"
       . " = 'prompt'"), "$bob|$bob|$private", 'one row, of who tried');

ask('bob', "mutation { deletePrompt(id: \"$private\") }");
is(rows_come('^deletePrompt$'),
   'deletePrompt|||{"code":"FORBIDDEN","reason":"ACCESS"}',
   'another action has another');

sleep 0.5;
is(rows(), '', 'no more');


# a role that lacks it

my $shared = '01890000-0000-7000-8000-00000000feed';
sql("INSERT INTO projects (id, name) VALUES ('$shared', 'shared');"
    . 'INSERT INTO project_members (project_id, user_id, role) VALUES'
    . " ('$shared', '$alice', 4), ('$shared', '$bob', 1)");
set_password("$_\@example.com") for qw(alice bob);

sub acting
{
    my ($query) = @_;

    return post('/graphql', { query => $query }, Cookie => $cookie,
                'Prompt-Project' => $shared);
}

$cookie = sign_in('bob@example.com', $password);
rows();
acting('mutation { createPrompt(input: {name: "x"}) { id } }');
is(rows_come('^createPrompt$'),
   'createPrompt|||{"code":"FORBIDDEN","reason":"ROLE"}', 'a VIEWER');
my $answer = acting('{ auditLog { id } }');
is($answer->{json}{errors}[0]{extensions}{code}, 'FORBIDDEN',
   'who does not read the audit log either');

# nor does it help to have been refused elsewhere: projects of their own whose
# actions share a place with this one's

sub place
{
    my $text = join '/', map { /-/ ? pack 'H*', tr/-//dr : $_ } $_[0],
                    'updateProject', $bob;

    return unpack 'C', Digest::SHA::sha256($text);
}

my @elsewhere;

while (@elsewhere < 6) {
    my $project = PromptTest::People::uuid();

    push @elsewhere, $project if place($project) == place($shared);
}

sql(join '', map { "INSERT INTO projects (id, name) VALUES ('$_', 'x');"
                   . 'INSERT INTO project_members (project_id, user_id, role)'
                   . " VALUES ('$_', '$bob', 1);" } @elsewhere);

for my $project ((@elsewhere) x 3, ($shared) x 3) {
    post('/graphql', { query => 'mutation { updateProject(name: "x") { id } }' },
         Cookie => $cookie, 'Prompt-Project' => $project);
}

rows_come('^updateProject$');
sleep 0.3;
is(sql("SELECT count(*) FROM audit WHERE project_id = '$shared'"
       . " AND action = 'updateProject'"), 1,
   'what was refused elsewhere hides nothing');
sql("DELETE FROM audit WHERE action = 'updateProject'");


# reading

$cookie = sign_in('alice@example.com', $password);
$answer = acting('{ auditLog { id at actor { id email } keyId address action'
                 . ' subject subjectId subjectName detail traceId } }');

my $found = $answer->{json}{data}{auditLog};
is_deeply([ map { $_->{action} } @$found ], [ 'auditLog', 'createPrompt' ],
          'the owner of a project reads what was tried there');
is_deeply($found->[1]{actor}, { id => $bob, email => 'bob@example.com' }, 'who');
is_deeply($found->[1]{detail}, { code => 'FORBIDDEN', reason => 'ROLE' },
          'detail is JSON');
is_deeply([ @{ $found->[1] }{qw(keyId address subject traceId)} ],
          [ undef, '127.0.0.1', undef, $trace ], 'and the rest');
like($found->[1]{at}, qr/^20\d\d-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/, 'when');

sub log_of
{
    my ($arguments, $fields) = @_;
    my $answer = ask('alice', "{ auditLog$arguments { "
                              . ($fields || 'action') . ' } }');

    return $answer->{json}{errors}
           ? $answer->{json}{errors}[0]{extensions}{code}
           : [ map { $_->{$fields || 'action'} }
               @{ $answer->{json}{data}{auditLog} } ];
}

my $all = log_of('(first: 1000)', 'id');
is(scalar(@$all), sql("SELECT count(*) FROM audit WHERE project_id = '$alice'"),
   'all of one project');
is_deeply($all, [ reverse sort @$all ], 'the newest first');
is_deeply(log_of("(first: 3, after: \"$all->[4]\")", 'id'),
          [ @$all[5 .. 7] ], 'a page');
is_deeply(log_of("(subjectId: \"$id{key}\")"),
          [ 'deleteApiKey', 'createApiKey' ], 'by subject');
is_deeply(log_of('(action: "forkPrompt")'), [ 'forkPrompt' ], 'by action');
is_deeply(log_of("(actorId: \"$bob\")"), [], 'by actor: none');
is(scalar(@{ log_of("(actorId: \"$alice\", first: 1000)") }),
   sql("SELECT count(*) FROM audit WHERE project_id = '$alice'"
       . ' AND user_id IS NOT NULL'), 'by actor');
is_deeply(log_of('(until: "2026-01-01T00:00:00Z")'), [], 'by time: before');
is(scalar(@{ log_of('(since: "2026-01-01T00:00:00Z", first: 1000)') }),
   scalar(@$all), 'by time: after');
is(log_of('(first: 0)'), 'BAD_USER_INPUT', 'a page of none');
is(log_of('(actorId: "x")'), 'NOT_FOUND', 'what is no id');

ok(grep({ /^promptctl user password$/ } @{ log_of('(first: 1000)') }),
   "the operator's are among it");


# nobody changes it

for my $statement ('UPDATE audit SET action = action', 'DELETE FROM audit',
                   'TRUNCATE audit', 'DELETE FROM audit_before',
                   'DROP TABLE audit_before',
                   'PERFORM prompt_audit_drop(prompt_id_of(now()))') {
    ok(eval { sql("SET ROLE prompt_app; DO \$\$ BEGIN $statement;"
                  . " RAISE 'done'; EXCEPTION WHEN insufficient_privilege THEN"
                  . ' END $$'); 1 }, "denied: $statement");
}


# a change that is rolled back leaves none: another row has its name by then

rows();
my $before = sql('SELECT count(*) FROM audit');
sql('CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS'
    . " \$\$ BEGIN RAISE EXCEPTION 'no'; END \$\$;"
    . 'CREATE CONSTRAINT TRIGGER no AFTER INSERT ON prompts DEFERRABLE'
    . ' INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION no()');
$answer = ask('alice', 'mutation { createPrompt(input: {name: "late"}) { id } }');
is($answer->{json}{errors}[0]{extensions}{code}, 'INTERNAL_SERVER_ERROR',
   'a change that fails at its end');
is(sql('SELECT count(*) FROM audit'), $before, 'has no row');
sql('DROP TRIGGER no ON prompts; DROP FUNCTION no()');


# and where its row cannot be added, there is no change

sql('REVOKE INSERT ON audit FROM prompt_app');
$answer = ask('alice', 'mutation { createPrompt(input: {name: "late"}) { id } }');
is($answer->{json}{errors}[0]{extensions}{code}, 'INTERNAL_SERVER_ERROR',
   'without the right to add a row');
is(sql("SELECT count(*) FROM prompts WHERE name = 'late'"), 0,
   'nothing is changed');
sql('GRANT INSERT ON audit TO prompt_app');


# promptctl audit, and pruning by months

my $text = promptctl('audit', '--json');
my $entries = PromptTest::Json::decode($text);
is(scalar(@$entries), $before, 'promptctl audit has all of the last days');
is_deeply([ grep { $_->{action} eq 'forkPrompt' } @$entries ]->[0]{detail}
          {versions}, 2, 'detail is JSON');

$text = promptctl(qw(audit --project bob@example.com));
like($text, qr/^AT\s+ACTOR\s+ADDRESS\s+ACTION\s+SUBJECT\s+NAME\s+DETAIL\n/,
     'for people');
unlike($text, qr/createApiKey/, 'of one project');
like($text, qr/ bob\@example\.com\s+127\.0\.0\.1\s+deletePrompt\s+-\s+-\s+
              \{"code":"FORBIDDEN","reason":"ACCESS"\}/x, 'with detail');

$text = promptctl('audit', '--since', '1ms');
unlike($text, qr/\n/, 'since');

sql("INSERT INTO audit (id, action) SELECT prompt_id_of(now() - n * interval"
    . " '1 day'), 'old' FROM generate_series(1, 400) n");
my $old = sql("SELECT count(*) FROM audit WHERE id < prompt_id_of(now() -"
              . " interval '30 days')");

$text = promptctl(qw(prune --audit-older-than 30d --dry-run));
is($text, "would delete $old audit rows", 'how many would be deleted');
$text = promptctl(qw(prune --audit-older-than 30d --json));
is_deeply(PromptTest::Json::decode($text), { deletedAudit => $old },
          'they are');
is(sql("SELECT count(*) FROM audit WHERE id < prompt_id_of(now() -"
       . " interval '31 days')"), 0, 'and are gone');
is(sql("SELECT detail FROM audit WHERE action = 'promptctl prune'"),
   "{\"executions\":0,\"contents\":0,\"sums\":0,\"audit\":$old}", 'which is in it, too');

# as if the month before had been a partition

sql('BEGIN; DROP TABLE audit_before; SELECT prompt_months_attach('
    . "prompt_months_table('audit_old', 'audit'), prompt_id_month(now(), -1),"
    . " prompt_id_month(now(), 0), 'audit'); SELECT prompt_months_attach("
    . "prompt_months_table('audit_before', 'audit'), NULL,"
    . " prompt_id_month(now(), -1), 'audit'); INSERT INTO audit (id, action)"
    . " SELECT prompt_id_month(now(), -n), 'old' FROM generate_series(1, 3) n;"
    . ' COMMIT');
sql("UPDATE executions_sweep SET ahead_at = '-infinity'");

my $days = sql("SELECT extract(day FROM now() AT TIME ZONE 'UTC')");
$text = promptctl(qw(prune --audit-older-than), "${days}d");
like($text, qr/^deleted \d+ audit rows$/, 'a whole month');
is(sql("SELECT count(*) FROM pg_class WHERE relname = 'audit_old'"),
   $days >= 1 && sql("SELECT prompt_id_of(now() - $days * interval '1 day')"
                     . ' >= prompt_id_month(now(), 0)') eq 't' ? 0 : 1,
   'goes as a table');


# no month is missing

is(sql("SELECT count(*) >= 4 FROM prompt_months_parts('audit')"), 't',
   'months are there ahead');

ok($s->stop, 'nginx quits');
is_deeply([ $s->faults ], [], 'a clean error log');

done_testing();
