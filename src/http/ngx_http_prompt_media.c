/*
 * Media types of a request's and an answer's headers; what the headers say is
 * read in src/graphql_http/media.c.
 */

#include "http/ngx_http_prompt_media.h"

#include "service/worker/header.h"


gql_http_media_e
ngx_http_prompt_media_accepted(ngx_http_request_t *r, bool *events)
{
    prompt_str_t               value;
    gql_http_accept_t          accept;
    ngx_http_prompt_headers_t  at;

    gql_http_accept_init(&accept);
    ngx_memzero(&at, sizeof(ngx_http_prompt_headers_t));

    while (ngx_http_prompt_header_next(r, &at, prompt_str("Accept"), &value)) {
        gql_http_accept_add(&accept, value);
    }

    *events = gql_http_accept_events(&accept);

    return gql_http_accept_choose(&accept);
}


ngx_int_t
ngx_http_prompt_media_is_json(ngx_http_request_t *r)
{
    ngx_table_elt_t  *type;

    type = r->headers_in.content_type;

    return type != NULL
           && gql_http_media_is_json(prompt_str_of((char *) type->value.data,
                                                   type->value.len));
}


ngx_uint_t
ngx_http_prompt_media_is_encoded(ngx_http_request_t *r)
{
    prompt_str_t               value;
    ngx_http_prompt_headers_t  at;

    static const prompt_str_t  identity = prompt_str_init("identity");

    ngx_memzero(&at, sizeof(ngx_http_prompt_headers_t));

    while (ngx_http_prompt_header_next(r, &at, prompt_str("Content-Encoding"),
                                       &value))
    {
        if (value.len != identity.len
            || ngx_strncasecmp((u_char *) value.data, (u_char *) identity.data,
                               identity.len)
               != 0)
        {
            return 1;
        }
    }

    return 0;
}


void
ngx_http_prompt_media_set(ngx_http_request_t *r, gql_http_media_e media)
{
    prompt_str_t  name;

    name = gql_http_media_name(media == GQL_HTTP_MEDIA_EVENTS
                               ? GQL_HTTP_MEDIA_JSON : media);

    r->headers_out.content_type.data = (u_char *) name.data;
    r->headers_out.content_type.len = name.len;
    r->headers_out.content_type_len = name.len;
    r->headers_out.content_type_lowcase = NULL;
    ngx_str_set(&r->headers_out.charset, "utf-8");
}
