/*
 * API keys: `pmt_`, 32 characters base 62, and 6 more, the CRC-32 of those 36.
 *
 * The checksum lets typing errors and made-up keys be refused without a look
 * at Redis or PostgreSQL.  Keys are stored as SHA-256 only: 190 random bits
 * need no slow hash.
 *
 * What a session's cookie holds is the same with `pms_` in front, the token of
 * an invitation with `pmi_`: none is ever taken for another.
 */

#ifndef PROMPT_PROMPT_KEY_H
#define PROMPT_PROMPT_KEY_H

#include "base/sha256.h"


#define PROMPT_KEY             "pmt_"    /* prefixes: of a key, */
#define PROMPT_SESSION         "pms_"    /* of a session, */
#define PROMPT_INVITATION      "pmi_"    /* and of an invitation */
#define PROMPT_KEY_LEN         42
#define PROMPT_KEY_RANDOM_LEN  24
#define PROMPT_KEY_HASH_LEN    PROMPT_SHA256_LEN
#define PROMPT_KEY_HINT_LEN    15    /* pmt_AbCd…wXyZ in UTF-8 */


/*
 * A new key, without NUL.  random: bytes from the kernel.  The upper two bits
 * are left out; the other 190 are one number, written with 32 digits.  As
 * 2^190 is below 62^32, every number has a key of its own, so all 2^190 keys
 * are equally likely (not every digit is: the first is never above "g").
 */
void prompt_key_make(const uint8_t random[PROMPT_KEY_RANDOM_LEN],
    const char *prefix, char out[PROMPT_KEY_LEN]);

/* form, prefix and checksum are right; allocates nothing */
bool prompt_key_valid(prompt_str_t key, const char *prefix);

/* under which either is stored */
void prompt_key_hash(prompt_str_t key, uint8_t out[PROMPT_KEY_HASH_LEN]);

/* what may be shown of a valid key, without NUL: pmt_AbCd…wXyZ */
void prompt_key_hint(prompt_str_t key, char out[PROMPT_KEY_HINT_LEN]);

#endif /* PROMPT_PROMPT_KEY_H */
