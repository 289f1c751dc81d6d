/*
 * PostgreSQL's clock, and who goes by it only while it is steady.
 *
 * What is deleted or given up by its time is so in statements that are told
 * what the clock must say, within a minute: a parameter of type timestamptz,
 * NULL where it is not to be gone by (base/jump.h).  Leases are short: they are
 * judged by a clock that is within seconds of it.
 */

#ifndef PROMPT_STORE_CLOCK_H
#define PROMPT_STORE_CLOCK_H

#include "store/query.h"
#include "store/value.h"


/* a condition; false or NULL where the clock jumped */
#define PROMPT_CLOCK_STEADY(param)                                           \
    "now() BETWEEN " param " - interval '1 minute'"                          \
    " AND " param " + interval '1 minute'"

#define PROMPT_CLOCK_NEAR(param)                                             \
    "now() BETWEEN " param " - interval '5 seconds'"                         \
    " AND " param " + interval '5 seconds'"


/* Asks what it says; microseconds since 1970. */
bool prompt_clock(prompt_query_t *query) PROMPT_WARN_UNUSED;
prompt_maybe_t prompt_clock_row(const prompt_rows_t *rows);

#endif /* PROMPT_STORE_CLOCK_H */
