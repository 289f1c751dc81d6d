/*
 * Prompts: prompts, prompt, promptByName, and the fields of Prompt.
 */

#include "service/fields/fields.h"

#include "prompt/name.h"
#include "prompt/text.h"
#include "service/frame/arguments.h"
#include "service/frame/input.h"
#include "service/fields/prompt_change.h"
#include "service/tree/tree.h"


static void ngx_http_prompt_prompts(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_prompt(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_prompt_check(ngx_http_prompt_root_t *root,
    const prompt_record_t *prompt) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_by_name(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_by_name_check(ngx_http_prompt_root_t *root,
    const prompt_record_t *prompt) PROMPT_WARN_UNUSED;
static ngx_http_prompt_check_t  ngx_http_prompt_check_name;


#define column(member)                                                       \
    .resource = &prompt_prompt_resource,                                     \
    .offset = offsetof(prompt_record_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_prompt_fields[] = {

    { .type = "Query", .name = "prompts",
      .scope = PROMPT_KEY_SCOPE_READ,
      .standby = true,
      .compile = ngx_http_prompt_project_compile,
      .start = ngx_http_prompt_prompts },

    { .type = "Query", .name = "prompt",
      .scope = PROMPT_KEY_SCOPE_READ,
      .standby = true,
      .compile = ngx_http_prompt_project_compile,
      .start = ngx_http_prompt_prompt },

    { .type = "Query", .name = "promptByName",
      .scope = PROMPT_KEY_SCOPE_READ,
      .standby = true,
      .compile = ngx_http_prompt_project_compile,
      .start = ngx_http_prompt_by_name },

    { .type = "Mutation", .name = "createPrompt",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_project_compile,
      .start = ngx_http_prompt_create },

    { .type = "Mutation", .name = "updatePrompt",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_project_compile,
      .start = ngx_http_prompt_update },

    { .type = "Mutation", .name = "forkPrompt",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_project_compile,
      .start = ngx_http_prompt_fork },

    { .type = "Mutation", .name = "deletePrompt",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .start = ngx_http_prompt_delete },

    { .type = "Prompt", .name = "id", column(id) },
    { .type = "Prompt", .name = "name", column(name),
      .check = ngx_http_prompt_check_name },
    { .type = "Prompt", .name = "description", column(description),
      .check = ngx_http_prompt_check_characters,
      .most = PROMPT_LIMIT_DESCRIPTION },
    { .type = "Prompt", .name = "category", column(category) },
    { .type = "Prompt", .name = "isPublic", column(is_public) },
    { .type = "Prompt", .name = "createdAt", column(created_at) },
    { .type = "Prompt", .name = "updatedAt", column(updated_at) },

    { .type = "Prompt", .name = "createdBy",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_person,
      .offset = offsetof(ngx_http_prompt_prompt_node_t, by) },

    { .type = "Prompt", .name = "versions",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_versions },
    { .type = "Prompt", .name = "version",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_version },
    { .type = "Prompt", .name = "labels",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_labels },
    { .type = "Prompt", .name = "labelHistory",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_moves },

    { .type = NULL }
};


/* prompts */
static void
ngx_http_prompt_prompts(ngx_http_prompt_root_t *root)
{
    prompt_str_t    search;
    prompt_fault_t  fault;
    prompt_range_t  range;

    ngx_memzero(&range, sizeof(prompt_range_t));

    range.kind = PROMPT_RANGE_LIST;
    range.caller = ngx_http_prompt_caller(root);
    range.category = ngx_http_prompt_root_text(root, "category");
    search = ngx_http_prompt_root_text(root, "search");

    /* a longer text is in no description */

    if (ngx_http_prompt_passed(root,
                   prompt_text_characters(root->job->arena, search,
                                          prompt_str("search"),
                                          PROMPT_LIMIT_DESCRIPTION, &fault),
                   &fault)
        && ngx_http_prompt_argument_page(root, root->arguments, "Prompt", 0,
                                         &range.first, &range.after))
    {
        ngx_http_prompt_read_list(root, &range, search);
    }
}


/* prompt */
static void
ngx_http_prompt_prompt(ngx_http_prompt_root_t *root)
{
    prompt_range_t  range;

    ngx_memzero(&range, sizeof(prompt_range_t));

    range.kind = PROMPT_RANGE_ID;
    range.caller = ngx_http_prompt_caller(root);

    if (ngx_http_prompt_root_id(root, "id", "Prompt", &range.id)) {
        ngx_http_prompt_read_one(root, &range, ngx_http_prompt_prompt_check);
    }
}


static bool
ngx_http_prompt_prompt_check(ngx_http_prompt_root_t *root,
    const prompt_record_t *prompt)
{
    prompt_str_t  id;

    id = ngx_http_prompt_root_text(root, "id");

    if (prompt == NULL) {
        return ngx_http_prompt_fail_not_found(root, "Prompt", id);
    }

    if (!prompt->allowed) {
        return ngx_http_prompt_fail_forbidden(root, id);
    }

    return true;
}


/* promptByName: names are compared as they are stored, in kebab-case */
static void
ngx_http_prompt_by_name(ngx_http_prompt_root_t *root)
{
    prompt_fault_t  fault;
    prompt_range_t  range;

    ngx_memzero(&range, sizeof(prompt_range_t));

    range.kind = PROMPT_RANGE_NAME;
    range.caller = ngx_http_prompt_caller(root);

    if (ngx_http_prompt_passed(root,
                               prompt_name(root->job->arena,
                               ngx_http_prompt_root_text(root, "name"),
                               &range.name, &fault),
                               &fault))
    {
        ngx_http_prompt_read_one(root, &range, ngx_http_prompt_by_name_check);
    }
}


static bool
ngx_http_prompt_by_name_check(ngx_http_prompt_root_t *root,
    const prompt_record_t *prompt)
{
    prompt_str_t  name;

    if (prompt != NULL) {
        return true;
    }

    name = ngx_http_prompt_root_text(root, "name");

    return ngx_http_prompt_root_fail(root, ngx_http_prompt_not_found,
               prompt_str_absent, "Prompt with name \"%.*s\" was not found.",
               prompt_str_arg(name));
}


/* as it is stored, in kebab-case */
static prompt_check_t
ngx_http_prompt_check_name(const ngx_http_prompt_field_t *field,
    prompt_arena_t *arena, const prompt_json_t *value, void *member,
    prompt_fault_t *fault)
{
    return prompt_name(arena, value->text, member, fault);
}
