/*
 * Where a request comes from: whether a page of this very site sent it.
 *
 * Browsers say so by Sec-Fetch-Site, which no page can set (Fetch Metadata);
 * those that do not, name the page's origin in Origin with every POST (Fetch,
 * 3.2).  What comes from elsewhere must not do anything with the cookie of
 * who sits there.
 */

#ifndef GQL_HTTP_ORIGIN_H
#define GQL_HTTP_ORIGIN_H

#include "base/str.h"


typedef enum {
    GQL_HTTP_ORIGIN_SAME = 0,
    GQL_HTTP_ORIGIN_UNSAID,          /* neither header is there */
    GQL_HTTP_ORIGIN_OTHER
} gql_http_origin_e;


/*
 * fetch_site, origin: the headers; absent: not there.  tls: whether the
 * request came so.  host: its Host header or :authority, with port where one
 * was given.  Where fetch_site is there, origin is not looked at.  The case
 * of names does not matter; the default port is the same as none.
 */
gql_http_origin_e gql_http_origin(prompt_str_t fetch_site,
    prompt_str_t origin, bool tls, prompt_str_t host);

#endif /* GQL_HTTP_ORIGIN_H */
