/*
 * Runs of bytes in the strings of JSON that need no look of their own: no
 * quote, no backslash, no control character.
 */

#ifndef PROMPT_BASE_JSON_RUN_H
#define PROMPT_BASE_JSON_RUN_H

#include "base/str.h"


/* what may be in a run besides ASCII */
typedef enum {
    PROMPT_JSON_ASCII = 0,           /* nothing */
    PROMPT_JSON_ANY                  /* bytes above 127 */
} prompt_json_run_e;


/* bytes that are looked at together, by a vector unit where there is one */
typedef signed char  prompt_json_block_t __attribute__((vector_size(16)));


static inline bool
prompt_json_in_run(unsigned char c, prompt_json_run_e kind)
{
    return c >= 0x20 && c != '"' && c != '\\'
           && (kind == PROMPT_JSON_ANY || c < 0x80);
}


/*
 * Of a number of eight bytes the top bits of those that end a run.  Of a byte
 * below n, less n, the top bit is set, where it was not before; and a byte
 * that equals another is below 1 after an exclusive or.  A borrow may set it
 * for the next bytes, too, but never below the first one that is to be found.
 */
static inline uint64_t
prompt_json_run_ends(uint64_t word, prompt_json_run_e kind)
{
    uint64_t  quote, slash, found;

    static const uint64_t  ones = 0x0101010101010101u;
    static const uint64_t  tops = 0x8080808080808080u;

    quote = word ^ ones * '"';
    slash = word ^ ones * '\\';

    found = ((word - ones * 0x20) & ~word) | ((quote - ones) & ~quote)
            | ((slash - ones) & ~slash);

    if (kind == PROMPT_JSON_ASCII) {
        found |= word;
    }

    return found & tops;
}


/* which of eight bytes in memory is the first whose top bit is in found */
static inline size_t
prompt_json_first_of(uint64_t found)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (size_t) __builtin_ctzll(found) / 8;
#else
    return (size_t) __builtin_clzll(found) / 8;
#endif
}


/* Of sixteen bytes at p those before the first that ends a run; 16: none. */
static inline size_t
prompt_json_run_of_block(const char *p, prompt_json_run_e kind)
{
    uint64_t             halves[2];
    prompt_json_block_t  block, ends;

    memcpy(&block, p, sizeof(block));

    /* as signed numbers bytes above 127 are below all others */

    ends = (prompt_json_block_t) ((block < 0x20) | (block == '"')
                                  | (block == '\\'));

    if (kind == PROMPT_JSON_ANY) {
        ends &= (prompt_json_block_t) (block >= 0);
    }

    memcpy(halves, &ends, sizeof(halves));

    if (halves[0] != 0) {
        return prompt_json_first_of(halves[0]);
    }

    return halves[1] != 0 ? 8 + prompt_json_first_of(halves[1]) : 16;
}


/* how many of the len bytes at p are a run; inline, since kind is constant */
static inline size_t
prompt_json_run(const char *p, size_t len, prompt_json_run_e kind)
{
    size_t    i, n;
    uint64_t  word, found;

    for (i = 0; len - i >= sizeof(prompt_json_block_t); i += n) {
        n = prompt_json_run_of_block(p + i, kind);

        if (n < sizeof(prompt_json_block_t)) {
            return i + n;
        }
    }

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

    /* a borrow goes upwards, which is onwards in this order only */

    if (len - i >= sizeof(word)) {
        memcpy(&word, p + i, sizeof(word));
        found = prompt_json_run_ends(word, kind);

        if (found != 0) {
            return i + prompt_json_first_of(found);
        }

        i += sizeof(word);
    }

#endif

    while (i < len && prompt_json_in_run((unsigned char) p[i], kind)) {
        i++;
    }

    return i;
}

#endif /* PROMPT_BASE_JSON_RUN_H */
