/*
 * UUID version 7 (RFC 9562, 5.7): ids that ascend with the time of their
 * making, so that new rows stand together in an index.
 */

#ifndef PROMPT_BASE_UUID_H
#define PROMPT_BASE_UUID_H

#include "base/str.h"


#define PROMPT_UUID_TEXT_LEN    36
#define PROMPT_UUID_RANDOM_LEN  10


typedef struct {
    uint8_t  bytes[16];              /* in network order, as in PostgreSQL */
} prompt_uuid_t;


/*
 * What makes the ids of one process ascend: the last time used, and a counter
 * within that millisecond (RFC 9562, 6.2, method 1).  Zeroed at start.
 */
typedef struct {
    uint64_t  ms;
    uint32_t  counter;
} prompt_uuid_state_t;


/*
 * A new id, greater than the one made before with this state, also where the
 * clock stands still or goes back.  ms: milliseconds since 1970, below 2^48;
 * random: fresh random bytes from the kernel.
 */
void prompt_uuid_make(prompt_uuid_state_t *state, uint64_t ms,
    const uint8_t random[PROMPT_UUID_RANDOM_LEN], prompt_uuid_t *out);

/* 8-4-4-4-12 lower-case hexadecimal digits, without NUL */
void prompt_uuid_format(const prompt_uuid_t *uuid,
    char out[PROMPT_UUID_TEXT_LEN]);

/* The same form in either case, of any version; false for everything else. */
bool prompt_uuid_parse(prompt_str_t text, prompt_uuid_t *out);

#endif /* PROMPT_BASE_UUID_H */
