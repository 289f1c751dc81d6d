/*
 * prompt_health: 200 and "ok", or 503, and a line about each thing.
 */

#include "http/ngx_http_prompt_locations.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_page.h"
#include "http/ngx_http_prompt_response.h"
#include "service/start/health.h"
#include "service/worker/worker.h"


#define NGX_HTTP_PROMPT_HEALTH_TEXT  1024


/* a request that waits; in its pool */
typedef struct {
    ngx_http_prompt_health_wait_t  wait;
    ngx_http_request_t            *request;
    unsigned                       waits:1;
} ngx_http_prompt_health_ctx_t;


static ngx_int_t ngx_http_prompt_health_wait(ngx_http_request_t *r,
    ngx_http_prompt_worker_t *worker);
static void ngx_http_prompt_health_done(void *data);
static void ngx_http_prompt_health_cleanup(void *data);
static ngx_int_t ngx_http_prompt_health_send(ngx_http_request_t *r,
    ngx_http_prompt_worker_t *worker);


ngx_int_t
ngx_http_prompt_health_handler(ngx_http_request_t *r)
{
    ngx_int_t                  rc;
    ngx_http_prompt_worker_t  *worker;

    rc = ngx_http_prompt_page_request(r);
    if (rc != NGX_OK) {
        return rc;
    }

    worker = ngx_http_prompt_get_worker(r);

    if (worker == NULL) {
        return ngx_http_prompt_health_send(r, NULL);
    }

    return ngx_http_prompt_health_wait(r, worker);
}


static ngx_int_t
ngx_http_prompt_health_wait(ngx_http_request_t *r,
    ngx_http_prompt_worker_t *worker)
{
    ngx_http_cleanup_t            *cln;
    ngx_http_prompt_health_ctx_t  *ctx;

    ctx = ngx_pcalloc(r->pool, sizeof(ngx_http_prompt_health_ctx_t));
    cln = ngx_http_cleanup_add(r, 0);

    if (ctx == NULL || cln == NULL
        || ngx_http_prompt_worker_serve(r) != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ctx->request = r;
    ctx->wait.done = ngx_http_prompt_health_done;
    ctx->wait.data = ctx;

    if (ngx_http_prompt_health_ask(worker, &ctx->wait) == NGX_OK) {
        return ngx_http_prompt_health_send(r, worker);
    }

    ctx->waits = 1;

    cln->handler = ngx_http_prompt_health_cleanup;
    cln->data = ctx;

    r->main->count++;

    return NGX_DONE;
}


static void
ngx_http_prompt_health_done(void *data)
{
    ngx_http_prompt_health_ctx_t  *ctx = data;

    ngx_connection_t    *c;
    ngx_http_request_t  *r;

    r = ctx->request;
    c = r->connection;
    ctx->waits = 0;

    ngx_http_finalize_request(r,
              ngx_http_prompt_health_send(r, ngx_http_prompt_get_worker(r)));
    ngx_http_run_posted_requests(c);
}


static void
ngx_http_prompt_health_cleanup(void *data)
{
    ngx_http_prompt_health_ctx_t  *ctx = data;

    if (ctx->waits) {
        ngx_http_prompt_health_cancel(&ctx->wait);
    }
}


static ngx_int_t
ngx_http_prompt_health_send(ngx_http_request_t *r,
    ngx_http_prompt_worker_t *worker)
{
    ngx_int_t     rc;
    ngx_uint_t    status;
    prompt_buf_t  out;

    prompt_buf_init(&out, NGX_HTTP_PROMPT_HEALTH_TEXT);
    status = NGX_HTTP_SERVICE_UNAVAILABLE;

    if (worker == NULL) {
        prompt_buf_literal(&out, "unavailable\n"
                                 "There is no prompt_graphql location.\n");

    } else {
        ngx_http_prompt_health_write(worker, &out);

        if (ngx_http_prompt_health_good(worker)) {
            status = NGX_HTTP_OK;
        }
    }

    rc = ngx_http_prompt_add_header(r, "Cache-Control", "no-store") == NGX_OK
         ? ngx_http_prompt_send_text(r, status, "text/plain", &out)
         : NGX_HTTP_INTERNAL_SERVER_ERROR;

    prompt_buf_free(&out);

    return rc;
}
