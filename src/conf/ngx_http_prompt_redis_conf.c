/*
 * The directive prompt_redis.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "conf/ngx_http_prompt_parameters.h"
#include "io/ngx_http_prompt_redis.h"


static ngx_uint_t ngx_http_prompt_redis_several(ngx_url_t *u);


static const ngx_http_prompt_parameter_t  ngx_http_prompt_redis_parameters[] =
{
    { ngx_string("db"), ngx_http_prompt_parameter_number,
      offsetof(ngx_http_prompt_redis_conf_t, db), 0, 65535,
      "a whole number from 0 to 65535, such as \"db=0\"" },

    { ngx_string("user"), ngx_http_prompt_parameter_text,
      offsetof(ngx_http_prompt_redis_conf_t, user), 0, NGX_MAX_INT32_VALUE,
      "a name, such as \"user=prompt\"" },

    { ngx_string("password"), ngx_http_prompt_parameter_text,
      offsetof(ngx_http_prompt_redis_conf_t, password), 0,
      NGX_MAX_INT32_VALUE, "\"password=…\"" },

    { ngx_string("prefix"), ngx_http_prompt_parameter_text,
      offsetof(ngx_http_prompt_redis_conf_t, prefix), 0,
      NGX_HTTP_PROMPT_REDIS_MAX_PREFIX,
      "at most 128 bytes, such as \"prefix=prompt:\"" },

    { ngx_string("timeout"), ngx_http_prompt_parameter_msec,
      offsetof(ngx_http_prompt_redis_conf_t, timeout), 1,
      NGX_HTTP_PROMPT_REDIS_MAX_TIMEOUT,
      "a time from 1ms to 10s, such as \"timeout=100ms\"" },

    ngx_http_prompt_no_parameter("")
};


char *
ngx_http_prompt_redis_conf(ngx_conf_t *cf, ngx_http_prompt_redis_conf_t *conf)
{
    ngx_str_t  *value;
    ngx_url_t   u;

    value = cf->args->elts;

    /* not repeated: redis://:PASSWORD@HOST */

    if (ngx_strncmp(value[1].data, "unix:", 5) != 0
        && (ngx_strchr(value[1].data, '@') != NULL
            || ngx_strstr(value[1].data, "://") != NULL))
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"prompt_redis\" takes no URI: write \"HOST:PORT\""
                           ", such as \"localhost:6379\", or \"unix:/PATH\", "
                           "and \"user=\", \"password=\" and \"db=\" as "
                           "parameters");
        return NGX_CONF_ERROR;
    }

    ngx_memzero(&u, sizeof(ngx_url_t));
    u.url = value[1];
    u.default_port = 6379;

    if (ngx_parse_url(cf->pool, &u) != NGX_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "%s in address \"%V\" of \"prompt_redis\": write "
                           "\"HOST:PORT\", such as \"localhost:6379\", or "
                           "\"unix:/PATH\"",
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

    if (ngx_http_prompt_parameters(cf, 2, ngx_http_prompt_redis_parameters,
                                   conf)
        != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (conf->user.len != 0 && conf->password.len == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"prompt_redis\" has a user, but no password: "
                           "add \"password=…\"");
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
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
