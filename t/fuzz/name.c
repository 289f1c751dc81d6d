/*
 * Fuzz target: names.  The result is well-formed, within its limit, and
 * converted to itself; a fork's name is one as well.
 */

#include "prompt/name.h"

#include <stdlib.h>

#include "base/utf8.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_form(prompt_str_t name)
{
    size_t  i;

    if (name.len == 0 || !prompt_utf8_valid(name)
        || prompt_utf8_length(name) > PROMPT_LIMIT_NAME
        || name.data[0] == '-' || name.data[name.len - 1] == '-')
    {
        abort();
    }

    for (i = 1; i < name.len; i++) {
        if (name.data[i] == '-' && name.data[i - 1] == '-') {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prompt_str_t     name, again;
    prompt_fault_t   fault;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(1024 * 1024);

    if (arena != NULL
        && prompt_name(arena, prompt_str_of((const char *) data, size), &name,
                       &fault)
           == PROMPT_CHECK_OK)
    {
        fuzz_form(name);

        if (prompt_name(arena, name, &again, &fault) != PROMPT_CHECK_OK
            || !prompt_str_eq(name, again))
        {
            abort();
        }
    }

    prompt_arena_destroy(arena);

    return 0;
}
