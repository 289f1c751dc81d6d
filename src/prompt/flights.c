/*
 * Flights.
 */

#include "prompt/flights.h"

#include <string.h>


static prompt_flight_t *prompt_flights_row(prompt_flights_t *flights,
    const uint8_t key[PROMPT_FLIGHTS_KEY]);
static void prompt_flights_bury(prompt_flight_t *row,
    prompt_flights_alive_pt alive);


size_t
prompt_flights_size(uint32_t rows)
{
    return sizeof(prompt_flights_t)
           + (size_t) rows * PROMPT_FLIGHTS_ROW * sizeof(prompt_flight_t);
}


void
prompt_flights_init(prompt_flights_t *flights, uint32_t rows)
{
    memset(flights, 0, prompt_flights_size(rows));
    flights->rows = rows;
}


/* by the end of an id, which is random */
static prompt_flight_t *
prompt_flights_row(prompt_flights_t *flights,
    const uint8_t key[PROMPT_FLIGHTS_KEY])
{
    uint32_t  hash;

    memcpy(&hash, &key[PROMPT_FLIGHTS_KEY - sizeof(hash)], sizeof(hash));

    return &flights->entries[(size_t) (hash % flights->rows)
                             * PROMPT_FLIGHTS_ROW];
}


int32_t
prompt_flights_begin(prompt_flights_t *flights,
    const uint8_t key[PROMPT_FLIGHTS_KEY], uint32_t process, uint64_t most,
    prompt_flights_alive_pt alive)
{
    bool              same;
    uint64_t          count;
    unsigned          i, look;
    prompt_flight_t  *row, *entry, *mine, *unused;

    row = prompt_flights_row(flights, key);
    mine = NULL;
    unused = NULL;
    count = 0;

    /* the second look is without those who are gone */

    for (look = 0; look < 2; look++) {
        mine = NULL;
        unused = NULL;
        count = 0;

        for (i = 0; i < PROMPT_FLIGHTS_ROW; i++) {
            entry = &row[i];

            if (entry->count == 0) {
                unused = entry;
                continue;
            }

            same = memcmp(entry->key, key, PROMPT_FLIGHTS_KEY) == 0;

            if (same) {
                count += entry->count;
            }

            if (same && entry->process == process) {
                mine = entry;
            }
        }

        if (count < most && (mine != NULL || unused != NULL)) {
            break;
        }

        if (look == 0) {
            prompt_flights_bury(row, alive);
        }
    }

    if (count >= most) {
        return PROMPT_FLIGHTS_FULL;
    }

    if (mine == NULL) {

        if (unused == NULL) {
            return PROMPT_FLIGHTS_NONE;
        }

        mine = unused;
        memcpy(mine->key, key, PROMPT_FLIGHTS_KEY);
        mine->process = process;
    }

    mine->count++;

    return (int32_t) (mine - flights->entries);
}


static void
prompt_flights_bury(prompt_flight_t *row, prompt_flights_alive_pt alive)
{
    unsigned  i;

    for (i = 0; i < PROMPT_FLIGHTS_ROW; i++) {

        if (row[i].count != 0 && !alive(row[i].process)) {
            row[i].count = 0;
        }
    }
}


void
prompt_flights_end(prompt_flights_t *flights, int32_t entry)
{
    if (entry >= 0 && flights->entries[entry].count != 0) {
        flights->entries[entry].count--;
    }
}
