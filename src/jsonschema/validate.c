/*
 * Validation: applying schemas, and the keywords that apply others to the
 * same value.
 */

#include "jsonschema/validate.h"

#include <stdarg.h>
#include <stdio.h>


/* of the recursion: 64 levels of input, several schemas for each */
#define PROMPT_SCHEMA_MAX_DEPTH  1000


bool
prompt_schema_spend(prompt_schema_validator_t *validator, size_t steps)
{
    if (validator->stop != PROMPT_SCHEMA_GOES_ON) {
        return false;
    }

    if (steps >= validator->steps) {
        validator->steps = 0;
        validator->stop = PROMPT_SCHEMA_NO_STEPS;
        return false;
    }

    validator->steps -= (unsigned) steps;

    return true;
}


/* Appends {field, keyword, message}; false when memory is short. */
static bool
prompt_schema_list(prompt_schema_validator_t *validator, prompt_str_t field,
    prompt_str_t keyword, prompt_str_t message)
{
    prompt_json_t   *violation, *text;
    prompt_arena_t  *arena;

    arena = validator->arena;

    violation = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    if (violation == NULL || field.data == NULL || message.data == NULL) {
        return false;
    }

    text = prompt_json_new_string(arena, field);
    if (text == NULL) {
        return false;
    }

    prompt_json_set(violation, prompt_str("field"), text);

    text = prompt_json_new_string(arena, keyword);
    if (text == NULL) {
        return false;
    }

    prompt_json_set(violation, prompt_str("keyword"), text);

    text = prompt_json_new_string(arena, message);
    if (text == NULL) {
        return false;
    }

    prompt_json_set(violation, prompt_str("message"), text);
    prompt_json_append(validator->violations, violation);

    if (validator->violations->count == 1) {
        validator->field = field;
        validator->message = message;
    }

    return true;
}


bool
prompt_schema_violation(prompt_schema_validator_t *validator,
    const prompt_schema_instance_t *instance, prompt_str_t keyword,
    prompt_str_t field, const char *format, ...)
{
    char     text[500];
    va_list  args;

    if (prompt_schema_ends(validator)) {
        return false;
    }

    va_start(args, format);
    (void) vsnprintf(text, sizeof(text), format, args);
    va_end(args);

    if (field.data == NULL) {
        field = prompt_path_text(validator->arena, instance->path);

        if (field.len == 0 && field.data != NULL) {
            field = prompt_str("input");
        }
    }

    if (!prompt_schema_list(validator, field, keyword,
                            prompt_arena_copy(validator->arena,
                                              prompt_str_from(text))))
    {
        validator->stop = PROMPT_SCHEMA_NO_MEMORY;

    } else if (validator->violations->count == PROMPT_SCHEMA_MAX_VIOLATIONS) {
        validator->stop = PROMPT_SCHEMA_FULL;
    }

    return false;
}


bool
prompt_schema_matches(prompt_schema_validator_t *validator,
    const prompt_schema_t *schema, const prompt_schema_instance_t *instance)
{
    bool  matches;

    validator->silent++;
    matches = prompt_schema_apply(validator, schema, instance,
                                  prompt_str_absent);
    validator->silent--;

    return matches;
}


static bool
prompt_schema_all_of(prompt_schema_validator_t *validator,
    const prompt_schema_rule_t *rule, const prompt_schema_instance_t *instance)
{
    bool    valid;
    size_t  i;

    valid = true;

    for (i = 0; i < rule->value->count; i++) {
        if (!prompt_schema_apply(validator, rule->schemas[i], instance,
                                 rule->value->name))
        {
            valid = false;

            if (prompt_schema_ends(validator)) {
                break;
            }
        }
    }

    return valid;
}


/* how many of the schemas match, counting no further than enough */
static size_t
prompt_schema_count(prompt_schema_validator_t *validator,
    const prompt_schema_rule_t *rule, const prompt_schema_instance_t *instance,
    size_t enough)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < rule->value->count && n < enough; i++) {
        n += prompt_schema_matches(validator, rule->schemas[i], instance);

        if (validator->stop != PROMPT_SCHEMA_GOES_ON) {
            break;
        }
    }

    return n;
}


static bool
prompt_schema_any_of(prompt_schema_validator_t *validator,
    const prompt_schema_rule_t *rule, const prompt_schema_instance_t *instance)
{
    if (prompt_schema_count(validator, rule, instance, 1) == 1) {
        return true;
    }

    return prompt_schema_violation(validator, instance, rule->value->name,
                                   prompt_str_absent, "must match one of the "
                                   "%u schemas of anyOf at least",
                                   (unsigned) rule->value->count);
}


static bool
prompt_schema_one_of(prompt_schema_validator_t *validator,
    const prompt_schema_rule_t *rule, const prompt_schema_instance_t *instance)
{
    size_t  n;

    n = prompt_schema_count(validator, rule, instance, 2);

    if (n == 1) {
        return true;
    }

    return prompt_schema_violation(validator, instance, rule->value->name,
                                   prompt_str_absent, "must match exactly one "
                                   "of the %u schemas of oneOf, and matches "
                                   "%s", (unsigned) rule->value->count,
                                   n == 0 ? "none" : "more");
}


static bool
prompt_schema_not(prompt_schema_validator_t *validator,
    const prompt_schema_rule_t *rule, const prompt_schema_instance_t *instance)
{
    if (!prompt_schema_matches(validator, rule->schema, instance)) {
        return true;
    }

    return prompt_schema_violation(validator, instance, rule->value->name,
                                   prompt_str_absent,
                                   "must not match the schema of not");
}


/* then, or else: stands where its keyword stands, asks what `if` says */
static bool
prompt_schema_branch(prompt_schema_validator_t *validator,
    const prompt_schema_t *schema, const prompt_schema_rule_t *rule,
    const prompt_schema_instance_t *instance)
{
    bool                         matches;
    const prompt_schema_rule_t  *condition;

    condition = prompt_schema_find(schema, PROMPT_SCHEMA_IF);
    if (condition == NULL) {
        return true;
    }

    matches = prompt_schema_matches(validator, condition->schema, instance);

    if (matches != (rule->op == PROMPT_SCHEMA_THEN)) {
        return true;
    }

    return prompt_schema_apply(validator, rule->schema, instance,
                               rule->value->name);
}


static bool
prompt_schema_check(prompt_schema_validator_t *validator,
    const prompt_schema_t *schema, const prompt_schema_rule_t *rule,
    const prompt_schema_instance_t *instance)
{
    switch (rule->op) {

    case PROMPT_SCHEMA_NONE:
    case PROMPT_SCHEMA_IF:           /* asked by then and else */
        return true;

    case PROMPT_SCHEMA_REF:
        return prompt_schema_apply(validator, rule->schema, instance,
                                   rule->value->name);

    case PROMPT_SCHEMA_ALL_OF:
        return prompt_schema_all_of(validator, rule, instance);

    case PROMPT_SCHEMA_ANY_OF:
        return prompt_schema_any_of(validator, rule, instance);

    case PROMPT_SCHEMA_ONE_OF:
        return prompt_schema_one_of(validator, rule, instance);

    case PROMPT_SCHEMA_NOT:
        return prompt_schema_not(validator, rule, instance);

    case PROMPT_SCHEMA_THEN:
    case PROMPT_SCHEMA_ELSE:
        return prompt_schema_branch(validator, schema, rule, instance);

    case PROMPT_SCHEMA_PREFIX_ITEMS:
    case PROMPT_SCHEMA_ITEMS:
    case PROMPT_SCHEMA_ADDITIONAL_ITEMS:
    case PROMPT_SCHEMA_MAX_ITEMS:
    case PROMPT_SCHEMA_MIN_ITEMS:
    case PROMPT_SCHEMA_UNIQUE_ITEMS:
    case PROMPT_SCHEMA_CONTAINS:
    case PROMPT_SCHEMA_MAX_CONTAINS:
    case PROMPT_SCHEMA_MIN_CONTAINS:
        return instance->value->type != PROMPT_JSON_ARRAY
               || prompt_schema_check_array(validator, schema, rule, instance);

    case PROMPT_SCHEMA_MAX_PROPERTIES:
    case PROMPT_SCHEMA_MIN_PROPERTIES:
    case PROMPT_SCHEMA_REQUIRED:
    case PROMPT_SCHEMA_PROPERTIES:
    case PROMPT_SCHEMA_PATTERN_PROPERTIES:
    case PROMPT_SCHEMA_ADDITIONAL_PROPERTIES:
    case PROMPT_SCHEMA_PROPERTY_NAMES:
    case PROMPT_SCHEMA_DEPENDENT_REQUIRED:
    case PROMPT_SCHEMA_DEPENDENT_SCHEMAS:
    case PROMPT_SCHEMA_DEPENDENCY:
        return instance->value->type != PROMPT_JSON_OBJECT
               || prompt_schema_check_object(validator, schema, rule,
                                             instance);

    default:
        return prompt_schema_check_scalar(validator, rule, instance);
    }
}


bool
prompt_schema_apply(prompt_schema_validator_t *validator,
    const prompt_schema_t *schema, const prompt_schema_instance_t *instance,
    prompt_str_t via)
{
    bool                         valid;
    const prompt_schema_rule_t  *rule;

    if (!prompt_schema_spend(validator, 1)) {
        return false;
    }

    if (schema->json->type == PROMPT_JSON_BOOLEAN) {
        return schema->json->boolean
               || prompt_schema_violation(validator, instance, via,
                                          prompt_str_absent,
                                          "is not allowed");
    }

    if (validator->depth == PROMPT_SCHEMA_MAX_DEPTH) {
        validator->stop = PROMPT_SCHEMA_NO_DEPTH;
        return false;
    }

    validator->depth++;
    valid = true;

    for (rule = schema->first; rule != NULL; rule = rule->next) {
        if (!prompt_schema_spend(validator, 1)
            || !prompt_schema_check(validator, schema, rule, instance))
        {
            valid = false;

            if (prompt_schema_ends(validator)) {
                break;
            }
        }
    }

    validator->depth--;

    return valid;
}
