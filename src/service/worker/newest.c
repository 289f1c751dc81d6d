/*
 * The newest execution: asked for, and the bound made of it.
 */

#include "service/worker/newest.h"

#include "service/worker/worker.h"
#include "store/execution.h"


static void ngx_http_prompt_newest_ask(ngx_event_t *ev);
static void ngx_http_prompt_newest_answer(void *data,
    const ngx_http_prompt_postgres_result_t *result);


void
ngx_http_prompt_newest_init(ngx_http_prompt_worker_t *worker)
{
    ngx_http_prompt_newest_t  *newest;

    newest = &worker->newest;

    ngx_http_prompt_timer_init(&newest->timer, ngx_http_prompt_newest_ask,
                               worker, worker->log);
    newest->timer.event.cancelable = 1;
}


/*
 * Asked for a little later, so that no request waits for it, and only where
 * somebody reads: who is idle asks nothing.
 */
prompt_str_t
ngx_http_prompt_newest_above(ngx_http_prompt_worker_t *worker,
    char id[PROMPT_UUID_LEN])
{
    int64_t                    now;
    ngx_msec_t                 age;
    const ngx_time_t          *tp;
    ngx_http_prompt_newest_t  *newest;

    newest = &worker->newest;
    age = ngx_current_msec - newest->asked;

    if ((!newest->known || age >= NGX_HTTP_PROMPT_NEWEST_AGAIN)
        && !newest->timer.event.timer_set && newest->sending.task == NULL)
    {
        ngx_add_timer(&newest->timer.event, NGX_HTTP_PROMPT_NEWEST_PAUSE);
    }

    if (!newest->known || age >= NGX_HTTP_PROMPT_NEWEST_VALID) {
        return prompt_str_absent;
    }

    tp = ngx_timeofday();
    now = (int64_t) tp->sec * 1000000 + (int64_t) tp->msec * 1000;

    /* where the clock was put back, ids of this worker are still ahead */

    now = ngx_max(now, (int64_t) worker->uuid.ms * 1000);

    return prompt_execution_above(ngx_max(newest->time, now), id);
}


bool
ngx_http_prompt_newest_older(const ngx_http_prompt_worker_t *worker)
{
    const ngx_http_prompt_newest_t  *newest;

    newest = &worker->newest;

    return !newest->known || newest->older
           || ngx_current_msec - newest->asked >= NGX_HTTP_PROMPT_NEWEST_VALID;
}


static void
ngx_http_prompt_newest_ask(ngx_event_t *ev)
{
    prompt_query_t            *query;
    ngx_http_prompt_newest_t  *newest;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_timer_owner(ev);
    newest = &worker->newest;

    if (ngx_http_prompt_postgres_up(worker->postgres) == 0) {
        return;
    }

    query = ngx_http_prompt_send_create();

    newest->sent = ngx_current_msec;
    (void) ngx_http_prompt_send_query(&newest->sending, worker->postgres, query,
                                      query != NULL
                                      && prompt_execution_newest(query), 0,
                                      ngx_http_prompt_newest_answer,
                                      newest);
}


/* What was not answered is asked again by the next who reads. */
static void
ngx_http_prompt_newest_answer(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_newest_t  *newest = data;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        newest->time = prompt_execution_newest_row(&result->rows[0],
                                                   &newest->older);
        newest->asked = newest->sent;
        newest->known = 1;
    }
}
