/*
 * Streams: events of the operation as those of OpenAI's API.
 *
 * The header goes out with the first text, so that what fails before has a
 * status of its own; or with a comment, where the model says nothing for long.
 * What is told again (Idempotency-Key) is told when its end is known, which
 * names the execution.
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "base/uuid.h"
#include "http/ngx_http_prompt_response.h"
#include "http/ngx_http_prompt_unsent.h"
#include "service/call/stream.h"


/* The provider is being asked: the execution has an id. */

static ngx_int_t
openai_asked(openai_request_t *rq)
{
    char           text[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t  id;

    ngx_memcpy(id.bytes, rq->ctx->op.job.roots[0].id.data, sizeof(id.bytes));
    prompt_uuid_format(&id, text);
    openai_take_id(rq, prompt_str_of(text, sizeof(text)));

    return openai_identify(rq->ctx, rq->id);
}


/* {"data":{"e":{"delta":"…","result":null}}}, as the document has it */

ngx_int_t
openai_event(void *caller, const prompt_str_t *pieces, size_t n)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    ngx_int_t            rc;
    prompt_str_t         parts[3];
    prompt_buf_t         out;
    openai_request_t    *rq;
    prompt_json_scan_t   scan;

    static const prompt_str_t  before =
        prompt_str_init("{\"data\":{\"e\":{\"delta\":");

    rq = ctx->data;

    if (n == 0) {
        return openai_asked(rq);
    }

    if (ctx->op.replayed) {
        return NGX_OK;
    }

    if (pieces[0].len < before.len
        || ngx_memcmp(pieces[0].data, before.data, before.len) != 0)
    {
        return NGX_ERROR;
    }

    prompt_json_scan_init(&scan,
                          prompt_str_of(pieces[0].data + before.len,
                                        pieces[0].len - before.len), 1);
    parts[1] = openai_raw(&scan);
    prompt_buf_init(&out, OPENAI_ANSWER);

    if (!rq->begun) {
        prompt_json_write_string(&out, ctx->op.job.model);
        rq->v['m'] = openai_kept(rq, &out);
        rq->route->form->begin(rq, &out);
        rq->begun = 1;
    }

    rq->route->form->delta(rq, &out);
    rq->said = 1;

    parts[0] = prompt_buf_view(&out);
    parts[2] = rq->v['z'];

    rc = out.status == PROMPT_BUF_OK && !rq->nomem
         && scan.error.status == PROMPT_JSON_OK
         ? ngx_http_prompt_event_stream_next(ctx->events, parts, 3)
         : NGX_ERROR;

    prompt_buf_free(&out);

    return rc;
}


void
openai_writable(void *caller)
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


/*
 * The last event: text that was not told yet, and the end; or an error, which
 * has a status where the header did not go out.
 */

void
openai_stream_end(openai_request_t *rq, const openai_error_t *error)
{
    ngx_int_t               rc;
    prompt_buf_t            out;
    ngx_http_request_t     *r;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = rq->ctx;
    r = ctx->op.job.request;

    if (error != NULL && !r->header_sent) {
        ngx_http_prompt_event_stream_cancel(ctx->events);
        ngx_http_finalize_request(r, openai_error_send(ctx, error));
        return;
    }

    prompt_buf_init(&out, OPENAI_ANSWER);

    if (error != NULL) {
        rq->route->form->fail(rq, error, &out);

    } else {
        if (!rq->begun) {
            rq->route->form->begin(rq, &out);
        }

        rq->route->form->end(rq, &out);
    }

    if (rq->nomem || ngx_http_prompt_add_replayed(ctx) != NGX_OK
        || openai_identify(ctx, rq->id) != NGX_OK)
    {
        prompt_buf_free(&out);
        ngx_http_prompt_fail(r);
        return;
    }

    if (ngx_http_prompt_operation_rewrite(&ctx->op, &out) != NGX_OK) {
        ngx_http_prompt_fail(r);
        return;
    }

    ctx->answered = 1;
    rc = ngx_http_prompt_event_stream_end(r, &rq->route->form->events,
                                          ctx->events, ctx->op.pieces,
                                          ctx->op.npieces);

    ngx_http_prompt_unsent_sent(ctx);
    ngx_http_finalize_request(r, rc);
}
