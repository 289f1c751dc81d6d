/*
 * Validation: keywords for arrays (JSON Schema 2020-12 core, 10.3.1, and
 * validation, 6.4).
 */

#include "jsonschema/validate.h"


/* the elements from first on: a schema for all, or one each */
static bool
prompt_jsonschema_check_elements(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule,
    size_t first)
{
    bool                  valid;
    size_t                i;
    const prompt_json_t  *element;

    if (!prompt_jsonschema_spend(validator, first)) {
        return false;
    }

    valid = true;
    i = 0;

    for (element = frame->instance->value->first; element != NULL;
         element = element->next)
    {
        if (rule->schemas != NULL && i == rule->value->count) {
            break;
        }

        if (i >= first) {
            prompt_jsonschema_see(frame->instance, i);

            if (!prompt_jsonschema_apply_child(validator, frame, rule,
                                               rule->schemas != NULL
                                               ? rule->schemas[i]
                                               : rule->schema, element, i,
                                               &valid))
            {
                break;
            }
        }

        i++;
    }

    return valid;
}


/* prefixItems as well, which is items of draft-07 where that is an array */
bool
prompt_jsonschema_check_items(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    const prompt_jsonschema_rule_t  *prefix;

    prefix = rule->schemas == NULL
             ? prompt_jsonschema_find(frame->schema,
                                      PROMPT_JSONSCHEMA_PREFIX_ITEMS)
             : NULL;

    return prompt_jsonschema_check_elements(validator, frame, rule,
                                            prefix != NULL
                                            ? prefix->value->count : 0);
}


/* of draft-07: for what `items`, if it is an array, leaves over */
bool
prompt_jsonschema_check_additional_items(
    prompt_jsonschema_validator_t *validator, prompt_jsonschema_frame_t *frame,
    const prompt_jsonschema_rule_t *rule)
{
    const prompt_jsonschema_rule_t  *items;

    items = prompt_jsonschema_find(frame->schema, PROMPT_JSONSCHEMA_ITEMS);

    return items == NULL || items->schemas == NULL
           || prompt_jsonschema_check_elements(validator, frame, rule,
                                               items->value->count);
}


bool
prompt_jsonschema_check_unique(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    size_t                twice, bytes;
    prompt_json_unique_t  unique;
    const prompt_json_t  *array;

    if (!rule->value->boolean) {
        return true;
    }

    array = frame->instance->value;
    unique = prompt_json_unique(array, &twice, &bytes);

    if (unique == PROMPT_JSON_UNIQUE_NOMEM) {
        validator->stop = PROMPT_JSONSCHEMA_NO_MEMORY;
        return false;
    }

    return prompt_jsonschema_spend(validator, 8 * (size_t) array->count
                                              + bytes / 4)
           && (unique == PROMPT_JSON_UNIQUE
               || prompt_jsonschema_fails(validator, frame, rule,
                                          "must not have equal elements, such "
                                          "as the one at index %zu", twice));
}


/* contains, with minContains and maxContains beside it */
bool
prompt_jsonschema_check_contains(prompt_jsonschema_validator_t *validator,
    prompt_jsonschema_frame_t *frame, const prompt_jsonschema_rule_t *rule)
{
    size_t                           i;
    uint64_t                         n, min;
    prompt_path_t                    path;
    const prompt_json_t             *element;
    prompt_jsonschema_instance_t     child;
    const prompt_jsonschema_rule_t  *limit;

    n = 0;
    i = 0;

    for (element = frame->instance->value->first; element != NULL;
         element = element->next)
    {
        path = prompt_jsonschema_child_path(frame->instance, element, i);
        child.value = element;
        child.path = &path;
        child.seen = NULL;

        if (prompt_jsonschema_matches(validator, rule->schema, &child)) {
            prompt_jsonschema_see(frame->instance, i);
            n++;
        }

        i++;

        if (validator->stop != PROMPT_JSONSCHEMA_GOES_ON) {
            return false;
        }
    }

    limit = prompt_jsonschema_find(frame->schema,
                                   PROMPT_JSONSCHEMA_MIN_CONTAINS);
    min = limit != NULL ? limit->count : 1;

    if (n < min) {
        return prompt_jsonschema_fails(validator, frame,
                                       limit != NULL ? limit : rule,
                                       "must contain at least %llu elements "
                                       "that match, and has %llu",
                                       (unsigned long long) min,
                                       (unsigned long long) n);
    }

    limit = prompt_jsonschema_find(frame->schema,
                                   PROMPT_JSONSCHEMA_MAX_CONTAINS);

    return limit == NULL || n <= limit->count
           || prompt_jsonschema_fails(validator, frame, limit,
                                      "must contain at most %llu elements "
                                      "that match, and has %llu",
                                      (unsigned long long) limit->count,
                                      (unsigned long long) n);
}
