/*
 * Headers of a request that have a name.
 */

#include "service/worker/header.h"


bool
ngx_http_prompt_header_next(const ngx_http_request_t *r,
    ngx_http_prompt_headers_t *at, prompt_str_t name, prompt_str_t *value)
{
    const ngx_table_elt_t  *header;

    if (at->part == NULL) {
        at->part = &r->headers_in.headers.part;
    }

    for ( ;; ) {

        if (at->next == at->part->nelts) {

            if (at->part->next == NULL) {
                return false;
            }

            at->part = at->part->next;
            at->next = 0;
            continue;
        }

        header = (const ngx_table_elt_t *) at->part->elts + at->next++;

        if (header->key.len == name.len
            && ngx_strncasecmp(header->key.data, (u_char *) name.data, name.len)
               == 0)
        {
            *value = prompt_str_of((char *) header->value.data,
                                   header->value.len);
            return true;
        }
    }
}


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
