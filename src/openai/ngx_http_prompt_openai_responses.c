/*
 * Answers of responses, whole and as events.
 *
 *     created, in_progress             with the first text, or with the end
 *     output_item.added (message), content_part.added, output_text.delta …
 *     output_text.done, content_part.done, output_item.done
 *     function_call, reasoning         each added and done
 *     completed, incomplete or failed
 *
 * What has to go back to the provider is an item of reasoning, the last one:
 * its encrypted_content is what ..._items.c finds there.
 */

#include "openai/ngx_http_prompt_openai_impl.h"


static void ngx_http_prompt_openai_response_event(
    ngx_http_prompt_openai_request_t *rq, const char *type, prompt_buf_t *out);
static void ngx_http_prompt_openai_response_head(
    const ngx_http_prompt_openai_request_t *rq, const char *status,
    prompt_str_t model, prompt_buf_t *out);
static void ngx_http_prompt_openai_response_object(
    const ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);
static void ngx_http_prompt_openai_response_part(prompt_str_t text,
    bool refusal, prompt_buf_t *out);
static void ngx_http_prompt_openai_response_message(
    const ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);
static void ngx_http_prompt_openai_response_call(
    const ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_call_t *call, ngx_uint_t n, bool whole,
    prompt_buf_t *out);
static void ngx_http_prompt_openai_response_reasoning(
    const ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);
static void ngx_http_prompt_openai_response_usage(
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);
static void ngx_http_prompt_openai_response_text_begin(
    ngx_http_prompt_openai_request_t *rq, prompt_buf_t *out);
static void ngx_http_prompt_openai_response_text_end(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out);
static void ngx_http_prompt_openai_response_calls(
    ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, ngx_uint_t index,
    prompt_buf_t *out);


const ngx_http_prompt_event_form_t  ngx_http_prompt_openai_response_events = {
    prompt_str_init("event: "),
    prompt_str_init("\n\n")
};


/* the beginning of an event behind others, as the form has it for the first */

static void
ngx_http_prompt_openai_response_event(ngx_http_prompt_openai_request_t *rq,
    const char *type, prompt_buf_t *out)
{
    prompt_str_t  name;

    name = prompt_str_from(type);

    if (out->len != 0) {
        prompt_buf_literal(out, "\n\nevent: ");
    }

    prompt_buf_str(out, name);
    prompt_buf_literal(out, "\ndata: {\"type\":\"");
    prompt_buf_str(out, name);
    prompt_buf_literal(out, "\",\"sequence_number\":");
    prompt_buf_int(out, (int64_t) rq->sequence++);
}


static void
ngx_http_prompt_openai_response_id(const ngx_http_prompt_openai_request_t *rq,
    const char *prefix, prompt_buf_t *out)
{
    prompt_buf_char(out, '"');
    prompt_buf_str(out, prompt_str_from(prefix));
    prompt_buf_append(out, rq->id, sizeof(rq->id));
    prompt_buf_char(out, '"');
}


/* up to what it says */

static void
ngx_http_prompt_openai_response_head(
    const ngx_http_prompt_openai_request_t *rq, const char *status,
    prompt_str_t model, prompt_buf_t *out)
{
    prompt_buf_literal(out, "{\"id\":");
    ngx_http_prompt_openai_response_id(rq, "resp_", out);
    prompt_buf_literal(out, ",\"object\":\"response\",\"created_at\":");
    prompt_buf_int(out, (int64_t) rq->created);
    prompt_buf_literal(out, ",\"status\":\"");
    prompt_buf_str(out, prompt_str_from(status));
    prompt_buf_literal(out, "\",\"model\":");
    prompt_buf_str(out, model);
    prompt_buf_str(out, rq->echo);
}


/* one that is not over */

static void
ngx_http_prompt_openai_response_open(
    const ngx_http_prompt_openai_request_t *rq, prompt_str_t model,
    prompt_buf_t *out)
{
    ngx_http_prompt_openai_response_head(rq, "in_progress", model, out);
    prompt_buf_literal(out, ",\"error\":null,\"incomplete_details\":null,"
                            "\"output\":[],\"usage\":null}");
}


static void
ngx_http_prompt_openai_response_object(
    const ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    size_t                          n;
    ngx_uint_t                      i;
    prompt_json_scan_t              scan;
    ngx_http_prompt_openai_call_t   call;

    ngx_http_prompt_openai_response_head(rq,
                                         result->cut || result->filtered
                                         ? "incomplete" : "completed",
                                         result->model, out);

    prompt_buf_literal(out, ",\"error\":null,\"incomplete_details\":");
    prompt_buf_str(out, result->cut
                        ? prompt_str("{\"reason\":\"max_output_tokens\"}")
                        : result->filtered
                        ? prompt_str("{\"reason\":\"content_filter\"}")
                        : prompt_str("null"));
    prompt_buf_literal(out, ",\"output\":[");
    n = out->len;

    if (result->content.data != NULL || result->refusal.data != NULL) {
        ngx_http_prompt_openai_response_message(rq, result, out);
    }

    ngx_memzero(&scan, sizeof(prompt_json_scan_t));

    for (i = 0; ngx_http_prompt_openai_call(result, &scan, &call); i++) {
        prompt_buf_str(out, out->len != n ? prompt_str(",") : prompt_str(""));
        ngx_http_prompt_openai_response_call(rq, &call, i, true, out);
    }

    if (result->provider.data != NULL) {
        prompt_buf_str(out, out->len != n ? prompt_str(",") : prompt_str(""));
        ngx_http_prompt_openai_response_reasoning(rq, result, out);
    }

    prompt_buf_literal(out, "],");
    ngx_http_prompt_openai_response_usage(result, out);
    prompt_buf_char(out, ',');
    ngx_http_prompt_openai_execution(result, out);
    prompt_buf_char(out, '}');
}


void
ngx_http_prompt_openai_response(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    ngx_http_prompt_openai_response_object(rq, result, out);
}


static void
ngx_http_prompt_openai_response_part(prompt_str_t text, bool refusal,
    prompt_buf_t *out)
{
    prompt_buf_str(out, refusal
                        ? prompt_str("{\"type\":\"refusal\",\"refusal\":")
                        : prompt_str("{\"type\":\"output_text\","
                                     "\"annotations\":[],\"logprobs\":[],"
                                     "\"text\":"));
    prompt_buf_str(out, text);
    prompt_buf_char(out, '}');
}


static void
ngx_http_prompt_openai_response_message(
    const ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    bool  refusal;

    refusal = result->refusal.data != NULL;

    prompt_buf_literal(out, "{\"id\":");
    ngx_http_prompt_openai_response_id(rq, "msg_", out);
    prompt_buf_literal(out, ",\"type\":\"message\",\"role\":\"assistant\","
                            "\"status\":\"");
    prompt_buf_str(out, result->cut ? prompt_str("incomplete")
                                    : prompt_str("completed"));
    prompt_buf_literal(out, "\",\"content\":[");
    ngx_http_prompt_openai_response_part(refusal ? result->refusal
                                                 : result->content,
                                         refusal, out);
    prompt_buf_literal(out, "]}");
}


static void
ngx_http_prompt_openai_response_call(
    const ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_call_t *call, ngx_uint_t n, bool whole,
    prompt_buf_t *out)
{
    prompt_buf_printf(out, "{\"id\":\"fc_%.*s_%u\",\"type\":\"function_call\","
                      "\"status\":\"%s\",\"call_id\":", (int) sizeof(rq->id),
                      rq->id, (unsigned) n,
                      whole ? "completed" : "in_progress");
    prompt_buf_str(out, call->id);
    prompt_buf_literal(out, ",\"name\":");
    prompt_buf_str(out, call->name);
    prompt_buf_literal(out, ",\"arguments\":");
    prompt_buf_str(out, whole ? call->arguments : prompt_str("\"\""));
    prompt_buf_char(out, '}');
}


static void
ngx_http_prompt_openai_response_reasoning(
    const ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    prompt_buf_literal(out, "{\"id\":");
    ngx_http_prompt_openai_response_id(rq, "rs_", out);
    prompt_buf_literal(out, ",\"type\":\"reasoning\",\"summary\":[],"
                            "\"encrypted_content\":");
    prompt_json_write_string(out, result->provider);
    prompt_buf_char(out, '}');
}


/* Null where the provider did not say; a part that it did not name is 0. */

static void
ngx_http_prompt_openai_response_usage(
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    int64_t                 in, answered;
    static const prompt_str_t  none = prompt_str_init("0");

    if (result->in.data == NULL || result->out.data == NULL) {
        prompt_buf_literal(out, "\"usage\":null");
        return;
    }

    in = ngx_atosz((u_char *) result->in.data, result->in.len);
    answered = ngx_atosz((u_char *) result->out.data, result->out.len);

    prompt_buf_literal(out, "\"usage\":{\"input_tokens\":");
    prompt_buf_int(out, in);
    prompt_buf_literal(out, ",\"input_tokens_details\":{\"cached_tokens\":");
    prompt_buf_str(out, result->cached.data != NULL ? result->cached : none);
    prompt_buf_literal(out, ",\"cache_write_tokens\":");
    prompt_buf_str(out, result->cache_write.data != NULL ? result->cache_write
                                                         : none);
    prompt_buf_literal(out, "},\"output_tokens\":");
    prompt_buf_int(out, answered);
    prompt_buf_literal(out, ",\"output_tokens_details\":"
                            "{\"reasoning_tokens\":");
    prompt_buf_str(out, result->reasoning.data != NULL ? result->reasoning
                                                       : none);
    prompt_buf_literal(out, "},\"total_tokens\":");
    prompt_buf_int(out, in + answered);
    prompt_buf_char(out, '}');
}


/* Without text yet: an answer may have none, but calls of tools. */

void
ngx_http_prompt_openai_response_begin(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t model, prompt_buf_t *out)
{
    static const char *const  types[] = {
        "response.created", "response.in_progress"
    };

    ngx_uint_t  i;

    for (i = 0; i < 2; i++) {
        ngx_http_prompt_openai_response_event(rq, types[i], out);
        prompt_buf_literal(out, ",\"response\":");
        ngx_http_prompt_openai_response_open(rq, model, out);
        prompt_buf_char(out, '}');
    }
}


/* the place of a part in the output, as its events name it */

static void
ngx_http_prompt_openai_response_place(
    const ngx_http_prompt_openai_request_t *rq, prompt_buf_t *out)
{
    prompt_buf_literal(out, ",\"item_id\":");
    ngx_http_prompt_openai_response_id(rq, "msg_", out);
    prompt_buf_literal(out, ",\"output_index\":0,\"content_index\":0");
}


static void
ngx_http_prompt_openai_response_text_begin(
    ngx_http_prompt_openai_request_t *rq, prompt_buf_t *out)
{
    ngx_http_prompt_openai_response_event(rq, "response.output_item.added",
                                          out);
    prompt_buf_literal(out, ",\"output_index\":0,\"item\":{\"id\":");
    ngx_http_prompt_openai_response_id(rq, "msg_", out);
    prompt_buf_literal(out, ",\"type\":\"message\",\"role\":\"assistant\","
                            "\"status\":\"in_progress\",\"content\":[]}}");

    ngx_http_prompt_openai_response_event(rq, "response.content_part.added",
                                          out);
    ngx_http_prompt_openai_response_place(rq, out);
    prompt_buf_literal(out, ",\"part\":");
    ngx_http_prompt_openai_response_part(prompt_str("\"\""), false, out);
    prompt_buf_char(out, '}');
}


ngx_int_t
ngx_http_prompt_openai_response_delta(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text)
{
    ngx_int_t      rc;
    prompt_buf_t   out;
    prompt_str_t   pieces[3];

    prompt_buf_init(&out, NGX_HTTP_PROMPT_OPENAI_ANSWER);

    if (!rq->said) {
        ngx_http_prompt_openai_response_text_begin(rq, &out);
    }

    ngx_http_prompt_openai_response_event(rq, "response.output_text.delta",
                                          &out);
    ngx_http_prompt_openai_response_place(rq, &out);
    prompt_buf_literal(&out, ",\"logprobs\":[],\"delta\":");

    pieces[0] = prompt_buf_view(&out);
    pieces[1] = text;
    pieces[2] = prompt_str("}");

    rc = out.status == PROMPT_BUF_OK
         ? ngx_http_prompt_event_stream_next(rq->ctx->events, pieces, 3)
         : NGX_ERROR;

    prompt_buf_free(&out);

    return rc;
}


/* A refusal was told as text, since what it is is known at its end. */

static void
ngx_http_prompt_openai_response_text_end(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    bool          refusal;
    prompt_str_t  text;

    refusal = result->refusal.data != NULL;
    text = refusal ? result->refusal : result->content;

    if (!rq->said) {
        ngx_http_prompt_openai_response_text_begin(rq, out);

        if (text.len > 2) {
            ngx_http_prompt_openai_response_event(rq,
                                          "response.output_text.delta", out);
            ngx_http_prompt_openai_response_place(rq, out);
            prompt_buf_literal(out, ",\"logprobs\":[],\"delta\":");
            prompt_buf_str(out, text);
            prompt_buf_char(out, '}');
        }
    }

    ngx_http_prompt_openai_response_event(rq, "response.output_text.done",
                                          out);
    ngx_http_prompt_openai_response_place(rq, out);
    prompt_buf_literal(out, ",\"logprobs\":[],\"text\":");
    prompt_buf_str(out, text);
    prompt_buf_char(out, '}');

    ngx_http_prompt_openai_response_event(rq, "response.content_part.done",
                                          out);
    ngx_http_prompt_openai_response_place(rq, out);
    prompt_buf_literal(out, ",\"part\":");
    ngx_http_prompt_openai_response_part(text, refusal, out);
    prompt_buf_char(out, '}');

    ngx_http_prompt_openai_response_event(rq, "response.output_item.done",
                                          out);
    prompt_buf_literal(out, ",\"output_index\":0,\"item\":");
    ngx_http_prompt_openai_response_message(rq, result, out);
    prompt_buf_char(out, '}');
}


static void
ngx_http_prompt_openai_response_calls(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, ngx_uint_t index,
    prompt_buf_t *out)
{
    ngx_uint_t                      i, done;
    prompt_json_scan_t              scan;
    ngx_http_prompt_openai_call_t   call;

    static const struct {
        const char  *type;
        const char  *member;
    } events[] = {
        { "response.function_call_arguments.delta", "delta" },
        { "response.function_call_arguments.done", "arguments" }
    };

    ngx_memzero(&scan, sizeof(prompt_json_scan_t));

    for (i = 0; ngx_http_prompt_openai_call(result, &scan, &call); i++) {
        ngx_http_prompt_openai_response_event(rq, "response.output_item.added",
                                              out);
        prompt_buf_printf(out, ",\"output_index\":%u,\"item\":",
                          (unsigned) index);
        ngx_http_prompt_openai_response_call(rq, &call, i, false, out);
        prompt_buf_char(out, '}');

        for (done = 0; done < 2; done++) {
            ngx_http_prompt_openai_response_event(rq, events[done].type, out);
            prompt_buf_printf(out, ",\"item_id\":\"fc_%.*s_%u\","
                              "\"output_index\":%u,", (int) sizeof(rq->id),
                              rq->id, (unsigned) i, (unsigned) index);

            if (done) {
                prompt_buf_literal(out, "\"name\":");
                prompt_buf_str(out, call.name);
                prompt_buf_char(out, ',');
            }

            prompt_buf_printf(out, "\"%s\":", events[done].member);
            prompt_buf_str(out, call.arguments);
            prompt_buf_char(out, '}');
        }

        ngx_http_prompt_openai_response_event(rq, "response.output_item.done",
                                              out);
        prompt_buf_printf(out, ",\"output_index\":%u,\"item\":",
                          (unsigned) index++);
        ngx_http_prompt_openai_response_call(rq, &call, i, true, out);
        prompt_buf_char(out, '}');
    }

    for (done = 0; result->provider.data != NULL && done < 2; done++) {
        ngx_http_prompt_openai_response_event(rq,
                                              done
                                              ? "response.output_item.done"
                                              : "response.output_item.added",
                                              out);
        prompt_buf_printf(out, ",\"output_index\":%u,\"item\":",
                          (unsigned) index);
        ngx_http_prompt_openai_response_reasoning(rq, result, out);
        prompt_buf_char(out, '}');
    }
}


void
ngx_http_prompt_openai_response_end(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_result_t *result, prompt_buf_t *out)
{
    ngx_uint_t  text;

    text = result->content.data != NULL || result->refusal.data != NULL;

    if (text) {
        ngx_http_prompt_openai_response_text_end(rq, result, out);
    }

    ngx_http_prompt_openai_response_calls(rq, result, text, out);

    ngx_http_prompt_openai_response_event(rq,
                                          result->cut || result->filtered
                                          ? "response.incomplete"
                                          : "response.completed", out);
    prompt_buf_literal(out, ",\"response\":");
    ngx_http_prompt_openai_response_object(rq, result, out);
    prompt_buf_char(out, '}');
}


/* a response that was begun fails; else there is nothing but the error */

void
ngx_http_prompt_openai_response_fail(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_error_t *error, prompt_buf_t *out)
{
    ngx_http_prompt_openai_response_event(rq, rq->begun ? "response.failed"
                                                        : "error", out);
    if (rq->begun) {
        prompt_buf_literal(out, ",\"response\":");
        ngx_http_prompt_openai_response_head(rq, "failed", rq->model, out);
        prompt_buf_literal(out, ",\"incomplete_details\":null,\"output\":[],"
                                "\"usage\":null,\"error\":{\"code\":\"");
        prompt_buf_str(out, prompt_str_from(
                                ngx_http_prompt_openai_error_type(error)));
        prompt_buf_literal(out, "\",\"message\":");
        prompt_json_write_string(out, error->message);
        prompt_buf_literal(out, "}}}");
        return;
    }

    prompt_buf_literal(out, ",\"code\":\"");
    prompt_buf_str(out, prompt_str_from(
                            ngx_http_prompt_openai_error_type(error)));
    prompt_buf_literal(out, "\",\"param\":null,\"message\":");
    prompt_json_write_string(out, error->message);
    prompt_buf_char(out, '}');
}
