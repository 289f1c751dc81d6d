/*
 * Streamable HTTP: which methods, where a request may come from, what headers
 * must say ("Transports", "Authorization" of each revision).
 *
 * A request is of the newest revision where its _meta has a version, or its
 * header names that one; else it is of those before, which say theirs in the
 * header alone, or not at all.
 */

#include "mcp/ngx_http_prompt_mcp_impl.h"

#include "base/scan.h"
#include "base/utf8.h"
#include "http/ngx_http_prompt_response.h"
#include "service/worker/header.h"


#define PROMPT_MCP_META  "io.modelcontextprotocol/"


/* There are no sessions, and no stream that a client asks for by GET. */

ngx_int_t
prompt_mcp_accept(ngx_http_prompt_ctx_t *ctx)
{
    if (ngx_http_prompt_auth_origin(ctx->op.job.request)
        == GQL_HTTP_ORIGIN_OTHER)
    {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_FORBIDDEN,
                   prompt_str("A page of another origin may not ask here."));
    }

    return ctx->op.job.request->method == NGX_HTTP_POST
           ? ngx_http_prompt_begin(ctx)
           : ngx_http_prompt_refuse_early(ctx, NGX_HTTP_NOT_ALLOWED,
                   prompt_str("Messages are sent with POST; there are no "
                              "sessions, and no streams beside answers."));
}


/* -32022, with the versions that a request of its era may have */
static ngx_int_t
prompt_mcp_unknown(prompt_mcp_call_t *call, prompt_str_t version)
{
    prompt_buf_t  data;

    prompt_buf_init(&data, 6 * version.len + 128);
    prompt_buf_printf(&data, "{\"supported\":[\"%s\"],\"requested\":",
                      call->era == PROMPT_MCP_MODERN ? PROMPT_MCP_LATEST
                      : PROMPT_MCP_LATEST "\",\"" PROMPT_MCP_BEFORE "\",\""
                        PROMPT_MCP_OLDEST);

    /* a header may be anything */

    prompt_json_write_string(&data, prompt_utf8_valid(version)
                                    ? version : prompt_str(""));
    prompt_buf_char(&data, '}');

    call->data = prompt_arena_copy(call->ctx->op.job.arena,
                                   prompt_buf_view(&data));
    prompt_buf_free(&data);

    return prompt_mcp_fault(call, NGX_HTTP_BAD_REQUEST, PROMPT_MCP_VERSION,
                            "Unsupported protocol version.");
}


/* =?base64?…?= where a text has what a header cannot have */
static bool
prompt_mcp_header_is(prompt_mcp_call_t *call, prompt_str_t value,
    prompt_str_t text)
{
    ngx_str_t     coded, plain;
    prompt_str_t  rest;

    rest = value;

    if (!prompt_scan_word(&rest, prompt_str("=?base64?"))
        || rest.len < 2 || ngx_memcmp(rest.data + rest.len - 2, "?=", 2) != 0)
    {
        return prompt_str_eq(value, text);
    }

    coded.data = (u_char *) rest.data;
    coded.len = rest.len - 2;
    plain.data = ngx_pnalloc(call->ctx->op.job.request->pool,
                             ngx_base64_decoded_length(coded.len));

    return plain.data != NULL && ngx_decode_base64(&plain, &coded) == NGX_OK
           && prompt_str_eq(prompt_str_of((char *) plain.data, plain.len),
                            text);
}


/*
 * "_meta", "Server Validation": what stands in front of the body for those in
 * between is the same as in it.  version: the header, of which there are n.
 */
static ngx_int_t
prompt_mcp_modern(prompt_mcp_call_t *call, prompt_str_t version, ngx_uint_t n)
{
    ngx_int_t             code;
    ngx_uint_t            methods, names;
    const char           *fault;
    prompt_str_t          wanted, called;
    ngx_http_request_t   *r;
    const prompt_json_t  *meta, *asked, *able, *name;

    r = call->ctx->op.job.request;
    meta = prompt_json_get(call->params, prompt_str("_meta"));
    asked = prompt_mcp_string(meta, PROMPT_MCP_META "protocolVersion");
    able = prompt_json_get(meta, prompt_str(PROMPT_MCP_META
                                            "clientCapabilities"));
    name = prompt_mcp_string(call->params, "name");
    methods = ngx_http_prompt_header_count(r, prompt_str("Mcp-Method"),
                                           &wanted);
    names = ngx_http_prompt_header_count(r, prompt_str("Mcp-Name"), &called);

    code = PROMPT_MCP_HEADER;

    if (n != 1) {
        fault = "There must be one header \"MCP-Protocol-Version\".";

    } else if (asked == NULL) {
        code = PROMPT_MCP_PARAMS;
        fault = "\"params._meta\" must have a string \"" PROMPT_MCP_META
                "protocolVersion\".";

    } else if (!prompt_str_eq(version, asked->text)) {
        fault = "The header \"MCP-Protocol-Version\" must be the version in "
                "\"params._meta\".";

    } else if (!prompt_str_eq(version, prompt_str(PROMPT_MCP_LATEST))) {
        return prompt_mcp_unknown(call, version);

    } else if (able == NULL || able->type != PROMPT_JSON_OBJECT) {
        code = PROMPT_MCP_PARAMS;
        fault = "\"params._meta\" must have an object \"" PROMPT_MCP_META
                "clientCapabilities\".";

    } else if (methods != 1 || !prompt_str_eq(wanted, call->wanted)) {
        fault = "There must be one header \"Mcp-Method\", with the method.";

    } else if (call->method != NULL && call->method->named
               && (names != 1 || name == NULL
                   || !prompt_mcp_header_is(call, called, name->text)))
    {
        fault = "There must be one header \"Mcp-Name\", with \"params.name\", "
                "in Base64 where it is not plain ASCII.";

    } else {
        return NGX_OK;
    }

    return prompt_mcp_fault(call, NGX_HTTP_BAD_REQUEST, code, fault);
}


ngx_int_t
prompt_mcp_era(prompt_mcp_call_t *call)
{
    ngx_int_t             rc;
    ngx_uint_t            n;
    prompt_str_t          version;
    const prompt_json_t  *meta;

    n = ngx_http_prompt_header_count(call->ctx->op.job.request,
                                     prompt_str("MCP-Protocol-Version"),
                                     &version);
    meta = prompt_json_get(call->params, prompt_str("_meta"));

    if (prompt_json_get(meta, prompt_str(PROMPT_MCP_META "protocolVersion"))
        != NULL
        || (n != 0 && prompt_str_eq(version, prompt_str(PROMPT_MCP_LATEST))))
    {
        call->era = PROMPT_MCP_MODERN;
        call->method = prompt_mcp_method(call);
        rc = prompt_mcp_modern(call, version, n);

    } else {
        call->era = PROMPT_MCP_LEGACY;
        call->method = prompt_mcp_method(call);
        rc = n == 0
             || (n == 1
                 && (prompt_str_eq(version, prompt_str(PROMPT_MCP_BEFORE))
                     || prompt_str_eq(version, prompt_str(PROMPT_MCP_OLDEST))))
             ? NGX_OK : prompt_mcp_unknown(call, version);
    }

    return rc != NGX_OK || call->method != NULL ? rc
           : prompt_mcp_fault(call, call->era == PROMPT_MCP_MODERN
                                    ? NGX_HTTP_NOT_FOUND : NGX_HTTP_OK,
                              PROMPT_MCP_NO_METHOD, "There is no such method.");
}


ngx_int_t
prompt_mcp_allowed(prompt_mcp_call_t *call)
{
    static const char  challenge[][64] = {
        "Bearer error=\"insufficient_scope\", scope=\"read\"",
        "Bearer error=\"insufficient_scope\", scope=\"execute\""
    };

    if (ngx_http_prompt_operation_allowed(&call->ctx->op) == NGX_OK) {
        return NGX_OK;
    }

    return ngx_http_prompt_add_header(call->ctx->op.job.request,
                                      "WWW-Authenticate",
                                      challenge[call->method->executes])
           != NGX_OK
           ? NGX_ERROR
           : prompt_mcp_fault(call, NGX_HTTP_FORBIDDEN, PROMPT_MCP_INVALID,
                              call->method->executes
                              ? "Forbidden: the API key lacks the scope "
                                "\"execute\"."
                              : "Forbidden: the API key lacks the scope "
                                "\"read\".");
}
