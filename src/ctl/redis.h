/*
 * Redis for promptctl: revoking a cached API key.
 */

#ifndef CTL_REDIS_H
#define CTL_REDIS_H

#include "ctl/ctl.h"
#include "store/key_cache.h"


/* what PROMPT_REDIS says; strings end with NUL */
typedef struct {
    bool          known;                     /* it is set */
    const char   *path;                      /* of a socket, or NULL */
    const char   *host;
    int           port;
    const char   *db;                        /* digits, or NULL */
    const char   *user;                      /* or NULL */
    const char   *password;                  /* or NULL */
    prompt_str_t  prefix;
    int64_t       timeout_ms;
} ctl_redis_t;


/*
 * Reads --redis or PROMPT_REDIS: `unix:/path` or `host:port`, then what the
 * directive prompt_redis takes (db=N user=U password=P prefix=S timeout=T).
 * Returns an exit status, after a message where it is not CTL_OK.
 */
int ctl_redis_configure(ctl_redis_t *redis, ctl_t *ctl) PROMPT_WARN_UNUSED;

/*
 * Removes entry and lease of a key, in one step.  True when Redis answered
 * that it did; else error (of size bytes) says why not.
 */
bool ctl_redis_revoke(const ctl_redis_t *redis,
    const uint8_t hash[PROMPT_KEY_CACHE_HASH], char *error, size_t size)
    PROMPT_WARN_UNUSED;

#endif /* CTL_REDIS_H */
