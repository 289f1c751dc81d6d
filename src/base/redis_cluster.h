/*
 * What a client of Redis Cluster computes: the slot of a key, and where an
 * error sends it.  (Redis cluster specification)
 */

#ifndef PROMPT_BASE_REDIS_CLUSTER_H
#define PROMPT_BASE_REDIS_CLUSTER_H

#include "base/str.h"


#define PROMPT_REDIS_SLOTS  16384


typedef enum {
    PROMPT_REDIS_STAYS = 0,          /* an error, and that is that */
    PROMPT_REDIS_MOVED,              /* the slot is elsewhere, from now on */
    PROMPT_REDIS_ASK,                /* this time only, after ASKING */
    PROMPT_REDIS_AGAIN               /* the same, a little later */
} prompt_redis_turn_e;


typedef struct {
    prompt_redis_turn_e  turn;
    uint32_t             slot;       /* of MOVED and ASK */
    prompt_str_t         host;       /* of these: a view of the error; empty:
                                        that of who answered */
    uint32_t             port;
} prompt_redis_redirect_t;


/* CRC16 of the hash tag, or of the whole key where it has none */
uint32_t prompt_redis_slot(prompt_str_t key);

/*
 * Reads an error, such as "MOVED 3999 127.0.0.1:6381".  What is not whole
 * stays.
 */
void prompt_redis_redirect(prompt_str_t error,
    prompt_redis_redirect_t *redirect);

#endif /* PROMPT_BASE_REDIS_CLUSTER_H */
