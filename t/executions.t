# Executions of a version: who sees which, in which order, page by page.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: a public prompt with executions of both
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'public', 'GENERAL', true, now(), 2);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'text', '{"model":"fx:ok"}'), ('01890000-0000-7000-8000-00000000000b', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 2, 'text', '{"model":"fx:status=500"}');
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, owner_id, status, model, input, output, error, latency_ms, token_in, token_out, cost_usd, finished_at) VALUES
 ('01890000-0000-7000-8000-0000000000e1', '01890000-0000-7000-8000-000000000001', 1, '%{alice_id}', true, NULL, 'succeeded', 'm', '{"a":1}', 'out 1', NULL, 1, 2, 3, 0.1, '2026-01-01T00:00:00.5Z'),
 ('01890000-0001-7000-8000-0000000000e2', '01890000-0000-7000-8000-000000000001', 1, '%{bob_id}', false, '%{alice_id}', 'failed', 'm', '{"b":1}', NULL, 'why', 1, NULL, NULL, NULL, '2026-01-01Z'),
 ('01890000-0002-7000-8000-0000000000e3', '01890000-0000-7000-8000-000000000001', 1, '%{alice_id}', true, NULL, 'running', 'm', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
 ('01890000-0003-7000-8000-0000000000e4', '01890000-0000-7000-8000-000000000001', 1, '%{bob_id}', false, '%{alice_id}', 'lost', 'm', '{}', NULL, 'lost', NULL, NULL, NULL, NULL, NULL),
 ('01890000-0004-7000-8000-0000000000e5', '01890000-0000-7000-8000-000000000001', 2, '%{bob_id}', false, '%{alice_id}', 'cancelled', 'm', '{}', NULL, 'cancelled', 5, NULL, NULL, NULL, '2026-01-01Z');
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { executions { id status } } } }
--- data
{"prompt": {"versions": [{"executions": [{"id": "01890000-0003-7000-8000-0000000000e4", "status": "lost"}, {"id": "01890000-0002-7000-8000-0000000000e3", "status": "running"}, {"id": "01890000-0001-7000-8000-0000000000e2", "status": "failed"}, {"id": "01890000-0000-7000-8000-0000000000e1", "status": "succeeded"}]}, {"executions": [{"id": "01890000-0004-7000-8000-0000000000e5", "status": "cancelled"}]}]}}

=== TEST 2: another sees one's own only
--- key: bob
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { executions { id } } } }
--- data
{"prompt": {"versions": [{"executions": [{"id": "01890000-0003-7000-8000-0000000000e4"}, {"id": "01890000-0001-7000-8000-0000000000e2"}]}, {"executions": [{"id": "01890000-0004-7000-8000-0000000000e5"}]}]}}

=== TEST 3: all fields; input, output and error only for who ran it
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { executions { id input output error model version costUsd tokenIn tokenOut latencyMs finishedAt } } } }
--- response_body_unlike: "why"|"b":1|"lost"
--- data
{"prompt": {"versions": [{"executions": [
 {"id": "01890000-0003-7000-8000-0000000000e4", "input": null, "output": null, "error": null, "model": "m", "version": 1, "costUsd": null, "tokenIn": null, "tokenOut": null, "latencyMs": null, "finishedAt": null},
 {"id": "01890000-0002-7000-8000-0000000000e3", "input": {}, "output": null, "error": null, "model": "m", "version": 1, "costUsd": null, "tokenIn": null, "tokenOut": null, "latencyMs": null, "finishedAt": null},
 {"id": "01890000-0001-7000-8000-0000000000e2", "input": null, "output": null, "error": null, "model": "m", "version": 1, "costUsd": null, "tokenIn": null, "tokenOut": null, "latencyMs": 1, "finishedAt": "2026-01-01T00:00:00.000Z"},
 {"id": "01890000-0000-7000-8000-0000000000e1", "input": {"a": 1}, "output": "out 1", "error": null, "model": "m", "version": 1, "costUsd": "0.1", "tokenIn": 2, "tokenOut": 3, "latencyMs": 1, "finishedAt": "2026-01-01T00:00:00.500Z"}]},
 {"executions": [{"id": "01890000-0004-7000-8000-0000000000e5", "input": null, "output": null, "error": null, "model": "m", "version": 2, "costUsd": null, "tokenIn": null, "tokenOut": null, "latencyMs": 5, "finishedAt": "2026-01-01T00:00:00.000Z"}]}]}}

=== TEST 4: of a column alone, also where it is not selected elsewhere
--- cases
bob: { prompt(id: "01890000-0000-7000-8000-000000000001") { versions { executions(first: 1) { error } } } } => {"prompt": {"versions": [{"executions": [{"error": "lost"}]}, {"executions": [{"error": "cancelled"}]}]}}
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { executions(first: 1) { error } } } } => {"prompt": {"versions": [{"executions": [{"error": null}]}, {"executions": [{"error": null}]}]}}

=== TEST 5: page by page
--- graphql
query ($first: Int, $after: ID) { prompt(id: "01890000-0000-7000-8000-000000000001") { versions { executions(first: $first, after: $after) { status } } } }
--- cases
{"first": 2} => {"prompt": {"versions": [{"executions": [{"status": "lost"}, {"status": "running"}]}, {"executions": [{"status": "cancelled"}]}]}}
{"first": 2, "after": "01890000-0002-7000-8000-0000000000e3"} => {"prompt": {"versions": [{"executions": [{"status": "failed"}, {"status": "succeeded"}]}, {"executions": []}]}}
{"first": 1, "after": "01890000-0001-7000-8000-0000000000e2"} => {"prompt": {"versions": [{"executions": [{"status": "succeeded"}]}, {"executions": []}]}}
{"after": "01890000-0000-7000-8000-0000000000e1"} => {"prompt": {"versions": [{"executions": []}, {"executions": []}]}}
{"after": "01890000-0004-7000-8000-0000000000e5"} => {"prompt": {"versions": [{"executions": [{"status": "lost"}, {"status": "running"}, {"status": "failed"}, {"status": "succeeded"}]}, {"executions": []}]}}
{"first": 0} => BAD_USER_INPUT first
{"first": 1001} => BAD_USER_INPUT first
{"first": -5} => BAD_USER_INPUT first
{"first": null, "after": null} => {"prompt": {"versions": [{"executions": [{"status": "lost"}, {"status": "running"}, {"status": "failed"}, {"status": "succeeded"}]}, {"executions": [{"status": "cancelled"}]}]}}
{"after": "a\u0000"} => BAD_USER_INPUT after

=== TEST 6: an after that is no id
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { executions(after: "nothing") { id } } } }
--- code: NOT_FOUND

=== TEST 7: two pages under two names, at once
--- cases
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { a: executions(first: 1) { status } b: executions(first: 1, after: "01890000-0003-7000-8000-0000000000e4") { id status } } } } => {"prompt": {"versions": [{"a": [{"status": "lost"}], "b": [{"id": "01890000-0002-7000-8000-0000000000e3", "status": "running"}]}, {"a": [{"status": "cancelled"}], "b": []}]}}

=== TEST 8: a hundred where first is absent, a thousand at most
--- sql
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status) SELECT ('01890001-' || lpad(to_hex(n), 4, '0') || '-7000-8000-0000000000ff')::uuid, '01890000-0000-7000-8000-000000000001', 1, '%{alice_id}', true, 'succeeded' FROM generate_series(1, 1100) n;
--- request eval
['POST /graphql
{"query":"{ prompt(id: \"01890000-0000-7000-8000-000000000001\") { versions { executions { __typename } } } }"}',
'POST /graphql
{"query":"{ prompt(id: \"01890000-0000-7000-8000-000000000001\") { versions { executions(first: 1000) { __typename } } } }"}']
--- key: alice
--- more_headers
Content-Type: application/json
--- response_body_like eval
[qr/^\{"data":\{"prompt":\{"versions":\[\{"executions":\[(\{"__typename":"Execution"\},?){100}\]\},/,
 qr/^\{"data":\{"prompt":\{"versions":\[\{"executions":\[(\{"__typename":"Execution"\},?){1000}\]\},/]

=== TEST 9: what is run is seen at once, by its id; what failed too, with why
--- key: bob
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { executionId } }
--- errors
[{"extensions": {"code": "INTERNAL_SERVER_ERROR", "executionId": "<uuid>"}}]
--- save
failed = errors.0.extensions.executionId

=== TEST 10: who ran it reads why
--- key: bob
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { version executions(first: 1) { id status error output } } } }
--- response_body_like: "version":2,"executions":\[\{"id":"%{failed}","status":"failed","error":"[^"]*500[^"]*","output":null\}\]

=== TEST 11: the owner does not
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { version executions(first: 1) { id status error output input } } } }
--- response_body_like: "version":2,"executions":\[\{"id":"%{failed}","status":"failed","error":null,"output":null,"input":null\}\]

=== TEST 12: executions of many prompts in one list, one's own and others'
--- key: bob
--- graphql
mutation { forkPrompt(id: "01890000-0000-7000-8000-000000000001") { versions { version executions { id } } } }
--- data
{"forkPrompt": {"versions": [{"version": 1, "executions": []}, {"version": 2, "executions": []}]}}
