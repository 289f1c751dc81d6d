/*
 * Metrics: what all workers together have done, as Prometheus reads it.
 *
 * Counters only grow: a worker that is killed leaves nothing behind that would
 * have to be taken back.  What is counted for each request, each worker counts
 * in a place of its own, and the text has the sums: so nothing is atomic there,
 * and what a worker had counted stays when it ends, in whatever way.  What goes
 * up and down it says of itself in the same way, and that is read for as long
 * as the process lives.  All is in shared memory, bounded, and survives a
 * reload.
 *
 * Labels come from the configuration and the API, never from a request.
 */

#ifndef PROMPT_METRICS_METRICS_H
#define PROMPT_METRICS_METRICS_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/buf.h"
#include "base/histogram.h"
#include "base/jump.h"
#include "metrics/counters.h"


/* root fields that are counted by name; the API has fewer */
#define NGX_HTTP_PROMPT_METRICS_ROOTS   64

/* models that are counted by name, over all reloads; then all others as one */
#define NGX_HTTP_PROMPT_METRICS_MODELS  256

/* bytes of a label's value; what is longer is cut */
#define NGX_HTTP_PROMPT_METRICS_LABEL   128


#define ngx_http_prompt_metrics_no_family(name, help)
#define ngx_http_prompt_metrics_count_e(name, label)                         \
    NGX_HTTP_PROMPT_COUNT_##name,
#define ngx_http_prompt_metrics_gauge_e(name, label)                         \
    NGX_HTTP_PROMPT_GAUGE_##name,
#define ngx_http_prompt_metrics_moment_e(name, label)                        \
    NGX_HTTP_PROMPT_MOMENT_##name,
#define ngx_http_prompt_metrics_time_e(name, label)                          \
    NGX_HTTP_PROMPT_TIME_##name,

typedef enum {
    NGX_HTTP_PROMPT_COUNTERS(ngx_http_prompt_metrics_no_family,
                             ngx_http_prompt_metrics_count_e)
    NGX_HTTP_PROMPT_COUNT_MAX
} ngx_http_prompt_count_e;

typedef enum {
    NGX_HTTP_PROMPT_GAUGES(ngx_http_prompt_metrics_no_family,
                           ngx_http_prompt_metrics_gauge_e)
    NGX_HTTP_PROMPT_GAUGE_MAX
} ngx_http_prompt_gauge_e;

typedef enum {
    NGX_HTTP_PROMPT_MOMENTS(ngx_http_prompt_metrics_no_family,
                            ngx_http_prompt_metrics_moment_e)
    NGX_HTTP_PROMPT_MOMENT_MAX
} ngx_http_prompt_moment_e;


typedef enum {
    NGX_HTTP_PROMPT_TIMES(ngx_http_prompt_metrics_no_family,
                          ngx_http_prompt_metrics_time_e)
    NGX_HTTP_PROMPT_TIME_MAX
} ngx_http_prompt_time_e;


/* what a request was, beside the root fields by number */
typedef enum {
    NGX_HTTP_PROMPT_OPERATION_NONE = 0,      /* it was none */
    NGX_HTTP_PROMPT_OPERATION_MULTIPLE,      /* several root fields */
    NGX_HTTP_PROMPT_OPERATION_INTROSPECTION,
    NGX_HTTP_PROMPT_OPERATION_ROOT           /* and its number */
} ngx_http_prompt_operation_e;


/* what a request spoke */
typedef enum {
    NGX_HTTP_PROMPT_GRAPHQL = 0,
    NGX_HTTP_PROMPT_OPENAI,
    NGX_HTTP_PROMPT_MCP,
    NGX_HTTP_PROMPT_PROTOCOLS
} ngx_http_prompt_protocol_e;

extern const prompt_str_t
    ngx_http_prompt_protocol_names[NGX_HTTP_PROMPT_PROTOCOLS];


typedef enum {
    NGX_HTTP_PROMPT_CALL_SUCCEEDED = 0,
    NGX_HTTP_PROMPT_CALL_FAILED,
    NGX_HTTP_PROMPT_CALL_CANCELLED,
    NGX_HTTP_PROMPT_CALL_MAX
} ngx_http_prompt_call_status_e;


/* an execution's call of its provider, when it is over */
typedef struct {
    ngx_http_prompt_call_status_e  status;
    ngx_msec_t                     ms;
    uint64_t                       tokens_in;        /* 0: none, or unknown */
    uint64_t                       tokens_out;
    uint64_t                       cost;             /* in 10^-12 US dollars */
} ngx_http_prompt_metrics_call_t;


typedef struct {
    ngx_uint_t  values[NGX_HTTP_PROMPT_GAUGE_MAX];
} ngx_http_prompt_gauges_t;


/*
 * What the workers share that is no metric: it stands here as this is the
 * memory that stays.  Zeros at first.
 *
 * database:      which one it is, by its identity and a hash of where it was
 *                found, so that the workers of the next configuration know
 * clock:         what they know of PostgreSQL's; the first of them writes
 * redis:         when all of them may connect to Redis again, ms
 * redis_server:  which server its name led to, as a hash, 0: it was not looked
 *                up yet; and since when, ms
 */
typedef struct {
    ngx_atomic_t   database_id;
    ngx_atomic_t   database_seal;
    prompt_jump_t  clock;
    ngx_atomic_t   redis;
    ngx_atomic_t   redis_server[2];
} ngx_http_prompt_metrics_noted_t;


typedef struct ngx_http_prompt_metrics_s        ngx_http_prompt_metrics_t;
typedef struct ngx_http_prompt_metrics_model_s  ngx_http_prompt_metrics_model_t;


/*
 * Adds the zone; while the configuration is read.  tag: the module, to which
 * the zone belongs.  NULL when memory is short.
 */
ngx_shm_zone_t *ngx_http_prompt_metrics_zone(ngx_conf_t *cf, void *tag);

/* the counters of a zone, from init_module on */
ngx_http_prompt_metrics_t *ngx_http_prompt_metrics_of(ngx_shm_zone_t *zone);

/*
 * The numbers of a model, found or begun; pattern as it is configured.  For
 * init_module, in which there is one process: what it returns stays.  Where
 * there are too many, those of all others together.
 */
ngx_http_prompt_metrics_model_t *ngx_http_prompt_metrics_model(
    ngx_http_prompt_metrics_t *metrics, prompt_str_t provider,
    prompt_str_t pattern);

/*
 * A worker begins: it has its place, in which it counts.  NGX_ERROR where there
 * is none, which is said in the log.
 */
ngx_int_t ngx_http_prompt_metrics_enter(ngx_http_prompt_metrics_t *metrics,
    ngx_log_t *log);

/* Counting is for a worker that has its place. */
void ngx_http_prompt_metrics_add(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_count_e count, uint64_t n);

/* Adds what a worker has seen more than before. */
void ngx_http_prompt_metrics_times(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_time_e time, const prompt_histogram_t *now,
    const prompt_histogram_t *before);

/* It happened now; when it did last, in seconds since 1970. */
void ngx_http_prompt_metrics_moment(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_moment_e moment);
time_t ngx_http_prompt_metrics_when(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_moment_e moment);

ngx_http_prompt_metrics_noted_t *ngx_http_prompt_metrics_noted(
    ngx_http_prompt_metrics_t *metrics);

/*
 * A request that ended; code: of its first error, absent: none.  operation:
 * of ngx_http_prompt_operation_e.
 */
void ngx_http_prompt_metrics_request(ngx_http_prompt_metrics_t *metrics,
    ngx_uint_t protocol, prompt_str_t code, ngx_uint_t operation,
    ngx_msec_t ms);

/* a root field that was started, by its number (below ..._ROOTS) */
void ngx_http_prompt_metrics_root(ngx_http_prompt_metrics_t *metrics,
    ngx_uint_t protocol, ngx_uint_t n);

/* A call is over. */
void ngx_http_prompt_metrics_call(ngx_http_prompt_metrics_model_t *model,
    const ngx_http_prompt_metrics_call_t *call);

/* A provider was asked so often, and whether it failed. */
void ngx_http_prompt_metrics_asked(ngx_http_prompt_metrics_model_t *model,
    ngx_uint_t attempts, ngx_uint_t failed);

/* What this worker has now; and, when it exits, nothing any more. */
void ngx_http_prompt_metrics_publish(ngx_http_prompt_metrics_t *metrics,
    const ngx_http_prompt_gauges_t *gauges);
void ngx_http_prompt_metrics_leave(ngx_http_prompt_metrics_t *metrics);

/*
 * Connections to servers, of which all workers together, those that quit
 * included, have a bounded number.  A worker has one in any case, and takes a
 * further one (NGX_OK) where with it there are no more than most, and one for
 * each worker that has some beyond workers, the configured number;
 * NGX_DECLINED: another time.  What is taken is given back, or lost with the
 * process.
 */
typedef enum {
    NGX_HTTP_PROMPT_SERVERS_POSTGRES = 0,
    NGX_HTTP_PROMPT_SERVERS_STANDBY,
    NGX_HTTP_PROMPT_SERVERS_MAX
} ngx_http_prompt_servers_e;

ngx_int_t ngx_http_prompt_metrics_take(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_servers_e servers, ngx_uint_t most, ngx_uint_t workers);
void ngx_http_prompt_metrics_give(ngx_http_prompt_metrics_t *metrics,
    ngx_http_prompt_servers_e servers);

/*
 * Appends the text.  roots: the names of the root fields by number, at
 * most ..._ROOTS of them.
 */
void ngx_http_prompt_metrics_write(ngx_http_prompt_metrics_t *metrics,
    const prompt_str_t *roots, ngx_uint_t nroots, prompt_buf_t *out);

#endif /* PROMPT_METRICS_METRICS_H */
