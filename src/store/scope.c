/*
 * Scopes: from the root's arguments to parameters.
 */

#include "store/scope.h"
#include "store/statement_table.h"


/* the highest id there is: before the first page */
static const char  prompt_scope_last_id[PROMPT_UUID_LEN] =
    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";


/*
 * Of the transaction that the query is; the next one is as it was before.
 * Without LOCAL, because that warns where there is no transaction block, and
 * PostgreSQL does not see one yet in the first statement of a pipeline.
 */
const prompt_source_t  prompt_sql_snapshot = {
    "SET transaction_isolation TO 'repeatable read'",
    "", 0, PROMPT_STATEMENT_READS
};


const char *const  prompt_scope_params[PROMPT_VERSIONS_STATEMENTS] = {
    "uu", "ut", "u", "uutl", "uU",
    "uuull", "utull", "uutlull", "uUull"
};


bool
prompt_snapshot(prompt_query_t *query)
{
    prompt_bind_t  bind;

    if (query->count != 0) {
        return false;
    }

    prompt_bind_fixed(&bind, query, PROMPT_STATEMENT_SNAPSHOT);

    return prompt_bind_end(&bind);
}


bool
prompt_snapshot_first(const prompt_query_t *query)
{
    return query->count != 0
           && query->bound[0].statement->id == PROMPT_STATEMENT_SNAPSHOT;
}


unsigned
prompt_scope_index(const prompt_scope_t *scope)
{
    switch (scope->kind) {

    case PROMPT_SCOPE_ID:
        return 0;

    case PROMPT_SCOPE_NAME:
        return 1;

    case PROMPT_SCOPE_IDS:
        return 4;

    case PROMPT_SCOPE_LIST:
        break;
    }

    /* all of the caller's: a plain range of one index */

    if (scope->first == 0 && scope->after.data == NULL
        && scope->category.data == NULL)
    {
        return 2;
    }

    return 3;
}


unsigned
prompt_versions_index(const prompt_scope_t *scope,
    const prompt_versions_t *versions)
{
    unsigned  index;

    static const unsigned  some[PROMPT_SCOPE_STATEMENTS] = { 5, 6, 7, 7, 8 };

    index = prompt_scope_index(scope);

    return prompt_versions_all(versions) ? index : some[index];
}


void
prompt_scope_bind(prompt_bind_t *bind, const prompt_scope_t *scope,
    const prompt_versions_t *versions)
{
    switch (prompt_versions_index(scope, versions)) {

    case 0:
    case 5:
        prompt_bind_uuid(bind, scope->id);
        prompt_bind_uuid(bind, scope->caller);
        break;

    case 1:
    case 6:
        prompt_bind_uuid(bind, scope->caller);
        prompt_bind_text(bind, scope->name);
        break;

    case 2:
        prompt_bind_uuid(bind, scope->caller);
        break;

    case 4:
    case 8:
        prompt_bind_uuid(bind, scope->caller);
        prompt_bind_uuids(bind, scope->ids);
        break;

    default:
        prompt_bind_uuid(bind, scope->caller);
        prompt_bind_id_below(bind, scope->after);
        prompt_bind_text(bind, scope->category);
        prompt_bind_limit(bind, scope->first);
        break;
    }

    if (prompt_versions_all(versions)) {
        return;
    }

    if (versions->after.data != NULL) {
        prompt_bind_uuid(bind, versions->after);
    } else {
        prompt_bind_null(bind);
    }

    prompt_bind_limit(bind, versions->first);
    prompt_bind_limit(bind, versions->last);
}


void
prompt_guard_bind(prompt_bind_t *bind, const prompt_scope_t *scope)
{
    prompt_bind_limit(bind, scope->max_rows);
    prompt_bind_limit(bind, scope->max_bytes);
}


bool
prompt_rows_cut(const prompt_scope_t *scope,
    const prompt_statement_t *statement, const prompt_rows_t *rows)
{
    uint32_t      bits;
    unsigned      row, column;
    prompt_str_t  cell;

    if (scope->max_rows != 0 && rows->count >= scope->max_rows) {
        return true;
    }

    if (scope->max_bytes == 0) {
        return false;
    }

    bits = prompt_statement_guarded(statement);

    for (column = 0; bits != 0; bits >>= 1, column++) {

        for (row = 0; (bits & 1) && row < rows->count; row++) {
            cell = prompt_rows_cell(rows, row, column);

            if (cell.len == 1 && (cell.data[0] == 1 || cell.data[0] == '0')) {
                return true;
            }
        }
    }

    return false;
}


void
prompt_bind_id_below(prompt_bind_t *bind, prompt_str_t after)
{
    if (after.data == NULL) {
        after = prompt_str_of(prompt_scope_last_id, PROMPT_UUID_LEN);
    }

    prompt_bind_uuid(bind, after);
}


void
prompt_bind_limit(prompt_bind_t *bind, uint32_t first)
{
    if (first == 0) {
        prompt_bind_null(bind);
        return;
    }

    prompt_bind_int8(bind, first);
}
