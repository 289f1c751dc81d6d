/*
 * Redis for promptctl: revoking a cached API key.
 */

#ifndef CTL_REDIS_H
#define CTL_REDIS_H

#include "ctl/ctl.h"
#include "store/key_cache.h"


#define CTL_REDIS_MAX_SERVERS  16


typedef enum {
    CTL_REDIS_SINGLE = 0,
    CTL_REDIS_CLUSTER,                       /* servers: some of its nodes */
    CTL_REDIS_SENTINEL                       /* servers: Sentinels */
} ctl_redis_setup_e;


typedef struct {
    const char   *path;                      /* of a socket, or NULL */
    const char   *host;
    int           port;
} ctl_redis_server_t;


/* what PROMPT_REDIS says; strings end with NUL */
typedef struct {
    bool                known;               /* it is set */
    ctl_redis_setup_e   setup;
    ctl_redis_server_t  servers[CTL_REDIS_MAX_SERVERS];
    size_t              nservers;
    const char         *master;              /* its name, for Sentinel */
    const char         *sentinel_password;   /* or NULL */
    const char         *db;                  /* digits, or NULL */
    const char         *user;                /* or NULL */
    const char         *password;            /* or NULL */
    prompt_str_t        prefix;
    int64_t             timeout_ms;
} ctl_redis_t;


/*
 * Reads --redis or PROMPT_REDIS, which is written like the arguments of the
 * directive prompt_redis: `unix:/path`, `host:port`, `cluster=host:port,…` or
 * `sentinel=name@host:port,…`, then db=N user=U password=P prefix=S timeout=T
 * sentinel_password=P.
 * Returns an exit status, after a message where it is not CTL_OK.
 */
int ctl_redis_configure(ctl_redis_t *redis, ctl_t *ctl) PROMPT_WARN_UNUSED;

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
