/*
 * Calling a provider by a background subrequest; see README.md.
 *
 * A subrequest is known to be ours by its post_subrequest, which, unlike the
 * context of the module, survives the redirects of error_page.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/buf.h"
#include "io/ngx_http_prompt_provider.h"


#define PROVIDER_RETRY_END  1000                 /* ms */


/*
 * A call.  It lives in the pool of the request; the body and the answer,
 * which may be large, do not.
 *
 * Debug logging of timers takes ev->data for a connection, hence the three
 * pointers and the descriptor in front.
 */
struct ngx_http_prompt_provider_call_s {
    ngx_http_request_t                 *request;
    ngx_http_request_t                 *subrequest;
    void                               *data;
    ngx_socket_t                        fd;

    ngx_http_prompt_provider_done_pt    done;
    ngx_http_prompt_provider_stats_t   *stats;
    ngx_http_post_subrequest_t          post;
    ngx_event_t                         timer;     /* of the whole call */
    ngx_event_t                         over;      /* posted: tell */
    ngx_msec_t                          start;

    prompt_buf_t                        answer;
    ngx_http_prompt_provider_result_t   result;

    ngx_http_upstream_t                *excused;   /* see redirect_handler */

    unsigned                            own:1;     /* what comes is nginx's
                                                      own page for an error */
    unsigned                            header:1;  /* of the answer was seen */
    unsigned                            last:1;    /* its end was seen */
    unsigned                            failed:1;  /* memory is short */
    unsigned                            ended:1;   /* result stands */
    unsigned                            told:1;    /* or nobody wants to know */
    unsigned                            gone:1;    /* the subrequest is over */
};


static ngx_http_request_t *ngx_http_prompt_provider_subrequest(
    ngx_http_prompt_provider_call_t *call,
    ngx_http_prompt_provider_request_t *request);
static ngx_int_t ngx_http_prompt_provider_headers(ngx_http_request_t *sr,
    ngx_http_prompt_provider_request_t *request);
static ngx_table_elt_t *ngx_http_prompt_provider_header(
    ngx_http_request_t *sr, ngx_str_t *key, ngx_str_t *value);
static ngx_int_t ngx_http_prompt_provider_body(ngx_http_request_t *sr,
    prompt_str_t *body);
static ngx_int_t ngx_http_prompt_provider_copy(ngx_pool_t *pool,
    ngx_str_t *to, ngx_str_t *from);
static ngx_http_prompt_provider_call_t *ngx_http_prompt_provider_of(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_provider_post_handler(ngx_http_request_t *r,
    void *data, ngx_int_t rc);
static void ngx_http_prompt_provider_end(
    ngx_http_prompt_provider_call_t *call);
static void ngx_http_prompt_provider_over_handler(ngx_event_t *ev);
static void ngx_http_prompt_provider_timer_handler(ngx_event_t *ev);
static void ngx_http_prompt_provider_tell(
    ngx_http_prompt_provider_call_t *call);
static void ngx_http_prompt_provider_stop(
    ngx_http_prompt_provider_call_t *call);
static void ngx_http_prompt_provider_cleanup(void *data);
static void ngx_http_prompt_provider_free(void *data);
static void ngx_http_prompt_provider_read_handler(ngx_http_request_t *r);
static void ngx_http_prompt_provider_write_handler(ngx_http_request_t *r);
static ngx_http_prompt_provider_call_t *ngx_http_prompt_provider_current(
    ngx_http_request_t *r);
static ngx_uint_t ngx_http_prompt_provider_client_left(ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_provider_redirect_handler(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_provider_header_filter(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_provider_body_filter(ngx_http_request_t *r,
    ngx_chain_t *in);


static ngx_str_t  ngx_http_prompt_provider_post_method = ngx_string("POST");
static ngx_str_t  ngx_http_prompt_provider_content_type =
    ngx_string("Content-Type");
static ngx_str_t  ngx_http_prompt_provider_json =
    ngx_string("application/json");


static ngx_http_output_header_filter_pt  ngx_http_next_header_filter;
static ngx_http_output_body_filter_pt    ngx_http_next_body_filter;


ngx_int_t
ngx_http_prompt_provider_init(ngx_conf_t *cf)
{
    ngx_uint_t                  i;
    ngx_http_handler_pt        *h;
    ngx_http_core_main_conf_t  *cmcf;

    /*
     * The first phases that run after a redirect to a URI and to a named
     * location: "return" answers in the second already.  The last one is for
     * modules that put themselves in front of us there, and for calls that
     * ended while a phase before it held them up.
     */

    static const ngx_http_phases  phases[] = {
        NGX_HTTP_SERVER_REWRITE_PHASE,
        NGX_HTTP_REWRITE_PHASE,
        NGX_HTTP_PRECONTENT_PHASE
    };

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    for (i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {

        h = ngx_array_push(&cmcf->phases[phases[i]].handlers);
        if (h == NULL) {
            return NGX_ERROR;
        }

        *h = ngx_http_prompt_provider_redirect_handler;
    }

    ngx_http_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_prompt_provider_header_filter;

    ngx_http_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_prompt_provider_body_filter;

    return NGX_OK;
}


ngx_http_prompt_provider_call_t *
ngx_http_prompt_provider_call(ngx_http_request_t *r,
    ngx_http_prompt_provider_request_t *request)
{
    ngx_pool_cleanup_t               *pcln;
    ngx_http_cleanup_t               *cln;
    ngx_http_prompt_provider_call_t  *call;

    pcln = ngx_pool_cleanup_add(r->pool, 0);

    if (pcln == NULL) {
        free((void *) request->body.data);
        return NULL;
    }

    pcln->handler = ngx_http_prompt_provider_free;
    pcln->data = (void *) request->body.data;

    call = ngx_pcalloc(r->pool, sizeof(ngx_http_prompt_provider_call_t));
    if (call == NULL) {
        return NULL;
    }

    cln = ngx_http_cleanup_add(r, 0);
    if (cln == NULL) {
        return NULL;
    }

    call->request = r;
    call->data = request->data;
    call->fd = (ngx_socket_t) -1;
    call->done = request->done;
    call->stats = request->stats;
    call->start = ngx_current_msec;

    call->post.handler = ngx_http_prompt_provider_post_handler;
    call->post.data = call;

    call->timer.handler = ngx_http_prompt_provider_timer_handler;
    call->timer.data = call;
    call->timer.log = r->connection->log;

    call->over.handler = ngx_http_prompt_provider_over_handler;
    call->over.data = call;
    call->over.log = r->connection->log;

    prompt_buf_init(&call->answer, request->max_answer);

    call->subrequest = ngx_http_prompt_provider_subrequest(call, request);

    if (call->subrequest == NULL) {
        return NULL;
    }

    cln->handler = ngx_http_prompt_provider_cleanup;
    cln->data = call;

    ngx_add_timer(&call->timer, request->timeout);

    /*
     * Events of the client's connection come to r, never to a background
     * subrequest.  Whether the client leaves is a matter of
     * proxy_ignore_client_abort; a subrequest that is delayed waits for a
     * write event.
     */

    r->read_event_handler = ngx_http_prompt_provider_read_handler;
    r->write_event_handler = ngx_http_prompt_provider_write_handler;

    if (r->connection->read->ready) {
        ngx_post_event(r->connection->read, &ngx_posted_events);
    }

    if (call->stats != NULL) {
        call->stats->calls++;
        call->stats->in_flight++;
    }

    return call;
}


/*
 * All that can fail comes before the subrequest is made: one that exists is
 * run, whatever we return.
 */
static ngx_http_request_t *
ngx_http_prompt_provider_subrequest(ngx_http_prompt_provider_call_t *call,
    ngx_http_prompt_provider_request_t *request)
{
    ngx_str_t            uri, args;
    ngx_http_request_t  *r, *sr, draft;

    r = call->request;

    if (ngx_http_prompt_provider_copy(r->pool, &uri, &request->uri) != NGX_OK
        || ngx_http_prompt_provider_copy(r->pool, &args, &request->args)
           != NGX_OK)
    {
        return NULL;
    }

    /* a fresh header: the client's own carries its API key */

    ngx_memzero(&draft, sizeof(ngx_http_request_t));

    draft.pool = r->pool;
    draft.headers_in.server = r->headers_in.server;
    draft.headers_in.content_length_n = (off_t) request->body.len;
    draft.headers_in.keep_alive_n = -1;

    if (ngx_http_prompt_provider_headers(&draft, request) != NGX_OK
        || ngx_http_prompt_provider_body(&draft, &request->body) != NGX_OK)
    {
        return NULL;
    }

    if (ngx_http_subrequest(r, &uri, &args, &sr, &call->post,
                            NGX_HTTP_SUBREQUEST_BACKGROUND)
        != NGX_OK)
    {
        return NULL;
    }

    sr->method = NGX_HTTP_POST;
    sr->method_name = ngx_http_prompt_provider_post_method;
    sr->request_body = draft.request_body;
    sr->headers_in = draft.headers_in;

    /* the last link of a list that has one part points into the list itself */

    if (draft.headers_in.headers.last == &draft.headers_in.headers.part) {
        sr->headers_in.headers.last = &sr->headers_in.headers.part;
    }

    return sr;
}


static ngx_int_t
ngx_http_prompt_provider_headers(ngx_http_request_t *sr,
    ngx_http_prompt_provider_request_t *request)
{
    ngx_str_t        *type;
    ngx_uint_t        i;
    ngx_table_elt_t  *h;

    if (ngx_list_init(&sr->headers_in.headers, sr->pool,
                      request->nheaders + 1, sizeof(ngx_table_elt_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    type = request->content_type.len != 0 ? &request->content_type
                                          : &ngx_http_prompt_provider_json;

    h = ngx_http_prompt_provider_header(sr,
                              &ngx_http_prompt_provider_content_type, type);
    if (h == NULL) {
        return NGX_ERROR;
    }

    sr->headers_in.content_type = h;

    for (i = 0; i < request->nheaders; i++) {
        if (ngx_http_prompt_provider_header(sr, &request->headers[i].key,
                                            &request->headers[i].value)
            == NULL)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_table_elt_t *
ngx_http_prompt_provider_header(ngx_http_request_t *sr, ngx_str_t *key,
    ngx_str_t *value)
{
    ngx_table_elt_t  *h;

    h = ngx_list_push(&sr->headers_in.headers);
    if (h == NULL) {
        return NULL;
    }

    ngx_memzero(h, sizeof(ngx_table_elt_t));

    if (ngx_http_prompt_provider_copy(sr->pool, &h->key, key) != NGX_OK
        || ngx_http_prompt_provider_copy(sr->pool, &h->value, value) != NGX_OK)
    {
        return NULL;
    }

    h->lowcase_key = ngx_pnalloc(sr->pool, key->len);
    if (h->lowcase_key == NULL) {
        return NULL;
    }

    /* the hash by which proxy_set_header finds what it replaces */

    h->hash = ngx_hash_strlow(h->lowcase_key, h->key.data, h->key.len);

    return h;
}


static ngx_int_t
ngx_http_prompt_provider_body(ngx_http_request_t *sr, prompt_str_t *body)
{
    ngx_buf_t                *b;
    ngx_http_request_body_t  *rb;

    rb = ngx_pcalloc(sr->pool, sizeof(ngx_http_request_body_t));
    if (rb == NULL) {
        return NGX_ERROR;
    }

    sr->request_body = rb;

    if (body->len == 0) {
        return NGX_OK;
    }

    b = ngx_calloc_buf(sr->pool);
    if (b == NULL) {
        return NGX_ERROR;
    }

    b->memory = 1;
    b->last_buf = 1;
    b->start = (u_char *) body->data;
    b->pos = b->start;
    b->last = b->start + body->len;
    b->end = b->last;

    rb->bufs = ngx_alloc_chain_link(sr->pool);
    if (rb->bufs == NULL) {
        return NGX_ERROR;
    }

    rb->bufs->buf = b;
    rb->bufs->next = NULL;
    rb->buf = b;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_provider_copy(ngx_pool_t *pool, ngx_str_t *to,
    ngx_str_t *from)
{
    ngx_str_null(to);

    if (from->len == 0) {
        return NGX_OK;
    }

    to->data = ngx_pstrdup(pool, from);
    if (to->data == NULL) {
        return NGX_ERROR;
    }

    to->len = from->len;

    return NGX_OK;
}


void
ngx_http_prompt_provider_cancel(ngx_http_prompt_provider_call_t *call)
{
    if (call->told) {
        return;
    }

    if (!call->ended) {
        ngx_http_prompt_provider_end(call);
    }

    call->told = 1;

    if (call->stats != NULL) {
        call->stats->in_flight--;
    }

    if (call->over.posted) {
        ngx_delete_posted_event(&call->over);
    }

    prompt_buf_free(&call->answer);

    ngx_http_prompt_provider_stop(call);
}


/* the call that a subrequest belongs to, or NULL */
static ngx_http_prompt_provider_call_t *
ngx_http_prompt_provider_of(ngx_http_request_t *r)
{
    if (r->post_subrequest == NULL
        || r->post_subrequest->handler
           != ngx_http_prompt_provider_post_handler)
    {
        return NULL;
    }

    return r->post_subrequest->data;
}


/*
 * Runs each time that nginx finalizes the subrequest: with an error before a
 * header was sent nginx makes a page of its own, or an error_page redirects
 * to a location of the operator's, and it is finalized again.  Never lets an
 * error through that would end the whole request.
 */
static ngx_int_t
ngx_http_prompt_provider_post_handler(ngx_http_request_t *r, void *data,
    ngx_int_t rc)
{
    ngx_http_upstream_t              *u;
    ngx_http_prompt_provider_call_t  *call;

    call = data;

    if (!call->ended) {

        u = r->upstream;

        if (u != NULL && u->headers_in.status_n != 0) {
            call->result.answered = 1;
        }

        if (!r->header_sent && !call->result.refused
            && (rc >= NGX_HTTP_SPECIAL_RESPONSE || rc == NGX_HTTP_CREATED
                || rc == NGX_HTTP_NO_CONTENT)
            && rc != NGX_HTTP_REQUEST_TIME_OUT
            && rc != NGX_HTTP_CLIENT_CLOSED_REQUEST
            && rc != NGX_HTTP_CLOSE)
        {
            call->own = 1;
            call->result.status = rc;

            return rc;
        }

        if (call->result.status == 0 && rc >= NGX_HTTP_SPECIAL_RESPONSE) {
            call->result.status = rc;
        }

        ngx_http_prompt_provider_end(call);

        ngx_post_event(&call->over, &ngx_posted_events);
    }

    call->gone = 1;

    if (call->told && call->timer.timer_set) {
        ngx_del_timer(&call->timer);
    }

    /* a part of the answer that was not taken must not keep it waiting */

    r->buffered = 0;

    return NGX_OK;
}


/* The result stands from now on. */
static void
ngx_http_prompt_provider_end(ngx_http_prompt_provider_call_t *call)
{
    ngx_http_prompt_provider_result_t  *result;

    result = &call->result;

    call->ended = 1;

    if (call->timer.timer_set) {
        ngx_del_timer(&call->timer);
    }

    result->duration = ngx_current_msec - call->start;

    if (!call->own && call->header) {
        result->complete = (call->last && !call->failed && result->status != 0
                            && !result->too_large && !result->timed_out
                            && !result->cancelled && !result->refused);
        result->truncated = !call->last;
    }

    if (call->stats != NULL) {

        if (result->timed_out) {
            call->stats->timeouts++;

        } else if (!result->complete) {
            call->stats->failures++;
        }
    }
}


static void
ngx_http_prompt_provider_over_handler(ngx_event_t *ev)
{
    ngx_http_prompt_provider_call_t  *call;

    call = ev->data;

    if (!call->ended) {
        ngx_http_prompt_provider_end(call);
        ngx_http_prompt_provider_stop(call);
    }

    ngx_http_prompt_provider_tell(call);
}


static void
ngx_http_prompt_provider_timer_handler(ngx_event_t *ev)
{
    ngx_connection_t                 *c;
    ngx_http_prompt_provider_call_t  *call;

    call = ev->data;

    if (call->told) {

        /* it could not be stopped where it was: once more */

        c = call->request->connection;

        ngx_http_prompt_provider_stop(call);
        ngx_http_run_posted_requests(c);
        return;
    }

    call->result.timed_out = 1;

    ngx_http_prompt_provider_end(call);
    ngx_http_prompt_provider_stop(call);
    ngx_http_prompt_provider_tell(call);
}


/*
 * Tells the owner, who may finalize the request: then the call, which lives
 * in its pool, is no more.
 */
static void
ngx_http_prompt_provider_tell(ngx_http_prompt_provider_call_t *call)
{
    prompt_buf_t                        answer;
    ngx_connection_t                   *c;
    ngx_http_prompt_provider_result_t   result;

    call->told = 1;

    if (call->stats != NULL) {
        call->stats->in_flight--;
    }

    answer = call->answer;
    prompt_buf_init(&call->answer, 0);

    result = call->result;
    result.body = prompt_buf_view(&answer);

    if (call->own) {
        result.body = prompt_str_of("", 0);
    }

    c = NULL;

    if (!result.aborted) {
        c = call->request->connection;
        call->request->read_event_handler = ngx_http_block_reading;
        call->request->write_event_handler = ngx_http_request_empty_handler;
    }

    call->done(call->data, &result);

    prompt_buf_free(&answer);

    if (c != NULL) {
        ngx_http_run_posted_requests(c);
    }
}


/*
 * Ends the subrequest where it talks to the provider: nginx's own cleanup
 * closes the connection and gives back what the subrequest holds.  Where it
 * does not yet (it waits in limit_req, say), whoever holds it cannot be told;
 * it is woken from time to time, and gets no further than the phase before
 * the content.
 */
static void
ngx_http_prompt_provider_stop(ngx_http_prompt_provider_call_t *call)
{
    ngx_http_request_t   *sr;
    ngx_http_upstream_t  *u;

    if (call->gone) {
        return;
    }

    sr = call->subrequest;
    u = sr->upstream;

    if (u != NULL && u->cleanup != NULL && *u->cleanup != NULL) {
        call->gone = 1;

        sr->write_event_handler = ngx_http_request_empty_handler;

        (*u->cleanup)(sr);
        return;
    }

    call->timer.cancelable = 1;
    ngx_add_timer(&call->timer, PROVIDER_RETRY_END);

    (void) ngx_http_post_request(sr, NULL);
}


/* The request is being freed, or torn down under a call. */
static void
ngx_http_prompt_provider_cleanup(void *data)
{
    ngx_http_prompt_provider_call_t  *call;

    call = data;

    call->gone = 1;

    if (call->over.posted) {
        ngx_delete_posted_event(&call->over);
    }

    if (!call->told) {

        if (!call->ended) {
            ngx_http_prompt_provider_end(call);
        }

        call->result.aborted = 1;

        ngx_http_prompt_provider_tell(call);
    }

    if (call->timer.timer_set) {
        ngx_del_timer(&call->timer);
    }

    prompt_buf_free(&call->answer);
}


static void
ngx_http_prompt_provider_free(void *data)
{
    free(data);
}


/*
 * Something comes from the client while the provider is asked.  Where it
 * left, the location decides by proxy_ignore_client_abort whether the call
 * goes on.
 */
static void
ngx_http_prompt_provider_read_handler(ngx_http_request_t *r)
{
    ngx_connection_t                 *c;
    ngx_http_upstream_t              *u;
    ngx_http_prompt_provider_call_t  *call;

    c = r->connection;

    if (!ngx_http_prompt_provider_client_left(r)) {

        if ((ngx_event_flags & NGX_USE_LEVEL_EVENT) && c->read->active) {
            (void) ngx_del_event(c->read, NGX_READ_EVENT, 0);
        }

        return;
    }

    r->read_event_handler = ngx_http_block_reading;

    call = ngx_http_prompt_provider_current(r);

    if (call == NULL) {
        return;
    }

    u = call->subrequest->upstream;

    if (u == NULL || u->conf->ignore_client_abort) {
        return;
    }

    ngx_log_error(NGX_LOG_INFO, c->log, 0,
                  "client left while a provider was asked");

    call->result.cancelled = 1;

    ngx_http_prompt_provider_end(call);
    ngx_http_prompt_provider_stop(call);
    ngx_http_prompt_provider_tell(call);
}


static void
ngx_http_prompt_provider_write_handler(ngx_http_request_t *r)
{
    ngx_http_prompt_provider_call_t  *call;

    call = ngx_http_prompt_provider_current(r);

    if (call != NULL) {
        (void) ngx_http_post_request(call->subrequest, NULL);
    }
}


/* the call that r waits for, or NULL */
static ngx_http_prompt_provider_call_t *
ngx_http_prompt_provider_current(ngx_http_request_t *r)
{
    ngx_http_cleanup_t               *cln;
    ngx_http_prompt_provider_call_t  *call;

    for (cln = r->main->cleanup; cln != NULL; cln = cln->next) {

        if (cln->handler != ngx_http_prompt_provider_cleanup) {
            continue;
        }

        call = cln->data;

        if (call->request == r && !call->ended) {
            return call;
        }
    }

    return NULL;
}


static ngx_uint_t
ngx_http_prompt_provider_client_left(ngx_http_request_t *r)
{
    int                n;
    char               buf[1];
    ngx_connection_t  *c;

    c = r->connection;

    if (c->error || c->read->pending_eof) {
        return 1;
    }

#if (NGX_HTTP_V2)

    if (r->stream != NULL) {
        return 0;
    }

#endif

#if (NGX_HTTP_V3)

    if (c->quic != NULL) {
        return c->read->error;
    }

#endif

    n = recv(c->fd, buf, 1, MSG_PEEK);

    return n == 0 || (n == -1 && ngx_socket_errno != NGX_EAGAIN);
}


/*
 * The phases run again for a subrequest that was redirected.  After an error
 * that is the operator's error_page, and what it answers counts as the
 * provider's answer.  Otherwise the provider itself may have asked for it by
 * X-Accel-Redirect, into any location, another provider's and its secrets
 * too.  This runs in several phases, so it keeps in mind which upstream was
 * left by way of error_page.
 */
static ngx_int_t
ngx_http_prompt_provider_redirect_handler(ngx_http_request_t *r)
{
    ngx_http_upstream_t              *u;
    ngx_http_prompt_provider_call_t  *call;

    call = ngx_http_prompt_provider_of(r);

    if (call == NULL) {
        return NGX_DECLINED;
    }

    if (call->ended) {
        return NGX_HTTP_BAD_GATEWAY;
    }

    u = r->upstream;

    if (call->own) {
        call->own = 0;
        call->excused = u;
        call->result.status = 0;

        return NGX_DECLINED;
    }

    if (u == NULL || u == call->excused
        || u->headers_in.x_accel_redirect == NULL)
    {
        return NGX_DECLINED;
    }

    ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                  "a provider sent X-Accel-Redirect: refused");

    call->result.refused = 1;

    return NGX_HTTP_BAD_GATEWAY;
}


static ngx_int_t
ngx_http_prompt_provider_header_filter(ngx_http_request_t *r)
{
    ngx_http_upstream_t              *u;
    ngx_http_prompt_provider_call_t  *call;

    call = ngx_http_prompt_provider_of(r);

    if (call == NULL) {
        return ngx_http_next_header_filter(r);
    }

    r->filter_need_in_memory = 1;
    r->header_sent = 1;

    if (call->ended) {
        return NGX_ERROR;
    }

    if (call->own) {
        return NGX_OK;
    }

    call->header = 1;
    call->result.answered = 1;
    call->result.status = r->headers_out.status;

    if (r->headers_out.content_length_n > (off_t) call->answer.limit) {
        call->result.too_large = 1;
        return NGX_ERROR;
    }

    /*
     * We take the answer as it comes.  Buffering would write what exceeds
     * proxy_buffers to a file: it asks whether the client's connection
     * belongs to the subrequest, and that of a background one never does.
     */

    u = r->upstream;

    if (u != NULL && !u->cacheable && !u->store) {
        u->buffering = 0;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_provider_body_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_buf_t                        *b;
    ngx_chain_t                      *cl;
    ngx_http_prompt_provider_call_t  *call;

    call = ngx_http_prompt_provider_of(r);

    if (call == NULL) {
        return ngx_http_next_body_filter(r, in);
    }

    for (cl = in; cl != NULL; cl = cl->next) {
        b = cl->buf;

        if (b->last_buf || b->last_in_chain) {
            call->last = 1;
        }

        if (ngx_buf_in_memory(b) && !call->own && !call->ended) {
            prompt_buf_append(&call->answer, (char *) b->pos,
                              b->last - b->pos);
        }

        b->pos = b->last;
        b->file_pos = b->file_last;
    }

    /* an error from here would be one of the client's connection */

    if (call->answer.status != PROMPT_BUF_OK && !call->ended) {
        call->result.too_large = (call->answer.status == PROMPT_BUF_LIMIT);
        call->failed = 1;

        ngx_post_event(&call->over, &ngx_posted_events);
    }

    return NGX_OK;
}
