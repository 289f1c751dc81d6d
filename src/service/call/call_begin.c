/*
 * The beginning of a call, until a provider is asked, or nobody will be.
 *
 *     read for this execution       the row `running` is on its way, and the
 *                                   provider is asked at once
 *     kept from another one         the provider is asked when that row is
 *                                   there: it says that this is the version
 *                                   that was asked for.  Where it is not, the
 *                                   version is read
 *     under a budget                the same: it says that what it may cost is
 *                                   reserved
 */

#include "service/call/call_impl.h"

#include "service/call/budget.h"
#include "service/call/flights.h"
#include "service/frame/arguments.h"


static ngx_int_t ngx_http_prompt_call_begin(ngx_http_prompt_call_t *call);
static void ngx_http_prompt_call_hold(ngx_http_prompt_call_t *call);
static void ngx_http_prompt_call_begun(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_call_not_begun(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_call_left(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_call_fail_nomem(ngx_http_prompt_call_t *call);
static void ngx_http_prompt_call_not_made(ngx_http_prompt_call_t *call,
    const char *why);
static int64_t ngx_http_prompt_call_limit(const ngx_http_prompt_ask_t *ask);
static ngx_http_prompt_call_t *ngx_http_prompt_call_create(
    ngx_http_prompt_root_t *root, prompt_str_t input,
    const ngx_http_prompt_ask_t *ask);
static ngx_int_t ngx_http_prompt_call_what(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_ask_t *ask, prompt_arena_t *arena,
    prompt_execution_run_t *run);
static void ngx_http_prompt_call_names(ngx_http_prompt_log_t *log,
    prompt_str_t id, const prompt_execution_target_t *target);
static ngx_int_t ngx_http_prompt_call_schema(const ngx_http_prompt_ask_t *ask,
    prompt_arena_t *arena, ngx_http_prompt_call_t *call);
static ngx_int_t ngx_http_prompt_call_trace(ngx_http_prompt_call_t *call);
static ngx_int_t ngx_http_prompt_call_keep(prompt_arena_t *arena,
    prompt_str_t text, prompt_str_t *copy);
static void ngx_http_prompt_call_detach(void *data);


void
ngx_http_prompt_call_run(ngx_http_prompt_root_t *root, prompt_str_t input,
    ngx_http_prompt_ask_t *ask)
{
    int32_t                    flight;
    ngx_http_prompt_call_t    *call;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(root->job->request);
    flight = ngx_http_prompt_flights_begin(worker, ngx_http_prompt_caller(root),
                               ngx_http_prompt_actor(root)->quota.in_flight);

    if (flight == PROMPT_FLIGHTS_FULL) {
        ngx_http_prompt_ask_end(ask);
        (void) ngx_http_prompt_fail_quota(root, "in_flight");
        return;
    }

    call = ngx_http_prompt_call_create(root, input, ask);

    if (call == NULL) {
        ngx_http_prompt_flights_end(worker, &flight);
        ngx_http_prompt_ask_end(ask);
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    call->recording->flight = flight;

    root->data = call;
    root->detach = ngx_http_prompt_call_detach;

    if (ngx_http_prompt_call_begin(call) != NGX_OK) {
        ngx_http_prompt_call_fail_nomem(call);
    }
}


/*
 * The row is on its way before the provider is asked.  A call can last a
 * minute: what only the request needed is given back.
 */
static ngx_int_t
ngx_http_prompt_call_begin(ngx_http_prompt_call_t *call)
{
    if (ngx_http_prompt_ask_waits(&call->ask)) {
        ngx_http_prompt_call_hold(call);

        return ngx_http_prompt_recording_begin(call->recording,
                                               ngx_http_prompt_call_begun,
                                               call);
    }

    if (ngx_http_prompt_recording_start(call->recording) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_http_prompt_attempt_first(call);
}


/*
 * With "prompt_abandoned finish" what was begun is done without its client,
 * too: the provider is asked by the client's request, which stays for that.
 */
static void
ngx_http_prompt_call_hold(ngx_http_prompt_call_t *call)
{
    ngx_http_request_t          *r;
    ngx_http_prompt_loc_conf_t  *plcf;

    r = call->root->job->request;
    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);

    if (!ngx_http_prompt_conf_stops(plcf)) {
        r->read_event_handler = ngx_http_block_reading;
    }
}


/* What came of the start that was waited for: nobody was asked yet. */
static void
ngx_http_prompt_call_begun(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_call_t  *call = data;

    ngx_http_prompt_job_t   *job;
    ngx_http_prompt_root_t  *root;

    root = call->root;

    if (root == NULL) {
        ngx_http_prompt_call_left(call, result);
        return;
    }

    job = root->job;

    if (!call->recording->started) {
        ngx_http_prompt_job_watch(job);
        ngx_http_prompt_call_not_begun(call, result);

    } else {
        ngx_http_prompt_call_span_begin(call);

        if (ngx_http_prompt_attempt_first(call) != NGX_OK) {
            ngx_http_prompt_call_fail_nomem(call);
        }
    }

    ngx_http_prompt_job_resume(job);
}


/*
 * The version that the worker had is not the answer, or not this caller's: it
 * is read.  Or a budget has no room; or nothing can be written.
 */
static void
ngx_http_prompt_call_not_begun(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_postgres_result_t *result)
{
    bool                       refused;
    prompt_str_t               reserved;
    ngx_http_prompt_root_t    *root;
    ngx_http_prompt_root_pt    read;
    prompt_budget_refusal_t    refusal;
    prompt_target_question_t  *question;

    root = call->root;
    read = call->ask.read;
    reserved = call->ask.reserved;
    question = call->question;

    root->data = question;
    root->detach = NULL;

    refused = result->status == NGX_HTTP_PROMPT_POSTGRES_OK
              && result->rows[0].count != 0;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK && !refused) {
        prompt_target_forget(call->ask.ref->target);
    }

    ngx_http_prompt_attempt_last(call);

    if (result->unknown) {

        /* the row may be there */

        ngx_http_prompt_call_not_made(call, "The call was not made: the "
                                      "database did not answer.");
    } else {
        ngx_http_prompt_recording_destroy(call->recording);
    }

    if (refused) {
        (void) prompt_budget_reserved_row(&result->rows[0], &refusal);
        ngx_http_prompt_budget_refuse(root, &refusal, reserved);

    } else if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        read(root);

    } else {
        ngx_http_prompt_root_refuse(root, result, true);
    }
}


/* The request ended while the start was under way: the row, if it is there. */
static void
ngx_http_prompt_call_left(ngx_http_prompt_call_t *call,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_provider_result_t  cancelled;

    if (!call->recording->started && !result->unknown) {
        ngx_http_prompt_recording_destroy(call->recording);
        return;
    }

    ngx_memzero(&cancelled, sizeof(ngx_http_prompt_provider_result_t));
    cancelled.end = NGX_HTTP_PROMPT_PROVIDER_CANCELLED;

    ngx_http_prompt_call_answered(call, &cancelled);
}


static void
ngx_http_prompt_call_fail_nomem(ngx_http_prompt_call_t *call)
{
    ngx_http_prompt_root_t  *root;

    root = call->root;
    root->detach = NULL;

    ngx_http_prompt_job_watch(root->job);
    ngx_http_prompt_attempt_last(call);
    ngx_http_prompt_call_not_made(call, "The call was not made: the server is "
                                  "out of memory.");
    ngx_http_prompt_root_fail_nomem(root);
}


/* Its row may stand as `running`. */
static void
ngx_http_prompt_call_not_made(ngx_http_prompt_call_t *call, const char *why)
{
    prompt_execution_run_t  *run;

    run = &call->recording->run;

    run->status = prompt_str("failed");
    run->error = prompt_str_from(why);
    run->finished_at = ngx_http_prompt_now_ms() * 1000;

    if (ngx_http_prompt_recording_finish(call->recording, NULL, NULL)
        == NGX_ERROR)
    {
        ngx_http_prompt_recording_destroy(call->recording);
    }
}


/* for how long the call can last, when everybody is asked */
static int64_t
ngx_http_prompt_call_limit(const ngx_http_prompt_ask_t *ask)
{
    int64_t     limit;
    ngx_uint_t  n;

    limit = 0;

    for (n = 0; n < ask->nchoices; n++) {
        limit += (int64_t) ask->choices[n].conf->provider->timeout;
    }

    return limit;
}


/* NULL: memory */
static ngx_http_prompt_call_t *
ngx_http_prompt_call_create(ngx_http_prompt_root_t *root, prompt_str_t input,
    const ngx_http_prompt_ask_t *ask)
{
    prompt_arena_t               *arena;
    prompt_execution_run_t       *run;
    ngx_http_prompt_call_t       *call;
    ngx_http_prompt_loc_conf_t   *plcf;
    ngx_http_prompt_recording_t  *recording;

    recording = ngx_http_prompt_recording_create(
                              ngx_http_prompt_get_worker(root->job->request));
    if (recording == NULL) {
        return NULL;
    }

    recording->log = *root->job->request->connection->log;
    recording->log.handler = NULL;     /* what it would tell of may be gone */
    recording->log.data = NULL;

    run = &recording->run;
    arena = recording->arena;
    call = prompt_arena_zalloc(arena, sizeof(ngx_http_prompt_call_t));

    if (call == NULL
        || ngx_http_prompt_call_what(root, ask, arena, run) != NGX_OK
        || ngx_http_prompt_call_schema(ask, arena, call) != NGX_OK
        || ngx_http_prompt_call_keep(arena, input, &run->input) != NGX_OK)
    {
        ngx_http_prompt_recording_destroy(recording);
        return NULL;
    }

    plcf = ngx_http_get_module_loc_conf(root->job->request,
                                        ngx_http_prompt_module);

    recording->actor.project_id = run->caller;
    recording->actor.input = plcf->record.input;
    recording->actor.output = plcf->record.output;

    /* what is not recorded is not kept with an Idempotency-Key, either */

    root->job->unkept |= !plcf->record.input || !plcf->record.output;

    call->root = root;
    call->recording = recording;
    call->question = root->data;
    call->ask = *ask;
    call->model = ask->choices[0].conf;
    call->start = ngx_current_msec;

    if (ngx_http_prompt_call_trace(call) != NGX_OK) {
        ngx_http_prompt_recording_destroy(recording);
        return NULL;
    }

    /* what is waited for before is not the provider's */

    if (!ngx_http_prompt_ask_waits(ask)) {
        ngx_http_prompt_call_span_begin(call);
    }

    return call;
}


/* What is executed, by whom; copied, since the call may outlive the request. */
static ngx_int_t
ngx_http_prompt_call_what(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_ask_t *ask, prompt_arena_t *arena,
    prompt_execution_run_t *run)
{
    ngx_int_t                        rc;
    prompt_str_t                     label;
    const prompt_actor_t            *actor;
    const prompt_target_t           *target;
    const prompt_target_question_t  *question;

    actor = ngx_http_prompt_actor(root);
    target = ask->ref->target;
    question = root->data;

    run->version = target->row.version;
    run->timeout_ms = ngx_http_prompt_call_limit(ask);
    run->known = question->draft != NULL ? PROMPT_EXECUTION_DRAFT
                 : ask->kept ? prompt_target_known(question)
                             : PROMPT_EXECUTION_READ;
    run->prompt_updated_at = target->row.updated_at;
    run->asked_set_at = target->row.set_at;

    label = ngx_http_prompt_argument_text(root->arguments,
                                          prompt_str("label"));

    if (question->or_latest && target->row.set_at.known) {
        label = question->label;
    }

    rc = ngx_http_prompt_call_keep(arena, root->id, &run->id);
    rc |= ngx_http_prompt_call_keep(arena, target->row.prompt_id,
                                    &run->prompt_id);
    rc |= ngx_http_prompt_call_keep(arena, ngx_http_prompt_caller(root),
                                    &run->caller);
    rc |= ngx_http_prompt_call_keep(arena, actor->author, &run->user_id);
    rc |= ngx_http_prompt_call_keep(arena, actor->key_id, &run->key_id);
    rc |= ngx_http_prompt_call_keep(arena, root->job->beside.run_id,
                                    &run->run_id);
    rc |= ngx_http_prompt_call_keep(arena, ask->choices[0].model, &run->model);

    ngx_http_prompt_call_names(&root->job->log, root->id, &target->row);

    rc |= ngx_http_prompt_call_keep(arena, label, &run->label);
    rc |= ngx_http_prompt_call_keep(arena, question->label, &run->asked);
    rc |= ngx_http_prompt_call_keep(arena, ask->appended, &run->appended);
    rc |= ngx_http_prompt_call_keep(arena, ask->subject, &run->subject);
    rc |= ngx_http_prompt_call_keep(arena, ask->metadata, &run->metadata);

    /* until somebody is asked nothing is spent */

    run->spent_usd = prompt_str("0");

    rc |= ngx_http_prompt_call_keep(arena, ask->reserved, &run->reserved_usd);

    return rc == NGX_OK ? NGX_OK : NGX_ERROR;
}


/* For variables, of which the provider's location may send some along. */
static void
ngx_http_prompt_call_names(ngx_http_prompt_log_t *log, prompt_str_t id,
    const prompt_execution_target_t *target)
{
    ngx_memcpy(log->execution_id, id.data, PROMPT_UUID_LEN);
    ngx_memcpy(log->prompt_id, target->prompt_id.data, PROMPT_UUID_LEN);
    log->version = target->version;
}


/* The target may be gone when its output is there. */
static ngx_int_t
ngx_http_prompt_call_schema(const ngx_http_prompt_ask_t *ask,
    prompt_arena_t *arena, ngx_http_prompt_call_t *call)
{
    const prompt_target_t  *target;

    target = ask->ref->target;

    return target->row.output_schema.data == NULL
           ? NGX_OK
           : ngx_http_prompt_call_keep(arena, target->row.output_schema,
                                       &call->schema);
}


/* The execution is a span of the request's trace, where there is one. */
static ngx_int_t
ngx_http_prompt_call_trace(ngx_http_prompt_call_t *call)
{
    prompt_str_t             id;
    prompt_arena_t          *arena;
    ngx_http_prompt_job_t   *job;
    prompt_trace_context_t  *context;

    job = call->root->job;
    arena = call->recording->arena;
    context = &job->trace.context;

    ngx_http_prompt_trace_find(job->request, &job->trace);

    if (!job->trace.there
        || ngx_http_prompt_trace_id(call->recording->worker, call->span_id,
                                    PROMPT_SPAN_ID_LEN)
           != NGX_OK)
    {
        return NGX_OK;
    }

    (void) prompt_traceparent_write(call->traceparent, context->trace_id,
                                    call->span_id, context->sampled);

    id = prompt_str_of((char *) context->trace_id, PROMPT_TRACE_ID_LEN);

    return ngx_http_prompt_call_keep(arena, id,
                                     &call->recording->run.trace_id);
}


/* What is absent stays so. */
static ngx_int_t
ngx_http_prompt_call_keep(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t *copy)
{
    *copy = text.data != NULL ? prompt_arena_copy(arena, text) : text;

    return text.data == NULL || copy->data != NULL ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_prompt_call_detach(void *data)
{
    ngx_http_prompt_call_t  *call = data;

    call->root = NULL;
    ngx_http_prompt_attempt_last(call);

    /* nobody needs a start that only waits yet */

    if (call->recording->begun != NULL
        && call->recording->start.task != NULL
        && ngx_http_prompt_recording_withdraw(call->recording) == NGX_OK)
    {
        ngx_http_prompt_recording_destroy(call->recording);
    }
}
