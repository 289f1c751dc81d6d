/*
 * What an input schema says of a path that the input has no value for.
 */

#ifndef PROMPT_JSONSCHEMA_DEFAULT_H
#define PROMPT_JSONSCHEMA_DEFAULT_H

#include "jsonschema/schema.h"


/*
 * The value below value that a dotted path names, or NULL.  *left is then
 * what of path begins with the segment that has no value.  Takes from *steps;
 * where that comes to 0 the result means nothing.
 */
const prompt_json_t *prompt_jsonschema_value(const prompt_json_t *value,
    prompt_str_t path, unsigned *steps, prompt_str_t *left);

/*
 * What a schema gives for a path that has no value from left on, a part of
 * path: the `default` of the property that path names, else what the nearest
 * `default` above it, of an object or array that is absent, too, has there;
 * or NULL.  *optional: the schema lists that property, and not as required.
 * Looks below `properties`, `items` and `prefixItems`, through `$ref` and
 * `allOf`.  Takes from *steps; where that comes to 0 the result means nothing.
 */
const prompt_json_t *prompt_jsonschema_default(
    const prompt_jsonschema_t *schema, prompt_str_t path, prompt_str_t left,
    unsigned *steps, bool *optional);

#endif /* PROMPT_JSONSCHEMA_DEFAULT_H */
