/*
 * Memos: what a walk over a document remembers under numbers.
 *
 * gql_memo_t leads from a 64-bit key (two numbers, or an address) to a pointer
 * or number; gql_pairs_t marks pairs of numbers.  Tables in an arena, seeded as
 * those of names are (names.h), which start empty and free of allocation.
 * Nothing is ever removed.
 */

#ifndef GQL_MEMO_H
#define GQL_MEMO_H

#include "base/arena.h"


typedef struct {
    prompt_arena_t     *arena;
    uint64_t           *slots;       /* of width words; NULL: nothing put yet */
    uint32_t            mask;
    uint32_t            count;
    uint32_t            most;        /* at so many it grows */
    uint32_t            width;       /* 2: key and value, which is 0 in a free
                                        one; 1: key and bits */
    uint64_t            bits;        /* of a word: beside the key */
} gql_memo_t;


void gql_memo_init(gql_memo_t *memo, prompt_arena_t *arena);

/* what is under key, or 0 */
uintptr_t gql_memo_get(const gql_memo_t *memo, uint64_t key);

/* Puts value, which is not 0, in place of what was there; false: no memory */
bool gql_memo_put(gql_memo_t *memo, uint64_t key, uintptr_t value)
    PROMPT_WARN_UNUSED;


/*
 * Pairs of numbers below 2^31, with two bits for each: made for hundreds of
 * thousands of them.
 */
typedef gql_memo_t  gql_pairs_t;


void gql_pairs_init(gql_pairs_t *pairs, prompt_arena_t *arena);

/*
 * Sets bits (1 to 3) of a pair; *before is what was set already.  False: the
 * arena gave out.
 */
bool gql_pairs_add(gql_pairs_t *pairs, uint32_t a, uint32_t b, unsigned bits,
    unsigned *before) PROMPT_WARN_UNUSED;


/* keys: an address, or two numbers */
static inline uint64_t
gql_memo_address(const void *p)
{
    return (uint64_t) (uintptr_t) p;
}


static inline uint64_t
gql_memo_pair(uint32_t a, uint32_t b)
{
    return (uint64_t) a << 32 | b;
}


/* what is under an address, or NULL */
static inline void *
gql_memo_find(const gql_memo_t *memo, const void *p)
{
    return (void *) gql_memo_get(memo, gql_memo_address(p));
}

#endif /* GQL_MEMO_H */
