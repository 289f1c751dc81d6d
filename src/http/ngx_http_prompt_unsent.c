/*
 * Answers that are not sent yet.
 *
 * A buffer whose pos has come to its end was sent, copied or compressed:
 * nginx's own modules use its memory anew then.  HTTP/2 moves pos when the
 * frame has gone to the socket, not when it is queued, so no frame of a stream
 * that was reset points to what is freed here.
 */

#include "http/ngx_http_prompt_unsent.h"

#include <stdlib.h>

#include "http/ngx_http_prompt_event_stream.h"
#include "service/worker/worker.h"


static ngx_int_t ngx_http_prompt_unsent_filter(ngx_http_request_t *r,
    ngx_chain_t *in);


static ngx_http_output_body_filter_pt  ngx_http_next_body_filter;


ngx_int_t
ngx_http_prompt_unsent_init(ngx_conf_t *cf)
{
    ngx_http_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_prompt_unsent_filter;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_unsent_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_int_t               rc;
    ngx_http_prompt_ctx_t  *ctx;

    rc = ngx_http_next_body_filter(r, in);

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);

    if (ctx != NULL && (ctx->bufs != NULL || ctx->events != NULL)) {
        ngx_http_prompt_unsent_sent(ctx);
    }

    return rc;
}


ngx_int_t
ngx_http_prompt_unsent_chain(ngx_http_request_t *r, ngx_chain_t **chain,
    const prompt_str_t *pieces, size_t n)
{
    size_t                  i, len;
    ngx_buf_t              *bufs;
    ngx_chain_t            *cl;
    ngx_http_prompt_ctx_t  *ctx;

    bufs = ngx_pcalloc(r->pool, n * sizeof(ngx_buf_t));
    if (bufs == NULL) {
        return NGX_ERROR;
    }

    while (*chain != NULL) {
        chain = &(*chain)->next;
    }

    len = 0;

    for (i = 0; i < n; i++) {
        bufs[i].pos = (u_char *) pieces[i].data;
        bufs[i].last = bufs[i].pos + pieces[i].len;
        bufs[i].memory = 1;
        len += pieces[i].len;

        if (pieces[i].len == 0) {
            continue;
        }

        cl = ngx_alloc_chain_link(r->pool);
        if (cl == NULL) {
            return NGX_ERROR;
        }

        cl->buf = &bufs[i];
        cl->next = NULL;
        *chain = cl;
        chain = &cl->next;
    }

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);

    if (ctx != NULL && pieces == ctx->op.pieces) {
        ctx->bufs = bufs;
        ctx->unsent = len;
    }

    return NGX_OK;
}


void
ngx_http_prompt_unsent_sent(ngx_http_prompt_ctx_t *ctx)
{
    ngx_buf_t                 *buf;
    ngx_http_prompt_worker_t  *worker;

    while (ctx->bufs != NULL && ctx->nsent < ctx->op.npieces) {
        buf = &ctx->bufs[ctx->nsent];

        if (buf->pos != buf->last) {
            break;
        }

        ctx->unsent -= ctx->op.pieces[ctx->nsent].len;
        free((char *) ctx->op.pieces[ctx->nsent++].data);
    }

    if (ctx->events != NULL) {
        ctx->op.more = ngx_http_prompt_event_stream_bytes(ctx->events);
    }

    /* a finished answer waits for hooks, and its operation has claimed it */

    if (ctx->bufs == NULL && ctx->op.npieces != 0) {
        return;
    }

    worker = ngx_http_prompt_get_worker(ctx->op.job.request);

    /* one that memory is not there for is sent, and counted next time */

    (void) ngx_http_prompt_answers_set(worker->answers, &ctx->op.job.claim,
                                       &ctx->op.job.identity,
                                       ctx->unsent + ctx->op.more, 0);
}
