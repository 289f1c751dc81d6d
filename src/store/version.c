/*
 * Versions: their statements.
 */

#include "store/version.h"
#include "store/statement_table.h"


static const char *const  prompt_version_columns[] = {
    "v.id",
    PROMPT_GUARDED_TEXT("v.content"),
    PROMPT_GUARDED_JSON("v.params"),
    PROMPT_GUARDED_JSON("v.input_schema"),
    "v.created_at"
};

#define PROMPT_VERSION_NCOLUMNS                                              \
    (sizeof(prompt_version_columns) / sizeof(char *))


#define PROMPT_VERSION_COLUMNS                                               \
    "v.prompt_id, v.version", 2,                                             \
    prompt_version_columns, PROMPT_VERSION_NCOLUMNS,                         \
    PROMPT_VERSION_CONTENT|PROMPT_VERSION_PARAMS|PROMPT_VERSION_INPUT_SCHEMA


/* max_rows, max_bytes */
#define PROMPT_TYPES_GUARD  PROMPT_OID_INT8, PROMPT_OID_INT8

/* after, first, last, and these */
#define PROMPT_TYPES_SOME                                                    \
    PROMPT_OID_UUID, PROMPT_OID_INT8, PROMPT_OID_INT8, PROMPT_TYPES_GUARD

static const uint32_t  prompt_types_by_id[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_TYPES_GUARD
};

static const uint32_t  prompt_types_by_name[] = {
    PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_TYPES_GUARD
};

static const uint32_t  prompt_types_all[] = {
    PROMPT_OID_UUID, PROMPT_TYPES_GUARD
};

static const uint32_t  prompt_types_page[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_OID_INT8,
    PROMPT_TYPES_GUARD
};

static const uint32_t  prompt_types_ids[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUIDS, PROMPT_TYPES_GUARD
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

static const uint32_t  prompt_types_create[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_TEXT,
    PROMPT_OID_JSON, PROMPT_OID_JSON
};


/*
 * By id: only of a prompt that the caller may read.  All of an owner's: one
 * range of one index, no join.
 */
const prompt_shape_t  prompt_version_shapes[PROMPT_VERSIONS_STATEMENTS] = {
    { "version_by_id", PROMPT_VERSION_COLUMNS,
      PROMPT_GUARD("$4") "prompts p"
      " JOIN prompt_versions v ON v.prompt_id = p.id"
      " WHERE p.id = $1 AND p.state = 0 AND (p.owner_id = $2 OR p.is_public)"
      " ORDER BY v.version LIMIT $3",
      prompt_types(prompt_types_by_id) },

    { "version_by_name", PROMPT_VERSION_COLUMNS,
      PROMPT_GUARD("$4") "prompts p"
      " JOIN prompt_versions v ON v.prompt_id = p.id"
      " WHERE p.owner_id = $1 AND p.name = $2 AND p.state = 0"
      " ORDER BY v.version LIMIT $3",
      prompt_types(prompt_types_by_name) },

    { "version_all", PROMPT_VERSION_COLUMNS,
      PROMPT_GUARD("$3") "prompt_versions v WHERE v.owner_id = $1"
      " AND " PROMPT_SCOPE_SHOWN_SQL("v.prompt_id")
      " ORDER BY v.prompt_id DESC, v.version LIMIT $2",
      prompt_types(prompt_types_all) },

    { "version_page", PROMPT_VERSION_COLUMNS,
      PROMPT_GUARD("$6") "(SELECT p.id FROM " PROMPT_SCOPE_PAGE_SQL ") p"
      PROMPT_VERSIONS_OF_EACH("$5")
      " ORDER BY p.id DESC, v.version LIMIT $5",
      prompt_types(prompt_types_page) },

    { "version_ids", PROMPT_VERSION_COLUMNS,
      PROMPT_GUARD("$4") "(SELECT p.id FROM " PROMPT_SCOPE_IDS_SQL ") p"
      PROMPT_VERSIONS_OF_EACH("$3")
      " ORDER BY p.id DESC, v.version LIMIT $3",
      prompt_types(prompt_types_ids) },

    { "version_some_by_id", PROMPT_VERSION_COLUMNS,
      PROMPT_GUARD("$7") "prompts p" PROMPT_VERSIONS_SQL("$3", "$4", "$5")
      "WHERE p.id = $1 AND p.state = 0 AND (p.owner_id = $2 OR p.is_public)"
      " ORDER BY v.version LIMIT $6",
      prompt_types(prompt_types_some_by_id) },

    { "version_some_by_name", PROMPT_VERSION_COLUMNS,
      PROMPT_GUARD("$7") "prompts p" PROMPT_VERSIONS_SQL("$3", "$4", "$5")
      "WHERE p.owner_id = $1 AND p.name = $2 AND p.state = 0"
      " ORDER BY v.version LIMIT $6",
      prompt_types(prompt_types_some_by_name) },

    { "version_some_page", PROMPT_VERSION_COLUMNS,
      PROMPT_GUARD("$9") "(SELECT p.id FROM " PROMPT_SCOPE_PAGE_SQL ") p"
      PROMPT_VERSIONS_SQL("$5", "$6", "$7")
      "ORDER BY p.id DESC, v.version LIMIT $8",
      prompt_types(prompt_types_some_page) },

    { "version_some_ids", PROMPT_VERSION_COLUMNS,
      PROMPT_GUARD("$7") "(SELECT p.id FROM " PROMPT_SCOPE_IDS_SQL ") p"
      PROMPT_VERSIONS_SQL("$3", "$4", "$5")
      "ORDER BY p.id DESC, v.version LIMIT $6",
      prompt_types(prompt_types_some_ids) }
};


/*
 * Whoever adds a version holds the prompt's row until its transaction ends;
 * the next one then reads the number anew.  A number that is not committed
 * goes back with the row.
 */
const prompt_statement_t  prompt_sql_version_create = {
    PROMPT_STATEMENT_VERSION_CREATE, "version_create",
    "WITH target AS (SELECT owner_id FROM prompts"
    " WHERE id = $1 AND state = 0), "
    "p AS ("
    "UPDATE prompts SET last_version = last_version + 1,"
    " updated_at = greatest(now(), updated_at + interval '1 millisecond')"
    " WHERE id = $1 AND owner_id = $2 AND state = 0"
    " RETURNING id, owner_id, last_version), "
    "c AS ("
    "INSERT INTO prompt_versions"
    " (id, prompt_id, owner_id, version, content, params, input_schema)"
    " SELECT $3, p.id, p.owner_id, p.last_version, $4, $5, $6 FROM p"
    " RETURNING version, created_at) "
    "SELECT CASE WHEN c.version IS NOT NULL THEN 0"
    " WHEN t.owner_id <> $2 THEN 2 ELSE 1 END, c.version, c.created_at"
    " FROM (VALUES (1)) AS one LEFT JOIN target t ON true LEFT JOIN c ON true",
    prompt_types(prompt_types_create), 3, 0, PROMPT_STATEMENT_COMMITS
};


bool
prompt_version_read(prompt_query_t *query, const prompt_scope_t *scope,
    const prompt_versions_t *versions, uint32_t mask)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query,
               prompt_statement_shape(PROMPT_SHAPE_VERSION_BY_ID
                                      + prompt_versions_index(scope, versions),
                                      mask));
    prompt_scope_bind(&bind, scope, versions);
    prompt_guard_bind(&bind, scope);

    return prompt_bind_end(&bind);
}


void
prompt_version_row(const prompt_statement_t *statement,
    const prompt_rows_t *rows, unsigned row, prompt_version_t *version)
{
    unsigned  column;

    column = 2;

    version->prompt_id = prompt_rows_cell(rows, row, 0);
    version->version =
        (int32_t) prompt_cell_int(prompt_rows_cell(rows, row, 1));

    version->id = prompt_shape_cell(statement, rows, row,
                                    PROMPT_VERSION_ID, &column);
    version->content = prompt_shape_cell(statement, rows, row,
                                         PROMPT_VERSION_CONTENT, &column);
    version->params = prompt_shape_cell(statement, rows, row,
                                        PROMPT_VERSION_PARAMS, &column);
    version->input_schema = prompt_shape_cell(statement, rows, row,
                                              PROMPT_VERSION_INPUT_SCHEMA,
                                              &column);
    version->created_at =
        prompt_cell_time(prompt_shape_cell(statement, rows, row,
                                          PROMPT_VERSION_CREATED_AT,
                                          &column));
}


bool
prompt_version_create(prompt_query_t *query, prompt_str_t caller,
    const prompt_version_new_t *version)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_version_create);
    prompt_bind_uuid(&bind, version->prompt_id);
    prompt_bind_uuid(&bind, caller);
    prompt_bind_uuid(&bind, version->id);
    prompt_bind_text(&bind, version->content);
    prompt_bind_text(&bind, version->params);
    prompt_bind_text(&bind, version->input_schema);

    return prompt_bind_end(&bind);
}


prompt_outcome_t
prompt_version_created_row(const prompt_rows_t *rows,
    prompt_version_t *version)
{
    int64_t  outcome;

    if (rows->count != 1) {
        return PROMPT_OUTCOME_BROKEN;
    }

    outcome = prompt_cell_int(prompt_rows_cell(rows, 0, 0));

    if (outcome != PROMPT_OUTCOME_DONE) {
        return (prompt_outcome_t) outcome;
    }

    version->version =
        (int32_t) prompt_cell_int(prompt_rows_cell(rows, 0, 1));
    version->created_at = prompt_cell_time(prompt_rows_cell(rows, 0, 2));

    return PROMPT_OUTCOME_DONE;
}
