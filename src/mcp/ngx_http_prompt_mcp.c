/*
 * Model Context Protocol over stored prompts: the way of a request.  See
 * README.md.
 *
 *   handler      method of HTTP, origin, form of the key, Content-Type
 *   known        who asks is known: the message, its era, its method
 *   ask          params become variables of the method's document; it is run
 *   answered     the answer of the operation becomes a result, or an error
 */

#include "mcp/ngx_http_prompt_mcp.h"

#include "http/ngx_http_prompt_event_stream.h"
#include "http/ngx_http_prompt_response.h"
#include "http/ngx_http_prompt_unsent.h"
#include "mcp/ngx_http_prompt_mcp_impl.h"


static const ngx_http_prompt_event_form_t  prompt_mcp_events = {
    prompt_str_init("event: message\ndata: "),
    prompt_str_init("\n\n")
};


static ngx_int_t
prompt_mcp_handler(ngx_http_request_t *r)
{
    ngx_int_t               rc;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_prompt_get_ctx(r);
    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    rc = prompt_mcp_accept(ctx);

    return rc == NGX_OK ? ngx_http_prompt_begin(ctx) : rc;
}


/* Headers, but for what goes with a status. */

static ngx_int_t
prompt_mcp_head(ngx_http_request_t *r, ngx_uint_t status)
{
    r->headers_out.status = status;
    ngx_str_set(&r->headers_out.content_type, "application/json");
    r->headers_out.content_type_len = r->headers_out.content_type.len;

    return ngx_http_prompt_status_headers(r, status, "POST");
}


/* A text of its own, as the body or as the last event. */

static ngx_int_t
prompt_mcp_send(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_buf_t *text)
{
    ngx_buf_t           *body;
    prompt_str_t         piece;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;
    ctx->answered = 1;

    body = ngx_http_prompt_body(r, text);
    if (body == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    piece = prompt_str_of((char *) body->pos, (size_t) ngx_buf_size(body));

    if (r->header_sent) {
        return ngx_http_prompt_event_stream_end(r, &prompt_mcp_events,
                                                ctx->events, &piece, 1);
    }

    return prompt_mcp_head(r, status) == NGX_OK
           ? ngx_http_prompt_send_body(r, &piece, 1)
           : NGX_HTTP_INTERNAL_SERVER_ERROR;
}


/* A fault of the message has a code of its own. */

static ngx_int_t
prompt_mcp_refuse(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    ngx_int_t           number;
    prompt_buf_t        text;
    prompt_mcp_call_t  *call;

    call = ctx->data;

    number = call != NULL && call->code != 0 ? call->code
             : prompt_str_eq(code, ngx_http_prompt_internal_server_error)
             ? PROMPT_MCP_FAILED : PROMPT_MCP_INVALID;

    prompt_buf_init(&text, PROMPT_MCP_RESULT);
    prompt_mcp_error(call, number, message, &text);

    return prompt_mcp_send(ctx, status, &text);
}


static ngx_buf_t *
prompt_mcp_status_body(ngx_http_request_t *r, ngx_uint_t status)
{
    prompt_buf_t  text;

    prompt_buf_init(&text, PROMPT_MCP_RESULT);
    prompt_mcp_error(NULL, status < NGX_HTTP_INTERNAL_SERVER_ERROR
                           ? PROMPT_MCP_INVALID : PROMPT_MCP_FAILED,
                     ngx_http_prompt_status_words(status), &text);

    return ngx_http_prompt_body(r, &text);
}


/* The request, and what is to be done; returns as prompt_mcp_message(). */

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


/* From params to an operation that can be run. */

static ngx_int_t
prompt_mcp_ask(prompt_mcp_call_t *call)
{
    ngx_int_t                     rc;
    gql_errors_t                  errors;
    prompt_json_t                *variables;
    ngx_http_request_t           *r;
    prompt_mcp_document_e         document;
    ngx_http_prompt_operation_t  *op;

    op = &call->ctx->op;
    r = op->job.request;
    document = call->token.data != NULL && call->method->stream != 0
               ? call->method->stream : call->method->document;

    ngx_http_prompt_operation_take(op, prompt_mcp_document(r, document));

    variables = prompt_json_new(op->job.arena, PROMPT_JSON_OBJECT);
    if (variables == NULL) {
        return NGX_ERROR;
    }

    rc = call->method->ask(call, variables);
    if (rc != NGX_OK) {
        return rc;
    }

    gql_errors_init(&errors, op->job.arena, op->document, 0);

    if (ngx_http_prompt_operation_plan(op, variables, &errors) != NGX_OK) {
        ngx_http_prompt_operation_invalid(op, &errors,
                                          ngx_http_prompt_bad_user_input);
        return NGX_DONE;
    }

    rc = prompt_mcp_allowed(call);

    if (rc == NGX_OK) {
        rc = ngx_http_prompt_read_headers(call->ctx);
    }

    if (rc == NGX_OK && document == PROMPT_MCP_STREAM) {
        call->ctx->events = ngx_http_prompt_event_stream_create(r,
                                                           &prompt_mcp_events);
        rc = call->ctx->events != NULL ? NGX_OK : NGX_ERROR;
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

    rc = prompt_mcp_send(ctx, NGX_HTTP_OK, &text);

    ngx_http_prompt_operation_release(&ctx->op);
    ngx_http_finalize_request(ctx->op.job.request, rc);

    return NGX_DONE;
}


/* A notification is taken, and nothing hangs on any. */

static void
prompt_mcp_noted(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_request_t  *r;

    r = ctx->op.job.request;

    r->headers_out.status = 202;
    r->headers_out.content_length_n = 0;
    r->header_only = 1;

    ngx_http_prompt_operation_release(&ctx->op);
    ngx_http_finalize_request(r, ngx_http_send_header(r));
}


static void
prompt_mcp_known(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t           rc;
    prompt_mcp_call_t  *call;

    call = ngx_pcalloc(ctx->op.job.request->pool, sizeof(prompt_mcp_call_t));
    rc = NGX_ERROR;

    if (call != NULL) {
        call->ctx = ctx;
        call->id = prompt_str("null");
        ctx->data = call;

        rc = prompt_mcp_read(call);
    }

    if (rc == NGX_DONE) {
        prompt_mcp_noted(ctx);
        return;
    }

    if (rc == NGX_OK) {
        rc = prompt_mcp_do(call);
    }

    if (rc == NGX_DECLINED) {
        ngx_http_prompt_refuse(ctx, call->status, call->message);

    } else if (rc != NGX_DONE) {
        ngx_http_finalize_request(ctx->op.job.request,
                                  rc == NGX_ERROR
                                  ? NGX_HTTP_INTERNAL_SERVER_ERROR : rc);
    }
}


/* The result takes the place of the pieces.  False: memory. */

static bool
prompt_mcp_result(ngx_http_prompt_ctx_t *ctx)
{
    prompt_str_t     answer;
    prompt_buf_t     text;
    prompt_arena_t  *arena;

    prompt_buf_init(&text, PROMPT_MCP_RESULT);
    arena = prompt_arena_create(PROMPT_MCP_RESULT);

    if (arena != NULL) {
        answer = ngx_http_prompt_operation_text(&ctx->op, arena);

        if (answer.data != NULL) {
            prompt_mcp_answer(ctx->data, answer, &text);
        }
    }

    prompt_arena_destroy(arena);

    return text.len != 0
           && ngx_http_prompt_operation_rewrite(&ctx->op, &text) == NGX_OK;
}


static void
prompt_mcp_answered(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    ngx_int_t            rc;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;
    ctx->answered = 1;

    if (!prompt_mcp_result(ctx) || ngx_http_prompt_add_headers(ctx) != NGX_OK) {
        ngx_http_prompt_fail(r);
        return;
    }

    if (ctx->events != NULL) {
        rc = ngx_http_prompt_event_stream_end(r, &prompt_mcp_events,
                                              ctx->events, ctx->op.pieces,
                                              ctx->op.npieces);

    } else if (prompt_mcp_head(r, NGX_HTTP_OK) == NGX_OK) {
        rc = ngx_http_prompt_send_body(r, ctx->op.pieces, ctx->op.npieces);

    } else {
        rc = NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_http_prompt_unsent_sent(ctx);
    ngx_http_finalize_request(r, rc);
}


const ngx_http_prompt_protocol_t  ngx_http_prompt_mcp_protocol = {
    .number = NGX_HTTP_PROMPT_MCP,
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
