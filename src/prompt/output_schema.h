/*
 * Output schemas: what a version wants of what the model says, and whether an
 * output is that.
 */

#ifndef PROMPT_PROMPT_OUTPUT_SCHEMA_H
#define PROMPT_PROMPT_OUTPUT_SCHEMA_H

#include "base/fault.h"
#include "prompt/limits.h"


/* an output that was looked at; all of it in the arena */
typedef struct {
    prompt_str_t          json;      /* its value, compact; absent: it is no
                                        JSON, or was too large */
    const prompt_json_t  *errors;    /* an ARRAY of strings without U+0000, of
                                        PROMPT_LIMIT_OUTPUT_… at most; empty:
                                        it is sound */
} prompt_output_t;


/* As prompt_input_schema_check(), field `outputSchema`. */
prompt_check_t prompt_output_schema_check(prompt_arena_t *arena,
    const prompt_json_t *schema, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * Validates what a model said against a schema that was checked, both JSON
 * text.  Time and memory are bounded: what would take more is an error of the
 * output.  False: memory.
 */
bool prompt_output_schema_validate(prompt_arena_t *arena, prompt_str_t schema,
    prompt_str_t output, prompt_output_t *out) PROMPT_WARN_UNUSED;

#endif /* PROMPT_PROMPT_OUTPUT_SCHEMA_H */
