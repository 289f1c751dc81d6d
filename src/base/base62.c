/*
 * Base 62: division, digit by digit from the last; a long one where a number
 * has more bytes than a word.
 */

#include "base/base62.h"


#define PROMPT_BASE62_MAX  64


static const char  prompt_base62_digits[] = "0123456789"
                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "abcdefghijklmnopqrstuvwxyz";

/* a digit's value and one more; 0: none */
static const uint8_t  prompt_base62_values[256] = {
    ['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ['A'] = 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
            24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36,
    ['a'] = 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
            50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62
};


int
prompt_base62_digit(char c)
{
    return prompt_base62_values[(unsigned char) c] - 1;
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
    uint64_t  word;
    unsigned  rest;

    if (len <= sizeof(word)) {
        word = 0;

        for (i = 0; i < len; i++) {
            word = word << 8 | bytes[i];
        }

        while (width-- != 0) {
            out[width] = prompt_base62_digits[word % 62];
            word /= 62;
        }

        return;
    }

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

        out[width] = prompt_base62_digits[rest];
    }
}
