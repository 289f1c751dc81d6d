/*
 * The API as it was written: schema.graphql, embedded by the build.
 */

#ifndef PROMPT_PROMPT_SCHEMA_TEXT_H
#define PROMPT_PROMPT_SCHEMA_TEXT_H

#include <stddef.h>


/* the bytes of schema.graphql, and a zero that the length does not count */
extern const char    prompt_schema_text[];
extern const size_t  prompt_schema_text_len;

#endif /* PROMPT_PROMPT_SCHEMA_TEXT_H */
