/*
 * JSON numbers: what value their text stands for.
 *
 * The nearest double is asked of strtod(), which rounds correctly, with a
 * text that has no point: its result so does not depend on the locale that
 * some other module may have set.
 */

#include "base/decimal.h"
#include "base/json.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>


/*
 * No double and no middle between two has more significant digits than 767;
 * what follows those is rounded right if it is known not to be zero.
 */
#define PROMPT_JSON_DIGITS  780


bool
prompt_json_integer(const prompt_json_t *number, int64_t *out)
{
    int64_t           zeros;
    uint64_t          n;
    prompt_decimal_t  d;

    if (number->type != PROMPT_JSON_NUMBER
        || !prompt_decimal_parse(number->text, &d)
        || !prompt_decimal_is_integer(&d) || d.exponent > 19)
    {
        return false;
    }

    /* 19 digits at most: below 10^19, which is below 2^64 */

    (void) prompt_decimal_digits(&d, 19, &n);

    for (zeros = d.exponent - (int64_t) d.count; zeros > 0; zeros--) {
        n *= 10;
    }

    if (d.negative) {
        if (n > (uint64_t) INT64_MAX + 1) {
            return false;
        }

        *out = n == (uint64_t) INT64_MAX + 1 ? INT64_MIN : - (int64_t) n;
        return true;
    }

    if (n > INT64_MAX) {
        return false;
    }

    *out = (int64_t) n;

    return true;
}


bool
prompt_json_double(const prompt_json_t *number, double *out)
{
    char              text[PROMPT_JSON_DIGITS + 32], *q;
    size_t            taken;
    const char       *p, *end;
    prompt_decimal_t  d;

    if (number->type != PROMPT_JSON_NUMBER
        || !prompt_decimal_parse(number->text, &d))
    {
        return false;
    }

    if (d.count == 0) {
        *out = number->text.data[0] == '-' ? -0.0 : 0.0;
        return true;
    }

    /* 0.DIGITS * 10^exponent: the largest double is below 10^309 */

    if (d.exponent > 400) {
        return false;
    }

    if (d.exponent < -400) {
        *out = d.negative ? -0.0 : 0.0;
        return true;
    }

    q = text;
    *q = '-';
    q += d.negative;

    taken = 0;
    end = d.digits + d.span;

    for (p = d.digits; p < end && taken < PROMPT_JSON_DIGITS; p++) {
        if (*p != '.') {
            *q++ = *p;
            taken++;
        }
    }

    if (taken < d.count) {
        *q++ = '1';                  /* stands for all that is left out */
        taken++;
    }

    (void) snprintf(q, (size_t) (text + sizeof(text) - q), "e%d",
                    (int) (d.exponent - (int64_t) taken));

    *out = strtod(text, NULL);

    return isfinite(*out);
}


bool
prompt_json_number_exact(const prompt_json_t *number)
{
    char     c;
    size_t   i;
    bool     integer;
    double   value;
    int64_t  n;

    integer = true;

    for (i = 0; i < number->text.len; i++) {
        c = number->text.data[i];
        integer = integer && c != '.' && c != 'e' && c != 'E';
    }

    if (integer) {
        return prompt_json_integer(number, &n);
    }

    if (!prompt_json_double(number, &value)) {
        return false;
    }

    return value != 0 || (prompt_json_integer(number, &n) && n == 0);
}


/* as many digits as that hold any double */
#define PROMPT_JSON_MANTISSA  20

/*
 * The fewest digits that read back as the same number, which is finite and
 * not negative: 15 are always exact, zeros at the end left out, unless it is
 * below the normal range.  Returns how many; *exponent is the first one's.
 */
static size_t
prompt_json_shortest(double value, char mantissa[PROMPT_JSON_MANTISSA],
    int *exponent)
{
    int            digits;
    char           text[40], *p;
    size_t         n;
    double         back;
    prompt_json_t  number;

    number.type = PROMPT_JSON_NUMBER;
    n = 0;

    digits = value < DBL_MIN ? 1 : 15;

    for ( /* void */ ; digits <= 17; digits++) {
        (void) snprintf(text, sizeof(text), "%.*e", digits - 1, value);

        /* whatever stands for the point is left out */

        for (n = 0, p = text; *p != 'e'; p++) {
            if (*p >= '0' && *p <= '9') {
                mantissa[n++] = *p;
            }
        }

        *exponent = (int) strtol(p + 1, NULL, 10);

        while (n > 1 && mantissa[n - 1] == '0') {
            n--;
        }

        (void) snprintf(text, sizeof(text), "%.*se%d", (int) n, mantissa,
                        *exponent - (int) n + 1);
        number.text = prompt_str_from(text);

        if (prompt_json_double(&number, &back) && back == value) {
            break;
        }
    }

    return n;
}


size_t
prompt_json_format_double(double value, bool script,
    char out[PROMPT_JSON_DOUBLE_MAX])
{
    int     exponent;
    char    mantissa[PROMPT_JSON_MANTISSA], *p;
    size_t  n, i;

    exponent = 0;
    n = prompt_json_shortest(fabs(value), mantissa, &exponent);
    p = out;
    *p = '-';
    p += signbit(value) != 0;

    if (exponent > 20 || exponent < (script ? -6 : -7)) {
        *p++ = mantissa[0];

        if (n > 1) {
            *p++ = '.';
            memcpy(p, mantissa + 1, n - 1);
            p += n - 1;
        }

        p += snprintf(p, 8, script ? "e%+d" : "e%d", exponent);

        return (size_t) (p - out);
    }

    if (exponent < 0) {
        p += snprintf(p, 9, "0.%.*s", -exponent - 1, "000000");
    }

    for (i = 0; i < n || (int) i <= exponent; i++) {
        if (exponent >= 0 && (int) i == exponent + 1) {
            *p++ = '.';
        }

        *p++ = i < n ? mantissa[i] : '0';
    }

    return (size_t) (p - out);
}


void
prompt_json_write_double(prompt_buf_t *buf, double value)
{
    char  text[PROMPT_JSON_DOUBLE_MAX];

    if (!isfinite(value)) {
        prompt_buf_literal(buf, "null");
        return;
    }

    prompt_buf_append(buf, text,
                      prompt_json_format_double(value, false, text));
}
