/*
 * Projects: project, projects, createProject, updateProject, and the fields of
 * Project.
 *
 * What is below projects is read in statements of its own, one for each time
 * that it is selected, whose rows come in the order of the projects.
 */

#include "service/fields/project_impl.h"

#include "prompt/name.h"
#include "prompt/text.h"
#include "service/fields/budget_node.h"
#include "service/frame/input.h"
#include "service/tree/tree.h"


/* rows of what is only read, in bytes: written in one go */
#define NGX_HTTP_PROMPT_PROJECTS_MEMORY   (1024 * 1024)

#define NGX_HTTP_PROMPT_DEFAULT_MEMBERS   100


/* what is below projects, in lists */
typedef struct {
    const char  *name;               /* of the field */
    size_t       size;               /* of an item */
    bool       (*ask)(ngx_http_prompt_root_t *root, prompt_query_t *query,
                      const prompt_projects_t *of,
                      const gql_plan_field_t *field);
    void       (*read)(const prompt_rows_t *rows, unsigned row, void *item);
} ngx_http_prompt_below_kind_t;


/* one of these that is selected; in the plan */
typedef struct {
    const ngx_http_prompt_below_kind_t  *kind;
    const gql_plan_field_t              *field;
} ngx_http_prompt_below_list_t;

typedef struct {
    ngx_http_prompt_below_list_t  *lists;
    ngx_uint_t                     nlists;
} ngx_http_prompt_below_t;


typedef struct {
    prompt_project_t                  record;    /* first */
    ngx_http_prompt_list_t           *lists;     /* as in the plan */
} ngx_http_prompt_project_node_t;


static void ngx_http_prompt_project(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_projects(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_projects_read(ngx_http_prompt_root_t *root,
    prompt_str_t id, ngx_http_prompt_root_pt done);
static void ngx_http_prompt_project_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_projects_done(ngx_http_prompt_root_t *root);
static ngx_http_prompt_project_node_t *ngx_http_prompt_projects_nodes(
    ngx_http_prompt_root_t *root, ngx_uint_t first);
static bool ngx_http_prompt_projects_fill(ngx_http_prompt_root_t *root,
    const prompt_rows_t *rows, ngx_uint_t number,
    ngx_http_prompt_project_node_t *nodes, ngx_uint_t n) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_create_project(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_create_project_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_update_project(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_update_project_done(ngx_http_prompt_root_t *root);
static ngx_http_prompt_check_t  ngx_http_prompt_check_protected;
static bool ngx_http_prompt_members_ask(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_projects_t *of,
    const gql_plan_field_t *field) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_member_read(const prompt_rows_t *rows,
    unsigned row, void *item);
static bool ngx_http_prompt_invitations_ask(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_projects_t *of,
    const gql_plan_field_t *field) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_invitation_read(const prompt_rows_t *rows,
    unsigned row, void *item);
static bool ngx_http_prompt_budgets_ask(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_projects_t *of,
    const gql_plan_field_t *field) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_budget_read(const prompt_rows_t *rows,
    unsigned row, void *item);
static ngx_http_prompt_resolve_t  ngx_http_prompt_resolve_beside;
static ngx_http_prompt_resolve_t  ngx_http_prompt_resolve_usage;


static const ngx_http_prompt_below_kind_t  ngx_http_prompt_below_kinds[] = {
    { "members", sizeof(prompt_member_t),
      ngx_http_prompt_members_ask, ngx_http_prompt_member_read },

    { "invitations", sizeof(prompt_invitation_t),
      ngx_http_prompt_invitations_ask, ngx_http_prompt_invitation_read },

    { "budgets", sizeof(ngx_http_prompt_project_budget_t),
      ngx_http_prompt_budgets_ask, ngx_http_prompt_budget_read },

    { "usage", sizeof(prompt_project_usage_t),
      ngx_http_prompt_usage_ask, ngx_http_prompt_usage_read },

    { NULL, 0, NULL, NULL }
};


#define project(member)                                                      \
    .resource = &prompt_project_resource,                                    \
    .offset = offsetof(prompt_project_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_project_fields[] = {

    { .type = "Query", .name = "project",
      .scope = PROMPT_KEY_SCOPE_READ,
      .compile = ngx_http_prompt_projects_compile,
      .start = ngx_http_prompt_project },

    { .type = "Query", .name = "projects",
      .scope = PROMPT_KEY_SCOPE_SESSION,
      .compile = ngx_http_prompt_projects_compile,
      .start = ngx_http_prompt_projects },

    { .type = "Mutation", .name = "createProject",
      .scope = PROMPT_KEY_SCOPE_SESSION,
      .compile = ngx_http_prompt_projects_compile,
      .start = ngx_http_prompt_create_project },

    { .type = "Mutation", .name = "updateProject",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .compile = ngx_http_prompt_projects_compile,
      .start = ngx_http_prompt_update_project },

    { .type = "Project", .name = "id", project(id) },
    { .type = "Project", .name = "name", project(name),
      .check = ngx_http_prompt_check_label,
      .most = PROMPT_LIMIT_PROJECT_NAME },
    { .type = "Project", .name = "personal", project(personal) },

    { .type = "Project", .name = "role",
      .resolve = ngx_http_prompt_slot_role,
      .offset = offsetof(prompt_project_t, role) },

    { .type = "Project", .name = "createdAt", project(created_at) },
    { .type = "Project", .name = "protectedLabels",
      project(protected_labels), .check = ngx_http_prompt_check_protected },
    { .type = "Project", .name = "recordsContent", project(records_content) },

    { .type = "Project", .name = "members",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_beside },

    { .type = "Project", .name = "budgets",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_beside },

    { .type = "Project", .name = "invitations",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .resolve = ngx_http_prompt_resolve_beside },

    { .type = "Project", .name = "usage",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_usage },

    { .type = NULL }
};


bool
ngx_http_prompt_projects_compile(gql_plan_t *plan, gql_plan_field_t *field)
{
    uint32_t                             i;
    ngx_uint_t                          *number;
    gql_plan_field_t                    *child;
    gql_plan_selection_t                *selection;
    ngx_http_prompt_below_t             *below;
    const ngx_http_prompt_below_kind_t  *kind;

    below = prompt_arena_zalloc(plan->arena,
                                sizeof(ngx_http_prompt_below_t));
    if (below == NULL) {
        return false;
    }

    field->data = below;

    if (field->nselections == 0) {
        return true;
    }

    selection = field->selections[0];
    below->lists = prompt_arena_array(plan->arena, selection->nfields,
                                      sizeof(ngx_http_prompt_below_list_t));
    if (below->lists == NULL) {
        return false;
    }

    for (i = 0; i < selection->nfields; i++) {
        child = &selection->fields[i];

        for (kind = ngx_http_prompt_below_kinds; kind->name; kind++) {

            if (gql_field_is_meta(child)
                || !prompt_str_eq(child->def->name,
                                  prompt_str_from(kind->name)))
            {
                continue;
            }

            number = prompt_arena_alloc(plan->arena, sizeof(ngx_uint_t));
            if (number == NULL) {
                return false;
            }

            *number = below->nlists++;
            child->data = number;
            below->lists[*number].kind = kind;
            below->lists[*number].field = child;
        }
    }

    return true;
}


/* project */
static void
ngx_http_prompt_project(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_projects_answer(root, ngx_http_prompt_caller(root));
}


void
ngx_http_prompt_projects_answer(ngx_http_prompt_root_t *root, prompt_str_t id)
{
    ngx_http_prompt_projects_read(root, id, ngx_http_prompt_project_done);
}


/* projects */
static void
ngx_http_prompt_projects(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_projects_read(root, prompt_str_absent,
                                  ngx_http_prompt_projects_done);
}


static void
ngx_http_prompt_projects_read(ngx_http_prompt_root_t *root, prompt_str_t id,
    ngx_http_prompt_root_pt done)
{
    prompt_query_t  *query;

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->length = PROMPT_QUERY_LONG;
        query->budget = NGX_HTTP_PROMPT_PROJECTS_MEMORY;

        if (ngx_http_prompt_projects_ask(root, query, id)) {
            ngx_http_prompt_root_send(root, true, done);
        }
    }
}


bool
ngx_http_prompt_projects_ask(ngx_http_prompt_root_t *root,
    prompt_query_t *query, prompt_str_t id)
{
    ngx_uint_t                           i;
    prompt_projects_t                    of;
    const ngx_http_prompt_below_t       *below;
    const ngx_http_prompt_below_list_t  *list;

    below = root->field->data;
    of.user_id = ngx_http_prompt_person(root);
    of.id = id;

    /* beside them: a change in two statements, and what hooks append */

    if (below->nlists + 4 > PROMPT_STORE_MAX_STATEMENTS) {
        return ngx_http_prompt_root_wrong(root, "members",
                   "Members, invitations and budgets are selected %lu times "
                   "below one field; at most %d are allowed.",
                   (unsigned long) below->nlists,
                   PROMPT_STORE_MAX_STATEMENTS - 4);
    }

    if (!ngx_http_prompt_root_bound(root, prompt_project_read(query, &of))) {
        return false;
    }

    for (i = 0; i < below->nlists; i++) {
        list = &below->lists[i];

        if (!list->kind->ask(root, query, &of, list->field)) {
            return false;
        }
    }

    return true;
}


static void
ngx_http_prompt_project_done(ngx_http_prompt_root_t *root)
{
    if (root->result->status == NGX_HTTP_PROMPT_POSTGRES_TOO_LONG) {
        (void) ngx_http_prompt_root_fail_too_long(root);

    } else if (ngx_http_prompt_root_succeeded(root)) {
        ngx_http_prompt_projects_show(root, 0);
    }
}


void
ngx_http_prompt_projects_show(ngx_http_prompt_root_t *root, ngx_uint_t first)
{
    ngx_http_prompt_project_node_t  *nodes;

    if (root->result->rows[first].count == 0) {

        /* the project, or the membership, ended after the key was looked up */

        ngx_http_prompt_root_fail(root, ngx_http_prompt_not_found,
                                  prompt_str_absent,
                                  "You are not a member of the project any "
                                  "more.");
        return;
    }

    nodes = ngx_http_prompt_projects_nodes(root, first);

    if (nodes != NULL) {
        ngx_http_prompt_root_object(root, nodes);
    }
}


static void
ngx_http_prompt_projects_done(ngx_http_prompt_root_t *root)
{
    gql_result_t                     result;
    ngx_http_prompt_list_t           list;
    ngx_http_prompt_project_node_t  *nodes;

    if (root->result->status == NGX_HTTP_PROMPT_POSTGRES_TOO_LONG) {
        (void) ngx_http_prompt_root_fail_too_long(root);
        return;
    }

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    nodes = ngx_http_prompt_projects_nodes(root, 0);

    if (nodes == NULL) {
        return;
    }

    ngx_memzero(&list, sizeof(ngx_http_prompt_list_t));

    list.first = (char *) nodes;
    list.size = sizeof(ngx_http_prompt_project_node_t);
    list.count = root->result->rows[0].count;

    ngx_http_prompt_result_list(&list, &result);
    ngx_http_prompt_root_complete(root, &result);
}


/* NULL: memory, and root was completed. */
static ngx_http_prompt_project_node_t *
ngx_http_prompt_projects_nodes(ngx_http_prompt_root_t *root, ngx_uint_t first)
{
    unsigned                         row;
    ngx_uint_t                       i;
    const prompt_rows_t             *rows;
    ngx_http_prompt_list_t          *lists;
    const ngx_http_prompt_below_t   *below;
    ngx_http_prompt_project_node_t  *nodes;

    below = root->field->data;
    rows = &root->result->rows[first];

    nodes = prompt_arena_array(root->job->arena, rows->count,
                               sizeof(ngx_http_prompt_project_node_t));
    lists = prompt_arena_zalloc(root->job->arena,
                                rows->count * below->nlists
                                * sizeof(ngx_http_prompt_list_t) + 1);

    if (nodes == NULL || lists == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return NULL;
    }

    for (row = 0; row < rows->count; row++) {
        prompt_project_row(rows, row, &nodes[row].record);
        nodes[row].lists = lists + row * below->nlists;
    }

    for (i = 0; i < below->nlists; i++) {
        if (!ngx_http_prompt_projects_fill(root, &rows[1 + i], i, nodes,
                                           rows->count))
        {
            return NULL;
        }
    }

    return nodes;
}


/* Rows of a project that was not there yet, a moment ago, are passed over. */
static bool
ngx_http_prompt_projects_fill(ngx_http_prompt_root_t *root,
    const prompt_rows_t *rows, ngx_uint_t number,
    ngx_http_prompt_project_node_t *nodes, ngx_uint_t n)
{
    char                                *item;
    unsigned                             row;
    ngx_uint_t                           i, at;
    prompt_str_t                         id;
    ngx_http_prompt_list_t              *list;
    const ngx_http_prompt_below_t       *below;
    const ngx_http_prompt_below_kind_t  *kind;

    below = root->field->data;
    kind = below->lists[number].kind;
    at = 0;

    item = prompt_arena_array(root->job->arena, rows->count, kind->size);

    if (item == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    for (row = 0; row < rows->count; row++, item += kind->size) {
        id = prompt_rows_cell(rows, row, 0);

        for (i = at; i < n && !prompt_str_eq(nodes[i].record.id, id); i++) {
            /* void */
        }

        if (i == n) {
            continue;
        }

        at = i;
        list = &nodes[at].lists[number];

        if (list->count++ == 0) {
            list->first = item;
            list->size = kind->size;
        }

        kind->read(rows, row, item);
    }

    return true;
}


static void
ngx_http_prompt_resolve_beside(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_project_node_t  *node = parent;

    ngx_http_prompt_result_list(&node->lists[*(ngx_uint_t *) field->data],
                                out);
}


/* createProject */
static void
ngx_http_prompt_create_project(ngx_http_prompt_root_t *root)
{
    prompt_str_t     id, name;
    prompt_fault_t   fault;
    prompt_query_t  *query;

    name = ngx_http_prompt_root_text(root, "name");

    if (!ngx_http_prompt_passed(root,
                   prompt_text_label(root->job->arena, name, prompt_str("name"),
                                     PROMPT_LIMIT_PROJECT_NAME, &fault),
                   &fault)
        || !ngx_http_prompt_new_id(root, &id)
        || !ngx_http_prompt_root_begin(root, &query))
    {
        return;
    }

    if (ngx_http_prompt_root_bound(root,
                   prompt_project_create(query, id, name,
                                         ngx_http_prompt_person(root)))
        && ngx_http_prompt_projects_ask(root, query, id))
    {
        ngx_http_prompt_root_send(root, true,
                                  ngx_http_prompt_create_project_done);
    }
}


static void
ngx_http_prompt_create_project_done(ngx_http_prompt_root_t *root)
{
    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    if (prompt_outcome_row(&root->result->rows[0])
        == PROMPT_OUTCOME_TOO_MANY)
    {
        ngx_http_prompt_root_wrong(root, "name",
                                   "You are a member of %d projects already: "
                                   "leave one first.", PROMPT_PROJECTS_MAX);
        return;
    }

    ngx_http_prompt_projects_show(root, 1);
}


/* updateProject: its arguments are read as an input's members are */
static void
ngx_http_prompt_update_project(ngx_http_prompt_root_t *root)
{
    prompt_str_t       id;
    prompt_mask_t      given;
    prompt_query_t    *query;
    prompt_project_t   project;

    ngx_memzero(&project, sizeof(prompt_project_t));

    id = ngx_http_prompt_caller(root);

    if (!ngx_http_prompt_input_change(root, ngx_http_prompt_project_fields,
                                      "Project", root->arguments, &project,
                                      &given)
        || !ngx_http_prompt_root_begin(root, &query))
    {
        return;
    }

    query->locks = id;

    if (ngx_http_prompt_root_bound(root,
                   prompt_project_update(query, id, given, &project))
        && ngx_http_prompt_projects_ask(root, query, id))
    {
        ngx_http_prompt_root_send(root, true,
                                  ngx_http_prompt_update_project_done);
    }
}


static void
ngx_http_prompt_update_project_done(ngx_http_prompt_root_t *root)
{
    if (ngx_http_prompt_root_succeeded(root)) {
        ngx_http_prompt_projects_show(root, 1);
    }
}


static prompt_check_t
ngx_http_prompt_check_protected(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    prompt_check_t        rc;
    const prompt_json_t  *label;

    if (value->count > PROMPT_LIMIT_LABELS) {
        return prompt_fault_set(arena, fault, prompt_str("protectedLabels"),
                                "A project has at most %d protected labels.",
                                PROMPT_LIMIT_LABELS);
    }

    rc = PROMPT_CHECK_OK;

    for (label = value->first; label != NULL && rc == PROMPT_CHECK_OK;
         label = label->next)
    {
        rc = prompt_label(arena, label->text, fault);
    }

    fault->field = prompt_str("protectedLabels");

    return rc;
}


static bool
ngx_http_prompt_members_ask(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_projects_t *of,
    const gql_plan_field_t *field)
{
    uint32_t              first;
    prompt_str_t          after;
    const prompt_json_t  *arguments;

    return ngx_http_prompt_nested_arguments(root, field, &arguments)
           && ngx_http_prompt_argument_page(root, arguments, "User",
                                            NGX_HTTP_PROMPT_DEFAULT_MEMBERS,
                                            &first, &after)
           && ngx_http_prompt_root_bound(root,
                   prompt_project_members(query, of, first, after));
}


static void
ngx_http_prompt_member_read(const prompt_rows_t *rows, unsigned row,
    void *item)
{
    prompt_project_member_row(rows, row, item);
}


static bool
ngx_http_prompt_invitations_ask(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_projects_t *of,
    const gql_plan_field_t *field)
{
    return ngx_http_prompt_root_bound(root,
                                      prompt_project_invitations(query, of));
}


static void
ngx_http_prompt_invitation_read(const prompt_rows_t *rows, unsigned row,
    void *item)
{
    prompt_project_invitation_row(rows, row, item);
}


static bool
ngx_http_prompt_budgets_ask(ngx_http_prompt_root_t *root,
    prompt_query_t *query, const prompt_projects_t *of,
    const gql_plan_field_t *field)
{
    return ngx_http_prompt_root_bound(root, prompt_project_budgets(query, of));
}


static void
ngx_http_prompt_budget_read(const prompt_rows_t *rows, unsigned row,
    void *item)
{
    ngx_http_prompt_budget_item(rows, row, item);
}


static void
ngx_http_prompt_resolve_usage(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_http_prompt_list_t          *list;
    ngx_http_prompt_project_node_t  *node = parent;

    list = &node->lists[*(ngx_uint_t *) field->data];

    if (list->count != 0) {
        ngx_http_prompt_result_object(list->first, out);
    }
}


void
ngx_http_prompt_slot_role(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    const ngx_http_prompt_field_t  *entry;

    entry = field->def->data;

    out->kind = GQL_RESULT_STRING;
    out->u.text = prompt_str_from(prompt_role_text(
                      *(prompt_role_e *) ((char *) parent + entry->offset)));
}
