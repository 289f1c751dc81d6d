/*
 * Statistics are what plain SQL says of all rows that there ever were, at any
 * moment: while the sweep is on its way, is cut off or done by two, executions
 * end late or come late, hours become days, prompts are hidden, made private
 * and deleted, and old executions pruned.
 */

#include <signal.h>
#include <sys/wait.h>

#include "store_db.h"
#include "ctl/output.h"
#include "store/log.h"
#include "store/statistics.h"


#define USERS    4
#define PROMPTS  12


/* user u owns the prompts p with p % 4 = u, every third of which is private */
static const char  fill[] =
    "SELECT setseed(0.25);"
    "CREATE FUNCTION made_id(kind int, n int) RETURNS uuid"
    " LANGUAGE sql IMMUTABLE AS $$"
    " SELECT ('018bcfe5-6800-7' || lpad(to_hex(kind), 3, '0') || '-8000-'"
    " || lpad(to_hex(n), 12, '0'))::uuid $$;"
    "CREATE FUNCTION time_id(ago float8, n int) RETURNS uuid"
    " LANGUAGE sql AS $$"
    " SELECT (lpad(to_hex(((extract(epoch FROM now()) - ago) * 1000)"
    "::bigint), 12, '0') || '70058000' || lpad(to_hex(n), 12, '0'))::uuid $$;"
    "CREATE SEQUENCE made;"
    "INSERT INTO users (id, email) SELECT made_id(1, u), u || '@example.org'"
    " FROM generate_series(0, 3) u;"
    "INSERT INTO prompts (id, owner_id, name, category, is_public,"
    " last_version, updated_at) SELECT made_id(3, p), made_id(1, p % 4),"
    " 'p' || p, 'GENERAL', p % 3 <> 0, 2, now() FROM generate_series(0, 11) p;"
    "INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content,"
    " params) SELECT made_id(4, p * 2 + v), made_id(3, p), made_id(1, p % 4),"
    " v, 'x', '{}' FROM generate_series(0, 11) p, generate_series(1, 2) v;"

    /* where there are no hours any more the day begins */
    "CREATE FUNCTION hour_of(uuid) RETURNS int LANGUAGE sql AS $$"
    " SELECT CASE WHEN h.h < m.hours THEN h.h / 24 * 24 ELSE h.h END"
    " FROM log_mark m, LATERAL (SELECT floor(extract(epoch FROM"
    " prompt_id_time($1)) / 3600)::int AS h) h $$;"
    "CREATE TABLE gone (LIKE executions);"
    "CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$"
    " BEGIN INSERT INTO public.gone SELECT old.*; RETURN NULL; END $$;"
    "CREATE TRIGGER keep AFTER DELETE ON executions FOR EACH ROW"
    " EXECUTE FUNCTION keep();"

    /* p is another's: what is in no sum yet is so for their project, too */
    "CREATE FUNCTION transfer(p int, u int) RETURNS void LANGUAGE sql AS $$"
    " SET LOCAL session_replication_role = replica;"
    " UPDATE prompt_versions SET owner_id = made_id(1, u)"
    " WHERE prompt_id = made_id(3, p);"
    " UPDATE prompts SET owner_id = made_id(1, u), name = 'moved' || p"
    " WHERE id = made_id(3, p);"
    " UPDATE executions SET by_owner = executed_by = made_id(1, u),"
    " owner_id = nullif(made_id(1, u), executed_by)"
    " WHERE prompt_id = made_id(3, p) AND (id > (SELECT mark FROM log_mark)"
    " OR id IN (SELECT id FROM log_waiting));"
    " UPDATE log_waiting w SET owner_id = made_id(1, u) FROM executions x"
    " WHERE x.id = w.id AND x.prompt_id = made_id(3, p);"
    " SET LOCAL session_replication_role = origin $$;"

    /* n of them, in the last hours; guests only of what is public */
    "CREATE FUNCTION execute(n int, hours int) RETURNS void LANGUAGE sql AS $$"
    " INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,"
    " owner_id, key_id, label, status, model, latency_ms, token_in,"
    " token_out, token_cached, token_cache_write, token_reasoning, cost_usd)"
    " SELECT time_id(random() * hours * 3600, nextval('made')::int),"
    " made_id(3, p), 1 + (random() * 1)::int, made_id(1, u),"
    " q.owner_id = made_id(1, u), nullif(q.owner_id, made_id(1, u)),"
    " CASE WHEN m < 0.8 THEN made_id(5, u * 2 + (m < 0.4)::int) END,"
    " CASE WHEN m > 0.7 THEN 'live' WHEN m > 0.6 THEN '' END, status,"
    " CASE WHEN m < 0.1 THEN NULL WHEN m < 0.5 THEN 'a' ELSE 'b' END,"
    " CASE WHEN status <> 'running' AND m < 0.9"
    " THEN exp(random() * 12)::int - 1 END,"
    " CASE WHEN status = 'succeeded' THEN (random() * 2000000000)::int END,"
    " CASE WHEN status = 'succeeded' THEN (random() * 1000)::int END,"
    " CASE WHEN m < 0.5 THEN (random() * 2000000000)::int END,"
    " CASE WHEN m < 0.3 THEN (random() * 1000)::int END,"
    " CASE WHEN m > 0.3 THEN (random() * 100)::int END,"
    " CASE WHEN status = 'succeeded' AND m < 0.8"
    " THEN (random() * 1000000)::int / 1000000000.0 END"
    " FROM (SELECT p, CASE WHEN p % 3 <> 0 AND random() < 0.3"
    " THEN (random() * 3)::int ELSE p % 4 END AS u, random() AS m,"
    " (ARRAY['succeeded', 'succeeded', 'succeeded', 'failed', 'cancelled',"
    " 'running', 'lost'])[1 + (random() * 6)::int] AS status"
    " FROM (SELECT (random() * 11)::int AS p FROM generate_series(1, n)) r"
    " WHERE EXISTS (SELECT FROM prompts q WHERE q.id = made_id(3, r.p)))"
    " e JOIN prompts q ON q.id = made_id(3, p) $$;";


/*
 * what a user paid, or ran of a prompt, or all of an own one; by plain SQL: $1
 * user, $2 prompt, $3 model, $4 since, $5 until, $6 step, $7 group, $8 label
 */
static const char  plain[] =
    "SELECT ((h - $4::int) / $6::int * $6::int + $4::int)::text, count(*),"
    " count(*) FILTER (WHERE status = 'succeeded'),"
    " count(*) FILTER (WHERE status = 'failed'),"
    " coalesce(sum(token_in::numeric), 0),"
    " coalesce(sum(token_out::numeric), 0),"
    " coalesce(sum(token_cached::numeric), 0),"
    " coalesce(sum(token_cache_write), 0), coalesce(sum(token_reasoning), 0),"
    " trim_scale(coalesce(sum(cost_usd), 0)),"
    " count(*) FILTER (WHERE cost_usd IS NULL),"
    " percentile_disc(0.5) WITHIN GROUP (ORDER BY latency_ms),"
    " percentile_disc(0.95) WITHIN GROUP (ORDER BY latency_ms), part"
    " FROM (SELECT x.*, hour_of(x.id) AS h, CASE $7::text"
    " WHEN 'MODEL' THEN model WHEN 'LABEL' THEN label"
    " WHEN 'VERSION' THEN version::text WHEN 'KEY' THEN"
    " CASE WHEN x.executed_by = $1::uuid THEN key_id::text END"
    " WHEN 'PROMPT' THEN (SELECT p.id::text FROM prompts p"
    " WHERE p.id = x.prompt_id AND p.state = 0) END AS part FROM ("
    "SELECT * FROM executions UNION ALL SELECT * FROM gone) x"
    " WHERE (x.executed_by = $1::uuid OR EXISTS (SELECT FROM prompts p"
    " WHERE p.id = $2::uuid AND p.owner_id = $1::uuid))"
    " AND ($2::uuid IS NULL OR x.prompt_id = $2::uuid)"
    " AND ($3::text IS NULL OR x.model = $3::text)"
    " AND ($8::text IS NULL OR x.label = $8::text)) x"
    " WHERE h >= $4::int AND h < $5::int GROUP BY 1, part"
    " ORDER BY min((h - $4::int) / $6::int), part IS NULL,"
    " CASE WHEN $7::text = 'VERSION' THEN length(part) END, part COLLATE \"C\"";


/* the last one is of one prompt */
static const char *const  groups[] = {
    "MODEL", "LABEL", "KEY", "PROMPT", "VERSION"
};

static const char *const  labels[] = { NULL, NULL, "live", "", "another" };

static ctl_postgres_t  other;        /* another host */


static bool
near(const char *text, prompt_maybe_t ms)
{
    double  exact;

    if (text[0] == '\0') {
        return !ms.known;
    }

    exact = atof(text);

    return ms.known && (double) ms.value <= exact * 1.05
           && (double) ms.value >= exact * 0.95;
}


static bool
same_bucket(PGresult *result, int i, const prompt_bucket_t *b)
{
    char  text[512];

    (void) snprintf(text, sizeof(text), "%lld|%lld|%lld|%lld|%lld|%lld|%lld|"
                    "%lld|%lld|%.*s|%lld",
                    (long long) (b->start / 3600000000LL),
                    (long long) b->executions, (long long) b->succeeded,
                    (long long) b->failed, (long long) b->token_in,
                    (long long) b->token_out, (long long) b->token_cached,
                    (long long) b->token_cache_write,
                    (long long) b->token_reasoning,
                    prompt_str_arg(b->cost_usd),
                    (long long) b->cost_unknown);

    {
        char      want[512];
        int       n, at;

        for (n = 0, at = 0; n < 11; n++) {
            at += snprintf(want + at, sizeof(want) - (size_t) at, "%s%s",
                           n == 0 ? "" : "|", PQgetvalue(result, i, n));
        }

        if (strcmp(text, want) != 0) {
            diag("got %s, expected %s", text, want);
            return false;
        }
    }

    if (PQgetisnull(result, i, 13) != (b->group.data == NULL)
        || !prompt_str_eq(prompt_str_from(PQgetvalue(result, i, 13)), b->group))
    {
        diag("got %.*s, expected %s", prompt_str_arg(b->group),
             PQgetvalue(result, i, 13));
        return false;
    }

    if (!near(PQgetvalue(result, i, 11), b->latency_p50_ms)
        || !near(PQgetvalue(result, i, 12), b->latency_p95_ms))
    {
        diag("latency %lld %lld, expected %s %s",
             (long long) b->latency_p50_ms.value,
             (long long) b->latency_p95_ms.value, PQgetvalue(result, i, 11),
             PQgetvalue(result, i, 12));
        return false;
    }

    return true;
}


/* one question, put to both; user and prompt (-1: all) by number */

static bool
same_of(int user, int prompt, const char *model, int since, int until, int step,
    const char *group, const char *label)
{
    int                  i;
    char                 ids[2][40], numbers[3][16];
    unsigned             rows;
    PGresult            *result;
    const char          *params[8];
    prompt_uuid_t        uuids[2];
    prompt_bucket_t      bucket;
    prompt_statistics_t  asked;

    (void) snprintf(ids[0], 40, "018bcfe5-6800-7001-8000-%012x",
                    (unsigned) user);
    (void) snprintf(ids[1], 40, "018bcfe5-6800-7003-8000-%012x",
                    (unsigned) prompt);
    (void) snprintf(numbers[0], 16, "%d", since);
    (void) snprintf(numbers[1], 16, "%d", until);
    (void) snprintf(numbers[2], 16, "%d", step);

    params[0] = ids[0];
    params[1] = prompt < 0 ? NULL : ids[1];
    params[2] = model;
    params[3] = numbers[0];
    params[4] = numbers[1];
    params[5] = numbers[2];
    params[6] = group;
    params[7] = label;

    memset(&asked, 0, sizeof(prompt_statistics_t));

    if (!prompt_uuid_parse(prompt_str_from(ids[0]), &uuids[0])) {
        return false;
    }

    asked.caller = ctl_uuid_view(&uuids[0]);

    if (prompt >= 0) {
        if (!prompt_uuid_parse(prompt_str_from(ids[1]), &uuids[1])) {
            return false;
        }

        asked.prompt_id = ctl_uuid_view(&uuids[1]);
    }

    asked.model = prompt_str_from(model);
    asked.since = since;
    asked.until = until;
    asked.step = step;
    asked.group = prompt_str_from(group);
    asked.label = prompt_str_from(label);

    query.count = 0;

    if (!prompt_statistics_read(&query, &asked)
        || !ctl_postgres_run(&pg, &query))
    {
        diag("%s", pg.message);
        return false;
    }

    rows = pg.rows[0].count;

    result = PQexecParams(other.conn, plain, 8, NULL, params, NULL, NULL, 0);

    if (PQresultStatus(result) != PGRES_TUPLES_OK
        || PQntuples(result) != (int) rows)
    {
        diag("user %d prompt %d model %s step %d %s label %s: %u buckets,"
             " expected %d %s", user, prompt, model != NULL ? model : "-",
             step, group != NULL ? group : "-", label != NULL ? label : "-",
             rows, PQntuples(result),
             PQerrorMessage(other.conn));
        PQclear(result);
        return false;
    }

    for (i = 0; i < (int) rows; i++) {
        prompt_statistics_row(&pg.rows[0], (unsigned) i, &bucket);

        if (!same_bucket(result, i, &bucket)) {
            diag("user %d prompt %d model %s step %d %s label %s", user, prompt,
                 model != NULL ? model : "-", step,
                 group != NULL ? group : "-", label != NULL ? label : "-");
            PQclear(result);
            return false;
        }
    }

    PQclear(result);

    return true;
}


/*
 * Nothing is told apart, or something that is, of a label: 1,000 rows are not
 * all of it.
 */

static bool
same(int user, int prompt, const char *model, int since, int until, int step)
{
    return same_of(user, prompt, model, since, until, step, NULL, NULL)
           && same_of(user, prompt, model, since, until,
                      step == 24 ? 24 : until - since,
                      groups[rand() % (prompt < 0 ? 4 : 5)],
                      labels[rand() % 5]);
}


static void
all_same(const char *name)
{
    int                       i, user, now, since, until, step;
    bool                      good;
    static const char *const  models[] = { NULL, "a", "b", "c" };

    now = (int) (ctl_now_ms() / 3600000);
    good = true;

    for (user = 0; user < USERS; user++) {
        good = same(user, -1, NULL, now - 99, now + 1, 1)
               && same(user, -1, NULL, (now / 24 - 4) * 24,
                       (now / 24 + 1) * 24, 24)
               && same(user, -1, "a", now - 80, now + 1, 81) && good;
    }

    for (i = 0; i < 12; i++) {
        since = now - 1 - rand() % 99;
        until = since + 1 + rand() % (now + 1 - since);
        step = rand() % 2 == 0 ? 1 : until - since;

        if (rand() % 3 == 0) {
            since = since / 24 * 24;
            until = (until / 24 + 1) * 24;
            step = 24;
        }

        good = same(rand() % USERS, rand() % (PROMPTS + 1) - 1,
                    models[rand() % 4], since, until, step) && good;
    }

    ok(good, name);
}


static bool
sweep(ctl_postgres_t *host, int most)
{
    bool       more;
    char       sql[64];
    PGresult  *result;

    (void) snprintf(sql, sizeof(sql), "SELECT prompt_log_sweep(%d)", most);
    result = PQexec(host->conn, sql);

    if (PQresultStatus(result) != PGRES_TUPLES_OK) {
        PQclear(result);
        return false;
    }

    more = PQntuples(result) == 1 && PQgetvalue(result, 0, 0)[0] == 't';
    PQclear(result);

    return more;
}


static void
sweep_all(void)
{
    while (sweep(&other, 97)) {
        /* void */
    }
}


static void
test_hosts(void)
{
    ctl_postgres_t  third;

    ctl_postgres_open(&third, &ctl);
    ok(PQstatus(third.conn) == CONNECTION_OK, "a third connection");

    PQclear(PQexec(third.conn, "BEGIN"));
    ok(sweep(&third, 200), "a step of one host is not committed");
    ok(!sweep(&other, 200), "another does nothing meanwhile");
    all_same("meanwhile");

    ctl_postgres_close(&third);
    all_same("the host has crashed");

    sweep(&other, 150);
    all_same("another went on");
}


/* hosts that sweep in small steps, each until it is killed in one */

static void
test_killed(void)
{
    int        i, n;
    pid_t      hosts[3];
    PGresult  *result;

    for (i = 0; i < 3; i++) {
        hosts[i] = fork();

        if (hosts[i] == 0) {
            for (n = 0; n < 100000; n++) {
                db_open();

                while (PQstatus(pg.conn) == CONNECTION_OK) {
                    (void) sweep(&pg, 7);
                }

                ctl_postgres_close(&pg);
            }

            _exit(0);
        }
    }

    for (n = 0, i = 0; i < 400 && n < 25; i++) {

        if (i % 20 == 0) {
            PQclear(PQexec(other.conn, "SELECT execute(40, 90)"));
        }

        result = PQexec(other.conn, "SELECT pg_terminate_backend(pid)"
                        " FROM pg_stat_activity WHERE state = 'active'"
                        " AND query LIKE 'SELECT prompt_log_sweep%'"
                        " AND datname = current_database() LIMIT 1");
        n += PQntuples(result);
        PQclear(result);
        (void) usleep(5000);
    }

    for (i = 0; i < 3; i++) {
        (void) kill(hosts[i], SIGKILL);
        (void) waitpid(hosts[i], NULL, 0);
    }

    ok(n > 0, "hosts were killed in the middle of a step");
    all_same("nothing is missed, nothing counted twice");
    sweep_all();
    all_same("nor afterwards");
}


/* as if there were no hours but of the last days */

static bool
days_before(int hours)
{
    char  sql[160];

    (void) snprintf(sql, sizeof(sql), "UPDATE log_mark SET hours ="
                    " greatest(hours, prompt_id_hour(prompt_id_of(now()"
                    " - %d * interval '1 hour')) / 24 * 24)", hours);

    return ctl_postgres_script(&pg, sql);
}


static int64_t
number(const char *sql)
{
    int64_t    n;
    PGresult  *result;

    result = PQexec(other.conn, sql);
    n = PQntuples(result) == 1 ? atoll(PQgetvalue(result, 0, 0)) : -1;
    PQclear(result);

    return n;
}


/* hours go in steps, while they are asked for; what comes late finds its day */

static void
test_days(void)
{
    ctl_postgres_t  third;

    ok(days_before(48), "older ones are read by the day");
    all_same("all of it is there");

    ctl_postgres_open(&third, &ctl);
    ok(PQstatus(third.conn) == CONNECTION_OK, "another connection");
    PQclear(PQexec(third.conn, "BEGIN"));
    PQclear(PQexec(third.conn, "SELECT prompt_log_sweep(3, true)"));
    all_same("a step that is not committed");
    ctl_postgres_close(&third);
    all_same("nor ever is");

    PQclear(PQexec(other.conn, "SELECT prompt_log_sweep(3, true)"));
    all_same("one that is");

    ok(number("SELECT count(*) FROM statistics s, log_mark m"
              " WHERE s.hour >= 0 AND s.hour < m.hours") > 0,
       "some are left for the next");
    sweep_all();
    ok(number("SELECT count(*) FROM statistics s, log_mark m"
              " WHERE s.hour >= 0 AND s.hour < m.hours") > 0,
       "which is not done while the clock is not sure");

    ok(ctl_postgres_script(&pg, "DO $$ BEGIN WHILE prompt_log_sweep(97, true)"
                           " LOOP END LOOP; END $$"), "then all go");
    ok(number("SELECT count(*) FROM statistics s, log_mark m"
              " WHERE s.hour >= 0 AND s.hour < m.hours") == 0, "none is left");
    all_same("days have what they had");

    ok(ctl_postgres_script(&pg, "SELECT execute(300, 90)"), "some come late");
    all_same("their days have them at once");
    sweep_all();
    all_same("and then all");

    /* of a clock that was ahead by a year, and is back */

    ok(ctl_postgres_script(&pg, "UPDATE log_mark SET hours = hours + 8760"),
       "no hours for a year");
    all_same("what there is is read by the day");
    (void) number("SELECT prompt_log_sweep(97, true)");
    ok(number("SELECT m.hours - prompt_id_hour(m.mark) / 24 * 24"
              " FROM log_mark m") == 24, "until the next day that begins");
    all_same("nothing of it is lost");
}


/* rows that are deleted while they are added: the one waits for the other */

static void
test_gone_meanwhile(void)
{
    pid_t           host;
    ctl_postgres_t  third;

    ok(ctl_postgres_script(&pg, "SELECT execute(300, 1);"
                           " UPDATE log_waiting SET look = now()"),
       "much to be added");
    ctl_postgres_open(&third, &ctl);
    ok(PQstatus(third.conn) == CONNECTION_OK, "another connection");
    PQclear(PQexec(third.conn, "BEGIN"));
    (void) sweep(&third, 2000);

    host = fork();

    if (host == 0) {
        db_open();
        _exit(ctl_postgres_script(&pg, "DELETE FROM prompts WHERE id"
                                  " IN (made_id(3, 4), made_id(3, 8))")
              ? 0 : 1);
    }

    (void) usleep(300000);
    PQclear(PQexec(third.conn, "COMMIT"));
    ctl_postgres_close(&third);

    {
        int  status = 1;

        (void) waitpid(host, &status, 0);
        ok(status == 0, "two prompts are deleted meanwhile");
    }

    all_same("each execution of them is counted once");
    sweep_all();
    all_same("also afterwards");
    ok(number("SELECT count(*) FROM log_entries e WHERE NOT EXISTS"
              " (SELECT FROM executions x WHERE x.id = e.id)") == 0,
       "no list has any");
}


/* sums are forgotten by the day, and only when that is asked for */

static void
test_forgotten(void)
{
    char         below[PROMPT_UUID_LEN];
    PGresult    *result;
    const char  *params[3];
    int64_t      there, counted, gone = 0;

    params[0] = ctl_uuid_text(ctl.arena,
                      prompt_log_id((ctl_now_ms() - 48 * 3600000) * 1000,
                                    below)).data;
    params[1] = params[0];
    params[2] = "-9223372036854775808";
    there = number("SELECT count(*) FROM statistics");

    result = ctl_postgres_text(&pg, prompt_prune_sums_sql, 1, params);
    counted = result != NULL ? atoll(PQgetvalue(result, 0, 0)) : -1;
    ok(counted > 0 && counted < there, "some are old");

    params[0] = NULL;

    do {
        result = ctl_postgres_text(&pg, prompt_prune_forget_sql, 3, params);

        if (result == NULL) {
            diag("%s", pg.message);
            return;
        }

        gone += atoll(PQgetvalue(result, 0, 1));
        params[2] = prompt_arena_copy(ctl.arena,
                        prompt_str_from(PQgetvalue(result, 0, 0))).data;
    } while (!PQgetisnull(result, 0, 0));

    is_int(gone, counted, "they go in steps");
    ok(number("SELECT count(*) FROM statistics") == there - counted
       && number("SELECT count(*) FROM statistics"
                 " WHERE greatest(hour, -1 - hour) <"
                 " prompt_id_hour(prompt_id_of(now() - interval '48 hours'))"
                 " / 24 * 24") == 0, "what is younger stays");
    ok(number("SELECT count(*) FROM log_kinds k WHERE NOT EXISTS (SELECT FROM"
              " statistics s WHERE s.kind = k.kind) AND NOT EXISTS (SELECT FROM"
              " log_entries e WHERE e.kind = k.kind)") == 0,
       "kinds of which nothing is left go, too");
}


/* what was pruned stays in sums; a window into which nothing falls late */

static void
test_prune(void)
{
    int                  i, now;
    unsigned             before, after;
    PGresult            *result;
    const char          *params[2];
    prompt_bucket_t      bucket;
    prompt_statistics_t  asked;
    prompt_uuid_t        user;
    int64_t              counts[2][200];
    char                 below[PROMPT_UUID_LEN];

    now = (int) (ctl_now_ms() / 3600000);
    memset(&asked, 0, sizeof(prompt_statistics_t));
    ok(prompt_uuid_parse(prompt_str("018bcfe5-6800-7001-8000-000000000001"),
                         &user), "a user");
    asked.caller = ctl_uuid_view(&user);
    asked.since = now - 99;
    asked.until = now + 1;
    asked.step = 1;
    before = after = 0;

    for (i = 0; i < 2; i++) {
        query.count = 0;

        if (!prompt_statistics_read(&query, &asked)
            || !ctl_postgres_run(&pg, &query))
        {
            diag("%s", pg.message);
            return;
        }

        for (after = 0; after < pg.rows[0].count; after++) {
            prompt_statistics_row(&pg.rows[0], after, &bucket);
            counts[i][after] = bucket.executions * 1000000
                               + bucket.succeeded * 1000
                               + bucket.latency_p50_ms.value;
        }

        if (i == 1) {
            break;
        }

        before = after;
        params[0] = ctl_uuid_text(ctl.arena,
                      prompt_log_id((ctl_now_ms() - 40 * 3600000) * 1000,
                                    below)).data;
        params[1] = "00000000-0000-0000-0000-000000000000";

        result = ctl_postgres_text(&pg, prompt_prune_behind_sql, 1, params);
        ok(result != NULL && PQgetvalue(result, 0, 0)[0] == 'f',
           "the sweep has come so far");

        do {
            result = ctl_postgres_text(&pg, prompt_prune_step_sql, 2, params);

            if (result == NULL) {
                diag("%s", pg.message);
                return;
            }

            params[1] = prompt_arena_copy(ctl.arena,
                            prompt_str_from(PQgetvalue(result, 0, 0))).data;
        } while (!PQgetisnull(result, 0, 0));

        result = ctl_postgres_text(&pg, prompt_prune_count_sql, 1, params);
        ok(result != NULL && strcmp(PQgetvalue(result, 0, 0), "0") == 0,
           "nothing old is left");
    }

    ok(before == after && before > 20
       && memcmp(counts[0], counts[1], before * sizeof(int64_t)) == 0,
       "statistics of what was pruned stay");
}


int
main(void)
{
    srand(11);

    if (!db_begin()) {
        return 0;
    }

    ok(ctl_postgres_script(&pg, fill), "users and prompts");
    ctl_postgres_open(&other, &ctl);
    ok(PQstatus(other.conn) == CONNECTION_OK, "another connection");

    all_same("nothing was executed");

    ok(ctl_postgres_script(&pg, "SELECT execute(2000, 90)"), "executions");
    all_same("nothing is summed up");

    test_hosts();

    sweep_all();
    all_same("all is summed up that is old enough");

    ok(ctl_postgres_script(&pg, "SELECT execute(500, 90)"), "some come late");
    all_same("they count at once");
    sweep_all();
    all_same("and are summed up");

    ok(ctl_postgres_script(&pg,
           "UPDATE executions SET status = 'succeeded', latency_ms = 77,"
           " token_in = 5, token_out = 6, cost_usd = 0.000000123, model = 'a'"
           " WHERE status IN ('running', 'lost') AND random() < 0.5"),
       "some end late");
    all_same("they count at once as they ended");
    ok(ctl_postgres_script(&pg, "UPDATE log_waiting SET look = now()"),
       "it is time to look again");
    sweep_all();
    all_same("and are summed up as they ended");

    ok(ctl_postgres_script(&pg, "UPDATE prompts SET is_public = false"
                           " WHERE id = made_id(3, 1)"), "one is private now");
    all_same("what its guests paid is paid");

    ok(ctl_postgres_script(&pg, "SELECT execute(300, 2); SELECT transfer(4, 3);"
                           " SELECT transfer(8, 1); SELECT execute(300, 90)"),
       "two have other owners, with what is new and what waits");
    all_same("what was paid stays with who paid, the new ones see all of it");
    sweep_all();
    all_same("and afterwards");
    ok(ctl_postgres_script(&pg, "SELECT transfer(8, 0)"), "one goes back");
    all_same("it is all there");

    ok(ctl_postgres_script(&pg, "UPDATE prompts SET state = 1"
                           " WHERE id IN (made_id(3, 2), made_id(3, 5))"),
       "two are being deleted");
    all_same("what was paid for them is paid");
    sweep_all();
    all_same("also after a sweep");

    ok(ctl_postgres_script(&pg, "SELECT execute(400, 2)"), "new ones");
    ok(ctl_postgres_script(&pg, "DELETE FROM prompts WHERE id"
                           " IN (made_id(3, 2), made_id(3, 5), made_id(3, 7))"),
       "three are gone, with what was in no sum yet");
    all_same("what was paid for them is paid, nothing is lost");
    sweep_all();
    all_same("and nothing counted twice");

    ok(ctl_postgres_script(&pg,
           "DO $$ BEGIN IF EXISTS (SELECT FROM log_waiting w WHERE NOT EXISTS"
           " (SELECT FROM executions x WHERE x.id = w.id))"
           " OR EXISTS (SELECT FROM log_entries e WHERE NOT EXISTS"
           " (SELECT FROM executions x WHERE x.id = e.id))"
           " THEN RAISE 'something is left'; END IF; END $$"),
       "no list has anything of them");

    test_killed();
    test_gone_meanwhile();
    test_prune();
    all_same("also of what is gone");
    test_days();
    test_forgotten();

    ctl_postgres_close(&other);
    db_close();

    return done_testing();
}
