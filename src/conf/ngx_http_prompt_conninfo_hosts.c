/*
 * The hosts of a connection string: lists of one length, names resolved.
 */

#include "conf/ngx_http_prompt_conninfo.h"


static ngx_uint_t ngx_http_prompt_conninfo_length(const char *list);
static ngx_int_t ngx_http_prompt_conninfo_element(ngx_conf_t *cf,
    const char *list, ngx_uint_t i, ngx_str_t *element);
static ngx_int_t ngx_http_prompt_conninfo_check_port(ngx_conf_t *cf,
    ngx_str_t *port);
static ngx_int_t ngx_http_prompt_conninfo_add(
    const ngx_http_prompt_conninfo_t *ci, ngx_array_t *hosts, ngx_str_t *name,
    ngx_str_t *addr, ngx_str_t *port);
static ngx_int_t ngx_http_prompt_conninfo_resolve(
    const ngx_http_prompt_conninfo_t *ci, ngx_array_t *hosts, ngx_str_t *name,
    const char *port);
static ngx_int_t ngx_http_prompt_conninfo_host(ngx_array_t *hosts,
    const char *host, const char *hostaddr, const char *port, ngx_uint_t place);


/*
 * host, hostaddr and port are lists of one length (or a single port), of
 * which either of the first two may be missing.
 */
ngx_int_t
ngx_http_prompt_conninfo_hosts(const ngx_http_prompt_conninfo_t *ci)
{
    ngx_str_t     name, addr, port;
    ngx_uint_t    i, n, names, addrs, ports;
    ngx_conf_t   *cf;
    ngx_array_t  *hosts;

    cf = ci->cf;
    names = ngx_http_prompt_conninfo_length(ci->host);
    addrs = ngx_http_prompt_conninfo_length(ci->hostaddr);
    ports = ngx_http_prompt_conninfo_length(ci->port);

    n = ngx_max(names, addrs);
    n = ngx_max(n, 1);

    if ((names != 0 && names != n) || (addrs != 0 && addrs != n)
        || (ports > 1 && ports != n))
    {
        return ngx_http_prompt_conf_error(cf,
                   "invalid connection string of \"%V\": hosts, addresses and "
                   "ports differ in number; write one port, or as many as "
                   "hosts", cf->args->elts);
    }

    for (i = 0; i < ports; i++) {
        if (ngx_http_prompt_conninfo_element(cf, ci->port, i, &port) != NGX_OK
            || ngx_http_prompt_conninfo_check_port(cf, &port) != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    hosts = ngx_array_create(cf->pool, n,
                             sizeof(ngx_http_prompt_postgres_host_t));
    if (hosts == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < n; i++) {

        /* a single one is for all */

        if (ngx_http_prompt_conninfo_element(cf, ci->host, i, &name) != NGX_OK
            || ngx_http_prompt_conninfo_element(cf, ci->hostaddr, i, &addr)
               != NGX_OK
            || ngx_http_prompt_conninfo_element(cf, ci->port,
                                                ports == 1 ? 0 : i, &port)
               != NGX_OK
            || ngx_http_prompt_conninfo_add(ci, hosts, &name, &addr, &port)
               != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    ci->conf->hosts = hosts->elts;
    ci->conf->nhosts = hosts->nelts;

    return NGX_OK;
}


/* of a comma-separated list; of none: 0 */
static ngx_uint_t
ngx_http_prompt_conninfo_length(const char *list)
{
    ngx_uint_t  n;

    for (n = (list != NULL); list != NULL && *list != '\0'; list++) {
        n += (*list == ',');
    }

    return n;
}


/*
 * Element i, which ends with NUL; of no list it is empty: libpq has its own
 * defaults.
 */
static ngx_int_t
ngx_http_prompt_conninfo_element(ngx_conf_t *cf, const char *list,
    ngx_uint_t i, ngx_str_t *element)
{
    if (list == NULL) {
        list = "";
        i = 0;
    }

    for ( /* void */ ; i != 0; i--) {
        list += strcspn(list, ",") + 1;
    }

    element->len = strcspn(list, ",");
    element->data = ngx_pnalloc(cf->pool, element->len + 1);

    if (element->data == NULL) {
        return NGX_ERROR;
    }

    (void) ngx_cpystrn(element->data, (u_char *) list, element->len + 1);

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_conninfo_check_port(ngx_conf_t *cf, ngx_str_t *port)
{
    ngx_int_t  n;

    n = ngx_atoi(port->data, port->len);

    if (port->len == 0 || (n >= 1 && n <= 65535)) {
        return NGX_OK;
    }

    return ngx_http_prompt_conf_error(cf,
               "invalid port \"%V\" in the connection string of \"%V\": write "
               "a number from 1 to 65535, such as \"port=5432\"", port,
               cf->args->elts);
}


/* An address as it is; a socket, or a name's addresses. */
static ngx_int_t
ngx_http_prompt_conninfo_add(const ngx_http_prompt_conninfo_t *ci,
    ngx_array_t *hosts, ngx_str_t *name, ngx_str_t *addr, ngx_str_t *port)
{
    if (addr->len != 0 && !ngx_http_prompt_names_numeric(addr)) {
        return ngx_http_prompt_conf_error(ci->cf,
                   "invalid address \"%V\" in the connection string of \"%V\": "
                   "write numbers, such as \"hostaddr=10.0.0.5\", or a name in "
                   "\"host\"", addr, ci->cf->args->elts);
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
        return ngx_http_prompt_conf_error(cf,
                   "%s: \"%V\" in the connection string of \"%V\"; write a "
                   "name that resolves, or an address",
                   u.err != NULL ? u.err : "cannot resolve", name,
                   cf->args->elts);
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
