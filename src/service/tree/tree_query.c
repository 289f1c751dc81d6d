/*
 * Prompts with what hangs below them: from a projection to a query.
 */

#include "service/tree/tree_kept.h"

#include "prompt/name.h"
#include "service/frame/arguments.h"
#include "service/worker/worker.h"


/* rows of one set, and bytes of all, that first attempts may bring */
#define NGX_HTTP_PROMPT_SHORT_ROWS    513
#define NGX_HTTP_PROMPT_SHORT_SETS    8      /* sets; of more: fewer */
#define NGX_HTTP_PROMPT_SHORT_MEMORY  (8 * 1024 * 1024)
#define NGX_HTTP_PROMPT_SHORT_VALUE   (16 * 1024)


static bool ngx_http_prompt_tree_prompts(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_range_t *range,
    const ngx_http_prompt_kept_t *kept) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_tree_choose(ngx_http_prompt_root_t *root,
    ngx_http_prompt_kept_t *kept) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_tree_labels(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_range_t *range) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_tree_versions(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_range_t *range, ngx_uint_t number,
    bool left_out) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_versions_page(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, prompt_versions_t *versions)
    PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_version_one(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, prompt_versions_t *versions)
    PROMPT_WARN_UNUSED;


bool
ngx_http_prompt_tree_query(ngx_http_prompt_root_t *root, prompt_query_t *query,
    const prompt_range_t *range, bool with_prompts,
    ngx_http_prompt_kept_t *kept)
{
    ngx_uint_t                           i;
    const ngx_http_prompt_projection_t  *proj;

    proj = root->field->data;

    if (!ngx_http_prompt_project_allowed(root, proj->refused)) {
        return false;
    }

    /* beside them: a snapshot, or a change, the prompts, their creator */

    if (proj->nlists + 3 > PROMPT_STORE_MAX_STATEMENTS) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                   proj->nexecutions != 0 ? prompt_str("executions")
                   : proj->nversions != 0 ? prompt_str("versions")
                                          : prompt_str("labels"),
                   "Versions, executions and labels are selected %lu times "
                   "below one field; at most %d are allowed.",
                   (unsigned long) proj->nlists,
                   PROMPT_STORE_MAX_STATEMENTS - 3);
        return false;
    }

    if (kept != NULL && !ngx_http_prompt_tree_choose(root, kept)) {
        return false;
    }

    if (with_prompts
        && !ngx_http_prompt_tree_prompts(root, query, range, kept))
    {
        return false;
    }

    for (i = 0; i < proj->nversions; i++) {
        if (!ngx_http_prompt_tree_versions(root, query, range, i,
                                           kept != NULL && kept->left_out
                                           && kept->number == i))
        {
            return false;
        }
    }

    if (!ngx_http_prompt_tree_labels(root, query, range)) {
        return false;
    }

    return !proj->creator
           || ngx_http_prompt_root_bound(root,
                                         prompt_user_of_range(query, range));
}


/*
 * Where more than one statement reads, all must see one moment.  What is below
 * one prompt may be read beside others.
 */
static bool
ngx_http_prompt_tree_prompts(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_range_t *range,
    const ngx_http_prompt_kept_t *kept)
{
    prompt_mask_t                        columns;
    ngx_uint_t                           nlists;
    const ngx_http_prompt_projection_t  *proj;

    proj = root->field->data;

    columns = proj->prompt_columns;
    nlists = proj->nlists;

    if (kept != NULL && kept->number != NGX_HTTP_PROMPT_KEPT_NONE) {
        columns |= prompt_bit(&prompt_prompt_resource, prompt_record_t,
                              last_version)
                   | prompt_bit(&prompt_prompt_resource, prompt_record_t,
                                updated_at);
        nlists -= kept->left_out;
    }

    if (range->kind == PROMPT_RANGE_ID && proj->nexecutions != 0) {
        columns |= prompt_bit(&prompt_prompt_resource, prompt_record_t,
                              owner_id);
    }

    if (query->length == PROMPT_QUERY_SHORT
        && (range->kind == PROMPT_RANGE_ID || range->kind == PROMPT_RANGE_NAME))
    {
        query->length = PROMPT_QUERY_ROW;
    }

    return ngx_http_prompt_root_bound(root,
                   ((nlists == 0 && !proj->creator) || prompt_snapshot(query))
                   && prompt_read(query, range, columns));
}


/* The field whose versions the worker may have: the only whole list. */
static bool
ngx_http_prompt_tree_choose(ngx_http_prompt_root_t *root,
    ngx_http_prompt_kept_t *kept)
{
    ngx_uint_t                           i;
    prompt_versions_t                    versions;
    const ngx_http_prompt_projection_t  *proj;

    proj = root->field->data;

    kept->number = NGX_HTTP_PROMPT_KEPT_NONE;

    for (i = 0; i < proj->nversions; i++) {

        if (!ngx_http_prompt_versions_page(root, proj->versions[i].field,
                                           &versions))
        {
            return false;
        }

        if (!prompt_versions_all(&versions)) {
            continue;
        }

        if (kept->number != NGX_HTTP_PROMPT_KEPT_NONE) {
            kept->number = NGX_HTTP_PROMPT_KEPT_NONE;
            break;
        }

        kept->number = i;
        kept->columns = proj->versions[i].columns;
    }

    kept->left_out = kept->left_out
                     && kept->number != NGX_HTTP_PROMPT_KEPT_NONE;

    return true;
}


/* The labels and labelHistory fields. */
static bool
ngx_http_prompt_tree_labels(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_range_t *range)
{
    uint32_t                               first;
    ngx_uint_t                             i;
    prompt_str_t                           after;
    const prompt_json_t                   *arguments;
    const ngx_http_prompt_projection_t    *proj;
    const ngx_http_prompt_project_list_t  *moves;

    proj = root->field->data;

    for (i = 0; i < proj->nlabels; i++) {
        if (!ngx_http_prompt_root_bound(root,
                       prompt_label_read(query, range,
                                         proj->labels[i].columns)))
        {
            return false;
        }
    }

    for (i = 0; i < proj->nmoves; i++) {
        moves = &proj->moves[i];

        if (!ngx_http_prompt_nested_arguments(root, moves->field, &arguments)
            || !ngx_http_prompt_argument_page(root, arguments, "Label move",
                                              NGX_HTTP_PROMPT_DEFAULT_MOVES,
                                              &first, &after)
            || !ngx_http_prompt_root_bound(root,
                       prompt_label_moves(query, range, moves->columns, first,
                                          after)))
        {
            return false;
        }
    }

    return true;
}


/* A versions or version field and the executions fields below it. */
static bool
ngx_http_prompt_tree_versions(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_range_t *range, ngx_uint_t number,
    bool left_out)
{
    char                                         above[PROMPT_UUID_LEN];
    uint32_t                                     first;
    ngx_uint_t                                   i;
    prompt_str_t                                 after;
    prompt_versions_t                            versions;
    ngx_http_prompt_worker_t                    *worker;
    const ngx_http_prompt_projection_t          *proj;
    const ngx_http_prompt_project_executions_t  *executions;

    proj = root->field->data;
    worker = ngx_http_prompt_get_worker(root->job->request);

    if (!ngx_http_prompt_versions_page(root, proj->versions[number].field,
                                       &versions)
        || !ngx_http_prompt_root_bound(root, left_out
                   || prompt_version_read(query, range, &versions,
                                          proj->versions[number].columns)))
    {
        return false;
    }

    for (i = 0; i < proj->nexecutions; i++) {
        executions = &proj->executions[i];

        if (executions->versions != number) {
            continue;
        }

        if (!ngx_http_prompt_executions_page(root, executions->field, &first,
                                             &after))
        {
            return false;
        }

        if (after.data == NULL) {
            after = ngx_http_prompt_newest_above(worker, above);
        }

        if (!ngx_http_prompt_root_bound(root,
                       prompt_execution_read(query, range, &versions,
                                             executions->columns, first, after,
                                             ngx_http_prompt_newest_older(
                                                 worker))))
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

    if (prompt_str_eq(field->def->name, prompt_str("version"))) {
        return ngx_http_prompt_version_one(root, field, versions);
    }

    if (!ngx_http_prompt_nested_arguments(root, field, &arguments)
        || !ngx_http_prompt_argument_page(root, arguments, "Version", 0,
                                          &versions->first, &versions->after)
        || !ngx_http_prompt_argument_count(root, arguments, prompt_str("last"),
                                           &versions->last))
    {
        return false;
    }

    if (versions->first != 0 && versions->last != 0) {
        return ngx_http_prompt_root_wrong(root, "last",
                   "\"first\" and \"last\" cannot be given together.");
    }

    return true;
}


static bool
ngx_http_prompt_version_one(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, prompt_versions_t *versions)
{
    int64_t               number;
    const prompt_json_t  *arguments, *value;

    if (!ngx_http_prompt_nested_arguments(root, field, &arguments)) {
        return false;
    }

    value = ngx_http_prompt_argument(arguments, prompt_str("number"));

    versions->one = true;
    versions->label = ngx_http_prompt_argument_text(arguments,
                                                    prompt_str("label"));

    if (value != NULL && versions->label.data != NULL) {
        return ngx_http_prompt_root_wrong(root, "label",
                   "\"number\" and \"label\" cannot be given together.");
    }

    if (value != NULL && prompt_json_integer(value, &number)) {
        versions->number = prompt_maybe(number);
    }

    if (prompt_label_is_latest(versions->label)) {
        versions->label = prompt_str_absent;
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


bool
ngx_http_prompt_nested_arguments(ngx_http_prompt_root_t *root,
    const gql_plan_field_t *field, const prompt_json_t **arguments)
{
    gql_error_t  *error;

    *arguments = gql_execution_arguments(root->job->execution, field, &error);

    if (*arguments == NULL) {
        return ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                   prompt_str_absent, "%.*s", prompt_str_arg(error->message));
    }

    return ngx_http_prompt_arguments_check(root, field->def, *arguments);
}


void
ngx_http_prompt_tree_guard(ngx_http_prompt_root_t *root, prompt_range_t *range)
{
    uint32_t                             i, rows, bytes;
    ngx_uint_t                           sets, large;
    const gql_plan_field_t              *field;
    const gql_plan_selection_t          *selection;
    const ngx_http_prompt_field_t       *entry;
    const ngx_http_prompt_projection_t  *proj;

    sets = 0;
    large = 0;
    selection = root->job->plan->root;

    for (i = 0; i < selection->nfields; i++) {
        field = &selection->fields[i];
        entry = gql_field_is_meta(field) ? NULL : field->def->data;

        if (entry != NULL && entry->compile == ngx_http_prompt_project_compile)
        {
            proj = field->data;
            sets += 1 + proj->nlists;
            large += proj->large;
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
