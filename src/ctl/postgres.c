/*
 * PostgreSQL for promptctl, by libpq.
 */

#include <stdio.h>
#include <stdlib.h>

#include "ctl/commands.h"
#include "ctl/postgres.h"
#include "store/schema_version.h"


static void ctl_postgres_reset(ctl_postgres_t *pg);
static bool ctl_postgres_send(ctl_postgres_t *pg,
    const prompt_bound_t *bound);
static bool ctl_postgres_receive(ctl_postgres_t *pg, unsigned count);
static bool ctl_postgres_broken(ctl_postgres_t *pg);
static PGresult *ctl_postgres_keep(ctl_postgres_t *pg, PGresult *result);
static bool ctl_postgres_check(ctl_postgres_t *pg, PGresult *result);
static void ctl_postgres_message(ctl_postgres_t *pg, const char *text);
static prompt_str_t ctl_postgres_cell(const prompt_rows_t *rows,
    unsigned row, unsigned column);
static void ctl_postgres_quiet(void *arg, const char *message);


void
ctl_postgres_open(ctl_postgres_t *pg, const ctl_t *ctl)
{
    const char        *conninfo;
    PQconninfoOption  *parsed;

    /* what the connection string says goes before what stands before it */

    static const char *const  keywords[] = {
        "connect_timeout", "dbname", "client_encoding",
        "fallback_application_name", NULL
    };
    const char               *values[] = {
        "10", NULL, "UTF8", "promptctl", NULL
    };

    memset(pg, 0, sizeof(ctl_postgres_t));
    pg->query.arena = ctl->arena;
    pg->query.actor = &pg->actor;
    pg->actor = prompt_actor_nobody;
    pg->audit_id = ctl_uuid();
    pg->actor.audit_id = ctl_uuid_view(&pg->audit_id);
    pg->actor.action = ctl_printf(ctl, "promptctl %s", ctl->command != NULL
                                                       ? ctl->command->name
                                                       : "");

    conninfo = ctl_setting(ctl, "database", "PROMPT_DATABASE_URL");
    if (conninfo == NULL) {
        ctl_wrong(ctl, "no database: set PROMPT_DATABASE_URL or use "
                  "--database");
    }

    /*
     * libpq repeats what it does not understand, which may be a password:
     * its message is not asked for.
     */

    parsed = PQconninfoParse(conninfo, NULL);

    if (parsed == NULL) {
        ctl_wrong(ctl, "PROMPT_DATABASE_URL (or --database) is not a "
                  "connection string or URI of PostgreSQL");
    }

    PQconninfoFree(parsed);

    values[1] = conninfo;
    pg->conn = PQconnectdbParams(keywords, values, 1);

    if (PQstatus(pg->conn) != CONNECTION_OK) {
        ctl_postgres_message(pg, PQerrorMessage(pg->conn));
        ctl_fail("cannot connect to PostgreSQL: %s", pg->message);
    }

    (void) PQsetNoticeProcessor(pg->conn, ctl_postgres_quiet, NULL);
}


void
ctl_postgres_open_schema(ctl_postgres_t *pg, ctl_t *ctl)
{
    int64_t              version;
    prompt_schema_fit_t  fit;

    ctl_postgres_open(pg, ctl);

    ctl_postgres_query(pg, prompt_schema_version(&pg->query));

    fit = prompt_schema_version_row(&pg->rows[0], &version);
    ctl->database = prompt_schema_database(&pg->rows[0]);

    if (fit == PROMPT_SCHEMA_NEWER) {
        ctl_fail("the database schema (version %lld) is newer than this "
                 "promptctl (version %d)", (long long) version,
                 PROMPT_SCHEMA_VERSION);
    }

    if (fit == PROMPT_SCHEMA_OLDER) {
        ctl_fail("%s", prompt_sql_status_text(PROMPT_SQL_SCHEMA));
    }
}


void
ctl_postgres_close(ctl_postgres_t *pg)
{
    ctl_postgres_reset(pg);
    PQfinish(pg->conn);
    pg->conn = NULL;
}


bool
ctl_postgres_run(ctl_postgres_t *pg, const prompt_query_t *query)
{
    bool      sent, done;
    unsigned  i;

    ctl_postgres_reset(pg);

    sent = PQenterPipelineMode(pg->conn) == 1;

    for (i = 0; sent && i < query->count; i++) {
        sent = ctl_postgres_send(pg, &query->bound[i]);
    }

    if (!sent || PQpipelineSync(pg->conn) != 1) {
        return ctl_postgres_broken(pg);
    }

    done = ctl_postgres_receive(pg, query->count);

    return PQexitPipelineMode(pg->conn) == 1 ? done : ctl_postgres_broken(pg);
}


static bool
ctl_postgres_send(ctl_postgres_t *pg, const prompt_bound_t *bound)
{
    unsigned     i, n;
    int          lengths[PROMPT_STORE_MAX_PARAMS];
    int          formats[PROMPT_STORE_MAX_PARAMS];
    const char  *values[PROMPT_STORE_MAX_PARAMS];

    n = bound->statement->nparams;

    for (i = 0; i < n; i++) {

        if (bound->params[i].len > INT32_MAX) {
            return false;
        }

        values[i] = bound->params[i].data;
        lengths[i] = (int) bound->params[i].len;
        formats[i] = 1;
    }

    return PQsendQueryParams(pg->conn, bound->statement->sql, (int) n,
                             bound->statement->types, values, lengths,
                             formats, 1) == 1;
}


/* Reads the results of all statements and the Sync behind them. */
static bool
ctl_postgres_receive(ctl_postgres_t *pg, unsigned count)
{
    bool       done, synced;
    unsigned   i;
    PGresult  *result;

    done = true;

    for (i = 0; i < count; i++) {
        result = PQgetResult(pg->conn);

        if (result == NULL) {
            return ctl_postgres_broken(pg);
        }

        /* after the first failure the others are skipped: it says why */

        if (done && !ctl_postgres_check(pg, result)) {
            done = false;
        }

        pg->results[pg->nresults] = result;
        pg->rows[pg->nresults].result = result;
        pg->rows[pg->nresults].count = (unsigned) PQntuples(result);
        pg->rows[pg->nresults].cell = ctl_postgres_cell;
        pg->nresults++;

        while ((result = PQgetResult(pg->conn)) != NULL) {
            PQclear(result);
        }
    }

    result = PQgetResult(pg->conn);
    synced = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
    done = done && (synced || ctl_postgres_check(pg, result));

    PQclear(result);

    return synced || !done ? done : ctl_postgres_broken(pg);
}


PGresult *
ctl_postgres_text(ctl_postgres_t *pg, const char *sql, unsigned nparams,
    const char *const *params)
{
    ctl_postgres_reset(pg);

    return ctl_postgres_keep(pg, PQexecParams(pg->conn, sql, (int) nparams,
                                              NULL, params, NULL, NULL, 0));
}


bool
ctl_postgres_script(ctl_postgres_t *pg, const char *sql)
{
    ctl_postgres_reset(pg);

    return ctl_postgres_keep(pg, PQexec(pg->conn, sql)) != NULL;
}


static PGresult *
ctl_postgres_keep(ctl_postgres_t *pg, PGresult *result)
{
    if (!ctl_postgres_check(pg, result)) {
        PQclear(result);
        return NULL;
    }

    pg->results[pg->nresults++] = result;

    return result;
}


void
ctl_postgres_query(ctl_postgres_t *pg, bool made)
{
    if (!made) {
        ctl_no_memory();
    }

    if (!ctl_postgres_run(pg, &pg->query)) {
        ctl_postgres_failed(pg);
    }

    pg->query.count = 0;
}


PGresult *
ctl_postgres_rows(ctl_postgres_t *pg, const char *sql, unsigned nparams,
    const char *const *params)
{
    PGresult  *result;

    result = ctl_postgres_text(pg, sql, nparams, params);

    if (result == NULL) {
        ctl_postgres_failed(pg);
    }

    return result;
}


void
ctl_postgres_do(ctl_postgres_t *pg, const char *sql)
{
    if (!ctl_postgres_script(pg, sql)) {
        ctl_postgres_failed(pg);
    }
}


const char *
ctl_postgres_one(ctl_postgres_t *pg, const char *sql, unsigned nparams,
    const char *const *params)
{
    PGresult  *result;

    result = ctl_postgres_rows(pg, sql, nparams, params);

    if (PQntuples(result) != 1) {
        ctl_postgres_failed(pg);
    }

    return PQgetvalue(result, 0, 0);
}


void
ctl_postgres_failed(const ctl_postgres_t *pg)
{
    switch (pg->status) {

    case PROMPT_SQL_OK:
        ctl_no_memory();

    case PROMPT_SQL_SCHEMA:
        ctl_fail("%s", prompt_sql_status_text(pg->status));

    default:
        ctl_fail("%s: %s", prompt_sql_status_text(pg->status), pg->message);
    }
}


static void
ctl_postgres_reset(ctl_postgres_t *pg)
{
    while (pg->nresults != 0) {
        PQclear(pg->results[--pg->nresults]);
    }

    pg->status = PROMPT_SQL_OK;
    pg->sqlstate[0] = '\0';
    pg->message[0] = '\0';
}


/* The connection is of no use any more. */
static bool
ctl_postgres_broken(ctl_postgres_t *pg)
{
    pg->status = PROMPT_SQL_AWAY;
    ctl_postgres_message(pg, PQerrorMessage(pg->conn));

    return false;
}


static bool
ctl_postgres_check(ctl_postgres_t *pg, PGresult *result)
{
    const char  *state, *text;

    switch (PQresultStatus(result)) {

    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_EMPTY_QUERY:          /* a migration that only has indexes */
        return true;

    default:
        break;
    }

    state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);

    pg->status = prompt_sqlstate(prompt_str_from(state));
    (void) snprintf(pg->sqlstate, sizeof(pg->sqlstate), "%s",
                    state != NULL ? state : "");

    ctl_postgres_message(pg, text != NULL ? text : PQerrorMessage(pg->conn));

    return false;
}


/* Keeps a message as one line. */
static void
ctl_postgres_message(ctl_postgres_t *pg, const char *text)
{
    char    *p;
    size_t   i;

    (void) snprintf(pg->message, sizeof(pg->message), "%s", text);

    for (i = strlen(pg->message); i-- != 0; /* void */) {
        p = &pg->message[i];

        if ((unsigned char) *p < ' ') {
            *p = p[1] == '\0' ? '\0' : ' ';
        }
    }
}


static prompt_str_t
ctl_postgres_cell(const prompt_rows_t *rows, unsigned row, unsigned column)
{
    const PGresult  *result;

    result = rows->result;

    if (PQgetisnull(result, (int) row, (int) column)) {
        return prompt_str_absent;
    }

    return prompt_str_of(PQgetvalue(result, (int) row, (int) column),
                         (size_t) PQgetlength(result, (int) row,
                                              (int) column));
}


/* notices ("already exists, skipping") are not for the operator */
static void
ctl_postgres_quiet(void *arg, const char *message)
{
    (void) arg;
    (void) message;
}
