/*
 * Changes of prompts but forks.  Each is one statement, and what is selected
 * of the changed prompt is read behind it in the same transaction.
 */

#include "service/prompt_change.h"

#include "service/arguments.h"
#include "service/input.h"
#include "service/removal.h"
#include "service/tree.h"
#include "service/worker.h"
#include "store/sqlstate.h"

static void ngx_http_prompt_update_done(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_delete_done(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_name_taken(ngx_http_prompt_operation_t *op);


/* createPrompt */

void
ngx_http_prompt_create(ngx_http_prompt_operation_t *op)
{
    prompt_query_t   *query;
    prompt_record_t   prompt;

    ngx_memzero(&prompt, sizeof(prompt_record_t));

    prompt.owner_id = ngx_http_prompt_caller(op);
    prompt.category = prompt_str("GENERAL");         /* also for null */

    if (!ngx_http_prompt_input_create(op, ngx_http_prompt_prompt_fields,
                                      "Prompt",
                                      prompt_json_get(op->arguments,
                                                      prompt_str("input")),
                                      &prompt)
        || !ngx_http_prompt_new_id(op, &prompt.id))
    {
        return;
    }

    if (ngx_http_prompt_operation_begin(op, &query)) {
        ngx_http_prompt_change_send(op, query, prompt_create(query, &prompt),
                                    prompt.id, ngx_http_prompt_changed_done);
    }
}


/* updatePrompt */

void
ngx_http_prompt_update(ngx_http_prompt_operation_t *op)
{
    uint32_t          given;
    prompt_str_t      id;
    prompt_query_t   *query;
    prompt_record_t   prompt;

    ngx_memzero(&prompt, sizeof(prompt_record_t));

    if (!ngx_http_prompt_argument_id(op, op->arguments, prompt_str("id"),
                                     "Prompt", &id)
        || !ngx_http_prompt_input_change(op, ngx_http_prompt_prompt_fields,
                                         "Prompt",
                                         prompt_json_get(op->arguments,
                                                         prompt_str("input")),
                                         &prompt, &given))
    {
        return;
    }

    if (ngx_http_prompt_operation_begin(op, &query)) {
        query->locks = id;
        ngx_http_prompt_change_send(op, query,
                             prompt_update(query, id,
                                           ngx_http_prompt_caller(op), given,
                                           &prompt),
                             id, ngx_http_prompt_update_done);
    }
}


static void
ngx_http_prompt_update_done(ngx_http_prompt_operation_t *op)
{
    prompt_str_t  state;

    state = prompt_str_from(op->result->sqlstate);

    if (op->result->status == NGX_HTTP_PROMPT_POSTGRES_ERROR
        && prompt_sqlstate(state) == PROMPT_SQL_DUPLICATE)
    {
        ngx_http_prompt_name_taken(op);
        return;
    }

    ngx_http_prompt_changed_done(op);
}


/* deletePrompt */

void
ngx_http_prompt_delete(ngx_http_prompt_operation_t *op)
{
    prompt_str_t     id;
    prompt_query_t  *query;

    if (!ngx_http_prompt_argument_id(op, op->arguments, prompt_str("id"),
                                     "Prompt", &id))
    {
        return;
    }

    if (ngx_http_prompt_operation_begin(op, &query)) {
        query->locks = id;
        ngx_http_prompt_operation_send(op,
                             prompt_delete(query, id,
                                           ngx_http_prompt_caller(op)),
                             ngx_http_prompt_delete_done);
    }
}


static void
ngx_http_prompt_delete_done(ngx_http_prompt_operation_t *op)
{
    prompt_str_t      id;
    prompt_removal_t  removal;

    id = ngx_http_prompt_argument_text(op->arguments, prompt_str("id"));

    if (!ngx_http_prompt_operation_succeeded(op)
        || !ngx_http_prompt_outcome_done(op,
                                  prompt_outcome_row(&op->result->rows[0]),
                                         id))
    {
        return;
    }

    if (prompt_removed_row(&op->result->rows[1], &removal)
        == PROMPT_REMOVED_SOME)
    {
        ngx_http_prompt_removal_begin(
            ngx_http_prompt_get_worker(op->job->request), &removal);
    }

    ngx_http_prompt_operation_true(op);
}


bool
ngx_http_prompt_change_read(ngx_http_prompt_operation_t *op,
    prompt_query_t *query, bool bound, prompt_str_t id)
{
    prompt_scope_t  scope;

    ngx_memzero(&scope, sizeof(prompt_scope_t));

    scope.kind = PROMPT_SCOPE_ID;
    scope.caller = ngx_http_prompt_caller(op);
    scope.id = id;

    ngx_http_prompt_tree_guard(op, &scope);

    return ngx_http_prompt_operation_bound(op, bound)
           && ngx_http_prompt_tree_query(op, query, &scope, false);
}


void
ngx_http_prompt_change_send(ngx_http_prompt_operation_t *op,
    prompt_query_t *query, bool bound, prompt_str_t id,
    ngx_http_prompt_operation_pt done)
{
    if (ngx_http_prompt_change_read(op, query, bound, id)) {
        ngx_http_prompt_operation_send(op, true, done);
    }
}


void
ngx_http_prompt_changed_done(ngx_http_prompt_operation_t *op)
{
    prompt_str_t      id;
    prompt_scope_t    scope;
    prompt_record_t   record;
    prompt_outcome_t  outcome;

    if (!ngx_http_prompt_operation_succeeded(op)) {
        return;
    }

    outcome = prompt_changed_row(&op->result->rows[0], &record);

    if (outcome == PROMPT_OUTCOME_NAME_TAKEN) {
        ngx_http_prompt_name_taken(op);
        return;
    }

    id = ngx_http_prompt_argument_text(op->arguments, prompt_str("id"));

    if (!ngx_http_prompt_outcome_done(op, outcome, id)) {
        return;
    }

    ngx_memzero(&scope, sizeof(prompt_scope_t));

    scope.kind = PROMPT_SCOPE_ID;
    scope.caller = ngx_http_prompt_caller(op);
    scope.id = record.id;

    ngx_http_prompt_tree_guard(op, &scope);
    ngx_http_prompt_read_changed(op, &scope, 1, &record);
}


static void
ngx_http_prompt_name_taken(ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_operation_fail(op, ngx_http_prompt_bad_user_input,
                                   prompt_str("name"),
                                   "You already have a prompt of that name.");
}
