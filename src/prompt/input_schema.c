/*
 * Input schemas: what the rest of the module asks of them.
 */

#include "prompt/input_schema.h"

#include "jsonschema/validate.h"


prompt_check_t
prompt_input_schema_check(prompt_arena_t *arena, const prompt_json_t *schema,
    prompt_fault_t *fault)
{
    prompt_jsonschema_t  *compiled;

    if (schema->type != PROMPT_JSON_OBJECT) {
        return prompt_fault_set(arena, fault, prompt_str("inputSchema"),
                                "inputSchema must be a JSON object");
    }

    return prompt_jsonschema_compile(arena, schema, prompt_str("inputSchema"),
                                     &compiled, fault);
}


/* what validation found, as one fault */
static prompt_check_t
prompt_input_schema_fault(prompt_jsonschema_validator_t *validator,
    prompt_fault_t *fault)
{
    prompt_str_t          field, message, name;
    prompt_check_t        rc;
    const prompt_json_t  *first;

    switch (validator->stop) {

    case PROMPT_JSONSCHEMA_NO_MEMORY:
        return PROMPT_CHECK_NOMEM;

    case PROMPT_JSONSCHEMA_NO_STEPS:
    case PROMPT_JSONSCHEMA_NO_DEPTH:
        return prompt_fault_set(validator->arena, fault, prompt_str("input"),
                                "input is too large to be validated against "
                                "inputSchema");

    default:
        break;
    }

    first = validator->violations->first;
    field = prompt_json_get(first, prompt_str("field"))->text;
    message = prompt_json_get(first, prompt_str("message"))->text;

    name = prompt_fault_excerpt(validator->arena, field);
    if (name.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    rc = prompt_fault_set(validator->arena, fault, field,
                          "input does not match inputSchema: %.*s %.*s",
                          prompt_str_arg(name), prompt_str_arg(message));
    fault->violations = validator->violations;

    return rc;
}


prompt_check_t
prompt_input_schema_validate(prompt_arena_t *arena,
    const prompt_json_t *schema, const prompt_json_t *input,
    prompt_fault_t *fault)
{
    prompt_check_t                 rc;
    prompt_jsonschema_t           *compiled;
    prompt_jsonschema_validator_t  validator;

    if (input->type != PROMPT_JSON_OBJECT) {
        return prompt_fault_set(arena, fault, prompt_str("input"),
                                "input must be a JSON object");
    }

    if (schema == NULL) {
        return PROMPT_CHECK_OK;
    }

    rc = prompt_jsonschema_compile(arena, schema, prompt_str("inputSchema"),
                                   &compiled, fault);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    if (prompt_jsonschema_validate(&validator, arena, compiled, input,
                                   prompt_str("input"), PROMPT_LIMIT_STEPS))
    {
        return PROMPT_CHECK_OK;
    }

    return prompt_input_schema_fault(&validator, fault);
}
