/*
 * The sweeps of a worker: a row each, and a step of any of them.
 */

#include "service/upkeep/sweep.h"

#include "io/ngx_http_prompt_ratelog.h"
#include "service/upkeep/guard.h"
#include "service/worker/worker.h"
#include "store/clock.h"
#include "store/execution.h"
#include "store/idempotency.h"
#include "store/label.h"
#include "store/log.h"
#include "store/outcome.h"
#include "store/session.h"


/* until the next step, where a step was full */
#define NGX_HTTP_PROMPT_SWEEP_PAUSE   100                    /* ms */


typedef struct {
    ngx_msec_t             interval;
    int32_t                rows;     /* of a step, at most */
    prompt_query_length_t  length;

    bool                 (*bind)(prompt_query_t *query, int32_t rows,
                                 prompt_maybe_t clock);

    ngx_http_prompt_count_e   count;
    ngx_http_prompt_moment_e  moment;

    /* what was done; whether there is more to do at once */
    bool                 (*done)(ngx_http_prompt_sweep_t *sweep,
                                 const prompt_rows_t *rows);

    /* instead of that: how many rows there were; more, where as many as may */
    int64_t              (*swept)(const prompt_rows_t *rows);
} ngx_http_prompt_sweep_row_t;


static void ngx_http_prompt_sweep_step(ngx_event_t *ev);
static void ngx_http_prompt_sweep_done(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static prompt_maybe_t ngx_http_prompt_sweep_expect(
    ngx_http_prompt_worker_t *worker, prompt_jump_expect_pt expect);
static void ngx_http_prompt_sweep_time(ngx_http_prompt_sweep_t *sweep,
    prompt_maybe_t time);
static bool ngx_http_prompt_swept_executions(ngx_http_prompt_sweep_t *sweep,
    const prompt_rows_t *rows);
static bool ngx_http_prompt_swept_log(ngx_http_prompt_sweep_t *sweep,
    const prompt_rows_t *rows);
static bool ngx_http_prompt_swept_guards(ngx_http_prompt_sweep_t *sweep,
    const prompt_rows_t *rows);


/* keys are few a step, since their answers may be large */

static const ngx_http_prompt_sweep_row_t  ngx_http_prompt_sweeps[] = {

    [NGX_HTTP_PROMPT_SWEEP_EXECUTIONS] =
    { 15000, 10000, PROMPT_QUERY_SHORT,
      prompt_execution_sweep,
      NGX_HTTP_PROMPT_COUNT_SWEPT_EXECUTIONS,
      NGX_HTTP_PROMPT_MOMENT_SWEPT_EXECUTIONS,
      ngx_http_prompt_swept_executions, NULL },

    [NGX_HTTP_PROMPT_SWEEP_KEYS] =
    { 15000, 100, PROMPT_QUERY_SHORT,
      prompt_idempotency_sweep,
      NGX_HTTP_PROMPT_COUNT_SWEPT_KEYS,
      NGX_HTTP_PROMPT_MOMENT_SWEPT_KEYS,
      NULL, prompt_swept_row },

    [NGX_HTTP_PROMPT_SWEEP_LOG] =
    { 10000, PROMPT_LOG_SWEEP, PROMPT_QUERY_LONG,
      prompt_log_sweep,
      NGX_HTTP_PROMPT_COUNT_SWEPT_LOG,
      NGX_HTTP_PROMPT_MOMENT_SWEPT_LOG,
      ngx_http_prompt_swept_log, NULL },

    [NGX_HTTP_PROMPT_SWEEP_SESSIONS] =
    { 15000, 500, PROMPT_QUERY_SHORT,
      prompt_session_sweep,
      NGX_HTTP_PROMPT_COUNT_SWEPT_SESSIONS,
      NGX_HTTP_PROMPT_MOMENT_SWEPT_SESSIONS,
      NULL, prompt_swept_row },

    /* it is bounded by time */

    [NGX_HTTP_PROMPT_SWEEP_GUARDS] =
    { 10000, 1, PROMPT_QUERY_LONG,
      prompt_label_sweep,
      NGX_HTTP_PROMPT_COUNT_SWEPT_GUARDS,
      NGX_HTTP_PROMPT_MOMENT_SWEPT_GUARDS,
      ngx_http_prompt_swept_guards, NULL }
};


void
ngx_http_prompt_sweep_init(ngx_http_prompt_worker_t *worker)
{
    ngx_uint_t                i;
    ngx_http_prompt_sweep_t  *sweep;

    for (i = 0; i < NGX_HTTP_PROMPT_NSWEEPS; i++) {
        sweep = &worker->sweeps[i];
        sweep->kind = (ngx_http_prompt_sweep_kind_t) i;
        sweep->worker = worker;
        sweep->rows = ngx_http_prompt_sweeps[i].rows;

        ngx_http_prompt_timer_init(&sweep->timer, ngx_http_prompt_sweep_step,
                                   sweep, worker->log);
        sweep->timer.event.cancelable = 1;
    }
}


void
ngx_http_prompt_sweep_exit(ngx_http_prompt_worker_t *worker)
{
    ngx_uint_t  i;

    for (i = 0; i < NGX_HTTP_PROMPT_NSWEEPS; i++) {
        ngx_http_prompt_timer_stop(&worker->sweeps[i].timer);
    }
}


void
ngx_http_prompt_sweep_watch(ngx_http_prompt_worker_t *worker)
{
    ngx_uint_t  i;

    for (i = 0; i < NGX_HTTP_PROMPT_NSWEEPS; i++) {
        ngx_add_timer(&worker->sweeps[i].timer.event,
                      ngx_http_prompt_sweeps[i].interval);
    }
}


static void
ngx_http_prompt_sweep_step(ngx_event_t *ev)
{
    bool                                bound;
    prompt_query_t                     *query;
    ngx_http_prompt_sweep_t            *sweep;
    const ngx_http_prompt_sweep_row_t  *row;

    sweep = ngx_http_prompt_timer_owner(ev);
    row = &ngx_http_prompt_sweeps[sweep->kind];

    if (sweep->sent.task == NULL
        && ngx_http_prompt_postgres_up(sweep->worker->postgres) != 0)
    {
        query = ngx_http_prompt_send_create();
        bound = query != NULL && prompt_clock(query)
                && row->bind(query, sweep->rows,
                             ngx_http_prompt_sweep_clock(sweep->worker));

        if (bound) {
            query->length = row->length;
        }

        sweep->asked = ngx_current_msec;
        (void) ngx_http_prompt_send_query(&sweep->sent, sweep->worker->postgres,
                                          query, bound, 0,
                                          ngx_http_prompt_sweep_done, sweep);
    }

    ngx_add_timer(&sweep->timer.event, row->interval);
}


/*
 * A step that failed may have been too large for the time that it has, where
 * PostgreSQL is slow; it would be so for ever.  So the next one is smaller.
 */
static void
ngx_http_prompt_sweep_done(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_sweep_t            *sweep = data;

    bool                                more;
    ngx_http_prompt_metrics_t          *metrics;
    const ngx_http_prompt_sweep_row_t  *row;

    metrics = sweep->worker->metrics;
    row = &ngx_http_prompt_sweeps[sweep->kind];

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_OK) {
        sweep->rows = ngx_max(sweep->rows / 4, 1);
        ngx_http_prompt_metrics_add(metrics,
                                    NGX_HTTP_PROMPT_COUNT_SWEEP_FAILURES, 1);

    } else {
        ngx_http_prompt_metrics_add(metrics, row->count, 1);
        ngx_http_prompt_metrics_moment(metrics, row->moment);

        ngx_http_prompt_sweep_time(sweep, prompt_clock_row(&result->rows[0]));

        more = row->swept != NULL
               ? row->swept(&result->rows[1]) == sweep->rows
               : row->done(sweep, &result->rows[1]);

        if (more) {
            ngx_http_prompt_timer_stop(&sweep->timer);
            ngx_add_timer(&sweep->timer.event, NGX_HTTP_PROMPT_SWEEP_PAUSE);
        }

        sweep->rows = ngx_min(sweep->rows + sweep->rows / 4 + 1, row->rows);
    }
}


prompt_maybe_t
ngx_http_prompt_sweep_clock(ngx_http_prompt_worker_t *worker)
{
    return ngx_http_prompt_sweep_expect(worker, prompt_jump_expect);
}


prompt_maybe_t
ngx_http_prompt_sweep_near(ngx_http_prompt_worker_t *worker)
{
    return ngx_http_prompt_sweep_expect(worker, prompt_jump_expect_step);
}


static prompt_maybe_t
ngx_http_prompt_sweep_expect(ngx_http_prompt_worker_t *worker,
    prompt_jump_expect_pt expect)
{
    prompt_maybe_t  clock;

    clock.known = expect(&ngx_http_prompt_metrics_noted(worker->metrics)->clock,
                         (int64_t) ngx_current_msec, ngx_http_prompt_now_ms(),
                         &clock.value);
    clock.value *= 1000;

    return clock;
}


static void
ngx_http_prompt_sweep_time(ngx_http_prompt_sweep_t *sweep, prompt_maybe_t time)
{
    int64_t                           by;
    ngx_http_prompt_metrics_noted_t  *noted;

    if (!time.known) {
        return;
    }

    noted = ngx_http_prompt_metrics_noted(sweep->worker->metrics);
    by = prompt_jump_seen(&noted->clock, (int64_t) sweep->asked,
                          (int64_t) ngx_current_msec,
                          ngx_http_prompt_now_ms(), time.value / 1000);

    if (by != 0) {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_CLOCK,
                                prompt_str_absent, sweep->worker->log,
                                "prompt: PostgreSQL's clock is %L s from where "
                                "it should be by this host's: for an hour "
                                "nothing is deleted or given up by it",
                                by / 1000);
    }
}


static bool
ngx_http_prompt_swept_executions(ngx_http_prompt_sweep_t *sweep,
    const prompt_rows_t *rows)
{
    bool          more;
    int64_t       lost;
    prompt_str_t  failed;

    lost = prompt_execution_sweep_row(rows, &more, &failed);

    if (failed.data != NULL) {
        ngx_http_prompt_metrics_add(sweep->worker->metrics,
                                    NGX_HTTP_PROMPT_COUNT_PARTITION_FAILURES,
                                    1);
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_MONTH,
                                prompt_str_absent, sweep->worker->log,
                                "prompt: a month cannot be made, %*s",
                                failed.len, failed.data);
    }

    if (lost > 0) {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_SWEEP,
                                prompt_str_absent, sweep->worker->log,
                                "prompt: %L executions were still running long "
                                "after their time limit and are marked as lost",
                                lost);
    }

    return more;
}


static bool
ngx_http_prompt_swept_log(ngx_http_prompt_sweep_t *sweep,
    const prompt_rows_t *rows)
{
    return prompt_log_sweep_row(rows);
}


static bool
ngx_http_prompt_swept_guards(ngx_http_prompt_sweep_t *sweep,
    const prompt_rows_t *rows)
{
    return ngx_http_prompt_guard_look(sweep->worker, rows);
}
