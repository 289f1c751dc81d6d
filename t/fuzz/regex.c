/*
 * Fuzz target: regular expressions.  The first line is the expression, the
 * rest the text.
 */

#include "regex/regex.h"

#include "base/utf8.h"

#include <stdlib.h>


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t                  n;
    unsigned                steps;
    const char             *text, *end, *message;
    prompt_str_t            pattern, subject;
    prompt_arena_t         *arena;
    prompt_regex_t         *regex;
    prompt_regex_status_t   status, form;
    prompt_regex_context_t  context;

    text = (const char *) data;
    end = size != 0 ? memchr(text, '\n', size) : NULL;
    arena = prompt_arena_create(16 * 1024 * 1024);

    if (arena == NULL || end == NULL) {
        prompt_arena_destroy(arena);
        return 0;
    }

    n = (size_t) (end - text);
    memset(&context, 0, sizeof(context));
    context.arena = arena;
    context.room = 5000;
    steps = 200000;
    pattern = prompt_str_of(text, n);
    subject = prompt_str_of(end + 1, size - n - 1);

    form = prompt_regex_check(pattern);
    status = prompt_regex_compile(&context, pattern, &regex, &message);

    /* what can be compiled has the form; what has none cannot */

    if ((status == PROMPT_REGEX_OK && form == PROMPT_REGEX_SYNTAX)
        || (form == PROMPT_REGEX_OK && status == PROMPT_REGEX_SYNTAX))
    {
        abort();
    }

    if (status == PROMPT_REGEX_OK && prompt_utf8_valid(subject)) {
        (void) prompt_regex_match(regex, subject, &steps);
        (void) prompt_regex_match(regex, subject, &steps);
    }

    prompt_arena_destroy(arena);

    return 0;
}
