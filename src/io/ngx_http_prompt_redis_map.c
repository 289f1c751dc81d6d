/*
 * Where keys live: what a cluster answers to CLUSTER SLOTS, or Sentinel to
 * SENTINEL get-master-addr-by-name.
 *
 * What is learnt is a proposal.  Who is wrong is told so by the servers: a
 * node of a cluster answers MOVED, and one that Sentinel has named must say
 * of itself that it is the master before it is used.
 */

#include "io/ngx_http_prompt_redis_servers_impl.h"


#define REDIS_QUESTION_TIMEOUT  1000             /* ms */


static ngx_http_prompt_redis_t *ngx_http_prompt_redis_map_whom(
    ngx_http_prompt_redis_servers_t *servers);
static void ngx_http_prompt_redis_map_answered(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static ngx_int_t ngx_http_prompt_redis_map_sentinel(
    ngx_http_prompt_redis_servers_t *servers, const redisReply *reply);
static ngx_int_t ngx_http_prompt_redis_map_cluster(
    ngx_http_prompt_redis_servers_t *servers, const redisReply *reply);
static ngx_uint_t ngx_http_prompt_redis_map_node(
    ngx_http_prompt_redis_servers_t *servers, const redisReply *range);
static prompt_str_t ngx_http_prompt_redis_map_host(
    ngx_http_prompt_redis_servers_t *servers, const redisReply *master);


void
ngx_http_prompt_redis_map_ask(ngx_http_prompt_redis_servers_t *servers)
{
    ngx_uint_t                n;
    prompt_str_t              words[3];
    ngx_http_prompt_redis_t  *redis;

    if (servers->question != NULL) {
        return;
    }

    redis = ngx_http_prompt_redis_map_whom(servers);

    if (redis == NULL) {
        return;
    }

    if (servers->conf->kind == NGX_HTTP_PROMPT_REDIS_SENTINEL) {
        words[0] = prompt_str("SENTINEL");
        words[1] = prompt_str("get-master-addr-by-name");
        words[2] = prompt_str_of((char *) servers->conf->master.data,
                                 servers->conf->master.len);
        n = 3;

    } else {
        words[0] = prompt_str("CLUSTER");
        words[1] = prompt_str("SLOTS");
        n = 2;
    }

    servers->question =
        ngx_http_prompt_redis_command(redis, words, n, REDIS_QUESTION_TIMEOUT,
                                      ngx_http_prompt_redis_map_answered,
                                      servers);

    if (servers->question != NULL) {

        /* nobody waits for it: a worker that quits need not either */

        servers->question->timer.event.cancelable = 1;
        servers->put = ngx_current_msec;
    }
}


/*
 * Nodes of the cluster in turn, as one may have been taken out of it and not
 * know; those of the directive where none is there, and Sentinels always.
 */
static ngx_http_prompt_redis_t *
ngx_http_prompt_redis_map_whom(ngx_http_prompt_redis_servers_t *servers)
{
    ngx_uint_t                     i;
    ngx_http_prompt_redis_node_t  *node;

    if (servers->conf->kind == NGX_HTTP_PROMPT_REDIS_CLUSTER) {

        for (i = 0; i < servers->nnodes; i++) {
            node = servers->nodes[servers->turn++ % servers->nnodes];

            if (node != NULL && ngx_http_prompt_redis_up(node->commands)) {
                return node->commands;
            }
        }
    }

    return ngx_http_prompt_redis_up(servers->first) ? servers->first : NULL;
}


static void
ngx_http_prompt_redis_map_answered(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_redis_servers_t  *servers = data;

    ngx_int_t           rc;
    const redisReply   *array;
    struct sockaddr    *sockaddr;
    u_char              text[NGX_SOCKADDR_STRLEN];
    ngx_connection_t   *c;

    array = reply->array;
    rc = NGX_ERROR;

    if (servers->conf->kind == NGX_HTTP_PROMPT_REDIS_SENTINEL) {
        rc = ngx_http_prompt_redis_map_sentinel(servers, array);

    } else if (array != NULL) {
        c = servers->question->redis->connection;

        /* what a node calls "here" */

        if (c != NULL) {
            sockaddr = servers->question->redis->peer.sockaddr;
            servers->asked = prompt_str_of((char *) text,
                ngx_sock_ntop(sockaddr,
                              servers->question->redis->peer.socklen, text,
                              sizeof(text), 0));
        }

        rc = ngx_http_prompt_redis_map_cluster(servers, array);

        servers->asked = prompt_str_absent;
    }

    servers->question = NULL;

    if (rc == NGX_OK) {
        servers->learnt = ngx_current_msec;
        servers->stale = 0;

        ngx_http_prompt_ratelog_over(NGX_HTTP_PROMPT_RATELOG_REDIS,
                                     ngx_http_prompt_redis_name(servers->conf),
                                     servers->cycle->log);
        ngx_http_prompt_redis_servers_wake(servers, 1);
        return;
    }

    /* that nobody answers is the fault of the connection */

    if (!ngx_http_prompt_redis_unknown(reply)) {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_REDIS,
                                ngx_http_prompt_redis_name(servers->conf),
                                servers->cycle->log, "redis \"%V\": %s",
                                &servers->conf->name,
                                servers->conf->kind
                                    == NGX_HTTP_PROMPT_REDIS_SENTINEL
                                ? "Sentinel names no master: is the name of "
                                  "\"sentinel=\" right?"
                                : "no map of slots: is it a cluster, with all "
                                  "its slots assigned?");
    }
}


static ngx_int_t
ngx_http_prompt_redis_map_sentinel(ngx_http_prompt_redis_servers_t *servers,
    const redisReply *reply)
{
    ngx_int_t          port;
    ngx_uint_t         i, place;
    const redisReply  *host, *number;

    if (reply == NULL || reply->elements != 2) {
        return NGX_ERROR;
    }

    host = reply->element[0];
    number = reply->element[1];

    if (host->type != REDIS_REPLY_STRING || number->type != REDIS_REPLY_STRING)
    {
        return NGX_ERROR;
    }

    port = ngx_atoi((u_char *) number->str, number->len);

    if (port < 1 || port > 65535) {
        return NGX_ERROR;
    }

    place = ngx_http_prompt_redis_node(servers,
                                       prompt_str_of(host->str, host->len),
                                       (ngx_uint_t) port);

    if (place == NGX_HTTP_PROMPT_REDIS_NO_NODE) {
        return NGX_ERROR;
    }

    servers->nodes[place]->seen = ++servers->map;

    for (i = 0; i < PROMPT_REDIS_SLOTS; i++) {
        servers->slots[i] = (uint16_t) place;
    }

    return NGX_OK;
}


/* The map that was is kept until a whole one has come. */
static ngx_int_t
ngx_http_prompt_redis_map_cluster(ngx_http_prompt_redis_servers_t *servers,
    const redisReply *reply)
{
    size_t             i;
    uint16_t          *slots;
    long long          slot, last;
    ngx_uint_t         place;
    const redisReply  *range;

    slots = ngx_alloc(PROMPT_REDIS_SLOTS * sizeof(uint16_t),
                      servers->cycle->log);

    if (slots == NULL || reply->elements == 0) {
        ngx_free(slots);
        return NGX_ERROR;
    }

    ngx_memset(slots, 0xff, PROMPT_REDIS_SLOTS * sizeof(uint16_t));

    servers->map++;

    for (i = 0; i < reply->elements; i++) {
        range = reply->element[i];
        place = ngx_http_prompt_redis_map_node(servers, range);

        if (place == NGX_HTTP_PROMPT_REDIS_NO_NODE) {
            continue;
        }

        servers->nodes[place]->seen = servers->map;

        slot = range->element[0]->integer;
        last = range->element[1]->integer;

        while (slot >= 0 && slot <= last && slot < PROMPT_REDIS_SLOTS) {
            slots[slot++] = (uint16_t) place;
        }
    }

    ngx_free(servers->slots);
    servers->slots = slots;

    return NGX_OK;
}


/* [first slot, last slot, [host, port, id, [more]], replica, …] */
static ngx_uint_t
ngx_http_prompt_redis_map_node(ngx_http_prompt_redis_servers_t *servers,
    const redisReply *range)
{
    const redisReply  *master;

    if (range->type != REDIS_REPLY_ARRAY || range->elements < 3
        || range->element[0]->type != REDIS_REPLY_INTEGER
        || range->element[1]->type != REDIS_REPLY_INTEGER)
    {
        return NGX_HTTP_PROMPT_REDIS_NO_NODE;
    }

    master = range->element[2];

    if (master->type != REDIS_REPLY_ARRAY || master->elements < 2
        || master->element[1]->type != REDIS_REPLY_INTEGER
        || master->element[1]->integer < 1
        || master->element[1]->integer > 65535)
    {
        return NGX_HTTP_PROMPT_REDIS_NO_NODE;
    }

    return ngx_http_prompt_redis_node(servers,
                             ngx_http_prompt_redis_map_host(servers, master),
                             (ngx_uint_t) master->element[1]->integer);
}


/*
 * The address; where the cluster prefers names it stands in what follows the
 * id, and where it knows none it is that of who was asked.
 */
static prompt_str_t
ngx_http_prompt_redis_map_host(ngx_http_prompt_redis_servers_t *servers,
    const redisReply *master)
{
    size_t             i;
    const redisReply  *host, *more, *name, *value;

    host = master->element[0];
    more = master->elements > 3 ? master->element[3] : NULL;

    if (more != NULL && more->type == REDIS_REPLY_ARRAY) {

        for (i = 0; i + 1 < more->elements; i += 2) {
            name = more->element[i];
            value = more->element[i + 1];

            if (name->type == REDIS_REPLY_STRING
                && value->type == REDIS_REPLY_STRING
                && value->len != 0
                && ngx_strcmp(name->str, "ip") == 0)
            {
                return prompt_str_of(value->str, value->len);
            }
        }
    }

    if (host->type != REDIS_REPLY_STRING || host->len == 0
        || (host->len == 1 && host->str[0] == '?'))
    {
        return servers->asked;
    }

    return prompt_str_of(host->str, host->len);
}
