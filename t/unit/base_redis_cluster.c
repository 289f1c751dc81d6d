/*
 * Slots and redirections of Redis Cluster.
 */

#include "base/redis_cluster.h"

#include "tap.h"


static void
test_slots(void)
{
    size_t  i;

    /* as CLUSTER KEYSLOT has them */

    static const struct {
        const char  *key;
        uint32_t     slot;
    } slots[] = {
        { "", 0 },
        { "123456789", 12739 },
        { "foo", 12182 },
        { "{foo}bar", 12182 },
        { "x{foo}bar{zap}", 12182 },
        { "foo{}{bar}", 8363 },
        { "foo{bar", 15278 },
        { "}foo{", 8453 },
        { "foo{{bar}}zap", 4015 },
        { "prompt:key:{9f86d081884c7d659a2feaa0c55ad015"
          "a3bf4f1b2b0b822cd15d6c15b0f00a08}", 14595 }
    };

    for (i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
        is_int(prompt_redis_slot(prompt_str_from(slots[i].key)),
               slots[i].slot, slots[i].key);
    }

    is_int(prompt_redis_slot(prompt_str_absent), 0, "absent");
}


static void
test_redirections(void)
{
    size_t                   i;
    prompt_redis_redirect_t  to;

    static const struct {
        const char           *error;
        prompt_redis_turn_e   turn;
        uint32_t              slot;
        const char           *host;
        uint32_t              port;
    } errors[] = {
        { "MOVED 3999 127.0.0.1:6381", PROMPT_REDIS_MOVED,
          3999, "127.0.0.1", 6381 },
        { "ASK 16383 10.0.0.1:65535", PROMPT_REDIS_ASK,
          16383, "10.0.0.1", 65535 },
        { "MOVED 0 ::1:6379", PROMPT_REDIS_MOVED, 0, "::1", 6379 },
        { "MOVED 1 :7000", PROMPT_REDIS_MOVED, 1, "", 7000 },
        { "TRYAGAIN Multiple keys request during rehashing of slot",
          PROMPT_REDIS_AGAIN, 0, "", 0 },

        /* not whole, or not so */

        { "", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "MOVED", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "MOVED ", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "MOVED x 127.0.0.1:6381", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "MOVED 16384 127.0.0.1:6381", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "MOVED 99999999999999999999 127.0.0.1:6381", PROMPT_REDIS_STAYS,
          0, NULL, 0 },
        { "MOVED 1 127.0.0.1", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "MOVED 1 127.0.0.1:", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "MOVED 1 127.0.0.1:0", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "MOVED 1 127.0.0.1:65536", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "MOVED 1 127.0.0.1:80x", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "MOVED 1127.0.0.1:80", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "ERR MOVED 1 127.0.0.1:80", PROMPT_REDIS_STAYS, 0, NULL, 0 },
        { "CLUSTERDOWN The cluster is down", PROMPT_REDIS_STAYS, 0, NULL, 0 }
    };

    for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        prompt_redis_redirect(prompt_str_from(errors[i].error), &to);

        if (to.turn != errors[i].turn || to.turn == PROMPT_REDIS_STAYS) {
            is_int(to.turn, errors[i].turn, errors[i].error);
            continue;
        }

        ok(to.slot == errors[i].slot && to.port == errors[i].port
           && prompt_str_eq(to.host, prompt_str_from(errors[i].host)),
           errors[i].error);
    }
}


int
main(void)
{
    test_slots();
    test_redirections();

    return done_testing();
}
