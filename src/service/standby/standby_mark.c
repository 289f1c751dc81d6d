/*
 * Marks: the position of a change is told to all hosts before its answer.
 *
 * The timer runs from the beginning.  When it fires no standby is read any
 * more that has not come to the change: whether Redis has the mark by then
 * does not matter.
 */

#include "service/standby/standby_impl.h"

#include "io/ngx_http_prompt_ratelog.h"


/*
 * How long a mark is kept: as long as it is there, a read need not ask the
 * primary for one.
 */
#define NGX_HTTP_PROMPT_MARK_TIME  "600000"          /* ms */


static void ngx_http_prompt_mark_begin(ngx_http_prompt_mark_t *mark);
static void ngx_http_prompt_mark_asked(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_mark_put(void *data,
    const ngx_http_prompt_redis_reply_t *reply);
static void ngx_http_prompt_mark_timer(ngx_event_t *ev);
static void ngx_http_prompt_mark_failed(ngx_http_prompt_mark_t *mark,
    const char *why);
static void ngx_http_prompt_mark_stop(ngx_http_prompt_mark_t *mark);
static void ngx_http_prompt_mark_end(ngx_http_prompt_mark_t *mark);


ngx_int_t
ngx_http_prompt_standby_tell(ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_mark_t     *mark;
    ngx_http_prompt_follow_t   *follow;
    ngx_http_prompt_standby_t  *standby;

    standby = ngx_http_prompt_get_worker(op->job.request)->standby;

    if (standby == NULL) {
        return NGX_OK;
    }

    follow = ngx_http_prompt_standby_follow(&op->job);

    if (follow == NULL) {
        return NGX_ERROR;
    }

    mark = &follow->mark;

    mark->reads = !op->changes;

    if (mark->reads && !(follow->mixed && op->token.data != NULL)) {
        return NGX_OK;
    }

    mark->standby = standby;
    mark->op = op;
    ngx_memcpy(mark->user, op->job.identity.project_id, sizeof(mark->user));

    ngx_http_prompt_mark_begin(mark);

    return NGX_AGAIN;
}


void
ngx_http_prompt_standby_leave(ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_follow_t  *follow;

    follow = op->job.follow;

    if (follow == NULL) {
        return;
    }

    if (follow->command != NULL) {
        ngx_http_prompt_redis_servers_detach(follow->command);
        follow->command = NULL;
    }

    if (follow->mark.standby != NULL) {
        ngx_http_prompt_mark_stop(&follow->mark);
    }
}


void
ngx_http_prompt_standby_note(ngx_http_prompt_worker_t *worker,
    const uint8_t *user)
{
    ngx_http_prompt_mark_t     *mark;
    ngx_http_prompt_standby_t  *standby;

    standby = worker->standby;

    if (standby == NULL) {
        return;
    }

    mark = ngx_calloc(sizeof(ngx_http_prompt_mark_t), worker->log);
    if (mark == NULL) {
        return;
    }

    mark->standby = standby;
    ngx_memcpy(mark->user, user, sizeof(mark->user));

    ngx_queue_insert_tail(&standby->marks, &mark->queue);

    ngx_http_prompt_mark_begin(mark);
}


static void
ngx_http_prompt_mark_begin(ngx_http_prompt_mark_t *mark)
{
    ngx_http_prompt_standby_t  *standby;

    standby = mark->standby;

    ngx_time_update();

    ngx_http_prompt_timer_init(&mark->timer, ngx_http_prompt_mark_timer, mark,
                               standby->worker->log);

    /* a worker that quits need not wait for what nobody waits for */

    mark->timer.event.cancelable = (mark->op == NULL);

    ngx_add_timer(&mark->timer.event,
                  standby->max_lag + NGX_HTTP_PROMPT_STANDBY_MARGIN);

    mark->start = ngx_current_msec;

    if (ngx_http_prompt_standby_ask(standby, &mark->asks,
                                    ngx_http_prompt_mark_asked, mark)
        != NGX_OK)
    {
        ngx_http_prompt_mark_failed(mark, "memory is short");
    }
}


static void
ngx_http_prompt_mark_asked(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_mark_t  *mark = data;

    char                        name[PROMPT_POSITION_MAX_NAME];
    char                        text[PROMPT_POSITION_TEXT];
    prompt_str_t                words[6];
    ngx_http_prompt_standby_t  *standby;

    standby = mark->standby;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        prompt_position_row(&result->rows[0], true, &mark->position);
    }

    /* one that was primary, and still thinks so, says nothing of the change */

    if (mark->position.system == standby->system
        && mark->position.timeline < standby->timeline)
    {
        ngx_memzero(&mark->position, sizeof(prompt_position_t));
    }

    if (mark->reads) {
        ngx_http_prompt_mark_end(mark);
        return;
    }

    if (mark->position.lsn == 0) {
        ngx_http_prompt_mark_failed(mark, "PostgreSQL does not say it");
        return;
    }

    ngx_http_prompt_standby_sample(standby, mark->start, &mark->position);
    prompt_position_write(text, &mark->position);

    words[0] = prompt_str("EVAL");
    words[1] = prompt_str_from(prompt_position_script);
    words[2] = prompt_str("1");
    words[3] = prompt_str_of(name,
                   prompt_position_name(name,
                           ngx_http_prompt_keys_prefix(standby->worker->keys),
                           mark->user));
    words[4] = prompt_str_of(text, sizeof(text));
    words[5] = prompt_str(NGX_HTTP_PROMPT_MARK_TIME);

    mark->command =
        ngx_http_prompt_redis_servers_command(standby->worker->redis, words, 6,
                                              3, 0, ngx_http_prompt_mark_put,
                                              mark);
    if (mark->command == NULL) {
        ngx_http_prompt_mark_failed(mark, "Redis is not available");
    }
}


static void
ngx_http_prompt_mark_put(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_mark_t  *mark = data;

    mark->command = NULL;

    if (reply->kind != NGX_HTTP_PROMPT_REDIS_INTEGER) {
        ngx_http_prompt_mark_failed(mark,
                                    reply->kind == NGX_HTTP_PROMPT_REDIS_ERROR
                                    ? "Redis refuses it"
                                    : "Redis does not answer");
        return;
    }

    if (!ngx_http_prompt_standby_settled(mark->standby)) {
        ngx_http_prompt_mark_failed(mark, "Redis may be another one elsewhere");
        return;
    }

    ngx_http_prompt_mark_end(mark);
}


static void
ngx_http_prompt_mark_timer(ngx_event_t *ev)
{
    ngx_http_prompt_mark_end(ngx_http_prompt_timer_owner(ev));
}


/* Who waits for it waits for the timer; else mark is gone. */
static void
ngx_http_prompt_mark_failed(ngx_http_prompt_mark_t *mark, const char *why)
{
    ngx_http_prompt_worker_t  *worker;

    if (mark->op == NULL) {
        ngx_http_prompt_mark_end(mark);
        return;
    }

    if (mark->reads) {
        return;
    }

    worker = mark->standby->worker;

    ngx_http_prompt_metrics_add(worker->metrics,
                                NGX_HTTP_PROMPT_COUNT_CHANGES_HELD, 1);

    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_POSITION,
                            prompt_str_absent, worker->log,
                            "prompt: the position of a change was not told, "
                            "it is answered %M ms later: %s",
                            mark->standby->max_lag, why);
}


static void
ngx_http_prompt_mark_stop(ngx_http_prompt_mark_t *mark)
{
    ngx_http_prompt_timer_stop(&mark->timer);

    ngx_http_prompt_send_leave(&mark->asks);

    if (mark->command != NULL) {
        ngx_http_prompt_redis_servers_detach(mark->command);
        mark->command = NULL;
    }

    mark->standby = NULL;
}


static void
ngx_http_prompt_mark_end(ngx_http_prompt_mark_t *mark)
{
    ngx_http_prompt_follow_t  *follow;

    ngx_http_prompt_mark_stop(mark);

    if (mark->op == NULL) {
        ngx_queue_remove(&mark->queue);
        ngx_free(mark);
        return;
    }

    follow = mark->op->job.follow;

    if (mark->position.lsn != 0) {
        follow->mixed = 0;
    }

    if (prompt_position_after(&mark->position, &follow->reached)) {
        follow->reached = mark->position;
    }

    ngx_http_prompt_operation_go_on(mark->op);
}
