/*
 * Datasets: dataset, datasets, and the fields of Dataset.
 *
 * Items are sets of rows of their own, one for each time that they are
 * selected, in the order of their datasets; all of it is read as what is long.
 */

#include "service/fields/run_impl.h"

#include "prompt/checks.h"
#include "service/frame/input.h"
#include "service/tree/tree.h"
#include "store/range.h"


#define NGX_HTTP_PROMPT_DATASETS_PAGE  50
#define NGX_HTTP_PROMPT_ITEMS_PAGE     100
#define NGX_HTTP_PROMPT_RUNS_PAGE      20


/* `items` and `runs` fields of a selection; in the plan */
typedef struct {
    const gql_plan_field_t         **items;
    ngx_uint_t                       nitems;
    ngx_http_prompt_run_below_t      runs;   /* what all of them ask for */
} ngx_http_prompt_dataset_below_t;


/* datasets on their way to an answer; in the request's arena */
typedef struct ngx_http_prompt_datasets_s  ngx_http_prompt_datasets_t;

typedef struct {
    prompt_dataset_t                 record; /* first */
    ngx_http_prompt_datasets_t      *datasets;
} ngx_http_prompt_dataset_node_t;

/* rows of one `items` or `runs` field */
typedef struct {
    ngx_http_prompt_list_t           list;   /* first: what item() gets */
    ngx_http_prompt_datasets_t      *datasets;
    ngx_uint_t                       number; /* of the set of rows */
    unsigned                         next;
    prompt_dataset_item_t            record;
    ngx_http_prompt_run_node_t       run;
} ngx_http_prompt_dataset_set_t;

struct ngx_http_prompt_datasets_s {
    ngx_http_prompt_list_t           list;   /* first, likewise */
    ngx_http_prompt_root_t          *root;
    prompt_datasets_t                of;
    ngx_uint_t                       number;
    unsigned                         next;
    ngx_http_prompt_dataset_set_t   *sets;
    ngx_http_prompt_people_t         people;

    ngx_http_prompt_dataset_node_t   node;
};


static bool ngx_http_prompt_dataset_compile(gql_plan_t *plan,
    gql_plan_field_t *field);
static void ngx_http_prompt_dataset(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_datasets(ngx_http_prompt_root_t *root);
static ngx_http_prompt_datasets_t *ngx_http_prompt_datasets_make(
    ngx_http_prompt_root_t *root);
static void ngx_http_prompt_datasets_ask(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_datasets_items(ngx_http_prompt_root_t *root,
    ngx_http_prompt_datasets_t *datasets, prompt_query_t *query)
    PROMPT_WARN_UNUSED;
static void ngx_http_prompt_datasets_done(ngx_http_prompt_root_t *root);
static void *ngx_http_prompt_datasets_item(ngx_http_prompt_list_t *list);
static void *ngx_http_prompt_dataset_set_item(ngx_http_prompt_list_t *list);
static void *ngx_http_prompt_dataset_run(ngx_http_prompt_list_t *list);
static bool ngx_http_prompt_is_runs(const gql_plan_field_t *field);
static ngx_http_prompt_resolve_t  ngx_http_prompt_resolve_items;
static ngx_http_prompt_check_t  ngx_http_prompt_check_checks;


#define column(member)                                                       \
    .resource = &prompt_dataset_resource,                                    \
    .offset = offsetof(prompt_dataset_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_dataset_fields[] = {

    { .type = "Query", .name = "dataset",
      .scope = PROMPT_KEY_SCOPE_READ,
      .standby = true,
      .compile = ngx_http_prompt_dataset_compile,
      .start = ngx_http_prompt_dataset },

    { .type = "Query", .name = "datasets",
      .scope = PROMPT_KEY_SCOPE_READ,
      .standby = true,
      .compile = ngx_http_prompt_dataset_compile,
      .start = ngx_http_prompt_datasets },

    { .type = "Mutation", .name = "createDataset",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_dataset_compile,
      .start = ngx_http_prompt_create_dataset },

    { .type = "Mutation", .name = "updateDataset",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_dataset_compile,
      .start = ngx_http_prompt_update_dataset },

    { .type = "Mutation", .name = "deleteDataset",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .start = ngx_http_prompt_delete_dataset },

    { .type = "Dataset", .name = "id", column(id) },
    { .type = "Dataset", .name = "name", column(name),
      .check = ngx_http_prompt_check_label, .most = PROMPT_LIMIT_NAME },
    { .type = "Dataset", .name = "description", column(description),
      .check = ngx_http_prompt_check_characters,
      .most = PROMPT_LIMIT_DESCRIPTION },
    { .type = "Dataset", .name = "createdAt", column(created_at) },
    { .type = "Dataset", .name = "itemCount", column(item_count) },
    { .type = "Dataset", .name = "items",
      .scope = PROMPT_KEY_SCOPE_READ,
      .resolve = ngx_http_prompt_resolve_items },
    { .type = "Dataset", .name = "runs",
      .scope = PROMPT_KEY_SCOPE_READ,
      .resolve = ngx_http_prompt_resolve_items },
    { .type = "Dataset", .name = "checks", column(checks),
      .check = ngx_http_prompt_check_checks, .most = PROMPT_LIMIT_CHECKS_JSON },

    { .type = NULL }
};

#undef column


static bool
ngx_http_prompt_dataset_compile(gql_plan_t *plan, gql_plan_field_t *field)
{
    uint32_t                          i;
    ngx_uint_t                       *number;
    gql_plan_field_t                 *child;
    gql_plan_selection_t             *selection;
    ngx_http_prompt_dataset_below_t  *below;

    selection = field->selections[0];
    below = prompt_arena_zalloc(plan->arena,
                                sizeof(ngx_http_prompt_dataset_below_t));
    if (below == NULL) {
        return false;
    }

    field->data = below;
    below->items = prompt_arena_array(plan->arena, selection->nfields,
                                      sizeof(gql_plan_field_t *));
    if (below->items == NULL) {
        return false;
    }

    for (i = 0; i < selection->nfields; i++) {
        child = &selection->fields[i];

        if (gql_field_is_meta(child)
            || (!prompt_str_eq(child->def->name, prompt_str("items"))
                && !ngx_http_prompt_is_runs(child)))
        {
            continue;
        }

        if (ngx_http_prompt_is_runs(child)
            && !ngx_http_prompt_run_project(plan, child->selections[0], true,
                                            &below->runs))
        {
            return false;
        }

        number = prompt_arena_alloc(plan->arena, sizeof(ngx_uint_t));
        if (number == NULL) {
            return false;
        }

        *number = below->nitems;
        child->data = number;
        below->items[below->nitems++] = child;
    }

    return true;
}


static bool
ngx_http_prompt_is_runs(const gql_plan_field_t *field)
{
    return prompt_str_eq(field->def->name, prompt_str("runs"));
}


/* dataset */
static void
ngx_http_prompt_dataset(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_datasets_t  *datasets;

    datasets = ngx_http_prompt_datasets_make(root);

    if (datasets != NULL
        && ngx_http_prompt_root_id(root, "id", "Dataset", &datasets->of.id))
    {
        ngx_http_prompt_read_other(root, datasets, true,
                                   ngx_http_prompt_datasets_ask);
    }
}


/* datasets */
static void
ngx_http_prompt_datasets(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_datasets_t  *datasets;

    datasets = ngx_http_prompt_datasets_make(root);

    if (datasets != NULL
        && ngx_http_prompt_argument_page(root, root->arguments, "Dataset",
                                         NGX_HTTP_PROMPT_DATASETS_PAGE,
                                         &datasets->of.first,
                                         &datasets->of.after))
    {
        ngx_http_prompt_read_other(root, datasets, true,
                                   ngx_http_prompt_datasets_ask);
    }
}


/* NULL: memory, and root was completed. */
static ngx_http_prompt_datasets_t *
ngx_http_prompt_datasets_make(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_datasets_t             *datasets;
    const ngx_http_prompt_dataset_below_t  *below;

    below = root->field->data;

    if (!ngx_http_prompt_run_may(root, &below->runs)) {
        return NULL;
    }

    datasets = prompt_arena_zalloc(root->job->arena,
                                   sizeof(ngx_http_prompt_datasets_t));

    if (datasets != NULL) {
        datasets->sets = prompt_arena_zalloc(root->job->arena,
                              below->nitems
                              * sizeof(ngx_http_prompt_dataset_set_t) + 1);
    }

    if (datasets == NULL || datasets->sets == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return NULL;
    }

    datasets->root = root;
    datasets->node.datasets = datasets;
    datasets->list.item = ngx_http_prompt_datasets_item;
    datasets->of.project_id = ngx_http_prompt_caller(root);

    return datasets;
}


static void
ngx_http_prompt_datasets_ask(ngx_http_prompt_root_t *root)
{
    bool                         bound;
    prompt_query_t              *query;
    ngx_http_prompt_datasets_t  *datasets;

    datasets = ngx_http_prompt_other(root);

    if (!ngx_http_prompt_other_query(root, &query)) {
        return;
    }

    bound = prompt_snapshot(query)
            && (datasets->of.id.data == NULL
                || prompt_dataset_seen(query, &datasets->of));

    datasets->number = query->count;

    if (ngx_http_prompt_root_bound(root, bound
                                   && prompt_dataset_read(query, &datasets->of)
                                   && prompt_user_of_project(query,
                                                   datasets->of.project_id))
        && ngx_http_prompt_datasets_items(root, datasets, query))
    {
        ngx_http_prompt_root_send(root, true, ngx_http_prompt_datasets_done);
    }
}


static bool
ngx_http_prompt_datasets_items(ngx_http_prompt_root_t *root,
    ngx_http_prompt_datasets_t *datasets, prompt_query_t *query)
{
    bool                                    runs;
    uint32_t                                page, first;
    ngx_uint_t                              i;
    prompt_str_t                            after;
    const prompt_json_t                    *arguments;
    ngx_http_prompt_dataset_set_t          *set;
    const ngx_http_prompt_dataset_below_t  *below;

    below = root->field->data;

    if (query->count + below->nitems > PROMPT_STORE_MAX_STATEMENTS) {
        return ngx_http_prompt_root_wrong(root, "items",
                   "Items and runs are selected %lu times below one field; at "
                   "most %d are allowed.", (unsigned long) below->nitems,
                   PROMPT_STORE_MAX_STATEMENTS - 4);
    }

    for (i = 0; i < below->nitems; i++) {
        runs = ngx_http_prompt_is_runs(below->items[i]);
        page = runs ? NGX_HTTP_PROMPT_RUNS_PAGE : NGX_HTTP_PROMPT_ITEMS_PAGE;
        set = &datasets->sets[i];
        set->list.item = runs ? ngx_http_prompt_dataset_run
                              : ngx_http_prompt_dataset_set_item;
        set->datasets = datasets;
        set->number = query->count;
        set->next = 0;

        if (!ngx_http_prompt_nested_arguments(root, below->items[i], &arguments)
            || !ngx_http_prompt_argument_page(root, arguments,
                                              runs ? "Run" : "DatasetItem",
                                              page, &first, &after)
            || !ngx_http_prompt_root_bound(root,
                       runs ? prompt_run_list(query, &datasets->of,
                                              below->runs.arms, first, after)
                            : prompt_dataset_items(query, &datasets->of, first,
                                                   after)))
        {
            return false;
        }
    }

    return true;
}


static void
ngx_http_prompt_datasets_done(ngx_http_prompt_root_t *root)
{
    gql_result_t                 result;
    prompt_outcome_t             outcome;
    const prompt_rows_t         *rows;
    ngx_http_prompt_datasets_t  *datasets;

    if (!ngx_http_prompt_other_succeeded(root)) {
        return;
    }

    datasets = ngx_http_prompt_other(root);
    rows = &root->result->rows[datasets->number];
    datasets->next = 0;
    datasets->list.count = rows->count;
    ngx_http_prompt_people_init(&datasets->people, root, datasets->number + 1);

    if (datasets->of.id.data == NULL) {
        ngx_http_prompt_result_list(&datasets->list, &result);
        ngx_http_prompt_write_other(root, &result);
        return;
    }

    outcome = prompt_dataset_seen_row(rows - 1);

    if (outcome == PROMPT_OUTCOME_DONE && rows->count == 0) {
        outcome = PROMPT_OUTCOME_NOT_FOUND;
    }

    if (ngx_http_prompt_dataset_done(root, outcome,
                                     ngx_http_prompt_root_text(root, "id")))
    {
        ngx_http_prompt_result_object(
                      ngx_http_prompt_datasets_item(&datasets->list), &result);
        ngx_http_prompt_write_other(root, &result);
    }
}


static void *
ngx_http_prompt_datasets_item(ngx_http_prompt_list_t *list)
{
    ngx_http_prompt_root_t      *root;
    ngx_http_prompt_datasets_t  *datasets;

    datasets = (ngx_http_prompt_datasets_t *) list;
    root = datasets->root;

    /* those before it were written */

    ngx_http_prompt_postgres_drop_rows(root->task, datasets->number,
                                       datasets->next);

    prompt_dataset_row(&root->result->rows[datasets->number], datasets->next++,
                       &datasets->node.record);

    return &datasets->node;
}


static void *
ngx_http_prompt_dataset_set_item(ngx_http_prompt_list_t *list)
{
    ngx_http_prompt_root_t         *root;
    ngx_http_prompt_dataset_set_t  *set;

    set = (ngx_http_prompt_dataset_set_t *) list;
    root = set->datasets->root;

    ngx_http_prompt_postgres_drop_rows(root->task, set->number, set->next);

    prompt_dataset_item_row(&root->result->rows[set->number], set->next++,
                            &set->record);

    return &set->record;
}


static void *
ngx_http_prompt_dataset_run(ngx_http_prompt_list_t *list)
{
    ngx_http_prompt_root_t         *root;
    ngx_http_prompt_dataset_set_t  *set;

    set = (ngx_http_prompt_dataset_set_t *) list;
    root = set->datasets->root;

    ngx_http_prompt_postgres_drop_rows(root->task, set->number, set->next);

    ngx_http_prompt_run_node(&root->result->rows[set->number], set->next++,
                             true, &set->datasets->node,
                             &set->datasets->people, &set->run);

    return &set->run;
}


/* Rows of one moment: those of a dataset come when it does. */
static void
ngx_http_prompt_resolve_items(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    unsigned                         row, of;
    const prompt_rows_t             *rows;
    ngx_http_prompt_dataset_set_t   *set;
    ngx_http_prompt_dataset_node_t  *node = parent;

    set = &node->datasets->sets[*(ngx_uint_t *) field->data];
    rows = &node->datasets->root->result->rows[set->number];

    /* the cell that has the dataset's id */

    of = ngx_http_prompt_is_runs(field);

    for (row = set->next; row < rows->count; row++) {
        if (!prompt_str_eq(prompt_rows_cell(rows, row, of), node->record.id)) {
            break;
        }
    }

    set->list.count = row - set->next;

    ngx_http_prompt_result_list(&set->list, out);
}


void
ngx_http_prompt_dataset_changed(ngx_http_prompt_root_t *root, prompt_str_t id)
{
    ngx_http_prompt_datasets_t  *datasets;

    datasets = ngx_http_prompt_datasets_make(root);

    if (datasets != NULL) {
        datasets->of.id = id;
        ngx_http_prompt_read_other_changed(root, datasets,
                                           ngx_http_prompt_datasets_ask);
    }
}


static prompt_check_t
ngx_http_prompt_check_checks(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    prompt_check_t   rc;
    prompt_checks_t  checks;

    rc = ngx_http_prompt_check_json(field, arena, value, member, fault);

    return rc == PROMPT_CHECK_OK
           ? prompt_checks_compile(arena, value, &checks, fault) : rc;
}
