/*
 * GraphQL over HTTP: what prompt_graphql makes of a location.
 *
 *   handler      method, Accept, form of the key, Content-Type
 *   authorized   who asks is known: parameters, document
 *   document     operation, variables, scopes, headers; it is run
 *                (service/frame/operation.h)
 *   answered     the answer goes out
 */

#include "http/ngx_http_prompt_graphql.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_event_stream.h"
#include "http/ngx_http_prompt_query.h"
#include "http/ngx_http_prompt_response.h"
#include "http/ngx_http_prompt_unsent.h"


static ngx_int_t ngx_http_prompt_graphql_handler(ngx_http_request_t *r);
static void ngx_http_prompt_authorized(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_document(ngx_http_prompt_ctx_t *ctx);
static ngx_int_t ngx_http_prompt_events_begin(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_events_write(ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_events_next(void *caller,
    const prompt_str_t *pieces, size_t n);
static ngx_http_prompt_operation_t *ngx_http_prompt_inner(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_allowed(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_answered(void *caller);
static ngx_int_t ngx_http_prompt_graphql_error(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, prompt_str_t code, prompt_str_t message);


/* what a run asks for its cells */
static const char *const  ngx_http_prompt_graphql_documents[] = {
    "mutation($p:ID!,$v:Int,$l:String,$i:JSON!){executePrompt(promptId:$p,"
    "version:$v,label:$l,input:$i){output model costUsd latencyMs}}"
};

#define NGX_HTTP_PROMPT_INNER_MEMORY  (256 * 1024 * 1024)


const ngx_http_prompt_protocol_t  ngx_http_prompt_graphql_protocol = {
    .number = NGX_HTTP_PROMPT_GRAPHQL,
    .documents = ngx_http_prompt_graphql_documents,
    .ndocuments = 1,
    .handler = ngx_http_prompt_graphql_handler,
    .known = ngx_http_prompt_authorized,
    .error = ngx_http_prompt_graphql_error,
    .status_body = ngx_http_prompt_status_body,
    .sink = {
        .answered = ngx_http_prompt_answered,
        .refused = ngx_http_prompt_refused,
        .failed = ngx_http_prompt_failed,
        .event = ngx_http_prompt_events_next,
        .writable = ngx_http_prompt_writable,
        .inner = ngx_http_prompt_inner
    }
};


static ngx_int_t
ngx_http_prompt_graphql_handler(ngx_http_request_t *r)
{
    ngx_http_prompt_ctx_t  *ctx;

    /* of the debug log */

    static const char *const  words[] = {
        "of no accepted type", "json", "graphql", "events"
    };

    ctx = ngx_http_prompt_get_ctx(r);
    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ctx->media = ngx_http_prompt_media_accepted(r, &ctx->accepts_events);

    ngx_log_debug4(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt request: %V %V, answer %s%s", &r->method_name,
                   &r->http_protocol, words[ctx->media],
                   r != r->main ? ", subrequest" : "");

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_POST))) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_NOT_ALLOWED,
                   prompt_str("GraphQL only supports GET and POST requests."));
    }

    if (ctx->media == GQL_HTTP_MEDIA_NONE) {
        return ngx_http_prompt_refuse_early(ctx, 406,
                   prompt_str("The response can be application/json, "
                              "application/graphql-response+json or "
                              "text/event-stream; the Accept header allows "
                              "none of them."));
    }

    return ngx_http_prompt_begin(ctx);
}


static void
ngx_http_prompt_authorized(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t      rc;
    prompt_str_t   message;

    rc = ngx_http_prompt_params_read(ctx->op.job.request, ctx->op.job.arena,
                                     &ctx->params, &message);

    if (rc == NGX_DECLINED) {
        ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST, message);
        return;
    }

    if (rc != NGX_OK) {
        ngx_http_finalize_request(ctx->op.job.request,
                                  rc == NGX_ERROR
                                  ? NGX_HTTP_INTERNAL_SERVER_ERROR : rc);
        return;
    }

    if (ngx_http_prompt_query_find(ctx) == NGX_OK) {
        ngx_http_prompt_document(ctx);
    }
}


/* From the document's text to root fields that run. */
static void
ngx_http_prompt_document(ngx_http_prompt_ctx_t *ctx)
{
    gql_errors_t                  errors;
    ngx_http_prompt_loc_conf_t   *plcf;
    ngx_http_prompt_operation_t  *op;

    op = &ctx->op;
    op->document = ctx->params.query;
    op->name = ctx->params.operation_name;

    plcf = ngx_http_get_module_loc_conf(op->job.request,
                                        ngx_http_prompt_module);

    gql_errors_init(&errors, op->job.arena, op->document, 0);

    /* who may not read the schema should not learn it by guessing */

    errors.discreet = !plcf->limits.document.introspection;

    if (ngx_http_prompt_operation_prepare(op, plcf->shared, &errors) != NGX_OK)
    {
        ngx_http_prompt_operation_invalid(op, &errors,
                                          ngx_http_prompt_bad_user_input);
        return;
    }

    if (op->job.request->method == NGX_HTTP_GET
        && op->definition->operation == GQL_MUTATION)
    {
        ngx_http_prompt_refuse(ctx, NGX_HTTP_NOT_ALLOWED,
                   prompt_str("Can only perform a mutation operation from a "
                              "POST request."));
        return;
    }

    if (op->definition->operation == GQL_SUBSCRIPTION
        && ngx_http_prompt_events_begin(ctx) != NGX_OK)
    {
        return;
    }

    if (ngx_http_prompt_operation_plan(op, ctx->params.variables, &errors)
        != NGX_OK)
    {
        ngx_http_prompt_operation_invalid(op, &errors,
                                          ngx_http_prompt_bad_user_input);
        return;
    }

    if (ngx_http_prompt_allowed(ctx) == NGX_OK
        && ngx_http_prompt_read_headers(ctx) == NGX_OK)
    {
        ngx_http_prompt_query_keep(ctx);
        ngx_http_prompt_operation_run(op);
    }
}


/*
 * The stream of a subscription, whose answer has to be one whatever else is
 * accepted, too.  NGX_DONE: the request has got its answer.
 */
static ngx_int_t
ngx_http_prompt_events_begin(ngx_http_prompt_ctx_t *ctx)
{
    if (ctx->op.job.request->method == NGX_HTTP_GET) {
        return ngx_http_prompt_refuse(ctx, NGX_HTTP_NOT_ALLOWED,
                   prompt_str("Can only perform a subscription operation "
                              "from a POST request."));
    }

    if (!ctx->accepts_events) {
        return ngx_http_prompt_refuse(ctx, 406,
                   prompt_str("A subscription is answered as a stream of "
                              "events: the request must have the header "
                              "\"Accept: text/event-stream\"."));
    }

    ctx->media = GQL_HTTP_MEDIA_EVENTS;
    ctx->events = ngx_http_prompt_event_stream_create(ctx->op.job.request,
                                              &ngx_http_prompt_graphql_events);

    if (ctx->events == NULL) {
        ngx_http_finalize_request(ctx->op.job.request,
                                  NGX_HTTP_INTERNAL_SERVER_ERROR);
        return NGX_DONE;
    }

    ctx->op.job.request->write_event_handler = ngx_http_prompt_events_write;

    return NGX_OK;
}


/* where no call of a provider has it, which says so itself */
static void
ngx_http_prompt_events_write(ngx_http_request_t *r)
{
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);

    if (!ctx->answered) {
        ngx_http_prompt_writable(ctx);
    }
}


static ngx_int_t
ngx_http_prompt_events_next(void *caller, const prompt_str_t *pieces, size_t n)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    return ngx_http_prompt_add_replayed(ctx) == NGX_OK
           ? ngx_http_prompt_event_stream_next(ctx->events, pieces, n)
           : NGX_ERROR;
}


/* its context is that of any request: its own log, and what variables show */
static ngx_http_prompt_operation_t *
ngx_http_prompt_inner(ngx_http_request_t *r)
{
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_prompt_get_ctx(r);

    if (ctx == NULL) {
        return NULL;
    }

    ctx->inner = 1;
    ctx->op.job.arena = prompt_arena_create(NGX_HTTP_PROMPT_INNER_MEMORY);

    if (ctx->op.job.arena == NULL) {
        return NULL;
    }

    ngx_http_prompt_take_document(ctx, 0);

    return &ctx->op;
}


static ngx_int_t
ngx_http_prompt_allowed(ngx_http_prompt_ctx_t *ctx)
{
    return ngx_http_prompt_operation_allowed(&ctx->op) == NGX_OK
           ? NGX_OK
           : ngx_http_prompt_refuse(ctx, NGX_HTTP_UNAUTHORIZED,
                   prompt_str("Unauthorized: the API key lacks the scope that "
                              "this operation needs, or only who has signed "
                              "in may do it."));
}


static void
ngx_http_prompt_answered(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    ngx_int_t                     rc;
    ngx_uint_t                    status;
    ngx_http_request_t           *r;
    ngx_http_prompt_operation_t  *op;

    op = &ctx->op;
    r = op->job.request;

    ctx->answered = 1;

    if (ngx_http_prompt_add_headers(ctx) != NGX_OK) {
        ngx_http_prompt_fail(r);
        return;
    }

    /* GraphQL over HTTP, "application/graphql-response+json": 400 */

    status = op->invalid && ctx->media == GQL_HTTP_MEDIA_GRAPHQL
             ? NGX_HTTP_BAD_REQUEST : NGX_HTTP_OK;

    rc = ngx_http_prompt_send(r, status, ctx->media, op->pieces, op->npieces);

    ngx_http_prompt_unsent_sent(ctx);
    ngx_http_finalize_request(r, rc);
}


static ngx_int_t
ngx_http_prompt_graphql_error(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    if (ctx->media == GQL_HTTP_MEDIA_NONE) {
        ctx->media = GQL_HTTP_MEDIA_JSON;
    }

    return ngx_http_prompt_send_error(ctx->op.job.request, status, ctx->media,
                                      code, message, ctx->op.job.executions);
}
