/*
 * Hexadecimal digits.
 */

#ifndef PROMPT_BASE_HEX_H
#define PROMPT_BASE_HEX_H


/* the value of a digit of either case, 0 to 15; -1: c is none (nor is -1) */
static inline int
prompt_hex_digit(int c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    c |= 0x20;

    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
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

#endif /* PROMPT_BASE_HEX_H */
