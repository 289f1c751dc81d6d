/*
 * Answers: headers, status and the chain of buffers.
 *
 * The pieces of an answer are sent from where they were written; nothing is
 * copied on the way out.
 */

#include "http/ngx_http_prompt_response.h"

#include "base/buf.h"
#include "base/json.h"
#include "base/uuid.h"
#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_page.h"
#include "http/ngx_http_prompt_request.h"
#include "http/ngx_http_prompt_unsent.h"
#include "service/call/stream.h"


/* an error answer: its message, quoted, and what stands around it */
#define NGX_HTTP_PROMPT_ERROR_SIZE  (64 * 1024)


typedef struct {
    ngx_uint_t     status;
    prompt_str_t   message;
} ngx_http_prompt_status_message_t;


static ngx_buf_t *ngx_http_prompt_error_body(ngx_http_request_t *r,
    prompt_str_t code, prompt_str_t message, const ngx_array_t *executions);
static void ngx_http_prompt_error_executions(prompt_buf_t *buf,
    const ngx_array_t *executions);


const ngx_http_prompt_event_form_t  ngx_http_prompt_graphql_events = {
    prompt_str_init("event: next\ndata: "),
    prompt_str_init("\n\nevent: complete\ndata:\n\n")
};


static ngx_http_prompt_status_message_t  ngx_http_prompt_status_messages[] = {
    { 400, prompt_str_init("The request is malformed.") },
    { 401, prompt_str_init("Unauthorized.") },
    { 403, prompt_str_init("Access is forbidden by this server.") },
    { 404, prompt_str_init("There is nothing at this address.") },
    { 405, prompt_str_init("This method is not allowed.") },
    { 408, prompt_str_init("The request took too long to arrive.") },
    { 411, prompt_str_init("The request has no Content-Length.") },
    { 413, prompt_str_init("The request body is larger than this server "
                           "accepts.") },
    { 414, prompt_str_init("The URL is longer than this server accepts.") },
    { 429, prompt_str_init("Too many requests; try again later.") },
    { 431, prompt_str_init("The request headers are larger than this server "
                           "accepts.") },
    { 494, prompt_str_init("The request headers are larger than this server "
                           "accepts.") },
    { 500, prompt_str_init("The server could not answer this request.") },
    { 503, prompt_str_init("The server cannot answer this request now; try "
                           "again later.") },
    { 0, prompt_str_absent }
};


ngx_int_t
ngx_http_prompt_send(ngx_http_request_t *r, ngx_uint_t status,
    gql_http_media_e media, const prompt_str_t *pieces, size_t npieces)
{
    ngx_http_prompt_ctx_t  *ctx;

    if (media == GQL_HTTP_MEDIA_EVENTS && status == NGX_HTTP_OK) {
        ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);

        return ngx_http_prompt_event_stream_end(r,
                   &ngx_http_prompt_graphql_events, ctx->events, pieces,
                   npieces);
    }

    /*
     * What is answered depends on Accept, and belongs to the holder of a key:
     * no cache in between may keep it.
     */

    r->headers_out.status = status;
    ngx_http_prompt_media_set(r, media);

    if (ngx_http_prompt_status_headers(r, status,
                               r->method == NGX_HTTP_GET ? "POST" : "GET, POST")
        != NGX_OK
        || ngx_http_prompt_add_header(r, "Vary", "Accept") != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_prompt_send_body(r, pieces, npieces);
}


/* application/json, with what goes with the status */
static ngx_int_t
ngx_http_prompt_json_head(ngx_http_request_t *r, ngx_uint_t status,
    const char *allow)
{
    r->headers_out.status = status;
    ngx_str_set(&r->headers_out.content_type, "application/json");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;

    return ngx_http_prompt_status_headers(r, status, allow);
}


ngx_int_t
ngx_http_prompt_send_json(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    const char *allow, prompt_buf_t *text)
{
    ngx_buf_t                       *body;
    prompt_str_t                     piece;
    ngx_http_request_t              *r;
    ngx_http_prompt_event_stream_t  *events;

    r = ctx->op.job.request;
    events = ctx->events;
    ctx->answered = 1;

    body = ngx_http_prompt_body(r, text);
    if (body == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    piece = prompt_str_of((char *) body->pos, (size_t) ngx_buf_size(body));

    /* with a post_action the header is of another answer, and none is sent */

    if (r->header_sent && events != NULL) {
        return ngx_http_prompt_event_stream_end(r, events->form, events,
                                                &piece, 1);
    }

    /* no comment may go out in the middle of it */

    if (events != NULL) {
        ngx_http_prompt_event_stream_cancel(events);
    }

    return ngx_http_prompt_json_head(r, status, allow) == NGX_OK
           ? ngx_http_prompt_send_body(r, &piece, 1)
           : NGX_HTTP_INTERNAL_SERVER_ERROR;
}


void
ngx_http_prompt_send_answer(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t                        rc;
    ngx_http_request_t              *r;
    ngx_http_prompt_event_stream_t  *events;

    r = ctx->op.job.request;
    events = ctx->events;
    ctx->answered = 1;

    if (ngx_http_prompt_add_headers(ctx) != NGX_OK) {
        ngx_http_prompt_fail(r);
        return;
    }

    if (events != NULL) {
        rc = ngx_http_prompt_event_stream_end(r, events->form, events,
                                              ctx->op.pieces, ctx->op.npieces);

    } else if (ngx_http_prompt_json_head(r, NGX_HTTP_OK, NULL) == NGX_OK) {
        rc = ngx_http_prompt_send_body(r, ctx->op.pieces, ctx->op.npieces);

    } else {
        rc = NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_http_prompt_unsent_sent(ctx);
    ngx_http_finalize_request(r, rc);
}


void
ngx_http_prompt_writable(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    switch (ngx_http_prompt_event_stream_write(ctx->events)) {

    case NGX_AGAIN:
        break;

    case NGX_ERROR:
        ngx_http_prompt_stream_abandon(&ctx->op.job);
        break;

    default:
        ngx_http_prompt_stream_drained(&ctx->op.job);
    }
}


/* What was begun has an answer, which says that it is not told. */
void
ngx_http_prompt_refused(void *caller, const ngx_http_prompt_refusal_t *refusal)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    if (refusal->retry_after != NULL
        && ngx_http_prompt_add_header(ctx->op.job.request, "Retry-After",
                                      refusal->retry_after)
           != NGX_OK)
    {
        ngx_http_prompt_failed(ctx);
        return;
    }

    ngx_http_prompt_refuse_as(ctx,
                              refusal->begun ? NGX_HTTP_OK : refusal->status,
                              refusal->code, refusal->message);
}


void
ngx_http_prompt_failed(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    ngx_http_prompt_fail(ctx->op.job.request);
}


void
ngx_http_prompt_fail(ngx_http_request_t *r)
{
    ngx_http_finalize_request(r, r->header_sent
                                 ? NGX_ERROR : NGX_HTTP_INTERNAL_SERVER_ERROR);
}


ngx_int_t
ngx_http_prompt_send_text(ngx_http_request_t *r, ngx_uint_t status,
    const char *type, const prompt_buf_t *text)
{
    char          *copy;
    prompt_str_t   piece;

    if (text->status != PROMPT_BUF_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    copy = ngx_pnalloc(r->pool, text->len);
    if (copy == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_memcpy(copy, text->data, text->len);
    piece = prompt_str_of(copy, text->len);

    r->headers_out.status = status;
    r->headers_out.content_type.data = (u_char *) type;
    r->headers_out.content_type.len = ngx_strlen(type);
    r->headers_out.content_type_len = r->headers_out.content_type.len;

    return ngx_http_prompt_send_body(r, &piece, 1);
}


ngx_int_t
ngx_http_prompt_send_body(ngx_http_request_t *r, const prompt_str_t *pieces,
    size_t npieces)
{
    ngx_int_t     rc;
    ngx_buf_t    *buf;
    ngx_chain_t  *out, *cl;

    out = NULL;
    buf = NULL;

    if (ngx_http_prompt_unsent_chain(r, &out, pieces, npieces) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->headers_out.content_length_n = 0;

    for (cl = out; cl != NULL; cl = cl->next) {
        buf = cl->buf;
        r->headers_out.content_length_n += buf->last - buf->pos;
    }

    if (buf == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    buf->last_buf = (r == r->main) ? 1 : 0;
    buf->last_in_chain = 1;

    ngx_log_debug2(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt request: answers, status %ui, %O bytes",
                   r->headers_out.status, r->headers_out.content_length_n);

    rc = ngx_http_send_header(r);

    if (rc == NGX_ERROR || rc > NGX_OK || ngx_http_prompt_no_body(r)) {
        return rc;
    }

    return ngx_http_output_filter(r, out);
}


ngx_uint_t
ngx_http_prompt_no_body(ngx_http_request_t *r)
{
    return r->header_only || (r->background && r->post_subrequest == NULL);
}


ngx_int_t
ngx_http_prompt_send_error(ngx_http_request_t *r, ngx_uint_t status,
    gql_http_media_e media, prompt_str_t code, prompt_str_t message,
    const ngx_array_t *executions)
{
    ngx_buf_t     *body;
    prompt_str_t   piece;

    ngx_log_debug3(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt request: refused, status %ui, %*s", status,
                   code.len, code.data);

    body = ngx_http_prompt_error_body(r, code, message, executions);
    if (body == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    piece = prompt_str_of((char *) body->pos, body->last - body->pos);

    return ngx_http_prompt_send(r, status, media, &piece, 1);
}


prompt_str_t
ngx_http_prompt_status_code(ngx_uint_t status)
{
    switch (status) {

    case NGX_HTTP_UNAUTHORIZED:
        return ngx_http_prompt_unauthenticated;

    case NGX_HTTP_FORBIDDEN:
        return ngx_http_prompt_forbidden;

    case NGX_HTTP_NOT_FOUND:
        return ngx_http_prompt_not_found;

    default:
        return status < NGX_HTTP_INTERNAL_SERVER_ERROR
               ? ngx_http_prompt_bad_user_input
               : ngx_http_prompt_internal_server_error;
    }
}


ngx_buf_t *
ngx_http_prompt_status_body(ngx_http_request_t *r, ngx_uint_t status)
{
    return ngx_http_prompt_error_body(r, ngx_http_prompt_status_code(status),
                                      ngx_http_prompt_status_words(status),
                                      NULL);
}


prompt_str_t
ngx_http_prompt_status_words(ngx_uint_t status)
{
    ngx_http_prompt_status_message_t  *known;

    for (known = ngx_http_prompt_status_messages; known->status != 0; known++)
    {
        if (known->status == status) {
            return known->message;
        }
    }

    return status < NGX_HTTP_INTERNAL_SERVER_ERROR
           ? prompt_str("The request cannot be answered.")
           : prompt_str("The server could not answer this request.");
}


static ngx_buf_t *
ngx_http_prompt_error_body(ngx_http_request_t *r, prompt_str_t code,
    prompt_str_t message, const ngx_array_t *executions)
{
    size_t        size;
    prompt_buf_t  buf;

    size = NGX_HTTP_PROMPT_ERROR_SIZE;

    if (executions != NULL) {
        size += executions->nelts * (PROMPT_UUID_TEXT_LEN + sizeof("\"\","));
    }

    prompt_buf_init(&buf, size);

    prompt_buf_literal(&buf, "{\"errors\":[{\"message\":");
    prompt_json_write_string(&buf, message);
    prompt_buf_literal(&buf, ",\"extensions\":{\"code\":");
    prompt_json_write_string(&buf, code);

    if (executions != NULL) {
        ngx_http_prompt_error_executions(&buf, executions);
    }

    prompt_buf_literal(&buf, "}}]}");

    return ngx_http_prompt_body(r, &buf);
}


ngx_buf_t *
ngx_http_prompt_body(ngx_http_request_t *r, prompt_buf_t *text)
{
    ngx_buf_t  *body;

    body = text->status == PROMPT_BUF_OK
           ? ngx_create_temp_buf(r->pool, text->len) : NULL;

    if (body != NULL) {
        body->last = ngx_cpymem(body->last, text->data, text->len);
        body->last_buf = 1;
        body->last_in_chain = 1;
    }

    prompt_buf_free(text);

    return body;
}


/* One is named as errors of executions do; several are a list. */
static void
ngx_http_prompt_error_executions(prompt_buf_t *buf,
    const ngx_array_t *executions)
{
    char                  text[PROMPT_UUID_TEXT_LEN];
    ngx_uint_t            i;
    const prompt_uuid_t  *ids;

    ids = executions->elts;

    prompt_buf_str(buf, executions->nelts == 1
                        ? prompt_str(",\"executionId\":")
                        : prompt_str(",\"executionIds\":["));

    for (i = 0; i < executions->nelts; i++) {
        prompt_uuid_format(&ids[i], text);
        prompt_buf_printf(buf, "%s\"%.*s\"", i != 0 ? "," : "",
                          (int) sizeof(text), text);
    }

    if (executions->nelts != 1) {
        prompt_buf_literal(buf, "]");
    }
}


ngx_int_t
ngx_http_prompt_status_headers(ngx_http_request_t *r, ngx_uint_t status,
    const char *allow)
{
    ngx_int_t  rc;

    rc = NGX_OK;

    switch (status) {

    case NGX_HTTP_UNAUTHORIZED:
        rc = ngx_http_prompt_add_header(r, "WWW-Authenticate", "Bearer");
        break;

    case NGX_HTTP_NOT_ALLOWED:
        rc = ngx_http_prompt_add_header(r, "Allow", allow);
        break;

    case NGX_HTTP_SERVICE_UNAVAILABLE:
        rc = ngx_http_prompt_add_header(r, "Retry-After",
                                        NGX_HTTP_PROMPT_RETRY_AFTER);
        break;
    }

    return rc == NGX_OK
           ? ngx_http_prompt_add_header(r, "Cache-Control", "no-store") : rc;
}


ngx_int_t
ngx_http_prompt_add_header(ngx_http_request_t *r, const char *name,
    const char *value)
{
    ngx_str_t  text;

    text.data = (u_char *) value;
    text.len = ngx_strlen(value);

    return ngx_http_prompt_page_header(r, name, &text) != NULL
           ? NGX_OK : NGX_ERROR;
}
