/*
 * The span of a request.  Its query string is no part of it: it may hold
 * variables.
 */

#include "http/ngx_http_prompt_span.h"

#include "base/uuid.h"
#include "io/ngx_http_prompt_timer.h"
#include "service/spans/otlp.h"
#include "service/worker/worker.h"


/* bytes of the name of an operation */
#define NGX_HTTP_PROMPT_SPAN_NAME  128


static void ngx_http_prompt_span_attributes(ngx_http_prompt_ctx_t *ctx,
    prompt_span_t *span);
static prompt_str_t ngx_http_prompt_span_scheme(ngx_http_request_t *r);
static void ngx_http_prompt_span_id(prompt_span_t *span, const char *name,
    const u_char id[16], char text[PROMPT_UUID_TEXT_LEN]);
static prompt_str_t ngx_http_prompt_span_of(const ngx_str_t *text);


void
ngx_http_prompt_span(ngx_http_prompt_ctx_t *ctx)
{
    int                      n;
    char                     name[NGX_HTTP_PROMPT_SPAN_NAME];
    char                     ids[3][PROMPT_UUID_TEXT_LEN];
    prompt_span_t            span;
    ngx_http_request_t      *r;
    ngx_http_prompt_log_t   *log;
    ngx_http_prompt_otlp_t  *otlp;

    r = ctx->op.job.request;
    log = &ctx->op.job.log;
    otlp = ngx_http_prompt_get_worker(r)->otlp;

    if (otlp == NULL) {
        return;
    }

    ngx_http_prompt_trace_find(r, &ctx->op.job.trace);

    if (!ctx->op.job.trace.there || !ctx->op.job.trace.context.sampled) {
        return;
    }

    /* the attributes are as many as were set */

    ngx_memzero(&span, offsetof(prompt_span_t, attributes));

    ngx_memcpy(span.trace_id, ctx->op.job.trace.context.trace_id,
               PROMPT_TRACE_ID_LEN);
    ngx_memcpy(span.parent_id, ctx->op.job.trace.context.parent_id,
               PROMPT_SPAN_ID_LEN);
    ngx_memcpy(span.span_id, ctx->op.job.trace.span_id, PROMPT_SPAN_ID_LEN);

    span.kind = PROMPT_SPAN_SERVER;
    span.start_ms = (int64_t) r->start_sec * 1000 + (int64_t) r->start_msec;
    span.end_ms = ngx_max(ngx_http_prompt_now_ms(), span.start_ms);

    span.name = prompt_str("GraphQL Operation");

    if (log->type.data != NULL) {
        n = snprintf(name, sizeof(name), "%.*s %.*s",
                     prompt_str_arg(log->type),
                     prompt_str_arg(log->operation));
        span.name = prompt_str_of(name, ngx_min((size_t) n, sizeof(name) - 1));
    }

    if (log->operation.data == NULL
        || prompt_str_eq(log->operation, prompt_str("multiple")))
    {
        span.name = log->type.data != NULL ? log->type : span.name;
    }

    ngx_http_prompt_span_attributes(ctx, &span);

    ngx_http_prompt_span_id(&span, "prompt.user.id",
                            ctx->op.job.identity.user_id, ids[0]);
    ngx_http_prompt_span_id(&span, "prompt.key.id", ctx->op.job.identity.key_id,
                            ids[1]);
    ngx_http_prompt_span_id(&span, "prompt.project.id",
                            ctx->op.job.identity.project_id, ids[2]);

    ngx_http_prompt_otlp_put(otlp, &span);
}


static void
ngx_http_prompt_span_attributes(ngx_http_prompt_ctx_t *ctx,
    prompt_span_t *span)
{
    ngx_uint_t              status;
    ngx_http_request_t     *r;
    ngx_http_prompt_log_t  *log;

    r = ctx->op.job.request;
    log = &ctx->op.job.log;

    status = r->err_status != 0 ? r->err_status : r->headers_out.status;

    span->failed = status >= NGX_HTTP_INTERNAL_SERVER_ERROR
                   || (log->error_code.data != NULL
                       && prompt_str_eq(log->error_code,
                                        ngx_http_prompt_internal_server_error));

    /* a client may call a method what it likes */

    prompt_span_text(span, "http.request.method",
                     r->method == NGX_HTTP_UNKNOWN
                     ? prompt_str("_OTHER")
                     : ngx_http_prompt_span_of(&r->method_name));
    prompt_span_text(span, "url.path", ngx_http_prompt_span_of(&r->uri));
    prompt_span_text(span, "url.scheme", ngx_http_prompt_span_scheme(r));
    prompt_span_text(span, "server.address",
                     ngx_http_prompt_span_of(&r->headers_in.server));
    prompt_span_text(span, "graphql.operation.type", log->type);
    prompt_span_text(span, "graphql.operation.name", log->name);
    prompt_span_text(span, "prompt.operation", log->operation);
    prompt_span_text(span, "prompt.protocol",
                     ngx_http_prompt_protocol_names[log->protocol]);
    prompt_span_text(span, "error.type", log->error_code);

    /* 0: the client did not wait for an answer */

    if (status != 0) {
        prompt_span_integer(span, "http.response.status_code",
                            (int64_t) status);
    }
}


static prompt_str_t
ngx_http_prompt_span_scheme(ngx_http_request_t *r)
{
#if (NGX_HTTP_SSL)

    if (r->connection->ssl != NULL) {
        return prompt_str("https");
    }

#endif

    return prompt_str("http");
}


/* zero: not known */
static void
ngx_http_prompt_span_id(prompt_span_t *span, const char *name,
    const u_char id[16], char text[PROMPT_UUID_TEXT_LEN])
{
    prompt_uuid_t  uuid;

    static const prompt_uuid_t  unknown;

    ngx_memcpy(uuid.bytes, id, sizeof(uuid.bytes));

    if (ngx_memcmp(uuid.bytes, unknown.bytes, sizeof(uuid.bytes)) != 0) {
        prompt_uuid_format(&uuid, text);
        prompt_span_text(span, name,
                         prompt_str_of(text, PROMPT_UUID_TEXT_LEN));
    }
}


static prompt_str_t
ngx_http_prompt_span_of(const ngx_str_t *text)
{
    return text->len != 0 ? ngx_http_prompt_str(text)
                          : prompt_str_absent;
}
