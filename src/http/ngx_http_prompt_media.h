/*
 * Media types: what the client sends and what it accepts (RFC 9110, 8.3 and
 * 12.5.1; GraphQL over HTTP, "Media Types").
 */

#ifndef NGX_HTTP_PROMPT_MEDIA_H
#define NGX_HTTP_PROMPT_MEDIA_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


typedef enum {
    NGX_HTTP_PROMPT_MEDIA_NONE = 0,      /* nothing that we can write: 406 */
    NGX_HTTP_PROMPT_MEDIA_JSON,          /* application/json */
    NGX_HTTP_PROMPT_MEDIA_GRAPHQL        /* application/graphql-response+json */
} ngx_http_prompt_media_t;


/*
 * The form of answer that the Accept headers of r ask for: the highest
 * quality wins, then the order of the header; none, or a wildcard, means
 * application/json.
 */
ngx_http_prompt_media_t ngx_http_prompt_media_accepted(ngx_http_request_t *r);

/* Content-Type is application/json, in UTF-8 where a charset is named. */
ngx_int_t ngx_http_prompt_media_is_json(const ngx_str_t *content_type);

/* A Content-Encoding other than identity is named. */
ngx_uint_t ngx_http_prompt_media_is_encoded(ngx_http_request_t *r);

/* the Content-Type of an answer, without its charset */
ngx_str_t ngx_http_prompt_media_name(ngx_http_prompt_media_t media);

#endif /* NGX_HTTP_PROMPT_MEDIA_H */
