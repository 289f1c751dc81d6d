/*
 * Calls of providers.
 *
 *     run        the row `running` is on its way; the provider is called
 *     answered   the answer is read and priced; the final row is written
 *     recorded   the client is answered
 *
 * From run on, the call lives in its recording and not in the request: it goes
 * on when the client has left.
 */

#include "service/call.h"

#include "io/ngx_http_prompt_provider.h"
#include "prompt/price.h"
#include "service/arguments.h"
#include "service/recording.h"


/* An execution from the call of its provider on; lives in the recording. */
typedef struct {
    ngx_http_prompt_root_t              *root;   /* NULL: the client has left */
    ngx_http_prompt_recording_t         *recording;
    const ngx_http_prompt_model_conf_t  *model;
    prompt_usage_t                       usage;
    prompt_str_t                         failure;   /* absent: it succeeded */
    char                                 cost[PROMPT_PRICE_COST_MAX];
} ngx_http_prompt_call_t;


static ngx_http_prompt_call_t *ngx_http_prompt_call_create(
    ngx_http_prompt_root_t *root, const prompt_execution_run_t *given,
    const ngx_http_prompt_model_conf_t *model);
static void ngx_http_prompt_call_not_made(ngx_http_prompt_call_t *call);
static bool ngx_http_prompt_call_keep(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t *copy);
static ngx_int_t ngx_http_prompt_call_send(ngx_http_prompt_call_t *call,
    prompt_buf_t *body);
static void ngx_http_prompt_call_detach(void *data);
static void ngx_http_prompt_call_answered(void *data,
    const ngx_http_prompt_provider_result_t *result);
static void ngx_http_prompt_call_read(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);
static prompt_str_t ngx_http_prompt_call_output(prompt_arena_t *arena,
    prompt_str_t output, prompt_str_t body);
static prompt_str_t ngx_http_prompt_call_reason(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);
static prompt_str_t ngx_http_prompt_call_own(prompt_arena_t *arena,
    const ngx_http_prompt_provider_result_t *result);
static prompt_str_t ngx_http_prompt_call_failure(
    ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);
static void ngx_http_prompt_call_log(
    ngx_http_prompt_call_t *call, ngx_msec_t duration);
static prompt_str_t ngx_http_prompt_call_copy(ngx_pool_t *pool,
    prompt_str_t text);
static void ngx_http_prompt_call_recorded(void *data,
    ngx_http_prompt_recorded_e recorded);
static void ngx_http_prompt_call_complete(
    ngx_http_prompt_call_t *call,
    ngx_http_prompt_recorded_e recorded);
static void ngx_http_prompt_call_fail(
    ngx_http_prompt_call_t *call, prompt_str_t message);
static prompt_maybe_t ngx_http_prompt_call_tokens(int64_t tokens);
static void ngx_http_prompt_call_count(
    ngx_http_prompt_call_t *call, ngx_msec_t duration);


void
ngx_http_prompt_call_run(ngx_http_prompt_root_t *root,
    const prompt_execution_target_t *target, prompt_str_t input,
    const prompt_provider_request_t *request,
    const ngx_http_prompt_model_conf_t *model)
{
    prompt_buf_t             body;
    ngx_http_prompt_call_t  *call;
    prompt_execution_run_t   run;

    ngx_memzero(&run, sizeof(prompt_execution_run_t));

    run.id = root->id;

    if (!ngx_http_prompt_argument_id(root, root->arguments,
                                     prompt_str("promptId"), "Prompt",
                                     &run.prompt_id))
    {
        return;
    }

    run.caller = ngx_http_prompt_caller(root);
    run.version = target->version;
    run.model = request->model;
    run.input = input;
    run.timeout_ms = model->provider->timeout;

    prompt_buf_init(&body, PROMPT_LIMIT_REQUEST);
    prompt_provider_request(request, &body);

    call = NULL;

    if (body.status == PROMPT_BUF_OK) {
        call = ngx_http_prompt_call_create(root, &run, model);
    }

    if (call == NULL) {
        prompt_buf_free(&body);
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    /* all that is needed was copied: a call can last a minute */

    ngx_http_prompt_root_release(root);

    /* the row is on its way before the provider is asked */

    if (ngx_http_prompt_recording_start(call->recording) == NGX_OK
        && ngx_http_prompt_call_send(call, &body) == NGX_OK)
    {
        root->data = call;
        root->detach = ngx_http_prompt_call_detach;
        return;
    }

    prompt_buf_free(&body);
    ngx_http_prompt_call_not_made(call);
    ngx_http_prompt_root_fail_nomem(root);
}


/* Its row may stand as `running`. */

static void
ngx_http_prompt_call_not_made(ngx_http_prompt_call_t *call)
{
    prompt_execution_run_t  *run;

    run = &call->recording->run;

    run->status = prompt_str("failed");
    run->error = prompt_str("The call was not made: the server is out of "
                            "memory.");
    run->finished_at = ngx_http_prompt_now_ms() * 1000;

    if (ngx_http_prompt_recording_finish(call->recording, NULL, NULL)
        == NGX_ERROR)
    {
        ngx_http_prompt_recording_destroy(call->recording);
    }
}


/* given is copied.  NULL: memory */

static ngx_http_prompt_call_t *
ngx_http_prompt_call_create(ngx_http_prompt_root_t *root,
    const prompt_execution_run_t *given,
    const ngx_http_prompt_model_conf_t *model)
{
    prompt_arena_t               *arena;
    prompt_execution_run_t       *run;
    ngx_http_prompt_call_t       *call;
    ngx_http_prompt_recording_t  *recording;

    recording = ngx_http_prompt_recording_create(
                              ngx_http_prompt_get_worker(root->job->request));
    if (recording == NULL) {
        return NULL;
    }

    run = &recording->run;
    arena = recording->arena;

    *run = *given;

    call = prompt_arena_zalloc(arena, sizeof(ngx_http_prompt_call_t));

    if (call == NULL
        || !ngx_http_prompt_call_keep(arena, given->id, &run->id)
        || !ngx_http_prompt_call_keep(arena, given->prompt_id, &run->prompt_id)
        || !ngx_http_prompt_call_keep(arena, given->caller, &run->caller)
        || !ngx_http_prompt_call_keep(arena, given->model, &run->model)
        || !ngx_http_prompt_call_keep(arena, given->input, &run->input))
    {
        ngx_http_prompt_recording_destroy(recording);
        return NULL;
    }

    call->root = root;
    call->recording = recording;
    call->model = model;

    return call;
}


static bool
ngx_http_prompt_call_keep(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t *copy)
{
    *copy = prompt_arena_copy(arena, text);

    return copy->data != NULL;
}


/* NGX_OK: the body is the call's */

static ngx_int_t
ngx_http_prompt_call_send(ngx_http_prompt_call_t *call,
    prompt_buf_t *body)
{
    ngx_keyval_t                            header;
    const prompt_provider_format_t         *format;
    const ngx_http_prompt_provider_conf_t  *provider;
    ngx_http_prompt_provider_request_t      request;

    provider = call->model->provider;
    format = provider->format;

    ngx_memzero(&request, sizeof(ngx_http_prompt_provider_request_t));

    request.uri = provider->uri;
    request.args = provider->args;
    request.body = prompt_buf_release(body);
    request.timeout = provider->timeout;
    request.max_answer = PROMPT_LIMIT_ANSWER;
    request.done = ngx_http_prompt_call_answered;
    request.data = call;
    request.persists = call->root->job->once != NULL;

    if (format->header.data != NULL) {
        header.key.data = (u_char *) format->header.data;
        header.key.len = format->header.len;
        header.value.data = (u_char *) format->header_value.data;
        header.value.len = format->header_value.len;

        request.headers = &header;
        request.nheaders = 1;
    }

    return ngx_http_prompt_provider_call(call->root->job->request, &request)
           != NULL ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_prompt_call_detach(void *data)
{
    ngx_http_prompt_call_t  *call = data;

    call->root = NULL;
}


static void
ngx_http_prompt_call_answered(void *data,
    const ngx_http_prompt_provider_result_t *result)
{
    ngx_http_prompt_call_t  *call = data;

    ngx_int_t               rc;
    ngx_http_prompt_job_t  *job;

    if (call->root != NULL && result->aborted) {

        /* the request is being freed */

        call->root->detach = NULL;
        call->root = NULL;
    }

    ngx_http_prompt_call_read(call, result);

    job = NULL;

    if (call->root != NULL) {
        job = call->root->job;
        ngx_http_prompt_call_log(call, result->duration);
        ngx_http_prompt_job_watch(job);
    }

    rc = ngx_http_prompt_recording_finish(call->recording,
                                          ngx_http_prompt_call_recorded, call);

    if (rc == NGX_OK) {
        return;
    }

    if (job != NULL) {
        ngx_http_prompt_call_complete(call,
                                      rc == NGX_AGAIN
                                      ? NGX_HTTP_PROMPT_RECORDING_KEPT
                                      : NGX_HTTP_PROMPT_RECORDING_LOST);
    }

    if (rc == NGX_ERROR) {
        ngx_http_prompt_recording_destroy(call->recording);
    }

    if (job != NULL) {
        ngx_http_prompt_job_run(job);
    }
}


/* What came of the call, as the final row will say it. */

static void
ngx_http_prompt_call_read(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    prompt_arena_t            *arena;
    prompt_execution_run_t    *run;
    prompt_provider_answer_t   answer;

    run = &call->recording->run;
    arena = call->recording->arena;

    call->usage = prompt_usage_unknown;

    run->finished_at = ngx_http_prompt_now_ms() * 1000;
    run->latency_ms = prompt_maybe(ngx_min(result->duration,
                                           NGX_MAX_INT32_VALUE));
    run->status = prompt_str("failed");

    if (result->end != NGX_HTTP_PROMPT_PROVIDER_COMPLETE) {
        call->failure = ngx_http_prompt_call_failure(call, result);

        if (result->end == NGX_HTTP_PROMPT_PROVIDER_CANCELLED) {
            run->status = prompt_str("cancelled");
        }

    } else if (!prompt_provider_answer(arena, call->model->provider->format,
                                       (unsigned) result->status,
                                       result->body, &answer))
    {
        call->failure = prompt_str("The provider's answer could not be read: "
                                   "the server is out of memory.");

    } else {
        call->usage = answer.usage;

        if (answer.outcome != PROMPT_PROVIDER_DONE) {
            call->failure = answer.message;

        } else {
            run->output = ngx_http_prompt_call_output(arena, answer.output,
                                                      result->body);

            if (run->output.data == NULL) {
                call->failure = prompt_str("The provider's answer could not be "
                                           "kept: the server is out of "
                                           "memory.");
            } else {
                run->status = prompt_str("succeeded");
            }
        }
    }

    run->error = call->failure;
    ngx_http_prompt_call_count(call, result->duration);

    run->token_in = ngx_http_prompt_call_tokens(call->usage.in);
    run->token_out = ngx_http_prompt_call_tokens(call->usage.out);
    run->cost_usd = prompt_price_cost(call->model->priced
                                      ? &call->model->prices : NULL,
                                      &call->usage, call->cost);
}


/* the body is freed with the call; what is elsewhere is in the arena */

static prompt_str_t
ngx_http_prompt_call_output(prompt_arena_t *arena, prompt_str_t output,
    prompt_str_t body)
{
    uintptr_t  at, start;

    at = (uintptr_t) output.data;
    start = (uintptr_t) body.data;

    if (output.len != 0 && (at < start || at >= start + body.len)) {
        return output;
    }

    return prompt_arena_copy(arena, output);
}


/* what failed, with the status where there was one; absent: no memory */

static prompt_str_t
ngx_http_prompt_call_reason(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    unsigned         status;
    unsigned long    timeout;
    prompt_arena_t  *arena;

    arena = call->recording->arena;
    status = (unsigned) result->status;
    timeout = (unsigned long) call->model->provider->timeout;

    if (result->end == NGX_HTTP_PROMPT_PROVIDER_TIMED_OUT) {
        return result->answered && status != 0
               ? prompt_arena_printf(arena, "The model provider timed out: its "
                                     "answer with status %u was not complete "
                                     "within %lu ms.", status, timeout)
               : prompt_arena_printf(arena, "The model provider timed out: "
                                     "no answer within %lu ms.", timeout);
    }

    if (result->end == NGX_HTTP_PROMPT_PROVIDER_CANCELLED) {
        return prompt_str("The client disconnected, and the call was "
                          "cancelled.");
    }

    if (result->aborted || result->end == NGX_HTTP_PROMPT_PROVIDER_CUT) {
        return prompt_str("The call was cut off: the server ended the "
                          "request.");
    }

    switch (result->end) {

    case NGX_HTTP_PROMPT_PROVIDER_TOO_LARGE:
        return prompt_arena_printf(arena, "The model provider's answer with "
                                   "status %u is larger than 8 MiB.", status);

    case NGX_HTTP_PROMPT_PROVIDER_INTERIM:
        return prompt_arena_printf(arena, "The model provider sent an interim "
                                   "answer, status %u, before the answer "
                                   "itself, which was not read.", status);

    case NGX_HTTP_PROMPT_PROVIDER_TRUNCATED:
        return prompt_arena_printf(arena, "The model provider's answer with "
                                   "status %u is incomplete: the connection "
                                   "broke.", status);

    case NGX_HTTP_PROMPT_PROVIDER_REFUSED:
        return prompt_str("The model provider's answer was refused: it tried "
                          "to redirect the server.");

    default:
        return ngx_http_prompt_call_own(arena, result);
    }
}


/*
 * What nginx itself says in place of the provider: 502 and 504 where it asked
 * in vain, the provider's status where the location intercepts errors, another
 * one where the location refused (limit_req, return).
 */

static prompt_str_t
ngx_http_prompt_call_own(prompt_arena_t *arena,
    const ngx_http_prompt_provider_result_t *result)
{
    unsigned  status;

    status = (unsigned) result->status;

    if (status == NGX_HTTP_GATEWAY_TIME_OUT) {
        return prompt_str("The model provider timed out: nginx stopped "
                          "waiting, status 504.");
    }

    if (status == 0 || status == NGX_HTTP_BAD_GATEWAY) {
        return result->answered
               ? prompt_str("The model provider's answer could not be read "
                            "by nginx, status 502.")
               : prompt_str("The model provider could not be reached.");
    }

    return result->answered
           ? prompt_arena_printf(arena, "The model provider failed with "
                                 "status %u.", status)
           : prompt_arena_printf(arena, "The model provider was not asked: "
                                 "its location answered with status %u.",
                                 status);
}


static prompt_str_t
ngx_http_prompt_call_failure(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    prompt_str_t  reason;

    reason = ngx_http_prompt_call_reason(call, result);

    return reason.data != NULL ? reason
                               : prompt_str("The call failed, and the server "
                                            "is out of memory.");
}


static void
ngx_http_prompt_call_count(ngx_http_prompt_call_t *call,
    ngx_msec_t duration)
{
    ngx_http_prompt_count_e     count;
    ngx_http_prompt_metrics_t  *metrics;

    metrics = call->recording->worker->metrics;

    count = call->failure.data == NULL
            ? NGX_HTTP_PROMPT_COUNT_SUCCEEDED
            : prompt_str_eq(call->recording->run.status,
                            prompt_str("cancelled"))
              ? NGX_HTTP_PROMPT_COUNT_CANCELLED
              : NGX_HTTP_PROMPT_COUNT_FAILED;

    ngx_http_prompt_metrics_add(metrics, count, 1);
    ngx_http_prompt_metrics_time(metrics, NGX_HTTP_PROMPT_TIME_PROVIDER,
                                 duration);

    if (call->usage.in != PROMPT_USAGE_UNKNOWN) {
        ngx_http_prompt_metrics_add(metrics, NGX_HTTP_PROMPT_COUNT_TOKENS_IN,
                                    (uint64_t) call->usage.in);
    }

    if (call->usage.out != PROMPT_USAGE_UNKNOWN) {
        ngx_http_prompt_metrics_add(metrics, NGX_HTTP_PROMPT_COUNT_TOKENS_OUT,
                                    (uint64_t) call->usage.out);
    }
}


static prompt_maybe_t
ngx_http_prompt_call_tokens(int64_t tokens)
{
    return tokens == PROMPT_USAGE_UNKNOWN ? prompt_maybe_unknown
                                          : prompt_maybe(tokens);
}


/* Logged values must be there after the request's arena has gone. */

static void
ngx_http_prompt_call_log(ngx_http_prompt_call_t *call,
    ngx_msec_t duration)
{
    ngx_pool_t              *pool;
    ngx_http_prompt_log_t   *log;
    prompt_execution_run_t  *run;

    pool = call->root->job->request->pool;
    log = &call->root->job->log;
    run = &call->recording->run;

    log->tokens_in = call->usage.in;
    log->tokens_out = call->usage.out;
    log->provider_ms = (int64_t) duration;
    log->model = ngx_http_prompt_call_copy(pool, run->model);
    log->cost_usd = ngx_http_prompt_call_copy(pool, run->cost_usd);
}


/*
 * Absent stays absent; so is a copy for which there is no memory.  A user
 * chose the model's name, and an operator may put it into a header or a log
 * that escapes nothing: control characters become question marks.
 */

static prompt_str_t
ngx_http_prompt_call_copy(ngx_pool_t *pool, prompt_str_t text)
{
    size_t   i;
    u_char  *copy;

    if (text.data == NULL) {
        return prompt_str_absent;
    }

    copy = ngx_pnalloc(pool, text.len);
    if (copy == NULL) {
        return prompt_str_absent;
    }

    for (i = 0; i < text.len; i++) {
        copy[i] = (u_char) text.data[i];

        if (copy[i] < 0x20 || copy[i] == 0x7f) {
            copy[i] = '?';
        }
    }

    return prompt_str_of((char *) copy, text.len);
}


static void
ngx_http_prompt_call_recorded(void *data, ngx_http_prompt_recorded_e recorded)
{
    ngx_http_prompt_call_t  *call = data;

    ngx_http_prompt_job_t  *job;

    if (call->root != NULL) {
        job = call->root->job;
        ngx_http_prompt_call_complete(call, recorded);
        ngx_http_prompt_job_resume(job);
    }
}


/*
 * The client is told of a success only when it is recorded durably.  The
 * output of one that is kept is found under its id later.
 */

static void
ngx_http_prompt_call_complete(ngx_http_prompt_call_t *call,
    ngx_http_prompt_recorded_e recorded)
{
    ngx_http_prompt_root_t  *root;

    root = call->root;

    if (call->failure.data != NULL) {
        ngx_http_prompt_call_fail(call, call->failure);
        return;
    }

    switch (recorded) {

    case NGX_HTTP_PROMPT_RECORDED:
        ngx_http_prompt_root_object(root, &call->recording->run);
        break;

    case NGX_HTTP_PROMPT_RECORDING_KEPT:
        ngx_http_prompt_job_unsettled(root->job);
        ngx_http_prompt_call_fail(call,
            prompt_str("The prompt was executed, but its result could not be "
                       "recorded: the database is not available. The result "
                       "is kept and will be found under the execution's id "
                       "when the database is back; do not execute again."));
        break;

    default:
        ngx_http_prompt_call_fail(call,
            prompt_str("The prompt was executed, but its result could not be "
                       "recorded and is lost."));
        break;
    }
}


/* The error names the call, so that its row can be looked up. */

static void
ngx_http_prompt_call_fail(ngx_http_prompt_call_t *call,
    prompt_str_t message)
{
    gql_result_t             result;
    prompt_json_t           *extra, *id;
    prompt_arena_t          *arena;
    ngx_http_prompt_root_t  *root;

    root = call->root;
    arena = root->job->arena;

    result.kind = GQL_RESULT_ERROR;
    result.u.error = gql_execution_error(root->job->execution,
                                         ngx_http_prompt_internal_server_error,
                                         prompt_str_absent, "%.*s",
                                         prompt_str_arg(message));

    extra = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    id = ngx_http_prompt_uuid_json(arena, call->recording->run.id);

    if (extra != NULL && id != NULL) {
        prompt_json_set(extra, prompt_str("executionId"), id);
        result.u.error->extra = extra;
    }

    ngx_http_prompt_root_complete(root, &result);
}
