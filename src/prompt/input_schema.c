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


/* the JSON types that a property may have, by the schema: bits */
static unsigned
prompt_input_schema_types(const prompt_json_t *property)
{
    size_t                i;
    unsigned              types;
    const prompt_json_t  *type, *name;

    static const struct {
        prompt_str_t        name;
        prompt_json_type_t  type;
    } known[] = {
        { prompt_str_init("string"), PROMPT_JSON_STRING },
        { prompt_str_init("number"), PROMPT_JSON_NUMBER },
        { prompt_str_init("integer"), PROMPT_JSON_NUMBER },
        { prompt_str_init("boolean"), PROMPT_JSON_BOOLEAN },
        { prompt_str_init("array"), PROMPT_JSON_ARRAY },
        { prompt_str_init("object"), PROMPT_JSON_OBJECT }
    };

    type = prompt_json_get(property, prompt_str("type"));

    if (type == NULL) {
        return 0;
    }

    types = 0;
    name = type->type == PROMPT_JSON_ARRAY ? type->first : type;

    while (name != NULL) {

        for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {

            if (name->type == PROMPT_JSON_STRING
                && prompt_str_eq(name->text, known[i].name))
            {
                types |= 1U << known[i].type;
            }
        }

        name = type->type == PROMPT_JSON_ARRAY ? name->next : NULL;
    }

    return types;
}


/* what a member is read as; NULL: memory */
static const prompt_json_t *
prompt_input_schema_value(prompt_arena_t *arena,
    const prompt_json_t *properties, const prompt_json_t *member)
{
    unsigned              types;
    prompt_json_error_t   error;
    const prompt_json_t  *value;

    types = prompt_input_schema_types(prompt_json_get(properties,
                                                      member->name));

    if (member->type != PROMPT_JSON_STRING || types == 0
        || (types & 1U << PROMPT_JSON_STRING))
    {
        return member;
    }

    value = prompt_json_read(arena, member->text, PROMPT_LIMIT_DEPTH, &error);

    if (value == NULL) {
        return error.status == PROMPT_JSON_NOMEM ? NULL : member;
    }

    return types & 1U << value->type ? value : member;
}


prompt_check_t
prompt_input_schema_read(prompt_arena_t *arena, const prompt_json_t *schema,
    const prompt_json_t *input, const prompt_json_t **read,
    prompt_fault_t *fault)
{
    prompt_json_t        *copy, *value;
    const prompt_json_t  *properties, *member, *known;

    *read = input;
    properties = prompt_json_get(schema, prompt_str("properties"));

    if (properties == NULL || input->type != PROMPT_JSON_OBJECT) {
        return PROMPT_CHECK_OK;
    }

    if (input->count > PROMPT_LIMIT_VARIABLES) {
        return prompt_fault_set(arena, fault, prompt_str("input"),
                                "input must not have more than %d members",
                                PROMPT_LIMIT_VARIABLES);
    }

    copy = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    if (copy == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    for (member = input->first; member != NULL; member = member->next) {
        known = prompt_input_schema_value(arena, properties, member);
        value = known != NULL
                ? prompt_arena_alloc(arena, sizeof(prompt_json_t)) : NULL;

        if (value == NULL) {
            return PROMPT_CHECK_NOMEM;
        }

        *value = *known;
        prompt_json_set(copy, member->name, value);
    }

    *read = copy;

    return PROMPT_CHECK_OK;
}
