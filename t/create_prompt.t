# createPrompt: names in kebab-case, uniqueness, defaults, limits.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: created with all that can be said
--- graphql
mutation ($input: CreatePromptInput!) { createPrompt(input: $input) { id name description category isPublic createdAt updatedAt createdBy { id email name } versions { id } } }
--- variables
{"input": {"name": "Summarize News", "description": "Two\nlines, \"quoted\", ünïcödé 😀", "category": "SUMMARIZATION", "isPublic": true}}
--- data
{"createPrompt": {"id": "<uuid>", "name": "summarize-news", "description": "Two\nlines, \"quoted\", ünïcödé 😀", "category": "SUMMARIZATION", "isPublic": true, "createdAt": "<time>", "updatedAt": "<time>", "createdBy": {"id": "%{alice_id}", "email": "alice@example.com", "name": "Alice"}, "versions": []}}
--- save
news = data.createPrompt.id

=== TEST 2: created with a name only
--- graphql
mutation { createPrompt(input: {name: "plain"}) { id name description category isPublic } }
--- data
{"createPrompt": {"id": "<uuid>", "name": "plain", "description": null, "category": "GENERAL", "isPublic": false}}

=== TEST 3: explicit null for what has a default
--- graphql
mutation { createPrompt(input: {name: "nulls", description: null, category: null, isPublic: null}) { description category isPublic } }
--- data
{"createPrompt": {"description": null, "category": "GENERAL", "isPublic": false}}

=== TEST 4: an id is a UUID of version 7, and begins with the time
--- graphql
mutation { createPrompt(input: {name: "uuid"}) { id } }
--- data
{"createPrompt": {"id": "/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/"}}
--- sql_check
SELECT abs(extract(epoch FROM now()) * 1000 - ('x0000' || substr(replace(id::text, '-', ''), 1, 12))::bit(64)::bigint) < 60000, abs(extract(epoch FROM now() - created_at)) < 60 FROM prompts WHERE name = 'uuid'
--- sql_result: t|t

=== TEST 5: every category, and no other
--- graphql
mutation ($n: String!, $c: PromptCategory) { createPrompt(input: {name: $n, category: $c}) { category } }
--- cases
{"n": "c1", "c": "GENERAL"} => {"createPrompt": {"category": "GENERAL"}}
{"n": "c2", "c": "SUMMARIZATION"} => {"createPrompt": {"category": "SUMMARIZATION"}}
{"n": "c3", "c": "ANALYSIS"} => {"createPrompt": {"category": "ANALYSIS"}}
{"n": "c4", "c": "GENERATION"} => {"createPrompt": {"category": "GENERATION"}}
{"n": "c5", "c": "CLASSIFICATION"} => {"createPrompt": {"category": "CLASSIFICATION"}}
{"n": "c6", "c": "EXTRACTION"} => {"createPrompt": {"category": "EXTRACTION"}}
{"n": "c7", "c": "ROUTING"} => {"createPrompt": {"category": "ROUTING"}}
{"n": "c8", "c": "CUSTOM"} => {"createPrompt": {"category": "CUSTOM"}}
{"n": "c9", "c": "POETRY"} => BAD_USER_INPUT /Value "POETRY" does not exist in "PromptCategory" enum/
{"n": "c9", "c": "general"} => BAD_USER_INPUT /Did you mean the enum value "GENERAL"/
{"n": "c9", "c": 1} => BAD_USER_INPUT /cannot represent non-string value: 1/
{"n": "c9"} => {"createPrompt": {"category": "GENERAL"}}

=== TEST 6: names in kebab-case
--- graphql
mutation ($n: String!) { createPrompt(input: {name: $n}) { name } }
--- cases
{"n": "myPrompt"} => {"createPrompt": {"name": "my-prompt"}}
{"n": "HTTPServer"} => {"createPrompt": {"name": "http-server"}}
{"n": "gpt4Prompt"} => {"createPrompt": {"name": "gpt4-prompt"}}
{"n": "already-kebab-case"} => {"createPrompt": {"name": "already-kebab-case"}}
{"n": "snake_case_name"} => {"createPrompt": {"name": "snake-case-name"}}
{"n": "  Spaces   inside  "} => {"createPrompt": {"name": "spaces-inside"}}
{"n": "UPPER"} => {"createPrompt": {"name": "upper"}}
{"n": "a.b/c\\d"} => {"createPrompt": {"name": "a-b-c-d"}}
{"n": "--x--y--"} => {"createPrompt": {"name": "x-y"}}
{"n": "parseJSONFile2Text"} => {"createPrompt": {"name": "parse-json-file2-text"}}
{"n": "ABc"} => {"createPrompt": {"name": "a-bc"}}
{"n": "aB"} => {"createPrompt": {"name": "a-b"}}
{"n": "v2Final"} => {"createPrompt": {"name": "v2-final"}}
{"n": "2ndTry"} => {"createPrompt": {"name": "2nd-try"}}
{"n": "Version 10"} => {"createPrompt": {"name": "version-10"}}
{"n": "A1B2"} => {"createPrompt": {"name": "a1-b2"}}
{"n": "XMLHttpRequest"} => {"createPrompt": {"name": "xml-http-request"}}
{"n": "iOSApp"} => {"createPrompt": {"name": "i-os-app"}}
{"n": "tab\there"} => {"createPrompt": {"name": "tab-here"}}
{"n": "don't"} => {"createPrompt": {"name": "don-t"}}
{"n": "x"} => {"createPrompt": {"name": "x"}}
{"n": "7"} => {"createPrompt": {"name": "7"}}
{"n": "Ｆull width"} => {"createPrompt": {"name": "ｆull-width"}}

=== TEST 7: names with letters outside ASCII
--- graphql
mutation ($n: String!) { createPrompt(input: {name: $n}) { name } }
--- cases
{"n": "ÜberPrüfung"} => {"createPrompt": {"name": "über-prüfung"}}
{"n": "élanVITAL"} => {"createPrompt": {"name": "élan-vital"}}
{"n": "ΑΒΓδ"} => {"createPrompt": {"name": "αβ-γδ"}}
{"n": "プロンプト 名"} => {"createPrompt": {"name": "プロンプト-名"}}
{"n": "emoji 😀 inside"} => {"createPrompt": {"name": "emoji-inside"}}
{"n": "ХВост"} => {"createPrompt": {"name": "х-вост"}}
{"n": "ǅungla"} => {"createPrompt": {"name": "ǆungla"}}
{"n": "İstanbul1"} => {"createPrompt": {"name": "istanbul1"}}
{"n": "Straße"} => {"createPrompt": {"name": "straße"}}
{"n": "中文提示"} => {"createPrompt": {"name": "中文提示"}}
{"n": "٣ثلاثة"} => {"createPrompt": {"name": "٣ثلاثة"}}
{"n": "nbsp\u00a0between"} => {"createPrompt": {"name": "nbsp-between"}}
{"n": "line\u2028break"} => {"createPrompt": {"name": "line-break"}}

=== TEST 8: nothing is left of a name
--- graphql
mutation ($n: String!) { createPrompt(input: {name: $n}) { name } }
--- cases
{"n": ""} => BAD_USER_INPUT name
{"n": " "} => BAD_USER_INPUT name
{"n": " -- !? "} => BAD_USER_INPUT name
{"n": "😀"} => BAD_USER_INPUT name
{"n": "\u0000"} => BAD_USER_INPUT name
{"n": "a\u0000b"} => BAD_USER_INPUT name
{"n": null} => BAD_USER_INPUT /Variable "\$n" of non-null type "String!" must not be null/
{"n": 7} => BAD_USER_INPUT /String cannot represent a non string value: 7/

=== TEST 9: 128 characters, not bytes, after conversion
--- graphql
mutation ($n: String!) { createPrompt(input: {name: $n}) { createdBy { id } } }
--- cases eval
my $fine = ' => {"createPrompt": {"createdBy": {"id": "%{alice_id}"}}}';
my $bad = ' => BAD_USER_INPUT name /128/';
'{"n": "' . 'n' x 128 . "\"}$fine\n"
. '{"n": "' . 'n' x 129 . "\"}$bad\n"
. '{"n": "' . "\xc3\xb6" x 128 . "\"}$fine\n"
. '{"n": "' . "\xc3\xb6" x 129 . "\"}$bad\n"
. '{"n": "' . "\xf0\x90\x90\x80" x 128 . "\"}$fine\n"
. '{"n": "' . ' ' x 1000 . "short\"}$fine\n"
. '{"n": "' . 'aB' x 43 . "\"}$bad\n"
. '{"n": "' . 'aB' x 42 . "\"}$fine\n"

=== TEST 10: a name that one has already, as converted
--- cases
mutation { createPrompt(input: {name: "Summarize_News!"}) { id } } => BAD_USER_INPUT name /already have a prompt with that name/
mutation { createPrompt(input: {name: "summarizeNews"}) { id } } => BAD_USER_INPUT name /already have a prompt with that name/
bob: mutation { createPrompt(input: {name: "Summarize News"}) { name } } => {"createPrompt": {"name": "summarize-news"}}
bob: mutation { createPrompt(input: {name: "Summarize News"}) { name } } => BAD_USER_INPUT name

=== TEST 11: twice in one request: the second fails, the first is answered
--- graphql
mutation { a: createPrompt(input: {name: "twice"}) { name } b: createPrompt(input: {name: "twice"}) { name } }
--- json
{"data": {"a": {"name": "twice"}, "b": null}, "errors": [{"message": "/with that name/", "path": ["b"], "locations": [{"line": 1, "column": 61}], "extensions": {"code": "BAD_USER_INPUT", "field": "name"}}]}
--- sql_check
SELECT count(*) FROM prompts WHERE name = 'twice'
--- sql_result: 1

=== TEST 12: descriptions: 10,000 characters, as they were sent
--- graphql
mutation ($n: String!, $d: String) { createPrompt(input: {name: $n, description: $d}) { description } }
--- cases eval
my $umlauts = "\xc3\xb6" x 10000;
'{"n": "d1", "d": "' . $umlauts . '"} => {"createPrompt": {"description": "' . $umlauts . "\"}}\n"
. '{"n": "d2", "d": "' . 'd' x 10001 . "\"} => BAD_USER_INPUT description\n"
. '{"n": "d3", "d": " \r\n\t x "} => {"createPrompt": {"description": " \r\n\t x "}}' . "\n"
. '{"n": "d4", "d": ""} => {"createPrompt": {"description": ""}}' . "\n"
. '{"n": "d5", "d": "a\u0000b"} => BAD_USER_INPUT description' . "\n"

=== TEST 13: fields that there are not, and fields that are needed
--- cases
mutation { createPrompt(input: {name: "x", owner: "y"}) { id } } => BAD_USER_INPUT /Field "owner" is not defined by type "CreatePromptInput"/
mutation { createPrompt(input: {}) { id } } => BAD_USER_INPUT /Field "CreatePromptInput.name" of required type "String!" was not provided/
mutation { createPrompt { id } } => BAD_USER_INPUT /argument "input" of type "CreatePromptInput!" is required/
mutation { createPrompt(input: null) { id } } => BAD_USER_INPUT /Expected value of type "CreatePromptInput!", found null/
mutation { createPrompt(input: {name: "x", isPublic: "yes"}) { id } } => BAD_USER_INPUT /Boolean cannot represent a non boolean value: "yes"/
mutation { createPrompt(input: {name: "x"}) } => BAD_USER_INPUT /must have a selection of subfields/

=== TEST 14: what was refused left nothing
--- sql_check
SELECT count(*) FROM prompts WHERE name IN ('c9', 'x', 'd2', 'd5') AND category <> 'GENERAL'
--- sql_result: 0
--- graphql
{ me { id } }
--- error_code: 200

=== TEST 15: marks stay with their letters, and names without them are what they were
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at) VALUES (gen_random_uuid(), '%{alice_id}', 'ह-न-द', 'GENERAL', false, now());
--- cases
{ promptByName(name: "ह-न-द") { name } } => {"promptByName": {"name": "ह-न-द"}}
{ promptByName(name: "हिन्दी") { name } } => NOT_FOUND
mutation { createPrompt(input: {name: "हिन्दी"}) { name } } => {"createPrompt": {"name": "हिन्दी"}}
{ promptByName(name: " हिन्दी!") { name } } => {"promptByName": {"name": "हिन्दी"}}
mutation { createPrompt(input: {name: "ViệtNam ❤️"}) { name } } => {"createPrompt": {"name": "việt-nam"}}
