/*
 * Attempts of a call: a provider is asked once more, after a while, or another
 * model is asked in its place.
 *
 *     first ─► answered ─┬─ that may be tried again ─► waits ─► asked
 *                        ├─ that another may answer ─► the next one is asked
 *                        └─ all else ─► the result is the call's
 *
 * A stream is one attempt.  Once the model has said something in it there is
 * no other one, since its words cannot be taken back.
 *
 * A call that goes on without its client has a request all the same, which its
 * subrequests need: nginx keeps it for as long as one of them is under way,
 * and src/io from one to the next.
 */

#include "service/call/call_impl.h"

#include "io/ngx_http_prompt_ratelog.h"


/* before the first retry; it doubles, and is a fifth more or less by chance */
#define NGX_HTTP_PROMPT_ATTEMPT_PAUSE   250      /* ms */
#define NGX_HTTP_PROMPT_ATTEMPT_JITTER  5


static ngx_int_t ngx_http_prompt_attempt(ngx_http_prompt_call_t *call,
    ngx_msec_t delay, ngx_uint_t idle);
static ngx_int_t ngx_http_prompt_attempt_make(ngx_http_prompt_call_t *call,
    ngx_http_prompt_provider_request_t *request);
static void ngx_http_prompt_attempt_stream(ngx_http_prompt_call_t *call,
    ngx_http_prompt_stream_t *stream, ngx_http_prompt_provider_call_t *made);
static ngx_int_t ngx_http_prompt_attempt_named(ngx_http_prompt_call_t *call,
    ngx_http_prompt_provider_request_t *request);
static bool ngx_http_prompt_attempt_body(ngx_http_prompt_call_t *call,
    prompt_str_t *body);
static void ngx_http_prompt_ask_leave(void *data);
static void ngx_http_prompt_attempt_headers(ngx_http_prompt_call_t *call,
    ngx_keyval_t *headers, ngx_http_prompt_provider_request_t *request);
static void ngx_http_prompt_attempt_header(prompt_str_t name,
    prompt_str_t value, ngx_http_prompt_provider_request_t *request);
static ngx_int_t ngx_http_prompt_attempt_again(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);
static ngx_int_t ngx_http_prompt_attempt_other(ngx_http_prompt_call_t *call);
static bool ngx_http_prompt_attempt_ended(
    const ngx_http_prompt_provider_result_t *result);
static bool ngx_http_prompt_attempt_may_leave(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);
static ngx_msec_t ngx_http_prompt_attempt_delay(ngx_uint_t retries);


ngx_int_t
ngx_http_prompt_attempt_first(ngx_http_prompt_call_t *call)
{
    call->start = ngx_current_msec;
    call->since = call->start;

    return ngx_http_prompt_attempt(call, 0, 0);
}


/*
 * idle: what the location says of clients that have gone, while it is not
 * asked yet.
 */
static ngx_int_t
ngx_http_prompt_attempt(ngx_http_prompt_call_t *call, ngx_msec_t delay,
    ngx_uint_t idle)
{
    ngx_keyval_t                            headers[3];
    ngx_http_request_t                     *r;
    ngx_http_prompt_loc_conf_t             *plcf;
    const ngx_http_prompt_provider_conf_t  *provider;
    ngx_http_prompt_provider_request_t      request;

    r = call->root->job->request;
    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);
    provider = call->model->provider;

    ngx_memzero(&request, sizeof(ngx_http_prompt_provider_request_t));

    request.uri = provider->uri;
    request.args = provider->args;
    request.timeout = provider->timeout - (ngx_current_msec - call->since);
    request.delay = delay;
    request.max_answer = provider->max_answer;
    request.persists = call->root->job->persists;
    request.stop = ngx_http_prompt_conf_stops(plcf)
                   && !request.persists;
    request.idle = idle && !request.persists;
    request.quiet =
        ngx_http_prompt_ratelogs(NGX_HTTP_PROMPT_RATELOG_PROVIDER,
                                 prompt_str_of((char *) provider->name.data,
                                               provider->name.len));
    request.keep = call->retries < provider->retries
                   || call->choice + 1 < call->ask.nchoices;
    request.done = ngx_http_prompt_call_answered;
    request.data = call;

    ngx_log_debug4(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt provider: \"%V\", choice %ui, retry %ui, in %M ms",
                   &provider->name, call->choice, call->retries, delay);

    ngx_http_prompt_attempt_headers(call, headers, &request);

    if (ngx_http_prompt_attempt_make(call, &request) != NGX_OK) {
        return NGX_ERROR;
    }

    call->read = 0;

    if (!request.keep) {
        ngx_http_prompt_attempt_last(call);
    }

    return NGX_OK;
}


/* A stream that was not begun holds no memory but the arena's. */
static ngx_int_t
ngx_http_prompt_attempt_make(ngx_http_prompt_call_t *call,
    ngx_http_prompt_provider_request_t *request)
{
    ngx_http_prompt_stream_t         *stream;
    ngx_http_prompt_provider_call_t  *made;

    stream = NULL;

    if (call->ask.request.stream) {
        stream = ngx_http_prompt_stream_create(call->root,
                                        call->recording->arena,
                                        call->model->provider->format,
                                        call->model->provider->max_answer);
        if (stream == NULL) {
            return NGX_ERROR;
        }

        request->stream = &ngx_http_prompt_stream_handlers;
        request->stream_data = stream;
    }

    if (ngx_http_prompt_attempt_named(call, request) != NGX_OK
        || !ngx_http_prompt_attempt_body(call, &request->body))
    {
        return NGX_ERROR;
    }

    made = ngx_http_prompt_provider_call(call->root->job->request, request);

    if (made == NULL) {
        return NGX_ERROR;
    }

    if (stream != NULL) {
        ngx_http_prompt_attempt_stream(call, stream, made);
    }

    return NGX_OK;
}


/* in the place of the attempt before: whose client left that has left this */
static void
ngx_http_prompt_attempt_stream(ngx_http_prompt_call_t *call,
    ngx_http_prompt_stream_t *stream, ngx_http_prompt_provider_call_t *made)
{
    ngx_http_prompt_worker_t  *worker;
    ngx_http_prompt_stream_t  *before;

    before = call->stream;
    call->stream = stream;

    if (before == NULL) {
        worker = call->recording->worker;
        worker->streams++;
        ngx_http_prompt_metrics_add(worker->metrics,
                                    NGX_HTTP_PROMPT_COUNT_STREAMS, 1);
    }

    if (before != NULL && before->root == NULL) {
        stream->root = NULL;

    } else {
        ngx_http_prompt_stream_begin(stream, made);
    }

    if (before != NULL) {
        ngx_http_prompt_stream_free(before);
    }
}


/*
 * What variables say of the call: of its own, since subrequests are logged when
 * it is over.
 */
static ngx_int_t
ngx_http_prompt_attempt_named(ngx_http_prompt_call_t *call,
    ngx_http_prompt_provider_request_t *request)
{
    char                             *model;
    ngx_pool_t                       *pool;
    prompt_provider_request_t        *named;
    const prompt_provider_request_t  *asked;

    ngx_http_prompt_ask_choice(&call->ask, call->choice);

    asked = &call->ask.request;
    pool = call->root->job->request->pool;
    named = ngx_pcalloc(pool, sizeof(prompt_provider_request_t));
    model = ngx_pnalloc(pool, asked->model.len);

    if (named == NULL || model == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(model, asked->model.data, asked->model.len);

    named->format = asked->format;
    named->stream = asked->stream;
    named->model = prompt_str_of(model, asked->model.len);

    request->named = named;
    call->root->job->model = named->model;

    return NGX_OK;
}


/* what the present choice is sent, in the form of its provider */
static bool
ngx_http_prompt_attempt_body(ngx_http_prompt_call_t *call, prompt_str_t *body)
{
    prompt_buf_t  buf;

    if (call->choice == 0 && call->ask.body.data != NULL) {
        *body = call->ask.body;
        call->ask.body = prompt_str_absent;
        return true;
    }

    prompt_buf_init(&buf, PROMPT_LIMIT_REQUEST);
    prompt_provider_request(&call->ask.request, &buf);

    if (buf.status != PROMPT_BUF_OK) {
        prompt_buf_free(&buf);
        return false;
    }

    *body = prompt_buf_release(&buf);

    return true;
}


ngx_int_t
ngx_http_prompt_ask_init(ngx_http_prompt_root_t *root,
    ngx_http_prompt_ask_t *ask, prompt_target_t *target)
{
    ngx_pool_cleanup_t  *cln;

    ngx_memzero(ask, sizeof(ngx_http_prompt_ask_t));

    cln = ngx_pool_cleanup_add(root->job->request->pool,
                               sizeof(ngx_http_prompt_ref_t));
    if (cln == NULL) {
        prompt_target_release(target);
        return NGX_ERROR;
    }

    cln->handler = ngx_http_prompt_ask_leave;

    ask->ref = cln->data;
    ask->ref->target = target;

    prompt_buf_init(&ask->text, PROMPT_LIMIT_RENDERED);

    return NGX_OK;
}


static void
ngx_http_prompt_ask_leave(void *data)
{
    ngx_http_prompt_ref_t  *ref = data;

    prompt_target_release(ref->target);
    ref->target = NULL;
}


void
ngx_http_prompt_ask_end(ngx_http_prompt_ask_t *ask)
{
    prompt_buf_free(&ask->text);
    free((char *) ask->body.data);
    ask->body = prompt_str_absent;
    ngx_http_prompt_ask_leave(ask->ref);
}


void
ngx_http_prompt_ask_choice(ngx_http_prompt_ask_t *ask, ngx_uint_t n)
{
    const ngx_http_prompt_choice_t  *choice;

    choice = &ask->choices[n];

    ask->request.format = choice->conf->provider->format;
    ask->request.params = choice->params;
    ask->request.model = choice->model;
    ask->request.max_tokens_as = choice->conf->max_tokens_as;
    ask->request.max_tokens = (int64_t) choice->conf->provider->max_tokens;
}


/* that of the format; and the trace, of which all attempts are one span */
static void
ngx_http_prompt_attempt_headers(ngx_http_prompt_call_t *call,
    ngx_keyval_t *headers, ngx_http_prompt_provider_request_t *request)
{
    const prompt_provider_format_t  *format;

    format = call->model->provider->format;
    request->headers = headers;

    ngx_http_prompt_attempt_header(format->header, format->header_value,
                                   request);

    if (call->recording->run.trace_id.data == NULL) {
        return;
    }

    ngx_http_prompt_attempt_header(prompt_str("traceparent"),
                                   prompt_str_of(call->traceparent,
                                                 PROMPT_TRACEPARENT_LEN),
                                   request);

    ngx_http_prompt_attempt_header(prompt_str("tracestate"),
                                   call->root->job->trace.state, request);
}


/* where it has a value */
static void
ngx_http_prompt_attempt_header(prompt_str_t name, prompt_str_t value,
    ngx_http_prompt_provider_request_t *request)
{
    ngx_keyval_t  *header;

    if (value.data == NULL) {
        return;
    }

    header = &request->headers[request->nheaders++];

    header->key.data = (u_char *) name.data;
    header->key.len = name.len;
    header->value.data = (u_char *) value.data;
    header->value.len = value.len;
}


ngx_int_t
ngx_http_prompt_attempt_next(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    bool  retry;

    if (call->last || call->root == NULL || result->aborted) {
        return NGX_DECLINED;
    }

    if (call->stream != NULL && ngx_http_prompt_stream_said(call->stream)) {
        return NGX_DECLINED;
    }

    retry = ngx_http_prompt_attempt_may_retry(result)
            || (call->stream != NULL
                && ngx_http_prompt_stream_broke(call->stream, result));

    if (retry && ngx_http_prompt_attempt_again(call, result) == NGX_OK) {
        return NGX_OK;
    }

    if (call->choice + 1 != call->ask.nchoices
        && (retry || ngx_http_prompt_attempt_may_leave(call, result)))
    {
        return ngx_http_prompt_attempt_other(call);
    }

    return NGX_DECLINED;
}


static ngx_int_t
ngx_http_prompt_attempt_again(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    int64_t                                 left, wish;
    ngx_msec_t                              delay;
    const ngx_http_prompt_provider_conf_t  *provider;

    provider = call->model->provider;

    if (call->retries == provider->retries) {
        return NGX_DECLINED;
    }

    left = (int64_t) provider->timeout
           - (int64_t) (ngx_current_msec - call->since);
    delay = ngx_http_prompt_attempt_delay(call->retries);

    wish = result->retry_after;

    if (wish == NGX_HTTP_PROMPT_PROVIDER_NO_DATE) {
        wish = prompt_provider_retry_delay(provider->format, result->body);
    }

    if (wish != PROMPT_USAGE_UNKNOWN) {
        delay = (ngx_msec_t) wish;
    }

    if ((int64_t) delay >= left) {
        return NGX_DECLINED;
    }

    call->retries++;

    return ngx_http_prompt_attempt(call, delay, result->leaves) == NGX_OK
           ? NGX_OK : NGX_DECLINED;
}


/* its own provider's time, form and prices */
static ngx_int_t
ngx_http_prompt_attempt_other(ngx_http_prompt_call_t *call)
{
    prompt_str_t               model;
    ngx_http_prompt_choice_t  *choice;

    choice = &call->ask.choices[call->choice + 1];
    model = prompt_arena_copy(call->recording->arena, choice->model);

    if (model.data == NULL) {
        return NGX_DECLINED;
    }

    call->choice++;
    call->retries = 0;
    call->since = ngx_current_msec;
    call->model = choice->conf;

    if (ngx_http_prompt_attempt(call, 0, 0) != NGX_OK) {

        /* the result is that of the one before: its form, price and name */

        call->choice--;
        call->model = call->ask.choices[call->choice].conf;

        return NGX_DECLINED;
    }

    call->recording->run.model = model;

    return NGX_OK;
}


void
ngx_http_prompt_attempt_last(ngx_http_prompt_call_t *call)
{
    if (call->last) {
        return;
    }

    call->last = 1;

    ngx_http_prompt_ask_end(&call->ask);
}


/* whether it ended by itself, and no byte of an answer that is paid for came */
static bool
ngx_http_prompt_attempt_ended(const ngx_http_prompt_provider_result_t *result)
{
    switch (result->end) {

    case NGX_HTTP_PROMPT_PROVIDER_NONE:
    case NGX_HTTP_PROMPT_PROVIDER_COMPLETE:
    case NGX_HTTP_PROMPT_PROVIDER_TRUNCATED:
    case NGX_HTTP_PROMPT_PROVIDER_TOO_LARGE:
        return !result->began;

    default:
        return false;
    }
}


/* 502 and 504 are nginx's own words for a provider that cannot be reached */
bool
ngx_http_prompt_attempt_may_retry(
    const ngx_http_prompt_provider_result_t *result)
{
    if (!ngx_http_prompt_attempt_ended(result)) {
        return false;
    }

    switch (result->status) {

    case 0:
    case 408:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
    case 529:
        return true;

    default:
        return false;
    }
}


/*
 * Whether another model may be asked, though this one will not be again: also
 * where an answer with 2xx only says that it failed.
 */
static bool
ngx_http_prompt_attempt_may_leave(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    if (result->end == NGX_HTTP_PROMPT_PROVIDER_TIMED_OUT) {
        return true;
    }

    /* what was counted was paid for, and a row has one bill */

    if (result->end == NGX_HTTP_PROMPT_PROVIDER_COMPLETE && result->began) {
        return ngx_http_prompt_call_answer(call, result)
               && call->answer.outcome == PROMPT_PROVIDER_FAILED
               && call->answer.usage.in <= 0 && call->answer.usage.out <= 0;
    }

    return ngx_http_prompt_attempt_ended(result) && result->answered
           && (result->status == 401 || result->status == 402
               || result->status == 403 || result->status == 404);
}


static ngx_msec_t
ngx_http_prompt_attempt_delay(ngx_uint_t retries)
{
    ngx_msec_t  delay, jitter;

    delay = NGX_HTTP_PROMPT_ATTEMPT_PAUSE << retries;
    jitter = delay / NGX_HTTP_PROMPT_ATTEMPT_JITTER;

    return delay - jitter + (ngx_msec_t) ngx_random() % (2 * jitter + 1);
}
