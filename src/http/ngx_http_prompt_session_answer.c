/*
 * Answers of a session's location: JSON, and the cookie.
 */

#include "http/ngx_http_prompt_session_impl.h"

#include "base/buf.h"
#include "base/json.h"
#include "base/time.h"
#include "http/ngx_http_prompt_response.h"


static void ngx_http_prompt_session_write_id(prompt_buf_t *buf,
    prompt_str_t id);
static void ngx_http_prompt_session_write_time(prompt_buf_t *buf,
    int64_t time);
static void ngx_http_prompt_session_error_text(ngx_http_request_t *r,
    prompt_str_t code, prompt_str_t message, prompt_buf_t *buf);
static const char *ngx_http_prompt_session_how(ngx_http_request_t *r);


ngx_int_t
ngx_http_prompt_session_show(ngx_http_prompt_ctx_t *ctx,
    const prompt_account_t *account, const prompt_session_t *session)
{
    ngx_int_t            rc;
    prompt_buf_t         buf;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;

    prompt_buf_init(&buf, NGX_HTTP_PROMPT_SESSION_MEMORY);

    prompt_buf_literal(&buf, "{\"user\":{\"id\":");
    ngx_http_prompt_session_write_id(&buf, account->id);
    prompt_buf_literal(&buf, ",\"email\":");
    prompt_json_write_string(&buf, account->email);
    prompt_buf_literal(&buf, ",\"name\":");

    if (account->name.data != NULL) {
        prompt_json_write_string(&buf, account->name);
    } else {
        prompt_buf_literal(&buf, "null");
    }

    prompt_buf_literal(&buf, "},\"session\":{\"id\":");
    ngx_http_prompt_session_write_id(&buf, session->id);
    prompt_buf_literal(&buf, ",\"createdAt\":");
    ngx_http_prompt_session_write_time(&buf, session->created_at);
    prompt_buf_literal(&buf, ",\"expiresAt\":");
    ngx_http_prompt_session_write_time(&buf, session->expires_at);
    prompt_buf_printf(&buf, "},\"signIn\":\"%s\"}",
                      ngx_http_prompt_session_how(r));

    ctx->answered = 1;

    rc = ngx_http_prompt_add_header(r, "Cache-Control", "no-store") == NGX_OK
         ? ngx_http_prompt_send_text(r, NGX_HTTP_OK, "application/json", &buf)
         : NGX_HTTP_INTERNAL_SERVER_ERROR;

    prompt_buf_free(&buf);

    return rc;
}


static void
ngx_http_prompt_session_write_id(prompt_buf_t *buf, prompt_str_t id)
{
    char           text[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t  uuid;

    ngx_memzero(&uuid, sizeof(prompt_uuid_t));

    if (id.len == PROMPT_UUID_LEN) {
        ngx_memcpy(uuid.bytes, id.data, PROMPT_UUID_LEN);
    }

    prompt_uuid_format(&uuid, text);
    prompt_json_write_string(buf, prompt_str_of(text, sizeof(text)));
}


static void
ngx_http_prompt_session_write_time(prompt_buf_t *buf, int64_t time)
{
    char  text[PROMPT_TIME_TEXT_LEN];

    prompt_time_format(time, text);
    prompt_json_write_string(buf, prompt_str_of(text, sizeof(text)));
}


/* secret: NULL where the cookie goes */
ngx_int_t
ngx_http_prompt_session_cookie(ngx_http_prompt_ctx_t *ctx, const char *secret)
{
    size_t                      len;
    u_char                     *value, *p;
    ngx_uint_t                  plain;
    ngx_http_request_t         *r;
    ngx_http_prompt_session_t  *session;

    session = ctx->session;
    r = ctx->op.job.request;
    plain = ngx_http_prompt_auth_plain(r, session->conf->insecure);

    len = sizeof(NGX_HTTP_PROMPT_COOKIE "=; Path=/; Max-Age=; HttpOnly; "
                 "SameSite=Strict; Secure") + PROMPT_KEY_LEN + NGX_INT64_LEN;

    value = ngx_pnalloc(r->pool, len);
    if (value == NULL) {
        return NGX_ERROR;
    }

    p = ngx_sprintf(value, "%s=%*s; Path=/; Max-Age=%ui; HttpOnly; "
                    "SameSite=Strict%s",
                    plain ? NGX_HTTP_PROMPT_COOKIE_PLAIN
                          : NGX_HTTP_PROMPT_COOKIE,
                    secret != NULL ? (size_t) PROMPT_KEY_LEN : 0,
                    secret != NULL ? secret : "",
                    secret != NULL ? session->conf->lifetime : 0,
                    plain ? "" : "; Secure");
    *p = '\0';

    return ngx_http_prompt_add_header(r, "Set-Cookie", (char *) value);
}


ngx_int_t
ngx_http_prompt_session_done(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_request_t  *r;

    r = ctx->op.job.request;
    ctx->answered = 1;

    if (ngx_http_prompt_add_header(r, "Cache-Control", "no-store") != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->headers_out.status = NGX_HTTP_NO_CONTENT;
    r->header_only = 1;

    return ngx_http_send_header(r);
}


ngx_int_t
ngx_http_prompt_session_error(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    ngx_int_t            rc;
    prompt_buf_t         buf;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;

    if (ngx_http_prompt_status_headers(r, status, "GET, POST, DELETE")
        != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_http_prompt_session_error_text(r, code, message, &buf);

    rc = ngx_http_prompt_send_text(r, status, "application/json", &buf);
    prompt_buf_free(&buf);

    return rc;
}


ngx_buf_t *
ngx_http_prompt_session_status_body(ngx_http_request_t *r, ngx_uint_t status)
{
    prompt_buf_t  buf;

    ngx_http_prompt_session_error_text(r, ngx_http_prompt_status_code(status),
                                       ngx_http_prompt_status_words(status),
                                       &buf);

    return ngx_http_prompt_body(r, &buf);
}


static void
ngx_http_prompt_session_error_text(ngx_http_request_t *r, prompt_str_t code,
    prompt_str_t message, prompt_buf_t *buf)
{
    prompt_buf_init(buf, NGX_HTTP_PROMPT_SESSION_MEMORY);

    prompt_buf_literal(buf, "{\"errors\":[{\"message\":");
    prompt_json_write_string(buf, message);
    prompt_buf_literal(buf, ",\"extensions\":{\"code\":");
    prompt_json_write_string(buf, code);
    prompt_buf_printf(buf, ",\"signIn\":\"%s\"}}]}",
                      ngx_http_prompt_session_how(r));
}


static const char *
ngx_http_prompt_session_how(ngx_http_request_t *r)
{
    ngx_http_prompt_loc_conf_t  *plcf;

    /* a rewrite may have left the location */

    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);

    return plcf->session != NULL && plcf->session->trusted.len != 0
           ? "trusted" : "password";
}
