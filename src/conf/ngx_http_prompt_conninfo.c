/*
 * The connection string of prompt_postgres, and of prompt_postgres_read: parsed
 * by libpq, each of its keywords then looked at, since a worker cannot wait
 * until libpq complains.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include <libpq-fe.h>

#include "conf/ngx_http_prompt_conninfo.h"


typedef struct ngx_http_prompt_keyword_s  ngx_http_prompt_keyword_t;

struct ngx_http_prompt_keyword_s {
    const char   *name;

    /* NULL: the module has a value of its own, which counts */
    ngx_int_t   (*read)(ngx_http_prompt_conninfo_t *ci,
                        const ngx_http_prompt_keyword_t *keyword,
                        const char *value);

    const char   *value;             /* that; or, with a space between two,
                                        those to choose from; or whether a file
                                        is a "secret" */
    size_t        offset;            /* of a text in the reader */
};


static ngx_int_t ngx_http_prompt_conninfo_options(
    ngx_http_prompt_conninfo_t *ci, const PQconninfoOption *options);
static const ngx_http_prompt_keyword_t *ngx_http_prompt_conninfo_keyword(
    const char *name);
static ngx_int_t ngx_http_prompt_conninfo_text(
    ngx_http_prompt_conninfo_t *ci, const ngx_http_prompt_keyword_t *keyword,
    const char *value);
static ngx_int_t ngx_http_prompt_conninfo_service(
    ngx_http_prompt_conninfo_t *ci, const ngx_http_prompt_keyword_t *keyword,
    const char *value);
static ngx_int_t ngx_http_prompt_conninfo_connect_timeout(
    ngx_http_prompt_conninfo_t *ci, const ngx_http_prompt_keyword_t *keyword,
    const char *value);
static ngx_int_t ngx_http_prompt_conninfo_choice(
    ngx_http_prompt_conninfo_t *ci, const ngx_http_prompt_keyword_t *keyword,
    const char *value);
static ngx_int_t ngx_http_prompt_conninfo_file(
    ngx_http_prompt_conninfo_t *ci, const ngx_http_prompt_keyword_t *keyword,
    const char *value);
static ngx_int_t ngx_http_prompt_conninfo_option(
    ngx_http_prompt_conninfo_t *ci, const char *name, const char *value);
static ngx_int_t ngx_http_prompt_conninfo_copy(ngx_pool_t *pool,
    ngx_str_t *copy, const char *text);
static void ngx_http_prompt_conninfo_complain(ngx_conf_t *cf,
    ngx_str_t *conninfo, char *error);


/* those that do not just go to libpq as they are */
static const ngx_http_prompt_keyword_t  ngx_http_prompt_keywords[] = {

    { "host", ngx_http_prompt_conninfo_text, NULL,
      offsetof(ngx_http_prompt_conninfo_t, host) },

    { "hostaddr", ngx_http_prompt_conninfo_text, NULL,
      offsetof(ngx_http_prompt_conninfo_t, hostaddr) },

    { "port", ngx_http_prompt_conninfo_text, NULL,
      offsetof(ngx_http_prompt_conninfo_t, port) },

    { "options", ngx_http_prompt_conninfo_text, NULL,
      offsetof(ngx_http_prompt_conninfo_t, options) },

    { "service", ngx_http_prompt_conninfo_service, NULL, 0 },

    { "connect_timeout", ngx_http_prompt_conninfo_connect_timeout, NULL, 0 },

    { "sslmode", ngx_http_prompt_conninfo_choice,
      "disable allow prefer require verify-ca verify-full", 0 },

    { "target_session_attrs", ngx_http_prompt_conninfo_choice,
      "any read-write read-only primary standby prefer-standby", 0 },

    { "passfile", ngx_http_prompt_conninfo_file, "secret", 0 },
    { "sslkey", ngx_http_prompt_conninfo_file, "secret", 0 },
    { "sslcert", ngx_http_prompt_conninfo_file, "", 0 },
    { "sslrootcert", ngx_http_prompt_conninfo_file, "", 0 },
    { "sslcrl", ngx_http_prompt_conninfo_file, "", 0 },

    { "client_encoding", NULL, "UTF8", 0 },
    { "gssencmode", NULL, "disable", 0 },        /* negotiating would block */
    { "fallback_application_name", NULL, "nginx", 0 },

    { NULL, NULL, NULL, 0 }
};


ngx_int_t
ngx_http_prompt_conninfo(ngx_conf_t *cf, ngx_http_prompt_postgres_conf_t *conf,
    ngx_str_t *conninfo)
{
    char                        *error;
    ngx_int_t                    rc;
    ngx_str_t                    own;
    PQconninfoOption            *options;
    ngx_http_prompt_conninfo_t   ci;

    if (strspn((const char *) conninfo->data, " \t\r\n") == conninfo->len) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "the connection string of \"%V\" is "
                           "empty: write for example "
                           NGX_HTTP_PROMPT_CONNINFO_EXAMPLE, cf->args->elts);
        return NGX_ERROR;
    }

    options = PQconninfoParse((const char *) conninfo->data, &error);

    if (options == NULL) {
        ngx_http_prompt_conninfo_complain(cf, conninfo, error);
        PQfreemem(error);
        return NGX_ERROR;
    }

    ngx_memzero(&ci, sizeof(ngx_http_prompt_conninfo_t));

    ci.cf = cf;
    ci.conf = conf;
    ci.options = "";

    rc = ngx_http_prompt_conninfo_options(&ci, options) == NGX_OK
         && ngx_http_prompt_conninfo_copy(cf->pool, &own, ci.options) == NGX_OK
         ? ngx_http_prompt_conninfo_hosts(&ci) : NGX_ERROR;

    PQconninfoFree(options);

    if (rc == NGX_OK) {
        conf->own_options = (const char *) own.data;
    }

    return rc;
}


static ngx_int_t
ngx_http_prompt_conninfo_options(ngx_http_prompt_conninfo_t *ci,
    const PQconninfoOption *options)
{
    ngx_int_t                         rc;
    const PQconninfoOption           *option;
    const ngx_http_prompt_keyword_t  *keyword;

    if (ngx_array_init(&ci->conf->options, ci->cf->pool, 8,
                       sizeof(ngx_keyval_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    for (option = options; option->keyword != NULL; option++) {

        if (option->val == NULL) {
            continue;
        }

        keyword = ngx_http_prompt_conninfo_keyword(option->keyword);

        if (keyword == NULL) {
            rc = ngx_http_prompt_conninfo_option(ci, option->keyword,
                                                 option->val);
        } else {
            rc = keyword->read != NULL
                 ? keyword->read(ci, keyword, option->val) : NGX_OK;
        }

        if (rc != NGX_OK) {
            return NGX_ERROR;
        }
    }

    for (keyword = ngx_http_prompt_keywords; keyword->name != NULL; keyword++) {

        if (keyword->read == NULL
            && ngx_http_prompt_conninfo_option(ci, keyword->name,
                                               keyword->value)
               != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static const ngx_http_prompt_keyword_t *
ngx_http_prompt_conninfo_keyword(const char *name)
{
    const ngx_http_prompt_keyword_t  *keyword;

    for (keyword = ngx_http_prompt_keywords; keyword->name != NULL; keyword++) {
        if (ngx_strcmp(keyword->name, name) == 0) {
            return keyword;
        }
    }

    return NULL;
}


static ngx_int_t
ngx_http_prompt_conninfo_text(ngx_http_prompt_conninfo_t *ci,
    const ngx_http_prompt_keyword_t *keyword, const char *value)
{
    *(const char **) ((u_char *) ci + keyword->offset) = value;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_conninfo_service(ngx_http_prompt_conninfo_t *ci,
    const ngx_http_prompt_keyword_t *keyword, const char *value)
{
    ngx_conf_log_error(NGX_LOG_EMERG, ci->cf, 0,
                       "\"%V\" does not read service files: write "
                       "what the service stands for instead, such as "
                       NGX_HTTP_PROMPT_CONNINFO_EXAMPLE, ci->cf->args->elts);

    return NGX_ERROR;
}


/* seconds; libpq itself looks at it only where it blocks */
static ngx_int_t
ngx_http_prompt_conninfo_connect_timeout(ngx_http_prompt_conninfo_t *ci,
    const ngx_http_prompt_keyword_t *keyword, const char *value)
{
    ngx_int_t  n;

    n = ngx_atoi((u_char *) value, ngx_strlen(value));

    if (n == NGX_ERROR || n > 3600) {
        return ngx_http_prompt_conf_error(ci->cf,
                   "invalid \"connect_timeout\" in the connection string of "
                   "\"%V\": write whole seconds from 1 to 3600",
                   ci->cf->args->elts);
    }

    /* 0: libpq's word for its default, which would be no limit */

    if (n != 0) {
        ci->conf->connect_timeout = (ngx_msec_t) n * 1000;
    }

    return NGX_OK;
}


/* what libpq itself would only refuse when it connects */
static ngx_int_t
ngx_http_prompt_conninfo_choice(ngx_http_prompt_conninfo_t *ci,
    const ngx_http_prompt_keyword_t *keyword, const char *value)
{
    size_t       len;
    const char  *p;

    for (p = keyword->value; *p != '\0'; p += strspn(p, " ")) {

        len = strcspn(p, " ");

        if (len == ngx_strlen(value) && ngx_strncmp(p, value, len) == 0) {
            return ngx_http_prompt_conninfo_option(ci, keyword->name, value);
        }

        p += len;
    }

    return ngx_http_prompt_conf_error(ci->cf,
               "invalid value \"%s\" of \"%s\" in the connection string of "
               "\"%V\": write one of %s", value, keyword->name,
               ci->cf->args->elts, keyword->value);
}


/* that libpq passes over, or finds wrong only when a worker connects */
static ngx_int_t
ngx_http_prompt_conninfo_file(ngx_http_prompt_conninfo_t *ci,
    const ngx_http_prompt_keyword_t *keyword, const char *value)
{
    const char  *wrong;

    wrong = ngx_http_prompt_conninfo_unreadable(ci->cf, keyword->name, value,
                                                *keyword->value != '\0');
    if (wrong == NULL) {
        return ngx_http_prompt_conninfo_option(ci, keyword->name, value);
    }

    return ngx_http_prompt_conf_error(ci->cf,
               "\"%s\" of \"%s\" in the connection string of \"%V\" %s", value,
               keyword->name, ci->cf->args->elts, wrong);
}


static ngx_int_t
ngx_http_prompt_conninfo_option(ngx_http_prompt_conninfo_t *ci,
    const char *name, const char *value)
{
    ngx_keyval_t  *kv;

    kv = ngx_array_push(&ci->conf->options);

    if (kv == NULL
        || ngx_http_prompt_conninfo_copy(ci->cf->pool, &kv->key, name)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_conninfo_copy(ci->cf->pool, &kv->value, value);
}


/* the copy ends with NUL, which is not in its length */
static ngx_int_t
ngx_http_prompt_conninfo_copy(ngx_pool_t *pool, ngx_str_t *copy,
    const char *text)
{
    copy->len = ngx_strlen(text);
    copy->data = ngx_pnalloc(pool, copy->len + 1);

    if (copy->data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(copy->data, text, copy->len + 1);

    return NGX_OK;
}


/*
 * libpq repeats parts of the string in its messages, in quotes, and a
 * password can be among them ("password=two words").
 */
static void
ngx_http_prompt_conninfo_complain(ngx_conf_t *cf, ngx_str_t *conninfo,
    char *error)
{
    char        *p, *q;
    ngx_uint_t   secret, quoted;

    secret = ngx_strstr(conninfo->data, "pass") != NULL
             || ngx_strstr(conninfo->data, "://") != NULL
             || ngx_strchr(conninfo->data, '@') != NULL;

    quoted = 0;
    q = error;

    for (p = error; *p != '\0' && *p != '\n'; p++) {

        if (*p == '"') {
            quoted = !quoted;

            if (quoted && secret) {
                *q++ = '.';
                *q++ = '.';
            }
        }

        if (!quoted || !secret) {
            if (*p != '"' || !secret) {
                *q++ = *p;
            }
        }
    }

    *q = '\0';

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid connection string of \"%V\": %s; "
                       "write for example " NGX_HTTP_PROMPT_CONNINFO_EXAMPLE
                       ", or a URI", cf->args->elts, error);
}
