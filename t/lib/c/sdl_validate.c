/*
 * SDL as an extension of a schema, or of none.
 */

#include "graphql.h"


bool
gql_sdl_validate_on(prompt_arena_t *arena, const gql_document_t *document,
    const gql_schema_t *base, const prompt_str_t *rules, size_t nrules,
    gql_errors_t *errors)
{
    gql_errors_t         none;
    const gql_schema_t  *known;

    known = base;

    if (known == NULL) {

        /* what every schema has */

        gql_errors_init(&none, arena, prompt_str(""), 0);

        known = gql_schema_build(arena, prompt_str("scalar Any"), &none);
        if (known == NULL) {
            errors->nomem = true;
            return false;
        }
    }

    return gql_sdl_validate(arena, document, base, known->directives,
                            known->ndirectives, rules, nrules, errors);
}
