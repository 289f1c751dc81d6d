/*
 * The directive prompt_redis.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "io/ngx_http_prompt_redis.h"


static ngx_uint_t ngx_http_prompt_redis_several(ngx_url_t *u);


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
