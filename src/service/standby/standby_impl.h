/*
 * What standby.c, standby_read.c and standby_mark.c share, and nobody else
 * needs to know.
 */

#ifndef NGX_HTTP_PROMPT_STANDBY_IMPL_H
#define NGX_HTTP_PROMPT_STANDBY_IMPL_H

#include "io/ngx_http_prompt_redis_servers.h"
#include "io/ngx_http_prompt_timer.h"
#include "metrics/metrics.h"
#include "service/standby/standby.h"
#include "service/worker/send.h"
#include "service/worker/worker.h"


/* what is noted of the primary: at least what max_lag and the pause need */
#define NGX_HTTP_PROMPT_STANDBY_SAMPLES  32

/* clocks are read before what they stand for, and timers fire a bit early */
#define NGX_HTTP_PROMPT_STANDBY_MARGIN   100         /* ms */


/* a change whose position is being told to all hosts */
typedef struct {
    struct ngx_http_prompt_standby_s  *standby;  /* NULL: it is over */
    ngx_queue_t                        queue;
    u_char                             user[16];
    ngx_msec_t                         start;
    ngx_http_prompt_sent_t             asks;     /* for it */
    ngx_http_prompt_redis_call_t      *command;  /* tells it */
    ngx_http_prompt_timer_t            timer;    /* it need not be told then */
    prompt_position_t                  position;
    ngx_http_prompt_operation_t       *op;       /* that waits for it; NULL:
                                                    nobody does */
    unsigned                           reads:1;  /* for a token only: nobody
                                                    is told */
} ngx_http_prompt_mark_t;


/*
 * What an operation knows of positions, in r->pool.  Zeroed, it has seen
 * nothing and may not read from standbys.
 */
typedef struct ngx_http_prompt_follow_s {
    prompt_position_t                  needed;   /* what it must see */
    uint64_t                           floor;    /* where the primary was
                                                    max_lag ago */
    prompt_position_t                  reached;  /* what it was shown, or has
                                                    written */
    ngx_http_prompt_redis_call_t      *command;  /* asks for the mark */
    ngx_http_prompt_mark_t             mark;
    ngx_http_prompt_count_e            passed;   /* why no standby is read */
    unsigned                           reads:1;  /* one may be */
    unsigned                           mixed:1;  /* the primary has shown what
                                                    reached does not say */
} ngx_http_prompt_follow_t;


/* by then, the primary was there */
typedef struct {
    ngx_msec_t                         at;
    uint64_t                           lsn;
} ngx_http_prompt_sample_t;


struct ngx_http_prompt_standby_s {
    ngx_http_prompt_worker_t          *worker;
    ngx_http_prompt_postgres_t        *pool;
    ngx_http_prompt_postgres_check_t   check;
    ngx_uint_t                         connections;  /* of a worker */
    ngx_msec_t                         max_lag;
    ngx_msec_t                         pause;    /* between two looks */

    /* the primary: its cluster and timeline, and where it was when */
    uint64_t                           system;
    uint32_t                           timeline;
    ngx_http_prompt_sample_t           samples[NGX_HTTP_PROMPT_STANDBY_SAMPLES];
    ngx_uint_t                         nsamples; /* ever taken */

    uint64_t                           seen;     /* where a standby was */
    ngx_msec_t                         asked;    /* when one was wanted */
    ngx_http_prompt_timer_t            timer;    /* looks at both */
    ngx_http_prompt_sent_t             look;
    ngx_msec_t                         looked;
    ngx_http_prompt_sent_t             ping;
    ngx_msec_t                         pinged;

    ngx_msec_t                         learns;   /* by when all hosts know of
                                                    another Redis */
    uint64_t                           connects; /* of Redis, and failures */
    ngx_msec_t                         changed;  /* when there was one */

    ngx_queue_t                        marks;    /* that nobody waits for */
    unsigned                           well:1;   /* it answers */
};


/* What is kept of an operation; NULL: memory is short. */
ngx_http_prompt_follow_t *ngx_http_prompt_standby_follow(
    ngx_http_prompt_job_t *job);

/* Of hooks: see there. */
ngx_int_t ngx_http_prompt_standby_begin(ngx_http_prompt_operation_t *op);
ngx_http_prompt_postgres_t *ngx_http_prompt_standby_pool(
    ngx_http_prompt_root_t *root, ngx_msec_t *limit);
ngx_int_t ngx_http_prompt_standby_answered(ngx_http_prompt_root_t *root);
ngx_int_t ngx_http_prompt_standby_tell(ngx_http_prompt_operation_t *op);
void ngx_http_prompt_standby_note(ngx_http_prompt_worker_t *worker,
    const uint8_t *user);
void ngx_http_prompt_standby_leave(ngx_http_prompt_operation_t *op);

/* Where the primary was. */
void ngx_http_prompt_standby_sample(ngx_http_prompt_standby_t *standby,
    ngx_msec_t at, const prompt_position_t *position);

/*
 * Whether Redis has every mark of the last max_lag, as far as this worker can
 * know: it is the same server all the time.
 */
bool ngx_http_prompt_standby_believes(ngx_http_prompt_standby_t *standby);

/* Whether all hosts ask the Redis that this worker asks, as far as it knows. */
bool ngx_http_prompt_standby_settled(ngx_http_prompt_standby_t *standby);

/* Where the primary was max_lag ago, or a bit later; 0: nobody knows. */
uint64_t ngx_http_prompt_standby_floor(
    const ngx_http_prompt_standby_t *standby);

/* Asks a standby how far it is, unless that was done a moment ago. */
void ngx_http_prompt_standby_ping(ngx_http_prompt_standby_t *standby);

/* How long a standby may take: there has to be time for the primary. */
ngx_msec_t ngx_http_prompt_standby_limit(
    const ngx_http_prompt_standby_t *standby, const prompt_query_t *query);

/* Asks the primary where it is, as ngx_http_prompt_send_query() does. */
ngx_int_t ngx_http_prompt_standby_ask(ngx_http_prompt_standby_t *standby,
    ngx_http_prompt_sent_t *sent, ngx_http_prompt_sent_pt done, void *data);

#endif /* NGX_HTTP_PROMPT_STANDBY_IMPL_H */
