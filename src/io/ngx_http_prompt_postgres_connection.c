/*
 * One connection to PostgreSQL: libpq in pipeline mode on nginx's event loop.
 *
 * libpq owns the socket and may close it, and open another one of the same
 * number, inside PQconnectPoll().  So while it connects, the socket is taken
 * out of the event loop before each step and put in again afterwards; later
 * it is only ever closed, and then taken out as one that is closed already.
 * README.md has the states and the order of results.
 */

#include <ngx_config.h>
#include <ngx_core.h>
#include <sys/ioctl.h>

#include "io/ngx_http_prompt_postgres_pool.h"
#include "store/scope.h"


#define POSTGRES_RETRY_MIN  50                   /* ms */
#define POSTGRES_RETRY_MAX  1000
#define POSTGRES_TLS_READS  64                   /* in one go */


static ngx_int_t ngx_http_prompt_postgres_start(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_step(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_connected(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_checked(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_ready(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_break(
    ngx_http_prompt_postgres_connection_t *pc, const char *reason);
static ngx_int_t ngx_http_prompt_postgres_watch(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_unwatch(
    ngx_http_prompt_postgres_connection_t *pc, ngx_uint_t flags);
static ngx_int_t ngx_http_prompt_postgres_want(
    ngx_http_prompt_postgres_connection_t *pc, ngx_uint_t read,
    ngx_uint_t write);
static void ngx_http_prompt_postgres_timer_handler(ngx_event_t *ev);
static void ngx_http_prompt_postgres_read_handler(ngx_event_t *rev);
static void ngx_http_prompt_postgres_write_handler(ngx_event_t *wev);
static void ngx_http_prompt_postgres_results_handler(ngx_event_t *ev);
static ngx_int_t ngx_http_prompt_postgres_consume(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_int_t ngx_http_prompt_postgres_flush(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_int_t ngx_http_prompt_postgres_prepare(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_op_t *op);
static ngx_int_t ngx_http_prompt_postgres_execute(
    ngx_http_prompt_postgres_connection_t *pc, const prompt_bound_t *bound);
static void ngx_http_prompt_postgres_drain(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_settle(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_result(
    ngx_http_prompt_postgres_op_t *op, PGresult *res);
static void ngx_http_prompt_postgres_failed(
    ngx_http_prompt_postgres_op_t *op, PGresult *res);
static void ngx_http_prompt_postgres_synced(
    ngx_http_prompt_postgres_connection_t *pc);
static prompt_str_t ngx_http_prompt_postgres_cell(const prompt_rows_t *rows,
    unsigned row, unsigned column);
static void ngx_http_prompt_postgres_notice(void *data, const char *message);


#define ngx_http_prompt_postgres_is_prepared(pc, id)                         \
    ((id) < NGX_HTTP_PROMPT_POSTGRES_MAX_STATEMENTS                          \
     && ((pc)->prepared[(id) / 8] & (1 << (id) % 8)))


void
ngx_http_prompt_postgres_connect(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_http_prompt_postgres_t  *pool;

    pool = pc->pool;

    pc->fd = (ngx_socket_t) -1;
    pc->broken = 0;
    pc->stale = 0;
    ngx_memzero(pc->prepared, sizeof(pc->prepared));

    pc->timer.handler = ngx_http_prompt_postgres_timer_handler;
    pc->timer.data = pc;
    pc->timer.log = &pool->log;
    pc->timer.cancelable = 1;

    pc->results.handler = ngx_http_prompt_postgres_results_handler;
    pc->results.data = pc;
    pc->results.log = &pool->log;

    pc->state = POSTGRES_CONNECTING;
    ngx_add_timer(&pc->timer, pool->conf->connect_timeout);

    if (ngx_http_prompt_postgres_start(pc) != NGX_OK) {
        ngx_http_prompt_postgres_break(pc, "cannot connect");
    }
}


/*
 * The hosts are given beginning with another one after a time-out: libpq
 * itself goes on to the next host only where one refuses.
 */
static ngx_int_t
ngx_http_prompt_postgres_start(ngx_http_prompt_postgres_connection_t *pc)
{
    u_char                            *lists, *p[3];
    size_t                             len;
    ngx_uint_t                         i, n;
    const char                       **keys, **values;
    ngx_keyval_t                      *kv;
    ngx_http_prompt_postgres_conf_t   *conf;
    ngx_http_prompt_postgres_host_t   *host;

    conf = pc->pool->conf;
    n = conf->options.nelts;
    len = 1;

    for (i = 0; i < conf->nhosts; i++) {
        host = &conf->hosts[i];
        len += ngx_strlen(host->host) + ngx_strlen(host->hostaddr)
               + ngx_strlen(host->port) + 3;
    }

    /* the two arrays, each with three lists and a NULL, and the lists */

    keys = ngx_alloc(2 * (n + 4) * sizeof(char *) + 3 * len, &pc->pool->log);
    if (keys == NULL) {
        return NGX_ERROR;
    }

    values = keys + n + 4;
    lists = (u_char *) (values + n + 4);

    for (i = 0; i < 3; i++) {
        p[i] = lists + i * len;
        values[i] = (const char *) p[i];
    }

    for (i = 0; i < conf->nhosts; i++) {
        host = &conf->hosts[(pc->host + i) % conf->nhosts];

        p[0] = ngx_sprintf(p[0], "%s%s", i != 0 ? "," : "", host->host);
        p[1] = ngx_sprintf(p[1], "%s%s", i != 0 ? "," : "", host->hostaddr);
        p[2] = ngx_sprintf(p[2], "%s%s", i != 0 ? "," : "", host->port);
    }

    *p[0] = '\0';
    *p[1] = '\0';
    *p[2] = '\0';

    keys[0] = "host";
    keys[1] = "hostaddr";
    keys[2] = "port";

    kv = conf->options.elts;

    for (i = 0; i < n; i++) {
        keys[i + 3] = (const char *) kv[i].key.data;
        values[i + 3] = (const char *) kv[i].value.data;
    }

    keys[n + 3] = NULL;
    values[n + 3] = NULL;

    pc->pg = PQconnectStartParams(keys, values, 0);

    ngx_free(keys);

    if (pc->pg == NULL || PQstatus(pc->pg) == CONNECTION_BAD) {
        return NGX_ERROR;
    }

    (void) PQsetNoticeProcessor(pc->pg, ngx_http_prompt_postgres_notice,
                                pc->pool);

    if (ngx_http_prompt_postgres_watch(pc) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_http_prompt_postgres_want(pc, 0, 1);
}


/* The next step of connecting. */
static void
ngx_http_prompt_postgres_step(ngx_http_prompt_postgres_connection_t *pc)
{
    PostgresPollingStatusType  rc;

    ngx_http_prompt_postgres_unwatch(pc, 0);

    rc = PQconnectPoll(pc->pg);

    if (rc == PGRES_POLLING_FAILED
        || ngx_http_prompt_postgres_watch(pc) != NGX_OK)
    {
        ngx_http_prompt_postgres_break(pc, "cannot connect");
        return;
    }

    if (rc == PGRES_POLLING_OK) {
        ngx_http_prompt_postgres_connected(pc);
        return;
    }

    if (ngx_http_prompt_postgres_want(pc, rc == PGRES_POLLING_READING,
                                      rc == PGRES_POLLING_WRITING)
        != NGX_OK)
    {
        ngx_http_prompt_postgres_break(pc, "event failed");
    }
}


static void
ngx_http_prompt_postgres_connected(ngx_http_prompt_postgres_connection_t *pc)
{
    const ngx_http_prompt_postgres_check_t  *check;

    if (PQsetnonblocking(pc->pg, 1) != 0 || PQenterPipelineMode(pc->pg) != 1) {
        ngx_http_prompt_postgres_break(pc, "no pipeline mode");
        return;
    }

    if (ngx_http_prompt_postgres_want(pc, 1, 0) != NGX_OK) {
        ngx_http_prompt_postgres_break(pc, "event failed");
        return;
    }

    check = pc->pool->check;

    if (check == NULL) {
        ngx_http_prompt_postgres_ready(pc);
        return;
    }

    pc->state = POSTGRES_CHECKING;

    if (PQsendQueryParams(pc->pg, check->statement->sql, 0, NULL, NULL, NULL,
                          NULL, 1)
            != 1
        || PQpipelineSync(pc->pg) != 1
        || ngx_http_prompt_postgres_flush(pc) != NGX_OK)
    {
        ngx_http_prompt_postgres_break(pc, "connection closed");
    }
}


/* The answer to the check is there. */
static void
ngx_http_prompt_postgres_checked(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_int_t                                rc;
    PGresult                                *res;
    const char                              *sqlstate;
    prompt_rows_t                            rows;
    const ngx_http_prompt_postgres_check_t  *check;

    res = pc->verdict;
    pc->verdict = NULL;

    check = pc->pool->check;

    if (PQresultStatus(res) == PGRES_TUPLES_OK) {
        rows.result = res;
        rows.count = PQntuples(res);
        rows.cell = ngx_http_prompt_postgres_cell;

        rc = check->verdict(check->data, &rows, "");

    } else {
        sqlstate = PQresultErrorField(res, PG_DIAG_SQLSTATE);

        rc = check->verdict(check->data, NULL,
                            sqlstate != NULL ? sqlstate : "");
    }

    PQclear(res);

    if (rc != NGX_OK) {
        ngx_http_prompt_postgres_break(pc, "not usable");
        return;
    }

    ngx_http_prompt_postgres_ready(pc);
}


static void
ngx_http_prompt_postgres_ready(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_http_prompt_postgres_t  *pool;

    pool = pc->pool;

    ngx_del_timer(&pc->timer);

    pc->state = POSTGRES_READY;
    pc->attempts = 0;
    pool->stats.connects++;

    if (pool->up++ == 0) {
        if (pool->stats.failures != 0) {
            ngx_log_error(NGX_LOG_NOTICE, &pool->log, 0,
                          "postgresql: connected again");
        }

        ngx_http_prompt_postgres_wake(pool);
    }

    ngx_http_prompt_postgres_dispatch(pool);
}


/*
 * The connection is of no use any more: ends what is in flight and tries
 * again later.  reason is for the log.
 */
static void
ngx_http_prompt_postgres_break(ngx_http_prompt_postgres_connection_t *pc,
    const char *reason)
{
    ngx_uint_t                      shift, level, loud;
    ngx_msec_t                      delay;
    const char                     *message;
    ngx_queue_t                     ops, *q;
    ngx_http_prompt_postgres_t     *pool;
    ngx_http_prompt_postgres_op_t  *op;

    pool = pc->pool;

    /* once loud, then quiet until it was ready again */

    loud = (pc->attempts == 0 && !pc->stale);
    level = loud ? NGX_LOG_ERR : NGX_LOG_INFO;

    message = pc->pg != NULL ? PQerrorMessage(pc->pg) : "";

    ngx_log_error(level, &pool->log, 0, "postgresql: %s%s%*s", reason,
                  *message != '\0' ? ": " : "",
                  ngx_min(strcspn(message, "\n"), 256), message);

    if (pc->state == POSTGRES_READY) {
        if (--pool->up == 0) {
            pool->down = ngx_current_msec;
        }
    }

    ngx_http_prompt_postgres_disconnect(pc);

    if (pc->stale) {
        delay = 0;

    } else {
        shift = ngx_min(pc->attempts, 5);
        delay = ngx_min((ngx_msec_t) POSTGRES_RETRY_MIN << shift,
                        POSTGRES_RETRY_MAX);
        delay = delay / 2 + (ngx_msec_t) ngx_random() % (delay / 2 + 1);

        pc->attempts++;
        pool->stats.failures++;
    }

    ngx_add_timer(&pc->timer, delay);

    pc->in_flight = 0;
    pc->late = 0;

    ngx_queue_init(&ops);

    if (!ngx_queue_empty(&pc->ops)) {
        ngx_queue_add(&ops, &pc->ops);
        ngx_queue_init(&pc->ops);
    }

    while (!ngx_queue_empty(&ops)) {
        q = ngx_queue_head(&ops);
        op = ngx_queue_data(q, ngx_http_prompt_postgres_op_t, queue);

        ngx_queue_remove(&op->queue);
        pool->stats.in_flight--;

        /* whether it was committed, nobody knows */

        ngx_http_prompt_postgres_over(op,
                                      NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE, 1);
    }
}


void
ngx_http_prompt_postgres_disconnect(ngx_http_prompt_postgres_connection_t *pc)
{
    pc->state = POSTGRES_WAITING;

    if (pc->timer.timer_set) {
        ngx_del_timer(&pc->timer);
    }

    if (pc->results.posted) {
        ngx_delete_posted_event(&pc->results);
    }

    PQclear(pc->verdict);
    pc->verdict = NULL;

    ngx_http_prompt_postgres_unwatch(pc, NGX_CLOSE_EVENT);

    if (pc->pg != NULL) {
        PQfinish(pc->pg);
        pc->pg = NULL;
    }
}


static ngx_int_t
ngx_http_prompt_postgres_watch(ngx_http_prompt_postgres_connection_t *pc)
{
    int                fd;
    ngx_connection_t  *c;

    fd = PQsocket(pc->pg);

    if (fd == -1) {
        return NGX_ERROR;
    }

    c = ngx_get_connection(fd, &pc->pool->log);
    if (c == NULL) {
        return NGX_ERROR;
    }

    pc->connection = c;

    c->shared = 1;
    c->data = pc;
    c->log = &pc->pool->log;
    c->read->log = c->log;
    c->write->log = c->log;
    c->read->handler = ngx_http_prompt_postgres_read_handler;
    c->write->handler = ngx_http_prompt_postgres_write_handler;
    c->log_error = NGX_ERROR_ERR;

    return NGX_OK;
}


/* Takes the socket out of the event loop, and leaves it to libpq. */
static void
ngx_http_prompt_postgres_unwatch(ngx_http_prompt_postgres_connection_t *pc,
    ngx_uint_t flags)
{
    ngx_connection_t  *c;

    c = pc->connection;

    if (c == NULL) {
        return;
    }

    pc->connection = NULL;

    if (c->read->active || c->read->disabled) {
        (void) ngx_del_event(c->read, NGX_READ_EVENT, flags);
    }

    if (c->write->active || c->write->disabled) {
        (void) ngx_del_event(c->write, NGX_WRITE_EVENT, flags);
    }

    ngx_close_connection(c);
}


static ngx_int_t
ngx_http_prompt_postgres_want(ngx_http_prompt_postgres_connection_t *pc,
    ngx_uint_t read, ngx_uint_t write)
{
    ngx_event_t  *rev, *wev;

    rev = pc->connection->read;
    wev = pc->connection->write;

    if (read && !rev->active
        && ngx_add_event(rev, NGX_READ_EVENT, NGX_LEVEL_EVENT) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (write && !wev->active) {
        return ngx_add_event(wev, NGX_WRITE_EVENT, NGX_LEVEL_EVENT);
    }

    if (!write && wev->active) {
        return ngx_del_event(wev, NGX_WRITE_EVENT, 0);
    }

    return NGX_OK;
}


static void
ngx_http_prompt_postgres_timer_handler(ngx_event_t *ev)
{
    ngx_http_prompt_postgres_connection_t  *pc;

    pc = ev->data;

    if (pc->state == POSTGRES_WAITING) {
        ngx_http_prompt_postgres_connect(pc);
        return;
    }

    /* the host that did not answer comes last now */

    pc->host = (pc->host + 1) % pc->pool->conf->nhosts;

    ngx_http_prompt_postgres_break(pc, "no answer in time");
}


static void
ngx_http_prompt_postgres_read_handler(ngx_event_t *rev)
{
    ngx_int_t                               rc;
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

    rc = ngx_http_prompt_postgres_consume(pc);

    /* what came before an end is whole */

    ngx_http_prompt_postgres_drain(pc);

    if (rc != NGX_OK) {
        pc->broken = 1;
    }

    ngx_http_prompt_postgres_settle(pc);
}


static void
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
 * Reads what there is.  Under TLS a record can be read in part, and the rest
 * lies in the TLS library, where no event tells of it: libpq asks for 8 KiB
 * at least and a record has 16 KiB at most, so two reads after the socket is
 * empty find nothing left behind.
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

        if (ioctl(PQsocket(pc->pg), FIONREAD, &n) == -1 || n == 0) {
            empty++;

        } else {
            empty = 0;
        }

        if (PQconsumeInput(pc->pg) != 1) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/*
 * Sends what libpq holds back.  Where the socket takes no more, libpq reads
 * from it on this occasion, so the results are looked at without waiting for
 * an event that will not come.
 */
static ngx_int_t
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
    ngx_uint_t      i;
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


/* Posted after a write, which may have read, or failed. */
static void
ngx_http_prompt_postgres_results_handler(ngx_event_t *ev)
{
    ngx_http_prompt_postgres_connection_t  *pc;

    pc = ev->data;

    if (!pc->broken) {
        ngx_http_prompt_postgres_drain(pc);
    }

    ngx_http_prompt_postgres_settle(pc);
}


/* Hands out the results that are whole. */
static void
ngx_http_prompt_postgres_drain(ngx_http_prompt_postgres_connection_t *pc)
{
    PGresult                       *res;
    ngx_uint_t                      sync;
    ngx_http_prompt_postgres_op_t  *op;

    /* results are to come until the Sync of the last operation has come */

    while ((pc->state == POSTGRES_CHECKING || pc->in_flight != 0)
           && !PQisBusy(pc->pg))
    {
        res = PQgetResult(pc->pg);

        if (PQstatus(pc->pg) == CONNECTION_BAD) {
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

        } else {
            ngx_http_prompt_postgres_result(op, res);
        }
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


static prompt_str_t
ngx_http_prompt_postgres_cell(const prompt_rows_t *rows, unsigned row,
    unsigned column)
{
    const PGresult  *res;

    res = rows->result;

    if (PQgetisnull(res, (int) row, (int) column)) {
        return prompt_str_absent;
    }

    return prompt_str_of(PQgetvalue(res, (int) row, (int) column),
                         (size_t) PQgetlength(res, (int) row, (int) column));
}


static void
ngx_http_prompt_postgres_notice(void *data, const char *message)
{
    ngx_http_prompt_postgres_t  *pool;

    /* it may repeat values */

    pool = data;

    ngx_log_debug1(NGX_LOG_DEBUG_EVENT, &pool->log, 0, "postgresql: %s",
                   message);
}
