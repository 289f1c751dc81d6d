# Variables for log_format, and what stands in the logs.

use lib 't/lib';
use PromptTest;

our $log = q{
    log_format prompt '[$prompt_user_id|$prompt_key_id|$prompt_operation|'
                      '$prompt_error_code|$prompt_model|$prompt_cost_usd|'
                      '$prompt_tokens_in|$prompt_tokens_out|'
                      '$prompt_provider_ms]';
};

our $location = q{
    location = /graphql { prompt_graphql; access_log $TEST_NGINX_SERVER_ROOT/logs/access.log prompt; }
};

our $names = q{
    log_format names '[$prompt_project_id|$prompt_prompt_id|$prompt_version|'
                     '$prompt_execution_id]';
};

our $named = q{
    location = /graphql { prompt_graphql; access_log $TEST_NGINX_SERVER_ROOT/logs/access.log names; }
};

run_tests();

__DATA__

=== TEST 1: a query
--- http_config eval: $::log
--- config eval: $::location
--- graphql
{ me { id } }
--- error_code: 200
--- access_log eval
qr/\[%{alice_id}\|[0-9a-f-]{36}\|me\|-?\|-?\|-?\|-?\|-?\|-?\]/

=== TEST 2: more than one root field
--- http_config eval: $::log
--- config eval: $::location
--- graphql
{ me { id } prompts { id } }
--- error_code: 200
--- access_log eval
qr/\|multiple\|/

=== TEST 3: without a key
--- http_config eval: $::log
--- config eval: $::location
--- key: none
--- graphql
{ me { id } }
--- error_code: 401
--- access_log eval
qr/\[-?\|-?\|-?\|UNAUTHENTICATED\|/

=== TEST 4: an error
--- http_config eval: $::log
--- config eval: $::location
--- graphql
{ prompt(id: "x") { id } }
--- error_code: 200
--- access_log eval
qr/\|prompt\|NOT_FOUND\|/

=== TEST 5: a document that does not parse
--- http_config eval: $::log
--- config eval: $::location
--- graphql
{
--- error_code: 200
--- access_log eval
qr/\|-?\|BAD_USER_INPUT\|/

=== TEST 6: an execution
--- http_config eval: $::log
--- config eval: $::location
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'run', 'GENERAL', false, now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'very secret text', '{"model":"fx:usage=100:50,delay=30"}');
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } }
--- error_code: 200
--- access_log eval
qr/\[%{alice_id}\|[0-9a-f-]{36}\|executePrompt\|-?\|fx:usage=100:50,delay=30\|0\.000045\|100\|50\|(?:[3-9]\d|\d{3,})\]/
--- no_error_log
very secret text

=== TEST 7: a model's name cannot break the line
--- http_config eval: $::log
--- config eval: $::location
--- sql
UPDATE prompt_versions SET params = '{"model":"fx:ok\"\n|x"}';
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } }
--- error_code: 200
--- access_log eval
qr/fx:ok\\x22\?\|x/

=== TEST 8: outside of the endpoint the variables are empty
--- http_config eval: $::log
--- config
location = /plain { access_log $TEST_NGINX_SERVER_ROOT/logs/access.log prompt; return 200 ok; }
--- request
GET /plain
--- response_body: ok
--- access_log
[-|-|-|-|-|-|-|-|-]

=== TEST 9: a failed execution: the model and the time, no tokens, no cost
--- http_config eval: $::log
--- config eval: $::location
--- sql
UPDATE prompt_versions SET params = '{"model":"fx:status=500"}';
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } }
--- error_code: 200
--- access_log eval
qr/\|executePrompt\|INTERNAL_SERVER_ERROR\|fx:status=500\|-\|-\|-\|\d+\]/

=== TEST 10: a model without a price: tokens, and no cost
--- http_config eval: $::log
--- config eval: $::location
--- sql
UPDATE prompt_versions SET params = '{"model":"free-fx:ok"}';
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } }
--- error_code: 200
--- access_log eval
qr/\|executePrompt\|-\|free-fx:ok\|-\|12\|7\|\d+\]/

=== TEST 11: an alias does not hide the field; a mutation that is refused has its name
--- http_config eval: $::log
--- config eval: $::location
--- graphql
mutation { x: createPrompt(input: {name: ""}) { id } }
--- error_code: 200
--- access_log eval
qr/\|createPrompt\|BAD_USER_INPUT\|/

=== TEST 12: a model's name makes no header and no line of its own
--- http_config
log_format raw escape=none '[$prompt_model]';
--- config
location = /graphql { prompt_graphql; access_log $TEST_NGINX_SERVER_ROOT/logs/access.log raw; add_header X-Model $prompt_model always; }
--- sql
UPDATE prompt_versions SET params = '{"model":"fx:ok\r\nX-Evil: 1\r\n\r\n\u007fé"}';
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } }
--- error_code: 200
--- response_headers
X-Model: fx:ok??X-Evil: 1?????é
X-Evil:
--- access_log
[fx:ok??X-Evil: 1?????é]

=== TEST 11: of an execution, and in which project
--- http_config eval: $::names
--- config eval: $::named
--- sql
UPDATE prompt_versions SET params = '{"model":"fx:ok"}';
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } }
--- error_code: 200
--- access_log eval
qr/\[%{alice_id}\|01890000-0000-7000-8000-000000000001\|1\|[0-9a-f-]{36}\]/

=== TEST 12: without one
--- http_config eval: $::names
--- config eval: $::named
--- graphql
{ me { id } }
--- error_code: 200
--- access_log eval
qr/\[%{alice_id}\|-\|-\|-\]/
