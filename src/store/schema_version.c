/*
 * The version of the database schema, its table, and who may do what with it.
 */

#include "store/schema_version.h"
#include "store/statement_table.h"
#include "store/value.h"


const prompt_statement_t  prompt_sql_schema_version = {
    PROMPT_STATEMENT_SCHEMA_VERSION, "schema_version",
    "SELECT coalesce(max(version), 0) FROM prompt_migrations",
    0, NULL, 1, 0, PROMPT_STATEMENT_READS
};


/*
 * The lock ends with the transaction.  Its number is the first 63 bits of the
 * SHA-256 of "ngx_http_prompt_module", so that no other program has it.
 */
const char  prompt_migration_lock_sql[] =
    "SELECT pg_advisory_xact_lock("
    "('x' || left(encode(sha256('ngx_http_prompt_module'), 'hex'), 16))"
    "::bit(64)::bigint >> 1)";

const char  prompt_migration_table_sql[] =
    "CREATE TABLE IF NOT EXISTS prompt_migrations ("
    " version integer PRIMARY KEY,"
    " name text NOT NULL,"
    " checksum text NOT NULL,"
    " applied_at timestamptz NOT NULL DEFAULT now())";

const char  prompt_migration_list_sql[] =
    "SELECT version, name, checksum FROM prompt_migrations ORDER BY version";

const char  prompt_migration_checksum_sql[] =
    "SELECT encode(sha256(convert_to($1::text, 'UTF8')), 'hex')";

const char  prompt_migration_record_sql[] =
    "INSERT INTO prompt_migrations (version, name, checksum)"
    " VALUES ($1::integer, $2::text,"
    " encode(sha256(convert_to($3::text, 'UTF8')), 'hex'))";


/*
 * No DDL, no user added, nothing deleted but prompts; what hangs on a prompt
 * goes by the foreign keys, with the rights of the tables' owner.  The right
 * to update created_at, which PostgreSQL computes, changes nothing: it is
 * what SELECT … FOR KEY SHARE asks for.
 */
const char *const  prompt_schema_grants[] = {
    "GRANT SELECT ON prompt_migrations, users TO ",
    "GRANT SELECT, INSERT, UPDATE (deleted_at) ON api_keys TO ",
    "GRANT SELECT, INSERT, UPDATE (name, description, category, is_public,"
    " last_version, updated_at), DELETE ON prompts TO ",
    "GRANT SELECT, INSERT, UPDATE (created_at) ON prompt_versions TO ",
    "GRANT SELECT, INSERT, UPDATE (status, model, output, error, latency_ms,"
    " token_in, token_out, cost_usd, finished_at) ON executions TO ",
    NULL
};


bool
prompt_schema_version(prompt_query_t *query)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_schema_version);

    return prompt_bind_end(&bind);
}


int64_t
prompt_schema_version_row(const prompt_rows_t *rows)
{
    if (rows->count != 1) {
        return 0;
    }

    return prompt_cell_int(prompt_rows_cell(rows, 0, 0));
}
