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
{"executePrompt": {"output": "/^a\n\"b\"\\|12\\|1\\.50?\\|true\\|null\\|{\"b\":1,\"a\":\\[\\]}\\|\\[1,\"x\"\\]\\|{{x}}\\|}}$/", "tokenIn": 12, "tokenOut": 7, "costUsd": "0.000006", "versionUsed": 2}}

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
