/*
 * Tools: tools/list, tools/call, and what is told while one runs.
 *
 * A tool is a prompt whose version has an inputSchema, and whose name is one
 * for models.  What a model can do something about, arguments that do not fit
 * and a run that failed, is a result with isError ("Error Handling").
 */

#include "mcp/ngx_http_prompt_mcp_impl.h"

#include "base/scan.h"
#include "http/ngx_http_prompt_event_stream.h"


/* characters of a name: providers take no longer one of a function */
#define PROMPT_MCP_NAME_MAX  64


/* what goes into _meta, of an ExecutionResult and of an error's extensions */
static const char *const  prompt_mcp_run_meta[] = {
    "executionId", "version", "model", "finishReason", "costUsd", "latencyMs",
    "tokenIn", "tokenOut", "toolCalls", NULL
};

static const char *const  prompt_mcp_failed_meta[] = {
    "executionId", "reason", "providerStatus", "retryable", "retryAfter",
    "resetsAt", "violations", NULL
};


static bool
prompt_mcp_is_tool(prompt_str_t name)
{
    return name.len != 0 && name.len <= PROMPT_MCP_NAME_MAX
           && prompt_scan_all(name, "_.-");
}


/* Before the newest revision an output is an object, too. */
static void
prompt_mcp_tool(prompt_mcp_call_t *call, prompt_str_t prompt,
    prompt_str_t version, prompt_buf_t *buf)
{
    prompt_str_t  name, input, output, type;

    name = prompt_json_span_inner(prompt_json_span(prompt, "name"));
    input = prompt_json_span(version, "inputSchema");
    output = prompt_json_span(version, "outputSchema");
    type = prompt_json_span(input, "type");

    if (!prompt_mcp_is_tool(name) || !prompt_scan_char(&input, '{')
        || (type.data != NULL && !prompt_json_span_is(type, "\"object\"")))
    {
        return;
    }

    prompt_mcp_describe(prompt, "Runs the stored prompt", buf);

    prompt_buf_literal(buf, ",\"inputSchema\":{");
    prompt_buf_str(buf, type.data != NULL ? prompt_str("")
                        : input.len == 1 ? prompt_str("\"type\":\"object\"")
                        : prompt_str("\"type\":\"object\","));
    prompt_buf_str(buf, input);

    if (prompt_json_span_set(output)
        && (call->era == PROMPT_MCP_MODERN
            || prompt_json_span_is(prompt_json_span(output, "type"),
                                   "\"object\"")))
    {
        prompt_buf_literal(buf, ",\"outputSchema\":");
        prompt_buf_str(buf, output);
    }

    prompt_buf_char(buf, '}');
}


void
prompt_mcp_tools(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf)
{
    prompt_mcp_list(call, value, "tools", prompt_mcp_tool, buf);
}


ngx_int_t
prompt_mcp_run(prompt_mcp_call_t *call, prompt_json_t *variables)
{
    ngx_int_t       rc;
    prompt_named_t  named;

    call->ctx->op.job.beside.schema = 1;

    rc = prompt_mcp_target(call, &named, variables);

    return rc != NGX_OK || prompt_mcp_is_tool(named.name) ? rc
           : prompt_mcp_invalid(call, "There is no such tool.");
}


/*
 * Where there is an outputSchema, what is answered fits it or is an error:
 * clients refuse a result that has not the structure it promises.
 */
static void
prompt_mcp_structured(prompt_mcp_call_t *call, prompt_str_t json,
    prompt_str_t errors, prompt_buf_t *buf)
{
    prompt_buf_t  text;

    if (prompt_json_span_set(errors) && !prompt_json_span_is(errors, "[]")) {
        prompt_buf_init(&text, errors.len + 64);
        prompt_buf_literal(&text, "This is not what the outputSchema wants: ");
        prompt_buf_str(&text, errors);

        prompt_buf_literal(buf, ",{\"type\":\"text\",\"text\":");
        prompt_json_write_string(buf, prompt_buf_view(&text));
        prompt_buf_literal(buf, "}],\"isError\":true");

        prompt_buf_free(&text);
        return;
    }

    prompt_buf_literal(buf, "],\"isError\":false");

    if (prompt_json_span_set(errors)
        && (call->era == PROMPT_MCP_MODERN
            || prompt_scan_begins(json, prompt_str("{"))))
    {
        prompt_buf_literal(buf, ",\"structuredContent\":");
        prompt_buf_str(buf, json);
    }
}


/* value: an ExecutionResult, or the event that has one */
void
prompt_mcp_ran(prompt_mcp_call_t *call, prompt_str_t value, prompt_buf_t *buf)
{
    prompt_str_t  result;

    result = prompt_json_span(value, "result");
    value = result.data != NULL ? result : value;

    prompt_mcp_begin(call, buf);
    prompt_buf_literal(buf, "\"content\":[{\"type\":\"text\",\"text\":");
    prompt_buf_str(buf, prompt_json_span(value, "output"));
    prompt_buf_char(buf, '}');

    prompt_mcp_structured(call, prompt_json_span(value, "outputJson"),
                          prompt_json_span(value, "outputErrors"), buf);

    prompt_mcp_end(call, prompt_mcp_run_meta, value, buf);
}


/* A tool that is not there, and what failed here, are errors of JSON-RPC. */
bool
prompt_mcp_run_failed(prompt_mcp_call_t *call, prompt_str_t error,
    prompt_buf_t *buf)
{
    prompt_str_t  extensions, message;

    extensions = prompt_json_span(error, "extensions");
    message = prompt_json_span(error, "message");

    if (!prompt_json_span_is(prompt_json_span(extensions, "code"),
                             "\"BAD_USER_INPUT\"")
        && prompt_json_span(extensions, "executionId").data == NULL
        && prompt_json_span(extensions, "reason").data == NULL)
    {
        return false;
    }

    prompt_mcp_begin(call, buf);
    prompt_buf_printf(buf, "\"content\":[{\"type\":\"text\",\"text\":%.*s}],"
                      "\"isError\":true", prompt_str_arg(message));
    prompt_mcp_end(call, prompt_mcp_failed_meta, extensions, buf);

    return true;
}


/* Progress, which must increase, is the number of the event. */
static ngx_int_t
prompt_mcp_progress(ngx_http_prompt_ctx_t *ctx, prompt_str_t event)
{
    u_char              number[NGX_INT_T_LEN];
    prompt_str_t        pieces[7];
    prompt_mcp_call_t  *call;

    call = ctx->data;
    event = prompt_json_span(prompt_json_span(event, "data"), "answer");

    pieces[0] = prompt_str("{\"jsonrpc\":\"2.0\","
                           "\"method\":\"notifications/progress\","
                           "\"params\":{\"progressToken\":");
    pieces[1] = call->token;
    pieces[2] = prompt_str(",\"progress\":");
    pieces[3].data = (char *) number;
    pieces[3].len = ngx_sprintf(number, "%ui", ++call->progress) - number;
    pieces[4] = prompt_str(",\"message\":");
    pieces[5] = prompt_json_span(event, "delta");
    pieces[6] = prompt_str("}}");

    return ngx_http_prompt_event_stream_next(ctx->events, pieces, 7);
}


ngx_int_t
prompt_mcp_event(void *caller, const prompt_str_t *pieces, size_t n)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    size_t        i;
    ngx_int_t     rc;
    prompt_buf_t  event;

    if (ngx_http_prompt_add_replayed(ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    /* the provider is being asked: the stream begins */

    if (n == 0) {
        return ngx_http_prompt_event_stream_next(ctx->events, NULL, 0);
    }

    prompt_buf_init(&event, NGX_HTTP_PROMPT_MAX_RESPONSE);

    for (i = 0; i < n; i++) {
        prompt_buf_str(&event, pieces[i]);
    }

    rc = event.status == PROMPT_BUF_OK
         ? prompt_mcp_progress(ctx, prompt_buf_view(&event)) : NGX_ERROR;

    prompt_buf_free(&event);

    return rc;
}
