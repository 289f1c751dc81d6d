/*
 * Items of datasets: addDatasetItems, addExecutionToDataset,
 * removeDatasetItems, and the fields of DatasetItem.
 *
 * Items that are given are checked in steps and become rows of JSON; faults are
 * gathered, so that one answer tells many.
 */

#include "service/fields/dataset_impl.h"

#include "prompt/text.h"
#include "service/fields/room.h"
#include "service/frame/input.h"
#include "service/tree/tree.h"


/* a step of checking: bytes written, items looked at */
#define NGX_HTTP_PROMPT_ITEMS_STEP    (256 * 1024)
#define NGX_HTTP_PROMPT_ITEMS_LOOK    200

/* bytes of the list: with names and ids it is longer than what was given */
#define NGX_HTTP_PROMPT_ITEMS_MEMORY  (18 * 1024 * 1024)

/* faults that are told */
#define NGX_HTTP_PROMPT_ITEMS_FAULTS  20


/* lives in the request's pool, its list until PostgreSQL has answered */
typedef struct {
    ngx_http_prompt_list_t   list;       /* of what was added */
    prompt_dataset_add_t     add;
    const prompt_json_t     *item;       /* to be looked at next */
    prompt_dataset_item_t   *records;
} ngx_http_prompt_items_t;


static void ngx_http_prompt_add_items(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_items_free(void *data);
static void ngx_http_prompt_items_reserve(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_items_step(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_items_one(ngx_http_prompt_root_t *root,
    ngx_http_prompt_items_t *items) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_items_send(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_items_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_items_release(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_add_execution(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_add_execution_send(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_add_execution_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_add_execution_not(ngx_http_prompt_root_t *root,
    bool recorded);
static void ngx_http_prompt_remove_items(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_remove_items_done(ngx_http_prompt_root_t *root);
static ngx_http_prompt_check_t  ngx_http_prompt_check_input;


#define column(member)                                                       \
    .resource = &prompt_dataset_item_resource,                               \
    .offset = offsetof(prompt_dataset_item_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_dataset_item_fields[] = {

    { .type = "Mutation", .name = "addDatasetItems",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_add_items },

    { .type = "Mutation", .name = "addExecutionToDataset",
      .scope = PROMPT_KEY_SCOPE_READ|PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_add_execution },

    { .type = "Mutation", .name = "removeDatasetItems",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .start = ngx_http_prompt_remove_items },

    { .type = "DatasetItem", .name = "id", column(id) },
    { .type = "DatasetItem", .name = "input", column(input),
      .check = ngx_http_prompt_check_input, .most = PROMPT_LIMIT_RENDERED },
    { .type = "DatasetItem", .name = "expected", column(expected),
      .check = ngx_http_prompt_check_json, .most = PROMPT_LIMIT_OUTPUT },
    { .type = "DatasetItem", .name = "metadata", column(metadata),
      .check = ngx_http_prompt_check_json, .most = PROMPT_LIMIT_METADATA_JSON },
    { .type = "DatasetItem", .name = "executionId", column(execution_id) },

    { .type = NULL }
};

#undef column


/* addDatasetItems */
static void
ngx_http_prompt_add_items(ngx_http_prompt_root_t *root)
{
    ngx_pool_cleanup_t       *cln;
    const prompt_json_t      *given;
    ngx_http_prompt_items_t  *items;

    given = prompt_json_get(root->arguments, prompt_str("items"));

    cln = ngx_pool_cleanup_add(root->job->request->pool,
                               sizeof(ngx_http_prompt_items_t));
    if (cln == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    items = cln->data;
    cln->handler = ngx_http_prompt_items_free;

    ngx_memzero(items, sizeof(ngx_http_prompt_items_t));
    prompt_buf_init(&items->add.list, NGX_HTTP_PROMPT_ITEMS_MEMORY);

    items->item = given->first;
    items->add.most = PROMPT_LIMIT_ITEMS;
    items->add.project_id = ngx_http_prompt_caller(root);

    if (!ngx_http_prompt_root_id(root, "datasetId", "Dataset",
                                 &items->add.dataset_id))
    {
        return;
    }

    if (given->count == 0 || given->count > PROMPT_LIMIT_ITEMS_CALL) {
        ngx_http_prompt_root_wrong(root, "items",
                                   "\"items\" must be 1 to %d.",
                                   PROMPT_LIMIT_ITEMS_CALL);
        return;
    }

    items->records = prompt_arena_zalloc(root->job->arena,
                              given->count * sizeof(prompt_dataset_item_t));
    root->faults = prompt_json_new(root->job->arena, PROMPT_JSON_ARRAY);

    if (items->records == NULL || root->faults == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    ngx_http_prompt_read_other(root, items, false,
                               ngx_http_prompt_items_reserve);
}


/* The request ends; when there is an answer nothing is left. */
static void
ngx_http_prompt_items_free(void *data)
{
    ngx_http_prompt_items_t  *items = data;

    prompt_buf_free(&items->add.list);
}


static void
ngx_http_prompt_items_reserve(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_room_wait(root, ngx_http_prompt_items_step);
}


static void
ngx_http_prompt_items_step(ngx_http_prompt_root_t *root)
{
    size_t                    begin, faults;
    ngx_uint_t                i;
    ngx_http_prompt_items_t  *items;

    items = ngx_http_prompt_other(root);
    begin = items->add.bytes;

    for (i = 0; i < NGX_HTTP_PROMPT_ITEMS_LOOK; i++) {

        if (items->add.bytes - begin > NGX_HTTP_PROMPT_ITEMS_STEP) {
            break;
        }

        if (items->add.bytes > PROMPT_LIMIT_IMPORT_BYTES) {
            ngx_http_prompt_items_release(root);
            ngx_http_prompt_root_wrong(root, "items",
                       "Items that are added at once have at most %d MiB of "
                       "JSON.", PROMPT_LIMIT_IMPORT_BYTES / 1024 / 1024);
            return;
        }

        if (items->item == NULL) {
            prompt_buf_char(&items->add.list, ']');
            ngx_http_prompt_items_send(root);
            return;
        }

        faults = root->faults->count;

        if (!ngx_http_prompt_items_one(root, items)
            && root->faults->count == faults)
        {
            return;                    /* memory: it was completed */
        }

        if (root->faults->count >= NGX_HTTP_PROMPT_ITEMS_FAULTS) {
            ngx_http_prompt_items_send(root);
            return;
        }
    }

    ngx_http_prompt_other_later(root);
}


static bool
ngx_http_prompt_items_one(ngx_http_prompt_root_t *root,
    ngx_http_prompt_items_t *items)
{
    prompt_dataset_item_t  *record;
    const prompt_json_t    *given;

    given = items->item;
    record = &items->records[items->list.count];
    items->item = given->next;

    root->within = prompt_arena_printf(root->job->arena, "items.%u.",
                                       items->list.count++);

    if (root->within.data == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    if (!ngx_http_prompt_input_create(root, ngx_http_prompt_dataset_item_fields,
                                      "DatasetItem", given, record)
        || !ngx_http_prompt_new_id(root, &record->id))
    {
        return false;
    }

    prompt_dataset_add_item(&items->add, record);

    return true;
}


static void
ngx_http_prompt_items_send(ngx_http_prompt_root_t *root)
{
    prompt_query_t           *query;
    ngx_http_prompt_items_t  *items;

    if (root->faults != NULL && root->faults->count != 0) {
        ngx_http_prompt_room_leave(root);
        ngx_http_prompt_items_free(ngx_http_prompt_other(root));
        ngx_http_prompt_root_fail_faults(root);
        return;
    }

    root->within = prompt_str_absent;
    items = ngx_http_prompt_other(root);

    root->faults = NULL;
    root->id = items->add.dataset_id;  /* what it changes, and shows */

    if (ngx_http_prompt_other_query(root, &query)) {
        query->locks = items->add.dataset_id;

        ngx_http_prompt_root_send(root, prompt_dataset_add(query, &items->add),
                                  ngx_http_prompt_items_done);
    }
}


static void
ngx_http_prompt_items_done(ngx_http_prompt_root_t *root)
{
    gql_result_t              result;
    ngx_http_prompt_items_t  *items;

    if (ngx_http_prompt_outcome_anew(root)) {
        ngx_http_prompt_items_send(root);
        return;
    }

    items = ngx_http_prompt_other(root);
    ngx_http_prompt_items_release(root);

    if (!ngx_http_prompt_root_succeeded(root)
        || !ngx_http_prompt_dataset_done(root,
                   prompt_outcome_row(&root->result->rows[0]),
                   ngx_http_prompt_root_text(root, "datasetId")))
    {
        return;
    }

    items->list.first = (char *) items->records;
    items->list.size = sizeof(prompt_dataset_item_t);

    ngx_http_prompt_result_list(&items->list, &result);
    ngx_http_prompt_write_other(root, &result);
}


/* What was made of it, and the room; completes nothing. */
static void
ngx_http_prompt_items_release(ngx_http_prompt_root_t *root)
{
    root->faults = NULL;

    ngx_http_prompt_items_free(ngx_http_prompt_other(root));
    ngx_http_prompt_room_leave(root);
}


/* addExecutionToDataset */
static void
ngx_http_prompt_add_execution(ngx_http_prompt_root_t *root)
{
    prompt_fault_t          fault;
    const prompt_json_t    *expected;
    prompt_dataset_item_t  *item;

    item = ngx_http_prompt_root_data(root, sizeof(prompt_dataset_item_t));
    if (item == NULL) {
        return;
    }

    expected = ngx_http_prompt_root_argument(root, "expected");

    if (ngx_http_prompt_root_id(root, "datasetId", "Dataset",
                                &item->dataset_id)
        && ngx_http_prompt_root_id(root, "executionId", "Execution",
                                   &item->execution_id)
        && (expected == NULL
            || ngx_http_prompt_passed(root,
                       prompt_text_json(root->job->arena, expected,
                                        prompt_str("expected"),
                                        PROMPT_LIMIT_OUTPUT, &item->expected,
                                        &fault),
                       &fault))
        && ngx_http_prompt_new_id(root, &item->id))
    {
        root->id = item->dataset_id;
        ngx_http_prompt_add_execution_send(root);
    }
}


static void
ngx_http_prompt_add_execution_send(ngx_http_prompt_root_t *root)
{
    prompt_query_t         *query;
    prompt_dataset_item_t  *item;

    item = root->data;

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = item->dataset_id;
        ngx_http_prompt_root_send(root,
                             prompt_dataset_add_execution(query,
                                                ngx_http_prompt_caller(root),
                                                item, PROMPT_LIMIT_ITEMS),
                             ngx_http_prompt_add_execution_done);
    }
}


static void
ngx_http_prompt_add_execution_done(ngx_http_prompt_root_t *root)
{
    bool                    recorded;
    prompt_str_t            id;
    prompt_outcome_t        outcome;
    prompt_dataset_item_t  *item, added;

    if (ngx_http_prompt_outcome_anew(root)) {
        ngx_http_prompt_add_execution_send(root);
        return;
    }

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    item = root->data;
    recorded = false;
    id = ngx_http_prompt_root_text(root, "executionId");

    ngx_memzero(&added, sizeof(prompt_dataset_item_t));
    outcome = prompt_dataset_added_row(&root->result->rows[0], &added,
                                       &recorded);

    switch (outcome) {

    case PROMPT_OUTCOME_NO_EXECUTION:
        (void) ngx_http_prompt_fail_not_found(root, "Execution", id);
        return;

    case PROMPT_OUTCOME_NOT_PAID:
        (void) ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
                   prompt_str_absent, "The execution with id \"%.*s\" is "
                   "another project's.", prompt_str_arg(id));
        return;

    case PROMPT_OUTCOME_NO_INPUT:
        ngx_http_prompt_add_execution_not(root, recorded);
        return;

    default:
        break;
    }

    if (ngx_http_prompt_dataset_done(root, outcome,
                   ngx_http_prompt_root_text(root, "datasetId")))
    {
        *item = added;
        ngx_http_prompt_root_object(root, item);
    }
}


/* why there is no input is known of the present alone */
static void
ngx_http_prompt_add_execution_not(ngx_http_prompt_root_t *root, bool recorded)
{
    const char                  *why;
    ngx_http_prompt_loc_conf_t  *plcf;

    plcf = ngx_http_get_module_loc_conf(root->job->request,
                                        ngx_http_prompt_module);

    why = "it was not recorded, or was taken away since";

    if (!recorded) {
        why = "the project does not record contents (recordsContent)";

    } else if (!plcf->record.input) {
        why = "what goes in is not recorded here (prompt_record)";
    }

    ngx_http_prompt_root_wrong(root, "executionId",
                               "The input of the execution is not there: %s.",
                               why);
}


/* removeDatasetItems */
static void
ngx_http_prompt_remove_items(ngx_http_prompt_root_t *root)
{
    char                 *ids, *p;
    prompt_str_t          list, caller;
    prompt_uuid_t         id;
    prompt_query_t       *query;
    const prompt_json_t  *given, *one;

    given = prompt_json_get(root->arguments, prompt_str("ids"));

    if (given->count > PROMPT_LIMIT_ITEMS_CALL) {
        ngx_http_prompt_root_wrong(root, "ids", "\"ids\" must be at most %d.",
                                   PROMPT_LIMIT_ITEMS_CALL);
        return;
    }

    ids = prompt_arena_alloc(root->job->arena,
                             given->count * PROMPT_UUID_LEN + 1);
    if (ids == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    p = ids;

    /* what is no id is none of an item */

    for (one = given->first; one != NULL; one = one->next) {

        if (prompt_uuid_parse(one->text, &id)) {
            ngx_memcpy(p, id.bytes, PROMPT_UUID_LEN);
            p += PROMPT_UUID_LEN;
        }
    }

    if (ngx_http_prompt_root_begin(root, &query)) {
        caller = ngx_http_prompt_caller(root);
        list = prompt_str_of(ids, (size_t) (p - ids));

        /* of whichever datasets, it waits for their rows by itself */

        query->locks = caller;

        ngx_http_prompt_root_send(root,
                                  prompt_dataset_remove(query, list, caller),
                                  ngx_http_prompt_remove_items_done);
    }
}


static void
ngx_http_prompt_remove_items_done(ngx_http_prompt_root_t *root)
{
    gql_result_t  result;

    if (ngx_http_prompt_root_succeeded(root)) {
        result.kind = GQL_RESULT_INTEGER;
        result.u.integer = prompt_swept_row(&root->result->rows[0]);

        ngx_http_prompt_root_complete(root, &result);
    }
}


static prompt_check_t
ngx_http_prompt_check_input(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    if (value->type != PROMPT_JSON_OBJECT) {
        return prompt_text_fault(arena, prompt_str("input"),
                                 "must be a JSON object", fault);
    }

    return ngx_http_prompt_check_json(field, arena, value, member, fault);
}
