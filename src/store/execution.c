/*
 * Executions: their statements.
 */

#include "store/execution.h"
#include "store/clock.h"
#include "store/execution_impl.h"
#include "store/log.h"
#include "store/statement_impl.h"


/* clocks that are so much apart show each other's executions at once */
#define PROMPT_EXECUTION_MARGIN     (INT64_C(86400) * 1000000)       /* us */

/* 48 bits of milliseconds */
#define PROMPT_EXECUTION_LAST_TIME  (((INT64_C(1) << 48) - 1) * 1000)


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_execution_t, member, kind, flags)

static const prompt_column_t  prompt_execution_columns[] = {
    column(prompt_id, UUID, 0),
    column(version, INT, 0),
    column(id, UUID, PROMPT_COLUMN_ID),
    column(status, TEXT, PROMPT_COLUMN_SHORT),
    column(latency_ms, INT, PROMPT_COLUMN_NULLABLE),
    column(token_in, INT, PROMPT_COLUMN_NULLABLE),
    column(token_cached, INT, PROMPT_COLUMN_NULLABLE),
    column(token_cache_write, INT, PROMPT_COLUMN_NULLABLE),
    column(token_out, INT, PROMPT_COLUMN_NULLABLE),
    column(token_reasoning, INT, PROMPT_COLUMN_NULLABLE),
    column(cost_usd, DECIMAL, PROMPT_COLUMN_NULLABLE),
    column(model, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE),
    column(label, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE),
    column(attempts, INT, 0),
    column(input, JSON,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_PRIVATE),
    column(appended, JSON,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_PRIVATE
           |PROMPT_COLUMN_BESIDE),
    column(output, TEXT,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_PRIVATE),
    column(error, TEXT,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_PRIVATE),
    column(finish_reason, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE),
    column(tool_calls, OBJECTS,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_PRIVATE),
    column(output_errors, TEXTS,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_SHORT|PROMPT_COLUMN_PRIVATE),
    column(trace_id, BYTES,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_PRIVATE),
    column(provider_status, INT, PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_PRIVATE),
    column(provider_message, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_PRIVATE),
    column(subject, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_PRIVATE),
    column(metadata, JSON,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_PRIVATE),
    column(created_at, TIME, PROMPT_COLUMN_OF_ID),
    column(finished_at, TIME, PROMPT_COLUMN_NULLABLE),

    /* NULL is somebody: the one whose personal project it is */

    { prompt_column(prompt_execution_t, user_id), PROMPT_KIND_UUID,
      PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_PRIVATE,
      "CASE WHEN e.executed_by = @ THEN e.user_id ELSE e.id END" },
    column(key_id, UUID, PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_PRIVATE),
    column(run_id, UUID, PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_PRIVATE),
    { prompt_column(prompt_execution_t, scores), PROMPT_KIND_OBJECTS,
      PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_PRIVATE
      |PROMPT_COLUMN_MADE,
      "CASE WHEN e.executed_by = @ THEN prompt_scores(e.id, g.bytes) END" }
};

#undef column

const prompt_resource_t  prompt_execution_resource = {
    "execution", 'e', prompt_columns(prompt_execution_columns)
};


/* an execution as it starts and ends: CREATE and CHANGE are for the end */

#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_execution_run_t, member, kind, flags)

#define PROMPT_RUN_END  (PROMPT_COLUMN_CREATE|PROMPT_COLUMN_CHANGE)

static const prompt_column_t  prompt_run_columns[] = {
    column(id, UUID, 0),
    column(prompt_id, UUID, 0),
    column(version, INT, 0),
    column(model, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_START
           |PROMPT_RUN_END),
    column(label, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_START
           |PROMPT_COLUMN_CREATE),
    column(trace_id, BYTES,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_START
           |PROMPT_COLUMN_CREATE),
    column(user_id, UUID,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_START|PROMPT_COLUMN_CREATE),
    column(key_id, UUID,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_START|PROMPT_COLUMN_CREATE),
    column(run_id, UUID,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_START|PROMPT_COLUMN_CREATE),
    column(input, JSON,
           PROMPT_COLUMN_LARGE|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CONTENT
           |PROMPT_COLUMN_START|PROMPT_COLUMN_CREATE),
    column(appended, JSON,
           PROMPT_COLUMN_LARGE|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CONTENT
           |PROMPT_COLUMN_START|PROMPT_COLUMN_CREATE),
    column(subject, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_START
           |PROMPT_COLUMN_CREATE),
    column(metadata, JSON,
           PROMPT_COLUMN_LARGE|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_START
           |PROMPT_COLUMN_CREATE),
    column(status, TEXT, PROMPT_COLUMN_SHORT|PROMPT_RUN_END),
    column(output, TEXT,
           PROMPT_COLUMN_LARGE|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CONTENT
           |PROMPT_RUN_END),
    column(error, TEXT,
           PROMPT_COLUMN_LARGE|PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(finish_reason, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(tool_calls, OBJECTS,
           PROMPT_COLUMN_LARGE|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CONTENT
           |PROMPT_RUN_END),
    column(output_errors, TEXTS,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CONTENT
           |PROMPT_RUN_END),
    column(latency_ms, INT, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(token_in, INT, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(token_out, INT, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(cost_usd, DECIMAL, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(attempts, INT, PROMPT_RUN_END),
    column(token_cached, INT, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(token_cache_write, INT, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(token_cache_write_1h, INT, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(token_reasoning, INT, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(price_input, DECIMAL, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(price_cached_input, DECIMAL, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(price_cache_write, DECIMAL, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(price_cache_write_1h, DECIMAL,
           PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(price_output, DECIMAL, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(provider_status, INT, PROMPT_COLUMN_NULLABLE|PROMPT_RUN_END),
    column(provider_message, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CONTENT
           |PROMPT_RUN_END),
    column(finished_at, TIME, PROMPT_RUN_END)
};

#undef column

const prompt_resource_t  prompt_run_resource = {
    "run", 'e', prompt_columns(prompt_run_columns)
};


/*
 * Of a version v the newest, whose conditions are where; of guest, or of
 * whoever ran them, where that is NULL.  Months of late stand in the plan, and
 * those before are opened by a function where these were too few and there are
 * older ones, which is what `older` says.  So no plan grows with the months
 * that there are, and what is asked for mostly opens few.
 */
#define PROMPT_EXECUTIONS_NEWEST(where, guest, after, first, older)          \
    "(SELECT " PROMPT_HANDED " FROM executions x WHERE " where               \
    " AND x.prompt_id = v.prompt_id AND x.version = v.version"               \
    " AND x.id >= {lately} AND x.id < " after                                \
    " ORDER BY x.id DESC LIMIT " first ")"                                   \
    " UNION ALL "                                                            \
    "(SELECT " PROMPT_HANDED " FROM prompt_executions_of_version("           \
    "v.prompt_id, v.version, " guest ","                                     \
    " '00000000-0000-0000-0000-000000000000',"                               \
    " least(" after ", {lately}), " first ") x WHERE " older ")"

/* of each version v, of whoever ran them */
#define PROMPT_EXECUTIONS_OF_EACH(after, first, older)                       \
    " CROSS JOIN LATERAL ("                                                  \
    PROMPT_EXECUTIONS_NEWEST("true", "NULL", after, first, older)            \
    " LIMIT " first ") e"


/*
 * A limit for each version is a LATERAL look into the index that ends in the
 * id.  Of somebody else's prompt, the caller's own executions are found by an
 * index of their own, so that it does not matter how many others there are;
 * of the two halves of UNION ALL only the one that applies is executed.
 * Columns are named throughout: of a UNION PostgreSQL leaves out none, and of
 * x.* it takes whole rows apart.
 *
 * Below all versions of one prompt the rows are in their order without being
 * sorted: the versions come ordered, each LATERAL look is a loop over them,
 * and PostgreSQL has no other way to do one.
 */
#define PROMPT_EXECUTIONS_BY_ID(after, first, older)                         \
    " CROSS JOIN LATERAL ("                                                  \
    PROMPT_EXECUTIONS_NEWEST("p.owner_id = $2", "NULL", after, first,        \
                             "p.owner_id = $2 AND " older)                   \
    " UNION ALL "                                                            \
    PROMPT_EXECUTIONS_NEWEST("p.owner_id <> $2 AND p.is_public"              \
                             " AND x.executed_by = $2 AND NOT x.by_owner",   \
                             "$2", after, first,                             \
                             "p.owner_id <> $2 AND p.is_public AND " older)  \
    " LIMIT " first ") e"                                                    \
    " WHERE p.id = $1 AND p.state = 0"                                       \
    " AND (p.owner_id = $2 OR p.is_public)"

#define PROMPT_EXECUTIONS_BY_NAME(after, first, older)                       \
    PROMPT_EXECUTIONS_OF_EACH(after, first, older)                           \
    " WHERE p.owner_id = $1 AND p.name = $2 AND p.state = 0"

#define PROMPT_EXECUTIONS_IN_ORDER(rows)                                     \
    " ORDER BY v.version, e.id DESC LIMIT " rows

#define PROMPT_EXECUTIONS_OF_LIST(after, first, rows, older)                 \
    PROMPT_EXECUTIONS_OF_EACH(after, first, older)                           \
    " ORDER BY p.id DESC, v.version, e.id DESC LIMIT " rows

/*
 * The last three are those of a prompt that is the caller's own: they have no
 * other half, nor is its row looked at, since where it is hidden meanwhile
 * there is none to show these with.
 */
const prompt_family_t
    prompt_execution_families[PROMPT_EXECUTIONS_STATEMENTS] =
{
    { "execution_by_id", &prompt_execution_resource, "$2", "ulb",
      PROMPT_GUARD("$7") "prompts p"
      PROMPT_VERSIONS_OF_EACH("p.owner_id", "$6")
      PROMPT_EXECUTIONS_BY_ID("$3", "$4", "$5") " LIMIT $6" },

    { "execution_by_name", &prompt_execution_resource, "$1", "ulb",
      PROMPT_GUARD("$7") "prompts p" PROMPT_VERSIONS_OF_EACH("$1", "$6")
      PROMPT_EXECUTIONS_BY_NAME("$3", "$4", "$5") " LIMIT $6" },

    { "execution_all", &prompt_execution_resource, "$1", "ulb",
      PROMPT_GUARD("$6") "prompt_versions v"
      PROMPT_EXECUTIONS_OF_EACH("$2", "$3", "$4")
      " WHERE v.owner_id = $1"
      " AND " PROMPT_RANGE_SHOWN_SQL("v.prompt_id")
      " ORDER BY v.prompt_id DESC, v.version, e.id DESC LIMIT $5" },

    { "execution_page", &prompt_execution_resource, "$1", "ulb",
      PROMPT_GUARD("$9") "(SELECT p.id FROM " PROMPT_RANGE_PAGE_SQL ") p"
      PROMPT_VERSIONS_OF_EACH("$1", "$8")
      PROMPT_EXECUTIONS_OF_LIST("$5", "$6", "$8", "$7") },

    { "execution_ids", &prompt_execution_resource, "$1", "ulb",
      PROMPT_GUARD("$7") "(SELECT p.id FROM " PROMPT_RANGE_IDS_SQL ") p"
      PROMPT_VERSIONS_OF_EACH("$1", "$6")
      PROMPT_EXECUTIONS_OF_LIST("$3", "$4", "$6", "$5") },

    { "execution_some_by_id", &prompt_execution_resource, "$2", "ulb",
      PROMPT_GUARD("$10") "prompts p"
      PROMPT_VERSIONS_SQL("p.owner_id", "$3", "$4", "$5")
      PROMPT_EXECUTIONS_BY_ID("$6", "$7", "$8")
      PROMPT_EXECUTIONS_IN_ORDER("$9") },

    { "execution_some_by_name", &prompt_execution_resource, "$1", "ulb",
      PROMPT_GUARD("$10") "prompts p"
      PROMPT_VERSIONS_SQL("$1", "$3", "$4", "$5")
      PROMPT_EXECUTIONS_BY_NAME("$6", "$7", "$8")
      PROMPT_EXECUTIONS_IN_ORDER("$9") },

    { "execution_some_page", &prompt_execution_resource, "$1", "ulb",
      PROMPT_GUARD("$12") "(SELECT p.id FROM " PROMPT_RANGE_PAGE_SQL ") p"
      PROMPT_VERSIONS_SQL("$1", "$5", "$6", "$7")
      PROMPT_EXECUTIONS_OF_LIST("$8", "$9", "$11", "$10") },

    { "execution_some_ids", &prompt_execution_resource, "$1", "ulb",
      PROMPT_GUARD("$10") "(SELECT p.id FROM " PROMPT_RANGE_IDS_SQL ") p"
      PROMPT_VERSIONS_SQL("$1", "$3", "$4", "$5")
      PROMPT_EXECUTIONS_OF_LIST("$6", "$7", "$9", "$8") },

    { "execution_one_by_id", &prompt_execution_resource, "$2", "ulb",
      PROMPT_GUARD("$9") "prompts p"
      PROMPT_VERSION_ONE_SQL("p.owner_id", "$3", "$4")
      PROMPT_EXECUTIONS_BY_ID("$5", "$6", "$7") " LIMIT $8" },

    { "execution_one_by_name", &prompt_execution_resource, "$1", "ulb",
      PROMPT_GUARD("$9") "prompts p" PROMPT_VERSION_ONE_SQL("$1", "$3", "$4")
      PROMPT_EXECUTIONS_BY_NAME("$5", "$6", "$7") " LIMIT $8" },

    { "execution_one_page", &prompt_execution_resource, "$1", "ulb",
      PROMPT_GUARD("$11")
      "(SELECT p.id, p.last_version FROM " PROMPT_RANGE_PAGE_SQL ") p"
      PROMPT_VERSION_ONE_SQL("$1", "$5", "$6")
      PROMPT_EXECUTIONS_OF_LIST("$7", "$8", "$10", "$9") },

    { "execution_one_ids", &prompt_execution_resource, "$1", "ulb",
      PROMPT_GUARD("$9")
      "(SELECT p.id, p.last_version FROM " PROMPT_RANGE_IDS_SQL ") p"
      PROMPT_VERSION_ONE_SQL("$1", "$3", "$4")
      PROMPT_EXECUTIONS_OF_LIST("$5", "$6", "$8", "$7") },

    { "execution_own", &prompt_execution_resource, "$2", "ulb",
      PROMPT_GUARD("$7") "(SELECT $1 AS id) p"
      PROMPT_VERSIONS_OF_EACH("$2", "$6")
      PROMPT_EXECUTIONS_OF_EACH("$3", "$4", "$5") " LIMIT $6" },

    { "execution_some_own", &prompt_execution_resource, "$2", "ulb",
      PROMPT_GUARD("$10") "(SELECT $1 AS id) p"
      PROMPT_VERSIONS_SQL("$2", "$3", "$4", "$5")
      PROMPT_EXECUTIONS_OF_EACH("$6", "$7", "$8")
      PROMPT_EXECUTIONS_IN_ORDER("$9") },

    { "execution_one_own", &prompt_execution_resource, "$2", "ulb",
      PROMPT_GUARD("$9") "(SELECT p.id, p.last_version FROM prompts p"
      " WHERE p.id = $1 AND p.owner_id = $2) p"
      PROMPT_VERSION_ONE_SQL("$2", "$3", "$4")
      PROMPT_EXECUTIONS_OF_EACH("$5", "$6", "$7") " LIMIT $8" }
};


/*
 * Selecting from the version, and holding it, means that the row is not
 * inserted where the version is deleted, rather than failing; nor where the
 * prompt is, and the version only has not been reached yet.
 *
 * Nobody waits for this row to be on disk: the final one is complete.  The
 * deadline is by PostgreSQL's clock, as is the sweeper's look at it.
 */
#define PROMPT_EXECUTION_START_SQL(version, asked)                           \
    PROMPT_EXECUTION_COLUMNS ")"                                             \
    " SELECT $1, v.prompt_id, v.version, $4, v.owner_id = $4,"               \
    " nullif(v.owner_id, $4), $6, 'running', " PROMPT_EXECUTION_DEADLINE "," \
    " {run start_values} FROM {each}"                                        \
    version(asked " AND set_config('synchronous_commit', 'off', true)"       \
            " IS NOT NULL") " v"                                             \
    " ON CONFLICT DO NOTHING RETURNING {done}"

const prompt_source_t  prompt_sql_execution_start = {
    PROMPT_EXECUTION_START_SQL(PROMPT_EXECUTION_VERSION,
                               PROMPT_EXECUTION_ASKED),
    "uuiulzz", 1, PROMPT_STATEMENT_WRITES
};

const prompt_source_t  prompt_sql_execution_start_labelled = {
    PROMPT_EXECUTION_START_SQL(PROMPT_EXECUTION_VERSION,
                               PROMPT_EXECUTION_ASKED_LABELLED),
    "uuiulzztz", 1, PROMPT_STATEMENT_WRITES
};

const prompt_source_t  prompt_sql_execution_start_draft = {
    PROMPT_EXECUTION_START_SQL(PROMPT_EXECUTION_DRAFTED,
                               PROMPT_EXECUTION_ASKED),
    "uuiulzz", 1, PROMPT_STATEMENT_WRITES
};


/*
 * Of what was started and not removed since.  No index has these columns.
 * What began before {recent} is not found, and recorded.
 *
 * Several are an UPDATE as well, by way of a conflict: so each row is looked up
 * by its key in its own month, which alone is opened, in whatever way
 * PostgreSQL would join executions with a table of parameters.  Nothing is ever
 * inserted: where a row is not there any more, what is returned of the one in
 * its place, whose version is 0, is an error that says so, and each is done by
 * itself.
 */
const prompt_source_t  prompt_sql_execution_finish = {
    "UPDATE executions SET {run set}"
    " WHERE id = $1 AND id >= {recent} AND status IN ('running', 'lost')"
    " RETURNING true"

    "{several}INSERT INTO executions AS e (id, prompt_id, version, executed_by,"
    " by_owner, {run changed})"
    " SELECT $1, " PROMPT_EXECUTION_NOBODY ", 0, " PROMPT_EXECUTION_NOBODY ","
    " true, {run changed_values} FROM {rows} WHERE $1 IS NOT NULL"
    " ON CONFLICT (id) DO UPDATE SET {run excluded}"
    " WHERE e.status IN ('running', 'lost') RETURNING {done},"
    " CASE WHEN e.version = 0 THEN (e.id || ' is gone')::int4 END",

    "u", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_execution_record = {
    PROMPT_EXECUTION_RECORD_SQL(PROMPT_EXECUTION_VERSION, "") "true",
    "uuiuz", 1, PROMPT_STATEMENT_COMMITS
};

const prompt_source_t  prompt_sql_execution_record_draft = {
    PROMPT_EXECUTION_RECORD_SQL(PROMPT_EXECUTION_DRAFTED, "") "true",
    "uuiuz", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_execution_sweep = {
    "SELECT lost, more, failed"
    " FROM prompt_executions_sweep($1, " PROMPT_CLOCK_STEADY("$2") ")",
    "iz", 3, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_execution_delete = {
    "WITH c AS MATERIALIZED ("
    "SELECT prompt_execution_delete($1, $2) AS outcome), "
    PROMPT_AUDIT("'Execution', $1, NULL, NULL FROM c WHERE outcome = 0")
    "SELECT outcome FROM c",
    "uu", 1, PROMPT_STATEMENT_COMMITS
};


/* by the primary keys of months, from the last one on: the first row ends it */
const prompt_source_t  prompt_sql_execution_newest = {
    "SELECT (SELECT x.id FROM executions x WHERE x.id >= {lately}"
    " ORDER BY x.id DESC LIMIT 1),"
    " EXISTS (SELECT FROM executions x WHERE x.id < {lately})",
    "", 2, PROMPT_STATEMENT_READS
};


bool
prompt_execution_newest(prompt_query_t *query)
{
    prompt_bind_t  bind;

    prompt_bind_fixed(&bind, query, PROMPT_STATEMENT_EXECUTION_NEWEST);

    return prompt_bind_end(&bind);
}


int64_t
prompt_execution_newest_row(const prompt_rows_t *rows, bool *older)
{
    prompt_str_t  id;

    id = prompt_rows_cell(rows, 0, 0);
    *older = prompt_cell_bool(prompt_rows_cell(rows, 0, 1));

    return id.data == NULL ? 0 : prompt_id_time(id);
}


prompt_str_t
prompt_execution_above(int64_t time, char id[PROMPT_UUID_LEN])
{
    time += PROMPT_EXECUTION_MARGIN;

    if (time > PROMPT_EXECUTION_LAST_TIME) {
        return prompt_str_absent;
    }

    return prompt_log_id(time, id);
}


bool
prompt_execution_read(prompt_query_t *query, const prompt_range_t *range,
    const prompt_versions_t *versions, prompt_mask_t mask, uint32_t first,
    prompt_str_t after, bool older)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query,
               prompt_statement_family(PROMPT_FAMILY_EXECUTION_BY_ID
                                       + prompt_executions_index(range,
                                                                 versions),
                                       mask));
    prompt_range_bind(&bind, range, versions);
    prompt_bind_id_below(&bind, after);
    prompt_bind_limit(&bind, first);
    prompt_bind_bool(&bind, older);
    prompt_guard_bind(&bind, range);

    return prompt_bind_end(&bind);
}


bool
prompt_execution_start(prompt_query_t *query,
    const prompt_execution_run_t *run)
{
    bool           labelled, reserves;
    prompt_bind_t  bind;

    static const prompt_statement_id_t  starts[][2] = {
        [PROMPT_EXECUTION_READ] = {
            PROMPT_STATEMENT_EXECUTION_START,
            PROMPT_STATEMENT_EXECUTION_RESERVE },
        [PROMPT_EXECUTION_KNOWN] = {
            PROMPT_STATEMENT_EXECUTION_START,
            PROMPT_STATEMENT_EXECUTION_RESERVE },
        [PROMPT_EXECUTION_LABELLED] = {
            PROMPT_STATEMENT_EXECUTION_START_LABELLED,
            PROMPT_STATEMENT_EXECUTION_RESERVE_LABELLED },
        [PROMPT_EXECUTION_DRAFT] = {
            PROMPT_STATEMENT_EXECUTION_START_DRAFT,
            PROMPT_STATEMENT_EXECUTION_RESERVE_DRAFT }
    };

    labelled = run->known == PROMPT_EXECUTION_LABELLED;
    reserves = run->reserved_usd.data != NULL;

    prompt_bind_fixed(&bind, query, starts[run->known][reserves]);
    prompt_bind_uuid(&bind, run->id);
    prompt_bind_uuid(&bind, run->prompt_id);
    prompt_bind_int4(&bind, run->version);
    prompt_bind_uuid(&bind, run->caller);
    prompt_bind_int8(&bind, run->timeout_ms);
    prompt_bind_id_time(&bind, run->id);

    prompt_bind_maybe_time(&bind, labelled
                                  || run->known == PROMPT_EXECUTION_KNOWN
                                  ? prompt_maybe(run->prompt_updated_at)
                                  : prompt_maybe_unknown);

    if (labelled) {
        prompt_bind_text(&bind, run->asked);
        prompt_bind_maybe_time(&bind, run->asked_set_at);
    }

    if (reserves) {
        prompt_bind_maybe_uuid(&bind, run->key_id);
        prompt_bind_text(&bind, run->reserved_usd);
        prompt_bind_bool(&bind, run->exact);
        prompt_bind_maybe_uuid(&bind, run->run_id);
    }

    prompt_columns_bind(&bind, &prompt_run_resource,
                        prompt_columns_with(&prompt_run_resource,
                                            PROMPT_COLUMN_START),
                        run);

    return prompt_bind_end(&bind);
}


bool
prompt_execution_finish(prompt_query_t *query,
    const prompt_execution_run_t *run)
{
    bool           reserved;
    prompt_bind_t  bind;

    reserved = run->reserved_usd.data != NULL;

    prompt_bind_fixed(&bind, query,
                      reserved ? PROMPT_STATEMENT_EXECUTION_SETTLE
                               : PROMPT_STATEMENT_EXECUTION_FINISH);
    prompt_bind_uuid(&bind, run->id);

    if (reserved) {
        prompt_bind_text(&bind, run->spent_usd);
    }

    prompt_columns_bind(&bind, &prompt_run_resource,
                        prompt_columns_with(&prompt_run_resource,
                                            PROMPT_COLUMN_CHANGE),
                        run);

    return prompt_bind_end(&bind);
}


bool
prompt_execution_record(prompt_query_t *query,
    const prompt_execution_run_t *run)
{
    bool           draft, reserved;
    prompt_bind_t  bind;

    draft = run->known == PROMPT_EXECUTION_DRAFT;
    reserved = run->reserved_usd.data != NULL;

    prompt_bind_fixed(&bind, query,
                      reserved
                      ? draft ? PROMPT_STATEMENT_EXECUTION_RECORD_SETTLE_DRAFT
                              : PROMPT_STATEMENT_EXECUTION_RECORD_SETTLE
                      : draft ? PROMPT_STATEMENT_EXECUTION_RECORD_DRAFT
                              : PROMPT_STATEMENT_EXECUTION_RECORD);
    prompt_bind_uuid(&bind, run->id);
    prompt_bind_uuid(&bind, run->prompt_id);
    prompt_bind_int4(&bind, run->version);
    prompt_bind_uuid(&bind, run->caller);
    prompt_bind_id_time(&bind, run->id);

    if (reserved) {
        prompt_bind_text(&bind, run->spent_usd);
    }

    prompt_columns_bind(&bind, &prompt_run_resource,
                        prompt_columns_with(&prompt_run_resource,
                                            PROMPT_COLUMN_CREATE),
                        run);

    return prompt_bind_end(&bind);
}


bool
prompt_execution_sweep(prompt_query_t *query, int32_t most,
    prompt_maybe_t clock)
{
    prompt_bind_t  bind;

    prompt_bind_fixed(&bind, query, PROMPT_STATEMENT_EXECUTION_SWEEP);
    prompt_bind_int4(&bind, most);
    prompt_bind_maybe_time(&bind, clock);

    return prompt_bind_end(&bind);
}


bool
prompt_execution_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_EXECUTION_DELETE,
                         prompt_as_uuid(id), prompt_as_uuid(project));
}


int64_t
prompt_execution_sweep_row(const prompt_rows_t *rows, bool *more,
    prompt_str_t *failed)
{
    *more = false;
    *failed = prompt_str_absent;

    if (rows->count != 1) {
        return 0;
    }

    *more = prompt_cell_bool(prompt_rows_cell(rows, 0, 1));
    *failed = prompt_rows_cell(rows, 0, 2);

    return prompt_cell_int(prompt_rows_cell(rows, 0, 0));
}
