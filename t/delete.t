# deletePrompt: final, with versions and executions.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: versions and executions go with it, others stay
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES
 ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'first', 'GENERAL', true, now(), 1),
 ('01890000-0000-7000-8000-000000000002', '%{alice_id}', 'second', 'GENERAL', false, now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES
 ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'c', '{}'),
 ('01890000-0000-7000-8000-00000000000b', '01890000-0000-7000-8000-000000000002', '%{alice_id}', 1, 'c', '{"model":"fx:delay=600"}');
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, owner_id, status) VALUES
 ('01890000-0000-7000-8000-0000000000e1', '01890000-0000-7000-8000-000000000001', 1, '%{bob_id}', false, '%{alice_id}', 'succeeded'),
 ('01890000-0000-7000-8000-0000000000e2', '01890000-0000-7000-8000-000000000002', 1, '%{alice_id}', true, NULL, 'succeeded');
--- graphql
mutation ($id: ID!) { deletePrompt(id: $id) }
--- variables
{"id": "01890000-0000-7000-8000-000000000001"}
--- data
{"deletePrompt": true}
--- sql_check
SELECT (SELECT string_agg(name, ',') FROM prompts), (SELECT count(*) FROM prompt_versions), (SELECT count(*) FROM executions)
--- sql_result: second|1|1

=== TEST 2: deleted is deleted
--- cases
mutation { deletePrompt(id: "01890000-0000-7000-8000-000000000001") } => NOT_FOUND /01890000-0000-7000-8000-000000000001/
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {}) { id } } => NOT_FOUND
mutation { forkPrompt(id: "01890000-0000-7000-8000-000000000001") { id } } => NOT_FOUND
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } } => NOT_FOUND
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "x", params: {}}) { id } } => NOT_FOUND
{ prompt(id: "01890000-0000-7000-8000-000000000001") { id } } => NOT_FOUND
mutation { deletePrompt(id: "7") } => NOT_FOUND /7/

=== TEST 3: the name is free again
--- graphql
mutation { createPrompt(input: {name: "First"}) { name } }
--- data
{"createPrompt": {"name": "first"}}

=== TEST 4: a Boolean has no selection
--- cases
mutation { deletePrompt(id: "01890000-0000-7000-8000-000000000002") { id } } => BAD_USER_INPUT /must not have a selection since type "Boolean" has no subfields/

=== TEST 5: the same one twice in one request
--- graphql
mutation { a: deletePrompt(id: "01890000-0000-7000-8000-000000000002") b: deletePrompt(id: "01890000-0000-7000-8000-000000000002") }
--- json
{"data": {"a": true, "b": null}, "errors": [{"message": "<string>", "locations": "<any>", "path": ["b"], "extensions": {"code": "NOT_FOUND"}}]}
--- sql_check
SELECT count(*) FROM prompts WHERE name = 'second'
--- sql_result: 0

=== TEST 6: a prompt with many executions, and its name at once again
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000003', '%{alice_id}', 'many', 'GENERAL', true, now(), 50);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) SELECT gen_random_uuid(), '01890000-0000-7000-8000-000000000003', '%{alice_id}', v, 'c', '{}' FROM generate_series(1, 50) v;
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, owner_id, status) SELECT gen_random_uuid(), '01890000-0000-7000-8000-000000000003', e % 50 + 1, '%{bob_id}', false, '%{alice_id}', 'succeeded' FROM generate_series(1, 20000) e;
--- cases
mutation { deletePrompt(id: "01890000-0000-7000-8000-000000000003") createPrompt(input: {name: "many"}) { name } } => {"deletePrompt": true, "createPrompt": {"name": "many"}}
{ prompt(id: "01890000-0000-7000-8000-000000000003") { id } } => NOT_FOUND
bob: { prompt(id: "01890000-0000-7000-8000-000000000003") { id versions { executions { id } } } } => NOT_FOUND
mutation { deletePrompt(id: "01890000-0000-7000-8000-000000000003") } => NOT_FOUND
bob: mutation { deletePrompt(id: "01890000-0000-7000-8000-000000000003") } => NOT_FOUND

=== TEST 7: what is hidden is not there for any field
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version, state) VALUES
 ('01890000-0000-7000-8000-000000000004', '%{alice_id}', 'copy', 'GENERAL', true, now(), 2, 2);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES
 ('01890000-0000-7000-8000-00000000000d', '01890000-0000-7000-8000-000000000004', '%{alice_id}', 1, 'c', '{"model":"fx:ok"}');
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, owner_id, status) VALUES
 ('01890000-0000-7000-8000-0000000000e4', '01890000-0000-7000-8000-000000000004', 1, '%{alice_id}', true, NULL, 'succeeded');
DELETE FROM prompts WHERE name NOT IN ('copy', 'many');
--- cases
{ prompts { name versions { version executions { id } } } } => {"prompts": [{"name": "many", "versions": []}]}
{ prompts(first: 9) { name versions { version executions { id } } } } => {"prompts": [{"name": "many", "versions": []}]}
{ prompts(search: "copy") { name } } => {"prompts": []}
{ prompt(id: "01890000-0000-7000-8000-000000000004") { id createdBy { id } } } => NOT_FOUND
mutation { deletePrompt(id: "01890000-0000-7000-8000-000000000004") } => NOT_FOUND
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000004", input: {}) { id } } => NOT_FOUND
mutation { forkPrompt(id: "01890000-0000-7000-8000-000000000004") { id } } => NOT_FOUND
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000004", input: {}) { output } } => NOT_FOUND
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000004", content: "x", params: {}}) { id } } => NOT_FOUND
bob: { prompt(id: "01890000-0000-7000-8000-000000000004") { id } } => NOT_FOUND
bob: mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000004", input: {}) { id } } => NOT_FOUND
