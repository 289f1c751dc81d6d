/*
 * Arena: blocks of growing size in a list, filled from the front.
 *
 * Under AddressSanitizer the unused rest of a block is poisoned, so that
 * running over the end of a piece is found as it would be with malloc().
 *
 * Most arenas are small and live as long as a request: their first blocks are
 * kept for the next ones.
 */

#include "base/arena.h"
#include "base/spare.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define PROMPT_ARENA_ASAN  1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PROMPT_ARENA_ASAN  1
#endif
#endif

#ifdef PROMPT_ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define prompt_arena_poison(p, n)    ASAN_POISON_MEMORY_REGION(p, n)
#define prompt_arena_unpoison(p, n)  ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define prompt_arena_poison(p, n)    ((void) (p))
#define prompt_arena_unpoison(p, n)  ((void) (p))
#endif


#define PROMPT_ARENA_ALIGN      16
#define PROMPT_ARENA_BLOCK_MIN  4096
#define PROMPT_ARENA_BLOCK_MAX  (256 * 1024)


typedef struct prompt_arena_block_s  prompt_arena_block_t;

struct prompt_arena_block_s {
    prompt_arena_block_t   *next;
    size_t                  size;    /* of the payload */
    size_t                  used;
    _Alignas(PROMPT_ARENA_ALIGN) char  payload[];
};

#define prompt_arena_block_size(payload)                                     \
    (sizeof(prompt_arena_block_t) + (payload))


struct prompt_arena_s {
    prompt_arena_block_t   *current; /* the others hang behind it */
    size_t                  limit;
    size_t                  taken;
    size_t                  block;   /* size of the next block */
    bool                    exhausted;
};


/* blocks of the size of first ones */
static prompt_spare_t  prompt_arena_firsts;


/* an nginx that is configured anew without the module goes on without it */
static void __attribute__((destructor))
prompt_arena_unload(void)
{
    prompt_spare_free(&prompt_arena_firsts);
}


prompt_arena_t *
prompt_arena_create(size_t limit)
{
    prompt_arena_t  *arena;

    arena = malloc(sizeof(prompt_arena_t));
    if (arena == NULL) {
        return NULL;
    }

    arena->current = NULL;
    arena->limit = limit;
    arena->taken = sizeof(prompt_arena_t);
    arena->block = PROMPT_ARENA_BLOCK_MIN;
    arena->exhausted = false;

    return arena;
}


void
prompt_arena_destroy(prompt_arena_t *arena)
{
    prompt_arena_block_t  *block, *next;

    if (arena == NULL) {
        return;
    }

    for (block = arena->current; block != NULL; block = next) {
        next = block->next;
        prompt_arena_unpoison(block->payload, block->size);

        if (prompt_arena_block_size(block->size) == PROMPT_ARENA_BLOCK_MIN) {
            prompt_spare_give(&prompt_arena_firsts, block);

        } else {
            free(block);
        }
    }

    free(arena);
}


/*
 * A block whose payload has room for size bytes (a multiple of the alignment).
 * A piece that would take most of an ordinary block gets a block of its own
 * behind the current one, whose rest so stays in use.
 */
static prompt_arena_block_t *
prompt_arena_add(prompt_arena_t *arena, size_t size)
{
    bool                   own;
    size_t                 left, payload;
    prompt_arena_block_t  *block;

    left = arena->limit > arena->taken ? arena->limit - arena->taken : 0;

    if (left < sizeof(prompt_arena_block_t)
        || left - sizeof(prompt_arena_block_t) < size)
    {
        arena->exhausted = true;
        return NULL;
    }

    left -= sizeof(prompt_arena_block_t);

    payload = arena->block - sizeof(prompt_arena_block_t);
    own = size > payload / 2;

    if (own) {
        payload = size;

    } else if (payload > left) {
        payload = left & ~((size_t) PROMPT_ARENA_ALIGN - 1);
    }

    block = prompt_arena_block_size(payload) == PROMPT_ARENA_BLOCK_MIN
            ? prompt_spare_take(&prompt_arena_firsts, PROMPT_ARENA_BLOCK_MIN)
            : malloc(prompt_arena_block_size(payload));
    if (block == NULL) {
        return NULL;
    }

    block->size = payload;
    block->used = 0;
    arena->taken += prompt_arena_block_size(payload);
    prompt_arena_poison(block->payload, payload);

    if (own && arena->current != NULL) {
        block->next = arena->current->next;
        arena->current->next = block;

    } else {
        block->next = arena->current;
        arena->current = block;
    }

    if (!own && arena->block < PROMPT_ARENA_BLOCK_MAX) {
        arena->block *= 2;
    }

    return block;
}


void *
prompt_arena_alloc(prompt_arena_t *arena, size_t size)
{
    char                  *p;
    size_t                 aligned;
    prompt_arena_block_t  *block;

    if (size > SIZE_MAX - PROMPT_ARENA_ALIGN) {
        arena->exhausted = true;
        return NULL;
    }

    /* an empty piece still has an address of its own */
    aligned = size != 0 ? size : 1;
    aligned = (aligned + PROMPT_ARENA_ALIGN - 1)
              & ~((size_t) PROMPT_ARENA_ALIGN - 1);

    block = arena->current;

    if (block == NULL || block->size - block->used < aligned) {
        block = prompt_arena_add(arena, aligned);
        if (block == NULL) {
            return NULL;
        }
    }

    p = block->payload + block->used;
    block->used += aligned;
    prompt_arena_unpoison(p, size);

    return p;
}


void *
prompt_arena_zalloc(prompt_arena_t *arena, size_t size)
{
    void  *p;

    p = prompt_arena_alloc(arena, size);
    if (p != NULL) {
        memset(p, 0, size);
    }

    return p;
}


void *
prompt_arena_array(prompt_arena_t *arena, size_t count, size_t size)
{
    size_t  total;

    if (__builtin_mul_overflow(count, size, &total)) {
        arena->exhausted = true;
        return NULL;
    }

    return prompt_arena_zalloc(arena, total);
}


void *
prompt_arena_room(prompt_arena_t *arena, const void *array, size_t count,
    size_t size)
{
    void  *larger;

    if ((count & (count - 1)) != 0) {
        return (void *) array;
    }

    larger = prompt_arena_array(arena, count != 0 ? count * 2 : 1, size);

    if (larger != NULL && count != 0) {
        memcpy(larger, array, count * size);
    }

    return larger;
}


prompt_str_t
prompt_arena_copy(prompt_arena_t *arena, prompt_str_t s)
{
    char  *p;

    if (s.len == SIZE_MAX) {
        return prompt_str_absent;
    }

    p = prompt_arena_alloc(arena, s.len + 1);
    if (p == NULL) {
        return prompt_str_absent;
    }

    if (s.len != 0) {
        memcpy(p, s.data, s.len);
    }

    p[s.len] = '\0';

    return prompt_str_of(p, s.len);
}


prompt_str_t
prompt_arena_take(prompt_arena_t *arena, prompt_buf_t *buf)
{
    prompt_str_t  copy;

    copy = buf->status == PROMPT_BUF_OK
           ? prompt_arena_copy(arena, prompt_buf_view(buf))
           : prompt_str_absent;

    prompt_buf_free(buf);

    return copy;
}


prompt_str_t
prompt_arena_printf(prompt_arena_t *arena, const char *format, ...)
{
    va_list        args;
    prompt_str_t   text;

    va_start(args, format);
    text = prompt_arena_vprintf(arena, format, args);
    va_end(args);

    return text;
}


prompt_str_t
prompt_arena_vprintf(prompt_arena_t *arena, const char *format, va_list args)
{
    int       n;
    char     *p;
    va_list   again;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);

    p = n < 0 ? NULL : prompt_arena_alloc(arena, (size_t) n + 1);

    if (p != NULL) {
        (void) vsnprintf(p, (size_t) n + 1, format, again);
    }

    va_end(again);

    return p != NULL ? prompt_str_of(p, (size_t) n) : prompt_str_absent;
}


size_t
prompt_arena_used(const prompt_arena_t *arena)
{
    return arena->taken;
}


bool
prompt_arena_exhausted(const prompt_arena_t *arena)
{
    return arena->exhausted;
}
