/*
 * LRU: buckets of entries, and a list of them in the order of their use.
 */

#include "base/lru.h"

#include <stdlib.h>


#define PROMPT_LRU_BUCKETS  64       /* at least */


static prompt_lru_entry_t **prompt_lru_bucket(const prompt_lru_t *lru,
    uint64_t hash);
static prompt_lru_entry_t *prompt_lru_of_hash(prompt_lru_entry_t *entry,
    uint64_t hash);
static void prompt_lru_link(prompt_lru_t *lru, prompt_lru_entry_t *entry);
static void prompt_lru_unlink(prompt_lru_t *lru, prompt_lru_entry_t *entry);
static void prompt_lru_trim(prompt_lru_t *lru, size_t max_bytes);


bool
prompt_lru_init(prompt_lru_t *lru, size_t max_bytes, size_t usual,
    void (*drop)(prompt_lru_entry_t *entry))
{
    memset(lru, 0, sizeof(prompt_lru_t));

    lru->max_bytes = max_bytes;
    lru->drop = drop;
    lru->nbuckets = PROMPT_LRU_BUCKETS;

    while (lru->nbuckets < max_bytes / usual) {
        lru->nbuckets *= 2;
    }

    lru->buckets = calloc(lru->nbuckets, sizeof(prompt_lru_entry_t *));

    return lru->buckets != NULL;
}


void
prompt_lru_clear(prompt_lru_t *lru)
{
    prompt_lru_trim(lru, 0);
}


void
prompt_lru_exit(prompt_lru_t *lru)
{
    prompt_lru_clear(lru);
    free(lru->buckets);
    lru->buckets = NULL;
}


prompt_lru_entry_t *
prompt_lru_first(const prompt_lru_t *lru, uint64_t hash)
{
    return prompt_lru_of_hash(*prompt_lru_bucket(lru, hash), hash);
}


prompt_lru_entry_t *
prompt_lru_next(const prompt_lru_entry_t *entry)
{
    return prompt_lru_of_hash(entry->chain, entry->hash);
}


/* the first one of that hash, from entry on */
static prompt_lru_entry_t *
prompt_lru_of_hash(prompt_lru_entry_t *entry, uint64_t hash)
{
    while (entry != NULL && entry->hash != hash) {
        entry = entry->chain;
    }

    return entry;
}


void
prompt_lru_insert(prompt_lru_t *lru, prompt_lru_entry_t *entry, uint64_t hash,
    size_t bytes)
{
    prompt_lru_entry_t  **bucket;

    bucket = prompt_lru_bucket(lru, hash);

    entry->lru = lru;
    entry->hash = hash;
    entry->bytes = 0;
    entry->chain = *bucket;
    *bucket = entry;

    prompt_lru_link(lru, entry);
    prompt_lru_grow(entry, bytes);
}


void
prompt_lru_use(prompt_lru_entry_t *entry)
{
    prompt_lru_t  *lru;

    lru = entry->lru;

    if (entry != lru->newest) {
        prompt_lru_unlink(lru, entry);
        prompt_lru_link(lru, entry);
    }
}


void
prompt_lru_grow(prompt_lru_entry_t *entry, size_t bytes)
{
    prompt_lru_t  *lru;

    lru = entry->lru;

    entry->bytes += bytes;
    lru->bytes += bytes;
    lru->added += bytes;

    prompt_lru_trim(lru, lru->max_bytes);
}


void
prompt_lru_remove(prompt_lru_entry_t *entry)
{
    prompt_lru_t         *lru;
    prompt_lru_entry_t  **link;

    lru = entry->lru;
    link = prompt_lru_bucket(lru, entry->hash);

    while (*link != entry) {
        link = &(*link)->chain;
    }

    *link = entry->chain;

    prompt_lru_unlink(lru, entry);
    lru->bytes -= entry->bytes;

    entry->lru = NULL;
    lru->drop(entry);
}


static prompt_lru_entry_t **
prompt_lru_bucket(const prompt_lru_t *lru, uint64_t hash)
{
    return &lru->buckets[hash & (lru->nbuckets - 1)];
}


/* as the newest */
static void
prompt_lru_link(prompt_lru_t *lru, prompt_lru_entry_t *entry)
{
    entry->newer = NULL;
    entry->older = lru->newest;

    if (lru->newest != NULL) {
        lru->newest->newer = entry;
    } else {
        lru->oldest = entry;
    }

    lru->newest = entry;
}


static void
prompt_lru_unlink(prompt_lru_t *lru, prompt_lru_entry_t *entry)
{
    if (entry->newer != NULL) {
        entry->newer->older = entry->older;
    } else {
        lru->newest = entry->older;
    }

    if (entry->older != NULL) {
        entry->older->newer = entry->newer;
    } else {
        lru->oldest = entry->newer;
    }
}


static void
prompt_lru_trim(prompt_lru_t *lru, size_t max_bytes)
{
    while (lru->oldest != NULL && lru->bytes > max_bytes) {
        prompt_lru_remove(lru->oldest);
    }
}
