/*
 * The PostgreSQL pool of a worker: operations from the moment they are given
 * to the moment they are freed.  Where they wait is in
 * ngx_http_prompt_postgres_queue.c, what a connection does with them in
 * ngx_http_prompt_postgres_connection.c.
 */

#include "io/ngx_http_prompt_postgres_pool.h"


/* how often an operation is done again because of others */
#define POSTGRES_TRIES  4


static void ngx_http_prompt_postgres_fail(ngx_http_prompt_postgres_op_t *op,
    ngx_http_prompt_postgres_status_e status);
static void ngx_http_prompt_postgres_back(ngx_http_prompt_postgres_op_t *op);
static void ngx_http_prompt_postgres_ending(ngx_http_prompt_postgres_op_t *op,
    ngx_http_prompt_postgres_status_e status);
static void ngx_http_prompt_postgres_timer_handler(ngx_event_t *ev);
static void ngx_http_prompt_postgres_tell(ngx_http_prompt_postgres_op_t *op,
    ngx_http_prompt_postgres_status_e status, ngx_uint_t unknown);
static void ngx_http_prompt_postgres_release(
    ngx_http_prompt_postgres_op_t *op);
static void ngx_http_prompt_postgres_clear(ngx_http_prompt_postgres_op_t *op);
static void ngx_http_prompt_postgres_drop(ngx_queue_t *queue);


ngx_http_prompt_postgres_t *
ngx_http_prompt_postgres_create(ngx_cycle_t *cycle,
    ngx_http_prompt_postgres_conf_t *conf,
    const ngx_http_prompt_postgres_check_t *check)
{
    ngx_uint_t                              i;
    ngx_http_prompt_postgres_t             *pool;
    ngx_http_prompt_postgres_connection_t  *pc;

    pool = ngx_calloc(sizeof(ngx_http_prompt_postgres_t), cycle->log);
    if (pool == NULL) {
        return NULL;
    }

    pool->connections = ngx_calloc(conf->connections
                               * sizeof(ngx_http_prompt_postgres_connection_t),
                               cycle->log);
    if (pool->connections == NULL) {
        ngx_free(pool);
        return NULL;
    }

    pool->conf = conf;
    pool->check = check;
    pool->log = *cycle->log;
    pool->down = ngx_current_msec;

    ngx_http_prompt_postgres_queue_init(pool);
    ngx_queue_init(&pool->ending);

    for (i = 0; i < conf->connections; i++) {
        pc = &pool->connections[i];

        pc->pool = pool;
        ngx_queue_init(&pc->ops);

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
        ngx_http_prompt_postgres_drop(&pool->connections[i].ops);
    }

    for (i = 0; i < POSTGRES_CLASSES; i++) {
        ngx_http_prompt_postgres_drop(&pool->waiting[i]);
    }

    ngx_http_prompt_postgres_drop(&pool->ending);

    ngx_free(pool->connections);
    ngx_free(pool);
}


/* Frees all operations of a list, and of lines in it, whoever owns them. */
static void
ngx_http_prompt_postgres_drop(ngx_queue_t *queue)
{
    ngx_queue_t                    *q, *next;
    ngx_http_prompt_postgres_op_t  *op;

    for (q = ngx_queue_head(queue);
         q != ngx_queue_sentinel(queue);
         q = next)
    {
        next = ngx_queue_next(q);
        op = ngx_queue_data(q, ngx_http_prompt_postgres_op_t, queue);

        op->state = POSTGRES_OP_ENDED;

        /* lines are no deeper than two: that of a user, those of rows */

        ngx_http_prompt_postgres_drop(&op->turn.behind);
        ngx_http_prompt_postgres_drop(&op->lock.behind);

        /* who was told, and reads the result yet, frees it */

        if (op->owned && op->done == NULL) {
            continue;
        }

        op->owned = 0;
        ngx_http_prompt_postgres_release(op);
    }
}


ngx_http_prompt_postgres_op_t *
ngx_http_prompt_postgres_query(ngx_http_prompt_postgres_t *pool,
    prompt_query_t *query, ngx_msec_t timeout,
    ngx_http_prompt_postgres_done_pt done, void *data)
{
    ngx_http_prompt_postgres_op_t  *op;

    op = ngx_calloc(sizeof(ngx_http_prompt_postgres_op_t), &pool->log);
    if (op == NULL) {
        return NULL;
    }

    op->pool = pool;
    op->data = data;
    op->done = done;
    op->query = query;
    op->statements = query->count;
    op->start = ngx_current_msec;
    op->timeout = timeout != 0 ? timeout : pool->conf->timeout;
    op->owned = 1;

    ngx_http_prompt_postgres_queue_op(op);

    op->budget.limit = op->reads ? query->budget : 0;

    ngx_http_prompt_timer_init(&op->timer,
                               ngx_http_prompt_postgres_timer_handler, op,
                               &pool->log);

    pool->stats.operations++;

    /*
     * A short absence is waited out, as a server that restarts or fails over
     * comes back in no time; a long one is answered at once.
     */

    if (pool->up == 0
        && (ngx_msec_int_t) (ngx_current_msec - pool->down)
           > (ngx_msec_int_t) op->timeout)
    {
        ngx_http_prompt_postgres_ending(op,
                                        NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE);
        return op;
    }

    ngx_http_prompt_postgres_enqueue(op);
    ngx_http_prompt_postgres_dispatch(pool);

    if (op->state == POSTGRES_OP_QUEUED
        && ngx_http_prompt_postgres_queue_full(op))
    {
        ngx_http_prompt_postgres_dequeue(op);
        ngx_http_prompt_postgres_unlock(op);
        ngx_http_prompt_postgres_ending(op, NGX_HTTP_PROMPT_POSTGRES_BUSY);
    }

    if (op->state != POSTGRES_OP_ENDING) {
        ngx_add_timer(&op->timer.event, op->timeout);
    }

    return op;
}


void
ngx_http_prompt_postgres_detach(ngx_http_prompt_postgres_op_t *op)
{
    ngx_http_prompt_postgres_t  *pool;

    pool = op->pool;
    op->done = NULL;
    op->owned = 0;

    switch (op->state) {

    case POSTGRES_OP_QUEUED:

        if (op->query->unconditional) {
            return;
        }

        ngx_http_prompt_postgres_dequeue(op);
        ngx_http_prompt_postgres_unlock(op);
        break;

    case POSTGRES_OP_SENT:

        /* a worker that quits need not wait for what nobody wants */

        op->timer.event.cancelable = !op->query->unconditional;
        return;

    case POSTGRES_OP_ENDING:
        ngx_queue_remove(&op->queue);
        break;

    case POSTGRES_OP_ENDED:
        break;
    }

    op->state = POSTGRES_OP_ENDED;
    ngx_http_prompt_postgres_release(op);

    /* who stood behind it may be of a class that has room */

    ngx_http_prompt_postgres_dispatch(pool);
}


void
ngx_http_prompt_postgres_free(ngx_http_prompt_postgres_op_t *op)
{
    if (op == NULL) {
        return;
    }

    op->owned = 0;
    ngx_http_prompt_postgres_release(op);
}


ngx_msec_t
ngx_http_prompt_postgres_timeout(ngx_http_prompt_postgres_t *pool)
{
    return pool->conf->timeout;
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
    *stats = pool->stats;
    stats->up = pool->up;
}


void
ngx_http_prompt_postgres_dispatch(ngx_http_prompt_postgres_t *pool)
{
    ngx_uint_t                              n;
    ngx_http_prompt_postgres_op_t          *op, *ops[POSTGRES_COMPANY];
    ngx_http_prompt_postgres_connection_t  *pc;

    for ( ;; ) {
        op = ngx_http_prompt_postgres_next(pool, &pc);

        if (op == NULL) {
            return;
        }

        ngx_http_prompt_postgres_dequeue(op);

        if (ngx_http_prompt_postgres_limit(op, &op->limit) != NGX_OK) {
            ngx_http_prompt_postgres_fail(op,
                                          NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT);
            continue;
        }

        n = ngx_http_prompt_postgres_company(op, ops);

        if (ngx_http_prompt_postgres_send(pc, ops, n) == NGX_OK) {
            continue;
        }

        /*
         * To another connection, once: it may be the operation that cannot
         * be sent.
         */

        while (n-- != 0) {
            if (ngx_http_prompt_postgres_retry(ops[n]) != NGX_OK) {
                ngx_http_prompt_postgres_fail(ops[n],
                                         NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE);
            }
        }
    }
}


/* An operation that is in no queue, and was not sent. */
static void
ngx_http_prompt_postgres_fail(ngx_http_prompt_postgres_op_t *op,
    ngx_http_prompt_postgres_status_e status)
{
    ngx_http_prompt_timer_stop(&op->timer);

    ngx_http_prompt_postgres_unlock(op);
    ngx_http_prompt_postgres_ending(op, status);
}


void
ngx_http_prompt_postgres_wake(ngx_http_prompt_postgres_t *pool)
{
    ngx_uint_t                              i;
    ngx_http_prompt_postgres_connection_t  *pc;

    for (i = 0; i < pool->conf->connections; i++) {
        pc = &pool->connections[i];

        if (pc->state == POSTGRES_WAITING) {
            pc->attempts = 0;

            ngx_http_prompt_timer_stop(&pc->timer);

            ngx_add_timer(&pc->timer.event, (ngx_msec_t) ngx_random() % 50);
        }
    }
}


void
ngx_http_prompt_postgres_over(ngx_http_prompt_postgres_op_t *op,
    ngx_http_prompt_postgres_status_e status, ngx_uint_t unknown)
{
    op->state = POSTGRES_OP_ENDED;
    op->connection = NULL;

    ngx_http_prompt_postgres_unlock(op);

    ngx_http_prompt_timer_stop(&op->timer);

    if (op->done != NULL) {
        ngx_http_prompt_postgres_tell(op, status, unknown);
        return;
    }

    if (!op->owned) {
        ngx_http_prompt_postgres_release(op);
        return;
    }

    /* the owner was told that time is over, and has not freed it yet */

    ngx_http_prompt_postgres_clear(op);
}


ngx_int_t
ngx_http_prompt_postgres_retry(ngx_http_prompt_postgres_op_t *op)
{
    if (op->retried || op->late
        || (op->done == NULL && !op->query->unconditional))
    {
        return NGX_DECLINED;
    }

    op->retried = 1;
    ngx_http_prompt_postgres_back(op);

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_postgres_again(ngx_http_prompt_postgres_op_t *op)
{
    if (op->tries == POSTGRES_TRIES || op->late
        || (op->done == NULL && !op->query->unconditional))
    {
        return NGX_DECLINED;
    }

    op->tries++;

    if (!op->reads && op->class != POSTGRES_LONG) {
        op->class = POSTGRES_ALONE;
    }

    ngx_http_prompt_postgres_back(op);

    return NGX_OK;
}


static void
ngx_http_prompt_postgres_back(ngx_http_prompt_postgres_op_t *op)
{
    ngx_http_prompt_postgres_clear(op);

    op->connection = NULL;
    op->prepares = 0;
    op->step = 0;
    op->preparing = 0;
    op->refused = 0;
    op->joined = 0;
    op->discarded = 0;

    op->pool->stats.retries++;
    ngx_http_prompt_postgres_requeue(op);
}


void
ngx_http_prompt_postgres_too_long(ngx_http_prompt_postgres_op_t *op)
{
    /* the timer goes on: the rest must have come until then */

    op->connection->late++;
    op->late = 1;
    op->timer.event.cancelable = 1;

    ngx_http_prompt_postgres_clear(op);

    if (op->done != NULL) {
        ngx_http_prompt_postgres_tell(op, NGX_HTTP_PROMPT_POSTGRES_TOO_LONG,
                                      0);
    }
}


/* Ends an operation in the next turn of the event loop. */
static void
ngx_http_prompt_postgres_ending(ngx_http_prompt_postgres_op_t *op,
    ngx_http_prompt_postgres_status_e status)
{
    op->state = POSTGRES_OP_ENDING;
    op->result.status = status;

    ngx_queue_insert_tail(&op->pool->ending, &op->queue);
    ngx_post_event(&op->timer.event, &ngx_posted_events);
}


static void
ngx_http_prompt_postgres_timer_handler(ngx_event_t *ev)
{
    ngx_http_prompt_postgres_t             *pool;
    ngx_http_prompt_postgres_op_t          *op;
    ngx_http_prompt_postgres_status_e       status;
    ngx_http_prompt_postgres_connection_t  *pc;

    op = ngx_http_prompt_timer_owner(ev);
    pool = op->pool;

    switch (op->state) {

    case POSTGRES_OP_ENDING:
        ngx_queue_remove(&op->queue);
        ngx_http_prompt_postgres_over(op, op->result.status, 0);
        return;

    case POSTGRES_OP_QUEUED:
        ngx_http_prompt_postgres_dequeue(op);

        status = pool->up ? NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT
                          : NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE;

        ngx_http_prompt_postgres_over(op, status, 0);
        ngx_http_prompt_postgres_dispatch(pool);
        return;

    case POSTGRES_OP_SENT:
        pc = op->connection;

        if (op->late) {

            /* was too long, and is not over yet: no fault of the server */

            pc->stale = 1;
            ngx_http_prompt_postgres_late(pc);
            return;
        }

        pc->late++;
        op->late = 1;

        /* what was read so far is not all; the owner may free op, not us */

        ngx_http_prompt_postgres_clear(op);

        if (op->done != NULL) {
            ngx_http_prompt_postgres_tell(op,
                                      NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT, 1);
        }

        ngx_http_prompt_postgres_late(pc);
        return;

    case POSTGRES_OP_ENDED:
        return;
    }
}


static void
ngx_http_prompt_postgres_tell(ngx_http_prompt_postgres_op_t *op,
    ngx_http_prompt_postgres_status_e status, ngx_uint_t unknown)
{
    ngx_http_prompt_postgres_stats_t  *stats;
    ngx_http_prompt_postgres_done_pt   done;

    stats = &op->pool->stats;

    switch (status) {

    case NGX_HTTP_PROMPT_POSTGRES_OK:
    case NGX_HTTP_PROMPT_POSTGRES_TOO_LONG:
        stats->time += ngx_current_msec - op->start;
        break;

    case NGX_HTTP_PROMPT_POSTGRES_ERROR:
        stats->time += ngx_current_msec - op->start;
        stats->errors++;
        break;

    case NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT:
        stats->timeouts++;
        break;

    case NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE:
        stats->unavailable++;
        break;

    case NGX_HTTP_PROMPT_POSTGRES_BUSY:
        stats->overflows++;
        break;
    }

    op->result.status = status;
    op->result.unknown = (unknown != 0);

    done = op->done;
    op->done = NULL;

    done(op->data, op, &op->result);
}


/*
 * Frees what nobody needs: all of it, or, while its connection waits for
 * results, all but the record.
 */
static void
ngx_http_prompt_postgres_release(ngx_http_prompt_postgres_op_t *op)
{
    ngx_http_prompt_postgres_clear(op);

    if (op->query != NULL) {
        prompt_arena_destroy(op->query->arena);
        op->query = NULL;
    }

    if (op->state == POSTGRES_OP_SENT) {
        return;
    }

    ngx_http_prompt_timer_stop(&op->timer);

    if (op->timer.event.posted) {
        ngx_delete_posted_event(&op->timer.event);
    }

    ngx_free(op);
}


/* Frees the results. */
static void
ngx_http_prompt_postgres_clear(ngx_http_prompt_postgres_op_t *op)
{
    ngx_http_prompt_postgres_rows_free(op);

    PQclear(op->error);
    op->error = NULL;

    op->result.count = 0;
    op->result.failed = 0;
    op->result.sqlstate[0] = '\0';
    ngx_str_null(&op->result.message);
    ngx_str_null(&op->result.constraint);
}
