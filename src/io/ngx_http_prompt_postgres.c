/*
 * The PostgreSQL pool of a worker: tasks from the moment they are given
 * to the moment they are freed.  Where they wait is in
 * ngx_http_prompt_postgres_queue.c, what a connection does with them in
 * ngx_http_prompt_postgres_connection.c.
 */

#include "io/ngx_http_prompt_postgres_impl.h"

#include "base/spare.h"


static void ngx_http_prompt_postgres_turn_handler(ngx_event_t *ev);
static void ngx_http_prompt_postgres_fail(ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_status_e status);
static void ngx_http_prompt_postgres_give_up(
    ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_status_e status, ngx_uint_t unknown);
static void ngx_http_prompt_postgres_timer_handler(ngx_event_t *ev);
static void ngx_http_prompt_postgres_tell(ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_status_e status, ngx_uint_t unknown);
static void ngx_http_prompt_postgres_release(
    ngx_http_prompt_postgres_task_t *task);
static void ngx_http_prompt_postgres_drop(ngx_queue_t *queue);


#define task_is(state)  ngx_http_prompt_after(POSTGRES_TASK_ ## state)

static const ngx_uint_t  ngx_http_prompt_postgres_task_after[] = {
    [POSTGRES_TASK_QUEUED] = task_is(QUEUED) | task_is(BLOCKED)
                             | task_is(SENT),
    [POSTGRES_TASK_BLOCKED] = task_is(QUEUED),
    [POSTGRES_TASK_SENT] = task_is(QUEUED),
    [POSTGRES_TASK_LATE] = task_is(SENT),
    [POSTGRES_TASK_ENDING] = task_is(QUEUED) | task_is(BLOCKED),
    [POSTGRES_TASK_ENDED] = task_is(QUEUED) | task_is(BLOCKED) | task_is(SENT)
                            | task_is(LATE) | task_is(ENDING)
};

#undef task_is

static const ngx_http_prompt_moves_t  ngx_http_prompt_postgres_task_moves = {
    "a query of PostgreSQL", ngx_http_prompt_postgres_task_after
};


/* of each status: what is said of it, where it is counted */
static const struct {
    const char  *why;                /* NULL: its SQLSTATE */
    size_t       count;              /* in the stats; 0: nowhere */
    ngx_uint_t   answered;
} ngx_http_prompt_postgres_statuses[] = {
    [NGX_HTTP_PROMPT_POSTGRES_OK] = { "nothing", 0, 1 },
    [NGX_HTTP_PROMPT_POSTGRES_ERROR] =
        { NULL, offsetof(ngx_http_prompt_postgres_stats_t, errors), 1 },
    [NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT] =
        { "timed out",
          offsetof(ngx_http_prompt_postgres_stats_t, timeouts), 0 },
    [NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE] =
        { "not available",
          offsetof(ngx_http_prompt_postgres_stats_t, unavailable), 0 },
    [NGX_HTTP_PROMPT_POSTGRES_BUSY] =
        { "too many queries are waiting",
          offsetof(ngx_http_prompt_postgres_stats_t, overflows), 0 },
    [NGX_HTTP_PROMPT_POSTGRES_TOO_LONG] = { "its rows are too long", 0, 1 }
};


static prompt_spare_t  ngx_http_prompt_postgres_spare;   /* tasks */


ngx_http_prompt_postgres_t *
ngx_http_prompt_postgres_create(ngx_cycle_t *cycle,
    ngx_http_prompt_postgres_conf_t *conf,
    const ngx_http_prompt_postgres_check_t *check)
{
    ngx_uint_t                              i;
    ngx_http_prompt_postgres_t             *pool;
    ngx_http_prompt_postgres_connection_t  *pc;

    pool = ngx_calloc(sizeof(ngx_http_prompt_postgres_t)
                      + conf->connections
                        * sizeof(ngx_http_prompt_postgres_connection_t),
                      cycle->log);
    if (pool == NULL) {
        return NULL;
    }

    pool->conf = conf;
    pool->check = check;
    pool->log = *cycle->log;
    pool->down = ngx_current_msec;
    pool->reader = (check != NULL && check->here != NULL);

    if (ngx_http_prompt_postgres_hosts_init(pool, cycle) != NGX_OK) {
        ngx_free(pool);
        return NULL;
    }

    ngx_http_prompt_postgres_queue_init(pool);
    ngx_queue_init(&pool->ending);

    pool->turn.handler = ngx_http_prompt_postgres_turn_handler;
    pool->turn.data = pool;
    pool->turn.log = &pool->log;

    for (i = 0; i < conf->connections; i++) {
        pc = &pool->connections[i];

        pc->pool = pool;

        /* those that only read are spread over their hosts */

        pc->host = pool->reader ? (ngx_worker + i) % conf->nhosts : 0;
        ngx_queue_init(&pc->tasks);

        ngx_http_prompt_postgres_connect(pc);
    }

    return pool;
}


void
ngx_http_prompt_postgres_close(ngx_http_prompt_postgres_t *pool)
{
    ngx_uint_t  i;

    if (pool == NULL) {
        return;
    }

    for (i = 0; i < pool->conf->connections; i++) {
        ngx_http_prompt_postgres_disconnect(&pool->connections[i]);
        ngx_http_prompt_postgres_drop(&pool->connections[i].tasks);
    }

    for (i = 0; i < POSTGRES_CLASSES; i++) {
        ngx_http_prompt_postgres_drop(&pool->waiting[i]);
    }

    ngx_http_prompt_postgres_drop(&pool->ending);

    if (pool->turn.posted) {
        ngx_delete_posted_event(&pool->turn);
    }

    ngx_http_prompt_names_destroy(pool->names);

    if (pool->moved != NULL) {
        ngx_free(pool->moved);
    }

    prompt_spare_free(&ngx_http_prompt_postgres_spare);
    ngx_free(pool);
}


void
ngx_http_prompt_postgres_task_become(ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_task_state_e state)
{
    (void) ngx_http_prompt_may_move(&ngx_http_prompt_postgres_task_moves,
                                    task->state, state, &task->pool->log);

    task->state = state;
}


/* Frees all tasks of a list, and of lines in it, whoever owns them. */
static void
ngx_http_prompt_postgres_drop(ngx_queue_t *queue)
{
    ngx_queue_t                      *q, *next;
    ngx_http_prompt_postgres_task_t  *task;

    for (q = ngx_queue_head(queue);
         q != ngx_queue_sentinel(queue);
         q = next)
    {
        next = ngx_queue_next(q);
        task = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);

        ngx_http_prompt_postgres_task_become(task, POSTGRES_TASK_ENDED);

        /* lines are no deeper than two: that of a user, those of rows */

        ngx_http_prompt_postgres_drop(&task->turn.behind);
        ngx_http_prompt_postgres_drop(&task->lock.behind);

        /* who was told, and reads the result yet, frees it */

        if (task->owner == POSTGRES_OWNER_TOLD) {
            continue;
        }

        task->owner = POSTGRES_OWNER_LEFT;
        ngx_http_prompt_postgres_release(task);
    }
}


ngx_http_prompt_postgres_task_t *
ngx_http_prompt_postgres_query(ngx_http_prompt_postgres_t *pool,
    prompt_query_t *query, ngx_msec_t timeout,
    ngx_http_prompt_postgres_done_pt done, void *data)
{
    ngx_http_prompt_postgres_task_t  *task;

    task = prompt_spare_take(&ngx_http_prompt_postgres_spare,
                             sizeof(ngx_http_prompt_postgres_task_t));
    if (task == NULL) {
        return NULL;
    }

    ngx_memzero(task, sizeof(ngx_http_prompt_postgres_task_t));

    task->pool = pool;
    task->data = data;
    task->done = done;
    task->query = query;
    task->database = pool->database;
    task->statements = query->count;
    task->start = ngx_current_msec;
    task->timeout = timeout != 0 ? timeout : pool->conf->timeout;
    task->log = pool->log;

    if (query->log != NULL) {

        /* its number and level: what the handler would tell of may be gone */

        task->log = *(const ngx_log_t *) query->log;
        task->log.handler = NULL;
        task->log.data = NULL;
    }

    ngx_http_prompt_postgres_queue_task(task);

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, &task->log, 0,
                   "prompt postgres: queued, %ui statements",
                   task->statements);

    if (task->reads && query->budget != 0) {
        task->budget.limit = query->budget;
        task->rows = POSTGRES_ROWS_STORED;
    }

    ngx_http_prompt_timer_init(&task->timer,
                               ngx_http_prompt_postgres_timer_handler, task,
                               &pool->log);

    pool->stats.tasks++;

    /*
     * A short absence is waited out, as a server that restarts or fails over
     * comes back in no time; a long one is answered at once.
     */

    if (pool->up == 0 && (!pool->quits || pool->keep)
        && (ngx_msec_int_t) (ngx_current_msec - pool->down)
           > (ngx_msec_int_t) task->timeout)
    {
        ngx_http_prompt_postgres_fail(task,
                                      NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE);
        return task;
    }

    ngx_http_prompt_postgres_enqueue(task);

    if (pool->quits) {
        ngx_http_prompt_postgres_rest(pool);
    }

    /* what may share a transaction waits for this round of the event loop */

    if (ngx_http_prompt_postgres_joins(task)
        && !ngx_http_prompt_postgres_queue_full(task))
    {
        ngx_post_event(&pool->turn, &ngx_posted_events);

    } else {
        ngx_http_prompt_postgres_dispatch(pool);
    }

    if (task->state < POSTGRES_TASK_SENT
        && ngx_http_prompt_postgres_queue_full(task))
    {
        ngx_http_prompt_postgres_dequeue(task);
        ngx_http_prompt_postgres_fail(task, NGX_HTTP_PROMPT_POSTGRES_BUSY);
    }

    if (task->state != POSTGRES_TASK_ENDING) {
        ngx_add_timer(&task->timer.event, task->timeout);
    }

    return task;
}


static void
ngx_http_prompt_postgres_turn_handler(ngx_event_t *ev)
{
    ngx_http_prompt_postgres_dispatch(ev->data);
}


void
ngx_http_prompt_postgres_detach(ngx_http_prompt_postgres_task_t *task)
{
    ngx_http_prompt_postgres_t  *pool;

    pool = task->pool;
    task->owner = POSTGRES_OWNER_LEFT;

    switch (task->state) {

    case POSTGRES_TASK_QUEUED:
    case POSTGRES_TASK_BLOCKED:

        if (task->query->unconditional) {
            return;
        }

        ngx_http_prompt_postgres_dequeue(task);
        ngx_http_prompt_postgres_unlock(task);
        break;

    case POSTGRES_TASK_SENT:
    case POSTGRES_TASK_LATE:

        /* a worker that quits need not wait for what nobody wants */

        task->timer.event.cancelable = !task->query->unconditional;
        return;

    case POSTGRES_TASK_ENDING:
        ngx_queue_remove(&task->queue);
        break;

    case POSTGRES_TASK_ENDED:
        ngx_http_prompt_postgres_release(task);
        return;
    }

    ngx_http_prompt_postgres_task_become(task, POSTGRES_TASK_ENDED);
    ngx_http_prompt_postgres_release(task);

    /* who stood behind it may be of a class that has room */

    ngx_http_prompt_postgres_dispatch(pool);
}


ngx_int_t
ngx_http_prompt_postgres_withdraw(ngx_http_prompt_postgres_task_t *task)
{
    if (task->state >= POSTGRES_TASK_SENT) {
        return NGX_DECLINED;
    }

    task->query->unconditional = false;
    ngx_http_prompt_postgres_detach(task);

    return NGX_OK;
}


void
ngx_http_prompt_postgres_free(ngx_http_prompt_postgres_task_t *task)
{
    if (task == NULL) {
        return;
    }

    task->owner = POSTGRES_OWNER_LEFT;
    ngx_http_prompt_postgres_release(task);
}


ngx_msec_t
ngx_http_prompt_postgres_timeout(ngx_http_prompt_postgres_t *pool)
{
    return pool->conf->timeout;
}


ngx_msec_t
ngx_http_prompt_postgres_heard(ngx_http_prompt_postgres_t *pool)
{
    return pool->up != 0 ? ngx_current_msec - pool->heard
                         : NGX_HTTP_PROMPT_POSTGRES_NEVER;
}


ngx_uint_t
ngx_http_prompt_postgres_up(ngx_http_prompt_postgres_t *pool)
{
    return pool->up;
}


void
ngx_http_prompt_postgres_stats(ngx_http_prompt_postgres_t *pool,
    ngx_http_prompt_postgres_stats_t *stats)
{
    ngx_uint_t                              i;
    ngx_http_prompt_postgres_connection_t  *pc;

    *stats = pool->stats;
    stats->up = pool->up;
    stats->busy = 0;
    stats->connecting = 0;

    for (i = 0; i < pool->conf->connections; i++) {
        pc = &pool->connections[i];

        stats->busy += (ngx_http_prompt_postgres_is_up(pc)
                        && pc->in_flight != 0);
        stats->connecting += (pc->state == POSTGRES_CONNECTING
                              || pc->state == POSTGRES_CHECKING);
    }

    /* what a worker that quits has not is not missing */

    stats->connections = pool->quits ? stats->up + stats->connecting
                                     : pool->conf->connections;
}


void
ngx_http_prompt_postgres_dispatch(ngx_http_prompt_postgres_t *pool)
{
    ngx_uint_t                              n;
    ngx_http_prompt_postgres_task_t        *task, *tasks[POSTGRES_COMPANY];
    ngx_http_prompt_postgres_connection_t  *pc;

    for ( ;; ) {
        task = ngx_http_prompt_postgres_next(pool, &pc);

        if (task == NULL) {
            return;
        }

        ngx_http_prompt_postgres_dequeue(task);

        if (task->database != pool->database
            || ngx_http_prompt_postgres_is_twofold(task))
        {
            ngx_http_prompt_postgres_fail(task,
                                          NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE);
            continue;
        }

        if (ngx_http_prompt_postgres_limit(task, &task->limit) != NGX_OK) {
            ngx_http_prompt_postgres_fail(task,
                                          NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT);
            continue;
        }

        n = ngx_http_prompt_postgres_batched(pc, task, tasks);

        if (ngx_http_prompt_postgres_send(pc, tasks, n) == NGX_OK) {
            continue;
        }

        /*
         * To another connection, once: it may be the task that cannot
         * be sent.
         */

        while (n-- != 0) {
            if (ngx_http_prompt_postgres_retry(tasks[n]) != NGX_OK) {
                ngx_http_prompt_postgres_fail(tasks[n],
                                         NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE);
            }
        }
    }
}


/*
 * A task that is in no queue, and was not sent: ends it in the next turn of
 * the event loop.
 */
static void
ngx_http_prompt_postgres_fail(ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_status_e status)
{
    ngx_http_prompt_timer_stop(&task->timer);

    ngx_http_prompt_postgres_unlock(task);

    ngx_http_prompt_postgres_task_become(task, POSTGRES_TASK_ENDING);
    task->result.status = status;

    ngx_queue_insert_tail(&task->pool->ending, &task->queue);
    ngx_post_event(&task->timer.event, &ngx_posted_events);
}


void
ngx_http_prompt_postgres_over(ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_status_e status, ngx_uint_t unknown)
{
    ngx_http_prompt_postgres_task_become(task, POSTGRES_TASK_ENDED);
    task->connection = NULL;

    ngx_http_prompt_postgres_unlock(task);

    ngx_http_prompt_timer_stop(&task->timer);

    switch (task->owner) {

    case POSTGRES_OWNER_WAITS:
        ngx_http_prompt_postgres_tell(task, status, unknown);
        return;

    case POSTGRES_OWNER_TOLD:
        ngx_http_prompt_postgres_clear(task);
        return;

    case POSTGRES_OWNER_LEFT:
        ngx_http_prompt_postgres_release(task);
        return;
    }
}


void
ngx_http_prompt_postgres_too_long(ngx_http_prompt_postgres_task_t *task)
{
    /* the timer goes on: the rest must have come until then */

    task->timer.event.cancelable = 1;

    ngx_http_prompt_postgres_give_up(task, NGX_HTTP_PROMPT_POSTGRES_TOO_LONG,
                                     0);
}


/* It is sent, and nobody waits for its results any more. */
static void
ngx_http_prompt_postgres_give_up(ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_status_e status, ngx_uint_t unknown)
{
    ngx_http_prompt_postgres_task_become(task, POSTGRES_TASK_LATE);
    task->connection->late++;

    /* what was read so far is not all; the owner may free task, not us */

    ngx_http_prompt_postgres_clear(task);

    if (task->owner == POSTGRES_OWNER_WAITS) {
        ngx_http_prompt_postgres_tell(task, status, unknown);
    }
}


static void
ngx_http_prompt_postgres_timer_handler(ngx_event_t *ev)
{
    ngx_http_prompt_postgres_t             *pool;
    ngx_http_prompt_postgres_task_t        *task;
    ngx_http_prompt_postgres_status_e       status;
    ngx_http_prompt_postgres_connection_t  *pc;

    task = ngx_http_prompt_timer_owner(ev);
    pool = task->pool;

    switch (task->state) {

    case POSTGRES_TASK_ENDING:
        ngx_queue_remove(&task->queue);
        ngx_http_prompt_postgres_over(task, task->result.status, 0);
        return;

    case POSTGRES_TASK_QUEUED:
    case POSTGRES_TASK_BLOCKED:
        ngx_http_prompt_postgres_dequeue(task);

        status = pool->up ? NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT
                          : NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE;

        ngx_http_prompt_postgres_over(task, status, 0);
        ngx_http_prompt_postgres_dispatch(pool);
        return;

    case POSTGRES_TASK_SENT:
        pc = task->connection;

        ngx_http_prompt_postgres_give_up(task,
                                         NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT,
                                         1);
        ngx_http_prompt_postgres_late(pc);
        return;

    case POSTGRES_TASK_LATE:
        pc = task->connection;

        /* was too long, and is not over yet: no fault of the server */

        ngx_http_prompt_postgres_become(pc, POSTGRES_DRAINING);
        ngx_http_prompt_postgres_late(pc);
        return;

    case POSTGRES_TASK_ENDED:
        return;
    }
}


static void
ngx_http_prompt_postgres_tell(ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_status_e status, ngx_uint_t unknown)
{
    size_t                             count;
    ngx_http_prompt_postgres_stats_t  *stats;

    stats = &task->pool->stats;

    if (ngx_http_prompt_postgres_statuses[status].answered) {
        prompt_histogram_add(&stats->times, ngx_current_msec - task->start);
    }

    count = ngx_http_prompt_postgres_statuses[status].count;

    if (count != 0) {
        (*(uint64_t *) ((u_char *) stats + count))++;
    }

    task->result.status = status;
    task->result.unknown = (unknown != 0);

    ngx_log_debug3(NGX_LOG_DEBUG_HTTP, &task->log, 0,
                   "prompt postgres: %s, %ui rows, %M ms",
                   status == NGX_HTTP_PROMPT_POSTGRES_OK
                   ? "answered" : ngx_http_prompt_postgres_why(&task->result),
                   ngx_http_prompt_postgres_rows_count(&task->result),
                   ngx_current_msec - task->start);

    task->owner = POSTGRES_OWNER_TOLD;
    task->done(task->data, task, &task->result);
}


/*
 * Frees what nobody needs: all of it, or, while its connection waits for
 * results, all but the record.
 */
static void
ngx_http_prompt_postgres_release(ngx_http_prompt_postgres_task_t *task)
{
    ngx_http_prompt_postgres_clear(task);

    if (task->query != NULL) {
        prompt_arena_destroy(task->query->arena);
        task->query = NULL;
    }

    if (task->state == POSTGRES_TASK_SENT
        || task->state == POSTGRES_TASK_LATE)
    {
        return;
    }

    ngx_http_prompt_timer_stop(&task->timer);

    if (task->timer.event.posted) {
        ngx_delete_posted_event(&task->timer.event);
    }

    prompt_spare_give(&ngx_http_prompt_postgres_spare, task);
}


void
ngx_http_prompt_postgres_clear(ngx_http_prompt_postgres_task_t *task)
{
    ngx_http_prompt_postgres_rows_free(task);

    PQclear(task->error);
    task->error = NULL;

    task->result.count = 0;
    task->result.failed = 0;
    task->result.sqlstate[0] = '\0';
    ngx_str_null(&task->result.message);
    ngx_str_null(&task->result.constraint);
}


const char *
ngx_http_prompt_postgres_why(const ngx_http_prompt_postgres_result_t *result)
{
    const char  *why;

    why = ngx_http_prompt_postgres_statuses[result->status].why;

    return why != NULL ? why : result->sqlstate;
}
