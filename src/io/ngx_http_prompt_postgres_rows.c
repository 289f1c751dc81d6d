/*
 * Rows one by one: the results of a task whose query has a budget.
 *
 * libpq gives each row as a result of its own, which is copied into the
 * statement's row store and cleared.  So neither libpq nor the task holds
 * more than the budget and a row; and as rows are taken out of libpq's hands
 * only so many in a round of the event loop, and the socket is not read
 * meanwhile, PostgreSQL waits for us and nobody else does.
 */

#include "io/ngx_http_prompt_postgres_impl.h"


/* in one round of the event loop: about a millisecond */
#define POSTGRES_ROWS_TURN     500
#define POSTGRES_ROWS_BYTES    (256 * 1024)

/* thrown away before the connection is */
#define POSTGRES_ROWS_DISCARD  (4 * 1024 * 1024)

/*
 * Several rows a result, where libpq can: it then holds as many at once, of
 * whatever size, so these are few.
 */
#ifdef LIBPQ_HAS_CHUNK_MODE
#define POSTGRES_ROWS_CHUNK    4
#endif


static ngx_uint_t ngx_http_prompt_postgres_rows_in(const PGresult *res);
static prompt_row_status_t ngx_http_prompt_postgres_rows_next(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task, const PGresult *res, int row);
static size_t ngx_http_prompt_postgres_rows_size(const PGresult *res, int row);
static prompt_row_status_t ngx_http_prompt_postgres_rows_keep(
    ngx_http_prompt_postgres_task_t *task, prompt_rows_t *rows,
    const PGresult *res, int row, size_t size);
static void ngx_http_prompt_postgres_rows_give_up(
    ngx_http_prompt_postgres_connection_t *pc,
    const ngx_http_prompt_postgres_task_t *task);
static prompt_str_t ngx_http_prompt_postgres_rows_cell(
    const prompt_rows_t *rows, unsigned row, unsigned column);


void
ngx_http_prompt_postgres_rows_mode(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_http_prompt_postgres_task_t  *task;

    if (ngx_queue_empty(&pc->tasks)) {
        return;
    }

    task = ngx_queue_data(ngx_queue_head(&pc->tasks),
                          ngx_http_prompt_postgres_task_t, queue);

    if (task->rows != POSTGRES_ROWS_STORED || task->step < task->prepares) {
        return;
    }

    /*
     * Refused where it is no statement's turn, or its rows have begun to
     * come; without it they are taken all the same, in one result.
     */

#ifdef LIBPQ_HAS_CHUNK_MODE
    (void) PQsetChunkedRowsMode(pc->pg, POSTGRES_ROWS_CHUNK);
#else
    (void) PQsetSingleRowMode(pc->pg);
#endif
}


ngx_int_t
ngx_http_prompt_postgres_rows_take(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task, PGresult *res)
{
    int                   i, n;
    prompt_row_status_t   status;

    if (!ngx_http_prompt_postgres_rows_in(res)) {

        /* nobody gets the rows before an error */

        ngx_http_prompt_postgres_rows_free(task);
        return NGX_DECLINED;
    }

    status = PROMPT_ROW_OK;
    n = ngx_max(PQntuples(res), 1);

    for (i = 0; i < n && status == PROMPT_ROW_OK; i++) {
        status = ngx_http_prompt_postgres_rows_next(pc, task, res, i);
    }

    PQclear(res);

    if (status == PROMPT_ROW_NOMEM) {
        return NGX_ERROR;
    }

    if (pc->turn_rows >= POSTGRES_ROWS_TURN
        || pc->turn_bytes >= POSTGRES_ROWS_BYTES)
    {
        ngx_http_prompt_postgres_pause(pc);
    }

    if (status == PROMPT_ROW_LIMIT) {
        ngx_http_prompt_postgres_too_long(task);

    } else if (task->discarded >= POSTGRES_ROWS_DISCARD) {
        ngx_http_prompt_postgres_rows_give_up(pc, task);
    }

    return NGX_OK;
}


/* whether it is a part of a set of rows, or the end of one */
static ngx_uint_t
ngx_http_prompt_postgres_rows_in(const PGresult *res)
{
    switch (PQresultStatus(res)) {

    case PGRES_SINGLE_TUPLE:
#ifdef LIBPQ_HAS_CHUNK_MODE
    case PGRES_TUPLES_CHUNK:
#endif
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:
        return 1;

    default:
        return 0;
    }
}


/* A row of the current statement, if there is any: kept, or thrown away. */
static prompt_row_status_t
ngx_http_prompt_postgres_rows_next(ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task, const PGresult *res, int row)
{
    size_t          size;
    prompt_rows_t  *rows;

    rows = ngx_http_prompt_postgres_rows_now(task);
    if (rows == NULL) {
        return PROMPT_ROW_OK;
    }

    rows->cell = ngx_http_prompt_postgres_rows_cell;

    if (row >= PQntuples(res)) {
        return PROMPT_ROW_OK;
    }

    size = ngx_http_prompt_postgres_rows_size(res, row);

    pc->turn_rows++;
    pc->turn_bytes += size;

    if (task->owner != POSTGRES_OWNER_WAITS || task->error != NULL) {
        task->discarded += size;
        return PROMPT_ROW_OK;
    }

    return ngx_http_prompt_postgres_rows_keep(task, rows, res, row, size);
}


/* bytes of the cells of a row */
static size_t
ngx_http_prompt_postgres_rows_size(const PGresult *res, int row)
{
    int     i, n;
    size_t  size;

    n = PQnfields(res);
    size = 0;

    for (i = 0; i < n; i++) {
        size += (size_t) PQgetlength(res, row, i);
    }

    return size;
}


static prompt_row_status_t
ngx_http_prompt_postgres_rows_keep(ngx_http_prompt_postgres_task_t *task,
    prompt_rows_t *rows, const PGresult *res, int row, size_t size)
{
    int                   i, n;
    prompt_rows_t         one;
    prompt_row_status_t   status;
    prompt_row_store_t   *store;

    n = PQnfields(res);

    if (rows->result == NULL) {
        status = prompt_row_store_create(&store, (unsigned) n, &task->budget);
        if (status != PROMPT_ROW_OK) {
            return status;
        }

        rows->result = store;
    }

    status = prompt_row_store_add(rows->result, size);
    if (status != PROMPT_ROW_OK) {
        return status;
    }

    one.result = (void *) res;
    one.first = 0;

    for (i = 0; i < n; i++) {
        prompt_row_store_cell(rows->result,
                              ngx_http_prompt_postgres_cell(&one,
                                                            (unsigned) row,
                                                            (unsigned) i));
    }

    rows->count = prompt_row_store_count(rows->result);

    return PROMPT_ROW_OK;
}


/*
 * Nobody wants what still comes.  The connection was worth a few MiB of it,
 * and is no more: PQcancel() would block.  What else is in flight on it must
 * be such that it can be sent again.
 */
static void
ngx_http_prompt_postgres_rows_give_up(
    ngx_http_prompt_postgres_connection_t *pc,
    const ngx_http_prompt_postgres_task_t *task)
{
    ngx_queue_t                      *q;
    ngx_http_prompt_postgres_task_t  *other;

    for (q = ngx_queue_head(&pc->tasks);
         q != ngx_queue_sentinel(&pc->tasks);
         q = ngx_queue_next(q))
    {
        other = ngx_queue_data(q, ngx_http_prompt_postgres_task_t, queue);

        if (other != task && other->state != POSTGRES_TASK_LATE
            && (!other->reads || other->retried))
        {
            return;
        }
    }

    /* no fault of the server: no error in the log, and no pause */

    ngx_http_prompt_postgres_become(pc, POSTGRES_DRAINING);
    ngx_http_prompt_postgres_break(pc, "too many rows");
}


void
ngx_http_prompt_postgres_rows_free(ngx_http_prompt_postgres_task_t *task)
{
    ngx_uint_t      i;
    prompt_rows_t  *rows;

    for (i = 0; i < task->statements; i++) {
        rows = &task->result.rows[i];

        switch (task->rows) {

        case POSTGRES_ROWS_WHOLE:
            PQclear(rows->result);
            break;

        case POSTGRES_ROWS_STORED:
            prompt_row_store_destroy(rows->result);
            break;

        case POSTGRES_ROWS_SHARED:
            ngx_http_prompt_postgres_unshare(task);
            break;
        }

        rows->result = NULL;
        rows->count = 0;
    }
}


ngx_uint_t
ngx_http_prompt_postgres_rows_count(
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_uint_t  i, n;

    n = 0;

    for (i = 0; i < result->count; i++) {
        n += result->rows[i].count;
    }

    return n;
}


void
ngx_http_prompt_postgres_drop_rows(ngx_http_prompt_postgres_task_t *task,
    ngx_uint_t statement, unsigned upto)
{
    void  *store;

    if (task->rows != POSTGRES_ROWS_STORED || statement >= task->statements) {
        return;
    }

    store = task->result.rows[statement].result;

    if (store != NULL) {
        prompt_row_store_drop(store, upto);
    }
}


prompt_str_t
ngx_http_prompt_postgres_cell(const prompt_rows_t *rows, unsigned row,
    unsigned column)
{
    size_t           len;
    const PGresult  *res;

    res = rows->result;
    row += rows->first;

    /* the length of NULL is 0 */

    len = (size_t) PQgetlength(res, (int) row, (int) column);

    if (len == 0 && PQgetisnull(res, (int) row, (int) column)) {
        return prompt_str_absent;
    }

    return prompt_str_of(PQgetvalue(res, (int) row, (int) column), len);
}


static prompt_str_t
ngx_http_prompt_postgres_rows_cell(const prompt_rows_t *rows, unsigned row,
    unsigned column)
{
    if (rows->result == NULL) {
        return prompt_str_absent;
    }

    return prompt_row_store_read(rows->result, row, column);
}
