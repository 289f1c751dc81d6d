/*
 * Standbys: what is known of them and of the primary, and who reads from them.
 */

#include "service/standby_impl.h"

#include "io/ngx_http_prompt_trouble.h"
#include "service/send.h"
#include "service/service.h"
#include "store/schema_version.h"
#include "store/statement.h"


/* how long looks go on when nobody wants to read any more */
#define NGX_HTTP_PROMPT_STANDBY_IDLE    10000        /* ms */

/* the least time that a standby has for what is short */
#define NGX_HTTP_PROMPT_STANDBY_LIMIT   250          /* ms */

/* a row of a few columns */
#define NGX_HTTP_PROMPT_STANDBY_MEMORY  (16 * 1024)


static ngx_int_t ngx_http_prompt_standby_check(void *data,
    const prompt_rows_t *rows, const char *sqlstate);
static void ngx_http_prompt_standby_timer(ngx_event_t *ev);
static void ngx_http_prompt_standby_looked(void *data,
    ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_standby_pinged(void *data,
    ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result);
static uint64_t ngx_http_prompt_standby_floor(
    const ngx_http_prompt_standby_t *standby);
static bool ngx_http_prompt_standby_wanted(const ngx_http_prompt_job_t *job);
static bool ngx_http_prompt_standby_ready(ngx_http_prompt_job_t *job);
static void ngx_http_prompt_standby_marked(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static bool ngx_http_prompt_standby_may(ngx_http_prompt_job_t *job,
    const ngx_http_prompt_redis_reply_t *reply);
static bool ngx_http_prompt_standby_pass(ngx_http_prompt_root_t *root,
    ngx_http_prompt_count_e why);
static ngx_msec_t ngx_http_prompt_standby_limit(
    const ngx_http_prompt_standby_t *standby, const prompt_query_t *query);


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
    standby->prefix = prompt_str_of((char *) pmcf->redis.prefix.data,
                                    pmcf->redis.prefix.len);
    standby->max_lag = pmcf->postgres_read.max_lag;
    standby->pause = ngx_min(ngx_max(standby->max_lag / 8, 10), 250);
    standby->changed = ngx_current_msec;

    ngx_queue_init(&standby->marks);

    ngx_http_prompt_timer_init(&standby->timer, ngx_http_prompt_standby_timer,
                               standby, cycle->log);
    standby->timer.event.cancelable = 1;

    check = &standby->check;

    check->statement = prompt_statement_fixed(PROMPT_STATEMENT_SCHEMA_VERSION);
    check->here = prompt_statement_fixed(PROMPT_STATEMENT_POSITION_HERE);
    check->place = prompt_statement_fixed(PROMPT_STATEMENT_POSITION_PLACE);
    check->verdict = ngx_http_prompt_standby_check;
    check->data = standby;

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


ngx_uint_t
ngx_http_prompt_standby_up(const ngx_http_prompt_standby_t *standby)
{
    return standby != NULL ? ngx_http_prompt_postgres_up(standby->pool) : 0;
}


/* One that has not replayed a migration yet is tried again later. */

static ngx_int_t
ngx_http_prompt_standby_check(void *data, const prompt_rows_t *rows,
    const char *sqlstate)
{
    ngx_http_prompt_standby_t  *standby = data;

    int64_t  version;

    (void) sqlstate;

    version = 0;

    if (rows != NULL
        && prompt_schema_version_row(rows, &version) == PROMPT_SCHEMA_FITS)
    {
        return NGX_OK;
    }

    ngx_http_prompt_trouble(NGX_HTTP_PROMPT_TROUBLE_STANDBY_OTHER,
                            prompt_str_absent, standby->worker->log,
                            "prompt: a standby is passed over: its schema has "
                            "version %L, this module needs %d", version,
                            PROMPT_SCHEMA_VERSION);

    return NGX_ERROR;
}


prompt_query_t *
ngx_http_prompt_standby_query(void)
{
    prompt_query_t  *query;

    query = prompt_query_create(NGX_HTTP_PROMPT_STANDBY_MEMORY);

    if (query != NULL) {
        query->length = PROMPT_QUERY_ROW;
    }

    return query;
}


/* While somebody wants to read: where the primary is, and a standby. */

static void
ngx_http_prompt_standby_timer(ngx_event_t *ev)
{
    prompt_query_t             *query;
    ngx_http_prompt_standby_t  *standby;

    standby = ngx_http_prompt_timer_owner(ev);

    if (ngx_exiting
        || ngx_current_msec - standby->asked > NGX_HTTP_PROMPT_STANDBY_IDLE)
    {
        return;
    }

    (void) ngx_http_prompt_standby_believes(standby);

    if (standby->look == NULL) {
        query = ngx_http_prompt_standby_query();
        standby->looked = ngx_current_msec;
        standby->look = ngx_http_prompt_send_query(standby->worker->postgres,
                                      query,
                                      query != NULL && prompt_position(query),
                                      0, ngx_http_prompt_standby_looked,
                                      standby);
    }

    if (standby->ping == NULL
        && ngx_http_prompt_postgres_up(standby->pool) != 0)
    {
        query = ngx_http_prompt_standby_query();
        standby->ping = ngx_http_prompt_send_query(standby->pool, query,
                                 query != NULL && prompt_position_here(query),
                                 query != NULL
                                 ? ngx_http_prompt_standby_limit(standby,
                                                                 query) : 0,
                                 ngx_http_prompt_standby_pinged, standby);
    }

    ngx_add_timer(ev, standby->pause);
}


static void
ngx_http_prompt_standby_looked(void *data,
    ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_standby_t  *standby = data;

    prompt_position_t  position;

    standby->look = NULL;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        prompt_position_row(&result->rows[0], true, &position);
        ngx_http_prompt_standby_sample(standby, standby->looked, &position);
    }

    ngx_http_prompt_postgres_free(task);
}


static void
ngx_http_prompt_standby_pinged(void *data,
    ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_standby_t  *standby = data;

    standby->ping = NULL;

    standby->well = result->status == NGX_HTTP_PROMPT_POSTGRES_OK
                    && result->position.lsn != 0;

    if (standby->well) {
        standby->seen = result->position.lsn;
    }

    ngx_http_prompt_postgres_free(task);
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
        standby->system = position->system;
        standby->timeline = position->timeline;
        standby->nsamples = 0;
        standby->seen = 0;

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
           < (ngx_msec_int_t) standby->pause / 2)
    {
        return;
    }

    last = &standby->samples[standby->nsamples++
                             % NGX_HTTP_PROMPT_STANDBY_SAMPLES];
    last->at = at;
    last->lsn = position->lsn;
}


/* Where the primary was max_lag ago, or a bit later; 0: nobody knows. */

static uint64_t
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
              > standby->max_lag + NGX_HTTP_PROMPT_STANDBY_MARGIN;
}


ngx_int_t
ngx_http_prompt_standby_begin(ngx_http_prompt_job_t *job)
{
    char                       name[PROMPT_POSITION_MAX_NAME];
    prompt_str_t               words[4];
    ngx_http_prompt_follow_t  *follow;
    ngx_http_prompt_standby_t *standby;

    follow = &job->follow;
    standby = ngx_http_prompt_get_worker(job->request)->standby;

    if (standby == NULL) {
        return NGX_DECLINED;
    }

    follow->changes = (job->plan->operation->operation != GQL_QUERY);

    if (!ngx_http_prompt_standby_wanted(job)
        || !ngx_http_prompt_standby_ready(job))
    {
        return NGX_DECLINED;
    }

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_REDIS;

    /* one byte more than a mark has: what else is there stays small */

    words[0] = prompt_str("GETRANGE");
    words[1] = prompt_str_of(name, prompt_position_name(name, standby->prefix,
                                                     job->identity.user_id));
    words[2] = prompt_str("0");
    words[3] = prompt_str("24");

    follow->command =
        ngx_http_prompt_redis_servers_command(standby->worker->redis, words, 4,
                                              1, 0,
                                              ngx_http_prompt_standby_marked,
                                              job);

    return follow->command != NULL ? NGX_AGAIN : NGX_DECLINED;
}


static bool
ngx_http_prompt_standby_wanted(const ngx_http_prompt_job_t *job)
{
    uint32_t                        i;
    const gql_plan_field_t         *field;
    const ngx_http_prompt_field_t  *entry;

    for (i = 0; i < job->plan->root->nfields; i++) {
        field = &job->plan->root->fields[i];

        if (gql_field_is_meta(field)) {
            continue;
        }

        entry = field->def->data;

        if (entry->standby) {
            return true;
        }
    }

    return false;
}


/* By what is known already; passed says why not. */

static bool
ngx_http_prompt_standby_ready(ngx_http_prompt_job_t *job)
{
    prompt_position_t           seen;
    ngx_http_prompt_follow_t   *follow;
    ngx_http_prompt_standby_t  *standby;

    follow = &job->follow;
    standby = ngx_http_prompt_get_worker(job->request)->standby;

    /* not as it was before the request came, in a turn that takes long */

    ngx_time_update();

    standby->asked = ngx_current_msec;

    if (!standby->timer.event.timer_set) {
        ngx_add_timer(&standby->timer.event, 1);
    }

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_AWAY;

    if (!standby->well || ngx_http_prompt_postgres_up(standby->pool) == 0) {
        return false;
    }

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_LAG;
    follow->floor = ngx_http_prompt_standby_floor(standby);

    if (follow->floor == 0 || standby->seen < follow->floor) {
        return false;
    }

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_REDIS;

    if (!ngx_http_prompt_standby_believes(standby)) {
        return false;
    }

    if (follow->token.data == NULL) {
        return true;
    }

    /* that of another cluster says nothing of this one */

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_BEHIND;

    seen.timeline = standby->timeline;
    seen.lsn = standby->seen;

    return prompt_position_decode(follow->token, standby->system,
                                  &follow->needed)
           && !prompt_position_after(&follow->needed, &seen);
}


static void
ngx_http_prompt_standby_marked(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_job_t  *job = data;

    job->follow.command = NULL;
    job->follow.reads = ngx_http_prompt_standby_may(job, reply);

    ngx_http_prompt_job_resume(job);
}


static bool
ngx_http_prompt_standby_may(ngx_http_prompt_job_t *job,
    const ngx_http_prompt_redis_reply_t *reply)
{
    prompt_position_t           seen, mark;
    ngx_http_prompt_follow_t   *follow;
    ngx_http_prompt_standby_t  *standby;

    follow = &job->follow;
    standby = ngx_http_prompt_get_worker(job->request)->standby;

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_REDIS;

    if (ngx_http_prompt_redis_unknown(reply)
        || !ngx_http_prompt_standby_believes(standby))
    {
        return false;
    }

    if (reply->kind != NGX_HTTP_PROMPT_REDIS_STRING
        || !prompt_position_read(reply->text, &mark))
    {
        ngx_http_prompt_standby_note(standby->worker, job->identity.user_id);
        return false;
    }

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_BEHIND;

    if (prompt_position_after(&mark, &follow->needed)) {
        follow->needed = mark;
    }

    seen.timeline = standby->timeline;
    seen.lsn = standby->seen;

    return !prompt_position_after(&follow->needed, &seen);
}


ngx_http_prompt_postgres_t *
ngx_http_prompt_standby_pool(ngx_http_prompt_root_t *root, ngx_msec_t *limit)
{
    ngx_http_prompt_standby_t      *standby;
    const ngx_http_prompt_field_t  *entry;

    standby = ngx_http_prompt_get_worker(root->job->request)->standby;

    if (standby == NULL || root->primary) {
        return NULL;
    }

    entry = root->field->def->data;

    if (!entry->standby) {
        return NULL;
    }

    if (!root->job->follow.reads) {
        (void) ngx_http_prompt_standby_pass(root, root->job->follow.passed);
        return NULL;
    }

    if (!standby->well || ngx_http_prompt_postgres_up(standby->pool) == 0) {
        (void) ngx_http_prompt_standby_pass(root,
                                        NGX_HTTP_PROMPT_COUNT_STANDBY_AWAY);
        return NULL;
    }

    *limit = ngx_http_prompt_standby_limit(standby, root->query);

    return standby->pool;
}


/* There has to be time for the primary. */

static ngx_msec_t
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


bool
ngx_http_prompt_standby_answered(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_follow_t                 *follow;
    ngx_http_prompt_standby_t                *standby;
    const prompt_position_t                  *position;
    const ngx_http_prompt_postgres_result_t  *result;

    result = root->result;
    follow = &root->job->follow;
    standby = ngx_http_prompt_get_worker(root->job->request)->standby;

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_OK
        && result->status != NGX_HTTP_PROMPT_POSTGRES_TOO_LONG)
    {
        if (result->status != NGX_HTTP_PROMPT_POSTGRES_ERROR) {
            standby->well = 0;
        }

        return ngx_http_prompt_standby_pass(root,
                                        NGX_HTTP_PROMPT_COUNT_STANDBY_AWAY);
    }

    position = &result->position;

    if (position->lsn != 0 && position->system != standby->system) {
        ngx_http_prompt_trouble(NGX_HTTP_PROMPT_TROUBLE_STANDBY_OTHER,
                                prompt_str_absent, standby->worker->log,
                                "prompt: a standby is passed over: it is of "
                                "another cluster than the primary");
        return ngx_http_prompt_standby_pass(root,
                                        NGX_HTTP_PROMPT_COUNT_STANDBY_AWAY);
    }

    standby->seen = position->lsn;

    if (position->lsn < follow->floor
        || position->timeline != standby->timeline)
    {
        return ngx_http_prompt_standby_pass(root,
                                        NGX_HTTP_PROMPT_COUNT_STANDBY_LAG);
    }

    if (prompt_position_after(&follow->needed, position)
        || prompt_position_after(&root->shown, position))
    {
        return ngx_http_prompt_standby_pass(root,
                                        NGX_HTTP_PROMPT_COUNT_STANDBY_BEHIND);
    }

    root->shown = *position;

    if (prompt_position_after(position, &follow->reached)) {
        follow->reached = *position;
    }

    ngx_http_prompt_metrics_add(standby->worker->metrics,
                                NGX_HTTP_PROMPT_COUNT_STANDBY_READS, 1);

    return true;
}


/* It stays with the primary: what comes later must not be older. */

static bool
ngx_http_prompt_standby_pass(ngx_http_prompt_root_t *root,
    ngx_http_prompt_count_e why)
{
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(root->job->request);

    root->primary = 1;
    ngx_http_prompt_metrics_add(worker->metrics, why, 1);

    return false;
}


prompt_str_t
ngx_http_prompt_standby_token(ngx_http_prompt_job_t *job)
{
    u_char             *text;
    prompt_position_t  *position;

    position = &job->follow.reached;

    if (position->lsn == 0 || position->system == 0) {
        return prompt_str_absent;
    }

    text = ngx_pnalloc(job->request->pool, PROMPT_POSITION_TOKEN + 1);
    if (text == NULL) {
        return prompt_str_absent;
    }

    prompt_position_encode((char *) text, position);
    text[PROMPT_POSITION_TOKEN] = '\0';

    return prompt_str_of((char *) text, PROMPT_POSITION_TOKEN);
}
