/*
 * The arena: alignment, limits, and that a refusal leaves it usable.
 */

#include "base/arena.h"

#include "tap.h"


static void
test_pieces(void)
{
    bool             aligned;
    char            *p;
    size_t           i;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(1024 * 1024);
    ok(arena != NULL, "created");

    aligned = true;

    for (i = 0; i < 3000; i++) {
        p = prompt_arena_alloc(arena, i % 70);
        aligned = aligned && p != NULL && (uintptr_t) p % 16 == 0;

        if (p != NULL) {
            memset(p, 'x', i % 70);
        }
    }

    ok(aligned, "pieces are aligned for any type");

    p = prompt_arena_alloc(arena, 200000);
    ok(p != NULL, "a piece larger than a block");
    memset(p, 'y', 200000);

    p = prompt_arena_zalloc(arena, 100);
    ok(p != NULL && p[0] == 0 && p[99] == 0, "zeroed");

    p = prompt_arena_array(arena, 10, 10);
    ok(p != NULL && p[0] == 0 && p[99] == 0, "array");
    ok(prompt_arena_array(arena, SIZE_MAX / 2, 3) == NULL, "overflow");
    ok(prompt_arena_alloc(arena, SIZE_MAX) == NULL, "SIZE_MAX");
    ok(prompt_arena_alloc(arena, 0) != NULL, "size 0");

    prompt_arena_destroy(arena);
    prompt_arena_destroy(NULL);
}


static void
test_limit(void)
{
    size_t           n, limit;
    bool             kept;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(10000);
    ok(!prompt_arena_exhausted(arena), "not exhausted at birth");
    ok(prompt_arena_alloc(arena, 20000) == NULL, "beyond the limit");
    ok(prompt_arena_exhausted(arena), "exhausted");
    ok(prompt_arena_alloc(arena, 5000) != NULL, "what fits still fits");
    prompt_arena_destroy(arena);

    kept = true;

    for (limit = 0; limit < 20000; limit += 37) {
        arena = prompt_arena_create(limit);
        n = 0;

        while (prompt_arena_alloc(arena, 48) != NULL) {
            n++;
        }

        kept = kept && prompt_arena_exhausted(arena)
               && (n == 0 || prompt_arena_used(arena) <= limit)
               && n * 48 + 256 + limit / 8 >= limit - limit / 8;
        prompt_arena_destroy(arena);
    }

    ok(kept, "the limit is kept, and nearly all of it handed out");
}


static void
test_text(void)
{
    prompt_str_t     s;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(8192);

    s = prompt_arena_copy(arena, prompt_str("abc"));
    is_str(s, "abc", "copy");
    ok(s.data[3] == '\0', "copy is followed by NUL");

    s = prompt_arena_copy(arena, prompt_str_absent);
    is_str(s, "", "a copy of nothing is empty");

    is_str(prompt_arena_printf(arena, "%d-%s", 42, "x"), "42-x", "printf");
    is_str(prompt_arena_printf(arena, "%9000d", 1), NULL,
           "printf beyond the limit is absent");

    prompt_arena_destroy(arena);
}


int
main(void)
{
    test_pieces();
    test_limit();
    test_text();

    return done_testing();
}
