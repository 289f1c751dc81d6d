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
--- response_body_like: \A(?:# (?:HELP|TYPE) prompt_[a-z_]+ [^\n]+\n|prompt_[a-z_]+(?:\{[a-z_]+="[^"\n]*"\})? [0-9.]+\n)+\z

=== TEST 3: GET only
--- request
POST /metrics
--- error_code: 405
