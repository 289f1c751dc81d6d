/*
 * Changes of prompts.  Each is one statement, and what is selected of the
 * changed prompt is read behind it in the same transaction.
 */

#include "service/prompt_change.h"

#include "base/random.h"
#include "prompt/text.h"
#include "service/arguments.h"
#include "service/tree.h"
#include "store/sqlstate.h"


/* how often a fork tries another suffix where its name is taken */
#define NGX_HTTP_PROMPT_FORK_TRIES  8


/* a fork, between its tries */
typedef struct {
    prompt_str_t  id;                /* of the original, 16 bytes */
    ngx_uint_t    tries;
} ngx_http_prompt_fork_t;


static bool ngx_http_prompt_update_read(ngx_http_prompt_operation_t *op,
    prompt_change_t *change);
static void ngx_http_prompt_update_done(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_fork_try(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_fork_done(ngx_http_prompt_operation_t *op);
static bool ngx_http_prompt_fork_suffix(char out[PROMPT_FORK_SUFFIX_LEN]);
static void ngx_http_prompt_delete_done(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_change_send(ngx_http_prompt_operation_t *op,
    prompt_query_t *query, bool bound, prompt_str_t id,
    ngx_http_prompt_operation_pt done);
static void ngx_http_prompt_changed_done(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_name_taken(ngx_http_prompt_operation_t *op);
static bool ngx_http_prompt_check_description(ngx_http_prompt_operation_t *op,
    prompt_str_t description);


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

    query = ngx_http_prompt_operation_begin(op);

    if (query != NULL) {
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

    query = ngx_http_prompt_operation_begin(op);

    if (query != NULL) {
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


/* forkPrompt */

void
ngx_http_prompt_fork(ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_fork_t  *fork;

    fork = prompt_arena_zalloc(op->job->arena, sizeof(ngx_http_prompt_fork_t));
    if (fork == NULL) {
        ngx_http_prompt_operation_fail_nomem(op);
        return;
    }

    op->data = fork;

    if (ngx_http_prompt_argument_id(op, op->arguments, prompt_str("id"),
                                    "Prompt", &fork->id))
    {
        ngx_http_prompt_fork_try(op);
    }
}


static void
ngx_http_prompt_fork_try(ngx_http_prompt_operation_t *op)
{
    char                     suffix[PROMPT_FORK_SUFFIX_LEN];
    prompt_str_t             id;
    prompt_query_t          *query;
    ngx_http_prompt_fork_t  *fork;

    fork = op->data;
    fork->tries++;

    if (!ngx_http_prompt_new_id(op, &id)) {
        return;
    }

    if (!ngx_http_prompt_fork_suffix(suffix)) {
        ngx_http_prompt_operation_fail_nomem(op);
        return;
    }

    query = ngx_http_prompt_operation_begin(op);

    if (query != NULL) {
        ngx_http_prompt_change_send(op, query,
                        prompt_fork(query, fork->id,
                                    ngx_http_prompt_caller(op), id,
                                    prompt_str_of(suffix, sizeof(suffix))),
                        id, ngx_http_prompt_fork_done);
    }
}


static void
ngx_http_prompt_fork_done(ngx_http_prompt_operation_t *op)
{
    prompt_record_t          record;
    ngx_http_prompt_fork_t  *fork;

    fork = op->data;

    if (op->result->status == NGX_HTTP_PROMPT_POSTGRES_OK
        && prompt_changed_row(&op->result->rows[0], &record)
           == PROMPT_OUTCOME_NAME_TAKEN
        && fork->tries < NGX_HTTP_PROMPT_FORK_TRIES)
    {
        ngx_http_prompt_fork_try(op);
        return;
    }

    ngx_http_prompt_changed_done(op);
}


/* six of [a-z0-9]; a byte of 252 and more would prefer some of them */

static bool
ngx_http_prompt_fork_suffix(char out[PROMPT_FORK_SUFFIX_LEN])
{
    uint8_t     random[64];
    ngx_uint_t  i, n;

    static const char  digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";

    if (!prompt_random(random, sizeof(random))) {
        return false;
    }

    n = 0;

    for (i = 0; i < sizeof(random) && n < PROMPT_FORK_SUFFIX_LEN; i++) {
        if (random[i] < 252) {
            out[n++] = digits[random[i] % 36];
        }
    }

    return n == PROMPT_FORK_SUFFIX_LEN;
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

    query = ngx_http_prompt_operation_begin(op);

    if (query != NULL) {
        ngx_http_prompt_operation_send(op, query,
                             prompt_delete(query, id,
                                           ngx_http_prompt_caller(op)),
                             0, ngx_http_prompt_delete_done);
    }
}


static void
ngx_http_prompt_delete_done(ngx_http_prompt_operation_t *op)
{
    prompt_str_t  id;

    id = ngx_http_prompt_argument_text(op->arguments, prompt_str("id"));

    if (ngx_http_prompt_operation_succeeded(op)
        && ngx_http_prompt_outcome_done(op,
                                  prompt_delete_row(&op->result->rows[0]),
                                        id))
    {
        ngx_http_prompt_operation_true(op);
    }
}


/*
 * What a changed prompt is selected with is read in the same transaction,
 * after the change.
 */

static void
ngx_http_prompt_change_send(ngx_http_prompt_operation_t *op,
    prompt_query_t *query, bool bound, prompt_str_t id,
    ngx_http_prompt_operation_pt done)
{
    ngx_int_t       rc;
    prompt_scope_t  scope;

    rc = NGX_ERROR;

    if (bound) {
        ngx_memzero(&scope, sizeof(prompt_scope_t));

        scope.kind = PROMPT_SCOPE_ID;
        scope.caller = ngx_http_prompt_caller(op);
        scope.id = id;

        ngx_http_prompt_tree_guard(op, &scope);

        rc = ngx_http_prompt_tree_query(op, query, &scope, false);

        if (rc == NGX_DECLINED) {
            prompt_query_destroy(query);
            return;
        }
    }

    ngx_http_prompt_operation_send(op, query, rc == NGX_OK, 0, done);
}


static void
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
