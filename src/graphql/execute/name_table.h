/*
 * Table of names: numbers by name, for as long as a document is looked at.
 *
 * The names come from whoever wrote the document, who may choose them so that
 * they collide.  What that costs is counted in probes, for the caller to set
 * a limit to.
 */

#ifndef GQL_NAME_TABLE_H
#define GQL_NAME_TABLE_H

#include "base/str.h"


typedef struct {
    prompt_str_t  name;              /* points to what the caller gave */
    uint32_t      value;
    uint32_t      generation;        /* in use where it is the table's */
} gql_name_slot_t;


typedef struct {
    gql_name_slot_t  *slots;         /* malloc()ed */
    uint32_t          size;          /* a power of two, or 0 */
    uint32_t          count;
    uint32_t          generation;
    uint64_t          probes;        /* of all look-ups so far */
} gql_name_table_t;


/* An empty table; allocates nothing yet. */
void gql_name_table_init(gql_name_table_t *table);
void gql_name_table_free(gql_name_table_t *table);

/* Forgets all names, in constant time. */
void gql_name_table_clear(gql_name_table_t *table);

bool gql_name_table_find(gql_name_table_t *table, prompt_str_t name,
    uint32_t *value);

/* Sets the value of a name, new or not; false when memory is short. */
bool gql_name_table_put(gql_name_table_t *table, prompt_str_t name,
    uint32_t value) PROMPT_WARN_UNUSED;

#endif /* GQL_NAME_TABLE_H */
