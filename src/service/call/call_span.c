/*
 * The span of an execution.
 *
 * What the request has is gone when the call is over, so the span begins with
 * the call, in the arena of its recording.
 */

#include "service/call/call_impl.h"

#include "base/uuid.h"
#include "io/ngx_http_prompt_timer.h"
#include "service/spans/otlp.h"


/* of messages as JSON: their texts may double by escapes, or more */
#define NGX_HTTP_PROMPT_CALL_SPAN_JSON  (4 * PROMPT_SPAN_CONTENT)


static void ngx_http_prompt_call_span_request(ngx_http_prompt_call_t *call);
static void ngx_http_prompt_call_span_params(ngx_http_prompt_call_t *call);
static void ngx_http_prompt_call_span_stop(ngx_http_prompt_call_t *call,
    const prompt_json_t *stop);
static void ngx_http_prompt_call_span_id(ngx_http_prompt_call_t *call,
    const char *name, prompt_str_t id);
static void ngx_http_prompt_call_span_copy(ngx_http_prompt_call_t *call,
    const char *name, prompt_str_t text);
static void ngx_http_prompt_call_span_known(prompt_span_t *span,
    const char *name, prompt_maybe_t n);
static void ngx_http_prompt_call_span_input(ngx_http_prompt_call_t *call);
static void ngx_http_prompt_call_span_message(prompt_buf_t *buf,
    const prompt_message_t *message, size_t *left);
static void ngx_http_prompt_call_span_output(ngx_http_prompt_call_t *call);
static void ngx_http_prompt_call_span_tools(prompt_buf_t *buf,
    prompt_objects_t calls, ngx_uint_t *parts);
static void ngx_http_prompt_call_span_part(prompt_buf_t *buf,
    prompt_str_t text);
static void ngx_http_prompt_call_span_content(ngx_http_prompt_call_t *call,
    const char *name, prompt_buf_t *buf);
static prompt_str_t ngx_http_prompt_call_span_error(
    ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);


void
ngx_http_prompt_call_span_begin(ngx_http_prompt_call_t *call)
{
    prompt_span_t                  *span;
    const ngx_http_prompt_trace_t  *trace;

    trace = &call->root->job->trace;

    if (call->recording->worker->otlp == NULL
        || call->recording->run.trace_id.data == NULL
        || !trace->context.sampled)
    {
        return;
    }

    span = prompt_arena_zalloc(call->recording->arena, sizeof(prompt_span_t));
    if (span == NULL) {
        return;
    }

    call->span = span;

    ngx_memcpy(span->trace_id, trace->context.trace_id, PROMPT_TRACE_ID_LEN);
    ngx_memcpy(span->span_id, call->span_id, PROMPT_SPAN_ID_LEN);
    ngx_memcpy(span->parent_id, trace->span_id, PROMPT_SPAN_ID_LEN);

    span->kind = PROMPT_SPAN_CLIENT;
    span->start_ms = ngx_http_prompt_now_ms();

    ngx_http_prompt_call_span_request(call);

    if (ngx_http_prompt_otlp_content(call->recording->worker->otlp)) {
        ngx_http_prompt_call_span_input(call);
    }
}


static void
ngx_http_prompt_call_span_request(ngx_http_prompt_call_t *call)
{
    prompt_str_t             model;
    prompt_span_t           *span;
    prompt_execution_run_t  *run;

    span = call->span;
    run = &call->recording->run;
    model = prompt_span_cut(run->model, PROMPT_SPAN_TEXT);

    span->name = prompt_arena_printf(call->recording->arena, "chat %.*s",
                                     prompt_str_arg(model));

    prompt_span_text(span, "gen_ai.operation.name", prompt_str("chat"));
    prompt_span_text(span, "gen_ai.request.model", run->model);

    ngx_http_prompt_call_span_params(call);

    ngx_http_prompt_call_span_id(call, "prompt.id", run->prompt_id);
    prompt_span_integer(span, "prompt.version", run->version);
    prompt_span_text(span, "prompt.label", run->label);
    ngx_http_prompt_call_span_id(call, "prompt.execution.id", run->id);
}


/* those that the conventions name, of the model that is asked first */
static void
ngx_http_prompt_call_span_params(ngx_http_prompt_call_t *call)
{
    int64_t               integer;
    ngx_uint_t            i;
    const prompt_json_t  *params, *value;

    static const struct {
        const char       *attribute;
        prompt_str_t      name;
        bool              integer;
    } known[] = {
        { "gen_ai.request.temperature", prompt_str_init("temperature"),
          false },
        { "gen_ai.request.max_tokens", prompt_str_init("max_tokens"), true },
        { "gen_ai.request.top_p", prompt_str_init("top_p"), false },
        { "gen_ai.request.top_k", prompt_str_init("top_k"), false },
        { "gen_ai.request.seed", prompt_str_init("seed"), true },
        { "gen_ai.request.frequency_penalty",
          prompt_str_init("frequency_penalty"), false },
        { "gen_ai.request.presence_penalty",
          prompt_str_init("presence_penalty"), false }
    };

    params = call->ask.choices[0].params;

    for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        value = prompt_json_get(params, known[i].name);

        if (value == NULL || value->type != PROMPT_JSON_NUMBER) {
            continue;
        }

        if (!known[i].integer) {
            ngx_http_prompt_call_span_copy(call, known[i].attribute,
                                           value->text);

        } else if (prompt_json_integer(value, &integer)) {
            prompt_span_integer(call->span, known[i].attribute, integer);
        }
    }

    value = prompt_json_get(params, prompt_str("stop"));
    ngx_http_prompt_call_span_stop(call, value);
}


/* a string, or a list of them; each is ended by NUL */
static void
ngx_http_prompt_call_span_stop(ngx_http_prompt_call_t *call,
    const prompt_json_t *stop)
{
    prompt_buf_t          buf;
    prompt_str_t          texts;
    const prompt_json_t  *item;

    if (stop == NULL) {
        return;
    }

    prompt_buf_init(&buf, 4 * PROMPT_SPAN_TEXT);

    item = stop->type == PROMPT_JSON_ARRAY ? stop->first : stop;

    for ( /* void */ ; item != NULL; item = item->next) {

        if (item->type == PROMPT_JSON_STRING) {
            prompt_buf_append(&buf, item->text.data, item->text.len);
            prompt_buf_append(&buf, "", 1);
        }

        if (stop->type != PROMPT_JSON_ARRAY) {
            break;
        }
    }

    if (buf.status == PROMPT_BUF_OK && buf.len != 0) {
        texts = prompt_arena_copy(call->recording->arena,
                                  prompt_str_of(buf.data, buf.len));
        prompt_span_whole(call->span, "gen_ai.request.stop_sequences",
                          PROMPT_ATTRIBUTE_TEXTS, texts);
    }

    prompt_buf_free(&buf);
}


static void
ngx_http_prompt_call_span_id(ngx_http_prompt_call_t *call, const char *name,
    prompt_str_t id)
{
    char           text[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t  uuid;

    ngx_memcpy(uuid.bytes, id.data, sizeof(uuid.bytes));
    prompt_uuid_format(&uuid, text);

    prompt_span_text(call->span, name,
                     prompt_arena_copy(call->recording->arena,
                                       prompt_str_of(text, sizeof(text))));
}


/* a number, whose text is the request's */
static void
ngx_http_prompt_call_span_copy(ngx_http_prompt_call_t *call, const char *name,
    prompt_str_t text)
{
    if (text.len <= PROMPT_SPAN_TEXT) {
        prompt_span_number(call->span, name,
                           prompt_arena_copy(call->recording->arena, text));
    }
}


static void
ngx_http_prompt_call_span_known(prompt_span_t *span, const char *name,
    prompt_maybe_t n)
{
    if (n.known) {
        prompt_span_integer(span, name, n.value);
    }
}


void
ngx_http_prompt_call_span_end(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    prompt_span_t                          *span;
    prompt_execution_run_t                 *run;
    const ngx_http_prompt_provider_conf_t  *provider;

    span = call->span;
    run = &call->recording->run;
    provider = call->model->provider;

    if (span == NULL) {
        return;
    }

    span->end_ms = ngx_max(ngx_http_prompt_now_ms(), span->start_ms);
    span->failed = call->failure.data != NULL;
    span->message = call->failure;

    prompt_span_text(span, "gen_ai.provider.name",
                     provider->format->system);
    prompt_span_text(span, "prompt.provider",
                     prompt_str_of((char *) provider->name.data,
                                   provider->name.len));
    prompt_span_text(span, "error.type",
                     ngx_http_prompt_call_span_error(call, result));

    if (!span->failed) {
        prompt_span_text(span, "gen_ai.response.model", run->model);
    }

    prompt_span_whole(span, "gen_ai.response.finish_reasons",
                      PROMPT_ATTRIBUTE_TEXTS,
                      prompt_span_cut(run->finish_reason, PROMPT_SPAN_TEXT));

    ngx_http_prompt_call_span_known(span, "gen_ai.usage.input_tokens",
                                    run->token_in);
    ngx_http_prompt_call_span_known(span,
                                    "gen_ai.usage.cache_read.input_tokens",
                                    run->token_cached);
    ngx_http_prompt_call_span_known(span,
                                    "gen_ai.usage.cache_creation.input_tokens",
                                    run->token_cache_write);
    ngx_http_prompt_call_span_known(span, "gen_ai.usage.output_tokens",
                                    run->token_out);
    ngx_http_prompt_call_span_known(span,
                                    "gen_ai.usage.reasoning.output_tokens",
                                    run->token_reasoning);
    ngx_http_prompt_call_span_known(span, "prompt.latency_ms",
                                    run->latency_ms);
    prompt_span_integer(span, "prompt.attempts", run->attempts);
    prompt_span_text(span, "prompt.execution.status", run->status);
    prompt_span_number(span, "prompt.cost_usd", run->cost_usd);

    if (ngx_http_prompt_otlp_content(call->recording->worker->otlp)) {
        ngx_http_prompt_call_span_output(call);
    }

    ngx_http_prompt_otlp_put(call->recording->worker->otlp, span);
    call->span = NULL;
}


/* one of few words, or a status; absent: it succeeded */
static prompt_str_t
ngx_http_prompt_call_span_error(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    if (call->failure.data == NULL) {
        return prompt_str_absent;
    }

    switch (result->end) {

    case NGX_HTTP_PROMPT_PROVIDER_TIMED_OUT:
        return prompt_str("timeout");

    case NGX_HTTP_PROMPT_PROVIDER_CANCELLED:
        return prompt_str("cancelled");

    case NGX_HTTP_PROMPT_PROVIDER_TRUNCATED:
        return prompt_str("truncated");

    case NGX_HTTP_PROMPT_PROVIDER_NONE:
    case NGX_HTTP_PROMPT_PROVIDER_COMPLETE:
        break;

    default:
        return prompt_str("_OTHER");
    }

    if (result->status >= NGX_HTTP_SPECIAL_RESPONSE) {
        return prompt_arena_printf(call->recording->arena, "%u",
                                   (unsigned) result->status);
    }

    return result->status != 0 ? prompt_str("unreadable")
                               : prompt_str("unreachable");
}


/* what was sent, from the first message on as much as has room */
static void
ngx_http_prompt_call_span_input(ngx_http_prompt_call_t *call)
{
    size_t                    i, left;
    prompt_buf_t              buf;
    const prompt_messages_t  *messages;

    messages = &call->ask.request.messages;
    left = PROMPT_SPAN_CONTENT;

    prompt_buf_init(&buf, NGX_HTTP_PROMPT_CALL_SPAN_JSON);
    prompt_buf_literal(&buf, "[");

    for (i = 0; i < messages->count && left != 0; i++) {
        prompt_buf_printf(&buf, "%s{\"role\":\"%.*s\",\"parts\":[",
                          i != 0 ? "," : "",
                          prompt_str_arg(prompt_role_name(
                                             messages->list[i].role)));
        ngx_http_prompt_call_span_message(&buf, &messages->list[i], &left);
        prompt_buf_literal(&buf, "]}");
    }

    prompt_buf_literal(&buf, "]");

    ngx_http_prompt_call_span_content(call, "gen_ai.input.messages", &buf);
}


/* its texts, and calls of tools; pictures are left out */
static void
ngx_http_prompt_call_span_message(prompt_buf_t *buf,
    const prompt_message_t *message, size_t *left)
{
    size_t                        i;
    prompt_str_t                  text, cut;
    const char                   *comma;
    const prompt_message_call_t  *call;

    comma = "";

    for (i = 0; i == 0 || i < message->nparts; i++) {
        text = message->nparts != 0 ? message->parts[i].text : message->text;

        if (text.data == NULL) {
            continue;
        }

        cut = prompt_span_cut(text, *left);
        *left = cut.len < text.len ? 0 : *left - cut.len;

        prompt_buf_printf(buf, "%s", comma);
        comma = ",";

        if (message->role == PROMPT_ROLE_TOOL) {
            prompt_buf_literal(buf, "{\"type\":\"tool_call_response\",\"id\":");
            prompt_json_write_string(buf, message->call_id);
            prompt_buf_literal(buf, ",\"response\":");
            prompt_json_write_string(buf, cut);
            prompt_buf_literal(buf, "}");

        } else {
            ngx_http_prompt_call_span_part(buf, cut);
        }
    }

    for (i = 0; i < message->ncalls; i++) {
        call = &message->calls[i];
        cut = prompt_span_cut(call->arguments, *left);
        *left = cut.len < call->arguments.len ? 0 : *left - cut.len;

        prompt_buf_printf(buf, "%s{\"type\":\"tool_call\",\"id\":", comma);
        prompt_json_write_string(buf, call->id);
        prompt_buf_literal(buf, ",\"name\":");
        prompt_json_write_string(buf, call->name);
        prompt_buf_literal(buf, ",\"arguments\":");
        prompt_json_write_string(buf, cut);
        prompt_buf_literal(buf, "}");
        comma = ",";
    }
}


/* what the model said, also where it broke off */
static void
ngx_http_prompt_call_span_output(ngx_http_prompt_call_t *call)
{
    ngx_uint_t               parts;
    prompt_buf_t             buf;
    prompt_execution_run_t  *run;

    run = &call->recording->run;
    parts = 0;

    if (run->output.data == NULL) {
        return;
    }

    prompt_buf_init(&buf, NGX_HTTP_PROMPT_CALL_SPAN_JSON);
    prompt_buf_literal(&buf, "[{\"role\":\"assistant\",\"parts\":[");

    if (run->output.len != 0) {
        ngx_http_prompt_call_span_part(&buf,
                        prompt_span_cut(run->output, PROMPT_SPAN_CONTENT));
        parts++;
    }

    ngx_http_prompt_call_span_tools(&buf, run->tool_calls, &parts);

    prompt_buf_literal(&buf, "]");

    if (run->finish_reason.data != NULL) {
        prompt_buf_literal(&buf, ",\"finish_reason\":");
        prompt_json_write_string(&buf, run->finish_reason);
    }

    prompt_buf_literal(&buf, "}]");

    ngx_http_prompt_call_span_content(call, "gen_ai.output.messages", &buf);
}


static void
ngx_http_prompt_call_span_tools(prompt_buf_t *buf, prompt_objects_t calls,
    ngx_uint_t *parts)
{
    uint32_t      i, n;
    prompt_str_t  id, name, arguments;

    if (calls.cell.data == NULL || calls.cell.len > PROMPT_SPAN_CONTENT) {
        return;
    }

    n = prompt_objects_begin(&calls);

    for (i = 0; i < n; i++) {
        prompt_objects_next(&calls);

        id = prompt_objects_member(&calls, prompt_str("id"));
        name = prompt_objects_member(&calls, prompt_str("name"));
        arguments = prompt_objects_member(&calls, prompt_str("arguments"));

        if (id.data == NULL || name.data == NULL || arguments.data == NULL) {
            continue;
        }

        prompt_buf_printf(buf, "%s{\"type\":\"tool_call\",\"id\":%.*s,"
                          "\"name\":%.*s,\"arguments\":%.*s}",
                          *parts != 0 ? "," : "", prompt_str_arg(id),
                          prompt_str_arg(name), prompt_str_arg(arguments));
        (*parts)++;
    }
}


static void
ngx_http_prompt_call_span_part(prompt_buf_t *buf, prompt_str_t text)
{
    prompt_buf_literal(buf, "{\"type\":\"text\",\"content\":");
    prompt_json_write_string(buf, text);
    prompt_buf_literal(buf, "}");
}


/* Where it became too long, or memory is short, it is left out. */
static void
ngx_http_prompt_call_span_content(ngx_http_prompt_call_t *call,
    const char *name, prompt_buf_t *buf)
{
    prompt_str_t  text;

    text = prompt_str_absent;

    if (buf->status == PROMPT_BUF_OK) {
        text = prompt_arena_copy(call->recording->arena,
                                 prompt_str_of(buf->data, buf->len));
    }

    prompt_span_whole(call->span, name, PROMPT_ATTRIBUTE_TEXT, text);
    prompt_buf_free(buf);
}
