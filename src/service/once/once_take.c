/*
 * Once: taking the row of an Idempotency-Key, and what is known of it.
 *
 * Of those who come to a worker with the same key, the first one asks
 * PostgreSQL.  The others wait for what it finds, or, while it holds the row,
 * need not ask.
 */

#include "service/once/once_impl.h"

#include "base/random.h"
#include "service/upkeep/sweep.h"


static ngx_int_t ngx_http_prompt_once_lead(ngx_http_prompt_once_t *once);
static void ngx_http_prompt_once_wait(ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_t *first);
static ngx_uint_t ngx_http_prompt_once_same(const ngx_http_prompt_once_t *once,
    const ngx_http_prompt_once_t *other);
static void ngx_http_prompt_once_again(ngx_http_prompt_once_t *once);
static void ngx_http_prompt_once_decided(ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e how);
static void ngx_http_prompt_once_asked(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_http_prompt_once_e ngx_http_prompt_once_read(
    ngx_http_prompt_once_t *once,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_int_t ngx_http_prompt_once_steps(ngx_http_prompt_once_t *once,
    prompt_texts_t *steps);
static ngx_int_t ngx_http_prompt_once_step(ngx_http_prompt_once_t *once,
    prompt_str_t step);
static ngx_int_t ngx_http_prompt_once_look(ngx_http_prompt_once_t *once);
static void ngx_http_prompt_once_looked(void *data,
    const ngx_http_prompt_postgres_result_t *result);
static ngx_http_prompt_once_e ngx_http_prompt_once_states(
    ngx_http_prompt_once_t *once, const prompt_rows_t *rows);


ngx_int_t
ngx_http_prompt_once_take(ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e *how)
{
    uint8_t                  random[PROMPT_UUID_RANDOM_LEN];
    ngx_http_prompt_once_t  *first;

    if (!prompt_random(random, sizeof(random))) {
        return NGX_ERROR;
    }

    once->job = &once->op->job;
    once->worker = ngx_http_prompt_get_worker(once->job->request);

    ngx_queue_init(&once->waiting);

    prompt_uuid_make(&once->worker->uuid, ngx_http_prompt_now_ms(), random,
                     &once->holder);

    ngx_memcpy(once->user, once->job->identity.user_id, PROMPT_UUID_LEN);

    once->row.user_id = prompt_str_of(once->user, PROMPT_UUID_LEN);
    once->row.key = prompt_str_of((char *) once->key, sizeof(once->key));
    once->row.fingerprint = prompt_str_of((char *) once->fingerprint,
                                          sizeof(once->fingerprint));
    once->row.holder = prompt_str_of((char *) once->holder.bytes,
                                     PROMPT_UUID_LEN);

    ngx_http_prompt_timer_init(&once->renew, ngx_http_prompt_once_renew, once,
                               once->worker->log);
    once->renew.event.cancelable = 1;

    first = (ngx_http_prompt_once_t *)
        ngx_http_prompt_hash_tree_find(&once->worker->once, once->key);

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, once->job->request->connection->log, 0,
                   "prompt idempotency: %s",
                   first == NULL ? "asks for its row"
                   : first->held ? "the row is held by another request"
                   : "another request asks for its row");

    if (first == NULL) {
        return ngx_http_prompt_once_lead(once);
    }

    if (first->held) {
        *how = ngx_http_prompt_once_same(once, first)
               ? NGX_HTTP_PROMPT_ONCE_BUSY : NGX_HTTP_PROMPT_ONCE_OTHER;
        return NGX_DONE;
    }

    ngx_http_prompt_once_wait(once, first);

    return NGX_OK;
}


prompt_str_t
ngx_http_prompt_once_order(const ngx_http_prompt_once_t *once)
{
    return prompt_str_of((const char *) once->key, PROMPT_UUID_LEN);
}


/* Asks PostgreSQL; those who come meanwhile wait. */
static ngx_int_t
ngx_http_prompt_once_lead(ngx_http_prompt_once_t *once)
{
    bool             bound;
    prompt_query_t  *query;

    query = prompt_query_create(NGX_HTTP_PROMPT_ONCE_MEMORY);
    bound = query != NULL
            && prompt_idempotency_take(query, &once->row,
                                       NGX_HTTP_PROMPT_ONCE_LEASE,
                                       ngx_http_prompt_sweep_clock(
                                           once->worker),
                                       ngx_http_prompt_sweep_near(
                                           once->worker));
    if (bound) {
        query->owner = once->row.user_id;
        query->order = ngx_http_prompt_once_order(once);
        query->log = once->job->request->connection->log;
    }

    if (ngx_http_prompt_send_query(&once->query, once->worker->postgres, query,
                                   bound, 0, ngx_http_prompt_once_asked, once)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_http_prompt_hash_tree_add(&once->worker->once, &once->hashed,
                                  once->key);
    once->leads = 1;

    return NGX_OK;
}


static void
ngx_http_prompt_once_wait(ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_t *first)
{
    once->waits = 1;
    ngx_queue_insert_tail(&first->waiting, &once->queue);
}


static ngx_uint_t
ngx_http_prompt_once_same(const ngx_http_prompt_once_t *once,
    const ngx_http_prompt_once_t *other)
{
    return ngx_memcmp(once->fingerprint, other->fingerprint,
                      sizeof(once->fingerprint))
           == 0;
}


void
ngx_http_prompt_once_forget(ngx_http_prompt_once_t *once)
{
    ngx_queue_t             *q;
    ngx_http_prompt_once_t  *next;

    if (once->waits) {
        once->waits = 0;
        ngx_queue_remove(&once->queue);
    }

    if (once->leads) {
        once->leads = 0;
        ngx_rbtree_delete(&once->worker->once, &once->hashed.node);
    }

    while (once->waiting.next != NULL && !ngx_queue_empty(&once->waiting)) {
        q = ngx_queue_head(&once->waiting);
        next = ngx_queue_data(q, ngx_http_prompt_once_t, queue);

        ngx_queue_remove(q);
        next->waits = 0;

        ngx_http_prompt_once_again(next);
    }
}


/* It waited for one that could not say: the first of them asks, and so on. */
static void
ngx_http_prompt_once_again(ngx_http_prompt_once_t *once)
{
    ngx_http_prompt_once_t  *first;

    first = (ngx_http_prompt_once_t *)
        ngx_http_prompt_hash_tree_find(&once->worker->once, once->key);

    if (first != NULL && !first->held) {
        ngx_http_prompt_once_wait(once, first);

    } else if (first != NULL) {
        ngx_http_prompt_once_taken(once, ngx_http_prompt_once_same(once, first)
                                         ? NGX_HTTP_PROMPT_ONCE_BUSY
                                         : NGX_HTTP_PROMPT_ONCE_OTHER);

    } else if (ngx_http_prompt_once_lead(once) != NGX_OK) {
        ngx_http_prompt_once_taken(once, NGX_HTTP_PROMPT_ONCE_FAILED);
    }
}


/*
 * Tells those who waited what was found for the first, and then it: that may
 * end its request.
 */
static void
ngx_http_prompt_once_decided(ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e how)
{
    ngx_queue_t              waiting, *q;
    ngx_http_prompt_once_t  *next;

    ngx_queue_init(&waiting);

    if (!ngx_queue_empty(&once->waiting)) {
        ngx_queue_add(&waiting, &once->waiting);
        ngx_queue_init(&once->waiting);
    }

    if (!once->held) {
        ngx_http_prompt_once_forget(once);
    }

    while (!ngx_queue_empty(&waiting)) {
        q = ngx_queue_head(&waiting);
        next = ngx_queue_data(q, ngx_http_prompt_once_t, queue);

        ngx_queue_remove(q);
        next->waits = 0;

        if (how == NGX_HTTP_PROMPT_ONCE_FAILED) {
            ngx_http_prompt_once_taken(next, how);

        } else if (how == NGX_HTTP_PROMPT_ONCE_OTHER
                   || (how == NGX_HTTP_PROMPT_ONCE_RUN && !once->held))
        {
            ngx_http_prompt_once_again(next);

        } else if (!ngx_http_prompt_once_same(next, once)) {
            ngx_http_prompt_once_taken(next, NGX_HTTP_PROMPT_ONCE_OTHER);

        } else if (how == NGX_HTTP_PROMPT_ONCE_ANSWERED) {
            next->answer = once->answer;
            ngx_http_prompt_once_taken(next, how);

        } else {
            ngx_http_prompt_once_taken(next, NGX_HTTP_PROMPT_ONCE_BUSY);
        }
    }

    ngx_http_prompt_once_taken(once, how);
}


static void
ngx_http_prompt_once_asked(void *data,
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

    if (how == NGX_HTTP_PROMPT_ONCE_RUN && once->over) {

        if (ngx_http_prompt_once_look(once) == NGX_OK) {
            return;
        }

        how = NGX_HTTP_PROMPT_ONCE_FAILED;
    }

    ngx_http_prompt_once_decided(once, how);
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

    once->over = 1;

    return ngx_http_prompt_once_steps(once, &row.steps) == NGX_OK
           ? NGX_HTTP_PROMPT_ONCE_RUN : NGX_HTTP_PROMPT_ONCE_FAILED;
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

    return ngx_http_prompt_send_query(&once->query, once->worker->postgres,
                                      query, bound, 0,
                                      ngx_http_prompt_once_looked, once);
}


static void
ngx_http_prompt_once_looked(void *data,
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

    if (how != NGX_HTTP_PROMPT_ONCE_RUN && once->held) {

        /* the next request looks again */

        once->held = 0;
        ngx_http_prompt_timer_stop(&once->renew);
        ngx_http_prompt_once_lease(once, 0);
    }

    ngx_http_prompt_once_decided(once, how);
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
            once->job->unsettled = 1;
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
