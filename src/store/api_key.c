/*
 * API keys: their statements.
 */

#include "store/api_key.h"
#include "store/statement_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_api_key_t, member, kind, flags)

static const prompt_column_t  prompt_api_key_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID|PROMPT_COLUMN_CREATE),
    column(user_id, UUID, PROMPT_COLUMN_UNREAD|PROMPT_COLUMN_CREATE),
    column(project_id, UUID,
           PROMPT_COLUMN_UNREAD|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CREATE),
    column(hash, BYTES, PROMPT_COLUMN_UNREAD|PROMPT_COLUMN_CREATE),
    column(name, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_CREATE),
    column(hint, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_CREATE),
    column(scopes, INT, PROMPT_COLUMN_CREATE),
    column(created_at, TIME, PROMPT_COLUMN_OF_ID),
    column(expires_at, TIME, PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CREATE),
    column(last_used_at, TIME, PROMPT_COLUMN_NULLABLE)
};

#undef column

const prompt_resource_t  prompt_api_key_resource = {
    "api_key", 'k', prompt_columns(prompt_api_key_columns)
};


/*
 * A look into the unique index of the hashes, and one at the member.  A session
 * that rests ends before its time.
 */
const prompt_source_t  prompt_sql_api_key_by_hash = {
    "SELECT k.id, k.user_id, k.scopes,"
    " least(k.expires_at, k.last_used_at + k.idle),"
    " coalesce($2, k.project_id), coalesce(m.role, 0)"
    " FROM api_keys k LEFT JOIN project_members m"
    " ON m.project_id = coalesce($2, k.project_id) AND m.user_id = k.user_id"
    " WHERE k.hash = $1 AND k.deleted_at IS NULL",
    "yu", 6, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_api_key_list = {
    "SELECT {api_key select k} FROM api_keys k"
    " WHERE project_id = $1 AND kind = 'key' AND deleted_at IS NULL"
    " ORDER BY id DESC",
    "u", 0, PROMPT_STATEMENT_READS
};


/*
 * The lock waits for who takes its maker out of the project, and makes one that
 * comes wait: that ends the key which this makes.  No row: the maker is no
 * member; no id: there are as many keys as the quota.
 */
const prompt_source_t  prompt_sql_api_key_create = {
    "WITH c ({api_key create}) AS (VALUES ({api_key create_values})), "
    "r AS MATERIALIZED (SELECT " PROMPT_QUOTA_KEYS " AS room), "
    "q AS MATERIALIZED (SELECT r.room FROM r, c JOIN project_members m"
    " ON m.project_id = coalesce(c.project_id, c.user_id)"
    " AND m.user_id = c.user_id AND m.role > 0 FOR SHARE OF m), "
    "k AS (INSERT INTO api_keys AS k ({api_key create}, created_at)"
    " SELECT c.*, $1 FROM c, q WHERE q.room RETURNING {api_key all}) "
    "SELECT {api_key row k} FROM q LEFT JOIN k ON true",
    "z", 0, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_api_key_delete = {
    "UPDATE api_keys SET deleted_at = least(deleted_at, now())"
    " WHERE id = $1 AND project_id = $2 AND kind = 'key' RETURNING hash",
    "uu", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_api_key_delete_any = {
    "UPDATE api_keys SET deleted_at = least(deleted_at, now())"
    " WHERE id = $1 AND kind = 'key' RETURNING hash",
    "u", 1, PROMPT_STATEMENT_COMMITS
};


/*
 * What another worker has noted a moment ago is left as it is, and what
 * somebody holds will be noted the next time.
 */
const prompt_source_t  prompt_sql_api_key_used = {
    "WITH used AS ("
    "SELECT id FROM api_keys WHERE id = ANY ($1)"
    " AND (last_used_at IS NULL"
    " OR last_used_at < now() - interval '20 seconds')"
    " AND set_config('synchronous_commit', 'off', true) IS NOT NULL"
    " ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) "
    "UPDATE api_keys k SET last_used_at = now() FROM used WHERE k.id = used.id",
    "U", 0, PROMPT_STATEMENT_WRITES
};


bool
prompt_api_key_by_hash(prompt_query_t *query, prompt_str_t hash,
    prompt_str_t project)
{
    if (hash.len != PROMPT_API_KEY_HASH_LEN) {
        return false;
    }

    return prompt_append(query, PROMPT_STATEMENT_API_KEY_BY_HASH,
                         prompt_as_text(hash), prompt_as_maybe_uuid(project));
}


void
prompt_api_key_auth_row(const prompt_rows_t *rows, unsigned row,
    prompt_api_key_auth_t *key)
{
    key->id = prompt_rows_cell(rows, row, 0);
    key->user_id = prompt_rows_cell(rows, row, 1);
    key->scopes = (unsigned) prompt_cell_int(prompt_rows_cell(rows, row, 2));
    key->expires_at = prompt_cell_maybe_time(prompt_rows_cell(rows, row, 3));
    key->project_id = prompt_rows_cell(rows, row, 4);
    key->role = (prompt_role_e) prompt_cell_int(prompt_rows_cell(rows, row, 5));
}


bool
prompt_api_key_list(prompt_query_t *query, prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_API_KEY_LIST,
                         prompt_as_uuid(project));
}


bool
prompt_api_key_create(prompt_query_t *query, const prompt_api_key_t *key)
{
    if (key->hash.len != PROMPT_API_KEY_HASH_LEN) {
        return false;
    }

    return prompt_append(query, PROMPT_STATEMENT_API_KEY_CREATE,
                         prompt_as_id_time(key->id),
                         prompt_as_create(&prompt_api_key_resource, key));
}


void
prompt_api_key_row(const prompt_rows_t *rows, unsigned row,
    prompt_api_key_t *key)
{
    prompt_columns_read(&prompt_api_key_resource,
                        prompt_columns_returned(&prompt_api_key_resource), rows,
                        row, 0, key);
}


bool
prompt_api_key_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_API_KEY_DELETE,
                         prompt_as_uuid(id), prompt_as_uuid(project));
}


bool
prompt_api_key_delete_any(prompt_query_t *query, prompt_str_t id)
{
    return prompt_append(query, PROMPT_STATEMENT_API_KEY_DELETE_ANY,
                         prompt_as_uuid(id));
}


prompt_str_t
prompt_api_key_delete_row(const prompt_rows_t *rows)
{
    prompt_str_t  hash;

    if (rows->count != 1) {
        return prompt_str_absent;
    }

    hash = prompt_rows_cell(rows, 0, 0);

    return hash.len == PROMPT_API_KEY_HASH_LEN ? hash : prompt_str_absent;
}


bool
prompt_api_key_used(prompt_query_t *query, prompt_str_t ids)
{
    return prompt_append(query, PROMPT_STATEMENT_API_KEY_USED,
                         prompt_as_uuids(ids));
}
