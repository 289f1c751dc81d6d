/*
 * Prompts with what hangs below them.
 *
 * Rows of prompts, versions and executions come by prompt id descending, then
 * version ascending, then execution id descending.  Each statement saw the
 * database at its own moment, so a row whose parent is not there is passed
 * over.
 *
 * A tree is no more than a place in each set of rows: a list that is being
 * written has one record, which each row takes in turn.
 */

#include "service/tree.h"

#include "service/arguments.h"


/* rows of one set, and bytes of all, that first attempts may bring */
#define NGX_HTTP_PROMPT_SHORT_ROWS    513
#define NGX_HTTP_PROMPT_SHORT_SETS    8      /* sets; of more: fewer */
#define NGX_HTTP_PROMPT_SHORT_MEMORY  (8 * 1024 * 1024)
#define NGX_HTTP_PROMPT_SHORT_VALUE   (16 * 1024)

/* the first columns of what hangs on a prompt, or on a version */
#define NGX_HTTP_PROMPT_TREE_PROMPT   UINT32_C(1)
#define NGX_HTTP_PROMPT_TREE_VERSION  UINT32_C(2)


/*
 * A set of rows, how far it was read, and the list that is being written.  Its
 * first columns say what a row hangs on; they were read when it was looked for.
 */
typedef struct {
    ngx_http_prompt_list_t     list;         /* first: what item() gets */
    ngx_http_prompt_tree_t    *tree;
    ngx_uint_t                 number;       /* in the query */
    const prompt_statement_t  *statement;
    const prompt_rows_t       *rows;
    unsigned                   next;

    unsigned                   looked;       /* the row of these, and one */
    prompt_str_t               prompt_id;
    int32_t                    version;

    union {
        ngx_http_prompt_prompt_node_t     prompt;
        ngx_http_prompt_version_node_t    version;
        ngx_http_prompt_execution_node_t  execution;
    } item;
} ngx_http_prompt_set_t;


struct ngx_http_prompt_tree_s {
    ngx_http_prompt_root_t          *root;
    const ngx_http_prompt_shape_t   *shape;
    const prompt_record_t           *record; /* instead of a set, or NULL */
    const prompt_user_t             *creator;
    prompt_user_t                    user;
    ngx_http_prompt_set_t            prompts;
    ngx_http_prompt_set_t           *versions;
    ngx_http_prompt_set_t           *executions;
};


static bool ngx_http_prompt_tree_nested(const ngx_http_prompt_shape_t *shape);
static bool ngx_http_prompt_tree_versions(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_range_t *range, ngx_uint_t number)
    PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_versions_page(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, prompt_versions_t *versions)
    PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_nested_arguments(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, const prompt_json_t **arguments)
    PROMPT_WARN_UNUSED;
static ngx_uint_t ngx_http_prompt_tree_set(ngx_http_prompt_tree_t *tree,
    ngx_uint_t number, ngx_http_prompt_set_t *set,
    void *(*item)(ngx_http_prompt_list_t *list));
static void ngx_http_prompt_tree_creator(ngx_http_prompt_tree_t *tree,
    ngx_uint_t number);
static void ngx_http_prompt_tree_drop(ngx_http_prompt_set_t *set,
    unsigned upto);
static void *ngx_http_prompt_tree_next_prompt(ngx_http_prompt_list_t *list);
static void *ngx_http_prompt_tree_next_version(ngx_http_prompt_list_t *list);
static void *ngx_http_prompt_tree_next_execution(ngx_http_prompt_list_t *list);
static void ngx_http_prompt_tree_find(ngx_http_prompt_set_t *set,
    prompt_str_t prompt_id, const int32_t *version);


/* Whether more than one statement reads, so that all must see one moment. */

static bool
ngx_http_prompt_tree_nested(const ngx_http_prompt_shape_t *shape)
{
    return shape->nversions != 0 || shape->creator;
}


bool
ngx_http_prompt_tree_query(ngx_http_prompt_root_t *root, prompt_query_t *query,
    const prompt_range_t *range, bool with_prompts)
{
    ngx_uint_t                      i;
    const ngx_http_prompt_shape_t  *shape;

    shape = root->field->data;

    if (!ngx_http_prompt_shape_allowed(root, shape->refused)) {
        return false;
    }

    /* beside them: a snapshot, or a change, the prompts, their creator */

    if (shape->nversions + shape->nexecutions + 3
        > PROMPT_STORE_MAX_STATEMENTS)
    {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                   shape->nexecutions != 0 ? prompt_str("executions")
                                           : prompt_str("versions"),
                   "\"versions\" and \"executions\" are selected %lu times "
                   "below one field; at most %d are allowed.",
                   (unsigned long) (shape->nversions + shape->nexecutions),
                   PROMPT_STORE_MAX_STATEMENTS - 3);
        return false;
    }

    if (with_prompts
        && !ngx_http_prompt_root_bound(root,
                   (!ngx_http_prompt_tree_nested(shape)
                    || prompt_snapshot(query))
                   && prompt_read(query, range, shape->prompt_columns)))
    {
        return false;
    }

    for (i = 0; i < shape->nversions; i++) {
        if (!ngx_http_prompt_tree_versions(root, query, range, i)) {
            return false;
        }
    }

    return !shape->creator
           || ngx_http_prompt_root_bound(root,
                                         prompt_user_of_range(query, range));
}


/* A versions field and the executions fields below it. */

static bool
ngx_http_prompt_tree_versions(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_range_t *range, ngx_uint_t number)
{
    uint32_t                                   first;
    ngx_uint_t                                 i;
    prompt_str_t                               after;
    prompt_versions_t                          versions;
    const ngx_http_prompt_shape_t             *shape;
    const ngx_http_prompt_shape_executions_t  *executions;

    shape = root->field->data;

    if (!ngx_http_prompt_versions_page(root, shape->versions[number].field,
                                       &versions)
        || !ngx_http_prompt_root_bound(root,
                   prompt_version_read(query, range, &versions,
                                       shape->versions[number].columns)))
    {
        return false;
    }

    for (i = 0; i < shape->nexecutions; i++) {
        executions = &shape->executions[i];

        if (executions->versions != number) {
            continue;
        }

        if (!ngx_http_prompt_executions_page(root, executions->field, &first,
                                             &after)
            || !ngx_http_prompt_root_bound(root,
                       prompt_execution_read(query, range, &versions,
                                             executions->columns, first,
                                             after)))
        {
            return false;
        }
    }

    return true;
}


static bool
ngx_http_prompt_versions_page(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, prompt_versions_t *versions)
{
    const prompt_json_t  *arguments;

    ngx_memzero(versions, sizeof(prompt_versions_t));

    if (!ngx_http_prompt_nested_arguments(root, field, &arguments)
        || !ngx_http_prompt_argument_page(root, arguments, "Version", 0,
                                          &versions->first, &versions->after)
        || !ngx_http_prompt_argument_count(root, arguments, prompt_str("last"),
                                           &versions->last))
    {
        return false;
    }

    if (versions->first != 0 && versions->last != 0) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                                  prompt_str("last"),
                                  "\"first\" and \"last\" cannot be "
                                  "given together.");
        return false;
    }

    return true;
}


bool
ngx_http_prompt_executions_page(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, uint32_t *first, prompt_str_t *after)
{
    const prompt_json_t  *arguments;

    return ngx_http_prompt_nested_arguments(root, field, &arguments)
           && ngx_http_prompt_argument_page(root, arguments, "Execution",
                                            NGX_HTTP_PROMPT_DEFAULT_EXECUTIONS,
                                            first, after);
}


static bool
ngx_http_prompt_nested_arguments(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, const prompt_json_t **arguments)
{
    gql_error_t  *error;

    *arguments = gql_execution_arguments(root->job->execution, field, &error);

    if (*arguments == NULL) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                                  prompt_str_absent, "%.*s",
                                  prompt_str_arg(error->message));
        return false;
    }

    return ngx_http_prompt_arguments_check(root, field->def, *arguments);
}


void
ngx_http_prompt_tree_guard(ngx_http_prompt_root_t *root, prompt_range_t *range)
{
    uint32_t                        i, rows, bytes;
    ngx_uint_t                      sets, large;
    const gql_plan_field_t         *field;
    const gql_plan_selection_t     *selection;
    const ngx_http_prompt_field_t  *entry;
    const ngx_http_prompt_shape_t  *shape;

    sets = 0;
    large = 0;
    selection = root->job->plan->root;

    for (i = 0; i < selection->nfields; i++) {
        field = &selection->fields[i];
        entry = gql_field_is_meta(field) ? NULL : field->def->data;

        if (entry != NULL && entry->compile == ngx_http_prompt_shape_compile) {
            shape = field->data;
            sets += 1 + shape->nversions + shape->nexecutions;
            large += shape->large;
        }
    }

    rows = NGX_HTTP_PROMPT_SHORT_ROWS;

    if (sets > NGX_HTTP_PROMPT_SHORT_SETS) {
        rows = (uint32_t) (rows * NGX_HTTP_PROMPT_SHORT_SETS / sets) + 2;
    }

    bytes = NGX_HTTP_PROMPT_SHORT_VALUE;

    if (large != 0) {
        bytes = (uint32_t) ngx_min(bytes, NGX_HTTP_PROMPT_SHORT_MEMORY
                                          / (rows * large));
    }

    range->max_rows = rows;
    range->max_bytes = ngx_max(bytes, 1);
}


ngx_http_prompt_tree_t *
ngx_http_prompt_tree_create(ngx_http_prompt_root_t *root)
{
    ngx_uint_t                      n;
    ngx_http_prompt_tree_t         *tree;
    const ngx_http_prompt_shape_t  *shape;

    shape = root->field->data;

    tree = prompt_arena_zalloc(root->job->arena,
                               sizeof(ngx_http_prompt_tree_t));
    if (tree == NULL) {
        return NULL;
    }

    tree->root = root;
    tree->shape = shape;

    n = shape->nversions + shape->nexecutions;

    tree->versions = prompt_arena_array(root->job->arena, n,
                                        sizeof(ngx_http_prompt_set_t));
    if (tree->versions == NULL) {
        return NULL;
    }

    tree->executions = &tree->versions[shape->nversions];

    return tree;
}


void
ngx_http_prompt_tree_open(ngx_http_prompt_tree_t *tree, ngx_uint_t first,
    const prompt_record_t *record)
{
    ngx_uint_t                      i, n;
    const ngx_http_prompt_shape_t  *shape;

    shape = tree->shape;

    tree->record = record;
    tree->creator = NULL;

    if (record == NULL) {

        if (ngx_http_prompt_tree_nested(shape)) {
            first++;                   /* the snapshot, which has no rows */
        }

        first = ngx_http_prompt_tree_set(tree, first, &tree->prompts,
                                         ngx_http_prompt_tree_next_prompt);
    }

    for (i = 0, n = 0; i < shape->nversions; i++) {
        first = ngx_http_prompt_tree_set(tree, first, &tree->versions[i],
                                         ngx_http_prompt_tree_next_version);

        while (n < shape->nexecutions && shape->executions[n].versions == i) {
            first = ngx_http_prompt_tree_set(tree, first,
                                         &tree->executions[n++],
                                         ngx_http_prompt_tree_next_execution);
        }
    }

    if (shape->creator) {
        ngx_http_prompt_tree_creator(tree, first);
    }
}


/* returns the number of the next set */

static ngx_uint_t
ngx_http_prompt_tree_set(ngx_http_prompt_tree_t *tree, ngx_uint_t number,
    ngx_http_prompt_set_t *set, void *(*item)(ngx_http_prompt_list_t *list))
{
    set->list.item = item;
    set->tree = tree;
    set->number = number;
    set->next = 0;
    set->looked = 0;
    set->rows = &tree->root->result->rows[number];
    set->statement = tree->root->query->bound[number].statement;

    return number + 1;
}


static void
ngx_http_prompt_tree_creator(ngx_http_prompt_tree_t *tree, ngx_uint_t number)
{
    const prompt_rows_t  *rows;

    rows = &tree->root->result->rows[number];

    if (rows->count != 0) {
        prompt_user_row(rows, 0, &tree->user);
        tree->creator = &tree->user;
    }
}


bool
ngx_http_prompt_tree_cut(const ngx_http_prompt_tree_t *tree,
    const prompt_range_t *range)
{
    ngx_uint_t                    i, n;
    const ngx_http_prompt_set_t  *set;

    set = &tree->prompts;

    if (tree->record == NULL
        && prompt_rows_cut(range, set->statement, set->rows))
    {
        return true;
    }

    n = tree->shape->nversions + tree->shape->nexecutions;

    for (i = 0; i < n; i++) {
        set = &tree->versions[i];

        if (prompt_rows_cut(range, set->statement, set->rows)) {
            return true;
        }
    }

    return false;
}


ngx_uint_t
ngx_http_prompt_tree_count(const ngx_http_prompt_tree_t *tree)
{
    return tree->record != NULL ? 1 : tree->prompts.rows->count;
}


prompt_str_t
ngx_http_prompt_tree_last(const ngx_http_prompt_tree_t *tree)
{
    const prompt_rows_t  *rows;

    rows = tree->prompts.rows;

    return prompt_rows_cell(rows, rows->count - 1, 0);
}


void
ngx_http_prompt_tree_list(ngx_http_prompt_tree_t *tree, gql_result_t *out)
{
    tree->prompts.list.count = tree->prompts.rows->count;

    ngx_http_prompt_result_list(&tree->prompts.list, out);
}


ngx_http_prompt_prompt_node_t *
ngx_http_prompt_tree_prompt(ngx_http_prompt_tree_t *tree)
{
    ngx_http_prompt_prompt_node_t  *node;

    if (ngx_http_prompt_tree_count(tree) == 0) {
        return NULL;
    }

    if (tree->record == NULL) {
        return ngx_http_prompt_tree_next_prompt(&tree->prompts.list);
    }

    node = &tree->prompts.item.prompt;
    node->record = *tree->record;
    node->creator = tree->creator;
    node->tree = tree;

    return node;
}


/* Those before upto were written. */

static void
ngx_http_prompt_tree_drop(ngx_http_prompt_set_t *set, unsigned upto)
{
    ngx_http_prompt_root_t  *root;

    root = set->tree->root;

    if (root->query->budget != 0) {
        ngx_http_prompt_postgres_drop_rows(root->task, set->number, upto);
    }
}


static void *
ngx_http_prompt_tree_next_prompt(ngx_http_prompt_list_t *list)
{
    ngx_http_prompt_set_t          *set;
    ngx_http_prompt_prompt_node_t  *node;

    set = (ngx_http_prompt_set_t *) list;
    node = &set->item.prompt;

    ngx_http_prompt_tree_drop(set, set->next);
    prompt_row(set->statement, set->rows, set->next++, &node->record);

    node->creator = set->tree->creator;
    node->tree = set->tree;

    return node;
}


static void *
ngx_http_prompt_tree_next_version(ngx_http_prompt_list_t *list)
{
    ngx_http_prompt_set_t           *set;
    ngx_http_prompt_version_node_t  *node;

    set = (ngx_http_prompt_set_t *) list;
    node = &set->item.version;

    ngx_http_prompt_tree_drop(set, set->next);
    prompt_columns_read(&prompt_version_resource,
                        set->statement->columns
                        & ~NGX_HTTP_PROMPT_TREE_PROMPT,
                        set->rows, set->next++, 1, &node->record);

    node->tree = set->tree;

    return node;
}


static void *
ngx_http_prompt_tree_next_execution(ngx_http_prompt_list_t *list)
{
    ngx_http_prompt_set_t  *set;

    set = (ngx_http_prompt_set_t *) list;

    ngx_http_prompt_tree_drop(set, set->next);
    prompt_columns_read(&prompt_execution_resource,
                        set->statement->columns
                        & ~(NGX_HTTP_PROMPT_TREE_PROMPT
                            |NGX_HTTP_PROMPT_TREE_VERSION),
                        set->rows, set->next++, 2,
                        &set->item.execution.record);

    return &set->item.execution;
}


void
ngx_http_prompt_resolve_versions(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_set_t          *set;
    ngx_http_prompt_prompt_node_t  *prompt = parent;

    (void) job;

    set = &prompt->tree->versions[*(ngx_uint_t *) field->data];

    ngx_http_prompt_tree_find(set, prompt->record.id, NULL);
    set->item.version.record.prompt_id = prompt->record.id;

    ngx_http_prompt_result_list(&set->list, out);
}


void
ngx_http_prompt_resolve_executions(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_set_t           *set;
    ngx_http_prompt_version_node_t  *version = parent;

    static ngx_http_prompt_list_t  none = { NULL, 0, 0, 0, NULL };

    (void) job;

    if (version->tree == NULL) {
        ngx_http_prompt_result_list(&none, out);
        return;
    }

    set = &version->tree->executions[*(ngx_uint_t *) field->data];

    ngx_http_prompt_tree_find(set, version->record.prompt_id,
                              &version->record.version);
    set->item.execution.record.prompt_id = version->record.prompt_id;
    set->item.execution.record.version = version->record.version;
    set->item.execution.prompt = &version->tree->prompts.item.prompt;

    ngx_http_prompt_result_list(&set->list, out);
}


/*
 * Makes the list that of the rows of a prompt, or of a version of it; those
 * before them, whose parents are not there, are left.  Prompt ids, which stand
 * in the first column, descend; versions, in the second, ascend.
 */

static void
ngx_http_prompt_tree_find(ngx_http_prompt_set_t *set, prompt_str_t prompt_id,
    const int32_t *version)
{
    int       order;
    unsigned  row;

    for (row = set->next; row < set->rows->count; row++) {

        if (set->looked != row + 1) {
            set->looked = row + 1;
            set->prompt_id = prompt_rows_cell(set->rows, row, 0);

            if (version != NULL) {
                set->version = (int32_t)
                    prompt_cell_int(prompt_rows_cell(set->rows, row, 1));
            }
        }

        order = prompt_str_cmp(prompt_id, set->prompt_id);

        if (order == 0 && version != NULL) {
            order = (set->version > *version) - (set->version < *version);
        }

        if (order > 0) {
            break;
        }

        if (order < 0) {
            set->next = row + 1;
        }
    }

    set->list.count = row - set->next;
}
