/*
 * The plans of all statements over a filled database: none reads a table from
 * its beginning to its end, with plans made for the values given nor with
 * generic ones.  And what they read when they are run for accounts of which
 * the statistics are no picture: it is theirs, however much others have.
 */

#include <time.h>

#include "store_db.h"


/* that of the executions below, so that they are lately */
time_t
time(time_t *now)
{
    if (now != NULL) {
        *now = 1795000000;
    }

    return 1795000000;
}


/*
 * Months that are of 25 seconds each, so that the executions below lie in four
 * of five.  As the service does, all is asked without reading what is empty.
 */
static const char  months[] =
    "DO $$ DECLARE p record; BEGIN"
    " FOR p IN SELECT * FROM prompt_months_parts() LOOP"
    " EXECUTE format('DROP TABLE %s', p.part); END LOOP;"
    " FOR n IN 0 .. 4 LOOP PERFORM prompt_months_attach("
    "prompt_months_table('executions_' || n),"
    " CASE WHEN n > 0 THEN prompt_id_of(to_timestamp(1794999975 + n * 25))"
    " END,"
    " CASE WHEN n < 4 THEN prompt_id_of(to_timestamp(1795000000 + n * 25))"
    " END); END LOOP; END $$;"
    " SET enable_seqscan = off; SET jit = off";


/* triggers, which go from row to row, have nothing to do for what follows */
#define QUICKLY  "SET session_replication_role = replica;"
#define QUICKLY_END  "SET session_replication_role = origin; ANALYZE"


/*
 * 100 users with 50 prompts of 5 versions and 2 labels each; 100,000 executions
 * and 50,000 moves of labels
 */
static const char  fill[] =
    QUICKLY

    /* a UUIDv7 with this time (ms since now less a day), kind and number */
    "CREATE FUNCTION made_id(kind int, n int) RETURNS uuid"
    " LANGUAGE sql IMMUTABLE AS $$"
    " SELECT (lpad(to_hex(1795000000000 + n), 12, '0') || '7'"
    " || lpad(to_hex(kind), 3, '0') || '8000' || lpad(to_hex(n), 12, '0'))"
    "::uuid $$;"

    "INSERT INTO users (id, email)"
    " SELECT made_id(1, u), 'user' || u || '@example.org'"
    " FROM generate_series(1, 100) u;"

    "INSERT INTO projects (id, user_id, name)"
    " SELECT id, id, 'Personal' FROM users ON CONFLICT DO NOTHING;"
    "INSERT INTO project_members (project_id, user_id, role)"
    " SELECT id, id, 4 FROM users ON CONFLICT DO NOTHING;"

    "INSERT INTO api_keys (id, user_id, project_id, hash, name, hint)"
    " SELECT made_id(2, k), made_id(1, k % 100 + 1),"
    " made_id(1, k % 100 + 1),"
    " sha256(k::text::bytea), 'key', 'pmt_' FROM generate_series(1, 1000) k;"

    "INSERT INTO prompts (id, owner_id, name, description, category,"
    " is_public, last_version, updated_at)"
    " SELECT made_id(3, p), made_id(1, p % 100 + 1), 'prompt-' || p,"
    " repeat('d', 100), 'GENERAL', p % 10 = 0, 5, now()"
    " FROM generate_series(1, 5000) p;"

    "INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content,"
    " params)"
    " SELECT made_id(4, v), made_id(3, v / 5 + 1),"
    " made_id(1, (v / 5 + 1) % 100 + 1), v % 5 + 1, repeat('c', 326), '{}'"
    " FROM generate_series(0, 24999) v;"

    "INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,"
    " status, deadline)"
    " SELECT made_id(5, e), made_id(3, p), v,"
    " made_id(1, p % 100 + 1), true,"
    " CASE WHEN e % 5000 = 0 THEN 'running' ELSE 'succeeded' END, now()"
    " FROM generate_series(1, 100000) e,"
    " LATERAL (SELECT e % 5000 + 1 AS p, e % 5 + 1 AS v) x;"

    "INSERT INTO prompt_labels (prompt_id, owner_id, label, version, set_at)"
    " SELECT p.id, p.owner_id, l, l::int, now()"
    " FROM prompts p, unnest(ARRAY['1', '2']) l;"

    "INSERT INTO prompt_label_moves (id, prompt_id, owner_id, number, label,"
    " version, moved_at)"
    " SELECT made_id(7, p * 10 + m), made_id(3, p), made_id(1, p % 100 + 1),"
    " m, '1', 1, now()"
    " FROM generate_series(1, 5000) p, generate_series(1, 10) m;"

    QUICKLY_END;


/*
 * Of one account the prompts are older than all others', another has 50,000
 * newer ones, and a third has 50,000 executions of one prompt, which somebody
 * has executed twice, and as many moves of another's label.
 */
static const char  uneven[] =
    QUICKLY

    "CREATE FUNCTION old_id(kind int, n int) RETURNS uuid"
    " LANGUAGE sql IMMUTABLE AS $$"
    " SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '7'"
    " || lpad(to_hex(kind), 3, '0') || '8000' || lpad(to_hex(n), 12, '0'))"
    "::uuid $$;"

    "INSERT INTO users (id, email)"
    " SELECT old_id(1, u), 'old' || u || '@example.org'"
    " FROM generate_series(1, 4) u;"

    "INSERT INTO projects (id, user_id, name)"
    " SELECT id, id, 'Personal' FROM users ON CONFLICT DO NOTHING;"
    "INSERT INTO project_members (project_id, user_id, role)"
    " SELECT id, id, 4 FROM users ON CONFLICT DO NOTHING;"

    "INSERT INTO prompts (id, owner_id, name, category, is_public,"
    " last_version, updated_at)"
    " SELECT old_id(3, p), old_id(1, 1), 'old-' || p, 'GENERAL', true, 2,"
    " now() FROM generate_series(1, 30) p;"
    "INSERT INTO prompts (id, owner_id, name, category, updated_at)"
    " SELECT made_id(3, 10000 + p), old_id(1, 2), 'new-' || p, 'GENERAL',"
    " now() FROM generate_series(1, 50000) p;"
    "INSERT INTO prompts (id, owner_id, name, category, is_public,"
    " last_version, updated_at) VALUES"
    " (old_id(3, 100), old_id(1, 3), 'one', 'GENERAL', true, 2, now()),"
    " (old_id(3, 101), old_id(1, 3), 'moved', 'GENERAL', true, 2, now());"

    "INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content,"
    " params)"
    " SELECT old_id(4, (random() * 1e9)::int), id, owner_id, v, 'c', '{}'"
    " FROM prompts, generate_series(1, 2) v WHERE last_version = 2;"

    "INSERT INTO prompts (id, owner_id, name, category, last_version,"
    " updated_at) VALUES"
    " (old_id(3, 300), old_id(1, 4), 'many', 'GENERAL', 2000, now());"
    "INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content,"
    " params)"
    " SELECT old_id(6, v), old_id(3, 300), old_id(1, 4), v, 'c', '{}'"
    " FROM generate_series(1, 2000) v;"

    "INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,"
    " owner_id, status)"
    " SELECT made_id(5, 200000 + e), old_id(3, 100), 1,"
    " old_id(1, CASE WHEN e <= 2 THEN 4 ELSE 3 END), e > 2,"
    " CASE WHEN e <= 2 THEN old_id(1, 3) END, 'succeeded'"
    " FROM generate_series(1, 50000) e;"

    "INSERT INTO prompt_labels (prompt_id, owner_id, label, version, set_at)"
    " SELECT id, owner_id, l, 1, now() FROM prompts,"
    " unnest(ARRAY['1', '2']) l WHERE last_version = 2;"
    "INSERT INTO prompt_label_moves (id, prompt_id, owner_id, number, label,"
    " version, moved_at)"
    " SELECT made_id(7, 100000 + m), old_id(3, 101), old_id(1, 3), m, '1',"
    " 1, now() FROM generate_series(1, 50000) m;"

    /* sessions: a few, many that are over, and others' newer ones */
    "INSERT INTO api_keys (id, user_id, project_id, hash, name, hint,"
    " scopes, kind, last_used_at, expires_at, idle, network)"
    " SELECT old_id(8, s), old_id(1, 1), old_id(1, 1),"
    " sha256(('a' || s)::bytea), 'session', '', 31, 'session',"
    " now(), now() + interval '12 hours',"
    " interval '2 hours', '192.0.2.1' FROM generate_series(1, 20) s;"
    "INSERT INTO api_keys (id, user_id, project_id, hash, name, hint,"
    " scopes, kind, last_used_at, expires_at, idle, network)"
    " SELECT made_id(8, s), old_id(1, 3), old_id(1, 3),"
    " sha256(('b' || s)::bytea), 'session', '', 31, 'session',"
    " now() - interval '2 days',"
    " now() - interval '1 day', interval '2 hours', '192.0.2.' || s % 200"
    " FROM generate_series(1, 50000) s;"
    "INSERT INTO api_keys (id, user_id, project_id, hash, name, hint,"
    " scopes, kind, last_used_at, expires_at, idle, network)"
    " SELECT made_id(9, s), made_id(1, s % 100 + 1),"
    " made_id(1, s % 100 + 1),"
    " sha256(('c' || s)::bytea), 'session', '', 31, 'session',"
    " now(), now() + interval '12 hours', interval '2 hours',"
    " '192.0.2.' || s % 200"
    " FROM generate_series(1, 50000) s;"

    /* a large dataset, few ones, and others' newer ones; likewise scores */
    "INSERT INTO datasets (id, project_id, name, checks, item_count)"
    " SELECT old_id(10, d), old_id(1, 1), 'd' || d, '[]', 10"
    " FROM generate_series(1, 30) d;"
    "INSERT INTO datasets (id, project_id, name, checks, item_count)"
    " SELECT made_id(10, d), made_id(1, d % 100 + 1), 'd' || d, '[]', 0"
    " FROM generate_series(1, 5000) d;"
    "INSERT INTO datasets (id, project_id, name, checks, item_count)"
    " VALUES (old_id(10, 100), old_id(1, 3), 'large', '[]', 50000);"
    "INSERT INTO dataset_items (id, dataset_id, input, bytes)"
    " SELECT made_id(11, i), old_id(10, 100), '{}', 2"
    " FROM generate_series(1, 50000) i;"
    "INSERT INTO dataset_items (id, dataset_id, input, bytes)"
    " SELECT old_id(11, i), old_id(10, i % 30 + 1), '{}', 2"
    " FROM generate_series(1, 300) i;"
    "INSERT INTO scores (id, execution_id, project_id, name, value, source,"
    " created_by) SELECT made_id(12, e), made_id(5, 200000 + e), old_id(1, 3),"
    " 'x', e % 10, 'API', old_id(1, 3) FROM generate_series(1, 50000) e;"

    "INSERT INTO audit (id, project_id, action)"
    " SELECT old_id(9, s), old_id(1, 1), 'x' FROM generate_series(1, 30) s;"
    "INSERT INTO audit (id, project_id, action)"
    " SELECT made_id(9, s), made_id(1, s % 100 + 1), 'x'"
    " FROM generate_series(1, 50000) s;"

    QUICKLY_END;


/*
 * What a statement is run with: the first parameters; the others are by their
 * types.  A page, and executions of a version, are of ten.
 */
typedef struct {
    unsigned     id;
    bool         family;
    const char  *values[18];
} run_t;

#define OLD   "old_id(1, 1)"
#define ONE   "old_id(1, 3)"
#define GUEST "old_id(1, 4)"
#define LAST  "'ffffffff-ffff-ffff-ffff-ffffffffffff'"
#define ZERO  "'00000000-0000-0000-0000-000000000000'"
#define PAGE  ZERO, LAST, "10"
#define ANY   "'{}'", "NULL", "NULL"
#define COSTS "NULL", "NULL", "NULL", "NULL"
#define NOTED "NULL", "NULL", "NULL", "NULL", "NULL", COSTS
#define SPLIT "'[{\"version\":1,\"permille\":900},"                           \
              "{\"version\":2,\"permille\":100}]'"

static const run_t  runs[] = {
    { PROMPT_FAMILY_PROMPT_BY_ID, true, { "old_id(3, 1)", OLD } },
    { PROMPT_FAMILY_PROMPT_BY_NAME, true, { OLD, "'old-1'" } },
    { PROMPT_FAMILY_PROMPT_ALL, true, { OLD } },
    { PROMPT_FAMILY_PROMPT_PAGE, true, { OLD, LAST, "NULL", "10", "10" } },
    { PROMPT_FAMILY_PROMPT_PAGE, true,
      { OLD, LAST, "'ROUTING'", "10", "10" } },
    { PROMPT_FAMILY_PROMPT_IDS, true,
      { OLD, "ARRAY[old_id(3, 1), old_id(3, 2)]", "10" } },
    { PROMPT_STATEMENT_PROMPT_SEARCH, false,
      { OLD, LAST, "NULL", "'old'", "10" } },
    { PROMPT_FAMILY_VERSION_BY_ID, true, { "old_id(3, 1)", GUEST } },
    { PROMPT_FAMILY_VERSION_BY_NAME, true, { OLD, "'old-1'" } },
    { PROMPT_FAMILY_VERSION_ALL, true, { OLD } },
    { PROMPT_FAMILY_VERSION_PAGE, true, { OLD, LAST, "NULL", "10", "10" } },
    { PROMPT_FAMILY_EXECUTION_BY_ID, true, { "old_id(3, 100)", ONE } },
    { PROMPT_FAMILY_EXECUTION_BY_ID, true, { "old_id(3, 100)", GUEST } },
    { PROMPT_FAMILY_EXECUTION_BY_ID, true, { "old_id(3, 100)", OLD } },
    { PROMPT_FAMILY_EXECUTION_BY_ID, true, { "old_id(3, 300)", GUEST } },
    { PROMPT_FAMILY_EXECUTION_BY_NAME, true, { ONE, "'one'" } },
    { PROMPT_FAMILY_EXECUTION_BY_NAME, true, { GUEST, "'many'" } },
    { PROMPT_FAMILY_EXECUTION_ALL, true, { ONE } },
    { PROMPT_FAMILY_EXECUTION_ALL, true, { OLD } },
    { PROMPT_FAMILY_EXECUTION_PAGE, true,
      { ONE, LAST, "NULL", "10", LAST, "10", "true", "10" } },
    { PROMPT_FAMILY_VERSION_ONE_BY_ID, true,
      { "old_id(3, 1)", GUEST, "NULL", "'1'" } },
    { PROMPT_FAMILY_VERSION_ONE_BY_ID, true,
      { "old_id(3, 300)", GUEST, "NULL", "NULL" } },
    { PROMPT_FAMILY_VERSION_ONE_BY_NAME, true, { OLD, "'old-1'", "1" } },
    { PROMPT_FAMILY_VERSION_ONE_PAGE, true,
      { OLD, LAST, "NULL", "10", "NULL", "'1'", "10" } },
    { PROMPT_FAMILY_VERSION_ONE_IDS, true,
      { OLD, "ARRAY[old_id(3, 1), old_id(3, 2)]", "1", "NULL" } },
    { PROMPT_FAMILY_EXECUTION_ONE_BY_ID, true,
      { "old_id(3, 100)", ONE, "NULL", "'1'", LAST, "10", "true", "10" } },
    { PROMPT_FAMILY_EXECUTION_ONE_BY_ID, true,
      { "old_id(3, 100)", GUEST, "NULL", "'1'", LAST, "10", "true", "10" } },
    { PROMPT_FAMILY_EXECUTION_ONE_BY_NAME, true,
      { ONE, "'one'", "1", "NULL", LAST, "10", "true", "10" } },
    { PROMPT_FAMILY_EXECUTION_ONE_PAGE, true,
      { ONE, LAST, "NULL", "10", "NULL", "'1'", LAST } },
    { PROMPT_FAMILY_EXECUTION_OWN, true, { "old_id(3, 100)", ONE } },
    { PROMPT_FAMILY_EXECUTION_OWN, true, { "old_id(3, 1)", OLD } },
    { PROMPT_FAMILY_EXECUTION_SOME_OWN, true,
      { "old_id(3, 100)", ONE, "NULL", "2", "NULL",
        LAST, "10", "true", "10" } },
    { PROMPT_FAMILY_EXECUTION_ONE_OWN, true,
      { "old_id(3, 100)", ONE, "NULL", "'1'", LAST, "10", "true", "10" } },
    { PROMPT_FAMILY_LABEL_BY_ID, true, { "old_id(3, 1)", GUEST } },
    { PROMPT_FAMILY_LABEL_BY_NAME, true, { OLD, "'old-1'" } },
    { PROMPT_FAMILY_LABEL_ALL, true, { OLD, "100" } },
    { PROMPT_FAMILY_LABEL_ALL, true, { "old_id(1, 2)", "100" } },
    { PROMPT_FAMILY_LABEL_PAGE, true, { OLD, LAST, "NULL", "10", "10" } },
    { PROMPT_FAMILY_LABEL_IDS, true,
      { OLD, "ARRAY[old_id(3, 1), old_id(3, 2)]", "10" } },
    { PROMPT_FAMILY_MOVE_BY_ID, true, { "old_id(3, 101)", ONE, "NULL" } },
    { PROMPT_FAMILY_MOVE_BY_ID, true,
      { "old_id(3, 101)", ONE, "made_id(7, 140000)" } },
    { PROMPT_FAMILY_MOVE_BY_NAME, true, { ONE, "'moved'", "NULL" } },
    { PROMPT_FAMILY_MOVE_ALL, true, { ONE, "NULL", "10", "100" } },
    { PROMPT_FAMILY_MOVE_ALL, true, { "old_id(1, 2)", "NULL", "10", "100" } },
    { PROMPT_FAMILY_MOVE_PAGE, true,
      { ONE, LAST, "NULL", "10", "NULL", "10", "10" } },
    { PROMPT_FAMILY_MOVE_IDS, true,
      { ONE, "ARRAY[old_id(3, 101)]", "NULL" } },
    { PROMPT_STATEMENT_LABEL_LOCK, false, { "old_id(3, 101)", ONE } },
    { PROMPT_STATEMENT_LABEL_SET, false,
      { "old_id(3, 101)", ONE, "'1'", "old_id(7, 1)", "now()", "1", "64",
        SPLIT, "'{\"minExecutions\":1,\"maxFailurePermille\":0}'" } },
    { PROMPT_STATEMENT_LABEL_SET, false,
      { "old_id(3, 101)", ONE, "'1'", "old_id(7, 1)", "now()", "2", "64",
        "NULL", "NULL" } },
    { PROMPT_STATEMENT_LABEL_GUARD, false,
      { "old_id(3, 101)", ONE, "'1'", "old_id(7, 1)", "now()", "now()", "2",
        "'why'" } },
    { PROMPT_STATEMENT_LABEL_REMOVE, false,
      { "old_id(3, 101)", ONE, "'1'", "old_id(7, 1)" } },
    { PROMPT_STATEMENT_EXECUTION_LABELLED, false,
      { "old_id(3, 100)", GUEST, "'1'" } },
    { PROMPT_FAMILY_LOG_PAGE, true, { ONE, PAGE, ANY, "NULL", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true, { GUEST, PAGE, ANY, "NULL", "NULL",
        NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true, { OLD, PAGE, ANY, "NULL", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { ONE, PAGE, ANY, "old_id(3, 100)", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true, { ONE, PAGE, ANY, "old_id(3, 100)", "1",
        NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true, { ONE, PAGE, ANY, "old_id(3, 100)", "0",
        NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { GUEST, PAGE, ANY, "old_id(3, 100)", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { ONE, PAGE, "'{succeeded}'", "NULL", "NULL", "NULL", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { ONE, PAGE, "'{failed,lost}'", "NULL", "NULL", "NULL", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { ONE, PAGE, "'{}'", "'none'", "NULL", "NULL", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { ONE, PAGE, "'{}'", "NULL", "'none'", "old_id(3, 100)", "1", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { ONE, PAGE, "'{succeeded}'", "NULL", "NULL", "old_id(3, 100)",
        "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { GUEST, PAGE, "'{succeeded}'", "NULL", "NULL", "NULL", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { ONE, PAGE, ANY, "NULL", "NULL", "NULL", "NULL", "'none'", "NULL",
        "NULL", COSTS } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { OLD, PAGE, ANY, "NULL", "NULL", "NULL", "NULL", "'x'", "'1'",
        "'2'", COSTS } },
    { PROMPT_FAMILY_LOG_ONE, true, { ONE, "made_id(5, 200009)" } },
    { PROMPT_FAMILY_LOG_PROMPTS_PAGE, true,
      { ONE, PAGE, ANY, "NULL", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PROMPTS_PAGE, true,
      { ONE, PAGE, "'{succeeded}'", "NULL", "NULL", "NULL", "NULL", NOTED } },
    { PROMPT_STATEMENT_LOG_PEOPLE_PAGE, false,
      { ONE, PAGE, ANY, "NULL", "NULL", NOTED } },
    { PROMPT_STATEMENT_LOG_PEOPLE_ONE, false, { ONE, "made_id(5, 200009)" } },
    { PROMPT_STATEMENT_STATISTICS, false,
      { ONE, ZERO, "''", "498600", "498624", "1", "498600", "498600", ZERO,
        LAST } },
    { PROMPT_STATEMENT_STATISTICS, false,
      { GUEST, ZERO, "''", "0", "600000", "24", "0", "600000", ZERO, LAST } },
    { PROMPT_STATEMENT_AUDIT_READ, false,
      { OLD, ZERO, LAST, "NULL", "NULL", "NULL", "10" } },
    { PROMPT_STATEMENT_AUDIT_READ, false,
      { OLD, ZERO, LAST, ONE, "'x'", OLD, "10" } },
    { PROMPT_STATEMENT_USER_OF_PROMPT, false, { "old_id(3, 1)", GUEST } },
    { PROMPT_STATEMENT_USER_OF_PROJECT, false, { ONE } },
    { PROMPT_STATEMENT_SESSION_ASK, false,
      { "'old1@example.org'", "'192.0.2.1'" } },
    { PROMPT_STATEMENT_SESSION_ASK, false,
      { "'old3@example.org'", "'192.0.3.9'" } },
    { PROMPT_STATEMENT_SESSION_ASK_AGAIN, false, { ONE, "'192.0.2.1'" } },
    { PROMPT_STATEMENT_SESSION_SHOW, false, { "old_id(8, 1)", OLD } },
    { PROMPT_STATEMENT_SESSION_LIST, false, { OLD, "256" } },
    { PROMPT_STATEMENT_SESSION_LIST, false, { ONE, "256" } },
    { PROMPT_STATEMENT_SESSION_CROWD, false, { OLD, "256" } },
    { PROMPT_STATEMENT_SESSION_CROWD, false, { ONE, "256" } },
    { PROMPT_STATEMENT_SESSION_END, false, { "sha256('a1')" } },
    { PROMPT_STATEMENT_SESSION_END_OTHERS, false, { OLD, "NULL", "NULL" } },
    { PROMPT_STATEMENT_SESSION_END_OTHERS, false, { ONE, "NULL", "NULL" } },
    { PROMPT_STATEMENT_API_KEY_BY_HASH, false, { "sha256('a1')" } },
    { PROMPT_STATEMENT_API_KEY_LIST, false, { OLD, LAST, "10", "true" } },
    { PROMPT_STATEMENT_API_KEY_LIST, false,
      { ONE, LAST, "10", "false", ONE } },
    { PROMPT_STATEMENT_API_KEY_LIST_ANY, false, { ONE } },
    { PROMPT_STATEMENT_API_KEY_DELETE, false, { "made_id(2, 1)" } },
    { PROMPT_STATEMENT_API_KEY_CREATE, false,
      { "now()", "made_id(2, 2000)", ONE, ONE, "sha256('new')", "'n'", "'h'",
        "0", "NULL", "1000", "made_id(2, 1)" } },
    { PROMPT_STATEMENT_API_KEY_USED, false,
      { "ARRAY[old_id(8, 1), made_id(9, 7)]" } },
    { PROMPT_STATEMENT_PROJECT_READ, false, { OLD, "NULL", "1000" } },
    { PROMPT_STATEMENT_PROJECT_MEMBERS, false,
      { OLD, OLD, "1000", "100", "NULL" } },
    { PROMPT_STATEMENT_PROJECT_INVITATIONS, false, { OLD, "NULL", "1000" } },
    { PROMPT_STATEMENT_PROJECT_UPDATE, false,
      { OLD, "'x'", "NULL", "NULL" } },
    { PROMPT_STATEMENT_PROJECT_DELETE, false, { OLD, OLD, OLD, "false" } },
    { PROMPT_STATEMENT_MEMBER_LOCK, false, { OLD, OLD } },
    { PROMPT_STATEMENT_MEMBER_LOCK_ALL, false, { OLD, OLD } },
    { PROMPT_STATEMENT_MEMBER_LOCK_INVITED, false, { "sha256('a1')", OLD } },
    { PROMPT_STATEMENT_MEMBER_SET, false, { OLD, OLD, "0", OLD } },
    { PROMPT_STATEMENT_MEMBER_ACCEPT, false,
      { "sha256('a1')", OLD, "1000" } },
    { PROMPT_STATEMENT_MEMBER_UNINVITE, false, { OLD, OLD } },
    { PROMPT_STATEMENT_INVITATION_ASK, false, { "sha256('a1')" } },
    { PROMPT_STATEMENT_PROMPT_UPDATE, false,
      { "old_id(3, 1)", OLD, "false", "'x'", "true", "NULL", "NULL" } },
    { PROMPT_STATEMENT_PROMPT_FORK, false,
      { "old_id(3, 1)", GUEST, "old_id(3, 200)", "'123456'", "32" } },
    { PROMPT_STATEMENT_PROMPT_FORK_STEP, false,
      { "old_id(3, 200)", GUEST, "old_id(3, 1)", "0" } },
    { PROMPT_STATEMENT_PROMPT_FORK_END, false, { "old_id(3, 1)", OLD } },
    { PROMPT_STATEMENT_PROMPT_FORK_ABANDON, false, { "old_id(3, 1)", OLD } },
    { PROMPT_STATEMENT_PROMPT_DELETE, false, { "old_id(3, 100)", ONE } },
    { PROMPT_STATEMENT_VERSION_CREATE, false,
      { "old_id(3, 100)", ONE, "now()", "100", "1000000", "10000", "false",
        "10000", "old_id(4, 1)" } },
    { PROMPT_STATEMENT_EXECUTION_TARGET, false,
      { "old_id(3, 100)", GUEST, "NULL" } },
    { PROMPT_STATEMENT_EXECUTION_START, false,
      { "old_id(5, 1)", "old_id(3, 100)", "1", GUEST } },
    { PROMPT_STATEMENT_EXECUTION_START, false,
      { "old_id(5, 1)", "old_id(3, 100)", "1", GUEST, "1000", "now()",
        "now()" } },
    { PROMPT_STATEMENT_EXECUTION_START_LABELLED, false,
      { "old_id(5, 1)", "old_id(3, 100)", "1", GUEST, "1000", "now()", "now()",
        "'production'" } },
    { PROMPT_STATEMENT_EXECUTION_START_DRAFT, false,
      { "old_id(5, 1)", "old_id(3, 100)", "0", ONE } },
    { PROMPT_STATEMENT_EXECUTION_FINISH, false,
      { "made_id(5, 200001)", "NULL", "'lost'" } },
    { PROMPT_STATEMENT_EXECUTION_RECORD, false,
      { "old_id(5, 1)", "old_id(3, 100)", "1", GUEST, "now()", "NULL",
        "'{}'" } },
    { PROMPT_STATEMENT_EXECUTION_RESERVE, false,
      { "old_id(5, 1)", "old_id(3, 100)", "1", GUEST, "1000", "now()", "NULL",
        "NULL", "'0.01'", "false" } },
    { PROMPT_STATEMENT_EXECUTION_RESERVE_LABELLED, false,
      { "old_id(5, 1)", "old_id(3, 100)", "1", GUEST, "1000", "now()", "now()",
        "'production'", "now()", "NULL", "'0.01'", "true" } },
    { PROMPT_STATEMENT_EXECUTION_RESERVE_DRAFT, false,
      { "old_id(5, 1)", "old_id(3, 100)", "0", ONE, "1000", "now()", "NULL",
        "NULL", "'0.01'", "false" } },
    { PROMPT_STATEMENT_EXECUTION_RECORD_DRAFT, false,
      { "old_id(5, 1)", "old_id(3, 100)", "0", ONE, "now()", "NULL",
        "'{}'" } },
    { PROMPT_STATEMENT_EXECUTION_RECORD_SETTLE_DRAFT, false,
      { "old_id(5, 1)", "old_id(3, 100)", "0", ONE, "now()", "NULL", "NULL",
        "'{}'" } },
    { PROMPT_STATEMENT_EXECUTION_SETTLE, false,
      { "made_id(5, 200001)", "'0.01'", "NULL", "'lost'" } },
    { PROMPT_STATEMENT_EXECUTION_RECORD_SETTLE, false,
      { "old_id(5, 1)", "old_id(3, 100)", "1", GUEST, "now()", "NULL", "NULL",
        "'{}'" } },
    { PROMPT_STATEMENT_BUDGET_SET, false,
      { "made_id(7, 1)", ONE, "NULL", "'DAY'", "'1'", "80" } },
    { PROMPT_STATEMENT_BUDGET_REMOVE, false, { "made_id(7, 1)", ONE } },
    { PROMPT_STATEMENT_BUDGET_LIST, false, { ONE } },
    { PROMPT_STATEMENT_BUDGET_HASHES, false, { ONE } },
    { PROMPT_STATEMENT_PROJECT_BUDGETS, false, { ONE, "NULL", "1000" } },
    { PROMPT_STATEMENT_DATASET_SEEN, false, { ONE, "old_id(10, 100)" } },
    { PROMPT_STATEMENT_DATASET_READ, false,
      { ONE, "old_id(10, 100)", "NULL", "NULL" } },
    { PROMPT_STATEMENT_DATASET_READ, false, { OLD, "NULL", "NULL", "10" } },
    { PROMPT_STATEMENT_DATASET_ITEMS, false,
      { ONE, "old_id(10, 100)", "NULL", "NULL", "10", "made_id(11, 40000)" } },
    { PROMPT_STATEMENT_DATASET_ITEMS, false,
      { OLD, "NULL", "NULL", "10", "10", "NULL" } },
    { PROMPT_STATEMENT_DATASET_CREATE, false,
      { "now()", "'new'", OLD, "10", "100", "10", "false", "10",
        "old_id(10, 200)" } },
    { PROMPT_STATEMENT_DATASET_UPDATE, false,
      { "old_id(10, 100)", ONE, "NULL", "NULL" } },
    { PROMPT_STATEMENT_DATASET_DELETE, false, { "old_id(10, 100)", ONE } },
    { PROMPT_STATEMENT_DATASET_ADD, false,
      { "old_id(10, 100)", ONE, "100000", "1", "10", "'[]'" } },
    { PROMPT_STATEMENT_DATASET_ADD_EXECUTION, false,
      { "old_id(10, 100)", ONE, "100000", "made_id(5, 200009)",
        "old_id(11, 1000)", "NULL" } },
    { PROMPT_STATEMENT_DATASET_REMOVE, false,
      { "ARRAY[made_id(11, 1), made_id(11, 2)]", ONE } },
    { PROMPT_STATEMENT_RUN_ALLOWED, false, { ONE, "old_id(13, 1)" } },
    { PROMPT_STATEMENT_RUN_READ, false, { ONE, "old_id(13, 1)", "true" } },
    { PROMPT_STATEMENT_RUN_LIST, false,
      { ONE, "old_id(10, 100)", "NULL", "NULL", "10", "NULL", "true" } },
    { PROMPT_STATEMENT_RUN_CELLS, false, { ONE, "old_id(13, 1)", "0", "10" } },
    { PROMPT_STATEMENT_RUN_TOLD, false, { ONE, "old_id(13, 1)", "0", "10" } },
    { PROMPT_STATEMENT_RUN_VERSIONS, false,
      { ONE, "old_id(3, 100)", "'[1,2]'" } },
    { PROMPT_STATEMENT_RUN_MAKE, false,
      { "old_id(10, 100)", ONE, "100000", "1", "old_id(13, 2)",
        "old_id(3, 100)", "'[1]'", "1", "'1'" } },
    { PROMPT_STATEMENT_RUN_UPDATE, false, { "old_id(13, 1)", ONE, "'1'" } },
    { PROMPT_STATEMENT_RUN_CANCEL, false, { "old_id(13, 1)", ONE } },
    { PROMPT_STATEMENT_RUN_STEP, false,
      { "old_id(13, 1)", ONE, "old_id(13, 9)", "4", "false",
        "ARRAY[old_id(5, 1)]", "NULL", "NULL" } },
    { PROMPT_STATEMENT_SCORE_SET, false,
      { "made_id(5, 200009)", ONE, "old_id(12, 1)", "'y'", "'1'", "NULL",
        "10" } },
    { PROMPT_STATEMENT_SCORE_REMOVE, false, { "made_id(12, 1)", ONE } },
    { PROMPT_STATEMENT_EXECUTION_SWEEP, false, { "10" } }
};

/*
 * From a bound in the third month on, which is what stands for an id above all
 * that there are.
 */
#define BOUND  "made_id(0, 40000)"
#define BELOW  ZERO, BOUND, "10"

static const run_t  bounded[] = {
    { PROMPT_FAMILY_EXECUTION_BY_ID, true,
      { "made_id(3, 70)", "made_id(1, 71)", BOUND } },
    { PROMPT_FAMILY_EXECUTION_BY_NAME, true,
      { "made_id(1, 71)", "'prompt-70'", BOUND } },
    { PROMPT_FAMILY_EXECUTION_ALL, true, { "made_id(1, 71)", BOUND } },
    { PROMPT_FAMILY_EXECUTION_PAGE, true,
      { "made_id(1, 71)", LAST, "NULL", "10", BOUND } },
    { PROMPT_FAMILY_EXECUTION_IDS, true,
      { "made_id(1, 71)", "ARRAY[made_id(3, 70)]", BOUND } },
    { PROMPT_FAMILY_EXECUTION_SOME_BY_ID, true,
      { "made_id(3, 70)", "made_id(1, 71)", "NULL", "2", "NULL", BOUND } },
    { PROMPT_FAMILY_EXECUTION_SOME_BY_NAME, true,
      { "made_id(1, 71)", "'prompt-70'", "NULL", "2", "NULL", BOUND } },
    { PROMPT_FAMILY_EXECUTION_SOME_PAGE, true,
      { "made_id(1, 71)", LAST, "NULL", "10", "NULL", "2", "NULL", BOUND } },
    { PROMPT_FAMILY_EXECUTION_SOME_IDS, true,
      { "made_id(1, 71)", "ARRAY[made_id(3, 70)]", "NULL", "2", "NULL",
        BOUND } },
    { PROMPT_FAMILY_EXECUTION_ONE_BY_ID, true,
      { "made_id(3, 70)", "made_id(1, 71)", "1", "NULL", BOUND } },
    { PROMPT_FAMILY_EXECUTION_ONE_BY_NAME, true,
      { "made_id(1, 71)", "'prompt-70'", "1", "NULL", BOUND } },
    { PROMPT_FAMILY_EXECUTION_ONE_PAGE, true,
      { "made_id(1, 71)", LAST, "NULL", "10", "1", "NULL", BOUND } },
    { PROMPT_FAMILY_EXECUTION_ONE_IDS, true,
      { "made_id(1, 71)", "ARRAY[made_id(3, 70)]", "1", "NULL", BOUND } },
    { PROMPT_FAMILY_EXECUTION_OWN, true,
      { "made_id(3, 70)", "made_id(1, 71)", BOUND } },
    { PROMPT_FAMILY_EXECUTION_SOME_OWN, true,
      { "made_id(3, 70)", "made_id(1, 71)", "NULL", "2", "NULL", BOUND } },
    { PROMPT_FAMILY_EXECUTION_ONE_OWN, true,
      { "made_id(3, 70)", "made_id(1, 71)", "1", "NULL", BOUND } }
};

static const run_t  bounded_pages[] = {
    { PROMPT_FAMILY_LOG_PAGE, true,
      { "made_id(1, 71)", BELOW, ANY, "NULL", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { "made_id(1, 71)", BELOW, ANY, "made_id(3, 70)", "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PAGE, true,
      { "made_id(1, 71)", BELOW, "'{failed}'", "NULL", "NULL", "NULL",
        "NULL", NOTED } },
    { PROMPT_FAMILY_LOG_PROMPTS_PAGE, true,
      { "made_id(1, 71)", BELOW, ANY, "NULL", "NULL", NOTED } },
    { PROMPT_STATEMENT_LOG_PEOPLE_PAGE, false,
      { "made_id(1, 71)", BELOW, ANY, "NULL", "NULL", NOTED } }
};

/* more than any of these accounts has of anything but those 50,000 */
#define MAX_READ  600

/* two accounts are left */
static const char  two[] =
    QUICKLY

    "DELETE FROM prompts WHERE owner_id NOT IN (old_id(1, 1), old_id(1, 2));"
    "DELETE FROM prompt_versions"
    " WHERE owner_id NOT IN (old_id(1, 1), old_id(1, 2));"
    "DELETE FROM prompt_labels"
    " WHERE owner_id NOT IN (old_id(1, 1), old_id(1, 2));"
    "DELETE FROM prompt_label_moves; DELETE FROM executions;"
    "DELETE FROM log_entries; DELETE FROM log_waiting;"

    QUICKLY_END;


/* 25 accounts, one after the other, as pages of the table have them */
static const char  ordered[] =
    "TRUNCATE prompts CASCADE;"
    "INSERT INTO prompts (id, owner_id, name, category, updated_at)"
    " SELECT made_id(3, u * 20000 + p), made_id(1, u), 'prompt-' || p,"
    " 'GENERAL', now() FROM generate_series(1, 25) u,"
    " generate_series(1, CASE u WHEN 25 THEN 10000 WHEN 24 THEN 2000"
    " ELSE 10 END) p;"
    "ANALYZE prompts";

#define LARGEST  "made_id(1, 25)"

static const run_t  ordered_runs[] = {
    { PROMPT_FAMILY_PROMPT_PAGE, true, { LARGEST, LAST, "NULL", "10", "10" } },
    { PROMPT_FAMILY_VERSION_PAGE, true, { LARGEST, LAST, "NULL", "10", "10" } },
    { PROMPT_STATEMENT_PROMPT_SEARCH, false,
      { LARGEST, LAST, "NULL", "'x'", "10" } }
};


/* a value that there is, of each type */
static const char *
type_value(uint32_t oid)
{
    switch (oid) {

    case PROMPT_OID_BOOL:
        return "true";

    case PROMPT_OID_BYTEA:
        return "sha256('7')";

    case PROMPT_OID_INT8:
        return "10";

    case PROMPT_OID_INT4:
        return "2";

    case PROMPT_OID_TEXT:
        return "'1'";

    case PROMPT_OID_JSON:
        return "'{}'";

    case PROMPT_OID_TIMESTAMPTZ:
        return "now()";

    case PROMPT_OID_UUIDS:
        return "ARRAY[made_id(3, 70), made_id(3, 71)]";

    case PROMPT_OID_TEXTS:
        return "ARRAY['1']";

    default:
        return "made_id(3, 70)";
    }
}


/* The plan reads no table whole; a table with few rows may be users'. */

static bool
plan_sound(PGresult *result)
{
    int                       i;
    size_t                    t;
    bool                      sound;
    char                      scan[64];
    const char               *line;
    static const char *const  tables[] = {
        "prompts ", "prompt_versions ", "executions_", "api_keys ",
        "prompt_labels ", "prompt_label_moves ", "datasets ",
        "dataset_items ", "scores "
    };

    sound = true;

    for (i = 0; i < PQntuples(result); i++) {
        line = PQgetvalue(result, i, 0);

        for (t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
            (void) snprintf(scan, sizeof(scan), "Seq Scan on %s", tables[t]);

            if (strstr(line, scan) != NULL) {
                diag("%s", line);
                sound = false;
            }
        }
    }

    for (i = 0; !sound && i < PQntuples(result); i++) {
        detail("%s", PQgetvalue(result, i, 0));
    }

    return sound;
}


static void
test_plan(const prompt_statement_t *statement, bool generic)
{
    char       sql[32768], name[128];
    size_t     len;
    unsigned   i;
    PGresult  *result;

    (void) snprintf(name, sizeof(name), "%s: %s", statement->name,
                    generic ? "a generic plan" : "a plan for these values");

    if (!db_script(generic ? "SET plan_cache_mode = force_generic_plan"
                           : "SET plan_cache_mode = force_custom_plan"))
    {
        ok(false, name);
        return;
    }

    if (!db_prepare(statement)) {
        ok(false, name);
        return;
    }

    len = (size_t) snprintf(sql, sizeof(sql), "EXPLAIN EXECUTE s%s",
                            statement->nparams != 0 ? " (" : "");

    for (i = 0; i < statement->nparams; i++) {
        len += (size_t) snprintf(sql + len, sizeof(sql) - len, "%s%s",
                                 type_value(statement->types[i]),
                                 i + 1 < statement->nparams ? ", " : ")");
    }

    result = ctl_postgres_text(&pg, sql, 0, NULL);

    if (result == NULL) {
        diag("%s", pg.message);
    }

    ok(result != NULL && plan_sound(result), name);
    (void) db_script("DEALLOCATE s");
}


/* the rows that scans found, and those that were looked at and left out */

static long
plan_read(PGresult *result)
{
    int          i;
    long         sum, loops;
    const char  *line, *at;

    sum = 0;
    loops = 1;

    for (i = 0; i < PQntuples(result); i++) {
        line = PQgetvalue(result, i, 0);
        at = strstr(line, "loops=");

        if (at != NULL) {
            loops = atol(at + 6);
        }

        at = strstr(line, "actual rows=");

        if (at != NULL && strstr(line, " Scan ") != NULL) {
            sum += atol(at + 12) * loops;
        }

        at = strstr(line, "Rows Removed by ");

        if (at != NULL && strchr(at, ':') != NULL) {
            sum += atol(strchr(at, ':') + 1) * loops;
        }
    }

    return sum;
}


static const prompt_statement_t *
run_statement(const run_t *run)
{
    return run->family
           ? prompt_statement_family((prompt_family_id_t) run->id, UINT32_MAX)
           : prompt_statement_fixed((prompt_statement_id_t) run->id);
}


/* the plan that a statement is run with, or NULL: to be rolled back */

static PGresult *
run_explain(const run_t *run, const char *explain, bool generic)
{
    char                       sql[32768];
    size_t                     len;
    unsigned                   i;
    PGresult                  *result;
    const char                *value;
    const prompt_statement_t  *statement;

    statement = run_statement(run);

    if (!db_script(generic ? "SET plan_cache_mode = force_generic_plan; BEGIN"
                           : "SET plan_cache_mode = force_custom_plan; BEGIN")
        || !db_prepare(statement))
    {
        return NULL;
    }

    len = (size_t) snprintf(sql, sizeof(sql), "%s EXECUTE s (", explain);

    for (i = 0; i < statement->nparams; i++) {
        value = i < 18 ? run->values[i] : NULL;

        if (value == NULL) {
            value = statement->types[i] == PROMPT_OID_UUID
                    ? LAST : type_value(statement->types[i]);
        }

        len += (size_t) snprintf(sql + len, sizeof(sql) - len, "%s%s", value,
                                 i + 1 < statement->nparams ? ", " : ")");
    }

    result = ctl_postgres_text(&pg, sql, 0, NULL);

    if (result == NULL) {
        diag("%s", pg.message);
    }

    return result;
}


/* what tables counted as read, by functions as well */
static long
rows_read(void)
{
    return db_number("SELECT sum(seq_tup_read) + sum(idx_tup_fetch) FROM"
                     " pg_stat_xact_user_tables WHERE relname IN"
                     " ('prompt_versions', 'prompt_labels',"
                     " 'prompt_label_moves', 'log_entries', 'log_waiting',"
                     " 'datasets', 'dataset_items', 'scores')"
                     " OR relname ~ '^executions_[0-9]'");
}


static void
test_read(const run_t *run, bool generic)
{
    int        line;
    char       name[128];
    long       n, before;
    PGresult  *result;

    before = rows_read();
    result = run_explain(run, "EXPLAIN (ANALYZE, TIMING OFF)", generic);
    n = result != NULL ? plan_read(result) : -1;

    if (n >= 0 && rows_read() - before > n) {
        n = rows_read() - before;
    }

    (void) snprintf(name, sizeof(name), "%s for %s reads little: %s",
                    run_statement(run)->name, run->values[0],
                    generic ? "a generic plan" : "a plan for these values");

    if (!ok(n >= 0 && n <= MAX_READ, name) && result != NULL) {
        diag("%ld rows", n);

        for (line = 0; line < PQntuples(result); line++) {
            detail("%s", PQgetvalue(result, line, 0));
        }
    }

    (void) db_script("ROLLBACK; DEALLOCATE ALL");
}


/* Months above the bound are left out before anything of them is opened. */

static void
test_bound(const run_t *run)
{
    int          line;
    bool         below, above;
    char         name[128];
    PGresult    *result;
    const char  *text;

    below = false;
    above = false;
    result = run_explain(run, "EXPLAIN", true);

    for (line = 0; result != NULL && line < PQntuples(result); line++) {
        text = PQgetvalue(result, line, 0);

        below = below || strstr(text, " on executions_2 ") != NULL;
        above = above || strstr(text, " on executions_3 ") != NULL
                || strstr(text, " on executions_4 ") != NULL;
    }

    (void) snprintf(name, sizeof(name), "%s: opens no month above the bound",
                    run_statement(run)->name);

    if (!ok(below && !above, name) && result != NULL) {
        for (line = 0; line < PQntuples(result); line++) {
            detail("%s", PQgetvalue(result, line, 0));
        }
    }

    (void) db_script("ROLLBACK; DEALLOCATE ALL");
}


/* The same of pages of the log, whose functions open them. */

static void
test_page_bound(const run_t *run)
{
    char         name[128];
    long         below, above;
    const char  *scans[] = {
        "SELECT sum(idx_scan) FROM pg_stat_xact_user_tables"
        " WHERE relname = 'executions_2'",
        "SELECT sum(idx_scan) FROM pg_stat_xact_user_tables"
        " WHERE relname IN ('executions_3', 'executions_4')"
    };

    below = db_number(scans[0]);
    above = db_number(scans[1]);

    (void) run_explain(run, "EXPLAIN ANALYZE", true);

    (void) snprintf(name, sizeof(name), "%s: looks into no month above the"
                    " bound", run_statement(run)->name);

    ok(db_number(scans[0]) > below && db_number(scans[1]) == above, name);

    (void) db_script("ROLLBACK; DEALLOCATE ALL");
}


/* what it costs to begin with the removal of a prompt: no row more */

static void
test_remove(const char *prompt, const char *table)
{
    char  sql[256];
    long  read;

    (void) snprintf(sql, sizeof(sql), "BEGIN;"
                    " SET LOCAL plan_cache_mode = force_generic_plan;"
                    " UPDATE prompts SET state = 1, name = '/' || id"
                    " WHERE id = %s;", prompt);

    if (!db_script(sql)) {
        ok(false, "a prompt is removed");
        return;
    }

    (void) snprintf(sql, sizeof(sql), "SELECT sum(n_tup_del)"
                    " FROM pg_stat_xact_user_tables WHERE relname ~ '%s'",
                    table);

    is_int(db_number(sql), 0, "a prompt is to be removed");

    /* what was read shortly before is in it, too */

    read = rows_read();
    ok(db_script("SELECT prompt_remove(NULL, NULL, NULL, 100, 0)"), "a step");
    ok(db_number(sql) >= 90, "removes what it is to");
    ok(rows_read() - read < 2000, "and reads little else");
    (void) db_script("ROLLBACK");
}


/* who deletes a user does not read all executions */

static void
test_user_delete(void)
{
    long         before;
    const char  *scans;

    scans = "SELECT sum(seq_scan) FROM pg_stat_xact_user_tables"
            " WHERE relname IN ('prompts', 'prompt_versions', 'api_keys',"
            " 'prompt_labels', 'prompt_label_moves')"
            " OR relname ~ '^executions_[0-9]'";

    /* what was read shortly before is in it, too */

    ok(db_script("BEGIN"), "begin");
    before = db_number(scans);

    ok(db_script("DELETE FROM users WHERE id = old_id(1, 4)"),
       "a user is deleted");
    is_int(db_number(scans) - before, 0, "no table is read for it");
    (void) db_script("ROLLBACK");
}


int
main(void)
{
    unsigned                   i;
    const prompt_statement_t  *statement;

    if (!db_begin()) {
        return 0;
    }

    if (!ok(db_script(months) && db_script(fill), "a filled database")) {
        return done_testing();
    }

    for (i = 0; i < PROMPT_STATEMENT_FIXED; i++) {
        statement = prompt_statement_fixed((prompt_statement_id_t) i);

        if (statement->ncolumns == 0) {
            continue;                              /* reads no table */
        }

        test_plan(statement, false);
        test_plan(statement, true);
    }

    for (i = 0; i < PROMPT_FAMILY_COUNT; i++) {
        statement = prompt_statement_family((prompt_family_id_t) i, UINT32_MAX);

        test_plan(statement, false);
        test_plan(statement, true);

        statement = prompt_statement_family((prompt_family_id_t) i, 0);

        test_plan(statement, true);
    }

    for (i = 0; i < sizeof(bounded) / sizeof(bounded[0]); i++) {
        test_bound(&bounded[i]);
    }

    for (i = 0; i < sizeof(bounded_pages) / sizeof(bounded_pages[0]); i++) {
        test_page_bound(&bounded_pages[i]);
    }

    if (!ok(db_script(uneven), "and unevenly")) {
        return done_testing();
    }

    ok(db_script("DO $$ BEGIN WHILE prompt_log_sweep(100000) LOOP END LOOP;"
                 " END $$; ANALYZE"), "the log is summed up");

    for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        test_read(&runs[i], true);
        test_read(&runs[i], false);
    }

    test_remove("old_id(3, 100)", "^executions_[0-9]");
    test_remove("old_id(3, 101)", "prompt_label_moves");
    test_user_delete();

    /* with two accounts, statistics take each for half of the table */

    ok(db_script(two), "two accounts are left");

    for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {

        if (runs[i].family && strcmp(runs[i].values[0], OLD) == 0) {
            test_read(&runs[i], true);
            test_read(&runs[i], false);
        }
    }

    if (!ok(db_script(ordered), "accounts in their order")) {
        return done_testing();
    }

    for (i = 0; i < sizeof(ordered_runs) / sizeof(ordered_runs[0]); i++) {
        test_read(&ordered_runs[i], true);
        test_read(&ordered_runs[i], false);
    }

    db_close();

    return done_testing();
}
