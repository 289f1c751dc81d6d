/*
 * Event stream: see the header.
 *
 * One buffer is with nginx's filters at a time; what comes meanwhile is put
 * behind it and goes out when that is gone.  So a client that keeps up gets
 * each event at once, and one that does not gets them in larger pieces.
 */

#include "http/ngx_http_prompt_event_stream.h"

#include "http/ngx_http_prompt_response.h"
#include "http/ngx_http_prompt_unsent.h"
#include "io/ngx_http_prompt_ratelog.h"


static void ngx_http_prompt_event_stream_free(void *data);
static void ngx_http_prompt_event_stream_stop(void *data);
static ngx_int_t ngx_http_prompt_event_stream_header(ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_event_stream_flush(
    ngx_http_prompt_event_stream_t *stream);
static void ngx_http_prompt_event_stream_swap(
    ngx_http_prompt_event_stream_t *stream);
static ngx_int_t ngx_http_prompt_event_stream_wait(
    ngx_http_prompt_event_stream_t *stream);
static ngx_int_t ngx_http_prompt_event_stream_fail(
    ngx_http_prompt_event_stream_t *stream);
static void ngx_http_prompt_event_stream_pause(ngx_event_t *ev);
static void ngx_http_prompt_event_stream_late(ngx_event_t *ev);


ngx_http_prompt_event_stream_t *
ngx_http_prompt_event_stream_create(ngx_http_request_t *r,
    const ngx_http_prompt_event_form_t *form)
{
    ngx_pool_cleanup_t              *pcln;
    ngx_http_cleanup_t              *cln;
    ngx_http_prompt_event_stream_t  *stream;

    pcln = ngx_pool_cleanup_add(r->pool, 0);
    cln = ngx_http_cleanup_add(r, 0);

    if (pcln == NULL || cln == NULL) {
        return NULL;
    }

    stream = ngx_pcalloc(r->pool, sizeof(ngx_http_prompt_event_stream_t));
    if (stream == NULL) {
        return NULL;
    }

    stream->request = r;
    stream->form = form;
    stream->sent = ngx_current_msec;
    stream->link.buf = &stream->buf;
    prompt_buf_init(&stream->waiting, NGX_HTTP_PROMPT_EVENT_STREAM_LIMIT);
    prompt_buf_init(&stream->sending, NGX_HTTP_PROMPT_EVENT_STREAM_LIMIT);

    ngx_http_prompt_timer_init(&stream->comment,
                               ngx_http_prompt_event_stream_pause, stream,
                               r->connection->log);
    stream->comment.event.cancelable = 1;
    ngx_add_timer(&stream->comment.event, NGX_HTTP_PROMPT_EVENT_STREAM_PAUSE);

    ngx_http_prompt_timer_init(&stream->late,
                               ngx_http_prompt_event_stream_late, stream,
                               r->connection->log);

    pcln->handler = ngx_http_prompt_event_stream_free;
    pcln->data = stream;

    cln->handler = ngx_http_prompt_event_stream_stop;
    cln->data = stream;

    return stream;
}


/* The pool goes: until now a frame of HTTP/2 may have been partly sent. */
static void
ngx_http_prompt_event_stream_free(void *data)
{
    ngx_http_prompt_event_stream_t  *stream = data;

    prompt_buf_free(&stream->waiting);
    prompt_buf_free(&stream->sending);
}


/* The request ends, or its answer does. */
static void
ngx_http_prompt_event_stream_stop(void *data)
{
    ngx_http_prompt_event_stream_t  *stream = data;

    ngx_http_prompt_timer_stop(&stream->comment);
    ngx_http_prompt_timer_stop(&stream->late);
}


/*
 * A stream is no download: it is not slowed down, and what is in between
 * neither keeps it nor waits until there is more.
 */
static ngx_int_t
ngx_http_prompt_event_stream_header(ngx_http_request_t *r)
{
    ngx_int_t  rc;

    static ngx_str_t  type = ngx_string("text/event-stream");

    if (r->header_sent) {
        return NGX_OK;
    }

    if (ngx_http_prompt_add_header(r, "Cache-Control", "no-cache") != NGX_OK
        || ngx_http_prompt_add_header(r, "X-Accel-Buffering", "no") != NGX_OK
        || ngx_http_prompt_add_header(r, "Vary", "Accept") != NGX_OK)
    {
        return NGX_ERROR;
    }

    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_type = type;
    r->headers_out.content_type_len = type.len;
    r->headers_out.content_type_lowcase = NULL;
    ngx_str_set(&r->headers_out.charset, "utf-8");
    ngx_http_clear_content_length(r);

#if (nginx_version >= 1017000)
    r->limit_rate_set = 1;
#endif
    r->limit_rate = 0;

    rc = ngx_http_send_header(r);

    return rc == NGX_ERROR || rc > NGX_OK ? NGX_ERROR : NGX_OK;
}


ngx_int_t
ngx_http_prompt_event_stream_next(ngx_http_prompt_event_stream_t *stream,
    const prompt_str_t *pieces, size_t n)
{
    size_t  i;

    ngx_log_debug3(NGX_LOG_DEBUG_HTTP, stream->request->connection->log, 0,
                   "prompt stream: %s, %uz bytes wait%s",
                   n != 0 ? "event" : "comment", stream->waiting.len,
                   stream->failed ? ", the client has gone" : "");

    if (stream->failed || stream->request->connection->error) {
        return ngx_http_prompt_event_stream_fail(stream);
    }

    if (ngx_http_prompt_event_stream_header(stream->request) != NGX_OK) {
        return ngx_http_prompt_event_stream_fail(stream);
    }

    if (n != 0) {
        prompt_buf_str(&stream->waiting, stream->form->begin);

        for (i = 0; i < n; i++) {
            prompt_buf_str(&stream->waiting, pieces[i]);
        }

        prompt_buf_literal(&stream->waiting, "\n\n");
    }

    if (stream->waiting.status != PROMPT_BUF_OK
        || ngx_http_prompt_event_stream_flush(stream) == NGX_ERROR)
    {
        return ngx_http_prompt_event_stream_fail(stream);
    }

    return stream->waiting.len > NGX_HTTP_PROMPT_EVENT_STREAM_MARK
           ? NGX_AGAIN : NGX_OK;
}


/* NGX_AGAIN: the client has to read before there can be more */
static ngx_int_t
ngx_http_prompt_event_stream_flush(ngx_http_prompt_event_stream_t *stream)
{
    ngx_int_t            rc;
    ngx_chain_t         *out;
    ngx_http_request_t  *r;

    r = stream->request;

    if (ngx_http_prompt_no_body(r)) {
        prompt_buf_truncate(&stream->waiting, 0);
        return NGX_OK;
    }

    do {
        out = NULL;

        if (stream->buf.pos == stream->buf.last && stream->waiting.len != 0) {
            ngx_http_prompt_event_stream_swap(stream);
            out = &stream->link;
        }

        if (out == NULL && stream->buf.pos == stream->buf.last
            && !r->buffered && !r->connection->buffered)
        {
            break;
        }

        rc = ngx_http_output_filter(r, out);

        if (rc == NGX_ERROR) {
            return NGX_ERROR;
        }

        if (stream->buf.pos != stream->buf.last) {
            return ngx_http_prompt_event_stream_wait(stream);
        }

    } while (stream->waiting.len != 0);

    if (r->buffered || r->connection->buffered) {
        return ngx_http_prompt_event_stream_wait(stream);
    }

    ngx_http_prompt_timer_stop(&stream->late);

    if (r->connection->write->timer_set) {
        ngx_del_timer(r->connection->write);
    }

    return NGX_OK;
}


static void
ngx_http_prompt_event_stream_swap(ngx_http_prompt_event_stream_t *stream)
{
    ngx_buf_t     *b;
    prompt_buf_t   swap;

    swap = stream->sending;
    stream->sending = stream->waiting;
    stream->waiting = swap;
    prompt_buf_truncate(&stream->waiting, 0);

    /* what one slow moment needed is not kept for all others */

    if (stream->waiting.cap > NGX_HTTP_PROMPT_EVENT_STREAM_MARK) {
        prompt_buf_free(&stream->waiting);
    }

    b = &stream->buf;

    ngx_memzero(b, sizeof(ngx_buf_t));
    b->start = (u_char *) stream->sending.data;
    b->pos = b->start;
    b->last = b->start + stream->sending.len;
    b->end = b->last;
    b->memory = 1;
    b->flush = 1;

    stream->link.next = NULL;
    stream->sent = ngx_current_msec;
}


/*
 * The timer of the connection is that of the upstream, too, which sets it as
 * its own location has it.
 */
static ngx_int_t
ngx_http_prompt_event_stream_wait(ngx_http_prompt_event_stream_t *stream)
{
    ngx_connection_t          *c;
    ngx_http_core_loc_conf_t  *clcf;

    c = stream->request->connection;
    clcf = ngx_http_get_module_loc_conf(stream->request, ngx_http_core_module);

    /* a subrequest whose place in the page has not come: not the client's */

    if (stream->request != c->data) {
        return NGX_AGAIN;
    }

    if (ngx_handle_write_event(c->write, clcf->send_lowat) != NGX_OK) {
        return NGX_ERROR;
    }

    if (!stream->late.event.timer_set) {
        ngx_add_timer(&stream->late.event, clcf->send_timeout);
    }

    return NGX_AGAIN;
}


static ngx_int_t
ngx_http_prompt_event_stream_fail(ngx_http_prompt_event_stream_t *stream)
{
    stream->failed = 1;
    ngx_http_prompt_event_stream_stop(stream);

    return NGX_ERROR;
}


void
ngx_http_prompt_event_stream_cancel(ngx_http_prompt_event_stream_t *stream)
{
    (void) ngx_http_prompt_event_stream_fail(stream);
}


ngx_int_t
ngx_http_prompt_event_stream_write(ngx_http_prompt_event_stream_t *stream)
{
    ngx_connection_t  *c;

    c = stream->request->connection;

    if (c->write->timedout) {
        c->write->timedout = 0;

        if (!stream->failed) {
            ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_CALL_LEFT,
                                    prompt_str_absent, c->log,
                                    "prompt: a client did not read its stream "
                                    "within send_timeout");
            return ngx_http_prompt_event_stream_fail(stream);
        }
    }

    if (stream->failed || c->error) {
        return ngx_http_prompt_event_stream_fail(stream);
    }

    if (!stream->request->header_sent) {
        return NGX_OK;
    }

    /* the client has read: its time begins anew */

    if (c->write->ready) {
        ngx_http_prompt_timer_stop(&stream->late);
    }

    if (ngx_http_prompt_event_stream_flush(stream) == NGX_ERROR) {
        return ngx_http_prompt_event_stream_fail(stream);
    }

    return stream->waiting.len > NGX_HTTP_PROMPT_EVENT_STREAM_MARK / 2
           ? NGX_AGAIN : NGX_OK;
}


size_t
ngx_http_prompt_event_stream_bytes(const ngx_http_prompt_event_stream_t *stream)
{
    return stream->waiting.len + (size_t) (stream->buf.last - stream->buf.pos);
}


static void
ngx_http_prompt_event_stream_pause(ngx_event_t *ev)
{
    ngx_msec_t                       since;
    ngx_connection_t                *c;
    ngx_http_request_t              *r;
    ngx_http_prompt_event_stream_t  *stream;

    stream = ngx_http_prompt_timer_owner(ev);
    r = stream->request;
    c = r->connection;
    since = ngx_current_msec - stream->sent;

    if (since < NGX_HTTP_PROMPT_EVENT_STREAM_PAUSE) {
        ngx_add_timer(ev, NGX_HTTP_PROMPT_EVENT_STREAM_PAUSE - since);
        return;
    }

    ngx_add_timer(ev, NGX_HTTP_PROMPT_EVENT_STREAM_PAUSE);

    /* a client that is behind has something to read */

    if (stream->waiting.len == 0 && stream->buf.pos == stream->buf.last) {
        prompt_buf_literal(&stream->waiting, ":\n\n");

        if (ngx_http_prompt_event_stream_next(stream, NULL, 0) == NGX_ERROR) {

            /* who waits for the connection's events sees that it is lost */

            r->write_event_handler(r);
        }
    }

    ngx_http_run_posted_requests(c);
}


/* As if the connection's timer had run out: who waits for its events sees. */
static void
ngx_http_prompt_event_stream_late(ngx_event_t *ev)
{
    ngx_connection_t                *c;
    ngx_http_request_t              *r;
    ngx_http_prompt_event_stream_t  *stream;

    stream = ngx_http_prompt_timer_owner(ev);
    r = stream->request;
    c = r->connection;

    c->write->timedout = 1;
    r->write_event_handler(r);

    ngx_http_run_posted_requests(c);
}


ngx_int_t
ngx_http_prompt_event_stream_end(ngx_http_request_t *r,
    const ngx_http_prompt_event_form_t *form,
    ngx_http_prompt_event_stream_t *stream, const prompt_str_t *pieces,
    size_t n)
{
    ngx_buf_t     *last;
    ngx_chain_t   *out, *cl;
    prompt_str_t   waiting;

    if (stream != NULL) {
        ngx_http_prompt_event_stream_stop(stream);

        if (stream->failed) {
            return NGX_ERROR;
        }
    }

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt stream: last event, %uz bytes wait",
                   stream != NULL ? stream->waiting.len : 0);

    out = NULL;
    waiting = stream != NULL ? prompt_buf_view(&stream->waiting)
                             : prompt_str_absent;

    if (ngx_http_prompt_unsent_chain(r, &out, &waiting, 1) != NGX_OK
        || ngx_http_prompt_unsent_chain(r, &out, &form->begin, 1) != NGX_OK
        || ngx_http_prompt_unsent_chain(r, &out, pieces, n) != NGX_OK
        || ngx_http_prompt_unsent_chain(r, &out, &form->end, 1) != NGX_OK
        || ngx_http_prompt_event_stream_header(r) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_http_prompt_no_body(r)) {
        return NGX_OK;
    }

    for (cl = out; cl->next != NULL; cl = cl->next) { /* void */ }

    last = cl->buf;
    last->last_buf = (r == r->main) ? 1 : 0;
    last->last_in_chain = 1;

    r->connection->write->timedout = 0;

    return ngx_http_output_filter(r, out);
}
