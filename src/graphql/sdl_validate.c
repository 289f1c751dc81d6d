/*
 * SDL rules.
 */

#include "graphql/schema_build.h"


void
gql_sdl_check(prompt_arena_t *scratch, const gql_document_t *document,
    const gql_schema_t *base, gql_directive_def_t *const *directives,
    uint32_t ndirectives, uint32_t rules, gql_errors_t *errors)
{
    (void) scratch;
    (void) document;
    (void) base;
    (void) directives;
    (void) ndirectives;
    (void) rules;
    (void) errors;
}
