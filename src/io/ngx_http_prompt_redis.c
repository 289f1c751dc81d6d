/*
 * Redis on nginx's event loop: one connection a worker, pipelined.
 *
 * The socket is nginx's own; of hiredis only the protocol is used (its
 * formatter and its reader), which is the same in 0.14 and 1.x.  Its
 * asynchronous contexts would bring a second owner of the socket, a life
 * cycle that differs between versions, and an assert() on answers nobody
 * asked for.  README.md has the states.
 */

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>
#include <ngx_event_connect.h>

#include <hiredis/hiredis.h>

#include "base/buf.h"
#include "io/ngx_http_prompt_redis.h"


#define REDIS_RETRY_MIN      50                  /* ms */
#define REDIS_RETRY_MAX      1000
#define REDIS_PATIENCE_MIN   1000
#define REDIS_MAX_OUT        (4 * 1024 * 1024)   /* bytes not sent yet */
#define REDIS_KEEP_OUT       (64 * 1024)
#define REDIS_MAX_REPLY      (1024 * 1024)
#define REDIS_READ           16384


typedef enum {
    REDIS_WAITING = 0,               /* timer: try again */
    REDIS_CONNECTING,                /* timer: give up */
    REDIS_HANDSHAKE,                 /* timer: give up */
    REDIS_READY                      /* timer, while late: give up */
} ngx_http_prompt_redis_state_e;


/*
 * A command in flight, in the order sent.  It stays here until its answer
 * comes, however late: only so answers and commands stay in step.
 *
 * Debug logging of timers takes ev->data for a connection, hence the three
 * pointers and the descriptor in front.
 */
struct ngx_http_prompt_redis_op_s {
    ngx_http_prompt_redis_t        *redis;
    void                           *data;
    ngx_http_prompt_redis_done_pt   done;        /* NULL: nobody waits */
    ngx_socket_t                    fd;

    unsigned                        late:1;
    ngx_event_t                     timer;
    ngx_queue_t                     queue;
};


struct ngx_http_prompt_redis_s {
    ngx_http_prompt_redis_conf_t   *conf;
    ngx_connection_t               *connection;
    redisReader                    *reader;
    ngx_socket_t                    fd;          /* as in the operation */

    ngx_http_prompt_redis_state_e   state;
    ngx_event_t                     timer;       /* of the state */
    ngx_msec_t                      patience;    /* before giving up */

    ngx_uint_t                      addr;        /* next to be tried */
    ngx_uint_t                      attempts;    /* failed since it was ready */
    ngx_uint_t                      handshake;   /* answers still to come */
    ngx_uint_t                      late;        /* in flight, overdue */

    prompt_buf_t                    out;
    size_t                          sent;        /* of out */
    ngx_queue_t                     ops;

    ngx_peer_connection_t           peer;
    ngx_log_t                       log;
    ngx_log_t                       quiet;       /* alerts only */

    ngx_http_prompt_redis_stats_t   stats;
};


static ngx_uint_t ngx_http_prompt_redis_several(ngx_url_t *u);
static void ngx_http_prompt_redis_connect(ngx_http_prompt_redis_t *redis);
static void ngx_http_prompt_redis_break(ngx_http_prompt_redis_t *redis,
    const char *reason);
static void ngx_http_prompt_redis_disconnect(ngx_http_prompt_redis_t *redis);
static void ngx_http_prompt_redis_connected(ngx_http_prompt_redis_t *redis);
static ngx_int_t ngx_http_prompt_redis_greet(ngx_http_prompt_redis_t *redis);
static void ngx_http_prompt_redis_read_handler(ngx_event_t *rev);
static void ngx_http_prompt_redis_write_handler(ngx_event_t *wev);
static void ngx_http_prompt_redis_timer_handler(ngx_event_t *ev);
static void ngx_http_prompt_redis_late_handler(ngx_event_t *ev);
static const char *ngx_http_prompt_redis_replies(
    ngx_http_prompt_redis_t *redis);
static const char *ngx_http_prompt_redis_greeted(
    ngx_http_prompt_redis_t *redis, redisReply *reply);
static void ngx_http_prompt_redis_finish(ngx_http_prompt_redis_op_t *op,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_redis_translate(
    ngx_http_prompt_redis_reply_t *reply, redisReply *from);
static ngx_int_t ngx_http_prompt_redis_append(ngx_http_prompt_redis_t *redis,
    ngx_uint_t argc, const char **argv, const size_t *argvlen);


char *
ngx_http_prompt_redis_conf(ngx_conf_t *cf, ngx_http_prompt_redis_conf_t *conf)
{
    ngx_int_t    db;
    ngx_str_t   *value, s;
    ngx_url_t    u;
    ngx_uint_t   i;

    value = cf->args->elts;

    ngx_memzero(&u, sizeof(ngx_url_t));
    u.url = value[1];
    u.default_port = 6379;

    if (ngx_parse_url(cf->pool, &u) != NGX_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "%s in address \"%V\" of \"prompt_redis\"",
                           u.err != NULL ? u.err : "error", &u.url);
        return NGX_CONF_ERROR;
    }

    if (ngx_http_prompt_redis_several(&u)) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" of \"prompt_redis\" has several "
                           "addresses: name one, as all workers must speak to "
                           "the same Redis", &u.url);
        return NGX_CONF_ERROR;
    }

    conf->name = value[1];
    conf->addrs = u.addrs;
    conf->naddrs = u.naddrs;
    conf->timeout = NGX_HTTP_PROMPT_REDIS_DEFAULT_TIMEOUT;
    ngx_str_set(&conf->prefix, "prompt:");

    for (i = 2; i < cf->args->nelts; i++) {

        if (ngx_strncmp(value[i].data, "db=", 3) == 0) {
            db = ngx_atoi(value[i].data + 3, value[i].len - 3);

            if (db == NGX_ERROR || db > 65535) {
                goto invalid;
            }

            conf->db = db;
            continue;
        }

        if (ngx_strncmp(value[i].data, "user=", 5) == 0) {
            conf->user.data = value[i].data + 5;
            conf->user.len = value[i].len - 5;
            continue;
        }

        if (ngx_strncmp(value[i].data, "password=", 9) == 0) {
            conf->password.data = value[i].data + 9;
            conf->password.len = value[i].len - 9;
            continue;
        }

        if (ngx_strncmp(value[i].data, "prefix=", 7) == 0) {
            conf->prefix.data = value[i].data + 7;
            conf->prefix.len = value[i].len - 7;

            if (conf->prefix.len > NGX_HTTP_PROMPT_REDIS_MAX_PREFIX) {
                goto invalid;
            }

            continue;
        }

        if (ngx_strncmp(value[i].data, "timeout=", 8) == 0) {
            s.data = value[i].data + 8;
            s.len = value[i].len - 8;

            conf->timeout = ngx_parse_time(&s, 0);

            if (conf->timeout == (ngx_msec_t) NGX_ERROR || conf->timeout == 0)
            {
                goto invalid;
            }

            continue;
        }

        goto invalid;
    }

    if (conf->user.len != 0 && conf->password.len == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"prompt_redis\" has a user, but no password");
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;

invalid:

    /* only the name of the parameter: what follows may be a secret */

    s.data = value[i].data;
    s.len = 0;

    while (s.len < value[i].len && s.data[s.len] != '=') {
        s.len++;
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid parameter \"%V\" of \"prompt_redis\"",
                       s.len < value[i].len ? &s : &value[0]);

    return NGX_CONF_ERROR;
}


/*
 * Two addresses of one family are two servers for all we know.  What is
 * deleted in one would live on in the other.
 */
static ngx_uint_t
ngx_http_prompt_redis_several(ngx_url_t *u)
{
    ngx_uint_t  i, j;

    for (i = 0; i < u->naddrs; i++) {
        for (j = 0; j < i; j++) {
            if (u->addrs[i].sockaddr->sa_family
                    == u->addrs[j].sockaddr->sa_family
                && ngx_cmp_sockaddr(u->addrs[i].sockaddr, u->addrs[i].socklen,
                                    u->addrs[j].sockaddr, u->addrs[j].socklen,
                                    1)
                   != NGX_OK)
            {
                return 1;
            }
        }
    }

    return 0;
}


ngx_http_prompt_redis_t *
ngx_http_prompt_redis_create(ngx_cycle_t *cycle,
    ngx_http_prompt_redis_conf_t *conf)
{
    ngx_http_prompt_redis_t  *redis;

    redis = ngx_calloc(sizeof(ngx_http_prompt_redis_t), cycle->log);
    if (redis == NULL) {
        return NULL;
    }

    redis->conf = conf;
    redis->fd = (ngx_socket_t) -1;
    redis->patience = ngx_max(10 * conf->timeout, REDIS_PATIENCE_MIN);

    redis->log = *cycle->log;
    redis->quiet = *cycle->log;
    redis->quiet.log_level = ngx_min(redis->quiet.log_level, NGX_LOG_ALERT);

    redis->timer.handler = ngx_http_prompt_redis_timer_handler;
    redis->timer.data = redis;
    redis->timer.log = &redis->log;
    redis->timer.cancelable = 1;

    ngx_queue_init(&redis->ops);
    prompt_buf_init(&redis->out, REDIS_MAX_OUT);

    ngx_http_prompt_redis_connect(redis);

    return redis;
}


void
ngx_http_prompt_redis_close(ngx_http_prompt_redis_t *redis)
{
    ngx_queue_t                 *q;
    ngx_http_prompt_redis_op_t  *op;

    if (redis == NULL) {
        return;
    }

    redis->state = REDIS_WAITING;

    ngx_http_prompt_redis_disconnect(redis);

    while (!ngx_queue_empty(&redis->ops)) {
        q = ngx_queue_head(&redis->ops);
        op = ngx_queue_data(q, ngx_http_prompt_redis_op_t, queue);

        op->done = NULL;
        ngx_http_prompt_redis_finish(op, NULL);
    }

    ngx_free(redis);
}


ngx_http_prompt_redis_op_t *
ngx_http_prompt_redis_command(ngx_http_prompt_redis_t *redis, ngx_uint_t argc,
    const char **argv, const size_t *argvlen, ngx_msec_t timeout,
    ngx_http_prompt_redis_done_pt done, void *data)
{
    ngx_http_prompt_redis_op_t  *op;

    if (!ngx_http_prompt_redis_up(redis)) {
        redis->stats.refused++;
        return NULL;
    }

    op = ngx_calloc(sizeof(ngx_http_prompt_redis_op_t), &redis->log);
    if (op == NULL) {
        redis->stats.refused++;
        return NULL;
    }

    if (ngx_http_prompt_redis_append(redis, argc, argv, argvlen) != NGX_OK) {
        redis->stats.refused++;
        ngx_free(op);
        return NULL;
    }

    op->redis = redis;
    op->data = data;
    op->done = done;
    op->fd = (ngx_socket_t) -1;

    op->timer.handler = ngx_http_prompt_redis_late_handler;
    op->timer.data = op;
    op->timer.log = &redis->log;

    ngx_add_timer(&op->timer, timeout != 0 ? timeout : redis->conf->timeout);

    ngx_queue_insert_tail(&redis->ops, &op->queue);
    redis->stats.in_flight++;
    redis->stats.commands++;

    /* what is asked in one turn of the event loop goes out in one write */

    ngx_post_event(redis->connection->write, &ngx_posted_events);

    return op;
}


void
ngx_http_prompt_redis_detach(ngx_http_prompt_redis_op_t *op)
{
    op->done = NULL;

    /* nobody waits for it, so a worker that quits need not either */

    op->timer.cancelable = 1;
}


ngx_msec_t
ngx_http_prompt_redis_timeout(ngx_http_prompt_redis_t *redis)
{
    return redis->conf->timeout;
}


ngx_uint_t
ngx_http_prompt_redis_up(ngx_http_prompt_redis_t *redis)
{
    return redis->state == REDIS_READY
           && redis->late == 0
           && redis->stats.in_flight < NGX_HTTP_PROMPT_REDIS_MAX_PENDING;
}


void
ngx_http_prompt_redis_stats(ngx_http_prompt_redis_t *redis,
    ngx_http_prompt_redis_stats_t *stats)
{
    *stats = redis->stats;
    stats->up = (redis->state == REDIS_READY);
}


static void
ngx_http_prompt_redis_connect(ngx_http_prompt_redis_t *redis)
{
    ngx_int_t               rc;
    ngx_addr_t             *addr;
    ngx_connection_t       *c;
    ngx_peer_connection_t  *pc;

    redis->reader = redisReaderCreate();

    if (redis->reader == NULL) {
        ngx_http_prompt_redis_break(redis, "no memory");
        return;
    }

    addr = &redis->conf->addrs[redis->addr];
    redis->addr = (redis->addr + 1) % redis->conf->naddrs;

    pc = &redis->peer;
    ngx_memzero(pc, sizeof(ngx_peer_connection_t));

    pc->sockaddr = addr->sockaddr;
    pc->socklen = addr->socklen;
    pc->name = &addr->name;
    pc->get = ngx_event_get_peer;
    pc->log_error = NGX_ERROR_INFO;
    pc->so_keepalive = (addr->sockaddr->sa_family != AF_UNIX);

    /* a refused connection is logged here, once, and not as [crit] */

    pc->log = &redis->quiet;

    rc = ngx_event_connect_peer(pc);

    if (rc != NGX_OK && rc != NGX_AGAIN) {
        ngx_http_prompt_redis_break(redis, "cannot connect");
        return;
    }

    c = pc->connection;

    c->data = redis;
    c->log = &redis->log;
    c->read->log = c->log;
    c->write->log = c->log;
    c->read->handler = ngx_http_prompt_redis_read_handler;
    c->write->handler = ngx_http_prompt_redis_write_handler;

    redis->connection = c;
    redis->state = REDIS_CONNECTING;

    ngx_add_timer(&redis->timer, redis->patience);

    if (rc == NGX_OK) {
        ngx_http_prompt_redis_connected(redis);
    }
}


/*
 * The connection is of no use any more: ends what is in flight and tries
 * again later.  reason is for the log.
 */
static void
ngx_http_prompt_redis_break(ngx_http_prompt_redis_t *redis,
    const char *reason)
{
    ngx_uint_t                      shift, level;
    ngx_msec_t                      delay;
    ngx_queue_t                     ops, *q;
    ngx_http_prompt_redis_op_t     *op;
    ngx_http_prompt_redis_reply_t   lost;

    /* once loud, then quiet until it was ready again */

    level = redis->attempts == 0 ? NGX_LOG_ERR : NGX_LOG_INFO;

    ngx_log_error(level, &redis->log, 0, "redis \"%V\": %s",
                  &redis->conf->name, reason);

    ngx_http_prompt_redis_disconnect(redis);

    shift = ngx_min(redis->attempts, 7);
    delay = ngx_min((ngx_msec_t) REDIS_RETRY_MIN << shift, REDIS_RETRY_MAX);
    delay = delay / 2 + (ngx_msec_t) ngx_random() % (delay / 2 + 1);

    redis->attempts++;
    redis->stats.failures++;
    redis->state = REDIS_WAITING;

    ngx_add_timer(&redis->timer, delay);

    /* a callback may send the next command, which is refused here already */

    ngx_memzero(&lost, sizeof(ngx_http_prompt_redis_reply_t));
    lost.kind = NGX_HTTP_PROMPT_REDIS_LOST;

    ngx_queue_init(&ops);
    ngx_queue_add(&ops, &redis->ops);
    ngx_queue_init(&redis->ops);

    while (!ngx_queue_empty(&ops)) {
        q = ngx_queue_head(&ops);
        op = ngx_queue_data(q, ngx_http_prompt_redis_op_t, queue);

        if (op->done != NULL) {
            redis->stats.lost++;
        }

        ngx_http_prompt_redis_finish(op, &lost);
    }
}


static void
ngx_http_prompt_redis_disconnect(ngx_http_prompt_redis_t *redis)
{
    if (redis->connection != NULL) {
        ngx_close_connection(redis->connection);
        redis->connection = NULL;
    }

    if (redis->reader != NULL) {
        redisReaderFree(redis->reader);
        redis->reader = NULL;
    }

    if (redis->timer.timer_set) {
        ngx_del_timer(&redis->timer);
    }

    prompt_buf_free(&redis->out);
    redis->sent = 0;
}


static void
ngx_http_prompt_redis_connected(ngx_http_prompt_redis_t *redis)
{
    if (redis->connection->tcp_nodelay != NGX_TCP_NODELAY_DISABLED) {
        (void) ngx_tcp_nodelay(redis->connection);
    }

    redis->state = REDIS_HANDSHAKE;

    if (ngx_http_prompt_redis_greet(redis) != NGX_OK) {
        ngx_http_prompt_redis_break(redis, "no memory");
        return;
    }

    ngx_post_event(redis->connection->write, &ngx_posted_events);
}


/*
 * What a connection begins with.  PING is the proof that Redis answers at
 * all (a stopped one still accepts connections), and has loaded its data.
 */
static ngx_int_t
ngx_http_prompt_redis_greet(ngx_http_prompt_redis_t *redis)
{
    u_char       db[NGX_INT_T_LEN];
    size_t       len[3];
    ngx_uint_t   argc;
    const char  *argv[3];

    ngx_http_prompt_redis_conf_t  *conf;

    conf = redis->conf;
    redis->handshake = 0;

    if (conf->password.len != 0) {
        argc = 0;

        argv[argc] = "AUTH";
        len[argc++] = 4;

        if (conf->user.len != 0) {
            argv[argc] = (const char *) conf->user.data;
            len[argc++] = conf->user.len;
        }

        argv[argc] = (const char *) conf->password.data;
        len[argc++] = conf->password.len;

        if (ngx_http_prompt_redis_append(redis, argc, argv, len) != NGX_OK) {
            return NGX_ERROR;
        }

        redis->handshake++;
    }

    if (conf->db != 0) {
        argv[0] = "SELECT";
        len[0] = 6;
        argv[1] = (const char *) db;
        len[1] = ngx_sprintf(db, "%ui", conf->db) - db;

        if (ngx_http_prompt_redis_append(redis, 2, argv, len) != NGX_OK) {
            return NGX_ERROR;
        }

        redis->handshake++;
    }

    argv[0] = "PING";
    len[0] = 4;

    redis->handshake++;

    return ngx_http_prompt_redis_append(redis, 1, argv, len);
}


static ngx_int_t
ngx_http_prompt_redis_append(ngx_http_prompt_redis_t *redis, ngx_uint_t argc,
    const char **argv, const size_t *argvlen)
{
    char      *command;
    ngx_int_t  rc;
    long long  len;

    len = redisFormatCommandArgv(&command, (int) argc, argv, argvlen);
    if (len < 0) {
        return NGX_ERROR;
    }

    rc = NGX_ERROR;

    /*
     * A buffer that once refused stays refusing; what it holds is whole, and
     * the write handler renews it when that is sent.
     */

    if (prompt_buf_reserve(&redis->out, (size_t) len)) {
        prompt_buf_append(&redis->out, command, (size_t) len);
        rc = NGX_OK;
    }

    redisFreeCommand(command);

    return rc;
}


static void
ngx_http_prompt_redis_read_handler(ngx_event_t *rev)
{
    ssize_t                   n;
    u_char                    buf[REDIS_READ];
    const char               *failure;
    ngx_connection_t         *c;
    ngx_http_prompt_redis_t  *redis;

    /*
     * c->close, set when worker_shutdown_timeout has passed, is not looked
     * at: what is in flight ends by its timers, and the connection in
     * exit_process.
     */

    c = rev->data;
    redis = c->data;

    for ( ;; ) {
        n = c->recv(c, buf, REDIS_READ);

        if (n == NGX_AGAIN) {
            break;
        }

        if (n == NGX_ERROR || n == 0) {
            ngx_http_prompt_redis_break(redis,
                              redis->state == REDIS_CONNECTING
                                  ? "cannot connect" : "connection closed");
            return;
        }

        if (redisReaderFeed(redis->reader, (char *) buf, (size_t) n)
            != REDIS_OK)
        {
            ngx_http_prompt_redis_break(redis, "no memory");
            return;
        }

        failure = ngx_http_prompt_redis_replies(redis);

        if (failure != NULL) {
            ngx_http_prompt_redis_break(redis, failure);
            return;
        }
    }

    if (ngx_handle_read_event(rev, 0) != NGX_OK) {
        ngx_http_prompt_redis_break(redis, "event failed");
    }
}


static void
ngx_http_prompt_redis_write_handler(ngx_event_t *wev)
{
    int                       err;
    ssize_t                   n;
    socklen_t                 len;
    ngx_connection_t         *c;
    ngx_http_prompt_redis_t  *redis;

    c = wev->data;
    redis = c->data;

    if (redis->state == REDIS_CONNECTING) {
        err = 0;
        len = sizeof(int);

        if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, (void *) &err, &len) == -1
            || err != 0)
        {
            ngx_http_prompt_redis_break(redis, "cannot connect");
            return;
        }

        ngx_http_prompt_redis_connected(redis);
        return;
    }

    while (redis->sent < redis->out.len) {
        n = c->send(c, (u_char *) redis->out.data + redis->sent,
                    redis->out.len - redis->sent);

        if (n == NGX_AGAIN) {
            break;
        }

        if (n == NGX_ERROR) {
            ngx_http_prompt_redis_break(redis, "connection closed");
            return;
        }

        redis->sent += n;
    }

    if (redis->sent == redis->out.len) {

        if (redis->out.status != PROMPT_BUF_OK
            || redis->out.cap > REDIS_KEEP_OUT)
        {
            prompt_buf_free(&redis->out);

        } else {
            prompt_buf_truncate(&redis->out, 0);
        }

        redis->sent = 0;
    }

    if (ngx_handle_write_event(wev, 0) != NGX_OK) {
        ngx_http_prompt_redis_break(redis, "event failed");
    }
}


static void
ngx_http_prompt_redis_timer_handler(ngx_event_t *ev)
{
    ngx_http_prompt_redis_t  *redis;

    redis = ev->data;

    if (redis->state == REDIS_WAITING) {
        ngx_http_prompt_redis_connect(redis);
        return;
    }

    ngx_http_prompt_redis_break(redis, "no answer");
}


/* An operation is overdue: tells the owner, and keeps the record. */
static void
ngx_http_prompt_redis_late_handler(ngx_event_t *ev)
{
    ngx_http_prompt_redis_t        *redis;
    ngx_http_prompt_redis_op_t     *op;
    ngx_http_prompt_redis_done_pt   done;
    ngx_http_prompt_redis_reply_t   reply;

    op = ev->data;
    redis = op->redis;

    op->late = 1;

    if (redis->late++ == 0) {
        ngx_add_timer(&redis->timer, redis->patience);
    }

    done = op->done;

    if (done == NULL) {
        return;
    }

    op->done = NULL;
    redis->stats.timeouts++;

    ngx_memzero(&reply, sizeof(ngx_http_prompt_redis_reply_t));
    reply.kind = NGX_HTTP_PROMPT_REDIS_TIMEOUT;

    done(op->data, &reply);
}


/* Hands out the answers that are whole; returns what is wrong, or NULL. */
static const char *
ngx_http_prompt_redis_replies(ngx_http_prompt_redis_t *redis)
{
    void                           *p;
    const char                     *failure;
    redisReply                     *from;
    ngx_queue_t                    *q;
    ngx_http_prompt_redis_op_t     *op;
    ngx_http_prompt_redis_reply_t   reply;

    for ( ;; ) {
        p = NULL;

        if (redisReaderGetReply(redis->reader, &p) != REDIS_OK) {
            return "unreadable answer";
        }

        if (p == NULL) {
            break;
        }

        from = p;

        if (redis->state == REDIS_HANDSHAKE) {
            failure = ngx_http_prompt_redis_greeted(redis, from);
            freeReplyObject(from);

            if (failure != NULL) {
                return failure;
            }

            continue;
        }

        if (ngx_queue_empty(&redis->ops)) {
            freeReplyObject(from);
            return "an answer to nothing";
        }

        q = ngx_queue_head(&redis->ops);
        op = ngx_queue_data(q, ngx_http_prompt_redis_op_t, queue);

        ngx_http_prompt_redis_translate(&reply, from);

        if (reply.kind == NGX_HTTP_PROMPT_REDIS_ERROR) {
            redis->stats.errors++;
        }

        ngx_http_prompt_redis_finish(op, &reply);

        freeReplyObject(from);
    }

    if (redis->reader->len - redis->reader->pos > REDIS_MAX_REPLY) {
        return "answer too long";
    }

    return NULL;
}


static const char *
ngx_http_prompt_redis_greeted(ngx_http_prompt_redis_t *redis,
    redisReply *reply)
{
    size_t      n;
    ngx_uint_t  level;

    if (reply->type == REDIS_REPLY_ERROR) {

        /* the code alone: some servers repeat the words of the command */

        n = strcspn(reply->str, " ");

        level = redis->attempts == 0 ? NGX_LOG_ERR : NGX_LOG_INFO;

        ngx_log_error(level, &redis->log, 0,
                      "redis \"%V\" refused the connection: %*s",
                      &redis->conf->name, ngx_min(n, 32), reply->str);

        return "not usable";
    }

    if (--redis->handshake != 0) {
        return NULL;
    }

    if (redis->stats.connects++ != 0) {
        ngx_log_error(NGX_LOG_NOTICE, &redis->log, 0,
                      "redis \"%V\": connected again", &redis->conf->name);
    }

    ngx_del_timer(&redis->timer);

    redis->attempts = 0;
    redis->state = REDIS_READY;

    return NULL;
}


/* Takes the operation out, tells the owner if there is one, and frees it. */
static void
ngx_http_prompt_redis_finish(ngx_http_prompt_redis_op_t *op,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_redis_t  *redis;

    redis = op->redis;

    ngx_queue_remove(&op->queue);
    redis->stats.in_flight--;

    if (op->timer.timer_set) {
        ngx_del_timer(&op->timer);
    }

    if (op->late) {
        redis->late--;

        /* an answer, if a late one: Redis lives, so the patience is renewed */

        if (redis->state == REDIS_READY) {
            if (redis->late == 0) {
                ngx_del_timer(&redis->timer);

            } else {
                ngx_add_timer(&redis->timer, redis->patience);
            }
        }
    }

    if (op->done != NULL) {
        op->done(op->data, reply);
    }

    ngx_free(op);
}


static void
ngx_http_prompt_redis_translate(ngx_http_prompt_redis_reply_t *reply,
    redisReply *from)
{
    ngx_memzero(reply, sizeof(ngx_http_prompt_redis_reply_t));

    switch (from->type) {

    case REDIS_REPLY_NIL:
        reply->kind = NGX_HTTP_PROMPT_REDIS_NIL;
        return;

    case REDIS_REPLY_INTEGER:
        reply->kind = NGX_HTTP_PROMPT_REDIS_INTEGER;
        reply->integer = from->integer;
        return;

    case REDIS_REPLY_STRING:
        reply->kind = NGX_HTTP_PROMPT_REDIS_STRING;
        break;

    case REDIS_REPLY_STATUS:
        reply->kind = NGX_HTTP_PROMPT_REDIS_STATUS;
        break;

    case REDIS_REPLY_ERROR:
        reply->kind = NGX_HTTP_PROMPT_REDIS_ERROR;
        break;

    default:
        reply->kind = NGX_HTTP_PROMPT_REDIS_OTHER;
        return;
    }

    reply->text = prompt_str_of(from->str, from->len);
}
