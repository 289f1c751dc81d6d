/*
 * Base 62: digits 0-9, A-Z, a-z in this order, the most significant first,
 * of a fixed width.
 */

#ifndef PROMPT_BASE_BASE62_H
#define PROMPT_BASE_BASE62_H

#include "base/str.h"


/* 0 to 61, or -1 for any other byte */
int prompt_base62_digit(char c);

/* all bytes of s are digits */
bool prompt_base62_valid(prompt_str_t s);

/*
 * Writes the big-endian number of len bytes as width digits.  Both are at
 * most 64.  The number is below 62^width (else its upper digits are lost).
 */
void prompt_base62_encode(const uint8_t *bytes, size_t len, char *out,
    size_t width);

#endif /* PROMPT_BASE_BASE62_H */
