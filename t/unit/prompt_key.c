/*
 * API keys: form, checksum, hint.
 */

#include "prompt/key.h"

#include "tap.h"


static void
test_make(void)
{
    char      key[PROMPT_KEY_LEN], hint[PROMPT_KEY_HINT_LEN];
    uint8_t   random[PROMPT_KEY_RANDOM_LEN], hash[PROMPT_KEY_HASH_LEN];
    unsigned  i;

    memset(random, 0, sizeof(random));
    prompt_key_make(random, PROMPT_KEY, key);
    is_str(prompt_str_of(key, 36), "pmt_00000000000000000000000000000000",
           "no bits");
    ok(prompt_key_valid(prompt_str_of(key, sizeof(key)), PROMPT_KEY), "valid");

    memset(random, 0xff, sizeof(random));
    prompt_key_make(random, PROMPT_KEY, key);
    is_str(prompt_str_of(key, 36), "pmt_goI1aOx5GEzFguM4G50MuMiUED5ag5YV",
           "all 190 bits");
    ok(prompt_key_valid(prompt_str_of(key, sizeof(key)), PROMPT_KEY), "valid");

    for (i = 0; i < sizeof(random); i++) {
        random[i] = (uint8_t) (i * 37 + 11);
    }

    prompt_key_make(random, PROMPT_KEY, key);
    ok(prompt_key_valid(prompt_str_of(key, sizeof(key)), PROMPT_KEY),
       "some bits: valid");

    prompt_key_hint(prompt_str_of(key, sizeof(key)), hint);
    ok(memcmp(hint, key, 8) == 0 && memcmp(hint + 8, "\xe2\x80\xa6", 3) == 0
       && memcmp(hint + 11, key + 38, 4) == 0, "hint");

    ok(!prompt_key_valid(prompt_str_of(key, sizeof(key)), PROMPT_SESSION),
       "is no session");

    prompt_key_make(random, PROMPT_SESSION, key);
    ok(prompt_key_valid(prompt_str_of(key, sizeof(key)), PROMPT_SESSION),
       "a session");
    ok(!prompt_key_valid(prompt_str_of(key, sizeof(key)), PROMPT_KEY),
       "is no key");

    prompt_key_hash(prompt_str("abc"), hash);
    ok(hash[0] == 0xba && hash[31] == 0xad, "hash");
}


static void
test_refused(void)
{
    char      key[PROMPT_KEY_LEN + 1], changed[PROMPT_KEY_LEN + 1];
    bool      refused;
    uint8_t   random[PROMPT_KEY_RANDOM_LEN];
    unsigned  i, c;

    memset(random, 0x5a, sizeof(random));
    prompt_key_make(random, PROMPT_KEY, key);

    refused = true;

    for (i = 0; i < PROMPT_KEY_LEN; i++) {
        for (c = 0; c < 256; c++) {
            memcpy(changed, key, sizeof(key));
            changed[i] = (char) c;

            if (changed[i] != key[i]) {
                refused = refused
                          && !prompt_key_valid(prompt_str_of(changed,
                                                             PROMPT_KEY_LEN),
                                               PROMPT_KEY);
            }
        }
    }

    ok(refused, "any other byte at any place");

    memcpy(changed, key, sizeof(key));
    changed[PROMPT_KEY_LEN] = '0';
    ok(!prompt_key_valid(prompt_str_of(changed, PROMPT_KEY_LEN + 1),
                         PROMPT_KEY),
       "one byte more");
    ok(!prompt_key_valid(prompt_str_of(key, PROMPT_KEY_LEN - 1), PROMPT_KEY),
       "one byte less");
    ok(!prompt_key_valid(prompt_str_absent, PROMPT_KEY), "absent");

    refused = true;

    for (i = 4; i + 1 < PROMPT_KEY_LEN; i++) {
        memcpy(changed, key, sizeof(key));
        changed[i] = key[i + 1];
        changed[i + 1] = key[i];

        if (changed[i] != key[i]) {
            refused = refused
                      && !prompt_key_valid(prompt_str_of(changed,
                                                         PROMPT_KEY_LEN),
                                           PROMPT_KEY);
        }
    }

    ok(refused, "two neighbours exchanged");
}


int
main(void)
{
    test_make();
    test_refused();

    return done_testing();
}
