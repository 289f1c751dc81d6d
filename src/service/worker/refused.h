/*
 * What was refused, as the audit log has it: of each actor and action a row a
 * minute at most, over all workers.  A table of what this worker has told says
 * what need not be asked for; where it is full of younger ones, nothing is
 * told: so nobody fills the log.
 */

#ifndef NGX_HTTP_PROMPT_REFUSED_H
#define NGX_HTTP_PROMPT_REFUSED_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "store/audit.h"


/* 24 KiB; actors and actions whose hashes are alike share a set of places */
#define NGX_HTTP_PROMPT_REFUSED_SETS    256
#define NGX_HTTP_PROMPT_REFUSED_PLACES  4


typedef struct {
    uint8_t     hash[16];            /* of actor and action */
    ngx_msec_t  told;                /* 0: it is free */
} ngx_http_prompt_refused_place_t;

typedef ngx_http_prompt_refused_place_t
    ngx_http_prompt_refused_t[NGX_HTTP_PROMPT_REFUSED_SETS]
                             [NGX_HTTP_PROMPT_REFUSED_PLACES];

typedef struct ngx_http_prompt_worker_s  ngx_http_prompt_worker_t;


/*
 * Adds a row, of which nobody hears any more.  what: the subject; code is that
 * of the error, reason a word in capitals, both without what needs an escape.
 */
void ngx_http_prompt_refused_tell(ngx_http_prompt_worker_t *worker,
    const prompt_actor_t *actor, const prompt_audit_t *what,
    prompt_str_t code, prompt_str_t reason);

#endif /* NGX_HTTP_PROMPT_REFUSED_H */
