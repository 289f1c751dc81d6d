# Executing: templates, input, params, what the provider gets, what is
# recorded, what it costs.

use lib 't/lib';
use PromptTest;

# version(N, CONTENT, PARAMS, SCHEMA): SQL for a version of the prompt
sub version
{
    my ($n, $content, $params, $schema) = @_;

    s/'/''/g for grep { defined } $content, $params, $schema;

    $schema = defined $schema ? "'$schema'" : 'NULL';

    return sprintf("INSERT INTO prompt_versions (id, prompt_id, owner_id, "
                   . "version, content, params, input_schema) VALUES "
                   . "('01890000-0000-7000-8000-%012d', "
                   . "'01890000-0000-7000-8000-000000000001', "
                   . "'%%{alice_id}', %d, '%s', '%s', %s); "
                   . "UPDATE prompts SET last_version = %d;\n",
                   1000 + $n, $n, $content, $params, $schema, $n);
}

our $run = 'mutation ($input: JSON!, $version: Int) { executePrompt('
    . 'promptId: "01890000-0000-7000-8000-000000000001", input: $input, '
    . 'version: $version) { output tokenIn tokenOut costUsd versionUsed } }';

run_tests();

__DATA__

=== TEST 1: a prompt without versions
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'run', 'GENERAL', false, now(), 0);
--- graphql eval
$::run
--- variables
{"input": {}}
--- code: NOT_FOUND
--- provider_calls: 0

=== TEST 2: rendered, sent, answered, counted, priced
--- sql eval
main::version(1, 'Hello {{name}}, {{ customer.email }} and {{tags.0}}!', '{"model":"fx:usage=100:50","temperature":0.5,"max_tokens":20,"top_p":0.9}')
--- graphql
mutation ($input: JSON!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: $input) { output latencyMs tokenIn tokenOut costUsd executionId versionUsed } }
--- variables
{"input": {"name": "Wörld", "customer": {"email": "a@b"}, "tags": [[1, null]]}}
--- data
{"executePrompt": {"output": "Hello Wörld, a@b and [1,null]!", "latencyMs": "<int>", "tokenIn": 100, "tokenOut": 50, "costUsd": "0.000045", "executionId": "<uuid>", "versionUsed": 1}}
--- provider
[{"method": "POST", "url": "/v1/chat/completions", "headers": {"content-type": "/^application\/json/", "authorization": "Bearer sk-canary-provider-key"}, "body": {"model": "fx:usage=100:50", "temperature": 0.5, "max_tokens": 20, "top_p": 0.9, "messages": [{"role": "user", "content": "Hello Wörld, a@b and [1,null]!"}]}}]
--- sql_check
SELECT status, model, input, output, token_in, token_out, cost_usd, latency_ms >= 0, finished_at IS NOT NULL, error FROM executions
--- sql_result
succeeded|fx:usage=100:50|{"name":"Wörld","customer":{"email":"a@b"},"tags":[[1,null]]}|Hello Wörld, a@b and [1,null]!|100|50|0.000045|t|t|

=== TEST 3: nothing of the client's travels to the provider
--- more_headers
Authorization: Bearer %{alice_key}
Cookie: secret=1
X-Custom: yes
--- graphql eval
$::run
--- variables
{"input": {"name": "a", "customer": {"email": "b"}, "tags": ["c"]}}
--- error_code: 200
--- init
1;
--- provider_calls: 1
--- provider
[{"rawHeaders": "<any>"}]

=== TEST 4: substituted text is not expanded again
--- graphql eval
$::run
--- variables
{"input": {"name": "{{customer.email}}", "customer": {"email": "$1 \\{{x}}"}, "tags": ["{{"]}}
--- data
{"executePrompt": {"output": "Hello {{customer.email}}, $1 \\{{x}} and {{!", "tokenIn": 100, "tokenOut": 50, "costUsd": "0.000045", "versionUsed": 1}}

=== TEST 5: strings as they are, other values as compact JSON
--- sql eval
main::version(2, '{{s}}|{{n}}|{{f}}|{{t}}|{{z}}|{{o}}|{{l}}|\\{{x}}|}}', '{"model":"fx:ok"}')
--- graphql eval
$::run
--- variables
{"input": {"s": "a\n\"b\"", "n": 12, "f": 1.50, "t": true, "z": null, "o": {"b": 1, "a": [ ]}, "l": [1, "x"]}}
--- data
{"executePrompt": {"output": "a\n\"b\"|12|1.50|true|null|{\"b\":1,\"a\":[]}|[1,\"x\"]|{{x}}|}}", "tokenIn": 12, "tokenOut": 7, "costUsd": "0.000006", "versionUsed": 2}}

=== TEST 6: a placeholder without a value, without a schema
--- graphql eval
$::run
--- variables
{"input": {"s": "a", "n": 1, "f": 1, "t": 1, "z": 1, "o": 1}}
--- code: BAD_USER_INPUT l
--- provider_calls: 0

=== TEST 7: an earlier version
--- graphql eval
$::run
--- variables
{"version": 1, "input": {"name": "a", "customer": {"email": "b"}, "tags": ["c"]}}
--- data
{"executePrompt": {"output": "Hello a, b and c!", "tokenIn": 100, "tokenOut": 50, "costUsd": "0.000045", "versionUsed": 1}}

=== TEST 8: a version that is not there
--- graphql eval
$::run
--- variables
{"version": 9, "input": {}}
--- errors
[{"message": "/01890000-0000-7000-8000-000000000001.*9|9.*01890000-0000-7000-8000-000000000001/", "extensions": {"code": "NOT_FOUND"}}]

=== TEST 9: versions begin with 1
--- graphql eval
$::run
--- variables
{"version": 0, "input": {}}
--- errors
[{"extensions": {"code": "NOT_FOUND"}}]

=== TEST 10: input that is no object
--- graphql eval
$::run
--- variables
{"input": ["a"]}
--- code: BAD_USER_INPUT input

=== TEST 11: a prompt that is not there
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000009", input: {}) { output } }
--- errors
[{"message": "/01890000-0000-7000-8000-000000000009/", "extensions": {"code": "NOT_FOUND"}}]

=== TEST 12: a required property that is missing
--- sql eval
main::version(3, '{{text}} {{tone}} {{deep.er}} {{gone}}', '{"model":"fx:ok"}', '{"type":"object","properties":{"text":{"type":"string","minLength":2},"tone":{"type":"string","default":"friendly"},"deep":{"type":"object","properties":{"er":{"default":[1]}}},"gone":{"type":"string"},"tags":{"type":"array","items":{"type":"integer"}},"customer":{"type":"object","properties":{"email":{"type":"string"}},"required":["email"]}},"required":["text"]}')
--- graphql eval
$::run
--- variables
{"input": {}}
--- errors
[{"extensions": {"code": "BAD_USER_INPUT", "field": "text", "violations": [{"field": "text", "keyword": "required", "message": "<string>"}]}}]
--- provider_calls: 0
--- sql_check
SELECT count(*) FROM executions WHERE version = 3
--- sql_result: 0

=== TEST 13: defaults, and optional ones that are absent
--- graphql eval
$::run
--- variables
{"input": {"text": "abc"}}
--- data
{"executePrompt": {"output": "abc friendly [1] ", "tokenIn": 12, "tokenOut": 7, "costUsd": "0.000006", "versionUsed": 3}}

=== TEST 14: a wrong type
--- graphql eval
$::run
--- variables
{"input": {"text": 7}}
--- code: BAD_USER_INPUT text

=== TEST 15: too short
--- graphql eval
$::run
--- variables
{"input": {"text": "a"}}
--- code: BAD_USER_INPUT text

=== TEST 16: an element of a list
--- graphql eval
$::run
--- variables
{"input": {"text": "abc", "tags": [1, 2, "x"]}}
--- code: BAD_USER_INPUT tags.2

=== TEST 17: a property of an object
--- graphql eval
$::run
--- variables
{"input": {"text": "abc", "customer": {}}}
--- code: BAD_USER_INPUT email

=== TEST 18: a wrong type below
--- graphql eval
$::run
--- variables
{"input": {"text": "abc", "customer": {"email": 1}}}
--- code: BAD_USER_INPUT customer.email

=== TEST 19: more than one violation: the first counts, all are listed
--- graphql eval
$::run
--- variables
{"input": {"text": 1, "tags": ["x"]}}
--- errors
[{"extensions": {"code": "BAD_USER_INPUT", "field": "text", "violations": [{"field": "text", "keyword": "type"}, {"field": "tags.0", "keyword": "type"}]}}]

=== TEST 20: no model and no default
--- sql eval
main::version(4, 'x', '{}')
--- graphql eval
$::run
--- variables
{"input": {}}
--- code: BAD_USER_INPUT params.model

=== TEST 21: no model but a default
--- http_config
prompt_default_model fx:usage=1:1;
--- graphql eval
$::run
--- variables
{"input": {}}
--- data
{"executePrompt": {"output": "x", "tokenIn": 1, "tokenOut": 1, "costUsd": "0.00000075", "versionUsed": 4}}

=== TEST 22: a model that no provider serves
--- sql eval
main::version(5, 'x', '{"model":"unknown"}')
--- graphql eval
$::run
--- variables
{"input": {}}
--- code: BAD_USER_INPUT params.model

=== TEST 23: a model without a price
--- sql eval
main::version(6, 'x', '{"model":"free-fx:ok"}')
--- graphql eval
$::run
--- variables
{"input": {}}
--- data
{"executePrompt": {"output": "x", "tokenIn": 12, "tokenOut": 7, "costUsd": null, "versionUsed": 6}}

=== TEST 24: no usage: unknown, and no cost
--- sql eval
main::version(7, 'x', '{"model":"fx:usage=none"}')
--- graphql eval
$::run
--- variables
{"input": {}}
--- data
{"executePrompt": {"output": "x", "tokenIn": null, "tokenOut": null, "costUsd": null, "versionUsed": 7}}

=== TEST 25: cached tokens are priced once (OpenAI counts them inside)
--- sql eval
main::version(8, 'x', '{"model":"fx:usage=1000:10:800"}')
--- graphql eval
$::run
--- variables
{"input": {}}
--- data
{"executePrompt": {"output": "x", "tokenIn": 1000, "tokenOut": 10, "costUsd": "0.000096", "versionUsed": 8}}

=== TEST 26: Anthropic's form
--- sql eval
main::version(9, 'x {{a}}', '{"model":"claude-fx:usage=1000:10:800","stop":["END"],"temperature":1}')
--- graphql eval
$::run
--- variables
{"input": {"a": "ü"}}
--- data
{"executePrompt": {"output": "x ü", "tokenIn": 1000, "tokenOut": 10, "costUsd": "0.00099", "versionUsed": 9}}
--- provider
[{"url": "/v1/messages", "headers": {"anthropic-version": "2023-06-01", "x-api-key": "sk-canary-provider-key"}, "body": {"model": "claude-fx:usage=1000:10:800", "max_tokens": 4096, "stop_sequences": ["END"], "temperature": 1, "messages": [{"role": "user", "content": "x ü"}]}}]

=== TEST 27: max_tokens under another name
--- http_config
prompt_model fx:special* provider=openai max_tokens_as=max_completion_tokens;
--- sql eval
main::version(10, 'x', '{"model":"fx:special","max_tokens":9}')
--- graphql eval
$::run
--- variables
{"input": {}}
--- error_code: 200
--- provider
[{"body": {"max_completion_tokens": 9}}]

=== TEST 28: executions of a version: newest first, and no more than asked for
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { version executions(first: 1) { status tokenIn costUsd model createdAt finishedAt } } } }
--- error_code: 200
--- response_body_like: "version":1,"executions":\[\{"status":"succeeded","tokenIn":100,"costUsd":"0\.000045","model":"fx:usage=100:50","createdAt":"[^"]+","finishedAt":"[^"]+"\}\]

=== TEST 29: a mutation and what it needs are the only statements: two executions in one request
--- graphql
mutation { a: executePrompt(promptId: "01890000-0000-7000-8000-000000000001", version: 6, input: {}) { output executionId } b: executePrompt(promptId: "01890000-0000-7000-8000-000000000001", version: 7, input: {}) { output executionId } }
--- data
{"a": {"output": "x", "executionId": "<uuid>"}, "b": {"output": "x", "executionId": "<uuid>"}}
--- provider_calls: 2

=== TEST 30: a rendered prompt beyond 4 MiB
--- sql eval
main::version(11, '{{a}}{{a}}{{a}}{{a}}{{a}}', '{"model":"fx:ok"}')
--- graphql eval
$::run
--- variables eval
'{"input": {"a": "' . "x" x 1000000 . '"}}'
--- code: BAD_USER_INPUT input
--- provider_calls: 0

=== TEST 31: and one just below
--- sql eval
main::version(12, '{{a}}{{a}}{{a}}{{a}}', '{"model":"fx:text=fine"}')
--- graphql eval
$::run
--- variables eval
'{"input": {"a": "' . "x" x 1000000 . '"}}'
--- data
{"executePrompt": {"output": "fine", "tokenIn": 12, "tokenOut": 7, "costUsd": "0.000006", "versionUsed": 12}}

=== TEST 32: the version that is asked for; null and absent are the latest
--- graphql
mutation ($v: Int) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {a: "b", name: "n"}, version: $v) { versionUsed } }
--- sql eval
main::version(13, 'thirteen', '{"model":"free-fx:ok"}')
--- cases
{"v": 6} => {"executePrompt": {"versionUsed": 6}}
{"v": null} => {"executePrompt": {"versionUsed": 13}}
{} => {"executePrompt": {"versionUsed": 13}}
{"v": 13} => {"executePrompt": {"versionUsed": 13}}
{"v": 14} => NOT_FOUND /14.*01890000-0000-7000-8000-000000000001/
{"v": -1} => NOT_FOUND /-1/
{"v": 2147483647} => NOT_FOUND /2147483647/
{"v": 2147483648} => BAD_USER_INPUT /Int cannot represent non 32-bit signed integer value/
{"v": "6"} => BAD_USER_INPUT /Int cannot represent non-integer value: "6"/

=== TEST 33: input must be an object
--- graphql
mutation ($i: JSON!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: $i, version: 6) { output } }
--- cases
{"i": "text"} => BAD_USER_INPUT input
{"i": 1} => BAD_USER_INPUT input
{"i": []} => BAD_USER_INPUT input
{"i": true} => BAD_USER_INPUT input
{"i": null} => BAD_USER_INPUT /must not be null/
{} => BAD_USER_INPUT /was not provided/
{"i": {"more": ["than", {"is": "used"}]}} => {"executePrompt": {"output": "x"}}

=== TEST 34: every keyword of a schema that fails names its field
--- sql eval
main::version(14, 'x', '{"model":"free-fx:ok"}', '{"type":"object","additionalProperties":false,"properties":{"s":{"type":"string","minLength":2,"maxLength":3,"pattern":"^[a-z]+$"},"n":{"type":"number","minimum":1,"exclusiveMaximum":3,"multipleOf":0.5},"i":{"type":"integer"},"e":{"enum":["a",1,null]},"c":{"const":{"x":1}},"l":{"type":"array","minItems":1,"maxItems":2,"uniqueItems":true,"items":{"type":"integer"}},"o":{"type":"object","required":["b","a"],"minProperties":2,"properties":{"a":{"type":"string"}}},"any":{"anyOf":[{"type":"string"},{"type":"null"}]},"one":{"oneOf":[{"minimum":1},{"minimum":2}]},"not":{"not":{"type":"string"}},"u":{"type":["string","null"]},"a.b":{"type":"string"},"dep":{"type":"string"},"ref":{"$ref":"#/$defs/r"}},"dependentRequired":{"dep":["s"]},"$defs":{"r":{"type":"boolean"}}}')
--- graphql
mutation ($i: JSON!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: $i, version: 14) { output } }
--- cases
{"i": {}} => {"executePrompt": {"output": "x"}}
{"i": {"s": "a"}} => BAD_USER_INPUT s
{"i": {"s": "abcd"}} => BAD_USER_INPUT s
{"i": {"s": "äö"}} => BAD_USER_INPUT s
{"i": {"s": "😀😀😀😀"}} => BAD_USER_INPUT s
{"i": {"s": null}} => BAD_USER_INPUT s
{"i": {"n": 0.5}} => BAD_USER_INPUT n
{"i": {"n": 3}} => BAD_USER_INPUT n
{"i": {"n": 1.3}} => BAD_USER_INPUT n
{"i": {"n": 1.5}} => {"executePrompt": {"output": "x"}}
{"i": {"i": 1.5}} => BAD_USER_INPUT i
{"i": {"i": 1.0}} => {"executePrompt": {"output": "x"}}
{"i": {"e": "b"}} => BAD_USER_INPUT e
{"i": {"e": null}} => {"executePrompt": {"output": "x"}}
{"i": {"c": {"x": 2}}} => BAD_USER_INPUT c
{"i": {"c": {"x": 1.0}}} => {"executePrompt": {"output": "x"}}
{"i": {"l": []}} => BAD_USER_INPUT l
{"i": {"l": [1, 2, 3]}} => BAD_USER_INPUT l
{"i": {"l": [1, 1]}} => BAD_USER_INPUT l
{"i": {"l": [1, "2"]}} => BAD_USER_INPUT l.1
{"i": {"o": {}}} => BAD_USER_INPUT b
{"i": {"o": {"b": 1}}} => BAD_USER_INPUT a
{"i": {"o": {"b": 1, "a": 1}}} => BAD_USER_INPUT o.a
{"i": {"any": 1}} => BAD_USER_INPUT any
{"i": {"one": 3}} => BAD_USER_INPUT one
{"i": {"one": 1}} => {"executePrompt": {"output": "x"}}
{"i": {"not": "x"}} => BAD_USER_INPUT not
{"i": {"u": 1}} => BAD_USER_INPUT u
{"i": {"a.b": 1}} => BAD_USER_INPUT a.b
{"i": {"dep": "x"}} => BAD_USER_INPUT s
{"i": {"ref": "x"}} => BAD_USER_INPUT ref
{"i": {"unknown": 1}} => BAD_USER_INPUT unknown
--- provider_calls: 6

=== TEST 35: at most twenty violations are listed
--- sql eval
main::version(15, 'x', '{"model":"free-fx:ok"}', '{"additionalProperties":{"type":"string"}}')
--- graphql
mutation ($i: JSON!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: $i, version: 15) { output } }
--- variables eval
'{"i": {' . CORE::join(',', map { qq("k$_":$_) } 1 .. 30) . '}}'
--- errors eval
'[{"extensions": {"field": "k1", "violations": [' . CORE::join(',', map { qq({"field":"k$_"}) } 1 .. 20) . ']}}]'

=== TEST 36: a secret value is not repeated in the error
--- graphql
mutation ($i: JSON!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: $i, version: 14) { output } }
--- variables
{"i": {"s": "my-secret-value"}}
--- code: BAD_USER_INPUT s
--- response_body_unlike: my-secret-value

=== TEST 37: placeholders: paths, absent and optional values
--- sql eval
main::version(16, '[{{ a.b.c }}] [{{l.0.x}}] [{{ü}}] [{{opt}}] [{{opt.deep}}] [{{$}}]', '{"model":"free-fx:ok"}', '{"properties":{"opt":{"type":"object","properties":{"deep":{}}},"ü":{"default":"dé"},"a":{"properties":{"b":{"properties":{"c":{"default":{"x":[1]}}}}}},"l":{},"$":{}}}')
--- graphql
mutation ($i: JSON!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: $i, version: 16) { output } }
--- cases
{"i": {"a": {"b": {"c": false}}, "l": [{"x": "X"}], "ü": "U", "opt": {"deep": 1}, "$": "D"}} => {"executePrompt": {"output": "[false] [X] [U] [{\"deep\":1}] [1] [D]"}}
{"i": {"l": [{"x": "X"}], "$": 0}} => {"executePrompt": {"output": "[{\"x\":[1]}] [X] [dé] [] [] [0]"}}
{"i": {"l": [], "$": 0}} => BAD_USER_INPUT l.0.x
{"i": {"l": [{"x": ""}], "$": ""}} => {"executePrompt": {"output": "[{\"x\":[1]}] [] [dé] [] [] []"}}
{"i": {"l": "text", "$": ""}} => BAD_USER_INPUT l.0.x

=== TEST 38: without a schema every placeholder needs a value; null is one
--- sql eval
main::version(17, '{{a}}{{b.c}}', '{"model":"free-fx:ok"}')
--- graphql
mutation ($i: JSON!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: $i, version: 17) { output } }
--- cases
{"i": {"a": 1, "b": {"c": null}}} => {"executePrompt": {"output": "1null"}}
{"i": {"a": 1}} => BAD_USER_INPUT b.c
{"i": {"a": 1, "b": {}}} => BAD_USER_INPUT b.c
{"i": {"a": 1, "b": null}} => BAD_USER_INPUT b.c
{"i": {"b": {"c": 1}}} => BAD_USER_INPUT a
{"i": {"a": "", "b": {"c": ""}}} => {"executePrompt": {"output": ""}}
{"i": {"a": 9223372036854775807, "b": {"c": 0.1}}} => {"executePrompt": {"output": "92233720368547758070.1"}}
{"i": {"a": "\ud83d\ude00\u2028", "b": {"c": "\u0001\""}}} => {"executePrompt": {"output": "\ud83d\ude00\u2028\u0001\""}}
{"i": {"a": {"z": 1, "y": "\"", "x": [true, null]}, "b": {"c": [ ]}}} => {"executePrompt": {"output": "{\"z\":1,\"y\":\"\\\"\",\"x\":[true,null]}[]"}}

=== TEST 39: a default does not excuse what is required
--- sql eval
main::version(18, '{{a}}', '{"model":"free-fx:ok"}', '{"properties":{"a":{"type":"string","default":"d"}},"required":["a"]}')
--- graphql
mutation ($i: JSON!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: $i, version: 18) { output } }
--- cases
{"i": {}} => BAD_USER_INPUT a
{"i": {"a": "x"}} => {"executePrompt": {"output": "x"}}

=== TEST 40: params pass through as they are, in their order, as the provider got them
--- sql eval
main::version(19, 'x', '{"temperature":0.10,"model":"free-fx:ok","seed":9223372036854775807,"stop":["\\u00e9","\\""],"response_format":{"type":"json_schema","json_schema":{"b":1,"a":[]}},"max_tokens":5,"logit_bias":{"50256":-100}}')
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: 19) { output } }
--- error_code: 200
--- provider
[{"body": {"model": "free-fx:ok", "temperature": 0.1, "stop": ["é", "\""], "response_format": {"type": "json_schema", "json_schema": {"b": 1, "a": []}}, "max_tokens": 5, "logit_bias": {"50256": -100}, "messages": [{"role": "user", "content": "x"}]}, "headers": {"content-type": "application/json"}, "text": "/^\\{\"model\":\"free-fx:ok\",\"messages\":.*\"temperature\":0\\.10,\"seed\":9223372036854775807,\"stop\".*\"logit_bias\":\\{\"50256\":-100\\}\\}$/"}]

=== TEST 41: prices are exact to the last digit
--- http_config
prompt_model fx:usage=3:7 provider=openai input=0.000000000001 output=999999999.999999999999;
prompt_model fx:usage=1:0 provider=openai input=0 output=0;
prompt_model fx:usage=2000000000:2000000000 provider=openai input=999999999 output=999999999;
prompt_model fx:usage=7:0 provider=openai input=1 output=1 cached_input=0;
prompt_model fx:usage=10:0:4 provider=openai input=1.5 output=1;
prompt_model fx:usage=10:0:11 provider=openai input=1.5 output=1 cached_input=0.1;
--- sql eval
main::version(20, 'x', '{"model":"fx:usage=3:7"}')
. main::version(21, 'x', '{"model":"fx:usage=1:0"}')
. main::version(22, 'x', '{"model":"fx:usage=2000000000:2000000000"}')
. main::version(23, 'x', '{"model":"fx:usage=7:0"}')
. main::version(24, 'x', '{"model":"fx:usage=10:0:4"}')
. main::version(25, 'x', '{"model":"fx:usage=10:0:11"}')
. main::version(26, 'x', '{"model":"fx:usage=2147483647:0"}')
. main::version(27, 'x', '{"model":"fx:usage=2147483648:0"}')
. main::version(28, 'x', '{"model":"fx:usage=0:0"}')
--- graphql
mutation ($v: Int) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: $v) { tokenIn tokenOut costUsd } }
--- cases
{"v": 20} => {"executePrompt": {"tokenIn": 3, "tokenOut": 7, "costUsd": "6999.999999999999999996"}}
{"v": 21} => {"executePrompt": {"tokenIn": 1, "tokenOut": 0, "costUsd": "0"}}
{"v": 22} => {"executePrompt": {"tokenIn": 2000000000, "tokenOut": 2000000000, "costUsd": "3999999996000"}}
{"v": 23} => {"executePrompt": {"tokenIn": 7, "tokenOut": 0, "costUsd": "0.000007"}}
{"v": 24} => {"executePrompt": {"tokenIn": 10, "tokenOut": 0, "costUsd": "0.000015"}}
{"v": 25} => {"executePrompt": {"tokenIn": 10, "tokenOut": 0, "costUsd": null}}
{"v": 26} => {"executePrompt": {"tokenIn": 2147483647, "tokenOut": 0, "costUsd": "322.12254705"}}
{"v": 27} => {"executePrompt": {"tokenIn": null, "tokenOut": 0, "costUsd": null}}
{"v": 28} => {"executePrompt": {"tokenIn": 0, "tokenOut": 0, "costUsd": "0"}}
--- sql_check
SELECT version, cost_usd FROM executions WHERE version BETWEEN 20 AND 24 ORDER BY version
--- sql_result
20|6999.999999999999999996
21|0
22|3999999996000
23|0.000007
24|0.000015

=== TEST 42: the longest pattern wins, an exact name before all
--- http_config
prompt_model m* provider=openai input=1 output=1;
prompt_model model-* provider=openai input=2 output=2;
prompt_model model-a provider=openai input=3 output=3;
prompt_model model-ab* provider=openai input=4 output=4;
--- sql eval
main::version(30, 'x', '{"model":"model-a"}') . main::version(31, 'x', '{"model":"model-b"}')
. main::version(32, 'x', '{"model":"mo"}') . main::version(33, 'x', '{"model":"model-abc"}')
. main::version(34, 'x', '{"model":"model-ab"}') . main::version(35, 'x', '{"model":"m"}')
. main::version(36, 'x', '{"model":"Model-a"}')
--- graphql
mutation ($v: Int) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: $v) { costUsd } }
--- cases
{"v": 30} => {"executePrompt": {"costUsd": "0.000057"}}
{"v": 31} => {"executePrompt": {"costUsd": "0.000038"}}
{"v": 32} => {"executePrompt": {"costUsd": "0.000019"}}
{"v": 33} => {"executePrompt": {"costUsd": "0.000076"}}
{"v": 34} => {"executePrompt": {"costUsd": "0.000076"}}
{"v": 35} => {"executePrompt": {"costUsd": "0.000019"}}
{"v": 36} => BAD_USER_INPUT params.model

=== TEST 43: answers that come in an unusual way, and are sound
--- sql eval
my ($n, $sql) = (40, '');
$sql .= main::version($n++, 'say it', qq({"model":"free-fx:$_"})) for
    'delay=300', 'status=201', 'type=text%2Fplain', 'headers=100', 'usage=none',
    'header-size=2000', 'text=%22%5C%0A%F0%9F%98%80', 'big=1000000',
    'drip=1,raw=%7B%22choices%22%3A%5B%7B%22message%22%3A%7B%22content%22%3A%22a%22%7D%7D%5D%7D';
$sql
--- graphql
mutation ($v: Int) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: $v) { output } }
--- cases eval
'{"v": 40} => {"executePrompt": {"output": "say it"}}
{"v": 41} => {"executePrompt": {"output": "say it"}}
{"v": 42} => {"executePrompt": {"output": "say it"}}
{"v": 43} => {"executePrompt": {"output": "say it"}}
{"v": 44} => {"executePrompt": {"output": "say it"}}
{"v": 45} => {"executePrompt": {"output": "say it"}}
{"v": 46} => {"executePrompt": {"output": "\"\\\\\n😀"}}
{"v": 47} => {"executePrompt": {"output": "' . 'x' x 1000000 . '"}}
{"v": 48} => {"executePrompt": {"output": "a"}}'

=== TEST 44: the latency is the provider's
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: 40) { latencyMs } }
--- data
{"executePrompt": {"latencyMs": "/^(29[0-9]|[3-9][0-9][0-9]|1[0-9]{3})$/"}}

=== TEST 45: the answer's executionId is the row's
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: 41) { executionId } }
--- error_code: 200
--- save
execution = data.executePrompt.executionId
--- sql_check
SELECT count(*) FROM executions WHERE status <> 'succeeded' AND status <> 'failed'
--- sql_result: 0

=== TEST 46: and stands first in the list
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions { executions(first: 1) { id status input output error model version latencyMs finishedAt } } } }
--- response_body_like: \{"id":"%{execution}","status":"succeeded","input":\{\},"output":"say it","error":null,"model":"free-fx:status=201","version":41,
--- sql_check
SELECT status, version, model, output, input FROM executions WHERE id = '%{execution}'
--- sql_result: succeeded|41|free-fx:status=201|say it|{}

=== TEST 47: without fields of the answer that need the call
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: 41) { __typename } }
--- data
{"executePrompt": {"__typename": "ExecutionResult"}}
--- provider_calls: 1

=== TEST 48: an error of the provider names the execution; the second mutation is run
--- sql eval
main::version(50, 'x', '{"model":"fx:status=500"}')
--- graphql
mutation { a: executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: 50) { output } b: executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: 41) { output } }
--- errors
[{"path": ["a"], "message": "/500/", "extensions": {"code": "INTERNAL_SERVER_ERROR", "executionId": "<uuid>"}}]
--- data
{"a": null, "b": {"output": "<string>"}}
--- provider_calls: 2

=== TEST 49: Anthropic: stop as a text, max_tokens given, a version header of the location's own
--- sql eval
main::version(51, 'x', '{"model":"claude-fx:ok","stop":"END","max_tokens":7}')
. main::version(52, 'x', '{"model":"claude-fx:ok","stop_sequences":["A"],"system":"be kind"}')
--- config
location = /_provider/anthropic {
    internal;
    proxy_pass http://127.0.0.1:%{provider_port}/v1/messages;
    proxy_set_header anthropic-version 2099-01-01;
}
--- graphql
mutation ($v: Int) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: $v) { output } }
--- cases
{"v": 51} => {"executePrompt": {"output": "x"}}
{"v": 52} => {"executePrompt": {"output": "x"}}
--- provider
[{"headers": {"anthropic-version": "2099-01-01"}, "body": {"max_tokens": 7, "stop_sequences": ["END"]}}, {"body": {"max_tokens": 4096, "stop_sequences": ["A"], "system": "be kind"}}]

=== TEST 50: a provider location that is not there
--- http_config
prompt_provider gone /_provider/gone;
prompt_model gone provider=gone;
--- sql eval
main::version(53, 'x', '{"model":"gone"}')
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: 53) { output } }
--- code: INTERNAL_SERVER_ERROR
--- response_body_unlike: _provider

=== TEST 51: nobody listens where the provider should
--- config
location = /_provider/openai { internal; proxy_pass http://127.0.0.1:1/x; }
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: 41) { output } }
--- code: INTERNAL_SERVER_ERROR
--- response_body_unlike: 127\.0\.0\.1

=== TEST 52: the module's own stand-in
--- config
location = /_provider/openai { internal; prompt_echo; }
--- sql eval
main::version(54, "two words\n and {{n}}", '{"model":"fx:x","max_tokens":9}')
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {n: "ünï \"more\""}, version: 54) { output tokenIn tokenOut costUsd } }
--- data
{"executePrompt": {"output": "two words\n and ünï \"more\"", "tokenIn": 5, "tokenOut": 5, "costUsd": "0.00000375"}}

=== TEST 53: provider locations are not reachable from outside
--- request eval
["GET /_provider/openai", "POST /_provider/anthropic"]
--- error_code eval
[404, 404]

=== TEST 54: the provider's key, the database's password and the text are in no log
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {name: "SECRET-INPUT"}, version: 50) { output } }
--- code: INTERNAL_SERVER_ERROR
--- no_error_log
SECRET-INPUT
secret detail

=== TEST 55: what was paid for is answered, also where a later field fails
--- graphql
mutation { a: executePrompt(promptId: "01890000-0000-7000-8000-000000000001", version: 6, input: {}) { output executionId } b: executePrompt(promptId: "01890000-0000-7000-8000-000000000001", version: 999, input: {}) { output } }
--- json
{"data": {"a": {"output": "x", "executionId": "<uuid>"}, "b": null}, "errors": [{"message": "/999/", "locations": "<any>", "path": ["b"], "extensions": {"code": "NOT_FOUND"}}]}
--- provider_calls: 1

=== TEST 56: an answer in the form of the other format is unreadable, and its price is not guessed
--- sql eval
main::version(56, 'x', '{"model":"fx:usage=1000:10:800,text=other"}')
. main::version(57, 'x', '{"model":"claude-fx:usage=1000:10:800,text=other"}')
--- config
location = /_provider/openai {
    internal;
    proxy_pass http://127.0.0.1:%{provider_port}/v1/messages;
}
location = /_provider/anthropic {
    internal;
    proxy_pass http://127.0.0.1:%{provider_port}/v1/chat/completions;
}
--- graphql
mutation ($v: Int) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: $v) { output } }
--- cases
{"v": 56} => INTERNAL_SERVER_ERROR
{"v": 57} => INTERNAL_SERVER_ERROR
--- provider_calls: 2
--- sql_check
SELECT status, error, token_in IS NULL AND token_out IS NULL AND cost_usd IS NULL, count(*) FROM executions WHERE model LIKE '%text=other' GROUP BY 1, 2, 3
--- sql_result: failed|the provider's answer with status 200 could not be read|t|2

=== TEST 57: usage in the form of the other format is unknown: the answer stands, without a price
--- sql eval
main::version(58, 'x', '{"model":"fx:raw=%7B%22choices%22%3A%5B%7B%22message%22%3A%7B%22content%22%3A%22x%22%7D%7D%5D%2C%22usage%22%3A%7B%22input_tokens%22%3A1000%2C%22output_tokens%22%3A10%7D%7D"}')
. main::version(59, 'x', '{"model":"claude-fx:raw=%7B%22content%22%3A%5B%7B%22type%22%3A%22text%22%2C%22text%22%3A%22x%22%7D%5D%2C%22usage%22%3A%7B%22prompt_tokens%22%3A1000%2C%22completion_tokens%22%3A10%7D%7D"}')
--- graphql
mutation ($v: Int) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: $v) { output tokenIn tokenOut costUsd } }
--- cases
{"v": 58} => {"executePrompt": {"output": "x", "tokenIn": null, "tokenOut": null, "costUsd": null}}
{"v": 59} => {"executePrompt": {"output": "x", "tokenIn": null, "tokenOut": null, "costUsd": null}}

=== TEST 58: an execution whose start was lost is recorded whole at its end
--- sql eval
main::version(60, 'lost: {{x}}', '{"model":"fx:usage=7:8"}') . <<'END'
CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER lose BEFORE INSERT ON executions FOR EACH ROW WHEN (NEW.status = 'running') EXECUTE FUNCTION lose();
END
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {x: "y"}, version: 60) { output } }
--- data
{"executePrompt": {"output": "lost: y"}}
--- sql_check
DROP FUNCTION lose CASCADE; SELECT status, input, output, token_in, token_out, by_owner, created_at = prompt_id_time(id), finished_at IS NOT NULL, deadline IS NULL FROM executions WHERE version = 60
--- sql_result: succeeded|{"x":"y"}|lost: y|7|8|t|t|t|t

=== TEST 59: an end waits for its start, and is an update
--- postgres: "host=%{pg_host} user=prompt_app password=canary-database-password dbname=%{database}" connections=4
--- sql eval
main::version(61, 'late: {{x}}', '{"model":"fx:usage=7:8"}') . <<'END'
CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$;
CREATE TRIGGER late BEFORE INSERT ON executions FOR EACH ROW WHEN (NEW.status = 'running') EXECUTE FUNCTION late();
CREATE TABLE vain (id uuid);
CREATE FUNCTION vain() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$ BEGIN IF current_query() LIKE 'UPDATE%' THEN INSERT INTO vain VALUES (NULL); END IF; RETURN NULL; END $$;
CREATE TRIGGER vain AFTER UPDATE ON executions FOR EACH STATEMENT EXECUTE FUNCTION vain();
END
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {x: "y"}, version: 61) { output } }
--- data
{"executePrompt": {"output": "late: y"}}
--- sql_check
DROP FUNCTION late CASCADE; DROP FUNCTION vain CASCADE; SELECT status, input, output, token_in, token_out, finished_at IS NOT NULL, deadline IS NULL, (SELECT count(*) FROM vain) FROM executions WHERE version = 61
--- sql_result: succeeded|{"x":"y"}|late: y|7|8|t|f|1

=== TEST 60: the parts of a bill: the result, the row with its prices, what is summed up
--- http_config
prompt_model claude-fx:usage=1000* provider=anthropic input=3 output=15 cached_input=0.30 cache_write=3.75 cache_write_1h=6 long_from=2000 long_input=6 long_output=22.50 long_cached_input=0.60;
prompt_model claude-fx:usage=2000* provider=anthropic input=3 output=15 cached_input=0.30 cache_write=3.75 long_from=2000 long_input=6 long_output=22.50 long_cached_input=0.60;
--- sql eval
main::version(62, 'x', '{"model":"claude-fx:usage=1000:50:500:300:200:40"}')
. main::version(63, 'x', '{"model":"claude-fx:usage=2000:50:500:0:0"}')
. main::version(64, 'x', '{"model":"claude-fx:usage=2000:50:500:300:0"}')
. main::version(65, 'x', '{"model":"claude-fx:usage=1000:50:500:300:200,tier=priority"}')
--- graphql
mutation ($v: Int) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}, version: $v) { tokenIn tokenCached tokenCacheWrite tokenOut tokenReasoning costUsd } }
--- cases
{"v": 62} => {"executePrompt": {"tokenIn": 1000, "tokenCached": 500, "tokenCacheWrite": 300, "tokenOut": 50, "tokenReasoning": 40, "costUsd": "0.003075"}}
{"v": 63} => {"executePrompt": {"tokenIn": 2000, "tokenCached": 500, "tokenCacheWrite": 0, "tokenOut": 50, "tokenReasoning": null, "costUsd": "0.010425"}}
{"v": 64} => {"executePrompt": {"tokenIn": 2000, "tokenCached": 500, "tokenCacheWrite": 300, "tokenOut": 50, "tokenReasoning": null, "costUsd": null}}
{"v": 65} => {"executePrompt": {"tokenIn": 1000, "tokenCached": 500, "tokenCacheWrite": 300, "tokenOut": 50, "tokenReasoning": null, "costUsd": null}}
--- sql_check
SELECT version, token_cache_write, token_cache_write_1h, price_input, price_cached_input, price_cache_write, price_cache_write_1h, price_output, cost_usd = ((token_in - coalesce(token_cached, 0) - coalesce(token_cache_write, 0)) * price_input + coalesce(token_cached * price_cached_input, 0) + coalesce((token_cache_write - token_cache_write_1h) * price_cache_write, 0) + coalesce(token_cache_write_1h * price_cache_write_1h, 0) + token_out * price_output) / 1000000 FROM executions WHERE version BETWEEN 62 AND 65 ORDER BY version
--- sql_result
62|300|200|3|0.3|3.75|6|15|t
63|0|0|6|0.6|||22.5|t
64|300|0|6|0.6|||22.5|
65|300|200|3|0.3|3.75|6|15|

=== TEST 61: as they are read again
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000001") { versions(last: 4) { version executions(first: 1) { tokenIn tokenCached tokenCacheWrite tokenOut tokenReasoning costUsd } } } statistics(since: "2020-01-01T00:00:00Z", by: ALL, model: "claude-fx:usage=1000:50:500:300:200:40") { tokenIn tokenCached tokenCacheWrite tokenOut tokenReasoning costUsd costUnknown } }
--- data
{"prompt": {"versions": [
 {"version": 62, "executions": [{"tokenIn": 1000, "tokenCached": 500, "tokenCacheWrite": 300, "tokenOut": 50, "tokenReasoning": 40, "costUsd": "0.003075"}]},
 {"version": 63, "executions": [{"tokenIn": 2000, "tokenCached": 500, "tokenCacheWrite": 0, "tokenOut": 50, "tokenReasoning": null, "costUsd": "0.010425"}]},
 {"version": 64, "executions": [{"tokenIn": 2000, "tokenCached": 500, "tokenCacheWrite": 300, "tokenOut": 50, "tokenReasoning": null, "costUsd": null}]},
 {"version": 65, "executions": [{"tokenIn": 1000, "tokenCached": 500, "tokenCacheWrite": 300, "tokenOut": 50, "tokenReasoning": null, "costUsd": null}]}]},
 "statistics": [{"tokenIn": 1000, "tokenCached": 500, "tokenCacheWrite": 300, "tokenOut": 50, "tokenReasoning": 40, "costUsd": "0.003075", "costUnknown": 0}]}
