/*
 * Names: the one table of names that the engine has, in an arena.
 *
 * From a name to an entry that the caller fills, in the order in which the
 * names were added.  For types and fields as for what a request chooses: the
 * hash is seeded, so that no choice of names makes a look-up slow.  A table
 * is free of allocation until the first name, since most documents put
 * nothing in most of theirs; a zeroed one is empty, and may be searched.
 * Names are views, not copies, and are never removed.
 */

#ifndef GQL_NAMES_H
#define GQL_NAMES_H

#include "base/arena.h"


typedef struct gql_name_entry_s  gql_name_entry_t;

struct gql_name_entry_s {
    prompt_str_t        name;
    uint64_t            hash;
    gql_name_entry_t   *next;        /* in the order they were added */
    uint32_t            id;          /* 0, 1, 2 … in that order */
    uint32_t            mark;        /* the caller's; 0 at first */
    void               *value;       /* the caller's; NULL at first */
};


typedef struct {
    prompt_arena_t     *arena;
    gql_name_entry_t  **slots;       /* NULL: nothing added yet */
    uint32_t            mask;        /* slots - 1, slots a power of two */
    uint32_t            count;
    gql_name_entry_t   *first;
    gql_name_entry_t   *last;
} gql_names_t;


void gql_names_init(gql_names_t *names, prompt_arena_t *arena);

/* the entry of name, or NULL; NULL also where names is NULL */
gql_name_entry_t *gql_names_find(const gql_names_t *names, prompt_str_t name);

/*
 * The entry of name, made where there is none.  NULL: the arena gave out, and
 * the table is as before.
 */
gql_name_entry_t *gql_names_add(gql_names_t *names, prompt_str_t name)
    PROMPT_WARN_UNUSED;


/* the value of name's entry, or NULL */
static inline void *
gql_names_get(const gql_names_t *names, prompt_str_t name)
{
    gql_name_entry_t  *entry;

    entry = gql_names_find(names, name);

    return entry != NULL ? entry->value : NULL;
}

#endif /* GQL_NAMES_H */
