/*
 * Events of a subscription.
 */

#include "http/ngx_http_prompt_events.h"

#include "http/ngx_http_prompt_event_stream.h"
#include "service/call/stream.h"


ngx_int_t
ngx_http_prompt_events_begin(ngx_http_prompt_ctx_t *ctx)
{
    if (ctx->op.job.request->method == NGX_HTTP_GET) {
        return ngx_http_prompt_refuse(ctx, NGX_HTTP_NOT_ALLOWED,
                   prompt_str("Can only perform a subscription operation "
                              "from a POST request."));
    }

    if (!ctx->accepts_events) {
        return ngx_http_prompt_refuse(ctx, 406,
                   prompt_str("A subscription is answered as a stream of "
                              "events: the request must have the header "
                              "\"Accept: text/event-stream\"."));
    }

    ctx->media = GQL_HTTP_MEDIA_EVENTS;
    ctx->events = ngx_http_prompt_event_stream_create(ctx->op.job.request);

    if (ctx->events == NULL) {
        ngx_http_finalize_request(ctx->op.job.request,
                                  NGX_HTTP_INTERNAL_SERVER_ERROR);
        return NGX_DONE;
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_events_next(void *caller, const prompt_str_t *pieces, size_t n)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    return ngx_http_prompt_event_stream_next(ctx->events, pieces, n);
}


void
ngx_http_prompt_events_writable(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    switch (ngx_http_prompt_event_stream_write(ctx->events)) {

    case NGX_AGAIN:
        break;

    case NGX_ERROR:
        ngx_http_prompt_stream_abandon(&ctx->op.job);
        break;

    default:
        ngx_http_prompt_stream_drained(&ctx->op.job);
    }
}
