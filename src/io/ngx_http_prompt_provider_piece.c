/*
 * An answer that is handed on as it comes: to the owner of the call, piece by
 * piece, and no faster than the owner takes it.
 *
 * What the owner does not want yet stays in the buffer of nginx's upstream,
 * which reads no further while there is something in it.
 */

#include "io/ngx_http_prompt_provider_impl.h"


/* bytes that are handed on before others have their turn: about 1 ms */
#define PROVIDER_TURN   (64 * 1024)

/* for the rest of a body that is complete before its end came */
#define PROVIDER_GRACE  250                      /* ms */


static void ngx_http_prompt_provider_take(
    ngx_http_prompt_provider_call_t *call, ngx_buf_t *b);
static void ngx_http_prompt_provider_give(
    ngx_http_prompt_provider_call_t *call, ngx_buf_t *b);
static void ngx_http_prompt_provider_taken(
    ngx_http_prompt_provider_call_t *call);
static ngx_uint_t ngx_http_prompt_provider_can_hold(
    ngx_http_prompt_provider_call_t *call);
static ngx_uint_t ngx_http_prompt_provider_held(
    ngx_http_prompt_provider_call_t *call);
static void ngx_http_prompt_provider_turn(
    ngx_http_prompt_provider_call_t *call, size_t len);
static void ngx_http_prompt_provider_turn_handler(ngx_event_t *ev);
static void ngx_http_prompt_provider_go_on(
    ngx_http_prompt_provider_call_t *call);


ngx_uint_t
ngx_http_prompt_provider_streams(ngx_http_prompt_provider_call_t *call)
{
    return call->stream != NULL
           && call->result.status >= NGX_HTTP_OK
           && call->result.status < NGX_HTTP_SPECIAL_RESPONSE;
}


ngx_int_t
ngx_http_prompt_provider_pieces(ngx_http_prompt_provider_call_t *call,
    ngx_chain_t *in)
{
    ngx_chain_t  *cl;

    for (cl = in; cl != NULL && !ngx_http_prompt_provider_held(call);
         cl = cl->next)
    {
        ngx_http_prompt_provider_take(call, cl->buf);
    }

    if (cl == NULL) {
        return NGX_OK;
    }

    /* the links are nginx's, the buffers stay where they are */

    if (ngx_chain_add_copy(call->request->pool, &call->held, cl)
        == NGX_ERROR)
    {
        call->result.end = NGX_HTTP_PROMPT_PROVIDER_TRUNCATED;
        ngx_post_event(&call->over, &ngx_posted_events);
    }

    return NGX_OK;
}


static void
ngx_http_prompt_provider_take(ngx_http_prompt_provider_call_t *call,
    ngx_buf_t *b)
{
    if (ngx_buf_in_memory(b) && b->last > b->pos
        && call->state == NGX_HTTP_PROMPT_PROVIDER_ANSWERING
        && call->wants == NGX_HTTP_PROMPT_PROVIDER_MORE)
    {
        ngx_http_prompt_provider_give(call, b);
    }

    ngx_http_prompt_provider_consume(call, b);
}


static void
ngx_http_prompt_provider_give(ngx_http_prompt_provider_call_t *call,
    ngx_buf_t *b)
{
    ngx_int_t  rc;

    rc = call->stream->piece(call->stream_data,
                             prompt_str_of((char *) b->pos,
                                           (size_t) (b->last - b->pos)));

    ngx_http_prompt_provider_turn(call, (size_t) (b->last - b->pos));

    switch (rc) {

    case NGX_OK:
        return;

    case NGX_AGAIN:
        if (call->reader == NGX_HTTP_PROMPT_PROVIDER_READS
            && ngx_http_prompt_provider_can_hold(call))
        {
            call->reader = NGX_HTTP_PROMPT_PROVIDER_HOLDS;
        }

        return;

    case NGX_ABORT:
        ngx_http_prompt_provider_abandon(call);
        return;

    case NGX_DONE:
        call->wants = NGX_HTTP_PROMPT_PROVIDER_ALL;
        ngx_http_prompt_provider_taken(call);
        return;

    case NGX_DECLINED:
        call->wants = NGX_HTTP_PROMPT_PROVIDER_ALL;
        break;

    default:
        call->wants = NGX_HTTP_PROMPT_PROVIDER_ENOUGH;
        call->result.end = NGX_HTTP_PROMPT_PROVIDER_TOO_LARGE;
    }

    ngx_post_event(&call->over, &ngx_posted_events);
}


/* It is complete: nginx may read its end, and keep the connection. */
static void
ngx_http_prompt_provider_taken(ngx_http_prompt_provider_call_t *call)
{
    ngx_msec_t  until;

    until = ngx_current_msec - call->start + PROVIDER_GRACE;

    if (until < call->timeout) {
        call->timeout = until;
    }

    if (call->timer.event.timer_set) {
        ngx_del_timer(&call->timer.event);
        ngx_add_timer(&call->timer.event, PROVIDER_GRACE);
    }
}


/*
 * What nginx buffers, for a cache say, it reads whether it is taken or not;
 * and nobody reads on what is no upstream's.
 */
static ngx_uint_t
ngx_http_prompt_provider_can_hold(ngx_http_prompt_provider_call_t *call)
{
    ngx_http_upstream_t  *u;

    u = call->subrequest->upstream;

    return u != NULL && !u->buffering;
}


static ngx_uint_t
ngx_http_prompt_provider_held(ngx_http_prompt_provider_call_t *call)
{
    return call->reader == NGX_HTTP_PROMPT_PROVIDER_HOLDS
           || call->turn.posted || call->held != NULL;
}


/*
 * A provider that sends as fast as it can would have the event loop to itself:
 * nginx reads until there is nothing to read.
 */
static void
ngx_http_prompt_provider_turn(ngx_http_prompt_provider_call_t *call,
    size_t len)
{
    if (call->given_at != ngx_current_msec) {
        call->given_at = ngx_current_msec;
        call->given = 0;
    }

    call->given += len;

    if (call->given < PROVIDER_TURN
        || call->reader == NGX_HTTP_PROMPT_PROVIDER_LAST
        || !ngx_http_prompt_provider_can_hold(call))
    {
        return;
    }

    call->given = 0;
    call->turn.handler = ngx_http_prompt_provider_turn_handler;
    call->turn.data = call;
    call->turn.log = call->request->connection->log;

    ngx_post_event(&call->turn, &ngx_posted_next_events);
}


static void
ngx_http_prompt_provider_turn_handler(ngx_event_t *ev)
{
    ngx_connection_t                 *c;
    ngx_http_prompt_provider_call_t  *call;

    call = ev->data;
    c = call->request->connection;

    ngx_http_prompt_provider_go_on(call);
    ngx_http_run_posted_requests(c);
}


void
ngx_http_prompt_provider_resume(ngx_http_prompt_provider_call_t *call)
{
    if (call->reader == NGX_HTTP_PROMPT_PROVIDER_HOLDS) {
        call->reader = NGX_HTTP_PROMPT_PROVIDER_READS;
        ngx_http_prompt_provider_go_on(call);
    }
}


void
ngx_http_prompt_provider_abandon(ngx_http_prompt_provider_call_t *call)
{
    ngx_uint_t  held;

    if (call->reader == NGX_HTTP_PROMPT_PROVIDER_LAST
        || call->state >= NGX_HTTP_PROMPT_PROVIDER_ENDED)
    {
        return;
    }

    held = (call->reader == NGX_HTTP_PROMPT_PROVIDER_HOLDS);
    call->reader = NGX_HTTP_PROMPT_PROVIDER_LEFT;

    if (ngx_http_prompt_provider_goes_on(call)) {

        if (held) {
            ngx_http_prompt_provider_go_on(call);
        }

        return;
    }

    call->result.end = NGX_HTTP_PROMPT_PROVIDER_CANCELLED;

    if (call->wants == NGX_HTTP_PROMPT_PROVIDER_MORE) {
        call->wants = NGX_HTTP_PROMPT_PROVIDER_ENOUGH;
    }

    ngx_post_event(&call->over, &ngx_posted_events);
}


static void
ngx_http_prompt_provider_go_on(ngx_http_prompt_provider_call_t *call)
{
    ngx_chain_t  *cl;

    while (call->held != NULL && !call->turn.posted
           && call->reader != NGX_HTTP_PROMPT_PROVIDER_HOLDS)
    {
        cl = call->held;
        call->held = cl->next;

        ngx_http_prompt_provider_take(call, cl->buf);
        ngx_free_chain(call->request->pool, cl);
    }

    if (!ngx_http_prompt_provider_held(call) && !call->gone
        && call->state < NGX_HTTP_PROMPT_PROVIDER_ENDED)
    {
        (void) ngx_http_post_request(call->subrequest, NULL);
    }
}


void
ngx_http_prompt_provider_leave(ngx_http_prompt_provider_call_t *call)
{
    ngx_uint_t  held;

    if (call->stream == NULL || call->reader >= NGX_HTTP_PROMPT_PROVIDER_LEFT)
    {
        return;
    }

    held = (call->reader == NGX_HTTP_PROMPT_PROVIDER_HOLDS);
    call->reader = NGX_HTTP_PROMPT_PROVIDER_LEFT;
    call->stream->left(call->stream_data);

    if (held) {
        ngx_http_prompt_provider_go_on(call);
    }
}


void
ngx_http_prompt_provider_rest(ngx_http_prompt_provider_call_t *call)
{
    call->reader = NGX_HTTP_PROMPT_PROVIDER_LAST;

    if (call->turn.posted) {
        ngx_delete_posted_event(&call->turn);
    }

    if (call->held != NULL) {
        ngx_http_prompt_provider_go_on(call);
    }
}
