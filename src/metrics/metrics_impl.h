/*
 * Inside the metrics: what is in shared memory, for those who count
 * (metrics.c) and the text (metrics_write.c).  Nobody else includes this
 * header.
 */

#ifndef PROMPT_METRICS_METRICS_IMPL_H
#define PROMPT_METRICS_METRICS_IMPL_H

#include "metrics/metrics.h"


#define NGX_HTTP_PROMPT_METRICS_CODES       8

#define NGX_HTTP_PROMPT_METRICS_OPERATIONS                                   \
    (NGX_HTTP_PROMPT_OPERATION_ROOT + NGX_HTTP_PROMPT_METRICS_ROOTS)

/* nginx has no more processes at a time */
#define NGX_HTTP_PROMPT_METRICS_WORKERS     NGX_MAX_PROCESSES


/*
 * What is counted is words, so that what several have counted is summed up word
 * by word, whatever they mean (metrics_write.c).
 */

/* prompt_histogram_t for several processes */
typedef struct {
    ngx_atomic_t  buckets[PROMPT_HISTOGRAM_BUCKETS];
    ngx_atomic_t  sum;                                              /* ms */
} ngx_http_prompt_histogram_t;


#define ngx_http_prompt_metrics_number_e(name, label)                        \
    NGX_HTTP_PROMPT_MODEL_##name,

typedef enum {
    NGX_HTTP_PROMPT_MODEL_NUMBERS(ngx_http_prompt_metrics_no_family,
                                  ngx_http_prompt_metrics_number_e)
    NGX_HTTP_PROMPT_MODEL_MAX
} ngx_http_prompt_model_number_e;


/* of a model, or of all; words only */
typedef struct {
    ngx_http_prompt_histogram_t  seconds;
    ngx_atomic_t                 numbers[NGX_HTTP_PROMPT_MODEL_MAX];
    ngx_atomic_t                 cost;           /* in 10^-12 US dollars */
} ngx_http_prompt_metrics_calls_t;


struct ngx_http_prompt_metrics_model_s {
    ngx_http_prompt_metrics_calls_t  calls;

    /* provider="…",model="…", ended by NUL */
    char                             label[2 * NGX_HTTP_PROMPT_METRICS_LABEL
                                           + sizeof("provider=,model=") + 4];
};


/* of the requests of a protocol; words only */
typedef struct {
    ngx_atomic_t                 requests[NGX_HTTP_PROMPT_METRICS_CODES + 1];
    ngx_atomic_t                 roots[NGX_HTTP_PROMPT_METRICS_ROOTS];
    ngx_http_prompt_histogram_t  operations[
                                          NGX_HTTP_PROMPT_METRICS_OPERATIONS];
} ngx_http_prompt_metrics_protocol_t;


/*
 * What is counted for each request; words only.  A place of processes has one,
 * which no two of them have at a time: so it is counted without atomics.  It
 * stays when its process ends, and the next one goes on from there.
 */
typedef struct {
    ngx_atomic_t                 counts[NGX_HTTP_PROMPT_COUNT_MAX];
    ngx_http_prompt_histogram_t  times[NGX_HTTP_PROMPT_TIME_MAX];
    ngx_http_prompt_metrics_protocol_t  protocols[NGX_HTTP_PROMPT_PROTOCOLS];
} ngx_http_prompt_metrics_own_t;


/* a worker's own; it is the only one who writes there */
typedef struct {
    ngx_atomic_t                    pid;         /* 0: nobody's */
    ngx_atomic_t                    gauges[NGX_HTTP_PROMPT_GAUGE_MAX];
    ngx_atomic_t                    taken[NGX_HTTP_PROMPT_SERVERS_MAX];
    ngx_http_prompt_metrics_own_t  *own;         /* NULL: none ever was here */
} ngx_http_prompt_metrics_worker_t;


struct ngx_http_prompt_metrics_s {
    ngx_slab_pool_t                  *shpool;
    ngx_atomic_t                      moments[NGX_HTTP_PROMPT_MOMENT_MAX];
    ngx_http_prompt_metrics_noted_t   noted;

    /* the first one is for those that have no place of their own */
    ngx_atomic_t                      nmodels;
    ngx_http_prompt_metrics_model_t   models[NGX_HTTP_PROMPT_METRICS_MODELS
                                             + 1];

    ngx_http_prompt_metrics_worker_t  workers[
                                             NGX_HTTP_PROMPT_METRICS_WORKERS];
};


/* whether the process of a place lives; 0: nobody's */
ngx_uint_t ngx_http_prompt_metrics_lives(ngx_uint_t pid);


/* the last one is of requests without an error */
extern const char *const  ngx_http_prompt_metrics_codes[
                                           NGX_HTTP_PROMPT_METRICS_CODES + 1];

#endif /* PROMPT_METRICS_METRICS_IMPL_H */
