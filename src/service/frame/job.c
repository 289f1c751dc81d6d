/*
 * Job: starts its root fields, and ends with them.
 */

#include "service/frame/job.h"

#include "service/frame/arguments.h"
#include "service/frame/hook.h"
#include "service/frame/service.h"
#include "service/worker/worker.h"


static void ngx_http_prompt_job_start(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_job_known(void *data,
    ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity);
static void ngx_http_prompt_job_forget(void *data);
static void ngx_http_prompt_job_begin(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_job_may(ngx_http_prompt_root_t *root)
    PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_job_has_room(ngx_http_prompt_root_t *root)
    PROMPT_WARN_UNUSED;
static void ngx_http_prompt_job_count(ngx_http_prompt_root_t *root);


const prompt_str_t  ngx_http_prompt_unauthenticated =
    prompt_str_init("UNAUTHENTICATED");
const prompt_str_t  ngx_http_prompt_forbidden = prompt_str_init("FORBIDDEN");
const prompt_str_t  ngx_http_prompt_not_found = prompt_str_init("NOT_FOUND");
const prompt_str_t  ngx_http_prompt_bad_user_input =
    prompt_str_init("BAD_USER_INPUT");
const prompt_str_t  ngx_http_prompt_internal_server_error =
    prompt_str_init("INTERNAL_SERVER_ERROR");


ngx_int_t
ngx_http_prompt_job_create(ngx_http_prompt_job_t *job)
{
    uint32_t                 i, n;
    ngx_http_prompt_root_t  *root;

    n = job->plan->root->nfields;

    job->roots = prompt_arena_array(job->arena, n,
                                    sizeof(ngx_http_prompt_root_t));
    if (job->roots == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < n; i++) {
        root = &job->roots[i];

        root->job = job;
        root->field = &job->plan->root->fields[i];
        root->index = i;
    }

    return NGX_OK;
}


void
ngx_http_prompt_job_run(ngx_http_prompt_job_t *job)
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
        ngx_http_prompt_job_start(&job->roots[job->started++]);

        if (job->full && !gql_execution_serial(job->execution)) {
            break;
        }
    }

    job->in_loop = 0;

    if (job->running == 0
        && (job->started == n || gql_execution_aborted(job->execution)))
    {
        job->end(job);

    } else if (job->full && !gql_execution_serial(job->execution)) {
        job->cut = 1;
        job->end(job);
    }
}


void
ngx_http_prompt_job_claim(ngx_http_prompt_job_t *job)
{
    size_t                      n, reserved;
    uint32_t                    i;
    ngx_http_prompt_answers_t  *answers;

    answers = ngx_http_prompt_get_worker(job->request)->answers;
    n = gql_execution_bytes(job->execution);
    reserved = 0;

    for (i = 0; i < job->started; i++) {
        if (job->roots[i].is_long) {
            reserved = job->claim.reserved;
        }
    }

    if (n > job->claim.bytes
        && !ngx_http_prompt_answers_room(answers, &job->claim, &job->identity,
                                         n, 0))
    {
        job->full = 1;
    }

    /* one that memory is not there for is counted with what follows */

    (void) ngx_http_prompt_answers_set(answers, &job->claim, &job->identity, n,
                                       reserved);
}


/*
 * Of several changes one comes after the other, and that may take long: who may
 * no more what they might, or has a budget by now, is asked before each.
 */
static void
ngx_http_prompt_job_start(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_job_t  *job;

    job = root->job;

    if (gql_field_is_meta(root->field)) {
        ngx_http_prompt_root_complete(root, NULL);
        return;
    }

    if ((root->index == 0 && !job->late) || job->key == NULL
        || !gql_execution_serial(job->execution))
    {
        ngx_http_prompt_job_begin(root);
        return;
    }

    /* who may not go on gives back what the answer has by now at once */

    if (!ngx_http_prompt_job_has_room(root)) {
        return;
    }

    root->data = ngx_http_prompt_keys_lookup(
                     ngx_http_prompt_get_worker(job->request)->keys,
                     job->request, job->key, job->project,
                     ngx_http_prompt_job_known, root);

    if (root->data == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    root->detach = ngx_http_prompt_job_forget;
}


static void
ngx_http_prompt_job_known(void *data, ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity)
{
    ngx_http_prompt_root_t  *root = data;

    const char             *text;
    prompt_str_t            code;
    ngx_http_prompt_job_t  *job;

    job = root->job;
    root->data = NULL;
    root->detach = NULL;

    code = ngx_http_prompt_job_ended(result, identity, &text);

    if (code.data == NULL) {
        job->identity = *identity;
        ngx_http_prompt_job_begin(root);

    } else if (result == NGX_HTTP_PROMPT_KEY_UNAVAILABLE) {
        ngx_http_prompt_root_broken(root, "%s", text);

    } else {
        ngx_http_prompt_root_fail(root, code, prompt_str_absent, "%s", text);
    }

    ngx_http_prompt_job_run(job);
}


prompt_str_t
ngx_http_prompt_job_ended(ngx_http_prompt_key_result_e result,
    const ngx_http_prompt_identity_t *identity, const char **text)
{
    switch (result) {

    case NGX_HTTP_PROMPT_KEY_REFUSED:
        *text = "The session or the API key has ended.";
        return ngx_http_prompt_unauthenticated;

    case NGX_HTTP_PROMPT_KEY_UNAVAILABLE:
        *text = "The API key could not be checked: the database did not "
                "answer. Nothing was done here.";
        return ngx_http_prompt_internal_server_error;

    case NGX_HTTP_PROMPT_KEY_KNOWN:
        break;
    }

    if (identity->role == PROMPT_ROLE_NONE) {
        *text = "You are not a member of the project any more.";
        return ngx_http_prompt_forbidden;
    }

    return prompt_str_absent;
}


static void
ngx_http_prompt_job_forget(void *data)
{
    ngx_http_prompt_keys_cancel(data);
}


static void
ngx_http_prompt_job_begin(ngx_http_prompt_root_t *root)
{
    gql_error_t                    *error;
    gql_result_t                    result;
    const ngx_http_prompt_field_t  *entry;

    if (!ngx_http_prompt_hooks_start(root)) {
        return;
    }

    root->arguments = gql_execution_arguments(root->job->execution, root->field,
                                              &error);
    if (root->arguments == NULL) {

        if (error->code.data == NULL) {
            error->code = ngx_http_prompt_bad_user_input;
        }

        result.kind = GQL_RESULT_ERROR;
        result.u.error = error;
        ngx_http_prompt_root_complete(root, &result);
        return;
    }

    ngx_http_prompt_job_count(root);

    if (ngx_http_prompt_job_may(root)
        && ngx_http_prompt_job_has_room(root)
        && ngx_http_prompt_arguments_check(root, root->field->def,
                                           root->arguments)
        && ngx_http_prompt_root_is_here(root))
    {
        entry = root->field->def->data;
        entry->start(root);
    }
}


ngx_uint_t
ngx_http_prompt_job_scopes(const ngx_http_prompt_job_t *job)
{
    ngx_uint_t  scopes;

    scopes = job->identity.scopes;

    return scopes == 0 || (scopes & PROMPT_KEY_SCOPE_SESSION) != 0
           ? scopes | PROMPT_KEY_SCOPE_ALL : scopes;
}


/* Scopes were looked at before (operation.h): this is what the role allows. */
static bool
ngx_http_prompt_job_may(ngx_http_prompt_root_t *root)
{
    ngx_uint_t                      scopes;
    prompt_role_e                   role;
    const ngx_http_prompt_field_t  *entry;

    role = root->job->identity.role;
    entry = root->field->def->data;
    scopes = ngx_http_prompt_field_scopes(root->field,
                                          prompt_role_scopes(role));

    if (entry->any_role || (scopes & ~prompt_role_scopes(role)) == 0) {
        return true;
    }

    return ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
               prompt_str_absent,
               "Your role in this project does not allow it: it takes %s.",
               prompt_role_scopes(PROMPT_ROLE_EDITOR) & scopes
               & ~prompt_role_scopes(role) ? "an EDITOR" : "an ADMIN");
}


/* What is changed or paid for is to be told of. */
static bool
ngx_http_prompt_job_has_room(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_job_t      *job;
    ngx_http_prompt_answers_t  *answers;

    job = root->job;
    answers = ngx_http_prompt_get_worker(job->request)->answers;

    if (job->plan->operation->operation == GQL_QUERY
        || ngx_http_prompt_answers_open(answers, &job->claim, &job->identity))
    {
        return true;
    }

    job->unsettled = 1;
    ngx_http_prompt_answers_refused(answers, job->request->connection->log);
    return ngx_http_prompt_root_broken(root, "Nothing was done here. %s",
                                       NGX_HTTP_PROMPT_ANSWERS_FULL);
}


static void
ngx_http_prompt_job_count(ngx_http_prompt_root_t *root)
{
    ngx_uint_t                 n;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(root->job->request);

    n = ngx_http_prompt_job_number(worker->schema, root->field->def);

    if (n >= NGX_HTTP_PROMPT_OPERATION_ROOT) {
        ngx_http_prompt_metrics_root(worker->metrics, root->job->log.protocol,
                                     n - NGX_HTTP_PROMPT_OPERATION_ROOT);
    }
}


ngx_uint_t
ngx_http_prompt_job_number(const gql_schema_t *schema,
    const gql_field_def_t *field)
{
    ngx_uint_t         i, n;
    const gql_type_t  *roots[3];

    roots[0] = schema->query;
    roots[1] = schema->mutation;
    roots[2] = schema->subscription;

    n = NGX_HTTP_PROMPT_OPERATION_ROOT;

    for (i = 0; i < 3; i++) {

        if (field >= roots[i]->fields
            && field < roots[i]->fields + roots[i]->nfields)
        {
            return n + (ngx_uint_t) (field - roots[i]->fields);
        }

        n += roots[i]->nfields;
    }

    return NGX_HTTP_PROMPT_OPERATION_INTROSPECTION;
}


void
ngx_http_prompt_job_detach(ngx_http_prompt_job_t *job)
{
    uint32_t  i;

    for (i = 0; i < job->started; i++) {
        ngx_http_prompt_root_detach(&job->roots[i]);
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


void
ngx_http_prompt_job_watch(ngx_http_prompt_job_t *job)
{
    if (!job->persists) {
        ngx_http_prompt_watch_client(job->request);
    }
}


void
ngx_http_prompt_job_executed(ngx_http_prompt_job_t *job, prompt_str_t id)
{
    u_char  *executed;

    if (job->executions == NULL) {
        job->executions = ngx_array_create(job->request->pool, 1,
                                           PROMPT_UUID_LEN);
    }

    executed = job->executions != NULL ? ngx_array_push(job->executions) : NULL;

    /* without memory only an answer that is not sent lacks it */

    if (executed != NULL) {
        ngx_memcpy(executed, id.data, PROMPT_UUID_LEN);
    }
}


void
ngx_http_prompt_job_resume(ngx_http_prompt_job_t *job)
{
    ngx_connection_t  *c;

    c = job->request->connection;

    ngx_http_prompt_job_run(job);

    ngx_http_run_posted_requests(c);
}
