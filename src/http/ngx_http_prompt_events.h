/*
 * Events of a subscription: what the service hands on before the answer ends,
 * on its way into the event stream of the request.
 */

#ifndef NGX_HTTP_PROMPT_EVENTS_H
#define NGX_HTTP_PROMPT_EVENTS_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "http/ngx_http_prompt_request.h"


/*
 * Makes the event stream of a subscription, whose answer has to be one
 * whatever else is accepted, too.  NGX_DONE: it came by GET, no stream is
 * accepted, or memory is short; the request has got its answer and is
 * finalized.
 */
ngx_int_t ngx_http_prompt_events_begin(ngx_http_prompt_ctx_t *ctx);

/* event and writable of ngx_http_prompt_told: caller is the context. */
ngx_int_t ngx_http_prompt_events_next(void *caller, const prompt_str_t *pieces,
    size_t n);
void ngx_http_prompt_events_writable(void *caller);

#endif /* NGX_HTTP_PROMPT_EVENTS_H */
