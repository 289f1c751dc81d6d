/*
 * Table: names to pointers, in an arena.
 *
 * For names whose number is bounded by what the arena may hold: of types,
 * fields, values.  Open addressing, at most half full, so a look-up costs one
 * or two comparisons.  Keys are views, not copies.  Entries are never removed.
 */

#ifndef GQL_TABLE_H
#define GQL_TABLE_H

#include "base/arena.h"


typedef struct gql_table_s  gql_table_t;


/*
 * A table with room for expected entries; it grows beyond that.  Lives as
 * long as arena.  NULL when the arena gives out.
 */
gql_table_t *gql_table_create(prompt_arena_t *arena, size_t expected)
    PROMPT_WARN_UNUSED;

/*
 * Puts value, which is not NULL, under key, in place of what was there.
 * False when the arena gives out; the table is then as before.
 */
bool gql_table_set(gql_table_t *table, prompt_str_t key, void *value)
    PROMPT_WARN_UNUSED;

/* What is under key; NULL where nothing is, or where table is NULL. */
void *gql_table_get(const gql_table_t *table, prompt_str_t key);

#endif /* GQL_TABLE_H */
