/*
 * A worker process begins and ends.
 */

#include "service/start/start.h"

#include "graphql/service_schema.h"
#include "io/ngx_http_prompt_ratelog.h"
#include "service/call/recording.h"
#include "service/frame/answers.h"
#include "service/frame/hook.h"
#include "service/keys/keys.h"
#include "service/keys/usage.h"
#include "service/people/passwords.h"
#include "service/spans/otlp.h"
#include "service/standby/standby.h"
#include "service/start/health.h"
#include "service/upkeep/removal.h"
#include "service/upkeep/sweep.h"
#include "service/worker/hash_tree.h"
#include "store/schema_version.h"
#include "store/sqlstate.h"
#include "store/statement.h"


/* a worker, and the parts of the floors above that it has by itself */
typedef struct {
    ngx_http_prompt_worker_t      worker;
    ngx_http_prompt_usage_t       usage;
    ngx_http_prompt_answers_t     answers;
    ngx_http_prompt_health_t      health;
    ngx_http_prompt_recordings_t  recordings;
    ngx_http_prompt_sweep_t       sweeps[NGX_HTTP_PROMPT_NSWEEPS];
    ngx_http_prompt_remover_t     remover;
} ngx_http_prompt_whole_t;


static ngx_http_prompt_worker_t *ngx_http_prompt_worker_create(
    ngx_pool_t *pool);
static ngx_int_t ngx_http_prompt_worker_connect(
    ngx_http_prompt_worker_t *worker, ngx_cycle_t *cycle,
    ngx_http_prompt_main_conf_t *pmcf);
static ngx_int_t ngx_http_prompt_worker_watch(
    ngx_http_prompt_worker_t *worker, ngx_cycle_t *cycle);
static void ngx_http_prompt_worker_unwatch(ngx_http_prompt_worker_t *worker);
static void ngx_http_prompt_worker_quits(ngx_event_t *ev);
static void ngx_http_prompt_worker_rest(ngx_http_prompt_worker_t *worker);
static void ngx_http_prompt_worker_timer(ngx_event_t *ev);
static ngx_int_t ngx_http_prompt_worker_take(void *data);
static void ngx_http_prompt_worker_give(void *data);
static uint64_t ngx_http_prompt_worker_seal(
    const ngx_http_prompt_postgres_conf_t *conf);
static ngx_int_t ngx_http_prompt_worker_check(void *data,
    const prompt_rows_t *rows, const char *sqlstate);


ngx_int_t
ngx_http_prompt_worker_init(ngx_cycle_t *cycle,
    ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_core_conf_t           *ccf;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_worker_create(cycle->pool);
    if (worker == NULL) {
        return NGX_ERROR;
    }

    ccf = (ngx_core_conf_t *) ngx_get_conf(cycle->conf_ctx, ngx_core_module);

    worker->workers = ngx_process == NGX_PROCESS_SINGLE
                      ? 1 : (ngx_uint_t) ccf->worker_processes;
    worker->connections = pmcf->postgres.connections;
    worker->log = cycle->log;
    worker->schema = &gql_service_schema;
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
    ngx_http_prompt_answers_init(worker->answers, pmcf->answers,
                                 worker->metrics, cycle->log);

    ngx_http_prompt_timer_init(&worker->counter, ngx_http_prompt_worker_timer,
                               worker, cycle->log);
    worker->counter.event.cancelable = 1;

    if (ngx_http_prompt_usage_init(worker, cycle) != NGX_OK) {
        return NGX_ERROR;
    }

    worker->flights = pmcf->flights;

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

    if (ngx_http_prompt_worker_connect(worker, cycle, pmcf) != NGX_OK
        || ngx_http_prompt_worker_watch(worker, cycle) != NGX_OK)
    {
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


static ngx_http_prompt_worker_t *
ngx_http_prompt_worker_create(ngx_pool_t *pool)
{
    ngx_http_prompt_whole_t   *whole;
    ngx_http_prompt_worker_t  *worker;

    whole = ngx_pcalloc(pool, sizeof(ngx_http_prompt_whole_t));
    if (whole == NULL) {
        return NULL;
    }

    worker = &whole->worker;

    worker->usage = &whole->usage;
    worker->answers = &whole->answers;
    worker->health = &whole->health;
    worker->recordings = &whole->recordings;
    worker->sweeps = whole->sweeps;
    worker->remover = &whole->remover;
    worker->hooks = ngx_http_prompt_hooks;

    return worker;
}


static ngx_int_t
ngx_http_prompt_worker_connect(ngx_http_prompt_worker_t *worker,
    ngx_cycle_t *cycle, ngx_http_prompt_main_conf_t *pmcf)
{
    size_t                             targets;
    ngx_http_prompt_metrics_noted_t   *noted;
    ngx_http_prompt_postgres_check_t  *check;

    noted = ngx_http_prompt_metrics_noted(worker->metrics);
    worker->engine = pmcf->engine;

    check = ngx_pcalloc(cycle->pool, sizeof(ngx_http_prompt_postgres_check_t));

    if (check == NULL) {
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

    check->verdict = ngx_http_prompt_worker_check;
    check->data = worker;
    worker->seal = ngx_http_prompt_worker_seal(&pmcf->postgres);
    check->take = ngx_http_prompt_worker_take;
    check->give = ngx_http_prompt_worker_give;

    worker->postgres = ngx_http_prompt_postgres_create(cycle, &pmcf->postgres,
                                                       check);
    if (worker->postgres == NULL) {
        return NGX_ERROR;
    }

    if (pmcf->redis.addrs != NULL) {
        pmcf->redis.next = &noted->redis;
        pmcf->redis.server = noted->redis_server;
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
                                               pmcf->key_unknown,
                                               noted->database_seal
                                               == worker->seal
                                               ? noted->database_id : 0);

    return worker->keys != NULL ? NGX_OK : NGX_ERROR;
}


/*
 * What is known of a database is noted together with where it was found: a
 * configuration that leads elsewhere knows of none until it is there.
 */
static uint64_t
ngx_http_prompt_worker_seal(const ngx_http_prompt_postgres_conf_t *conf)
{
    uint64_t             seal;
    ngx_uint_t           i;
    const ngx_keyval_t  *kv;

    seal = 1;
    kv = conf->options.elts;

    for (i = 0; i < conf->options.nelts; i++) {
        seal = prompt_str_hash_seeded(
                           prompt_str_from((char *) kv[i].value.data), seal);
    }

    for (i = 0; i < conf->nhosts; i++) {
        seal = prompt_str_hash_seeded(prompt_str_from(conf->hosts[i].host),
                                      seal);
        seal = prompt_str_hash_seeded(prompt_str_from(conf->hosts[i].port),
                                      seal);
    }

    return seal;
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

    ngx_http_prompt_worker_unwatch(worker);
    ngx_http_prompt_recording_exit(worker);
    ngx_http_prompt_health_exit(worker);
    ngx_http_prompt_sweep_exit(worker);
    ngx_http_prompt_timer_stop(&worker->newest.timer);
    ngx_http_prompt_timer_stop(&worker->remover->timer);
    ngx_http_prompt_timer_stop(&worker->usage->timer);
    ngx_http_prompt_otlp_destroy(worker->otlp);

    ngx_http_prompt_passwords_destroy(worker->passwords);
    ngx_http_prompt_keys_destroy(worker->keys);

    ngx_http_prompt_standby_close(worker->standby);
    ngx_http_prompt_redis_servers_close(worker->redis);
    ngx_http_prompt_postgres_close(worker->postgres);
    ngx_http_prompt_metrics_leave(worker->metrics);

    prompt_version_cache_destroy(worker->versions);
    prompt_target_cache_destroy(worker->targets);
    ngx_http_prompt_owners_exit(&worker->owners);
    prompt_statement_free_all();

    pmcf->worker = NULL;
}


/*
 * A worker that is told to quit lives for as long as anybody has a connection
 * to it, perhaps for hours, and modules are told nothing.  But nginx closes
 * connections that are idle then: here is one, to nowhere.
 */
static ngx_int_t
ngx_http_prompt_worker_watch(ngx_http_prompt_worker_t *worker,
    ngx_cycle_t *cycle)
{
    ngx_socket_t       fd;
    ngx_connection_t  *c;

    fd = ngx_socket(AF_UNIX, SOCK_STREAM, 0);

    if (fd == (ngx_socket_t) -1) {
        ngx_log_error(NGX_LOG_ALERT, cycle->log, ngx_socket_errno,
                      "prompt: a worker has no socket to be told by");
        return NGX_ERROR;
    }

    c = ngx_get_connection(fd, cycle->log);

    if (c == NULL) {
        (void) ngx_close_socket(fd);
        return NGX_ERROR;
    }

    c->data = worker;
    c->idle = 1;
    c->log = cycle->log;
    c->read->log = cycle->log;
    c->write->log = cycle->log;
    c->read->handler = ngx_http_prompt_worker_quits;

    worker->watch = c;

    return NGX_OK;
}


static void
ngx_http_prompt_worker_unwatch(ngx_http_prompt_worker_t *worker)
{
    if (worker->watch != NULL) {
        ngx_close_connection(worker->watch);
        worker->watch = NULL;
    }
}


static void
ngx_http_prompt_worker_quits(ngx_event_t *ev)
{
    ngx_connection_t          *c;
    ngx_http_prompt_worker_t  *worker;

    c = ev->data;
    worker = c->data;

    ngx_http_prompt_worker_unwatch(worker);
    ngx_http_prompt_worker_rest(worker);
}


/*
 * A worker that quits keeps what its work needs, one connection to PostgreSQL
 * at most; and nothing when there is no work.
 */
static void
ngx_http_prompt_worker_rest(ngx_http_prompt_worker_t *worker)
{
    ngx_http_prompt_postgres_quit(worker->postgres, worker->work != 0);

    if (worker->standby != NULL) {
        ngx_http_prompt_standby_quit(worker->standby);
    }

    if (worker->redis != NULL) {
        ngx_http_prompt_redis_servers_quit(worker->redis, worker->work != 0);
    }

    if (worker->otlp != NULL) {
        ngx_http_prompt_otlp_quit(worker->otlp);
    }
}


static ngx_int_t
ngx_http_prompt_worker_take(void *data)
{
    ngx_http_prompt_worker_t  *worker = data;

    return ngx_http_prompt_metrics_take(worker->metrics,
                                        NGX_HTTP_PROMPT_SERVERS_POSTGRES,
                                        worker->connections * worker->workers,
                                        worker->workers);
}


static void
ngx_http_prompt_worker_give(void *data)
{
    ngx_http_prompt_worker_t  *worker = data;

    ngx_http_prompt_metrics_give(worker->metrics,
                                 NGX_HTTP_PROMPT_SERVERS_POSTGRES);
}


static void
ngx_http_prompt_worker_timer(ngx_event_t *ev)
{
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_timer_owner(ev);

    if (ngx_exiting) {
        ngx_http_prompt_worker_rest(worker);
    }

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
ngx_http_prompt_worker_check(void *data, const prompt_rows_t *rows,
    const char *sqlstate)
{
    ngx_http_prompt_worker_t  *worker = data;

    int64_t              version;
    prompt_schema_fit_t  fit;

    if (rows == NULL) {

        if (prompt_sqlstate(prompt_str_from(sqlstate)) == PROMPT_SQL_SCHEMA) {
            (void) ngx_http_prompt_health_schema(worker, PROMPT_SCHEMA_OLDER,
                                                 0);
            ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_SCHEMA,
                                    prompt_str_absent, worker->log,
                                    "prompt: the database has no schema yet, "
                                    "or an older one: run \"promptctl "
                                    "migrate\"");
        } else {
            ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_SCHEMA,
                                    prompt_str_absent, worker->log,
                                    "prompt: the version of the database "
                                    "schema could not be read (%s)",
                                    sqlstate);
        }

        return NGX_ERROR;
    }

    fit = prompt_schema_version_row(rows, &version);

    if (ngx_http_prompt_health_schema(worker, fit, version) == NGX_OK) {
        ngx_http_prompt_worker_enter(worker, prompt_schema_database(rows));
        return NGX_OK;
    }

    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_SCHEMA, prompt_str_absent,
                            worker->log, "prompt: the database schema has "
                            "version %L, this module needs %d: %s", version,
                            PROMPT_SCHEMA_VERSION,
                            fit == PROMPT_SCHEMA_OLDER
                            ? "run \"promptctl migrate\""
                            : "install the module that goes with it");

    return NGX_ERROR;
}


void
ngx_http_prompt_worker_enter(ngx_http_prompt_worker_t *worker,
    uint64_t database)
{
    uint64_t                          before;
    ngx_http_prompt_metrics_noted_t  *noted;

    noted = ngx_http_prompt_metrics_noted(worker->metrics);

    if (noted->database_id != database
        || noted->database_seal != worker->seal)
    {
        noted->database_seal = 0;
        noted->database_id = database;
        noted->database_seal = worker->seal;
    }

    before = ngx_http_prompt_keys_database(worker->keys);

    if (database == before) {
        return;
    }

    ngx_http_prompt_keys_enter(worker->keys, database);

    if (before == 0) {
        return;
    }

    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_DATABASE,
                            prompt_str_absent, worker->log,
                            "prompt: the database is another one than before: "
                            "what was known of that is forgotten");

    if (worker->versions != NULL) {
        prompt_version_cache_clear(worker->versions);
        prompt_target_cache_clear(worker->targets);
    }

    ngx_http_prompt_owners_exit(&worker->owners);
    ngx_http_prompt_usage_forget(worker);
    worker->newest.known = 0;

    ngx_http_prompt_postgres_forget(worker->postgres);
    ngx_http_prompt_standby_forget(worker->standby);
}
