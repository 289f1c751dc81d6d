/*
 * What an input schema says of a path that the input has no value for.
 */

#include "jsonschema/default.h"


typedef struct {
    const prompt_schema_t  *schema;      /* of the property; NULL: not listed */
    bool                    required;
} prompt_schema_place_t;


bool
prompt_schema_segment(prompt_str_t *path, prompt_str_t *segment)
{
    const char  *point;

    if (path->len == 0) {
        return false;
    }

    point = memchr(path->data, '.', path->len);
    segment->data = path->data;
    segment->len = point != NULL ? (size_t) (point - path->data) : path->len;

    path->data += segment->len;
    path->len -= segment->len;

    if (point != NULL) {
        path->data++;
        path->len--;
    }

    return true;
}


static bool
prompt_schema_take(unsigned *steps, size_t n)
{
    if (n >= *steps) {
        *steps = 0;
        return false;
    }

    *steps -= (unsigned) n;

    return true;
}


/* the schema of an element, where the segment is an index */
static const prompt_schema_t *
prompt_schema_default_element(const prompt_schema_t *schema,
    prompt_str_t segment)
{
    size_t                       i, index;
    const prompt_schema_rule_t  *rule;

    if (segment.len == 0 || segment.len > 9) {
        return NULL;
    }

    index = 0;

    for (i = 0; i < segment.len; i++) {
        if (segment.data[i] < '0' || segment.data[i] > '9') {
            return NULL;
        }

        index = index * 10 + (size_t) (segment.data[i] - '0');
    }

    rule = prompt_schema_find(schema, PROMPT_SCHEMA_PREFIX_ITEMS);

    if (rule != NULL && index < rule->value->count) {
        return rule->schemas[index];
    }

    rule = prompt_schema_find(schema, PROMPT_SCHEMA_ITEMS);

    if (rule == NULL) {
        return NULL;
    }

    if (rule->schemas == NULL) {
        return rule->schema;
    }

    return index < rule->value->count ? rule->schemas[index] : NULL;
}


static bool
prompt_schema_is_required(const prompt_schema_t *schema, prompt_str_t segment,
    unsigned *steps)
{
    const prompt_json_t         *name;
    const prompt_schema_rule_t  *rule;

    rule = prompt_schema_find(schema, PROMPT_SCHEMA_REQUIRED);

    if (rule == NULL || !prompt_schema_take(steps, rule->value->count)) {
        return false;
    }

    for (name = rule->value->first; name != NULL; name = name->next) {
        if (prompt_str_eq(name->text, segment)) {
            return true;
        }
    }

    return false;
}


/*
 * Finds the property in a schema and those that it applies to the same value.
 * Calls itself no deeper than schemas may be applied so: that was measured
 * when the schema was compiled.
 */
static void
prompt_schema_default_step(const prompt_schema_t *schema, prompt_str_t segment,
    unsigned *steps, prompt_schema_place_t *place)
{
    size_t                       i;
    const prompt_schema_t       *element;
    const prompt_schema_rule_t  *rule;
    const prompt_json_member_t  *member;

    if (!prompt_schema_take(steps, 1)) {
        return;
    }

    place->required = place->required
                      || prompt_schema_is_required(schema, segment, steps);

    for (rule = schema->first; rule != NULL; rule = rule->next) {

        switch (rule->op) {

        case PROMPT_SCHEMA_PROPERTIES:
            member = prompt_json_members_find(rule->index, rule->value->count,
                                              segment);

            if (member != NULL && place->schema == NULL) {
                place->schema = rule->schemas[member->offset];
            }

            break;

        case PROMPT_SCHEMA_REF:
            prompt_schema_default_step(rule->schema, segment, steps, place);
            break;

        case PROMPT_SCHEMA_ALL_OF:
            for (i = 0; i < rule->value->count; i++) {
                prompt_schema_default_step(rule->schemas[i], segment, steps,
                                           place);
            }

            break;

        default:
            break;
        }
    }

    if (place->schema == NULL) {
        element = prompt_schema_default_element(schema, segment);

        if (element != NULL) {
            place->schema = element;
            place->required = true;  /* no property that could be optional */
        }
    }
}


/* the default of a schema, or of one that it applies to the same value */
static const prompt_json_t *
prompt_schema_default_of(const prompt_schema_t *schema, unsigned *steps)
{
    size_t                       i;
    const prompt_json_t         *value;
    const prompt_schema_rule_t  *rule;

    if (!prompt_schema_take(steps, 1)) {
        return NULL;
    }

    value = prompt_json_get(schema->json, prompt_str("default"));

    for (rule = schema->first; rule != NULL && value == NULL;
         rule = rule->next)
    {
        if (rule->op == PROMPT_SCHEMA_REF) {
            value = prompt_schema_default_of(rule->schema, steps);

        } else if (rule->op == PROMPT_SCHEMA_ALL_OF) {
            for (i = 0; i < rule->value->count && value == NULL; i++) {
                value = prompt_schema_default_of(rule->schemas[i], steps);
            }
        }
    }

    return value;
}


const prompt_json_t *
prompt_schema_default(const prompt_schema_t *schema, prompt_str_t path,
    unsigned *steps, bool *optional)
{
    prompt_str_t           segment;
    prompt_schema_place_t  place;

    *optional = false;
    place.schema = schema;
    place.required = true;

    while (prompt_schema_segment(&path, &segment)) {
        schema = place.schema;
        place.schema = NULL;
        place.required = false;

        prompt_schema_default_step(schema, segment, steps, &place);

        if (place.schema == NULL) {
            return NULL;
        }
    }

    *optional = !place.required;

    return prompt_schema_default_of(place.schema, steps);
}
