/*
 * Origins: SCHEME://HOST[:PORT], compared with where a request went.
 */

#include "graphql_http/origin.h"


static bool gql_http_origin_is(prompt_str_t origin, bool tls,
    prompt_str_t host);
static bool gql_http_origin_begins(prompt_str_t *text, const char *word);
static prompt_str_t gql_http_origin_host(prompt_str_t text, const char *port);
static bool gql_http_origin_eq(prompt_str_t a, prompt_str_t b);
static char gql_http_origin_lower(char c);


gql_http_origin_e
gql_http_origin(prompt_str_t fetch_site, prompt_str_t origin, bool tls,
    prompt_str_t host)
{
    if (fetch_site.data != NULL) {
        return prompt_str_eq(fetch_site, prompt_str("same-origin"))
               ? GQL_HTTP_ORIGIN_SAME : GQL_HTTP_ORIGIN_OTHER;
    }

    if (origin.data != NULL) {
        return gql_http_origin_is(origin, tls, host)
               ? GQL_HTTP_ORIGIN_SAME : GQL_HTTP_ORIGIN_OTHER;
    }

    return GQL_HTTP_ORIGIN_UNSAID;
}


/* "null", and all that is no origin, is nobody's */

static bool
gql_http_origin_is(prompt_str_t origin, bool tls, prompt_str_t host)
{
    const char  *port;

    port = tls ? ":443" : ":80";

    if (!gql_http_origin_begins(&origin, tls ? "https://" : "http://")) {
        return false;
    }

    origin = gql_http_origin_host(origin, port);
    host = gql_http_origin_host(host, port);

    return host.len != 0 && gql_http_origin_eq(origin, host);
}


static bool
gql_http_origin_begins(prompt_str_t *text, const char *word)
{
    size_t  len;

    len = strlen(word);

    if (text->len < len
        || !gql_http_origin_eq(prompt_str_of(text->data, len),
                               prompt_str_of(word, len)))
    {
        return false;
    }

    *text = prompt_str_of(text->data + len, text->len - len);

    return true;
}


/* without the default port, of which the name is never empty */

static prompt_str_t
gql_http_origin_host(prompt_str_t text, const char *port)
{
    size_t  len;

    len = strlen(port);

    if (text.len > len
        && memcmp(text.data + text.len - len, port, len) == 0)
    {
        text.len -= len;
    }

    return text;
}


static bool
gql_http_origin_eq(prompt_str_t a, prompt_str_t b)
{
    size_t  i;

    if (a.len != b.len) {
        return false;
    }

    for (i = 0; i < a.len; i++) {
        if (gql_http_origin_lower(a.data[i])
            != gql_http_origin_lower(b.data[i]))
        {
            return false;
        }
    }

    return true;
}


static char
gql_http_origin_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
}
