/*
 * Authentication: the API key that the headers of a request name.
 */

#ifndef NGX_HTTP_PROMPT_AUTH_H
#define NGX_HTTP_PROMPT_AUTH_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "prompt/key.h"


/*
 * The SHA-256 of the key in "Authorization: Bearer KEY" or "X-API-Key: KEY".
 * NGX_OK; NGX_DECLINED where there is none, its form or checksum is wrong, or
 * several differ.  Asks nobody.
 */
ngx_int_t ngx_http_prompt_auth_key(ngx_http_request_t *r,
    uint8_t hash[PROMPT_KEY_HASH_LEN]);

#endif /* NGX_HTTP_PROMPT_AUTH_H */
