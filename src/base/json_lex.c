/*
 * JSON tokens (RFC 8259, 2 to 7).
 */

#include "base/json_impl.h"
#include "base/json_run.h"
#include "base/scan.h"
#include "base/utf8.h"


bool
prompt_json_fail(prompt_json_scan_t *scan, const char *at,
    prompt_json_status_t status, const char *message)
{
    if (scan->error.status == PROMPT_JSON_OK) {
        scan->error.status = status;
        scan->error.offset = (size_t) (at - scan->start);
        scan->error.message = message;
    }

    return false;
}


bool
prompt_json_unexpected(prompt_json_scan_t *scan)
{
    return prompt_json_fail(scan, scan->pos, PROMPT_JSON_SYNTAX,
                            scan->pos == scan->end ? "unexpected end"
                                                   : "unexpected character");
}


/* what the letter behind a backslash stands for; 0: none, or \uXXXX */
static const char  prompt_json_escaped[256] = {
    ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f',
    ['n'] = '\n', ['r'] = '\r', ['t'] = '\t'
};


/* Checks the escape at *pos, up to end, and moves behind it. */
static bool
prompt_json_lex_escape(const char **pos, const char *end)
{
    const char  *p;

    p = *pos + 1;

    if (p == end) {
        return false;
    }

    if (*p == 'u') {
        if (end - p < 5 || prompt_hex_four(p + 1) == -1) {
            return false;
        }

        p += 4;

    } else if (prompt_json_escaped[(unsigned char) *p] == '\0') {
        return false;
    }

    *pos = p + 1;

    return true;
}


/* Moves behind the characters at *pos, or stops at one that is none. */
static bool
prompt_json_lex_beyond_ascii(const char **pos, const char *end)
{
    const char  *at;

    do {
        at = *pos;

        if (prompt_utf8_next(pos, end) == PROMPT_UTF8_INVALID) {
            *pos = at;
            return false;
        }

    } while (*pos < end && (unsigned char) **pos >= 0x80);

    return true;
}


bool
prompt_json_lex_string(prompt_json_scan_t *scan, prompt_str_t *raw,
    bool *escaped)
{
    const char  *p, *start;

    p = scan->pos + 1;
    start = p;
    *escaped = false;

    for ( ;; ) {
        p += prompt_json_run(p, (size_t) (scan->end - p), PROMPT_JSON_ASCII);

        if (p == scan->end) {
            break;
        }

        if (*p == '"') {
            *raw = prompt_str_of(start, (size_t) (p - start));
            scan->pos = p + 1;
            return true;
        }

        if (*p == '\\') {
            *escaped = true;

            if (!prompt_json_lex_escape(&p, scan->end)) {
                return prompt_json_fail(scan, p, PROMPT_JSON_SYNTAX,
                                        "bad escape sequence");
            }

        } else if ((unsigned char) *p < 0x20) {
            return prompt_json_fail(scan, p, PROMPT_JSON_SYNTAX,
                                    "control character in a string");

        } else if (!prompt_json_lex_beyond_ascii(&p, scan->end)) {
            return prompt_json_fail(scan, p, PROMPT_JSON_SYNTAX,
                                    "string is not valid UTF-8");
        }
    }

    return prompt_json_fail(scan, scan->end, PROMPT_JSON_SYNTAX,
                            "unterminated string");
}


/*
 * The code point of the \uXXXX (or pair of them) at *pos, whose form has been
 * checked; PROMPT_UTF8_INVALID for a surrogate alone.
 */
static uint32_t
prompt_json_decode_unit(const char **pos, const char *end)
{
    uint32_t     high, low;
    const char  *p;

    p = *pos;
    high = (uint32_t) prompt_hex_four(p + 2);
    p += 6;

    if (high >= 0xd800 && high <= 0xdfff) {
        if (high > 0xdbff || end - p < 6 || p[0] != '\\' || p[1] != 'u') {
            return PROMPT_UTF8_INVALID;
        }

        low = (uint32_t) prompt_hex_four(p + 2);
        p += 6;

        if (low < 0xdc00 || low > 0xdfff) {
            return PROMPT_UTF8_INVALID;
        }

        high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    }

    *pos = p;

    return high;
}


bool
prompt_json_decode(prompt_json_scan_t *scan, prompt_arena_t *arena,
    prompt_str_t raw, prompt_str_t *out)
{
    char        *q, *data;
    size_t       n;
    uint32_t     cp;
    const char  *p, *end, *run;

    /* no escape is shorter than what it stands for */

    data = prompt_arena_alloc(arena, raw.len);
    if (data == NULL) {
        return prompt_json_fail(scan, raw.data, PROMPT_JSON_NOMEM,
                                "out of memory");
    }

    q = data;
    p = raw.data;
    end = p + raw.len;

    while (p < end) {
        run = memchr(p, '\\', (size_t) (end - p));
        n = (size_t) ((run != NULL ? run : end) - p);
        memcpy(q, p, n);
        q += n;
        p += n;

        if (p == end) {
            break;
        }

        if (p[1] != 'u') {
            *q++ = prompt_json_escaped[(unsigned char) p[1]];
            p += 2;
            continue;
        }

        run = p;
        cp = prompt_json_decode_unit(&p, end);

        if (cp == PROMPT_UTF8_INVALID) {
            return prompt_json_fail(scan, run, PROMPT_JSON_SURROGATE,
                                    "surrogate without its pair");
        }

        q += prompt_utf8_encode(cp, q);
    }

    *out = prompt_str_of(data, (size_t) (q - data));

    return true;
}


static bool
prompt_json_lex_number(prompt_json_scan_t *scan, prompt_str_t *text)
{
    bool          valid;
    const char   *start;
    prompt_str_t  rest;

    start = scan->pos;
    rest = prompt_str_of(start, (size_t) (scan->end - start));

    (void) prompt_scan_char(&rest, '-');
    valid = prompt_scan_char(&rest, '0') || prompt_scan_digits(&rest) != 0;

    if (valid && prompt_scan_char(&rest, '.')) {
        valid = prompt_scan_digits(&rest) != 0;
    }

    if (valid && (prompt_scan_char(&rest, 'e')
                  || prompt_scan_char(&rest, 'E')))
    {
        (void) (prompt_scan_char(&rest, '+') || prompt_scan_char(&rest, '-'));
        valid = prompt_scan_digits(&rest) != 0;
    }

    *text = prompt_str_of(start, (size_t) (rest.data - start));
    scan->pos = rest.data;

    return valid || prompt_json_unexpected(scan);
}


bool
prompt_json_lex_scalar(prompt_json_scan_t *scan, prompt_json_type_t type,
    prompt_str_t *text, bool *escaped)
{
    prompt_str_t  rest;

    if (type == PROMPT_JSON_STRING) {
        return prompt_json_lex_string(scan, text, escaped);
    }

    *escaped = false;

    if (type == PROMPT_JSON_NUMBER) {
        return prompt_json_lex_number(scan, text);
    }

    *text = type == PROMPT_JSON_NULL ? prompt_str("null")
            : *scan->pos == 't' ? prompt_str("true") : prompt_str("false");
    rest = prompt_str_of(scan->pos, (size_t) (scan->end - scan->pos));

    if (!prompt_scan_begins(rest, *text)) {
        return prompt_json_unexpected(scan);
    }

    scan->pos += text->len;

    return true;
}
