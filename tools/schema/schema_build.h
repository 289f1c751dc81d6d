/*
 * A schema from SDL.
 */

#ifndef SCHEMA_BUILD_H
#define SCHEMA_BUILD_H

#include "graphql/types/schema.h"


/*
 * Builds a schema from SDL, as graphql-js's buildSchema() with assumeValid:
 * what it is made of is known to be sound (t/schema.t).  The schema lives in
 * arena, as do copies of what it needs from sdl.  NULL and errors where the SDL
 * cannot be read, or names a type that is not there.
 */
gql_schema_t *gql_schema_build(prompt_arena_t *arena, prompt_str_t sdl,
    gql_errors_t *errors) PROMPT_WARN_UNUSED;

#endif /* SCHEMA_BUILD_H */
