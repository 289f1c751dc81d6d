/*
 * A protocol as small as one can be, for t/operation.t:
 *
 *     prompt_names;      GET LOCATION?first=N
 *
 * answers the names of the caller's newest prompts, a line each, as text.  It
 * stands on what every protocol has (http/ngx_http_prompt_request.h) and on an
 * operation (service/frame/operation.h): the document is planned when the
 * configuration is read, no GraphQL is written at run time, and the answer is
 * read as a value.
 */

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/buf.h"
#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_request.h"
#include "http/ngx_http_prompt_response.h"


#define NGX_HTTP_PROMPT_TITLES_MEMORY  (1024 * 1024)


typedef struct {
    ngx_uint_t                         used;
    const ngx_http_prompt_compiled_t  *names;
} ngx_http_prompt_titles_conf_t;


static char *ngx_http_prompt_titles(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static void *ngx_http_prompt_titles_create(ngx_conf_t *cf);
static ngx_int_t ngx_http_prompt_titles_init(ngx_conf_t *cf);
static ngx_int_t ngx_http_prompt_titles_handler(ngx_http_request_t *r);
static void ngx_http_prompt_titles_known(ngx_http_prompt_ctx_t *ctx);
static const prompt_json_t *ngx_http_prompt_titles_variables(
    ngx_http_request_t *r, prompt_arena_t *arena);
static void ngx_http_prompt_titles_answered(void *caller);
static ngx_int_t ngx_http_prompt_titles_write(ngx_http_prompt_ctx_t *ctx,
    const prompt_json_t *value);
static void ngx_http_prompt_titles_refused(void *caller,
    const ngx_http_prompt_refusal_t *refusal);
static void ngx_http_prompt_titles_failed(void *caller);
static ngx_int_t ngx_http_prompt_titles_error(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, prompt_str_t code, prompt_str_t message);
static ngx_buf_t *ngx_http_prompt_titles_status(ngx_http_request_t *r,
    ngx_uint_t status);


static const char  ngx_http_prompt_titles_document[] =
    "query Names($first: Int) { prompts(first: $first) { name } }";


static ngx_command_t  ngx_http_prompt_titles_commands[] = {

    { ngx_string("prompt_names"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_prompt_titles,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};


static ngx_http_module_t  ngx_http_prompt_operation_test_module_ctx = {
    NULL,                                  /* preconfiguration */
    ngx_http_prompt_titles_init,            /* postconfiguration */

    ngx_http_prompt_titles_create,          /* create main configuration */
    NULL,                                  /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    NULL,                                  /* create location configuration */
    NULL                                   /* merge location configuration */
};


ngx_module_t  ngx_http_prompt_operation_test_module = {
    NGX_MODULE_V1,
    &ngx_http_prompt_operation_test_module_ctx,  /* module context */
    ngx_http_prompt_titles_commands,        /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    NULL,                                  /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    NULL,                                  /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


static const ngx_http_prompt_protocol_t  ngx_http_prompt_titles_protocol = {
    .handler = ngx_http_prompt_titles_handler,
    .known = ngx_http_prompt_titles_known,
    .error = ngx_http_prompt_titles_error,
    .status_body = ngx_http_prompt_titles_status,
    .sink = {
        .answered = ngx_http_prompt_titles_answered,
        .refused = ngx_http_prompt_titles_refused,
        .failed = ngx_http_prompt_titles_failed
    }
};


static char *
ngx_http_prompt_titles(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_titles_conf_t  *ncf = conf;

    (void) cmd;

    ncf->used = 1;

    return ngx_http_prompt_endpoint(cf,
               ngx_http_conf_get_module_loc_conf(cf, ngx_http_prompt_module),
               &ngx_http_prompt_titles_protocol);
}


static void *
ngx_http_prompt_titles_create(ngx_conf_t *cf)
{
    return ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_titles_conf_t));
}


static ngx_int_t
ngx_http_prompt_titles_init(ngx_conf_t *cf)
{
    ngx_http_prompt_titles_conf_t  *ncf;

    ncf = ngx_http_conf_get_module_main_conf(cf,
                                        ngx_http_prompt_operation_test_module);

    if (!ncf->used) {
        return NGX_OK;
    }

    ncf->names = ngx_http_prompt_operation_compile(cf,
                                               ngx_http_prompt_titles_document);

    return ncf->names != NULL ? NGX_OK : NGX_ERROR;
}


static ngx_int_t
ngx_http_prompt_titles_handler(ngx_http_request_t *r)
{
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_prompt_get_ctx(r);
    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (r->method != NGX_HTTP_GET) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_NOT_ALLOWED,
                                            prompt_str("GET only"));
    }

    if (ngx_http_prompt_credentials(ctx) != NGX_HTTP_PROMPT_AUTH_KEY) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_UNAUTHORIZED,
                                            prompt_str("a key is required"));
    }

    return ngx_http_prompt_read(ctx);
}


static void
ngx_http_prompt_titles_known(ngx_http_prompt_ctx_t *ctx)
{
    gql_errors_t                    errors;
    const prompt_json_t            *variables;
    ngx_http_prompt_operation_t    *op;
    ngx_http_prompt_titles_conf_t  *ncf;

    op = &ctx->op;

    ncf = ngx_http_get_module_main_conf(op->job.request,
                                        ngx_http_prompt_operation_test_module);

    variables = ngx_http_prompt_titles_variables(op->job.request,
                                                 op->job.arena);
    if (variables == NULL) {
        ngx_http_prompt_titles_failed(ctx);
        return;
    }

    ngx_http_prompt_operation_take(op, ncf->names);

    gql_errors_init(&errors, op->job.arena, op->document, 0);

    if (ngx_http_prompt_operation_plan(op, variables, &errors) != NGX_OK) {
        ngx_http_prompt_operation_invalid(op, &errors,
                                          ngx_http_prompt_bad_user_input);
        return;
    }

    if (ngx_http_prompt_operation_allowed(op) != NGX_OK) {
        ngx_http_prompt_refuse(ctx, NGX_HTTP_FORBIDDEN,
                               prompt_str("the key lacks a scope"));
        return;
    }

    ngx_http_prompt_operation_run(op);
}


/* What is no number goes as the string it is: that is an error of plan(). */

static const prompt_json_t *
ngx_http_prompt_titles_variables(ngx_http_request_t *r, prompt_arena_t *arena)
{
    ngx_int_t       n;
    ngx_str_t       first;
    prompt_json_t  *variables, *value;

    variables = prompt_json_new(arena, PROMPT_JSON_OBJECT);

    if (variables == NULL
        || ngx_http_arg(r, (u_char *) "first", 5, &first) != NGX_OK)
    {
        return variables;
    }

    n = ngx_atoi(first.data, first.len);

    value = n != NGX_ERROR
            ? prompt_json_new_integer(arena, n)
            : prompt_json_new_string(arena,
                             prompt_str_of((char *) first.data, first.len));
    if (value == NULL) {
        return NULL;
    }

    prompt_json_set(variables, prompt_str("first"), value);

    return variables;
}


static void
ngx_http_prompt_titles_answered(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    ngx_int_t             rc;
    prompt_arena_t       *arena;
    ngx_http_request_t   *r;
    const prompt_json_t  *value;

    r = ctx->op.job.request;
    rc = NGX_HTTP_INTERNAL_SERVER_ERROR;

    arena = prompt_arena_create(NGX_HTTP_PROMPT_TITLES_MEMORY);

    if (arena != NULL) {
        value = ngx_http_prompt_operation_value(&ctx->op, arena);

        if (value != NULL) {
            rc = ngx_http_prompt_titles_write(ctx, value);
        }
    }

    prompt_arena_destroy(arena);

    ngx_http_finalize_request(r, rc);
}


static ngx_int_t
ngx_http_prompt_titles_write(ngx_http_prompt_ctx_t *ctx,
    const prompt_json_t *value)
{
    ngx_int_t             rc;
    prompt_buf_t          text;
    const prompt_json_t  *error, *prompt;

    error = prompt_json_at(prompt_json_get(value, prompt_str("errors")), 0);

    if (error != NULL) {
        return ngx_http_prompt_titles_error(ctx, NGX_HTTP_BAD_REQUEST,
                   ctx->op.job.log.error_code,
                   prompt_json_get(error, prompt_str("message"))->text);
    }

    value = prompt_json_get(prompt_json_get(value, prompt_str("data")),
                            prompt_str("prompts"));

    prompt_buf_init(&text, NGX_HTTP_PROMPT_TITLES_MEMORY);

    for (prompt = value->first; prompt != NULL; prompt = prompt->next) {
        prompt_buf_str(&text, prompt_json_get(prompt,
                                              prompt_str("name"))->text);
        prompt_buf_literal(&text, "\n");
    }

    if (value->first == NULL) {
        prompt_buf_literal(&text, "none\n");
    }

    ctx->answered = 1;

    rc = ngx_http_prompt_send_text(ctx->op.job.request, NGX_HTTP_OK,
                                   "text/plain", &text);
    prompt_buf_free(&text);

    return rc;
}


static void
ngx_http_prompt_titles_refused(void *caller,
    const ngx_http_prompt_refusal_t *refusal)
{
    ngx_http_prompt_refuse_as(caller, refusal->status, refusal->code,
                              refusal->message);
}


static void
ngx_http_prompt_titles_failed(void *caller)
{
    ngx_http_prompt_ctx_t  *ctx = caller;

    ngx_http_prompt_fail(ctx->op.job.request);
}


/* "CODE: message" */

static ngx_int_t
ngx_http_prompt_titles_error(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    ngx_int_t     rc;
    prompt_buf_t  text;

    prompt_buf_init(&text, NGX_HTTP_PROMPT_TITLES_MEMORY);
    prompt_buf_printf(&text, "%.*s: %.*s\n", prompt_str_arg(code),
                      prompt_str_arg(message));

    ctx->answered = 1;

    rc = ngx_http_prompt_send_text(ctx->op.job.request, status, "text/plain",
                                   &text);
    prompt_buf_free(&text);

    return rc;
}


static ngx_buf_t *
ngx_http_prompt_titles_status(ngx_http_request_t *r, ngx_uint_t status)
{
    ngx_buf_t  *b;

    b = ngx_create_temp_buf(r->pool, NGX_INT_T_LEN + sizeof("status \n"));

    if (b != NULL) {
        b->last = ngx_sprintf(b->last, "status %ui\n", status);
        b->last_buf = 1;
        b->last_in_chain = 1;
    }

    return b;
}
