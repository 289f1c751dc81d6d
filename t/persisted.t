# Automatic persisted queries: Apollo's protocol, and what is kept for how
# long.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: off where nothing is said
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- error_code: 200
--- json
{"errors": [{"message": "PersistedQueryNotSupported", "extensions": {"code": "PERSISTED_QUERY_NOT_SUPPORTED"}}]}

=== TEST 2: off
--- http_config
prompt_persisted_queries off;
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- json
{"errors": [{"message": "PersistedQueryNotSupported", "extensions": {"code": "PERSISTED_QUERY_NOT_SUPPORTED"}}]}

=== TEST 3: off: a query that comes with its hash is executed
--- body
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 4: off: even where the hash is another's
--- body
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "02e4195eee144c6ca27d802282125105580385d4916a3a66bd0bf983de4a507d"}}}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 5: a hash that nobody has sent yet
--- http_config
prompt_persisted_queries 1m;
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- error_code: 200
--- json
{"errors": [{"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}]}

=== TEST 6: also 200 in application/graphql-response+json
--- http_config
prompt_persisted_queries 1m;
--- more_headers
Accept: application/graphql-response+json
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- error_code: 200
--- json
{"errors": [{"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}]}

=== TEST 7: the query with its hash is executed
--- http_config
prompt_persisted_queries 1m;
--- body
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 8: and from then on the hash does
--- key: alice
--- http_config
prompt_persisted_queries 1m;
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
['POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}',
 'POST /graphql
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}']
--- error_code eval
[200,200,200,200]
--- response_body_like eval
[qr/PersistedQueryNotFound/,
 qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/,
 qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/,
 qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/]

=== TEST 9: in capitals, too
--- key: alice
--- http_config
prompt_persisted_queries 1m;
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
['POST /graphql
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "C53D78FA4C9C65A93967D42316FCD207FD611C7CAC40A103820A866C3E5DD8F5"}}}']
--- error_code eval
[200,200]
--- response_body_like eval
[qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/,
 qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/]

=== TEST 10: by GET
--- key: alice
--- http_config
prompt_persisted_queries 1m;
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
['GET /graphql?extensions=%7B%22persistedQuery%22%3A%20%7B%22version%22%3A%201%2C%20%22sha256Hash%22%3A%20%22c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5%22%7D%7D',
 'GET /graphql?extensions=%7B%22persistedQuery%22%3A%20%7B%22version%22%3A%201%2C%20%22sha256Hash%22%3A%20%22c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5%22%7D%7D&query=%7B%20me%20%7B%20id%20%7D%20%7D',
 'GET /graphql?extensions=%7B%22persistedQuery%22%3A%20%7B%22version%22%3A%201%2C%20%22sha256Hash%22%3A%20%22c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5%22%7D%7D',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}']
--- error_code eval
[200,200,200,200]
--- response_body_like eval
[qr/PersistedQueryNotFound/,
 qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/,
 qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/,
 qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/]

=== TEST 11: a mutation is kept, and refused by GET
--- key: alice
--- http_config
prompt_persisted_queries 1m;
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
['POST /graphql
{"query": "mutation { deletePrompt(id: \"x\") }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "244a36e8430844713573a63f625ae2b2577e5cb73c11eea20bc742e76c0217ae"}}}',
 'GET /graphql?extensions=%7B%22persistedQuery%22%3A%20%7B%22version%22%3A%201%2C%20%22sha256Hash%22%3A%20%22244a36e8430844713573a63f625ae2b2577e5cb73c11eea20bc742e76c0217ae%22%7D%7D',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "244a36e8430844713573a63f625ae2b2577e5cb73c11eea20bc742e76c0217ae"}}}']
--- error_code eval
[200,405,200]
--- response_body_like eval
[qr/NOT_FOUND/,
 qr/Can only perform a mutation/,
 qr/NOT_FOUND/]

=== TEST 12: operationName and variables go with the hash
--- key: alice
--- http_config
prompt_persisted_queries 1m;
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
['POST /graphql
{"query": "query a { me { id } } query b($id: ID!) { prompt(id: $id) { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "d754069e13cd45ca8bcb75714633f5a9522f8d9279825828510d8a4672075a51"}}, "operationName": "a"}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "d754069e13cd45ca8bcb75714633f5a9522f8d9279825828510d8a4672075a51"}}, "operationName": "b", "variables": {"id": "x"}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "d754069e13cd45ca8bcb75714633f5a9522f8d9279825828510d8a4672075a51"}}}']
--- error_code eval
[200,200,200]
--- response_body_like eval
[qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/,
 qr/NOT_FOUND/,
 qr/Must provide operation name/]

=== TEST 13: a document of many blocks
--- key: alice
--- http_config
prompt_persisted_queries 1m;
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
['POST /graphql
{"query": "{ me { id } } # \u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "ec452e5565574843702c736b68c8ecc16b373a723928eaf4799ead425fe58a2b"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "ec452e5565574843702c736b68c8ecc16b373a723928eaf4799ead425fe58a2b"}}}',
 'POST /graphql
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "ec452e5565574843702c736b68c8ecc16b373a723928eaf4799ead425fe58a2b"}}}']
--- error_code eval
[200,200,200,200]
--- response_body_like eval
[qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/,
 qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/,
 qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/,
 qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/]

=== TEST 14: what does not pass validation is not kept
--- key: alice
--- http_config
prompt_persisted_queries 1m;
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
['POST /graphql
{"query": "{ me { nose } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "02e4195eee144c6ca27d802282125105580385d4916a3a66bd0bf983de4a507d"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "02e4195eee144c6ca27d802282125105580385d4916a3a66bd0bf983de4a507d"}}}']
--- error_code eval
[200,200]
--- response_body_like eval
[qr/Cannot query field/,
 qr/PersistedQueryNotFound/]

=== TEST 15: nor what is no document
--- key: alice
--- http_config
prompt_persisted_queries 1m;
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
['POST /graphql
{"query": "{", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "021fb596db81e6d02bf3d2586ee3981fe519f275c0ac9ca76bbcf2ebb4097d96"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "021fb596db81e6d02bf3d2586ee3981fe519f275c0ac9ca76bbcf2ebb4097d96"}}}']
--- error_code eval
[200,200]
--- response_body_like eval
[qr/Syntax Error/,
 qr/PersistedQueryNotFound/]

=== TEST 16: nor what is refused for its hash
--- key: alice
--- http_config
prompt_persisted_queries 1m;
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
['POST /graphql
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "02e4195eee144c6ca27d802282125105580385d4916a3a66bd0bf983de4a507d"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "02e4195eee144c6ca27d802282125105580385d4916a3a66bd0bf983de4a507d"}}}']
--- error_code eval
[400,200,200]
--- response_body_like eval
[qr/provided sha does not match query/,
 qr/PersistedQueryNotFound/,
 qr/PersistedQueryNotFound/]

=== TEST 17: the hash of another text
--- http_config
prompt_persisted_queries 1m;
--- body
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "02e4195eee144c6ca27d802282125105580385d4916a3a66bd0bf983de4a507d"}}}
--- error_code: 400
--- json
{"errors": [{"message": "provided sha does not match query", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 18: a hash of the wrong length, with the query
--- http_config
prompt_persisted_queries 1m;
--- body
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "abc"}}}
--- error_code: 400
--- errors
[{"message": "provided sha does not match query"}]

=== TEST 19: a hash of the wrong length, alone
--- http_config
prompt_persisted_queries 1m;
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "abc"}}}
--- json
{"errors": [{"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}]}

=== TEST 20: a hash that is no hexadecimal number
--- http_config
prompt_persisted_queries 1m;
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}}
--- json
{"errors": [{"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}]}

=== TEST 21: a hash that is no string
--- http_config
prompt_persisted_queries 1m;
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": 7}}}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 22: another version
--- http_config
prompt_persisted_queries 1m;
--- body
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 2, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- error_code: 400
--- errors
[{"message": "Unsupported persisted query version", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 23: no version
--- http_config
prompt_persisted_queries 1m;
--- body
{"extensions": {"persistedQuery": {"sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- error_code: 400
--- errors
[{"message": "Unsupported persisted query version"}]

=== TEST 24: a version of the same value
--- http_config
prompt_persisted_queries 1m;
--- body
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1.0, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 25: persistedQuery that is no object is another extension
--- http_config
prompt_persisted_queries 1m;
--- body
{"query": "{ me { id } }", "extensions": {"persistedQuery": 7}}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 26: neither query nor hash
--- http_config
prompt_persisted_queries 1m;
--- body
{}
--- error_code: 400
--- errors
[{"message": "The request has no \"query\"."}]

=== TEST 27: without a key nothing is said
--- http_config
prompt_persisted_queries 1m;
--- key: none
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 28: a key without the scope does not get a document kept
--- http_config
prompt_persisted_queries 1m;
--- key: alice_execute
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
['POST /graphql
{"query": "{ prompts { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "45de44d1456f40d4ebcf8a90e604e2cad9831eca048ce2fc38220b42e0d3cbb7"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "45de44d1456f40d4ebcf8a90e604e2cad9831eca048ce2fc38220b42e0d3cbb7"}}}']
--- error_code eval
[401, 200]
--- response_body_like eval
[qr/lacks the scope/, qr/PersistedQueryNotFound/]

=== TEST 29: what one user sent another may name, and gets their own data
--- http_config
prompt_persisted_queries 1m;
--- more_headers eval
["Content-Type: application/json\nAuthorization: Bearer %{alice_key}",
 "Content-Type: application/json\nAuthorization: Bearer %{bob_key}"]
--- pipelined_requests eval
['POST /graphql
{"query": "{ me { id } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}',
 'POST /graphql
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}']
--- error_code eval
[200, 200]
--- response_body_like eval
['%{alice_id}', '%{bob_id}']

=== TEST 30: a document that is too long for the store is executed
--- http_config
prompt_persisted_queries 1m;
--- key: alice
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
use Digest::SHA qw(sha256_hex);
my $long = "{ me { id } } # " . "x" x 70000;
my $e = '"extensions":{"persistedQuery":{"version":1,"sha256Hash":"' . sha256_hex($long) . '"}}';
["POST /graphql
{\"query\":\"$long\",$e}", "POST /graphql
{$e}"]
--- error_code eval
[200, 200]
--- response_body_like eval
[qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/, qr/PersistedQueryNotFound/]

=== TEST 31: the least recently used document goes first
--- http_config
prompt_persisted_queries 64k;
--- key: alice
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
use Digest::SHA qw(sha256_hex);
sub persisted {
    my ($n, $query) = @_;
    my $text = "{ me { id } } # $n " . 'x' x 3000;

    return "POST /graphql\n{" . ($query ? "\"query\":\"$text\"," : '')
           . '"extensions":{"persistedQuery":{"version":1,"sha256Hash":"'
           . sha256_hex($text) . '"}}}';
}
# 1 is used between the others, 2 is not
[persisted(1, 1), persisted(2, 1),
 (map { (persisted($_, 1), persisted(1, 0)) } 3 .. 40),
 persisted(1, 0), persisted(2, 0), persisted(40, 0), persisted(20, 0)]
--- error_code eval
[(200) x 82]
--- response_body_like eval
[(qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/) x 79, qr/PersistedQueryNotFound/, qr/^\{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}$/, qr/PersistedQueryNotFound/]

=== TEST 32: a size that is none
--- bare
--- http_config
prompt_persisted_queries lots;
--- must_die
--- error_log
invalid size "lots"

=== TEST 33: a size that is too small
--- bare
--- http_config
prompt_persisted_queries 8k;
--- must_die
--- error_log
is too small: write at least "32k"

=== TEST 34: twice
--- bare
--- http_config
prompt_persisted_queries 1m;
prompt_persisted_queries off;
--- must_die
--- error_log
is duplicate
