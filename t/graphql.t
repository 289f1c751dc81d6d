# GraphQL as such: aliases, fragments, directives, operations, null, order.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: aliases, fragments, inline fragments, @skip and @include by variables
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'one', 'GENERAL', false, now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'text', '{"model":"free-fx:ok"}');
--- graphql
query ($a: Boolean!, $b: Boolean = false) { me { n: name @skip(if: $a) ...F @include(if: $b) ... on User @include(if: $a) { id } ... @skip(if: true) { name } } } fragment F on User { email ...G } fragment G on User { __typename }
--- cases
{"a": true} => {"me": {"id": "%{alice_id}"}}
{"a": true, "b": true} => {"me": {"email": "alice@example.com", "__typename": "User", "id": "%{alice_id}"}}
{"a": false, "b": true} => {"me": {"n": "Alice", "email": "alice@example.com", "__typename": "User"}}
{"a": null} => BAD_USER_INPUT /Variable "\$a" of non-null type "Boolean!" must not be null/
{"a": true, "b": null} => BAD_USER_INPUT
{} => BAD_USER_INPUT /Variable "\$a" of required type "Boolean!" was not provided/
{"a": "true"} => BAD_USER_INPUT /Boolean cannot represent a non boolean value: "true"/

=== TEST 2: a root field that is skipped is not run
--- graphql
mutation ($no: Boolean!) { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {name: "skipped"}) @skip(if: $no) { id } __typename }
--- cases
{"no": true} => {"__typename": "Mutation"}
--- sql_check
SELECT name FROM prompts
--- sql_result: one

=== TEST 3: fields of one name are merged
--- cases
{ me { id } me { name } ...A } fragment A on Query { me { email id } } => {"me": {"id": "%{alice_id}", "name": "Alice", "email": "alice@example.com"}}
{ prompts { name } prompts { versions { version } } prompts { versions { content } } } => {"prompts": [{"name": "one", "versions": [{"version": 1, "content": "text"}]}]}
{ me { x: id x: name } } => BAD_USER_INPUT /Fields "x" conflict because "id" and "name" are different fields/
{ prompts(first: 1) { id } prompts(first: 2) { id } } => BAD_USER_INPUT /they have differing arguments/

=== TEST 4: a mutation's field of one name runs once
--- graphql
mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {name: "once"}) { id } updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {name: "once"}) { name } }
--- data
{"updatePrompt": {"id": "01890000-0000-7000-8000-000000000001", "name": "once"}}

=== TEST 5: the members of data stand in the order of the document
--- graphql
{ z: me { name id } a: __typename prompts { versions { content version } name } m: me { id } }
--- response_body eval
'{"data":{"z":{"name":"Alice","id":"' . '%{alice_id}' . '"},"a":"Query","prompts":[{"versions":[{"content":"text","version":1}],"name":"once"}],"m":{"id":"' . '%{alice_id}' . '"}}}'

=== TEST 6: several root fields side by side, some of which fail
--- graphql
{ a: prompt(id: "1") { id } b: me { name } c: prompt(id: "01890000-0000-7000-8000-000000000001") { name } d: prompt(id: "2") { id } e: prompts { id } }
--- data
{"a": null, "b": {"name": "Alice"}, "c": {"name": "once"}, "d": null, "e": [{"id": "01890000-0000-7000-8000-000000000001"}]}
--- errors
[{"path": ["a"], "extensions": {"code": "NOT_FOUND"}}, {"path": ["d"], "extensions": {"code": "NOT_FOUND"}}]

=== TEST 7: fifteen root fields, each its own answer
--- graphql eval
'{' . CORE::join(' ', map { "f$_: prompts(first: $_) { name }" } 1 .. 15) . '}'
--- data eval
'{' . CORE::join(',', map { qq("f$_": [{"name": "once"}]) } 1 .. 15) . '}'

=== TEST 8: mutations run one after the other, each sees what came before
--- graphql
mutation { a: updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {name: "first"}) { name } b: createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "two", params: {model: "free-fx:ok"}}) { version } c: executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output versionUsed } d: updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {description: "d"}) { name versions { version executions { output } } } e: deletePrompt(id: "01890000-0000-7000-8000-000000000001") }
--- data
{"a": {"name": "first"}, "b": {"version": 2}, "c": {"output": "two", "versionUsed": 2}, "d": {"name": "first", "versions": [{"version": 1, "executions": []}, {"version": 2, "executions": [{"output": "two"}]}]}, "e": true}

=== TEST 9: one that fails is null; the others are done and answered
--- graphql
mutation { a: createPrompt(input: {name: "before"}) { id } b: deletePrompt(id: "nothing") c: createPrompt(input: {name: "after"}) { id } }
--- json
{"data": {"a": {"id": "<uuid>"}, "b": null, "c": {"id": "<uuid>"}}, "errors": [{"message": "/nothing/", "locations": "<any>", "path": ["b"], "extensions": {"code": "NOT_FOUND"}}]}
--- sql_check
SELECT string_agg(name, ',' ORDER BY name) FROM prompts
--- sql_result: after,before

=== TEST 10: operationName chooses
--- graphql
query A { a: __typename } mutation B { b: __typename } query C { c: __typename }
--- operation: B
--- data
{"b": "Mutation"}

=== TEST 11: operationName that is missing
--- graphql
query A { a: __typename } query B { b: __typename }
--- errors
[{"message": "/Must provide operation name if query contains multiple operations/", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 12: operationName that there is not
--- graphql
query A { a: __typename }
--- operation: D
--- errors
[{"message": "/Unknown operation named \"D\"/", "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 13: operationName null is none
--- body
{"query": "query A { __typename }", "operationName": null, "variables": null, "extensions": null}
--- data
{"__typename": "Query"}

=== TEST 14: no operation at all, and a subscription
--- cases
fragment F on User { id } => BAD_USER_INPUT
subscription { me { id } } => BAD_USER_INPUT
# nothing => BAD_USER_INPUT

=== TEST 15: syntax errors in graphql-js' words, with their place
--- cases
{ me { id } => BAD_USER_INPUT /^Syntax Error: Expected Name, found <EOF>\.$/
{ me { } } => BAD_USER_INPUT /^Syntax Error: Expected Name, found "}"\.$/
{ me(: 1) } => BAD_USER_INPUT /^Syntax Error: Expected Name, found ":"\.$/
{ prompt(id: "x) { id } } => BAD_USER_INPUT /^Syntax Error: Unterminated string\.$/
{ me { id? } } => BAD_USER_INPUT /^Syntax Error: Unexpected character: "\?"\.$/
{ prompts(first: 01) { id } } => BAD_USER_INPUT /^Syntax Error: Invalid number, unexpected digit after 0: "1"\.$/
query ($a: Int = $b) { me { id } } => BAD_USER_INPUT /^Syntax Error: Unexpected variable "\$b" in constant value\.$/

=== TEST 16: validation in graphql-js' words
--- cases
{ me { nam } } => BAD_USER_INPUT /^Cannot query field "nam" on type "User"\. Did you mean "name"\?$/
{ mee { id } } => BAD_USER_INPUT /^Cannot query field "mee" on type "Query"\. Did you mean "me"\?$/
{ me } => BAD_USER_INPUT /^Field "me" of type "User!" must have a selection of subfields\. Did you mean "me \{ \.\.\. \}"\?$/
{ prompt { id } } => BAD_USER_INPUT /^Field "prompt" argument "id" of type "ID!" is required, but it was not provided\.$/
{ me { ...X } } => BAD_USER_INPUT /^Unknown fragment "X"\.$/
{ me { id } } fragment X on User { id } => BAD_USER_INPUT /^Fragment "X" is never used\.$/
query ($x: Int) { me { id } } => BAD_USER_INPUT /^Variable "\$x" is never used\.$/
{ prompts(first: $x) { id } } => BAD_USER_INPUT /^Variable "\$x" is not defined\.$/
query ($x: String) { prompts(first: $x) { id } } => BAD_USER_INPUT /^Variable "\$x" of type "String" used in position expecting type "Int"\.$/
{ me { id @unknown } } => BAD_USER_INPUT /^Unknown directive "@unknown"\.$/
{ me { ... on Prompt { id } } } => BAD_USER_INPUT /^Fragment cannot be spread here as objects of type "User" can never be of type "Prompt"\.$/
{ prompt(id: "x", idd: 1) { id } } => BAD_USER_INPUT /^Unknown argument "idd" on field "Query\.prompt"\. Did you mean "id"\?$/
query A { me { id } } query A { me { id } } => BAD_USER_INPUT

=== TEST 17: errors of validation have places and no data; all of them are told
--- graphql
{ me { a b } }
--- json
{"errors": [{"message": "/\"a\"/", "locations": [{"line": 1, "column": 8}], "extensions": {"code": "BAD_USER_INPUT"}}, {"message": "/\"b\"/", "locations": [{"line": 1, "column": 10}], "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 18: lists of one, coerced; enumerations, IDs, defaults
--- cases
query ($i: CreateApiKeyInput!) { me { id } } ~ {"i": {"name": "x"}} => BAD_USER_INPUT /never used/
mutation ($s: [String!]) { createApiKey(input: {name: "one", scopes: $s}) { apiKey { scopes } } } ~ {"s": "read"} => {"createApiKey": {"apiKey": {"scopes": ["read"]}}}
mutation { createApiKey(input: {name: "two", scopes: "write"}) { apiKey { scopes } } } => {"createApiKey": {"apiKey": {"scopes": ["write"]}}}
mutation ($s: [String!]) { createApiKey(input: {name: "x", scopes: $s}) { key } } ~ {"s": [null]} => BAD_USER_INPUT /Expected non-nullable type "String!" not to be null/
query ($n: Int = 1) { prompts(first: $n) { name } } => {"prompts": [{"name": "after"}]}
query ($n: Int = 1) { prompts(first: $n) { name } } ~ {"n": 2.0} => {"prompts": [{"name": "after"}, {"name": "before"}]}

=== TEST 19: comments, commas, a byte order mark
--- body eval
qq({"query": "\\ufeff# comment \\n{,me,{,name,},}"})
--- data
{"me": {"name": "Alice"}}

=== TEST 20: the whole type system by introspection
--- graphql
query IntrospectionQuery { __schema { queryType { name } mutationType { name } subscriptionType { name } types { ...FullType } directives { name description locations args { ...InputValue } } } } fragment FullType on __Type { kind name description fields(includeDeprecated: true) { name description args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason } inputFields { ...InputValue } interfaces { ...TypeRef } enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } } fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue } fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }
--- response_body_like: ^\{"data":\{"__schema":\{"queryType":\{"name":"Query"\},"mutationType":\{"name":"Mutation"\},"subscriptionType":\{"name":"Subscription"\},.*"name":"PromptCategory".*"name":"include"

=== TEST 21: introspection off: neither __schema nor __type, wherever they hide
--- http_config
prompt_introspection off;
--- cases
{ __schema { __typename } } => BAD_USER_INPUT /introspection/
{ x: __type(name: "User") { name } } => BAD_USER_INPUT /introspection/
{ ...F } fragment F on Query { __type(name: "User") { name } } => BAD_USER_INPUT /introspection/
query ($no: Boolean = false) { __schema @include(if: $no) { __typename } me { __typename } } => BAD_USER_INPUT /introspection/
{ me { __typename } } => {"me": {"__typename": "User"}}

=== TEST 22: the same document again and again, with other variables: nothing is left of the last one
--- graphql
query ($id: ID!, $x: Boolean = true) { prompt(id: $id) { name @include(if: $x) } }
--- cases
{"id": "a"} => NOT_FOUND /"a"/
{"id": "b", "x": false} => NOT_FOUND /"b"/
bob: {"id": "c"} => NOT_FOUND /"c"/
{} => BAD_USER_INPUT
{"id": "d"} => NOT_FOUND /"d"/

=== TEST 23: variables that the operation does not declare are ignored
--- cases
{ me { name } } ~ {"x": {"y": [1]}} => {"me": {"name": "Alice"}}

=== TEST 24: null by a variable that has a default, where null may not be: the request's fault
--- cases
query ($id: ID = "x") { prompt(id: $id) { name } } ~ {"id": null} => BAD_USER_INPUT /Argument "id" of non-null type "ID!" must not be null/
mutation ($i: CreatePromptInput = {name: "x"}) { createPrompt(input: $i) { name } } ~ {"i": null} => BAD_USER_INPUT /Argument "input" of non-null type "CreatePromptInput!" must not be null/

=== TEST 25: the same in the logs
--- graphql
query ($id: ID = "x") { me { name } prompt(id: $id) { name } }
--- variables
{"id": null}
--- data
{"me": {"name": "Alice"}, "prompt": null}
--- errors
[{"path": ["prompt"], "extensions": {"code": "BAD_USER_INPUT"}}]

=== TEST 26: introspection on: messages suggest names, in the words of graphql-js
--- graphql
query ($c: PromptCategory) { prompts(category: $c) { id } }
--- cases
{"c": "GENRAL"} => BAD_USER_INPUT /Did you mean the enum value "GENERAL"\?$/

=== TEST 27: in the document, too
--- cases
{ me { nam } } => BAD_USER_INPUT /^Cannot query field "nam" on type "User"\. Did you mean "name"\?$/
{ prompts(categori: GENERAL) { id } } => BAD_USER_INPUT /^Unknown argument "categori" on field "Query\.prompts"\. Did you mean "category"\?$/
{ prompts(category: GENRAL) { id } } => BAD_USER_INPUT /^Value "GENRAL" does not exist in "PromptCategory" enum\. Did you mean the enum value "GENERAL"\?$/

=== TEST 28: introspection off: the schema is not told by guessing either
--- http_config
prompt_introspection off;
--- cases
{ me { nam } } => BAD_USER_INPUT /^Cannot query field "nam" on type "User"\.$/
{ prompts(categori: GENERAL) { id } } => BAD_USER_INPUT /^Unknown argument "categori" on field "Query\.prompts"\.$/
{ prompts(category: GENRAL) { id } } => BAD_USER_INPUT /^Value "GENRAL" does not exist in "PromptCategory" enum\.$/
{ prompts(category: "GENERAL") { id } } => BAD_USER_INPUT /^Enum "PromptCategory" cannot represent non-enum value: "GENERAL"\.$/
query ($c: PromptCategori) { prompts(category: $c) { id } } => BAD_USER_INPUT /^Unknown type "PromptCategori"\.$/
{ me @skp(if: true) { id } } => BAD_USER_INPUT /^Unknown directive "@skp"\.$/
{ me @skip(iff: true, if: true) { id } } => BAD_USER_INPUT /^Unknown argument "iff" on directive "@skip"\.$/
mutation { createPrompt(input: {name: "x", descriptio: "y"}) { id } } => BAD_USER_INPUT /^Field "descriptio" is not defined by type "CreatePromptInput"\.$/
query ($c: PromptCategory) { prompts(category: $c) { id } } ~ {"c": "GENRAL"} => BAD_USER_INPUT /^Variable "\$c" got invalid value "GENRAL"; Value "GENRAL" does not exist in "PromptCategory" enum\.$/
mutation ($i: CreatePromptInput!) { createPrompt(input: $i) { id } } ~ {"i": {"name": "x", "descriptio": "y"}} => BAD_USER_INPUT /Field "descriptio" is not defined by type "CreatePromptInput"\.$/

=== TEST 29: off for all, on for one location: each says what it may
--- http_config
prompt_introspection off;
--- config
location = /open { prompt_graphql; prompt_introspection on; }
--- path: /open
--- graphql
{ me { nam } }
--- errors
[{"message": "Cannot query field \"nam\" on type \"User\". Did you mean \"name\"?"}]
