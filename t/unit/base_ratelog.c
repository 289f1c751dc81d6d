/*
 * What goes wrong again and again, with a clock that the test turns: how many
 * lines there are, and that none of what happened is left out of the counts.
 */

#include "base/ratelog.h"

#include <string.h>

#include "tap.h"


#define HOUR  (3600 * 1000)


/* lines of one that happens each step ms for an hour; told: in all of them */
static unsigned
an_hour(prompt_ratelog_t *ratelog, uint64_t now, unsigned step, uint64_t *told)
{
    uint64_t  end, more;
    unsigned  lines;

    lines = 0;
    *told = 0;

    for (end = now + HOUR; now < end; now += step) {
        if (prompt_ratelog_seen(ratelog, now, &more)) {
            lines++;
            *told += more + 1;
        }
    }

    return lines;
}


static void
test_once(void)
{
    bool              say;
    uint64_t          more, ms, count;
    prompt_ratelog_t  ratelog;

    memset(&ratelog, 0, sizeof(ratelog));

    more = 1;
    ok(prompt_ratelog_seen(&ratelog, 5, &more) && more == 0,
       "the first time is worth a line, also where the clock has just begun");
    ok(!prompt_ratelog_calm(&ratelog, 5 + PROMPT_RATELOG_CALM - 1, &say),
       "it is not over before a minute has passed");
    ok(prompt_ratelog_calm(&ratelog, 5 + PROMPT_RATELOG_CALM, &say) && !say,
       "then it is, and nothing was left out that were worth a line");

    ok(prompt_ratelog_over(&ratelog, 7005, &ms, &count) && ms == 7000
       && count == 1, "that it is over is worth one, with how long it was");
    ok(!prompt_ratelog_over(&ratelog, 7006, &ms, &count),
       "but that is said once");
}


static void
test_long(void)
{
    bool              say;
    unsigned          lines;
    uint64_t          told, ms, count;
    prompt_ratelog_t  ratelog;

    memset(&ratelog, 0, sizeof(ratelog));

    lines = an_hour(&ratelog, 1000, 1, &told);
    ok(lines > 10 && lines < 20, "an hour of 1,000 a second: 11 to 19 lines");
    ok(told + ratelog.held == HOUR, "whose counts, with what is still held "
       "back, are all of it");

    ok(prompt_ratelog_calm(&ratelog, 1000 + HOUR + PROMPT_RATELOG_CALM, &say)
       && say, "where it becomes quiet, what was held back is worth a line");
    ok(prompt_ratelog_over(&ratelog, 1000 + HOUR, &ms, &count) && ms == HOUR
       && count == HOUR, "which says how long and how often it was");

    memset(&ratelog, 0, sizeof(ratelog));

    lines = an_hour(&ratelog, 1000, 15000, &told);
    ok(lines < 20, "an hour of one each 15 s: less than 20");
}


static void
test_anew(void)
{
    uint64_t          more, told, now;
    prompt_ratelog_t  ratelog;

    memset(&ratelog, 0, sizeof(ratelog));

    now = 1000;
    (void) an_hour(&ratelog, now, 1, &told);
    now += HOUR + PROMPT_RATELOG_CALM;

    more = 1;
    ok(prompt_ratelog_seen(&ratelog, now, &more) && more == 0
       && ratelog.count == 1, "after a minute of quiet it begins anew");
    ok(!prompt_ratelog_seen(&ratelog, now + PROMPT_RATELOG_FIRST - 1, &more)
       && prompt_ratelog_seen(&ratelog, now + PROMPT_RATELOG_FIRST, &more)
       && more == 1, "with the shortest pause, and says what it held back");
}


/* up and down, each second, for an hour */

static void
test_flapping(void)
{
    unsigned          lines;
    uint64_t          now, more, ms, count;
    prompt_ratelog_t  ratelog;

    memset(&ratelog, 0, sizeof(ratelog));

    lines = 0;

    for (now = 0; now < HOUR; now += 1000) {
        lines += prompt_ratelog_seen(&ratelog, now, &more);
        lines += prompt_ratelog_over(&ratelog, now + 500, &ms, &count);
    }

    ok(lines > 20 && lines < 40, "what comes and goes each second: 21 to 39");
}


/* of two logs, of which one is not interested */

static void
test_unsaid(void)
{
    bool              say;
    uint64_t          more, ms, count;
    prompt_ratelog_t  ratelog;

    memset(&ratelog, 0, sizeof(ratelog));

    prompt_ratelog_unsaid(&ratelog, 5);
    prompt_ratelog_unsaid(&ratelog, 6);

    ok(!prompt_ratelog_over(&ratelog, 7, &ms, &count),
       "what no line told of is over without one");

    prompt_ratelog_unsaid(&ratelog, 8);
    prompt_ratelog_unsaid(&ratelog, 9);

    ok(prompt_ratelog_seen(&ratelog, 10, &more) && more == 4,
       "the first that can be told is, with what could not");
    ok(!prompt_ratelog_calm(&ratelog, 11, &say) && !say,
       "and nothing is held back");
}


int
main(void)
{
    test_once();
    test_long();
    test_anew();
    test_flapping();
    test_unsaid();

    return done_testing();
}
