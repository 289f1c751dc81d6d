/*
 * Revoking, for promptctl: out of the cache, by Redis or by waiting.
 */

#ifndef CTL_REVOKE_H
#define CTL_REVOKE_H

#include "ctl/redis.h"


/*
 * How long a cached copy may live, as --valid says: with its lease, in
 * milliseconds.
 */
int64_t ctl_revoke_wait(const ctl_t *ctl);

/*
 * n keys or sessions (their hashes) that were ended and committed, in the
 * database that was opened.  Returns when no request is let in with them any
 * more.
 */
void ctl_revoke(const ctl_t *ctl, const ctl_redis_t *redis,
    const prompt_str_t *hashes, size_t n, int64_t wait);

#endif /* CTL_REVOKE_H */
