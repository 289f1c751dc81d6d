/*
 * LRU: a table of entries of different sizes, bounded in bytes; those that
 * were used least recently go first.
 *
 * An entry stands at the beginning of what the owner keeps, who compares keys:
 * the table knows hashes only.  Not shared between threads.
 */

#ifndef PROMPT_BASE_LRU_H
#define PROMPT_BASE_LRU_H

#include "base/str.h"


typedef struct prompt_lru_s        prompt_lru_t;
typedef struct prompt_lru_entry_s  prompt_lru_entry_t;


/* Zeroed by its owner: it is in no table. */
struct prompt_lru_entry_s {
    prompt_lru_t        *lru;        /* NULL: it fell out */
    prompt_lru_entry_t  *chain;      /* of its bucket */
    prompt_lru_entry_t  *newer;
    prompt_lru_entry_t  *older;
    uint64_t             hash;
    size_t               bytes;
};


struct prompt_lru_s {
    size_t                max_bytes;
    size_t                bytes;     /* of all entries */
    uint64_t              added;     /* bytes, since it was made */
    size_t                nbuckets;  /* a power of two */
    prompt_lru_entry_t  **buckets;
    prompt_lru_entry_t   *newest;
    prompt_lru_entry_t   *oldest;
    void                (*drop)(prompt_lru_entry_t *entry);
};


/*
 * usual: bytes of an entry, by which the number of buckets is chosen.  drop()
 * is called with each entry that falls out, once it is in the table no more;
 * it may free it.  False: memory.
 */
bool prompt_lru_init(prompt_lru_t *lru, size_t max_bytes, size_t usual,
    void (*drop)(prompt_lru_entry_t *entry)) PROMPT_WARN_UNUSED;

/* Drops all entries. */
void prompt_lru_clear(prompt_lru_t *lru);

/* Drops all entries, and frees the buckets. */
void prompt_lru_exit(prompt_lru_t *lru);

/* The entries of that hash, one after the other; NULL: no more. */
prompt_lru_entry_t *prompt_lru_first(const prompt_lru_t *lru, uint64_t hash);
prompt_lru_entry_t *prompt_lru_next(const prompt_lru_entry_t *entry);

/*
 * Puts it in, as the one that was used last.  Others fall out where there are
 * too many bytes; where it alone is too large, all of them, and it as well.
 */
void prompt_lru_insert(prompt_lru_t *lru, prompt_lru_entry_t *entry,
    uint64_t hash, size_t bytes);

/* It is used: the last one to go. */
void prompt_lru_use(prompt_lru_entry_t *entry);

/* It has so many bytes more; entries may fall out, as with insert(). */
void prompt_lru_grow(prompt_lru_entry_t *entry, size_t bytes);

/* It falls out. */
void prompt_lru_remove(prompt_lru_entry_t *entry);

#endif /* PROMPT_BASE_LRU_H */
