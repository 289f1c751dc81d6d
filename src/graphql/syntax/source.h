/*
 * A GraphQL source text and places in it.
 *
 * Nodes and errors carry byte offsets; lines and columns, which people read,
 * are counted when an error is written.  Columns are in UTF-16 code units
 * from 1, as graphql-js counts them; a line ends with LF, CR or CR LF
 * (GraphQL specification, September 2025, 2.1.2 Line Terminators).
 */

#ifndef GQL_SOURCE_H
#define GQL_SOURCE_H

#include "base/arena.h"


typedef struct {
    uint32_t  line;
    uint32_t  column;
} gql_location_t;


/* a text with marks, for many look-ups; see gql_source_index() */
typedef struct {
    prompt_str_t     text;
    gql_location_t  *marks;          /* where its pieces begin: what makes a
                                        look-up short */
    size_t           nmarks;
} gql_source_index_t;


/*
 * Places marks in text, which must outlive the index: a look-up then reads a
 * few hundred bytes instead of all that stands before the place.  NULL when
 * the arena gives out.
 */
gql_source_index_t *gql_source_index(prompt_arena_t *arena, prompt_str_t text)
    PROMPT_WARN_UNUSED;

/* the place of a byte offset; it may be text.len (the end) */
gql_location_t gql_source_index_location(const gql_source_index_t *index,
    uint32_t offset);

#endif /* GQL_SOURCE_H */
