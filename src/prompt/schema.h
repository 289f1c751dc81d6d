/*
 * Schemas of inputs, and of outputs: what a version wants of what the model
 * says.  JSON Schema 2020-12, or draft-07 where `$schema` names it.
 *
 * Every keyword of the two drafts is either obeyed or refused when the version
 * is created; README.md of src/jsonschema lists which.  Members that are no
 * keywords are annotations.
 */

#ifndef PROMPT_PROMPT_SCHEMA_H
#define PROMPT_PROMPT_SCHEMA_H

#include "base/fault.h"
#include "prompt/limits.h"


/*
 * Checks a schema before it is stored.  Fault: the field that was given, such
 * as `inputSchema`, followed by the path of what is wrong
 * (`inputSchema.properties.a.type`).  Depth and size are the caller's to check
 * (prompt_text_json()).
 */
prompt_check_t prompt_schema_check(prompt_arena_t *arena,
    const prompt_json_t *schema, prompt_str_t field, prompt_fault_t *fault)
    PROMPT_WARN_UNUSED;

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
 * PROMPT_LIMIT_VARIABLES, or what is read more values than
 * PROMPT_LIMIT_INPUT_VALUES.
 */
prompt_check_t prompt_input_schema_read(prompt_arena_t *arena,
    const prompt_json_t *schema, const prompt_json_t *input,
    const prompt_json_t **read, prompt_fault_t *fault) PROMPT_WARN_UNUSED;

/* an output that was looked at; all of it in the arena */
typedef struct {
    prompt_str_t          json;      /* its value, compact; absent: it is no
                                        JSON, or was too large */
    const prompt_json_t  *errors;    /* an ARRAY of strings without U+0000, of
                                        PROMPT_LIMIT_OUTPUT_… at most; empty:
                                        it is sound */
} prompt_output_t;


/*
 * Validates what a model said against a schema that was checked, both JSON
 * text.  Time and memory are bounded: what would take more is an error of the
 * output.  False: memory.
 */
bool prompt_output_schema_validate(prompt_arena_t *arena, prompt_str_t schema,
    prompt_str_t output, prompt_output_t *out) PROMPT_WARN_UNUSED;

#endif /* PROMPT_PROMPT_SCHEMA_H */
