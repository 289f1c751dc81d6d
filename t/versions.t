# Versions: numbers, immutability, JSON values as they were sent.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: a prompt to begin with
--- graphql
mutation { createPrompt(input: {name: "versions", isPublic: true}) { id } }
--- error_code: 200
--- save
prompt = data.createPrompt.id

=== TEST 2: the first version
--- graphql
mutation ($input: CreatePromptVersionInput!) { createPromptVersion(input: $input) { id version content params inputSchema createdAt executions { id } } }
--- variables
{"input": {"promptId": "%{prompt}", "content": "Hello {{name}}\r\n\t \"ü\" 😀 ", "params": {"model": "fx:ok", "temperature": 0.1, "max_tokens": 100}}}
--- data
{"createPromptVersion": {"id": "<uuid>", "version": 1, "content": "Hello {{name}}\r\n\t \"ü\" 😀 ", "params": {"model": "fx:ok", "temperature": 0.1, "max_tokens": 100}, "inputSchema": null, "createdAt": "<time>", "executions": []}}

=== TEST 3: the second, with everything by literals
--- graphql
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "{{a.b}}", params: {model: "fx:ok", stop: ["x"], nested: {b: null, a: [true, 1.5e3]}}, inputSchema: {type: "object", properties: {a: {type: "object"}}, required: ["a"]}}) { version params inputSchema } }
--- data
{"createPromptVersion": {"version": 2, "params": {"model": "fx:ok", "stop": ["x"], "nested": {"b": null, "a": [true, 1500]}}, "inputSchema": {"type": "object", "properties": {"a": {"type": "object"}}, "required": ["a"]}}}

=== TEST 4: members in the order sent, strings byte for byte, numbers with their value
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { params } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"z": 0.1, "a": 9223372036854775807, "m": -9223372036854775808, "s": "a\/b\u00e9\n", "e": {}, "l": [], "f": 1.0, "g": 1e-7}}}
--- response_body_like: \{"z":0\.1,"a":9223372036854775807,"m":-9223372036854775808,"s":"a/bé\\n","e":\{\},"l":\[\],"f":1(\.0)?,"g":(1e-0?7|0\.0000001)\}

=== TEST 5: a number that cannot be kept
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { params } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"n": 9223372036854775808}}}
--- code: BAD_USER_INPUT

=== TEST 6: a number with more digits than a double has
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { params } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"n": 0.12345678901234567890123}}}
--- code: BAD_USER_INPUT

=== TEST 7: an infinite number
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { params } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"n": 1e400}}}
--- code: BAD_USER_INPUT

=== TEST 8: duplicate members
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { params } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"a": 1, "a": 2}}}
--- error_code_like: ^(200|400)$
--- code: BAD_USER_INPUT

=== TEST 9: deeper than 64
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { params } }
--- variables eval
'{"i": {"promptId": "%{prompt}", "content": "x", "params": {"a": ' . "[" x 70 . "]" x 70 . '}}}'
--- code: BAD_USER_INPUT

=== TEST 10: params that are no object
--- graphql
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: [1]}) { id } }
--- code: BAD_USER_INPUT params

=== TEST 11: params of a wrong type
--- graphql
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {model: 7}}) { id } }
--- code: BAD_USER_INPUT params.model

=== TEST 12: a temperature out of range
--- graphql
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {temperature: 2.1}}) { id } }
--- code: BAD_USER_INPUT params.temperature

=== TEST 13: max_tokens that is no positive integer
--- graphql
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {max_tokens: 0}}) { id } }
--- code: BAD_USER_INPUT params.max_tokens

=== TEST 14: the service's own words
--- graphql
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {messages: []}}) { id } }
--- code: BAD_USER_INPUT params.messages

=== TEST 15: an ill-formed placeholder, with line and column
--- graphql
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "one\nü {{}}", params: {}}) { id } }
--- errors
[{"message": "/line 2.*column 3/", "extensions": {"code": "BAD_USER_INPUT", "field": "content"}}]

=== TEST 16: placeholders that are none
--- graphql
mutation { a: createPromptVersion(input: {promptId: "%{prompt}", content: "{{{x}}}", params: {}}) { id } }
--- code: BAD_USER_INPUT content

=== TEST 17: an unclosed placeholder
--- graphql
mutation { a: createPromptVersion(input: {promptId: "%{prompt}", content: "{{x", params: {}}) { id } }
--- code: BAD_USER_INPUT content

=== TEST 18: an inputSchema of another draft
--- graphql
mutation ($s: JSON) { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {}, inputSchema: $s}) { id } }
--- variables
{"s": {"$schema": "http://json-schema.org/draft-04/schema#"}}
--- errors
[{"extensions": {"code": "BAD_USER_INPUT", "field": "/^inputSchema/"}}]

=== TEST 19: an inputSchema that is none
--- graphql
mutation ($s: JSON) { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {}, inputSchema: $s}) { id } }
--- variables
{"s": {"type": "nothing"}}
--- errors
[{"extensions": {"code": "BAD_USER_INPUT", "field": "/^inputSchema/"}}]

=== TEST 20: a boolean inputSchema
--- graphql
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {}, inputSchema: true}) { id } }
--- errors
[{"extensions": {"code": "BAD_USER_INPUT", "field": "/^inputSchema/"}}]

=== TEST 21: a reference to elsewhere
--- graphql
mutation ($s: JSON) { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {}, inputSchema: $s}) { id } }
--- variables
{"s": {"$ref": "https://example.com/schema.json"}}
--- errors
[{"extensions": {"code": "BAD_USER_INPUT", "field": "/^inputSchema/"}}]

=== TEST 22: content of 1 MiB
--- graphql
mutation ($c: String!) { createPromptVersion(input: {promptId: "%{prompt}", content: $c, params: {}}) { version } }
--- variables eval
'{"c": "' . "c" x 1048576 . '"}'
--- data
{"createPromptVersion": {"version": "<int>"}}

=== TEST 23: and a byte more
--- graphql
mutation ($c: String!) { createPromptVersion(input: {promptId: "%{prompt}", content: $c, params: {}}) { version } }
--- variables eval
'{"c": "' . "c" x 1048577 . '"}'
--- code: BAD_USER_INPUT content

=== TEST 24: params beyond 256 KiB
--- graphql
mutation ($p: JSON!) { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: $p}) { version } }
--- variables eval
'{"p": {"stop": "' . "c" x 262144 . '"}}'
--- code: BAD_USER_INPUT params

=== TEST 25: content with U+0000
--- graphql
mutation ($c: String!) { createPromptVersion(input: {promptId: "%{prompt}", content: $c, params: {}}) { version } }
--- variables
{"c": "a\u0000"}
--- code: BAD_USER_INPUT content

=== TEST 26: U+0000 within params
--- graphql
mutation ($p: JSON!) { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: $p}) { version } }
--- variables
{"p": {"stop": "a\u0000"}}
--- errors
[{"extensions": {"code": "BAD_USER_INPUT", "field": "/^params/"}}]

=== TEST 27: a version of a prompt that is not there
--- graphql
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000000", content: "x", params: {}}) { version } }
--- errors
[{"message": "/01890000-0000-7000-8000-000000000000/", "extensions": {"code": "NOT_FOUND"}}]

=== TEST 28: of another's prompt
--- key: bob
--- graphql
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {}}) { version } }
--- code: FORBIDDEN

=== TEST 29: what was refused left no gap
--- graphql
{ prompt(id: "%{prompt}") { versions { version } } }
--- data
{"prompt": {"versions": [{"version": 1}, {"version": 2}, {"version": 3}, {"version": 4}]}}

=== TEST 30: three in one request
--- graphql
mutation ($i: CreatePromptVersionInput!) { a: createPromptVersion(input: $i) { version } b: createPromptVersion(input: $i) { version } c: createPromptVersion(input: $i) { version } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {}}}
--- data
{"a": {"version": 5}, "b": {"version": 6}, "c": {"version": 7}}

=== TEST 31: the prompt was touched
--- graphql
{ prompts { id } }
--- data
{"prompts": [{"id": "%{prompt}"}]}
--- sql_check
SELECT updated_at > created_at FROM prompts
--- sql_result: t

=== TEST 32: an optional field with null
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { version inputSchema } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {}, "inputSchema": null}}
--- data
{"createPromptVersion": {"version": 8, "inputSchema": null}}
