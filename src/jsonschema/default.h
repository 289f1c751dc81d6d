/*
 * What an input schema says of a path that the input has no value for.
 */

#ifndef PROMPT_JSONSCHEMA_DEFAULT_H
#define PROMPT_JSONSCHEMA_DEFAULT_H

#include "jsonschema/schema.h"


/*
 * The first segment of a dotted path, which *path then no longer has; false
 * where nothing is left.
 */
bool prompt_schema_segment(prompt_str_t *path, prompt_str_t *segment);

/*
 * The `default` of the property that path names, or NULL.  *optional: the
 * schema lists that property, and not as required.  Looks below `properties`,
 * `items` and `prefixItems`, through `$ref` and `allOf`.  Takes from *steps;
 * where that comes to 0 the result means nothing.
 */
const prompt_json_t *prompt_schema_default(const prompt_schema_t *schema,
    prompt_str_t path, unsigned *steps, bool *optional);

#endif /* PROMPT_JSONSCHEMA_DEFAULT_H */
