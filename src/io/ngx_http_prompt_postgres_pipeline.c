/*
 * What comes over a connection to PostgreSQL: the results of tasks, in
 * the order in which they were sent.  README.md has the reasons.
 */

#include <ngx_config.h>
#include <ngx_core.h>
#include <sys/ioctl.h>

#include "io/ngx_http_prompt_postgres_impl.h"


#define POSTGRES_TLS_READS  64                   /* in one go */


static void ngx_http_prompt_postgres_read(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_int_t ngx_http_prompt_postgres_consume(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_give(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task);
static void ngx_http_prompt_postgres_drain(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_got_sync(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_int_t ngx_http_prompt_postgres_got_result(
    ngx_http_prompt_postgres_connection_t *pc, PGresult *res);
static ngx_uint_t ngx_http_prompt_postgres_has_result(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_http_prompt_postgres_task_t *ngx_http_prompt_postgres_current(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_uint_t ngx_http_prompt_postgres_is_own_error(const PGresult *res);
static void ngx_http_prompt_postgres_settle(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_result(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task, PGresult *res);
static void ngx_http_prompt_postgres_failed(
    ngx_http_prompt_postgres_task_t *task, PGresult *res);
static void ngx_http_prompt_postgres_synced(
    ngx_http_prompt_postgres_connection_t *pc);


void
ngx_http_prompt_postgres_read_handler(ngx_event_t *rev)
{
    ngx_connection_t                       *c;
    ngx_http_prompt_postgres_connection_t  *pc;

    /*
     * c->close, set when worker_shutdown_timeout has passed, is not looked
     * at: what is in flight ends by its timers, and the connection in
     * exit_process.
     */

    c = rev->data;
    pc = c->data;

    if (pc->state == POSTGRES_CONNECTING) {
        ngx_http_prompt_postgres_step(pc);
        return;
    }

    /* what was read before comes first, in the event that is posted */

    if (!pc->paused) {
        pc->turn_rows = 0;
        pc->turn_bytes = 0;

        ngx_http_prompt_postgres_read(pc);
    }
}


void
ngx_http_prompt_postgres_write_handler(ngx_event_t *wev)
{
    ngx_connection_t                       *c;
    ngx_http_prompt_postgres_connection_t  *pc;

    c = wev->data;
    pc = c->data;

    if (pc->state == POSTGRES_CONNECTING) {
        ngx_http_prompt_postgres_step(pc);
        return;
    }

    if (ngx_http_prompt_postgres_flush(pc) != NGX_OK) {
        ngx_http_prompt_postgres_break(pc, "connection closed");
    }
}


/*
 * Posted after a write, which may have read, or failed; and where results were
 * left to this turn.
 */
void
ngx_http_prompt_postgres_results_handler(ngx_event_t *ev)
{
    ngx_uint_t                              paused;
    ngx_http_prompt_postgres_connection_t  *pc;

    pc = ev->data;

    paused = pc->paused;
    pc->paused = 0;
    pc->turn_rows = 0;
    pc->turn_bytes = 0;

    /* where it cannot be written to, there may be answers to read yet */

    if (pc->broken) {
        (void) ngx_http_prompt_postgres_consume(pc);
    }

    ngx_http_prompt_postgres_drain(pc);

    if (paused && !pc->paused && !pc->broken && pc->pg != NULL) {
        ngx_http_prompt_postgres_read(pc);
        return;
    }

    ngx_http_prompt_postgres_settle(pc);
}


void
ngx_http_prompt_postgres_pause(ngx_http_prompt_postgres_connection_t *pc)
{
    pc->paused = 1;
    ngx_post_event(&pc->results, &ngx_posted_next_events);
}


static void
ngx_http_prompt_postgres_read(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_http_prompt_postgres_t  *pool;

    pool = pc->pool;

    /*
     * What came before an end is whole; but what waits goes elsewhere, also
     * where a result makes room for it.
     */

    pc->reading = (PQsslInUse(pc->pg) != 0);

    if (ngx_http_prompt_postgres_consume(pc) != NGX_OK) {
        pc->broken = 1;
    }

    ngx_http_prompt_postgres_drain(pc);

    pc->reading = 0;

    ngx_http_prompt_postgres_settle(pc);
    ngx_http_prompt_postgres_dispatch(pool);
}


/*
 * Reads what there is.  Under TLS a record can be read in part, and the rest
 * lies in the TLS library, where no event tells of it: libpq asks for 8 KiB
 * at least and a record has 16 KiB at most, so two reads after the socket is
 * empty find nothing left behind.  In between results are handed out, so that
 * they do not pile up in libpq.
 */
static ngx_int_t
ngx_http_prompt_postgres_consume(ngx_http_prompt_postgres_connection_t *pc)
{
    int         n;
    ngx_uint_t  i, empty;

    if (PQconsumeInput(pc->pg) != 1) {
        return NGX_ERROR;
    }

    if (!PQsslInUse(pc->pg)) {
        return NGX_OK;
    }

    empty = 0;

    for (i = 0; i < POSTGRES_TLS_READS; i++) {

        if (empty == 2) {
            return NGX_OK;
        }

        /*
         * At the end of the connection libpq forgets what it has to expect:
         * what is whole is taken before that is read.
         */

        ngx_http_prompt_postgres_drain(pc);

        if (pc->paused || pc->broken || pc->pg == NULL) {
            return NGX_OK;
        }

        if (ioctl(PQsocket(pc->pg), FIONREAD, &n) == -1 || n == 0) {
            empty++;

        } else {
            empty = 0;
        }

        if (PQconsumeInput(pc->pg) != 1) {
            return NGX_ERROR;
        }
    }

    if (empty < 2) {
        ngx_http_prompt_postgres_pause(pc);
    }

    return NGX_OK;
}


/*
 * Where the socket takes no more, libpq reads from it on this occasion, so the
 * results are looked at without waiting for an event that will not come.
 */
ngx_int_t
ngx_http_prompt_postgres_flush(ngx_http_prompt_postgres_connection_t *pc)
{
    int  rc;

    rc = PQflush(pc->pg);

    if (rc < 0) {
        return NGX_ERROR;
    }

    ngx_post_event(&pc->results, &ngx_posted_events);

    return ngx_http_prompt_postgres_want(pc, 1, rc == 1);
}


/* Its results are there: it is in no list any more. */
static void
ngx_http_prompt_postgres_give(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task)
{
    ngx_queue_remove(&task->queue);
    pc->in_flight--;
    pc->held -= (task->class != POSTGRES_READS);
    pc->longs -= (task->class == POSTGRES_LONG);
    pc->pool->longs -= (task->class == POSTGRES_LONG);
    pc->pool->stats.in_flight--;
    pc->late -= (task->state == POSTGRES_TASK_LATE);
}


/* Hands out the results that are whole. */
static void
ngx_http_prompt_postgres_drain(ngx_http_prompt_postgres_connection_t *pc)
{
    PGresult    *res;
    ngx_uint_t   null;

    null = 0;

    while (ngx_http_prompt_postgres_has_result(pc)) {
        res = PQgetResult(pc->pg);

        /*
         * A connection that has ended gives what it has whole, and then an
         * error of libpq's own; each NULL ends the results of a statement.
         */

        if (ngx_http_prompt_postgres_is_own_error(res)
            || (res == NULL && null && PQstatus(pc->pg) == CONNECTION_BAD))
        {
            pc->broken = 1;
            PQclear(res);
            return;
        }

        null = (res == NULL);

        if (PQresultStatus(res) == PGRES_PIPELINE_SYNC) {
            PQclear(res);
            ngx_http_prompt_postgres_got_sync(pc);

        } else if (ngx_http_prompt_postgres_got_result(pc, res) != NGX_OK) {
            pc->broken = 1;
            return;
        }
    }
}


/* A Sync: the check's, that of preparations, or a transaction's. */
static void
ngx_http_prompt_postgres_got_sync(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_http_prompt_postgres_task_t  *task;

    if (pc->state == POSTGRES_CHECKING) {
        ngx_http_prompt_postgres_checked(pc);
        return;
    }

    task = ngx_http_prompt_postgres_current(pc);
    pc->pool->heard = ngx_current_msec;

    if (task->synced) {
        task->synced = 0;
        return;
    }

    ngx_http_prompt_postgres_synced(pc);
}


/*
 * A result of the check or of a statement, which is over where it is NULL.
 * NGX_ERROR: there is no memory for it, the connection is to be broken.
 */
static ngx_int_t
ngx_http_prompt_postgres_got_result(ngx_http_prompt_postgres_connection_t *pc,
    PGresult *res)
{
    ngx_int_t                         rc;
    ngx_http_prompt_postgres_task_t  *task;

    if (pc->state == POSTGRES_CHECKING) {
        ngx_http_prompt_postgres_got_check(pc, res);
        return NGX_OK;
    }

    task = ngx_http_prompt_postgres_current(pc);

    if (res == NULL) {
        task->step++;
        return NGX_OK;
    }

    if (ngx_http_prompt_postgres_got_position(task, res) == NGX_OK) {
        return NGX_OK;
    }

    if (task->rows == POSTGRES_ROWS_STORED) {
        rc = ngx_http_prompt_postgres_rows_take(pc, task, res);

        if (rc != NGX_DECLINED) {
            return rc;
        }
    }

    ngx_http_prompt_postgres_result(pc, task, res);

    return NGX_OK;
}


static ngx_uint_t
ngx_http_prompt_postgres_has_result(ngx_http_prompt_postgres_connection_t *pc)
{
    /* results are to come until the Sync of the last task has come */

    if (pc->paused
        || (pc->state != POSTGRES_CHECKING && pc->in_flight == 0))
    {
        return 0;
    }

    ngx_http_prompt_postgres_rows_mode(pc);

    return !PQisBusy(pc->pg);
}


/* Whose results are to come. */
static ngx_http_prompt_postgres_task_t *
ngx_http_prompt_postgres_current(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_queue_t                      *q;
    ngx_http_prompt_postgres_task_t  *task;

    q = ngx_queue_head(&pc->tasks);

    for ( ;; ) {
        task = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);

        if (!task->joined || task->step < task->prepares + task->results) {
            return task;
        }

        q = ngx_queue_next(q);
    }
}


/*
 * An error without SQLSTATE is not the server's: libpq had no memory for a
 * result.  It may have been that of a statement which was done, or a Sync, and
 * those that follow would be taken for another task's.
 */
static ngx_uint_t
ngx_http_prompt_postgres_is_own_error(const PGresult *res)
{
    switch (PQresultStatus(res)) {

    case PGRES_FATAL_ERROR:
    case PGRES_BAD_RESPONSE:
        return res != NULL
               && PQresultErrorField(res, PG_DIAG_SQLSTATE) == NULL;

    default:
        return 0;
    }
}


/* Lets a connection go that is broken, or stale and drained. */
static void
ngx_http_prompt_postgres_settle(ngx_http_prompt_postgres_connection_t *pc)
{
    if (pc->state == POSTGRES_WAITING) {
        return;
    }

    if (pc->broken) {
        ngx_http_prompt_postgres_break(pc, "connection closed");
        return;
    }

    if (pc->state == POSTGRES_DRAINING && pc->in_flight == 0) {
        ngx_http_prompt_postgres_break(pc, "connection renewed");
    }
}


/* Takes one result of a task. */
static void
ngx_http_prompt_postgres_result(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task, PGresult *res)
{
    prompt_rows_t  *rows;

    switch (PQresultStatus(res)) {

    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:

        if (task->many != NULL && task->step == task->prepares) {
            ngx_http_prompt_postgres_share(pc, task, res);
            return;
        }

        rows = ngx_http_prompt_postgres_rows_now(task);

        if (task->state == POSTGRES_TASK_LATE || rows == NULL) {
            break;
        }

        PQclear(rows->result);

        rows->result = res;
        rows->count = PQntuples(res);
        rows->cell = ngx_http_prompt_postgres_cell;

        return;

    case PGRES_PIPELINE_ABORTED:
        break;

    default:

        /* the first one counts; it skips the rest up to the Sync */

        if (task->outcome == POSTGRES_OUTCOME_OPEN) {
            task->outcome = task->step < task->prepares
                            ? POSTGRES_OUTCOME_UNPREPARED
                            : POSTGRES_OUTCOME_REFUSED;
        }

        if (task->error == NULL) {
            task->error = res;
            ngx_http_prompt_postgres_failed(task, res);
            return;
        }
    }

    PQclear(res);
}


static void
ngx_http_prompt_postgres_failed(ngx_http_prompt_postgres_task_t *task,
    PGresult *res)
{
    const char                         *s;
    ngx_http_prompt_postgres_result_t  *result;

    result = &task->result;

    s = PQresultErrorField(res, PG_DIAG_SQLSTATE);

    ngx_cpystrn((u_char *) result->sqlstate,
                (u_char *) (s != NULL ? s : "XX000"),
                sizeof(result->sqlstate));

    if (task->step >= task->prepares) {
        result->failed = task->step - task->prepares;

        /* what fails at the Sync, a deferred constraint, is the last one's */

        if (result->failed >= task->statements && task->statements != 0) {
            result->failed = task->statements - 1;
        }
    }

    s = PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY);

    if (s != NULL) {
        result->message.data = (u_char *) s;
        result->message.len = ngx_strlen(s);
    }

    s = PQresultErrorField(res, PG_DIAG_CONSTRAINT_NAME);

    if (s != NULL) {
        result->constraint.data = (u_char *) s;
        result->constraint.len = ngx_strlen(s);
    }
}


/* All results of the oldest transaction are there. */
static void
ngx_http_prompt_postgres_synced(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_uint_t                        i, n;
    ngx_queue_t                      *q;
    prompt_position_t                 position;
    ngx_http_prompt_postgres_task_t  *task, *failed, *tasks[POSTGRES_COMPANY];

    failed = NULL;
    n = 0;
    q = ngx_queue_head(&pc->tasks);

    do {
        task = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);
        q = ngx_queue_next(q);

        ngx_http_prompt_postgres_took(task);
        ngx_http_prompt_postgres_give(pc, task);
        tasks[n++] = task;

        if (failed == NULL && task->outcome != POSTGRES_OUTCOME_OPEN) {
            failed = task;
        }

    } while (task->joined && n < POSTGRES_COMPANY);

    if (failed != NULL) {
        n = ngx_http_prompt_postgres_undone(pc, tasks, n, failed);
    }

    /* the first one asked for all */

    position = tasks[0]->result.position;

    /* the next one is on its way while the owners are told */

    for (i = 0; i < n; i++) {
        ngx_http_prompt_postgres_unlock(tasks[i]);
    }

    ngx_http_prompt_postgres_dispatch(pc->pool);

    for (i = 0; i < n; i++) {
        task = tasks[i];

        if (failed == NULL) {
            task->result.count = task->statements;
            task->result.position = position;
            ngx_http_prompt_postgres_over(task, NGX_HTTP_PROMPT_POSTGRES_OK, 0);
            continue;
        }

        ngx_http_prompt_postgres_over(task,
                                      task->error != NULL
                                      ? NGX_HTTP_PROMPT_POSTGRES_ERROR
                                      : NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE,
                                      0);
    }
}
