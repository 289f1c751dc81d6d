/*
 * The hosts of a connection string: lists of one length, names resolved.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "conf/ngx_http_prompt_conninfo.h"


/* the three lists, split; of elements that end with NUL */
typedef struct {
    ngx_array_t  *names;             /* of ngx_str_t */
    ngx_array_t  *addrs;
    ngx_array_t  *ports;
} ngx_http_prompt_conninfo_lists_t;


static ngx_int_t ngx_http_prompt_conninfo_lists(
    const ngx_http_prompt_conninfo_t *ci,
    ngx_http_prompt_conninfo_lists_t *lists);
static ngx_array_t *ngx_http_prompt_conninfo_split(ngx_conf_t *cf,
    const char *list);
static ngx_int_t ngx_http_prompt_conninfo_check_ports(ngx_conf_t *cf,
    ngx_array_t *ports);
static ngx_str_t *ngx_http_prompt_conninfo_element(ngx_array_t *list,
    ngx_uint_t i);
static ngx_int_t ngx_http_prompt_conninfo_add(
    const ngx_http_prompt_conninfo_t *ci, ngx_array_t *hosts, ngx_str_t *name,
    ngx_str_t *addr, ngx_str_t *port);
static ngx_uint_t ngx_http_prompt_conninfo_numeric(ngx_str_t *addr);
static ngx_int_t ngx_http_prompt_conninfo_resolve(
    const ngx_http_prompt_conninfo_t *ci, ngx_array_t *hosts, ngx_str_t *name,
    const char *port);
static ngx_int_t ngx_http_prompt_conninfo_host(ngx_array_t *hosts,
    const char *host, const char *hostaddr, const char *port, ngx_uint_t place);


ngx_int_t
ngx_http_prompt_conninfo_hosts(const ngx_http_prompt_conninfo_t *ci)
{
    ngx_uint_t                         i, n;
    ngx_array_t                       *hosts;
    ngx_http_prompt_conninfo_lists_t   lists;

    if (ngx_http_prompt_conninfo_lists(ci, &lists) != NGX_OK) {
        return NGX_ERROR;
    }

    hosts = ngx_array_create(ci->cf->pool, 2,
                             sizeof(ngx_http_prompt_postgres_host_t));
    if (hosts == NULL) {
        return NGX_ERROR;
    }

    n = ngx_max(lists.names->nelts, lists.addrs->nelts);
    n = ngx_max(n, 1);

    for (i = 0; i < n; i++) {

        if (ngx_http_prompt_conninfo_add(ci, hosts,
                             ngx_http_prompt_conninfo_element(lists.names, i),
                             ngx_http_prompt_conninfo_element(lists.addrs, i),
                             ngx_http_prompt_conninfo_element(lists.ports, i))
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    ci->conf->hosts = hosts->elts;
    ci->conf->nhosts = hosts->nelts;

    return NGX_OK;
}


/*
 * host, hostaddr and port are lists of one length (or a single port), of
 * which either of the first two may be missing.
 */
static ngx_int_t
ngx_http_prompt_conninfo_lists(const ngx_http_prompt_conninfo_t *ci,
    ngx_http_prompt_conninfo_lists_t *lists)
{
    ngx_uint_t    n;
    ngx_array_t  *names, *addrs, *ports;

    names = ngx_http_prompt_conninfo_split(ci->cf, ci->host);
    addrs = ngx_http_prompt_conninfo_split(ci->cf, ci->hostaddr);
    ports = ngx_http_prompt_conninfo_split(ci->cf, ci->port);

    if (names == NULL || addrs == NULL || ports == NULL) {
        return NGX_ERROR;
    }

    n = ngx_max(names->nelts, addrs->nelts);
    n = ngx_max(n, 1);

    if ((names->nelts != 0 && names->nelts != n)
        || (addrs->nelts != 0 && addrs->nelts != n)
        || (ports->nelts > 1 && ports->nelts != n))
    {
        ngx_conf_log_error(NGX_LOG_EMERG, ci->cf, 0,
                           "invalid connection string of \"%V\":"
                           " hosts, addresses and ports differ in number; "
                           "write one port, or as many as hosts",
                           ci->cf->args->elts);
        return NGX_ERROR;
    }

    lists->names = names;
    lists->addrs = addrs;
    lists->ports = ports;

    return ngx_http_prompt_conninfo_check_ports(ci->cf, ports);
}


/* The elements of a comma-separated list, each ending with NUL. */
static ngx_array_t *
ngx_http_prompt_conninfo_split(ngx_conf_t *cf, const char *list)
{
    size_t        len;
    ngx_str_t    *s;
    ngx_array_t  *a;

    a = ngx_array_create(cf->pool, 2, sizeof(ngx_str_t));
    if (a == NULL || list == NULL) {
        return a;
    }

    for ( ;; ) {
        len = strcspn(list, ",");

        s = ngx_array_push(a);
        if (s == NULL) {
            return NULL;
        }

        s->data = ngx_pnalloc(cf->pool, len + 1);
        if (s->data == NULL) {
            return NULL;
        }

        ngx_memcpy(s->data, list, len);
        s->data[len] = '\0';
        s->len = len;

        if (list[len] == '\0') {
            return a;
        }

        list += len + 1;
    }
}


static ngx_int_t
ngx_http_prompt_conninfo_check_ports(ngx_conf_t *cf, ngx_array_t *ports)
{
    ngx_int_t    n;
    ngx_str_t   *port;
    ngx_uint_t   i;

    port = ports->elts;

    for (i = 0; i < ports->nelts; i++) {
        n = ngx_atoi(port[i].data, port[i].len);

        if (port[i].len != 0 && (n < 1 || n > 65535)) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid port \"%V\" in the connection string "
                               "of \"%V\": write a number from "
                               "1 to 65535, such as \"port=5432\"",
                               &port[i], cf->args->elts);
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* a single one is for all, and none is empty: libpq has its own defaults */

static ngx_str_t *
ngx_http_prompt_conninfo_element(ngx_array_t *list, ngx_uint_t i)
{
    ngx_str_t  *element;

    static ngx_str_t  empty = ngx_string("");

    if (list->nelts == 0) {
        return &empty;
    }

    element = list->elts;

    return &element[list->nelts == 1 ? 0 : i];
}


/* An address as it is; a socket, or a name's addresses. */

static ngx_int_t
ngx_http_prompt_conninfo_add(const ngx_http_prompt_conninfo_t *ci,
    ngx_array_t *hosts, ngx_str_t *name, ngx_str_t *addr, ngx_str_t *port)
{
    if (addr->len != 0 && !ngx_http_prompt_conninfo_numeric(addr)) {
        ngx_conf_log_error(NGX_LOG_EMERG, ci->cf, 0,
                           "invalid address \"%V\" in the connection string "
                           "of \"%V\": write numbers, such as "
                           "\"hostaddr=10.0.0.5\", or a name in \"host\"",
                           addr, ci->cf->args->elts);
        return NGX_ERROR;
    }

    if (addr->len != 0 || name->len == 0
        || name->data[0] == '/' || name->data[0] == '@')
    {
        return ngx_http_prompt_conninfo_host(hosts, (char *) name->data,
                                             (char *) addr->data,
                                             (char *) port->data, 0);
    }

    return ngx_http_prompt_conninfo_resolve(ci, hosts, name,
                                            (char *) port->data);
}


/* as libpq will read it, a zone in it included */

static ngx_uint_t
ngx_http_prompt_conninfo_numeric(ngx_str_t *addr)
{
    struct addrinfo  hints, *res;

    ngx_memzero(&hints, sizeof(struct addrinfo));
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST;

    if (getaddrinfo((char *) addr->data, NULL, &hints, &res) != 0) {
        return 0;
    }

    freeaddrinfo(res);

    return 1;
}


static ngx_int_t
ngx_http_prompt_conninfo_resolve(const ngx_http_prompt_conninfo_t *ci,
    ngx_array_t *hosts, ngx_str_t *name, const char *port)
{
    size_t       len;
    u_char      *text;
    ngx_int_t    place;
    ngx_url_t    u;
    ngx_uint_t   i;
    ngx_conf_t  *cf;

    cf = ci->cf;

    ngx_memzero(&u, sizeof(ngx_url_t));

    u.url = *name;
    u.host = *name;

    if (ngx_inet_resolve_host(cf->pool, &u) != NGX_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "%s: \"%V\" in the connection string of "
                           "\"%V\"; write a name that resolves, or an address",
                           u.err != NULL ? u.err : "cannot resolve", name,
                           cf->args->elts);
        return NGX_ERROR;
    }

    place = ngx_http_prompt_names_add(cf->pool, &ci->conf->names, name);

    if (place == NGX_ERROR) {
        return NGX_ERROR;
    }

    for (i = 0; i < u.naddrs; i++) {

        text = ngx_pnalloc(cf->pool, NGX_SOCKADDR_STRLEN + 1);
        if (text == NULL) {
            return NGX_ERROR;
        }

        len = ngx_sock_ntop(u.addrs[i].sockaddr, u.addrs[i].socklen, text,
                            NGX_SOCKADDR_STRLEN, 0);
        text[len] = '\0';

        if (ngx_http_prompt_conninfo_host(hosts, (char *) name->data,
                                          (char *) text, port,
                                          (ngx_uint_t) place)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_conninfo_host(ngx_array_t *hosts, const char *host,
    const char *hostaddr, const char *port, ngx_uint_t place)
{
    ngx_http_prompt_postgres_host_t  *h;

    h = ngx_array_push(hosts);
    if (h == NULL) {
        return NGX_ERROR;
    }

    h->host = host;
    h->hostaddr = hostaddr;
    h->port = port;
    h->place = place;

    return NGX_OK;
}
