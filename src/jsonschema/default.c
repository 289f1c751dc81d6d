/*
 * What an input schema says of a path that the input has no value for.
 */

#include "jsonschema/default.h"

#include "base/scan.h"


/* schemas that say something of one property or element; the first count */
#define PROMPT_JSONSCHEMA_PLACES  32


typedef struct {
    const prompt_jsonschema_t  *schemas[PROMPT_JSONSCHEMA_PLACES];
    size_t                      count;
    bool                        listed;  /* as a property */
    bool                        required;
} prompt_jsonschema_place_t;


/*
 * The first segment of a dotted path, which *path then no longer has; false
 * where nothing is left.
 */
static bool
prompt_jsonschema_segment(prompt_str_t *path, prompt_str_t *segment)
{
    if (path->len == 0) {
        return false;
    }

    (void) prompt_scan_split(path, '.', segment);

    return true;
}


static bool
prompt_jsonschema_take(unsigned *steps, size_t n)
{
    if (n >= *steps) {
        *steps = 0;
        return false;
    }

    *steps -= (unsigned) n;

    return true;
}


/* the member or element that a segment names */
static const prompt_json_t *
prompt_jsonschema_child(const prompt_json_t *value, prompt_str_t segment,
    unsigned *steps)
{
    size_t                index;
    const prompt_json_t  *child;

    if (value->type == PROMPT_JSON_ARRAY) {
        return prompt_jsonschema_index(segment, &index) && index < value->count
               && prompt_jsonschema_take(steps, index)
               ? prompt_json_at(value, index) : NULL;
    }

    if (value->type != PROMPT_JSON_OBJECT) {
        return NULL;
    }

    for (child = value->first; child != NULL; child = child->next) {
        if (!prompt_jsonschema_take(steps, 1)) {
            return NULL;
        }

        if (prompt_str_eq(child->name, segment)) {
            break;
        }
    }

    return child;
}


const prompt_json_t *
prompt_jsonschema_value(const prompt_json_t *value, prompt_str_t path,
    unsigned *steps, prompt_str_t *left)
{
    prompt_str_t  segment;

    *left = path;

    while (value != NULL && prompt_jsonschema_segment(&path, &segment)) {
        value = prompt_jsonschema_child(value, segment, steps);

        if (value != NULL) {
            *left = path;
        }
    }

    return value;
}


static void
prompt_jsonschema_add(prompt_jsonschema_place_t *place,
                      const prompt_jsonschema_t *schema)
{
    if (place->count < PROMPT_JSONSCHEMA_PLACES) {
        place->schemas[place->count++] = schema;
    }
}


/* the schema of an element, where the segment is an index */
static const prompt_jsonschema_t *
prompt_jsonschema_default_element(const prompt_jsonschema_t *schema,
    prompt_str_t segment)
{
    size_t                           index;
    const prompt_jsonschema_rule_t  *rule;

    if (!prompt_jsonschema_index(segment, &index)) {
        return NULL;
    }

    rule = prompt_jsonschema_find(schema, PROMPT_JSONSCHEMA_PREFIX_ITEMS);

    if (rule != NULL && index < rule->value->count) {
        return rule->schemas[index];
    }

    rule = prompt_jsonschema_find(schema, PROMPT_JSONSCHEMA_ITEMS);

    if (rule == NULL) {
        return NULL;
    }

    if (rule->schemas == NULL) {
        return rule->schema;
    }

    return index < rule->value->count ? rule->schemas[index] : NULL;
}


static bool
prompt_jsonschema_is_required(const prompt_jsonschema_t *schema,
    prompt_str_t segment, unsigned *steps)
{
    const prompt_json_t             *name;
    const prompt_jsonschema_rule_t  *rule;

    rule = prompt_jsonschema_find(schema, PROMPT_JSONSCHEMA_REQUIRED);

    if (rule == NULL || !prompt_jsonschema_take(steps, rule->value->count)) {
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
 * Finds the property in a schema and those that it applies to the same value,
 * which may each say something of it.
 * Calls itself no deeper than schemas may be applied so: that was measured
 * when the schema was compiled.
 */
static void
prompt_jsonschema_default_step(const prompt_jsonschema_t *schema,
    prompt_str_t segment, unsigned *steps, prompt_jsonschema_place_t *place)
{
    size_t                           i;
    const prompt_jsonschema_t       *element;
    const prompt_jsonschema_rule_t  *rule;
    const prompt_json_member_t      *member;

    if (!prompt_jsonschema_take(steps, 1)) {
        return;
    }

    place->required = place->required
                      || prompt_jsonschema_is_required(schema, segment, steps);

    for (rule = schema->first; rule != NULL; rule = rule->next) {

        switch (rule->op) {

        case PROMPT_JSONSCHEMA_PROPERTIES:
            member = prompt_json_members_find(rule->index, rule->value->count,
                                              segment);

            if (member != NULL) {
                prompt_jsonschema_add(place, rule->schemas[member->offset]);
                place->listed = true;
            }

            break;

        case PROMPT_JSONSCHEMA_REF:
            prompt_jsonschema_default_step(rule->schema, segment, steps, place);
            break;

        case PROMPT_JSONSCHEMA_ALL_OF:
            for (i = 0; i < rule->value->count; i++) {
                prompt_jsonschema_default_step(rule->schemas[i], segment, steps,
                                               place);
            }

            break;

        default:
            break;
        }
    }

    element = prompt_jsonschema_default_element(schema, segment);

    if (element != NULL) {
        prompt_jsonschema_add(place, element);
    }
}


/* the default of a schema, or of one that it applies to the same value */
static const prompt_json_t *
prompt_jsonschema_default_of(const prompt_jsonschema_t *schema, unsigned *steps)
{
    size_t                           i;
    const prompt_json_t             *value;
    const prompt_jsonschema_rule_t  *rule;

    if (!prompt_jsonschema_take(steps, 1)) {
        return NULL;
    }

    value = prompt_json_get(schema->json, prompt_str("default"));

    for (rule = schema->first; rule != NULL && value == NULL;
         rule = rule->next)
    {
        if (rule->op == PROMPT_JSONSCHEMA_REF) {
            value = prompt_jsonschema_default_of(rule->schema, steps);

        } else if (rule->op == PROMPT_JSONSCHEMA_ALL_OF) {
            for (i = 0; i < rule->value->count && value == NULL; i++) {
                value = prompt_jsonschema_default_of(rule->schemas[i], steps);
            }
        }
    }

    return value;
}


const prompt_json_t *
prompt_jsonschema_default(const prompt_jsonschema_t *schema, prompt_str_t path,
    prompt_str_t left, unsigned *steps, bool *optional)
{
    size_t                     i;
    prompt_str_t               segment, unused;
    const prompt_json_t       *value, *found, *outer;
    prompt_jsonschema_place_t  place, next;

    *optional = false;
    found = NULL;
    place.schemas[0] = schema;
    place.count = 1;
    place.listed = false;
    place.required = true;

    while (prompt_jsonschema_segment(&path, &segment)) {
        memset(&next, 0, sizeof(next));

        /* one segment further: what all of the schemas say */

        for (i = 0; i < place.count; i++) {
            prompt_jsonschema_default_step(place.schemas[i], segment, steps,
                                           &next);
        }

        place = next;

        if (place.count == 0) {
            return found;
        }

        value = NULL;

        /*
         * What the input has none of, its default may be read for: the first
         * that one of the schemas has.
         */

        for (i = 0;
             i < place.count && value == NULL && segment.data >= left.data;
             i++)
        {
            value = prompt_jsonschema_default_of(place.schemas[i], steps);
        }

        if (path.len == 0) {
            found = value != NULL ? value : found;

        } else if (value != NULL) {
            outer = prompt_jsonschema_value(value, path, steps, &unused);
            found = outer != NULL ? outer : found;
        }
    }

    *optional = place.listed && !place.required;

    return found;
}
