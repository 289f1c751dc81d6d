/*
 * Statistics: their statement.
 */

#include "store/log.h"
#include "store/statement_impl.h"
#include "store/statistics.h"


#define PROMPT_STATISTICS_HOUR  (INT64_C(3600) * 1000000)

/* arrays of bigint: a head, longer where there are entries, with lengths */
#define PROMPT_LATENCY_NONE     12
#define PROMPT_LATENCY_HEAD     20
#define PROMPT_LATENCY_ENTRY    12
#define PROMPT_LATENCY_TIMES    ((UINT64_C(1) << 40) - 1)

/* up to 2^31 ms */
#define PROMPT_LATENCY_BUCKETS  550


/* how often what was taken */
typedef struct {
    uint64_t  times[PROMPT_LATENCY_BUCKETS];
    uint64_t  of_all;
} prompt_latency_t;


#define PROMPT_STATISTICS_NOBODY  "'00000000-0000-0000-0000-000000000000'"


/*
 * $1 caller, $2 prompt and $3 model, NULL for all, $4 since, $5 until, $6 step,
 * $7 and $8: the whole days within, which are read by the day, as are all from
 * before there are hours; $9 and $10: the ids of since and of the end of the
 * day that until is in; $11: what is told apart, NULL for nothing; $12 label,
 * NULL for all.
 */

#define PROMPT_STATISTICS_OF(hour)                                           \
    "((" hour " - $4) / $6 * $6 + $4) AS bucket"

/*
 * Which group it is in, behind a mark; none: empty.  Others' keys are theirs,
 * a prompt that was deleted is none, and drafts have no version (the last
 * number in kinds).
 */
#define PROMPT_STATISTICS_GROUP(of, payer)                                   \
    "coalesce('=' || CASE $11 WHEN 'MODEL' THEN " of ".model"                \
    " WHEN 'LABEL' THEN " of ".label"                                        \
    " WHEN 'VERSION' THEN nullif(" of ".version, 2147483647)::text"          \
    " WHEN 'KEY' THEN CASE WHEN " payer " = $1 THEN " of ".key_id::text END" \
    " WHEN 'PROMPT' THEN (SELECT p.id::text FROM prompts p"                  \
    " WHERE p.id = " of ".prompt_id AND p.state = 0) END, '') AS part"

/*
 * Kinds that are asked for: of all that the caller paid; the same by prompt,
 * where these have what that has not; of a prompt of the caller's, whoever
 * paid; of another's, what the caller did.
 */
#define PROMPT_STATISTICS_BY_PROMPT  "coalesce($11 IN ('KEY', 'PROMPT'), false)"

#define PROMPT_STATISTICS_KINDS                                              \
    "(SELECT k.* FROM log_kinds k WHERE k.user_id = $1 AND k.prompt_id"      \
    " = coalesce($2, " PROMPT_STATISTICS_NOBODY ")"                          \
    " AND NOT (SELECT o.own FROM o)"                                         \
    " AND ($2 IS NOT NULL OR NOT " PROMPT_STATISTICS_BY_PROMPT ")"           \
    " UNION ALL "                                                            \
    "SELECT k.* FROM log_kinds k WHERE k.user_id = $1"                       \
    " AND k.prompt_id > " PROMPT_STATISTICS_NOBODY                           \
    " AND $2 IS NULL AND " PROMPT_STATISTICS_BY_PROMPT                       \
    " UNION ALL "                                                            \
    "SELECT k.* FROM log_kinds k WHERE k.prompt_id = $2 AND k.whole"         \
    " AND (SELECT o.own FROM o))"

/* what took how long, and how often: prompt_latency() */
#define PROMPT_STATISTICS_MERGED                                             \
    "(SELECT l.part, array_send(array_agg((l.took << 40) | l.n)) AS latency" \
    " FROM (SELECT s.part, e >> 40 AS took,"                                 \
    " sum(e & 1099511627775)::bigint AS n"                                   \
    " FROM s CROSS JOIN LATERAL unnest(s.latency) e WHERE $6 > 24"           \
    " GROUP BY 1, 2) l GROUP BY 1)"

const prompt_source_t  prompt_sql_statistics = {
    "WITH o AS MATERIALIZED (SELECT EXISTS (SELECT FROM prompts p"
    " WHERE p.id = $2 AND p.owner_id = $1) AS own),"
    " s AS MATERIALIZED ("
    "SELECT " PROMPT_STATISTICS_OF("greatest(s.hour, -1 - s.hour)") ","
    " k.part, k.status, s.executions, s.token_in, s.token_out, s.token_cached,"
    " s.token_cache_write, s.token_reasoning, s.cost_usd,"
    " s.cost_unknown, s.latency"
    " FROM log_mark m CROSS JOIN (SELECT k.kind, k.status, "
    PROMPT_STATISTICS_GROUP("k", "k.user_id")
    " FROM " PROMPT_STATISTICS_KINDS " k WHERE ($3 IS NULL OR k.model = $3)"
    " AND ($12 IS NULL OR k.label = $12) OFFSET 0) k CROSS JOIN LATERAL (VALUES"
    " (greatest($4, m.hours), $7), (greatest($8, m.hours), $5),"
    " (- greatest($8, least($5, m.hours)), - $7)) r (low, high)"
    " CROSS JOIN LATERAL (SELECT s.* FROM statistics s WHERE s.kind = k.kind"
    " AND s.hour >= r.low AND s.hour < r.high OFFSET 0) s WHERE r.low < r.high"
    " UNION ALL "
    "SELECT " PROMPT_STATISTICS_OF("h.hour") ", "
    PROMPT_STATISTICS_GROUP("x", "x.executed_by") ", x.status, 1,"
    " coalesce(x.token_in, 0), coalesce(x.token_out, 0),"
    " coalesce(x.token_cached, 0), coalesce(x.token_cache_write, 0),"
    " coalesce(x.token_reasoning, 0),"
    " coalesce(x.cost_usd, 0), (x.cost_usd IS NULL)::integer,"
    " CASE WHEN x.latency_ms IS NULL THEN ARRAY[]::bigint[]"
    " ELSE ARRAY[prompt_latency(x.latency_ms)] END"
    " FROM log_mark m CROSS JOIN LATERAL prompt_statistics_new($1, $9, $10) x"
    " CROSS JOIN LATERAL (SELECT n / CASE WHEN n < m.hours THEN 24 ELSE 1 END"
    " * CASE WHEN n < m.hours THEN 24 ELSE 1 END AS hour"
    " FROM prompt_id_hour(x.id) n) h"
    " WHERE h.hour >= $4 AND h.hour < $5 AND ($3 IS NULL OR x.model = $3)"
    " AND ($12 IS NULL OR x.label = $12)"
    " AND ($2 IS NULL OR x.prompt_id = $2)"
    " AND (x.executed_by = $1 OR (SELECT o.own FROM o))) "
    "SELECT s.bucket, CASE WHEN s.part <> '' THEN substr(s.part, 2) END,"
    " s.executions, s.succeeded, s.failed, s.token_in, s.token_out,"
    " s.token_cached, s.token_cache_write, s.token_reasoning,"
    " s.cost_usd, s.cost_unknown, coalesce(s.latency, m.latency)"
    " FROM (SELECT s.bucket, s.part, sum(s.executions) AS executions,"
    " coalesce(sum(s.executions) FILTER (WHERE s.status = 'succeeded'), 0)"
    " AS succeeded,"
    " coalesce(sum(s.executions) FILTER (WHERE s.status = 'failed'), 0)"
    " AS failed,"
    " sum(s.token_in)::bigint AS token_in,"
    " sum(s.token_out)::bigint AS token_out,"
    " sum(s.token_cached)::bigint AS token_cached,"
    " sum(s.token_cache_write)::bigint AS token_cache_write,"
    " sum(s.token_reasoning)::bigint AS token_reasoning,"
    " trim_scale(sum(s.cost_usd))::text AS cost_usd,"
    " sum(s.cost_unknown) AS cost_unknown,"
    /* one bucket of years is merged here, many are where they are read */
    " string_agg(array_send(s.latency), '') FILTER (WHERE $6 <= 24) AS latency"
    " FROM s GROUP BY s.bucket, s.part HAVING sum(s.executions) > 0) s"
    " LEFT JOIN " PROMPT_STATISTICS_MERGED " m ON m.part = s.part"
    " ORDER BY s.bucket, s.part = '',"
    " CASE WHEN $11 = 'VERSION' THEN length(s.part) END,"
    " s.part COLLATE \"C\" LIMIT 1001",
    "uutiiiiiuutt", 13, PROMPT_STATEMENT_READS
};


static int32_t
prompt_statistics_days(int32_t hours)
{
    return hours / PROMPT_STATISTICS_DAY * PROMPT_STATISTICS_DAY;
}


bool
prompt_statistics_read(prompt_query_t *query,
    const prompt_statistics_t *statistics)
{
    char     lower[PROMPT_UUID_LEN], upper[PROMPT_UUID_LEN];
    int32_t  first, last;

    /* since, first, last and until ascend; a bucket of an hour has no day */

    first = prompt_statistics_days(statistics->since
                                   + PROMPT_STATISTICS_DAY - 1);
    last = prompt_statistics_days(statistics->until);

    if (first > last || statistics->step == 1) {
        first = last = first < statistics->until ? first : statistics->until;
    }

    return prompt_append(query, PROMPT_STATEMENT_STATISTICS,
               prompt_as_uuid(statistics->caller),
               prompt_as_maybe_uuid(statistics->prompt_id),
               prompt_as_text(statistics->model),
               prompt_as_int4(statistics->since),
               prompt_as_int4(statistics->until),
               prompt_as_int4(statistics->step),
               prompt_as_int4(first), prompt_as_int4(last),
               prompt_as_uuid(prompt_log_id(statistics->since
                                            * PROMPT_STATISTICS_HOUR, lower)),
               prompt_as_uuid(prompt_log_id(
                                  prompt_statistics_days(statistics->until
                                                + PROMPT_STATISTICS_DAY - 1)
                                  * PROMPT_STATISTICS_HOUR, upper)),
               prompt_as_text(statistics->group),
               prompt_as_text(statistics->label));
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
prompt_statistics_ms(unsigned bucket)
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
    unsigned  i;
    uint64_t  upto;

    upto = 0;

    for (i = 0; latency->of_all != 0 && i < PROMPT_LATENCY_BUCKETS; i++) {
        upto += latency->times[i];

        if (upto * 100 >= latency->of_all * hundredths) {
            return prompt_maybe(prompt_statistics_ms(i));
        }
    }

    return prompt_maybe_unknown;
}


/* Of arrays in PostgreSQL's binary format, one behind the other. */
static void
prompt_statistics_latency(prompt_str_t cell, prompt_latency_t *latency)
{
    size_t       left;
    uint32_t     count;
    uint64_t     entry;
    const char  *p;

    memset(latency, 0, sizeof(prompt_latency_t));

    for (p = cell.data, left = cell.len; left >= PROMPT_LATENCY_NONE; ) {

        if (prompt_statistics_number(p, 4) == 0) {
            p += PROMPT_LATENCY_NONE;
            left -= PROMPT_LATENCY_NONE;
            continue;
        }

        count = (uint32_t) prompt_statistics_number(p + 12, 4);

        if (left < PROMPT_LATENCY_HEAD
                   + (size_t) count * PROMPT_LATENCY_ENTRY)
        {
            return;
        }

        p += PROMPT_LATENCY_HEAD;
        left -= PROMPT_LATENCY_HEAD + (size_t) count * PROMPT_LATENCY_ENTRY;

        /* each entry has its length in front */

        for ( /* void */ ; count != 0; count--, p += PROMPT_LATENCY_ENTRY) {
            entry = prompt_statistics_number(p + 4, 8);

            if (entry >> 40 < PROMPT_LATENCY_BUCKETS) {
                latency->times[entry >> 40] += entry & PROMPT_LATENCY_TIMES;
                latency->of_all += entry & PROMPT_LATENCY_TIMES;
            }
        }
    }
}


void
prompt_statistics_row(const prompt_rows_t *rows, unsigned row,
    prompt_bucket_t *bucket)
{
    prompt_latency_t  latency;

    bucket->start = prompt_cell_int(prompt_rows_cell(rows, row, 0))
                    * PROMPT_STATISTICS_HOUR;
    bucket->group = prompt_rows_cell(rows, row, 1);
    bucket->executions = prompt_cell_int(prompt_rows_cell(rows, row, 2));
    bucket->succeeded = prompt_cell_int(prompt_rows_cell(rows, row, 3));
    bucket->failed = prompt_cell_int(prompt_rows_cell(rows, row, 4));
    bucket->token_in = prompt_cell_int(prompt_rows_cell(rows, row, 5));
    bucket->token_out = prompt_cell_int(prompt_rows_cell(rows, row, 6));
    bucket->token_cached = prompt_cell_int(prompt_rows_cell(rows, row, 7));
    bucket->token_cache_write = prompt_cell_int(prompt_rows_cell(rows, row, 8));
    bucket->token_reasoning = prompt_cell_int(prompt_rows_cell(rows, row, 9));
    bucket->cost_usd = prompt_rows_cell(rows, row, 10);
    bucket->cost_unknown = prompt_cell_int(prompt_rows_cell(rows, row, 11));

    prompt_statistics_latency(prompt_rows_cell(rows, row, 12), &latency);
    bucket->latency_p50_ms = prompt_statistics_share(&latency, 50);
    bucket->latency_p95_ms = prompt_statistics_share(&latency, 95);
}
