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

/* Passes over white space. */
void prompt_json_lex_space(prompt_json_scan_t *scan);

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

/* The number at the position. */
bool prompt_json_lex_number(prompt_json_scan_t *scan, prompt_str_t *text);

/* word: true, false or null */
bool prompt_json_lex_word(prompt_json_scan_t *scan, prompt_str_t word);

#endif /* PROMPT_BASE_JSON_IMPL_H */
