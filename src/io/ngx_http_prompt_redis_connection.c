/*
 * The connection to Redis, from the first attempt to its end.  What is sent
 * over it is in ngx_http_prompt_redis.c.
 */

#include "io/ngx_http_prompt_redis_impl.h"
#include "io/ngx_http_prompt_ratelog.h"


#define REDIS_KEEP_OUT       (64 * 1024)
#define REDIS_READ           16384

/*
 * All workers together connect so often, and so many times in a row: in any
 * second not more than 50 times, whatever servers say of others.
 */
#define REDIS_PACE           25                  /* ms */
#define REDIS_BURST          10
#define REDIS_PACE_WAIT      100                 /* ms, and up to twice that */


#define is(state)  ngx_http_prompt_after(REDIS_ ## state)

static const ngx_uint_t  ngx_http_prompt_redis_after[] = {
    [REDIS_WAITING] = is(WAITING) | is(CONNECTING) | is(HANDSHAKE)
                      | is(READY) | is(DRAINING),
    [REDIS_CONNECTING] = is(WAITING),
    [REDIS_HANDSHAKE] = is(CONNECTING),
    [REDIS_READY] = is(HANDSHAKE),
    [REDIS_DRAINING] = is(READY) | is(DRAINING)
};

#undef is

static const ngx_http_prompt_moves_t  ngx_http_prompt_redis_moves = {
    "a connection to Redis", ngx_http_prompt_redis_after
};


static ngx_uint_t ngx_http_prompt_redis_paced(ngx_http_prompt_redis_t *redis);
static void ngx_http_prompt_redis_lose(ngx_http_prompt_redis_t *redis);
static void ngx_http_prompt_redis_connected(ngx_http_prompt_redis_t *redis);
static ngx_int_t ngx_http_prompt_redis_greet(ngx_http_prompt_redis_t *redis);
static ngx_int_t ngx_http_prompt_redis_greet_by(
    ngx_http_prompt_redis_t *redis, const prompt_str_t *words, ngx_uint_t n);
static void ngx_http_prompt_redis_read_handler(ngx_event_t *rev);
static void ngx_http_prompt_redis_write_handler(ngx_event_t *wev);


void
ngx_http_prompt_redis_become(ngx_http_prompt_redis_t *redis,
    ngx_http_prompt_redis_state_e state)
{
    (void) ngx_http_prompt_may_move(&ngx_http_prompt_redis_moves,
                                    redis->state, state, &redis->log);

    redis->state = state;
}


void
ngx_http_prompt_redis_connect(ngx_http_prompt_redis_t *redis)
{
    ngx_int_t               rc;
    ngx_addr_t             *addr;
    ngx_connection_t       *c;
    ngx_peer_connection_t  *pc;

    if (ngx_http_prompt_redis_paced(redis)) {
        ngx_add_timer(&redis->timer.event,
                      ngx_http_prompt_jitter(REDIS_PACE_WAIT));
        return;
    }

    redis->reader = redisReaderCreate();

    if (redis->reader == NULL) {
        ngx_http_prompt_redis_break(redis, "no memory");
        return;
    }

    addr = &redis->conf->addrs[redis->addr];
    redis->addr = (redis->addr + 1) % redis->conf->naddrs;

    pc = &redis->peer;
    ngx_memzero(pc, sizeof(ngx_peer_connection_t));

    /* those of conf may be replaced */

    ngx_memcpy(&redis->sockaddr, addr->sockaddr, addr->socklen);

    pc->sockaddr = &redis->sockaddr.sockaddr;
    pc->socklen = addr->socklen;
    pc->name = &redis->conf->name;
    pc->get = ngx_event_get_peer;
    pc->log_error = NGX_ERROR_INFO;
    pc->so_keepalive = (addr->sockaddr->sa_family != AF_UNIX);

    /* what fails is told here, now and then, and not by each call */

    pc->log = &redis->quiet;

    rc = ngx_event_connect_peer(pc);

    if (rc != NGX_OK && rc != NGX_AGAIN) {
        ngx_http_prompt_redis_break(redis, "cannot connect");
        return;
    }

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, &redis->log, 0,
                   "prompt redis: connects to \"%V\"", &redis->conf->name);

    c = pc->connection;

    c->data = redis;
    c->read->handler = ngx_http_prompt_redis_read_handler;
    c->write->handler = ngx_http_prompt_redis_write_handler;

    redis->connection = c;
    ngx_http_prompt_redis_become(redis, REDIS_CONNECTING);

    ngx_add_timer(&redis->timer.event, redis->patience);

    if (rc == NGX_OK) {
        ngx_http_prompt_redis_connected(redis);
    }
}


/* Whether it is too early; else the moment is taken. */
static ngx_uint_t
ngx_http_prompt_redis_paced(ngx_http_prompt_redis_t *redis)
{
    ngx_msec_int_t      ahead;
    ngx_atomic_t       *next;
    ngx_atomic_uint_t   was;

    next = redis->conf->next;

    while (next != NULL) {
        was = *next;
        ahead = (ngx_msec_int_t) (was - ngx_current_msec);

        /* long ago, or of another clock */

        if (ahead < 0 || ahead > REDIS_BURST * REDIS_PACE) {
            ahead = 0;
        }

        if (ahead > (REDIS_BURST - 1) * REDIS_PACE) {
            return 1;
        }

        if (ngx_atomic_cmp_set(next, was,
                               ngx_current_msec + ahead + REDIS_PACE))
        {
            return 0;
        }
    }

    return 0;
}


void
ngx_http_prompt_redis_break(ngx_http_prompt_redis_t *redis,
    const char *reason)
{
    ngx_log_debug2(NGX_LOG_DEBUG_HTTP, &redis->log, 0,
                   "prompt redis: %s, \"%V\"", reason, &redis->conf->name);

    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_REDIS,
                            ngx_http_prompt_redis_name(redis->conf),
                            &redis->log, "redis \"%V\": %s",
                            &redis->conf->name, reason);

    ngx_http_prompt_names_soon(redis->names);
    ngx_http_prompt_redis_disconnect(redis);

    redis->stats.failures++;

    ngx_add_timer(&redis->timer.event,
                  ngx_http_prompt_jitter(
                             ngx_http_prompt_backoff(redis->attempts++) / 2));

    ngx_http_prompt_redis_lose(redis);
}


void
ngx_http_prompt_redis_move(ngx_http_prompt_redis_t *redis)
{
    redis->addr = 0;

    if (redis->connection != NULL
        && ngx_http_prompt_redis_has_addr(redis->conf, redis->peer.sockaddr,
                                          redis->peer.socklen))
    {
        return;
    }

    if (redis->first != NULL) {
        ngx_http_prompt_redis_become(redis, REDIS_DRAINING);
        return;
    }

    ngx_http_prompt_redis_end(redis);
    ngx_http_prompt_redis_connect(redis);
}


ngx_uint_t
ngx_http_prompt_redis_has_addr(const ngx_http_prompt_redis_conf_t *conf,
    struct sockaddr *sockaddr, socklen_t socklen)
{
    ngx_uint_t  i;

    for (i = 0; i < conf->naddrs; i++) {

        if (ngx_cmp_sockaddr(conf->addrs[i].sockaddr, conf->addrs[i].socklen,
                             sockaddr, socklen, 1)
            == NGX_OK)
        {
            return 1;
        }
    }

    return 0;
}


void
ngx_http_prompt_redis_end(ngx_http_prompt_redis_t *redis)
{
    ngx_http_prompt_redis_disconnect(redis);
    ngx_http_prompt_redis_lose(redis);
}


/* A callback may send the next command, which is refused here already. */
static void
ngx_http_prompt_redis_lose(ngx_http_prompt_redis_t *redis)
{
    ngx_http_prompt_redis_command_t  *command, *next;

    static const ngx_http_prompt_redis_reply_t  lost = {
        .kind = NGX_HTTP_PROMPT_REDIS_LOST
    };

    next = redis->first;

    redis->first = NULL;
    redis->last = &redis->first;

    while (next != NULL) {
        command = next;
        next = command->next;

        if (command->done != NULL) {
            redis->stats.lost++;
        }

        ngx_http_prompt_redis_finish(command, &lost);
    }
}


void
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

    ngx_http_prompt_timer_stop(&redis->timer);
    ngx_http_prompt_redis_become(redis, REDIS_WAITING);

    prompt_buf_free(&redis->out);
    redis->sent = 0;
}


static void
ngx_http_prompt_redis_connected(ngx_http_prompt_redis_t *redis)
{
    if (redis->connection->tcp_nodelay != NGX_TCP_NODELAY_DISABLED) {
        (void) ngx_tcp_nodelay(redis->connection);
    }

    ngx_http_prompt_redis_become(redis, REDIS_HANDSHAKE);

    if (ngx_http_prompt_redis_greet(redis) != NGX_OK) {
        ngx_http_prompt_redis_break(redis, "no memory");
        return;
    }

    ngx_post_event(redis->connection->write, &ngx_posted_events);
}


/*
 * What a connection begins with.  PING is the proof that Redis answers at
 * all (a stopped one still accepts connections), and has loaded its data;
 * ROLE says besides whether it is a master, not who was one until just now.
 */
static ngx_int_t
ngx_http_prompt_redis_greet(ngx_http_prompt_redis_t *redis)
{
    u_char                         db[NGX_INT_T_LEN];
    ngx_uint_t                     n;
    prompt_str_t                   words[3];
    ngx_http_prompt_redis_conf_t  *conf;

    conf = redis->conf;
    redis->handshake = 0;

    if (conf->password.len != 0) {
        n = 0;
        words[n++] = prompt_str("AUTH");

        if (conf->user.len != 0) {
            words[n++] = prompt_str_of((char *) conf->user.data,
                                       conf->user.len);
        }

        words[n++] = prompt_str_of((char *) conf->password.data,
                                   conf->password.len);

        if (ngx_http_prompt_redis_greet_by(redis, words, n) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    if (conf->db != 0) {
        words[0] = prompt_str("SELECT");
        words[1] = prompt_str_of((char *) db,
                                 ngx_sprintf(db, "%ui", conf->db) - db);

        if (ngx_http_prompt_redis_greet_by(redis, words, 2) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    words[0] = conf->must_be_master ? prompt_str("ROLE") : prompt_str("PING");

    return ngx_http_prompt_redis_greet_by(redis, words, 1);
}


static ngx_int_t
ngx_http_prompt_redis_greet_by(ngx_http_prompt_redis_t *redis,
    const prompt_str_t *words, ngx_uint_t n)
{
    redis->handshake++;

    return ngx_http_prompt_redis_append(redis, words, n);
}


ngx_uint_t
ngx_http_prompt_redis_master(const redisReply *role)
{
    return role->type == REDIS_REPLY_ARRAY
           && role->elements >= 1
           && role->element[0]->type == REDIS_REPLY_STRING
           && ngx_strcmp(role->element[0]->str, "master") == 0;
}


const char *
ngx_http_prompt_redis_greeted(ngx_http_prompt_redis_t *redis,
    redisReply *reply)
{
    size_t  n;

    if (reply->type == REDIS_REPLY_ERROR) {

        /* the code alone: some servers repeat the words of the command */

        n = strcspn(reply->str, " ");

        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_REDIS,
                                ngx_http_prompt_redis_name(redis->conf),
                                &redis->log,
                                "redis \"%V\" refused the connection: %*s; "
                                "see user=, password= and db= of "
                                "\"prompt_redis\"", &redis->conf->name,
                                ngx_min(n, 32), reply->str);

        return "not usable";
    }

    if (--redis->handshake != 0) {
        return NULL;
    }

    if (redis->conf->must_be_master && !ngx_http_prompt_redis_master(reply)) {
        return "not a master";
    }

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, &redis->log, 0,
                   "prompt redis: ready, \"%V\"", &redis->conf->name);

    redis->stats.connects++;

    ngx_http_prompt_ratelog_over(NGX_HTTP_PROMPT_RATELOG_REDIS,
                                 ngx_http_prompt_redis_name(redis->conf),
                                 &redis->log);
    ngx_http_prompt_timer_stop(&redis->timer);

    redis->attempts = 0;
    ngx_http_prompt_redis_become(redis, REDIS_READY);

    return NULL;
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

    if (redis->state == REDIS_DRAINING && redis->first == NULL) {
        ngx_http_prompt_redis_end(redis);
        ngx_http_prompt_redis_connect(redis);
        return;
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


void
ngx_http_prompt_redis_timer_handler(ngx_event_t *ev)
{
    ngx_http_prompt_redis_t  *redis;

    redis = ngx_http_prompt_timer_owner(ev);

    if (redis->state == REDIS_WAITING) {
        ngx_http_prompt_redis_connect(redis);
        return;
    }

    ngx_http_prompt_redis_break(redis, "no answer");
}
