/*
 * Digits, decimal and hexadecimal, by tables: ids and times are a large part
 * of most answers.
 */

#ifndef PROMPT_BASE_DIGITS_H
#define PROMPT_BASE_DIGITS_H

#include "base/str.h"


/* of a byte, two hexadecimal digits: those of n begin at 2 * n */
extern const char     prompt_hex_pairs[513];

/* of a number below 100, two decimal digits, likewise */
extern const char     prompt_decimal_pairs[201];

/* of a character, the value of the hexadecimal digit it is, and one more */
extern const uint8_t  prompt_hex_values[256];


/* the value of a digit of either case, 0 to 15; -1: c is none (nor is -1) */
static inline int
prompt_hex_digit(int c)
{
    return c >= 0 && c < 256 ? prompt_hex_values[c] - 1 : -1;
}


/* the value of the four digits at p; -1: one of them is none */
static inline int
prompt_hex_four(const char *p)
{
    int  i, digit, value;

    value = 0;

    for (i = 0; i < 4; i++) {
        digit = prompt_hex_digit(p[i]);

        if (digit == -1) {
            return -1;
        }

        value = value << 4 | digit;
    }

    return value;
}


/* the digits of len bytes, in lower case, to out; returns behind them */
static inline char *
prompt_hex_write(char *out, const uint8_t *bytes, size_t len)
{
    size_t  i;

    for (i = 0; i < len; i++, out += 2) {
        memcpy(out, prompt_hex_pairs + 2 * bytes[i], 2);
    }

    return out;
}


/* len bytes from twice as many digits at *p, which moves behind them */
static inline bool
prompt_hex_read(const char **p, uint8_t *out, size_t len)
{
    int     high, low;
    size_t  i;

    for (i = 0; i < len; i++, *p += 2) {
        high = prompt_hex_digit((unsigned char) (*p)[0]);
        low = prompt_hex_digit((unsigned char) (*p)[1]);

        if ((high | low) < 0) {
            return false;
        }

        out[i] = (uint8_t) (high << 4 | low);
    }

    return true;
}


/* n, below 100, as two digits; returns behind them */
static inline char *
prompt_decimal_write_pair(char *out, unsigned n)
{
    memcpy(out, prompt_decimal_pairs + 2 * n, 2);

    return out + 2;
}

#endif /* PROMPT_BASE_DIGITS_H */
