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
#include "service/worker.h"


/* of a user's part, what short answers that are being made may need */
#define NGX_HTTP_PROMPT_UNSENT_SPARE  4


static ngx_int_t ngx_http_prompt_unsent_filter(ngx_http_request_t *r,
    ngx_chain_t *in);
static void ngx_http_prompt_unsent_granted(void *data, ngx_uint_t granted);
static void ngx_http_prompt_unsent_count(ngx_http_prompt_ctx_t *ctx);


static ngx_http_output_body_filter_pt  ngx_http_next_body_filter;


ngx_int_t
ngx_http_prompt_unsent_init(ngx_conf_t *cf)
{
    (void) cf;

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
ngx_http_prompt_unsent_begin(ngx_http_prompt_ctx_t *ctx)
{
    size_t                      spare;
    ngx_http_prompt_worker_t   *worker;
    ngx_http_prompt_answers_t  *answers;

    worker = ngx_http_prompt_get_worker(ctx->job.request);
    answers = &worker->answers;
    spare = answers->limit / NGX_HTTP_PROMPT_ANSWERS_SHARE
            / NGX_HTTP_PROMPT_UNSENT_SPARE;

    switch (ngx_http_prompt_answers_reserve(answers, &ctx->job.claim,
                         &ctx->job.identity, spare, 0,
                         ngx_http_prompt_postgres_timeout(worker->postgres),
                         ngx_http_prompt_unsent_granted, ctx))
    {
    case NGX_OK:
        return NGX_DECLINED;

    case NGX_AGAIN:
        return NGX_OK;

    case NGX_BUSY:
        ngx_http_prompt_unsent_refuse(ctx, NGX_HTTP_SERVICE_UNAVAILABLE);
        return NGX_OK;

    default:
        ngx_http_finalize_request(ctx->job.request,
                                  NGX_HTTP_INTERNAL_SERVER_ERROR);
        return NGX_OK;
    }
}


static void
ngx_http_prompt_unsent_granted(void *data, ngx_uint_t granted)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    ngx_connection_t  *c;

    c = ctx->job.request->connection;

    if (granted) {
        ngx_http_prompt_begin(ctx);

    } else {
        ngx_http_prompt_unsent_refuse(ctx, NGX_HTTP_SERVICE_UNAVAILABLE);
    }

    ngx_http_run_posted_requests(c);
}


ngx_int_t
ngx_http_prompt_unsent_check(ngx_http_prompt_ctx_t *ctx)
{
    size_t                     i;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(ctx->job.request);

    ngx_http_prompt_unsent_count(ctx);

    if (ngx_http_prompt_answers_room(&worker->answers, &ctx->job.claim,
                                     &ctx->job.identity, ctx->unsent, 0))
    {
        return NGX_OK;
    }

    for (i = 0; i < ctx->npieces; i++) {
        free((char *) ctx->pieces[i].data);
    }

    ctx->npieces = 0;
    ctx->unsent = 0;

    ngx_http_prompt_unsent_refuse(ctx, NGX_HTTP_OK);

    return NGX_DECLINED;
}


void
ngx_http_prompt_unsent_refuse(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status)
{
    ngx_http_request_t  *r;

    static const prompt_str_t  full =
        prompt_str_init(NGX_HTTP_PROMPT_ANSWERS_FULL);
    static const prompt_str_t  done =
        prompt_str_init("What was asked for was done, but its answer was not "
                        "sent. " NGX_HTTP_PROMPT_ANSWERS_FULL);

    r = ctx->job.request;

    ngx_http_prompt_answers_refused(
        &ngx_http_prompt_get_worker(r)->answers, r->connection->log);

    ngx_http_prompt_refuse(ctx, status, ngx_http_prompt_internal_server_error,
                           ctx->changes && status == NGX_HTTP_OK ? done : full);
}


/* Of an answer that did not go out yet. */

static void
ngx_http_prompt_unsent_count(ngx_http_prompt_ctx_t *ctx)
{
    size_t  i;

    if (ctx->bufs != NULL) {
        return;
    }

    ctx->unsent = 0;

    for (i = 0; i < ctx->npieces; i++) {
        ctx->unsent += ctx->pieces[i].len;
    }
}


ngx_buf_t *
ngx_http_prompt_unsent_bufs(ngx_http_request_t *r, const prompt_str_t *pieces,
    size_t n)
{
    size_t                  i;
    ngx_buf_t              *bufs;
    ngx_http_prompt_ctx_t  *ctx;

    bufs = ngx_pcalloc(r->pool, n * sizeof(ngx_buf_t));
    if (bufs == NULL) {
        return NULL;
    }

    for (i = 0; i < n; i++) {
        bufs[i].pos = (u_char *) pieces[i].data;
        bufs[i].last = bufs[i].pos + pieces[i].len;
        bufs[i].memory = 1;
    }

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);

    if (ctx != NULL && pieces == ctx->pieces) {
        ctx->bufs = bufs;
    }

    return bufs;
}


void
ngx_http_prompt_unsent_sent(ngx_http_prompt_ctx_t *ctx)
{
    size_t                     n;
    ngx_buf_t                 *buf;
    ngx_http_prompt_worker_t  *worker;

    ngx_http_prompt_unsent_count(ctx);

    while (ctx->bufs != NULL && ctx->nsent < ctx->npieces) {
        buf = &ctx->bufs[ctx->nsent];

        if (buf->pos != buf->last) {
            break;
        }

        ctx->unsent -= ctx->pieces[ctx->nsent].len;
        free((char *) ctx->pieces[ctx->nsent++].data);
    }

    n = ctx->unsent;

    if (ctx->events != NULL) {
        n += ngx_http_prompt_event_stream_bytes(ctx->events);
    }

    worker = ngx_http_prompt_get_worker(ctx->job.request);

    /* one that memory is not there for is sent, and counted next time */

    (void) ngx_http_prompt_answers_set(&worker->answers, &ctx->job.claim,
                                       &ctx->job.identity, n, 0);
}
