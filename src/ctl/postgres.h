/*
 * PostgreSQL for promptctl: one connection, the store's queries one after the
 * other, waiting for each.
 */

#ifndef CTL_POSTGRES_H
#define CTL_POSTGRES_H

#include <libpq-fe.h>

#include "ctl/ctl.h"
#include "store/query.h"
#include "store/sqlstate.h"


typedef struct {
    PGconn               *conn;
    prompt_query_t        query;             /* what is to be run next, on
                                                behalf of: */
    prompt_actor_t        actor;
    prompt_uuid_t         audit_id;

    /* of the query that was run last */
    PGresult             *results[PROMPT_STORE_MAX_STATEMENTS];
    prompt_rows_t         rows[PROMPT_STORE_MAX_STATEMENTS];
    unsigned              nresults;
    prompt_sql_status_t   status;
    char                  sqlstate[6];
    char                  message[512];      /* PostgreSQL's, one line */
} ctl_postgres_t;


/* Connects as --database or PROMPT_DATABASE_URL say. */
void ctl_postgres_open(ctl_postgres_t *pg, const ctl_t *ctl);

/*
 * The same, and the schema must be the one this program was built for; sets
 * ctl->database.
 */
void ctl_postgres_open_schema(ctl_postgres_t *pg, ctl_t *ctl);

void ctl_postgres_close(ctl_postgres_t *pg);

/*
 * Sends the query as one pipeline with one Sync, as the module does, and
 * waits.  True: rows[i] are those of statement i, valid until the next run.
 * False: status, sqlstate and message say why.
 */
bool ctl_postgres_run(ctl_postgres_t *pg, const prompt_query_t *query)
    PROMPT_WARN_UNUSED;

/*
 * One statement with text parameters, results as text: what the migrations
 * need.  The result is valid until the next run; NULL on failure.
 */
PGresult *ctl_postgres_text(ctl_postgres_t *pg, const char *sql,
    unsigned nparams, const char *const *params) PROMPT_WARN_UNUSED;

/* Text of several statements, without parameters and results. */
bool ctl_postgres_script(ctl_postgres_t *pg, const char *sql)
    PROMPT_WARN_UNUSED;

/*
 * The same three, for what must succeed: else the run ends.  The first runs
 * pg->query; made is what making it gave.  Of the last the result must have
 * one row, and it is the value in its first column.
 */
void ctl_postgres_query(ctl_postgres_t *pg, bool made);
PGresult *ctl_postgres_rows(ctl_postgres_t *pg, const char *sql,
    unsigned nparams, const char *const *params);
void ctl_postgres_do(ctl_postgres_t *pg, const char *sql);
const char *ctl_postgres_one(ctl_postgres_t *pg, const char *sql,
    unsigned nparams, const char *const *params);

/*
 * Adds a row to the audit log (ctl/audit.c), for a change of promptctl's own;
 * detail: JSON, or absent.
 */
void ctl_audit_add(ctl_postgres_t *pg, prompt_str_t detail);

/* Says why the last run failed, and ends this one. */
void ctl_postgres_failed(const ctl_postgres_t *pg) __attribute__((noreturn));

#endif /* CTL_POSTGRES_H */
