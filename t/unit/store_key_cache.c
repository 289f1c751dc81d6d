/*
 * The entries of the key cache: what was written reads back, and whatever
 * else stands in Redis is a miss.
 */

#include "tap.h"

#include <stdlib.h>

#include "store/key_cache.h"


static uint8_t                   hash[PROMPT_KEY_CACHE_HASH];
static prompt_key_cache_entry_t  known;


static void
test_names(void)
{
    char    name[PROMPT_KEY_CACHE_MAX_NAME], prefix[200];
    size_t  len;

    len = prompt_key_cache_entry_name(name, prompt_str("prompt:"), hash);
    is_str(prompt_str_of(name, len),
           "prompt:key:{000102030405060708090a0b0c0d0e0f"
           "101112131415161718191a1b1c1d1e1f}", "name of an entry");

    len = prompt_key_cache_lease_name(name, prompt_str_absent, hash);
    is_str(prompt_str_of(name, len),
           "lease:{000102030405060708090a0b0c0d0e0f"
           "101112131415161718191a1b1c1d1e1f}", "name of a lease, no prefix");

    memset(prefix, 'p', sizeof(prefix));

    is_int(prompt_key_cache_lease_name(name,
                 prompt_str_of(prefix, PROMPT_KEY_CACHE_MAX_OWN), hash),
           PROMPT_KEY_CACHE_MAX_OWN + 72, "longest prefix");
    is_int(prompt_key_cache_entry_name(name,
                 prompt_str_of(prefix, PROMPT_KEY_CACHE_MAX_OWN + 1), hash),
           0, "prefix too long");

    len = prompt_key_cache_prefix(name, prompt_str("prompt:"),
                                  0x0123456789abcdef);
    is_str(prompt_str_of(name, len), "prompt:0123456789abcdef:",
           "prefix of a database");
    is_int(prompt_key_cache_prefix(name,
                 prompt_str_of(prefix, PROMPT_KEY_CACHE_MAX_PREFIX), 0),
           PROMPT_KEY_CACHE_MAX_OWN, "that of the longest");
    is_int(prompt_key_cache_prefix(name,
                 prompt_str_of(prefix, PROMPT_KEY_CACHE_MAX_PREFIX + 1), 0),
           0, "that of one too long");

    prompt_key_cache_token(name, hash);
    is_str(prompt_str_of(name, PROMPT_KEY_CACHE_TOKEN),
           "000102030405060708090a0b0c0d0e0f", "token");
}


static void
test_round_trip(void)
{
    char                      text[PROMPT_KEY_CACHE_MAX_ENTRY];
    size_t                    len;
    prompt_key_cache_entry_t  got, unknown;

    len = prompt_key_cache_encode(text, hash, &known);
    is_int(len, PROMPT_KEY_CACHE_MAX_ENTRY, "length of a known key");

    memset(&got, 0x55, sizeof(got));
    ok(prompt_key_cache_decode(prompt_str_of(text, len), hash, &got)
       && got.known
       && memcmp(got.user_id, known.user_id, 16) == 0
       && memcmp(got.key_id, known.key_id, 16) == 0
       && got.scopes == known.scopes
       && got.expires_at == known.expires_at, "known key reads back");

    memset(&unknown, 0, sizeof(unknown));
    len = prompt_key_cache_encode(text, hash, &unknown);
    ok(prompt_key_cache_decode(prompt_str_of(text, len), hash, &got)
       && !got.known && got.scopes == 0, "unknown key reads back");
}


static void
test_misses(void)
{
    char                      text[PROMPT_KEY_CACHE_MAX_ENTRY + 1], *copy;
    char                      saved;
    size_t                    len, i, refused;
    uint8_t                   other[PROMPT_KEY_CACHE_HASH];
    unsigned                  bit;
    prompt_key_cache_entry_t  got;

    len = prompt_key_cache_encode(text, hash, &known);
    text[len] = '0';

    memcpy(other, hash, sizeof(other));
    other[31] ^= 1;
    ok(!prompt_key_cache_decode(prompt_str_of(text, len), other, &got),
       "entry of another key");

    ok(!prompt_key_cache_decode(prompt_str_absent, hash, &got), "absent");
    ok(!prompt_key_cache_decode(prompt_str_of(text, len + 1), hash, &got),
       "a byte too many");

    /* exact allocations, so that a read beyond the end is seen */

    refused = 0;

    for (i = 0; i < len; i++) {
        copy = malloc(i + 1);
        if (copy == NULL) {
            continue;
        }

        memcpy(copy, text, i);
        refused += !prompt_key_cache_decode(prompt_str_of(copy, i), hash,
                                            &got);
        free(copy);
    }

    is_int(refused, len, "truncated anywhere");

    refused = 0;

    for (i = 0; i < len; i++) {
        for (bit = 0; bit < 8; bit++) {
            saved = text[i];
            text[i] = (char) (text[i] ^ 1 << bit);
            refused += !prompt_key_cache_decode(prompt_str_of(text, len), hash,
                                                &got);
            text[i] = saved;
        }
    }

    is_int(refused, len * 8, "any bit changed");
}


int
main(void)
{
    uint8_t  i;

    for (i = 0; i < sizeof(hash); i++) {
        hash[i] = i;
    }

    known.known = true;
    known.scopes = 0xf00000a5;
    known.expires_at = 1795232773123;
    memset(known.user_id, 0xa1, sizeof(known.user_id));
    memset(known.key_id, 0xb2, sizeof(known.key_id));

    test_names();
    test_round_trip();
    test_misses();

    return done_testing();
}
