/*
 * Which statements a connection has prepared: a table by their ids.
 */

#include "store/prepared.h"


void
prompt_prepared_begin(prompt_prepared_t *prepared)
{
    prepared->transaction++;
}


bool
prompt_prepared_use(prompt_prepared_t *prepared,
    const prompt_statement_t *statement)
{
    prompt_prepared_entry_t  *entry;

    if (statement->id >= PROMPT_PREPARED_IDS) {
        return false;
    }

    entry = &prepared->entries[statement->id];

    if (entry->statement == NULL) {
        return false;
    }

    entry->used = prepared->transaction;

    return true;
}


/* Looks at all: what is prepared anew costs far more than that. */
const prompt_statement_t *
prompt_prepared_drop(prompt_prepared_t *prepared,
    const prompt_statement_t *statement)
{
    size_t                     i;
    prompt_prepared_entry_t   *entry, *oldest;
    const prompt_statement_t  *dropped;

    if (prepared->bytes + statement->weight <= PROMPT_PREPARED_BYTES) {
        return NULL;
    }

    oldest = NULL;

    for (i = 0; i < PROMPT_PREPARED_IDS; i++) {
        entry = &prepared->entries[i];

        if (entry->statement != NULL && entry->used < prepared->transaction
            && (oldest == NULL || entry->used < oldest->used))
        {
            oldest = entry;
        }
    }

    if (oldest == NULL) {
        return NULL;
    }

    dropped = oldest->statement;
    oldest->statement = NULL;
    prepared->bytes -= dropped->weight;

    return dropped;
}


bool
prompt_prepared_fits(const prompt_prepared_t *prepared,
    const prompt_statement_t *statement)
{
    return prepared->bytes == 0
           || prepared->bytes + statement->weight <= PROMPT_PREPARED_BYTES;
}


void
prompt_prepared_add(prompt_prepared_t *prepared,
    const prompt_statement_t *statement)
{
    prompt_prepared_entry_t  *entry;

    entry = &prepared->entries[statement->id];

    entry->statement = statement;
    entry->used = prepared->transaction;
    prepared->bytes += statement->weight;
}
