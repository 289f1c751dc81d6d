/*
 * The console: its directive, its page and its answer.
 *
 * The page is composed from index.html, in which three marks stand for what
 * is put there: the style, the scripts (one text, in which all files see each
 * other) and the URI of the endpoint.
 */

#include "http/ngx_http_prompt_console.h"

#include "base/sha256.h"
#include "conf/ngx_http_prompt_conf.h"
#include "conf/ngx_http_prompt_conf_dashboard.h"
#include "http/ngx_http_prompt_response.h"


#define NGX_HTTP_PROMPT_CONSOLE_HASH  ngx_base64_encoded_length(              \
                                          PROMPT_SHA256_LEN)


/* a mark of index.html, and what goes there */
typedef struct {
    ngx_str_t    mark;
    ngx_str_t    text;
} ngx_http_prompt_console_part_t;


typedef struct {
    ngx_str_t    name;
    ngx_str_t    value;
} ngx_http_prompt_console_header_t;


static ngx_int_t ngx_http_prompt_console_compose(ngx_conf_t *cf,
    ngx_http_prompt_console_t *console, ngx_str_t *endpoint);
static ngx_int_t ngx_http_prompt_console_join(ngx_conf_t *cf,
    const char *suffix, ngx_str_t *text);
static ngx_int_t ngx_http_prompt_console_escape(ngx_conf_t *cf,
    ngx_str_t *value, ngx_str_t *text);
static ngx_int_t ngx_http_prompt_console_fill(ngx_conf_t *cf,
    ngx_str_t *page, ngx_http_prompt_console_part_t *part);
static ngx_int_t ngx_http_prompt_console_policy(ngx_conf_t *cf,
    ngx_http_prompt_console_t *console, ngx_str_t *style, ngx_str_t *script);
static void ngx_http_prompt_console_hash(ngx_str_t *text, ngx_str_t *hash);
static ngx_int_t ngx_http_prompt_console_etag(ngx_conf_t *cf,
    ngx_http_prompt_console_t *console);
static ngx_int_t ngx_http_prompt_console_handler(ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_console_headers(ngx_http_request_t *r,
    ngx_http_prompt_console_t *console);
static ngx_table_elt_t *ngx_http_prompt_console_add(ngx_http_request_t *r,
    ngx_str_t name, ngx_str_t value);


/*
 * What the page needs and nothing else: its own script and style, its icon,
 * requests to where it came from.  Strings never become code or markup, so
 * that what the API answers cannot, either.
 */
static ngx_str_t  ngx_http_prompt_console_policy_begin =
    ngx_string("default-src 'none'; script-src 'sha256-");
static ngx_str_t  ngx_http_prompt_console_policy_style =
    ngx_string("'; style-src 'sha256-");
static ngx_str_t  ngx_http_prompt_console_policy_end =
    ngx_string("'; img-src data:; connect-src 'self'; base-uri 'none'; "
               "form-action 'none'; frame-ancestors 'none'; "
               "require-trusted-types-for 'script'; trusted-types 'none'");


static ngx_http_prompt_console_header_t
    ngx_http_prompt_console_fixed_headers[] = {

    { ngx_string("Cache-Control"), ngx_string("no-cache") },
    { ngx_string("Cross-Origin-Opener-Policy"), ngx_string("same-origin") },
    { ngx_string("Cross-Origin-Resource-Policy"), ngx_string("same-origin") },
    { ngx_string("Referrer-Policy"), ngx_string("no-referrer") },
    { ngx_string("X-Content-Type-Options"), ngx_string("nosniff") },
    { ngx_null_string, ngx_null_string }
};


char *
ngx_http_prompt_console(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    char                       *rv;
    ngx_str_t                  *arg, endpoint;
    ngx_http_prompt_console_t  *console;

    (void) cmd;

    rv = ngx_http_prompt_conf_handler(cf, plcf,
                                      ngx_http_prompt_console_handler);
    if (rv != NGX_CONF_OK) {
        return rv;
    }

    ngx_str_set(&endpoint, NGX_HTTP_PROMPT_CONSOLE_ENDPOINT);

    if (cf->args->nelts == 2) {
        arg = cf->args->elts;
        endpoint = arg[1];
    }

    if (ngx_http_prompt_conf_page_uri(cf, &endpoint, "prompt_console",
                                      "prompt_graphql",
                                      NGX_HTTP_PROMPT_CONSOLE_ENDPOINT)
        != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    console = ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_console_t));
    if (console == NULL) {
        return NGX_CONF_ERROR;
    }

    if (ngx_http_prompt_console_compose(cf, console, &endpoint) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    plcf->console = console;

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_prompt_console_compose(ngx_conf_t *cf,
    ngx_http_prompt_console_t *console, ngx_str_t *endpoint)
{
    ngx_uint_t  i;

    ngx_http_prompt_console_part_t  parts[] = {
        { ngx_string("{{endpoint}}"), ngx_null_string },
        { ngx_string("{{style}}"), ngx_null_string },
        { ngx_string("{{script}}"), ngx_null_string }
    };

    if (ngx_http_prompt_console_escape(cf, endpoint, &parts[0].text)
        != NGX_OK
        || ngx_http_prompt_console_join(cf, ".css", &parts[1].text) != NGX_OK
        || ngx_http_prompt_console_join(cf, ".js", &parts[2].text) != NGX_OK
        || ngx_http_prompt_console_join(cf, ".html", &console->page)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (ngx_http_prompt_console_fill(cf, &console->page, &parts[i])
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    if (ngx_http_prompt_console_policy(cf, console, &parts[1].text,
                                       &parts[2].text)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_console_etag(cf, console);
}


/* the files whose names end in suffix, one after the other */

static ngx_int_t
ngx_http_prompt_console_join(ngx_conf_t *cf, const char *suffix,
    ngx_str_t *text)
{
    size_t                                 i, len, pass, total;
    const ngx_http_prompt_console_file_t  *file;

    ngx_str_null(text);
    total = 0;

    for (pass = 0; pass < 2; pass++) {

        for (i = 0; i < ngx_http_prompt_console_files_count; i++) {
            file = &ngx_http_prompt_console_files[i];
            len = ngx_strlen(file->name);

            if (len < ngx_strlen(suffix)
                || ngx_strcmp(file->name + len - ngx_strlen(suffix), suffix)
                   != 0)
            {
                continue;
            }

            if (pass == 0) {
                total += file->len;
                continue;
            }

            ngx_memcpy(text->data + text->len, file->text, file->len);
            text->len += file->len;
        }

        if (pass == 0) {
            text->data = ngx_pnalloc(cf->pool, ngx_max(total, 1));
            if (text->data == NULL) {
                return NGX_ERROR;
            }
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_console_escape(ngx_conf_t *cf, ngx_str_t *value,
    ngx_str_t *text)
{
    u_char  *end;

    text->len = value->len + ngx_escape_html(NULL, value->data, value->len);

    text->data = ngx_pnalloc(cf->pool, text->len);
    if (text->data == NULL) {
        return NGX_ERROR;
    }

    end = (u_char *) ngx_escape_html(text->data, value->data, value->len);
    text->len = end - text->data;

    return NGX_OK;
}


/* the first mark of the page becomes its text */

static ngx_int_t
ngx_http_prompt_console_fill(ngx_conf_t *cf, ngx_str_t *page,
    ngx_http_prompt_console_part_t *part)
{
    u_char     *p, *mark;
    ngx_str_t   filled;

    mark = ngx_strlcasestrn(page->data, page->data + page->len,
                            part->mark.data, part->mark.len - 1);

    if (mark == NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "console/index.html, which the module was built "
                           "with, has no \"%V\"", &part->mark);
        return NGX_ERROR;
    }

    filled.len = page->len - part->mark.len + part->text.len;

    filled.data = ngx_pnalloc(cf->pool, filled.len);
    if (filled.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(filled.data, page->data, mark - page->data);
    p = ngx_cpymem(p, part->text.data, part->text.len);
    mark += part->mark.len;
    ngx_memcpy(p, mark, page->data + page->len - mark);

    *page = filled;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_console_policy(ngx_conf_t *cf,
    ngx_http_prompt_console_t *console, ngx_str_t *style, ngx_str_t *script)
{
    u_char     *p;
    size_t      len;
    ngx_str_t   hash;
    u_char      script_hash[NGX_HTTP_PROMPT_CONSOLE_HASH];
    u_char      style_hash[NGX_HTTP_PROMPT_CONSOLE_HASH];

    len = ngx_http_prompt_console_policy_begin.len
          + ngx_http_prompt_console_policy_style.len
          + ngx_http_prompt_console_policy_end.len
          + 2 * NGX_HTTP_PROMPT_CONSOLE_HASH;

    console->policy.data = ngx_pnalloc(cf->pool, len);
    if (console->policy.data == NULL) {
        return NGX_ERROR;
    }

    hash.data = script_hash;
    ngx_http_prompt_console_hash(script, &hash);

    p = ngx_cpymem(console->policy.data,
                   ngx_http_prompt_console_policy_begin.data,
                   ngx_http_prompt_console_policy_begin.len);
    p = ngx_cpymem(p, hash.data, hash.len);

    hash.data = style_hash;
    ngx_http_prompt_console_hash(style, &hash);

    p = ngx_cpymem(p, ngx_http_prompt_console_policy_style.data,
                   ngx_http_prompt_console_policy_style.len);
    p = ngx_cpymem(p, hash.data, hash.len);
    p = ngx_cpymem(p, ngx_http_prompt_console_policy_end.data,
                   ngx_http_prompt_console_policy_end.len);

    console->policy.len = p - console->policy.data;

    return NGX_OK;
}


/* base64 of SHA-256, as Content-Security-Policy has it */

static void
ngx_http_prompt_console_hash(ngx_str_t *text, ngx_str_t *hash)
{
    ngx_str_t  digest;
    uint8_t    bytes[PROMPT_SHA256_LEN];

    prompt_sha256(prompt_str_of((char *) text->data, text->len), bytes);

    digest.data = bytes;
    digest.len = PROMPT_SHA256_LEN;

    ngx_encode_base64(hash, &digest);
}


static ngx_int_t
ngx_http_prompt_console_etag(ngx_conf_t *cf,
    ngx_http_prompt_console_t *console)
{
    u_char   *p;
    uint8_t   bytes[PROMPT_SHA256_LEN];

    prompt_sha256(prompt_str_of((char *) console->page.data,
                                console->page.len), bytes);

    console->etag.data = ngx_pnalloc(cf->pool, PROMPT_SHA256_LEN + 2);
    if (console->etag.data == NULL) {
        return NGX_ERROR;
    }

    /* the first half of the digest tells versions apart well enough */

    p = console->etag.data;
    *p++ = '"';
    p = ngx_hex_dump(p, bytes, PROMPT_SHA256_LEN / 2);
    *p++ = '"';

    console->etag.len = p - console->etag.data;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_console_handler(ngx_http_request_t *r)
{
    ngx_int_t                    rc;
    ngx_str_t                    name, methods;
    prompt_str_t                 page;
    ngx_http_prompt_console_t   *console;
    ngx_http_prompt_loc_conf_t  *plcf;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        ngx_str_set(&name, "Allow");
        ngx_str_set(&methods, "GET, HEAD");

        if (ngx_http_prompt_console_add(r, name, methods) == NULL) {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }

        return NGX_HTTP_NOT_ALLOWED;
    }

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);
    console = plcf->console;

    if (ngx_http_prompt_console_headers(r, console) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    page = prompt_str_of((char *) console->page.data, console->page.len);

    return ngx_http_prompt_send_body(r, &page, 1);
}


static ngx_int_t
ngx_http_prompt_console_headers(ngx_http_request_t *r,
    ngx_http_prompt_console_t *console)
{
    ngx_str_t                          name;
    ngx_table_elt_t                   *etag;
    ngx_http_prompt_console_header_t  *header;

    r->headers_out.status = NGX_HTTP_OK;
    ngx_str_set(&r->headers_out.content_type, "text/html");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;
    ngx_str_set(&r->headers_out.charset, "utf-8");

    ngx_str_set(&name, "ETag");

    etag = ngx_http_prompt_console_add(r, name, console->etag);
    if (etag == NULL) {
        return NGX_ERROR;
    }

    r->headers_out.etag = etag;

    ngx_str_set(&name, "Content-Security-Policy");

    if (ngx_http_prompt_console_add(r, name, console->policy) == NULL) {
        return NGX_ERROR;
    }

    for (header = ngx_http_prompt_console_fixed_headers;
         header->name.len != 0;
         header++)
    {
        if (ngx_http_prompt_console_add(r, header->name, header->value)
            == NULL)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_table_elt_t *
ngx_http_prompt_console_add(ngx_http_request_t *r, ngx_str_t name,
    ngx_str_t value)
{
    ngx_table_elt_t  *h;

    h = ngx_list_push(&r->headers_out.headers);
    if (h == NULL) {
        return NULL;
    }

    ngx_memzero(h, sizeof(ngx_table_elt_t));

    h->hash = 1;
    h->key = name;
    h->value = value;

    return h;
}
