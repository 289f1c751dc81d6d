/*
 * Rows one by one: the results of an operation whose query has a budget.
 *
 * libpq gives each row as a result of its own, which is copied into the
 * statement's row store and cleared.  So neither libpq nor the operation holds
 * more than the budget and a row; and as rows are taken out of libpq's hands
 * only so many in a turn of the event loop, and the socket is not read
 * meanwhile, PostgreSQL waits for us and nobody else does.
 */

#include "io/ngx_http_prompt_postgres_pool.h"


/* in one turn of the event loop: about a millisecond */
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


static size_t ngx_http_prompt_postgres_rows_size(const PGresult *res, int row);
static prompt_row_status_t ngx_http_prompt_postgres_rows_keep(
    ngx_http_prompt_postgres_op_t *op, prompt_rows_t *rows,
    const PGresult *res, int row, size_t size);
static ngx_uint_t ngx_http_prompt_postgres_rows_wanted(
    const ngx_http_prompt_postgres_op_t *op);
static void ngx_http_prompt_postgres_rows_discard(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_op_t *op, size_t size);
static prompt_str_t ngx_http_prompt_postgres_rows_cell(
    const prompt_rows_t *rows, unsigned row, unsigned column);


void
ngx_http_prompt_postgres_rows_mode(ngx_http_prompt_postgres_connection_t *pc)
{
    ngx_http_prompt_postgres_op_t  *op;

    if (ngx_queue_empty(&pc->ops)) {
        return;
    }

    op = ngx_queue_data(ngx_queue_head(&pc->ops),
                        ngx_http_prompt_postgres_op_t, queue);

    if (op->budget.limit == 0 || op->step < op->prepares) {
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
    ngx_http_prompt_postgres_op_t *op, PGresult *res)
{
    int                   i, n;
    size_t                size, thrown;
    prompt_rows_t        *rows;
    prompt_row_status_t   status;

    switch (PQresultStatus(res)) {

    case PGRES_SINGLE_TUPLE:
#ifdef LIBPQ_HAS_CHUNK_MODE
    case PGRES_TUPLES_CHUNK:
#endif
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:
        break;

    case PGRES_PIPELINE_ABORTED:
        return NGX_DECLINED;

    default:

        /* nobody gets the rows before an error */

        ngx_http_prompt_postgres_rows_free(op);
        return NGX_DECLINED;
    }

    rows = NULL;
    status = PROMPT_ROW_OK;
    thrown = 0;

    if (op->step >= op->prepares && op->step - op->prepares < op->statements) {
        rows = &op->result.rows[op->step - op->prepares];
        rows->cell = ngx_http_prompt_postgres_rows_cell;
    }

    n = PQntuples(res);

    for (i = 0; i < n; i++) {
        size = ngx_http_prompt_postgres_rows_size(res, i);

        pc->turn_rows++;
        pc->turn_bytes += size;

        if (rows == NULL || status != PROMPT_ROW_OK
            || !ngx_http_prompt_postgres_rows_wanted(op))
        {
            thrown += size;
            continue;
        }

        status = ngx_http_prompt_postgres_rows_keep(op, rows, res, i, size);
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
        ngx_http_prompt_postgres_too_long(op);
        return NGX_OK;
    }

    if (thrown != 0) {
        ngx_http_prompt_postgres_rows_discard(pc, op, thrown);
    }

    return NGX_OK;
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
ngx_http_prompt_postgres_rows_keep(ngx_http_prompt_postgres_op_t *op,
    prompt_rows_t *rows, const PGresult *res, int row, size_t size)
{
    int                   i, n;
    prompt_rows_t         one;
    prompt_row_status_t   status;
    prompt_row_store_t   *store;

    n = PQnfields(res);

    if (rows->result == NULL) {
        status = prompt_row_store_create(&store, (unsigned) n, &op->budget);
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

    for (i = 0; i < n; i++) {
        prompt_row_store_cell(rows->result,
                              ngx_http_prompt_postgres_cell(&one,
                                                            (unsigned) row,
                                                            (unsigned) i));
    }

    rows->count = prompt_row_store_count(rows->result);

    return PROMPT_ROW_OK;
}


static ngx_uint_t
ngx_http_prompt_postgres_rows_wanted(const ngx_http_prompt_postgres_op_t *op)
{
    return op->done != NULL && !op->late && op->error == NULL;
}


/*
 * Nobody wants these rows.  The connection is worth a few MiB of them, and
 * then no more: PQcancel() would block.  What else is in flight on it must be
 * such that it can be sent again.
 */
static void
ngx_http_prompt_postgres_rows_discard(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_op_t *op, size_t size)
{
    ngx_queue_t                    *q;
    ngx_http_prompt_postgres_op_t  *other;

    op->discarded += size;

    if (op->discarded < POSTGRES_ROWS_DISCARD) {
        return;
    }

    for (q = ngx_queue_head(&pc->ops);
         q != ngx_queue_sentinel(&pc->ops);
         q = ngx_queue_next(q))
    {
        other = ngx_queue_data(q, ngx_http_prompt_postgres_op_t, queue);

        if (other != op && !other->late && (!other->reads || other->retried)) {
            return;
        }
    }

    /* no fault of the server: no error in the log, and no pause */

    pc->stale = 1;
    ngx_http_prompt_postgres_break(pc, "too many rows");
}


void
ngx_http_prompt_postgres_rows_free(ngx_http_prompt_postgres_op_t *op)
{
    ngx_uint_t      i;
    prompt_rows_t  *rows;

    for (i = 0; i < PROMPT_STORE_MAX_STATEMENTS; i++) {
        rows = &op->result.rows[i];

        if (op->budget.limit != 0) {
            prompt_row_store_destroy(rows->result);

        } else {
            PQclear(rows->result);
        }

        rows->result = NULL;
        rows->count = 0;
    }
}


void
ngx_http_prompt_postgres_drop_rows(ngx_http_prompt_postgres_op_t *op,
    ngx_uint_t statement, unsigned upto)
{
    void  *store;

    if (op->budget.limit == 0 || statement >= op->statements) {
        return;
    }

    store = op->result.rows[statement].result;

    if (store != NULL) {
        prompt_row_store_drop(store, upto);
    }
}


size_t
ngx_http_prompt_postgres_held(const ngx_http_prompt_postgres_op_t *op)
{
    return op->budget.held;
}


prompt_str_t
ngx_http_prompt_postgres_cell(const prompt_rows_t *rows, unsigned row,
    unsigned column)
{
    size_t           len;
    const PGresult  *res;

    res = rows->result;

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
