/*
 * API keys: apiKeys, createApiKey, deleteApiKey, and the fields of ApiKey and
 * CreatedApiKey.
 */

#include "service/fields/fields.h"

#include "base/random.h"
#include "prompt/key.h"
#include "prompt/text.h"
#include "service/fields/budget_node.h"
#include "service/fields/root_ending.h"
#include "service/frame/arguments.h"
#include "service/frame/input.h"
#include "service/tree/people.h"
#include "service/tree/tree.h"
#include "service/worker/worker.h"


#define NGX_HTTP_PROMPT_KEYS_PAGE  100


/* a key that is being created */
typedef struct {
    char                        key[PROMPT_KEY_LEN];
    prompt_str_t                text;    /* of the key */
    char                        hint[PROMPT_KEY_HINT_LEN];
    uint8_t                     hash[PROMPT_KEY_HASH_LEN];
    prompt_api_key_t            row;
    ngx_http_prompt_people_t    people;
    ngx_http_prompt_key_node_t  node;
} ngx_http_prompt_new_key_t;


/* which sets come behind that of the keys */
typedef struct {
    bool  people;
    bool  budgets;
} ngx_http_prompt_keys_with_t;


static bool ngx_http_prompt_api_keys_compile(gql_plan_t *plan,
    gql_plan_field_t *field);
static void ngx_http_prompt_api_keys(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_api_keys_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_create_key(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_create_key_read(ngx_http_prompt_root_t *root,
    prompt_api_key_t *row) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_read_scopes(ngx_http_prompt_root_t *root,
    const prompt_json_t *scopes, unsigned *bits) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_read_expiry(ngx_http_prompt_root_t *root,
    const prompt_json_t *value, prompt_maybe_t *expires_at) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_read_moment(ngx_http_prompt_root_t *root,
    const prompt_json_t *value, prompt_maybe_t *expires_at) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_create_key_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_delete_key(ngx_http_prompt_root_t *root);
static ngx_int_t ngx_http_prompt_key_read(ngx_http_prompt_ending_t *ending,
    const prompt_rows_t *rows, prompt_str_t *hashes);
static void ngx_http_prompt_key_not_deleted(ngx_http_prompt_root_t *root);


static const ngx_http_prompt_root_ending_kind_t  ngx_http_prompt_key_deleted = {
    ngx_http_prompt_key_read,
    ngx_http_prompt_root_true,
    ngx_http_prompt_key_not_deleted,
    "The key was deleted, but the server ran out of memory before it could "
    "remove it from the caches: delete it again."
};


#define column(member)                                                       \
    .resource = &prompt_api_key_resource,                                    \
    .offset = offsetof(prompt_api_key_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_api_key_fields[] = {

    { .type = "Query", .name = "apiKeys",
      .scope = PROMPT_KEY_SCOPE_KEYS,
      .compile = ngx_http_prompt_api_keys_compile,
      .start = ngx_http_prompt_api_keys },

    { .type = "Mutation", .name = "createApiKey",
      .scope = PROMPT_KEY_SCOPE_KEYS,
      .compile = ngx_http_prompt_compile_people,
      .start = ngx_http_prompt_create_key },

    { .type = "Mutation", .name = "deleteApiKey",
      .scope = PROMPT_KEY_SCOPE_KEYS,
      .repeatable = true,
      .start = ngx_http_prompt_delete_key },

    { .type = "ApiKey", .name = "id", column(id) },
    { .type = "ApiKey", .name = "name", column(name),
      .check = ngx_http_prompt_check_label, .most = PROMPT_LIMIT_KEY_NAME },
    { .type = "ApiKey", .name = "hint", column(hint) },

    { .type = "ApiKey", .name = "scopes",
      .resolve = ngx_http_prompt_slot_list,
      .offset = offsetof(ngx_http_prompt_key_node_t, scopes) },

    { .type = "ApiKey", .name = "createdAt", column(created_at) },
    { .type = "ApiKey", .name = "createdBy",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_person,
      .offset = offsetof(ngx_http_prompt_key_node_t, by) },
    { .type = "ApiKey", .name = "parentId", column(parent_id) },
    { .type = "ApiKey", .name = "expiresAt", column(expires_at) },
    { .type = "ApiKey", .name = "lastUsedAt", column(last_used_at) },

    { .type = "ApiKey", .name = "budgets",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_list,
      .offset = offsetof(ngx_http_prompt_key_node_t, budgets) },

    { .type = "CreatedApiKey", .name = "key",
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(ngx_http_prompt_new_key_t, text) },

    { .type = "CreatedApiKey", .name = "apiKey",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_object,
      .offset = offsetof(ngx_http_prompt_new_key_t, node) },

    { .type = NULL }
};


/* data: what is selected beside them */
static bool
ngx_http_prompt_api_keys_compile(gql_plan_t *plan, gql_plan_field_t *field)
{
    ngx_http_prompt_keys_with_t  *with;

    with = prompt_arena_alloc(plan->arena, sizeof(ngx_http_prompt_keys_with_t));

    if (with == NULL || !ngx_http_prompt_compile_people(plan, field)) {
        return false;
    }

    with->people = field->data != NULL;
    with->budgets = field->nselections != 0
                    && ngx_http_prompt_selects(field->selections[0], "budgets");
    field->data = with;

    return true;
}


/* apiKeys */
static void
ngx_http_prompt_api_keys(ngx_http_prompt_root_t *root)
{
    bool             bound;
    uint32_t         first;
    prompt_str_t     after, caller;
    prompt_query_t  *query;

    const ngx_http_prompt_keys_with_t  *with;

    caller = ngx_http_prompt_caller(root);

    if (ngx_http_prompt_argument_page(root, root->arguments, "ApiKey",
                                      NGX_HTTP_PROMPT_KEYS_PAGE, &first,
                                      &after)
        && ngx_http_prompt_root_begin(root, &query))
    {
        with = root->field->data;
        bound = prompt_api_key_list(query, caller, first, after)
                && (!with->people || prompt_user_of_project(query, caller))
                && (!with->budgets || prompt_budget_list(query, caller));

        ngx_http_prompt_root_send(root, bound, ngx_http_prompt_api_keys_done);
    }
}


static void
ngx_http_prompt_api_keys_done(ngx_http_prompt_root_t *root)
{
    unsigned                     row;
    gql_result_t                 result;
    const prompt_rows_t         *rows;
    ngx_http_prompt_list_t       list;
    ngx_http_prompt_people_t     people;
    ngx_http_prompt_key_node_t  *nodes;

    const ngx_http_prompt_keys_with_t  *with;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    rows = &root->result->rows[0];

    nodes = prompt_arena_array(root->job->arena, rows->count,
                               sizeof(ngx_http_prompt_key_node_t));
    if (nodes == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    ngx_http_prompt_people_init(&people, root, 1);

    for (row = 0; row < rows->count; row++) {
        ngx_http_prompt_key_node(&nodes[row], &people, rows, row);
    }

    with = root->field->data;

    if (with->budgets
        && ngx_http_prompt_budgets_read(root->job->arena,
                                        &rows[1 + with->people], nodes,
                                        rows->count, &list)
           != NGX_OK)
    {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    ngx_memzero(&list, sizeof(ngx_http_prompt_list_t));

    list.first = (char *) nodes;
    list.size = sizeof(ngx_http_prompt_key_node_t);
    list.count = rows->count;

    ngx_http_prompt_result_list(&list, &result);
    ngx_http_prompt_root_complete(root, &result);
}


/* createApiKey */
static void
ngx_http_prompt_create_key(ngx_http_prompt_root_t *root)
{
    bool                        bound;
    uint8_t                     random[PROMPT_KEY_RANDOM_LEN];
    prompt_query_t             *query;
    ngx_http_prompt_new_key_t  *new;

    new = prompt_arena_zalloc(root->job->arena,
                              sizeof(ngx_http_prompt_new_key_t));

    if (new == NULL || !prompt_random(random, sizeof(random))) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    root->data = new;

    prompt_key_make(random, PROMPT_KEY, new->key);
    new->text = prompt_str_of(new->key, PROMPT_KEY_LEN);
    prompt_key_hash(new->text, new->hash);
    prompt_key_hint(new->text, new->hint);

    new->row.user_id = ngx_http_prompt_person(root);
    new->row.project_id = ngx_http_prompt_caller(root);
    new->row.hash = prompt_str_of((char *) new->hash, PROMPT_KEY_HASH_LEN);
    new->row.hint = prompt_str_of(new->hint, PROMPT_KEY_HINT_LEN);

    if (!ngx_http_prompt_create_key_read(root, &new->row)
        || !ngx_http_prompt_new_id(root, &new->row.id))
    {
        return;
    }

    if (ngx_http_prompt_root_begin(root, &query)) {
        bound = prompt_api_key_create(query, &new->row)
                && (root->field->data == NULL
                    || prompt_user_by_id(query, new->row.user_id));

        ngx_http_prompt_root_send(root, bound, ngx_http_prompt_create_key_done);
    }
}


static bool
ngx_http_prompt_create_key_read(ngx_http_prompt_root_t *root,
    prompt_api_key_t *row)
{
    prompt_fault_t        fault;
    const prompt_json_t  *input;

    input = prompt_json_get(root->arguments, prompt_str("input"));
    row->name = ngx_http_prompt_argument_text(input, prompt_str("name"));

    return ngx_http_prompt_passed(root,
                   prompt_text_label(root->job->arena, row->name,
                                     prompt_str("name"), PROMPT_LIMIT_KEY_NAME,
                                     &fault),
                   &fault)
           && ngx_http_prompt_read_scopes(root,
                   ngx_http_prompt_argument(input, prompt_str("scopes")),
                   &row->scopes)
           && ngx_http_prompt_read_expiry(root,
                   ngx_http_prompt_argument(input, prompt_str("expiresAt")),
                   &row->expires_at);
}


/*
 * A key can hand on no more than it may itself: the new key of a limited one
 * is limited too.  Who has signed in may give all that a key can have.
 */
static bool
ngx_http_prompt_read_scopes(ngx_http_prompt_root_t *root,
    const prompt_json_t *scopes, unsigned *bits)
{
    unsigned              own, bit;
    prompt_fault_t        fault;
    const prompt_json_t  *value;

    *bits = 0;

    if (scopes != NULL && scopes->first == NULL) {
        return ngx_http_prompt_root_wrong(root, "scopes",
                   "\"scopes\" must not be empty: leave it out for a key that "
                   "may do everything.");
    }

    for (value = scopes != NULL ? scopes->first : NULL;
         value != NULL;
         value = value->next)
    {
        bit = prompt_key_scope(value->text);

        if (bit == 0) {
            return ngx_http_prompt_passed(root,
                       prompt_fault_set(root->job->arena, &fault,
                                        prompt_str("scopes"),
                                        "\"scopes\" can contain \"read\", "
                                        "\"write\", \"execute\", \"keys\", "
                                        "\"admin\" and \"promote\"."),
                       &fault);
        }

        *bits |= bit;
    }

    own = root->job->identity.scopes;

    if (own != 0 && (own & PROMPT_KEY_SCOPE_SESSION) == 0
        && (*bits == 0 || (*bits & ~own) != 0))
    {
        return ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                   prompt_str("scopes"),
                   "An API key that is limited to scopes can only create keys "
                   "with some of them.");
    }

    return true;
}


/*
 * Nor does a key that expires hand on more time than it has: what was given no
 * end ends with it.  A session does not count for that.
 */
static bool
ngx_http_prompt_read_expiry(ngx_http_prompt_root_t *root,
    const prompt_json_t *value, prompt_maybe_t *expires_at)
{
    int64_t  own;

    own = root->job->identity.expires_at;

    if (value != NULL && !ngx_http_prompt_read_moment(root, value,
                                                      expires_at)) {
        return false;
    }

    if (own == 0
        || (root->job->identity.scopes & PROMPT_KEY_SCOPE_SESSION) != 0)
    {
        return true;
    }

    /* in whole milliseconds, as the key's own is known, up */

    if (!expires_at->known) {
        expires_at->known = true;
        expires_at->value = own * 1000;
    }

    if ((expires_at->value - 1) / 1000 >= own) {
        return ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                                         prompt_str("expiresAt"),
                                         "An API key that expires can only "
                                         "create keys that expire no later.");
    }

    return true;
}


static bool
ngx_http_prompt_read_moment(ngx_http_prompt_root_t *root,
    const prompt_json_t *value, prompt_maybe_t *expires_at)
{
    if (!ngx_http_prompt_value_time(root, value, prompt_str("expiresAt"),
                                    expires_at))
    {
        return false;
    }

    if (expires_at->value <= ngx_http_prompt_now_ms() * 1000) {
        return ngx_http_prompt_root_wrong(root, "expiresAt",
                   "\"expiresAt\" must be in the future.");
    }

    return true;
}


static void
ngx_http_prompt_create_key_done(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_new_key_t  *new = root->data;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    if (root->result->rows[0].count == 0) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                                  prompt_str_absent,
                                  "This API key cannot be made any more: your "
                                  "account, your membership or the key that "
                                  "this request came with has ended.");
        return;
    }

    if (prompt_rows_cell(&root->result->rows[0], 0, 0).data == NULL) {
        (void) ngx_http_prompt_fail_quota(root, "keys");
        return;
    }

    root->job->unkept = 1;

    ngx_http_prompt_people_init(&new->people, root, 1);
    ngx_http_prompt_key_node(&new->node, &new->people, &root->result->rows[0],
                             0);
    ngx_http_prompt_root_object(root, new);
}


/* deleteApiKey */
static void
ngx_http_prompt_delete_key(ngx_http_prompt_root_t *root)
{
    prompt_str_t                    id, caller;
    prompt_query_t                 *query;
    ngx_http_prompt_root_ending_t  *ending;

    if (!ngx_http_prompt_root_id(root, "id", "ApiKey", &id)) {
        return;
    }

    ending = ngx_http_prompt_root_ending_create(root,
                                         &ngx_http_prompt_key_deleted,
                                         sizeof(ngx_http_prompt_root_ending_t),
                                         &query);
    if (ending != NULL) {
        caller = ngx_http_prompt_caller(root);
        query->owner = caller;

        ngx_http_prompt_root_ending_send(root, ending, query,
                                         prompt_api_key_delete(query, id,
                                                               caller),
                                         id);
    }
}


static ngx_int_t
ngx_http_prompt_key_read(ngx_http_prompt_ending_t *ending,
    const prompt_rows_t *rows, prompt_str_t *hashes)
{
    if (prompt_api_key_delete_row(rows) != PROMPT_OUTCOME_DONE) {
        return NGX_DECLINED;
    }

    *hashes = prompt_api_key_hashes(rows, ending->arena);

    return hashes->data != NULL ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_prompt_key_not_deleted(ngx_http_prompt_root_t *root)
{
    if (prompt_api_key_delete_row(root->result->rows)
        == PROMPT_OUTCOME_FORBIDDEN)
    {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                                  prompt_str_absent,
                                  "Your role in this project allows you to "
                                  "delete keys of your own making; others take "
                                  "an ADMIN.");
        return;
    }

    ngx_http_prompt_fail_not_found(root, "ApiKey",
                                   ngx_http_prompt_root_text(root, "id"));
}


void
ngx_http_prompt_key_node(ngx_http_prompt_key_node_t *node,
    ngx_http_prompt_people_t *people, const prompt_rows_t *rows, unsigned row)
{
    const prompt_key_scope_t  *scope;

    prompt_api_key_row(rows, row, &node->record);

    ngx_memzero(&node->scopes, sizeof(ngx_http_prompt_list_t));
    ngx_memzero(&node->budgets, sizeof(ngx_http_prompt_list_t));

    node->by.people = people;
    node->by.id = &node->record.user_id;

    node->scopes.first = (char *) node->scope_names;
    node->scopes.size = sizeof(prompt_str_t);
    node->scopes.strings = 1;

    for (scope = prompt_key_scopes; scope->bit != 0; scope++) {

        if (node->record.scopes & scope->bit) {
            node->scope_names[node->scopes.count++] = scope->name;
        }
    }
}
