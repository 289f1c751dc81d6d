/*
 * Reading a file as a whole.
 */

#include "conf/ngx_http_prompt_conf_file.h"

#include "conf/ngx_http_prompt_parameters.h"


static ngx_int_t ngx_http_prompt_conf_file_size(ngx_conf_t *cf,
    ngx_str_t *name, ngx_fd_t fd, size_t least, size_t most, size_t *size);
static ngx_int_t ngx_http_prompt_conf_file_bytes(ngx_conf_t *cf,
    ngx_str_t *name, ngx_fd_t fd, ngx_str_t *text);


ngx_int_t
ngx_http_prompt_conf_file(ngx_conf_t *cf, ngx_str_t *name, size_t least,
    size_t most, prompt_arena_t *arena, ngx_str_t *text)
{
    ngx_fd_t   fd;
    ngx_int_t  rc;

    /* without waiting for whoever would write to a pipe */

    fd = ngx_open_file(name->data, NGX_FILE_RDONLY|NGX_FILE_NONBLOCK,
                       NGX_FILE_OPEN, 0);

    if (fd == NGX_INVALID_FILE) {

        if (ngx_errno == NGX_ENOENT || ngx_errno == NGX_ENOTDIR) {
            return NGX_DECLINED;
        }

        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_open_file_n " \"%V\" failed", name);
        return NGX_ERROR;
    }

    rc = ngx_http_prompt_conf_file_size(cf, name, fd, least, most, &text->len);

    if (rc == NGX_OK) {
        text->data = arena != NULL ? prompt_arena_alloc(arena, text->len)
                                   : ngx_pnalloc(cf->pool, text->len);
        rc = text->data != NULL
             ? ngx_http_prompt_conf_file_bytes(cf, name, fd, text) : NGX_BUSY;
    }

    if (ngx_close_file(fd) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_WARN, cf, ngx_errno,
                           ngx_close_file_n " \"%V\" failed", name);
    }

    return rc;
}


static ngx_int_t
ngx_http_prompt_conf_file_size(ngx_conf_t *cf, ngx_str_t *name, ngx_fd_t fd,
    size_t least, size_t most, size_t *size)
{
    ngx_file_info_t  fi;

    if (ngx_fd_info(fd, &fi) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_fd_info_n " \"%V\" failed", name);
        return NGX_ERROR;
    }

    *size = (size_t) ngx_file_size(&fi);

    return ngx_is_file(&fi) && *size >= least && *size <= most
           ? NGX_OK
           : ngx_http_prompt_conf_error(cf,
                   "\"%V\" is not a file of %uz byte to %uz MiB", name, least,
                   most / 1024 / 1024);
}


static ngx_int_t
ngx_http_prompt_conf_file_bytes(ngx_conf_t *cf, ngx_str_t *name, ngx_fd_t fd,
    ngx_str_t *text)
{
    size_t   n;
    ssize_t  rc;

    for (n = 0; n < text->len; n += rc) {
        rc = ngx_read_fd(fd, text->data + n, text->len - n);

        if (rc <= 0) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, rc == -1 ? ngx_errno : 0,
                               ngx_read_fd_n " \"%V\" did not give all of it",
                               name);
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}
