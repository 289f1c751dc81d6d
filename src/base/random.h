/*
 * Random bytes from the kernel.
 */

#ifndef PROMPT_BASE_RANDOM_H
#define PROMPT_BASE_RANDOM_H

#include "base/str.h"


/*
 * Fills out with len (at most 256) bytes that nobody can guess.  False where
 * the kernel has none; out is then undefined.  Does not block once the system
 * is up.
 */
bool prompt_random(void *out, size_t len) PROMPT_WARN_UNUSED;


/*
 * Bytes that a process has got and not given away yet, zeroed at first: ids
 * take a few each, and a system call for each id is more than the id costs.
 * No key, and nothing else that is secret, comes from here: it stays in memory.
 */
typedef struct {
    uint8_t  bytes[256];
    size_t   left;
} prompt_random_store_t;

/* The same from what is in store, which is filled where it has less. */
bool prompt_random_from(prompt_random_store_t *store, void *out, size_t len)
    PROMPT_WARN_UNUSED;

#endif /* PROMPT_BASE_RANDOM_H */
