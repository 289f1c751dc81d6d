/*
 * A worker process begins and ends.
 */

#include "service/worker.h"

#include "io/ngx_http_prompt_trouble.h"
#include "service/hash_tree.h"
#include "service/service.h"
#include "store/schema_version.h"
#include "store/sqlstate.h"
#include "store/statement.h"


static ngx_int_t ngx_http_prompt_worker_connect(
    ngx_http_prompt_worker_t *worker, ngx_cycle_t *cycle,
    ngx_http_prompt_main_conf_t *pmcf);
static void ngx_http_prompt_worker_timer(ngx_event_t *ev);
static ngx_int_t ngx_http_prompt_worker_check_schema(void *data,
    const prompt_rows_t *rows, const char *sqlstate);


ngx_int_t
ngx_http_prompt_worker_init(ngx_cycle_t *cycle,
    ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_pcalloc(cycle->pool, sizeof(ngx_http_prompt_worker_t));
    if (worker == NULL) {
        return NGX_ERROR;
    }

    worker->log = cycle->log;
    worker->schema = pmcf->schema;
    worker->metrics = ngx_http_prompt_metrics_of(pmcf->metrics);

    if (ngx_http_prompt_metrics_enter(worker->metrics, cycle->log) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_http_prompt_recording_init(worker);
    ngx_http_prompt_health_init(worker);
    ngx_http_prompt_sweep_init(worker);
    ngx_http_prompt_newest_init(worker);
    ngx_http_prompt_hash_tree_init(&worker->once, &worker->once_sentinel);
    ngx_http_prompt_removal_init(worker);

    ngx_http_prompt_timer_init(&worker->counter, ngx_http_prompt_worker_timer,
                               worker, cycle->log);
    worker->counter.event.cancelable = 1;

    if (ngx_http_prompt_usage_init(worker, cycle) != NGX_OK) {
        return NGX_ERROR;
    }

    if (pmcf->threads != NULL) {
        worker->guesses = pmcf->guesses;
        worker->passwords = ngx_http_prompt_passwords_create(cycle,
                                                             pmcf->threads,
                                                             pmcf->guesses);
        if (worker->passwords == NULL) {
            return NGX_ERROR;
        }
    }

    if (pmcf->otlp.url.len != 0) {
        worker->otlp = ngx_http_prompt_otlp_create(cycle, &pmcf->otlp,
                                                   worker->metrics);
        if (worker->otlp == NULL) {
            return NGX_ERROR;
        }
    }

    pmcf->worker = worker;

    if (ngx_http_prompt_worker_connect(worker, cycle, pmcf) != NGX_OK) {
        return NGX_ERROR;
    }

    /* one worker of a host is enough to look for what others left */

    if (ngx_worker == 0) {
        ngx_http_prompt_sweep_watch(worker);
        ngx_http_prompt_removal_watch(worker);
    }

    ngx_http_prompt_worker_count(worker);
    ngx_add_timer(&worker->counter.event, NGX_HTTP_PROMPT_COUNT_INTERVAL);

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_worker_connect(ngx_http_prompt_worker_t *worker,
    ngx_cycle_t *cycle, ngx_http_prompt_main_conf_t *pmcf)
{
    size_t                             targets;
    ngx_http_prompt_postgres_check_t  *check;

    worker->engine = gql_engine_create(pmcf->schema,
                                       NGX_HTTP_PROMPT_CACHE_ENTRIES,
                                       NGX_HTTP_PROMPT_CACHE_BYTES,
                                       ngx_http_prompt_service_compile, NULL);

    check = ngx_pcalloc(cycle->pool, sizeof(ngx_http_prompt_postgres_check_t));

    if (worker->engine == NULL || check == NULL) {
        return NGX_ERROR;
    }

    if (pmcf->versions != 0) {
        targets = pmcf->versions / NGX_HTTP_PROMPT_TARGETS_SHARE;

        worker->versions = prompt_version_cache_create(pmcf->versions
                                                       - targets);
        worker->targets = prompt_target_cache_create(targets);

        if (worker->versions == NULL || worker->targets == NULL) {
            return NGX_ERROR;
        }
    }

    check->statement = prompt_statement_fixed(PROMPT_STATEMENT_SCHEMA_VERSION);

    if (check->statement == NULL) {
        return NGX_ERROR;
    }

    check->verdict = ngx_http_prompt_worker_check_schema;
    check->data = worker;

    worker->postgres = ngx_http_prompt_postgres_create(cycle, &pmcf->postgres,
                                                       check);
    if (worker->postgres == NULL) {
        return NGX_ERROR;
    }

    if (pmcf->redis.addrs != NULL) {
        worker->redis = ngx_http_prompt_redis_servers_create(cycle,
                                                             &pmcf->redis);
        if (worker->redis == NULL) {
            return NGX_ERROR;
        }
    }

    if (pmcf->postgres_read.postgres.nhosts != 0) {
        worker->standby = ngx_http_prompt_standby_create(worker, cycle, pmcf);
        if (worker->standby == NULL) {
            return NGX_ERROR;
        }
    }

    worker->keys = ngx_http_prompt_keys_create(cycle, worker->redis,
                                               worker->postgres,
                                               worker->metrics,
                                               &pmcf->redis.prefix,
                                               pmcf->key_valid,
                                               pmcf->key_unknown);

    return worker->keys != NULL ? NGX_OK : NGX_ERROR;
}


void
ngx_http_prompt_worker_exit(ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_http_prompt_worker_t  *worker;

    worker = pmcf->worker;

    ngx_http_prompt_timer_stop(&worker->counter);

    if (worker->keys != NULL) {
        ngx_http_prompt_worker_count(worker);
    }

    ngx_http_prompt_metrics_leave(worker->metrics);

    ngx_http_prompt_recording_exit(worker);
    ngx_http_prompt_health_exit(worker);
    ngx_http_prompt_sweep_exit(worker);
    ngx_http_prompt_newest_exit(worker);
    ngx_http_prompt_removal_exit(worker);
    ngx_http_prompt_usage_exit(worker);
    ngx_http_prompt_otlp_destroy(worker->otlp);

    ngx_http_prompt_passwords_destroy(worker->passwords);
    ngx_http_prompt_keys_destroy(worker->keys);

    ngx_http_prompt_standby_close(worker->standby);
    ngx_http_prompt_redis_servers_close(worker->redis);
    ngx_http_prompt_postgres_close(worker->postgres);

    if (worker->engine != NULL) {
        gql_engine_destroy(worker->engine);
    }

    prompt_version_cache_destroy(worker->versions);
    prompt_target_cache_destroy(worker->targets);
    ngx_http_prompt_owners_exit(&worker->owners);
    prompt_statement_free_all();

    pmcf->worker = NULL;
}


static void
ngx_http_prompt_worker_timer(ngx_event_t *ev)
{
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_timer_owner(ev);

    ngx_http_prompt_health_tick(worker);
    ngx_http_prompt_worker_count(worker);

    ngx_add_timer(ev, NGX_HTTP_PROMPT_COUNT_INTERVAL);
}


/*
 * Asked on each new connection.  A database of an older schema is not used,
 * nor one of a newer schema that does not say that it bears this module: what
 * it would do to the data nobody knows.
 */

static ngx_int_t
ngx_http_prompt_worker_check_schema(void *data, const prompt_rows_t *rows,
    const char *sqlstate)
{
    ngx_http_prompt_worker_t  *worker = data;

    int64_t              version;
    prompt_schema_fit_t  fit;

    if (rows == NULL) {

        if (prompt_sqlstate(prompt_str_from(sqlstate)) == PROMPT_SQL_SCHEMA) {
            (void) ngx_http_prompt_health_schema(worker, PROMPT_SCHEMA_OLDER,
                                                 0);
            ngx_http_prompt_trouble(NGX_HTTP_PROMPT_TROUBLE_SCHEMA,
                                    prompt_str_absent, worker->log,
                                    "prompt: the database has no schema yet, "
                                    "or an older one: run \"promptctl "
                                    "migrate\"");
        } else {
            ngx_http_prompt_trouble(NGX_HTTP_PROMPT_TROUBLE_SCHEMA,
                                    prompt_str_absent, worker->log,
                                    "prompt: the version of the database "
                                    "schema could not be read (%s)",
                                    sqlstate);
        }

        return NGX_ERROR;
    }

    fit = prompt_schema_version_row(rows, &version);

    if (ngx_http_prompt_health_schema(worker, fit, version) == NGX_OK) {
        return NGX_OK;
    }

    ngx_http_prompt_trouble(NGX_HTTP_PROMPT_TROUBLE_SCHEMA, prompt_str_absent,
                            worker->log, "prompt: the database schema has "
                            "version %L, this module needs %d: %s", version,
                            PROMPT_SCHEMA_VERSION,
                            fit == PROMPT_SCHEMA_OLDER
                            ? "run \"promptctl migrate\""
                            : "install the module that goes with it");

    return NGX_ERROR;
}
