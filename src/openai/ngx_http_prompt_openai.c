/*
 * OpenAI's API over stored prompts: see README.md.
 *
 *   handler    what stands behind the location's name; method, key, type
 *   known      the body becomes variables of a document, which is run
 *   answered   the answer in OpenAI's words
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "base/scan.h"
#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_response.h"
#include "service/frame/service.h"


/* memory to read errors, or what was looked up, from an answer */
#define OPENAI_MEMORY  (256 * 1024 * 1024)


#define arguments                                                             \
    "($promptId: ID!, $input: JSON!, $version: Int, $label: String, "         \
    "$subject: String, $metadata: JSON, $overrides: JSON)"
#define passed                                                                \
    "(promptId: $promptId, input: $input, version: $version, label: $label, " \
    "subject: $subject, metadata: $metadata, overrides: $overrides)"
#define run                                                                   \
    "{ executionId model finishReason tokenIn tokenCached tokenCacheWrite "   \
    "tokenOut tokenReasoning costUsd latencyMs versionUsed message }"
#define content                                                               \
    "{ content params messages { role content images placeholder } }"
#define named                                                                 \
    "query OpenAI($name: String!, $version: Int, $label: String) "            \
    "{ project { name } promptByName(name: $name) { name createdAt "          \
    "version(number: $version, label: $label) "

/* in the order of openai_document_e; ..._answer.c reads what is run */
static const char *const  openai_documents[] = {
    "mutation OpenAI" arguments " { e: executePrompt" passed " " run " }",

    "mutation OpenAI($promptId: ID!, $input: JSON!) "
    "{ e: executePrompt(promptId: $promptId, input: $input) " run " }",

    "subscription OpenAI" arguments " { e: executePromptStream" passed
    " { delta result " run " } }",

    "query OpenAI { project { name } "
    "prompts { name createdAt labels { label } } }",

    named "{ version } } }",

    named content " } }",

    "query OpenAI($name: String!) { promptByName(name: $name) { "
    "production: version(label: \"" PROMPT_NAMED_DEFAULT "\") " content
    " version " content " } }"
};

#undef arguments
#undef passed
#undef run
#undef content
#undef named


static const openai_route_t  openai_routes[] = {
    { prompt_str_init("chat/completions"), NGX_HTTP_POST, "POST", "execute",
      &openai_chat, openai_read_chat },
    { prompt_str_init("responses"), NGX_HTTP_POST, "POST", "execute",
      &openai_responses, openai_read_response },
    { prompt_str_init("beta/litellm_prompt_management"), NGX_HTTP_GET, "GET",
      "read", NULL, openai_read_template },
    { prompt_str_init("models"), NGX_HTTP_GET, "GET", "read", NULL,
      openai_read_models },
    { prompt_str_init("models/"), NGX_HTTP_GET, "GET", "read", NULL,
      openai_read_model }
};


/* What stands behind the location's name, with a slash between or in it. */
static prompt_str_t
openai_path(ngx_http_request_t *r)
{
    prompt_str_t               path, name;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    name = ngx_http_prompt_str(&clcf->name);
    path = ngx_http_prompt_str(&r->uri);

    name.len -= name.len != 0 && name.data[name.len - 1] == '/';

    return prompt_scan_word(&path, name) && prompt_scan_char(&path, '/')
           ? path : prompt_str("");
}


/* by the whole path, or, behind the last one, by a name */
static void
openai_find(openai_request_t *rq, prompt_str_t path)
{
    ngx_uint_t             i;
    const openai_route_t  *route;

    for (i = 0; i < sizeof(openai_routes) / sizeof(openai_routes[0]); i++) {
        route = &openai_routes[i];

        if (route->read == openai_read_model
            ? prompt_scan_word(&path, route->path) && path.len != 0
            : prompt_str_eq(path, route->path))
        {
            rq->route = route;
            rq->name = path;
            return;
        }
    }
}


static ngx_int_t
openai_handler(ngx_http_request_t *r)
{
    openai_request_t       *rq;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_prompt_get_ctx(r);
    rq = ngx_pcalloc(r->pool, sizeof(openai_request_t));

    if (ctx == NULL || rq == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    rq->v = ngx_pcalloc(r->pool, OPENAI_LETTERS * sizeof(prompt_str_t));
    if (rq->v == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    rq->ctx = ctx;
    ctx->data = rq;
    rq->v['t'] = prompt_str_of((char *) rq->now,
                               ngx_sprintf(rq->now, "%T", ngx_time())
                               - rq->now);

    openai_find(rq, openai_path(r));

    if (rq->route == NULL) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_NOT_FOUND,
                   prompt_str("There is nothing at this address: stored "
                              "prompts are run by POST to chat/completions "
                              "or responses, and listed by GET of models."));
    }

    if (r->method != rq->route->method) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_NOT_ALLOWED,
                   rq->route->form != NULL
                   ? prompt_str("This address is for POST only.")
                   : prompt_str("This address is for GET only."));
    }

    return ngx_http_prompt_begin(ctx);
}


static void
openai_fail(openai_request_t *rq, const openai_error_t *error)
{
    ngx_int_t               rc;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = rq->ctx;

    if (ctx->op.job.log.error_code.data == NULL) {
        ctx->op.job.log.error_code =
            ngx_http_prompt_status_code(error->status);
    }

    if (rq->nomem) {
        ngx_http_prompt_fail(ctx->op.job.request);
        return;
    }

    rc = openai_error_send(ctx, error);

    ngx_http_prompt_operation_release(&ctx->op);
    ngx_http_finalize_request(ctx->op.job.request, rc);
}


static void
openai_run(openai_request_t *rq)
{
    gql_errors_t            errors;
    ngx_http_request_t     *r;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = rq->ctx;
    r = ctx->op.job.request;

    if (rq->document == OPENAI_RUN && rq->variables->count == 2) {
        rq->document = OPENAI_RUN_PLAIN;
    }

    ngx_http_prompt_take_document(ctx, rq->document);

    gql_errors_init(&errors, ctx->op.job.arena, ctx->op.document, 0);

    if (ngx_http_prompt_operation_plan(&ctx->op, rq->variables, &errors)
        != NGX_OK)
    {
        ngx_http_prompt_operation_invalid(&ctx->op, &errors,
                                          ngx_http_prompt_bad_user_input);
        return;
    }

    if (ngx_http_prompt_operation_allowed(&ctx->op) != NGX_OK) {
        rq->fault.status = NGX_HTTP_FORBIDDEN;
        rq->fault.code = "missing_scope";
        rq->fault.message = prompt_arena_printf(ctx->op.job.arena, "The API "
                                                "key lacks the scope \"%s\".",
                                                rq->route->scope);
        openai_fail(rq, &rq->fault);
        return;
    }

    if (ngx_http_prompt_read_headers(ctx) != NGX_OK) {
        return;
    }

    if (rq->stream) {
        ctx->events = ngx_http_prompt_event_stream_create(r,
                                                     &rq->route->form->events);
        if (ctx->events == NULL) {
            ngx_http_prompt_fail(r);
            return;
        }
    }

    ngx_http_prompt_operation_run(&ctx->op);
}


static void
openai_known(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t            rc;
    prompt_str_t         message;
    openai_request_t    *rq;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;
    rq = ctx->data;

    rc = rq->route->form != NULL
         ? ngx_http_prompt_params_json(r, ctx->op.job.arena, &rq->body,
                                       &message)
         : NGX_OK;

    if (rc == NGX_DECLINED) {
        ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST, message);
        return;
    }

    if (rc != NGX_OK) {
        ngx_http_finalize_request(r, rc == NGX_ERROR
                                     ? NGX_HTTP_INTERNAL_SERVER_ERROR : rc);
        return;
    }

    rq->variables = openai_new(rq, PROMPT_JSON_OBJECT);

    if (!rq->nomem) {
        rq->route->read(rq);
    }

    if (rq->nomem || rq->fault.status != 0) {
        openai_fail(rq, &rq->fault);
        return;
    }

    openai_run(rq);
}


/* What takes the place of the answer: all of it, or its last event. */
static void
openai_send(openai_request_t *rq, prompt_buf_t *out)
{
    ngx_http_request_t     *r;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = rq->ctx;
    r = ctx->op.job.request;

    if (ngx_http_prompt_operation_rewrite(&ctx->op, out) != NGX_OK
        || rq->nomem || openai_identify(ctx, rq->id) != NGX_OK)
    {
        ngx_http_prompt_fail(r);
        return;
    }

    ngx_str_set(&r->headers_out.charset, "utf-8");
    ngx_http_prompt_send_answer(ctx);
}


/*
 * An execution's answer stands in the first piece, as it has no list; errors
 * are read as values.
 */
static void
openai_answered(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    prompt_buf_t          out;
    openai_error_t        error;
    prompt_arena_t       *arena;
    openai_request_t     *rq;
    const prompt_json_t  *answer;

    rq = ctx->data;
    prompt_buf_init(&out, OPENAI_ANSWER);

    if (rq->route->form != NULL && openai_result(rq, ctx->op.pieces[0])) {

        (void) prompt_buf_reserve(&out, ctx->op.pieces[0].len + 512);

        if (!rq->stream) {
            rq->route->form->whole(rq, &out);

        } else {
            if (!rq->begun) {
                rq->route->form->begin(rq, &out);
            }

            rq->route->form->end(rq, &out);
        }

        openai_send(rq, &out);
        return;
    }

    arena = prompt_arena_create(OPENAI_MEMORY);

    if (arena != NULL && rq->route->form == NULL
        && openai_looked_up(rq, arena, &out))
    {
        openai_send(rq, &out);
        prompt_arena_destroy(arena);
        return;
    }

    prompt_buf_free(&out);

    answer = arena != NULL ? ngx_http_prompt_operation_value(&ctx->op, arena)
                           : NULL;

    if (answer != NULL) {
        openai_error_of(rq, arena, answer, &error);
        openai_fail(rq, &error);

    } else {
        ngx_http_prompt_fail(ctx->op.job.request);
    }

    prompt_arena_destroy(arena);
}


const ngx_http_prompt_protocol_t  ngx_http_prompt_openai_protocol = {
    .number = NGX_HTTP_PROMPT_OPENAI,
    .documents = openai_documents,
    .ndocuments = sizeof(openai_documents) / sizeof(char *),
    .handler = openai_handler,
    .known = openai_known,
    .error = openai_error,
    .status_body = openai_status_body,
    .sink = {
        .answered = openai_answered,
        .refused = ngx_http_prompt_refused,
        .failed = ngx_http_prompt_failed,
        .event = openai_event,
        .writable = ngx_http_prompt_writable
    }
};
