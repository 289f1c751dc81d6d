/*
 * Prompts with what hangs below them.
 *
 * Rows of prompts, versions and executions come by prompt id descending, then
 * version ascending, then execution id descending.  Each statement saw the
 * database at its own moment, so a row whose parent is not there is passed
 * over.
 */

#include "service/tree.h"

#include "service/arguments.h"


/* a set of rows and how far it was read */
typedef struct {
    const prompt_statement_t  *statement;
    const prompt_rows_t       *rows;         /* NULL: none was asked for */
    unsigned                   next;
} ngx_http_prompt_set_t;


struct ngx_http_prompt_tree_s {
    ngx_http_prompt_operation_t     *op;
    const ngx_http_prompt_shape_t   *shape;
    const prompt_record_t           *record; /* instead of a set, or NULL */
    const prompt_user_t             *creator;
    ngx_http_prompt_set_t            prompts;
    ngx_http_prompt_set_t            versions;
    ngx_http_prompt_set_t           *executions;
    unsigned                         count;  /* of prompts */
};


static bool ngx_http_prompt_shape_versions(gql_plan_t *plan,
    ngx_http_prompt_shape_t *shape, const gql_plan_field_t *field);
static uint32_t ngx_http_prompt_shape_columns(const gql_plan_field_t *field);
static ngx_uint_t ngx_http_prompt_shape_count(gql_plan_selection_t *selection);
static bool ngx_http_prompt_tree_nested(const ngx_http_prompt_shape_t *shape);
static ngx_int_t ngx_http_prompt_tree_executions(
    ngx_http_prompt_operation_t *op, prompt_query_t *query,
    const prompt_scope_t *scope,
    const ngx_http_prompt_shape_executions_t *executions);
static ngx_uint_t ngx_http_prompt_tree_set(ngx_http_prompt_tree_t *tree,
    ngx_uint_t number, ngx_http_prompt_set_t *set);
static ngx_int_t ngx_http_prompt_tree_creator(ngx_http_prompt_tree_t *tree,
    ngx_uint_t number);
static ngx_int_t ngx_http_prompt_read_versions(ngx_http_prompt_tree_t *tree,
    ngx_http_prompt_prompt_node_t *prompt);
static unsigned ngx_http_prompt_count_versions(ngx_http_prompt_set_t *set,
    prompt_str_t id);
static ngx_int_t ngx_http_prompt_read_version(ngx_http_prompt_tree_t *tree,
    ngx_http_prompt_version_node_t *version);
static ngx_int_t ngx_http_prompt_read_executions(prompt_arena_t *arena,
    ngx_http_prompt_set_t *set, const prompt_version_t *version,
    ngx_http_prompt_list_t *list);
static unsigned ngx_http_prompt_count_executions(ngx_http_prompt_set_t *set,
    const prompt_version_t *version);
static int ngx_http_prompt_cmp_execution(const prompt_version_t *version,
    const prompt_execution_t *execution);


bool
ngx_http_prompt_shape_compile(gql_plan_t *plan, gql_plan_field_t *field)
{
    uint32_t                  i;
    const gql_plan_field_t   *child;
    gql_plan_selection_t     *selection;
    ngx_http_prompt_shape_t  *shape;

    shape = prompt_arena_zalloc(plan->arena, sizeof(ngx_http_prompt_shape_t));
    if (shape == NULL) {
        return false;
    }

    field->data = shape;

    if (field->nselections == 0) {
        return true;
    }

    selection = field->selections[0];

    shape->prompt_columns = ngx_http_prompt_shape_columns(field);
    shape->executions = prompt_arena_array(plan->arena,
                                 ngx_http_prompt_shape_count(selection),
                                 sizeof(ngx_http_prompt_shape_executions_t));
    if (shape->executions == NULL) {
        return false;
    }

    for (i = 0; i < selection->nfields; i++) {
        child = &selection->fields[i];

        if (prompt_str_eq(child->def->name, prompt_str("createdBy"))) {
            shape->creator = 1;

        } else if (prompt_str_eq(child->def->name, prompt_str("versions"))
                   && !ngx_http_prompt_shape_versions(plan, shape, child))
        {
            return false;
        }
    }

    return true;
}


static bool
ngx_http_prompt_shape_versions(gql_plan_t *plan,
    ngx_http_prompt_shape_t *shape, const gql_plan_field_t *field)
{
    uint32_t                             i;
    uint32_t                            *index;
    gql_plan_field_t                    *child;
    gql_plan_selection_t                *selection;
    ngx_http_prompt_shape_executions_t  *executions;

    shape->versions = 1;
    shape->version_columns |= ngx_http_prompt_shape_columns(field);

    selection = field->selections[0];

    for (i = 0; i < selection->nfields; i++) {
        child = &selection->fields[i];

        if (!prompt_str_eq(child->def->name, prompt_str("executions"))) {
            continue;
        }

        /* the resolver finds its set of rows by this number */

        index = prompt_arena_alloc(plan->arena, sizeof(uint32_t));
        if (index == NULL) {
            return false;
        }

        *index = (uint32_t) shape->nexecutions;
        child->data = index;

        executions = &shape->executions[shape->nexecutions++];
        executions->field = child;
        executions->columns = ngx_http_prompt_shape_columns(child);
    }

    return true;
}


/* the columns that the fields selected below a field read */

static uint32_t
ngx_http_prompt_shape_columns(const gql_plan_field_t *field)
{
    uint32_t                        i, columns;
    gql_plan_selection_t           *selection;
    const ngx_http_prompt_field_t  *entry;

    columns = 0;
    selection = field->selections[0];

    for (i = 0; i < selection->nfields; i++) {
        entry = selection->fields[i].def->data;

        if (entry != NULL) {                          /* __typename has none */
            columns |= entry->column;
        }
    }

    return columns;
}


/* the executions fields below the versions fields of a selection */

static ngx_uint_t
ngx_http_prompt_shape_count(gql_plan_selection_t *selection)
{
    uint32_t               i, n;
    ngx_uint_t             count;
    gql_plan_selection_t  *versions;

    count = 0;

    for (i = 0; i < selection->nfields; i++) {

        if (selection->fields[i].nselections == 0) {
            continue;
        }

        versions = selection->fields[i].selections[0];

        for (n = 0; n < versions->nfields; n++) {
            if (versions->fields[n].nselections != 0) {
                count++;
            }
        }
    }

    return count;
}


/* Whether more than one statement reads, so that all must see one moment. */

static bool
ngx_http_prompt_tree_nested(const ngx_http_prompt_shape_t *shape)
{
    return shape->versions || shape->nexecutions != 0 || shape->creator;
}


ngx_int_t
ngx_http_prompt_tree_query(ngx_http_prompt_operation_t *op,
    prompt_query_t *query, const prompt_scope_t *scope, bool with_prompts)
{
    ngx_int_t                       rc;
    ngx_uint_t                      i;
    const ngx_http_prompt_shape_t  *shape;

    shape = op->field->data;

    if (shape->nexecutions + 5 > PROMPT_STORE_MAX_STATEMENTS) {
        ngx_http_prompt_operation_fail(op, ngx_http_prompt_bad_user_input,
                   prompt_str("executions"),
                   "\"executions\" is selected %lu times below one field; at "
                   "most %d are possible.", (unsigned long) shape->nexecutions,
                   PROMPT_STORE_MAX_STATEMENTS - 5);
        return NGX_DECLINED;
    }

    if (with_prompts
        && ((ngx_http_prompt_tree_nested(shape) && !prompt_snapshot(query))
            || !prompt_read(query, scope, shape->prompt_columns)))
    {
        return NGX_ERROR;
    }

    if (shape->versions
        && !prompt_version_read(query, scope, shape->version_columns))
    {
        return NGX_ERROR;
    }

    for (i = 0; i < shape->nexecutions; i++) {
        rc = ngx_http_prompt_tree_executions(op, query, scope,
                                             &shape->executions[i]);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    if (shape->creator && !prompt_user_of_scope(query, scope)) {
        return NGX_ERROR;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_tree_executions(ngx_http_prompt_operation_t *op,
    prompt_query_t *query, const prompt_scope_t *scope,
    const ngx_http_prompt_shape_executions_t *executions)
{
    uint32_t              first;
    gql_error_t          *error;
    prompt_str_t          after;
    const prompt_json_t  *arguments;

    arguments = gql_execution_arguments(op->job->execution, executions->field,
                                        &error);
    if (arguments == NULL) {
        ngx_http_prompt_operation_fail(op, ngx_http_prompt_bad_user_input,
                                       prompt_str_absent, "%.*s",
                                       prompt_str_arg(error->message));
        return NGX_DECLINED;
    }

    if (!ngx_http_prompt_arguments_check(op, executions->field->def, arguments)
        || !ngx_http_prompt_argument_page(op, arguments, "Execution",
                                          NGX_HTTP_PROMPT_DEFAULT_EXECUTIONS,
                                          &first, &after))
    {
        return NGX_DECLINED;
    }

    return prompt_execution_read(query, scope, executions->columns, first,
                                 after)
           ? NGX_OK : NGX_ERROR;
}


ngx_http_prompt_list_t *
ngx_http_prompt_tree_read(ngx_http_prompt_operation_t *op, ngx_uint_t first,
    const prompt_record_t *record)
{
    ngx_http_prompt_tree_t  *tree;

    tree = ngx_http_prompt_tree_open(op, first, record);

    return tree != NULL ? ngx_http_prompt_tree_next(tree, tree->count) : NULL;
}


ngx_http_prompt_tree_t *
ngx_http_prompt_tree_open(ngx_http_prompt_operation_t *op, ngx_uint_t first,
    const prompt_record_t *record)
{
    ngx_uint_t               i;
    ngx_http_prompt_tree_t  *tree;

    tree = prompt_arena_zalloc(op->job->arena, sizeof(ngx_http_prompt_tree_t));
    if (tree == NULL) {
        return NULL;
    }

    tree->op = op;
    tree->shape = op->field->data;
    tree->record = record;
    tree->count = 1;

    tree->executions = prompt_arena_array(op->job->arena,
                                          tree->shape->nexecutions,
                                          sizeof(ngx_http_prompt_set_t));
    if (tree->executions == NULL) {
        return NULL;
    }

    if (record == NULL) {

        if (ngx_http_prompt_tree_nested(tree->shape)) {
            first++;                   /* the snapshot, which has no rows */
        }

        first = ngx_http_prompt_tree_set(tree, first, &tree->prompts);
        tree->count = tree->prompts.rows->count;
    }

    if (tree->shape->versions) {
        first = ngx_http_prompt_tree_set(tree, first, &tree->versions);
    }

    for (i = 0; i < tree->shape->nexecutions; i++) {
        first = ngx_http_prompt_tree_set(tree, first, &tree->executions[i]);
    }

    if (tree->shape->creator
        && ngx_http_prompt_tree_creator(tree, first) != NGX_OK)
    {
        return NULL;
    }

    return tree;
}


/* returns the number of the next set */

static ngx_uint_t
ngx_http_prompt_tree_set(ngx_http_prompt_tree_t *tree, ngx_uint_t number,
    ngx_http_prompt_set_t *set)
{
    set->rows = &tree->op->result->rows[number];
    set->statement = tree->op->statements->bound[number].statement;

    return number + 1;
}


static ngx_int_t
ngx_http_prompt_tree_creator(ngx_http_prompt_tree_t *tree, ngx_uint_t number)
{
    prompt_user_t        *user;
    const prompt_rows_t  *rows;

    rows = &tree->op->result->rows[number];

    if (rows->count == 0) {
        return NGX_OK;
    }

    user = prompt_arena_alloc(tree->op->job->arena, sizeof(prompt_user_t));
    if (user == NULL) {
        return NGX_ERROR;
    }

    prompt_user_row(rows, 0, user);
    tree->creator = user;

    return NGX_OK;
}


ngx_uint_t
ngx_http_prompt_tree_rows(const ngx_http_prompt_tree_t *tree)
{
    ngx_uint_t  i, rows;

    rows = tree->count;

    if (tree->versions.rows != NULL) {
        rows += tree->versions.rows->count;
    }

    for (i = 0; i < tree->shape->nexecutions; i++) {
        rows += tree->executions[i].rows->count;
    }

    return rows;
}


ngx_uint_t
ngx_http_prompt_tree_left(const ngx_http_prompt_tree_t *tree)
{
    return tree->count - tree->prompts.next;
}


ngx_http_prompt_list_t *
ngx_http_prompt_tree_next(ngx_http_prompt_tree_t *tree, ngx_uint_t max)
{
    uint32_t                        i;
    ngx_http_prompt_list_t         *list;
    ngx_http_prompt_prompt_node_t  *prompts;

    list = prompt_arena_zalloc(tree->op->job->arena,
                               sizeof(ngx_http_prompt_list_t));
    if (list == NULL) {
        return NULL;
    }

    list->size = sizeof(ngx_http_prompt_prompt_node_t);
    list->count = (uint32_t) ngx_min(max, ngx_http_prompt_tree_left(tree));

    prompts = prompt_arena_array(tree->op->job->arena, list->count,
                                 sizeof(ngx_http_prompt_prompt_node_t));
    if (prompts == NULL) {
        return NULL;
    }

    list->first = (char *) prompts;

    for (i = 0; i < list->count; i++) {

        if (tree->record != NULL) {
            prompts[i].record = *tree->record;
            tree->prompts.next++;

        } else {
            prompt_row(tree->prompts.statement, tree->prompts.rows,
                       tree->prompts.next++, &prompts[i].record);
        }

        prompts[i].creator = tree->creator;

        if (tree->versions.rows != NULL
            && ngx_http_prompt_read_versions(tree, &prompts[i]) != NGX_OK)
        {
            return NULL;
        }
    }

    return list;
}


static ngx_int_t
ngx_http_prompt_read_versions(ngx_http_prompt_tree_t *tree,
    ngx_http_prompt_prompt_node_t *prompt)
{
    unsigned                         i, count;
    ngx_http_prompt_set_t           *set;
    ngx_http_prompt_version_node_t  *nodes;

    set = &tree->versions;
    count = ngx_http_prompt_count_versions(set, prompt->record.id);

    nodes = prompt_arena_array(tree->op->job->arena, count,
                               sizeof(ngx_http_prompt_version_node_t));
    if (nodes == NULL) {
        return NGX_ERROR;
    }

    prompt->versions.first = (char *) nodes;
    prompt->versions.size = sizeof(ngx_http_prompt_version_node_t);
    prompt->versions.count = count;

    for (i = 0; i < count; i++) {
        prompt_version_row(set->statement, set->rows, set->next++,
                           &nodes[i].record);

        if (ngx_http_prompt_read_version(tree, &nodes[i]) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* The rows of a prompt; those before it, of prompts not there, are left. */

static unsigned
ngx_http_prompt_count_versions(ngx_http_prompt_set_t *set, prompt_str_t id)
{
    int               order;
    unsigned          row;
    prompt_version_t  version;

    for (row = set->next; row < set->rows->count; row++) {
        prompt_version_row(set->statement, set->rows, row, &version);

        order = prompt_str_cmp(id, version.prompt_id);

        if (order > 0) {
            break;
        }

        if (order < 0) {
            set->next = row + 1;
        }
    }

    return row - set->next;
}


static ngx_int_t
ngx_http_prompt_read_version(ngx_http_prompt_tree_t *tree,
    ngx_http_prompt_version_node_t *version)
{
    ngx_uint_t       i;
    prompt_arena_t  *arena;

    arena = tree->op->job->arena;

    version->executions = prompt_arena_array(arena, tree->shape->nexecutions,
                                             sizeof(ngx_http_prompt_list_t));
    if (version->executions == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < tree->shape->nexecutions; i++) {
        if (ngx_http_prompt_read_executions(arena, &tree->executions[i],
                                            &version->record,
                                            &version->executions[i])
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_read_executions(prompt_arena_t *arena,
    ngx_http_prompt_set_t *set, const prompt_version_t *version,
    ngx_http_prompt_list_t *list)
{
    unsigned             i, count;
    prompt_execution_t  *records;

    count = ngx_http_prompt_count_executions(set, version);

    records = prompt_arena_array(arena, count, sizeof(prompt_execution_t));
    if (records == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < count; i++) {
        prompt_execution_row(set->statement, set->rows, set->next++,
                             &records[i]);
    }

    list->first = (char *) records;
    list->size = sizeof(prompt_execution_t);
    list->count = count;

    return NGX_OK;
}


/* The rows of a version; those before it, of versions not there, are left. */

static unsigned
ngx_http_prompt_count_executions(ngx_http_prompt_set_t *set,
    const prompt_version_t *version)
{
    int                 order;
    unsigned            row;
    prompt_execution_t  execution;

    for (row = set->next; row < set->rows->count; row++) {
        prompt_execution_row(set->statement, set->rows, row, &execution);

        order = ngx_http_prompt_cmp_execution(version, &execution);

        if (order > 0) {
            break;
        }

        if (order < 0) {
            set->next = row + 1;
        }
    }

    return row - set->next;
}


/* prompt ids descend, versions ascend */

static int
ngx_http_prompt_cmp_execution(const prompt_version_t *version,
    const prompt_execution_t *execution)
{
    int  order;

    order = prompt_str_cmp(version->prompt_id, execution->prompt_id);

    if (order == 0) {
        order = (execution->version > version->version)
                - (execution->version < version->version);
    }

    return order;
}
