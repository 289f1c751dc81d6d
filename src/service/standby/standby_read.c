/*
 * Who reads from standbys: a job's mark, its root fields' queries, and whether
 * what they are answered is to be shown.
 */

#include "service/standby/standby_impl.h"

#include "io/ngx_http_prompt_ratelog.h"
#include "service/frame/service.h"


static bool ngx_http_prompt_standby_wanted(const ngx_http_prompt_job_t *job);
static bool ngx_http_prompt_standby_ready(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_standby_marked(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static bool ngx_http_prompt_standby_may(ngx_http_prompt_job_t *job,
    const ngx_http_prompt_redis_reply_t *reply);
static ngx_int_t ngx_http_prompt_standby_pass(ngx_http_prompt_root_t *root,
    ngx_http_prompt_count_e why);


const ngx_http_prompt_hook_t  ngx_http_prompt_standby_hook = {
    .begin = ngx_http_prompt_standby_begin,
    .pool = ngx_http_prompt_standby_pool,
    .answered = ngx_http_prompt_standby_answered,
    .end = ngx_http_prompt_standby_tell,
    .changed = ngx_http_prompt_standby_note,
    .leave = ngx_http_prompt_standby_leave
};


ngx_http_prompt_follow_t *
ngx_http_prompt_standby_follow(ngx_http_prompt_job_t *job)
{
    if (job->follow == NULL) {
        job->follow = ngx_pcalloc(job->request->pool,
                                  sizeof(ngx_http_prompt_follow_t));
    }

    return job->follow;
}


ngx_int_t
ngx_http_prompt_standby_begin(ngx_http_prompt_operation_t *op)
{
    char                        name[PROMPT_POSITION_MAX_NAME];
    prompt_str_t                words[4];
    ngx_http_prompt_job_t      *job;
    ngx_http_prompt_follow_t   *follow;
    ngx_http_prompt_standby_t  *standby;

    job = &op->job;
    standby = ngx_http_prompt_get_worker(job->request)->standby;

    if (standby == NULL) {
        return NGX_OK;
    }

    follow = ngx_http_prompt_standby_follow(job);

    if (follow == NULL) {
        return NGX_ERROR;
    }

    if (!ngx_http_prompt_standby_wanted(job)
        || !ngx_http_prompt_standby_ready(op))
    {
        return NGX_OK;
    }

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_REDIS;

    /* one byte more than a mark has: what else is there stays small */

    words[0] = prompt_str("GETRANGE");
    words[1] = prompt_str_of(name,
                   prompt_position_name(name,
                           ngx_http_prompt_keys_prefix(standby->worker->keys),
                           job->identity.project_id));
    words[2] = prompt_str("0");
    words[3] = prompt_str("24");

    follow->command =
        ngx_http_prompt_redis_servers_command(standby->worker->redis, words, 4,
                                              1, 0,
                                              ngx_http_prompt_standby_marked,
                                              op);

    return follow->command != NULL ? NGX_AGAIN : NGX_OK;
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
ngx_http_prompt_standby_ready(ngx_http_prompt_operation_t *op)
{
    prompt_position_t           seen;
    ngx_http_prompt_follow_t   *follow;
    ngx_http_prompt_standby_t  *standby;

    follow = op->job.follow;
    standby = ngx_http_prompt_get_worker(op->job.request)->standby;

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

    if (follow->floor == 0) {
        return false;
    }

    if (standby->seen < follow->floor) {
        ngx_http_prompt_standby_ping(standby);
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_STANDBY_LAG,
                                prompt_str_absent, standby->worker->log,
                                "prompt: standbys are more than %M ms behind, "
                                "the primary is read", standby->max_lag);
        return false;
    }

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_REDIS;

    if (!ngx_http_prompt_standby_believes(standby)) {
        return false;
    }

    if (op->token.data == NULL) {
        return true;
    }

    /* that of another cluster says nothing of this one */

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_OLD;

    seen.timeline = standby->timeline;
    seen.lsn = standby->seen;

    return prompt_position_decode(op->token, standby->system,
                                  &follow->needed)
           && !prompt_position_after(&follow->needed, &seen);
}


static void
ngx_http_prompt_standby_marked(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_operation_t  *op = data;

    op->job.follow->command = NULL;
    op->job.follow->reads = ngx_http_prompt_standby_may(&op->job, reply);

    ngx_http_prompt_operation_go_on(op);
}


static bool
ngx_http_prompt_standby_may(ngx_http_prompt_job_t *job,
    const ngx_http_prompt_redis_reply_t *reply)
{
    prompt_position_t           seen, mark;
    ngx_http_prompt_follow_t   *follow;
    ngx_http_prompt_standby_t  *standby;

    follow = job->follow;
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
        ngx_http_prompt_standby_note(standby->worker, job->identity.project_id);
        return false;
    }

    follow->passed = NGX_HTTP_PROMPT_COUNT_STANDBY_OLD;

    if (prompt_position_after(&mark, &follow->needed)) {
        follow->needed = mark;
    }

    seen.timeline = standby->timeline;
    seen.lsn = standby->seen;

    if (!prompt_position_after(&follow->needed, &seen)) {
        return true;
    }

    /* it may have come further since; the next one will know */

    ngx_http_prompt_standby_ping(standby);

    return false;
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

    if (!ngx_http_prompt_postgres_can_ask(standby->pool, root->query)) {
        (void) ngx_http_prompt_standby_pass(root,
                                            NGX_HTTP_PROMPT_COUNT_STANDBY_AWAY);
        return NULL;
    }

    if (!root->job->follow->reads) {
        (void) ngx_http_prompt_standby_pass(root, root->job->follow->passed);
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


ngx_int_t
ngx_http_prompt_standby_answered(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_follow_t                 *follow;
    ngx_http_prompt_standby_t                *standby;
    const prompt_position_t                  *position;
    const ngx_http_prompt_postgres_result_t  *result;

    result = root->result;
    follow = root->job->follow;
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
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_STANDBY_OTHER,
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
                                            NGX_HTTP_PROMPT_COUNT_STANDBY_OLD);
    }

    root->shown = *position;

    if (prompt_position_after(position, &follow->reached)) {
        follow->reached = *position;
    }

    ngx_http_prompt_metrics_add(standby->worker->metrics,
                                NGX_HTTP_PROMPT_COUNT_STANDBY_READS, 1);

    return NGX_OK;
}


/* It stays with the primary: what comes later must not be older. */
static ngx_int_t
ngx_http_prompt_standby_pass(ngx_http_prompt_root_t *root,
    ngx_http_prompt_count_e why)
{
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(root->job->request);

    root->primary = 1;
    root->job->follow->mixed = 1;
    ngx_http_prompt_metrics_add(worker->metrics, why, 1);

    return NGX_DECLINED;
}


prompt_str_t
ngx_http_prompt_standby_token(const ngx_http_prompt_operation_t *op)
{
    u_char                          *text;
    const ngx_http_prompt_follow_t  *follow;

    follow = op->job.follow;

    if (follow == NULL || follow->mixed || follow->reached.lsn == 0
        || follow->reached.system == 0)
    {
        return prompt_str_absent;
    }

    text = ngx_pnalloc(op->job.request->pool, PROMPT_POSITION_TOKEN + 1);
    if (text == NULL) {
        return prompt_str_absent;
    }

    prompt_position_encode((char *) text, &follow->reached);
    text[PROMPT_POSITION_TOKEN] = '\0';

    return prompt_str_of((char *) text, PROMPT_POSITION_TOKEN);
}
