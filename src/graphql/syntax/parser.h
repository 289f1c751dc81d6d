/*
 * Parser: source text to abstract syntax (specification, section 2 and 3).
 *
 * Recursion is bounded, as is the number of tokens: no text, however nested,
 * costs more stack or memory than the limits say.
 */

#ifndef GQL_PARSER_H
#define GQL_PARSER_H

#include "base/arena.h"
#include "graphql/syntax/ast.h"
#include "graphql/syntax/depth.h"
#include "graphql/syntax/error.h"


/* as max_tokens: not even one */
#define GQL_PARSER_NO_TOKENS  UINT32_MAX


typedef struct {
    uint32_t  max_tokens;            /* 0: no limit */
    uint32_t  max_depth;             /* 0: GQL_PARSER_MAX_DEPTH */
    bool      allow_legacy_fragment_variables;
} gql_parse_options_t;


/*
 * Parses a document.  source must outlive it; nodes are taken from arena.
 * Returns NULL and adds exactly one error (or sets errors->nomem) on failure:
 * "Syntax Error: …" with the wording of graphql-js.  options may be NULL.
 */
gql_document_t *gql_parse(prompt_arena_t *arena, prompt_str_t source,
    const gql_parse_options_t *options, gql_errors_t *errors)
    PROMPT_WARN_UNUSED;

/* A value or a type alone: parseValue, parseConstValue, parseType. */
gql_value_t *gql_parse_value(prompt_arena_t *arena, prompt_str_t source,
    const gql_parse_options_t *options, gql_errors_t *errors)
    PROMPT_WARN_UNUSED;
gql_value_t *gql_parse_const_value(prompt_arena_t *arena, prompt_str_t source,
    const gql_parse_options_t *options, gql_errors_t *errors)
    PROMPT_WARN_UNUSED;
gql_type_node_t *gql_parse_type(prompt_arena_t *arena, prompt_str_t source,
    const gql_parse_options_t *options, gql_errors_t *errors)
    PROMPT_WARN_UNUSED;

#endif /* GQL_PARSER_H */
