# PostgreSQL or Redis away, slow, or in the way.

use lib 't/lib';
use PromptTest;

PromptTest::Env::setup();
PromptTest::Env::var('full_port', PromptTest::Env::full_port());

run_tests();

__DATA__

=== TEST 1: PostgreSQL away: a key that is cached answers what needs no database
--- graphql
{ __typename }
--- data
{"__typename": "Query"}

=== TEST 2: PostgreSQL away: an error in time, not a hang
--- postgres: "host=/nonexistent user=x dbname=x password=x" connect_timeout=500ms timeout=500ms
--- graphql
{ prompts { id } }
--- error_code_like: ^(200|503)$
--- code: INTERNAL_SERVER_ERROR
--- response_body_unlike: nonexistent
--- timeout: 3
--- allow_log: nonexistent

=== TEST 3: an address that does not answer
--- postgres: "host=127.0.0.1 port=%{full_port} user=x dbname=x password=x" connect_timeout=500ms timeout=500ms
--- graphql
{ prompts { id } }
--- error_code_like: ^(200|503)$
--- code: INTERNAL_SERVER_ERROR
--- timeout: 3
--- allow_log: no answer in time|timed out

=== TEST 4: a wrong password
--- postgres: "host=%{pg_host} user=prompt_app dbname=%{database} password=wrong-password" connect_timeout=500ms timeout=500ms
--- graphql
{ prompts { id } }
--- error_code_like: ^(200|503)$
--- code: INTERNAL_SERVER_ERROR
--- response_body_unlike: wrong-password|prompt_app
--- timeout: 3
--- no_error_log
wrong-password
--- allow_log: password authentication failed

=== TEST 5: a database without the schema
--- postgres: "host=%{pg_host} user=postgres dbname=postgres" connect_timeout=500ms timeout=500ms
--- graphql
{ prompts { id } }
--- error_code_like: ^(200|503)$
--- code: INTERNAL_SERVER_ERROR
--- response_body_unlike: relation
--- timeout: 3
--- allow_log: migrate|schema|relation|prompt

=== TEST 6: a statement that waits for a lock ends with the time limit
--- postgres: "host=%{pg_host} user=prompt_app dbname=%{database} password=canary-database-password" connections=1 timeout=500ms
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'locked', 'GENERAL', false, now(), 0);
--- init
system("psql -X -q -h '%{pg_host}' -U postgres -d %{database} -c \"BEGIN; SELECT 1 FROM prompts FOR UPDATE; SELECT pg_sleep(3)\" >/dev/null 2>&1 &");
for (1 .. 200) {
    last if PromptTest::Env::psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = '%{database}'") =~ /^1/;
    select undef, undef, undef, 0.03;
}
--- graphql
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {description: "x"}) { id } }
--- code: INTERNAL_SERVER_ERROR
--- response_body_like: Somebody else is changing this; try again\. Nothing was changed\.
--- timeout: 2
--- allow_log: lock

=== TEST 7: and the next block finds the database as before
--- graphql
{ prompts { name } }
--- data
{"prompts": [{"name": "locked"}]}

=== TEST 8: Redis that does not answer costs its time limit, once
--- redis: 127.0.0.1:%{full_port} timeout=100ms
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}
--- timeout: 2
--- allow_log: redis|Redis

=== TEST 9: Redis that is no Redis
--- redis: 127.0.0.1:%{provider_port} timeout=100ms
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}
--- allow_log: redis|Redis

=== TEST 10: deleting a key with Redis away waits until no cached copy is left
--- redis: unix:/nonexistent/redis.sock
--- http_config
prompt_key_cache valid=1s unknown=1s;
--- sql
INSERT INTO api_keys (id, user_id, hash, name, hint) VALUES ('01890000-0000-7000-8000-00000000000f', '%{alice_id}', decode(repeat('00', 32), 'hex'), 'gone', 'h');
--- init
PromptTest::Env::var('started', time);
--- graphql
mutation { deleteApiKey(id: "01890000-0000-7000-8000-00000000000f") }
--- data
{"deleteApiKey": true}
--- timeout: 8
--- allow_log: nonexistent

=== TEST 11: PostgreSQL away from the start: nginx starts, every operation says so, in time
--- postgres: "host=/nonexistent user=x dbname=x password=x" connect_timeout=300ms timeout=300ms
--- redis: unix:%{redis_socket} prefix=nothing:%{alice_id}:
--- cases
{ prompts { id } } => 503 INTERNAL_SERVER_ERROR /^[^\/]*$/
{ prompt(id: "01890000-0000-7000-8000-000000000001") { id } } => 503 INTERNAL_SERVER_ERROR
mutation { createPrompt(input: {name: "x"}) { id } } => 503 INTERNAL_SERVER_ERROR
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } } => 503 INTERNAL_SERVER_ERROR
mutation { deletePrompt(id: "01890000-0000-7000-8000-000000000001") } => 503 INTERNAL_SERVER_ERROR
mutation { createApiKey(input: {name: "x"}) { key } } => 503 INTERNAL_SERVER_ERROR
--- provider_calls: 0
--- allow_log: nonexistent

=== TEST 12: a database that is not migrated: the log says what to do
--- init
PromptTest::Env::psql('CREATE DATABASE ' . PromptTest::Env::var('database') . '_empty', 'postgres');
--- postgres: "host=%{pg_host} user=postgres dbname=%{database}_empty" connect_timeout=3s timeout=3s
--- graphql
{ prompts { id } }
--- error_code_like: ^(200|503)$
--- code: INTERNAL_SERVER_ERROR
--- response_body_unlike: relation|prompt_
--- error_log
promptctl migrate
--- allow_log: migrate|relation

=== TEST 13: connections that are cut are made again
--- request eval
[map { "POST /graphql\n{\"query\":\"{ prompts { name } }\"}" } 1 .. 3]
--- key: alice
--- more_headers
Content-Type: application/json
--- init
$::cut = fork;
if (!$::cut) {
    for (1 .. 20) {
        select undef, undef, undef, 0.05;
        system("psql -X -q -h '%{pg_host}' -U postgres -d postgres -c \"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%{database}' AND state = 'idle'\" >/dev/null 2>&1");
    }
    require POSIX; POSIX::_exit(0);
}
--- error_code eval
[200, 200, 200]
--- response_body_like eval
[map { qr/"name":"locked"/ } 1 .. 3]
--- allow_log: terminat|closed|connection

=== TEST 14: all of Redis forgotten between requests
--- init
waitpid $::cut, 0; PromptTest::Env::redis('flushall');
--- cases
{ me { id } } => {"me": {"id": "%{alice_id}"}}
bob: { me { id } } => {"me": {"id": "%{bob_id}"}}
{ me { id } } => {"me": {"id": "%{alice_id}"}}

=== TEST 15: Redis refuses: a password that is wrong
--- redis: unix:%{redis_socket} user=nobody password=wrong timeout=500ms
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}
--- no_error_log
password=wrong
--- allow_log: redis
