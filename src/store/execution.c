/*
 * Executions: their statements.
 */

#include "store/execution.h"
#include "store/statement_table.h"


/* what only the one who ran it may see */
#define PROMPT_PRIVATE(value, caller)                                        \
    "CASE WHEN e.executed_by = " caller " THEN " value " END"

#define PROMPT_EXECUTION_COLUMNS(caller)                                     \
    "e.status",                                                              \
    "e.latency_ms",                                                          \
    "e.token_in",                                                            \
    "e.token_out",                                                           \
    "e.cost_usd::text",                                                      \
    "e.model",                                                               \
    PROMPT_PRIVATE(PROMPT_GUARDED_JSON("e.input"), caller),                  \
    PROMPT_PRIVATE(PROMPT_GUARDED_TEXT("e.output"), caller),                 \
    PROMPT_PRIVATE(PROMPT_GUARDED_TEXT("e.error"), caller),                  \
    "e.created_at",                                                          \
    "e.finished_at"

/* the newest of one version v, of whoever ran them */
#define PROMPT_EXECUTIONS_OF(after, first)                                   \
    "SELECT x.* FROM executions x"                                           \
    " WHERE x.prompt_id = v.prompt_id AND x.version = v.version"             \
    " AND x.id < " after " ORDER BY x.id DESC LIMIT " first

#define PROMPT_EXECUTIONS_ALWAYS  "e.prompt_id, e.version, e.id", 3


/* the caller is $2 where the prompt is looked up by id, else $1 */

static const char *const  prompt_execution_columns_2[] = {
    PROMPT_EXECUTION_COLUMNS("$2")
};

static const char *const  prompt_execution_columns_1[] = {
    PROMPT_EXECUTION_COLUMNS("$1")
};

#define PROMPT_EXECUTION_NCOLUMNS                                            \
    (sizeof(prompt_execution_columns_1) / sizeof(char *))

#define PROMPT_EXECUTION_SHAPE(columns)                                      \
    PROMPT_EXECUTIONS_ALWAYS, columns, PROMPT_EXECUTION_NCOLUMNS,            \
    PROMPT_EXECUTION_INPUT|PROMPT_EXECUTION_OUTPUT|PROMPT_EXECUTION_ERROR


/* after and first of the executions, max_rows, max_bytes */
#define PROMPT_TYPES_TAIL                                                    \
    PROMPT_OID_UUID, PROMPT_OID_INT8, PROMPT_OID_INT8, PROMPT_OID_INT8

/* after, first and last of the versions, and these */
#define PROMPT_TYPES_SOME                                                    \
    PROMPT_OID_UUID, PROMPT_OID_INT8, PROMPT_OID_INT8, PROMPT_TYPES_TAIL

static const uint32_t  prompt_types_by_id[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_TYPES_TAIL
};

static const uint32_t  prompt_types_by_name[] = {
    PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_TYPES_TAIL
};

static const uint32_t  prompt_types_all[] = {
    PROMPT_OID_UUID, PROMPT_TYPES_TAIL
};

static const uint32_t  prompt_types_page[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_OID_INT8,
    PROMPT_TYPES_TAIL
};

static const uint32_t  prompt_types_ids[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUIDS, PROMPT_TYPES_TAIL
};

static const uint32_t  prompt_types_some_by_id[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_TYPES_SOME
};

static const uint32_t  prompt_types_some_by_name[] = {
    PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_TYPES_SOME
};

static const uint32_t  prompt_types_some_page[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_OID_INT8,
    PROMPT_TYPES_SOME
};

static const uint32_t  prompt_types_some_ids[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUIDS, PROMPT_TYPES_SOME
};

static const uint32_t  prompt_types_target[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_INT4
};

static const uint32_t  prompt_types_start[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_INT4, PROMPT_OID_UUID,
    PROMPT_OID_TEXT, PROMPT_OID_JSON, PROMPT_OID_INT8
};

static const uint32_t  prompt_types_finish[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_INT4, PROMPT_OID_UUID,
    PROMPT_OID_TEXT, PROMPT_OID_JSON, PROMPT_OID_TEXT, PROMPT_OID_TEXT,
    PROMPT_OID_TEXT, PROMPT_OID_INT4, PROMPT_OID_INT4, PROMPT_OID_INT4,
    PROMPT_OID_TEXT, PROMPT_OID_TIMESTAMPTZ
};

static const uint32_t  prompt_types_sweep[] = { PROMPT_OID_INT8 };


/*
 * A limit for each version is a LATERAL look into the index that ends in the
 * id.  Of somebody else's prompt, the caller's own executions are found by an
 * index of their own, so that it does not matter how many others there are;
 * of the two halves of UNION ALL only the one that applies is executed.
 *
 * Below all versions of one prompt the rows are in their order without being
 * sorted: the versions come ordered, each LATERAL look is a loop over them,
 * and PostgreSQL has no other way to do one.
 */
#define PROMPT_EXECUTIONS_BY_ID(after, first)                                \
    " CROSS JOIN LATERAL ("                                                  \
    "(SELECT x.* FROM executions x"                                          \
    " WHERE p.owner_id = $2"                                                 \
    " AND x.prompt_id = v.prompt_id AND x.version = v.version"               \
    " AND x.id < " after " ORDER BY x.id DESC LIMIT " first ")"              \
    " UNION ALL "                                                            \
    "(SELECT x.* FROM executions x"                                          \
    " WHERE p.owner_id <> $2 AND p.is_public"                                \
    " AND x.executed_by = $2 AND NOT x.by_owner"                             \
    " AND x.prompt_id = v.prompt_id AND x.version = v.version"               \
    " AND x.id < " after " ORDER BY x.id DESC LIMIT " first ")"              \
    ") e"                                                                    \
    " WHERE p.id = $1 AND p.state = 0"                                       \
    " AND (p.owner_id = $2 OR p.is_public)"

#define PROMPT_EXECUTIONS_BY_NAME(after, first)                              \
    " CROSS JOIN LATERAL (" PROMPT_EXECUTIONS_OF(after, first) ") e"         \
    " WHERE p.owner_id = $1 AND p.name = $2 AND p.state = 0"

#define PROMPT_EXECUTIONS_IN_ORDER(rows)                                     \
    " ORDER BY v.version, e.id DESC LIMIT " rows

#define PROMPT_EXECUTIONS_OF_LIST(after, first, rows)                        \
    " CROSS JOIN LATERAL (" PROMPT_EXECUTIONS_OF(after, first) ") e"         \
    " ORDER BY p.id DESC, v.version, e.id DESC LIMIT " rows

const prompt_shape_t  prompt_execution_shapes[PROMPT_VERSIONS_STATEMENTS] = {
    { "execution_by_id", PROMPT_EXECUTION_SHAPE(prompt_execution_columns_2),
      PROMPT_GUARD("$6") "prompts p" PROMPT_VERSIONS_OF_EACH("$5")
      PROMPT_EXECUTIONS_BY_ID("$3", "$4") " LIMIT $5",
      prompt_types(prompt_types_by_id) },

    { "execution_by_name", PROMPT_EXECUTION_SHAPE(prompt_execution_columns_1),
      PROMPT_GUARD("$6") "prompts p" PROMPT_VERSIONS_OF_EACH("$5")
      PROMPT_EXECUTIONS_BY_NAME("$3", "$4") " LIMIT $5",
      prompt_types(prompt_types_by_name) },

    { "execution_all", PROMPT_EXECUTION_SHAPE(prompt_execution_columns_1),
      PROMPT_GUARD("$5") "prompt_versions v"
      " CROSS JOIN LATERAL (" PROMPT_EXECUTIONS_OF("$2", "$3") ") e"
      " WHERE v.owner_id = $1"
      " AND " PROMPT_SCOPE_SHOWN_SQL("v.prompt_id")
      " ORDER BY v.prompt_id DESC, v.version, e.id DESC LIMIT $4",
      prompt_types(prompt_types_all) },

    { "execution_page", PROMPT_EXECUTION_SHAPE(prompt_execution_columns_1),
      PROMPT_GUARD("$8") "(SELECT p.id FROM " PROMPT_SCOPE_PAGE_SQL ") p"
      PROMPT_VERSIONS_OF_EACH("$7")
      PROMPT_EXECUTIONS_OF_LIST("$5", "$6", "$7"),
      prompt_types(prompt_types_page) },

    { "execution_ids", PROMPT_EXECUTION_SHAPE(prompt_execution_columns_1),
      PROMPT_GUARD("$6") "(SELECT p.id FROM " PROMPT_SCOPE_IDS_SQL ") p"
      PROMPT_VERSIONS_OF_EACH("$5")
      PROMPT_EXECUTIONS_OF_LIST("$3", "$4", "$5"),
      prompt_types(prompt_types_ids) },

    { "execution_some_by_id",
      PROMPT_EXECUTION_SHAPE(prompt_execution_columns_2),
      PROMPT_GUARD("$9") "prompts p" PROMPT_VERSIONS_SQL("$3", "$4", "$5")
      PROMPT_EXECUTIONS_BY_ID("$6", "$7") PROMPT_EXECUTIONS_IN_ORDER("$8"),
      prompt_types(prompt_types_some_by_id) },

    { "execution_some_by_name",
      PROMPT_EXECUTION_SHAPE(prompt_execution_columns_1),
      PROMPT_GUARD("$9") "prompts p" PROMPT_VERSIONS_SQL("$3", "$4", "$5")
      PROMPT_EXECUTIONS_BY_NAME("$6", "$7") PROMPT_EXECUTIONS_IN_ORDER("$8"),
      prompt_types(prompt_types_some_by_name) },

    { "execution_some_page",
      PROMPT_EXECUTION_SHAPE(prompt_execution_columns_1),
      PROMPT_GUARD("$11") "(SELECT p.id FROM " PROMPT_SCOPE_PAGE_SQL ") p"
      PROMPT_VERSIONS_SQL("$5", "$6", "$7")
      PROMPT_EXECUTIONS_OF_LIST("$8", "$9", "$10"),
      prompt_types(prompt_types_some_page) },

    { "execution_some_ids",
      PROMPT_EXECUTION_SHAPE(prompt_execution_columns_1),
      PROMPT_GUARD("$9") "(SELECT p.id FROM " PROMPT_SCOPE_IDS_SQL ") p"
      PROMPT_VERSIONS_SQL("$3", "$4", "$5")
      PROMPT_EXECUTIONS_OF_LIST("$6", "$7", "$8"),
      prompt_types(prompt_types_some_ids) }
};


/*
 * The latest version is the prompt's last_version: both come from the same
 * snapshot.  One row, or none where there is no such prompt.
 */
const prompt_statement_t  prompt_sql_execution_target = {
    PROMPT_STATEMENT_EXECUTION_TARGET, "execution_target",
    "SELECT CASE WHEN p.owner_id <> $2 AND NOT p.is_public THEN 2"
    " WHEN v.id IS NULL THEN 4 ELSE 0 END,"
    " p.owner_id, v.id, v.version, v.content, v.params, v.input_schema"
    " FROM prompts p LEFT JOIN prompt_versions v"
    " ON v.prompt_id = p.id AND v.version = coalesce($3, p.last_version)"
    " AND (p.owner_id = $2 OR p.is_public)"
    " WHERE p.id = $1 AND p.state = 0",
    prompt_types(prompt_types_target), 7, 0, PROMPT_STATEMENT_READS
};


/*
 * Selecting from the version, and holding it, means that the row is not
 * inserted where the version is deleted, rather than failing; nor where the
 * prompt is, and the version only has not been reached yet.
 *
 * Nobody waits for this row to be on disk: the final one is complete.  The
 * deadline is by PostgreSQL's clock, as is the sweeper's look at it.
 */
const prompt_statement_t  prompt_sql_execution_start = {
    PROMPT_STATEMENT_EXECUTION_START, "execution_start",
    "INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,"
    " status, model, input, deadline)"
    " SELECT $1, v.prompt_id, v.version, $4, v.owner_id = $4,"
    " 'running', $5, $6, now() + $7::float8 * interval '1 millisecond'"
    " FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id"
    " WHERE v.prompt_id = $2 AND v.version = $3 AND p.state = 0"
    " AND set_config('synchronous_commit', 'off', true) IS NOT NULL"
    " FOR KEY SHARE OF v"
    " ON CONFLICT (id) DO NOTHING RETURNING true",
    prompt_types(prompt_types_start), 1, 0, PROMPT_STATEMENT_WRITES
};


const prompt_statement_t  prompt_sql_execution_finish = {
    PROMPT_STATEMENT_EXECUTION_FINISH, "execution_finish",
    "INSERT INTO executions AS e (id, prompt_id, version, executed_by,"
    " by_owner, model, input, status, output, error, latency_ms, token_in,"
    " token_out, cost_usd, finished_at)"
    " SELECT $1, v.prompt_id, v.version, $4, v.owner_id = $4,"
    " $5, $6, $7, $8, $9, $10, $11, $12, $13::numeric, $14"
    " FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id"
    " WHERE v.prompt_id = $2 AND v.version = $3 AND p.state = 0"
    " FOR KEY SHARE OF v"
    " ON CONFLICT (id) DO UPDATE SET status = excluded.status,"
    " model = excluded.model, output = excluded.output,"
    " error = excluded.error, latency_ms = excluded.latency_ms,"
    " token_in = excluded.token_in, token_out = excluded.token_out,"
    " cost_usd = excluded.cost_usd, finished_at = excluded.finished_at"
    " WHERE e.status IN ('running', 'lost') RETURNING true",
    prompt_types(prompt_types_finish), 1, 0, PROMPT_STATEMENT_COMMITS
};


/* all workers of all hosts sweep: what one of them holds, others pass over */
const prompt_statement_t  prompt_sql_execution_sweep = {
    PROMPT_STATEMENT_EXECUTION_SWEEP, "execution_sweep",
    "WITH overdue AS ("
    "SELECT id FROM executions WHERE status = 'running'"
    " AND deadline < now() - interval '30 seconds'"
    " ORDER BY deadline LIMIT $1 FOR UPDATE SKIP LOCKED), "
    "marked AS ("
    "UPDATE executions e SET status = 'lost',"
    " error = 'the process that ran it ended before the call did'"
    " FROM overdue o WHERE e.id = o.id RETURNING true) "
    "SELECT count(*) FROM marked",
    prompt_types(prompt_types_sweep), 1, 0, PROMPT_STATEMENT_COMMITS
};


bool
prompt_execution_read(prompt_query_t *query, const prompt_scope_t *scope,
    const prompt_versions_t *versions, uint32_t mask, uint32_t first,
    prompt_str_t after)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query,
               prompt_statement_shape(PROMPT_SHAPE_EXECUTION_BY_ID
                                      + prompt_versions_index(scope, versions),
                                      mask));
    prompt_scope_bind(&bind, scope, versions);
    prompt_bind_id_below(&bind, after);
    prompt_bind_limit(&bind, first);
    prompt_guard_bind(&bind, scope);

    return prompt_bind_end(&bind);
}


void
prompt_execution_row(const prompt_statement_t *statement,
    const prompt_rows_t *rows, unsigned row, prompt_execution_t *execution)
{
    unsigned  column;

    column = 3;

    execution->prompt_id = prompt_rows_cell(rows, row, 0);
    execution->version =
        (int32_t) prompt_cell_int(prompt_rows_cell(rows, row, 1));
    execution->id = prompt_rows_cell(rows, row, 2);

#define cell(bit)  prompt_shape_cell(statement, rows, row, bit, &column)

    execution->status = cell(PROMPT_EXECUTION_STATUS);
    execution->latency_ms =
        prompt_cell_maybe(cell(PROMPT_EXECUTION_LATENCY_MS));
    execution->token_in = prompt_cell_maybe(cell(PROMPT_EXECUTION_TOKEN_IN));
    execution->token_out =
        prompt_cell_maybe(cell(PROMPT_EXECUTION_TOKEN_OUT));
    execution->cost_usd = cell(PROMPT_EXECUTION_COST_USD);
    execution->model = cell(PROMPT_EXECUTION_MODEL);
    execution->input = cell(PROMPT_EXECUTION_INPUT);
    execution->output = cell(PROMPT_EXECUTION_OUTPUT);
    execution->error = cell(PROMPT_EXECUTION_ERROR);
    execution->created_at =
        prompt_cell_time(cell(PROMPT_EXECUTION_CREATED_AT));
    execution->finished_at =
        prompt_cell_maybe_time(cell(PROMPT_EXECUTION_FINISHED_AT));

#undef cell
}


bool
prompt_execution_target(prompt_query_t *query, prompt_str_t prompt_id,
    prompt_str_t caller, prompt_maybe_t version)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_execution_target);
    prompt_bind_uuid(&bind, prompt_id);
    prompt_bind_uuid(&bind, caller);
    prompt_bind_maybe_int4(&bind, version);

    return prompt_bind_end(&bind);
}


prompt_outcome_t
prompt_execution_target_row(const prompt_rows_t *rows,
    prompt_execution_target_t *target)
{
    int64_t  outcome;

    if (rows->count == 0) {
        return PROMPT_OUTCOME_NOT_FOUND;
    }

    outcome = prompt_cell_int(prompt_rows_cell(rows, 0, 0));

    if (outcome != PROMPT_OUTCOME_DONE) {
        return (prompt_outcome_t) outcome;
    }

    target->owner_id = prompt_rows_cell(rows, 0, 1);
    target->version_id = prompt_rows_cell(rows, 0, 2);
    target->version = (int32_t) prompt_cell_int(prompt_rows_cell(rows, 0, 3));
    target->content = prompt_rows_cell(rows, 0, 4);
    target->params = prompt_rows_cell(rows, 0, 5);
    target->input_schema = prompt_rows_cell(rows, 0, 6);

    return PROMPT_OUTCOME_DONE;
}


bool
prompt_execution_start(prompt_query_t *query,
    const prompt_execution_run_t *run)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_execution_start);
    prompt_bind_uuid(&bind, run->id);
    prompt_bind_uuid(&bind, run->prompt_id);
    prompt_bind_int4(&bind, run->version);
    prompt_bind_uuid(&bind, run->caller);
    prompt_bind_text(&bind, run->model);
    prompt_bind_text(&bind, run->input);
    prompt_bind_int8(&bind, run->timeout_ms);

    return prompt_bind_end(&bind);
}


bool
prompt_execution_finish(prompt_query_t *query,
    const prompt_execution_run_t *run)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_execution_finish);
    prompt_bind_uuid(&bind, run->id);
    prompt_bind_uuid(&bind, run->prompt_id);
    prompt_bind_int4(&bind, run->version);
    prompt_bind_uuid(&bind, run->caller);
    prompt_bind_text(&bind, run->model);
    prompt_bind_text(&bind, run->input);
    prompt_bind_text(&bind, run->status);
    prompt_bind_text(&bind, run->output);
    prompt_bind_text(&bind, run->error);
    prompt_bind_maybe_int4(&bind, run->latency_ms);
    prompt_bind_maybe_int4(&bind, run->token_in);
    prompt_bind_maybe_int4(&bind, run->token_out);
    prompt_bind_text(&bind, run->cost_usd);
    prompt_bind_time(&bind, run->finished_at);

    return prompt_bind_end(&bind);
}


bool
prompt_execution_sweep(prompt_query_t *query, uint32_t limit)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_execution_sweep);
    prompt_bind_int8(&bind, limit);

    return prompt_bind_end(&bind);
}


int64_t
prompt_execution_sweep_row(const prompt_rows_t *rows)
{
    if (rows->count != 1) {
        return 0;
    }

    return prompt_cell_int(prompt_rows_cell(rows, 0, 0));
}
