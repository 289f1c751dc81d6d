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
const prompt_statement_t  prompt_sql_snapshot = {
    PROMPT_STATEMENT_SNAPSHOT, "snapshot",
    "SET transaction_isolation TO 'repeatable read'",
    0, NULL, 0, 0, PROMPT_STATEMENT_READS
};


bool
prompt_snapshot(prompt_query_t *query)
{
    prompt_bind_t  bind;

    if (query->count != 0) {
        return false;
    }

    prompt_bind_begin(&bind, query, &prompt_sql_snapshot);

    return prompt_bind_end(&bind);
}


bool
prompt_snapshot_first(const prompt_query_t *query)
{
    return query->count != 0
           && query->bound[0].statement == &prompt_sql_snapshot;
}


unsigned
prompt_scope_index(const prompt_scope_t *scope)
{
    switch (scope->kind) {

    case PROMPT_SCOPE_ID:
        return 0;

    case PROMPT_SCOPE_NAME:
        return 1;

    case PROMPT_SCOPE_LIST:
        break;
    }

    /* all of the caller's: a plain range of one index */

    if (scope->first == 0 && scope->after.data == NULL
        && scope->category.data == NULL && scope->search.data == NULL)
    {
        return 2;
    }

    return 3;
}


void
prompt_scope_bind(prompt_bind_t *bind, const prompt_scope_t *scope)
{
    switch (prompt_scope_index(scope)) {

    case 0:
        prompt_bind_uuid(bind, scope->id);
        prompt_bind_uuid(bind, scope->caller);
        break;

    case 1:
        prompt_bind_uuid(bind, scope->caller);
        prompt_bind_text(bind, scope->name);
        break;

    case 2:
        prompt_bind_uuid(bind, scope->caller);
        break;

    default:
        prompt_bind_uuid(bind, scope->caller);
        prompt_bind_id_below(bind, scope->after);
        prompt_bind_text(bind, scope->category);
        prompt_bind_text(bind, scope->search);
        prompt_bind_limit(bind, scope->first);
        break;
    }
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
