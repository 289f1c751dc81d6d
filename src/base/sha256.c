/*
 * SHA-256 (FIPS 180-4, 6.2).
 */

#include "base/digits.h"
#include "base/sha256.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif


static const uint32_t  prompt_sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};


static inline uint32_t
prompt_sha256_rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}


/* the words of the message schedule */
static void
prompt_sha256_schedule(const uint8_t *block, uint32_t w[64])
{
    unsigned  i;
    uint32_t  s0, s1;

    for (i = 0; i < 16; i++) {
        w[i] = (uint32_t) block[4 * i] << 24
               | (uint32_t) block[4 * i + 1] << 16
               | (uint32_t) block[4 * i + 2] << 8
               | (uint32_t) block[4 * i + 3];
    }

    for (i = 16; i < 64; i++) {
        s0 = prompt_sha256_rotate(w[i - 15], 7)
             ^ prompt_sha256_rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        s1 = prompt_sha256_rotate(w[i - 2], 17)
             ^ prompt_sha256_rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}


/* x turned by n, by n + m and by n + m + l, all of it xor */
static inline uint32_t
prompt_sha256_sum(uint32_t x, unsigned n, unsigned m, unsigned l)
{
    return prompt_sha256_rotate(
             prompt_sha256_rotate(prompt_sha256_rotate(x, l) ^ x, m) ^ x, n);
}


/*
 * One round; instead of moving the eight variables up by one their names are
 * moved, from one call to the next.  Ch and Maj are written with the fewest
 * steps; *bc is b ^ c, and then that of the next round.
 */
static inline void
prompt_sha256_round(uint32_t a, uint32_t b, uint32_t *bc, uint32_t *d,
    uint32_t e, uint32_t f, uint32_t g, uint32_t *h, uint32_t kw)
{
    uint32_t  t1, ab;

    ab = a ^ b;
    t1 = *h + kw + (g ^ (e & (f ^ g))) + prompt_sha256_sum(e, 6, 5, 14);

    *d += t1;
    *h = t1 + (b ^ (ab & *bc)) + prompt_sha256_sum(a, 2, 11, 9);
    *bc = ab;
}


static void
prompt_sha256_plain(prompt_sha256_t *sha, const uint8_t *block)
{
    unsigned         i;
    uint32_t         w[64], a, b, c, d, e, f, g, h, bc;
    const uint32_t  *k;

    prompt_sha256_schedule(block, w);
    k = prompt_sha256_k;

    a = sha->state[0];
    b = sha->state[1];
    c = sha->state[2];
    d = sha->state[3];
    e = sha->state[4];
    f = sha->state[5];
    g = sha->state[6];
    h = sha->state[7];
    bc = b ^ c;

    for (i = 0; i < 64; i += 8) {
        prompt_sha256_round(a, b, &bc, &d, e, f, g, &h, k[i] + w[i]);
        prompt_sha256_round(h, a, &bc, &c, d, e, f, &g, k[i + 1] + w[i + 1]);
        prompt_sha256_round(g, h, &bc, &b, c, d, e, &f, k[i + 2] + w[i + 2]);
        prompt_sha256_round(f, g, &bc, &a, b, c, d, &e, k[i + 3] + w[i + 3]);
        prompt_sha256_round(e, f, &bc, &h, a, b, c, &d, k[i + 4] + w[i + 4]);
        prompt_sha256_round(d, e, &bc, &g, h, a, b, &c, k[i + 5] + w[i + 5]);
        prompt_sha256_round(c, d, &bc, &f, g, h, a, &b, k[i + 6] + w[i + 6]);
        prompt_sha256_round(b, c, &bc, &e, f, g, h, &a, k[i + 7] + w[i + 7]);
    }

    sha->state[0] += a;
    sha->state[1] += b;
    sha->state[2] += c;
    sha->state[3] += d;
    sha->state[4] += e;
    sha->state[5] += f;
    sha->state[6] += g;
    sha->state[7] += h;
}


#if defined(__x86_64__)

/* By the processor's own instructions: a sixteenth of the steps. */
__attribute__((target("sha,sse4.1")))
static void
prompt_sha256_native(prompt_sha256_t *sha, const uint8_t *block)
{
    int       i;
    __m128i   w[4], kw, dcba, hgfe, abef, cdgh, abef_0, cdgh_0, *state;

    const __m128i   order = _mm_set_epi64x(0x0c0d0e0f08090a0b,
                                           0x0405060700010203);
    const __m128i  *k = (const __m128i *) (const void *) prompt_sha256_k;

    state = (__m128i *) (void *) sha->state;
    dcba = _mm_shuffle_epi32(_mm_loadu_si128(&state[0]), 0xb1);
    hgfe = _mm_shuffle_epi32(_mm_loadu_si128(&state[1]), 0x1b);
    abef = abef_0 = _mm_alignr_epi8(dcba, hgfe, 8);
    cdgh = cdgh_0 = _mm_blend_epi16(hgfe, dcba, 0xf0);

#pragma GCC unroll 16
    for (i = 0; i < 16; i++) {

        if (i < 4) {
            kw = _mm_loadu_si128((const __m128i *) (const void *) block + i);
            w[i] = _mm_shuffle_epi8(kw, order);

        } else {
            kw = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]),
                     _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4));
            w[i % 4] = _mm_sha256msg2_epu32(kw, w[(i + 3) % 4]);
        }

        kw = _mm_add_epi32(w[i % 4], _mm_loadu_si128(&k[i]));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, kw);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(kw, 0x0e));
    }

    dcba = _mm_shuffle_epi32(_mm_add_epi32(abef, abef_0), 0x1b);
    hgfe = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh_0), 0xb1);
    _mm_storeu_si128(&state[0], _mm_blend_epi16(dcba, hgfe, 0xf0));
    _mm_storeu_si128(&state[1], _mm_alignr_epi8(hgfe, dcba, 8));
}


/* Asked for once: in a virtual machine the question is dear. */
static bool
prompt_sha256_is_native(void)
{
    unsigned    a, b, c, d, extended;
    static int  known;                   /* 1: it is; -1: it is not */

    if (known == 0) {
        known = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) != 0
                && __get_cpuid_count(7, 0, &a, &extended, &c, &d)
                && (extended & bit_SHA) != 0 ? 1 : -1;
    }

    return known > 0;
}

#endif


static void
prompt_sha256_block(prompt_sha256_t *sha, const uint8_t *block)
{
#if defined(__x86_64__)

    if (prompt_sha256_is_native()) {
        prompt_sha256_native(sha, block);
        return;
    }

#endif

    prompt_sha256_plain(sha, block);
}


void
prompt_sha256_init(prompt_sha256_t *sha)
{
    static const uint32_t  start[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
    };

    memcpy(sha->state, start, sizeof(start));
    sha->len = 0;
}


void
prompt_sha256_update(prompt_sha256_t *sha, prompt_str_t bytes)
{
    size_t          n, used;
    const uint8_t  *p, *end;

    if (bytes.len == 0) {
        return;
    }

    p = (const uint8_t *) bytes.data;
    end = p + bytes.len;
    used = sha->len % sizeof(sha->block);
    sha->len += bytes.len;

    while (p < end) {
        n = sizeof(sha->block) - used;

        if (used == 0 && n <= (size_t) (end - p)) {
            prompt_sha256_block(sha, p);
            p += n;
            continue;
        }

        if (n > (size_t) (end - p)) {
            n = (size_t) (end - p);
        }

        memcpy(sha->block + used, p, n);
        p += n;
        used += n;

        if (used == sizeof(sha->block)) {
            prompt_sha256_block(sha, sha->block);
            used = 0;
        }
    }
}


void
prompt_sha256_final(prompt_sha256_t *sha, uint8_t out[PROMPT_SHA256_LEN])
{
    size_t    used;
    uint32_t  word;
    unsigned  i;
    uint64_t  bits;

    bits = sha->len * 8;
    used = sha->len % sizeof(sha->block);
    sha->block[used++] = 0x80;

    if (used > 56) {
        memset(sha->block + used, 0, sizeof(sha->block) - used);
        prompt_sha256_block(sha, sha->block);
        used = 0;
    }

    memset(sha->block + used, 0, 56 - used);

    for (i = 0; i < 8; i++) {
        sha->block[56 + i] = (uint8_t) (bits >> (56 - 8 * i));
    }

    prompt_sha256_block(sha, sha->block);

    for (i = 0; i < 8; i++) {
        word = sha->state[i];

        out[4 * i] = (uint8_t) (word >> 24);
        out[4 * i + 1] = (uint8_t) (word >> 16);
        out[4 * i + 2] = (uint8_t) (word >> 8);
        out[4 * i + 3] = (uint8_t) word;
    }
}


void
prompt_sha256(prompt_str_t bytes, uint8_t out[PROMPT_SHA256_LEN])
{
    prompt_sha256_t  sha;

    prompt_sha256_init(&sha);
    prompt_sha256_update(&sha, bytes);
    prompt_sha256_final(&sha, out);
}


void
prompt_sha256_hex(prompt_str_t bytes, char out[PROMPT_SHA256_HEX_LEN])
{
    uint8_t  hash[PROMPT_SHA256_LEN];

    prompt_sha256(bytes, hash);
    (void) prompt_hex_write(out, hash, sizeof(hash));
}
