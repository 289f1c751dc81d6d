/*
 * Fuzz target: JSON.  What is read is written, read again and equal; passing
 * over it fails where reading it fails.
 */

#include "base/json.h"
#include "json_depth.h"

#include <stdlib.h>


#define ARENA  (32 * 1024 * 1024)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_number(const prompt_json_t *value)
{
    double   d;
    int64_t  n;

    if (value->type == PROMPT_JSON_NUMBER) {
        (void) prompt_json_double(value, &d);
        (void) prompt_json_integer(value, &n);
        (void) prompt_json_number_exact(value);
    }
}


static void
fuzz_round_trip(prompt_arena_t *arena, const prompt_json_t *value)
{
    size_t                 twice, bytes;
    prompt_buf_t           buf;
    prompt_json_t         *again;
    prompt_json_error_t    error;

    prompt_buf_init(&buf, ARENA);
    prompt_json_write(&buf, value);

    again = prompt_json_read(arena, prompt_buf_view(&buf), 64, &error);

    if (again == NULL || !prompt_json_equal(value, again)
        || prompt_json_depth(again) > 64)
    {
        abort();
    }

    fuzz_number(value);
    (void) prompt_json_find_nul(value);

    if (value->type == PROMPT_JSON_ARRAY) {
        (void) !prompt_json_unique(value, &twice, &bytes);
    }

    prompt_buf_free(&buf);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned             line, column;
    prompt_str_t         text;
    prompt_arena_t      *arena;
    prompt_json_t       *value;
    prompt_json_scan_t   scan;
    prompt_json_error_t  error;

    text = prompt_str_of((const char *) data, size);
    arena = prompt_arena_create(ARENA);

    if (arena == NULL) {
        return 0;
    }

    value = prompt_json_read(arena, text, 64, &error);

    prompt_json_scan_init(&scan, text, 64);
    prompt_json_scan_skip(&scan);
    (void) prompt_json_scan_end(&scan);

    /* duplicates and lone surrogates are not looked for in passing over */

    if ((value != NULL && scan.error.status != PROMPT_JSON_OK)
        || (error.status == PROMPT_JSON_SYNTAX
            && scan.error.status == PROMPT_JSON_OK))
    {
        abort();
    }

    prompt_json_position(text, error.offset, &line, &column);

    if (value != NULL) {
        fuzz_round_trip(arena, value);
    }

    prompt_arena_destroy(arena);

    return 0;
}
