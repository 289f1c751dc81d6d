/*
 * Versions: createPromptVersion, and the fields of PromptVersion.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/uuid.h"
#include "prompt/input_schema.h"
#include "prompt/params.h"
#include "prompt/template.h"
#include "prompt/text.h"
#include "service/arguments.h"
#include "service/tree.h"


static bool ngx_http_prompt_version_compile(gql_plan_t *plan,
    gql_plan_field_t *field);
static void ngx_http_prompt_create_version(ngx_http_prompt_operation_t *op);
static bool ngx_http_prompt_version_pages(ngx_http_prompt_operation_t *op)
    PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_version_check(ngx_http_prompt_operation_t *op,
    const prompt_json_t *input, prompt_version_t *version) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_create_version_done(
    ngx_http_prompt_operation_t *op);


const ngx_http_prompt_field_t  ngx_http_prompt_version_fields[] = {

    { .type = "Mutation", .name = "createPromptVersion",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_version_compile,
      .start = ngx_http_prompt_create_version },

    { .type = "PromptVersion", .name = "id",
      .column = PROMPT_VERSION_ID,
      .resolve = ngx_http_prompt_slot_uuid,
      .offset = offsetof(ngx_http_prompt_version_node_t, record.id) },

    { .type = "PromptVersion", .name = "version",
      .resolve = ngx_http_prompt_slot_int,
      .offset = offsetof(ngx_http_prompt_version_node_t, record.version) },

    { .type = "PromptVersion", .name = "content",
      .column = PROMPT_VERSION_CONTENT,
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(ngx_http_prompt_version_node_t, record.content) },

    { .type = "PromptVersion", .name = "params",
      .column = PROMPT_VERSION_PARAMS,
      .resolve = ngx_http_prompt_slot_json,
      .offset = offsetof(ngx_http_prompt_version_node_t, record.params) },

    { .type = "PromptVersion", .name = "inputSchema",
      .column = PROMPT_VERSION_INPUT_SCHEMA,
      .resolve = ngx_http_prompt_slot_json,
      .offset = offsetof(ngx_http_prompt_version_node_t, record.input_schema) },

    { .type = "PromptVersion", .name = "createdAt",
      .column = PROMPT_VERSION_CREATED_AT,
      .resolve = ngx_http_prompt_slot_time,
      .offset = offsetof(ngx_http_prompt_version_node_t, record.created_at) },

    { .type = "PromptVersion", .name = "executions",
      .scope = PROMPT_KEY_SCOPE_READ,
      .resolve = ngx_http_prompt_resolve_executions },

    { .type = NULL }
};


/*
 * Nothing has been executed of a version that is being created: whatever is
 * selected below it needs no statement.
 */

static bool
ngx_http_prompt_version_compile(gql_plan_t *plan, gql_plan_field_t *field)
{
    (void) plan;
    (void) field;

    return true;
}


static void
ngx_http_prompt_create_version(ngx_http_prompt_operation_t *op)
{
    prompt_query_t        *query;
    prompt_version_t      *version;
    const prompt_json_t   *input;
    prompt_version_new_t   row;

    version = prompt_arena_zalloc(op->job->arena, sizeof(prompt_version_t));
    if (version == NULL) {
        ngx_http_prompt_operation_fail_nomem(op);
        return;
    }

    op->data = version;

    input = prompt_json_get(op->arguments, prompt_str("input"));

    if (!ngx_http_prompt_argument_id(op, input, prompt_str("promptId"),
                                     "Prompt", &version->prompt_id)
        || !ngx_http_prompt_version_check(op, input, version)
        || !ngx_http_prompt_version_pages(op)
        || !ngx_http_prompt_new_id(op, &version->id))
    {
        return;
    }

    row.id = version->id;
    row.prompt_id = version->prompt_id;
    row.content = version->content;
    row.params = version->params;
    row.input_schema = version->input_schema;

    if (ngx_http_prompt_operation_begin(op, &query)) {
        query->locks = row.prompt_id;
        ngx_http_prompt_operation_send(op,
                             prompt_version_create(query,
                                                   ngx_http_prompt_caller(op),
                                                   &row),
                             ngx_http_prompt_create_version_done);
    }
}


/* There are no executions yet, but their arguments must make sense. */

static bool
ngx_http_prompt_version_pages(ngx_http_prompt_operation_t *op)
{
    uint32_t                     i, first;
    prompt_str_t                 after;
    const gql_plan_field_t      *field;
    const gql_plan_selection_t  *selection;

    selection = op->field->selections[0];

    for (i = 0; i < selection->nfields; i++) {
        field = &selection->fields[i];

        if (!gql_field_is_meta(field)
            && prompt_str_eq(field->def->name, prompt_str("executions"))
            && !ngx_http_prompt_executions_page(op, field, &first, &after))
        {
            return false;
        }
    }

    return true;
}


/* What may be stored; what is checked here need not be checked when it runs */

static bool
ngx_http_prompt_version_check(ngx_http_prompt_operation_t *op,
    const prompt_json_t *input, prompt_version_t *version)
{
    prompt_arena_t       *arena;
    prompt_fault_t        fault;
    const prompt_json_t  *params, *schema;

    arena = op->job->arena;

    version->content = ngx_http_prompt_argument_text(input,
                                                     prompt_str("content"));
    params = prompt_json_get(input, prompt_str("params"));
    schema = ngx_http_prompt_argument(input, prompt_str("inputSchema"));

    if (!ngx_http_prompt_passed(op,
                   prompt_template_check(arena, version->content, &fault),
                   &fault)
        || !ngx_http_prompt_passed(op,
                   prompt_text_json(arena, params, prompt_str("params"),
                                    PROMPT_LIMIT_PARAMS, &version->params,
                                    &fault),
                   &fault)
        || !ngx_http_prompt_passed(op,
                   prompt_params_check(arena, params, &fault), &fault))
    {
        return false;
    }

    return schema == NULL
           || (ngx_http_prompt_passed(op,
                   prompt_text_json(arena, schema, prompt_str("inputSchema"),
                                    PROMPT_LIMIT_INPUT_SCHEMA,
                                    &version->input_schema, &fault),
                   &fault)
               && ngx_http_prompt_passed(op,
                   prompt_input_schema_check(arena, schema, &fault), &fault));
}


static void
ngx_http_prompt_create_version_done(ngx_http_prompt_operation_t *op)
{
    prompt_str_t                     id;
    prompt_outcome_t                 outcome;
    ngx_http_prompt_version_node_t   node;

    if (!ngx_http_prompt_operation_succeeded(op)) {
        return;
    }

    ngx_memzero(&node, sizeof(ngx_http_prompt_version_node_t));

    node.record = *(prompt_version_t *) op->data;
    outcome = prompt_version_created_row(&op->result->rows[0], &node.record);

    id = ngx_http_prompt_argument_text(
             prompt_json_get(op->arguments, prompt_str("input")),
             prompt_str("promptId"));

    if (ngx_http_prompt_outcome_done(op, outcome, id)) {
        ngx_http_prompt_operation_object(op, &node);
    }
}
