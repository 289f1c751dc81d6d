/*
 * Runs: a step of watching one, which gives back cells that are over and takes
 * others.
 */

#include "service/fields/run_watch_impl.h"


static void ngx_http_prompt_watch_known(void *data,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity);
static void ngx_http_prompt_watch_back(ngx_http_prompt_watch_t *watch,
    prompt_buf_t *back, prompt_buf_t *scored);
static void ngx_http_prompt_watch_cell(const ngx_http_prompt_cell_t *cell,
    prompt_buf_t *back, prompt_buf_t *scored);
static void ngx_http_prompt_watch_stepped(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_watch_take(ngx_http_prompt_watch_t *watch,
    const prompt_rows_t *rows);
static void ngx_http_prompt_watch_unstepped(ngx_http_prompt_watch_t *watch);
static void ngx_http_prompt_watch_over(ngx_http_prompt_cell_t *cell);


/* Who may not any more takes no cell; gives back all the same. */
void
ngx_http_prompt_watch_ask(ngx_http_prompt_watch_t *watch)
{
    ngx_http_prompt_job_t  *job;

    if (ngx_http_prompt_watch_room(watch) == 0
        || watch->root->job->key == NULL)
    {
        ngx_http_prompt_watch_step(watch);
        return;
    }

    job = watch->root->job;
    watch->lookup = ngx_http_prompt_keys_lookup(watch->work.worker->keys,
                                                job->request, job->key,
                                                job->project,
                                                ngx_http_prompt_watch_known,
                                                watch);
    if (watch->lookup == NULL) {
        watch->paused = ngx_current_msec + NGX_HTTP_PROMPT_WATCH_POLL;
        ngx_http_prompt_watch_step(watch);
    }
}


static void
ngx_http_prompt_watch_known(void *data, ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity)
{
    ngx_http_prompt_watch_t  *watch = data;

    const char    *text;
    prompt_str_t   code;

    watch->lookup = NULL;

    code = ngx_http_prompt_job_ended(result, identity, &text);

    if (code.data == NULL) {
        watch->work.identity = *identity;
        ngx_http_prompt_watch_step(watch);
        return;
    }

    if (result == NGX_HTTP_PROMPT_KEY_UNAVAILABLE) {
        watch->paused = ngx_current_msec + NGX_HTTP_PROMPT_WATCH_POLL;

    } else {
        ngx_http_prompt_watch_fail(watch, code,
                                   prompt_str_of(text, ngx_strlen(text)));
    }

    ngx_http_prompt_watch_wake(watch);
}


void
ngx_http_prompt_watch_step(ngx_http_prompt_watch_t *watch)
{
    bool                bound;
    char                ids[PROMPT_LIMIT_RUN_CONCURRENCY * PROMPT_UUID_LEN];
    int32_t             i, room;
    prompt_buf_t        back, scored;
    prompt_uuid_t       id;
    prompt_query_t     *query;
    prompt_run_step_t   step;

    room = ngx_http_prompt_watch_room(watch);

    for (i = 0; i < room; i++) {
        if (!ngx_http_prompt_worker_id(watch->work.worker, &id)) {
            break;
        }

        ngx_memcpy(ids + i * PROMPT_UUID_LEN, id.bytes, PROMPT_UUID_LEN);
    }

    prompt_buf_init(&back, NGX_HTTP_PROMPT_WATCH_MEMORY);
    prompt_buf_init(&scored, NGX_HTTP_PROMPT_WATCH_MEMORY);
    ngx_http_prompt_watch_back(watch, &back, &scored);

    step.run_id = watch->runs.id;
    step.project_id = watch->runs.project_id;
    step.holder = prompt_str_of((char *) watch->holder.bytes, PROMPT_UUID_LEN);
    step.concurrency = watch->concurrency;
    step.over = watch->spent;
    step.ids = prompt_str_of(ids, (size_t) i * PROMPT_UUID_LEN);
    step.back = back.len > 2 ? prompt_buf_view(&back) : prompt_str_absent;
    step.scored = prompt_buf_view(&scored);

    watch->stepped = ngx_current_msec;

    query = prompt_query_create(NGX_HTTP_PROMPT_WATCH_MEMORY);
    bound = query != NULL && back.status == PROMPT_BUF_OK
            && scored.status == PROMPT_BUF_OK;

    if (bound) {
        query->unconditional = true;
        query->locks = watch->runs.id;
        bound = prompt_run_step(query, &step);
    }

    prompt_buf_free(&back);
    prompt_buf_free(&scored);

    if (ngx_http_prompt_send_query(&watch->query, watch->work.worker->postgres,
                                   query, bound, 0,
                                   ngx_http_prompt_watch_stepped, watch)
        != NGX_OK)
    {
        ngx_http_prompt_watch_unstepped(watch);
    }
}


/* what is over; and, where it is time, what is kept */
static void
ngx_http_prompt_watch_back(ngx_http_prompt_watch_t *watch, prompt_buf_t *back,
    prompt_buf_t *scored)
{
    ngx_queue_t  *q;

    ngx_queue_add(&watch->sent, &watch->over);
    ngx_queue_init(&watch->over);
    watch->nover = 0;

    prompt_buf_char(back, '[');
    prompt_buf_char(scored, '[');

    for (q = ngx_queue_head(&watch->sent);
         q != ngx_queue_sentinel(&watch->sent); q = ngx_queue_next(q))
    {
        ngx_http_prompt_watch_cell(ngx_queue_data(q, ngx_http_prompt_cell_t,
                                                  queue),
                                   back, scored);
    }

    if (ngx_current_msec - watch->renewed >= NGX_HTTP_PROMPT_WATCH_RENEW) {
        watch->renewed = ngx_current_msec;

        for (q = ngx_queue_head(&watch->running);
             q != ngx_queue_sentinel(&watch->running); q = ngx_queue_next(q))
        {
            ngx_http_prompt_watch_cell(ngx_queue_data(q,
                                                      ngx_http_prompt_cell_t,
                                                      queue),
                                       back, scored);
        }
    }

    prompt_buf_char(back, ']');
    prompt_buf_char(scored, ']');
}


/* a comma stands in front of all that the cell has, and not of the first */
static void
ngx_http_prompt_watch_cell(const ngx_http_prompt_cell_t *cell,
    prompt_buf_t *back, prompt_buf_t *scored)
{
    prompt_buf_printf(back, "%s{\"n\":%d,\"w\":%d", back->len > 1 ? "," : "",
                      (int) cell->of.number, (int) cell->what);

    if (cell->costs.len != 0) {
        prompt_buf_printf(back, ",\"c\":[%.*s]", (int) cell->costs.len - 1,
                          cell->costs.data + 1);
    }

    if (cell->what == NGX_HTTP_PROMPT_CELL_DONE) {
        prompt_buf_printf(back, ",\"f\":%s", cell->failed ? "true" : "false");

        if (cell->of.latency_ms >= 0) {
            prompt_buf_printf(back, ",\"l\":%d", (int) cell->of.latency_ms);
        }

        if (cell->of.model.data != NULL) {
            prompt_buf_literal(back, ",\"m\":");
            prompt_json_write_string(back, cell->of.model);
        }

        if (cell->error.data != NULL) {
            prompt_buf_literal(back, ",\"e\":");
            prompt_json_write_string(back, cell->error);
        }

        if (cell->scores.len != 0) {
            prompt_buf_str(scored, scored->len > 1
                                   ? prompt_buf_view(&cell->scores)
                                   : prompt_str_of(cell->scores.data + 1,
                                                   cell->scores.len - 1));
        }
    }

    prompt_buf_char(back, '}');
}


static void
ngx_http_prompt_watch_stepped(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_watch_t  *watch = data;

    ngx_queue_t  *q;

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_OK) {
        ngx_http_prompt_watch_unstepped(watch);
        return;
    }

    watch->failures = 0;

    while (!ngx_queue_empty(&watch->sent)) {
        q = ngx_queue_head(&watch->sent);
        ngx_queue_remove(q);
        ngx_http_prompt_cell_free(ngx_queue_data(q, ngx_http_prompt_cell_t,
                                                 queue));
    }

    ngx_http_prompt_watch_take(watch, &result->rows[0]);
    ngx_http_prompt_watch_wake(watch);
}


/* Nothing comes of it, or nobody knows: what was to be taken runs out. */
static void
ngx_http_prompt_watch_unstepped(ngx_http_prompt_watch_t *watch)
{
    ngx_queue_t  *q;

    watch->failures++;

    while (!ngx_queue_empty(&watch->sent)) {
        q = ngx_queue_head(&watch->sent);
        ngx_queue_remove(q);

        if (watch->failures < NGX_HTTP_PROMPT_WATCH_TRIES) {
            ngx_queue_insert_tail(&watch->over, q);
            watch->nover++;

        } else {
            ngx_http_prompt_cell_free(ngx_queue_data(q, ngx_http_prompt_cell_t,
                                                     queue));
        }
    }

    ngx_http_prompt_watch_fail(watch, ngx_http_prompt_internal_server_error,
                               prompt_str("The run does not go on: the "
                                          "database did not answer. Watch it "
                                          "again."));
    ngx_http_prompt_watch_wake(watch);
}


/* Cells that it has now, and how the run is, which comes last. */
static void
ngx_http_prompt_watch_take(ngx_http_prompt_watch_t *watch,
    const prompt_rows_t *rows)
{
    unsigned                 row;
    ngx_queue_t              begun, *q;
    prompt_run_cell_t        of;
    ngx_http_prompt_cell_t  *cell;

    if (rows->count == 0) {
        ngx_http_prompt_watch_fail(watch, ngx_http_prompt_not_found,
                                   prompt_str("The run is not there any "
                                              "more."));
        return;
    }

    ngx_queue_init(&begun);

    for (row = 0; row < rows->count; row++) {
        prompt_run_step_row(rows, row, &of);

        if (of.number == 0) {
            break;
        }

        cell = ngx_http_prompt_cell_create(&watch->work, &of,
                                           ngx_http_prompt_watch_over, watch);

        /* where memory is short its lease runs out */

        if (cell != NULL) {
            ngx_queue_insert_tail(&begun, &cell->queue);
        }
    }

    watch->seq = ngx_max(watch->seq, of.seq);
    watch->last = !prompt_str_eq(of.state, prompt_str("READY"));

    if (watch->spent && !watch->last) {

        /* others may give something back */

        watch->spent = 0;
        watch->paused = ngx_current_msec + NGX_HTTP_PROMPT_WATCH_POLL;
    }

    while (!ngx_queue_empty(&begun)) {
        q = ngx_queue_head(&begun);
        ngx_queue_remove(q);
        ngx_queue_insert_tail(&watch->running, q);
        watch->nrunning++;

        cell = ngx_queue_data(q, ngx_http_prompt_cell_t, queue);

        if (watch->root == NULL) {
            cell->what = cell->of.status.data != NULL
                         ? NGX_HTTP_PROMPT_CELL_UNKNOWN
                         : NGX_HTTP_PROMPT_CELL_OPEN;
            ngx_http_prompt_watch_over(cell);

        } else {
            ngx_http_prompt_cell_run(cell);
        }
    }
}


/* A cell is over, whichever way. */
static void
ngx_http_prompt_watch_over(ngx_http_prompt_cell_t *cell)
{
    ngx_http_prompt_watch_t  *watch;

    watch = cell->data;

    ngx_queue_remove(&cell->queue);
    ngx_queue_insert_tail(&watch->over, &cell->queue);
    watch->nrunning--;

    if (watch->nover++ == 0) {
        watch->first = ngx_current_msec;
    }

    if (cell->error.data != NULL && cell->what != NGX_HTTP_PROMPT_CELL_DONE) {

        switch (cell->why) {

        case NGX_HTTP_PROMPT_CELL_OVER:
            watch->full = 1;
            watch->spent = watch->nrunning == 0;
            break;

        case NGX_HTTP_PROMPT_CELL_REFUSED:
            ngx_http_prompt_watch_fail(watch, ngx_http_prompt_forbidden,
                                       cell->error);
            break;

        case NGX_HTTP_PROMPT_CELL_LATER:
            watch->paused = ngx_current_msec + NGX_HTTP_PROMPT_WATCH_POLL;
            break;
        }
    }

    ngx_http_prompt_watch_wake(watch);
}
