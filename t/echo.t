# prompt_echo, the stand-in provider.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: answers with the prompt it was sent
--- config
location = /echo { prompt_echo; }
--- path: /echo
--- key: none
--- body
{"model": "m", "messages": [{"role": "system", "content": "be kind"}, {"role": "user", "content": "one two  three\n"}]}
--- json
{"id": "<string>", "object": "chat.completion", "created": "<int>", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "one two  three\n"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}}

=== TEST 2: refuses what a provider would refuse
--- config
location = /echo { prompt_echo; }
--- path: /echo
--- key: none
--- body
{"model": "m"}
--- error_code: 400
--- json
{"error": "<any>"}

=== TEST 3: no JSON
--- config
location = /echo { prompt_echo; }
--- path: /echo
--- key: none
--- body
hello
--- error_code: 400

=== TEST 4: as the provider of a model
--- http_config
prompt_provider echo /_echo;
prompt_model echo provider=echo input=1 output=1;
--- config
location = /_echo { internal; prompt_echo; }
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'run', 'GENERAL', false, now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'one two {{n}}', '{"model":"echo"}');
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {n: 3}) { output tokenIn tokenOut costUsd } }
--- data
{"executePrompt": {"output": "one two 3", "tokenIn": 3, "tokenOut": 3, "costUsd": "0.000006"}}
