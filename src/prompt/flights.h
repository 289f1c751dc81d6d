/*
 * Flights: how many calls of a project are under way, on this host.
 *
 * A table of fixed size in memory that the caller gives, and locks where
 * others use it, too.  An entry is of one project and one process: what a
 * process that died has left counts no longer than until it matters.
 *
 * Where a row of the table is full of others' entries, a call is not counted,
 * and let in: nobody is refused for what others do.
 */

#ifndef PROMPT_PROMPT_FLIGHTS_H
#define PROMPT_PROMPT_FLIGHTS_H

#include "base/str.h"


#define PROMPT_FLIGHTS_KEY     16            /* bytes of a project's id */
#define PROMPT_FLIGHTS_ROW     32            /* entries */

#define PROMPT_FLIGHTS_FULL    (-1)
#define PROMPT_FLIGHTS_NONE    (-2)          /* not counted */


typedef struct {
    uint8_t   key[PROMPT_FLIGHTS_KEY];
    uint32_t  process;
    uint32_t  count;                         /* 0: free */
} prompt_flight_t;

typedef struct {
    uint32_t         rows;
    prompt_flight_t  entries[];
} prompt_flights_t;


/* bytes for a table of so many rows */
size_t prompt_flights_size(uint32_t rows);

/* Makes an empty table in as many bytes. */
void prompt_flights_init(prompt_flights_t *flights, uint32_t rows);

/* Whether a process is there. */
typedef bool (*prompt_flights_alive_pt)(uint32_t process);

/*
 * Counts one more call of the project for the process, unless there are `most`:
 * its entry, PROMPT_FLIGHTS_FULL or PROMPT_FLIGHTS_NONE.
 */
int32_t prompt_flights_begin(prompt_flights_t *flights,
    const uint8_t key[PROMPT_FLIGHTS_KEY], uint32_t process, uint64_t most,
    prompt_flights_alive_pt alive);

/* Ends one that was counted in that entry. */
void prompt_flights_end(prompt_flights_t *flights, int32_t entry);

#endif /* PROMPT_PROMPT_FLIGHTS_H */
