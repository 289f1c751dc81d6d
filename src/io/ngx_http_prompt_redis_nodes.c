/*
 * The servers that a cluster has, or that Sentinel has named: found by their
 * addresses, kept while they are on the map.
 */

#include "io/ngx_http_prompt_redis_servers_impl.h"


static ngx_int_t ngx_http_prompt_redis_node_addr(
    ngx_http_prompt_redis_node_t *node, prompt_str_t host, ngx_uint_t port);
static void ngx_http_prompt_redis_node_count(
    ngx_http_prompt_redis_stats_t *sum, ngx_http_prompt_redis_t *redis);


ngx_uint_t
ngx_http_prompt_redis_node(ngx_http_prompt_redis_servers_t *servers,
    prompt_str_t host, ngx_uint_t port)
{
    ngx_uint_t                     i, place;
    ngx_http_prompt_redis_node_t  *node, *known;

    node = ngx_calloc(sizeof(ngx_http_prompt_redis_node_t),
                      servers->cycle->log);
    if (node == NULL) {
        return NGX_HTTP_PROMPT_REDIS_NO_NODE;
    }

    node->conf = *servers->conf;
    node->seen = servers->map;

    node->conf.must_be_master =
                     servers->conf->kind == NGX_HTTP_PROMPT_REDIS_SENTINEL;

    if (ngx_http_prompt_redis_node_addr(node, host, port) != NGX_OK) {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_REDIS,
                                ngx_http_prompt_redis_name(servers->conf),
                                servers->cycle->log,
                                "redis \"%V\" names a server \"%*s\", which "
                                "is no address: set "
                                "\"cluster-preferred-endpoint-type ip\" "
                                "there, or \"announce-hostnames no\" in "
                                "Sentinel", &servers->conf->name,
                                ngx_min(host.len, 64), host.data);
        ngx_free(node);
        return NGX_HTTP_PROMPT_REDIS_NO_NODE;
    }

    place = servers->nnodes;

    for (i = 0; i < servers->nnodes; i++) {
        known = servers->nodes[i];

        if (known == NULL) {
            place = i;

        } else if (known->conf.name.len == node->conf.name.len
                   && ngx_memcmp(known->name, node->name, node->conf.name.len)
                      == 0)
        {
            ngx_free(node);
            return i;
        }
    }

    if (place == NGX_HTTP_PROMPT_REDIS_MAX_NODES) {
        ngx_free(node);
        return NGX_HTTP_PROMPT_REDIS_NO_NODE;
    }

    node->commands = ngx_http_prompt_redis_create(servers->cycle, &node->conf);

    if (node->commands == NULL) {
        ngx_free(node);
        return NGX_HTTP_PROMPT_REDIS_NO_NODE;
    }

    servers->nodes[place] = node;

    if (place == servers->nnodes) {
        servers->nnodes++;
    }

    return place;
}


static ngx_int_t
ngx_http_prompt_redis_node_addr(ngx_http_prompt_redis_node_t *node,
    prompt_str_t host, ngx_uint_t port)
{
    u_char     *text;
    in_addr_t   in;

    text = (u_char *) host.data;
    in = ngx_inet_addr(text, host.len);

    if (in != INADDR_NONE) {
        node->sockaddr.sockaddr_in.sin_family = AF_INET;
        node->sockaddr.sockaddr_in.sin_addr.s_addr = in;
        node->addr.socklen = sizeof(struct sockaddr_in);

#if (NGX_HAVE_INET6)
    } else if (ngx_inet6_addr(text, host.len,
                              node->sockaddr.sockaddr_in6.sin6_addr.s6_addr)
               == NGX_OK)
    {
        node->sockaddr.sockaddr_in6.sin6_family = AF_INET6;
        node->addr.socklen = sizeof(struct sockaddr_in6);
#endif

    } else {
        return NGX_ERROR;
    }

    ngx_inet_set_port(&node->sockaddr.sockaddr, (in_port_t) port);

    node->addr.sockaddr = &node->sockaddr.sockaddr;
    node->addr.name.data = node->name;
    node->addr.name.len = ngx_sock_ntop(node->addr.sockaddr,
                                        node->addr.socklen, node->name,
                                        sizeof(node->name), 1);

    node->conf.name = node->addr.name;
    node->conf.addrs = &node->addr;
    node->conf.naddrs = 1;

    return NGX_OK;
}


void
ngx_http_prompt_redis_nodes_reap(ngx_http_prompt_redis_servers_t *servers)
{
    ngx_uint_t                     i;
    ngx_http_prompt_redis_node_t  *node;

    for (i = 0; i < servers->nnodes; i++) {
        node = servers->nodes[i];

        if (node == NULL || node->seen == servers->map) {
            continue;
        }

        /* callbacks may make new calls, which do not find it any more */

        servers->nodes[i] = NULL;

        ngx_http_prompt_redis_end(node->commands);

        if (node->durable != NULL) {
            ngx_http_prompt_redis_end(node->durable);
        }

        ngx_http_prompt_redis_node_count(&servers->gone, node->commands);
        ngx_http_prompt_redis_node_count(&servers->gone, node->durable);

        ngx_http_prompt_redis_node_free(node);
    }
}


void
ngx_http_prompt_redis_node_free(ngx_http_prompt_redis_node_t *node)
{
    ngx_http_prompt_redis_close(node->commands);
    ngx_http_prompt_redis_close(node->durable);

    ngx_free(node);
}


void
ngx_http_prompt_redis_servers_stats(ngx_http_prompt_redis_servers_t *servers,
    ngx_http_prompt_redis_stats_t *stats)
{
    ngx_uint_t                     i;
    ngx_http_prompt_redis_node_t  *node;

    *stats = servers->gone;

    ngx_http_prompt_redis_node_count(stats, servers->first);

    for (i = 0; i < servers->nnodes; i++) {
        node = servers->nodes[i];

        if (node != NULL) {
            ngx_http_prompt_redis_node_count(stats, node->commands);
            ngx_http_prompt_redis_node_count(stats, node->durable);
        }
    }

    stats->up = ngx_http_prompt_redis_servers_up(servers);
}


static void
ngx_http_prompt_redis_node_count(ngx_http_prompt_redis_stats_t *sum,
    ngx_http_prompt_redis_t *redis)
{
    ngx_http_prompt_redis_stats_t  stats;

    if (redis == NULL) {
        return;
    }

    ngx_http_prompt_redis_stats(redis, &stats);

    sum->commands += stats.commands;
    sum->refused += stats.refused;
    sum->timeouts += stats.timeouts;
    sum->lost += stats.lost;
    sum->errors += stats.errors;
    sum->connects += stats.connects;
    sum->failures += stats.failures;
    sum->in_flight += stats.in_flight;
}
