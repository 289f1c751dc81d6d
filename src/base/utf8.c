/*
 * UTF-8, and the few properties of characters that names need.
 */

#include "base/utf8.h"

#include "base/unicode_tables.h"


#define prompt_utf8_count(table)  (sizeof(table) / sizeof((table)[0]))


uint32_t
prompt_utf8_next(const char **p, const char *end)
{
    unsigned              i, n;
    uint32_t              cp, min;
    const unsigned char  *s;

    s = (const unsigned char *) *p;
    (*p)++;

    if (s[0] < 0x80) {
        return s[0];
    }

    if (s[0] >= 0xc2 && s[0] <= 0xdf) {
        n = 1;
        cp = s[0] & 0x1f;
        min = 0x80;

    } else if ((s[0] & 0xf0) == 0xe0) {
        n = 2;
        cp = s[0] & 0x0f;
        min = 0x800;

    } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        n = 3;
        cp = s[0] & 0x07;
        min = 0x10000;

    } else {
        return PROMPT_UTF8_INVALID;
    }

    if ((size_t) (end - *p) < n) {
        return PROMPT_UTF8_INVALID;
    }

    for (i = 1; i <= n; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return PROMPT_UTF8_INVALID;
        }

        cp = cp << 6 | (s[i] & 0x3f);
    }

    if (cp < min || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff)) {
        return PROMPT_UTF8_INVALID;
    }

    *p += n;

    return cp;
}


size_t
prompt_utf8_encode(uint32_t code_point, char out[4])
{
    if (code_point < 0x80) {
        out[0] = (char) code_point;
        return 1;
    }

    if (code_point < 0x800) {
        out[0] = (char) (0xc0 | code_point >> 6);
        out[1] = (char) (0x80 | (code_point & 0x3f));
        return 2;
    }

    if (code_point < 0x10000) {
        out[0] = (char) (0xe0 | code_point >> 12);
        out[1] = (char) (0x80 | (code_point >> 6 & 0x3f));
        out[2] = (char) (0x80 | (code_point & 0x3f));
        return 3;
    }

    out[0] = (char) (0xf0 | code_point >> 18);
    out[1] = (char) (0x80 | (code_point >> 12 & 0x3f));
    out[2] = (char) (0x80 | (code_point >> 6 & 0x3f));
    out[3] = (char) (0x80 | (code_point & 0x3f));

    return 4;
}


bool
prompt_utf8_valid(prompt_str_t s)
{
    uint64_t     word;
    const char  *p, *end;

    if (s.len == 0) {
        return true;
    }

    p = s.data;
    end = p + s.len;

    while (p < end) {

        /* most text is ASCII: eight bytes at a time */

        while ((size_t) (end - p) >= sizeof(word)) {
            memcpy(&word, p, sizeof(word));

            if ((word & 0x8080808080808080u) != 0) {
                break;
            }

            p += sizeof(word);
        }

        if (p < end && prompt_utf8_next(&p, end) == PROMPT_UTF8_INVALID) {
            return false;
        }
    }

    return true;
}


size_t
prompt_utf8_length(prompt_str_t s)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < s.len; i++) {
        n += ((unsigned char) s.data[i] & 0xc0) != 0x80;
    }

    return n;
}


size_t
prompt_utf8_utf16_length(prompt_str_t s)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < s.len; i++) {
        n += ((unsigned char) s.data[i] & 0xc0) != 0x80;
        n += (unsigned char) s.data[i] >= 0xf0;
    }

    return n;
}


/* whether cp is in one of count ranges, which ascend and do not overlap */
static bool
prompt_utf8_in(uint32_t cp, const prompt_unicode_range_t *table, size_t count)
{
    size_t  low, high, middle;

    low = 0;
    high = count;

    while (low < high) {
        middle = low + (high - low) / 2;

        if (cp > table[middle].last) {
            low = middle + 1;

        } else if (cp < table[middle].first) {
            high = middle;

        } else {
            return (cp - table[middle].first) % table[middle].step == 0;
        }
    }

    return false;
}


uint32_t
prompt_utf8_lower(uint32_t code_point)
{
    size_t                        low, high, middle;
    const prompt_unicode_case_t  *range;

    if (code_point < 0x80) {
        return code_point >= 'A' && code_point <= 'Z' ? code_point | 0x20
                                                      : code_point;
    }

    low = 0;
    high = prompt_utf8_count(prompt_unicode_to_lower);

    while (low < high) {
        middle = low + (high - low) / 2;
        range = &prompt_unicode_to_lower[middle];

        if (code_point > range->last) {
            low = middle + 1;

        } else if (code_point < range->first) {
            high = middle;

        } else if ((code_point - range->first) % range->step == 0) {
            return (uint32_t) ((int32_t) code_point + range->delta);

        } else {
            break;
        }
    }

    return code_point;
}


bool
prompt_utf8_is_letter(uint32_t code_point)
{
    if (code_point < 0x80) {
        return (code_point | 0x20) >= 'a' && (code_point | 0x20) <= 'z';
    }

    return prompt_utf8_in(code_point, prompt_unicode_letters,
                          prompt_utf8_count(prompt_unicode_letters));
}


bool
prompt_utf8_is_digit(uint32_t code_point)
{
    if (code_point < 0x80) {
        return code_point >= '0' && code_point <= '9';
    }

    return prompt_utf8_in(code_point, prompt_unicode_digits,
                          prompt_utf8_count(prompt_unicode_digits));
}


bool
prompt_utf8_is_mark(uint32_t code_point)
{
    return code_point >= 0x80
           && prompt_utf8_in(code_point, prompt_unicode_marks,
                             prompt_utf8_count(prompt_unicode_marks));
}


bool
prompt_utf8_is_upper(uint32_t code_point)
{
    if (code_point < 0x80) {
        return code_point >= 'A' && code_point <= 'Z';
    }

    return prompt_utf8_in(code_point, prompt_unicode_upper,
                          prompt_utf8_count(prompt_unicode_upper));
}


bool
prompt_utf8_is_lower(uint32_t code_point)
{
    if (code_point < 0x80) {
        return code_point >= 'a' && code_point <= 'z';
    }

    return prompt_utf8_in(code_point, prompt_unicode_lower,
                          prompt_utf8_count(prompt_unicode_lower));
}
