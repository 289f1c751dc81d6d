# Trusted documents: what is read, what is found by which name, what is
# refused.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: a file by its name
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "me"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 2: in the member id
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"id": "me"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 3: documentId goes before id
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "me", "id": "nothing"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 4: an id that is no string is another member
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"id": 7}
--- error_code: 400
--- errors
[{"message": "The request has no \"query\"."}]

=== TEST 5: by the SHA-256 of its text
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 6: with the end of its last line
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "bfd37ee794fb3bd2f541d0dbd319a35d4fb86f066ff67a0048e9e0477cc0aa29"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 7: sha256: and the hash
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "sha256:c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 8: in Apollo's way
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 9: a file with two operations
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "named", "operationName": "self"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 10: and variables
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "named", "operationName": "named", "variables": {"id": "x"}}
--- code: NOT_FOUND

=== TEST 11: which one must be said
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "named"}
--- errors
[{"message": "Must provide operation name if query contains multiple operations."}]

=== TEST 12: a manifest of Apollo's
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8"}}}
--- data
{"me": {"email": "alice@example.com"}}

=== TEST 13: with an id of one's own
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "custom-id", "variables": {"id": "x"}}
--- code: NOT_FOUND

=== TEST 14: which also goes for the hash
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "custom-id"}}, "variables": {"id": "x"}}
--- code: NOT_FOUND

=== TEST 15: a manifest of Relay's
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"id": "3be4abb81fa595e25eb725b2c6a87508"}
--- data
{"me": {"name": "Alice"}}

=== TEST 16: by GET
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- key: alice
--- request
GET /graphql?documentId=me
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 17: by GET, in the parameter id
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- key: alice
--- request
GET /graphql?id=named&operationName=self
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 18: a mutation by GET
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- key: alice
--- request
GET /graphql?documentId=custom-id&variables=%7B%22id%22:%22x%22%7D
--- error_code: 405
--- response_headers
Allow: POST

=== TEST 19: an id that nobody knows
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "nothing"}
--- json
{"errors": [{"message": "There is no trusted document with this id.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 20: 400 in application/graphql-response+json
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- more_headers
Accept: application/graphql-response+json
--- body
{"documentId": "nothing"}
--- error_code: 400
--- json
{"errors": [{"message": "There is no trusted document with this id.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 21: an empty id
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": ""}
--- json
{"errors": [{"message": "There is no trusted document with this id.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 22: an id with U+0000
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "me\u0000"}
--- json
{"errors": [{"message": "There is no trusted document with this id.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 23: a hidden file is let be
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": ".hidden"}
--- json
{"errors": [{"message": "There is no trusted document with this id.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 24: other documents may be sent
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": "{ me { email } }"}
--- data
{"me": {"email": "alice@example.com"}}

=== TEST 25: a query goes before an id
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": "{ me { email } }", "documentId": "me"}
--- data
{"me": {"email": "alice@example.com"}}

=== TEST 26: a hash that is none of the documents, persisted queries off
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}}}
--- errors
[{"message": "PersistedQueryNotSupported", "extensions": {"code": "PERSISTED_QUERY_NOT_SUPPORTED"}}]

=== TEST 27: a hash that is none of the documents, persisted queries on
--- http_config
prompt_persisted_queries 1m;
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}}}
--- errors
[{"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}]

=== TEST 28: without documents an id is no query
--- body
{"documentId": "me"}
--- error_code: 400
--- errors
[{"message": "The request has no \"query\"."}]

=== TEST 29: without a key nothing is said
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- key: none
--- body
{"documentId": "me"}
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 30: only: a document by its id
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "me"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 31: only: by its hash
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 32: only: by its text
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": "{ me { id } }"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 33: only: by its text and the end of a line
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": "{ me { id } }\n"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 34: only: another text
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": "{ me { id email } }"}
--- error_code: 200
--- json
{"errors": [{"message": "Only trusted documents can be executed here, and this is not one of them.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 35: only: 400 in application/graphql-response+json
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- more_headers
Accept: application/graphql-response+json
--- body
{"query": "{ me { id email } }"}
--- error_code: 400
--- json
{"errors": [{"message": "Only trusted documents can be executed here, and this is not one of them.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 36: only: another text with the hash of a document
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": "{ me { id email } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- json
{"errors": [{"message": "Only trusted documents can be executed here, and this is not one of them.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 37: only: another text with the id of a document
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": "{ me { id email } }", "documentId": "me"}
--- json
{"errors": [{"message": "Only trusted documents can be executed here, and this is not one of them.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 38: only: no text is no document
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": ""}
--- json
{"errors": [{"message": "Only trusted documents can be executed here, and this is not one of them.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 39: only: an id that nobody knows
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "nothing"}
--- json
{"errors": [{"message": "Only trusted documents can be executed here, and this is not one of them.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 40: only: a hash that nobody knows
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}}}
--- json
{"errors": [{"message": "Only trusted documents can be executed here, and this is not one of them.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 41: only: persisted queries do not get around it
--- http_config
prompt_persisted_queries 1m;
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": "{ me { id email } }", "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "a49349e99644831a46540a65750b1612835e361d0c0b7abff1469afd5f7f6920"}}}
--- json
{"errors": [{"message": "Only trusted documents can be executed here, and this is not one of them.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 42: only: neither query nor id
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"variables": {}}
--- error_code: 400
--- errors
[{"message": "The request has no \"query\"."}]

=== TEST 43: only: introspection is no exception
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": "{ __schema { queryType { name } } }"}
--- json
{"errors": [{"message": "Only trusted documents can be executed here, and this is not one of them.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 44: only: an id that is the hash of another text does not make that trusted
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/a.json
{"a49349e99644831a46540a65750b1612835e361d0c0b7abff1469afd5f7f6920": "{ me { id } }"}
--- body
{"query": "{ me { id email } }"}
--- json
{"errors": [{"message": "Only trusted documents can be executed here, and this is not one of them.", "extensions": {"code": "BAD_USER_INPUT"}}]}

=== TEST 45: it is what the operator says by its id
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs only; }
--- user_files
>>> docs/a.json
{"a49349e99644831a46540a65750b1612835e361d0c0b7abff1469afd5f7f6920": "{ me { id } }"}
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "a49349e99644831a46540a65750b1612835e361d0c0b7abff1469afd5f7f6920"}}}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 46: a file instead of a folder
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs/me.graphql; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "me"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 47: a manifest instead of a folder
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs/relay.json; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "3be4abb81fa595e25eb725b2c6a87508"}
--- data
{"me": {"name": "Alice"}}

=== TEST 48: set for all servers
--- http_config
prompt_documents ../html/docs only;
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"documentId": "me"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 49: and off for one location
--- http_config
prompt_documents ../html/docs only;
--- config
location = /graphql { prompt_graphql; prompt_documents off; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/named.gql
query named($id: ID!) { prompt(id: $id) { id } }
query self {
  me {
    id
  }
}
>>> docs/apollo.json
{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "2b6937164a591dad2211e87b42ccb137728471dbe7d74bfc563b32591321c6f8", "name": "Me", "type": "query", "body": "query Me { me { email } }"}, {"id": "custom-id", "name": "D", "type": "mutation", "body": "mutation D($id: ID!) { deletePrompt(id: $id) }"}]}
>>> docs/relay.json
{"3be4abb81fa595e25eb725b2c6a87508": "query relay { me { name } }"}
>>> docs/notes.txt
this is let be
>>> docs/.hidden.graphql
this, too
--- body
{"query": "{ me { email } }"}
--- data
{"me": {"email": "alice@example.com"}}

=== TEST 50: a document with a syntax error
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.graphql
{ me
  { id }

%
--- must_die
--- error_log
docs/a.graphql:4:1, for "prompt_documents" in 

=== TEST 51: a document that is not valid
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.graphql
query a {
  me { id }
}
query b {
  me { nose }
}
--- must_die
--- error_log
Cannot query field "nose" on type "User". Did you mean "name"? in 

=== TEST 52: with line and column
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.graphql
query a {
  me { id }
}
query b {
  me { nose }
}
--- must_die
--- error_log
docs/a.graphql:5:8, for "prompt_documents" in 

=== TEST 53: a document of a manifest that is not valid
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.json
{"one": "{ me {\n nose } }"}
--- must_die
--- error_log
docs/a.json, document "one", line 2, column 2, for "prompt_documents" in 

=== TEST 54: a document over the limits
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; prompt_limits tokens=3;}
--- user_files
>>> docs/a.graphql
{ me { id } }
--- must_die
--- error_log
docs/a.graphql

=== TEST 55: introspection, where that is off
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; prompt_introspection off;}
--- user_files
>>> docs/a.graphql
{ __schema { queryType { name } } }
--- must_die
--- error_log
docs/a.graphql:1:3

=== TEST 56: a manifest that is no JSON
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.json
{"a":
 "b" "c"}
--- must_die
--- error_log
docs/a.json:2:6

=== TEST 57: a manifest that is no object
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.json
["a"]
--- must_die
--- error_log
is not a manifest

=== TEST 58: a manifest with something else
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.json
{"name": "prompt", "private": true}
--- must_die
--- error_log
is not a manifest of documents

=== TEST 59: an operation without a body
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.json
{"operations": [{"id": "a"}]}
--- must_die
--- error_log
is not a manifest of documents

=== TEST 60: an operation without an id
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.json
{"operations": [{"body": "{ me { id } }"}]}
--- must_die
--- error_log
is not a manifest of documents

=== TEST 61: an id for two documents
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.graphql
{ me { id } }
>>> docs/b.json
{"a": "{ me { email } }"}
--- must_die
--- error_log
the id "a" names two documents, in 

=== TEST 62: an id twice for the same document
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/me.graphql
{ me { id } }
>>> docs/b.json
{"me": "{ me { id } }"}
--- body
{"documentId": "me"}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 63: a file whose name is its hash
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5.graphql
{ me { id } }
--- body
{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "c53d78fa4c9c65a93967d42316fcd207fd611c7cac40a103820a866c3e5dd8f5"}}}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 64: a folder without documents
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files
>>> docs/a.txt
{ me { id } }
--- must_die
--- error_log
contains no documents

=== TEST 65: a folder that is not there
--- config
location = /graphql { prompt_graphql; prompt_documents nowhere; }
--- must_die
--- error_log
conf/nowhere" failed

=== TEST 66: an unknown parameter
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs always; }
--- user_files
>>> docs/a.graphql
{ me { id } }
--- must_die
--- error_log
invalid parameter "always" of "prompt_documents"

=== TEST 67: twice
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; prompt_documents off;}
--- user_files
>>> docs/a.graphql
{ me { id } }
--- must_die
--- error_log
is duplicate

=== TEST 68: bytes that are no UTF-8
--- config
location = /graphql { prompt_graphql; prompt_documents ../html/docs; }
--- user_files eval
">>> docs/a.graphql
{ me { id } } # \xff"
--- must_die
--- error_log
is not UTF-8
