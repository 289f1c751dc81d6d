/*
 * UTF-8, and the few properties of characters that names need.
 */

#include "base/utf8.h"

#include "base/bisect.h"
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
prompt_utf8_whole(const char *data, size_t len)
{
    size_t       n;
    const char  *p;

    for (n = len; n != 0 && len - n < 4; n--) {
        p = data + n - 1;

        if (((unsigned char) *p & 0xc0) != 0x80) {
            return prompt_utf8_next(&p, data + len) == PROMPT_UTF8_INVALID
                   ? n - 1 : len;
        }
    }

    return len;
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


/*
 * In the tables a digit is a letter of base64.  Those below 32 end a number,
 * the others have five bits of it, the lowest first.
 */
static const uint8_t  prompt_utf8_digits[128] = {
    ['A'] = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
            13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    ['a'] = 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
            39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51,
    ['0'] = 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, ['+'] = 62, ['/'] = 63
};


/* five bits a digit, up to one below 32, which is returned */
static inline uint32_t
prompt_utf8_table_read(const char **text, uint32_t *n, unsigned *shift)
{
    uint32_t  digit;

    *n = 0;
    *shift = 0;

    for ( ;; ) {
        digit = prompt_utf8_digits[(unsigned char) *(*text)++];

        if (digit < 32) {
            return digit;
        }

        *n |= (digit & 31) << *shift;
        *shift += 5;
    }
}


uint32_t
prompt_utf8_number(const char **text)
{
    unsigned  shift;
    uint32_t  digit, n;

    digit = prompt_utf8_table_read(text, &n, &shift);

    return n | digit << shift;
}


bool
prompt_utf8_run(prompt_utf8_run_t *run)
{
    unsigned  shift;
    uint32_t  more;

    if (*run->text == '\0') {
        return false;
    }

    run->class = prompt_utf8_table_read(&run->text, &more, &shift);
    run->first = run->next;
    run->next += 1 + more;

    return true;
}


bool
prompt_utf8_categories(prompt_utf8_run_t *run)
{
    if (run->text == NULL) {
        run->text = prompt_unicode_categories[0].text;
    }

    if (prompt_utf8_run(run)) {
        return true;
    }

    if (++run->line == prompt_utf8_count(prompt_unicode_categories)) {
        return false;
    }

    run->text = prompt_unicode_categories[run->line].text;

    return prompt_utf8_run(run);
}


size_t
prompt_utf8_category_edges(unsigned categories,
    uint32_t edges[PROMPT_UTF8_EDGES])
{
    size_t       line, n;
    unsigned     shift, in, now;
    uint32_t     at, more;
    const char  *p;

    n = 0;
    in = 0;
    at = 0;

    for (line = 0; line < prompt_utf8_count(prompt_unicode_categories); line++)
    {
        for (p = prompt_unicode_categories[line].text; *p != '\0';
             at += 1 + more)
        {
            now = categories >> prompt_utf8_table_read(&p, &more, &shift) & 1;

            if (now != in && n < PROMPT_UTF8_EDGES) {
                edges[n++] = at;
            }

            in = now;
        }
    }

    if (in != 0 && n < PROMPT_UTF8_EDGES) {
        edges[n++] = at;
    }

    return n;
}


/* the last of count lines that does not begin behind cp, or the first */
static size_t
prompt_utf8_line(const prompt_unicode_line_t *lines, size_t count, uint32_t cp)
{
    size_t  low, high, middle;

    low = 1;
    high = count;
    prompt_bisect(low, high, middle, lines[middle].first <= cp);

    return low - 1;
}


/* what is asked for: categories, a bit each */
#define PROMPT_UTF8_UPPER   0x0005u              /* Lu Lt */
#define PROMPT_UTF8_LOWER   0x0002u              /* Ll */
#define PROMPT_UTF8_LETTER  0x001fu              /* and Lm Lo */
#define PROMPT_UTF8_MARK    0x00e0u              /* Mn Mc Me */
#define PROMPT_UTF8_DIGIT   0x0100u              /* Nd */


/* whether the character, not of ASCII, is of one of these categories */
static bool
prompt_utf8_in(uint32_t cp, unsigned categories)
{
    prompt_utf8_run_t  run;

    if (cp > 0x10ffff) {
        return false;
    }

    run.line = prompt_utf8_line(prompt_unicode_categories,
                                prompt_utf8_count(prompt_unicode_categories),
                                cp);
    run.next = prompt_unicode_categories[run.line].first;
    run.text = prompt_unicode_categories[run.line].text;

    /* the last run ends behind the last character */

    do {
        if (!prompt_utf8_run(&run)) {
            return false;
        }
    } while (run.next <= cp);

    return (categories & 1u << run.class) != 0;
}


/*
 * A line has runs with a distance each: from the first to the last character,
 * times two, plus one where it is every second one; then the distance, times
 * two, less one where that is below zero.  Before all but the first run stands
 * how many characters there are between it and the one before.
 */
uint32_t
prompt_utf8_lower(uint32_t code_point)
{
    size_t       line;
    uint32_t     first, span, distance;
    const char  *p;

    if (code_point < 0x80) {
        return code_point >= 'A' && code_point <= 'Z' ? code_point | 0x20
                                                      : code_point;
    }

    line = prompt_utf8_line(prompt_unicode_to_lower,
                            prompt_utf8_count(prompt_unicode_to_lower),
                            code_point);
    first = prompt_unicode_to_lower[line].first;
    p = prompt_unicode_to_lower[line].text;

    for ( ;; ) {
        span = prompt_utf8_number(&p);
        distance = prompt_utf8_number(&p);

        if (code_point < first) {
            return code_point;
        }

        if (code_point - first <= span / 2) {
            break;
        }

        if (*p == '\0') {
            return code_point;
        }

        first += span / 2 + 1 + prompt_utf8_number(&p);
    }

    if ((code_point - first) % (1 + span % 2) != 0) {
        return code_point;
    }

    return code_point + (distance % 2 == 0 ? distance / 2
                                           : - ((distance + 1) / 2));
}


bool
prompt_utf8_is_letter(uint32_t code_point)
{
    return code_point < 0x80 ? (code_point | 0x20) - 'a' <= 'z' - 'a'
                             : prompt_utf8_in(code_point, PROMPT_UTF8_LETTER);
}


bool
prompt_utf8_is_digit(uint32_t code_point)
{
    return code_point < 0x80 ? code_point - '0' <= 9
                             : prompt_utf8_in(code_point, PROMPT_UTF8_DIGIT);
}


bool
prompt_utf8_is_mark(uint32_t code_point)
{
    return code_point >= 0x80
           && prompt_utf8_in(code_point, PROMPT_UTF8_MARK);
}


bool
prompt_utf8_is_upper(uint32_t code_point)
{
    return code_point < 0x80 ? code_point - 'A' <= 'Z' - 'A'
                             : prompt_utf8_in(code_point, PROMPT_UTF8_UPPER);
}


bool
prompt_utf8_is_lower(uint32_t code_point)
{
    return code_point < 0x80 ? code_point - 'a' <= 'z' - 'a'
                             : prompt_utf8_in(code_point, PROMPT_UTF8_LOWER);
}
