/*
 * SHA-256 (FIPS 180-4).
 *
 * Its own few lines rather than a library: the plain-C layers then need
 * nothing but libc, and what is hashed (API keys, persisted documents) is
 * short.  Processors of x86 that have instructions for it are asked by these.
 */

#ifndef PROMPT_BASE_SHA256_H
#define PROMPT_BASE_SHA256_H

#include "base/str.h"


#define PROMPT_SHA256_LEN      32
#define PROMPT_SHA256_HEX_LEN  64


typedef struct {
    uint32_t  state[8];
    uint64_t  len;                   /* bytes so far */
    uint8_t   block[64];
} prompt_sha256_t;


/* piece by piece; final may be called once */
void prompt_sha256_init(prompt_sha256_t *sha);
void prompt_sha256_update(prompt_sha256_t *sha, prompt_str_t bytes);
void prompt_sha256_final(prompt_sha256_t *sha,
    uint8_t out[PROMPT_SHA256_LEN]);

/* at once */
void prompt_sha256(prompt_str_t bytes, uint8_t out[PROMPT_SHA256_LEN]);

/* at once, as lower-case hexadecimal digits, without NUL */
void prompt_sha256_hex(prompt_str_t bytes, char out[PROMPT_SHA256_HEX_LEN]);

#endif /* PROMPT_BASE_SHA256_H */
