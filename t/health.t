# What a load balancer is told.

use lib 't/lib';
use IO::Socket::INET;
use PromptTest;

PromptTest::Env::setup();
PromptTest::Env::var('full_port', PromptTest::Env::full_port());

# the system makes connections to it, and nobody says a word
my $mute = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 64)
    or die "listen: $!\n";

PromptTest::Env::var('mute_port', $mute->sockport);

run_tests();

__DATA__

=== TEST 1: all is well
--- config
location = /health { prompt_health; }
--- request eval
["POST /graphql\n{\"query\":\"{ me { id } }\"}", "GET /health"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200]
--- response_headers_like eval
["", "Cache-Control: no-store\nContent-Type: text/plain"]
--- response_body_like eval
[qr/data/, qr/\Aok\npostgresql: reached\npool: [12] of 2 connections, 0 waiting\nschema: version \d+, fits\nredis: reached\n\z/]

=== TEST 2: HEAD has the status, the headers and no more
--- config
location = /health { prompt_health; }
--- request eval
["POST /graphql\n{\"query\":\"{ me { id } }\"}", "HEAD /health"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200]
--- response_headers_like eval
["", "Cache-Control: no-store"]
--- response_body_like eval
[qr/data/, qr/\A\z/]

=== TEST 3: no other method
--- config
location = /health { prompt_health; }
--- request eval
["POST /health\nx", "PUT /health\nx", "DELETE /health"]
--- error_code eval
[405, 405, 405]
--- response_body_like eval
[qr/405/, qr/405/, qr/405/]

=== TEST 4: over and over
--- config
location = /health { prompt_health; }
--- request eval
["POST /graphql\n{\"query\":\"{ me { id } }\"}", "GET /health", "GET /health", "GET /health"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200, 200, 200]
--- response_body_like eval
[qr/data/, qr/\Aok\n/, qr/\Aok\n/, qr/\Aok\n/]

=== TEST 5: PostgreSQL is not there
--- postgres: "host=/nonexistent user=x dbname=x password=x" connect_timeout=300ms timeout=300ms
--- config
location = /health { prompt_health; }
--- request eval
["GET /health", "GET /health", "HEAD /health"]
--- error_code eval
[503, 503, 503]
--- response_headers_like eval
["Cache-Control: no-store", "Cache-Control: no-store", "Cache-Control: no-store"]
--- response_body_like eval
[(qr/\Aunavailable\npostgresql: not reached\npool: 0 of 4 connections, 0 waiting\nschema: not known\nredis: reached\n\z/) x 2, qr/\A\z/]
--- allow_log: nonexistent

=== TEST 6: an address that does not answer
--- postgres: "host=127.0.0.1 port=%{full_port} user=x dbname=x password=x" connect_timeout=5s timeout=5s
--- config
location = /health { prompt_health; }
--- request
GET /health
--- error_code: 503
--- response_body_like: \Aunavailable\npostgresql: not reached\n
--- response_body_unlike: 127\.0\.0\.1|password
--- allow_log: no answer in time|timed out

=== TEST 7: TLS that hangs
--- postgres: "host=127.0.0.1 port=%{mute_port} user=x dbname=x password=x sslmode=require" connect_timeout=5s timeout=5s
--- config
location = /health { prompt_health; }
--- request
GET /health
--- error_code: 503
--- response_body_like: \Aunavailable\n
--- allow_log: no answer in time|timed out

=== TEST 8: a wrong password is nobody's business
--- postgres: "host=%{pg_host} user=prompt_app dbname=%{database} password=wrong-password" connect_timeout=500ms timeout=500ms
--- config
location = /health { prompt_health; }
--- request
GET /health
--- error_code: 503
--- response_body_unlike: wrong|prompt_app|prompt_test
--- allow_log: password authentication failed

=== TEST 9: a database without the schema
--- postgres: "host=%{pg_host} user=postgres dbname=postgres" connect_timeout=500ms timeout=500ms
--- redis: unix:%{redis_socket} prefix=nothing:%{alice_id}:
--- config
location = /health { prompt_health; }
--- request eval
["POST /graphql\n{\"query\":\"{ me { id } }\"}", "GET /health"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[503, 503]
--- response_body_like eval
[qr/errors/, qr/\Aunavailable\npostgresql: reached\n.*\nschema: none yet, or an older one: run "promptctl migrate"\n/]
--- allow_log: migrate|schema|relation|prompt

=== TEST 10: Redis away: what works all the same is served
--- redis: unix:/nonexistent/redis.sock
--- config
location = /health { prompt_health; }
--- request eval
["POST /graphql\n{\"query\":\"{ me { id } }\"}", "GET /health"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200]
--- response_body_like eval
[qr/data/, qr/\Aok\npostgresql: reached\n.*\n.*\nredis: not reached, keys are looked up in PostgreSQL\n\z/]
--- allow_log: nonexistent

=== TEST 11: as the judge of another location
--- config
location = /health { internal; prompt_health; }
location = /x { auth_request /health; return 200 "in\n"; }
location = /y { auth_request /health; alias /etc/hostname; }
--- request eval
["POST /graphql\n{\"query\":\"{ me { id } }\"}", "GET /y"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200]
--- response_body_like eval
[qr/data/, qr/./]

=== TEST 12: the same where it says no
--- postgres: "host=/nonexistent user=x dbname=x password=x" connect_timeout=300ms timeout=300ms
--- config
location = /health { internal; prompt_health; }
location = /y { auth_request /health; alias /etc/hostname; }
--- request
GET /y
--- error_code: 500
--- allow_log: nonexistent|auth request unexpected status

=== TEST 13: without an endpoint nothing is served
--- bare
--- config
location = /health { prompt_health; }
--- request
GET /health
--- error_code: 503
--- response_headers
Cache-Control: no-store
--- response_body
unavailable
There is no prompt_graphql location.

=== TEST 14: one thing a location
--- bare
--- config
location = /x { prompt_health; prompt_echo; }
--- must_die
--- error_log
"prompt_echo"

=== TEST 15: a newer schema that bears this module
--- sql
INSERT INTO prompt_migrations (version, name, checksum, compatible_with) SELECT max(version) + n, 'x' || n, 'x', max(version) - n + 1 FROM prompt_migrations, generate_series(1, 2) n GROUP BY n
--- config
location = /health { prompt_health; }
--- request eval
["POST /graphql\n{\"query\":\"{ me { id } }\"}", "GET /health"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200]
--- response_body_like eval
[qr/data/, qr/\Aok\n/]

=== TEST 16: a newer one that does not
--- sql
UPDATE prompt_migrations SET compatible_with = version WHERE name = 'x1'
--- postgres: "host=%{pg_host} user=postgres dbname=%{database}" connect_timeout=500ms timeout=500ms
--- redis: unix:%{redis_socket} prefix=nothing:%{alice_id}:
--- config
location = /health { prompt_health; }
--- request eval
["POST /graphql\n{\"query\":\"{ me { id } }\"}", "GET /health"]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[503, 503]
--- response_body_like eval
[qr/errors/, qr/\Aunavailable\npostgresql: reached\n.*\nschema: version \d+, this module needs \d+: install the module that goes with it\n/]
--- allow_log: this module needs

=== TEST 17: a server that says nothing after the connection is made
--- postgres: "host=127.0.0.1 port=%{mute_port} user=x dbname=x password=x sslmode=disable" connect_timeout=5s timeout=5s
--- config
location = /health { prompt_health; }
--- request eval
["GET /health", "GET /health"]
--- error_code eval
[503, 503]
--- response_body_like eval
[(qr/\Aunavailable\npostgresql: not reached\npool: 0 of 4 connections, 0 waiting\nschema: not known\n/) x 2]
--- allow_log: no answer in time|timed out
