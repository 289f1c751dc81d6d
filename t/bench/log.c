/*
 * What a page of the log and statistics cost, in milliseconds, by which
 * filters: over a million executions of one account, and ten thousand accounts
 * beside it.  Each twice: first as it is planned for the values, then by a
 * generic plan.
 *
 *     tools/services.sh start DIR
 *     cc -O2 -Isrc -It/unit -I$(pg_config --includedir) -o log \
 *        t/bench/log.c build/libpromptctl.a build/libprompt-core.a \
 *        -lpq -lhiredis -lcurl -lm
 *     PROMPT_TEST_SERVICES=DIR ./log
 *
 * It fills a database of its own, which takes some minutes, and drops it.
 * With PROMPT_DATABASE_URL instead it uses one that was filled before.
 */

#include <time.h>

#include "store_db.h"
#include "store/log.h"
#include "store/statistics.h"


#define BENCH_TIMES  9


static const char  fill[] =
    "CREATE FUNCTION made_id(ms bigint, kind int, n int) RETURNS uuid"
    " LANGUAGE sql IMMUTABLE AS $$"
    " SELECT (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(kind), 3, '0')"
    " || '8000' || lpad(to_hex(n), 12, '0'))::uuid $$;"

    "INSERT INTO users (id, email)"
    " SELECT made_id(1700000000000 + u, 1, u), 'u' || u || '@example.org'"
    " FROM generate_series(0, 10000) u;"

    /* 50 prompts of the first account, one of each other */
    "CREATE TEMP TABLE p AS SELECT p, greatest(p - 49, 0) AS u"
    " FROM generate_series(0, 10049) p;"

    "INSERT INTO prompts (id, owner_id, name, category, is_public,"
    " last_version, updated_at)"
    " SELECT made_id(1700000000000 + p, 3, p),"
    " made_id(1700000000000 + u, 1, u), 'p' || p, 'GENERAL', p % 2 = 0, 5,"
    " now() FROM p;"

    "INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content,"
    " params)"
    " SELECT made_id(1700000000000, 4, p * 5 + v),"
    " made_id(1700000000000 + p, 3, p), made_id(1700000000000 + u, 1, u), v,"
    " 'x', '{}' FROM p, generate_series(1, 5) v;"

    /* ten in a million have failed, five have the label staging */
    "ALTER TABLE executions DISABLE TRIGGER executions_came;"
    "INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,"
    " owner_id, key_id, status, model, label, latency_ms, token_in, token_out,"
    " cost_usd, finished_at)"
    " SELECT made_id(ms, 5, e), made_id(1700000000000 + p, 3, p), e % 5 + 1,"
    " made_id(1700000000000 + u, 1, u), NOT guest,"
    " CASE WHEN guest THEN made_id(1700000000000, 1, 0) END,"
    " CASE WHEN u = 0 AND e % 10 < 8 THEN made_id(1700000000000, 6, e % 5) END,"
    " CASE WHEN e % 100000 = 7 THEN 'failed'"
    " WHEN e % 1000 = 3 THEN 'cancelled' ELSE 'succeeded' END,"
    " CASE WHEN e % 2 = 0 THEN 'gpt-4o' ELSE 'gpt-4o-mini' END,"
    " CASE WHEN e % 200000 = 9 THEN 'staging'"
    " WHEN e % 3 = 0 THEN 'production' END,"
    " exp(random() * 9)::int, e % 1000, e % 300, (e % 977) * 0.000001, now()"
    " FROM (SELECT e, ms0 + e::bigint * 86400000 * 90 / 1100000 AS ms,"
    " CASE WHEN own THEN e % 50 ELSE 50 + e % 10000 END AS p,"
    " CASE WHEN own AND NOT guest THEN 0 ELSE 1 + e % 10000 END AS u, guest"
    " FROM (SELECT e, e % 11 <> 0 AS own,"
    " e % 11 <> 0 AND e % 2 = 0 AND e % 97 = 0 AS guest,"
    " ((extract(epoch FROM now()) - 90 * 86400) * 1000)::bigint AS ms0"
    " FROM generate_series(1, 1099999) e) a) b;"
    "ALTER TABLE executions ENABLE TRIGGER executions_came;"
    "ANALYZE";


typedef struct {
    const char  *title;
    const char  *prompt;             /* of the account, by number */
    int          version;            /* 0: any */
    const char  *status;
    const char  *model;
    const char  *label;
    int          from;               /* days ago; 0: none */
    int          to;
} bench_case_t;

static const bench_case_t  cases[] = {
    { "all", NULL, 0, NULL, NULL, NULL, 0, 0 },
    { "all, 60 days ago", NULL, 0, NULL, NULL, NULL, 0, 60 },
    { "all of a day", NULL, 0, NULL, NULL, NULL, 31, 30 },
    { "a prompt", "4", 0, NULL, NULL, NULL, 0, 0 },
    { "a prompt, 60 days ago", "4", 0, NULL, NULL, NULL, 0, 60 },
    { "a version", "4", 5, NULL, NULL, NULL, 0, 0 },
    { "succeeded", NULL, 0, "succeeded", NULL, NULL, 0, 0 },
    { "succeeded, 60 days ago", NULL, 0, "succeeded", NULL, NULL, 0, 60 },
    { "failed (ten)", NULL, 0, "failed", NULL, NULL, 0, 0 },
    { "lost (none)", NULL, 0, "lost", NULL, NULL, 0, 0 },
    { "running (none)", NULL, 0, "running", NULL, NULL, 0, 0 },
    { "cancelled", NULL, 0, "cancelled", NULL, NULL, 0, 0 },
    { "a model", NULL, 0, NULL, "gpt-4o", NULL, 0, 0 },
    { "a model that never was", NULL, 0, NULL, "none", NULL, 0, 0 },
    { "a label", NULL, 0, NULL, NULL, "production", 0, 0 },
    { "a label (five)", NULL, 0, NULL, NULL, "staging", 0, 0 },
    { "cancelled, model", NULL, 0, "cancelled", "gpt-4o-mini", NULL, 0, 0 },
    { "cancelled, model (none)", NULL, 0, "cancelled", "gpt-4o", NULL, 0, 0 },
    { "model, label, days", NULL, 0, NULL, "gpt-4o", "production", 60, 50 },
    { "failed, model, label", NULL, 0, "failed", "gpt-4o", "production", 0,
      0 },
    { "a prompt, failed", "7", 0, "failed", NULL, NULL, 0, 0 },
    { "a prompt, failed (none)", "4", 0, "failed", NULL, NULL, 0, 0 },
    { "a prompt, model", "4", 0, NULL, "gpt-4o", NULL, 0, 0 },
    { "a prompt, model (none)", "4", 0, NULL, "gpt-4o-mini", NULL, 0, 0 },
    { "a prompt, label, 60 days ago", "4", 0, NULL, NULL, "production", 0,
      60 },
    { "a version, label", "4", 5, NULL, NULL, "production", 0, 0 },
    { "a version, cancelled", "3", 4, "cancelled", NULL, NULL, 0, 0 },
    { "all filters", "4", 5, "succeeded", "gpt-4o", "production", 80, 1 }
};


static char  made[8][PROMPT_UUID_LEN];


static prompt_str_t
bench_id(unsigned slot, int64_t ms, int kind, int64_t n)
{
    char  *id = made[slot];
    int    i;

    memset(id, 0, PROMPT_UUID_LEN);

    for (i = 0; i < 6; i++) {
        id[i] = (char) (ms >> (40 - 8 * i));
        id[10 + i] = (char) (n >> (40 - 8 * i));
    }

    id[6] = (char) (0x70 | (kind >> 8));
    id[7] = (char) kind;
    id[8] = (char) 0x80;

    return prompt_str_of(id, PROMPT_UUID_LEN);
}


static double
bench_ms(void)
{
    struct timespec  t;

    (void) clock_gettime(CLOCK_MONOTONIC, &t);

    return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}


static int
bench_order(const void *a, const void *b)
{
    double  x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}


/* the median, and the rows; the query is appended to by ask() */

static void
bench_run(const char *title, bool (*ask)(const void *data), const void *data)
{
    int     i;
    double  times[BENCH_TIMES], start;

    for (i = 0; i < BENCH_TIMES; i++) {
        query.count = 0;

        if (!ask(data)) {
            printf("%s: memory\n", title);
            return;
        }

        start = bench_ms();

        if (!ctl_postgres_run(&pg, &query)) {
            printf("%s: %s\n", title, pg.message);
            return;
        }

        times[i] = bench_ms() - start;
    }

    qsort(times, BENCH_TIMES, sizeof(double), bench_order);
    printf("%8.2f  %4u  %s\n", times[BENCH_TIMES / 2], pg.rows[0].count,
           title);
}


static bool
bench_page(const void *data)
{
    int64_t              now;
    prompt_log_t         log;
    prompt_json_t       *list;
    const bench_case_t  *c = data;

    memset(&log, 0, sizeof(prompt_log_t));

    now = ctl_now_ms() * 1000;
    log.caller = bench_id(0, 1700000000000, 1, 0);
    log.lower = prompt_log_id(c->from != 0 ? now - c->from * 86400000000LL : 0,
                              made[1]);
    log.upper = prompt_log_id(now - c->to * 86400000000LL + 1000, made[2]);
    log.first = 50;

    if (c->prompt != NULL) {
        log.prompt_id = bench_id(3, 1700000000000 + atoi(c->prompt), 3,
                                 atoi(c->prompt));
    }

    if (c->version != 0) {
        log.version = prompt_maybe(c->version);
    }

    if (c->status != NULL) {
        list = prompt_json_new(ctl.arena, PROMPT_JSON_ARRAY);

        if (list == NULL) {
            return false;
        }

        prompt_json_append(list, prompt_json_new_string(ctl.arena,
                                             prompt_str_from(c->status)));

        if (!prompt_texts_of(ctl.arena, list, &log.statuses)) {
            return false;
        }
    }

    log.model = prompt_str_from(c->model);
    log.label = prompt_str_from(c->label);

    return prompt_log_read(&query, &log, 0xff);
}


typedef struct {
    const char  *title;
    int          step;
    const char  *group;
} bench_sums_t;

static const bench_sums_t  sums[] = {
    { "statistics, 40 days by hour", 1, NULL },
    { "statistics, 90 days by day", 24, NULL },
    { "statistics, 90 days as a whole", 91 * 24, NULL },
    { "statistics, 90 days by day and model", 24, "MODEL" },
    { "statistics, 90 days by day and key", 24, "KEY" },
    { "statistics, 90 days by prompt", 91 * 24, "PROMPT" }
};


static bool
bench_sums(const void *data)
{
    prompt_statistics_t  asked;
    const bench_sums_t  *of = data;

    memset(&asked, 0, sizeof(prompt_statistics_t));

    asked.caller = bench_id(0, 1700000000000, 1, 0);
    asked.until = (int32_t) (ctl_now_ms() / 3600000 / 24 + 1) * 24;
    asked.since = asked.until - (of->step == 1 ? 960 : 91 * 24);
    asked.step = of->step;
    asked.group = prompt_str_from(of->group);

    return prompt_statistics_read(&query, &asked);
}


static void
bench_all(const char *mode)
{
    size_t  i;

    printf("\n%s\n      ms  rows\n", mode);

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bench_run(cases[i].title, bench_page, &cases[i]);
    }

    for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
        bench_run(sums[i].title, bench_sums, &sums[i]);
    }
}


int
main(void)
{
    bool  more;

    (void) setvbuf(stdout, NULL, _IOLBF, 0);

    if (getenv("PROMPT_DATABASE_URL") != NULL) {
        db_open();

    } else {
        if (!db_begin() || !ctl_postgres_script(&pg, fill)) {
            printf("%s\n", pg.message);
            return 1;
        }

        do {
            query.count = 0;

            if (!prompt_log_sweep(&query, PROMPT_LOG_SWEEP,
                                  (prompt_maybe_t) { false, 0 })
                || !ctl_postgres_run(&pg, &query))
            {
                printf("%s\n", pg.message);
                return 1;
            }

            more = prompt_log_sweep_row(&pg.rows[0]);
        } while (more);

        if (!ctl_postgres_script(&pg, "ANALYZE")) {
            return 1;
        }
    }

    bench_all("planned for the values");

    if (!ctl_postgres_script(&pg, "SET plan_cache_mode = force_generic_plan"))
    {
        return 1;
    }

    bench_all("generic plans");
    db_close();

    return 0;
}
