/*
 * Fuzz target: templates.  The first line is the input, JSON; then a line
 * with the schema, which may be empty; the rest is the template.  What was
 * accepted at creation is rendered without a fault of the template's form.
 */

#include "prompt/template.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "prompt/schema.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static prompt_str_t
fuzz_line(prompt_str_t *text)
{
    const char    *end;
    prompt_str_t   line;

    line = *text;
    end = text->len != 0 ? memchr(text->data, '\n', text->len) : NULL;

    if (end != NULL) {
        line.len = (size_t) (end - text->data);
        text->data += line.len + 1;
        text->len -= line.len + 1;

    } else {
        text->len = 0;
    }

    return line;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prompt_str_t               content;
    prompt_buf_t               out;
    prompt_json_t             *input, *schema;
    prompt_check_t             rc;
    prompt_fault_t             fault;
    prompt_arena_t            *arena;
    prompt_json_error_t        error;
    prompt_template_render_t   render;

    arena = prompt_arena_create(32 * 1024 * 1024);

    if (arena == NULL) {
        return 0;
    }

    content = prompt_str_of((const char *) data, size);
    input = prompt_json_read(arena, fuzz_line(&content), 64, &error);
    schema = prompt_json_read(arena, fuzz_line(&content), 64, &error);

    if (input == NULL || input->type != PROMPT_JSON_OBJECT) {
        input = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    }

    if (schema != NULL
        && prompt_schema_check(arena, schema, prompt_str("inputSchema"), &fault)
           != PROMPT_CHECK_OK)
    {
        schema = NULL;
    }

    prompt_buf_init(&out, 65536);

    if (input != NULL
        && prompt_template_check(arena, content, prompt_str("content"),
                                 &fault) == PROMPT_CHECK_OK)
    {
        prompt_template_begin(&render, arena, input, schema, &out, &fault);
        rc = prompt_template_add(&render, content);

        if ((rc == PROMPT_CHECK_FAULT
             && prompt_str_eq(fault.field, prompt_str("content"))
             && prompt_json_get(input, prompt_str("content")) != NULL)
            || (rc == PROMPT_CHECK_OK
                && !prompt_utf8_valid(prompt_buf_view(&out))))
        {
            abort();
        }
    }

    prompt_buf_free(&out);
    prompt_arena_destroy(arena);

    return 0;
}
