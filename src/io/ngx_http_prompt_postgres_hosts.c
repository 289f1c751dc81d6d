/*
 * Where PostgreSQL is, when a name of the connection string moves.
 */

#include "io/ngx_http_prompt_postgres_impl.h"


static void ngx_http_prompt_postgres_move(void *data, ngx_uint_t place,
    const ngx_addr_t *addrs, ngx_uint_t n);
static ngx_http_prompt_postgres_host_t *ngx_http_prompt_postgres_copy_hosts(
    ngx_http_prompt_postgres_t *pool, ngx_uint_t place,
    const ngx_addr_t *addrs, ngx_uint_t n, ngx_uint_t *count);
static ngx_uint_t ngx_http_prompt_postgres_is_named(
    ngx_http_prompt_postgres_connection_t *pc);


ngx_int_t
ngx_http_prompt_postgres_hosts_init(ngx_http_prompt_postgres_t *pool,
    ngx_cycle_t *cycle)
{
    pool->hosts = pool->conf->hosts;
    pool->nhosts = pool->conf->nhosts;

    return ngx_http_prompt_names_create(&pool->names, cycle,
                                        &pool->conf->names,
                                        ngx_http_prompt_postgres_move, pool);
}


/*
 * A name has other addresses: connections to those that are on no list any
 * more drain, and are made again.
 */
static void
ngx_http_prompt_postgres_move(void *data, ngx_uint_t place,
    const ngx_addr_t *addrs, ngx_uint_t n)
{
    ngx_http_prompt_postgres_t  *pool = data;

    ngx_uint_t                              i, count;
    ngx_http_prompt_postgres_host_t        *hosts;
    ngx_http_prompt_postgres_connection_t  *pc;

    hosts = ngx_http_prompt_postgres_copy_hosts(pool, place, addrs, n, &count);
    if (hosts == NULL) {
        return;
    }

    if (pool->moved != NULL) {
        ngx_free(pool->moved);
    }

    pool->moved = hosts;
    pool->hosts = hosts;
    pool->nhosts = count;

    for (i = 0; i < pool->conf->connections; i++) {
        pc = &pool->connections[i];

        if (pc->host >= count) {
            pc->host = 0;
        }

        if (pc->state != POSTGRES_WAITING
            && !ngx_http_prompt_postgres_is_named(pc))
        {
            ngx_http_prompt_postgres_retire(pc, "its name has moved");
        }
    }

    ngx_http_prompt_postgres_wake(pool);
}


/*
 * The hosts with others in that place, and their texts behind them.  NULL: no
 * memory, and all stays as it is.
 */
static ngx_http_prompt_postgres_host_t *
ngx_http_prompt_postgres_copy_hosts(ngx_http_prompt_postgres_t *pool,
    ngx_uint_t place, const ngx_addr_t *addrs, ngx_uint_t n, ngx_uint_t *count)
{
    u_char                           *text;
    size_t                            len;
    ngx_uint_t                        i, j, m;
    ngx_http_prompt_postgres_host_t  *hosts, *from, *host;

    m = pool->nhosts + n;

    hosts = ngx_alloc(m * (sizeof(ngx_http_prompt_postgres_host_t)
                           + NGX_SOCKADDR_STRLEN + 1), &pool->log);
    if (hosts == NULL) {
        return NULL;
    }

    text = (u_char *) (hosts + m);
    host = hosts;

    for (i = 0; i < pool->nhosts; i++) {
        from = &pool->hosts[i];

        if (from->place != place) {
            *host = *from;
            host->hostaddr = (char *) text;
            text = ngx_cpystrn(text, (u_char *) from->hostaddr,
                               NGX_SOCKADDR_STRLEN + 1)
                   + 1;
            host++;
            continue;
        }

        if (i != 0 && pool->hosts[i - 1].place == place) {
            continue;
        }

        for (j = 0; j < n; j++) {
            *host = *from;
            host->hostaddr = (char *) text;
            len = ngx_sock_ntop(addrs[j].sockaddr, addrs[j].socklen, text,
                                NGX_SOCKADDR_STRLEN, 0);
            text[len] = '\0';
            text += len + 1;
            host++;
        }
    }

    *count = (ngx_uint_t) (host - hosts);

    return hosts;
}


/* whether it leads to where a name leads now */
static ngx_uint_t
ngx_http_prompt_postgres_is_named(ngx_http_prompt_postgres_connection_t *pc)
{
    char        *addr;
    ngx_uint_t   i;

    addr = PQhostaddr(pc->pg);

    for (i = 0; addr != NULL && i < pc->pool->nhosts; i++) {

        /* of a socket libpq says where that is */

        if (pc->pool->hosts[i].hostaddr[0] == '\0'
            || ngx_strcmp(pc->pool->hosts[i].hostaddr, addr) == 0)
        {
            return 1;
        }
    }

    return 0;
}
