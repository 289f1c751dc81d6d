# updatePrompt: absent fields stay, null clears or is refused.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: two prompts
--- sql
INSERT INTO prompts (id, owner_id, name, description, category, is_public, updated_at) VALUES
 ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'news', 'what it does', 'SUMMARIZATION', true, now()),
 ('01890000-0000-7000-8000-000000000002', '%{alice_id}', 'plain', NULL, 'GENERAL', false, now());
--- graphql
mutation ($id: ID!) { updatePrompt(id: $id, input: {name: "World News"}) { id name description category isPublic updatedAt createdAt versions { id } createdBy { id } } }
--- variables
{"id": "01890000-0000-7000-8000-000000000001"}
--- data
{"updatePrompt": {"id": "01890000-0000-7000-8000-000000000001", "name": "world-news", "description": "what it does", "category": "SUMMARIZATION", "isPublic": true, "updatedAt": "<time>", "createdAt": "<time>", "versions": [], "createdBy": {"id": "%{alice_id}"}}}
--- sql_check
SELECT updated_at > created_at FROM prompts WHERE name = 'world-news'
--- sql_result: t

=== TEST 2: one field each, the others stay
--- graphql
mutation ($i: UpdatePromptInput!) { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: $i) { name description category isPublic } }
--- cases
{"i": {"description": "ü\n"}} => {"updatePrompt": {"name": "world-news", "description": "ü\n", "category": "SUMMARIZATION", "isPublic": true}}
{"i": {"category": "CUSTOM"}} => {"updatePrompt": {"name": "world-news", "description": "ü\n", "category": "CUSTOM", "isPublic": true}}
{"i": {"isPublic": false}} => {"updatePrompt": {"name": "world-news", "description": "ü\n", "category": "CUSTOM", "isPublic": false}}
{"i": {"name": "HTTPNews"}} => {"updatePrompt": {"name": "http-news", "description": "ü\n", "category": "CUSTOM", "isPublic": false}}
{"i": {}} => {"updatePrompt": {"name": "http-news", "description": "ü\n", "category": "CUSTOM", "isPublic": false}}
{"i": {"description": null}} => {"updatePrompt": {"name": "http-news", "description": null, "category": "CUSTOM", "isPublic": false}}
{"i": {"description": ""}} => {"updatePrompt": {"name": "http-news", "description": "", "category": "CUSTOM", "isPublic": false}}
{"i": {"name": "a", "description": "b", "category": "ROUTING", "isPublic": true}} => {"updatePrompt": {"name": "a", "description": "b", "category": "ROUTING", "isPublic": true}}

=== TEST 3: what is refused, and with which field
--- graphql
mutation ($i: UpdatePromptInput!) { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: $i) { name } }
--- cases eval
'{"i": {"name": null}} => BAD_USER_INPUT name
{"i": {"category": null}} => BAD_USER_INPUT category
{"i": {"isPublic": null}} => BAD_USER_INPUT isPublic
{"i": {"name": ""}} => BAD_USER_INPUT name
{"i": {"name": "--"}} => BAD_USER_INPUT name
{"i": {"name": "a\u0000"}} => BAD_USER_INPUT name
{"i": {"name": "Plain"}} => BAD_USER_INPUT name
{"i": {"description": "a\u0000"}} => BAD_USER_INPUT description
{"i": {"name": "new", "description": "a\u0000"}} => BAD_USER_INPUT description
{"i": {"category": "NONE"}} => BAD_USER_INPUT
{"i": {"unknown": 1}} => BAD_USER_INPUT /Field "unknown" is not defined by type "UpdatePromptInput"/
{"i": {"description": "' . 'd' x 10001 . '"}} => BAD_USER_INPUT description
{"i": {"name": "' . 'n' x 129 . '"}} => BAD_USER_INPUT name
'
--- sql_check
SELECT name, description, category, is_public FROM prompts ORDER BY id
--- sql_result
a|b|ROUTING|t
plain||GENERAL|f

=== TEST 4: its own name
--- cases
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {name: "A"}) { name } } => {"updatePrompt": {"name": "a"}}

=== TEST 5: a variable that is absent is as an absent field; its default is not
--- graphql
mutation ($d: String, $c: PromptCategory, $n: String = "From Default") { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {description: $d, category: $c, isPublic: false, name: $n}) { name description category isPublic } }
--- cases
{} => {"updatePrompt": {"name": "from-default", "description": "b", "category": "ROUTING", "isPublic": false}}
{"n": "given", "d": null} => {"updatePrompt": {"name": "given", "description": null, "category": "ROUTING", "isPublic": false}}
{"n": null} => BAD_USER_INPUT name
{"c": null} => BAD_USER_INPUT category

=== TEST 6: a prompt that is not there
--- graphql
mutation ($id: ID!) { updatePrompt(id: $id, input: {name: "x"}) { id } }
--- cases
{"id": "01890000-0000-7000-8000-000000000009"} => NOT_FOUND /01890000-0000-7000-8000-000000000009/
{"id": "x"} => NOT_FOUND /x/
{"id": 3} => NOT_FOUND /3/

=== TEST 7: updatedAt moves with every update, also one that changes nothing
--- sql
UPDATE prompts SET updated_at = '2020-01-01Z';
--- graphql
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {}) { updatedAt } }
--- error_code: 200
--- sql_check
SELECT id, updated_at > '2020-01-02Z' FROM prompts ORDER BY id
--- sql_result
01890000-0000-7000-8000-000000000001|f
01890000-0000-7000-8000-000000000002|t

=== TEST 8: an update that fails does not move it
--- sql
UPDATE prompts SET updated_at = '2020-01-01Z';
--- graphql
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000002", input: {name: "given"}) { updatedAt } }
--- code: BAD_USER_INPUT name
--- sql_check
SELECT count(*) FROM prompts WHERE updated_at = '2020-01-01Z'
--- sql_result: 2
