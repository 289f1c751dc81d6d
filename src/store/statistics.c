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


/*
 * $1 caller, $2 prompt and $3 model, NULL for all, $4 since, $5 until, $6 step,
 * $7 and $8: the whole days within, which are read by the day, as are all from
 * before there are hours; $9 and $10: the ids of since and of the end of the
 * day that until is in.
 */

#define PROMPT_STATISTICS_OF(hour)                                           \
    "((" hour " - $4) / $6 * $6 + $4) AS bucket"

/* what took how long, and how often: prompt_latency() */
#define PROMPT_STATISTICS_MERGED                                             \
    "(SELECT array_send(array_agg((l.took << 40) | l.n)) FROM ("             \
    "SELECT e >> 40 AS took, sum(e & 1099511627775)::bigint AS n"            \
    " FROM s CROSS JOIN LATERAL unnest(s.latency) e GROUP BY 1) l)"

const prompt_source_t  prompt_sql_statistics = {
    "WITH s AS MATERIALIZED ("
    "SELECT " PROMPT_STATISTICS_OF("greatest(s.hour, -1 - s.hour)") ","
    " k.status, s.executions, s.token_in, s.token_out, s.token_cached,"
    " s.token_cache_write, s.token_reasoning, s.cost_usd,"
    " s.cost_unknown, s.latency"
    " FROM log_mark m CROSS JOIN log_kinds k CROSS JOIN LATERAL (VALUES"
    " (greatest($4, m.hours), $7), (greatest($8, m.hours), $5),"
    " (- greatest($8, least($5, m.hours)), - $7)) r (low, high)"
    " JOIN statistics s ON s.kind = k.kind AND s.hour >= r.low"
    " AND s.hour < r.high WHERE k.user_id = $1"
    " AND k.prompt_id = coalesce($2, '00000000-0000-0000-0000-000000000000')"
    " AND ($3 IS NULL OR k.model = $3)"
    " UNION ALL "
    "SELECT " PROMPT_STATISTICS_OF("h.hour") ", x.status, 1,"
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
    " AND CASE WHEN $2 IS NULL THEN x.executed_by = $1"
    " ELSE x.prompt_id = $2 END) "
    "SELECT s.bucket, sum(s.executions),"
    " coalesce(sum(s.executions) FILTER (WHERE s.status = 'succeeded'), 0),"
    " coalesce(sum(s.executions) FILTER (WHERE s.status = 'failed'), 0),"
    " sum(s.token_in)::bigint, sum(s.token_out)::bigint,"
    " sum(s.token_cached)::bigint, sum(s.token_cache_write)::bigint,"
    " sum(s.token_reasoning)::bigint,"
    " trim_scale(sum(s.cost_usd))::text, sum(s.cost_unknown),"
    /* one bucket of years is merged here, many are where they are read */
    " CASE WHEN $6 > 24 THEN " PROMPT_STATISTICS_MERGED
    " ELSE string_agg(array_send(s.latency), '') FILTER (WHERE $6 <= 24) END"
    " FROM s GROUP BY s.bucket HAVING sum(s.executions) > 0"
    " ORDER BY s.bucket",
    "uutiiiiiuu", 12, PROMPT_STATEMENT_READS
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
                                  * PROMPT_STATISTICS_HOUR, upper)));
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
    bucket->executions = prompt_cell_int(prompt_rows_cell(rows, row, 1));
    bucket->succeeded = prompt_cell_int(prompt_rows_cell(rows, row, 2));
    bucket->failed = prompt_cell_int(prompt_rows_cell(rows, row, 3));
    bucket->token_in = prompt_cell_int(prompt_rows_cell(rows, row, 4));
    bucket->token_out = prompt_cell_int(prompt_rows_cell(rows, row, 5));
    bucket->token_cached = prompt_cell_int(prompt_rows_cell(rows, row, 6));
    bucket->token_cache_write = prompt_cell_int(prompt_rows_cell(rows, row, 7));
    bucket->token_reasoning = prompt_cell_int(prompt_rows_cell(rows, row, 8));
    bucket->cost_usd = prompt_rows_cell(rows, row, 9);
    bucket->cost_unknown = prompt_cell_int(prompt_rows_cell(rows, row, 10));

    prompt_statistics_latency(prompt_rows_cell(rows, row, 11), &latency);
    bucket->latency_p50_ms = prompt_statistics_share(&latency, 50);
    bucket->latency_p95_ms = prompt_statistics_share(&latency, 95);
}
