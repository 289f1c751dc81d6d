/*
 * What a SQLSTATE means for the service: the only place that knows them.
 */

#ifndef PROMPT_STORE_SQLSTATE_H
#define PROMPT_STORE_SQLSTATE_H

#include "base/str.h"


typedef enum {
    PROMPT_SQL_OK = 0,               /* class 00, 01, 02 */
    PROMPT_SQL_DUPLICATE,            /* a unique constraint: BAD_USER_INPUT */
    PROMPT_SQL_GONE,                 /* what the row refers to was deleted */
    PROMPT_SQL_INVALID,              /* a value that the schema refuses */
    PROMPT_SQL_RETRY,                /* serialization, deadlock: do it again */
    PROMPT_SQL_PREPARE,              /* prepared statement lost or stale:
                                        prepare again, then do it again */
    PROMPT_SQL_LOCKED,               /* somebody else holds the row too long */
    PROMPT_SQL_TIMEOUT,              /* statement time-out, canceled */
    PROMPT_SQL_NARROW,               /* too much to look through:
                                        BAD_USER_INPUT */
    PROMPT_SQL_AWAY,                 /* going down, starting, no room for
                                        connections, read-only after failover:
                                        another connection may do better */
    PROMPT_SQL_FULL,                 /* disk or memory of the server */
    PROMPT_SQL_SCHEMA,               /* not migrated, or to another version */
    PROMPT_SQL_DENIED,               /* password, privileges */
    PROMPT_SQL_INTERNAL              /* all else: a fault of ours */
} prompt_sql_status_t;


/*
 * The meaning of a SQLSTATE of five characters.  Absent or of another length
 * (libpq has none where the connection broke): PROMPT_SQL_AWAY.
 */
prompt_sql_status_t prompt_sqlstate(prompt_str_t state);

/*
 * English, for logs and operators; static.  Says nothing of the statement.
 */
const char *prompt_sql_status_text(prompt_sql_status_t status);

#endif /* PROMPT_STORE_SQLSTATE_H */
