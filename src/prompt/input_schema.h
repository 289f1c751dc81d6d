/*
 * Input schemas: JSON Schema 2020-12, or draft-07 where `$schema` names it.
 *
 * Every keyword of the two drafts is either obeyed or refused when the version
 * is created; README.md of src/jsonschema lists which.  Members that are no
 * keywords are annotations.
 */

#ifndef PROMPT_PROMPT_INPUT_SCHEMA_H
#define PROMPT_PROMPT_INPUT_SCHEMA_H

#include "base/fault.h"
#include "prompt/limits.h"


/*
 * Checks a schema before it is stored.  Fault: the field is `inputSchema`
 * followed by the path of what is wrong (`inputSchema.properties.a.type`).
 * Depth and size are the caller's to check (prompt_text_json()).
 */
prompt_check_t prompt_input_schema_check(prompt_arena_t *arena,
    const prompt_json_t *schema, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * Validates the input of an execution; schema may be NULL.  Fault: for an
 * input that is no object, field `input`; else the first violation in the
 * order of the schema's text, depth first: for `required` the missing
 * property's own name, else the path of the value, dotted (`tags.2`), `input`
 * for the whole.  violations lists all of them, at most 20.
 * Work is limited to PROMPT_LIMIT_STEPS; beyond, a fault, field `input`.
 */
prompt_check_t prompt_input_schema_validate(prompt_arena_t *arena,
    const prompt_json_t *schema, const prompt_json_t *input,
    prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/*
 * Reads texts: where the schema (NULL: none) wants a property to be a number,
 * a boolean, an array or an object, and no string, and the input has a string
 * there that is JSON of that type, *read has the value.  Everything else is
 * shared with input.  Fault, field `input`: it has more members than
 * PROMPT_LIMIT_VARIABLES.
 */
prompt_check_t prompt_input_schema_read(prompt_arena_t *arena,
    const prompt_json_t *schema, const prompt_json_t *input,
    const prompt_json_t **read, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

#endif /* PROMPT_PROMPT_INPUT_SCHEMA_H */
