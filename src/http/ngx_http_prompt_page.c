/*
 * Pages that are kept in memory.
 */

#include "http/ngx_http_prompt_page.h"

#include "base/sha256.h"
#include "conf/ngx_http_prompt_conf_file.h"
#include "http/ngx_http_prompt_response.h"


static ngx_http_prompt_page_mark_t *ngx_http_prompt_page_mark(u_char *p,
    u_char *end, ngx_http_prompt_page_mark_t *marks, ngx_uint_t nmarks);


ngx_int_t
ngx_http_prompt_page_read(ngx_conf_t *cf, ngx_str_t *folder, ngx_str_t *name,
    const char *ending, ngx_str_t *text)
{
    ngx_int_t  rc;
    ngx_str_t  full;

    full.len = folder->len + 1 + name->len + ngx_strlen(ending);

    full.data = ngx_pnalloc(cf->temp_pool, full.len + 1);
    if (full.data == NULL) {
        return NGX_ERROR;
    }

    (void) ngx_sprintf(full.data, "%V/%V%s%Z", folder, name, ending);

    rc = ngx_http_prompt_conf_file(cf, &full, 1, NGX_HTTP_PROMPT_PAGE_FILE,
                                   NULL, text);

    return rc == NGX_BUSY ? NGX_ERROR : rc;
}


ngx_int_t
ngx_http_prompt_page_fill(ngx_conf_t *cf, ngx_str_t *page,
    ngx_http_prompt_page_mark_t *marks, ngx_uint_t nmarks)
{
    size_t                        len;
    u_char                       *p, *to, *end;
    ngx_uint_t                    pass;
    ngx_http_prompt_page_mark_t  *mark;

    end = page->data + page->len;
    to = NULL;
    len = 0;

    /* its length, then its bytes */

    for (pass = 0; pass < 2; pass++) {

        if (pass == 1) {
            to = ngx_pnalloc(cf->pool, ngx_max(len, 1));
            if (to == NULL) {
                return NGX_ERROR;
            }
        }

        len = 0;

        for (p = page->data; p < end; /* void */ ) {
            mark = ngx_http_prompt_page_mark(p, end, marks, nmarks);

            if (mark == NULL) {

                if (to != NULL) {
                    to[len] = *p;
                }

                p++;
                len++;
                continue;
            }

            if (to != NULL) {
                ngx_memcpy(to + len, mark->text.data, mark->text.len);
            }

            p += mark->mark.len;
            len += mark->text.len;
        }
    }

    page->data = to;
    page->len = len;

    return NGX_OK;
}


/* the mark that stands at p */
static ngx_http_prompt_page_mark_t *
ngx_http_prompt_page_mark(u_char *p, u_char *end,
    ngx_http_prompt_page_mark_t *marks, ngx_uint_t nmarks)
{
    ngx_uint_t  i;

    if (*p != '{') {
        return NULL;
    }

    for (i = 0; i < nmarks; i++) {
        if ((size_t) (end - p) >= marks[i].mark.len
            && ngx_memcmp(p, marks[i].mark.data, marks[i].mark.len) == 0)
        {
            return &marks[i];
        }
    }

    return NULL;
}


ngx_int_t
ngx_http_prompt_page_escape(ngx_conf_t *cf, ngx_str_t *value, ngx_uint_t uri,
    ngx_str_t *text)
{
    u_char     *end;
    ngx_str_t   path;

    path = *value;

    if (uri && ngx_http_prompt_page_uri(cf->pool, value, &path) != NGX_OK) {
        return NGX_ERROR;
    }

    text->len = path.len + ngx_escape_html(NULL, path.data, path.len);

    text->data = ngx_pnalloc(cf->pool, text->len);
    if (text->data == NULL) {
        return NGX_ERROR;
    }

    end = (u_char *) ngx_escape_html(text->data, path.data, path.len);
    text->len = end - text->data;

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_page_uri(ngx_pool_t *pool, ngx_str_t *path, ngx_str_t *uri)
{
    uri->len = path->len + 2 * ngx_escape_uri(NULL, path->data, path->len,
                                              NGX_ESCAPE_URI);

    uri->data = ngx_pnalloc(pool, uri->len);
    if (uri->data == NULL) {
        return NGX_ERROR;
    }

    (void) ngx_escape_uri(uri->data, path->data, path->len, NGX_ESCAPE_URI);

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_page_etag(ngx_pool_t *pool, ngx_str_t *text,
    ngx_str_t *etag)
{
    u_char   *p;
    uint8_t   digest[PROMPT_SHA256_LEN];

    /* half of the digest tells versions apart well enough */

    p = ngx_pnalloc(pool, PROMPT_SHA256_LEN + 2);
    if (p == NULL) {
        return NGX_ERROR;
    }

    prompt_sha256(ngx_http_prompt_str(text), digest);

    etag->data = p;
    *p++ = '"';
    p = ngx_hex_dump(p, digest, PROMPT_SHA256_LEN / 2);
    *p++ = '"';
    etag->len = p - etag->data;

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_page_request(ngx_http_request_t *r)
{
    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return (ngx_http_prompt_add_header(r, "Allow", "GET, HEAD") == NGX_OK)
               ? NGX_HTTP_NOT_ALLOWED : NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_discard_request_body(r);
}


ngx_int_t
ngx_http_prompt_page_send(ngx_http_request_t *r, ngx_str_t *policy,
    const char *cache, ngx_str_t *type, ngx_str_t *etag, ngx_str_t *text)
{
    ngx_uint_t    i;
    prompt_str_t  piece;

    static const char *const  headers[][2] = {
        { "Cross-Origin-Opener-Policy", "same-origin" },
        { "Cross-Origin-Resource-Policy", "same-origin" },
        { "Referrer-Policy", "no-referrer" },
        { "X-Content-Type-Options", "nosniff" }
    };

    r->headers_out.content_type = *type;
    r->headers_out.content_type_len = type->len;
    r->headers_out.content_type_lowcase = NULL;

    for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        if (ngx_http_prompt_add_header(r, headers[i][0], headers[i][1])
            != NGX_OK)
        {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }
    }

    r->headers_out.etag = ngx_http_prompt_page_header(r, "ETag", etag);

    if (r->headers_out.etag == NULL
        || ngx_http_prompt_page_header(r, "Content-Security-Policy", policy)
           == NULL
        || ngx_http_prompt_add_header(r, "Cache-Control", cache) != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    piece = ngx_http_prompt_str(text);

    return ngx_http_prompt_send_body(r, &piece, 1);
}


ngx_table_elt_t *
ngx_http_prompt_page_header(ngx_http_request_t *r, const char *name,
    ngx_str_t *value)
{
    ngx_table_elt_t  *h;

    h = ngx_list_push(&r->headers_out.headers);
    if (h == NULL) {
        return NULL;
    }

    ngx_memzero(h, sizeof(ngx_table_elt_t));

    h->hash = 1;
    h->key.data = (u_char *) name;
    h->key.len = ngx_strlen(name);
    h->value = *value;

    return h;
}
