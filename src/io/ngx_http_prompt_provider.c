/*
 * Calling a provider: a call from its start to the callback.  README.md has
 * the reasons.
 */

#include "io/ngx_http_prompt_provider_impl.h"
#include "io/ngx_http_prompt_ratelog.h"


#define PROVIDER_RETRY_END  1000                 /* ms */
#define PROVIDER_LOOK       1000                 /* ms */


static ngx_int_t ngx_http_prompt_provider_begin(
    ngx_http_prompt_provider_call_t *call);
static void ngx_http_prompt_provider_end(
    ngx_http_prompt_provider_call_t *call, ngx_http_prompt_provider_end_e end);
static void ngx_http_prompt_provider_stop(
    ngx_http_prompt_provider_call_t *call);
static void ngx_http_prompt_provider_tell(
    ngx_http_prompt_provider_call_t *call);
static void ngx_http_prompt_provider_over_handler(ngx_event_t *ev);
static void ngx_http_prompt_provider_timer_handler(ngx_event_t *ev);
static void ngx_http_prompt_provider_ask(
    ngx_http_prompt_provider_call_t *call);
static void ngx_http_prompt_provider_wait(
    ngx_http_prompt_provider_call_t *call);
static ngx_uint_t ngx_http_prompt_provider_reached(
    const ngx_http_prompt_provider_call_t *call);
static ngx_uint_t ngx_http_prompt_provider_cut(void);
static ngx_uint_t ngx_http_prompt_provider_release(
    ngx_http_prompt_provider_call_t *call);
static ngx_int_t ngx_http_prompt_provider_refuse(ngx_http_request_t *r);


ngx_http_prompt_provider_call_t *
ngx_http_prompt_provider_call(ngx_http_request_t *r,
    ngx_http_prompt_provider_request_t *request)
{
    ngx_log_t                        *log;
    ngx_pool_cleanup_t               *pcln;
    ngx_http_cleanup_t               *cln;
    ngx_http_prompt_provider_call_t  *call;

    pcln = ngx_pool_cleanup_add(r->pool, 0);

    if (pcln == NULL) {
        free((void *) request->body.data);
        return NULL;
    }

    pcln->handler = free;
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
    call->body = pcln;
    call->done = request->done;
    call->start = ngx_current_msec;
    call->timeout = request->timeout;
    call->delay = request->delay;
    call->length = (off_t) request->body.len;
    call->gone = 1;
    call->keep = request->keep;
    call->leave = request->persists ? NGX_HTTP_PROMPT_PROVIDER_PERSISTS
                  : request->stop ? NGX_HTTP_PROMPT_PROVIDER_STOPS
                  : request->idle ? NGX_HTTP_PROMPT_PROVIDER_STOPS_IDLE
                  : NGX_HTTP_PROMPT_PROVIDER_AS_LOCATION;
    call->result.retry_after = NGX_HTTP_PROMPT_PROVIDER_NO_DATE;
    call->stream = request->stream;
    call->stream_data = request->stream_data;

    call->post.handler = ngx_http_prompt_provider_post_handler;
    call->post.data = call;

    ngx_http_prompt_timer_init(&call->timer,
                               ngx_http_prompt_provider_timer_handler, call,
                               r->connection->log);

    call->over.handler = ngx_http_prompt_provider_over_handler;
    call->over.data = call;
    call->over.log = r->connection->log;

    prompt_buf_init(&call->answer, request->max_answer);

    if (ngx_http_prompt_provider_prepare(call, request) != NGX_OK
        || (call->delay == 0
            && ngx_http_prompt_provider_begin(call) != NGX_OK))
    {
        return NULL;
    }

    cln->handler = ngx_http_prompt_provider_cleanup;
    cln->data = call;

    ngx_http_prompt_provider_wait(call);

    ngx_http_prompt_provider_watch(call);

    /*
     * nginx writes to the log of the client's connection, which one call has
     * at a time.  Who debugs wants all of it.
     */

    log = r->connection->log;

    if (request->quiet && log->log_level > NGX_LOG_ALERT
        && log->log_level < NGX_LOG_DEBUG)
    {
        call->level = log->log_level;
        log->log_level = NGX_LOG_ALERT;
    }

    return call;
}


/* The delay is over, if there was one. */
static ngx_int_t
ngx_http_prompt_provider_begin(ngx_http_prompt_provider_call_t *call)
{
    if (ngx_http_prompt_provider_subrequest(call) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_http_prompt_provider_become(call,
                                           NGX_HTTP_PROMPT_PROVIDER_ASKED);
}


ngx_int_t
ngx_http_prompt_provider_become(ngx_http_prompt_provider_call_t *call,
    ngx_http_prompt_provider_state_e state)
{
#define is(state)  ngx_http_prompt_after(NGX_HTTP_PROMPT_PROVIDER_ ## state)

    static const ngx_uint_t  after[] = {
        [NGX_HTTP_PROMPT_PROVIDER_WAITING] = 0,
        [NGX_HTTP_PROMPT_PROVIDER_ASKED] = is(WAITING) | is(PAGE),
        [NGX_HTTP_PROMPT_PROVIDER_PAGE] = is(ASKED) | is(PAGE),
        [NGX_HTTP_PROMPT_PROVIDER_ANSWERING] = is(ASKED),
        [NGX_HTTP_PROMPT_PROVIDER_ANSWERED] = is(ANSWERING),
        [NGX_HTTP_PROMPT_PROVIDER_ENDED] = is(WAITING) | is(ASKED) | is(PAGE)
                                           | is(ANSWERING) | is(ANSWERED),
        [NGX_HTTP_PROMPT_PROVIDER_TOLD] = is(ENDED)
    };

    static const ngx_http_prompt_moves_t  moves = {
        "a call of a provider", after
    };

#undef is

    if (!ngx_http_prompt_may_move(&moves, call->state, state,
                                  call->request->connection->log))
    {
        return NGX_ERROR;
    }

    call->state = state;

    return NGX_OK;
}


/*
 * Runs each time that nginx finalizes the subrequest: with an error before a
 * header was sent nginx makes a page of its own, or an error_page redirects
 * to a location of the operator's, and it is finalized again.  Never lets an
 * error through that would end the whole request.
 */
ngx_int_t
ngx_http_prompt_provider_post_handler(ngx_http_request_t *r, void *data,
    ngx_int_t rc)
{
    ngx_http_prompt_provider_call_t  *call;

    call = data;

    if ((call->keep || call->leave == NGX_HTTP_PROMPT_PROVIDER_PERSISTS)
        && r->connection->error
        && call->state < NGX_HTTP_PROMPT_PROVIDER_TOLD)
    {
        /* nginx would tear down the request, too, also before a page */

        r->connection->error = 0;
        call->lost = 1;
    }

    if (call->state < NGX_HTTP_PROMPT_PROVIDER_ENDED) {

        ngx_http_prompt_provider_note(call, r);

        if (call->state < NGX_HTTP_PROMPT_PROVIDER_ANSWERING
            && !r->header_sent
            && call->result.end != NGX_HTTP_PROMPT_PROVIDER_REFUSED
            && (rc >= NGX_HTTP_SPECIAL_RESPONSE || rc == NGX_HTTP_CREATED
                || rc == NGX_HTTP_NO_CONTENT)
            && rc != NGX_HTTP_REQUEST_TIME_OUT
            && rc != NGX_HTTP_CLIENT_CLOSED_REQUEST
            && rc != NGX_HTTP_CLOSE)
        {
            (void) ngx_http_prompt_provider_become(call,
                                              NGX_HTTP_PROMPT_PROVIDER_PAGE);
            call->result.status = rc;

            return rc;
        }

        if (call->lost && rc == NGX_HTTP_CLIENT_CLOSED_REQUEST) {
            /* nginx tries no other peer then */

            rc = NGX_HTTP_BAD_GATEWAY;
        }

        if (call->result.status == 0 && rc >= NGX_HTTP_SPECIAL_RESPONSE) {
            call->result.status = rc;
        }

        ngx_http_prompt_provider_end(call, NGX_HTTP_PROMPT_PROVIDER_NONE);

        ngx_post_event(&call->over, &ngx_posted_events);
    }

    call->gone = 1;

    ngx_http_prompt_timer_stop(&call->timer);

    /* a part of the answer that was not taken must not keep it waiting */

    r->buffered = 0;

    return NGX_OK;
}


/* The result stands from now on. */
static void
ngx_http_prompt_provider_end(ngx_http_prompt_provider_call_t *call,
    ngx_http_prompt_provider_end_e end)
{
    ngx_http_prompt_provider_state_e    state;
    ngx_http_prompt_provider_result_t  *result;

    ngx_http_prompt_provider_rest(call);

    state = call->state;
    result = &call->result;

    if (ngx_http_prompt_provider_become(call, NGX_HTTP_PROMPT_PROVIDER_ENDED)
        != NGX_OK)
    {
        return;
    }

    ngx_http_prompt_timer_stop(&call->timer);

    if (call->level != 0) {
        call->request->connection->log->log_level = call->level;
        call->level = 0;
    }

    if (call->over.posted) {
        ngx_delete_posted_event(&call->over);
    }

    result->duration = ngx_current_msec - call->start;
    result->reached = ngx_http_prompt_provider_reached(call);

    if (call->wants == NGX_HTTP_PROMPT_PROVIDER_ALL) {
        result->end = NGX_HTTP_PROMPT_PROVIDER_COMPLETE;

    } else if (end != NGX_HTTP_PROMPT_PROVIDER_NONE) {
        result->end = end;

    } else if (result->end == NGX_HTTP_PROMPT_PROVIDER_NONE) {

        if (state == NGX_HTTP_PROMPT_PROVIDER_ANSWERED) {
            result->end = NGX_HTTP_PROMPT_PROVIDER_COMPLETE;

        } else if (state == NGX_HTTP_PROMPT_PROVIDER_ANSWERING) {
            result->end = NGX_HTTP_PROMPT_PROVIDER_TRUNCATED;
        }
    }

    ngx_log_debug4(NGX_LOG_DEBUG_HTTP, call->request->connection->log, 0,
                   "prompt provider: %s, status %ui, %uz bytes, %M ms",
                   ngx_http_prompt_provider_word(result->end), result->status,
                   call->answer.len, result->duration);
}


void
ngx_http_prompt_provider_break(ngx_http_prompt_provider_call_t *call,
    ngx_http_prompt_provider_end_e end)
{
    ngx_http_prompt_provider_end(call, end);
    ngx_http_prompt_provider_stop(call);
    ngx_http_prompt_provider_tell(call);
}


static void
ngx_http_prompt_provider_over_handler(ngx_event_t *ev)
{
    ngx_http_prompt_provider_call_t  *call;

    call = ev->data;

    if (call->state == NGX_HTTP_PROMPT_PROVIDER_ENDED) {
        ngx_http_prompt_provider_tell(call);
        return;
    }

    ngx_http_prompt_provider_break(call, NGX_HTTP_PROMPT_PROVIDER_NONE);
}


static void
ngx_http_prompt_provider_timer_handler(ngx_event_t *ev)
{
    ngx_connection_t                 *c;
    ngx_http_prompt_provider_call_t  *call;

    call = ngx_http_prompt_timer_owner(ev);

    if (call->state == NGX_HTTP_PROMPT_PROVIDER_TOLD) {

        /* it could not be stopped where it was: once more */

        c = call->request->connection;

        ngx_http_prompt_provider_stop(call);
        ngx_http_run_posted_requests(c);

    } else if (ngx_current_msec - call->start >= call->timeout) {
        ngx_http_prompt_provider_break(call,
                                       NGX_HTTP_PROMPT_PROVIDER_TIMED_OUT);

    } else if (ngx_http_prompt_provider_cut()) {
        ngx_http_prompt_provider_break(call, NGX_HTTP_PROMPT_PROVIDER_CUT);

    } else if (call->state == NGX_HTTP_PROMPT_PROVIDER_WAITING
               && ngx_current_msec - call->start >= call->delay)
    {
        ngx_http_prompt_provider_ask(call);

    } else {
        ngx_http_prompt_provider_wait(call);
    }
}


static void
ngx_http_prompt_provider_ask(ngx_http_prompt_provider_call_t *call)
{
    ngx_connection_t  *c;

    c = call->request->connection;

    if (ngx_http_prompt_provider_begin(call) != NGX_OK) {
        ngx_http_prompt_provider_break(call,
                                       NGX_HTTP_PROMPT_PROVIDER_NOT_MADE);
        return;
    }

    ngx_http_prompt_provider_wait(call);
    ngx_http_prompt_provider_watch(call);
    ngx_http_run_posted_requests(c);
}


/*
 * worker_shutdown_timeout ends the connections in the worker's table.  The
 * streams of HTTP/2 are none, so their calls look now and then.
 */
static void
ngx_http_prompt_provider_wait(ngx_http_prompt_provider_call_t *call)
{
    ngx_msec_t  left, limit;

    limit = call->state == NGX_HTTP_PROMPT_PROVIDER_WAITING ? call->delay
                                                            : call->timeout;
    left = limit - (ngx_current_msec - call->start);

    if (call->request->stream != NULL && left > PROVIDER_LOOK) {
        left = PROVIDER_LOOK;
    }

    ngx_add_timer(&call->timer.event, left);
}


/* Whether nginx was connected to somebody, and began to send. */
static ngx_uint_t
ngx_http_prompt_provider_reached(const ngx_http_prompt_provider_call_t *call)
{
    ngx_uint_t                  i;
    ngx_array_t                *states;
    ngx_http_upstream_state_t  *state;

    if (call->result.answered || call->subrequest == NULL) {
        return call->result.answered;
    }

    states = call->subrequest->upstream_states;

    if (states == NULL) {
        return 0;
    }

    state = states->elts;

    for (i = 0; i < states->nelts; i++) {
        if (state[i].connect_time != (ngx_msec_t) -1) {
            return 1;
        }
    }

    return 0;
}


/* whether the worker wants to go, and has waited for as long as it may */
static ngx_uint_t
ngx_http_prompt_provider_cut(void)
{
    ngx_core_conf_t  *ccf;

    static ngx_msec_t  since;
    static ngx_uint_t  leaving;

    ccf = (ngx_core_conf_t *) ngx_get_conf(ngx_cycle->conf_ctx,
                                           ngx_core_module);

    if (!ngx_exiting || ccf->shutdown_timeout == 0) {
        return 0;
    }

    if (!leaving) {
        leaving = 1;
        since = ngx_current_msec;
    }

    return ngx_current_msec - since >= ccf->shutdown_timeout;
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

    if (ngx_http_prompt_provider_become(call, NGX_HTTP_PROMPT_PROVIDER_TOLD)
        != NGX_OK)
    {
        return;
    }

    ngx_http_prompt_provider_let_go(call);

    if (call->lost) {
        call->request->connection->error = 1;
    }

    answer = call->answer;
    prompt_buf_init(&call->answer, 0);

    result = call->result;
    result.body = prompt_buf_view(&answer);
    result.leaves = !ngx_http_prompt_provider_goes_on(call);

    c = NULL;

    if (!result.aborted) {
        c = call->request->connection;
        call->request->read_event_handler = ngx_http_block_reading;
        call->request->write_event_handler = ngx_http_request_empty_handler;

        if (call->gone) {
            free(call->body->data);
            call->body->data = NULL;
            call->draft->request_body->bufs = NULL;
        }
    }

    call->done(call->data, &result);

    prompt_buf_free(&answer);

    if (c != NULL) {
        ngx_http_run_posted_requests(c);
    }
}


/*
 * Ends the subrequest.  Where it talks to the provider nginx's own cleanup
 * closes the connection and gives back what the subrequest holds; where nginx
 * holds it up before that, it is let go.  Where another module does, which
 * cannot be told, it is woken from time to time, and gets no further than the
 * phase before the content, or than the request of an upstream.
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

    if (ngx_http_prompt_provider_release(call)) {
        call->gone = 1;

        /* without the post handler, as the upstream's cleanup does it */

        ngx_http_finalize_request(sr, NGX_DONE);
        return;
    }

    call->timer.event.cancelable = 1;
    ngx_add_timer(&call->timer.event, PROVIDER_RETRY_END);

    (void) ngx_http_post_request(sr, NULL);
}


/*
 * Takes the subrequest of a call that is over from whoever would run it on:
 * true where that is done, and nobody holds it any more.
 *
 * What limit_req delays waits for the client's connection, whose answer would
 * wait, too.  It delays one request in a client's, and nothing else does while
 * nothing is sent: the delay is ours.
 */
static ngx_uint_t
ngx_http_prompt_provider_release(ngx_http_prompt_provider_call_t *call)
{
    ngx_event_t         *wev;
    ngx_http_request_t  *sr;

    sr = call->subrequest;

    if (sr->upstream != NULL) {
        sr->upstream->create_request = ngx_http_prompt_provider_refuse;
    }

    wev = sr->connection->write;

    if (wev->delayed && wev->timer_set) {
        wev->delayed = 0;
        ngx_del_timer(wev);

#if (NGX_HTTP_CACHE)

    } else if (sr->cache != NULL && sr->cache->waiting
               && sr->cache->wait_event.timer_set)
    {
        sr->cache->waiting = 0;
        ngx_del_timer(&sr->cache->wait_event);
        sr->main->blocked--;

#endif

    } else if (sr->write_event_handler != ngx_http_handler) {
        return 0;
    }

    sr->write_event_handler = ngx_http_request_empty_handler;

    return 1;
}


static ngx_int_t
ngx_http_prompt_provider_refuse(ngx_http_request_t *r)
{
    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_CALL_LEFT,
                            prompt_str_absent, r->connection->log,
                            "prompt: a call is over before its provider was "
                            "asked");

    return NGX_ERROR;
}


/* The request is being freed, or torn down under a call. */
void
ngx_http_prompt_provider_cleanup(void *data)
{
    ngx_http_prompt_provider_call_t  *call;

    call = data;

    if (!call->gone) {

        /* nginx waits for what is blocked, and would run it on then */

        (void) ngx_http_prompt_provider_release(call);
        call->gone = 1;
    }

    if (call->over.posted) {
        ngx_delete_posted_event(&call->over);
    }

    if (call->state != NGX_HTTP_PROMPT_PROVIDER_TOLD) {
        ngx_http_prompt_provider_leave(call);

        if (call->state != NGX_HTTP_PROMPT_PROVIDER_ENDED) {
            ngx_http_prompt_provider_end(call, NGX_HTTP_PROMPT_PROVIDER_NONE);
        }

        call->result.aborted = 1;

        ngx_http_prompt_provider_tell(call);
    }

    ngx_http_prompt_timer_stop(&call->timer);

    prompt_buf_free(&call->answer);
}
