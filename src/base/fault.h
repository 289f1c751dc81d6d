/*
 * Fault: what is wrong with something that a user sent, for BAD_USER_INPUT.
 *
 * Every check of this layer returns a prompt_check_t; only where that is
 * PROMPT_CHECK_FAULT, *fault is filled.  All it points to lives in the arena
 * that the check was given, in what was checked, or for ever.
 */

#ifndef PROMPT_BASE_FAULT_H
#define PROMPT_BASE_FAULT_H

#include "base/json.h"


typedef enum {
    PROMPT_CHECK_OK = 0,
    PROMPT_CHECK_FAULT,              /* the user's: see *fault */
    PROMPT_CHECK_NOMEM               /* memory, or the arena's limit */
} prompt_check_t;


typedef struct {
    prompt_str_t          field;     /* extensions.field; never absent */
    prompt_str_t          message;
    const prompt_json_t  *violations;  /* extensions.violations, an ARRAY of
                                        {field, keyword, message}; or NULL */
} prompt_fault_t;


/*
 * Fills *fault, without violations; the message as by printf, cut where it is
 * beyond 1,000 bytes.  field must live long enough.  Returns
 * PROMPT_CHECK_FAULT, or PROMPT_CHECK_NOMEM.
 */
prompt_check_t prompt_fault_set(prompt_arena_t *arena, prompt_fault_t *fault,
    prompt_str_t field, const char *format, ...)
    __attribute__((format(printf, 4, 5))) PROMPT_WARN_UNUSED;

/*
 * The beginning of a name that somebody chose, for a message: at most 64
 * characters, "…" where more follow.  Absent when memory is short.
 */
prompt_str_t prompt_fault_excerpt(prompt_arena_t *arena, prompt_str_t text)
    PROMPT_WARN_UNUSED;

#endif /* PROMPT_BASE_FAULT_H */
