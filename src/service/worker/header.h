/*
 * Headers of a request that have a name, in whichever case it is written.
 */

#ifndef NGX_HTTP_PROMPT_HEADER_H
#define NGX_HTTP_PROMPT_HEADER_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/str.h"


/* where a walk over the headers is; zeroed: before the first */
typedef struct {
    const ngx_list_part_t  *part;
    ngx_uint_t              next;
} ngx_http_prompt_headers_t;


/*
 * The value of the next one of that name.  False: there are no more.  Inline,
 * since every request is looked through for a few.
 */
static ngx_inline bool
ngx_http_prompt_header_next(const ngx_http_request_t *r,
    ngx_http_prompt_headers_t *at, prompt_str_t name, prompt_str_t *value)
{
    ngx_uint_t              i;
    const ngx_list_part_t  *part;
    const ngx_table_elt_t  *header;

    i = at->next;
    part = at->part != NULL ? at->part : &r->headers_in.headers.part;

    for ( /* void */ ; part != NULL; part = part->next, i = 0) {
        header = part->elts;

        for ( /* void */ ; i < part->nelts; i++) {

            if (header[i].key.len == name.len
                && ngx_strncasecmp(header[i].key.data, (u_char *) name.data,
                                   name.len)
                   == 0)
            {
                at->part = part;
                at->next = i + 1;
                *value = prompt_str_of((char *) header[i].value.data,
                                       header[i].value.len);
                return true;
            }
        }
    }

    return false;
}


/* How many there are; value: the last one's, or absent. */
ngx_uint_t ngx_http_prompt_header_count(const ngx_http_request_t *r,
    prompt_str_t name, prompt_str_t *value);

#endif /* NGX_HTTP_PROMPT_HEADER_H */
