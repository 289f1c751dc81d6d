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

#define PROMPT_MCP_CAPABILITIES                                              \
    "\"capabilities\":{\"prompts\":{},\"tools\":{},\"completions\":{}}"

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


/* id, progressToken: a string or an integer; as it came.  NGX_DECLINED: none */

static ngx_int_t
prompt_mcp_id(prompt_mcp_call_t *call, const prompt_json_t *value,
    prompt_str_t *id)
{
    prompt_str_t  text, digits;

    text = value->text;
    digits = text;

    if (value->type == PROMPT_JSON_NUMBER) {
        (void) prompt_scan_char(&digits, '-');
        (void) prompt_scan_digits(&digits);
    }

    if (text.len > PROMPT_MCP_ID_MAX
        || (value->type != PROMPT_JSON_STRING
            && (value->type != PROMPT_JSON_NUMBER || digits.len != 0)))
    {
        return NGX_DECLINED;
    }

    text = prompt_mcp_copy(call, value);

    if (text.data == NULL) {
        return NGX_ERROR;
    }

    *id = text;

    return NGX_OK;
}


ngx_int_t
prompt_mcp_message(prompt_mcp_call_t *call, const prompt_json_t *message)
{
    ngx_int_t             rc;
    const char           *fault;
    const prompt_json_t  *id, *version, *method, *token;

    id = prompt_json_get(message, prompt_str("id"));
    version = prompt_mcp_string(message, "jsonrpc");
    method = prompt_mcp_string(message, "method");
    call->params = prompt_json_get(message, prompt_str("params"));
    token = prompt_json_get(prompt_json_get(call->params, prompt_str("_meta")),
                            prompt_str("progressToken"));

    /* first, so that what is wrong with the rest is told by its id */

    rc = id != NULL ? prompt_mcp_id(call, id, &call->id) : NGX_OK;
    if (rc == NGX_ERROR) {
        return NGX_ERROR;
    }

    fault = message->type != PROMPT_JSON_OBJECT
            ? "The body must be one JSON-RPC message: there are no batches."
            : rc != NGX_OK
            ? "\"id\" must be a string or an integer, of at most 1024 bytes."
            : version == NULL || !prompt_str_eq(version->text, prompt_str("2.0"))
            ? "\"jsonrpc\" must be \"2.0\"."
            : method == NULL
            ? "\"method\" must be a string: of a request or a notification."
            : call->params != NULL && call->params->type != PROMPT_JSON_OBJECT
            ? "\"params\" must be an object."
            : NULL;

    if (fault != NULL) {
        return prompt_mcp_fault(call, NGX_HTTP_BAD_REQUEST, PROMPT_MCP_INVALID,
                                fault);
    }

    call->wanted = method->text;

    if (id == NULL) {
        return NGX_DONE;
    }

    rc = token != NULL ? prompt_mcp_id(call, token, &call->token) : NGX_OK;

    return rc != NGX_DECLINED ? rc
           : prompt_mcp_invalid(call, "\"progressToken\" must be a string or "
                                      "an integer, of at most 1024 bytes.");
}


void
prompt_mcp_begin(const prompt_mcp_call_t *call, prompt_buf_t *buf)
{
    prompt_buf_literal(buf, "{\"jsonrpc\":\"2.0\",\"id\":");
    prompt_buf_str(buf, call->id);
    prompt_buf_literal(buf, ",\"result\":{");
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

    if (call->era == PROMPT_MCP_MODERN) {
        prompt_buf_literal(buf, ",\"resultType\":\"complete\"");

        if (call->method->list) {
            prompt_buf_literal(buf, ",\"ttlMs\":0,\"cacheScope\":\"private\"");
        }
    }

    prompt_buf_literal(buf, ",\"_meta\":{");

    if (call->era == PROMPT_MCP_MODERN) {
        prompt_buf_literal(buf, "\"io.modelcontextprotocol/serverInfo\":"
                                PROMPT_MCP_SERVER);
    }

    for ( /* void */ ; meta != NULL && *meta != NULL; meta++) {
        member = prompt_json_span(value, *meta);

        if (prompt_json_span_set(member)) {
            prompt_json_span_comma(buf);
            prompt_buf_printf(buf, "\"ngx-http-prompt/%s\":", *meta);
            prompt_buf_str(buf, member);
        }
    }

    prompt_buf_literal(buf, "}}}");
}


static void
prompt_mcp_begin_error(const prompt_mcp_call_t *call, ngx_int_t code,
    prompt_buf_t *buf)
{
    prompt_buf_literal(buf, "{\"jsonrpc\":\"2.0\",\"id\":");
    prompt_buf_str(buf, call != NULL ? call->id : prompt_str("null"));
    prompt_buf_literal(buf, ",\"error\":{\"code\":");
    prompt_buf_int(buf, code);
    prompt_buf_literal(buf, ",\"message\":");
}


/* data: JSON, or absent */

static void
prompt_mcp_end_error(prompt_str_t data, prompt_buf_t *buf)
{
    if (data.data != NULL) {
        prompt_buf_literal(buf, ",\"data\":");
        prompt_buf_str(buf, data);
    }

    prompt_buf_literal(buf, "}}");
}


void
prompt_mcp_error(const prompt_mcp_call_t *call, ngx_int_t code,
    prompt_str_t message, prompt_buf_t *buf)
{
    prompt_mcp_begin_error(call, code, buf);
    prompt_json_write_string(buf, message);
    prompt_mcp_end_error(call != NULL ? call->data : prompt_str_absent, buf);
}


/* Where there is a value an error is about a part that may be missing. */

void
prompt_mcp_answer(prompt_mcp_call_t *call, prompt_str_t answer,
    prompt_buf_t *buf)
{
    prompt_str_t        value, error, extensions;
    prompt_json_scan_t  scan;

    value = prompt_json_span(prompt_json_span(answer, "data"), "answer");

    if (prompt_json_span_set(value)) {
        call->ctx->op.job.log.error_code = prompt_str_absent;
        call->method->write(call, value, buf);
        return;
    }

    prompt_json_span_begin(&scan, prompt_json_span(answer, "errors"));

    if (!prompt_json_span_next(&scan, NULL, &error)) {
        prompt_mcp_error(call, PROMPT_MCP_PARAMS,
                         prompt_str("There is no such prompt."), buf);
        return;
    }

    if (call->method->failed != NULL
        && call->method->failed(call, error, buf))
    {
        return;
    }

    /* what the caller can do something about is about its params */

    extensions = prompt_json_span(error, "extensions");

    prompt_mcp_begin_error(call,
                           prompt_json_span_is(
                               prompt_json_span(extensions, "code"),
                               "\"INTERNAL_SERVER_ERROR\"")
                           ? PROMPT_MCP_FAILED : PROMPT_MCP_PARAMS, buf);
    prompt_buf_str(buf, prompt_json_span(error, "message"));
    prompt_mcp_end_error(extensions, buf);
}


static void
prompt_mcp_instructions(const prompt_mcp_call_t *call, prompt_buf_t *buf)
{
    const ngx_str_t             *text;
    ngx_http_prompt_loc_conf_t  *plcf;

    plcf = ngx_http_get_module_loc_conf(call->ctx->op.job.request,
                                        ngx_http_prompt_module);
    text = &plcf->instructions;

    if (text->len != 0) {
        prompt_buf_literal(buf, ",\"instructions\":");
        prompt_json_write_string(buf, prompt_str_of((char *) text->data,
                                                    text->len));
    }
}


void
prompt_mcp_discover(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf)
{
    prompt_mcp_begin(call, buf);
    prompt_buf_literal(buf, "\"supportedVersions\":[\"" PROMPT_MCP_LATEST
                            "\"]," PROMPT_MCP_CAPABILITIES);
    prompt_mcp_instructions(call, buf);
    prompt_mcp_end(call, NULL, value, buf);
}


/* A revision that is not known here: the newest of those that ask for it. */

void
prompt_mcp_initialize(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_buf_t *buf)
{
    const prompt_json_t  *version;

    version = prompt_mcp_string(call->params, "protocolVersion");

    if (version == NULL) {
        (void) prompt_mcp_invalid(call, "\"params.protocolVersion\" must be a "
                                        "string.");
        return;
    }

    prompt_mcp_begin(call, buf);
    prompt_buf_printf(buf, "\"protocolVersion\":\"%s\","
                      PROMPT_MCP_CAPABILITIES ",\"serverInfo\":"
                      PROMPT_MCP_SERVER,
                      prompt_str_eq(version->text,
                                    prompt_str(PROMPT_MCP_OLDEST))
                      ? PROMPT_MCP_OLDEST : PROMPT_MCP_BEFORE);
    prompt_mcp_instructions(call, buf);
    prompt_mcp_end(call, NULL, value, buf);
}


void
prompt_mcp_ping(prompt_mcp_call_t *call, prompt_str_t value, prompt_buf_t *buf)
{
    prompt_mcp_begin(call, buf);
    prompt_mcp_end(call, NULL, value, buf);
}
