/*
 * Lexer: source text to tokens (specification, section 2.1).
 *
 * Ignored tokens (white space, line ends, commas, comments, byte order marks)
 * are passed over.  A token's text points into the source, except for strings
 * with escapes and block strings, which are decoded into the arena.
 */

#ifndef GQL_LEXER_H
#define GQL_LEXER_H

#include "base/arena.h"
#include "graphql/syntax/error.h"


typedef enum {
    GQL_TOKEN_SOF = 0,               /* before the first */
    GQL_TOKEN_EOF,
    GQL_TOKEN_BANG,
    GQL_TOKEN_DOLLAR,
    GQL_TOKEN_AMP,
    GQL_TOKEN_PAREN_L,
    GQL_TOKEN_PAREN_R,
    GQL_TOKEN_SPREAD,
    GQL_TOKEN_COLON,
    GQL_TOKEN_EQUALS,
    GQL_TOKEN_AT,
    GQL_TOKEN_BRACKET_L,
    GQL_TOKEN_BRACKET_R,
    GQL_TOKEN_BRACE_L,
    GQL_TOKEN_PIPE,
    GQL_TOKEN_BRACE_R,
    GQL_TOKEN_NAME,
    GQL_TOKEN_INT,
    GQL_TOKEN_FLOAT,
    GQL_TOKEN_STRING,
    GQL_TOKEN_BLOCK_STRING
} gql_token_kind_t;


typedef struct {
    gql_token_kind_t  kind;
    uint32_t          start;         /* byte offsets of the source */
    uint32_t          end;
    prompt_str_t      value;         /* NAME … BLOCK_STRING; else absent */
} gql_token_t;


typedef struct {
    prompt_str_t      source;
    uint32_t          pos;           /* behind the last token */
    prompt_arena_t   *arena;
    gql_errors_t     *errors;
} gql_lexer_t;


/*
 * Sets *lexer to the start of source, which outlives the tokens.  False where
 * source is too long for offsets of 32 bits (an error is added).
 */
bool gql_lexer_init(gql_lexer_t *lexer, prompt_arena_t *arena,
    prompt_str_t source, gql_errors_t *errors) PROMPT_WARN_UNUSED;

/*
 * The next token; EOF again and again at the end.  False where there is none:
 * one error is added, or errors->nomem set, and the lexer must not be used
 * any more.
 */
bool gql_lexer_next(gql_lexer_t *lexer, gql_token_t *token)
    PROMPT_WARN_UNUSED;

/* "Name", "{", "<EOF>": as graphql-js calls them */
prompt_str_t gql_token_kind_name(gql_token_kind_t kind);

static inline bool
gql_token_is_punctuator(gql_token_kind_t kind)
{
    return kind >= GQL_TOKEN_BANG && kind <= GQL_TOKEN_BRACE_R;
}

/*
 * Adds "Syntax Error: " with a message made of n pieces, at an offset of the
 * source; n is at most 15.  Always false, for "return gql_syntax_error(…)".
 */
bool gql_syntax_error(gql_errors_t *errors, uint32_t offset,
    const prompt_str_t *pieces, size_t n);

#endif /* GQL_LEXER_H */
