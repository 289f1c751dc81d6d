/*
 * Headers of a request that have a name.
 */

#include "service/worker/header.h"


ngx_uint_t
ngx_http_prompt_header_count(const ngx_http_request_t *r, prompt_str_t name,
    prompt_str_t *value)
{
    ngx_uint_t                 n;
    ngx_http_prompt_headers_t  at;

    n = 0;
    *value = prompt_str_absent;
    ngx_memzero(&at, sizeof(ngx_http_prompt_headers_t));

    while (ngx_http_prompt_header_next(r, &at, name, value)) {
        n++;
    }

    return n;
}
