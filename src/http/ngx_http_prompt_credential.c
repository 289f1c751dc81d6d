/*
 * The credential of a request: the key of its name, in shared memory.
 */

#include "http/ngx_http_prompt_credential.h"

#include "base/digits.h"
#include "base/random.h"
#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_auth.h"


#define NGX_HTTP_PROMPT_CREDENTIAL_KEY  32


static ngx_int_t ngx_http_prompt_credential_init(ngx_shm_zone_t *zone,
    void *data);


ngx_shm_zone_t *
ngx_http_prompt_credential_zone(ngx_conf_t *cf, void *tag)
{
    ngx_shm_zone_t  *zone;

    static ngx_str_t  name = ngx_string("ngx_http_prompt_credential");

    zone = ngx_shared_memory_add(cf, &name, 8 * ngx_pagesize, tag);

    if (zone != NULL) {
        zone->init = ngx_http_prompt_credential_init;
    }

    return zone;
}


static ngx_int_t
ngx_http_prompt_credential_init(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t  *shpool;

    if (ngx_http_prompt_zone_kept(zone, data)) {
        return NGX_OK;
    }

    shpool = (ngx_slab_pool_t *) zone->shm.addr;
    shpool->data = ngx_slab_alloc(shpool, NGX_HTTP_PROMPT_CREDENTIAL_KEY);

    if (shpool->data == NULL
        || !prompt_random(shpool->data, NGX_HTTP_PROMPT_CREDENTIAL_KEY))
    {
        return NGX_ERROR;
    }

    zone->data = shpool->data;

    return NGX_OK;
}


/* Who signs in or out, or asks who has, is known by the cookie alone. */
ngx_int_t
ngx_http_prompt_credential(ngx_http_request_t *r,
    u_char out[NGX_HTTP_PROMPT_CREDENTIAL_LEN])
{
    uint8_t                       hash[PROMPT_KEY_HASH_LEN];
    uint8_t                       named[PROMPT_SHA256_LEN];
    prompt_sha256_t               sha;
    ngx_http_prompt_auth_e        auth;
    ngx_http_prompt_loc_conf_t   *plcf;
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);
    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);

    if (plcf->session == NULL) {
        auth = ngx_http_prompt_auth(r, hash);

    } else {
        auth = ngx_http_prompt_auth_cookie(r, hash) == NGX_OK
               ? NGX_HTTP_PROMPT_AUTH_SESSION : NGX_HTTP_PROMPT_AUTH_NONE;
    }

    if (pmcf->credential == NULL
        || (auth != NGX_HTTP_PROMPT_AUTH_KEY
            && auth != NGX_HTTP_PROMPT_AUTH_SESSION))
    {
        return NGX_DECLINED;
    }

    prompt_sha256_init(&sha);
    prompt_sha256_update(&sha, prompt_str_of(pmcf->credential->data,
                                             NGX_HTTP_PROMPT_CREDENTIAL_KEY));
    prompt_sha256_update(&sha, prompt_str_of((char *) hash, sizeof(hash)));
    prompt_sha256_final(&sha, named);

    (void) prompt_hex_write((char *) out, named,
                            NGX_HTTP_PROMPT_CREDENTIAL_LEN / 2);

    return NGX_OK;
}
