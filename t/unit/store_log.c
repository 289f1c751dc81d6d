/*
 * The log is what plain SQL says of the rows, by any filters, and statistics
 * what it says of these and of those that are gone: through random histories
 * of executions that end late or come late, by hosts whose clocks differ, of
 * prompts that are hidden, shown again and deleted in steps, of sweeps of any
 * size.  Nothing that is put into a list shows anybody what they may not read.
 */

#include "store_db.h"
#include "ctl/output.h"
#include "store/log.h"
#include "store/statistics.h"


#define STEPS  60


/* user u owns the prompts p with p % 4 = u; ids of hosts of any clocks */
static const char  fill[] =
    "SELECT setseed(0.5);"
    "CREATE FUNCTION made_id(kind int, n int) RETURNS uuid"
    " LANGUAGE sql IMMUTABLE AS $$"
    " SELECT ('018bcfe5-6800-7' || lpad(to_hex(kind), 3, '0') || '-8000-'"
    " || lpad(to_hex(n), 12, '0'))::uuid $$;"
    "CREATE FUNCTION time_id(ago float8, n int) RETURNS uuid"
    " LANGUAGE sql AS $$"
    " SELECT (lpad(to_hex(((extract(epoch FROM clock_timestamp()) - ago)"
    " * 1000)::bigint), 12, '0') || '70058000'"
    " || lpad(to_hex(n), 12, '0'))::uuid $$;"
    "CREATE SEQUENCE made;"
    "CREATE TABLE gone (LIKE executions);"
    "CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$"
    " BEGIN INSERT INTO public.gone SELECT old.*; RETURN NULL; END $$;"
    "CREATE TRIGGER keep AFTER DELETE ON executions FOR EACH ROW"
    " EXECUTE FUNCTION keep();"
    "INSERT INTO users (id, email) SELECT made_id(1, u), u || '@example.org'"
    " FROM generate_series(0, 3) u;"
    "CREATE FUNCTION add_prompts(low int, high int) RETURNS void"
    " LANGUAGE sql AS $$"
    " INSERT INTO prompts (id, owner_id, name, category, is_public,"
    " last_version, updated_at) SELECT made_id(3, p), made_id(1, p % 4),"
    " 'p' || p, 'GENERAL', true, 2, now() FROM generate_series(low, high) p;"
    " INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content,"
    " params) SELECT made_id(4, p * 2 + v), made_id(3, p), made_id(1, p % 4),"
    " v, 'x', '{}' FROM generate_series(low, high) p, generate_series(1, 2) v"
    " $$;"
    "SELECT add_prompts(0, 15);"

    /* as the service begins one */
    "CREATE FUNCTION start(n int, ago float8) RETURNS void LANGUAGE sql AS $$"
    " INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,"
    " owner_id, status, deadline, label, created_at)"
    " SELECT e.id, p.id,"
    " 1 + (random() * 1)::int, u.id, u.id = p.owner_id,"
    " nullif(p.owner_id, u.id), 'running', now() + interval '1 minute',"
    " (ARRAY[NULL, NULL, 'live', 'test'])[1 + (random() * 3)::int],"
    " prompt_id_time(e.id)"
    " FROM generate_series(1, n) i,"
    " LATERAL (SELECT time_id(ago, nextval('made')::int + i * 0) AS id) e,"
    " LATERAL (SELECT * FROM prompts"
    " WHERE state = 0 AND i > 0 ORDER BY random() LIMIT 1) p,"
    " LATERAL (SELECT * FROM users WHERE p.is_public OR id = p.owner_id"
    " ORDER BY random() LIMIT 1) u $$;"

    /* so much of what runs */
    "CREATE FUNCTION finish(share float8, ended text[]) RETURNS void"
    " LANGUAGE sql AS $$"
    " UPDATE executions SET status = ended[1 + floor(random()"
    " * cardinality(ended))::int],"
    " model = (ARRAY[NULL, 'a', 'b', E'a\\\\x', '-'])"
    "[1 + floor(random() * 5)::int],"
    " latency_ms = exp(random() * 12)::int - 1,"
    " token_in = CASE WHEN random() < 0.8"
    " THEN (random() * 2147483647)::int END,"
    " token_out = (random() * 1000)::int,"
    " token_cached = (random() * 1000)::int,"
    " token_cache_write = CASE WHEN random() < 0.5"
    " THEN (random() * 1000)::int END,"
    " token_reasoning = (random() * 10)::int,"
    " cost_usd = CASE WHEN random() < 0.8"
    " THEN (random() * 1000000)::int / 1000000000000.0 END"
    " WHERE status IN ('running', 'lost') AND random() < share $$;";


/* what a user may read, by plain SQL; $1 user, and the filters */
static const char  plain[] =
    "SELECT x.id FROM executions x JOIN prompts p ON p.id = x.prompt_id"
    " WHERE p.state = 0 AND (p.owner_id = $1::uuid"
    " OR (x.executed_by = $1::uuid AND (p.is_public OR $2::uuid IS NULL)))"
    " AND ($2::uuid IS NULL OR p.id = $2::uuid)"
    " AND ($3::int IS NULL OR x.version = $3::int)"
    " AND ($4::text IS NULL OR x.status = ANY ($4::text[]))"
    " AND ($5::text IS NULL OR x.model = $5::text)"
    " AND ($6::text IS NULL OR x.label = $6::text) ORDER BY x.id DESC";

static const char  plain_sums[] =
    "SELECT count(*), count(*) FILTER (WHERE status = 'succeeded'),"
    " count(*) FILTER (WHERE status = 'failed'),"
    " coalesce(sum(token_in::numeric), 0),"
    " coalesce(sum(token_out::numeric), 0),"
    " coalesce(sum(token_cached::numeric), 0),"
    " coalesce(sum(token_cache_write), 0), coalesce(sum(token_reasoning), 0),"
    " trim_scale(coalesce(sum(cost_usd), 0)),"
    " count(*) FILTER (WHERE cost_usd IS NULL)"
    " FROM (SELECT * FROM executions UNION ALL SELECT * FROM gone) x"
    " WHERE (x.executed_by = $1::uuid OR EXISTS (SELECT FROM prompts p"
    " WHERE p.id = $2::uuid AND p.owner_id = $1::uuid))"
    " AND ($2::uuid IS NULL OR x.prompt_id = $2::uuid)"
    " AND ($3::text IS NULL OR x.model = $3::text)";


static const char *const  models[] = { NULL, NULL, "a", "b", "a\\x", "-" };
static const char *const  labels[] = { NULL, NULL, "live", "none" };
static const char *const  states[] = {
    "running", "succeeded", "failed", "cancelled", "lost"
};


/* a filter, for both */
typedef struct {
    char            user[40], prompt[40], version[4], statuses[256];
    const char     *params[6];
    prompt_uuid_t   ids[2];
    prompt_log_t    log;
} asked_t;


static bool
ask_statuses(asked_t *asked)
{
    int             i, n;
    size_t          len;
    prompt_json_t  *list;

    n = rand() % 8 - 2;

    if (n <= 0) {
        return true;
    }

    list = prompt_json_new(ctl.arena, PROMPT_JSON_ARRAY);
    len = (size_t) snprintf(asked->statuses, sizeof(asked->statuses), "{");

    for (i = 0; i < n; i++) {
        const char  *state = states[rand() % 5];

        len += (size_t) snprintf(asked->statuses + len,
                                 sizeof(asked->statuses) - len, "%s%s",
                                 i == 0 ? "" : ",", state);
        prompt_json_append(list, prompt_json_new_string(ctl.arena,
                                                     prompt_str_from(state)));
    }

    (void) snprintf(asked->statuses + len, sizeof(asked->statuses) - len, "}");
    asked->params[3] = asked->statuses;

    return prompt_texts_of(ctl.arena, list, &asked->log.statuses);
}


static bool
ask(asked_t *asked, int user, int prompt)
{
    memset(asked, 0, sizeof(asked_t));

    (void) snprintf(asked->user, 40, "018bcfe5-6800-7001-8000-%012x",
                    (unsigned) user);
    (void) snprintf(asked->prompt, 40, "018bcfe5-6800-7003-8000-%012x",
                    (unsigned) prompt);

    if (!prompt_uuid_parse(prompt_str_from(asked->user), &asked->ids[0])
        || !prompt_uuid_parse(prompt_str_from(asked->prompt), &asked->ids[1]))
    {
        return false;
    }

    asked->params[0] = asked->user;
    asked->log.caller = ctl_uuid_view(&asked->ids[0]);

    if (prompt >= 0) {
        asked->params[1] = asked->prompt;
        asked->log.prompt_id = ctl_uuid_view(&asked->ids[1]);

        if (rand() % 3 == 0) {
            asked->log.version = prompt_maybe(1 + rand() % 2);
            (void) snprintf(asked->version, 4, "%d",
                            (int) asked->log.version.value);
            asked->params[2] = asked->version;
        }
    }

    asked->params[4] = models[rand() % 6];
    asked->log.model = prompt_str_from(asked->params[4]);
    asked->params[5] = labels[rand() % 4];
    asked->log.label = prompt_str_from(asked->params[5]);

    return ask_statuses(asked);
}


/* all pages of it, one after the other */

static bool
same_pages(asked_t *asked)
{
    int                        row, rows;
    bool                       same;
    char                       lower[PROMPT_UUID_LEN];
    char                       upper[PROMPT_UUID_LEN], text[40];
    unsigned                   i, count;
    PGresult                  *result;
    prompt_execution_t         record;
    const prompt_statement_t  *statement;

    result = PQexecParams(pg.conn, plain, 6, NULL, asked->params, NULL, NULL,
                          0);
    rows = PQntuples(result);
    same = PQresultStatus(result) == PGRES_TUPLES_OK;
    row = 0;

    memset(lower, 0, PROMPT_UUID_LEN);
    memset(upper, 0xff, PROMPT_UUID_LEN);
    asked->log.lower = prompt_str_of(lower, PROMPT_UUID_LEN);
    asked->log.upper = prompt_str_of(upper, PROMPT_UUID_LEN);
    asked->log.first = (uint32_t) (1 + rand() % 300);

    do {
        if (!prompt_log_read(&query, &asked->log, UINT32_MAX)) {
            PQclear(result);
            return false;
        }

        statement = query.bound[0].statement;

        if (!db_run(true)) {
            PQclear(result);
            return false;
        }

        count = pg.rows[0].count;

        for (i = 0; i < count && same; i++) {
            prompt_execution_row(statement, &pg.rows[0], i, &record);
            memcpy(upper, record.id.data, PROMPT_UUID_LEN);
            (void) snprintf(text, 40, "%s",
                            ctl_uuid_text(ctl.arena, record.id).data);
            same = row < rows
                   && strcmp(text, PQgetvalue(result, row++, 0)) == 0;
        }

    } while (same && count == asked->log.first);

    same = same && row == rows;

    if (!same) {
        diag("user %s prompt %s version %s status %s model %s label %s: "
             "row %d of %d", asked->user,
             asked->params[1] != NULL ? asked->prompt : "-", asked->version,
             asked->statuses, asked->params[4], asked->params[5], row, rows);
    }

    PQclear(result);

    return same;
}


static bool
same_sums(asked_t *asked)
{
    int                  i, len;
    char                 want[256], got[256];
    PGresult            *result;
    const char          *params[3];
    prompt_bucket_t      b;
    prompt_statistics_t  sums;

    params[0] = asked->params[0];
    params[1] = asked->params[1];
    params[2] = asked->params[4];
    result = PQexecParams(pg.conn, plain_sums, 3, NULL, params, NULL, NULL, 0);

    if (PQresultStatus(result) != PGRES_TUPLES_OK) {
        PQclear(result);
        return false;
    }

    for (i = 0, len = 0; i < 10; i++) {
        len += snprintf(want + len, sizeof(want) - (size_t) len, "%s|",
                        PQgetvalue(result, 0, i));
    }

    PQclear(result);

    memset(&sums, 0, sizeof(sums));
    memset(&b, 0, sizeof(b));
    b.cost_usd = prompt_str("0");
    sums.caller = asked->log.caller;
    sums.prompt_id = asked->log.prompt_id;
    sums.model = asked->log.model;
    sums.since = (int32_t) (ctl_now_ms() / 3600000) - rand() % 5 - 60;
    sums.until = sums.since + 90;
    sums.step = 90;

    if (!db_run(prompt_statistics_read(&query, &sums))) {
        return false;
    }

    if (pg.rows[0].count != 0) {
        prompt_statistics_row(&pg.rows[0], 0, &b);
    }

    (void) snprintf(got, sizeof(got), "%lld|%lld|%lld|%lld|%lld|%lld|%lld|%lld|"
                    "%.*s|%lld|",
                    (long long) b.executions, (long long) b.succeeded,
                    (long long) b.failed, (long long) b.token_in,
                    (long long) b.token_out, (long long) b.token_cached,
                    (long long) b.token_cache_write,
                    (long long) b.token_reasoning, prompt_str_arg(b.cost_usd),
                    (long long) b.cost_unknown);

    if (strcmp(got, want) != 0) {
        diag("user %s prompt %s model %s: got %s expected %s", asked->user,
             params[1], params[2], got, want);
        return false;
    }

    return true;
}


static bool
all_same(void)
{
    int      i;
    bool     same;
    asked_t  asked;

    same = true;

    for (i = 0; i < 12; i++) {
        same = ask(&asked, rand() % 4, i % 3 != 0 ? -1 : rand() % 18)
               && same_pages(&asked) && same_sums(&asked) && same;
    }

    return same;
}


static const char *const  deeds[] = {
    "SELECT start(40, random() * 50 * 3600)",
    "SELECT start(20, random() * 700)",
    "SELECT start(10, -600)",                      /* a clock that is ahead */
    "SELECT start(10, 600)",                       /* and one behind */
    "SELECT finish(0.3, '{succeeded,failed,cancelled}')",
    "SELECT finish(0.5, '{succeeded,succeeded,succeeded,failed}')",
    "UPDATE executions SET status = 'lost' WHERE status = 'running'"
    " AND random() < 0.2",
    "UPDATE prompts SET is_public = NOT is_public WHERE random() < 0.2"
    " AND state = 0",
    "UPDATE prompts SET state = 1, name = '/' || id WHERE id = (SELECT id"
    " FROM prompts WHERE state = 0 ORDER BY random() LIMIT 1)",
    "SELECT prompt_remove(NULL, NULL, NULL, 3, 0)",
    "SELECT prompt_remove(NULL, NULL, NULL, 50, 0)",
    "UPDATE log_waiting SET look = now() WHERE random() < 0.7",
    "SELECT prompt_log_sweep(1)",
    "SELECT prompt_log_sweep(13)",
    "SELECT prompt_log_sweep(40)",
    "SELECT prompt_log_sweep(2000)"
};


static void
test_history(void)
{
    int   i, n, prompts;
    char  sql[96], name[128];

    prompts = 16;

    for (i = 0; i < STEPS; i++) {
        n = rand() % (int) (sizeof(deeds) / sizeof(deeds[0]));

        if (i % 12 == 11) {
            (void) snprintf(sql, sizeof(sql), "SELECT add_prompts(%d, %d)",
                            prompts, prompts + 1);
            (void) db_script(sql);
            prompts += 2;
        }

        (void) snprintf(name, sizeof(name), "%d: %s", i, deeds[n]);
        ok(db_script(deeds[n]) && all_same(), name);
    }
}


/* What stands in a list, for whatever reason, is not for its user to read. */

static void
test_lists(void)
{
    asked_t  asked;

    ok(db_script("SELECT add_prompts(100, 101);"
                 " INSERT INTO executions (id, prompt_id, version,"
                 " executed_by, by_owner, status, model)"
                 " SELECT time_id(7200, nextval('made')::int),"
                 " made_id(3, 101), 1, made_id(1, 1), true, 'succeeded',"
                 " 'foreign' FROM generate_series(1, 5);"
                 " UPDATE log_waiting SET look = now();"
                 " SELECT prompt_log_sweep(2000);"
                 " UPDATE log_kinds SET user_id = made_id(1, 0)"
                 " WHERE user_id = made_id(1, 1) AND model = 'foreign'"),
       "a list of one user is taken for another's");

    is_int(db_number("SELECT count(*) FROM log_kinds WHERE model = 'foreign'"
                     " AND user_id = made_id(1, 0)"), 2, "it stands there");

    ok(ask(&asked, 0, -1), "who asks for it");
    memset(&asked.log.statuses, 0, sizeof(asked.log.statuses));
    asked.log.label = prompt_str_absent;
    asked.log.model = prompt_str("foreign");
    asked.params[3] = asked.params[5] = NULL;
    asked.params[4] = "foreign";
    ok(same_pages(&asked), "is shown nothing of the other's");
}


/* what ends while the prompt is deleted that it is of, in steps */

static void
test_ends(void)
{
    ok(db_script("SELECT add_prompts(200, 200);"
                 " INSERT INTO executions (id, prompt_id, version,"
                 " executed_by, by_owner, owner_id, status, model)"
                 " SELECT time_id(7200 - i, nextval('made')::int),"
                 " made_id(3, 200), 1, made_id(1, 1), false, made_id(1, 0),"
                 " CASE i % 2 WHEN 0 THEN 'lost' ELSE 'failed' END, 'ends'"
                 " FROM generate_series(1, 9) i;"
                 " UPDATE prompts SET state = 1, name = '/' || id"
                 " WHERE id = made_id(3, 200)")
       && db_script("SELECT prompt_remove(made_id(3, 200), NULL, NULL, 2, 0)"),
       "a prompt that is about to go");

    ok(db_script("UPDATE executions SET status = 'succeeded', cost_usd = 1"
                 " WHERE status = 'lost' AND model = 'ends'"),
       "calls of it that were lost end");

    ok(db_script("DO $$ BEGIN WHILE EXISTS (SELECT FROM prompts"
                 " WHERE id = made_id(3, 200)) LOOP PERFORM"
                 " prompt_remove(made_id(3, 200), NULL, NULL, 1, 0);"
                 " END LOOP; END $$"), "it goes");

    is_int(db_number("SELECT sum(s.cost_usd)::bigint FROM statistics s"
                     " JOIN log_kinds k ON k.kind = s.kind"
                     " WHERE k.model = 'ends' AND k.prompt_id"
                     " = '00000000-0000-0000-0000-000000000000'"
                     " AND s.hour >= 0"),
           db_number("SELECT sum(cost_usd)::bigint FROM gone"
                     " WHERE model = 'ends'"), "what they cost stays");

    is_int(db_number("SELECT sum(s.executions)::bigint FROM statistics s"
                     " JOIN log_kinds k ON k.kind = s.kind"
                     " WHERE k.model = 'ends' AND k.prompt_id"
                     " = '00000000-0000-0000-0000-000000000000'"
                     " AND s.hour >= 0"), 9, "each is counted once");
}


/* what waits and is gone */

static void
test_gone(void)
{
    ok(db_script("INSERT INTO log_waiting (id, owner_id, executed_by, look)"
                 " VALUES (time_id(9000, 1), made_id(1, 0), made_id(1, 0),"
                 " now()); SELECT prompt_log_sweep(2000)"), "what is gone");

    is_int(db_number("SELECT count(*) FROM log_waiting w WHERE NOT EXISTS"
                     " (SELECT FROM executions x WHERE x.id = w.id)"), 0,
           "nothing waits for what is gone");
}


/* a sweep does not wait for who deletes a user, nor the other way round */

static void
test_user(void)
{
    ctl_postgres_t  other;

    ctl_postgres_open(&other, &ctl);
    ok(PQstatus(other.conn) == CONNECTION_OK, "another connection");
    ok(db_script("SELECT start(60, 7000); SELECT finish(1, '{succeeded}');"
                 " UPDATE log_waiting SET look = now();"
                 " SET lock_timeout = '5s'"), "there is much to sum up");
    ok(ctl_postgres_script(&other, "BEGIN; DELETE FROM users"
                           " WHERE id = made_id(1, 2)"),
       "somebody is deleting a user");
    ok(db_script("SELECT prompt_log_sweep(2000)"), "a sweep does not wait");
    is_int(db_number("SELECT count(*) FROM log_waiting WHERE look <= now()")
           > 50, 1, "and does nothing");
    ok(ctl_postgres_script(&other, "COMMIT"), "the user is deleted");
    ctl_postgres_close(&other);

    ok(db_script("DO $$ BEGIN WHILE prompt_log_sweep(200) LOOP END LOOP;"
                 " END $$"), "and the sweep goes on");
    is_int(db_number("SELECT count(*) FROM log_waiting w WHERE NOT EXISTS"
                     " (SELECT FROM executions x WHERE x.id = w.id)")
           + db_number("SELECT count(*) FROM log_kinds"
                       " WHERE user_id = made_id(1, 2)")
           + db_number("SELECT count(*) FROM statistics s WHERE NOT EXISTS"
                       " (SELECT FROM log_kinds k WHERE k.kind = s.kind)"), 0,
           "nothing of the user is left");
}


int
main(void)
{
    srand(5);

    if (!db_begin()) {
        return 0;
    }

    if (ok(db_script(fill), "users and prompts")) {
        ok(db_script(deeds[0]) && db_script(deeds[0]) && all_same(),
           "executions");
        test_history();
        test_lists();
        test_ends();
        test_gone();
        test_user();
    }

    db_close();

    return done_testing();
}
