/*
 * A batch of tasks that all want the same done, each for a row: one
 * statement for several rows (prompt_statement_many()) costs PostgreSQL less
 * than as many that are executed one after the other.
 *
 * Tasks that stand together in a batch and have the same statement become
 * one: the first has it, and its result; the others follow.  When the result
 * is there each of them gets what it would have been answered alone.  An error
 * rolls the batch back, and each is done again by the statement for one row:
 * together, where it was one for what is in a row, else alone.
 */

#include "io/ngx_http_prompt_postgres_impl.h"
#include "store/statement.h"


#define POSTGRES_MANY_PARAMS                                                 \
    (PROMPT_STORE_MAX_ROWS * PROMPT_STORE_MAX_PARAMS)

/* of the parameters of all rows: PostgreSQL has several copies of them */
#define POSTGRES_MANY_BYTES  (256 * 1024)


static const prompt_statement_t *ngx_http_prompt_postgres_only(
    const ngx_http_prompt_postgres_task_t *task);
static ngx_uint_t ngx_http_prompt_postgres_alike(
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n);
static size_t ngx_http_prompt_postgres_size(
    const ngx_http_prompt_postgres_task_t *task);
static const prompt_statement_t *ngx_http_prompt_postgres_for_many(
    ngx_http_prompt_postgres_connection_t *pc,
    const ngx_http_prompt_postgres_task_t *task, ngx_uint_t n);
static int ngx_http_prompt_postgres_row(
    const ngx_http_prompt_postgres_task_t *task, const PGresult *res);
static void ngx_http_prompt_postgres_take_row(
    ngx_http_prompt_postgres_task_t *task, PGresult *res, int row,
    ngx_http_prompt_postgres_task_t *sharer);
static prompt_str_t ngx_http_prompt_postgres_no_cell(
    const prompt_rows_t *rows, unsigned row, unsigned column);


void
ngx_http_prompt_postgres_gather(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n)
{
    ngx_uint_t                 i, j, alike;
    const prompt_statement_t  *many;

    for (i = 0; i < n; i += alike) {
        alike = ngx_http_prompt_postgres_alike(&tasks[i], n - i);
        many = ngx_http_prompt_postgres_for_many(pc, tasks[i], alike);

        for (j = i; j < i + alike; j++) {
            tasks[j]->many = NULL;
            tasks[j]->follows = (many != NULL && j != i);
            tasks[j]->results = tasks[j]->follows ? 0 : tasks[j]->statements;
        }

        tasks[i]->many = many;
    }
}


/* the statement of a task that has one */
static const prompt_statement_t *
ngx_http_prompt_postgres_only(const ngx_http_prompt_postgres_task_t *task)
{
    return task->statements == 1 ? task->query->bound[0].statement : NULL;
}


/*
 * How many of n tasks, from the first on, have the same statement, and are not
 * too large for one.
 */
static ngx_uint_t
ngx_http_prompt_postgres_alike(ngx_http_prompt_postgres_task_t **tasks,
    ngx_uint_t n)
{
    size_t                     size;
    ngx_uint_t                 i;
    const prompt_statement_t  *st;

    st = ngx_http_prompt_postgres_only(tasks[0]);

    if (st == NULL || tasks[0]->apart) {
        return 1;
    }

    size = ngx_http_prompt_postgres_size(tasks[0]);

    for (i = 1; i < n; i++) {

        if (ngx_http_prompt_postgres_only(tasks[i]) != st) {
            break;
        }

        size += ngx_http_prompt_postgres_size(tasks[i]);

        if (size > POSTGRES_MANY_BYTES) {
            break;
        }
    }

    return i;
}


/* bytes of the parameters of a task that has one statement */
static size_t
ngx_http_prompt_postgres_size(const ngx_http_prompt_postgres_task_t *task)
{
    size_t                 size;
    ngx_uint_t             i;
    const prompt_bound_t  *bound;

    bound = &task->query->bound[0];
    size = 0;

    for (i = 0; i < bound->statement->nparams; i++) {
        size += bound->params[i].len;
    }

    return size;
}


/* NULL: each is sent by itself. */
static const prompt_statement_t *
ngx_http_prompt_postgres_for_many(ngx_http_prompt_postgres_connection_t *pc,
    const ngx_http_prompt_postgres_task_t *task, ngx_uint_t n)
{
    const prompt_statement_t  *many;

    /* what is not prepared is planned each time, which costs more than it is */

    if (n == 1 || !ngx_http_prompt_postgres_prepares(pc->pool)) {
        return NULL;
    }

    many = prompt_statement_many(task->query->bound[0].statement,
                                 (unsigned) n);

    if (many == NULL
        || many->nparams > POSTGRES_MANY_PARAMS
        || many->id >= NGX_HTTP_PROMPT_POSTGRES_MAX_STATEMENTS
        || ngx_http_prompt_postgres_is_unnamed(pc->pool, many->id))
    {
        return NULL;
    }

    return many;
}


ngx_int_t
ngx_http_prompt_postgres_send_many(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n)
{
    int                        lengths[POSTGRES_MANY_PARAMS];
    int                        formats[POSTGRES_MANY_PARAMS];
    ngx_uint_t                 i, row, columns;
    const char                *values[POSTGRES_MANY_PARAMS];
    const prompt_statement_t  *many;

    many = tasks[0]->many;
    columns = many->nparams / many->rows;

    for (i = 0; i < many->nparams; i++) {
        values[i] = NULL;
        lengths[i] = 0;
        formats[i] = 1;
    }

    for (row = 0; row < n && (row == 0 || tasks[row]->follows); row++) {
        i = row * columns;

        if (ngx_http_prompt_postgres_params(
                                      tasks[row]->query->bound[0].params,
                                      columns, &values[i], &lengths[i],
                                      &formats[i])
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return ngx_http_prompt_postgres_send_statement(pc, many, values, lengths,
                                                   formats);
}


void
ngx_http_prompt_postgres_share(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *first, PGresult *res)
{
    int                               row;
    ngx_queue_t                      *q;
    ngx_http_prompt_postgres_task_t  *task, *sharer;

    q = &first->queue;
    task = first;
    sharer = NULL;

    do {

        /* who was told that it takes too long may have freed the query */

        row = task->state == POSTGRES_TASK_LATE || task->query == NULL
              ? -1 : ngx_http_prompt_postgres_row(task, res);

        if (row != -1 && first->many->ncolumns > 1) {
            ngx_http_prompt_postgres_take_row(task, res, row, sharer);
            sharer = task;

        } else {
            task->result.rows[0].count = (row != -1);
            task->result.rows[0].cell = ngx_http_prompt_postgres_no_cell;
        }

        q = ngx_queue_next(q);
        task = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);

    } while (q != ngx_queue_sentinel(&pc->tasks) && task->follows);

    if (sharer == NULL) {
        PQclear(res);
    }
}


/* The one that begins with its key, which is its first parameter; -1: none. */
static int
ngx_http_prompt_postgres_row(const ngx_http_prompt_postgres_task_t *task,
    const PGresult *res)
{
    int                    row;
    const prompt_param_t  *key;

    key = &task->query->bound[0].params[0];

    for (row = 0; row < PQntuples(res); row++) {

        if ((size_t) PQgetlength(res, row, 0) == key->len
            && ngx_memcmp(PQgetvalue(res, row, 0), key->data, key->len) == 0)
        {
            return row;
        }
    }

    return -1;
}


/* That row is what the task read.  sharer: another one of res, or NULL. */
static void
ngx_http_prompt_postgres_take_row(ngx_http_prompt_postgres_task_t *task,
    PGresult *res, int row, ngx_http_prompt_postgres_task_t *sharer)
{
    prompt_rows_t  *rows;

    rows = &task->result.rows[0];

    rows->result = res;
    rows->first = (unsigned) row;
    rows->count = 1;
    rows->cell = ngx_http_prompt_postgres_cell;

    task->rows = POSTGRES_ROWS_SHARED;
    ngx_queue_init(&task->sharers);

    if (sharer != NULL) {
        ngx_queue_insert_tail(&sharer->sharers, &task->sharers);
    }
}


void
ngx_http_prompt_postgres_unshare(ngx_http_prompt_postgres_task_t *task)
{
    if (ngx_queue_empty(&task->sharers)) {
        PQclear(task->result.rows[0].result);

    } else {
        ngx_queue_remove(&task->sharers);
    }

    task->rows = POSTGRES_ROWS_WHOLE;
    task->result.rows[0].first = 0;
}


static prompt_str_t
ngx_http_prompt_postgres_no_cell(const prompt_rows_t *rows, unsigned row,
    unsigned column)
{
    return prompt_str_absent;
}
