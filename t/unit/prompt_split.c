/*
 * Splits: what may be set, and who has which slot.
 */

#include <stdio.h>
#include <stdlib.h>

#include "tap.h"

#include "prompt/split.h"


#define SUBJECTS  100000

#define ONE(version)  "{\"version\":" #version ",\"permille\":1}"


static prompt_arena_t  *arena;


static const prompt_json_t *
json(const char *text)
{
    prompt_json_error_t   error;
    const prompt_json_t  *value;

    value = prompt_json_read(arena, prompt_str_from(text), 8, &error);

    if (value == NULL) {
        printf("Bail out! %s\n", text);
        exit(1);
    }

    return value;
}


/* how a split is stored, or the field of what is wrong with it */
static prompt_str_t
split(const char *text, int64_t version)
{
    prompt_str_t    stored;
    prompt_fault_t  fault;

    if (prompt_split_check(arena, json(text), version, &stored, &fault)
        != PROMPT_CHECK_OK)
    {
        return fault.field;
    }

    return stored.data != NULL ? stored : prompt_str("none");
}


static prompt_str_t
guard(const char *text, bool of_split)
{
    prompt_str_t    stored;
    prompt_fault_t  fault;

    return prompt_guard_check(arena, json(text), of_split, &stored, &fault)
           == PROMPT_CHECK_OK ? stored : fault.field;
}


static void
test_split(void)
{
    is_str(split("[{\"permille\":900,\"version\":3},"
                 "{\"version\":4,\"permille\":100}]", 3),
           "[{\"version\":3,\"permille\":900},"
           "{\"version\":4,\"permille\":100}]", "two versions");
    is_str(split("[{\"version\":3,\"permille\":500},"
                 "{\"version\":4,\"permille\":500}]", 3),
           "[{\"version\":3,\"permille\":500},"
           "{\"version\":4,\"permille\":500}]", "the first of equals");
    is_str(split("[{\"version\":3,\"permille\":500},"
                 "{\"version\":4,\"permille\":500}]", 4), "version",
           "and not the second");
    is_str(split("[{\"version\":3,\"permille\":0},"
                 "{\"version\":4,\"permille\":1000}]", 4),
           "[{\"version\":3,\"permille\":0},"
           "{\"version\":4,\"permille\":1000}]", "one without a share");
    is_str(split("[]", 4), "none", "none is one version");
    is_str(split("[{\"version\":4,\"permille\":1000}]", 4), "none",
           "and so is one");
    is_str(split("[{\"version\":4,\"permille\":1000}]", 3), "version",
           "which is that version");
    is_str(split("[{\"version\":3,\"permille\":900},"
                 "{\"version\":4,\"permille\":99}]", 3), "split",
           "not all of them");
    is_str(split("[{\"version\":3,\"permille\":900},"
                 "{\"version\":3,\"permille\":100}]", 3), "split.version",
           "one twice");
    is_str(split("[{\"version\":3,\"permille\":1001},"
                 "{\"version\":4,\"permille\":-1}]", 3), "split.permille",
           "no share");
    is_str(split("[{\"version\":1,\"permille\":992},"
                 ONE(2) "," ONE(3) "," ONE(4) "," ONE(5) "," ONE(6) ","
                 ONE(7) "," ONE(8) "," ONE(9) "]", 1), "split", "nine");
}


static void
test_guard(void)
{
    prompt_str_t    stored;
    prompt_fault_t  fault;

    is_str(guard("{\"minExecutions\":100,\"maxFailurePermille\":50,"
                 "\"maxLatencyRatio\":1.50,\"maxCostRatio\":null}", true),
           "{\"minExecutions\":100,\"maxFailurePermille\":50,"
           "\"maxLatencyRatio\":1.5}", "bounds");
    ok(prompt_guard_check(arena, NULL, false, &stored, &fault)
       == PROMPT_CHECK_OK && stored.data == NULL, "none");
    is_str(guard("{\"minExecutions\":100,\"maxFailurePermille\":50}", false),
           "guard", "not without a split");
    is_str(guard("{\"minExecutions\":100}", true), "guard", "no bound");
    is_str(guard("{\"minExecutions\":0,\"maxCostRatio\":2}", true),
           "guard.minExecutions", "no executions");
    is_str(guard("{\"minExecutions\":1001,\"maxCostRatio\":2}", true),
           "guard.minExecutions", "more than are looked at");
    is_str(guard("{\"minExecutions\":1,\"maxFailurePermille\":1000}", true),
           "guard.maxFailurePermille", "all may fail");
    is_str(guard("{\"minExecutions\":1,\"maxLatencyRatio\":0.9}", true),
           "guard.maxLatencyRatio", "a latency that is no bound");
    is_str(guard("{\"minExecutions\":1,\"maxCostRatio\":1e9}", true),
           "guard.maxCostRatio", "nor a cost");
}


/* Each slot as often as chance has it: chi-squared of 999 degrees. */
static void
test_slots(void)
{
    char      name[32];
    double    chi, off;
    uint32_t  counts[PROMPT_SPLIT_SLOTS], i, n, slot;

    memset(counts, 0, sizeof(counts));

    for (i = 0; i < SUBJECTS; i++) {
        n = (uint32_t) snprintf(name, sizeof(name), "user-%u", i);
        slot = prompt_split_slot(prompt_str("0123456789abcdef"),
                                 prompt_str_of(name, n));

        if (slot >= PROMPT_SPLIT_SLOTS) {
            printf("Bail out! %s\n", "no slot");
            exit(1);
        }

        counts[slot]++;
    }

    chi = 0;

    for (i = 0; i < PROMPT_SPLIT_SLOTS; i++) {
        off = counts[i] - (double) SUBJECTS / PROMPT_SPLIT_SLOTS;
        chi += off * off / ((double) SUBJECTS / PROMPT_SPLIT_SLOTS);
    }

    ok(chi > 850 && chi < 1150, "100,000 subjects are in all slots alike");
    is_int(prompt_split_slot(prompt_str("0123456789abcdef"),
                             prompt_str("user-1")),
           prompt_split_slot(prompt_str("0123456789abcdef"),
                             prompt_str("user-1")), "one is in one slot");
    ok(prompt_split_slot(prompt_str("0123456789abcdef"), prompt_str("user-1"))
       != prompt_split_slot(prompt_str("0123456789abcdeg"),
                            prompt_str("user-1")),
       "which is another by another salt");
}


/* 900, 90 and 10 permille of subjects, within five standard deviations */
static void
test_version(void)
{
    char                  name[32], slots[PROMPT_SPLIT_SLOTS];
    int32_t               version;
    uint32_t              i, n, counts[3];
    const prompt_json_t  *of;

    of = json("[{\"version\":7,\"permille\":900},"
              "{\"version\":8,\"permille\":90},"
              "{\"version\":9,\"permille\":10}]");
    memset(slots, 0, 900);
    memset(slots + 900, 1, 90);
    memset(slots + 990, 2, 10);
    memset(counts, 0, sizeof(counts));

    for (i = 0; i < SUBJECTS; i++) {
        n = (uint32_t) snprintf(name, sizeof(name), "user-%u", i);

        if (!prompt_split_version(of, prompt_str("salt"),
                                  prompt_str_of(slots, sizeof(slots)),
                                  prompt_str_of(name, n), &version)
            || version < 7 || version > 9)
        {
            printf("Bail out! %s\n", "no version");
            exit(1);
        }

        counts[version - 7]++;
    }

    ok(counts[0] > 90000 - 475 && counts[0] < 90000 + 475, "nine of ten");
    ok(counts[1] > 9000 - 453 && counts[1] < 9000 + 453, "some");
    ok(counts[2] > 1000 - 158 && counts[2] < 1000 + 158, "few");

    ok(!prompt_split_version(of, prompt_str("salt"), prompt_str("abc"),
                             prompt_str("x"), &version), "no slots");
    memset(slots, 3, sizeof(slots));
    ok(!prompt_split_version(of, prompt_str("salt"),
                             prompt_str_of(slots, sizeof(slots)),
                             prompt_str("x"), &version), "slots of another");
}


int
main(void)
{
    arena = prompt_arena_create(1 << 20);

    test_split();
    test_guard();
    test_slots();
    test_version();

    prompt_arena_destroy(arena);

    return done_testing();
}
