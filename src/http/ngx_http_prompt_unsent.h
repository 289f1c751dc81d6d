/*
 * Answers that are not sent yet: whether there is room for one more, and what
 * is given back as a client takes it (service/answers.h).
 */

#ifndef NGX_HTTP_PROMPT_UNSENT_H
#define NGX_HTTP_PROMPT_UNSENT_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "http/ngx_http_prompt_request.h"


/* For postconfiguration. */
ngx_int_t ngx_http_prompt_unsent_init(ngx_conf_t *cf);

/*
 * Before anything is done for a request.  NGX_DECLINED: it goes on; NGX_OK: it
 * waits and then goes on with ngx_http_prompt_begin(), or was refused.
 */
ngx_int_t ngx_http_prompt_unsent_begin(ngx_http_prompt_ctx_t *ctx);

/*
 * Whether the answer, in ctx->pieces, may go out.  NGX_DECLINED: it is freed,
 * and the request ended with an error in its place.
 */
ngx_int_t ngx_http_prompt_unsent_check(ngx_http_prompt_ctx_t *ctx);

/*
 * Ends the request for want of room: with 200 instead of an answer, otherwise
 * before anything was done.
 */
void ngx_http_prompt_unsent_refuse(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status);

/*
 * Buffers for pieces, one each, empty ones included; in r->pool.  Those of
 * ctx->pieces are watched: a piece is freed when it is sent.  NULL: memory.
 */
ngx_buf_t *ngx_http_prompt_unsent_bufs(ngx_http_request_t *r,
    const prompt_str_t *pieces, size_t n);

/*
 * Frees the pieces that were sent, and claims what is left: all of them where
 * the answer waits for something else before it goes out.
 */
void ngx_http_prompt_unsent_sent(ngx_http_prompt_ctx_t *ctx);

#endif /* NGX_HTTP_PROMPT_UNSENT_H */
