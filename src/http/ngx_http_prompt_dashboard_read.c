/*
 * The dashboard: reading what was built, and finding it.
 *
 * The number of files has a limit, and the names in the manifest are those
 * that the build makes, none that leads elsewhere.
 */

#include "http/ngx_http_prompt_dashboard.h"

#include <stdlib.h>

#include "http/ngx_http_prompt_page.h"


#define NGX_HTTP_PROMPT_DASHBOARD_MANIFEST  "prompt-dashboard 1"
#define NGX_HTTP_PROMPT_DASHBOARD_LINES     2048


typedef struct {
    ngx_conf_t                   *cf;
    ngx_http_prompt_dashboard_t  *dashboard;
    ngx_str_t                    *path;
    ngx_uint_t                    line;
} ngx_http_prompt_dashboard_read_t;


static ngx_int_t ngx_http_prompt_dashboard_line(
    ngx_http_prompt_dashboard_read_t *read, ngx_str_t *line);
static ngx_int_t ngx_http_prompt_dashboard_route(
    ngx_http_prompt_dashboard_read_t *read, ngx_str_t *route);
static ngx_int_t ngx_http_prompt_dashboard_asset(
    ngx_http_prompt_dashboard_read_t *read, ngx_str_t *rest);
static ngx_uint_t ngx_http_prompt_dashboard_name(ngx_str_t *name);
static ngx_uint_t ngx_http_prompt_dashboard_word(ngx_str_t *rest,
    const char *word);
static ngx_int_t ngx_http_prompt_dashboard_unknown(
    ngx_http_prompt_dashboard_read_t *read);
static int ngx_libc_cdecl ngx_http_prompt_dashboard_cmp_files(const void *one,
    const void *two);


ngx_int_t
ngx_http_prompt_dashboard_read(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_t *dashboard, ngx_str_t *path)
{
    u_char                            *p, *end, *next;
    ngx_int_t                          rc;
    ngx_str_t                          name, text, line;
    ngx_http_prompt_dashboard_read_t   read;

    ngx_memzero(&read, sizeof(ngx_http_prompt_dashboard_read_t));
    read.cf = cf;
    read.dashboard = dashboard;
    read.path = path;

    ngx_str_set(&name, "manifest");

    rc = ngx_http_prompt_page_read(cf, path, &name, "", &text);

    if (rc == NGX_DECLINED) {
        return ngx_http_prompt_conf_error(cf,
                   "\"%V\" of \"prompt_dashboard\" has no dashboard: `make "
                   "dashboard' builds one, and `make install' puts it where it "
                   "is found without a name", path);
    }

    if (rc != NGX_OK) {
        return NGX_ERROR;
    }

    end = text.data + text.len;

    for (p = text.data; p < end; p = next) {
        next = ngx_strlchr(p, end, '\n');
        line.data = p;
        line.len = (next == NULL ? end : next) - p;
        next = (next == NULL) ? end : next + 1;
        read.line++;

        if (ngx_http_prompt_dashboard_line(&read, &line) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    if (dashboard->page.text.len == 0 || dashboard->routes.nelts == 0) {
        return ngx_http_prompt_dashboard_unknown(&read);
    }

    ngx_qsort(dashboard->files.elts, dashboard->files.nelts,
              sizeof(ngx_http_prompt_dashboard_file_t),
              ngx_http_prompt_dashboard_cmp_files);

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_dashboard_line(ngx_http_prompt_dashboard_read_t *read,
    ngx_str_t *line)
{
    ngx_int_t  rc;

    if (read->line > NGX_HTTP_PROMPT_DASHBOARD_LINES) {
        return ngx_http_prompt_dashboard_unknown(read);
    }

    if (read->line == 1) {
        return (line->len == sizeof(NGX_HTTP_PROMPT_DASHBOARD_MANIFEST) - 1
                && ngx_strncmp(line->data, NGX_HTTP_PROMPT_DASHBOARD_MANIFEST,
                               line->len)
                   == 0)
               ? NGX_OK : ngx_http_prompt_dashboard_unknown(read);
    }

    if (ngx_http_prompt_dashboard_word(line, "route ")) {
        return ngx_http_prompt_dashboard_route(read, line);
    }

    if (ngx_http_prompt_dashboard_word(line, "asset ")) {
        return ngx_http_prompt_dashboard_asset(read, line);
    }

    if (!ngx_http_prompt_dashboard_word(line, "page ")
        || !ngx_http_prompt_dashboard_name(line))
    {
        return ngx_http_prompt_dashboard_unknown(read);
    }

    rc = ngx_http_prompt_page_read(read->cf, read->path, line, "",
                                   &read->dashboard->page.text);

    return (rc == NGX_DECLINED) ? ngx_http_prompt_dashboard_unknown(read) : rc;
}


static ngx_int_t
ngx_http_prompt_dashboard_route(ngx_http_prompt_dashboard_read_t *read,
    ngx_str_t *route)
{
    ngx_str_t  *to;

    if (route->len == 0 || route->data[0] != '/') {
        return ngx_http_prompt_dashboard_unknown(read);
    }

    to = ngx_array_push(&read->dashboard->routes);
    if (to == NULL) {
        return NGX_ERROR;
    }

    *to = *route;

    return NGX_OK;
}


/* NAME TYPE */
static ngx_int_t
ngx_http_prompt_dashboard_asset(ngx_http_prompt_dashboard_read_t *read,
    ngx_str_t *rest)
{
    u_char                            *space;
    ngx_int_t                          rc;
    ngx_http_prompt_dashboard_file_t  *file;

    file = ngx_array_push(&read->dashboard->files);
    if (file == NULL) {
        return NGX_ERROR;
    }

    ngx_memzero(file, sizeof(ngx_http_prompt_dashboard_file_t));

    space = ngx_strlchr(rest->data, rest->data + rest->len, ' ');

    if (space == NULL) {
        return ngx_http_prompt_dashboard_unknown(read);
    }

    file->name.data = rest->data;
    file->name.len = space - rest->data;
    file->type.data = space + 1;
    file->type.len = rest->data + rest->len - file->type.data;

    if (!ngx_http_prompt_dashboard_name(&file->name)
        || !ngx_http_prompt_dashboard_name(&file->type))
    {
        return ngx_http_prompt_dashboard_unknown(read);
    }

    rc = ngx_http_prompt_page_read(read->cf, read->path, &file->name, "",
                                   &file->text);

    if (rc == NGX_DECLINED) {
        return ngx_http_prompt_dashboard_unknown(read);
    }

    if (rc != NGX_OK
        || ngx_http_prompt_page_read(read->cf, read->path, &file->name, ".gz",
                                     &file->gzip)
           == NGX_ERROR)
    {
        return NGX_ERROR;
    }

    if (ngx_http_prompt_page_etag(read->cf->pool, &file->text, &file->etag)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_page_etag(read->cf->pool, &file->gzip,
                                     &file->gzip_etag);
}


/* What the build names its files and their types: no way out of the folder. */
static ngx_uint_t
ngx_http_prompt_dashboard_name(ngx_str_t *name)
{
    size_t  i;
    u_char  ch;

    if (name->len == 0 || name->data[0] == '/' || name->data[0] == '.') {
        return 0;
    }

    for (i = 0; i < name->len; i++) {
        ch = name->data[i];

        if ((ch >= '0' && ch <= '9') || (ch >= 'A' && ch <= 'Z')
            || (ch >= 'a' && ch <= 'z') || ch == '-' || ch == '_'
            || ch == '+')
        {
            continue;
        }

        /* a segment begins with none of these */

        if ((ch == '.' || ch == '/') && name->data[i - 1] != '/') {
            continue;
        }

        return 0;
    }

    return 1;
}


/* Whether it begins with the word, which is then taken away. */
static ngx_uint_t
ngx_http_prompt_dashboard_word(ngx_str_t *rest, const char *word)
{
    size_t  len;

    len = ngx_strlen(word);

    if (rest->len < len || ngx_strncmp(rest->data, word, len) != 0) {
        return 0;
    }

    rest->data += len;
    rest->len -= len;

    return 1;
}


static ngx_int_t
ngx_http_prompt_dashboard_unknown(ngx_http_prompt_dashboard_read_t *read)
{
    return ngx_http_prompt_conf_error(read->cf,
               "\"%V\" of \"prompt_dashboard\" is not a dashboard that this "
               "module knows: line %ui of its \"manifest\"; build it from the "
               "same sources with `make dashboard'", read->path, read->line);
}


ngx_http_prompt_dashboard_file_t *
ngx_http_prompt_dashboard_find(const ngx_http_prompt_dashboard_t *dashboard,
    const ngx_str_t *name)
{
    ngx_http_prompt_dashboard_file_t  file;

    ngx_memzero(&file, sizeof(ngx_http_prompt_dashboard_file_t));
    file.name = *name;

    return bsearch(&file, dashboard->files.elts, dashboard->files.nelts,
                   sizeof(ngx_http_prompt_dashboard_file_t),
                   ngx_http_prompt_dashboard_cmp_files);
}


static int ngx_libc_cdecl
ngx_http_prompt_dashboard_cmp_files(const void *one, const void *two)
{
    const ngx_http_prompt_dashboard_file_t  *first = one;
    const ngx_http_prompt_dashboard_file_t  *second = two;

    return (int) ngx_memn2cmp(first->name.data, second->name.data,
                              first->name.len, second->name.len);
}
