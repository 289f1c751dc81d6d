/*
 * Projections: what a selection on Prompt asks for, found out once when its
 * plan is compiled.
 */

#include "service/tree/tree.h"
#include "store/version_cache.h"


static bool ngx_http_prompt_project_alloc(gql_plan_t *plan,
    ngx_http_prompt_projection_t *proj, const gql_plan_selection_t *selection);
static bool ngx_http_prompt_project_field(gql_plan_t *plan,
    ngx_http_prompt_projection_t *proj, gql_plan_field_t *field);
static bool ngx_http_prompt_project_versions(gql_plan_t *plan,
    ngx_http_prompt_projection_t *proj, gql_plan_field_t *field);
static bool ngx_http_prompt_project_list(gql_plan_t *plan,
    ngx_http_prompt_projection_t    *proj, gql_plan_field_t *field,
    ngx_http_prompt_project_list_t *list, ngx_uint_t number);
static bool ngx_http_prompt_project_number(gql_plan_t *plan,
    gql_plan_field_t *field, ngx_uint_t number);
static bool ngx_http_prompt_project_form(gql_plan_t *plan,
    ngx_http_prompt_project_list_t *list);
static bool ngx_http_prompt_form_write(prompt_buf_t *form,
    const gql_plan_selection_t *selection);
static prompt_mask_t ngx_http_prompt_project_columns(
    const gql_plan_selection_t *selection, ngx_uint_t *large, bool *people);
static bool ngx_http_prompt_is_version(const gql_plan_field_t *field);
static void ngx_http_prompt_project_executions(
    ngx_http_prompt_projection_t *proj,
    ngx_http_prompt_project_executions_t *executions,
    const gql_plan_field_t *field);
static void ngx_http_prompt_project_prompt(
    ngx_http_prompt_project_execution_t *proj,
    const gql_plan_selection_t *selection);
static bool ngx_http_prompt_is_field(const gql_plan_field_t *field,
    const char *name);


bool
ngx_http_prompt_project_compile(gql_plan_t *plan, gql_plan_field_t *field)
{
    uint32_t                       i;
    gql_plan_selection_t          *selection;
    ngx_http_prompt_projection_t  *proj;

    proj = prompt_arena_zalloc(plan->arena,
                               sizeof(ngx_http_prompt_projection_t));
    if (proj == NULL) {
        return false;
    }

    field->data = proj;

    if (field->nselections == 0) {
        return true;
    }

    selection = field->selections[0];

    if (!ngx_http_prompt_project_alloc(plan, proj, selection)) {
        return false;
    }

    proj->prompt_columns = ngx_http_prompt_project_columns(selection,
                                                           &proj->large,
                                                           &proj->people);

    for (i = 0; i < selection->nfields; i++) {
        if (!ngx_http_prompt_project_field(plan, proj, &selection->fields[i])) {
            return false;
        }
    }

    proj->nlists = proj->nversions + proj->nexecutions + proj->nlabels
                    + proj->nmoves;

    return true;
}


/* Room for as many of each as are selected. */
static bool
ngx_http_prompt_project_alloc(gql_plan_t *plan,
    ngx_http_prompt_projection_t *proj, const gql_plan_selection_t *selection)
{
    uint32_t                     i, n, executions;
    const gql_plan_field_t      *field;
    const gql_plan_selection_t  *below;

    executions = 0;

    for (i = 0; i < selection->nfields; i++) {
        field = &selection->fields[i];

        if (!ngx_http_prompt_is_version(field)) {
            continue;
        }

        below = field->selections[0];

        for (n = 0; n < below->nfields; n++) {
            executions += ngx_http_prompt_is_field(&below->fields[n],
                                                   "executions");
        }
    }

    /* of the others no more than there are fields */

    n = selection->nfields;

    proj->executions = prompt_arena_array(plan->arena, executions,
                                 sizeof(ngx_http_prompt_project_executions_t));
    proj->versions = prompt_arena_array(plan->arena, n,
                                        sizeof(ngx_http_prompt_project_list_t));
    proj->labels = prompt_arena_array(plan->arena, n,
                                      sizeof(ngx_http_prompt_project_list_t));
    proj->moves = prompt_arena_array(plan->arena, n,
                                     sizeof(ngx_http_prompt_project_list_t));

    return proj->executions != NULL && proj->versions != NULL
           && proj->labels != NULL && proj->moves != NULL;
}


static bool
ngx_http_prompt_project_field(gql_plan_t *plan,
    ngx_http_prompt_projection_t *proj, gql_plan_field_t *field)
{
    ngx_uint_t  n;

    if (ngx_http_prompt_is_version(field)) {
        return ngx_http_prompt_project_versions(plan, proj, field);
    }

    if (ngx_http_prompt_is_field(field, "labels")) {
        n = proj->nlabels++;

        return ngx_http_prompt_project_list(plan, proj, field,
                                            &proj->labels[n], n);
    }

    if (ngx_http_prompt_is_field(field, "labelHistory")) {
        n = proj->nmoves++;

        return ngx_http_prompt_project_list(plan, proj, field,
                                            &proj->moves[n], n);
    }

    return true;
}


static bool
ngx_http_prompt_project_versions(gql_plan_t *plan,
    ngx_http_prompt_projection_t *proj, gql_plan_field_t *field)
{
    uint32_t                               i;
    gql_plan_field_t                      *child;
    gql_plan_selection_t                  *selection;
    ngx_http_prompt_project_executions_t  *executions;

    if (!ngx_http_prompt_project_list(plan, proj, field,
                                      &proj->versions[proj->nversions],
                                      proj->nversions))
    {
        return false;
    }

    selection = field->selections[0];

    for (i = 0; i < selection->nfields; i++) {
        child = &selection->fields[i];

        if (!ngx_http_prompt_is_field(child, "executions")) {
            continue;
        }

        if (!ngx_http_prompt_project_number(plan, child, proj->nexecutions)) {
            return false;
        }

        executions = &proj->executions[proj->nexecutions++];
        executions->versions = proj->nversions;
        ngx_http_prompt_project_executions(proj, executions, child);
    }

    return ngx_http_prompt_project_form(plan,
                                        &proj->versions[proj->nversions++]);
}


/* Keys and fields, as they are written; false: memory. */
static bool
ngx_http_prompt_project_form(gql_plan_t *plan,
    ngx_http_prompt_project_list_t *list)
{
    bool          known;
    prompt_buf_t  form;

    list->form = prompt_str_absent;

    prompt_buf_init(&form, PROMPT_KEPT_FORM);
    known = ngx_http_prompt_form_write(&form, list->field->selections[0]);

    if (known && form.status == PROMPT_BUF_OK) {
        list->form = prompt_arena_copy(plan->arena, prompt_buf_view(&form));
        known = list->form.data != NULL;

    } else {
        known = form.status != PROMPT_BUF_NOMEM;
    }

    prompt_buf_free(&form);

    return known;
}


/* false: what is written depends on more than the versions */
static bool
ngx_http_prompt_form_write(prompt_buf_t *form,
    const gql_plan_selection_t *selection)
{
    uint32_t                 i;
    const gql_plan_field_t  *field;

    if (selection->invalid != NULL) {
        return false;
    }

    prompt_buf_char(form, '{');

    for (i = 0; i < selection->nfields; i++) {
        field = &selection->fields[i];

        prompt_buf_str(form, field->json_key);

        if (field->kind == GQL_PLAN_TYPENAME) {
            prompt_buf_str(form, field->owner->name);
            prompt_buf_char(form, '!');
            continue;
        }

        if (gql_field_is_meta(field) || field->def->nargs != 0
            || field->nselections > 1 || ngx_http_prompt_is_person(field))
        {
            return false;
        }

        prompt_buf_str(form, field->def->name);

        if (field->nselections != 0
            && !ngx_http_prompt_form_write(form, field->selections[0]))
        {
            return false;
        }
    }

    prompt_buf_char(form, '}');

    return true;
}


static bool
ngx_http_prompt_project_list(gql_plan_t *plan,
    ngx_http_prompt_projection_t *proj, gql_plan_field_t *field,
    ngx_http_prompt_project_list_t *list, ngx_uint_t number)
{
    list->field = field;
    list->columns = ngx_http_prompt_project_columns(field->selections[0],
                                                    &proj->large,
                                                    &proj->people);

    return ngx_http_prompt_project_number(plan, field, number);
}


/* the resolver finds its set of rows by this number */
static bool
ngx_http_prompt_project_number(gql_plan_t *plan, gql_plan_field_t *field,
    ngx_uint_t number)
{
    ngx_uint_t  *index;

    index = prompt_arena_alloc(plan->arena, sizeof(ngx_uint_t));
    if (index == NULL) {
        return false;
    }

    *index = number;
    field->data = index;

    return true;
}


/*
 * The columns that the fields of a selection read; counts large ones, and says
 * where there are people among the fields.
 */
static prompt_mask_t
ngx_http_prompt_project_columns(const gql_plan_selection_t *selection,
    ngx_uint_t *large, bool *people)
{
    uint32_t                        i;
    prompt_mask_t                   bit, columns;
    const ngx_http_prompt_field_t  *entry;

    columns = 0;

    for (i = 0; i < selection->nfields; i++) {
        entry = selection->fields[i].def->data;
        *people |= ngx_http_prompt_is_person(&selection->fields[i]);

        if (entry == NULL || entry->column == NULL) {
            continue;                                 /* __typename has none */
        }

        bit = prompt_column_bit(entry->resource, entry->column);

        if ((columns & bit) == 0
            && (entry->column->flags & PROMPT_COLUMN_LARGE))
        {
            (*large)++;
        }

        columns |= bit;
    }

    return columns;
}


/* Below a prompt, the prompt of an execution is that one. */
static void
ngx_http_prompt_project_executions(ngx_http_prompt_projection_t *proj,
    ngx_http_prompt_project_executions_t *executions,
    const gql_plan_field_t *field)
{
    ngx_http_prompt_project_execution_t  execution;

    ngx_http_prompt_project_execution(&execution, field);

    executions->field = field;
    executions->columns = execution.columns;

    proj->large += execution.large;
    proj->prompt_columns |= execution.prompt_columns;
    proj->people |= execution.people || execution.creator;

    if (execution.refused.data != NULL) {
        proj->refused = execution.refused;
    }
}


void
ngx_http_prompt_project_execution(ngx_http_prompt_project_execution_t *proj,
    const gql_plan_field_t *field)
{
    uint32_t                     i;
    ngx_uint_t                   none;
    const gql_plan_selection_t  *selection;

    ngx_memzero(proj, sizeof(ngx_http_prompt_project_execution_t));

    none = 0;
    selection = field->selections[0];

    proj->columns = ngx_http_prompt_project_columns(selection, &proj->large,
                                                    &proj->people);

    for (i = 0; i < selection->nfields; i++) {
        if (ngx_http_prompt_is_field(&selection->fields[i], "prompt")) {
            ngx_http_prompt_project_prompt(proj,
                                           selection->fields[i].selections[0]);

        } else if (ngx_http_prompt_is_field(&selection->fields[i], "scores")) {
            (void) ngx_http_prompt_project_columns(
                       selection->fields[i].selections[0], &none,
                       &proj->people);
        }
    }
}


static void
ngx_http_prompt_project_prompt(ngx_http_prompt_project_execution_t *proj,
    const gql_plan_selection_t *selection)
{
    uint32_t                        i;
    const gql_plan_field_t         *field;
    const ngx_http_prompt_field_t  *entry;

    proj->prompt = true;
    proj->prompt_columns |= ngx_http_prompt_project_columns(selection,
                                                            &proj->large,
                                                            &proj->creator);

    for (i = 0; i < selection->nfields; i++) {
        field = &selection->fields[i];

        if (gql_field_is_meta(field)) {
            continue;
        }

        entry = field->def->data;

        if (entry->column == NULL && !ngx_http_prompt_is_person(field)) {
            proj->refused = field->def->name;
        }
    }
}


bool
ngx_http_prompt_project_allowed(ngx_http_prompt_root_t *root,
    prompt_str_t refused)
{
    if (refused.data == NULL) {
        return true;
    }

    return ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
               refused,
               "\"%.*s\" cannot be selected below \"Execution.prompt\": ask "
               "\"prompt\" for it.", prompt_str_arg(refused));
}


bool
ngx_http_prompt_selects(const gql_plan_selection_t *selection,
    const char *name)
{
    uint32_t  i;

    for (i = 0; i < selection->nfields; i++) {
        if (ngx_http_prompt_is_field(&selection->fields[i], name)) {
            return true;
        }
    }

    return false;
}


static bool
ngx_http_prompt_is_version(const gql_plan_field_t *field)
{
    return ngx_http_prompt_is_field(field, "versions")
           || ngx_http_prompt_is_field(field, "version");
}


static bool
ngx_http_prompt_is_field(const gql_plan_field_t *field, const char *name)
{
    return !gql_field_is_meta(field)
           && prompt_str_eq(field->def->name, prompt_str_from(name));
}
