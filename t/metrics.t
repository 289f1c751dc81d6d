# Prometheus text.

use lib 't/lib';
use PromptTest;

# counted together
workers(2);

run_tests();

__DATA__

=== TEST 1: the form, and what was counted
--- request eval
["POST /graphql\n{\"query\":\"{ me { id } }\"}",
 "POST /graphql\n{\"query\":\"{ me { id } }\"}",
 "POST /graphql\n{\"query\":\"{ prompt(id: 1) { id } }\"}",
 "GET /metrics"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200, 200, 200]
--- response_body_like eval
[qr/data/, qr/data/, qr/NOT_FOUND/,
 qr/(?s)\A(?=.*^prompt_operations_total\{operation="me"\} 2$)(?=.*^prompt_operations_total\{operation="prompt"\} 1$)(?=.*^# TYPE prompt_requests_total counter$)(?=.*^prompt_request_seconds_bucket\{le="\+Inf"\} 3$)(?=.*^prompt_request_seconds_count 3$)(?=.*^prompt_requests_total\{code="NOT_FOUND"\} 1$)/m]

=== TEST 2: every line is as Prometheus wants it
--- request
GET /metrics
--- response_headers_like
Content-Type: text/plain; version=0\.0\.4.*
--- response_body_like: \A(?:# (?:HELP|TYPE) prompt_[a-z_]+ [^\n]+\n|prompt_[a-z_]+(?:\{[a-z_]+="[^"\n]*"(?:,[a-z_]+="[^"\n]*")*\})? [0-9.]+\n)+\z

=== TEST 3: GET only
--- request
POST /metrics
--- error_code: 405

=== TEST 4: executions, tokens, errors by their code, keys by where they were found
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'run', 'GENERAL', false, now(), 2);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'x', '{"model":"fx:usage=100:50"}'), ('01890000-0000-7000-8000-00000000000b', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 2, 'x', '{"model":"fx:status=500"}');
--- request eval
[(map { "POST /graphql\n" . '{"query":"mutation { executePrompt(promptId: \"01890000-0000-7000-8000-000000000001\", input: {}, version: ' . $_ . ') { output } }"}' } 1, 1, 2, 3),
 "POST /graphql\n{", "GET /metrics"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200, 200, 200, 400, 200]
--- response_body_like eval
[qr/data/, qr/data/, qr/INTERNAL/, qr/NOT_FOUND/, qr/BAD_USER_INPUT/,
 qr/(?s)\A(?=.*^prompt_executions_total\{status="succeeded"\} 2$)(?=.*^prompt_executions_total\{status="failed"\} 1$)(?=.*^prompt_tokens_total\{direction="in"\} 200$)(?=.*^prompt_tokens_total\{direction="out"\} 100$)(?=.*^prompt_requests_total\{code="INTERNAL_SERVER_ERROR"\} 1$)(?=.*^prompt_requests_total\{code="BAD_USER_INPUT"\} 1$)(?=.*^prompt_operations_total\{operation="executePrompt"\} 4$)/m]

=== TEST 5: nothing of users, keys or prompts stands there
--- request
GET /metrics
--- response_body_unlike: [0-9a-f]{8}-[0-9a-f]{4}|pmt_|alice

=== TEST 6: without an endpoint there is nothing to count
--- bare
--- config
location = /metrics { prompt_metrics; }
--- request
GET /metrics
--- response_headers_like
Content-Type: text/plain; version=0\.0\.4.*
--- response_body
# There is no prompt_graphql location: nothing is counted.

=== TEST 7: nor for HEAD
--- bare
--- config
location = /metrics { prompt_metrics; }
--- request
HEAD /metrics
--- response_body
