/*
 * Service: scheduling, and what all operations share.
 *
 * What an operation needs outlives it in one place each: parameters and rows
 * belong to the query, what is written belongs to the execution.  So a query
 * is freed as soon as its operation is completed.
 */

#include "service/service.h"

#include "service/arguments.h"
#include "store/sqlstate.h"


/* parameters of one query: the largest carry a version, or an execution */
#define NGX_HTTP_PROMPT_QUERY_MEMORY  (32 * 1024 * 1024)


static void ngx_http_prompt_operation_start(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_operation_count(ngx_http_prompt_operation_t *op);
static void ngx_http_prompt_operation_done(void *data,
    ngx_http_prompt_postgres_op_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static const char *ngx_http_prompt_operation_refused(
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_operation_log(ngx_http_prompt_operation_t *op);


const prompt_str_t  ngx_http_prompt_unauthenticated =
    prompt_str_init("UNAUTHENTICATED");
const prompt_str_t  ngx_http_prompt_forbidden = prompt_str_init("FORBIDDEN");
const prompt_str_t  ngx_http_prompt_not_found = prompt_str_init("NOT_FOUND");
const prompt_str_t  ngx_http_prompt_bad_user_input =
    prompt_str_init("BAD_USER_INPUT");
const prompt_str_t  ngx_http_prompt_internal_server_error =
    prompt_str_init("INTERNAL_SERVER_ERROR");


ngx_int_t
ngx_http_prompt_service_create(ngx_http_prompt_job_t *job)
{
    uint32_t                      i, n;
    ngx_http_prompt_operation_t  *op;

    n = job->plan->root->nfields;

    job->operations = prompt_arena_array(job->arena, n,
                                         sizeof(ngx_http_prompt_operation_t));
    if (job->operations == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < n; i++) {
        op = &job->operations[i];

        op->job = job;
        op->field = &job->plan->root->fields[i];
        op->index = i;
    }

    return NGX_OK;
}


void
ngx_http_prompt_service_run(ngx_http_prompt_job_t *job)
{
    uint32_t  n;

    if (job->in_loop) {
        return;
    }

    job->in_loop = 1;

    n = job->plan->root->nfields;

    while (job->started < n && !gql_execution_aborted(job->execution)) {

        if (job->running != 0 && gql_execution_serial(job->execution)) {
            break;
        }

        job->running++;
        ngx_http_prompt_operation_start(&job->operations[job->started++]);
    }

    job->in_loop = 0;

    if (job->running == 0
        && (job->started == n || gql_execution_aborted(job->execution)))
    {
        job->finish(job);
    }
}


static void
ngx_http_prompt_operation_start(ngx_http_prompt_operation_t *op)
{
    gql_error_t                    *error;
    gql_result_t                    result;
    const ngx_http_prompt_field_t  *entry;

    if (gql_field_is_meta(op->field)) {
        ngx_http_prompt_operation_complete(op, NULL);
        return;
    }

    op->arguments = gql_execution_arguments(op->job->execution, op->field,
                                            &error);
    if (op->arguments == NULL) {

        if (error->code.data == NULL) {
            error->code = ngx_http_prompt_bad_user_input;
        }

        result.kind = GQL_RESULT_ERROR;
        result.u.error = error;
        ngx_http_prompt_operation_complete(op, &result);
        return;
    }

    ngx_http_prompt_operation_count(op);

    if (ngx_http_prompt_arguments_check(op, op->field->def, op->arguments)) {
        entry = op->field->def->data;
        entry->start(op);
    }
}


/* root fields are numbered through: those of Query, then those of Mutation */

static void
ngx_http_prompt_operation_count(ngx_http_prompt_operation_t *op)
{
    ngx_uint_t                 n;
    const gql_field_def_t     *def;
    ngx_http_prompt_worker_t  *worker;

    def = op->field->def;
    worker = ngx_http_prompt_get_worker(op->job->request);

    n = def - def->parent->fields;

    if (def->parent == worker->schema->mutation) {
        n += worker->schema->query->nfields;
    }

    ngx_http_prompt_metrics_operation(worker->metrics, n);
}


void
ngx_http_prompt_service_detach(ngx_http_prompt_job_t *job)
{
    uint32_t                      i;
    ngx_http_prompt_operation_t  *op;

    for (i = 0; i < job->started; i++) {
        op = &job->operations[i];

        if (op->completed) {
            ngx_http_prompt_operation_release(op);
            continue;
        }

        if (op->detach != NULL) {
            op->detach(op->data);
        }

        if (op->result != NULL) {
            ngx_http_prompt_operation_release(op);

        } else if (op->query != NULL) {
            ngx_http_prompt_postgres_detach(op->query);
            op->query = NULL;
        }
    }
}


void
ngx_http_prompt_watch_client(ngx_http_request_t *r)
{
    ngx_connection_t  *c;

    c = r->connection;

    r->read_event_handler = ngx_http_test_reading;

    if (ngx_handle_read_event(c->read, 0) != NGX_OK) {

        /* not worth the request: the client is noticed when it is written to */

        r->read_event_handler = ngx_http_block_reading;
        return;
    }

    /* one that left already was told of in an event that is over */

    if (c->read->ready || c->error) {
        ngx_post_event(c->read, &ngx_posted_events);
    }
}


prompt_query_t *
ngx_http_prompt_operation_begin(ngx_http_prompt_operation_t *op)
{
    prompt_query_t  *query;

    ngx_http_prompt_operation_release(op);

    query = prompt_query_create(NGX_HTTP_PROMPT_QUERY_MEMORY);

    if (query == NULL) {
        ngx_http_prompt_operation_fail_nomem(op);
        return NULL;
    }

    query->owner = ngx_http_prompt_caller(op);

    return query;
}


void
ngx_http_prompt_operation_send(ngx_http_prompt_operation_t *op,
    prompt_query_t *query, bool bound, ngx_uint_t finish,
    ngx_http_prompt_operation_pt done)
{
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(op->job->request);

    if (bound) {
        op->result = NULL;
        op->statements = query;
        op->done = done;
        op->query = ngx_http_prompt_postgres_query(worker->postgres, query, 0,
                                                   finish,
                                              ngx_http_prompt_operation_done,
                                                   op);
        if (op->query != NULL) {
            return;
        }
    }

    prompt_query_destroy(query);
    ngx_http_prompt_operation_fail_nomem(op);
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

    ngx_http_prompt_operation_resume(job);
}


void
ngx_http_prompt_operation_resume(ngx_http_prompt_job_t *job)
{
    ngx_connection_t  *c;

    c = job->request->connection;

    ngx_http_prompt_service_run(job);

    ngx_http_run_posted_requests(c);
}


void
ngx_http_prompt_operation_release(ngx_http_prompt_operation_t *op)
{
    if (op->query != NULL) {
        ngx_http_prompt_postgres_free(op->query);
        op->query = NULL;
        op->result = NULL;
        op->statements = NULL;
    }
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

    switch (result->status) {

    case NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT:
        ngx_http_prompt_operation_fail(op,
                   ngx_http_prompt_internal_server_error, prompt_str_absent,
                   "The database did not answer in time.%s", done);
        break;

    case NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE:
        ngx_http_prompt_operation_fail(op,
                   ngx_http_prompt_internal_server_error, prompt_str_absent,
                   "The database is not available.%s", done);
        break;

    case NGX_HTTP_PROMPT_POSTGRES_BUSY:
        ngx_http_prompt_operation_fail(op,
                   ngx_http_prompt_internal_server_error, prompt_str_absent,
                   "The service is overloaded; try again later.%s", done);
        break;

    default:
        ngx_http_prompt_operation_fail(op,
                   ngx_http_prompt_internal_server_error, prompt_str_absent,
                   "%s%s", ngx_http_prompt_operation_refused(result), done);
        break;
    }

    return false;
}


/* What a client may know of a statement that PostgreSQL refused. */
static const char *
ngx_http_prompt_operation_refused(
    const ngx_http_prompt_postgres_result_t *result)
{
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
    op->completed = 1;
    op->job->running--;

    gql_execution_complete(op->job->execution, op->index, result);

    /*
     * What an error names (a variable of a stored template, a member of a
     * stored schema) can stand in the rows: they are kept until it is written.
     */

    if (result == NULL || result->kind != GQL_RESULT_ERROR) {
        ngx_http_prompt_operation_release(op);
    }
}


void
ngx_http_prompt_operation_stepped(ngx_http_prompt_operation_t *op,
    gql_step_t step)
{
    if (step == GQL_STEP_DONE) {
        op->completed = 1;
        op->job->running--;

        ngx_http_prompt_operation_release(op);
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
