/*
 * Arena: memory that is taken piece by piece and given back at once.
 *
 * One arena serves one thing with one life: a request, a plan, a schema.
 * It has its limit from birth, so that no input can make it grow without
 * bound.  Not shared between threads.
 */

#ifndef PROMPT_BASE_ARENA_H
#define PROMPT_BASE_ARENA_H

#include "base/buf.h"

#include <stdarg.h>


typedef struct prompt_arena_s  prompt_arena_t;


/*
 * A new arena that hands out at most limit bytes in all (its own bookkeeping
 * included).  Returns NULL when memory is short.  The caller destroys it.
 */
prompt_arena_t *prompt_arena_create(size_t limit) PROMPT_WARN_UNUSED;

/* Gives back everything; NULL is allowed. */
void prompt_arena_destroy(prompt_arena_t *arena);

/*
 * size bytes aligned for any type, valid until the arena is destroyed.
 * NULL when memory is short or the limit is reached; the arena then stays
 * usable for what still fits.  A size of 0 gives a valid pointer.
 * The z form gives zeroed bytes.
 */
void *prompt_arena_alloc(prompt_arena_t *arena, size_t size)
    PROMPT_WARN_UNUSED;
void *prompt_arena_zalloc(prompt_arena_t *arena, size_t size)
    PROMPT_WARN_UNUSED;

/* count elements of size bytes, zeroed; NULL also where that overflows */
void *prompt_arena_array(prompt_arena_t *arena, size_t count, size_t size)
    PROMPT_WARN_UNUSED;

/*
 * An array of count elements, of which there was one after the other made by
 * this, with room for one more: itself, or, each time that count is a power
 * of two, a copy that is twice as large.  NULL for array where count is 0.
 */
void *prompt_arena_room(prompt_arena_t *arena, const void *array, size_t count,
    size_t size) PROMPT_WARN_UNUSED;

/*
 * A copy of s in the arena, followed by a NUL that is not counted.
 * On failure the copy is absent (data == NULL).
 */
prompt_str_t prompt_arena_copy(prompt_arena_t *arena, prompt_str_t s)
    PROMPT_WARN_UNUSED;

/* The same of what is in a buffer, which is freed; absent where that failed. */
prompt_str_t prompt_arena_take(prompt_arena_t *arena, prompt_buf_t *buf)
    PROMPT_WARN_UNUSED;

/* printf into the arena; absent on failure */
prompt_str_t prompt_arena_printf(prompt_arena_t *arena, const char *format,
    ...) __attribute__((format(printf, 2, 3))) PROMPT_WARN_UNUSED;
prompt_str_t prompt_arena_vprintf(prompt_arena_t *arena, const char *format,
    va_list args) __attribute__((format(printf, 2, 0))) PROMPT_WARN_UNUSED;

/* bytes taken from the system so far, against the limit */
size_t prompt_arena_used(const prompt_arena_t *arena);

/* true once an allocation was refused because of the limit (not of memory) */
bool prompt_arena_exhausted(const prompt_arena_t *arena);

#endif /* PROMPT_BASE_ARENA_H */
