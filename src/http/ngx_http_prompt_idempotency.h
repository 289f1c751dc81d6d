/*
 * Idempotency-Key: requests with mutations that are done once, however often
 * they are sent.  See service/once.h for what is done; here is HTTP's part of
 * it: the header, what makes two requests the same, and the answers.
 */

#ifndef NGX_HTTP_PROMPT_IDEMPOTENCY_H
#define NGX_HTTP_PROMPT_IDEMPOTENCY_H

#include "http/ngx_http_prompt_request.h"


#define NGX_HTTP_PROMPT_IDEMPOTENCY_MAX  255             /* characters */


/*
 * For a request that nothing refused.  NGX_DECLINED: it has no key, or no
 * mutation, and is run as it is.  NGX_OK: it is run later, or answered.
 */
ngx_int_t ngx_http_prompt_idempotency_begin(ngx_http_prompt_ctx_t *ctx);

/*
 * For an answer whose pieces are there.  NGX_DECLINED: it can be sent.
 * NGX_OK: it is sent when it is kept.
 */
ngx_int_t ngx_http_prompt_idempotency_end(ngx_http_prompt_ctx_t *ctx);

#endif /* NGX_HTTP_PROMPT_IDEMPOTENCY_H */
