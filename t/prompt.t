# prompt and promptByName: one prompt with all its versions.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: a prompt with two versions, and an execution of the first
--- sql
INSERT INTO prompts (id, owner_id, name, description, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'read-me', 'what it does', 'ROUTING', false, '2026-01-02T03:04:06.1239Z', 2);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params, input_schema) VALUES
 ('01890000-0000-7000-8000-00000000000b', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 2, 'two', '{}', '{"type":"object"}'),
 ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'one', '{"b":1,"a":0.10}', NULL);
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status, latency_ms, token_in, token_out, cost_usd) VALUES ('01890000-0000-7000-8000-00000000000c', '01890000-0000-7000-8000-000000000001', 1, '%{alice_id}', true, 'succeeded', 12, 3, 4, 0.000165);
--- graphql
query ($id: ID!) { prompt(id: $id) { id name description category isPublic createdAt updatedAt createdBy { id email name } versions { id version content params inputSchema createdAt executions { id status latencyMs tokenIn tokenOut costUsd } } } }
--- variables
{"id": "01890000-0000-7000-8000-000000000001"}
--- data
{"prompt": {"id": "01890000-0000-7000-8000-000000000001", "name": "read-me", "description": "what it does", "category": "ROUTING", "isPublic": false, "createdAt": "2023-06-28T03:15:47.328Z", "updatedAt": "2026-01-02T03:04:06.123Z", "createdBy": {"id": "%{alice_id}", "email": "alice@example.com", "name": "Alice"}, "versions": [{"id": "01890000-0000-7000-8000-00000000000a", "version": 1, "content": "one", "params": {"b": 1, "a": 0.10}, "inputSchema": null, "createdAt": "2023-06-28T03:15:47.328Z", "executions": [{"id": "01890000-0000-7000-8000-00000000000c", "status": "succeeded", "latencyMs": 12, "tokenIn": 3, "tokenOut": 4, "costUsd": "0.000165"}]}, {"id": "01890000-0000-7000-8000-00000000000b", "version": 2, "content": "two", "params": {}, "inputSchema": {"type": "object"}, "createdAt": "2023-06-28T03:15:47.328Z", "executions": []}]}}

=== TEST 2: in the order asked for, each as often as asked for
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { version } name again: name id versions { content } } }
--- response_body eval
'{"data":{"prompt":{"versions":[{"version":1,"content":"one"},{"version":2,"content":"two"}],"name":"read-me","again":"read-me","id":"01890000-0000-7000-8000-000000000001"}}}'

=== TEST 3: an id names nothing
--- graphql
query ($id: ID!) { prompt(id: $id) { name } }
--- cases
{"id": "01890000-0000-7000-8000-000000000009"} => NOT_FOUND /[Pp]rompt.*01890000-0000-7000-8000-000000000009/
{"id": "7"} => NOT_FOUND /[Pp]rompt.*7/
{"id": 7} => NOT_FOUND /[Pp]rompt.*7/
{"id": ""} => NOT_FOUND
{"id": "' OR 1=1 --"} => NOT_FOUND /[Pp]rompt.*' OR 1=1 --/
{"id": "01890000-0000-7000-8000-00000000000"} => NOT_FOUND
{"id": "{01890000-0000-7000-8000-000000000001}"} => NOT_FOUND
{"id": "01890000000070008000000000000001"} => NOT_FOUND
{"id": "01890000-0000-7000-8000-000000000001 "} => NOT_FOUND
{"id": "a\u0000b"} => BAD_USER_INPUT id
{"id": "ünï😀"} => NOT_FOUND /ünï😀/
{"id": 1.5} => BAD_USER_INPUT /ID cannot represent value: 1.5/
{"id": true} => BAD_USER_INPUT /ID cannot represent value: true/
{"id": null} => BAD_USER_INPUT /must not be null/

=== TEST 4: data has null in its place, and the error its path
--- graphql
{ a: prompt(id: "7") { id } me { name } }
--- json
{"data": {"a": null, "me": {"name": "Alice"}}, "errors": [{"message": "/7/", "locations": [{"line": 1, "column": 3}], "path": ["a"], "extensions": {"code": "NOT_FOUND"}}]}

=== TEST 5: a long id is not repeated at length
--- graphql
query ($id: ID!) { prompt(id: $id) { name } }
--- variables eval
'{"id": "' . 'x' x 100000 . '"}'
--- code: NOT_FOUND
--- response_body_unlike: x{2000}

=== TEST 6: by name
--- cases
{ promptByName(name: "read-me") { id versions { version } } } => {"promptByName": {"id": "01890000-0000-7000-8000-000000000001", "versions": [{"version": 1}, {"version": 2}]}}
{ promptByName(name: "nothing") { id } } => NOT_FOUND /nothing/
{ promptByName(name: "") { id } } => BAD_USER_INPUT name
{ promptByName(name: "read%") { id } } => NOT_FOUND
{ promptByName(name: "a\u0000b") { id } } => BAD_USER_INPUT name
bob: { promptByName(name: "read-me") { id } } => NOT_FOUND

=== TEST 7: __typename everywhere
--- graphql
{ __typename prompt(id: "01890000-0000-7000-8000-000000000001") { __typename createdBy { __typename } versions { __typename executions { __typename } } } }
--- data
{"__typename": "Query", "prompt": {"__typename": "Prompt", "createdBy": {"__typename": "User"}, "versions": [{"__typename": "PromptVersion", "executions": [{"__typename": "Execution"}]}, {"__typename": "PromptVersion", "executions": []}]}}

=== TEST 8: versions under two names with executions of different arguments
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { a: versions { executions { id } } b: versions { version e: executions(first: 1, after: "01890000-0000-7000-8000-00000000000c") { id } } } }
--- data
{"prompt": {"a": [{"executions": [{"id": "01890000-0000-7000-8000-00000000000c"}]}, {"executions": []}], "b": [{"version": 1, "e": []}, {"version": 2, "e": []}]}}

=== TEST 9: an id that is none and long: the message is cut between characters
--- graphql eval
'{ prompt(id: "' . 'a' x 199 . "\xc3\xa9" x 100 . '") { id } }'
--- json eval
'{"data": {"prompt": null}, "errors": [{"message": "Prompt with id \"' . 'a' x 199 . '\" was not found.", "locations": "<any>", "path": ["prompt"], "extensions": {"code": "NOT_FOUND"}}]}'
