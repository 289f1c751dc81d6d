/*
 * The directive prompt_redis.
 */

#include "conf/ngx_http_prompt_parameters.h"
#include "conf/ngx_http_prompt_conf_redis.h"


static ngx_int_t ngx_http_prompt_redis_setup(ngx_conf_t *cf,
    ngx_http_prompt_redis_conf_t *rcf, ngx_str_t *value);
static ngx_int_t ngx_http_prompt_redis_list(ngx_conf_t *cf,
    ngx_http_prompt_redis_conf_t *rcf, prompt_redis_setup_t *setup);
static ngx_int_t ngx_http_prompt_redis_address(ngx_conf_t *cf,
    ngx_http_prompt_redis_conf_t *rcf, ngx_str_t *address, in_port_t port);
static ngx_int_t ngx_http_prompt_redis_url(ngx_conf_t *cf,
    ngx_http_prompt_redis_conf_t *rcf, ngx_url_t *u, const ngx_str_t *address,
    in_port_t port, const char *advice);
static ngx_int_t ngx_http_prompt_redis_add(ngx_conf_t *cf,
    ngx_http_prompt_redis_conf_t *rcf, ngx_url_t *u);
static ngx_uint_t ngx_http_prompt_redis_several(ngx_url_t *u);


static const ngx_http_prompt_parameter_t  ngx_http_prompt_redis_parameters[] =
{
    { ngx_string("db"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_redis_conf_t, db), "0", "0", "65535", NULL },

    { ngx_string("user"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_redis_conf_t, user), NULL, NULL, NULL,
      "a name, such as \"user=prompt\"" },

    { ngx_string("password"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_redis_conf_t, password), NULL, NULL, NULL,
      "\"password=…\"" },

    { ngx_string("sentinel_password"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_redis_conf_t, sentinel_password), NULL, NULL,
      NULL, "\"sentinel_password=…\"" },

    { ngx_string("prefix"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_redis_conf_t, prefix), "prompt:", NULL, "128",
      "at most 128 bytes, such as \"prefix=prompt:\"" },

    { ngx_string("timeout"), &ngx_http_prompt_msec,
      offsetof(ngx_http_prompt_redis_conf_t, timeout),
      "100ms", "1ms", "10s", NULL },

    { ngx_string("resolve"), &ngx_http_prompt_msec,
      offsetof(ngx_http_prompt_redis_conf_t, names.every),
      "30s", "1s", "1h", NULL },

    ngx_http_prompt_no_parameter("")
};


char *
ngx_http_prompt_conf_redis(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                     *value;
    ngx_http_prompt_redis_conf_t  *rcf;

    value = cf->args->elts;
    rcf = (void *) ((u_char *) conf + cmd->offset);

    if (rcf->addrs != NULL) {
        return "is duplicate";
    }

    ngx_http_prompt_parameters_default(ngx_http_prompt_redis_parameters, rcf);

    if (ngx_http_prompt_redis_setup(cf, rcf, &value[1]) != NGX_OK
        || ngx_http_prompt_parameters(cf, 2, ngx_http_prompt_redis_parameters,
                                      rcf)
           != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (rcf->user.len != 0 && rcf->password.len == 0) {
        return ngx_http_prompt_conf_wrong(cf,
                   "\"prompt_redis\" has a user, but no password: add "
                   "\"password=…\"");
    }

    if (rcf->kind == NGX_HTTP_PROMPT_REDIS_CLUSTER && rcf->db != 0) {
        return ngx_http_prompt_conf_wrong(cf,
                   "a cluster of Redis has no databases: take \"db=\" out of "
                   "\"prompt_redis\", and write a \"prefix=\" instead");
    }

    if (rcf->kind != NGX_HTTP_PROMPT_REDIS_SENTINEL
        && rcf->sentinel_password.len != 0)
    {
        return ngx_http_prompt_conf_wrong(cf,
                   "\"sentinel_password=\" of \"prompt_redis\" is for "
                   "\"sentinel=NAME@HOST:PORT\": write \"password=…\"");
    }

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_prompt_redis_setup(ngx_conf_t *cf, ngx_http_prompt_redis_conf_t *rcf,
    ngx_str_t *value)
{
    prompt_redis_setup_t  setup;

    rcf->name = *value;

    if (!prompt_redis_setup(ngx_http_prompt_str(value),
                            &setup))
    {
        return ngx_http_prompt_conf_error(cf,
                   "\"%V\" of \"prompt_redis\" does not say which master: "
                   "write \"sentinel=NAME@HOST:PORT,…\", with the name that "
                   "Sentinel has for it", value);
    }

    rcf->kind = (ngx_http_prompt_redis_setup_e) setup.kind;
    rcf->master.data = (u_char *) setup.master.data;
    rcf->master.len = setup.master.len;

    return setup.kind == PROMPT_REDIS_SINGLE
           ? ngx_http_prompt_redis_address(cf, rcf, value, setup.port)
           : ngx_http_prompt_redis_list(cf, rcf, &setup);
}


/*
 * Some nodes of a cluster, or the Sentinels: whoever answers first says where
 * the others are.
 */
static ngx_int_t
ngx_http_prompt_redis_list(ngx_conf_t *cf, ngx_http_prompt_redis_conf_t *rcf,
    prompt_redis_setup_t *setup)
{
    ngx_str_t     text;
    ngx_url_t     u;
    prompt_str_t  address;

    while (prompt_redis_setup_next(setup, &address)) {

        text.data = (u_char *) address.data;
        text.len = address.len;

        if (ngx_http_prompt_redis_url(cf, rcf, &u, &text, setup->port,
                                      "several of them separated by commas")
            != NGX_OK
            || ngx_http_prompt_redis_add(cf, rcf, &u) != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_redis_address(ngx_conf_t *cf,
    ngx_http_prompt_redis_conf_t *rcf, ngx_str_t *address, in_port_t port)
{
    ngx_url_t  u;

    /* not repeated: redis://:PASSWORD@HOST */

    if (ngx_strncmp(address->data, "unix:", 5) != 0
        && (ngx_strchr(address->data, '@') != NULL
            || ngx_strstr(address->data, "://") != NULL))
    {
        return ngx_http_prompt_conf_error(cf,
                   "\"prompt_redis\" takes no URI: write \"HOST:PORT\", such "
                   "as \"localhost:6379\", or \"unix:/PATH\", and \"user=\", "
                   "\"password=\" and \"db=\" as parameters");
    }

    if (ngx_http_prompt_redis_url(cf, rcf, &u, address,
                                  port,
                                  "such as \"localhost:6379\", or "
                                  "\"unix:/PATH\"")
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_http_prompt_redis_several(&u)) {
        return ngx_http_prompt_conf_error(cf,
                   "\"%V\" of \"prompt_redis\" has several addresses: name "
                   "one, as all workers must speak to the same Redis, or write "
                   "\"cluster=\" before them if they are one", &u.url);
    }

    return ngx_http_prompt_redis_add(cf, rcf, &u);
}


/* Of several servers none is a socket of this host. */
static ngx_int_t
ngx_http_prompt_redis_url(ngx_conf_t *cf, ngx_http_prompt_redis_conf_t *rcf,
    ngx_url_t *u, const ngx_str_t *address, in_port_t port, const char *advice)
{
    ngx_memzero(u, sizeof(ngx_url_t));

    u->url = *address;
    u->default_port = port;

    if (u->url.len != 0
        && (rcf->kind == NGX_HTTP_PROMPT_REDIS_SINGLE
            || ngx_strncmp(u->url.data, "unix:", 5) != 0)
        && ngx_parse_url(cf->pool, u) == NGX_OK)
    {
        return NGX_OK;
    }

    return ngx_http_prompt_conf_error(cf,
               "%s in address \"%V\" of \"prompt_redis\": write \"HOST:PORT\", "
               "%s", u->err != NULL ? u->err : "no host", &u->url, advice);
}


/* The addresses of a host, behind those of others. */
static ngx_int_t
ngx_http_prompt_redis_add(ngx_conf_t *cf, ngx_http_prompt_redis_conf_t *rcf,
    ngx_url_t *u)
{
    ngx_int_t    place;
    ngx_uint_t   i, n, *places;
    ngx_addr_t  *addrs;

    n = rcf->naddrs + u->naddrs;
    place = u->family == AF_UNIX
            ? 0 : ngx_http_prompt_names_add(cf->pool, &rcf->names, &u->host);

    addrs = ngx_palloc(cf->pool, n * sizeof(ngx_addr_t));
    places = ngx_palloc(cf->pool, n * sizeof(ngx_uint_t));

    if (place == NGX_ERROR || addrs == NULL || places == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < n; i++) {
        if (i < rcf->naddrs) {
            addrs[i] = rcf->addrs[i];
            places[i] = rcf->places[i];

        } else {
            addrs[i] = u->addrs[i - rcf->naddrs];
            places[i] = (ngx_uint_t) place;
        }
    }

    rcf->addrs = addrs;
    rcf->places = places;
    rcf->naddrs = n;

    return NGX_OK;
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
