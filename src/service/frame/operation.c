/*
 * Operation: from a document and an identity to an answer.  How a document
 * becomes a plan is in operation_plan.c.
 */

#include "service/frame/operation.h"

#include <stdlib.h>

#include "io/ngx_http_prompt_ratelog.h"
#include "service/frame/hook.h"
#include "service/frame/service.h"


/* of a user's part, what short answers that are being made may need */
#define NGX_HTTP_PROMPT_OPERATION_SPARE  4

/* levels of an answer, which are those of its document and its JSON scalars */
#define NGX_HTTP_PROMPT_OPERATION_DEPTH  256


static void ngx_http_prompt_operation_granted(void *data, ngx_uint_t granted);
static void ngx_http_prompt_operation_begin(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_operation_hooks(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_operation_end(ngx_http_prompt_job_t *job);
static ngx_int_t ngx_http_prompt_operation_finish(
    ngx_http_prompt_operation_t *op);
static ngx_int_t ngx_http_prompt_operation_write_errors(
    ngx_http_prompt_operation_t *op, const gql_errors_t *errors,
    prompt_str_t code);
static void ngx_http_prompt_operation_tell(ngx_http_prompt_operation_t *op);
static prompt_str_t ngx_http_prompt_operation_join(
    const ngx_http_prompt_operation_t *op, prompt_arena_t *arena);
static size_t ngx_http_prompt_operation_bytes(
    const ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_operation_full(ngx_http_prompt_operation_t *op,
    ngx_uint_t begun);
static void ngx_http_prompt_operation_log_error(
    ngx_http_prompt_operation_t *op, const gql_errors_t *errors,
    prompt_str_t code);


void
ngx_http_prompt_operation_init(ngx_http_prompt_operation_t *op,
    ngx_http_request_t  *r, const ngx_http_prompt_sink_t *sink, void *caller)
{
    op->job.request = r;
    op->job.sink = sink;
    op->job.caller = caller;
    op->job.end = ngx_http_prompt_operation_end;
    op->job.log.tokens_in = -1;
    op->job.log.tokens_out = -1;
    op->job.log.provider_ms = -1;
    op->job.log.version = -1;
}


/* There is room for what may become of it, or it waits for that. */
void
ngx_http_prompt_operation_run(ngx_http_prompt_operation_t *op)
{
    size_t                      spare;
    ngx_http_prompt_worker_t   *worker;
    ngx_http_prompt_answers_t  *answers;

    worker = ngx_http_prompt_get_worker(op->job.request);
    answers = worker->answers;
    spare = answers->limit / NGX_HTTP_PROMPT_ANSWERS_SHARE
            / NGX_HTTP_PROMPT_OPERATION_SPARE;

    switch (ngx_http_prompt_answers_reserve(answers, &op->job.claim,
                         &op->job.identity, spare, 0,
                         ngx_http_prompt_postgres_timeout(worker->postgres),
                         ngx_http_prompt_operation_granted, op))
    {
    case NGX_OK:
        ngx_http_prompt_operation_hooks(op);
        break;

    case NGX_AGAIN:
        break;

    case NGX_BUSY:
        ngx_http_prompt_operation_full(op, 0);
        break;

    default:
        op->job.sink->failed(op->job.caller);
    }
}


static void
ngx_http_prompt_operation_granted(void *data, ngx_uint_t granted)
{
    ngx_http_prompt_operation_t  *op = data;

    ngx_connection_t  *c;

    c = op->job.request->connection;

    if (granted) {
        ngx_http_prompt_operation_hooks(op);

    } else {
        ngx_http_prompt_operation_full(op, 0);
    }

    ngx_http_run_posted_requests(c);
}


/* It is to be run here and now: no answer of an earlier one is told. */
static void
ngx_http_prompt_operation_begin(ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_job_t  *job;

    job = &op->job;

    job->execution = gql_execution_create(job->arena, job->plan,
                                          job->variables,
                                          &ngx_http_prompt_resolver, job,
                                          NGX_HTTP_PROMPT_MAX_RESPONSE);
    if (job->execution == NULL || ngx_http_prompt_job_create(job) != NGX_OK) {
        job->sink->failed(job->caller);
        return;
    }

    gql_execution_request_code(job->execution, ngx_http_prompt_bad_user_input);

    ngx_http_prompt_job_run(job);
}


/* Hooks that have their turn now; with the last of them it goes on. */
static void
ngx_http_prompt_operation_hooks(ngx_http_prompt_operation_t *op)
{
    ngx_int_t                      rc;
    ngx_http_prompt_worker_t      *worker;
    const ngx_http_prompt_hook_t  *hook;

    worker = ngx_http_prompt_get_worker(op->job.request);

    while (worker->hooks[op->hook] != NULL) {
        hook = worker->hooks[op->hook++];

        if ((op->ends ? hook->end : hook->begin) == NULL) {
            continue;
        }

        rc = op->ends ? hook->end(op) : hook->begin(op);

        if (rc == NGX_OK) {
            continue;
        }

        if (rc == NGX_ERROR) {
            ngx_http_prompt_operation_leave(op);
            op->job.sink->failed(op->job.caller);

        } else if (rc == NGX_AGAIN && op->ends) {

            /* one that memory is not there for is counted when it is sent */

            (void) ngx_http_prompt_answers_set(worker->answers,
                       &op->job.claim, &op->job.identity,
                       ngx_http_prompt_operation_bytes(op) + op->more, 0);
        }

        return;
    }

    if (op->ends) {
        ngx_http_prompt_operation_tell(op);

    } else {
        ngx_http_prompt_operation_begin(op);
    }
}


void
ngx_http_prompt_operation_go_on(ngx_http_prompt_operation_t *op)
{
    ngx_connection_t  *c;

    c = op->job.request->connection;

    ngx_http_prompt_operation_hooks(op);
    ngx_http_run_posted_requests(c);
}


/* All root fields are completed, or there is no room for more of them. */
static void
ngx_http_prompt_operation_end(ngx_http_prompt_job_t *job)
{
    const gql_errors_t           *errors;
    ngx_http_prompt_operation_t  *op;

    op = (ngx_http_prompt_operation_t *) job;

    if (job->cut) {
        ngx_http_prompt_operation_full(op, 1);
        return;
    }

    errors = gql_execution_errors(job->execution);

    if (op->definition->operation == GQL_SUBSCRIPTION
        && gql_execution_aborted(job->execution))
    {
        if (ngx_http_prompt_operation_write_errors(op, errors,
                errors->first != NULL && errors->first->of_request
                ? ngx_http_prompt_bad_user_input
                : ngx_http_prompt_internal_server_error)
            == NGX_OK)
        {
            ngx_http_prompt_operation_answered(op);
        }

        return;
    }

    if (ngx_http_prompt_operation_finish(op) != NGX_OK) {
        job->sink->failed(job->caller);
        return;
    }

    ngx_http_prompt_operation_release(op);
    ngx_http_prompt_operation_answered(op);
}


/* NGX_ERROR: memory */
static ngx_int_t
ngx_http_prompt_operation_finish(ngx_http_prompt_operation_t *op)
{
    size_t               n;
    gql_execution_t     *execution;
    const prompt_str_t  *pieces;

    execution = op->job.execution;

    n = gql_execution_finish(execution, ngx_http_prompt_internal_server_error,
                             &pieces);
    if (n == 0) {
        return NGX_ERROR;
    }

    ngx_http_prompt_operation_log_error(op, gql_execution_errors(execution),
                                        ngx_http_prompt_internal_server_error);

    op->pieces = ngx_palloc(op->job.request->pool, n * sizeof(prompt_str_t));
    if (op->pieces == NULL) {
        return NGX_ERROR;
    }

    gql_execution_take(execution, op->pieces);
    op->npieces = n;

    ngx_log_debug2(NGX_LOG_DEBUG_HTTP, op->job.request->connection->log, 0,
                   "prompt request: done, %uz pieces, errors: %uD", n,
                   gql_execution_errors(execution)->count);

    return NGX_OK;
}


void
ngx_http_prompt_operation_answered(ngx_http_prompt_operation_t *op)
{
    op->ends = 1;
    op->hook = 0;

    ngx_http_prompt_operation_hooks(op);
}


/* The answer goes out, where there is room for it. */
static void
ngx_http_prompt_operation_tell(ngx_http_prompt_operation_t *op)
{
    size_t                     i;
    ngx_http_prompt_worker_t  *worker;

    ngx_http_prompt_operation_release(op);

    worker = ngx_http_prompt_get_worker(op->job.request);

    if (ngx_http_prompt_answers_room(worker->answers, &op->job.claim,
                                     &op->job.identity,
                                     ngx_http_prompt_operation_bytes(op), 0))
    {
        op->job.sink->answered(op->job.caller);
        return;
    }

    for (i = 0; i < op->npieces; i++) {
        free((char *) op->pieces[i].data);
    }

    op->npieces = 0;

    ngx_http_prompt_operation_full(op, 1);
}


static size_t
ngx_http_prompt_operation_bytes(const ngx_http_prompt_operation_t *op)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < op->npieces; i++) {
        n += op->pieces[i].len;
    }

    return n;
}


static void
ngx_http_prompt_operation_full(ngx_http_prompt_operation_t *op,
    ngx_uint_t begun)
{
    ngx_http_request_t         *r;
    ngx_http_prompt_refusal_t   refusal;

    static const prompt_str_t  full =
        prompt_str_init(NGX_HTTP_PROMPT_ANSWERS_FULL);
    static const prompt_str_t  done =
        prompt_str_init("What was asked for was done, but its answer was not "
                        "sent. " NGX_HTTP_PROMPT_ANSWERS_FULL);

    r = op->job.request;

    ngx_http_prompt_answers_refused(ngx_http_prompt_get_worker(r)->answers,
                                    r->connection->log);

    ngx_memzero(&refusal, sizeof(ngx_http_prompt_refusal_t));

    refusal.status = NGX_HTTP_SERVICE_UNAVAILABLE;
    refusal.code = ngx_http_prompt_internal_server_error;
    refusal.message = begun && op->changes ? done : full;
    refusal.begun = begun;

    ngx_http_prompt_operation_refuse(op, &refusal);
}


void
ngx_http_prompt_operation_refuse(ngx_http_prompt_operation_t *op,
    const ngx_http_prompt_refusal_t *refusal)
{
    op->job.log.error_code = refusal->code;
    op->job.sink->refused(op->job.caller, refusal);
}


void
ngx_http_prompt_operation_invalid(ngx_http_prompt_operation_t *op,
    const gql_errors_t *errors, prompt_str_t code)
{
    if (ngx_http_prompt_operation_write_errors(op, errors, code) == NGX_OK) {
        op->job.sink->answered(op->job.caller);
    }
}


/* They are the answer.  NGX_DONE: memory was short, and that was told. */
static ngx_int_t
ngx_http_prompt_operation_write_errors(ngx_http_prompt_operation_t *op,
    const gql_errors_t *errors, prompt_str_t code)
{
    ngx_http_request_t  *r;
    prompt_buf_t         buf;

    static const ngx_http_prompt_refusal_t  too_large = {
        .status = NGX_HTTP_OK,
        .code = prompt_str_init("INTERNAL_SERVER_ERROR"),
        .message = prompt_str_init("The document needs more memory than this "
                                   "server gives to one request.")
    };

    r = op->job.request;

    if (errors->count == 0 || errors->nomem) {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_MEMORY,
                                prompt_str_absent, r->connection->log,
                                "prompt: a document needs more memory than a "
                                "request may have");
        ngx_http_prompt_operation_refuse(op, &too_large);
        return NGX_DONE;
    }

    op->pieces = ngx_palloc(r->pool, sizeof(prompt_str_t));
    if (op->pieces == NULL) {
        op->job.sink->failed(op->job.caller);
        return NGX_DONE;
    }

    prompt_buf_init(&buf, NGX_HTTP_PROMPT_MAX_RESPONSE);

    prompt_buf_literal(&buf, "{\"errors\":");
    gql_errors_write(&buf, errors, code);
    prompt_buf_literal(&buf, "}");

    if (buf.status != PROMPT_BUF_OK) {
        prompt_buf_free(&buf);
        op->job.sink->failed(op->job.caller);
        return NGX_DONE;
    }

    op->pieces[0] = prompt_buf_view(&buf);
    op->npieces = 1;
    op->invalid = 1;

    ngx_http_prompt_operation_log_error(op, errors, code);
    ngx_http_prompt_operation_release(op);

    return NGX_OK;
}


/* What $prompt_error_code shows: the first error's, if there is one. */
static void
ngx_http_prompt_operation_log_error(ngx_http_prompt_operation_t *op,
    const gql_errors_t *errors, prompt_str_t code)
{
    if (errors->first == NULL) {
        return;
    }

    if (errors->first->code.data != NULL) {
        code = errors->first->code;

    } else if (errors->first->of_request) {
        code = ngx_http_prompt_bad_user_input;
    }

    op->job.log.error_code = code;
}


ngx_int_t
ngx_http_prompt_operation_rewrite(ngx_http_prompt_operation_t *op,
    prompt_buf_t *text)
{
    size_t         i;
    prompt_str_t  *pieces;

    pieces = text->status == PROMPT_BUF_OK
             ? ngx_palloc(op->job.request->pool, sizeof(prompt_str_t)) : NULL;

    if (pieces == NULL) {
        prompt_buf_free(text);
        return NGX_ERROR;
    }

    for (i = 0; i < op->npieces; i++) {
        free((char *) op->pieces[i].data);
    }

    pieces[0] = prompt_buf_view(text);
    op->pieces = pieces;
    op->npieces = 1;

    (void) ngx_http_prompt_answers_set(
               ngx_http_prompt_get_worker(op->job.request)->answers,
               &op->job.claim, &op->job.identity, text->len, 0);

    return NGX_OK;
}


const prompt_json_t *
ngx_http_prompt_operation_value(const ngx_http_prompt_operation_t *op,
    prompt_arena_t *arena)
{
    prompt_str_t         text;
    prompt_json_error_t  error;

    text = ngx_http_prompt_operation_join(op, arena);

    return text.data != NULL
           ? prompt_json_read(arena, text, NGX_HTTP_PROMPT_OPERATION_DEPTH,
                              &error)
           : NULL;
}


prompt_str_t
ngx_http_prompt_operation_text(const ngx_http_prompt_operation_t *op,
    prompt_arena_t *arena)
{
    return op->npieces == 1 ? op->pieces[0]
                            : ngx_http_prompt_operation_join(op, arena);
}


static prompt_str_t
ngx_http_prompt_operation_join(const ngx_http_prompt_operation_t *op,
    prompt_arena_t *arena)
{
    char    *text, *p;
    size_t   i;

    text = prompt_arena_alloc(arena, ngx_http_prompt_operation_bytes(op) + 1);
    if (text == NULL) {
        return prompt_str_absent;
    }

    p = text;

    for (i = 0; i < op->npieces; i++) {
        p = (char *) ngx_cpymem(p, op->pieces[i].data, op->pieces[i].len);
    }

    return prompt_str_of(text, (size_t) (p - text));
}


void
ngx_http_prompt_operation_release(ngx_http_prompt_operation_t *op)
{
    if (!op->detached) {
        op->detached = 1;
        ngx_http_prompt_job_detach(&op->job);
    }

    if (op->job.execution != NULL) {
        gql_execution_destroy(op->job.execution);
        op->job.execution = NULL;
    }

    if (op->compiled == NULL && op->prepared != NULL) {
        gql_prepared_release(op->prepared);
    }

    op->prepared = NULL;
    op->definition = NULL;

    if (op->job.arena != NULL) {
        prompt_arena_destroy(op->job.arena);
        op->job.arena = NULL;
    }

    /* what was reserved for an answer is its bytes' now, or nobody's */

    if (op->npieces == 0 && op->more == 0) {
        ngx_http_prompt_answers_free(&op->job.claim);
    }
}


void
ngx_http_prompt_operation_leave(ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_worker_t             *worker;
    const ngx_http_prompt_hook_t *const  *hook;

    if (!op->detached) {
        op->detached = 1;
        ngx_http_prompt_job_detach(&op->job);
    }

    ngx_http_prompt_answers_leave(&op->job.claim);

    worker = ngx_http_prompt_get_worker(op->job.request);

    if (worker == NULL) {
        return;
    }

    for (hook = worker->hooks; *hook != NULL; hook++) {
        if ((*hook)->leave != NULL) {
            (*hook)->leave(op);
        }
    }
}


void
ngx_http_prompt_operation_free(ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_operation_release(op);
    ngx_http_prompt_answers_free(&op->job.claim);
}
