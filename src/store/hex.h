/*
 * Texts in Redis: names, and numbers of fixed length in hexadecimal digits,
 * for the files of the store alone.
 */

#ifndef PROMPT_STORE_HEX_H
#define PROMPT_STORE_HEX_H

#include "base/digits.h"


/* A prefix and what follows it; returns behind.  NULL: above max bytes. */
static inline char *
prompt_hex_name(char *out, prompt_str_t prefix, size_t max, prompt_str_t kind)
{
    if (prefix.len > max) {
        return NULL;
    }

    if (prefix.len != 0) {
        memcpy(out, prefix.data, prefix.len);
    }

    memcpy(out + prefix.len, kind.data, kind.len);

    return out + prefix.len + kind.len;
}


/* the lowest bytes of n; returns behind the digits */
static inline char *
prompt_hex_number(char *out, uint64_t n, size_t bytes)
{
    size_t   i;
    uint8_t  data[8];

    for (i = 0; i < bytes; i++) {
        data[i] = (uint8_t) (n >> (8 * (bytes - 1 - i)));
    }

    return prompt_hex_write(out, data, bytes);
}


/* a number of so many bytes at *p, which moves behind its digits */
static inline bool
prompt_hex_read_number(const char **p, uint64_t *n, size_t bytes)
{
    size_t   i;
    uint8_t  data[8];

    if (!prompt_hex_read(p, data, bytes)) {
        return false;
    }

    *n = 0;

    for (i = 0; i < bytes; i++) {
        *n = *n << 8 | data[i];
    }

    return true;
}

#endif /* PROMPT_STORE_HEX_H */
