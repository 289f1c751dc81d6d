/*
 * The header Prompt-Position: what a client has seen, as an opaque token, in
 * answers and requests.
 */

#ifndef NGX_HTTP_PROMPT_POSITION_H
#define NGX_HTTP_PROMPT_POSITION_H

#include "http/ngx_http_prompt_request.h"


/*
 * Finds that of the request, where there are standbys.  NGX_DONE: the request
 * was refused.
 */
ngx_int_t ngx_http_prompt_position_find(ngx_http_prompt_ctx_t *ctx);

/* Adds that of the answer, where there is one.  NGX_ERROR: memory. */
ngx_int_t ngx_http_prompt_position_add(ngx_http_prompt_ctx_t *ctx);

#endif /* NGX_HTTP_PROMPT_POSITION_H */
