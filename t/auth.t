# API keys: headers, forms, expiry, scopes, the cache in Redis.

use lib 't/lib';
use PromptTest;
use PromptTest::Schema;

run_tests();

__DATA__

=== TEST 1: no key
--- key: none
--- graphql
{ me { id } }
--- error_code: 401
--- response_headers
WWW-Authenticate: Bearer
--- json
{"errors": [{"message": "/Unauthorized/", "extensions": {"code": "UNAUTHENTICATED"}}]}

=== TEST 2: Authorization: Bearer
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 3: X-API-Key
--- more_headers
X-API-Key: %{alice_key}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 4: the scheme in any case
--- more_headers
Authorization: bEARER %{alice_key}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 5: another scheme
--- more_headers
Authorization: Basic %{alice_key}
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 6: both headers with the same key
--- more_headers
Authorization: Bearer %{alice_key}
X-API-Key: %{alice_key}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 7: both headers with different keys
--- more_headers
Authorization: Bearer %{alice_key}
X-API-Key: %{bob_key}
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 8: a key that is too short costs no look at Redis
--- key: pmt_short
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED
--- redis_check: --raw keys *pmt*
--- redis_result

=== TEST 9: a key with another checksum
--- more_headers eval
"Authorization: Bearer pmt_" . "A" x 38
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 10: a key with something after it
--- key: %{alice_key}x
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 11: an empty key
--- more_headers
X-API-Key:
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 12: the document is not looked at before the key
--- key: none
--- graphql
{ this is no document
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 13: a key that has expired
--- sql
UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE user_id = '%{bob_id}' AND name = 'test';
--- key: bob
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 14: and one that expires later
--- sql
UPDATE api_keys SET expires_at = now() + interval '1 hour' WHERE user_id = '%{bob_id}' AND name = 'test';
--- redis: unix:%{redis_socket} prefix=later:%{alice_id}:
--- key: bob
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{bob_id}"}}

=== TEST 15: a key that was deleted
--- sql
UPDATE api_keys SET deleted_at = now() WHERE user_id = '%{bob_id}' AND name = 'test';
--- redis: unix:%{redis_socket} prefix=deleted:%{alice_id}:
--- key: bob
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 16: once more a sound key
--- sql
UPDATE api_keys SET deleted_at = NULL, expires_at = NULL WHERE user_id = '%{bob_id}' AND name = 'test';
--- redis: unix:%{redis_socket} prefix=sound:%{alice_id}:
--- key: bob
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{bob_id}"}}

=== TEST 17: scope read reads
--- key: alice_read
--- graphql
{ me { id } prompts { id } }
--- data
{"me": {"id": "%{alice_id}"}, "prompts": []}

=== TEST 18: scope read does not write
--- key: alice_read
--- graphql
mutation { createPrompt(input: {name: "x"}) { id } }
--- error_code: 401
--- code: UNAUTHENTICATED
--- sql_check
SELECT count(*) FROM prompts
--- sql_result: 0

=== TEST 19: scope write does not read
--- key: alice_write
--- graphql
{ prompts { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 20: scope write writes
--- key: alice_write
--- graphql
mutation { createPrompt(input: {name: "written"}) { name } }
--- data
{"createPrompt": {"name": "written"}}

=== TEST 21: scope write does not execute
--- key: alice_write
--- graphql
mutation { executePrompt(promptId: "x", input: {}) { output } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 22: scope execute executes
--- key: alice_execute
--- graphql
mutation { executePrompt(promptId: "x", input: {}) { output } }
--- code: NOT_FOUND

=== TEST 23: scope keys is for keys
--- key: alice_keys
--- graphql
{ apiKeys { name } }
--- data
{"apiKeys": [{"name": "keys"}, {"name": "execute"}, {"name": "write"}, {"name": "read"}, {"name": "test"}]}

=== TEST 24: scope read is not
--- key: alice_read
--- graphql
{ apiKeys { name } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 25: all root fields are looked at before the first is executed
--- key: alice_write
--- graphql
mutation { createPrompt(input: {name: "first"}) { id } executePrompt(promptId: "x", input: {}) { output } }
--- error_code: 401
--- code: UNAUTHENTICATED
--- sql_check
SELECT count(*) FROM prompts WHERE name = 'first'
--- sql_result: 0

=== TEST 26: a field that @skip leaves out asks for no scope
--- key: alice_read
--- graphql
query ($no: Boolean!) { me { id } apiKeys @skip(if: $no) { name } }
--- variables
{"no": true}
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 27: cached, by hash only
--- request eval
[map { "POST /graphql\n{\"query\":\"{ me { id } }\"}" } 1 .. 3]
--- key: alice
--- more_headers
Content-Type: application/json
--- error_code eval
[200, 200, 200]
--- redis_check: --raw keys *%{alice_key}*
--- redis_result

=== TEST 28: a poisoned entry is a miss
--- init
for my $name (split /\n/, PromptTest::Env::redis('--raw', 'keys', PromptTest::Env::redis_prefix() . 'key:*')) {
    PromptTest::Env::redis('set', $name, "\x01garbage");
}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 29: an entry of another type is a miss
--- init
for my $name (split /\n/, PromptTest::Env::redis('--raw', 'keys', PromptTest::Env::redis_prefix() . 'key:*')) {
    PromptTest::Env::redis('del', $name);
    PromptTest::Env::redis('lpush', $name, 'x');
}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 30: a huge entry is a miss
--- init
for my $name (split /\n/, PromptTest::Env::redis('--raw', 'keys', PromptTest::Env::redis_prefix() . 'key:*')) {
    PromptTest::Env::redis('del', $name);
    PromptTest::Env::redis('setrange', $name, 10000000, 'x');
}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 31: Redis away: PostgreSQL is asked
--- redis: unix:/nonexistent/redis.sock
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}
--- allow_log: nonexistent

=== TEST 32: Redis away: nobody is let in for it
--- redis: unix:/nonexistent/redis.sock
--- key: pmt_0000000000000000000000000000000000000000
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED
--- allow_log: nonexistent

=== TEST 33: PostgreSQL away and nothing cached: an error, not a refusal
--- postgres: "host=/nonexistent user=x dbname=x password=x" connect_timeout=1s timeout=1s
--- redis: unix:%{redis_socket} prefix=away:%{alice_id}:
--- graphql
{ me { id } }
--- error_code: 503
--- response_headers
Retry-After: 5
--- code: INTERNAL_SERVER_ERROR
--- allow_log: nonexistent

=== TEST 34: two X-API-Key headers
--- more_headers
X-API-Key: %{alice_key}
X-API-Key: %{bob_key}
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 35: keys that are none: refused without a look at Redis or PostgreSQL
--- postgres: "host=/nonexistent user=x dbname=x password=x" connect_timeout=1s timeout=1s
--- redis: unix:/nonexistent/redis.sock
--- cases eval
PromptTest::Env::setup();
my $fine = PromptTest::Env::var('alice_key');
my @keys = ('x', 'pmt_', 'pmt_' . 'A' x 37, 'pmt_' . 'A' x 38, 'pmt_' . 'A' x 39,
    'PMT_' . substr($fine, 4), 'pmt_' . lc(substr($fine, 4)),
    substr($fine, 0, -1), $fine . 'a', substr($fine, 0, 20) . '_' . substr($fine, 21),
    'pmt_' . 'z' x 38, 'a' x 4000);
CORE::join "\n", map { "$_: { me { id } } => 401 UNAUTHENTICATED /^[^\"]{1,60}\$/" } @keys
--- allow_log: nonexistent

=== TEST 36: one whose form is right is looked for
--- postgres: "host=/nonexistent user=x dbname=x password=x" connect_timeout=1s timeout=1s
--- redis: unix:/nonexistent/redis.sock
--- cases
alice: { me { id } } => 503 INTERNAL_SERVER_ERROR
--- allow_log: nonexistent

=== TEST 37: each letter of a key counts
--- cases eval
PromptTest::Env::setup();
my $key = PromptTest::Env::var('alice_key');
CORE::join "\n", map { my $k = $key; my $c = substr $k, $_, 1; substr($k, $_, 1) = $c eq 'A' ? 'B' : 'A'; "$k: { me { id } } => 401 UNAUTHENTICATED" } 4 .. 41

=== TEST 38: a sound key that nobody has: made, and its row taken away
--- init
my $id; my $key = PromptTest::Env::promptctl('key', 'add', 'alice@example.com', '--name', 'gone');
PromptTest::Env::psql("DELETE FROM api_keys WHERE name = 'gone'");
PromptTest::Env::var('gone_key', $key);
--- graphql
{ me { id } }
--- error_code: 200

=== TEST 39: is refused, at first and out of the cache; and no data
--- request eval
[map { "POST /graphql\n{\"query\":\"{ me { id } }\"}" } 1 .. 3]
--- more_headers
Content-Type: application/json
Authorization: Bearer %{gone_key}
--- error_code eval
[401, 401, 401]
--- response_body_like eval
[map { qr/^\{"errors":\[\{"message":"[^"]+","extensions":\{"code":"UNAUTHENTICATED"\}\}\]\}$/ } 1 .. 3]
--- response_headers eval
[map { "WWW-Authenticate: Bearer" } 1 .. 3]

=== TEST 40: white space around a key; two spaces after the scheme
--- more_headers eval
"Authorization: Bearer   %{alice_key}  \n"
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 41: a tab is no space
--- more_headers eval
"Authorization: Bearer\t%{alice_key}\n"
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 42: another scheme beside X-API-Key is somebody else's
--- more_headers
Authorization: Basic dXNlcjpwYXNz
X-API-Key: %{alice_key}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 43: an empty X-API-Key beside a sound one
--- more_headers
X-API-Key:
Authorization: Bearer %{alice_key}
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 44: x-api-key in any case
--- more_headers
x-ApI-kEy: %{alice_key}
--- graphql
{ me { id } }
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 45: a body that is no JSON, and no key: the key comes first
--- key: none
--- body
{"query"
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 46: no key for introspection either
--- key: none
--- graphql
{ __schema { queryType { name } } }
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 47: the scopes of every root field
--- cases eval
my $all = 'read write execute keys';
my %scopes = (
    me => $all,
    (map { $_ => 'read' } qw(prompts prompt promptByName executions statistics
                             renderPrompt project dataset datasets run
                             models)),
    execution => 'read execute',
    (map { $_ => 'write' } qw(createPrompt createPromptVersion updatePrompt
                              forkPrompt setPromptLabel removePromptLabel
                              deletePrompt importPrompts deleteExecution
                              createDataset updateDataset deleteDataset
                              addDatasetItems removeDatasetItems
                              scoreExecution removeScore)),
    (map { $_ => 'execute' } qw(executePrompt executePromptStream)),
    # both read and write, in datasets.t
    addExecutionToDataset => '',
    # both write and execute, in drafts.t and runs.t
    (map { $_ => '' } qw(executeDraft executeDraftStream createRun updateRun
                         cancelRun watchRun)),
    (map { $_ => 'keys' } qw(apiKeys createApiKey deleteApiKey)),
    (map { $_ => '' } qw(sessions changePassword endSessions projects
                         createProject acceptInvitation)),
    (map { $_ => 'admin' } qw(updateProject deleteProject inviteMember
                              removeInvitation setMemberRole removeMember
                              transferPrompt setBudget removeBudget auditLog)),
);
my @roots = PromptTest::Schema::roots();
PromptTest::Schema::same('scopes', [ keys %scopes ],
                         [ map { $_->{name} } @roots ]);

my %fields = ('{ __typename }' => $all,
              '{ __schema { queryType { name } } }' => $all);
# a stream is asked for in streaming.t
$fields{ PromptTest::Schema::document($_) } = $scopes{ $_->{name} }
    for grep { $_->{kind} ne 'subscription' } @roots;

my $text = '';
for my $document (sort keys %fields) {
    for my $scope (qw(read write execute keys)) {
        my $may = grep { $_ eq $scope } split / /, $fields{$document};
        $text .= "alice_$scope: $document => " . ($may ? '200' : '401 UNAUTHENTICATED') . "\n";
    }
}
$text

=== TEST 48: a document that does not validate, with a key of too few scopes
--- key: alice_read
--- cases
mutation { createPrompt(input: {name: "x"}) { nothing } } => BAD_USER_INPUT
mutation { unknown } => BAD_USER_INPUT

=== TEST 49: the operation that is chosen counts, not the others
--- key: alice_read
--- graphql
query A { me { id } } mutation B { createPrompt(input: {name: "x"}) { id } }
--- operation: A
--- data
{"me": {"id": "%{alice_id}"}}

=== TEST 50: and the other one
--- key: alice_read
--- graphql
query A { me { id } } mutation B { createPrompt(input: {name: "x"}) { id } }
--- operation: B
--- error_code: 401
--- code: UNAUTHENTICATED

=== TEST 51: nested beneath what one may: executions with scope read
--- cases
alice_read: { prompts { versions { executions { id } } } } => {"prompts": "<any>"}

=== TEST 52: a user who has gone takes the keys along
--- sql
DELETE FROM prompts WHERE owner_id = '%{bob_id}'; DELETE FROM api_keys WHERE user_id = '%{bob_id}'; DELETE FROM users WHERE id = '%{bob_id}';
--- redis: unix:%{redis_socket} prefix=gone:%{alice_id}:
--- key: bob
--- graphql
{ me { id } }
--- error_code: 401
--- code: UNAUTHENTICATED
