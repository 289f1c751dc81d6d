/*
 * Memos: what a walk over a document remembers under numbers.  See memo.h.
 *
 * Open addressing, with room to spare, seeded as names are.
 */

#include "graphql/validate/memo.h"


#define GQL_MEMO_MIN  16             /* slots at first */
#define GQL_MEMO_MAX  (1u << 30)


static gql_memo_slot_t *gql_memo_slot(gql_memo_slot_t *slots, uint32_t mask,
    const prompt_arena_t *arena, uint64_t key);
static bool gql_memo_grow(gql_memo_t *memo);
static uint64_t *gql_pairs_slot(uint64_t *slots, uint32_t mask,
    const prompt_arena_t *arena, uint64_t key);
static bool gql_pairs_grow(gql_pairs_t *pairs);


void
gql_memo_init(gql_memo_t *memo, prompt_arena_t *arena)
{
    memset(memo, 0, sizeof(gql_memo_t));
    memo->arena = arena;
}


uintptr_t
gql_memo_get(const gql_memo_t *memo, uint64_t key)
{
    if (memo->slots == NULL) {
        return 0;
    }

    return gql_memo_slot(memo->slots, memo->mask, memo->arena, key)->value;
}


bool
gql_memo_put(gql_memo_t *memo, uint64_t key, uintptr_t value)
{
    gql_memo_slot_t  *slot;

    if (memo->slots == NULL || memo->count >= memo->mask / 2) {
        if (!gql_memo_grow(memo)) {
            return false;
        }
    }

    slot = gql_memo_slot(memo->slots, memo->mask, memo->arena, key);

    if (slot->value == 0) {
        slot->key = key;
        memo->count++;
    }

    slot->value = value;

    return true;
}


static gql_memo_slot_t *
gql_memo_slot(gql_memo_slot_t *slots, uint32_t mask,
    const prompt_arena_t *arena, uint64_t key)
{
    uint32_t  i;

    i = (uint32_t) prompt_hash_mix(key ^ (uintptr_t) arena) & mask;

    while (slots[i].value != 0 && slots[i].key != key) {
        i = (i + 1) & mask;
    }

    return &slots[i];
}


static bool
gql_memo_grow(gql_memo_t *memo)
{
    uint32_t          i, n;
    gql_memo_slot_t  *slots;

    n = memo->slots == NULL ? GQL_MEMO_MIN : (memo->mask + 1) * 2;
    if (n > GQL_MEMO_MAX) {
        return false;
    }

    slots = prompt_arena_array(memo->arena, n, sizeof(gql_memo_slot_t));
    if (slots == NULL) {
        return false;
    }

    for (i = 0; memo->slots != NULL && i <= memo->mask; i++) {
        if (memo->slots[i].value != 0) {
            *gql_memo_slot(slots, n - 1, memo->arena, memo->slots[i].key)
                = memo->slots[i];
        }
    }

    memo->slots = slots;
    memo->mask = n - 1;

    return true;
}


void
gql_pairs_init(gql_pairs_t *pairs, prompt_arena_t *arena)
{
    memset(pairs, 0, sizeof(gql_pairs_t));
    pairs->arena = arena;
}


bool
gql_pairs_add(gql_pairs_t *pairs, uint32_t a, uint32_t b, unsigned bits,
    unsigned *before)
{
    uint64_t  key, *slot;

    if (pairs->slots == NULL
        || pairs->count >= pairs->mask - pairs->mask / 4)
    {
        if (!gql_pairs_grow(pairs)) {
            return false;
        }
    }

    key = ((uint64_t) a << 31 | b) << 2;
    slot = gql_pairs_slot(pairs->slots, pairs->mask, pairs->arena, key);

    *before = *slot & 3;

    if (*slot == 0) {
        *slot = key;
        pairs->count++;
    }

    *slot |= bits;

    return true;
}


/* bits are never 0 in a slot that is taken, so key 0 is as good as others */
static uint64_t *
gql_pairs_slot(uint64_t *slots, uint32_t mask, const prompt_arena_t *arena,
    uint64_t key)
{
    uint32_t  i;

    i = (uint32_t) prompt_hash_mix(key ^ (uintptr_t) arena) & mask;

    while (slots[i] != 0 && (slots[i] & ~(uint64_t) 3) != key) {
        i = (i + 1) & mask;
    }

    return &slots[i];
}


/* by four: what is left behind in the arena stays small */
static bool
gql_pairs_grow(gql_pairs_t *pairs)
{
    uint32_t   i, n;
    uint64_t  *slots;

    n = pairs->slots == NULL ? GQL_MEMO_MIN : (pairs->mask + 1) * 4;
    if (n > GQL_MEMO_MAX) {
        return false;
    }

    slots = prompt_arena_array(pairs->arena, n, sizeof(uint64_t));
    if (slots == NULL) {
        return false;
    }

    for (i = 0; pairs->slots != NULL && i <= pairs->mask; i++) {
        if (pairs->slots[i] != 0) {
            *gql_pairs_slot(slots, n - 1, pairs->arena,
                            pairs->slots[i] & ~(uint64_t) 3)
                = pairs->slots[i];
        }
    }

    pairs->slots = slots;
    pairs->mask = n - 1;

    return true;
}
