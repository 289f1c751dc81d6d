/*
 * A schema from SDL.
 */

#ifndef GQL_SCHEMA_BUILD_H
#define GQL_SCHEMA_BUILD_H

#include "graphql/types/schema.h"


/*
 * Builds a schema from SDL, as graphql-js's buildSchema(): parses, validates
 * the SDL (all SDL rules), extends and builds.  The schema lives in arena, as
 * do copies of what it needs from sdl.  NULL and errors on failure.
 * Whether the types are sound in themselves (specification, 3, "Type
 * Validation") is gql_schema_validate()'s to say.
 */
gql_schema_t *gql_schema_build(prompt_arena_t *arena, prompt_str_t sdl,
    gql_errors_t *errors) PROMPT_WARN_UNUSED;

#endif /* GQL_SCHEMA_BUILD_H */
