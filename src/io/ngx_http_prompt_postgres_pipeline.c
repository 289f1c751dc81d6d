/*
 * What goes over a connection to PostgreSQL: operations as pipelines with one
 * Sync each, and their results in the same order.  README.md has the reasons.
 */

#include <ngx_config.h>
#include <ngx_core.h>
#include <sys/ioctl.h>

#include "io/ngx_http_prompt_postgres_pool.h"
#include "store/scope.h"


#define POSTGRES_TLS_READS  64                   /* in one go */

#define ngx_http_prompt_postgres_is_prepared(pc, id)                         \
    ((id) < NGX_HTTP_PROMPT_POSTGRES_MAX_STATEMENTS                          \
     && ((pc)->prepared[(id) / 8] & (1 << (id) % 8)))


static void ngx_http_prompt_postgres_read(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_int_t ngx_http_prompt_postgres_consume(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_int_t ngx_http_prompt_postgres_prepare(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_op_t *op);
static ngx_int_t ngx_http_prompt_postgres_execute(
    ngx_http_prompt_postgres_connection_t *pc, const prompt_bound_t *bound);
static void ngx_http_prompt_postgres_drain(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_uint_t ngx_http_prompt_postgres_has_result(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_uint_t ngx_http_prompt_postgres_is_own_error(const PGresult *res);
static void ngx_http_prompt_postgres_settle(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_result(
    ngx_http_prompt_postgres_op_t *op, PGresult *res);
static void ngx_http_prompt_postgres_failed(
    ngx_http_prompt_postgres_op_t *op, PGresult *res);
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

    if (!pc->broken) {
        ngx_http_prompt_postgres_drain(pc);
    }

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
    ngx_int_t  rc;

    rc = ngx_http_prompt_postgres_consume(pc);

    /* what came before an end is whole */

    ngx_http_prompt_postgres_drain(pc);

    if (rc != NGX_OK) {
        pc->broken = 1;
    }

    ngx_http_prompt_postgres_settle(pc);
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

    for (i = 0; i < POSTGRES_TLS_READS && empty < 2; i++) {

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
 * Sends what libpq holds back.  Where the socket takes no more, libpq reads
 * from it on this occasion, so the results are looked at without waiting for
 * an event that will not come.
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


ngx_uint_t
ngx_http_prompt_postgres_usable(ngx_http_prompt_postgres_connection_t *pc)
{
    return pc->state == POSTGRES_READY
           && !pc->broken
           && !pc->stale
           && pc->late == 0
           && pc->in_flight < NGX_HTTP_PROMPT_POSTGRES_DEPTH;
}


ngx_int_t
ngx_http_prompt_postgres_send(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_op_t *op)
{
    ngx_uint_t       i;
    prompt_query_t  *query;

    query = op->query;

    op->prepares = 0;
    op->step = 0;
    op->synced = 0;

    /*
     * All preparations first: one that stood behind a statement that fails
     * would be skipped with it, and no later operation could rely on it.
     */

    if (ngx_http_prompt_postgres_prepare(pc, op) != NGX_OK) {
        goto failed;
    }

    /*
     * What chooses the snapshot of its transaction must be the first in it,
     * and PostgreSQL takes one to prepare a statement.  Such queries only
     * read, so that preparations may be a transaction of their own.
     */

    if (op->prepares != 0 && prompt_snapshot_first(query)) {

        if (PQpipelineSync(pc->pg) != 1) {
            goto failed;
        }

        op->synced = 1;
    }

    for (i = 0; i < query->count; i++) {
        if (ngx_http_prompt_postgres_execute(pc, &query->bound[i]) != NGX_OK) {
            goto failed;
        }
    }

    op->state = POSTGRES_OP_SENT;
    op->connection = pc;

    ngx_queue_insert_tail(&pc->ops, &op->queue);
    pc->in_flight++;
    pc->durable += op->durable;
    pc->pool->stats.in_flight++;

    /* from here on nobody knows whether it will be done */

    if (PQpipelineSync(pc->pg) != 1
        || ngx_http_prompt_postgres_flush(pc) != NGX_OK)
    {
        pc->broken = 1;
        ngx_post_event(&pc->results, &ngx_posted_events);
    }

    return NGX_OK;

failed:

    /* without its Sync nothing of it is ever committed */

    pc->broken = 1;
    ngx_post_event(&pc->results, &ngx_posted_events);

    return NGX_ERROR;
}


static ngx_int_t
ngx_http_prompt_postgres_prepare(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_op_t *op)
{
    unsigned                   id;
    ngx_uint_t                 i;
    const prompt_statement_t  *st;

    if (!pc->pool->conf->prepare) {
        return NGX_OK;
    }

    for (i = 0; i < op->query->count; i++) {
        st = op->query->bound[i].statement;
        id = st->id;

        if (id >= NGX_HTTP_PROMPT_POSTGRES_MAX_STATEMENTS
            || ngx_http_prompt_postgres_is_prepared(pc, id))
        {
            continue;
        }

        if (PQsendPrepare(pc->pg, st->name, st->sql, (int) st->nparams,
                          (const Oid *) st->types)
            != 1)
        {
            return NGX_ERROR;
        }

        pc->prepared[id / 8] |= 1 << id % 8;
        op->prepares++;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_postgres_execute(ngx_http_prompt_postgres_connection_t *pc,
    const prompt_bound_t *bound)
{
    int                        rc;
    int                        lengths[PROMPT_STORE_MAX_PARAMS];
    int                        formats[PROMPT_STORE_MAX_PARAMS];
    ngx_uint_t                 i;
    const char                *values[PROMPT_STORE_MAX_PARAMS];
    const prompt_statement_t  *st;

    st = bound->statement;

    if (st->nparams > PROMPT_STORE_MAX_PARAMS) {
        return NGX_ERROR;
    }

    for (i = 0; i < st->nparams; i++) {

        if (bound->params[i].len > INT_MAX) {
            return NGX_ERROR;
        }

        values[i] = bound->params[i].data;
        lengths[i] = (int) bound->params[i].len;
        formats[i] = 1;
    }

    if (ngx_http_prompt_postgres_is_prepared(pc, st->id)) {
        rc = PQsendQueryPrepared(pc->pg, st->name, (int) st->nparams, values,
                                 lengths, formats, 1);

    } else {
        rc = PQsendQueryParams(pc->pg, st->sql, (int) st->nparams,
                               (const Oid *) st->types, values, lengths,
                               formats, 1);
    }

    return rc == 1 ? NGX_OK : NGX_ERROR;
}


void
ngx_http_prompt_postgres_late(ngx_http_prompt_postgres_connection_t *pc)
{
    /*
     * Late ones are at the head, or behind one of a longer limit.  While
     * anybody waits for a result the connection is left to drain; then it
     * goes, as PQcancel() would block.
     */

    if (pc->late == pc->in_flight) {
        ngx_http_prompt_postgres_break(pc, "no answer in time");
    }
}


/* Hands out the results that are whole. */
static void
ngx_http_prompt_postgres_drain(ngx_http_prompt_postgres_connection_t *pc)
{
    PGresult                       *res;
    ngx_int_t                       rc;
    ngx_uint_t                      sync;
    ngx_http_prompt_postgres_op_t  *op;

    while (ngx_http_prompt_postgres_has_result(pc)) {
        res = PQgetResult(pc->pg);

        if (PQstatus(pc->pg) == CONNECTION_BAD
            || ngx_http_prompt_postgres_is_own_error(res))
        {
            pc->broken = 1;
            PQclear(res);
            return;
        }

        sync = (res != NULL && PQresultStatus(res) == PGRES_PIPELINE_SYNC);

        if (sync) {
            PQclear(res);
        }

        if (pc->state == POSTGRES_CHECKING) {

            if (sync) {
                ngx_http_prompt_postgres_checked(pc);

            } else if (res != NULL) {
                PQclear(pc->verdict);
                pc->verdict = res;
            }

            continue;
        }

        op = ngx_queue_data(ngx_queue_head(&pc->ops),
                            ngx_http_prompt_postgres_op_t, queue);

        if (sync && op->synced) {
            op->synced = 0;
            continue;
        }

        if (sync) {
            ngx_http_prompt_postgres_synced(pc);
            continue;
        }

        if (res == NULL) {
            op->step++;
            continue;
        }

        rc = op->budget.limit != 0
             ? ngx_http_prompt_postgres_rows_take(pc, op, res) : NGX_DECLINED;

        if (rc == NGX_ERROR) {
            pc->broken = 1;
            return;
        }

        if (rc == NGX_DECLINED) {
            ngx_http_prompt_postgres_result(op, res);
        }
    }
}


static ngx_uint_t
ngx_http_prompt_postgres_has_result(ngx_http_prompt_postgres_connection_t *pc)
{
    /* results are to come until the Sync of the last operation has come */

    if (pc->paused
        || (pc->state != POSTGRES_CHECKING && pc->in_flight == 0))
    {
        return 0;
    }

    ngx_http_prompt_postgres_rows_mode(pc);

    return !PQisBusy(pc->pg);
}


/*
 * An error without SQLSTATE is not the server's: libpq had no memory for a
 * result.  It may have been that of a statement which was done, or a Sync, and
 * those that follow would be taken for another operation's.
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

    if (pc->stale && pc->in_flight == 0) {
        ngx_http_prompt_postgres_break(pc, "connection renewed");
    }
}


/* Takes one result of an operation. */
static void
ngx_http_prompt_postgres_result(ngx_http_prompt_postgres_op_t *op,
    PGresult *res)
{
    ngx_uint_t      i;
    prompt_rows_t  *rows;

    switch (PQresultStatus(res)) {

    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:

        if (op->late || op->step < op->prepares
            || op->step - op->prepares >= op->statements)
        {
            break;
        }

        i = op->step - op->prepares;
        rows = &op->result.rows[i];

        PQclear(rows->result);

        rows->result = res;
        rows->count = PQntuples(res);
        rows->cell = ngx_http_prompt_postgres_cell;

        return;

    case PGRES_PIPELINE_ABORTED:
        break;

    default:

        /* the first one counts; it skips the rest up to the Sync */

        if (op->error == NULL) {
            op->error = res;
            ngx_http_prompt_postgres_failed(op, res);
            return;
        }
    }

    PQclear(res);
}


static void
ngx_http_prompt_postgres_failed(ngx_http_prompt_postgres_op_t *op,
    PGresult *res)
{
    const char                         *s;
    ngx_http_prompt_postgres_result_t  *result;

    result = &op->result;

    s = PQresultErrorField(res, PG_DIAG_SQLSTATE);

    ngx_cpystrn((u_char *) result->sqlstate,
                (u_char *) (s != NULL ? s : "XX000"),
                sizeof(result->sqlstate));

    op->preparing = (op->step < op->prepares);

    if (!op->preparing) {
        result->failed = op->step - op->prepares;

        /* what fails at the Sync, a deferred constraint, is the last one's */

        if (result->failed >= op->statements && op->statements != 0) {
            result->failed = op->statements - 1;
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


/* All results of the oldest operation are there. */
static void
ngx_http_prompt_postgres_synced(ngx_http_prompt_postgres_connection_t *pc)
{
    const char                     *state;
    ngx_uint_t                      lost;
    ngx_queue_t                    *q;
    ngx_http_prompt_postgres_op_t  *op;

    q = ngx_queue_head(&pc->ops);
    op = ngx_queue_data(q, ngx_http_prompt_postgres_op_t, queue);

    ngx_queue_remove(&op->queue);

    pc->in_flight--;
    pc->durable -= op->durable;
    pc->pool->stats.in_flight--;

    if (op->late) {
        pc->late--;
    }

    if (op->error == NULL) {
        op->result.count = op->statements;
        ngx_http_prompt_postgres_over(op, NGX_HTTP_PROMPT_POSTGRES_OK, 0);
        ngx_http_prompt_postgres_dispatch(pc->pool);
        return;
    }

    /*
     * Not the fault of the operation: a prepared statement that is not there
     * (a pooler gave us another server), is there already, or is out of date
     * after a migration; or a server that turned read-only, as after a
     * switchover.  Nothing was done, so it is tried again on a connection
     * made afresh.
     */

    state = op->result.sqlstate;

    lost = op->preparing
           || ngx_strcmp(state, "26000") == 0
           || ngx_strcmp(state, "42P05") == 0
           || ngx_strcmp(state, "25006") == 0
           || (ngx_strcmp(state, "0A000") == 0 && pc->pool->conf->prepare);

    if (lost) {
        pc->stale = 1;

        if (ngx_http_prompt_postgres_retry(op) == NGX_OK) {
            ngx_http_prompt_postgres_dispatch(pc->pool);
            return;
        }
    }

    ngx_http_prompt_postgres_over(op, NGX_HTTP_PROMPT_POSTGRES_ERROR, 0);
    ngx_http_prompt_postgres_dispatch(pc->pool);
}
