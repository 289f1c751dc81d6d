/*
 * The end of a connection to PostgreSQL: who is told, what is sent again on
 * another one, and when it is made afresh.  README.md has the reasons.
 */

#include "io/ngx_http_prompt_postgres_impl.h"
#include "io/ngx_http_prompt_ratelog.h"


/* renewals that are further apart are not in a row */
#define POSTGRES_CALM       10000                /* ms */


static void ngx_http_prompt_postgres_end(
    ngx_http_prompt_postgres_connection_t *pc, ngx_uint_t calm,
    const char *reason);
static void ngx_http_prompt_postgres_tell_break(
    ngx_http_prompt_postgres_connection_t *pc, ngx_uint_t calm,
    const char *reason, const char *message);
static void ngx_http_prompt_postgres_recover(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_mark_undone(ngx_queue_t *tasks);
static ngx_uint_t ngx_http_prompt_postgres_was_ended(
    const ngx_http_prompt_postgres_connection_t *pc);


void
ngx_http_prompt_postgres_break(ngx_http_prompt_postgres_connection_t *pc,
    const char *reason)
{
    ngx_http_prompt_postgres_end(pc, pc->state == POSTGRES_DRAINING, reason);
}


void
ngx_http_prompt_postgres_retire(ngx_http_prompt_postgres_connection_t *pc,
    const char *reason)
{
    if (pc->state == POSTGRES_READY) {
        ngx_http_prompt_postgres_become(pc, POSTGRES_DRAINING);
    }

    if (pc->state != POSTGRES_WAITING && pc->in_flight == 0) {
        ngx_http_prompt_postgres_end(pc, 1, reason);
    }
}


/* calm: by no fault of the server, which is asked again at once. */
static void
ngx_http_prompt_postgres_end(ngx_http_prompt_postgres_connection_t *pc,
    ngx_uint_t calm, const char *reason)
{
    ngx_uint_t                   refused;
    const char                  *message;
    ngx_http_prompt_postgres_t  *pool;

    pool = pc->pool;
    message = pc->pg != NULL ? PQerrorMessage(pc->pg) : "";

    ngx_log_debug3(NGX_LOG_DEBUG_HTTP, &pool->log, 0,
                   "prompt postgres: %s, connection %ui, %ui in flight",
                   reason, (ngx_uint_t) (pc - pool->connections),
                   pc->in_flight);

    /*
     * Poolers know few parameters of a session, and refuse the others: by
     * words of their own, hence the text.
     */

    refused = pc->state == POSTGRES_CONNECTING && pc->settings
              && ngx_strstr(message, "startup parameter") != NULL;

    if (!calm || !pool->quits) {
        ngx_http_prompt_postgres_tell_break(pc, calm || refused, reason,
                                            message);
    }

    if (refused && !pool->plain) {
        pool->plain = 1;

        ngx_log_error(NGX_LOG_NOTICE, &pool->log, 0,
                      "postgresql: a pooler refuses the settings of the "
                      "connection: set them for the role, with \"promptctl "
                      "migrate --grant\"");
    }

    if (!calm) {
        ngx_http_prompt_names_soon(pool->names);
    }

    if (ngx_http_prompt_postgres_is_up(pc) && --pool->up == 0) {
        pool->down = ngx_current_msec;
    }

    ngx_http_prompt_postgres_disconnect(pc);

    if (calm || refused) {
        ngx_add_timer(&pc->timer.event, 0);

    } else {
        pool->stats.failures++;
        ngx_add_timer(&pc->timer.event,
                      ngx_http_prompt_jitter(
                                ngx_http_prompt_backoff(pc->attempts++) / 2));
    }

    pool->stats.in_flight -= pc->in_flight;
    pool->longs -= pc->longs;

    pc->in_flight = 0;
    pc->held = 0;
    pc->longs = 0;
    pc->late = 0;

    ngx_http_prompt_postgres_recover(pc);

    if (pool->quits) {
        ngx_http_prompt_postgres_rest(pool);
    }

    ngx_http_prompt_postgres_dispatch(pool);
}


/* One that is made afresh, or without settings, is no failure: calm. */
static void
ngx_http_prompt_postgres_tell_break(ngx_http_prompt_postgres_connection_t *pc,
    ngx_uint_t calm, const char *reason, const char *message)
{
    size_t       len;
    const char  *colon;

    len = ngx_min(strcspn(message, "\n"), 256);
    colon = *message != '\0' ? ": " : "";

    if (pc->pool->reader && !calm) {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_STANDBY,
                                prompt_str_absent, &pc->pool->log,
                                "standby: %s%s%*s", reason, colon, len,
                                message);
        return;
    }

    ngx_http_prompt_ratelog(calm ? NGX_HTTP_PROMPT_RATELOG_POSTGRES_ENDED
                                 : NGX_HTTP_PROMPT_RATELOG_POSTGRES,
                            prompt_str_absent, &pc->pool->log,
                            "postgresql: %s%s%*s", reason, colon, len,
                            message);
}


/*
 * Takes what it had in flight, in order: what was not done is sent again, the
 * owners of the rest are told.
 */
static void
ngx_http_prompt_postgres_recover(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_int_t                         rc;
    ngx_uint_t                        ended;
    ngx_queue_t                       tasks, *q, *prev;
    ngx_http_prompt_postgres_task_t  *task;

    ngx_queue_init(&tasks);
    ended = ngx_http_prompt_postgres_was_ended(pc);

    if (!ngx_queue_empty(&pc->tasks)) {
        ngx_queue_add(&tasks, &pc->tasks);
        ngx_queue_init(&pc->tasks);
    }

    ngx_http_prompt_postgres_mark_undone(&tasks);

    /* from the last to the first, as each goes in front of its like */

    for (q = ngx_queue_last(&tasks); q != ngx_queue_sentinel(&tasks);
         q = prev)
    {
        prev = ngx_queue_prev(q);
        task = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);

        if (!task->reads && task->outcome != POSTGRES_OUTCOME_ROLLED_BACK) {
            continue;
        }

        ngx_queue_remove(&task->queue);

        rc = ended ? ngx_http_prompt_postgres_again(task)
                   : ngx_http_prompt_postgres_retry(task);

        if (rc != NGX_OK) {
            ngx_queue_insert_after(prev, &task->queue);
        }
    }

    while (!ngx_queue_empty(&tasks)) {
        q = ngx_queue_head(&tasks);
        task = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);

        ngx_queue_remove(&task->queue);

        /* without an error, nobody knows whether it was committed */

        ngx_http_prompt_postgres_over(task,
                                      NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE,
                                      task->outcome
                                      != POSTGRES_OUTCOME_ROLLED_BACK);
    }
}


/*
 * After an error there was no commit of the batch, whatever else got lost:
 * neither of those before who failed, nor of those behind.
 */
static void
ngx_http_prompt_postgres_mark_undone(ngx_queue_t *tasks)
{
    ngx_uint_t                        undone;
    ngx_queue_t                      *q;
    ngx_http_prompt_postgres_task_t  *task;

    undone = 0;

    for (q = ngx_queue_head(tasks); q != ngx_queue_sentinel(tasks);
         q = ngx_queue_next(q))
    {
        task = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);

        /*
         * PostgreSQL said so.  An error of the connection (class 08) is that
         * of a pooler, which does not know what became of the transaction.
         */

        if (undone
            || (task->error != NULL
                && ngx_strncmp(task->result.sqlstate, "08", 2) != 0))
        {
            task->outcome = POSTGRES_OUTCOME_ROLLED_BACK;
            undone = task->joined;
        }
    }

    undone = 0;

    for (q = ngx_queue_last(tasks); q != ngx_queue_sentinel(tasks);
         q = ngx_queue_prev(q))
    {
        task = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);

        if (undone && task->joined) {
            task->outcome = POSTGRES_OUTCOME_ROLLED_BACK;
        }

        undone = (task->outcome == POSTGRES_OUTCOME_ROLLED_BACK);
    }
}


/*
 * Whether somebody ended the connection (57P01 and the like): that is no fault
 * of a task, and others that look sound yet may end in the same way.
 */
static ngx_uint_t
ngx_http_prompt_postgres_was_ended(
    const ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_queue_t                            *q;
    const ngx_http_prompt_postgres_task_t  *task;

    for (q = ngx_queue_head(&pc->tasks);
         q != ngx_queue_sentinel(&pc->tasks);
         q = ngx_queue_next(q))
    {
        task = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);

        if (ngx_strncmp(task->result.sqlstate, "57P0", 4) == 0) {
            return 1;
        }
    }

    return 0;
}


ngx_int_t
ngx_http_prompt_postgres_renew(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_msec_t  since;

    if (pc->state == POSTGRES_DRAINING) {
        return NGX_OK;
    }

    since = ngx_current_msec - pc->renewed;

    if (since > POSTGRES_CALM) {
        pc->renewals = 0;
    }

    if (pc->renewals != 0
        && since < ngx_http_prompt_backoff(pc->renewals - 1))
    {
        return NGX_DECLINED;
    }

    ngx_http_prompt_postgres_become(pc, POSTGRES_DRAINING);
    pc->renewals++;
    pc->renewed = ngx_current_msec;

    return NGX_OK;
}


void
ngx_http_prompt_postgres_forget(ngx_http_prompt_postgres_t *pool)
{
    ngx_uint_t                              i;
    ngx_http_prompt_postgres_connection_t  *pc;

    pool->database++;

    for (i = 0; i < pool->conf->connections; i++) {
        pc = &pool->connections[i];

        /* one whose check is under way says for itself where it leads */

        if (pc->state == POSTGRES_READY) {
            ngx_http_prompt_postgres_become(pc, POSTGRES_DRAINING);
            ngx_post_event(&pc->results, &ngx_posted_events);
        }
    }
}


void
ngx_http_prompt_postgres_wake(ngx_http_prompt_postgres_t *pool)
{
    ngx_uint_t                              i;
    ngx_http_prompt_postgres_connection_t  *pc;

    for (i = 0; i < pool->conf->connections; i++) {
        pc = &pool->connections[i];

        if (pc->state == POSTGRES_WAITING && !pool->quits) {
            pc->attempts = 0;

            ngx_http_prompt_timer_stop(&pc->timer);

            ngx_add_timer(&pc->timer.event, (ngx_msec_t) ngx_random() % 50);
        }
    }
}
