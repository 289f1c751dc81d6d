/*
 * Fuzz target: input schemas.  The first line is a schema, the rest an input.
 * A schema that was accepted never has a fault when it is used.
 */

#include "jsonschema/schema.h"
#include "prompt/schema.h"

#include <stdlib.h>


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t                n;
    const char           *text, *end;
    prompt_json_t        *schema, *input;
    prompt_check_t        rc;
    prompt_fault_t        fault;
    prompt_arena_t       *arena;
    prompt_json_error_t   error;

    text = (const char *) data;
    end = size != 0 ? memchr(text, '\n', size) : NULL;
    arena = prompt_arena_create(64 * 1024 * 1024);

    if (arena == NULL || end == NULL) {
        prompt_arena_destroy(arena);
        return 0;
    }

    n = (size_t) (end - text);
    schema = prompt_json_read(arena, prompt_str_of(text, n), 64, &error);
    input = prompt_json_read(arena, prompt_str_of(end + 1, size - n - 1), 64,
                             &error);

    if (schema != NULL) {
        rc = prompt_schema_check(arena, schema, prompt_str("inputSchema"),
                                 &fault);

        if (rc == PROMPT_CHECK_FAULT
            && (fault.field.data == NULL || fault.message.len == 0))
        {
            abort();
        }

        if (rc == PROMPT_CHECK_OK && input != NULL) {
            rc = prompt_input_schema_validate(arena, schema, input, &fault);

            if (rc == PROMPT_CHECK_FAULT
                && (fault.field.len == 0 || fault.message.len == 0
                    || (fault.violations != NULL
                        && (fault.violations->count == 0
                            || fault.violations->count
                               > PROMPT_JSONSCHEMA_MAX_VIOLATIONS))))
            {
                abort();
            }
        }
    }

    prompt_arena_destroy(arena);

    return 0;
}
