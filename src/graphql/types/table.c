/*
 * Table: names to pointers, in an arena.  See table.h.
 */

#include "graphql/types/table.h"


#define GQL_TABLE_MIN  4


typedef struct {
    prompt_str_t     key;
    void            *value;          /* NULL: free */
    uint32_t         hash;
} gql_table_slot_t;


struct gql_table_s {
    prompt_arena_t    *arena;
    gql_table_slot_t  *slots;
    size_t             mask;         /* slots - 1, slots a power of two */
    size_t             used;
};


static gql_table_slot_t *
gql_table_slot(gql_table_slot_t *slots, size_t mask, prompt_str_t key,
    uint32_t hash)
{
    size_t             i;
    gql_table_slot_t  *slot;

    for (i = hash & mask; ; i = (i + 1) & mask) {
        slot = &slots[i];

        if (slot->value == NULL
            || (slot->hash == hash && prompt_str_eq(slot->key, key)))
        {
            return slot;
        }
    }
}


/* FNV-1a mixes its low bits poorly for short keys; fold the high ones in. */
static uint32_t
gql_table_hash(prompt_str_t key)
{
    uint32_t  h;

    h = prompt_str_hash(key);

    return h ^ (h >> 15);
}


static bool
gql_table_grow(gql_table_t *table)
{
    size_t             i, n;
    gql_table_slot_t  *slots, *old;

    n = (table->mask + 1) * 2;

    slots = prompt_arena_array(table->arena, n, sizeof(gql_table_slot_t));
    if (slots == NULL) {
        return false;
    }

    for (i = 0; i <= table->mask; i++) {
        old = &table->slots[i];

        if (old->value != NULL) {
            *gql_table_slot(slots, n - 1, old->key, old->hash) = *old;
        }
    }

    table->slots = slots;
    table->mask = n - 1;

    return true;
}


gql_table_t *
gql_table_create(prompt_arena_t *arena, size_t expected)
{
    size_t        n;
    gql_table_t  *table;

    table = prompt_arena_zalloc(arena, sizeof(gql_table_t));
    if (table == NULL) {
        return NULL;
    }

    for (n = GQL_TABLE_MIN; n / 2 < expected; n *= 2) {
        if (n > SIZE_MAX / 4) {
            return NULL;
        }
    }

    table->slots = prompt_arena_array(arena, n, sizeof(gql_table_slot_t));
    if (table->slots == NULL) {
        return NULL;
    }

    table->arena = arena;
    table->mask = n - 1;

    return table;
}


bool
gql_table_set(gql_table_t *table, prompt_str_t key, void *value)
{
    uint32_t           hash;
    gql_table_slot_t  *slot;

    hash = gql_table_hash(key);
    slot = gql_table_slot(table->slots, table->mask, key, hash);

    if (slot->value == NULL) {

        if (table->used >= (table->mask + 1) / 2) {
            if (!gql_table_grow(table)) {
                return false;
            }

            slot = gql_table_slot(table->slots, table->mask, key, hash);
        }

        table->used++;
        slot->key = key;
        slot->hash = hash;
    }

    slot->value = value;

    return true;
}


void *
gql_table_get(const gql_table_t *table, prompt_str_t key)
{
    if (table == NULL) {
        return NULL;
    }

    return gql_table_slot(table->slots, table->mask, key,
                          gql_table_hash(key))->value;
}
