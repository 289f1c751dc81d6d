/*
 * Executions under budgets: starts that reserve, and the ends of these.
 */

#include "store/execution_impl.h"


/*
 * Where budgets may stand, a start reserves, and is on disk before a provider
 * is asked: a crash would else give to others what it has.  Where the version
 * is what was asked for, there is a row, which says whether there was room;
 * else nothing was reserved: for that the function depends on the version,
 * which is looked up first.  Several are answered only where there was.
 */
#define PROMPT_EXECUTION_RESERVED(usd, row)                                  \
    ", reserved_usd, reserved_of, reserved_until)"                           \
    " SELECT $1, " row ".prompt_id, " row ".version, $4,"                    \
    " " row ".owner_id = $4, nullif(" row ".owner_id, $4), $6, 'running',"   \
    " " PROMPT_EXECUTION_DEADLINE ", {run start_values},"                    \
    " CASE WHEN r.budgets IS NOT NULL THEN " usd "::numeric END,"            \
    " r.budgets, r.until"

#define PROMPT_EXECUTION_RESERVE_SQL(version, asked, key, usd, exact, run)   \
    "WITH v AS (SELECT v.* FROM " version(asked) " v), "                     \
    "r AS (SELECT v.*, r.* FROM v CROSS JOIN LATERAL"                        \
    " prompt_budget_reserve($4, " key ", " run ", " usd "::numeric"          \
    " + 0 * coalesce(v.version, 0), " exact ") r), "                         \
    "e AS (" PROMPT_EXECUTION_COLUMNS PROMPT_EXECUTION_RESERVED(usd, "r")    \
    " FROM r WHERE r.admitted) "                                             \
    "SELECT $1, r.admitted, r.refused, r.of_key,"                            \
    " trim_scale(r.limit_usd)::text, r.resets FROM r"                        \
                                                                             \
    "{several}WITH v AS (SELECT a.*, v.* FROM {each}"                        \
    version(asked) " v), "                                                   \
    "g AS (SELECT $4 AS project, " key " AS key, " run " AS run,"            \
    " sum(" usd "::numeric) AS usd"                                          \
    " FROM v a GROUP BY 1, 2, 3 ORDER BY 1, 2, 3), "                         \
    "r AS (SELECT g.project, g.key, g.run, r.* FROM g CROSS JOIN LATERAL"    \
    " prompt_budget_reserve(g.project, g.key, g.run, g.usd, false) r) "      \
    PROMPT_EXECUTION_COLUMNS PROMPT_EXECUTION_RESERVED(usd, "a")             \
    " FROM v a JOIN r ON r.project = $4"                                     \
    " AND r.key IS NOT DISTINCT FROM " key                                   \
    " AND r.run IS NOT DISTINCT FROM " run " WHERE r.admitted"               \
    " RETURNING id, true, NULL::text, false, NULL::text, NULL::timestamptz"

const prompt_source_t  prompt_sql_execution_reserve = {
    PROMPT_EXECUTION_RESERVE_SQL(PROMPT_EXECUTION_VERSION,
                                 PROMPT_EXECUTION_ASKED, "$8", "$9", "$10",
                                 "$11"),
    "uuiulzzutbu", 6, PROMPT_STATEMENT_COMMITS
};

const prompt_source_t  prompt_sql_execution_reserve_draft = {
    PROMPT_EXECUTION_RESERVE_SQL(PROMPT_EXECUTION_DRAFTED,
                                 PROMPT_EXECUTION_ASKED, "$8", "$9", "$10",
                                 "$11"),
    "uuiulzzutbu", 6, PROMPT_STATEMENT_COMMITS
};

const prompt_source_t  prompt_sql_execution_reserve_labelled = {
    PROMPT_EXECUTION_RESERVE_SQL(PROMPT_EXECUTION_VERSION,
                                 PROMPT_EXECUTION_ASKED_LABELLED, "$10", "$11",
                                 "$12", "$13"),
    "uuiulzztzutbu", 6, PROMPT_STATEMENT_COMMITS
};


/*
 * The ends of executions that have reserved: what was spent, $2 or, where that
 * is NULL, all of it, takes the place of that in the budgets.  It is settled
 * once, as an execution ends once.  Where it was given up before, all of it
 * counts already, and stays.
 *
 * The budgets come last: who holds them waits for no execution.
 */
#define PROMPT_EXECUTION_SPENT(spent)                                        \
    "reserved_usd = CASE WHEN e.status = 'running' THEN e.reserved_usd END," \
    " spent_usd = CASE WHEN e.status <> 'running' THEN e.spent_usd"          \
    " WHEN e.reserved_usd IS NOT NULL"                                       \
    " THEN coalesce(" spent ", e.reserved_usd) END, "

#define PROMPT_EXECUTION_SETTLE(ended)                                       \
    "WITH e AS (" ended "e.id, e.reserved_of, e.reserved_until,"             \
    " e.reserved_usd, e.spent_usd), "                                        \
    "g AS (SELECT reserved_of, reserved_until,"                              \
    " sum(reserved_usd) AS reserved, sum(spent_usd) AS spent"                \
    " FROM e WHERE reserved_usd IS NOT NULL"                                 \
    " GROUP BY 1, 2 ORDER BY 1), "                                           \
    "s AS (SELECT string_agg(prompt_budget_settle(g.reserved_of,"            \
    " g.reserved_until, g.reserved, g.spent, true), '; ')"                   \
    " AS warning FROM g) "                                                   \
    "SELECT e.id, s.warning FROM e CROSS JOIN s"

const prompt_source_t  prompt_sql_execution_settle = {
    PROMPT_EXECUTION_SETTLE(
    "UPDATE executions e SET " PROMPT_EXECUTION_SPENT("$2::numeric")
    "{run set} WHERE e.id = $1 AND e.id >= {recent}"
    " AND e.status IN ('running', 'lost') RETURNING ")

    "{several}" PROMPT_EXECUTION_SETTLE(
    "INSERT INTO executions AS e (id, prompt_id, version, executed_by,"
    " by_owner, spent_usd, {run changed})"
    " SELECT $1, " PROMPT_EXECUTION_NOBODY ", 0, " PROMPT_EXECUTION_NOBODY ","
    " true, $2::numeric, {run changed_values} FROM {rows}"
    " WHERE $1 IS NOT NULL ON CONFLICT (id) DO UPDATE SET "
    PROMPT_EXECUTION_SPENT("excluded.spent_usd") "{run excluded}"
    " WHERE e.status IN ('running', 'lost') RETURNING"
    " CASE WHEN e.version = 0 THEN (e.id || ' is gone')::int4 END, "),

    "ut", 2, PROMPT_STATEMENT_COMMITS
};

const prompt_source_t  prompt_sql_execution_record_settle = {
    PROMPT_EXECUTION_SETTLE(
    PROMPT_EXECUTION_RECORD_SQL(PROMPT_EXECUTION_VERSION,
                                PROMPT_EXECUTION_SPENT("$6::numeric"))),
    "uuiuzt", 2, PROMPT_STATEMENT_COMMITS
};

const prompt_source_t  prompt_sql_execution_record_settle_draft = {
    PROMPT_EXECUTION_SETTLE(
    PROMPT_EXECUTION_RECORD_SQL(PROMPT_EXECUTION_DRAFTED,
                                PROMPT_EXECUTION_SPENT("$6::numeric"))),
    "uuiuzt", 2, PROMPT_STATEMENT_COMMITS
};
