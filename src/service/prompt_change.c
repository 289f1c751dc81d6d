/*
 * Changes of prompts but forks.  Each is one statement, and what is selected
 * of the changed prompt is read behind it in the same transaction.
 */

#include "service/prompt_change.h"

#include "prompt/text.h"
#include "service/arguments.h"
#include "service/removal.h"
#include "service/tree.h"
#include "service/worker.h"
#include "store/sqlstate.h"

static bool ngx_http_prompt_update_read(ngx_http_prompt_operation_t *op,
    prompt_change_t *change) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_update_done(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_delete_done(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_name_taken(ngx_http_prompt_operation_t *op);
static bool ngx_http_prompt_check_description(ngx_http_prompt_operation_t *op,
    prompt_str_t description) PROMPT_WARN_UNUSED;


/* createPrompt */

void
ngx_http_prompt_create(ngx_http_prompt_operation_t *op)
{
    prompt_new_t          prompt;
    prompt_query_t       *query;
    const prompt_json_t  *input, *is_public;

    input = prompt_json_get(op->arguments, prompt_str("input"));

    prompt.owner_id = ngx_http_prompt_caller(op);
    prompt.description = ngx_http_prompt_argument_text(input,
                                                   prompt_str("description"));
    prompt.category = ngx_http_prompt_argument_text(input,
                                                    prompt_str("category"));
    is_public = ngx_http_prompt_argument(input, prompt_str("isPublic"));
    prompt.is_public = is_public != NULL && is_public->boolean;

    if (prompt.category.data == NULL) {
        prompt.category = prompt_str("GENERAL");
    }

    if (!ngx_http_prompt_read_name(op,
                   ngx_http_prompt_argument_text(input, prompt_str("name")),
                   &prompt.name)
        || !ngx_http_prompt_check_description(op, prompt.description)
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
    prompt_str_t      id;
    prompt_query_t   *query;
    prompt_change_t   change;

    if (!ngx_http_prompt_argument_id(op, op->arguments, prompt_str("id"),
                                     "Prompt", &id)
        || !ngx_http_prompt_update_read(op, &change))
    {
        return;
    }

    if (ngx_http_prompt_operation_begin(op, &query)) {
        query->locks = id;
        ngx_http_prompt_change_send(op, query,
                             prompt_update(query, id,
                                           ngx_http_prompt_caller(op),
                                           &change),
                             id, ngx_http_prompt_update_done);
    }
}


static bool
ngx_http_prompt_update_read(ngx_http_prompt_operation_t *op,
    prompt_change_t *change)
{
    ngx_uint_t            i;
    prompt_str_t          name;
    const prompt_json_t  *input, *value;

    static const prompt_str_t  not_null[] = {
        prompt_str_init("name"),
        prompt_str_init("category"),
        prompt_str_init("isPublic")
    };

    ngx_memzero(change, sizeof(prompt_change_t));

    input = prompt_json_get(op->arguments, prompt_str("input"));

    for (i = 0; i < sizeof(not_null) / sizeof(not_null[0]); i++) {

        if (ngx_http_prompt_argument_is_null(input, not_null[i])) {
            ngx_http_prompt_operation_fail(op, ngx_http_prompt_bad_user_input,
                       not_null[i], "\"%.*s\" must not be null; leave it out "
                       "where it is to stay.", prompt_str_arg(not_null[i]));
            return false;
        }
    }

    name = ngx_http_prompt_argument_text(input, prompt_str("name"));

    if (name.data != NULL
        && !ngx_http_prompt_read_name(op, name, &change->name))
    {
        return false;
    }

    change->set_description =
        prompt_json_get(input, prompt_str("description")) != NULL;
    change->description =
        ngx_http_prompt_argument_text(input, prompt_str("description"));
    change->category = ngx_http_prompt_argument_text(input,
                                                     prompt_str("category"));

    value = ngx_http_prompt_argument(input, prompt_str("isPublic"));

    if (value != NULL) {
        change->is_public.known = true;
        change->is_public.value = value->boolean;
    }

    return ngx_http_prompt_check_description(op, change->description);
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
                                  prompt_delete_row(&op->result->rows[0]),
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


static bool
ngx_http_prompt_check_description(ngx_http_prompt_operation_t *op,
    prompt_str_t description)
{
    prompt_fault_t  fault;

    return description.data == NULL
           || ngx_http_prompt_passed(op,
                         prompt_text_characters(op->job->arena, description,
                                                prompt_str("description"),
                                                PROMPT_LIMIT_DESCRIPTION,
                                                &fault),
                         &fault);
}
