/*
 * Streams: events of the operation as those of OpenAI's API.
 *
 * The header goes out with the first text, so that what fails before has a
 * status of its own; or with a comment, where the model says nothing for long.
 * What is told again (Idempotency-Key) is told when its end is known, which
 * names the execution.
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "http/ngx_http_prompt_response.h"
#include "http/ngx_http_prompt_unsent.h"
#include "service/call/stream.h"


static ngx_int_t ngx_http_prompt_openai_asked(
    ngx_http_prompt_openai_request_t *rq);
static ngx_int_t ngx_http_prompt_openai_first(
    ngx_http_prompt_openai_request_t *rq);


/* The provider is being asked: the execution has an id. */

static ngx_int_t
ngx_http_prompt_openai_asked(ngx_http_prompt_openai_request_t *rq)
{
    char                    text[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t           id;
    ngx_http_prompt_job_t  *job;

    job = &rq->ctx->op.job;

    ngx_memcpy(id.bytes, job->roots[0].id.data, sizeof(id.bytes));
    prompt_uuid_format(&id, text);
    ngx_http_prompt_openai_take_id(rq, prompt_str_of(text, sizeof(text)));

    return ngx_http_prompt_openai_identify(rq->ctx,
                                           prompt_str_of(text, sizeof(text)));
}


/* what stands before all text; the model is the one that is asked */

static ngx_int_t
ngx_http_prompt_openai_first(ngx_http_prompt_openai_request_t *rq)
{
    char          *copy;
    ngx_int_t      rc;
    prompt_str_t   piece;
    prompt_buf_t   model, out;

    prompt_buf_init(&model, NGX_HTTP_PROMPT_OPENAI_ANSWER);
    prompt_buf_init(&out, NGX_HTTP_PROMPT_OPENAI_ANSWER);

    rc = NGX_ERROR;
    prompt_json_write_string(&model, rq->ctx->op.job.model);
    copy = ngx_pnalloc(rq->ctx->op.job.request->pool, model.len + 1);

    if (model.status == PROMPT_BUF_OK && copy != NULL) {
        ngx_memcpy(copy, model.data, model.len);
        rq->model = prompt_str_of(copy, model.len);

        rq->route->begin(rq, rq->model, &out);
        piece = prompt_buf_view(&out);
        rq->begun = 1;

        rc = out.status == PROMPT_BUF_OK
             ? ngx_http_prompt_event_stream_next(rq->ctx->events, &piece, 1)
             : NGX_ERROR;
    }

    prompt_buf_free(&model);
    prompt_buf_free(&out);

    return rc;
}


/* {"data":{"e":{"delta":"…","result":null}}}, as the document has it */

ngx_int_t
ngx_http_prompt_openai_event(void *caller, const prompt_str_t *pieces,
    size_t n)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    ngx_int_t                          rc;
    prompt_str_t                       text;
    prompt_json_scan_t                 scan;
    ngx_http_prompt_openai_request_t  *rq;

    static const prompt_str_t  before =
        prompt_str_init("{\"data\":{\"e\":{\"delta\":");

    rq = ctx->data;

    if (n == 0) {
        return ngx_http_prompt_openai_asked(rq);
    }

    if (ctx->op.replayed) {
        return NGX_OK;
    }

    if (pieces[0].len < before.len
        || ngx_memcmp(pieces[0].data, before.data, before.len) != 0
        || (!rq->begun && ngx_http_prompt_openai_first(rq) == NGX_ERROR))
    {
        return NGX_ERROR;
    }

    prompt_json_scan_init(&scan,
                          prompt_str_of(pieces[0].data + before.len,
                                        pieces[0].len - before.len), 1);
    text = ngx_http_prompt_openai_raw(&scan);

    rc = scan.error.status == PROMPT_JSON_OK ? rq->route->delta(rq, text)
                                             : NGX_ERROR;
    rq->said = 1;

    return rc;
}


void
ngx_http_prompt_openai_writable(void *caller)
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


/* Text that was not told yet is, where there is some, and the end. */

void
ngx_http_prompt_openai_stream_end(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result)
{
    ngx_int_t               rc;
    prompt_buf_t            out;
    ngx_http_request_t     *r;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = rq->ctx;
    r = ctx->op.job.request;

    ngx_http_prompt_openai_take_id(rq, result->id);
    prompt_buf_init(&out, NGX_HTTP_PROMPT_OPENAI_ANSWER);

    if (!rq->begun) {
        rq->route->begin(rq, result->model, &out);
    }

    rq->route->end(rq, result, &out);

    if (ngx_http_prompt_openai_identify(ctx, result->id) != NGX_OK
        || ngx_http_prompt_add_replayed(ctx) != NGX_OK
        || ngx_http_prompt_operation_rewrite(&ctx->op, &out) != NGX_OK)
    {
        ngx_http_prompt_fail(r);
        return;
    }

    ctx->answered = 1;
    rc = ngx_http_prompt_event_stream_end(r, rq->route->form, ctx->events,
                                          ctx->op.pieces, ctx->op.npieces);

    ngx_http_prompt_unsent_sent(ctx);
    ngx_http_finalize_request(r, rc);
}


/* an error with a status, or, where the header went out, as the last event */

void
ngx_http_prompt_openai_stream_fail(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_error_t *error)
{
    ngx_int_t               rc;
    prompt_buf_t            out;
    ngx_http_request_t     *r;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = rq->ctx;
    r = ctx->op.job.request;

    if (!r->header_sent) {
        ngx_http_prompt_event_stream_cancel(ctx->events);
        ngx_http_finalize_request(r,
                             ngx_http_prompt_openai_error_send(ctx, error));
        return;
    }

    prompt_buf_init(&out, NGX_HTTP_PROMPT_OPENAI_ANSWER);
    rq->route->fail(rq, error, &out);

    if (ngx_http_prompt_operation_rewrite(&ctx->op, &out) != NGX_OK) {
        ngx_http_prompt_fail(r);
        return;
    }

    ctx->answered = 1;
    rc = ngx_http_prompt_event_stream_end(r, rq->route->form, ctx->events,
                                          ctx->op.pieces, ctx->op.npieces);

    ngx_http_prompt_unsent_sent(ctx);
    ngx_http_finalize_request(r, rc);
}
