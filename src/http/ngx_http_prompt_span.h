/*
 * The span of a request to the endpoint (prompt_otlp).
 */

#ifndef NGX_HTTP_PROMPT_SPAN_H
#define NGX_HTTP_PROMPT_SPAN_H

#include "http/ngx_http_prompt_request.h"


/*
 * The request ends: puts its span into the queue, where there is a collector
 * and its trace is sampled.
 */
void ngx_http_prompt_span(ngx_http_prompt_ctx_t *ctx);

#endif /* NGX_HTTP_PROMPT_SPAN_H */
