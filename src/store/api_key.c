/*
 * API keys: their statements.
 */

#include "store/api_key.h"
#include "store/statement_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_api_key_t, member, kind, flags)

static const prompt_column_t  prompt_api_key_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID|PROMPT_COLUMN_CREATE),
    column(user_id, UUID, PROMPT_COLUMN_CREATE),
    column(project_id, UUID, PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CREATE),
    column(parent_id, UUID, PROMPT_COLUMN_NULLABLE),
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


const prompt_key_scope_t  prompt_key_scopes[PROMPT_KEY_SCOPES + 1] = {
    { prompt_str_init("read"), PROMPT_KEY_SCOPE_READ },
    { prompt_str_init("write"), PROMPT_KEY_SCOPE_WRITE },
    { prompt_str_init("execute"), PROMPT_KEY_SCOPE_EXECUTE },
    { prompt_str_init("keys"), PROMPT_KEY_SCOPE_KEYS },
    { prompt_str_init("admin"), PROMPT_KEY_SCOPE_ADMIN },
    { prompt_str_init("promote"), PROMPT_KEY_SCOPE_PROMOTE },
    { prompt_str_init(""), 0 }
};


/*
 * A look into the unique index of the hashes, and one at the member.  A session
 * that rests ends before its time.
 */
const prompt_source_t  prompt_sql_api_key_by_hash = {
    "SELECT k.id, k.user_id, k.scopes,"
    " least(k.expires_at, k.last_used_at + k.idle),"
    " coalesce($2, k.project_id), coalesce(m.role, 0),"
    " EXISTS (SELECT FROM unnest('00000000-0000-0000-0000-000000000000'::uuid"
    " || prompt_key_line(k.id)) l (id) JOIN budgets b"
    " ON b.project_id = coalesce($2, k.project_id) AND b.run_id IS NULL"
    " AND l.id = coalesce(b.run_id, b.key_id,"
    " '00000000-0000-0000-0000-000000000000')), k.trusted"
    " FROM api_keys k LEFT JOIN project_members m"
    " ON m.project_id = coalesce($2, k.project_id) AND m.user_id = k.user_id"
    " WHERE k.hash = $1 AND k.deleted_at IS NULL",
    "yu", 8, PROMPT_STATEMENT_READS
};


/* by the index of those that are listed, from its end */
const prompt_source_t  prompt_sql_api_key_list = {
    "SELECT {api_key select k} FROM api_keys k"
    " WHERE project_id = $1 AND id < $2 AND kind = 'key'"
    " AND deleted_at IS NULL AND ({by admin} OR user_id = {by user})"
    " ORDER BY project_id DESC, id DESC LIMIT $3",
    "uul", 0, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_api_key_list_any = {
    "SELECT {api_key select k}, p.name"
    " FROM project_members m JOIN projects p ON p.id = m.project_id"
    " CROSS JOIN LATERAL (SELECT x.* FROM api_keys x"
    " WHERE x.project_id = m.project_id AND x.kind = 'key'"
    " AND x.deleted_at IS NULL AND x.user_id = $1 OFFSET 0) k"
    " WHERE m.user_id = $1 ORDER BY k.id DESC",
    "u", 1, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_api_key_projects = {
    "SELECT p.id FROM project_members m JOIN projects p ON p.id = m.project_id"
    " WHERE m.user_id = $1 AND m.role > 0 AND p.state = 0"
    " AND (p.id::text = lower($2) OR p.name = $2)",
    "ut", 1, PROMPT_STATEMENT_READS
};


/*
 * The locks: whoever disables the maker, or takes them out of the project, ends
 * this key, or was before it.  Then the key that makes one is held, and all
 * that it comes from, the first one first: whoever deletes one of these waits,
 * and then sees what was made; or was there before, and nothing is made.  No
 * row: nothing was, for that; no id: there are as many keys as the quota.
 */
const prompt_source_t  prompt_sql_api_key_create = {
    "WITH RECURSIVE c ({api_key create}) AS (VALUES ({api_key create_values})),"
    " r AS MATERIALIZED ("
    "SELECT prompt_room_keys(coalesce(c.project_id, c.user_id))"
    " < {by quota_keys} AS room FROM c),"
    " maker AS MATERIALIZED ("
    "SELECT u.id, r.room FROM r, c JOIN users u"
    " ON u.id = c.user_id AND u.disabled_at IS NULL"
    " JOIN project_members m"
    " ON m.project_id = coalesce(c.project_id, c.user_id)"
    " AND m.user_id = c.user_id AND m.role > 0 FOR SHARE OF u, m), "
    "line AS ("
    "SELECT k.id, k.parent_id, 0 AS depth FROM maker, api_keys k"
    " WHERE k.id = {by key}"
    " UNION ALL SELECT k.id, k.parent_id, l.depth + 1"
    " FROM line l JOIN api_keys k ON k.id = l.parent_id), "
    "held AS MATERIALIZED ("
    "SELECT k.deleted_at FROM line l JOIN api_keys k ON k.id = l.id"
    " ORDER BY l.depth DESC FOR SHARE OF k), "
    "may AS MATERIALIZED ("
    "SELECT m.room FROM maker m"
    " WHERE NOT EXISTS (SELECT FROM held WHERE deleted_at IS NOT NULL)), "
    "made AS ("
    "INSERT INTO api_keys AS k (parent_id, {api_key create}, created_at)"
    " SELECT {by key}, c.*, $1 FROM c, may WHERE may.room"
    " RETURNING {api_key all}), "
    PROMPT_AUDIT_OF("project_id", "{by user}",
                    "'ApiKey', id, name, json_build_object('scopes', array("
                    "SELECT s.name FROM (VALUES (1, 'read'), (2, 'write'),"
                    " (4, 'execute'), (8, 'keys'), (64, 'admin'),"
                    " (128, 'promote')) s (bit, name)"
                    " WHERE made.scopes & s.bit <> 0), 'expiresAt', expires_at)"
                    " FROM made")
    "SELECT {api_key row c} FROM may LEFT JOIN made c ON true",
    "z", 0, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_api_key_lock = {
    "SELECT CASE WHEN $2 IS NULL OR {by admin} OR user_id = {by user} THEN 0"
    " ELSE 2 END FROM api_keys"
    " WHERE id = $1 AND coalesce(project_id = $2, true) AND kind = 'key'"
    " FOR NO KEY UPDATE",
    "uu", 1, PROMPT_STATEMENT_COMMITS
};


/*
 * Those that were made with it are held in the order in which whoever makes one
 * holds them.  70 s: longer than an entry and a lease live.
 */
const prompt_source_t  prompt_sql_api_key_delete = {
    "WITH RECURSIVE made AS ("
    "SELECT id, 0 AS depth FROM api_keys"
    " WHERE id = $1 AND coalesce(project_id = $2, true) AND kind = 'key'"
    " AND ($2 IS NULL OR {by admin} OR user_id = {by user})"
    " UNION ALL SELECT k.id, m.depth + 1"
    " FROM made m JOIN api_keys k ON k.parent_id = m.id), "
    "held AS MATERIALIZED ("
    "SELECT k.id FROM made m JOIN api_keys k ON k.id = m.id"
    " WHERE m.depth = 0"
    " OR coalesce(k.deleted_at, now()) > now() - interval '70 seconds'"
    " ORDER BY m.depth, k.id FOR NO KEY UPDATE OF k), "
    "c AS ("
    "UPDATE api_keys k SET deleted_at = least(k.deleted_at, now())"
    " FROM held WHERE k.id = held.id"
    " RETURNING k.id, k.name, k.project_id, k.hash, k.deleted_at), "
    PROMPT_AUDIT_OF("project_id", "{by user}", "'ApiKey', id, name, NULL"
                    " FROM c WHERE id = $1 AND deleted_at = now()")
    "SELECT hash FROM c",
    "uu", 1, PROMPT_STATEMENT_COMMITS
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
    key->budgets = prompt_cell_bool(prompt_rows_cell(rows, row, 6));
    key->trusted = prompt_rows_cell(rows, row, 7);
}


unsigned
prompt_key_scope(prompt_str_t name)
{
    const prompt_key_scope_t  *scope;

    for (scope = prompt_key_scopes; scope->bit != 0; scope++) {
        if (prompt_str_eq(name, scope->name)) {
            break;
        }
    }

    return scope->bit;
}


bool
prompt_api_key_list(prompt_query_t *query, prompt_str_t project,
    uint32_t first, prompt_str_t after)
{
    return prompt_append(query, PROMPT_STATEMENT_API_KEY_LIST,
                         prompt_as_uuid(project), prompt_as_below(after),
                         prompt_as_limit(first));
}


bool
prompt_api_key_list_any(prompt_query_t *query, prompt_str_t user_id)
{
    return prompt_append(query, PROMPT_STATEMENT_API_KEY_LIST_ANY,
                         prompt_as_uuid(user_id));
}


prompt_str_t
prompt_api_key_project(const prompt_rows_t *rows, unsigned row)
{
    const prompt_statement_t  *statement;

    statement = prompt_statement_fixed(PROMPT_STATEMENT_API_KEY_LIST_ANY);

    return prompt_rows_cell(rows, row, statement->ncolumns - 1);
}


bool
prompt_api_key_projects(prompt_query_t *query, prompt_str_t user_id,
    prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_API_KEY_PROJECTS,
                         prompt_as_uuid(user_id), prompt_as_text(project));
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
    prompt_columns_read_returned(&prompt_api_key_resource, rows, row, 0, key);
}


bool
prompt_api_key_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_API_KEY_LOCK,
                         prompt_as_uuid(id), prompt_as_maybe_uuid(project))
           && prompt_append(query, PROMPT_STATEMENT_API_KEY_DELETE,
                            prompt_as_uuid(id), prompt_as_maybe_uuid(project));
}


prompt_outcome_t
prompt_api_key_delete_row(const prompt_rows_t *rows)
{
    return rows[0].count == 0 ? PROMPT_OUTCOME_NOT_FOUND
                              : prompt_outcome_row(&rows[0]);
}


prompt_str_t
prompt_api_key_hashes(const prompt_rows_t *rows, prompt_arena_t *arena)
{
    char      *p;
    unsigned   row;

    rows++;
    p = prompt_arena_array(arena, rows->count, PROMPT_API_KEY_HASH_LEN);

    for (row = 0; p != NULL && row < rows->count; row++) {
        memcpy(p + row * PROMPT_API_KEY_HASH_LEN,
               prompt_rows_cell(rows, row, 0).data, PROMPT_API_KEY_HASH_LEN);
    }

    return p == NULL ? prompt_str_absent
                     : prompt_str_of(p, rows->count * PROMPT_API_KEY_HASH_LEN);
}


bool
prompt_api_key_used(prompt_query_t *query, prompt_str_t ids)
{
    return prompt_append(query, PROMPT_STATEMENT_API_KEY_USED,
                         prompt_as_uuids(ids));
}
