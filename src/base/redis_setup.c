/*
 * Where Redis is.
 */

#include "base/redis_setup.h"

#include "base/scan.h"


bool
prompt_redis_setup(prompt_str_t text, prompt_redis_setup_t *setup)
{
    memset(setup, 0, sizeof(prompt_redis_setup_t));
    setup->port = 6379;

    if (prompt_scan_word(&text, prompt_str("cluster="))) {
        setup->kind = PROMPT_REDIS_CLUSTER;

    } else if (prompt_scan_word(&text, prompt_str("sentinel="))) {
        setup->kind = PROMPT_REDIS_SENTINEL;
        setup->port = 26379;

        if (!prompt_scan_split(&text, '@', &setup->master)
            || setup->master.len == 0)
        {
            return false;
        }
    }

    setup->rest = text;

    return true;
}


bool
prompt_redis_setup_next(prompt_redis_setup_t *setup, prompt_str_t *address)
{
    if (setup->rest.data == NULL) {
        return false;
    }

    *address = setup->rest;

    if (setup->kind == PROMPT_REDIS_SINGLE
        || !prompt_scan_split(&setup->rest, ',', address))
    {
        setup->rest = prompt_str_absent;
    }

    return true;
}
