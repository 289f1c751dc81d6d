/*
 * One connection to PostgreSQL, from the first attempt to its end.  What goes
 * over it while it lives is in ngx_http_prompt_postgres_pipeline.c.
 *
 * libpq owns the socket and may close it, and open another one of the same
 * number, inside PQconnectPoll().  So while it connects, the socket is taken
 * out of the event loop before each step and put in again afterwards; later
 * it is only ever closed, and then taken out as one that is closed already.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "io/ngx_http_prompt_postgres_pool.h"


#define POSTGRES_RETRY_MIN  50                   /* ms */
#define POSTGRES_RETRY_MAX  1000

/* renewals that are further apart are not in a row */
#define POSTGRES_CALM       10000                /* ms */


static ngx_int_t ngx_http_prompt_postgres_start(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_connected(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_ready(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_int_t ngx_http_prompt_postgres_watch(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_unwatch(
    ngx_http_prompt_postgres_connection_t *pc, ngx_uint_t flags);
static void ngx_http_prompt_postgres_timer_handler(ngx_event_t *ev);
static void ngx_http_prompt_postgres_recover(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_uint_t ngx_http_prompt_postgres_rolled_back(
    const ngx_http_prompt_postgres_op_t *op);
static ngx_uint_t ngx_http_prompt_postgres_was_ended(
    const ngx_http_prompt_postgres_connection_t *pc);
static ngx_uint_t ngx_http_prompt_postgres_is_refused(
    ngx_http_prompt_postgres_connection_t *pc, const char *message);
static ngx_msec_t ngx_http_prompt_postgres_delay(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_notice(void *data, const char *message);


void
ngx_http_prompt_postgres_connect(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_http_prompt_postgres_t  *pool;

    pool = pc->pool;

    pc->broken = 0;
    pc->reading = 0;
    pc->stale = 0;
    pc->settings = !pool->plain;
    pc->paused = 0;
    ngx_memzero(pc->prepared, sizeof(pc->prepared));

    ngx_http_prompt_timer_init(&pc->timer,
                               ngx_http_prompt_postgres_timer_handler, pc,
                               &pool->log);
    pc->timer.event.cancelable = 1;

    pc->results.handler = ngx_http_prompt_postgres_results_handler;
    pc->results.data = pc;
    pc->results.log = &pool->log;

    pc->state = POSTGRES_CONNECTING;
    ngx_add_timer(&pc->timer.event, pool->conf->connect_timeout);

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

    /*
     * the two arrays, each with three lists, the settings and a NULL, and the
     * lists
     */

    keys = ngx_alloc(2 * (n + 5) * sizeof(char *) + 3 * len, &pc->pool->log);
    if (keys == NULL) {
        return NGX_ERROR;
    }

    values = keys + n + 5;
    lists = (u_char *) (values + n + 5);

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

    keys[n + 3] = "options";
    values[n + 3] = pc->settings ? conf->settings : conf->own_options;

    keys[n + 4] = NULL;
    values[n + 4] = NULL;

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
void
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
void
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

    ngx_http_prompt_timer_stop(&pc->timer);

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
void
ngx_http_prompt_postgres_break(ngx_http_prompt_postgres_connection_t *pc,
    const char *reason)
{
    ngx_uint_t                   refused, level;
    const char                  *message;
    ngx_http_prompt_postgres_t  *pool;

    pool = pc->pool;
    message = pc->pg != NULL ? PQerrorMessage(pc->pg) : "";

    refused = ngx_http_prompt_postgres_is_refused(pc, message);

    /* once loud, then quiet until it was ready again */

    level = NGX_LOG_INFO;

    if (pc->attempts == 0 && !pc->stale && !refused) {
        level = NGX_LOG_ERR;
    }

    if (!pc->stale || pc->renewals == 1) {
        ngx_log_error(level, &pool->log, 0, "postgresql: %s%s%*s", reason,
                      *message != '\0' ? ": " : "",
                      ngx_min(strcspn(message, "\n"), 256), message);
    }

    if (refused && !pool->plain) {
        pool->plain = 1;

        ngx_log_error(NGX_LOG_NOTICE, &pool->log, 0,
                      "postgresql: a pooler refuses the settings of the "
                      "connection: set them for the role, with \"promptctl "
                      "migrate --grant\"");
    }

    if (pc->state == POSTGRES_READY) {
        if (--pool->up == 0) {
            pool->down = ngx_current_msec;
        }
    }

    ngx_http_prompt_postgres_disconnect(pc);

    ngx_add_timer(&pc->timer.event,
                  refused ? 0 : ngx_http_prompt_postgres_delay(pc));

    pool->stats.in_flight -= pc->in_flight;
    pool->longs -= pc->longs;

    pc->in_flight = 0;
    pc->held = 0;
    pc->longs = 0;
    pc->late = 0;

    ngx_http_prompt_postgres_recover(pc);
    ngx_http_prompt_postgres_dispatch(pool);
}


/*
 * Takes what it had in flight, in order: what was not done is sent again, the
 * owners of the rest are told.
 */
static void
ngx_http_prompt_postgres_recover(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_int_t                       rc;
    ngx_uint_t                      failed, ended;
    ngx_queue_t                     ops, *q, *prev;
    ngx_http_prompt_postgres_op_t  *op;

    ngx_queue_init(&ops);
    ended = ngx_http_prompt_postgres_was_ended(pc);

    if (!ngx_queue_empty(&pc->ops)) {
        ngx_queue_add(&ops, &pc->ops);
        ngx_queue_init(&pc->ops);
    }

    /*
     * From the last to the first, as each goes to the head of its queue.
     * After an error there was no commit, whatever else got lost.
     */

    failed = 0;

    for (q = ngx_queue_last(&ops); q != ngx_queue_sentinel(&ops); q = prev) {
        prev = ngx_queue_prev(q);
        op = ngx_queue_data(q, ngx_http_prompt_postgres_op_t, queue);

        failed = ngx_http_prompt_postgres_rolled_back(op)
                 || (failed && op->joined);
        op->undone = failed;

        if (!op->reads && !failed) {
            continue;
        }

        ngx_queue_remove(&op->queue);

        rc = ended ? ngx_http_prompt_postgres_again(op)
                   : ngx_http_prompt_postgres_retry(op);

        if (rc != NGX_OK) {
            ngx_queue_insert_after(prev, &op->queue);
        }
    }

    while (!ngx_queue_empty(&ops)) {
        q = ngx_queue_head(&ops);
        op = ngx_queue_data(q, ngx_http_prompt_postgres_op_t, queue);

        ngx_queue_remove(&op->queue);

        /* without an error, nobody knows whether it was committed */

        ngx_http_prompt_postgres_over(op,
                                      NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE,
                                      !op->undone);
    }
}


/*
 * Whether PostgreSQL said so.  An error of the connection (class 08) is that
 * of a pooler, which does not know what became of the transaction.
 */
static ngx_uint_t
ngx_http_prompt_postgres_rolled_back(const ngx_http_prompt_postgres_op_t *op)
{
    return op->error != NULL
           && ngx_strncmp(op->result.sqlstate, "08", 2) != 0;
}


/*
 * Whether somebody ended the connection (57P01 and the like): that is no fault
 * of an operation, and others that look sound yet may end in the same way.
 */
static ngx_uint_t
ngx_http_prompt_postgres_was_ended(
    const ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_queue_t                          *q;
    const ngx_http_prompt_postgres_op_t  *op;

    for (q = ngx_queue_head(&pc->ops);
         q != ngx_queue_sentinel(&pc->ops);
         q = ngx_queue_next(q))
    {
        op = ngx_queue_data(q, ngx_http_prompt_postgres_op_t, queue);

        if (ngx_strncmp(op->result.sqlstate, "57P0", 4) == 0) {
            return 1;
        }
    }

    return 0;
}


/*
 * Poolers know few parameters of a session, and refuse the others: by words
 * of their own, hence the text.
 */
static ngx_uint_t
ngx_http_prompt_postgres_is_refused(ngx_http_prompt_postgres_connection_t *pc,
    const char *message)
{
    return pc->state == POSTGRES_CONNECTING && pc->settings
           && ngx_strstr(message, "startup parameter") != NULL;
}


/* How long to wait before it is made again. */
static ngx_msec_t
ngx_http_prompt_postgres_delay(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_uint_t  shift;
    ngx_msec_t  delay;

    if (pc->stale) {
        return 0;
    }

    shift = ngx_min(pc->attempts, 5);
    delay = ngx_min((ngx_msec_t) POSTGRES_RETRY_MIN << shift,
                    POSTGRES_RETRY_MAX);

    pc->attempts++;
    pc->pool->stats.failures++;

    return delay / 2 + (ngx_msec_t) ngx_random() % (delay / 2 + 1);
}


ngx_int_t
ngx_http_prompt_postgres_renew(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_uint_t  shift;
    ngx_msec_t  since, pause;

    if (pc->stale) {
        return NGX_OK;
    }

    since = ngx_current_msec - pc->renewed;

    if (pc->renewals != 0) {

        if (since > POSTGRES_CALM) {
            pc->renewals = 0;

        } else {
            shift = ngx_min(pc->renewals, 6) - 1;
            pause = ngx_min((ngx_msec_t) POSTGRES_RETRY_MIN << shift,
                            POSTGRES_RETRY_MAX);

            if (since < pause) {
                return NGX_DECLINED;
            }
        }
    }

    pc->stale = 1;
    pc->renewals++;
    pc->renewed = ngx_current_msec;

    return NGX_OK;
}


void
ngx_http_prompt_postgres_disconnect(ngx_http_prompt_postgres_connection_t *pc)
{
    pc->state = POSTGRES_WAITING;

    ngx_http_prompt_timer_stop(&pc->timer);

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


ngx_int_t
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

    pc = ngx_http_prompt_timer_owner(ev);

    if (pc->state == POSTGRES_WAITING) {
        ngx_http_prompt_postgres_connect(pc);
        return;
    }

    /* the host that did not answer comes last now */

    pc->host = (pc->host + 1) % pc->pool->conf->nhosts;

    ngx_http_prompt_postgres_break(pc, "no answer in time");
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
