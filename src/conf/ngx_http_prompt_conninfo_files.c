/*
 * The files of a connection string: passwords, keys, certificates.  Workers
 * read them, whenever they connect.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include <libpq-fe.h>

#include "conf/ngx_http_prompt_conninfo.h"


static const char *ngx_http_prompt_conninfo_look_out(ngx_conf_t *cf,
    const char *keyword, const char *value, ngx_uid_t owner);
static ngx_uint_t ngx_http_prompt_conninfo_is_file(const char *keyword,
    const char *value);


const char *
ngx_http_prompt_conninfo_unreadable(ngx_conf_t *cf, const char *keyword,
    const char *value, ngx_uint_t secret)
{
    mode_t            others;
    ngx_fd_t          fd;
    ngx_int_t         rc;
    ngx_core_conf_t  *ccf;
    ngx_file_info_t   fi;

    if (!ngx_http_prompt_conninfo_is_file(keyword, value)) {
        return NULL;
    }

    fd = ngx_open_file((u_char *) value, NGX_FILE_RDONLY|NGX_FILE_NONBLOCK,
                       NGX_FILE_OPEN, 0);

    if (fd == NGX_INVALID_FILE) {
        return ngx_errno == NGX_ENOENT
               ? "is not there: name a file that is"
               : "cannot be opened: name a file that can be read";
    }

    rc = ngx_fd_info(fd, &fi);
    (void) ngx_close_file(fd);

    if (rc == NGX_FILE_ERROR || !ngx_is_file(&fi)) {
        return "is not a file: name one";
    }

    /* as libpq has it: root's key may be read by a group */

    others = S_IRWXG | S_IRWXO;

    if (fi.st_uid == 0 && ngx_strcmp(keyword, "sslkey") == 0) {
        others = S_IWGRP | S_IXGRP | S_IRWXO;
    }

    if (secret && (fi.st_mode & others) != 0) {
        return "may be read by others, so libpq does not use it: \"chmod "
               "0600\" helps";
    }

    /* nginx reads this as root, which its workers are not */

    if (geteuid() != 0 || (fi.st_mode & (S_IRGRP | S_IROTH)) != 0) {
        return NULL;
    }

    ccf = (ngx_core_conf_t *) ngx_get_conf(cf->cycle->conf_ctx,
                                           ngx_core_module);

    if (ccf->user == (ngx_uid_t) NGX_CONF_UNSET_UINT) {
        return ngx_http_prompt_conninfo_look_out(cf, keyword, value,
                                                 fi.st_uid);
    }

    return ccf->user == 0 || ccf->user == fi.st_uid
           ? NULL
           : "cannot be read by the workers: \"chown\" it to the user of "
             "nginx's directive \"user\"";
}


/* "user" may come yet; without it workers are whom nginx is built for */
static const char *
ngx_http_prompt_conninfo_look_out(ngx_conf_t *cf, const char *keyword,
    const char *value, ngx_uid_t owner)
{
    struct passwd  *pw;

    pw = getpwnam(NGX_USER);

    if (pw != NULL && pw->pw_uid != owner) {
        ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                           "\"%s\" of \"%s\" can be read by its owner alone, "
                           "and not by \"" NGX_USER "\", whom workers run as "
                           "without a directive \"user\" in front of the http "
                           "block", value, keyword);
    }

    return NULL;
}


/* A key may be in hardware, and certificates those of the system. */
static ngx_uint_t
ngx_http_prompt_conninfo_is_file(const char *keyword, const char *value)
{
    if (*value == '\0') {
        return 0;
    }

    if (ngx_strcmp(keyword, "sslkey") == 0) {
        return ngx_strchr(value, ':') == NULL;
    }

    return ngx_strcmp(keyword, "sslrootcert") != 0
           || ngx_strcmp(value, "system") != 0
           || PQlibVersion() < 160000;
}
