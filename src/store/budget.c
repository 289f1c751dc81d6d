/*
 * Budgets: their statements.  What reserves stands with the start of an
 * execution.
 */

#include "store/budget.h"
#include "store/clock.h"
#include "store/statement_impl.h"


#define column(member)  prompt_column(prompt_budget_t, member)

/* of a period that is over nothing counts any more */
#define PROMPT_BUDGET_NOW(what)                                              \
    "trim_scale(CASE WHEN b.period >= prompt_budget_period(b.per, now())"    \
    " THEN " what " ELSE 0 END)"

static const prompt_column_t  prompt_budget_columns[] = {

    { column(id), PROMPT_KIND_UUID, PROMPT_COLUMN_ID, NULL },
    { column(key_id), PROMPT_KIND_UUID, PROMPT_COLUMN_NULLABLE, NULL },
    { column(limit_usd), PROMPT_KIND_DECIMAL, 0, NULL },
    { column(per), PROMPT_KIND_TEXT, PROMPT_COLUMN_SHORT, NULL },

    { column(spent_usd), PROMPT_KIND_DECIMAL, 0,
      PROMPT_BUDGET_NOW("b.spent_usd") },
    { column(reserved_usd), PROMPT_KIND_DECIMAL, 0,
      PROMPT_BUDGET_NOW("b.reserved_usd") },

    { column(warn_at_percent), PROMPT_KIND_INT, PROMPT_COLUMN_NULLABLE, NULL },

    { column(resets_at), PROMPT_KIND_TIME, PROMPT_COLUMN_NULLABLE,
      "prompt_budget_resets(b.per, greatest(b.period,"
      " prompt_budget_period(b.per, now())))" }
};

#undef column

const prompt_resource_t  prompt_budget_resource = {
    "budget", 'b', prompt_columns(prompt_budget_columns)
};


/* those of the project come first */
#define PROMPT_BUDGET_KEY(key)                                               \
    "coalesce(" key ", '00000000-0000-0000-0000-000000000000'::uuid)"

/*
 * What was spent and reserved stays.  A key that is deleted meanwhile leaves a
 * budget that nobody sees.
 */
const prompt_source_t  prompt_sql_budget_set = {
    "WITH c AS ("
    "INSERT INTO budgets AS b (id, project_id, key_id, per, limit_usd,"
    " warn_at_percent, period)"
    " SELECT $1, $2, $3, $4, trim_scale($5::numeric), $6,"
    " prompt_budget_period($4, now())"
    " WHERE $3 IS NULL OR EXISTS (SELECT FROM api_keys k WHERE k.id = $3"
    " AND k.project_id = $2 AND k.kind = 'key' AND k.deleted_at IS NULL)"
    " ON CONFLICT (project_id, " PROMPT_BUDGET_KEY("key_id") ", per)"
    " DO UPDATE SET limit_usd = excluded.limit_usd,"
    " warn_at_percent = excluded.warn_at_percent, warned = false"
    " RETURNING {budget all}), "
    PROMPT_AUDIT_OF("$2", "{by user}", "'Budget', id, NULL,"
                    " json_build_object('per', per, 'limitUsd',"
                    " limit_usd::text, 'keyId', $3,"
                    " 'warnAtPercent', warn_at_percent) FROM c")
    "SELECT {budget row c} FROM c",
    "uuutti", 0, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_budget_remove = {
    "WITH c AS ("
    "DELETE FROM budgets WHERE id = $1 AND project_id = $2"
    " RETURNING id, per, limit_usd, key_id), "
    PROMPT_AUDIT_OF("$2", "{by user}", "'Budget', id, NULL,"
                    " json_build_object('per', per, 'limitUsd',"
                    " limit_usd::text, 'keyId', key_id) FROM c")
    "SELECT true FROM c",
    "uu", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_budget_list = {
    "SELECT {budget select b} FROM budgets b"
    " LEFT JOIN api_keys k ON k.id = b.key_id"
    " WHERE b.project_id = $1 AND (b.key_id IS NULL OR k.deleted_at IS NULL)"
    " ORDER BY " PROMPT_BUDGET_KEY("b.key_id") ", b.per",
    "u", 0, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_budget_hashes = {
    "SELECT h FROM prompt_project_hashes($1) h",
    "u", 1, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_budget_settle = {
    "SELECT s.id, s.key_id, s.per, s.limit_usd::text, s.spent_usd::text"
    " FROM prompt_budget_settle($1, $2, $3::numeric) s",
    "uut", 5, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_budget_sweep = {
    "SELECT prompt_budget_sweep($1, " PROMPT_CLOCK_STEADY("$2") ")",
    "iz", 1, PROMPT_STATEMENT_COMMITS
};


bool
prompt_budget_set(prompt_query_t *query, prompt_str_t project,
    const prompt_budget_t *budget)
{
    return prompt_append(query, PROMPT_STATEMENT_BUDGET_SET,
                         prompt_as_uuid(budget->id), prompt_as_uuid(project),
                         prompt_as_maybe_uuid(budget->key_id),
                         prompt_as_text(budget->per),
                         prompt_as_text(budget->limit_usd),
                         prompt_as_maybe_int4(budget->warn_at_percent));
}


bool
prompt_budget_remove(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_BUDGET_REMOVE,
                         prompt_as_uuid(id), prompt_as_uuid(project));
}


bool
prompt_budget_list(prompt_query_t *query, prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_BUDGET_LIST,
                         prompt_as_uuid(project));
}


void
prompt_budget_row(const prompt_rows_t *rows, unsigned row,
    prompt_budget_t *budget)
{
    prompt_columns_read(&prompt_budget_resource,
                        prompt_columns_returned(&prompt_budget_resource), rows,
                        row, 0, budget);
}


bool
prompt_budget_hashes(prompt_query_t *query, prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_BUDGET_HASHES,
                         prompt_as_uuid(project));
}


bool
prompt_budget_reserved_row(const prompt_rows_t *rows,
    prompt_budget_refusal_t *refusal)
{
    refusal->per = prompt_rows_cell(rows, 0, 1);
    refusal->of_key = prompt_cell_bool(prompt_rows_cell(rows, 0, 2));
    refusal->limit_usd = prompt_rows_cell(rows, 0, 3);
    refusal->resets_at = prompt_cell_maybe_time(prompt_rows_cell(rows, 0, 4));

    return prompt_cell_bool(prompt_rows_cell(rows, 0, 0));
}


bool
prompt_budget_settle(prompt_query_t *query, prompt_str_t execution,
    prompt_str_t project, prompt_str_t spent)
{
    return prompt_append(query, PROMPT_STATEMENT_BUDGET_SETTLE,
                         prompt_as_uuid(execution), prompt_as_uuid(project),
                         prompt_as_text(spent));
}


void
prompt_budget_warning_row(const prompt_rows_t *rows, unsigned row,
    prompt_budget_t *budget)
{
    memset(budget, 0, sizeof(prompt_budget_t));

    budget->id = prompt_rows_cell(rows, row, 0);
    budget->key_id = prompt_rows_cell(rows, row, 1);
    budget->per = prompt_rows_cell(rows, row, 2);
    budget->limit_usd = prompt_rows_cell(rows, row, 3);
    budget->spent_usd = prompt_rows_cell(rows, row, 4);
}


bool
prompt_budget_sweep(prompt_query_t *query, int32_t most, prompt_maybe_t clock)
{
    return prompt_append(query, PROMPT_STATEMENT_BUDGET_SWEEP,
                         prompt_as_int4(most), prompt_as_maybe_time(clock));
}
