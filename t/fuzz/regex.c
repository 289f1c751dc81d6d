/*
 * Fuzz target: regular expressions.  The first line is the expression, the
 * rest the text.
 */

#include "regex/regex.h"

#include "base/utf8.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t            n;
    unsigned          room, steps;
    const char       *text, *end, *message;
    prompt_str_t      subject;
    prompt_arena_t   *arena;
    prompt_regex_t   *regex;

    text = (const char *) data;
    end = size != 0 ? memchr(text, '\n', size) : NULL;
    arena = prompt_arena_create(16 * 1024 * 1024);

    if (arena == NULL || end == NULL) {
        prompt_arena_destroy(arena);
        return 0;
    }

    n = (size_t) (end - text);
    room = 5000;
    steps = 200000;
    subject = prompt_str_of(end + 1, size - n - 1);

    if (prompt_regex_compile(arena, prompt_str_of(text, n), &room, &regex,
                             &message)
        == PROMPT_REGEX_OK
        && prompt_utf8_valid(subject))
    {
        (void) prompt_regex_match(regex, subject, &steps);
        (void) prompt_regex_match(regex, subject, &steps);
    }

    prompt_arena_destroy(arena);

    return 0;
}
