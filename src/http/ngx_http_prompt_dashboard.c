/*
 * The dashboard: its directive, and its answers.
 */

#include "http/ngx_http_prompt_dashboard.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_response.h"


/* a mark of the page, and what goes there */
typedef struct {
    ngx_str_t    mark;
    ngx_str_t    text;
} ngx_http_prompt_dashboard_mark_t;


typedef struct {
    const char  *name;
    const char  *value;
} ngx_http_prompt_dashboard_header_t;


static ngx_int_t ngx_http_prompt_dashboard_base(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_t *dashboard);
static ngx_int_t ngx_http_prompt_dashboard_fill(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_t *dashboard,
    ngx_http_prompt_dashboard_conf_t *conf);
static ngx_int_t ngx_http_prompt_dashboard_escape(ngx_conf_t *cf,
    ngx_str_t *value, ngx_uint_t uri, ngx_str_t *text);
static ngx_int_t ngx_http_prompt_dashboard_replace(ngx_conf_t *cf,
    ngx_str_t *page, ngx_http_prompt_dashboard_mark_t *mark);
static ngx_int_t ngx_http_prompt_dashboard_handler(ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_dashboard_redirect(ngx_http_request_t *r,
    ngx_http_prompt_dashboard_t *dashboard);
static ngx_int_t ngx_http_prompt_dashboard_send_page(ngx_http_request_t *r,
    ngx_http_prompt_dashboard_t *dashboard, ngx_uint_t status);
static ngx_int_t ngx_http_prompt_dashboard_send_file(ngx_http_request_t *r,
    ngx_http_prompt_dashboard_file_t *file);
static ngx_int_t ngx_http_prompt_dashboard_send(ngx_http_request_t *r,
    ngx_str_t *type, ngx_str_t *etag, ngx_str_t *text);
static ngx_http_prompt_dashboard_file_t *ngx_http_prompt_dashboard_find(
    ngx_http_prompt_dashboard_t *dashboard, ngx_str_t *name);
static ngx_uint_t ngx_http_prompt_dashboard_has_route(
    ngx_http_prompt_dashboard_t *dashboard, ngx_str_t *rest);
static ngx_uint_t ngx_http_prompt_dashboard_match(ngx_str_t *route,
    ngx_str_t *rest);


/*
 * What the page needs and nothing else: its own files, requests to where it
 * came from.  Strings never become code or markup.
 */
static ngx_http_prompt_dashboard_header_t  ngx_http_prompt_dashboard_headers[] =
{
    { "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; "
      "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
      "require-trusted-types-for 'script'" },
    { "X-Content-Type-Options", "nosniff" },
    { "Referrer-Policy", "no-referrer" },
    { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Cross-Origin-Resource-Policy", "same-origin" },
    { NULL, NULL }
};


char *
ngx_http_prompt_dashboard(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    char                              *rv;
    ngx_http_core_loc_conf_t          *clcf;
    ngx_http_prompt_dashboard_t       *dashboard;
    ngx_http_prompt_dashboard_conf_t   dcf;

    (void) cmd;

    rv = ngx_http_prompt_conf_handler(cf, plcf,
                                      ngx_http_prompt_dashboard_handler);
    if (rv != NGX_CONF_OK) {
        return rv;
    }

    dashboard = ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_dashboard_t));

    if (dashboard == NULL
        || ngx_array_init(&dashboard->routes, cf->pool, 16, sizeof(ngx_str_t))
           != NGX_OK
        || ngx_array_init(&dashboard->files, cf->pool, 32,
                          sizeof(ngx_http_prompt_dashboard_file_t))
           != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (ngx_http_prompt_dashboard_base(cf, dashboard) != NGX_OK
        || ngx_http_prompt_conf_dashboard(cf, &dcf) != NGX_OK
        || ngx_http_prompt_dashboard_read(cf, dashboard, &dcf.path) != NGX_OK
        || ngx_http_prompt_dashboard_fill(cf, dashboard, &dcf) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    /* nginx redirects from the name without its last slash */

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (clcf->name.data[clcf->name.len - 1] == '/') {
        clcf->auto_redirect = 1;
    }

    plcf->dashboard = dashboard;

    return NGX_CONF_OK;
}


/* what all routes of this location begin with */

static ngx_int_t
ngx_http_prompt_dashboard_base(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_t *dashboard)
{
    u_char                    *p;
    ngx_uint_t                 prefix;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    prefix = clcf->name.len > 0 && clcf->name.data[0] == '/'
             && !clcf->exact_match;

#if (NGX_PCRE)
    prefix = prefix && clcf->regex == NULL;
#endif

    if (!prefix) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"prompt_dashboard\" wants a location of a prefix, "
                           "for all that is below it, such as "
                           "\"location /dashboard/\"");
        return NGX_ERROR;
    }

    p = ngx_pnalloc(cf->pool, clcf->name.len + 1);
    if (p == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(p, clcf->name.data, clcf->name.len);
    dashboard->base.data = p;
    dashboard->base.len = clcf->name.len;

    if (p[clcf->name.len - 1] != '/') {
        p[clcf->name.len] = '/';
        dashboard->base.len++;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_dashboard_fill(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_t *dashboard,
    ngx_http_prompt_dashboard_conf_t *conf)
{
    ngx_int_t   rc;
    ngx_uint_t  i;

    ngx_http_prompt_dashboard_mark_t  marks[] = {
        { ngx_string("{{base}}"), ngx_null_string },
        { ngx_string("{{graphql}}"), ngx_null_string },
        { ngx_string("{{session}}"), ngx_null_string },
        { ngx_string("{{only}}"), ngx_null_string }
    };

    if (ngx_http_prompt_dashboard_escape(cf, &dashboard->base, 1,
                                         &marks[0].text)
        != NGX_OK
        || ngx_http_prompt_dashboard_escape(cf, &conf->graphql, 0,
                                            &marks[1].text)
           != NGX_OK
        || ngx_http_prompt_dashboard_escape(cf, &conf->session, 0,
                                            &marks[2].text)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {

        do {
            rc = ngx_http_prompt_dashboard_replace(cf, &dashboard->page.text,
                                                   &marks[i]);
        } while (rc == NGX_OK);

        if (rc == NGX_ERROR) {
            return NGX_ERROR;
        }
    }

    ngx_str_set(&dashboard->page.type, "text/html");

    return ngx_http_prompt_dashboard_etag(cf->pool, &dashboard->page.text,
                                          &dashboard->page.etag);
}


/* A value for an attribute of the page; uri: a path that is not yet escaped. */

static ngx_int_t
ngx_http_prompt_dashboard_escape(ngx_conf_t *cf, ngx_str_t *value,
    ngx_uint_t uri, ngx_str_t *text)
{
    u_char     *end;
    ngx_str_t   path;

    path = *value;

    if (uri) {
        path.len = value->len + 2 * ngx_escape_uri(NULL, value->data,
                                                   value->len,
                                                   NGX_ESCAPE_URI);

        path.data = ngx_pnalloc(cf->pool, path.len);
        if (path.data == NULL) {
            return NGX_ERROR;
        }

        end = (u_char *) ngx_escape_uri(path.data, value->data, value->len,
                                        NGX_ESCAPE_URI);
        path.len = end - path.data;
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


/*
 * The first such mark becomes its text; NGX_DECLINED: there is none.  A text
 * has no braces, so that it brings no mark.
 */

static ngx_int_t
ngx_http_prompt_dashboard_replace(ngx_conf_t *cf, ngx_str_t *page,
    ngx_http_prompt_dashboard_mark_t *mark)
{
    u_char     *p, *at;
    ngx_str_t   filled;

    at = ngx_strlcasestrn(page->data, page->data + page->len, mark->mark.data,
                          mark->mark.len - 1);
    if (at == NULL) {
        return NGX_DECLINED;
    }

    filled.len = page->len - mark->mark.len + mark->text.len;

    filled.data = ngx_pnalloc(cf->pool, filled.len);
    if (filled.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(filled.data, page->data, at - page->data);
    p = ngx_cpymem(p, mark->text.data, mark->text.len);
    at += mark->mark.len;
    ngx_memcpy(p, at, page->data + page->len - at);

    *page = filled;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_dashboard_handler(ngx_http_request_t *r)
{
    ngx_int_t                          rc;
    ngx_str_t                          rest;
    ngx_http_prompt_loc_conf_t        *plcf;
    ngx_http_prompt_dashboard_t       *dashboard;
    ngx_http_prompt_dashboard_file_t  *file;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return (ngx_http_prompt_add_header(r, "Allow", "GET, HEAD") == NGX_OK)
               ? NGX_HTTP_NOT_ALLOWED : NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);
    dashboard = plcf->dashboard;

    if (r->uri.len == dashboard->base.len - 1
        && ngx_strncmp(r->uri.data, dashboard->base.data, r->uri.len) == 0)
    {
        return ngx_http_prompt_dashboard_redirect(r, dashboard);
    }

    /* a rewrite may have brought anything here */

    if (r->uri.len < dashboard->base.len
        || ngx_strncmp(r->uri.data, dashboard->base.data,
                       dashboard->base.len)
           != 0)
    {
        return NGX_HTTP_NOT_FOUND;
    }

    rest.data = r->uri.data + dashboard->base.len;
    rest.len = r->uri.len - dashboard->base.len;

    file = ngx_http_prompt_dashboard_find(dashboard, &rest);

    if (file != NULL) {
        return ngx_http_prompt_dashboard_send_file(r, file);
    }

    if (rest.len >= sizeof("assets/") - 1
        && ngx_strncmp(rest.data, "assets/", sizeof("assets/") - 1) == 0)
    {
        return NGX_HTTP_NOT_FOUND;
    }

    /* the page itself says that there is nothing at an address */

    return ngx_http_prompt_dashboard_send_page(r, dashboard,
               ngx_http_prompt_dashboard_has_route(dashboard, &rest)
               ? NGX_HTTP_OK : NGX_HTTP_NOT_FOUND);
}


static ngx_int_t
ngx_http_prompt_dashboard_redirect(ngx_http_request_t *r,
    ngx_http_prompt_dashboard_t *dashboard)
{
    ngx_str_t         location;
    ngx_table_elt_t  *h;

    location.len = dashboard->base.len
                   + 2 * ngx_escape_uri(NULL, dashboard->base.data,
                                        dashboard->base.len, NGX_ESCAPE_URI);

    location.data = ngx_pnalloc(r->pool, location.len);
    h = ngx_list_push(&r->headers_out.headers);

    if (location.data == NULL || h == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_escape_uri(location.data, dashboard->base.data, dashboard->base.len,
                   NGX_ESCAPE_URI);

    ngx_memzero(h, sizeof(ngx_table_elt_t));
    h->hash = 1;
    ngx_str_set(&h->key, "Location");
    h->value = location;

    r->headers_out.location = h;

    return NGX_HTTP_MOVED_PERMANENTLY;
}


static ngx_int_t
ngx_http_prompt_dashboard_send_page(ngx_http_request_t *r,
    ngx_http_prompt_dashboard_t *dashboard, ngx_uint_t status)
{
    r->headers_out.status = status;
    ngx_str_set(&r->headers_out.charset, "utf-8");

    if (ngx_http_prompt_add_header(r, "Cache-Control", "no-cache") != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_prompt_dashboard_send(r, &dashboard->page.type,
                                          &dashboard->page.etag,
                                          &dashboard->page.text);
}


/* Its name has the hash of what it contains: it is good for ever. */

static ngx_int_t
ngx_http_prompt_dashboard_send_file(ngx_http_request_t *r,
    ngx_http_prompt_dashboard_file_t *file)
{
    ngx_uint_t        gzip;
    ngx_table_elt_t  *h;

    r->headers_out.status = NGX_HTTP_OK;

    if (ngx_strncmp(file->type.data, "text/", 5) == 0) {
        ngx_str_set(&r->headers_out.charset, "utf-8");
    }

    if (ngx_http_prompt_add_header(r, "Cache-Control",
                                   "public, max-age=31536000, immutable")
        != NGX_OK
        || (file->gzip.len > 0
            && ngx_http_prompt_add_header(r, "Vary", "Accept-Encoding")
               != NGX_OK))
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

#if (NGX_HTTP_GZIP)
    gzip = file->gzip.len > 0 && ngx_http_gzip_ok(r) == NGX_OK;
#else
    gzip = 0;
#endif

    if (!gzip) {
        return ngx_http_prompt_dashboard_send(r, &file->type, &file->etag,
                                              &file->text);
    }

    h = ngx_list_push(&r->headers_out.headers);
    if (h == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_memzero(h, sizeof(ngx_table_elt_t));
    h->hash = 1;
    ngx_str_set(&h->key, "Content-Encoding");
    ngx_str_set(&h->value, "gzip");
    r->headers_out.content_encoding = h;

    return ngx_http_prompt_dashboard_send(r, &file->type, &file->gzip_etag,
                                          &file->gzip);
}


static ngx_int_t
ngx_http_prompt_dashboard_send(ngx_http_request_t *r, ngx_str_t *type,
    ngx_str_t *etag, ngx_str_t *text)
{
    prompt_str_t                         piece;
    ngx_table_elt_t                     *h;
    ngx_http_prompt_dashboard_header_t  *header;

    r->headers_out.content_type = *type;
    r->headers_out.content_type_len = type->len;
    r->headers_out.content_type_lowcase = NULL;

    for (header = ngx_http_prompt_dashboard_headers; header->name; header++) {
        if (ngx_http_prompt_add_header(r, header->name, header->value)
            != NGX_OK)
        {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }
    }

    h = ngx_list_push(&r->headers_out.headers);
    if (h == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_memzero(h, sizeof(ngx_table_elt_t));
    h->hash = 1;
    ngx_str_set(&h->key, "ETag");
    h->value = *etag;
    r->headers_out.etag = h;

    piece = prompt_str_of((char *) text->data, text->len);

    return ngx_http_prompt_send_body(r, &piece, 1);
}


static ngx_http_prompt_dashboard_file_t *
ngx_http_prompt_dashboard_find(ngx_http_prompt_dashboard_t *dashboard,
    ngx_str_t *name)
{
    ngx_int_t                          rc;
    ngx_uint_t                         low, high, middle;
    ngx_http_prompt_dashboard_file_t  *file;

    file = dashboard->files.elts;
    low = 0;
    high = dashboard->files.nelts;

    while (low < high) {
        middle = low + (high - low) / 2;
        rc = ngx_memn2cmp(name->data, file[middle].name.data, name->len,
                          file[middle].name.len);

        if (rc == 0) {
            return &file[middle];
        }

        if (rc < 0) {
            high = middle;

        } else {
            low = middle + 1;
        }
    }

    return NULL;
}


static ngx_uint_t
ngx_http_prompt_dashboard_has_route(ngx_http_prompt_dashboard_t *dashboard,
    ngx_str_t *rest)
{
    ngx_str_t   *route;
    ngx_uint_t   i;

    route = dashboard->routes.elts;

    for (i = 0; i < dashboard->routes.nelts; i++) {
        if (ngx_http_prompt_dashboard_match(&route[i], rest)) {
            return 1;
        }
    }

    return 0;
}


/* ":" of a route is a segment; a slash may follow the last one */

static ngx_uint_t
ngx_http_prompt_dashboard_match(ngx_str_t *route, ngx_str_t *rest)
{
    u_char  *p, *q, *p_end, *q_end;

    p = route->data + 1;
    p_end = route->data + route->len;
    q = rest->data;
    q_end = rest->data + rest->len;

    while (p < p_end) {

        if (*p == ':') {

            if (q == q_end || *q == '/') {
                return 0;
            }

            while (q < q_end && *q != '/') {
                q++;
            }

            p++;
            continue;
        }

        if (q == q_end || *p != *q) {
            return 0;
        }

        p++;
        q++;
    }

    return q == q_end || (q + 1 == q_end && *q == '/' && q > rest->data);
}
