/*
 * The dashboard: its directive, and its answers.
 */

#include "http/ngx_http_prompt_dashboard.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_page.h"
#include "http/ngx_http_prompt_response.h"


static ngx_int_t ngx_http_prompt_dashboard_base(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_t *dashboard);
static ngx_int_t ngx_http_prompt_dashboard_fill(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_t *dashboard,
    ngx_http_prompt_dashboard_conf_t *conf);
static ngx_int_t ngx_http_prompt_dashboard_handler(ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_dashboard_redirect(ngx_http_request_t *r,
    ngx_http_prompt_dashboard_t *dashboard);
static ngx_int_t ngx_http_prompt_dashboard_send_file(ngx_http_request_t *r,
    ngx_http_prompt_dashboard_file_t *file);
static ngx_uint_t ngx_http_prompt_dashboard_has_route(
    ngx_http_prompt_dashboard_t *dashboard, ngx_str_t *rest);
static ngx_uint_t ngx_http_prompt_dashboard_match(ngx_str_t *route,
    ngx_str_t *rest);


/*
 * What the page needs and nothing else: its own files, requests to where it
 * came from.  Strings never become code or markup.
 */
static ngx_str_t  ngx_http_prompt_dashboard_policy =
    ngx_string("default-src 'none'; script-src 'self'; style-src 'self'; "
               "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
               "require-trusted-types-for 'script'");


char *
ngx_http_prompt_dashboard(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    char                              *rv;
    ngx_http_core_loc_conf_t          *clcf;
    ngx_http_prompt_dashboard_t       *dashboard;
    ngx_http_prompt_dashboard_conf_t   dcf;

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
        return ngx_http_prompt_conf_error(cf,
                   "\"prompt_dashboard\" wants a location of a prefix, for all "
                   "that is below it, such as \"location /dashboard/\"");
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
    ngx_http_prompt_page_mark_t  marks[] = {
        { ngx_string("{{base}}"), ngx_null_string },
        { ngx_string("{{graphql}}"), ngx_null_string },
        { ngx_string("{{session}}"), ngx_null_string },
        { ngx_string("{{openai}}"), ngx_null_string },
        { ngx_string("{{mcp}}"), ngx_null_string }
    };

    if (ngx_http_prompt_page_escape(cf, &dashboard->base, 1, &marks[0].text)
        != NGX_OK
        || ngx_http_prompt_page_escape(cf, &conf->graphql, 0, &marks[1].text)
           != NGX_OK
        || ngx_http_prompt_page_escape(cf, &conf->session, 0, &marks[2].text)
           != NGX_OK
        || ngx_http_prompt_page_escape(cf, &conf->openai, 0, &marks[3].text)
           != NGX_OK
        || ngx_http_prompt_page_escape(cf, &conf->mcp, 0, &marks[4].text)
           != NGX_OK
        || ngx_http_prompt_page_fill(cf, &dashboard->page.text, marks,
                                     sizeof(marks) / sizeof(marks[0]))
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_str_set(&dashboard->page.type, "text/html");

    return ngx_http_prompt_page_etag(cf->pool, &dashboard->page.text,
                                     &dashboard->page.etag);
}


static ngx_int_t
ngx_http_prompt_dashboard_handler(ngx_http_request_t *r)
{
    ngx_int_t                          rc;
    ngx_str_t                          rest;
    ngx_http_prompt_loc_conf_t        *plcf;
    ngx_http_prompt_dashboard_t       *dashboard;
    ngx_http_prompt_dashboard_file_t  *file;

    rc = ngx_http_prompt_page_request(r);
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

    r->headers_out.status =
        ngx_http_prompt_dashboard_has_route(dashboard, &rest)
        ? NGX_HTTP_OK : NGX_HTTP_NOT_FOUND;
    ngx_str_set(&r->headers_out.charset, "utf-8");

    return ngx_http_prompt_page_send(r, &ngx_http_prompt_dashboard_policy,
                                     "no-cache", &dashboard->page.type,
                                     &dashboard->page.etag,
                                     &dashboard->page.text);
}


static ngx_int_t
ngx_http_prompt_dashboard_redirect(ngx_http_request_t *r,
    ngx_http_prompt_dashboard_t *dashboard)
{
    ngx_str_t  location;

    if (ngx_http_prompt_page_uri(r->pool, &dashboard->base, &location)
        != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->headers_out.location = ngx_http_prompt_page_header(r, "Location",
                                                          &location);

    return (r->headers_out.location != NULL)
           ? NGX_HTTP_MOVED_PERMANENTLY : NGX_HTTP_INTERNAL_SERVER_ERROR;
}


/* Its name has the hash of what it contains: it is good for ever. */
static ngx_int_t
ngx_http_prompt_dashboard_send_file(ngx_http_request_t *r,
    ngx_http_prompt_dashboard_file_t *file)
{
    ngx_str_t   encoding;
    ngx_uint_t  gzip;

    r->headers_out.status = NGX_HTTP_OK;

    if (ngx_strncmp(file->type.data, "text/", 5) == 0) {
        ngx_str_set(&r->headers_out.charset, "utf-8");
    }

    if (file->gzip.len > 0
        && ngx_http_prompt_add_header(r, "Vary", "Accept-Encoding") != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

#if (NGX_HTTP_GZIP)
    gzip = file->gzip.len > 0 && ngx_http_gzip_ok(r) == NGX_OK;
#else
    gzip = 0;
#endif

    if (gzip) {
        ngx_str_set(&encoding, "gzip");

        r->headers_out.content_encoding =
            ngx_http_prompt_page_header(r, "Content-Encoding", &encoding);

        if (r->headers_out.content_encoding == NULL) {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }
    }

    return ngx_http_prompt_page_send(r, &ngx_http_prompt_dashboard_policy,
                                     "public, max-age=31536000, immutable",
                                     &file->type,
                                     gzip ? &file->gzip_etag : &file->etag,
                                     gzip ? &file->gzip : &file->text);
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
