/*
 * Configuration of the module, and what a worker makes of it.
 */

#ifndef NGX_HTTP_PROMPT_CONF_H
#define NGX_HTTP_PROMPT_CONF_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "graphql/engine.h"
#include "http/ngx_http_prompt_documents.h"
#include "io/ngx_http_prompt_postgres.h"
#include "io/ngx_http_prompt_redis.h"
#include "prompt/price.h"
#include "prompt/provider.h"


#define NGX_HTTP_PROMPT_PROVIDER_TIMEOUT  60000              /* ms */
#define NGX_HTTP_PROMPT_PROVIDER_MAX_TIMEOUT  (60 * 60 * 1000)

#define NGX_HTTP_PROMPT_KEY_VALID         10                 /* s */
#define NGX_HTTP_PROMPT_KEY_UNKNOWN       5                  /* s */
#define NGX_HTTP_PROMPT_KEY_MAX_VALID     60                 /* s */

/* plans that a worker keeps */
#define NGX_HTTP_PROMPT_CACHE_ENTRIES     1024
#define NGX_HTTP_PROMPT_CACHE_BYTES       (32 * 1024 * 1024)

#define NGX_HTTP_PROMPT_SCHEMA_MEMORY     (4 * 1024 * 1024)


/* prompt_provider NAME URI … */
typedef struct {
    ngx_str_t                name;
    ngx_str_t                uri;
    ngx_str_t                args;
    prompt_provider_format_t format;
    ngx_msec_t               timeout;        /* of the whole call */
} ngx_http_prompt_provider_conf_t;


/* prompt_model PATTERN … */
typedef struct {
    ngx_str_t                          pattern;   /* without the "*" */
    ngx_str_t                          provider_name;
    ngx_http_prompt_provider_conf_t   *provider;
    prompt_str_t                       max_tokens_as;   /* absent: as it is */
    prompt_prices_t                    prices;
    ngx_str_t                          file;      /* where it stands */
    ngx_uint_t                         line;
    unsigned                           prefix:1;
    unsigned                           priced:1;
} ngx_http_prompt_model_conf_t;


/* What a worker has: ngx_http_prompt_worker.h */
typedef struct ngx_http_prompt_worker_s  ngx_http_prompt_worker_t;


typedef struct {
    ngx_http_prompt_postgres_conf_t    postgres;
    ngx_http_prompt_redis_conf_t       redis;
    time_t                             key_valid;       /* s */
    time_t                             key_unknown;     /* s */
    ngx_array_t                        providers;
    ngx_array_t                        models;
    ngx_str_t                          default_model;
    prompt_arena_t                    *arena;     /* the schema's */
    gql_schema_t                      *schema;
    ngx_uint_t                         endpoints; /* prompt_graphql seen */
    ngx_str_t                          endpoint_file;   /* the first one */
    ngx_uint_t                         endpoint_line;
    ngx_shm_zone_t                    *metrics;   /* NULL: no endpoint */
    ngx_shm_zone_t                    *persisted; /* NULL: off */
    ngx_http_prompt_worker_t          *worker;    /* NULL: not in a worker */
} ngx_http_prompt_main_conf_t;


typedef struct {
    ngx_flag_t                         graphql;
    ngx_flag_t                         introspection;
    ngx_uint_t                         tokens;
    ngx_uint_t                         depth;
    ngx_uint_t                         aliases;
    ngx_uint_t                         root_fields;
    ngx_uint_t                         mutation_fields;
    ngx_uint_t                         directives;
    ngx_uint_t                         complexity;
    ngx_http_prompt_documents_t       *documents; /* NULL: none */
    gql_limits_t                       limits;    /* of the above, merged */
} ngx_http_prompt_loc_conf_t;


extern ngx_module_t  ngx_http_prompt_module;


/* the handlers of the directives that take more than a value */
char *ngx_http_prompt_conf_postgres(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_redis(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_key_cache(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_provider(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_model(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_graphql(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_limits(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/*
 * What can only be said when all directives were read: that what is named
 * exists, and what is needed is there.
 */
char *ngx_http_prompt_conf_check(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);

/*
 * The model's configuration: the exact name, else the longest prefix; NULL
 * where nothing fits.
 */
const ngx_http_prompt_model_conf_t *ngx_http_prompt_conf_find_model(
    const ngx_http_prompt_main_conf_t *pmcf, prompt_str_t name);


static ngx_inline ngx_http_prompt_worker_t *
ngx_http_prompt_get_worker(ngx_http_request_t *r)
{
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);

    return pmcf->worker;
}

#endif /* NGX_HTTP_PROMPT_CONF_H */
