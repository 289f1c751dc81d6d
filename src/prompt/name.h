/*
 * Names of prompts: kebab-case.  Labels of their versions.
 */

#ifndef PROMPT_PROMPT_NAME_H
#define PROMPT_PROMPT_NAME_H

#include "base/fault.h"
#include "prompt/limits.h"


/*
 * The name that `given` is converted to, in the arena.  A hyphen stands
 *
 *   - for every run of characters that are neither letters nor digits, nor
 *     combining marks behind a letter,
 *   - between a lower-case letter or digit and an upper-case letter,
 *   - before the last capital of a run that a lower-case letter follows,
 *
 * but none in front, behind, or beside another; letters are lower-cased.
 * Fault, field `name`: nothing left, or more than 128 characters.
 */
prompt_check_t prompt_name(prompt_arena_t *arena, prompt_str_t given,
    prompt_str_t *name, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * Whether a label may be set.  Fault, field `label`: it is not 1 to 64 of a-z,
 * 0-9, ".", "_" and "-", or begins with none of the former two, or is the one
 * that always means the latest version.
 */
prompt_check_t prompt_label(prompt_arena_t *arena, prompt_str_t label,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/* the label that means the latest version */
bool prompt_label_is_latest(prompt_str_t label);

#endif /* PROMPT_PROMPT_NAME_H */
