/*
 * Once: what becomes of an operation that has a key.
 */

#include "service/once/once_impl.h"

#include <stdlib.h>


static ngx_int_t ngx_http_prompt_once_begin(ngx_http_prompt_operation_t *op);
static ngx_int_t ngx_http_prompt_once_end(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_once_count(const ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e how);
static void ngx_http_prompt_once_replay(ngx_http_prompt_once_t *once);
static void ngx_http_prompt_once_refuse(ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e how);


const ngx_http_prompt_hook_t  ngx_http_prompt_once_hook = {
    .begin = ngx_http_prompt_once_begin,
    .start = ngx_http_prompt_once_start,
    .send = ngx_http_prompt_once_mark,
    .end = ngx_http_prompt_once_end,
    .leave = ngx_http_prompt_once_leave
};


ngx_uint_t
ngx_http_prompt_once_is_key(prompt_str_t key)
{
    size_t  i;

    for (i = 0; i < key.len; i++) {
        if (key.data[i] <= ' ' || key.data[i] > '~') {
            return 0;
        }
    }

    return key.len >= 1 && key.len <= NGX_HTTP_PROMPT_ONCE_KEY_MAX;
}


static ngx_int_t
ngx_http_prompt_once_begin(ngx_http_prompt_operation_t *op)
{
    ngx_int_t                rc;
    prompt_sha256_t          sha;
    ngx_http_request_t      *r;
    ngx_http_prompt_once_t  *once;
    ngx_http_prompt_once_e   how;

    if (op->once_key.data == NULL
        || op->definition->operation == GQL_QUERY)
    {
        return NGX_OK;
    }

    r = op->job.request;

    once = ngx_pcalloc(r->pool, sizeof(ngx_http_prompt_once_t));
    if (once == NULL) {
        return NGX_ERROR;
    }

    once->op = op;

    prompt_sha256_init(&sha);
    prompt_sha256_update(&sha,
                         prompt_str_of((char *) op->job.identity.user_id,
                                       sizeof(op->job.identity.user_id)));
    prompt_sha256_update(&sha,
                         prompt_str_of((char *) op->job.identity.project_id,
                                       sizeof(op->job.identity.project_id)));
    prompt_sha256_update(&sha, op->once_key);
    prompt_sha256_final(&sha, once->key);

    if (ngx_http_prompt_once_fingerprint(op, once->fingerprint) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_http_prompt_once_take(once, &how);

    if (rc == NGX_DONE) {
        ngx_http_prompt_once_count(once, how);
        ngx_http_prompt_once_refuse(once, how);
        return NGX_DONE;
    }

    if (rc != NGX_OK) {
        return NGX_ERROR;
    }

    op->job.once = once;
    op->job.persists = 1;

    /* the client is not missed: its answer is for the next one, too */

    r->read_event_handler = ngx_http_block_reading;

    return NGX_AGAIN;
}


void
ngx_http_prompt_once_taken(ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e how)
{
    ngx_connection_t  *c;

    c = once->job->request->connection;

    ngx_http_prompt_once_count(once, how);

    switch (how) {

    case NGX_HTTP_PROMPT_ONCE_RUN:
        ngx_http_prompt_operation_go_on(once->op);
        return;

    case NGX_HTTP_PROMPT_ONCE_ANSWERED:
        ngx_http_prompt_once_replay(once);
        break;

    default:
        ngx_http_prompt_once_refuse(once, how);
        break;
    }

    ngx_http_run_posted_requests(c);
}


static void
ngx_http_prompt_once_count(const ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e how)
{
    ngx_http_prompt_count_e  count;

    static const struct {
        ngx_http_prompt_count_e  count;
        const char              *text;
    } words[] = {
        [NGX_HTTP_PROMPT_ONCE_RUN] =
            { NGX_HTTP_PROMPT_COUNT_ONCE_BEGUN, "runs" },
        [NGX_HTTP_PROMPT_ONCE_ANSWERED] =
            { NGX_HTTP_PROMPT_COUNT_ONCE_REPLAYED, "answered before" },
        [NGX_HTTP_PROMPT_ONCE_BUSY] =
            { NGX_HTTP_PROMPT_COUNT_ONCE_BUSY, "another one runs" },
        [NGX_HTTP_PROMPT_ONCE_OTHER] =
            { NGX_HTTP_PROMPT_COUNT_ONCE_OTHER, "of another request" },
        [NGX_HTTP_PROMPT_ONCE_FAILED] =
            { NGX_HTTP_PROMPT_COUNT_ONCE_FAILED, "not known" }
    };

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, once->job->request->connection->log, 0,
                   "prompt idempotency: %s", words[how].text);

    count = how == NGX_HTTP_PROMPT_ONCE_RUN && once->over
            ? NGX_HTTP_PROMPT_COUNT_ONCE_TAKEN_OVER : words[how].count;

    ngx_http_prompt_metrics_add(once->worker->metrics, count, 1);
}


/* The bytes are the first answer's, behind the events that came before it. */
static void
ngx_http_prompt_once_replay(ngx_http_prompt_once_t *once)
{
    char                         *copy;
    const char                   *end;
    prompt_str_t                  event;
    ngx_http_prompt_operation_t  *op;

    op = once->op;
    op->replayed = 1;

    while (once->answer.len != 0
           && (end = memchr(once->answer.data, NGX_HTTP_PROMPT_SAID_END,
                            once->answer.len))
              != NULL)
    {
        event = prompt_str_of(once->answer.data,
                              (size_t) (end - once->answer.data));
        once->answer.data += event.len + 1;
        once->answer.len -= event.len + 1;

        /* who has gone is not told the rest, either */

        (void) op->job.sink->event(op->job.caller, &event, 1);
    }

    op->pieces = ngx_palloc(op->job.request->pool, sizeof(prompt_str_t));
    copy = malloc(once->answer.len + 1);

    if (op->pieces == NULL || copy == NULL) {
        free(copy);
        op->job.sink->failed(op->job.caller);
        return;
    }

    ngx_memcpy(copy, once->answer.data, once->answer.len);

    op->pieces[0] = prompt_str_of(copy, once->answer.len);
    op->npieces = 1;

    ngx_http_prompt_operation_release(op);
    ngx_http_prompt_operation_answered(op);
}


static void
ngx_http_prompt_once_refuse(ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e how)
{
    static const ngx_http_prompt_refusal_t  other = {
        .status = 422,
        .code = prompt_str_init("BAD_USER_INPUT"),
        .message = prompt_str_init("This Idempotency-Key was used with "
                                   "another document, other variables or "
                                   "another operation name.")
    };

    static const ngx_http_prompt_refusal_t  busy = {
        .status = NGX_HTTP_CONFLICT,
        .code = prompt_str_init("BAD_USER_INPUT"),
        .message = prompt_str_init("The first request with this "
                                   "Idempotency-Key is still being done: ask "
                                   "again."),
        .retry_after = "1"
    };

    static const ngx_http_prompt_refusal_t  failed = {
        .status = NGX_HTTP_SERVICE_UNAVAILABLE,
        .code = prompt_str_init("INTERNAL_SERVER_ERROR"),
        .message = prompt_str_init("The database did not say what is known of "
                                   "this Idempotency-Key. Nothing was done: "
                                   "ask again with the same key.")
    };

    ngx_http_prompt_operation_refuse(once->op,
                                     how == NGX_HTTP_PROMPT_ONCE_OTHER ? &other
                                     : how == NGX_HTTP_PROMPT_ONCE_BUSY ? &busy
                                     : &failed);
}


static ngx_int_t
ngx_http_prompt_once_end(ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_once_t  *once;

    once = op->job.once;

    if (once == NULL || once->answer.data != NULL) {
        return NGX_OK;
    }

    op->replayed = once->over;

    return ngx_http_prompt_once_keep(once) == NGX_OK ? NGX_AGAIN : NGX_OK;
}


/*
 * An answer that PostgreSQL did not take is sent all the same: it is true.
 * Not so where another request has found out meanwhile what was done, since
 * there must be one answer.
 */
void
ngx_http_prompt_once_kept(ngx_http_prompt_once_t *once, ngx_uint_t held)
{
    ngx_connection_t  *c;

    if (held) {
        ngx_http_prompt_operation_go_on(once->op);
        return;
    }

    c = once->job->request->connection;

    ngx_http_prompt_once_refuse(once, NGX_HTTP_PROMPT_ONCE_BUSY);
    ngx_http_run_posted_requests(c);
}
