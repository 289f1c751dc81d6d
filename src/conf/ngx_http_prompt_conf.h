/*
 * What nginx.conf says: of the service in its http block, and of a location.
 * Others hang here what they make of it; to this room that is a pointer.
 */

#ifndef NGX_HTTP_PROMPT_CONF_H
#define NGX_HTTP_PROMPT_CONF_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "conf/ngx_http_prompt_conf_otlp.h"
#include "conf/ngx_http_prompt_conf_postgres.h"
#include "conf/ngx_http_prompt_conf_redis.h"
#include "conf/ngx_http_prompt_parameters.h"
#include "graphql/engine.h"
#include "prompt/price.h"
#include "provider/provider.h"


/* prompt_provider NAME URI … */
typedef struct {
    ngx_str_t                           name;
    ngx_str_t                           uri;
    ngx_str_t                           args;
    const prompt_provider_format_t     *format;
    ngx_msec_t                          timeout;    /* of the whole call, with
                                                       all its retries */
    ngx_uint_t                          retries;
    size_t                              max_answer; /* bytes */
    prompt_str_t                        allow;      /* NAME,… of params */
    ngx_uint_t                          max_tokens; /* 0: no bound */
    ngx_flag_t                          error_text; /* its words are kept */
    ngx_str_t                           file;       /* where it stands */
    ngx_uint_t                          line;
} ngx_http_prompt_provider_conf_t;


/* prompt_model PATTERN … */
typedef struct {
    ngx_str_t                           pattern;    /* without the "*" */
    ngx_str_t                           provider_name;
    ngx_http_prompt_provider_conf_t    *provider;
    prompt_str_t                        max_tokens_as;  /* absent: as it is */
    prompt_prices_t                     prices;     /* where priced */
    prompt_prices_t                     long_prices;
    ngx_uint_t                          long_from;  /* tokens; 0: never */
    struct ngx_http_prompt_metrics_model_s  *counts;   /* metrics/metrics.h */
    ngx_str_t                           file;       /* where it stands */
    ngx_uint_t                          line;
    unsigned                            prefix:1;
    unsigned                            priced:1;
} ngx_http_prompt_model_conf_t;


/* prompt_session … */
typedef struct {
    ngx_uint_t                          lifetime;   /* s */
    ngx_uint_t                          idle;       /* s */
    ngx_str_t                           trusted;    /* $variable; or empty */
    ngx_int_t                           variable;   /* its index */
    ngx_flag_t                          create;     /* unknown accounts */
    ngx_flag_t                          passwords;  /* are taken */
    ngx_flag_t                          insecure;
} ngx_http_prompt_session_conf_t;


/* what a worker has: service/worker/worker.h */
typedef struct ngx_http_prompt_worker_s  ngx_http_prompt_worker_t;


typedef struct {
    ngx_http_prompt_postgres_conf_t     postgres;
    ngx_http_prompt_postgres_read_conf_t  postgres_read;
    ngx_http_prompt_redis_conf_t        redis;
    ngx_http_prompt_otlp_conf_t         otlp;
    ngx_uint_t                          key_valid;       /* s */
    ngx_uint_t                          key_unknown;     /* s */
    size_t                              versions;   /* bytes; 0: none kept */
    size_t                              answers;    /* bytes unsent */
    ngx_array_t                         limits;     /* of endpoints, those that
                                                       differ: pointers */
    ngx_array_t                         providers;
    ngx_array_t                         models;
    ngx_str_t                           default_model;
    ngx_str_t                           default_model_file;
    ngx_uint_t                          default_model_line;
    gql_engine_t                       *engine;     /* of each worker, by
                                                       itself */
    ngx_array_t                         protocols;  /* http/…request.h */
    ngx_uint_t                          endpoints;  /* prompt_graphql seen */
    ngx_str_t                           endpoint_file;   /* the first one */
    ngx_uint_t                          endpoint_line;
    ngx_array_t                         routes;     /* http/…routes.h */
    ngx_uint_t                          sessions;   /* prompt_session seen */
    ngx_str_t                           session_file;    /* the first one */
    ngx_uint_t                          session_line;
    ngx_flag_t                          insecure;   /* one of them is */
    ngx_flag_t                          passwords;  /* one of them takes any */
    ngx_http_prompt_lookups_t           lookups;
    void                               *threads;    /* for passwords */
    ngx_shm_zone_t                     *guesses;    /* NULL: no sessions */
    ngx_shm_zone_t                     *metrics;    /* NULL: no endpoint */
    ngx_shm_zone_t                     *credential;      /* the same */
    ngx_shm_zone_t                     *flights;         /* the same */
    ngx_shm_zone_t                     *persisted;  /* queries; NULL: off */
    ngx_http_prompt_worker_t           *worker;     /* NULL: not in one */
} ngx_http_prompt_main_conf_t;


/* prompt_limits; 0: not given */
typedef struct {
    gql_limits_t                         document;  /* with introspection; the
                                                       first member */
    uint32_t                             answers;   /* bytes; http's */
} ngx_http_prompt_limits_conf_t;


/* prompt_quota: what a project may have; 0: no bound */
typedef struct {
    ngx_int_t                            prompts;
    ngx_int_t                            versions;  /* of a prompt */
    ngx_int_t                            keys;
    ngx_int_t                            members;
    ngx_int_t                            bytes;
    ngx_int_t                            in_flight;
} ngx_http_prompt_quota_conf_t;


/* prompt_record: what is kept of executions */
typedef struct {
    ngx_flag_t                           input;
    ngx_flag_t                           output;
} ngx_http_prompt_record_conf_t;


/* prompt_abandoned */
#define NGX_HTTP_PROMPT_FINISH  0
#define NGX_HTTP_PROMPT_STOP    1


typedef struct {
    const struct ngx_http_prompt_protocol_s  *protocol;   /* NULL: it is no
                                                            endpoint */
    ngx_flag_t                           introspection;
    ngx_http_prompt_limits_conf_t        limits;    /* merged */
    const gql_limits_t                  *shared;    /* the first endpoint's
                                                       with the same ones */
    ngx_http_prompt_quota_conf_t         quota;
    ngx_http_prompt_record_conf_t        record;
    ngx_uint_t                           abandoned; /* calls whose client has
                                                       gone: ..._FINISH, STOP;
                                                       or unset */
    ngx_uint_t                           stops;     /* then they end */
    ngx_str_t                            instructions;   /* prompt_mcp */
    struct ngx_http_prompt_documents_s  *documents; /* NULL: none */
    struct ngx_http_prompt_console_s    *console;   /* NULL: not a console */
    ngx_http_prompt_session_conf_t      *session;   /* NULL: nobody signs in */
    ngx_array_t                         *trusted;   /* of the server's sessions,
                                                       those with "trusted":
                                                       pointers; or NULL */
    struct ngx_http_prompt_dashboard_s  *dashboard; /* NULL: not a dashboard */

    ngx_http_handler_pt                  handler;   /* of ours; NULL: none */
    ngx_str_t                            directive; /* which set it, where */
    ngx_str_t                            file;
    ngx_uint_t                           line;
} ngx_http_prompt_loc_conf_t;


/* Whether a call ends when its client has gone. */
static ngx_inline ngx_uint_t
ngx_http_prompt_conf_stops(const ngx_http_prompt_loc_conf_t *plcf)
{
    return plcf->abandoned != NGX_CONF_UNSET_UINT
           ? plcf->abandoned == NGX_HTTP_PROMPT_STOP : plcf->stops;
}


extern ngx_module_t  ngx_http_prompt_module;


/* The handlers of the directives that take more than a value. */
char *ngx_http_prompt_conf_abandoned(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_key_cache(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_version_cache(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_provider(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_model(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_default_model(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_limits(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

char *ngx_http_prompt_conf_quota(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_record(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/*
 * The same of directives that give their location a handler, which is in
 * cmd->post.
 */
char *ngx_http_prompt_conf_location(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_prompt_conf_session(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/* Parameters of prompt_mcp, and what its location is by itself. */
ngx_int_t ngx_http_prompt_conf_mcp(ngx_conf_t *cf,
    ngx_http_prompt_loc_conf_t *plcf);

/*
 * The main configuration before anything is read, and when all directives
 * were: sets what was not given, and checks what can only be said then, that
 * what is named exists and what is needed is there.  NGX_ERROR: logged.
 */
ngx_int_t ngx_http_prompt_conf_create(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);
ngx_int_t ngx_http_prompt_conf_init(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);

/* For merging: a limit that was not given is the outer level's. */
void ngx_http_prompt_conf_merge_limits(
    const ngx_http_prompt_limits_conf_t *outer,
    ngx_http_prompt_limits_conf_t *limits);

/*
 * Whether a zone of shared memory is taken over as it is, from the
 * configuration before or from whoever made it: zone->data is set.  For its
 * init, which else fills it.
 */
ngx_uint_t ngx_http_prompt_zone_kept(ngx_shm_zone_t *zone, void *data);

/* For merging: quota and record. */
void ngx_http_prompt_conf_merge_project(const ngx_http_prompt_loc_conf_t *prev,
    ngx_http_prompt_loc_conf_t *conf);

/*
 * Merged limits of an endpoint: theirs whom it equals, or its own, which then
 * stand for others.  Plans are found by them, so that endpoints with equal
 * ones have their plans together.  NULL: no memory.
 */
const gql_limits_t *ngx_http_prompt_conf_share_limits(
    ngx_http_prompt_main_conf_t *pmcf, const gql_limits_t *limits);

/*
 * The model's configuration: the exact name, else the longest prefix; NULL
 * where nothing fits.
 */
const ngx_http_prompt_model_conf_t *ngx_http_prompt_find_model(
    const ngx_http_prompt_main_conf_t *pmcf, prompt_str_t name);

/* Finds the providers that models name, and the default model. */
ngx_int_t ngx_http_prompt_conf_check_models(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);

/*
 * The handler of a location, which can have one only.  One of another module
 * that comes later in the location is found when that is merged, by
 * ngx_http_prompt_conf_check_handler().  Both return what a directive does.
 */
char *ngx_http_prompt_conf_handler(ngx_conf_t *cf,
    ngx_http_prompt_loc_conf_t *plcf, ngx_http_handler_pt handler);
char *ngx_http_prompt_conf_check_handler(ngx_conf_t *cf,
    ngx_http_prompt_loc_conf_t *plcf);

/*
 * limit_except and if are locations of their own, which nginx enters instead
 * of the one they stand in: such a one is what that is, unless another module
 * has put its handler there.  For merging, when plcf's own handler is known.
 */
void ngx_http_prompt_conf_inherit_handler(ngx_conf_t *cf,
    const ngx_http_prompt_loc_conf_t *parent,
    ngx_http_prompt_loc_conf_t *plcf);

#endif /* NGX_HTTP_PROMPT_CONF_H */
