/*
 * Fuzz target: formats, and URIs as references.  The first line is the name of
 * a format, or a URI that the rest refers from.
 */

#include "jsonschema/format.h"
#include "jsonschema/uri.h"

#include "base/utf8.h"

#include <stdlib.h>


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char              out[PROMPT_URI_MAX];
    bool              nomem;
    size_t            n;
    const char       *text, *end;
    prompt_str_t      first, rest, resolved;
    prompt_uri_t      uri;
    prompt_format_t   format;

    text = (const char *) data;
    end = size != 0 ? memchr(text, '\n', size) : NULL;

    if (end == NULL || !prompt_utf8_valid(prompt_str_of(text, size))) {
        return 0;
    }

    n = (size_t) (end - text);
    first = prompt_str_of(text, n);
    rest = prompt_str_of(end + 1, size - n - 1);

    nomem = false;
    format = prompt_format(first);
    (void) prompt_format_matches(format, rest, &nomem);

    /* what has been resolved stays as it is, where it has a scheme */

    prompt_uri_split(rest, &uri);
    resolved = prompt_uri_resolve(first, &uri, out);

    if (resolved.data == NULL) {
        return 0;
    }

    prompt_uri_split(resolved, &uri);

    if (uri.fragment.data != NULL && memchr(first.data, '#', first.len) == NULL)
    {
        abort();
    }

    return 0;
}
