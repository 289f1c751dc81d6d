/*
 * Text and JSON values as users send them: what may be stored.
 */

#ifndef PROMPT_PROMPT_TEXT_H
#define PROMPT_PROMPT_TEXT_H

#include "base/fault.h"
#include "prompt/limits.h"


/*
 * A fault of a field whose message is its name, or the beginning of one that is
 * long, and these words.  An absent field is one that there was no memory for:
 * NOMEM.
 */
prompt_check_t prompt_text_fault(prompt_arena_t *arena, prompt_str_t field,
    const char *words, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * text is UTF-8 without U+0000 and not longer than max, in bytes or in
 * characters.
 */
prompt_check_t prompt_text_bytes(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t field, size_t max, prompt_fault_t *fault) PROMPT_WARN_UNUSED;
prompt_check_t prompt_text_characters(prompt_arena_t *arena,
    prompt_str_t text, prompt_str_t field, size_t max, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;

/*
 * A name that people give things and others read in a list: as above, and one
 * character at least that is to be seen; no control characters, line ends, or
 * marks that change the direction of what stands around.
 */
prompt_check_t prompt_text_label(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t field, size_t max, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/* An e-mail address: as above, with one "@" between what is no space. */
prompt_check_t prompt_text_email(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t field, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * Control characters, line ends and marks of direction, as above; also what
 * is no character (PROMPT_UTF8_INVALID).
 */
bool prompt_text_is_control(uint32_t cp);

/*
 * A JSON value that is to come back as it was sent: nested no deeper than
 * PROMPT_LIMIT_DEPTH, no U+0000, only numbers that can be kept
 * (prompt_json_number_exact()), compact form no longer than max bytes.
 * field: the name of the whole; faults of a part name its path
 * (`params.seed`).  *text is the compact form, in the arena; text may be NULL.
 */
prompt_check_t prompt_text_json(prompt_arena_t *arena,
    const prompt_json_t *value, prompt_str_t field, size_t max,
    prompt_str_t *text, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * Metadata: an object of at most PROMPT_LIMIT_METADATA members, all texts,
 * which are not too long, nor are their names.  field and text as above.
 */
prompt_check_t prompt_text_metadata(prompt_arena_t *arena,
    const prompt_json_t *value, prompt_str_t field, prompt_str_t *text,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * JSON of a provider as it can be read: half surrogates, U+0000 and what is no
 * UTF-8 become U+FFFD.  body itself where there is none of that; absent when
 * memory is short.
 */
prompt_str_t prompt_text_mend(prompt_arena_t *arena, prompt_str_t body);

/*
 * Halves of a character that mending replaced, which may be parts of one: a
 * high surrogate that ends a string, and a low one that begins a string; 0:
 * there is none.  Of several the last one.
 */
void prompt_text_halves(prompt_str_t body, uint32_t *high, uint32_t *low);

#endif /* PROMPT_PROMPT_TEXT_H */
