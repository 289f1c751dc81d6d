/*
 * Changes of prompts but forks.  Each is one statement, and what is selected
 * of the changed prompt is read behind it in the same transaction.
 */

#include "service/fields/prompt_change.h"

#include "service/fields/fields.h"
#include "service/frame/arguments.h"
#include "service/frame/input.h"
#include "service/upkeep/removal.h"
#include "service/tree/tree.h"
#include "service/worker/worker.h"
#include "store/sqlstate.h"

static void ngx_http_prompt_create_send(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_create_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_update_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_delete_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_name_taken(ngx_http_prompt_root_t *root);


/* createPrompt */
void
ngx_http_prompt_create(ngx_http_prompt_root_t *root)
{
    prompt_record_t  *prompt;

    prompt = ngx_http_prompt_root_data(root, sizeof(prompt_record_t));
    if (prompt == NULL) {
        return;
    }

    prompt->owner_id = ngx_http_prompt_caller(root);
    prompt->category = prompt_str("GENERAL");        /* also for null */

    if (ngx_http_prompt_input_create(root, ngx_http_prompt_prompt_fields,
                                     "Prompt",
                                     prompt_json_get(root->arguments,
                                                     prompt_str("input")),
                                     prompt)
        && ngx_http_prompt_new_id(root, &prompt->id))
    {
        ngx_http_prompt_create_send(root);
    }
}


static void
ngx_http_prompt_create_send(ngx_http_prompt_root_t *root)
{
    prompt_query_t   *query;
    prompt_record_t  *prompt;

    prompt = root->data;

    if (ngx_http_prompt_root_begin(root, &query)) {
        ngx_http_prompt_change_send(root, query, prompt_create(query, prompt),
                                    prompt->id, ngx_http_prompt_create_done);
    }
}


static void
ngx_http_prompt_create_done(ngx_http_prompt_root_t *root)
{
    if (ngx_http_prompt_outcome_anew(root)) {
        ngx_http_prompt_create_send(root);

    } else {
        ngx_http_prompt_changed_done(root);
    }
}


/* updatePrompt */
void
ngx_http_prompt_update(ngx_http_prompt_root_t *root)
{
    prompt_str_t      id;
    prompt_mask_t     given;
    prompt_query_t   *query;
    prompt_record_t   prompt;

    ngx_memzero(&prompt, sizeof(prompt_record_t));

    if (!ngx_http_prompt_root_id(root, "id", "Prompt", &id)
        || !ngx_http_prompt_input_change(root, ngx_http_prompt_prompt_fields,
                                         "Prompt",
                                         prompt_json_get(root->arguments,
                                                         prompt_str("input")),
                                         &prompt, &given))
    {
        return;
    }

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = id;
        ngx_http_prompt_change_send(root, query,
                             prompt_update(query, id,
                                           ngx_http_prompt_caller(root), given,
                                           &prompt),
                             id, ngx_http_prompt_update_done);
    }
}


static void
ngx_http_prompt_update_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t  state;

    state = prompt_str_from(root->result->sqlstate);

    if (root->result->status == NGX_HTTP_PROMPT_POSTGRES_ERROR
        && prompt_sqlstate(state) == PROMPT_SQL_DUPLICATE)
    {
        ngx_http_prompt_name_taken(root);
        return;
    }

    if (root->result->status == NGX_HTTP_PROMPT_POSTGRES_OK
        && prompt_outcome_row(&root->result->rows[0])
           == PROMPT_OUTCOME_PROTECTED)
    {
        ngx_http_prompt_fail_protected(root,
                   prompt_update_label(&root->result->rows[0]));
        return;
    }

    ngx_http_prompt_changed_done(root);
}


/* deletePrompt */
void
ngx_http_prompt_delete(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_change_id(root, "Prompt", prompt_delete,
                              ngx_http_prompt_delete_done);
}


static void
ngx_http_prompt_delete_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t          id, label;
    prompt_outcome_t      outcome;
    prompt_removal_t      removal;
    const prompt_rows_t  *rows;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    rows = root->result->rows;
    id = ngx_http_prompt_root_text(root, "id");
    outcome = prompt_delete_row(rows, &label);

    if (outcome == PROMPT_OUTCOME_PROTECTED) {
        ngx_http_prompt_fail_protected(root, label);
        return;
    }

    if (!ngx_http_prompt_outcome_done(root, outcome, id)) {
        return;
    }

    if (prompt_removed_row(&rows[PROMPT_DELETE_REMOVED], &removal)
        == PROMPT_REMOVED_SOME)
    {
        ngx_http_prompt_removal_begin(
            ngx_http_prompt_get_worker(root->job->request), &removal);
    }

    ngx_http_prompt_root_true(root);
}


bool
ngx_http_prompt_change_read(ngx_http_prompt_root_t *root, prompt_query_t *query,
    bool bound, prompt_str_t id)
{
    prompt_range_t  range;

    ngx_memzero(&range, sizeof(prompt_range_t));

    range.kind = PROMPT_RANGE_ID;
    range.own = true;
    range.caller = ngx_http_prompt_caller(root);
    range.id = id;

    ngx_http_prompt_tree_guard(root, &range);

    return ngx_http_prompt_root_bound(root, bound)
           && ngx_http_prompt_tree_query(root, query, &range, false, NULL);
}


void
ngx_http_prompt_change_send(ngx_http_prompt_root_t *root, prompt_query_t *query,
    bool bound, prompt_str_t id, ngx_http_prompt_root_pt done)
{
    if (ngx_http_prompt_change_read(root, query, bound, id)) {
        ngx_http_prompt_root_send(root, true, done);
    }
}


void
ngx_http_prompt_changed_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t      id;
    prompt_range_t    range;
    prompt_record_t   record;
    prompt_outcome_t  outcome;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    outcome = prompt_changed_row(&root->result->rows[0], &record);

    if (outcome == PROMPT_OUTCOME_NAME_TAKEN) {
        ngx_http_prompt_name_taken(root);
        return;
    }

    id = ngx_http_prompt_root_text(root, "id");

    if (!ngx_http_prompt_outcome_done(root, outcome, id)) {
        return;
    }

    ngx_memzero(&range, sizeof(prompt_range_t));

    range.kind = PROMPT_RANGE_ID;
    range.own = true;
    range.caller = ngx_http_prompt_caller(root);
    range.id = record.id;

    ngx_http_prompt_tree_guard(root, &range);
    ngx_http_prompt_read_changed(root, &range, 1, &record);
}


static void
ngx_http_prompt_name_taken(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_root_wrong(root, "name",
                               "You already have a prompt with that name.");
}
