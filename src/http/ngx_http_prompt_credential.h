/*
 * The credential of a request, as a short name for it: what limits count by.
 *
 * It is known from the headers alone, before anybody has looked the credential
 * up.  Its key is made at random and stays over reloads, as the zones of
 * limit_req do: whoever reads a log cannot compute from it which key it was,
 * nor a name that another's key has.
 */

#ifndef NGX_HTTP_PROMPT_CREDENTIAL_H
#define NGX_HTTP_PROMPT_CREDENTIAL_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* hexadecimal digits */
#define NGX_HTTP_PROMPT_CREDENTIAL_LEN  16


/* Adds the zone of the key; while the configuration is read.  NULL: memory. */
ngx_shm_zone_t *ngx_http_prompt_credential_zone(ngx_conf_t *cf, void *tag);

/*
 * Writes the name, without NUL, of the key or session that a request is
 * authenticated by.  NGX_DECLINED: it comes with none of a sound form.
 */
ngx_int_t ngx_http_prompt_credential(ngx_http_request_t *r,
    u_char out[NGX_HTTP_PROMPT_CREDENTIAL_LEN]);

#endif /* NGX_HTTP_PROMPT_CREDENTIAL_H */
