/*
 * Media types of a request's and an answer's headers; what the headers say is
 * read in src/graphql_http/media.c.
 */

#include "http/ngx_http_prompt_media.h"


static ngx_uint_t ngx_http_prompt_media_equals(const ngx_str_t *text,
    const ngx_str_t *name);


gql_http_media_e
ngx_http_prompt_media_accepted(ngx_http_request_t *r, bool *events)
{
    ngx_uint_t          i;
    ngx_list_part_t    *part;
    ngx_table_elt_t    *header;
    gql_http_accept_t   accept;

    static ngx_str_t  name = ngx_string("Accept");

    gql_http_accept_init(&accept);

    for (part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        header = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (ngx_http_prompt_media_equals(&header[i].key, &name)) {
                gql_http_accept_add(&accept,
                                    prompt_str_of((char *) header[i].value.data,
                                                  header[i].value.len));
            }
        }
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
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    static ngx_str_t  name = ngx_string("Content-Encoding");
    static ngx_str_t  identity = ngx_string("identity");

    for (part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        header = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (ngx_http_prompt_media_equals(&header[i].key, &name)
                && !ngx_http_prompt_media_equals(&header[i].value, &identity))
            {
                return 1;
            }
        }
    }

    return 0;
}


static ngx_uint_t
ngx_http_prompt_media_equals(const ngx_str_t *text, const ngx_str_t *name)
{
    return text->len == name->len
           && ngx_strncasecmp(text->data, name->data, name->len) == 0;
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
