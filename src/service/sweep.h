/*
 * Sweep: executions whose worker died while the provider was asked would
 * stand as `running` for ever, and what is known of requests that carried an
 * Idempotency-Key would stay.  Any worker of any host may mark the former as
 * lost, and delete the latter a day later; of two that come at once, one does
 * it.  A step looks at so many rows at most; where there are more, the next
 * one follows after a pause.
 */

#ifndef NGX_HTTP_PROMPT_SWEEP_H
#define NGX_HTTP_PROMPT_SWEEP_H

#include "io/ngx_http_prompt_postgres.h"
#include "io/ngx_http_prompt_timer.h"
#include "conf/ngx_http_prompt_conf.h"


/* how often, how many rows at once, and until the next ones of many */
#define NGX_HTTP_PROMPT_SWEEP_INTERVAL  15000                /* ms */
#define NGX_HTTP_PROMPT_SWEEP_ROWS      10000
#define NGX_HTTP_PROMPT_SWEEP_PAUSE     100                  /* ms */

/* the same of keys: their answers may be large; where there are more */
#define NGX_HTTP_PROMPT_SWEEP_KEYS      100

/* and of sessions, which are small */
#define NGX_HTTP_PROMPT_SWEEP_SESSIONS  500


typedef struct {
    ngx_http_prompt_timer_t           timer;
    ngx_http_prompt_postgres_task_t  *query;  /* in flight */
    ngx_http_prompt_timer_t           step;   /* of the keys */
    ngx_http_prompt_postgres_task_t  *keys;   /* in flight */
    ngx_http_prompt_timer_t           again;  /* of old sessions */
    ngx_http_prompt_postgres_task_t  *sessions;  /* in flight */
} ngx_http_prompt_sweep_t;


/* For init_process and exit_process. */
void ngx_http_prompt_sweep_init(ngx_http_prompt_worker_t *worker);
void ngx_http_prompt_sweep_exit(ngx_http_prompt_worker_t *worker);

/* Starts it in this worker. */
void ngx_http_prompt_sweep_watch(ngx_http_prompt_worker_t *worker);

#endif /* NGX_HTTP_PROMPT_SWEEP_H */
