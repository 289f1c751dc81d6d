/*
 * The log: its statements.
 *
 * Each first finds the ids of a page, by indexes that have its order, and
 * then looks up the rows: nothing that is read grows with what a user has.
 * Both are functions, so that there is one plan for all.
 */

#include "store/log.h"
#include "store/clock.h"
#include "store/statement_impl.h"


/* what is asked for, in the order of families and statements */
typedef enum {
    PROMPT_LOG_PAGE = 0,
    PROMPT_LOG_ONE
} prompt_log_kind_t;


#define PROMPT_LOG_PAGE_SQL                                                  \
    "prompt_executions_of_ids("                                              \
    "prompt_log_page($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,"     \
    " $13::float8, $14::float8, $15::numeric, $16::numeric, $17, $18)) e"

/* an execution x of a prompt p; $3: the key that made it, NULL for any */
#define PROMPT_LOG_ONE_SHOWN                                                 \
    "$1 IN (x.executed_by, p.owner_id) AND ($3 IS NULL OR x.key_id = $3)"

#define PROMPT_LOG_ONE_SQL                                                   \
    "(SELECT x.* FROM prompt_executions_of_ids(ARRAY[$2]) x"                 \
    " JOIN prompts p ON p.id = x.prompt_id AND p.state = 0"                  \
    " AND " PROMPT_LOG_ONE_SHOWN ") e"

#define PROMPT_LOG_PAGE_PARAMS  "uuulTttuitjtttttii"
#define PROMPT_LOG_ONE_PARAMS   "uuu"

const prompt_family_t  prompt_log_families[PROMPT_LOG_STATEMENTS] = {
    { "log_page", &prompt_execution_resource, "$1", PROMPT_LOG_PAGE_PARAMS,
      PROMPT_GUARD("$20") PROMPT_LOG_PAGE_SQL " ORDER BY e.id DESC" },

    { "log_one", &prompt_execution_resource, "$1", PROMPT_LOG_ONE_PARAMS,
      PROMPT_GUARD("$5") PROMPT_LOG_ONE_SQL }
};


#define PROMPT_LOG_PROMPT_IDS(executions)                                    \
    "ANY (ARRAY(SELECT e.prompt_id FROM " executions "))"

/* what was made private since keeps its executions, and shows nothing else */
#define PROMPT_LOG_PROMPTS_SHOWN(executions)                                 \
    "prompts p WHERE p.id = " PROMPT_LOG_PROMPT_IDS(executions)              \
    " AND (p.owner_id = $1 OR p.is_public)"

#define PROMPT_LOG_PROMPTS(executions, guard)                                \
    PROMPT_GUARD(guard) PROMPT_LOG_PROMPTS_SHOWN(executions)                 \
    " ORDER BY p.id DESC"

const prompt_family_t  prompt_log_prompt_families[PROMPT_LOG_STATEMENTS] = {
    { "log_prompts_page", &prompt_prompt_resource, "$1",
      PROMPT_LOG_PAGE_PARAMS,
      PROMPT_LOG_PROMPTS(PROMPT_LOG_PAGE_SQL, "$20") },

    { "log_prompts_one", &prompt_prompt_resource, "$1",
      PROMPT_LOG_ONE_PARAMS,
      PROMPT_LOG_PROMPTS(PROMPT_LOG_ONE_SQL, "$5") }
};


/* those who created the prompts, and all of the caller's project */
#define PROMPT_LOG_PEOPLE(executions)                                        \
    "SELECT {user select u} FROM users u WHERE u.id = ANY (ARRAY("           \
    "SELECT coalesce(p.created_by, p.owner_id)"                              \
    " FROM " PROMPT_LOG_PROMPTS_SHOWN(executions)                            \
    " UNION SELECT m.user_id FROM project_members m"                         \
    " WHERE m.project_id = $1)) ORDER BY u.id"

const prompt_source_t  prompt_sql_log_people_page = {
    PROMPT_LOG_PEOPLE(PROMPT_LOG_PAGE_SQL), PROMPT_LOG_PAGE_PARAMS, 0,
    PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_log_people_one = {
    PROMPT_LOG_PEOPLE(PROMPT_LOG_ONE_SQL), PROMPT_LOG_ONE_PARAMS, 0,
    PROMPT_STATEMENT_READS
};


/* no row: not there */
const prompt_source_t  prompt_sql_log_prompt_allowed = {
    "SELECT CASE WHEN p.owner_id = $1 OR p.is_public THEN 0 ELSE 2 END"
    " FROM prompts p WHERE p.id = $2 AND p.state = 0",
    "uu", 1, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_log_one_allowed = {
    "SELECT CASE WHEN " PROMPT_LOG_ONE_SHOWN " THEN 0 ELSE 2 END"
    " FROM prompt_executions_of_ids(ARRAY[$2]) x"
    " JOIN prompts p ON p.id = x.prompt_id AND p.state = 0",
    PROMPT_LOG_ONE_PARAMS, 1, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_log_sweep = {
    "SELECT prompt_log_sweep($1, " PROMPT_CLOCK_STEADY("$2") ")",
    "iz", 1, PROMPT_STATEMENT_COMMITS
};


const char  prompt_prune_count_sql[] =
    "SELECT count(*) FROM executions"
    " WHERE id < $1::uuid AND status <> 'running'";

const char  prompt_prune_below_sql[] =
    "SELECT prompt_id_of(greatest(now() - $1::float8 * interval"
    " '1 millisecond', to_timestamp(0)))";

/* not beyond where it comes, should the clock have gone back */
const char  prompt_prune_behind_sql[] =
    "SELECT mark < $1::uuid AND $1::uuid < prompt_id_of(now() - interval"
    " '6 minutes') FROM log_mark";

const char  prompt_prune_sweep_sql[] = "SELECT prompt_log_sweep(2000)";

const char  prompt_prune_step_sql[] =
    "SELECT above, deleted"
    " FROM prompt_executions_prune($1::uuid, 500, $2::uuid)";

const char  prompt_prune_empty_sql[] =
    "SELECT above, emptied"
    " FROM prompt_executions_empty($1::uuid, 500, $2::uuid)";

const char  prompt_prune_full_sql[] =
    "SELECT count(*) FROM executions"
    " WHERE id < $1::uuid AND status <> 'running'"
    " AND num_nonnulls(input, appended, output, error, tool_calls,"
    " output_errors, provider_message, subject, metadata) > 0";

const char  prompt_prune_month_sql[] = PROMPT_PRUNE_MONTH("executions");

const char  prompt_prune_drop_sql[] =
    "SELECT prompt_executions_drop($1::uuid)";

/* whole days, of which the service has both days and hours */
#define PROMPT_PRUNE_UNTIL(id)  "prompt_id_hour(" id "::uuid) / 24 * 24"

const char  prompt_prune_sums_sql[] =
    "SELECT count(*) FROM statistics WHERE hour >= - (" PROMPT_PRUNE_UNTIL("$1")
    ") AND hour < " PROMPT_PRUNE_UNTIL("$1");

const char  prompt_prune_forget_sql[] =
    "SELECT behind, deleted FROM prompt_log_forget($1::uuid, "
    PROMPT_PRUNE_UNTIL("$2") ", 2000, $3::bigint)";


static prompt_log_kind_t
prompt_log_kind(const prompt_log_t *log)
{
    return log->id.data != NULL ? PROMPT_LOG_ONE : PROMPT_LOG_PAGE;
}


/* guarded: it is of a family, and has a guard, here one without limits */
static bool
prompt_log_append(prompt_query_t *query, const prompt_log_t *log,
    const prompt_statement_t *statement, bool guarded)
{
    static const prompt_range_t  unlimited;

    const prompt_value_t  one[] = {
        prompt_as_uuid(log->caller), prompt_as_uuid(log->id),
        prompt_as_maybe_uuid(log->key_id), prompt_as_guard(&unlimited)
    };
    const prompt_value_t  page[] = {
        prompt_as_uuid(log->caller), prompt_as_uuid(log->lower),
        prompt_as_uuid(log->upper), prompt_as_limit(log->first),
        prompt_as_texts(&log->statuses), prompt_as_text(log->model),
        prompt_as_text(log->label), prompt_as_maybe_uuid(log->prompt_id),
        prompt_as_maybe_int4(log->version), prompt_as_text(log->subject),
        prompt_as_text(log->metadata), prompt_as_text(log->score),
        prompt_as_text(log->min_score), prompt_as_text(log->max_score),
        prompt_as_text(log->min_cost_usd), prompt_as_text(log->max_cost_usd),
        prompt_as_maybe_int4(log->min_latency_ms),
        prompt_as_maybe_int4(log->max_latency_ms), prompt_as_guard(&unlimited)
    };

    return prompt_log_kind(log) == PROMPT_LOG_ONE
           ? prompt_append_values(query, statement, one, 3 + guarded)
           : prompt_append_values(query, statement, page, 18 + guarded);
}


bool
prompt_log_read(prompt_query_t *query, const prompt_log_t *log,
    prompt_mask_t mask)
{
    return prompt_log_append(query, log,
               prompt_statement_family(PROMPT_FAMILY_LOG_PAGE
                                       + prompt_log_kind(log), mask), true);
}


bool
prompt_log_prompts(prompt_query_t *query, const prompt_log_t *log,
    prompt_mask_t mask)
{
    return prompt_log_append(query, log,
               prompt_statement_family(PROMPT_FAMILY_LOG_PROMPTS_PAGE
                                       + prompt_log_kind(log), mask), true);
}


bool
prompt_log_people(prompt_query_t *query, const prompt_log_t *log)
{
    return prompt_log_append(query, log,
               prompt_statement_fixed(PROMPT_STATEMENT_LOG_PEOPLE_PAGE
                                      + prompt_log_kind(log)), false);
}


bool
prompt_log_allowed(prompt_query_t *query, const prompt_log_t *log)
{
    return log->id.data != NULL
           ? prompt_append(query, PROMPT_STATEMENT_LOG_ONE_ALLOWED,
                           prompt_as_uuid(log->caller),
                           prompt_as_uuid(log->id),
                           prompt_as_maybe_uuid(log->key_id))
           : prompt_append(query, PROMPT_STATEMENT_LOG_PROMPT_ALLOWED,
                           prompt_as_uuid(log->caller),
                           prompt_as_uuid(log->prompt_id));
}


prompt_outcome_t
prompt_log_allowed_row(const prompt_rows_t *rows)
{
    return rows->count == 0 ? PROMPT_OUTCOME_NOT_FOUND
                            : prompt_outcome_row(rows);
}


prompt_str_t
prompt_log_id(int64_t time, char out[PROMPT_UUID_LEN])
{
    int       i;
    uint64_t  ms;

    /* what was before 1970, or after the year 10889, has no id */

    if (time < 0) {
        time = 0;
    }

    ms = (uint64_t) time / 1000 + (time % 1000 != 0);

    memset(out, 0, PROMPT_UUID_LEN);

    for (i = 0; i < 6; i++) {
        out[i] = (char) (ms >> (40 - 8 * i));
    }

    return prompt_str_of(out, PROMPT_UUID_LEN);
}


bool
prompt_log_sweep(prompt_query_t *query, int32_t most, prompt_maybe_t clock)
{
    return prompt_append(query, PROMPT_STATEMENT_LOG_SWEEP,
                         prompt_as_int4(most), prompt_as_maybe_time(clock));
}


bool
prompt_log_sweep_row(const prompt_rows_t *rows)
{
    return rows->count == 1 && prompt_cell_bool(prompt_rows_cell(rows, 0, 0));
}
