# Media types: what Accept and Content-Type may say, and what is answered.

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

=== TEST 2: the type itself
--- more_headers
Accept: application/json
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 3: graphql-response+json
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

=== TEST 4: in capitals
--- more_headers
Accept: Application/GraphQL-Response+JSON
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 5: what graphql clients send: both, graphql-response+json first
--- more_headers
Accept: application/graphql-response+json, application/json;q=0.9
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 6: what Apollo Client 4 sends
--- more_headers
Accept: application/graphql-response+json,application/json;q=0.9
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 7: what urql sends
--- more_headers
Accept: application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 8: what Apollo Client 3 sends
--- more_headers
Accept: application/graphql-response+json, application/json, */*
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 9: what a browser sends
--- more_headers
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 10: of equal quality the first
--- more_headers
Accept: application/json, application/graphql-response+json
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 11: the higher quality goes before the order
--- more_headers
Accept: application/json;q=0.8, application/graphql-response+json;q=0.801
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 12: a quality of 0 excludes
--- more_headers
Accept: application/graphql-response+json;q=0, application/json;q=0.1
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 13: also from a wildcard
--- more_headers
Accept: */*, application/json;q=0
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 14: both excluded
--- more_headers
Accept: */*, application/json;q=0, application/graphql-response+json;q=0
--- graphql
{ me { id } }
--- error_code: 406
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 15: everything excluded
--- more_headers
Accept: */*;q=0
--- graphql
{ me { id } }
--- error_code: 406
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 16: the most specific range counts, wherever it stands
--- more_headers
Accept: */*;q=0.1, application/json;q=0.2, application/*;q=0.9
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 17: any type
--- more_headers
Accept: */*
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 18: any application
--- more_headers
Accept: application/*
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 19: a wildcard that is none
--- more_headers
Accept: */json
--- graphql
{ me { id } }
--- error_code: 406
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 20: of another type
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

=== TEST 21: another JSON
--- more_headers
Accept: application/problem+json
--- graphql
{ me { id } }
--- error_code: 406
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 22: multipart only
--- more_headers
Accept: multipart/mixed;deferSpec=20220824
--- graphql
{ me { id } }
--- error_code: 406
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 23: several headers count as one
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

=== TEST 24: a charset that is ours
--- more_headers
Accept: application/json; charset=utf-8
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 25: in quotes and capitals
--- more_headers
Accept: application/graphql-response+json; Charset="UTF-8"
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 26: another charset
--- more_headers
Accept: application/json; charset=iso-8859-1
--- graphql
{ me { id } }
--- error_code: 406
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 27: another parameter is let be
--- more_headers
Accept: application/json; indent=4; q=0.5
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 28: a parameter with a comma in its quotes
--- more_headers
Accept: text/plain; a=",application/json", application/graphql-response+json
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 29: empty elements
--- more_headers
Accept: , ,application/graphql-response+json,,
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 30: white space of all kinds
--- more_headers
Accept: 	 application/graphql-response+json 	; q=1 , application/json ; q=0.5
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 31: a quality that is none is 0
--- more_headers
Accept: application/json;q=high, application/graphql-response+json;q=0.1
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 32: a quality above 1 is none
--- more_headers
Accept: application/json;q=1.5, application/graphql-response+json;q=0.1
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 33: a quality with four decimals is none
--- more_headers
Accept: application/json;q=0.9999, application/graphql-response+json;q=0.1
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 34: nonsense next to a type
--- more_headers
Accept: @@@, application/graphql-response+json
--- graphql
{ me { id } }
--- error_code: 200
--- response_headers
Content-Type: application/graphql-response+json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 35: nothing but nonsense
--- more_headers
Accept: @@@
--- graphql
{ me { id } }
--- error_code: 406
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 36: a quote that does not end
--- more_headers
Accept: text/plain; a="application/json
--- graphql
{ me { id } }
--- error_code: 406
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 37: Content-Type: application/json
--- more_headers
Content-Type: application/json
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 38: Content-Type: with a charset
--- more_headers
Content-Type: application/json; charset=utf-8
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 39: Content-Type: with a charset without space, in capitals
--- more_headers
Content-Type: APPLICATION/JSON;CHARSET=UTF-8
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 40: Content-Type: utf8 without its hyphen
--- more_headers
Content-Type: application/json; charset=utf8
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 41: Content-Type: another charset
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

=== TEST 42: Content-Type: another parameter
--- more_headers
Content-Type: application/json; profile="x"
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 43: Content-Type: two types
--- more_headers
Content-Type: application/json, text/plain
--- graphql
{ me { id } }
--- error_code: 415
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 44: Content-Type: graphql
--- more_headers
Content-Type: application/graphql
--- graphql
{ me { id } }
--- error_code: 415
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 45: Content-Type: graphql+json
--- more_headers
Content-Type: application/graphql+json
--- graphql
{ me { id } }
--- error_code: 415
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 46: Content-Type: graphql-response+json is for answers
--- more_headers
Content-Type: application/graphql-response+json
--- graphql
{ me { id } }
--- error_code: 415
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 47: Content-Type: JSON as text
--- more_headers
Content-Type: text/json
--- graphql
{ me { id } }
--- error_code: 415
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 48: Content-Type: multipart
--- more_headers
Content-Type: multipart/form-data; boundary=x
--- graphql
{ me { id } }
--- error_code: 415
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 49: Content-Type: nonsense
--- more_headers
Content-Type: json
--- graphql
{ me { id } }
--- error_code: 415
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- code: BAD_USER_INPUT

=== TEST 50: GET needs no Content-Type
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D
--- response_headers
Content-Type: application/json; charset=utf-8
Vary: Accept
Cache-Control: no-store
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 51: and does not look at one
--- key: alice
--- more_headers
Content-Type: text/plain
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 52: GET, graphql-response+json
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

=== TEST 53: an answer with an error is of the same type
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

=== TEST 54: so is 401
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

=== TEST 55: so is 400
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

=== TEST 56: gzip of the operator's
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
