/*
 * SQLSTATEs (PostgreSQL documentation, Appendix A): single codes first, then
 * whole classes.
 */

#include "store/sqlstate.h"


typedef struct {
    const char           *prefix;    /* of the five characters */
    prompt_sql_status_t   status;
} prompt_sqlstate_t;


/* the first that fits counts */
static const prompt_sqlstate_t  prompt_sqlstates[] = {
    { "23505", PROMPT_SQL_DUPLICATE },   /* unique_violation */
    { "23503", PROMPT_SQL_GONE },        /* foreign_key_violation */
    { "26000", PROMPT_SQL_PREPARE },     /* invalid_sql_statement_name */
    { "42P05", PROMPT_SQL_PREPARE },     /* duplicate_prepared_statement */
    { "0A000", PROMPT_SQL_PREPARE },     /* cached plan must not change */
    { "42P01", PROMPT_SQL_SCHEMA },      /* undefined_table */
    { "42703", PROMPT_SQL_SCHEMA },      /* undefined_column */
    { "42883", PROMPT_SQL_SCHEMA },      /* undefined_function */
    { "42501", PROMPT_SQL_DENIED },      /* insufficient_privilege */
    { "40003", PROMPT_SQL_AWAY },        /* statement_completion_unknown */
    { "55P03", PROMPT_SQL_LOCKED },      /* lock_not_available */
    { "57014", PROMPT_SQL_TIMEOUT },     /* query_canceled */
    { "PN001", PROMPT_SQL_NARROW },      /* raised by functions of ours */
    { "25P03", PROMPT_SQL_AWAY },        /* idle_in_transaction time-out */
    { "25006", PROMPT_SQL_AWAY },        /* read_only_sql_transaction */
    { "3D000", PROMPT_SQL_DENIED },      /* no such database */
    { "53300", PROMPT_SQL_AWAY },        /* too_many_connections */
    { "00", PROMPT_SQL_OK },
    { "01", PROMPT_SQL_OK },             /* warning */
    { "02", PROMPT_SQL_OK },             /* no data */
    { "08", PROMPT_SQL_AWAY },           /* connection exception */
    { "22", PROMPT_SQL_INVALID },        /* data exception */
    { "23", PROMPT_SQL_INVALID },        /* integrity constraint violation */
    { "28", PROMPT_SQL_DENIED },         /* invalid authorization */
    { "40", PROMPT_SQL_RETRY },          /* transaction rollback */
    { "53", PROMPT_SQL_FULL },           /* insufficient resources */
    { "57", PROMPT_SQL_AWAY },           /* operator intervention */
    { "58", PROMPT_SQL_FULL }            /* system error: I/O and the like */
};


static const char *const  prompt_sql_texts[] = {
    "done",
    "already there",
    "what it refers to was deleted",
    "a value that the schema refuses",
    "in conflict with another transaction",
    ("a prepared statement was lost: a pooler that gives each transaction "
     "another server wants \"prepare=off\" in \"prompt_postgres\""),
    ("a lock was not given in time (\"lock_timeout\"): another transaction "
     "holds the row"),
    "PostgreSQL took too long (\"statement_timeout\"), or was canceled",
    "there is too much to look through",
    "PostgreSQL is not available",
    "PostgreSQL is out of disk space or memory",
    "the database schema is not up to date: run \"promptctl migrate\"",
    "PostgreSQL denied access",
    "PostgreSQL refused the statement"
};


prompt_sql_status_t
prompt_sqlstate(prompt_str_t state)
{
    size_t                    i;
    const prompt_sqlstate_t  *entry;

    if (state.data == NULL || state.len != 5) {
        return PROMPT_SQL_AWAY;
    }

    for (i = 0; i < sizeof(prompt_sqlstates) / sizeof(prompt_sqlstates[0]);
         i++)
    {
        entry = &prompt_sqlstates[i];

        if (memcmp(entry->prefix, state.data, strlen(entry->prefix)) == 0) {
            return entry->status;
        }
    }

    return PROMPT_SQL_INTERNAL;
}


const char *
prompt_sql_status_text(prompt_sql_status_t status)
{
    if ((size_t) status >= sizeof(prompt_sql_texts) / sizeof(char *)) {
        status = PROMPT_SQL_INTERNAL;
    }

    return prompt_sql_texts[status];
}
