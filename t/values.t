# Values: nasty text and numbers come back as they were sent, or are refused.

use lib 't/lib';
use PromptTest;

our $set = 'mutation ($v: JSON!) { createPromptVersion(input: {promptId: '
    . '"01890000-0000-7000-8000-000000000001", content: "x", params: {x: $v}})'
    . ' { params } }';

our @nasty = (
    q('; DROP TABLE prompts; --), q($1 $$ \\\\ $body$), q(%s%n%d%00),
    q(<script>alert(1)</script>), q(${jndi:ldap://x}), q({{x}}), q(../../etc),
    q(\u200b\u200e\u202e), q(\u0001\u001f\u007f), q(\ufffe\uffff\ufffd),
    q(\ud83d\udc69\u200d\ud83d\udcbb), q(\udbff\udfff), q(e\u0301 vs \u00e9),
    q(\"\/\b\f\n\r\t\\\\), q(\u2028\u2029), q( lead and trail ), q(null),
    q(0), q({\"a\":1}), q(\\\\u0000), q(\\\\x00), q({1,2}), q(NULL),
    q(\ufeff), q(a\r\nb), q(\u0080\u009f\u00a0),
);

run_tests();

__DATA__

=== TEST 1: strings byte for byte, in text
--- sql
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at) VALUES ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'values', 'GENERAL', false, now());
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'x', '{}');
UPDATE prompts SET last_version = 1;
--- graphql
mutation ($d: String) { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {description: $d}) { description } }
--- cases eval
CORE::join "\n", map { qq({"d": "$_"} => {"updatePrompt": {"description": "$_"}}) } @::nasty

=== TEST 2: strings byte for byte, as values and as names in JSON
--- graphql eval
$::set
--- cases eval
CORE::join "\n", map { qq({"v": {"$_": ["$_"]}} => {"createPromptVersion": {"params": {"x": {"$_": ["$_"]}}}}) } @::nasty

=== TEST 3: the same as literals in the document
--- cases eval
CORE::join "\n", map { qq(mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {description: "$_"}) { description } } => {"updatePrompt": {"description": "$_"}}) } @::nasty

=== TEST 4: block strings
--- graphql eval
qq(mutation { updatePrompt(id: "01890000-0000-7000-8000-000000000001", input: {description: """\n    one\n      two \\"""quoted\\""" \\n\n    """}) { description } })
--- data
{"updatePrompt": {"description": "one\n  two \"\"\"quoted\"\"\" \\n"}}

=== TEST 5: U+0000, in whatever place
--- cases
mutation { createPrompt(input: {name: "a", description: "\u0000"}) { id } } => BAD_USER_INPUT description
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "\u0000", params: {}}) { id } } => BAD_USER_INPUT content
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "x", params: {a: "\u0000"}}) { id } } => BAD_USER_INPUT params.a
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "x", params: {a: {b: [1, "\u0000"]}}}) { id } } => BAD_USER_INPUT params.a.b.1
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "x", params: {}, inputSchema: {description: "\u0000"}}) { id } } => BAD_USER_INPUT inputSchema.description
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {a: "\u0000"}) { output } } => BAD_USER_INPUT input.a
mutation { createApiKey(input: {name: "a\u0000"}) { key } } => BAD_USER_INPUT name
mutation { deletePrompt(id: "\u0000") } => BAD_USER_INPUT id
{ promptByName(name: "\u0000") { id } } => BAD_USER_INPUT name
{ prompts(search: "\u0000") { id } } => BAD_USER_INPUT search
{ prompts(after: "\u0000") { id } } => BAD_USER_INPUT after

=== TEST 6: U+0000 in a name within JSON
--- graphql eval
$::set
--- cases
{"v": {"a\u0000": 1}} => BAD_USER_INPUT params.x
{"v": [{"\u0000": 1}]} => BAD_USER_INPUT params.x.0

=== TEST 7: a lone surrogate in the body
--- body
{"query": "{ me { id } }", "variables": {"v": "\ud800"}}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 8: half a pair, in the wrong order, in the query itself
--- body
{"query": "{ promptByName(name: \"\udc00\ud800\") { id } }"}
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 9: a lone surrogate as an escape within the document
--- cases
{ promptByName(name: "\ud800") { id } } => BAD_USER_INPUT /Invalid Unicode escape sequence/
{ promptByName(name: "\u{d800}") { id } } => BAD_USER_INPUT /Invalid Unicode escape sequence/

=== TEST 10: bytes that are no UTF-8
--- body eval
qq({"query": "{ promptByName(name: \\"\xff\xfe\\") { id } }"})
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 11: an overlong form
--- body eval
qq({"query": "{ promptByName(name: \\"\xc0\xaf\\") { id } }"})
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 12: a surrogate in UTF-8
--- body eval
qq({"query": "{ me { id } }", "variables": {"x": "\xed\xa0\x80"}})
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 13: numbers with their value
--- graphql eval
$::set
--- cases
{"v": 0} => {"createPromptVersion": {"params": {"x": 0}}}
{"v": 0.1} => {"createPromptVersion": {"params": {"x": 0.1}}}
{"v": -0.3} => {"createPromptVersion": {"params": {"x": -0.3}}}
{"v": 9007199254740993} => {"createPromptVersion": {"params": {"x": 9007199254740993}}}
{"v": 9223372036854775807} => {"createPromptVersion": {"params": {"x": 9223372036854775807}}}
{"v": -9223372036854775808} => {"createPromptVersion": {"params": {"x": -9223372036854775808}}}
{"v": 123456789.123456} => {"createPromptVersion": {"params": {"x": 123456789.123456}}}
{"v": 1.7976931348623157e308} => {"createPromptVersion": {"params": {"x": 1.7976931348623157e308}}}
{"v": 5e-324} => {"createPromptVersion": {"params": {"x": 5e-324}}}
{"v": 2.2250738585072014e-308} => {"createPromptVersion": {"params": {"x": 2.2250738585072014e-308}}}
{"v": 0.12345678901234567890123} => {"createPromptVersion": {"params": {"x": 0.12345678901234567890123}}}
{"v": 9007199254740993.5} => {"createPromptVersion": {"params": {"x": 9007199254740993.5}}}
{"v": [1, 1.5, -1]} => {"createPromptVersion": {"params": {"x": [1, 1.5, -1]}}}

=== TEST 14: numbers that cannot be kept are refused, not changed
--- graphql eval
$::set
--- cases
{"v": 9223372036854775808} => BAD_USER_INPUT params.x
{"v": -9223372036854775809} => BAD_USER_INPUT params.x
{"v": 123456789012345678901234567890} => BAD_USER_INPUT params.x
{"v": 1e400} => BAD_USER_INPUT params.x
{"v": -1e400} => BAD_USER_INPUT params.x
{"v": 1e-400} => BAD_USER_INPUT params.x
{"v": [1, {"y": 1e400}]} => BAD_USER_INPUT params.x.1.y

=== TEST 15: numbers in the document
--- cases
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "x", params: {x: 9223372036854775807}}) { params } } => {"createPromptVersion": {"params": {"x": 9223372036854775807}}}
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "x", params: {x: 9223372036854775808}}) { params } } => BAD_USER_INPUT params.x
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "x", params: {x: 1e400}}) { params } } => BAD_USER_INPUT params.x
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "x", params: {x: -0.1}}) { params } } => {"createPromptVersion": {"params": {"x": -0.1}}}
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "x", params: {x: WORD}}) { params } } => {"createPromptVersion": {"params": {"x": "WORD"}}}

=== TEST 16: 64 levels come back, 65 are refused
--- graphql eval
$::set
--- cases eval
# params itself is one level
my $fine = '[' x 63 . ']' x 63;
my $deep = '[' x 64 . ']' x 64;
my $objects = '{"a":' x 63 . '1' . '}' x 63;
qq({"v": $fine} => {"createPromptVersion": {"params": {"x": $fine}}}
{"v": $objects} => {"createPromptVersion": {"params": {"x": $objects}}}
{"v": $deep} => BAD_USER_INPUT
{"v": {"a": $fine}} => BAD_USER_INPUT)

=== TEST 17: a body of a hundred thousand levels
--- body eval
'{"query": "{ me { id } }", "variables": ' . '[' x 100000 . ']' x 100000 . '}'
--- error_code: 400
--- code: BAD_USER_INPUT

=== TEST 18: a document of a hundred thousand levels
--- body eval
'{"query": "{ promptByName(name: ' . '[' x 100000 . '"}'
--- error_code: 200
--- code: BAD_USER_INPUT

=== TEST 19: duplicate members, in a variable and in a literal
--- cases
mutation { createPromptVersion(input: {promptId: "01890000-0000-7000-8000-000000000001", content: "x", params: {a: 1, a: 2}}) { id } } => BAD_USER_INPUT /There can be only one input field named "a"/
mutation { createPrompt(input: {name: "a", name: "b"}) { id } } => BAD_USER_INPUT /There can be only one input field named "name"/

=== TEST 20: duplicate members of a variable
--- graphql eval
$::set
--- cases
{"v": {"a": 1, "a": 1}} => 400 BAD_USER_INPUT
{"v": {"a": {"b": 1, "\u0062": 2}}} => 400 BAD_USER_INPUT

=== TEST 21: members in the order sent, also such as look like numbers
--- graphql eval
$::set
--- variables
{"v": {"10": 1, "9": 2, "b": 3, "": 4, "a": 5, "__proto__": 6, "constructor": 7}}
--- response_body_like: "x":\{"10":1,"9":2,"b":3,"":4,"a":5,"__proto__":6,"constructor":7\}

=== TEST 22: true, false and null are no strings
--- graphql eval
$::set
--- cases
{"v": true} => {"createPromptVersion": {"params": {"x": true}}}
{"v": [false, null, "null", {}, [], ""]} => {"createPromptVersion": {"params": {"x": [false, null, "null", {}, [], ""]}}}
