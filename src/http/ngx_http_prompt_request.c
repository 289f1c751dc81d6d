/*
 * The way of a request, whatever protocol it speaks, up to where it is known
 * who asks.  Its context, and what becomes of that in the end, is in
 * ngx_http_prompt_ctx.c; what is asked, in the file of the protocol.
 *
 *   credentials  form of the key, or the cookie
 *   read         the body comes
 *   body_read    the body is there; the key is looked up
 *   key_known    the protocol goes on
 *
 * A station ends the request by ngx_http_prompt_refuse() or goes on to the
 * next.  Up to the body everything is said with the handler's return value;
 * from there on the request is finalized by whoever ends it.
 */

#include "http/ngx_http_prompt_request.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_params.h"
#include "http/ngx_http_prompt_position.h"
#include "http/ngx_http_prompt_response.h"
#include "http/ngx_http_prompt_routes.h"
#include "service/once/once.h"
#include "service/people/sign_in.h"
#include "service/worker/header.h"
#include "service/worker/worker.h"


/* memory of one request: so much, and so much for each byte of its body */
#define NGX_HTTP_PROMPT_REQUEST_MEMORY       (64 * 1024 * 1024)
#define NGX_HTTP_PROMPT_REQUEST_MEMORY_BODY  48


/* a protocol that is spoken somewhere, and its documents */
typedef struct {
    const ngx_http_prompt_protocol_t   *protocol;
    const ngx_http_prompt_compiled_t  **documents;
} ngx_http_prompt_spoken_t;


static ngx_int_t ngx_http_prompt_speak(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf,
    const ngx_http_prompt_protocol_t *protocol);
static ngx_int_t ngx_http_prompt_error(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, prompt_str_t code, prompt_str_t message);
static ngx_int_t ngx_http_prompt_project_find(ngx_http_prompt_ctx_t *ctx);
static ngx_int_t ngx_http_prompt_acts(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_distrusted(void *data, ngx_http_prompt_sign_e how);
static void ngx_http_prompt_body_read(ngx_http_request_t *r);
static void ngx_http_prompt_key_known(void *data,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity);


static const prompt_str_t  ngx_http_prompt_ended = prompt_str_init(
    "Unauthorized: the session has ended; sign in again.");


char *
ngx_http_prompt_endpoint(ngx_conf_t *cf, ngx_http_prompt_loc_conf_t *plcf,
    const ngx_http_prompt_protocol_t *protocol)
{
    char                         *rv;
    ngx_http_prompt_main_conf_t  *pmcf;

    rv = ngx_http_prompt_conf_handler(cf, plcf, protocol->handler);
    if (rv != NGX_CONF_OK) {
        return rv;
    }

    pmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_prompt_module);

    if (pmcf->endpoints++ == 0) {
        pmcf->endpoint_file = plcf->file;
        pmcf->endpoint_line = plcf->line;
    }

    plcf->protocol = protocol;

    return ngx_http_prompt_speak(cf, pmcf, protocol) == NGX_OK
           ? ngx_http_prompt_routes_expect(cf, pmcf) : NGX_CONF_ERROR;
}


/* It is one of those that are spoken. */
static ngx_int_t
ngx_http_prompt_speak(ngx_conf_t *cf, ngx_http_prompt_main_conf_t *pmcf,
    const ngx_http_prompt_protocol_t *protocol)
{
    ngx_uint_t                 i;
    ngx_http_prompt_spoken_t  *spoken;

    if (pmcf->protocols.elts == NULL
        && ngx_array_init(&pmcf->protocols, cf->pool,
                          NGX_HTTP_PROMPT_PROTOCOLS,
                          sizeof(ngx_http_prompt_spoken_t))
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    spoken = pmcf->protocols.elts;

    for (i = 0; i < pmcf->protocols.nelts; i++) {
        if (spoken[i].protocol == protocol) {
            return NGX_OK;
        }
    }

    spoken = ngx_array_push(&pmcf->protocols);
    if (spoken == NULL) {
        return NGX_ERROR;
    }

    spoken->protocol = protocol;
    spoken->documents = ngx_pcalloc(cf->pool,
                                    (protocol->ndocuments + 1)
                                    * sizeof(ngx_http_prompt_compiled_t *));

    return spoken->documents != NULL ? NGX_OK : NGX_ERROR;
}


ngx_int_t
ngx_http_prompt_documents_plan(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_uint_t                         i, n;
    ngx_http_prompt_spoken_t          *spoken;
    const ngx_http_prompt_protocol_t  *protocol;

    spoken = pmcf->protocols.elts;

    for (i = 0; i < pmcf->protocols.nelts; i++) {
        protocol = spoken[i].protocol;

        for (n = 0; n < protocol->ndocuments; n++) {

            if (protocol->documents[n] == NULL) {
                continue;
            }

            spoken[i].documents[n] =
                ngx_http_prompt_operation_compile(cf, protocol->documents[n]);

            if (spoken[i].documents[n] == NULL) {
                return NGX_ERROR;
            }
        }
    }

    return NGX_OK;
}


void
ngx_http_prompt_take_document(ngx_http_prompt_ctx_t *ctx, ngx_uint_t n)
{
    ngx_http_prompt_spoken_t     *spoken;
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_get_module_main_conf(ctx->op.job.request,
                                         ngx_http_prompt_module);

    spoken = pmcf->protocols.elts;

    while (spoken->protocol != ctx->protocol) {
        spoken++;
    }

    ngx_http_prompt_operation_take(&ctx->op, spoken->documents[n]);
}


ngx_http_prompt_auth_e
ngx_http_prompt_credentials(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_request_t  *r;

    /* of the debug log */

    static const char *const  words[] = {
        "none, or of no sound form", "of sound form", "of a session",
        "of a session, from another site"
    };

    r = ctx->op.job.request;
    ctx->auth = ngx_http_prompt_auth(r, ctx->key);

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt key: %s", words[ctx->auth]);

    return ctx->auth;
}


ngx_int_t
ngx_http_prompt_begin(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_request_t  *r;

    r = ctx->op.job.request;

    if (ngx_http_prompt_credentials(ctx) == NGX_HTTP_PROMPT_AUTH_FOREIGN) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_UNAUTHORIZED,
                   prompt_str("Unauthorized: a request with a cookie must be a "
                              "POST of application/json from this site."));
    }

    if (r->method == NGX_HTTP_POST && !ngx_http_prompt_media_is_json(r)) {
        return ngx_http_prompt_refuse_early(ctx,
                   NGX_HTTP_UNSUPPORTED_MEDIA_TYPE,
                   prompt_str("The request must have the header "
                              "\"Content-Type: application/json\", in UTF-8."));
    }

    if (r->method == NGX_HTTP_POST && ngx_http_prompt_media_is_encoded(r)) {
        return ngx_http_prompt_refuse_early(ctx,
                   NGX_HTTP_UNSUPPORTED_MEDIA_TYPE,
                   prompt_str("The request body must not be compressed: the "
                              "header \"Content-Encoding\" is not "
                              "supported."));
    }

    if (ctx->auth == NGX_HTTP_PROMPT_AUTH_NONE) {
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_UNAUTHORIZED,
                   prompt_str("Unauthorized: a valid API key is required."));
    }

    switch (ngx_http_prompt_project_find(ctx)) {

    case NGX_OK:
        return ngx_http_prompt_read(ctx);

    case NGX_DECLINED:
        return ngx_http_prompt_refuse_early(ctx, NGX_HTTP_BAD_REQUEST,
                   prompt_str("There may be one header \"Prompt-Project\", the "
                              "id of a project."));

    default:
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }
}


/* Prompt-Project.  NGX_DECLINED: it is no id; NGX_ERROR: memory. */
static ngx_int_t
ngx_http_prompt_project_find(ngx_http_prompt_ctx_t *ctx)
{
    ngx_uint_t           n;
    prompt_str_t         text;
    prompt_uuid_t       *id;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;
    n = ngx_http_prompt_header_count(r, prompt_str("Prompt-Project"), &text);

    if (n == 0) {
        return NGX_OK;
    }

    id = ngx_palloc(r->pool, sizeof(prompt_uuid_t));
    if (id == NULL) {
        return NGX_ERROR;
    }

    ctx->project = id;

    return n == 1 && prompt_uuid_parse(text, id) ? NGX_OK : NGX_DECLINED;
}


/* Answers before the body was read: what comes of it is thrown away. */

ngx_int_t
ngx_http_prompt_refuse_early(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t message)
{
    ngx_int_t  rc;

    rc = ngx_http_discard_request_body(ctx->op.job.request);

    return rc == NGX_OK ? ngx_http_prompt_error(ctx, status,
                                        ngx_http_prompt_status_code(status),
                                        message)
                        : rc;
}


static ngx_int_t
ngx_http_prompt_error(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    ctx->answered = 1;
    ctx->op.job.log.error_code = code;

    return ctx->protocol->error(ctx, status, code, message);
}


ngx_int_t
ngx_http_prompt_read(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t            rc;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;
    r->request_body_in_single_buf = 1;

    rc = ngx_http_read_client_request_body(r, ngx_http_prompt_body_read);

    if (rc >= NGX_HTTP_SPECIAL_RESPONSE) {
        return rc;
    }

    return NGX_DONE;
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

    ctx->op.job.arena = prompt_arena_create(NGX_HTTP_PROMPT_REQUEST_MEMORY
                                     + (size_t) length
                                       * NGX_HTTP_PROMPT_REQUEST_MEMORY_BODY);
    if (ctx->op.job.arena == NULL) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    r->write_event_handler = ngx_http_request_empty_handler;

    ngx_http_prompt_watch_client(r);

    worker = ngx_http_prompt_get_worker(r);

    /* a key acts where it was made for, whatever is named */

    ctx->op.job.key = ctx->key;
    ctx->op.job.project = ctx->auth == NGX_HTTP_PROMPT_AUTH_SESSION
                          && ctx->project != NULL ? ctx->project->bytes : NULL;

    ctx->lookup = ngx_http_prompt_keys_lookup(worker->keys, r, ctx->key,
                                              ctx->op.job.project,
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
            ctx->op.job.identity = *identity;

            if (!ngx_http_prompt_auth_trusted(ctx->op.job.request, identity)) {
                ngx_http_prompt_distrust(ctx);
                break;
            }

            ngx_http_prompt_auth_used(ctx->op.job.request, identity);

            if (ngx_http_prompt_acts(ctx) == NGX_OK) {
                ctx->protocol->known(ctx);
            }

            break;
        }

        /* fall through */

    case NGX_HTTP_PROMPT_KEY_REFUSED:
        ngx_http_prompt_refuse(ctx, NGX_HTTP_UNAUTHORIZED,
                   ctx->auth == NGX_HTTP_PROMPT_AUTH_SESSION
                   ? ngx_http_prompt_ended
                   : prompt_str("Unauthorized: a valid API key is required."));
        break;

    case NGX_HTTP_PROMPT_KEY_UNAVAILABLE:
        ngx_http_prompt_refuse(ctx, NGX_HTTP_SERVICE_UNAVAILABLE,
                   prompt_str("The API key could not be checked: the database "
                              "did not answer. Try again later."));
        break;
    }
}


void
ngx_http_prompt_distrust(ngx_http_prompt_ctx_t *ctx)
{
    ctx->ending = ngx_http_prompt_sign_out(ctx->op.job.request, ctx->key,
                                           ngx_http_prompt_distrusted, ctx);
    if (ctx->ending == NULL) {
        ngx_http_finalize_request(ctx->op.job.request,
                                  NGX_HTTP_INTERNAL_SERVER_ERROR);
    }
}


static void
ngx_http_prompt_distrusted(void *data, ngx_http_prompt_sign_e how)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    ctx->ending = NULL;

    ngx_http_prompt_refuse(ctx, NGX_HTTP_UNAUTHORIZED, ngx_http_prompt_ended);
}


/* Whether it may act in the project that the request names. */
static ngx_int_t
ngx_http_prompt_acts(ngx_http_prompt_ctx_t *ctx)
{
    const ngx_http_prompt_identity_t  *identity;

    identity = &ctx->op.job.identity;

    if (identity->role == PROMPT_ROLE_NONE) {
        return ngx_http_prompt_refuse_as(ctx, NGX_HTTP_FORBIDDEN,
                   ngx_http_prompt_forbidden,
                   prompt_str("You are not a member of the project that the "
                              "header \"Prompt-Project\" names."));
    }

    if (ctx->project != NULL
        && ngx_memcmp(ctx->project->bytes, identity->project_id,
                      PROMPT_UUID_LEN)
           != 0)
    {
        return ngx_http_prompt_refuse_as(ctx, NGX_HTTP_FORBIDDEN,
                   ngx_http_prompt_forbidden,
                   prompt_str("This API key is of another project than the "
                              "header \"Prompt-Project\" names."));
    }

    return NGX_OK;
}


/* service/once says what is done with the key */

ngx_int_t
ngx_http_prompt_read_headers(ngx_http_prompt_ctx_t *ctx)
{
    ngx_uint_t     n;
    prompt_str_t  *key;

    if (ngx_http_prompt_position_find(ctx) != NGX_OK) {
        return NGX_DONE;
    }

    if (ctx->op.definition->operation == GQL_QUERY) {
        return NGX_OK;
    }

    key = &ctx->op.once_key;
    n = ngx_http_prompt_header_count(ctx->op.job.request,
                                     prompt_str("Idempotency-Key"), key);

    if (n == 0 || (n == 1 && ngx_http_prompt_once_is_key(*key))) {
        return NGX_OK;
    }

    return ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                   prompt_str("There must be one header \"Idempotency-Key\", "
                              "with 1 to 255 visible ASCII characters."));
}


ngx_int_t
ngx_http_prompt_add_headers(ngx_http_prompt_ctx_t *ctx)
{
    return ngx_http_prompt_add_replayed(ctx) == NGX_OK
           ? ngx_http_prompt_position_add(ctx) : NGX_ERROR;
}


ngx_int_t
ngx_http_prompt_add_replayed(ngx_http_prompt_ctx_t *ctx)
{
    return !ctx->op.replayed || ctx->op.job.request->header_sent
           ? NGX_OK
           : ngx_http_prompt_add_header(ctx->op.job.request,
                                        "Idempotency-Replayed", "true");
}


ngx_int_t
ngx_http_prompt_refuse(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t message)
{
    return ngx_http_prompt_refuse_as(ctx, status,
                                     ngx_http_prompt_status_code(status),
                                     message);
}


ngx_int_t
ngx_http_prompt_refuse_as(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    ngx_int_t  rc;

    rc = ngx_http_prompt_error(ctx, status, code, message);

    ngx_http_prompt_operation_release(&ctx->op);

    ngx_http_finalize_request(ctx->op.job.request, rc);

    return NGX_DONE;
}
