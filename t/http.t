# GraphQL over HTTP: methods, media types, statuses, bodies.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: the answer is application/json where nothing else is asked for
--- graphql
{ me { id } }
--- response_headers_like
Content-Type: application/json(?:; charset=utf-8)?
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 2: the second path
--- path: /v1
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 3: Accept */*
--- more_headers
Accept: */*
--- graphql
{ me { id } }
--- response_headers_like
Content-Type: application/json(?:; charset=utf-8)?
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 4: Accept application/graphql-response+json
--- more_headers
Accept: application/graphql-response+json
--- graphql
{ me { id } }
--- response_headers_like
Content-Type: application/graphql-response\+json(?:; charset=utf-8)?
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 5: the quality of Accept counts
--- more_headers
Accept: application/json;q=0.5, application/graphql-response+json;q=0.9
--- graphql
{ me { id } }
--- response_headers_like
Content-Type: application/graphql-response\+json(?:; charset=utf-8)?

=== TEST 6: Accept application/*
--- more_headers
Accept: text/html, application/*;q=0.1
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 7: Accept text/html
--- more_headers
Accept: text/html
--- graphql
{ me { id } }
--- error_code: 406
--- code: BAD_USER_INPUT

=== TEST 8: a query is one event of a stream
--- more_headers
Accept: text/event-stream
--- graphql
{ me { id } }
--- response_headers
Content-Type: text/event-stream; charset=utf-8
Cache-Control: no-cache
--- response_body_like: ^event: next\ndata: \{"data":\{"me":\{"id":"[-0-9a-f]{36}"\}\}\}\n\nevent: complete\ndata:\n\n\z

=== TEST 9: a syntax error in application/json is 200
--- graphql
{ me { id }
--- json
{"errors": [{"message": "Syntax Error: Expected Name, found <EOF>.", "locations": [{"line": 1, "column": 12}], "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 10: and 400 in application/graphql-response+json
--- more_headers
Accept: application/graphql-response+json
--- graphql
{ me { id }
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 11: a validation error in application/json is 200
--- graphql
{ me { nose } }
--- errors
[{"message": "Cannot query field \"nose\" on type \"User\". Did you mean \"name\"?", "locations": [{"line": 1, "column": 8}], "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 12: and 400 in application/graphql-response+json
--- more_headers
Accept: application/graphql-response+json
--- graphql
{ me { nose } }
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 13: a variable that is missing is 400 in application/graphql-response+json
--- more_headers
Accept: application/graphql-response+json
--- graphql
query ($id: ID!) { prompt(id: $id) { id } }
--- error_code: 400
--- errors
[{"message": "Variable \"$id\" of required type \"ID!\" was not provided.", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 14: an operation that is not there is 400 in application/graphql-response+json
--- more_headers
Accept: application/graphql-response+json
--- graphql
query a { me { id } }
--- operation: b
--- error_code: 400
--- errors
[{"message": "Unknown operation named \"b\".", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 15: two operations and no name
--- graphql
query a { me { id } } query b { me { id } }
--- errors
[{"message": "Must provide operation name if query contains multiple operations.", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 16: two operations, one chosen
--- graphql
query a { me { id } } query b { me { email } }
--- operation: b
--- data
{"me": {"email": "alice@example.com"}}

=== TEST 17: a field error is 200 in application/graphql-response+json
--- more_headers
Accept: application/graphql-response+json
--- graphql
{ prompt(id: "nothing") { id } }
--- error_code: 200
--- code: NOT_FOUND
--- data
{"prompt": null}

=== TEST 18: a body that is no JSON
--- body
{"query": "{ me { id } }"
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 19: an empty body
--- key: alice
--- request
POST /graphql
--- more_headers
Content-Type: application/json
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 20: JSON that is no object
--- body
"{ me { id } }"
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 21: a batch
--- body
[{"query": "{ me { id } }"}]
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 22: no query
--- body
{"variables": {}}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 23: a query that is no string
--- body
{"query": 7}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 24: variables that are no object
--- body
{"query": "{ me { id } }", "variables": [1]}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 25: an operationName that is no string
--- body
{"query": "{ me { id } }", "operationName": 1}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 26: null stands for absent
--- body
{"query": "{ me { id } }", "variables": null, "operationName": null, "extensions": null}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 27: members that nobody knows are let be
--- body
{"query": "{ me { id } }", "id": 7}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 28: more after the JSON
--- body
{"query": "{ me { id } }"} x
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 29: a lone surrogate
--- body
{"query": "{ me { id } }", "variables": {"a": "\ud800"}}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 30: bytes that are no UTF-8
--- key: alice
--- more_headers
Content-Type: application/json
--- request eval
"POST /graphql\n{\"query\": \"{ me { id } } # \xff\"}"
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 31: a string with an escaped solidus, a tab and a letter outside the BMP
--- body
{"query": "{ me\t{ id } } # \/ \ud83d\ude00 😀"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 32: another content type
--- more_headers
Content-Type: text/plain
--- graphql
{ me { id } }
--- error_code: 415
--- code: BAD_USER_INPUT

=== TEST 33: a form
--- more_headers
Content-Type: application/x-www-form-urlencoded
--- graphql
{ me { id } }
--- error_code: 415
--- code: BAD_USER_INPUT

=== TEST 34: no content type
--- key: alice
--- request
POST /graphql
{"query": "{ me { id } }"}
--- error_code: 415
--- code: BAD_USER_INPUT

=== TEST 35: a content type with parameters, in capitals
--- more_headers
Content-Type: Application/JSON; charset="UTF-8"
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 36: a query by GET
--- key: alice
--- request
GET /graphql?query=%7B%20me%20%7B%20id%20%7D%20%7D
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 37: with variables and the name of the operation
--- key: alice
--- request
GET /graphql?query=query+a(%24id:ID!)%7Bprompt(id:%24id)%7Bid%7D%7D+query+b%7Bme%7Bid%7D%7D&variables=%7B%22id%22%3A%22x%22%7D&operationName=a
--- code: NOT_FOUND

=== TEST 38: a mutation by GET
--- key: alice
--- request
GET /graphql?query=mutation%7BdeletePrompt(id:%22x%22)%7D
--- error_code: 405
--- response_headers
Allow: POST
--- code: BAD_USER_INPUT

=== TEST 39: GET without a query
--- key: alice
--- request
GET /graphql
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 40: PUT
--- key: alice
--- request
PUT /graphql
{"query": "{ me { id } }"}
--- more_headers
Content-Type: application/json
--- error_code: 405
--- code: BAD_USER_INPUT

=== TEST 41: DELETE
--- key: alice
--- request
DELETE /graphql
--- error_code: 405
--- code: BAD_USER_INPUT

=== TEST 42: a body over the limit
--- config
location = /graphql { prompt_graphql; client_max_body_size 1k; }
--- graphql eval
"{ me { id } } # " . "x" x 2000
--- error_code: 413
--- code: BAD_USER_INPUT

=== TEST 43: a body over the limit, chunked
--- config
location = /graphql { prompt_graphql; client_max_body_size 1k; }
--- more_headers
Transfer-Encoding: chunked
--- graphql eval
"{ me { id } } # " . "x" x 2000
--- error_code: 413
--- code: BAD_USER_INPUT

=== TEST 44: a chunked body
--- more_headers
Transfer-Encoding: chunked
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 45: a body that nginx wrote into a file
--- config
location = /graphql { prompt_graphql; client_body_buffer_size 128; }
--- graphql eval
"{ me { id } } # " . "x" x 100000
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 46: a body that is always in a file
--- config
location = /graphql { prompt_graphql; client_body_in_file_only clean; }
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 47: the connection stays usable after an answer before the body
--- config
location = /graphql { prompt_graphql; client_body_buffer_size 1k; }
--- pipelined_requests eval
["POST /graphql\n" . '{"query":"' . ("x" x 5000) . '"}', "GET /after"]
--- more_headers
Content-Type: application/json
Authorization: Bearer nonsense
--- error_code eval
[401, 404]

=== TEST 48: HEAD
--- key: alice
--- request
HEAD /graphql
--- error_code: 405

=== TEST 49: persisted queries, one that nobody knows
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"}}}
--- errors
[{"message": "/^PersistedQueryNot(Found|Supported)$/", "extensions": {"code": "/^PERSISTED_QUERY_NOT_(FOUND|SUPPORTED)$/"}}]

=== TEST 50: a duplicate member
--- body
{"query": "{ me { id } }", "query": "{ me { email } }"}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 51: nothing of the request is in the error log
--- graphql
{ me { id %{alice_key} } }
--- code: BAD_USER_INPUT

=== TEST 52: a compressed body
--- more_headers
Content-Encoding: gzip
--- graphql
{ me { id } }
--- error_code: 415
--- code: BAD_USER_INPUT
--- errors
[{"message": "The request body must not be compressed: the header \"Content-Encoding\" is not supported."}]

=== TEST 53: a body that says that it is not
--- more_headers
Content-Encoding: Identity
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 54: as many JSON values as may be
--- body eval
qq({"query": "{ me { id } }", "variables": {"a": [) . CORE::join(',', (1) x 199_996) . ']}}'
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 55: and one more
--- body eval
qq({"query": "{ me { id } }", "variables": {"a": [) . CORE::join(',', (1) x 199_997) . ']}}'
--- error_code: 400
--- errors
[{"message": "The request body has more than 200000 JSON values."}]

=== TEST 56: If-Match takes no answer away
--- more_headers
If-Match: "x"
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 57: If-None-Match takes no answer away
--- more_headers
If-None-Match: *
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 58: If-Unmodified-Since takes no answer away
--- more_headers
If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}
