/*
 * How many calls of a project are under way.
 */

#include "prompt/flights.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"


#define ROWS  4


static uint32_t  dead;


static bool
alive(uint32_t process)
{
    return process != dead;
}


static void
key_of(uint8_t key[PROMPT_FLIGHTS_KEY], unsigned n)
{
    memset(key, 0, PROMPT_FLIGHTS_KEY);
    memcpy(key, &n, sizeof(n));              /* all in one row */
}


int
main(void)
{
    int32_t            one, two, n;
    uint8_t            key[PROMPT_FLIGHTS_KEY], other[PROMPT_FLIGHTS_KEY];
    unsigned           i;
    prompt_flights_t  *flights;

    flights = malloc(prompt_flights_size(ROWS));

    if (flights == NULL) {
        return 1;
    }

    prompt_flights_init(flights, ROWS);
    key_of(key, 1);
    key_of(other, 2);

    one = prompt_flights_begin(flights, key, 7, 2, alive);
    two = prompt_flights_begin(flights, key, 8, 2, alive);
    ok(one >= 0 && two >= 0 && one != two, "two processes, a call each");
    is_int(prompt_flights_begin(flights, key, 7, 2, alive),
           PROMPT_FLIGHTS_FULL, "a third one is too many");
    is_int(prompt_flights_begin(flights, key, 9, 2, alive),
           PROMPT_FLIGHTS_FULL, "whoever makes it");
    n = prompt_flights_begin(flights, other, 7, 2, alive);
    ok(n >= 0, "another project has its own");
    prompt_flights_end(flights, n);

    prompt_flights_end(flights, one);
    one = prompt_flights_begin(flights, key, 9, 2, alive);
    ok(one >= 0, "one ends, one begins");

    dead = 8;
    is_int(prompt_flights_begin(flights, key, 9, 2, alive), one,
           "what a process had that died is free");
    is_int(prompt_flights_begin(flights, key, 9, 2, alive),
           PROMPT_FLIGHTS_FULL, "once");
    prompt_flights_end(flights, one);
    prompt_flights_end(flights, one);
    prompt_flights_end(flights, one);
    prompt_flights_end(flights, PROMPT_FLIGHTS_NONE);
    prompt_flights_end(flights, PROMPT_FLIGHTS_FULL);

    dead = 0;

    for (i = 0; i < PROMPT_FLIGHTS_ROW; i++) {
        key_of(other, 10 + i);

        if (prompt_flights_begin(flights, other, 7, 1, alive) < 0) {
            break;
        }
    }

    is_int(i, PROMPT_FLIGHTS_ROW, "a row is full of others");
    is_int(prompt_flights_begin(flights, key, 7, 1, alive),
           PROMPT_FLIGHTS_NONE, "who is not counted is let in");

    dead = 7;
    ok(prompt_flights_begin(flights, key, 9, 1, alive) >= 0,
       "until these are gone");

    free(flights);

    return done_testing();
}
