/*
 * Validation: keywords that apply other schemas to the same value (JSON Schema
 * 2020-12 core, 8.2.3 and 10.2).
 */

#include "jsonschema/validate.h"


bool
prompt_jsonschema_check_ref(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    return prompt_jsonschema_apply(validator, rule->schema, frame->instance,
                                   rule->value->name);
}


bool
prompt_jsonschema_check_all_of(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    bool    valid;
    size_t  i;

    valid = true;

    for (i = 0; i < rule->value->count; i++) {
        valid = prompt_jsonschema_apply(validator, rule->schemas[i],
                                        frame->instance, rule->value->name)
                && valid;

        if (!valid && prompt_jsonschema_ends(validator)) {
            break;
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


bool
prompt_jsonschema_check_any_of(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    size_t  enough;

    /* each that matches says what it looked at */

    enough = frame->instance->seen != NULL ? SIZE_MAX : 1;

    return prompt_jsonschema_count(validator, rule, frame->instance, enough)
           != 0
           || prompt_jsonschema_fails(validator, frame, rule,
                                      "must match at least one of the %u "
                                      "schemas of anyOf",
                                      (unsigned) rule->value->count);
}


bool
prompt_jsonschema_check_one_of(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    size_t  n;

    n = prompt_jsonschema_count(validator, rule, frame->instance, 2);

    return n == 1
           || prompt_jsonschema_fails(validator, frame, rule,
                                      "must match exactly one of the %u "
                                      "schemas of oneOf, and matches %s",
                                      (unsigned) rule->value->count,
                                      n == 0 ? "none" : "more");
}


bool
prompt_jsonschema_check_not(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    prompt_jsonschema_instance_t  alone;

    alone = *frame->instance;
    alone.seen = NULL;

    return !prompt_jsonschema_matches(validator, rule->schema, &alone)
           || prompt_jsonschema_fails(validator, frame, rule,
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


/* asked by then and else, and where somebody wants to know what it looks at */
bool
prompt_jsonschema_check_if(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    if (frame->instance->seen != NULL) {
        (void) prompt_jsonschema_condition(validator, frame, rule);
    }

    return true;
}


/* then, or else: stands where its keyword stands, asks what `if` says */
bool
prompt_jsonschema_check_branch(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    const prompt_jsonschema_rule_t  *condition;

    condition = prompt_jsonschema_find(frame->schema, PROMPT_JSONSCHEMA_IF);

    return condition == NULL
           || prompt_jsonschema_condition(validator, frame, condition)
              != (rule->op == PROMPT_JSONSCHEMA_THEN)
           || prompt_jsonschema_check_ref(validator, frame, rule);
}


/*
 * $dynamicRef: of all schemas that have the name, that of the resource which
 * was entered before the others.
 */
bool
prompt_jsonschema_check_dynamic(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
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

    return prompt_jsonschema_apply(validator, schema, frame->instance,
                                   rule->value->name);
}
