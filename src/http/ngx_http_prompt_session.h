/*
 * prompt_session: the location where people sign in and out.
 */

#ifndef NGX_HTTP_PROMPT_SESSION_H
#define NGX_HTTP_PROMPT_SESSION_H

#include "http/ngx_http_prompt_request.h"


extern const ngx_http_prompt_protocol_t  ngx_http_prompt_session_protocol;


/* for the directive */
ngx_int_t ngx_http_prompt_session_handler(ngx_http_request_t *r);

/* The request of ctx, which has a session, ends: what is in flight is left. */
void ngx_http_prompt_session_leave(ngx_http_prompt_ctx_t *ctx);

#endif /* NGX_HTTP_PROMPT_SESSION_H */
