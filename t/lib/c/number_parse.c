/*
 * Numbers as ECMAScript reads them.
 */

#include <math.h>
#include <stdlib.h>

#include "number_parse.h"


#define GQL_NUMBER_MAX_TEXT  255


static prompt_str_t gql_number_trim(prompt_str_t s);
static size_t gql_number_space(const char *p, const char *end);
static bool gql_number_radix(prompt_str_t s, double *out);
static bool gql_number_is_decimal(prompt_str_t s);


bool
gql_number_parse(prompt_str_t text, double *out)
{
    bool  negative;
    char  copy[GQL_NUMBER_MAX_TEXT + 1];

    text = gql_number_trim(text);

    if (text.len == 0) {
        *out = 0;
        return true;
    }

    if (text.len > GQL_NUMBER_MAX_TEXT) {
        return false;
    }

    if (text.len > 2 && text.data[0] == '0'
        && strchr("xXoObB", text.data[1]) != NULL)
    {
        return gql_number_radix(text, out);
    }

    if (gql_number_is_decimal(text)) {
        memcpy(copy, text.data, text.len);
        copy[text.len] = '\0';
        *out = strtod(copy, NULL);
        return true;
    }

    negative = text.data[0] == '-';

    if (negative || text.data[0] == '+') {
        text.data++;
        text.len--;
    }

    if (prompt_str_eq(text, prompt_str("Infinity"))) {
        *out = negative ? -INFINITY : INFINITY;
        return true;
    }

    return false;
}


static prompt_str_t
gql_number_trim(prompt_str_t s)
{
    size_t  n, i;

    while ((n = gql_number_space(s.data, s.data + s.len)) != 0) {
        s.data += n;
        s.len -= n;
    }

    do {
        n = 0;

        for (i = 1; i <= 3 && i <= s.len; i++) {
            if (gql_number_space(s.data + s.len - i, s.data + s.len) == i) {
                n = i;
                break;
            }
        }

        s.len -= n;

    } while (n != 0);

    return s;
}


/* bytes of the white space or line terminator at p; 0 for none */

static size_t
gql_number_space(const char *p, const char *end)
{
    if (p == end) {
        return 0;
    }

    if (*p == ' ' || (*p >= '\t' && *p <= '\r')) {
        return 1;
    }

    if (end - p >= 2 && memcmp(p, "\xc2\xa0", 2) == 0) {
        return 2;
    }

    if (end - p >= 3
        && (memcmp(p, "\xef\xbb\xbf", 3) == 0          /* U+FEFF */
            || memcmp(p, "\xe2\x80\xa8", 3) == 0       /* U+2028 */
            || memcmp(p, "\xe2\x80\xa9", 3) == 0       /* U+2029 */
            || memcmp(p, "\xe3\x80\x80", 3) == 0))     /* U+3000 */
    {
        return 3;
    }

    return 0;
}


static bool
gql_number_radix(prompt_str_t s, double *out)
{
    int     base, digit;
    char    c;
    double  value;
    size_t  i;

    c = (char) (s.data[1] | 0x20);
    base = c == 'x' ? 16 : c == 'o' ? 8 : 2;
    value = 0;

    for (i = 2; i < s.len; i++) {
        c = s.data[i];

        if (c >= '0' && c <= '9') {
            digit = c - '0';

        } else {
            c |= 0x20;
            digit = c >= 'a' && c <= 'f' ? c - 'a' + 10 : base;
        }

        if (digit >= base) {
            return false;
        }

        value = value * base + digit;
    }

    *out = value;

    return true;
}


/* StrUnsignedDecimalLiteral with a sign; "Infinity" apart */

static bool
gql_number_is_decimal(prompt_str_t s)
{
    size_t  i, digits;

    i = s.data[0] == '-' || s.data[0] == '+';
    digits = 0;

    for (; i < s.len && s.data[i] >= '0' && s.data[i] <= '9'; i++) {
        digits++;
    }

    if (i < s.len && s.data[i] == '.') {
        for (i++; i < s.len && s.data[i] >= '0' && s.data[i] <= '9'; i++) {
            digits++;
        }
    }

    if (digits == 0) {
        return false;
    }

    if (i < s.len && (s.data[i] == 'e' || s.data[i] == 'E')) {
        i++;

        if (i < s.len && (s.data[i] == '-' || s.data[i] == '+')) {
            i++;
        }

        if (i == s.len) {
            return false;
        }

        while (i < s.len && s.data[i] >= '0' && s.data[i] <= '9') {
            i++;
        }
    }

    return i == s.len;
}
