/*
 * Decimal numbers as text, without floating point.
 *
 * JSON numbers are carried as they were sent; this is what it takes to compare
 * them by value, however many digits they have, and to write sums of money.
 */

#ifndef PROMPT_BASE_DECIMAL_H
#define PROMPT_BASE_DECIMAL_H

#include "base/buf.h"


__extension__ typedef unsigned __int128  prompt_uint128_t;


/*
 * A number taken apart: 0.DIGITS times ten to the power of exponent, where
 * DIGITS neither begin nor end with a zero.  Points into the text.
 */
typedef struct {
    bool         negative;           /* never for zero */
    const char  *digits;             /* first significant digit */
    size_t       span;               /* bytes to behind the last one, of which
                                        one may be the point */
    size_t       count;              /* significant digits; zero has none */
    int64_t      exponent;           /* 0 for zero */
} prompt_decimal_t;


/*
 * text: a number in JSON's form (RFC 8259, 6); false where it is not.
 * Exponents beyond 10^17 are taken as 10^17.
 */
bool prompt_decimal_parse(prompt_str_t text, prompt_decimal_t *out);

/* -1, 0 or 1, exactly; linear in the digits */
int prompt_decimal_cmp(const prompt_decimal_t *a, const prompt_decimal_t *b);

/* 1, 1.0 and 1e2 are integers */
bool prompt_decimal_is_integer(const prompt_decimal_t *d);

/*
 * Whether a is a whole multiple of b, exactly.  b has at most
 * PROMPT_DECIMAL_DIVISOR_DIGITS significant digits and is not 0; a has any.
 */
#define PROMPT_DECIMAL_DIVISOR_DIGITS  18

bool prompt_decimal_is_multiple(const prompt_decimal_t *a,
    const prompt_decimal_t *b);

/*
 * The first digits of d, at most n, as an integer; n is at most 19 (10^19 - 1
 * fits).  Returns how many digits were taken.
 */
size_t prompt_decimal_digits(const prompt_decimal_t *d, size_t n,
    uint64_t *out);

/*
 * Writes value / 10^scale without exponent and without superfluous zeros:
 * 1500 at scale 3 is "1.5", 2000 is "2", 0 is "0".  scale is at most 38.
 * Writes at most PROMPT_DECIMAL_MAX bytes and returns how many.
 */
#define PROMPT_DECIMAL_MAX  41

size_t prompt_decimal_format(prompt_uint128_t value, unsigned scale,
    char out[PROMPT_DECIMAL_MAX]);

#endif /* PROMPT_BASE_DECIMAL_H */
