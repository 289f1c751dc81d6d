/*
 * Origins: SCHEME://HOST[:PORT], compared with where a request went.
 */

#include "graphql_http/origin.h"

#include "base/scan.h"


static bool gql_http_origin_is(prompt_str_t origin, bool tls,
    prompt_str_t host);
static prompt_str_t gql_http_origin_host(prompt_str_t text, prompt_str_t port);


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
    prompt_str_t  scheme, port, given;

    scheme = tls ? prompt_str("https") : prompt_str("http");
    port = tls ? prompt_str(":443") : prompt_str(":80");

    if (!prompt_scan_split(&origin, ':', &given)
        || !prompt_scan_same(given, scheme)
        || !prompt_scan_word(&origin, prompt_str("//")))
    {
        return false;
    }

    origin = gql_http_origin_host(origin, port);
    host = gql_http_origin_host(host, port);

    return host.len != 0 && prompt_scan_same(origin, host);
}


/* without the default port, of which the name is never empty */
static prompt_str_t
gql_http_origin_host(prompt_str_t text, prompt_str_t port)
{
    if (text.len > port.len
        && memcmp(text.data + text.len - port.len, port.data, port.len) == 0)
    {
        text.len -= port.len;
    }

    return text;
}
