/*
 * The dashboard: reading what was built.
 *
 * The configuration is read by one process without haste, so that files are
 * read at once.  Their number and size have a limit, and the names in the
 * manifest are those that the build makes, none that leads elsewhere.
 */

#include "http/ngx_http_prompt_dashboard.h"

#include "base/sha256.h"


#define NGX_HTTP_PROMPT_DASHBOARD_MANIFEST  "prompt-dashboard 1"
#define NGX_HTTP_PROMPT_DASHBOARD_LINES     2048
#define NGX_HTTP_PROMPT_DASHBOARD_FILE      (8 * 1024 * 1024)


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
static ngx_int_t ngx_http_prompt_dashboard_text(
    ngx_http_prompt_dashboard_read_t *read, ngx_str_t *name,
    const char *ending, ngx_str_t *text);
static ngx_int_t ngx_http_prompt_dashboard_bytes(ngx_conf_t *cf,
    ngx_str_t *name, ngx_fd_t fd, ngx_str_t *text);
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

    rc = ngx_http_prompt_dashboard_text(&read, &name, "", &text);

    if (rc == NGX_DECLINED) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" of \"prompt_dashboard\" has no dashboard: "
                           "`make dashboard' builds one, and `make install' "
                           "puts it where it is found without a name", path);
        return NGX_ERROR;
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

    rc = ngx_http_prompt_dashboard_text(read, line, "",
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

    rc = ngx_http_prompt_dashboard_text(read, &file->name, "", &file->text);

    if (rc == NGX_DECLINED) {
        return ngx_http_prompt_dashboard_unknown(read);
    }

    if (rc != NGX_OK
        || ngx_http_prompt_dashboard_text(read, &file->name, ".gz",
                                          &file->gzip)
           == NGX_ERROR)
    {
        return NGX_ERROR;
    }

    if (ngx_http_prompt_dashboard_etag(read->cf->pool, &file->text,
                                       &file->etag)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_dashboard_etag(read->cf->pool, &file->gzip,
                                          &file->gzip_etag);
}


/* A file of the folder; NGX_DECLINED: it is not there. */

static ngx_int_t
ngx_http_prompt_dashboard_text(ngx_http_prompt_dashboard_read_t *read,
    ngx_str_t *name, const char *ending, ngx_str_t *text)
{
    u_char     *p;
    ngx_fd_t    fd;
    ngx_int_t   rc;
    ngx_str_t   full;

    full.len = read->path->len + 1 + name->len + ngx_strlen(ending);

    full.data = ngx_pnalloc(read->cf->temp_pool, full.len + 1);
    if (full.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_sprintf(full.data, "%V/%V%s", read->path, name, ending);
    *p = '\0';

    fd = ngx_open_file(full.data, NGX_FILE_RDONLY|NGX_FILE_NONBLOCK,
                       NGX_FILE_OPEN, 0);

    if (fd == NGX_INVALID_FILE) {

        if (ngx_errno == NGX_ENOENT || ngx_errno == NGX_ENOTDIR) {
            return NGX_DECLINED;
        }

        ngx_conf_log_error(NGX_LOG_EMERG, read->cf, ngx_errno,
                           ngx_open_file_n " \"%V\" failed, for "
                           "\"prompt_dashboard\"", &full);
        return NGX_ERROR;
    }

    rc = ngx_http_prompt_dashboard_bytes(read->cf, &full, fd, text);

    if (ngx_close_file(fd) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_WARN, read->cf, ngx_errno,
                           ngx_close_file_n " \"%V\" failed", &full);
    }

    return rc;
}


static ngx_int_t
ngx_http_prompt_dashboard_bytes(ngx_conf_t *cf, ngx_str_t *name, ngx_fd_t fd,
    ngx_str_t *text)
{
    off_t            size;
    size_t           n;
    ssize_t          rc;
    ngx_file_info_t  fi;

    if (ngx_fd_info(fd, &fi) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_fd_info_n " \"%V\" failed", name);
        return NGX_ERROR;
    }

    size = ngx_file_size(&fi);

    if (!ngx_is_file(&fi) || size == 0
        || size > NGX_HTTP_PROMPT_DASHBOARD_FILE)
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" is not a file of 1 byte to %d MiB", name,
                           NGX_HTTP_PROMPT_DASHBOARD_FILE / 1024 / 1024);
        return NGX_ERROR;
    }

    text->data = ngx_pnalloc(cf->pool, (size_t) size);
    if (text->data == NULL) {
        return NGX_ERROR;
    }

    for (n = 0; n < (size_t) size; n += rc) {
        rc = ngx_read_fd(fd, text->data + n, (size_t) size - n);

        if (rc <= 0) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, rc == -1 ? ngx_errno : 0,
                               ngx_read_fd_n " \"%V\" did not give all of it",
                               name);
            return NGX_ERROR;
        }
    }

    text->len = (size_t) size;

    return NGX_OK;
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
    ngx_conf_log_error(NGX_LOG_EMERG, read->cf, 0,
                       "\"%V\" of \"prompt_dashboard\" is not a dashboard that "
                       "this module knows: line %ui of its \"manifest\"; "
                       "build it from the same sources with `make dashboard'",
                       read->path, read->line);
    return NGX_ERROR;
}


ngx_int_t
ngx_http_prompt_dashboard_etag(ngx_pool_t *pool, ngx_str_t *text,
    ngx_str_t *etag)
{
    u_char   *p;
    uint8_t   digest[PROMPT_SHA256_LEN];

    /* half of the digest tells versions apart well enough */

    p = ngx_pnalloc(pool, PROMPT_SHA256_LEN + 2);
    if (p == NULL) {
        return NGX_ERROR;
    }

    prompt_sha256(prompt_str_of((char *) text->data, text->len), digest);

    etag->data = p;
    *p++ = '"';
    p = ngx_hex_dump(p, digest, PROMPT_SHA256_LEN / 2);
    *p++ = '"';
    etag->len = p - etag->data;

    return NGX_OK;
}


static int ngx_libc_cdecl
ngx_http_prompt_dashboard_cmp_files(const void *one, const void *two)
{
    const ngx_http_prompt_dashboard_file_t  *first = one;
    const ngx_http_prompt_dashboard_file_t  *second = two;

    return (int) ngx_memn2cmp(first->name.data, second->name.data,
                              first->name.len, second->name.len);
}
