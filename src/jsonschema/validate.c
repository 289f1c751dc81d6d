/*
 * Validation: applying schemas, and the keywords that apply others to the
 * same value.
 */

#include "jsonschema/validate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>


/* a schema that is being applied */
typedef struct {
    const prompt_jsonschema_t           *schema;
    const prompt_jsonschema_instance_t  *instance;
    bool                                 asked;  /* `if` was */
    bool                                 condition;
} prompt_jsonschema_frame_t;


/* of the recursion: 64 levels of input, several schemas for each */
#define PROMPT_JSONSCHEMA_MAX_DEPTH  1000


bool
prompt_jsonschema_spend(prompt_jsonschema_validator_t *validator, size_t steps)
{
    if (validator->stop != PROMPT_JSONSCHEMA_GOES_ON) {
        return false;
    }

    if (steps >= validator->steps) {
        validator->steps = 0;
        validator->stop = PROMPT_JSONSCHEMA_NO_STEPS;
        return false;
    }

    validator->steps -= (unsigned) steps;

    return true;
}


/* Appends {field, keyword, message}; false when memory is short. */
static bool
prompt_jsonschema_list(prompt_jsonschema_validator_t *validator,
    prompt_str_t field, prompt_str_t keyword, prompt_str_t message)
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

    return true;
}


static void
prompt_jsonschema_count_violations(prompt_jsonschema_validator_t *validator)
{
    if (validator->violations->count == PROMPT_JSONSCHEMA_MAX_VIOLATIONS
        && validator->deferred == 0
        && validator->stop == PROMPT_JSONSCHEMA_GOES_ON)
    {
        validator->stop = PROMPT_JSONSCHEMA_FULL;
    }
}


bool
prompt_jsonschema_violation(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_instance_t *instance, prompt_str_t keyword,
    prompt_str_t field, const char *format, ...)
{
    char     text[500];
    va_list  args;

    /* more than are listed: one that is deferred goes before them */

    if (prompt_jsonschema_ends(validator)
        || validator->violations->count >= PROMPT_JSONSCHEMA_MAX_VIOLATIONS)
    {
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

    if (!prompt_jsonschema_list(validator, field, keyword,
                                prompt_arena_copy(validator->arena,
                                                  prompt_str_from(text))))
    {
        validator->stop = PROMPT_JSONSCHEMA_NO_MEMORY;

    } else {
        prompt_jsonschema_count_violations(validator);
    }

    return false;
}


bool
prompt_jsonschema_matches(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema,
    const prompt_jsonschema_instance_t *instance)
{
    bool                       matches;
    uint32_t                   count;
    prompt_jsonschema_seen_t  *seen;

    seen = instance->seen;
    count = seen != NULL ? seen->count : 0;

    validator->silent++;
    matches = prompt_jsonschema_apply(validator, schema, instance,
                                      prompt_str_absent);
    validator->silent--;

    /* what did not match has looked at nothing */

    while (!matches && seen != NULL && seen->count > count) {
        seen->flags[seen->log[--seen->count]] = 0;
    }

    return matches;
}


static bool
prompt_jsonschema_all_of(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool    valid;
    size_t  i;

    valid = true;

    for (i = 0; i < rule->value->count; i++) {
        if (!prompt_jsonschema_apply(validator, rule->schemas[i], instance,
                                     rule->value->name))
        {
            valid = false;

            if (prompt_jsonschema_ends(validator)) {
                break;
            }
        }
    }

    return valid;
}


/* how many of the schemas match, counting no further than enough */
static size_t
prompt_jsonschema_count(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance, size_t enough)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < rule->value->count && n < enough; i++) {
        n += prompt_jsonschema_matches(validator, rule->schemas[i], instance);

        if (validator->stop != PROMPT_JSONSCHEMA_GOES_ON) {
            break;
        }
    }

    return n;
}


static bool
prompt_jsonschema_any_of(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    size_t  enough;

    /* each that matches says what it looked at */

    enough = instance->seen != NULL ? SIZE_MAX : 1;

    if (prompt_jsonschema_count(validator, rule, instance, enough) != 0) {
        return true;
    }

    return prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent, "must match at least "
                                                          "one "
                                       "of the %u schemas of anyOf",
                                       (unsigned) rule->value->count);
}


static bool
prompt_jsonschema_one_of(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    size_t  n;

    n = prompt_jsonschema_count(validator, rule, instance, 2);

    if (n == 1) {
        return true;
    }

    return prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent, "must match exactly "
                                                          "one "
                                       "of the %u schemas of oneOf, and "
                                       "matches %s",
                                       (unsigned) rule->value->count,
                                       n == 0 ? "none" : "more");
}


static bool
prompt_jsonschema_not(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    prompt_jsonschema_instance_t  alone;

    alone = *instance;
    alone.seen = NULL;

    if (!prompt_jsonschema_matches(validator, rule->schema, &alone)) {
        return true;
    }

    return prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent,
                                       "must not match the schema of not");
}


/* what `if` says, which is asked once */
static bool
prompt_jsonschema_condition(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *condition)
{
    if (!frame->asked) {
        frame->asked = true;
        frame->condition = prompt_jsonschema_matches(validator,
                                                     condition->schema,
                                                     frame->instance);
    }

    return frame->condition;
}


/* then, or else: stands where its keyword stands, asks what `if` says */
static bool
prompt_jsonschema_branch(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    const prompt_jsonschema_rule_t  *condition;

    condition = prompt_jsonschema_find(frame->schema, PROMPT_JSONSCHEMA_IF);

    if (condition == NULL
        || prompt_jsonschema_condition(validator, frame, condition)
           != (rule->op == PROMPT_JSONSCHEMA_THEN))
    {
        return true;
    }

    return prompt_jsonschema_apply(validator, rule->schema, frame->instance,
                                   rule->value->name);
}


/*
 * $dynamicRef: of all schemas that have the name, that of the resource which
 * was entered before the others.
 */
static bool
prompt_jsonschema_dynamic(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    size_t                             i;
    uint32_t                           order, first;
    const prompt_jsonschema_t         *schema;
    const prompt_jsonschema_anchor_t  *anchor;

    if (!prompt_jsonschema_spend(validator, rule->count)) {
        return false;
    }

    schema = rule->schema;
    first = UINT32_MAX;

    for (i = 0; i < rule->count; i++) {
        anchor = &rule->of.anchors[i];
        order = validator->entered[anchor->resource->index];

        if (anchor->dynamic && order != 0 && order < first) {
            first = order;
            schema = anchor->schema;
        }
    }

    return prompt_jsonschema_apply(validator, schema, instance,
                                   rule->value->name);
}


/* what other schemas say of the same value */
static bool
prompt_jsonschema_check_in_place(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    const prompt_jsonschema_instance_t  *instance;

    instance = frame->instance;

    switch (rule->op) {

    case PROMPT_JSONSCHEMA_IF:       /* asked by then and else */
        if (instance->seen != NULL) {
            (void) prompt_jsonschema_condition(validator, frame, rule);
        }

        return true;

    case PROMPT_JSONSCHEMA_REF:
        return prompt_jsonschema_apply(validator, rule->schema, instance,
                                       rule->value->name);

    case PROMPT_JSONSCHEMA_DYNAMIC_REF:
        return prompt_jsonschema_dynamic(validator, rule, instance);

    case PROMPT_JSONSCHEMA_ALL_OF:
        return prompt_jsonschema_all_of(validator, rule, instance);

    case PROMPT_JSONSCHEMA_ANY_OF:
        return prompt_jsonschema_any_of(validator, rule, instance);

    case PROMPT_JSONSCHEMA_ONE_OF:
        return prompt_jsonschema_one_of(validator, rule, instance);

    case PROMPT_JSONSCHEMA_NOT:
        return prompt_jsonschema_not(validator, rule, instance);

    default: /* PROMPT_JSONSCHEMA_THEN, PROMPT_JSONSCHEMA_ELSE */
        return prompt_jsonschema_branch(validator, frame, rule);
    }
}


static bool
prompt_jsonschema_check(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    const prompt_jsonschema_t           *schema;
    const prompt_jsonschema_instance_t  *instance;

    schema = frame->schema;
    instance = frame->instance;

    switch (rule->op) {

    case PROMPT_JSONSCHEMA_NONE:
    case PROMPT_JSONSCHEMA_UNEVALUATED_ITEMS:    /* of a value that has none */
    case PROMPT_JSONSCHEMA_UNEVALUATED_PROPERTIES:
        return true;

    case PROMPT_JSONSCHEMA_IF:
    case PROMPT_JSONSCHEMA_THEN:
    case PROMPT_JSONSCHEMA_ELSE:
    case PROMPT_JSONSCHEMA_REF:
    case PROMPT_JSONSCHEMA_DYNAMIC_REF:
    case PROMPT_JSONSCHEMA_ALL_OF:
    case PROMPT_JSONSCHEMA_ANY_OF:
    case PROMPT_JSONSCHEMA_ONE_OF:
    case PROMPT_JSONSCHEMA_NOT:
        return prompt_jsonschema_check_in_place(validator, frame, rule);

    case PROMPT_JSONSCHEMA_PREFIX_ITEMS:
    case PROMPT_JSONSCHEMA_ITEMS:
    case PROMPT_JSONSCHEMA_ADDITIONAL_ITEMS:
    case PROMPT_JSONSCHEMA_MAX_ITEMS:
    case PROMPT_JSONSCHEMA_MIN_ITEMS:
    case PROMPT_JSONSCHEMA_UNIQUE_ITEMS:
    case PROMPT_JSONSCHEMA_CONTAINS:
    case PROMPT_JSONSCHEMA_MAX_CONTAINS:
    case PROMPT_JSONSCHEMA_MIN_CONTAINS:
        return instance->value->type != PROMPT_JSON_ARRAY
               || prompt_jsonschema_check_array(validator, schema, rule,
                                                instance);

    case PROMPT_JSONSCHEMA_MAX_PROPERTIES:
    case PROMPT_JSONSCHEMA_MIN_PROPERTIES:
    case PROMPT_JSONSCHEMA_REQUIRED:
    case PROMPT_JSONSCHEMA_PROPERTIES:
    case PROMPT_JSONSCHEMA_PATTERN_PROPERTIES:
    case PROMPT_JSONSCHEMA_ADDITIONAL_PROPERTIES:
    case PROMPT_JSONSCHEMA_PROPERTY_NAMES:
    case PROMPT_JSONSCHEMA_DEPENDENT_REQUIRED:
    case PROMPT_JSONSCHEMA_DEPENDENT_SCHEMAS:
    case PROMPT_JSONSCHEMA_DEPENDENCY:
        return instance->value->type != PROMPT_JSON_OBJECT
               || prompt_jsonschema_check_object(validator, schema, rule,
                                                 instance);

    default:
        return prompt_jsonschema_check_scalar(validator, rule, instance);
    }
}


/*
 * What a rule for the rest finds goes into the list where the rule stands in
 * the text: behind so many violations, before those of the rules that came
 * after it and were done before.
 */
static bool
prompt_jsonschema_rest(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance, prompt_json_t *behind,
    uint32_t count)
{
    bool            valid;
    prompt_json_t  *list, *tail, *next;

    list = validator->violations;
    tail = behind != NULL ? behind->next : list->first;

    if (behind != NULL) {
        behind->next = NULL;

    } else {
        list->first = NULL;
    }

    list->last = behind;
    list->count = count;

    valid = rule->op == PROMPT_JSONSCHEMA_UNEVALUATED_ITEMS
            ? prompt_jsonschema_check_rest_items(validator, rule, instance)
            : prompt_jsonschema_check_rest_members(validator, rule, instance);

    while (tail != NULL && list->count < PROMPT_JSONSCHEMA_MAX_VIOLATIONS) {
        next = tail->next;
        tail->next = NULL;
        prompt_json_append(list, tail);
        tail = next;
    }

    prompt_jsonschema_count_violations(validator);

    return valid;
}


/* All rules of a schema, in the order of its text; those for the rest last. */
static bool
prompt_jsonschema_apply_rules(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema,
    const prompt_jsonschema_instance_t *instance)
{
    bool                             valid;
    uint32_t                         count;
    prompt_json_t                   *behind;
    prompt_jsonschema_op_t           last;
    prompt_jsonschema_frame_t        frame;
    const prompt_jsonschema_rule_t  *rule, *rest;

    frame.schema = schema;
    frame.instance = instance;
    frame.asked = false;
    frame.condition = false;

    last = instance->value->type == PROMPT_JSON_ARRAY
           ? PROMPT_JSONSCHEMA_UNEVALUATED_ITEMS
           : PROMPT_JSONSCHEMA_UNEVALUATED_PROPERTIES;
    rest = NULL;
    behind = NULL;
    count = 0;
    valid = true;

    for (rule = schema->first; rule != NULL; rule = rule->next) {

        if (rule->op == last && instance->seen != NULL) {
            rest = rule;
            behind = validator->violations->last;
            count = validator->violations->count;
            validator->deferred++;
            continue;
        }

        if (!prompt_jsonschema_spend(validator, 1)
            || !prompt_jsonschema_check(validator, &frame, rule))
        {
            valid = false;

            if (prompt_jsonschema_ends(validator)) {
                break;
            }
        }
    }

    if (rest == NULL) {
        return valid;
    }

    validator->deferred--;

    if (!valid && prompt_jsonschema_ends(validator)) {
        return false;
    }

    return prompt_jsonschema_rest(validator, rest, instance, behind, count)
           && valid;
}


/*
 * The same for a schema that has rules for the rest: what its own rules look at
 * is noted apart from what those around it do, and then added to that.
 */
static bool
prompt_jsonschema_apply_seeing(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema,
    const prompt_jsonschema_instance_t *instance)
{
    bool                          valid;
    uint32_t                      i;
    size_t                        count;
    prompt_jsonschema_seen_t      seen;
    prompt_jsonschema_instance_t  inner;

    count = instance->value->count;

    if (!prompt_jsonschema_spend(validator, count / 8)) {
        return false;
    }

    seen.count = 0;
    seen.log = malloc((count + 1) * sizeof(uint32_t));
    seen.flags = calloc(count + 1, 1);

    if (seen.log == NULL || seen.flags == NULL) {
        validator->stop = PROMPT_JSONSCHEMA_NO_MEMORY;
        free(seen.log);
        free(seen.flags);
        return false;
    }

    inner = *instance;
    inner.seen = &seen;

    valid = prompt_jsonschema_apply_rules(validator, schema, &inner);

    for (i = 0; i < seen.count && instance->seen != NULL; i++) {
        prompt_jsonschema_see(instance, seen.log[i]);
    }

    free(seen.log);
    free(seen.flags);

    return valid;
}


bool
prompt_jsonschema_apply(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema,
    const prompt_jsonschema_instance_t *instance, prompt_str_t via)
{
    bool       valid;
    uint32_t  *entered;

    if (!prompt_jsonschema_spend(validator, 1)) {
        return false;
    }

    if (schema->json->type == PROMPT_JSON_BOOLEAN) {
        return schema->json->boolean
               || prompt_jsonschema_violation(validator, instance, via,
                                              prompt_str_absent,
                                              "is not allowed");
    }

    if (validator->depth == PROMPT_JSONSCHEMA_MAX_DEPTH) {
        validator->stop = PROMPT_JSONSCHEMA_NO_DEPTH;
        return false;
    }

    entered = NULL;

    if (validator->entered != NULL
        && validator->entered[schema->resource->index] == 0)
    {
        entered = &validator->entered[schema->resource->index];
        *entered = ++validator->entries;
    }

    validator->depth++;

    valid = schema->rest && (instance->value->type == PROMPT_JSON_ARRAY
                             || instance->value->type == PROMPT_JSON_OBJECT)
            ? prompt_jsonschema_apply_seeing(validator, schema, instance)
            : prompt_jsonschema_apply_rules(validator, schema, instance);

    validator->depth--;

    if (entered != NULL) {
        *entered = 0;
    }

    return valid;
}


bool
prompt_jsonschema_validate(prompt_jsonschema_validator_t *validator,
    prompt_arena_t *arena, const prompt_jsonschema_t *schema,
    const prompt_json_t *value, unsigned steps)
{
    uint32_t                      scopes;
    prompt_jsonschema_instance_t  instance;

    memset(validator, 0, sizeof(*validator));
    validator->arena = arena;
    validator->steps = steps;
    validator->violations = prompt_json_new(arena, PROMPT_JSON_ARRAY);

    scopes = schema->resource->scopes;

    if (scopes != 0) {
        validator->entered = prompt_arena_array(arena, scopes,
                                                sizeof(uint32_t));
    }

    if (validator->violations == NULL
        || (scopes != 0 && validator->entered == NULL))
    {
        validator->stop = PROMPT_JSONSCHEMA_NO_MEMORY;
        return false;
    }

    instance.value = value;
    instance.path = NULL;
    instance.seen = NULL;

    return prompt_jsonschema_apply(validator, schema, &instance,
                                   prompt_str("inputSchema"));
}
