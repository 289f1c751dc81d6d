# Labels: setting, moving, removing, asking by them, their history.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: a prompt without versions
--- graphql
mutation { createPrompt(input: {name: "labelled", isPublic: true}) { id labels { label } labelHistory { id } version { version } } }
--- data
{"createPrompt": {"id": "<uuid>", "labels": [], "labelHistory": [], "version": null}}
--- save
prompt = data.createPrompt.id

=== TEST 2: has no version to name, nor one to be run by a label
--- cases
mutation { setPromptLabel(promptId: "%{prompt}", label: "production", version: 1) { label } } => NOT_FOUND /^Version 1 of the prompt with id "%{prompt}" was not found\.$/
{ prompt(id: "%{prompt}") { latest: version(label: "latest") { version } } } => {"prompt": {"latest": null}}
mutation { executePrompt(promptId: "%{prompt}", input: {}, label: "latest") { output } } => NOT_FOUND /has no versions yet/

=== TEST 3: versions
--- graphql
mutation { a: createPromptVersion(input: {promptId: "%{prompt}", content: "one", params: {model: "fx:ok"}}) { version } b: createPromptVersion(input: {promptId: "%{prompt}", content: "two", params: {model: "fx:ok"}}) { version } c: createPromptVersion(input: {promptId: "%{prompt}", content: "three", params: {model: "fx:ok"}}) { version } }
--- data
{"a": {"version": 1}, "b": {"version": 2}, "c": {"version": 3}}

=== TEST 4: a label is set
--- graphql
mutation { setPromptLabel(promptId: "%{prompt}", label: "production", version: 1) { __typename label version setBy { id email name } setAt } }
--- data
{"setPromptLabel": {"__typename": "PromptLabel", "label": "production", "version": 1, "setBy": {"id": "%{alice_id}", "email": "<string>", "name": "<any>"}, "setAt": "<time>"}}
--- save
at = data.setPromptLabel.setAt

=== TEST 5: setting it where it stands is no move
--- graphql
mutation { setPromptLabel(promptId: "%{prompt}", label: "production", version: 1) { version setAt } }
--- data
{"setPromptLabel": {"version": 1, "setAt": "%{at}"}}
--- sql_check
SELECT count(*), max(number) FROM prompt_label_moves
--- sql_result
1|1

=== TEST 6: what it may be called
--- graphql
mutation ($l: String!) { setPromptLabel(promptId: "%{prompt}", label: $l, version: 2) { label version } }
--- cases
{"l": "0"} => {"setPromptLabel": {"label": "0", "version": 2}}
{"l": "v1.2_rc-3"} => {"setPromptLabel": {"label": "v1.2_rc-3", "version": 2}}
{"l": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} => {"setPromptLabel": {"label": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "version": 2}}
{"l": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} => BAD_USER_INPUT label
{"l": ""} => BAD_USER_INPUT label
{"l": "Production"} => BAD_USER_INPUT label
{"l": "-a"} => BAD_USER_INPUT label
{"l": ".a"} => BAD_USER_INPUT label
{"l": "_a"} => BAD_USER_INPUT label
{"l": "a b"} => BAD_USER_INPUT label
{"l": "a\n"} => BAD_USER_INPUT label
{"l": "ü"} => BAD_USER_INPUT label
{"l": "a\u0000"} => BAD_USER_INPUT label
{"l": "latest"} => BAD_USER_INPUT label /always means the latest version/

=== TEST 7: what it may name
--- graphql
mutation ($v: Int!) { setPromptLabel(promptId: "%{prompt}", label: "production", version: $v) { version } }
--- cases
{"v": 4} => NOT_FOUND /^Version 4 of the prompt with id "%{prompt}" was not found\.$/
{"v": 0} => NOT_FOUND
{"v": -1} => NOT_FOUND
{"v": 2147483647} => NOT_FOUND
{"v": 3} => {"setPromptLabel": {"version": 3}}

=== TEST 8: whose it may be
--- graphql
mutation ($p: ID!) { setPromptLabel(promptId: $p, label: "production", version: 1) { version } }
--- cases
bob: {"p": "%{prompt}"} => FORBIDDEN
alice_read: {"p": "%{prompt}"} => 401 UNAUTHENTICATED
alice_execute: {"p": "%{prompt}"} => 401 UNAUTHENTICATED
{"p": "01890000-0000-7000-8000-000000000000"} => NOT_FOUND
{"p": "nothing"} => NOT_FOUND

=== TEST 9: labels, ascending
--- graphql
{ prompt(id: "%{prompt}") { labels { label version } } }
--- data
{"prompt": {"labels": [{"label": "0", "version": 2}, {"label": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "version": 2}, {"label": "production", "version": 3}, {"label": "v1.2_rc-3", "version": 2}]}}

=== TEST 10: who may read the prompt may read them, and their moves
--- key: bob
--- graphql
{ prompt(id: "%{prompt}") { labels { setBy { id } } labelHistory(first: 1) { movedBy { id } } version(label: "production") { content } } }
--- data
{"prompt": {"labels": [{"setBy": {"id": "%{alice_id}"}}, {"setBy": {"id": "%{alice_id}"}}, {"setBy": {"id": "%{alice_id}"}}, {"setBy": {"id": "%{alice_id}"}}], "labelHistory": [{"movedBy": {"id": "%{alice_id}"}}], "version": {"content": "three"}}}

=== TEST 11: moves, newest first
--- graphql
{ promptByName(name: "labelled") { labelHistory { id label version previousVersion movedBy { id email } movedAt } } }
--- data
{"promptByName": {"labelHistory": [{"id": "<uuid>", "label": "production", "version": 3, "previousVersion": 1, "movedBy": {"id": "%{alice_id}", "email": "<string>"}, "movedAt": "<time>"}, {"id": "<uuid>", "label": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "version": 2, "previousVersion": null, "movedBy": {"id": "%{alice_id}", "email": "<string>"}, "movedAt": "<time>"}, {"id": "<uuid>", "label": "v1.2_rc-3", "version": 2, "previousVersion": null, "movedBy": {"id": "%{alice_id}", "email": "<string>"}, "movedAt": "<time>"}, {"id": "<uuid>", "label": "0", "version": 2, "previousVersion": null, "movedBy": {"id": "%{alice_id}", "email": "<string>"}, "movedAt": "<time>"}, {"id": "<uuid>", "label": "production", "version": 1, "previousVersion": null, "movedBy": {"id": "%{alice_id}", "email": "<string>"}, "movedAt": "%{at}"}]}}
--- save
second = data.promptByName.labelHistory.1.id
last = data.promptByName.labelHistory.4.id

=== TEST 12: pages of them
--- graphql
query ($f: Int, $a: ID) { prompt(id: "%{prompt}") { labelHistory(first: $f, after: $a) { label } } }
--- cases
{"f": 1} => {"prompt": {"labelHistory": [{"label": "production"}]}}
{"f": 2, "a": "%{second}"} => {"prompt": {"labelHistory": [{"label": "v1.2_rc-3"}, {"label": "0"}]}}
{"a": "%{last}"} => {"prompt": {"labelHistory": []}}
{"f": 1000, "a": null} => {"prompt": {"labelHistory": [{"label": "production"}, {"label": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}, {"label": "v1.2_rc-3"}, {"label": "0"}, {"label": "production"}]}}
{"a": "01890000-0000-7000-8000-000000000000"} => {"prompt": {"labelHistory": []}}
{"f": 0} => BAD_USER_INPUT first
{"f": 1001} => BAD_USER_INPUT first
{"a": "nothing"} => NOT_FOUND

=== TEST 13: one version
--- graphql
query ($n: Int, $l: String) { prompt(id: "%{prompt}") { version(number: $n, label: $l) { id version content createdAt } } }
--- cases
{} => {"prompt": {"version": {"id": "<uuid>", "version": 3, "content": "three", "createdAt": "<time>"}}}
{"n": 1} => {"prompt": {"version": {"id": "<uuid>", "version": 1, "content": "one", "createdAt": "<time>"}}}
{"l": "v1.2_rc-3"} => {"prompt": {"version": {"id": "<uuid>", "version": 2, "content": "two", "createdAt": "<time>"}}}
{"l": "latest"} => {"prompt": {"version": {"id": "<uuid>", "version": 3, "content": "three", "createdAt": "<time>"}}}
{"n": null, "l": null} => {"prompt": {"version": {"id": "<uuid>", "version": 3, "content": "three", "createdAt": "<time>"}}}
{"n": 1, "l": "production"} => BAD_USER_INPUT label
{"n": 1, "l": "latest"} => BAD_USER_INPUT label
{"n": 0} => NOT_FOUND /^Version 0 of the prompt with id "%{prompt}" was not found\.$/
{"l": "staging"} => NOT_FOUND /^Label "staging" of the prompt with id "%{prompt}" is not set\.$/
{"l": "No Label"} => NOT_FOUND /^Label "No Label" of/
{"l": ""} => NOT_FOUND

=== TEST 14: one that is not there is null, the rest of the prompt stands
--- graphql
{ prompt(id: "%{prompt}") { name version(label: "staging") { id } latest: version { version } } }
--- json
{"errors": [{"message": "Label \"staging\" of the prompt with id \"%{prompt}\" is not set.", "locations": [{"line": 1, "column": 61}], "path": ["prompt", "version"], "extensions": {"code": "NOT_FOUND"}}], "data": {"prompt": {"name": "labelled", "version": null, "latest": {"version": 3}}}}

=== TEST 15: executed by a label
--- graphql
mutation { executePrompt(promptId: "%{prompt}", input: {}, label: "v1.2_rc-3") { output versionUsed } latest: executePrompt(promptId: "%{prompt}", input: {}, label: "latest") { versionUsed } none: executePrompt(promptId: "%{prompt}", input: {}) { versionUsed } }
--- data
{"executePrompt": {"output": "<string>", "versionUsed": 2}, "latest": {"versionUsed": 3}, "none": {"versionUsed": 3}}
--- sql_check
SELECT version, coalesce(label, '-'), status FROM executions ORDER BY id
--- sql_result
2|v1.2_rc-3|succeeded
3|latest|succeeded
3|-|succeeded

=== TEST 16: the execution says so, below the version of a label, too
--- graphql
{ prompt(id: "%{prompt}") { two: version(label: "v1.2_rc-3") { executions { label version } } three: version { executions { label } one: executions(first: 1) { label } } one: version(number: 1) { executions { id } } } }
--- data
{"prompt": {"two": {"executions": [{"label": "v1.2_rc-3", "version": 2}]}, "three": {"executions": [{"label": null}, {"label": "latest"}], "one": [{"label": null}]}, "one": {"executions": []}}}

=== TEST 17: what cannot be executed by
--- graphql
mutation ($v: Int, $l: String, $p: ID = "%{prompt}") { executePrompt(promptId: $p, input: {}, version: $v, label: $l) { versionUsed } }
--- cases
{"l": "staging"} => NOT_FOUND /^Label "staging" of the prompt with id "%{prompt}" is not set\.$/
{"l": "Staging!"} => NOT_FOUND
{"v": 1, "l": "production"} => BAD_USER_INPUT label
{"v": 3, "l": "latest"} => BAD_USER_INPUT label
{"v": null, "l": "production"} => {"executePrompt": {"versionUsed": 3}}
{"v": 1, "l": null} => {"executePrompt": {"versionUsed": 1}}
{"l": "production", "p": "01890000-0000-7000-8000-000000000000"} => NOT_FOUND /^Prompt with id/
bob: {"l": "production"} => {"executePrompt": {"versionUsed": 3}}

=== TEST 18: a long label that is not set is named by its beginning
--- graphql
mutation { executePrompt(promptId: "%{prompt}", input: {}, label: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") { versionUsed } }
--- code: NOT_FOUND
--- response_body_like: Label \\"x{64}…\\" of

=== TEST 19: removed
--- graphql
mutation ($l: String!) { removePromptLabel(promptId: "%{prompt}", label: $l) }
--- cases
bob: {"l": "production"} => FORBIDDEN
alice_read: {"l": "production"} => 401 UNAUTHENTICATED
{"l": "staging"} => NOT_FOUND /^Label "staging" of the prompt with id "%{prompt}" is not set\.$/
{"l": "latest"} => NOT_FOUND
{"l": "production"} => {"removePromptLabel": true}
{"l": "production"} => NOT_FOUND
{"l": "0"} => {"removePromptLabel": true}
{"l": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} => {"removePromptLabel": true}

=== TEST 20: its removal is kept, and what was executed by it
--- graphql
{ prompt(id: "%{prompt}") { labels { label } labelHistory(first: 3) { label version previousVersion } version { executions(first: 2) { label } } } }
--- data
{"prompt": {"labels": [{"label": "v1.2_rc-3"}], "labelHistory": [{"label": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "version": null, "previousVersion": 2}, {"label": "0", "version": null, "previousVersion": 2}, {"label": "production", "version": null, "previousVersion": 3}], "version": {"executions": [{"label": "production"}, {"label": "production"}]}}}

=== TEST 21: set again, it was not set before
--- graphql
mutation { setPromptLabel(promptId: "%{prompt}", label: "production", version: 2) { version } }
--- data
{"setPromptLabel": {"version": 2}}
--- sql_check
SELECT number, version, coalesce(previous_version, 0) FROM prompt_label_moves ORDER BY number DESC LIMIT 1
--- sql_result
9|2|0

=== TEST 22: labels do not move the prompt
--- graphql
{ prompt(id: "%{prompt}") { createdAt updatedAt } }
--- save
updated = data.prompt.updatedAt

=== TEST 23: nor is the latest version moved by them
--- graphql
mutation { setPromptLabel(promptId: "%{prompt}", label: "production", version: 1) { version } }
--- data
{"setPromptLabel": {"version": 1}}

=== TEST 24: updatedAt is what it was
--- graphql
{ prompt(id: "%{prompt}") { updatedAt version { version } } }
--- data
{"prompt": {"updatedAt": "%{updated}", "version": {"version": 3}}}

=== TEST 25: what a change of the prompt answers with
--- graphql
mutation { updatePrompt(id: "%{prompt}", input: {description: "d"}) { labels { label setBy { id } } version(label: "production") { content executions { label } } labelHistory(first: 1) { version } } }
--- data
{"updatePrompt": {"labels": [{"label": "production", "setBy": {"id": "%{alice_id}"}}, {"label": "v1.2_rc-3", "setBy": {"id": "%{alice_id}"}}], "version": {"content": "one", "executions": [{"label": null}]}, "labelHistory": [{"version": 1}]}}

=== TEST 26: a fork has none
--- graphql
mutation { forkPrompt(id: "%{prompt}") { id labels { label } labelHistory { id } version { version } } }
--- data
{"forkPrompt": {"id": "<uuid>", "labels": [], "labelHistory": [], "version": {"version": 3}}}
--- save
fork = data.forkPrompt.id

=== TEST 27: a list of prompts: one that lacks the version has none
--- graphql
{ prompts { id labels { label } production: version(label: "production") { version executions { label } } third: version(number: 3) { version } labelHistory(first: 1) { label } } page: prompts(first: 1) { labels { label } version(label: "production") { version } labelHistory { id } } search: prompts(search: "LABELLED", first: 2) { labels { label } version(label: "production") { version } labelHistory(first: 1) { label version } } }
--- data
{"prompts": [{"id": "%{fork}", "labels": [], "production": null, "third": {"version": 3}, "labelHistory": []}, {"id": "%{prompt}", "labels": [{"label": "production"}, {"label": "v1.2_rc-3"}], "production": {"version": 1, "executions": [{"label": null}]}, "third": {"version": 3}, "labelHistory": [{"label": "production"}]}], "page": [{"labels": [], "version": null, "labelHistory": []}], "search": [{"labels": [], "version": null, "labelHistory": []}, {"labels": [{"label": "production"}, {"label": "v1.2_rc-3"}], "version": {"version": 1}, "labelHistory": [{"label": "production", "version": 1}]}]}

=== TEST 28: aliases, each with what it asks for
--- graphql
{ prompt(id: "%{prompt}") { a: labels { label } b: labels { version setAt } c: labelHistory(first: 1) { label } d: labelHistory(first: 2, after: "%{last}") { id } e: version(number: 1) { version } f: version(number: 2) { content } } }
--- data
{"prompt": {"a": [{"label": "production"}, {"label": "v1.2_rc-3"}], "b": [{"version": 1, "setAt": "<time>"}, {"version": 2, "setAt": "<time>"}], "c": [{"label": "production"}], "d": [], "e": {"version": 1}, "f": {"content": "two"}}}

=== TEST 29: as many lists as one field may have
--- graphql
{ prompt(id: "%{prompt}") { l0: labels { label } l1: labels { label } l2: labels { label } l3: labels { label } l4: labels { label } l5: labels { label } l6: labels { label } l7: labels { label } l8: labels { label } l9: labels { label } l10: labels { label } l11: labels { label } l12: labels { label } l13: labels { label } } }
--- code: BAD_USER_INPUT labels

=== TEST 30: at most 64, however old
--- sql
INSERT INTO prompt_labels SELECT id, owner_id, 'l' || n, 1, now() FROM prompts, generate_series(1, 61) n WHERE id = '%{prompt}';
--- cases
mutation { setPromptLabel(promptId: "%{prompt}", label: "x64", version: 1) { version } } => {"setPromptLabel": {"version": 1}}
mutation { setPromptLabel(promptId: "%{prompt}", label: "x65", version: 1) { version } } => BAD_USER_INPUT label /at most 64 labels/
mutation { setPromptLabel(promptId: "%{prompt}", label: "x64", version: 2) { version } } => {"setPromptLabel": {"version": 2}}
mutation { removePromptLabel(promptId: "%{prompt}", label: "x64") } => {"removePromptLabel": true}
mutation { setPromptLabel(promptId: "%{prompt}", label: "x65", version: 1) { version } } => {"setPromptLabel": {"version": 1}}
--- sql_check
SELECT count(*) FROM prompt_labels
--- sql_result
64

=== TEST 31: moves of one moment, and of clocks that differ, are in their order
--- sql
UPDATE prompt_label_moves SET moved_at = now() + interval '1 hour' WHERE number = (SELECT max(number) FROM prompt_label_moves);
--- graphql
mutation { a: setPromptLabel(promptId: "%{prompt}", label: "production", version: 2) { version } b: setPromptLabel(promptId: "%{prompt}", label: "production", version: 3) { version } }
--- data
{"a": {"version": 2}, "b": {"version": 3}}
--- sql_check
SELECT count(*) FROM prompt_label_moves a JOIN prompt_label_moves b ON b.number = a.number + 1 AND b.moved_at <= a.moved_at
--- sql_result
0

=== TEST 32: by way of a stream
--- more_headers
Accept: text/event-stream
--- graphql
subscription { executePromptStream(promptId: "%{prompt}", input: {}, label: "production") { result { versionUsed } } }
--- response_body_like: "versionUsed":3
--- sql_check
SELECT label, version FROM executions ORDER BY id DESC LIMIT 1
--- sql_result
production|3

=== TEST 33: a stream by one that is not set
--- more_headers
Accept: text/event-stream
--- graphql
subscription { executePromptStream(promptId: "%{prompt}", input: {}, label: "staging") { result { versionUsed } } }
--- response_body_like: "code":"NOT_FOUND"

=== TEST 34: deleting the prompt takes them
--- graphql
mutation { deletePrompt(id: "%{prompt}") }
--- data
{"deletePrompt": true}
--- sql_check
SELECT (SELECT count(*) FROM prompt_labels), (SELECT count(*) FROM prompt_label_moves)
--- sql_result
0|0

=== TEST 35: a deleted prompt has no labels to be moved
--- cases
mutation { setPromptLabel(promptId: "%{prompt}", label: "production", version: 1) { version } } => NOT_FOUND
mutation { removePromptLabel(promptId: "%{prompt}", label: "production") } => NOT_FOUND
mutation { executePrompt(promptId: "%{prompt}", input: {}, label: "production") { output } } => NOT_FOUND

=== TEST 36: a private prompt shows them to nobody else
--- key: bob
--- cases
{ prompt(id: "%{fork}") { labels { label } } } => FORBIDDEN
mutation { setPromptLabel(promptId: "%{fork}", label: "a", version: 1) { version } } => FORBIDDEN
mutation { executePrompt(promptId: "%{fork}", input: {}, label: "a") { output } } => FORBIDDEN

=== TEST 37: deleting a user takes what was moved
--- sql
WITH l AS (INSERT INTO prompt_labels SELECT id, owner_id, 'a', 1, now() FROM prompts RETURNING *) INSERT INTO prompt_label_moves SELECT id, id, owner_id, 1, 'a', 1, NULL, now() FROM prompts;
DELETE FROM users;
--- graphql
{ me { id } }
--- error_code_like: ^(?:200|401)$
--- sql_check
SELECT (SELECT count(*) FROM prompt_labels), (SELECT count(*) FROM prompt_label_moves)
--- sql_result
0|0
