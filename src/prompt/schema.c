/*
 * Schemas of inputs and outputs: what the rest of the module asks of them.
 */

#include "prompt/schema.h"

#include "jsonschema/validate.h"
#include "prompt/text.h"


/* of the trees of schema and output, which nobody needs afterwards */
#define PROMPT_OUTPUT_MEMORY  (64 * 1024 * 1024)

#define PROMPT_OUTPUT_LARGE   "is too large to be validated"


prompt_check_t
prompt_schema_check(prompt_arena_t *arena, const prompt_json_t *schema,
    prompt_str_t field, prompt_fault_t *fault)
{
    prompt_jsonschema_t  *compiled;

    if (schema->type != PROMPT_JSON_OBJECT) {
        return prompt_text_fault(arena, field, "must be a JSON object", fault);
    }

    return prompt_jsonschema_compile(arena, schema, field, &compiled, fault);
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


/* Adds "FIELD MESSAGE", cut between characters; false: memory. */
static bool
prompt_output_error(prompt_arena_t *arena, prompt_json_t *errors,
    prompt_str_t field, prompt_str_t message)
{
    prompt_str_t    text;
    prompt_json_t  *error;

    field = prompt_fault_excerpt(arena, field);
    text = prompt_arena_printf(arena, "%.*s %.*s", prompt_str_arg(field),
                               prompt_str_arg(message));

    if (field.data == NULL || text.data == NULL) {
        return false;
    }

    if (text.len > PROMPT_LIMIT_OUTPUT_ERROR) {
        text.len = PROMPT_LIMIT_OUTPUT_ERROR;

        while (((unsigned char) text.data[text.len] & 0xc0) == 0x80) {
            text.len--;
        }
    }

    error = prompt_json_new_string(arena, text);

    if (error != NULL) {
        prompt_json_append(errors, error);
    }

    return error != NULL;
}


/* what is wrong with the whole of it */
static bool
prompt_output_wrong(prompt_arena_t *arena, prompt_json_t *errors,
    const char *message)
{
    return prompt_output_error(arena, errors, prompt_str("output"),
                               prompt_str_from(message));
}


/* Lists what validation found. */
static bool
prompt_output_list(prompt_arena_t *arena, prompt_json_t *errors,
    const prompt_jsonschema_validator_t *validator)
{
    const prompt_json_t  *violation;

    if (validator->stop > PROMPT_JSONSCHEMA_FULL) {
        return prompt_output_wrong(arena, errors, PROMPT_OUTPUT_LARGE);
    }

    violation = validator->violations->first;

    while (violation != NULL && errors->count < PROMPT_LIMIT_OUTPUT_ERRORS) {

        if (!prompt_output_error(arena, errors,
                        prompt_json_get(violation, prompt_str("field"))->text,
                        prompt_json_get(violation,
                                        prompt_str("message"))->text))
        {
            return false;
        }

        violation = violation->next;
    }

    return true;
}


/* the value, as it is answered; absent: memory */
static prompt_str_t
prompt_output_json(prompt_arena_t *arena, const prompt_json_t *value)
{
    prompt_buf_t  buf;
    prompt_str_t  json;

    prompt_buf_init(&buf, 6 * PROMPT_LIMIT_OUTPUT);
    prompt_json_write(&buf, value);

    json = buf.status == PROMPT_BUF_OK
           ? prompt_arena_copy(arena, prompt_buf_view(&buf))
           : prompt_str_absent;

    prompt_buf_free(&buf);

    return json;
}


/* The same with an arena for what is not kept. */
static bool
prompt_output_validate(prompt_arena_t *arena, prompt_arena_t *scratch,
    prompt_str_t schema, prompt_str_t output, prompt_output_t *out,
    prompt_json_t *errors)
{
    prompt_fault_t                 fault;
    prompt_json_t                 *value, *json;
    prompt_json_error_t            error;
    prompt_jsonschema_t           *compiled;
    prompt_jsonschema_validator_t  validator;

    output = prompt_text_mend(scratch, output);
    json = prompt_json_read(scratch, schema, PROMPT_LIMIT_DEPTH, &error);

    if (output.data == NULL || json == NULL
        || prompt_jsonschema_compile(scratch, json, prompt_str("outputSchema"),
                                     &compiled, &fault)
           != PROMPT_CHECK_OK)
    {
        return prompt_output_wrong(arena, errors, "could not be validated");
    }

    value = prompt_json_read_bounded(scratch, output, PROMPT_LIMIT_DEPTH,
                                     PROMPT_LIMIT_OUTPUT_VALUES, &error);
    if (value == NULL) {
        return prompt_output_wrong(arena, errors,
                                   error.status >= PROMPT_JSON_NOMEM
                                   ? PROMPT_OUTPUT_LARGE
                                   : error.status == PROMPT_JSON_DEPTH
                                     ? "is nested too deeply" : "is not JSON");
    }

    out->json = prompt_output_json(arena, value);

    if (out->json.data == NULL) {
        return false;
    }

    return prompt_jsonschema_validate(&validator, scratch, compiled, value,
                                      prompt_str("output"), PROMPT_LIMIT_STEPS)
           || prompt_output_list(arena, errors, &validator);
}


bool
prompt_output_schema_validate(prompt_arena_t *arena, prompt_str_t schema,
    prompt_str_t output, prompt_output_t *out)
{
    bool             done;
    prompt_json_t   *errors;
    prompt_arena_t  *scratch;

    out->json = prompt_str_absent;
    out->errors = errors = prompt_json_new(arena, PROMPT_JSON_ARRAY);

    if (errors == NULL) {
        return false;
    }

    if (output.len > PROMPT_LIMIT_OUTPUT) {
        return prompt_output_wrong(arena, errors, PROMPT_OUTPUT_LARGE);
    }

    scratch = prompt_arena_create(PROMPT_OUTPUT_MEMORY);
    if (scratch == NULL) {
        return false;
    }

    done = prompt_output_validate(arena, scratch, schema, output, out, errors);

    prompt_arena_destroy(scratch);

    return done;
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


/*
 * What a member is read as.  values: so many there may be yet; a string is as
 * long as a request's body may be.
 */
static prompt_check_t
prompt_input_schema_value(prompt_arena_t *arena,
    const prompt_json_t *properties, const prompt_json_t *member,
    uint32_t *values, const prompt_json_t **read)
{
    unsigned             types;
    prompt_json_t       *value;
    prompt_json_scan_t   scan;

    *read = member;
    types = prompt_input_schema_types(prompt_json_get(properties,
                                                      member->name));

    if (member->type != PROMPT_JSON_STRING || types == 0
        || (types & 1U << PROMPT_JSON_STRING))
    {
        return PROMPT_CHECK_OK;
    }

    prompt_json_scan_init(&scan, member->text, PROMPT_LIMIT_DEPTH);
    scan.values = *values;
    value = prompt_json_scan_value(&scan, arena);
    *values = scan.values;

    if (value != NULL && prompt_json_scan_end(&scan)
        && (types & 1U << value->type))
    {
        *read = value;
    }

    return scan.error.status == PROMPT_JSON_NOMEM ? PROMPT_CHECK_NOMEM
           : scan.error.status == PROMPT_JSON_VALUES ? PROMPT_CHECK_FAULT
           : PROMPT_CHECK_OK;
}


prompt_check_t
prompt_input_schema_read(prompt_arena_t *arena, const prompt_json_t *schema,
    const prompt_json_t *input, const prompt_json_t **read,
    prompt_fault_t *fault)
{
    uint32_t              values;
    prompt_json_t        *copy, *value;
    prompt_check_t        rc;
    const prompt_json_t  *properties, *member, *known;

    *read = input;
    values = PROMPT_LIMIT_INPUT_VALUES;
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
        rc = prompt_input_schema_value(arena, properties, member, &values,
                                       &known);

        if (rc == PROMPT_CHECK_FAULT) {
            return prompt_fault_set(arena, fault, prompt_str("input"),
                                    "input must not have more than %d values "
                                    "in strings that are read as JSON",
                                    PROMPT_LIMIT_INPUT_VALUES);
        }

        value = rc == PROMPT_CHECK_OK
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
