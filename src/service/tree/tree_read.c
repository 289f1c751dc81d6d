/*
 * Reading prompts: from a range to the answer.
 *
 * What is small comes with the first attempt and is written in one go.  What
 * that cut is read again without its bounds, row by row and within the memory
 * that an answer may have; lists window by window, of which each is a moment
 * of its own.  One field of a request at a time does so.
 *
 * Writing gives up the event loop every millisecond or so, and so does a field
 * that gives its turn to the next one.  Meanwhile a timer that cannot be
 * cancelled holds a worker that is told to quit: events that are posted would
 * not.
 */

#include "service/tree/tree_read.h"

#include "io/ngx_http_prompt_ratelog.h"


/* a step of writing: about a millisecond */
#define NGX_HTTP_PROMPT_STEP_ITEMS     500
#define NGX_HTTP_PROMPT_STEP_BYTES     (256 * 1024)

#define NGX_HTTP_PROMPT_HOLD           60000  /* ms */


static bool ngx_http_prompt_reading(ngx_http_prompt_root_t *root,
    const prompt_range_t *range, ngx_http_prompt_reading_t **made)
    PROMPT_WARN_UNUSED;
static void ngx_http_prompt_short_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_window_done(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_window_last(ngx_http_prompt_reading_t *reading);
static void ngx_http_prompt_write_list(ngx_http_prompt_reading_t *reading,
    bool last);
static void ngx_http_prompt_write_one(ngx_http_prompt_reading_t *reading);
static void ngx_http_prompt_read_event(ngx_event_t *ev);
static void ngx_http_prompt_read_hold(ngx_event_t *ev);


void
ngx_http_prompt_read_list(ngx_http_prompt_root_t *root,
    const prompt_range_t *range, prompt_str_t search)
{
    ngx_http_prompt_reading_t  *reading;

    if (!ngx_http_prompt_reading(root, range, &reading)) {
        return;
    }

    reading->list = 1;
    reading->limited = range->first != 0;
    reading->left = range->first;
    reading->search = search;
    reading->start = ngx_current_msec;

    ngx_http_prompt_tree_guard(root, &reading->range);

    if (search.data != NULL || range->first >= reading->range.max_rows) {
        ngx_http_prompt_read_wait(reading);
        return;
    }

    ngx_http_prompt_read_short(reading);
}


void
ngx_http_prompt_read_one(ngx_http_prompt_root_t *root,
    const prompt_range_t *range, ngx_http_prompt_reading_pt check)
{
    ngx_http_prompt_reading_t  *reading;

    if (ngx_http_prompt_reading(root, range, &reading)) {
        reading->check = check;

        ngx_http_prompt_owner_known(reading);
        ngx_http_prompt_tree_guard(root, &reading->range);
        ngx_http_prompt_read_short(reading);
    }
}


void
ngx_http_prompt_read_changed(ngx_http_prompt_root_t *root,
    const prompt_range_t *range, ngx_uint_t first,
    const prompt_record_t *record)
{
    ngx_http_prompt_reading_t  *reading;

    if (!ngx_http_prompt_reading(root, range, &reading)) {
        return;
    }

    reading->changed = 1;
    reading->record = *record;

    /* whatever becomes of reading it */

    root->job->did = 1;

    ngx_http_prompt_tree_open(reading->tree, first, &reading->record);

    if (!ngx_http_prompt_tree_cut(reading->tree, range)) {
        ngx_http_prompt_write_one(reading);
        return;
    }

    /* the change is committed; what it brought goes with its rows */

    if (!prompt_columns_keep(&prompt_prompt_resource, root->job->arena,
                             &reading->record))
    {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    reading->range.id = reading->record.id;

    ngx_http_prompt_read_wait(reading);
}


/* false: memory */
static bool
ngx_http_prompt_reading(ngx_http_prompt_root_t *root,
    const prompt_range_t *range, ngx_http_prompt_reading_t **made)
{
    ngx_http_prompt_tree_t  *tree;

    tree = ngx_http_prompt_tree_create(root);

    if (tree == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    if (!ngx_http_prompt_reading_create(root, made)) {
        return false;
    }

    (*made)->tree = tree;
    (*made)->range = *range;

    return true;
}


bool
ngx_http_prompt_reading_create(ngx_http_prompt_root_t *root,
    ngx_http_prompt_reading_t **made)
{
    ngx_http_prompt_reading_t  *reading;

    reading = prompt_arena_zalloc(root->job->arena,
                                  sizeof(ngx_http_prompt_reading_t));
    if (reading == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    reading->root = root;

    reading->event.data = reading;
    reading->event.handler = ngx_http_prompt_read_event;
    reading->event.log = root->job->request->connection->log;

    ngx_http_prompt_timer_init(&reading->hold, ngx_http_prompt_read_hold,
                               reading, root->job->request->connection->log);

    root->data = reading;
    root->detach = ngx_http_prompt_read_detach;

    gql_execution_pace(root->job->execution, NGX_HTTP_PROMPT_STEP_ITEMS,
                       NGX_HTTP_PROMPT_STEP_BYTES);

    *made = reading;

    return true;
}


void
ngx_http_prompt_read_short(ngx_http_prompt_reading_t *reading)
{
    prompt_query_t          *query;
    ngx_http_prompt_root_t  *root;

    root = reading->root;

    ngx_http_prompt_kept_begin(reading);

    if (ngx_http_prompt_root_begin(root, &query)
        && ngx_http_prompt_tree_query(root, query, &reading->range, true,
                                      &reading->kept))
    {
        ngx_http_prompt_root_send(root, true, ngx_http_prompt_short_done);
    }
}


static void
ngx_http_prompt_short_done(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_kept_t     *kept;
    ngx_http_prompt_reading_t  *reading;

    reading = root->data;
    kept = &reading->kept;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    ngx_http_prompt_tree_take(reading->tree, kept->left_out ? kept : NULL);
    ngx_http_prompt_tree_open(reading->tree, 0, NULL);

    if (!ngx_http_prompt_owner_learnt(reading)) {
        ngx_http_prompt_kept_end(reading);
        ngx_http_prompt_root_release(root);
        ngx_http_prompt_read_short(reading);
        return;
    }

    if (ngx_http_prompt_tree_cut(reading->tree, &reading->range)) {
        ngx_http_prompt_tree_take(reading->tree, NULL);
        ngx_http_prompt_read_wait(reading);
        return;
    }

    if (kept->left_out) {
        ngx_http_prompt_kept_find(reading);
        return;
    }

    ngx_http_prompt_kept_put(reading);
    ngx_http_prompt_write_short(reading);
}


void
ngx_http_prompt_write_short(ngx_http_prompt_reading_t *reading)
{
    if (reading->list) {
        ngx_http_prompt_write_list(reading, true);
        return;
    }

    ngx_http_prompt_write_one(reading);
}


void
ngx_http_prompt_read_long(ngx_http_prompt_reading_t *reading)
{
    if (gql_execution_aborted(reading->root->job->execution)) {

        /* of what failed as a whole nothing more is read */

        ngx_http_prompt_root_complete(reading->root, NULL);

    } else if (reading->ask != NULL) {
        reading->ask(reading->root);

    } else if (reading->search.data == NULL) {
        ngx_http_prompt_read_window(reading);

    } else if (reading->nread < reading->nfound || reading->ended) {
        ngx_http_prompt_read_found(reading);

    } else {
        ngx_http_prompt_search(reading);
    }
}


void
ngx_http_prompt_read_window(ngx_http_prompt_reading_t *reading)
{
    size_t                               written;
    prompt_query_t                      *query;
    ngx_http_prompt_root_t              *root;
    const ngx_http_prompt_projection_t  *proj;

    root = reading->root;
    written = gql_execution_bytes(root->job->execution);

    if (written >= NGX_HTTP_PROMPT_ANSWER_MEMORY) {
        ngx_http_prompt_root_fail_too_long(root);
        return;
    }

    if (reading->list && reading->range.kind == PROMPT_RANGE_LIST) {
        proj = root->field->data;

        reading->window = proj->nlists != 0
                          ? NGX_HTTP_PROMPT_WINDOW_NESTED
                          : NGX_HTTP_PROMPT_WINDOW;

        if (reading->limited) {
            reading->window = ngx_min(reading->window, reading->left);
        }

        reading->range.first = reading->window;
    }

    if (!ngx_http_prompt_long_query(reading, &query)) {
        return;
    }

    query->budget = NGX_HTTP_PROMPT_ANSWER_MEMORY - written;

    if (ngx_http_prompt_root_bound(root, !reading->changed
                                         || prompt_snapshot(query))
        && ngx_http_prompt_tree_query(root, query, &reading->range,
                                      !reading->changed, NULL))
    {
        ngx_http_prompt_root_send(root, true, ngx_http_prompt_window_done);
    }
}


bool
ngx_http_prompt_long_query(ngx_http_prompt_reading_t *reading,
    prompt_query_t **query)
{
    if (!ngx_http_prompt_root_begin(reading->root, query)) {
        return false;
    }

    (*query)->length = PROMPT_QUERY_LONG;

    return true;
}


static void
ngx_http_prompt_window_done(ngx_http_prompt_root_t *root)
{
    bool                        last;
    ngx_http_prompt_reading_t  *reading;

    reading = root->data;

    if (!ngx_http_prompt_window_succeeded(reading)) {
        return;
    }

    if (reading->changed) {
        ngx_http_prompt_tree_open(reading->tree, 1, &reading->record);

    } else {
        ngx_http_prompt_tree_open(reading->tree, 0, NULL);
    }

    if (!reading->list) {
        ngx_http_prompt_write_one(reading);
        return;
    }

    last = ngx_http_prompt_window_last(reading);
    ngx_http_prompt_write_list(reading, last);
}


bool
ngx_http_prompt_window_succeeded(ngx_http_prompt_reading_t *reading)
{
    ngx_http_prompt_root_t  *root;

    root = reading->root;

    if (root->result->status == NGX_HTTP_PROMPT_POSTGRES_TOO_LONG) {
        return ngx_http_prompt_root_fail_too_long(root);
    }

    if (!reading->changed
        || root->result->status == NGX_HTTP_PROMPT_POSTGRES_OK)
    {
        return ngx_http_prompt_root_succeeded(root);
    }

    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_POSTGRES_ANSWER,
                            prompt_str_absent,
                            root->job->request->connection->log,
                            "prompt: what \"%*s\" changed could not be read: "
                            "%s", root->field->def->name.len,
                            root->field->def->name.data,
                            ngx_http_prompt_postgres_why(root->result));

    return ngx_http_prompt_root_broken(root,
               "The change was made, but what was selected of it could not be "
               "read: ask for it again.");
}


/* The window's prompts are counted; whether they are the last ones. */
static bool
ngx_http_prompt_window_last(ngx_http_prompt_reading_t *reading)
{
    uint32_t  count;

    if (reading->range.kind == PROMPT_RANGE_IDS) {
        return reading->ended && reading->nread == reading->nfound;
    }

    count = (uint32_t) ngx_http_prompt_tree_count(reading->tree);

    if (count < reading->window) {
        return true;
    }

    ngx_memcpy(reading->after, ngx_http_prompt_tree_last(reading->tree).data,
               PROMPT_UUID_LEN);
    reading->range.after = prompt_str_of(reading->after, PROMPT_UUID_LEN);

    if (reading->limited) {
        reading->left -= count;
    }

    return reading->limited && reading->left == 0;
}


static void
ngx_http_prompt_write_list(ngx_http_prompt_reading_t *reading, bool last)
{
    gql_result_t             result;
    ngx_http_prompt_root_t  *root;

    root = reading->root;

    ngx_http_prompt_tree_list(reading->tree, &result);
    ngx_http_prompt_read_stepped(reading,
                                 gql_execution_part(root->job->execution,
                                                    root->index, &result,
                                                    last));
}


static void
ngx_http_prompt_write_one(ngx_http_prompt_reading_t *reading)
{
    gql_result_t                    result;
    ngx_http_prompt_root_t         *root;
    ngx_http_prompt_prompt_node_t  *prompt;

    root = reading->root;
    prompt = ngx_http_prompt_tree_prompt(reading->tree);

    if (reading->check != NULL
        && !reading->check(root, prompt != NULL ? &prompt->record : NULL))
    {
        return;
    }

    ngx_http_prompt_result_object(prompt, &result);

    ngx_http_prompt_read_stepped(reading,
                                 gql_execution_begin(root->job->execution,
                                                     root->index, &result));
}


void
ngx_http_prompt_read_stepped(ngx_http_prompt_reading_t *reading,
    gql_step_t step)
{
    if (!ngx_http_prompt_root_stepped(reading->root, step)) {
        return;
    }

    ngx_http_prompt_job_claim(reading->root->job);

    if (step == GQL_STEP_WANTED) {
        ngx_http_prompt_root_release(reading->root);
        ngx_http_prompt_read_long(reading);
        return;
    }

    ngx_http_prompt_read_next(reading);
}


void
ngx_http_prompt_read_next(ngx_http_prompt_reading_t *reading)
{
    if (!reading->hold.event.timer_set) {
        ngx_add_timer(&reading->hold.event, NGX_HTTP_PROMPT_HOLD);
    }

    ngx_post_event(&reading->event, &ngx_posted_next_events);
}


static void
ngx_http_prompt_read_event(ngx_event_t *ev)
{
    ngx_http_prompt_job_t      *job;
    ngx_http_prompt_reading_t  *reading;
    ngx_http_prompt_root_t     *root;

    reading = ev->data;
    root = reading->root;
    job = root->job;

    if (reading->later) {
        reading->later = 0;
        reading->ask(root);

    } else if (reading->waits) {
        reading->waits = 0;
        ngx_http_prompt_read_reserve(reading);

    } else {
        ngx_http_prompt_read_stepped(reading,
                                     gql_execution_go_on(job->execution,
                                                         root->index));
    }

    ngx_http_prompt_job_resume(job);
}


static void
ngx_http_prompt_read_hold(ngx_event_t *ev)
{
    ngx_add_timer(ev, NGX_HTTP_PROMPT_HOLD);
}


void
ngx_http_prompt_read_detach(void *data)
{
    ngx_http_prompt_reading_t  *reading = data;

    if (reading->event.posted) {
        ngx_delete_posted_event(&reading->event);
    }

    ngx_http_prompt_timer_stop(&reading->hold);
    ngx_http_prompt_kept_end(reading);

    if (reading->root->is_long) {
        reading->root->is_long = 0;
        ngx_http_prompt_read_pass(reading->root->job);
    }
}
