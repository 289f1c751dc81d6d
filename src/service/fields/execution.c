/*
 * Executions: executePrompt, executeDraft and their streams up to the call, and
 * the fields of ExecutionResult, ExecutionEvent and Execution.
 */

#include "service/fields/execution_impl.h"

#include "base/uuid.h"
#include "io/ngx_http_prompt_ratelog.h"
#include "prompt/messages.h"
#include "prompt/name.h"
#include "prompt/split.h"
#include "service/fields/fields.h"
#include "service/frame/arguments.h"
#include "service/call/call.h"
#include "service/call/stream.h"
#include "service/tree/tree.h"


static void ngx_http_prompt_execute(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_execute_draft(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_execute_read(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_execute_done(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_target_of(ngx_http_prompt_root_t *root,
    prompt_target_question_t *question) PROMPT_WARN_UNUSED;
static void ngx_http_prompt_no_target(ngx_http_prompt_root_t *root,
    prompt_str_t id);
static ngx_int_t ngx_http_prompt_find_target(ngx_http_prompt_root_t *root,
    ngx_http_prompt_ask_t *ask, prompt_str_t *input);
static prompt_target_t *ngx_http_prompt_find_arm(ngx_http_prompt_root_t *root,
    prompt_target_t *target);
static bool ngx_http_prompt_read_target(ngx_http_prompt_root_t *root,
    const prompt_execution_target_t *row, ngx_http_prompt_ask_t *ask)
    PROMPT_WARN_UNUSED;
static void ngx_http_prompt_resolve_draft(ngx_http_prompt_job_t *job,
    void *parent, const gql_plan_field_t *field, gql_result_t *out);
static void ngx_http_prompt_resolve_message(ngx_http_prompt_job_t *job,
    void *parent, const gql_plan_field_t *field, gql_result_t *out);


#define column(member)                                                       \
    .resource = &prompt_execution_resource,                                  \
    .offset = offsetof(prompt_execution_t, member)

#define result(member)                                                       \
    .resource = &prompt_run_resource,                                        \
    .offset = offsetof(prompt_execution_run_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_execution_fields[] = {

    { .type = "Mutation", .name = "executePrompt",
      .scope = PROMPT_KEY_SCOPE_EXECUTE,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_execute },

    { .type = "Subscription", .name = "executePromptStream",
      .scope = PROMPT_KEY_SCOPE_EXECUTE,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_execute },

    { .type = "Mutation", .name = "executeDraft",
      .scope = PROMPT_KEY_SCOPE_WRITE|PROMPT_KEY_SCOPE_EXECUTE,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_execute_draft },

    { .type = "Subscription", .name = "executeDraftStream",
      .scope = PROMPT_KEY_SCOPE_WRITE|PROMPT_KEY_SCOPE_EXECUTE,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_execute_draft },

    { .type = "ExecutionEvent", .name = "delta",
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(ngx_http_prompt_execution_event_t, delta) },
    { .type = "ExecutionEvent", .name = "result",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_execution_event_t, result) },

    { .type = "ExecutionResult", .name = "output", result(output) },
    { .type = "ExecutionResult", .name = "latencyMs", result(latency_ms) },
    { .type = "ExecutionResult", .name = "tokenIn", result(token_in) },
    { .type = "ExecutionResult", .name = "tokenCached",
      result(token_cached) },
    { .type = "ExecutionResult", .name = "tokenCacheWrite",
      result(token_cache_write) },
    { .type = "ExecutionResult", .name = "tokenOut", result(token_out) },
    { .type = "ExecutionResult", .name = "tokenReasoning",
      result(token_reasoning) },
    { .type = "ExecutionResult", .name = "costUsd", result(cost_usd) },
    { .type = "ExecutionResult", .name = "executionId", result(id) },
    { .type = "ExecutionResult", .name = "versionUsed", result(version) },
    { .type = "ExecutionResult", .name = "model", result(model) },
    { .type = "ExecutionResult", .name = "finishReason",
      result(finish_reason) },
    { .type = "ExecutionResult", .name = "toolCalls",
      .scope = PROMPT_KEY_SCOPE_ANY, result(tool_calls) },
    { .type = "ExecutionResult", .name = "outputJson",
      .resolve = ngx_http_prompt_slot_json,
      .offset = offsetof(prompt_execution_run_t, output_json) },
    { .type = "ExecutionResult", .name = "outputErrors",
      result(output_errors) },
    { .type = "ExecutionResult", .name = "message",
      .resolve = ngx_http_prompt_resolve_message },

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
    { .type = "Execution", .name = "tokenCached", column(token_cached) },
    { .type = "Execution", .name = "tokenCacheWrite",
      column(token_cache_write) },
    { .type = "Execution", .name = "tokenOut", column(token_out) },
    { .type = "Execution", .name = "tokenReasoning", column(token_reasoning) },
    { .type = "Execution", .name = "costUsd", column(cost_usd) },
    { .type = "Execution", .name = "version", column(version) },
    { .type = "Execution", .name = "draft", column(version),
      .resolve = ngx_http_prompt_resolve_draft },
    { .type = "Execution", .name = "model", column(model) },
    { .type = "Execution", .name = "label", column(label) },
    { .type = "Execution", .name = "prompt",
      .scope = PROMPT_KEY_SCOPE_READ,
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_execution_node_t, prompt) },
    { .type = "Execution", .name = "attempts", column(attempts) },
    { .type = "Execution", .name = "input", column(input) },
    { .type = "Execution", .name = "appended", column(appended) },
    { .type = "Execution", .name = "output", column(output) },
    { .type = "Execution", .name = "error", column(error) },
    { .type = "Execution", .name = "finishReason", column(finish_reason) },
    { .type = "Execution", .name = "toolCalls",
      .scope = PROMPT_KEY_SCOPE_ANY, column(tool_calls) },
    { .type = "Execution", .name = "outputErrors", column(output_errors) },
    { .type = "Execution", .name = "traceId", column(trace_id) },
    { .type = "Execution", .name = "providerStatus",
      column(provider_status) },
    { .type = "Execution", .name = "providerMessage",
      column(provider_message) },
    { .type = "Execution", .name = "subject", column(subject) },
    { .type = "Execution", .name = "metadata", column(metadata) },
    { .type = "Execution", .name = "keyId", column(key_id) },
    { .type = "Execution", .name = "runId", column(run_id) },
    { .type = "Execution", .name = "executedBy",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_resolve_person,
      .offset = offsetof(ngx_http_prompt_execution_node_t, by) },
    { .type = "Execution", .name = "scores",
      .scope = PROMPT_KEY_SCOPE_ANY, column(scores) },
    { .type = "Execution", .name = "createdAt", column(created_at) },
    { .type = "Execution", .name = "finishedAt", column(finished_at) },

    { .type = NULL }
};

#undef column
#undef result


static void
ngx_http_prompt_execute(ngx_http_prompt_root_t *root)
{
    prompt_str_t           input;
    ngx_http_prompt_ask_t  ask;

    if (!ngx_http_prompt_target_question(root)) {
        return;
    }

    if (ngx_http_prompt_find_target(root, &ask, &input) == NGX_OK) {
        ngx_http_prompt_call_run(root, input, &ask);
        return;
    }

    ngx_http_prompt_execute_read(root);
}


/* Only the prompt is read: no version has the number 0. */
static void
ngx_http_prompt_execute_draft(ngx_http_prompt_root_t *root)
{
    prompt_target_question_t   *question;
    prompt_execution_target_t  *draft;

    draft = prompt_arena_zalloc(root->job->arena,
                                sizeof(prompt_execution_target_t));
    if (draft == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    if (!ngx_http_prompt_target_question(root)
        || !ngx_http_prompt_draft_read(root, draft)
        || !ngx_http_prompt_new_id(root, &root->id))
    {
        return;
    }

    question = root->data;
    question->draft = draft;
    question->version = prompt_maybe(0);

    ngx_http_prompt_execute_read(root);
}


bool
ngx_http_prompt_target_question(ngx_http_prompt_root_t *root)
{
    const prompt_json_t       *value;
    prompt_target_question_t  *question;

    question = ngx_http_prompt_root_data(root,
                                         sizeof(prompt_target_question_t));
    if (question == NULL) {
        return false;
    }

    /* known before anything is done, for requests that are done once */

    root->id = root->job->beside.id;

    if (!ngx_http_prompt_target_of(root, question)
        || (root->id.data == NULL && !ngx_http_prompt_new_id(root, &root->id)))
    {
        return false;
    }

    /* who is nobody has a version of a split by chance */

    question->subject = ngx_http_prompt_argument_text(root->arguments,
                                                      prompt_str("subject"));

    if (question->subject.data == NULL || root->job->beside.chance) {
        question->subject = root->id;
    }

    value = ngx_http_prompt_argument(root->arguments, prompt_str("version"));

    if (value != NULL) {
        question->version.known =
                         prompt_json_integer(value, &question->version.value);
    }

    question->label = ngx_http_prompt_argument_text(root->arguments,
                                                    prompt_str("label"));

    if (value != NULL && question->label.data != NULL) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                                  prompt_str("label"),
                                  "\"version\" and \"label\" cannot be "
                                  "given together.");
        return false;
    }

    if (prompt_label_is_latest(question->label)) {
        question->label = prompt_str_absent;

    } else if (value == NULL && question->label.data == NULL) {
        question->label = root->job->beside.label;
        question->or_latest = question->label.data != NULL;
    }

    return true;
}


/* An id; or the name of a prompt of the caller's, as on its creation. */
static bool
ngx_http_prompt_target_of(ngx_http_prompt_root_t *root,
    prompt_target_question_t *question)
{
    prompt_str_t     text;
    prompt_uuid_t   *id;
    prompt_check_t   rc;
    prompt_fault_t   fault;

    text = ngx_http_prompt_argument_text(root->arguments,
                                         prompt_str("promptId"));

    id = prompt_arena_alloc(root->job->arena, sizeof(prompt_uuid_t));
    if (id == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return false;
    }

    if (prompt_uuid_parse(text, id)) {
        question->prompt_id = prompt_str_of((char *) id->bytes,
                                            PROMPT_UUID_LEN);
        return true;
    }

    question->prompt_id = ngx_http_prompt_caller(root);
    rc = prompt_name(root->job->arena, text, &question->name, &fault);

    if (rc == PROMPT_CHECK_FAULT) {
        ngx_http_prompt_fail_not_found(root, "Prompt", text);
        return false;
    }

    return ngx_http_prompt_passed(root, rc, &fault);
}


/*
 * With a version that the worker has.  NGX_DECLINED: it has none, or there is
 * something wrong, which only one that was read may tell.
 */
static ngx_int_t
ngx_http_prompt_find_target(ngx_http_prompt_root_t *root,
    ngx_http_prompt_ask_t *ask, prompt_str_t *input)
{
    prompt_fault_t             fault;
    prompt_target_t           *target;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(root->job->request);

    /* what is done once is marked with the query that reads it */

    if (worker->targets == NULL || root->job->persists) {
        return NGX_DECLINED;
    }

    target = prompt_target_cache_find(worker->targets, root->data,
                                      ngx_http_prompt_caller(root),
                                      ngx_current_msec);

    if (target != NULL && target->split != NULL) {
        target = ngx_http_prompt_find_arm(root, target);
    }

    if (target == NULL
        || (root->job->beside.schema && target->schema == NULL))
    {
        return NGX_DECLINED;
    }

    if (ngx_http_prompt_ask_init(root, ask, target) != NGX_OK) {
        return NGX_DECLINED;
    }

    ask->read = ngx_http_prompt_execute_read;
    ask->kept = true;

    if (ngx_http_prompt_prepare(root, ask, input, &fault) != PROMPT_CHECK_OK) {
        ngx_http_prompt_ask_end(ask);
        return NGX_DECLINED;
    }

    return NGX_OK;
}


/* Of a split: that, or the version of the subject's slot; NULL: not there. */
static prompt_target_t *
ngx_http_prompt_find_arm(ngx_http_prompt_root_t *root, prompt_target_t *target)
{
    int32_t                          version;
    ngx_http_prompt_worker_t        *worker;
    const prompt_target_question_t  *question;

    question = root->data;
    worker = ngx_http_prompt_get_worker(root->job->request);

    if (!prompt_split_version(target->split, target->row.salt,
                              target->row.slots, question->subject, &version))
    {
        prompt_target_release(target);
        return NULL;
    }

    return version == target->row.version
           ? target
           : prompt_target_cache_arm(worker->targets, target, question,
                                     version, ngx_http_prompt_caller(root),
                                     ngx_current_msec);
}


static void
ngx_http_prompt_execute_read(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_target_read(root, ngx_http_prompt_execute_done);
}


void
ngx_http_prompt_target_read(ngx_http_prompt_root_t *root,
    ngx_http_prompt_root_pt done)
{
    bool                             bound;
    prompt_str_t                     caller;
    prompt_query_t                  *query;
    const prompt_target_question_t  *question;

    question = root->data;

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->length = PROMPT_QUERY_ROW;

        caller = ngx_http_prompt_caller(root);
        bound = question->name.data != NULL
                ? prompt_execution_named(query, question->name, caller,
                                         question->version, question->label,
                                         question->or_latest,
                                         question->subject)
                : question->label.data == NULL
                ? prompt_execution_target(query, question->prompt_id, caller,
                                          question->version)
                : prompt_execution_labelled(query, question->prompt_id, caller,
                                            question->label,
                                            question->or_latest,
                                            question->subject);

        ngx_http_prompt_root_send(root, bound, done);
    }
}


static void
ngx_http_prompt_execute_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t                     input;
    prompt_check_t                   rc;
    prompt_fault_t                   fault;
    ngx_http_prompt_ask_t            ask;
    const prompt_target_question_t  *question;

    if (!ngx_http_prompt_target_found(root, &ask)) {
        return;
    }

    question = root->data;
    ask.read = ngx_http_prompt_execute_read;
    rc = ngx_http_prompt_prepare(root, &ask, &input, &fault);

    if (rc == PROMPT_CHECK_FAULT && question->draft != NULL
        && ngx_http_prompt_draft_is_wrong(&ask, fault.field))
    {
        root->within = prompt_str("draft.");
    }

    if (ngx_http_prompt_passed(root, rc, &fault)) {
        ngx_http_prompt_call_run(root, input, &ask);
        return;
    }

    /* what the fault names may stand in the target */

    prompt_buf_free(&ask.text);
}


bool
ngx_http_prompt_target_found(ngx_http_prompt_root_t *root,
    ngx_http_prompt_ask_t *ask)
{
    prompt_str_t                     id;
    prompt_outcome_t                 outcome;
    prompt_execution_target_t        row;
    const prompt_target_question_t  *question;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return false;
    }

    question = root->data;

    id = ngx_http_prompt_argument_text(root->arguments, prompt_str("promptId"));
    outcome = prompt_execution_target_row(&root->result->rows[0], &row);

    if (question->draft != NULL) {
        outcome = ngx_http_prompt_draft_found(root, outcome, question->draft,
                                              &row);
    }

    if (outcome == PROMPT_OUTCOME_NO_VERSION
        || outcome == PROMPT_OUTCOME_NO_LABEL)
    {
        ngx_http_prompt_no_target(root, id);
        return false;
    }

    return ngx_http_prompt_outcome_done(root, outcome, id)
           && ngx_http_prompt_read_target(root, &row, ask);
}


/* The version that was read: kept for others, and asked for here. */
static bool
ngx_http_prompt_read_target(ngx_http_prompt_root_t *root,
    const prompt_execution_target_t *row, ngx_http_prompt_ask_t *ask)
{
    prompt_target_t           *target;
    prompt_json_error_t        error;
    prompt_target_question_t  *question;
    ngx_http_prompt_worker_t  *worker;

    question = root->data;
    target = prompt_target_create(row, PROMPT_LIMIT_DEPTH, &error);

    if (target == NULL && error.status != PROMPT_JSON_NOMEM) {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_STORED,
                                prompt_str_absent,
                                root->job->request->connection->log,
                                "prompt: a stored version holds JSON that "
                                "cannot be read: %s", error.message);
        ngx_http_prompt_root_fail(root, ngx_http_prompt_internal_server_error,
                                  prompt_str_absent,
                                  "The stored version cannot be read.");
        return false;
    }

    worker = ngx_http_prompt_get_worker(root->job->request);

    if (target != NULL && worker->targets != NULL && question->draft == NULL) {
        prompt_target_cache_put(worker->targets, question,
                                ngx_http_prompt_caller(root), target,
                                ngx_current_msec);
    }

    if (target == NULL
        || ngx_http_prompt_ask_init(root, ask, target) != NGX_OK)
    {
        ngx_http_prompt_root_fail_nomem(root);
        return false;
    }

    if (root->job->beside.schema && target->schema == NULL) {
        ngx_http_prompt_root_fail(root, ngx_http_prompt_not_found,
                                  prompt_str_absent,
                                  "Version %d has no inputSchema.",
                                  (int) target->row.version);
        return false;
    }

    ngx_http_prompt_root_release(root);

    return true;
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


/* A draft is what has no version. */
static void
ngx_http_prompt_resolve_draft(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    const prompt_execution_t  *execution = parent;

    out->kind = GQL_RESULT_BOOLEAN;
    out->u.boolean = (execution->version == 0);
}


/* The answer as a message: made when it is first asked for. */
static void
ngx_http_prompt_resolve_message(ngx_http_prompt_job_t *job, void *parent,
    const gql_plan_field_t *field, gql_result_t *out)
{
    prompt_execution_run_t  *run = parent;

    prompt_buf_t               text;
    prompt_provider_answer_t   answer;

    (void) field;

    if (run->message.data == NULL) {
        ngx_memzero(&answer, sizeof(prompt_provider_answer_t));

        answer.output = run->output;
        answer.tool_calls = run->tool_calls.cell;
        answer.opaque = run->opaque;

        prompt_buf_init(&text, NGX_HTTP_PROMPT_ANSWER_MEMORY);
        prompt_provider_answer_message(&answer, run->format, &text);

        if (text.status == PROMPT_BUF_OK) {
            run->message = prompt_arena_copy(job->arena,
                                             prompt_buf_view(&text));
        }

        prompt_buf_free(&text);
    }

    if (run->message.data != NULL) {
        out->kind = GQL_RESULT_JSON_TEXT;
        out->u.text = run->message;
        return;
    }

    out->kind = GQL_RESULT_ERROR;
    out->u.error = gql_execution_error(job->execution,
                                       ngx_http_prompt_internal_server_error,
                                       prompt_str_absent, "The answer is too "
                                       "large for a message, or the server is "
                                       "out of memory; output has its text.");
}
