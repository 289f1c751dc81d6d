/*
 * API keys: their statements.
 */

#include "store/api_key.h"
#include "store/statement_table.h"


#define PROMPT_API_KEY_COLUMNS                                               \
    "id, name, hint, scopes, created_at, expires_at"


static const uint32_t  prompt_types_hash[] = { PROMPT_OID_BYTEA };

static const uint32_t  prompt_types_id[] = { PROMPT_OID_UUID };

static const uint32_t  prompt_types_id_user[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID
};

static const uint32_t  prompt_types_create[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID, PROMPT_OID_BYTEA, PROMPT_OID_TEXT,
    PROMPT_OID_TEXT, PROMPT_OID_INT4, PROMPT_OID_TIMESTAMPTZ
};


/* one look into the unique index of the hashes */
const prompt_statement_t  prompt_sql_api_key_by_hash = {
    PROMPT_STATEMENT_API_KEY_BY_HASH, "api_key_by_hash",
    "SELECT id, user_id, scopes, expires_at FROM api_keys"
    " WHERE hash = $1 AND deleted_at IS NULL",
    prompt_types(prompt_types_hash), 4, 0, PROMPT_STATEMENT_READS
};


const prompt_statement_t  prompt_sql_api_key_list = {
    PROMPT_STATEMENT_API_KEY_LIST, "api_key_list",
    "SELECT " PROMPT_API_KEY_COLUMNS " FROM api_keys"
    " WHERE user_id = $1 AND deleted_at IS NULL ORDER BY id DESC",
    prompt_types(prompt_types_id), 6, 0, PROMPT_STATEMENT_READS
};


const prompt_statement_t  prompt_sql_api_key_create = {
    PROMPT_STATEMENT_API_KEY_CREATE, "api_key_create",
    "INSERT INTO api_keys (id, user_id, hash, name, hint, scopes, expires_at)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING " PROMPT_API_KEY_COLUMNS,
    prompt_types(prompt_types_create), 6, 0, PROMPT_STATEMENT_COMMITS
};


const prompt_statement_t  prompt_sql_api_key_delete = {
    PROMPT_STATEMENT_API_KEY_DELETE, "api_key_delete",
    "UPDATE api_keys SET deleted_at = coalesce(deleted_at, now())"
    " WHERE id = $1 AND user_id = $2 RETURNING hash",
    prompt_types(prompt_types_id_user), 1, 0, PROMPT_STATEMENT_COMMITS
};


const prompt_statement_t  prompt_sql_api_key_delete_any = {
    PROMPT_STATEMENT_API_KEY_DELETE_ANY, "api_key_delete_any",
    "UPDATE api_keys SET deleted_at = coalesce(deleted_at, now())"
    " WHERE id = $1 RETURNING hash",
    prompt_types(prompt_types_id), 1, 0, PROMPT_STATEMENT_COMMITS
};


bool
prompt_api_key_by_hash(prompt_query_t *query, prompt_str_t hash)
{
    prompt_bind_t  bind;

    if (hash.len != PROMPT_API_KEY_HASH_LEN) {
        return false;
    }

    prompt_bind_begin(&bind, query, &prompt_sql_api_key_by_hash);
    prompt_bind_text(&bind, hash);

    return prompt_bind_end(&bind);
}


void
prompt_api_key_auth_row(const prompt_rows_t *rows, unsigned row,
    prompt_api_key_auth_t *key)
{
    key->id = prompt_rows_cell(rows, row, 0);
    key->user_id = prompt_rows_cell(rows, row, 1);
    key->scopes = (unsigned) prompt_cell_int(prompt_rows_cell(rows, row, 2));
    key->expires_at = prompt_cell_maybe_time(prompt_rows_cell(rows, row, 3));
}


bool
prompt_api_key_list(prompt_query_t *query, prompt_str_t user_id)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_api_key_list);
    prompt_bind_uuid(&bind, user_id);

    return prompt_bind_end(&bind);
}


bool
prompt_api_key_create(prompt_query_t *query, const prompt_api_key_new_t *key)
{
    prompt_bind_t  bind;

    if (key->hash.len != PROMPT_API_KEY_HASH_LEN) {
        return false;
    }

    prompt_bind_begin(&bind, query, &prompt_sql_api_key_create);
    prompt_bind_uuid(&bind, key->id);
    prompt_bind_uuid(&bind, key->user_id);
    prompt_bind_text(&bind, key->hash);
    prompt_bind_text(&bind, key->name);
    prompt_bind_text(&bind, key->hint);
    prompt_bind_int4(&bind, (int32_t) (key->scopes & PROMPT_KEY_SCOPE_ALL));
    prompt_bind_maybe_time(&bind, key->expires_at);

    return prompt_bind_end(&bind);
}


void
prompt_api_key_row(const prompt_rows_t *rows, unsigned row,
    prompt_api_key_t *key)
{
    key->id = prompt_rows_cell(rows, row, 0);
    key->name = prompt_rows_cell(rows, row, 1);
    key->hint = prompt_rows_cell(rows, row, 2);
    key->scopes = (unsigned) prompt_cell_int(prompt_rows_cell(rows, row, 3));
    key->created_at = prompt_cell_time(prompt_rows_cell(rows, row, 4));
    key->expires_at = prompt_cell_maybe_time(prompt_rows_cell(rows, row, 5));
}


bool
prompt_api_key_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t user_id)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_api_key_delete);
    prompt_bind_uuid(&bind, id);
    prompt_bind_uuid(&bind, user_id);

    return prompt_bind_end(&bind);
}


bool
prompt_api_key_delete_any(prompt_query_t *query, prompt_str_t id)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_api_key_delete_any);
    prompt_bind_uuid(&bind, id);

    return prompt_bind_end(&bind);
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
