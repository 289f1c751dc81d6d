/*
 * Numbers as ECMAScript writes them.
 */

#include "graphql/values/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>


static size_t gql_number_layout(bool negative, const char *digits, int k,
    int n, char *out);


size_t
gql_number_format(double value, char out[GQL_NUMBER_SIZE])
{
    int   k, precision, exponent;
    char  text[GQL_NUMBER_SIZE], digits[GQL_NUMBER_SIZE], *p;

    if (isnan(value)) {
        return (size_t) snprintf(out, GQL_NUMBER_SIZE, "NaN");
    }

    if (isinf(value)) {
        return (size_t) snprintf(out, GQL_NUMBER_SIZE, "%sInfinity",
                                 value < 0 ? "-" : "");
    }

    if (value == 0) {
        return (size_t) snprintf(out, GQL_NUMBER_SIZE, "0");
    }

    for (precision = 0; precision < 17; precision++) {
        snprintf(text, sizeof(text), "%.*e", precision, value);

        if (strtod(text, NULL) == value) {
            break;
        }
    }

    /* text is [-]d[.ddd]e±dd: its digits alone, without zeros at the end */

    digits[0] = '0';
    k = 0;

    for (p = text; *p != 'e' && *p != '\0'; p++) {
        if (*p >= '0' && *p <= '9') {
            digits[k++] = *p;
        }
    }

    exponent = *p == 'e' ? atoi(p + 1) : 0;

    while (k > 1 && digits[k - 1] == '0') {
        k--;
    }

    return gql_number_layout(value < 0, digits, k, exponent + 1, out);
}


/* k digits, of which the point stands behind the n-th */

static size_t
gql_number_layout(bool negative, const char *digits, int k, int n, char *out)
{
    int    i;
    char  *p;

    p = out;

    if (negative) {
        *p++ = '-';
    }

    if (n >= 1 && n <= 21) {
        for (i = 0; i < k || i < n; i++) {
            if (i == n) {
                *p++ = '.';
            }

            *p++ = i < k ? digits[i] : '0';
        }

    } else if (n > -6 && n <= 0) {
        *p++ = '0';
        *p++ = '.';

        for (i = n; i < 0; i++) {
            *p++ = '0';
        }

        for (i = 0; i < k; i++) {
            *p++ = digits[i];
        }

    } else {
        *p++ = digits[0];

        for (i = 1; i < k; i++) {
            if (i == 1) {
                *p++ = '.';
            }

            *p++ = digits[i];
        }

        p += snprintf(p, 8, "e%+d", n - 1);
    }

    *p = '\0';

    return (size_t) (p - out);
}


double
gql_number_value(const prompt_json_t *number)
{
    double  value;

    if (prompt_json_double(number, &value)) {
        return value;
    }

    return number->text.len != 0 && number->text.data[0] == '-' ? -INFINITY
                                                                : INFINITY;
}


bool
gql_number_is_integer(double value)
{
    return isfinite(value) && trunc(value) == value;
}
