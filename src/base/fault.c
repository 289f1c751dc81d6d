/*
 * Faults: putting into words what is wrong.
 */

#include "base/fault.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>


#define PROMPT_FAULT_MESSAGE_MAX  1000
#define PROMPT_FAULT_EXCERPT_MAX  64


prompt_check_t
prompt_fault_set(prompt_arena_t *arena, prompt_fault_t *fault,
    prompt_str_t field, const char *format, ...)
{
    int      n;
    char     text[PROMPT_FAULT_MESSAGE_MAX + 1];
    size_t   len;
    va_list  args;

    va_start(args, format);
    n = vsnprintf(text, sizeof(text), format, args);
    va_end(args);

    if (n < 0) {
        return PROMPT_CHECK_NOMEM;
    }

    len = (size_t) n;

    if (len > PROMPT_FAULT_MESSAGE_MAX) {
        len = prompt_utf8_whole(text, PROMPT_FAULT_MESSAGE_MAX);
    }

    fault->field = field;
    fault->message = prompt_arena_copy(arena, prompt_str_of(text, len));
    fault->violations = NULL;

    return fault->message.data != NULL ? PROMPT_CHECK_FAULT
                                       : PROMPT_CHECK_NOMEM;
}


prompt_str_t
prompt_fault_excerpt(prompt_arena_t *arena, prompt_str_t text)
{
    size_t       n;
    const char  *p, *end;

    if (text.len == 0) {
        return prompt_str("");
    }

    p = text.data;
    end = p + text.len;

    for (n = 0; p < end && n < PROMPT_FAULT_EXCERPT_MAX; n++) {
        (void) prompt_utf8_next(&p, end);
    }

    if (p == end) {
        return text;
    }

    return prompt_arena_printf(arena, "%.*s…", (int) (p - text.data),
                               text.data);
}
