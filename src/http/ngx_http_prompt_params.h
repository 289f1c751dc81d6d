/*
 * The parameters of a GraphQL request: query, variables, operationName and
 * extensions, from a JSON body or from the URL (GraphQL over HTTP, "Request
 * Parameters"), and documentId, or id, as many clients call it.
 */

#ifndef NGX_HTTP_PROMPT_PARAMS_H
#define NGX_HTTP_PROMPT_PARAMS_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/arena.h"
#include "base/json.h"


/* nesting of a request body as a whole; single values have less */
#define NGX_HTTP_PROMPT_PARAMS_DEPTH   256

/*
 * JSON values in a request body: some ten milliseconds, and more than any
 * params, inputSchema or input that is not made to have many.
 */
#define NGX_HTTP_PROMPT_PARAMS_VALUES  200000

/* where client_max_body_size is 0, or larger: what a body may take in memory */
#define NGX_HTTP_PROMPT_PARAMS_BODY    (64 * 1024 * 1024)


typedef struct {
    prompt_str_t          query;
    prompt_str_t          document_id;         /* absent: not given */
    prompt_str_t          operation_name;      /* absent: not given */
    const prompt_json_t  *variables;           /* an OBJECT, or NULL */
    const prompt_json_t  *extensions;          /* an OBJECT, or NULL */
} ngx_http_prompt_params_t;


/*
 * Reads the parameters of r, whose body has been read: from the URL for GET,
 * from the body otherwise.  What params points to lives in arena or r->pool.
 * NGX_OK; NGX_DECLINED: this is no GraphQL request, *message says why (400);
 * NGX_HTTP_REQUEST_ENTITY_TOO_LARGE; NGX_ERROR: memory, or a file that cannot
 * be read (logged).
 */
ngx_int_t ngx_http_prompt_params_read(ngx_http_request_t *r,
    prompt_arena_t *arena, ngx_http_prompt_params_t *params,
    prompt_str_t *message);

/*
 * The body of r as one piece, from memory or from the file it went to; empty
 * where there is none.  Returns as ngx_http_prompt_params_read(), without
 * NGX_DECLINED.
 */
ngx_int_t ngx_http_prompt_params_body(ngx_http_request_t *r, ngx_str_t *body);

#endif /* NGX_HTTP_PROMPT_PARAMS_H */
