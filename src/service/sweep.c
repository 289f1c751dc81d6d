/*
 * The sweep of executions whose worker died, of old keys and old sessions.
 */

#include "service/sweep.h"

#include "service/send.h"
#include "service/worker.h"
#include "store/execution.h"
#include "store/idempotency.h"
#include "store/session.h"


/* a few parameters, and one row */
#define NGX_HTTP_PROMPT_SWEEP_MEMORY  (256 * 1024)


static void ngx_http_prompt_sweep(ngx_event_t *ev);
static void ngx_http_prompt_swept(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_sweep_keys(ngx_event_t *ev);
static void ngx_http_prompt_swept_keys(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_sweep_sessions(ngx_event_t *ev);
static void ngx_http_prompt_swept_sessions(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result);


void
ngx_http_prompt_sweep_init(ngx_http_prompt_worker_t *worker)
{
    ngx_http_prompt_timer_init(&worker->sweep.timer, ngx_http_prompt_sweep,
                               worker, worker->log);
    worker->sweep.timer.event.cancelable = 1;

    ngx_http_prompt_timer_init(&worker->sweep.step, ngx_http_prompt_sweep_keys,
                               worker, worker->log);
    worker->sweep.step.event.cancelable = 1;

    ngx_http_prompt_timer_init(&worker->sweep.again,
                               ngx_http_prompt_sweep_sessions, worker,
                               worker->log);
    worker->sweep.again.event.cancelable = 1;
}


void
ngx_http_prompt_sweep_exit(ngx_http_prompt_worker_t *worker)
{
    ngx_http_prompt_timer_stop(&worker->sweep.timer);
    ngx_http_prompt_timer_stop(&worker->sweep.step);
    ngx_http_prompt_timer_stop(&worker->sweep.again);
}


void
ngx_http_prompt_sweep_watch(ngx_http_prompt_worker_t *worker)
{
    ngx_add_timer(&worker->sweep.timer.event, NGX_HTTP_PROMPT_SWEEP_INTERVAL);

    if (!worker->sweep.step.event.timer_set) {
        ngx_add_timer(&worker->sweep.step.event,
                      NGX_HTTP_PROMPT_SWEEP_INTERVAL);
    }

    if (!worker->sweep.again.event.timer_set) {
        ngx_add_timer(&worker->sweep.again.event,
                      NGX_HTTP_PROMPT_SWEEP_INTERVAL);
    }
}


static void
ngx_http_prompt_sweep(ngx_event_t *ev)
{
    bool                       bound;
    prompt_query_t            *query;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_timer_owner(ev);

    if (worker->sweep.query == NULL
        && ngx_http_prompt_postgres_up(worker->postgres) != 0)
    {
        query = prompt_query_create(NGX_HTTP_PROMPT_SWEEP_MEMORY);
        bound = query != NULL
                && prompt_execution_sweep(query, NGX_HTTP_PROMPT_SWEEP_ROWS);

        worker->sweep.query =
            ngx_http_prompt_send_query(worker->postgres, query, bound, 0,
                                       ngx_http_prompt_swept, worker);
    }

    ngx_http_prompt_sweep_watch(worker);
}


static void
ngx_http_prompt_swept(void *data, ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_worker_t  *worker = data;

    bool     more;
    int64_t  rows;

    worker->sweep.query = NULL;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        rows = prompt_execution_sweep_row(&result->rows[0], &more);

        if (rows > 0) {
            ngx_log_error(NGX_LOG_WARN, worker->log, 0,
                          "prompt: %L executions were still running long "
                          "after their time limit and are marked as lost",
                          rows);
        }

        if (more) {
            ngx_add_timer(&worker->sweep.timer.event,
                          NGX_HTTP_PROMPT_SWEEP_PAUSE);
        }
    }

    ngx_http_prompt_postgres_free(query);
}


/* One step; where it was full, the next one comes soon. */

static void
ngx_http_prompt_sweep_keys(ngx_event_t *ev)
{
    bool                       bound;
    prompt_query_t            *query;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_timer_owner(ev);

    if (worker->sweep.keys == NULL
        && ngx_http_prompt_postgres_up(worker->postgres) != 0)
    {
        query = prompt_query_create(NGX_HTTP_PROMPT_SWEEP_MEMORY);
        bound = query != NULL
                && prompt_idempotency_sweep(query, NGX_HTTP_PROMPT_SWEEP_KEYS);

        worker->sweep.keys =
            ngx_http_prompt_send_query(worker->postgres, query, bound, 0,
                                       ngx_http_prompt_swept_keys, worker);
    }

    ngx_add_timer(&worker->sweep.step.event, NGX_HTTP_PROMPT_SWEEP_INTERVAL);
}


static void
ngx_http_prompt_swept_keys(void *data, ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_worker_t  *worker = data;

    worker->sweep.keys = NULL;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK
        && prompt_idempotency_sweep_row(&result->rows[0])
           == NGX_HTTP_PROMPT_SWEEP_KEYS)
    {
        ngx_http_prompt_timer_stop(&worker->sweep.step);
        ngx_add_timer(&worker->sweep.step.event, NGX_HTTP_PROMPT_SWEEP_PAUSE);
    }

    ngx_http_prompt_postgres_free(query);
}


static void
ngx_http_prompt_sweep_sessions(ngx_event_t *ev)
{
    bool                       bound;
    prompt_query_t            *query;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_timer_owner(ev);

    if (worker->sweep.sessions == NULL
        && ngx_http_prompt_postgres_up(worker->postgres) != 0)
    {
        query = prompt_query_create(NGX_HTTP_PROMPT_SWEEP_MEMORY);
        bound = query != NULL
                && prompt_session_sweep(query, NGX_HTTP_PROMPT_SWEEP_SESSIONS);

        worker->sweep.sessions =
            ngx_http_prompt_send_query(worker->postgres, query, bound, 0,
                                       ngx_http_prompt_swept_sessions, worker);
    }

    ngx_add_timer(&worker->sweep.again.event, NGX_HTTP_PROMPT_SWEEP_INTERVAL);
}


static void
ngx_http_prompt_swept_sessions(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_worker_t  *worker = data;

    worker->sweep.sessions = NULL;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK
        && prompt_session_sweep_row(&result->rows[0])
           == NGX_HTTP_PROMPT_SWEEP_SESSIONS)
    {
        ngx_http_prompt_timer_stop(&worker->sweep.again);
        ngx_add_timer(&worker->sweep.again.event,
                      NGX_HTTP_PROMPT_SWEEP_PAUSE);
    }

    ngx_http_prompt_postgres_free(query);
}
