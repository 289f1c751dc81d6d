/*
 * Idempotency-Key: requests with mutations that are done once, however often
 * they are sent.  See service/once for what is done; here is the header.
 */

#ifndef NGX_HTTP_PROMPT_IDEMPOTENCY_H
#define NGX_HTTP_PROMPT_IDEMPOTENCY_H

#include "http/ngx_http_prompt_request.h"


/*
 * For a request that nothing refused: the key of its operation.  NGX_DONE: it
 * is none, and the request was ended.
 */
ngx_int_t ngx_http_prompt_idempotency_find(ngx_http_prompt_ctx_t *ctx);

#endif /* NGX_HTTP_PROMPT_IDEMPOTENCY_H */
