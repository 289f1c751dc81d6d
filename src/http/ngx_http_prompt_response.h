/*
 * Answers: everything that the endpoint says goes out here, as JSON; what is
 * asked for as events, and is no HTTP error, as one event and the end.
 */

#ifndef NGX_HTTP_PROMPT_RESPONSE_H
#define NGX_HTTP_PROMPT_RESPONSE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/str.h"
#include "http/ngx_http_prompt_event_stream.h"
#include "http/ngx_http_prompt_media.h"
#include "http/ngx_http_prompt_request.h"
#include "service/frame/service.h"


/*
 * GraphQL over Server-Sent Events, distinct connections: `next` with a result
 * each, then `complete`.
 */
extern const ngx_http_prompt_event_form_t  ngx_http_prompt_graphql_events;

/*
 * Sends the pieces, which follow each other and live as long as r->pool, as
 * the answer: not only until the request's cleanup, see
 * ngx_http_prompt_ctx_t.  Returns what ngx_http_finalize_request() wants.
 */
ngx_int_t ngx_http_prompt_send(ngx_http_request_t *r, ngx_uint_t status,
    gql_http_media_e media, const prompt_str_t *pieces, size_t npieces);

/*
 * Ends r, for want of memory: with a status 500, or, where its answer has
 * begun as a stream, in the middle.
 */
void ngx_http_prompt_fail(ngx_http_request_t *r);

/*
 * For protocols whose answers are JSON of their own.  send_json: a text, which
 * is freed, with a status, or as the last event where events went out (allow:
 * of 405); returns what ngx_http_finalize_request() wants.  send_answer: that
 * of the operation, with 200, or as the last of ctx->events where there are
 * such; finalizes the request.
 */
ngx_int_t ngx_http_prompt_send_json(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, const char *allow, prompt_buf_t *text);
void ngx_http_prompt_send_answer(ngx_http_prompt_ctx_t *ctx);

/*
 * For sinks of protocols whose caller is the context of the request: one with
 * ctx->events, a refusal in the words of the protocol, want of memory.
 */
void ngx_http_prompt_writable(void *caller);
void ngx_http_prompt_refused(void *caller,
    const ngx_http_prompt_refusal_t *refusal);
void ngx_http_prompt_failed(void *caller);

/*
 * The same with the headers of r as they are, length excepted: status and
 * type were set.
 */
ngx_int_t ngx_http_prompt_send_body(ngx_http_request_t *r,
    const prompt_str_t *pieces, size_t npieces);

/* The same with a text, which is copied; type is static. */
ngx_int_t ngx_http_prompt_send_text(ngx_http_request_t *r, ngx_uint_t status,
    const char *type, const prompt_buf_t *text);

/*
 * Whether r is answered by a status alone, as HEAD and auth_request want it.
 * What is sent for mirror would wait, with r and its connection, for a place
 * in a page that it has not; a call of a provider has somebody who takes it.
 */
ngx_uint_t ngx_http_prompt_no_body(ngx_http_request_t *r);

/* A header of the answer; both texts are static.  NGX_ERROR: memory. */
ngx_int_t ngx_http_prompt_add_header(ngx_http_request_t *r, const char *name,
    const char *value);

/* seconds, where PostgreSQL is away */
#define NGX_HTTP_PROMPT_RETRY_AFTER  "5"

/*
 * Sends {"errors":[{"message":…,"extensions":{"code":…}}]}, with the ids of
 * executions (16 bytes each; NULL: none).  message needs not outlive
 * the call.  With 401 goes WWW-Authenticate, with 405 Allow, with
 * 503 Retry-After.
 */
ngx_int_t ngx_http_prompt_send_error(ngx_http_request_t *r, ngx_uint_t status,
    gql_http_media_e media, prompt_str_t code, prompt_str_t message,
    const ngx_array_t *executions);

/*
 * The headers that go with a status, see above (allow: of 405), and with all
 * that nobody in between may keep.  NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_status_headers(ngx_http_request_t *r,
    ngx_uint_t status, const char *allow);

/* the code that an HTTP status stands for, where nothing else is said */
prompt_str_t ngx_http_prompt_status_code(ngx_uint_t status);

/* a text as a body in r->pool; frees it.  NULL: memory. */
ngx_buf_t *ngx_http_prompt_body(ngx_http_request_t *r, prompt_buf_t *text);

/*
 * The body that replaces nginx's HTML for an error that nginx itself found
 * (413, 503 of a limit, …).  NULL when memory is short.
 */
ngx_buf_t *ngx_http_prompt_status_body(ngx_http_request_t *r,
    ngx_uint_t status);

/* what is said of such an error */
prompt_str_t ngx_http_prompt_status_words(ngx_uint_t status);

#endif /* NGX_HTTP_PROMPT_RESPONSE_H */
