/*
 * The main configuration: its beginning, prompt_key_cache and
 * prompt_version_cache, and its end; zones of shared memory that outlive one.
 *
 * Every message says what is wrong and what to write instead; nginx adds the
 * file and the line.  What refers to something else (a model to its provider)
 * is checked when all has been read, so that the order in the file does not
 * matter, and is then reported with the line where it stands.
 */

#include "conf/ngx_http_prompt_conf.h"


/* prompt_version_cache: a worker's */
#define NGX_HTTP_PROMPT_VERSIONS      (32 * 1024 * 1024)
#define NGX_HTTP_PROMPT_VERSIONS_MIN  (1024 * 1024)


static void ngx_http_prompt_conf_check_moves(ngx_conf_t *cf,
    const ngx_http_prompt_main_conf_t *pmcf);
static ngx_int_t ngx_http_prompt_conf_check_read(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);


static const ngx_http_prompt_parameter_t
    ngx_http_prompt_key_cache_parameters[] =
{
    { ngx_string("valid"), &ngx_http_prompt_sec,
      offsetof(ngx_http_prompt_main_conf_t, key_valid), "10s", "1s", "60s",
      "whole seconds from 1s to 60s, such as \"valid=10s\": a deleted key "
      "must be refused everywhere within that time" },

    { ngx_string("unknown"), &ngx_http_prompt_sec,
      offsetof(ngx_http_prompt_main_conf_t, key_unknown), "5s", "1s", "60s",
      NULL },

    ngx_http_prompt_no_parameter("")
};


ngx_int_t
ngx_http_prompt_conf_create(ngx_conf_t *cf, ngx_http_prompt_main_conf_t *pmcf)
{
    pmcf->versions = NGX_CONF_UNSET_SIZE;

    if (ngx_array_init(&pmcf->providers, cf->pool, 4,
                       sizeof(ngx_http_prompt_provider_conf_t))
        != NGX_OK
        || ngx_array_init(&pmcf->limits, cf->pool, 4, sizeof(gql_limits_t *))
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_array_init(&pmcf->models, cf->pool, 8,
                          sizeof(ngx_http_prompt_model_conf_t));
}


char *
ngx_http_prompt_conf_abandoned(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    ngx_str_t  *arg;

    if (plcf->abandoned != NGX_CONF_UNSET_UINT) {
        return "is duplicate";
    }

    arg = cf->args->elts;

    if (ngx_strcmp(arg[1].data, "finish") == 0) {
        plcf->abandoned = NGX_HTTP_PROMPT_FINISH;
        return NGX_CONF_OK;
    }

    if (ngx_strcmp(arg[1].data, "stop") == 0) {
        plcf->abandoned = NGX_HTTP_PROMPT_STOP;
        return NGX_CONF_OK;
    }

    return ngx_http_prompt_conf_wrong(cf,
               "invalid value \"%V\" of \"prompt_abandoned\": write \"finish\" "
               "or \"stop\"", &arg[1]);
}


char *
ngx_http_prompt_conf_key_cache(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    if (pmcf->key_valid != 0) {
        return "is duplicate";
    }

    ngx_http_prompt_parameters_default(ngx_http_prompt_key_cache_parameters,
                                       pmcf);

    return ngx_http_prompt_parameters(cf, 1,
                                      ngx_http_prompt_key_cache_parameters,
                                      pmcf)
           == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}


char *
ngx_http_prompt_conf_version_cache(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    ssize_t     size;
    ngx_str_t  *value;

    if (pmcf->versions != NGX_CONF_UNSET_SIZE) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (ngx_strcmp(value[1].data, "off") == 0) {
        pmcf->versions = 0;
        return NGX_CONF_OK;
    }

    size = ngx_parse_size(&value[1]);

    if (size < NGX_HTTP_PROMPT_VERSIONS_MIN) {
        return ngx_http_prompt_conf_wrong(cf,
                   "invalid value \"%V\" of \"prompt_version_cache\": write "
                   "\"off\", or a size of at least \"1m\", such as "
                   "\"prompt_version_cache 32m;\"", &value[1]);
    }

    pmcf->versions = (size_t) size;

    return NGX_CONF_OK;
}


ngx_int_t
ngx_http_prompt_conf_init(ngx_conf_t *cf, ngx_http_prompt_main_conf_t *pmcf)
{
    if (pmcf->versions == NGX_CONF_UNSET_SIZE) {
        pmcf->versions = NGX_HTTP_PROMPT_VERSIONS;
    }

    if (pmcf->key_valid == 0) {
        ngx_http_prompt_parameters_default(
                                  ngx_http_prompt_key_cache_parameters, pmcf);
    }

    if (pmcf->endpoints != 0 && pmcf->postgres.connections == 0) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "\"prompt_graphql\" needs a database: add "
                      "\"prompt_postgres CONNINFO;\" to the http block, for "
                      "the location in %V:%ui", &pmcf->endpoint_file,
                      pmcf->endpoint_line);
        return NGX_ERROR;
    }

    if (ngx_http_prompt_conf_check_read(cf, pmcf) != NGX_OK) {
        return NGX_ERROR;
    }

    if (pmcf->sessions != 0 && pmcf->endpoints == 0) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "\"prompt_session\" in %V:%ui needs an endpoint to "
                      "sign in to: add a location with \"prompt_graphql;\"",
                      &pmcf->session_file, pmcf->session_line);
        return NGX_ERROR;
    }

    if (ngx_http_prompt_names_init(cf, &pmcf->lookups, &pmcf->postgres.names)
            != NGX_OK
        || ngx_http_prompt_names_init(cf, &pmcf->lookups,
                                      &pmcf->postgres_read.postgres.names)
           != NGX_OK
        || ngx_http_prompt_names_init(cf, &pmcf->lookups, &pmcf->redis.names)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_http_prompt_conf_check_moves(cf, pmcf);

    return ngx_http_prompt_conf_check_models(cf, pmcf);
}


/* Hosts should learn that Redis has moved within the time that is waited. */
static void
ngx_http_prompt_conf_check_moves(ngx_conf_t *cf,
    const ngx_http_prompt_main_conf_t *pmcf)
{
    const ngx_resolver_t                *resolver;
    const ngx_http_prompt_redis_conf_t  *redis;

    redis = &pmcf->redis;
    resolver = pmcf->lookups.resolver;

    if (redis->names.names.nelts != 0 && resolver != NULL
        && redis->kind == NGX_HTTP_PROMPT_REDIS_SINGLE
        && (resolver->valid == 0
            || (ngx_msec_t) resolver->valid * 1000 > redis->names.every))
    {
        ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                           "\"resolver\" may remember the address of \"%V\" "
                           "for longer than \"resolve\" of \"prompt_redis\": "
                           "add \"valid=\" with no more than that",
                           &redis->name);
    }
}


/*
 * Servers that only read need one that writes, and Redis, where the hosts tell
 * each other how far a user's last change is.
 */
static ngx_int_t
ngx_http_prompt_conf_check_read(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf)
{
    const char                            *missing;
    ngx_http_prompt_postgres_read_conf_t  *rcf;

    rcf = &pmcf->postgres_read;

    if (rcf->postgres.nhosts == 0) {
        return NGX_OK;
    }

    missing = pmcf->postgres.connections == 0
              ? "a server that writes: add \"prompt_postgres CONNINFO;\""
              : pmcf->redis.addrs == NULL
                ? "Redis: add \"prompt_redis HOST:PORT;\"" : NULL;

    if (missing != NULL) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "\"prompt_postgres_read\" in %V:%ui needs %s to the "
                      "http block", &rcf->file, rcf->line, missing);
        return NGX_ERROR;
    }

    return ngx_http_prompt_conf_postgres_read_init(cf, rcf, &pmcf->postgres);
}


ngx_uint_t
ngx_http_prompt_zone_kept(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t  *shpool;

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    if (data != NULL) {
        zone->data = data;

    } else if (zone->shm.exists) {
        zone->data = shpool->data;

    } else {
        return 0;
    }

    return 1;
}
