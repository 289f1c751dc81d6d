/*
 * Pools of servers that only read: each query asks first how far its server
 * is, and goes to another pool where that is not far enough.
 */

#include "io/ngx_http_prompt_postgres_impl.h"
#include "store/range.h"


prompt_query_t *
ngx_http_prompt_postgres_take_back(ngx_http_prompt_postgres_task_t *task)
{
    prompt_query_t  *query;

    query = task->query;
    task->query = NULL;

    ngx_http_prompt_postgres_free(task);

    return query;
}


ngx_uint_t
ngx_http_prompt_postgres_can_ask(const ngx_http_prompt_postgres_t *pool,
    const prompt_query_t *query)
{
    return ngx_http_prompt_postgres_prepares(pool)
           || !prompt_snapshot_first(query);
}


void
ngx_http_prompt_postgres_expect(ngx_http_prompt_postgres_t *pool,
    uint32_t timeline)
{
    pool->timeline = timeline;
}


/* Asks how far the server is, before a snapshot is taken of what it shows. */
ngx_int_t
ngx_http_prompt_postgres_ask_position(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task)
{
    prompt_bound_t                           bound;
    const ngx_http_prompt_postgres_check_t  *check;

    check = pc->pool->check;

    bound.statement = pc->place.timeline == 0
                      || pc->place.timeline != pc->pool->timeline
                      ? check->place : check->here;
    bound.params = NULL;

    if (ngx_http_prompt_postgres_prepare_one(pc, task, bound.statement)
            != NGX_OK
        || ngx_http_prompt_postgres_execute(pc, &bound) != NGX_OK)
    {
        return NGX_ERROR;
    }

    task->prepares++;
    task->asked = task->prepares;
    task->whole = (bound.statement == check->place);

    return NGX_OK;
}


/* The place is the connection's, until it is asked for anew. */
ngx_int_t
ngx_http_prompt_postgres_got_position(ngx_http_prompt_postgres_task_t *task,
    PGresult *res)
{
    prompt_rows_t       rows;
    prompt_position_t  *position, *place;

    if (task->asked == 0 || task->step + 1 != task->asked
        || PQresultStatus(res) != PGRES_TUPLES_OK)
    {
        return NGX_DECLINED;
    }

    position = &task->result.position;
    place = &task->connection->place;

    rows.result = res;
    rows.count = PQntuples(res);
    rows.first = 0;
    rows.cell = ngx_http_prompt_postgres_cell;

    prompt_position_row(&rows, task->whole, position);

    if (task->whole) {
        *place = *position;

    } else {

        /* it was promoted, and may be on a timeline of its own by now */

        if (position->timeline != 0) {
            place->timeline = position->timeline;
        }

        position->timeline = place->timeline;
        position->system = place->system;
    }

    PQclear(res);

    return NGX_OK;
}
