# Statistics: buckets, who paid, what is refused, what stays.  That they are what
# plain SQL says is t/unit/store_statistics.c.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: a public prompt of alice, which bob runs, too, and a private one
--- sql
CREATE OR REPLACE FUNCTION prompt_statistics_sweep(most integer) RETURNS boolean LANGUAGE sql AS 'SELECT false';
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at, last_version) VALUES
 ('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'shown', 'GENERAL', true, now(), 1),
 ('01890000-0000-7000-8000-000000000002', '%{alice_id}', 'own', 'CUSTOM', false, now(), 1);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params) VALUES
 ('01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, 'text', '{"model":"fx:ok"}'),
 ('01890000-0000-7000-8000-00000000000c', '01890000-0000-7000-8000-000000000002', '%{alice_id}', 1, 'text', '{"model":"fx:ok"}');
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, owner_id, status, model, latency_ms, token_in, token_out, cost_usd) VALUES
 ('01890000-0001-7000-8000-0000000000e1', '01890000-0000-7000-8000-000000000001', 1, '%{alice_id}', true, NULL, 'succeeded', 'a', 100, 2147483647, 3, 0.1),
 ('01890000-0002-7000-8000-0000000000e2', '01890000-0000-7000-8000-000000000001', 1, '%{bob_id}', false, '%{alice_id}', 'failed', 'b', 20, NULL, NULL, NULL),
 ('01890000-0003-7000-8000-0000000000e3', '01890000-0000-7000-8000-000000000002', 1, '%{alice_id}', true, NULL, 'cancelled', NULL, NULL, NULL, NULL, NULL),
 ('01890000-0004-7000-8000-0000000000e4', '01890000-0000-7000-8000-000000000002', 1, '%{alice_id}', true, NULL, 'succeeded', 'b', 100, 2147483647, 7, 0.2000000000001),
 ('01890037-0000-7000-8000-0000000000e5', '01890000-0000-7000-8000-000000000001', 1, '%{alice_id}', true, NULL, 'succeeded', 'a', 1, 11, 13, 0.5),
 ('01890500-0000-7000-8000-0000000000e6', '01890000-0000-7000-8000-000000000002', 1, '%{alice_id}', true, NULL, 'running', 'a', NULL, NULL, NULL, NULL);
--- graphql
{ statistics(since: "2023-06-28T03:59:59.999Z", until: "2023-06-28T05:00:00.001Z", by: HOUR) { start executions succeeded failed tokenIn tokenOut costUsd costUnknown latencyP50Ms latencyP95Ms } }
--- data
{"statistics": [
 {"start": "2023-06-28T03:00:00.000Z", "executions": 3, "succeeded": 2, "failed": 0, "tokenIn": 4294967294, "tokenOut": 10, "costUsd": "0.3000000000001", "costUnknown": 1, "latencyP50Ms": "<int>", "latencyP95Ms": "<int>"},
 {"start": "2023-06-28T04:00:00.000Z", "executions": 1, "succeeded": 1, "failed": 0, "tokenIn": 11, "tokenOut": 13, "costUsd": "0.5", "costUnknown": 0, "latencyP50Ms": 1, "latencyP95Ms": 1},
 {"start": "2023-06-28T05:00:00.000Z", "executions": 0, "succeeded": 0, "failed": 0, "tokenIn": 0, "tokenOut": 0, "costUsd": "0", "costUnknown": 0, "latencyP50Ms": null, "latencyP95Ms": null}]}

=== TEST 2: by day, as a whole, of a prompt, a model; before and after the sweep
--- graphql
query ($promptId: ID, $model: String, $since: DateTime!, $until: DateTime, $by: StatisticsInterval = DAY) { statistics(promptId: $promptId, model: $model, since: $since, until: $until, by: $by) { start executions costUsd } }
--- cases
{"since": "2023-06-28T12:00:00Z", "until": "2023-06-29T00:00:00.001Z"} => {"statistics": [{"start": "2023-06-28T00:00:00.000Z", "executions": 4, "costUsd": "0.8000000000001"}, {"start": "2023-06-29T00:00:00.000Z", "executions": 1, "costUsd": "0"}]}
{"since": "2023-06-28T04:30:00Z", "until": "2023-06-30T00:00:00Z", "by": "ALL"} => {"statistics": [{"start": "2023-06-28T04:00:00.000Z", "executions": 2, "costUsd": "0.5"}]}
{"since": "2023-06-28T00:00:00Z", "until": "2023-06-28T01:00:00Z", "model": "b"} => {"statistics": [{"start": "2023-06-28T00:00:00.000Z", "executions": 1, "costUsd": "0.2000000000001"}]}
{"since": "2023-06-28T00:00:00Z", "until": "2023-06-28T01:00:00Z", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": [{"start": "2023-06-28T00:00:00.000Z", "executions": 3, "costUsd": "0.6"}]}
bob: {"since": "2023-06-28T00:00:00Z", "until": "2023-06-28T01:00:00Z"} => {"statistics": [{"start": "2023-06-28T00:00:00.000Z", "executions": 1, "costUsd": "0"}]}
bob: {"since": "2023-06-28T00:00:00Z", "until": "2023-06-28T01:00:00Z", "promptId": "01890000-0000-7000-8000-000000000001", "model": "a"} => {"statistics": [{"start": "2023-06-28T00:00:00.000Z", "executions": 0, "costUsd": "0"}]}
{"since": "2023-06-28T00:00:00Z", "until": "2023-06-28T00:00:00Z"} => {"statistics": []}
{"since": "1960-01-01T00:00:00Z", "until": "9999-12-31T23:59:59.999999Z", "by": "ALL"} => {"statistics": [{"start": "1970-01-01T00:00:00.000Z", "executions": 5, "costUsd": "0.8000000000001"}]}
{"since": "9999-12-31T23:59:59Z"} => {"statistics": []}

=== TEST 3: what is wrong
--- graphql
query ($promptId: ID, $since: DateTime!, $until: DateTime, $by: StatisticsInterval = DAY) { statistics(promptId: $promptId, since: $since, until: $until, by: $by) { start } }
--- cases
{"since": "2023-06-28T00:00:00Z", "until": "2023-06-27T23:00:00Z"} => BAD_USER_INPUT until
{"since": "2023-06-28"} => BAD_USER_INPUT since
{"since": 5} => BAD_USER_INPUT since
{"since": "2023-06-28T00:00:00Z", "until": "tomorrow"} => BAD_USER_INPUT until
{"since": "2020-01-01T00:00:00Z", "until": "2020-02-11T16:00:00.001Z", "by": "HOUR"} => BAD_USER_INPUT since
{"since": "2020-01-01T00:00:00Z", "until": "2022-09-27T00:00:01Z", "by": "DAY"} => BAD_USER_INPUT since
{"since": "2020-01-01T00:00:00Z", "until": "2020-01-02T00:00:00Z", "promptId": "x"} => NOT_FOUND
bob: {"since": "2020-01-01T00:00:00Z", "until": "2020-01-02T00:00:00Z", "promptId": "01890000-0000-7000-8000-000000000002"} => FORBIDDEN

=== TEST 4: the sweeper of nginx sums them up
--- sql
UPDATE executions SET token_cached = 2000000000, token_cache_write = 5, token_reasoning = 2 WHERE status = 'succeeded';
UPDATE log_waiting SET look = now();
SELECT prompt_log_sweep(1000);
--- graphql
{ statistics(since: "2023-06-28T03:00:00Z", until: "2023-06-28T04:00:00Z", by: ALL) { executions failed tokenIn tokenCached tokenCacheWrite tokenReasoning costUsd } }
--- data
{"statistics": [{"executions": 3, "failed": 0, "tokenIn": 4294967294, "tokenCached": 4000000000, "tokenCacheWrite": 10, "tokenReasoning": 4, "costUsd": "0.3000000000001"}]}
--- sql_check
SELECT sum(executions), sum(cost_usd) FROM statistics JOIN log_kinds USING (kind) WHERE user_id = '%{alice_id}' AND prompt_id = '00000000-0000-0000-0000-000000000000' AND hour < 0
--- sql_result
4|0.8000000000001

=== TEST 5: a thousand buckets are not too many
--- request eval
'POST /graphql
{"query":"{ statistics(since: \"2020-01-01T00:00:00Z\", until: \"2020-02-11T16:00:00Z\", by: HOUR) { executions } }"}'
--- key: alice
--- more_headers
Content-Type: application/json
--- response_body_like eval
qr/^\{"data":\{"statistics":\[(\{"executions":0\},?){1000}\]\}\}/

=== TEST 6: groups: before the sweep and after it
--- sql
UPDATE executions SET key_id = (SELECT id FROM api_keys WHERE user_id = '%{alice_id}' AND name = 'execute'), label = 'live' WHERE id::text LIKE '%e1';
UPDATE executions SET key_id = (SELECT id FROM api_keys WHERE user_id = '%{bob_id}' AND name = 'execute') WHERE id::text LIKE '%e2';
DELETE FROM log_kinds; DELETE FROM log_entries; DELETE FROM statistics; UPDATE log_mark SET mark = '00000000-0000-0000-0000-000000000000'; DELETE FROM log_waiting;
UPDATE executions SET key_id = (SELECT id FROM api_keys WHERE user_id = '%{alice_id}' AND name = 'execute'), label = 'live' WHERE id::text LIKE '%e4';
--- graphql
query ($promptId: ID, $model: String, $label: String, $groupBy: StatisticsGroup, $by: StatisticsInterval = ALL) { statistics(promptId: $promptId, model: $model, label: $label, since: "2023-06-28T03:00:00Z", until: "2023-06-30T00:00:00Z", by: $by, groupBy: $groupBy) { group executions costUsd } }
--- cases
{"groupBy": "MODEL", "by": "DAY"} => {"statistics": [{"group": "a", "executions": 2, "costUsd": "0.6"}, {"group": "b", "executions": 1, "costUsd": "0.2000000000001"}, {"group": null, "executions": 1, "costUsd": "0"}, {"group": "a", "executions": 1, "costUsd": "0"}]}
{"groupBy": "MODEL"} => {"statistics": [{"group": "a", "executions": 3, "costUsd": "0.6"}, {"group": "b", "executions": 1, "costUsd": "0.2000000000001"}, {"group": null, "executions": 1, "costUsd": "0"}]}
{"groupBy": "LABEL"} => {"statistics": [{"group": "live", "executions": 2, "costUsd": "0.3000000000001"}, {"group": null, "executions": 3, "costUsd": "0.5"}]}
{"groupBy": "PROMPT"} => {"statistics": [{"group": "01890000-0000-7000-8000-000000000001", "executions": 2, "costUsd": "0.6"}, {"group": "01890000-0000-7000-8000-000000000002", "executions": 3, "costUsd": "0.2000000000001"}]}
{"groupBy": "PROMPT", "model": "b"} => {"statistics": [{"group": "01890000-0000-7000-8000-000000000002", "executions": 1, "costUsd": "0.2000000000001"}]}
{"groupBy": "VERSION", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": [{"group": "1", "executions": 3, "costUsd": "0.6"}]}
{"groupBy": "KEY"} => {"statistics": [{"group": "<uuid>", "executions": 2, "costUsd": "0.3000000000001"}, {"group": null, "executions": 3, "costUsd": "0.5"}]}
{"groupBy": "KEY", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": [{"group": "<uuid>", "executions": 1, "costUsd": "0.1"}, {"group": null, "executions": 2, "costUsd": "0.5"}]}
bob: {"groupBy": "KEY", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": [{"group": "<uuid>", "executions": 1, "costUsd": "0"}]}
bob: {"groupBy": "PROMPT"} => {"statistics": [{"group": "01890000-0000-7000-8000-000000000001", "executions": 1, "costUsd": "0"}]}
bob: {"groupBy": "MODEL", "model": "a"} => {"statistics": []}
{"label": "live"} => {"statistics": [{"group": null, "executions": 2, "costUsd": "0.3000000000001"}]}
{"label": "live", "groupBy": "PROMPT"} => {"statistics": [{"group": "01890000-0000-7000-8000-000000000001", "executions": 1, "costUsd": "0.1"}, {"group": "01890000-0000-7000-8000-000000000002", "executions": 1, "costUsd": "0.2000000000001"}]}
{"label": "live", "groupBy": "VERSION", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": [{"group": "1", "executions": 1, "costUsd": "0.1"}]}
{"label": "live", "model": "b", "groupBy": "LABEL"} => {"statistics": [{"group": "live", "executions": 1, "costUsd": "0.2000000000001"}]}
{"label": "liv", "groupBy": "VERSION", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": []}
bob: {"label": "live", "groupBy": "VERSION", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": []}
{"groupBy": "VERSION"} => BAD_USER_INPUT groupBy
bob: {"groupBy": "VERSION", "promptId": "01890000-0000-7000-8000-000000000002"} => FORBIDDEN

=== TEST 7: after it
--- sql
UPDATE log_waiting SET look = now();
SELECT prompt_log_sweep(1000);
--- graphql
query ($promptId: ID, $model: String, $label: String, $groupBy: StatisticsGroup, $by: StatisticsInterval = ALL) { statistics(promptId: $promptId, model: $model, label: $label, since: "2023-06-28T03:00:00Z", until: "2023-06-30T00:00:00Z", by: $by, groupBy: $groupBy) { group executions costUsd } }
--- cases
{"groupBy": "MODEL", "by": "DAY"} => {"statistics": [{"group": "a", "executions": 2, "costUsd": "0.6"}, {"group": "b", "executions": 1, "costUsd": "0.2000000000001"}, {"group": null, "executions": 1, "costUsd": "0"}, {"group": "a", "executions": 1, "costUsd": "0"}]}
{"groupBy": "MODEL"} => {"statistics": [{"group": "a", "executions": 3, "costUsd": "0.6"}, {"group": "b", "executions": 1, "costUsd": "0.2000000000001"}, {"group": null, "executions": 1, "costUsd": "0"}]}
{"groupBy": "LABEL"} => {"statistics": [{"group": "live", "executions": 2, "costUsd": "0.3000000000001"}, {"group": null, "executions": 3, "costUsd": "0.5"}]}
{"groupBy": "PROMPT"} => {"statistics": [{"group": "01890000-0000-7000-8000-000000000001", "executions": 2, "costUsd": "0.6"}, {"group": "01890000-0000-7000-8000-000000000002", "executions": 3, "costUsd": "0.2000000000001"}]}
{"groupBy": "PROMPT", "model": "b"} => {"statistics": [{"group": "01890000-0000-7000-8000-000000000002", "executions": 1, "costUsd": "0.2000000000001"}]}
{"groupBy": "VERSION", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": [{"group": "1", "executions": 3, "costUsd": "0.6"}]}
{"groupBy": "KEY"} => {"statistics": [{"group": "<uuid>", "executions": 2, "costUsd": "0.3000000000001"}, {"group": null, "executions": 3, "costUsd": "0.5"}]}
{"groupBy": "KEY", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": [{"group": "<uuid>", "executions": 1, "costUsd": "0.1"}, {"group": null, "executions": 2, "costUsd": "0.5"}]}
bob: {"groupBy": "KEY", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": [{"group": "<uuid>", "executions": 1, "costUsd": "0"}]}
bob: {"groupBy": "PROMPT"} => {"statistics": [{"group": "01890000-0000-7000-8000-000000000001", "executions": 1, "costUsd": "0"}]}
bob: {"groupBy": "MODEL", "model": "a"} => {"statistics": []}
{"label": "live"} => {"statistics": [{"group": null, "executions": 2, "costUsd": "0.3000000000001"}]}
{"label": "live", "groupBy": "PROMPT"} => {"statistics": [{"group": "01890000-0000-7000-8000-000000000001", "executions": 1, "costUsd": "0.1"}, {"group": "01890000-0000-7000-8000-000000000002", "executions": 1, "costUsd": "0.2000000000001"}]}
{"label": "live", "groupBy": "VERSION", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": [{"group": "1", "executions": 1, "costUsd": "0.1"}]}
{"label": "live", "model": "b", "groupBy": "LABEL"} => {"statistics": [{"group": "live", "executions": 1, "costUsd": "0.2000000000001"}]}
{"label": "liv", "groupBy": "VERSION", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": []}
bob: {"label": "live", "groupBy": "VERSION", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": []}
{"groupBy": "VERSION"} => BAD_USER_INPUT groupBy
bob: {"groupBy": "VERSION", "promptId": "01890000-0000-7000-8000-000000000002"} => FORBIDDEN

=== TEST 8: which key it is
--- graphql
{ statistics(since: "2023-06-28T03:00:00Z", until: "2023-06-30T00:00:00Z", by: ALL, groupBy: KEY) { executions } }
--- data
{"statistics": [{"executions": 2}, {"executions": 3}]}
--- sql_check
SELECT count(*) FROM log_kinds k JOIN api_keys a ON a.id = k.key_id WHERE a.name = 'execute' AND a.user_id = k.user_id AND k.prompt_id > '00000000-0000-0000-0000-000000000000'
--- sql_result
3

=== TEST 9: a thousand rows of groups, and one more
--- sql
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status, model) SELECT ('01880000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, '01890000-0000-7000-8000-000000000002', 1, '%{alice_id}', true, 'succeeded', 'm' || i FROM generate_series(1, 1001) i;
--- graphql
query ($model: String) { statistics(since: "2023-05-01T00:00:00Z", until: "2023-06-01T00:00:00Z", model: $model, by: ALL, groupBy: MODEL) { group executions } }
--- cases
{} => BAD_USER_INPUT groupBy
{"model": "m77"} => {"statistics": [{"group": "m77", "executions": 1}]}

=== TEST 10: a thousand
--- sql
DELETE FROM executions WHERE model = 'm1001'; DELETE FROM statistics s USING log_kinds k WHERE s.kind = k.kind AND k.model = 'm1001';
--- request eval
'POST /graphql
{"query":"{ statistics(since: \"2023-05-01T00:00:00Z\", until: \"2023-06-01T00:00:00Z\", by: ALL, groupBy: MODEL) { group } }"}'
--- key: alice
--- more_headers
Content-Type: application/json
--- response_body_like eval
qr/^\{"data":\{"statistics":\[(\{"group":"m\d+"\},?){1000}\]\}\}/

=== TEST 11: what is older than hours are kept counts where its day begins
--- sql
UPDATE log_mark SET hours = 468888;
--- graphql
query ($promptId: ID, $since: DateTime!, $until: DateTime, $by: StatisticsInterval = DAY) { statistics(promptId: $promptId, since: $since, until: $until, by: $by) { executions costUsd } }
--- cases
{"since": "2023-06-28T00:00:00Z", "until": "2023-06-28T02:00:00Z", "by": "HOUR"} => {"statistics": [{"executions": 4, "costUsd": "0.8000000000001"}, {"executions": 0, "costUsd": "0"}]}
{"since": "2023-06-28T03:00:00Z", "until": "2023-06-28T05:00:00Z", "by": "ALL"} => {"statistics": [{"executions": 0, "costUsd": "0"}]}
{"since": "2023-06-28T03:00:00Z", "until": "2023-06-28T05:00:00Z"} => {"statistics": [{"executions": 4, "costUsd": "0.8000000000001"}]}
{"since": "2023-06-28T03:00:00Z", "until": "2023-06-29T00:00:01Z", "by": "DAY"} => {"statistics": [{"executions": 4, "costUsd": "0.8000000000001"}, {"executions": 1, "costUsd": "0"}]}
{"since": "2023-06-27T23:00:00Z", "until": "2023-06-28T04:00:00Z", "by": "ALL", "promptId": "01890000-0000-7000-8000-000000000001"} => {"statistics": [{"executions": 3, "costUsd": "0.6"}]}

=== TEST 12: a deleted prompt leaves what was paid for it
--- sql
UPDATE log_mark SET hours = 0;
--- graphql
mutation { deletePrompt(id: "01890000-0000-7000-8000-000000000001") }
--- data
{"deletePrompt": true}

=== TEST 13: at once
--- graphql
{ statistics(since: "2023-06-28T03:00:00Z", until: "2023-06-28T05:00:00Z", by: ALL) { executions failed costUsd latencyP50Ms } }
--- cases
{} => {"statistics": [{"executions": 4, "failed": 0, "costUsd": "0.8000000000001", "latencyP50Ms": "<int>"}]}
bob: {} => {"statistics": [{"executions": 1, "failed": 1, "costUsd": "0", "latencyP50Ms": "<int>"}]}

=== TEST 14: under no prompt any more
--- graphql
{ statistics(since: "2023-06-28T03:00:00Z", until: "2023-06-28T05:00:00Z", by: ALL, groupBy: PROMPT) { group executions costUsd } }
--- cases
{} => {"statistics": [{"group": "01890000-0000-7000-8000-000000000002", "executions": 2, "costUsd": "0.2000000000001"}, {"group": null, "executions": 2, "costUsd": "0.6"}]}
bob: {} => {"statistics": [{"group": null, "executions": 1, "costUsd": "0"}]}

=== TEST 15: and from the sums
--- sql
SELECT prompt_log_sweep(1000);
SELECT prompt_log_sweep(1000);
--- graphql
{ statistics(since: "2023-06-28T03:00:00Z", until: "2023-06-28T05:00:00Z", by: ALL) { executions } }
--- cases
{} => {"statistics": [{"executions": 4}]}
bob: {} => {"statistics": [{"executions": 1}]}
--- sql_check
SELECT sum(executions) FROM statistics JOIN log_kinds USING (kind) WHERE prompt_id = '01890000-0000-7000-8000-000000000001' AND hour < 0
--- sql_result
4

=== TEST 16: a key that may not read
--- key: alice_write
--- graphql
{ statistics(since: "2023-06-28T03:00:00Z") { executions } }
--- error_code: 401
