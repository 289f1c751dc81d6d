/*
 * Versions that are kept: found by what the prompt says, bounded, alive while
 * somebody holds them, and never more than the rows were.
 */

#include "tap.h"
#include "failing_malloc.h"

#include "store/statement.h"
#include "store/version_cache.h"


#define COLUMNS  5                   /* prompt, version, id, content, schema */
#define ROWS     64


/* rows of this test: cells that are given */
static prompt_str_t  cells[ROWS][COLUMNS];
static char          numbers[ROWS][4];
static unsigned      nrows;

static prompt_statement_t  statement;


static prompt_str_t
cell_of(const prompt_rows_t *rows, unsigned row, unsigned column)
{
    (void) rows;

    return cells[row][column];
}


static prompt_rows_t  rows = { .cell = cell_of };


static prompt_str_t
id_of(unsigned n)
{
    static char  ids[256][PROMPT_UUID_LEN];

    memset(ids[n], (int) n, PROMPT_UUID_LEN);

    return prompt_str_of(ids[n], PROMPT_UUID_LEN);
}


static prompt_record_t
prompt_of(unsigned n, int32_t last_version, int64_t updated_at)
{
    prompt_record_t  prompt;

    memset(&prompt, 0, sizeof(prompt));

    prompt.id = id_of(n);
    prompt.last_version = last_version;
    prompt.updated_at = updated_at;

    return prompt;
}


/* The versions from..to of a prompt, behind the rows that are there. */
static void
add_rows(unsigned prompt, unsigned from, unsigned to, prompt_str_t content)
{
    unsigned  i;

    for (i = from; i <= to; i++, nrows++) {
        numbers[nrows][0] = numbers[nrows][1] = numbers[nrows][2] = 0;
        numbers[nrows][3] = (char) i;

        cells[nrows][0] = id_of(prompt);
        cells[nrows][1] = prompt_str_of(numbers[nrows], 4);
        cells[nrows][2] = id_of(200 + i % 50);
        cells[nrows][3] = content;
        cells[nrows][4] = i % 2 ? prompt_str_absent : prompt_str("{}");
    }

    rows.count = nrows;
}


static prompt_kept_t *
put(prompt_version_cache_t *cache, const prompt_record_t *prompt,
    unsigned first, unsigned count)
{
    return prompt_version_cache_put(cache, prompt, &statement, &rows, first,
                                    count, 1000);
}


static bool
there(prompt_version_cache_t *cache, const prompt_record_t *prompt,
      prompt_mask_t columns, uint64_t now)
{
    prompt_kept_t  *kept;

    kept = prompt_version_cache_find(cache, prompt, &columns, now);
    prompt_kept_release(kept);

    return kept != NULL;
}


static size_t
bytes(const prompt_version_cache_t *cache)
{
    prompt_version_cache_stats_t  stats;

    prompt_version_cache_stats(cache, &stats);

    return stats.bytes;
}


static void
reset(void)
{
    nrows = 0;
    rows.count = 0;

    memset(&statement, 0, sizeof(statement));
    statement.ncolumns = COLUMNS;
    statement.columns = 0x1f;
}


static void
test_find(void)
{
    prompt_mask_t                  columns;
    prompt_kept_t                 *kept;
    prompt_record_t                prompt, other;
    const prompt_rows_t           *found;
    prompt_version_cache_t        *cache;
    prompt_version_cache_stats_t   stats;

    reset();
    add_rows(7, 1, 2, prompt_str("left before"));
    add_rows(1, 1, 3, prompt_str("a \"text\""));

    cache = prompt_version_cache_create(1 << 20);
    prompt = prompt_of(1, 3, 77);

    kept = put(cache, &prompt, 2, 3);
    ok(kept != NULL, "kept");
    prompt_kept_release(kept);

    columns = 0x09;
    kept = prompt_version_cache_find(cache, &prompt, &columns, 1000);

    if (!ok(kept != NULL, "and found")) {
        return;
    }

    is_int(columns, 0x1f, "with the columns that it has");

    found = prompt_kept_rows(kept);

    is_int(found->count, 3, "all of them");
    ok(prompt_kept_statement(kept) == &statement, "as they were read");
    is_str(prompt_rows_cell(found, 0, 3), "a \"text\"", "a text");
    is_int(prompt_cell_int(prompt_rows_cell(found, 2, 1)), 3, "a number");
    is_str(prompt_rows_cell(found, 0, 4), NULL, "SQL NULL");
    is_str(prompt_rows_cell(found, 1, 4), "{}", "and where it is none");
    is_str(prompt_rows_cell(found, 0, 0), NULL, "whose they are is known");
    is_str(prompt_rows_cell(found, 3, 3), NULL, "there are no others");

    /* copies */

    cells[2][3] = prompt_str("changed");
    is_str(prompt_rows_cell(found, 0, 3), "a \"text\"", "a copy");
    prompt_kept_release(kept);

    other = prompt_of(1, 4, 77);
    ok(!there(cache, &other, 1, 1000), "not of a later version");
    other = prompt_of(1, 3, 78);
    ok(!there(cache, &other, 1, 1000), "nor of a changed prompt");
    other = prompt_of(1, 3, 76);
    ok(!there(cache, &other, 1, 1000), "nor of an earlier one");
    other = prompt_of(2, 3, 77);
    ok(!there(cache, &other, 1, 1000), "nor of another");
    other.id = prompt_str("short");
    ok(!there(cache, &other, 1, 1000), "nor of none");
    ok(!there(cache, &prompt, 0x20, 1000), "nor with a column more");
    ok(there(cache, &prompt, 0x1f, 1000 + PROMPT_KEPT_TIME - 1), "in time");
    ok(!there(cache, &prompt, 1, 1000 + PROMPT_KEPT_TIME), "not after it");
    ok(!there(cache, &prompt, 1, 999), "nor where the clock goes back");

    prompt_version_cache_stats(cache, &stats);
    is_int(stats.hits, 2, "hits");
    is_int(stats.misses, 0, "misses are told");
    prompt_version_cache_missed(cache, 5);
    prompt_version_cache_stats(cache, &stats);
    is_int(stats.misses, 5, "by who reads");
    is_int(stats.added, stats.bytes, "bytes");

    prompt_version_cache_clear(cache);
    ok(!there(cache, &prompt, 1, 1000), "nothing is left when it is cleared");
    is_int(bytes(cache), 0, "nor takes memory");

    prompt_version_cache_destroy(cache);
    prompt_version_cache_destroy(NULL);
    prompt_kept_release(NULL);
}


static void
test_put(void)
{
    prompt_kept_t           *kept, *newer;
    prompt_record_t          prompt;
    prompt_version_cache_t  *cache;

    reset();
    add_rows(1, 1, 5, prompt_str("x"));

    cache = prompt_version_cache_create(1 << 20);

    /* later versions than the prompt had when it was read */

    prompt = prompt_of(1, 3, 77);
    kept = put(cache, &prompt, 0, 5);
    ok(kept != NULL && prompt_kept_rows(kept)->count == 3,
       "later ones stay out");
    prompt_kept_release(kept);

    prompt = prompt_of(1, 6, 78);
    ok(put(cache, &prompt, 0, 5) == NULL, "one is missing");
    prompt = prompt_of(1, 3, 78);
    ok(put(cache, &prompt, 1, 4) == NULL, "the first is");
    prompt = prompt_of(1, -1, 78);
    ok(put(cache, &prompt, 0, 5) == NULL, "a count that is none");
    prompt = prompt_of(1, 3, 77);
    ok(there(cache, &prompt, 1, 1000), "what was there stays");

    numbers[1][3] = 9;
    prompt = prompt_of(1, 3, 79);
    ok(put(cache, &prompt, 0, 5) == NULL, "numbers with a gap");
    numbers[1][3] = 2;

    /* the new one takes the place of the old one, which lives on */

    prompt = prompt_of(1, 3, 77);
    kept = put(cache, &prompt, 0, 3);
    prompt = prompt_of(1, 5, 80);
    newer = put(cache, &prompt, 0, 5);

    ok(kept != NULL && newer != NULL && newer != kept, "another one");
    is_int(prompt_kept_rows(kept)->count, 3, "that of before is held");
    is_str(prompt_rows_cell(prompt_kept_rows(kept), 2, 3), "x", "as it was");
    prompt_kept_note(kept, prompt_str("form"), prompt_str("[]"));
    is_str(prompt_kept_text(kept, prompt_str("form")), NULL,
           "what fell out takes no more");
    ok(there(cache, &prompt, 1, 1000), "the new one is found");
    prompt = prompt_of(1, 3, 77);
    ok(!there(cache, &prompt, 1, 1000), "the old one not");

    prompt_kept_release(kept);

    /* none at all */

    prompt = prompt_of(2, 0, 1);
    kept = put(cache, &prompt, 0, 0);
    ok(kept != NULL && prompt_kept_rows(kept)->count == 0, "none");
    prompt_kept_release(kept);

    prompt_version_cache_destroy(cache);
    is_int(prompt_kept_rows(newer)->count, 5, "it outlives the cache");
    prompt_kept_release(newer);
}


static void
test_bounds(void)
{
    size_t                   all;
    unsigned                 n;
    prompt_kept_t           *kept, *first;
    prompt_record_t          prompt, kept_one;
    prompt_version_cache_t  *cache;

    static char  large[PROMPT_KEPT_BYTES];

    memset(large, 'x', sizeof(large));

    reset();
    add_rows(1, 1, 1, prompt_str_of(large, sizeof(large)));
    add_rows(2, 1, 1, prompt_str_of(large, sizeof(large) / 2));

    cache = prompt_version_cache_create(1 << 20);

    prompt = prompt_of(1, 1, 1);
    ok(put(cache, &prompt, 0, 1) == NULL, "too large");
    is_int(bytes(cache), 0, "nothing is kept of it");

    /* the least recently used one goes, whoever holds it */

    kept_one = prompt_of(3, 1, 1);
    cells[1][0] = id_of(3);
    first = put(cache, &kept_one, 1, 1);
    kept = first;
    all = 0;

    for (n = 10; n < 30; n++) {
        prompt = prompt_of(n, 1, 1);
        cells[1][0] = id_of(n);
        prompt_kept_release(put(cache, &prompt, 1, 1));
        all += there(cache, &kept_one, 1, 1000);

        if (bytes(cache) > 1 << 20) {
            kept = NULL;
        }
    }

    ok(kept != NULL, "never more than allowed");
    is_int(all, 20, "what is used stays");
    prompt = prompt_of(29, 1, 1);
    ok(there(cache, &prompt, 1, 1000), "so does the latest");
    prompt = prompt_of(10, 1, 1);
    ok(!there(cache, &prompt, 1, 1000), "the first one went");

    for (n = 30; n < 40; n++) {
        prompt = prompt_of(n, 1, 1);
        cells[1][0] = id_of(n);
        prompt_kept_release(put(cache, &prompt, 1, 1));
    }

    ok(!there(cache, &kept_one, 1, 1000), "what is not used goes");
    is_int(prompt_rows_cell(prompt_kept_rows(first), 0, 3).len,
           sizeof(large) / 2, "and lives on where it is held");
    prompt_kept_release(first);

    prompt_version_cache_destroy(cache);
}


static void
test_texts(void)
{
    char                     name[16];
    size_t                   before;
    unsigned                 i;
    prompt_kept_t           *kept;
    prompt_record_t          prompt;
    prompt_version_cache_t  *cache;

    static char  large[PROMPT_KEPT_BYTES_ALL];

    memset(large, 'x', sizeof(large));

    reset();
    add_rows(1, 1, 2, prompt_str("x"));

    cache = prompt_version_cache_create(1 << 20);
    prompt = prompt_of(1, 2, 1);
    kept = put(cache, &prompt, 0, 2);
    before = bytes(cache);

    is_str(prompt_kept_text(kept, prompt_str("a")), NULL, "no text yet");

    prompt_kept_note(kept, prompt_str("a"), prompt_str("[1]"));
    prompt_kept_note(kept, prompt_str("a"), prompt_str("[2]"));
    prompt_kept_note(kept, prompt_str(""), prompt_str("[3]"));

    is_str(prompt_kept_text(kept, prompt_str("a")), "[1]", "a text");
    is_str(prompt_kept_text(kept, prompt_str("")), "[3]", "another form");
    is_str(prompt_kept_text(kept, prompt_str("ab")), NULL, "not this one");
    ok(bytes(cache) > before + 4, "texts are counted");

    prompt_kept_note(kept, prompt_str("large"),
                     prompt_str_of(large, sizeof(large)));
    is_str(prompt_kept_text(kept, prompt_str("large")), NULL, "too large");
    prompt_kept_note(kept, prompt_str_of(large, PROMPT_KEPT_FORM + 1),
                     prompt_str("[]"));
    is_str(prompt_kept_text(kept, prompt_str_of(large, PROMPT_KEPT_FORM + 1)),
           NULL, "too large a form");

    for (i = 0; i < 2 * PROMPT_KEPT_TEXTS; i++) {
        snprintf(name, sizeof(name), "n%u", i);
        prompt_kept_note(kept, prompt_str_from(name), prompt_str("[]"));
    }

    is_str(prompt_kept_text(kept, prompt_str("n0")), "[]", "so many");
    is_str(prompt_kept_text(kept, prompt_str("n7")), NULL, "and no more");

    prompt_kept_release(kept);

    /* by texts alone something may have to go */

    for (i = 10; i < 14; i++) {
        prompt = prompt_of(i, 2, 1);
        cells[0][0] = cells[1][0] = id_of(i);
        kept = put(cache, &prompt, 0, 2);
        prompt_kept_note(kept, prompt_str("a"),
                         prompt_str_of(large, PROMPT_KEPT_BYTES));
        ok(bytes(cache) <= 1 << 20, "texts are bounded");
        prompt_kept_release(kept);
    }

    prompt_version_cache_destroy(cache);
}


static void
test_questions(void)
{
    uint64_t                 key;
    unsigned                 wrong;
    prompt_version_cache_t  *cache;

    cache = prompt_version_cache_create(1 << 20);
    wrong = 0;

    is_int(prompt_version_cache_state(cache, 12345), PROMPT_KEPT_UNKNOWN,
           "nothing is known");
    prompt_version_cache_know(cache, 12345, PROMPT_KEPT_ASKED);
    is_int(prompt_version_cache_state(cache, 12345), PROMPT_KEPT_ASKED,
           "asked");
    prompt_version_cache_know(cache, 12345, PROMPT_KEPT_ALL);
    is_int(prompt_version_cache_state(cache, 12345), PROMPT_KEPT_ALL, "kept");
    is_int(prompt_version_cache_state(cache, 99999), PROMPT_KEPT_UNKNOWN,
           "of another key");
    prompt_version_cache_know(cache, 12345, PROMPT_KEPT_UNKNOWN);
    is_int(prompt_version_cache_state(cache, 12345), PROMPT_KEPT_UNKNOWN,
           "not any more");

    for (key = 0; key < 100000; key++) {
        prompt_version_cache_know(cache, prompt_hash_mix(key), PROMPT_KEPT_ALL);
        wrong += prompt_version_cache_state(cache, prompt_hash_mix(key))
                 != PROMPT_KEPT_ALL;
    }

    is_int(wrong, 0, "the last one is always known");

    prompt_version_cache_destroy(cache);
}


static void
test_memory(void)
{
    unsigned long            at;
    prompt_kept_t           *kept;
    prompt_record_t          prompt;
    prompt_version_cache_t  *cache;

    if (!failing_malloc_works()) {
        skip(1, "malloc is not ours");
        return;
    }

    reset();
    add_rows(1, 1, 3, prompt_str("x"));
    prompt = prompt_of(1, 3, 1);
    at = 0;

    do {
        failing_malloc_reset(++at);
        cache = prompt_version_cache_create(1 << 20);

        if (cache != NULL) {
            kept = put(cache, &prompt, 0, 3);

            if (kept != NULL) {
                prompt_kept_note(kept, prompt_str("a"), prompt_str("[]"));
            }

            prompt_kept_release(kept);
            prompt_version_cache_destroy(cache);
        }

    } while (failing_malloc_blocks == 0 && failing_malloc_count >= at);

    at = failing_malloc_blocks == 0 ? at : 0;
    failing_malloc_reset(0);

    ok(at > 4, "each allocation fails once, nothing is lost");
}


int
main(void)
{
    test_find();
    test_put();
    test_bounds();
    test_texts();
    test_questions();
    test_memory();

    return done_testing();
}
