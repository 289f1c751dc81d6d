/*
 * Whether another clock can be gone by.
 */

#include "base/jump.h"
#include "tap.h"


#define SECOND  INT64_C(1000)
#define MINUTE  (60 * SECOND)
#define HOUR    (60 * MINUTE)
#define WALL    (INT64_C(1790000000) * SECOND)


static bool
expects(const prompt_jump_t *jump, int64_t now, int64_t time)
{
    int64_t  expected;

    return prompt_jump_expect(jump, now, WALL + now, &expected)
           && expected == time;
}


static void
test_start(void)
{
    prompt_jump_t  jump = { 0, 0, 0, 0 };

    ok(expects(&jump, 0, WALL), "first it is this host's");
    is_int(prompt_jump_seen(&jump, 5, 5, WALL + 5, WALL + 20 * SECOND),
           0, "one that differs a bit is");
    ok(expects(&jump, 5 + HOUR, WALL + 20 * SECOND + HOUR),
       "known from then on");

    jump = (prompt_jump_t) { 0, 0, 0, 0 };

    is_int(prompt_jump_seen(&jump, 1, 1, WALL, WALL + 2 * HOUR), 2 * HOUR,
           "one that is wrong from the beginning");
    ok(!expects(&jump, HOUR, WALL + 3 * HOUR - 1), "is not, for an hour");
    ok(expects(&jump, HOUR + 1, WALL + 3 * HOUR), "and is after that");
}


static void
test_jumps(void)
{
    int64_t        now;
    prompt_jump_t  jump = { 0, 0, 0, 0 };

    for (now = 1; now < 10 * HOUR; now += 15 * SECOND) {
        if (prompt_jump_seen(&jump, now, now, WALL, WALL + now + now / 1000)
            != 0)
        {
            break;
        }
    }

    ok(now >= 10 * HOUR, "one that drifts does not jump");

    jump = (prompt_jump_t) { WALL, 0, 1, 0 };

    is_int(prompt_jump_seen(&jump, now, now, 0, WALL + now - HOUR), -HOUR,
           "it goes back");
    ok(!expects(&jump, now + HOUR - 1, WALL + now - 1), "not for an hour");

    now += 30 * MINUTE;
    is_int(prompt_jump_seen(&jump, now, now, WALL, WALL + now), HOUR,
           "and forth");
    ok(!expects(&jump, now + HOUR - 1, WALL + now + HOUR - 1),
       "an hour from then");
    ok(expects(&jump, now + HOUR, WALL + now + HOUR), "are over");
}


static void
test_late_answers(void)
{
    prompt_jump_t  jump = { 0, 0, 0, 0 };

    (void) prompt_jump_seen(&jump, 0, 0, WALL, WALL);

    is_int(prompt_jump_seen(&jump, 0, 5 * MINUTE, WALL, WALL), 0,
           "an answer that took long is of some time before");
    ok(expects(&jump, 5 * MINUTE, WALL + 5 * MINUTE), "and moves nothing");
    is_int(prompt_jump_seen(&jump, 0, 5 * MINUTE, WALL, WALL - 2 * MINUTE),
           -2 * MINUTE, "what was before all of that did jump");
}


/* what leases go by */
static bool
bears(const prompt_jump_t *jump, int64_t now, int64_t time)
{
    int64_t  expected;

    return prompt_jump_expect_step(jump, now, WALL + now, &expected)
           && expected == time;
}


static void
test_steps(void)
{
    prompt_jump_t  jump = { 0, 0, 0, 0 };

    ok(bears(&jump, 1, WALL + 1), "before anything is known it is this host's");

    is_int(prompt_jump_seen(&jump, 1, 1, WALL, WALL + 4 * SECOND), 0,
           "four seconds");
    ok(bears(&jump, 2, WALL + 4 * SECOND + 1), "are no step");

    is_int(prompt_jump_seen(&jump, 10, 10, WALL, WALL + 34 * SECOND), 0,
           "half a minute is no jump");
    ok(expects(&jump, 10, WALL + 34 * SECOND), "for what is swept");
    ok(!bears(&jump, 10 + 15 * SECOND - 1, WALL + 49 * SECOND - 1),
       "and a step for leases");
    ok(bears(&jump, 10 + 15 * SECOND, WALL + 49 * SECOND),
       "until they are renewed");

    is_int(prompt_jump_seen(&jump, 20 * SECOND, 25 * SECOND, WALL,
                            WALL + 34 * SECOND), 0, "one back");
    ok(!bears(&jump, 25 * SECOND, WALL + 59 * SECOND - 10),
       "in an answer that took long");
}


int
main(void)
{
    test_start();
    test_jumps();
    test_late_answers();
    test_steps();

    return done_testing();
}
