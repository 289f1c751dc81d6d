/*
 * One connection to PostgreSQL: made, watched, closed.  What goes over it
 * while it lives is in ngx_http_prompt_postgres_send.c and _pipeline.c, what
 * becomes of that when it ends in ngx_http_prompt_postgres_break.c.
 *
 * libpq owns the socket and may close it, and open another one of the same
 * number, inside PQconnectPoll().  So while it connects, the socket is taken
 * out of the event loop before each step and put in again afterwards; later
 * it is only ever closed, and then taken out as one that is closed already.
 */

#include "io/ngx_http_prompt_postgres_impl.h"
#include "io/ngx_http_prompt_socket.h"
#include "io/ngx_http_prompt_ratelog.h"
#include "store/value.h"


#define POSTGRES_TAKE_PAUSE  50                  /* ms */


static ngx_int_t ngx_http_prompt_postgres_take(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_int_t ngx_http_prompt_postgres_start(
    ngx_http_prompt_postgres_connection_t *pc);
static const char **ngx_http_prompt_postgres_keywords(
    ngx_http_prompt_postgres_connection_t *pc, const char ***values);
static u_char *ngx_http_prompt_postgres_list(
    ngx_http_prompt_postgres_connection_t *pc, size_t offset, u_char *text);
static void ngx_http_prompt_postgres_connected(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_ready(
    ngx_http_prompt_postgres_connection_t *pc);
static ngx_int_t ngx_http_prompt_postgres_watch(
    ngx_http_prompt_postgres_connection_t *pc);
static void ngx_http_prompt_postgres_unwatch(
    ngx_http_prompt_postgres_connection_t *pc, ngx_uint_t flags);
static void ngx_http_prompt_postgres_timer_handler(ngx_event_t *ev);
static void ngx_http_prompt_postgres_notice(void *data, const char *message);


#define is(state)  ngx_http_prompt_after(POSTGRES_ ## state)

static const ngx_uint_t  ngx_http_prompt_postgres_after[] = {
    [POSTGRES_WAITING] = is(WAITING) | is(CONNECTING) | is(CHECKING)
                         | is(READY) | is(DRAINING),
    [POSTGRES_CONNECTING] = is(WAITING),
    [POSTGRES_CHECKING] = is(CONNECTING),
    [POSTGRES_READY] = is(CHECKING),
    [POSTGRES_DRAINING] = is(READY) | is(DRAINING)
};

#undef is

static const ngx_http_prompt_moves_t  ngx_http_prompt_postgres_moves = {
    "a connection to PostgreSQL", ngx_http_prompt_postgres_after
};


void
ngx_http_prompt_postgres_become(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_state_e state)
{
    (void) ngx_http_prompt_may_move(&ngx_http_prompt_postgres_moves,
                                    pc->state, state, &pc->pool->log);

    pc->state = state;
}


void
ngx_http_prompt_postgres_connect(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_http_prompt_postgres_t  *pool;

    pool = pc->pool;

    pc->broken = 0;
    pc->reading = 0;
    pc->settings = !pool->plain;
    pc->paused = 0;
    pc->keeps = 0;
    pc->skewed = 0;
    ngx_memzero(&pc->place, sizeof(prompt_position_t));
    ngx_memzero(&pc->prepared, sizeof(prompt_prepared_t));

    ngx_http_prompt_timer_init(&pc->timer,
                               ngx_http_prompt_postgres_timer_handler, pc,
                               &pool->log);
    pc->timer.event.cancelable = 1;

    pc->results.handler = ngx_http_prompt_postgres_results_handler;
    pc->results.data = pc;
    pc->results.log = &pool->log;

    if (ngx_http_prompt_postgres_take(pc) != NGX_OK) {
        ngx_add_timer(&pc->timer.event,
                      ngx_http_prompt_jitter(POSTGRES_TAKE_PAUSE));
        return;
    }

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, &pool->log, 0,
                   "prompt postgres: connects, connection %ui",
                   (ngx_uint_t) (pc - pool->connections));

    ngx_http_prompt_postgres_become(pc, POSTGRES_CONNECTING);
    ngx_add_timer(&pc->timer.event, pool->conf->connect_timeout);

    if (ngx_http_prompt_postgres_start(pc) != NGX_OK) {
        ngx_http_prompt_postgres_break(pc, "cannot connect");
    }
}


/* NGX_DECLINED: others have it yet, mostly those of the configuration before */
static ngx_int_t
ngx_http_prompt_postgres_take(ngx_http_prompt_postgres_connection_t *pc)
{
    const ngx_http_prompt_postgres_check_t  *check;

    check = pc->pool->check;

    if (check == NULL || check->take == NULL) {
        return NGX_OK;
    }

    if (check->take(check->data) != NGX_OK) {
        return NGX_DECLINED;
    }

    pc->taken = 1;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_postgres_start(ngx_http_prompt_postgres_connection_t *pc)
{
    const char  **keywords, **values;

    keywords = ngx_http_prompt_postgres_keywords(pc, &values);
    if (keywords == NULL) {
        return NGX_ERROR;
    }

    pc->pg = PQconnectStartParams(keywords, values, 0);

    ngx_free(keywords);

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


/*
 * What libpq is given: two arrays that end with NULL, and the lists of hosts,
 * in one piece of memory, which is the caller's to free.
 */
static const char **
ngx_http_prompt_postgres_keywords(ngx_http_prompt_postgres_connection_t *pc,
    const char ***values)
{
    size_t                             len;
    u_char                            *text;
    ngx_uint_t                         i, n;
    const char                       **k, **v;
    ngx_keyval_t                      *kv;
    ngx_http_prompt_postgres_conf_t   *conf;
    ngx_http_prompt_postgres_host_t   *host;

    static const struct {
        const char  *name;
        size_t       offset;
    } lists[] = {
        { "host", offsetof(ngx_http_prompt_postgres_host_t, host) },
        { "hostaddr", offsetof(ngx_http_prompt_postgres_host_t, hostaddr) },
        { "port", offsetof(ngx_http_prompt_postgres_host_t, port) }
    };

    conf = pc->pool->conf;
    kv = conf->options.elts;
    len = 3;

    for (i = 0; i < pc->pool->nhosts; i++) {
        host = &pc->pool->hosts[i];
        len += ngx_strlen(host->host) + ngx_strlen(host->hostaddr)
               + ngx_strlen(host->port) + 3;
    }

    /* three lists, the settings and a NULL */

    n = conf->options.nelts + 5;

    k = ngx_alloc(2 * n * sizeof(char *) + len, &pc->pool->log);
    if (k == NULL) {
        return NULL;
    }

    v = k + n;
    *values = v;
    text = (u_char *) (v + n);

    for (i = 0; i < 3; i++) {
        k[i] = lists[i].name;
        v[i] = (const char *) text;
        text = ngx_http_prompt_postgres_list(pc, lists[i].offset, text);
    }

    for ( /* void */ ; i < n - 2; i++) {
        k[i] = (const char *) kv[i - 3].key.data;
        v[i] = (const char *) kv[i - 3].value.data;
    }

    k[i] = "options";
    v[i] = pc->settings ? conf->settings : conf->own_options;

    k[i + 1] = NULL;
    v[i + 1] = NULL;

    return k;
}


/*
 * The hosts are given beginning with another one after a time-out: libpq
 * itself goes on to the next host only where one refuses.  Returns what is
 * behind the list, and the NUL that ends it.
 */
static u_char *
ngx_http_prompt_postgres_list(ngx_http_prompt_postgres_connection_t *pc,
    size_t offset, u_char *text)
{
    u_char                            *host;
    ngx_uint_t                         i;
    const ngx_http_prompt_postgres_t  *pool;

    pool = pc->pool;

    for (i = 0; i < pool->nhosts; i++) {
        host = (u_char *) &pool->hosts[(pc->host + i) % pool->nhosts];
        text = ngx_sprintf(text, "%s%s", i != 0 ? "," : "",
                           *(char **) (host + offset));
    }

    *text++ = '\0';

    return text;
}


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
    pc->checks = (check != NULL);

    ngx_http_prompt_postgres_become(pc, POSTGRES_CHECKING);

    if ((check != NULL
         && PQsendQueryParams(pc->pg, check->statement->sql, 0, NULL, NULL,
                              NULL, NULL, 1)
            != 1)
        || ngx_http_prompt_postgres_send_probe(pc) != NGX_OK
        || PQpipelineSync(pc->pg) != 1
        || ngx_http_prompt_postgres_flush(pc) != NGX_OK)
    {
        ngx_http_prompt_postgres_break(pc, "connection closed");
    }
}


void
ngx_http_prompt_postgres_got_check(ngx_http_prompt_postgres_connection_t *pc,
    PGresult *res)
{
    PGresult  **last;

    if (res == NULL) {
        pc->checks = 0;
        return;
    }

    /* of the probe, the last one that says something */

    last = pc->checks ? &pc->verdict : &pc->probe;

    if (*last != NULL && PQresultStatus(res) == PGRES_PIPELINE_ABORTED) {
        PQclear(res);
        return;
    }

    PQclear(*last);
    *last = res;
}


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

    if (check == NULL) {
        rc = NGX_OK;

    } else if (PQresultStatus(res) == PGRES_TUPLES_OK) {
        rows.result = res;
        rows.count = PQntuples(res);
        rows.first = 0;
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

    if (ngx_http_prompt_postgres_probed(pc) == NGX_OK) {
        ngx_http_prompt_postgres_ready(pc);
    }
}


static void
ngx_http_prompt_postgres_ready(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_http_prompt_postgres_t  *pool;

    pool = pc->pool;

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, &pool->log, 0,
                   "prompt postgres: ready, connection %ui",
                   (ngx_uint_t) (pc - pool->connections));

    ngx_http_prompt_timer_stop(&pc->timer);

    ngx_http_prompt_postgres_become(pc, POSTGRES_READY);
    pc->attempts = 0;
    pool->heard = ngx_current_msec;
    pool->stats.connects++;

    if (pool->up++ == 0) {
        ngx_http_prompt_ratelog_over(pool->reader
                                     ? NGX_HTTP_PROMPT_RATELOG_STANDBY
                                     : NGX_HTTP_PROMPT_RATELOG_POSTGRES,
                                     prompt_str_absent, &pool->log);

        if (!pool->reader) {
            ngx_http_prompt_ratelog_over(
                                     NGX_HTTP_PROMPT_RATELOG_POSTGRES_ANSWER,
                                     prompt_str_absent, &pool->log);
        }

        ngx_http_prompt_postgres_wake(pool);
    }

    ngx_http_prompt_postgres_dispatch(pool);
}


ngx_uint_t
ngx_http_prompt_postgres_usable(ngx_http_prompt_postgres_connection_t *pc)
{
    return pc->state == POSTGRES_READY
           && !pc->broken
           && !pc->reading
           && pc->late == 0
           && pc->held == 0;
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


void
ngx_http_prompt_postgres_disconnect(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_http_prompt_postgres_become(pc, POSTGRES_WAITING);
    ngx_http_prompt_timer_stop(&pc->timer);

    if (pc->results.posted) {
        ngx_delete_posted_event(&pc->results);
    }

    PQclear(pc->verdict);
    PQclear(pc->probe);
    pc->verdict = NULL;
    pc->probe = NULL;

    ngx_http_prompt_postgres_unwatch(pc, NGX_CLOSE_EVENT);

    if (pc->pg != NULL) {
        PQfinish(pc->pg);
        pc->pg = NULL;
    }

    if (pc->taken) {
        pc->taken = 0;
        pc->pool->check->give(pc->pool->check->data);
    }
}


static ngx_int_t
ngx_http_prompt_postgres_watch(ngx_http_prompt_postgres_connection_t *pc)
{
    int  fd;

    fd = PQsocket(pc->pg);

    if (fd == -1) {
        return NGX_ERROR;
    }

    pc->connection = ngx_http_prompt_socket_watch(fd, pc,
                                       ngx_http_prompt_postgres_read_handler,
                                       ngx_http_prompt_postgres_write_handler,
                                       &pc->pool->log);

    return pc->connection != NULL ? NGX_OK : NGX_ERROR;
}


/* Takes the socket out of the event loop, and leaves it to libpq. */
static void
ngx_http_prompt_postgres_unwatch(ngx_http_prompt_postgres_connection_t *pc,
    ngx_uint_t flags)
{
    if (pc->connection != NULL) {
        ngx_http_prompt_socket_unwatch(pc->connection, flags);
        pc->connection = NULL;
    }
}


ngx_int_t
ngx_http_prompt_postgres_want(ngx_http_prompt_postgres_connection_t *pc,
    ngx_uint_t read, ngx_uint_t write)
{
    ngx_connection_t  *c;

    c = pc->connection;

    if (read
        && ngx_http_prompt_socket_want(c->read, NGX_READ_EVENT, 1) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_socket_want(c->write, NGX_WRITE_EVENT, write);
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

    pc->host = (pc->host + 1) % pc->pool->nhosts;

    ngx_http_prompt_postgres_break(pc, "no answer in time");
}


static void
ngx_http_prompt_postgres_notice(void *data, const char *message)
{
    /* its words may repeat values */

    ngx_log_debug2(NGX_LOG_DEBUG_HTTP,
                   &((ngx_http_prompt_postgres_t *) data)->log, 0,
                   "prompt postgres: the server says %*s",
                   strcspn(message, ":"), message);
}
