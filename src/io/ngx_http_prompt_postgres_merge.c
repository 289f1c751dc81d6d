/*
 * Reads of one row by its id that go to PostgreSQL together: one statement for
 * all of them.  README.md has the reasons.
 *
 * Each is a task of its own still, with its place in its connection's queue,
 * its time limit and its owner.  Only the first one's statement is sent, in
 * the form for several; the others have nothing to wait for but its rows.
 */

#include "io/ngx_http_prompt_postgres_impl.h"
#include "store/value.h"


/*
 * As many ids are sent always, some of them again: a plan for any array is
 * made for ten, and where PostgreSQL saw fewer it would make one of its own for
 * each.
 */
#define POSTGRES_MERGED_IDS     POSTGRES_COMPANY

/* the query, and an array of ids */
#define POSTGRES_MERGED_MEMORY  8192


static const prompt_statement_t *ngx_http_prompt_postgres_many(
    const ngx_http_prompt_postgres_task_t *task);
static void ngx_http_prompt_postgres_merge_alike(
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n);
static ngx_http_prompt_postgres_merged_t *ngx_http_prompt_postgres_merged(
    const prompt_statement_t *many, prompt_str_t ids);
static prompt_str_t ngx_http_prompt_postgres_merged_cell(
    const prompt_rows_t *rows, unsigned row, unsigned column);


void
ngx_http_prompt_postgres_merge(ngx_http_prompt_postgres_task_t **tasks,
    ngx_uint_t n)
{
    ngx_uint_t  i;

    for (i = 0; i + 1 < n; i++) {
        if (tasks[i]->merged == NULL
            && ngx_http_prompt_postgres_many(tasks[i]) != NULL)
        {
            ngx_http_prompt_postgres_merge_alike(&tasks[i], n - i);
        }
    }
}


/* The statement for several that may take the place of a task's, or NULL. */
static const prompt_statement_t *
ngx_http_prompt_postgres_many(const ngx_http_prompt_postgres_task_t *task)
{
    const prompt_bound_t  *bound;

    if (task->statements != 1) {
        return NULL;
    }

    bound = &task->query->bound[0];

    if (bound->statement->many == NULL
        || bound->params[0].data == NULL
        || bound->params[0].len != PROMPT_UUID_LEN)
    {
        return NULL;
    }

    return bound->statement->many;
}


/* Those of tasks that have the statement of the first one. */
static void
ngx_http_prompt_postgres_merge_alike(ngx_http_prompt_postgres_task_t **tasks,
    ngx_uint_t n)
{
    char                                ids[POSTGRES_MERGED_IDS
                                            * PROMPT_UUID_LEN];
    ngx_uint_t                          i, count;
    const prompt_statement_t           *many;
    ngx_http_prompt_postgres_task_t    *alike[POSTGRES_COMPANY];
    ngx_http_prompt_postgres_merged_t  *merged;

    many = ngx_http_prompt_postgres_many(tasks[0]);
    count = 0;

    for (i = 0; i < n && count < POSTGRES_COMPANY; i++) {

        if (ngx_http_prompt_postgres_many(tasks[i]) == many) {
            ngx_memcpy(&ids[count * PROMPT_UUID_LEN],
                       tasks[i]->query->bound[0].params[0].data,
                       PROMPT_UUID_LEN);
            alike[count++] = tasks[i];
        }
    }

    if (count < 2) {
        return;
    }

    for (i = count; i < POSTGRES_MERGED_IDS; i++) {
        ngx_memcpy(&ids[i * PROMPT_UUID_LEN], ids, PROMPT_UUID_LEN);
    }

    merged = ngx_http_prompt_postgres_merged(many,
                                         prompt_str_of(ids, sizeof(ids)));
    if (merged == NULL) {
        return;
    }

    merged->tasks = count;

    for (i = 0; i < count; i++) {
        alike[i]->merged = merged;
        alike[i]->leads = (i == 0);

        /* no result comes for the others */

        alike[i]->step = alike[i]->leads ? 0 : alike[i]->statements;
    }
}


/* NULL: memory is short. */
static ngx_http_prompt_postgres_merged_t *
ngx_http_prompt_postgres_merged(const prompt_statement_t *many,
    prompt_str_t ids)
{
    prompt_bind_t                       bind;
    prompt_query_t                     *query;
    ngx_http_prompt_postgres_merged_t  *merged;

    query = prompt_query_create(POSTGRES_MERGED_MEMORY);
    if (query == NULL) {
        return NULL;
    }

    merged = prompt_arena_zalloc(query->arena,
                                 sizeof(ngx_http_prompt_postgres_merged_t));

    prompt_bind_begin(&bind, query, many);
    prompt_bind_uuids(&bind, ids);

    if (!prompt_bind_end(&bind) || merged == NULL) {
        prompt_query_destroy(query);
        return NULL;
    }

    merged->query = query;

    return merged;
}


const prompt_query_t *
ngx_http_prompt_postgres_merged_query(
    const ngx_http_prompt_postgres_task_t *task)
{
    if (task->merged == NULL) {
        return task->query;
    }

    return task->leads ? task->merged->query : NULL;
}


void
ngx_http_prompt_postgres_merged_rows(ngx_http_prompt_postgres_task_t *task,
    PGresult *res)
{
    PQclear(task->merged->rows);
    task->merged->rows = res;
}


void
ngx_http_prompt_postgres_merged_take(ngx_http_prompt_postgres_task_t *task)
{
    int              i, n;
    PGresult        *all;
    prompt_rows_t   *rows;
    prompt_param_t  *id;

    /* without an owner it has no query, nor does it need a row */

    if (task->merged == NULL || task->done == NULL) {
        return;
    }

    id = &task->query->bound[0].params[0];
    all = task->merged->rows;
    n = PQntuples(all);

    rows = &task->result.rows[0];
    rows->result = task;
    rows->count = 0;
    rows->cell = ngx_http_prompt_postgres_merged_cell;

    for (i = 0; i < n; i++) {
        if (PQgetlength(all, i, 0) == (int) id->len
            && ngx_memcmp(PQgetvalue(all, i, 0), id->data, id->len) == 0)
        {
            task->row = i;
            rows->count = 1;
            return;
        }
    }
}


static prompt_str_t
ngx_http_prompt_postgres_merged_cell(const prompt_rows_t *rows, unsigned row,
    unsigned column)
{
    prompt_rows_t                           all;
    const ngx_http_prompt_postgres_task_t  *task;

    task = rows->result;
    all.result = task->merged->rows;

    return ngx_http_prompt_postgres_cell(&all, (unsigned) task->row + row,
                                         column);
}


void
ngx_http_prompt_postgres_merged_leave(ngx_http_prompt_postgres_task_t *task)
{
    ngx_http_prompt_postgres_merged_t  *merged;

    merged = task->merged;

    if (merged == NULL) {
        return;
    }

    task->merged = NULL;
    task->leads = 0;

    if (--merged->tasks == 0) {
        PQclear(merged->rows);
        prompt_query_destroy(merged->query);
    }
}
