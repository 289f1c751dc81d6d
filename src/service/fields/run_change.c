/*
 * Runs: createRun, updateRun and cancelRun.
 */

#include "service/fields/run_impl.h"

#include "prompt/price.h"
#include "service/fields/execution_impl.h"


static bool ngx_http_prompt_run_read(ngx_http_prompt_root_t *root,
    prompt_run_make_t *make) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_run_versions(ngx_http_prompt_root_t *root,
    prompt_run_make_t *make) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_run_cap(ngx_http_prompt_root_t *root,
    prompt_str_t *cap) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_create_run_seen(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_run_seen(ngx_http_prompt_root_t *root,
    const prompt_rows_t *rows, const prompt_run_make_t *make)
    PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_run_priced(ngx_http_prompt_root_t *root,
    const prompt_rows_t *rows, unsigned row) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_create_run_send(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_create_run_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_change_run_done(ngx_http_prompt_root_t *root);


/* createRun */
void
ngx_http_prompt_create_run(ngx_http_prompt_root_t *root)
{
    prompt_query_t     *query;
    prompt_run_make_t  *make;

    make = ngx_http_prompt_root_data(root, sizeof(prompt_run_make_t));
    if (make == NULL) {
        return;
    }

    make->project_id = ngx_http_prompt_caller(root);
    make->most = PROMPT_LIMIT_RUN_CELLS;

    if (ngx_http_prompt_run_may(root, root->field->data)
        && ngx_http_prompt_run_read(root, make)
        && ngx_http_prompt_new_id(root, &make->id)
        && ngx_http_prompt_root_begin(root, &query))
    {
        ngx_http_prompt_root_send(root,
                                  prompt_run_versions(query, make->project_id,
                                                      make->prompt_id,
                                                      make->versions),
                                  ngx_http_prompt_create_run_seen);
    }
}


static bool
ngx_http_prompt_run_read(ngx_http_prompt_root_t *root, prompt_run_make_t *make)
{
    int64_t               repetitions;
    const prompt_json_t  *value;

    value = ngx_http_prompt_root_argument(root, "repetitions");
    repetitions = 1;

    if (value != NULL
        && (!prompt_json_integer(value, &repetitions) || repetitions < 1
            || repetitions > PROMPT_LIMIT_RUN_REPETITIONS))
    {
        return ngx_http_prompt_root_wrong(root, "repetitions",
                                          "\"repetitions\" must be 1 to %d.",
                                          PROMPT_LIMIT_RUN_REPETITIONS);
    }

    make->repetitions = (uint32_t) repetitions;

    return ngx_http_prompt_root_id(root, "datasetId", "Dataset",
                                   &make->dataset_id)
           && ngx_http_prompt_root_id(root, "promptId", "Prompt",
                                      &make->prompt_id)
           && ngx_http_prompt_run_versions(root, make)
           && ngx_http_prompt_run_cap(root, &make->cap_usd);
}


/* Int!: they are numbers */
static bool
ngx_http_prompt_run_versions(ngx_http_prompt_root_t *root,
    prompt_run_make_t *make)
{
    prompt_buf_t          text;
    const prompt_json_t  *given, *one, *other;

    given = prompt_json_get(root->arguments, prompt_str("versions"));

    if (given->count < 1 || given->count > PROMPT_LIMIT_RUN_VERSIONS) {
        return ngx_http_prompt_root_wrong(root, "versions",
                                          "\"versions\" must be 1 to %d.",
                                          PROMPT_LIMIT_RUN_VERSIONS);
    }

    for (one = given->first; one != NULL; one = one->next) {
        for (other = given->first; other != one; other = other->next) {
            if (prompt_json_equal(one, other)) {
                return ngx_http_prompt_root_wrong(root, "versions",
                           "\"versions\" must not name one twice.");
            }
        }
    }

    prompt_buf_init(&text, PROMPT_LIMIT_NAME);
    prompt_json_write(&text, given);

    make->nversions = (uint32_t) given->count;
    make->versions = text.status == PROMPT_BUF_OK
                     ? prompt_arena_copy(root->job->arena,
                                         prompt_buf_view(&text))
                     : prompt_str_absent;
    prompt_buf_free(&text);

    return make->versions.data != NULL
           || ngx_http_prompt_root_fail_nomem(root);
}


/* absent stays so */
static bool
ngx_http_prompt_run_cap(ngx_http_prompt_root_t *root, prompt_str_t *cap)
{
    prompt_price_t  usd;

    *cap = ngx_http_prompt_root_text(root, "costCapUsd");

    return cap->data == NULL || prompt_price_parse(*cap, &usd)
           || ngx_http_prompt_root_wrong(root, "costCapUsd",
                  "\"costCapUsd\" must be a plain decimal such as \"25\" or "
                  "\"0.50\", with at most 9 digits before the point and 12 "
                  "behind it.");
}


static void
ngx_http_prompt_create_run_seen(ngx_http_prompt_root_t *root)
{
    if (ngx_http_prompt_root_succeeded(root)
        && ngx_http_prompt_run_seen(root, &root->result->rows[0], root->data))
    {
        ngx_http_prompt_root_release(root);
        ngx_http_prompt_create_run_send(root);
    }
}


/* The versions are there; and have prices, where the cost is bounded. */
static bool
ngx_http_prompt_run_seen(ngx_http_prompt_root_t *root,
    const prompt_rows_t *rows, const prompt_run_make_t *make)
{
    int64_t               version;
    unsigned              row;
    gql_error_t          *error;
    prompt_str_t          id;
    prompt_outcome_t      outcome;
    const prompt_json_t  *one;

    id = ngx_http_prompt_root_text(root, "promptId");
    outcome = rows->count == 0 ? PROMPT_OUTCOME_NOT_FOUND
              : (prompt_outcome_t)
                prompt_cell_int(prompt_rows_cell(rows, 0, 0));

    if (!ngx_http_prompt_outcome_done(root, outcome, id)) {
        return false;
    }

    one = prompt_json_get(root->arguments, prompt_str("versions"))->first;

    for ( /* void */ ; one != NULL; one = one->next) {

        for (row = 0; row < rows->count; row++) {
            if (prompt_json_integer(one, &version)
                && prompt_cell_maybe(prompt_rows_cell(rows, row, 1)).value
                   == version)
            {
                break;
            }
        }

        if (row == rows->count) {
            error = ngx_http_prompt_no_number(root->job, one->text, id);
            error->field = prompt_str("versions");
            ngx_http_prompt_root_error(root, error);
            return false;
        }

        if (make->cap_usd.data != NULL
            && !ngx_http_prompt_run_priced(root, rows, row))
        {
            return false;
        }
    }

    return true;
}


static bool
ngx_http_prompt_run_priced(ngx_http_prompt_root_t *root,
    const prompt_rows_t *rows, unsigned row)
{
    prompt_fault_t        fault;
    prompt_json_error_t   error;
    const prompt_json_t  *params;

    params = prompt_json_read(root->job->arena, prompt_rows_cell(rows, row, 2),
                              PROMPT_LIMIT_DEPTH, &error);

    if (params == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    return ngx_http_prompt_passed(root,
               ngx_http_prompt_priced(root, params,
                          prompt_cell_bool(prompt_rows_cell(rows, row, 3)),
                          &fault),
               &fault);
}


static void
ngx_http_prompt_create_run_send(ngx_http_prompt_root_t *root)
{
    prompt_query_t     *query;
    prompt_run_make_t  *make;

    make = root->data;

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = make->dataset_id;
        ngx_http_prompt_root_send(root, prompt_run_make(query, make),
                                  ngx_http_prompt_create_run_done);
    }
}


static void
ngx_http_prompt_create_run_done(ngx_http_prompt_root_t *root)
{
    prompt_outcome_t    outcome;
    prompt_run_make_t  *make;

    if (ngx_http_prompt_outcome_anew(root)) {
        ngx_http_prompt_create_run_send(root);
        return;
    }

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    make = root->data;
    outcome = prompt_outcome_row(&root->result->rows[0]);

    if (outcome == PROMPT_OUTCOME_TOO_MANY) {
        ngx_http_prompt_root_wrong(root, "datasetId",
                                   "A run has 1 to %d cells: as many as the "
                                   "dataset has items, times versions, times "
                                   "repetitions.", PROMPT_LIMIT_RUN_CELLS);

    } else if (ngx_http_prompt_dataset_done(root, outcome,
                       ngx_http_prompt_root_text(root, "datasetId")))
    {
        ngx_http_prompt_run_changed(root, make->id);
    }
}


/* updateRun */
void
ngx_http_prompt_update_run(ngx_http_prompt_root_t *root)
{
    prompt_str_t     id, cap, caller;
    prompt_query_t  *query;

    if (!ngx_http_prompt_run_may(root, root->field->data)
        || !ngx_http_prompt_root_id(root, "id", "Run", &id)
        || !ngx_http_prompt_run_cap(root, &cap))
    {
        return;
    }

    if (cap.data == NULL) {
        ngx_http_prompt_root_wrong(root, "costCapUsd",
                                   "There is nothing to change: "
                                   "\"costCapUsd\" is not given.");
        return;
    }

    root->id = id;
    caller = ngx_http_prompt_caller(root);

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = id;
        ngx_http_prompt_root_send(root,
                                  prompt_run_update(query, id, caller, cap),
                                  ngx_http_prompt_change_run_done);
    }
}


/* cancelRun */
void
ngx_http_prompt_cancel_run(ngx_http_prompt_root_t *root)
{
    prompt_str_t     id, caller;
    prompt_query_t  *query;

    if (!ngx_http_prompt_run_may(root, root->field->data)
        || !ngx_http_prompt_root_id(root, "id", "Run", &id))
    {
        return;
    }

    root->id = id;
    caller = ngx_http_prompt_caller(root);

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = id;
        ngx_http_prompt_root_send(root,
                                  prompt_run_cancel(query, id, caller),
                                  ngx_http_prompt_change_run_done);
    }
}


static void
ngx_http_prompt_change_run_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t  id;

    id = ngx_http_prompt_root_text(root, "id");

    if (ngx_http_prompt_root_succeeded(root)
        && ngx_http_prompt_run_done(root,
                   prompt_outcome_row(&root->result->rows[0]), id))
    {
        ngx_http_prompt_run_changed(root, root->id);
    }
}
