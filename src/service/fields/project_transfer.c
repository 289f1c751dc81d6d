/*
 * transferPrompt: a prompt goes to another project.
 */

#include "service/fields/project_impl.h"

#include "service/tree/tree.h"
#include "service/upkeep/removal.h"
#include "service/worker/worker.h"
#include "store/sqlstate.h"


static void ngx_http_prompt_transfer_done(ngx_http_prompt_root_t *root);


/*
 * What is selected of it is read as of the other project, of which the caller
 * is a member, too.
 */
void
ngx_http_prompt_transfer(ngx_http_prompt_root_t *root)
{
    prompt_str_t     id, caller;
    prompt_uuid_t    audit;
    prompt_query_t  *query;
    prompt_range_t  *range;

    caller = ngx_http_prompt_caller(root);
    range = prompt_arena_zalloc(root->job->arena, sizeof(prompt_range_t));

    if (range == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    range->kind = PROMPT_RANGE_ID;
    range->own = true;

    if (!ngx_http_prompt_root_id(root, "id", "Prompt", &id)
        || !ngx_http_prompt_root_id(root, "projectId", "Project",
                                    &range->caller))
    {
        return;
    }

    if (prompt_str_eq(caller, range->caller)) {
        ngx_http_prompt_root_wrong(root, "projectId",
                                   "The prompt is in this project already.");
        return;
    }

    range->id = id;
    root->data = range;

    if (!ngx_http_prompt_root_begin(root, &query)) {
        return;
    }

    /* so many versions as there are change with it */

    query->locks = id;
    query->alone = true;

    ngx_http_prompt_tree_guard(root, range);

    if (ngx_http_prompt_root_bound(root,
                   ngx_http_prompt_worker_id(
                       ngx_http_prompt_get_worker(root->job->request), &audit)
                   && prompt_transfer(query, id, caller, range->caller,
                                      ngx_http_prompt_person(root),
                                      prompt_str_of((char *) audit.bytes,
                                                    PROMPT_UUID_LEN)))
        && ngx_http_prompt_tree_query(root, query, range, false, NULL))
    {
        ngx_http_prompt_root_send(root, true, ngx_http_prompt_transfer_done);
    }
}


static void
ngx_http_prompt_transfer_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t      state;
    prompt_range_t   *range = root->data;
    prompt_record_t   record;
    prompt_outcome_t  outcome;

    state = prompt_str_from(root->result->sqlstate);

    if (root->result->status == NGX_HTTP_PROMPT_POSTGRES_ERROR
        && prompt_sqlstate(state) == PROMPT_SQL_DUPLICATE)
    {
        ngx_http_prompt_root_wrong(root, "projectId",
                                   "The project has another prompt of that "
                                   "name.");
        return;
    }

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    outcome = prompt_outcome_row(&root->result->rows[0]);

    switch (outcome) {

    case PROMPT_OUTCOME_ELSEWHERE:
        ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                   prompt_str("projectId"),
                   "It takes an EDITOR of the other project, at least.");
        return;

    case PROMPT_OUTCOME_PROTECTED:
        ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                   prompt_str("projectId"),
                   "A label of the prompt is protected in the other project: "
                   "it takes an ADMIN there.");
        return;

    case PROMPT_OUTCOME_DONE:
        outcome = prompt_changed_row(&root->result->rows[1], &record);
        break;

    default:
        break;
    }

    if (!ngx_http_prompt_outcome_done(root, outcome,
                                      ngx_http_prompt_root_text(root, "id")))
    {
        return;
    }

    /* what it executed is noted in steps */

    ngx_http_prompt_removal_begin(
        ngx_http_prompt_get_worker(root->job->request), NULL);
    ngx_http_prompt_read_changed(root, range, PROMPT_TRANSFER_STATEMENTS,
                                 &record);
}
