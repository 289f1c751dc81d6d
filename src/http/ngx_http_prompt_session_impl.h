/*
 * What session.c and session_answer.c share, and nobody else needs to know.
 */

#ifndef NGX_HTTP_PROMPT_SESSION_IMPL_H
#define NGX_HTTP_PROMPT_SESSION_IMPL_H

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_session.h"
#include "service/people/sign_in.h"
#include "store/session.h"


/* bytes of what is read of a body, or answered */
#define NGX_HTTP_PROMPT_SESSION_MEMORY  (256 * 1024)


typedef struct {
    ngx_http_prompt_session_conf_t   *conf;
    ngx_http_prompt_sign_in_t         sign_in;
    prompt_str_t                      token;       /* of an invitation, within
                                                      the body; or absent */
    ngx_uint_t                        signing_in;  /* it is under way */
    ngx_http_prompt_sign_out_t       *sign_out;    /* the same */
    ngx_http_prompt_sent_t            query;
} ngx_http_prompt_session_t;


/* Who has signed in.  Returns what ngx_http_finalize_request() wants. */
ngx_int_t ngx_http_prompt_session_show(ngx_http_prompt_ctx_t *ctx,
    const prompt_account_t *account, const prompt_session_t *session);

/* Sets the cookie; secret NULL: takes it back.  NGX_ERROR: memory. */
ngx_int_t ngx_http_prompt_session_cookie(ngx_http_prompt_ctx_t *ctx,
    const char *secret);

/* 204.  Returns what ngx_http_finalize_request() wants. */
ngx_int_t ngx_http_prompt_session_done(ngx_http_prompt_ctx_t *ctx);

/* The protocol's: one error, nginx's own too, and how one signs in. */
ngx_int_t ngx_http_prompt_session_error(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, prompt_str_t code, prompt_str_t message);
ngx_buf_t *ngx_http_prompt_session_status_body(ngx_http_request_t *r,
    ngx_uint_t status);

#endif /* NGX_HTTP_PROMPT_SESSION_IMPL_H */
