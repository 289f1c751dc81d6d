# Limits of one document, and introspection.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: tokens
--- http_config
prompt_limits tokens=10;
--- graphql
{ me { id email name } prompts { id name } }
--- code: BAD_USER_INPUT

=== TEST 2: as many tokens as there may be
--- http_config
prompt_limits tokens=10;
--- graphql
{ me { id email name } }
--- data
{"me": {"id": "%{alice_id}", "email": "alice@example.com", "name": "Alice"}}

=== TEST 3: depth
--- http_config
prompt_limits depth=2;
--- graphql
{ prompts { versions { id } } }
--- errors
[{"message": "/depth.*2|2.*deep/", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 4: depth by way of fragments
--- http_config
prompt_limits depth=2;
--- graphql
{ ...A } fragment A on Query { prompts { ...B } } fragment B on Prompt { versions { id } }
--- code: BAD_USER_INPUT

=== TEST 5: depth that is allowed
--- http_config
prompt_limits depth=3;
--- graphql
{ prompts { versions { id } } }
--- data
{"prompts": []}

=== TEST 6: aliases
--- http_config
prompt_limits aliases=2;
--- graphql
{ a: me { id } b: me { id } c: me { id } }
--- code: BAD_USER_INPUT

=== TEST 7: root fields
--- http_config
prompt_limits root_fields=2;
--- graphql
{ me { id } prompts { id } apiKeys { id } }
--- code: BAD_USER_INPUT

=== TEST 8: complexity
--- http_config
prompt_limits complexity=20;
--- graphql
{ prompts { id name versions { id content } } }
--- code: BAD_USER_INPUT

=== TEST 9: a location may allow more
--- http_config
prompt_limits depth=1;
--- config
location = /graphql { prompt_graphql; prompt_limits depth=3; }
--- graphql
{ prompts { versions { id } } }
--- data
{"prompts": []}

=== TEST 10: and what it does not say is inherited
--- http_config
prompt_limits depth=1;
--- config
location = /graphql { prompt_graphql; prompt_limits aliases=3; }
--- graphql
{ prompts { versions { id } } }
--- code: BAD_USER_INPUT

=== TEST 11: 200 fields that may overlap, 100 times
--- graphql eval
'{ me { ' . join(' ', map { "...F" } 1 .. 100) . ' } } fragment F on User { ' . ('id ' x 200) . '}'
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 12: a cycle of fragments
--- graphql
{ me { ...A } } fragment A on User { ...B } fragment B on User { ...A }
--- code: BAD_USER_INPUT

=== TEST 13: 5,000 levels
--- graphql eval
('{ me ' x 2000) . ('}' x 2000)
--- errors
[{"extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 14: 5,000 opening brackets
--- graphql eval
'{ prompts(first: ' . ('[' x 4000) . (']' x 4000) . ') { id } }'
--- errors
[{"extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 15: deep JSON in the body
--- body eval
'{"query": "{ me { id } }", "variables": ' . ('{"a":' x 10000) . '1' . ('}' x 10000) . '}'
--- error_code_like: ^(200|400)$
--- code: BAD_USER_INPUT

=== TEST 16: introspection
--- graphql
{ __schema { queryType { name } mutationType { name } } __type(name: "Execution") { fields { name } } }
--- data
{"__schema": {"queryType": {"name": "Query"}, "mutationType": {"name": "Mutation"}}, "__type": {"fields": [{"name": "id"}, {"name": "status"}, {"name": "latencyMs"}, {"name": "tokenIn"}, {"name": "tokenOut"}, {"name": "costUsd"}, {"name": "version"}, {"name": "model"}, {"name": "input"}, {"name": "output"}, {"name": "error"}, {"name": "createdAt"}, {"name": "finishedAt"}]}}

=== TEST 17: switched off
--- http_config
prompt_introspection off;
--- graphql
{ __type(name: "User") { name } }
--- errors
[{"message": "/introspection/", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 18: switched off, __typename stays
--- http_config
prompt_introspection off;
--- graphql
{ __typename me { __typename } }
--- data
{"__typename": "Query", "me": {"__typename": "User"}}

=== TEST 19: switched off, but on here
--- http_config
prompt_introspection off;
--- config
location = /graphql { prompt_graphql; prompt_introspection on; }
--- graphql
{ __schema { queryType { name } } }
--- data
{"__schema": {"queryType": {"name": "Query"}}}

=== TEST 20: introspection asks for a key like everything else
--- key: none
--- graphql
{ __schema { queryType { name } } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 21: the plan cache tells the documents of two locations apart
--- config
location = /strict { prompt_graphql; prompt_limits depth=1; }
--- request eval
["POST /graphql\n{\"query\":\"{ me { id } }\"}",
 "POST /strict\n{\"query\":\"{ me { id } }\"}",
 "POST /graphql\n{\"query\":\"{ me { id } }\"}"]
--- more_headers
Content-Type: application/json
--- key: alice
--- response_body_like eval
[qr/"data":\{"me"/, qr/"errors"/, qr/"data":\{"me"/]
