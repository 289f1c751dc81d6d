/*
 * How deep a tree of JSON is nested.
 */

#include "json_depth.h"


unsigned
prompt_json_depth(const prompt_json_t *value)
{
    unsigned              depth, deepest;
    const prompt_json_t  *child;

    if (value->type != PROMPT_JSON_ARRAY && value->type != PROMPT_JSON_OBJECT) {
        return 0;
    }

    deepest = 0;

    for (child = value->first; child != NULL; child = child->next) {
        depth = prompt_json_depth(child);
        deepest = depth > deepest ? depth : deepest;
    }

    return deepest + 1;
}
