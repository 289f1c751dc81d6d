/*
 * Table of names: open addressing, at most half full.  A slot is in use when
 * its generation is the table's, so that clearing costs nothing.
 */

#include "graphql/execute/name_table.h"

#include <stdlib.h>


#define GQL_NAME_TABLE_MIN  32


static gql_name_slot_t *gql_name_table_slot(gql_name_table_t *table,
    prompt_str_t name);
static bool gql_name_table_grow(gql_name_table_t *table);


void
gql_name_table_init(gql_name_table_t *table)
{
    memset(table, 0, sizeof(*table));
    table->generation = 1;
}


void
gql_name_table_free(gql_name_table_t *table)
{
    free(table->slots);
    gql_name_table_init(table);
}


void
gql_name_table_clear(gql_name_table_t *table)
{
    table->count = 0;
    table->generation++;

    if (table->generation == 0) {
        if (table->slots != NULL) {
            memset(table->slots, 0, table->size * sizeof(gql_name_slot_t));
        }

        table->generation = 1;
    }
}


bool
gql_name_table_find(gql_name_table_t *table, prompt_str_t name,
    uint32_t *value)
{
    gql_name_slot_t  *slot;

    if (table->count == 0) {
        return false;
    }

    slot = gql_name_table_slot(table, name);

    if (slot->generation != table->generation) {
        return false;
    }

    *value = slot->value;

    return true;
}


bool
gql_name_table_put(gql_name_table_t *table, prompt_str_t name, uint32_t value)
{
    gql_name_slot_t  *slot;

    if (table->count >= table->size / 2 && !gql_name_table_grow(table)) {
        return false;
    }

    slot = gql_name_table_slot(table, name);

    if (slot->generation != table->generation) {
        slot->generation = table->generation;
        slot->name = name;
        table->count++;
    }

    slot->value = value;

    return true;
}


/* where the name is, or would be */

static gql_name_slot_t *
gql_name_table_slot(gql_name_table_t *table, prompt_str_t name)
{
    uint32_t          i;
    gql_name_slot_t  *slot;

    i = prompt_str_hash(name) & (table->size - 1);

    for ( ;; ) {
        slot = &table->slots[i];
        table->probes++;

        if (slot->generation != table->generation
            || prompt_str_eq(slot->name, name))
        {
            return slot;
        }

        i = (i + 1) & (table->size - 1);
    }
}


static bool
gql_name_table_grow(gql_name_table_t *table)
{
    uint32_t          i, size;
    gql_name_slot_t  *slots, *old;

    size = table->size;

    if (size > UINT32_MAX / 4) {
        return false;
    }

    slots = calloc(size != 0 ? size * 2 : GQL_NAME_TABLE_MIN,
                   sizeof(gql_name_slot_t));
    if (slots == NULL) {
        return false;
    }

    old = table->slots;

    table->slots = slots;
    table->size = size != 0 ? size * 2 : GQL_NAME_TABLE_MIN;

    for (i = 0; i < size; i++) {
        if (old[i].generation == table->generation) {
            *gql_name_table_slot(table, old[i].name) = old[i];
        }
    }

    free(old);

    return true;
}
