/*
 * A worker process: what it has, from its beginning to its end.
 *
 * Parts of the floors above stand here as what they are to others, a pointer;
 * they are made by ngx_http_prompt_worker_init() (service/start).
 */

#ifndef NGX_HTTP_PROMPT_WORKER_H
#define NGX_HTTP_PROMPT_WORKER_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/random.h"
#include "base/uuid.h"
#include "conf/ngx_http_prompt_conf.h"
#include "graphql/engine.h"
#include "io/ngx_http_prompt_postgres.h"
#include "io/ngx_http_prompt_provider.h"
#include "io/ngx_http_prompt_redis_servers.h"
#include "metrics/metrics.h"
#include "service/worker/newest.h"
#include "service/worker/owners.h"
#include "service/worker/refused.h"
#include "store/target_cache.h"
#include "store/version_cache.h"


typedef struct ngx_http_prompt_answers_s     ngx_http_prompt_answers_t;
typedef struct ngx_http_prompt_health_s      ngx_http_prompt_health_t;
typedef struct ngx_http_prompt_hook_s        ngx_http_prompt_hook_t;
typedef struct ngx_http_prompt_keys_s        ngx_http_prompt_keys_t;
typedef struct ngx_http_prompt_otlp_s        ngx_http_prompt_otlp_t;
typedef struct ngx_http_prompt_passwords_s   ngx_http_prompt_passwords_t;
typedef struct ngx_http_prompt_recordings_s  ngx_http_prompt_recordings_t;
typedef struct ngx_http_prompt_remover_s     ngx_http_prompt_remover_t;
typedef struct ngx_http_prompt_standby_s     ngx_http_prompt_standby_t;
typedef struct ngx_http_prompt_sweep_s       ngx_http_prompt_sweep_t;
typedef struct ngx_http_prompt_usage_s       ngx_http_prompt_usage_t;


/* the counters of a worker's own things, at some moment */
typedef struct {
    gql_engine_stats_t                 plans;
    ngx_http_prompt_redis_stats_t      commands;
    ngx_http_prompt_postgres_stats_t   queries;
    prompt_version_cache_stats_t       versions;
    prompt_target_cache_stats_t        targets;
} ngx_http_prompt_seen_t;


/* Made in init_process, given back in exit_process; in the cycle's pool. */
struct ngx_http_prompt_worker_s {
    ngx_http_prompt_redis_servers_t      *redis;  /* NULL: not configured */
    ngx_http_prompt_postgres_t           *postgres;
    ngx_http_prompt_standby_t            *standby;     /* the same */
    ngx_http_prompt_keys_t               *keys;
    ngx_http_prompt_otlp_t               *otlp;        /* the same */
    ngx_http_prompt_passwords_t          *passwords;   /* NULL: no sessions */
    ngx_shm_zone_t                       *guesses;     /* the same */
    ngx_shm_zone_t                       *flights;
    ngx_http_prompt_usage_t              *usage;
    ngx_http_prompt_newest_t              newest;      /* execution */
    ngx_http_prompt_owners_t              owners;      /* of prompts */
    ngx_http_prompt_refused_t             refused;     /* what was told of it */
    ngx_http_prompt_answers_t            *answers;     /* unsent */
    const gql_schema_t                   *schema;
    gql_engine_t                         *engine;
    prompt_version_cache_t               *versions;    /* NULL: none is kept */
    prompt_target_cache_t                *targets;     /* the same */
    ngx_http_prompt_metrics_t            *metrics;
    ngx_http_prompt_health_t             *health;
    const ngx_http_prompt_hook_t *const  *hooks;       /* of operations, up to
                                                          NULL */
    uint64_t                              seal;        /* of the database that
                                                          is noted */
    ngx_uint_t                            streams;     /* open */
    ngx_int_t                             work;        /* requests,
                                                          recordings */
    ngx_uint_t                            workers;     /* as configured */
    ngx_uint_t                            connections; /* of each of them */
    ngx_connection_t                     *watch;       /* NULL: the worker
                                                          quits */
    prompt_uuid_state_t                   uuid;
    prompt_random_store_t                 random;      /* for ids */
    ngx_log_t                            *log;

    ngx_http_prompt_recordings_t         *recordings;
    ngx_http_prompt_sweep_t              *sweeps;
    ngx_http_prompt_remover_t            *remover;
    ngx_rbtree_t                          once;        /* by key: who leads */
    ngx_rbtree_node_t                     once_sentinel;

    /* what was added to the metrics already */
    ngx_http_prompt_timer_t               counter;
    ngx_http_prompt_seen_t                seen;
};


static ngx_inline ngx_http_prompt_worker_t *
ngx_http_prompt_get_worker(ngx_http_request_t *r)
{
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);

    return pmcf->worker;
}


/*
 * A request is worked on, until it ends; n recordings more, or less.  While
 * there is work, a worker that quits keeps a connection to PostgreSQL.
 */
ngx_int_t ngx_http_prompt_worker_serve(ngx_http_request_t *r);
void ngx_http_prompt_worker_work(ngx_http_prompt_worker_t *worker,
    ngx_int_t n);

/* A new UUIDv7; false: the kernel gave no random bytes. */
bool ngx_http_prompt_worker_id(ngx_http_prompt_worker_t *worker,
    prompt_uuid_t *id) PROMPT_WARN_UNUSED;

/* What a project may have by the location of r, as statements have it. */
void ngx_http_prompt_worker_quotas(ngx_http_request_t *r,
    prompt_quota_t *quota);

#endif /* NGX_HTTP_PROMPT_WORKER_H */
