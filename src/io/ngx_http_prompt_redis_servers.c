/*
 * The servers of Redis: calls, from the moment they are given to the moment
 * they are answered, by whoever has the key.
 */

#include "io/ngx_http_prompt_redis_servers_impl.h"


#define REDIS_PARKED         10                  /* ms, between two attempts */
#define REDIS_DURABLE        1000                /* ms, of one attempt */
#define REDIS_STALE          50                  /* ms, between two questions */
#define REDIS_LOOK_CLUSTER   5000                /* ms, where nothing moves */
#define REDIS_LOOK_SENTINEL  1000
#define REDIS_DOUBT_MIN      1000
#define REDIS_DOUBT_MAX      60000


static void ngx_http_prompt_redis_servers_handler(ngx_event_t *ev);
static void ngx_http_prompt_redis_servers_doubt(
    ngx_http_prompt_redis_servers_t *servers);
static ngx_uint_t ngx_http_prompt_redis_call_send(
    ngx_http_prompt_redis_call_t *call);
static ngx_http_prompt_redis_call_t *ngx_http_prompt_redis_call_create(
    ngx_http_prompt_redis_servers_t *servers, const prompt_str_t *words,
    ngx_uint_t n, ngx_http_prompt_redis_done_pt done, void *data);
static void ngx_http_prompt_redis_call_unpark(
    ngx_http_prompt_redis_call_t *call);
static void ngx_http_prompt_redis_call_retry(
    ngx_http_prompt_redis_servers_t *servers);
static void ngx_http_prompt_redis_call_answered(void *data,
    const ngx_http_prompt_redis_reply_t *reply);


ngx_http_prompt_redis_servers_t *
ngx_http_prompt_redis_servers_create(ngx_cycle_t *cycle,
    ngx_http_prompt_redis_conf_t *conf)
{
    ngx_http_prompt_redis_servers_t  *servers;

    servers = ngx_calloc(sizeof(ngx_http_prompt_redis_servers_t), cycle->log);
    if (servers == NULL) {
        return NULL;
    }

    servers->conf = conf;
    servers->cycle = cycle;
    servers->first_conf = *conf;
    servers->doubted = ngx_current_msec;
    servers->patience = REDIS_DOUBT_MIN;

    ngx_queue_init(&servers->calls);
    ngx_queue_init(&servers->parked);

    ngx_http_prompt_timer_init(&servers->timer,
                               ngx_http_prompt_redis_servers_handler, servers,
                               cycle->log);
    servers->timer.event.cancelable = 1;

    if (conf->kind == NGX_HTTP_PROMPT_REDIS_SENTINEL) {
        servers->first_conf.db = 0;
        ngx_str_null(&servers->first_conf.user);
        servers->first_conf.password = conf->sentinel_password;
    }

    if (conf->kind != NGX_HTTP_PROMPT_REDIS_SINGLE) {
        servers->slots = ngx_alloc(PROMPT_REDIS_SLOTS * sizeof(uint16_t),
                                   cycle->log);
        if (servers->slots == NULL) {
            goto failed;
        }

        ngx_memset(servers->slots, 0xff,
                   PROMPT_REDIS_SLOTS * sizeof(uint16_t));
    }

    servers->first = ngx_http_prompt_redis_create(cycle,
                                                  &servers->first_conf);
    if (servers->first == NULL
        || ngx_http_prompt_names_create(&servers->first->names, cycle,
                                        &conf->names,
                                        ngx_http_prompt_redis_servers_move,
                                        servers)
           != NGX_OK)
    {
        goto failed;
    }

    ngx_http_prompt_redis_servers_begin(servers);

    if (servers->slots != NULL) {
        servers->stale = 1;
        ngx_http_prompt_redis_servers_wake(servers, 1);
    }

    return servers;

failed:

    ngx_http_prompt_redis_servers_close(servers);

    return NULL;
}


void
ngx_http_prompt_redis_servers_close(ngx_http_prompt_redis_servers_t *servers)
{
    ngx_uint_t                     i;
    ngx_queue_t                   *q;
    ngx_http_prompt_redis_call_t  *call;

    if (servers == NULL) {
        return;
    }

    ngx_http_prompt_timer_stop(&servers->timer);

    if (servers->first != NULL) {
        ngx_http_prompt_names_destroy(servers->first->names);
        ngx_http_prompt_redis_close(servers->first);
    }

    if (servers->moved != NULL) {
        ngx_free(servers->moved);
    }

    for (i = 0; i < servers->nnodes; i++) {

        if (servers->nodes[i] != NULL) {
            ngx_http_prompt_redis_node_free(servers->nodes[i]);
        }
    }

    while (!ngx_queue_empty(&servers->calls)) {
        q = ngx_queue_head(&servers->calls);
        call = ngx_queue_data(q, ngx_http_prompt_redis_call_t, queue);

        ngx_queue_remove(q);
        ngx_free(call);
    }

    ngx_free(servers->slots);
    ngx_free(servers);
}


void
ngx_http_prompt_redis_servers_wake(ngx_http_prompt_redis_servers_t *servers,
    ngx_msec_t ms)
{
    ngx_event_t  *timer;

    timer = &servers->timer.event;

    if (timer->timer_set
        && (ngx_msec_int_t) (timer->timer.key - ngx_current_msec - ms) <= 0)
    {
        return;
    }

    /* one that is set moves by 300 ms at least */

    ngx_http_prompt_timer_stop(&servers->timer);
    ngx_add_timer(timer, ms);
}


static void
ngx_http_prompt_redis_servers_handler(ngx_event_t *ev)
{
    ngx_msec_t                        look;
    ngx_http_prompt_redis_servers_t  *servers;

    servers = ngx_http_prompt_timer_owner(ev);

    ngx_http_prompt_redis_nodes_reap(servers);

    look = REDIS_LOOK_CLUSTER;

    if (servers->conf->kind == NGX_HTTP_PROMPT_REDIS_SENTINEL) {
        look = REDIS_LOOK_SENTINEL;
        ngx_http_prompt_redis_servers_doubt(servers);
    }

    /* whoever finds nobody wakes it: that alone asks no more often */

    if ((servers->stale || ngx_current_msec - servers->learnt >= look)
        && ngx_current_msec - servers->put >= REDIS_STALE)
    {
        ngx_http_prompt_redis_map_ask(servers);
    }

    ngx_http_prompt_redis_call_retry(servers);

    ngx_http_prompt_redis_servers_wake(servers,
                                       servers->nparked != 0 ? REDIS_PARKED
                                       : servers->stale ? REDIS_STALE : look);
}


/*
 * A Sentinel that is cut off from the others may know of nobody, or of a
 * master that is none any more: while there is none, the next one is asked,
 * after pauses that double.
 */
static void
ngx_http_prompt_redis_servers_doubt(ngx_http_prompt_redis_servers_t *servers)
{
    if (ngx_http_prompt_redis_servers_up(servers)) {
        servers->doubted = ngx_current_msec;
        servers->patience = REDIS_DOUBT_MIN;
        return;
    }

    if (servers->first_conf.naddrs < 2
        || servers->question != NULL
        || !ngx_http_prompt_redis_up(servers->first)
        || ngx_current_msec - servers->doubted < servers->patience)
    {
        return;
    }

    servers->doubted = ngx_current_msec;
    servers->patience = ngx_min(2 * servers->patience, REDIS_DOUBT_MAX);

    ngx_http_prompt_redis_break(servers->first,
                                "knows no master, asking another");
}


ngx_http_prompt_redis_call_t *
ngx_http_prompt_redis_servers_command(ngx_http_prompt_redis_servers_t *servers,
    const prompt_str_t *words, ngx_uint_t n, ngx_uint_t key,
    ngx_msec_t timeout, ngx_http_prompt_redis_done_pt done, void *data)
{
    ngx_http_prompt_redis_call_t  *call;

    if (timeout == 0) {
        timeout = servers->conf->timeout;
    }

    if (ngx_http_prompt_redis_servers_moves(servers)) {
        return NULL;
    }

    call = ngx_http_prompt_redis_call_create(servers, words, n, done, data);
    if (call == NULL) {
        return NULL;
    }

    call->deadline = ngx_current_msec + timeout;

    if (servers->slots == NULL) {
        call->command = ngx_http_prompt_redis_command(servers->first, words, n,
                                          timeout,
                                          ngx_http_prompt_redis_call_answered,
                                          call);
    } else {
        call->slot = prompt_redis_slot(words[key]);
        (void) ngx_http_prompt_redis_call_send(call);
    }

    if (call->command == NULL) {
        ngx_queue_remove(&call->queue);
        ngx_free(call);
        return NULL;
    }

    return call;
}


ngx_http_prompt_redis_call_t *
ngx_http_prompt_redis_servers_durable(ngx_http_prompt_redis_servers_t *servers,
    const prompt_str_t *words, ngx_uint_t n, ngx_msec_t timeout,
    ngx_http_prompt_redis_done_pt done, void *data)
{
    ngx_http_prompt_redis_call_t  *call;

    if (servers->slots == NULL) {
        return ngx_http_prompt_redis_servers_command(servers, words, n, 1,
                                                     timeout, done, data);
    }

    if (servers->nparked >= NGX_HTTP_PROMPT_REDIS_MAX_PARKED) {
        return NULL;
    }

    call = ngx_http_prompt_redis_call_create(servers, words, n, done, data);
    if (call == NULL) {
        return NULL;
    }

    call->deadline = ngx_current_msec + timeout;
    call->durable = 1;
    call->slot = prompt_redis_slot(words[1]);

    ngx_http_prompt_redis_call_go(call);

    return call;
}


void
ngx_http_prompt_redis_servers_detach(ngx_http_prompt_redis_call_t *call)
{
    if (call->command != NULL) {
        ngx_http_prompt_redis_detach(call->command);
    }

    ngx_http_prompt_redis_call_unpark(call);

    ngx_queue_remove(&call->queue);
    ngx_free(call);
}


ngx_msec_t
ngx_http_prompt_redis_servers_timeout(ngx_http_prompt_redis_servers_t *servers)
{
    return servers->conf->timeout;
}


ngx_uint_t
ngx_http_prompt_redis_servers_up(ngx_http_prompt_redis_servers_t *servers)
{
    ngx_uint_t                     i;
    ngx_http_prompt_redis_node_t  *node;

    if (servers->slots == NULL) {
        return ngx_http_prompt_redis_up(servers->first)
               && !ngx_http_prompt_redis_servers_moves(servers);
    }

    for (i = 0; i < servers->nnodes; i++) {
        node = servers->nodes[i];

        if (node != NULL && ngx_http_prompt_redis_up(node->commands)) {
            return 1;
        }
    }

    return 0;
}


/* With a copy of the words where they may have to be sent again. */
static ngx_http_prompt_redis_call_t *
ngx_http_prompt_redis_call_create(ngx_http_prompt_redis_servers_t *servers,
    const prompt_str_t *words, ngx_uint_t n,
    ngx_http_prompt_redis_done_pt done, void *data)
{
    char                          *p;
    size_t                         len;
    ngx_uint_t                     i;
    ngx_http_prompt_redis_call_t  *call;

    if (n > NGX_HTTP_PROMPT_REDIS_MAX_WORDS) {
        return NULL;
    }

    len = 0;

    for (i = 0; servers->slots != NULL && i < n; i++) {
        len += words[i].len;
    }

    call = ngx_alloc(sizeof(ngx_http_prompt_redis_call_t) + len,
                     servers->cycle->log);
    if (call == NULL) {
        return NULL;
    }

    ngx_memzero(call, offsetof(ngx_http_prompt_redis_call_t, words));

    call->servers = servers;
    call->done = done;
    call->data = data;

    ngx_queue_insert_tail(&servers->calls, &call->queue);

    if (servers->slots == NULL) {
        return call;
    }

    p = (char *) (call + 1);
    call->n = n;

    for (i = 0; i < n; i++) {
        ngx_memcpy(p, words[i].data, words[i].len);
        call->words[i] = prompt_str_of(p, words[i].len);
        p += words[i].len;
    }

    return call;
}


void
ngx_http_prompt_redis_call_go(ngx_http_prompt_redis_call_t *call)
{
    if (!ngx_http_prompt_redis_call_send(call)) {
        ngx_http_prompt_redis_call_park(call);
    }
}


/* Sets command, and returns 1; or the server is not there now. */
static ngx_uint_t
ngx_http_prompt_redis_call_send(ngx_http_prompt_redis_call_t *call)
{
    ngx_int_t                         left;
    ngx_uint_t                        n, asks, place;
    prompt_str_t                      one[2];
    const prompt_str_t               *words;
    ngx_http_prompt_redis_t         **redis;
    ngx_http_prompt_redis_node_t     *node;
    ngx_http_prompt_redis_servers_t  *servers;

    ngx_http_prompt_redis_command_t  *(*send)(ngx_http_prompt_redis_t *redis,
        const prompt_str_t *words, ngx_uint_t n, ngx_msec_t timeout,
        ngx_http_prompt_redis_done_pt done, void *data);

    servers = call->servers;
    left = (ngx_msec_int_t) (call->deadline - ngx_current_msec);
    asks = (call->way == REDIS_CALL_ASK);
    place = asks ? call->ask : servers->slots[call->slot];
    node = place < servers->nnodes ? servers->nodes[place] : NULL;

    if (node == NULL || left <= 0) {
        call->way = asks ? REDIS_CALL_ASKED : call->way;
        goto stale;
    }

    /* a master that stands still may not be one for as long as that */

    if (call->durable) {
        left = ngx_min(left, REDIS_DURABLE);
    }

    redis = call->durable ? &node->durable : &node->commands;

    if (*redis == NULL) {
        *redis = ngx_http_prompt_redis_create(servers->cycle, &node->conf);

        if (*redis == NULL) {
            return 0;
        }
    }

    if (!ngx_http_prompt_redis_up(*redis)) {
        goto stale;
    }

    words = call->words;
    n = call->n;

    if (call->single != 0) {
        one[0] = call->words[0];
        one[1] = call->words[call->single];
        words = one;
        n = 2;
    }

    send = asks ? ngx_http_prompt_redis_asking : ngx_http_prompt_redis_command;

    call->node = node;
    call->command = send(*redis, words, n, (ngx_msec_t) left,
                         ngx_http_prompt_redis_call_answered, call);
    call->way = asks ? REDIS_CALL_ASKED : REDIS_CALL_BY_MAP;

    return call->command != NULL;

stale:

    /* perhaps somebody else has its slots by now */

    servers->stale = 1;
    ngx_http_prompt_redis_servers_wake(servers, REDIS_PARKED);

    return 0;
}


void
ngx_http_prompt_redis_call_park(ngx_http_prompt_redis_call_t *call)
{
    ngx_http_prompt_redis_servers_t  *servers;

    servers = call->servers;

    call->waits = 1;
    servers->nparked++;

    ngx_queue_insert_tail(&servers->parked, &call->parked);

    /* it has no timer of its own, and a worker that quits waits for it */

    servers->timer.event.cancelable = 0;

    ngx_http_prompt_redis_servers_wake(servers, REDIS_PARKED);
}


static void
ngx_http_prompt_redis_call_unpark(ngx_http_prompt_redis_call_t *call)
{
    ngx_http_prompt_redis_servers_t  *servers;

    if (!call->waits) {
        return;
    }

    servers = call->servers;

    call->waits = 0;
    servers->nparked--;
    ngx_queue_remove(&call->parked);

    servers->timer.event.cancelable = (servers->nparked == 0);
}


/* Those that wait, once each: callbacks may take others away, or add some. */
static void
ngx_http_prompt_redis_call_retry(ngx_http_prompt_redis_servers_t *servers)
{
    ngx_uint_t                      n;
    ngx_queue_t                    *q;
    ngx_http_prompt_redis_call_t   *call;
    ngx_http_prompt_redis_reply_t   reply;

    ngx_memzero(&reply, sizeof(ngx_http_prompt_redis_reply_t));
    reply.kind = NGX_HTTP_PROMPT_REDIS_TIMEOUT;

    for (n = servers->nparked;
         n != 0 && !ngx_queue_empty(&servers->parked);
         n--)
    {
        q = ngx_queue_head(&servers->parked);
        call = ngx_queue_data(q, ngx_http_prompt_redis_call_t, parked);

        ngx_http_prompt_redis_call_unpark(call);

        if ((ngx_msec_int_t) (call->deadline - ngx_current_msec) <= 0) {
            ngx_http_prompt_redis_shut(call);
            ngx_http_prompt_redis_call_finish(call, &reply);

        } else {
            ngx_http_prompt_redis_call_go(call);
        }
    }
}


static void
ngx_http_prompt_redis_call_answered(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_redis_call_t  *call = data;

    call->command = NULL;

    if (call->n == 0) {
        ngx_http_prompt_redis_call_finish(call, reply);
        return;
    }

    if (reply->kind == NGX_HTTP_PROMPT_REDIS_LOST) {
        call->servers->stale = 1;
        ngx_http_prompt_redis_servers_wake(call->servers, REDIS_PARKED);
    }

    if (ngx_http_prompt_redis_unknown(reply)) {
        ngx_http_prompt_redis_shut(call);
    }

    if (reply->kind == NGX_HTTP_PROMPT_REDIS_ERROR
        && ngx_http_prompt_redis_call_moved(call, reply))
    {
        return;
    }

    if (!call->durable) {
        ngx_http_prompt_redis_call_finish(call, reply);
        return;
    }

    if (reply->kind == NGX_HTTP_PROMPT_REDIS_INTEGER) {
        call->integer = reply->integer;
        ngx_http_prompt_redis_confirm(call);
        return;
    }

    ngx_http_prompt_redis_call_again(call);
}


void
ngx_http_prompt_redis_call_confirmed(ngx_http_prompt_redis_call_t *call)
{
    ngx_http_prompt_redis_reply_t  reply;

    if (call->single > 1) {
        call->single--;
        call->moves = 0;
        call->way = REDIS_CALL_BY_MAP;

        ngx_http_prompt_redis_call_go(call);
        return;
    }

    ngx_memzero(&reply, sizeof(ngx_http_prompt_redis_reply_t));
    reply.kind = NGX_HTTP_PROMPT_REDIS_INTEGER;
    reply.integer = call->integer;

    ngx_http_prompt_redis_call_finish(call, &reply);
}


void
ngx_http_prompt_redis_call_again(ngx_http_prompt_redis_call_t *call)
{
    call->moves = 0;
    call->way = REDIS_CALL_BY_MAP;
    call->servers->stale = 1;

    ngx_http_prompt_redis_call_park(call);
}


void
ngx_http_prompt_redis_call_finish(ngx_http_prompt_redis_call_t *call,
    const ngx_http_prompt_redis_reply_t *reply)
{
    void                           *data;
    ngx_http_prompt_redis_done_pt   done;

    done = call->done;
    data = call->data;

    ngx_queue_remove(&call->queue);
    ngx_free(call);

    done(data, reply);
}
