/*
 * TAP: the whole test library of the unit tests.
 *
 * A unit test is a program that counts what it checked and prints it in the
 * Test Anything Protocol, so that prove, make test and people can read it:
 *
 *     #include "tap.h"
 *
 *     int
 *     main(void)
 *     {
 *         ok(1 + 1 == 2, "sums");
 *         is_int(1 + 1, 2, "sums, and shows both sides where not");
 *         is_str(prompt_str("a"), "a", "text");
 *         return done_testing();
 *     }
 *
 * State is static: include it in one file of a program only.
 */

#ifndef PROMPT_T_UNIT_TAP_H
#define PROMPT_T_UNIT_TAP_H

#include <inttypes.h>
#include <stdio.h>

#include "base/str.h"


static unsigned  tap_count;
static unsigned  tap_failed;


/* Each returns whether it passed, for tests that cannot go on otherwise. */
#define ok(cond, name)         tap_ok((cond), (name), __FILE__, __LINE__)
#define is_int(got, want, name)                                              \
    tap_is_int((intmax_t) (got), (intmax_t) (want), (name), __FILE__,        \
               __LINE__)
#define is_str(got, want, name)                                              \
    tap_is_str((got), (want), (name), __FILE__, __LINE__)

/* n checks that cannot be made here, and why */
#define skip(n, why)           tap_skip((n), (why))

/* a line for the reader of the log */
#define diag(...)                                                            \
    do {                                                                     \
        fputs("# ", stderr);                                                 \
        fprintf(stderr, __VA_ARGS__);                                        \
        fputc('\n', stderr);                                                 \
    } while (0)


static inline bool
tap_ok(bool passed, const char *name, const char *file, int line)
{
    tap_count++;

    printf("%sok %u - %s\n", passed ? "" : "not ", tap_count, name);

    if (!passed) {
        tap_failed++;
        fflush(stdout);
        fprintf(stderr, "# failed: %s, at %s line %d\n", name, file, line);
    }

    return passed;
}


static inline bool
tap_is_int(intmax_t got, intmax_t want, const char *name, const char *file,
    int line)
{
    if (!tap_ok(got == want, name, file, line)) {
        fprintf(stderr, "#      got: %" PRIdMAX "\n# expected: %" PRIdMAX "\n",
                got, want);
        return false;
    }

    return true;
}


/* want == NULL: the view must be absent */
static inline bool
tap_is_str(prompt_str_t got, const char *want, const char *name,
    const char *file, int line)
{
    bool          same;
    prompt_str_t  expected;

    expected = prompt_str_from(want);

    same = (got.data == NULL) == (want == NULL)
           && prompt_str_eq(got, expected);

    if (!tap_ok(same, name, file, line)) {
        fprintf(stderr, "#      got: %.*s\n# expected: %s\n",
                got.data != NULL ? (int) got.len : 8,
                got.data != NULL ? got.data : "(absent)",
                want != NULL ? want : "(absent)");
        return false;
    }

    return true;
}


static inline void
tap_skip(unsigned n, const char *why)
{
    while (n-- != 0) {
        tap_count++;
        printf("ok %u # SKIP %s\n", tap_count, why);
    }
}


/* Prints the plan; what main() returns. */
static inline int PROMPT_WARN_UNUSED
done_testing(void)
{
    printf("1..%u\n", tap_count);

    if (tap_failed != 0) {
        fflush(stdout);
        fprintf(stderr, "# %u of %u failed\n", tap_failed, tap_count);
    }

    return tap_failed == 0 && tap_count != 0 ? 0 : 1;
}

#endif /* PROMPT_T_UNIT_TAP_H */
