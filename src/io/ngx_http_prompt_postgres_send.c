/*
 * What is sent over a connection to PostgreSQL: tasks as pipelines, with
 * one Sync for each or for a batch of them.  README.md has the reasons.
 */

#include "io/ngx_http_prompt_postgres_impl.h"
#include "store/range.h"


/* no statement's name is as long */
#define POSTGRES_NAME  64


static ngx_int_t ngx_http_prompt_postgres_begin(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n);
static ngx_int_t ngx_http_prompt_postgres_statements(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n);
static void ngx_http_prompt_postgres_take(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task, ngx_uint_t joined);
static ngx_int_t ngx_http_prompt_postgres_set_limit(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task);
static ngx_int_t ngx_http_prompt_postgres_prepare(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *first,
    const ngx_http_prompt_postgres_task_t *task);
static ngx_int_t ngx_http_prompt_postgres_deallocate(
    ngx_http_prompt_postgres_connection_t *pc, const prompt_statement_t *st);


ngx_int_t
ngx_http_prompt_postgres_send(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n)
{
    ngx_uint_t  i;

    ngx_http_prompt_postgres_gather(pc, tasks, n);

    if (ngx_http_prompt_postgres_begin(pc, tasks, n) != NGX_OK) {
        goto failed;
    }

    for (i = 0; i < n; i++) {
        if (ngx_http_prompt_postgres_statements(pc, &tasks[i], n - i)
            != NGX_OK)
        {
            goto failed;
        }
    }

    for (i = 0; i < n; i++) {
        ngx_http_prompt_postgres_take(pc, tasks[i], i + 1 < n);

        ngx_log_debug3(NGX_LOG_DEBUG_HTTP, &tasks[i]->log, 0,
                       "prompt postgres: sent %ui statements, connection %ui, "
                       "%ui in the transaction", tasks[i]->statements,
                       (ngx_uint_t) (pc - pc->pool->connections), n);
    }

    /* from here on nobody knows whether it will be done */

    if (PQpipelineSync(pc->pg) != 1
        || ngx_http_prompt_postgres_flush(pc) != NGX_OK)
    {
        pc->broken = 1;
        ngx_post_event(&pc->results, &ngx_posted_events);
    }

    return NGX_OK;

failed:

    /* without its Sync nothing of it is ever committed */

    pc->broken = 1;
    ngx_post_event(&pc->results, &ngx_posted_events);

    return NGX_ERROR;
}


/* What comes before the statements of a transaction. */
static ngx_int_t
ngx_http_prompt_postgres_begin(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n)
{
    ngx_uint_t                        i;
    ngx_http_prompt_postgres_task_t  *first;

    first = tasks[0];

    prompt_prepared_begin(&pc->prepared);

    for (i = 0; i < n; i++) {
        tasks[i]->prepares = 0;

        /* the snapshot that the first one chooses is that of all */

        tasks[i]->step = (i != 0 && tasks[i]->tree);
        tasks[i]->synced = 0;
        tasks[i]->asked = 0;
        ngx_memzero(&tasks[i]->result.position, sizeof(prompt_position_t));
    }

    /*
     * All preparations first: one that stood behind a statement that fails
     * would be skipped with it, and no later task could rely on it.
     */

    for (i = 0; i < n; i++) {
        if (ngx_http_prompt_postgres_prepare(pc, first, tasks[i]) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    if (pc->pool->reader
        && ngx_http_prompt_postgres_ask_position(pc, first) != NGX_OK)
    {
        return NGX_ERROR;
    }

    /*
     * What chooses the snapshot of its transaction must be the first in it,
     * and PostgreSQL takes one to prepare a statement.  Such queries only
     * read, so that preparations may be a transaction of their own.
     */

    if (first->prepares != 0 && first->tree) {

        if (PQpipelineSync(pc->pg) != 1) {
            return NGX_ERROR;
        }

        first->synced = 1;
    }

    if (first->limit == 0) {
        return NGX_OK;
    }

    return ngx_http_prompt_postgres_set_limit(pc, first);
}


/* Those of the first of n tasks, and of the ones that follow it. */
static ngx_int_t
ngx_http_prompt_postgres_statements(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n)
{
    ngx_uint_t       i;
    prompt_query_t  *query;

    if (tasks[0]->follows) {
        return NGX_OK;
    }

    if (tasks[0]->many != NULL) {
        return ngx_http_prompt_postgres_send_many(pc, tasks, n);
    }

    query = tasks[0]->query;

    for (i = tasks[0]->step; i < query->count; i++) {
        if (ngx_http_prompt_postgres_execute(pc, &query->bound[i]) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* It was sent: the connection waits for its results. */
static void
ngx_http_prompt_postgres_take(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task, ngx_uint_t joined)
{
    ngx_http_prompt_postgres_task_become(task, POSTGRES_TASK_SENT);
    task->connection = pc;
    task->joined = joined;
    task->sent = ngx_current_msec;

    ngx_queue_insert_tail(&pc->tasks, &task->queue);
    pc->in_flight++;
    pc->held += (task->class != POSTGRES_READS);
    pc->longs += (task->class == POSTGRES_LONG);
    pc->pool->longs += (task->class == POSTGRES_LONG);
    pc->pool->stats.in_flight++;

    prompt_histogram_add(&pc->pool->stats.waits,
                         ngx_current_msec - task->start);
}


/*
 * PostgreSQL is to give up before we do, or it would be unknown what became of
 * a change.  The session's limit is right for what is sent at once; what has
 * waited, or may take longer than others, gets one of its own.
 */
ngx_int_t
ngx_http_prompt_postgres_limit(const ngx_http_prompt_postgres_task_t *task,
    ngx_msec_t *limit)
{
    ngx_msec_t                              margin;
    ngx_msec_int_t                          left;
    const ngx_http_prompt_postgres_conf_t  *conf;

    conf = task->pool->conf;
    *limit = 0;

    /* the snapshot is chosen first of all; and what only reads is never lost */

    if (task->tree
        || (task->class == POSTGRES_READS && task->timeout <= conf->timeout))
    {
        return NGX_OK;
    }

    left = (ngx_msec_int_t) (task->start + task->timeout - ngx_current_msec);
    margin = ngx_http_prompt_postgres_margin(task->timeout);

    if (left <= (ngx_msec_int_t) margin) {
        return NGX_DECLINED;
    }

    if (task->timeout > conf->timeout
        || left < (ngx_msec_int_t) (conf->statement_timeout + margin / 2))
    {
        *limit = left - margin;
    }

    return NGX_OK;
}


/* In front of all statements, for this transaction. */
static ngx_int_t
ngx_http_prompt_postgres_set_limit(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task)
{
    u_char       text[NGX_INT_T_LEN + 1];
    const char  *values[1];

    *ngx_sprintf(text, "%M", task->limit) = '\0';
    values[0] = (const char *) text;

    if (PQsendQueryParams(pc->pg,
                          "SELECT set_config('statement_timeout', $1, true)",
                          1, NULL, values, NULL, NULL, 1)
        != 1)
    {
        return NGX_ERROR;
    }

    /* its result is passed over, as those of preparations are */

    task->prepares++;

    return NGX_OK;
}


/* What a task needs; the results are the first one's. */
static ngx_int_t
ngx_http_prompt_postgres_prepare(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *first,
    const ngx_http_prompt_postgres_task_t *task)
{
    ngx_uint_t       i;
    prompt_query_t  *query;

    if (task->follows) {
        return NGX_OK;
    }

    if (task->many != NULL) {
        return ngx_http_prompt_postgres_prepare_one(pc, first, task->many);
    }

    query = task->query;

    for (i = 0; i < query->count; i++) {
        if (ngx_http_prompt_postgres_prepare_one(pc, first,
                                                 query->bound[i].statement)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_postgres_prepare_one(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task, const prompt_statement_t *st)
{
    const prompt_statement_t  *dropped;

    if (!ngx_http_prompt_postgres_prepares(pc->pool)
        || st->id >= NGX_HTTP_PROMPT_POSTGRES_MAX_STATEMENTS
        || ngx_http_prompt_postgres_is_unnamed(pc->pool, st->id)
        || prompt_prepared_use(&pc->prepared, st))
    {
        return NGX_OK;
    }

    while (!pc->keeps) {
        dropped = prompt_prepared_drop(&pc->prepared, st);

        if (dropped == NULL) {
            break;
        }

        if (ngx_http_prompt_postgres_deallocate(pc, dropped) != NGX_OK) {
            return NGX_ERROR;
        }

        task->prepares++;
    }

    /* what is used in this transaction leaves no room: without a name */

    if (!pc->keeps && !prompt_prepared_fits(&pc->prepared, st)) {
        return NGX_OK;
    }

    if (PQsendPrepare(pc->pg, st->name, st->sql, (int) st->nparams,
                      (const Oid *) st->types)
        != 1)
    {
        return NGX_ERROR;
    }

    prompt_prepared_add(&pc->prepared, st);
    task->prepares++;

    return NGX_OK;
}


/* A pooler that prepares under names of its own knows the message alone. */
static ngx_int_t
ngx_http_prompt_postgres_deallocate(ngx_http_prompt_postgres_connection_t *pc,
    const prompt_statement_t *st)
{
    int  rc;

#ifdef LIBPQ_HAS_CLOSE_PREPARED

    rc = PQsendClosePrepared(pc->pg, st->name);

#else

    u_char  sql[sizeof("DEALLOCATE \"\"") + POSTGRES_NAME];

    *ngx_snprintf(sql, sizeof(sql) - 1, "DEALLOCATE \"%s\"", st->name) = '\0';

    rc = PQsendQueryParams(pc->pg, (const char *) sql, 0, NULL, NULL, NULL,
                           NULL, 1);

#endif

    return rc == 1 ? NGX_OK : NGX_ERROR;
}


ngx_int_t
ngx_http_prompt_postgres_execute(ngx_http_prompt_postgres_connection_t *pc,
    const prompt_bound_t *bound)
{
    int                        lengths[PROMPT_STORE_MAX_PARAMS];
    int                        formats[PROMPT_STORE_MAX_PARAMS];
    const char                *values[PROMPT_STORE_MAX_PARAMS];
    const prompt_statement_t  *st;

    st = bound->statement;

    if (st->nparams > PROMPT_STORE_MAX_PARAMS
        || ngx_http_prompt_postgres_params(bound->params, st->nparams, values,
                                           lengths, formats)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_postgres_send_statement(pc, st, values, lengths,
                                                   formats);
}


ngx_int_t
ngx_http_prompt_postgres_params(const prompt_param_t *params, ngx_uint_t n,
    const char **values, int *lengths, int *formats)
{
    ngx_uint_t  i;

    for (i = 0; i < n; i++) {

        if (params[i].len > INT_MAX) {
            return NGX_ERROR;
        }

        values[i] = params[i].data;
        lengths[i] = (int) params[i].len;
        formats[i] = 1;
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_postgres_send_statement(
    ngx_http_prompt_postgres_connection_t *pc, const prompt_statement_t *st,
    const char *const *values, const int *lengths, const int *formats)
{
    int  rc;

    if (ngx_http_prompt_postgres_prepares(pc->pool)
        && !ngx_http_prompt_postgres_is_unnamed(pc->pool, st->id)
        && prompt_prepared_use(&pc->prepared, st))
    {
        rc = PQsendQueryPrepared(pc->pg, st->name, (int) st->nparams, values,
                                 lengths, formats, 1);

    } else {
        rc = PQsendQueryParams(pc->pg, st->sql, (int) st->nparams,
                               (const Oid *) st->types, values, lengths,
                               formats, 1);
    }

    return rc == 1 ? NGX_OK : NGX_ERROR;
}
