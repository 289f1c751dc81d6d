/*
 * Lexer: strings and block strings (specification, 2.9.4).
 *
 * A string is first looked through to its end, which finds what is wrong with
 * it and how long its value can get, and decoded afterwards, if there is
 * anything to decode.
 */

#include "base/utf8.h"
#include "base/digits.h"
#include "graphql/syntax/lexer_impl.h"


/* a \u escape: what it stands for, and its length in the source */
typedef struct {
    uint32_t  code;
    uint32_t  len;
} gql_escape_t;


static bool gql_lexer_escape(gql_lexer_t *lexer, uint32_t pos,
    gql_escape_t *escape);
static bool gql_lexer_decode(gql_lexer_t *lexer, uint32_t pos, uint32_t end,
    prompt_str_t *value);
static bool gql_lexer_dedent(gql_lexer_t *lexer, uint32_t pos, uint32_t end,
    prompt_str_t *value);


static bool
gql_lexer_unterminated(gql_lexer_t *lexer, uint32_t pos)
{
    prompt_str_t  message;

    message = prompt_str("Unterminated string.");

    return gql_syntax_error(lexer->errors, pos, &message, 1);
}


bool
gql_lexer_string(gql_lexer_t *lexer, gql_token_t *token)
{
    bool          escaped;
    uint32_t      pos;
    gql_char_t    c;
    gql_escape_t  escape;

    token->kind = GQL_TOKEN_STRING;

    escaped = false;
    pos = token->start + 1;

    for ( ;; ) {
        if (pos >= lexer->source.len) {
            return gql_lexer_unterminated(lexer, pos);
        }

        switch (gql_byte_class[(unsigned char) lexer->source.data[pos]]) {

        case GQL_BYTE_QUOTE:
            token->end = pos + 1;

            if (escaped) {
                return gql_lexer_decode(lexer, token->start + 1, pos,
                                        &token->value);
            }

            token->value = prompt_str_of(lexer->source.data + token->start + 1,
                                         pos - token->start - 1);
            return true;

        case GQL_BYTE_LINE:
            return gql_lexer_unterminated(lexer, pos);

        case GQL_BYTE_OTHER:
            if (lexer->source.data[pos] == '\\') {
                if (!gql_lexer_escape(lexer, pos, &escape)) {
                    return false;
                }

                escaped = true;
                pos += escape.len;
                break;
            }

            pos++;
            break;

        case GQL_BYTE_HIGH:
            c = gql_lexer_char(lexer, pos);

            if (!c.scalar) {
                return gql_lexer_char_error(lexer, pos,
                           prompt_str("Invalid character within String: "));
            }

            pos += c.len;
            break;

        default:
            pos++;
        }
    }
}


/*
 * Half of a character: U+FFFD, or its surrogate where that may be shown.
 * Writes three bytes.
 */
static prompt_str_t
gql_lexer_half(uint32_t code, char half[4])
{
    if (!gql_error_bounds.halves) {
        return prompt_str("\xef\xbf\xbd");
    }

    code = 0xd800 + ((code - 0x10000) >> 10);

    return prompt_str_of(half, prompt_utf8_encode(code, half));
}


/* Adds an error that shows "units" UTF-16 units of the source from pos. */
static bool
gql_lexer_escape_error(gql_lexer_t *lexer, uint32_t pos, unsigned units,
    prompt_str_t message)
{
    char          half[4];
    uint32_t      end;
    unsigned      n;
    gql_char_t    c;
    prompt_str_t  pieces[4];

    pieces[2] = prompt_str("");
    end = pos;

    for (n = 0; n < units; n++) {
        c = gql_lexer_char(lexer, end);

        if (c.unicode && c.code > 0xffff && ++n == units) {
            pieces[2] = gql_lexer_half(c.code, half);
            break;
        }

        end += c.len;
    }

    pieces[0] = message;
    pieces[1] = prompt_str_of(lexer->source.data + pos, end - pos);
    pieces[3] = prompt_str("\".");

    return gql_syntax_error(lexer->errors, pos, pieces, 4);
}


static bool
gql_lexer_is_scalar(uint32_t code)
{
    return code <= 0xd7ff || (code >= 0xe000 && code <= 0x10ffff);
}


/* \u{…}: one to eight digits */
static bool
gql_lexer_escape_braced(gql_lexer_t *lexer, uint32_t pos, gql_escape_t *escape)
{
    int       c, digit;
    uint32_t  code, n;

    code = 0;
    n = 3;

    while (n < 12) {
        c = gql_lexer_byte(lexer, pos + n);
        n++;

        if (c == '}') {
            if (n < 5 || !gql_lexer_is_scalar(code)) {
                break;
            }

            escape->code = code;
            escape->len = n;

            return true;
        }

        digit = prompt_hex_digit(c);

        if (digit == -1) {
            break;
        }

        code = (code << 4) | (uint32_t) digit;

        /* the reference counts in 32 bits with a sign, and shows so much */

        if (code > INT32_MAX) {
            break;
        }
    }

    return gql_lexer_escape_error(lexer, pos, n,
                           prompt_str("Invalid Unicode escape sequence: \""));
}


/* four hexadecimal digits, or UINT32_MAX */
static uint32_t
gql_lexer_hex4(const gql_lexer_t *lexer, uint32_t pos)
{
    return lexer->source.len < pos + 4
           ? UINT32_MAX
           : (uint32_t) prompt_hex_four(lexer->source.data + pos);
}


/* \uXXXX, or a pair of surrogates so written */
static bool
gql_lexer_escape_fixed(gql_lexer_t *lexer, uint32_t pos, gql_escape_t *escape)
{
    uint32_t  code, trail;

    code = gql_lexer_hex4(lexer, pos + 2);

    if (gql_lexer_is_scalar(code)) {
        escape->code = code;
        escape->len = 6;

        return true;
    }

    if (code >= 0xd800 && code <= 0xdbff
        && gql_lexer_byte(lexer, pos + 6) == '\\'
        && gql_lexer_byte(lexer, pos + 7) == 'u')
    {
        trail = gql_lexer_hex4(lexer, pos + 8);

        if (trail >= 0xdc00 && trail <= 0xdfff) {
            escape->code = 0x10000 + ((code - 0xd800) << 10)
                           + (trail - 0xdc00);
            escape->len = 12;

            return true;
        }
    }

    return gql_lexer_escape_error(lexer, pos, 6,
                           prompt_str("Invalid Unicode escape sequence: \""));
}


static bool
gql_lexer_escape(gql_lexer_t *lexer, uint32_t pos, gql_escape_t *escape)
{
    int          c;
    const char  *found;

    static const char  letters[] = "\"\\/bfnrt";
    static const char  codes[] = "\"\\/\b\f\n\r\t";

    escape->code = 0;
    escape->len = 2;

    c = gql_lexer_byte(lexer, pos + 1);

    if (c == 'u') {
        return gql_lexer_byte(lexer, pos + 2) == '{'
               ? gql_lexer_escape_braced(lexer, pos, escape)
               : gql_lexer_escape_fixed(lexer, pos, escape);
    }

    found = c > 0 ? strchr(letters, c) : NULL;

    if (found == NULL) {
        return gql_lexer_escape_error(lexer, pos, 2,
                         prompt_str("Invalid character escape sequence: \""));
    }

    escape->code = (uint32_t) codes[found - letters];

    return true;
}


/*
 * The value of a string between pos and end, whose escapes are known to be
 * right: none gets longer by decoding.
 */
static bool
gql_lexer_decode(gql_lexer_t *lexer, uint32_t pos, uint32_t end,
    prompt_str_t *value)
{
    char          *p, *start;
    const char    *escaped;
    uint32_t       n;
    gql_escape_t   escape;

    start = prompt_arena_alloc(lexer->arena, end - pos);
    if (start == NULL) {
        lexer->errors->nomem = true;
        return false;
    }

    p = start;

    while (pos < end) {
        escaped = memchr(lexer->source.data + pos, '\\', end - pos);

        n = escaped != NULL
            ? (uint32_t) (escaped - (lexer->source.data + pos)) : end - pos;

        memcpy(p, lexer->source.data + pos, n);
        p += n;
        pos += n;

        if (pos < end) {
            if (!gql_lexer_escape(lexer, pos, &escape)) {
                return false;
            }

            p += prompt_utf8_encode(escape.code, p);
            pos += escape.len;
        }
    }

    *value = prompt_str_of(start, (size_t) (p - start));

    return true;
}


bool
gql_lexer_block_string(gql_lexer_t *lexer, gql_token_t *token)
{
    uint32_t     pos;
    gql_char_t   c;
    const char  *p;

    token->kind = GQL_TOKEN_BLOCK_STRING;

    pos = token->start + 3;

    while (pos < lexer->source.len) {
        p = lexer->source.data + pos;

        switch (gql_byte_class[(unsigned char) *p]) {

        case GQL_BYTE_QUOTE:
            if (lexer->source.len - pos >= 3 && p[1] == '"' && p[2] == '"') {
                token->end = pos + 3;

                return gql_lexer_dedent(lexer, token->start + 3, pos,
                                        &token->value);
            }

            pos++;
            break;

        case GQL_BYTE_OTHER:
            if (lexer->source.len - pos >= 4
                && memcmp(p, "\\\"\"\"", 4) == 0)
            {
                pos += 4;
                break;
            }

            pos++;
            break;

        case GQL_BYTE_HIGH:
            c = gql_lexer_char(lexer, pos);

            if (!c.scalar) {
                return gql_lexer_char_error(lexer, pos,
                           prompt_str("Invalid character within String: "));
            }

            pos += c.len;
            break;

        default:
            pos++;
        }
    }

    return gql_lexer_unterminated(lexer, pos);
}


/* a line of a block string, as written */
typedef struct {
    prompt_str_t  text;
    size_t        indent;            /* leading blanks */
} gql_line_t;


/* Takes a line from *rest; false where there is none left. */
static bool
gql_lexer_line(prompt_str_t *rest, gql_line_t *line)
{
    size_t       n, end;
    const char  *p;

    p = rest->data;

    if (p == NULL) {
        return false;
    }

    for (n = 0; n < rest->len && (p[n] == ' ' || p[n] == '\t'); n++) {
        /* void */
    }

    line->indent = n;

    while (n < rest->len && p[n] != '\n' && p[n] != '\r') {
        n++;
    }

    line->text = prompt_str_of(p, n);

    if (n == rest->len) {
        *rest = prompt_str_absent;
        return true;
    }

    end = n + 1;

    if (p[n] == '\r' && end < rest->len && p[end] == '\n') {
        end++;
    }

    *rest = prompt_str_of(p + end, rest->len - end);

    return true;
}


/* Writes text with \""" turned to """; returns the place behind it. */
static char *
gql_lexer_unescape(char *to, prompt_str_t text)
{
    size_t  i;

    for (i = 0; i < text.len; i++) {
        if (text.data[i] == '\\' && text.len - i >= 4
            && memcmp(text.data + i, "\\\"\"\"", 4) == 0)
        {
            memcpy(to, "\"\"\"", 3);
            to += 3;
            i += 3;
            continue;
        }

        *to++ = text.data[i];
    }

    return to;
}


/* BlockStringValue() (specification, 2.9.4) */
static bool
gql_lexer_dedent(gql_lexer_t *lexer, uint32_t pos, uint32_t end,
    prompt_str_t *value)
{
    char          *p, *start;
    size_t         i, first, last, common, skip;
    gql_line_t     line;
    prompt_str_t   raw, rest;

    raw = prompt_str_of(lexer->source.data + pos, end - pos);

    common = SIZE_MAX;
    first = SIZE_MAX;
    last = 0;

    rest = raw;

    for (i = 0; gql_lexer_line(&rest, &line); i++) {
        if (line.indent == line.text.len) {
            continue;
        }

        if (first == SIZE_MAX) {
            first = i;
        }

        last = i;

        if (i != 0 && line.indent < common) {
            common = line.indent;
        }
    }

    if (first == SIZE_MAX) {
        *value = prompt_str("");
        return true;
    }

    start = prompt_arena_alloc(lexer->arena, raw.len);
    if (start == NULL) {
        lexer->errors->nomem = true;
        return false;
    }

    p = start;
    rest = raw;

    for (i = 0; i <= last && gql_lexer_line(&rest, &line); i++) {
        if (i < first) {
            continue;
        }

        if (i != first) {
            *p++ = '\n';
        }

        if (i != 0) {
            skip = line.text.len < common ? line.text.len : common;
            line.text.data += skip;
            line.text.len -= skip;
        }

        p = gql_lexer_unescape(p, line.text);
    }

    *value = prompt_str_of(start, (size_t) (p - start));

    return true;
}
