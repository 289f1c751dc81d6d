/*
 * Runs and their cells: their statements.
 */

#include "store/run.h"
#include "store/dataset_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_runs_t, member, kind, flags)

static const prompt_column_t  prompt_runs_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID),
    column(dataset_id, UUID, 0),
    column(prompt_id, UUID, 0),

    { prompt_column(prompt_runs_t, state), PROMPT_KIND_TEXT,
      PROMPT_COLUMN_SHORT,
      "CASE WHEN r.done >= r.total THEN 'DONE' WHEN r.state = 1"
      " THEN 'CANCELLED' WHEN r.state = 2 THEN 'OVER_COST'"
      " WHEN EXISTS (SELECT FROM run_cells k WHERE k.run_id = r.id"
      " AND k.state = 1 AND k.leased_until > now())"
      " THEN 'RUNNING' ELSE 'READY' END" },

    column(repetitions, INT, 0),

    { prompt_column(prompt_runs_t, cost_cap_usd), PROMPT_KIND_DECIMAL,
      PROMPT_COLUMN_NULLABLE,
      "(SELECT trim_scale(b.limit_usd) FROM budgets b WHERE b.run_id = r.id)" },
    { prompt_column(prompt_runs_t, cost_usd), PROMPT_KIND_DECIMAL, 0,
      "trim_scale(r.cost_usd)" },

    column(done, INT, 0),
    column(total, INT, 0),
    column(seq, INT, 0),
    column(created_at, TIME, PROMPT_COLUMN_OF_ID),
    column(finished_at, TIME, PROMPT_COLUMN_NULLABLE),

    { prompt_column(prompt_runs_t, arms), PROMPT_KIND_OBJECTS,
      PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_SHORT,
      "CASE WHEN r.arms THEN prompt_run_arms(r.id) END" }
};

#undef column

const prompt_resource_t  prompt_runs_resource = {
    "evaluation", 'r', prompt_columns(prompt_runs_columns)
};


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_cells_t, member, kind, flags)

static const prompt_column_t  prompt_cells_columns[] = {
    { prompt_column(prompt_cells_t, id), PROMPT_KIND_UUID, 0,
      "prompt_cell_id(c.run_id, c.number)" },
    { prompt_column(prompt_cells_t, seq), PROMPT_KIND_INT, 0,
      "coalesce(c.seq, 0)" },
    column(version, INT, 0),
    column(repetition, INT, 0),
    column(execution_id, UUID, PROMPT_COLUMN_NULLABLE),
    column(error, TEXT, PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_SHORT)
};

#undef column

const prompt_resource_t  prompt_cells_resource = {
    "cell", 'c', prompt_columns(prompt_cells_columns)
};


#define PROMPT_RUN_OF(project)                                               \
    " JOIN datasets d ON d.id = r.dataset_id AND d.state = 0"                \
    " AND d.project_id = " project

#define PROMPT_RUN_PROMPT                                                    \
    " LEFT JOIN prompts p ON p.id = r.prompt_id AND p.state = 0"             \
    " AND (p.owner_id = $1 OR p.is_public)"

const prompt_source_t  prompt_sql_run_allowed = {
    "SELECT CASE WHEN d.project_id = $1 THEN 0 ELSE 2 END"
    " FROM runs r JOIN datasets d ON d.id = r.dataset_id AND d.state = 0"
    " WHERE r.id = $2",
    "uu", 1, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_run_read = {
    "SELECT {evaluation select r}, {prompt select p}, {dataset select d}"
    " FROM (SELECT x.*, $3 AS arms FROM runs x WHERE x.id = $2) r"
    PROMPT_RUN_OF("$1") PROMPT_RUN_PROMPT,
    "uub", 0, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_run_list = {
    "SELECT {evaluation select r}, {prompt select p}"
    " FROM (SELECT d.id FROM " PROMPT_DATASETS_SQL ") d"
    " CROSS JOIN LATERAL (SELECT x.*, $7 AS arms FROM runs x"
    " WHERE x.dataset_id = d.id"
    " AND x.id < coalesce($6, " PROMPT_DATASET_LAST "::uuid)"
    " ORDER BY x.id DESC LIMIT $5) r" PROMPT_RUN_PROMPT
    " ORDER BY d.id DESC, r.id DESC",
    "uuullub", 0, PROMPT_STATEMENT_READS
};


/* cells c of run $2 of project $1: $4 above $3 */
#define PROMPT_CELLS_SQL(by)                                                 \
    "(SELECT c.* FROM run_cells c WHERE c.run_id = $2 AND c." by " > $3"     \
    " AND EXISTS (SELECT FROM runs r" PROMPT_RUN_OF("$1") " WHERE r.id = $2)"\
    " ORDER BY c." by " LIMIT $4) c"

#define PROMPT_CELLS_READ(by)                                                \
    "SELECT {cell select c}, {item select i}"                                \
    " FROM " PROMPT_CELLS_SQL(by)                                            \
    " LEFT JOIN dataset_items i ON i.id = c.item_id ORDER BY c." by

const prompt_source_t  prompt_sql_run_cells = {
    PROMPT_CELLS_READ("number"), "uuil", 0, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_run_told = {
    PROMPT_CELLS_READ("seq"), "uuil", 0, PROMPT_STATEMENT_READS
};

#define PROMPT_CELLS_EXECUTIONS(by)                                          \
    PROMPT_GUARD("$6") "prompt_executions_of_ids(ARRAY("                     \
    "SELECT c.execution_id FROM " PROMPT_CELLS_SQL(by) ")) e ORDER BY e.id"

const prompt_family_t  prompt_run_families[PROMPT_RUN_STATEMENTS] = {
    { "run_executions", &prompt_execution_resource, "$1", "uuil",
      PROMPT_CELLS_EXECUTIONS("number") },
    { "run_executions_told", &prompt_execution_resource, "$1", "uuil",
      PROMPT_CELLS_EXECUTIONS("seq") }
};


const prompt_source_t  prompt_sql_run_versions = {
    "SELECT CASE WHEN p.owner_id = $1 OR p.is_public THEN 0 ELSE 2 END,"
    " v.version, v.params, v.output_schema IS NOT NULL"
    " FROM prompts p LEFT JOIN prompt_versions v"
    " ON v.owner_id = p.owner_id AND v.prompt_id = p.id"
    " AND v.version = ANY (ARRAY("
    "SELECT x.value::integer FROM json_array_elements_text($3) x))"
    " AND (p.owner_id = $1 OR p.is_public)"
    " WHERE p.id = $2 AND p.state = 0",
    "uuj", 4, PROMPT_STATEMENT_READS
};


/* a cell and its entries take about so many bytes */
#define PROMPT_RUN_BYTES  "(o.item_count::bigint * $4 * 200)"

const prompt_source_t  prompt_sql_run_make = {
    "WITH " PROMPT_DATASET_HELD("id, item_count") ", "
    "r AS ("
    PROMPT_ROOM_SQL("$2", "0", PROMPT_RUN_BYTES, "FROM o ",
                    "bytes_quota = {by quota_bytes}"
                    " AND o.item_count > 0 AND o.item_count::bigint * $4 <= $3")
    "), t AS MATERIALIZED (SELECT CASE WHEN o.item_count = 0"
    " OR o.item_count::bigint * $4 > $3 THEN 7 ELSE "
    PROMPT_ROOM_ANEW("$2", "0", PROMPT_RUN_BYTES, "true") " END AS room"
    " FROM o), c AS ("
    "UPDATE datasets d SET bytes = d.bytes + " PROMPT_RUN_BYTES
    " FROM o CROSS JOIN t"
    " WHERE t.room = 0 AND d.id = $1 AND d.state = 0"
    " RETURNING d.id, d.name), "
    "m AS MATERIALIZED (SELECT c.*, prompt_run_make($5, $2, c.id, $6, $7, $8,"
    " $9::numeric)::text AS made FROM c), "
    PROMPT_AUDIT("'Run', $5, name, json_strip_nulls(json_build_object("
                 "'promptId', $6, 'versions', $7, 'repetitions', $8,"
                 " 'costCapUsd', $9)) FROM m")
    "SELECT CASE WHEN m.made IS NOT NULL THEN 0"
    " WHEN t.room IS NOT NULL THEN t.room"
    " ELSE " PROMPT_DATASET_OTHERWISE " END"
    " FROM (VALUES (1)) AS one LEFT JOIN t ON true LEFT JOIN m ON true",
    "uulluujit", 1, PROMPT_STATEMENT_COMMITS
};


/* what a change of run $1 of project $2 is that found nothing to change */
#define PROMPT_RUN_OTHERWISE(there)                                          \
    "coalesce((SELECT CASE WHEN d.project_id <> $2 THEN 2 ELSE " there " END"\
    " FROM runs r JOIN datasets d ON d.id = r.dataset_id AND d.state = 0"    \
    " WHERE r.id = $1), 1)"

const prompt_source_t  prompt_sql_run_update = {
    "WITH o AS MATERIALIZED ("
    "SELECT r.id, r.state, d.name, b.limit_usd FROM runs r" PROMPT_RUN_OF("$2")
    " JOIN budgets b ON b.run_id = r.id"
    " WHERE r.id = $1 FOR NO KEY UPDATE OF r), "
    "c AS MATERIALIZED (SELECT o.*,"
    " prompt_budget_change(o.id, $3::numeric, NULL)::text AS changed FROM o), "
    "s AS (UPDATE runs r SET state = 0 FROM c"
    " WHERE r.id = c.id AND r.state = 2), "
    PROMPT_AUDIT("'Run', id, name, json_build_object('before',"
                 " json_build_object('costCapUsd', limit_usd::text), 'after',"
                 " json_build_object('costCapUsd', $3)) FROM c")
    "SELECT CASE WHEN c.changed IS NOT NULL THEN 0"
    " ELSE " PROMPT_RUN_OTHERWISE("27") " END"
    " FROM (VALUES (1)) AS one LEFT JOIN c ON true",
    "uut", 1, PROMPT_STATEMENT_COMMITS
};

const prompt_source_t  prompt_sql_run_cancel = {
    "WITH c AS (UPDATE runs r SET state = 1,"
    " finished_at = date_trunc('milliseconds', now())"
    " FROM datasets d WHERE d.id = r.dataset_id AND d.state = 0"
    " AND d.project_id = $2 AND r.id = $1 AND r.done < r.total"
    " AND r.state <> 1 RETURNING r.id, d.name), "
    PROMPT_AUDIT("'Run', id, name, NULL FROM c")
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " ELSE " PROMPT_RUN_OTHERWISE("0") " END"
    " FROM (VALUES (1)) AS one LEFT JOIN c ON true",
    "uu", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_run_step = {
    "SELECT s.number, s.state, s.seq, s.taken, s.version, s.input, s.expected,"
    " s.execution_id, s.status, s.output, trim_scale(s.cost_usd)::text,"
    " s.latency_ms, s.model"
    " FROM prompt_run_step($1, $2, $3, $4, $5, $6, $7, $8) s",
    "uuuibUjj", 13, PROMPT_STATEMENT_COMMITS
};


bool
prompt_run_allowed(prompt_query_t *query, prompt_str_t project,
    prompt_str_t id)
{
    return prompt_append(query, PROMPT_STATEMENT_RUN_ALLOWED,
                         prompt_as_uuid(project), prompt_as_uuid(id));
}


bool
prompt_run_read(prompt_query_t *query, prompt_str_t project, prompt_str_t id,
    bool arms)
{
    return prompt_append(query, PROMPT_STATEMENT_RUN_READ,
                         prompt_as_uuid(project), prompt_as_uuid(id),
                         prompt_as_bool(arms));
}


bool
prompt_run_list(prompt_query_t *query, const prompt_datasets_t *of, bool arms,
    uint32_t first, prompt_str_t after)
{
    return prompt_append(query, PROMPT_STATEMENT_RUN_LIST,
                         prompt_as_datasets(of), prompt_as_limit(first),
                         prompt_as_maybe_uuid(after), prompt_as_bool(arms));
}


/* what is not there has an id that is absent */
void
prompt_run_row(const prompt_rows_t *rows, unsigned row, bool listed,
    prompt_run_row_t *read)
{
    unsigned  cell;

    memset(read, 0, sizeof(prompt_run_row_t));

    cell = prompt_columns_read_returned(&prompt_runs_resource, rows, row, 0,
                                        &read->run);

    if (prompt_rows_cell(rows, row, cell).data != NULL) {
        prompt_columns_read_returned(&prompt_prompt_resource, rows, row, cell,
                                     &read->prompt);
    }

    if (!listed) {
        cell += prompt_columns_cells(&prompt_prompt_resource);
        prompt_columns_read_returned(&prompt_dataset_resource, rows, row, cell,
                                     &read->dataset);
    }
}


#define prompt_as_cells(of)                                                  \
    prompt_as_uuid((of)->project_id), prompt_as_uuid((of)->run_id),          \
    prompt_as_int4((of)->above), prompt_as_limit((of)->first)


bool
prompt_run_cells(prompt_query_t *query, const prompt_run_cells_t *of)
{
    return prompt_append_list(query,
               prompt_statement_fixed(of->told ? PROMPT_STATEMENT_RUN_TOLD
                                               : PROMPT_STATEMENT_RUN_CELLS),
               prompt_as_cells(of));
}


void
prompt_run_cell_row(const prompt_rows_t *rows, unsigned row,
    prompt_cells_t *cell, prompt_dataset_item_t *item)
{
    unsigned  next;

    next = prompt_columns_read_returned(&prompt_cells_resource, rows, row, 0,
                                        cell);
    memset(item, 0, sizeof(prompt_dataset_item_t));

    if (prompt_rows_cell(rows, row, next).data != NULL) {
        prompt_columns_read_returned(&prompt_dataset_item_resource, rows, row,
                                     next, item);
    }
}


bool
prompt_run_executions(prompt_query_t *query, const prompt_run_cells_t *of,
    prompt_mask_t mask)
{
    prompt_range_t  range;

    memset(&range, 0, sizeof(prompt_range_t));

    return prompt_append_list(query,
               prompt_statement_family(of->told ? PROMPT_FAMILY_RUN_TOLD
                                                : PROMPT_FAMILY_RUN_CELLS,
                                       mask),
               prompt_as_cells(of), prompt_as_guard(&range));
}


int32_t
prompt_cell_number(prompt_str_t id)
{
    const unsigned char  *p;

    p = (const unsigned char *) id.data + PROMPT_UUID_LEN - 4;

    return (int32_t) ((uint32_t) (p[0] & 0x7f) << 24 | (uint32_t) p[1] << 16
                      | (uint32_t) p[2] << 8 | p[3]);
}


bool
prompt_run_versions(prompt_query_t *query, prompt_str_t project,
    prompt_str_t prompt_id, prompt_str_t versions)
{
    return prompt_append(query, PROMPT_STATEMENT_RUN_VERSIONS,
                         prompt_as_uuid(project), prompt_as_uuid(prompt_id),
                         prompt_as_text(versions));
}


bool
prompt_run_make(prompt_query_t *query, const prompt_run_make_t *make)
{
    return prompt_append(query, PROMPT_STATEMENT_RUN_MAKE,
               prompt_as_uuid(make->dataset_id),
               prompt_as_uuid(make->project_id), prompt_as_int8(make->most),
               prompt_as_int8((int64_t) make->nversions * make->repetitions),
               prompt_as_uuid(make->id), prompt_as_uuid(make->prompt_id),
               prompt_as_text(make->versions),
               prompt_as_int4((int32_t) make->repetitions),
               prompt_as_text(make->cap_usd));
}


bool
prompt_run_update(prompt_query_t *query, prompt_str_t id, prompt_str_t project,
    prompt_str_t cap_usd)
{
    return prompt_append(query, PROMPT_STATEMENT_RUN_UPDATE,
                         prompt_as_uuid(id), prompt_as_uuid(project),
                         prompt_as_text(cap_usd));
}


bool
prompt_run_cancel(prompt_query_t *query, prompt_str_t id, prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_RUN_CANCEL,
                         prompt_as_uuid(id), prompt_as_uuid(project));
}


bool
prompt_run_step(prompt_query_t *query, const prompt_run_step_t *step)
{
    return prompt_append(query, PROMPT_STATEMENT_RUN_STEP,
               prompt_as_uuid(step->run_id), prompt_as_uuid(step->project_id),
               prompt_as_uuid(step->holder), prompt_as_int4(step->concurrency),
               prompt_as_bool(step->over), prompt_as_uuids(step->ids),
               prompt_as_text(step->back), prompt_as_text(step->scored));
}


void
prompt_run_step_row(const prompt_rows_t *rows, unsigned row,
    prompt_run_cell_t *cell)
{
    prompt_maybe_t  latency;

#define cell(n)  prompt_rows_cell(rows, row, n)

    latency = prompt_cell_maybe(cell(11));

    cell->number = (int32_t) prompt_cell_maybe(cell(0)).value;
    cell->state = cell(1);
    cell->seq = (int32_t) prompt_cell_maybe(cell(2)).value;
    cell->taken = (int32_t) prompt_cell_maybe(cell(3)).value;
    cell->version = (int32_t) prompt_cell_maybe(cell(4)).value;
    cell->input = cell(5);
    cell->expected = cell(6);
    cell->execution_id = cell(7);
    cell->status = cell(8);
    cell->output = cell(9);
    cell->cost_usd = cell(10);
    cell->latency_ms = latency.known ? latency.value : -1;
    cell->model = cell(12);

#undef cell
}
