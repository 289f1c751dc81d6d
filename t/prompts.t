# prompts: the caller's own, newest first, paged, filtered, searched.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: nothing there yet
--- graphql
{ prompts { id } }
--- data
{"prompts": []}

=== TEST 2: the newest first, then by id; only one's own
--- sql
INSERT INTO prompts (id, owner_id, name, description, category, is_public, updated_at) VALUES
 ('0188ffff-ffff-7000-8000-000000000001', '%{alice_id}', 'one', 'Über 50% cheaper', 'ROUTING', false, '2026-02-01Z'),
 ('01890000-0000-7000-8000-000000000002', '%{alice_id}', 'two', NULL, 'GENERAL', true, '2026-01-02Z'),
 ('01890000-0000-7000-8000-000000000003', '%{alice_id}', 'three', 'one and two', 'GENERAL', false, '2026-01-02Z'),
 ('0188ffff-0000-7000-8000-000000000004', '%{alice_id}', 'four', 'back\slash _under', 'ROUTING', false, '2026-01-02Z'),
 ('01890000-0000-7000-8000-000000000005', '%{bob_id}', 'five', NULL, 'GENERAL', true, '2026-01-03Z');
--- cases
{ prompts { name } } => {"prompts": [{"name": "three"}, {"name": "two"}, {"name": "one"}, {"name": "four"}]}
bob: { prompts { name } } => {"prompts": [{"name": "five"}]}
{ prompts { createdAt updatedAt isPublic } } => {"prompts": [{"createdAt": "2023-06-28T03:15:47.328Z", "updatedAt": "2026-01-02T00:00:00.000Z", "isPublic": false}, {"createdAt": "2023-06-28T03:15:47.328Z", "updatedAt": "2026-01-02T00:00:00.000Z", "isPublic": true}, {"createdAt": "2023-06-28T03:15:47.327Z", "updatedAt": "2026-02-01T00:00:00.000Z", "isPublic": false}, {"createdAt": "2023-06-28T03:14:41.792Z", "updatedAt": "2026-01-02T00:00:00.000Z", "isPublic": false}]}

=== TEST 3: page by page
--- graphql
query ($first: Int, $after: ID) { prompts(first: $first, after: $after) { name } }
--- cases
{"first": 2} => {"prompts": [{"name": "three"}, {"name": "two"}]}
{"first": 2, "after": "01890000-0000-7000-8000-000000000002"} => {"prompts": [{"name": "one"}, {"name": "four"}]}
{"first": 1, "after": "01890000-0000-7000-8000-000000000003"} => {"prompts": [{"name": "two"}]}
{"first": 2, "after": "0188ffff-0000-7000-8000-000000000004"} => {"prompts": []}
{"after": "0188ffff-ffff-7000-8000-000000000001"} => {"prompts": [{"name": "four"}]}
{"first": 1000} => {"prompts": [{"name": "three"}, {"name": "two"}, {"name": "one"}, {"name": "four"}]}
{"first": null, "after": null} => {"prompts": [{"name": "three"}, {"name": "two"}, {"name": "one"}, {"name": "four"}]}
{"first": 1} => {"prompts": [{"name": "three"}]}
{"first": 0} => BAD_USER_INPUT first
{"first": -1} => BAD_USER_INPUT first
{"first": 1001} => BAD_USER_INPUT first
{"first": 2147483648} => BAD_USER_INPUT /Int cannot represent non 32-bit signed integer value: 2147483648/
{"first": 1.5} => BAD_USER_INPUT /Int cannot represent non-integer value: 1.5/
{"first": "2"} => BAD_USER_INPUT /Int cannot represent non-integer value: "2"/

=== TEST 4: by category
--- graphql
query ($c: PromptCategory) { prompts(category: $c) { name } }
--- cases
{"c": "ROUTING"} => {"prompts": [{"name": "one"}, {"name": "four"}]}
{"c": "GENERAL"} => {"prompts": [{"name": "three"}, {"name": "two"}]}
{"c": "CUSTOM"} => {"prompts": []}
{"c": null} => {"prompts": [{"name": "three"}, {"name": "two"}, {"name": "one"}, {"name": "four"}]}

=== TEST 5: searched in names and descriptions, in any case; nothing in it is special
--- graphql
query ($s: String) { prompts(search: $s) { name } }
--- cases
{"s": "TWO"} => {"prompts": [{"name": "three"}, {"name": "two"}]}
{"s": "üBER"} => {"prompts": [{"name": "one"}]}
{"s": "%"} => {"prompts": [{"name": "one"}]}
{"s": "50%"} => {"prompts": [{"name": "one"}]}
{"s": "_"} => {"prompts": [{"name": "four"}]}
{"s": "\\"} => {"prompts": [{"name": "four"}]}
{"s": "t_o"} => {"prompts": []}
{"s": "'"} => {"prompts": []}
{"s": ""} => {"prompts": [{"name": "three"}, {"name": "two"}, {"name": "one"}, {"name": "four"}]}
{"s": "five"} => {"prompts": []}
{"s": "a\u0000b"} => BAD_USER_INPUT search

=== TEST 6: all together
--- cases
{ prompts(search: "o", category: GENERAL, first: 1, after: "01890000-0000-7000-8000-000000000003") { name } } => {"prompts": [{"name": "two"}]}

=== TEST 7: several lists side by side
--- cases
{ a: prompts(first: 1) { name } b: prompts(category: ROUTING) { id } me { name } } => {"a": [{"name": "three"}], "b": [{"id": "0188ffff-ffff-7000-8000-000000000001"}, {"id": "0188ffff-0000-7000-8000-000000000004"}], "me": {"name": "Alice"}}

=== TEST 8: versions and executions of all of them
--- sql
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) SELECT gen_random_uuid(), p.id, p.owner_id, n, p.name || n, '{}' FROM prompts p, generate_series(1, 2) n WHERE p.name IN ('three', 'one');
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status) VALUES ('01890000-0000-7000-8000-0000000000e1', '0188ffff-ffff-7000-8000-000000000001', 2, '%{alice_id}', true, 'failed');
--- cases
{ prompts { name versions { version content executions { status } } } } => {"prompts": [{"name": "three", "versions": [{"version": 1, "content": "three1", "executions": []}, {"version": 2, "content": "three2", "executions": []}]}, {"name": "two", "versions": []}, {"name": "one", "versions": [{"version": 1, "content": "one1", "executions": []}, {"version": 2, "content": "one2", "executions": [{"status": "failed"}]}]}, {"name": "four", "versions": []}]}

=== TEST 9: an id is a place in the list, whose ever it is, or was
--- cases
{ prompts(after: "nothing") { id } } => NOT_FOUND
{ prompts(after: "01890000-0000-7000-8000-000000000005") { name } } => {"prompts": [{"name": "three"}, {"name": "two"}, {"name": "one"}, {"name": "four"}]}
{ prompts(after: "01890000-0000-7000-8000-000000000000") { name } } => {"prompts": [{"name": "one"}, {"name": "four"}]}

=== TEST 10: a thousand prompts, all of them where first is absent
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at) SELECT gen_random_uuid(), '%{bob_id}', 'many-' || n, 'GENERAL', false, now() FROM generate_series(1, 1500) n;
--- key: bob
--- graphql
{ prompts { name } }
--- response_body_like eval
'^\{"data":\{"prompts":\[(\{"name":"[^"]*"\},){1500}\{"name":"[^"]*"\}\]\}\}'

=== TEST 11: a text that is longer than any description
--- graphql
query ($s: String) { prompts(search: $s) { name } }
--- cases eval
'{"s": "' . 'x' x 10000 . '"} => {"prompts": []}
{"s": "' . 'x' x 10001 . '"} => BAD_USER_INPUT search /search must not be longer than 10000 characters/'
