/*
 * OpenAI's API over stored prompts: see README.md.
 *
 *   handler    what stands behind the location's name; method, key, type
 *   known      the body becomes variables of a document, which is run
 *   answered   the answer in OpenAI's words
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_response.h"
#include "http/ngx_http_prompt_unsent.h"
#include "service/frame/service.h"


/* memory to read errors, which are short, from an answer */
#define NGX_HTTP_PROMPT_OPENAI_ERRORS  (32 * 1024 * 1024)


static ngx_int_t ngx_http_prompt_openai_handler(ngx_http_request_t *r);
static prompt_str_t ngx_http_prompt_openai_path(ngx_http_request_t *r);
static const ngx_http_prompt_openai_route_t *ngx_http_prompt_openai_find(
    prompt_str_t path, prompt_str_t *name);
static void ngx_http_prompt_openai_known(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_openai_run(ngx_http_prompt_openai_request_t *rq);
static void ngx_http_prompt_openai_answered(void *caller);
static ngx_int_t ngx_http_prompt_openai_write(
    ngx_http_prompt_openai_request_t *rq, prompt_buf_t *out);
static void ngx_http_prompt_openai_send(ngx_http_prompt_openai_request_t *rq,
    prompt_buf_t *out);
static void ngx_http_prompt_openai_errors(
    ngx_http_prompt_openai_request_t *rq);
static void ngx_http_prompt_openai_fault(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_error_t *error);
static void ngx_http_prompt_openai_refused(void *caller,
    const ngx_http_prompt_refusal_t *refusal);
static void ngx_http_prompt_openai_failed(void *caller);


const ngx_http_prompt_protocol_t  ngx_http_prompt_openai_protocol = {
    .number = NGX_HTTP_PROMPT_OPENAI,
    .handler = ngx_http_prompt_openai_handler,
    .known = ngx_http_prompt_openai_known,
    .error = ngx_http_prompt_openai_error,
    .status_body = ngx_http_prompt_openai_status_body,
    .sink = {
        .answered = ngx_http_prompt_openai_answered,
        .refused = ngx_http_prompt_openai_refused,
        .failed = ngx_http_prompt_openai_failed,
        .event = ngx_http_prompt_openai_event,
        .writable = ngx_http_prompt_openai_writable
    }
};


#define arguments                                                             \
    "($promptId: ID!, $input: JSON!, $version: Int, $label: String, "         \
    "$subject: String, $metadata: JSON, $overrides: JSON)"
#define passed                                                                \
    "(promptId: $promptId, input: $input, version: $version, label: $label, " \
    "subject: $subject, metadata: $metadata, overrides: $overrides)"
#define result                                                                \
    "{ executionId model finishReason tokenIn tokenCached tokenCacheWrite "   \
    "tokenOut tokenReasoning costUsd latencyMs versionUsed message }"
#define version                                                               \
    "{ content params messages { role content images placeholder } }"

/* the message comes last: see ..._result.c */
static const char *const  ngx_http_prompt_openai_documents[] = {
    "mutation OpenAI" arguments " { e: executePrompt" passed " " result " }",

    "subscription OpenAI" arguments " { e: executePromptStream" passed
    " { delta result " result " } }",

    "query OpenAI { me { name email } "
    "prompts { name createdAt labels { label } } }",

    "query OpenAI($name: String!, $version: Int, $label: String) "
    "{ me { name email } promptByName(name: $name) { name createdAt "
    "version(number: $version, label: $label) { version } } }",

    "query OpenAI($name: String!, $version: Int, $label: String) "
    "{ promptByName(name: $name) "
    "{ version(number: $version, label: $label) " version " } }",

    "query OpenAI($name: String!) { promptByName(name: $name) "
    "{ production: version(label: \"" PROMPT_NAMED_DEFAULT "\") " version
    " version " version " } }"
};

#undef arguments
#undef passed
#undef result
#undef version


static const ngx_http_prompt_openai_route_t
    ngx_http_prompt_openai_routes[] =
{
    { .path = prompt_str_init("chat/completions"),
      .method = NGX_HTTP_POST, .allow = "POST", .scope = "execute",
      .document = NGX_HTTP_PROMPT_OPENAI_RUN,
      .read = ngx_http_prompt_openai_read_chat,
      .write = ngx_http_prompt_openai_chat,
      .form = &ngx_http_prompt_openai_chat_events,
      .begin = ngx_http_prompt_openai_chat_begin,
      .delta = ngx_http_prompt_openai_chat_delta,
      .end = ngx_http_prompt_openai_chat_end,
      .fail = ngx_http_prompt_openai_chat_fail },

    { .path = prompt_str_init("responses"),
      .method = NGX_HTTP_POST, .allow = "POST", .scope = "execute",
      .document = NGX_HTTP_PROMPT_OPENAI_RUN,
      .read = ngx_http_prompt_openai_read_response,
      .write = ngx_http_prompt_openai_response,
      .form = &ngx_http_prompt_openai_response_events,
      .begin = ngx_http_prompt_openai_response_begin,
      .delta = ngx_http_prompt_openai_response_delta,
      .end = ngx_http_prompt_openai_response_end,
      .fail = ngx_http_prompt_openai_response_fail },

    { .path = prompt_str_init("models"),
      .method = NGX_HTTP_GET, .allow = "GET", .scope = "read",
      .document = NGX_HTTP_PROMPT_OPENAI_MODELS,
      .read = ngx_http_prompt_openai_read_models,
      .list = ngx_http_prompt_openai_models },

    { .path = prompt_str_init("models/"), .named = 1,
      .method = NGX_HTTP_GET, .allow = "GET", .scope = "read",
      .document = NGX_HTTP_PROMPT_OPENAI_MODEL,
      .read = ngx_http_prompt_openai_read_model,
      .list = ngx_http_prompt_openai_model },

    { .path = prompt_str_init("beta/litellm_prompt_management"),
      .method = NGX_HTTP_GET, .allow = "GET", .scope = "read",
      .document = NGX_HTTP_PROMPT_OPENAI_TEMPLATE,
      .read = ngx_http_prompt_openai_read_template,
      .list = ngx_http_prompt_openai_template }
};


ngx_int_t
ngx_http_prompt_openai_configure(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_uint_t  i;

    pmcf->openai = ngx_pcalloc(cf->pool,
                               sizeof(struct ngx_http_prompt_openai_s));
    if (pmcf->openai == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < NGX_HTTP_PROMPT_OPENAI_DOCUMENTS; i++) {
        pmcf->openai->documents[i] = ngx_http_prompt_operation_compile(cf,
                                         ngx_http_prompt_openai_documents[i]);

        if (pmcf->openai->documents[i] == NULL) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_handler(ngx_http_request_t *r)
{
    prompt_str_t                       name;
    ngx_http_prompt_ctx_t             *ctx;
    ngx_http_prompt_openai_request_t  *rq;

    ctx = ngx_http_prompt_get_ctx(r);
    rq = ngx_pcalloc(r->pool, sizeof(ngx_http_prompt_openai_request_t));

    if (ctx == NULL || rq == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    rq->ctx = ctx;
    rq->created = ngx_time();
    rq->route = ngx_http_prompt_openai_find(ngx_http_prompt_openai_path(r),
                                            &name);
    rq->name = name;
    ctx->data = rq;

    if (rq->route == NULL) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_NOT_FOUND,
                   prompt_str("There is nothing at this address: stored "
                              "prompts are run by POST to chat/completions "
                              "or responses, and listed by GET of models."));
    }

    if (r->method != rq->route->method) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_NOT_ALLOWED,
                   rq->route->method == NGX_HTTP_POST
                   ? prompt_str("This address is for POST only.")
                   : prompt_str("This address is for GET only."));
    }

    return ngx_http_prompt_begin(ctx);
}


/* What stands behind the location's name, with a slash between or in it. */

static prompt_str_t
ngx_http_prompt_openai_path(ngx_http_request_t *r)
{
    prompt_str_t               path;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    path = prompt_str_of((char *) r->uri.data, r->uri.len);

    if (path.len >= clcf->name.len
        && ngx_memcmp(path.data, clcf->name.data, clcf->name.len) == 0)
    {
        path.data += clcf->name.len;
        path.len -= clcf->name.len;

        if (clcf->name.len != 0
            && clcf->name.data[clcf->name.len - 1] == '/')
        {
            return path;
        }
    }

    if (path.len == 0 || path.data[0] != '/') {
        return prompt_str("");
    }

    return prompt_str_of(path.data + 1, path.len - 1);
}


static const ngx_http_prompt_openai_route_t *
ngx_http_prompt_openai_find(prompt_str_t path, prompt_str_t *name)
{
    ngx_uint_t                             i;
    const ngx_http_prompt_openai_route_t  *route;

    *name = prompt_str_absent;

    for (i = 0; i < sizeof(ngx_http_prompt_openai_routes)
                    / sizeof(ngx_http_prompt_openai_routes[0]); i++)
    {
        route = &ngx_http_prompt_openai_routes[i];

        if (prompt_str_eq(path, route->path) && !route->named) {
            return route;
        }

        if (route->named && path.len > route->path.len
            && ngx_memcmp(path.data, route->path.data, route->path.len) == 0)
        {
            *name = prompt_str_of(path.data + route->path.len,
                                  path.len - route->path.len);
            return route;
        }
    }

    return NULL;
}


static void
ngx_http_prompt_openai_known(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t                          rc;
    prompt_str_t                       message;
    ngx_http_request_t                *r;
    ngx_http_prompt_openai_request_t  *rq;

    r = ctx->op.job.request;
    rq = ctx->data;
    rc = NGX_OK;

    if (rq->route->method == NGX_HTTP_POST) {
        rc = ngx_http_prompt_params_json(r, ctx->op.job.arena, &rq->body,
                                         &message);
        if (rc == NGX_DECLINED) {
            ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST, message);
            return;
        }
    }

    if (rc == NGX_OK) {
        rq->variables = prompt_json_new(ctx->op.job.arena,
                                        PROMPT_JSON_OBJECT);
        rc = rq->variables != NULL ? rq->route->read(rq) : NGX_ERROR;
    }

    if (rc == NGX_DECLINED) {
        ngx_http_prompt_openai_fault(rq, &rq->fault);
        return;
    }

    if (rc != NGX_OK) {
        ngx_http_finalize_request(r, rc == NGX_ERROR
                                     ? NGX_HTTP_INTERNAL_SERVER_ERROR : rc);
        return;
    }

    ngx_http_prompt_openai_run(rq);
}


static void
ngx_http_prompt_openai_run(ngx_http_prompt_openai_request_t *rq)
{
    ngx_uint_t                         document;
    gql_errors_t                       errors;
    ngx_http_request_t                *r;
    ngx_http_prompt_ctx_t             *ctx;
    ngx_http_prompt_main_conf_t       *pmcf;
    ngx_http_prompt_openai_error_t     error;

    ctx = rq->ctx;
    r = ctx->op.job.request;
    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);
    document = rq->document;

    ngx_http_prompt_operation_take(&ctx->op,
                                   pmcf->openai->documents[document]);

    gql_errors_init(&errors, ctx->op.job.arena, ctx->op.document, 0);

    if (ngx_http_prompt_operation_plan(&ctx->op, rq->variables, &errors)
        != NGX_OK)
    {
        ngx_http_prompt_operation_invalid(&ctx->op, &errors,
                                          ngx_http_prompt_bad_user_input);
        return;
    }

    if (ngx_http_prompt_operation_allowed(&ctx->op) != NGX_OK) {
        ngx_memzero(&error, sizeof(ngx_http_prompt_openai_error_t));
        error.status = NGX_HTTP_FORBIDDEN;
        error.retry_after = -1;
        error.code = "missing_scope";
        error.message = prompt_arena_printf(ctx->op.job.arena, "The API key "
                                            "lacks the scope \"%s\".",
                                            rq->route->scope);
        ngx_http_prompt_openai_fault(rq, &error);
        return;
    }

    if (ngx_http_prompt_read_headers(ctx) != NGX_OK) {
        return;
    }

    if (rq->stream) {
        ctx->events = ngx_http_prompt_event_stream_create(r, rq->route->form);

        if (ctx->events == NULL) {
            ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
            return;
        }
    }

    ngx_http_prompt_operation_run(&ctx->op);
}


static void
ngx_http_prompt_openai_answered(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    ngx_int_t                          rc;
    prompt_buf_t                       out;
    ngx_http_prompt_openai_result_t    result;
    ngx_http_prompt_openai_request_t  *rq;

    rq = ctx->data;

    if (rq->stream) {

        if (ngx_http_prompt_openai_result(ctx->op.pieces[0], &result)) {
            ngx_http_prompt_openai_stream_end(rq, &result);

        } else {
            ngx_http_prompt_openai_errors(rq);
        }

        return;
    }

    prompt_buf_init(&out, NGX_HTTP_PROMPT_OPENAI_ANSWER);
    rc = ngx_http_prompt_openai_write(rq, &out);

    if (rc == NGX_OK) {
        ngx_http_prompt_openai_send(rq, &out);
        return;
    }

    prompt_buf_free(&out);

    if (rc == NGX_DECLINED) {
        ngx_http_prompt_openai_errors(rq);

    } else {
        ngx_http_prompt_fail(ctx->op.job.request);
    }
}


/*
 * An execution's answer is in one piece but for what ends it; a list can be in
 * many.  NGX_DECLINED: there are errors instead.
 */

static ngx_int_t
ngx_http_prompt_openai_write(ngx_http_prompt_openai_request_t *rq,
    prompt_buf_t *out)
{
    size_t                            i;
    ngx_int_t                         rc;
    prompt_buf_t                      text;
    ngx_http_prompt_operation_t      *op;
    ngx_http_prompt_openai_result_t   result;

    op = &rq->ctx->op;

    if (rq->route->write != NULL) {

        if (!ngx_http_prompt_openai_result(op->pieces[0], &result)) {
            return NGX_DECLINED;
        }

        ngx_http_prompt_openai_take_id(rq, result.id);
        rq->route->write(rq, &result, out);

        return ngx_http_prompt_openai_identify(rq->ctx, result.id);
    }

    prompt_buf_init(&text, NGX_HTTP_PROMPT_OPENAI_ANSWER);

    for (i = 0; i < op->npieces; i++) {
        prompt_buf_str(&text, op->pieces[i]);
    }

    rc = text.status == PROMPT_BUF_OK
         ? rq->route->list(rq, prompt_buf_view(&text), out) : NGX_ERROR;

    prompt_buf_free(&text);

    return rc == NGX_OK
           ? ngx_http_prompt_openai_identify(rq->ctx, prompt_str_absent) : rc;
}


static void
ngx_http_prompt_openai_send(ngx_http_prompt_openai_request_t *rq,
    prompt_buf_t *out)
{
    ngx_int_t               rc;
    ngx_http_request_t     *r;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = rq->ctx;
    r = ctx->op.job.request;

    if (ngx_http_prompt_operation_rewrite(&ctx->op, out) != NGX_OK
        || ngx_http_prompt_add_headers(ctx) != NGX_OK
        || ngx_http_prompt_status_headers(r, NGX_HTTP_OK, NULL) != NGX_OK)
    {
        ngx_http_prompt_fail(r);
        return;
    }

    ctx->answered = 1;
    r->headers_out.status = NGX_HTTP_OK;
    ngx_http_prompt_media_set(r, GQL_HTTP_MEDIA_JSON);

    rc = ngx_http_prompt_send_body(r, ctx->op.pieces, ctx->op.npieces);

    ngx_http_prompt_unsent_sent(ctx);
    ngx_http_finalize_request(r, rc);
}


static void
ngx_http_prompt_openai_errors(ngx_http_prompt_openai_request_t *rq)
{
    prompt_arena_t                  *arena;
    const prompt_json_t             *answer;
    ngx_http_prompt_openai_error_t   error;

    arena = prompt_arena_create(NGX_HTTP_PROMPT_OPENAI_ERRORS);
    answer = arena != NULL
             ? ngx_http_prompt_operation_value(&rq->ctx->op, arena) : NULL;

    if (answer == NULL
        || ngx_http_prompt_openai_error_of(rq, arena, answer, &error)
           != NGX_OK)
    {
        ngx_http_prompt_fail(rq->ctx->op.job.request);

    } else {
        ngx_http_prompt_openai_fault(rq, &error);
    }

    prompt_arena_destroy(arena);
}


/* in the place of an answer, whole or as a stream */

static void
ngx_http_prompt_openai_fault(ngx_http_prompt_openai_request_t *rq,
    const ngx_http_prompt_openai_error_t *error)
{
    ngx_int_t               rc;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = rq->ctx;

    if (ctx->op.job.log.error_code.data == NULL) {
        ctx->op.job.log.error_code =
            ngx_http_prompt_status_code(error->status);
    }

    if (ngx_http_prompt_add_replayed(ctx) != NGX_OK) {
        ngx_http_prompt_fail(ctx->op.job.request);

    } else if (ctx->events != NULL) {
        ngx_http_prompt_openai_stream_fail(rq, error);

    } else {
        rc = ngx_http_prompt_openai_error_send(ctx, error);
        ngx_http_prompt_operation_release(&ctx->op);
        ngx_http_finalize_request(ctx->op.job.request, rc);
    }
}


static void
ngx_http_prompt_openai_refused(void *caller,
    const ngx_http_prompt_refusal_t *refusal)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    ngx_http_prompt_openai_error_t  error;

    ngx_http_prompt_openai_error_refused(refusal, &error);
    ngx_http_prompt_operation_release(&ctx->op);
    ngx_http_prompt_openai_fault(ctx->data, &error);
}


static void
ngx_http_prompt_openai_failed(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    ngx_http_prompt_fail(ctx->op.job.request);
}
