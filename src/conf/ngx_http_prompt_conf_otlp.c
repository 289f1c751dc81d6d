/*
 * The directive prompt_otlp.
 *
 * The host is resolved here, as that of proxy_pass is: what resolves names in
 * a worker would need threads, which hold it up when it ends.
 */

#include "conf/ngx_http_prompt_conf_file.h"
#include "conf/ngx_http_prompt_conf_otlp.h"
#include "conf/ngx_http_prompt_parameters.h"


#define NGX_HTTP_PROMPT_OTLP_HEADERS      16
#define NGX_HTTP_PROMPT_OTLP_CERTIFICATE  (1024 * 1024)

#define NGX_HTTP_PROMPT_OTLP_URL                                             \
    "write \"http://HOST:PORT/v1/traces\" or \"https://…\""


static ngx_int_t ngx_http_prompt_otlp_url(ngx_conf_t *cf,
    ngx_http_prompt_otlp_conf_t *ocf, ngx_str_t *url);
static ngx_uint_t ngx_http_prompt_otlp_plain(ngx_str_t *text);
static ngx_int_t ngx_http_prompt_otlp_resolve(ngx_conf_t *cf,
    ngx_http_prompt_otlp_conf_t *ocf, ngx_url_t *u);
static ngx_int_t ngx_http_prompt_otlp_header(ngx_str_t *text, void *field,
    const ngx_http_prompt_parameter_t *parameter);
static ngx_uint_t ngx_http_prompt_otlp_name(u_char *name, size_t len);
static ngx_int_t ngx_http_prompt_otlp_certificate(ngx_conf_t *cf,
    ngx_http_prompt_otlp_conf_t *ocf);


/* the value is a secret, and the name may be a piece of one */
static const ngx_http_prompt_kind_t  ngx_http_prompt_otlp_headers = {
    ngx_http_prompt_otlp_header, NULL, "a header", 1, 1
};


static const ngx_http_prompt_parameter_t  ngx_http_prompt_otlp_parameters[] =
{
    { ngx_string("header"), &ngx_http_prompt_otlp_headers,
      offsetof(ngx_http_prompt_otlp_conf_t, headers), NULL, NULL, NULL,
      "\"header=NAME:VALUE\", such as \"header=Authorization:Bearer …\", and "
      "none that says how the request is sent" },

    { ngx_string("interval"), &ngx_http_prompt_msec,
      offsetof(ngx_http_prompt_otlp_conf_t, interval),
      "5s", "100ms", "1m", NULL },

    { ngx_string("queue"), &ngx_http_prompt_number,
      offsetof(ngx_http_prompt_otlp_conf_t, queue),
      "2048", "16", "65536", NULL },

    { ngx_string("content"), &ngx_http_prompt_flag,
      offsetof(ngx_http_prompt_otlp_conf_t, content),
      "off", NULL, NULL, "\"content=on\" or \"content=off\"" },

    { ngx_string("service"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_otlp_conf_t, service),
      "prompt", "1", "255",
      "a name of at most 255 bytes, such as \"service=prompt\"" },

    { ngx_string("trusted_certificate"), &ngx_http_prompt_text,
      offsetof(ngx_http_prompt_otlp_conf_t, certificate_file),
      NULL, "1", NULL,
      "a file of certificates, such as "
      "\"trusted_certificate=/etc/nginx/ca.pem\"" },

    ngx_http_prompt_no_parameter("")
};


char *
ngx_http_prompt_conf_otlp(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                    *value;
    ngx_http_prompt_otlp_conf_t  *ocf;

    value = cf->args->elts;
    ocf = (void *) ((u_char *) conf + cmd->offset);

    if (ocf->url.len != 0) {
        return "is duplicate";
    }

    ngx_http_prompt_parameters_default(ngx_http_prompt_otlp_parameters, ocf);

    if (ngx_array_init(&ocf->headers, cf->pool, 2, sizeof(ngx_str_t)) != NGX_OK
        || ngx_http_prompt_otlp_url(cf, ocf, &value[1]) != NGX_OK
        || ngx_http_prompt_parameters(cf, 2, ngx_http_prompt_otlp_parameters,
                                      ocf)
           != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (ocf->headers.nelts > NGX_HTTP_PROMPT_OTLP_HEADERS) {
        return ngx_http_prompt_conf_wrong(cf,
                   "\"prompt_otlp\" has more than %d headers: keep those that "
                   "the collector asks for", NGX_HTTP_PROMPT_OTLP_HEADERS);
    }

    return ngx_http_prompt_otlp_certificate(cf, ocf) == NGX_OK
           ? NGX_CONF_OK : NGX_CONF_ERROR;
}


/* It is not repeated in a message: it may hold a password. */
static ngx_int_t
ngx_http_prompt_otlp_url(ngx_conf_t *cf, ngx_http_prompt_otlp_conf_t *ocf,
    ngx_str_t *url)
{
    size_t     skip;
    ngx_url_t  u;

    ngx_memzero(&u, sizeof(ngx_url_t));

    if (ngx_strncasecmp(url->data, (u_char *) "http://", 7) == 0) {
        skip = 7;
        u.default_port = 80;

    } else if (ngx_strncasecmp(url->data, (u_char *) "https://", 8) == 0) {
        skip = 8;
        u.default_port = 443;

    } else {
        return ngx_http_prompt_conf_error(cf,
                   "invalid URL in \"prompt_otlp\": " NGX_HTTP_PROMPT_OTLP_URL);
    }

    u.url.data = url->data + skip;
    u.url.len = url->len - skip;
    u.uri_part = 1;

    if (ngx_strlchr(u.url.data, u.url.data + u.url.len, '@') != NULL) {
        return ngx_http_prompt_conf_error(cf,
                   "\"prompt_otlp\" takes no name and password in its URL: "
                   "write \"header=Authorization:…\"");
    }

    if (!ngx_http_prompt_otlp_plain(url)
        || ngx_strncasecmp(u.url.data, (u_char *) "unix:", 5) == 0
        || ngx_parse_url(cf->pool, &u) != NGX_OK
        || u.uri.len < 2)
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "%s in the URL of \"prompt_otlp\": "
                           NGX_HTTP_PROMPT_OTLP_URL,
                           u.err != NULL ? u.err
                                         : "no path, or a space");
        return NGX_ERROR;
    }

    ocf->url = *url;

    return ngx_http_prompt_otlp_resolve(cf, ocf, &u);
}


static ngx_uint_t
ngx_http_prompt_otlp_plain(ngx_str_t *text)
{
    size_t  i;

    for (i = 0; i < text->len; i++) {
        if (text->data[i] <= ' ' || text->data[i] > '~'
            || text->data[i] == '#')
        {
            return 0;
        }
    }

    return 1;
}


/* What libcurl is told, so that it looks for no name itself. */
static ngx_int_t
ngx_http_prompt_otlp_resolve(ngx_conf_t *cf, ngx_http_prompt_otlp_conf_t *ocf,
    ngx_url_t *u)
{
    u_char      *p, *last;
    size_t       size;
    ngx_uint_t   i;

    if (ngx_inet_addr(u->host.data, u->host.len) != INADDR_NONE
        || ngx_strlchr(u->host.data, u->host.data + u->host.len, ':') != NULL)
    {
        return NGX_OK;                           /* it is an address */
    }

    size = u->host.len + sizeof(":65535:")
           + u->naddrs * (NGX_SOCKADDR_STRLEN + 3);

    p = ngx_pnalloc(cf->pool, size);
    if (p == NULL) {
        return NGX_ERROR;
    }

    ocf->resolve.data = p;
    last = p + size - 1;

    p = ngx_slprintf(p, last, "%V:%ui:", &u->host, (ngx_uint_t) u->port);

    for (i = 0; i < u->naddrs; i++) {

        if (i != 0) {
            *p++ = ',';
        }

        if (u->addrs[i].sockaddr->sa_family == AF_INET6) {
            *p++ = '[';
        }

        p += ngx_sock_ntop(u->addrs[i].sockaddr, u->addrs[i].socklen, p,
                           (size_t) (last - p), 0);

        if (u->addrs[i].sockaddr->sa_family == AF_INET6) {
            *p++ = ']';
        }
    }

    *p = '\0';
    ocf->resolve.len = (size_t) (p - ocf->resolve.data);

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_otlp_header(ngx_str_t *text, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_array_t  *headers = field;

    u_char     *colon, *p, *value, *last;
    ngx_str_t  *header;

    last = text->data + text->len;
    colon = ngx_strlchr(text->data, last, ':');

    if (colon == NULL
        || !ngx_http_prompt_otlp_name(text->data,
                                      (size_t) (colon - text->data)))
    {
        return NGX_ERROR;
    }

    for (value = colon + 1; value < last && *value == ' '; value++) {
        /* void */
    }

    for (p = value; p < last; p++) {
        if (*p < ' ' || *p == 0x7f) {
            return NGX_ERROR;
        }
    }

    if (value == last) {
        return NGX_ERROR;
    }

    header = ngx_array_push(headers);
    if (header == NULL) {
        return NGX_ERROR;
    }

    header->data = ngx_pnalloc(headers->pool, text->len + sizeof(": "));
    if (header->data == NULL) {
        return NGX_ERROR;
    }

    header->len = ngx_sprintf(header->data, "%*s: %*s%Z",
                              (size_t) (colon - text->data), text->data,
                              (size_t) (last - value), value)
                  - header->data - 1;

    return NGX_OK;
}


static ngx_uint_t
ngx_http_prompt_otlp_name(u_char *name, size_t len)
{
    size_t      i;
    ngx_uint_t  n;

    static ngx_str_t  own[] = {
        ngx_string("content-type"), ngx_string("content-length"),
        ngx_string("content-encoding"), ngx_string("transfer-encoding"),
        ngx_string("connection"), ngx_string("expect"), ngx_string("host"),
        ngx_null_string
    };

    for (i = 0; i < len; i++) {
        if ((name[i] < 'a' || name[i] > 'z') && (name[i] < 'A' || name[i] > 'Z')
            && (name[i] < '0' || name[i] > '9') && name[i] != '-'
            && name[i] != '_')
        {
            return 0;
        }
    }

    for (n = 0; own[n].len != 0; n++) {
        if (own[n].len == len
            && ngx_strncasecmp(own[n].data, name, len) == 0)
        {
            return 0;
        }
    }

    return len != 0;
}


/* Read now: a worker may not be allowed to. */
static ngx_int_t
ngx_http_prompt_otlp_certificate(ngx_conf_t *cf,
    ngx_http_prompt_otlp_conf_t *ocf)
{
    ngx_int_t  rc;

    if (ocf->certificate_file.len == 0) {
        return NGX_OK;
    }

    if (ngx_conf_full_name(cf->cycle, &ocf->certificate_file, 1) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_http_prompt_conf_file(cf, &ocf->certificate_file, 1,
                                   NGX_HTTP_PROMPT_OTLP_CERTIFICATE, NULL,
                                   &ocf->certificate);

    if (rc == NGX_DECLINED
        || (rc == NGX_OK
            && ngx_strnstr(ocf->certificate.data, "-----BEGIN",
                           ocf->certificate.len)
               == NULL))
    {
        return ngx_http_prompt_conf_error(cf,
                   "\"%V\" of \"prompt_otlp\" holds no certificates: write a "
                   "PEM file of at most 1 MiB", &ocf->certificate_file);
    }

    return rc == NGX_OK ? NGX_OK : NGX_ERROR;
}
