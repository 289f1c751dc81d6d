/*
 * Authentication: reads the headers.
 */

#include "http/ngx_http_prompt_auth.h"

#include "conf/ngx_http_prompt_conf.h"
#include "graphql_http/cookie.h"
#include "http/ngx_http_prompt_media.h"
#include "service/keys/usage.h"
#include "service/worker/worker.h"
#include "store/api_key.h"


static ngx_int_t ngx_http_prompt_auth_key(ngx_http_request_t *r,
    prompt_str_t *key);
static ngx_int_t ngx_http_prompt_auth_value(ngx_table_elt_t *header,
    prompt_str_t *value);
static ngx_table_elt_t *ngx_http_prompt_auth_next(ngx_list_part_t **part,
    ngx_uint_t *i);
static ngx_uint_t ngx_http_prompt_auth_named(const ngx_table_elt_t *header,
    const char *name, size_t len);
static void ngx_http_prompt_auth_once(const ngx_table_elt_t *header,
    prompt_str_t *value);


#define ngx_http_prompt_auth_is(header, name)                                \
    ngx_http_prompt_auth_named(header, name, sizeof(name) - 1)


ngx_http_prompt_auth_e
ngx_http_prompt_auth(ngx_http_request_t *r, uint8_t hash[PROMPT_KEY_HASH_LEN])
{
    ngx_int_t     rc;
    prompt_str_t  key;

    rc = ngx_http_prompt_auth_key(r, &key);

    if (rc == NGX_OK && prompt_key_valid(key)) {
        prompt_key_hash(key, hash);
        return NGX_HTTP_PROMPT_AUTH_KEY;
    }

    if (rc != NGX_DECLINED) {
        return NGX_HTTP_PROMPT_AUTH_NONE;
    }

    rc = ngx_http_prompt_auth_cookie(r, hash);

    if (rc != NGX_OK) {
        return NGX_HTTP_PROMPT_AUTH_NONE;
    }

    if (r->method != NGX_HTTP_POST
        || !ngx_http_prompt_media_is_json(r)
        || ngx_http_prompt_auth_origin(r) != GQL_HTTP_ORIGIN_SAME)
    {
        return NGX_HTTP_PROMPT_AUTH_FOREIGN;
    }

    return NGX_HTTP_PROMPT_AUTH_SESSION;
}


/*
 * Several headers are fine as long as they name the same key: NGX_ERROR where
 * they do not.  NGX_DECLINED: there is none.
 */

static ngx_int_t
ngx_http_prompt_auth_key(ngx_http_request_t *r, prompt_str_t *key)
{
    ngx_uint_t        i;
    prompt_str_t      value;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    *key = prompt_str_absent;

    part = &r->headers_in.headers.part;
    i = 0;

    while ((header = ngx_http_prompt_auth_next(&part, &i)) != NULL) {

        if (ngx_http_prompt_auth_value(header, &value) != NGX_OK) {
            continue;
        }

        if (key->data != NULL && !prompt_str_eq(*key, value)) {
            return NGX_ERROR;
        }

        *key = value;
    }

    return key->data != NULL ? NGX_OK : NGX_DECLINED;
}


/*
 * NGX_DECLINED: a header that names no key.  Authorization with another
 * scheme is somebody else's, auth_basic's for one.
 */

static ngx_int_t
ngx_http_prompt_auth_value(ngx_table_elt_t *header, prompt_str_t *value)
{
    u_char  *p, *last;

    if (ngx_http_prompt_auth_is(header, "X-API-Key")) {
        *value = prompt_str_of((char *) header->value.data,
                               header->value.len);
        return NGX_OK;
    }

    if (!ngx_http_prompt_auth_is(header, "Authorization")) {
        return NGX_DECLINED;
    }

    if (header->value.len < sizeof("Bearer ") - 1
        || ngx_strncasecmp(header->value.data, (u_char *) "Bearer ",
                           sizeof("Bearer ") - 1)
           != 0)
    {
        return NGX_DECLINED;
    }

    p = header->value.data + sizeof("Bearer ") - 1;
    last = header->value.data + header->value.len;

    while (p < last && *p == ' ') {
        p++;
    }

    *value = prompt_str_of((char *) p, last - p);

    return NGX_OK;
}


/*
 * One that has the prefix can only have been set over an encrypted connection
 * by this very host; where it is there, the other one is not looked at, which
 * anybody on the way could have put there.
 */

ngx_int_t
ngx_http_prompt_auth_cookie(ngx_http_request_t *r,
    uint8_t hash[PROMPT_KEY_HASH_LEN])
{
    ngx_uint_t                    i;
    prompt_str_t                  value;
    ngx_list_part_t              *part;
    ngx_table_elt_t              *header;
    gql_http_cookie_t             cookie, plain, *found;
    ngx_http_prompt_main_conf_t  *pmcf;

    gql_http_cookie_init(&cookie, prompt_str(NGX_HTTP_PROMPT_COOKIE));
    gql_http_cookie_init(&plain, prompt_str(NGX_HTTP_PROMPT_COOKIE_PLAIN));

    part = &r->headers_in.headers.part;
    i = 0;

    while ((header = ngx_http_prompt_auth_next(&part, &i)) != NULL) {

        if (ngx_http_prompt_auth_is(header, "Cookie")) {
            value = prompt_str_of((char *) header->value.data,
                                  header->value.len);

            gql_http_cookie_add(&cookie, value);
            gql_http_cookie_add(&plain, value);
        }
    }

    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);

    found = cookie.count == 0 && ngx_http_prompt_auth_plain(r, pmcf->insecure)
            ? &plain : &cookie;

    if (found->count == 0) {
        return NGX_DECLINED;
    }

    if (found->count != 1 || !prompt_session_valid(found->value)) {
        return NGX_ERROR;
    }

    prompt_key_hash(found->value, hash);

    return NGX_OK;
}


ngx_uint_t
ngx_http_prompt_auth_is_of(ngx_http_prompt_auth_e auth,
    const ngx_http_prompt_identity_t *identity)
{
    return ((identity->scopes & PROMPT_KEY_SCOPE_SESSION) != 0)
           == (auth == NGX_HTTP_PROMPT_AUTH_SESSION);
}


void
ngx_http_prompt_auth_used(ngx_http_request_t *r,
    const ngx_http_prompt_identity_t *identity)
{
    ngx_http_prompt_usage_note(ngx_http_prompt_get_worker(r),
                               identity->key_id);
}


/* What is there twice says nothing that could be relied on. */

gql_http_origin_e
ngx_http_prompt_auth_origin(ngx_http_request_t *r)
{
    bool              tls;
    ngx_uint_t        i;
    prompt_str_t      site, origin, host;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    site = prompt_str_absent;
    origin = prompt_str_absent;
    host = prompt_str_absent;

    part = &r->headers_in.headers.part;
    i = 0;

    while ((header = ngx_http_prompt_auth_next(&part, &i)) != NULL) {

        if (ngx_http_prompt_auth_is(header, "Sec-Fetch-Site")) {
            ngx_http_prompt_auth_once(header, &site);

        } else if (ngx_http_prompt_auth_is(header, "Origin")) {
            ngx_http_prompt_auth_once(header, &origin);
        }
    }

    if (r->headers_in.host != NULL) {
        host = prompt_str_of((char *) r->headers_in.host->value.data,
                             r->headers_in.host->value.len);
    }

#if (NGX_HTTP_SSL)
    tls = r->connection->ssl != NULL;
#else
    tls = false;
#endif

    return gql_http_origin(site, origin, tls, host);
}


ngx_uint_t
ngx_http_prompt_auth_plain(ngx_http_request_t *r, ngx_uint_t insecure)
{
    struct sockaddr      *sockaddr;
    struct sockaddr_in   *sin;
#if (NGX_HAVE_INET6)
    struct sockaddr_in6  *sin6;
#endif

#if (NGX_HTTP_SSL)
    if (r->connection->ssl != NULL) {
        return 0;
    }
#endif

    if (insecure) {
        return 1;
    }

    sockaddr = r->connection->sockaddr;

    switch (sockaddr->sa_family) {

    case AF_INET:
        sin = (struct sockaddr_in *) sockaddr;
        return (ntohl(sin->sin_addr.s_addr) >> 24) == 127;

#if (NGX_HAVE_INET6)
    case AF_INET6:
        sin6 = (struct sockaddr_in6 *) sockaddr;
        return IN6_IS_ADDR_LOOPBACK(&sin6->sin6_addr)
               || (IN6_IS_ADDR_V4MAPPED(&sin6->sin6_addr)
                   && sin6->sin6_addr.s6_addr[12] == 127);
#endif

    default:
        return sockaddr->sa_family == AF_UNIX;
    }
}


/* the headers of a request, one after the other; i begins with 0 */

static ngx_table_elt_t *
ngx_http_prompt_auth_next(ngx_list_part_t **part, ngx_uint_t *i)
{
    ngx_table_elt_t  *header;

    while (*i >= (*part)->nelts) {

        if ((*part)->next == NULL) {
            return NULL;
        }

        *part = (*part)->next;
        *i = 0;
    }

    header = (*part)->elts;

    return &header[(*i)++];
}


static ngx_uint_t
ngx_http_prompt_auth_named(const ngx_table_elt_t *header, const char *name,
    size_t len)
{
    return header->key.len == len
           && ngx_strncasecmp(header->key.data, (u_char *) name, len) == 0;
}


static void
ngx_http_prompt_auth_once(const ngx_table_elt_t *header, prompt_str_t *value)
{
    *value = value->data != NULL
             ? prompt_str("")
             : prompt_str_of((char *) header->value.data, header->value.len);
}
