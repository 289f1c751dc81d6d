/*
 * What the http block says about the service: where its data is, which
 * providers and models there are.  Read by src/http, used by all.
 */

#ifndef NGX_HTTP_PROMPT_CONFIG_H
#define NGX_HTTP_PROMPT_CONFIG_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "graphql/types/schema.h"
#include "io/ngx_http_prompt_postgres.h"
#include "io/ngx_http_prompt_redis.h"
#include "prompt/price.h"
#include "prompt/provider.h"


/* prompt_provider NAME URI … */
typedef struct {
    ngx_str_t                        name;
    ngx_str_t                        uri;
    ngx_str_t                        args;
    const prompt_provider_format_t  *format;
    ngx_msec_t                       timeout;     /* of the whole call */
    ngx_str_t                        file;        /* where it stands */
    ngx_uint_t                       line;
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


/* What a worker has: worker.h */
typedef struct ngx_http_prompt_worker_s  ngx_http_prompt_worker_t;


typedef struct {
    ngx_http_prompt_postgres_conf_t    postgres;
    ngx_http_prompt_redis_conf_t       redis;
    time_t                             key_valid;       /* s */
    time_t                             key_unknown;     /* s */
    ngx_array_t                        providers;
    ngx_array_t                        models;
    ngx_str_t                          default_model;
    ngx_str_t                          default_model_file;
    ngx_uint_t                         default_model_line;
    prompt_arena_t                    *arena;     /* the schema's */
    gql_schema_t                      *schema;
    ngx_uint_t                         endpoints; /* prompt_graphql seen */
    ngx_str_t                          endpoint_file;   /* the first one */
    ngx_uint_t                         endpoint_line;
    ngx_array_t                        routes;    /* http/…routes.h */
    ngx_shm_zone_t                    *metrics;   /* NULL: no endpoint */
    ngx_shm_zone_t                    *persisted; /* queries; NULL: off */
    ngx_http_prompt_worker_t          *worker;    /* NULL: not in a worker */
} ngx_http_prompt_main_conf_t;


extern ngx_module_t  ngx_http_prompt_module;


/*
 * The model's configuration: the exact name, else the longest prefix; NULL
 * where nothing fits.
 */
const ngx_http_prompt_model_conf_t *ngx_http_prompt_find_model(
    const ngx_http_prompt_main_conf_t *pmcf, prompt_str_t name);

#endif /* NGX_HTTP_PROMPT_CONFIG_H */
