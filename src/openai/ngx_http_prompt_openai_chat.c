/*
 * Answers of chat completions, whole and as chunks.
 */

#include "openai/ngx_http_prompt_openai_impl.h"


static void ngx_http_prompt_openai_chat_head(
    const ngx_http_prompt_openai_request_t *rq, const char *object,
    prompt_str_t model, prompt_buf_t *out);
static void ngx_http_prompt_openai_chat_chunk(
    const ngx_http_prompt_openai_request_t *rq, prompt_buf_t *out);
static const char *ngx_http_prompt_openai_chat_finish(
    const ngx_http_prompt_openai_result_t *result);
static void ngx_http_prompt_openai_chat_usage(
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);
static void ngx_http_prompt_openai_chat_calls(
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);


const ngx_http_prompt_event_form_t  ngx_http_prompt_openai_chat_events = {
    prompt_str_init("data: "),
    prompt_str_init("\n\ndata: [DONE]\n\n")
};


/* up to what stands in the array of choices */

static void
ngx_http_prompt_openai_chat_head(const ngx_http_prompt_openai_request_t *rq,
    const char *object, prompt_str_t model, prompt_buf_t *out)
{
    prompt_buf_literal(out, "{\"id\":\"chatcmpl-");
    prompt_buf_append(out, rq->id, sizeof(rq->id));
    prompt_buf_literal(out, "\",\"object\":\"");
    prompt_buf_str(out, prompt_str_from(object));
    prompt_buf_literal(out, "\",\"created\":");
    prompt_buf_int(out, (int64_t) rq->created);
    prompt_buf_literal(out, ",\"model\":");
    prompt_buf_str(out, model);
    prompt_buf_literal(out, ",\"choices\":[");
}


static const char *
ngx_http_prompt_openai_chat_finish(
    const ngx_http_prompt_openai_result_t *result)
{
    return result->cut ? "length"
           : result->filtered ? "content_filter"
           : result->calls.data != NULL ? "tool_calls" : "stop";
}


static prompt_str_t
ngx_http_prompt_openai_or(prompt_str_t value, const char *other)
{
    return value.data != NULL ? value : prompt_str_from(other);
}


/* Null where the provider did not say; a part that it did not name is 0. */

static void
ngx_http_prompt_openai_chat_usage(
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    int64_t  in, answered;

    if (result->in.data == NULL || result->out.data == NULL) {
        prompt_buf_literal(out, "\"usage\":null");
        return;
    }

    in = ngx_atosz((u_char *) result->in.data, result->in.len);
    answered = ngx_atosz((u_char *) result->out.data, result->out.len);

    prompt_buf_literal(out, "\"usage\":{\"prompt_tokens\":");
    prompt_buf_int(out, in);
    prompt_buf_literal(out, ",\"completion_tokens\":");
    prompt_buf_int(out, answered);
    prompt_buf_literal(out, ",\"total_tokens\":");
    prompt_buf_int(out, in + answered);
    prompt_buf_literal(out, ",\"prompt_tokens_details\":{\"cached_tokens\":");
    prompt_buf_str(out, ngx_http_prompt_openai_or(result->cached, "0"));
    prompt_buf_literal(out, ",\"cache_write_tokens\":");
    prompt_buf_str(out, ngx_http_prompt_openai_or(result->cache_write, "0"));
    prompt_buf_literal(out, "},\"completion_tokens_details\":"
                            "{\"reasoning_tokens\":");
    prompt_buf_str(out, ngx_http_prompt_openai_or(result->reasoning, "0"));
    prompt_buf_literal(out, "}}");
}


void
ngx_http_prompt_openai_chat(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    ngx_http_prompt_openai_chat_head(rq, "chat.completion", result->model,
                                     out);

    prompt_buf_literal(out, "{\"index\":0,\"message\":"
                            "{\"role\":\"assistant\",\"content\":");
    prompt_buf_str(out, ngx_http_prompt_openai_or(result->content, "null"));
    prompt_buf_literal(out, ",\"refusal\":");
    prompt_buf_str(out, ngx_http_prompt_openai_or(result->refusal, "null"));

    if (result->calls.data != NULL) {
        prompt_buf_literal(out, ",\"tool_calls\":");
        prompt_buf_str(out, result->calls);
    }

    if (result->provider.data != NULL) {
        prompt_buf_literal(out, ",\"provider\":");
        prompt_buf_str(out, result->provider);
    }

    prompt_buf_literal(out, "},\"logprobs\":null,\"finish_reason\":\"");
    prompt_buf_str(out, prompt_str_from(
                            ngx_http_prompt_openai_chat_finish(result)));
    prompt_buf_literal(out, "\"}],");
    ngx_http_prompt_openai_chat_usage(result, out);
    prompt_buf_char(out, ',');
    ngx_http_prompt_openai_execution(result, out);
    prompt_buf_char(out, '}');
}


/* the beginning of a chunk behind others, as the form has it for the first */

static void
ngx_http_prompt_openai_chat_chunk(const ngx_http_prompt_openai_request_t *rq,
    prompt_buf_t *out)
{
    if (out->len != 0) {
        prompt_buf_literal(out, "\n\ndata: ");
    }

    prompt_buf_str(out, rq->head);
}


/* The role; what stands around each delta is the same from here on. */

void
ngx_http_prompt_openai_chat_begin(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t model, prompt_buf_t *out)
{
    char          *copy;
    ngx_pool_t    *pool;
    prompt_buf_t   head;

    pool = rq->ctx->op.job.request->pool;
    prompt_buf_init(&head, NGX_HTTP_PROMPT_OPENAI_ANSWER);

    ngx_http_prompt_openai_chat_head(rq, "chat.completion.chunk", model,
                                     &head);
    prompt_buf_literal(&head, "{\"index\":0,\"delta\":{");

    copy = head.status == PROMPT_BUF_OK ? ngx_pnalloc(pool, head.len) : NULL;

    if (copy == NULL) {
        prompt_buf_free(&head);
        prompt_buf_free(out);
        out->status = PROMPT_BUF_NOMEM;
        return;
    }

    ngx_memcpy(copy, head.data, head.len);
    rq->head = prompt_str_of(copy, head.len);
    prompt_buf_free(&head);

    rq->tail = rq->usage ? prompt_str("},\"logprobs\":null,\"finish_reason\":"
                                      "null}],\"usage\":null}")
                         : prompt_str("},\"logprobs\":null,\"finish_reason\":"
                                      "null}]}");

    ngx_http_prompt_openai_chat_chunk(rq, out);
    prompt_buf_literal(out, "\"role\":\"assistant\",\"content\":\"\","
                            "\"refusal\":null");
    prompt_buf_str(out, rq->tail);
}


ngx_int_t
ngx_http_prompt_openai_chat_delta(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text)
{
    prompt_str_t  pieces[4];

    pieces[0] = rq->head;
    pieces[1] = prompt_str("\"content\":");
    pieces[2] = text;
    pieces[3] = rq->tail;

    return ngx_http_prompt_event_stream_next(rq->ctx->events, pieces, 4);
}


/* each call in one piece */

static void
ngx_http_prompt_openai_chat_calls(
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    ngx_uint_t                      i;
    prompt_json_scan_t              scan;
    ngx_http_prompt_openai_call_t   call;

    ngx_memzero(&scan, sizeof(prompt_json_scan_t));

    for (i = 0; ngx_http_prompt_openai_call(result, &scan, &call); i++) {
        prompt_buf_str(out, i == 0 ? prompt_str("\"tool_calls\":[")
                                   : prompt_str(","));
        prompt_buf_literal(out, "{\"index\":");
        prompt_buf_int(out, (int64_t) i);
        prompt_buf_literal(out, ",\"id\":");
        prompt_buf_str(out, call.id);
        prompt_buf_literal(out, ",\"type\":\"function\",\"function\":"
                                "{\"name\":");
        prompt_buf_str(out, call.name);
        prompt_buf_literal(out, ",\"arguments\":");
        prompt_buf_str(out, call.arguments);
        prompt_buf_literal(out, "}}");
    }

    prompt_buf_char(out, ']');
}


/*
 * What was not told yet, the calls of tools, why it ended, and usage where that
 * was asked for.  What has to go back to the provider is the last delta.
 */

void
ngx_http_prompt_openai_chat_end(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    prompt_str_t  text;

    text = result->refusal.data != NULL ? result->refusal : result->content;

    if (!rq->said && text.len > 2) {
        ngx_http_prompt_openai_chat_chunk(rq, out);
        prompt_buf_str(out, result->refusal.data != NULL
                            ? prompt_str("\"refusal\":")
                            : prompt_str("\"content\":"));
        prompt_buf_str(out, text);
        prompt_buf_str(out, rq->tail);
    }

    if (result->calls.data != NULL) {
        ngx_http_prompt_openai_chat_chunk(rq, out);
        ngx_http_prompt_openai_chat_calls(result, out);
        prompt_buf_str(out, rq->tail);
    }

    ngx_http_prompt_openai_chat_chunk(rq, out);

    if (result->provider.data != NULL) {
        prompt_buf_literal(out, "\"provider\":");
        prompt_buf_str(out, result->provider);
    }

    prompt_buf_literal(out, "},\"logprobs\":null,\"finish_reason\":\"");
    prompt_buf_str(out, prompt_str_from(
                            ngx_http_prompt_openai_chat_finish(result)));
    prompt_buf_str(out, rq->usage ? prompt_str("\"}],\"usage\":null,")
                                  : prompt_str("\"}],"));
    ngx_http_prompt_openai_execution(result, out);
    prompt_buf_char(out, '}');

    if (rq->usage) {
        prompt_buf_literal(out, "\n\ndata: ");
        ngx_http_prompt_openai_chat_head(rq, "chat.completion.chunk",
                                         result->model, out);
        prompt_buf_literal(out, "],");
        ngx_http_prompt_openai_chat_usage(result, out);
        prompt_buf_char(out, '}');
    }
}


void
ngx_http_prompt_openai_chat_fail(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_error_t *error, prompt_buf_t *out)
{
    (void) rq;

    ngx_http_prompt_openai_error_write(error, out);
}
