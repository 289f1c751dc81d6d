/*
 * Regular expressions in linear time.
 *
 * JSON Schema's `pattern` is ECMA-262's, which is commonly run by
 * backtracking, and then takes exponential time where a sender wants it to.
 * This one runs all alternatives side by side: time is the length of the text
 * times the size of the expression.  What cannot be done so (back references,
 * look-around) is refused when the expression is compiled.
 *
 * Supported, with the flag "u" of ECMA-262: ., [...], [^...], |, (...),
 * (?:...), *, +, ?, {n}, {n,}, {n,m} (and the same with ?, which makes no
 * difference where only a match is asked for), ^, $, \b, \B, \d, \D, \w, \W,
 * \s, \S, \t, \n, \v, \f, \r, \0, \cX, \xHH, \uHHHH, \u{H...}, \ before a
 * punctuation character, and \p{...}, \P{...} for all properties of ECMA-262:
 * general categories, Script=, Script_Extensions=, and the binary ones.
 */

#ifndef PROMPT_REGEX_REGEX_H
#define PROMPT_REGEX_REGEX_H

#include "base/arena.h"


typedef struct prompt_regex_s         prompt_regex_t;
typedef struct prompt_regex_ranges_s  prompt_regex_ranges_t;

typedef enum {
    PROMPT_REGEX_OK = 0,
    PROMPT_REGEX_SYNTAX,             /* no regular expression */
    PROMPT_REGEX_UNSUPPORTED,        /* one, but not for us */
    PROMPT_REGEX_TOO_LARGE,
    PROMPT_REGEX_NOMEM
} prompt_regex_status_t;


/* what expressions that are compiled together share; zeroed but for these: */
typedef struct {
    prompt_arena_t          *arena;
    unsigned                 room;       /* instructions that are left, and
                                            what brackets list */

    prompt_regex_ranges_t  **properties; /* those that were asked for */
} prompt_regex_context_t;


/*
 * Compiles pattern (UTF-8) into the context's arena, and takes from its room.
 * Where the status is not OK, *message says why, in static text.  The context
 * must live no longer than that; the arena must live as long as the regex.
 */
prompt_regex_status_t prompt_regex_compile(prompt_regex_context_t *context,
    prompt_str_t pattern, prompt_regex_t **regex, const char **message)
    PROMPT_WARN_UNUSED;

/*
 * Whether pattern is a regular expression of ECMA-262, those that cannot be
 * compiled here included: OK, SYNTAX, NOMEM, or TOO_LARGE where it is too long
 * to tell.
 */
prompt_regex_status_t prompt_regex_check(prompt_str_t pattern)
    PROMPT_WARN_UNUSED;

/*
 * Whether the expression matches anywhere in text.  Takes from *steps what it
 * took; where that comes to 0, the result is false and means nothing.
 * Allocates nothing.  Not for two matches at a time: the regex has the room.
 */
bool prompt_regex_match(prompt_regex_t *regex, prompt_str_t text,
    unsigned *steps);

#endif /* PROMPT_REGEX_REGEX_H */
