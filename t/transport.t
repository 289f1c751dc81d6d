# What lies between the connection and the document: methods, the URL, bodies,
# the order in which a request is looked at, and nginx's own errors.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: + is a space
--- key: alice
--- request
GET /graphql?query=+%7B+me+%7B+id+%7D+%7D
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 2: letters that need no escape
--- key: alice
--- request
GET /graphql?query={me{id}}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 3: a name that is escaped
--- key: alice
--- request
GET /graphql?%71uery=%7Bme%7Bid%7D%7D
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 4: parameters that nobody knows
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D&a=b&c&=d&&
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 5: of a parameter that comes twice the first counts
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D&query=x
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 6: empty variables
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D&variables=&operationName=&extensions=
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 7: variables that are null
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D&variables=null&extensions=null
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 8: variables that are no object
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D&variables=%5B1%5D
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 9: variables that are no JSON
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D&variables=%7B
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 10: variables with a duplicate member
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D&variables=%7B%22a%22:1,%22a%22:2%7D
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 11: variables with a lone surrogate
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D&variables=%7B%22a%22:%22%5Cud800%22%7D
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 12: extensions that are no object
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D&extensions=7
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 13: an escape that is cut
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 14: an escape that is none
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%zz
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 15: bytes that are no UTF-8
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D%23%ff
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 16: an empty query
--- key: alice
--- request
GET /graphql?query=
--- errors
[{"message": "Syntax Error: Unexpected <EOF>.", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 17: a subscription
--- key: alice
--- request
GET /graphql?query=subscription%7BexecutePromptStream(promptId:%22x%22,input:%7B%7D)%7Bdelta%7D%7D
--- error_code: 405
--- response_headers
Allow: POST
--- errors
[{"message": "Can only perform a subscription operation from a POST request.", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 18: a mutation next to a query, the query chosen
--- key: alice
--- request
GET /graphql?query=query+a%7Bme%7Bid%7D%7D+mutation+b%7BdeletePrompt(id:%22x%22)%7D&operationName=a
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 19: a mutation next to a query, the mutation chosen
--- key: alice
--- request
GET /graphql?query=query+a%7Bme%7Bid%7D%7D+mutation+b%7BdeletePrompt(id:%22x%22)%7D&operationName=b
--- error_code: 405
--- response_headers
Allow: POST
--- code: BAD_USER_INPUT

=== TEST 20: a body of GET is let be
--- key: alice
--- raw_request eval
"GET /graphql?query={me{id}} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
. "Authorization: Bearer %{alice_key}\r\nContent-Length: 2\r\n\r\n{}"
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 21: POST does not look at the URL
--- path: /graphql?query={me{email}}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 22: POST with the query in the URL only
--- key: alice
--- more_headers
Content-Type: application/json
--- request
POST /graphql?query={me{id}}
{}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 23: OPTIONS
--- key: alice
--- raw_request eval
"OPTIONS /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
--- error_code: 405
--- response_headers
Allow: GET, POST
--- code: BAD_USER_INPUT

=== TEST 24: PATCH
--- key: alice
--- raw_request eval
"PATCH /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
--- error_code: 405
--- response_headers
Allow: GET, POST
--- code: BAD_USER_INPUT

=== TEST 25: a method that nobody knows
--- key: alice
--- raw_request eval
"FETCH /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
--- error_code: 405
--- code: BAD_USER_INPUT

=== TEST 26: the method goes before the key
--- key: none
--- request
DELETE /graphql
--- error_code: 405
--- response_headers
Allow: GET, POST

=== TEST 27: Accept goes before the key
--- key: none
--- more_headers
Accept: text/html
--- graphql
{ me { id } }
--- error_code: 406

=== TEST 28: Content-Type goes before the key
--- key: none
--- more_headers
Content-Type: text/plain
--- graphql
{ me { id } }
--- error_code: 415

=== TEST 29: the key goes before the body
--- key: none
--- body
{
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 30: a key that is wrong goes before the body, too
--- key: pmt_nonsense
--- body
{
--- error_code: 401
--- response_headers
WWW-Authenticate: Bearer

=== TEST 31: a key with the right form that nobody has
--- key: pmt_000000000000000000000000000000000yB6ZT
--- body
{
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 32: both headers with the same key
--- more_headers
Authorization: Bearer %{alice_key}
X-API-Key: %{alice_key}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 33: both headers with different keys
--- more_headers
Authorization: Bearer %{alice_key}
X-API-Key: %{bob_key}
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 34: white space around JSON
--- body eval
" \t\r\n{\"query\": \"{ me { id } }\"} \r\n\t x" =~ s/ x$//r
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 35: a byte order mark is no JSON
--- body eval
"\xef\xbb\xbf{\"query\": \"{ me { id } }\"}"
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 36: nesting without end
--- body eval
'{"query": "{ me { id } }", "variables": ' . '[' x 100000
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 37: nesting with an end
--- body eval
'{"query": "{ me { id } }", "a": ' . "[" x 1000 . "]" x 1000 . "}"
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 38: duplicate members deep inside
--- body
{"query": "{ me { id } }", "variables": {"a": [{"b": 1, "b": 2}]}}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 39: a name that is twice the same only when decoded
--- body
{"query": "{ me { id } }", "qu\u0065ry": "{ me { email } }"}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 40: numbers of JSON only
--- body
{"query": "{ me { id } }", "variables": {"a": 01}}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 41: a subscription
--- graphql
subscription { executePromptStream(promptId: "x", input: {}) { delta } }
--- error_code: 406
--- json
{"errors": [{"message": "A subscription is answered as a stream of events: the request must have the header \"Accept: text/event-stream\".", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 42: U+0000 in the query
--- body
{"query": "{ me { id } } \u0000"}
--- code: BAD_USER_INPUT

=== TEST 43: a body that comes piece by piece
--- raw_request_middle_delay: 0.02
--- raw_request eval
["POST /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n",
 "Authorization: Bearer %{alice_key}\r\nContent-Type: application/json\r\n",
 "Content-Length: 25\r\n\r\n", split(//, '{"query":"{ me { id } }"}')]
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 44: a chunked body in many small chunks
--- raw_request eval
"POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
. "Authorization: Bearer %{alice_key}\r\n"
. "Content-Type: application/json\r\n"
. "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
. CORE::join('', map { "1\r\n$_\r\n" } split //, '{"query":"{ me { id } }"}')
. "0\r\n\r\n"
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 45: a chunked body that goes to a file
--- config
location = /graphql { prompt_graphql; client_body_buffer_size 64; }
--- raw_request eval
"POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
. "Authorization: Bearer %{alice_key}\r\n"
. "Content-Type: application/json\r\n"
. "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
. CORE::join('', map { "64\r\n" . ($_ x 100) . "\r\n" } (' ') x 50)
. "19\r\n" . '{"query":"{ me { id } }"}' . "\r\n0\r\n\r\n"
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 46: chunks that are none
--- raw_request eval
"POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
. "Authorization: Bearer %{alice_key}\r\n"
. "Content-Type: application/json\r\n"
. "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 47: Expect: 100-continue
--- raw_request eval
"POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
. "Authorization: Bearer %{alice_key}\r\n"
. "Content-Type: application/json\r\n"
. "Connection: close\r\nExpect: 100-continue\r\nContent-Length: 25\r\n\r\n"
. '{"query":"{ me { id } }"}'
--- ignore_response
--- no_error_log
[error]

=== TEST 48: a body that is over the limit is answered in JSON, and cached nowhere
--- config
location = /graphql { prompt_graphql; client_max_body_size 1k; }
--- body eval
'{"query": "' . "x" x 2000 . '"}'
--- error_code: 413
--- response_headers
Content-Type: application/json; charset=utf-8
--- json
{"errors": [{"message": "The request body is larger than this server accepts.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 49: access that the operator denies
--- config
location = /graphql { prompt_graphql; deny all; }
--- graphql
{ me { id } }
--- error_code: 403
--- json
{"errors": [{"message": "/./", "extensions": {"code": "FORBIDDEN"}}]}

=== TEST 50: a limit of requests
--- http_config
limit_req_zone $server_name zone=one:64k rate=1r/m;
--- config
location = /graphql { prompt_graphql; limit_req zone=one; limit_req_status 429; }
--- key: alice
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
[('POST /graphql
{"query": "{ me { id } }"}') x 2]
--- error_code eval
[200, 429]
--- response_body_like eval
[qr/"me"/, qr/^\{"errors":\[\{"message":"Too many requests; try again later.","extensions":\{"code":"BAD_USER_INPUT"\}\}\]\}$/]

=== TEST 51: a return of the operator's
--- config
location = /graphql { prompt_graphql; return 503; }
--- graphql
{ me { id } }
--- error_code: 503
--- json
{"errors": [{"message": "/./", "extensions": {"code": "INTERNAL_SERVER_ERROR"}}]}

=== TEST 52: an error page of the operator's
--- config
location = /graphql { prompt_graphql; deny all; error_page 403 /page; }
location = /page { return 200 'mine'; }
--- graphql
{ me { id } }
--- error_code: 403
--- response_body: mine

=== TEST 53: other locations keep their pages
--- key: alice
--- request
GET /nothing
--- error_code: 404
--- response_body_like: <html>

=== TEST 54: many requests on one connection
--- key: alice
--- more_headers
Content-Type: application/json
--- pipelined_requests eval
[('POST /graphql
{"query": "{ me { id } }"}', 'GET /graphql?query={me{id}}', 'POST /graphql
{') x 20]
--- error_code eval
[(200, 200, 400) x 20]
--- response_body_like eval
[(qr/"me"/, qr/"me"/, qr/not valid JSON/) x 20]

=== TEST 55: the connection stays usable after each early refusal
--- key: alice
--- pipelined_requests eval
my $body = '{"query": "' . 'x' x 20000 . '"}';
["PUT /graphql
$body", "POST /graphql
$body", "DELETE /graphql
$body",
 "GET /graphql?query={me{id}}"]
--- error_code eval
[405, 415, 405, 200]
--- response_body_like eval
[qr/only supports/, qr/Content-Type/, qr/only supports/, qr/"me"/]

=== TEST 56: HEAD has no body
--- raw_request eval
"HEAD /graphql?query={me{id}} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
--- error_code: 405
--- response_headers
Allow: GET, POST
--- response_body:

=== TEST 57: HTTP/1.0
--- raw_request eval
"POST /graphql HTTP/1.0\r\nAuthorization: Bearer %{alice_key}\r\nContent-Type: application/json\r\nContent-Length: 25\r\n\r\n" . '{"query":"{ me { id } }"}'
--- error_code: 200
--- response_body_like: %{alice_id}

=== TEST 58: POST without a length
--- raw_request eval
"POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
. "Authorization: Bearer %{alice_key}\r\n"
. "Content-Type: application/json\r\n"
. "Connection: close\r\n\r\n"
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 59: a client that goes in the middle of its body
--- raw_request eval
"POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
. "Authorization: Bearer %{alice_key}\r\n"
. "Content-Type: application/json\r\n"
. "Content-Length: 1000\r\n\r\n{"
--- timeout: 300ms
--- abort
--- ignore_response
--- no_error_log
[error]
