/*
 * Versions: createPromptVersion, and the fields of PromptVersion.
 */

#include "service/fields/fields.h"

#include "prompt/messages.h"
#include "prompt/params.h"
#include "prompt/schema.h"
#include "prompt/template.h"
#include "prompt/text.h"
#include "service/call/call.h"
#include "service/frame/arguments.h"
#include "service/frame/input.h"
#include "service/tree/tree.h"


/* params of up to 256 KiB, as one fallback after the other makes them */
#define NGX_HTTP_PROMPT_CHOICES_MEMORY  (64 * 1024 * 1024)


static void ngx_http_prompt_create_version(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_create_version_send(ngx_http_prompt_root_t *root);
static prompt_check_t ngx_http_prompt_check_choices(
    ngx_http_prompt_root_t *root, const prompt_json_t *params, bool schema,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_version_pages(ngx_http_prompt_root_t *root)
    PROMPT_WARN_UNUSED;
static ngx_http_prompt_check_t
    ngx_http_prompt_check_content,
    ngx_http_prompt_check_params,
    ngx_http_prompt_check_schema,
    ngx_http_prompt_check_messages,
    ngx_http_prompt_check_note;
static void ngx_http_prompt_create_version_done(ngx_http_prompt_root_t *root);


#define column(member)                                                       \
    .resource = &prompt_version_resource,                                    \
    .offset = offsetof(prompt_version_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_version_fields[] = {

    { .type = "Mutation", .name = "createPromptVersion",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_compile_people,
      .start = ngx_http_prompt_create_version },

    { .type = "PromptVersion", .name = "id", column(id) },
    { .type = "PromptVersion", .name = "version", column(version) },
    { .type = "PromptVersion", .name = "content", column(content),
      .check = ngx_http_prompt_check_content },
    { .type = "PromptVersion", .name = "params", column(params),
      .check = ngx_http_prompt_check_params, .most = PROMPT_LIMIT_PARAMS },
    { .type = "PromptVersion", .name = "inputSchema", column(input_schema),
      .check = ngx_http_prompt_check_schema,
      .most = PROMPT_LIMIT_INPUT_SCHEMA },
    { .type = "PromptVersion", .name = "outputSchema", column(output_schema),
      .check = ngx_http_prompt_check_schema,
      .most = PROMPT_LIMIT_OUTPUT_SCHEMA },
    { .type = "PromptVersion", .name = "note", column(note),
      .check = ngx_http_prompt_check_note, .most = PROMPT_LIMIT_NOTE },
    { .type = "PromptVersion", .name = "messages",
      .scope = PROMPT_KEY_SCOPE_ANY, column(messages),
      .check = ngx_http_prompt_check_messages },
    { .type = "PromptVersion", .name = "createdAt", column(created_at) },
    { .type = "PromptVersion", .name = "createdBy",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_person,
      .offset = offsetof(ngx_http_prompt_version_node_t, by) },

    { .type = "PromptMessage", .name = "role",
      .resolve = ngx_http_prompt_slot_member_enum },
    { .type = "PromptMessage", .name = "content",
      .resolve = ngx_http_prompt_slot_member },
    { .type = "PromptMessage", .name = "images",
      .resolve = ngx_http_prompt_slot_member_texts },
    { .type = "PromptMessage", .name = "toolCalls",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_member_objects,
      .offset = offsetof(prompt_version_t, calls)
                - offsetof(prompt_version_t, messages) },
    { .type = "PromptMessage", .name = "toolCallId",
      .resolve = ngx_http_prompt_slot_member },
    { .type = "PromptMessage", .name = "placeholder",
      .resolve = ngx_http_prompt_slot_member },

    { .type = "PromptVersion", .name = "executions",
      .scope = PROMPT_KEY_SCOPE_READ,
      .resolve = ngx_http_prompt_resolve_executions },

    { .type = NULL }
};


static void
ngx_http_prompt_create_version(ngx_http_prompt_root_t *root)
{
    prompt_version_t     *version;
    const prompt_json_t  *input;

    version = ngx_http_prompt_root_data(root, sizeof(prompt_version_t));
    if (version == NULL) {
        return;
    }

    input = prompt_json_get(root->arguments, prompt_str("input"));

    if (ngx_http_prompt_argument_id(root, input, prompt_str("promptId"),
                                    "Prompt", &version->prompt_id)
        && ngx_http_prompt_version_read(root, input, version)
        && ngx_http_prompt_version_pages(root)
        && ngx_http_prompt_new_id(root, &version->id))
    {
        ngx_http_prompt_create_version_send(root);
    }
}


static void
ngx_http_prompt_create_version_send(ngx_http_prompt_root_t *root)
{
    bool               bound;
    prompt_str_t       caller;
    prompt_query_t    *query;
    prompt_version_t  *version;

    version = root->data;

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->locks = version->prompt_id;
        caller = ngx_http_prompt_caller(root);
        bound = prompt_version_create(query, caller, version)
                && (root->field->data == NULL
                    || prompt_user_of_project(query, caller));

        ngx_http_prompt_root_send(root, bound,
                                  ngx_http_prompt_create_version_done);
    }
}


bool
ngx_http_prompt_version_read(ngx_http_prompt_root_t *root,
    const prompt_json_t *input, prompt_version_t *version)
{
    prompt_fault_t  fault;

    return ngx_http_prompt_input_create(root, ngx_http_prompt_version_fields,
                                        "PromptVersion", input, version)
           && ngx_http_prompt_passed(root,
                      ngx_http_prompt_check_choices(root,
                          prompt_json_get(input, prompt_str("params")),
                          version->output_schema.data != NULL, &fault),
                      &fault);
}


/*
 * Each model is checked as it is configured now; one that nobody serves may be
 * served when it runs.  What fallbacks make of params is not kept: an import
 * has many.
 */
static prompt_check_t
ngx_http_prompt_check_choices(ngx_http_prompt_root_t *root,
    const prompt_json_t *params, bool schema, prompt_fault_t *fault)
{
    ngx_uint_t                 n;
    prompt_check_t             rc;
    prompt_arena_t            *arena;
    ngx_http_prompt_choice_t   choice;

    arena = prompt_arena_create(NGX_HTTP_PROMPT_CHOICES_MEMORY);
    if (arena == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    rc = PROMPT_CHECK_OK;

    for (n = 0; n <= prompt_params_fallbacks(params) && rc == PROMPT_CHECK_OK;
         n++)
    {
        rc = ngx_http_prompt_choose(root->job->request, arena, params, schema,
                                    n, &choice, fault);
    }

    if (rc == PROMPT_CHECK_FAULT) {
        fault->field = prompt_arena_copy(root->job->arena, fault->field);
        fault->message = prompt_arena_copy(root->job->arena, fault->message);

        if (fault->field.data == NULL || fault->message.data == NULL) {
            rc = PROMPT_CHECK_NOMEM;
        }
    }

    prompt_arena_destroy(arena);

    return rc;
}


/* There are no executions yet, but their arguments must make sense. */
static bool
ngx_http_prompt_version_pages(ngx_http_prompt_root_t *root)
{
    uint32_t                     i, first;
    prompt_str_t                 after;
    const gql_plan_field_t      *field;
    const gql_plan_selection_t  *selection;

    selection = root->field->selections[0];

    for (i = 0; i < selection->nfields; i++) {
        field = &selection->fields[i];

        if (!gql_field_is_meta(field)
            && prompt_str_eq(field->def->name, prompt_str("executions"))
            && !ngx_http_prompt_executions_page(root, field, &first, &after))
        {
            return false;
        }
    }

    return true;
}


/* What may be stored; what is checked here need not be checked when it runs */
static prompt_check_t
ngx_http_prompt_check_content(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    return prompt_template_check(arena, value->text, prompt_str("content"),
                                 fault);
}


static prompt_check_t
ngx_http_prompt_check_params(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    prompt_check_t  check;

    check = ngx_http_prompt_check_json(field, arena, value, member, fault);

    return check == PROMPT_CHECK_OK ? prompt_params_check(arena, value, fault)
                                    : check;
}


static prompt_check_t
ngx_http_prompt_check_schema(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    prompt_check_t  check;

    check = ngx_http_prompt_check_json(field, arena, value, member, fault);

    return check == PROMPT_CHECK_OK
           ? prompt_schema_check(arena, value, prompt_str_from(field->name),
                                 fault)
           : check;
}


static prompt_check_t
ngx_http_prompt_check_messages(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    prompt_objects_t  *messages = member;

    return prompt_messages_check(arena, value, &messages->cell, fault);
}


static prompt_check_t
ngx_http_prompt_check_note(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    size_t  i;

    for (i = 0; i < value->text.len; i++) {
        if ((u_char) value->text.data[i] < ' ') {
            return prompt_text_fault(arena, prompt_str("note"),
                                     "must be one line", fault);
        }
    }

    return ngx_http_prompt_check_characters(field, arena, value, member, fault);
}


static void
ngx_http_prompt_create_version_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t                     id;
    prompt_outcome_t                 outcome;
    ngx_http_prompt_people_t         people;
    ngx_http_prompt_version_node_t   node;

    if (ngx_http_prompt_outcome_anew(root)) {
        ngx_http_prompt_create_version_send(root);
        return;
    }

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    ngx_memzero(&node, sizeof(ngx_http_prompt_version_node_t));

    node.record = *(prompt_version_t *) root->data;
    outcome = prompt_version_created_row(&root->result->rows[0], &node.record);

    ngx_http_prompt_people_init(&people, root, 1);

    node.by.people = &people;
    node.by.id = &node.record.created_by;
    node.by.owner = &people.project;

    id = ngx_http_prompt_argument_text(
             prompt_json_get(root->arguments, prompt_str("input")),
             prompt_str("promptId"));

    if (ngx_http_prompt_outcome_done(root, outcome, id)) {
        ngx_http_prompt_root_object(root, &node);
    }
}
