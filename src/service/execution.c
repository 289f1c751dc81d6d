/*
 * Executions: executePrompt and executePromptStream up to the call, and the
 * fields of ExecutionResult, ExecutionEvent and Execution.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "io/ngx_http_prompt_trouble.h"
#include "prompt/input_schema.h"
#include "prompt/messages.h"
#include "prompt/name.h"
#include "prompt/params.h"
#include "prompt/text.h"
#include "service/arguments.h"
#include "service/call.h"
#include "service/stream.h"
#include "service/tree.h"


static void ngx_http_prompt_execute(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_target_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_no_target(ngx_http_prompt_root_t *root,
    prompt_str_t id);
static bool ngx_http_prompt_stored_json(ngx_http_prompt_root_t *root,
    prompt_str_t text, prompt_json_t **value) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_choose_models(ngx_http_prompt_root_t *root,
    const prompt_json_t *params, ngx_http_prompt_ask_t *ask)
    PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_choose_model(ngx_http_prompt_root_t *root,
    ngx_http_prompt_choice_t *choice, prompt_str_t field) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_render(ngx_http_prompt_root_t *root,
    const prompt_execution_target_t *target, prompt_str_t *input_text,
    ngx_http_prompt_ask_t *ask) PROMPT_WARN_UNUSED;


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

    { .type = "Subscription", .name = "executePromptStream",
      .scope = PROMPT_KEY_SCOPE_EXECUTE,
      .start = ngx_http_prompt_execute },

    { .type = "ExecutionEvent", .name = "delta",
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(ngx_http_prompt_execution_event_t, delta) },
    { .type = "ExecutionEvent", .name = "result",
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_execution_event_t, result) },

    { .type = "ExecutionResult", .name = "output", result(output) },
    { .type = "ExecutionResult", .name = "latencyMs", result(latency_ms) },
    { .type = "ExecutionResult", .name = "tokenIn", result(token_in) },
    { .type = "ExecutionResult", .name = "tokenOut", result(token_out) },
    { .type = "ExecutionResult", .name = "costUsd", result(cost_usd) },
    { .type = "ExecutionResult", .name = "executionId", result(id) },
    { .type = "ExecutionResult", .name = "versionUsed", result(version) },
    { .type = "ExecutionResult", .name = "model", result(model) },
    { .type = "ExecutionResult", .name = "finishReason",
      result(finish_reason) },
    { .type = "ExecutionResult", .name = "toolCalls", result(tool_calls) },

    { .type = "ToolCall", .name = "id",
      .resolve = ngx_http_prompt_slot_member },
    { .type = "ToolCall", .name = "name",
      .resolve = ngx_http_prompt_slot_member },
    { .type = "ToolCall", .name = "arguments",
      .resolve = ngx_http_prompt_slot_member },

    { .type = "Execution", .name = "id", column(id) },
    { .type = "Execution", .name = "status", column(status) },
    { .type = "Execution", .name = "latencyMs", column(latency_ms) },
    { .type = "Execution", .name = "tokenIn", column(token_in) },
    { .type = "Execution", .name = "tokenOut", column(token_out) },
    { .type = "Execution", .name = "costUsd", column(cost_usd) },
    { .type = "Execution", .name = "version", column(version) },
    { .type = "Execution", .name = "model", column(model) },
    { .type = "Execution", .name = "label", column(label) },
    { .type = "Execution", .name = "prompt",
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_execution_node_t, prompt) },
    { .type = "Execution", .name = "attempts", column(attempts) },
    { .type = "Execution", .name = "input", column(input) },
    { .type = "Execution", .name = "output", column(output) },
    { .type = "Execution", .name = "error", column(error) },
    { .type = "Execution", .name = "finishReason", column(finish_reason) },
    { .type = "Execution", .name = "toolCalls", column(tool_calls) },
    { .type = "Execution", .name = "traceId", column(trace_id) },
    { .type = "Execution", .name = "createdAt", column(created_at) },
    { .type = "Execution", .name = "finishedAt", column(finished_at) },

    { .type = NULL }
};

#undef column
#undef result


static void
ngx_http_prompt_execute(ngx_http_prompt_root_t *root)
{
    bool                  bound;
    prompt_str_t          id, label, caller;
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

    label = ngx_http_prompt_argument_text(root->arguments,
                                          prompt_str("label"));

    if (value != NULL && label.data != NULL) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                                  prompt_str("label"),
                                  "\"version\" and \"label\" cannot be "
                                  "given together.");
        return;
    }

    /* known before anything is done, for requests that are done once */

    if (!ngx_http_prompt_new_id(root, &root->id)) {
        return;
    }

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->length = PROMPT_QUERY_ROW;

        caller = ngx_http_prompt_caller(root);
        bound = label.data == NULL || prompt_label_is_latest(label)
                ? prompt_execution_target(query, id, caller, version)
                : prompt_execution_labelled(query, id, caller, label);

        ngx_http_prompt_root_send(root, bound, ngx_http_prompt_target_done);
    }
}


static void
ngx_http_prompt_target_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t                id, input;
    prompt_outcome_t            outcome;
    ngx_http_prompt_ask_t       ask;
    prompt_execution_target_t   target;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    id = ngx_http_prompt_argument_text(root->arguments, prompt_str("promptId"));
    outcome = prompt_execution_target_row(&root->result->rows[0], &target);

    if (outcome == PROMPT_OUTCOME_NO_VERSION
        || outcome == PROMPT_OUTCOME_NO_LABEL)
    {
        ngx_http_prompt_no_target(root, id);
        return;
    }

    if (!ngx_http_prompt_outcome_done(root, outcome, id)) {
        return;
    }

    ngx_memzero(&ask, sizeof(ngx_http_prompt_ask_t));
    prompt_buf_init(&ask.text, PROMPT_LIMIT_RENDERED);

    if (ngx_http_prompt_render(root, &target, &input, &ask)) {
        ngx_http_prompt_call_run(root, &target, input, &ask);
        return;
    }

    prompt_buf_free(&ask.text);
}


static void
ngx_http_prompt_no_target(ngx_http_prompt_root_t *root, prompt_str_t id)
{
    gql_error_t  *error;

    error = ngx_http_prompt_no_version(root->job, root->arguments,
                                       prompt_str("version"), id);
    if (error != NULL) {
        ngx_http_prompt_root_error(root, error);
        return;
    }

    ngx_http_prompt_root_fail(root, ngx_http_prompt_not_found,
                              prompt_str_absent,
                              "Prompt with id \"%.*s\" has no versions yet.",
                              prompt_str_arg(id));
}


/*
 * Everything that can be wrong before the provider is asked: the input, the
 * schema, the model, the template.
 */

static bool
ngx_http_prompt_render(ngx_http_prompt_root_t *root,
    const prompt_execution_target_t *target, prompt_str_t *input_text,
    ngx_http_prompt_ask_t *ask)
{
    prompt_json_t        *params, *schema, *messages;
    prompt_arena_t       *arena;
    prompt_fault_t        fault;
    const prompt_json_t  *input;

    arena = root->job->arena;
    input = prompt_json_get(root->arguments, prompt_str("input"));

    if (!ngx_http_prompt_stored_json(root, target->params, &params)
        || !ngx_http_prompt_stored_json(root, target->input_schema, &schema)
        || !ngx_http_prompt_stored_json(root, target->messages, &messages)
        || !ngx_http_prompt_passed(root,
                   prompt_text_json(arena, input, prompt_str("input"),
                                    PROMPT_LIMIT_RENDERED, input_text,
                                    &fault),
                   &fault)
        || !ngx_http_prompt_passed(root,
                   prompt_input_schema_validate(arena, schema, input, &fault),
                   &fault)
        || !ngx_http_prompt_passed(root,
                   prompt_messages_render(arena, messages, target->content,
                                          input, schema, &ask->text,
                                          &ask->request.messages, &fault),
                   &fault)
        || !ngx_http_prompt_passed(root,
                   prompt_params_check(arena, params, &fault), &fault)
        || !ngx_http_prompt_choose_models(root, params, ask))
    {
        return false;
    }

    ask->request.stream = ngx_http_prompt_streams(root);

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

    ngx_http_prompt_trouble(NGX_HTTP_PROMPT_TROUBLE_STORED, prompt_str_absent,
                            root->job->request->connection->log,
                            "prompt: a stored version holds JSON that cannot "
                            "be read: %s", error.message);
    ngx_http_prompt_root_fail(root, ngx_http_prompt_internal_server_error,
                              prompt_str_absent,
                              "The stored version cannot be read.");
    return false;
}


/*
 * The first model, and those that params name in case it fails.  What was
 * rendered must be such that the format of each has words for it.
 */

static bool
ngx_http_prompt_choose_models(ngx_http_prompt_root_t *root,
    const prompt_json_t *params, ngx_http_prompt_ask_t *ask)
{
    unsigned                   n;
    prompt_str_t               field;
    prompt_fault_t             fault;
    ngx_http_prompt_choice_t  *choice;

    ask->nchoices = 1 + prompt_params_fallbacks(params);
    field = prompt_str("params.model");

    for (n = 0; n < ask->nchoices; n++) {
        choice = &ask->choices[n];
        choice->params = prompt_params_choice(root->job->arena, params, n);

        if (n != 0) {
            field = prompt_arena_printf(root->job->arena,
                                        "params.fallbacks.%u.model", n - 1);
        }

        if (choice->params == NULL || field.data == NULL) {
            ngx_http_prompt_root_fail_nomem(root);
            return false;
        }

        if (!ngx_http_prompt_choose_model(root, choice, field)) {
            return false;
        }

        ngx_http_prompt_ask_choice(ask, n);

        if (!ngx_http_prompt_passed(root,
                       prompt_provider_check(root->job->arena, &ask->request,
                                             &fault),
                       &fault))
        {
            return false;
        }
    }

    return true;
}


static bool
ngx_http_prompt_choose_model(ngx_http_prompt_root_t *root,
    ngx_http_prompt_choice_t *choice, prompt_str_t field)
{
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_get_module_main_conf(root->job->request,
                                         ngx_http_prompt_module);

    choice->model = prompt_params_model(choice->params);

    if (choice->model.data == NULL && pmcf->default_model.len != 0) {
        choice->model = prompt_str_of((char *) pmcf->default_model.data,
                                      pmcf->default_model.len);
    }

    if (choice->model.data == NULL) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input, field,
                                  "The version's params name no model, "
                                  "and the service has no default.");
        return false;
    }

    choice->conf = ngx_http_prompt_find_model(pmcf, choice->model);

    if (choice->conf == NULL) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input, field,
                                  "No provider serves the model "
                                  "\"%.*s\".", prompt_str_arg(choice->model));
        return false;
    }

    return true;
}
