/*
 * Answers that are not sent yet: whether there is room for one more, and what
 * is given back as a client takes it (service/frame/answers.h).
 */

#ifndef NGX_HTTP_PROMPT_UNSENT_H
#define NGX_HTTP_PROMPT_UNSENT_H

#include "http/ngx_http_prompt_request.h"


/* For postconfiguration. */
ngx_int_t ngx_http_prompt_unsent_init(ngx_conf_t *cf);

/*
 * Appends pieces to a chain (NULL: it has none yet), but for empty ones; in
 * r->pool.  Those of the answer are watched: a piece is freed when it is sent.
 * NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_unsent_chain(ngx_http_request_t *r,
    ngx_chain_t **chain, const prompt_str_t *pieces, size_t n);

/* Frees the pieces that were sent, and claims what is left. */
void ngx_http_prompt_unsent_sent(ngx_http_prompt_ctx_t *ctx);

#endif /* NGX_HTTP_PROMPT_UNSENT_H */
