/*
 * Statistics: their statement.
 */

#include "store/log.h"
#include "store/statement_impl.h"
#include "store/statistics.h"


#define PROMPT_STATISTICS_HOUR  (INT64_C(3600) * 1000000)

/* an array of bigint: its head without and its entries with their lengths */
#define PROMPT_LATENCY_HEAD     20
#define PROMPT_LATENCY_ENTRY    12
#define PROMPT_LATENCY_TIMES    ((UINT64_C(1) << 40) - 1)


/* how often what was taken, ascending */
typedef struct {
    const char  *first;
    uint32_t     count;
    uint64_t     of_all;
} prompt_latency_t;


/*
 * $1 caller, $2 prompt (zeros: all), $3 model ('' all), $4 since, $5 until,
 * $6 step, $7 and $8: the whole days within, which are read by the day, $9 and
 * $10: the ids of since and until.
 */

#define PROMPT_STATISTICS_OF(hour)                                           \
    "((" hour " - $4) / $6 * $6 + $4)"

#define PROMPT_STATISTICS_SUMS                                               \
    "s.executions, s.succeeded, s.failed, s.token_in, s.token_out,"          \
    " s.cost_usd, s.cost_unknown, s.latency"

/* the sums of one series, of days and of the hours around these */
#define PROMPT_STATISTICS_SERIES(from, prompt, sign)                         \
    "SELECT " PROMPT_STATISTICS_OF("s.hour") " AS bucket, " sign " AS sign, "\
    PROMPT_STATISTICS_SUMS                                                   \
    " FROM " from " s WHERE s.user_id = $1 AND s.prompt_id = " prompt        \
    " AND s.model = $3 AND s.hours = 24 AND s.hour >= $7 AND s.hour < $8"    \
    " UNION ALL "                                                            \
    "SELECT " PROMPT_STATISTICS_OF("s.hour") ", " sign ", "                  \
    PROMPT_STATISTICS_SUMS                                                   \
    " FROM " from " s WHERE s.user_id = $1 AND s.prompt_id = " prompt        \
    " AND s.model = $3 AND s.hours = 1 AND s.hour >= $4 AND s.hour < $5"     \
    " AND NOT (s.hour >= $7 AND s.hour < $8)"

#define PROMPT_STATISTICS_COLUMNS                                            \
    "x.id, x.status, x.token_in, x.token_out, x.cost_usd, x.latency_ms"

/*
 * The rows of executions x that count, of the months of late: what is older is
 * read by a function, as below versions (execution.c).
 */
#define PROMPT_STATISTICS_ROWS(from, where)                                  \
    "SELECT " PROMPT_STATISTICS_COLUMNS " FROM " from " WHERE " where        \
    " AND x.id >= $9 AND x.id < $10 AND x.id >= {lately}"                    \
    " AND ($2 = '00000000-0000-0000-0000-000000000000'"                      \
    " OR x.prompt_id = $2)"                                                  \
    " AND ($3 = '' OR x.model = substr($3, 2))"                              \
    " AND (SELECT p.state = 0 AND (p.owner_id = $1"                          \
    " OR (p.is_public AND x.executed_by = $1))"                              \
    " FROM prompts p WHERE p.id = x.prompt_id)"

#define PROMPT_STATISTICS_NEW(where)                                         \
    PROMPT_STATISTICS_ROWS("executions x",                                   \
                           where " AND x.id > (SELECT m.mark FROM log_mark m)")

#define PROMPT_STATISTICS_WAITING(where)                                     \
    PROMPT_STATISTICS_ROWS("log_waiting w CROSS JOIN LATERAL ("              \
                           "SELECT e.* FROM executions e"                    \
                           " WHERE e.id = w.id AND e.id >= {lately}"         \
                           " OFFSET 0) x",                                   \
                           where " AND w.id >= $9 AND w.id < $10"            \
                           " AND w.id >= {lately}")

const prompt_source_t  prompt_sql_statistics = {
    /*
     * What is in the sums of all prompts and not to be seen: prompts that are
     * being deleted or were, and those of others that are private by now.
     */
    "WITH hidden AS MATERIALIZED ("
    "SELECT q.id FROM ("
    "SELECT h.id FROM prompts h WHERE h.owner_id = $1 AND h.state <> 0"
    " UNION SELECT g.prompt_id FROM statistics_gone g"
    " UNION SELECT g.prompt_id FROM statistics_guests g"
    " WHERE g.user_id = $1 AND (SELECT p.state = 0 AND p.is_public"
    " FROM prompts p WHERE p.id = g.prompt_id) IS NOT TRUE) q"
    " WHERE $2 = '00000000-0000-0000-0000-000000000000'), "
    "x AS ("
    PROMPT_STATISTICS_NEW("x.executed_by = $1 AND x.by_owner")
    " UNION ALL "
    PROMPT_STATISTICS_NEW("x.owner_id = $1")
    " UNION ALL "
    PROMPT_STATISTICS_NEW("x.executed_by = $1 AND NOT x.by_owner")
    " UNION ALL "
    PROMPT_STATISTICS_WAITING("w.owner_id = $1")
    " UNION ALL "
    PROMPT_STATISTICS_WAITING("w.executed_by = $1"
                              " AND w.executed_by <> w.owner_id")
    " UNION ALL "
    "SELECT " PROMPT_STATISTICS_COLUMNS " FROM prompt_executions_of_ids("
    "prompt_log_new($1, $9, least($10, {lately}), NULL, ARRAY[]::text[],"
    " NULL, NULL, nullif($2, '00000000-0000-0000-0000-000000000000'), NULL,"
    " true)) x WHERE $3 = '' OR x.model = substr($3, 2)), "
    "s AS MATERIALIZED ("
    PROMPT_STATISTICS_SERIES("statistics", "$2", "1")
    " UNION ALL "
    "SELECT t.* FROM hidden h CROSS JOIN LATERAL ("
    PROMPT_STATISTICS_SERIES("statistics", "h.id", "-1")
    ") t UNION ALL "
    "SELECT " PROMPT_STATISTICS_OF(
    "(('x' || left(replace(x.id::text, '-', ''), 12))::bit(48)::bigint"
    " / 3600000)::integer")
    ", 1, 1, (x.status = 'succeeded')::integer,"
    " (x.status = 'failed')::integer, coalesce(x.token_in, 0),"
    " coalesce(x.token_out, 0), coalesce(x.cost_usd, 0),"
    " (x.cost_usd IS NULL)::integer,"
    " CASE WHEN x.latency_ms IS NULL THEN ARRAY[]::bigint[]"
    " ELSE ARRAY[prompt_latency(x.latency_ms)] END FROM x), "
    "sums AS ("
    "SELECT s.bucket, sum(s.sign * s.executions)::bigint AS executions,"
    " sum(s.sign * s.succeeded)::bigint AS succeeded,"
    " sum(s.sign * s.failed)::bigint AS failed,"
    " sum(s.sign * s.token_in)::bigint AS token_in,"
    " sum(s.sign * s.token_out)::bigint AS token_out,"
    " sum(s.sign * s.cost_usd) AS cost_usd,"
    " sum(s.sign * s.cost_unknown)::bigint AS cost_unknown,"
    " count(*) AS n, min(s.latency) AS latency FROM s GROUP BY s.bucket), "
    /* what is of one piece, as most hours and days are, is not merged */
    "took AS ("
    "SELECT s.bucket, l.e >> 40 AS took,"
    " sum(s.sign * (l.e & 1099511627775))::bigint AS n"
    " FROM sums a JOIN s ON s.bucket = a.bucket"
    " CROSS JOIN LATERAL unnest(s.latency) l (e) WHERE a.n > 1"
    " GROUP BY 1, 2 HAVING sum(s.sign * (l.e & 1099511627775)) > 0), "
    "merged AS ("
    "SELECT t.bucket, array_agg((t.took << 40) | t.n ORDER BY t.took)"
    " AS latency FROM took t GROUP BY t.bucket) "
    "SELECT a.bucket, a.executions, a.succeeded, a.failed, a.token_in,"
    " a.token_out, trim_scale(a.cost_usd)::text, a.cost_unknown,"
    " CASE WHEN a.n > 1 THEN m.latency ELSE a.latency END"
    " FROM sums a LEFT JOIN merged m ON m.bucket = a.bucket"
    " WHERE a.executions > 0"
    " AND ($2 = '00000000-0000-0000-0000-000000000000'"
    " OR (SELECT p.state = 0 AND (p.owner_id = $1 OR p.is_public)"
    " FROM prompts p WHERE p.id = $2)) ORDER BY a.bucket",
    "uutiiiiiuu", 9, PROMPT_STATEMENT_READS
};


static int32_t
prompt_statistics_days(int32_t hours)
{
    return hours / PROMPT_STATISTICS_DAY * PROMPT_STATISTICS_DAY;
}


/* as the sums have it: '=' and the name, or empty; absent: memory */

static prompt_str_t
prompt_statistics_model(prompt_query_t *query, prompt_str_t model)
{
    char  *name;

    if (model.data == NULL) {
        return prompt_str("");
    }

    name = prompt_arena_alloc(query->arena, model.len + 1);
    if (name == NULL) {
        return prompt_str_absent;
    }

    name[0] = '=';
    memcpy(name + 1, model.data, model.len);

    return prompt_str_of(name, model.len + 1);
}


bool
prompt_statistics_read(prompt_query_t *query,
    const prompt_statistics_t *statistics)
{
    char           lower[PROMPT_UUID_LEN], upper[PROMPT_UUID_LEN];
    int32_t        first, last;
    prompt_bind_t  bind;
    prompt_str_t   model;

    static const char  all[PROMPT_UUID_LEN];

    model = prompt_statistics_model(query, statistics->model);
    if (model.data == NULL) {
        return false;
    }

    /* a bucket of an hour has no whole day */

    first = prompt_statistics_days(statistics->since
                                   + PROMPT_STATISTICS_DAY - 1);
    last = prompt_statistics_days(statistics->until);

    if (statistics->step == 1) {
        last = first;
    }

    prompt_bind_fixed(&bind, query, PROMPT_STATEMENT_STATISTICS);
    prompt_bind_uuid(&bind, statistics->caller);
    prompt_bind_uuid(&bind, statistics->prompt_id.data != NULL
                            ? statistics->prompt_id
                            : prompt_str_of(all, PROMPT_UUID_LEN));
    prompt_bind_text(&bind, model);
    prompt_bind_int4(&bind, statistics->since);
    prompt_bind_int4(&bind, statistics->until);
    prompt_bind_int4(&bind, statistics->step);
    prompt_bind_int4(&bind, first);
    prompt_bind_int4(&bind, last);
    prompt_bind_uuid(&bind,
                     prompt_log_id(statistics->since * PROMPT_STATISTICS_HOUR,
                                   lower));
    prompt_bind_uuid(&bind,
                     prompt_log_id(statistics->until * PROMPT_STATISTICS_HOUR,
                                   upper));

    return prompt_bind_end(&bind);
}


static uint64_t
prompt_statistics_number(const char *p, unsigned bytes)
{
    uint64_t  n;

    for (n = 0; bytes != 0; bytes--) {
        n = (n << 8) | (uint8_t) *p++;
    }

    return n;
}


/* the middle of a bucket of prompt_latency() */

static int64_t
prompt_statistics_ms(uint64_t bucket)
{
    double  ms;

    if (bucket == 0) {
        return 0;
    }

    /* a square root of 1.04 less than its upper end */

    for (ms = 0.98058067569092; bucket != 0 && ms < 2e9; bucket--) {
        ms *= 1.04;
    }

    return ms < 2147483647 ? (int64_t) (ms + 0.5) : 2147483647;
}


/* What at least so many hundredths of those in buckets took no longer than. */

static prompt_maybe_t
prompt_statistics_share(const prompt_latency_t *latency, uint32_t hundredths)
{
    uint32_t  i;
    uint64_t  entry, upto;

    upto = 0;

    for (i = 0; i < latency->count; i++) {
        entry = prompt_statistics_number(latency->first
                                         + i * PROMPT_LATENCY_ENTRY, 8);
        upto += entry & PROMPT_LATENCY_TIMES;

        if (upto * 100 >= latency->of_all * hundredths) {
            return prompt_maybe(prompt_statistics_ms(entry >> 40));
        }
    }

    return prompt_maybe_unknown;
}


/* In PostgreSQL's binary format; what is none has no entries. */

static prompt_latency_t
prompt_statistics_latency(prompt_str_t cell)
{
    uint32_t          i;
    prompt_latency_t  latency;

    memset(&latency, 0, sizeof(prompt_latency_t));

    if (cell.len < PROMPT_LATENCY_HEAD
        || prompt_statistics_number(cell.data, 4) != 1
        || prompt_statistics_number(cell.data + 8, 4) != PROMPT_OID_INT8)
    {
        return latency;
    }

    latency.count = (uint32_t) prompt_statistics_number(cell.data + 12, 4);

    if ((cell.len - PROMPT_LATENCY_HEAD) / PROMPT_LATENCY_ENTRY
        < latency.count)
    {
        latency.count = 0;
        return latency;
    }

    /* each entry has its length in front */

    latency.first = cell.data + PROMPT_LATENCY_HEAD + 4;

    for (i = 0; i < latency.count; i++) {
        latency.of_all +=
            prompt_statistics_number(latency.first
                                     + i * PROMPT_LATENCY_ENTRY, 8)
            & PROMPT_LATENCY_TIMES;
    }

    return latency;
}


void
prompt_statistics_row(const prompt_rows_t *rows, unsigned row,
    prompt_bucket_t *bucket)
{
    prompt_latency_t  latency;

    bucket->start = prompt_cell_int(prompt_rows_cell(rows, row, 0))
                    * PROMPT_STATISTICS_HOUR;
    bucket->executions = prompt_cell_int(prompt_rows_cell(rows, row, 1));
    bucket->succeeded = prompt_cell_int(prompt_rows_cell(rows, row, 2));
    bucket->failed = prompt_cell_int(prompt_rows_cell(rows, row, 3));
    bucket->token_in = prompt_cell_int(prompt_rows_cell(rows, row, 4));
    bucket->token_out = prompt_cell_int(prompt_rows_cell(rows, row, 5));
    bucket->cost_usd = prompt_rows_cell(rows, row, 6);
    bucket->cost_unknown = prompt_cell_int(prompt_rows_cell(rows, row, 7));

    latency = prompt_statistics_latency(prompt_rows_cell(rows, row, 8));
    bucket->latency_p50_ms = prompt_statistics_share(&latency, 50);
    bucket->latency_p95_ms = prompt_statistics_share(&latency, 95);
}
