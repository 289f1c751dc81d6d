/*
 * Root field: its query, and its completion.
 *
 * What it needs outlives it in one place each: parameters and rows belong to
 * the query, what is written belongs to the execution.  So a query is freed
 * as soon as its root field is completed.
 */

#include "service/frame/root.h"

#include "io/ngx_http_prompt_ratelog.h"
#include "service/frame/arguments.h"
#include "service/frame/hook.h"
#include "service/frame/service.h"
#include "service/worker/worker.h"
#include "store/role.h"
#include "store/sqlstate.h"


/* parameters of one query: the largest carry a version, or an execution */
#define NGX_HTTP_PROMPT_QUERY_MEMORY  (32 * 1024 * 1024)


static void ngx_http_prompt_root_query(ngx_http_prompt_root_t *root,
    ngx_http_prompt_postgres_t *pool, ngx_msec_t limit);
static void ngx_http_prompt_root_again(ngx_http_prompt_root_t *root);
static ngx_uint_t ngx_http_prompt_root_same_database(
    const ngx_http_prompt_root_t *root);
static ngx_int_t ngx_http_prompt_root_mark(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_root_ended(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_root_leave(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_root_done(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_root_audit(ngx_http_prompt_root_t *root,
    const gql_error_t *error);
static ngx_int_t ngx_http_prompt_root_fault(ngx_http_prompt_root_t *root,
    const gql_error_t *error);
static const char *ngx_http_prompt_root_refused(
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_root_log(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_postgres_result_t *result);


/* how a query ends that another database than the request's is asked, or was */
static const ngx_http_prompt_postgres_result_t
    ngx_http_prompt_root_elsewhere =
{
    .status = NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE,
    .unknown = 1
};


bool
ngx_http_prompt_root_begin(ngx_http_prompt_root_t *root, prompt_query_t **query)
{
    ngx_http_prompt_root_release(root);

    root->query = prompt_query_create(NGX_HTTP_PROMPT_QUERY_MEMORY);

    if (root->query == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    root->query->owner = ngx_http_prompt_caller(root);
    root->query->actor = ngx_http_prompt_actor(root);
    root->query->alone = root->actor.anew;

    *query = root->query;

    return true;
}


bool
ngx_http_prompt_root_bound(ngx_http_prompt_root_t *root, bool bound)
{
    if (!bound) {
        ngx_http_prompt_root_release(root);
        ngx_http_prompt_root_fail_nomem(root);
    }

    return bound;
}


void
ngx_http_prompt_root_send(ngx_http_prompt_root_t *root, bool bound,
    ngx_http_prompt_root_pt done)
{
    ngx_msec_t                   limit;
    ngx_http_prompt_worker_t    *worker;
    ngx_http_prompt_postgres_t  *pool;

    if (!ngx_http_prompt_root_bound(root,
                   bound && ngx_http_prompt_root_mark(root) == NGX_OK))
    {
        return;
    }

    worker = ngx_http_prompt_get_worker(root->job->request);

    limit = 0;
    pool = ngx_http_prompt_hooks_pool(root, &limit);

    root->standby = (pool != NULL);
    root->sent = ngx_current_msec;
    root->done = done;

    ngx_http_prompt_root_query(root, pool != NULL ? pool : worker->postgres,
                               limit);
}


static void
ngx_http_prompt_root_query(ngx_http_prompt_root_t *root,
    ngx_http_prompt_postgres_t *pool, ngx_msec_t limit)
{
    if (!ngx_http_prompt_root_is_here(root)) {
        return;
    }

    root->query->log = root->job->request->connection->log;

    ngx_log_debug3(NGX_LOG_DEBUG_HTTP, root->job->request->connection->log, 0,
                   "prompt query: \"%*s\"%s", root->field->def->name.len,
                   root->field->def->name.data,
                   root->standby ? ", of a standby" : "");

    root->task = ngx_http_prompt_postgres_query(pool, root->query, limit,
                                                ngx_http_prompt_root_done,
                                                root);
    if (root->task == NULL) {
        ngx_http_prompt_root_release(root);
        ngx_http_prompt_root_fail_nomem(root);
    }
}


bool
ngx_http_prompt_root_is_here(ngx_http_prompt_root_t *root)
{
    if (ngx_http_prompt_root_same_database(root)) {
        return true;
    }

    ngx_http_prompt_root_release(root);
    ngx_http_prompt_root_refuse(root, &ngx_http_prompt_root_elsewhere, true);

    return false;
}


/* Whether it is the database that let the request in. */
static ngx_uint_t
ngx_http_prompt_root_same_database(const ngx_http_prompt_root_t *root)
{
    const ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(root->job->request);

    return root->job->identity.database
           == ngx_http_prompt_keys_database(worker->keys);
}


/* What is LONG are steps that nobody sees before another query. */
static ngx_int_t
ngx_http_prompt_root_mark(ngx_http_prompt_root_t *root)
{
    prompt_str_t     id;
    prompt_query_t  *query;

    query = root->query;
    id = root->id.data != NULL ? root->id : query->locks;

    if (query->length == PROMPT_QUERY_LONG) {
        return NGX_OK;
    }

    return ngx_http_prompt_hooks_send(root, query, id) ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_prompt_root_done(void *data, ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_root_t  *root = data;

    ngx_http_prompt_job_t  *job;

    job = root->job;

    /* what the database before says is not to be shown, nor remembered */

    root->result = ngx_http_prompt_root_same_database(root)
                   ? result : &ngx_http_prompt_root_elsewhere;

    if (root->standby
        && ngx_http_prompt_hooks_answered(root) != NGX_OK)
    {
        ngx_http_prompt_root_again(root);

    } else {
        root->done(root);
    }

    ngx_http_prompt_job_resume(job);
}


/* The same query, of the primary, within the time that one has. */
static void
ngx_http_prompt_root_again(ngx_http_prompt_root_t *root)
{
    ngx_msec_t                 limit, took;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(root->job->request);

    limit = ngx_http_prompt_postgres_timeout(worker->postgres);
    took = ngx_current_msec - root->sent;

    root->query = ngx_http_prompt_postgres_take_back(root->task);
    root->task = NULL;
    root->result = NULL;
    root->standby = 0;

    ngx_http_prompt_root_query(root, worker->postgres,
                               took < limit ? limit - took : 1);
}


void
ngx_http_prompt_root_release(ngx_http_prompt_root_t *root)
{
    if (root->task != NULL) {
        ngx_http_prompt_postgres_free(root->task);

    } else if (root->query != NULL) {
        prompt_query_destroy(root->query);
    }

    root->task = NULL;
    root->query = NULL;
    root->result = NULL;
}


void
ngx_http_prompt_root_swap(ngx_http_prompt_root_t *root,
    ngx_http_prompt_root_saved_t *saved)
{
    ngx_http_prompt_root_saved_t  aside;

    aside = *saved;

    saved->query = root->query;
    saved->task = root->task;
    saved->result = root->result;

    root->query = aside.query;
    root->task = aside.task;
    root->result = aside.result;
}


bool
ngx_http_prompt_root_succeeded(ngx_http_prompt_root_t *root)
{
    if (root->result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        return true;
    }

    ngx_http_prompt_root_refuse(root, root->result, false);

    return false;
}


void
ngx_http_prompt_root_refuse(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_postgres_result_t *result, bool settled)
{
    bool         unknown;
    const char  *done;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_ERROR
        && prompt_sqlstate(prompt_str_from(result->sqlstate))
           == PROMPT_SQL_NARROW)
    {
        root->idle = 1;
        ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                                  prompt_str_absent,
                                  "There are too many executions to look "
                                  "through: narrow it with \"since\" and "
                                  "\"until\".");
        return;
    }

    ngx_http_prompt_root_log(root, result);

    unknown = result->unknown && !settled;

    if (unknown) {
        root->job->unsettled = 1;
    } else {
        root->idle = 1;
    }

    /* what a client must know before it tries again */

    done = "";

    if (root->job->plan->operation->operation == GQL_MUTATION) {
        done = unknown ? " It is not known whether the change was made: check "
                         "before you try again."
                       : " Nothing was changed.";
    }

    ngx_http_prompt_root_broken(root, "%s%s",
                                ngx_http_prompt_root_refused(result), done);
}


/* What a client may know of why a query failed. */
static const char *
ngx_http_prompt_root_refused(const ngx_http_prompt_postgres_result_t *result)
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
ngx_http_prompt_root_log(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_log_t     *log;
    ngx_str_t      message;
    prompt_str_t   state;

    log = root->job->request->connection->log;

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_ERROR) {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_POSTGRES_ANSWER,
                                prompt_str_absent, log,
                                "prompt: \"%*s\" got no answer from "
                                "PostgreSQL: %s",
                                root->field->def->name.len,
                                root->field->def->name.data,
                                ngx_http_prompt_postgres_why(result));
        return;
    }

    state = prompt_str_from(result->sqlstate);
    message = result->message;

    /* what is wrong with a value may repeat the value */

    if (ngx_strncmp(result->sqlstate, "22", 2) == 0
        || ngx_strncmp(result->sqlstate, "23", 2) == 0)
    {
        ngx_str_set(&message, "its words are not shown");
    }

    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_POSTGRES_REFUSED, state,
                            log, "prompt: PostgreSQL refused \"%*s\": %s "
                            "(%s, %V)%s",
                            root->field->def->name.len,
                            root->field->def->name.data,
                            prompt_sql_status_text(prompt_sqlstate(state)),
                            result->sqlstate, &message,
                            prompt_sqlstate(state) == PROMPT_SQL_SCHEMA
                            ? "; run \"promptctl migrate\"" : "");
}


void
ngx_http_prompt_root_complete(ngx_http_prompt_root_t *root,
    const gql_result_t *result)
{
    gql_execution_complete(root->job->execution, root->index, result);

    root->job->did |= !root->idle;

    if (result != NULL && result->kind == GQL_RESULT_OBJECT) {
        ngx_http_prompt_root_shows(root, root->marked);
    }

    ngx_http_prompt_root_ended(root);

    /*
     * What an error names (a variable of a stored template, a member of a
     * stored schema) can stand in the rows: they are kept until it is written.
     */

    if (result == NULL || result->kind != GQL_RESULT_ERROR) {
        ngx_http_prompt_root_release(root);
    }
}


void
ngx_http_prompt_root_shows(const ngx_http_prompt_root_t *root, prompt_str_t id)
{
    u_char                 *shown;
    ngx_http_prompt_job_t  *job;

    job = root->job;

    if (!job->persists || id.len != PROMPT_UUID_LEN) {
        return;
    }

    if (job->shows == NULL) {
        job->shows = ngx_array_create(job->request->pool, 4, PROMPT_UUID_LEN);
    }

    shown = job->shows != NULL ? ngx_array_push(job->shows) : NULL;

    if (shown == NULL) {
        job->unkept = 1;
        return;
    }

    ngx_memcpy(shown, id.data, PROMPT_UUID_LEN);
}


bool
ngx_http_prompt_root_stepped(ngx_http_prompt_root_t *root, gql_step_t step)
{
    if (step != GQL_STEP_DONE) {
        return true;
    }

    root->job->did = 1;

    ngx_http_prompt_root_shows(root, root->marked);
    ngx_http_prompt_root_ended(root);
    ngx_http_prompt_root_release(root);

    return false;
}


static void
ngx_http_prompt_root_ended(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_job_t  *job;

    job = root->job;
    job->running--;

    ngx_http_prompt_root_leave(root);

    if (job->running != 0 || job->started < job->plan->root->nfields) {
        ngx_http_prompt_job_claim(job);
    }
}


void
ngx_http_prompt_root_detach(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_root_leave(root);

    if (root->task != NULL && root->result == NULL) {
        ngx_http_prompt_postgres_detach(root->task);
        root->task = NULL;
        root->query = NULL;
    }

    ngx_http_prompt_root_release(root);
}


static void
ngx_http_prompt_root_leave(ngx_http_prompt_root_t *root)
{
    void  (*detach)(void *data);

    detach = root->detach;
    root->detach = NULL;

    if (detach != NULL) {
        detach(root->data);
    }
}


void
ngx_http_prompt_root_object(ngx_http_prompt_root_t *root, void *handle)
{
    gql_result_t  result;

    result.kind = GQL_RESULT_OBJECT;
    result.u.object.handle = handle;
    result.u.object.type = NULL;

    ngx_http_prompt_root_complete(root, &result);
}


void
ngx_http_prompt_root_true(ngx_http_prompt_root_t *root)
{
    gql_result_t  result;

    result.kind = GQL_RESULT_BOOLEAN;
    result.u.boolean = true;

    ngx_http_prompt_root_complete(root, &result);
}


bool
ngx_http_prompt_root_fail(ngx_http_prompt_root_t *root, prompt_str_t code,
    prompt_str_t field, const char *format, ...)
{
    va_list       args;
    prompt_str_t  message;

    va_start(args, format);
    message = prompt_arena_vprintf(root->job->arena, format, args);
    va_end(args);

    if (message.data == NULL) {
        message = prompt_str("The server is out of memory.");
    }

    ngx_http_prompt_root_error(root,
                               gql_execution_error(root->job->execution, code,
                                                   field, "%.*s",
                                                   prompt_str_arg(message)));

    return false;
}


void
ngx_http_prompt_root_error(ngx_http_prompt_root_t *root, gql_error_t *error)
{
    gql_result_t  result;

    if (error->code.data == ngx_http_prompt_bad_user_input.data
        && root->within.len != 0)
    {
        error->field = prompt_arena_printf(root->job->arena, "%.*s%.*s",
                                           prompt_str_arg(root->within),
                                           prompt_str_arg(error->field));
    }

    if (root->faults != NULL
        && error->code.data == ngx_http_prompt_bad_user_input.data
        && ngx_http_prompt_root_fault(root, error) == NGX_OK)
    {
        return;
    }

    if (error->code.data == ngx_http_prompt_forbidden.data) {
        ngx_http_prompt_root_audit(root, error);
    }

    result.kind = GQL_RESULT_ERROR;
    result.u.error = error;

    /* statements that find one of these change nothing */

    root->idle |= error->code.data == ngx_http_prompt_bad_user_input.data
                  || error->code.data == ngx_http_prompt_forbidden.data
                  || error->code.data == ngx_http_prompt_not_found.data;

    ngx_http_prompt_root_complete(root, &result);
}


/* Where no member says why, the role lacks it, or it is somebody else's. */
static void
ngx_http_prompt_root_audit(ngx_http_prompt_root_t *root,
    const gql_error_t *error)
{
    ngx_uint_t            scopes;
    prompt_str_t          reason;
    prompt_uuid_t         id;
    prompt_audit_t        what;
    const prompt_json_t  *member;

    ngx_memzero(&what, sizeof(prompt_audit_t));

    if (prompt_uuid_parse(ngx_http_prompt_root_text(root, "id"), &id)
        || prompt_uuid_parse(ngx_http_prompt_root_text(root, "promptId"), &id))
    {
        what.subject_id = prompt_str_of((char *) id.bytes, PROMPT_UUID_LEN);
    }

    member = error->extra == NULL
             ? NULL : prompt_json_get(error->extra, prompt_str("reason"));
    scopes = prompt_role_scopes(root->job->identity.role);

    reason = member != NULL ? member->text
             : (ngx_http_prompt_field_scopes(root->field, scopes)
                & ~scopes) != 0
               ? prompt_str("ROLE") : prompt_str("ACCESS");

    ngx_http_prompt_refused_tell(
        ngx_http_prompt_get_worker(root->job->request),
        ngx_http_prompt_actor(root), &what, error->code, reason);
}


static ngx_int_t
ngx_http_prompt_root_fault(ngx_http_prompt_root_t *root,
    const gql_error_t *error)
{
    prompt_json_t   *fault, *name, *message;
    prompt_arena_t  *arena;

    arena = root->job->arena;

    fault = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    name = prompt_json_new_string(arena, error->field);
    message = prompt_json_new_string(arena, error->message);

    if (error->field.data == NULL || fault == NULL || name == NULL
        || message == NULL)
    {
        return NGX_ERROR;
    }

    prompt_json_set(fault, prompt_str("field"), name);
    prompt_json_set(fault, prompt_str("message"), message);
    prompt_json_append(root->faults, fault);

    return NGX_OK;
}


bool
ngx_http_prompt_root_fail_nomem(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_MEMORY, prompt_str_absent,
                            root->job->request->connection->log,
                            "prompt: no memory for \"%*s\"",
                            root->field->def->name.len,
                            root->field->def->name.data);

    ngx_http_prompt_root_broken(root,
               "The request needs more memory than this server has for it.");

    return false;
}


bool
ngx_http_prompt_root_fail_too_long(ngx_http_prompt_root_t *root)
{
    gql_result_t  result;

    result.kind = GQL_RESULT_ERROR;
    result.u.error = gql_execution_too_long(root->job->execution, root->field);

    ngx_http_prompt_root_complete(root, &result);

    return false;
}
