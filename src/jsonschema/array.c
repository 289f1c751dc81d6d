/*
 * Validation: keywords for arrays (JSON Schema 2020-12 core, 10.3.1, and
 * validation, 6.4).
 */

#include "jsonschema/validate.h"


static prompt_path_t
prompt_jsonschema_element_path(const prompt_jsonschema_instance_t *instance,
    size_t index)
{
    prompt_path_t  path;

    path.parent = instance->path;
    path.name = prompt_str_absent;
    path.index = index;

    return path;
}


/* prefixItems, and items of draft-07 where it is an array */
static bool
prompt_jsonschema_check_prefix(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool                          valid;
    size_t                        i;
    prompt_path_t                 path;
    const prompt_json_t          *element;
    prompt_jsonschema_instance_t  child;

    valid = true;
    i = 0;

    for (element = instance->value->first;
         element != NULL && i < rule->value->count;
         element = element->next)
    {
        path = prompt_jsonschema_element_path(instance, i);
        child.value = element;
        child.path = &path;
        child.seen = NULL;

        prompt_jsonschema_see(instance, i);

        if (!prompt_jsonschema_apply(validator, rule->schemas[i], &child,
                                     rule->value->name))
        {
            valid = false;

            if (prompt_jsonschema_ends(validator)) {
                break;
            }
        }

        i++;
    }

    return valid;
}


/* one schema for all elements from first on */
static bool
prompt_jsonschema_check_rest(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance, size_t first)
{
    bool                          valid;
    size_t                        i;
    prompt_path_t                 path;
    const prompt_json_t          *element;
    prompt_jsonschema_instance_t  child;

    if (!prompt_jsonschema_spend(validator, first)) {
        return false;
    }

    valid = true;
    i = 0;

    for (element = instance->value->first; element != NULL;
         element = element->next)
    {
        path = prompt_jsonschema_element_path(instance, i);
        child.value = element;
        child.path = &path;
        child.seen = NULL;

        if (i < first) {
            i++;
            continue;
        }

        prompt_jsonschema_see(instance, i++);

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


static bool
prompt_jsonschema_check_items(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema, const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    size_t                           first;
    const prompt_jsonschema_rule_t  *prefix;

    if (rule->schemas != NULL) {
        return prompt_jsonschema_check_prefix(validator, rule, instance);
    }

    prefix = prompt_jsonschema_find(schema, PROMPT_JSONSCHEMA_PREFIX_ITEMS);
    first = prefix != NULL ? prefix->value->count : 0;

    return prompt_jsonschema_check_rest(validator, rule, instance, first);
}


/* of draft-07: for what `items`, if it is an array, leaves over */
static bool
prompt_jsonschema_check_additional(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema, const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    const prompt_jsonschema_rule_t  *items;

    items = prompt_jsonschema_find(schema, PROMPT_JSONSCHEMA_ITEMS);

    if (items == NULL || items->schemas == NULL) {
        return true;
    }

    return prompt_jsonschema_check_rest(validator, rule, instance,
                                        items->value->count);
}


static bool
prompt_jsonschema_check_size(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    if (rule->op == PROMPT_JSONSCHEMA_MAX_ITEMS
        ? instance->value->count <= rule->count
        : instance->value->count >= rule->count)
    {
        return true;
    }

    return prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent,
                                       "must not have %s than %llu elements",
                                       rule->op == PROMPT_JSONSCHEMA_MAX_ITEMS
                                       ? "more" : "fewer",
                                       (unsigned long long) rule->count);
}


static bool
prompt_jsonschema_check_unique(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    size_t                twice, bytes;
    prompt_json_unique_t  unique;

    if (!rule->value->boolean) {
        return true;
    }

    unique = prompt_json_unique(instance->value, &twice, &bytes);

    if (unique == PROMPT_JSON_UNIQUE_NOMEM) {
        validator->stop = PROMPT_JSONSCHEMA_NO_MEMORY;
        return false;
    }

    if (!prompt_jsonschema_spend(validator, 8 * (size_t) instance->value->count
                                            + bytes / 4)) {
        return false;
    }

    if (unique == PROMPT_JSON_UNIQUE) {
        return true;
    }

    return prompt_jsonschema_violation(validator, instance, rule->value->name,
                                       prompt_str_absent, "must not have equal "
                                       "elements, such as the one at index %zu",
                                       twice);
}


/* contains, with minContains and maxContains beside it */
static bool
prompt_jsonschema_check_contains(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema, const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    size_t                           i;
    uint64_t                         n, min;
    prompt_path_t                    path;
    const prompt_json_t             *element;
    prompt_jsonschema_instance_t     child;
    const prompt_jsonschema_rule_t  *limit;

    n = 0;
    i = 0;

    for (element = instance->value->first; element != NULL;
         element = element->next)
    {
        path = prompt_jsonschema_element_path(instance, i);
        child.value = element;
        child.path = &path;
        child.seen = NULL;

        if (prompt_jsonschema_matches(validator, rule->schema, &child)) {
            prompt_jsonschema_see(instance, i);
            n++;
        }

        i++;

        if (validator->stop != PROMPT_JSONSCHEMA_GOES_ON) {
            return false;
        }
    }

    limit = prompt_jsonschema_find(schema, PROMPT_JSONSCHEMA_MIN_CONTAINS);
    min = limit != NULL ? limit->count : 1;

    if (n < min) {
        return prompt_jsonschema_violation(validator, instance,
                                           limit != NULL ? limit->value->name
                                                         : rule->value->name,
                                           prompt_str_absent, "must contain at "
                                           "least %llu elements that match, "
                                           "and has %llu",
                                           (unsigned long long) min,
                                           (unsigned long long) n);
    }

    limit = prompt_jsonschema_find(schema, PROMPT_JSONSCHEMA_MAX_CONTAINS);

    if (limit != NULL && n > limit->count) {
        return prompt_jsonschema_violation(validator, instance,
                                           limit->value->name,
                                           prompt_str_absent,
                                           "must contain at most %llu elements "
                                           "that match, and has %llu",
                                           (unsigned long long) limit->count,
                                           (unsigned long long) n);
    }

    return true;
}


bool
prompt_jsonschema_check_rest_items(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    bool                          valid;
    size_t                        i;
    prompt_path_t                 path;
    const prompt_json_t          *element;
    prompt_jsonschema_instance_t  child;

    if (!prompt_jsonschema_spend(validator, 1 + instance->value->count / 8)) {
        return false;
    }

    valid = true;
    i = 0;

    for (element = instance->value->first; element != NULL;
         element = element->next)
    {
        if (instance->seen->flags[i]) {
            i++;
            continue;
        }

        path = prompt_jsonschema_element_path(instance, i);
        child.value = element;
        child.path = &path;
        child.seen = NULL;
        prompt_jsonschema_see(instance, i++);

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


bool
prompt_jsonschema_check_array(prompt_jsonschema_validator_t *validator,
    const prompt_jsonschema_t *schema, const prompt_jsonschema_rule_t *rule,
    const prompt_jsonschema_instance_t *instance)
{
    switch (rule->op) {

    case PROMPT_JSONSCHEMA_PREFIX_ITEMS:
        return prompt_jsonschema_check_prefix(validator, rule, instance);

    case PROMPT_JSONSCHEMA_ITEMS:
        return prompt_jsonschema_check_items(validator, schema, rule, instance);

    case PROMPT_JSONSCHEMA_ADDITIONAL_ITEMS:
        return prompt_jsonschema_check_additional(validator, schema, rule,
                                                  instance);

    case PROMPT_JSONSCHEMA_MAX_ITEMS:
    case PROMPT_JSONSCHEMA_MIN_ITEMS:
        return prompt_jsonschema_check_size(validator, rule, instance);

    case PROMPT_JSONSCHEMA_UNIQUE_ITEMS:
        return prompt_jsonschema_check_unique(validator, rule, instance);

    case PROMPT_JSONSCHEMA_CONTAINS:
        return prompt_jsonschema_check_contains(validator, schema, rule,
                                                instance);

    default:                         /* said by contains */
        return true;
    }
}
