# Who may do what: own, public of another, private of another.

use lib 't/lib';
use PromptTest;
use PromptTest::Schema;

# each operation that names a prompt, and what the three callers get, on one of
# alice's: who is not the owner nothing, or with "bob" what is public
my @operations = (
    [ prompt => 'query', 'prompt(id: ID) { name }', 'bob' ],
    [ executePrompt => 'mutation',
      'executePrompt(promptId: ID, input: {}) { output }', 'bob' ],
    [ executeDraft => 'mutation', 'executeDraft(promptId: ID, draft: {content: '
      . '"x", params: {model: "free-fx:ok"}}, input: {}) { output }' ],
    [ renderPrompt => 'query',
      'renderPrompt(promptId: ID, input: {}) { version }', 'bob' ],
    [ forkPrompt => 'mutation', 'forkPrompt(id: ID) { name }', 'bob' ],
    [ createPromptVersion => 'mutation',
      'createPromptVersion(input: {promptId: ID, content: "x", params: {}})'
      . ' { version }' ],
    [ updatePrompt => 'mutation',
      'updatePrompt(id: ID, input: {isPublic: true}) { name }' ],
    [ setPromptLabel => 'mutation',
      'setPromptLabel(promptId: ID, label: "x", version: 1) { label }' ],
    [ removePromptLabel => 'mutation',
      'removePromptLabel(promptId: ID, label: "there")' ],
    [ executions => 'query', 'executions(promptId: ID) { id }', 'bob' ],
    [ statistics => 'query', 'statistics(promptId: ID, since: '
      . '"2026-01-01T00:00:00.000Z", by: ALL) { executions }', 'bob' ],
    [ transferPrompt => 'mutation', 'transferPrompt(id: ID, projectId: '
      . '"01890000-0000-7000-9000-000000000000") { name }' ],
    [ deletePrompt => 'mutation', 'deletePrompt(id: ID)' ],
);

# a stream is asked for in streaming.t, a run, which takes a dataset, in runs.t
PromptTest::Schema::same('permissions', [ map { $_->[0] } @operations ],
    [ map { $_->{name} } grep { PromptTest::Schema::names_prompt($_)
                                && $_->{kind} ne 'subscription'
                                && $_->{name} ne 'createRun' }
      PromptTest::Schema::roots() ]);

our %matrix;
my $n = 100;

for my $operation (@operations) {
    my ($name, $kind, $call, $bob) = @$operation;
    my ($sql, $cases) = ('', '');

    for my $public (0, 1) {
        for my $way (qw(literal variable alias fragment nested)) {
            $n++;

            my $id = sprintf '01890000-0000-7000-8000-%012d', $n;

            $sql .= "INSERT INTO prompts (id, owner_id, name, category, "
                . "is_public, updated_at, last_version) VALUES ('$id', "
                . "'%{alice_id}', 'm$n', 'GENERAL', $public = 1, now(), 1); "
                . "INSERT INTO prompt_versions (id, prompt_id, owner_id, "
                . "version, content, params) VALUES (gen_random_uuid(), '$id',"
                . " '%{alice_id}', 1, 'text', '{\"model\":\"free-fx:ok\"}'); "
                . "INSERT INTO prompt_labels (prompt_id, owner_id, label, "
                . "version, set_at) VALUES ('$id', '%{alice_id}', 'there', 1, "
                . "now());\n";

            (my $literal = $call) =~ s/: ID/: "$id"/;
            (my $variable = $call) =~ s/: ID/: \$id/;

            my $given = "~ {\"id\": \"$id\"}";
            my %ways = (
                literal => [ "$kind { $literal }", $name ],
                variable => [ "$kind (\$id: ID!) { $variable } $given", $name ],
                alias => [ "$kind { x: $literal }", 'x' ],
                fragment => [ "$kind (\$id: ID!) { ...F } fragment F on "
                              . ucfirst($kind) . " { y: $variable } $given",
                              'y' ],
                nested => [ "$kind (\$id: ID!) { ... \@include(if: true) { ..."
                            . ' on ' . ucfirst($kind) . " { z: $variable } } }"
                            . " $given", 'z' ],
            );

            my ($document, $key) = @{ $ways{$way} };

            my $fine = "{\"$key\": \"<any>\"}";

            $cases .= "none: $document => 401 UNAUTHENTICATED\n"
                . "bob: $document => "
                . ($public && $bob ? $fine : 'FORBIDDEN') . "\n"
                . "alice: $document => $fine\n";
        }
    }

    $matrix{$name} = { sql => $sql, cases => $cases };
}

run_tests();

__DATA__

=== TEST 1: two prompts of alice, one public; and a project of both
--- sql
INSERT INTO projects (id, name) VALUES ('01890000-0000-7000-9000-000000000000', 'Both');
INSERT INTO project_members (project_id, user_id, role) SELECT '01890000-0000-7000-9000-000000000000', id, 4 FROM users;
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES
 ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'private', 'GENERAL', false, now(), 1),
 ('01890000-0000-7000-8000-000000000002', '%{alice_id}', 'public', 'GENERAL', true, now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES
 ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'secret', '{"model":"fx:ok"}'),
 ('01890000-0000-7000-8000-00000000000b', '01890000-0000-7000-8000-000000000002', '%{alice_id}', 1, 'shared', '{"model":"fx:ok"}');
--- graphql
{ prompts { name } }
--- data
{"prompts": [{"name": "public"}, {"name": "private"}]}

=== TEST 2: another's list has neither
--- key: bob
--- graphql
{ prompts { name } promptByName(name: "public") { id } }
--- errors
[{"path": ["promptByName"], "extensions": {"code": "NOT_FOUND"}}]
--- data
{"prompts": [], "promptByName": null}

=== TEST 3: bob reads what is public, and not what is private
--- key: bob
--- graphql
{ a: prompt(id: "01890000-0000-7000-8000-000000000002") { name versions { content } createdBy { email } } b: prompt(id: "01890000-0000-7000-8000-000000000001") { name } }
--- data
{"a": {"name": "public", "versions": [{"content": "shared"}], "createdBy": {"email": "alice@example.com"}}, "b": null}
--- errors
[{"path": ["b"], "extensions": {"code": "FORBIDDEN"}}]

=== TEST 4: FORBIDDEN says nothing of what is there
--- key: bob
--- graphql
{ b: prompt(id: "01890000-0000-7000-8000-000000000001") { name } }
--- code: FORBIDDEN
--- response_body_unlike: private|secret

=== TEST 5: bob updates neither
--- key: bob
--- graphql
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {name: "bobs"}) { id } }
--- code: FORBIDDEN
--- sql_check
SELECT string_agg(name, ',' ORDER BY name) FROM prompts
--- sql_result: private,public

=== TEST 6: nor the private one
--- key: bob
--- graphql
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {name: "bobs"}) { id } }
--- code: FORBIDDEN

=== TEST 7: bob deletes neither
--- key: bob
--- graphql
mutation { deletePrompt(id: "01890000-0000-7000-8000-000000000002") }
--- code: FORBIDDEN
--- sql_check
SELECT count(*) FROM prompts
--- sql_result: 2

=== TEST 8: by a variable
--- key: bob
--- graphql
mutation ($id: ID!) { deletePrompt(id: $id) }
--- variables
{"id": "01890000-0000-7000-8000-000000000001"}
--- code: FORBIDDEN
--- sql_check
SELECT count(*) FROM prompts
--- sql_result: 2

=== TEST 9: nor does an import of bob's delete alice's
--- key: bob
--- graphql
mutation { importPrompts(prompts: [], delete: true) { deleted changes { prompt } } }
--- data
{"importPrompts": {"deleted": 0, "changes": []}}
--- sql_check
SELECT count(*) FROM prompts WHERE state = 0
--- sql_result: 2

=== TEST 10: bob adds no version
--- key: bob
--- graphql
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000002", content: "x", params: {}}) { id } }
--- code: FORBIDDEN

=== TEST 11: bob executes what is public
--- key: bob
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000002", input: {}) { output versionUsed } }
--- data
{"executePrompt": {"output": "shared", "versionUsed": 1}}
--- provider_calls: 1

=== TEST 12: and not what is private
--- key: bob
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } }
--- code: FORBIDDEN
--- provider_calls: 0
--- sql_check
SELECT count(*) FROM executions
--- sql_result: 1

=== TEST 13: alice executes both
--- graphql
mutation { a: executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } b: executePrompt(promptId: "01890000-0000-7000-8000-000000000002", input: {}) { output } }
--- data
{"a": {"output": "secret"}, "b": {"output": "shared"}}

=== TEST 14: the owner sees all executions, but what went in and out only of those of her own
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000002") { versions { executions { status version model input output error } } } }
--- data
{"prompt": {"versions": [{"executions": [{"status": "succeeded", "version": 1, "model": "fx:ok", "input": {}, "output": "shared", "error": null}, {"status": "succeeded", "version": 1, "model": "fx:ok", "input": null, "output": null, "error": null}]}]}}

=== TEST 15: bob sees his own
--- key: bob
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000002") { versions { executions { status input output } } } }
--- data
{"prompt": {"versions": [{"executions": [{"status": "succeeded", "input": {}, "output": "shared"}]}]}}

=== TEST 16: what is made private is so at once
--- graphql
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {isPublic: false}) { isPublic } }
--- data
{"updatePrompt": {"isPublic": false}}

=== TEST 17: for bob
--- key: bob
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000002") { name } }
--- code: FORBIDDEN

=== TEST 18: mixed, by fragment and alias
--- key: bob
--- graphql
query ($id: ID!) { ...Q }
fragment Q on Query { x: prompt(id: $id) { name } y: prompt(id: "01890000-0000-7000-8000-000000000002") { name } }
--- variables
{"id": "01890000-0000-7000-8000-000000000001"}
--- errors
[{"extensions": {"code": "FORBIDDEN"}}, {"extensions": {"code": "FORBIDDEN"}}]

=== TEST 19: prompt: owner, other and nobody, private and public, by literal, variable, alias and fragments
--- sql eval
$::matrix{prompt}{sql}
--- cases eval
$::matrix{prompt}{cases}

=== TEST 20: executePrompt: owner, other and nobody, private and public, by literal, variable, alias and fragments
--- sql eval
$::matrix{executePrompt}{sql}
--- cases eval
$::matrix{executePrompt}{cases}

=== TEST 21: forkPrompt: owner, other and nobody, private and public, by literal, variable, alias and fragments
--- sql eval
$::matrix{forkPrompt}{sql}
--- cases eval
$::matrix{forkPrompt}{cases}

=== TEST 22: createPromptVersion: owner, other and nobody, private and public, by literal, variable, alias and fragments
--- sql eval
$::matrix{createPromptVersion}{sql}
--- cases eval
$::matrix{createPromptVersion}{cases}
--- sql_check
SELECT count(*) FROM prompt_versions WHERE content = 'x'
--- sql_result: 10

=== TEST 23: updatePrompt: owner, other and nobody, private and public, by literal, variable, alias and fragments
--- sql eval
$::matrix{updatePrompt}{sql}
--- cases eval
$::matrix{updatePrompt}{cases}

=== TEST 24: deletePrompt: owner, other and nobody, private and public, by literal, variable, alias and fragments
--- sql eval
$::matrix{deletePrompt}{sql}
--- cases eval
$::matrix{deletePrompt}{cases}
--- sql_check
SELECT count(*) FROM prompts WHERE name LIKE 'm%' AND owner_id = '%{alice_id}' AND name NOT LIKE '%fork%'
--- sql_result: 50

=== TEST 25: one's own and another's in one request: each its own answer
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at) VALUES ('01890000-0000-7000-8000-000000000b0b', '%{bob_id}', 'bobs', 'GENERAL', false, now());
--- cases
bob: { a: prompt(id: "01890000-0000-7000-8000-000000000b0b") { name } b: prompt(id: "01890000-0000-7000-8000-000000000001") { name } } => FORBIDDEN
bob: { prompt(id: "01890000-0000-7000-8000-000000000b0b") { name } } => {"prompt": {"name": "bobs"}}
{ prompt(id: "01890000-0000-7000-8000-000000000b0b") { name } } => FORBIDDEN

=== TEST 26: FORBIDDEN is the same for every private prompt, and says its id at most
--- key: bob
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { name description content: name versions { content } createdBy { email } } }
--- errors
[{"message": "<string>", "path": ["prompt"], "extensions": {"code": "FORBIDDEN"}}]
--- response_body_unlike: alice|private|secret

=== TEST 27: scope write alone: executions below a mutation are not shown, and nothing is done
--- cases
alice_write: mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {description: "w"}) { versions { executions { output } } } } => 401 UNAUTHENTICATED
alice_write: mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {description: "w"}) { ... on Prompt { v: versions { ...F } } } } fragment F on PromptVersion { e: executions(first: 1) { id } } => 401 UNAUTHENTICATED
alice_write: mutation { forkPrompt(id: "01890000-0000-7000-8000-000000000002") { versions { executions { id } } } } => 401 UNAUTHENTICATED
alice_write: mutation { createPrompt(input: {name: "below"}) { versions { executions { id } } } } => 401 UNAUTHENTICATED
alice_write: mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000002", content: "w", params: {}}) { executions { id } } } => 401 UNAUTHENTICATED
alice_write: mutation { createPrompt(input: {name: "below"}) { id } updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {description: "w"}) { versions { executions { id } } } } => 401 UNAUTHENTICATED
--- sql_check
SELECT count(*) FILTER (WHERE description = 'w'), count(*) FILTER (WHERE name = 'below' OR name LIKE 'public-fork-%' AND owner_id = '%{alice_id}') FROM prompts
--- sql_result: 0|0

=== TEST 28: what was changed is shown, the versions' numbers too
--- cases
alice_write: mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {description: "w"}) { id name description category isPublic createdAt updatedAt createdBy { email } versions { id version content params inputSchema createdAt __typename } __typename } } => {"updatePrompt": "<any>"}
alice_write: mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000002", content: "w", params: {a: 1}}) { id version content params inputSchema createdAt } } => {"createPromptVersion": {"id": "<uuid>", "version": 2, "content": "w", "params": {"a": 1}, "inputSchema": null, "createdAt": "<time>"}}
alice_write: mutation ($no: Boolean = false) { updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {}) { versions { version executions @include(if: $no) { id } } } } => {"updatePrompt": {"versions": [{"version": 1}, {"version": 2}]}}

=== TEST 29: with scope read besides, all of it
--- graphql
mutation { createApiKey(input: {name: "rw", scopes: ["read", "write"]}) { key } }
--- error_code: 200
--- save
rw_key = data.createApiKey.key

=== TEST 30: executions below a mutation, by a key that reads
--- key: rw
--- graphql
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {}) { versions { content executions { output } } } }
--- error_code: 200
--- response_body_like: "content":"shared","executions":\[\{"output":

=== TEST 30: setPromptLabel: own, public, private
--- sql eval
$::matrix{setPromptLabel}{sql}
--- cases eval
$::matrix{setPromptLabel}{cases}

=== TEST 31: removePromptLabel: own, public, private
--- sql eval
$::matrix{removePromptLabel}{sql}
--- cases eval
$::matrix{removePromptLabel}{cases}

=== TEST 32: executions: own, public, private
--- sql eval
$::matrix{executions}{sql}
--- cases eval
$::matrix{executions}{cases}

=== TEST 33: statistics: own, public, private
--- sql eval
$::matrix{statistics}{sql}
--- cases eval
$::matrix{statistics}{cases}

=== TEST 34: renderPrompt: own, public, private
--- sql eval
$::matrix{renderPrompt}{sql}
--- cases eval
$::matrix{renderPrompt}{cases}

=== TEST 35: transferPrompt, in every way
--- sql eval
$::matrix{transferPrompt}{sql}
--- cases eval
$::matrix{transferPrompt}{cases}
