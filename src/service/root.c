/*
 * Root field: its query, and its completion.
 *
 * What it needs outlives it in one place each: parameters and rows belong to
 * the query, what is written belongs to the execution.  So a query is freed
 * as soon as its root field is completed.
 */

#include "service/root.h"

#include "service/arguments.h"
#include "service/worker.h"
#include "store/sqlstate.h"


/* parameters of one query: the largest carry a version, or an execution */
#define NGX_HTTP_PROMPT_QUERY_MEMORY  (32 * 1024 * 1024)


static void ngx_http_prompt_operation_ended(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_operation_leave(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_operation_done(void *data,
    ngx_http_prompt_postgres_op_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static const char *ngx_http_prompt_operation_refused(
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_operation_log(ngx_http_prompt_operation_t *op);


bool
ngx_http_prompt_operation_begin(ngx_http_prompt_operation_t *op,
    prompt_query_t **query)
{
    ngx_http_prompt_operation_release(op);

    op->statements = prompt_query_create(NGX_HTTP_PROMPT_QUERY_MEMORY);

    if (op->statements == NULL) {
        ngx_http_prompt_operation_fail_nomem(op);
        return false;
    }

    op->statements->owner = ngx_http_prompt_caller(op);

    *query = op->statements;

    return true;
}


bool
ngx_http_prompt_operation_bound(ngx_http_prompt_operation_t *op, bool bound)
{
    if (!bound) {
        ngx_http_prompt_operation_release(op);
        ngx_http_prompt_operation_fail_nomem(op);
    }

    return bound;
}


void
ngx_http_prompt_operation_send(ngx_http_prompt_operation_t *op, bool bound,
    ngx_http_prompt_operation_pt done)
{
    ngx_http_prompt_worker_t  *worker;

    if (!ngx_http_prompt_operation_bound(op, bound)) {
        return;
    }

    worker = ngx_http_prompt_get_worker(op->job->request);

    op->done = done;
    op->query = ngx_http_prompt_postgres_query(worker->postgres,
                                               op->statements, 0,
                                               ngx_http_prompt_operation_done,
                                               op);
    if (op->query == NULL) {
        ngx_http_prompt_operation_release(op);
        ngx_http_prompt_operation_fail_nomem(op);
    }
}


static void
ngx_http_prompt_operation_done(void *data,
    ngx_http_prompt_postgres_op_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_operation_t  *op = data;

    ngx_http_prompt_job_t  *job;

    (void) query;

    job = op->job;

    op->result = result;
    op->done(op);

    ngx_http_prompt_job_resume(job);
}


void
ngx_http_prompt_operation_release(ngx_http_prompt_operation_t *op)
{
    if (op->query != NULL) {
        ngx_http_prompt_postgres_free(op->query);

    } else if (op->statements != NULL) {
        prompt_query_destroy(op->statements);
    }

    op->query = NULL;
    op->statements = NULL;
    op->result = NULL;
}


bool
ngx_http_prompt_operation_succeeded(ngx_http_prompt_operation_t *op)
{
    const char                               *done;
    const ngx_http_prompt_postgres_result_t  *result;

    result = op->result;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        return true;
    }

    ngx_http_prompt_operation_log(op);

    /* what a client must know before it tries again */

    done = "";

    if (op->job->plan->operation->operation == GQL_MUTATION) {
        done = result->unknown ? " It is not known whether the change was "
                                 "made: check before you try again."
                               : " Nothing was changed.";
    }

    ngx_http_prompt_operation_fail(op, ngx_http_prompt_internal_server_error,
                                   prompt_str_absent, "%s%s",
                                   ngx_http_prompt_operation_refused(result),
                                   done);

    return false;
}


/* What a client may know of why a query failed. */

static const char *
ngx_http_prompt_operation_refused(
    const ngx_http_prompt_postgres_result_t *result)
{
    switch (result->status) {

    case NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT:
        return "The database did not answer in time.";

    case NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE:
        return "The database is not available.";

    case NGX_HTTP_PROMPT_POSTGRES_BUSY:
        return "The service is overloaded; try again later.";

    default:
        break;
    }

    switch (prompt_sqlstate(prompt_str_from(result->sqlstate))) {

    case PROMPT_SQL_LOCKED:
        return "Somebody else is changing this; try again.";

    case PROMPT_SQL_RETRY:
        return "This conflicted with other changes; try again.";

    case PROMPT_SQL_TIMEOUT:
        return "The database did not finish in time; try again, or ask for "
               "less.";

    default:
        return "The database could not do this.";
    }
}


static void
ngx_http_prompt_operation_log(ngx_http_prompt_operation_t *op)
{
    ngx_log_t                                *log;
    prompt_str_t                              state;
    const ngx_http_prompt_postgres_result_t  *result;

    log = op->job->request->connection->log;
    result = op->result;

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_ERROR) {
        ngx_log_error(NGX_LOG_ERR, log, 0,
                      "prompt: \"%*s\" got no answer from PostgreSQL: %s",
                      op->field->def->name.len, op->field->def->name.data,
                      result->status == NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT
                      ? "timed out"
                      : result->status == NGX_HTTP_PROMPT_POSTGRES_BUSY
                        ? "too many queries are waiting" : "not available");
        return;
    }

    state = prompt_str_from(result->sqlstate);

    ngx_log_error(NGX_LOG_ERR, log, 0,
                  "prompt: PostgreSQL refused \"%*s\": %s (%s, %V)%s",
                  op->field->def->name.len, op->field->def->name.data,
                  prompt_sql_status_text(prompt_sqlstate(state)),
                  result->sqlstate, &result->message,
                  prompt_sqlstate(state) == PROMPT_SQL_SCHEMA
                  ? "; run \"promptctl migrate\"" : "");
}


void
ngx_http_prompt_operation_complete(ngx_http_prompt_operation_t *op,
    const gql_result_t *result)
{
    gql_execution_complete(op->job->execution, op->index, result);

    ngx_http_prompt_operation_ended(op);

    /*
     * What an error names (a variable of a stored template, a member of a
     * stored schema) can stand in the rows: they are kept until it is written.
     */

    if (result == NULL || result->kind != GQL_RESULT_ERROR) {
        ngx_http_prompt_operation_release(op);
    }
}


bool
ngx_http_prompt_operation_stepped(ngx_http_prompt_operation_t *op,
    gql_step_t step)
{
    if (step != GQL_STEP_DONE) {
        return true;
    }

    ngx_http_prompt_operation_ended(op);
    ngx_http_prompt_operation_release(op);

    return false;
}


static void
ngx_http_prompt_operation_ended(ngx_http_prompt_operation_t *op)
{
    op->job->running--;

    ngx_http_prompt_operation_leave(op);
}


void
ngx_http_prompt_operation_detach(ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_operation_leave(op);

    if (op->query != NULL && op->result == NULL) {
        ngx_http_prompt_postgres_detach(op->query);
        op->query = NULL;
        op->statements = NULL;
    }

    ngx_http_prompt_operation_release(op);
}


static void
ngx_http_prompt_operation_leave(ngx_http_prompt_operation_t *op)
{
    void  (*detach)(void *data);

    detach = op->detach;
    op->detach = NULL;

    if (detach != NULL) {
        detach(op->data);
    }
}


void
ngx_http_prompt_operation_object(ngx_http_prompt_operation_t *op, void *handle)
{
    gql_result_t  result;

    result.kind = GQL_RESULT_OBJECT;
    result.u.object.handle = handle;
    result.u.object.type = NULL;

    ngx_http_prompt_operation_complete(op, &result);
}


void
ngx_http_prompt_operation_true(ngx_http_prompt_operation_t *op)
{
    gql_result_t  result;

    result.kind = GQL_RESULT_BOOLEAN;
    result.u.boolean = true;

    ngx_http_prompt_operation_complete(op, &result);
}


void
ngx_http_prompt_operation_fail(ngx_http_prompt_operation_t *op,
    prompt_str_t code, prompt_str_t field, const char *format, ...)
{
    va_list        args;
    gql_result_t   result;
    prompt_str_t   message;

    va_start(args, format);
    message = prompt_arena_vprintf(op->job->arena, format, args);
    va_end(args);

    if (message.data == NULL) {
        message = prompt_str("The server is out of memory.");
    }

    result.kind = GQL_RESULT_ERROR;
    result.u.error = gql_execution_error(op->job->execution, code, field,
                                         "%.*s", prompt_str_arg(message));

    ngx_http_prompt_operation_complete(op, &result);
}


void
ngx_http_prompt_operation_fail_nomem(ngx_http_prompt_operation_t *op)
{
    ngx_log_error(NGX_LOG_ERR, op->job->request->connection->log, 0,
                  "prompt: no memory for \"%*s\"",
                  op->field->def->name.len, op->field->def->name.data);

    ngx_http_prompt_operation_fail(op, ngx_http_prompt_internal_server_error,
                                   prompt_str_absent,
                                   "The request needs more memory than this "
                                   "server has for it.");
}


void
ngx_http_prompt_operation_fail_too_long(ngx_http_prompt_operation_t *op)
{
    gql_result_t  result;

    result.kind = GQL_RESULT_ERROR;
    result.u.error = gql_execution_too_long(op->job->execution, op->field);

    ngx_http_prompt_operation_complete(op, &result);
}
