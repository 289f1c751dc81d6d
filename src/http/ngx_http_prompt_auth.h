/*
 * Authentication: what of a request says who it is from.
 *
 * An API key stands in a header, a session in a cookie.  A browser sends the
 * cookie with whatever a page makes it send, so a request with it is taken
 * only where the browser says that a page of this very site sent it.  Where
 * there is a key, the cookie is not looked at.
 */

#ifndef NGX_HTTP_PROMPT_AUTH_H
#define NGX_HTTP_PROMPT_AUTH_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "graphql_http/origin.h"
#include "prompt/key.h"
#include "service/keys/keys.h"


/* the cookie of a session; plain: where it must go without encryption */
#define NGX_HTTP_PROMPT_COOKIE        "__Host-prompt_session"
#define NGX_HTTP_PROMPT_COOKIE_PLAIN  "prompt_session"


typedef enum {
    NGX_HTTP_PROMPT_AUTH_NONE = 0,   /* neither, or of no sound form */
    NGX_HTTP_PROMPT_AUTH_KEY,
    NGX_HTTP_PROMPT_AUTH_SESSION,
    NGX_HTTP_PROMPT_AUTH_FOREIGN     /* a session's cookie that must not be
                                        looked at with such a request */
} ngx_http_prompt_auth_e;


/*
 * What came with a request to the endpoint, whose form and checksum are
 * right: its SHA-256 is in hash where it is KEY or SESSION.
 */
ngx_http_prompt_auth_e ngx_http_prompt_auth(ngx_http_request_t *r,
    uint8_t hash[PROMPT_KEY_HASH_LEN]);

/*
 * The session in the cookie.  NGX_DECLINED: there is none; NGX_ERROR: two of
 * them, or what is no session's.
 */
ngx_int_t ngx_http_prompt_auth_cookie(ngx_http_request_t *r,
    uint8_t hash[PROMPT_KEY_HASH_LEN]);

/* Whether what was looked up is of the kind that came with the request. */
ngx_uint_t ngx_http_prompt_auth_is_of(ngx_http_prompt_auth_e auth,
    const ngx_http_prompt_identity_t *identity);

/*
 * Whether a session is still of whom somebody trusted names, as far as the
 * location knows that; what was not begun so is.
 */
ngx_uint_t ngx_http_prompt_auth_trusted(ngx_http_request_t *r,
    const ngx_http_prompt_identity_t *identity);

/* Notes that a request came with it. */
void ngx_http_prompt_auth_used(ngx_http_request_t *r,
    const ngx_http_prompt_identity_t *identity);

/* whether a page of this site has sent the request */
gql_http_origin_e ngx_http_prompt_auth_origin(ngx_http_request_t *r);

/*
 * Whether the cookie goes without encryption: to this very machine, or since
 * the configuration says that it may.
 */
ngx_uint_t ngx_http_prompt_auth_plain(ngx_http_request_t *r,
    ngx_uint_t insecure);

#endif /* NGX_HTTP_PROMPT_AUTH_H */
