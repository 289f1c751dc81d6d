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

=== TEST 22: what is refused, and with which field
--- graphql
mutation ($i: CreateApiKeyInput!) { createApiKey(input: $i) { apiKey { name scopes expiresAt } } }
--- cases eval
'{"i": {"name": "a\u0000"}} => BAD_USER_INPUT name
{"i": {"name": "' . 'n' x 10001 . '"}} => BAD_USER_INPUT name
{"i": {"name": "' . 'n' x 129 . '"}} => BAD_USER_INPUT name /name must not be longer than 128 characters/
{"i": {"name": "   "}} => BAD_USER_INPUT name /name must not be empty or blank/
{"i": {"name": "\u00a0\u2003\u200b"}} => BAD_USER_INPUT name /name must not be empty or blank/
{"i": {"name": "\u3164\u2800"}} => BAD_USER_INPUT name /name must not be empty or blank/
{"i": {"name": "\ufe0f\udb40\udc41 \uffa0"}} => BAD_USER_INPUT name /name must not be empty or blank/
{"i": {"name": "a\nb"}} => BAD_USER_INPUT name /name must not contain the control character U.000A/
{"i": {"name": "\u001b[2J"}} => BAD_USER_INPUT name /control character U.001B/
{"i": {"name": "a\u0085"}} => BAD_USER_INPUT name /control character U.0085/
{"i": {"name": "\u202ecba"}} => BAD_USER_INPUT name /control character U.202E/
{"i": {"name": "' . "\xf0\x9f\x98\x80" x 128 . '"}} => {"createApiKey": {"apiKey": {"name": "<string>", "scopes": [], "expiresAt": null}}}
{"i": {"name": "x", "scopes": []}} => BAD_USER_INPUT scopes /must not be empty/
{"i": {"name": "x", "scopes": ["read", "Read"]}} => BAD_USER_INPUT scopes
{"i": {"name": "x", "scopes": [""]}} => BAD_USER_INPUT scopes
{"i": {"name": "x", "scopes": ["read, write"]}} => BAD_USER_INPUT scopes
{"i": {"name": "x", "expiresAt": "2099-02-30T00:00:00Z"}} => BAD_USER_INPUT
{"i": {"name": "x", "expiresAt": "2099-01-01"}} => BAD_USER_INPUT
{"i": {"name": "x", "expiresAt": 4070908800}} => BAD_USER_INPUT
{"i": {"name": "x", "expiresAt": "1970-01-01T00:00:00Z"}} => BAD_USER_INPUT expiresAt
{"i": {"scopes": []}} => BAD_USER_INPUT /Field "name" of required type "String!" was not provided/
{"i": {"name": "fine", "scopes": null, "expiresAt": null}} => {"createApiKey": {"apiKey": {"name": "fine", "scopes": [], "expiresAt": null}}}
{"i": {"name": "Ünï 😀", "scopes": ["execute", "read"]}} => {"createApiKey": {"apiKey": {"name": "Ünï 😀", "scopes": "<any>", "expiresAt": null}}}
{"i": {"name": "zone", "expiresAt": "2099-01-01T02:00:00.123+02:00"}} => {"createApiKey": {"apiKey": {"name": "zone", "scopes": [], "expiresAt": "2099-01-01T00:00:00.123Z"}}}'

=== TEST 23: a key of few scopes gives no more, whichever way it is asked
--- key: alice_keys
--- cases
mutation { createApiKey(input: {name: "more", scopes: []}) { key } } => BAD_USER_INPUT scopes
mutation { createApiKey(input: {name: "more", scopes: null}) { key } } => FORBIDDEN scopes
mutation { createApiKey(input: {name: "more", scopes: ["keys", "read"]}) { key } } => FORBIDDEN
mutation { createApiKey(input: {name: "same", scopes: ["keys"]}) { apiKey { scopes } } } => {"createApiKey": {"apiKey": {"scopes": ["keys"]}}}

=== TEST 24: deleted ids: none, another's, malformed
--- cases
mutation { deleteApiKey(id: "x") } => NOT_FOUND /x/
mutation { deleteApiKey(id: "") } => NOT_FOUND
mutation { deleteApiKey(id: 7) } => NOT_FOUND

=== TEST 25: a key that deletes itself is refused from then on
--- graphql
mutation { createApiKey(input: {name: "self"}) { key apiKey { id } } }
--- error_code: 200
--- save
self_key = data.createApiKey.key
self_id = data.createApiKey.apiKey.id

=== TEST 26: it answers true, and then no more
--- key: self
--- cases
mutation { deleteApiKey(id: "%{self_id}") } => {"deleteApiKey": true}
{ me { id } } => 401 UNAUTHENTICATED
mutation { deleteApiKey(id: "%{self_id}") } => 401 UNAUTHENTICATED

=== TEST 27: made, used and deleted in one request: mutations see each other
--- graphql
mutation { a: createApiKey(input: {name: "one"}) { key } b: createApiKey(input: {name: "two"}) { key } }
--- data
{"a": {"key": "/^pmt_[0-9A-Za-z]{38}$/"}, "b": {"key": "/^pmt_[0-9A-Za-z]{38}$/"}}
--- sql_check
SELECT count(DISTINCT hash) FROM api_keys WHERE name IN ('one', 'two')
--- sql_result: 2

=== TEST 28: no key and no hash of one is to be had by any query
--- graphql
{ apiKeys { id name hint scopes createdAt expiresAt } }
--- response_body_unlike: pmt_[0-9A-Za-z]{8}
--- error_code: 200

=== TEST 29: a key that ends
--- graphql
mutation { createApiKey(input: {name: "ends", expiresAt: "2099-01-31T12:00:00.123Z"}) { key } }
--- error_code: 200
--- save
ends_key = data.createApiKey.key

=== TEST 30: makes none that does not, or later
--- key: ends
--- graphql
mutation ($i: CreateApiKeyInput!) { createApiKey(input: $i) { apiKey { expiresAt } } }
--- cases
{"i": {"name": "x"}} => {"createApiKey": {"apiKey": {"expiresAt": "2099-01-31T12:00:00.123Z"}}}
{"i": {"name": "x", "expiresAt": null}} => {"createApiKey": {"apiKey": {"expiresAt": "2099-01-31T12:00:00.123Z"}}}
{"i": {"name": "x", "expiresAt": "2099-01-31T12:00:00.124Z"}} => FORBIDDEN expiresAt /no later/
{"i": {"name": "x", "expiresAt": "9999-12-31T23:59:59Z"}} => FORBIDDEN expiresAt
{"i": {"name": "x", "expiresAt": "2099-01-31T13:00:00.124+01:00"}} => FORBIDDEN expiresAt
{"i": {"name": "x", "expiresAt": "2099-01-31T12:00:00.123Z"}} => {"createApiKey": {"apiKey": {"expiresAt": "2099-01-31T12:00:00.123Z"}}}
{"i": {"name": "x", "scopes": ["read"], "expiresAt": "2098-01-31T12:00:00Z"}} => {"createApiKey": {"apiKey": {"expiresAt": "2098-01-31T12:00:00.000Z"}}}

=== TEST 31: nor where it is read from PostgreSQL each time
--- redis: unix:/nonexistent
--- key: ends
--- graphql
mutation { createApiKey(input: {name: "x", expiresAt: "2100-01-01T00:00:00Z"}) { key } }
--- code: FORBIDDEN expiresAt
--- allow_log: Redis

=== TEST 32: who made it, and by which key
--- graphql
mutation { createApiKey(input: {name: "told", scopes: ["promote", "admin", "read"]}) { apiKey { scopes parentId createdBy { id email } } } }
--- data
{"createApiKey": {"apiKey": {"scopes": ["read", "admin", "promote"], "parentId": "<uuid>", "createdBy": {"id": "%{alice_id}", "email": "alice@example.com"}}}}
--- sql_check
SELECT count(*) FROM api_keys k JOIN api_keys p ON p.id = k.parent_id WHERE k.name = 'told' AND p.name = 'test'
--- sql_result: 1

=== TEST 33: a page of them
--- graphql
{ apiKeys(first: 1) { name parentId createdBy { email } } }
--- data
{"apiKeys": [{"name": "told", "parentId": "<uuid>", "createdBy": {"email": "alice@example.com"}}]}
