/*
 * The version of the database schema, its table, which database it is, and who
 * may do what with it.
 */

#include "store/schema_version.h"
#include "store/statement_impl.h"
#include "store/value.h"


/*
 * The second column: what the migrations newer than ours want, 0 for none.  The
 * third: which database it is.
 */
const prompt_source_t  prompt_sql_schema_version = {
    "SELECT coalesce(max(version), 0),"
    " coalesce(max(coalesce(compatible_with, version))"
    " FILTER (WHERE version > {schema_version}), 0), prompt_identity()"
    " FROM prompt_migrations",
    "", 3, PROMPT_STATEMENT_READS
};


/*
 * The lock ends with the transaction.  Its number is the first 63 bits of the
 * SHA-256 of "ngx_http_prompt_module", so that no other program has it.
 *
 * It is tried for, not waited for: who waits in PostgreSQL holds a snapshot,
 * and an index that is being made for whoever has the lock waits for that.
 */
const char  prompt_migration_lock_sql[] =
    "SELECT pg_try_advisory_xact_lock("
    "('x' || left(encode(sha256('ngx_http_prompt_module'), 'hex'), 16))"
    "::bit(64)::bigint >> 1)";

const char  prompt_migration_table_sql[] =
    "CREATE TABLE IF NOT EXISTS prompt_migrations ("
    " version integer PRIMARY KEY,"
    " name text NOT NULL,"
    " checksum text NOT NULL,"
    " applied_at timestamptz NOT NULL DEFAULT now(),"
    " compatible_with integer)";

const char  prompt_migration_list_sql[] =
    "SELECT version, name, checksum, coalesce(compatible_with, version)"
    " FROM prompt_migrations ORDER BY version";

const char  prompt_migration_checksum_sql[] =
    "SELECT encode(sha256(convert_to($1::text, 'UTF8')), 'hex')";

const char  prompt_migration_record_sql[] =
    "INSERT INTO prompt_migrations (version, name, checksum, compatible_with)"
    " VALUES ($1::integer, $2::text,"
    " encode(sha256(convert_to($3::text, 'UTF8')), 'hex'), $4::integer)";


#define DATABASE_INSERT                                                      \
    "INSERT INTO prompt_database (random) VALUES (substr(sha256("            \
    "uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 1, 16))" \
    " ON CONFLICT (one) DO "

const char  prompt_database_make_sql[] = DATABASE_INSERT "NOTHING";

const char  prompt_database_renew_sql[] =
    DATABASE_INSERT "UPDATE SET random = excluded.random";


/*
 * No DDL, users added but not disabled, nothing deleted but prompts, labels,
 * items, cells, scores, invitations and what is known of old requests;
 * accounts of who was invited, what hangs on a prompt, and old sessions are for
 * functions with the rights of the tables' owner.  The right to update
 * created_at, which nothing reads, as the time is in the id, is what
 * FOR KEY SHARE asks for.
 */
static const char *const  prompt_schema_grants[PROMPT_SCHEMA_GRANTS] = {
    "GRANT SELECT ON prompt_migrations, users, projects, project_members,"
    " log_mark, log_waiting,"
    " log_kinds, log_entries, statistics TO ",
    "GRANT INSERT (id, email, name, created_at), UPDATE (password)"
    " ON users TO ",
    "GRANT INSERT, UPDATE (name, protected_labels, records_content, state)"
    " ON projects TO ",
    "GRANT INSERT, UPDATE (role, since) ON project_members TO ",
    "GRANT SELECT, INSERT, UPDATE (id, email, role, hash, invited_by,"
    " created_at, expires_at), DELETE ON project_invitations TO ",
    "GRANT SELECT, INSERT, UPDATE (deleted_at, last_used_at)"
    " ON api_keys TO ",
    "GRANT SELECT, INSERT, UPDATE ({prompt changed}, last_version,"
    " updated_at, state, bytes), DELETE ON prompts TO ",
    "GRANT SELECT, UPDATE (prompts, prompts_room, bytes, bytes_room)"
    " ON project_room TO ",
    "GRANT SELECT, INSERT, UPDATE (created_at) ON prompt_versions TO ",
    "GRANT SELECT, INSERT, UPDATE (version, set_at, set_by, split, split_at,"
    " guard, salt, slots), DELETE ON prompt_labels TO ",
    "GRANT SELECT, INSERT ON prompt_label_moves TO ",
    "GRANT SELECT, INSERT, UPDATE ({dataset changed}, item_count, bytes, state)"
    " ON datasets TO ",
    "GRANT SELECT, INSERT, DELETE ON dataset_items TO ",
    "GRANT SELECT, INSERT, UPDATE (state, concurrency, total, done, seq,"
    " cost_usd, finished_at) ON runs TO ",
    "GRANT SELECT, INSERT, UPDATE (state, holder, leased_until, execution_id,"
    " seq, failed, latency_ms, cost_usd, model, error), DELETE"
    " ON run_cells TO ",
    "GRANT SELECT, INSERT, UPDATE (id, value, comment, source), DELETE"
    " ON scores TO ",
    "GRANT SELECT, INSERT ON audit TO ",
    "GRANT SELECT, INSERT, UPDATE ({run changed}, reserved_usd, spent_usd)"
    " ON executions TO ",
    "GRANT SELECT, INSERT, UPDATE (holder, lease, steps, status, answer,"
    " shows), DELETE ON idempotency_keys TO ",
    "GRANT SELECT, INSERT, UPDATE (limit_usd, warn_at_percent,"
    " warned_until), DELETE ON budgets TO ",
    "GRANT SELECT, INSERT, UPDATE (warns, ends, free_usd, spent_usd,"
    " reserved_usd) ON budget_slots TO ",
    "GRANT EXECUTE ON FUNCTION prompt_remove(uuid, integer, uuid, integer,"
    " integer), prompt_executions_sweep(integer, boolean),"
    " prompt_log_sweep(integer, boolean), prompt_sessions_sweep(integer),"
    " prompt_transfer(uuid, uuid, uuid, uuid, bigint, bigint),"
    " prompt_invited(bytea, uuid, text, text, bigint), prompt_identity(),"
    " prompt_room(uuid, bigint, bigint, bigint, bigint),"
    " prompt_room_keys(uuid), prompt_execution_delete(uuid, uuid),"
    " prompt_split_slots(integer, json, bytea, json), prompt_guards_sweep() TO "
};


prompt_str_t
prompt_schema_grant(prompt_arena_t *arena, unsigned number)
{
    prompt_str_t             grant;
    prompt_statement_text_t  text;

    prompt_statement_write(&text, prompt_schema_grants[number], "", 0);

    grant = text.sql.status == PROMPT_BUF_OK
            ? prompt_arena_copy(arena, prompt_str_from(text.sql.data))
            : prompt_str_absent;

    prompt_buf_free(&text.sql);

    return grant;
}


bool
prompt_schema_version(prompt_query_t *query)
{
    return prompt_append_plain(query, PROMPT_STATEMENT_SCHEMA_VERSION);
}


prompt_schema_fit_t
prompt_schema_version_row(const prompt_rows_t *rows, int64_t *version)
{
    *version = 0;

    /* a database that is none in particular has not been made by migrate */

    if (rows->count != 1 || prompt_schema_database(rows) == 0) {
        return PROMPT_SCHEMA_OLDER;
    }

    *version = prompt_cell_int(prompt_rows_cell(rows, 0, 0));

    if (*version < PROMPT_SCHEMA_VERSION) {
        return PROMPT_SCHEMA_OLDER;
    }

    if (prompt_cell_int(prompt_rows_cell(rows, 0, 1)) > PROMPT_SCHEMA_VERSION)
    {
        return PROMPT_SCHEMA_NEWER;
    }

    return PROMPT_SCHEMA_FITS;
}


uint64_t
prompt_schema_database(const prompt_rows_t *rows)
{
    return (uint64_t) prompt_cell_int(prompt_rows_cell(rows, 0, 2));
}
