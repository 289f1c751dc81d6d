# Who may do what: own, public of another, private of another.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: two prompts of alice, one public
--- sql
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

=== TEST 9: bob adds no version
--- key: bob
--- graphql
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000002", content: "x", params: {}}) { id } }
--- code: FORBIDDEN

=== TEST 10: bob executes what is public
--- key: bob
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000002", input: {}) { output versionUsed } }
--- data
{"executePrompt": {"output": "shared", "versionUsed": 1}}
--- provider_calls: 1

=== TEST 11: and not what is private
--- key: bob
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } }
--- code: FORBIDDEN
--- provider_calls: 0
--- sql_check
SELECT count(*) FROM executions
--- sql_result: 1

=== TEST 12: alice executes both
--- graphql
mutation { a: executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } b: executePrompt(promptId: "01890000-0000-7000-8000-000000000002", input: {}) { output } }
--- data
{"a": {"output": "secret"}, "b": {"output": "shared"}}

=== TEST 13: the owner sees all executions, but what went in and out only of those of her own
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000002") { versions { executions { status version model input output error } } } }
--- data
{"prompt": {"versions": [{"executions": [{"status": "succeeded", "version": 1, "model": "fx:ok", "input": {}, "output": "shared", "error": null}, {"status": "succeeded", "version": 1, "model": "fx:ok", "input": null, "output": null, "error": null}]}]}}

=== TEST 14: bob sees his own
--- key: bob
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000002") { versions { executions { status input output } } } }
--- data
{"prompt": {"versions": [{"executions": [{"status": "succeeded", "input": {}, "output": "shared"}]}]}}

=== TEST 15: what is made private is so at once
--- graphql
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {isPublic: false}) { isPublic } }
--- data
{"updatePrompt": {"isPublic": false}}

=== TEST 16: for bob
--- key: bob
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000002") { name } }
--- code: FORBIDDEN

=== TEST 17: mixed, by fragment and alias
--- key: bob
--- graphql
query ($id: ID!) { ...Q }
fragment Q on Query { x: prompt(id: $id) { name } y: prompt(id: "01890000-0000-7000-8000-000000000002") { name } }
--- variables
{"id": "01890000-0000-7000-8000-000000000001"}
--- errors
[{"extensions": {"code": "FORBIDDEN"}}, {"extensions": {"code": "FORBIDDEN"}}]
