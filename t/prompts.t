# Prompts: create, read, list, update, delete.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: nothing there yet
--- graphql
{ prompts { id } }
--- data
{"prompts": []}

=== TEST 2: created with all that can be said
--- graphql
mutation ($input: CreatePromptInput!) { createPrompt(input: $input) { id name description category isPublic createdAt updatedAt createdBy { id email name } versions { id } } }
--- variables
{"input": {"name": "Summarize News", "description": "Two\nlines, \"quoted\", ünïcödé 😀", "category": "SUMMARIZATION", "isPublic": true}}
--- data
{"createPrompt": {"id": "<uuid>", "name": "summarize-news", "description": "Two\nlines, \"quoted\", ünïcödé 😀", "category": "SUMMARIZATION", "isPublic": true, "createdAt": "<time>", "updatedAt": "<time>", "createdBy": {"id": "%{alice_id}", "email": "alice@example.com", "name": "Alice"}, "versions": []}}
--- save
news = data.createPrompt.id

=== TEST 3: created with a name only
--- graphql
mutation { createPrompt(input: {name: "plain"}) { id name description category isPublic } }
--- data
{"createPrompt": {"id": "<uuid>", "name": "plain", "description": null, "category": "GENERAL", "isPublic": false}}
--- save
plain = data.createPrompt.id

=== TEST 4: explicit null for what has a default
--- graphql
mutation { createPrompt(input: {name: "nulls", description: null, category: null, isPublic: null}) { description category isPublic } }
--- data
{"createPrompt": {"description": null, "category": "GENERAL", "isPublic": false}}

=== TEST 5: every category
--- graphql
mutation {
  a: createPrompt(input: {name: "c1", category: GENERAL}) { category }
  b: createPrompt(input: {name: "c2", category: SUMMARIZATION}) { category }
  c: createPrompt(input: {name: "c3", category: ANALYSIS}) { category }
  d: createPrompt(input: {name: "c4", category: GENERATION}) { category }
  e: createPrompt(input: {name: "c5", category: CLASSIFICATION}) { category }
  f: createPrompt(input: {name: "c6", category: EXTRACTION}) { category }
  g: createPrompt(input: {name: "c7", category: ROUTING}) { category }
  h: createPrompt(input: {name: "c8", category: CUSTOM}) { category }
}
--- data
{"a": {"category": "GENERAL"}, "b": {"category": "SUMMARIZATION"}, "c": {"category": "ANALYSIS"}, "d": {"category": "GENERATION"}, "e": {"category": "CLASSIFICATION"}, "f": {"category": "EXTRACTION"}, "g": {"category": "ROUTING"}, "h": {"category": "CUSTOM"}}

=== TEST 6: an unknown category
--- graphql
mutation { createPrompt(input: {name: "c9", category: POETRY}) { id } }
--- errors
[{"message": "/Value \"POETRY\" does not exist in \"PromptCategory\" enum/", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 7: a name twice
--- graphql
mutation { createPrompt(input: {name: "Summarize_News!"}) { id } }
--- code: BAD_USER_INPUT name

=== TEST 8: another's name is free
--- key: bob
--- graphql
mutation { createPrompt(input: {name: "Summarize News"}) { id name } }
--- data
{"createPrompt": {"id": "<uuid>", "name": "summarize-news"}}
--- save
bobs = data.createPrompt.id

=== TEST 9: no name is left
--- graphql
mutation { createPrompt(input: {name: " -- !? "}) { id } }
--- code: BAD_USER_INPUT name

=== TEST 10: an empty name
--- graphql
mutation { createPrompt(input: {name: ""}) { id } }
--- code: BAD_USER_INPUT name

=== TEST 11: a name of 128 characters
--- graphql eval
'mutation { createPrompt(input: {name: "' . "n" x 128 . '"}) { name } }'
--- data eval
'{"createPrompt": {"name": "' . "n" x 128 . '"}}'

=== TEST 12: and of 129
--- graphql eval
'mutation { createPrompt(input: {name: "' . "n" x 129 . '"}) { name } }'
--- code: BAD_USER_INPUT name

=== TEST 13: 128 characters that are more bytes
--- graphql eval
'mutation { createPrompt(input: {name: "' . "\xc3\xb6" x 128 . '"}) { createdBy { id } } }'
--- data
{"createPrompt": {"createdBy": {"id": "%{alice_id}"}}}

=== TEST 14: a description that is too long
--- graphql eval
'mutation { createPrompt(input: {name: "long", description: "' . "d" x 10001 . '"}) { id } }'
--- code: BAD_USER_INPUT description

=== TEST 15: a description with U+0000
--- graphql
mutation ($d: String) { createPrompt(input: {name: "nul", description: $d}) { id } }
--- variables
{"d": "a\u0000b"}
--- code: BAD_USER_INPUT description

=== TEST 16: one prompt
--- graphql
query ($id: ID!) { prompt(id: $id) { __typename id name versions { version } createdBy { email } } }
--- variables
{"id": "%{news}"}
--- data
{"prompt": {"__typename": "Prompt", "id": "%{news}", "name": "summarize-news", "versions": [], "createdBy": {"email": "alice@example.com"}}}

=== TEST 17: by the id in capitals
--- graphql eval
my $id = uc PromptTest::Env::var('news'); "{ prompt(id: \"$id\") { id } }"
--- error_code: 200

=== TEST 18: by name
--- graphql
{ promptByName(name: "summarize-news") { id } other: promptByName(name: "unknown") { id } }
--- json
{"data": {"promptByName": {"id": "%{news}"}, "other": null}, "errors": [{"message": "/unknown/", "path": ["other"], "locations": "<any>", "extensions": {"code": "NOT_FOUND"}}]}

=== TEST 19: an id that nobody has
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000000") { id } }
--- errors
[{"message": "/[Pp]rompt.*01890000-0000-7000-8000-000000000000/", "path": ["prompt"], "extensions": {"code": "NOT_FOUND"}}]
--- data
{"prompt": null}

=== TEST 20: an id that is no UUID
--- graphql
{ prompt(id: "7") { id } }
--- errors
[{"message": "/[Pp]rompt.*7/", "extensions": {"code": "NOT_FOUND"}}]

=== TEST 21: an id that is an integer
--- graphql
{ prompt(id: 7) { id } }
--- code: NOT_FOUND

=== TEST 22: the list: newest first, only one's own
--- graphql
{ prompts(first: 3) { name } }
--- data eval
my $o = "\xc3\xb6" x 128; my $n = "n" x 128;
qq({"prompts": [{"name": "$o"}, {"name": "$n"}, {"name": "c8"}]})

=== TEST 23: goes on after
--- graphql
query ($after: ID) { prompts(first: 2, after: $after) { id name } }
--- variables
{"after": "%{plain}"}
--- data
{"prompts": [{"id": "%{news}", "name": "summarize-news"}]}

=== TEST 24: by category
--- graphql
{ prompts(category: SUMMARIZATION) { name } }
--- data
{"prompts": [{"name": "c2"}, {"name": "summarize-news"}]}

=== TEST 25: searched in names and descriptions, in any case
--- graphql
{ name: prompts(search: "NEWS") { name } description: prompts(search: "ÜNÏ") { name } none: prompts(search: "100%") { name } }
--- data
{"name": [{"name": "summarize-news"}], "description": [{"name": "summarize-news"}], "none": []}

=== TEST 26: what is special in a pattern is not
--- graphql
{ a: prompts(search: "%") { name } b: prompts(search: "summarize_news") { name } c: prompts(search: "\\") { name } }
--- data
{"a": [], "b": [], "c": []}

=== TEST 27: first must be from 1 to 1000
--- graphql
{ prompts(first: 0) { id } }
--- code: BAD_USER_INPUT first
--- data
null

=== TEST 28: update: absent fields stay
--- graphql
mutation ($id: ID!) { updatePrompt(id: $id, input: {name: "World News"}) { id name description category isPublic updatedAt } }
--- variables
{"id": "%{news}"}
--- data
{"updatePrompt": {"id": "%{news}", "name": "world-news", "description": "Two\nlines, \"quoted\", ünïcödé 😀", "category": "SUMMARIZATION", "isPublic": true, "updatedAt": "<time>"}}
--- sql_check
SELECT updated_at > created_at FROM prompts WHERE id = '%{news}'
--- sql_result: t

=== TEST 29: null clears the description
--- graphql
mutation ($id: ID!, $input: UpdatePromptInput!) { updatePrompt(id: $id, input: $input) { description } }
--- variables
{"id": "%{news}", "input": {"description": null}}
--- data
{"updatePrompt": {"description": null}}

=== TEST 30: a variable that is absent is as an absent field
--- graphql
mutation ($id: ID!, $d: String, $c: PromptCategory) { updatePrompt(id: $id, input: {description: $d, category: $c, isPublic: false}) { category isPublic } }
--- variables
{"id": "%{news}"}
--- data
{"updatePrompt": {"category": "SUMMARIZATION", "isPublic": false}}

=== TEST 31: null for the name
--- graphql
mutation { updatePrompt(id: "%{news}", input: {name: null}) { id } }
--- code: BAD_USER_INPUT name

=== TEST 32: null for the category
--- graphql
mutation { updatePrompt(id: "%{news}", input: {category: null}) { id } }
--- code: BAD_USER_INPUT category

=== TEST 33: null for isPublic
--- graphql
mutation { updatePrompt(id: "%{news}", input: {isPublic: null}) { id } }
--- code: BAD_USER_INPUT isPublic

=== TEST 34: a name that is taken
--- graphql
mutation { updatePrompt(id: "%{news}", input: {name: "Plain"}) { id } }
--- code: BAD_USER_INPUT name

=== TEST 35: its own name
--- graphql
mutation { updatePrompt(id: "%{news}", input: {name: "World News"}) { name } }
--- data
{"updatePrompt": {"name": "world-news"}}

=== TEST 36: nothing at all
--- graphql
mutation { updatePrompt(id: "%{news}", input: {}) { name } }
--- data
{"updatePrompt": {"name": "world-news"}}

=== TEST 37: update of nothing
--- graphql
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000000", input: {name: "x"}) { id } }
--- errors
[{"message": "/01890000-0000-7000-8000-000000000000/", "extensions": {"code": "NOT_FOUND"}}]

=== TEST 38: delete, with versions and executions
--- sql
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES ('01890000-0000-7000-8000-00000000000a', '%{plain}', '%{alice_id}', 1, 'c', '{}');
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status) VALUES ('01890000-0000-7000-8000-00000000000b', '%{plain}', 1, '%{alice_id}', true, 'succeeded');
--- graphql
mutation { deletePrompt(id: "%{plain}") }
--- data
{"deletePrompt": true}
--- sql_check
SELECT (SELECT count(*) FROM prompts WHERE id = '%{plain}'), (SELECT count(*) FROM prompt_versions), (SELECT count(*) FROM executions)
--- sql_result: 0|0|0

=== TEST 39: deleted is deleted
--- graphql
mutation { deletePrompt(id: "%{plain}") }
--- errors
[{"message": "/%{plain}/", "extensions": {"code": "NOT_FOUND"}}]

=== TEST 40: the name is free again
--- graphql
mutation { createPrompt(input: {name: "plain"}) { name } }
--- data
{"createPrompt": {"name": "plain"}}

=== TEST 41: mutations run one after the other, until one takes data with it
--- graphql
mutation {
  a: createPrompt(input: {name: "serial"}) { name }
  b: createPrompt(input: {name: "serial"}) { name }
  c: updatePrompt(id: "%{news}", input: {name: "serial"}) { name }
  d: updatePrompt(id: "%{news}", input: {name: "later"}) { name }
}
--- errors
[{"path": ["b"], "extensions": {"code": "BAD_USER_INPUT", "field": "name"}}]
--- data
null
--- sql_check
SELECT count(*) FROM prompts WHERE name = 'later'
--- sql_result: 0

=== TEST 42: Prompt! that fails takes data with it
--- graphql
mutation { createPrompt(input: {name: "serial"}) { name } }
--- json
{"data": null, "errors": [{"message": "<string>", "path": ["createPrompt"], "locations": [{"line": 1, "column": 12}], "extensions": {"code": "BAD_USER_INPUT", "field": "name"}}]}

=== TEST 43: aliases, fragments, __typename
--- graphql
query ($yes: Boolean = true) {
  a: prompt(id: "%{news}") { ...P ... on Prompt @include(if: $yes) { c: category } }
  b: prompt(id: "%{news}") { ...P @skip(if: $yes) id }
  __typename
}
fragment P on Prompt { __typename n: name }
--- data
{"a": {"__typename": "Prompt", "n": "world-news", "c": "SUMMARIZATION"}, "b": {"id": "%{news}"}, "__typename": "Query"}

=== TEST 44: first beyond 1000
--- graphql
{ prompts(first: 1001) { id } }
--- code: BAD_USER_INPUT first

=== TEST 45: after an id that is none
--- graphql
{ prompts(after: "nothing") { id } }
--- error_code: 200
