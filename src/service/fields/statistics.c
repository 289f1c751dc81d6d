/*
 * Statistics: sums over the log, by hours, days or as a whole.
 */

#include "service/fields/fields.h"

#include "service/frame/arguments.h"
#include "store/log.h"
#include "store/statistics.h"


#define NGX_HTTP_PROMPT_HOUR         (INT64_C(3600) * 1000000)


/* buckets on their way to an answer; in the request's arena */
typedef struct {
    ngx_http_prompt_list_t   list;           /* first: what item() gets */
    prompt_statistics_t      asked;
    const prompt_rows_t     *rows;
    unsigned                 next;           /* row */
    int32_t                  hour;           /* of the next bucket */
    prompt_bucket_t          bucket;
} ngx_http_prompt_statistics_t;


static void ngx_http_prompt_statistics(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_statistics_grouped(ngx_http_prompt_root_t *root,
    const prompt_statistics_t *asked) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_statistics_range(ngx_http_prompt_root_t *root,
    prompt_statistics_t *asked) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_statistics_times(ngx_http_prompt_root_t *root,
    int64_t *since, int64_t *until) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_statistics_done(ngx_http_prompt_root_t *root);
static void *ngx_http_prompt_statistics_item(ngx_http_prompt_list_t *list);
static void *ngx_http_prompt_statistics_group(ngx_http_prompt_list_t *list);
static void ngx_http_prompt_bucket_count(ngx_http_prompt_job_t *job,
    void *parent, const gql_plan_field_t *field, gql_result_t *out);


#define count(field, member)                                                 \
    { .type = "StatisticsBucket", .name = (field),                           \
      .resolve = ngx_http_prompt_bucket_count,                               \
      .offset = offsetof(prompt_bucket_t, member) }

#define latency(field, member)                                               \
    { .type = "StatisticsBucket", .name = (field),                           \
      .resolve = ngx_http_prompt_slot_maybe_int,                             \
      .offset = offsetof(prompt_bucket_t, member) }

ngx_http_prompt_field_t  ngx_http_prompt_statistics_fields[] = {

    { .type = "Query", .name = "statistics",
      .scope = PROMPT_KEY_SCOPE_READ,
      .standby = true,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_statistics },

    { .type = "StatisticsBucket", .name = "start",
      .resolve = ngx_http_prompt_slot_time,
      .offset = offsetof(prompt_bucket_t, start) },

    { .type = "StatisticsBucket", .name = "group",
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(prompt_bucket_t, group) },

    count("executions", executions),
    count("succeeded", succeeded),
    count("failed", failed),
    count("tokenIn", token_in),
    count("tokenCached", token_cached),
    count("tokenCacheWrite", token_cache_write),
    count("tokenOut", token_out),
    count("tokenReasoning", token_reasoning),

    { .type = "StatisticsBucket", .name = "costUsd",
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(prompt_bucket_t, cost_usd) },

    count("costUnknown", cost_unknown),
    latency("latencyP50Ms", latency_p50_ms),
    latency("latencyP95Ms", latency_p95_ms),

    { .type = NULL }
};


static void
ngx_http_prompt_statistics(ngx_http_prompt_root_t *root)
{
    prompt_log_t                   log;
    prompt_query_t                *query;
    ngx_http_prompt_statistics_t  *statistics;

    statistics = ngx_http_prompt_root_data(root,
                                         sizeof(ngx_http_prompt_statistics_t));
    if (statistics == NULL) {
        return;
    }

    ngx_memzero(&log, sizeof(prompt_log_t));

    statistics->asked.caller = ngx_http_prompt_caller(root);
    statistics->asked.model = ngx_http_prompt_root_text(root, "model");
    statistics->asked.label = ngx_http_prompt_root_text(root, "label");
    statistics->asked.group = ngx_http_prompt_root_text(root, "groupBy");

    if ((ngx_http_prompt_root_argument(root, "promptId") != NULL
         && !ngx_http_prompt_root_id(root, "promptId", "Prompt",
                                     &statistics->asked.prompt_id))
        || !ngx_http_prompt_statistics_grouped(root, &statistics->asked)
        || !ngx_http_prompt_statistics_range(root, &statistics->asked)
        || !ngx_http_prompt_root_begin(root, &query))
    {
        return;
    }

    log.caller = statistics->asked.caller;
    log.prompt_id = statistics->asked.prompt_id;
    query->length = PROMPT_QUERY_LONG;

    ngx_http_prompt_root_send(root,
                              prompt_statistics_read(query,
                                                     &statistics->asked)
                              && (log.prompt_id.data == NULL
                                  || prompt_log_allowed(query, &log)),
                              ngx_http_prompt_statistics_done);
}


/* Numbers are of one prompt. */
static bool
ngx_http_prompt_statistics_grouped(ngx_http_prompt_root_t *root,
    const prompt_statistics_t *asked)
{
    return !prompt_str_eq(asked->group, prompt_str("VERSION"))
           || asked->prompt_id.data != NULL
           || ngx_http_prompt_root_wrong(root, "groupBy",
                   "\"groupBy\" can only be VERSION together with "
                   "\"promptId\".");
}


/* Whole hours or days: the first one has `since`, the last one ends `until`. */
static bool
ngx_http_prompt_statistics_range(ngx_http_prompt_root_t *root,
    prompt_statistics_t *asked)
{
    int64_t       since, until, step;
    prompt_str_t  by;

    if (!ngx_http_prompt_statistics_times(root, &since, &until)) {
        return false;
    }

    by = ngx_http_prompt_root_text(root, "by");

    step = prompt_str_eq(by, prompt_str("HOUR"))
           || prompt_str_eq(by, prompt_str("ALL"))
           ? 1 : PROMPT_STATISTICS_DAY;

    since = since / NGX_HTTP_PROMPT_HOUR / step * step;
    until = (until + NGX_HTTP_PROMPT_HOUR * step - 1) / NGX_HTTP_PROMPT_HOUR
            / step * step;

    if (until < since) {
        until = since;
    }

    if (prompt_str_eq(by, prompt_str("ALL"))) {
        step = ngx_max(until - since, 1);
    }

    if ((until - since) / step > PROMPT_STATISTICS_ROWS) {
        return ngx_http_prompt_root_wrong(root, "since",
                   "From \"since\" to \"until\" there are more than %d "
                   "buckets.", PROMPT_STATISTICS_ROWS);
    }

    asked->since = (int32_t) since;
    asked->until = (int32_t) until;
    asked->step = (int32_t) step;

    return true;
}


/* Nothing was executed before 1970, nor will be after the year 9999. */
static bool
ngx_http_prompt_statistics_times(ngx_http_prompt_root_t *root, int64_t *since,
    int64_t *until)
{
    prompt_maybe_t  from, to;

    if (!ngx_http_prompt_root_time(root, "since", &from)
        || !ngx_http_prompt_root_time(root, "until", &to))
    {
        return false;
    }

    *since = ngx_max(from.value, 0);
    *until = to.known ? ngx_max(to.value, 0)
                      : ngx_http_prompt_now_ms() * 1000 + 1;

    return !to.known || to.value >= from.value
           || ngx_http_prompt_root_wrong(root, "until",
                   "\"until\" must not be before \"since\".");
}


static void
ngx_http_prompt_statistics_done(ngx_http_prompt_root_t *root)
{
    gql_result_t                   result;
    ngx_http_prompt_statistics_t  *statistics;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    statistics = root->data;

    if (statistics->asked.prompt_id.data != NULL
        && !ngx_http_prompt_outcome_done(root,
                   prompt_log_allowed_row(&root->result->rows[1]),
                   ngx_http_prompt_root_text(root, "promptId")))
    {
        return;
    }

    statistics->rows = &root->result->rows[0];

    if (statistics->asked.group.data != NULL) {

        if (statistics->rows->count > PROMPT_STATISTICS_ROWS) {
            (void) ngx_http_prompt_root_wrong(root, "groupBy",
                       "There are more than %d groups of buckets: ask for a "
                       "shorter time, by DAY or ALL, for one prompt or for one "
                       "model.", PROMPT_STATISTICS_ROWS);
            return;
        }

        statistics->list.item = ngx_http_prompt_statistics_group;
        statistics->list.count = statistics->rows->count;

    } else {
        statistics->hour = statistics->asked.since;
        statistics->list.item = ngx_http_prompt_statistics_item;
        statistics->list.count = (uint32_t)
            ((statistics->asked.until - statistics->asked.since)
             / statistics->asked.step);
    }

    ngx_http_prompt_result_list(&statistics->list, &result);
    ngx_http_prompt_root_complete(root, &result);
}


/* A bucket without a row is one in which nothing was executed. */
static void *
ngx_http_prompt_statistics_item(ngx_http_prompt_list_t *list)
{
    int64_t                        start;
    prompt_bucket_t               *bucket;
    ngx_http_prompt_statistics_t  *statistics;

    statistics = (ngx_http_prompt_statistics_t *) list;
    bucket = &statistics->bucket;
    start = statistics->hour * NGX_HTTP_PROMPT_HOUR;

    statistics->hour += statistics->asked.step;

    if (statistics->next < statistics->rows->count) {
        prompt_statistics_row(statistics->rows, statistics->next, bucket);

        if (bucket->start == start) {
            statistics->next++;
            return bucket;
        }
    }

    ngx_memzero(bucket, sizeof(prompt_bucket_t));
    bucket->start = start;
    bucket->cost_usd = prompt_str("0");

    return bucket;
}


/* Of groups there is what was executed. */
static void *
ngx_http_prompt_statistics_group(ngx_http_prompt_list_t *list)
{
    ngx_http_prompt_statistics_t  *statistics;

    statistics = (ngx_http_prompt_statistics_t *) list;

    prompt_statistics_row(statistics->rows, statistics->next++,
                          &statistics->bucket);

    return &statistics->bucket;
}


/* a Float is exact up to 2^53 */
static void
ngx_http_prompt_bucket_count(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    const ngx_http_prompt_field_t  *entry;

    entry = field->def->data;

    out->kind = GQL_RESULT_INTEGER;
    out->u.integer = *(int64_t *) ((char *) parent + entry->offset);
}
