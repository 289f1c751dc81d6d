/*
 * Executions that start and end: what statements of those that reserve
 * (execution_budget.c) and of those that do not (execution.c) have in common.
 */

#ifndef PROMPT_STORE_EXECUTION_IMPL_H
#define PROMPT_STORE_EXECUTION_IMPL_H

#include "store/execution.h"
#include "store/statement_impl.h"


#define PROMPT_EXECUTION_COLUMNS                                             \
    "INSERT INTO executions (id, prompt_id, version, executed_by, by_owner," \
    " owner_id, created_at, status, deadline, {run start}"

#define PROMPT_EXECUTION_DEADLINE                                            \
    "now() + $5::float8 * interval '1 millisecond'"

#define PROMPT_EXECUTION_VERSION(asked)                                      \
    "(SELECT v.prompt_id, v.version, v.owner_id"                             \
    " FROM prompt_versions v JOIN prompts p"                                 \
    " ON p.owner_id = v.owner_id AND p.id = v.prompt_id"                     \
    " WHERE v.prompt_id = $2 AND v.version = $3 AND p.state = 0"             \
    " AND " asked " FOR KEY SHARE OF v)"

/* of a draft, whose version is 0 here, and NULL where it is stored */
#define PROMPT_EXECUTION_DRAFTED(asked)                                      \
    "(SELECT p.id AS prompt_id, nullif($3, 0) AS version, p.owner_id"        \
    " FROM prompts p WHERE p.id = $2 AND p.state = 0"                        \
    " AND " asked " FOR KEY SHARE OF p)"


/*
 * What is to be executed was read before; or it is known from another time,
 * and this is the only look at whether it still is what was asked for, and the
 * caller allowed to execute it.  $7: the prompt's updated_at of that time, as
 * whatever adds a version moves it; NULL: it was read.
 */
#define PROMPT_EXECUTION_ASKED                                               \
    "CASE WHEN $7 IS NULL THEN true"                                         \
    " ELSE p.updated_at = $7 AND (p.owner_id = $4 OR p.is_public) END"


/*
 * The same for what a label stands for, which moves by itself.  $9: when it was
 * set to that, as no two of its settings share one; NULL: it is not set.
 */
#define PROMPT_EXECUTION_ASKED_LABELLED                                      \
    "p.updated_at = $7"                                                      \
    " AND (p.owner_id = $4 OR p.is_public)"                                  \
    " AND (SELECT l.set_at FROM prompt_labels l"                            \
    " WHERE l.owner_id = p.owner_id AND l.prompt_id = p.id"                  \
    " AND l.label = $8) IS NOT DISTINCT FROM $9"


/* of no prompt, and no user */
#define PROMPT_EXECUTION_NOBODY  "'00000000-0000-0000-0000-000000000000'::uuid"


#define PROMPT_EXECUTION_RECORD_SQL(version, more)                           \
    "INSERT INTO executions AS e (id, prompt_id, version, executed_by,"      \
    " by_owner, owner_id, created_at, {run create})"                         \
    " SELECT $1, v.prompt_id, v.version, $4, v.owner_id = $4,"               \
    " nullif(v.owner_id, $4), $5, {run create_values}"                       \
    " FROM " version("true") " v"                                            \
    " ON CONFLICT ON CONSTRAINT executions_pkey DO UPDATE"                   \
    " SET " more "{run excluded}"                                            \
    " WHERE e.status IN ('running', 'lost') RETURNING "

#endif /* PROMPT_STORE_EXECUTION_IMPL_H */
