/*
 * Validation: keywords for objects (JSON Schema 2020-12 core, 10.3.2 and
 * 10.2.2.4, and validation, 6.5).
 */

#include "jsonschema/validate.h"

#include <stdlib.h>


/*
 * For each member of the rule's value the member of the instance that has its
 * name, or NULL, in the order of the schema's text; see: what is found was
 * looked at.  To be freed; NULL ends validation.
 */
static const prompt_json_t **
prompt_jsonschema_pair(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance, bool see)
{
    size_t                       i;
    const prompt_json_t         *member, **pairs;
    const prompt_json_member_t  *found;

    if (!prompt_jsonschema_spend(validator, rule->value->count / 8
                                            + instance->value->count))
    {
        return NULL;
    }

    pairs = calloc(rule->value->count + 1, sizeof(prompt_json_t *));
    if (pairs == NULL) {
        validator->stop = PROMPT_JSONSCHEMA_NO_MEMORY;
        return NULL;
    }

    i = 0;

    for (member = instance->value->first; member != NULL;
         member = member->next)
    {
        found = prompt_json_members_find(rule->index, rule->value->count,
                                         member->name);
        if (found != NULL) {
            pairs[found->offset] = member;

            if (see) {
                prompt_jsonschema_see(instance, i);
            }
        }

        i++;
    }

    return pairs;
}


bool
prompt_jsonschema_check_properties(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    bool                   valid;
    size_t                 i;
    const prompt_json_t  **pairs;

    pairs = prompt_jsonschema_pair(validator, rule, frame->instance, true);
    valid = pairs != NULL;

    for (i = 0; pairs != NULL && i < rule->value->count; i++) {

        if (pairs[i] != NULL
            && !prompt_jsonschema_apply_child(validator, frame, rule,
                                              rule->schemas[i], pairs[i], 0,
                                              &valid))
        {
            break;
        }
    }

    free(pairs);

    return valid;
}


bool
prompt_jsonschema_check_patterns(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    bool                  valid;
    size_t                i, n;
    const prompt_json_t  *member;

    valid = true;

    for (i = 0; i < rule->value->count; i++) {
        n = 0;

        for (member = frame->instance->value->first; member != NULL;
             member = member->next)
        {
            if (prompt_regex_match(rule->of.regexes[i], member->name,
                                   &validator->steps))
            {
                prompt_jsonschema_see(frame->instance, n);

                if (!prompt_jsonschema_apply_child(validator, frame, rule,
                                                   rule->schemas[i], member, n,
                                                   &valid))
                {
                    return false;
                }
            }

            n++;

            if (!prompt_jsonschema_spend(validator, 0)) {
                return false;
            }
        }
    }

    return valid;
}


/* whether properties or patternProperties beside it look at the member */
static bool
prompt_jsonschema_evaluated(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *properties,
    const prompt_jsonschema_rule_t *patterns, const prompt_json_t *member)
{
    size_t  i;

    if (properties != NULL
        && prompt_json_members_find(properties->index,
                                    properties->value->count, member->name)
           != NULL)
    {
        return true;
    }

    for (i = 0; patterns != NULL && i < patterns->value->count; i++) {
        if (prompt_regex_match(patterns->of.regexes[i], member->name,
                               &validator->steps))
        {
            return true;
        }
    }

    return false;
}


bool
prompt_jsonschema_check_additional(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    bool                             valid;
    size_t                           i;
    const prompt_json_t             *member;
    const prompt_jsonschema_rule_t  *properties, *patterns;

    properties = prompt_jsonschema_find(frame->schema,
                                        PROMPT_JSONSCHEMA_PROPERTIES);
    patterns = prompt_jsonschema_find(frame->schema,
                                      PROMPT_JSONSCHEMA_PATTERN_PROPERTIES);
    valid = true;
    i = 0;

    for (member = frame->instance->value->first; member != NULL;
         member = member->next)
    {
        if (!prompt_jsonschema_evaluated(validator, properties, patterns,
                                         member))
        {
            prompt_jsonschema_see(frame->instance, i);

            if (!prompt_jsonschema_spend(validator, 1)
                || !prompt_jsonschema_apply_child(validator, frame, rule,
                                                  rule->schema, member, i,
                                                  &valid))
            {
                return false;
            }
        }

        i++;
    }

    return valid;
}


bool
prompt_jsonschema_check_names(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    bool                  valid;
    prompt_json_t         name;
    const prompt_json_t  *member;

    valid = true;
    memset(&name, 0, sizeof(name));
    name.type = PROMPT_JSON_STRING;

    for (member = frame->instance->value->first; member != NULL;
         member = member->next)
    {
        name.name = member->name;
        name.text = member->name;
        if (!prompt_jsonschema_apply_child(validator, frame, rule,
                                           rule->schema, &name, 0, &valid))
        {
            break;
        }
    }

    return valid;
}


/* the names that must be there; because: absent, or the property that asks */
static bool
prompt_jsonschema_require(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule,
    const prompt_json_t *names, prompt_str_t because)
{
    bool                  valid;
    prompt_str_t          field;
    const prompt_json_t  *name, *value;

    valid = true;
    value = frame->instance->value;

    for (name = names->first; name != NULL; name = name->next) {

        if (!prompt_jsonschema_spend(validator, 1 + value->count / 4)) {
            return false;
        }

        if (prompt_json_get(value, name->text) != NULL) {
            continue;
        }

        valid = false;
        field = name->text.len != 0 ? name->text : prompt_str("\"\"");

        if (because.data == NULL) {
            (void) prompt_jsonschema_violation(validator, frame->instance,
                                               rule->value->name, field,
                                               "is required");

        } else if (!prompt_jsonschema_ends(validator)) {
            because = prompt_fault_excerpt(validator->arena, because);
            (void) prompt_jsonschema_violation(validator, frame->instance,
                                               rule->value->name, field,
                                               "is required when %.*s is given",
                                               prompt_str_arg(because));
        }

        if (prompt_jsonschema_ends(validator)) {
            break;
        }
    }

    return valid;
}


bool
prompt_jsonschema_check_required(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    return prompt_jsonschema_require(validator, frame, rule, rule->value,
                                     prompt_str_absent);
}


/* dependentRequired, dependentSchemas, and dependencies, which is either */
bool
prompt_jsonschema_check_dependent(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    bool                   valid, one;
    size_t                 i;
    const prompt_json_t   *member, **pairs;

    pairs = prompt_jsonschema_pair(validator, rule, frame->instance, false);
    valid = pairs != NULL;
    i = 0;

    for (member = rule->value->first; pairs != NULL && member != NULL;
         member = member->next)
    {
        one = true;

        if (pairs[i] != NULL) {
            one = rule->schemas != NULL && rule->schemas[i] != NULL
                  ? prompt_jsonschema_apply(validator, rule->schemas[i],
                                            frame->instance, rule->value->name)
                  : prompt_jsonschema_require(validator, frame, rule, member,
                                              member->name);
        }

        i++;
        valid = one && valid;

        if (!valid && prompt_jsonschema_ends(validator)) {
            break;
        }
    }

    free(pairs);

    return valid;
}
