/*
 * Event stream: an answer as server-sent events.
 *
 * What a client does not read waits here, up to a mark that tells whoever
 * makes the events to stop; and a client that reads nothing for as long as
 * send_timeout allows is one that has left.  Where a request wants no body
 * (ngx_http_prompt_no_body()) its events are thrown away.
 */

#ifndef NGX_HTTP_PROMPT_EVENT_STREAM_H
#define NGX_HTTP_PROMPT_EVENT_STREAM_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/buf.h"
#include "io/ngx_http_prompt_timer.h"


/* bytes that wait for the client before no more are wanted */
#define NGX_HTTP_PROMPT_EVENT_STREAM_MARK   (64 * 1024)

/* and at most: a mark's worth, and the events of one piece beyond it */
#define NGX_HTTP_PROMPT_EVENT_STREAM_LIMIT  (16 * 1024 * 1024)

/* a connection on which nothing was sent for so long gets a comment */
#define NGX_HTTP_PROMPT_EVENT_STREAM_PAUSE  15000                /* ms */


/* what stands around each event's data in a protocol, and behind the last */
typedef struct {
    prompt_str_t              begin;
    prompt_str_t              end;       /* "\n\n", and what else ends it all */
} ngx_http_prompt_event_form_t;


typedef struct {
    ngx_http_request_t       *request;
    const ngx_http_prompt_event_form_t  *form;
    prompt_buf_t              waiting;   /* events that come after buf */
    prompt_buf_t              sending;   /* what buf points to */
    ngx_buf_t                 buf;       /* with the filters */
    ngx_chain_t               link;
    ngx_msec_t                sent;      /* when something was, at last */
    ngx_http_prompt_timer_t   comment;
    ngx_http_prompt_timer_t   late;      /* while the client is behind */
    unsigned                  failed:1;  /* the client can be told nothing */
} ngx_http_prompt_event_stream_t;


/*
 * A stream of r, which ends with r and gives its memory back with r->pool;
 * nothing is sent yet.
 * NULL: memory.
 */
ngx_http_prompt_event_stream_t *ngx_http_prompt_event_stream_create(
    ngx_http_request_t *r, const ngx_http_prompt_event_form_t *form);

/*
 * Sends an event, in pieces, which are copied; none: the header alone.
 * NGX_AGAIN: it was taken, and the client is behind by more than the mark;
 * NGX_ERROR: the client can be told nothing more.
 */
ngx_int_t ngx_http_prompt_event_stream_next(
    ngx_http_prompt_event_stream_t *stream, const prompt_str_t *pieces,
    size_t n);

/* Before its header was sent: the request is answered in another way. */
void ngx_http_prompt_event_stream_cancel(
    ngx_http_prompt_event_stream_t *stream);

/* bytes that the client has not taken */
size_t ngx_http_prompt_event_stream_bytes(
    const ngx_http_prompt_event_stream_t *stream);

/*
 * The client's connection has an event.  NGX_OK: no more than half the mark
 * waits; NGX_AGAIN: it does; NGX_ERROR as above.
 */
ngx_int_t ngx_http_prompt_event_stream_write(
    ngx_http_prompt_event_stream_t *stream);

/*
 * Sends the last event, whose pieces live as long as r->pool, and the end;
 * stream: what was sent before, or NULL.  Returns what
 * ngx_http_finalize_request() wants.
 */
ngx_int_t ngx_http_prompt_event_stream_end(ngx_http_request_t *r,
    const ngx_http_prompt_event_form_t *form,
    ngx_http_prompt_event_stream_t *stream, const prompt_str_t *pieces,
    size_t n);

#endif /* NGX_HTTP_PROMPT_EVENT_STREAM_H */
