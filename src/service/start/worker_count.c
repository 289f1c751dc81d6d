/*
 * What a worker says of itself in the metrics: what its things have done since
 * the last time, and how it is with them now.
 *
 * They count for themselves, without atomics, since they are the worker's own;
 * once a second that goes into shared memory.
 */

#include "service/start/start.h"

#include "service/call/recording.h"
#include "service/frame/answers.h"
#include "service/standby/standby.h"
#include "service/start/health.h"


static void ngx_http_prompt_worker_gauges(ngx_http_prompt_worker_t *worker,
    const ngx_http_prompt_seen_t *seen);


/* where the counters of the connections go */
typedef struct {
    ngx_http_prompt_count_e  count;
    size_t                   offset;     /* in ngx_http_prompt_seen_t */
} ngx_http_prompt_source_t;


#define ngx_http_prompt_source(count, member)                                 \
    { NGX_HTTP_PROMPT_COUNT_ ## count,                                        \
      offsetof(ngx_http_prompt_seen_t, member) }


static const ngx_http_prompt_source_t  ngx_http_prompt_sources[] = {
    ngx_http_prompt_source(PLAN_HITS, plans.hits),
    ngx_http_prompt_source(PLAN_MISSES, plans.misses),
    ngx_http_prompt_source(PLAN_EVICTIONS, plans.evictions),
    ngx_http_prompt_source(VERSION_HITS, versions.hits),
    ngx_http_prompt_source(VERSION_MISSES, versions.misses),
    ngx_http_prompt_source(VERSION_BYTES, versions.added),
    ngx_http_prompt_source(TARGET_HITS, targets.hits),
    ngx_http_prompt_source(TARGET_MISSES, targets.misses),
    ngx_http_prompt_source(POSTGRES_OPERATIONS, queries.tasks),
    ngx_http_prompt_source(POSTGRES_ERRORS, queries.errors),
    ngx_http_prompt_source(POSTGRES_TIMEOUTS, queries.timeouts),
    ngx_http_prompt_source(POSTGRES_UNAVAILABLE, queries.unavailable),
    ngx_http_prompt_source(POSTGRES_OVERFLOWS, queries.overflows),
    ngx_http_prompt_source(POSTGRES_RETRIES, queries.retries),
    ngx_http_prompt_source(POSTGRES_CONNECTS, queries.connects),
    ngx_http_prompt_source(POSTGRES_FAILURES, queries.failures),
    ngx_http_prompt_source(REDIS_COMMANDS, commands.commands),
    ngx_http_prompt_source(REDIS_REFUSED, commands.refused),
    ngx_http_prompt_source(REDIS_TIMEOUTS, commands.timeouts),
    ngx_http_prompt_source(REDIS_LOST, commands.lost),
    ngx_http_prompt_source(REDIS_CONNECTS, commands.connects),
    ngx_http_prompt_source(REDIS_FAILURES, commands.failures),
    { NGX_HTTP_PROMPT_COUNT_MAX, 0 }
};


void
ngx_http_prompt_worker_count_models(ngx_http_prompt_main_conf_t *pmcf)
{
    u_char                        *p;
    u_char                         pattern[NGX_HTTP_PROMPT_METRICS_LABEL];
    ngx_uint_t                     i;
    ngx_http_prompt_model_conf_t  *model;

    model = pmcf->models.elts;

    for (i = 0; i < pmcf->models.nelts; i++) {
        p = ngx_snprintf(pattern, sizeof(pattern), "%V%s", &model[i].pattern,
                         model[i].prefix ? "*" : "");

        model[i].counts = ngx_http_prompt_metrics_model(
                              ngx_http_prompt_metrics_of(pmcf->metrics),
                              prompt_str_of(
                                  (char *) model[i].provider->name.data,
                                  model[i].provider->name.len),
                              prompt_str_of((char *) pattern,
                                            (size_t) (p - pattern)));
    }
}


void
ngx_http_prompt_worker_count(ngx_http_prompt_worker_t *worker)
{
    uint64_t                         now, before;
    ngx_http_prompt_seen_t           seen;
    const ngx_http_prompt_source_t  *source;

    ngx_memzero(&seen, sizeof(ngx_http_prompt_seen_t));

    gql_engine_stats(worker->engine, &seen.plans);
    ngx_http_prompt_postgres_stats(worker->postgres, &seen.queries);

    if (worker->versions != NULL) {
        prompt_version_cache_stats(worker->versions, &seen.versions);
        prompt_target_cache_stats(worker->targets, &seen.targets);
    }

    if (worker->redis != NULL) {
        ngx_http_prompt_redis_servers_stats(worker->redis, &seen.commands);
    }

    for (source = ngx_http_prompt_sources;
         source->count != NGX_HTTP_PROMPT_COUNT_MAX;
         source++)
    {
        now = *(uint64_t *) ((char *) &seen + source->offset);
        before = *(uint64_t *) ((char *) &worker->seen + source->offset);

        ngx_http_prompt_metrics_add(worker->metrics, source->count,
                                    now - before);
    }

    ngx_http_prompt_metrics_times(worker->metrics,
                                  NGX_HTTP_PROMPT_TIME_QUEUED,
                                  &seen.queries.waits,
                                  &worker->seen.queries.waits);
    ngx_http_prompt_metrics_times(worker->metrics,
                                  NGX_HTTP_PROMPT_TIME_POSTGRES,
                                  &seen.queries.times,
                                  &worker->seen.queries.times);

    ngx_http_prompt_worker_gauges(worker, &seen);

    worker->seen = seen;
}


static void
ngx_http_prompt_worker_gauges(ngx_http_prompt_worker_t *worker,
    const ngx_http_prompt_seen_t *seen)
{
    ngx_uint_t                               i, *values;
    ngx_http_prompt_gauges_t                 gauges;
    const ngx_http_prompt_postgres_stats_t  *pool;

    pool = &seen->queries;
    values = gauges.values;

    /* one that quits, and has no work, has nothing, and is not ill */

    if (worker->watch == NULL && worker->work == 0) {
        ngx_memzero(&gauges, sizeof(ngx_http_prompt_gauges_t));
        ngx_http_prompt_metrics_publish(worker->metrics, &gauges);
        return;
    }

    values[NGX_HTTP_PROMPT_GAUGE_WORKERS] = 1;
    values[NGX_HTTP_PROMPT_GAUGE_HEALTHY] =
        ngx_http_prompt_health_seems_good(worker);
    values[NGX_HTTP_PROMPT_GAUGE_REDIS_UP] = seen->commands.up;

    values[NGX_HTTP_PROMPT_GAUGE_POOL_IDLE] = pool->up - pool->busy;
    values[NGX_HTTP_PROMPT_GAUGE_POOL_BUSY] = pool->busy;
    values[NGX_HTTP_PROMPT_GAUGE_POOL_CONNECTING] = pool->connecting;
    values[NGX_HTTP_PROMPT_GAUGE_POOL_DOWN] =
        pool->connections - pool->up - pool->connecting;
    values[NGX_HTTP_PROMPT_GAUGE_POOL_SENT] = pool->in_flight;

    /* the classes are numbered as the lines of the gauge stand */

    for (i = 0; i < NGX_HTTP_PROMPT_POSTGRES_CLASSES; i++) {
        values[NGX_HTTP_PROMPT_GAUGE_QUEUE_READS + i] = pool->waiting[i];
    }

    values[NGX_HTTP_PROMPT_GAUGE_STANDBY_UP] =
        ngx_http_prompt_standby_up(worker->standby);

    values[NGX_HTTP_PROMPT_GAUGE_PLAN_ENTRIES] = seen->plans.entries;
    values[NGX_HTTP_PROMPT_GAUGE_PLAN_BYTES] = seen->plans.bytes;
    values[NGX_HTTP_PROMPT_GAUGE_ANSWERS_UNSENT] = worker->answers->total;
    values[NGX_HTTP_PROMPT_GAUGE_STREAMS_OPEN] = worker->streams;
    values[NGX_HTTP_PROMPT_GAUGE_RESULTS_WAITING] = worker->recordings->count;

    ngx_http_prompt_metrics_publish(worker->metrics, &gauges);
}
