/*
 * Parser of documents that may define a type system: the engine's own, which
 * reads executable ones, with the rest of the grammar.
 */

#ifndef SCHEMA_PARSER_SDL_H
#define SCHEMA_PARSER_SDL_H

#include "graphql/syntax/directive_location.h"
#include "graphql/syntax/parser.h"
#include "schema/sdl_ast.h"


/* as gql_parse() */
gql_document_t *gql_parse_sdl(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors) PROMPT_WARN_UNUSED;

/* the place of that name; GQL_ON_COUNT: there is no such place */
gql_directive_location_t gql_directive_location(prompt_str_t name);

#endif /* SCHEMA_PARSER_SDL_H */
