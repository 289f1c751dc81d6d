/*
 * Authentication: reads the headers.
 */

#include "http/ngx_http_prompt_auth.h"


static ngx_int_t ngx_http_prompt_auth_value(ngx_table_elt_t *header,
    prompt_str_t *value);


/* Several headers are fine as long as they name the same key. */

ngx_int_t
ngx_http_prompt_auth_key(ngx_http_request_t *r,
    uint8_t hash[PROMPT_KEY_HASH_LEN])
{
    ngx_uint_t        i;
    prompt_str_t      key, value;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    key = prompt_str_absent;

    part = &r->headers_in.headers.part;
    header = part->elts;

    for (i = 0; /* void */ ; i++) {

        if (i >= part->nelts) {
            if (part->next == NULL) {
                break;
            }

            part = part->next;
            header = part->elts;
            i = 0;
        }

        if (ngx_http_prompt_auth_value(&header[i], &value) != NGX_OK) {
            continue;
        }

        if (key.data != NULL && !prompt_str_eq(key, value)) {
            return NGX_DECLINED;
        }

        key = value;
    }

    if (key.data == NULL || !prompt_key_valid(key)) {
        return NGX_DECLINED;
    }

    prompt_key_hash(key, hash);

    return NGX_OK;
}


/*
 * NGX_DECLINED: a header that names no key.  Authorization with another
 * scheme is somebody else's, auth_basic's for one.
 */

static ngx_int_t
ngx_http_prompt_auth_value(ngx_table_elt_t *header, prompt_str_t *value)
{
    u_char  *p, *last;

    if (header->key.len == sizeof("X-API-Key") - 1
        && ngx_strncasecmp(header->key.data, (u_char *) "X-API-Key",
                           sizeof("X-API-Key") - 1)
           == 0)
    {
        *value = prompt_str_of((char *) header->value.data,
                               header->value.len);
        return NGX_OK;
    }

    if (header->key.len != sizeof("Authorization") - 1
        || ngx_strncasecmp(header->key.data, (u_char *) "Authorization",
                           sizeof("Authorization") - 1)
           != 0)
    {
        return NGX_DECLINED;
    }

    if (header->value.len < sizeof("Bearer ") - 1
        || ngx_strncasecmp(header->value.data, (u_char *) "Bearer ",
                           sizeof("Bearer ") - 1)
           != 0)
    {
        return NGX_DECLINED;
    }

    p = header->value.data + sizeof("Bearer ") - 1;
    last = header->value.data + header->value.len;

    while (p < last && *p == ' ') {
        p++;
    }

    *value = prompt_str_of((char *) p, last - p);

    return NGX_OK;
}
