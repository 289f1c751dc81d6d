/*
 * Calling a provider: a background subrequest to an ordinary location, with a
 * body of our own, whose answer is captured by a filter of our own.
 *
 * Time-outs of the connection, retries, TLS, balancing and secrets are
 * nginx's own business; the limit of the whole call is ours.  README.md says
 * why it is built like this.
 */

#ifndef NGX_HTTP_PROMPT_PROVIDER_H
#define NGX_HTTP_PROMPT_PROVIDER_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/str.h"


/* How a call ended. */
typedef enum {
    NGX_HTTP_PROMPT_PROVIDER_NONE = 0,    /* before an answer began: status is
                                             nginx's own, say 502, or 0 */
    NGX_HTTP_PROMPT_PROVIDER_COMPLETE,    /* with an answer, whole: only then
                                             body is the provider's */
    NGX_HTTP_PROMPT_PROVIDER_TRUNCATED,   /* before the end of an answer */
    NGX_HTTP_PROMPT_PROVIDER_TOO_LARGE,   /* that is longer than max_answer */
    NGX_HTTP_PROMPT_PROVIDER_INTERIM,     /* with status 1xx, which this nginx
                                             takes for the answer */
    NGX_HTTP_PROMPT_PROVIDER_REFUSED,     /* by us: the provider tried to
                                             redirect us internally */
    NGX_HTTP_PROMPT_PROVIDER_TIMED_OUT,   /* at the limit of the whole call */
    NGX_HTTP_PROMPT_PROVIDER_CANCELLED,   /* the client left, and the location
                                             has proxy_ignore_client_abort
                                             off */
    NGX_HTTP_PROMPT_PROVIDER_CUT,         /* the worker goes, and its time to
                                             wait for requests is over */
    NGX_HTTP_PROMPT_PROVIDER_NOT_MADE     /* memory was short after the delay */
} ngx_http_prompt_provider_end_e;


/* in place of a Retry-After that did not come, or says nothing */
#define NGX_HTTP_PROMPT_PROVIDER_NO_DATE  INT64_MAX

/* What came of a call; valid only while the callback runs. */
typedef struct {
    ngx_http_prompt_provider_end_e   end;
    ngx_uint_t                       status;     /* HTTP; 0: no answer */
    prompt_str_t                     body;       /* what came of it */
    ngx_msec_t                       duration;   /* ms, of the whole call */
    int64_t                          retry_after;   /* ms from now, as the
                                                       provider wishes; or
                                                       ..._NO_DATE */

    unsigned                         aborted:1;  /* the request is being freed:
                                                    it must not be touched;
                                                    what came of the answer,
                                                    maybe all, is here */
    unsigned                         answered:1; /* a header came */
    unsigned                         began:1;    /* and it had a status 2xx: it
                                                    may have been paid for, and
                                                    must not be sent again */
    unsigned                         asked:1;    /* the delay was over */
    unsigned                         reached:1;  /* the provider may have got
                                                    the request, or a part */
    unsigned                         leaves:1;   /* the location ends calls
                                                    whose client has gone */
} ngx_http_prompt_provider_result_t;


typedef struct ngx_http_prompt_provider_call_s
    ngx_http_prompt_provider_call_t;

/*
 * Told once how a call ended, on the event loop.  Who writes to the request
 * need not run posted requests, that is done after the callback.  Where
 * result->aborted, the request must not be touched any more.
 */
typedef void (*ngx_http_prompt_provider_done_pt)(void *data,
    const ngx_http_prompt_provider_result_t *result);


/*
 * Who wants an answer as it comes.  All three run on the event loop, from
 * within nginx's handling of the call, and must neither end the request nor
 * make a call of a provider.
 */
typedef struct {

    /*
     * The next bytes of an answer with a status of 2xx, valid during the call;
     * any other answer is collected.  NGX_OK: more.  NGX_AGAIN: no more before
     * ..._resume().  NGX_DONE: the answer is complete; what still comes is
     * thrown away.  NGX_DECLINED: the same, and nothing is waited for.
     * NGX_ERROR: it is too large.  NGX_ABORT: the client has gone; whether
     * the call goes on without is decided as for any other one.
     */
    ngx_int_t  (*piece)(void *data, prompt_str_t piece);

    /* The client's connection, or a time limit on it, has an event. */
    void       (*writable)(void *data);

    /*
     * The client has left, and the call goes on: pieces still come, and the
     * request must not be written to.
     */
    void       (*left)(void *data);
} ngx_http_prompt_provider_stream_t;


/* What to send.  Views need to live only during ..._call(), but for body. */
typedef struct {
    ngx_str_t                          uri;         /* of the location */
    ngx_str_t                          args;
    const void                        *named;       /* what variables say of
                                                       it; in the request's
                                                       pool */
    ngx_keyval_t                      *headers;     /* further ones, without CR
                                                       or LF */
    ngx_uint_t                         nheaders;
    prompt_str_t                       body;        /* malloc()ed, by
                                                       prompt_buf_release() */
    ngx_msec_t                         timeout;     /* of the whole call, the
                                                       delay included */
    ngx_msec_t                         delay;       /* before the provider is
                                                       asked; below timeout */
    size_t                             max_answer;  /* bytes, collected */
    unsigned                           stop:1;      /* the call ends when its
                                                       client has gone, and the
                                                       location is not asked */
    unsigned                           idle:1;      /* it does so while it is
                                                       delayed */
    unsigned                           keep:1;      /* another call may follow:
                                                       the request stays when
                                                       its client has gone */
    unsigned                           persists:1;  /* it goes on, and the
                                                       request with it, also
                                                       where the client leaves;
                                                       neither stop nor idle */
    unsigned                           quiet:1;     /* it is known that the
                                                       provider fails: nginx
                                                       writes no line of this
                                                       call, but for alerts */

    /* NULL: the answer is collected, and comes as a whole */
    const ngx_http_prompt_provider_stream_t  *stream;
    void                                     *stream_data;

    ngx_http_prompt_provider_done_pt   done;
    void                              *data;
} ngx_http_prompt_provider_request_t;


/*
 * For postconfiguration: installs the header and body filters (the module is
 * an HTTP_AUX_FILTER) and the phase handler that refuses a provider's
 * X-Accel-Redirect.
 */
ngx_int_t ngx_http_prompt_provider_init(ngx_conf_t *cf);

/*
 * Calls the provider on behalf of r, a main request whose body was read and
 * which stays open (its count is held) until done was called.  Takes the body
 * in any case and frees it.  done is called once and never from inside this
 * call, at the latest after request->timeout; the connection to the provider
 * is closed then.  While the call lasts, r->read_event_handler belongs to it.
 * From inside done, where the request may be touched, another call can be
 * made: so it is tried once more, after a delay, for which the same holds.
 * Returns NULL where the call could not be made; done is not called then.
 *
 * A call with a stream tells it what comes, until done is called.
 *
 * The caller returns to nginx afterwards (NGX_DONE), or, in a callback of its
 * own, calls ngx_http_run_posted_requests(): that is what starts the call.
 */
ngx_http_prompt_provider_call_t *ngx_http_prompt_provider_call(
    ngx_http_request_t *r, ngx_http_prompt_provider_request_t *request)
    PROMPT_WARN_UNUSED;

/*
 * Goes on with a call whose owner answered a piece with NGX_AGAIN; nothing
 * otherwise.  Who is not called by the call runs posted requests afterwards.
 */
void ngx_http_prompt_provider_resume(ngx_http_prompt_provider_call_t *call);

/*
 * What NGX_ABORT of a piece says, while there is none: the client can be told
 * nothing more.  The call ends, if it does, in the next turn.
 */
void ngx_http_prompt_provider_abandon(ngx_http_prompt_provider_call_t *call);

/*
 * What the call that r, a subrequest of it or below it, is made for was given
 * as `named`; NULL: there is none.
 */
const void *ngx_http_prompt_provider_called(ngx_http_request_t *r);

#endif /* NGX_HTTP_PROMPT_PROVIDER_H */
