/*
 * The API key cache in Redis: names, entries and scripts.
 *
 * An entry is text of fixed length, lower-case hexadecimal but for its first
 * two characters:
 *
 *     4k  hash 64  user 32  project 32  key 32  trusted 32  role 2  budgets 2
 *         scopes 8  expiry 16  check 8
 *     4u  hash 64  check 8
 *
 * The first is the version of the form.  The check covers all before it and
 * finds accidents; that the entry names its hash makes one that was copied
 * from another key a miss.
 */

#include "base/sha256.h"
#include "store/hex.h"
#include "store/key_cache.h"


#define KEY_CACHE_HEAD     (2 + 2 * PROMPT_KEY_CACHE_HASH)
#define KEY_CACHE_CHECK    8
#define KEY_CACHE_UNKNOWN  (KEY_CACHE_HEAD + KEY_CACHE_CHECK)
#define KEY_CACHE_KNOWN    PROMPT_KEY_CACHE_MAX_ENTRY


const char  prompt_key_cache_fill_script[] =
    "if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end "
    "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) "
    "redis.call('DEL', KEYS[2]) "
    "return 1";


size_t
prompt_key_cache_prefix(char out[PROMPT_KEY_CACHE_MAX_OWN],
    prompt_str_t prefix, uint64_t database)
{
    char  *p;

    p = prompt_hex_name(out, prefix, PROMPT_KEY_CACHE_MAX_PREFIX,
                        prompt_str(""));
    if (p == NULL) {
        return 0;
    }

    p = prompt_hex_number(p, database, sizeof(database));
    *p++ = ':';

    return (size_t) (p - out);
}


static size_t
key_cache_name(char *out, prompt_str_t prefix, prompt_str_t kind,
    const uint8_t hash[PROMPT_KEY_CACHE_HASH])
{
    char  *p;

    p = prompt_hex_name(out, prefix, PROMPT_KEY_CACHE_MAX_OWN, kind);
    if (p == NULL) {
        return 0;
    }

    p = prompt_hex_write(p, hash, PROMPT_KEY_CACHE_HASH);
    *p++ = '}';

    return (size_t) (p - out);
}


size_t
prompt_key_cache_entry_name(char out[PROMPT_KEY_CACHE_MAX_NAME],
    prompt_str_t prefix, const uint8_t hash[PROMPT_KEY_CACHE_HASH])
{
    return key_cache_name(out, prefix, prompt_str("key:{"), hash);
}


size_t
prompt_key_cache_lease_name(char out[PROMPT_KEY_CACHE_MAX_NAME],
    prompt_str_t prefix, const uint8_t hash[PROMPT_KEY_CACHE_HASH])
{
    return key_cache_name(out, prefix, prompt_str("lease:{"), hash);
}


void
prompt_key_cache_acting(const uint8_t hash[PROMPT_KEY_CACHE_HASH],
    const uint8_t project_id[16], uint8_t out[PROMPT_KEY_CACHE_HASH])
{
    prompt_sha256_t  sha;

    prompt_sha256_init(&sha);
    prompt_sha256_update(&sha, prompt_str_of((const char *) hash,
                                             PROMPT_KEY_CACHE_HASH));
    prompt_sha256_update(&sha, prompt_str_of((const char *) project_id, 16));
    prompt_sha256_final(&sha, out);
}


void
prompt_key_cache_token(char out[PROMPT_KEY_CACHE_TOKEN],
    const uint8_t random[16])
{
    (void) prompt_hex_write(out, random, PROMPT_KEY_CACHE_TOKEN / 2);
}


size_t
prompt_key_cache_encode(char out[PROMPT_KEY_CACHE_MAX_ENTRY],
    const uint8_t hash[PROMPT_KEY_CACHE_HASH],
    const prompt_key_cache_entry_t *entry)
{
    char  *p;

    p = out;

    *p++ = '4';
    *p++ = entry->known ? 'k' : 'u';
    p = prompt_hex_write(p, hash, PROMPT_KEY_CACHE_HASH);

    if (entry->known) {
        p = prompt_hex_write(p, entry->user_id, sizeof(entry->user_id));
        p = prompt_hex_write(p, entry->project_id, sizeof(entry->project_id));
        p = prompt_hex_write(p, entry->key_id, sizeof(entry->key_id));
        p = prompt_hex_write(p, entry->trusted, sizeof(entry->trusted));
        p = prompt_hex_number(p, entry->role, 1);
        p = prompt_hex_number(p, entry->budgets, 1);
        p = prompt_hex_number(p, entry->scopes, 4);
        p = prompt_hex_number(p, (uint64_t) entry->expires_at, 8);
    }

    p = prompt_hex_number(p,
                       prompt_str_hash(prompt_str_of(out, (size_t) (p - out))),
                       KEY_CACHE_CHECK / 2);

    return (size_t) (p - out);
}


bool
prompt_key_cache_decode(prompt_str_t text,
    const uint8_t hash[PROMPT_KEY_CACHE_HASH],
    prompt_key_cache_entry_t *entry)
{
    char         digits[2 * PROMPT_KEY_CACHE_HASH];
    uint64_t     role, budgets, scopes, expires_at;
    const char  *p;

    if (text.len != KEY_CACHE_KNOWN && text.len != KEY_CACHE_UNKNOWN) {
        return false;
    }

    if (text.data[0] != '4'
        || text.data[1] != (text.len == KEY_CACHE_KNOWN ? 'k' : 'u'))
    {
        return false;
    }

    p = text.data + text.len - KEY_CACHE_CHECK;

    (void) prompt_hex_number(digits,
               prompt_str_hash(prompt_str_of(text.data,
                                             text.len - KEY_CACHE_CHECK)),
               KEY_CACHE_CHECK / 2);

    if (memcmp(p, digits, KEY_CACHE_CHECK) != 0) {
        return false;
    }

    p = text.data + 2;

    (void) prompt_hex_write(digits, hash, PROMPT_KEY_CACHE_HASH);

    if (memcmp(p, digits, sizeof(digits)) != 0) {
        return false;
    }

    p += sizeof(digits);

    memset(entry, 0, sizeof(prompt_key_cache_entry_t));

    if (text.len == KEY_CACHE_UNKNOWN) {
        return true;
    }

    if (!prompt_hex_read(&p, entry->user_id, sizeof(entry->user_id))
        || !prompt_hex_read(&p, entry->project_id, sizeof(entry->project_id))
        || !prompt_hex_read(&p, entry->key_id, sizeof(entry->key_id))
        || !prompt_hex_read(&p, entry->trusted, sizeof(entry->trusted))
        || !prompt_hex_read_number(&p, &role, 1)
        || !prompt_hex_read_number(&p, &budgets, 1)
        || !prompt_hex_read_number(&p, &scopes, 4)
        || !prompt_hex_read_number(&p, &expires_at, 8)
        || expires_at > INT64_MAX)
    {
        return false;
    }

    entry->known = true;
    entry->role = (uint8_t) role;
    entry->budgets = budgets != 0;
    entry->scopes = (uint32_t) scopes;
    entry->expires_at = (int64_t) expires_at;

    return true;
}
