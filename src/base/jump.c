/*
 * Whether another clock can be gone by.
 */

#include "base/jump.h"


bool
prompt_jump_expect(const prompt_jump_t *jump, int64_t now, int64_t wall,
    int64_t *expected)
{
    *expected = jump->known ? now + jump->ahead : wall;

    return jump->jumped == 0 || now - jump->jumped >= PROMPT_JUMP_PAUSE;
}


bool
prompt_jump_expect_step(const prompt_jump_t *jump, int64_t now, int64_t wall,
    int64_t *expected)
{
    (void) prompt_jump_expect(jump, now, wall, expected);

    return jump->stepped == 0 || now - jump->stepped >= PROMPT_JUMP_STEP_PAUSE;
}


int64_t
prompt_jump_seen(prompt_jump_t *jump, int64_t asked, int64_t now, int64_t wall,
    int64_t time)
{
    int64_t  by;

    by = time - (jump->known ? now + jump->ahead : wall);

    if (by < 0) {
        by = by + now - asked < 0 ? by + now - asked : 0;
    }

    if (by > PROMPT_JUMP_STEP || by < -PROMPT_JUMP_STEP) {
        jump->stepped = now;
    }

    if (by > PROMPT_JUMP_LEAST || by < -PROMPT_JUMP_LEAST) {
        jump->jumped = now;

    } else {
        by = 0;

        /* of an answer that took long it is not known when it was true */

        if (jump->known && now - asked > PROMPT_JUMP_LEAST / 60) {
            return 0;
        }
    }

    jump->ahead = time - now;
    jump->known = 1;

    return by;
}
