/*
 * Revoking, for promptctl.
 */

#include <stdio.h>

#include "ctl/revoke.h"


int64_t
ctl_revoke_wait(const ctl_t *ctl)
{
    int64_t      valid;
    const char  *text;

    text = ctl_given(ctl, "valid");
    valid = PROMPT_KEY_CACHE_MAX_VALID;

    if (text != NULL
        && (!ctl_duration(text, &valid) || valid > PROMPT_KEY_CACHE_MAX_VALID))
    {
        ctl_wrong(ctl, "--valid must be a time of at most 60s, not \"%s\"",
                  text);
    }

    return valid + PROMPT_KEY_CACHE_LEASE + PROMPT_KEY_CACHE_SLACK;
}


/*
 * By Redis, or by waiting until nothing that was cached before can be valid
 * any more.
 */
void
ctl_revoke(const ctl_t *ctl, const ctl_redis_t *redis,
    const prompt_str_t *hashes, size_t n, int64_t wait)
{
    char     error[256];
    bool     said;
    size_t   i;
    int64_t  now, end;

    now = ctl_monotonic_ms();
    end = now + wait;
    said = false;
    i = 0;

    (void) snprintf(error, sizeof(error), "PROMPT_REDIS is not set");

    /* of many, each may be slow: after that time none is left */

    while (i < n && (i == 0 || ctl_monotonic_ms() < end)) {

        if (redis->known
            && ctl_redis_revoke(redis, ctl->database,
                                (const uint8_t *) hashes[i].data,
                                error, sizeof(error)))
        {
            i++;
            continue;
        }

        if (!said) {
            ctl_error("cannot revoke the key in Redis (%s); it is deleted in "
                      "PostgreSQL, waiting up to %lld s until every cached "
                      "copy has expired", error,
                      (long long) (wait + 999) / 1000);
            said = true;
        }

        now = ctl_monotonic_ms();

        if (now >= end) {
            return;
        }

        ctl_sleep(redis->known && end - now > 1000 ? 1000 : end - now);
    }
}
