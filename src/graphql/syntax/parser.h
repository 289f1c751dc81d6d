/*
 * Parser: source text to abstract syntax (specification, section 2).
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


/*
 * Parses an executable document of at most max_tokens (0: no limit).  source
 * must outlive it; nodes are taken from arena.  Returns NULL and adds exactly
 * one error (or sets errors->nomem) on failure: "Syntax Error: …" with the
 * wording of graphql-js, or that a definition of a type system "is not
 * executable".
 */
gql_document_t *gql_parse(prompt_arena_t *arena, prompt_str_t source,
    uint32_t max_tokens, gql_errors_t *errors) PROMPT_WARN_UNUSED;

#endif /* GQL_PARSER_H */
