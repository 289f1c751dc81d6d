/*
 * The way of a request, one station after the other.  Its context, and what
 * becomes of that in the end, is in ngx_http_prompt_ctx.c.
 *
 *   handler      method, Accept, Content-Type, form of the key
 *   body_read    the body is there; the key is looked up
 *   authorized   parameters, document, operation, variables, scopes
 *   end          the root fields are completed (src/service); the answer
 *                goes out
 *
 * A station ends the request by ngx_http_prompt_refuse() or goes on to the
 * next.  Up to the body everything is said with the handler's return value;
 * from there on the request is finalized by whoever ends it.
 */

#include "http/ngx_http_prompt_request.h"

#include "conf/ngx_http_prompt_conf.h"
#include "graphql/values/values.h"
#include "http/ngx_http_prompt_error_log.h"
#include "http/ngx_http_prompt_events.h"
#include "http/ngx_http_prompt_idempotency.h"
#include "http/ngx_http_prompt_position.h"
#include "http/ngx_http_prompt_query.h"
#include "http/ngx_http_prompt_response.h"
#include "http/ngx_http_prompt_session.h"
#include "http/ngx_http_prompt_unsent.h"
#include "http/ngx_http_prompt_variables.h"
#include "service/once.h"
#include "service/service.h"
#include "service/standby.h"
#include "service/worker.h"


static ngx_inline const char *ngx_http_prompt_media_word(
    gql_http_media_e media);
static ngx_inline const char *ngx_http_prompt_auth_word(
    ngx_http_prompt_auth_e auth);
static ngx_int_t ngx_http_prompt_refuse_early(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, prompt_str_t code, prompt_str_t message);
static void ngx_http_prompt_body_read(ngx_http_request_t *r);
static void ngx_http_prompt_key_known(void *data,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity);
static void ngx_http_prompt_authorized(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_document(ngx_http_prompt_ctx_t *ctx);
static const gql_operation_definition_t *ngx_http_prompt_find_operation(
    ngx_http_prompt_ctx_t *ctx, const gql_limits_t *limits,
    gql_errors_t *errors);
static ngx_int_t ngx_http_prompt_plan(ngx_http_prompt_ctx_t *ctx,
    const gql_operation_definition_t *operation, gql_errors_t *errors);
static ngx_int_t ngx_http_prompt_scopes(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_told(ngx_http_prompt_job_t *job);
static void ngx_http_prompt_request_errors(ngx_http_prompt_ctx_t *ctx,
    const gql_errors_t *errors, prompt_str_t default_code);


ngx_int_t
ngx_http_prompt_handler(ngx_http_request_t *r)
{
    ngx_int_t               rc;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_prompt_get_ctx(r);
    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ctx->media = ngx_http_prompt_media_accepted(r, &ctx->accepts_events);

    ngx_log_debug4(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt request: %V %V, answer %s%s", &r->method_name,
                   &r->http_protocol, ngx_http_prompt_media_word(ctx->media),
                   r != r->main ? ", subrequest" : "");

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_POST))) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_NOT_ALLOWED,
                   ngx_http_prompt_bad_user_input,
                   prompt_str("GraphQL only supports GET and POST requests."));
    }

    if (ctx->media == GQL_HTTP_MEDIA_NONE) {
        return ngx_http_prompt_refuse_early(ctx, 406,
                   ngx_http_prompt_bad_user_input,
                   prompt_str("The response can be application/json, "
                              "application/graphql-response+json or "
                              "text/event-stream; the Accept header allows "
                              "none of them."));
    }

    ctx->auth = ngx_http_prompt_auth(r, ctx->key);

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt key: %s", ngx_http_prompt_auth_word(ctx->auth));

    if (ctx->auth == NGX_HTTP_PROMPT_AUTH_FOREIGN) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_UNAUTHORIZED,
                   ngx_http_prompt_unauthenticated,
                   prompt_str("Unauthorized: a request with a cookie must be a "
                              "POST of application/json from this site."));
    }

    if (r->method == NGX_HTTP_POST && !ngx_http_prompt_media_is_json(r)) {
        return ngx_http_prompt_refuse_early(ctx,
                   NGX_HTTP_UNSUPPORTED_MEDIA_TYPE,
                   ngx_http_prompt_bad_user_input,
                   prompt_str("The request must have the header "
                              "\"Content-Type: application/json\", in UTF-8."));
    }

    if (r->method == NGX_HTTP_POST && ngx_http_prompt_media_is_encoded(r)) {
        return ngx_http_prompt_refuse_early(ctx,
                   NGX_HTTP_UNSUPPORTED_MEDIA_TYPE,
                   ngx_http_prompt_bad_user_input,
                   prompt_str("The request body must not be compressed: the "
                              "header \"Content-Encoding\" is not "
                              "supported."));
    }

    if (ctx->auth == NGX_HTTP_PROMPT_AUTH_NONE) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_UNAUTHORIZED,
                   ngx_http_prompt_unauthenticated,
                   prompt_str("Unauthorized: a valid API key is required."));
    }

    r->request_body_in_single_buf = 1;

    rc = ngx_http_read_client_request_body(r, ngx_http_prompt_body_read);

    if (rc >= NGX_HTTP_SPECIAL_RESPONSE) {
        return rc;
    }

    return NGX_DONE;
}


/* words of the debug log */

static ngx_inline const char *
ngx_http_prompt_media_word(gql_http_media_e media)
{
    static const char *const  words[] = {
        "of no accepted type", "json", "graphql", "events"
    };

    return words[media];
}


static ngx_inline const char *
ngx_http_prompt_auth_word(ngx_http_prompt_auth_e auth)
{
    static const char *const  words[] = {
        "none, or of no sound form", "of sound form", "of a session",
        "of a session, from another site"
    };

    return words[auth];
}


/* Answers before the body was read: what comes of it is thrown away. */

static ngx_int_t
ngx_http_prompt_refuse_early(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    ngx_int_t            rc;
    ngx_http_request_t  *r;

    r = ctx->job.request;

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ctx->media == GQL_HTTP_MEDIA_NONE) {
        ctx->media = GQL_HTTP_MEDIA_JSON;
    }

    ctx->answered = 1;
    ctx->job.log.error_code = code;

    return ngx_http_prompt_send_error(r, status, ctx->media, code, message,
                                      NULL);
}


static void
ngx_http_prompt_body_read(ngx_http_request_t *r)
{
    off_t                      length;
    ngx_http_prompt_ctx_t     *ctx;
    ngx_http_prompt_worker_t  *worker;

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);

    length = r->request_length;

    if (length > NGX_HTTP_PROMPT_PARAMS_BODY) {
        length = NGX_HTTP_PROMPT_PARAMS_BODY;
    }

    ctx->job.arena = prompt_arena_create(NGX_HTTP_PROMPT_REQUEST_MEMORY
                                     + (size_t) length
                                       * NGX_HTTP_PROMPT_REQUEST_MEMORY_BODY);
    if (ctx->job.arena == NULL) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    r->write_event_handler = ngx_http_request_empty_handler;

    ngx_http_prompt_watch_client(r);

    worker = ngx_http_prompt_get_worker(r);

    ctx->lookup = ngx_http_prompt_keys_lookup(worker->keys, r, ctx->key,
                                              ngx_http_prompt_key_known, ctx);
    if (ctx->lookup == NULL) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
    }
}


static void
ngx_http_prompt_key_known(void *data, ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    ctx->lookup = NULL;

    switch (result) {

    case NGX_HTTP_PROMPT_KEY_KNOWN:

        if (ngx_http_prompt_auth_is_of(ctx->auth, identity)) {
            ctx->job.identity = *identity;
            ngx_http_prompt_auth_used(ctx->job.request, identity);
            ngx_http_prompt_authorized(ctx);
            break;
        }

        /* fall through */

    case NGX_HTTP_PROMPT_KEY_REFUSED:
        ngx_http_prompt_refuse(ctx, NGX_HTTP_UNAUTHORIZED,
                   ngx_http_prompt_unauthenticated,
                   ctx->auth == NGX_HTTP_PROMPT_AUTH_SESSION
                   ? prompt_str("Unauthorized: the session has ended; sign in "
                                "again.")
                   : prompt_str("Unauthorized: a valid API key is required."));
        break;

    case NGX_HTTP_PROMPT_KEY_UNAVAILABLE:
        ngx_http_prompt_refuse(ctx, NGX_HTTP_SERVICE_UNAVAILABLE,
                   ngx_http_prompt_internal_server_error,
                   prompt_str("The API key could not be checked: the database "
                              "did not answer. Try again later."));
        break;
    }
}


static void
ngx_http_prompt_authorized(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t      rc;
    prompt_str_t   message;

    rc = ngx_http_prompt_params_read(ctx->job.request, ctx->job.arena,
                                     &ctx->params, &message);

    if (rc == NGX_DECLINED) {
        ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                               ngx_http_prompt_bad_user_input, message);
        return;
    }

    if (rc != NGX_OK) {
        ngx_http_finalize_request(ctx->job.request,
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
    gql_errors_t                       errors;
    ngx_http_prompt_loc_conf_t        *plcf;
    const gql_operation_definition_t  *operation;

    plcf = ngx_http_get_module_loc_conf(ctx->job.request,
                                        ngx_http_prompt_module);

    gql_errors_init(&errors, ctx->job.arena, ctx->params.query, 0);

    /* who may not read the schema should not learn it by guessing */

    errors.discreet = !plcf->limits.document.introspection;

    operation = ngx_http_prompt_find_operation(ctx, plcf->shared, &errors);
    if (operation == NULL) {
        ngx_http_prompt_request_errors(ctx, &errors,
                                       ngx_http_prompt_bad_user_input);
        return;
    }

    if (ctx->job.request->method == NGX_HTTP_GET
        && operation->operation == GQL_MUTATION)
    {
        ngx_http_prompt_refuse(ctx, NGX_HTTP_NOT_ALLOWED,
                   ngx_http_prompt_bad_user_input,
                   prompt_str("Can only perform a mutation operation from a "
                              "POST request."));
        return;
    }

    if (operation->operation == GQL_SUBSCRIPTION
        && ngx_http_prompt_events_begin(ctx) != NGX_OK)
    {
        return;
    }

    if (ngx_http_prompt_plan(ctx, operation, &errors) != NGX_OK) {
        ngx_http_prompt_request_errors(ctx, &errors,
                                       ngx_http_prompt_bad_user_input);
        return;
    }

    ngx_http_prompt_log_operation(ctx, operation);

    if (ngx_http_prompt_scopes(ctx) != NGX_OK) {
        ngx_http_prompt_refuse(ctx, NGX_HTTP_UNAUTHORIZED,
                   ngx_http_prompt_unauthenticated,
                   prompt_str("Unauthorized: the API key lacks the scope that "
                              "this operation needs, or only who has signed "
                              "in may do it."));
        return;
    }

    if (ngx_http_prompt_position_find(ctx) != NGX_OK) {
        return;
    }

    ngx_http_prompt_query_keep(ctx);

    ctx->changes = (operation->operation != GQL_QUERY);

    if (ngx_http_prompt_unsent_begin(ctx) == NGX_DECLINED) {
        ngx_http_prompt_begin(ctx);
    }
}


void
ngx_http_prompt_begin(ngx_http_prompt_ctx_t *ctx)
{
    if (ngx_http_prompt_idempotency_begin(ctx) == NGX_DECLINED) {
        ngx_http_prompt_run(ctx);
    }
}


/* The operation that is to be executed; NULL: errors say why there is none. */

static const gql_operation_definition_t *
ngx_http_prompt_find_operation(ngx_http_prompt_ctx_t *ctx,
    const gql_limits_t *limits, gql_errors_t *errors)
{
    gql_error_t                       *error;
    gql_engine_stats_t                 before, after;
    ngx_http_prompt_worker_t          *worker;
    const gql_operation_definition_t  *operation;

    worker = ngx_http_prompt_get_worker(ctx->job.request);

    gql_engine_stats(worker->engine, &before);

    ctx->prepared = gql_prepare(worker->engine, limits, ctx->params.query,
                                errors);

    gql_engine_stats(worker->engine, &after);

    ngx_log_debug3(NGX_LOG_DEBUG_HTTP, ctx->job.request->connection->log, 0,
                   "prompt plan: %s, %uz bytes of document, %uL evicted",
                   ctx->prepared == NULL ? "refused"
                   : after.hits != before.hits ? "found" : "compiled",
                   ctx->params.query.len, after.evictions - before.evictions);

    if (ctx->prepared == NULL) {
        return NULL;
    }

    operation = gql_prepared_operation(ctx->prepared,
                                       ctx->params.operation_name, errors);

    if (operation == NULL
        || gql_schema_root(worker->schema, operation->operation) != NULL)
    {
        return operation;
    }

    error = gql_errors_add(errors, "Schema is not configured to execute %s "
                           "operation.",
                           operation->operation == GQL_SUBSCRIPTION
                           ? "subscription" : "mutation");
    gql_error_at(errors, error, operation->node.start);

    return NULL;
}


/* NGX_ERROR: errors say why the variables do not fit, or there is no plan */

static ngx_int_t
ngx_http_prompt_plan(ngx_http_prompt_ctx_t *ctx,
    const gql_operation_definition_t *operation, gql_errors_t *errors)
{
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(ctx->job.request);

    ctx->variables = gql_coerce_variables(ctx->job.arena, worker->schema,
                                          operation, ctx->params.variables,
                                          errors);
    if (ctx->variables == NULL) {
        return NGX_ERROR;
    }

    ctx->job.plan = gql_prepared_plan(ctx->prepared, operation, ctx->variables,
                                      errors);

    return ctx->job.plan != NULL ? NGX_OK : NGX_ERROR;
}


void
ngx_http_prompt_run(ngx_http_prompt_ctx_t *ctx)
{
    ctx->job.variables = ctx->variables;
    ctx->job.execution = gql_execution_create(ctx->job.arena, ctx->job.plan,
                                              ctx->variables,
                                              &ngx_http_prompt_resolver,
                                              &ctx->job,
                                              NGX_HTTP_PROMPT_MAX_RESPONSE);
    if (ctx->job.execution == NULL
        || ngx_http_prompt_job_create(&ctx->job) != NGX_OK)
    {
        ngx_http_finalize_request(ctx->job.request,
                                  NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    gql_execution_request_code(ctx->job.execution,
                               ngx_http_prompt_bad_user_input);

    if (ngx_http_prompt_standby_begin(&ctx->job) == NGX_DECLINED) {
        ngx_http_prompt_job_run(&ctx->job);
    }
}


static ngx_int_t
ngx_http_prompt_scopes(ngx_http_prompt_ctx_t *ctx)
{
    ngx_uint_t  scopes, needed;

    scopes = ctx->job.identity.scopes;

    if (scopes == 0) {
        scopes = PROMPT_KEY_SCOPE_READ|PROMPT_KEY_SCOPE_WRITE
                 |PROMPT_KEY_SCOPE_EXECUTE|PROMPT_KEY_SCOPE_KEYS;
    }

    needed = ngx_http_prompt_service_scopes(ctx->job.plan);

    return (needed & ~scopes) == 0 ? NGX_OK : NGX_DECLINED;
}


/* All root fields are completed, or there is no room for more of them. */

void
ngx_http_prompt_end(ngx_http_prompt_job_t *job)
{
    size_t                  n;
    prompt_str_t            code;
    ngx_http_request_t     *r;
    const gql_errors_t     *errors;
    const prompt_str_t     *pieces;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = (ngx_http_prompt_ctx_t *) job;
    r = ctx->job.request;

    if (job->cut) {
        ngx_http_prompt_unsent_refuse(ctx, NGX_HTTP_OK);
        return;
    }

    errors = gql_execution_errors(ctx->job.execution);

    if (ctx->events != NULL && gql_execution_aborted(ctx->job.execution)) {
        code = errors->first != NULL && errors->first->of_request
               ? ngx_http_prompt_bad_user_input
               : ngx_http_prompt_internal_server_error;

        ngx_http_prompt_request_errors(ctx, errors, code);
        return;
    }

    n = gql_execution_finish(ctx->job.execution,
                             ngx_http_prompt_internal_server_error, &pieces);
    if (n == 0) {
        ngx_http_prompt_fail(r);
        return;
    }

    ngx_http_prompt_log_error(ctx, errors,
                              ngx_http_prompt_internal_server_error);

    ctx->pieces = ngx_palloc(r->pool, n * sizeof(prompt_str_t));
    if (ctx->pieces == NULL) {
        ngx_http_prompt_fail(r);
        return;
    }

    gql_execution_take(ctx->job.execution, ctx->pieces);
    ctx->npieces = n;

    ngx_log_debug2(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt request: done, %uz pieces, errors: %uD", n,
                   errors->count);

    ngx_http_prompt_release(ctx);

    if (ctx->job.once != NULL) {
        ngx_http_prompt_unsent_sent(ctx);
    }

    if (ngx_http_prompt_idempotency_end(ctx) == NGX_DECLINED) {
        ngx_http_prompt_answer(ctx);
    }
}


void
ngx_http_prompt_answer(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t            rc;
    ngx_http_request_t  *r;

    r = ctx->job.request;

    ngx_http_prompt_release(ctx);

    if (ngx_http_prompt_standby_tell(&ctx->job, ngx_http_prompt_told)
        == NGX_AGAIN)
    {
        ngx_http_prompt_unsent_sent(ctx);
        return;
    }

    if (ngx_http_prompt_unsent_check(ctx) != NGX_OK) {
        return;
    }

    ctx->answered = 1;

    if (ngx_http_prompt_position_add(ctx) != NGX_OK) {
        ngx_http_prompt_fail(r);
        return;
    }

    rc = ngx_http_prompt_send(r, NGX_HTTP_OK, ctx->media, ctx->pieces,
                              ctx->npieces);

    ngx_http_prompt_unsent_sent(ctx);
    ngx_http_finalize_request(r, rc);
}


/* All hosts know how far a change is: its client may read there. */

static void
ngx_http_prompt_told(ngx_http_prompt_job_t *job)
{
    ngx_http_prompt_answer((ngx_http_prompt_ctx_t *) job);
}


void
ngx_http_prompt_refuse(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    ngx_int_t            rc;
    ngx_http_request_t  *r;

    r = ctx->job.request;

    ctx->answered = 1;
    ctx->job.log.error_code = code;

    rc = ngx_http_prompt_send_error(r, status, ctx->media, code, message,
                                    ctx->job.executions);

    ngx_http_prompt_release(ctx);

    ngx_http_finalize_request(r, rc);
}


/*
 * Errors that were found before execution, or in place of an event: the answer
 * has no "data".
 */

static void
ngx_http_prompt_request_errors(ngx_http_prompt_ctx_t *ctx,
    const gql_errors_t *errors, prompt_str_t default_code)
{
    char                *copy;
    ngx_uint_t           status;
    prompt_buf_t         buf;
    prompt_str_t         piece;
    ngx_http_request_t  *r;

    r = ctx->job.request;

    if (errors->count == 0 || errors->nomem) {
        ngx_http_prompt_error_log_memory(r);
        ngx_http_prompt_refuse(ctx, NGX_HTTP_OK,
                   ngx_http_prompt_internal_server_error,
                   prompt_str("The document needs more memory than this "
                              "server gives to one request."));
        return;
    }

    prompt_buf_init(&buf, NGX_HTTP_PROMPT_MAX_RESPONSE);

    prompt_buf_literal(&buf, "{\"errors\":");
    gql_errors_write(&buf, errors, default_code);
    prompt_buf_literal(&buf, "}");

    copy = (buf.status == PROMPT_BUF_OK) ? ngx_pnalloc(r->pool, buf.len)
                                         : NULL;
    if (copy == NULL) {
        prompt_buf_free(&buf);
        ngx_http_prompt_fail(r);
        return;
    }

    ngx_memcpy(copy, buf.data, buf.len);
    piece = prompt_str_of(copy, buf.len);
    prompt_buf_free(&buf);

    ngx_http_prompt_log_error(ctx, errors, default_code);

    ctx->answered = 1;

    ngx_http_prompt_release(ctx);

    /* GraphQL over HTTP, "application/graphql-response+json": 400 */

    status = ctx->media == GQL_HTTP_MEDIA_GRAPHQL
             ? NGX_HTTP_BAD_REQUEST : NGX_HTTP_OK;

    ngx_http_finalize_request(r, ngx_http_prompt_send(r, status, ctx->media,
                                                      &piece, 1));
}
