/*
 * Removal of the rows of hidden prompts.
 *
 * There is one timer: between steps it is short, and where there is nothing
 * to do it is long, or in workers that do not watch not set at all.  What
 * fails is left to those that watch.
 */

#include "service/upkeep/removal.h"

#include "io/ngx_http_prompt_ratelog.h"
#include "service/worker/send.h"
#include "service/worker/worker.h"


static void ngx_http_prompt_removal_step(ngx_event_t *ev);
static void ngx_http_prompt_removal_done(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_removal_failed(ngx_http_prompt_worker_t *worker,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_removal_rest(ngx_http_prompt_worker_t *worker);
static void ngx_http_prompt_removal_abandoned(void *data,
    const ngx_http_prompt_postgres_result_t *result);


void
ngx_http_prompt_removal_init(ngx_http_prompt_worker_t *worker)
{
    ngx_http_prompt_timer_init(&worker->remover->timer,
                               ngx_http_prompt_removal_step, worker,
                               worker->log);
    worker->remover->timer.event.cancelable = 1;
}


void
ngx_http_prompt_removal_watch(ngx_http_prompt_worker_t *worker)
{
    worker->remover->watches = 1;

    ngx_http_prompt_removal_rest(worker);
}


void
ngx_http_prompt_removal_begin(ngx_http_prompt_worker_t *worker,
    const prompt_removal_t *at)
{
    ngx_http_prompt_remover_t  *remover;

    remover = worker->remover;

    /* who is at it goes on until nothing is left */

    if (remover->active) {
        return;
    }

    remover->active = 1;

    if (at != NULL) {
        remover->at = *at;
    }

    /* nginx leaves a timer as it is that would move by little only */

    ngx_http_prompt_timer_stop(&remover->timer);
    ngx_add_timer(&remover->timer.event, NGX_HTTP_PROMPT_REMOVAL_PAUSE);
}


static void
ngx_http_prompt_removal_step(ngx_event_t *ev)
{
    bool                       bound;
    prompt_query_t            *query;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_timer_owner(ev);

    bound = false;
    query = NULL;

    if (ngx_http_prompt_postgres_up(worker->postgres) != 0) {
        query = ngx_http_prompt_send_create();
    }

    if (query != NULL) {
        query->length = PROMPT_QUERY_LONG;
        bound = prompt_sweep(query, &worker->remover->at);
    }

    worker->remover->active = 1;

    if (ngx_http_prompt_send_query(NULL, worker->postgres, query, bound, 0,
                                   ngx_http_prompt_removal_done, worker)
        != NGX_OK)
    {
        ngx_http_prompt_removal_rest(worker);
    }
}


static void
ngx_http_prompt_removal_done(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_worker_t  *worker = data;

    ngx_uint_t        more;
    prompt_removed_t  removed;

    more = 0;

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_OK) {
        ngx_http_prompt_removal_failed(worker, result);

    } else {
        worker->remover->failures = 0;
        more = worker->remover->at.known;
        removed = prompt_removed_row(&result->rows[0], &worker->remover->at);

        /* where the one is gone or others are at it, there may be another */

        if (removed != PROMPT_REMOVED_NONE) {
            more = 1;
        }
    }

    if (more) {
        ngx_add_timer(&worker->remover->timer.event,
                      NGX_HTTP_PROMPT_REMOVAL_PAUSE);
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
    if (worker->remover->failures < NGX_HTTP_PROMPT_REMOVAL_RARER) {
        worker->remover->failures++;
    }

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_ERROR) {
        return;
    }

    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_REMOVAL,
                            prompt_str_absent, worker->log,
                            "prompt: rows of a deleted prompt were not removed "
                            "and will be later: %s",
                            ngx_http_prompt_postgres_why(result));
}


static void
ngx_http_prompt_removal_rest(ngx_http_prompt_worker_t *worker)
{
    ngx_http_prompt_remover_t  *remover;

    remover = worker->remover;

    remover->active = 0;
    ngx_memzero(&remover->at, sizeof(prompt_removal_t));

    if (remover->watches) {
        ngx_add_timer(&remover->timer.event,
                      NGX_HTTP_PROMPT_REMOVAL_INTERVAL << remover->failures);
    }
}


void
ngx_http_prompt_removal_abandon(ngx_http_prompt_worker_t *worker,
    prompt_str_t caller, prompt_str_t copy)
{
    bool             bound;
    prompt_query_t  *query;

    query = ngx_http_prompt_send_create();
    if (query == NULL) {
        return;
    }

    /* behind the statement that makes it */

    query->locks = copy;
    query->unconditional = true;

    bound = prompt_fork_abandon(query, caller, copy);

    if (ngx_http_prompt_send_query(NULL, worker->postgres, query, bound, 0,
                                   ngx_http_prompt_removal_abandoned, worker)
        != NGX_OK)
    {
        ngx_log_debug0(NGX_LOG_DEBUG_HTTP, worker->log, 0,
                       "prompt: a copy is left until it is old");
    }
}


static void
ngx_http_prompt_removal_abandoned(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_worker_t  *worker = data;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK
        && result->rows[0].count != 0)
    {
        ngx_http_prompt_removal_begin(worker, NULL);
    }
}
