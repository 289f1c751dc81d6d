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


/* The value of the next one of that name.  False: there are no more. */
bool ngx_http_prompt_header_next(const ngx_http_request_t *r,
    ngx_http_prompt_headers_t *at, prompt_str_t name, prompt_str_t *value);

/* How many there are; value: the last one's, or absent. */
ngx_uint_t ngx_http_prompt_header_count(const ngx_http_request_t *r,
    prompt_str_t name, prompt_str_t *value);

#endif /* NGX_HTTP_PROMPT_HEADER_H */
