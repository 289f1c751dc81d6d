/*
 * Runs: watchRun.
 *
 *     step   one statement gives back cells that are over, takes others and
 *            hears how the run is: whenever half of them are over, or 10 ms
 *            after the first one, else once a second
 *     read   what was done since, by whomever, is told: after a step, else once
 *            a second
 *
 * One query is under way at a time, and what is to be next is seen in the next
 * turn of the event loop (..._turn()).  A client that is behind holds both up.
 * When it has left, cells in hand are done all the same, as they are paid for,
 * and given back; then the watch is no more.
 */

#include "service/fields/run_watch_impl.h"

#include "service/call/stream.h"


static int64_t ngx_http_prompt_watch_concurrency(
    ngx_http_prompt_root_t *root);
static void ngx_http_prompt_watch_seen(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_watch_create(ngx_http_prompt_root_t *root,
    const prompt_run_row_t *row) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_watch_checks(ngx_http_prompt_watch_t *watch,
    prompt_str_t checks) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_watch_detach(void *data);
static void ngx_http_prompt_watch_drained(ngx_http_prompt_job_t *job,
    bool reads);
static void ngx_http_prompt_watch_timer(ngx_event_t *ev);
static void ngx_http_prompt_watch_turn(ngx_event_t *ev);
static bool ngx_http_prompt_watch_steps(const ngx_http_prompt_watch_t *watch);
static void ngx_http_prompt_watch_end(ngx_http_prompt_watch_t *watch);
static void ngx_http_prompt_watch_free(ngx_http_prompt_watch_t *watch);
static void ngx_http_prompt_watch_read(ngx_http_prompt_watch_t *watch);
static void ngx_http_prompt_watch_told(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_watch_tell(ngx_http_prompt_watch_t *watch);
static bool ngx_http_prompt_watch_stops(const ngx_http_prompt_watch_t *watch);


static const prompt_str_t  ngx_http_prompt_watch_unread =
    prompt_str_init("The run cannot be read: the database did not answer. "
                    "Watch it again.");


bool
ngx_http_prompt_watch_compile(gql_plan_t *plan, gql_plan_field_t *field)
{
    uint32_t                      i;
    gql_plan_field_t             *child;
    ngx_http_prompt_run_below_t  *below;

    below = prompt_arena_zalloc(plan->arena,
                                sizeof(ngx_http_prompt_run_below_t));
    field->data = below;

    if (below == NULL) {
        return false;
    }

    for (i = 0; i < field->selections[0]->nfields; i++) {
        child = &field->selections[0]->fields[i];

        if (gql_field_is_meta(child)) {
            continue;
        }

        if (prompt_str_eq(child->def->name, prompt_str("cell"))) {
            ngx_http_prompt_run_project_cell(child->selections[0], below);

        } else if (!ngx_http_prompt_run_project(plan, child->selections[0],
                                                true, below))
        {
            return false;
        }
    }

    return true;
}


/* watchRun */
void
ngx_http_prompt_watch_run(ngx_http_prompt_root_t *root)
{
    bool             bound;
    int64_t          n;
    prompt_str_t     id, caller;
    prompt_query_t  *query;

    if (root->job->persists || root->job->sink->inner == NULL) {
        ngx_http_prompt_root_wrong(root, "id", "A run is watched over GraphQL, "
                                   "without an Idempotency-Key: what is done "
                                   "is not done again.");
        return;
    }

    n = ngx_http_prompt_watch_concurrency(root);

    if (n < 1 || n > PROMPT_LIMIT_RUN_CONCURRENCY) {
        ngx_http_prompt_root_wrong(root, "concurrency",
                                   "\"concurrency\" must be 1 to %d.",
                                   PROMPT_LIMIT_RUN_CONCURRENCY);
        return;
    }

    caller = ngx_http_prompt_caller(root);

    if (ngx_http_prompt_run_may(root, root->field->data)
        && ngx_http_prompt_root_id(root, "id", "Run", &id)
        && ngx_http_prompt_root_begin(root, &query))
    {
        bound = prompt_run_allowed(query, caller, id)
                && prompt_run_read(query, caller, id, false);

        ngx_http_prompt_root_send(root, bound, ngx_http_prompt_watch_seen);
    }
}


/* null is what the argument is where it is not given */
static int64_t
ngx_http_prompt_watch_concurrency(ngx_http_prompt_root_t *root)
{
    int64_t               n;
    const prompt_json_t  *value;

    value = ngx_http_prompt_root_argument(root, "concurrency");
    n = NGX_HTTP_PROMPT_WATCH_CONCURRENCY;

    return value == NULL || prompt_json_integer(value, &n) ? n : 0;
}


static void
ngx_http_prompt_watch_seen(ngx_http_prompt_root_t *root)
{
    prompt_outcome_t          outcome;
    prompt_run_row_t          row;
    ngx_http_prompt_job_t    *job;
    ngx_http_prompt_watch_t  *watch;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    outcome = prompt_dataset_seen_row(&root->result->rows[0]);

    if (outcome == PROMPT_OUTCOME_DONE && root->result->rows[1].count == 0) {
        outcome = PROMPT_OUTCOME_NOT_FOUND;
    }

    if (!ngx_http_prompt_run_done(root, outcome,
                                  ngx_http_prompt_root_text(root, "id")))
    {
        return;
    }

    prompt_run_row(&root->result->rows[1], 0, false, &row);

    if (!ngx_http_prompt_watch_create(root, &row)) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    ngx_http_prompt_root_release(root);

    watch = root->data;
    job = root->job;
    job->drained = ngx_http_prompt_watch_drained;

    if (job->sink->event(job->caller, NULL, 0) == NGX_ERROR) {
        watch->gone = 1;
    }

    ngx_http_prompt_watch_wake(watch);
}


/* False: memory. */
static bool
ngx_http_prompt_watch_create(ngx_http_prompt_root_t *root,
    const prompt_run_row_t *row)
{
    prompt_uuid_t               id;
    prompt_arena_t             *arena;
    ngx_http_prompt_job_t      *job;
    ngx_http_prompt_watch_t    *watch;
    ngx_http_prompt_worker_t   *worker;

    job = root->job;
    worker = ngx_http_prompt_get_worker(job->request);
    arena = prompt_arena_create(NGX_HTTP_PROMPT_WATCH_MEMORY);

    if (arena == NULL) {
        return false;
    }

    watch = prompt_arena_zalloc(arena, sizeof(ngx_http_prompt_watch_t));

    if (watch == NULL) {
        prompt_arena_destroy(arena);
        return false;
    }

    watch->arena = arena;

    if (!ngx_http_prompt_worker_id(worker, &watch->holder)
        || !ngx_http_prompt_watch_checks(watch, row->dataset.checks))
    {
        prompt_arena_destroy(arena);
        return false;
    }

    watch->work.errands = ngx_http_prompt_errands_create(job);

    if (watch->work.errands == NULL) {
        prompt_arena_destroy(arena);
        return false;
    }

    watch->root = root;
    watch->concurrency = (int32_t) ngx_http_prompt_watch_concurrency(root);
    watch->told = row->run.seq;
    watch->seq = row->run.seq;
    watch->page = NGX_HTTP_PROMPT_WATCH_PAGE;
    watch->stepped = ngx_current_msec - NGX_HTTP_PROMPT_WATCH_POLL;
    watch->renewed = ngx_current_msec;
    watch->read = watch->stepped;
    watch->paused = ngx_current_msec;

    watch->work.worker = worker;
    watch->work.identity = job->identity;
    watch->work.capped = row->run.cost_cap_usd.data != NULL;
    ngx_memcpy(watch->work.run_id, row->run.id.data, PROMPT_UUID_LEN);
    ngx_memcpy(id.bytes, row->run.prompt_id.data, PROMPT_UUID_LEN);
    prompt_uuid_format(&id, watch->work.prompt_id);
    ngx_memcpy(watch->project, ngx_http_prompt_caller(root).data,
               PROMPT_UUID_LEN);

    watch->runs.below = root->field->data;
    watch->runs.project_id = prompt_str_of(watch->project, PROMPT_UUID_LEN);
    watch->runs.id = prompt_str_of(watch->work.run_id, PROMPT_UUID_LEN);
    watch->runs.people.project = watch->runs.project_id;

    ngx_queue_init(&watch->running);
    ngx_queue_init(&watch->over);
    ngx_queue_init(&watch->sent);

    watch->turn.handler = ngx_http_prompt_watch_turn;
    watch->turn.data = watch;
    watch->turn.log = ngx_cycle->log;
    ngx_http_prompt_timer_init(&watch->timer, ngx_http_prompt_watch_timer,
                               watch, ngx_cycle->log);

    ngx_http_prompt_worker_work(worker, 1);

    root->data = watch;
    root->detach = ngx_http_prompt_watch_detach;

    return true;
}


/* They were sound when they were stored. */
static bool
ngx_http_prompt_watch_checks(ngx_http_prompt_watch_t *watch,
    prompt_str_t checks)
{
    prompt_fault_t        fault;
    prompt_json_error_t   error;
    const prompt_json_t  *value;

    checks = prompt_arena_copy(watch->arena, checks);
    value = checks.data != NULL
            ? prompt_json_read(watch->arena, checks, PROMPT_LIMIT_DEPTH, &error)
            : NULL;

    return value != NULL
           && prompt_checks_compile(watch->arena, value, &watch->work.checks,
                                    &fault)
              == PROMPT_CHECK_OK;
}


static void
ngx_http_prompt_watch_detach(void *data)
{
    ngx_http_prompt_watch_t  *watch = data;

    watch->root->job->drained = NULL;
    watch->root = NULL;

    if (watch->lookup != NULL) {
        ngx_http_prompt_keys_cancel(watch->lookup);
        watch->lookup = NULL;
    }

    ngx_http_prompt_watch_wake(watch);
}


static void
ngx_http_prompt_watch_drained(ngx_http_prompt_job_t *job, bool reads)
{
    ngx_http_prompt_watch_t  *watch;

    watch = job->roots[0].data;

    watch->behind = 0;
    watch->gone |= !reads;

    ngx_http_prompt_watch_wake(watch);
}


void
ngx_http_prompt_watch_wake(ngx_http_prompt_watch_t *watch)
{
    if (!watch->turn.posted) {
        ngx_post_event(&watch->turn, &ngx_posted_events);
    }

    if (!watch->timer.event.timer_set) {
        ngx_add_timer(&watch->timer.event, NGX_HTTP_PROMPT_WATCH_POLL);
    }
}


static void
ngx_http_prompt_watch_timer(ngx_event_t *ev)
{
    ngx_http_prompt_watch_wake(ngx_http_prompt_timer_owner(ev));
}


/* What is to be next; what is under way comes back here. */
static void
ngx_http_prompt_watch_turn(ngx_event_t *ev)
{
    bool                      idle;
    ngx_http_prompt_watch_t  *watch = ev->data;

    if (watch->query.task != NULL || watch->lookup != NULL) {
        return;
    }

    if (ngx_http_prompt_watch_steps(watch)) {

        ngx_http_prompt_watch_ask(watch);
        return;
    }

    idle = watch->nrunning == 0 && watch->nover == 0;

    if (idle
        && (watch->root == NULL || watch->gone || watch->code.data != NULL))
    {
        ngx_http_prompt_watch_end(watch);
        return;
    }

    if (watch->root != NULL && !watch->behind && !watch->gone
        && watch->code.data == NULL
        && (watch->seq > watch->told || (idle && (watch->last || ngx_exiting))
            || ngx_current_msec - watch->read >= NGX_HTTP_PROMPT_WATCH_POLL))
    {
        ngx_http_prompt_watch_read(watch);
        return;
    }

    ngx_add_timer(&watch->timer.event,
                  watch->nover != 0 ? NGX_HTTP_PROMPT_WATCH_BATCH
                                    : NGX_HTTP_PROMPT_WATCH_POLL);
}


/* whether no cell is begun any more */
static bool
ngx_http_prompt_watch_stops(const ngx_http_prompt_watch_t *watch)
{
    return watch->root == NULL || watch->gone || watch->last || ngx_exiting
           || watch->code.data != NULL;
}


/* for how many cells there is, now */
int32_t
ngx_http_prompt_watch_room(const ngx_http_prompt_watch_t *watch)
{
    if (ngx_http_prompt_watch_stops(watch) || watch->behind || watch->spent
        || (ngx_msec_int_t) (watch->paused - ngx_current_msec) > 0)
    {
        return 0;
    }

    return (watch->full ? 1 : watch->concurrency) - watch->nrunning > 0
           ? (watch->full ? 1 : watch->concurrency) - watch->nrunning : 0;
}


static bool
ngx_http_prompt_watch_steps(const ngx_http_prompt_watch_t *watch)
{
    ngx_msec_t  now;

    now = ngx_current_msec;

    if (watch->failures != 0
        && now - watch->stepped < NGX_HTTP_PROMPT_WATCH_POLL)
    {
        return false;
    }

    if (watch->nover != 0
        && (2 * watch->nover >= watch->concurrency || watch->nrunning == 0
            || now - watch->first >= NGX_HTTP_PROMPT_WATCH_BATCH))
    {
        return true;
    }

    if (watch->nrunning != 0
        && now - watch->renewed >= NGX_HTTP_PROMPT_WATCH_RENEW)
    {
        return true;
    }

    return (ngx_http_prompt_watch_room(watch) != 0
            || (watch->spent && !ngx_http_prompt_watch_stops(watch)))
           && now - watch->stepped >= NGX_HTTP_PROMPT_WATCH_POLL;
}


/* Nothing is in hand. */
static void
ngx_http_prompt_watch_end(ngx_http_prompt_watch_t *watch)
{
    ngx_http_prompt_job_t   *job;
    ngx_http_prompt_root_t  *root;

    root = watch->root;

    if (root == NULL) {
        ngx_http_prompt_watch_free(watch);
        return;
    }

    job = root->job;

    if (watch->code.data == NULL) {
        ngx_http_prompt_watch_fail(watch, ngx_http_prompt_internal_server_error,
                                   prompt_str("The client does not read."));
    }

    ngx_http_prompt_root_fail(root, watch->code, prompt_str_absent, "%.*s",
                              prompt_str_arg(watch->error));
    ngx_http_prompt_job_resume(job);
}


static void
ngx_http_prompt_watch_free(ngx_http_prompt_watch_t *watch)
{
    ngx_http_prompt_timer_stop(&watch->timer);

    if (watch->turn.posted) {
        ngx_delete_posted_event(&watch->turn);
    }

    ngx_http_prompt_errands_destroy(watch->work.errands);
    ngx_http_prompt_worker_work(watch->work.worker, -1);
    prompt_arena_destroy(watch->arena);
}


/* The first reason counts.  Codes are static: the log shows them at the end. */
void
ngx_http_prompt_watch_fail(ngx_http_prompt_watch_t *watch, prompt_str_t code,
    prompt_str_t error)
{
    if (watch->code.data == NULL) {
        watch->error = prompt_arena_copy(watch->arena, error);
        watch->code = code;
    }
}


static void
ngx_http_prompt_watch_read(ngx_http_prompt_watch_t *watch)
{
    bool                 bound;
    prompt_query_t      *query;
    prompt_run_cells_t   of;

    watch->read = ngx_current_msec;

    of.project_id = watch->runs.project_id;
    of.run_id = watch->runs.id;
    of.told = true;
    of.above = watch->told;
    of.first = watch->page;

    query = prompt_query_create(NGX_HTTP_PROMPT_WATCH_BYTES);
    bound = query != NULL;

    if (bound) {
        query->budget = watch->page == 1 ? NGX_HTTP_PROMPT_ANSWER_MEMORY
                                         : NGX_HTTP_PROMPT_WATCH_BYTES;
        watch->runs.query = query;

        bound = prompt_snapshot(query)
                && prompt_run_read(query, of.project_id, of.run_id,
                                   watch->runs.below->arms)
                && prompt_user_of_project(query, of.project_id)
                && ngx_http_prompt_run_cells_query(&watch->runs, &watch->cells,
                                                   query, &of);
    }

    if (ngx_http_prompt_send_query(&watch->query, watch->work.worker->postgres,
                                   query, bound, 0, ngx_http_prompt_watch_told,
                                   watch)
        != NGX_OK)
    {
        ngx_http_prompt_watch_fail(watch, ngx_http_prompt_internal_server_error,
                                   ngx_http_prompt_watch_unread);
        ngx_http_prompt_watch_wake(watch);
    }
}


static void
ngx_http_prompt_watch_told(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_watch_t  *watch = data;

    ngx_http_prompt_watch_wake(watch);

    if (watch->root == NULL) {
        return;
    }

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_TOO_LONG
        && watch->page != 1)
    {
        watch->page = 1;
        watch->read -= NGX_HTTP_PROMPT_WATCH_POLL;
        return;
    }

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_OK) {
        ngx_http_prompt_watch_fail(watch, ngx_http_prompt_internal_server_error,
            result->status == NGX_HTTP_PROMPT_POSTGRES_TOO_LONG
            ? prompt_str("A cell is too long to be told: ask \"run\" for less "
                         "of it.")
            : ngx_http_prompt_watch_unread);
        return;
    }

    if (result->rows[1].count == 0) {
        ngx_http_prompt_watch_fail(watch, ngx_http_prompt_not_found,
                                   prompt_str("The run is not there any "
                                              "more."));
        return;
    }

    watch->page = NGX_HTTP_PROMPT_WATCH_PAGE;
    watch->runs.result = result;
    watch->runs.people.rows = &result->rows[2];

    ngx_http_prompt_run_node(&result->rows[1], 0, false, NULL,
                             &watch->runs.people, &watch->runs.node);
    ngx_http_prompt_watch_tell(watch);
}


/*
 * All that came; and with that, where nothing is to come any more, the last
 * event.
 */
static void
ngx_http_prompt_watch_tell(ngx_http_prompt_watch_t *watch)
{
    uint32_t                      i;
    ngx_int_t                     rc;
    prompt_str_t                  state;
    prompt_arena_t               *arena;
    ngx_http_prompt_job_t        *job;
    ngx_http_prompt_run_event_t   event;

    job = watch->root->job;
    event.run = &watch->runs.node;
    arena = prompt_arena_create(NGX_HTTP_PROMPT_WATCH_BYTES);
    rc = NGX_DECLINED;

    if (arena != NULL
        && ngx_http_prompt_run_cells_open(&watch->runs, &watch->cells, arena))
    {
        rc = NGX_OK;

        for (i = 0; i < watch->cells.list.count && rc != NGX_ERROR
                    && rc != NGX_DECLINED; i++)
        {
            event.cell = ngx_http_prompt_run_cell(&watch->cells.list);
            rc = ngx_http_prompt_stream_event(job, &event,
                                              NGX_HTTP_PROMPT_ANSWER_MEMORY);
            watch->told = event.cell->record.seq;
            watch->behind |= rc == NGX_AGAIN;
        }
    }

    if (rc == NGX_DECLINED) {
        ngx_http_prompt_watch_fail(watch, ngx_http_prompt_internal_server_error,
                                   prompt_str("A cell is too long to be told, "
                                              "or the server is out of memory: "
                                              "ask \"run\" for it."));
    }

    watch->gone |= rc == NGX_ERROR;
    watch->seq = ngx_max(watch->seq, watch->runs.node.record.seq);

    state = watch->runs.node.record.state;
    watch->last = !prompt_str_eq(state, prompt_str("READY"))
                  && !prompt_str_eq(state, prompt_str("RUNNING"));

    if ((watch->last || ngx_exiting) && watch->nrunning == 0
        && watch->nover == 0 && watch->code.data == NULL && !watch->gone
        && watch->told >= watch->seq)
    {
        event.cell = NULL;
        ngx_http_prompt_root_object(watch->root, &event);
        ngx_http_prompt_job_resume(job);
    }

    prompt_arena_destroy(arena);
}
