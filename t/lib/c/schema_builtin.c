/*
 * What every schema has of directives, alone.
 */

#include "graphql.h"


gql_schema_t *
gql_schema_builtin(prompt_arena_t *arena, gql_errors_t *errors)
{
    gql_errors_t         none;
    gql_schema_t        *builtin;
    const gql_schema_t  *any;

    gql_errors_init(&none, arena, prompt_str(""), 0);

    any = gql_schema_build(arena, prompt_str("scalar Any"), &none);
    builtin = prompt_arena_zalloc(arena, sizeof(gql_schema_t));

    if (any == NULL || builtin == NULL) {
        errors->nomem = true;
        return NULL;
    }

    builtin->directives = any->directives;
    builtin->ndirectives = any->ndirectives;

    return builtin;
}
