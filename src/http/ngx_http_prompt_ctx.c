/*
 * The context of a request: how it is made, what is given back when, and what
 * it adds to lines of the error log.
 */

#include "http/ngx_http_prompt_request.h"

#include <stdlib.h>

#include "base/uuid.h"
#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_session.h"
#include "http/ngx_http_prompt_variables.h"
#include "service/keys/ending.h"
#include "service/worker/worker.h"


static void ngx_http_prompt_cleanup(void *data);
static void ngx_http_prompt_free(void *data);
static u_char *ngx_http_prompt_error_log_handler(ngx_http_request_t *r,
    ngx_http_request_t *sr, u_char *buf, size_t len);
static u_char *ngx_http_prompt_error_log_id(u_char *p, u_char *last,
    const char *what, const u_char *bytes);


/* nginx's own, which all requests have */
static ngx_http_log_handler_pt  ngx_http_prompt_error_log_next;


ngx_http_prompt_ctx_t *
ngx_http_prompt_get_ctx(ngx_http_request_t *r)
{
    ngx_pool_cleanup_t          *pcln;
    ngx_http_cleanup_t          *cln;
    ngx_http_prompt_ctx_t       *ctx;
    ngx_http_prompt_loc_conf_t  *plcf;

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);
    if (ctx != NULL) {
        return ctx;
    }

    ctx = ngx_pcalloc(r->pool, sizeof(ngx_http_prompt_ctx_t));
    if (ctx == NULL) {
        return NULL;
    }

    pcln = ngx_pool_cleanup_add(r->pool, 0);
    if (pcln == NULL) {
        return NULL;
    }

    pcln->handler = ngx_http_prompt_free;
    pcln->data = ctx;

    cln = ngx_http_cleanup_add(r, 0);
    if (cln == NULL) {
        return NULL;
    }

    if (ngx_http_prompt_worker_serve(r) != NGX_OK) {
        return NULL;
    }

    cln->handler = ngx_http_prompt_cleanup;
    cln->data = ctx;

    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);

    ctx->protocol = plcf->protocol != NULL ? plcf->protocol
                                           : &ngx_http_prompt_session_protocol;

    ngx_http_prompt_operation_init(&ctx->op, r, &ctx->protocol->sink, ctx);
    ctx->op.job.log.protocol = ctx->protocol->number;
    ctx->media = GQL_HTTP_MEDIA_JSON;

    ngx_http_set_ctx(r, ctx, ngx_http_prompt_module);

    /* If-Match and its like: what was done is told, whatever they say */

    r->disable_not_modified = 1;

    /*
     * From now on each line about r, nginx's own included, ends with the ids of
     * its user and key, once these are known.  A handler that another module
     * has put there stays.
     */

    if (ngx_http_prompt_error_log_next == NULL) {
        ngx_http_prompt_error_log_next = r->log_handler;
    }

    if (r->log_handler == ngx_http_prompt_error_log_next) {
        r->log_handler = ngx_http_prompt_error_log_handler;
    }

    return ctx;
}


/* The request ends, whichever way: root fields in flight go on without it. */
static void
ngx_http_prompt_cleanup(void *data)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    ngx_http_prompt_count(ctx);

    if (ctx->lookup != NULL) {
        ngx_http_prompt_keys_cancel(ctx->lookup);
        ctx->lookup = NULL;
    }

    if (ctx->ending != NULL) {
        ngx_http_prompt_ending_leave(ctx->ending);
        ctx->ending = NULL;
    }

    if (ctx->session != NULL) {
        ngx_http_prompt_session_leave(ctx);
    }

    ngx_http_prompt_operation_leave(&ctx->op);

    if (ctx->op.job.secret) {
        ngx_http_prompt_params_wipe(ctx->op.job.request);
    }
}


/* The pool goes, and nobody sends from it any more. */
static void
ngx_http_prompt_free(void *data)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    size_t  i;

    for (i = ctx->nsent; i < ctx->op.npieces; i++) {
        free((char *) ctx->op.pieces[i].data);
    }

    ngx_http_prompt_operation_free(&ctx->op);
}


static u_char *
ngx_http_prompt_error_log_handler(ngx_http_request_t *r,
    ngx_http_request_t *sr, u_char *buf, size_t len)
{
    u_char                 *p, *last;
    ngx_http_prompt_ctx_t  *ctx;

    last = buf + len;
    p = ngx_http_prompt_error_log_next(r, sr, buf, len);

    /* an error page may have taken it away */

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);
    if (ctx == NULL) {
        return p;
    }

    p = ngx_http_prompt_error_log_id(p, last, "user",
                                     ctx->op.job.identity.user_id);

    return ngx_http_prompt_error_log_id(p, last, "key",
                                        ctx->op.job.identity.key_id);
}


/* all zero: not known; a part of one is of no use */
static u_char *
ngx_http_prompt_error_log_id(u_char *p, u_char *last, const char *what,
    const u_char *bytes)
{
    char           text[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t  id;

    static const prompt_uuid_t  unknown;

    ngx_memcpy(id.bytes, bytes, sizeof(id.bytes));

    if (ngx_memcmp(id.bytes, unknown.bytes, sizeof(id.bytes)) == 0
        || (size_t) (last - p) < sizeof(", user: ") + sizeof(text))
    {
        return p;
    }

    prompt_uuid_format(&id, text);

    return ngx_slprintf(p, last, ", %s: %*s", what, sizeof(text), text);
}
