# The locations that limit_except and if make inside a location of ours are
# what it is; those that have a handler of their own are not.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: a method that limit_except lets through
--- config
location = /graphql {
    limit_except POST { deny all; }
    prompt_graphql;
}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 2: one that it refuses is refused in JSON
--- config
location = /graphql {
    limit_except POST { deny all; }
    prompt_graphql;
}
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D
--- error_code: 403
--- response_headers
Content-Type: application/json; charset=utf-8
--- response_body chomp
{"errors":[{"message":"Access is forbidden by this server.","extensions":{"code":"FORBIDDEN"}}]}

=== TEST 3: one that it lets through under conditions reaches the endpoint
--- config
location = /graphql {
    limit_except POST { allow all; }
    prompt_graphql;
}
--- key: alice
--- request
GET /graphql?query=%7Bme%7Bid%7D%7D
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 4: settings are inherited
--- config
location = /graphql {
    prompt_introspection off;
    prompt_limits depth=1;
    prompt_graphql;
    limit_except POST { allow all; }
}
--- key: alice
--- request eval
["GET /graphql?query=%7Bme%7Bid%7D%7D",
 "GET /graphql?query=%7B__schema%7BqueryType%7Bname%7D%7D%7D"]
--- error_code eval
[200, 200]
--- response_body_like eval
[qr/BAD_USER_INPUT/, qr/ntrospection/]

=== TEST 5: an if that only sets something
--- config
location = /graphql {
    prompt_graphql;
    if ($http_x_test) { set $seen 1; }
}
--- more_headers
X-Test: 1
--- graphql
{ me { id } }
--- key: alice
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 6: errors of an if are JSON
--- config
location = /graphql {
    prompt_graphql;
    if ($http_x_test) { return 429; }
}
--- more_headers
X-Test: 1
--- graphql
{ me { id } }
--- error_code: 429
--- code: BAD_USER_INPUT

=== TEST 7: and errors that nginx finds in it
--- config
location = /graphql {
    client_max_body_size 100;
    prompt_graphql;
    if ($http_x_test) { set $seen 1; }
}
--- more_headers
X-Test: 1
--- request eval
"POST /graphql\n" . "x" x 200
--- error_code: 413
--- code: BAD_USER_INPUT

=== TEST 8: trusted documents are those of the location
--- config
location = /graphql {
    prompt_documents ../html/docs only;
    prompt_graphql;
    if ($http_x_test) { set $seen 1; }
}
--- user_files
>>> docs/a.graphql
{ __typename }
--- more_headers
X-Test: 1
--- graphql
{ me { id } }
--- errors
[{"extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 9: a handler of its own
--- config
location = /graphql {
    prompt_graphql;
    if ($http_x_test) { proxy_pass http://127.0.0.1:$server_port/other; }
}
location = /other { return 404 "no endpoint"; }
--- more_headers
X-Test: 1
--- graphql
{ me { id } }
--- error_code: 404
--- response_body chomp
no endpoint

=== TEST 10: the console
--- config
location = /console {
    prompt_console path=../html/d;
    if ($http_x_test) { set $seen 1; }
}
--- user_files
>>> d/console.html
<html>{{style}}{{script}}
>>> d/console.css
a{}
>>> d/console.js
1
--- more_headers
X-Test: 1
--- request
GET /console
--- response_body_like: <html

=== TEST 11: the console, by limit_except
--- config
location = /console {
    prompt_console path=../html/d;
    limit_except POST { allow all; }
}
--- user_files
>>> d/console.html
<html>{{style}}{{script}}
>>> d/console.css
a{}
>>> d/console.js
1
--- request
GET /console
--- response_body_like: <html

=== TEST 12: the metrics
--- config
location = /metrics {
    prompt_metrics;
    limit_except POST { allow 127.0.0.1; deny all; }
    if ($http_x_test) { set $seen 1; }
}
--- request eval
["GET /metrics", "GET /metrics"]
--- more_headers eval
["", "X-Test: 1"]
--- error_code eval
[200, 200]
--- response_body_like eval
[qr/^# HELP/, qr/^# HELP/]

=== TEST 13: the stand-in provider
--- config
location = /echo {
    prompt_echo;
    limit_except GET { allow all; }
    if ($http_x_test) { set $seen 1; }
}
--- request eval
[map { "POST /echo\n" . '{"model":"m","messages":[{"role":"user","content":"hello"}]}' } 1, 2]
--- more_headers eval
["", "X-Test: 1"]
--- error_code eval
[200, 200]
--- response_body_like eval
[qr/"content":"hello"/, qr/"content":"hello"/]

=== TEST 14: a location inside the endpoint's is none itself
--- config
location /api {
    prompt_graphql;
    location = /api/other { return 404 "no endpoint"; }
}
--- request
GET /api/other
--- error_code: 404
--- response_body chomp
no endpoint

=== TEST 15: endpoints with equal limits have their plans together
--- config
# one of three plans is that of cells of runs, made with the configuration
location = /same { prompt_graphql; }
location = /other { prompt_graphql; prompt_limits depth=19; }
location = /count { prompt_metrics; }
--- request eval
[(map { "POST $_\n" . '{"query":"{ me { id } }"}' } qw(/graphql /same /other /same)),
 "GET /count"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200, 200, 200, 200]
--- response_body_like eval
[(qr/"data"/) x 4,
 qr/(?s)\A(?=.*^prompt_documents_total\{cache="hit"\} 2$)(?=.*^prompt_documents_total\{cache="miss"\} 3$)/m]
