/*
 * The way of a request: method, media types, key, body, document, operation,
 * answer.  See the drawing in ARCHITECTURE.md.
 */

#ifndef NGX_HTTP_PROMPT_REQUEST_H
#define NGX_HTTP_PROMPT_REQUEST_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "http/ngx_http_prompt_auth.h"
#include "http/ngx_http_prompt_media.h"
#include "http/ngx_http_prompt_params.h"
#include "service/frame/operation.h"


/* memory of one request: so much, and so much for each byte of its body */
#define NGX_HTTP_PROMPT_REQUEST_MEMORY       (64 * 1024 * 1024)
#define NGX_HTTP_PROMPT_REQUEST_MEMORY_BODY  48


/*
 * A request to the endpoint.  Allocated in r->pool; what it owns outside the
 * pool is its operation's, whose answer goes piece by piece as it is sent.
 */
typedef struct {
    ngx_http_prompt_operation_t    op;
    gql_http_media_e               media;
    bool                           accepts_events;
    void                          *events;       /* of a subscription, see
                                                    ngx_http_prompt_events.h */
    uint8_t                        key[PROMPT_KEY_HASH_LEN];
    ngx_http_prompt_auth_e         auth;         /* what the key is of */
    ngx_http_prompt_lookup_t      *lookup;       /* of the key, in flight */
    void                          *session;      /* of who signs in or out, see
                                                    ngx_http_prompt_session.c */
    gql_http_params_t              params;

    uint8_t                        sha256[32];   /* of the document, where
                                                    it is to be kept */

    ngx_buf_t                     *replacement;  /* of an error page of nginx */

    ngx_buf_t                     *bufs;         /* of the answer's pieces;
                                                    NULL: they did not go out
                                                    yet */
    size_t                         nsent;        /* pieces, freed */
    size_t                         unsent;       /* bytes of the others */

    unsigned                       keep:1;       /* the document: see
                                                    ngx_http_prompt_query.h */
    unsigned                       answered:1;   /* the answer is ours */
    unsigned                       replaced:1;   /* the replacement went out */
} ngx_http_prompt_ctx_t;


/* The content handler of a prompt_graphql location. */
ngx_int_t ngx_http_prompt_handler(ngx_http_request_t *r);

/* what is told of its operation */
extern const ngx_http_prompt_told_t  ngx_http_prompt_told;


/* The context of r, made where there is none; NULL when memory is short. */
ngx_http_prompt_ctx_t *ngx_http_prompt_get_ctx(ngx_http_request_t *r);

/*
 * Ends the request with one error and an HTTP status, before or instead of
 * execution.
 */
void ngx_http_prompt_refuse(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message);

#endif /* NGX_HTTP_PROMPT_REQUEST_H */
