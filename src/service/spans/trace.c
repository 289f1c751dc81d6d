/*
 * The trace of a request: read from its headers, or begun.
 */

#include "service/spans/trace.h"

#include "base/random.h"
#include "service/worker/header.h"
#include "service/worker/worker.h"


static void ngx_http_prompt_trace_state(ngx_http_request_t *r,
    ngx_http_prompt_trace_t *trace);


void
ngx_http_prompt_trace_find(ngx_http_request_t *r,
    ngx_http_prompt_trace_t *trace)
{
    prompt_str_t               parent;
    ngx_http_prompt_worker_t  *worker;

    if (trace->known) {
        return;
    }

    trace->known = 1;
    worker = ngx_http_prompt_get_worker(r);

    if (worker == NULL
        || ngx_http_prompt_trace_id(worker, trace->span_id,
                                    PROMPT_SPAN_ID_LEN)
           != NGX_OK)
    {
        return;
    }

    /* else there is no traceparent, or none that is valid, or several */

    if (ngx_http_prompt_header_count(r, prompt_str("traceparent"), &parent) == 1
        && prompt_traceparent_read(parent, &trace->context))
    {
        ngx_http_prompt_trace_state(r, trace);
        trace->there = 1;
        return;
    }

    ngx_memzero(&trace->context, sizeof(prompt_trace_context_t));
    trace->context.sampled = worker->otlp != NULL;

    trace->there = ngx_http_prompt_trace_id(worker, trace->context.trace_id,
                                            PROMPT_TRACE_ID_LEN)
                   == NGX_OK;
}


/* Where memory is short there is none: the trace goes on without it. */
static void
ngx_http_prompt_trace_state(ngx_http_request_t *r,
    ngx_http_prompt_trace_t *trace)
{
    prompt_str_t                value;
    prompt_tracestate_t        *state;
    ngx_http_prompt_headers_t   at;

    state = NULL;
    ngx_memzero(&at, sizeof(ngx_http_prompt_headers_t));

    while (ngx_http_prompt_header_next(r, &at, prompt_str("tracestate"),
                                       &value))
    {
        if (state == NULL) {
            state = ngx_pcalloc(r->pool, sizeof(prompt_tracestate_t));
        }

        if (state == NULL) {
            return;
        }

        prompt_tracestate_add(state, value);
    }

    if (state != NULL) {
        trace->state = prompt_tracestate_text(state);
    }
}


ngx_int_t
ngx_http_prompt_trace_id(ngx_http_prompt_worker_t *worker, uint8_t *id,
    size_t len)
{
    static const uint8_t  zero[PROMPT_TRACE_ID_LEN];

    do {
        if (!prompt_random_from(&worker->random, id, len)) {
            return NGX_ERROR;
        }

    } while (ngx_memcmp(id, zero, len) == 0);

    return NGX_OK;
}
