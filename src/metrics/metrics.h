/*
 * Metrics: what all workers together have done, as Prometheus reads it.
 *
 * Only counters that grow: a worker that is killed leaves nothing behind that
 * would have to be taken back.  They live in shared memory and survive a
 * reload.
 */

#ifndef PROMPT_METRICS_METRICS_H
#define PROMPT_METRICS_METRICS_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/buf.h"


/* root fields that are counted by name; the API has fewer */
#define NGX_HTTP_PROMPT_METRICS_ROOTS  64

/* upper bounds of the histograms, in milliseconds; and one without */
#define NGX_HTTP_PROMPT_METRICS_BUCKETS     13


typedef enum {
    NGX_HTTP_PROMPT_COUNT_KEY_HITS = 0,     /* answered by Redis */
    NGX_HTTP_PROMPT_COUNT_KEY_MISSES,       /* answered by PostgreSQL */
    NGX_HTTP_PROMPT_COUNT_KEY_ERRORS,       /* by nobody */
    NGX_HTTP_PROMPT_COUNT_SIGNED_IN,
    NGX_HTTP_PROMPT_COUNT_SIGN_IN_WRONG,
    NGX_HTTP_PROMPT_COUNT_SIGN_IN_LIMITED,
    NGX_HTTP_PROMPT_COUNT_SIGN_IN_ERRORS,
    NGX_HTTP_PROMPT_COUNT_SUCCEEDED,        /* executions */
    NGX_HTTP_PROMPT_COUNT_FAILED,
    NGX_HTTP_PROMPT_COUNT_CANCELLED,
    NGX_HTTP_PROMPT_COUNT_TOKENS_IN,
    NGX_HTTP_PROMPT_COUNT_TOKENS_OUT,
    NGX_HTTP_PROMPT_COUNT_RESULTS_KEPT,     /* PostgreSQL was away */
    NGX_HTTP_PROMPT_COUNT_RESULTS_LOST,
    NGX_HTTP_PROMPT_COUNT_PLAN_HITS,
    NGX_HTTP_PROMPT_COUNT_PLAN_MISSES,
    NGX_HTTP_PROMPT_COUNT_VERSION_HITS,     /* prompts, by their versions */
    NGX_HTTP_PROMPT_COUNT_VERSION_MISSES,
    NGX_HTTP_PROMPT_COUNT_VERSION_BYTES,    /* put in */
    NGX_HTTP_PROMPT_COUNT_POSTGRES_OPERATIONS,
    NGX_HTTP_PROMPT_COUNT_POSTGRES_ERRORS,
    NGX_HTTP_PROMPT_COUNT_POSTGRES_TIMEOUTS,
    NGX_HTTP_PROMPT_COUNT_POSTGRES_UNAVAILABLE,
    NGX_HTTP_PROMPT_COUNT_POSTGRES_OVERFLOWS,
    NGX_HTTP_PROMPT_COUNT_POSTGRES_CONNECTS,
    NGX_HTTP_PROMPT_COUNT_POSTGRES_FAILURES,
    NGX_HTTP_PROMPT_COUNT_REDIS_COMMANDS,
    NGX_HTTP_PROMPT_COUNT_REDIS_REFUSED,
    NGX_HTTP_PROMPT_COUNT_REDIS_TIMEOUTS,
    NGX_HTTP_PROMPT_COUNT_REDIS_LOST,
    NGX_HTTP_PROMPT_COUNT_REDIS_CONNECTS,
    NGX_HTTP_PROMPT_COUNT_REDIS_FAILURES,
    NGX_HTTP_PROMPT_COUNT_MAX
} ngx_http_prompt_count_e;


typedef enum {
    NGX_HTTP_PROMPT_TIME_REQUEST = 0,
    NGX_HTTP_PROMPT_TIME_PROVIDER,
    NGX_HTTP_PROMPT_TIME_MAX
} ngx_http_prompt_time_e;


typedef struct ngx_http_prompt_metrics_s  ngx_http_prompt_metrics_t;


/*
 * Adds the zone; while the configuration is read.  tag: the module, to which
 * the zone belongs.  NULL when memory is short.
 */
ngx_shm_zone_t *ngx_http_prompt_metrics_zone(ngx_conf_t *cf, void *tag);

/* the counters of a zone, from the start of the workers on */
ngx_http_prompt_metrics_t *ngx_http_prompt_metrics_of(ngx_shm_zone_t *zone);

void ngx_http_prompt_metrics_add(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_count_e count, uint64_t n);

/* an observation of a histogram */
void ngx_http_prompt_metrics_time(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_time_e time, ngx_msec_t ms);

/* a request that ended; code: of its first error, absent: none */
void ngx_http_prompt_metrics_request(ngx_http_prompt_metrics_t *metrics,
    prompt_str_t code);

/* a root field that was started, by its number (below ..._ROOTS) */
void ngx_http_prompt_metrics_root(ngx_http_prompt_metrics_t *metrics,
    ngx_uint_t n);

/*
 * Appends the text.  roots: the names of the root fields by number, at
 * most ..._ROOTS of them.
 */
void ngx_http_prompt_metrics_write(ngx_http_prompt_metrics_t *metrics,
    const prompt_str_t *roots, ngx_uint_t nroots, prompt_buf_t *out);

#endif /* PROMPT_METRICS_METRICS_H */
