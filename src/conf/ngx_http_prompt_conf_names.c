/*
 * Host names that are looked up again.
 */

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#if (NGX_THREADS)
#include <ngx_thread_pool.h>
#endif

#include <netdb.h>

#include "conf/ngx_http_prompt_conf_names.h"


/* nginx's own, which is merged only later */
#define NGX_HTTP_PROMPT_RESOLVER_TIMEOUT  30000      /* ms */


ngx_int_t
ngx_http_prompt_names_add(ngx_pool_t *pool, ngx_http_prompt_names_conf_t *conf,
    const ngx_str_t *host)
{
    ngx_str_t  *name;

    if (conf->names.elts == NULL
        && ngx_array_init(&conf->names, pool, 2, sizeof(ngx_str_t)) != NGX_OK)
    {
        return NGX_ERROR;
    }

    name = ngx_array_push(&conf->names);
    if (name == NULL) {
        return NGX_ERROR;
    }

    name->len = host->len;
    name->data = ngx_pnalloc(pool, host->len + 1);

    if (name->data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(name->data, host->data, host->len);
    name->data[host->len] = '\0';

    if (host->data[0] == '['
        || ngx_strcasecmp(name->data, (u_char *) "localhost") == 0
        || ngx_http_prompt_names_numeric(name))
    {
        conf->names.nelts--;
        return 0;
    }

    return (ngx_int_t) conf->names.nelts;
}


ngx_uint_t
ngx_http_prompt_names_numeric(const ngx_str_t *host)
{
    struct addrinfo  hints, *res;

    ngx_memzero(&hints, sizeof(struct addrinfo));
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST;

    if (getaddrinfo((char *) host->data, NULL, &hints, &res) != 0) {
        return 0;
    }

    freeaddrinfo(res);

    return 1;
}


ngx_int_t
ngx_http_prompt_names_init(ngx_conf_t *cf, ngx_http_prompt_lookups_t *lookups,
    ngx_http_prompt_names_conf_t *conf)
{
    ngx_http_core_loc_conf_t  *clcf;

    if (conf->names.nelts == 0) {
        return NGX_OK;
    }

    conf->lookups = lookups;
    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (clcf->resolver != NULL && clcf->resolver->connections.nelts != 0) {
        lookups->resolver = clcf->resolver;
        lookups->timeout = clcf->resolver_timeout != NGX_CONF_UNSET_MSEC
                           ? clcf->resolver_timeout
                           : NGX_HTTP_PROMPT_RESOLVER_TIMEOUT;
        return NGX_OK;
    }

#if (NGX_THREADS)
    lookups->threads = ngx_thread_pool_add(cf, NULL);

    if (lookups->threads == NULL) {
        return NGX_ERROR;
    }
#else
    ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                       "host names of PostgreSQL and Redis are not looked up "
                       "again: this nginx has no threads, add \"resolver\" to "
                       "the http block");
#endif

    return NGX_OK;
}
