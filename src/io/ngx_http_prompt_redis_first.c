/*
 * The servers that prompt_redis names: when their names move, and when the
 * worker quits.
 */

#include "io/ngx_http_prompt_redis_servers_impl.h"


/* times `resolve': whoever has not looked it up by then cannot */
#define REDIS_MOVES  2


static ngx_uint_t ngx_http_prompt_redis_servers_lately(
    const ngx_http_prompt_redis_conf_t *conf, ngx_msec_t since);
static ngx_atomic_uint_t ngx_http_prompt_redis_servers_hash(
    const ngx_http_prompt_redis_conf_t *conf);
static ngx_uint_t ngx_http_prompt_redis_servers_least(const ngx_addr_t *addrs,
    ngx_uint_t n, ngx_uint_t j);
static void ngx_http_prompt_redis_servers_note(
    const ngx_http_prompt_redis_servers_t *servers);
static void ngx_http_prompt_redis_servers_pause(
    ngx_http_prompt_redis_servers_t *servers, ngx_msec_t since);


void
ngx_http_prompt_redis_servers_move(void *data, ngx_uint_t place,
    const ngx_addr_t *addrs, ngx_uint_t n)
{
    ngx_http_prompt_redis_servers_t  *servers = data;

    ngx_uint_t                          i, j, m, moves, *places;
    ngx_addr_t                         *to;
    ngx_sockaddr_t                     *sockaddrs;
    const ngx_http_prompt_redis_conf_t   *from;

    from = &servers->first_conf;
    m = from->naddrs + n;

    sockaddrs = ngx_calloc(m * (sizeof(ngx_sockaddr_t) + sizeof(ngx_addr_t)
                                + sizeof(ngx_uint_t)), servers->cycle->log);
    if (sockaddrs == NULL) {
        return;
    }

    to = (ngx_addr_t *) (sockaddrs + m);
    places = (ngx_uint_t *) (to + m);
    m = 0;
    moves = 0;

    for (i = 0; i < from->naddrs; i++) {

        if (from->places[i] != place) {
            ngx_memcpy(&sockaddrs[m], from->addrs[i].sockaddr,
                       from->addrs[i].socklen);
            to[m].socklen = from->addrs[i].socklen;
            places[m++] = from->places[i];
            continue;
        }

        if (i != 0 && from->places[i - 1] == place) {
            continue;
        }

        for (j = 0; j < n; j++) {
            if (from->kind == NGX_HTTP_PROMPT_REDIS_SINGLE
                && !ngx_http_prompt_redis_servers_least(addrs, n, j))
            {
                continue;
            }

            ngx_memcpy(&sockaddrs[m], addrs[j].sockaddr, addrs[j].socklen);
            ngx_inet_set_port(&sockaddrs[m].sockaddr,
                              ngx_inet_get_port(from->addrs[i].sockaddr));
            to[m].socklen = addrs[j].socklen;
            places[m++] = place;
        }
    }

    for (i = 0; i < m; i++) {
        to[i].sockaddr = &sockaddrs[i].sockaddr;
        moves |= !ngx_http_prompt_redis_has_addr(from, to[i].sockaddr,
                                                 to[i].socklen);
    }

    if (moves) {
        ngx_http_prompt_redis_servers_pause(servers, ngx_current_msec);
    }

    if (servers->moved != NULL) {
        ngx_free(servers->moved);
    }

    servers->moved = sockaddrs;
    servers->first_conf.addrs = to;
    servers->first_conf.places = places;
    servers->first_conf.naddrs = m;

    ngx_http_prompt_redis_servers_note(servers);

    ngx_http_prompt_redis_move(servers->first);
}


/* Workers that begin later are as careful as those that have seen it move. */
static void
ngx_http_prompt_redis_servers_note(
    const ngx_http_prompt_redis_servers_t *servers)
{
    ngx_atomic_t       *server;
    ngx_atomic_uint_t   hash;

    server = servers->conf->server;
    hash = ngx_http_prompt_redis_servers_hash(&servers->first_conf);

    if (server != NULL && server[0] != hash) {
        server[1] = ngx_current_msec;
        server[0] = hash;
    }
}


void
ngx_http_prompt_redis_servers_begin(ngx_http_prompt_redis_servers_t *servers)
{
    const ngx_http_prompt_redis_conf_t  *conf;

    conf = servers->conf;

    if (conf->names.names.nelts == 0 || conf->server == NULL) {
        return;
    }

    if (conf->server[0] != ngx_http_prompt_redis_servers_hash(conf)) {
        ngx_http_prompt_redis_servers_pause(servers, ngx_current_msec);

    } else if (ngx_http_prompt_redis_servers_lately(conf, conf->server[1])) {
        ngx_http_prompt_redis_servers_pause(servers, conf->server[1]);
    }
}


static void
ngx_http_prompt_redis_servers_pause(ngx_http_prompt_redis_servers_t *servers,
    ngx_msec_t since)
{
    if (servers->slots == NULL) {
        servers->moves = 1;
        servers->moved_at = since;

        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_MOVED,
                                prompt_str_absent, servers->cycle->log,
                                "prompt: \"%V\" is another Redis than before, "
                                "or the first one: it is asked nothing for %M "
                                "ms", &servers->conf->name,
                                servers->conf->names.every * REDIS_MOVES);
    }
}


static ngx_atomic_uint_t
ngx_http_prompt_redis_servers_hash(const ngx_http_prompt_redis_conf_t *conf)
{
    uint64_t     hash;
    ngx_uint_t   i;
    ngx_addr_t  *addr;

    hash = 1;

    for (i = 0; i < conf->naddrs; i++) {
        addr = &conf->addrs[i];
        hash = prompt_str_hash_seeded(
                   prompt_str_of((char *) addr->sockaddr, addr->socklen),
                   (uintptr_t) hash);
    }

    return (ngx_atomic_uint_t) hash;
}


/*
 * Of its family: those who answer take turns, and all workers and hosts have to
 * ask the same one.
 */
static ngx_uint_t
ngx_http_prompt_redis_servers_least(const ngx_addr_t *addrs, ngx_uint_t n,
    ngx_uint_t j)
{
    ngx_uint_t  i;

    for (i = 0; i < n; i++) {

        if (addrs[i].socklen == addrs[j].socklen
            && ngx_memcmp(addrs[i].sockaddr, addrs[j].sockaddr,
                          addrs[j].socklen)
               < 0)
        {
            return 0;
        }
    }

    return 1;
}


ngx_uint_t
ngx_http_prompt_redis_servers_moves(ngx_http_prompt_redis_servers_t *servers)
{
    if (servers->moves
        && !ngx_http_prompt_redis_servers_lately(servers->conf,
                                                 servers->moved_at))
    {
        servers->moves = 0;
    }

    return servers->moves;
}


/* The clock of a worker that begins may be behind that of another one. */
static ngx_uint_t
ngx_http_prompt_redis_servers_lately(const ngx_http_prompt_redis_conf_t *conf,
    ngx_msec_t since)
{
    return (ngx_msec_int_t) (ngx_current_msec - since)
           < (ngx_msec_int_t) (conf->names.every * REDIS_MOVES);
}


void
ngx_http_prompt_redis_servers_quit(ngx_http_prompt_redis_servers_t *servers,
    ngx_uint_t keep)
{
    ngx_http_prompt_names_stop(servers->first->names);

    if (servers->closed && keep) {
        servers->closed = 0;
        ngx_http_prompt_redis_connect(servers->first);

        if (servers->slots != NULL) {
            servers->stale = 1;
            ngx_http_prompt_redis_servers_wake(servers, 1);
        }
    }

    if (servers->closed || keep || !ngx_queue_empty(&servers->calls)) {
        return;
    }

    servers->closed = 1;
    servers->map++;

    ngx_http_prompt_redis_nodes_reap(servers);
    ngx_http_prompt_redis_end(servers->first);
    ngx_http_prompt_timer_stop(&servers->timer);
}
