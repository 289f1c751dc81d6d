/*
 * Recording of executions.
 */

#include "service/call/recording.h"

#include "base/uuid.h"
#include "io/ngx_http_prompt_ratelog.h"
#include "service/call/budget.h"
#include "service/call/flights.h"
#include "service/frame/hook.h"
#include "service/worker/worker.h"
#include "store/sqlstate.h"


/* input, output, error, and what is small */
#define NGX_HTTP_PROMPT_RECORDING_MEMORY  (64 * 1024 * 1024)


static void ngx_http_prompt_recording_write(
    ngx_http_prompt_recording_t *recording, ngx_uint_t whole);
static ngx_uint_t ngx_http_prompt_recording_may_insert(
    const ngx_http_prompt_recording_t *recording);
static ngx_int_t ngx_http_prompt_recording_send(
    ngx_http_prompt_recording_t *recording);
static prompt_query_t *ngx_http_prompt_recording_query(
    const ngx_http_prompt_recording_t *recording);
static void ngx_http_prompt_recording_started(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_int_t ngx_http_prompt_recording_reserved(
    ngx_http_prompt_recording_t *recording, const prompt_rows_t *rows);
static void ngx_http_prompt_recording_written(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_uint_t ngx_http_prompt_recording_may_retry(
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_recording_failed(
    ngx_http_prompt_recording_t *recording, ngx_uint_t retry,
    const char *reason);
static ngx_int_t ngx_http_prompt_recording_keep(
    ngx_http_prompt_recording_t *recording);
static void ngx_http_prompt_recording_end(
    ngx_http_prompt_recording_t *recording,
    ngx_http_prompt_recorded_e recorded);
static void ngx_http_prompt_recording_forget(
    ngx_http_prompt_recording_t *recording);
static void ngx_http_prompt_recording_log(
    ngx_http_prompt_recording_t *recording, const char *reason);
static ngx_inline const char *ngx_http_prompt_recording_id(
    const ngx_http_prompt_recording_t *recording);
static void ngx_http_prompt_recording_retry(ngx_event_t *ev);
static bool ngx_http_prompt_recording_lingered(
    ngx_http_prompt_recordings_t *kept);
static void ngx_http_prompt_recording_give_up(
    ngx_http_prompt_recordings_t *kept);


ngx_http_prompt_recording_t *
ngx_http_prompt_recording_create(ngx_http_prompt_worker_t *worker)
{
    prompt_arena_t               *arena;
    ngx_http_prompt_recording_t  *recording;

    arena = prompt_arena_create(NGX_HTTP_PROMPT_RECORDING_MEMORY);
    if (arena == NULL) {
        return NULL;
    }

    recording = prompt_arena_zalloc(arena,
                                    sizeof(ngx_http_prompt_recording_t));
    if (recording == NULL) {
        prompt_arena_destroy(arena);
        return NULL;
    }

    recording->arena = arena;
    recording->worker = worker;
    recording->flight = PROMPT_FLIGHTS_NONE;
    recording->log = *worker->log;

    ngx_http_prompt_worker_work(worker, 1);

    return recording;
}


void
ngx_http_prompt_recording_destroy(ngx_http_prompt_recording_t *recording)
{
    ngx_http_prompt_send_leave(&recording->start);
    ngx_http_prompt_flights_end(recording->worker, &recording->flight);

    ngx_http_prompt_worker_work(recording->worker, -1);

    prompt_arena_destroy(recording->arena);
}


ngx_int_t
ngx_http_prompt_recording_start(ngx_http_prompt_recording_t *recording)
{
    bool             bound;
    prompt_query_t  *query;

    query = ngx_http_prompt_recording_query(recording);
    bound = query != NULL && prompt_execution_start(query, &recording->run);

    if (query != NULL) {

        /* who waits for it is told where it is too late, or the queue full */

        query->unconditional = (recording->begun == NULL);
    }

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, &recording->log, 0,
                   "prompt recording: start, execution %s",
                   ngx_http_prompt_recording_id(recording));

    return ngx_http_prompt_send_query(&recording->start,
                                      recording->worker->postgres, query, bound,
                                      0, ngx_http_prompt_recording_started,
                                      recording);
}


ngx_int_t
ngx_http_prompt_recording_begin(ngx_http_prompt_recording_t *recording,
    ngx_http_prompt_begun_pt begun, void *data)
{
    recording->begun = begun;
    recording->data = data;

    return ngx_http_prompt_recording_start(recording);
}


static void
ngx_http_prompt_recording_started(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_recording_t  *recording = data;

    ngx_int_t  rc;

    if (recording->begun != NULL) {
        rc = result->status != NGX_HTTP_PROMPT_POSTGRES_OK
             ? NGX_DECLINED
             : ngx_http_prompt_recording_reserved(recording, &result->rows[0]);

        if (rc == NGX_AGAIN) {
            return;
        }

        recording->started = (rc == NGX_OK);

        /* it may be gone afterwards */

        recording->begun(recording->data, result);
        return;
    }

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        recording->started = 1;

    } else {

        /* the final row inserts what is missing */

        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_RECORDING,
                                prompt_str_absent, recording->worker->log,
                                "prompt: the start of an execution was not "
                                "recorded, its end will be: %s",
                                ngx_http_prompt_postgres_why(result));
    }

    if (recording->ended) {
        recording->ended = 0;
        ngx_http_prompt_recording_write(recording, !recording->started);
    }
}


/*
 * NGX_OK: it is written.  NGX_DECLINED: it is not what was asked for, or no
 * budget has room.  NGX_AGAIN: that is asked once more, exactly.
 */
static ngx_int_t
ngx_http_prompt_recording_reserved(ngx_http_prompt_recording_t *recording,
    const prompt_rows_t *rows)
{
    prompt_budget_refusal_t  refusal;

    if (recording->run.reserved_usd.data == NULL) {
        return rows->count != 0 ? NGX_OK : NGX_DECLINED;
    }

    if (rows->count != 0 && prompt_budget_reserved_row(rows, &refusal)) {
        recording->run.exact = false;
        return NGX_OK;
    }

    if (recording->run.exact) {
        return NGX_DECLINED;
    }

    recording->run.exact = true;

    return ngx_http_prompt_recording_start(recording) == NGX_OK ? NGX_AGAIN
                                                                : NGX_DECLINED;
}


ngx_int_t
ngx_http_prompt_recording_withdraw(ngx_http_prompt_recording_t *recording)
{
    if (ngx_http_prompt_postgres_withdraw(recording->start.task) != NGX_OK) {
        return NGX_DECLINED;
    }

    recording->start.task = NULL;

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_recording_finish(ngx_http_prompt_recording_t *recording,
    ngx_http_prompt_recorded_pt done, void *data)
{
    ngx_http_prompt_flights_end(recording->worker, &recording->flight);

    if (recording->start.task != NULL
        && ngx_http_prompt_recording_withdraw(recording) != NGX_OK)
    {
        recording->ended = 1;
        recording->done = done;
        recording->data = data;
        return NGX_OK;
    }

    recording->whole = ngx_http_prompt_recording_may_insert(recording)
                       && !recording->started;

    if (ngx_http_prompt_recording_send(recording) == NGX_OK) {
        recording->done = done;
        recording->data = data;
        return NGX_OK;
    }

    if (ngx_http_prompt_recording_keep(recording) == NGX_OK) {
        return NGX_AGAIN;
    }

    ngx_http_prompt_recording_log(recording, "memory is short");

    return NGX_ERROR;
}


void
ngx_http_prompt_recording_detach(ngx_http_prompt_recording_t *recording)
{
    recording->done = NULL;
    recording->data = NULL;
}


/* A start that was to verify what is executed, and is not known to, forbids. */
static ngx_uint_t
ngx_http_prompt_recording_may_insert(
    const ngx_http_prompt_recording_t *recording)
{
    return recording->begun == NULL || recording->started;
}


/* The same for one that belongs to itself. */
static void
ngx_http_prompt_recording_write(ngx_http_prompt_recording_t *recording,
    ngx_uint_t whole)
{
    recording->whole = whole;

    if (ngx_http_prompt_recording_send(recording) != NGX_OK) {
        ngx_http_prompt_recording_failed(recording, 1, "memory is short");
    }
}


static ngx_int_t
ngx_http_prompt_recording_send(ngx_http_prompt_recording_t *recording)
{
    bool                     bound;
    prompt_query_t          *query;
    prompt_execution_run_t  *run;

    run = &recording->run;
    query = ngx_http_prompt_recording_query(recording);
    bound = query != NULL
            && (recording->whole ? prompt_execution_record(query, run)
                                 : prompt_execution_finish(query, run));

    ngx_log_debug4(NGX_LOG_DEBUG_HTTP, &recording->log, 0,
                   "prompt recording: end, %*s, execution %s%s",
                   recording->run.status.len, recording->run.status.data,
                   ngx_http_prompt_recording_id(recording),
                   recording->kept ? ", again" : "");

    return ngx_http_prompt_send_query(&recording->query,
                                      recording->worker->postgres, query, bound,
                                      0, ngx_http_prompt_recording_written,
                                      recording);
}


static prompt_query_t *
ngx_http_prompt_recording_query(
    const ngx_http_prompt_recording_t *recording)
{
    prompt_query_t  *query;

    query = prompt_query_create(NGX_HTTP_PROMPT_RECORDING_MEMORY);

    if (query != NULL) {
        query->unconditional = true;
        query->log = &recording->log;
        query->actor = &recording->actor;

        /* 16 that are slow together may each be in time */

        query->alone = recording->kept;

        /* whose prompt is removed meet that in PostgreSQL */

        query->order = recording->run.id;

        if (recording->run.exact) {
            query->locks = recording->run.caller;
        }

        /* what holds a prompt's row holds no others */

        query->alone |= recording->run.known == PROMPT_EXECUTION_DRAFT;
    }

    return query;
}


static void
ngx_http_prompt_recording_written(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_recording_t  *recording = data;

    bool         found;
    const char  *reason;
    ngx_uint_t   retry;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {

        if (recording->run.reserved_usd.data != NULL) {
            ngx_http_prompt_budget_settled(recording->worker,
                                           &result->rows[0]);
        }

        found = result->rows[0].count != 0 || recording->whole
                || !ngx_http_prompt_recording_may_insert(recording);

        if (found) {
            ngx_http_prompt_recording_end(recording, NGX_HTTP_PROMPT_RECORDED);
            return;
        }

        /*
         * The row is not there any more, or not to be changed: the prompt was
         * deleted; or this was written before, and the answer lost.
         */

        ngx_http_prompt_recording_write(recording, 1);
        return;
    }

    retry = ngx_http_prompt_recording_may_retry(result);
    reason = result->status == NGX_HTTP_PROMPT_POSTGRES_ERROR
             ? prompt_sql_status_text(
                   prompt_sqlstate(prompt_str_from(result->sqlstate)))
             : "PostgreSQL is not available";

    ngx_http_prompt_recording_failed(recording, retry, reason);
}


/* whether the same row can be written at another time */
static ngx_uint_t
ngx_http_prompt_recording_may_retry(
    const ngx_http_prompt_postgres_result_t *result)
{
    if (result->status != NGX_HTTP_PROMPT_POSTGRES_ERROR) {
        return 1;
    }

    switch (prompt_sqlstate(prompt_str_from(result->sqlstate))) {

    case PROMPT_SQL_RETRY:
    case PROMPT_SQL_PREPARE:
    case PROMPT_SQL_LOCKED:
    case PROMPT_SQL_TIMEOUT:
    case PROMPT_SQL_AWAY:
    case PROMPT_SQL_FULL:
    case PROMPT_SQL_SCHEMA:
    case PROMPT_SQL_DENIED:
        return 1;

    default:
        return 0;
    }
}


static void
ngx_http_prompt_recording_failed(ngx_http_prompt_recording_t *recording,
    ngx_uint_t retry, const char *reason)
{
    void                         *data;
    ngx_http_prompt_recorded_pt   done;

    if (!retry || ngx_http_prompt_recording_keep(recording) != NGX_OK) {
        ngx_http_prompt_recording_log(recording, reason);
        ngx_http_prompt_recording_end(recording,
                                      NGX_HTTP_PROMPT_RECORDING_LOST);
        return;
    }

    done = recording->done;
    data = recording->data;

    if (done != NULL) {
        ngx_http_prompt_recording_detach(recording);
        done(data, NGX_HTTP_PROMPT_RECORDING_KEPT);
    }
}


/* NGX_DECLINED: there is no room for it */
static ngx_int_t
ngx_http_prompt_recording_keep(ngx_http_prompt_recording_t *recording)
{
    size_t                         bytes;
    ngx_http_prompt_recordings_t  *kept;

    if (recording->kept) {
        return NGX_OK;                          /* it waits for the next try */
    }

    kept = recording->worker->recordings;
    bytes = prompt_arena_used(recording->arena);

    if (kept->count >= NGX_HTTP_PROMPT_RECORDING_MAX_COUNT
        || bytes > NGX_HTTP_PROMPT_RECORDING_MAX_BYTES - kept->bytes)
    {
        return NGX_DECLINED;
    }

    ngx_http_prompt_metrics_add(recording->worker->metrics,
                                NGX_HTTP_PROMPT_COUNT_RESULTS_KEPT, 1);

    recording->kept = 1;
    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, &recording->log, 0,
                   "prompt recording: kept for later, execution %s",
                   ngx_http_prompt_recording_id(recording));

    kept->count++;
    kept->bytes += bytes;
    ngx_queue_insert_tail(&kept->queue, &recording->queue);

    if (!kept->retry.event.timer_set) {
        ngx_add_timer(&kept->retry.event, NGX_HTTP_PROMPT_RECORDING_PAUSE);
    }

    return NGX_OK;
}


static void
ngx_http_prompt_recording_end(ngx_http_prompt_recording_t *recording,
    ngx_http_prompt_recorded_e recorded)
{
    void                         *data;
    ngx_http_prompt_recorded_pt   done;

    done = recording->done;
    data = recording->data;

    ngx_log_debug2(NGX_LOG_DEBUG_HTTP, &recording->log, 0,
                   "prompt recording: %s, execution %s",
                   recorded == NGX_HTTP_PROMPT_RECORDED ? "written" : "lost",
                   ngx_http_prompt_recording_id(recording));

    ngx_http_prompt_recording_forget(recording);

    if (done != NULL) {
        done(data, recorded);

    } else if (recorded == NGX_HTTP_PROMPT_RECORDED) {
        ngx_http_prompt_hooks_changed(recording->worker,
                                (const uint8_t *) recording->run.caller.data);
    }

    ngx_http_prompt_recording_destroy(recording);
}


static void
ngx_http_prompt_recording_forget(ngx_http_prompt_recording_t *recording)
{
    ngx_http_prompt_recordings_t  *kept;

    if (recording->kept) {
        kept = recording->worker->recordings;

        recording->kept = 0;
        kept->count--;
        kept->bytes -= prompt_arena_used(recording->arena);
        ngx_queue_remove(&recording->queue);
    }
}


static void
ngx_http_prompt_recording_log(ngx_http_prompt_recording_t *recording,
    const char *reason)
{
    char           text[PROMPT_UUID_TEXT_LEN], user[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t  id;

    ngx_http_prompt_metrics_add(recording->worker->metrics,
                                NGX_HTTP_PROMPT_COUNT_RESULTS_LOST, 1);

    ngx_memcpy(id.bytes, recording->run.id.data, sizeof(id.bytes));
    prompt_uuid_format(&id, text);

    ngx_memcpy(id.bytes, recording->run.caller.data, sizeof(id.bytes));
    prompt_uuid_format(&id, user);

    /* each of them: nothing else says that it was */

    ngx_log_error(NGX_LOG_ERR, recording->worker->log, 0,
                  "prompt: the result of execution %*s (%*s) of user %*s was "
                  "dropped: %s", sizeof(text), text,
                  recording->run.status.len, recording->run.status.data,
                  sizeof(user), user, reason);
}


/* for a debug line: until the next one is asked for */
static ngx_inline const char *
ngx_http_prompt_recording_id(const ngx_http_prompt_recording_t *recording)
{
    prompt_uuid_t  id;

    static char  text[PROMPT_UUID_TEXT_LEN + 1];

    ngx_memcpy(id.bytes, recording->run.id.data, sizeof(id.bytes));
    prompt_uuid_format(&id, text);

    return text;
}


/*
 * Tries all that wait, one after the other in a pipeline; each is sent again
 * only when its last try has ended.
 */
static void
ngx_http_prompt_recording_retry(ngx_event_t *ev)
{
    ngx_queue_t                   *q;
    ngx_http_prompt_worker_t      *worker;
    ngx_http_prompt_recording_t   *recording;
    ngx_http_prompt_recordings_t  *kept;

    worker = ngx_http_prompt_timer_owner(ev);
    kept = worker->recordings;

    if (ngx_http_prompt_recording_lingered(kept)) {
        ngx_http_prompt_recording_give_up(kept);
        return;
    }

    if (ngx_http_prompt_postgres_up(worker->postgres) != 0) {

        for (q = ngx_queue_head(&kept->queue);
             q != ngx_queue_sentinel(&kept->queue);
             q = ngx_queue_next(q))
        {
            recording = ngx_queue_data(q, ngx_http_prompt_recording_t, queue);

            if (recording->query.task == NULL
                && ngx_http_prompt_recording_send(recording) != NGX_OK)
            {
                break;                     /* memory is short: another time */
            }
        }
    }

    if (!ngx_queue_empty(&kept->queue)) {
        ngx_add_timer(&kept->retry.event, NGX_HTTP_PROMPT_RECORDING_PAUSE);
    }
}


/* whether the worker is to quit, and has tried for long enough */
static bool
ngx_http_prompt_recording_lingered(ngx_http_prompt_recordings_t *kept)
{
    if (!ngx_exiting && !ngx_quit) {
        return false;
    }

    if (kept->linger == 0) {
        kept->linger = ngx_current_msec + NGX_HTTP_PROMPT_RECORDING_LINGER;
        return false;
    }

    return (ngx_msec_int_t) (ngx_current_msec - kept->linger) >= 0;
}


static void
ngx_http_prompt_recording_give_up(ngx_http_prompt_recordings_t *kept)
{
    ngx_queue_t                  *q;
    ngx_http_prompt_recording_t  *recording;

    while (!ngx_queue_empty(&kept->queue)) {
        q = ngx_queue_head(&kept->queue);
        recording = ngx_queue_data(q, ngx_http_prompt_recording_t, queue);

        ngx_http_prompt_send_leave(&recording->query);
        ngx_http_prompt_recording_log(recording, "the worker process ends");
        ngx_http_prompt_recording_forget(recording);
        ngx_http_prompt_recording_destroy(recording);
    }
}


void
ngx_http_prompt_recording_init(ngx_http_prompt_worker_t *worker)
{
    ngx_queue_init(&worker->recordings->queue);

    /* not cancelable: a worker that quits first writes what it holds */

    ngx_http_prompt_timer_init(&worker->recordings->retry,
                               ngx_http_prompt_recording_retry, worker,
                               worker->log);
}


void
ngx_http_prompt_recording_exit(ngx_http_prompt_worker_t *worker)
{
    ngx_http_prompt_timer_stop(&worker->recordings->retry);
    ngx_http_prompt_recording_give_up(worker->recordings);
}
