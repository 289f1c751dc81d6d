/*
 * What the two halves of the lexer share: lexer.c (tokens) and
 * lexer_string.c (strings and block strings).
 */

#ifndef GQL_LEXER_IMPL_H
#define GQL_LEXER_IMPL_H

#include "graphql/syntax/lexer.h"


/* classes of bytes; a character is looked at more closely only in its class */
typedef enum {
    GQL_BYTE_OTHER = 0,              /* no token begins with it */
    GQL_BYTE_BLANK,                  /* tab, space, comma */
    GQL_BYTE_LINE,                   /* LF, CR */
    GQL_BYTE_NAME,                   /* letters and _ */
    GQL_BYTE_DIGIT,
    GQL_BYTE_MINUS,
    GQL_BYTE_PUNCTUATOR,
    GQL_BYTE_DOT,
    GQL_BYTE_QUOTE,                  /* " */
    GQL_BYTE_COMMENT,                /* # */
    GQL_BYTE_HIGH                    /* part of a sequence of UTF-8 */
} gql_byte_class_t;

extern const uint8_t  gql_byte_class[256];


/* one character of a source that may be broken */
typedef struct {
    uint32_t  code;                  /* code point, surrogates too; a byte
                                        that is no UTF-8 where !unicode */
    uint32_t  len;                   /* in bytes; 0 at the end */
    bool      unicode;
    bool      scalar;                /* a Unicode scalar value: allowed */
} gql_char_t;

gql_char_t gql_lexer_char(const gql_lexer_t *lexer, uint32_t pos);

/* a literal and then the character at pos: "…: \"a\"." */
bool gql_lexer_char_error(gql_lexer_t *lexer, uint32_t pos,
    prompt_str_t message);

/* the byte at pos, or -1 at the end */
static inline int
gql_lexer_byte(const gql_lexer_t *lexer, uint32_t pos)
{
    return pos < lexer->source.len ? (unsigned char) lexer->source.data[pos]
                                   : -1;
}

/* pos is at the opening quote; the token comes with its start set */
bool gql_lexer_string(gql_lexer_t *lexer, gql_token_t *token);
bool gql_lexer_block_string(gql_lexer_t *lexer, gql_token_t *token);

#endif /* GQL_LEXER_IMPL_H */
