/*
 * Datasets and their items: their statements.
 */

#include "store/dataset_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_dataset_t, member, kind, flags)

static const prompt_column_t  prompt_dataset_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID|PROMPT_COLUMN_CREATE),
    column(project_id, UUID, PROMPT_COLUMN_CREATE),
    column(name, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_CREATE|PROMPT_COLUMN_CHANGE),
    column(description, TEXT,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE
           |PROMPT_COLUMN_CHANGE),
    column(checks, JSON,
           PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE|PROMPT_COLUMN_CHANGE),
    column(item_count, INT, 0),
    column(created_at, TIME, PROMPT_COLUMN_OF_ID)
};

#undef column

const prompt_resource_t  prompt_dataset_resource = {
    "dataset", 'd', prompt_columns(prompt_dataset_columns)
};


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_dataset_item_t, member, kind, flags)

static const prompt_column_t  prompt_dataset_item_columns[] = {
    column(dataset_id, UUID, 0),
    column(id, UUID, PROMPT_COLUMN_CREATE),
    column(input, JSON, PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE),
    column(expected, JSON,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE),
    column(metadata, JSON,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE),
    column(execution_id, UUID, PROMPT_COLUMN_NULLABLE)
};

#undef column

const prompt_resource_t  prompt_dataset_item_resource = {
    "item", 'i', prompt_columns(prompt_dataset_item_columns)
};


const prompt_source_t  prompt_sql_dataset_seen = {
    "SELECT CASE WHEN d.project_id = $1 THEN 0 ELSE 2 END"
    " FROM datasets d WHERE d.id = $2 AND d.state = 0",
    "uu", 1, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_dataset_read = {
    "SELECT {dataset select d} FROM " PROMPT_DATASETS_SQL,
    "uuul", 0, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_dataset_items = {
    "SELECT {item select i} FROM (SELECT d.id FROM " PROMPT_DATASETS_SQL ") d"
    " CROSS JOIN LATERAL (SELECT x.* FROM dataset_items x"
    " WHERE x.dataset_id = d.id"
    " AND x.id > coalesce($6, " PROMPT_DATASET_NONE "::uuid)"
    " ORDER BY x.id LIMIT $5) i ORDER BY d.id DESC, i.id",
    "uuullu", 0, PROMPT_STATEMENT_READS
};


#define PROMPT_DATASET_TAKEN                                                 \
    "EXISTS (SELECT FROM datasets o WHERE o.project_id = $3 AND o.name = $2" \
    " AND o.state = 0)"

#define PROMPT_DATASET_MANY                                                  \
    "(SELECT count(*) FROM datasets o"                                       \
    " WHERE o.project_id = $3 AND o.state = 0) >= $5"

const prompt_source_t  prompt_sql_dataset_create = {
    "WITH r AS ("
    PROMPT_ROOM_SQL("$3", "0", "$4", "",
                    "bytes_quota = {by quota_bytes}"
                    " AND NOT " PROMPT_DATASET_TAKEN
                    " AND NOT " PROMPT_DATASET_MANY)
    "), t AS MATERIALIZED (SELECT"
    " CASE WHEN " PROMPT_DATASET_TAKEN " THEN 3"
    " WHEN " PROMPT_DATASET_MANY " THEN 7 ELSE "
    PROMPT_ROOM_ANEW("$3", "0", "$4", "true") " END AS room), c AS ("
    "INSERT INTO datasets ({dataset create}, bytes, created_at, created_by)"
    " SELECT {dataset create_values}, $4, $1, {by author}"
    " FROM t WHERE t.room = 0"
    " ON CONFLICT (project_id, name) WHERE state = 0 DO NOTHING"
    " RETURNING id, name), "
    PROMPT_AUDIT("'Dataset', id, name, NULL FROM c")
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " WHEN t.room = 0 THEN prompt_room_lost() ELSE t.room END"
    " FROM t LEFT JOIN c ON true",
    "ztull", 1, PROMPT_STATEMENT_COMMITS
};


/* $3, $4: bytes of description and checks, where they are given */
const prompt_source_t  prompt_sql_dataset_update = {
    "WITH " PROMPT_DATASET_HELD("name, description, checks") ", "
    "n AS MATERIALIZED (SELECT"
    " coalesce($3 - coalesce(octet_length(description), 0), 0)"
    " + coalesce($4 - octet_length(checks::text), 0) AS more FROM o), "
    "r AS ("
    PROMPT_ROOM_SQL("$2", "0", "n.more", "FROM n ",
                    "bytes_quota = {by quota_bytes} AND n.more > 0")
    "), t AS MATERIALIZED (SELECT n.more, CASE WHEN n.more <= 0 THEN 0 ELSE "
    PROMPT_ROOM_ANEW("$2", "0", "n.more", "true") " END AS room FROM n), "
    "c AS ("
    "UPDATE datasets AS d SET {dataset change}, bytes = d.bytes + t.more"
    " FROM t WHERE t.room = 0 AND d.id = $1 AND d.project_id = $2"
    " AND d.state = 0 RETURNING d.id, d.name, d.description, d.checks), "
    PROMPT_AUDIT("'Dataset', c.id, c.name, json_strip_nulls(json_build_object("
                 "'before', json_build_object("
                 PROMPT_AUDIT_BEFORE("name", "name") "),"
                 " 'after', json_build_object("
                 PROMPT_AUDIT_AFTER("name", "name") "),"
                 " 'changed', array_remove(ARRAY["
                 "CASE WHEN o.description IS DISTINCT FROM c.description"
                 " THEN 'description' END,"
                 " CASE WHEN o.checks::text <> c.checks::text"
                 " THEN 'checks' END], NULL))) FROM c, o")
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " WHEN t.room IS NOT NULL THEN t.room"
    " ELSE " PROMPT_DATASET_OTHERWISE " END"
    " FROM (VALUES (1)) AS one LEFT JOIN t ON true LEFT JOIN c ON true",
    "uull", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_dataset_delete = {
    "WITH c AS ("
    "UPDATE datasets SET state = 1"
    " WHERE id = $1 AND project_id = $2 AND state = 0 RETURNING id, name), "
    PROMPT_AUDIT("'Dataset', id, name, NULL FROM c")
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " ELSE " PROMPT_DATASET_OTHERWISE " END"
    " FROM (VALUES (1)) AS one LEFT JOIN c ON true",
    "uu", 1, PROMPT_STATEMENT_COMMITS
};


/* room for so many items and bytes, of which there may be $3 */
#define PROMPT_DATASET_ROOM(items, bytes, from)                              \
    "r AS ("                                                                 \
    PROMPT_ROOM_SQL("$2", "0", bytes, from " ",                              \
                    "bytes_quota = {by quota_bytes}"                         \
                    " AND o.item_count + " items " <= $3")                   \
    "), t AS MATERIALIZED (SELECT"                                           \
    " CASE WHEN o.item_count + " items " > $3 THEN 7 ELSE "                  \
    PROMPT_ROOM_ANEW("$2", "0", bytes, "true") " END AS room " from "), "    \
    "c AS ("                                                                 \
    "UPDATE datasets d SET item_count = d.item_count + " items ","           \
    " bytes = d.bytes + " bytes " " from " CROSS JOIN t"                     \
    " WHERE t.room = 0 AND d.id = $1 AND d.state = 0"                        \
    " RETURNING d.id, d.name)"

const prompt_source_t  prompt_sql_dataset_add = {
    "WITH " PROMPT_DATASET_HELD("id, item_count") ", "
    PROMPT_DATASET_ROOM("$4", "$5", "FROM o") ", "
    "added AS ("
    "INSERT INTO dataset_items (dataset_id, bytes, {item create})"
    " SELECT c.id, {item bytes g}, {item create g}"
    " FROM c, json_to_recordset($6) AS g (n integer, {item record})), "
    PROMPT_AUDIT("'Dataset', id, name, json_build_object('items', $4) FROM c")
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " WHEN t.room IS NOT NULL THEN t.room"
    " ELSE " PROMPT_DATASET_OTHERWISE " END"
    " FROM (VALUES (1)) AS one LEFT JOIN t ON true LEFT JOIN c ON true",
    "uulilj", 1, PROMPT_STATEMENT_COMMITS
};


/* e: what is recorded of execution $4; it is looked at where there is none */
const prompt_source_t  prompt_sql_dataset_add_execution = {
    "WITH " PROMPT_DATASET_HELD("id, item_count") ", "
    "e AS MATERIALIZED ("
    "SELECT x.input, x.metadata, octet_length(x.input::text)"
    " + coalesce(octet_length($6::text), 0)"
    " + coalesce(octet_length(x.metadata::text), 0) AS more"
    " FROM prompt_executions_of_ids(ARRAY[$4]) x"
    " WHERE x.executed_by = $2 AND x.input IS NOT NULL), "
    PROMPT_DATASET_ROOM("1", "e.more", "FROM o CROSS JOIN e") ", "
    "i AS ("
    "INSERT INTO dataset_items"
    " (id, dataset_id, input, expected, metadata, execution_id, bytes)"
    " SELECT $5, c.id, e.input, $6, e.metadata, $4, e.more FROM c CROSS JOIN e"
    " RETURNING {item all}), "
    PROMPT_AUDIT("'Dataset', id, name, json_build_object('items', 1,"
                 " 'executionId', $4::uuid) FROM c")
    "SELECT CASE WHEN i.id IS NOT NULL THEN 0"
    " WHEN t.room IS NOT NULL THEN t.room"
    " WHEN o.id IS NULL THEN " PROMPT_DATASET_OTHERWISE
    " ELSE (ARRAY[26, 24, 25])[1 + prompt_execution_paid($4, $2)] END,"
    " (SELECT j.records_content FROM projects j WHERE j.id = $2),"
    " {item row i}"
    " FROM (VALUES (1)) AS one LEFT JOIN o ON true LEFT JOIN t ON true"
    " LEFT JOIN i ON true",
    "uuluuj", 2, PROMPT_STATEMENT_COMMITS
};


/* datasets first: whoever changes one holds it, and others in their order */
const prompt_source_t  prompt_sql_dataset_remove = {
    "WITH o AS MATERIALIZED ("
    "SELECT d.id FROM datasets d WHERE d.project_id = $2 AND d.state = 0"
    " AND d.id = ANY (ARRAY("
    "SELECT x.dataset_id FROM dataset_items x WHERE x.id = ANY ($1)))"
    " ORDER BY d.id FOR NO KEY UPDATE), "
    "g AS ("
    "DELETE FROM dataset_items x USING o"
    " WHERE x.id = ANY ($1) AND x.dataset_id = o.id"
    " RETURNING x.dataset_id, x.bytes), "

    /* what was to be run on them */

    "n AS ("
    "DELETE FROM run_cells x USING runs r JOIN o ON r.dataset_id = o.id"
    " WHERE x.run_id = r.id AND x.item_id = ANY ($1) AND x.state = 0"
    " RETURNING x.run_id), "
    "m AS ("
    "UPDATE runs r SET total = r.total - x.cells"
    " FROM (SELECT run_id, count(*)::integer AS cells FROM n GROUP BY 1) x"
    " WHERE r.id = x.run_id), "
    "s AS ("
    "SELECT dataset_id, count(*)::integer AS items, sum(bytes) AS bytes"
    " FROM g GROUP BY dataset_id), "
    "c AS ("
    "UPDATE datasets d SET item_count = d.item_count - s.items,"
    " bytes = d.bytes - s.bytes FROM s WHERE d.id = s.dataset_id"
    " RETURNING d.id, d.name), "
    PROMPT_AUDIT("'Dataset', CASE WHEN x.n = 1 THEN x.id::uuid END,"
                 " CASE WHEN x.n = 1 THEN x.name END,"
                 " json_build_object('items', (SELECT sum(items) FROM s))"
                 " FROM (SELECT count(*) AS n, min(c.id::text) AS id,"
                 " min(c.name) AS name FROM c) x WHERE x.n > 0")
    "SELECT count(*)::integer FROM g",
    "Uu", 1, PROMPT_STATEMENT_COMMITS
};


bool
prompt_dataset_seen(prompt_query_t *query, const prompt_datasets_t *of)
{
    return prompt_append(query, PROMPT_STATEMENT_DATASET_SEEN,
                         prompt_as_uuid(of->project_id),
                         prompt_as_uuid(of->id));
}


prompt_outcome_t
prompt_dataset_seen_row(const prompt_rows_t *rows)
{
    return rows->count == 0 ? PROMPT_OUTCOME_NOT_FOUND
                            : prompt_outcome_row(rows);
}


bool
prompt_dataset_read(prompt_query_t *query, const prompt_datasets_t *of)
{
    return prompt_append(query, PROMPT_STATEMENT_DATASET_READ,
                         prompt_as_datasets(of));
}


bool
prompt_dataset_items(prompt_query_t *query, const prompt_datasets_t *of,
    uint32_t first, prompt_str_t after)
{
    return prompt_append(query, PROMPT_STATEMENT_DATASET_ITEMS,
                         prompt_as_datasets(of), prompt_as_limit(first),
                         prompt_as_maybe_uuid(after));
}


void
prompt_dataset_row(const prompt_rows_t *rows, unsigned row,
    prompt_dataset_t *dataset)
{
    prompt_columns_read_returned(&prompt_dataset_resource, rows, row, 0,
                                 dataset);
}


void
prompt_dataset_item_row(const prompt_rows_t *rows, unsigned row,
    prompt_dataset_item_t *item)
{
    prompt_columns_read_returned(&prompt_dataset_item_resource, rows, row, 0,
                                 item);
}


bool
prompt_dataset_create(prompt_query_t *query, const prompt_dataset_t *dataset,
    uint32_t most)
{
    return prompt_append(query, PROMPT_STATEMENT_DATASET_CREATE,
                         prompt_as_id_time(dataset->id),
                         prompt_as_text(dataset->name),
                         prompt_as_uuid(dataset->project_id),
                         prompt_as_int8((int64_t) (dataset->description.len
                                                   + dataset->checks.len)),
                         prompt_as_int8(most),
                         prompt_as_create(&prompt_dataset_resource, dataset));
}


/* how many bytes there are to be, where that is given */
static prompt_maybe_t
prompt_dataset_bytes(prompt_mask_t given, prompt_mask_t bit, prompt_str_t text)
{
    return (given & bit) != 0 ? prompt_maybe((int64_t) text.len)
                              : prompt_maybe_unknown;
}


bool
prompt_dataset_update(prompt_query_t *query, prompt_mask_t given,
    const prompt_dataset_t *dataset)
{
    return prompt_append(query, PROMPT_STATEMENT_DATASET_UPDATE,
               prompt_as_uuid(dataset->id), prompt_as_uuid(dataset->project_id),
               prompt_as_maybe_int8(prompt_dataset_bytes(given,
                          prompt_bit(&prompt_dataset_resource,
                                     prompt_dataset_t, description),
                          dataset->description)),
               prompt_as_maybe_int8(prompt_dataset_bytes(given,
                          prompt_bit(&prompt_dataset_resource,
                                     prompt_dataset_t, checks),
                          dataset->checks)),
               prompt_as_change(&prompt_dataset_resource, given, dataset));
}


bool
prompt_dataset_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_DATASET_DELETE,
                         prompt_as_uuid(id), prompt_as_uuid(project));
}


void
prompt_dataset_add_item(prompt_dataset_add_t *add,
    const prompt_dataset_item_t *item)
{
    prompt_buf_t  *list;

    list = &add->list;
    add->bytes += item->input.len + item->expected.len + item->metadata.len;

    prompt_buf_printf(list, "%c{\"n\":%u", add->count == 0 ? '[' : ',',
                      add->count);
    prompt_columns_write(&prompt_dataset_item_resource,
                         prompt_columns_with(&prompt_dataset_item_resource,
                                             PROMPT_COLUMN_CREATE),
                         item, list);
    prompt_buf_char(list, '}');

    add->count++;
}


bool
prompt_dataset_add(prompt_query_t *query, const prompt_dataset_add_t *add)
{
    return add->list.status == PROMPT_BUF_OK
           && prompt_append(query, PROMPT_STATEMENT_DATASET_ADD,
                            prompt_as_uuid(add->dataset_id),
                            prompt_as_uuid(add->project_id),
                            prompt_as_int8(add->most),
                            prompt_as_int4((int32_t) add->count),
                            prompt_as_int8((int64_t) add->bytes),
                            prompt_as_text(prompt_buf_view(&add->list)));
}


bool
prompt_dataset_add_execution(prompt_query_t *query, prompt_str_t project,
    const prompt_dataset_item_t *item, uint32_t most)
{
    return prompt_append(query, PROMPT_STATEMENT_DATASET_ADD_EXECUTION,
                         prompt_as_uuid(item->dataset_id),
                         prompt_as_uuid(project), prompt_as_int8(most),
                         prompt_as_uuid(item->execution_id),
                         prompt_as_uuid(item->id),
                         prompt_as_text(item->expected));
}


prompt_outcome_t
prompt_dataset_added_row(const prompt_rows_t *rows,
    prompt_dataset_item_t *item, bool *recorded)
{
    prompt_outcome_t  outcome;

    outcome = prompt_outcome_row(rows);

    if (rows->count == 1) {
        *recorded = prompt_cell_bool(prompt_rows_cell(rows, 0, 1));
        prompt_columns_read_returned(&prompt_dataset_item_resource, rows, 0, 2,
                                     item);
    }

    return outcome;
}


bool
prompt_dataset_remove(prompt_query_t *query, prompt_str_t ids,
    prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_DATASET_REMOVE,
                         prompt_as_uuids(ids), prompt_as_uuid(project));
}
