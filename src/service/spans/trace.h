/*
 * The trace that a request belongs to: the one its client names (W3C Trace
 * Context), or one that begins with it.
 */

#ifndef NGX_HTTP_PROMPT_TRACE_H
#define NGX_HTTP_PROMPT_TRACE_H

#include "conf/ngx_http_prompt_conf.h"
#include "trace/traceparent.h"


/* of a request; zeroed before it is looked for */
typedef struct {
    prompt_trace_context_t  context;
    uint8_t                 span_id[PROMPT_SPAN_ID_LEN];  /* the request's */
    prompt_str_t            state;       /* tracestate, in r->pool; absent:
                                            none */
    unsigned                known:1;     /* it was looked for */
    unsigned                there:1;     /* and was there, or could be begun */
} ngx_http_prompt_trace_t;


/*
 * Finds the trace of r, or begins one, when it is asked for first: most
 * requests never are.  Where the kernel gave no random bytes it is not there.
 */
void ngx_http_prompt_trace_find(ngx_http_request_t *r,
    ngx_http_prompt_trace_t *trace);

/* A new id, not zero, of len bytes, at most 16.  NGX_ERROR: none to be had. */
ngx_int_t ngx_http_prompt_trace_id(ngx_http_prompt_worker_t *worker,
    uint8_t *id, size_t len);

#endif /* NGX_HTTP_PROMPT_TRACE_H */
