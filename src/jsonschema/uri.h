/*
 * URIs as references: taken apart, and resolved against a base (RFC 3986, 5).
 */

#ifndef PROMPT_JSONSCHEMA_URI_H
#define PROMPT_JSONSCHEMA_URI_H

#include "base/str.h"


/* bytes that a resolved URI may have */
#define PROMPT_URI_MAX  2000


/* what is not there is absent, but for path, which may be empty */
typedef struct {
    prompt_str_t  scheme;
    prompt_str_t  authority;
    prompt_str_t  path;
    prompt_str_t  query;
    prompt_str_t  fragment;
} prompt_uri_t;


/* Takes any text apart, whether it is a URI or not; points into it. */
void prompt_uri_split(prompt_str_t text, prompt_uri_t *uri);

/*
 * Writes what the reference names, without its fragment; base may itself be
 * relative.  Absent where that is longer than PROMPT_URI_MAX.
 */
prompt_str_t prompt_uri_resolve(prompt_str_t base,
    const prompt_uri_t *reference, char out[PROMPT_URI_MAX]);

#endif /* PROMPT_JSONSCHEMA_URI_H */
