/*
 * What lines of the error log say of a request beside what nginx does: for
 * whom it was.
 */

#include "http/ngx_http_prompt_error_log.h"

#include "base/uuid.h"
#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_request.h"
#include "io/ngx_http_prompt_trouble.h"


static u_char *ngx_http_prompt_error_log_handler(ngx_http_request_t *r,
    ngx_http_request_t *sr, u_char *buf, size_t len);
static u_char *ngx_http_prompt_error_log_id(u_char *p, u_char *last,
    const char *what, const u_char *bytes);


/* nginx's own, which all requests have */
static ngx_http_log_handler_pt  ngx_http_prompt_error_log_next;


void
ngx_http_prompt_error_log(ngx_http_request_t *r)
{
    if (ngx_http_prompt_error_log_next == NULL) {
        ngx_http_prompt_error_log_next = r->log_handler;
    }

    /* one that another module has put there stays */

    if (r->log_handler == ngx_http_prompt_error_log_next) {
        r->log_handler = ngx_http_prompt_error_log_handler;
    }
}


static u_char *
ngx_http_prompt_error_log_handler(ngx_http_request_t *r,
    ngx_http_request_t *sr, u_char *buf, size_t len)
{
    u_char                 *p, *last;
    ngx_http_prompt_ctx_t  *ctx;

    last = buf + len;
    p = ngx_http_prompt_error_log_next(r, sr, buf, len);

    /* an error page may have taken it away */

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);
    if (ctx == NULL) {
        return p;
    }

    p = ngx_http_prompt_error_log_id(p, last, "user",
                                     ctx->op.job.identity.user_id);

    return ngx_http_prompt_error_log_id(p, last, "key",
                                        ctx->op.job.identity.key_id);
}


/* all zero: not known; a part of one is of no use */

static u_char *
ngx_http_prompt_error_log_id(u_char *p, u_char *last, const char *what,
    const u_char *bytes)
{
    char           text[PROMPT_UUID_TEXT_LEN];
    prompt_uuid_t  id;

    static const prompt_uuid_t  unknown;

    ngx_memcpy(id.bytes, bytes, sizeof(id.bytes));

    if (ngx_memcmp(id.bytes, unknown.bytes, sizeof(id.bytes)) == 0
        || (size_t) (last - p) < sizeof(", user: ") + sizeof(text))
    {
        return p;
    }

    prompt_uuid_format(&id, text);

    return ngx_slprintf(p, last, ", %s: %*s", what, sizeof(text), text);
}
