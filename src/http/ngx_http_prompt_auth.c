/*
 * Authentication: reads the headers.
 */

#include "http/ngx_http_prompt_auth.h"

#include "conf/ngx_http_prompt_conf.h"
#include "graphql_http/cookie.h"
#include "http/ngx_http_prompt_media.h"
#include "service/keys/usage.h"
#include "service/people/sign_in.h"
#include "service/worker/header.h"
#include "service/worker/worker.h"
#include "store/api_key.h"


static ngx_int_t ngx_http_prompt_auth_key(ngx_http_request_t *r,
    prompt_str_t *key);
static bool ngx_http_prompt_auth_bearer(prompt_str_t *value);
static ngx_int_t ngx_http_prompt_auth_named(ngx_http_request_t *r,
    const ngx_http_prompt_session_conf_t *session, prompt_str_t *email);


ngx_http_prompt_auth_e
ngx_http_prompt_auth(ngx_http_request_t *r, uint8_t hash[PROMPT_KEY_HASH_LEN])
{
    ngx_int_t     rc;
    prompt_str_t  key;

    rc = ngx_http_prompt_auth_key(r, &key);

    if (rc == NGX_OK && prompt_key_valid(key, PROMPT_KEY)) {
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
    ngx_uint_t                 i;
    prompt_str_t               value;
    ngx_http_prompt_headers_t  at;

    static const prompt_str_t  names[] = {
        prompt_str_init("X-API-Key"), prompt_str_init("Authorization")
    };

    *key = prompt_str_absent;

    for (i = 0; i < 2; i++) {

        if (i == 1 && r->headers_in.authorization == NULL) {
            break;
        }

        ngx_memzero(&at, sizeof(ngx_http_prompt_headers_t));

        while (ngx_http_prompt_header_next(r, &at, names[i], &value)) {

            if (i == 1 && !ngx_http_prompt_auth_bearer(&value)) {
                continue;
            }

            if (key->data != NULL && !prompt_str_eq(*key, value)) {
                return NGX_ERROR;
            }

            *key = value;
        }
    }

    return key->data != NULL ? NGX_OK : NGX_DECLINED;
}


/*
 * Takes the scheme away.  Authorization with another one is somebody else's,
 * auth_basic's for one: it names no key.
 */
static bool
ngx_http_prompt_auth_bearer(prompt_str_t *value)
{
    static const prompt_str_t  bearer = prompt_str_init("Bearer ");

    if (value->len < bearer.len
        || ngx_strncasecmp((u_char *) value->data, (u_char *) bearer.data,
                           bearer.len)
           != 0)
    {
        return false;
    }

    value->data += bearer.len;
    value->len -= bearer.len;

    while (value->len != 0 && value->data[0] == ' ') {
        value->data++;
        value->len--;
    }

    return true;
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
    prompt_str_t                  value;
    gql_http_cookie_t             cookie, plain, *found;
    ngx_http_prompt_headers_t     at;
    ngx_http_prompt_main_conf_t  *pmcf;

    gql_http_cookie_init(&cookie, prompt_str(NGX_HTTP_PROMPT_COOKIE));
    gql_http_cookie_init(&plain, prompt_str(NGX_HTTP_PROMPT_COOKIE_PLAIN));

    ngx_memzero(&at, sizeof(ngx_http_prompt_headers_t));

    while (ngx_http_prompt_header_next(r, &at, prompt_str("Cookie"), &value)) {
        gql_http_cookie_add(&cookie, value);
        gql_http_cookie_add(&plain, value);
    }

    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);

    found = cookie.count == 0 && ngx_http_prompt_auth_plain(r, pmcf->insecure)
            ? &plain : &cookie;

    if (found->count == 0) {
        return NGX_DECLINED;
    }

    if (found->count != 1 || !prompt_key_valid(found->value, PROMPT_SESSION)) {
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


/* By the variable that began it alone: others may know nothing of it. */
ngx_uint_t
ngx_http_prompt_auth_trusted(ngx_http_request_t *r,
    const ngx_http_prompt_identity_t *identity)
{
    u_char                            named[sizeof(identity->trusted)];
    ngx_uint_t                        i, known;
    prompt_str_t                      email;
    ngx_http_prompt_loc_conf_t       *plcf;
    ngx_http_prompt_session_conf_t  **session;

    static const u_char  nobody[sizeof(identity->trusted)];

    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);

    if (plcf->trusted == NULL
        || ngx_memcmp(identity->trusted, nobody, sizeof(nobody)) == 0)
    {
        return 1;
    }

    session = plcf->trusted->elts;
    known = 0;

    for (i = 0; i < plcf->trusted->nelts; i++) {

        if (ngx_http_prompt_auth_named(r, session[i], &email) != NGX_OK) {
            continue;
        }

        ngx_http_prompt_sign_in_trusts(session[i], email, named);

        if (ngx_memcmp(named, identity->trusted, sizeof(named)) == 0) {
            return 1;
        }

        known |= ngx_memcmp(named, identity->trusted,
                            NGX_HTTP_PROMPT_TRUSTED_BY)
                 == 0;
    }

    return !known;
}


/*
 * Whom the variable names here, "" where that is nobody; NGX_DECLINED where it
 * has no value, since what makes it stands in other locations.  What "set" has
 * not set would be an empty text, and a warning.  A certificate is of the
 * connection: where there is none, it is nobody's.
 */
static ngx_int_t
ngx_http_prompt_auth_named(ngx_http_request_t *r,
    const ngx_http_prompt_session_conf_t *session, prompt_str_t *email)
{
    ngx_http_variable_t        *v;
    ngx_http_variable_value_t  *vv;
    ngx_http_core_main_conf_t  *cmcf;

    cmcf = ngx_http_get_module_main_conf(r, ngx_http_core_module);

    v = cmcf->variables.elts;
    v += session->variable;
    vv = &r->variables[session->variable];

    if (!vv->valid && (v->flags & NGX_HTTP_VAR_WEAK)
        && v->data == (uintptr_t) session->variable)
    {
        return NGX_DECLINED;
    }

    vv = ngx_http_get_flushed_variable(r, session->variable);

    if (vv != NULL && !vv->not_found) {
        *email = ngx_http_prompt_str(vv);
        return NGX_OK;
    }

    *email = prompt_str("");

    return ngx_strncasecmp(session->trusted.data, (u_char *) "$ssl_client_",
                           sizeof("$ssl_client_") - 1)
           == 0 ? NGX_OK : NGX_DECLINED;
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
    bool          tls;
    prompt_str_t  site, origin, host;

    host = prompt_str_absent;

    if (ngx_http_prompt_header_count(r, prompt_str("Sec-Fetch-Site"), &site)
        > 1)
    {
        site = prompt_str("");
    }

    if (ngx_http_prompt_header_count(r, prompt_str("Origin"), &origin) > 1) {
        origin = prompt_str("");
    }

    if (r->headers_in.host != NULL) {
        host = ngx_http_prompt_str(&r->headers_in.host->value);
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
