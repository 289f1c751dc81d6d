/*
 * Metrics: counters in shared memory, and their text.
 *
 * Each is one atomic number; nothing is locked.  A reader may see a request
 * counted whose time is not yet, which no scraper minds.
 */

#include "metrics/metrics.h"


#define NGX_HTTP_PROMPT_METRICS_CODES  8


typedef struct {
    ngx_atomic_t  buckets[NGX_HTTP_PROMPT_METRICS_BUCKETS + 1];
    ngx_atomic_t  sum;                                              /* ms */
} ngx_http_prompt_histogram_t;


struct ngx_http_prompt_metrics_s {
    ngx_atomic_t                 counts[NGX_HTTP_PROMPT_COUNT_MAX];
    ngx_atomic_t                 requests[NGX_HTTP_PROMPT_METRICS_CODES + 1];
    ngx_atomic_t                 roots[
                                        NGX_HTTP_PROMPT_METRICS_ROOTS];
    ngx_http_prompt_histogram_t  times[NGX_HTTP_PROMPT_TIME_MAX];
};


/* one line: counters of the same name stand together */
typedef struct {
    ngx_http_prompt_count_e  count;
    const char              *name;
    const char              *label;
    const char              *help;
} ngx_http_prompt_metric_t;


static ngx_int_t ngx_http_prompt_metrics_init_zone(ngx_shm_zone_t *zone,
    void *data);
static void ngx_http_prompt_metrics_write_roots(const prompt_str_t *roots,
    ngx_uint_t nroots, ngx_http_prompt_metrics_t *metrics, prompt_buf_t *out);
static void ngx_http_prompt_metrics_write_time(
    ngx_http_prompt_histogram_t *histogram, const char *name,
    const char *help, prompt_buf_t *out);
static void ngx_http_prompt_metrics_head(prompt_buf_t *out, const char *name,
    const char *type, const char *help);


/* the last one counts requests without an error */
static const char  *ngx_http_prompt_metrics_codes[] = {
    "UNAUTHENTICATED",
    "FORBIDDEN",
    "NOT_FOUND",
    "BAD_USER_INPUT",
    "INTERNAL_SERVER_ERROR",
    "PERSISTED_QUERY_NOT_FOUND",
    "PERSISTED_QUERY_NOT_SUPPORTED",
    "other",
    ""
};


static ngx_msec_t  ngx_http_prompt_metrics_bounds[] = {
    1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 5000, 15000, 60000
};


static const ngx_http_prompt_metric_t  ngx_http_prompt_metrics_table[] = {

    { NGX_HTTP_PROMPT_COUNT_KEY_HITS, "prompt_key_lookups_total",
      "{source=\"redis\"}",
      "API keys that were looked up, by where they were found." },
    { NGX_HTTP_PROMPT_COUNT_KEY_MISSES, "prompt_key_lookups_total",
      "{source=\"postgres\"}", NULL },
    { NGX_HTTP_PROMPT_COUNT_KEY_ERRORS, "prompt_key_lookups_total",
      "{source=\"none\"}", NULL },

    { NGX_HTTP_PROMPT_COUNT_SIGNED_IN, "prompt_sign_ins_total",
      "{result=\"signed_in\"}",
      "People who signed in, or tried to, by what came of it." },
    { NGX_HTTP_PROMPT_COUNT_SIGN_IN_WRONG, "prompt_sign_ins_total",
      "{result=\"wrong\"}", NULL },
    { NGX_HTTP_PROMPT_COUNT_SIGN_IN_LIMITED, "prompt_sign_ins_total",
      "{result=\"limited\"}", NULL },
    { NGX_HTTP_PROMPT_COUNT_SIGN_IN_ERRORS, "prompt_sign_ins_total",
      "{result=\"unavailable\"}", NULL },

    { NGX_HTTP_PROMPT_COUNT_SUCCEEDED, "prompt_executions_total",
      "{status=\"succeeded\"}", "Executions that ended, by status." },
    { NGX_HTTP_PROMPT_COUNT_FAILED, "prompt_executions_total",
      "{status=\"failed\"}", NULL },
    { NGX_HTTP_PROMPT_COUNT_CANCELLED, "prompt_executions_total",
      "{status=\"cancelled\"}", NULL },

    { NGX_HTTP_PROMPT_COUNT_TOKENS_IN, "prompt_tokens_total",
      "{direction=\"in\"}", "Tokens that providers counted." },
    { NGX_HTTP_PROMPT_COUNT_TOKENS_OUT, "prompt_tokens_total",
      "{direction=\"out\"}", NULL },

    { NGX_HTTP_PROMPT_COUNT_RESULTS_KEPT, "prompt_results_kept_total", "",
      "Results that had to wait for PostgreSQL." },
    { NGX_HTTP_PROMPT_COUNT_RESULTS_LOST, "prompt_results_lost_total", "",
      "Results that could not be kept; the error log has their ids." },

    { NGX_HTTP_PROMPT_COUNT_PLAN_HITS, "prompt_documents_total",
      "{cache=\"hit\"}", "Documents, by whether their plan was cached." },
    { NGX_HTTP_PROMPT_COUNT_PLAN_MISSES, "prompt_documents_total",
      "{cache=\"miss\"}", NULL },

    { NGX_HTTP_PROMPT_COUNT_VERSION_HITS, "prompt_version_lookups_total",
      "{cache=\"hit\"}",
      "Prompts whose versions were listed, by whether these were cached." },
    { NGX_HTTP_PROMPT_COUNT_VERSION_MISSES, "prompt_version_lookups_total",
      "{cache=\"miss\"}", NULL },
    { NGX_HTTP_PROMPT_COUNT_VERSION_BYTES, "prompt_version_cache_bytes_total",
      "", "Bytes of versions that were put into the workers' caches." },

    { NGX_HTTP_PROMPT_COUNT_POSTGRES_OPERATIONS,
      "prompt_postgres_operations_total", "",
      "Pipelines sent to PostgreSQL." },
    { NGX_HTTP_PROMPT_COUNT_POSTGRES_ERRORS, "prompt_postgres_errors_total",
      "{reason=\"refused\"}",
      "Pipelines that PostgreSQL did not complete." },
    { NGX_HTTP_PROMPT_COUNT_POSTGRES_TIMEOUTS, "prompt_postgres_errors_total",
      "{reason=\"timeout\"}", NULL },
    { NGX_HTTP_PROMPT_COUNT_POSTGRES_UNAVAILABLE,
      "prompt_postgres_errors_total", "{reason=\"unavailable\"}", NULL },
    { NGX_HTTP_PROMPT_COUNT_POSTGRES_OVERFLOWS,
      "prompt_postgres_errors_total", "{reason=\"queue_full\"}", NULL },
    { NGX_HTTP_PROMPT_COUNT_POSTGRES_CONNECTS,
      "prompt_postgres_connections_total", "{result=\"ready\"}",
      "Connections to PostgreSQL that were made, failed or broke." },
    { NGX_HTTP_PROMPT_COUNT_POSTGRES_FAILURES,
      "prompt_postgres_connections_total", "{result=\"failed\"}", NULL },

    { NGX_HTTP_PROMPT_COUNT_REDIS_COMMANDS, "prompt_redis_commands_total", "",
      "Commands sent to Redis." },
    { NGX_HTTP_PROMPT_COUNT_REDIS_REFUSED, "prompt_redis_errors_total",
      "{reason=\"unavailable\"}", "Commands that Redis did not answer." },
    { NGX_HTTP_PROMPT_COUNT_REDIS_TIMEOUTS, "prompt_redis_errors_total",
      "{reason=\"timeout\"}", NULL },
    { NGX_HTTP_PROMPT_COUNT_REDIS_LOST, "prompt_redis_errors_total",
      "{reason=\"lost\"}", NULL },
    { NGX_HTTP_PROMPT_COUNT_REDIS_CONNECTS, "prompt_redis_connections_total",
      "{result=\"ready\"}",
      "Connections to Redis that were made, failed or broke." },
    { NGX_HTTP_PROMPT_COUNT_REDIS_FAILURES, "prompt_redis_connections_total",
      "{result=\"failed\"}", NULL },

    { NGX_HTTP_PROMPT_COUNT_MAX, NULL, NULL, NULL }
};


ngx_shm_zone_t *
ngx_http_prompt_metrics_zone(ngx_conf_t *cf, void *tag)
{
    size_t           size;
    ngx_shm_zone_t  *zone;

    static ngx_str_t  name = ngx_string("ngx_http_prompt_metrics");

    size = sizeof(ngx_http_prompt_metrics_t) + 8 * ngx_pagesize;

    zone = ngx_shared_memory_add(cf, &name, size, tag);

    if (zone != NULL) {
        zone->init = ngx_http_prompt_metrics_init_zone;
    }

    return zone;
}


static ngx_int_t
ngx_http_prompt_metrics_init_zone(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t            *shpool;
    ngx_http_prompt_metrics_t  *metrics;

    if (data != NULL) {
        zone->data = data;
        return NGX_OK;
    }

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    if (zone->shm.exists) {
        zone->data = shpool->data;
        return NGX_OK;
    }

    metrics = ngx_slab_calloc(shpool, sizeof(ngx_http_prompt_metrics_t));
    if (metrics == NULL) {
        return NGX_ERROR;
    }

    shpool->data = metrics;
    zone->data = metrics;

    return NGX_OK;
}


ngx_http_prompt_metrics_t *
ngx_http_prompt_metrics_of(ngx_shm_zone_t *zone)
{
    return zone->data;
}


void
ngx_http_prompt_metrics_add(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_count_e count, uint64_t n)
{
    if (n != 0) {
        (void) ngx_atomic_fetch_add(&metrics->counts[count], n);
    }
}


void
ngx_http_prompt_metrics_time(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_time_e time, ngx_msec_t ms)
{
    ngx_uint_t                    i;
    ngx_http_prompt_histogram_t  *histogram;

    histogram = &metrics->times[time];

    for (i = 0; i < NGX_HTTP_PROMPT_METRICS_BUCKETS; i++) {
        if (ms <= ngx_http_prompt_metrics_bounds[i]) {
            break;
        }
    }

    (void) ngx_atomic_fetch_add(&histogram->buckets[i], 1);
    (void) ngx_atomic_fetch_add(&histogram->sum, ms);
}


void
ngx_http_prompt_metrics_request(ngx_http_prompt_metrics_t *metrics,
    prompt_str_t code)
{
    ngx_uint_t  i;

    i = NGX_HTTP_PROMPT_METRICS_CODES;

    if (code.data != NULL) {
        for (i = 0; i < NGX_HTTP_PROMPT_METRICS_CODES - 1; i++) {
            if (prompt_str_eq(code,
                     prompt_str_from(ngx_http_prompt_metrics_codes[i])))
            {
                break;
            }
        }
    }

    (void) ngx_atomic_fetch_add(&metrics->requests[i], 1);
}


void
ngx_http_prompt_metrics_root(ngx_http_prompt_metrics_t *metrics, ngx_uint_t n)
{
    if (n < NGX_HTTP_PROMPT_METRICS_ROOTS) {
        (void) ngx_atomic_fetch_add(&metrics->roots[n], 1);
    }
}


void
ngx_http_prompt_metrics_write(ngx_http_prompt_metrics_t *metrics,
    const prompt_str_t *roots, ngx_uint_t nroots, prompt_buf_t *out)
{
    ngx_uint_t                       i;
    const ngx_http_prompt_metric_t  *metric;

    ngx_http_prompt_metrics_head(out, "prompt_requests_total", "counter",
                                 "Requests to the endpoint, by the code of "
                                 "their first error (none: \"\").");

    for (i = 0; i <= NGX_HTTP_PROMPT_METRICS_CODES; i++) {
        prompt_buf_printf(out, "prompt_requests_total{code=\"%s\"} %lu\n",
                          ngx_http_prompt_metrics_codes[i],
                          (unsigned long) metrics->requests[i]);
    }

    ngx_http_prompt_metrics_write_roots(roots, nroots, metrics, out);

    for (metric = ngx_http_prompt_metrics_table;
         metric->name != NULL;
         metric++)
    {
        if (metric->help != NULL) {
            ngx_http_prompt_metrics_head(out, metric->name, "counter",
                                         metric->help);
        }

        prompt_buf_printf(out, "%s%s %lu\n", metric->name, metric->label,
                          (unsigned long) metrics->counts[metric->count]);
    }

    ngx_http_prompt_metrics_write_time(
                              &metrics->times[NGX_HTTP_PROMPT_TIME_REQUEST],
                              "prompt_request_seconds",
                              "Duration of requests to the endpoint.", out);
    ngx_http_prompt_metrics_write_time(
                              &metrics->times[NGX_HTTP_PROMPT_TIME_PROVIDER],
                              "prompt_provider_seconds",
                              "Duration of calls to providers.", out);
}


static void
ngx_http_prompt_metrics_write_roots(const prompt_str_t *roots,
    ngx_uint_t nroots, ngx_http_prompt_metrics_t *metrics, prompt_buf_t *out)
{
    ngx_uint_t  i;

    ngx_http_prompt_metrics_head(out, "prompt_operations_total", "counter",
                                 "Root fields that were executed.");

    for (i = 0; i < nroots; i++) {
        prompt_buf_printf(out,
                          "prompt_operations_total{operation=\"%.*s\"} %lu\n",
                          prompt_str_arg(roots[i]),
                          (unsigned long) metrics->roots[i]);
    }
}


static void
ngx_http_prompt_metrics_write_time(ngx_http_prompt_histogram_t *histogram,
    const char *name, const char *help, prompt_buf_t *out)
{
    ngx_uint_t     i;
    ngx_msec_t     bound;
    unsigned long  count, sum;

    ngx_http_prompt_metrics_head(out, name, "histogram", help);

    count = 0;

    for (i = 0; i < NGX_HTTP_PROMPT_METRICS_BUCKETS; i++) {
        bound = ngx_http_prompt_metrics_bounds[i];
        count += histogram->buckets[i];

        prompt_buf_printf(out, "%s_bucket{le=\"%lu.%03lu\"} %lu\n", name,
                          (unsigned long) bound / 1000,
                          (unsigned long) bound % 1000, count);
    }

    count += histogram->buckets[i];
    sum = histogram->sum;

    prompt_buf_printf(out, "%s_bucket{le=\"+Inf\"} %lu\n", name, count);
    prompt_buf_printf(out, "%s_sum %lu.%03lu\n", name, sum / 1000, sum % 1000);
    prompt_buf_printf(out, "%s_count %lu\n", name, count);
}


static void
ngx_http_prompt_metrics_head(prompt_buf_t *out, const char *name,
    const char *type, const char *help)
{
    prompt_buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
                      type);
}
