/*
 * Names: the one table of names that the engine has.  See names.h.
 *
 * Open addressing, at most half full.  The hash is started with the address
 * of the arena, which differs from process to process and is shown to nobody:
 * names that collide cannot be prepared.
 */

#include "base/link.h"
#include "graphql/syntax/names.h"


#define GQL_NAMES_MIN  16            /* slots at first */
#define GQL_NAMES_MAX  (1u << 30)


static inline uint64_t gql_names_hash(const gql_names_t *names,
    prompt_str_t name);
static gql_name_entry_t **gql_names_slot(gql_name_entry_t **slots,
    uint32_t mask, uint64_t hash, prompt_str_t name);
static bool gql_names_grow(gql_names_t *names);


void
gql_names_init(gql_names_t *names, prompt_arena_t *arena)
{
    memset(names, 0, sizeof(gql_names_t));
    names->arena = arena;
}


gql_name_entry_t *
gql_names_find(const gql_names_t *names, prompt_str_t name)
{
    if (names == NULL || names->slots == NULL) {
        return NULL;
    }

    return *gql_names_slot(names->slots, names->mask,
                           gql_names_hash(names, name), name);
}


gql_name_entry_t *
gql_names_add(gql_names_t *names, prompt_str_t name)
{
    uint64_t            hash;
    gql_name_entry_t   *entry, **slot;

    hash = gql_names_hash(names, name);
    slot = NULL;

    if (names->slots != NULL) {
        slot = gql_names_slot(names->slots, names->mask, hash, name);
        if (*slot != NULL) {
            return *slot;
        }
    }

    if (slot == NULL || names->count > names->mask / 2) {
        if (!gql_names_grow(names)) {
            return NULL;
        }

        slot = gql_names_slot(names->slots, names->mask, hash, name);
    }

    entry = prompt_arena_zalloc(names->arena, sizeof(gql_name_entry_t));
    if (entry == NULL) {
        return NULL;
    }

    entry->name = name;
    entry->hash = hash;
    entry->id = names->count++;

    prompt_link(names, entry, next);
    *slot = entry;

    return entry;
}


static inline uint64_t
gql_names_hash(const gql_names_t *names, prompt_str_t name)
{
    return prompt_str_hash_seeded(name, (uintptr_t) names->arena);
}


/* the slot that holds name, or the free one where it belongs */
static gql_name_entry_t **
gql_names_slot(gql_name_entry_t **slots, uint32_t mask, uint64_t hash,
    prompt_str_t name)
{
    uint32_t           i;
    gql_name_entry_t  *entry;

    for (i = (uint32_t) hash & mask; ; i = (i + 1) & mask) {
        entry = slots[i];

        /* of one hash: up to eight bytes, as most have, it is the name */

        if (entry == NULL
            || (entry->hash == hash && entry->name.len == name.len
                && (name.len <= sizeof(uint64_t)
                    || memcmp(entry->name.data, name.data, name.len) == 0)))
        {
            return &slots[i];
        }
    }
}


static bool
gql_names_grow(gql_names_t *names)
{
    uint32_t            n;
    gql_name_entry_t   *entry, **slots;

    n = names->slots == NULL ? GQL_NAMES_MIN : (names->mask + 1) * 2;
    if (n > GQL_NAMES_MAX) {
        return false;
    }

    slots = prompt_arena_array(names->arena, n, sizeof(gql_name_entry_t *));
    if (slots == NULL) {
        return false;
    }

    for (entry = names->first; entry != NULL; entry = entry->next) {
        *gql_names_slot(slots, n - 1, entry->hash, entry->name) = entry;
    }

    names->slots = slots;
    names->mask = n - 1;

    return true;
}
