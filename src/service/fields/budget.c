/*
 * Budgets: setBudget, removeBudget, and the fields of Budget.
 */

#include "service/fields/fields.h"

#include "prompt/price.h"
#include "service/fields/budget_node.h"
#include "service/fields/root_ending.h"
#include "service/frame/arguments.h"


/* statements of the query that sets or removes one */
#define NGX_HTTP_PROMPT_BUDGET_SET     0
#define NGX_HTTP_PROMPT_BUDGET_HASHES  1
#define NGX_HTTP_PROMPT_BUDGET_LIST    2
#define NGX_HTTP_PROMPT_BUDGET_KEYS    3
#define NGX_HTTP_PROMPT_BUDGET_PEOPLE  4


/* a budget that is being set: caches say that there is none */
typedef struct {
    ngx_http_prompt_root_ending_t   own;     /* first */
    ngx_http_prompt_people_t        people;
    ngx_http_prompt_budget_node_t  *node;    /* NULL: removed meanwhile */
} ngx_http_prompt_budget_set_t;


static void ngx_http_prompt_set_budget(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_budget_given(ngx_http_prompt_root_t *root,
    prompt_budget_t *budget) PROMPT_WARN_UNUSED;
static ngx_int_t ngx_http_prompt_budget_read(ngx_http_prompt_ending_t *ending,
    const prompt_rows_t *rows, prompt_str_t *hashes);
static ngx_int_t ngx_http_prompt_budget_hashes(
    ngx_http_prompt_ending_t *ending, const prompt_rows_t *rows,
    prompt_str_t *hashes);
static ngx_int_t ngx_http_prompt_budget_find(ngx_http_prompt_budget_set_t *set,
    const prompt_rows_t *rows);
static void ngx_http_prompt_budget_part(ngx_http_prompt_part_t *part,
    const prompt_rows_t *all, unsigned row, unsigned from);
static prompt_str_t ngx_http_prompt_budget_cell(const prompt_rows_t *rows,
    unsigned row, unsigned column);
static void ngx_http_prompt_budget_was_set(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_budget_not_set(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_remove_budget(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_budget_not_removed(ngx_http_prompt_root_t *root);


#define NGX_HTTP_PROMPT_BUDGET_CACHED                                        \
    "The change was made, but the server ran out of memory before it could " \
    "tell the caches: do it again."

static const ngx_http_prompt_root_ending_kind_t  ngx_http_prompt_budget_make = {
    ngx_http_prompt_budget_read,
    ngx_http_prompt_budget_was_set,
    ngx_http_prompt_budget_not_set,
    NGX_HTTP_PROMPT_BUDGET_CACHED
};

static const ngx_http_prompt_root_ending_kind_t  ngx_http_prompt_budget_end = {
    ngx_http_prompt_budget_hashes,
    ngx_http_prompt_root_true,
    ngx_http_prompt_budget_not_removed,
    NGX_HTTP_PROMPT_BUDGET_CACHED
};


#define column(member)                                                       \
    .resource = &prompt_budget_resource,                                     \
    .offset = offsetof(prompt_budget_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_budget_fields[] = {

    { .type = "Mutation", .name = "setBudget",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .repeatable = true,
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

    set = ngx_http_prompt_root_ending_create(root,
                                         &ngx_http_prompt_budget_make,
                                         sizeof(ngx_http_prompt_budget_set_t),
                                         &query);
    if (set == NULL) {
        return;
    }

    caller = ngx_http_prompt_caller(root);
    bound = prompt_budget_set(query, caller, &given)
            && prompt_budget_hashes(query, caller)
            && prompt_budget_list(query, caller)
            && prompt_api_key_list(query, caller, 0, prompt_str_absent)
            && prompt_user_of_project(query, caller);

    ngx_http_prompt_root_ending_send(root, set, query, bound,
                                     prompt_str_absent);
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
    ngx_int_t  rc;

    rc = ngx_http_prompt_budget_hashes(ending, rows, hashes);

    return rc == NGX_OK
           ? ngx_http_prompt_budget_find((ngx_http_prompt_budget_set_t *)
                                         ending, rows)
           : rc;
}


static ngx_int_t
ngx_http_prompt_budget_hashes(ngx_http_prompt_ending_t *ending,
    const prompt_rows_t *rows, prompt_str_t *hashes)
{
    char                 *p;
    unsigned              row;
    prompt_str_t          hash;
    const prompt_rows_t  *found;

    if (rows[NGX_HTTP_PROMPT_BUDGET_SET].count == 0) {
        return NGX_DECLINED;
    }

    found = &rows[NGX_HTTP_PROMPT_BUDGET_HASHES];
    p = prompt_arena_alloc(ending->arena, (size_t) found->count
                                          * PROMPT_API_KEY_HASH_LEN + 1);
    if (p == NULL) {
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


/* The node of the budget that was set, among the others. */
static ngx_int_t
ngx_http_prompt_budget_find(ngx_http_prompt_budget_set_t *set,
    const prompt_rows_t *rows)
{
    unsigned                        row;
    prompt_str_t                    id;
    const prompt_rows_t            *keys;
    ngx_http_prompt_list_t          list;
    ngx_http_prompt_key_node_t     *nodes;
    ngx_http_prompt_budget_node_t  *node;

    id = prompt_rows_cell(&rows[NGX_HTTP_PROMPT_BUDGET_SET], 0, 0);
    keys = &rows[NGX_HTTP_PROMPT_BUDGET_KEYS];

    nodes = prompt_arena_array(set->own.ending.arena, keys->count,
                               sizeof(ngx_http_prompt_key_node_t));
    if (nodes == NULL) {
        return NGX_ERROR;
    }

    set->people.rows = &rows[NGX_HTTP_PROMPT_BUDGET_PEOPLE];

    for (row = 0; row < keys->count; row++) {
        ngx_http_prompt_key_node(&nodes[row], &set->people, keys, row);
    }

    if (ngx_http_prompt_budgets_read(set->own.ending.arena,
                                     &rows[NGX_HTTP_PROMPT_BUDGET_LIST], nodes,
                                     keys->count, &list)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    node = (ngx_http_prompt_budget_node_t *) (void *) list.first;

    for (row = 0; row < list.count; row++) {

        if (prompt_str_eq(node[row].record.id, id)) {
            set->node = &node[row];
        }
    }

    return NGX_OK;
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


void
ngx_http_prompt_budget_item(const prompt_rows_t *rows, unsigned row,
    ngx_http_prompt_project_budget_t *item)
{
    ngx_http_prompt_part_t             budget, key;
    ngx_http_prompt_project_budget_t  *before;

    ngx_memzero(item, sizeof(ngx_http_prompt_project_budget_t));

    ngx_http_prompt_budget_part(&budget, rows, row, 1);
    prompt_budget_row(&budget.rows, 0, &item->node.record);

    if (item->node.record.key_id.data == NULL) {
        return;
    }

    /* an item of another project may not have been read */

    before = row != 0 && prompt_str_eq(prompt_rows_cell(rows, row - 1, 0),
                                       prompt_rows_cell(rows, row, 0))
             ? item - 1 : NULL;

    if (before == NULL
        || !prompt_str_eq(before->node.record.key_id, item->node.record.key_id))
    {
        ngx_http_prompt_budget_part(&item->user, rows, row, budget.from
                       + prompt_columns_cells(&prompt_budget_resource));
        ngx_http_prompt_budget_part(&key, rows, row, item->user.from
                       + prompt_columns_cells(&prompt_user_resource));

        item->people.rows = &item->user.rows;
        item->node.key = &item->key;

        ngx_http_prompt_key_node(&item->key, &item->people, &key.rows, 0);

        item->key.budgets.first = (char *) item;
        item->key.budgets.size = sizeof(ngx_http_prompt_project_budget_t);

    } else {
        item->node.key = before->node.key;
    }

    item->node.key->budgets.count++;
}


static void
ngx_http_prompt_budget_part(ngx_http_prompt_part_t *part,
    const prompt_rows_t *all, unsigned row, unsigned from)
{
    part->rows.result = part;
    part->rows.first = 0;
    part->rows.count = 1;
    part->rows.cell = ngx_http_prompt_budget_cell;
    part->all = all;
    part->row = row;
    part->from = from;
}


static prompt_str_t
ngx_http_prompt_budget_cell(const prompt_rows_t *rows, unsigned row,
    unsigned column)
{
    const ngx_http_prompt_part_t  *part = rows->result;

    return prompt_rows_cell(part->all, part->row + row, part->from + column);
}


static void
ngx_http_prompt_budget_was_set(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_budget_set_t  *set = root->data;

    set->people.project = ngx_http_prompt_caller(root);

    if (set->node == NULL) {
        ngx_http_prompt_root_broken(root, "The budget was set, and removed by "
                                    "somebody else since.");
        return;
    }

    ngx_http_prompt_root_object(root, set->node);
}


static void
ngx_http_prompt_budget_not_set(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_fail_not_found(root, "ApiKey",
                                   ngx_http_prompt_root_text(root, "keyId"));
}


/* removeBudget: the same, or calls would go on to be asked for bounds */
static void
ngx_http_prompt_remove_budget(ngx_http_prompt_root_t *root)
{
    prompt_str_t                    id, caller;
    prompt_query_t                 *query;
    ngx_http_prompt_root_ending_t  *ending;

    if (!ngx_http_prompt_root_id(root, "id", "Budget", &id)) {
        return;
    }

    ending = ngx_http_prompt_root_ending_create(root,
                                         &ngx_http_prompt_budget_end,
                                         sizeof(ngx_http_prompt_root_ending_t),
                                         &query);
    if (ending != NULL) {
        caller = ngx_http_prompt_caller(root);

        ngx_http_prompt_root_ending_send(root, ending, query,
                                         prompt_budget_remove(query, id, caller)
                                         && prompt_budget_hashes(query, caller),
                                         prompt_str_absent);
    }
}


static void
ngx_http_prompt_budget_not_removed(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_fail_not_found(root, "Budget",
                                   ngx_http_prompt_root_text(root, "id"));
}
