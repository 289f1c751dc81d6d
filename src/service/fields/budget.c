/*
 * Budgets: setBudget, removeBudget, and the fields of Budget.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "prompt/price.h"
#include "service/fields/budget.h"
#include "service/fields/fields.h"
#include "service/frame/arguments.h"
#include "service/frame/hook.h"
#include "service/keys/ending.h"
#include "service/worker/worker.h"


/* of the query: keys, budgets and people of the project are read where one of a
   key was set */
#define NGX_HTTP_PROMPT_BUDGET_SET     0
#define NGX_HTTP_PROMPT_BUDGET_HASHES  1
#define NGX_HTTP_PROMPT_BUDGET_KEYS    2
#define NGX_HTTP_PROMPT_BUDGET_LIST    3
#define NGX_HTTP_PROMPT_BUDGET_PEOPLE  4


/* a budget that is being set: caches say that there is none */
typedef struct {
    ngx_http_prompt_ending_t       ending;   /* first */
    ngx_http_prompt_people_t       people;
    ngx_http_prompt_budget_node_t  node;
} ngx_http_prompt_budget_set_t;


static void ngx_http_prompt_set_budget(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_budget_given(ngx_http_prompt_root_t *root,
    prompt_budget_t *budget) PROMPT_WARN_UNUSED;
static ngx_int_t ngx_http_prompt_budget_read(ngx_http_prompt_ending_t *ending,
    const prompt_rows_t *rows, prompt_str_t *hashes);
static ngx_int_t ngx_http_prompt_budget_key(ngx_http_prompt_budget_set_t *set,
    const prompt_rows_t *rows);
static void ngx_http_prompt_budget_ended(ngx_http_prompt_ending_t *ending,
    ngx_http_prompt_ended_e how,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_remove_budget(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_remove_budget_done(ngx_http_prompt_root_t *root);


#define column(member)                                                       \
    .resource = &prompt_budget_resource,                                     \
    .offset = offsetof(prompt_budget_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_budget_fields[] = {

    { .type = "Mutation", .name = "setBudget",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_set_budget },

    { .type = "Mutation", .name = "removeBudget",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .start = ngx_http_prompt_remove_budget },

    { .type = "Budget", .name = "id", column(id) },
    { .type = "Budget", .name = "key",
      .scope = PROMPT_KEY_SCOPE_KEYS,
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_budget_node_t, key) },
    { .type = "Budget", .name = "limitUsd", column(limit_usd) },
    { .type = "Budget", .name = "per", column(per) },
    { .type = "Budget", .name = "spentUsd", column(spent_usd) },
    { .type = "Budget", .name = "reservedUsd", column(reserved_usd) },
    { .type = "Budget", .name = "warnAtPercent", column(warn_at_percent) },
    { .type = "Budget", .name = "resetsAt", column(resets_at) },

    { .type = NULL }
};

#undef column


/*
 * setBudget: first the commit, then the caches, then the answer: what starts
 * afterwards reserves.
 */
static void
ngx_http_prompt_set_budget(ngx_http_prompt_root_t *root)
{
    bool                           bound;
    prompt_str_t                   caller;
    prompt_query_t                *query;
    prompt_budget_t                given;
    ngx_http_prompt_budget_set_t  *set;

    ngx_memzero(&given, sizeof(prompt_budget_t));

    if (!ngx_http_prompt_budget_given(root, &given)) {
        return;
    }

    set = (ngx_http_prompt_budget_set_t *)
        ngx_http_prompt_ending_create(
            ngx_http_prompt_get_worker(root->job->request),
            sizeof(ngx_http_prompt_budget_set_t), &query);

    if (set == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    set->ending.owner = root;
    set->ending.read = ngx_http_prompt_budget_read;
    set->ending.done = ngx_http_prompt_budget_ended;

    caller = ngx_http_prompt_caller(root);
    set->people.project = caller;
    query->actor = ngx_http_prompt_actor(root);

    bound = prompt_budget_set(query, caller, &given)
            && prompt_budget_hashes(query, caller)
            && (given.key_id.data == NULL
                || (prompt_api_key_list(query, caller, 0, prompt_str_absent)
                    && prompt_budget_list(query, caller)
                    && prompt_user_of_project(query, caller)))
            && ngx_http_prompt_hooks_send(root, query, prompt_str_absent);

    if (ngx_http_prompt_ending_send(&set->ending, query, bound) != NGX_OK) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    root->data = set;
    root->detach = ngx_http_prompt_ending_leave;
}


static bool
ngx_http_prompt_budget_given(ngx_http_prompt_root_t *root,
    prompt_budget_t *budget)
{
    prompt_price_t        limit;
    const prompt_json_t  *value;

    budget->per = ngx_http_prompt_root_text(root, "per");
    budget->limit_usd = ngx_http_prompt_root_text(root, "limitUsd");

    if (!prompt_price_parse(budget->limit_usd, &limit)) {
        return ngx_http_prompt_root_wrong(root, "limitUsd",
                   "\"limitUsd\" must be a plain decimal such as \"25\" or "
                   "\"0.50\", with at most 9 digits before the point and 12 "
                   "behind it.");
    }

    value = ngx_http_prompt_root_argument(root, "warnAtPercent");
    budget->warn_at_percent.known = value != NULL;

    if (value != NULL
        && (!prompt_json_integer(value, &budget->warn_at_percent.value)
            || budget->warn_at_percent.value < 1
            || budget->warn_at_percent.value > 100))
    {
        return ngx_http_prompt_root_wrong(root, "warnAtPercent",
                   "\"warnAtPercent\" must be from 1 to 100.");
    }

    return (ngx_http_prompt_root_argument(root, "keyId") == NULL
            || ngx_http_prompt_root_id(root, "keyId", "ApiKey",
                                       &budget->key_id))
           && ngx_http_prompt_new_id(root, &budget->id);
}


static ngx_int_t
ngx_http_prompt_budget_read(ngx_http_prompt_ending_t *ending,
    const prompt_rows_t *rows, prompt_str_t *hashes)
{
    char                          *p;
    unsigned                       row;
    prompt_str_t                   hash;
    const prompt_rows_t           *found;
    ngx_http_prompt_budget_set_t  *set;

    set = (ngx_http_prompt_budget_set_t *) ending;
    found = &rows[NGX_HTTP_PROMPT_BUDGET_HASHES];

    if (rows[NGX_HTTP_PROMPT_BUDGET_SET].count == 0) {
        return NGX_DECLINED;
    }

    prompt_budget_row(&rows[NGX_HTTP_PROMPT_BUDGET_SET], 0, &set->node.record);

    p = prompt_arena_alloc(ending->arena, (size_t) found->count
                                          * PROMPT_API_KEY_HASH_LEN + 1);

    if (p == NULL
        || (set->node.record.key_id.data != NULL
            && ngx_http_prompt_budget_key(set, rows) != NGX_OK))
    {
        return NGX_ERROR;
    }

    *hashes = prompt_str_of(p, 0);

    for (row = 0; row < found->count; row++) {
        hash = prompt_rows_cell(found, row, 0);

        if (hash.len == PROMPT_API_KEY_HASH_LEN) {
            ngx_memcpy(p + hashes->len, hash.data, PROMPT_API_KEY_HASH_LEN);
            hashes->len += PROMPT_API_KEY_HASH_LEN;
        }
    }

    return NGX_OK;
}


/* NGX_ERROR: memory */

static ngx_int_t
ngx_http_prompt_budget_key(ngx_http_prompt_budget_set_t *set,
    const prompt_rows_t *rows)
{
    unsigned                     row;
    const prompt_rows_t         *keys;
    ngx_http_prompt_list_t       list;
    ngx_http_prompt_key_node_t  *nodes;

    keys = &rows[NGX_HTTP_PROMPT_BUDGET_KEYS];

    nodes = prompt_arena_array(set->ending.arena, keys->count,
                               sizeof(ngx_http_prompt_key_node_t));
    if (nodes == NULL) {
        return NGX_ERROR;
    }

    set->people.rows = &rows[NGX_HTTP_PROMPT_BUDGET_PEOPLE];

    for (row = 0; row < keys->count; row++) {
        ngx_http_prompt_key_node(&nodes[row], &set->people, keys, row);

        if (prompt_str_eq(nodes[row].record.id, set->node.record.key_id)) {
            set->node.key = &nodes[row];
        }
    }

    return ngx_http_prompt_budgets_read(set->ending.arena,
                                        &rows[NGX_HTTP_PROMPT_BUDGET_LIST],
                                        nodes, keys->count, &list);
}


ngx_int_t
ngx_http_prompt_budgets_read(prompt_arena_t *arena, const prompt_rows_t *rows,
    ngx_http_prompt_key_node_t *keys, unsigned n, ngx_http_prompt_list_t *list)
{
    unsigned                        i, row;
    ngx_http_prompt_list_t         *its;
    ngx_http_prompt_budget_node_t  *nodes, *node;

    nodes = prompt_arena_array(arena, rows->count,
                               sizeof(ngx_http_prompt_budget_node_t));
    if (nodes == NULL) {
        return NGX_ERROR;
    }

    ngx_memzero(list, sizeof(ngx_http_prompt_list_t));

    for (row = 0; row < rows->count; row++) {
        node = &nodes[row];
        node->key = NULL;
        its = list;

        prompt_budget_row(rows, row, &node->record);

        for (i = 0; i < n && node->record.key_id.data != NULL; i++) {

            if (prompt_str_eq(keys[i].record.id, node->record.key_id)) {
                node->key = &keys[i];
                its = &keys[i].budgets;
                break;
            }
        }

        /* those of one key stand together */

        if (its->count++ == 0) {
            its->first = (char *) node;
            its->size = sizeof(ngx_http_prompt_budget_node_t);
        }
    }

    list->first = (char *) nodes;
    list->size = sizeof(ngx_http_prompt_budget_node_t);
    list->count = rows->count;

    return NGX_OK;
}


static void
ngx_http_prompt_budget_ended(ngx_http_prompt_ending_t *ending,
    ngx_http_prompt_ended_e how,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_job_t         *job;
    ngx_http_prompt_root_t        *root;
    ngx_http_prompt_budget_set_t  *set;

    set = (ngx_http_prompt_budget_set_t *) ending;
    root = ending->owner;
    job = root->job;

    switch (how) {

    case NGX_HTTP_PROMPT_ENDED:
        ngx_http_prompt_root_object(root, &set->node);
        break;

    case NGX_HTTP_PROMPT_ENDED_CACHED:
        ngx_http_prompt_root_broken(root,
                   "The budget was set, but the server ran out of memory "
                   "before it could tell the caches: set it again.");
        break;

    case NGX_HTTP_PROMPT_ENDED_NONE:
        root->result = result;

        if (ngx_http_prompt_root_succeeded(root)) {
            ngx_http_prompt_fail_not_found(root, "ApiKey",
                       ngx_http_prompt_root_text(root, "keyId"));
        }
    }

    ngx_http_prompt_job_resume(job);
}


/* removeBudget: that there was one the caches may go on to believe */
static void
ngx_http_prompt_remove_budget(ngx_http_prompt_root_t *root)
{
    prompt_str_t     id;
    prompt_query_t  *query;

    if (ngx_http_prompt_root_id(root, "id", "Budget", &id)
        && ngx_http_prompt_root_begin(root, &query))
    {
        ngx_http_prompt_root_send(root,
                             prompt_budget_remove(query, id,
                                                  ngx_http_prompt_caller(root)),
                             ngx_http_prompt_remove_budget_done);
    }
}


static void
ngx_http_prompt_remove_budget_done(ngx_http_prompt_root_t *root)
{
    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    if (root->result->rows[0].count == 0) {
        ngx_http_prompt_fail_not_found(root, "Budget",
                                       ngx_http_prompt_root_text(root, "id"));
        return;
    }

    ngx_http_prompt_root_true(root);
}
