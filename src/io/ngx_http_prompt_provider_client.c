/*
 * The client of a call: whether it is still there, and what happens to the
 * call where it is not.  Events of its connection come to the request that
 * made the call, never to the background subrequest.
 */

#include "io/ngx_http_prompt_provider_impl.h"
#include "io/ngx_http_prompt_ratelog.h"


static void ngx_http_prompt_provider_read_handler(ngx_http_request_t *r);
static void ngx_http_prompt_provider_write_handler(ngx_http_request_t *r);
static ngx_http_prompt_provider_call_t *ngx_http_prompt_provider_current(
    ngx_http_request_t *r);
static ngx_uint_t ngx_http_prompt_provider_client_left(ngx_http_request_t *r);

#if (NGX_HTTP_PROMPT_QUIC)

static void ngx_http_prompt_provider_stream_handler(ngx_event_t *ev);

/* nginx's own, which is the same for all requests */
static ngx_event_handler_pt  ngx_http_prompt_provider_request_handler;

#endif


/*
 * Whether the client leaves is a matter of proxy_ignore_client_abort; a
 * subrequest that is delayed waits for a write event.
 */
void
ngx_http_prompt_provider_watch(ngx_http_prompt_provider_call_t *call)
{
    ngx_http_request_t  *r;

    r = call->request;

    r->read_event_handler = ngx_http_prompt_provider_read_handler;
    r->write_event_handler = ngx_http_prompt_provider_write_handler;

    ngx_http_prompt_provider_hold(call);

    if (r->connection->read->ready) {
        ngx_post_event(r->connection->read, &ngx_posted_events);
    }
}


/*
 * Something comes from the client while the provider is asked.  Where it
 * left, the location decides by proxy_ignore_client_abort whether the call
 * goes on.
 */
static void
ngx_http_prompt_provider_read_handler(ngx_http_request_t *r)
{
    ngx_uint_t                        asks;
    ngx_connection_t                 *c;
    ngx_http_prompt_provider_call_t  *call;

    c = r->connection;
    call = ngx_http_prompt_provider_current(r);

    if (call == NULL) {
        r->read_event_handler = ngx_http_block_reading;
        return;
    }

    /* whether it matters already that the client has gone */

    asks = call->leave == NGX_HTTP_PROMPT_PROVIDER_STOPS
           || (call->subrequest == NULL
               ? call->leave == NGX_HTTP_PROMPT_PROVIDER_STOPS_IDLE
               : call->subrequest->upstream != NULL);

    if (!asks || !ngx_http_prompt_provider_client_left(r)) {

        /* an upstream that wants to know posts the event again */

        if ((ngx_event_flags & NGX_USE_LEVEL_EVENT) && c->read->active) {
            (void) ngx_del_event(c->read, NGX_READ_EVENT, 0);
        }

        return;
    }

    if (ngx_http_prompt_provider_goes_on(call)) {
        r->read_event_handler = ngx_http_block_reading;
        ngx_http_prompt_provider_leave(call);
        return;
    }

    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_CALL_LEFT,
                            prompt_str_absent, c->log,
                            "prompt: a client left while a provider was "
                            "asked");

    ngx_http_prompt_provider_break(call, NGX_HTTP_PROMPT_PROVIDER_CANCELLED);
}


static void
ngx_http_prompt_provider_write_handler(ngx_http_request_t *r)
{
    ngx_http_prompt_provider_call_t  *call;

    call = ngx_http_prompt_provider_current(r);

    if (call == NULL) {
        return;
    }

    if (call->stream != NULL) {
        call->stream->writable(call->stream_data);
    }

    if (call->subrequest != NULL) {
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

        if (call->request == r
            && call->state < NGX_HTTP_PROMPT_PROVIDER_ENDED)
        {
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

    if (r->stream != NULL) {
        return 0;
    }

#if (NGX_HTTP_PROMPT_QUIC)

    if (c->quic != NULL) {
        return c->read->error;
    }

#endif

    n = recv(c->fd, buf, 1, MSG_PEEK);

    return n == 0 || (n == -1 && ngx_socket_errno != NGX_EAGAIN);
}


/* by what the request says, or else the location */
ngx_uint_t
ngx_http_prompt_provider_goes_on(ngx_http_prompt_provider_call_t *call)
{
    ngx_http_upstream_t  *u;

    switch (call->leave) {

    case NGX_HTTP_PROMPT_PROVIDER_PERSISTS:
        return 1;

    case NGX_HTTP_PROMPT_PROVIDER_STOPS:
        return 0;

    case NGX_HTTP_PROMPT_PROVIDER_STOPS_IDLE:
    case NGX_HTTP_PROMPT_PROVIDER_AS_LOCATION:
        break;
    }

    if (call->subrequest == NULL) {
        return call->leave != NGX_HTTP_PROMPT_PROVIDER_STOPS_IDLE;
    }

    u = call->subrequest->upstream;

    /* an upstream has no conf where memory was short when it was made */

    return u == NULL || u->conf == NULL || u->conf->ignore_client_abort;
}


void
ngx_http_prompt_provider_hold(ngx_http_prompt_provider_call_t *call)
{
#if (NGX_HTTP_PROMPT_QUIC)

    ngx_connection_t  *c;

    c = call->request->connection;

    if (c->quic == NULL
        || c->read->handler == ngx_http_prompt_provider_stream_handler)
    {
        return;
    }

    ngx_http_prompt_provider_request_handler = c->read->handler;

    c->read->handler = ngx_http_prompt_provider_stream_handler;
    c->write->handler = ngx_http_prompt_provider_stream_handler;

#endif
}


/* A stream whose connection closed meanwhile ends in the next turn. */
void
ngx_http_prompt_provider_let_go(ngx_http_prompt_provider_call_t *call)
{
#if (NGX_HTTP_PROMPT_QUIC)

    ngx_connection_t  *c;

    c = call->request->connection;

    if (c->read->handler != ngx_http_prompt_provider_stream_handler) {
        return;
    }

    c->read->handler = ngx_http_prompt_provider_request_handler;
    c->write->handler = ngx_http_prompt_provider_request_handler;

    if (c->close && !call->result.aborted) {
        ngx_post_event(c->read, &ngx_posted_events);
    }

#endif
}


#if (NGX_HTTP_PROMPT_QUIC)

/*
 * A connection of HTTP/3 that closes marks its streams by c->close alone, and
 * waits for them.  nginx's handler would end the request, and the call with
 * it, which may be paid for.  With c->error it is the worker that wants to go.
 */
static void
ngx_http_prompt_provider_stream_handler(ngx_event_t *ev)
{
    ngx_connection_t                 *c;
    ngx_http_prompt_provider_call_t  *call;

    c = ev->data;

    if (c->close && !c->error) {
        call = ngx_http_prompt_provider_current(c->data);

        if (call != NULL) {

            if (ngx_http_prompt_provider_goes_on(call)) {
                ngx_http_prompt_provider_leave(call);
                ngx_http_run_posted_requests(c);
                return;
            }

            call->result.end = NGX_HTTP_PROMPT_PROVIDER_CANCELLED;
        }
    }

    ngx_http_prompt_provider_request_handler(ev);
}

#endif
