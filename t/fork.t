# Forks.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: a public prompt with two versions and an execution
--- sql
INSERT INTO prompts (id, owner_id, name, description, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'original', 'what it does', 'ROUTING', true, now(), 2);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params, input_schema) VALUES
 ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'one', '{"b":1,"a":0.10}', NULL),
 ('01890000-0000-7000-8000-00000000000b', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 2, 'two', '{}', '{"type":"object"}');
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status) VALUES ('01890000-0000-7000-8000-00000000000c', '01890000-0000-7000-8000-000000000001', 1, '%{alice_id}', true, 'succeeded');
--- key: bob
--- graphql
mutation { forkPrompt(id: "01890000-0000-7000-8000-000000000001") { id name description category isPublic createdBy { id } versions { id version content params inputSchema executions { id } } } }
--- data
{"forkPrompt": {"id": "<uuid>", "name": "/^original-fork-[a-z0-9]{6}$/", "description": "what it does", "category": "ROUTING", "isPublic": false, "createdBy": {"id": "%{bob_id}"}, "versions": [{"id": "<uuid>", "version": 1, "content": "one", "params": {"b": 1, "a": 0.10}, "inputSchema": null, "executions": []}, {"id": "<uuid>", "version": 2, "content": "two", "params": {}, "inputSchema": {"type": "object"}, "executions": []}]}}
--- save
fork = data.forkPrompt.id
--- sql_check
SELECT count(DISTINCT id), count(DISTINCT prompt_id) FROM prompt_versions
--- sql_result: 4|2

=== TEST 2: the copy goes on with its own numbers
--- key: bob
--- graphql
mutation { createPromptVersion(input: {promptId: "%{fork}", content: "three", params: {}}) { version } }
--- data
{"createPromptVersion": {"version": 3}}

=== TEST 3: the original is as it was
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { name isPublic versions { version executions { id } } } }
--- data
{"prompt": {"name": "original", "isPublic": true, "versions": [{"version": 1, "executions": [{"id": "01890000-0000-7000-8000-00000000000c"}]}, {"version": 2, "executions": []}]}}

=== TEST 4: one's own
--- graphql
mutation { a: forkPrompt(id: "01890000-0000-7000-8000-000000000001") { name } b: forkPrompt(id: "01890000-0000-7000-8000-000000000001") { name } }
--- data
{"a": {"name": "/^original-fork-[a-z0-9]{6}$/"}, "b": {"name": "/^original-fork-[a-z0-9]{6}$/"}}

=== TEST 5: a name that is as long as can be
--- sql eval
"UPDATE prompts SET name = '" . "n" x 128 . "' WHERE id = '01890000-0000-7000-8000-000000000001'"
--- graphql
mutation { forkPrompt(id: "01890000-0000-7000-8000-000000000001") { name } }
--- data
{"forkPrompt": {"name": "/^n{116}-fork-[a-z0-9]{6}$/"}}

=== TEST 6: a private prompt of another
--- sql
UPDATE prompts SET is_public = false WHERE id = '01890000-0000-7000-8000-000000000001'
--- key: bob
--- graphql
mutation { forkPrompt(id: "01890000-0000-7000-8000-000000000001") { name } }
--- code: FORBIDDEN

=== TEST 7: nothing
--- graphql
mutation { forkPrompt(id: "01890000-0000-7000-8000-000000000009") { name } }
--- errors
[{"message": "/01890000-0000-7000-8000-000000000009/", "extensions": {"code": "NOT_FOUND"}}]

=== TEST 8: a prompt without versions
--- graphql
mutation { createPrompt(input: {name: "empty"}) { id } }
--- error_code: 200
--- save
empty = data.createPrompt.id

=== TEST 9: can be forked too
--- graphql
mutation { forkPrompt(id: "%{empty}") { name versions { id } } }
--- data
{"forkPrompt": {"name": "/^empty-fork-[a-z0-9]{6}$/", "versions": []}}

=== TEST 10: what was nasty in the original is the same in the copy
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-0000000000f0', '%{alice_id}', 'nasty', 'GENERAL', false, now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params, input_schema) VALUES ('01890000-0000-7000-8000-0000000000f1', '01890000-0000-7000-8000-0000000000f0', '%{alice_id}', 1, E'{{x}}\r\n\t "ü" 😀 \\', '{"z":0.10,"a":9223372036854775807,"s":"\u0001\\"}', '{"b":{},"a":true}');
--- graphql
mutation { forkPrompt(id: "01890000-0000-7000-8000-0000000000f0") { versions { content params inputSchema } } }
--- response_body eval
qq({"data":{"forkPrompt":{"versions":[{"content":"{{x}}\\r\\n\\t \\"\xc3\xbc\\" \xf0\x9f\x98\x80 \\\\","params":{"z":0.10,"a":9223372036854775807,"s":"\\u0001\\\\"},"inputSchema":{"b":{},"a":true}}]}}})
--- no_error_log
[alert]

=== TEST 11: a fork can be executed, and forked again
--- graphql
mutation { forkPrompt(id: "01890000-0000-7000-8000-0000000000f0") { id name } }
--- error_code: 200
--- save
once = data.forkPrompt.id

=== TEST 12: its name grows by one suffix more
--- cases
mutation { forkPrompt(id: "%{once}") { name isPublic versions { version } } } => {"forkPrompt": {"name": "/^nasty-fork-[a-z0-9]{6}-fork-[a-z0-9]{6}$/", "isPublic": false, "versions": [{"version": 1}]}}
mutation { forkPrompt(id: "7") { id } } => NOT_FOUND /7/
bob: mutation { forkPrompt(id: "%{once}") { id } } => FORBIDDEN

=== TEST 13: a prompt of many versions, made in steps
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-0000000000a0', '%{alice_id}', 'many', 'GENERAL', true, now(), 1234);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) SELECT gen_random_uuid(), '01890000-0000-7000-8000-0000000000a0', '%{alice_id}', v, 'content ' || v, '{}' FROM generate_series(1, 1234) v;
--- key: bob
--- graphql
mutation { forkPrompt(id: "01890000-0000-7000-8000-0000000000a0") { id name isPublic createdBy { id } } }
--- data
{"forkPrompt": {"id": "<uuid>", "name": "/^many-fork-[a-z0-9]{6}$/", "isPublic": false, "createdBy": {"id": "%{bob_id}"}}}
--- sql_check
SELECT p.last_version, p.state, p.updated_at = p.created_at, count(*), count(DISTINCT v.id), bool_and(v.content = o.content), bool_and(v.owner_id = p.owner_id AND v.created_at = p.created_at) FROM prompts p JOIN prompt_versions v ON v.prompt_id = p.id JOIN prompt_versions o ON o.prompt_id = '01890000-0000-7000-8000-0000000000a0' AND o.version = v.version WHERE p.name LIKE 'many-fork-%' GROUP BY p.id
--- sql_result: 1234|0|t|1234|1234|t|t

=== TEST 14: a prompt of few large versions
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-0000000000b0', '%{alice_id}', 'large', 'GENERAL', false, now(), 9);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) SELECT gen_random_uuid(), '01890000-0000-7000-8000-0000000000b0', '%{alice_id}', v, (SELECT string_agg(md5(v || '-' || i), '') FROM generate_series(1, 32768) i), '{}' FROM generate_series(1, 9) v;
--- graphql
mutation { forkPrompt(id: "01890000-0000-7000-8000-0000000000b0") { name versions { version } } }
--- data
{"forkPrompt": {"name": "/^large-fork-[a-z0-9]{6}$/", "versions": [{"version": 1}, {"version": 2}, {"version": 3}, {"version": 4}, {"version": 5}, {"version": 6}, {"version": 7}, {"version": 8}, {"version": 9}]}}
--- sql_check
SELECT count(DISTINCT content), min(octet_length(content)), count(*) FROM prompt_versions WHERE prompt_id IN (SELECT id FROM prompts WHERE name LIKE 'large%')
--- sql_result: 9|1048576|18

=== TEST 15: a large one whose versions are not all there is not shown
--- sql
DELETE FROM prompt_versions WHERE prompt_id = '01890000-0000-7000-8000-0000000000a0' AND version = 700;
--- cases
mutation { forkPrompt(id: "01890000-0000-7000-8000-0000000000a0") { id } } => NOT_FOUND
{ prompts(search: "many") { name } } => {"prompts": [{"name": "many"}]}
--- sql_check
SELECT count(*) FROM prompts WHERE owner_id = '%{alice_id}' AND name LIKE 'many-fork-%' AND state <> 1
--- sql_result: 0
