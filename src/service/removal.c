/*
 * Removal of the rows of hidden prompts.
 *
 * There is one timer: between steps it is short, and where there is nothing
 * to do it is long, or in workers that do not watch not set at all.  What
 * fails is left to those that watch.
 */

#include "service/removal.h"

#include "store/sqlstate.h"


/* a few parameters, and one row */
#define NGX_HTTP_PROMPT_REMOVAL_MEMORY  (256 * 1024)


static void ngx_http_prompt_removal_step(ngx_event_t *ev);
static void ngx_http_prompt_removal_done(void *data,
    ngx_http_prompt_postgres_op_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_removal_failed(ngx_http_prompt_worker_t *worker,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_removal_rest(ngx_http_prompt_worker_t *worker);
static void ngx_http_prompt_removal_abandoned(void *data,
    ngx_http_prompt_postgres_op_t *query,
    const ngx_http_prompt_postgres_result_t *result);


void
ngx_http_prompt_removal_init(ngx_http_prompt_worker_t *worker)
{
    worker->remover.handler = ngx_http_prompt_removal_step;
    worker->remover.data = worker;
    worker->remover.log = worker->log;
    worker->remover.cancelable = 1;
}


void
ngx_http_prompt_removal_exit(ngx_http_prompt_worker_t *worker)
{
    if (worker->remover.timer_set) {
        ngx_del_timer(&worker->remover);
    }
}


void
ngx_http_prompt_removal_watch(ngx_http_prompt_worker_t *worker)
{
    worker->removal_watch = 1;

    ngx_http_prompt_removal_rest(worker);
}


void
ngx_http_prompt_removal_begin(ngx_http_prompt_worker_t *worker,
    const prompt_removal_t *at)
{
    /* who is at it goes on until nothing is left */

    if (worker->removing) {
        return;
    }

    worker->removing = 1;

    if (at != NULL) {
        worker->removal = *at;
    }

    /* nginx leaves a timer as it is that would move by little only */

    if (worker->remover.timer_set) {
        ngx_del_timer(&worker->remover);
    }

    ngx_add_timer(&worker->remover, NGX_HTTP_PROMPT_REMOVAL_PAUSE);
}


static void
ngx_http_prompt_removal_step(ngx_event_t *ev)
{
    prompt_query_t                 *query;
    ngx_http_prompt_worker_t       *worker;
    ngx_http_prompt_postgres_op_t  *op;

    worker = ev->data;

    query = NULL;
    op = NULL;

    if (ngx_http_prompt_postgres_up(worker->postgres) != 0) {
        query = prompt_query_create(NGX_HTTP_PROMPT_REMOVAL_MEMORY);
    }

    if (query != NULL) {
        query->length = PROMPT_QUERY_LONG;

        if (prompt_sweep(query, &worker->removal)) {
            op = ngx_http_prompt_postgres_query(worker->postgres, query, 0, 0,
                                                ngx_http_prompt_removal_done,
                                                worker);
        }

        if (op == NULL) {
            prompt_query_destroy(query);
        }
    }

    if (op == NULL) {
        ngx_http_prompt_removal_rest(worker);
        return;
    }

    worker->removing = 1;
}


static void
ngx_http_prompt_removal_done(void *data, ngx_http_prompt_postgres_op_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_worker_t  *worker = data;

    ngx_uint_t        more;
    prompt_removed_t  removed;

    more = 0;

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_OK) {
        ngx_http_prompt_removal_failed(worker, result);

    } else {
        worker->removal_failures = 0;
        more = worker->removal.known;
        removed = prompt_removed_row(&result->rows[0], &worker->removal);

        /* where the one is gone or others are at it, there may be another */

        if (removed != PROMPT_REMOVED_NONE) {
            more = 1;
        }
    }

    ngx_http_prompt_postgres_free(query);

    if (more) {
        ngx_add_timer(&worker->remover, NGX_HTTP_PROMPT_REMOVAL_PAUSE);
        return;
    }

    ngx_http_prompt_removal_rest(worker);
}


/*
 * A step that PostgreSQL gave up may have kept it busy for seconds: looks
 * become rarer while that goes on.  Where PostgreSQL is away, the pool says so.
 */

static void
ngx_http_prompt_removal_failed(ngx_http_prompt_worker_t *worker,
    const ngx_http_prompt_postgres_result_t *result)
{
    if (worker->removal_failures < NGX_HTTP_PROMPT_REMOVAL_RARER) {
        worker->removal_failures++;
    }

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_ERROR) {
        return;
    }

    ngx_log_error(NGX_LOG_WARN, worker->log, 0,
                  "prompt: rows of a deleted prompt were not removed, this is "
                  "done again later: %s (SQLSTATE %s)",
                  prompt_sql_status_text(
                      prompt_sqlstate(prompt_str_from(result->sqlstate))),
                  result->sqlstate);
}


static void
ngx_http_prompt_removal_rest(ngx_http_prompt_worker_t *worker)
{
    worker->removing = 0;
    ngx_memzero(&worker->removal, sizeof(prompt_removal_t));

    if (worker->removal_watch) {
        ngx_add_timer(&worker->remover,
                      NGX_HTTP_PROMPT_REMOVAL_INTERVAL
                      << worker->removal_failures);
    }
}


void
ngx_http_prompt_removal_abandon(ngx_http_prompt_worker_t *worker,
    prompt_str_t caller, prompt_str_t copy)
{
    prompt_query_t                 *query;
    ngx_http_prompt_postgres_op_t  *op;

    query = prompt_query_create(NGX_HTTP_PROMPT_REMOVAL_MEMORY);
    if (query == NULL) {
        return;
    }

    op = NULL;

    /* behind the statement that makes it */

    query->locks = copy;

    if (prompt_fork_abandon(query, caller, copy)) {
        op = ngx_http_prompt_postgres_query(worker->postgres, query, 0, 1,
                                            ngx_http_prompt_removal_abandoned,
                                            worker);
    }

    if (op == NULL) {
        prompt_query_destroy(query);
    }
}


static void
ngx_http_prompt_removal_abandoned(void *data,
    ngx_http_prompt_postgres_op_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_worker_t  *worker = data;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK
        && result->rows[0].count != 0)
    {
        ngx_http_prompt_removal_begin(worker, NULL);
    }

    ngx_http_prompt_postgres_free(query);
}
