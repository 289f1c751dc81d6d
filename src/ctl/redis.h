/*
 * Redis for promptctl: revoking a cached API key.
 */

#ifndef CTL_REDIS_H
#define CTL_REDIS_H

#include "base/redis_setup.h"
#include "ctl/ctl.h"
#include "store/key_cache.h"


#define CTL_REDIS_MAX_SERVERS  16


typedef struct {
    const char   *path;                      /* of a socket, or NULL */
    const char   *host;
    int           port;
} ctl_redis_server_t;


/* what PROMPT_REDIS says; strings end with NUL, and may be NULL */
typedef struct {
    bool                  known;             /* it is set */
    prompt_redis_setup_e  setup;
    ctl_redis_server_t    servers[CTL_REDIS_MAX_SERVERS];
    size_t                nservers;
    const char           *master;            /* its name, for Sentinel */
    const char           *sentinel_password;
    const char           *db;                /* digits */
    const char           *user;
    const char           *password;
    const char           *prefix;
    int64_t               timeout_ms;
} ctl_redis_t;


/*
 * Reads --redis or PROMPT_REDIS, which is written like the arguments of the
 * directive prompt_redis: `unix:/path`, `host:port`, `cluster=host:port,…` or
 * `sentinel=name@host:port,…`, then db=N user=U password=P prefix=S timeout=T
 * sentinel_password=P.
 */
void ctl_redis_configure(ctl_redis_t *redis, const ctl_t *ctl);

/*
 * Removes entry and lease of a key of a database, in one step.  True when Redis
 * answered that it did, and so did the replicas of a cluster or of what
 * Sentinel looks after; else error (of size bytes) says why not.
 * (redis_revoke.c)
 */
bool ctl_redis_revoke(const ctl_redis_t *redis, uint64_t database,
    const uint8_t hash[PROMPT_KEY_CACHE_HASH], char *error, size_t size)
    PROMPT_WARN_UNUSED;

#endif /* CTL_REDIS_H */
