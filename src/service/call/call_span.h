/*
 * The span of an execution (prompt_otlp), by the conventions of OpenTelemetry
 * for generative AI.
 */

#ifndef NGX_HTTP_PROMPT_CALL_SPAN_H
#define NGX_HTTP_PROMPT_CALL_SPAN_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "service/call/call_impl.h"


/*
 * The call begins: notes what only the request has, where its trace is sampled
 * and there is a collector.  Where memory is short there will be no span.
 */
void ngx_http_prompt_call_span_begin(ngx_http_prompt_call_t *call);

/* It is over: its run says how it ended.  Puts the span into the queue. */
void ngx_http_prompt_call_span_end(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);

#endif /* NGX_HTTP_PROMPT_CALL_SPAN_H */
