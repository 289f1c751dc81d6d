/*
 * Recording: an execution on its way to the database.
 *
 * A recording outlives the request that executes, because what the provider
 * was paid for is recorded even when nobody is there any more to read it.  It
 * has its own arena and copies into it.
 *
 *     create   the execution has an id
 *     start    its row is on its way, `running`, before the provider is asked;
 *     begin    the same, and the owner waits for it
 *     finish   its final row is written, durably, and the owner is told:
 *              how it ended, or all of it where the start is not known to
 *              be there
 *
 * Both rows at once would wait for each other in PostgreSQL.  So a start that
 * has no connection yet when the end is known is not sent any more, and one
 * that is under way is waited for, within its time.
 *
 * Where PostgreSQL is away at the end, the recording waits in the worker and
 * is written when PostgreSQL is back: up to
 * NGX_HTTP_PROMPT_RECORDING_MAX_COUNT of them, or ..._MAX_BYTES.  What is
 * dropped beyond that stands in the error log with its id.
 */

#ifndef NGX_HTTP_PROMPT_RECORDING_H
#define NGX_HTTP_PROMPT_RECORDING_H

#include "io/ngx_http_prompt_timer.h"
#include "conf/ngx_http_prompt_conf.h"
#include "service/worker/send.h"
#include "store/execution.h"


#define NGX_HTTP_PROMPT_RECORDING_MAX_COUNT  1000
#define NGX_HTTP_PROMPT_RECORDING_MAX_BYTES  (64 * 1024 * 1024)

/* between tries to write what waits; for how long a quitting worker tries */
#define NGX_HTTP_PROMPT_RECORDING_PAUSE      1000            /* ms */
#define NGX_HTTP_PROMPT_RECORDING_LINGER     30000           /* ms */


typedef struct ngx_http_prompt_recording_s  ngx_http_prompt_recording_t;


/* what a worker keeps for another try */
typedef struct ngx_http_prompt_recordings_s {
    ngx_queue_t               queue;
    size_t                    bytes;
    ngx_uint_t                count;
    ngx_http_prompt_timer_t   retry;
    ngx_msec_t                linger;        /* until when, if quitting */
} ngx_http_prompt_recordings_t;


typedef enum {
    NGX_HTTP_PROMPT_RECORDED = 0,
    NGX_HTTP_PROMPT_RECORDING_KEPT,  /* PostgreSQL is away: written later */
    NGX_HTTP_PROMPT_RECORDING_LOST   /* logged */
} ngx_http_prompt_recorded_e;


/* Told once how it ended; the recording is still there while it runs. */
typedef void (*ngx_http_prompt_recorded_pt)(void *data,
    ngx_http_prompt_recorded_e recorded);


/*
 * Told once what came of a start: where it was not written (started is 0),
 * although result is OK, its version was not the answer.  The recording is
 * still the owner's; result is there while it runs.
 */
typedef void (*ngx_http_prompt_begun_pt)(void *data,
    const ngx_http_prompt_postgres_result_t *result);


struct ngx_http_prompt_recording_s {
    ngx_queue_t                       queue;   /* of those that are kept */
    ngx_http_prompt_worker_t         *worker;
    prompt_arena_t                   *arena;   /* holds the recording, too */
    prompt_execution_run_t            run;     /* all of it in the arena */
    prompt_actor_t                    actor;   /* the project that pays */
    ngx_log_t                         log;     /* for debug lines: a copy */
    int32_t                           flight;  /* which is under way */
    ngx_http_prompt_sent_t            start;   /* its row is on its way */
    ngx_http_prompt_sent_t            query;
    ngx_http_prompt_begun_pt          begun;   /* NULL: nobody waits for it */
    ngx_http_prompt_recorded_pt       done;    /* NULL: the owner has left */
    void                             *data;
    unsigned                          kept:1;  /* it is in that queue */
    unsigned                          started:1; /* the row was written */
    unsigned                          ended:1; /* it waits for its start */
    unsigned                          whole:1; /* not only how it ended */
};


/* A new recording with an empty run.  NULL when memory is short. */
ngx_http_prompt_recording_t *ngx_http_prompt_recording_create(
    ngx_http_prompt_worker_t *worker);

/* Gives back a recording that does not belong to itself. */
void ngx_http_prompt_recording_destroy(ngx_http_prompt_recording_t *recording);

/*
 * Sends the row `running`; nobody waits for it.  NGX_ERROR: memory is short,
 * nothing was sent.
 */
ngx_int_t ngx_http_prompt_recording_start(
    ngx_http_prompt_recording_t *recording);

/*
 * Sends the row `running`; begun(data, …) is called once, from the event loop.
 * NGX_ERROR: memory is short, nothing was sent.  Unless it is started, finish
 * only says how what may be there ended: nobody has verified it.
 */
ngx_int_t ngx_http_prompt_recording_begin(
    ngx_http_prompt_recording_t *recording, ngx_http_prompt_begun_pt begun,
    void *data);

/*
 * The owner wants no start any more.  NGX_OK: it was not sent, nor will be.
 * NGX_DECLINED: it is under way, and begun(data, …) will be called.
 */
ngx_int_t ngx_http_prompt_recording_withdraw(
    ngx_http_prompt_recording_t *recording);

/*
 * Writes the final row of recording->run.  NGX_OK: done(data, …) is called
 * once, from the event loop, unless detached; the recording belongs to itself
 * from now on.  NGX_AGAIN: it could not be sent and is kept; done is not
 * called.  NGX_ERROR: it could not even be kept, and was logged; the caller
 * destroys it.
 */
ngx_int_t ngx_http_prompt_recording_finish(
    ngx_http_prompt_recording_t *recording, ngx_http_prompt_recorded_pt done,
    void *data);

/* The owner leaves: done is not called any more. */
void ngx_http_prompt_recording_detach(ngx_http_prompt_recording_t *recording);

/* For init_process and exit_process: those that are kept. */
void ngx_http_prompt_recording_init(ngx_http_prompt_worker_t *worker);
void ngx_http_prompt_recording_exit(ngx_http_prompt_worker_t *worker);

#endif /* NGX_HTTP_PROMPT_RECORDING_H */
