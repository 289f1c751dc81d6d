/*
 * Guesses: limits, time, what is given up where a row is full.
 */

#include "prompt/guesses.h"

#include <stdlib.h>

#include "tap.h"


static prompt_guesses_t *
make(uint32_t entries, uint32_t limit)
{
    prompt_guesses_t  *guesses;

    guesses = malloc(prompt_guesses_size(entries, limit));
    if (guesses == NULL) {
        abort();
    }

    prompt_guesses_init(guesses, entries, limit, 900);

    return guesses;
}


/* the first bytes choose the row: these are all of one */
static void
name(uint8_t *key, uint32_t n)
{
    memset(key, 0, PROMPT_GUESSES_KEY);
    memcpy(key + 8, &n, sizeof(n));
}


static void
test_window(void)
{
    uint8_t            key[PROMPT_GUESSES_KEY];
    uint32_t           wait;
    unsigned           i;
    prompt_guesses_t  *guesses;

    guesses = make(64, 5);
    name(key, 1);

    ok(!prompt_guesses_any(guesses, key, 100), "none was wrong");
    prompt_guesses_begin(guesses, key, 100);
    ok(prompt_guesses_any(guesses, key, 100), "one in hand may be");
    prompt_guesses_end(guesses, key, 100);

    for (i = 0; i < 5; i++) {
        is_int(prompt_guesses_look(guesses, key, 100 + i * 10, &wait),
               PROMPT_GUESSES_FREE, "free");
        prompt_guesses_begin(guesses, key, 100 + i * 10);
        prompt_guesses_wrong(guesses, key, 100 + i * 10);
        prompt_guesses_end(guesses, key, 100 + i * 10);
    }

    is_int(prompt_guesses_look(guesses, key, 140, &wait), PROMPT_GUESSES_FULL,
           "five were wrong");
    is_int(wait, 860, "until the first is old");
    is_int(prompt_guesses_look(guesses, key, 999, &wait), PROMPT_GUESSES_FULL,
           "a second before");
    is_int(wait, 1, "one second");
    is_int(prompt_guesses_look(guesses, key, 1000, &wait),
           PROMPT_GUESSES_FREE, "then one is free");

    prompt_guesses_wrong(guesses, key, 1000);
    is_int(prompt_guesses_look(guesses, key, 1000, &wait),
           PROMPT_GUESSES_FULL, "and no more: a window that slides");
    is_int(wait, 10, "until the second is old");
    ok(prompt_guesses_any(guesses, key, 1899), "one was wrong");
    ok(!prompt_guesses_any(guesses, key, 1900), "of late no more");

    free(guesses);
}


/* processes look at the clock one after the other */
static void
test_ahead(void)
{
    uint8_t            key[PROMPT_GUESSES_KEY];
    uint32_t           wait;
    unsigned           i;
    prompt_guesses_t  *guesses;

    guesses = make(64, 5);
    name(key, 1);

    for (i = 0; i < 3; i++) {
        prompt_guesses_wrong(guesses, key, 101);
    }

    prompt_guesses_begin(guesses, key, 101);
    prompt_guesses_begin(guesses, key, 100);
    is_int(prompt_guesses_look(guesses, key, 100, &wait),
           PROMPT_GUESSES_BUSY, "those of a clock that is ahead are pending");

    prompt_guesses_end(guesses, key, 100);
    prompt_guesses_end(guesses, key, 100);
    prompt_guesses_wrong(guesses, key, 101);
    prompt_guesses_wrong(guesses, key, 101);
    is_int(prompt_guesses_look(guesses, key, 100, &wait),
           PROMPT_GUESSES_FULL, "and its wrong ones count");
    is_int(wait, 900, "from now on");

    free(guesses);
}


static void
test_pending(void)
{
    uint8_t            key[PROMPT_GUESSES_KEY];
    uint32_t           wait;
    unsigned           i;
    prompt_guesses_t  *guesses;

    guesses = make(64, 5);
    name(key, 2);

    for (i = 0; i < 5; i++) {
        prompt_guesses_begin(guesses, key, 50);
    }

    is_int(prompt_guesses_look(guesses, key, 50, &wait), PROMPT_GUESSES_BUSY,
           "five are being looked at");
    prompt_guesses_end(guesses, key, 51);
    is_int(prompt_guesses_look(guesses, key, 51, &wait), PROMPT_GUESSES_FREE,
           "one was right");
    is_int(prompt_guesses_look(guesses, key, 50 + PROMPT_GUESSES_WAIT - 1,
                               &wait),
           PROMPT_GUESSES_FREE, "four are");
    prompt_guesses_begin(guesses, key, 60);
    is_int(prompt_guesses_look(guesses, key, 60 + PROMPT_GUESSES_WAIT, &wait),
           PROMPT_GUESSES_FREE, "whoever died does not hold it for ever");

    for (i = 0; i < 10; i++) {
        prompt_guesses_end(guesses, key, 200);
    }

    is_int(prompt_guesses_look(guesses, key, 200, &wait),
           PROMPT_GUESSES_FREE, "ended too often");

    free(guesses);
}


static void
test_full(void)
{
    uint8_t            key[PROMPT_GUESSES_KEY], victim[PROMPT_GUESSES_KEY];
    uint32_t           wait, n;
    unsigned           i;
    prompt_guesses_t  *guesses;

    guesses = make(64, 5);
    name(victim, 1);

    for (i = 0; i < 5; i++) {
        prompt_guesses_wrong(guesses, victim, 10);
    }

    for (n = 2; n < 10000; n++) {
        name(key, n);
        prompt_guesses_wrong(guesses, key, 20);
    }

    is_int(prompt_guesses_look(guesses, victim, 21, &wait),
           PROMPT_GUESSES_FULL, "many names do not push it out");

    for (n = 2; n < 9; n++) {
        for (i = 0; i < 5; i++) {
            name(key, n + 20000);
            prompt_guesses_wrong(guesses, key, 30);
        }
    }

    is_int(prompt_guesses_look(guesses, victim, 31, &wait),
           PROMPT_GUESSES_FULL, "nor do as many that are full");

    name(key, 50000);
    prompt_guesses_wrong(guesses, key, 10 + 900);
    is_int(prompt_guesses_look(guesses, key, 10 + 900,
                               &wait),
           PROMPT_GUESSES_FREE, "what is old makes room");

    free(guesses);
}


int
main(void)
{
    test_window();
    test_ahead();
    test_pending();
    test_full();

    return done_testing();
}
