/*
 * Where Redis is, as the directive prompt_redis and promptctl's PROMPT_REDIS
 * begin: one server, some nodes of a cluster, or the Sentinels of a master.
 */

#ifndef PROMPT_BASE_REDIS_SETUP_H
#define PROMPT_BASE_REDIS_SETUP_H

#include "base/str.h"


typedef enum {
    PROMPT_REDIS_SINGLE = 0,
    PROMPT_REDIS_CLUSTER,
    PROMPT_REDIS_SENTINEL
} prompt_redis_setup_e;


/* views of the text that was read */
typedef struct {
    prompt_redis_setup_e  kind;
    prompt_str_t          master;    /* the name that Sentinel has for it */
    prompt_str_t          rest;      /* addresses to come; absent: none */
    uint16_t              port;      /* of an address that says none */
} prompt_redis_setup_t;


/*
 * Reads "ADDRESS", "cluster=ADDRESS,…" or "sentinel=NAME@ADDRESS,…"; false
 * where the name is missing.
 */
bool prompt_redis_setup(prompt_str_t text, prompt_redis_setup_t *setup)
    PROMPT_WARN_UNUSED;

/* The next address, of which there is one at least; it may be empty. */
bool prompt_redis_setup_next(prompt_redis_setup_t *setup,
    prompt_str_t *address) PROMPT_WARN_UNUSED;

#endif /* PROMPT_BASE_REDIS_SETUP_H */
