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
#include "service/frame/root.h"


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

    rq = ctx->data;

    if (n == 0) {
        return openai_asked(rq);
    }

    if (ctx->op.replayed) {
        return NGX_OK;
    }

    prompt_json_scan_init(&scan, pieces[0], 1);

    if (!prompt_json_span_match(&scan, "{\"data\":{\"e\":{\"delta\":$D", rq->v)
        || rq->v['D'].data == NULL)
    {
        return NGX_ERROR;
    }

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
    parts[1] = rq->v['D'];
    parts[2] = rq->v['z'];

    rc = out.status == PROMPT_BUF_OK && !rq->nomem
         ? ngx_http_prompt_event_stream_next(ctx->events, parts, 3)
         : NGX_ERROR;

    prompt_buf_free(&out);

    return rc;
}
