/*
 * Text of providers that is none: half surrogates, U+0000, bytes that are no
 * UTF-8.  The answer was paid for, so it is mended rather than refused.
 */

#include "prompt/text.h"

#include "base/digits.h"
#include "base/utf8.h"


#define PROMPT_TEXT_ESCAPE  6                /* \uXXXX */


/* the code unit of the \uXXXX at p; PROMPT_UTF8_INVALID: there is none */
static uint32_t
prompt_text_escape(const char *p, const char *end)
{
    int  unit;

    if (end - p < PROMPT_TEXT_ESCAPE || p[0] != '\\' || p[1] != 'u') {
        return PROMPT_UTF8_INVALID;
    }

    unit = prompt_hex_four(p + 2);

    return unit != -1 ? (uint32_t) unit : PROMPT_UTF8_INVALID;
}


/*
 * The length of the escape at p, which is before end; sound: whether it may
 * stay.  One that is no escape stays, and makes the answer unreadable.
 */
static size_t
prompt_text_escaped(const char *p, const char *end, bool *sound)
{
    uint32_t  unit, low;

    *sound = true;
    unit = prompt_text_escape(p, end);

    if (unit == PROMPT_UTF8_INVALID) {
        return end - p > 1 ? 2 : 1;
    }

    if (unit >= 0xd800 && unit <= 0xdbff) {
        low = prompt_text_escape(p + PROMPT_TEXT_ESCAPE, end);

        if (low >= 0xdc00 && low <= 0xdfff) {
            return 2 * PROMPT_TEXT_ESCAPE;
        }
    }

    *sound = unit != 0 && (unit < 0xd800 || unit > 0xdfff);

    return PROMPT_TEXT_ESCAPE;
}


/*
 * The length of what stands at p, which is before end; sound: whether it may
 * stay.  Strings are not told from what is between them: no backslash and no
 * byte of ours can stand there in JSON.
 */
static size_t
prompt_text_piece(const char *p, const char *end, bool *sound)
{
    const char  *next;

    if (*p == '\\') {
        return prompt_text_escaped(p, end, sound);
    }

    if ((unsigned char) *p < 0x80) {
        *sound = *p != '\0';
        return 1;
    }

    next = p;
    *sound = prompt_utf8_next(&next, end) != PROMPT_UTF8_INVALID;

    return (size_t) (next - p);
}


/*
 * How many bytes at p, by eights, are ASCII and neither a backslash nor zero:
 * nearly all are.  Of a byte that is zero, less one, the top bit is set; a
 * borrow may find more than there is, and never less.
 */
static size_t
prompt_text_plain(const char *p, const char *end)
{
    size_t    n, len;
    uint64_t  word, slash;

    static const uint64_t  ones = 0x0101010101010101u;
    static const uint64_t  tops = 0x8080808080808080u;

    len = (size_t) (end - p);

    for (n = 0; len - n >= sizeof(word); n += sizeof(word)) {
        memcpy(&word, p + n, sizeof(word));
        slash = word ^ ones * '\\';

        if (((word | (word - ones) | (slash - ones)) & tops) != 0) {
            break;
        }
    }

    return n;
}


/* writes to out unless that is NULL; returns the length */
static size_t
prompt_text_copy(prompt_str_t body, char *out)
{
    bool         sound;
    size_t       n, len;
    const char  *p, *end, *what;

    p = body.data;
    end = body.data + body.len;
    len = 0;

    while (p < end) {
        n = prompt_text_piece(p, end, &sound);
        what = sound ? p : "\xef\xbf\xbd";
        p += n;

        if (!sound) {
            n = 3;
        }

        if (out != NULL) {
            memcpy(out + len, what, n);
        }

        len += n;
    }

    return len;
}


prompt_str_t
prompt_text_mend(prompt_arena_t *arena, prompt_str_t body)
{
    bool         sound;
    char        *out;
    size_t       len;
    const char  *p, *end;

    sound = true;
    p = body.data;
    end = body.data + body.len;

    while (p < end && sound) {
        p += prompt_text_plain(p, end);

        if (p < end) {
            p += prompt_text_piece(p, end, &sound);
        }
    }

    if (sound) {
        return body;
    }

    len = prompt_text_copy(body, NULL);
    out = prompt_arena_alloc(arena, len);

    if (out == NULL) {
        return prompt_str_absent;
    }

    (void) prompt_text_copy(body, out);

    return prompt_str_of(out, len);
}


void
prompt_text_halves(prompt_str_t body, uint32_t *high, uint32_t *low)
{
    bool         sound;
    size_t       n;
    uint32_t     unit;
    const char  *p, *end;

    end = body.data + body.len;

    for (p = body.data; p < end; p += n) {
        n = prompt_text_piece(p, end, &sound);

        if (sound) {
            continue;
        }

        unit = prompt_text_escape(p, end);

        if (unit >= 0xd800 && unit <= 0xdbff && p + n < end && p[n] == '"') {
            *high = unit;

        } else if (unit >= 0xdc00 && unit <= 0xdfff && p > body.data
                   && p[-1] == '"')
        {
            *low = unit;
        }
    }
}
