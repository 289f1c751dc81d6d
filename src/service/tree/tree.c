/*
 * Prompts with what hangs below them.
 *
 * Rows of prompts, versions and executions come by prompt id descending, then
 * version ascending, then execution id descending; labels and their moves in
 * the order in which they are shown.  Each statement saw the database at its
 * own moment, so a row whose parent is not there is passed over.
 *
 * A tree is no more than a place in each set of rows: a list that is being
 * written has one record, which each row takes in turn.
 */

#include "service/tree/tree_impl.h"

#include "base/uuid.h"
#include "service/frame/arguments.h"


/* each prompt has rows of its own there: ngx_http_prompt_resolve_kept() */
#define NGX_HTTP_PROMPT_TREE_LEFT_OUT  ((ngx_uint_t) -1)


static ngx_uint_t ngx_http_prompt_tree_set(ngx_http_prompt_tree_t *tree,
    ngx_uint_t number, ngx_http_prompt_set_t *set,
    const prompt_resource_t *resource, unsigned above);
static void ngx_http_prompt_tree_people(ngx_http_prompt_tree_t *tree,
    ngx_uint_t number);
static void *ngx_http_prompt_tree_next(ngx_http_prompt_list_t *list);
static ngx_http_prompt_set_t *ngx_http_prompt_tree_find(
    ngx_http_prompt_set_t *sets, const gql_plan_field_t *field,
    prompt_str_t prompt_id, const int32_t *version);


ngx_http_prompt_tree_t *
ngx_http_prompt_tree_create(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_tree_t              *tree;
    const ngx_http_prompt_projection_t  *proj;

    proj = root->field->data;

    tree = prompt_arena_zalloc(root->job->arena,
                               sizeof(ngx_http_prompt_tree_t));
    if (tree == NULL) {
        return NULL;
    }

    tree->root = root;
    tree->proj = proj;

    tree->versions = prompt_arena_array(root->job->arena, proj->nlists,
                                        sizeof(ngx_http_prompt_set_t));
    if (tree->versions == NULL) {
        return NULL;
    }

    tree->executions = &tree->versions[proj->nversions];
    tree->labels = &tree->executions[proj->nexecutions];
    tree->moves = &tree->labels[proj->nlabels];

    return tree;
}


void
ngx_http_prompt_tree_take(ngx_http_prompt_tree_t *tree,
    const ngx_http_prompt_kept_t *kept)
{
    tree->kept = kept;
}


void
ngx_http_prompt_tree_open(ngx_http_prompt_tree_t *tree, ngx_uint_t first,
    const prompt_record_t *record)
{
    ngx_uint_t                           i, n;
    ngx_http_prompt_set_t               *set;
    const ngx_http_prompt_projection_t  *proj;

    proj = tree->proj;

    tree->record = record;
    tree->prompts.item.prompt.tree = tree;

    if (record == NULL) {

        if (prompt_snapshot_first(tree->root->query)) {
            first++;                   /* it has no rows */
        }

        first = ngx_http_prompt_tree_set(tree, first, &tree->prompts,
                                         &prompt_prompt_resource, 0);
    }

    for (i = 0, n = 0; i < proj->nversions; i++) {
        set = &tree->versions[i];
        set->item.version.tree = tree;

        if (tree->kept != NULL && tree->kept->number == i) {
            (void) ngx_http_prompt_tree_set(tree,
                                            NGX_HTTP_PROMPT_TREE_LEFT_OUT, set,
                                            &prompt_version_resource, 1);
        } else {
            first = ngx_http_prompt_tree_set(tree, first, set,
                                             &prompt_version_resource, 1);
        }

        while (n < proj->nexecutions && proj->executions[n].versions == i) {
            first = ngx_http_prompt_tree_set(tree, first,
                                             &tree->executions[n++],
                                             &prompt_execution_resource, 2);
        }
    }

    for (i = 0; i < proj->nlabels; i++) {
        first = ngx_http_prompt_tree_set(tree, first, &tree->labels[i],
                                         &prompt_label_resource, 1);
    }

    for (i = 0; i < proj->nmoves; i++) {
        first = ngx_http_prompt_tree_set(tree, first, &tree->moves[i],
                                         &prompt_move_resource, 1);
    }

    ngx_http_prompt_tree_people(tree, first);
}


/* returns the number of the next set */
static ngx_uint_t
ngx_http_prompt_tree_set(ngx_http_prompt_tree_t *tree, ngx_uint_t number,
    ngx_http_prompt_set_t *set, const prompt_resource_t *resource,
    unsigned above)
{
    set->list.item = ngx_http_prompt_tree_next;
    set->tree = tree;
    set->resource = resource;
    set->above = above;
    set->number = number;
    set->next = 0;
    set->looked = 0;
    set->statement = NULL;
    set->rows = NULL;

    if (number == NGX_HTTP_PROMPT_TREE_LEFT_OUT) {
        return number;
    }

    set->rows = &tree->root->result->rows[number];
    set->statement = tree->root->query->bound[number].statement;

    return number + 1;
}


/* Where nobody is named it is the one whose personal project it is. */
static void
ngx_http_prompt_tree_people(ngx_http_prompt_tree_t *tree, ngx_uint_t number)
{
    ngx_uint_t                           i;
    ngx_http_prompt_set_t               *set;
    ngx_http_prompt_by_t                 by;
    const ngx_http_prompt_projection_t  *proj;

    proj = tree->proj;

    if (!proj->people) {
        return;
    }

    ngx_http_prompt_people_init(&tree->people, tree->root, number);

    by.people = &tree->people;
    by.owner = &tree->prompts.item.prompt.record.owner_id;
    by.nobody = NULL;

    by.id = &tree->prompts.item.prompt.record.created_by;
    tree->prompts.item.prompt.by = by;

    for (i = 0; i < proj->nversions; i++) {
        set = &tree->versions[i];
        by.id = &set->item.version.record.created_by;
        set->item.version.by = by;
    }

    for (i = 0; i < proj->nlabels; i++) {
        set = &tree->labels[i];
        by.id = &set->item.label.record.set_by;
        set->item.label.by = by;
    }

    for (i = 0; i < proj->nmoves; i++) {
        set = &tree->moves[i];
        by.id = &set->item.move.record.moved_by;
        by.nobody = &set->item.move.record.id;
        set->item.move.by = by;
    }

    by.owner = &tree->people.project;

    for (i = 0; i < proj->nexecutions; i++) {
        set = &tree->executions[i];
        by.id = &set->item.execution.record.user_id;
        by.nobody = &set->item.execution.record.id;
        set->item.execution.by = by;
    }
}


bool
ngx_http_prompt_tree_cut(const ngx_http_prompt_tree_t *tree,
    const prompt_range_t *range)
{
    ngx_uint_t                    i;
    const ngx_http_prompt_set_t  *set;

    set = &tree->prompts;

    if (tree->record == NULL
        && prompt_rows_cut(range, set->statement, set->rows))
    {
        return true;
    }

    for (i = 0; i < tree->proj->nlists; i++) {
        set = &tree->versions[i];

        if (set->rows != NULL
            && prompt_rows_cut(range, set->statement, set->rows))
        {
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


void
ngx_http_prompt_tree_record(const ngx_http_prompt_tree_t *tree, ngx_uint_t i,
    prompt_record_t *record)
{
    prompt_row(tree->prompts.statement, tree->prompts.rows, (unsigned) i,
               record);
}


ngx_http_prompt_prompt_node_t *
ngx_http_prompt_tree_prompt(ngx_http_prompt_tree_t *tree)
{
    ngx_http_prompt_prompt_node_t  *node;

    if (ngx_http_prompt_tree_count(tree) == 0) {
        return NULL;
    }

    if (tree->record == NULL) {
        return ngx_http_prompt_tree_next(&tree->prompts.list);
    }

    node = &tree->prompts.item.prompt;
    node->record = *tree->record;

    return node;
}


/* The record of a set takes the next row; what else its node has stays. */
static void *
ngx_http_prompt_tree_next(ngx_http_prompt_list_t *list)
{
    prompt_mask_t            columns;
    ngx_http_prompt_set_t   *set;
    ngx_http_prompt_root_t  *root;

    set = (ngx_http_prompt_set_t *) list;
    root = set->tree->root;

    /* what it hangs on stands in the first columns, and was read there */

    columns = set->statement->columns >> set->above << set->above;

    /* those before it were written */

    if (root->query->budget != 0) {
        ngx_http_prompt_postgres_drop_rows(root->task, set->number, set->next);
    }

    prompt_columns_read(set->resource, columns, set->rows, set->next++,
                        set->above, &set->item);

    return &set->item;
}


void
ngx_http_prompt_resolve_versions(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_set_t          *set;
    ngx_http_prompt_prompt_node_t  *prompt = parent;

    if (prompt->tree->kept != NULL
        && prompt->tree->kept->number == *(ngx_uint_t *) field->data)
    {
        ngx_http_prompt_resolve_kept(prompt, field, out);
        return;
    }

    set = ngx_http_prompt_tree_find(prompt->tree->versions, field,
                                    prompt->record.id, NULL);
    set->item.version.record.prompt_id = prompt->record.id;

    ngx_http_prompt_result_list(&set->list, out);
}


/* In a list of prompts some have no such version: that is no error there. */
void
ngx_http_prompt_resolve_version(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    char                            text[PROMPT_UUID_TEXT_LEN];
    gql_error_t                    *error;
    prompt_uuid_t                   id;
    ngx_http_prompt_set_t          *set;
    const gql_type_ref_t           *type;
    ngx_http_prompt_prompt_node_t  *prompt = parent;

    set = ngx_http_prompt_tree_find(prompt->tree->versions, field,
                                    prompt->record.id, NULL);
    set->item.version.record.prompt_id = prompt->record.id;

    if (set->list.count != 0) {
        ngx_http_prompt_result_object(ngx_http_prompt_tree_next(&set->list),
                                      out);
        return;
    }

    type = prompt->tree->root->field->def->type;

    if ((type->kind == GQL_REF_NON_NULL ? type->of : type)->kind
        == GQL_REF_LIST)
    {
        return;
    }

    ngx_memcpy(id.bytes, prompt->record.id.data, sizeof(id.bytes));
    prompt_uuid_format(&id, text);

    error = ngx_http_prompt_no_version(job,
                                       gql_execution_arguments(job->execution,
                                                               field, &error),
                                       prompt_str("number"),
                                       prompt_str_of(text, sizeof(text)));
    if (error != NULL) {
        out->kind = GQL_RESULT_ERROR;
        out->u.error = error;
    }
}


void
ngx_http_prompt_resolve_labels(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_set_t          *set;
    ngx_http_prompt_prompt_node_t  *prompt = parent;

    set = ngx_http_prompt_tree_find(prompt->tree->labels, field,
                                    prompt->record.id, NULL);
    ngx_http_prompt_result_list(&set->list, out);
}


void
ngx_http_prompt_resolve_moves(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_set_t          *set;
    ngx_http_prompt_prompt_node_t  *prompt = parent;

    set = ngx_http_prompt_tree_find(prompt->tree->moves, field,
                                    prompt->record.id, NULL);
    ngx_http_prompt_result_list(&set->list, out);
}


void
ngx_http_prompt_resolve_executions(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_set_t           *set;
    ngx_http_prompt_version_node_t  *version = parent;

    static ngx_http_prompt_list_t  none = { NULL, 0, 0, 0, NULL, NULL };

    if (version->tree == NULL) {
        ngx_http_prompt_result_list(&none, out);
        return;
    }

    set = ngx_http_prompt_tree_find(version->tree->executions, field,
                                    version->record.prompt_id,
                                    &version->record.version);
    set->item.execution.record.prompt_id = version->record.prompt_id;
    set->item.execution.record.version = version->record.version;
    set->item.execution.prompt = &version->tree->prompts.item.prompt;

    ngx_http_prompt_result_list(&set->list, out);
}


/*
 * The set of a field, its list being the rows of a prompt, or of a version of
 * it; those before them, whose parents are not there, are left.  Prompt ids,
 * which stand in the first column, descend; versions, in the second, ascend.
 */
static ngx_http_prompt_set_t *
ngx_http_prompt_tree_find(ngx_http_prompt_set_t *sets,
    const gql_plan_field_t *field, prompt_str_t prompt_id,
    const int32_t *version)
{
    int                     order;
    unsigned                row;
    ngx_http_prompt_set_t  *set;

    set = &sets[*(ngx_uint_t *) field->data];

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

    return set;
}
