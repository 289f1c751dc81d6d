/*
 * Budgets: their statements.  What reserves stands with the start of an
 * execution.
 */

#include "store/budget.h"
#include "store/statement_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_budget_t, member, kind, flags)

/* of the slots that count the present period; the clock may have gone back */
#define PROMPT_BUDGET_ENDS                                                   \
    "(SELECT greatest(max(m.ends), prompt_budget_ends(b.per))"               \
    " FROM budget_slots m WHERE m.budget_id = b.id)"

#define PROMPT_BUDGET_SUM(what)                                              \
    "(SELECT trim_scale(coalesce(sum(s." what "), 0)) FROM budget_slots s"   \
    " WHERE s.budget_id = b.id AND s.ends = " PROMPT_BUDGET_ENDS ")"

static const prompt_column_t  prompt_budget_columns[] = {

    column(id, UUID, PROMPT_COLUMN_ID),
    column(key_id, UUID, PROMPT_COLUMN_NULLABLE),
    column(limit_usd, DECIMAL, 0),
    column(per, TEXT, PROMPT_COLUMN_SHORT),

    { prompt_column(prompt_budget_t, spent_usd), PROMPT_KIND_DECIMAL, 0,
      PROMPT_BUDGET_SUM("spent_usd") },
    { prompt_column(prompt_budget_t, reserved_usd), PROMPT_KIND_DECIMAL, 0,
      PROMPT_BUDGET_SUM("reserved_usd") },

    column(warn_at_percent, INT, PROMPT_COLUMN_NULLABLE),

    { prompt_column(prompt_budget_t, resets_at), PROMPT_KIND_TIME,
      PROMPT_COLUMN_NULLABLE, "nullif(" PROMPT_BUDGET_ENDS ", 'infinity')" }
};

#undef column

const prompt_resource_t  prompt_budget_resource = {
    "budget", 'b', prompt_columns(prompt_budget_columns)
};


/* those of the project come first */
#define PROMPT_BUDGET_KEY(key)                                               \
    "coalesce(" key ", '00000000-0000-0000-0000-000000000000'::uuid)"

/* A key that is deleted meanwhile leaves a budget that nobody sees. */
const prompt_source_t  prompt_sql_budget_set = {
    "WITH c AS MATERIALIZED ("
    "SELECT id FROM prompt_budget_set($1, $2, $3, $4, trim_scale($5::numeric),"
    " $6) id WHERE id IS NOT NULL), "
    PROMPT_AUDIT_OF("$2", "{by user}", "'Budget', id, NULL,"
                    " json_build_object('per', $4, 'limitUsd', $5, 'keyId', $3,"
                    " 'warnAtPercent', $6) FROM c")
    "SELECT id FROM c",
    "uuutti", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_budget_remove = {
    "WITH c AS ("
    "DELETE FROM budgets WHERE id = $1 AND project_id = $2 AND run_id IS NULL"
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
    " WHERE b.project_id = $1 AND b.run_id IS NULL"
    " AND (b.key_id IS NULL OR k.deleted_at IS NULL)"
    " ORDER BY " PROMPT_BUDGET_KEY("b.key_id") ", b.per",
    "u", 0, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_budget_hashes = {
    "SELECT h FROM prompt_project_hashes($1) h",
    "u", 1, PROMPT_STATEMENT_READS
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
    prompt_columns_read_returned(&prompt_budget_resource, rows, row, 0,
                                 budget);
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
    refusal->per = prompt_rows_cell(rows, 0, 2);
    refusal->of_key = prompt_cell_bool(prompt_rows_cell(rows, 0, 3));
    refusal->limit_usd = prompt_rows_cell(rows, 0, 4);
    refusal->resets_at = prompt_cell_maybe_time(prompt_rows_cell(rows, 0, 5));

    return prompt_cell_bool(prompt_rows_cell(rows, 0, 1));
}
