/*
 * Compiling schemas: values of keywords that contain no schemas.
 */

#include "jsonschema/compiler_impl.h"


/* an object of anything: its members sorted by name */
prompt_check_t
prompt_jsonschema_sort(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule)
{
    size_t                i;
    const prompt_json_t  *member;

    rule->index = prompt_arena_array(compiler->arena, rule->value->count,
                                     sizeof(prompt_json_member_t));
    if (rule->index == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    i = 0;

    for (member = rule->value->first; member != NULL; member = member->next) {
        rule->index[i].value = member;
        rule->index[i].offset = i;
        i++;
    }

    prompt_json_members_sort(rule->index, i);

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_names(prompt_jsonschema_compiler_t *compiler,
    const prompt_json_t *value, const prompt_path_t *path)
{
    size_t                 i, twice, bytes;
    prompt_path_t          step;
    prompt_json_unique_t   unique;
    const prompt_json_t   *name;

    if (value->type != PROMPT_JSON_ARRAY) {
        return prompt_jsonschema_wrong(compiler, path,
                                       "must be an array of strings");
    }

    i = 0;

    for (name = value->first; name != NULL; name = name->next) {
        if (name->type != PROMPT_JSON_STRING) {
            step = prompt_jsonschema_step(path, name, i);
            return prompt_jsonschema_wrong(compiler, &step, "must be a string");
        }

        i++;
    }

    unique = prompt_json_unique(value, &twice, &bytes);

    if (unique == PROMPT_JSON_UNIQUE_NOMEM) {
        return PROMPT_CHECK_NOMEM;
    }

    if (unique == PROMPT_JSON_NOT_UNIQUE) {
        return prompt_jsonschema_wrong(compiler, path,
                                       "must not name a property twice");
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_types(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    size_t                i;
    unsigned              bit;
    prompt_path_t         step;
    const prompt_json_t  *value, *name;

    value = rule->value;

    if (value->type == PROMPT_JSON_STRING) {
        rule->of.types = prompt_jsonschema_type(value->text);

        if (rule->of.types == 0) {
            return prompt_jsonschema_wrong(compiler, path,
                                           "must name a type of JSON Schema");
        }

        return PROMPT_CHECK_OK;
    }

    if (value->type != PROMPT_JSON_ARRAY || value->count == 0) {
        return prompt_jsonschema_wrong(compiler, path, "must be the name of a "
                                       "type, or an array of them");
    }

    i = 0;

    for (name = value->first; name != NULL; name = name->next) {
        bit = name->type == PROMPT_JSON_STRING
              ? prompt_jsonschema_type(name->text) : 0;
        step = prompt_jsonschema_step(path, name, i++);

        if (bit == 0) {
            return prompt_jsonschema_wrong(compiler, &step,
                                           "must name a type of JSON Schema");
        }

        if ((rule->of.types & bit) != 0) {
            return prompt_jsonschema_wrong(compiler, &step,
                                           "must not repeat a type");
        }

        rule->of.types |= bit;
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_number(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, prompt_jsonschema_kind_t kind,
    const prompt_path_t *path)
{
    int64_t               n;
    const prompt_json_t  *value;

    value = rule->value;

    if (kind == PROMPT_JSONSCHEMA_COUNT) {
        if (!prompt_json_integer(value, &n) || n < 0) {
            return prompt_jsonschema_wrong(compiler, path,
                                           "must be a non-negative integer");
        }

        rule->count = (uint64_t) n;
        return PROMPT_CHECK_OK;
    }

    if (value->type != PROMPT_JSON_NUMBER
        || !prompt_decimal_parse(value->text, &rule->of.number))
    {
        return prompt_jsonschema_wrong(compiler, path, "must be a number");
    }

    if (kind != PROMPT_JSONSCHEMA_DIVISOR) {
        return PROMPT_CHECK_OK;
    }

    if (rule->of.number.count == 0 || rule->of.number.negative) {
        return prompt_jsonschema_wrong(compiler, path, "must be above 0");
    }

    if (rule->of.number.count > PROMPT_DECIMAL_DIVISOR_DIGITS) {
        return prompt_jsonschema_wrong(compiler, path,
                                       "must not have more than %d digits",
                                       PROMPT_DECIMAL_DIVISOR_DIGITS);
    }

    return PROMPT_CHECK_OK;
}


/* It says something to those whose dialect the schema is; none is ours. */
prompt_check_t
prompt_jsonschema_vocabulary(prompt_jsonschema_compiler_t *compiler,
    const prompt_json_t *value, const prompt_path_t *path)
{
    prompt_path_t         step;
    const prompt_json_t  *member;

    if (value->type != PROMPT_JSON_OBJECT) {
        return prompt_jsonschema_wrong(compiler, path, "must be an object");
    }

    for (member = value->first; member != NULL; member = member->next) {
        if (member->type != PROMPT_JSON_BOOLEAN) {
            step = prompt_jsonschema_step(path, member, 0);
            return prompt_jsonschema_wrong(compiler, &step,
                                           "must be true or false");
        }
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_jsonschema_regex(prompt_jsonschema_compiler_t *compiler,
    prompt_str_t pattern, prompt_regex_t **regex, const prompt_path_t *path)
{
    const char             *message;
    prompt_regex_status_t   status;

    status = prompt_regex_compile(&compiler->regexes, pattern, regex, &message);

    switch (status) {

    case PROMPT_REGEX_OK:
        return PROMPT_CHECK_OK;

    case PROMPT_REGEX_NOMEM:
        return PROMPT_CHECK_NOMEM;

    case PROMPT_REGEX_SYNTAX:
        return prompt_jsonschema_wrong(compiler, path,
                                       "is not a regular expression: %s",
                                       message);

    default:
        return prompt_jsonschema_wrong(compiler, path,
                                       "is a regular expression that is not "
                                       "supported: %s", message);
    }
}


/* the regex of pattern */
prompt_check_t
prompt_jsonschema_pattern(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    if (rule->value->type != PROMPT_JSON_STRING) {
        return prompt_jsonschema_wrong(compiler, path, "must be a string");
    }

    rule->of.regexes = prompt_arena_array(compiler->arena, 1,
                                          sizeof(prompt_regex_t *));
    if (rule->of.regexes == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    return prompt_jsonschema_regex(compiler, rule->value->text,
                                   rule->of.regexes, path);
}


/* the regexes of patternProperties */
prompt_check_t
prompt_jsonschema_patterns(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    size_t                i;
    prompt_path_t         step;
    prompt_check_t        rc;
    const prompt_json_t  *member;

    rule->of.regexes = prompt_arena_array(compiler->arena, rule->value->count,
                                          sizeof(prompt_regex_t *));
    if (rule->of.regexes == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    i = 0;

    for (member = rule->value->first; member != NULL; member = member->next) {
        step = prompt_jsonschema_step(path, member, i);

        rc = prompt_jsonschema_regex(compiler, member->name,
                                     &rule->of.regexes[i], &step);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        i++;
    }

    return PROMPT_CHECK_OK;
}
