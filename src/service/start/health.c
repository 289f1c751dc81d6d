/*
 * Health: the probes, those who wait for them, and the text.
 */

#include "service/start/health.h"

#include "service/keys/keys.h"
#include "service/standby/standby.h"
#include "service/start/start.h"
#include "store/key_cache.h"
#include "store/sqlstate.h"


static void ngx_http_prompt_health_probe(ngx_http_prompt_worker_t *worker);
static void ngx_http_prompt_health_probed(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_health_probe_redis(
    ngx_http_prompt_worker_t *worker);
static void ngx_http_prompt_health_redis_probed(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_health_tell(ngx_event_t *ev);
static void ngx_http_prompt_health_waited(ngx_event_t *ev);
static ngx_uint_t ngx_http_prompt_health_is_known(
    ngx_http_prompt_worker_t *worker);
static ngx_uint_t ngx_http_prompt_health_reached(
    ngx_http_prompt_worker_t *worker);
static ngx_uint_t ngx_http_prompt_health_misfits(
    const ngx_http_prompt_worker_t *worker);
static void ngx_http_prompt_health_write_schema(
    ngx_http_prompt_worker_t *worker, prompt_buf_t *out);


void
ngx_http_prompt_health_init(ngx_http_prompt_worker_t *worker)
{
    ngx_http_prompt_health_t  *health;

    health = worker->health;

    ngx_queue_init(&health->waiting);

    health->told.handler = ngx_http_prompt_health_tell;
    health->told.data = worker;
    health->told.log = worker->log;
}


void
ngx_http_prompt_health_exit(ngx_http_prompt_worker_t *worker)
{
    if (worker->health->told.posted) {
        ngx_delete_posted_event(&worker->health->told);
    }
}


ngx_int_t
ngx_http_prompt_health_schema(ngx_http_prompt_worker_t *worker,
    prompt_schema_fit_t fit, int64_t version)
{
    ngx_http_prompt_health_t  *health;

    health = worker->health;

    health->fit = fit;
    health->version = version;
    health->checked = ngx_current_msec;
    health->known = 1;

    /* the connection that said so is counted as ready in a moment */

    if (!ngx_queue_empty(&health->waiting)) {
        ngx_post_event(&health->told, &ngx_posted_events);
    }

    return fit == PROMPT_SCHEMA_FITS ? NGX_OK : NGX_ERROR;
}


void
ngx_http_prompt_health_tick(ngx_http_prompt_worker_t *worker)
{
    time_t                            asked;
    ngx_http_prompt_postgres_stats_t  stats;

    asked = ngx_http_prompt_metrics_when(worker->metrics,
                                         NGX_HTTP_PROMPT_MOMENT_HEALTH_ASKED);

    if (!ngx_exiting && ngx_time() - asked <= NGX_HTTP_PROMPT_HEALTH_ASKED) {
        ngx_http_prompt_health_probe(worker);
        ngx_http_prompt_health_probe_redis(worker);
        return;
    }

    /* it may become another database over the same connection */

    ngx_http_prompt_postgres_stats(worker->postgres, &stats);

    if (stats.tasks != worker->health->tasks) {
        ngx_http_prompt_health_probe(worker);

        ngx_http_prompt_postgres_stats(worker->postgres, &stats);
        worker->health->tasks = stats.tasks;
    }
}


static void
ngx_http_prompt_health_probe(ngx_http_prompt_worker_t *worker)
{
    prompt_query_t            *query;
    ngx_http_prompt_health_t  *health;

    health = worker->health;

    /* what cannot be sent would only wait: a new connection says as much */

    if (health->probe.task != NULL
        || ngx_http_prompt_postgres_up(worker->postgres) == 0)
    {
        return;
    }

    query = ngx_http_prompt_send_create();

    health->since = ngx_current_msec;
    (void) ngx_http_prompt_send_query(&health->probe, worker->postgres, query,
                                      query != NULL
                                      && prompt_schema_version(query), 0,
                                      ngx_http_prompt_health_probed,
                                      worker);
}


static void
ngx_http_prompt_health_probed(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_worker_t  *worker = data;

    int64_t              version;
    prompt_schema_fit_t  fit;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        fit = prompt_schema_version_row(&result->rows[0], &version);

        if (ngx_http_prompt_health_schema(worker, fit, version) == NGX_OK) {
            ngx_http_prompt_worker_enter(worker,
                                    prompt_schema_database(&result->rows[0]));
        }

    } else if (result->status == NGX_HTTP_PROMPT_POSTGRES_ERROR
               && prompt_sqlstate(prompt_str_from(result->sqlstate))
                  == PROMPT_SQL_SCHEMA)
    {
        (void) ngx_http_prompt_health_schema(worker, PROMPT_SCHEMA_OLDER, 0);
    }
}


/* The entry of a key that nobody has: as any look-up, and only read. */
static void
ngx_http_prompt_health_probe_redis(ngx_http_prompt_worker_t *worker)
{
    char                       name[PROMPT_KEY_CACHE_MAX_NAME];
    prompt_str_t               words[4];
    ngx_http_prompt_health_t  *health;

    static const uint8_t  nobody[PROMPT_KEY_CACHE_HASH];

    health = worker->health;

    if (worker->redis == NULL || health->command != NULL) {
        return;
    }

    words[0] = prompt_str("GETRANGE");
    words[1].data = name;
    words[1].len = prompt_key_cache_entry_name(name,
                                   ngx_http_prompt_keys_prefix(worker->keys),
                                   nobody);
    words[2] = prompt_str("0");
    words[3] = prompt_str("0");

    health->command =
        ngx_http_prompt_redis_servers_command(worker->redis, words, 4, 1, 0,
                                          ngx_http_prompt_health_redis_probed,
                                          worker);
}


static void
ngx_http_prompt_health_redis_probed(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_worker_t  *worker = data;

    worker->health->command = NULL;
    worker->health->deaf = (reply->kind != NGX_HTTP_PROMPT_REDIS_STRING
                           && reply->kind != NGX_HTTP_PROMPT_REDIS_NIL);
}


ngx_int_t
ngx_http_prompt_health_ask(ngx_http_prompt_worker_t *worker,
    ngx_http_prompt_health_wait_t *wait)
{
    ngx_http_prompt_metrics_moment(worker->metrics,
                                   NGX_HTTP_PROMPT_MOMENT_HEALTH_ASKED);

    if (ngx_http_prompt_health_is_known(worker)) {
        return NGX_OK;
    }

    ngx_http_prompt_health_probe(worker);
    ngx_http_prompt_health_probe_redis(worker);

    ngx_http_prompt_timer_init(&wait->timer, ngx_http_prompt_health_waited,
                               wait, worker->log);
    ngx_add_timer(&wait->timer.event, NGX_HTTP_PROMPT_HEALTH_WAIT);

    ngx_queue_insert_tail(&worker->health->waiting, &wait->queue);

    return NGX_AGAIN;
}


void
ngx_http_prompt_health_cancel(ngx_http_prompt_health_wait_t *wait)
{
    ngx_queue_remove(&wait->queue);
    ngx_http_prompt_timer_stop(&wait->timer);
}


static void
ngx_http_prompt_health_tell(ngx_event_t *ev)
{
    ngx_http_prompt_worker_t  *worker = ev->data;

    ngx_queue_t                    *q, *waiting;
    ngx_http_prompt_health_wait_t  *wait;

    waiting = &worker->health->waiting;

    while (!ngx_queue_empty(waiting)
           && ngx_http_prompt_health_is_known(worker))
    {
        q = ngx_queue_head(waiting);
        wait = ngx_queue_data(q, ngx_http_prompt_health_wait_t, queue);

        ngx_http_prompt_health_cancel(wait);
        wait->done(wait->data);
    }
}


static void
ngx_http_prompt_health_waited(ngx_event_t *ev)
{
    ngx_http_prompt_health_wait_t  *wait;

    wait = ngx_http_prompt_timer_owner(ev);

    ngx_queue_remove(&wait->queue);
    wait->done(wait->data);
}


/*
 * Both answers can be known: a schema was said not to fit just now, or a probe
 * has been waited for already.
 */
static ngx_uint_t
ngx_http_prompt_health_is_known(ngx_http_prompt_worker_t *worker)
{
    return ngx_http_prompt_health_good(worker)
           || ngx_http_prompt_health_misfits(worker)
           || (worker->health->probe.task != NULL
               && ngx_current_msec - worker->health->since
                  > NGX_HTTP_PROMPT_HEALTH_WAIT);
}


ngx_uint_t
ngx_http_prompt_health_good(ngx_http_prompt_worker_t *worker)
{
    return ngx_http_prompt_health_reached(worker)
           && worker->health->known
           && worker->health->fit == PROMPT_SCHEMA_FITS;
}


ngx_uint_t
ngx_http_prompt_health_seems_good(ngx_http_prompt_worker_t *worker)
{
    const ngx_http_prompt_health_t  *health;

    health = worker->health;

    return ngx_http_prompt_health_good(worker)
           || (health->probe.task == NULL
               && ngx_http_prompt_postgres_up(worker->postgres) != 0
               && health->known
               && health->fit == PROMPT_SCHEMA_FITS);
}


static ngx_uint_t
ngx_http_prompt_health_reached(ngx_http_prompt_worker_t *worker)
{
    return ngx_http_prompt_postgres_heard(worker->postgres)
           <= NGX_HTTP_PROMPT_HEALTH_SILENCE;
}


static ngx_uint_t
ngx_http_prompt_health_misfits(const ngx_http_prompt_worker_t *worker)
{
    const ngx_http_prompt_health_t  *health;

    health = worker->health;

    return health->known
           && health->fit != PROMPT_SCHEMA_FITS
           && ngx_current_msec - health->checked
              <= NGX_HTTP_PROMPT_HEALTH_SILENCE;
}


void
ngx_http_prompt_health_write(ngx_http_prompt_worker_t *worker,
    prompt_buf_t *out)
{
    ngx_uint_t                        misfits, up;
    ngx_http_prompt_postgres_stats_t  pool;

    ngx_http_prompt_postgres_stats(worker->postgres, &pool);
    misfits = ngx_http_prompt_health_misfits(worker);

    prompt_buf_printf(out, "%s\npostgresql: %s\n"
                           "pool: %lu of %lu connections, %lu waiting\n",
                      ngx_http_prompt_health_good(worker) ? "ok"
                                                          : "unavailable",
                      misfits || ngx_http_prompt_health_reached(worker)
                      ? "reached" : "not reached",
                      (unsigned long) pool.up,
                      (unsigned long) pool.connections,
                      (unsigned long) pool.queued);

    ngx_http_prompt_health_write_schema(worker, out);

    if (worker->standby != NULL) {
        up = ngx_http_prompt_standby_up(worker->standby);
        prompt_buf_printf(out, "standbys: %lu connections\n",
                          (unsigned long) up);
    }

    if (worker->redis == NULL) {
        prompt_buf_literal(out, "redis: not configured\n");

    } else if (ngx_http_prompt_redis_servers_up(worker->redis)
               && !worker->health->deaf)
    {
        prompt_buf_literal(out, "redis: reached\n");

    } else {
        prompt_buf_literal(out, "redis: not reached, keys are looked up in "
                                "PostgreSQL\n");
    }
}


static void
ngx_http_prompt_health_write_schema(ngx_http_prompt_worker_t *worker,
    prompt_buf_t *out)
{
    const ngx_http_prompt_health_t  *health;

    health = worker->health;

    if (!ngx_http_prompt_health_misfits(worker)
        && !ngx_http_prompt_health_good(worker))
    {
        prompt_buf_literal(out, "schema: not known\n");
        return;
    }

    if (health->fit == PROMPT_SCHEMA_FITS) {
        prompt_buf_printf(out, "schema: version %ld, fits\n",
                          (long) health->version);
        return;
    }

    if (health->version == 0) {
        prompt_buf_literal(out, "schema: none yet, or an older one: run "
                                "\"promptctl migrate\"\n");
        return;
    }

    prompt_buf_printf(out, "schema: version %ld, this module needs %d: %s\n",
                      (long) health->version, PROMPT_SCHEMA_VERSION,
                      health->fit == PROMPT_SCHEMA_OLDER
                      ? "run \"promptctl migrate\""
                      : "install the module that goes with it");
}
