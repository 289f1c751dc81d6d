/*
 * Unit tests of memo.c: memos and pairs, also where memory is short.
 */

#include "graphql/validate/memo.h"
#include "tap.h"


#define MANY  5000


static void
memos(void)
{
    uint32_t         i, found;
    gql_memo_t       memo;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(16 * 1024 * 1024);
    gql_memo_init(&memo, arena);

    is_int(gql_memo_get(&memo, 0), 0, "nothing is there");

    found = 0;

    for (i = 0; i < MANY; i++) {
        found += gql_memo_put(&memo, gql_memo_pair(i, i * 7), i + 1);
    }

    is_int(found, MANY, "many are put");
    ok(gql_memo_put(&memo, gql_memo_pair(0, 0), 99), "one again");
    is_int(gql_memo_get(&memo, 0), 99, "the last one counts");

    found = 0;

    for (i = 1; i < MANY; i++) {
        found += gql_memo_get(&memo, gql_memo_pair(i, i * 7)) == i + 1;
    }

    is_int(found, MANY - 1, "the others are there");
    is_int(gql_memo_get(&memo, gql_memo_pair(1, 8)), 0, "and no more");

    prompt_arena_destroy(arena);
}


static void
pairs(void)
{
    unsigned         before;
    uint32_t         a, b, news;
    gql_pairs_t      marks;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(16 * 1024 * 1024);
    gql_pairs_init(&marks, arena);

    ok(gql_pairs_add(&marks, 0, 0, 1, &before) && before == 0, "0 and 0");
    ok(gql_pairs_add(&marks, 0, 0, 2, &before) && before == 1, "was marked");
    ok(gql_pairs_add(&marks, 0, 0, 1, &before) && before == 3, "with both");
    ok(gql_pairs_add(&marks, 0x7fffffff, 0x7ffffffe, 3, &before)
       && before == 0, "the largest numbers");
    ok(gql_pairs_add(&marks, 0x7ffffffe, 0x7fffffff, 3, &before)
       && before == 0, "are not those turned round");

    news = 0;

    for (a = 1; a <= 300; a++) {
        for (b = 1; b <= 300; b++) {
            news += gql_pairs_add(&marks, a, b, 2, &before) && before == 0;
        }
    }

    is_int(news, 90000, "many pairs");

    for (a = 1; a <= 300; a++) {
        for (b = 1; b <= 300; b++) {
            news -= gql_pairs_add(&marks, a, b, 1, &before) && before == 2;
        }
    }

    is_int(news, 0, "are all there");
    is_int(marks.count, 90003, "once each");

    prompt_arena_destroy(arena);
}


static void
memory(void)
{
    unsigned         i, before;
    gql_memo_t       memo;
    gql_pairs_t      marks;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(16 * 1024);

    gql_memo_init(&memo, arena);
    gql_pairs_init(&marks, arena);

    for (i = 0; i < 100000; i++) {
        if (!gql_memo_put(&memo, i, 1)) {
            break;
        }
    }

    ok(i > 0 && i < 100000, "a memo tells when memory gives out");
    is_int(gql_memo_get(&memo, i - 1), 1, "and is as before");

    for (i = 0; i < 100000; i++) {
        if (!gql_pairs_add(&marks, i, i, 1, &before)) {
            break;
        }
    }

    ok(i < 100000, "so do pairs");

    prompt_arena_destroy(arena);
}


int
main(void)
{
    memos();
    pairs();
    memory();

    return done_testing();
}
