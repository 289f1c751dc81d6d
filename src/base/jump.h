/*
 * Whether another clock, PostgreSQL's, can be gone by: one that jumped by more
 * than a minute against the monotonic one of this host is not, for an hour.
 * Before anything is known of it, it is to be what this host's own says.
 *
 * There is no clock here: who asks says what time it is.  All in ms.
 */

#ifndef PROMPT_BASE_JUMP_H
#define PROMPT_BASE_JUMP_H

#include <stdbool.h>
#include <stdint.h>


#define PROMPT_JUMP_LEAST   60000
#define PROMPT_JUMP_PAUSE   3600000

/* a step that leases are too short for, and how long they are not gone by */
#define PROMPT_JUMP_STEP        5000
#define PROMPT_JUMP_STEP_PAUSE  15000


/* All zero: nothing is known.  One process writes, others may read. */
typedef struct {
    int64_t  ahead;                  /* of the monotonic clock */
    int64_t  jumped;                 /* by that; 0: it did not */
    int64_t  known;
    int64_t  stepped;                /* by that; 0: it did not */
} prompt_jump_t;


typedef bool (*prompt_jump_expect_pt)(const prompt_jump_t *jump, int64_t now,
    int64_t wall, int64_t *expected);

/*
 * What the other clock must say now, within PROMPT_JUMP_LEAST; false: it is
 * not to be gone by, whatever it says.  now: monotonic; wall: this host's.
 */
bool prompt_jump_expect(const prompt_jump_t *jump, int64_t now, int64_t wall,
    int64_t *expected);

/*
 * The same within PROMPT_JUMP_STEP, for leases that are given for no longer
 * than PROMPT_JUMP_STEP_PAUSE and renewed meanwhile; false: it made a step, and
 * there may be some that were not renewed since.
 */
bool prompt_jump_expect_step(const prompt_jump_t *jump, int64_t now,
    int64_t wall, int64_t *expected);

/*
 * It said time, at some moment between asked and now.  By how much it jumped;
 * 0: it did not.
 */
int64_t prompt_jump_seen(prompt_jump_t *jump, int64_t asked, int64_t now,
    int64_t wall, int64_t time);

#endif /* PROMPT_BASE_JUMP_H */
