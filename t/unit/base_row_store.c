/*
 * The row store: what is read is what was added, what it holds is counted to
 * the byte, the budget is kept, rows are given back from the front.
 */

#include "base/row_store.h"

#include <stdlib.h>

#include "failing_malloc.h"
#include "tap.h"


/* a row of three cells: its number, NULL for some, len bytes of text */
static prompt_row_status_t
add(prompt_row_store_t *store, unsigned number, size_t len)
{
    char                 *text;
    bool                  null;
    prompt_row_status_t   status;

    null = number % 3 == 0;
    status = prompt_row_store_add(store, sizeof(number) + (null ? 0 : 1) + len);

    if (status != PROMPT_ROW_OK) {
        return status;
    }

    text = malloc(len + 1);
    if (text == NULL) {
        abort();
    }

    memset(text, (int) ('a' + number % 26), len + 1);

    prompt_row_store_cell(store, prompt_str_of((char *) &number,
                                               sizeof(number)));
    prompt_row_store_cell(store, null ? prompt_str_absent : prompt_str("x"));
    prompt_row_store_cell(store, prompt_str_of(text, len));
    free(text);

    return PROMPT_ROW_OK;
}


static bool
is_row(prompt_row_store_t *store, unsigned number, size_t len)
{
    size_t        i;
    prompt_str_t  cell;

    cell = prompt_row_store_read(store, number, 0);

    if (cell.len != sizeof(number)
        || memcmp(cell.data, &number, sizeof(number)) != 0)
    {
        return false;
    }

    cell = prompt_row_store_read(store, number, 1);

    if ((cell.data == NULL) != (number % 3 == 0)
        || cell.len != (number % 3 == 0 ? 0 : 1))
    {
        return false;
    }

    cell = prompt_row_store_read(store, number, 2);

    if (cell.data == NULL || cell.len != len) {
        return false;
    }

    for (i = 0; i < len; i++) {
        if (cell.data[i] != (char) ('a' + number % 26)) {
            return false;
        }
    }

    return true;
}


/* rows of all sizes, large ones between small ones */
static size_t
size_of(unsigned number)
{
    switch (number % 1000) {
    case 7:
        return 200000;
    case 8:
        return 65536 - 100 + number / 1000;
    case 500:
        return 0;
    default:
        return number * 7 % 300;
    }
}


static unsigned
count_rows(prompt_row_store_t *store, unsigned from, unsigned to)
{
    unsigned  i, n;

    n = 0;

    for (i = from; i < to; i++) {
        n += is_row(store, i, size_of(i));
    }

    return n;
}


static void
test_rows(void)
{
    size_t                held, before;
    unsigned              i, bad;
    prompt_row_store_t   *store;
    prompt_row_budget_t   budget;

    budget = (prompt_row_budget_t) { 64 << 20, 0 };

    is_int(prompt_row_store_create(&store, 3, &budget), PROMPT_ROW_OK,
           "created");
    is_int(prompt_row_store_count(store), 0, "empty");
    ok(prompt_row_store_read(store, 0, 0).data == NULL, "no row, no cell");

    for (i = 0; i < 20000; i++) {
        if (add(store, i, size_of(i)) != PROMPT_ROW_OK) {
            break;
        }
    }

    is_int(prompt_row_store_count(store), 20000, "20,000 rows");
    is_int(count_rows(store, 0, 20000), 20000, "read front to back");
    ok(prompt_row_store_read(store, 20000, 0).data == NULL, "none behind");
    ok(prompt_row_store_read(store, 1, 3).data == NULL, "no fourth cell");

    bad = 0;

    for (i = 20000; i-- > 0; /* void */) {
        bad += !is_row(store, i, size_of(i));
    }

    is_int(bad, 0, "back to front");

    for (i = 0; i < 20000; i++) {
        bad += !is_row(store, i * 7919 % 20000, size_of(i * 7919 % 20000));
    }

    is_int(bad, 0, "here and there");

    held = budget.held;
    before = 20 * (200000 + 65536) + 20000 * (150 + 17 + 4);
    ok(held < before + before / 8, "compact");

    prompt_row_store_drop(store, 0);
    is_int(budget.held, held, "nothing to drop");

    prompt_row_store_drop(store, 10000);
    ok(budget.held < held * 6 / 10, "half of it dropped");
    is_int(count_rows(store, 10000, 20000), 10000, "the rest is there");
    ok(prompt_row_store_read(store, 0, 0).data == NULL, "the first is not");

    prompt_row_store_drop(store, 20000);
    ok(budget.held < 8192, "all of it dropped");
    ok(prompt_row_store_read(store, 19999, 0).data == NULL, "no row left");

    is_int(add(store, 20000, 5), PROMPT_ROW_OK, "and one more");
    ok(is_row(store, 20000, 5), "is read");

    prompt_row_store_destroy(store);
    prompt_row_store_destroy(NULL);
    is_int(budget.held, 0, "nothing is held in the end");
}


/* who reads a row while others are added behind it */
static void
test_interleaved(void)
{
    unsigned              i, bad;
    prompt_row_store_t   *store;
    prompt_row_budget_t   budget;

    budget = (prompt_row_budget_t) { 1 << 20, 0 };
    bad = 0;

    ok(prompt_row_store_create(&store, 3, &budget) == PROMPT_ROW_OK,
       "created");

    for (i = 0; i < 2000; i++) {
        bad += add(store, i, 60) != PROMPT_ROW_OK;
        bad += !is_row(store, i / 2, 60);
        bad += !is_row(store, i, 60);
    }

    is_int(bad, 0, "read while rows are added");
    prompt_row_store_destroy(store);
}


static void
test_budget(void)
{
    unsigned              i, n;
    prompt_row_status_t   status;
    prompt_row_store_t   *a, *b, *c;
    prompt_row_budget_t   budget;

    budget = (prompt_row_budget_t) { 1 << 20, 0 };

    ok(prompt_row_store_create(&a, 3, &budget) == PROMPT_ROW_OK
       && prompt_row_store_create(&b, 3, &budget) == PROMPT_ROW_OK,
       "two stores, one budget");

    status = PROMPT_ROW_OK;

    for (n = 0; status == PROMPT_ROW_OK; n++) {
        status = add(n % 2 ? a : b, n / 2, 1000);
    }

    is_int(status, PROMPT_ROW_LIMIT, "used up");
    ok(budget.held <= budget.limit, "and kept");
    ok(n > 950, "used well");

    n--;

    for (i = 0; i < n / 2; i++) {
        if (!is_row(a, i, 1000) || !is_row(b, i, 1000)) {
            break;
        }
    }

    is_int(i, n / 2, "what was added before stays");
    is_int(add(a, 0, 2 << 20), PROMPT_ROW_LIMIT, "a row beyond the budget");
    is_int(add(a, 0, (size_t) -1 - 100), PROMPT_ROW_LIMIT,
           "a row beyond everything");

    prompt_row_store_destroy(a);
    prompt_row_store_destroy(b);

    budget = (prompt_row_budget_t) { 10, 0 };
    is_int(prompt_row_store_create(&c, 3, &budget), PROMPT_ROW_LIMIT,
           "no room for a store");
    ok(c == NULL && budget.held == 0, "nor is there one");

    budget = (prompt_row_budget_t) { 1000, 0 };
    ok(prompt_row_store_create(&c, 0, &budget) == PROMPT_ROW_OK
       && prompt_row_store_add(c, 0) == PROMPT_ROW_OK
       && prompt_row_store_add(c, 0) == PROMPT_ROW_OK, "rows without columns");
    is_int(prompt_row_store_count(c), 2, "are counted");
    prompt_row_store_destroy(c);
    is_int(budget.held, 0, "nothing is held in the end");
}


/* each allocation fails in turn, and with it all behind it */
static void
test_memory(void)
{
    unsigned              i, n, at, bad;
    prompt_row_status_t   status;
    prompt_row_store_t   *store;
    prompt_row_budget_t   budget;

    if (!failing_malloc_works()) {
        skip(1, "malloc is not ours");
        return;
    }

    bad = 0;

    for (at = 1; at < 60; at++) {
        budget = (prompt_row_budget_t) { 1 << 20, 0 };
        failing_malloc_reset(at);

        status = prompt_row_store_create(&store, 1, &budget);

        for (n = 0; n < 600 && status == PROMPT_ROW_OK; n++) {
            status = prompt_row_store_add(store, 1000);

            if (status == PROMPT_ROW_OK) {
                prompt_row_store_cell(store, prompt_str("here"));
            }
        }

        bad += (status == PROMPT_ROW_LIMIT);
        n = store != NULL ? prompt_row_store_count(store) : 0;

        for (i = 0; i < n; i++) {
            bad += !prompt_str_eq(prompt_row_store_read(store, i, 0),
                                  prompt_str("here"));
        }

        prompt_row_store_destroy(store);
        bad += (budget.held != 0 || failing_malloc_blocks != 0);
    }

    failing_malloc_reset(0);
    is_int(bad, 0, "each failing allocation");
}


int
main(void)
{
    test_rows();
    test_interleaved();
    test_budget();
    test_memory();

    return done_testing();
}
