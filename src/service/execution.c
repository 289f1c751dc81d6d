/*
 * Executions: executePrompt up to the call, and the fields of ExecutionResult
 * and Execution.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "prompt/input_schema.h"
#include "prompt/params.h"
#include "prompt/template.h"
#include "prompt/text.h"
#include "service/arguments.h"
#include "service/call.h"
#include "service/tree.h"


static void ngx_http_prompt_execute(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_target_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_no_version(ngx_http_prompt_root_t *root,
    prompt_str_t id);
static bool ngx_http_prompt_stored_json(ngx_http_prompt_root_t *root,
    prompt_str_t text, prompt_json_t **value) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_choose_model(ngx_http_prompt_root_t *root,
    const prompt_json_t *params, prompt_str_t *name,
    const ngx_http_prompt_model_conf_t **model) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_render(ngx_http_prompt_root_t *root,
    const prompt_execution_target_t *target, prompt_str_t *input_text,
    prompt_provider_request_t *request,
    const ngx_http_prompt_model_conf_t **model, prompt_buf_t *text)
    PROMPT_WARN_UNUSED;


#define column(member)                                                       \
    .resource = &prompt_execution_resource,                                  \
    .offset = offsetof(prompt_execution_t, member)

#define result(member)                                                       \
    .resource = &prompt_run_resource,                                        \
    .offset = offsetof(prompt_execution_run_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_execution_fields[] = {

    { .type = "Mutation", .name = "executePrompt",
      .scope = PROMPT_KEY_SCOPE_EXECUTE,
      .start = ngx_http_prompt_execute },

    { .type = "ExecutionResult", .name = "output", result(output) },
    { .type = "ExecutionResult", .name = "latencyMs", result(latency_ms) },
    { .type = "ExecutionResult", .name = "tokenIn", result(token_in) },
    { .type = "ExecutionResult", .name = "tokenOut", result(token_out) },
    { .type = "ExecutionResult", .name = "costUsd", result(cost_usd) },
    { .type = "ExecutionResult", .name = "executionId", result(id) },
    { .type = "ExecutionResult", .name = "versionUsed", result(version) },

    { .type = "Execution", .name = "id", column(id) },
    { .type = "Execution", .name = "status", column(status) },
    { .type = "Execution", .name = "latencyMs", column(latency_ms) },
    { .type = "Execution", .name = "tokenIn", column(token_in) },
    { .type = "Execution", .name = "tokenOut", column(token_out) },
    { .type = "Execution", .name = "costUsd", column(cost_usd) },
    { .type = "Execution", .name = "version", column(version) },
    { .type = "Execution", .name = "model", column(model) },
    { .type = "Execution", .name = "input", column(input) },
    { .type = "Execution", .name = "output", column(output) },
    { .type = "Execution", .name = "error", column(error) },
    { .type = "Execution", .name = "createdAt", column(created_at) },
    { .type = "Execution", .name = "finishedAt", column(finished_at) },

    { .type = NULL }
};

#undef column
#undef result


static void
ngx_http_prompt_execute(ngx_http_prompt_root_t *root)
{
    prompt_str_t          id;
    prompt_maybe_t        version;
    prompt_query_t       *query;
    const prompt_json_t  *value;

    if (!ngx_http_prompt_argument_id(root, root->arguments,
                                     prompt_str("promptId"), "Prompt", &id))
    {
        return;
    }

    version = prompt_maybe_unknown;
    value = ngx_http_prompt_argument(root->arguments, prompt_str("version"));

    if (value != NULL) {
        version.known = prompt_json_integer(value, &version.value);
    }

    /* known before anything is done, for requests that are done once */

    if (!ngx_http_prompt_new_id(root, &root->id)) {
        return;
    }

    if (ngx_http_prompt_root_begin(root, &query)) {
        ngx_http_prompt_root_send(root,
                             prompt_execution_target(query, id,
                                                   ngx_http_prompt_caller(root),
                                                     version),
                             ngx_http_prompt_target_done);
    }
}


static void
ngx_http_prompt_target_done(ngx_http_prompt_root_t *root)
{
    prompt_buf_t                         text;
    prompt_str_t                         id, input;
    prompt_outcome_t                     outcome;
    prompt_execution_target_t            target;
    prompt_provider_request_t            request;
    const ngx_http_prompt_model_conf_t  *model;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    id = ngx_http_prompt_argument_text(root->arguments, prompt_str("promptId"));
    outcome = prompt_execution_target_row(&root->result->rows[0], &target);

    if (outcome == PROMPT_OUTCOME_NO_VERSION) {
        ngx_http_prompt_no_version(root, id);
        return;
    }

    if (!ngx_http_prompt_outcome_done(root, outcome, id)) {
        return;
    }

    prompt_buf_init(&text, PROMPT_LIMIT_RENDERED);

    if (ngx_http_prompt_render(root, &target, &input, &request, &model,
                               &text)) {
        ngx_http_prompt_call_run(root, &target, input, &request, model);
    }

    prompt_buf_free(&text);
}


static void
ngx_http_prompt_no_version(ngx_http_prompt_root_t *root, prompt_str_t id)
{
    const prompt_json_t  *version;

    version = ngx_http_prompt_argument(root->arguments, prompt_str("version"));

    if (version == NULL) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_not_found,
                                  prompt_str_absent,
                                  "Prompt with id \"%.*s\" has no versions "
                                  "yet.", prompt_str_arg(id));
        return;
    }

    ngx_http_prompt_root_fail(root, ngx_http_prompt_not_found,
                              prompt_str_absent,
                              "Version %.*s of the prompt with id "
                              "\"%.*s\" was not found.",
                              prompt_str_arg(version->text),
                              prompt_str_arg(id));
}


/*
 * Everything that can be wrong before the provider is asked: the input, the
 * schema, the model, the template.
 */

static bool
ngx_http_prompt_render(ngx_http_prompt_root_t *root,
    const prompt_execution_target_t *target, prompt_str_t *input_text,
    prompt_provider_request_t *request,
    const ngx_http_prompt_model_conf_t **model, prompt_buf_t *text)
{
    prompt_json_t        *params, *schema;
    prompt_arena_t       *arena;
    prompt_fault_t        fault;
    const prompt_json_t  *input;

    arena = root->job->arena;
    input = prompt_json_get(root->arguments, prompt_str("input"));

    if (!ngx_http_prompt_stored_json(root, target->params, &params)
        || !ngx_http_prompt_stored_json(root, target->input_schema, &schema)
        || !ngx_http_prompt_passed(root,
                   prompt_text_json(arena, input, prompt_str("input"),
                                    PROMPT_LIMIT_RENDERED, input_text,
                                    &fault),
                   &fault)
        || !ngx_http_prompt_passed(root,
                   prompt_input_schema_validate(arena, schema, input, &fault),
                   &fault)
        || !ngx_http_prompt_passed(root,
                   prompt_template_render(arena, target->content, input,
                                          schema, text, &fault),
                   &fault)
        || !ngx_http_prompt_passed(root,
                   prompt_params_check(arena, params, &fault), &fault)
        || !ngx_http_prompt_choose_model(root, params, &request->model, model))
    {
        return false;
    }

    request->format = (*model)->provider->format;
    request->params = params;
    request->text = prompt_buf_view(text);
    request->max_tokens_as = (*model)->max_tokens_as;

    return true;
}


/* JSON that was checked when it was stored; absent is NULL */

static bool
ngx_http_prompt_stored_json(ngx_http_prompt_root_t *root, prompt_str_t text,
    prompt_json_t **value)
{
    prompt_json_error_t  error;

    *value = NULL;

    if (text.data == NULL) {
        return true;
    }

    *value = prompt_json_read(root->job->arena, text, PROMPT_LIMIT_DEPTH,
                              &error);
    if (*value != NULL) {
        return true;
    }

    if (error.status == PROMPT_JSON_NOMEM) {
        ngx_http_prompt_root_fail_nomem(root);
        return false;
    }

    ngx_log_error(NGX_LOG_ERR, root->job->request->connection->log, 0,
                  "prompt: a stored version holds JSON that cannot be read: "
                  "%s", error.message);
    ngx_http_prompt_root_fail(root, ngx_http_prompt_internal_server_error,
                              prompt_str_absent,
                              "The stored version cannot be read.");
    return false;
}


static bool
ngx_http_prompt_choose_model(ngx_http_prompt_root_t *root,
    const prompt_json_t *params, prompt_str_t *name,
    const ngx_http_prompt_model_conf_t **model)
{
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_get_module_main_conf(root->job->request,
                                         ngx_http_prompt_module);

    *name = prompt_params_model(params);

    if (name->data == NULL && pmcf->default_model.len != 0) {
        *name = prompt_str_of((char *) pmcf->default_model.data,
                              pmcf->default_model.len);
    }

    if (name->data == NULL) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                                  prompt_str("params.model"),
                                  "The version's params name no model, "
                                  "and the service has no default.");
        return false;
    }

    *model = ngx_http_prompt_find_model(pmcf, *name);

    if (*model == NULL) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                                  prompt_str("params.model"),
                                  "No provider serves the model "
                                  "\"%.*s\".", prompt_str_arg(*name));
        return false;
    }

    return true;
}
