/*
 * Metrics: counting, in shared memory.
 *
 * Each number is a word; nothing is locked.  A reader may see a request counted
 * whose time is not yet, which no scraper minds.
 */

#include "metrics/metrics_impl.h"


static ngx_int_t ngx_http_prompt_metrics_init_zone(ngx_shm_zone_t *zone,
    void *data);
static void ngx_http_prompt_metrics_label(char *label, prompt_str_t provider,
    prompt_str_t pattern);
static u_char *ngx_http_prompt_metrics_value(u_char *p, prompt_str_t text);
static ngx_http_prompt_metrics_own_t *ngx_http_prompt_metrics_own(
    ngx_http_prompt_metrics_t *metrics);
static void ngx_http_prompt_metrics_more(ngx_atomic_t *counter, uint64_t n);


const prompt_str_t  ngx_http_prompt_protocol_names[NGX_HTTP_PROMPT_PROTOCOLS] =
{
    prompt_str_init("graphql"),
    prompt_str_init("openai"),
    prompt_str_init("mcp")
};


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
    ngx_http_prompt_metrics_label(metrics->models[0].label,
                                  prompt_str("other"), prompt_str("other"));

    shpool->data = metrics;
    zone->data = metrics;

    return NGX_OK;
}


ngx_http_prompt_metrics_t *
ngx_http_prompt_metrics_of(ngx_shm_zone_t *zone)
{
    return zone->data;
}


ngx_http_prompt_metrics_noted_t *
ngx_http_prompt_metrics_noted(ngx_http_prompt_metrics_t *metrics)
{
    return &metrics->noted;
}


ngx_http_prompt_metrics_model_t *
ngx_http_prompt_metrics_model(ngx_http_prompt_metrics_t *metrics,
    prompt_str_t provider, prompt_str_t pattern)
{
    ngx_uint_t                       i;
    ngx_http_prompt_metrics_model_t  new;

    ngx_memzero(&new, sizeof(ngx_http_prompt_metrics_model_t));
    ngx_http_prompt_metrics_label(new.label, provider, pattern);

    for (i = 1; i < metrics->nmodels; i++) {
        if (ngx_strcmp(metrics->models[i].label, new.label) == 0) {
            return &metrics->models[i];
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


static void
ngx_http_prompt_metrics_label(char *label, prompt_str_t provider,
    prompt_str_t pattern)
{
    u_char  *p;

    p = ngx_cpymem(label, "provider=", sizeof("provider=") - 1);
    p = ngx_http_prompt_metrics_value(p, provider);
    p = ngx_cpymem(p, ",model=", sizeof(",model=") - 1);
    p = ngx_http_prompt_metrics_value(p, pattern);
    *p = '\0';
}


/* in quotation marks; returns where it ends */
static u_char *
ngx_http_prompt_metrics_value(u_char *p, prompt_str_t text)
{
    u_char   c, *last;
    size_t   i;

    *p++ = '"';
    last = p + NGX_HTTP_PROMPT_METRICS_LABEL;

    for (i = 0; i < text.len && p + 2 <= last; i++) {
        c = (u_char) text.data[i];

        if (c == '"' || c == '\\') {
            *p++ = '\\';
        }

        /* a name in UTF-8 that is cut is none any more */

        *p++ = c >= 0x20 && c < 0x7f ? c : '_';
    }

    *p++ = '"';

    return p;
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


void
ngx_http_prompt_metrics_request(ngx_http_prompt_metrics_t *metrics,
    ngx_uint_t protocol, prompt_str_t code, ngx_uint_t operation,
    ngx_msec_t ms)
{
    ngx_uint_t                           i;
    ngx_http_prompt_histogram_t         *histogram;
    ngx_http_prompt_metrics_protocol_t  *of;

    of = &ngx_http_prompt_metrics_own(metrics)->protocols[protocol];
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

    of->requests[i]++;

    if (operation < NGX_HTTP_PROMPT_METRICS_OPERATIONS) {
        histogram = &of->operations[operation];
        histogram->buckets[prompt_histogram_bucket(ms)]++;
        histogram->sum += ms;
    }
}


void
ngx_http_prompt_metrics_root(ngx_http_prompt_metrics_t *metrics,
    ngx_uint_t protocol, ngx_uint_t n)
{
    if (n < NGX_HTTP_PROMPT_METRICS_ROOTS) {
        ngx_http_prompt_metrics_own(metrics)->protocols[protocol].roots[n]++;
    }
}


void
ngx_http_prompt_metrics_call(ngx_http_prompt_metrics_model_t *model,
    const ngx_http_prompt_metrics_call_t *call)
{
    ngx_atomic_t                 *numbers;
    ngx_http_prompt_histogram_t  *seconds;

    numbers = model->calls.numbers;
    seconds = &model->calls.seconds;

    ngx_http_prompt_metrics_more(
              &numbers[NGX_HTTP_PROMPT_MODEL_CALLS_SUCCEEDED + call->status],
              1);
    ngx_http_prompt_metrics_more(&numbers[NGX_HTTP_PROMPT_MODEL_TOKENS_IN],
                                 call->tokens_in);
    ngx_http_prompt_metrics_more(&numbers[NGX_HTTP_PROMPT_MODEL_TOKENS_OUT],
                                 call->tokens_out);
    ngx_http_prompt_metrics_more(&model->calls.cost, call->cost);

    ngx_http_prompt_metrics_more(
                      &seconds->buckets[prompt_histogram_bucket(call->ms)], 1);
    ngx_http_prompt_metrics_more(&seconds->sum, call->ms);
}


void
ngx_http_prompt_metrics_asked(ngx_http_prompt_metrics_model_t *model,
    ngx_uint_t attempts, ngx_uint_t failed)
{
    ngx_atomic_t  *numbers;

    numbers = model->calls.numbers;

    ngx_http_prompt_metrics_more(&numbers[NGX_HTTP_PROMPT_MODEL_ATTEMPTS],
                                 attempts);
    ngx_http_prompt_metrics_more(&numbers[NGX_HTTP_PROMPT_MODEL_FAILURES],
                                 failed ? attempts : 0);
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
