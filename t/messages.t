# Messages: what a version has before its content, histories, tools, and why a
# model ended; as the API says it and as providers get it.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: a prompt to begin with
--- graphql
mutation { createPrompt(input: {name: "chat", isPublic: true}) { id } }
--- save
prompt = data.createPrompt.id

=== TEST 2: messages come back as they were sent
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { version messages { role content placeholder } again: messages { c: content __typename } } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "{{ask}}", "params": {"model": "fx:ok"}, "messages": [{"role": "SYSTEM", "content": "Be {{tone}}.\r\n\t\"ü\" 😀 \u2028 \\ "}, {"placeholder": "history"}, {"role": "USER", "content": "one"}, {"role": "USER", "content": "", "placeholder": null}, {"role": "ASSISTANT", "content": "two"}]}}
--- data
{"createPromptVersion": {"version": 1, "messages": [{"role": "SYSTEM", "content": "Be {{tone}}.\r\n\t\"ü\" 😀 \u2028 \\ ", "placeholder": null}, {"role": null, "content": null, "placeholder": "history"}, {"role": "USER", "content": "one", "placeholder": null}, {"role": "USER", "content": "", "placeholder": null}, {"role": "ASSISTANT", "content": "two", "placeholder": null}], "again": [{"c": "Be {{tone}}.\r\n\t\"ü\" 😀 \u2028 \\ ", "__typename": "PromptMessage"}, {"c": null, "__typename": "PromptMessage"}, {"c": "one", "__typename": "PromptMessage"}, {"c": "", "__typename": "PromptMessage"}, {"c": "two", "__typename": "PromptMessage"}]}}

=== TEST 3: by literals; none, and null, are an empty list
--- graphql
mutation { a: createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {model: "fx:ok"}, messages: [{role: SYSTEM, content: "s"}]}) { messages { role content } } b: createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {model: "fx:ok"}, messages: []}) { messages { role } } c: createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {model: "fx:ok"}, messages: null}) { messages { role } } }
--- data
{"a": {"messages": [{"role": "SYSTEM", "content": "s"}]}, "b": {"messages": []}, "c": {"messages": []}}

=== TEST 4: read with the prompt, several versions
--- graphql
{ prompt(id: "%{prompt}") { versions(first: 3) { version messages { role placeholder } executions { finishReason toolCalls { id } } } } }
--- data
{"prompt": {"versions": [{"version": 1, "messages": [{"role": "SYSTEM", "placeholder": null}, {"role": null, "placeholder": "history"}, {"role": "USER", "placeholder": null}, {"role": "USER", "placeholder": null}, {"role": "ASSISTANT", "placeholder": null}], "executions": []}, {"version": 2, "messages": [{"role": "SYSTEM", "placeholder": null}], "executions": []}, {"version": 3, "messages": [], "executions": []}]}}

=== TEST 5: what is refused
--- graphql
mutation ($m: [PromptMessageInput!]) { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {model: "fx:ok"}, messages: $m}) { id } }
--- cases
{"m": [{}]} => BAD_USER_INPUT messages.0
{"m": [{"role": "USER"}]} => BAD_USER_INPUT messages.0
{"m": [{"role": "USER", "content": "x"}, {"content": "x"}]} => BAD_USER_INPUT messages.1.role
{"m": [{"role": "USER", "placeholder": "x"}]} => BAD_USER_INPUT messages.0.role
{"m": [{"role": "USER", "content": "x", "placeholder": "x"}]} => BAD_USER_INPUT messages.0
{"m": [{"placeholder": ""}]} => BAD_USER_INPUT messages.0.placeholder
{"m": [{"placeholder": "x"}, {"role": "SYSTEM", "content": "ab\n  {{ x"}]} => BAD_USER_INPUT messages.1.content /line 2, column 3/
{"m": [{"role": "SYSTEM", "content": "é{{{x}}}"}]} => BAD_USER_INPUT messages.0.content /line 1, column 2/
{"m": [{"role": "SYSTEM", "content": "a\u0000"}]} => BAD_USER_INPUT /U\+0000/
{"m": [{"role": "ROBOT", "content": "x"}]} => BAD_USER_INPUT
{"m": [null]} => BAD_USER_INPUT
{"m": "x"} => BAD_USER_INPUT

=== TEST 6: 256 messages, but not 257
--- graphql
mutation ($m: [PromptMessageInput!]) { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {model: "fx:ok"}, messages: $m}) { content } }
--- cases eval
my $one = '{"placeholder": "p"}';
'{"m": [' . CORE::join(', ', ($one) x 256) . ']} => {"createPromptVersion": {"content": "x"}}' . "\n"
. '{"m": [' . CORE::join(', ', ($one) x 257) . ']} => BAD_USER_INPUT messages' . "\n"

=== TEST 7: in their order, roles as they are, the content last
--- graphql
mutation ($input: JSON!) { executePrompt(promptId: "%{prompt}", version: 1, input: $input) { output model finishReason toolCalls { id } versionUsed } }
--- variables
{"input": {"ask": "why?", "tone": "{{ask}}", "history": [{"role": "user", "content": "{{tone}} \\{{"}, {"role": "assistant", "content": ""}, {"role": "system", "content": "s"}]}}
--- data
{"executePrompt": {"output": "why?", "model": "fx:ok", "finishReason": "stop", "toolCalls": null, "versionUsed": 1}}
--- provider
[{"body": {"model": "fx:ok", "messages": [{"role": "system", "content": "Be {{ask}}.\r\n\t\"ü\" 😀 \u2028 \\ "}, {"role": "user", "content": "{{tone}} \\{{"}, {"role": "assistant", "content": ""}, {"role": "system", "content": "s"}, {"role": "user", "content": "one"}, {"role": "user", "content": ""}, {"role": "assistant", "content": "two"}, {"role": "user", "content": "why?"}]}}]

=== TEST 8: histories that are none
--- graphql
mutation ($input: JSON!) { executePrompt(promptId: "%{prompt}", version: 1, input: $input) { output } }
--- cases
{"input": {"ask": "a", "tone": "b"}} => {"executePrompt": {"output": "a"}}
{"input": {"ask": "a", "tone": "b", "history": null}} => {"executePrompt": {"output": "a"}}
{"input": {"ask": "a", "tone": "b", "history": []}} => {"executePrompt": {"output": "a"}}
{"input": {"ask": "a", "history": []}} => BAD_USER_INPUT tone
{"input": {"ask": "a", "tone": "b", "history": "x"}} => BAD_USER_INPUT history
{"input": {"ask": "a", "tone": "b", "history": {"role": "user", "content": "x"}}} => BAD_USER_INPUT history
{"input": {"ask": "a", "tone": "b", "history": [{"role": "user", "content": "x"}, "x"]}} => BAD_USER_INPUT history.1
{"input": {"ask": "a", "tone": "b", "history": [{"content": "x"}]}} => BAD_USER_INPUT history.0.role
{"input": {"ask": "a", "tone": "b", "history": [{"role": "robot", "content": "x"}]}} => BAD_USER_INPUT history.0.role
{"input": {"ask": "a", "tone": "b", "history": [{"role": "user", "content": 1}]}} => BAD_USER_INPUT history.0.content
{"input": {"ask": "a", "tone": "b", "history": [{"role": "user", "content": "x", "nose": "n"}]}} => BAD_USER_INPUT history.0.nose
--- provider_calls: 3

=== TEST 9: a history counts towards the limit of all texts
--- http_config
client_max_body_size 16m;
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000009', '%{alice_id}', 'together', 'GENERAL', false, now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params, messages) VALUES (gen_random_uuid(), '01890000-0000-7000-8000-000000000009', '%{alice_id}', 1, '{{ask}}{{ask}}{{ask}}', '{"model": "fx:text=yes"}', '[{"placeholder": "h"}]');
--- graphql
mutation ($input: JSON!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000009", input: $input) { output } }
--- cases eval
my $text = 'x' x (1024 * 1024);
my $input = '{"input": {"ask": "' . $text . '", "h": [{"role": "user", "content": "' . $text;
$input . '"}]}} => {"executePrompt": {"output": "yes"}}' . "\n"
. $input . 'x"}]}} => BAD_USER_INPUT input' . "\n"
--- provider_calls: 1

=== TEST 10: for Anthropic: system in front, other roles as they come
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { version } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "{{ask}}", "params": {"model": "claude-fx:ok"}, "messages": [{"role": "SYSTEM", "content": "Be kind."}, {"placeholder": "h"}, {"role": "USER", "content": "one"}]}}
--- save
claude = data.createPromptVersion.version

=== TEST 11: one system message is a text
--- graphql
mutation ($input: JSON!) { executePrompt(promptId: "%{prompt}", version: %{claude}, input: $input) { output model finishReason toolCalls { id } } }
--- variables
{"input": {"ask": "why?", "h": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}, {"role": "assistant", "content": "c"}]}}
--- data
{"executePrompt": {"output": "why?", "model": "claude-fx:ok", "finishReason": "end_turn", "toolCalls": null}}
--- provider
[{"body": {"model": "claude-fx:ok", "system": "Be kind.", "max_tokens": 4096, "messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}, {"role": "assistant", "content": "c"}, {"role": "user", "content": "one"}, {"role": "user", "content": "why?"}]}}]

=== TEST 12: several are a list; those of a history that lead count, too
--- graphql
mutation ($input: JSON!) { executePrompt(promptId: "%{prompt}", version: %{claude}, input: $input) { output } }
--- variables
{"input": {"ask": "why?", "h": [{"role": "system", "content": "Be brief."}]}}
--- data
{"executePrompt": {"output": "why?"}}
--- provider
[{"body": {"system": [{"type": "text", "text": "Be kind."}, {"type": "text", "text": "Be brief."}], "messages": [{"role": "user", "content": "one"}, {"role": "user", "content": "why?"}]}}]

=== TEST 13: one that comes later, of a history
--- graphql
mutation ($input: JSON!) { executePrompt(promptId: "%{prompt}", version: %{claude}, input: $input) { output } }
--- variables
{"input": {"ask": "why?", "h": [{"role": "user", "content": "x"}, {"role": "system", "content": "x"}]}}
--- code: BAD_USER_INPUT h.1
--- provider_calls: 0

=== TEST 14: and one of the version
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { version } executePrompt(promptId: "%{prompt}", input: {}) { output } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"model": "claude-fx:ok"}, "messages": [{"role": "USER", "content": "x"}, {"role": "SYSTEM", "content": "x"}]}}
--- errors
[{"extensions": {"code": "BAD_USER_INPUT", "field": "messages.1"}, "path": ["executePrompt"]}]
--- provider_calls: 0

=== TEST 15: tools pass through
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { version } executePrompt(promptId: "%{prompt}", input: {}) { output tokenIn finishReason toolCalls { id name arguments } executionId } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"model": "fx:file=openai/chat.200.tool_calls.json", "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}], "tool_choice": "auto", "response_format": {"type": "json_object"}}}}
--- save
called = data.executePrompt.executionId
--- provider
[{"body": {"tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}], "tool_choice": "auto", "response_format": {"type": "json_object"}}}]
--- response_body_like: "output":"","tokenIn":81,"finishReason":"tool_calls","toolCalls":\[\{"id":"call_fixture1","name":"get_weather","arguments":"\{\\"city\\":\\"Paris\\"\}"\}\]

=== TEST 16: what was called is recorded for the one who ran it
--- graphql
{ prompt(id: "%{prompt}") { versions(last: 1) { executions(first: 1) { output model finishReason toolCalls { id name arguments } } } } }
--- data
{"prompt": {"versions": [{"executions": [{"output": "", "model": "fx:file=openai/chat.200.tool_calls.json", "finishReason": "tool_calls", "toolCalls": [{"id": "call_fixture1", "name": "get_weather", "arguments": "{\"city\":\"Paris\"}"}]}]}]}}

=== TEST 17: bob runs it, too
--- key: bob
--- graphql
mutation { executePrompt(promptId: "%{prompt}", input: {}) { finishReason } }
--- data
{"executePrompt": {"finishReason": "tool_calls"}}

=== TEST 18: the owner sees that it was, not what was called
--- graphql
{ prompt(id: "%{prompt}") { versions(last: 1) { executions(first: 1) { output finishReason toolCalls { name } } } } }
--- data
{"prompt": {"versions": [{"executions": [{"output": null, "finishReason": "tool_calls", "toolCalls": null}]}]}}

=== TEST 19: tools in Anthropic's form
--- graphql
mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { version } executePrompt(promptId: "%{prompt}", input: {}) { output finishReason toolCalls { id name arguments } } }
--- variables
{"i": {"promptId": "%{prompt}", "content": "x", "params": {"model": "claude-fx:file=anthropic/messages.200.tool_use.json", "tools": [{"type": "function", "function": {"name": "get_weather", "description": "d", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}, {"type": "function", "function": {"name": "bare"}}, {"name": "own", "input_schema": {}}], "tool_choice": {"type": "function", "function": {"name": "get_weather"}}, "response_format": {"type": "text"}}}}
--- response_body_like: "output":"Let me check\.","finishReason":"tool_use","toolCalls":\[\{"id":"toolu_fixture1","name":"get_weather","arguments":"\{\\"city\\":\\"Paris\\"\}"\}\]
--- provider
[{"body": {"tools": [{"name": "get_weather", "description": "d", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}, {"name": "bare", "input_schema": {"type": "object"}}, {"name": "own", "input_schema": {}}], "tool_choice": {"type": "tool", "name": "get_weather"}}}]

=== TEST 20: what Anthropic's form has no words for
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'claude', 'GENERAL', false, now(), 3);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params, messages) VALUES (gen_random_uuid(), '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'x', '{"model": "claude-fx:ok", "response_format": {"type": "json_object"}}', NULL), (gen_random_uuid(), '01890000-0000-7000-8000-000000000001', '%{alice_id}', 2, 'x', '{"model": "claude-fx:ok", "tool_choice": "any"}', NULL), (gen_random_uuid(), '01890000-0000-7000-8000-000000000001', '%{alice_id}', 3, 'x', '{"model": "claude-fx:ok", "system": "s"}', '[{"role": "SYSTEM", "content": "s"}]');
--- graphql
mutation ($v: Int!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", version: $v, input: {}) { output } }
--- cases
{"v": 1} => BAD_USER_INPUT params.response_format
{"v": 2} => BAD_USER_INPUT params.tool_choice
{"v": 3} => BAD_USER_INPUT params.system
--- provider_calls: 0

=== TEST 21: a fork has the messages
--- graphql
mutation { forkPrompt(id: "%{prompt}") { versions(first: 2) { content messages { role placeholder } } } }
--- data
{"forkPrompt": {"versions": [{"content": "{{ask}}", "messages": [{"role": "SYSTEM", "placeholder": null}, {"role": null, "placeholder": "history"}, {"role": "USER", "placeholder": null}, {"role": "USER", "placeholder": null}, {"role": "ASSISTANT", "placeholder": null}]}, {"content": "x", "messages": [{"role": "SYSTEM", "placeholder": null}]}]}}

=== TEST 22: messages of several MiB
--- http_config
client_max_body_size 16m;
--- graphql
mutation ($m: [PromptMessageInput!]) { createPrompt(input: {name: "large"}) { id } createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {model: "fx:text=yes"}, messages: $m}) { messages { role } } }
--- variables eval
my $one = '{"role": "USER", "content": "' . ('x' x (1024 * 1024)) . '"}';
'{"m": [' . CORE::join(', ', ($one) x 7) . ']}'
--- response_body_like: "messages":\[(\{"role":"USER"\},?){7}\]

=== TEST 23: are read again
--- graphql
{ prompt(id: "%{prompt}") { versions(last: 1) { messages { content } } } }
--- response_body_like: x{1000}"\}\]\}\]\}\}\}$

=== TEST 24: but too large to be executed
--- graphql
mutation { executePrompt(promptId: "%{prompt}", input: {}) { output } }
--- code: BAD_USER_INPUT input
--- provider_calls: 0

=== TEST 25: more than 8 MiB of them are not stored
--- http_config
client_max_body_size 16m;
--- graphql
mutation ($m: [PromptMessageInput!]) { createPromptVersion(input: {promptId: "%{prompt}", content: "x", params: {model: "fx:ok"}, messages: $m}) { id } }
--- variables eval
my $one = '{"role": "USER", "content": "' . ('x' x (1024 * 1024)) . '"}';
'{"m": [' . CORE::join(', ', ($one) x 8) . ']}'
--- code: BAD_USER_INPUT messages

=== TEST 26: what nobody checked, as it was stored by hand
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000026', '%{alice_id}', 'by-hand', 'GENERAL', false, now(), 12);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params, messages) SELECT gen_random_uuid(), '01890000-0000-7000-8000-000000000026', '%{alice_id}', n, 'x', '{"model": "fx:text=yes"}', m::json FROM (VALUES (1, 'null'), (2, '"x"'), (3, '{"role": "USER"}'), (4, '[1, "{", [{"content": "no"}], null]'), (5, '[{"role": 5, "content": {"a": 1}}]'), (6, '[{"placeholder": []}, {"placeholder": "h", "content": null}]'), (7, '[{"role": "USER", "content": "{{x"}]'), (8, '[{"role": "ROBOT", "content": 7}]'), (9, '[{"role": "USER", "role": "USER", "content": "x"}]'), (10, repeat('[', 100) || repeat(']', 100)), (11, '[ { "c\u006fntent" : "\ud83d\ude00" , "role" : "SYSTEM" , "x": 1 } ]'), (12, '["{\"", {"role": "USER", "content": "]"}]')) AS v (n, m);
--- graphql
mutation ($v: Int!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000026", version: $v, input: {}) { output } }
--- cases
{"v": 1} => {"executePrompt": {"output": "yes"}}
{"v": 2} => {"executePrompt": {"output": "yes"}}
{"v": 3} => {"executePrompt": {"output": "yes"}}
{"v": 4} => {"executePrompt": {"output": "yes"}}
{"v": 5} => {"executePrompt": {"output": "yes"}}
{"v": 6} => {"executePrompt": {"output": "yes"}}
{"v": 7} => BAD_USER_INPUT content
{"v": 8} => {"executePrompt": {"output": "yes"}}
{"v": 9} => INTERNAL_SERVER_ERROR
{"v": 10} => INTERNAL_SERVER_ERROR
{"v": 11} => {"executePrompt": {"output": "yes"}}
{"v": 12} => {"executePrompt": {"output": "yes"}}

=== TEST 27: is read as far as it is messages
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000026") { versions(first: 4) { messages { role content placeholder } } } }
--- data
{"prompt": {"versions": [{"messages": []}, {"messages": []}, {"messages": []}, {"messages": [{"role": null, "content": null, "placeholder": null}, {"role": null, "content": null, "placeholder": null}, {"role": null, "content": null, "placeholder": null}, {"role": null, "content": null, "placeholder": null}]}]}}

=== TEST 28: what is no object hides no message behind it
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000026") { versions(last: 1) { messages { role content placeholder } } } }
--- data
{"prompt": {"versions": [{"messages": [{"role": null, "content": null, "placeholder": null}, {"role": "USER", "content": "]", "placeholder": null}]}]}}

=== TEST 29: what is of another type is an error, not shown as it is
--- graphql
{ prompt(id: "01890000-0000-7000-8000-000000000026") { versions(last: 5) { messages { role content } } } }
--- response_body_like: "messages":\[\{"role":null,"content":null\}\].*Enum .* cannot represent
