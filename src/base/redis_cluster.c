/*
 * What a client of Redis Cluster computes.
 */

#include "base/redis_cluster.h"
#include "base/scan.h"


/* CRC-16/XMODEM: polynomial 0x1021, not reflected, from 0; by half bytes */
static const uint16_t  prompt_redis_crc[16] = {
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7,
    0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad, 0xe1ce, 0xf1ef
};


static bool prompt_redis_number(prompt_str_t *text, uint32_t max,
    uint32_t *number);


uint32_t
prompt_redis_slot(prompt_str_t key)
{
    size_t        i;
    uint32_t      crc, byte;
    prompt_str_t  rest, tag;

    rest = key;

    if (prompt_scan_split(&rest, '{', &tag)
        && prompt_scan_split(&rest, '}', &tag) && tag.len != 0)
    {
        key = tag;
    }

    crc = 0;

    for (i = 0; i < key.len; i++) {
        byte = (unsigned char) key.data[i];
        crc = (crc << 4 & 0xffff) ^ prompt_redis_crc[crc >> 12 ^ byte >> 4];
        crc = (crc << 4 & 0xffff) ^ prompt_redis_crc[crc >> 12 ^ (byte & 15)];
    }

    return crc % PROMPT_REDIS_SLOTS;
}


void
prompt_redis_redirect(prompt_str_t error, prompt_redis_redirect_t *redirect)
{
    size_t               i;
    prompt_str_t         rest;
    prompt_redis_turn_e  turn;

    memset(redirect, 0, sizeof(prompt_redis_redirect_t));

    rest = error;

    if (prompt_scan_word(&rest, prompt_str("TRYAGAIN"))) {
        redirect->turn = PROMPT_REDIS_AGAIN;
        return;
    }

    if (prompt_scan_word(&rest, prompt_str("MOVED "))) {
        turn = PROMPT_REDIS_MOVED;

    } else if (prompt_scan_word(&rest, prompt_str("ASK "))) {
        turn = PROMPT_REDIS_ASK;

    } else {
        return;
    }

    if (!prompt_redis_number(&rest, PROMPT_REDIS_SLOTS - 1, &redirect->slot)
        || !prompt_scan_char(&rest, ' '))
    {
        return;
    }

    /* the last colon: an address of IPv6 has others, and no brackets */

    for (i = rest.len; i > 0 && rest.data[i - 1] != ':'; i--) { /* void */ }

    if (i == 0) {
        return;
    }

    redirect->host = prompt_str_of(rest.data, i - 1);
    rest = prompt_str_of(rest.data + i, rest.len - i);

    if (prompt_redis_number(&rest, 65535, &redirect->port) && rest.len == 0
        && redirect->port != 0)
    {
        redirect->turn = turn;
    }
}


/* decimal digits at the beginning of text, which they are taken from */
static bool
prompt_redis_number(prompt_str_t *text, uint32_t max, uint32_t *number)
{
    size_t       i, n;
    const char  *p;

    *number = 0;
    p = text->data;
    n = prompt_scan_digits(text);

    for (i = 0; i < n && *number <= max; i++) {
        *number = *number * 10 + (uint32_t) (p[i] - '0');
    }

    return n != 0 && *number <= max;
}
