/*
 * Lexer: ignored characters, punctuators, names and numbers.
 */

#include <stdio.h>

#include "base/utf8.h"
#include "graphql/syntax/lexer_impl.h"


/* a character in a message: "\"a\"", "U+00E9", "<EOF>" */
#define GQL_CHAR_TEXT  16


static prompt_str_t gql_lexer_print_char(gql_char_t c,
    char text[GQL_CHAR_TEXT]);
static bool gql_lexer_number(gql_lexer_t *lexer, gql_token_t *token);
static bool gql_lexer_digits(gql_lexer_t *lexer, uint32_t *pos);
static bool gql_lexer_comment(gql_lexer_t *lexer);
static bool gql_lexer_unexpected(gql_lexer_t *lexer, uint32_t pos);


#define O   GQL_BYTE_OTHER
#define B   GQL_BYTE_BLANK
#define L   GQL_BYTE_LINE
#define N   GQL_BYTE_NAME
#define D   GQL_BYTE_DIGIT
#define M   GQL_BYTE_MINUS
#define P   GQL_BYTE_PUNCTUATOR
#define T   GQL_BYTE_DOT
#define Q   GQL_BYTE_QUOTE
#define C   GQL_BYTE_COMMENT
#define H   GQL_BYTE_HIGH

const uint8_t  gql_byte_class[256] = {
    O, O, O, O, O, O, O, O, O, B, L, O, O, L, O, O,
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
    /*  !  "  #  $  %  &  '  (  )  *  +  ,  -  .  / */
    B, P, Q, C, P, O, P, O, P, P, O, O, B, M, T, O,
    /* 0 … 9  :  ;  <  =  >  ? */
    D, D, D, D, D, D, D, D, D, D, P, O, O, P, O, O,
    /* @  A … */
    P, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    /* … Z  [  \  ]  ^  _ */
    N, N, N, N, N, N, N, N, N, N, N, P, O, P, O, N,
    /* `  a … */
    O, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    /* … z  {  |  }  ~ */
    N, N, N, N, N, N, N, N, N, N, N, P, P, P, O, O,

    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H
};

#undef O
#undef B
#undef L
#undef N
#undef D
#undef M
#undef P
#undef T
#undef Q
#undef C
#undef H


static const prompt_str_t  gql_token_kind_names[] = {
    prompt_str_init("<SOF>"),
    prompt_str_init("<EOF>"),
    prompt_str_init("!"),
    prompt_str_init("$"),
    prompt_str_init("&"),
    prompt_str_init("("),
    prompt_str_init(")"),
    prompt_str_init("..."),
    prompt_str_init(":"),
    prompt_str_init("="),
    prompt_str_init("@"),
    prompt_str_init("["),
    prompt_str_init("]"),
    prompt_str_init("{"),
    prompt_str_init("|"),
    prompt_str_init("}"),
    prompt_str_init("Name"),
    prompt_str_init("Int"),
    prompt_str_init("Float"),
    prompt_str_init("String"),
    prompt_str_init("BlockString")
};


prompt_str_t
gql_token_kind_name(gql_token_kind_t kind)
{
    return gql_token_kind_names[kind];
}


bool
gql_syntax_error(gql_errors_t *errors, uint32_t offset,
    const prompt_str_t *pieces, size_t n)
{
    size_t        i;
    gql_error_t  *error;
    prompt_str_t  all[16];

    all[0] = prompt_str("Syntax Error: ");

    for (i = 0; i < n && i < 15; i++) {
        all[i + 1] = pieces[i];
    }

    error = gql_errors_add_pieces(errors, all, i + 1);
    gql_error_at(errors, error, offset);

    return false;
}


bool
gql_lexer_init(gql_lexer_t *lexer, prompt_arena_t *arena, prompt_str_t source,
    gql_errors_t *errors)
{
    prompt_str_t  message;

    lexer->source = source.data != NULL ? source : prompt_str("");
    lexer->pos = 0;
    lexer->arena = arena;
    lexer->errors = errors;

    /* some room above for offsets that look ahead */

    if (source.len > UINT32_MAX - 16) {
        message = prompt_str("Document is too long.");
        return gql_syntax_error(errors, 0, &message, 1);
    }

    return true;
}


gql_char_t
gql_lexer_char(const gql_lexer_t *lexer, uint32_t pos)
{
    gql_char_t   c;
    const char  *p, *start, *end;

    if (pos >= lexer->source.len) {
        return (gql_char_t) { 0, 0, false, false };
    }

    start = lexer->source.data + pos;
    end = lexer->source.data + lexer->source.len;

    p = start;
    c.code = prompt_utf8_next(&p, end);

    if (c.code != PROMPT_UTF8_INVALID) {
        c.len = (uint32_t) (p - start);
        c.unicode = true;
        c.scalar = true;
        return c;
    }

    c.scalar = false;

    /* a surrogate written as if it were a character of its own */

    if (end - start >= 3
        && (unsigned char) start[0] == 0xed
        && ((unsigned char) start[1] & 0xe0) == 0xa0
        && ((unsigned char) start[2] & 0xc0) == 0x80)
    {
        c.code = 0xd000 | ((uint32_t) (start[1] & 0x3f) << 6)
                 | (uint32_t) (start[2] & 0x3f);
        c.len = 3;
        c.unicode = true;
        return c;
    }

    c.code = (unsigned char) start[0];
    c.len = 1;
    c.unicode = false;

    return c;
}


static prompt_str_t
gql_lexer_print_char(gql_char_t c, char text[GQL_CHAR_TEXT])
{
    int  len;

    if (c.len == 0) {
        return prompt_str("<EOF>");
    }

    if (!c.unicode) {
        len = snprintf(text, GQL_CHAR_TEXT, "byte 0x%02X", (unsigned) c.code);

    } else if (c.code == '"') {
        return prompt_str("'\"'");

    } else if (c.code >= 0x20 && c.code <= 0x7e) {
        len = snprintf(text, GQL_CHAR_TEXT, "\"%c\"", (int) c.code);

    } else {
        len = snprintf(text, GQL_CHAR_TEXT, "U+%04X", (unsigned) c.code);
    }

    return prompt_str_of(text, (size_t) len);
}


bool
gql_lexer_char_error(gql_lexer_t *lexer, uint32_t pos, prompt_str_t message)
{
    char          text[GQL_CHAR_TEXT];
    prompt_str_t  pieces[3];

    pieces[0] = message;
    pieces[1] = gql_lexer_print_char(gql_lexer_char(lexer, pos), text);
    pieces[2] = prompt_str(".");

    return gql_syntax_error(lexer->errors, pos, pieces, 3);
}


static bool
gql_lexer_unexpected(gql_lexer_t *lexer, uint32_t pos)
{
    gql_char_t    c;
    prompt_str_t  message;

    c = gql_lexer_char(lexer, pos);

    if (c.code == '\'') {
        message = prompt_str("Unexpected single quote character ('), did you "
                             "mean to use a double quote (\")?");
        return gql_syntax_error(lexer->errors, pos, &message, 1);
    }

    return gql_lexer_char_error(lexer, pos,
                                c.scalar ? prompt_str("Unexpected character: ")
                                         : prompt_str("Invalid character: "));
}


static const uint8_t  gql_lexer_punctuators[128] = {
    ['!'] = GQL_TOKEN_BANG,         ['$'] = GQL_TOKEN_DOLLAR,
    ['&'] = GQL_TOKEN_AMP,          ['('] = GQL_TOKEN_PAREN_L,
    [')'] = GQL_TOKEN_PAREN_R,      [':'] = GQL_TOKEN_COLON,
    ['='] = GQL_TOKEN_EQUALS,       ['@'] = GQL_TOKEN_AT,
    ['['] = GQL_TOKEN_BRACKET_L,    [']'] = GQL_TOKEN_BRACKET_R,
    ['{'] = GQL_TOKEN_BRACE_L,      ['|'] = GQL_TOKEN_PIPE,
    ['}'] = GQL_TOKEN_BRACE_R
};


/*
 * Passes over what is ignored, up to the first byte of a token or the end.
 */
static void
gql_lexer_skip(gql_lexer_t *lexer)
{
    size_t       left;
    const char  *p;

    while (lexer->pos < lexer->source.len) {
        p = lexer->source.data + lexer->pos;

        switch (gql_byte_class[(unsigned char) *p]) {

        case GQL_BYTE_BLANK:
        case GQL_BYTE_LINE:
            lexer->pos++;
            break;

        case GQL_BYTE_COMMENT:
            if (!gql_lexer_comment(lexer)) {
                return;
            }

            break;

        case GQL_BYTE_HIGH:
            left = lexer->source.len - lexer->pos;

            if (left < 3 || memcmp(p, "\xef\xbb\xbf", 3) != 0) {
                return;
            }

            lexer->pos += 3;
            break;

        default:
            return;
        }
    }
}


/*
 * Passes over a comment; false where it ends at something that is no
 * character, which is then no token either.
 */
static bool
gql_lexer_comment(gql_lexer_t *lexer)
{
    uint32_t    pos;
    gql_char_t  c;

    pos = lexer->pos + 1;

    while (pos < lexer->source.len) {
        switch (gql_byte_class[(unsigned char) lexer->source.data[pos]]) {

        case GQL_BYTE_LINE:
            lexer->pos = pos;
            return true;

        case GQL_BYTE_HIGH:
            c = gql_lexer_char(lexer, pos);

            if (!c.scalar) {
                lexer->pos = pos;
                return false;
            }

            pos += c.len;
            break;

        default:
            pos++;
        }
    }

    lexer->pos = pos;

    return true;
}


static inline void
gql_lexer_name(const gql_lexer_t *lexer, gql_token_t *token)
{
    uint8_t   class;
    uint32_t  pos;

    pos = token->start;

    do {
        if (++pos == lexer->source.len) {
            break;
        }

        class = gql_byte_class[(unsigned char) lexer->source.data[pos]];

    } while (class == GQL_BYTE_NAME || class == GQL_BYTE_DIGIT);

    token->kind = GQL_TOKEN_NAME;
    token->end = pos;
    token->value = prompt_str_of(lexer->source.data + token->start,
                                 pos - token->start);
}


bool
gql_lexer_next(gql_lexer_t *lexer, gql_token_t *token)
{
    bool         ok;
    uint32_t     pos;
    const char  *p;

    gql_lexer_skip(lexer);

    pos = lexer->pos;

    token->start = pos;
    token->end = pos;
    token->value = prompt_str_absent;

    if (pos == lexer->source.len) {
        token->kind = GQL_TOKEN_EOF;
        return true;
    }

    p = lexer->source.data + pos;
    ok = true;

    switch (gql_byte_class[(unsigned char) *p]) {

    case GQL_BYTE_PUNCTUATOR:
        token->kind = gql_lexer_punctuators[(unsigned char) *p];
        token->end = pos + 1;
        break;

    case GQL_BYTE_DOT:
        if (lexer->source.len - pos < 3 || p[1] != '.' || p[2] != '.') {
            return gql_lexer_unexpected(lexer, pos);
        }

        token->kind = GQL_TOKEN_SPREAD;
        token->end = pos + 3;
        break;

    case GQL_BYTE_NAME:
        gql_lexer_name(lexer, token);
        break;

    case GQL_BYTE_DIGIT:
    case GQL_BYTE_MINUS:
        ok = gql_lexer_number(lexer, token);
        break;

    case GQL_BYTE_QUOTE:
        if (lexer->source.len - pos >= 3 && p[1] == '"' && p[2] == '"') {
            ok = gql_lexer_block_string(lexer, token);

        } else {
            ok = gql_lexer_string(lexer, token);
        }

        break;

    default:
        return gql_lexer_unexpected(lexer, pos);
    }

    lexer->pos = token->end;

    return ok;
}


static bool
gql_lexer_is_digit(int c)
{
    return c >= '0' && c <= '9';
}


/* IntValue and FloatValue (specification, 2.9.1, 2.9.2) */
static bool
gql_lexer_number(gql_lexer_t *lexer, gql_token_t *token)
{
    int       c;
    uint32_t  pos;

    pos = token->start;
    token->kind = GQL_TOKEN_INT;

    if (gql_lexer_byte(lexer, pos) == '-') {
        pos++;
    }

    if (gql_lexer_byte(lexer, pos) == '0') {
        pos++;

        if (gql_lexer_is_digit(gql_lexer_byte(lexer, pos))) {
            return gql_lexer_char_error(lexer, pos,
                   prompt_str("Invalid number, unexpected digit after 0: "));
        }

    } else if (!gql_lexer_digits(lexer, &pos)) {
        return false;
    }

    if (gql_lexer_byte(lexer, pos) == '.') {
        token->kind = GQL_TOKEN_FLOAT;
        pos++;

        if (!gql_lexer_digits(lexer, &pos)) {
            return false;
        }
    }

    c = gql_lexer_byte(lexer, pos);

    if (c == 'e' || c == 'E') {
        token->kind = GQL_TOKEN_FLOAT;
        pos++;

        c = gql_lexer_byte(lexer, pos);

        if (c == '+' || c == '-') {
            pos++;
        }

        if (!gql_lexer_digits(lexer, &pos)) {
            return false;
        }
    }

    c = gql_lexer_byte(lexer, pos);

    if (c == '.' || (c != -1 && gql_byte_class[c] == GQL_BYTE_NAME)) {
        return gql_lexer_char_error(lexer, pos,
                   prompt_str("Invalid number, expected digit but got: "));
    }

    token->end = pos;
    token->value = prompt_str_of(lexer->source.data + token->start,
                                 pos - token->start);
    return true;
}


static bool
gql_lexer_digits(gql_lexer_t *lexer, uint32_t *pos)
{
    if (!gql_lexer_is_digit(gql_lexer_byte(lexer, *pos))) {
        return gql_lexer_char_error(lexer, *pos,
                   prompt_str("Invalid number, expected digit but got: "));
    }

    do {
        (*pos)++;
    } while (gql_lexer_is_digit(gql_lexer_byte(lexer, *pos)));

    return true;
}
