/*
 * Properties of characters, as \p{...} names them (ECMA-262, 22.2.1.1).
 */

#ifndef PROMPT_REGEX_PROPERTY_H
#define PROMPT_REGEX_PROPERTY_H

#include "regex/regex.h"


typedef struct {
    uint32_t  first;
    uint32_t  next;                  /* the first one behind it */
} prompt_regex_range_t;


/* a property: its characters, in order, and none of them twice */
struct prompt_regex_ranges_s {
    uint32_t              count;
    prompt_regex_range_t  ranges[];
};


/* The number of the property that text names within the braces; -1: none. */
int prompt_regex_property(prompt_str_t text);

/*
 * The characters of that property, read when the context first asks for them;
 * NULL: memory is short.
 */
const prompt_regex_ranges_t *prompt_regex_property_ranges(
    prompt_regex_context_t *context, int number);

/* whether the character is one of them; in log n steps */
bool prompt_regex_in_ranges(const prompt_regex_ranges_t *ranges, uint32_t cp);

#endif /* PROMPT_REGEX_PROPERTY_H */
