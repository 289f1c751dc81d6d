/*
 * Requests, of whatever protocol: their context, who asks, the body, and how
 * they are refused.  A protocol is a row (ngx_http_prompt_protocol_t) and a
 * directive that calls ngx_http_prompt_endpoint(); what it asks for is run by
 * an operation (service/frame/operation.h).
 */

#ifndef NGX_HTTP_PROMPT_REQUEST_H
#define NGX_HTTP_PROMPT_REQUEST_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/uuid.h"
#include "http/ngx_http_prompt_auth.h"
#include "http/ngx_http_prompt_media.h"
#include "http/ngx_http_prompt_params.h"
#include "service/frame/operation.h"


typedef struct ngx_http_prompt_protocol_s  ngx_http_prompt_protocol_t;

/*
 * A request to the endpoint.  Allocated in r->pool; what it owns outside the
 * pool is its operation's, whose answer goes piece by piece as it is sent.
 */
typedef struct {
    ngx_http_prompt_operation_t    op;
    const ngx_http_prompt_protocol_t  *protocol;
    void                          *data;         /* the protocol's own */
    gql_http_media_e               media;
    bool                           accepts_events;
    void                          *events;       /* of a subscription:
                                                    ..._event_stream_t */
    uint8_t                        key[PROMPT_KEY_HASH_LEN];
    ngx_http_prompt_auth_e         auth;         /* what the key is of */
    const prompt_uuid_t           *project;      /* Prompt-Project; NULL: it
                                                    names none */
    ngx_http_prompt_lookup_t      *lookup;       /* of the key, in flight */
    void                          *ending;       /* of a session that is not
                                                    trusted any more, or NULL */
    void                          *session;      /* of who signs in or out, see
                                                    ngx_http_prompt_session.c */
    gql_http_params_t              params;
    const struct ngx_http_prompt_documents_s  *documents;    /* trusted */
    ngx_shm_zone_t                *persisted;    /* queries; NULL: off */

    uint8_t                        sha256[32];   /* of the document, where
                                                    it is to be kept */

    ngx_buf_t                     *replacement;  /* of an error page of nginx */

    ngx_buf_t                     *bufs;         /* of the answer's pieces;
                                                    NULL: they did not go out
                                                    yet */
    size_t                         nsent;        /* pieces, freed */
    size_t                         unsent;       /* bytes of the others */

    unsigned                       inner:1;      /* nobody's request */
    unsigned                       keep:1;       /* the document: see
                                                    ngx_http_prompt_query.h */
    unsigned                       answered:1;   /* the answer is ours */
    unsigned                       replaced:1;   /* the replacement went out */
} ngx_http_prompt_ctx_t;


struct ngx_http_prompt_protocol_s {
    ngx_http_prompt_protocol_e     number;       /* in metrics and traces */

    /* texts that are planned where it is spoken, each may be NULL */
    const char *const             *documents;
    ngx_uint_t                     ndocuments;

    ngx_http_handler_pt            handler;      /* of its locations */

    /* The body is there, and who asks is in op.job.identity: goes on. */
    void                         (*known)(ngx_http_prompt_ctx_t *ctx);

    /*
     * Sends an error with an HTTP status, in the protocol's form; returns
     * what ngx_http_finalize_request() wants.  message needs not outlive the
     * call.
     */
    ngx_int_t                    (*error)(ngx_http_prompt_ctx_t *ctx,
                                          ngx_uint_t status, prompt_str_t code,
                                          prompt_str_t message);

    /*
     * The body of an error that nginx itself found (413, 503 of a limit, …);
     * NULL: memory.
     */
    ngx_buf_t                   *(*status_body)(ngx_http_request_t *r,
                                                ngx_uint_t status);

    ngx_http_prompt_sink_t         sink;         /* of its operations; caller
                                                    is the context */
};


/*
 * What a directive of a protocol does for its location; returns as that does.
 */
char *ngx_http_prompt_endpoint(ngx_conf_t *cf,
    ngx_http_prompt_loc_conf_t *plcf,
    const ngx_http_prompt_protocol_t *protocol);

/*
 * For the configuration, when the engine is there: plans the documents of all
 * protocols that are spoken.
 */
ngx_int_t ngx_http_prompt_documents_plan(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);

/* Makes the n-th document of its protocol that of the operation. */
void ngx_http_prompt_take_document(ngx_http_prompt_ctx_t *ctx, ngx_uint_t n);

/* The context of r, made where there is none; NULL when memory is short. */
ngx_http_prompt_ctx_t *ngx_http_prompt_get_ctx(ngx_http_request_t *r);

/* What came with the request, whose form is sound; notes it. */
ngx_http_prompt_auth_e ngx_http_prompt_credentials(ngx_http_prompt_ctx_t *ctx);

/*
 * For the handler: looks whether there is a credential, and, of a POST, whether
 * the body is JSON as it is; then reads on.  Returns as that does.
 */
ngx_int_t ngx_http_prompt_begin(ngx_http_prompt_ctx_t *ctx);

/*
 * Reads the body, looks up who asks, and goes on with known().  Returns what
 * the location's handler does.
 */
ngx_int_t ngx_http_prompt_read(ngx_http_prompt_ctx_t *ctx);

/*
 * The request's session is not of whom somebody trusted names: when it has
 * ended everywhere, the request is refused.
 */
void ngx_http_prompt_distrust(ngx_http_prompt_ctx_t *ctx);

/* For the handler: answers before the body was read; returns as that does. */
ngx_int_t ngx_http_prompt_refuse_early(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, prompt_str_t message);

/*
 * For known(), before the operation is run: Prompt-Position and, where it does
 * something, Idempotency-Key.  NGX_DONE: the request was refused.
 */
ngx_int_t ngx_http_prompt_read_headers(ngx_http_prompt_ctx_t *ctx);

/*
 * Before an answer begins: Idempotency-Replayed and Prompt-Position, where
 * there are such.  add_replayed: the former alone, as a stream begins before
 * the position is known.  NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_add_headers(ngx_http_prompt_ctx_t *ctx);
ngx_int_t ngx_http_prompt_add_replayed(ngx_http_prompt_ctx_t *ctx);

/*
 * Ends the request with one error and an HTTP status, before or instead of
 * execution: with the code that the status stands for, or another one.
 * Returns NGX_DONE, for whoever has nothing else to say.
 */
ngx_int_t ngx_http_prompt_refuse(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t message);
ngx_int_t ngx_http_prompt_refuse_as(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, prompt_str_t code, prompt_str_t message);

#endif /* NGX_HTTP_PROMPT_REQUEST_H */
