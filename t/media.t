# Media types: what is answered, and that headers are found.  What they may
# say is in t/unit/graphql_http_media.c.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: no Accept at all
--- graphql
{ me { id } }
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 2: graphql-response+json
--- more_headers
Accept: application/graphql-response+json
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 3: several headers count as one
--- more_headers
Accept: text/html
Accept: application/graphql-response+json
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 4: of another type
--- more_headers
Accept: text/plain
--- graphql
{ me { id } }
--- error_code: 406
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 5: Content-Type: with a charset
--- more_headers
Content-Type: application/json; charset=utf-8
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 6: Content-Type: another charset
--- more_headers
Content-Type: application/json; charset=utf-16
--- graphql
{ me { id } }
--- error_code: 415
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 7: GET needs no Content-Type
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 8: and does not look at one
--- key: alice
--- more_headers
Content-Type: text/plain
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 9: GET, graphql-response+json
--- key: alice
--- more_headers
Accept: application/graphql-response+json
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 10: an answer with an error is of the same type
--- more_headers
Accept: application/graphql-response+json
--- graphql
{ me { nose } }
--- error_code: 400
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 11: so is 401
--- key: none
--- more_headers
Accept: application/graphql-response+json
--- graphql
{ me { id } }
--- error_code: 401
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
WWW-Authenticate: Bearer
Vary: Accept
--- code: UNAUTHENTICATED

=== TEST 12: so is 400
--- more_headers
Accept: application/graphql-response+json
--- body
[]
--- error_code: 400
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 13: gzip of the operator's
--- config
location = /graphql { prompt_graphql; gzip on; gzip_min_length 1; gzip_types application/json; }
--- more_headers
Accept-Encoding: gzip
--- graphql
{ me { id } }
--- response_headers
Content-Encoding: gzip
--- response_body_like eval
qr/^\x1f\x8b/
