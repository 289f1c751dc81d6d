/*
 * UUID version 7: 48 bits of time, 12 bits of counter, 62 random bits.
 */

#include "base/uuid.h"
#include "base/digits.h"


#define PROMPT_UUID_COUNTER_MAX  0xfff


void
prompt_uuid_make(prompt_uuid_state_t *state, uint64_t ms,
    const uint8_t random[PROMPT_UUID_RANDOM_LEN], prompt_uuid_t *out)
{
    unsigned  i;

    if (ms <= state->ms && state->counter < PROMPT_UUID_COUNTER_MAX) {
        state->counter++;

    } else {

        /*
         * A new millisecond, or, where the counter is used up, one borrowed
         * from the future.  The counter starts at random in its lower half.
         */

        state->ms = ms > state->ms ? ms : state->ms + 1;
        state->counter = ((uint32_t) random[8] << 8 | random[9]) & 0x7ff;
    }

    for (i = 0; i < 6; i++) {
        out->bytes[i] = (uint8_t) (state->ms >> (40 - 8 * i));
    }

    out->bytes[6] = (uint8_t) (0x70 | state->counter >> 8);
    out->bytes[7] = (uint8_t) state->counter;
    memcpy(out->bytes + 8, random, 8);
    out->bytes[8] = (uint8_t) (0x80 | (out->bytes[8] & 0x3f));
}


void
prompt_uuid_format(const prompt_uuid_t *uuid, char out[PROMPT_UUID_TEXT_LEN])
{
    char  *p;

    p = prompt_hex_write(out, uuid->bytes, 4);
    *p++ = '-';
    p = prompt_hex_write(p, uuid->bytes + 4, 2);
    *p++ = '-';
    p = prompt_hex_write(p, uuid->bytes + 6, 2);
    *p++ = '-';
    p = prompt_hex_write(p, uuid->bytes + 8, 2);
    *p++ = '-';
    (void) prompt_hex_write(p, uuid->bytes + 10, 6);
}


bool
prompt_uuid_parse(prompt_str_t text, prompt_uuid_t *out)
{
    const char  *p;

    p = text.data;

    return text.len == PROMPT_UUID_TEXT_LEN
           && prompt_hex_read(&p, out->bytes, 4) && *p++ == '-'
           && prompt_hex_read(&p, out->bytes + 4, 2) && *p++ == '-'
           && prompt_hex_read(&p, out->bytes + 6, 2) && *p++ == '-'
           && prompt_hex_read(&p, out->bytes + 8, 2) && *p++ == '-'
           && prompt_hex_read(&p, out->bytes + 10, 6);
}
