/*
 * Usage: when keys and sessions were used last.
 *
 * A worker remembers whom it has told the database of lately, and tells it of
 * the others a moment later, all at once.  So what is shown is a minute old at
 * most, and a key in constant use costs a write in half a minute, however many
 * requests and workers there are.
 */

#ifndef NGX_HTTP_PROMPT_USAGE_H
#define NGX_HTTP_PROMPT_USAGE_H

#include "conf/ngx_http_prompt_conf.h"
#include "io/ngx_http_prompt_timer.h"
#include "service/worker/send.h"
#include "store/value.h"


#define NGX_HTTP_PROMPT_USAGE_KNOWN  4096    /* keys that are remembered */
#define NGX_HTTP_PROMPT_USAGE_BATCH  256     /* in one statement */
#define NGX_HTTP_PROMPT_USAGE_AGAIN  30000   /* ms until one is told again */
#define NGX_HTTP_PROMPT_USAGE_PAUSE  50      /* ms that others may join in */


typedef struct {
    u_char                            id[PROMPT_UUID_LEN];
    ngx_msec_t                        told;
    ngx_uint_t                        used;  /* 0: nobody stands here */
} ngx_http_prompt_used_t;


typedef struct ngx_http_prompt_usage_s {
    ngx_http_prompt_used_t           *known; /* a place each, by the id */
    u_char                            batch[NGX_HTTP_PROMPT_USAGE_BATCH]
                                           [PROMPT_UUID_LEN];
    ngx_uint_t                        nbatch;
    ngx_http_prompt_timer_t           timer;
    ngx_http_prompt_sent_t            sent;
} ngx_http_prompt_usage_t;


/* For init_process; exit_process stops the timer.  NGX_ERROR: memory. */
ngx_int_t ngx_http_prompt_usage_init(ngx_http_prompt_worker_t *worker,
    ngx_cycle_t *cycle);

/* Forgets what was noted. */
void ngx_http_prompt_usage_forget(ngx_http_prompt_worker_t *worker);

/* A request came with it; id: 16 bytes. */
void ngx_http_prompt_usage_note(ngx_http_prompt_worker_t *worker,
    const u_char *id);

#endif /* NGX_HTTP_PROMPT_USAGE_H */
