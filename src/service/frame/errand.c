/*
 * Errands.
 */

#include "service/frame/errand.h"

#include "prompt/key.h"
#include "store/value.h"


#define NGX_HTTP_PROMPT_ERRANDS_POOL  1024

/* of connections of the worker: each has another one, to its provider */
#define NGX_HTTP_PROMPT_ERRANDS_PART  8


struct ngx_http_prompt_errands_s {
    ngx_pool_t                    *pool;         /* holds all of it */
    ngx_http_prompt_operation_t *(*inner)(ngx_http_request_t *r);
    ngx_http_connection_t         *http;
    ngx_listening_t               *listening;
    struct sockaddr               *sockaddr;
    socklen_t                      socklen;
    struct sockaddr               *local_sockaddr;
    socklen_t                      local_socklen;
    ngx_str_t                      addr_text;
    ngx_str_t                      server;
    ngx_event_handler_pt           handler;
    ngx_log_t                      log;
    void                         **srv_conf;
    void                         **loc_conf;
    ngx_http_prompt_trace_t        trace;
    uint8_t                       *key;          /* as of a job */
    u_char                        *project;
};


/* in the pool of its request */
typedef struct {
    ngx_http_prompt_errand_pt      done;         /* NULL: was called, or is not
                                                    to be */
    void                          *data;
    ngx_http_prompt_operation_t   *op;
} ngx_http_prompt_errand_t;


static ngx_connection_t *ngx_http_prompt_errand_connect(
    const ngx_http_prompt_errands_t *errands);
static ngx_int_t ngx_http_prompt_errand_dress(
    const ngx_http_prompt_errands_t *errands, ngx_http_request_t *r);
static void *ngx_http_prompt_errand_copy(ngx_pool_t *pool, const void *from,
    size_t len);
static void ngx_http_prompt_errand_gone(void *data);
static void ngx_http_prompt_errand_end(ngx_http_request_t *r);
static void ngx_http_prompt_errand_tell(ngx_http_prompt_errand_t *errand,
    bool answered);
static void ngx_http_prompt_errand_answered(void *caller);
static void ngx_http_prompt_errand_refused(void *caller,
    const ngx_http_prompt_refusal_t *refusal);
static void ngx_http_prompt_errand_failed(void *caller);


/* that this worker has */
static ngx_uint_t  ngx_http_prompt_errands_live;

static const ngx_http_prompt_sink_t  ngx_http_prompt_errand_sink = {
    .answered = ngx_http_prompt_errand_answered,
    .refused = ngx_http_prompt_errand_refused,
    .failed = ngx_http_prompt_errand_failed
};


ngx_http_prompt_errands_t *
ngx_http_prompt_errands_create(ngx_http_prompt_job_t *job)
{
    ngx_pool_t                 *pool;
    ngx_connection_t           *c;
    ngx_http_request_t         *r;
    ngx_http_prompt_errands_t  *errands;

    r = job->request;
    c = r->connection;
    pool = ngx_create_pool(NGX_HTTP_PROMPT_ERRANDS_POOL, ngx_cycle->log);

    if (pool == NULL) {
        return NULL;
    }

    errands = ngx_pcalloc(pool, sizeof(ngx_http_prompt_errands_t));

    if (errands == NULL) {
        ngx_destroy_pool(pool);
        return NULL;
    }

    ngx_http_prompt_trace_find(r, &job->trace);

    /* of a socket of all addresses nobody can say later where it came to */

    (void) ngx_connection_local_sockaddr(c, NULL, 0);

    errands->pool = pool;
    errands->inner = job->sink->inner;
    errands->listening = c->listening;
    errands->socklen = c->socklen;
    errands->local_socklen = c->local_socklen;
    errands->handler = c->read->handler;
    errands->log = *c->log;
    errands->srv_conf = r->srv_conf;
    errands->loc_conf = r->loc_conf;
    errands->trace = job->trace;

    errands->http = ngx_http_prompt_errand_copy(pool, r->http_connection,
                                                sizeof(ngx_http_connection_t));
    errands->sockaddr = ngx_http_prompt_errand_copy(pool, c->sockaddr,
                                                    c->socklen);
    errands->local_sockaddr = ngx_http_prompt_errand_copy(pool,
                                                          c->local_sockaddr,
                                                          c->local_socklen);
    errands->addr_text.data = ngx_pstrdup(pool, &c->addr_text);
    errands->addr_text.len = c->addr_text.len;
    errands->server.data = ngx_pstrdup(pool, &r->headers_in.server);
    errands->server.len = r->headers_in.server.len;

    if (job->trace.state.data != NULL) {
        errands->trace.state.data =
            ngx_http_prompt_errand_copy(pool, job->trace.state.data,
                                        job->trace.state.len);
    }

    errands->key = ngx_http_prompt_errand_copy(pool, job->key,
                                               PROMPT_KEY_HASH_LEN);
    errands->project = ngx_http_prompt_errand_copy(pool, job->project,
                                                   PROMPT_UUID_LEN);

    if (errands->http == NULL || errands->sockaddr == NULL
        || errands->addr_text.data == NULL || errands->server.data == NULL
        || (errands->key == NULL && job->key != NULL)
        || (errands->project == NULL && job->project != NULL))
    {
        ngx_destroy_pool(pool);
        return NULL;
    }

    return errands;
}


void
ngx_http_prompt_errands_destroy(ngx_http_prompt_errands_t *errands)
{
    ngx_destroy_pool(errands->pool);
}


/* NULL stays NULL */
static void *
ngx_http_prompt_errand_copy(ngx_pool_t *pool, const void *from, size_t len)
{
    void  *copy;

    copy = from != NULL ? ngx_palloc(pool, len) : NULL;

    if (copy != NULL) {
        ngx_memcpy(copy, from, len);
    }

    return copy;
}


ngx_http_prompt_operation_t *
ngx_http_prompt_errand_create(ngx_http_prompt_errands_t *errands,
    ngx_http_prompt_errand_pt done, void *data)
{
    ngx_connection_t             *c;
    ngx_pool_cleanup_t           *cln;
    ngx_http_request_t           *r;
    ngx_http_prompt_errand_t     *errand;
    ngx_http_prompt_operation_t  *op;

    if (ngx_http_prompt_errands_live
        > ngx_cycle->connection_n / NGX_HTTP_PROMPT_ERRANDS_PART)
    {
        return NULL;
    }

    c = ngx_http_prompt_errand_connect(errands);
    if (c == NULL) {
        return NULL;
    }

    r = ngx_http_create_request(c);

    if (r == NULL) {
        ngx_http_close_connection(c);
        return NULL;
    }

    c->data = r;
    r->logged = 1;
    r->srv_conf = errands->srv_conf;
    r->loc_conf = errands->loc_conf;

    op = NULL;
    cln = ngx_pool_cleanup_add(r->pool, sizeof(ngx_http_prompt_errand_t));

    if (cln != NULL && ngx_http_prompt_errand_dress(errands, r) == NGX_OK) {
        op = errands->inner(r);
    }

    if (op == NULL) {
        ngx_http_prompt_errand_end(r);
        return NULL;
    }

    errand = cln->data;
    cln->handler = ngx_http_prompt_errand_gone;
    ngx_http_prompt_errands_live++;

    errand->done = done;
    errand->data = data;
    errand->op = op;

    op->job.sink = &ngx_http_prompt_errand_sink;
    op->job.caller = errand;
    op->job.trace = errands->trace;
    op->job.key = ngx_http_prompt_errand_copy(r->pool, errands->key,
                                              PROMPT_KEY_HASH_LEN);
    op->job.project = ngx_http_prompt_errand_copy(r->pool, errands->project,
                                                  PROMPT_UUID_LEN);

    if ((op->job.key == NULL && errands->key != NULL)
        || (op->job.project == NULL && errands->project != NULL))
    {
        errand->done = NULL;
        ngx_http_prompt_errand_end(r);
        return NULL;
    }

    return op;
}


/*
 * It is in nginx's table as others, so that worker_shutdown_timeout ends what
 * is done by it, but is nobody's: shared, so that nginx neither watches nor
 * closes what has the number of its socket; and active, as nobody is to wait
 * for it.
 */
static ngx_connection_t *
ngx_http_prompt_errand_connect(const ngx_http_prompt_errands_t *errands)
{
    ngx_log_t               *log;
    ngx_pool_t              *pool;
    ngx_connection_t        *c;
    ngx_http_log_ctx_t      *ctx;
    ngx_http_connection_t   *http;

    pool = ngx_create_pool(NGX_HTTP_PROMPT_ERRANDS_POOL, ngx_cycle->log);

    if (pool == NULL) {
        return NULL;
    }

    log = ngx_http_prompt_errand_copy(pool, &errands->log, sizeof(ngx_log_t));
    ctx = ngx_pcalloc(pool, sizeof(ngx_http_log_ctx_t));
    http = ngx_http_prompt_errand_copy(pool, errands->http,
                                       sizeof(ngx_http_connection_t));
    c = log != NULL && ctx != NULL && http != NULL
        ? ngx_get_connection(0, ngx_cycle->log) : NULL;

    if (c == NULL) {
        ngx_destroy_pool(pool);
        return NULL;
    }

    http->busy = NULL;
    http->free = NULL;
    http->nbusy = 0;

    ctx->connection = c;
    log->data = ctx;
    log->connection = c->number;
    log->action = NULL;

    c->data = http;
    c->pool = pool;
    c->log = log;
    c->read->log = log;
    c->write->log = log;
    c->read->handler = errands->handler;
    c->write->handler = errands->handler;
    c->read->active = 1;
    c->write->active = 1;
    c->shared = 1;
    c->sndlowat = 1;
    c->start_time = ngx_current_msec;
    c->tcp_nodelay = NGX_TCP_NODELAY_DISABLED;
    c->tcp_nopush = NGX_TCP_NOPUSH_DISABLED;
    c->listening = errands->listening;

    c->sockaddr = ngx_http_prompt_errand_copy(pool, errands->sockaddr,
                                              errands->socklen);
    c->socklen = errands->socklen;
    c->local_sockaddr = ngx_http_prompt_errand_copy(pool,
                                                    errands->local_sockaddr,
                                                    errands->local_socklen);
    c->local_socklen = errands->local_socklen;
    c->addr_text.data = ngx_http_prompt_errand_copy(pool,
                                                    errands->addr_text.data,
                                                    errands->addr_text.len);
    c->addr_text.len = errands->addr_text.len;

#if (NGX_STAT_STUB)
    (void) ngx_atomic_fetch_add(ngx_stat_active, 1);
#endif

    if (c->sockaddr == NULL || c->addr_text.data == NULL) {
        ngx_http_close_connection(c);
        return NULL;
    }

    return c;
}


static ngx_int_t
ngx_http_prompt_errand_dress(const ngx_http_prompt_errands_t *errands,
    ngx_http_request_t *r)
{
    static ngx_str_t  method = ngx_string("POST");
    static ngx_str_t  protocol = ngx_string("HTTP/1.1");

    r->method = NGX_HTTP_POST;
    r->method_name = method;
    r->http_protocol = protocol;
    r->http_version = NGX_HTTP_VERSION_11;
    r->headers_in.server.len = errands->server.len;
    r->headers_in.server.data = ngx_http_prompt_errand_copy(r->pool,
                                                        errands->server.data,
                                                        errands->server.len);

    return r->headers_in.server.data != NULL
           ? ngx_list_init(&r->headers_in.headers, r->pool, 1,
                           sizeof(ngx_table_elt_t))
           : NGX_ERROR;
}


/* nginx has freed it: without an answer, where nobody was told yet */
static void
ngx_http_prompt_errand_gone(void *data)
{
    ngx_http_prompt_errands_live--;
    ngx_http_prompt_errand_tell(data, false);
}


static void
ngx_http_prompt_errand_tell(ngx_http_prompt_errand_t *errand, bool answered)
{
    ngx_http_prompt_errand_pt  done;

    done = errand->done;
    errand->done = NULL;

    if (done != NULL) {
        done(errand->data, answered ? errand->op : NULL);
    }
}


/* There is nothing more to come: nginx does not look at what it has read. */
static void
ngx_http_prompt_errand_end(ngx_http_request_t *r)
{
    r->connection->read->eof = 1;
    ngx_http_finalize_request(r, NGX_DONE);
}


void
ngx_http_prompt_errand_run(ngx_http_prompt_operation_t *op,
    const prompt_json_t *variables)
{
    gql_errors_t       errors;
    ngx_connection_t  *c;

    c = op->job.request->connection;

    gql_errors_init(&errors, op->job.arena, op->document, 0);

    if (variables == NULL
        || ngx_http_prompt_operation_plan(op, variables, &errors) != NGX_OK)
    {
        ngx_http_prompt_errand_failed(op->job.caller);
        return;
    }

    ngx_http_prompt_operation_run(op);
    ngx_http_run_posted_requests(c);
}


static void
ngx_http_prompt_errand_answered(void *caller)
{
    ngx_http_request_t        *r;
    ngx_http_prompt_errand_t  *errand = caller;

    r = errand->op->job.request;

    ngx_http_prompt_errand_tell(errand, true);
    ngx_http_prompt_errand_end(r);
}


static void
ngx_http_prompt_errand_refused(void *caller,
    const ngx_http_prompt_refusal_t *refusal)
{
    (void) refusal;

    ngx_http_prompt_errand_failed(caller);
}


static void
ngx_http_prompt_errand_failed(void *caller)
{
    ngx_http_request_t        *r;
    ngx_http_prompt_errand_t  *errand = caller;

    r = errand->op->job.request;

    ngx_http_prompt_errand_tell(errand, false);
    ngx_http_prompt_errand_end(r);
}
