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
 qr/(?s)\A(?=.*^prompt_operations_total\{operation="me",protocol="graphql"\} 2$)(?=.*^prompt_operations_total\{operation="prompt",protocol="graphql"\} 1$)(?=.*^# TYPE prompt_requests_total counter$)(?=.*^prompt_request_seconds_bucket\{le="\+Inf"\} 3$)(?=.*^prompt_request_seconds_count 3$)(?=.*^prompt_requests_total\{code="NOT_FOUND",protocol="graphql"\} 1$)/m]

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
 qr/(?s)\A(?=.*^prompt_executions_total\{status="succeeded"\} 2$)(?=.*^prompt_executions_total\{status="failed"\} 1$)(?=.*^prompt_tokens_total\{direction="in"\} 200$)(?=.*^prompt_tokens_total\{direction="out"\} 100$)(?=.*^prompt_requests_total\{code="INTERNAL_SERVER_ERROR",protocol="graphql"\} 1$)(?=.*^prompt_requests_total\{code="BAD_USER_INPUT",protocol="graphql"\} 1$)(?=.*^prompt_operations_total\{operation="executePrompt",protocol="graphql"\} 4$)/m]

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

=== TEST 8: by model: executions, tokens, attempts, costs; the sums are those without
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000011', '%{alice_id}', 'priced', 'GENERAL', false, now(), 3);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES ('01890000-0000-7000-8000-00000000001a', '01890000-0000-7000-8000-000000000011', '%{alice_id}', 1, 'x', '{"model":"fx:usage=1000001:7"}'), ('01890000-0000-7000-8000-00000000001b', '01890000-0000-7000-8000-000000000011', '%{alice_id}', 2, 'x', '{"model":"free-fx:usage=5:6"}'), ('01890000-0000-7000-8000-00000000001c', '01890000-0000-7000-8000-000000000011', '%{alice_id}', 3, 'x', '{"model":"fx:status=500"}');
--- request eval
[(map { "POST /graphql\n" . '{"query":"mutation { executePrompt(promptId: \"01890000-0000-7000-8000-000000000011\", input: {}, version: ' . $_ . ') { output } }"}' } 1, 1, 2, 3), "GET /metrics"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200, 200, 200, 200]
--- response_body_like eval
my $fx = 'provider="openai",model="fx:\*"';
my $free = 'provider="openai",model="free-fx:\*"';
my %of = ("prompt_model_executions_total{$fx,status=\"succeeded\"}" => 2,
          "prompt_model_executions_total{$fx,status=\"failed\"}" => 1,
          "prompt_model_executions_total{$free,status=\"succeeded\"}" => 1,
          "prompt_model_tokens_total{$fx,direction=\"in\"}" => 2000002,
          "prompt_model_tokens_total{$free,direction=\"out\"}" => 6,
          "prompt_model_attempts_total{$fx}" => 3,
          "prompt_model_failures_total{$fx}" => 1,
          "prompt_model_failures_total{$free}" => 0,
          "prompt_model_seconds_count{$fx}" => 3,
          "prompt_cost_usd_total{$fx}" => '0\.300008700000',
          "prompt_cost_usd_total{$free}" => '0\.000000000000',
          'prompt_executions_total{status="succeeded"}' => 3,
          'prompt_tokens_total{direction="in"}' => 2000007,
          'prompt_provider_seconds_count' => 4,
          'prompt_operation_seconds_count{operation="executePrompt",protocol="graphql"}' => 4);
my $all = join '', map { (my $n = $_) =~ s/([{}])/\\$1/g; "(?=.*^$n $of{$_}\$)" } sort keys %of;
[(qr/output/) x 3, qr/errors/, qr/(?s)\A$all/m]

=== TEST 9: what a request was: none, several, introspection, and no name of a client's
--- request eval
["POST /graphql\n{", "POST /graphql\n{\"query\":\"query X { a: me { id } b: me { id } }\"}",
 "POST /graphql\n{\"query\":\"{ __typename }\"}", "POST /graphql\n{\"query\":\"{ nosuchfield }\"}",
 "POST /graphql\n{\"query\":\"query Y { zzz: me { id } }\"}", "GET /metrics"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[400, 200, 200, 200, 200, 200]
--- response_body_like eval
[qr/errors/, qr/data/, qr/data/, qr/errors/, qr/data/,
 qr/(?s)\A(?!.*(?:nosuchfield|zzz))(?=.*^prompt_operation_seconds_count\{operation="none",protocol="graphql"\} 2$)(?=.*^prompt_operation_seconds_count\{operation="multiple",protocol="graphql"\} 1$)(?=.*^prompt_operation_seconds_count\{operation="introspection",protocol="graphql"\} 1$)(?=.*^prompt_operation_seconds_count\{operation="me",protocol="graphql"\} 1$)(?=.*^prompt_request_seconds_count 5$)/m]

=== TEST 10: a request that carries a key, and one more
--- request eval
[("POST /graphql\n{\"query\":\"mutation { createPrompt(input: {name: \\\"once\\\"}) { id } }\"}") x 2,
 "POST /graphql\n{\"query\":\"mutation { createPrompt(input: {name: \\\"other\\\"}) { id } }\"}", "GET /metrics"]
--- key: alice
--- more_headers
Content-Type: application/json
Idempotency-Key: "one-and-the-same"
--- error_code eval
[200, 200, 422, 200]
--- response_body_like eval
[qr/data/, qr/data/, qr/another/,
 qr/(?s)\A(?=.*^prompt_idempotency_requests_total\{result="begun"\} 1$)(?=.*^prompt_idempotency_requests_total\{result="replayed"\} 1$)(?=.*^prompt_idempotency_requests_total\{result="mismatch"\} 1$)/m]

=== TEST 11: a name that is no label, and more models than there are places
--- http_config eval
join '', "prompt_model 'a\\\\b\"c' provider=openai;\n", map { "prompt_model m$_ provider=openai;\n" } 1 .. 300
--- request
GET /metrics
--- response_body_like: (?s)\A(?=.*model="a\\\\b\\"c")(?=.*model="m250")(?!.*model="m299")(?=.*\{provider="other",model="other"\})(?:# [^\n]+\n|prompt_[a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\])*",?)+\})? [0-9.]+\n)+\z
