/*
 * What the conformance driver, unit tests and fuzz targets ask of the GraphQL
 * engine beyond what the service does.
 */

#ifndef PROMPT_T_LIB_GRAPHQL_H
#define PROMPT_T_LIB_GRAPHQL_H

#include "graphql/schema_build.h"
#include "graphql/validate/validate.h"


/*
 * graphql-js's validateSDL(): gql_sdl_validate() with the directives of base,
 * or the standard ones where that is NULL.  False also where there is no
 * memory for those; errors->nomem is set then.
 */
bool test_sdl_validate(prompt_arena_t *arena, const gql_document_t *document,
    const gql_schema_t *base, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors);

#endif /* PROMPT_T_LIB_GRAPHQL_H */
