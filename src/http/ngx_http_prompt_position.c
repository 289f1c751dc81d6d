/*
 * The header Prompt-Position.
 */

#include "http/ngx_http_prompt_position.h"

#include "http/ngx_http_prompt_response.h"
#include "service/standby/standby.h"
#include "service/worker/header.h"
#include "service/worker/worker.h"


#define NGX_HTTP_PROMPT_POSITION_NAME  "Prompt-Position"


ngx_int_t
ngx_http_prompt_position_find(ngx_http_prompt_ctx_t *ctx)
{
    ngx_uint_t           n;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;

    if (ngx_http_prompt_get_worker(r)->standby == NULL) {
        return NGX_OK;
    }

    n = ngx_http_prompt_header_count(r,
                                     prompt_str(NGX_HTTP_PROMPT_POSITION_NAME),
                                     &ctx->op.token);

    if (n == 0 || (n == 1 && prompt_position_is_token(ctx->op.token))) {
        return NGX_OK;
    }

    return ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                   prompt_str("There may be one header \"Prompt-Position\", as "
                              "an answer had it."));
}


ngx_int_t
ngx_http_prompt_position_add(ngx_http_prompt_ctx_t *ctx)
{
    prompt_str_t         token;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;

    /* a stream has begun long before */

    if (r->header_sent) {
        return NGX_OK;
    }

    token = ngx_http_prompt_standby_token(&ctx->op);

    if (token.data == NULL) {
        return NGX_OK;
    }

    return ngx_http_prompt_add_header(r, NGX_HTTP_PROMPT_POSITION_NAME,
                                      token.data);
}
