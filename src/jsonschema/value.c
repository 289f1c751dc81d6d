/*
 * Compiling schemas: values of keywords.
 */

#include "jsonschema/compiler_impl.h"


/* what is done with each element or member of a value; index: of schemas */
typedef prompt_check_t prompt_jsonschema_each_t(
    prompt_jsonschema_compiler_t *compiler, prompt_jsonschema_rule_t *rule,
    const prompt_json_t *child, size_t index, const prompt_path_t *path);


static prompt_check_t
prompt_jsonschema_each(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_json_t *value,
    const prompt_path_t *path, prompt_jsonschema_each_t *each)
{
    size_t                i;
    prompt_path_t         step;
    prompt_check_t        rc;
    const prompt_json_t  *child;

    rc = PROMPT_CHECK_OK;
    i = 0;

    for (child = value->first; child != NULL && rc == PROMPT_CHECK_OK;
         child = child->next)
    {
        step = prompt_jsonschema_step(path, child, i);
        rc = each(compiler, rule, child, i++, &step);
    }

    return rc;
}


/* what comparing with a value takes: its parts, and its text */
static uint64_t
prompt_jsonschema_weight(const prompt_json_t *value)
{
    uint64_t              weight;
    const prompt_json_t  *child;

    weight = 1 + value->text.len / 64;

    for (child = value->first; child != NULL; child = child->next) {
        weight += 1 + prompt_jsonschema_weight(child);
    }

    return weight;
}


prompt_check_t
prompt_jsonschema_weigh(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    (void) compiler;
    (void) path;

    rule->count = prompt_jsonschema_weight(rule->value);

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_form(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    (void) compiler;
    (void) path;

    rule->of.format = prompt_format(rule->value->text);

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_schema(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    return prompt_jsonschema_one(compiler, rule->value, path, &rule->schema);
}


static prompt_check_t
prompt_jsonschema_each_string(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_json_t *child, size_t index,
    const prompt_path_t *path)
{
    (void) rule;
    (void) index;

    return child->type == PROMPT_JSON_STRING ? PROMPT_CHECK_OK
           : prompt_jsonschema_wrong(compiler, path, "must be a string");
}


/* an array of different strings */
static prompt_check_t
prompt_jsonschema_each_names(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_json_t *child, size_t index,
    const prompt_path_t *path)
{
    size_t          twice, bytes;
    prompt_check_t  rc;

    (void) index;

    if (child->type != PROMPT_JSON_ARRAY) {
        return prompt_jsonschema_wrong(compiler, path,
                                       "must be an array of strings");
    }

    rc = prompt_jsonschema_each(compiler, rule, child, path,
                                prompt_jsonschema_each_string);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    switch (prompt_json_unique(child, &twice, &bytes)) {

    case PROMPT_JSON_UNIQUE:
        return PROMPT_CHECK_OK;

    case PROMPT_JSON_NOT_UNIQUE:
        return prompt_jsonschema_wrong(compiler, path,
                                       "must not name a property twice");

    default: /* PROMPT_JSON_UNIQUE_NOMEM */
        return PROMPT_CHECK_NOMEM;
    }
}


prompt_check_t
prompt_jsonschema_names(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    return prompt_jsonschema_each_names(compiler, rule, rule->value, 0, path);
}


/* a schema; of `dependencies` it may be names instead */
static prompt_check_t
prompt_jsonschema_each_schema(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_json_t *child, size_t index,
    const prompt_path_t *path)
{
    return rule->op == PROMPT_JSONSCHEMA_DEPENDENCY
           && child->type == PROMPT_JSON_ARRAY
           ? prompt_jsonschema_each_names(compiler, rule, child, 0, path)
           : prompt_jsonschema_one(compiler, child, path,
                                   &rule->schemas[index]);
}


/* the schemas that are the elements or members of the rule's value */
static prompt_check_t
prompt_jsonschema_children(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    rule->schemas = prompt_arena_array(compiler->arena, rule->value->count,
                                       sizeof(prompt_jsonschema_t *));
    if (rule->schemas == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    return prompt_jsonschema_each(compiler, rule, rule->value, path,
                                  prompt_jsonschema_each_schema);
}


prompt_check_t
prompt_jsonschema_several(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    return rule->value->count != 0
           ? prompt_jsonschema_children(compiler, rule, path)
           : prompt_jsonschema_wrong(compiler, path, "must not be empty");
}


prompt_check_t
prompt_jsonschema_one_or_several(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    return rule->value->type == PROMPT_JSON_ARRAY
           ? prompt_jsonschema_children(compiler, rule, path)
           : prompt_jsonschema_schema(compiler, rule, path);
}


/* Sorts the members of the rule's value by name. */
static prompt_check_t
prompt_jsonschema_sort(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule)
{
    rule->index = prompt_arena_array(compiler->arena, rule->value->count,
                                     sizeof(prompt_json_member_t));
    if (rule->index == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    prompt_json_members_of(rule->value, rule->index);

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_map(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    prompt_check_t  rc;

    rc = prompt_jsonschema_sort(compiler, rule);

    return rc == PROMPT_CHECK_OK
           ? prompt_jsonschema_children(compiler, rule, path) : rc;
}


prompt_check_t
prompt_jsonschema_names_map(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    prompt_check_t  rc;

    rc = prompt_jsonschema_sort(compiler, rule);

    return rc == PROMPT_CHECK_OK
           ? prompt_jsonschema_each(compiler, rule, rule->value, path,
                                    prompt_jsonschema_each_names)
           : rc;
}


static prompt_check_t
prompt_jsonschema_each_type(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_json_t *child, size_t index,
    const prompt_path_t *path)
{
    unsigned  bit;

    (void) index;

    bit = child->type == PROMPT_JSON_STRING
          ? prompt_jsonschema_type(child->text) : 0;

    if (bit == 0) {
        return prompt_jsonschema_wrong(compiler, path,
                                       "must name a type of JSON Schema");
    }

    if ((rule->of.types & bit) != 0) {
        return prompt_jsonschema_wrong(compiler, path,
                                       "must not repeat a type");
    }

    rule->of.types |= bit;

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_types(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    if (rule->value->type == PROMPT_JSON_STRING) {
        return prompt_jsonschema_each_type(compiler, rule, rule->value, 0,
                                           path);
    }

    if (rule->value->type != PROMPT_JSON_ARRAY || rule->value->count == 0) {
        return prompt_jsonschema_wrong(compiler, path, "must be the name of a "
                                       "type, or an array of them");
    }

    return prompt_jsonschema_each(compiler, rule, rule->value, path,
                                  prompt_jsonschema_each_type);
}


prompt_check_t
prompt_jsonschema_non_negative(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    int64_t  n;

    if (!prompt_json_integer(rule->value, &n) || n < 0) {
        return prompt_jsonschema_wrong(compiler, path,
                                       "must be a non-negative integer");
    }

    rule->count = (uint64_t) n;

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_jsonschema_number(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    return prompt_decimal_parse(rule->value->text, &rule->of.number)
           ? PROMPT_CHECK_OK
           : prompt_jsonschema_wrong(compiler, path, "must be a number");
}


prompt_check_t
prompt_jsonschema_divisor(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    prompt_check_t  rc;

    rc = prompt_jsonschema_number(compiler, rule, path);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    if (rule->of.number.count == 0 || rule->of.number.negative) {
        return prompt_jsonschema_wrong(compiler, path, "must be above 0");
    }

    return rule->of.number.count <= PROMPT_DECIMAL_DIVISOR_DIGITS
           ? PROMPT_CHECK_OK
           : prompt_jsonschema_wrong(compiler, path,
                                     "must not have more than %d digits",
                                     PROMPT_DECIMAL_DIVISOR_DIGITS);
}


static prompt_check_t
prompt_jsonschema_each_boolean(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_json_t *child, size_t index,
    const prompt_path_t *path)
{
    (void) rule;
    (void) index;

    return child->type == PROMPT_JSON_BOOLEAN ? PROMPT_CHECK_OK
           : prompt_jsonschema_wrong(compiler, path, "must be true or false");
}


/* It says something to those whose dialect the schema is; none is ours. */
prompt_check_t
prompt_jsonschema_vocabulary(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    return prompt_jsonschema_each(compiler, rule, rule->value, path,
                                  prompt_jsonschema_each_boolean);
}


/* the regex of a string, or of the name that a member has */
static prompt_check_t
prompt_jsonschema_each_regex(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_json_t *child, size_t index,
    const prompt_path_t *path)
{
    const char   *message;
    prompt_str_t  pattern;

    pattern = child == rule->value ? child->text : child->name;

    switch (prompt_regex_compile(&compiler->regexes, pattern,
                                 &rule->of.regexes[index], &message))
    {

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


prompt_check_t
prompt_jsonschema_pattern(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    rule->of.regexes = prompt_arena_array(compiler->arena, 1,
                                          sizeof(prompt_regex_t *));

    return rule->of.regexes != NULL
           ? prompt_jsonschema_each_regex(compiler, rule, rule->value, 0, path)
           : PROMPT_CHECK_NOMEM;
}


/* patternProperties: regexes, and a schema for each */
prompt_check_t
prompt_jsonschema_patterns(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_rule_t *rule, const prompt_path_t *path)
{
    prompt_check_t  rc;

    rule->of.regexes = prompt_arena_array(compiler->arena, rule->value->count,
                                          sizeof(prompt_regex_t *));
    if (rule->of.regexes == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    rc = prompt_jsonschema_each(compiler, rule, rule->value, path,
                                prompt_jsonschema_each_regex);

    return rc == PROMPT_CHECK_OK ? prompt_jsonschema_map(compiler, rule, path)
                                 : rc;
}
