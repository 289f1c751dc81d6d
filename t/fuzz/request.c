/*
 * Fuzz target: a document and its variables, a zero byte between them, all
 * the way through the engine.  Without the JSON around it a document is
 * easier to make than in the target "body".
 */

#include "engine.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_one(size_t memory, prompt_str_t document, prompt_str_t text)
{
    prompt_json_t        *variables;
    prompt_arena_t       *arena;
    prompt_json_error_t   error;

    arena = prompt_arena_create(memory);
    if (arena == NULL) {
        return;
    }

    variables = prompt_json_read(arena, text, 64, &error);

    if (variables != NULL && variables->type != PROMPT_JSON_OBJECT) {
        variables = NULL;
    }

    fuzz_request(arena, document, prompt_str_absent, variables);

    prompt_arena_destroy(arena);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t          n;
    prompt_str_t    document, variables;
    const uint8_t  *zero;

    zero = size != 0 ? memchr(data, '\0', size) : NULL;
    n = zero != NULL ? (size_t) (zero - data) : size;

    document = prompt_str_of((const char *) data, n);
    variables = zero != NULL
                ? prompt_str_of((const char *) zero + 1, size - n - 1)
                : prompt_str("{}");

    /* with much memory, then with little */

    fuzz_one(FUZZ_ARENA, document, variables);
    fuzz_one(1024 + prompt_str_hash(document) % 32768, document, variables);

    return 0;
}
