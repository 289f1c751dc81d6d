/*
 * Sweeps: what nobody else comes back to.
 *
 *     executions  whose worker died while the provider was asked would stand
 *                 as `running` for ever: they become `lost`
 *     keys        what is known of requests that carried an Idempotency-Key
 *                 goes a day later
 *     log         what is five minutes old goes into the lists and sums of
 *                 the log (store/log.h)
 *     sessions    that are over go when nobody asks for their addresses
 *     guards      versions of a label's split that pass a bound lose their
 *                 share (guard.h)
 *
 * Any worker of any host may do it; of two that come at once, one does.  A step
 * looks at so many rows at most; where there are more, the next one follows
 * after a pause.  After a step that failed, for want of time maybe, the next
 * ones are smaller.
 *
 * They go by PostgreSQL's clock, and see whether that jumps against the
 * monotonic one of this host.  Where it did nothing is given up or deleted for
 * an hour; only the log goes on, whose mark goes back with the clock.
 */

#ifndef NGX_HTTP_PROMPT_SWEEP_H
#define NGX_HTTP_PROMPT_SWEEP_H

#include "io/ngx_http_prompt_timer.h"
#include "conf/ngx_http_prompt_conf.h"
#include "service/worker/send.h"
#include "store/value.h"


typedef enum {
    NGX_HTTP_PROMPT_SWEEP_EXECUTIONS = 0,
    NGX_HTTP_PROMPT_SWEEP_KEYS,
    NGX_HTTP_PROMPT_SWEEP_LOG,
    NGX_HTTP_PROMPT_SWEEP_SESSIONS,
    NGX_HTTP_PROMPT_SWEEP_GUARDS,
    NGX_HTTP_PROMPT_NSWEEPS
} ngx_http_prompt_sweep_kind_t;


typedef struct ngx_http_prompt_sweep_s {
    ngx_http_prompt_sweep_kind_t      kind;
    int32_t                           rows;   /* of the next step, at most */
    ngx_http_prompt_worker_t         *worker;
    ngx_http_prompt_timer_t           timer;
    ngx_http_prompt_sent_t            sent;
    ngx_msec_t                        asked;  /* when that was sent */
} ngx_http_prompt_sweep_t;


/* For init_process and exit_process. */
void ngx_http_prompt_sweep_init(ngx_http_prompt_worker_t *worker);
void ngx_http_prompt_sweep_exit(ngx_http_prompt_worker_t *worker);

/*
 * What PostgreSQL's clock must say now, for what goes by it (store/clock.h);
 * unknown for an hour after it jumped.
 */
prompt_maybe_t ngx_http_prompt_sweep_clock(ngx_http_prompt_worker_t *worker);

/* The same for leases; unknown for a moment after it made a step. */
prompt_maybe_t ngx_http_prompt_sweep_near(ngx_http_prompt_worker_t *worker);

/* Starts them in this worker. */
void ngx_http_prompt_sweep_watch(ngx_http_prompt_worker_t *worker);

#endif /* NGX_HTTP_PROMPT_SWEEP_H */
