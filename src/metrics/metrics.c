/*
 * Metrics: counting, in shared memory.
 *
 * Each number is a word; nothing is locked.  A reader may see a request counted
 * whose time is not yet, which no scraper minds.
 */

#include "metrics/metrics_impl.h"


static ngx_int_t ngx_http_prompt_metrics_init_zone(ngx_shm_zone_t *zone,
    void *data);
static size_t ngx_http_prompt_metrics_label(u_char *place, prompt_str_t text);
static void ngx_http_prompt_metrics_observe(
    ngx_http_prompt_histogram_t *histogram, ngx_msec_t ms);
static ngx_http_prompt_metrics_own_t *ngx_http_prompt_metrics_own(
    ngx_http_prompt_metrics_t *metrics);
static void ngx_http_prompt_metrics_more(ngx_atomic_t *counter, uint64_t n);


const char *const  ngx_http_prompt_metrics_codes[
                                           NGX_HTTP_PROMPT_METRICS_CODES + 1] =
{
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


ngx_shm_zone_t *
ngx_http_prompt_metrics_zone(ngx_conf_t *cf, void *tag)
{
    size_t           size;
    ngx_shm_zone_t  *zone;

    static ngx_str_t  name = ngx_string("ngx_http_prompt_metrics");

    /*
     * The same for each configuration, so that nginx keeps it.  Of the places
     * of workers only those are ever touched that there are.
     */

    size = sizeof(ngx_http_prompt_metrics_t) + 8 * ngx_pagesize
           + NGX_HTTP_PROMPT_METRICS_WORKERS
             * ngx_align(sizeof(ngx_http_prompt_metrics_own_t), ngx_pagesize);
    size += size / 64;                           /* what slabs need */

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

    metrics->shpool = shpool;
    metrics->nmodels = 1;
    metrics->models[0].provider_len =
        ngx_http_prompt_metrics_label(metrics->models[0].provider,
                                      prompt_str("other"));
    metrics->models[0].pattern_len =
        ngx_http_prompt_metrics_label(metrics->models[0].pattern,
                                      prompt_str("other"));

    shpool->data = metrics;
    zone->data = metrics;

    return NGX_OK;
}


ngx_http_prompt_metrics_t *
ngx_http_prompt_metrics_of(ngx_shm_zone_t *zone)
{
    return zone->data;
}


ngx_http_prompt_metrics_database_t *
ngx_http_prompt_metrics_database(ngx_http_prompt_metrics_t *metrics)
{
    return &metrics->database;
}


ngx_http_prompt_metrics_model_t *
ngx_http_prompt_metrics_model(ngx_http_prompt_metrics_t *metrics,
    prompt_str_t provider, prompt_str_t pattern)
{
    ngx_uint_t                        i;
    ngx_http_prompt_metrics_model_t  *model, new;

    ngx_memzero(&new, sizeof(ngx_http_prompt_metrics_model_t));

    new.provider_len = ngx_http_prompt_metrics_label(new.provider, provider);
    new.pattern_len = ngx_http_prompt_metrics_label(new.pattern, pattern);

    for (i = 1; i < metrics->nmodels; i++) {
        model = &metrics->models[i];

        if (model->provider_len == new.provider_len
            && model->pattern_len == new.pattern_len
            && ngx_memcmp(model->provider, new.provider, new.provider_len) == 0
            && ngx_memcmp(model->pattern, new.pattern, new.pattern_len) == 0)
        {
            return model;
        }
    }

    if (i > NGX_HTTP_PROMPT_METRICS_MODELS) {
        return &metrics->models[0];
    }

    /* workers of the configuration before read up to nmodels meanwhile */

    metrics->models[i] = new;
    ngx_memory_barrier();
    metrics->nmodels = i + 1;

    return &metrics->models[i];
}


/* As it stands between quotation marks; returns its length there. */

static size_t
ngx_http_prompt_metrics_label(u_char *place, prompt_str_t text)
{
    u_char  c;
    size_t  i, n;

    n = 0;

    for (i = 0; i < text.len && n + 2 <= NGX_HTTP_PROMPT_METRICS_LABEL; i++) {
        c = (u_char) text.data[i];

        if (c == '"' || c == '\\') {
            place[n++] = '\\';
        }

        /* a name in UTF-8 that is cut is none any more */

        place[n++] = c >= 0x20 && c < 0x7f ? c : '_';
    }

    return n;
}


ngx_int_t
ngx_http_prompt_metrics_enter(ngx_http_prompt_metrics_t *metrics,
    ngx_log_t *log)
{
    ngx_http_prompt_metrics_own_t     *own;
    ngx_http_prompt_metrics_worker_t  *worker;

    worker = &metrics->workers[ngx_process_slot];

    /* who was here before may have been killed */

    ngx_memzero((void *) worker->gauges, sizeof(worker->gauges));
    ngx_memzero((void *) worker->taken, sizeof(worker->taken));
    worker->pid = (ngx_atomic_uint_t) ngx_pid;

    if (worker->own != NULL) {
        return NGX_OK;
    }

    own = ngx_slab_calloc(metrics->shpool,
                          sizeof(ngx_http_prompt_metrics_own_t));
    if (own == NULL) {
        ngx_log_error(NGX_LOG_ALERT, log, 0,
                      "prompt: there is no place for a worker's metrics");
        return NGX_ERROR;
    }

    /* whoever sees it sees zeros */

    ngx_memory_barrier();
    worker->own = own;

    return NGX_OK;
}


static ngx_http_prompt_metrics_own_t *
ngx_http_prompt_metrics_own(ngx_http_prompt_metrics_t *metrics)
{
    return metrics->workers[ngx_process_slot].own;
}


void
ngx_http_prompt_metrics_add(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_count_e count, uint64_t n)
{
    ngx_http_prompt_metrics_own(metrics)->counts[count] += n;
}


/* for what several processes count in one place */


static void
ngx_http_prompt_metrics_more(ngx_atomic_t *counter, uint64_t n)
{
    if (n != 0) {
        (void) ngx_atomic_fetch_add(counter, n);
    }
}


void
ngx_http_prompt_metrics_times(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_time_e time, const prompt_histogram_t *now,
    const prompt_histogram_t *before)
{
    ngx_uint_t                    i;
    ngx_http_prompt_histogram_t  *histogram;

    histogram = &ngx_http_prompt_metrics_own(metrics)->times[time];

    for (i = 0; i < PROMPT_HISTOGRAM_BUCKETS; i++) {
        histogram->buckets[i] += now->buckets[i] - before->buckets[i];
    }

    histogram->sum += now->sum - before->sum;
}


static void
ngx_http_prompt_metrics_observe(ngx_http_prompt_histogram_t *histogram,
    ngx_msec_t ms)
{
    (void) ngx_atomic_fetch_add(
                            &histogram->buckets[prompt_histogram_bucket(ms)],
                            1);
    ngx_http_prompt_metrics_more(&histogram->sum, ms);
}


void
ngx_http_prompt_metrics_moment(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_moment_e moment)
{
    metrics->moments[moment] = (ngx_atomic_uint_t) ngx_time();
}


time_t
ngx_http_prompt_metrics_when(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_moment_e moment)
{
    return (time_t) metrics->moments[moment];
}


prompt_jump_t *
ngx_http_prompt_metrics_clock(ngx_http_prompt_metrics_t *metrics)
{
    return &metrics->clock;
}


void
ngx_http_prompt_metrics_request(ngx_http_prompt_metrics_t *metrics,
    prompt_str_t code, ngx_uint_t operation, ngx_msec_t ms)
{
    ngx_uint_t                      i;
    ngx_http_prompt_histogram_t    *histogram;
    ngx_http_prompt_metrics_own_t  *own;

    own = ngx_http_prompt_metrics_own(metrics);
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

    own->requests[i]++;

    if (operation < NGX_HTTP_PROMPT_METRICS_OPERATIONS) {
        histogram = &own->operations[operation];
        histogram->buckets[prompt_histogram_bucket(ms)]++;
        histogram->sum += ms;
    }
}


void
ngx_http_prompt_metrics_root(ngx_http_prompt_metrics_t *metrics, ngx_uint_t n)
{
    if (n < NGX_HTTP_PROMPT_METRICS_ROOTS) {
        ngx_http_prompt_metrics_own(metrics)->roots[n]++;
    }
}


void
ngx_http_prompt_metrics_call(ngx_http_prompt_metrics_model_t *model,
    const ngx_http_prompt_metrics_call_t *call)
{
    (void) ngx_atomic_fetch_add(&model->calls[call->status], 1);

    ngx_http_prompt_metrics_observe(&model->seconds, call->ms);
    ngx_http_prompt_metrics_more(&model->tokens_in, call->tokens_in);
    ngx_http_prompt_metrics_more(&model->tokens_out, call->tokens_out);
    ngx_http_prompt_metrics_more(&model->cost, call->cost);
}


void
ngx_http_prompt_metrics_asked(ngx_http_prompt_metrics_model_t *model,
    ngx_uint_t attempts, ngx_uint_t failed)
{
    ngx_http_prompt_metrics_more(&model->attempts, attempts);
    ngx_http_prompt_metrics_more(&model->failures, failed ? attempts : 0);
}


void
ngx_http_prompt_metrics_publish(ngx_http_prompt_metrics_t *metrics,
    const ngx_http_prompt_gauges_t *gauges)
{
    ngx_uint_t                         i;
    ngx_http_prompt_metrics_worker_t  *own;

    own = &metrics->workers[ngx_process_slot];

    for (i = 0; i < NGX_HTTP_PROMPT_GAUGE_MAX; i++) {
        own->gauges[i] = gauges->values[i];
    }

    own->pid = (ngx_atomic_uint_t) ngx_pid;
}


void
ngx_http_prompt_metrics_leave(ngx_http_prompt_metrics_t *metrics)
{
    metrics->workers[ngx_process_slot].pid = 0;
}


/*
 * It is taken first, and given back where that was too much: of two who take
 * the last one at the same moment neither has it, and never both.
 */

ngx_int_t
ngx_http_prompt_metrics_take(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_servers_e servers, ngx_uint_t most, ngx_uint_t workers)
{
    ngx_uint_t                         i, sum, having;
    ngx_http_prompt_metrics_worker_t  *own, *worker;

    own = &metrics->workers[ngx_process_slot];

    if (ngx_atomic_fetch_add(&own->taken[servers], 1) == 0) {
        return NGX_OK;
    }

    sum = 0;
    having = 0;

    for (i = 0; i < NGX_HTTP_PROMPT_METRICS_WORKERS; i++) {
        worker = &metrics->workers[i];

        if (worker->taken[servers] != 0
            && ngx_http_prompt_metrics_lives(worker->pid))
        {
            sum += worker->taken[servers];
            having++;
        }
    }

    if (sum <= most + (having > workers ? having - workers : 0)) {
        return NGX_OK;
    }

    ngx_http_prompt_metrics_give(metrics, servers);

    return NGX_DECLINED;
}


void
ngx_http_prompt_metrics_give(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_servers_e servers)
{
    (void) ngx_atomic_fetch_add(
                        &metrics->workers[ngx_process_slot].taken[servers], -1);
}


ngx_atomic_t *
ngx_http_prompt_metrics_redis(ngx_http_prompt_metrics_t *metrics)
{
    return &metrics->redis;
}


ngx_atomic_t *
ngx_http_prompt_metrics_redis_server(ngx_http_prompt_metrics_t *metrics)
{
    return metrics->redis_server;
}
