/*
 * Fuzz target: answers of providers.  The first byte chooses the status, and
 * by its highest bit the format.
 */

#include "prompt/provider.h"

#include <stdlib.h>

#include "base/utf8.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static bool
fuzz_count(int64_t count)
{
    return count == PROMPT_USAGE_UNKNOWN
           || (count >= 0 && count <= PROMPT_LIMIT_TOKENS);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned                         status;
    prompt_arena_t                  *arena;
    prompt_provider_answer_t         answer;
    const prompt_provider_format_t  *format;

    static const unsigned  statuses[] = { 200, 200, 200, 429, 500, 400, 0 };

    if (size == 0) {
        return 0;
    }

    arena = prompt_arena_create(64 * 1024 * 1024);
    status = statuses[(data[0] & 0x7f) % (sizeof(statuses)
                                          / sizeof(statuses[0]))];
    format = (data[0] & 0x80) != 0 ? &prompt_provider_anthropic
                                   : &prompt_provider_openai;

    if (arena != NULL
        && prompt_provider_answer(arena, format, status,
                                  prompt_str_of((const char *) data + 1,
                                                size - 1), &answer))
    {
        if (!fuzz_count(answer.usage.in) || !fuzz_count(answer.usage.out)
            || !fuzz_count(answer.usage.cached)
            || answer.usage.cached > answer.usage.in
            || (answer.outcome == PROMPT_PROVIDER_DONE)
               != (answer.output.data != NULL)
            || (answer.output.data != NULL
                && (!prompt_utf8_valid(answer.output)
                    || memchr(answer.output.data, '\0', answer.output.len)
                       != NULL)))
        {
            abort();
        }
    }

    prompt_arena_destroy(arena);

    return 0;
}
