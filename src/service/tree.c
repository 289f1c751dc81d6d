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


/* a set of execution rows and how far it was read */
typedef struct {
    const prompt_statement_t  *statement;
    const prompt_rows_t       *rows;
    prompt_execution_t        *records;
    unsigned                   next;
} ngx_http_prompt_execution_set_t;


/* everything that one reading needs */
typedef struct {
    ngx_http_prompt_operation_t      *op;
    const ngx_http_prompt_shape_t    *shape;
    ngx_uint_t                        next;      /* set of rows to be read */
    ngx_http_prompt_prompt_node_t    *prompts;
    ngx_uint_t                        nprompts;
    ngx_http_prompt_execution_set_t  *executions;
} ngx_http_prompt_reading_t;


static bool ngx_http_prompt_shape_versions(gql_plan_t *plan,
    ngx_http_prompt_shape_t *shape, const gql_plan_field_t *field);
static uint32_t ngx_http_prompt_shape_columns(const gql_plan_field_t *field);
static ngx_uint_t ngx_http_prompt_shape_count(gql_plan_selection_t *selection);
static bool ngx_http_prompt_tree_nested(const ngx_http_prompt_shape_t *shape);
static ngx_int_t ngx_http_prompt_tree_executions(
    ngx_http_prompt_operation_t *op, prompt_query_t *query,
    const prompt_scope_t *scope,
    const ngx_http_prompt_shape_executions_t *executions);
static ngx_int_t ngx_http_prompt_read_prompts(
    ngx_http_prompt_reading_t *reading, const prompt_record_t *record);
static ngx_int_t ngx_http_prompt_read_executions(
    ngx_http_prompt_reading_t *reading, ngx_uint_t first);
static ngx_int_t ngx_http_prompt_read_versions(
    ngx_http_prompt_reading_t *reading, ngx_uint_t set);
static ngx_int_t ngx_http_prompt_read_version(
    ngx_http_prompt_reading_t *reading,
    ngx_http_prompt_version_node_t *version);
static void ngx_http_prompt_take_executions(
    ngx_http_prompt_execution_set_t *set, const prompt_version_t *version,
    ngx_http_prompt_list_t *list);
static ngx_int_t ngx_http_prompt_read_creator(
    ngx_http_prompt_reading_t *reading, ngx_uint_t set);


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

    if (!ngx_http_prompt_argument_page(op, arguments, "Execution",
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
    ngx_uint_t                  versions, executions;
    ngx_http_prompt_list_t     *list;
    ngx_http_prompt_reading_t   reading;

    ngx_memzero(&reading, sizeof(ngx_http_prompt_reading_t));

    reading.op = op;
    reading.shape = op->field->data;
    reading.next = first;

    if (record == NULL && ngx_http_prompt_tree_nested(reading.shape)) {
        reading.next++;                /* the snapshot, which has no rows */
    }

    list = prompt_arena_zalloc(op->job->arena, sizeof(ngx_http_prompt_list_t));

    if (list == NULL
        || ngx_http_prompt_read_prompts(&reading, record) != NGX_OK)
    {
        return NULL;
    }

    versions = reading.next;
    executions = versions + reading.shape->versions;

    if (ngx_http_prompt_read_executions(&reading, executions) != NGX_OK
        || (reading.shape->versions
            && ngx_http_prompt_read_versions(&reading, versions) != NGX_OK)
        || (reading.shape->creator
            && ngx_http_prompt_read_creator(&reading,
                                     executions + reading.shape->nexecutions)
               != NGX_OK))
    {
        return NULL;
    }

    list->first = (char *) reading.prompts;
    list->size = sizeof(ngx_http_prompt_prompt_node_t);
    list->count = (uint32_t) reading.nprompts;

    return list;
}


static ngx_int_t
ngx_http_prompt_read_prompts(ngx_http_prompt_reading_t *reading,
    const prompt_record_t *record)
{
    unsigned                   i;
    const prompt_rows_t       *rows;
    const prompt_statement_t  *statement;

    rows = NULL;
    statement = NULL;
    reading->nprompts = 1;

    if (record == NULL) {
        rows = &reading->op->result->rows[reading->next];
        statement = reading->op->statements->bound[reading->next].statement;
        reading->nprompts = rows->count;
        reading->next++;
    }

    reading->prompts = prompt_arena_array(reading->op->job->arena,
                                          reading->nprompts,
                                      sizeof(ngx_http_prompt_prompt_node_t));
    if (reading->prompts == NULL) {
        return NGX_ERROR;
    }

    if (record != NULL) {
        reading->prompts[0].record = *record;
        return NGX_OK;
    }

    for (i = 0; i < rows->count; i++) {
        prompt_row(statement, rows, i, &reading->prompts[i].record);
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_read_executions(ngx_http_prompt_reading_t *reading,
    ngx_uint_t first)
{
    unsigned                          row;
    ngx_uint_t                        i;
    prompt_arena_t                   *arena;
    ngx_http_prompt_execution_set_t  *set;

    arena = reading->op->job->arena;

    reading->executions = prompt_arena_array(arena,
                                     reading->shape->nexecutions,
                                     sizeof(ngx_http_prompt_execution_set_t));
    if (reading->executions == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < reading->shape->nexecutions; i++) {
        set = &reading->executions[i];

        set->rows = &reading->op->result->rows[first + i];
        set->statement =
            reading->op->statements->bound[first + i].statement;
        set->records = prompt_arena_array(arena, set->rows->count,
                                          sizeof(prompt_execution_t));
        if (set->records == NULL) {
            return NGX_ERROR;
        }

        for (row = 0; row < set->rows->count; row++) {
            prompt_execution_row(set->statement, set->rows, row,
                                 &set->records[row]);
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_read_versions(ngx_http_prompt_reading_t *reading,
    ngx_uint_t set)
{
    int                              order;
    unsigned                         row;
    ngx_uint_t                       p;
    const prompt_rows_t             *rows;
    const prompt_statement_t        *statement;
    ngx_http_prompt_list_t          *list;
    ngx_http_prompt_version_node_t  *nodes;

    rows = &reading->op->result->rows[set];
    statement = reading->op->statements->bound[set].statement;

    nodes = prompt_arena_array(reading->op->job->arena, rows->count,
                               sizeof(ngx_http_prompt_version_node_t));
    if (nodes == NULL) {
        return NGX_ERROR;
    }

    p = 0;

    for (row = 0; row < rows->count; row++) {
        prompt_version_row(statement, rows, row, &nodes[row].record);

        order = -1;

        for ( /* void */ ; p < reading->nprompts; p++) {
            order = prompt_str_cmp(reading->prompts[p].record.id,
                                   nodes[row].record.prompt_id);
            if (order <= 0) {
                break;
            }
        }

        if (order != 0) {
            continue;                  /* of a prompt that is not in the list */
        }

        list = &reading->prompts[p].versions;

        if (list->count == 0) {
            list->first = (char *) &nodes[row];
            list->size = sizeof(ngx_http_prompt_version_node_t);
        }

        list->count++;

        if (ngx_http_prompt_read_version(reading, &nodes[row]) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_read_version(ngx_http_prompt_reading_t *reading,
    ngx_http_prompt_version_node_t *version)
{
    ngx_uint_t  i;

    version->executions = prompt_arena_array(reading->op->job->arena,
                                             reading->shape->nexecutions,
                                             sizeof(ngx_http_prompt_list_t));
    if (version->executions == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < reading->shape->nexecutions; i++) {
        ngx_http_prompt_take_executions(&reading->executions[i],
                                        &version->record,
                                        &version->executions[i]);
    }

    return NGX_OK;
}


/* The rows of a version; those before it are of versions that are not there */

static void
ngx_http_prompt_take_executions(ngx_http_prompt_execution_set_t *set,
    const prompt_version_t *version, ngx_http_prompt_list_t *list)
{
    int                  order;
    prompt_execution_t  *execution;

    list->size = sizeof(prompt_execution_t);

    for ( /* void */ ; set->next < set->rows->count; set->next++) {
        execution = &set->records[set->next];

        /* prompt ids descend, versions ascend */

        order = prompt_str_cmp(version->prompt_id, execution->prompt_id);

        if (order == 0) {
            order = (execution->version > version->version)
                    - (execution->version < version->version);
        }

        if (order > 0) {
            return;
        }

        if (order < 0) {
            continue;
        }

        if (list->count == 0) {
            list->first = (char *) execution;
        }

        list->count++;
    }
}


static ngx_int_t
ngx_http_prompt_read_creator(ngx_http_prompt_reading_t *reading,
    ngx_uint_t set)
{
    ngx_uint_t            p;
    prompt_user_t        *user;
    const prompt_rows_t  *rows;

    rows = &reading->op->result->rows[set];

    if (rows->count == 0) {
        return NGX_OK;
    }

    user = prompt_arena_alloc(reading->op->job->arena, sizeof(prompt_user_t));
    if (user == NULL) {
        return NGX_ERROR;
    }

    prompt_user_row(rows, 0, user);

    for (p = 0; p < reading->nprompts; p++) {
        reading->prompts[p].creator = user;
    }

    return NGX_OK;
}
