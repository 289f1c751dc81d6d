/*
 * Media types of a request's and an answer's headers.
 */

#ifndef NGX_HTTP_PROMPT_MEDIA_H
#define NGX_HTTP_PROMPT_MEDIA_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "graphql_http/media.h"


/*
 * The form of answer that the Accept headers of r, one or many, ask for.
 * events: whether it may come as events, as it must for a subscription.
 */
gql_http_media_e ngx_http_prompt_media_accepted(ngx_http_request_t *r,
    bool *events);

/* There is a Content-Type, and it is application/json in UTF-8. */
ngx_int_t ngx_http_prompt_media_is_json(ngx_http_request_t *r);

/* A Content-Encoding other than identity is named. */
ngx_uint_t ngx_http_prompt_media_is_encoded(ngx_http_request_t *r);

/*
 * Sets the Content-Type of r's answer, with its charset; not NONE.  For events
 * that is JSON: what is no event is an HTTP error.
 */
void ngx_http_prompt_media_set(ngx_http_request_t *r, gql_http_media_e media);

#endif /* NGX_HTTP_PROMPT_MEDIA_H */
