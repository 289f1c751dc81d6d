/*
 * JSON tokens, for the readers of this directory alone.
 *
 * All work on the position of a pull reader.  Those that return bool return
 * false at an error, which is then in scan->error.
 */

#ifndef PROMPT_BASE_JSON_IMPL_H
#define PROMPT_BASE_JSON_IMPL_H

#include "base/json.h"


/* The error of the scan, where it has none yet; at: where.  Returns false. */
bool prompt_json_fail(prompt_json_scan_t *scan, const char *at,
    prompt_json_status_t status, const char *message);

/* "unexpected character", or "unexpected end" where there is none */
bool prompt_json_unexpected(prompt_json_scan_t *scan);

/* Passes over white space: inline, since mostly there is none. */
static inline void
prompt_json_lex_space(prompt_json_scan_t *scan)
{
    const char  *p;

    for (p = scan->pos; p < scan->end && *p <= ' '; p++) {
        if (*p != ' ' && *p != '\n' && *p != '\r' && *p != '\t') {
            break;
        }
    }

    scan->pos = p;
}


/*
 * The string whose quote is at the position: what is between the quotes, and
 * whether it contains escapes.  Its form is checked, its surrogates are not.
 */
bool prompt_json_lex_string(prompt_json_scan_t *scan, prompt_str_t *raw,
    bool *escaped);

/*
 * A string that has escapes, decoded into the arena.  raw: from
 * prompt_json_lex_string() on the same scan.
 */
bool prompt_json_decode(prompt_json_scan_t *scan, prompt_arena_t *arena,
    prompt_str_t raw, prompt_str_t *out);

/*
 * What stands at the position and is neither an object nor an array, of the
 * type that it begins like: of a string, as above; of all others, the text.
 */
bool prompt_json_lex_scalar(prompt_json_scan_t *scan, prompt_json_type_t type,
    prompt_str_t *text, bool *escaped);

#endif /* PROMPT_BASE_JSON_IMPL_H */
