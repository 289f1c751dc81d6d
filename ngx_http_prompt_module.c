/*
 * ngx_http_prompt_module: a prompt management service inside nginx.
 *
 * This file is the table of contents: the directives, how their values are
 * made and merged, and what happens when the configuration is read, a worker
 * begins and a worker ends.  ARCHITECTURE.md draws the rooms and the way of a
 * request through them.
 */

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "conf/ngx_http_prompt_conf.h"
#include "graphql/service_schema.h"
#include "http/ngx_http_prompt_console.h"
#include "http/ngx_http_prompt_credential.h"
#include "http/ngx_http_prompt_dashboard.h"
#include "http/ngx_http_prompt_documents.h"
#include "http/ngx_http_prompt_error_filter.h"
#include "http/ngx_http_prompt_locations.h"
#include "http/ngx_http_prompt_persisted.h"
#include "http/ngx_http_prompt_graphql.h"
#include "http/ngx_http_prompt_routes.h"
#include "http/ngx_http_prompt_session.h"
#include "http/ngx_http_prompt_unsent.h"
#include "http/ngx_http_prompt_variables.h"
#include "io/ngx_http_prompt_provider.h"
#include "mcp/ngx_http_prompt_mcp.h"
#include "metrics/metrics.h"
#include "openai/ngx_http_prompt_openai.h"
#include "service/call/flights.h"
#include "service/frame/operation.h"
#include "service/people/guessing.h"
#include "service/start/start.h"


static char *ngx_http_prompt_graphql(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_prompt_openai(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_prompt_mcp(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static ngx_int_t ngx_http_prompt_preconfiguration(ngx_conf_t *cf);
static ngx_int_t ngx_http_prompt_postconfiguration(ngx_conf_t *cf);
static void *ngx_http_prompt_create_main_conf(ngx_conf_t *cf);
static char *ngx_http_prompt_init_main_conf(ngx_conf_t *cf, void *conf);
static void *ngx_http_prompt_create_loc_conf(ngx_conf_t *cf);
static char *ngx_http_prompt_merge_loc_conf(ngx_conf_t *cf, void *parent,
    void *child);
static ngx_int_t ngx_http_prompt_init_module(ngx_cycle_t *cycle);
static ngx_int_t ngx_http_prompt_init_process(ngx_cycle_t *cycle);
static void ngx_http_prompt_exit_process(ngx_cycle_t *cycle);


static ngx_command_t  ngx_http_prompt_commands[] = {

    { ngx_string("prompt_postgres"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_postgres,
      NGX_HTTP_MAIN_CONF_OFFSET,
      offsetof(ngx_http_prompt_main_conf_t, postgres),
      NULL },

    { ngx_string("prompt_postgres_read"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_postgres_read,
      NGX_HTTP_MAIN_CONF_OFFSET,
      offsetof(ngx_http_prompt_main_conf_t, postgres_read),
      NULL },

    { ngx_string("prompt_redis"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_redis,
      NGX_HTTP_MAIN_CONF_OFFSET,
      offsetof(ngx_http_prompt_main_conf_t, redis),
      NULL },

    { ngx_string("prompt_key_cache"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_key_cache,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_version_cache"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE1,
      ngx_http_prompt_conf_version_cache,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_provider"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_2MORE,
      ngx_http_prompt_conf_provider,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_model"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_model,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_default_model"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE1,
      ngx_http_prompt_conf_default_model,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_otlp"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_otlp,
      NGX_HTTP_MAIN_CONF_OFFSET,
      offsetof(ngx_http_prompt_main_conf_t, otlp),
      NULL },

    { ngx_string("prompt_graphql"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_prompt_graphql,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_openai"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_prompt_openai,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_mcp"),
      NGX_HTTP_LOC_CONF|NGX_CONF_ANY,
      ngx_http_prompt_mcp,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_introspection"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_prompt_loc_conf_t, introspection),
      NULL },

    { ngx_string("prompt_limits"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_limits,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_prompt_loc_conf_t, limits),
      NULL },

    { ngx_string("prompt_quota"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_quota,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_prompt_loc_conf_t, quota),
      NULL },

    { ngx_string("prompt_record"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_record,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_prompt_loc_conf_t, record),
      NULL },

    { ngx_string("prompt_abandoned"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_http_prompt_conf_abandoned,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_prompt_loc_conf_t, abandoned),
      NULL },

    { ngx_string("prompt_persisted_queries"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE1,
      ngx_http_prompt_persisted_zone,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_documents"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE12,
      ngx_http_prompt_documents_read,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_console"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS|NGX_CONF_TAKE123,
      ngx_http_prompt_console,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_session"),
      NGX_HTTP_LOC_CONF|NGX_CONF_ANY,
      ngx_http_prompt_conf_session,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      (void *) ngx_http_prompt_session_handler },

    { ngx_string("prompt_dashboard"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS|NGX_CONF_TAKE123,
      ngx_http_prompt_dashboard,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("prompt_echo"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_prompt_conf_location,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      (void *) ngx_http_prompt_echo_handler },

    { ngx_string("prompt_metrics"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_prompt_conf_location,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      (void *) ngx_http_prompt_metrics_handler },

    { ngx_string("prompt_health"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_prompt_conf_location,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      (void *) ngx_http_prompt_health_handler },

      ngx_null_command
};


static ngx_http_module_t  ngx_http_prompt_module_ctx = {
    ngx_http_prompt_preconfiguration,      /* preconfiguration */
    ngx_http_prompt_postconfiguration,     /* postconfiguration */

    ngx_http_prompt_create_main_conf,      /* create main configuration */
    ngx_http_prompt_init_main_conf,        /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    ngx_http_prompt_create_loc_conf,       /* create location configuration */
    ngx_http_prompt_merge_loc_conf         /* merge location configuration */
};


ngx_module_t  ngx_http_prompt_module = {
    NGX_MODULE_V1,
    &ngx_http_prompt_module_ctx,           /* module context */
    ngx_http_prompt_commands,              /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    ngx_http_prompt_init_module,           /* init module */
    ngx_http_prompt_init_process,          /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    ngx_http_prompt_exit_process,          /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


/* Endpoints: what prompt_graphql and its like make of a location. */

static char *
ngx_http_prompt_graphql(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    return ngx_http_prompt_endpoint(cf, plcf,
                                    &ngx_http_prompt_graphql_protocol);
}


static char *
ngx_http_prompt_openai(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    ngx_uint_t                 prefix;
    ngx_http_core_loc_conf_t  *clcf;

    (void) cmd;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    prefix = !clcf->exact_match && !clcf->named;

#if (NGX_PCRE)
    prefix = prefix && clcf->regex == NULL;
#endif

    /* what a request asks for stands behind the location's name */

    if (!prefix) {
        return "needs a location that is a prefix, such as "
               "\"location /openai/\"";
    }

    return ngx_http_prompt_endpoint(cf, plcf, &ngx_http_prompt_openai_protocol);
}


static char *
ngx_http_prompt_mcp(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    (void) cmd;

    if (ngx_http_prompt_conf_mcp(cf, plcf) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    return ngx_http_prompt_endpoint(cf, plcf, &ngx_http_prompt_mcp_protocol);
}


static ngx_int_t
ngx_http_prompt_preconfiguration(ngx_conf_t *cf)
{
    return ngx_http_prompt_variables_init(cf);
}


static ngx_int_t
ngx_http_prompt_postconfiguration(ngx_conf_t *cf)
{
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_prompt_module);

    ngx_http_prompt_routes_check(cf, pmcf);

    if (ngx_http_prompt_provider_init(cf) != NGX_OK
        || ngx_http_prompt_variables_check(cf) != NGX_OK
        || ngx_http_prompt_unsent_init(cf) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_error_filter_init(cf);
}


static void *
ngx_http_prompt_create_main_conf(ngx_conf_t *cf)
{
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_main_conf_t));
    if (pmcf == NULL) {
        return NULL;
    }

    /*
     * set by ngx_pcalloc():
     *
     *     pmcf->postgres.connections = 0;
     *     pmcf->postgres_read.postgres.nhosts = 0;
     *     pmcf->redis.addrs = NULL;
     *     pmcf->otlp.url = { 0, NULL };
     *     pmcf->key_valid = 0;
     *     pmcf->key_unknown = 0;
     *     pmcf->default_model = { 0, NULL };
     *     pmcf->default_model_file = { 0, NULL };
     *     pmcf->default_model_line = 0;
     *     pmcf->endpoints = 0;
     */

    pmcf->persisted = NGX_CONF_UNSET_PTR;

    if (ngx_http_prompt_conf_create(cf, pmcf) != NGX_OK
        || ngx_array_init(&pmcf->routes, cf->pool, 2,
                          sizeof(ngx_http_prompt_route_t))
           != NGX_OK)
    {
        return NULL;
    }

    return pmcf;
}


static char *
ngx_http_prompt_init_main_conf(ngx_conf_t *cf, void *conf)
{
    ngx_http_prompt_main_conf_t  *pmcf = conf;

    ngx_conf_init_ptr_value(pmcf->persisted, NULL);

    if (ngx_http_prompt_conf_init(cf, pmcf) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    if (pmcf->endpoints == 0) {
        return NGX_CONF_OK;
    }

    if (ngx_http_prompt_service_bind(&gql_service_schema,
                                     ngx_http_prompt_tables, cf->log)
        != NGX_OK
        || ngx_http_prompt_operation_configure(cf, pmcf) != NGX_OK
        || ngx_http_prompt_documents_plan(cf, pmcf) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (pmcf->sessions != 0) {
        pmcf->guesses =
            ngx_http_prompt_guessing_zone(cf, &ngx_http_prompt_module);

        if (pmcf->guesses == NULL) {
            return NGX_CONF_ERROR;
        }
    }

    pmcf->metrics = ngx_http_prompt_metrics_zone(cf, &ngx_http_prompt_module);
    pmcf->credential =
        ngx_http_prompt_credential_zone(cf, &ngx_http_prompt_module);
    pmcf->flights = ngx_http_prompt_flights_zone(cf, &ngx_http_prompt_module);

    return pmcf->metrics != NULL && pmcf->credential != NULL
           && pmcf->flights != NULL
           ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static void *
ngx_http_prompt_create_loc_conf(ngx_conf_t *cf)
{
    ngx_http_prompt_loc_conf_t  *plcf;

    plcf = ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_loc_conf_t));
    if (plcf == NULL) {
        return NULL;
    }

    /* limits, all 0 by ngx_pcalloc(): not given */

    plcf->introspection = NGX_CONF_UNSET;
    plcf->abandoned = NGX_CONF_UNSET_UINT;
    plcf->documents = NGX_CONF_UNSET_PTR;

    ngx_memset(&plcf->quota, 0xff, sizeof(ngx_http_prompt_quota_conf_t));
    plcf->record.input = NGX_CONF_UNSET;
    plcf->record.output = NGX_CONF_UNSET;

    return plcf;
}


static char *
ngx_http_prompt_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_prompt_loc_conf_t  *prev = parent;
    ngx_http_prompt_loc_conf_t  *conf = child;

    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_prompt_module);

    if (ngx_http_prompt_routes_found(cf, pmcf) != NGX_OK
        || ngx_http_prompt_conf_check_handler(cf, conf) != NGX_CONF_OK)
    {
        return NGX_CONF_ERROR;
    }

    ngx_http_prompt_conf_inherit_handler(cf, prev, conf);

    ngx_conf_merge_value(conf->introspection, prev->introspection, 1);
    ngx_conf_merge_uint_value(conf->abandoned, prev->abandoned,
                              NGX_CONF_UNSET_UINT);

    ngx_http_prompt_conf_merge_project(prev, conf);
    ngx_http_prompt_conf_merge_limits(&prev->limits, &conf->limits);
    conf->limits.document.introspection = conf->introspection;
    pmcf->answers = conf->limits.answers;

    ngx_conf_merge_ptr_value(conf->documents, prev->documents, NULL);

    if (conf->trusted == NULL) {
        conf->trusted = prev->trusted;
    }

    /* any other location inside the endpoint's is not an endpoint itself */

    if (conf->protocol == NULL) {
        return NGX_CONF_OK;
    }

    conf->shared = ngx_http_prompt_conf_share_limits(pmcf,
                                                     &conf->limits.document);

    if (conf->shared == NULL) {
        return NGX_CONF_ERROR;
    }

    if (conf->documents == NULL) {
        return NGX_CONF_OK;
    }

    return ngx_http_prompt_documents_check(cf, conf->documents,
                                           &gql_service_schema,
                                           &conf->limits.document)
           == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}


/* Shared memory is there, and workers are not yet. */

static ngx_int_t
ngx_http_prompt_init_module(ngx_cycle_t *cycle)
{
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_prompt_module);

    if (pmcf != NULL && pmcf->endpoints != 0) {
        ngx_http_prompt_worker_count_models(pmcf);
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_init_process(ngx_cycle_t *cycle)
{
    ngx_http_prompt_main_conf_t  *pmcf;

    /* also called in cache manager and loader, which serve nobody */

    if (ngx_process != NGX_PROCESS_WORKER && ngx_process != NGX_PROCESS_SINGLE)
    {
        return NGX_OK;
    }

    pmcf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_prompt_module);

    if (pmcf == NULL || pmcf->endpoints == 0) {
        return NGX_OK;
    }

    return ngx_http_prompt_worker_init(cycle, pmcf);
}


static void
ngx_http_prompt_exit_process(ngx_cycle_t *cycle)
{
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_prompt_module);

    if (pmcf != NULL && pmcf->worker != NULL) {
        ngx_http_prompt_worker_exit(pmcf);
    }
}
