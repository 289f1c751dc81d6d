/*
 * Model Context Protocol over stored prompts: methods, what they ask, and the
 * way of a request.  See README.md.
 *
 *   handler      method of HTTP, origin, form of the key, Content-Type
 *   known        who asks is known: the message, its era, its method
 *   ask          params become variables of the method's document; it is run
 *   answered     the answer of the operation becomes a result, or an error
 */

#include "mcp/ngx_http_prompt_mcp.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_event_stream.h"
#include "http/ngx_http_prompt_response.h"
#include "mcp/ngx_http_prompt_mcp_impl.h"


/* bytes of a result: a text may stand in it twice */
#define PROMPT_MCP_RESULT  (2 * NGX_HTTP_PROMPT_MAX_RESPONSE + 65536)


typedef enum {
    PROMPT_MCP_NOTHING = 0,
    PROMPT_MCP_PROMPTS,
    PROMPT_MCP_TOOLS,
    PROMPT_MCP_RENDER,
    PROMPT_MCP_SCHEMA,
    PROMPT_MCP_RUN,
    PROMPT_MCP_STREAM
} prompt_mcp_document_e;


#define PROMPT_MCP_GIVEN                                                     \
    "($promptId: ID!, $input: JSON!, $version: Int, $label: String)"

#define PROMPT_MCP_TARGET                                                    \
    "(promptId: $promptId, input: $input, version: $version, label: $label)"

#define PROMPT_MCP_SET(members)                                              \
    "set: version(label: \"" PROMPT_NAMED_DEFAULT "\") { " members " } "

#define PROMPT_MCP_LISTED(members)                                           \
    "query ($first: Int, $after: ID) "                                       \
    "{ answer: prompts(first: $first, after: $after) { id name description " \
    PROMPT_MCP_SET(members) "other: version { " members " } } }"

/* what may be long comes last: what is looked for in front of it is near */
#define PROMPT_MCP_OUTPUT                                                    \
    "{ executionId version: versionUsed model finishReason costUsd "         \
    "latencyMs tokenIn tokenOut outputErrors "                               \
    "toolCalls { id name arguments } outputJson output }"


/* each has one root field, "answer" */
static const char *const  prompt_mcp_documents[] = {

    [PROMPT_MCP_PROMPTS] = PROMPT_MCP_LISTED("inputSchema"),
    [PROMPT_MCP_TOOLS] = PROMPT_MCP_LISTED("inputSchema outputSchema"),

    [PROMPT_MCP_RENDER] =
        "query " PROMPT_MCP_GIVEN " { answer: renderPrompt" PROMPT_MCP_TARGET
        " { messages { role content images toolCalls { id name arguments } } "
        "} }",

    [PROMPT_MCP_SCHEMA] =
        "query ($promptId: String!, $version: Int, $label: String) "
        "{ answer: promptByName(name: $promptId) { "
        PROMPT_MCP_SET("inputSchema")
        "other: version(number: $version, label: $label) { inputSchema } } }",

    [PROMPT_MCP_RUN] =
        "mutation " PROMPT_MCP_GIVEN " { answer: executePrompt"
        PROMPT_MCP_TARGET " " PROMPT_MCP_OUTPUT " }",

    [PROMPT_MCP_STREAM] =
        "subscription " PROMPT_MCP_GIVEN " { answer: executePromptStream"
        PROMPT_MCP_TARGET " { delta result " PROMPT_MCP_OUTPUT " } }"
};


#define PROMPT_MCP_BOTH  (PROMPT_MCP_MODERN|PROMPT_MCP_LEGACY)

static const prompt_mcp_method_t  prompt_mcp_methods[] = {

    /* name, eras, named, list, executes, document, stream, … */
    { prompt_str_init("server/discover"), PROMPT_MCP_MODERN, 0, 1, 0, 0, 0,
      NULL, prompt_mcp_server, NULL },
    { prompt_str_init("initialize"), PROMPT_MCP_LEGACY, 0, 0, 0, 0, 0,
      NULL, prompt_mcp_server, NULL },
    { prompt_str_init("ping"), PROMPT_MCP_LEGACY, 0, 0, 0, 0, 0,
      NULL, prompt_mcp_ping, NULL },
    { prompt_str_init("prompts/list"), PROMPT_MCP_BOTH, 0, 1, 0,
      PROMPT_MCP_PROMPTS, 0, prompt_mcp_page, prompt_mcp_prompts, NULL },
    { prompt_str_init("prompts/get"), PROMPT_MCP_BOTH, 1, 0, 0,
      PROMPT_MCP_RENDER, 0, prompt_mcp_get, prompt_mcp_got, NULL },
    { prompt_str_init("completion/complete"), PROMPT_MCP_BOTH, 0, 0, 0,
      PROMPT_MCP_SCHEMA, 0, prompt_mcp_complete, prompt_mcp_completed, NULL },
    { prompt_str_init("tools/list"), PROMPT_MCP_BOTH, 0, 1, 0,
      PROMPT_MCP_TOOLS, 0, prompt_mcp_page, prompt_mcp_tools, NULL },
    { prompt_str_init("tools/call"), PROMPT_MCP_BOTH, 1, 0, 1,
      PROMPT_MCP_RUN, PROMPT_MCP_STREAM, prompt_mcp_run, prompt_mcp_ran,
      prompt_mcp_run_failed },
    { prompt_str_init(""), 0, 0, 0, 0, 0, 0, NULL, NULL, NULL }
};


static const ngx_http_prompt_event_form_t  prompt_mcp_events = {
    prompt_str_init("event: message\ndata: "),
    prompt_str_init("\n\n")
};


const prompt_mcp_method_t *
prompt_mcp_method(const prompt_mcp_call_t *call)
{
    const prompt_mcp_method_t  *method;

    for (method = prompt_mcp_methods; method->eras != 0; method++) {
        if ((method->eras & call->era) != 0
            && prompt_str_eq(method->name, call->wanted))
        {
            return method;
        }
    }

    return NULL;
}


static ngx_int_t
prompt_mcp_handler(ngx_http_request_t *r)
{
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_prompt_get_ctx(r);

    return ctx != NULL ? prompt_mcp_accept(ctx)
                       : NGX_HTTP_INTERNAL_SERVER_ERROR;
}


/* From params to an operation that can be run; NGX_DONE: it is answered. */
static ngx_int_t
prompt_mcp_ask(prompt_mcp_call_t *call)
{
    ngx_int_t               rc;
    gql_errors_t            errors;
    prompt_json_t          *variables;
    ngx_http_prompt_ctx_t  *ctx;
    prompt_mcp_document_e   document;

    ctx = call->ctx;

    document = call->token.data != NULL && call->method->stream != 0
               ? call->method->stream : call->method->document;

    ngx_http_prompt_take_document(ctx, document);

    variables = prompt_json_new(ctx->op.job.arena, PROMPT_JSON_OBJECT);
    rc = variables != NULL ? call->method->ask(call, variables) : NGX_ERROR;

    if (rc != NGX_OK) {
        return rc;
    }

    gql_errors_init(&errors, ctx->op.job.arena, ctx->op.document, 0);

    if (ngx_http_prompt_operation_plan(&ctx->op, variables, &errors) != NGX_OK)
    {
        ngx_http_prompt_operation_invalid(&ctx->op, &errors,
                                          ngx_http_prompt_bad_user_input);
        return NGX_DONE;
    }

    rc = prompt_mcp_allowed(call);

    if (rc == NGX_OK) {
        rc = ngx_http_prompt_read_headers(ctx);
    }

    if (rc == NGX_OK && document == PROMPT_MCP_STREAM) {
        ctx->events = ngx_http_prompt_event_stream_create(ctx->op.job.request,
                                                          &prompt_mcp_events);
        rc = ctx->events != NULL ? NGX_OK : NGX_ERROR;
    }

    return rc;
}


/* NGX_DONE: the request has its answer, or will have it. */
static ngx_int_t
prompt_mcp_do(prompt_mcp_call_t *call)
{
    ngx_int_t               rc;
    prompt_buf_t            text;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = call->ctx;

    if (call->method->document != PROMPT_MCP_NOTHING) {
        rc = prompt_mcp_ask(call);

        if (rc == NGX_OK) {
            ngx_http_prompt_operation_run(&ctx->op);
        }

        return rc == NGX_OK ? NGX_DONE : rc;
    }

    prompt_buf_init(&text, PROMPT_MCP_RESULT);
    call->method->write(call, prompt_str_absent, &text);

    if (call->code != 0) {
        prompt_buf_free(&text);
        return NGX_DECLINED;
    }

    rc = ngx_http_prompt_send_json(ctx, NGX_HTTP_OK, NULL, &text);

    ngx_http_prompt_operation_release(&ctx->op);
    ngx_http_finalize_request(ctx->op.job.request, rc);

    return NGX_DONE;
}


/* The message, and what is to be done; returns as prompt_mcp_message(). */
static ngx_int_t
prompt_mcp_read(prompt_mcp_call_t *call)
{
    ngx_int_t               rc;
    prompt_str_t            message;
    const prompt_json_t    *body;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = call->ctx;

    rc = ngx_http_prompt_params_json(ctx->op.job.request, ctx->op.job.arena,
                                     &body, &message);

    if (rc == NGX_DECLINED) {
        return prompt_mcp_fault(call, NGX_HTTP_BAD_REQUEST, PROMPT_MCP_PARSE,
                                message.data);
    }

    if (rc == NGX_OK) {
        rc = prompt_mcp_message(call, body);
    }

    return rc == NGX_OK ? prompt_mcp_era(call) : rc;
}


/* A notification is taken with an empty 202, and nothing hangs on any. */
static void
prompt_mcp_known(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t            rc;
    prompt_mcp_call_t   *call;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;
    call = ngx_pcalloc(r->pool, sizeof(prompt_mcp_call_t));

    if (call == NULL) {
        ngx_http_prompt_fail(r);
        return;
    }

    call->ctx = ctx;
    call->id = prompt_str("null");
    ctx->data = call;

    rc = prompt_mcp_read(call);

    if (rc == NGX_DONE) {
        r->headers_out.status = 202;
        r->headers_out.content_length_n = 0;
        r->header_only = 1;

        ngx_http_prompt_operation_release(&ctx->op);
        ngx_http_finalize_request(r, ngx_http_send_header(r));
        return;
    }

    if (rc == NGX_OK) {
        rc = prompt_mcp_do(call);
    }

    if (rc == NGX_DECLINED) {
        ngx_http_prompt_refuse(ctx, call->status, call->message);

    } else if (rc != NGX_DONE) {
        ngx_http_finalize_request(r, rc == NGX_ERROR
                                     ? NGX_HTTP_INTERNAL_SERVER_ERROR : rc);
    }
}


/* The result takes the place of the pieces. */
static void
prompt_mcp_answered(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    prompt_str_t     answer;
    prompt_buf_t     text;
    prompt_arena_t  *arena;

    prompt_buf_init(&text, PROMPT_MCP_RESULT);
    arena = prompt_arena_create(PROMPT_MCP_RESULT);

    answer = arena != NULL ? ngx_http_prompt_operation_text(&ctx->op, arena)
                           : prompt_str_absent;

    if (answer.data != NULL) {
        prompt_mcp_answer(ctx->data, answer, &text);
    }

    prompt_arena_destroy(arena);

    if (text.len != 0
        && ngx_http_prompt_operation_rewrite(&ctx->op, &text) == NGX_OK)
    {
        ngx_http_prompt_send_answer(ctx);

    } else {
        ngx_http_prompt_fail(ctx->op.job.request);
    }
}


/* A fault of the message has a code of its own. */
static void
prompt_mcp_refusal(prompt_mcp_call_t *call, bool internal,
    prompt_str_t message, prompt_buf_t *text)
{
    prompt_buf_t  json;

    prompt_buf_init(&json, 6 * message.len + sizeof("\"\""));
    prompt_json_write_string(&json, message);

    prompt_buf_init(text, PROMPT_MCP_RESULT);
    prompt_mcp_error(call, call != NULL && call->code != 0 ? call->code
                           : internal ? PROMPT_MCP_FAILED : PROMPT_MCP_INVALID,
                     prompt_buf_view(&json),
                     call != NULL ? call->data : prompt_str_absent, text);

    prompt_buf_free(&json);
}


static ngx_int_t
prompt_mcp_refuse(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    prompt_buf_t  text;

    prompt_mcp_refusal(ctx->data,
                       prompt_str_eq(code,
                                     ngx_http_prompt_internal_server_error),
                       message, &text);

    return ngx_http_prompt_send_json(ctx, status, "POST", &text);
}


static ngx_buf_t *
prompt_mcp_status_body(ngx_http_request_t *r, ngx_uint_t status)
{
    prompt_buf_t  text;

    prompt_mcp_refusal(NULL, status >= NGX_HTTP_INTERNAL_SERVER_ERROR,
                       ngx_http_prompt_status_words(status), &text);

    return ngx_http_prompt_body(r, &text);
}


const ngx_http_prompt_protocol_t  ngx_http_prompt_mcp_protocol = {
    .number = NGX_HTTP_PROMPT_MCP,
    .documents = prompt_mcp_documents,
    .ndocuments = sizeof(prompt_mcp_documents) / sizeof(char *),
    .handler = prompt_mcp_handler,
    .known = prompt_mcp_known,
    .error = prompt_mcp_refuse,
    .status_body = prompt_mcp_status_body,
    .sink = {
        .answered = prompt_mcp_answered,
        .refused = ngx_http_prompt_refused,
        .failed = ngx_http_prompt_failed,
        .event = prompt_mcp_event,
        .writable = ngx_http_prompt_writable
    }
};
