/*
 * Memos: what a walk over a document remembers under numbers.  See memo.h.
 *
 * Open addressing, with room to spare, seeded as names are.
 */

#include "graphql/validate/memo.h"


#define GQL_MEMO_MIN  16             /* slots at first */
#define GQL_MEMO_MAX  (1u << 30)


static uint64_t *gql_memo_slot(const gql_memo_t *memo, uint64_t key);
static uint64_t *gql_memo_take(gql_memo_t *memo, uint64_t key);
static bool gql_memo_grow(gql_memo_t *memo);


void
gql_memo_init(gql_memo_t *memo, prompt_arena_t *arena)
{
    memset(memo, 0, sizeof(gql_memo_t));
    memo->arena = arena;
    memo->width = 2;
}


void
gql_pairs_init(gql_pairs_t *pairs, prompt_arena_t *arena)
{
    memset(pairs, 0, sizeof(gql_pairs_t));
    pairs->arena = arena;
    pairs->width = 1;
    pairs->bits = 3;
}


uintptr_t
gql_memo_get(const gql_memo_t *memo, uint64_t key)
{
    return memo->slots != NULL ? (uintptr_t) gql_memo_slot(memo, key)[1] : 0;
}


bool
gql_memo_put(gql_memo_t *memo, uint64_t key, uintptr_t value)
{
    uint64_t  *slot;

    slot = gql_memo_take(memo, key);
    if (slot == NULL) {
        return false;
    }

    slot[1] = value;

    return true;
}


/* bits are never 0 in a slot that is taken, so key 0 is as good as others */
bool
gql_pairs_add(gql_pairs_t *pairs, uint32_t a, uint32_t b, unsigned bits,
    unsigned *before)
{
    uint64_t  *slot;

    slot = gql_memo_take(pairs, ((uint64_t) a << 31 | b) << 2);
    if (slot == NULL) {
        return false;
    }

    *before = *slot & 3;
    *slot |= bits;

    return true;
}


/* the slot of a key, or the free one where it belongs */
static uint64_t *
gql_memo_slot(const gql_memo_t *memo, uint64_t key)
{
    uint32_t   i;
    uint64_t  *slot;

    i = (uint32_t) prompt_hash_mix(key ^ (uintptr_t) memo->arena);

    for ( ;; i++) {
        slot = &memo->slots[(size_t) (i & memo->mask) * memo->width];

        if (slot[memo->width - 1] == 0 || (slot[0] & ~memo->bits) == key) {
            return slot;
        }
    }
}


/* the slot of a key, which it has from now on; NULL: the arena gave out */
static uint64_t *
gql_memo_take(gql_memo_t *memo, uint64_t key)
{
    uint64_t  *slot;

    if (memo->count >= memo->most && !gql_memo_grow(memo)) {
        return NULL;
    }

    slot = gql_memo_slot(memo, key);

    if (slot[memo->width - 1] == 0) {
        slot[0] = key;
        memo->count++;
    }

    return slot;
}


/* pairs by four: what is left behind in the arena stays small */
static bool
gql_memo_grow(gql_memo_t *memo)
{
    uint32_t     i, n;
    uint64_t    *slot;
    gql_memo_t   grown;

    n = memo->slots == NULL ? GQL_MEMO_MIN
                            : (memo->mask + 1) * (memo->bits != 0 ? 4 : 2);
    if (n > GQL_MEMO_MAX) {
        return false;
    }

    grown = *memo;
    grown.mask = n - 1;
    grown.most = memo->bits != 0 ? grown.mask - grown.mask / 4
                                 : grown.mask / 2;
    grown.slots = prompt_arena_array(memo->arena, n,
                                     memo->width * sizeof(uint64_t));
    if (grown.slots == NULL) {
        return false;
    }

    for (i = 0; memo->slots != NULL && i <= memo->mask; i++) {
        slot = &memo->slots[(size_t) i * memo->width];

        if (slot[memo->width - 1] != 0) {
            memcpy(gql_memo_slot(&grown, slot[0] & ~memo->bits), slot,
                   memo->width * sizeof(uint64_t));
        }
    }

    *memo = grown;

    return true;
}
