/*
 * A malloc that fails when it is told to, for tests of what happens then.
 *
 * The functions here stand before those of the C library, which is called by
 * its other names (glibc).  Sanitizers and valgrind bring their own: there,
 * and with another C library, failing_malloc_works() is false and such tests
 * are skipped.
 */

#ifndef PROMPT_T_UNIT_FAILING_MALLOC_H
#define PROMPT_T_UNIT_FAILING_MALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>


#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)      \
    || __has_feature(thread_sanitizer)
#define FAILING_MALLOC  0
#endif
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)            \
    || !defined(__GLIBC__)
#undef FAILING_MALLOC
#define FAILING_MALLOC  0
#endif

#ifndef FAILING_MALLOC
#define FAILING_MALLOC  1
#endif


/*
 * The allocation that fails, from 1; 0: none.  From there on all fail.  The
 * compiler knows malloc(), and takes for granted that it changes no counter.
 */
static volatile unsigned long  failing_malloc_at;
static volatile unsigned long  failing_malloc_count;

/* blocks that were allocated and not freed since the last reset */
static volatile long           failing_malloc_blocks;


static inline void
failing_malloc_reset(unsigned long at)
{
    failing_malloc_at = at;
    failing_malloc_count = 0;
    failing_malloc_blocks = 0;
}


#if FAILING_MALLOC

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void __libc_free(void *p);


static inline int
failing_malloc_fails(void)
{
    failing_malloc_count++;

    return failing_malloc_at != 0
           && failing_malloc_count >= failing_malloc_at;
}


void *
malloc(size_t size)
{
    if (failing_malloc_fails()) {
        return NULL;
    }

    failing_malloc_blocks++;

    return __libc_malloc(size);
}


void *
calloc(size_t nmemb, size_t size)
{
    if (failing_malloc_fails()) {
        return NULL;
    }

    failing_malloc_blocks++;

    return __libc_calloc(nmemb, size);
}


void *
realloc(void *ptr, size_t size)
{
    if (failing_malloc_fails()) {
        return NULL;
    }

    if (ptr == NULL) {
        failing_malloc_blocks++;
    }

    return __libc_realloc(ptr, size);
}


void
free(void *ptr)
{
    if (ptr != NULL) {
        failing_malloc_blocks--;
    }

    __libc_free(ptr);
}

#endif


/* whether the functions above are the ones that are called */
static inline bool
failing_malloc_works(void)
{
    void *volatile  p;

    failing_malloc_reset(0);

    p = malloc(1);
    free(p);

    return failing_malloc_count != 0;
}

#endif /* PROMPT_T_UNIT_FAILING_MALLOC_H */
