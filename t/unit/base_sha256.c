/*
 * SHA-256 against the vectors of FIPS 180 and NIST's CAVP; CRC-32 and base 62
 * against known values.
 */

#include <stdlib.h>

#include "base/base62.h"
#include "base/crc32.h"
#include "base/sha256.c"             /* for what is static in it */

#include "tap.h"


static void
is_hash(prompt_str_t bytes, const char *want, const char *name)
{
    char  hex[PROMPT_SHA256_HEX_LEN];

    prompt_sha256_hex(bytes, hex);
    is_str(prompt_str_of(hex, sizeof(hex)), want, name);
}


static void
test_sha256(void)
{
    char             million[1000];
    bool             same;
    size_t           i, n;
    uint8_t          whole[PROMPT_SHA256_LEN], pieces[PROMPT_SHA256_LEN];
    prompt_sha256_t  sha;

    is_hash(prompt_str(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "nothing");
    is_hash(prompt_str("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "abc");
    is_hash(prompt_str("abcdbcdecdefdefgefghfghighij"
                       "hijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            "two blocks");
    is_hash(prompt_str("\xd3"),
            "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1",
            "one byte");
    is_hash(prompt_str("abcdefghbcdefghicdefghijdefg"
                       "hijkefghijklfghijklmghijklmn"
                       "hijklmnoijklmnopjklmnopqklmn"
                       "opqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
            "112 bytes");

    memset(million, 'a', sizeof(million));
    prompt_sha256_init(&sha);

    for (i = 0; i < 1000; i++) {
        prompt_sha256_update(&sha, prompt_str_of(million, 1000));
    }

    prompt_sha256_final(&sha, whole);
    ok(memcmp(whole, "\xcd\xc7\x6e\x5c\x99\x14\xfb\x92\x81\xa1\xc7\xe2\x84\xd7"
              "\x3e\x67\xf1\x80\x9a\x48\xa4\x97\x20\x0e\x04\x6d\x39\xcc\xc7"
              "\x11\x2c\xd0", 32) == 0, "a million times a");

    same = true;

    for (n = 0; n < 200; n++) {
        prompt_sha256(prompt_str_of(million, n), whole);
        prompt_sha256_init(&sha);

        for (i = 0; i < n; i++) {
            prompt_sha256_update(&sha, prompt_str_of(million + i, 1));
        }

        prompt_sha256_final(&sha, pieces);
        same = same && memcmp(whole, pieces, sizeof(whole)) == 0;
    }

    ok(same, "byte by byte, of every length to 200");
}


/* a processor takes one of both: they are the same */
static void
test_native(void)
{
#if defined(__x86_64__)

    int              i;
    bool             same;
    size_t           n;
    uint8_t          block[64];
    prompt_sha256_t  native, plain;

    if (!prompt_sha256_is_native()) {
        diag("this processor has no instructions for SHA-256");
        return;
    }

    same = true;
    prompt_sha256_init(&native);
    prompt_sha256_init(&plain);

    for (i = 0; i < 1000; i++) {

        for (n = 0; n < sizeof(block); n++) {
            block[n] = (uint8_t) rand();
        }

        prompt_sha256_native(&native, block);
        prompt_sha256_plain(&plain, block);
        same = same && memcmp(native.state, plain.state, 32) == 0;
    }

    ok(same, "by instructions of the processor as without");

#endif
}


static void
test_crc32(void)
{
    ok(prompt_crc32(prompt_str("")) == 0, "crc of nothing");
    ok(prompt_crc32(prompt_str("123456789")) == 0xcbf43926, "check value");
    ok(prompt_crc32(prompt_str("The quick brown fox jumps over the lazy dog"))
       == 0x414fa339, "a sentence");
    ok(prompt_crc32(prompt_str("\0\0\0\0")) == 0x2144df1c, "zeros");
}


static void
test_base62(void)
{
    char     out[32];
    bool     each;
    int      c;
    uint8_t  bytes[24];

    prompt_base62_encode((const uint8_t *) "\0\0\0\x3d", 4, out, 6);
    is_str(prompt_str_of(out, 6), "00000z", "61");
    prompt_base62_encode((const uint8_t *) "\0\0\0\x3e", 4, out, 6);
    is_str(prompt_str_of(out, 6), "000010", "62");
    prompt_base62_encode((const uint8_t *) "\xff\xff\xff\xff", 4, out, 6);
    is_str(prompt_str_of(out, 6), "4gfFC3", "2^32 - 1");

    memset(bytes, 0xff, sizeof(bytes));
    bytes[0] = 0x3f;
    prompt_base62_encode(bytes, 24, out, 32);
    is_str(prompt_str_of(out, 32), "goI1aOx5GEzFguM4G50MuMiUED5ag5YV",
           "2^190 - 1 in 32 digits");

    each = true;

    for (c = -128; c < 128; c++) {
        each = each && (prompt_base62_digit((char) c) >= 0)
                       == ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z')
                           || (c >= 'a' && c <= 'z'));
    }

    ok(each, "digits and no others");
    ok(!prompt_base62_valid(prompt_str("ab-c")), "invalid");
    is_int(prompt_base62_digit('A'), 10, "A");
    is_int(prompt_base62_digit('z'), 61, "z");
}


int
main(void)
{
    test_sha256();
    test_native();
    test_crc32();
    test_base62();

    return done_testing();
}
