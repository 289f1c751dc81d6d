/*
 * Values in messages, as graphql-js's inspect() shows them.
 */

#ifndef GQL_INSPECT_H
#define GQL_INSPECT_H

#include "base/json.h"


/*
 * A value is shown up to so many bytes, then "…", unless as a whole: a message
 * must not carry a request back to a stranger, fifty times over.
 */
#define GQL_INSPECT_MAX  1000


/* { a: "text", b: [1, 2] } in arena; absent when memory is short */
prompt_str_t gql_inspect(prompt_arena_t *arena, const prompt_json_t *value,
    bool whole) PROMPT_WARN_UNUSED;

/* Appends text, cut to GQL_INSPECT_MAX bytes in the same way. */
void gql_inspect_text(prompt_buf_t *buf, prompt_str_t text, bool whole);

#endif /* GQL_INSPECT_H */
