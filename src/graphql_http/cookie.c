/*
 * Cookies: NAME=VALUE, with semicolons between them.
 */

#include "graphql_http/cookie.h"

#include "base/scan.h"


void
gql_http_cookie_init(gql_http_cookie_t *cookie, prompt_str_t name)
{
    cookie->name = name;
    cookie->value = prompt_str_absent;
    cookie->count = 0;
}


void
gql_http_cookie_add(gql_http_cookie_t *cookie, prompt_str_t header)
{
    bool          more;
    prompt_str_t  value, name;

    do {
        more = prompt_scan_split(&header, ';', &value);

        if (!prompt_scan_split(&value, '=', &name)
            || !prompt_str_eq(prompt_scan_trim(name), cookie->name))
        {
            continue;
        }

        value = prompt_scan_trim(value);

        if (value.len >= 2 && value.data[0] == '"'
            && value.data[value.len - 1] == '"')
        {
            value = prompt_str_of(value.data + 1, value.len - 2);
        }

        if (cookie->count++ == 0) {
            cookie->value = value;
        }

    } while (more);
}
