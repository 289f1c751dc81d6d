/*
 * Ranges: from the root's arguments to parameters.
 */

#include "store/range.h"
#include "store/statement_impl.h"


/* the highest id there is: before the first page */
static const char  prompt_range_last_id[PROMPT_UUID_LEN] =
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


const char *const  prompt_range_params[PROMPT_EXECUTIONS_STATEMENTS] = {
    "uu", "ut", "u", "uutl", "uU",
    "uuull", "utull", "uutlull", "uUull",
    "uuit", "utit", "uutlit", "uUit",
    "uu", "uuull", "uuit"
};


bool
prompt_snapshot(prompt_query_t *query)
{
    if (query->count != 0) {
        return false;
    }

    return prompt_append_plain(query, PROMPT_STATEMENT_SNAPSHOT);
}


bool
prompt_snapshot_first(const prompt_query_t *query)
{
    return query->count != 0
           && query->bound[0].statement->id == PROMPT_STATEMENT_SNAPSHOT;
}


unsigned
prompt_range_index(const prompt_range_t *range)
{
    switch (range->kind) {

    case PROMPT_RANGE_ID:
        return 0;

    case PROMPT_RANGE_NAME:
        return 1;

    case PROMPT_RANGE_IDS:
        return 4;

    case PROMPT_RANGE_LIST:
        break;
    }

    /* all of the caller's: a plain range of one index */

    if (range->first == 0 && range->after.data == NULL
        && range->category.data == NULL)
    {
        return 2;
    }

    return 3;
}


unsigned
prompt_versions_index(const prompt_range_t *range,
    const prompt_versions_t *versions)
{
    unsigned  index;

    static const unsigned  some[PROMPT_RANGE_STATEMENTS] = { 5, 6, 7, 7, 8 };
    static const unsigned  one[PROMPT_RANGE_STATEMENTS] = { 9, 10, 11, 11, 12 };

    index = prompt_range_index(range);

    if (prompt_versions_all(versions)) {
        return index;
    }

    return versions->one ? one[index] : some[index];
}


unsigned
prompt_executions_index(const prompt_range_t *range,
    const prompt_versions_t *versions)
{
    unsigned  index;

    index = prompt_versions_index(range, versions);

    if (range->kind != PROMPT_RANGE_ID || !range->own) {
        return index;
    }

    return index == 0 ? 13 : index == 5 ? 14 : 15;
}


void
prompt_range_bind(prompt_bind_t *bind, const prompt_range_t *range,
    const prompt_versions_t *versions)
{
    switch (range->kind) {

    case PROMPT_RANGE_ID:
        prompt_bind_uuid(bind, range->id);
        prompt_bind_uuid(bind, range->caller);
        break;

    case PROMPT_RANGE_NAME:
        prompt_bind_uuid(bind, range->caller);
        prompt_bind_text(bind, range->name);
        break;

    case PROMPT_RANGE_IDS:
        prompt_bind_uuid(bind, range->caller);
        prompt_bind_uuids(bind, range->ids);
        break;

    case PROMPT_RANGE_LIST:
        prompt_bind_uuid(bind, range->caller);

        /* below versions a list of all is a page of some */

        if (prompt_versions_index(range, versions) == 2) {
            break;
        }

        prompt_bind_id_below(bind, range->after);
        prompt_bind_text(bind, range->category);
        prompt_bind_limit(bind, range->first != 0 ? range->first
                                                  : range->max_rows);
    }

    if (prompt_versions_all(versions)) {
        return;
    }

    if (versions->one) {
        prompt_bind_maybe_int4(bind, versions->number);
        prompt_bind_text(bind, versions->label);
        return;
    }

    prompt_bind_maybe_uuid(bind, versions->after);
    prompt_bind_limit(bind, versions->first);
    prompt_bind_limit(bind, versions->last);
}


void
prompt_guard_bind(prompt_bind_t *bind, const prompt_range_t *range)
{
    prompt_bind_limit(bind, range->max_rows);
    prompt_bind_limit(bind, range->max_bytes);
}


bool
prompt_rows_cut(const prompt_range_t *range,
    const prompt_statement_t *statement, const prompt_rows_t *rows)
{
    unsigned       row, column;
    prompt_str_t   cell;
    prompt_mask_t  bits;

    if (range->max_rows != 0 && rows->count >= range->max_rows) {
        return true;
    }

    if (range->max_bytes == 0) {
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


bool
prompt_append_values(prompt_query_t *query,
    const prompt_statement_t *statement, const prompt_value_t *values,
    size_t count)
{
    prompt_bind_t          bind;
    const prompt_value_t  *value;

    prompt_bind_begin(&bind, query, statement);

    for (value = values; value != values + count; value++) {

        switch (value->as) {

        case PROMPT_AS_UUID:
            prompt_bind_uuid(&bind, value->text);
            break;

        case PROMPT_AS_MAYBE_UUID:
            prompt_bind_maybe_uuid(&bind, value->text);
            break;

        case PROMPT_AS_UUIDS:
            prompt_bind_uuids(&bind, value->text);
            break;

        case PROMPT_AS_TEXT:
            prompt_bind_text(&bind, value->text);
            break;

        case PROMPT_AS_TEXTS:
            prompt_bind_texts(&bind, value->of);
            break;

        case PROMPT_AS_BOOL:
            prompt_bind_bool(&bind, value->yes);
            break;

        case PROMPT_AS_INT4:
            prompt_bind_maybe_int4(&bind, value->maybe);
            break;

        case PROMPT_AS_INT8:
            prompt_bind_maybe_int8(&bind, value->maybe);
            break;

        case PROMPT_AS_TIME:
            prompt_bind_maybe_time(&bind, value->maybe);
            break;

        case PROMPT_AS_BELOW:
            prompt_bind_id_below(&bind, value->text);
            break;

        case PROMPT_AS_RANGE:
            prompt_range_bind(&bind, value->of, value->by);
            break;

        case PROMPT_AS_GUARD:
            prompt_guard_bind(&bind, value->of);
            break;

        case PROMPT_AS_COLUMNS:
            prompt_columns_bind(&bind, value->by, value->mask, value->of);
            break;

        case PROMPT_AS_CHANGE:
            prompt_columns_bind_change(&bind, value->by, value->mask,
                                       value->of);
            break;
        }
    }

    return prompt_bind_end(&bind);
}


void
prompt_bind_id_below(prompt_bind_t *bind, prompt_str_t after)
{
    if (after.data == NULL) {
        after = prompt_str_of(prompt_range_last_id, PROMPT_UUID_LEN);
    }

    prompt_bind_uuid(bind, after);
}


void
prompt_bind_limit(prompt_bind_t *bind, uint32_t first)
{
    prompt_bind_maybe_int8(bind, (prompt_maybe_t) { first != 0, first });
}
