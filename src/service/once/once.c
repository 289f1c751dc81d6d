/*
 * Once: the row of an Idempotency-Key, while it is held: its lease, what
 * changes leave in it, its answer.
 */

#include "service/once/once_impl.h"

#include "io/ngx_http_prompt_ratelog.h"


static void ngx_http_prompt_once_renewed(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_int_t ngx_http_prompt_once_write(ngx_http_prompt_once_t *once,
    prompt_query_t *query, bool bound);
static void ngx_http_prompt_once_written(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_once_tell(ngx_http_prompt_root_t *root);
static gql_error_t *ngx_http_prompt_once_error(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_known_t *known);
static const char *ngx_http_prompt_once_text(
    const ngx_http_prompt_known_t *known);


void
ngx_http_prompt_once_log(ngx_http_prompt_once_t *once,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_POSTGRES_ANSWER,
                            prompt_str_absent,
                            once->job->request->connection->log,
                            "prompt: PostgreSQL did not say what is known of "
                            "an Idempotency-Key: %s",
                            ngx_http_prompt_postgres_why(result));
}


void
ngx_http_prompt_once_renew(ngx_event_t *ev)
{
    ngx_http_prompt_once_t  *once;

    once = ngx_http_prompt_timer_owner(ev);

    if (once->renewal.task == NULL) {
        ngx_http_prompt_once_lease(once, NGX_HTTP_PROMPT_ONCE_LEASE);
    }

    ngx_add_timer(&once->renew.event, NGX_HTTP_PROMPT_ONCE_RENEW);
}


void
ngx_http_prompt_once_lease(ngx_http_prompt_once_t *once, int64_t lease)
{
    bool             bound;
    prompt_query_t  *query;

    query = prompt_query_create(NGX_HTTP_PROMPT_ONCE_MEMORY);
    bound = query != NULL
            && prompt_idempotency_renew(query, &once->row, lease);

    if (bound) {
        query->unconditional = true;
        query->order = ngx_http_prompt_once_order(once);
    }

    ngx_http_prompt_send_leave(&once->renewal);

    (void) ngx_http_prompt_send_query(&once->renewal, once->worker->postgres,
                                      query, bound, 0,
                                      ngx_http_prompt_once_renewed, once);
}


static void
ngx_http_prompt_once_renewed(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    /* void */
}


bool
ngx_http_prompt_once_mark(ngx_http_prompt_root_t *root, prompt_query_t *query,
    prompt_str_t id)
{
    char                     step[PROMPT_IDEMPOTENCY_STEP_LEN];
    u_char                  *p;
    prompt_uuid_t            uuid;
    ngx_http_prompt_once_t  *once;

    once = root->job->once;

    if (once == NULL) {
        return true;
    }

    p = ngx_sprintf((u_char *) step, "%uD ", root->index);

    if (id.len == PROMPT_UUID_LEN) {
        ngx_memcpy(uuid.bytes, id.data, PROMPT_UUID_LEN);
        prompt_uuid_format(&uuid, (char *) p);
        p += PROMPT_UUID_TEXT_LEN;

        root->marked = prompt_arena_copy(root->job->arena, id);

        if (root->marked.data == NULL) {
            return false;
        }
    }

    query->order = ngx_http_prompt_once_order(once);

    return prompt_idempotency_mark(query, &once->row,
                                   prompt_str_of(step, p - (u_char *) step));
}


bool
ngx_http_prompt_once_start(ngx_http_prompt_root_t *root)
{
    const ngx_http_prompt_once_t   *once;
    const ngx_http_prompt_field_t  *entry;

    once = root->job->once;

    if (once == NULL || !once->over) {
        return true;
    }

    entry = root->field->def->data;

    /* what was left in the middle is brought to its end, say in the caches */

    if (entry->repeatable && once->held && once->known[root->index].done) {
        return true;
    }

    ngx_http_prompt_once_tell(root);

    return false;
}


/* Completes it with an error that says what an earlier request did. */
static void
ngx_http_prompt_once_tell(ngx_http_prompt_root_t *root)
{
    gql_result_t                    result;
    prompt_json_t                  *extra, *id, *state;
    prompt_arena_t                 *arena;
    const ngx_http_prompt_known_t  *known;

    arena = root->job->arena;
    known = &root->job->once->known[root->index];

    result.kind = GQL_RESULT_ERROR;
    result.u.error = ngx_http_prompt_once_error(root, known);

    if (known->id.data != NULL) {
        extra = prompt_json_new(arena, PROMPT_JSON_OBJECT);
        id = ngx_http_prompt_uuid_json(arena, known->id);
        state = prompt_json_new_string(arena, known->state);

        if (extra == NULL || id == NULL || state == NULL) {
            ngx_http_prompt_root_fail_nomem(root);
            return;
        }

        prompt_json_set(extra, prompt_str("id"), id);

        if (known->is_execution) {
            prompt_json_set(extra, prompt_str("status"), state);
        }

        result.u.error->extra = extra;
    }

    ngx_http_prompt_root_complete(root, &result);
}


static gql_error_t *
ngx_http_prompt_once_error(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_known_t *known)
{
    char           text[PROMPT_UUID_TEXT_LEN];
    prompt_str_t   code, shown;
    prompt_uuid_t  id;

    code = known->is_key ? ngx_http_prompt_bad_user_input
                         : ngx_http_prompt_internal_server_error;
    shown = prompt_str("");

    if (known->id.data != NULL) {
        ngx_memcpy(id.bytes, known->id.data, PROMPT_UUID_LEN);
        prompt_uuid_format(&id, text);
        shown = prompt_str_of(text, sizeof(text));
    }

    return gql_execution_error(root->job->execution, code, prompt_str_absent,
                               "%s%.*s%s", ngx_http_prompt_once_text(known),
                               prompt_str_arg(shown),
                               known->id.data == NULL ? "" : ".");
}


/* up to the id, where it has one */
static const char *
ngx_http_prompt_once_text(const ngx_http_prompt_known_t *known)
{
    if (!known->done) {
        return "The first request with this Idempotency-Key changed nothing "
               "here, and its answer is not kept.";
    }

    if (known->id.data == NULL) {
        return "The first request with this Idempotency-Key executed this, "
               "and its answer is not kept.";
    }

    if (known->is_key) {
        return "An API key is shown once and kept nowhere. The first request "
               "with this Idempotency-Key was about the key with the id ";
    }

    if (known->is_execution) {
        return "The first request with this Idempotency-Key executed the "
               "prompt, and its answer is not kept: look at the execution with "
               "the id ";
    }

    if (known->state.data != NULL) {
        return "The first request with this Idempotency-Key executed this, "
               "and its answer is not kept: look at what has the id ";
    }

    return "The first request with this Idempotency-Key executed this, its "
           "answer is not kept, and it is not done again. It failed, or what "
           "it made was deleted since: nothing has the id ";
}


ngx_int_t
ngx_http_prompt_once_keep(ngx_http_prompt_once_t *once)
{
    bool                    bound;
    size_t                  i;
    prompt_buf_t            answer;
    prompt_str_t            shows;
    prompt_query_t         *query;
    ngx_http_prompt_job_t  *job;

    job = once->job;

    if (!once->held) {
        return NGX_DECLINED;
    }

    ngx_http_prompt_timer_stop(&once->renew);

    if (job->unsettled) {

        /* the next request finds out what was done */

        ngx_http_prompt_once_forget(once);
        once->held = 0;
        ngx_http_prompt_once_lease(once, 0);
        return NGX_DECLINED;
    }

    query = prompt_query_create(NGX_HTTP_PROMPT_ONCE_ANSWER
                                + NGX_HTTP_PROMPT_ONCE_MEMORY);

    if (!job->did) {
        return ngx_http_prompt_once_write(once, query,
                   query != NULL
                   && prompt_idempotency_release(query, &once->row));
    }

    prompt_buf_init(&answer, NGX_HTTP_PROMPT_ONCE_ANSWER);
    prompt_buf_str(&answer, job->said);

    for (i = 0; i < once->op->npieces && !job->unkept; i++) {
        prompt_buf_str(&answer, once->op->pieces[i]);
    }

    shows = prompt_str("");

    if (job->shows != NULL) {
        shows = prompt_str_of(job->shows->elts,
                              job->shows->nelts * PROMPT_UUID_LEN);
    }

    bound = query != NULL
            && prompt_idempotency_finish(query, &once->row, NGX_HTTP_OK,
                                         answer.status == PROMPT_BUF_OK
                                         && !job->unkept
                                         ? prompt_buf_view(&answer)
                                         : prompt_str_absent,
                                         shows);
    prompt_buf_free(&answer);

    return ngx_http_prompt_once_write(once, query, bound);
}


static ngx_int_t
ngx_http_prompt_once_write(ngx_http_prompt_once_t *once,
    prompt_query_t *query, bool bound)
{
    if (query != NULL) {
        query->unconditional = true;
        query->order = ngx_http_prompt_once_order(once);
        query->log = once->job->request->connection->log;
    }

    return ngx_http_prompt_send_query(&once->query, once->worker->postgres,
                                      query, bound, 0,
                                      ngx_http_prompt_once_written, once)
           == NGX_OK
           ? NGX_OK : NGX_DECLINED;
}


static void
ngx_http_prompt_once_written(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_once_t  *once = data;

    ngx_uint_t  held;

    held = 1;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        held = result->rows[0].count != 0;

    } else {
        ngx_http_prompt_once_log(once, result);
    }

    ngx_http_prompt_once_forget(once);

    once->held = 0;

    ngx_http_prompt_once_kept(once, held);
}


void
ngx_http_prompt_once_leave(ngx_http_prompt_operation_t *op)
{
    ngx_http_prompt_once_t  *once;

    once = op->job.once;

    if (once == NULL) {
        return;
    }

    ngx_http_prompt_timer_stop(&once->renew);

    ngx_http_prompt_send_leave(&once->renewal);
    ngx_http_prompt_send_leave(&once->query);

    ngx_http_prompt_once_forget(once);
}
