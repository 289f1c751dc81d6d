/*
 * Signing in from the inside: who it is (sign_in.c), and the session that is
 * made then (sign_in_session.c).
 */

#ifndef NGX_HTTP_PROMPT_SIGN_IN_IMPL_H
#define NGX_HTTP_PROMPT_SIGN_IN_IMPL_H

#include "service/people/sign_in.h"


/* Asks for the account.  NGX_ERROR: memory, nobody is told. */
ngx_int_t ngx_http_prompt_sign_in_ask(ngx_http_prompt_sign_in_t *sign_in);

/*
 * Makes the session, after the account where it is adding or invited.  made:
 * the password as it is to be stored from now on, or absent.
 */
void ngx_http_prompt_sign_in_create(ngx_http_prompt_sign_in_t *sign_in,
    prompt_str_t made);

/* That is it: done is told. */
void ngx_http_prompt_sign_in_told(ngx_http_prompt_sign_in_t *sign_in,
    ngx_http_prompt_sign_e how);

#endif /* NGX_HTTP_PROMPT_SIGN_IN_IMPL_H */
