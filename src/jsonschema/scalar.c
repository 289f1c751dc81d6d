/*
 * Validation: keywords for values of any type, numbers and strings
 * (JSON Schema 2020-12 validation, 6.1 to 6.3), and those that count what a
 * value has.
 */

#include "jsonschema/validate.h"

#include "base/utf8.h"


bool
prompt_jsonschema_check_type(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    unsigned              bit, rest, types;
    prompt_buf_t          names;
    prompt_decimal_t      number;
    const prompt_json_t  *value;

    value = frame->instance->value;
    types = prompt_jsonschema_type_bit(value->type);

    if (value->type == PROMPT_JSON_NUMBER
        && prompt_decimal_parse(value->text, &number)
        && prompt_decimal_is_integer(&number))
    {
        types |= PROMPT_JSONSCHEMA_TYPE_INTEGER;
    }

    if ((rule->of.types & types) != 0) {
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

    (void) prompt_jsonschema_fails(validator, frame, rule,
                                   "must be of type %.*s",
                                   prompt_str_arg(prompt_buf_view(&names)));
    prompt_buf_free(&names);

    return false;
}


/* comparing takes no more than the smaller value has */
bool
prompt_jsonschema_check_const(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    return prompt_jsonschema_spend(validator, rule->count)
           && (prompt_json_equal(frame->instance->value, rule->value)
               || prompt_jsonschema_fails(validator, frame, rule,
                                          "must be the one allowed value"));
}


bool
prompt_jsonschema_check_enum(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    const prompt_json_t  *allowed;

    if (!prompt_jsonschema_spend(validator, rule->count)) {
        return false;
    }

    for (allowed = rule->value->first; allowed != NULL; allowed = allowed->next)
    {
        if (prompt_json_equal(frame->instance->value, allowed)) {
            return true;
        }
    }

    return prompt_jsonschema_fails(validator, frame, rule,
                                   "must be one of the allowed values");
}


bool
prompt_jsonschema_check_number(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    int               order;
    bool              valid;
    const char       *words;
    prompt_str_t      limit;
    prompt_decimal_t  number;

    if (!prompt_decimal_parse(frame->instance->value->text, &number)) {
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
           || prompt_jsonschema_fails(validator, frame, rule, "%s %.*s", words,
                                      limit.len < 100 ? (int) limit.len : 100,
                                      limit.data);
}


/* characters, elements or members: no more than so many, or no fewer */
bool
prompt_jsonschema_check_count(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    bool                  most;
    uint64_t              n;
    const char           *words, *what;
    const prompt_json_t  *value;

    value = frame->instance->value;
    n = value->count;
    most = rule->op == PROMPT_JSONSCHEMA_MOST;
    words = most ? "have more" : "have fewer";
    what = value->type == PROMPT_JSON_ARRAY ? "elements" : "properties";

    if (value->type == PROMPT_JSON_STRING) {
        if (!prompt_jsonschema_spend(validator, value->text.len / 64)) {
            return false;
        }

        n = prompt_utf8_length(value->text);
        words = most ? "be longer" : "be shorter";
        what = "characters";
    }

    return (most ? n <= rule->count : n >= rule->count)
           || prompt_jsonschema_fails(validator, frame, rule,
                                      "must not %s than %llu %s", words,
                                      (unsigned long long) rule->count, what);
}


bool
prompt_jsonschema_check_pattern(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    bool          matches;
    prompt_str_t  pattern;

    matches = prompt_regex_match(rule->of.regexes[0],
                                 frame->instance->value->text,
                                 &validator->steps);

    if (matches || !prompt_jsonschema_spend(validator, 0)) {
        return matches;
    }

    pattern = prompt_fault_excerpt(validator->arena, rule->value->text);

    return prompt_jsonschema_fails(validator, frame, rule,
                                   "must match the pattern %.*s",
                                   prompt_str_arg(pattern));
}


bool
prompt_jsonschema_check_format(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    bool          nomem;
    size_t        steps;
    prompt_str_t  text;

    /* a regular expression becomes a tree */

    text = frame->instance->value->text;
    steps = rule->of.format == PROMPT_FORMAT_REGEX ? 20 + text.len
                                                   : text.len / 4;

    if (!prompt_jsonschema_spend(validator, steps)) {
        return false;
    }

    nomem = false;

    if (prompt_format_matches(rule->of.format, text, &nomem)) {
        return true;
    }

    if (nomem) {
        validator->stop = PROMPT_JSONSCHEMA_NO_MEMORY;
        return false;
    }

    return prompt_jsonschema_fails(validator, frame, rule,
                                   "must be of the format %.*s",
                                   prompt_str_arg(rule->value->text));
}
