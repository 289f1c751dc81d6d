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
{ __schema { queryType { name } mutationType { name } } __type(name: "ToolCall") { fields { name } } }
--- data
{"__schema": {"queryType": {"name": "Query"}, "mutationType": {"name": "Mutation"}}, "__type": {"fields": [{"name": "id"}, {"name": "name"}, {"name": "arguments"}]}}

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

=== TEST 22: what a document may do where nothing is said
--- cases eval
my $alias = sub { '{ ' . CORE::join(' ', map { "a$_: __typename" } 1 .. $_[0]) . ' }' };
my $skip = sub { '{ me { id ' . '@skip(if: false) ' x 1 . '} ' . CORE::join(' ', map { '... @include(if: true) { me { id } }' } 1 .. $_[0]) . ' }' };
$alias->(16) . ' => BAD_USER_INPUT /exceeds the limit of 15 root fields: it has 16/
' . '{ prompts(first: 1000) { versions { executions(first: 1000) { id } } } } => BAD_USER_INPUT /exceeds the complexity limit/
mutation { a: __typename b: __typename c: __typename d: __typename e: __typename } => {"a": "Mutation", "b": "Mutation", "c": "Mutation", "d": "Mutation", "e": "Mutation"}
mutation { a: __typename b: __typename c: __typename d: __typename e: __typename f: __typename } => BAD_USER_INPUT /5 root fields of a mutation: it has 6/
{ me { id } } => {"me": {"id": "%{alice_id}"}}
' . $skip->(101) . ' => BAD_USER_INPUT /limit of 100 directives/
' . '{ me { ' . CORE::join(' ', map { "a$_: id" } 1 .. 31) . ' } } => BAD_USER_INPUT /limit of 30 aliases: it has 31/
' . '{ me { ' . 'id ' x 400 . '} } => {"me": {"id": "%{alice_id}"}}
' . '{ me { ' . 'id ' x 10000 . '} } => BAD_USER_INPUT /token/'

=== TEST 23: each limit at its edge, and one beyond
--- http_config
prompt_limits tokens=20 depth=3 aliases=3 root_fields=3 mutation_fields=1 directives=2;
--- cases
{ a: __typename b: __typename c: __typename } => {"a": "Query", "b": "Query", "c": "Query"}
{ me { id } prompts { id } apiKeys { id } x: __typename } => BAD_USER_INPUT /3 root fields: it has 4/
{ prompts { versions { id } } } => {"prompts": []}
{ prompts { versions { executions { id } } } } => BAD_USER_INPUT /depth limit of 3: its depth is 4/
mutation { a: __typename } => {"a": "Mutation"}
mutation { a: __typename b: __typename } => BAD_USER_INPUT
{ __typename @skip(if: false) @include(if: true) } => {"__typename": "Query"}

=== TEST 24: a fragment that is spread often costs each time
--- http_config
prompt_limits complexity=300;
--- cases
{ prompts(first: 10) { ...F } } fragment F on Prompt { versions { id } } => {"prompts": []}
{ prompts(first: 100) { ...F } } fragment F on Prompt { versions { ...G } } fragment G on PromptVersion { executions { id } } => BAD_USER_INPUT /complexity limit of 300/

=== TEST 25: fragments within fragments, each twice: a document of few bytes and no end
--- graphql eval
'{ me { ...F0 } } ' . CORE::join(' ', map { my $n = $_ + 1; "fragment F$_ on User { ...F$n ...F$n }" } 0 .. 60) . ' fragment F61 on User { id }'
--- timeout: 3
--- error_code: 200

=== TEST 26: a body over client_max_body_size, in JSON
--- config
location = /graphql { prompt_graphql; client_max_body_size 1k; }
--- graphql eval
'{ me { id } } #' . 'x' x 2000
--- error_code: 413
--- code: BAD_USER_INPUT
