/*
 * API keys and sessions: making, checking, hashing.
 */

#include "prompt/key.h"

#include "base/base62.h"
#include "base/crc32.h"


#define PROMPT_KEY_PREFIX_LEN    4
#define PROMPT_KEY_SECRET_LEN    32
#define PROMPT_KEY_CHECKED_LEN   (PROMPT_KEY_PREFIX_LEN + PROMPT_KEY_SECRET_LEN)
#define PROMPT_KEY_CHECKSUM_LEN  6


static void
prompt_key_checksum(const char *key, char out[PROMPT_KEY_CHECKSUM_LEN])
{
    uint8_t   bytes[4];
    uint32_t  crc;

    crc = prompt_crc32(prompt_str_of(key, PROMPT_KEY_CHECKED_LEN));

    bytes[0] = (uint8_t) (crc >> 24);
    bytes[1] = (uint8_t) (crc >> 16);
    bytes[2] = (uint8_t) (crc >> 8);
    bytes[3] = (uint8_t) crc;

    prompt_base62_encode(bytes, sizeof(bytes), out, PROMPT_KEY_CHECKSUM_LEN);
}


void
prompt_key_make(const uint8_t random[PROMPT_KEY_RANDOM_LEN],
    const char *prefix, char out[PROMPT_KEY_LEN])
{
    uint8_t  number[PROMPT_KEY_RANDOM_LEN];

    memcpy(number, random, sizeof(number));
    number[0] &= 0x3f;

    memcpy(out, prefix, PROMPT_KEY_PREFIX_LEN);
    prompt_base62_encode(number, sizeof(number), out + PROMPT_KEY_PREFIX_LEN,
                         PROMPT_KEY_SECRET_LEN);
    prompt_key_checksum(out, out + PROMPT_KEY_CHECKED_LEN);
}


bool
prompt_key_valid(prompt_str_t key, const char *prefix)
{
    char          checksum[PROMPT_KEY_CHECKSUM_LEN];
    prompt_str_t  digits;

    if (key.len != PROMPT_KEY_LEN
        || memcmp(key.data, prefix, PROMPT_KEY_PREFIX_LEN) != 0)
    {
        return false;
    }

    digits = prompt_str_of(key.data + PROMPT_KEY_PREFIX_LEN,
                           PROMPT_KEY_LEN - PROMPT_KEY_PREFIX_LEN);

    if (!prompt_base62_valid(digits)) {
        return false;
    }

    prompt_key_checksum(key.data, checksum);

    return memcmp(key.data + PROMPT_KEY_CHECKED_LEN, checksum,
                  PROMPT_KEY_CHECKSUM_LEN) == 0;
}


void
prompt_key_hash(prompt_str_t key, uint8_t out[PROMPT_KEY_HASH_LEN])
{
    prompt_sha256(key, out);
}


void
prompt_key_hint(prompt_str_t key, char out[PROMPT_KEY_HINT_LEN])
{
    memcpy(out, key.data, 8);
    memcpy(out + 8, "…", 3);
    memcpy(out + 11, key.data + key.len - 4, 4);
}
