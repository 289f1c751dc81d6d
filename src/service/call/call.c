/*
 * Calls of providers.
 *
 *     run        the row `running` is on its way, or there; the provider is
 *                called (call_begin.c)
 *     answered   perhaps it, or another, is called once more (attempt.c); the
 *                answer is read and priced; the final row is written
 *     recorded   the client is answered
 *
 * From run on, the call lives in its recording and not in the request: it goes
 * on when the client has left.
 */

#include "service/call/call_impl.h"

#include "prompt/schema.h"
#include "service/frame/arguments.h"
#include "service/frame/hook.h"


static void ngx_http_prompt_call_read(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);
static prompt_str_t ngx_http_prompt_call_output(prompt_arena_t *arena,
    prompt_str_t output, prompt_str_t body);
static const prompt_prices_t *ngx_http_prompt_call_prices(
    const ngx_http_prompt_call_t *call);
static void ngx_http_prompt_call_validate(ngx_http_prompt_call_t *call);
static void ngx_http_prompt_call_price(ngx_http_prompt_call_t *call);
static bool ngx_http_prompt_call_unheard(
    const ngx_http_prompt_provider_result_t *result);
static void ngx_http_prompt_call_spent(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result);
static void ngx_http_prompt_call_log(ngx_http_prompt_call_t *call);
static prompt_str_t ngx_http_prompt_call_copy(ngx_pool_t *pool,
    prompt_str_t text);
static void ngx_http_prompt_call_recorded(void *data,
    ngx_http_prompt_recorded_e recorded);
static void ngx_http_prompt_call_complete(
    ngx_http_prompt_call_t *call,
    ngx_http_prompt_recorded_e recorded);
static void ngx_http_prompt_call_fail(
    ngx_http_prompt_call_t *call, prompt_str_t message);
static prompt_json_t *ngx_http_prompt_call_extra(
    const ngx_http_prompt_call_t *call);
static prompt_maybe_t ngx_http_prompt_call_tokens(int64_t tokens);
static void ngx_http_prompt_call_count(
    ngx_http_prompt_call_t *call, ngx_uint_t asked);


void
ngx_http_prompt_call_answered(void *data,
    const ngx_http_prompt_provider_result_t *result)
{
    ngx_http_prompt_call_t  *call = data;

    ngx_int_t                            rc;
    ngx_http_prompt_job_t               *job;
    ngx_http_prompt_provider_result_t    whole;
    const ngx_http_prompt_model_conf_t  *model;

    if (ngx_http_prompt_stream_whole(call->stream, result)) {
        whole = *result;
        whole.end = NGX_HTTP_PROMPT_PROVIDER_COMPLETE;
        result = &whole;
    }

    call->recording->run.attempts += result->asked;
    call->reached |= result->reached;
    call->unheard |= ngx_http_prompt_call_unheard(result);
    model = call->model;

    if (call->root != NULL && result->aborted) {

        /* the request is being freed */

        call->root->detach = NULL;
        call->root = NULL;
    }

    ngx_http_prompt_call_ratelog(call, result);

    if (ngx_http_prompt_attempt_next(call, result) == NGX_OK) {
        ngx_http_prompt_metrics_asked(model->counts, result->asked, 1);
        return;
    }

    ngx_http_prompt_attempt_last(call);
    ngx_http_prompt_call_read(call, result);
    ngx_http_prompt_call_count(call, result->asked);
    ngx_http_prompt_call_span_end(call, result);
    ngx_http_prompt_call_ratelog_over(call, result);

    if (call->stream != NULL) {
        ngx_http_prompt_stream_free(call->stream);
        call->recording->worker->streams--;
    }

    job = NULL;

    if (call->root != NULL) {
        job = call->root->job;
        ngx_http_prompt_call_log(call);
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
    ngx_msec_t                 duration;
    prompt_arena_t            *arena;
    prompt_execution_run_t    *run;
    prompt_provider_answer_t  *answer;

    duration = ngx_current_msec - call->start;
    answer = &call->answer;
    run = &call->recording->run;
    arena = call->recording->arena;

    call->usage = prompt_usage_unknown;

    run->finished_at = ngx_http_prompt_now_ms() * 1000;
    run->latency_ms = prompt_maybe(ngx_min(duration, NGX_MAX_INT32_VALUE));
    run->status = prompt_str("failed");

    if (result->end != NGX_HTTP_PROMPT_PROVIDER_COMPLETE) {
        call->failure = ngx_http_prompt_call_failure(call, result);

        if (result->end == NGX_HTTP_PROMPT_PROVIDER_CANCELLED) {
            run->status = prompt_str("cancelled");
        }

        ngx_http_prompt_stream_rest(call->stream, arena, run, &call->usage);

    } else if (!ngx_http_prompt_call_answer(call, result)) {
        call->failure = prompt_str("The provider's answer could not be read: "
                                   "the server is out of memory.");

    } else {
        call->usage = answer->usage;

        if (answer->outcome != PROMPT_PROVIDER_DONE) {
            call->failure = answer->message;
            ngx_http_prompt_stream_rest(call->stream, arena, run, NULL);

        } else {
            run->output = ngx_http_prompt_call_output(arena, answer->output,
                                                      result->body);

            if (run->output.data == NULL) {
                call->unread = 1;
                call->failure = prompt_str("The provider's answer could not be "
                                           "kept: the server is out of "
                                           "memory.");
            } else {
                run->finish_reason = answer->finish;
                run->tool_calls.cell = answer->tool_calls;
                run->opaque = answer->opaque;
                run->format = call->model->provider->format->name;
                run->status = prompt_str("succeeded");
                ngx_http_prompt_call_validate(call);
            }
        }
    }

    run->error = call->failure;

    if (call->failure.data != NULL) {
        ngx_http_prompt_call_blame(call, result);
    }

    ngx_http_prompt_call_price(call);
    ngx_http_prompt_call_spent(call, result);
}


/*
 * Whether the provider was asked, and had not answered when the time, or the
 * client's patience, was over, or its location failed: it may go on all the
 * same, and bill it.  The status is nginx's own; 502 is a connection's end.
 */
static bool
ngx_http_prompt_call_unheard(const ngx_http_prompt_provider_result_t *result)
{
    return result->reached && !result->answered
           && (result->end == NGX_HTTP_PROMPT_PROVIDER_TIMED_OUT
               || result->end == NGX_HTTP_PROMPT_PROVIDER_CANCELLED
               || result->end == NGX_HTTP_PROMPT_PROVIDER_CUT
               || (result->status != 0
                   && result->status != NGX_HTTP_BAD_GATEWAY));
}


/*
 * For budgets: what is not known, of an answer that came or of what was
 * counted, may be all that was reserved; so it may where somebody was asked
 * before, and not heard.
 */
static void
ngx_http_prompt_call_spent(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    prompt_execution_run_t  *run;

    run = &call->recording->run;

    if (call->unheard) {
        run->spent_usd = prompt_str_absent;

    } else if (run->cost_usd.data != NULL || result->began
               || prompt_usage_known(call->usage.in)
               || prompt_usage_known(call->usage.out))
    {
        run->spent_usd = run->cost_usd;
    }
}


/* NULL: it has none */
static const prompt_prices_t *
ngx_http_prompt_call_prices(const ngx_http_prompt_call_t *call)
{
    const ngx_http_prompt_model_conf_t  *model;

    model = call->model;

    return model->priced
           ? prompt_prices_of(&model->prices, &model->long_prices,
                              model->long_from, &call->usage)
           : NULL;
}


/*
 * What was paid for is a success, whatever it is: where memory is short,
 * nothing is said of it.  Tools that are called in its place are no output yet.
 */
static void
ngx_http_prompt_call_validate(ngx_http_prompt_call_t *call)
{
    prompt_arena_t          *arena;
    prompt_output_t          output;
    prompt_execution_run_t  *run;

    run = &call->recording->run;
    arena = call->recording->arena;

    if (call->schema.data == NULL
        || (run->output.len == 0 && run->tool_calls.cell.data != NULL)
        || !prompt_output_schema_validate(arena, call->schema, run->output,
                                          &output)
        || !prompt_texts_of(arena, output.errors, &run->output_errors))
    {
        return;
    }

    run->output_json = output.json;
}


bool
ngx_http_prompt_call_answer(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_provider_result_t *result)
{
    if (!call->read) {
        call->read = 1;
        call->unread = !ngx_http_prompt_stream_answer(call->stream,
                                        call->recording->arena,
                                        call->model->provider->format, result,
                                        &call->answer);
    }

    return !call->unread;
}


/* with the prices, from which the cost can be computed again */
static void
ngx_http_prompt_call_price(ngx_http_prompt_call_t *call)
{
    ngx_uint_t               i;
    const prompt_usage_t    *usage;
    const prompt_prices_t   *prices;
    prompt_execution_run_t  *run;

    static const struct {
        size_t  price;
        size_t  text;
    } columns[] = {
        { offsetof(prompt_prices_t, input),
          offsetof(prompt_execution_run_t, price_input) },
        { offsetof(prompt_prices_t, cached_input),
          offsetof(prompt_execution_run_t, price_cached_input) },
        { offsetof(prompt_prices_t, cache_write),
          offsetof(prompt_execution_run_t, price_cache_write) },
        { offsetof(prompt_prices_t, cache_write_1h),
          offsetof(prompt_execution_run_t, price_cache_write_1h) },
        { offsetof(prompt_prices_t, output),
          offsetof(prompt_execution_run_t, price_output) }
    };

    run = &call->recording->run;
    usage = &call->usage;
    prices = ngx_http_prompt_call_prices(call);

    run->token_in = ngx_http_prompt_call_tokens(usage->in);
    run->token_cached = ngx_http_prompt_call_tokens(usage->cached);
    run->token_cache_write = ngx_http_prompt_call_tokens(
                                 prompt_usage_written(usage));
    run->token_cache_write_1h = ngx_http_prompt_call_tokens(
                                    usage->cache_write_1h);
    run->token_out = ngx_http_prompt_call_tokens(usage->out);
    run->token_reasoning = ngx_http_prompt_call_tokens(usage->reasoning);
    run->cost_usd = prompt_price_cost(prices, usage, call->cost);

    for (i = 0; prices != NULL && i < sizeof(columns) / sizeof(columns[0]);
         i++)
    {
        *(prompt_str_t *) ((u_char *) run + columns[i].text) =
            prompt_price_format((const prompt_price_t *)
                                ((const u_char *) prices + columns[i].price),
                                call->prices[i]);
    }
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


static void
ngx_http_prompt_call_count(ngx_http_prompt_call_t *call, ngx_uint_t asked)
{
    ngx_http_prompt_metrics_call_t       counted;
    const ngx_http_prompt_model_conf_t  *model;

    model = call->model;

    counted.status = call->failure.data == NULL
                     ? NGX_HTTP_PROMPT_CALL_SUCCEEDED
                     : prompt_str_eq(call->recording->run.status,
                                     prompt_str("cancelled"))
                       ? NGX_HTTP_PROMPT_CALL_CANCELLED
                       : NGX_HTTP_PROMPT_CALL_FAILED;
    counted.ms = ngx_current_msec - call->start;
    counted.tokens_in = ngx_max(call->usage.in, 0);
    counted.tokens_out = ngx_max(call->usage.out, 0);
    counted.cost = prompt_price_counted(ngx_http_prompt_call_prices(call),
                                        &call->usage);

    ngx_http_prompt_metrics_call(model->counts, &counted);
    ngx_http_prompt_metrics_asked(model->counts, asked,
                              counted.status == NGX_HTTP_PROMPT_CALL_FAILED);
}


static prompt_maybe_t
ngx_http_prompt_call_tokens(int64_t tokens)
{
    return tokens == PROMPT_USAGE_UNKNOWN ? prompt_maybe_unknown
                                          : prompt_maybe(tokens);
}


/*
 * What log variables show of it: copies in the request's pool, since it is
 * logged when all else has gone.
 */
static void
ngx_http_prompt_call_log(ngx_http_prompt_call_t *call)
{
    ngx_pool_t             *pool;
    ngx_http_prompt_log_t  *log;

    pool = call->root->job->request->pool;
    log = &call->root->job->log;

    log->tokens_in = call->usage.in;
    log->tokens_out = call->usage.out;
    log->provider_ms = (int64_t) (ngx_current_msec - call->start);
    log->model = ngx_http_prompt_call_copy(pool, call->recording->run.model);
    log->cost_usd = ngx_http_prompt_call_copy(pool,
                                              call->recording->run.cost_usd);
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
        return;
    }

    /* its client has left, and may ask for it */

    ngx_http_prompt_hooks_changed(call->recording->worker,
                       (const uint8_t *) call->recording->run.caller.data);
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

    if (recorded == NGX_HTTP_PROMPT_RECORDED) {
        ngx_http_prompt_root_shows(root, root->id);
    }

    if (recorded != NGX_HTTP_PROMPT_RECORDING_LOST) {
        ngx_http_prompt_job_executed(root->job, root->id);
    }

    if (call->failure.data != NULL) {
        ngx_http_prompt_call_fail(call, call->failure);
        return;
    }

    gql_execution_spent(root->job->execution, root->index,
                        ngx_http_prompt_call_extra(call));

    switch (recorded) {

    case NGX_HTTP_PROMPT_RECORDED:
        if (call->stream == NULL) {
            ngx_http_prompt_root_object(root, &call->recording->run);
            break;
        }

        if (call->stream->lost) {
            ngx_http_prompt_call_fail(call,
                prompt_str("The prompt was executed, but the server was out "
                           "of memory for parts of the stream. The result is "
                           "found under the execution's id; do not execute "
                           "again."));
            break;
        }

        if (root->job->once != NULL) {
            ngx_http_prompt_stream_note(root->job,
                                        call->recording->run.output);
        }

        call->stream->last.result = &call->recording->run;
        ngx_http_prompt_root_object(root, &call->stream->last);
        break;

    case NGX_HTTP_PROMPT_RECORDING_KEPT:
        root->job->unsettled = 1;
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


static void
ngx_http_prompt_call_fail(ngx_http_prompt_call_t *call,
    prompt_str_t message)
{
    gql_result_t             result;
    prompt_json_t           *extra;
    ngx_http_prompt_root_t  *root;

    root = call->root;
    root->idle = call->failure.data != NULL && !call->reached;
    extra = ngx_http_prompt_call_extra(call);

    result.kind = GQL_RESULT_ERROR;
    result.u.error = gql_execution_error(root->job->execution,
                                         ngx_http_prompt_internal_server_error,
                                         prompt_str_absent, "%.*s",
                                         prompt_str_arg(message));
    result.u.error->extra = extra;

    ngx_http_prompt_root_complete(root, &result);
}


/* Errors name the call, so that its row can be looked up.  NULL: memory. */
static prompt_json_t *
ngx_http_prompt_call_extra(const ngx_http_prompt_call_t *call)
{
    prompt_json_t   *extra, *id;
    prompt_arena_t  *arena;

    arena = call->root->job->arena;

    extra = ngx_http_prompt_call_reason(call);
    id = ngx_http_prompt_uuid_json(arena, call->recording->run.id);

    if (extra == NULL || id == NULL) {
        return NULL;
    }

    prompt_json_set(extra, prompt_str("executionId"), id);

    return extra;
}
