/*
 * Cookies: NAME=VALUE, with semicolons between them.
 */

#include "graphql_http/cookie.h"


static prompt_str_t gql_http_cookie_trim(const char *first, const char *last);


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
    const char    *p, *end, *last, *equals;
    prompt_str_t   value;

    last = header.data + header.len;

    for (p = header.data; p < last; p = end + 1) {

        end = memchr(p, ';', (size_t) (last - p));
        end = end != NULL ? end : last;

        equals = memchr(p, '=', (size_t) (end - p));

        if (equals == NULL
            || !prompt_str_eq(gql_http_cookie_trim(p, equals), cookie->name))
        {
            continue;
        }

        value = gql_http_cookie_trim(equals + 1, end);

        if (value.len >= 2 && value.data[0] == '"'
            && value.data[value.len - 1] == '"')
        {
            value = prompt_str_of(value.data + 1, value.len - 2);
        }

        if (cookie->count++ == 0) {
            cookie->value = value;
        }
    }
}


static prompt_str_t
gql_http_cookie_trim(const char *first, const char *last)
{
    while (first < last && (*first == ' ' || *first == '\t')) {
        first++;
    }

    while (last > first && (last[-1] == ' ' || last[-1] == '\t')) {
        last--;
    }

    return prompt_str_of(first, (size_t) (last - first));
}
