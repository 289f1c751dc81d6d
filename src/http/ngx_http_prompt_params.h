/*
 * The parameters of a GraphQL request, out of nginx's buffers.
 */

#ifndef NGX_HTTP_PROMPT_PARAMS_H
#define NGX_HTTP_PROMPT_PARAMS_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "graphql_http/params.h"


/* where client_max_body_size is 0, or larger: what a body may take in memory */
#define NGX_HTTP_PROMPT_PARAMS_BODY   (64 * 1024 * 1024)


/*
 * Reads the parameters of r, whose body has been read: from the URL for GET,
 * from the body otherwise.  What params points to lives in arena or r->pool.
 * NGX_OK; NGX_DECLINED: this is no GraphQL request, *message says why (400);
 * NGX_HTTP_REQUEST_ENTITY_TOO_LARGE; NGX_ERROR: memory, or a file that cannot
 * be read (logged).
 */
ngx_int_t ngx_http_prompt_params_read(ngx_http_request_t *r,
    prompt_arena_t *arena, gql_http_params_t *params,
    prompt_str_t *message);

/*
 * The body of r as a JSON value, in arena; returns as params_read() does.
 */
ngx_int_t ngx_http_prompt_params_json(ngx_http_request_t *r,
    prompt_arena_t *arena, const prompt_json_t **value, prompt_str_t *message);

/*
 * The body of r as one piece, from memory or from the file it went to; empty
 * where there is none.  Returns as ngx_http_prompt_params_read(), without
 * NGX_DECLINED.
 */
ngx_int_t ngx_http_prompt_params_body(ngx_http_request_t *r, ngx_str_t *body);

/* Wipes what of the body is in memory: there was a password in it. */
void ngx_http_prompt_params_wipe(ngx_http_request_t *r);

#endif /* NGX_HTTP_PROMPT_PARAMS_H */
