/*
 * Standbys: what is known of them and of the primary.
 */

#include "service/standby/standby_impl.h"

#include "io/ngx_http_prompt_ratelog.h"
#include "store/schema_version.h"
#include "store/statement.h"


/* how long looks go on when nobody wants to read any more */
#define NGX_HTTP_PROMPT_STANDBY_IDLE    10000        /* ms */

/* where it is asked for because somebody waits: not more often than that */
#define NGX_HTTP_PROMPT_STANDBY_PINGS   5            /* ms */

/* the least time that a standby has for what is short */
#define NGX_HTTP_PROMPT_STANDBY_LIMIT   250          /* ms */

/*
 * Sentinels are asked for the master once a second, by each worker for itself:
 * until all have asked, some may be at the old one, which goes on for seconds.
 */
#define NGX_HTTP_PROMPT_STANDBY_LEARNS  3000         /* ms */


static ngx_int_t ngx_http_prompt_standby_check(void *data,
    const prompt_rows_t *rows, const char *sqlstate);
static ngx_int_t ngx_http_prompt_standby_take(void *data);
static void ngx_http_prompt_standby_give(void *data);
static prompt_query_t *ngx_http_prompt_standby_query(void);
static void ngx_http_prompt_standby_timer(ngx_event_t *ev);
static void ngx_http_prompt_standby_looked(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_standby_pinged(void *data,
    const ngx_http_prompt_postgres_result_t *result);


ngx_http_prompt_standby_t *
ngx_http_prompt_standby_create(ngx_http_prompt_worker_t *worker,
    ngx_cycle_t *cycle, ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_http_prompt_standby_t         *standby;
    ngx_http_prompt_postgres_check_t  *check;

    standby = ngx_pcalloc(cycle->pool, sizeof(ngx_http_prompt_standby_t));
    if (standby == NULL) {
        return NULL;
    }

    standby->worker = worker;
    standby->connections = pmcf->postgres_read.postgres.connections;
    standby->max_lag = pmcf->postgres_read.max_lag;
    standby->pause = ngx_min(ngx_max(standby->max_lag / 8, 10), 250);
    standby->changed = ngx_current_msec;

    ngx_queue_init(&standby->marks);

    ngx_http_prompt_timer_init(&standby->timer, ngx_http_prompt_standby_timer,
                               standby, cycle->log);
    standby->timer.event.cancelable = 1;

    if (pmcf->redis.kind == NGX_HTTP_PROMPT_REDIS_SENTINEL) {
        standby->learns = NGX_HTTP_PROMPT_STANDBY_LEARNS;

        /* what was found at the beginning is not found at the first change */

        standby->asked = ngx_current_msec;
        ngx_add_timer(&standby->timer.event, standby->pause);
    }

    check = &standby->check;

    check->statement = prompt_statement_fixed(PROMPT_STATEMENT_SCHEMA_VERSION);
    check->here = prompt_statement_fixed(PROMPT_STATEMENT_POSITION_HERE);
    check->place = prompt_statement_fixed(PROMPT_STATEMENT_POSITION_PLACE);
    check->verdict = ngx_http_prompt_standby_check;
    check->data = standby;
    check->take = ngx_http_prompt_standby_take;
    check->give = ngx_http_prompt_standby_give;

    if (check->statement == NULL || check->here == NULL || check->place == NULL)
    {
        return NULL;
    }

    standby->pool = ngx_http_prompt_postgres_create(cycle,
                                                &pmcf->postgres_read.postgres,
                                                check);

    return standby->pool != NULL ? standby : NULL;
}


void
ngx_http_prompt_standby_close(ngx_http_prompt_standby_t *standby)
{
    ngx_queue_t             *q;
    ngx_http_prompt_mark_t  *mark;

    if (standby == NULL) {
        return;
    }

    ngx_http_prompt_timer_stop(&standby->timer);

    /* tasks and commands go with what they were given to */

    while (!ngx_queue_empty(&standby->marks)) {
        q = ngx_queue_head(&standby->marks);
        mark = ngx_queue_data(q, ngx_http_prompt_mark_t, queue);

        ngx_queue_remove(q);
        ngx_http_prompt_timer_stop(&mark->timer);
        ngx_free(mark);
    }

    ngx_http_prompt_postgres_close(standby->pool);
}


void
ngx_http_prompt_standby_forget(ngx_http_prompt_standby_t *standby)
{
    if (standby != NULL) {
        ngx_http_prompt_postgres_forget(standby->pool);
    }
}


void
ngx_http_prompt_standby_quit(ngx_http_prompt_standby_t *standby)
{
    ngx_http_prompt_postgres_quit(standby->pool, 0);
}


ngx_uint_t
ngx_http_prompt_standby_up(const ngx_http_prompt_standby_t *standby)
{
    return standby != NULL ? ngx_http_prompt_postgres_up(standby->pool) : 0;
}


/*
 * One that has not replayed a migration yet is tried again later, and so is one
 * that comes before the primary.
 */
static ngx_int_t
ngx_http_prompt_standby_check(void *data, const prompt_rows_t *rows,
    const char *sqlstate)
{
    ngx_http_prompt_standby_t  *standby = data;

    int64_t   version;
    uint64_t  database;

    version = 0;

    if (rows != NULL
        && prompt_schema_version_row(rows, &version) == PROMPT_SCHEMA_FITS)
    {
        database = ngx_http_prompt_keys_database(standby->worker->keys);

        if (prompt_schema_database(rows) == database) {
            return NGX_OK;
        }

        if (database != 0) {
            ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_STANDBY_OTHER,
                                    prompt_str_absent, standby->worker->log,
                                    "prompt: a standby is passed over: it has "
                                    "another database than the primary");
        }

        return NGX_ERROR;
    }

    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_STANDBY_OTHER,
                            prompt_str_absent, standby->worker->log,
                            "prompt: a standby is passed over: its schema has "
                            "version %L, this module needs %d", version,
                            PROMPT_SCHEMA_VERSION);

    return NGX_ERROR;
}


static ngx_int_t
ngx_http_prompt_standby_take(void *data)
{
    ngx_http_prompt_standby_t  *standby = data;

    return ngx_http_prompt_metrics_take(standby->worker->metrics,
                                        NGX_HTTP_PROMPT_SERVERS_STANDBY,
                                        standby->connections
                                        * standby->worker->workers,
                                        standby->worker->workers);
}


static void
ngx_http_prompt_standby_give(void *data)
{
    ngx_http_prompt_standby_t  *standby = data;

    ngx_http_prompt_metrics_give(standby->worker->metrics,
                                 NGX_HTTP_PROMPT_SERVERS_STANDBY);
}


ngx_int_t
ngx_http_prompt_standby_ask(ngx_http_prompt_standby_t *standby,
    ngx_http_prompt_sent_t *sent, ngx_http_prompt_sent_pt done, void *data)
{
    prompt_query_t  *query;

    query = ngx_http_prompt_standby_query();

    return ngx_http_prompt_send_query(sent, standby->worker->postgres, query,
                                      query != NULL && prompt_position(query),
                                      0, done, data);
}


/* without statements, for one that reads a row; NULL: memory */
static prompt_query_t *
ngx_http_prompt_standby_query(void)
{
    prompt_query_t  *query;

    query = ngx_http_prompt_send_create();

    if (query != NULL) {
        query->length = PROMPT_QUERY_ROW;
    }

    return query;
}


/* While somebody wants to read: where the primary is, and a standby. */
static void
ngx_http_prompt_standby_timer(ngx_event_t *ev)
{
    ngx_http_prompt_standby_t  *standby;

    standby = ngx_http_prompt_timer_owner(ev);

    if (ngx_exiting
        || ngx_current_msec - standby->asked > NGX_HTTP_PROMPT_STANDBY_IDLE)
    {
        return;
    }

    (void) ngx_http_prompt_standby_believes(standby);

    if (standby->look.task == NULL) {
        standby->looked = ngx_current_msec;
        (void) ngx_http_prompt_standby_ask(standby, &standby->look,
                                           ngx_http_prompt_standby_looked,
                                           standby);
    }

    ngx_http_prompt_standby_ping(standby);

    ngx_add_timer(ev, standby->pause);
}


void
ngx_http_prompt_standby_ping(ngx_http_prompt_standby_t *standby)
{
    ngx_msec_t       limit;
    prompt_query_t  *query;

    if (standby->ping.task != NULL
        || ngx_current_msec - standby->pinged < NGX_HTTP_PROMPT_STANDBY_PINGS
        || ngx_http_prompt_postgres_up(standby->pool) == 0)
    {
        return;
    }

    query = ngx_http_prompt_standby_query();
    if (query == NULL) {
        return;
    }

    standby->pinged = ngx_current_msec;
    limit = ngx_http_prompt_standby_limit(standby, query);

    (void) ngx_http_prompt_send_query(&standby->ping, standby->pool, query,
                                      prompt_position_here(query), limit,
                                      ngx_http_prompt_standby_pinged, standby);
}


static void
ngx_http_prompt_standby_looked(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_standby_t  *standby = data;

    prompt_position_t  position;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        prompt_position_row(&result->rows[0], true, &position);
        ngx_http_prompt_standby_sample(standby, standby->looked, &position);
    }
}


static void
ngx_http_prompt_standby_pinged(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_standby_t  *standby = data;

    standby->well = result->status == NGX_HTTP_PROMPT_POSTGRES_OK
                    && result->position.lsn != 0;

    if (standby->well) {
        standby->seen = result->position.lsn;

    } else {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_STANDBY_OTHER,
                                prompt_str_absent, standby->worker->log,
                                "prompt: a standby is passed over: it does "
                                "not say how far it is: %s",
                                ngx_http_prompt_postgres_why(result));
    }
}


/*
 * at: before it was asked.  What an old primary says that is still there, and
 * has not noticed that there is another one, is not looked at.
 */
void
ngx_http_prompt_standby_sample(ngx_http_prompt_standby_t *standby,
    ngx_msec_t at, const prompt_position_t *position)
{
    ngx_http_prompt_sample_t  *last;

    if (position->lsn == 0 || position->timeline == 0) {
        return;
    }

    if (position->system != standby->system
        || position->timeline > standby->timeline)
    {
        /* what was seen before says nothing of the new one */

        if (standby->timeline != 0) {
            standby->seen = 0;
        }

        standby->system = position->system;
        standby->timeline = position->timeline;
        standby->nsamples = 0;

        ngx_http_prompt_postgres_expect(standby->pool, position->timeline);
    }

    if (position->timeline < standby->timeline) {
        return;
    }

    last = &standby->samples[(standby->nsamples
                              + NGX_HTTP_PROMPT_STANDBY_SAMPLES - 1)
                             % NGX_HTTP_PROMPT_STANDBY_SAMPLES];

    /* changes tell, too: no more of them than there is room for max_lag */

    if (standby->nsamples != 0
        && (ngx_msec_int_t) (at - last->at)
           < (ngx_msec_int_t) standby->max_lag / 16)
    {
        return;
    }

    last = &standby->samples[standby->nsamples++
                             % NGX_HTTP_PROMPT_STANDBY_SAMPLES];
    last->at = at;
    last->lsn = position->lsn;
}


uint64_t
ngx_http_prompt_standby_floor(const ngx_http_prompt_standby_t *standby)
{
    ngx_uint_t                       i, n;
    const ngx_http_prompt_sample_t  *sample;

    n = ngx_min(standby->nsamples, NGX_HTTP_PROMPT_STANDBY_SAMPLES);

    for (i = standby->nsamples - n; i < standby->nsamples; i++) {
        sample = &standby->samples[i % NGX_HTTP_PROMPT_STANDBY_SAMPLES];

        if (ngx_current_msec - sample->at <= standby->max_lag) {
            return sample->lsn;
        }
    }

    return 0;
}


bool
ngx_http_prompt_standby_believes(ngx_http_prompt_standby_t *standby)
{
    uint64_t                       connects;
    ngx_http_prompt_redis_stats_t  stats;

    ngx_memzero(&stats, sizeof(ngx_http_prompt_redis_stats_t));
    ngx_http_prompt_redis_servers_stats(standby->worker->redis, &stats);

    connects = stats.connects + stats.failures;

    if (connects != standby->connects) {
        standby->connects = connects;
        standby->changed = ngx_current_msec;
    }

    return stats.up
           && ngx_current_msec - standby->changed
              > standby->learns + standby->max_lag
                + NGX_HTTP_PROMPT_STANDBY_MARGIN;
}


bool
ngx_http_prompt_standby_settled(ngx_http_prompt_standby_t *standby)
{
    (void) ngx_http_prompt_standby_believes(standby);

    return standby->learns == 0
           || ngx_current_msec - standby->changed
              > standby->learns + NGX_HTTP_PROMPT_STANDBY_MARGIN;
}


ngx_msec_t
ngx_http_prompt_standby_limit(const ngx_http_prompt_standby_t *standby,
    const prompt_query_t *query)
{
    ngx_msec_t  half;

    half = ngx_max(ngx_http_prompt_postgres_timeout(standby->pool) / 2, 1);

    return query->length == PROMPT_QUERY_LONG
           ? half
           : ngx_min(half, ngx_max(standby->max_lag,
                                   NGX_HTTP_PROMPT_STANDBY_LIMIT));
}
