/*
 * Validation: keywords for values of any type, numbers and strings
 * (JSON Schema 2020-12 validation, 6.1 to 6.3).
 */

#include "jsonschema/validate.h"

#include "base/utf8.h"


static unsigned
prompt_jsonschema_types_of(const prompt_json_t *value)
{
    unsigned          types;
    prompt_decimal_t  number;

    types = prompt_jsonschema_type_bit(value->type);

    if (value->type == PROMPT_JSON_NUMBER
        && prompt_decimal_parse(value->text, &number)
        && prompt_decimal_is_integer(&number))
    {
        types |= PROMPT_JSONSCHEMA_TYPE_INTEGER;
    }

    return types;
}


static bool
prompt_jsonschema_check_type(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    unsigned      bit, rest;
    prompt_buf_t  names;

    if ((rule->of.types & prompt_jsonschema_types_of(instance->value)) != 0) {
        return true;
    }

    prompt_buf_init(&names, 200);
    rest = rule->of.types;

    while (rest != 0) {
        bit = rest & -rest;
        rest ^= bit;

        if (names.len != 0) {
            prompt_buf_str(&names, rest == 0 ? prompt_str(" or ")
                                             : prompt_str(", "));
        }

        prompt_buf_str(&names, prompt_jsonschema_type_name(bit));
    }

    (void) prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent,
                                       "must be of type %.*s",
                                       prompt_str_arg(prompt_buf_view(&names)));
    prompt_buf_free(&names);

    return false;
}


static bool
prompt_jsonschema_check_enum(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    const prompt_json_t  *allowed;

    /* comparing takes no more than the smaller value has */

    if (!prompt_jsonschema_spend(validator, rule->count)) {
        return false;
    }

    if (rule->op == PROMPT_JSONSCHEMA_CONST) {
        return prompt_json_equal(instance->value, rule->value)
               || prompt_jsonschema_violation(validator, instance,
                                              rule->value->name,
                                              prompt_str_absent,
                                              "must be the one allowed value");
    }

    for (allowed = rule->value->first; allowed != NULL; allowed = allowed->next)
    {
        if (prompt_json_equal(instance->value, allowed)) {
            return true;
        }
    }

    return prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent,
                                       "must be one of the allowed values");
}


static bool
prompt_jsonschema_check_number(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    int               order;
    bool              valid;
    const char       *words;
    prompt_str_t      limit;
    prompt_decimal_t  number;

    if (instance->value->type != PROMPT_JSON_NUMBER
        || !prompt_decimal_parse(instance->value->text, &number))
    {
        return true;
    }

    if (!prompt_jsonschema_spend(validator, (number.span + rule->of.number.span)
                                            / 64))
    {
        return false;
    }

    order = prompt_decimal_cmp(&number, &rule->of.number);

    switch (rule->op) {

    case PROMPT_JSONSCHEMA_MAXIMUM:
        valid = order <= 0;
        words = "must not be above";
        break;

    case PROMPT_JSONSCHEMA_EXCLUSIVE_MAXIMUM:
        valid = order < 0;
        words = "must be below";
        break;

    case PROMPT_JSONSCHEMA_MINIMUM:
        valid = order >= 0;
        words = "must not be below";
        break;

    case PROMPT_JSONSCHEMA_EXCLUSIVE_MINIMUM:
        valid = order > 0;
        words = "must be above";
        break;

    default: /* PROMPT_JSONSCHEMA_MULTIPLE_OF */
        valid = prompt_decimal_is_multiple(&number, &rule->of.number);
        words = "must be a multiple of";
    }

    limit = rule->value->text;

    return valid
           || prompt_jsonschema_violation(validator, instance,
                                          rule->value->name, prompt_str_absent,
                                          "%s %.*s", words,
                                          limit.len < 100 ? (int) limit.len
                                                          : 100,
                                          limit.data);
}


static bool
prompt_jsonschema_check_length(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    size_t  length;

    if (instance->value->type != PROMPT_JSON_STRING) {
        return true;
    }

    if (!prompt_jsonschema_spend(validator, instance->value->text.len / 64)) {
        return false;
    }

    length = prompt_utf8_length(instance->value->text);

    if (rule->op == PROMPT_JSONSCHEMA_MAX_LENGTH ? length <= rule->count
                                                 : length >= rule->count)
    {
        return true;
    }

    return prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent,
                                       "must not be %s than %llu characters",
                                       rule->op == PROMPT_JSONSCHEMA_MAX_LENGTH
                                       ? "longer" : "shorter",
                                       (unsigned long long) rule->count);
}


static bool
prompt_jsonschema_check_pattern(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool          matches;
    prompt_str_t  pattern;

    if (instance->value->type != PROMPT_JSON_STRING) {
        return true;
    }

    matches = prompt_regex_match(rule->of.regexes[0], instance->value->text,
                                 &validator->steps);

    if (matches || !prompt_jsonschema_spend(validator, 0)) {
        return matches;
    }

    pattern = prompt_fault_excerpt(validator->arena, rule->value->text);

    return prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent,
                                       "must match the pattern %.*s",
                                       prompt_str_arg(pattern));
}


static bool
prompt_jsonschema_check_format(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool          nomem;
    size_t        steps;
    prompt_str_t  name;

    if (instance->value->type != PROMPT_JSON_STRING) {
        return true;
    }

    /* a regular expression becomes a tree */

    steps = rule->of.format == PROMPT_FORMAT_REGEX
            ? 20 + instance->value->text.len : instance->value->text.len / 4;

    if (!prompt_jsonschema_spend(validator, steps)) {
        return false;
    }

    nomem = false;

    if (prompt_format_matches(rule->of.format, instance->value->text, &nomem)) {
        return true;
    }

    if (nomem) {
        validator->stop = PROMPT_JSONSCHEMA_NO_MEMORY;
        return false;
    }

    name = rule->value->text;

    return prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent,
                                       "must be of the format %.*s",
                                       prompt_str_arg(name));
}


bool
prompt_jsonschema_check_scalar(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    switch (rule->op) {

    case PROMPT_JSONSCHEMA_TYPE:
        return prompt_jsonschema_check_type(validator, rule, instance);

    case PROMPT_JSONSCHEMA_ENUM:
    case PROMPT_JSONSCHEMA_CONST:
        return prompt_jsonschema_check_enum(validator, rule, instance);

    case PROMPT_JSONSCHEMA_MAX_LENGTH:
    case PROMPT_JSONSCHEMA_MIN_LENGTH:
        return prompt_jsonschema_check_length(validator, rule, instance);

    case PROMPT_JSONSCHEMA_PATTERN:
        return prompt_jsonschema_check_pattern(validator, rule, instance);

    case PROMPT_JSONSCHEMA_FORMAT:
        return prompt_jsonschema_check_format(validator, rule, instance);

    default:
        return prompt_jsonschema_check_number(validator, rule, instance);
    }
}
