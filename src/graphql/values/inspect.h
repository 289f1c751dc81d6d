/*
 * Values in messages, as graphql-js's inspect() shows them.
 */

#ifndef GQL_INSPECT_H
#define GQL_INSPECT_H

#include "base/json.h"
#include "graphql/syntax/error.h"


/*
 * { a: "text", b: [1, 2] } in arena; absent when memory is short.  Beyond
 * gql_error_bounds.value bytes there is "…": a message must not carry a
 * request back to a stranger, fifty times over.
 */
prompt_str_t gql_inspect(prompt_arena_t *arena, const prompt_json_t *value)
    PROMPT_WARN_UNUSED;

/* Appends text, cut in the same way. */
void gql_inspect_text(prompt_buf_t *buf, prompt_str_t text);

#endif /* GQL_INSPECT_H */
