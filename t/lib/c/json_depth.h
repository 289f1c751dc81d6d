/*
 * How deep a tree of JSON is nested.
 */

#ifndef PROMPT_T_LIB_JSON_DEPTH_H
#define PROMPT_T_LIB_JSON_DEPTH_H

#include "base/json.h"


/* 0 for a scalar */
unsigned prompt_json_depth(const prompt_json_t *value);

#endif /* PROMPT_T_LIB_JSON_DEPTH_H */
