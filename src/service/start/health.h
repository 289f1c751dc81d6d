/*
 * Health: whether this worker reaches PostgreSQL, whose schema fits.
 *
 * PostgreSQL is reached where it said something a moment ago: traffic is the
 * best probe.  While somebody asks any worker of this host, each one also
 * probes once a second, with a statement as any other that reads the version
 * of the schema; one is in flight at most, and lasts as long as any other.
 * So who asks mostly gets what is known, at once, and a server that hangs is
 * one that has been silent for too long, in whichever state it hangs.
 *
 * Where nothing is known yet (the worker has just begun, or nobody has asked
 * for a while) who asks waits for the probe, for a moment that is bounded.
 */

#ifndef NGX_HTTP_PROMPT_HEALTH_H
#define NGX_HTTP_PROMPT_HEALTH_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/buf.h"
#include "conf/ngx_http_prompt_conf.h"
#include "io/ngx_http_prompt_redis_servers.h"
#include "io/ngx_http_prompt_timer.h"
#include "service/worker/send.h"
#include "store/schema_version.h"


/* after so much silence PostgreSQL is not reached */
#define NGX_HTTP_PROMPT_HEALTH_SILENCE  2500                 /* ms */

/* for how long probes go on after somebody asked; who asks waits at most */
#define NGX_HTTP_PROMPT_HEALTH_ASKED    300                  /* s */
#define NGX_HTTP_PROMPT_HEALTH_WAIT     30                   /* ms */


/* of a worker */
typedef struct ngx_http_prompt_health_s {
    ngx_queue_t                        waiting;  /* for the probe */
    ngx_event_t                        told;     /* posted: tell them */

    ngx_http_prompt_sent_t             probe;
    ngx_http_prompt_redis_call_t      *command;  /* in flight, or NULL */
    ngx_msec_t                         since;    /* the probe is */
    ngx_msec_t                         checked;  /* when the schema was */
    int64_t                            version;  /* of it; 0: it has none */
    uint64_t                           tasks;    /* PostgreSQL's, so far */
    prompt_schema_fit_t                fit;
    unsigned                           known:1;  /* these three are set */
    unsigned                           deaf:1;   /* Redis did not answer */
} ngx_http_prompt_health_t;


/* somebody who asks */
typedef struct {
    ngx_queue_t                        queue;
    ngx_http_prompt_timer_t            timer;
    void                             (*done)(void *data);
    void                              *data;
} ngx_http_prompt_health_wait_t;


/* For init_process and exit_process. */
void ngx_http_prompt_health_init(ngx_http_prompt_worker_t *worker);
void ngx_http_prompt_health_exit(ngx_http_prompt_worker_t *worker);

/* What was read of the schema; NGX_OK where it can be used, else NGX_ERROR. */
ngx_int_t ngx_http_prompt_health_schema(ngx_http_prompt_worker_t *worker,
    prompt_schema_fit_t fit, int64_t version);

/* Once a second: probes, where somebody asked lately, or asks PostgreSQL. */
void ngx_http_prompt_health_tick(ngx_http_prompt_worker_t *worker);

/*
 * Somebody asks.  NGX_OK: it is known.  NGX_AGAIN: done(data) is called once,
 * from the event loop and soon, when it is known or will not be; until then
 * wait stays, and ngx_http_prompt_health_cancel() takes it back.
 */
ngx_int_t ngx_http_prompt_health_ask(ngx_http_prompt_worker_t *worker,
    ngx_http_prompt_health_wait_t *wait);
void ngx_http_prompt_health_cancel(ngx_http_prompt_health_wait_t *wait);

/* Whether PostgreSQL is reached and the schema fits. */
ngx_uint_t ngx_http_prompt_health_good(ngx_http_prompt_worker_t *worker);

/* The same, for the metrics: where nobody asked, silence means nothing. */
ngx_uint_t ngx_http_prompt_health_seems_good(ngx_http_prompt_worker_t *worker);

/* Appends the lines: no address stands there, and no name. */
void ngx_http_prompt_health_write(ngx_http_prompt_worker_t *worker,
    prompt_buf_t *out);

#endif /* NGX_HTTP_PROMPT_HEALTH_H */
