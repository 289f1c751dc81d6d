/*
 * Fuzz target: the headers Accept and Content-Type.  A list in one header
 * means what its ranges mean in headers of their own.
 */

#include <stdlib.h>

#include "graphql_http/media.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static gql_http_media_e
fuzz_whole(prompt_str_t text)
{
    gql_http_accept_t  accept;

    gql_http_accept_init(&accept);
    gql_http_accept_add(&accept, text);

    return gql_http_accept_choose(&accept);
}


/* the same, cut at its commas: no string in quotes may be in it */
static gql_http_media_e
fuzz_cut(prompt_str_t text)
{
    size_t              len;
    const char         *comma;
    gql_http_accept_t   accept;

    gql_http_accept_init(&accept);

    while (text.len != 0) {
        comma = memchr(text.data, ',', text.len);
        len = comma != NULL ? (size_t) (comma - text.data) : text.len;

        gql_http_accept_add(&accept, prompt_str_of(text.data, len));

        len += (comma != NULL);
        text = prompt_str_of(text.data + len, text.len - len);
    }

    return gql_http_accept_choose(&accept);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prompt_str_t      text;
    gql_http_media_e  media;

    text = prompt_str_of((const char *) data, size);
    media = fuzz_whole(text);

    if (size != 0 && memchr(data, '"', size) == NULL
        && media != fuzz_cut(text))
    {
        abort();
    }

    if (gql_http_media_is_json(text) && media != GQL_HTTP_MEDIA_JSON
        && memchr(data, ';', size) == NULL)
    {
        abort();
    }

    return 0;
}
