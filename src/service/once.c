/*
 * Once: the row of an Idempotency-Key, from taking it to its answer.
 */

#include "service/once.h"

#include "base/random.h"
#include "service/arguments.h"
#include "service/send.h"
#include "service/service.h"
#include "service/worker.h"


/* hashes, steps and ids; the answer besides, as it is bound and as pieces */
#define NGX_HTTP_PROMPT_ONCE_MEMORY  (1024 * 1024)


static void ngx_http_prompt_once_taken(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_http_prompt_once_e ngx_http_prompt_once_read(
    ngx_http_prompt_once_t *once,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_once_log(ngx_http_prompt_once_t *once,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_int_t ngx_http_prompt_once_steps(ngx_http_prompt_once_t *once,
    prompt_texts_t *steps);
static ngx_int_t ngx_http_prompt_once_step(ngx_http_prompt_once_t *once,
    prompt_str_t step);
static ngx_int_t ngx_http_prompt_once_look(ngx_http_prompt_once_t *once);
static void ngx_http_prompt_once_looked(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_http_prompt_once_e ngx_http_prompt_once_states(
    ngx_http_prompt_once_t *once, const prompt_rows_t *rows);
static void ngx_http_prompt_once_renew(ngx_event_t *ev);
static void ngx_http_prompt_once_lease(ngx_http_prompt_once_t *once,
    int64_t lease);
static void ngx_http_prompt_once_renewed(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_once_kept(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static gql_error_t *ngx_http_prompt_once_error(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_known_t *known);
static const char *ngx_http_prompt_once_text(
    const ngx_http_prompt_known_t *known);


ngx_int_t
ngx_http_prompt_once_take(ngx_http_prompt_once_t *once,
    ngx_http_prompt_job_t *job,
    void (*taken)(void *data, ngx_http_prompt_once_e how), void *data)
{
    bool             bound;
    uint8_t          random[PROMPT_UUID_RANDOM_LEN];
    prompt_query_t  *query;

    if (!prompt_random(random, sizeof(random))) {
        return NGX_ERROR;
    }

    once->job = job;
    once->worker = ngx_http_prompt_get_worker(job->request);
    once->taken = taken;
    once->data = data;

    prompt_uuid_make(&once->worker->uuid, ngx_http_prompt_now_ms(), random,
                     &once->holder);

    ngx_memcpy(once->user, job->identity.user_id, PROMPT_UUID_LEN);

    once->row.user_id = prompt_str_of(once->user, PROMPT_UUID_LEN);
    once->row.key = prompt_str_of((char *) once->key, sizeof(once->key));
    once->row.fingerprint = prompt_str_of((char *) once->fingerprint,
                                          sizeof(once->fingerprint));
    once->row.holder = prompt_str_of((char *) once->holder.bytes,
                                     PROMPT_UUID_LEN);

    ngx_http_prompt_timer_init(&once->renew, ngx_http_prompt_once_renew, once,
                               once->worker->log);
    once->renew.event.cancelable = 1;

    query = prompt_query_create(NGX_HTTP_PROMPT_ONCE_MEMORY);
    bound = query != NULL
            && prompt_idempotency_take(query, &once->row,
                                       NGX_HTTP_PROMPT_ONCE_LEASE);
    if (bound) {

        /* one of a worker at a time: the others would wait in PostgreSQL */

        query->locks = prompt_str_of((char *) once->key, PROMPT_UUID_LEN);
        query->owner = once->row.user_id;
    }

    once->query = ngx_http_prompt_send_query(once->worker->postgres, query,
                                             bound, 0,
                                             ngx_http_prompt_once_taken, once);

    return once->query != NULL ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_prompt_once_taken(void *data, ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_once_t  *once = data;

    ngx_http_prompt_once_e  how;

    how = NGX_HTTP_PROMPT_ONCE_FAILED;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        how = ngx_http_prompt_once_read(once, result);

    } else {
        ngx_http_prompt_once_log(once, result);
    }

    if (once->held) {
        ngx_add_timer(&once->renew.event, NGX_HTTP_PROMPT_ONCE_RENEW);
    }

    /* rows stay as long as the answer is looked at */

    if (how != NGX_HTTP_PROMPT_ONCE_ANSWERED) {
        ngx_http_prompt_postgres_free(query);
        once->query = NULL;
    }

    if (how == NGX_HTTP_PROMPT_ONCE_RUN && once->told) {

        if (ngx_http_prompt_once_look(once) == NGX_OK) {
            return;
        }

        how = NGX_HTTP_PROMPT_ONCE_FAILED;
    }

    once->taken(once->data, how);
}


static ngx_http_prompt_once_e
ngx_http_prompt_once_read(ngx_http_prompt_once_t *once,
    const ngx_http_prompt_postgres_result_t *result)
{
    prompt_idempotency_row_t  row;

    if (!prompt_idempotency_take_row(
            &result->rows[PROMPT_IDEMPOTENCY_TAKES - 1], &row))
    {
        return NGX_HTTP_PROMPT_ONCE_BUSY;      /* it was swept just now */
    }

    if (!row.same) {
        return NGX_HTTP_PROMPT_ONCE_OTHER;
    }

    once->held = row.mine;

    if (!row.mine && !row.status.known) {
        return NGX_HTTP_PROMPT_ONCE_BUSY;
    }

    if (row.answer.data != NULL) {
        once->answer = row.answer;
        return NGX_HTTP_PROMPT_ONCE_ANSWERED;
    }

    if (row.mine && row.steps.count == 0) {
        return NGX_HTTP_PROMPT_ONCE_RUN;
    }

    once->told = 1;

    return ngx_http_prompt_once_steps(once, &row.steps) == NGX_OK
           ? NGX_HTTP_PROMPT_ONCE_RUN : NGX_HTTP_PROMPT_ONCE_FAILED;
}


static void
ngx_http_prompt_once_log(ngx_http_prompt_once_t *once,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_log_error(NGX_LOG_ERR, once->job->request->connection->log, 0,
                  "prompt: PostgreSQL did not say what is known of an "
                  "Idempotency-Key: %s",
                  result->status == NGX_HTTP_PROMPT_POSTGRES_ERROR
                  ? result->sqlstate : "no answer");
}


/* NGX_ERROR: memory */

static ngx_int_t
ngx_http_prompt_once_steps(ngx_http_prompt_once_t *once, prompt_texts_t *steps)
{
    uint32_t  i;

    once->known = prompt_arena_array(once->job->arena,
                                     once->job->plan->root->nfields,
                                     sizeof(ngx_http_prompt_known_t));
    if (once->known == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < steps->count; i++) {
        if (ngx_http_prompt_once_step(once, prompt_texts_item(steps, i))
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* "3 0192…": of several of one root field, the last one counts */

static ngx_int_t
ngx_http_prompt_once_step(ngx_http_prompt_once_t *once, prompt_str_t step)
{
    size_t                    n;
    ngx_int_t                 index;
    prompt_uuid_t             id;
    ngx_http_prompt_known_t  *known;

    for (n = 0; n < step.len && step.data[n] != ' '; n++) {
        /* void */
    }

    index = ngx_atoi((u_char *) step.data, n);

    if (n == step.len || index == NGX_ERROR
        || (uint32_t) index >= once->job->plan->root->nfields)
    {
        return NGX_OK;
    }

    known = &once->known[index];
    known->done = 1;

    if (!prompt_uuid_parse(prompt_str_of(step.data + n + 1, step.len - n - 1),
                           &id))
    {
        return NGX_OK;
    }

    known->id = prompt_arena_copy(once->job->arena,
                                  prompt_str_of((char *) id.bytes,
                                                PROMPT_UUID_LEN));

    return known->id.data != NULL ? NGX_OK : NGX_ERROR;
}


/* What became of what the steps name. */

static ngx_int_t
ngx_http_prompt_once_look(ngx_http_prompt_once_t *once)
{
    bool             bound;
    char            *ids;
    size_t           len;
    uint32_t         i, n;
    prompt_query_t  *query;

    n = once->job->plan->root->nfields;
    len = 0;

    ids = prompt_arena_alloc(once->job->arena, (size_t) n * PROMPT_UUID_LEN);
    if (ids == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < n; i++) {
        if (once->known[i].id.data != NULL) {
            ngx_memcpy(ids + len, once->known[i].id.data, PROMPT_UUID_LEN);
            len += PROMPT_UUID_LEN;
        }
    }

    query = prompt_query_create(NGX_HTTP_PROMPT_ONCE_MEMORY);
    bound = query != NULL
            && prompt_idempotency_look(query, prompt_str_of(ids, len));

    once->query = ngx_http_prompt_send_query(once->worker->postgres, query,
                                             bound, 0,
                                             ngx_http_prompt_once_looked,
                                             once);

    return once->query != NULL ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_prompt_once_looked(void *data, ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_once_t  *once = data;

    ngx_http_prompt_once_e  how;

    how = NGX_HTTP_PROMPT_ONCE_FAILED;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        how = ngx_http_prompt_once_states(once, &result->rows[0]);

    } else {
        ngx_http_prompt_once_log(once, result);
    }

    ngx_http_prompt_postgres_free(query);
    once->query = NULL;

    if (how != NGX_HTTP_PROMPT_ONCE_RUN && once->held) {

        /* the next request looks again */

        once->held = 0;
        ngx_http_prompt_timer_stop(&once->renew);
        ngx_http_prompt_once_lease(once, 0);
    }

    once->taken(once->data, how);
}


static ngx_http_prompt_once_e
ngx_http_prompt_once_states(ngx_http_prompt_once_t *once,
    const prompt_rows_t *rows)
{
    uint32_t                  i, row;
    prompt_str_t              state;
    ngx_http_prompt_known_t  *known;

    row = 0;

    for (i = 0; i < once->job->plan->root->nfields; i++) {
        known = &once->known[i];

        if (known->id.data == NULL || row == rows->count) {
            continue;
        }

        state = prompt_rows_cell(rows, row++, 0);

        /* the worker that ran it is dead, and it is not lost yet */

        if (prompt_str_eq(state, prompt_str("running"))) {
            return NGX_HTTP_PROMPT_ONCE_BUSY;
        }

        if (state.data == NULL) {
            once->unknown = 1;
            continue;
        }

        known->state = prompt_arena_copy(once->job->arena, state);
        known->is_key = prompt_str_eq(state, prompt_str("key"));
        known->is_execution = !known->is_key
                              && !prompt_str_eq(state, prompt_str("there"));

        if (known->state.data == NULL) {
            return NGX_HTTP_PROMPT_ONCE_FAILED;
        }
    }

    return NGX_HTTP_PROMPT_ONCE_RUN;
}


static void
ngx_http_prompt_once_renew(ngx_event_t *ev)
{
    ngx_http_prompt_once_t  *once;

    once = ngx_http_prompt_timer_owner(ev);

    if (once->renewal == NULL) {
        ngx_http_prompt_once_lease(once, NGX_HTTP_PROMPT_ONCE_LEASE);
    }

    ngx_add_timer(&once->renew.event, NGX_HTTP_PROMPT_ONCE_RENEW);
}


/* 0: lets go.  Where it fails, it is done again, or the lease runs out. */

static void
ngx_http_prompt_once_lease(ngx_http_prompt_once_t *once, int64_t lease)
{
    bool             bound;
    prompt_query_t  *query;

    query = prompt_query_create(NGX_HTTP_PROMPT_ONCE_MEMORY);
    bound = query != NULL
            && prompt_idempotency_renew(query, &once->row, lease);

    if (bound) {
        query->unconditional = true;
    }

    if (once->renewal != NULL) {
        ngx_http_prompt_postgres_detach(once->renewal);
    }

    once->renewal = ngx_http_prompt_send_query(once->worker->postgres, query,
                                               bound, 0,
                                               ngx_http_prompt_once_renewed,
                                               once);
}


static void
ngx_http_prompt_once_renewed(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_once_t  *once = data;

    (void) result;

    once->renewal = NULL;
    ngx_http_prompt_postgres_free(query);
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
    }

    return prompt_idempotency_mark(query, &once->row,
                                   prompt_str_of(step, p - (u_char *) step));
}


bool
ngx_http_prompt_once_over(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_once_t         *once;
    const ngx_http_prompt_field_t  *entry;

    once = root->job->once;

    if (once == NULL || !once->told) {
        return false;
    }

    entry = root->field->def->data;

    /* what was left in the middle is brought to its end, say in the caches */

    return !(entry->repeatable && once->held
             && once->known[root->index].done);
}


void
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
           "answer is lost, and it is not done again. It failed, or what it "
           "made was deleted since: nothing has the id ";
}


ngx_int_t
ngx_http_prompt_once_keep(ngx_http_prompt_once_t *once, ngx_uint_t status,
    const prompt_str_t *pieces, size_t npieces,
    void (*kept)(void *data, ngx_uint_t held))
{
    bool             bound;
    size_t           i;
    prompt_buf_t     answer;
    prompt_query_t  *query;

    if (!once->held) {
        return NGX_DECLINED;
    }

    ngx_http_prompt_timer_stop(&once->renew);

    if (once->unknown) {

        /* the next request finds out what was done */

        once->held = 0;
        ngx_http_prompt_once_lease(once, 0);
        return NGX_DECLINED;
    }

    prompt_buf_init(&answer, NGX_HTTP_PROMPT_ONCE_ANSWER);

    for (i = 0; i < npieces && !once->secret; i++) {
        prompt_buf_append(&answer, pieces[i].data, pieces[i].len);
    }

    query = prompt_query_create(NGX_HTTP_PROMPT_ONCE_ANSWER
                                + NGX_HTTP_PROMPT_ONCE_MEMORY);
    bound = query != NULL
            && prompt_idempotency_finish(query, &once->row, (int32_t) status,
                                         answer.status == PROMPT_BUF_OK
                                         && !once->secret
                                         ? prompt_buf_view(&answer)
                                         : prompt_str_absent);
    prompt_buf_free(&answer);

    if (bound) {
        query->unconditional = true;
    }

    once->kept = kept;
    once->query = ngx_http_prompt_send_query(once->worker->postgres, query,
                                             bound, 0,
                                             ngx_http_prompt_once_kept, once);

    return once->query != NULL ? NGX_OK : NGX_DECLINED;
}


static void
ngx_http_prompt_once_kept(void *data, ngx_http_prompt_postgres_task_t *query,
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

    once->held = 0;
    once->query = NULL;
    ngx_http_prompt_postgres_free(query);

    once->kept(once->data, held);
}


void
ngx_http_prompt_once_leave(ngx_http_prompt_once_t *once)
{
    ngx_http_prompt_timer_stop(&once->renew);

    if (once->renewal != NULL) {
        ngx_http_prompt_postgres_detach(once->renewal);
        once->renewal = NULL;
    }

    if (once->query != NULL && once->answer.data != NULL) {
        ngx_http_prompt_postgres_free(once->query);

    } else if (once->query != NULL) {
        ngx_http_prompt_postgres_detach(once->query);
    }

    once->query = NULL;
}
