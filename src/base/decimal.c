/*
 * Decimal numbers as text: see decimal.h.
 */

#include "base/decimal.h"
#include "base/scan.h"


#define PROMPT_DECIMAL_EXPONENT_MAX  100000000000000000     /* 10^17 */

/* what is written at once: 10^19 */
#define PROMPT_DECIMAL_PART          10000000000000000000u
#define PROMPT_DECIMAL_PART_DIGITS   19


/* [eE][+-]digits, all of the text; clamped */
static bool
prompt_decimal_exponent(prompt_str_t text, int64_t *out)
{
    bool         negative;
    size_t       i, n;
    const char  *p;

    prompt_scan_skip(&text, 1);
    negative = prompt_scan_char(&text, '-');

    if (!negative) {
        (void) prompt_scan_char(&text, '+');
    }

    *out = 0;
    p = text.data;
    n = prompt_scan_digits(&text);

    for (i = 0; i < n; i++) {
        *out = *out < PROMPT_DECIMAL_EXPONENT_MAX / 10
               ? *out * 10 + (p[i] - '0') : PROMPT_DECIMAL_EXPONENT_MAX;
    }

    *out = negative ? - *out : *out;

    return n != 0 && text.len == 0;
}


/* where the digits of a number are */
typedef struct {
    const char  *first;              /* that is not 0; NULL: none is */
    const char  *last;
    const char  *point;              /* NULL: none */
    int64_t      before;             /* digits before the point */
    int64_t      exponent;           /* as written behind them */
} prompt_decimal_places_t;


/* from the first digit to the end of the text */
static bool
prompt_decimal_places(const char *p, const char *end,
    prompt_decimal_places_t *at)
{
    *at = (prompt_decimal_places_t) { 0 };

    for ( /* void */ ; p < end; p++) {

        if (*p == '.') {
            if (at->point != NULL || end - p < 2
                || !prompt_scan_is_digit(p[1]))
            {
                return false;
            }

            at->point = p;
            continue;
        }

        if (*p == 'e' || *p == 'E') {
            return prompt_decimal_exponent(prompt_str_of(p, (size_t)
                                                            (end - p)),
                                           &at->exponent);
        }

        if (!prompt_scan_is_digit(*p)) {
            return false;
        }

        at->before += at->point == NULL;

        if (*p != '0') {
            at->first = at->first != NULL ? at->first : p;
            at->last = p;
        }
    }

    return true;
}


bool
prompt_decimal_parse(prompt_str_t text, prompt_decimal_t *out)
{
    const char               *p, *end;
    prompt_decimal_places_t   at;

    *out = (prompt_decimal_t) { 0 };

    p = text.data;
    end = p + text.len;

    if (text.len == 0) {
        return false;
    }

    if (*p == '-') {
        out->negative = true;
        p++;
    }

    if (p == end || !prompt_scan_is_digit(*p)
        || (*p == '0' && end - p > 1 && prompt_scan_is_digit(p[1]))
        || !prompt_decimal_places(p, end, &at))
    {
        return false;
    }

    out->digits = p;

    if (at.first == NULL) {
        out->negative = false;
        return true;
    }

    /*
     * The first significant digit stands (first - digits) places behind the
     * first of all; the point, once passed, is one byte and no place.
     */

    out->exponent = at.exponent + at.before - (at.first - out->digits);
    out->span = (size_t) (at.last - at.first) + 1;
    out->count = out->span;

    if (at.point != NULL && at.point < at.first) {
        out->exponent++;

    } else if (at.point != NULL && at.point < at.last) {
        out->count--;
    }

    out->digits = at.first;

    return true;
}


int
prompt_decimal_cmp(const prompt_decimal_t *a, const prompt_decimal_t *b)
{
    int          sign;
    const char  *p, *q, *p_end, *q_end;

    if (a->count == 0 || b->count == 0) {
        if (a->count != 0) {
            return a->negative ? -1 : 1;
        }

        if (b->count != 0) {
            return b->negative ? 1 : -1;
        }

        return 0;
    }

    if (a->negative != b->negative) {
        return a->negative ? -1 : 1;
    }

    sign = a->negative ? -1 : 1;

    if (a->exponent != b->exponent) {
        return a->exponent < b->exponent ? -sign : sign;
    }

    p = a->digits;
    q = b->digits;
    p_end = p + a->span;
    q_end = q + b->span;

    for ( ;; ) {
        p += p < p_end && *p == '.';
        q += q < q_end && *q == '.';

        if (p == p_end || q == q_end) {
            break;
        }

        if (*p != *q) {
            return *p < *q ? -sign : sign;
        }

        p++;
        q++;
    }

    /* neither ends with a zero: the longer one is the larger one */

    if (p == p_end && q == q_end) {
        return 0;
    }

    return p == p_end ? -sign : sign;
}


bool
prompt_decimal_is_integer(const prompt_decimal_t *d)
{
    return d->count == 0
           || (d->exponent > 0 && (uint64_t) d->exponent >= d->count);
}


size_t
prompt_decimal_digits(const prompt_decimal_t *d, size_t n, uint64_t *out)
{
    size_t       taken;
    const char  *p, *end;

    *out = 0;
    taken = 0;
    p = d->digits;
    end = p + d->span;

    for ( /* void */ ; p < end && taken < n; p++) {
        if (*p != '.') {
            *out = *out * 10 + (uint64_t) (*p - '0');
            taken++;
        }
    }

    return taken;
}


static uint64_t
prompt_decimal_mul_mod(uint64_t a, uint64_t b, uint64_t m)
{
    return (uint64_t) ((prompt_uint128_t) a * b % m);
}


/*
 * a = A * 10^x and b = B * 10^y with integers A and B that do not end with
 * zero.  Where x < y, a / b = A / (B * 10^(y-x)) is whole only if ten divides
 * A, which it does not.  Otherwise A * 10^(x-y) is taken modulo B.
 */
bool
prompt_decimal_is_multiple(const prompt_decimal_t *a,
    const prompt_decimal_t *b)
{
    int64_t      x, y;
    uint64_t     divisor, rest, power, shift;
    const char  *p, *end;

    if (a->count == 0) {
        return true;
    }

    if (b->count == 0 || b->count > PROMPT_DECIMAL_DIVISOR_DIGITS) {
        return false;
    }

    x = a->exponent - (int64_t) a->count;
    y = b->exponent - (int64_t) b->count;

    if (x < y) {
        return false;
    }

    (void) prompt_decimal_digits(b, b->count, &divisor);

    if (divisor == 0) {
        return false;
    }

    rest = 0;
    end = a->digits + a->span;

    for (p = a->digits; p < end; p++) {
        if (*p != '.') {
            rest = (rest * 10 + (uint64_t) (*p - '0')) % divisor;
        }
    }

    power = 10 % divisor;

    for (shift = (uint64_t) (x - y); shift != 0; shift >>= 1) {
        if ((shift & 1) != 0) {
            rest = prompt_decimal_mul_mod(rest, power, divisor);
        }

        power = prompt_decimal_mul_mod(power, power, divisor);
    }

    return rest == 0;
}


/*
 * At least min digits of value, up to end; returns where they begin.  By parts
 * of 64 bits, of which nearly all numbers have one: to divide 128 bits is a
 * call of a function for each digit.
 */
static char *
prompt_decimal_write(prompt_uint128_t value, unsigned min, char *end)
{
    char      *p, *stop;
    uint64_t   part;

    p = end;
    stop = end - min;

    do {
        if (value <= UINT64_MAX) {
            part = (uint64_t) value;
            value = 0;

        } else {
            part = (uint64_t) (value % PROMPT_DECIMAL_PART);
            value /= PROMPT_DECIMAL_PART;
            stop = p - PROMPT_DECIMAL_PART_DIGITS;
        }

        for ( /* void */ ; part != 0 || p > stop; part /= 10) {
            *--p = (char) ('0' + (unsigned) (part % 10));
        }

        stop = end - min;

    } while (value != 0);

    return p;
}


size_t
prompt_decimal_format(prompt_uint128_t value, unsigned scale,
    char out[PROMPT_DECIMAL_MAX])
{
    char         text[3 * PROMPT_DECIMAL_PART_DIGITS] = { 0 };
    size_t       whole;
    const char  *p, *end;

    /* 2^128 has 39 digits; at scale 38 one of them stands before the point */

    end = text + sizeof(text);
    p = prompt_decimal_write(value, scale + 1, text + sizeof(text));
    whole = (size_t) (end - p) - scale;

    while (scale != 0 && end[-1] == '0') {
        end--;
        scale--;
    }

    memcpy(out, p, whole);

    if (scale == 0) {
        return whole;
    }

    out[whole] = '.';
    memcpy(out + whole + 1, p + whole, scale);

    return whole + 1 + scale;
}
