/*
 * Executions: executePrompt, and the fields of ExecutionResult and Execution.
 *
 *     execute       what is to be run is read
 *     target_done   the input is checked and rendered; the row `running` is
 *                   on its way; the provider is called
 *     answered      the answer is read and priced; the final row is written
 *     recorded      the client is answered
 *
 * From the call on, the execution lives in its recording and not in the
 * request: it goes on when the client has left.
 */

#include "prompt/input_schema.h"
#include "prompt/params.h"
#include "prompt/price.h"
#include "prompt/provider.h"
#include "prompt/template.h"
#include "prompt/text.h"
#include "io/ngx_http_prompt_provider.h"
#include "service/arguments.h"
#include "service/recording.h"
#include "service/tree.h"


/* An execution from the call of its provider on; lives in the recording. */
typedef struct {
    ngx_http_prompt_operation_t         *op;     /* NULL: the client has left */
    ngx_http_prompt_recording_t         *recording;
    const ngx_http_prompt_model_conf_t  *model;
    prompt_usage_t                       usage;
    prompt_str_t                         failure;   /* absent: it succeeded */
    char                                 cost[PROMPT_PRICE_COST_MAX];
} ngx_http_prompt_execution_t;


static void ngx_http_prompt_execute(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_target_done(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_no_version(ngx_http_prompt_operation_t *op,
    prompt_str_t id);
static bool ngx_http_prompt_stored_json(ngx_http_prompt_operation_t *op,
    prompt_str_t text, prompt_json_t **value);
static const ngx_http_prompt_model_conf_t *ngx_http_prompt_choose_model(
    ngx_http_prompt_operation_t *op, const prompt_json_t *params,
    prompt_str_t *name);
static bool ngx_http_prompt_render(ngx_http_prompt_operation_t *op,
    const prompt_execution_target_t *target, prompt_str_t *input_text,
    prompt_provider_request_t *request,
    const ngx_http_prompt_model_conf_t **model, prompt_buf_t *text);
static void ngx_http_prompt_run(ngx_http_prompt_operation_t *op,
    const prompt_execution_target_t *target, prompt_str_t input,
    const prompt_provider_request_t *request,
    const ngx_http_prompt_model_conf_t *model);
static ngx_http_prompt_execution_t *ngx_http_prompt_execution_create(
    ngx_http_prompt_operation_t *op,
    const prompt_execution_target_t *target,
    prompt_str_t input, const prompt_provider_request_t *request,
    const ngx_http_prompt_model_conf_t *model);
static bool ngx_http_prompt_keep(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t *copy);
static ngx_int_t ngx_http_prompt_call(ngx_http_prompt_execution_t *execution,
    prompt_buf_t *body);
static void ngx_http_prompt_execution_detach(void *data);
static void ngx_http_prompt_answered(void *data,
    const ngx_http_prompt_provider_result_t *result);
static void ngx_http_prompt_read_answer(ngx_http_prompt_execution_t *execution,
    const ngx_http_prompt_provider_result_t *result);
static prompt_str_t ngx_http_prompt_call_failure(
    ngx_http_prompt_execution_t *execution,
    const ngx_http_prompt_provider_result_t *result);
static void ngx_http_prompt_log_execution(
    ngx_http_prompt_execution_t *execution, ngx_msec_t duration);
static prompt_str_t ngx_http_prompt_pool_copy(ngx_pool_t *pool,
    prompt_str_t text);
static void ngx_http_prompt_recorded(void *data,
    ngx_http_prompt_recorded_e recorded);
static void ngx_http_prompt_execution_answer(
    ngx_http_prompt_execution_t *execution,
    ngx_http_prompt_recorded_e recorded);
static void ngx_http_prompt_execution_fail(
    ngx_http_prompt_execution_t *execution, prompt_str_t message);
static void ngx_http_prompt_count_execution(
    ngx_http_prompt_execution_t *execution, ngx_msec_t duration);
static prompt_maybe_t ngx_http_prompt_tokens(int64_t tokens);


const ngx_http_prompt_field_t  ngx_http_prompt_execution_fields[] = {

    { .type = "Mutation", .name = "executePrompt",
      .scope = PROMPT_KEY_SCOPE_EXECUTE,
      .start = ngx_http_prompt_execute },

    { .type = "ExecutionResult", .name = "output",
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(prompt_execution_run_t, output) },

    { .type = "ExecutionResult", .name = "latencyMs",
      .resolve = ngx_http_prompt_slot_maybe_int,
      .offset = offsetof(prompt_execution_run_t, latency_ms) },

    { .type = "ExecutionResult", .name = "tokenIn",
      .resolve = ngx_http_prompt_slot_maybe_int,
      .offset = offsetof(prompt_execution_run_t, token_in) },

    { .type = "ExecutionResult", .name = "tokenOut",
      .resolve = ngx_http_prompt_slot_maybe_int,
      .offset = offsetof(prompt_execution_run_t, token_out) },

    { .type = "ExecutionResult", .name = "costUsd",
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(prompt_execution_run_t, cost_usd) },

    { .type = "ExecutionResult", .name = "executionId",
      .resolve = ngx_http_prompt_slot_uuid,
      .offset = offsetof(prompt_execution_run_t, id) },

    { .type = "ExecutionResult", .name = "versionUsed",
      .resolve = ngx_http_prompt_slot_int,
      .offset = offsetof(prompt_execution_run_t, version) },

    { .type = "Execution", .name = "id",
      .resolve = ngx_http_prompt_slot_uuid,
      .offset = offsetof(prompt_execution_t, id) },

    { .type = "Execution", .name = "status",
      .column = PROMPT_EXECUTION_STATUS,
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(prompt_execution_t, status) },

    { .type = "Execution", .name = "latencyMs",
      .column = PROMPT_EXECUTION_LATENCY_MS,
      .resolve = ngx_http_prompt_slot_maybe_int,
      .offset = offsetof(prompt_execution_t, latency_ms) },

    { .type = "Execution", .name = "tokenIn",
      .column = PROMPT_EXECUTION_TOKEN_IN,
      .resolve = ngx_http_prompt_slot_maybe_int,
      .offset = offsetof(prompt_execution_t, token_in) },

    { .type = "Execution", .name = "tokenOut",
      .column = PROMPT_EXECUTION_TOKEN_OUT,
      .resolve = ngx_http_prompt_slot_maybe_int,
      .offset = offsetof(prompt_execution_t, token_out) },

    { .type = "Execution", .name = "costUsd",
      .column = PROMPT_EXECUTION_COST_USD,
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(prompt_execution_t, cost_usd) },

    { .type = "Execution", .name = "version",
      .resolve = ngx_http_prompt_slot_int,
      .offset = offsetof(prompt_execution_t, version) },

    { .type = "Execution", .name = "model",
      .column = PROMPT_EXECUTION_MODEL,
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(prompt_execution_t, model) },

    { .type = "Execution", .name = "input",
      .column = PROMPT_EXECUTION_INPUT,
      .resolve = ngx_http_prompt_slot_json,
      .offset = offsetof(prompt_execution_t, input) },

    { .type = "Execution", .name = "output",
      .column = PROMPT_EXECUTION_OUTPUT,
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(prompt_execution_t, output) },

    { .type = "Execution", .name = "error",
      .column = PROMPT_EXECUTION_ERROR,
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(prompt_execution_t, error) },

    { .type = "Execution", .name = "createdAt",
      .column = PROMPT_EXECUTION_CREATED_AT,
      .resolve = ngx_http_prompt_slot_time,
      .offset = offsetof(prompt_execution_t, created_at) },

    { .type = "Execution", .name = "finishedAt",
      .column = PROMPT_EXECUTION_FINISHED_AT,
      .resolve = ngx_http_prompt_slot_maybe_time,
      .offset = offsetof(prompt_execution_t, finished_at) },

    { .type = NULL }
};


static void
ngx_http_prompt_execute(ngx_http_prompt_operation_t *op)
{
    prompt_str_t          id;
    prompt_maybe_t        version;
    prompt_query_t       *query;
    const prompt_json_t  *value;

    if (!ngx_http_prompt_argument_id(op, op->arguments, prompt_str("promptId"),
                                     "Prompt", &id))
    {
        return;
    }

    version = prompt_maybe_unknown;
    value = ngx_http_prompt_argument(op->arguments, prompt_str("version"));

    if (value != NULL) {
        version.known = prompt_json_integer(value, &version.value);
    }

    query = ngx_http_prompt_operation_begin(op);

    if (query != NULL) {
        ngx_http_prompt_operation_send(op, query,
                             prompt_execution_target(query, id,
                                                   ngx_http_prompt_caller(op),
                                                     version),
                             0, ngx_http_prompt_target_done);
    }
}


static void
ngx_http_prompt_target_done(ngx_http_prompt_operation_t *op)
{
    prompt_buf_t                         text;
    prompt_str_t                         id, input;
    prompt_outcome_t                     outcome;
    prompt_execution_target_t            target;
    prompt_provider_request_t            request;
    const ngx_http_prompt_model_conf_t  *model;

    if (!ngx_http_prompt_operation_succeeded(op)) {
        return;
    }

    id = ngx_http_prompt_argument_text(op->arguments, prompt_str("promptId"));
    outcome = prompt_execution_target_row(&op->result->rows[0], &target);

    if (outcome == PROMPT_OUTCOME_NO_VERSION) {
        ngx_http_prompt_no_version(op, id);
        return;
    }

    if (!ngx_http_prompt_outcome_done(op, outcome, id)) {
        return;
    }

    prompt_buf_init(&text, PROMPT_LIMIT_RENDERED);

    if (ngx_http_prompt_render(op, &target, &input, &request, &model, &text)) {
        ngx_http_prompt_run(op, &target, input, &request, model);
    }

    prompt_buf_free(&text);
}


static void
ngx_http_prompt_no_version(ngx_http_prompt_operation_t *op, prompt_str_t id)
{
    const prompt_json_t  *version;

    version = ngx_http_prompt_argument(op->arguments, prompt_str("version"));

    if (version == NULL) {
        ngx_http_prompt_operation_fail(op, ngx_http_prompt_not_found,
                                       prompt_str_absent,
                                       "Prompt with id \"%.*s\" has no "
                                       "version yet.", prompt_str_arg(id));
        return;
    }

    ngx_http_prompt_operation_fail(op, ngx_http_prompt_not_found,
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
ngx_http_prompt_render(ngx_http_prompt_operation_t *op,
    const prompt_execution_target_t *target, prompt_str_t *input_text,
    prompt_provider_request_t *request,
    const ngx_http_prompt_model_conf_t **model, prompt_buf_t *text)
{
    prompt_json_t        *params, *schema;
    prompt_arena_t       *arena;
    prompt_fault_t        fault;
    const prompt_json_t  *input;

    arena = op->job->arena;
    input = prompt_json_get(op->arguments, prompt_str("input"));

    if (!ngx_http_prompt_stored_json(op, target->params, &params)
        || !ngx_http_prompt_stored_json(op, target->input_schema, &schema)
        || !ngx_http_prompt_passed(op,
                   prompt_text_json(arena, input, prompt_str("input"),
                                    PROMPT_LIMIT_RENDERED, input_text,
                                    &fault),
                   &fault)
        || !ngx_http_prompt_passed(op,
                   prompt_input_schema_validate(arena, schema, input, &fault),
                   &fault)
        || !ngx_http_prompt_passed(op,
                   prompt_template_render(arena, target->content, input,
                                          schema, text, &fault),
                   &fault)
        || !ngx_http_prompt_passed(op,
                   prompt_params_check(arena, params, &fault), &fault))
    {
        return false;
    }

    *model = ngx_http_prompt_choose_model(op, params, &request->model);
    if (*model == NULL) {
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
ngx_http_prompt_stored_json(ngx_http_prompt_operation_t *op, prompt_str_t text,
    prompt_json_t **value)
{
    prompt_json_error_t  error;

    *value = NULL;

    if (text.data == NULL) {
        return true;
    }

    *value = prompt_json_read(op->job->arena, text, PROMPT_LIMIT_DEPTH,
                              &error);
    if (*value != NULL) {
        return true;
    }

    if (error.status == PROMPT_JSON_NOMEM) {
        ngx_http_prompt_operation_fail_nomem(op);
        return false;
    }

    ngx_log_error(NGX_LOG_ERR, op->job->request->connection->log, 0,
                  "prompt: a stored version holds JSON that cannot be read: "
                  "%s", error.message);
    ngx_http_prompt_operation_fail(op, ngx_http_prompt_internal_server_error,
                                   prompt_str_absent,
                                   "The stored version cannot be read.");
    return false;
}


static const ngx_http_prompt_model_conf_t *
ngx_http_prompt_choose_model(ngx_http_prompt_operation_t *op,
    const prompt_json_t *params, prompt_str_t *name)
{
    ngx_http_prompt_main_conf_t         *pmcf;
    const ngx_http_prompt_model_conf_t  *model;

    pmcf = ngx_http_get_module_main_conf(op->job->request,
                                         ngx_http_prompt_module);

    *name = prompt_params_model(params);

    if (name->data == NULL && pmcf->default_model.len != 0) {
        *name = prompt_str_of((char *) pmcf->default_model.data,
                              pmcf->default_model.len);
    }

    if (name->data == NULL) {
        ngx_http_prompt_operation_fail(op, ngx_http_prompt_bad_user_input,
                                       prompt_str("params.model"),
                                       "The version's params name no model, "
                                       "and the service has no default.");
        return NULL;
    }

    model = ngx_http_prompt_find_model(pmcf, *name);

    if (model == NULL) {
        ngx_http_prompt_operation_fail(op, ngx_http_prompt_bad_user_input,
                                       prompt_str("params.model"),
                                       "No provider serves the model "
                                       "\"%.*s\".", prompt_str_arg(*name));
    }

    return model;
}


static void
ngx_http_prompt_run(ngx_http_prompt_operation_t *op,
    const prompt_execution_target_t *target, prompt_str_t input,
    const prompt_provider_request_t *request,
    const ngx_http_prompt_model_conf_t *model)
{
    prompt_buf_t                  body;
    ngx_http_prompt_execution_t  *execution;

    prompt_buf_init(&body, PROMPT_LIMIT_REQUEST);
    prompt_provider_request(request, &body);

    execution = NULL;

    if (body.status == PROMPT_BUF_OK) {
        execution = ngx_http_prompt_execution_create(op, target, input,
                                                     request, model);
    }

    if (execution == NULL) {
        prompt_buf_free(&body);

        if (!op->completed) {
            ngx_http_prompt_operation_fail_nomem(op);
        }

        return;
    }

    op->data = execution;
    op->detach = ngx_http_prompt_execution_detach;

    /* the row is on its way before the provider is asked */

    if (ngx_http_prompt_recording_start(execution->recording) == NGX_OK
        && ngx_http_prompt_call(execution, &body) == NGX_OK)
    {
        return;
    }

    prompt_buf_free(&body);

    op->data = NULL;
    op->detach = NULL;

    execution->recording->run.status = prompt_str("failed");
    execution->recording->run.error = prompt_str("The call was not made: "
                                                 "memory is short.");
    execution->recording->run.finished_at = ngx_http_prompt_now_ms() * 1000;

    if (ngx_http_prompt_recording_finish(execution->recording, NULL, NULL)
        == NGX_ERROR)
    {
        ngx_http_prompt_recording_destroy(execution->recording);
    }

    ngx_http_prompt_operation_fail_nomem(op);
}


/* NULL: memory is short, or the operation was completed with an error */

static ngx_http_prompt_execution_t *
ngx_http_prompt_execution_create(ngx_http_prompt_operation_t *op,
    const prompt_execution_target_t *target, prompt_str_t input,
    const prompt_provider_request_t *request,
    const ngx_http_prompt_model_conf_t *model)
{
    prompt_str_t                  id, prompt_id;
    prompt_arena_t               *arena;
    prompt_execution_run_t       *run;
    ngx_http_prompt_recording_t  *recording;
    ngx_http_prompt_execution_t  *execution;

    if (!ngx_http_prompt_new_id(op, &id)
        || !ngx_http_prompt_argument_id(op, op->arguments,
                                        prompt_str("promptId"), "Prompt",
                                        &prompt_id))
    {
        return NULL;
    }

    recording = ngx_http_prompt_recording_create(
                              ngx_http_prompt_get_worker(op->job->request));
    if (recording == NULL) {
        return NULL;
    }

    run = &recording->run;
    arena = recording->arena;

    execution = prompt_arena_zalloc(arena,
                                    sizeof(ngx_http_prompt_execution_t));

    if (execution == NULL
        || !ngx_http_prompt_keep(arena, id, &run->id)
        || !ngx_http_prompt_keep(arena, prompt_id, &run->prompt_id)
        || !ngx_http_prompt_keep(arena, ngx_http_prompt_caller(op),
                                 &run->caller)
        || !ngx_http_prompt_keep(arena, request->model, &run->model)
        || !ngx_http_prompt_keep(arena, input, &run->input))
    {
        ngx_http_prompt_recording_destroy(recording);
        return NULL;
    }

    run->version = target->version;
    run->timeout_ms = model->provider->timeout;

    execution->op = op;
    execution->recording = recording;
    execution->model = model;

    return execution;
}


static bool
ngx_http_prompt_keep(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t *copy)
{
    *copy = prompt_arena_copy(arena, text);

    return copy->data != NULL;
}


/* NGX_OK: the body is the call's */

static ngx_int_t
ngx_http_prompt_call(ngx_http_prompt_execution_t *execution,
    prompt_buf_t *body)
{
    ngx_keyval_t                              version;
    const ngx_http_prompt_provider_conf_t    *provider;
    ngx_http_prompt_provider_request_t        request;

    provider = execution->model->provider;

    ngx_memzero(&request, sizeof(ngx_http_prompt_provider_request_t));

    request.uri = provider->uri;
    request.args = provider->args;
    request.body = prompt_buf_release(body);
    request.timeout = provider->timeout;
    request.max_answer = PROMPT_LIMIT_ANSWER;
    request.done = ngx_http_prompt_answered;
    request.data = execution;

    if (provider->format == PROMPT_PROVIDER_ANTHROPIC) {

        /* a location that sets the header itself overrides this one */

        ngx_str_set(&version.key, "anthropic-version");
        ngx_str_set(&version.value, "2023-06-01");

        request.headers = &version;
        request.nheaders = 1;
    }

    return ngx_http_prompt_provider_call(execution->op->job->request, &request)
           != NULL ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_prompt_execution_detach(void *data)
{
    ngx_http_prompt_execution_t  *execution = data;

    execution->op = NULL;
}


static void
ngx_http_prompt_answered(void *data,
    const ngx_http_prompt_provider_result_t *result)
{
    ngx_http_prompt_execution_t *execution = data;

    ngx_int_t                     rc;
    ngx_http_prompt_operation_t  *op;

    op = execution->op;

    if (op != NULL && result->aborted) {

        /* the request is being freed */

        op->data = NULL;
        op->detach = NULL;
        op = NULL;
        execution->op = NULL;
    }

    ngx_http_prompt_read_answer(execution, result);

    if (op != NULL) {
        ngx_http_prompt_log_execution(execution, result->duration);
        ngx_http_prompt_watch_client(op->job->request);
    }

    rc = ngx_http_prompt_recording_finish(execution->recording,
                                          ngx_http_prompt_recorded, execution);

    if (rc == NGX_OK) {
        return;
    }

    if (op != NULL) {
        ngx_http_prompt_execution_answer(execution,
                                         rc == NGX_AGAIN
                                         ? NGX_HTTP_PROMPT_RECORDING_KEPT
                                         : NGX_HTTP_PROMPT_RECORDING_LOST);
    }

    if (rc == NGX_ERROR) {
        ngx_http_prompt_recording_destroy(execution->recording);
    }

    if (op != NULL) {
        ngx_http_prompt_service_run(op->job);
    }
}


/* What came of the call, as the final row will say it. */

static void
ngx_http_prompt_read_answer(ngx_http_prompt_execution_t *execution,
    const ngx_http_prompt_provider_result_t *result)
{
    prompt_arena_t            *arena;
    prompt_execution_run_t    *run;
    prompt_provider_answer_t   answer;

    run = &execution->recording->run;
    arena = execution->recording->arena;

    execution->usage.in = PROMPT_USAGE_UNKNOWN;
    execution->usage.cached = PROMPT_USAGE_UNKNOWN;
    execution->usage.out = PROMPT_USAGE_UNKNOWN;

    run->finished_at = ngx_http_prompt_now_ms() * 1000;
    run->latency_ms = prompt_maybe(ngx_min(result->duration,
                                           NGX_MAX_INT32_VALUE));
    run->status = prompt_str("failed");

    if (!result->complete) {
        execution->failure = ngx_http_prompt_call_failure(execution, result);

        if (result->cancelled) {
            run->status = prompt_str("cancelled");
        }

    } else if (!prompt_provider_answer(arena, (unsigned) result->status,
                                       result->body, &answer))
    {
        execution->failure = prompt_str("The provider's answer could not be "
                                        "read: memory is short.");

    } else {
        execution->usage = answer.usage;

        if (answer.outcome != PROMPT_PROVIDER_DONE) {
            execution->failure = answer.message;

        } else {
            run->output = prompt_arena_copy(arena, answer.output);

            if (run->output.data == NULL) {
                execution->failure = prompt_str("The provider's answer could "
                                                "not be kept: memory is "
                                                "short.");
            } else {
                run->status = prompt_str("succeeded");
            }
        }
    }

    run->error = execution->failure;
    ngx_http_prompt_count_execution(execution, result->duration);

    run->token_in = ngx_http_prompt_tokens(execution->usage.in);
    run->token_out = ngx_http_prompt_tokens(execution->usage.out);
    run->cost_usd = prompt_price_cost(execution->model->priced
                                      ? &execution->model->prices : NULL,
                                      &execution->usage, execution->cost);
}


static prompt_str_t
ngx_http_prompt_call_failure(ngx_http_prompt_execution_t *execution,
    const ngx_http_prompt_provider_result_t *result)
{
    prompt_str_t  message;

    if (result->timed_out) {
        message = prompt_arena_printf(execution->recording->arena,
                      "The model provider timed out: no answer within %lu ms.",
                      (unsigned long) execution->model->provider->timeout);

        return message.data != NULL ? message
                                    : prompt_str("The model provider timed "
                                                 "out.");
    }

    if (result->cancelled) {
        return prompt_str("The client left, and the call was cancelled.");
    }

    if (result->aborted) {
        return prompt_str("The call was cut off: the server ended the "
                          "request.");
    }

    if (result->too_large) {
        return prompt_str("The model provider's answer is larger than 8 MiB.");
    }

    if (result->truncated) {
        return prompt_str("The model provider's answer is incomplete: the "
                          "connection broke.");
    }

    if (result->refused) {
        return prompt_str("The model provider's answer was refused: it tried "
                          "to redirect the server.");
    }

    return prompt_str("The model provider could not be reached.");
}


static void
ngx_http_prompt_count_execution(ngx_http_prompt_execution_t *execution,
    ngx_msec_t duration)
{
    ngx_http_prompt_count_e     count;
    ngx_http_prompt_metrics_t  *metrics;

    metrics = execution->recording->worker->metrics;

    count = execution->failure.data == NULL
            ? NGX_HTTP_PROMPT_COUNT_SUCCEEDED
            : prompt_str_eq(execution->recording->run.status,
                            prompt_str("cancelled"))
              ? NGX_HTTP_PROMPT_COUNT_CANCELLED
              : NGX_HTTP_PROMPT_COUNT_FAILED;

    ngx_http_prompt_metrics_add(metrics, count, 1);
    ngx_http_prompt_metrics_time(metrics, NGX_HTTP_PROMPT_TIME_PROVIDER,
                                 duration);

    if (execution->usage.in != PROMPT_USAGE_UNKNOWN) {
        ngx_http_prompt_metrics_add(metrics, NGX_HTTP_PROMPT_COUNT_TOKENS_IN,
                                    (uint64_t) execution->usage.in);
    }

    if (execution->usage.out != PROMPT_USAGE_UNKNOWN) {
        ngx_http_prompt_metrics_add(metrics, NGX_HTTP_PROMPT_COUNT_TOKENS_OUT,
                                    (uint64_t) execution->usage.out);
    }
}


static prompt_maybe_t
ngx_http_prompt_tokens(int64_t tokens)
{
    return tokens == PROMPT_USAGE_UNKNOWN ? prompt_maybe_unknown
                                          : prompt_maybe(tokens);
}


/* Logged values must be there after the request's arena has gone. */

static void
ngx_http_prompt_log_execution(ngx_http_prompt_execution_t *execution,
    ngx_msec_t duration)
{
    ngx_pool_t              *pool;
    ngx_http_prompt_log_t   *log;
    prompt_execution_run_t  *run;

    pool = execution->op->job->request->pool;
    log = &execution->op->job->log;
    run = &execution->recording->run;

    log->tokens_in = execution->usage.in;
    log->tokens_out = execution->usage.out;
    log->provider_ms = (int64_t) duration;
    log->model = ngx_http_prompt_pool_copy(pool, run->model);
    log->cost_usd = ngx_http_prompt_pool_copy(pool, run->cost_usd);
}


/* absent stays absent; so is a copy for which there is no memory */

static prompt_str_t
ngx_http_prompt_pool_copy(ngx_pool_t *pool, prompt_str_t text)
{
    u_char  *copy;

    if (text.data == NULL) {
        return prompt_str_absent;
    }

    copy = ngx_pnalloc(pool, text.len);
    if (copy == NULL) {
        return prompt_str_absent;
    }

    ngx_memcpy(copy, text.data, text.len);

    return prompt_str_of((char *) copy, text.len);
}


static void
ngx_http_prompt_recorded(void *data, ngx_http_prompt_recorded_e recorded)
{
    ngx_http_prompt_execution_t *execution = data;

    ngx_http_prompt_operation_t  *op;

    op = execution->op;

    if (op != NULL) {
        ngx_http_prompt_execution_answer(execution, recorded);
        ngx_http_prompt_operation_resume(op->job);
    }
}


/*
 * The client is told of a success only when it is recorded durably.  The
 * output of one that is kept is found under its id later.
 */

static void
ngx_http_prompt_execution_answer(ngx_http_prompt_execution_t *execution,
    ngx_http_prompt_recorded_e recorded)
{
    ngx_http_prompt_operation_t  *op;

    op = execution->op;

    if (execution->failure.data != NULL) {
        ngx_http_prompt_execution_fail(execution, execution->failure);
        return;
    }

    switch (recorded) {

    case NGX_HTTP_PROMPT_RECORDED:
        op->data = NULL;
        op->detach = NULL;
        ngx_http_prompt_operation_object(op, &execution->recording->run);
        break;

    case NGX_HTTP_PROMPT_RECORDING_KEPT:
        ngx_http_prompt_execution_fail(execution,
            prompt_str("The prompt was executed, but its result could not be "
                       "recorded: the database is not available. The result "
                       "is kept and will be found under the execution's id "
                       "when the database is back; do not execute again."));
        break;

    default:
        ngx_http_prompt_execution_fail(execution,
            prompt_str("The prompt was executed, but its result could not be "
                       "recorded and is lost."));
        break;
    }
}


/* The error names the execution, so that its row can be looked up. */

static void
ngx_http_prompt_execution_fail(ngx_http_prompt_execution_t *execution,
    prompt_str_t message)
{
    gql_result_t                  result;
    prompt_json_t                *extra, *id;
    prompt_arena_t               *arena;
    ngx_http_prompt_operation_t  *op;

    op = execution->op;
    arena = op->job->arena;

    op->data = NULL;
    op->detach = NULL;

    result.kind = GQL_RESULT_ERROR;
    result.u.error = gql_execution_error(op->job->execution,
                                         ngx_http_prompt_internal_server_error,
                                         prompt_str_absent, "%.*s",
                                         prompt_str_arg(message));

    extra = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    id = ngx_http_prompt_uuid_json(arena, execution->recording->run.id);

    if (extra != NULL && id != NULL) {
        prompt_json_set(extra, prompt_str("executionId"), id);
        result.u.error->extra = extra;
    }

    ngx_http_prompt_operation_complete(op, &result);
}
