/*
 * prompt_dashboard and prompt_console: a folder, and where the page finds what
 * it speaks with.
 */

#include "conf/ngx_http_prompt_conf_dashboard.h"


static ngx_uint_t ngx_http_prompt_conf_page_first(ngx_conf_t *cf);
static ngx_int_t ngx_http_prompt_conf_page(ngx_conf_t *cf,
    const ngx_http_prompt_parameter_t *table,
    ngx_http_prompt_dashboard_conf_t *conf, ngx_str_t *first);
static ngx_int_t ngx_http_prompt_conf_page_uri(ngx_conf_t *cf, ngx_str_t *uri,
    const char *location, const char *example);


/* the locations that pages speak with or name, and where they are */
static const struct {
    size_t       offset;
    const char  *directive;
    const char  *uri;
}  ngx_http_prompt_conf_page_uris[] = {
    { offsetof(ngx_http_prompt_dashboard_conf_t, graphql), "prompt_graphql",
      "/graphql" },
    { offsetof(ngx_http_prompt_dashboard_conf_t, session), "prompt_session",
      "/session" },
    { offsetof(ngx_http_prompt_dashboard_conf_t, openai), "prompt_openai",
      "/openai/v1/" },
    { offsetof(ngx_http_prompt_dashboard_conf_t, mcp), "prompt_mcp", "/mcp" }
};


static const ngx_http_prompt_parameter_t
    ngx_http_prompt_dashboard_parameters[] =
{
    { ngx_string("graphql"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_dashboard_conf_t, graphql), NULL, NULL, NULL,
      "the location of prompt_graphql, such as \"graphql=/graphql\"" },

    { ngx_string("session"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_dashboard_conf_t, session), NULL, NULL, NULL,
      "the location of prompt_session, such as \"session=/session\"" },

    { ngx_string("openai"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_dashboard_conf_t, openai), NULL, NULL, NULL,
      "the location of prompt_openai, such as \"openai=/openai/v1/\"" },

    { ngx_string("mcp"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_dashboard_conf_t, mcp), NULL, NULL, NULL,
      "the location of prompt_mcp, such as \"mcp=/mcp\"" },

    ngx_http_prompt_no_parameter("; the folder of the dashboard goes first")
};


static const ngx_http_prompt_parameter_t  ngx_http_prompt_console_parameters[] =
{
    { ngx_string("session"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_dashboard_conf_t, session), NULL, NULL, NULL,
      "the location of prompt_session, such as \"session=/session\"" },

    { ngx_string("path"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_dashboard_conf_t, path), NULL, NULL, NULL,
      "the folder of the dashboard, such as \"path=/opt/dashboard\"" },

    ngx_http_prompt_no_parameter("; the location of prompt_graphql goes first")
};


ngx_int_t
ngx_http_prompt_conf_dashboard(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_conf_t *conf)
{
    return ngx_http_prompt_conf_page(cf, ngx_http_prompt_dashboard_parameters,
                                     conf, &conf->path);
}


ngx_int_t
ngx_http_prompt_conf_console(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_conf_t *conf)
{
    return ngx_http_prompt_conf_page(cf, ngx_http_prompt_console_parameters,
                                     conf, &conf->graphql);
}


/*
 * Where parameters begin: the first argument is something else, unless it
 * looks like NAME=VALUE.
 */
static ngx_uint_t
ngx_http_prompt_conf_page_first(ngx_conf_t *cf)
{
    u_char     *equals, *slash;
    ngx_str_t  *arg;

    if (cf->args->nelts < 2) {
        return 1;
    }

    arg = cf->args->elts;
    equals = ngx_strlchr(arg[1].data, arg[1].data + arg[1].len, '=');
    slash = ngx_strlchr(arg[1].data, arg[1].data + arg[1].len, '/');

    return (equals == NULL || (slash != NULL && slash < equals)) ? 2 : 1;
}


/* first: what the argument before the parameters is, where there is one */
static ngx_int_t
ngx_http_prompt_conf_page(ngx_conf_t *cf,
    const ngx_http_prompt_parameter_t *table,
    ngx_http_prompt_dashboard_conf_t *conf, ngx_str_t *first)
{
    ngx_str_t   *arg, *uri;
    ngx_uint_t   n;

    arg = cf->args->elts;
    n = ngx_http_prompt_conf_page_first(cf);

    ngx_memzero(conf, sizeof(ngx_http_prompt_dashboard_conf_t));
    ngx_http_prompt_parameters_default(table, conf);

    if (n == 2) {
        *first = arg[1];
    }

    if (ngx_http_prompt_parameters(cf, n, table, conf) != NGX_OK) {
        return NGX_ERROR;
    }

    if (conf->path.data == NULL) {
        conf->path.data = (u_char *) ngx_http_prompt_dashboard_path;
        conf->path.len = ngx_strlen(ngx_http_prompt_dashboard_path);
    }

    for (n = 0; n < sizeof(ngx_http_prompt_conf_page_uris)
                    / sizeof(ngx_http_prompt_conf_page_uris[0]); n++)
    {
        uri = (ngx_str_t *) ((u_char *) conf
                             + ngx_http_prompt_conf_page_uris[n].offset);

        if (uri->data == NULL) {
            uri->data = (u_char *) ngx_http_prompt_conf_page_uris[n].uri;
            uri->len = ngx_strlen(uri->data);
        }

        if (ngx_http_prompt_conf_page_uri(cf, uri,
                ngx_http_prompt_conf_page_uris[n].directive,
                ngx_http_prompt_conf_page_uris[n].uri) != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return ngx_conf_full_name(cf->cycle, &conf->path, 1);
}


/*
 * Two slashes (or what browsers take for them) would begin the name of another
 * host, and what is secret would go there.
 */
static ngx_int_t
ngx_http_prompt_conf_page_uri(ngx_conf_t *cf, ngx_str_t *uri,
    const char *location, const char *example)
{
    size_t  i;
    u_char  ch;

    if (uri->len == 0 || uri->data[0] != '/'
        || (uri->len > 1 && uri->data[1] == '/'))
    {
        return ngx_http_prompt_conf_error(cf,
                   "\"%V\" of \"%V\" is not the URI of a location: write the "
                   "location of %s, such as \"%s\"", uri, cf->args->elts,
                   location, example);
    }

    for (i = 1; i < uri->len; i++) {
        ch = uri->data[i];

        if ((ch >= '0' && ch <= '9') || (ch >= 'A' && ch <= 'Z')
            || (ch >= 'a' && ch <= 'z')
            || ngx_strchr("-._~!$&'()*+,;=:@%/?", ch) != NULL)
        {
            continue;
        }

        return ngx_http_prompt_conf_error(cf,
                   "\"%V\" of \"%V\" has a character that cannot stand in a "
                   "URI: write it as \"%%%02Xi\"", uri, cf->args->elts,
                   (ngx_uint_t) ch);
    }

    return NGX_OK;
}
