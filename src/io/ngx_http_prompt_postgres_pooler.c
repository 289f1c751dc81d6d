/*
 * What becomes of the names of prepared statements, which each new connection
 * asks before it is used.  README.md has the reasons.
 */

#include "io/ngx_http_prompt_postgres_impl.h"


/* no other statement's name */
#define POSTGRES_PROBE   "prompt_probe"

/* how often in a row what says nothing is asked again */
#define POSTGRES_PROBES  3


static ngx_int_t ngx_http_prompt_postgres_verdict(
    ngx_http_prompt_postgres_connection_t *pc, const PGresult *res);


/*
 * By a prepared statement that asks for itself: a server that is not the one of
 * which the connection was told is behind a pooler, which has names of its own
 * or passes ours on.  An older one of that name may be there yet, from before
 * the pooler had names.
 */
ngx_int_t
ngx_http_prompt_postgres_send_probe(ngx_http_prompt_postgres_connection_t *pc)
{
    if (pc->pool->conf->prepare != NGX_HTTP_PROMPT_PREPARE_ON
        || pc->pool->nameless)
    {
        return NGX_OK;
    }

    if (PQsendPrepare(pc->pg, POSTGRES_PROBE,
                      "SELECT pg_catalog.pg_backend_pid(), EXISTS ("
                      "SELECT FROM pg_catalog.pg_prepared_statements "
                      "WHERE name = '" POSTGRES_PROBE "' "
                      "AND prepare_time >= pg_catalog.now())",
                      0, NULL)
            != 1
        || PQsendQueryPrepared(pc->pg, POSTGRES_PROBE, 0, NULL, NULL, NULL, 1)
            != 1)
    {
        return NGX_ERROR;
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_postgres_probed(ngx_http_prompt_postgres_connection_t *pc)
{
    char         reason[80];
    const char  *state;

    if (pc->probe == NULL
        || ngx_http_prompt_postgres_verdict(pc, pc->probe) == NGX_OK)
    {
        PQclear(pc->probe);
        pc->probe = NULL;
        pc->probes = 0;

        return NGX_OK;
    }

    pc->probes++;

    state = PQresultErrorField(pc->probe, PG_DIAG_SQLSTATE);

    (void) snprintf(reason, sizeof(reason),
                    "a prepared statement was refused (%s)",
                    state != NULL ? state : "no SQLSTATE");

    ngx_http_prompt_postgres_break(pc, reason);

    return NGX_ERROR;
}


static ngx_int_t
ngx_http_prompt_postgres_verdict(ngx_http_prompt_postgres_connection_t *pc,
    const PGresult *res)
{
    uint32_t     pid;
    const char  *state;

    if (PQresultStatus(res) == PGRES_TUPLES_OK) {

        if (PQgetlength(res, 0, 0) != sizeof(uint32_t)
            || PQgetlength(res, 0, 1) != 1)
        {
            return NGX_ERROR;
        }

        ngx_memcpy(&pid, PQgetvalue(res, 0, 0), sizeof(uint32_t));

        if (ntohl(pid) == (uint32_t) PQbackendPID(pc->pg)) {
            return NGX_OK;
        }

        if (*PQgetvalue(res, 0, 1)) {
            ngx_http_prompt_postgres_unprepared(pc->pool, POSTGRES_TWICE);
            return NGX_OK;
        }

#ifndef LIBPQ_HAS_CLOSE_PREPARED

        pc->keeps = 1;

#endif

        return NGX_OK;
    }

    state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

    if (state == NULL) {
        return NGX_ERROR;
    }

    /*
     * The name is there already, or not kept (26000), or there are none
     * (0A000); or the role may not ask.  A lock or a cancel says nothing,
     * unless it goes on so.
     */

    if (ngx_strncmp(state, "42", 2) == 0
        || ngx_strcmp(state, "26000") == 0
        || ngx_strcmp(state, "0A000") == 0
        || pc->probes == POSTGRES_PROBES)
    {
        ngx_http_prompt_postgres_unprepared(pc->pool, state);
        return NGX_OK;
    }

    return NGX_ERROR;
}


/*
 * A pooler that passes names on may have another server for each transaction,
 * which knows none of them or has another's, and older ones give the server
 * away while another transaction is half-way to it.  So it is from now on as
 * if by "prepare=off".
 */
void
ngx_http_prompt_postgres_unprepared(ngx_http_prompt_postgres_t *pool,
    const char *state)
{
    if (pool->nameless) {
        return;
    }

    pool->nameless = 1;

    ngx_log_error(NGX_LOG_WARN, &pool->log, 0,
                  "postgresql: a pooler may pass on the names of prepared "
                  "statements (%s): none are prepared until the next reload, "
                  "as with \"prepare=off\" in \"prompt_postgres\"", state);
}
