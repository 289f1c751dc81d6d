/*
 * Base 62: long division, digit by digit from the last.
 */

#include "base/base62.h"


#define PROMPT_BASE62_MAX  64


int
prompt_base62_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    if (c >= 'A' && c <= 'Z') {
        return c - 'A' + 10;
    }

    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 36;
    }

    return -1;
}


bool
prompt_base62_valid(prompt_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {
        if (prompt_base62_digit(s.data[i]) < 0) {
            return false;
        }
    }

    return true;
}


void
prompt_base62_encode(const uint8_t *bytes, size_t len, char *out, size_t width)
{
    size_t    i;
    uint8_t   number[PROMPT_BASE62_MAX];
    unsigned  rest;

    static const char  digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz";

    if (len > PROMPT_BASE62_MAX) {
        len = PROMPT_BASE62_MAX;
    }

    memcpy(number, bytes, len);

    while (width-- != 0) {
        rest = 0;

        for (i = 0; i < len; i++) {
            rest = rest << 8 | number[i];
            number[i] = (uint8_t) (rest / 62);
            rest %= 62;
        }

        out[width] = digits[rest];
    }
}
