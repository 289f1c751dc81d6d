/*
 * Validation: keywords for objects (JSON Schema 2020-12 core, 10.3.2 and
 * 10.2.2.4, and validation, 6.5).
 */

#include "jsonschema/validate.h"

#include <stdlib.h>


static prompt_path_t
prompt_jsonschema_member_path(const prompt_jsonschema_instance_t *instance,
    const prompt_json_t *member)
{
    prompt_path_t  path;

    path.parent = instance->path;
    path.name = member->name;
    path.index = 0;

    return path;
}


static bool
prompt_jsonschema_apply_member(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema, const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance, const prompt_json_t *member)
{
    prompt_path_t                 path;
    prompt_jsonschema_instance_t  child;

    path = prompt_jsonschema_member_path(instance, member);
    child.value = member;
    child.path = &path;
    child.seen = NULL;

    return prompt_jsonschema_apply(validator, schema, &child,
                                   rule->value->name);
}


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


static bool
prompt_jsonschema_check_properties(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool                   valid;
    size_t                 i;
    const prompt_json_t  **pairs;

    pairs = prompt_jsonschema_pair(validator, rule, instance, true);
    valid = pairs != NULL;

    for (i = 0; pairs != NULL && i < rule->value->count; i++) {

        if (pairs[i] != NULL
            && !prompt_jsonschema_apply_member(validator, rule->schemas[i],
                                               rule, instance, pairs[i]))
        {
            valid = false;

            if (prompt_jsonschema_ends(validator)) {
                break;
            }
        }
    }

    free(pairs);

    return valid;
}


static bool
prompt_jsonschema_check_patterns(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool                  valid;
    size_t                i, n;
    const prompt_json_t  *member;

    valid = true;

    for (i = 0; i < rule->value->count; i++) {
        n = 0;

        for (member = instance->value->first; member != NULL;
             member = member->next)
        {
            if (prompt_regex_match(rule->of.regexes[i], member->name,
                                   &validator->steps))
            {
                prompt_jsonschema_see(instance, n);

                if (!prompt_jsonschema_apply_member(validator, rule->schemas[i],
                                                    rule, instance, member))
                {
                    valid = false;
                }
            }

            n++;

            if ((!valid && prompt_jsonschema_ends(validator))
                || !prompt_jsonschema_spend(validator, 0))
            {
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


static bool
prompt_jsonschema_check_additional(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema, const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool                             valid;
    size_t                           i;
    const prompt_json_t             *member;
    const prompt_jsonschema_rule_t  *properties, *patterns;

    properties = prompt_jsonschema_find(schema, PROMPT_JSONSCHEMA_PROPERTIES);
    patterns = prompt_jsonschema_find(schema,
                                      PROMPT_JSONSCHEMA_PATTERN_PROPERTIES);
    valid = true;
    i = 0;

    for (member = instance->value->first; member != NULL;
         member = member->next)
    {
        if (prompt_jsonschema_evaluated(validator, properties, patterns,
                                        member)) {
            i++;
            continue;
        }

        prompt_jsonschema_see(instance, i++);

        if (!prompt_jsonschema_spend(validator, 1)
            || !prompt_jsonschema_apply_member(validator, rule->schema, rule,
                                               instance, member))
        {
            valid = false;

            if (prompt_jsonschema_ends(validator)) {
                break;
            }
        }
    }

    return valid;
}


bool
prompt_jsonschema_check_rest_members(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool                  valid;
    size_t                i;
    const prompt_json_t  *member;

    if (!prompt_jsonschema_spend(validator, 1 + instance->value->count / 8)) {
        return false;
    }

    valid = true;
    i = 0;

    for (member = instance->value->first; member != NULL;
         member = member->next)
    {
        if (instance->seen->flags[i]) {
            i++;
            continue;
        }

        prompt_jsonschema_see(instance, i++);

        if (!prompt_jsonschema_apply_member(validator, rule->schema, rule,
                                            instance, member))
        {
            valid = false;

            if (prompt_jsonschema_ends(validator)) {
                break;
            }
        }
    }

    return valid;
}


static bool
prompt_jsonschema_check_names(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool                          valid;
    prompt_json_t                 name;
    prompt_path_t                 path;
    const prompt_json_t          *member;
    prompt_jsonschema_instance_t  child;

    valid = true;
    memset(&name, 0, sizeof(name));
    name.type = PROMPT_JSON_STRING;

    for (member = instance->value->first; member != NULL;
         member = member->next)
    {
        name.text = member->name;
        path = prompt_jsonschema_member_path(instance, member);
        child.value = &name;
        child.path = &path;
        child.seen = NULL;

        if (!prompt_jsonschema_apply(validator, rule->schema, &child,
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


/* the names that must be there; because: absent, or the property that asks */
static bool
prompt_jsonschema_check_required(prompt_jsonschema_validator_t *validator,
    const prompt_json_t *names, prompt_str_t keyword, prompt_str_t because,
    const prompt_jsonschema_instance_t *instance)
{
    bool                  valid;
    prompt_str_t          field;
    const prompt_json_t  *name;

    valid = true;

    for (name = names->first; name != NULL; name = name->next) {

        if (!prompt_jsonschema_spend(validator,
                                     1 + instance->value->count / 4)) {
            return false;
        }

        if (prompt_json_get(instance->value, name->text) != NULL) {
            continue;
        }

        valid = false;

        if (prompt_jsonschema_ends(validator)) {
            return false;
        }

        field = name->text.len != 0 ? name->text : prompt_str("\"\"");

        if (because.data == NULL) {
            (void) prompt_jsonschema_violation(validator, instance, keyword,
                                               field, "is required");

        } else {
            because = prompt_fault_excerpt(validator->arena, because);
            (void) prompt_jsonschema_violation(validator, instance, keyword,
                                               field,
                                               "is required when %.*s is given",
                                               prompt_str_arg(because));
        }

        if (prompt_jsonschema_ends(validator)) {
            return false;
        }
    }

    return valid;
}


/* dependentRequired, dependentSchemas, and dependencies, which is either */
static bool
prompt_jsonschema_check_dependent(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool                   valid, one;
    size_t                 i;
    const prompt_json_t   *member, **pairs;

    pairs = prompt_jsonschema_pair(validator, rule, instance, false);
    valid = pairs != NULL;
    i = 0;

    for (member = rule->value->first; pairs != NULL && member != NULL;
         member = member->next)
    {
        one = true;

        if (pairs[i] != NULL) {
            one = rule->schemas != NULL && rule->schemas[i] != NULL
                  ? prompt_jsonschema_apply(validator, rule->schemas[i],
                                            instance, rule->value->name)
                  : prompt_jsonschema_check_required(validator, member,
                                                     rule->value->name,
                                                     member->name, instance);
        }

        i++;

        if (!one) {
            valid = false;

            if (prompt_jsonschema_ends(validator)) {
                break;
            }
        }
    }

    free(pairs);

    return valid;
}


static bool
prompt_jsonschema_check_size(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    if (rule->op == PROMPT_JSONSCHEMA_MAX_PROPERTIES
        ? instance->value->count <= rule->count
        : instance->value->count >= rule->count)
    {
        return true;
    }

    return prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent,
                                       "must not have %s than %llu properties",
                                       rule->op
                                       == PROMPT_JSONSCHEMA_MAX_PROPERTIES
                                       ? "more" : "fewer",
                                       (unsigned long long) rule->count);
}


bool
prompt_jsonschema_check_object(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema, const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    switch (rule->op) {

    case PROMPT_JSONSCHEMA_MAX_PROPERTIES:
    case PROMPT_JSONSCHEMA_MIN_PROPERTIES:
        return prompt_jsonschema_check_size(validator, rule, instance);

    case PROMPT_JSONSCHEMA_REQUIRED:
        return prompt_jsonschema_check_required(validator, rule->value,
                                                rule->value->name,
                                                prompt_str_absent, instance);

    case PROMPT_JSONSCHEMA_PROPERTIES:
        return prompt_jsonschema_check_properties(validator, rule, instance);

    case PROMPT_JSONSCHEMA_PATTERN_PROPERTIES:
        return prompt_jsonschema_check_patterns(validator, rule, instance);

    case PROMPT_JSONSCHEMA_ADDITIONAL_PROPERTIES:
        return prompt_jsonschema_check_additional(validator, schema, rule,
                                                  instance);

    case PROMPT_JSONSCHEMA_PROPERTY_NAMES:
        return prompt_jsonschema_check_names(validator, rule, instance);

    default:
        return prompt_jsonschema_check_dependent(validator, rule, instance);
    }
}
