/*
 * Cookies: one of a name, in the Cookie headers of a request (RFC 6265, 4.2).
 */

#ifndef GQL_HTTP_COOKIE_H
#define GQL_HTTP_COOKIE_H

#include "base/str.h"


/* what the headers of a request, one by one, have under a name */
typedef struct {
    prompt_str_t  name;              /* told apart by every byte */
    prompt_str_t  value;             /* the first one; without quotes */
    unsigned      count;
} gql_http_cookie_t;


void gql_http_cookie_init(gql_http_cookie_t *cookie, prompt_str_t name);

/*
 * The value of one Cookie header, in time linear in its length.  What is no
 * cookie, and what has another name, is passed over.
 */
void gql_http_cookie_add(gql_http_cookie_t *cookie, prompt_str_t header);

#endif /* GQL_HTTP_COOKIE_H */
