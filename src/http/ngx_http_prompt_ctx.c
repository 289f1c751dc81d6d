/*
 * The context of a request: how it is made, and what is given back when.
 */

#include "http/ngx_http_prompt_request.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_error_log.h"
#include "http/ngx_http_prompt_session.h"
#include "http/ngx_http_prompt_variables.h"
#include "service/once.h"
#include "service/standby.h"
#include "service/worker.h"


static void ngx_http_prompt_cleanup(void *data);
static void ngx_http_prompt_detach(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_free(void *data);


ngx_http_prompt_ctx_t *
ngx_http_prompt_get_ctx(ngx_http_request_t *r)
{
    ngx_pool_cleanup_t     *pcln;
    ngx_http_cleanup_t     *cln;
    ngx_http_prompt_ctx_t  *ctx;

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

    ctx->job.request = r;
    ctx->job.end = ngx_http_prompt_end;
    ctx->media = GQL_HTTP_MEDIA_JSON;
    ctx->job.log.tokens_in = -1;
    ctx->job.log.tokens_out = -1;
    ctx->job.log.provider_ms = -1;

    ngx_http_set_ctx(r, ctx, ngx_http_prompt_module);
    ngx_http_prompt_error_log(r);

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

    if (ctx->session != NULL) {
        ngx_http_prompt_session_leave(ctx);
    }

    ngx_http_prompt_detach(ctx);
    ngx_http_prompt_answers_leave(&ctx->job.claim);
    ngx_http_prompt_standby_leave(&ctx->job);

    if (ctx->job.secret) {
        ngx_http_prompt_params_wipe(ctx->job.request);
    }

    if (ctx->job.once != NULL) {
        ngx_http_prompt_once_leave(ctx->job.once);
    }
}


static void
ngx_http_prompt_detach(ngx_http_prompt_ctx_t *ctx)
{
    if (!ctx->detached) {
        ctx->detached = 1;
        ngx_http_prompt_job_detach(&ctx->job);
    }
}


/* All that served to make the answer. */

void
ngx_http_prompt_release(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_prompt_detach(ctx);

    if (ctx->job.execution != NULL) {
        gql_execution_destroy(ctx->job.execution);
        ctx->job.execution = NULL;
    }

    if (ctx->prepared != NULL) {
        gql_prepared_release(ctx->prepared);
        ctx->prepared = NULL;
    }

    if (ctx->job.arena != NULL) {
        prompt_arena_destroy(ctx->job.arena);
        ctx->job.arena = NULL;
    }

    /* what was reserved for an answer is its bytes' now, or nobody's */

    if (ctx->npieces == 0 && ctx->events == NULL) {
        ngx_http_prompt_answers_free(&ctx->job.claim);
    }
}


/* The pool goes, and nobody sends from it any more. */

static void
ngx_http_prompt_free(void *data)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    size_t  i;

    ngx_http_prompt_release(ctx);

    for (i = ctx->nsent; i < ctx->npieces; i++) {
        free((char *) ctx->pieces[i].data);
    }

    ngx_http_prompt_answers_free(&ctx->job.claim);
}
