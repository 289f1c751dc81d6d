# The log: who sees which executions, by which filters, in which order, page by
# page; also when the sweeper has gone over them.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: two prompts of alice, one public, and one of bob
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES
 ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'shown', 'GENERAL', true, now(), 2),
 ('01890000-0000-7000-8000-000000000002', '%{alice_id}', 'own', 'CUSTOM', false, now(), 1),
 ('01890000-0000-7000-8000-000000000003', '%{bob_id}', 'bobs', 'GENERAL', true, now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES
 ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'text', '{"model":"fx:ok"}'),
 ('01890000-0000-7000-8000-00000000000b', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 2, 'text', '{"model":"fx:ok"}'),
 ('01890000-0000-7000-8000-00000000000c', '01890000-0000-7000-8000-000000000002', '%{alice_id}', 1, 'text', '{"model":"fx:ok"}'),
 ('01890000-0000-7000-8000-00000000000d', '01890000-0000-7000-8000-000000000003', '%{bob_id}', 1, 'text', '{"model":"fx:ok"}');
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, owner_id, status, model, label, input, output, error, latency_ms, token_in, token_out, cost_usd) VALUES
 ('01890000-0001-7000-8000-0000000000e1', '01890000-0000-7000-8000-000000000001', 1, '%{alice_id}', true, NULL, 'succeeded', 'a', NULL, '{"x":1}', 'out', NULL, 10, 2, 3, 0.1),
 ('01890000-0002-7000-8000-0000000000e2', '01890000-0000-7000-8000-000000000001', 2, '%{bob_id}', false, '%{alice_id}', 'failed', 'b', 'live', '{"bob":1}', NULL, 'why', 20, NULL, NULL, NULL),
 ('01890000-0003-7000-8000-0000000000e3', '01890000-0000-7000-8000-000000000002', 1, '%{alice_id}', true, NULL, 'cancelled', NULL, NULL, '{}', NULL, NULL, NULL, NULL, NULL, NULL),
 ('01890000-0004-7000-8000-0000000000e4', '01890000-0000-7000-8000-000000000003', 1, '%{alice_id}', false, '%{bob_id}', 'succeeded', 'b', 'live', '{}', 'out', NULL, 30, 5, 7, 0.25),
 ('01890000-0005-7000-8000-0000000000e5', '01890000-0000-7000-8000-000000000003', 1, '%{bob_id}', true, NULL, 'succeeded', 'a', NULL, '{}', 'out', NULL, 40, 11, 13, 0.5),
 ('01890000-0006-7000-8000-0000000000e6', '01890000-0000-7000-8000-000000000001', 1, '%{alice_id}', true, NULL, 'running', 'a', 'live', '{}', NULL, NULL, NULL, NULL, NULL, NULL),
 ('01890000-0007-7000-8000-0000000000e7', '01890000-0000-7000-8000-000000000001', 1, '%{bob_id}', false, '%{alice_id}', 'lost', 'a', NULL, '{}', NULL, 'gone', NULL, NULL, NULL, NULL);
UPDATE executions SET key_id = k.id FROM api_keys k WHERE k.user_id = '%{alice_id}' AND k.name = 'execute' AND executions.id::text LIKE '%e4';
UPDATE executions SET key_id = k.id FROM api_keys k WHERE k.user_id = '%{alice_id}' AND k.name = 'test' AND executions.id::text LIKE '%e1';
--- graphql
{ executions { id status prompt { name } } }
--- data
{"executions": [
 {"id": "01890000-0007-7000-8000-0000000000e7", "status": "lost", "prompt": {"name": "shown"}},
 {"id": "01890000-0006-7000-8000-0000000000e6", "status": "running", "prompt": {"name": "shown"}},
 {"id": "01890000-0004-7000-8000-0000000000e4", "status": "succeeded", "prompt": {"name": "bobs"}},
 {"id": "01890000-0003-7000-8000-0000000000e3", "status": "cancelled", "prompt": {"name": "own"}},
 {"id": "01890000-0002-7000-8000-0000000000e2", "status": "failed", "prompt": {"name": "shown"}},
 {"id": "01890000-0001-7000-8000-0000000000e1", "status": "succeeded", "prompt": {"name": "shown"}}]}

=== TEST 2: another sees what he ran, and all of his own prompt
--- key: bob
--- graphql
{ executions { id } }
--- data
{"executions": [{"id": "01890000-0007-7000-8000-0000000000e7"}, {"id": "01890000-0005-7000-8000-0000000000e5"}, {"id": "01890000-0004-7000-8000-0000000000e4"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}

=== TEST 3: input, output and error only for who ran it
--- response_body_unlike: why|"bob":1|gone
--- graphql
{ executions { input output error toolCalls { id } prompt { id isPublic category createdAt createdBy { email } } } }
--- data
{"executions": [
 {"input": null, "output": null, "error": null, "toolCalls": null, "prompt": {"id": "01890000-0000-7000-8000-000000000001", "isPublic": true, "category": "GENERAL", "createdAt": "<time>", "createdBy": {"email": "alice@example.com"}}},
 {"input": {}, "output": null, "error": null, "toolCalls": null, "prompt": {"id": "01890000-0000-7000-8000-000000000001", "isPublic": true, "category": "GENERAL", "createdAt": "<time>", "createdBy": {"email": "alice@example.com"}}},
 {"input": {}, "output": "out", "error": null, "toolCalls": null, "prompt": {"id": "01890000-0000-7000-8000-000000000003", "isPublic": true, "category": "GENERAL", "createdAt": "<time>", "createdBy": {"email": "bob@example.com"}}},
 {"input": {}, "output": null, "error": null, "toolCalls": null, "prompt": {"id": "01890000-0000-7000-8000-000000000002", "isPublic": false, "category": "CUSTOM", "createdAt": "<time>", "createdBy": {"email": "alice@example.com"}}},
 {"input": null, "output": null, "error": null, "toolCalls": null, "prompt": {"id": "01890000-0000-7000-8000-000000000001", "isPublic": true, "category": "GENERAL", "createdAt": "<time>", "createdBy": {"email": "alice@example.com"}}},
 {"input": {"x": 1}, "output": "out", "error": null, "toolCalls": null, "prompt": {"id": "01890000-0000-7000-8000-000000000001", "isPublic": true, "category": "GENERAL", "createdAt": "<time>", "createdBy": {"email": "alice@example.com"}}}]}

=== TEST 4: filters, before the sweeper came
--- graphql
query ($promptId: ID, $version: Int, $label: String, $status: [String!], $model: String, $since: DateTime, $until: DateTime, $first: Int = 50, $after: ID) { executions(promptId: $promptId, version: $version, label: $label, status: $status, model: $model, since: $since, until: $until, first: $first, after: $after) { id } }
--- cases
{"status": ["failed"]} => {"executions": [{"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"status": "running"} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}]}
{"status": ["lost", "cancelled"]} => {"executions": [{"id": "01890000-0007-7000-8000-0000000000e7"}, {"id": "01890000-0003-7000-8000-0000000000e3"}]}
{"model": "b"} => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"model": "none"} => {"executions": []}
{"label": "live", "model": "a"} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}]}
{"label": "live", "first": 2} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}, {"id": "01890000-0004-7000-8000-0000000000e4"}]}
{"label": "live", "first": 2, "after": "01890000-0004-7000-8000-0000000000e4"} => {"executions": [{"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"promptId": "01890000-0000-7000-8000-000000000001", "first": 3} => {"executions": [{"id": "01890000-0007-7000-8000-0000000000e7"}, {"id": "01890000-0006-7000-8000-0000000000e6"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"promptId": "01890000-0000-7000-8000-000000000001", "version": 2} => {"executions": [{"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"promptId": "01890000-0000-7000-8000-000000000001", "version": 9} => {"executions": []}
{"promptId": "01890000-0000-7000-8000-000000000001", "status": "succeeded"} => {"executions": [{"id": "01890000-0001-7000-8000-0000000000e1"}]}
{"promptId": "01890000-0000-7000-8000-000000000003"} => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}]}
{"promptId": "01890000-0000-7000-8000-000000000003", "model": "a"} => {"executions": []}
{"since": "2023-06-28T03:15:47.330Z", "until": "2023-06-28T03:15:47.332Z"} => {"executions": [{"id": "01890000-0003-7000-8000-0000000000e3"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"since": "2023-06-28T03:15:47.3311Z", "model": "b"} => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}]}
{"since": null, "until": "1960-01-01T00:00:00Z"} => {"executions": []}
{"since": "9999-12-31T23:59:59Z"} => {"executions": []}

=== TEST 5: what is wrong
--- graphql
query ($promptId: ID, $version: Int, $status: [String!], $since: DateTime, $until: DateTime, $first: Int, $after: ID) { executions(promptId: $promptId, version: $version, status: $status, since: $since, until: $until, first: $first, after: $after) { id } }
--- cases
{"status": "done"} => BAD_USER_INPUT status
{"status": []} => BAD_USER_INPUT status
{"version": 1} => BAD_USER_INPUT version
{"since": "yesterday"} => BAD_USER_INPUT since
{"until": 5} => BAD_USER_INPUT until
{"first": 0} => BAD_USER_INPUT first
{"first": 1001} => BAD_USER_INPUT first
{"after": "nothing"} => NOT_FOUND
{"promptId": "nothing"} => NOT_FOUND
{"promptId": "01890000-0000-7000-8000-0000000000ff"} => NOT_FOUND
bob: {"promptId": "01890000-0000-7000-8000-000000000002"} => FORBIDDEN

=== TEST 6: the same when the sweeper was there, with what came late
--- sql
DELETE FROM executions WHERE id = '01890000-0001-7000-8000-0000000000e1';
SELECT prompt_log_sweep(3);
SELECT prompt_log_sweep(1000);
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, owner_id, status, model, label, input, output, error, latency_ms, token_in, token_out, cost_usd) VALUES
 ('01890000-0001-7000-8000-0000000000e1', '01890000-0000-7000-8000-000000000001', 1, '%{alice_id}', true, NULL, 'succeeded', 'a', NULL, '{"x":1}', 'out', NULL, 10, 2, 3, 0.1);
--- graphql
query ($promptId: ID, $version: Int, $label: String, $status: [String!], $model: String, $since: DateTime, $until: DateTime, $first: Int = 50, $after: ID) { executions(promptId: $promptId, version: $version, label: $label, status: $status, model: $model, since: $since, until: $until, first: $first, after: $after) { id } }
--- cases
{"status": ["failed"]} => {"executions": [{"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"status": "running"} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}]}
{"status": ["lost", "cancelled"]} => {"executions": [{"id": "01890000-0007-7000-8000-0000000000e7"}, {"id": "01890000-0003-7000-8000-0000000000e3"}]}
{"model": "b"} => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"model": "none"} => {"executions": []}
{"label": "live", "model": "a"} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}]}
{"label": "live", "first": 2} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}, {"id": "01890000-0004-7000-8000-0000000000e4"}]}
{"label": "live", "first": 2, "after": "01890000-0004-7000-8000-0000000000e4"} => {"executions": [{"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"promptId": "01890000-0000-7000-8000-000000000001", "first": 3} => {"executions": [{"id": "01890000-0007-7000-8000-0000000000e7"}, {"id": "01890000-0006-7000-8000-0000000000e6"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"promptId": "01890000-0000-7000-8000-000000000001", "version": 2} => {"executions": [{"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"promptId": "01890000-0000-7000-8000-000000000001", "version": 9} => {"executions": []}
{"promptId": "01890000-0000-7000-8000-000000000001", "status": "succeeded"} => {"executions": [{"id": "01890000-0001-7000-8000-0000000000e1"}]}
{"promptId": "01890000-0000-7000-8000-000000000003"} => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}]}
{"promptId": "01890000-0000-7000-8000-000000000003", "model": "a"} => {"executions": []}
{"since": "2023-06-28T03:15:47.330Z", "until": "2023-06-28T03:15:47.332Z"} => {"executions": [{"id": "01890000-0003-7000-8000-0000000000e3"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"since": "2023-06-28T03:15:47.3311Z", "model": "b"} => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}]}
{"since": null, "until": "1960-01-01T00:00:00Z"} => {"executions": []}
{"since": "9999-12-31T23:59:59Z"} => {"executions": []}

=== TEST 7: and when it had looked at that
--- sql
SELECT prompt_log_sweep(1000);
--- graphql
query ($promptId: ID, $version: Int, $label: String, $status: [String!], $model: String, $since: DateTime, $until: DateTime, $first: Int = 50, $after: ID) { executions(promptId: $promptId, version: $version, label: $label, status: $status, model: $model, since: $since, until: $until, first: $first, after: $after) { id } }
--- cases
{"status": ["failed"]} => {"executions": [{"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"status": "running"} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}]}
{"status": ["lost", "cancelled"]} => {"executions": [{"id": "01890000-0007-7000-8000-0000000000e7"}, {"id": "01890000-0003-7000-8000-0000000000e3"}]}
{"model": "b"} => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"model": "none"} => {"executions": []}
{"label": "live", "model": "a"} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}]}
{"label": "live", "first": 2} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}, {"id": "01890000-0004-7000-8000-0000000000e4"}]}
{"label": "live", "first": 2, "after": "01890000-0004-7000-8000-0000000000e4"} => {"executions": [{"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"promptId": "01890000-0000-7000-8000-000000000001", "first": 3} => {"executions": [{"id": "01890000-0007-7000-8000-0000000000e7"}, {"id": "01890000-0006-7000-8000-0000000000e6"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"promptId": "01890000-0000-7000-8000-000000000001", "version": 2} => {"executions": [{"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"promptId": "01890000-0000-7000-8000-000000000001", "version": 9} => {"executions": []}
{"promptId": "01890000-0000-7000-8000-000000000001", "status": "succeeded"} => {"executions": [{"id": "01890000-0001-7000-8000-0000000000e1"}]}
{"promptId": "01890000-0000-7000-8000-000000000003"} => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}]}
{"promptId": "01890000-0000-7000-8000-000000000003", "model": "a"} => {"executions": []}
{"since": "2023-06-28T03:15:47.330Z", "until": "2023-06-28T03:15:47.332Z"} => {"executions": [{"id": "01890000-0003-7000-8000-0000000000e3"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}
{"since": "2023-06-28T03:15:47.3311Z", "model": "b"} => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}]}
{"since": null, "until": "1960-01-01T00:00:00Z"} => {"executions": []}
{"since": "9999-12-31T23:59:59Z"} => {"executions": []}

=== TEST 8: one of them
--- graphql
query ($id: ID!) { execution(id: $id) { status input prompt { name } } }
--- cases
{"id": "01890000-0001-7000-8000-0000000000e1"} => {"execution": {"status": "succeeded", "input": {"x": 1}, "prompt": {"name": "shown"}}}
{"id": "01890000-0002-7000-8000-0000000000e2"} => {"execution": {"status": "failed", "input": null, "prompt": {"name": "shown"}}}
{"id": "01890000-0004-7000-8000-0000000000e4"} => {"execution": {"status": "succeeded", "input": {}, "prompt": {"name": "bobs"}}}
{"id": "01890000-0005-7000-8000-0000000000e5"} => FORBIDDEN
{"id": "01890000-0005-7000-8000-0000000000ff"} => NOT_FOUND
{"id": "nothing"} => NOT_FOUND

=== TEST 9: what ended since is found by how it ended
--- sql
UPDATE executions SET status = 'succeeded' WHERE id = '01890000-0006-7000-8000-0000000000e6';
--- graphql
query ($status: [String!]) { executions(status: $status, label: "live") { id } }
--- cases
{"status": "running"} => {"executions": []}
{"status": "succeeded"} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}, {"id": "01890000-0004-7000-8000-0000000000e4"}]}

=== TEST 10: the same when the sweeper looked again
--- sql
UPDATE log_waiting SET look = now() - interval '1 second';
SELECT prompt_log_sweep(1000);
--- graphql
query ($status: [String!]) { executions(status: $status, label: "live") { id } }
--- cases
{"status": "running"} => {"executions": []}
{"status": "succeeded"} => {"executions": [{"id": "01890000-0006-7000-8000-0000000000e6"}, {"id": "01890000-0004-7000-8000-0000000000e4"}]}
--- sql_check
SELECT count(*) FROM log_waiting WHERE id = '01890000-0006-7000-8000-0000000000e6'
--- sql_result
0

=== TEST 11: the prompt of an execution below that prompt is the same
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions(last: 1) { executions { prompt { id name createdBy { email } } } } } }
--- data
{"prompt": {"versions": [{"executions": [{"prompt": {"id": "01890000-0000-7000-8000-000000000001", "name": "shown", "createdBy": {"email": "alice@example.com"}}}]}]}}

=== TEST 12: in lists, under several names
--- graphql
{ prompts { n: name versions { executions(first: 1) { a: prompt { name } b: prompt { isPublic } } } } }
--- data
{"prompts": [{"n": "own", "versions": [{"executions": [{"a": {"name": "own"}, "b": {"isPublic": false}}]}]}, {"n": "shown", "versions": [{"executions": [{"a": {"name": "shown"}, "b": {"isPublic": true}}]}, {"executions": [{"a": {"name": "shown"}, "b": {"isPublic": true}}]}]}]}

=== TEST 13: what hangs on a prompt is not asked for there
--- cases
{ executions { prompt { versions { id } } } } => BAD_USER_INPUT versions
{ execution(id: "01890000-0001-7000-8000-0000000000e1") { prompt { versions { id } } } } => BAD_USER_INPUT versions
{ prompts { versions { executions { prompt { versions { id } } } } } } => BAD_USER_INPUT versions

=== TEST 14: what another has made private keeps what one ran, without the prompt
--- sql
UPDATE prompts SET is_public = false WHERE name = 'bobs';
--- cases
{ executions(first: 2) { id } } => {"executions": [{"id": "01890000-0007-7000-8000-0000000000e7"}, {"id": "01890000-0006-7000-8000-0000000000e6"}]}
{ executions(model: "b") { id prompt { name createdBy { email } } } } => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4", "prompt": null}, {"id": "01890000-0002-7000-8000-0000000000e2", "prompt": {"name": "shown", "createdBy": {"email": "alice@example.com"}}}]}
{ execution(id: "01890000-0004-7000-8000-0000000000e4") { id version prompt { name } } } => {"execution": {"id": "01890000-0004-7000-8000-0000000000e4", "version": 1, "prompt": null}}
{ executions(promptId: "01890000-0000-7000-8000-000000000003") { id } } => FORBIDDEN
{ executions(promptId: "01890000-0000-7000-8000-000000000003", model: "b") { id } } => FORBIDDEN
{ prompt(id: "01890000-0000-7000-8000-000000000003") { versions { executions { id } } } } => FORBIDDEN
bob: { executions(model: "b") { id } } => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}, {"id": "01890000-0002-7000-8000-0000000000e2"}]}

=== TEST 15: a key that may not read
--- key: alice_execute
--- graphql
{ executions { id } }
--- error_code: 401

=== TEST 16: but what it made itself
--- cases
alice_execute: { execution(id: "01890000-0004-7000-8000-0000000000e4") { id input output toolCalls { id } } } => {"execution": {"id": "01890000-0004-7000-8000-0000000000e4", "input": {}, "output": "out", "toolCalls": null}}
alice_execute: { execution(id: "01890000-0001-7000-8000-0000000000e1") { id } } => FORBIDDEN
alice_execute: { execution(id: "01890000-0003-7000-8000-0000000000e3") { id } } => FORBIDDEN
alice_execute: { execution(id: "01890000-0002-7000-8000-0000000000e2") { id } } => FORBIDDEN
alice_execute: { execution(id: "01890000-0009-7000-8000-0000000000e9") { id } } => NOT_FOUND
alice_execute: { execution(id: "01890000-0004-7000-8000-0000000000e4") { prompt { id } } } => 401
alice_execute: { a: execution(id: "01890000-0004-7000-8000-0000000000e4") { id } executions { id } } => 401
alice_execute: { statistics(since: "2023-06-28T03:00:00Z") { executions } } => 401
alice_write: { execution(id: "01890000-0004-7000-8000-0000000000e4") { id } } => 401
alice_keys: { execution(id: "01890000-0004-7000-8000-0000000000e4") { id } } => 401
alice_read: { execution(id: "01890000-0003-7000-8000-0000000000e3") { id prompt { name } } } => {"execution": {"id": "01890000-0003-7000-8000-0000000000e3", "prompt": {"name": "own"}}}

=== TEST 17: the owner of a prompt has figures of others' executions, by every way
--- sql
UPDATE executions SET input = '"secret"', output = 'secret', error = 'secret', appended = '["secret"]', tool_calls = '[{"id":"secret","name":"secret","arguments":"secret"}]', output_errors = ARRAY['secret'], provider_status = 418, provider_message = 'secret', subject = 'secret', metadata = '{"m":"secret"}', trace_id = decode('5ec2e75ec2e75ec2e75ec2e75ec2e75e', 'hex'), latency_ms = 7, token_in = 8, cost_usd = 0.5 WHERE id::text LIKE '%e2';
--- response_body_unlike: secret|418|5ec2e7
--- graphql
query { executions(status: ["failed"], promptId: "01890000-0000-7000-8000-000000000001", version: 2) { ...all } execution(id: "01890000-0002-7000-8000-0000000000e2") { ...all } prompt(id: "01890000-0000-7000-8000-000000000001") { version(number: 2) { executions { ...all } } versions { executions { error } } } }
fragment all on Execution { latencyMs tokenIn costUsd input appended output error toolCalls { name } outputErrors providerStatus providerMessage subject metadata traceId }
--- data
{"executions": [{"latencyMs": 7, "tokenIn": 8, "costUsd": "0.5", "input": null, "appended": null, "output": null, "error": null, "toolCalls": null, "outputErrors": null, "providerStatus": null, "providerMessage": null, "subject": null, "metadata": null, "traceId": null}],
 "execution": {"latencyMs": 7, "tokenIn": 8, "costUsd": "0.5", "input": null, "appended": null, "output": null, "error": null, "toolCalls": null, "outputErrors": null, "providerStatus": null, "providerMessage": null, "subject": null, "metadata": null, "traceId": null},
 "prompt": {"version": {"executions": [{"latencyMs": 7, "tokenIn": 8, "costUsd": "0.5", "input": null, "appended": null, "output": null, "error": null, "toolCalls": null, "outputErrors": null, "providerStatus": null, "providerMessage": null, "subject": null, "metadata": null, "traceId": null}]}, "versions": [{"executions": [{"error": null}, {"error": null}, {"error": null}]}, {"executions": [{"error": null}]}]}}

=== TEST 18: who ran it has all of it
--- key: bob
--- graphql
{ execution(id: "01890000-0002-7000-8000-0000000000e2") { input appended output error toolCalls { name } outputErrors providerStatus providerMessage subject metadata traceId } }
--- data
{"execution": {"input": "secret", "appended": ["secret"], "output": "secret", "error": "secret", "toolCalls": [{"name": "secret"}], "outputErrors": ["secret"], "providerStatus": 418, "providerMessage": "secret", "subject": "secret", "metadata": {"m": "secret"}, "traceId": "5ec2e75ec2e75ec2e75ec2e75ec2e75e"}}

=== TEST 19: what is deleted is in no list
--- graphql
mutation { deletePrompt(id: "01890000-0000-7000-8000-000000000001") }
--- data
{"deletePrompt": true}
--- sql_check
SELECT count(*) FROM log_entries e JOIN log_kinds k USING (kind) WHERE k.prompt_id = '01890000-0000-7000-8000-000000000001' OR NOT EXISTS (SELECT FROM executions x WHERE x.id = e.id)
--- sql_result
0

=== TEST 20: nor shown
--- cases
{ executions { id } } => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}, {"id": "01890000-0003-7000-8000-0000000000e3"}]}
{ executions(status: ["succeeded", "failed", "lost", "running"]) { id } } => {"executions": [{"id": "01890000-0004-7000-8000-0000000000e4"}]}
bob: { executions { id } } => {"executions": [{"id": "01890000-0005-7000-8000-0000000000e5"}, {"id": "01890000-0004-7000-8000-0000000000e4"}]}

=== TEST 21: large outputs come in their turn, and no more than an answer may have
--- sql
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status, output) SELECT ('01890001-' || lpad(to_hex(n), 4, '0') || '-7000-8000-0000000000ff')::uuid, '01890000-0000-7000-8000-000000000002', 1, '%{alice_id}', true, 'succeeded', repeat('x', 1000000) FROM generate_series(1, 30) n;
--- cases
{ executions(first: 20) { id output } } => BAD_USER_INPUT first
{ a: executions(first: 5, status: "succeeded") { version } b: executions(first: 1) { status } } => {"a": [{"version": 1}, {"version": 1}, {"version": 1}, {"version": 1}, {"version": 1}], "b": [{"status": "succeeded"}]}

=== TEST 22: what fits comes whole
--- request eval
'POST /graphql
{"query":"{ a: executions(first: 5) { output } b: executions(first: 5) { output } }"}'
--- key: alice
--- more_headers
Content-Type: application/json
--- response_body_like eval
qr/^\{"data":\{"a":\[(\{"output":"x{1000}x+"\},?){5}\],"b":\[(\{"output":"x{1000}x+"\},?){5}\]\}\}/

=== TEST 23: by costs and times, of all that is shown
--- sql
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, owner_id, status, model, latency_ms, cost_usd, subject, metadata) VALUES
 ('01890002-0001-7000-8000-0000000000f1', '01890000-0000-7000-8000-000000000002', 1, '%{alice_id}', true, NULL, 'succeeded', 'a', 100, 0.001, NULL, NULL),
 ('01890002-0002-7000-8000-0000000000f2', '01890000-0000-7000-8000-000000000002', 1, '%{bob_id}', false, '%{alice_id}', 'succeeded', 'b', 200, 0.002, NULL, NULL),
 ('01890002-0003-7000-8000-0000000000f3', '01890000-0000-7000-8000-000000000002', 1, '%{alice_id}', true, NULL, 'failed', 'a', 300, NULL, NULL, NULL),
 ('01890002-0004-7000-8000-0000000000f4', '01890000-0000-7000-8000-000000000003', 1, '%{alice_id}', false, '%{bob_id}', 'succeeded', 'a', NULL, 0.003, NULL, NULL),
 ('01890002-0005-7000-8000-0000000000f5', '01890000-0000-7000-8000-000000000002', NULL, '%{alice_id}', true, NULL, 'succeeded', 'a', 50, 0.001, 's', '{"m": "x"}');
--- graphql
query ($promptId: ID, $version: Int, $status: [String!], $model: String, $subject: String, $metadata: JSON, $min: String, $max: String, $minMs: Int, $maxMs: Int, $first: Int = 50, $after: ID) { executions(promptId: $promptId, version: $version, status: $status, model: $model, subject: $subject, metadata: $metadata, minCostUsd: $min, maxCostUsd: $max, minLatencyMs: $minMs, maxLatencyMs: $maxMs, first: $first, after: $after) { id } }
--- cases
{"min": "0.001", "max": "0.002"} => {"executions": [{"id": "01890002-0005-7000-8000-0000000000f5"}, {"id": "01890002-0002-7000-8000-0000000000f2"}, {"id": "01890002-0001-7000-8000-0000000000f1"}]}
{"minMs": 200} => {"executions": [{"id": "01890002-0003-7000-8000-0000000000f3"}, {"id": "01890002-0002-7000-8000-0000000000f2"}]}
{"minMs": 50, "maxMs": 100} => {"executions": [{"id": "01890002-0005-7000-8000-0000000000f5"}, {"id": "01890002-0001-7000-8000-0000000000f1"}]}
{"min": "0", "maxMs": 100, "max": "0.1"} => {"executions": [{"id": "01890002-0005-7000-8000-0000000000f5"}, {"id": "01890002-0001-7000-8000-0000000000f1"}]}
{"min": "0.0010000", "status": "succeeded", "model": "a"} => {"executions": [{"id": "01890002-0005-7000-8000-0000000000f5"}, {"id": "01890002-0004-7000-8000-0000000000f4"}, {"id": "01890002-0001-7000-8000-0000000000f1"}]}
{"min": "0", "promptId": "01890000-0000-7000-8000-000000000002"} => {"executions": [{"id": "01890002-0005-7000-8000-0000000000f5"}, {"id": "01890002-0002-7000-8000-0000000000f2"}, {"id": "01890002-0001-7000-8000-0000000000f1"}]}
{"max": "0.001", "promptId": "01890000-0000-7000-8000-000000000002", "version": 1} => {"executions": [{"id": "01890002-0001-7000-8000-0000000000f1"}]}
{"max": "0.001", "promptId": "01890000-0000-7000-8000-000000000002", "version": 0} => {"executions": [{"id": "01890002-0005-7000-8000-0000000000f5"}]}
{"max": "0.001", "subject": "s"} => {"executions": [{"id": "01890002-0005-7000-8000-0000000000f5"}]}
{"min": "0.002", "subject": "s"} => {"executions": []}
{"min": "0.001", "metadata": {"m": "x"}} => {"executions": [{"id": "01890002-0005-7000-8000-0000000000f5"}]}
{"minMs": 60, "metadata": {"m": "x"}} => {"executions": []}
{"min": "0.3"} => {"executions": []}
{"min": "0.002", "max": "0.001"} => {"executions": []}
{"minMs": -1, "maxMs": -1} => {"executions": []}
{"min": "0.001", "max": "0.003", "first": 2} => {"executions": [{"id": "01890002-0005-7000-8000-0000000000f5"}, {"id": "01890002-0004-7000-8000-0000000000f4"}]}
{"min": "0.001", "max": "0.003", "first": 2, "after": "01890002-0004-7000-8000-0000000000f4"} => {"executions": [{"id": "01890002-0002-7000-8000-0000000000f2"}, {"id": "01890002-0001-7000-8000-0000000000f1"}]}
bob: {"min": "0.002", "max": "0.003"} => {"executions": [{"id": "01890002-0004-7000-8000-0000000000f4"}, {"id": "01890002-0002-7000-8000-0000000000f2"}]}
{"min": "-1"} => BAD_USER_INPUT minCostUsd
{"min": ""} => BAD_USER_INPUT minCostUsd
{"max": "1e3"} => BAD_USER_INPUT maxCostUsd
{"max": "0.0000000000001"} => BAD_USER_INPUT maxCostUsd
{"max": "Infinity"} => BAD_USER_INPUT maxCostUsd

=== TEST 24: the prompts of such a page, of which one is private by now
--- graphql
{ executions(minCostUsd: "0.002", maxCostUsd: "0.003") { prompt { name createdBy { email } } } }
--- data
{"executions": [{"prompt": null}, {"prompt": {"name": "own", "createdBy": {"email": "alice@example.com"}}}]}
