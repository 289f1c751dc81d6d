# The endpoint among the rest of nginx: as a subrequest, behind a redirect,
# as an error page, under filters that read or change what it sends.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: SSI, one after the other and side by side
--- http_config
ssi_types text/plain;
--- config
location = /page {
    ssi on;
    default_type text/html;
    root html;
    try_files /page.html =404;
}
--- user_files
>>> page.html
a <!--# include virtual="/graphql?query=%7Bme%7Bid%7D%7D" -->
b <!--# include virtual="/graphql?query=%7Ba:me%7Bid%7D%7D" -->
c <!--# include virtual="/graphql?query=%7Bnothing%7D" -->
--- key: alice
--- request
GET /page
--- response_body_like
^a \{"data":\{"me":\{"id":"%{alice_id}"\}\}\}
b \{"data":\{"a":\{"id":"%{alice_id}"\}\}\}
c \{"errors":\[.*BAD_USER_INPUT.*\]\}$

=== TEST 2: SSI without a key
--- config
location = /page {
    ssi on;
    default_type text/html;
    root html;
    try_files /page.html =404;
}
--- user_files
>>> page.html
<!--# include virtual="/graphql?query=%7Bme%7Bid%7D%7D" -->
--- request
GET /page
--- response_body_like: UNAUTHENTICATED

=== TEST 3: auth_request
--- config
location = /guarded { auth_request /graphql; return 200 "never"; }
location = /page { auth_request /check; root html; try_files /page.html =404; }
location = /check { rewrite ^ /graphql?query=%7Bme%7Bid%7D%7D break; prompt_graphql; }
--- user_files
>>> page.html
page
--- request eval
["GET /page?query=%7Bme%7Bid%7D%7D", "GET /page?query=%7Bme%7Bid%7D%7D"]
--- more_headers eval
["X-API-Key: " . '%{alice_key}', ""]
--- error_code eval
[200, 401]
--- response_body_like eval
[qr/^page$/, qr/401/]

=== TEST 4: the endpoint is mirrored, body and all
--- config
location = /graphql { mirror /mirror; prompt_graphql; }
location = /mirror { internal; prompt_graphql; }
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 5: an echo is mirrored to the endpoint
--- config
location = /echo { mirror /graphql; prompt_echo; }
--- key: alice
--- more_headers
Content-Type: application/json
--- request
POST /echo
{"model":"m","messages":[{"role":"user","content":"hello"}],"query":"{me{id}}"}
--- response_body_like: "content":"hello"

=== TEST 6: an error page
--- config
error_page 404 /graphql?query=%7Bme%7Bid%7D%7D;
--- key: alice
--- request
GET /nothing
--- error_code: 404
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 7: an error page of its own errors
--- config
location = /graphql {
    client_max_body_size 10;
    error_page 413 /v1?query=%7Bme%7Bid%7D%7D;
    prompt_graphql;
}
--- graphql
{ me { id } }
--- error_code: 413
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 8: a redirect in the server
--- config
location /api { rewrite ^ /graphql last; }
--- path: /api/v7
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 9: a named location
--- config
location = /graphql { try_files /none @graphql; }
location @graphql { prompt_graphql; }
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 10: nothing is postponed, or nearly all
--- config
location = /graphql { postpone_output 0; prompt_graphql; }
location = /v1 { postpone_output 1m; prompt_graphql; }
--- request eval
["GET /graphql?query=%7Bme%7Bid%7D%7D", "GET /v1?query=%7Bme%7Bid%7D%7D"]
--- more_headers
X-API-Key: %{alice_key}
--- error_code eval
[200, 200]
--- response_body eval
[('{"data":{"me":{"id":"%{alice_id}"}}}') x 2]

=== TEST 11: gzip
--- config
location = /graphql { gzip on; gzip_min_length 1; gzip_types application/json; prompt_graphql; }
--- key: alice
--- more_headers
Accept-Encoding: gzip
--- request
GET /graphql?query=%7B__schema%7Btypes%7Bname%20fields%7Bname%7D%7D%7D%7D
--- response_headers
Content-Encoding: gzip

=== TEST 12: sub_filter
--- config
location = /graphql {
    sub_filter '"me"' '"you"';
    sub_filter_types application/json;
    prompt_graphql;
}
--- graphql
{ me { id } }
--- data
{"you": {"id": "%{alice_id}"}}

=== TEST 13: a slow reader
--- config
location = /graphql { limit_rate 4k; prompt_graphql; }
--- graphql
{ __schema { types { name } } }
--- response_body_like: "ApiKey"

=== TEST 14: a range of an answer is the whole answer
--- more_headers
Range: bytes=0-3
--- graphql
{ me { id } }
--- error_code: 200
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 15: an answer has no condition
--- more_headers
If-None-Match: *
If-Modified-Since: Thu, 01 Jan 2037 00:00:00 GMT
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 16: the console under SSI
--- config
location = /console { prompt_console path=../html/d; }
location = /page {
    ssi on;
    default_type text/html;
    root html;
    try_files /page.html =404;
}
--- user_files
>>> page.html
<!--# include virtual="/console" --><!--# include virtual="/metrics" --> end
>>> d/console.html
<html>{{style}}{{script}}
>>> d/console.css
a{}
>>> d/console.js
1
--- request
GET /page
--- response_body_like: (?s)<html.*prompt_requests_total.* end

=== TEST 17: SSI for who accepts events: all of them, in their places
--- http_config
ssi_types text/plain;
--- config
location = /page {
    ssi on;
    default_type text/html;
    root html;
    try_files /page.html =404;
}
--- user_files
>>> page.html
a <!--# include virtual="/graphql?query=%7Bme%7Bid%7D%7D" -->
b <!--# include virtual="/graphql?query=%7Ba:me%7Bid%7D%7D" -->
c <!--# include virtual="/graphql?query=%7Bnothing%7D" -->
d
--- key: alice
--- more_headers
Accept: text/event-stream
--- request
GET /page
--- response_body_like
^a event: next
data: \{"data":\{"me":\{"id":"%{alice_id}"\}\}\}

event: complete
data:


b event: next
data: \{"data":\{"a":\{"id":"%{alice_id}"\}\}\}

event: complete
data:


c event: next
data: \{"errors":\[.*BAD_USER_INPUT.*\]\}

event: complete
data:


d$

=== TEST 18: auth_request for who accepts events
--- config
location = /page { auth_request /check; root html; try_files /page.html =404; }
location = /check { rewrite ^ /graphql?query=%7Bme%7Bid%7D%7D break; prompt_graphql; }
--- user_files
>>> page.html
page
--- more_headers eval
["Accept: text/event-stream\nX-API-Key: " . '%{alice_key}', "Accept: text/event-stream"]
--- request eval
["GET /page", "GET /page"]
--- error_code eval
[200, 401]
--- response_body_like eval
[qr/^page$/, qr/401/]
