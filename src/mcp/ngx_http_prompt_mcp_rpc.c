/*
 * JSON-RPC 2.0: a message in, a result or an error out; and the methods that
 * ask nothing.  initialize is a pure function: it begins no session.
 */

#include "mcp/ngx_http_prompt_mcp_impl.h"

#include "base/scan.h"
#include "base/version.h"
#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_response.h"


#define PROMPT_MCP_SERVER                                                    \
    "{\"name\":\"ngx_http_prompt_module\",\"version\":\"" PROMPT_VERSION "\"}"

/* bytes of an id, or of a token */
#define PROMPT_MCP_ID_MAX  1024


ngx_int_t
prompt_mcp_fault(prompt_mcp_call_t *call, ngx_uint_t status, ngx_int_t code,
    const char *message)
{
    call->status = status;
    call->code = code;
    call->message = prompt_str_from(message);

    return NGX_DECLINED;
}


ngx_int_t
prompt_mcp_invalid(prompt_mcp_call_t *call, const char *message)
{
    return prompt_mcp_fault(call, NGX_HTTP_OK, PROMPT_MCP_PARAMS, message);
}


const prompt_json_t *
prompt_mcp_string(const prompt_json_t *object, const char *name)
{
    const prompt_json_t  *value;

    value = prompt_json_get(object, prompt_str_from(name));

    return value != NULL && value->type == PROMPT_JSON_STRING ? value : NULL;
}


prompt_str_t
prompt_mcp_copy(prompt_mcp_call_t *call, const prompt_json_t *value)
{
    ngx_buf_t     *copy;
    prompt_buf_t   text;

    prompt_buf_init(&text, 6 * value->text.len + sizeof("\"\""));
    prompt_json_write(&text, value);

    copy = ngx_http_prompt_body(call->ctx->op.job.request, &text);

    return copy == NULL ? prompt_str_absent
           : prompt_str_of((char *) copy->pos, (size_t) ngx_buf_size(copy));
}


/* id, progressToken: a string or an integer, as it came */
static bool
prompt_mcp_is_id(const prompt_json_t *value)
{
    prompt_str_t  rest;

    rest = value->text;

    if (rest.len > PROMPT_MCP_ID_MAX || value->type != PROMPT_JSON_NUMBER) {
        return rest.len <= PROMPT_MCP_ID_MAX
               && value->type == PROMPT_JSON_STRING;
    }

    (void) prompt_scan_char(&rest, '-');
    (void) prompt_scan_digits(&rest);

    return rest.len == 0;
}


ngx_int_t
prompt_mcp_message(prompt_mcp_call_t *call, const prompt_json_t *message)
{
    const char           *fault;
    const prompt_json_t  *id, *version, *method, *params, *token;

    id = prompt_json_get(message, prompt_str("id"));
    version = prompt_mcp_string(message, "jsonrpc");
    method = prompt_mcp_string(message, "method");
    params = prompt_json_get(message, prompt_str("params"));
    token = prompt_json_get(prompt_json_get(params, prompt_str("_meta")),
                            prompt_str("progressToken"));

    /* what is wrong with the rest is told by its id */

    if (id != NULL && prompt_mcp_is_id(id)) {
        call->id = prompt_mcp_copy(call, id);
    }

    if (token != NULL && prompt_mcp_is_id(token)) {
        call->token = prompt_mcp_copy(call, token);
    }

    if (call->id.data == NULL) {
        return NGX_ERROR;
    }

    fault = message->type != PROMPT_JSON_OBJECT
            ? "The body must be one JSON-RPC message: there are no batches."
            : id != NULL && !prompt_mcp_is_id(id)
            ? "\"id\" must be a string or an integer, of at most 1024 bytes."
            : version == NULL
              || !prompt_str_eq(version->text, prompt_str("2.0"))
            ? "\"jsonrpc\" must be \"2.0\"."
            : method == NULL
            ? "\"method\" must be a string: of a request or a notification."
            : params != NULL && params->type != PROMPT_JSON_OBJECT
            ? "\"params\" must be an object."
            : token != NULL && call->token.data == NULL
            ? "\"progressToken\" must be a string or an integer, of at most "
              "1024 bytes."
            : NULL;

    if (fault != NULL) {
        return prompt_mcp_fault(call, NGX_HTTP_BAD_REQUEST, PROMPT_MCP_INVALID,
                                fault);
    }

    call->wanted = method->text;
    call->params = params;

    return id != NULL ? NGX_OK : NGX_DONE;
}


void
prompt_mcp_begin(const prompt_mcp_call_t *call, prompt_buf_t *buf)
{
    prompt_buf_printf(buf, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{",
                      prompt_str_arg(call->id));
}


void
prompt_mcp_end(const prompt_mcp_call_t *call, const char *const *meta,
    prompt_str_t value, prompt_buf_t *buf)
{
    prompt_str_t  member;

    if (call->era == PROMPT_MCP_LEGACY && meta == NULL) {
        prompt_buf_literal(buf, "}}");
        return;
    }

    prompt_buf_printf(buf, "%s%s,\"_meta\":{%s",
                      call->era == PROMPT_MCP_LEGACY ? ""
                      : ",\"resultType\":\"complete\"",
                      call->era == PROMPT_MCP_LEGACY || !call->method->list ? ""
                      : ",\"ttlMs\":0,\"cacheScope\":\"private\"",
                      call->era == PROMPT_MCP_LEGACY ? ""
                      : "\"io.modelcontextprotocol/serverInfo\":"
                        PROMPT_MCP_SERVER);

    for ( /* void */ ; meta != NULL && *meta != NULL; meta++) {
        member = prompt_json_span(value, *meta);

        if (prompt_json_span_set(member)) {
            prompt_json_span_comma(buf);
            prompt_buf_printf(buf, "\"ngx-http-prompt/%s\":%.*s", *meta,
                              prompt_str_arg(member));
        }
    }

    prompt_buf_literal(buf, "}}}");
}


void
prompt_mcp_error(const prompt_mcp_call_t *call, ngx_int_t code,
    prompt_str_t message, prompt_str_t data, prompt_buf_t *buf)
{
    prompt_str_t  id;

    id = call != NULL ? call->id : prompt_str("null");

    prompt_buf_printf(buf, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":"
                      "{\"code\":%d,\"message\":%.*s%s%.*s}}",
                      prompt_str_arg(id), (int) code, prompt_str_arg(message),
                      data.len != 0 ? ",\"data\":" : "", prompt_str_arg(data));
}


/* Where there is a value an error is about a part that may be missing. */
void
prompt_mcp_answer(prompt_mcp_call_t *call, prompt_str_t answer,
    prompt_buf_t *buf)
{
    prompt_str_t        value, error, extensions;
    prompt_json_scan_t  errors;

    value = prompt_json_span(prompt_json_span(answer, "data"), "answer");

    if (prompt_json_span_set(value)) {
        call->ctx->op.job.log.error_code = prompt_str_absent;
        call->method->write(call, value, buf);
        return;
    }

    prompt_json_span_begin(&errors, prompt_json_span(answer, "errors"));

    if (!prompt_json_span_next(&errors, NULL, &error)) {
        prompt_mcp_error(call, PROMPT_MCP_PARAMS,
                         prompt_str("\"There is no such prompt.\""),
                         prompt_str_absent, buf);
        return;
    }

    if (call->method->failed != NULL && call->method->failed(call, error, buf))
    {
        return;
    }

    /* what the caller can do something about is about its params */

    extensions = prompt_json_span(error, "extensions");

    prompt_mcp_error(call, prompt_json_span_is(
                               prompt_json_span(extensions, "code"),
                               "\"INTERNAL_SERVER_ERROR\"")
                           ? PROMPT_MCP_FAILED : PROMPT_MCP_PARAMS,
                     prompt_json_span(error, "message"), extensions, buf);
}


/* server/discover, initialize: a revision that is not known becomes another */
void
prompt_mcp_server(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf)
{
    ngx_str_t                   *text;
    const prompt_json_t         *version;
    ngx_http_prompt_loc_conf_t  *plcf;

    plcf = ngx_http_get_module_loc_conf(call->ctx->op.job.request,
                                        ngx_http_prompt_module);
    text = &plcf->instructions;
    version = prompt_mcp_string(call->params, "protocolVersion");

    if (version == NULL && call->era == PROMPT_MCP_LEGACY) {
        (void) prompt_mcp_invalid(call, "\"params.protocolVersion\" must be a "
                                        "string.");
        return;
    }

    prompt_mcp_begin(call, buf);
    prompt_buf_str(buf, call->era == PROMPT_MCP_MODERN
        ? prompt_str("\"supportedVersions\":[\"" PROMPT_MCP_LATEST "\"]")
        : prompt_str_eq(version->text, prompt_str(PROMPT_MCP_OLDEST))
        ? prompt_str("\"serverInfo\":" PROMPT_MCP_SERVER
                     ",\"protocolVersion\":\"" PROMPT_MCP_OLDEST "\"")
        : prompt_str("\"serverInfo\":" PROMPT_MCP_SERVER
                     ",\"protocolVersion\":\"" PROMPT_MCP_BEFORE "\""));
    prompt_buf_literal(buf, ",\"capabilities\":"
                       "{\"prompts\":{},\"tools\":{},\"completions\":{}}");

    if (text->len != 0) {
        prompt_buf_literal(buf, ",\"instructions\":");
        prompt_json_write_string(buf, prompt_str_of((char *) text->data,
                                                    text->len));
    }

    prompt_mcp_end(call, NULL, value, buf);
}


void
prompt_mcp_ping(prompt_mcp_call_t *call, prompt_str_t value, prompt_buf_t *buf)
{
    prompt_mcp_begin(call, buf);
    prompt_mcp_end(call, NULL, value, buf);
}
