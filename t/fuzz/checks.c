/*
 * Fuzz target: checks of datasets.  The first line is the checks, the second
 * what an item expects, the rest the output.  Checks that were accepted never
 * have a fault when they are used.
 */

#include "prompt/checks.h"
#include "prompt/text.h"

#include "base/utf8.h"

#include <stdlib.h>


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
checks_score(prompt_arena_t *arena, const prompt_json_t *value,
    prompt_str_t expected, prompt_str_t output)
{
    uint32_t          i;
    prompt_fault_t    fault;
    prompt_score_t    first;
    prompt_check_t    rc;
    prompt_checks_t   checks;
    prompt_checked_t  of;

    rc = prompt_checks_compile(arena, value, &checks, &fault);

    if (rc == PROMPT_CHECK_FAULT
        && (fault.field.len == 0 || fault.message.len == 0))
    {
        abort();
    }

    if (rc != PROMPT_CHECK_OK) {
        return;
    }

    if (checks.count > PROMPT_LIMIT_CHECKS) {
        abort();
    }

    memset(&of, 0, sizeof(prompt_checked_t));

    of.arena = arena;
    of.output = output;
    of.expected = expected;
    of.cost_usd = prompt_str("0.01");
    of.latency_ms = 100;

    for (i = 0; i < checks.count; i++) {
        first = prompt_checks_score(&checks.list[i], &of);

        if (first != prompt_checks_score(&checks.list[i], &of)
            && first != PROMPT_SCORE_NOMEM)
        {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char           *text, *end, *second, *third;
    prompt_json_t        *value;
    prompt_fault_t        fault;
    prompt_arena_t       *arena;
    prompt_json_error_t   error;

    text = (const char *) data;
    end = text + size;
    second = size != 0 ? memchr(text, '\n', size) : NULL;
    third = second != NULL
            ? memchr(second + 1, '\n', (size_t) (end - second - 1)) : NULL;
    arena = prompt_arena_create(64 * 1024 * 1024);

    if (arena != NULL && third != NULL
        && prompt_utf8_valid(prompt_str_of(text, size)))
    {
        value = prompt_json_read(arena,
                                 prompt_str_of(text, (size_t) (second - text)),
                                 64, &error);

        if (value != NULL
            && prompt_text_json(arena, value, prompt_str("checks"),
                                PROMPT_LIMIT_CHECKS_JSON, NULL, &fault)
               == PROMPT_CHECK_OK)
        {
            checks_score(arena, value,
                         prompt_str_of(second + 1,
                                       (size_t) (third - second - 1)),
                         prompt_str_of(third + 1, (size_t) (end - third - 1)));
        }
    }

    prompt_arena_destroy(arena);

    return 0;
}
