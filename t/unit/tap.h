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
#include <stdlib.h>
#include <time.h>

#include "base/str.h"


/* characters of a text that are shown of one that differs */
#define TAP_SHOWN  160


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


/*
 * Whether it took less than so many seconds of the processor since start;
 * times PROMPT_TEST_SLOW, as under valgrind, or for another machine's code.
 */
static inline bool
within(clock_t start, int seconds)
{
    int          slow;
    const char  *text;

    text = getenv("PROMPT_TEST_SLOW");
    slow = text != NULL ? atoi(text) : 1;

    return (clock() - start) / CLOCKS_PER_SEC
           < (clock_t) seconds * (slow > 1 ? slow : 1);
}


/* the same for those that want to see everything */
#define detail(...)                                                          \
    do {                                                                     \
        if (getenv("PROMPT_TEST_VERBOSE") != NULL) {                         \
            diag(__VA_ARGS__);                                               \
        }                                                                    \
    } while (0)


static inline bool
tap_ok(bool passed, const char *name, const char *file, int line)
{
    tap_count++;

    printf("%sok %u - %s\n", passed ? "" : "not ", tap_count, name);

    if (!passed) {
        tap_failed++;
        fflush(stdout);
        fprintf(stderr, "# failed: %s:%d: %s\n", file, line, name);
    }

    return passed;
}


static inline bool
tap_is_int(intmax_t got, intmax_t want, const char *name, const char *file,
    int line)
{
    if (!tap_ok(got == want, name, file, line)) {
        fprintf(stderr, "#   wanted %" PRIdMAX ", got %" PRIdMAX "\n", want,
                got);
        return false;
    }

    return true;
}


/* a text from where it matters on, with a little before it, on one line */
static inline void
tap_show(prompt_str_t text, size_t at)
{
    size_t  i, from, end;

    if (text.data == NULL) {
        fputs("nothing", stderr);
        return;
    }

    from = at > TAP_SHOWN / 2 ? at - TAP_SHOWN / 2 : 0;
    end = text.len - from > TAP_SHOWN ? from + TAP_SHOWN : text.len;

    fputs(from != 0 ? "...\"" : "\"", stderr);

    for (i = from; i < end; i++) {

        if (text.data[i] == '\n') {
            fputs("\\n", stderr);
        } else {
            fputc(text.data[i], stderr);
        }
    }

    fputs(end != text.len ? "\"..." : "\"", stderr);
}


/* where two texts differ first, and what they are there, or as a whole */
static inline void
tap_differ(prompt_str_t got, prompt_str_t want)
{
    size_t    at;
    unsigned  line;

    line = 1;

    for (at = 0; at < got.len && at < want.len; at++) {

        if (got.data[at] != want.data[at]) {
            break;
        }

        line += got.data[at] == '\n';
    }

    if (getenv("PROMPT_TEST_VERBOSE") != NULL) {
        fprintf(stderr, "# wanted:\n%.*s\n# got:\n%.*s\n", (int) want.len,
                want.data != NULL ? want.data : "", (int) got.len,
                got.data != NULL ? got.data : "");
    }

    if (got.len > TAP_SHOWN || want.len > TAP_SHOWN) {
        fprintf(stderr, "#   from character %zu (line %u) wanted ", at, line);

    } else {
        fputs("#   wanted ", stderr);
        at = 0;
    }

    tap_show(want, at);
    fputs(", got ", stderr);
    tap_show(got, at);
    fputc('\n', stderr);
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
        tap_differ(got, expected);
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
