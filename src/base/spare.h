/*
 * Spare memory: pieces of one size that were given back, kept for the next.
 *
 * What each request takes and gives back is allocated in bursts, as many as
 * there are requests under way: malloc() keeps few of a size at hand, and
 * splits and merges the rest.  A list keeps so many and no more.
 *
 * Under AddressSanitizer nothing is kept, or a use after free is not found.
 * Not shared between threads.
 */

#ifndef PROMPT_BASE_SPARE_H
#define PROMPT_BASE_SPARE_H

#include "base/str.h"

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define PROMPT_SPARE_KEPT  0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PROMPT_SPARE_KEPT  0
#endif
#endif

#ifndef PROMPT_SPARE_KEPT
#define PROMPT_SPARE_KEPT  256
#endif


/* all zero: none is kept; every piece of a list has the same size */
typedef struct {
    void  *first;                    /* each begins with the next one */
    int    count;                    /* signed, as PROMPT_SPARE_KEPT may be 0 */
} prompt_spare_t;


/* size: at least that of a pointer.  NULL when memory is short. */
static inline void *
prompt_spare_take(prompt_spare_t *spare, size_t size)
{
    void  *p;

    p = spare->first;

    if (p == NULL) {
        return malloc(size);
    }

    memcpy(&spare->first, p, sizeof(void *));
    spare->count--;

    return p;
}


/* p: taken from a list of this size, or malloc()ed; not NULL */
static inline void
prompt_spare_give(prompt_spare_t *spare, void *p)
{
    if (spare->count >= PROMPT_SPARE_KEPT) {
        free(p);
        return;
    }

    memcpy(p, &spare->first, sizeof(void *));
    spare->first = p;
    spare->count++;
}


/* Frees those that are kept. */
static inline void
prompt_spare_free(prompt_spare_t *spare)
{
    void  *p;

    while (spare->first != NULL) {
        p = prompt_spare_take(spare, 0);
        free(p);
    }
}

#endif /* PROMPT_BASE_SPARE_H */
