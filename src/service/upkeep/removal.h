/*
 * Removal: the rows of deleted prompts, and of copies that were never shown,
 * go step by step.
 *
 * The worker that deleted a large prompt begins at once.  One worker of each
 * host looks from time to time for what others left: because they died, or
 * PostgreSQL was away.  Several may be at it, each with another prompt.
 */

#ifndef NGX_HTTP_PROMPT_REMOVAL_H
#define NGX_HTTP_PROMPT_REMOVAL_H

#include "io/ngx_http_prompt_timer.h"
#include "conf/ngx_http_prompt_conf.h"
#include "store/prompt.h"


/* between looks, and between steps, so that they take a part of a connection */
#define NGX_HTTP_PROMPT_REMOVAL_INTERVAL  15000              /* ms */
#define NGX_HTTP_PROMPT_REMOVAL_PAUSE     20                 /* ms */

/* how often the interval is doubled where steps fail */
#define NGX_HTTP_PROMPT_REMOVAL_RARER     3


typedef struct ngx_http_prompt_remover_s {
    ngx_http_prompt_timer_t   timer;
    prompt_removal_t          at;            /* where it is */
    ngx_uint_t                failures;      /* in a row */
    unsigned                  active:1;      /* something is being removed */
    unsigned                  watches:1;     /* for what others left */
} ngx_http_prompt_remover_t;


/* For init_process; exit_process stops the timer. */
void ngx_http_prompt_removal_init(ngx_http_prompt_worker_t *worker);

/* Starts looking in this worker. */
void ngx_http_prompt_removal_watch(ngx_http_prompt_worker_t *worker);

/* Begins soon, at *at or (NULL) with any; goes on until nothing is left. */
void ngx_http_prompt_removal_begin(ngx_http_prompt_worker_t *worker,
    const prompt_removal_t *at);

/*
 * Gives up the caller's copy (16 bytes each) that is being made, and removes
 * it.  Where that fails, it is removed when it is old.
 */
void ngx_http_prompt_removal_abandon(ngx_http_prompt_worker_t *worker,
    prompt_str_t caller, prompt_str_t copy);

#endif /* NGX_HTTP_PROMPT_REMOVAL_H */
