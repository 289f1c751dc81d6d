/*
 * Prompts: their statements.
 *
 * A change is one statement that finds, checks and does, and answers with one
 * row: the outcome, and the prompt as it is now.  `target` sees the row as it
 * was when the statement began; the change itself waits for whoever holds the
 * row and looks again.  So where the change found nothing though the target
 * was the caller's, the row was deleted in between: NOT_FOUND.
 */

#include "store/prompt.h"
#include "store/statement_table.h"


/* of a change: outcome and these */
#define PROMPT_CHANGED_COLUMNS                                               \
    "id, name, description, category, is_public, created_at, updated_at,"    \
    " owner_id"

#define PROMPT_CHANGED_ROW                                                   \
    "c.id, c.name, c.description, c.category, c.is_public, c.created_at,"    \
    " c.updated_at, c.owner_id"

/* later than it was by what a client can see, whatever the clocks say */
#define PROMPT_TOUCH                                                         \
    "updated_at = greatest(now(), updated_at + interval '1 millisecond')"


static const char *const  prompt_columns[] = {
    "p.name",
    PROMPT_GUARDED_TEXT("p.description"),
    "p.category",
    "p.is_public",
    "p.created_at",
    "p.updated_at",
    "p.owner_id"
};

#define PROMPT_NCOLUMNS  (sizeof(prompt_columns) / sizeof(char *))


#define PROMPT_COLUMNS                                                       \
    prompt_columns, PROMPT_NCOLUMNS, PROMPT_PROMPT_DESCRIPTION


static const uint32_t  prompt_types_by_id[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_INT8, PROMPT_OID_INT8
};

static const uint32_t  prompt_types_by_name[] = {
    PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_OID_INT8, PROMPT_OID_INT8
};

static const uint32_t  prompt_types_all[] = {
    PROMPT_OID_UUID, PROMPT_OID_INT8, PROMPT_OID_INT8
};

static const uint32_t  prompt_types_page[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_OID_INT8,
    PROMPT_OID_INT8, PROMPT_OID_INT8
};

static const uint32_t  prompt_types_ids[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUIDS, PROMPT_OID_INT8, PROMPT_OID_INT8
};

static const uint32_t  prompt_types_search[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_OID_TEXT,
    PROMPT_OID_INT8
};

static const uint32_t  prompt_types_delete[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID
};

static const uint32_t  prompt_types_create[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_OID_TEXT,
    PROMPT_OID_TEXT, PROMPT_OID_BOOL
};

static const uint32_t  prompt_types_update[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_OID_BOOL,
    PROMPT_OID_TEXT, PROMPT_OID_TEXT, PROMPT_OID_BOOL
};

static const uint32_t  prompt_types_fork[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_TEXT
};


/* by id and by name there is one row at most, and max_rows is not looked at */
const prompt_shape_t  prompt_prompt_shapes[PROMPT_SCOPE_STATEMENTS] = {
    { "prompt_by_id", "p.id, p.owner_id = $2 OR p.is_public", 2,
      PROMPT_COLUMNS,
      PROMPT_GUARD("$4") "prompts p WHERE p.id = $1",
      prompt_types(prompt_types_by_id) },

    { "prompt_by_name", "p.id, true", 2,
      PROMPT_COLUMNS,
      PROMPT_GUARD("$4") "prompts p WHERE p.owner_id = $1 AND p.name = $2",
      prompt_types(prompt_types_by_name) },

    { "prompt_all", "p.id, true", 2,
      PROMPT_COLUMNS,
      PROMPT_GUARD("$3") "prompts p WHERE p.owner_id = $1"
      " ORDER BY p.id DESC LIMIT $2",
      prompt_types(prompt_types_all) },

    { "prompt_page", "p.id, true", 2,
      PROMPT_COLUMNS,
      PROMPT_GUARD("$6") "(SELECT p.* FROM " PROMPT_SCOPE_PAGE_SQL ") p"
      " ORDER BY p.id DESC LIMIT $5",
      prompt_types(prompt_types_page) },

    { "prompt_ids", "p.id, true", 2,
      PROMPT_COLUMNS,
      PROMPT_GUARD("$4") PROMPT_SCOPE_IDS_SQL " ORDER BY p.id DESC LIMIT $3",
      prompt_types(prompt_types_ids) }
};


/*
 * Lower case as prompt_fold() has it, which goes through ICU and takes long;
 * for ASCII there is a shorter way.
 */
#define PROMPT_FOLD(text)                                                    \
    "CASE WHEN octet_length(" text ") = char_length(" text ")"               \
    " THEN lower(" text " COLLATE \"C\") ELSE prompt_fold(" text ") END"

#define PROMPT_FOUND(column)                                                 \
    "strpos(" PROMPT_FOLD(column) ", (SELECT " PROMPT_FOLD("$4") ")) > 0"

/* as many as $5 are looked at, however few are found */
const prompt_statement_t  prompt_sql_prompt_search = {
    PROMPT_STATEMENT_PROMPT_SEARCH, "prompt_search",
    "SELECT p.id, coalesce(" PROMPT_FOUND("p.name")
    " OR " PROMPT_FOUND("p.description") ", false)"
    " FROM prompts p WHERE p.owner_id = $1 AND p.id < $2"
    " AND ($3::text IS NULL OR p.category = $3)"
    " ORDER BY p.id DESC LIMIT $5",
    prompt_types(prompt_types_search), 2, 0, PROMPT_STATEMENT_READS
};


const prompt_statement_t  prompt_sql_prompt_create = {
    PROMPT_STATEMENT_PROMPT_CREATE, "prompt_create",
    "WITH c AS ("
    "INSERT INTO prompts"
    " (id, owner_id, name, description, category, is_public, updated_at)"
    " VALUES ($1, $2, $3, $4, $5, $6, prompt_uuid_time($1))"
    " ON CONFLICT (owner_id, name) DO NOTHING"
    " RETURNING " PROMPT_CHANGED_COLUMNS ") "
    "SELECT CASE WHEN c.id IS NULL THEN 3 ELSE 0 END, " PROMPT_CHANGED_ROW
    " FROM (VALUES (1)) AS one LEFT JOIN c ON true",
    prompt_types(prompt_types_create), 9, 0, PROMPT_STATEMENT_COMMITS
};


const prompt_statement_t  prompt_sql_prompt_update = {
    PROMPT_STATEMENT_PROMPT_UPDATE, "prompt_update",
    "WITH target AS (SELECT owner_id FROM prompts WHERE id = $1), "
    "c AS ("
    "UPDATE prompts SET name = coalesce($3, name),"
    " description = CASE WHEN $4 THEN $5 ELSE description END,"
    " category = coalesce($6, category),"
    " is_public = coalesce($7, is_public), " PROMPT_TOUCH
    " WHERE id = $1 AND owner_id = $2"
    " RETURNING " PROMPT_CHANGED_COLUMNS ") "
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " WHEN t.owner_id <> $2 THEN 2 ELSE 1 END, " PROMPT_CHANGED_ROW
    " FROM (VALUES (1)) AS one LEFT JOIN target t ON true LEFT JOIN c ON true",
    prompt_types(prompt_types_update), 9, 0, PROMPT_STATEMENT_COMMITS
};


/*
 * The name: 116 characters of the original's, "-fork-" and six, which makes
 * 128; no hyphen before "-fork", since names have no double ones.
 *
 * The ids of the versions: random ones of PostgreSQL's (version 4), with the
 * time of the new prompt's id in front and the version digit of UUIDv7.
 */
const prompt_statement_t  prompt_sql_prompt_fork = {
    PROMPT_STATEMENT_PROMPT_FORK, "prompt_fork",
    "WITH target AS ("
    "SELECT name, description, category, last_version,"
    " (owner_id = $2 OR is_public) AS allowed"
    " FROM prompts WHERE id = $1), "
    "c AS ("
    "INSERT INTO prompts (id, owner_id, name, description, category,"
    " is_public, last_version, updated_at)"
    " SELECT $3, $2, rtrim(left(name, 116), '-') || '-fork-' || $4,"
    " description, category, false, last_version, prompt_uuid_time($3)"
    " FROM target WHERE allowed"
    " ON CONFLICT (owner_id, name) DO NOTHING"
    " RETURNING " PROMPT_CHANGED_COLUMNS "), "
    "versions AS ("
    "INSERT INTO prompt_versions"
    " (id, prompt_id, owner_id, version, content, params, input_schema)"
    " SELECT (substr(c.id::text, 1, 14) || '7'"
    " || substr(gen_random_uuid()::text, 16))::uuid,"
    " c.id, c.owner_id, v.version, v.content, v.params, v.input_schema"
    " FROM c JOIN prompt_versions v ON v.prompt_id = $1) "
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " WHEN t.allowed IS NULL THEN 1 WHEN NOT t.allowed THEN 2 ELSE 3 END, "
    PROMPT_CHANGED_ROW
    " FROM (VALUES (1)) AS one LEFT JOIN target t ON true LEFT JOIN c ON true",
    prompt_types(prompt_types_fork), 9, 0, PROMPT_STATEMENT_COMMITS
};


const prompt_statement_t  prompt_sql_prompt_delete = {
    PROMPT_STATEMENT_PROMPT_DELETE, "prompt_delete",
    "WITH target AS (SELECT owner_id FROM prompts WHERE id = $1), "
    "c AS ("
    "DELETE FROM prompts WHERE id = $1 AND owner_id = $2 RETURNING id) "
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " WHEN t.owner_id <> $2 THEN 2 ELSE 1 END"
    " FROM (VALUES (1)) AS one LEFT JOIN target t ON true LEFT JOIN c ON true",
    prompt_types(prompt_types_delete), 1, 0, PROMPT_STATEMENT_COMMITS
};


bool
prompt_read(prompt_query_t *query, const prompt_scope_t *scope, uint32_t mask)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query,
                      prompt_statement_shape(PROMPT_SHAPE_PROMPT_BY_ID
                                             + prompt_scope_index(scope),
                                             mask));
    prompt_scope_bind(&bind, scope, NULL);
    prompt_guard_bind(&bind, scope);

    return prompt_bind_end(&bind);
}


bool
prompt_search(prompt_query_t *query, const prompt_scope_t *scope,
    prompt_str_t text, uint32_t limit)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_prompt_search);
    prompt_bind_uuid(&bind, scope->caller);
    prompt_bind_id_below(&bind, scope->after);
    prompt_bind_text(&bind, scope->category);
    prompt_bind_text(&bind, text);
    prompt_bind_limit(&bind, limit);

    return prompt_bind_end(&bind);
}


bool
prompt_search_row(const prompt_rows_t *rows, unsigned row, prompt_str_t *id)
{
    *id = prompt_rows_cell(rows, row, 0);

    return prompt_cell_bool(prompt_rows_cell(rows, row, 1));
}


void
prompt_row(const prompt_statement_t *statement, const prompt_rows_t *rows,
    unsigned row, prompt_record_t *prompt)
{
    unsigned  column;

    column = 2;

    prompt->id = prompt_rows_cell(rows, row, 0);
    prompt->allowed = prompt_cell_bool(prompt_rows_cell(rows, row, 1));

    prompt->name = prompt_shape_cell(statement, rows, row,
                                     PROMPT_PROMPT_NAME, &column);
    prompt->description = prompt_shape_cell(statement, rows, row,
                                            PROMPT_PROMPT_DESCRIPTION,
                                            &column);
    prompt->category = prompt_shape_cell(statement, rows, row,
                                         PROMPT_PROMPT_CATEGORY, &column);
    prompt->is_public =
        prompt_cell_bool(prompt_shape_cell(statement, rows, row,
                                           PROMPT_PROMPT_IS_PUBLIC, &column));
    prompt->created_at =
        prompt_cell_time(prompt_shape_cell(statement, rows, row,
                                          PROMPT_PROMPT_CREATED_AT, &column));
    prompt->updated_at =
        prompt_cell_time(prompt_shape_cell(statement, rows, row,
                                          PROMPT_PROMPT_UPDATED_AT, &column));
    prompt->owner_id = prompt_shape_cell(statement, rows, row,
                                         PROMPT_PROMPT_OWNER_ID, &column);
}


bool
prompt_create(prompt_query_t *query, const prompt_new_t *prompt)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_prompt_create);
    prompt_bind_uuid(&bind, prompt->id);
    prompt_bind_uuid(&bind, prompt->owner_id);
    prompt_bind_text(&bind, prompt->name);
    prompt_bind_text(&bind, prompt->description);
    prompt_bind_text(&bind, prompt->category);
    prompt_bind_bool(&bind, prompt->is_public);

    return prompt_bind_end(&bind);
}


bool
prompt_update(prompt_query_t *query, prompt_str_t id, prompt_str_t caller,
    const prompt_change_t *change)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_prompt_update);
    prompt_bind_uuid(&bind, id);
    prompt_bind_uuid(&bind, caller);
    prompt_bind_text(&bind, change->name);
    prompt_bind_bool(&bind, change->set_description);
    prompt_bind_text(&bind, change->description);
    prompt_bind_text(&bind, change->category);
    prompt_bind_maybe_bool(&bind, change->is_public);

    return prompt_bind_end(&bind);
}


bool
prompt_fork(prompt_query_t *query, prompt_str_t id, prompt_str_t caller,
    prompt_str_t new_id, prompt_str_t suffix)
{
    prompt_bind_t  bind;

    if (suffix.len != PROMPT_FORK_SUFFIX_LEN) {
        return false;
    }

    prompt_bind_begin(&bind, query, &prompt_sql_prompt_fork);
    prompt_bind_uuid(&bind, id);
    prompt_bind_uuid(&bind, caller);
    prompt_bind_uuid(&bind, new_id);
    prompt_bind_text(&bind, suffix);

    return prompt_bind_end(&bind);
}


prompt_outcome_t
prompt_changed_row(const prompt_rows_t *rows, prompt_record_t *prompt)
{
    int64_t  outcome;

    if (rows->count != 1) {
        return PROMPT_OUTCOME_BROKEN;
    }

    outcome = prompt_cell_int(prompt_rows_cell(rows, 0, 0));

    if (outcome != PROMPT_OUTCOME_DONE) {
        return (prompt_outcome_t) outcome;
    }

    prompt->id = prompt_rows_cell(rows, 0, 1);
    prompt->allowed = true;
    prompt->name = prompt_rows_cell(rows, 0, 2);
    prompt->description = prompt_rows_cell(rows, 0, 3);
    prompt->category = prompt_rows_cell(rows, 0, 4);
    prompt->is_public = prompt_cell_bool(prompt_rows_cell(rows, 0, 5));
    prompt->created_at = prompt_cell_time(prompt_rows_cell(rows, 0, 6));
    prompt->updated_at = prompt_cell_time(prompt_rows_cell(rows, 0, 7));
    prompt->owner_id = prompt_rows_cell(rows, 0, 8);

    return PROMPT_OUTCOME_DONE;
}


bool
prompt_delete(prompt_query_t *query, prompt_str_t id, prompt_str_t caller)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_prompt_delete);
    prompt_bind_uuid(&bind, id);
    prompt_bind_uuid(&bind, caller);

    return prompt_bind_end(&bind);
}


prompt_outcome_t
prompt_delete_row(const prompt_rows_t *rows)
{
    if (rows->count != 1) {
        return PROMPT_OUTCOME_BROKEN;
    }

    return (prompt_outcome_t) prompt_cell_int(prompt_rows_cell(rows, 0, 0));
}
