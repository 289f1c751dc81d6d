/*
 * Inside a call to a provider: what its life, its subrequest and the filters
 * know of each other.  Nobody else includes this header.
 */

#ifndef NGX_HTTP_PROMPT_PROVIDER_IMPL_H
#define NGX_HTTP_PROMPT_PROVIDER_IMPL_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/buf.h"
#include "io/ngx_http_prompt_provider.h"
#include "io/ngx_http_prompt_state.h"
#include "io/ngx_http_prompt_timer.h"


/* connections can be streams of HTTP/3 */
#if (nginx_version >= 1025000 && (NGX_QUIC || NGX_COMPAT))
#define NGX_HTTP_PROMPT_QUIC  1
#endif


/*
 * The life of a call.
 *
 *    WAITING
 *      │ the delay is over
 *      ▼       a header came             the end of the body came
 *     ASKED ───────────────► ANSWERING ─────────────────────────► ANSWERED
 *      │  ▲                      │                                    │
 *      │  │ its error_page asks  │ the connection broke, the answer   │
 *      │  │ another location     │ is too large                       │
 *      ▼  │                      ▼                                    │
 *     PAGE ──────────────────► ENDED ◄────────────────────────────────┘
 *          nginx made a page     │
 *                                ▼
 *                              TOLD
 *
 * A call without a delay begins as ASKED.  That becomes PAGE where nginx has an
 * error of its own before a header came.  Each of the states before ENDED
 * becomes ENDED, besides, when the time of the call is over, its client left,
 * its worker goes, or its request is freed.
 */
typedef enum {
    NGX_HTTP_PROMPT_PROVIDER_WAITING = 0,    /* there is no subrequest yet */
    NGX_HTTP_PROMPT_PROVIDER_ASKED,          /* nginx has the subrequest */
    NGX_HTTP_PROMPT_PROVIDER_PAGE,           /* what comes is nginx's page for
                                                an error */
    NGX_HTTP_PROMPT_PROVIDER_ANSWERING,
    NGX_HTTP_PROMPT_PROVIDER_ANSWERED,
    NGX_HTTP_PROMPT_PROVIDER_ENDED,          /* the result stands */
    NGX_HTTP_PROMPT_PROVIDER_TOLD            /* done() was called */
} ngx_http_prompt_provider_state_e;


/*
 * Who reads an answer that is handed on as it comes.
 *
 *    READS ◄──► HOLDS      it wants no pieces, for now; it wants them again
 *      │          │
 *      ▼          ▼
 *    LEFT ─────► LAST
 *
 * Each of them becomes LAST when the call ends.
 */
typedef enum {
    NGX_HTTP_PROMPT_PROVIDER_READS = 0,
    NGX_HTTP_PROMPT_PROVIDER_HOLDS,
    NGX_HTTP_PROMPT_PROVIDER_LEFT,           /* nothing is held */
    NGX_HTTP_PROMPT_PROVIDER_LAST            /* all that is held goes */
} ngx_http_prompt_provider_reader_e;


/* What becomes of a call whose client has gone. */
typedef enum {
    NGX_HTTP_PROMPT_PROVIDER_AS_LOCATION = 0,    /* its
                                                    proxy_ignore_client_abort
                                                    says, once it is asked */
    NGX_HTTP_PROMPT_PROVIDER_STOPS,
    NGX_HTTP_PROMPT_PROVIDER_STOPS_IDLE,         /* while it is WAITING, then
                                                    as the location says */
    NGX_HTTP_PROMPT_PROVIDER_PERSISTS
} ngx_http_prompt_provider_leave_e;


/* What it wants of the answer; of what comes after that nothing. */
typedef enum {
    NGX_HTTP_PROMPT_PROVIDER_MORE = 0,
    NGX_HTTP_PROMPT_PROVIDER_ALL,            /* it has all it needs, perhaps
                                                before the body's end */
    NGX_HTTP_PROMPT_PROVIDER_ENOUGH          /* the call ends without */
} ngx_http_prompt_provider_wants_e;


/*
 * A call.  It lives in the pool of the request; the body and the answer,
 * which may be large, do not.
 */
struct ngx_http_prompt_provider_call_s {
    ngx_http_request_t                 *request;
    ngx_http_request_t                 *subrequest;   /* NULL: WAITING */
    void                               *data;

    ngx_http_prompt_provider_done_pt    done;
    ngx_http_post_subrequest_t          post;
    ngx_http_prompt_timer_t             timer;     /* of the whole call */
    ngx_event_t                         over;      /* posted: tell */
    ngx_msec_t                          start;
    ngx_msec_t                          timeout;   /* from then on */
    ngx_msec_t                          delay;     /* from then on */
    ngx_pool_cleanup_t                 *body;      /* frees it */
    off_t                               length;    /* of it */
    ngx_str_t                           uri;       /* of the subrequest */
    ngx_str_t                           args;
    const void                         *named;     /* for variables */
    ngx_http_request_t                 *draft;     /* its header and body */

    prompt_buf_t                        answer;
    ngx_http_prompt_provider_result_t   result;

    /* an answer that is handed on as it comes (piece.c) */
    const ngx_http_prompt_provider_stream_t  *stream;
    void                                     *stream_data;
    ngx_event_t                               turn;   /* posted: others have
                                                         it */
    size_t                                    given;  /* bytes, at given_at */
    ngx_msec_t                                given_at;
    ngx_chain_t                              *held;     /* not wanted yet */
    ngx_http_prompt_provider_reader_e         reader;
    ngx_http_prompt_provider_wants_e          wants;

    ngx_http_upstream_t                *excused;   /* left by error_page */
    ngx_uint_t                          level;     /* of the connection's log
                                                      before a quiet call; 0:
                                                      it is not quiet */

    ngx_http_prompt_provider_state_e    state;
    ngx_http_prompt_provider_leave_e    leave;
    unsigned                            gone:1;    /* the subrequest is over,
                                                      before or after TOLD, or
                                                      was not made yet */
    unsigned                            keep:1;    /* the request's */
    unsigned                            lost:1;    /* the connection is in
                                                      error, which nginx must
                                                      not see until TOLD */
};


/*
 * Makes all that the subrequest of call is made of, and then, perhaps later,
 * the subrequest, which runs when posted requests do.  NGX_ERROR: memory; no
 * subrequest is made.
 */
ngx_int_t ngx_http_prompt_provider_prepare(
    ngx_http_prompt_provider_call_t *call,
    ngx_http_prompt_provider_request_t *request);
ngx_int_t ngx_http_prompt_provider_subrequest(
    ngx_http_prompt_provider_call_t *call);

/* The one place where the state changes.  NGX_ERROR: not from this one. */
ngx_int_t ngx_http_prompt_provider_become(
    ngx_http_prompt_provider_call_t *call,
    ngx_http_prompt_provider_state_e state);

/*
 * Ends a call that has not ended: its result stands, its subrequest is ended
 * wherever nginx holds it, and the owner is told.  end: why; NONE: what came
 * of it so far says so.  The call may be no more afterwards.
 */
void ngx_http_prompt_provider_break(ngx_http_prompt_provider_call_t *call,
    ngx_http_prompt_provider_end_e end);

/* of the request: by it a call is found, too */
void ngx_http_prompt_provider_cleanup(void *data);


/*
 * A buffer of the body was looked at: nothing of it goes on, and with the last
 * one the answer is there (filter.c).
 */
void ngx_http_prompt_provider_consume(ngx_http_prompt_provider_call_t *call,
    ngx_buf_t *b);


/* Pieces of an answer (piece.c). */

/* whether the answer, whose header came, is handed on as it comes */
ngx_uint_t ngx_http_prompt_provider_streams(
    ngx_http_prompt_provider_call_t *call);

/* What the body filter gets of it; NGX_OK. */
ngx_int_t ngx_http_prompt_provider_pieces(
    ngx_http_prompt_provider_call_t *call, ngx_chain_t *in);

/* The client left, and the call goes on without. */
void ngx_http_prompt_provider_leave(ngx_http_prompt_provider_call_t *call);

/* The call ends: what is held is handed on. */
void ngx_http_prompt_provider_rest(ngx_http_prompt_provider_call_t *call);


/* The client of a call (client.c). */

/* From now on events of its connection are the call's. */
void ngx_http_prompt_provider_watch(ngx_http_prompt_provider_call_t *call);

/*
 * Keeps the call going where the client's connection is a stream of HTTP/3
 * and that connection closes; until let_go(), when the call is told.
 */
void ngx_http_prompt_provider_hold(ngx_http_prompt_provider_call_t *call);
void ngx_http_prompt_provider_let_go(ngx_http_prompt_provider_call_t *call);

/* whether the call goes on, as it is now, when its client has gone */
ngx_uint_t ngx_http_prompt_provider_goes_on(
    ngx_http_prompt_provider_call_t *call);


/*
 * Notes what the provider said in its header, also where nginx did not like
 * it (filter.c).
 */
void ngx_http_prompt_provider_note(ngx_http_prompt_provider_call_t *call,
    ngx_http_request_t *r);

/* by which a subrequest is known to be one of ours */
ngx_int_t ngx_http_prompt_provider_post_handler(ngx_http_request_t *r,
    void *data, ngx_int_t rc);

/* how a call ended, for the debug log */
static ngx_inline const char *
ngx_http_prompt_provider_word(ngx_http_prompt_provider_end_e end)
{
    static const char *const  words[] = {
        "no answer", "complete", "truncated", "too large", "interim answer",
        "refused", "timed out", "cancelled", "cut", "not made"
    };

    return words[end];
}

#endif /* NGX_HTTP_PROMPT_PROVIDER_IMPL_H */
