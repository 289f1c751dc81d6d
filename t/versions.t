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
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "{{a.b}}", params: {model: "fx:ok", stop: ["x"], logit_bias: {b: null, a: [true, 1.5e3]}}, inputSchema: {type: "object", properties: {a: {type: "object"}}, required: ["a"]}}) { version params inputSchema } }
--- data
{"createPromptVersion": {"version": 2, "params": {"model": "fx:ok", "stop": ["x"], "logit_bias": {"b": null, "a": [true, 1500]}}, "inputSchema": {"type": "object", "properties": {"a": {"type": "object"}}, "required": ["a"]}}}

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
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"x": 9223372036854775808}}}
--- code: BAD_USER_INPUT params.x

=== TEST 6: a fraction below what a double can tell from zero
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { params } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"x": 1e-400}}}
--- code: BAD_USER_INPUT params.x

=== TEST 7: an infinite number
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { params } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"x": 1e400}}}
--- code: BAD_USER_INPUT params.x

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

=== TEST 33: templates that are ill-formed, with line and column in characters
--- graphql
mutation ($c: String!) { createPromptVersion(input: {promptId: "%{prompt}", content: $c, params: {}}) { version } }
--- cases
{"c": "{{}}"} => BAD_USER_INPUT content /line 1, column 1/
{"c": "{{ }}"} => BAD_USER_INPUT content /line 1, column 1/
{"c": "ab\n\n  {{x"} => BAD_USER_INPUT content /line 3, column 3/
{"c": "äö😀{{x}"} => BAD_USER_INPUT content /line 1, column 4/
{"c": "a\r\nb{{x y}}"} => BAD_USER_INPUT content /line 2, column 2/
{"c": "a\rb{{x y}}"} => BAD_USER_INPUT content /line [12], column [24]/
{"c": "{{a}}{{{b}}}"} => BAD_USER_INPUT content /line 1, column 6/
{"c": "{{a.}}"} => BAD_USER_INPUT content /line 1, column 1/
{"c": "{{.a}}"} => BAD_USER_INPUT content /line 1, column 1/
{"c": "{{a..b}}"} => BAD_USER_INPUT content /line 1, column 1/
{"c": "{{a{b}}"} => BAD_USER_INPUT content /line 1, column 1/
{"c": "{{a\n}}{{b"} => BAD_USER_INPUT content /line [12], column [13]/
{"c": "\\{{a}} {{"} => BAD_USER_INPUT content /line 1, column 8/
{"c": "{{{{a}}}}"} => BAD_USER_INPUT content /line 1, column 1/

=== TEST 34: templates that are sound
--- graphql
mutation ($c: String!) { createPromptVersion(input: {promptId: "%{prompt}", content: $c, params: {}}) { content } }
--- cases
{"c": "}}"} => {"createPromptVersion": {"content": "}}"}}
{"c": "{ {a} } }}}"} => {"createPromptVersion": {"content": "{ {a} } }}}"}}
{"c": "\\{{"} => {"createPromptVersion": {"content": "\\{{"}}
{"c": "{{ a }}{{a.b.0}}{{ünï-x_1}}{{$}}"} => {"createPromptVersion": {"content": "{{ a }}{{a.b.0}}{{ünï-x_1}}{{$}}"}}
{"c": "\ufeffBOM \u007f\u0001\u001f\ud83d\ude00"} => {"createPromptVersion": {"content": "\ufeffBOM \u007f\u0001\u001f\ud83d\ude00"}}
{"c": " \r\n\r\t "} => {"createPromptVersion": {"content": " \r\n\r\t "}}
{"c": "{"} => {"createPromptVersion": {"content": "{"}}

=== TEST 35: params: what the service knows is checked, what the provider knows passes
--- graphql
mutation ($p: JSON!) { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: $p}) { params } }
--- cases
{"p": {}} => {"createPromptVersion": {"params": {}}}
{"p": null} => BAD_USER_INPUT /Variable "\$p" of non-null type "JSON!" must not be null/
{} => BAD_USER_INPUT /Variable "\$p" of required type "JSON!" was not provided/
{"p": "text"} => BAD_USER_INPUT params
{"p": 1} => BAD_USER_INPUT params
{"p": true} => BAD_USER_INPUT params
{"p": []} => BAD_USER_INPUT params
{"p": {"model": ""}} => BAD_USER_INPUT params.model
{"p": {"model": null}} => BAD_USER_INPUT params.model
{"p": {"model": ["a"]}} => BAD_USER_INPUT params.model
{"p": {"temperature": "1"}} => BAD_USER_INPUT params.temperature
{"p": {"temperature": -0.001}} => BAD_USER_INPUT params.temperature
{"p": {"temperature": 2.0000000001}} => BAD_USER_INPUT params.temperature
{"p": {"temperature": 2}} => {"createPromptVersion": {"params": {"temperature": 2}}}
{"p": {"temperature": 0}} => {"createPromptVersion": {"params": {"temperature": 0}}}
{"p": {"temperature": null}} => {"createPromptVersion": {"params": {"temperature": null}}}
{"p": {"max_tokens": -1}} => BAD_USER_INPUT params.max_tokens
{"p": {"max_tokens": 1.5}} => BAD_USER_INPUT params.max_tokens
{"p": {"max_tokens": "10"}} => BAD_USER_INPUT params.max_tokens
{"p": {"max_tokens": true}} => BAD_USER_INPUT params.max_tokens
{"p": {"messages": []}} => BAD_USER_INPUT params.messages
{"p": {"prompt": "x"}} => BAD_USER_INPUT params.prompt
{"p": {"input": "x"}} => BAD_USER_INPUT params.input
{"p": {"stream": false}} => BAD_USER_INPUT params.stream
{"p": {"n": 1}} => BAD_USER_INPUT params.n
{"p": {"fallbacks": {}}} => BAD_USER_INPUT params.fallbacks
{"p": {"fallbacks": [{"model": "b"}, {"temperature": 1}]}} => BAD_USER_INPUT params.fallbacks.1.model
{"p": {"fallbacks": [{"model": "b", "n": 1}]}} => BAD_USER_INPUT params.fallbacks.0.n
{"p": {"Model": 7, "maxTokens": "x", "top_p": 0.5, "stop": ["a"], "seed": 7, "response_format": {"type": "json_object"}, "max_completion_tokens": 5, "unknown": null}} => {"createPromptVersion": {"params": {"Model": 7, "maxTokens": "x", "top_p": 0.5, "stop": ["a"], "seed": 7, "response_format": {"type": "json_object"}, "max_completion_tokens": 5, "unknown": null}}}

=== TEST 36: input schemas
--- graphql
mutation ($s: JSON) { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {}, inputSchema: $s}) { inputSchema } }
--- cases
{} => {"createPromptVersion": {"inputSchema": null}}
{"s": {}} => {"createPromptVersion": {"inputSchema": {}}}
{"s": true} => BAD_USER_INPUT inputSchema
{"s": "x"} => BAD_USER_INPUT inputSchema
{"s": []} => BAD_USER_INPUT inputSchema
{"s": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}} => {"createPromptVersion": {"inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}}}
{"s": {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}]}} => {"createPromptVersion": {"inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}]}}}
{"s": {"$schema": "https://json-schema.org/draft/2019-09/schema"}} => BAD_USER_INPUT inputSchema.$schema
{"s": {"$schema": 7}} => BAD_USER_INPUT inputSchema.$schema
{"s": {"type": 7}} => BAD_USER_INPUT inputSchema.type
{"s": {"properties": {"a": {"type": "strin"}}}} => BAD_USER_INPUT inputSchema.properties.a.type
{"s": {"properties": []}} => BAD_USER_INPUT inputSchema.properties
{"s": {"required": "a"}} => BAD_USER_INPUT inputSchema.required
{"s": {"required": ["a", "a"]}} => BAD_USER_INPUT
{"s": {"minLength": -1}} => BAD_USER_INPUT inputSchema.minLength
{"s": {"multipleOf": 0}} => BAD_USER_INPUT inputSchema.multipleOf
{"s": {"pattern": "("}} => BAD_USER_INPUT inputSchema.pattern
{"s": {"$ref": "#/nowhere"}} => BAD_USER_INPUT inputSchema.$ref
{"s": {"$ref": "file:///etc/passwd"}} => BAD_USER_INPUT inputSchema.$ref
{"s": {"$ref": "https://example.com/schema"}} => BAD_USER_INPUT inputSchema.$ref /another document/
{"s": {"properties": {"a": {"pattern": "(a)\\1"}}}} => BAD_USER_INPUT inputSchema.properties.a.pattern /back reference/
{"s": {"properties": {"a": {"pattern": "(?=a)"}}}} => BAD_USER_INPUT inputSchema.properties.a.pattern /look-ahead/
{"s": {"$id": "https://example.com/schema", "$ref": "schema#n", "$defs": {"a": {"$anchor": "n", "unevaluatedProperties": false}}}} => {"createPromptVersion": {"inputSchema": {"$id": "https://example.com/schema", "$ref": "schema#n", "$defs": {"a": {"$anchor": "n", "unevaluatedProperties": false}}}}}
{"s": {"$ref": "https://json-schema.org/draft/2020-12/schema"}} => {"createPromptVersion": {"inputSchema": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}}
{"s": {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/a"}}}} => {"createPromptVersion": {"inputSchema": {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/a"}}}}}
{"s": {"x-own": [1, {"b": 1, "a": 2}], "description": "ü"}} => {"createPromptVersion": {"inputSchema": {"x-own": [1, {"b": 1, "a": 2}], "description": "ü"}}}

=== TEST 37: sizes: the limit, and one byte more
--- graphql
mutation ($c: String!, $p: JSON!, $s: JSON) { createPromptVersion(input: {promptId: "%{prompt}", content: $c, params: $p, inputSchema: $s}) { createdAt } }
--- cases eval
my $fine = ' => {"createPromptVersion": {"createdAt": "<time>"}}' . "\n";
'{"c": "", "p": {}}' . $fine
. '{"c": "' . "\xc3\xb6" x 524288 . '", "p": {}}' . $fine
. '{"c": "' . "\xc3\xb6" x 524288 . 'x", "p": {}} => BAD_USER_INPUT content' . "\n"
. '{"c": "x", "p": {"a":"' . 'p' x (262144 - 8) . '"}}' . $fine
. '{"c": "x", "p": {"a":"' . 'p' x (262144 - 7) . '"}} => BAD_USER_INPUT params' . "\n"
. '{"c": "x", "p": {}, "s": {"a":"' . 'p' x (262144 - 8) . '"}}' . $fine
. '{"c": "x", "p": {}, "s": {"a":"' . 'p' x (262144 - 7) . '"}} => BAD_USER_INPUT inputSchema' . "\n"

=== TEST 38: required fields
--- cases
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "x"}) { id } } => BAD_USER_INPUT /Field "CreatePromptVersionInput.params" of required type "JSON!" was not provided/
mutation { createPromptVersion(input: {promptId: "%{prompt}", params: {}}) { id } } => BAD_USER_INPUT /Field "CreatePromptVersionInput.content" of required type "String!" was not provided/
mutation { createPromptVersion(input: {content: "x", params: {}}) { id } } => BAD_USER_INPUT /Field "CreatePromptVersionInput.promptId" of required type "ID!" was not provided/
mutation { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: null}) { id } } => BAD_USER_INPUT /Expected value of type "JSON!", found null/
mutation { createPromptVersion(input: {promptId: "7", content: "x", params: {}}) { id } } => NOT_FOUND /7/

=== TEST 39: numbers have no gaps after all that was refused, and nothing stored changed
--- graphql
{ prompts { id } }
--- error_code: 200
--- sql_check
SELECT count(*) = max(version), min(version), max(version) = (SELECT last_version FROM prompts) FROM prompt_versions
--- sql_result: t|1|t

=== TEST 40: pages: five versions with executions, and another prompt
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version)
SELECT ('01890000-0000-7000-8000-00000000000' || p)::uuid, '%{alice_id}', 'paged-' || p, 'CUSTOM', true, now(), 5 FROM generate_series(1, 2) p;
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
SELECT ('01890000-0000-7000-8000-0000000' || p || '000' || CASE v WHEN 3 THEN 9 ELSE v END)::uuid, ('01890000-0000-7000-8000-00000000000' || p)::uuid, '%{alice_id}', v, 'v' || v, '{}'
FROM generate_series(1, 2) p, generate_series(1, 5) v;
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status, input)
SELECT ('01890000-0000-7000-8000-000000' || v || '0000' || e)::uuid, '01890000-0000-7000-8000-000000000001', v, '%{alice_id}', true, 'failed', '{}'
FROM generate_series(1, 5) v, generate_series(1, 2) e;
--- graphql
query ($f: Int, $a: ID, $l: Int) { prompt(id: "01890000-0000-7000-8000-000000000001") { versions(first: $f, after: $a, last: $l) { version } } }
--- cases
{} => {"prompt": {"versions": [{"version": 1}, {"version": 2}, {"version": 3}, {"version": 4}, {"version": 5}]}}
{"f": 2} => {"prompt": {"versions": [{"version": 1}, {"version": 2}]}}
{"f": 1000} => {"prompt": {"versions": [{"version": 1}, {"version": 2}, {"version": 3}, {"version": 4}, {"version": 5}]}}
{"l": 2} => {"prompt": {"versions": [{"version": 4}, {"version": 5}]}}
{"l": 1000} => {"prompt": {"versions": [{"version": 1}, {"version": 2}, {"version": 3}, {"version": 4}, {"version": 5}]}}
# the third one's id is the highest: numbers count, not ids
{"a": "01890000-0000-7000-8000-000000010009"} => {"prompt": {"versions": [{"version": 4}, {"version": 5}]}}
{"f": 1, "a": "01890000-0000-7000-8000-000000010009"} => {"prompt": {"versions": [{"version": 4}]}}
{"l": 1, "a": "01890000-0000-7000-8000-000000010009"} => {"prompt": {"versions": [{"version": 5}]}}
{"l": 9, "a": "01890000-0000-7000-8000-000000010004"} => {"prompt": {"versions": [{"version": 5}]}}
{"a": "01890000-0000-7000-8000-000000010005"} => {"prompt": {"versions": []}}
# of another prompt, of none
{"a": "01890000-0000-7000-8000-000000020001"} => {"prompt": {"versions": []}}
{"f": 2, "a": "01890000-0000-7000-8000-0000000f0001"} => {"prompt": {"versions": []}}
{"l": 2, "a": "01890000-0000-7000-8000-0000000f0001"} => {"prompt": {"versions": []}}
{"f": null, "a": null, "l": null} => {"prompt": {"versions": [{"version": 1}, {"version": 2}, {"version": 3}, {"version": 4}, {"version": 5}]}}
{"a": "x"} => NOT_FOUND /"x"/
{"f": 0} => BAD_USER_INPUT first
{"f": 1001} => BAD_USER_INPUT first
{"f": -1} => BAD_USER_INPUT first
{"l": 0} => BAD_USER_INPUT last
{"l": 1001} => BAD_USER_INPUT last
{"f": 1, "l": 1} => BAD_USER_INPUT last
bob: {"l": 1} => {"prompt": {"versions": [{"version": 5}]}}

=== TEST 41: aliases are lists of their own, each with its executions
--- cases
{ prompt(id: "01890000-0000-7000-8000-000000000001") { a: versions(first: 1) { version executions { id } } b: versions(last: 1) { version x: executions(first: 1) { id } y: executions(after: "01890000-0000-7000-8000-000000500002") { id } } c: versions(first: 1, after: "01890000-0000-7000-8000-000000010001") { content } } } => {"prompt": {"a": [{"version": 1, "executions": [{"id": "01890000-0000-7000-8000-000000100002"}, {"id": "01890000-0000-7000-8000-000000100001"}]}], "b": [{"version": 5, "x": [{"id": "01890000-0000-7000-8000-000000500002"}], "y": [{"id": "01890000-0000-7000-8000-000000500001"}]}], "c": [{"content": "v2"}]}}
{ promptByName(name: "paged-1") { versions(last: 2) { version executions(first: 1) { id } } } } => {"promptByName": {"versions": [{"version": 4, "executions": [{"id": "01890000-0000-7000-8000-000000400002"}]}, {"version": 5, "executions": [{"id": "01890000-0000-7000-8000-000000500002"}]}]}}
{ prompts(category: CUSTOM) { name versions(last: 1) { version executions(first: 1) { id } } all: versions { version } } } => {"prompts": [{"name": "paged-2", "versions": [{"version": 5, "executions": []}], "all": [{"version": 1}, {"version": 2}, {"version": 3}, {"version": 4}, {"version": 5}]}, {"name": "paged-1", "versions": [{"version": 5, "executions": [{"id": "01890000-0000-7000-8000-000000500002"}]}], "all": [{"version": 1}, {"version": 2}, {"version": 3}, {"version": 4}, {"version": 5}]}]}
{ prompts(search: "PAGED-2") { name versions(first: 1) { version executions { id } } all: versions { version } } } => {"prompts": [{"name": "paged-2", "versions": [{"version": 1, "executions": []}], "all": [{"version": 1}, {"version": 2}, {"version": 3}, {"version": 4}, {"version": 5}]}]}
{ prompts { versions(last: 0) { id } } } => BAD_USER_INPUT last
{ prompts { versions { executions(first: 0) { id } } } } => BAD_USER_INPUT first
{ prompt(id: "01890000-0000-7000-8000-000000000001") { a: versions { id } b: versions { id } c: versions { id } d: versions { id } e: versions { id } f: versions { id } g: versions { id } h: versions { id } i: versions { id } j: versions { id } k: versions { id } l: versions { id } m: versions { id } n: versions { id } } } => BAD_USER_INPUT versions /14 times/

=== TEST 42: in the answers of mutations
--- cases
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {}) { versions(last: 1) { version executions(first: 1) { id } } } } => {"updatePrompt": {"versions": [{"version": 5, "executions": [{"id": "01890000-0000-7000-8000-000000500002"}]}]}}
mutation { forkPrompt(id: "01890000-0000-7000-8000-000000000001") { a: versions(first: 1) { version } b: versions(last: 1) { content executions { id } } } } => {"forkPrompt": {"a": [{"version": 1}], "b": [{"content": "v5", "executions": []}]}}
mutation { createPrompt(input: {name: "pages none"}) { versions(last: 1) { id } } } => {"createPrompt": {"versions": []}}
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {name: "changed"}) { versions(first: 0) { id } } } => BAD_USER_INPUT first
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "no", params: {}}) { executions(first: 0) { id } } } => BAD_USER_INPUT first
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "no", params: {}}) { executions(after: "x") { id } } } => NOT_FOUND
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "v6", params: {}}) { version executions(first: 1) { id } } } => {"createPromptVersion": {"version": 6, "executions": []}}
--- sql_check
SELECT name, last_version FROM prompts WHERE id = '01890000-0000-7000-8000-000000000001'
--- sql_result: paged-1|6
