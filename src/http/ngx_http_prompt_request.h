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
#include "service/service.h"


/* memory of one request: so much, and so much for each byte of its body */
#define NGX_HTTP_PROMPT_REQUEST_MEMORY       (64 * 1024 * 1024)
#define NGX_HTTP_PROMPT_REQUEST_MEMORY_BODY  48

/* bytes of one answer */
#define NGX_HTTP_PROMPT_MAX_RESPONSE         NGX_HTTP_PROMPT_ANSWER_MEMORY


/*
 * A request to the endpoint.  Allocated in r->pool; what it owns outside the
 * pool goes in three steps, however the request ends.  When the answer is
 * written, all but its bytes is given back: a client may take long to read
 * it.  The request's cleanup cancels what is in flight.  The bytes go piece by
 * piece as they are sent, and what is left lives as long as the pool: HTTP/2
 * keeps a frame that is partly sent, of a stream that was reset, beyond the
 * request's cleanup.
 */
typedef struct {
    ngx_http_prompt_job_t          job;          /* first: end() gets it */
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

    gql_prepared_t                *prepared;
    const prompt_json_t           *variables;    /* coerced */
    ngx_buf_t                     *replacement;  /* of an error page of nginx */

    prompt_str_t                  *pieces;       /* of the answer: free() */
    size_t                         npieces;
    ngx_buf_t                     *bufs;         /* of them; NULL: they did not
                                                    go out yet */
    size_t                         nsent;        /* pieces, freed */
    size_t                         unsent;       /* bytes of the others */

    unsigned                       keep:1;       /* the document: see
                                                    ngx_http_prompt_query.h */
    unsigned                       changes:1;    /* it asks for more than a
                                                    look */
    unsigned                       answered:1;   /* the answer is ours */
    unsigned                       detached:1;   /* nothing is in flight */
    unsigned                       replaced:1;   /* the replacement went out */
} ngx_http_prompt_ctx_t;


/* The content handler of a prompt_graphql location. */
ngx_int_t ngx_http_prompt_handler(ngx_http_request_t *r);

/* The context of r, made where there is none; NULL when memory is short. */
ngx_http_prompt_ctx_t *ngx_http_prompt_get_ctx(ngx_http_request_t *r);

/* All root fields of a job are completed: its answer goes out. */
void ngx_http_prompt_end(ngx_http_prompt_job_t *job);

/* Gives back all that served to make the answer; again does no harm. */
void ngx_http_prompt_release(ngx_http_prompt_ctx_t *ctx);

/* There is room for the answer of what was found to be allowed. */
void ngx_http_prompt_begin(ngx_http_prompt_ctx_t *ctx);

/* Runs the operation; its scopes were found to be enough. */
void ngx_http_prompt_run(ngx_http_prompt_ctx_t *ctx);

/* Ends the request with its pieces, which are there. */
void ngx_http_prompt_answer(ngx_http_prompt_ctx_t *ctx);

/*
 * Ends the request with one error and an HTTP status, before or instead of
 * execution.
 */
void ngx_http_prompt_refuse(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message);

#endif /* NGX_HTTP_PROMPT_REQUEST_H */
