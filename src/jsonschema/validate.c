/*
 * Validation: applying schemas.
 */

#include "jsonschema/validate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>


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
    const prompt_str_t texts[3])
{
    size_t          i;
    prompt_json_t  *violation, *text;

    static const prompt_str_t  names[3] = {
        prompt_str_init("field"),
        prompt_str_init("keyword"),
        prompt_str_init("message")
    };

    violation = prompt_json_new(validator->arena, PROMPT_JSON_OBJECT);

    for (i = 0; i < 3 && violation != NULL; i++) {
        text = texts[i].data != NULL
               ? prompt_json_new_string(validator->arena, texts[i]) : NULL;
        if (text == NULL) {
            return false;
        }

        prompt_json_set(violation, names[i], text);
    }

    if (violation != NULL) {
        prompt_json_append(validator->violations, violation);
    }

    return violation != NULL;
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


static void
prompt_jsonschema_say(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_instance_t *instance, prompt_str_t keyword,
    prompt_str_t field, const char *format, va_list args)
{
    char          text[500];
    prompt_str_t  texts[3];

    /* more than are listed: one that is deferred goes before them */

    if (prompt_jsonschema_ends(validator)
        || validator->violations->count >= PROMPT_JSONSCHEMA_MAX_VIOLATIONS)
    {
        return;
    }

    (void) vsnprintf(text, sizeof(text), format, args);

    if (field.data == NULL) {
        field = prompt_path_text(validator->arena, instance->path);

        if (field.len == 0 && field.data != NULL) {
            field = validator->whole;
        }
    }

    texts[0] = field;
    texts[1] = keyword;
    texts[2] = prompt_arena_copy(validator->arena, prompt_str_from(text));

    if (!prompt_jsonschema_list(validator, texts)) {
        validator->stop = PROMPT_JSONSCHEMA_NO_MEMORY;

    } else {
        prompt_jsonschema_count_violations(validator);
    }
}


bool
prompt_jsonschema_violation(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_instance_t *instance, prompt_str_t keyword,
    prompt_str_t field, const char *format, ...)
{
    va_list  args;

    va_start(args, format);
    prompt_jsonschema_say(validator, instance, keyword, field, format, args);
    va_end(args);

    return false;
}


bool
prompt_jsonschema_fails(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_frame_t *frame,
    const prompt_jsonschema_rule_t *rule, const char *format, ...)
{
    va_list  args;

    va_start(args, format);
    prompt_jsonschema_say(validator, frame->instance, rule->value->name,
                          prompt_str_absent, format, args);
    va_end(args);

    return false;
}


prompt_path_t
prompt_jsonschema_child_path(const prompt_jsonschema_instance_t *instance,
    const prompt_json_t *child, size_t index)
{
    prompt_path_t  path;

    path.parent = instance->path;
    path.name = instance->value->type == PROMPT_JSON_OBJECT
                ? child->name : prompt_str_absent;
    path.index = index;

    return path;
}


bool
prompt_jsonschema_apply_child(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_frame_t *frame,
    const prompt_jsonschema_rule_t *rule, const prompt_jsonschema_t *schema,
    const prompt_json_t *child, size_t index, bool *valid)
{
    prompt_path_t                 path;
    prompt_jsonschema_instance_t  inner;

    path = prompt_jsonschema_child_path(frame->instance, child, index);
    inner.value = child;
    inner.path = &path;
    inner.seen = NULL;

    *valid = prompt_jsonschema_apply(validator, schema, &inner,
                                     rule->value->name)
             && *valid;

    return *valid || !prompt_jsonschema_ends(validator);
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


/* unevaluatedItems, or unevaluatedProperties, when all others are done */
static bool
prompt_jsonschema_check_rest(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    bool                                 valid;
    size_t                               i;
    const prompt_json_t                 *child;
    const prompt_jsonschema_instance_t  *instance;

    instance = frame->instance;

    if (!prompt_jsonschema_spend(validator, 1 + instance->value->count / 8)) {
        return false;
    }

    valid = true;
    i = 0;

    for (child = instance->value->first; child != NULL; child = child->next) {
        if (!instance->seen->flags[i]) {
            prompt_jsonschema_see(instance, i);

            if (!prompt_jsonschema_apply_child(validator, frame, rule,
                                               rule->schema, child, i, &valid))
            {
                break;
            }
        }

        i++;
    }

    return valid;
}


/*
 * What a rule for the rest finds goes into the list where the rule stands in
 * the text: behind so many violations, before those of the rules that came
 * after it and were done before.
 */
static bool
prompt_jsonschema_rest(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule,
    prompt_json_t *behind, uint32_t count)
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

    valid = prompt_jsonschema_check_rest(validator, frame, rule);

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
    bool                                valid;
    unsigned                            type;
    uint32_t                            count;
    prompt_json_t                      *behind;
    prompt_jsonschema_op_t              last;
    prompt_jsonschema_frame_t           frame;
    const prompt_jsonschema_rule_t     *rule, *rest;
    const prompt_jsonschema_keyword_t  *keyword;

    frame.schema = schema;
    frame.instance = instance;
    frame.asked = false;
    frame.condition = false;

    type = prompt_jsonschema_type_bit(instance->value->type);
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

        keyword = rule->keyword;

        if (!prompt_jsonschema_spend(validator, 1)
            || ((keyword->types & type) != 0
                && !keyword->check(validator, &frame, rule)))
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

    return prompt_jsonschema_rest(validator, &frame, rest, behind, count)
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
    const prompt_json_t *value, prompt_str_t whole, unsigned steps)
{
    uint32_t                      scopes;
    prompt_jsonschema_instance_t  instance;

    memset(validator, 0, sizeof(*validator));
    validator->arena = arena;
    validator->whole = whole;
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
