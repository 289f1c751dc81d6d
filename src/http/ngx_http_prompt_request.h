/*
 * The way of a request: method, media types, key, body, document, operation,
 * answer.  See the drawing in ARCHITECTURE.md.
 */

#ifndef NGX_HTTP_PROMPT_REQUEST_H
#define NGX_HTTP_PROMPT_REQUEST_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/arena.h"
#include "graphql/engine.h"
#include "http/ngx_http_prompt_auth.h"
#include "http/ngx_http_prompt_media.h"
#include "http/ngx_http_prompt_params.h"


/* memory of one request: so much, and so much for each byte of its body */
#define NGX_HTTP_PROMPT_REQUEST_MEMORY       (64 * 1024 * 1024)
#define NGX_HTTP_PROMPT_REQUEST_MEMORY_BODY  48

/* bytes of one answer */
#define NGX_HTTP_PROMPT_MAX_RESPONSE         (64 * 1024 * 1024)


typedef struct ngx_http_prompt_ctx_s        ngx_http_prompt_ctx_t;
typedef struct ngx_http_prompt_operation_s  ngx_http_prompt_operation_t;


/* what log_format may say of a request */
typedef struct {
    prompt_str_t  operation;         /* root field, or "multiple" */
    prompt_str_t  error_code;        /* of the first error */
    prompt_str_t  model;
    prompt_str_t  cost_usd;
    int64_t       tokens_in;         /* -1: unknown */
    int64_t       tokens_out;
    int64_t       provider_ms;       /* -1: no provider was called */
} ngx_http_prompt_log_t;


/*
 * A request to the endpoint.  Allocated in r->pool; everything it owns
 * outside the pool (arena, execution, plan, operations) is given back by the
 * pool's cleanup, so it goes however the request ends.
 */
struct ngx_http_prompt_ctx_s {
    ngx_http_request_t            *request;
    prompt_arena_t                *arena;
    ngx_http_prompt_media_t        media;
    ngx_http_prompt_auth_t        *auth;         /* while it is looked up */
    ngx_http_prompt_identity_t     identity;
    ngx_http_prompt_params_t       params;

    uint8_t                        sha256[32];   /* of the document, where
                                                    it is to be kept */

    gql_prepared_t                *prepared;
    const gql_plan_t              *plan;
    const prompt_json_t           *variables;    /* coerced */
    gql_execution_t               *execution;

    /* root fields: src/service */
    ngx_http_prompt_operation_t   *operations;   /* one a root field */
    uint32_t                       started;
    uint32_t                       running;

    ngx_http_prompt_log_t          log;

    ngx_buf_t                     *replacement;  /* of an error page of nginx */
    char                           text[40];     /* of the leaf that is
                                                    being written */

    unsigned                       keep:1;       /* the document: see
                                                    ngx_http_prompt_query.h */
    unsigned                       in_loop:1;    /* operations are started */
    unsigned                       answered:1;   /* the answer is ours */
    unsigned                       replaced:1;   /* and went out */
};


/* The content handler of a prompt_graphql location. */
ngx_int_t ngx_http_prompt_handler(ngx_http_request_t *r);

/* The context of r, made where there is none; NULL when memory is short. */
ngx_http_prompt_ctx_t *ngx_http_prompt_get_ctx(ngx_http_request_t *r);

/* All root fields are completed: sends the answer and finalizes r. */
void ngx_http_prompt_finish(ngx_http_prompt_ctx_t *ctx);

/* While something is waited for: a client that leaves ends the request. */
void ngx_http_prompt_watch_client(ngx_http_request_t *r);

/*
 * Ends the request with one error and an HTTP status, before or instead of
 * execution.
 */
void ngx_http_prompt_refuse(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message);

#endif /* NGX_HTTP_PROMPT_REQUEST_H */
