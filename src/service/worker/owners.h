/*
 * Whose prompts are, as far as this worker has read it.
 *
 * Of a prompt that is known to be the caller's own, executions are asked for
 * without the part for guests, which PostgreSQL would make ready in vain.  A
 * prompt never changes hands.  Yet nothing stands on it: each first attempt
 * reads the owner again, and begins anew where that is another (somebody may
 * have been at it by SQL), what is long does not use it; and who is not the
 * owner finds nothing.
 *
 * Prompts whose hashes are alike share a set of places; where all are taken,
 * the one that came first makes room.
 */

#ifndef NGX_HTTP_PROMPT_OWNERS_H
#define NGX_HTTP_PROMPT_OWNERS_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/str.h"
#include "store/value.h"


/* 256 KiB */
#define NGX_HTTP_PROMPT_OWNER_SETS    2048
#define NGX_HTTP_PROMPT_OWNER_PLACES  4


typedef struct {
    char  prompt[PROMPT_UUID_LEN];           /* zeros: none */
    char  owner[PROMPT_UUID_LEN];
} ngx_http_prompt_owner_t;

typedef ngx_http_prompt_owner_t
    ngx_http_prompt_owner_set_t[NGX_HTTP_PROMPT_OWNER_PLACES];

typedef struct {
    ngx_http_prompt_owner_set_t  *sets;      /* NULL: none is known yet */
} ngx_http_prompt_owners_t;


/* Forgets all; for exit_process, too. */
void ngx_http_prompt_owners_exit(ngx_http_prompt_owners_t *owners);

/* Whether the prompt is known to be that user's; ids of 16 bytes. */
bool ngx_http_prompt_owners_know(const ngx_http_prompt_owners_t *owners,
    prompt_str_t prompt, prompt_str_t user);

/* What a row has said; where memory is short nothing is remembered. */
void ngx_http_prompt_owners_note(ngx_http_prompt_owners_t *owners,
    prompt_str_t prompt, prompt_str_t owner, ngx_log_t *log);

#endif /* NGX_HTTP_PROMPT_OWNERS_H */
