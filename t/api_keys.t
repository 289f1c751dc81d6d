# API keys as a resource: created, listed, deleted, revoked at once.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: created: the key is shown this once
--- graphql
mutation { createApiKey(input: {name: "ci"}) { key apiKey { id name hint scopes createdAt expiresAt } } }
--- data
{"createApiKey": {"key": "/^pmt_[0-9A-Za-z]{38}$/", "apiKey": {"id": "<uuid>", "name": "ci", "hint": "/^pmt_[0-9A-Za-z]{4}…[0-9A-Za-z]{4}$/", "scopes": [], "createdAt": "<time>", "expiresAt": null}}}
--- save
ci_key = data.createApiKey.key
ci_id = data.createApiKey.apiKey.id
--- sql_check
SELECT length(hash), count(*) OVER () FROM api_keys WHERE name = 'ci'
--- sql_result: 32|1

=== TEST 2: it is a key
--- key: ci
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 3: it stands in the list, newest first
--- graphql
{ apiKeys { id name } }
--- data
{"apiKeys": [{"id": "%{ci_id}", "name": "ci"}, {"id": "<uuid>", "name": "keys"}, {"id": "<uuid>", "name": "execute"}, {"id": "<uuid>", "name": "write"}, {"id": "<uuid>", "name": "read"}, {"id": "<uuid>", "name": "test"}]}

=== TEST 4: not in another's
--- key: bob
--- graphql
{ apiKeys { name } }
--- data
{"apiKeys": [{"name": "keys"}, {"name": "execute"}, {"name": "write"}, {"name": "read"}, {"name": "test"}]}

=== TEST 5: another cannot delete it
--- key: bob
--- graphql
mutation { deleteApiKey(id: "%{ci_id}") }
--- code: NOT_FOUND

=== TEST 6: used, deleted, refused: in one connection after the other, with the cache warm
--- request eval
["POST /graphql\n" . '{"query":"{ me { id } }"}',
 "POST /graphql\n" . '{"query":"mutation { deleteApiKey(id: \"%{ci_id}\") }"}',
 "POST /graphql\n" . '{"query":"{ me { id } }"}']
--- more_headers eval
["Content-Type: application/json\nAuthorization: Bearer %{ci_key}\n",
 "Content-Type: application/json\nAuthorization: Bearer %{alice_key}\n",
 "Content-Type: application/json\nAuthorization: Bearer %{ci_key}\n"]
--- error_code eval
[200, 200, 401]
--- response_body_like eval
[qr/"id"/, qr/^\{"data":\{"deleteApiKey":true\}\}/, qr/UNAUTHENTICATED/]

=== TEST 7: deleting it again answers true
--- graphql
mutation { deleteApiKey(id: "%{ci_id}") }
--- data
{"deleteApiKey": true}

=== TEST 8: the list forgot it
--- graphql
{ apiKeys { name } }
--- data
{"apiKeys": [{"name": "keys"}, {"name": "execute"}, {"name": "write"}, {"name": "read"}, {"name": "test"}]}

=== TEST 9: an id that never was a key
--- graphql
mutation { deleteApiKey(id: "01890000-0000-7000-8000-000000000000") }
--- errors
[{"message": "/01890000-0000-7000-8000-000000000000/", "extensions": {"code": "NOT_FOUND"}}]

=== TEST 10: with scopes and an end
--- graphql
mutation { createApiKey(input: {name: "limited", scopes: ["read", "execute"], expiresAt: "2099-01-31T12:00:00Z"}) { key apiKey { scopes expiresAt } } }
--- data
{"createApiKey": {"key": "<string>", "apiKey": {"scopes": ["read", "execute"], "expiresAt": "2099-01-31T12:00:00.000Z"}}}
--- save
limited_key = data.createApiKey.key

=== TEST 11: which hold
--- key: limited
--- graphql
mutation { createPrompt(input: {name: "x"}) { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 12: an unknown scope
--- graphql
mutation { createApiKey(input: {name: "x", scopes: ["fly"]}) { key } }
--- code: BAD_USER_INPUT scopes

=== TEST 13: an end in the past
--- graphql
mutation { createApiKey(input: {name: "x", expiresAt: "2001-01-31T12:00:00Z"}) { key } }
--- code: BAD_USER_INPUT expiresAt

=== TEST 14: an end that is no moment
--- graphql
mutation { createApiKey(input: {name: "x", expiresAt: "tomorrow"}) { key } }
--- errors
[{"extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 15: a key that may only make keys cannot give more than it has
--- key: alice_keys
--- graphql
mutation { createApiKey(input: {name: "more", scopes: ["write"]}) { key } }
--- errors
[{"extensions": {"code": "/^(BAD_USER_INPUT|FORBIDDEN)$/"}}]

=== TEST 16: nor all
--- key: alice_keys
--- graphql
mutation { createApiKey(input: {name: "more"}) { key } }
--- errors
[{"extensions": {"code": "/^(BAD_USER_INPUT|FORBIDDEN)$/"}}]

=== TEST 17: an empty name
--- graphql
mutation { createApiKey(input: {name: ""}) { key } }
--- code: BAD_USER_INPUT name

=== TEST 18: the key itself is nowhere in the database
--- graphql
{ me { id } }
--- sql_check
SELECT count(*) FROM api_keys WHERE hint LIKE '%' || substr('%{limited_key}', 10, 20) || '%'
--- sql_result: 0

=== TEST 19: deleted by promptctl: refused at once
--- graphql
mutation { createApiKey(input: {name: "byctl"}) { key apiKey { id } } }
--- error_code: 200
--- save
byctl_key = data.createApiKey.key
byctl_id = data.createApiKey.apiKey.id

=== TEST 20: with the cache warm
--- key: byctl
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 21: now
--- init
PromptTest::Env::promptctl('key', 'delete', '%{byctl_id}');
--- key: byctl
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED
