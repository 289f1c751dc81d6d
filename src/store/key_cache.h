/*
 * The API key cache in Redis: names, entries and scripts, in one place for
 * all who speak to it (the module fills and reads it, promptctl revokes).
 *
 * Two names belong to a key, both with its hash as hash tag so that they live
 * in one slot of a Redis Cluster:
 *
 *     <prefix>key:{<hash>}      entry: who the key is, or that it is unknown
 *     <prefix>lease:{<hash>}    lease: the token of whoever may write the entry
 *
 * The hash is a key's or a session's; of a session that acts in a project that
 * the request names, it is the one of prompt_key_cache_acting().
 *
 * The prefix is the operator's and the database's (store/schema_version.h), so
 * that what is known of one database counts in no other.
 *
 * Reading     GETRANGE entry 0 PROMPT_KEY_CACHE_MAX_ENTRY, which is one byte
 *             more than an entry has, so that what somebody else put there
 *             stays small.  What prompt_key_cache_decode() refuses is a miss.
 * Filling     SET lease <random token> PX PROMPT_KEY_CACHE_LEASE, and once
 *             that is answered read the row; then EVAL
 *             prompt_key_cache_fill_script, which writes the entry only where
 *             the lease still holds the token.
 * Revoking    commit in PostgreSQL, then DEL entry lease: one command, so one
 *             atomic step.  A fill that has read the row before the commit
 *             finds its lease gone.  Where the answer to DEL does not come,
 *             entries are gone after their time to live plus the lease, and
 *             PROMPT_KEY_CACHE_SLACK.
 */

#ifndef PROMPT_STORE_KEY_CACHE_H
#define PROMPT_STORE_KEY_CACHE_H

#include "base/str.h"


#define PROMPT_KEY_CACHE_HASH        32       /* bytes of SHA-256 */
#define PROMPT_KEY_CACHE_TOKEN       32       /* characters of a lease token */
#define PROMPT_KEY_CACHE_LEASE       2000     /* ms that a lease holds */
#define PROMPT_KEY_CACHE_MAX_VALID   60000    /* ms that an entry may live */
#define PROMPT_KEY_CACHE_SLACK       100      /* ms that clocks may differ by,
                                                 within such a time */
#define PROMPT_KEY_CACHE_MAX_PREFIX  128      /* the operator's */
#define PROMPT_KEY_CACHE_MAX_OWN     (PROMPT_KEY_CACHE_MAX_PREFIX + 17)
#define PROMPT_KEY_CACHE_MAX_NAME    (PROMPT_KEY_CACHE_MAX_OWN + 80)
#define PROMPT_KEY_CACHE_MAX_ENTRY   230


/* What an entry says. */
typedef struct {
    bool      known;                 /* false: refuse it; the rest is zero */
    uint8_t   user_id[16];
    uint8_t   project_id[16];
    uint8_t   key_id[16];
    uint8_t   trusted[16];           /* zero: nobody said who begins it */
    uint8_t   role;                  /* prompt_role_e, of the user there */
    bool      budgets;               /* of the key, or of the project */
    uint32_t  scopes;                /* as the row has them; 0: all */
    int64_t   expires_at;            /* ms since 1970; 0: never */
} prompt_key_cache_entry_t;


/*
 * KEYS: entry, lease.  ARGV: token, entry, milliseconds to live (positive).
 * Answers 1 where the entry was written, else 0.
 */
extern const char  prompt_key_cache_fill_script[];


/* The hash under which a session is known as acting in a project. */
void prompt_key_cache_acting(const uint8_t hash[PROMPT_KEY_CACHE_HASH],
    const uint8_t project_id[16], uint8_t out[PROMPT_KEY_CACHE_HASH]);

/*
 * Writes the prefix of a database's names, also of those of positions
 * (store/position.h): "<prefix><16 digits>:", not terminated.  Returns its
 * length, or 0 where prefix is longer than PROMPT_KEY_CACHE_MAX_PREFIX.
 */
size_t prompt_key_cache_prefix(char out[PROMPT_KEY_CACHE_MAX_OWN],
    prompt_str_t prefix, uint64_t database);

/*
 * Write the name of the entry or the lease of a hash; not terminated.
 * Return its length, or 0 where prefix is longer than
 * PROMPT_KEY_CACHE_MAX_OWN.
 */
size_t prompt_key_cache_entry_name(char out[PROMPT_KEY_CACHE_MAX_NAME],
    prompt_str_t prefix, const uint8_t hash[PROMPT_KEY_CACHE_HASH]);
size_t prompt_key_cache_lease_name(char out[PROMPT_KEY_CACHE_MAX_NAME],
    prompt_str_t prefix, const uint8_t hash[PROMPT_KEY_CACHE_HASH]);

/* The text of a lease token from 16 random bytes. */
void prompt_key_cache_token(char out[PROMPT_KEY_CACHE_TOKEN],
    const uint8_t random[16]);

/* Writes the text of an entry for hash; returns its length. */
size_t prompt_key_cache_encode(char out[PROMPT_KEY_CACHE_MAX_ENTRY],
    const uint8_t hash[PROMPT_KEY_CACHE_HASH],
    const prompt_key_cache_entry_t *entry);

/*
 * Reads an entry: true where text is whole, has not changed, and was written
 * for this very hash.  Anything else is a miss; *entry is then undefined.
 * Whether the key has expired is for the caller to look at.
 */
bool prompt_key_cache_decode(prompt_str_t text,
    const uint8_t hash[PROMPT_KEY_CACHE_HASH],
    prompt_key_cache_entry_t *entry) PROMPT_WARN_UNUSED;

#endif /* PROMPT_STORE_KEY_CACHE_H */
